//! One run: how it ends, what it gets and gives, and that nothing of it is left.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use hooks_core::outcome::{Completion, End, Program, ShellKind};
use hooks_runtime::{CancelSignal, run_command};

use crate::support::{ALONE, eventually, exec, failed_to_start, lives, pids, program, run, run_with, sh};

const SHORT: Duration = Duration::from_millis(400);
/// Time for a hook to get going on a busy machine.
const AMPLE: Duration = Duration::from_secs(2);
/// Far less than the sleeps that the tests' hooks would wait for, far more than a busy machine needs.
const SOON: Duration = Duration::from_secs(20);

#[tokio::test]
async fn exit_codes_and_both_outputs_come_back() {
    for code in [0, 1, 2, 42, 126, 127, 255] {
        let outcome = run(&sh(&format!("echo out; echo err >&2; exit {code}"))).await;
        assert_eq!(outcome.end, End::Exited(code));
        assert_eq!((&*outcome.stdout, &*outcome.stderr), (&b"out\n"[..], &b"err\n"[..]));
        assert!(!outcome.stdout_truncated && !outcome.stderr_truncated);
    }
}

#[tokio::test]
async fn a_signal_is_not_an_exit_code() {
    assert_eq!(run(&sh("kill -9 $$")).await.end, End::Signalled(9));
    assert_eq!(run(&sh("kill -TERM $$")).await.end, End::Signalled(15));
}

#[tokio::test(flavor = "multi_thread")]
async fn input_is_delivered_whole_and_closed() {
    let input = vec![b'x'; 10 << 20];
    let outcome = run_with(&sh("wc -c"), &input).await;
    assert_eq!(outcome.stdout_text().trim(), input.len().to_string());
    assert!(outcome.stdin_delivered);
    // Both ways at once, much more than pipes hold.
    let outcome = run_with(&sh("cat"), &input).await;
    assert!(outcome.stdout == input && outcome.stdin_delivered);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_does_not_read_its_input_has_not_failed() {
    let input = vec![b'x'; 10 << 20];
    for text in ["echo done", "exec 0<&-; sleep 0.2; echo done", "head -c 10 >/dev/null; echo done"] {
        let outcome = run_with(&sh(text), &input).await;
        assert_eq!(outcome.end, End::Exited(0), "{text}");
        assert_eq!(outcome.stdout, b"done\n", "{text}");
        assert!(!outcome.stdin_delivered, "{text}");
    }
}

#[tokio::test]
async fn output_beyond_the_cap_is_read_and_thrown_away() {
    let mut invocation = sh("head -c 104857600 /dev/zero; head -c 3000 /dev/zero >&2; exit 3");
    invocation.rules.stdout_cap = 1 << 20;
    invocation.rules.stderr_cap = 3000;
    let outcome = run(&invocation).await;
    assert_eq!(outcome.end, End::Exited(3));
    assert_eq!((outcome.stdout.len(), outcome.stderr.len()), (1 << 20, 3000));
    assert!(outcome.stdout_truncated && !outcome.stderr_truncated);
    assert_eq!(
        (outcome.stdout_beyond, outcome.stderr_beyond),
        ((100 << 20) - (1 << 20), 0),
        "what is beyond is counted"
    );

    invocation.rules.stdout_cap = 0;
    let outcome = run(&invocation).await;
    assert!(outcome.stdout.is_empty() && outcome.stdout_truncated);
    assert_eq!(outcome.stdout_beyond, 100 << 20);
}

#[tokio::test]
async fn endless_output_ends_at_the_time_limit() {
    let mut invocation = sh("yes");
    invocation.timeout = SHORT;
    invocation.rules.stdout_cap = 1 << 20;
    let started = Instant::now();
    let outcome = run(&invocation).await;
    assert_eq!(outcome.end, End::TimedOut);
    assert!(outcome.stdout_truncated);
    assert!(started.elapsed() < SOON);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_limit_ends_the_whole_tree() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let text = format!("(sleep 60 & echo $! >>{0}; sh -c 'sleep 60 & echo $! >>{0}; wait' & wait) ; :", file.display());
    for grace in [Duration::ZERO, Duration::from_millis(300)] {
        let _ = std::fs::remove_file(&file);
        let mut invocation = sh(&text);
        invocation.timeout = AMPLE;
        invocation.rules.kill_grace = grace;
        let outcome = run(&invocation).await;
        assert_eq!(outcome.end, End::TimedOut);
        assert!(outcome.duration >= invocation.timeout && outcome.duration < SOON, "{:?}", outcome.duration);
        for pid in pids(&file, 2).await {
            eventually("the grandchild is gone", || !lives(pid)).await;
        }
    }
}

#[tokio::test]
async fn a_hook_that_may_tidy_up_does_and_one_that_will_not_end_is_killed() {
    let mut invocation = sh("trap 'echo tidied; exit 5' TERM; echo ready; while :; do sleep 0.05; done");
    invocation.timeout = AMPLE;
    invocation.rules.kill_grace = SOON;
    let outcome = run(&invocation).await;
    assert_eq!(outcome.end, End::TimedOut);
    assert_eq!(outcome.stdout, b"ready\ntidied\n");

    let mut invocation = sh("trap '' TERM; echo ready; while :; do sleep 0.05; done");
    invocation.timeout = AMPLE;
    invocation.rules.kill_grace = SHORT;
    let outcome = run(&invocation).await;
    assert_eq!(outcome.end, End::TimedOut);
    assert!(outcome.duration >= AMPLE + SHORT && outcome.duration < SOON, "{:?}", outcome.duration);
}

#[tokio::test]
async fn a_child_that_holds_the_pipe_delays_the_end_of_file() {
    let mut invocation = sh("sleep 1 & echo '{\"a\":1}'");
    let outcome = run(&invocation).await;
    assert_eq!(outcome.end, End::Exited(0));
    assert!(outcome.duration >= Duration::from_millis(950), "{:?}", outcome.duration);
    // It counts against the time limit although the process itself has ended.
    invocation.timeout = SHORT;
    assert_eq!(run(&invocation).await.end, End::TimedOut);
}

#[tokio::test]
async fn a_complete_answer_does_not_wait_for_a_child_that_holds_the_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let complete = |text: &str| {
        let mut invocation = sh(&format!("sleep 60 & echo $! >>{}; {text}", file.display()));
        invocation.rules.completion = Completion::CompleteJson;
        invocation
    };
    let outcome = run(&complete("echo ' {\"a\":[1,\"}\"]}'; exit 3")).await;
    assert_eq!(outcome.end, End::Exited(3));
    assert_eq!(outcome.stdout_text().trim(), "{\"a\":[1,\"}\"]}");
    assert!(outcome.duration < SOON, "{:?}", outcome.duration);
    // Whom a hook leaves behind when it ends by itself lives on.
    let left = pids(&file, 1).await[0];
    assert!(lives(left));

    for text in ["echo '{\"a\":1'", "echo '{a}'", "echo '{} {}'", "echo hello", ":"] {
        let mut invocation = complete(text);
        invocation.timeout = AMPLE;
        assert_eq!(run(&invocation).await.end, End::TimedOut, "{text}");
    }
    // Nobody holds the pipe: the end of file comes at once, whatever was printed.
    let mut invocation = sh("echo hello");
    invocation.rules.completion = Completion::CompleteJson;
    let outcome = run(&invocation).await;
    assert_eq!((outcome.end, &*outcome.stdout), (End::Exited(0), &b"hello\n"[..]));
    std::process::Command::new("kill").arg(left.to_string()).status().unwrap();
}

/// The host's own thread is held up past the limit, while the hook answers in time.
#[tokio::test]
async fn an_answer_in_time_counts_though_it_is_seen_late() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    // To the end of its output, and to a complete answer beside a child that holds the pipes.
    let whole = ("echo denied", Completion::EndOfFile, "denied\n");
    let complete = ("sleep 60 & echo '{}'", Completion::CompleteJson, "{}\n");
    for (text, completion, said) in [whole, complete, whole, complete] {
        let _ = std::fs::remove_file(&file);
        let mut invocation = sh(&format!("echo $$ >{}; {text}; echo why >&2; exit 2", file.display()));
        invocation.rules.completion = completion;
        invocation.timeout = SHORT;
        let started = Instant::now();
        let cancel = CancelSignal::new();
        let (outcome, ()) = tokio::join!(run_command(&invocation, b"", &cancel, &[]), async {
            let has_ended = || {
                let pid = std::fs::read_to_string(&file).ok().and_then(|text| text.trim().parse().ok());
                pid.is_some_and(|pid| !lives(pid))
            };
            while !has_ended() || started.elapsed() < SHORT * 2 {
                assert!(started.elapsed() < SOON, "the hook ends");
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        assert_eq!(outcome.end, End::Exited(2));
        assert_eq!((&*outcome.stdout, &*outcome.stderr), (said.as_bytes(), &b"why\n"[..]));
    }
}

#[tokio::test]
async fn a_process_out_of_reach_that_holds_the_pipes_does_not_hang_the_run() {
    let mut invocation = sh("setsid sleep 60 & echo here; sleep 60");
    invocation.timeout = SHORT;
    let outcome = run(&invocation).await;
    assert_eq!(outcome.end, End::TimedOut);
    assert!(outcome.duration < SOON, "{:?}", outcome.duration);
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let write = |name: &str, text: &str, mode: u32| {
        // Written by another process: a file this one still had open for writing could not be run.
        let put = format!("printf '%s' '{text}' >'{0}'; chmod {mode:o} '{0}'", path(name));
        assert!(std::process::Command::new("sh").args(["-c", &put]).status().unwrap().success());
        path(name)
    };
    let why = |outcome| failed_to_start(&outcome).to_owned();

    let text = why(run(&exec("no-such-program-here", &[])).await);
    assert!(text.contains("no program no-such-program-here on PATH"), "{text}");
    let text = why(run(&exec(path("missing"), &[])).await);
    assert!(text.ends_with("missing does not exist"), "{text}");
    let text = why(run(&exec(write("plain", "#!/bin/sh", 0o644), &[])).await);
    assert!(text.contains("is not executable"), "{text}");
    let text = why(run(&exec(write("interpreter", "#!/no/such/interpreter", 0o755), &[])).await);
    assert!(text.contains("interpreter that does not exist"), "{text}");
    let text = why(run(&exec(write("nothing", "just text", 0o755), &[])).await);
    assert!(text.contains("`#!` line"), "{text}");
    let text = why(run(&exec(folder.path().to_str().unwrap(), &[])).await);
    assert!(text.contains("is a folder"), "{text}");
    let text = why(run(&exec("echo", &["a\0b"])).await);
    assert!(text.contains("zero byte"), "{text}");

    let mut gone = sh("true");
    gone.cwd = path("gone");
    let text = why(run(&gone).await);
    assert!(text.contains("working directory") && text.contains("does not exist"), "{text}");
    gone.cwd = path("plain");
    let text = why(run(&gone).await);
    assert!(text.contains("is no folder"), "{text}");
    // A shell was started, so its word stands.
    assert_eq!(run(&sh("no-such-program-here")).await.end, End::Exited(127));
    assert_eq!(run(&sh(&path("plain"))).await.end, End::Exited(126));

    let script = write("relative", "#!/bin/sh\npwd", 0o755);
    assert_eq!(std::fs::metadata(script).unwrap().permissions().mode() & 0o777, 0o755);
    let mut relative = exec("./relative", &[]);
    relative.cwd = folder.path().to_str().unwrap().to_owned();
    let outcome = run(&relative).await;
    assert_eq!(outcome.end, End::Exited(0), "{outcome:?}");
    assert_eq!(outcome.stdout_text().trim_end(), folder.path().canonicalize().unwrap().to_str().unwrap());
}

#[tokio::test]
async fn shells_get_the_text_as_one_argument() {
    let text = |shell| program(Program::ShellText { shell, text: "echo \"$0 a  b\"".to_owned() });
    assert_eq!(run(&text(ShellKind::Sh)).await.stdout, b"/bin/sh a  b\n");
    assert_eq!(run(&text(ShellKind::Bash)).await.stdout, b"bash a  b\n");
    let mut login = text(ShellKind::UserLogin);
    login.env.push(("SHELL".to_owned(), "/bin/false".to_owned()));
    let outcome = run(&login).await;
    assert_eq!(outcome.end, End::Exited(0), "the password database comes before $SHELL: {outcome:?}");
    assert!(outcome.stdout_text().ends_with(" a  b\n"), "{outcome:?}");
    let outcome = run(&text(ShellKind::PowerShell)).await;
    match outcome.end {
        End::Exited(0) => {}
        End::FailedToStart(why) => assert!(why.contains("pwsh"), "{why}"),
        end => panic!("{end:?}"),
    }
}

#[tokio::test]
async fn the_environment_is_inherited_less_what_is_removed_plus_what_is_set() {
    let mut invocation =
        sh("echo \"$SET|$SESSION|$BOTH|${CARGO_PKG_NAME-none}|${CARGO_MANIFEST_DIR-none}|${HUGE-none}\"");
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    invocation.env = vec![pair("SET", "1"), pair("BOTH", "vendor")];
    let session = [
        pair("SESSION", "s"),
        pair("BOTH", "hook"),
        pair("", "empty"),
        pair("A=B", "x"),
        pair("NUL", "a\0b"),
        pair("HUGE", &"x".repeat(200 << 10)),
    ];
    let _shared = ALONE.read().await;
    let cancel = CancelSignal::new();
    let outcome = run_command(&invocation, b"", &cancel, &session).await;
    let name = env!("CARGO_PKG_NAME");
    let folder = env!("CARGO_MANIFEST_DIR");
    assert_eq!(outcome.stdout_text().trim_end(), format!("1|s|vendor|{name}|{folder}|none"));

    invocation.env_remove = vec!["CARGO_PKG_NAME".to_owned(), "NOT_THERE".to_owned()];
    let outcome = run_command(&invocation, b"", &cancel, &session).await;
    assert_eq!(outcome.stdout_text().trim_end(), format!("1|s|vendor|none|{folder}|none"));

    invocation.env_remove = vec!["CARGO_*".to_owned()];
    let outcome = run_command(&invocation, b"", &cancel, &session).await;
    assert_eq!(outcome.stdout_text().trim_end(), "1|s|vendor|none|none|none");
}

#[tokio::test]
async fn cancelling_ends_the_run() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let invocation = sh(&format!("sleep 60 & echo $! >{}; echo said; wait", file.display()));
    let cancel = CancelSignal::new();
    let (outcome, pids) = tokio::join!(run_command(&invocation, b"", &cancel, &[]), async {
        let pids = pids(&file, 1).await;
        cancel.clone().cancel();
        pids
    });
    assert_eq!(outcome.end, End::Cancelled);
    assert!(outcome.duration < SOON);
    eventually("the child is gone", || !lives(pids[0])).await;
    // The signal stays given.
    let outcome = run_command(&sh("sleep 60"), b"", &cancel, &[]).await;
    assert_eq!(outcome.end, End::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_the_future_ends_the_run() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let invocation = sh(&format!("trap '' TERM; sleep 60 & echo $! >{0}; echo $$ >>{0}; wait", file.display()));
    let cancel = CancelSignal::new();
    let pids = tokio::select! {
        outcome = run_command(&invocation, b"", &cancel, &[]) => panic!("ended: {outcome:?}"),
        pids = pids(&file, 2) => pids,
    };
    for &pid in &pids {
        eventually("the process is gone", || !lives(pid)).await;
    }
    eventually("the child has been waited for", || crate::support::state_of(pids[1]).is_none()).await;
}

#[tokio::test]
async fn a_time_limit_of_any_length_is_no_trouble() {
    let mut invocation = sh("echo done");
    invocation.timeout = Duration::MAX;
    assert_eq!(run(&invocation).await.end, End::Exited(0));
    let mut invocation = sh("sleep 60");
    invocation.timeout = Duration::ZERO;
    assert_eq!(run(&invocation).await.end, End::TimedOut);
}
