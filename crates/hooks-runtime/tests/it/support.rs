//! What the tests share: invocations of shell texts, and a look at which processes live.

use std::path::Path;
use std::time::{Duration, Instant};

use hooks_core::outcome::{Completion, End, Invocation, Outcome, Program, RunRules, ShellKind};
use hooks_runtime::{CancelSignal, run_command};

/// Held shared by every test that starts processes, and alone by the one that counts what is left behind.
pub(crate) static ALONE: tokio::sync::RwLock<()> = tokio::sync::RwLock::const_new(());

/// More than any run of these tests takes on a busy machine.
pub(crate) const LONG: Duration = Duration::from_secs(60);

pub(crate) fn program(program: Program) -> Invocation {
    let rules = RunRules {
        completion: Completion::EndOfFile,
        detach_on_async_line: false,
        kill_grace: Duration::ZERO,
        stdout_cap: RunRules::DEFAULT_CAP,
        stderr_cap: RunRules::DEFAULT_CAP,
    };
    Invocation::new(program, String::new(), LONG, rules)
}

pub(crate) fn sh(text: &str) -> Invocation {
    program(Program::ShellText { shell: ShellKind::Sh, text: text.to_owned() })
}

pub(crate) fn exec(name: impl Into<String>, args: &[&str]) -> Invocation {
    program(Program::Exec { program: name.into(), args: args.iter().map(|&arg| arg.to_owned()).collect() })
}

pub(crate) async fn run(invocation: &Invocation) -> Outcome {
    run_with(invocation, b"").await
}

pub(crate) async fn run_with(invocation: &Invocation, stdin: &[u8]) -> Outcome {
    let _shared = ALONE.read().await;
    run_command(invocation, stdin, &CancelSignal::new(), &[]).await
}

pub(crate) fn failed_to_start(outcome: &Outcome) -> &str {
    match &outcome.end {
        End::FailedToStart(why) => why,
        end => panic!("started: {end:?}"),
    }
}

/// Whether a process lives; one that has ended and was not waited for does not.
pub(crate) fn lives(pid: u32) -> bool {
    state_of(pid).is_some_and(|(state, _)| state != 'Z' && state != 'X')
}

/// A process's state and its parent.
pub(crate) fn state_of(pid: u32) -> Option<(char, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Waits until something holds; panics when it does not within a time that is ample.
pub(crate) async fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(30), "still not: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The process ids in a file, one a line; waits until there are as many.
pub(crate) async fn pids(file: &Path, count: usize) -> Vec<u32> {
    let read = || -> Vec<u32> {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.lines().filter_map(|line| line.trim().parse().ok()).collect()
    };
    eventually("the process ids are written", || read().len() >= count).await;
    read()
}
