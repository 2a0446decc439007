//! The host's limits: a firing's deadline, runs in the background, sizes of answers and texts, the environment.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hooks_core::decide::{Action, decide};
use hooks_core::handler::{Background, Handler, HttpHandler};
use hooks_core::outcome::{End, Invocation, Outcome};
use hooks_core::{Boundary, HostProfile, SessionState, Settled};
use hooks_runtime::handlers::OutcomeFuture;
use hooks_runtime::{
    BackgroundLimit, CancelSignal, Environment, FireOptions, Firing, HandlerHost, Inherit, Late, Report, fire,
};

use crate::support::ALONE;
use crate::toy::{Toy, command, command_of, one};

async fn fire_with(hooks: Vec<hooks_core::Definition>, options: &FireOptions) -> Firing {
    let _shared = ALONE.read().await;
    fire(&one(hooks), &command("ls"), &HostProfile::full(), &SessionState::default(), options).await
}

fn hooks(texts: &[&str]) -> Vec<hooks_core::Definition> {
    (0..).zip(texts).map(|(index, text)| Toy::default().hook(index, "before", text)).collect()
}

#[tokio::test]
async fn a_deadline_cancels_what_is_waited_for_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("cd {}; until [ -e go ]; do sleep 0.02; done; echo context late", folder.path().display());
    let mut late = Toy::default().hook(2, "before", &text);
    command_of(&mut late).background = Background::Async;
    let mut all = hooks(&["echo context quick", "sleep 60 & sleep 60"]);
    all.push(late);
    let started = Instant::now();
    let mut firing = fire_with(all, &FireOptions::default().deadline(Duration::from_secs(2))).await;
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    std::fs::write(folder.path().join("go"), "").unwrap();
    assert_eq!(firing.runs[0].outcome.as_ref().unwrap().end, End::Exited(0));
    assert_eq!(firing.runs[1].outcome.as_ref().unwrap().end, End::Cancelled);
    assert_eq!(firing.decision.to_model[0].value, "quick");
    assert_eq!(firing.late.next().await.unwrap().outcome.end, End::Exited(0));
    // One that has passed already starts nothing.
    let firing = fire_with(hooks(&["echo context no"]), &FireOptions::default().deadline(Duration::ZERO)).await;
    assert_eq!(firing.runs[0].outcome.as_ref().unwrap().end, End::Cancelled);
    assert!(firing.decision.to_model.is_empty());
}

#[tokio::test]
async fn a_given_cancel_signal_starts_nothing() {
    let cancel = CancelSignal::new();
    cancel.cancel();
    let folder = tempfile::tempdir().unwrap();
    let text = format!("touch {}/ran", folder.path().display());
    let firing = fire_with(hooks(&[&text]), &FireOptions::default().cancel(cancel)).await;
    assert_eq!(firing.runs[0].outcome.as_ref().unwrap().end, End::Cancelled);
    assert!(!folder.path().join("ran").exists());
}

#[tokio::test]
async fn the_background_has_room_for_so_many_over_all_firings() {
    let folder = tempfile::tempdir().unwrap();
    // Each says how many it sees at work.
    let text =
        format!("cd {}; touch run.$$; sleep 0.3; echo context $(ls | grep -c run); rm run.$$", folder.path().display());
    let mut hook = Toy::default().hook(0, "before", &text);
    command_of(&mut hook).background = Background::Async;
    let options = FireOptions::default().background(BackgroundLimit::new(2));
    let mut firings = Vec::new();
    for _ in 0..5 {
        firings.push(fire_with(vec![hook.clone()], &options).await);
    }
    let mut most = 0;
    for firing in &mut firings {
        let run = firing.late.next().await.expect("none is dropped");
        assert_eq!(run.outcome.end, End::Exited(0));
        let mut session = SessionState::default();
        run.apply(&mut session);
        most = most.max(session.late_context[0].value.parse::<usize>().unwrap());
    }
    assert!(most <= 2, "{most} at once");
}

#[tokio::test]
async fn a_run_that_asks_for_the_background_when_it_is_full_is_waited_for() {
    let options = FireOptions::default().background(BackgroundLimit::new(1));
    let folder = tempfile::tempdir().unwrap();
    let waits = format!("until [ -e {}/go ]; do sleep 0.02; done", folder.path().display());
    let mut first = fire_with(hooks(&[&format!("echo '{{\"async\":true}}'; {waits}")]), &options).await;
    assert_eq!((first.runs[0].outcome.is_none(), first.late.len()), (true, 1));
    let firing = fire_with(hooks(&["echo '{\"async\":true}'; echo deny waited"]), &options).await;
    assert_eq!((firing.runs[0].outcome.is_some(), firing.late.len()), (true, 0));
    assert_eq!(firing.decision.action, Action::Deny);
    std::fs::write(folder.path().join("go"), "").unwrap();
    assert!(first.late.next().await.is_some());
}

#[tokio::test]
async fn what_waits_for_the_background_has_a_bound() {
    let options = FireOptions::default().background(BackgroundLimit::new(1));
    let mut hook = Toy::default().hook(0, "before", "sleep 60");
    command_of(&mut hook).background = Background::Async;
    let snapshot = one(vec![hook]);
    let (envelope, host, session) = (command("ls"), HostProfile::full(), SessionState::default());
    let _shared = ALONE.read().await;
    let mut late = Late::default();
    for _ in 0..BackgroundLimit::WAITING + 2 {
        late.append(fire(&snapshot, &envelope, &host, &session, &options).await.late);
    }
    assert_eq!(late.len(), BackgroundLimit::WAITING + 2);
    for _ in 0..2 {
        let run = late.next().await.unwrap();
        assert!(matches!(&run.outcome.end, End::NotRun(why) if why.contains("too many")), "{:?}", run.outcome);
    }
    assert!(late.ended().is_none(), "the others wait");
    drop(late);
    // Whoever is ended leaves its place.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    let mut firing = fire(&snapshot, &envelope, &host, &session, &options).await;
    tokio::task::yield_now().await;
    assert!(firing.late.ended().is_none());
}

#[derive(Debug)]
struct Talkative;

impl HandlerHost for Talkative {
    fn run<'a>(
        &'a self,
        _handler: &'a Handler,
        _invocation: &'a Invocation,
        _stdin: &'a [u8],
        _environment: &'a Environment,
        _cancel: &'a CancelSignal,
    ) -> OutcomeFuture<'a> {
        Box::pin(std::future::ready(Outcome {
            stderr: vec![b'x'; 100],
            ..Outcome::exited(0, vec![b'x'; hooks_core::outcome::RunRules::DEFAULT_CAP + 1])
        }))
    }
}

#[tokio::test]
async fn what_the_host_runs_is_held_to_the_caps_too() {
    let mut hook = Toy::default().hook(0, "before", "");
    hook.handler = Handler::Http(HttpHandler::default());
    let firing = fire_with(vec![hook], &FireOptions::default().handlers(Arc::new(Talkative))).await;
    let outcome = firing.runs[0].outcome.as_ref().unwrap();
    assert!(outcome.stdout_truncated && !outcome.stderr_truncated);
    assert_eq!((outcome.stdout_beyond, outcome.stderr_beyond), (1, 0));
    assert_eq!(outcome.stdout.len(), hooks_core::outcome::RunRules::DEFAULT_CAP);
}

#[tokio::test]
async fn a_long_text_goes_to_a_file_and_head_and_tail_stay() {
    let folder = tempfile::tempdir().unwrap();
    let spills = folder.path().join("session/texts");
    let long = "0123456789".repeat(30);
    let mut all = hooks(&[&format!("echo context {long}"), "echo context short"]);
    for hook in &mut all {
        hook.context_limit = Some(200);
    }
    let firing = fire_with(all.clone(), &FireOptions::default().spill_folder(&spills)).await;
    let texts: Vec<_> = firing.runs.iter().map(|run| &run.effects.effects).collect();
    assert_eq!(texts[1], &[hooks_core::Effect::Context("short".to_owned())]);
    let hooks_core::Effect::Context(cut) = &texts[0][0] else { panic!("no context") };
    let path = cut.rsplit("The whole text is in ").next().unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), long);
    assert!(cut.starts_with("0123\n[") && cut.contains("]\n6789\n\nThe whole"), "{cut}");
    assert!(firing.runs[0].effects.notes[0].text.contains("300 bytes was written to"));
    assert!(firing.decision.to_model.iter().any(|said| said.value == *cut));
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);

    // Without a folder, or with one that cannot be made, it is cut off and that is said.
    let nowhere = FireOptions::default().spill_folder("/proc/no/such");
    for (options, note) in [(FireOptions::default(), "was cut off"), (nowhere, "could not be written")] {
        let firing = fire_with(all.clone(), &options).await;
        assert_eq!(
            firing.runs[0].effects.effects,
            [hooks_core::Effect::Context("0123\n[... left out ...]\n6789".to_owned())]
        );
        assert!(firing.runs[0].effects.notes[0].text.contains(note));
    }
}

#[tokio::test]
async fn late_texts_are_cut_too_and_reach_the_next_prompt_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut hook = Toy::default().hook(0, "before", &format!("echo context {}", "x".repeat(300)));
    hook.context_limit = Some(200);
    command_of(&mut hook).background = Background::Async;
    let count = Arc::new(AtomicUsize::new(0));
    let told = Arc::clone(&count);
    let observer = move |report: Report<'_>| {
        if matches!(report, Report::Late(_)) {
            told.fetch_add(1, Ordering::Relaxed);
        }
    };
    let options = FireOptions::default().spill_folder(folder.path()).observer(Arc::new(observer));
    let mut firing = fire_with(vec![hook], &options).await;
    assert!(firing.decision.to_model.is_empty());
    let mut session = std::mem::take(&mut firing.session);
    firing.late.next().await.unwrap().apply(&mut session);
    assert_eq!(count.load(Ordering::Relaxed), 1);
    let host = HostProfile::full();
    let (decision, session) = decide(Settled::default(), Boundary::ToolBefore, &host, session);
    assert!(decision.to_model.is_empty(), "there is no place for it here");
    let (decision, session) = decide(Settled::default(), Boundary::PromptSubmit, &host, session);
    assert!(decision.to_model[0].value.contains("The whole text is in "));
    let (decision, _) = decide(Settled::default(), Boundary::PromptSubmit, &host, session);
    assert!(decision.to_model.is_empty());
}

#[tokio::test]
async fn a_host_says_what_programs_inherit() {
    let say = "echo \"context path=${PATH:+set} home=${HOME:+set} own=$EVENT\"";
    for (inherit, expected) in [
        (Inherit::All, "path=set home=set own=before"),
        (Inherit::Only(vec!["PATH".to_owned()]), "path=set home= own=before"),
        (Inherit::AllBut(vec!["HO*".to_owned()]), "path=set home= own=before"),
    ] {
        let firing = fire_with(hooks(&[say]), &FireOptions::default().inherit(inherit)).await;
        assert_eq!(firing.decision.to_model[0].value, expected);
    }
}

#[tokio::test]
async fn a_session_variable_that_no_program_can_get_is_told() {
    let texts = ["echo env SMALL=ok; echo env BIG=$(head -c 100000 /dev/zero | tr '\\0' x)"];
    let firing = fire_with(hooks(&texts), &FireOptions::default()).await;
    let [dropped] = firing.decision.report.dropped.as_slice() else { panic!("{:?}", firing.decision.report.dropped) };
    assert_eq!(dropped.by.as_ref().unwrap().declared, 0);
    assert!(matches!(&dropped.effect, hooks_core::Effect::SessionEnv(env) if env.contains_key("BIG")));
    // Later hooks start all the same, and are not told of it again.
    let _shared = ALONE.read().await;
    let next = one(hooks(&["echo \"context ${SMALL}${BIG}\""]));
    let firing = fire(&next, &command("ls"), &HostProfile::full(), &firing.session, &FireOptions::default()).await;
    assert_eq!(firing.decision.to_model[0].value, "ok");
    assert!(firing.decision.report.dropped.is_empty());
}
