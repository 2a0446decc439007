//! Which files trust covers when it covers scripts too, and by which paths; and who else may write to the store.

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_core::definition::Definition;
use hooks_core::handler::Background;
use hooks_core::outcome::End;
use hooks_core::source::{Origin, Plugin};
use hooks_core::{Binding, HostProfile, HostSide, SessionState, Source, Syntax};
use hooks_runtime::{BackgroundLimit, FireOptions, Gate as _, ScriptPlaces, Standing, StoreError, TrustStore, fire};
use serde_json::json;

use crate::support::{ALONE, eventually};
use crate::toy::{command, command_of};
use crate::trust::{hook, snapshot};
use crate::vendors::{VENDORS, adapter, document, entry};

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A store in which a hook is trusted with what its command names.
fn trusted(folder: &Path, hook: &Definition, places: &ScriptPlaces) -> TrustStore {
    let mut store = TrustStore::open(folder.join("trust.json")).unwrap();
    store.add([hook], Some(places)).unwrap();
    assert_eq!(store.standing(hook), Standing::Trusted);
    assert_eq!(store.may_run(&Binding::alone(hook.clone())), Ok(()));
    store
}

fn is_stopped(store: &TrustStore, hook: &Definition) -> bool {
    let stopped = store.may_run(&Binding::alone(hook.clone())).is_err();
    assert_eq!(store.standing(hook).word() == "script changed", stopped);
    stopped
}

#[test]
fn a_link_that_is_made_to_lead_elsewhere_is_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let (project, outside) = (folder.path().join("p"), folder.path().join("outside.sh"));
    for (name, text) in [("good.sh", "good"), ("bad.sh", "bad")] {
        write(&project.join(name), text);
    }
    write(&outside, "outside");
    let link = project.join("guard.sh");
    let lead_to = |target: &Path| {
        let _ = std::fs::remove_file(&link);
        symlink(target, &link).unwrap();
    };
    let hook = hook(&project, 0, "sh ./guard.sh");
    let places = ScriptPlaces::project(&project, []);
    // Inside, and out of the project.
    for target in [project.join("good.sh"), outside.clone()] {
        lead_to(&target);
        let store = trusted(folder.path(), &hook, &places);
        lead_to(&project.join("bad.sh"));
        assert!(is_stopped(&store, &hook), "{}", target.display());
        std::fs::remove_file(&link).unwrap();
        write(&link, "bad");
        assert!(is_stopped(&store, &hook), "a file in the link's place");
        lead_to(&target);
        assert!(!is_stopped(&store, &hook));
        let before = std::fs::read_to_string(&target).unwrap();
        write(&target, "bad");
        assert!(is_stopped(&store, &hook), "what it leads to");
        write(&target, &before);
    }
}

#[test]
fn a_file_counts_from_every_folder_that_the_hook_may_run_in() {
    let folder = tempfile::tempdir().unwrap();
    let (project, plugin) = (folder.path().join("p"), folder.path().join("plugin"));
    write(&project.join("guard.sh"), "the project's");
    write(&plugin.join("guard.sh"), "the plugin's");
    let mut hook = hook(&plugin, 0, "sh guard.sh later.sh");
    let root = plugin.to_str().unwrap().to_owned();
    let plugin_facts = Plugin { name: "x".to_owned(), root, ..Plugin::default() };
    hook.source = Arc::new(Source { origin: Origin::Plugin, plugin: Some(plugin_facts), ..(*hook.source).clone() });
    let store = trusted(folder.path(), &hook, &ScriptPlaces::project(&project, []));
    for path in [project.join("guard.sh"), plugin.join("guard.sh")] {
        let before = std::fs::read_to_string(&path).unwrap();
        write(&path, "bad");
        assert!(is_stopped(&store, &hook), "{}", path.display());
        write(&path, &before);
    }
    // A name alone, of a file that is not there yet.
    for path in [project.join("later.sh"), plugin.join("later.sh")] {
        write(&path, "bad");
        assert!(is_stopped(&store, &hook), "{}", path.display());
        std::fs::remove_file(&path).unwrap();
    }
    assert!(!is_stopped(&store, &hook));
}

/// The variables in the commands of a vendor's project and of its plugins, from the vendors' pages.
fn variables(vendor: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match vendor {
        "cursor" => (&["CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR"], &["CURSOR_PLUGIN_ROOT"]),
        "claude" => (&["CLAUDE_PROJECT_DIR"], &["CLAUDE_PLUGIN_ROOT"]),
        _ => (&[], &["PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"]),
    }
}

#[test]
fn the_vendors_variables_stand_for_the_project_and_the_plugin() {
    let folder = tempfile::tempdir().unwrap();
    let (project, plugin) = (folder.path().join("p"), folder.path().join("plugin"));
    write(&project.join("run/guard.sh"), "the project's");
    write(&plugin.join("run/guard.sh"), "the plugin's");
    for vendor in VENDORS {
        let adapter: Arc<dyn HostSide> = adapter(vendor);
        let places = ScriptPlaces::project(&project, [Arc::clone(&adapter)]);
        let scripts = |command: &str, plugin: Option<Plugin>| -> Vec<PathBuf> {
            let event = if vendor == "cursor" { "stop" } else { "Stop" };
            let bytes = document(vendor, &[(event, entry(command, &json!({})))]).to_string().into_bytes();
            let source = Source::hooks(adapter.vendor().clone(), Origin::Plugin, Syntax::Json, "/x/hooks.json", bytes);
            let parsed = adapter.parse(&Arc::new(Source { plugin, ..source }));
            places.scripts(&parsed.definitions[0])
        };
        let (of_project, of_plugin) = variables(vendor);
        for name in of_project {
            let command = format!("\"${{{name}}}\"/run/guard.sh --fast");
            assert_eq!(scripts(&command, None), [project.join("run/guard.sh")], "{vendor}: {command}");
        }
        for name in of_plugin {
            let root = plugin.to_str().unwrap().to_owned();
            let facts = Plugin { name: "x".to_owned(), root, ..Plugin::default() };
            let command = format!("${{{name}}}/run/guard.sh");
            assert_eq!(scripts(&command, Some(facts)), [plugin.join("run/guard.sh")], "{vendor}: {command}");
        }
    }
}

/// A run in the background may wait for its turn for long: what counts is the script as it is when the turn comes.
#[tokio::test]
async fn a_script_that_changes_while_its_run_waits_for_its_turn_does_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("p");
    for name in ["first.sh", "good.sh", "bad.sh"] {
        let text = if name == "first.sh" { "echo $$ >first; until [ -e go ]; do sleep 0.02; done" } else { "touch $1" };
        write(&project.join(name), &format!("cd '{}'; {text}", project.display()));
    }
    let hooks: Vec<_> = ["first", "good", "bad"]
        .into_iter()
        .zip(0..)
        .map(|(name, index)| {
            let script = project.join(format!("{name}.sh"));
            let mut hook = hook(&project, index, &format!("sh {} {name}.ran", script.display()));
            command_of(&mut hook).background = Background::Async;
            hook
        })
        .collect();
    let mut store = TrustStore::open(folder.path().join("trust.json")).unwrap();
    store.add(&hooks, Some(&ScriptPlaces::project(&project, []))).unwrap();
    let snapshot = snapshot(hooks, &store);
    assert_eq!(snapshot.bindings().len(), 3);
    let options = FireOptions::default().background(BackgroundLimit::new(1)).gate(Arc::new(store));
    let _shared = ALONE.read().await;
    let host = HostProfile::full();
    let mut firing = fire(&snapshot, &command("ls"), &host, &SessionState::default(), &options).await;
    eventually("the first runs", || project.join("first").exists()).await;
    write(&project.join("bad.sh"), &format!("touch '{}'", project.join("bad.ran").display()));
    write(&project.join("go"), "");
    let mut ends = BTreeMap::new();
    while let Some(run) = firing.late.next().await {
        ends.insert(run.binding.place.index, run.outcome.end);
    }
    assert_eq!((&ends[&0], &ends[&1]), (&End::Exited(0), &End::Exited(0)));
    assert!(matches!(&ends[&2], End::NotRun(why) if why.contains("bad.sh is not what it was")), "{ends:?}");
    assert!(project.join("good.ran").exists() && !project.join("bad.ran").exists());
}

#[test]
fn words_that_can_be_no_file_stand_in_the_way_of_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("python3 -c 'import os.path; {}' ./a\\ b.sh", "x = 1.5; ".repeat(200));
    let hook = hook(folder.path(), 0, &text);
    let store = trusted(folder.path(), &hook, &ScriptPlaces::project(folder.path(), []));
    write(&folder.path().join("a b.sh"), "bad");
    assert!(is_stopped(&store, &hook));
}

#[test]
fn a_store_that_anybody_may_write_is_no_word_of_this_person() {
    let folder = tempfile::tempdir().unwrap();
    let one = hook(folder.path(), 0, "one");
    let path = folder.path().join("trust.json");
    let mut store = TrustStore::open(&path).unwrap();
    store.add([&one], None).unwrap();
    let allow = |mode: u32| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    allow(0o666);
    assert!(matches!(TrustStore::open(&path), Err(StoreError::Open { .. })));
    assert!(matches!(store.add([&hook(folder.path(), 1, "two")], None), Err(StoreError::Open { .. })));
    allow(0o644);
    assert_eq!(TrustStore::open(&path).unwrap().records().len(), 1);
}

#[test]
fn one_store_by_two_paths_has_one_lock() {
    use std::os::fd::AsRawFd as _;
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real/trust.json"), folder.path().join("trust.json"));
    let mut store = TrustStore::open(&real).unwrap();
    store.add([&hook(folder.path(), 0, "one")], None).unwrap();
    symlink(&real, &link).unwrap();
    let held = std::fs::File::create(folder.path().join("real/trust.json.lock")).unwrap();
    #[allow(unsafe_code)]
    // SAFETY: the descriptor is open.
    let locked = unsafe { libc::flock(held.as_raw_fd(), libc::LOCK_EX) };
    assert_eq!(locked, 0);
    let mut by_link = TrustStore::open(&link).unwrap().patience(std::time::Duration::from_millis(50));
    let error = by_link.add([&hook(folder.path(), 1, "two")], None).unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    drop(held);
    by_link.add([&hook(folder.path(), 1, "two")], None).unwrap();
    assert!(!folder.path().join("trust.json.lock").exists());
}
