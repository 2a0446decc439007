//! The trust store between processes that write at once, wait, and are killed in the middle; and what a firing says of
//! what it leaves out.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hooks_core::activate::{Admitted, activate};
use hooks_core::source::Origin;
use hooks_core::{HostProfile, HostSide, SessionState, Source, State, VendorSources};
use hooks_runtime::discover::this_platform;
use hooks_runtime::log::lines;
use hooks_runtime::{FireOptions, ForeignFiles, Places, Report, StoreError, TrustStore, discover_all, fire};

use crate::support::{ALONE, eventually};
use crate::toy::{Toy, command, command_of};
use crate::trust::{hook, snapshot};

/// What the child process does, and in which folder.
const TASK: &str = "TRUST_TEST_TASK";
const FOLDER: &str = "TRUST_TEST_FOLDER";

/// Not a test: what the tests below start as processes of their own.
#[test]
#[ignore = "a part of other tests, which start it as a process"]
fn child() {
    let (task, folder) = (std::env::var(TASK).unwrap(), std::env::var(FOLDER).unwrap());
    let folder = Path::new(&folder);
    let path = folder.join("trust.json");
    match task.split_once(' ').unwrap_or((&task, "")) {
        ("add", name) => {
            for index in 0..10 {
                let mut store = TrustStore::open(&path).unwrap();
                store.add([&hook(&folder.join(format!("{name}-{index}")), 0, "x")], None).unwrap();
            }
        }
        ("add-for-ever", _) => {
            for index in 0.. {
                let mut store = TrustStore::open(&path).unwrap();
                // Long enough that writing takes a while.
                let text = format!("echo {}", "x".repeat(8 << 10));
                store.add([&hook(&folder.join(format!("{}", index % 40)), 0, &text)], None).unwrap();
                std::fs::write(folder.join("going"), "").unwrap();
            }
        }
        ("hold", _) => {
            use std::os::fd::AsRawFd as _;
            let lock = std::fs::File::create(folder.join("trust.json.lock")).unwrap();
            #[allow(unsafe_code)]
            // SAFETY: the descriptor is open.
            let locked = unsafe { libc::flock(lock.as_raw_fd(), libc::LOCK_EX) };
            assert_eq!(locked, 0);
            std::fs::write(folder.join("going"), "").unwrap();
            std::thread::sleep(Duration::from_secs(60));
        }
        _ => panic!("no task {task}"),
    }
}

fn start(task: &str, folder: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "trust_bad_days::child", "--ignored", "--quiet"]).env(TASK, task).env(FOLDER, folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

#[tokio::test]
async fn processes_that_trust_at_once_lose_nothing() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<Child> = (0..4).map(|child| start(&format!("add {child}"), folder.path())).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(TrustStore::open(folder.path().join("trust.json")).unwrap().records().len(), 40);
}

#[tokio::test]
async fn another_processes_lock_is_waited_for_and_ends_with_it() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trust.json");
    let mut holder = start("hold", folder.path());
    eventually("the lock is held", || folder.path().join("going").exists()).await;
    let one = hook(folder.path(), 0, "one");
    let mut store = TrustStore::open(&path).unwrap().patience(Duration::from_millis(100));
    let error = store.add([&one], None).unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    // Reading needs no lock, and nothing was changed.
    assert!(TrustStore::open(&path).unwrap().records().is_empty() && store.records().is_empty());
    // Killed, not asked: nobody tidies up.
    holder.kill().unwrap();
    holder.wait().unwrap();
    store.add([&one], None).unwrap();
    assert_eq!(TrustStore::open(&path).unwrap().records().len(), 1);
}

#[tokio::test]
async fn a_writer_that_is_killed_leaves_a_whole_store() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trust.json");
    let mut before = 0;
    for round in 0..25 {
        let _ = std::fs::remove_file(folder.path().join("going"));
        let mut writer = start("add-for-ever", folder.path());
        eventually("it writes", || folder.path().join("going").exists()).await;
        std::thread::sleep(Duration::from_millis(round));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let store = TrustStore::open(&path).unwrap_or_else(|error| panic!("after {round}: {error}"));
        assert!(store.records().len() >= before.max(1), "something was lost");
        before = store.records().len();
    }
    // What it left does not stop the next one, and goes.
    std::fs::write(folder.path().join("trust.json.new"), "{\"version\":1,\"rec").unwrap();
    assert_eq!(TrustStore::open(&path).unwrap().records().len(), before);
    let mut store = TrustStore::open(&path).unwrap();
    store.add([&hook(folder.path(), 0, "after all")], None).unwrap();
    assert_eq!(TrustStore::open(&path).unwrap().records().len(), before + 1);
    assert!(!folder.path().join("trust.json.new").exists());
}

#[test]
fn a_link_in_the_drafts_place_is_not_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let precious = folder.path().join("precious");
    std::fs::write(&precious, "mine").unwrap();
    std::os::unix::fs::symlink(&precious, folder.path().join("trust.json.new")).unwrap();
    let mut store = TrustStore::open(folder.path().join("trust.json")).unwrap();
    store.add([&hook(folder.path(), 0, "one")], None).unwrap();
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "mine");
    assert!(!std::fs::symlink_metadata(store.path()).unwrap().is_symlink());
}

#[test]
fn a_store_that_cannot_be_written_says_so_and_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("state"), "a file in place of the folder").unwrap();
    let path = folder.path().join("state/trust.json");
    let opened = TrustStore::open(&path);
    assert!(matches!(opened, Err(StoreError::Read { .. })), "{opened:?}");
    // A folder where the draft would be.
    let path = folder.path().join("trust.json");
    let mut store = TrustStore::open(&path).unwrap();
    std::fs::create_dir(folder.path().join("trust.json.new")).unwrap();
    let error = store.add([&hook(folder.path(), 0, "one")], None).unwrap_err();
    assert!(matches!(error, StoreError::Write { .. }) && error.to_string().contains("trust.json"), "{error}");
    assert!(store.records().is_empty() && !path.exists());
}

#[test]
fn what_came_with_a_project_or_a_plugin_waits_and_the_rest_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = TrustStore::open(folder.path().join("trust.json")).unwrap();
    for (origin, waits) in [
        (Origin::Managed, false),
        (Origin::Team, false),
        (Origin::User, false),
        (Origin::SessionFlags, false),
        (Origin::Host, false),
        (Origin::Project, true),
        (Origin::Local, true),
        (Origin::Plugin, true),
        (Origin::Frontmatter, true),
    ] {
        let mut one = hook(&folder.path().join(origin.as_str()), 0, &format!("echo {origin}"));
        one.source = Arc::new(Source { origin, ..(*one.source).clone() });
        let state = |store: &TrustStore| snapshot(vec![one.clone()], store).definitions()[0].state.clone();
        assert_eq!(state(&store), if waits { State::Untrusted } else { State::Live }, "{origin}");
        store.add([&one], None).unwrap();
        assert_eq!(state(&store), State::Live, "{origin}");
    }
}

#[tokio::test]
async fn a_firing_says_what_it_left_out() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let mut store = TrustStore::open(folder.path().join("trust.json")).unwrap();
    let (known, mut changed, unknown) =
        (hook(folder.path(), 0, "true"), hook(folder.path(), 1, "true #"), hook(folder.path(), 2, "deny me"));
    store.add([&known, &changed], None).unwrap();
    command_of(&mut changed).command = "rm -rf /".to_owned();
    let mut elsewhere = hook(folder.path(), 3, "not here");
    elsewhere.matcher_text = Some("git".to_owned());
    elsewhere.matcher = Toy::default().matcher_of("git");
    let snapshot = snapshot(vec![known, changed, unknown, elsewhere], &store);

    let told = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&told);
    let observer = move |report: Report<'_>| {
        into.lock().unwrap().push(match report {
            Report::Skipped(definition) => format!("skipped {}", definition.place.index),
            Report::Started(run) => format!("started {}", run.binding.place.index),
            _ => return,
        });
    };
    let options = FireOptions::default().observer(Arc::new(observer));
    let envelope = command("ls");
    let firing = fire(&snapshot, &envelope, &HostProfile::full(), &SessionState::default(), &options).await;
    // The one that this command does not concern is left out for another reason.
    assert_eq!(*told.lock().unwrap(), ["skipped 1", "skipped 2", "started 0"]);
    let skipped: Vec<_> = firing.skipped.iter().map(|it| (it.place.index, it.state.clone())).collect();
    assert_eq!(skipped, [(1, State::Modified), (2, State::Untrusted)]);
    assert_eq!(firing.runs.len(), 1);
    let lines: Vec<_> = lines(&envelope, &firing).iter().map(|line| serde_json::to_value(line).unwrap()).collect();
    let kinds: Vec<_> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["skipped", "skipped", "run", "decision"]);
    assert_eq!((lines[0]["state"].as_str(), lines[0]["program"].as_str()), (Some("modified"), Some("rm -rf /")));
    assert_eq!(lines[1]["state"], "untrusted");
}

/// A vendor that keeps records of its own, in its own file, beside a person's in the store.
#[test]
fn the_records_in_codex_own_configuration_decide_what_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (project, home) = (folder.path().join("p"), folder.path().join("home"));
    let handler = |name: &str| format!(r#"{{"type":"command","command":"echo {name}"}}"#);
    let names = ["trusted", "modified", "off", "unknown"];
    let handlers: Vec<_> = names.iter().map(|name| handler(name)).collect();
    let write = |path: &Path, text: &str| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let file = project.join(".codex/hooks.json");
    write(&file, &format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{}]}}]}}}}"#, handlers.join(",")));
    let managed = folder.path().join("machine/etc/codex/hooks.json");
    write(&managed, &format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{}]}}]}}}}"#, handler("managed")));

    let adapter: Arc<dyn HostSide> = Arc::new(adapter_codex::Adapter::latest());
    let none = |_: &str| None;
    let documents = || {
        let places = Places {
            project: project.clone(),
            cwd: project.clone(),
            home: Some(home.clone()),
            platform: this_platform(),
            system: Some(folder.path().join("machine")),
            variable: &none,
        };
        let found = discover_all(std::slice::from_ref(&adapter), &places, ForeignFiles::Once).remove(0);
        found.sources.into_iter().map(|source| adapter.parse(&Arc::new(source))).collect::<Vec<_>>()
    };
    let own = documents().into_iter().find(|document| document.source.origin == Origin::Project).unwrap();
    let prints = adapter.fingerprints(&own.source);
    let record = |at: usize, more: &str| {
        let print = &prints[at];
        format!("[hooks.state.\"{}\"]\ntrusted_hash = \"{}\"\n{more}\n", print.key, print.hash)
    };
    let config = format!(
        "{}{}{}",
        record(0, ""),
        record(1, "").replace(&prints[1].hash, &format!("sha256:{}", "0".repeat(64))),
        record(2, "enabled = false")
    );
    write(&home.join(".codex/config.toml"), &config);

    let states = |store: &TrustStore| -> Vec<(String, &'static str)> {
        let sources = vec![VendorSources { adapter: Arc::clone(&adapter), documents: documents() }];
        let snapshot = activate(sources, &HostProfile::full(), store).unwrap();
        let state = |it: &Arc<hooks_core::Definition>| (it.handler.label().replace("echo ", ""), it.state.word());
        snapshot.definitions().iter().map(state).collect()
    };
    let expected = |unknown: &'static str, modified: &'static str| {
        [("managed", "live"), ("trusted", "live"), ("modified", modified), ("off", "disabled"), ("unknown", unknown)]
            .map(|(name, state)| (name.to_owned(), state))
    };
    let mut store = TrustStore::open(folder.path().join("trust.json")).unwrap();
    assert_eq!(states(&store), expected("untrusted", "modified"));
    // A person's yes counts where the records do not know a hook or know another form of it, and not where they switch
    // it off.
    let definitions = documents().into_iter().flat_map(|document| document.definitions).collect::<Vec<_>>();
    store.add(&definitions, None).unwrap();
    assert_eq!(states(&store), expected("live", "live"));
    assert_eq!(adapter.trust(&own.definitions[2], &documents()), Some(Admitted::Disabled));
}
