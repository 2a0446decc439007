//! Documents that change while a session goes on, read by the vendors' own adapters.

use std::path::Path;
use std::sync::Arc;

use hooks_core::activate::{AdmitAll, AdmitOwn};
use hooks_core::{HostProfile, HostSide, Snapshot};
use hooks_runtime::discover::this_platform;
use hooks_runtime::{ForeignFiles, Places, Reloader, discover_all};

const SETTINGS: &str = ".claude/settings.json";

fn none(_: &str) -> Option<String> {
    None
}

fn places(root: &Path) -> Places<'static> {
    Places {
        project: root.to_owned(),
        cwd: root.to_owned(),
        home: None,
        platform: this_platform(),
        system: None,
        variable: &none,
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn hooks(command: &str) -> String {
    format!(r#"{{"hooks":{{"PreToolUse":[{{"hooks":[{{"type":"command","command":"{command}"}}]}}]}}}}"#)
}

fn adapters() -> Vec<Arc<dyn HostSide>> {
    vec![Arc::new(adapter_cursor::Adapter::latest()), Arc::new(adapter_claude::Adapter::latest())]
}

fn labels(snapshot: &Snapshot) -> Vec<String> {
    snapshot.bindings().iter().map(|binding| binding.handler.label()).collect()
}

#[test]
fn a_change_counts_and_a_broken_one_keeps_what_was() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, SETTINGS, &hooks("one"));
    let places = places(root);
    let host = HostProfile::full();
    let mut reloader = Reloader::start(adapters(), ForeignFiles::Once, &places, host, &AdmitAll).unwrap();
    let first = reloader.snapshot();
    assert_eq!(labels(&first), ["one"]);
    let same = reloader.reload(&places, &AdmitAll);
    assert!(!same.changed && same.diagnostics.is_empty() && Arc::ptr_eq(&same.snapshot, &first));

    write(root, SETTINGS, &hooks("two"));
    let changed = reloader.reload(&places, &AdmitAll);
    assert!(changed.changed && changed.diagnostics.is_empty());
    assert_eq!((labels(&changed.snapshot), labels(&first)), (vec!["two".to_owned()], vec!["one".to_owned()]));

    // An editor in the middle of writing, a slip.
    for broken in ["{\"hooks\":", "{\"hooks\": {\"PreToolUse\": [}}"] {
        write(root, SETTINGS, broken);
        let kept = reloader.reload(&places, &AdmitAll);
        assert!(!kept.changed, "{broken}");
        assert_eq!(labels(&kept.snapshot), ["two"]);
        assert_eq!(kept.diagnostics[0].code.id, "runtime/last-good-kept");
        assert!(kept.diagnostics[0].path.ends_with(SETTINGS));
        // It is told as long as it holds.
        assert_eq!(reloader.reload(&places, &AdmitAll).diagnostics.len(), 1);
    }
    std::fs::remove_file(root.join(SETTINGS)).unwrap();
    std::fs::create_dir(root.join(SETTINGS)).unwrap();
    let kept = reloader.reload(&places, &AdmitAll);
    assert_eq!((labels(&kept.snapshot), kept.diagnostics.len()), (vec!["two".to_owned()], 1));

    std::fs::remove_dir(root.join(SETTINGS)).unwrap();
    assert!(reloader.reload(&places, &AdmitAll).snapshot.bindings().is_empty());
    write(root, SETTINGS, &hooks("three"));
    write(root, ".claude/settings.local.json", &hooks("four"));
    assert_eq!(labels(&reloader.reload(&places, &AdmitAll).snapshot), ["three", "four"]);
}

#[test]
fn what_a_reload_brings_is_admitted_anew() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let places = places(root);
    let mut reloader =
        Reloader::start(adapters(), ForeignFiles::Once, &places, HostProfile::full(), &AdmitOwn).unwrap();
    write(root, SETTINGS, &hooks("one"));
    let reloaded = reloader.reload(&places, &AdmitOwn);
    assert!(reloaded.changed && reloaded.snapshot.bindings().is_empty());
    assert_eq!(labels(&reloader.reactivate(&AdmitAll).unwrap()), ["one"]);
}

#[test]
fn a_session_that_would_be_refused_keeps_what_was() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut adapters = adapters();
    adapters.push(Arc::new(crate::toy::Toy::default()));
    write(root, SETTINGS, &hooks("one"));
    let places = places(root);
    let mut reloader =
        Reloader::start(adapters.clone(), ForeignFiles::Once, &places, HostProfile::full(), &AdmitAll).unwrap();
    write(root, SETTINGS, &hooks("two"));
    write(root, ".toy/hooks.json", "refuse");
    let kept = reloader.reload(&places, &AdmitAll);
    assert!(!kept.changed);
    assert_eq!(
        (labels(&kept.snapshot), kept.diagnostics[0].code.id),
        (vec!["one".to_owned()], "runtime/reload-refused")
    );
    assert!(Reloader::start(adapters, ForeignFiles::Once, &places, HostProfile::full(), &AdmitAll).is_err());
    write(root, ".toy/hooks.json", "fine");
    assert_eq!(labels(&reloader.reload(&places, &AdmitAll).snapshot), ["two"]);
}

#[test]
fn another_vendors_file_is_read_once_unless_the_host_says_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, SETTINGS, &hooks("one"));
    let places = places(root);
    let count = |adapters: &[Arc<dyn HostSide>], foreign| -> Vec<(usize, usize)> {
        let found = discover_all(adapters, &places, foreign);
        found.iter().map(|found| (found.sources.len(), found.left().count())).collect()
    };
    let both = adapters();
    assert_eq!(count(&both, ForeignFiles::Once), [(0, 1), (1, 0)]);
    assert_eq!(count(&both, ForeignFiles::ByAll), [(1, 0), (1, 0)]);
    assert_eq!(count(&both[..1], ForeignFiles::Once), [(1, 0)]);
    assert_eq!(count(&both[..1], ForeignFiles::Never), [(0, 1)]);
    let found = discover_all(&both, &places, ForeignFiles::Once);
    assert!(found[0].absent().any(|path| path.ends_with(".cursor/hooks.json")));
}

#[test]
fn a_document_that_is_a_link_out_of_the_project_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (root, outside) = (folder.path().join("project"), folder.path().join("outside.json"));
    std::fs::create_dir_all(root.join(".claude")).unwrap();
    std::fs::write(&outside, hooks("one")).unwrap();
    std::os::unix::fs::symlink(&outside, root.join(SETTINGS)).unwrap();
    write(&root, "inside.json", &hooks("two"));
    std::os::unix::fs::symlink("../inside.json", root.join(".claude/settings.local.json")).unwrap();
    let found = discover_all(&adapters()[1..], &places(&root), ForeignFiles::Once);
    let told = found[0].diagnostics();
    assert_eq!((found[0].sources.len(), told.len()), (2, 1));
    assert!(told[0].path.ends_with(SETTINGS) && told[0].message.contains("outside.json"));
}

#[cfg(feature = "watch")]
#[tokio::test]
async fn a_change_is_told_once_it_is_quiet_also_in_a_folder_that_was_not_there() {
    use std::time::Duration;

    use hooks_runtime::watch::Watcher;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let places = places(root);
    let start = Reloader::start(adapters(), ForeignFiles::Once, &places, HostProfile::full(), &AdmitAll);
    let mut reloader = start.unwrap();
    let mut watcher = Watcher::start(&reloader).unwrap();
    assert!(watcher.folders().any(|folder| folder == root));
    let (quiet, long) = (Duration::from_millis(100), Duration::from_secs(5));
    assert!(tokio::time::timeout(Duration::from_millis(300), watcher.changed(quiet)).await.is_err());

    write(root, SETTINGS, &hooks("one"));
    tokio::time::timeout(long, watcher.changed(quiet)).await.expect("a change");
    assert_eq!(labels(&reloader.reload(&places, &AdmitAll).snapshot), ["one"]);
    watcher.follow(&reloader);

    // As editors do: a new file in the old one's place, after some stumbling.
    for text in ["", "{", &hooks("two")] {
        write(root, ".claude/draft", text);
        std::fs::rename(root.join(".claude/draft"), root.join(SETTINGS)).unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tokio::time::timeout(long, watcher.changed(quiet)).await.expect("a change");
    let reloaded = reloader.reload(&places, &AdmitAll);
    assert_eq!((labels(&reloaded.snapshot), reloaded.diagnostics.len()), (vec!["two".to_owned()], 0));

    // Gone and made again.
    watcher.follow(&reloader);
    std::fs::remove_dir_all(root.join(".claude")).unwrap();
    tokio::time::timeout(long, watcher.changed(quiet)).await.expect("a change");
    assert!(reloader.reload(&places, &AdmitAll).snapshot.bindings().is_empty());
    watcher.follow(&reloader);
    write(root, SETTINGS, &hooks("three"));
    tokio::time::timeout(long, watcher.changed(quiet)).await.expect("a change");
    assert_eq!(labels(&reloader.reload(&places, &AdmitAll).snapshot), ["three"]);
}

#[cfg(feature = "watch")]
#[tokio::test]
async fn one_more_document_where_a_place_stands_for_several_is_noticed() {
    use std::time::Duration;

    use hooks_runtime::watch::Watcher;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "plugins/one/hooks.x.json", "");
    let places = places(root);
    let toys: Vec<Arc<dyn HostSide>> = vec![Arc::new(crate::toy::Toy::default())];
    let mut reloader = Reloader::start(toys, ForeignFiles::Once, &places, HostProfile::full(), &AdmitAll).unwrap();
    let found = |reloader: &Reloader| {
        let paths = reloader.paths().filter(|path| path.is_file());
        paths.map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&reloader), ["plugins/one/hooks.x.json"]);
    let mut watcher = Watcher::start(&reloader).unwrap();
    let (quiet, long) = (Duration::from_millis(100), Duration::from_secs(5));
    write(root, "plugins/two/hooks.y.json", "");
    tokio::time::timeout(long, watcher.changed(quiet)).await.expect("a change");
    reloader.reload(&places, &AdmitAll);
    assert_eq!(found(&reloader), ["plugins/one/hooks.x.json", "plugins/two/hooks.y.json"]);
    // In the folder that came, too.
    watcher.follow(&reloader);
    while tokio::time::timeout(Duration::from_millis(300), watcher.changed(quiet)).await.is_ok() {}
    write(root, "plugins/two/hooks.z.json", "");
    tokio::time::timeout(long, watcher.changed(quiet)).await.expect("a change");
    reloader.reload(&places, &AdmitAll);
    assert_eq!(found(&reloader).len(), 3);
}

#[cfg(feature = "watch")]
#[tokio::test]
async fn many_changes_in_a_row_are_told_once_and_a_broken_one_keeps_what_was() {
    use std::time::{Duration, Instant};

    use hooks_runtime::watch::Watcher;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, SETTINGS, &hooks("one"));
    let places = places(root);
    let start = Reloader::start(adapters(), ForeignFiles::Once, &places, HostProfile::full(), &AdmitAll);
    let mut reloader = start.unwrap();
    let watcher = Watcher::start(&reloader).unwrap();
    // Far longer than the writer's pauses, also on a machine that is busy with something else.
    let (quiet, long) = (Duration::from_secs(1), Duration::from_secs(20));
    let started = Instant::now();
    let (path, text) = (root.join(SETTINGS), hooks("two"));
    let writer = std::thread::spawn(move || {
        for _ in 0..8 {
            std::fs::write(&path, "").unwrap();
            std::thread::sleep(Duration::from_millis(50));
            std::fs::write(&path, &text[..text.len() / 2]).unwrap();
        }
        std::fs::write(&path, &text).unwrap();
    });
    tokio::time::timeout(long, watcher.changed(quiet)).await.expect("a change");
    writer.join().unwrap();
    assert!(started.elapsed() >= Duration::from_millis(8 * 50) + quiet, "told in the middle");
    let reloaded = reloader.reload(&places, &AdmitAll);
    assert_eq!((labels(&reloaded.snapshot), reloaded.diagnostics.len()), (vec!["two".to_owned()], 0));
    assert!(tokio::time::timeout(quiet + quiet / 2, watcher.changed(quiet)).await.is_err(), "told twice");

    write(root, SETTINGS, "{\"hooks\":");
    tokio::time::timeout(long, watcher.changed(quiet)).await.expect("a change");
    let kept = reloader.reload(&places, &AdmitAll);
    assert_eq!((labels(&kept.snapshot), kept.changed), (vec!["two".to_owned()], false));
    assert_eq!(kept.diagnostics[0].code.id, "runtime/last-good-kept");
}

/// Case C276 of Cursor's list.
#[cfg(feature = "watch")]
#[tokio::test]
async fn a_cursor_file_that_is_saved_counts_without_a_restart() {
    use std::time::Duration;

    use hooks_runtime::watch::Watcher;
    let folder = tempfile::tempdir().unwrap();
    let (root, home) = (folder.path().join("p"), folder.path().join("home"));
    let cursor = |command: &str| format!(r#"{{"version":1,"hooks":{{"stop":[{{"command":"{command}"}}]}}}}"#);
    write(&root, ".cursor/hooks.json", &cursor("one"));
    write(&home, ".cursor/hooks.json", &cursor("mine"));
    let places = Places { home: Some(home.clone()), ..places(&root) };
    let vendors = adapters()[..1].to_vec();
    let start = Reloader::start(vendors, ForeignFiles::Never, &places, HostProfile::full(), &AdmitAll);
    let mut reloader = start.unwrap();
    assert_eq!(labels(&reloader.snapshot()), ["one", "mine"]);
    let watcher = Watcher::start(&reloader).unwrap();
    for (folder, command, expected) in [(&root, "two", ["two", "mine"]), (&home, "ours", ["two", "ours"])] {
        write(folder, ".cursor/hooks.json", &cursor(command));
        let told = tokio::time::timeout(Duration::from_secs(20), watcher.changed(Duration::from_millis(100))).await;
        told.expect("a change");
        assert_eq!(labels(&reloader.reload(&places, &AdmitAll).snapshot), expected);
    }
}

#[cfg(feature = "watch")]
#[tokio::test]
async fn what_a_link_leads_to_is_watched_and_a_restless_folder_holds_nothing_up() {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use hooks_runtime::watch::Watcher;
    let folder = tempfile::tempdir().unwrap();
    let (root, elsewhere) = (folder.path().join("p"), folder.path().join("dotfiles/claude.json"));
    write(folder.path(), "dotfiles/claude.json", &hooks("one"));
    std::fs::create_dir_all(root.join(".claude")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, root.join(SETTINGS)).unwrap();
    let places = places(&root);
    let start = Reloader::start(adapters(), ForeignFiles::Once, &places, HostProfile::full(), &AdmitAll);
    let mut reloader = start.unwrap();
    let watcher = Watcher::start(&reloader).unwrap();
    let (quiet, long) = (Duration::from_millis(100), Duration::from_secs(20));
    std::fs::write(&elsewhere, hooks("two")).unwrap();
    tokio::time::timeout(long, watcher.changed(quiet)).await.expect("a change");
    assert_eq!(labels(&reloader.reload(&places, &AdmitAll).snapshot), ["two"]);

    let done = Arc::new(AtomicBool::new(false));
    let (until, log) = (Arc::clone(&done), root.join(".claude/log"));
    let writer = std::thread::spawn(move || {
        while !until.load(Ordering::Relaxed) {
            std::fs::write(&log, "x").unwrap();
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    let told = tokio::time::timeout(long, watcher.changed(quiet)).await;
    done.store(true, Ordering::Relaxed);
    writer.join().unwrap();
    told.expect("a change, however much goes on");
}
