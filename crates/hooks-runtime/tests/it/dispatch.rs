//! A whole firing: who runs, side by side, in which order reports stand, and what comes of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hooks_core::decide::Action;
use hooks_core::definition::Definition;
use hooks_core::handler::{Background, Handler, HttpHandler};
use hooks_core::outcome::{End, Invocation, Outcome};
use hooks_core::{Envelope, HostProfile, SessionState, Snapshot};
use hooks_runtime::handlers::OutcomeFuture;
use hooks_runtime::{CancelSignal, Environment, FireOptions, Firing, HandlerHost, fire, plan};

use crate::support::{ALONE, eventually, lives, pids};
use crate::toy::{Toy, command, command_of, one, snapshot};

async fn fire_in(snapshot: &Snapshot, envelope: &Envelope, session: SessionState, options: &FireOptions) -> Firing {
    let _shared = ALONE.read().await;
    fire(snapshot, envelope, &HostProfile::full(), &session, options).await
}

async fn fire_plain(snapshot: &Snapshot) -> Firing {
    fire_in(snapshot, &command("ls"), SessionState::default(), &FireOptions::default()).await
}

fn texts(said: &[hooks_core::Said<String>]) -> Vec<&str> {
    said.iter().map(|said| said.value.as_str()).collect()
}

fn hooks(texts: &[&str]) -> Vec<Definition> {
    (0..).zip(texts).map(|(index, text)| Toy::default().hook(index, "before", text)).collect()
}

#[tokio::test]
async fn nobody_runs_and_nothing_is_decided() {
    let mut hook = Toy::default().hook(0, "before", "echo deny no");
    hook.matcher = hooks_core::Matcher::exact(["rm"]);
    let firing = fire_plain(&one(vec![hook])).await;
    assert!(firing.runs.is_empty() && firing.late.is_empty());
    assert_eq!(firing.decision.action, Action::NoOpinion);
}

#[tokio::test(flavor = "multi_thread")]
async fn hooks_run_side_by_side_and_reports_stand_in_declared_order() {
    let sleeps: Vec<String> = (0..8).map(|at| format!("sleep 0.{}; echo context {at}", 9 - at)).collect();
    let snapshot = one(hooks(&sleeps.iter().map(String::as_str).collect::<Vec<_>>()));
    let firing = fire_plain(&snapshot).await;
    let indexes: Vec<u32> = firing.runs.iter().map(|run| run.binding.place.index).collect();
    assert_eq!(indexes, (0..8).collect::<Vec<_>>());
    let mut finished: Vec<u32> = firing.runs.iter().map(|run| run.outcome.as_ref().unwrap().finished).collect();
    assert!(finished[0] > finished[7], "the first declared sleeps longest: {finished:?}");
    assert_eq!(firing.runs[0].effects.by.finished, finished[0]);
    // This vendor folds context by the order of finishing.
    let in_order: Vec<String> = {
        let mut by_finish: Vec<(u32, usize)> = finished.iter().copied().zip(0..).collect();
        by_finish.sort_unstable();
        by_finish.into_iter().map(|(_, at)| at.to_string()).collect()
    };
    assert_eq!(texts(&firing.decision.to_model), in_order);
    finished.sort_unstable();
    assert_eq!(finished, (0..8).collect::<Vec<_>>());
}

#[tokio::test]
async fn eight_hooks_run_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    // Each waits until all eight are there.
    let meet = format!(
        "cd {}; : >in.$$; until set -- in.*; [ $# -ge 8 ]; do sleep 0.02; done; echo context met",
        folder.path().display()
    );
    let firing = fire_plain(&one(hooks(&[meet.as_str(); 8]))).await;
    assert_eq!(texts(&firing.decision.to_model), ["met"; 8]);

    // With a limit of one they run one after the other, in declared order.
    let snapshot = one(hooks(&["sleep 0.2", "sleep 0.1", "true"]));
    let started = Instant::now();
    let options = FireOptions::default().concurrency(0);
    let firing = fire_in(&snapshot, &command("ls"), SessionState::default(), &options).await;
    assert!(started.elapsed() >= Duration::from_millis(300));
    let finished: Vec<u32> = firing.runs.iter().map(|run| run.outcome.as_ref().unwrap().finished).collect();
    assert_eq!(finished, [0, 1, 2]);
}

#[tokio::test]
async fn a_deny_outranks_an_allow_and_its_reason_reaches_the_model() {
    let firing = fire_plain(&one(hooks(&["echo allow", "echo 'not this' >&2; exit 2", "exit 1"]))).await;
    assert_eq!(firing.decision.action, Action::Deny);
    assert_eq!(texts(&firing.decision.to_model), ["not this"]);
    assert_eq!(firing.runs[1].stdin.as_ref(), b"ls");
    assert!(firing.runs[2].effects.failure.is_some());
    let _shared = ALONE.read().await;
    let strict = HostProfile::full().strict(true);
    let snapshot = one(hooks(&["exit 1"]));
    let firing = fire(&snapshot, &command("ls"), &strict, &SessionState::default(), &FireOptions::default()).await;
    assert_eq!(firing.decision.action, Action::Deny);
}

#[tokio::test]
async fn of_a_doubtful_hook_only_what_restrains_counts() {
    let with = |text: &str| {
        let mut hook = Toy::default().hook(0, "before", text);
        hook.condition = Some("perhaps".to_owned());
        one(vec![hook])
    };
    let firing = fire_plain(&with("echo allow; echo context no")).await;
    assert_eq!(firing.runs[0].doubtful.as_deref(), Some("perhaps"));
    assert_eq!(firing.decision.action, Action::NoOpinion);
    assert!(firing.decision.to_model.is_empty());
    assert_eq!(fire_plain(&with("echo deny yes")).await.decision.action, Action::Deny);
}

#[tokio::test]
async fn what_cannot_be_encoded_still_goes_through_the_failure_rule() {
    let snapshot = one(hooks(&["", "echo context ran"]));
    let firing = fire_plain(&snapshot).await;
    assert!(firing.runs[0].invocation.is_err());
    assert_eq!(firing.runs[0].outcome.as_ref().unwrap().end, End::NotRun("no command".to_owned()));
    assert!(firing.runs[0].effects.failure.is_some());
    assert_eq!(texts(&firing.decision.to_model), ["ran"]);
}

#[tokio::test]
async fn the_session_remembers_variables_and_who_ran_once() {
    let toy = Toy::default();
    let mut once = toy.hook(0, "before", "echo env TOKEN=abc");
    once.once = true;
    let mut fails = toy.hook(1, "before", "exit 1");
    fails.once = true;
    let snapshot = one(vec![once, fails, toy.hook(2, "before", "echo \"context token=$TOKEN event=$EVENT\"")]);
    let first = fire_plain(&snapshot).await;
    assert_eq!(texts(&first.decision.to_model), ["token= event=before"]);
    assert_eq!(first.session.ran_once.len(), 1);
    let second = fire_in(&snapshot, &command("ls"), first.session, &FireOptions::default()).await;
    assert_eq!(second.runs.len(), 2, "a failed run does not count as its only one");
    assert_eq!(texts(&second.decision.to_model), ["token=abc event=before"]);
}

#[tokio::test]
async fn a_rewrite_is_shown_to_the_other_guards() {
    let (toy, other) = (Toy::default(), Toy::of("other"));
    let guard = "if grep -q evil; then echo deny evil; else echo allow; fi";
    let rewriter = toy.hook(0, "before", "echo rewrite evil thing");
    let same_event = toy.hook(1, "before", guard);
    let snapshot_of = |hooks: Vec<Definition>, others: Vec<Definition>| {
        let mut vendors = vec![(Toy::default(), hooks)];
        if !others.is_empty() {
            vendors.push((Toy::of("other"), others));
        }
        snapshot(vendors)
    };

    // The vendor's own rule holds within one event.
    let firing = fire_plain(&snapshot_of(vec![rewriter.clone(), same_event.clone()], vec![])).await;
    assert_eq!(firing.decision.action, Action::Approve);
    assert_eq!(firing.decision.input.unwrap().value.as_shell().unwrap().command, "evil thing");

    // A guard of another event of the vendor, and one of another vendor.
    for (hooks, others) in [
        (vec![rewriter.clone(), same_event.clone(), toy.hook(0, "guard", guard)], vec![]),
        (vec![rewriter.clone(), same_event.clone()], vec![other.hook(0, "before", guard)]),
    ] {
        let firing = fire_plain(&snapshot_of(hooks, others)).await;
        assert_eq!(firing.decision.action, Action::Deny);
        assert_eq!(texts(&firing.decision.to_model), ["evil"]);
        assert!(firing.decision.input.is_none());
        let again: Vec<_> = firing.runs.iter().filter(|run| run.refired).collect();
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].stdin.as_ref(), b"evil thing");
        assert!(again[0].outcome.as_ref().unwrap().finished >= 3);
    }

    // A guard that only the rewritten input concerns.
    let mut narrow = other.hook(0, "before", "echo deny narrow");
    narrow.matcher = toy.matcher_of("evil");
    let firing = fire_plain(&snapshot_of(vec![rewriter.clone()], vec![narrow])).await;
    assert_eq!(firing.runs.len(), 2);
    assert_eq!(firing.decision.action, Action::Deny);
    assert_eq!(texts(&firing.decision.to_model), ["narrow"]);

    // A guard that agrees lets the rewrite through; one that rewrites again does not.
    let firing = fire_plain(&snapshot_of(vec![rewriter.clone()], vec![other.hook(0, "before", "echo allow")])).await;
    assert_eq!(firing.decision.action, Action::Approve);
    assert!(firing.decision.input.is_some());
    let again = "if grep -q evil; then echo rewrite worse; fi";
    let firing = fire_plain(&snapshot_of(vec![rewriter], vec![other.hook(0, "before", again)])).await;
    assert_eq!(firing.decision.action, Action::Deny);
    assert_eq!(texts(&firing.decision.to_model), [hooks_core::refire::REWRITTEN_TWICE]);
}

#[tokio::test]
async fn an_allow_of_the_original_input_approves_no_other() {
    let (toy, other) = (Toy::default(), Toy::of("other"));
    let rewriter = toy.hook(0, "before", "echo rewrite evil thing");
    let mut allows_ls = other.hook(0, "before", "echo allow");
    allows_ls.matcher = toy.matcher_of("ls");
    let vendors = vec![(Toy::default(), vec![rewriter]), (Toy::of("other"), vec![allows_ls])];
    let firing = fire_plain(&snapshot(vendors)).await;
    assert_eq!(firing.decision.action, Action::NoOpinion);
    assert_eq!(firing.decision.input.unwrap().value.as_shell().unwrap().command, "evil thing");
}

#[tokio::test]
async fn a_strict_host_denies_instead_of_asking_again() {
    let (toy, other) = (Toy::default(), Toy::of("other"));
    let rewriter = toy.hook(0, "before", "echo rewrite evil thing");
    let guards = vec![other.hook(0, "before", "echo allow")];
    let snapshot = snapshot(vec![(Toy::default(), vec![rewriter]), (Toy::of("other"), guards)]);
    let strict = HostProfile::full().strict(true);
    let _shared = ALONE.read().await;
    let firing = fire(&snapshot, &command("ls"), &strict, &SessionState::default(), &FireOptions::default()).await;
    assert_eq!(firing.decision.action, Action::Deny);
    assert_eq!(texts(&firing.decision.to_model), [hooks_core::refire::NOT_SHOWN]);
    assert!(firing.runs.iter().all(|run| !run.refired));
}

#[tokio::test]
async fn a_hook_that_detached_is_not_started_again() {
    let (toy, other) = (Toy::default(), Toy::of("other"));
    let rewriter = toy.hook(0, "before", "echo rewrite evil thing");
    let detaches = other.hook(0, "before", "echo '{\"async\": true}'; sleep 1");
    let vendors = vec![(Toy::default(), vec![rewriter]), (Toy::of("other"), vec![detaches])];
    let firing = fire_plain(&snapshot(vendors)).await;
    assert_eq!((firing.runs.len(), firing.late.len()), (2, 1));
}

#[tokio::test]
async fn a_rewrite_that_cannot_be_made_denies() {
    let firing = fire_plain(&one(hooks(&["echo 'rewrite '"]))).await;
    assert_eq!(firing.decision.action, Action::Deny);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_background_has_no_say_and_is_not_waited_for() {
    let toy = Toy::default();
    let mut declared = toy.hook(0, "before", "sleep 1; echo deny late; echo context declared");
    command_of(&mut declared).background = Background::Async;
    let mut broken = toy.hook(1, "before", "");
    command_of(&mut broken).background = Background::Async;
    let asked = toy.hook(2, "before", "echo '{\"async\": true}'; sleep 1; echo context asked");
    let mut firing = fire_plain(&one(vec![declared, broken, asked, toy.hook(3, "before", "echo allow")])).await;
    assert_eq!(firing.decision.action, Action::Approve);
    assert_eq!(firing.runs.len(), 4);
    assert!(firing.runs[..3].iter().all(|run| run.outcome.is_none() && run.effects.effects.is_empty()));

    let _shared = ALONE.read().await;
    let mut session = firing.session;
    let mut ended = 0;
    while let Some(run) = firing.late.next().await {
        run.apply(&mut session);
        ended += 1;
    }
    assert_eq!(ended, 3);
    let mut late = texts(&session.late_context);
    late.sort_unstable();
    assert_eq!(late, ["asked", "declared"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_a_firing_or_cancelling_it_ends_every_run() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let text = format!("echo $$ >>{}; sleep 60; :", file.display());
    let toy = Toy::default();
    let mut background = toy.hook(1, "before", &text);
    command_of(&mut background).background = Background::Async;
    let snapshot = one(vec![toy.hook(0, "before", &text), background]);
    let envelope = command("ls");
    let host = HostProfile::full();

    let options = FireOptions::default();
    let session = SessionState::default();
    let started = tokio::select! {
        firing = fire(&snapshot, &envelope, &host, &session, &options) => panic!("ended: {firing:?}"),
        pids = pids(&file, 2) => pids,
    };
    for pid in started {
        eventually("the run is gone", || !lives(pid)).await;
    }

    std::fs::remove_file(&file).unwrap();
    let cancel = CancelSignal::new();
    let options = FireOptions::default().cancel(cancel.clone());
    let session = SessionState::default();
    let (mut firing, started) = tokio::join!(fire(&snapshot, &envelope, &host, &session, &options), async {
        let pids = pids(&file, 2).await;
        cancel.cancel();
        pids
    });
    assert_eq!(firing.runs[0].outcome.as_ref().unwrap().end, End::Cancelled);
    assert_eq!(firing.late.next().await.unwrap().outcome.end, End::Cancelled);
    for pid in started {
        eventually("the run is gone", || !lives(pid)).await;
    }
    // Nothing is started once the signal was given.
    let firing = fire(&snapshot, &envelope, &host, &SessionState::default(), &options).await;
    assert_eq!(firing.runs[0].outcome.as_ref().unwrap().end, End::Cancelled);
}

#[derive(Debug)]
struct Http(u64);

impl HandlerHost for Http {
    fn run<'a>(
        &'a self,
        handler: &'a Handler,
        _invocation: &'a Invocation,
        stdin: &'a [u8],
        _environment: &'a Environment,
        _cancel: &'a CancelSignal,
    ) -> OutcomeFuture<'a> {
        Box::pin(async move {
            let Handler::Http(http) = handler else { panic!("no http handler") };
            assert_ne!(http.url, "panic", "what this handler does");
            tokio::time::sleep(Duration::from_millis(self.0)).await;
            Outcome::exited(0, format!("context {} {}", http.url, String::from_utf8_lossy(stdin)))
        })
    }
}

#[tokio::test]
async fn other_handlers_are_the_hosts() {
    let with = |url: &str| {
        let mut hook = Toy::default().hook(0, "before", "");
        hook.handler = Handler::Http(HttpHandler { url: url.to_owned(), ..HttpHandler::default() });
        hook.timeout = Duration::from_millis(500);
        one(vec![hook])
    };
    let end = |firing: &Firing| firing.runs[0].outcome.as_ref().unwrap().end.clone();
    let firing = fire_plain(&with("there")).await;
    assert_eq!(end(&firing), End::NotRun("this host cannot run http handlers".to_owned()));

    let options = FireOptions::default().handlers(Arc::new(Http(0)));
    let firing = fire_in(&with("there"), &command("ls"), SessionState::default(), &options).await;
    assert_eq!(texts(&firing.decision.to_model), ["there ls"]);
    let firing = fire_in(&with("panic"), &command("ls"), SessionState::default(), &options).await;
    assert!(matches!(end(&firing), End::NotRun(_)));
    let options = FireOptions::default().handlers(Arc::new(Http(60_000)));
    let firing = fire_in(&with("there"), &command("ls"), SessionState::default(), &options).await;
    assert_eq!(end(&firing), End::TimedOut);
}

#[test]
fn a_plan_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("ran");
    let snapshot = one(hooks(&[&format!("touch {}", mark.display()), ""]));
    let planned = plan(&snapshot, &command("ls"), &SessionState::default());
    assert_eq!(planned.len(), 2);
    assert!(planned[0].invocation.is_ok() && planned[1].invocation.is_err());
    assert_eq!(planned[0].stdin, b"ls");
    assert!(!planned[0].is_background() && planned[0].doubtful.is_none());
    assert!(!mark.exists());
}
