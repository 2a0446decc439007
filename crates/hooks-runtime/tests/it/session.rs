//! What a session keeps from one firing to the next, with the vendors' own rules and real processes.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hooks_core::activate::{AdmitAll, activate};
use hooks_core::effects::{EnvReach, Special};
use hooks_core::envelope::{Payload, Provenance};
use hooks_core::handler::Background;
use hooks_core::outcome::End;
use hooks_core::source::Life;
use hooks_core::{Effect, Envelope, HostProfile, HostSide, SessionState, Snapshot, session};
use hooks_runtime::{BackgroundLimit, CancelSignal, FireOptions, Firing, Late, SessionFiles, SessionSnapshot, fire};
use serde_json::{Value, json};

use crate::support::{ALONE, eventually, lives, pids};
use crate::toy::{Toy, command, command_of, one};
use crate::vendors::{adapter, commands, document, entry, occurrence, snapshot, sources};

async fn fired(snapshot: &Snapshot, envelope: &Envelope, session: &SessionState, options: &FireOptions) -> Firing {
    let _shared = ALONE.read().await;
    fire(snapshot, envelope, &HostProfile::full(), session, options).await
}

/// What a shell command of the agent prints, after what the session's files say.
fn shell_command(prelude: &str, text: &str) -> String {
    let output = std::process::Command::new("bash").args(["-c", &format!("{prelude}{text}")]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// L288, L289, L290.
#[tokio::test]
async fn what_hooks_write_to_the_session_s_file_reaches_later_shell_commands_until_it_is_cleared() {
    let folder = tempfile::tempdir().unwrap();
    let claude = adapter("claude");
    let once =
        |line: &str, mark: &str| format!("test -e {mark} || {{ touch {mark}; echo {line} >>\"$CLAUDE_ENV_FILE\"; }}");
    let snapshot = commands(
        &claude,
        &[
            ("SessionStart", "echo \"export A='two words'\" >>\"$CLAUDE_ENV_FILE\""),
            ("Setup", "printf 'export B=setup' >>\"$CLAUDE_ENV_FILE\""),
            ("CwdChanged", &once("export C=folder A=there", "c")),
            ("FileChanged", &once("export D=file", "d")),
            ("PreToolUse", "echo \"{\\\"systemMessage\\\":\\\"${CLAUDE_ENV_FILE-unset}\\\"}\""),
        ],
    );
    let files = Arc::new(SessionFiles::new(folder.path().join("session/env")));
    let options = FireOptions::default().session_files(Arc::clone(&files));
    let show = |snapshot: &Snapshot| {
        let prelude = files.prelude(snapshot, EnvReach::Shell);
        assert!(prelude.left_out.is_empty(), "{prelude:?}");
        shell_command(&prelude.text, "echo \"$A|$B|$C|$D\"")
    };
    let session = SessionState::default();
    let fire_on = async |event: &str| {
        let firing = fired(&snapshot, &occurrence(&claude, event, folder.path()), &session, &options).await;
        assert!(firing.notes.is_empty());
        let run = &firing.runs[0];
        assert_eq!(run.outcome.as_ref().unwrap().end, End::Exited(0), "{event}: {run:?}");
        firing
    };
    assert_eq!(show(&snapshot), "|||");
    fire_on("SessionStart").await;
    assert_eq!(show(&snapshot), "two words|||");
    // A text without a last newline does not run into the next one.
    fire_on("Setup").await;
    assert_eq!(show(&snapshot), "two words|setup||");
    fire_on("CwdChanged").await;
    fire_on("FileChanged").await;
    assert_eq!(show(&snapshot), "there|setup|folder|file");
    // Other events' hooks know no file.
    assert_eq!(fire_on("PreToolUse").await.decision.to_user[0].value, "unset");
    // The next change clears what belongs to the folder, and nothing else.
    fire_on("CwdChanged").await;
    assert_eq!(show(&snapshot), "two words|setup||");

    use std::os::unix::fs::PermissionsExt as _;
    let kept = files.path(claude.vendor(), &claude.session_files()[0]);
    assert_eq!(std::fs::metadata(kept).unwrap().permissions().mode() & 0o777, 0o600);
    // The same session in another process, with no hook on the event.
    let again = SessionFiles::new(folder.path().join("session/env"));
    assert!(again.prelude(&snapshot, EnvReach::Shell).text.contains("two words"));
    assert!(again.prelude(&snapshot, EnvReach::Hooks).text.is_empty());
}

#[tokio::test]
async fn without_a_place_for_the_file_hooks_are_told_of_none() {
    let folder = tempfile::tempdir().unwrap();
    let claude = adapter("claude");
    let snapshot = commands(&claude, &[("SessionStart", "echo \"file ${CLAUDE_ENV_FILE-unset}\"")]);
    let envelope = occurrence(&claude, "SessionStart", folder.path());
    let session = SessionState::default();
    let firing = fired(&snapshot, &envelope, &session, &FireOptions::default()).await;
    assert_eq!(firing.decision.to_model[0].value, "file unset");
    // A place that cannot be made is told, and the hook runs all the same.
    let options = FireOptions::default().session_files(Arc::new(SessionFiles::new("/proc/no/such")));
    let firing = fired(&snapshot, &envelope, &session, &options).await;
    assert_eq!(firing.decision.to_model[0].value, "file unset");
    let is_noted = |firing: &Firing| {
        firing.runs[0].effects.notes.iter().any(|note| note.text.starts_with("CLAUDE_ENV_FILE is not set"))
    };
    assert!(is_noted(&firing));
    // Also of one in the background, whose outcome is not there yet.
    let late = document("claude", &[("SessionStart", entry("true", &json!({ "async": true })))]);
    let firing = fired(&self::snapshot(&claude, &late), &envelope, &session, &options).await;
    assert!(firing.runs[0].outcome.is_none() && is_noted(&firing));
}

#[test]
fn a_session_s_file_that_cannot_be_used_is_left_out_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let claude = adapter("claude");
    let snapshot = commands(&claude, &[("Setup", "true")]);
    let files = SessionFiles::new(folder.path());
    let [kept, cleared] = claude.session_files() else { panic!("two files") };
    let (kept, cleared) = (files.path(claude.vendor(), kept), files.path(claude.vendor(), cleared));
    std::fs::write(&cleared, "export A=1\n").unwrap();
    for bytes in [b"export A=\xff\n".to_vec(), vec![b'#'; session_files_limit() + 1]] {
        std::fs::write(&kept, bytes).unwrap();
        let prelude = files.prelude(&snapshot, EnvReach::Shell);
        assert_eq!((prelude.text.as_str(), prelude.left_out.len()), ("export A=1\n", 1));
        assert_eq!(prelude.left_out[0].0, kept);
        std::fs::remove_file(&kept).unwrap();
    }
    // A pipe in its place holds nobody up.
    assert!(std::process::Command::new("mkfifo").arg(&kept).status().unwrap().success());
    let prelude = files.prelude(&snapshot, EnvReach::Shell);
    assert_eq!((prelude.text.as_str(), prelude.left_out.len()), ("export A=1\n", 1));
    assert!(files.make(claude.vendor(), &claude.session_files()[0]).is_err());
    // What cannot be cleared is told.
    std::fs::remove_file(&cleared).unwrap();
    std::fs::create_dir(&cleared).unwrap();
    assert_eq!(files.clear(&snapshot, hooks_core::Boundary::CwdChanged).len(), 1);
    assert!(files.clear(&snapshot, hooks_core::Boundary::SessionStart).is_empty());
}

const fn session_files_limit() -> usize {
    hooks_runtime::session_files::SIZE_LIMIT
}

/// C277: the session's variables reach later hooks, of every event.
#[tokio::test]
async fn variables_of_a_session_s_start_reach_later_hooks() {
    let folder = tempfile::tempdir().unwrap();
    let cursor = adapter("cursor");
    let snapshot = commands(
        &cursor,
        &[
            ("sessionStart", "echo '{\"env\":{\"A\":\"1\",\"B\":\"two words\"}}'"),
            ("beforeShellExecution", "echo \"{\\\"permission\\\":\\\"deny\\\",\\\"agent_message\\\":\\\"$A|$B\\\"}\""),
        ],
    );
    let before = occurrence(&cursor, "beforeShellExecution", folder.path());
    let options = FireOptions::default();
    let firing = fired(&snapshot, &before, &SessionState::default(), &options).await;
    assert_eq!(firing.decision.to_model[0].value, "|");
    let start = occurrence(&cursor, "sessionStart", folder.path());
    let firing = fired(&snapshot, &start, &SessionState::default(), &options).await;
    let reach: Vec<_> = firing.session.env_for(EnvReach::Hooks).collect();
    assert_eq!(reach, [("A", "1"), ("B", "two words")]);
    assert_eq!(firing.session.env_for(EnvReach::Shell).count(), 0);
    let firing = fired(&snapshot, &before, &firing.session, &options).await;
    assert_eq!(firing.decision.to_model[0].value, "1|two words");
}

/// What one vendor's hooks set is for its own later hooks, also where another's run at the same moment.
#[tokio::test]
async fn variables_of_a_session_reach_no_other_vendor_s_hooks() {
    let hooks = |toy: &Toy, texts: [&str; 2]| {
        let made = ["guard", "before"].into_iter().zip(texts).zip(0..);
        let hooks = made.map(|((event, text), index)| toy.hook(index, event, text)).collect();
        (toy.clone(), hooks)
    };
    let (one, other) = (Toy::of("one"), Toy::of("other"));
    let say = "echo \"context $EVENT:${A-unset}\"";
    let snapshot =
        crate::toy::snapshot(vec![hooks(&one, ["[ -n \"$A\" ] || echo env A=1", say]), hooks(&other, ["true", say])]);
    let mut session = SessionState::default();
    let mut said = Vec::new();
    // Alone, so that the order of finishing is the declared one.
    let options = FireOptions::default().concurrency(1);
    for _ in 0..2 {
        let firing = fired(&snapshot, &command("ls"), &session, &options).await;
        said.push(firing.decision.to_model.iter().map(|said| said.value.clone()).collect::<Vec<_>>());
        session = firing.session;
    }
    assert_eq!(said, [["before:unset", "before:unset"], ["before:1", "before:unset"]]);
    // A handler that is no program gets the same.
    #[derive(Debug)]
    struct Tells;
    impl hooks_runtime::HandlerHost for Tells {
        fn run<'a>(
            &'a self,
            _handler: &'a hooks_core::Handler,
            _invocation: &'a hooks_core::Invocation,
            _stdin: &'a [u8],
            environment: &'a hooks_runtime::Environment,
            _cancel: &'a CancelSignal,
        ) -> hooks_runtime::handlers::OutcomeFuture<'a> {
            let value = environment.get("A").map_or("unset", |value| value.to_str().unwrap());
            let event = environment.get("EVENT").unwrap().to_str().unwrap();
            let outcome = hooks_core::Outcome::exited(0, format!("context {event}:{value}"));
            Box::pin(std::future::ready(outcome))
        }
    }
    let hosted = |toy: &Toy| {
        let mut hook = toy.hook(0, "before", "");
        hook.handler = hooks_core::Handler::Http(hooks_core::handler::HttpHandler::default());
        (toy.clone(), vec![hook])
    };
    let snapshot = crate::toy::snapshot(vec![hosted(&one), hosted(&other)]);
    let firing = fired(&snapshot, &command("ls"), &session, &options.handlers(Arc::new(Tells))).await;
    let said: Vec<_> = firing.decision.to_model.iter().map(|said| said.value.as_str()).collect();
    assert_eq!(said, ["before:1", "before:unset"]);
}

fn spoken(provenance: Provenance) -> Envelope {
    let mut envelope = command("ls");
    let mut prompt = hooks_conformance::sample::payload(hooks_core::Boundary::PromptSubmit);
    let Payload::PromptSubmit(inner) = &mut prompt else { panic!("no prompt") };
    inner.provenance = provenance;
    envelope.payload = prompt;
    envelope
}

/// Fires the end of a turn again and again; how many texts made it go on each time.
async fn rounds(snapshot: &Snapshot, envelope: &Envelope, session: &mut SessionState, count: usize) -> Vec<usize> {
    let mut kept = Vec::new();
    for _ in 0..count {
        let firing = fired(snapshot, envelope, session, &FireOptions::default()).await;
        *session = firing.session;
        kept.push(firing.decision.continuations.len());
        let dropped = firing.decision.report.dropped.iter();
        let beyond = dropped.filter(|dropped| matches!(dropped.effect, Effect::Continue(_))).count();
        assert_eq!(beyond, firing.runs.len() - firing.decision.continuations.len(), "what is dropped is reported");
    }
    kept
}

#[tokio::test]
async fn each_script_has_its_own_loop_limit() {
    let folder = tempfile::tempdir().unwrap();
    let cursor = adapter("cursor");
    let go_on = "echo '{\"followup_message\":\"more\"}'";
    let entries = [json!({ "loop_limit": 2 }), json!({ "loop_limit": null }), json!({})]
        .map(|more: Value| ("stop", entry(go_on, &more)));
    let snapshot = snapshot(&cursor, &document("cursor", &entries));
    let envelope = occurrence(&cursor, "stop", folder.path());
    let mut session = SessionState::default();
    // Two rounds for the first, five for the last, which says nothing, and any number for the one without a limit.
    assert_eq!(rounds(&snapshot, &envelope, &mut session, 7).await, [3, 3, 2, 2, 2, 1, 1]);
    assert_eq!(session.turns_continued, 7);
    // A notification is nobody who speaks; a person is.
    session.observe(&spoken(Provenance::Notification));
    assert_eq!(rounds(&snapshot, &envelope, &mut session, 1).await, [1]);
    session.observe(&spoken(Provenance::User));
    assert_eq!(session.turns_continued, 0);
    assert_eq!(rounds(&snapshot, &envelope, &mut session, 3).await, [3, 3, 2]);
}

/// L362, L364: the ninth block in a row is overridden, and a tool call ends the row.
#[tokio::test]
async fn the_ninth_block_in_a_row_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let claude = adapter("claude");
    let snapshot = commands(&claude, &[("Stop", "echo '{\"decision\":\"block\",\"reason\":\"more\"}'")]);
    let stop = occurrence(&claude, "Stop", folder.path());
    let mut session = SessionState::default();
    assert_eq!(rounds(&snapshot, &stop, &mut session, 9).await, [1, 1, 1, 1, 1, 1, 1, 1, 0]);
    let tool = occurrence(&claude, "PreToolUse", folder.path());
    session = fired(&snapshot, &tool, &session, &FireOptions::default()).await.session;
    assert_eq!(rounds(&snapshot, &stop, &mut session, 9).await, [1, 1, 1, 1, 1, 1, 1, 1, 0]);
    session.observe(&spoken(Provenance::User));
    assert_eq!(rounds(&snapshot, &stop, &mut session, 1).await, [1]);
}

#[tokio::test]
async fn a_vendor_without_a_limit_goes_on_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let codex = adapter("codex");
    let snapshot = commands(&codex, &[("Stop", "echo more >&2; exit 2")]);
    let stop = occurrence(&codex, "Stop", folder.path());
    let mut session = SessionState::default();
    assert_eq!(rounds(&snapshot, &stop, &mut session, 25).await, [1; 25]);
    assert_eq!(session.turns_continued, 25);
}

/// L055, L056: a skill's hook that runs once has had its run when that succeeded.
#[tokio::test]
async fn a_hook_that_runs_once_runs_until_it_succeeded() {
    let folder = tempfile::tempdir().unwrap();
    let claude = adapter("claude");
    let head = "---\nname: check\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: 'test -e ready || exit 1; echo ran >>log'\n          once: true\n---\n";
    let mut source = hooks_core::Source::hooks(
        claude.vendor().clone(),
        hooks_core::Origin::Frontmatter,
        hooks_core::Syntax::Yaml,
        "SKILL.md",
        head.as_bytes(),
    );
    source.life = hooks_core::source::Life::Session;
    let documents = vec![claude.parse(&Arc::new(source))];
    let vendors = vec![hooks_core::VendorSources { adapter: Arc::clone(&claude), documents }];
    let snapshot = activate(vendors, &HostProfile::full(), &AdmitAll).unwrap();
    let envelope = occurrence(&claude, "PreToolUse", folder.path());
    let mut session = SessionState::default();
    let mut ends = Vec::new();
    for round in 0..4 {
        let firing = fired(&snapshot, &envelope, &session, &FireOptions::default()).await;
        session = firing.session;
        ends.extend(firing.runs.iter().map(|run| run.outcome.as_ref().unwrap().end.clone()));
        if round == 0 {
            std::fs::write(folder.path().join("ready"), "").unwrap();
        }
    }
    assert_eq!(ends, [End::Exited(1), End::Exited(0)]);
    assert_eq!(std::fs::read_to_string(folder.path().join("log")).unwrap(), "ran\n");
}

/// The same in the background: what counts is a success, and nobody knows of one before the run has ended.
#[tokio::test]
async fn a_hook_that_runs_once_in_the_background_has_had_its_run_when_that_ended_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut hook = Toy::default().hook(
        0,
        "before",
        &format!("until [ -e {0}/go ]; do sleep 0.02; done; test -e {0}/well", folder.path().display()),
    );
    hook.once = true;
    command_of(&mut hook).background = Background::Async;
    let snapshot = one(vec![hook]);
    let options = FireOptions::default();
    let (mut session, mut late) = (SessionState::default(), Late::default());
    let mut ends = Vec::new();
    for ends_well in [false, true] {
        for _ in 0..2 {
            let firing = fired(&snapshot, &command("ls"), &session, &options).await;
            session = firing.session;
            late.append(firing.late);
        }
        assert_eq!(late.len(), 2, "a run that is under way uses nothing up");
        if ends_well {
            std::fs::write(folder.path().join("well"), "").unwrap();
        }
        std::fs::write(folder.path().join("go"), "").unwrap();
        while let Some(run) = late.next().await {
            ends.push(run.outcome.end.clone());
            assert!(run.apply(&mut session).is_empty());
        }
        assert_eq!(session.ran_once.len(), usize::from(ends_well));
        std::fs::remove_file(folder.path().join("go")).unwrap();
    }
    assert_eq!(ends, [End::Exited(1), End::Exited(1), End::Exited(0), End::Exited(0)]);
    assert!(fired(&snapshot, &command("ls"), &session, &options).await.late.is_empty());
}

/// P8: of nine in the background eight run, the ninth waits, and none is dropped.
#[tokio::test]
async fn nine_in_the_background_are_eight_and_one_that_waits() {
    let folder = tempfile::tempdir().unwrap();
    let codex = adapter("codex");
    let text = "touch run.$$; until [ -e go ]; do sleep 0.02; done; echo context $$";
    let entries = [(); 9].map(|()| ("UserPromptSubmit", entry(text, &json!({ "async": true }))));
    let snapshot = snapshot(&codex, &document("codex", &entries));
    let envelope = occurrence(&codex, "UserPromptSubmit", folder.path());
    let options = FireOptions::default().background(BackgroundLimit::new(BackgroundLimit::DEFAULT));
    let mut firing = fired(&snapshot, &envelope, &SessionState::default(), &options).await;
    let _shared = ALONE.read().await;
    assert_eq!(firing.late.len(), 9);
    assert!(firing.decision.to_model.is_empty());
    let started = || {
        let entries = std::fs::read_dir(folder.path()).unwrap();
        entries.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("run.")).count()
    };
    eventually("eight run", || started() == 8).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(started(), 8, "the ninth waits");
    std::fs::write(folder.path().join("go"), "").unwrap();
    let mut session = std::mem::take(&mut firing.session);
    while let Some(run) = firing.late.next().await {
        assert_eq!(run.outcome.end, End::Exited(0));
        assert!(!run.wakes() && run.apply(&mut session).is_empty());
    }
    assert_eq!((started(), session.late_context.len()), (9, 9));
}

/// P7, P9, L287: a run in the background outlives a change of documents, not the session.
#[tokio::test]
async fn the_background_outlives_a_change_and_ends_with_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let codex = adapter("codex");
    let late = |text: &str| entry(text, &json!({ "async": true }));
    let document_of = |text: &str| document("codex", &[("UserPromptSubmit", late(text))]);
    let envelope = occurrence(&codex, "UserPromptSubmit", folder.path());
    let old = snapshot(&codex, &document_of("until [ -e go ]; do sleep 0.02; done; echo from before"));
    let mut firing = fired(&old, &envelope, &SessionState::default(), &FireOptions::default()).await;
    drop(old);
    let new = snapshot(&codex, &document_of("true"));
    std::fs::write(folder.path().join("go"), "").unwrap();
    let mut session = std::mem::take(&mut firing.session);
    firing.late.next().await.unwrap().apply(&mut session);
    // Delivered before the next prompt is recorded.
    let firing = fired(&new, &envelope, &session, &FireOptions::default()).await;
    assert_eq!(firing.decision.to_model[0].value, "from before");
    assert!(firing.session.late_context.is_empty());

    let endless = snapshot(&codex, &document_of("echo $$ >pid; echo too late; sleep 60"));
    let cancel = CancelSignal::new();
    let options = FireOptions::default().cancel(cancel.clone());
    let mut firing = fired(&endless, &envelope, &SessionState::default(), &options).await;
    let pid = pids(&folder.path().join("pid"), 1).await[0];
    cancel.cancel();
    let run = firing.late.next().await.unwrap();
    assert_eq!(run.outcome.end, End::Cancelled);
    assert!(run.effects.effects.is_empty(), "nothing is delivered");
    eventually("the run is gone", || !lives(pid)).await;
}

/// A turn that is taken back leaves alone what goes on in the background, where the host has a signal for that.
#[tokio::test]
async fn the_background_outlives_the_turn_where_it_has_its_own_signal() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("cd {}; echo $$ >>pids; sleep 60", folder.path().display());
    let toy = Toy::default();
    let mut declared = toy.hook(0, "before", &text);
    command_of(&mut declared).background = Background::Async;
    let asks = toy.hook(1, "before", &format!("echo '{{\"async\":true}}'; sleep 0.5; {text}"));
    let waited = toy.hook(2, "before", &text);
    let snapshot = one(vec![declared, asks, waited]);
    let (turn, session) = (CancelSignal::new(), CancelSignal::new());
    let options = FireOptions::default().cancel(turn.clone()).cancel_background(session.clone());
    let state = SessionState::default();
    let (envelope, file) = (command("ls"), folder.path().join("pids"));
    let (mut firing, pids) = tokio::join!(fired(&snapshot, &envelope, &state, &options), async {
        let pids = pids(&file, 3).await;
        turn.cancel();
        pids
    });
    assert_eq!(firing.runs[2].outcome.as_ref().unwrap().end, End::Cancelled);
    eventually("what is waited for is gone", || pids.iter().filter(|pid| lives(**pid)).count() == 2).await;
    assert!(firing.late.ended().is_none(), "those in the background live on");
    session.cancel();
    for _ in 0..2 {
        assert_eq!(firing.late.next().await.unwrap().outcome.end, End::Cancelled);
    }
    // Of a turn that was taken back already nothing is started.
    let options = options.cancel_background(CancelSignal::new());
    let mut firing = fired(&snapshot, &envelope, &state, &options).await;
    assert_eq!(firing.late.next().await.unwrap().outcome.end, End::Cancelled);
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 3);
}

/// L285: a hook in the background that may wake the model does so with exit code 2.
#[tokio::test]
async fn a_late_block_wakes_the_model_where_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let claude = adapter("claude");
    for (member, wakes) in [("asyncRewake", true), ("async", false)] {
        let blocks = entry("echo look >&2; exit 2", &json!({ member: true }));
        let snapshot = snapshot(&claude, &document("claude", &[("PostToolUse", blocks)]));
        let envelope = occurrence(&claude, "PostToolUse", folder.path());
        let mut firing = fired(&snapshot, &envelope, &SessionState::default(), &FireOptions::default()).await;
        let run = firing.late.next().await.unwrap();
        assert_eq!(run.wakes(), wakes, "{member}");
        let mut session = SessionState::default();
        run.apply(&mut session);
        let texts: Vec<_> = session.late_context.iter().map(|said| said.value.as_str()).collect();
        assert_eq!(texts, if wakes { vec!["look"] } else { vec![] }, "{member}");
    }
}

/// Observed on one client: hooks are read when a thread starts. Others take edits as they come.
#[tokio::test]
async fn a_session_keeps_the_documents_it_began_with_where_its_vendor_does() {
    let folder = tempfile::tempdir().unwrap();
    let (claude, codex) = (adapter("claude"), adapter("codex"));
    let host = HostProfile::full();
    let both = |text: &str| {
        let echo = format!("echo {text}");
        let of = |adapter: &Arc<dyn HostSide>| {
            sources(adapter, &document(adapter.vendor().as_str(), &[("UserPromptSubmit", entry(&echo, &json!({})))]))
        };
        Arc::new(activate(vec![of(&codex), of(&claude)], &host, &AdmitAll).unwrap())
    };
    let envelope = occurrence(&claude, "UserPromptSubmit", folder.path());
    let said = async |snapshot: &Snapshot| -> Vec<String> {
        let firing = fired(snapshot, &envelope, &SessionState::default(), &FireOptions::default()).await;
        firing.decision.to_model.iter().map(|said| said.value.clone()).collect()
    };
    let old = both("old");
    let mut first = SessionSnapshot::begin(Arc::clone(&old));
    let new = both("new");
    let renewed = first.renew(&new, &host, &AdmitAll).unwrap();
    assert_eq!(said(&renewed).await, ["old", "new"], "Codex's stays, Claude's changes, and both keep their places");
    assert!(Arc::ptr_eq(&renewed, &first.snapshot()));
    // A session that begins now sees all of it, and trust is asked for anew in both.
    let second = SessionSnapshot::begin(Arc::clone(&new));
    assert_eq!(said(&second.snapshot()).await, ["new", "new"]);
    let nobody = |_: &hooks_core::Definition, _| hooks_core::Admitted::Untrusted;
    assert!(first.renew(&new, &host, &nobody).unwrap().bindings().is_empty());
    // Where nothing that is held changed it is the new snapshot itself.
    let same = both("old");
    assert!(Arc::ptr_eq(&first.renew(&same, &host, &AdmitAll).unwrap(), &same));
}

/// Hooks in the head of a skill or an agent count for their life, whatever becomes of the project's documents meanwhile.
#[test]
fn what_was_added_to_a_session_stays_through_changes_until_its_life_ends() {
    let claude = adapter("claude");
    let host = HostProfile::full();
    let echo = |text: &str| document("claude", &[("UserPromptSubmit", entry(text, &json!({})))]);
    let project = |text: &str| Arc::new(snapshot(&claude, &echo(text)));
    let living = |text: &str, life: Life| {
        let mut sources = sources(&claude, &echo(text));
        let mut source = (*sources.documents[0].source).clone();
        source.life = life;
        source.path = format!("{text}.json");
        sources.documents = vec![claude.parse(&Arc::new(source))];
        vec![sources]
    };
    let live = |session: &SessionSnapshot| -> Vec<String> {
        session.snapshot().bindings().iter().map(|binding| binding.handler.label()).collect()
    };
    let mut session = SessionSnapshot::begin(project("old"));
    session.add(living("skill", Life::Session), &host, &AdmitAll).unwrap();
    session.add(living("agent", Life::Agent("a1".to_owned())), &host, &AdmitAll).unwrap();
    assert_eq!(live(&session), ["old", "skill", "agent"]);
    session.renew(&project("new"), &host, &AdmitAll).unwrap();
    assert_eq!(live(&session), ["new", "skill", "agent"]);
    // A change that would refuse the session changes nothing.
    let mut other = living("other", Life::Session);
    other[0].adapter = adapter("claude");
    assert!(session.add(other, &host, &AdmitAll).is_err());
    assert_eq!(live(&session), ["new", "skill", "agent"]);
    session.end(&Life::Agent("a1".to_owned()), &host, &AdmitAll).unwrap();
    assert_eq!(live(&session), ["new", "skill"]);
    session.end(&Life::Session, &host, &AdmitAll).unwrap();
    assert_eq!(live(&session), ["new"]);
}

/// A session has one place for what goes on in the background, whichever firing it comes from.
#[tokio::test]
async fn the_background_of_many_firings_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("cd {}; until [ -e go ]; do sleep 0.02; done; echo context late", folder.path().display());
    let mut hook = Toy::default().hook(0, "before", &text);
    command_of(&mut hook).background = Background::Async;
    let snapshot = one(vec![hook]);
    let mut late = Late::default();
    assert!(late.is_empty() && late.ended().is_none() && late.next().await.is_none());
    for _ in 0..3 {
        late.append(fired(&snapshot, &command("ls"), &SessionState::default(), &FireOptions::default()).await.late);
    }
    let _shared = ALONE.read().await;
    assert_eq!((late.len(), late.ended().is_none()), (3, true));
    std::fs::write(folder.path().join("go"), "").unwrap();
    let mut session = SessionState::default();
    late.next().await.unwrap().apply(&mut session);
    late.next().await.unwrap().apply(&mut session);
    let mut third = None;
    for _ in 0..3_000 {
        third = late.ended();
        if third.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    third.expect("it ends").apply(&mut session);
    assert_eq!(session.late_context.len(), 3);
    assert!(late.is_empty() && late.next().await.is_none());
}

#[tokio::test]
async fn hooks_cannot_make_a_session_grow_without_bound() {
    let many = format!("i=0; while [ $i -lt {} ]; do echo env V$i=x; i=$((i+1)); done", session::COUNT_LIMIT + 10);
    let snapshot = one(vec![Toy::default().hook(0, "before", &many)]);
    let firing = fired(&snapshot, &command("ls"), &SessionState::default(), &FireOptions::default()).await;
    assert_eq!(firing.session.env_for(EnvReach::Hooks).count(), session::COUNT_LIMIT);
    let beyond =
        firing.decision.report.dropped.iter().filter(|dropped| dropped.why.contains("keeps no more variables"));
    assert_eq!(beyond.count(), 10);

    // Late texts that nobody takes.
    let mut late = Toy::default().hook(0, "before", "echo context late");
    command_of(&mut late).background = Background::Async;
    let snapshot = one(vec![late]);
    let mut firing = fired(&snapshot, &command("ls"), &SessionState::default(), &FireOptions::default()).await;
    let run = firing.late.next().await.unwrap();
    let mut session = SessionState::default();
    let told: usize = (0..session::COUNT_LIMIT + 5).map(|_| run.clone().apply(&mut session).len()).sum();
    assert_eq!((session.late_context.len(), told), (session::COUNT_LIMIT, 5));

    // A list of files to watch replaces the one before, and is cut at the same number.
    let claude = adapter("claude");
    let paths: Vec<String> = (0..session::COUNT_LIMIT + 3).map(|at| format!("/f{at}")).collect();
    let answer = json!({ "hookSpecificOutput": { "hookEventName": "FileChanged", "watchPaths": paths } });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("answer"), answer.to_string()).unwrap();
    let snapshot = commands(&claude, &[("FileChanged", "cat answer")]);
    let envelope = occurrence(&claude, "FileChanged", Path::new(folder.path()));
    let firing = fired(&snapshot, &envelope, &SessionState::default(), &FireOptions::default()).await;
    assert_eq!(firing.session.watch_paths.len(), session::COUNT_LIMIT);
    let left = firing.decision.report.dropped.iter().find_map(|dropped| match &dropped.effect {
        Effect::Special(Special::WatchPaths(paths)) => Some(paths.len()),
        _ => None,
    });
    assert_eq!(left, Some(3));
}
