//! Bad days of whole firings, with the vendors' own adapters where their rules decide.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hooks_conformance::{Given, sample};
use hooks_core::activate::{AdmitAll, activate};
use hooks_core::adapter::Parsed;
use hooks_core::decide::Action;
use hooks_core::envelope::Payload;
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::outcome::End;
use hooks_core::tool::ToolCall;
use hooks_core::{Envelope, HostProfile, HostSide, SessionState, Snapshot, VendorSources};
use hooks_runtime::{FireOptions, fire};

use crate::leaks::{children, open_pipes};
use crate::support::{ALONE, eventually, sh};
use crate::toy::{Toy, command, one};

/// Hooks of a vendor on its event before a shell command, and such an occurrence.
fn before_shell(adapter: Arc<dyn HostSide>, event: &str, commands: &[String], cwd: &Path) -> (Snapshot, Envelope) {
    let blank = adapter.blank(event).expect("an event");
    let mut parsed = Parsed::empty(Arc::clone(&blank.source));
    parsed.definitions = (0..)
        .zip(commands)
        .map(|(index, command)| {
            let mut hook = blank.clone();
            hook.place.index = index;
            hook.id = hooks_core::BindingId::of(&hook.source, &hook.place);
            hook.handler = Handler::Command(CommandHandler { command: command.clone(), ..CommandHandler::default() });
            hook
        })
        .collect();
    let mut envelope = sample::envelope(&*adapter, event, &Given::default()).expect("an occurrence");
    envelope.common.cwd = cwd.to_string_lossy().into_owned();
    envelope.common.project_dir = None;
    envelope.common.workspace_roots = vec![envelope.common.cwd.clone()];
    let sources = vec![VendorSources { adapter, documents: vec![parsed] }];
    (activate(sources, &HostProfile::full(), &AdmitAll).expect("a snapshot"), envelope)
}

/// Each vendor with its event before a shell command and its answer that denies.
fn vendors() -> [(Arc<dyn HostSide>, &'static str, &'static str); 3] {
    let nested = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
    [
        (
            Arc::new(adapter_cursor::Adapter::latest()),
            "beforeShellExecution",
            r#"{"permission":"deny","user_message":"no","agent_message":"no"}"#,
        ),
        (Arc::new(adapter_claude::Adapter::latest()), "PreToolUse", nested),
        (Arc::new(adapter_codex::Adapter::latest()), "PreToolUse", nested),
    ]
}

#[tokio::test]
async fn a_full_deny_before_a_sudden_death() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    for (adapter, event, deny) in vendors() {
        let vendor = adapter.vendor().to_string();
        let commands = [format!("echo '{deny}'; kill -9 $$")];
        let (snapshot, envelope) = before_shell(adapter, event, &commands, folder.path());
        for strict in [false, true] {
            let host = HostProfile::full().strict(strict);
            let firing = fire(&snapshot, &envelope, &host, &SessionState::default(), &FireOptions::default()).await;
            let outcome = firing.runs[0].outcome.as_ref().unwrap();
            assert_eq!(outcome.end, End::Signalled(9), "{vendor}");
            assert_eq!(outcome.stdout_text().trim(), deny, "{vendor}: what it said is there");
            // By itself this is the vendor's rule, which its vectors hold; nothing is ever approved by it.
            assert_ne!(firing.decision.action, Action::Approve, "{vendor}");
            if strict {
                assert_eq!(firing.decision.action, Action::Deny, "{vendor}");
            }
        }
        // The same answer counts where the process lives to its end.
        let adapter = vendors().into_iter().find(|(it, ..)| it.vendor().as_str() == vendor).unwrap().0;
        let (snapshot, envelope) = before_shell(adapter, event, &[format!("echo '{deny}'")], folder.path());
        let host = HostProfile::full();
        let firing = fire(&snapshot, &envelope, &host, &SessionState::default(), &FireOptions::default()).await;
        assert_eq!(firing.decision.action, Action::Deny, "{vendor}: {:?}", firing.runs[0]);
    }
}

#[tokio::test]
async fn a_deny_counts_though_the_input_was_never_read() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    for (adapter, event, deny) in vendors() {
        let vendor = adapter.vendor().to_string();
        let commands = [format!("exec 0<&-; echo '{deny}'"), format!("echo '{deny}'")];
        let (snapshot, mut envelope) = before_shell(adapter, event, &commands, folder.path());
        // More than a pipe takes, so that it cannot be written before the end.
        let Payload::ToolBefore(tool) = &mut envelope.payload else { panic!("no call: {envelope:?}") };
        tool.call = ToolCall::shell(format!("echo {}", "x".repeat(10 << 20)));
        let host = HostProfile::full();
        let started = Instant::now();
        let firing = fire(&snapshot, &envelope, &host, &SessionState::default(), &FireOptions::default()).await;
        assert!(started.elapsed() < Duration::from_secs(60));
        for run in &firing.runs {
            assert!(run.stdin.len() > 10 << 20, "{vendor}: {}", run.stdin.len());
            let outcome = run.outcome.as_ref().unwrap();
            assert_eq!((&outcome.end, outcome.stdin_delivered), (&End::Exited(0), false), "{vendor}");
        }
        assert_eq!(firing.decision.action, Action::Deny, "{vendor}");
    }
}

#[tokio::test]
async fn what_the_hosts_deadline_cuts_short_blocks_for_every_vendor() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    for (adapter, event, _) in vendors() {
        let vendor = adapter.vendor().to_string();
        let (snapshot, envelope) = before_shell(adapter, event, &["sleep 20".to_owned()], folder.path());
        let options = FireOptions::default().deadline(Duration::from_millis(200));
        let host = HostProfile::full();
        let firing = fire(&snapshot, &envelope, &host, &SessionState::default(), &options).await;
        assert_eq!(firing.runs[0].outcome.as_ref().unwrap().end, End::Cancelled, "{vendor}");
        assert_eq!(firing.decision.action, Action::Deny, "{vendor}");
    }
}

#[tokio::test]
async fn a_moved_project_says_so_when_its_hooks_cannot_be_started() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let gone = folder.path().join("gone");
    for (adapter, event, deny) in vendors() {
        let vendor = adapter.vendor().to_string();
        let (snapshot, mut envelope) = before_shell(adapter, event, &[format!("pwd >&2; echo '{deny}'")], &gone);
        let strict = HostProfile::full().strict(true);
        let fired = async |envelope: &Envelope| {
            let firing = fire(&snapshot, envelope, &strict, &SessionState::default(), &FireOptions::default()).await;
            assert_eq!(firing.decision.action, Action::Deny, "{vendor}");
            firing.runs[0].outcome.clone().unwrap()
        };
        let outcome = fired(&envelope).await;
        if vendor != "claude" {
            let End::FailedToStart(why) = &outcome.end else { panic!("{vendor}: {outcome:?}") };
            assert!(why.contains("gone does not exist"), "{why}");
            continue;
        }
        // L291: this one has folders to fall back to, the last of them where temporary files go.
        assert_eq!(outcome.end, End::Exited(0));
        let home = std::env::home_dir().filter(|home| home.is_dir()).unwrap_or_else(std::env::temp_dir);
        assert_eq!(outcome.stderr_text().trim(), home.canonicalize().unwrap().to_str().unwrap());
        envelope.common.project_dir = Some(folder.path().to_str().unwrap().to_owned());
        let start = folder.path().canonicalize().unwrap();
        assert_eq!(fired(&envelope).await.stderr_text().trim(), start.to_str().unwrap());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_hooks_on_one_event_all_run_and_never_too_many_at_once() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let text =
        format!("cd {}; : > run.$$; set -- run.*; echo context $#; sleep 0.01; rm run.$$", folder.path().display());
    let hooks = (0..200).map(|index| Toy::default().hook(index, "before", &text)).collect();
    let firing = fire(
        &one(hooks),
        &command("ls"),
        &HostProfile::full(),
        &SessionState::default(),
        &FireOptions::default().concurrency(16),
    )
    .await;
    assert_eq!(firing.runs.len(), 200);
    let mut finished: Vec<u32> = firing.runs.iter().map(|run| run.outcome.as_ref().unwrap().finished).collect();
    finished.sort_unstable();
    assert_eq!(finished, (0..200).collect::<Vec<_>>());
    assert!(firing.runs.iter().zip(0..).all(|(run, index)| run.binding.place.index == index));
    let most = firing.decision.to_model.iter().map(|said| said.value.parse::<u32>().unwrap()).max();
    assert_eq!(firing.decision.to_model.len(), 200);
    assert!(most <= Some(16), "{most:?} at once");
}

/// How many firings stand in a row unless the environment says another number.
const FIRINGS: usize = 500;

/// What this process holds: open pipes and handles of processes, children, memory in kilobytes.
fn held() -> (usize, usize, usize) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    (open_pipes(), children(), line.split_whitespace().nth(1).unwrap().parse().unwrap())
}

/// Set `CROSSHOOK_FIRINGS` for another number, such as 10000.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_firings_in_a_row_leave_nothing_behind() {
    let _alone = ALONE.write().await;
    let count = std::env::var("CROSSHOOK_FIRINGS").ok().and_then(|count| count.parse().ok()).unwrap_or(FIRINGS);
    let toy = Toy::default();
    let mut slow = toy.hook(2, "before", "sleep 30 & sleep 30");
    slow.timeout = Duration::from_millis(20);
    let usual = one(vec![
        toy.hook(0, "before", "echo context one"),
        toy.hook(1, "guard", "cat >/dev/null; echo env A=b; exit 0"),
    ]);
    let detaching = one(vec![toy.hook(0, "before", "echo '{\"async\":true}'; echo context late")]);
    let bad = one(vec![toy.hook(0, "before", "kill -9 $$"), toy.hook(1, "before", ""), slow]);
    let (host, options) = (HostProfile::full(), FireOptions::default());
    let mut session = SessionState::default();
    let mut before = (0, 0, 0);
    let started = Instant::now();
    for at in 0..count + 50 {
        if at == 50 {
            eventually("the children of earlier tests are gone", || children() == 0).await;
            before = held();
        }
        let snapshot = match at % 50 {
            7 => &bad,
            17 => &detaching,
            _ => &usual,
        };
        let mut firing = fire(snapshot, &command("ls"), &host, &session, &options).await;
        session = firing.session;
        while let Some(run) = firing.late.next().await {
            run.apply(&mut session);
        }
        session.take_late();
    }
    let took = started.elapsed();
    eventually("the last children are waited for", || children() == 0).await;
    let after = held();
    eprintln!("{count} firings in {took:?}: pipes, children, kB before {before:?}, after {after:?}");
    assert_eq!((after.0, after.1), (before.0, before.1), "open pipes and children");
    assert!(after.2 < before.2 + 8 * 1024, "memory grew from {} kB to {} kB", before.2, after.2);
}

#[tokio::test]
async fn a_run_that_prints_nothing_for_ever_ends_at_its_limit_and_its_tree_with_it() {
    let _shared = ALONE.read().await;
    let mut hook = Toy::default().hook(0, "before", "trap '' TERM; (trap '' TERM; sleep 60) & sleep 60");
    hook.timeout = Duration::from_millis(300);
    let started = Instant::now();
    let host = HostProfile::full().strict(true);
    let firing = fire(&one(vec![hook]), &command("ls"), &host, &SessionState::default(), &FireOptions::default()).await;
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(firing.runs[0].outcome.as_ref().unwrap().end, End::TimedOut);
    assert_eq!(firing.decision.action, Action::Deny);
    // The helper that other tests use still works in the same process.
    assert_eq!(
        hooks_runtime::run_command(&sh("true"), b"", &hooks_runtime::CancelSignal::new(), &[]).await.end,
        End::Exited(0)
    );
}
