//! The trust store: what it covers, what it calls changed, new and moved, and what becomes of the file.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hooks_core::activate::{Admission as _, Admitted, activate};
use hooks_core::adapter::Parsed;
use hooks_core::decide::Action;
use hooks_core::definition::{BindingId, Definition, State};
use hooks_core::source::Origin;
use hooks_core::{HostProfile, SessionState, Snapshot, Source, VendorSources};
use hooks_runtime::trust::content_text;
use hooks_runtime::{FireOptions, Gate as _, ScriptPlaces, Standing, StoreError, TrustStore, fire};

use crate::support::ALONE;
use crate::toy::{Toy, command, command_of};

/// A hook of a project's document.
pub(crate) fn hook(folder: &Path, index: u32, text: &str) -> Definition {
    let mut hook = Toy::default().hook(index, "before", text);
    let path = folder.join("hooks.json").to_string_lossy().into_owned();
    let source = Source { origin: Origin::Project, path, ..(*hook.source).clone() };
    hook.id = BindingId::of(&source, &hook.place);
    hook.source = Arc::new(source);
    hook
}

pub(crate) fn snapshot(hooks: Vec<Definition>, store: &TrustStore) -> Snapshot {
    let mut parsed = Parsed::empty(Arc::clone(&hooks[0].source));
    parsed.definitions = hooks;
    let sources = vec![VendorSources { adapter: Arc::new(Toy::default()), documents: vec![parsed] }];
    activate(sources, &HostProfile::full(), store).expect("a snapshot")
}

#[test]
fn a_hook_runs_once_it_is_trusted_and_until_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state/trust.json");
    let mut store = TrustStore::open(&path).unwrap();
    let first = hook(folder.path(), 0, "echo one");
    assert_eq!(store.standing(&first), Standing::Unknown);
    assert_eq!(snapshot(vec![first.clone()], &store).definitions()[0].state, State::Untrusted);

    store.add([&first], None).unwrap();
    let store = TrustStore::open(&path).unwrap();
    assert_eq!(store.standing(&first), Standing::Trusted);
    assert_eq!(snapshot(vec![first.clone()], &store).bindings().len(), 1);

    // Everything that is covered is covered.
    let changes: [fn(&mut Definition); 6] = [
        |hook| command_of(hook).command.push(' '),
        |hook| command_of(hook).args = Some(Vec::new()),
        |hook| command_of(hook).shell = hooks_core::handler::Shell::Bash,
        |hook| command_of(hook).background = hooks_core::handler::Background::Async,
        |hook| hook.matcher_text = Some("rm".to_owned()),
        |hook| hook.condition = Some("always".to_owned()),
    ];
    for change in changes {
        let mut other = first.clone();
        change(&mut other);
        assert_eq!(store.standing(&other), Standing::Changed { was: Some(content_text(&first)) }, "{other:?}");
        let snapshot = snapshot(vec![other], &store);
        assert_eq!(snapshot.definitions()[0].state, State::Modified);
        assert!(snapshot.bindings().is_empty() && snapshot.diagnostics().len() == 1);
    }
    let mut other = first.clone();
    other.place.event = "guard".to_owned();
    assert_eq!(store.standing(&other), Standing::New);
}

#[test]
fn new_changed_and_shifted_entries_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = TrustStore::open(folder.path().join("trust.json")).unwrap();
    let (one, two) = (hook(folder.path(), 0, "one"), hook(folder.path(), 1, "two"));
    store.add([&one, &two], None).unwrap();
    // Somebody puts an entry before both, and changes the last.
    let now = [
        hook(folder.path(), 0, "zero"),
        hook(folder.path(), 1, "one"),
        hook(folder.path(), 2, "two"),
        hook(folder.path(), 3, "three"),
    ];
    let words: Vec<_> = store.survey(&now).iter().map(Standing::word).collect();
    assert_eq!(words, ["new", "trusted", "trusted", "new"]);
    let now = [hook(folder.path(), 0, "one"), hook(folder.path(), 1, "two, but different")];
    let words: Vec<_> = store.survey(&now).iter().map(Standing::word).collect();
    assert_eq!(words, ["trusted", "changed"]);
    // Trusting the change forgets the earlier form.
    store.add([&now[1]], None).unwrap();
    assert_eq!(store.records().len(), 2);
    assert_eq!(store.standing(&two).word(), "changed");
}

#[test]
fn a_moved_project_is_not_trusted_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    std::fs::create_dir(&old).unwrap();
    std::fs::write(old.join("hooks.json"), "{}").unwrap();
    let mut store = TrustStore::open(folder.path().join("trust.json")).unwrap();
    store.add([&hook(&old, 0, "one")], None).unwrap();
    std::fs::rename(&old, &new).unwrap();
    let moved = hook(&new, 0, "one");
    let from = old.canonicalize().unwrap_or(old).join("hooks.json").to_string_lossy().into_owned();
    assert_eq!(store.standing(&moved), Standing::Moved { from });
    assert_eq!(store.admit(&moved, None), Admitted::Untrusted);
    assert_eq!(store.standing(&hook(&new, 0, "another")), Standing::Unknown);
}

#[test]
fn the_vendors_records_come_first_and_a_persons_yes_counts_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = TrustStore::open(folder.path().join("trust.json")).unwrap();
    let hook = hook(folder.path(), 0, "one");
    assert_eq!(store.admit(&hook, Some(Admitted::Yes)), Admitted::Yes);
    assert_eq!(store.admit(&hook, Some(Admitted::Modified)), Admitted::Modified);
    store.add([&hook], None).unwrap();
    assert_eq!(store.admit(&hook, Some(Admitted::Disabled)), Admitted::Disabled);
    assert_eq!(store.admit(&hook, Some(Admitted::Untrusted)), Admitted::Yes);
    let mut own = hook.clone();
    own.source = Toy::default().hook(0, "before", "").source;
    command_of(&mut own).command = "never seen".to_owned();
    assert_eq!(store.admit(&own, None), Admitted::Yes, "the person's own");
    assert_eq!(store.admit(&own, Some(Admitted::Untrusted)), Admitted::Untrusted, "a vendor that asks about these too");
}

#[tokio::test]
async fn a_script_edited_between_trust_and_run_does_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("guard.sh");
    std::fs::write(&script, "echo context one\n").unwrap();
    let mut store = TrustStore::open(folder.path().join("trust.json")).unwrap();
    let places = ScriptPlaces::project(folder.path(), []).variable("ROOT", folder.path().to_string_lossy());
    let text = format!("sh \"{}\" < ./later.txt", script.display());
    let hook = hook(folder.path(), 0, &text);
    assert_eq!(places.scripts(&hook), std::slice::from_ref(&script));
    store.add([&hook], Some(&places)).unwrap();
    let trusted = snapshot(vec![hook.clone()], &store);
    assert_eq!(trusted.bindings().len(), 1);

    // Between activation and the firing.
    std::fs::write(&script, "echo allow\n").unwrap();
    let _shared = ALONE.read().await;
    let host = HostProfile::full();
    let with_gate = FireOptions::default().gate(Arc::new(store.clone()));
    let firing = fire(&trusted, &command("ls"), &host, &SessionState::default(), &with_gate).await;
    assert!(firing.runs[0].invocation.as_ref().unwrap_err().0.contains("guard.sh is not what it was"));
    assert_eq!(firing.decision.action, Action::NoOpinion);
    let strict = HostProfile::full().strict(true);
    let firing = fire(&trusted, &command("ls"), &strict, &SessionState::default(), &with_gate).await;
    assert_eq!(firing.decision.action, Action::Deny);

    // Before the next activation.
    assert_eq!(store.standing(&hook).word(), "script changed");
    assert_eq!(snapshot(vec![hook.clone()], &store).definitions()[0].state, State::Modified);
    std::fs::write(&script, "echo context one\n").unwrap();
    assert_eq!(store.standing(&hook), Standing::Trusted);
    // A file that was not there is covered too.
    std::fs::write(folder.path().join("later.txt"), "x").unwrap();
    assert_eq!(store.standing(&hook).word(), "script changed");
    assert!(store.may_run(&hooks_core::Binding::alone(hook)).is_err());
}

#[test]
fn a_file_that_is_no_store_is_left_alone_and_trusts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trust.json");
    let mut early = TrustStore::open(&path).unwrap();
    for text in [
        "",
        "{",
        "[]",
        r#"{"version":2,"records":[]}"#,
        r#"{"version":1}"#,
        r#"{"version":1,"records":[{"vendor":"toy"}]}"#,
        r#"{"version":1,"records":[],"more":1}"#,
    ] {
        std::fs::write(&path, text).unwrap();
        assert!(matches!(TrustStore::open(&path), Err(StoreError::Form { .. })), "{text}");
        let added = early.add([&hook(folder.path(), 0, "one")], None);
        assert!(matches!(added, Err(StoreError::Form { .. })), "{text}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    assert_eq!(early.standing(&hook(folder.path(), 0, "one")), Standing::Unknown);
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(matches!(TrustStore::open(&path), Err(StoreError::Read { .. })));
}

#[test]
fn many_writers_at_once_lose_nothing_and_leave_no_drafts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state/trust.json");
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (path, folder) = (&path, folder.path());
            scope.spawn(move || {
                let mut store = TrustStore::open(path).unwrap();
                for index in 0..5 {
                    store.add([&hook(&folder.join(writer.to_string()), index, "x")], None).unwrap();
                    TrustStore::open(path).unwrap();
                }
            });
        }
    });
    let mut store = TrustStore::open(&path).unwrap();
    // Equal entries of one document are one record.
    assert_eq!(store.records().len(), 8);
    let gone = store.remove(|record| record.source.contains("/3/")).unwrap();
    assert_eq!((gone.len(), store.records().len()), (1, 7));
    let mut names: Vec<_> = std::fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["trust.json", "trust.json.lock"]);
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn somebody_elses_lock_is_waited_for_and_not_for_ever() {
    use std::os::fd::AsRawFd as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trust.json");
    let lock = std::fs::File::create(folder.path().join("trust.json.lock")).unwrap();
    #[allow(unsafe_code)]
    // SAFETY: the descriptor is open.
    let locked = unsafe { libc::flock(lock.as_raw_fd(), libc::LOCK_EX) };
    assert_eq!(locked, 0);
    let mut store = TrustStore::open(&path).unwrap().patience(Duration::from_millis(50));
    let one = hook(folder.path(), 0, "one");
    assert!(matches!(store.add([&one], None), Err(StoreError::Locked { .. })));
    drop(lock);
    store.add([&one], None).unwrap();
}

#[test]
fn a_store_that_is_a_link_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real.json"), folder.path().join("trust.json"));
    std::fs::write(&real, r#"{"version":1,"records":[]}"#).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let mut store = TrustStore::open(&link).unwrap();
    store.add([&hook(folder.path(), 0, "one")], None).unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(TrustStore::open(&real).unwrap().records().len(), 1);
}
