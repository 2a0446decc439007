//! Runs one program of a hook: its pipes, its time limit, and the end of the whole process tree.
//!
//! A run has a process group of its own, on Windows a job object. It counts from the launch until the end that its rules name, at most for its
//! time limit. When the limit is reached or the host cancels, the whole group is ended: asked first where the rules give
//! a grace, then killed. A process that left the group (a daemon with a session of its own) is out of reach. Dropping
//! the future of a run kills the group too.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hooks_core::outcome::{Completion, End, Invocation, Outcome, RunRules};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::time::Sleep;

use crate::answer::AnswerWatch;
use crate::cancel::CancelSignal;
use crate::pipes::{Capture, Feed};
use crate::shell::{self, Environment, Inherit};
use crate::sys::Group;

/// How long a killed run's pipes are still read, and its end is waited for. A process out of reach may hold the pipes
/// for ever.
const DRAIN: Duration = Duration::from_millis(500);
/// How long standard output must be quiet after the process ended before a complete answer counts, while somebody else
/// still holds the pipe: what the process wrote last may not have been read yet.
const QUIET: Duration = Duration::from_millis(20);
/// How many events are taken in at most when a time has come: a few pipes full, and no more of an output without end.
const CATCH_UP: usize = 64;
/// How often a group that was asked to end is looked at.
const TICK: Duration = Duration::from_millis(10);

/// Runs an invocation to its end and says how it ended.
///
/// `session_env` are the session's variables for hooks; they are set over the inherited environment and below the
/// invocation's own. Entries that no program could be started with are left out. A name in the invocation's
/// `env_remove` that ends in `*` takes out every variable with that prefix. Where its folder is gone it runs in the first
/// of `cwd_else` that is there. Its `session_file` is the caller's: [`SessionFiles::make`](crate::SessionFiles::make)
/// gives what the variable is to say.
///
/// A program that could not be started is [`End::FailedToStart`]; a handler that is no program is [`End::NotRun`]. A
/// program that does not read its input, or not all of it, has not failed: `stdin_delivered` is then false.
pub async fn run_command(
    invocation: &Invocation,
    stdin: &[u8],
    cancel: &CancelSignal,
    session_env: &[(String, String)],
) -> Outcome {
    let surroundings = Surroundings { session_env: session_env.into(), ..Surroundings::default() };
    let mut running = match Running::start(invocation, stdin, &surroundings) {
        Ok(running) => running,
        Err(outcome) => return outcome,
    };
    let cut = running.follow(cancel, None).await;
    running.finish(cut).await
}

/// What all programs of a vendor's hooks get in a firing, beside their invocations.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    /// The session's variables for this vendor's hooks.
    pub(crate) session_env: Arc<[(String, String)]>,
    /// What they inherit.
    pub(crate) inherit: Inherit,
    /// The environment that the session began with.
    pub(crate) began_with: Option<Environment>,
}

/// Why a run is no longer followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// It ended as its rules say.
    Ended,
    /// Its time limit was reached.
    TimedOut,
    /// The host took it back.
    Cancelled,
    /// Its first line asks to go on in the background.
    Detached,
}

/// A program that runs. Dropping it kills its process group.
#[derive(Debug)]
pub(crate) struct Running<B> {
    // Dropped first: the group's id is the child's until somebody has waited for the child.
    group: Group,
    child: Child,
    input: Feed<ChildStdin, B>,
    output: Capture<ChildStdout>,
    errors: Capture<ChildStderr>,
    answer: AnswerWatch,
    rules: RunRules,
    started: Instant,
    deadline: Pin<Box<Sleep>>,
    ended: Option<io::Result<ExitStatus>>,
    /// Since when nothing happened that concerns the answer.
    quiet_since: tokio::time::Instant,
    /// Whether the first line is still waited for.
    may_detach: bool,
}

impl<B: AsRef<[u8]>> Running<B> {
    /// Starts an invocation's program.
    pub(crate) fn start(invocation: &Invocation, stdin: B, surroundings: &Surroundings) -> Result<Self, Outcome> {
        let started = Instant::now();
        // The limit counts from the launch.
        let deadline = Box::pin(tokio::time::sleep(invocation.timeout));
        let mut command =
            shell::command(invocation, surroundings).map_err(|why| not_started(End::NotRun(why), started))?;
        let program = PathBuf::from(command.as_std().get_program());
        let mut child = command.spawn().map_err(|error| {
            let folder = command.as_std().get_current_dir();
            let why = shell::why_not_started(folder, &program, &error);
            not_started(End::FailedToStart(why), started)
        })?;
        let rules = invocation.rules;
        Ok(Self {
            group: Group::of(&child),
            input: Feed::new(child.stdin.take(), stdin),
            output: Capture::new(child.stdout.take(), rules.stdout_cap),
            errors: Capture::new(child.stderr.take(), rules.stderr_cap),
            child,
            answer: AnswerWatch::default(),
            rules,
            started,
            deadline,
            ended: None,
            quiet_since: tokio::time::Instant::now(),
            may_detach: rules.detach_on_async_line,
        })
    }

    /// Follows the run until it ends, is cut off, or asks to go on in the background and the caller lets it.
    pub(crate) async fn follow(
        &mut self,
        cancel: &CancelSignal,
        mut let_detach: Option<&mut (dyn FnMut() -> bool + Send)>,
    ) -> Cut {
        self.may_detach &= let_detach.is_some();
        loop {
            let has_ended = self.ended.is_some();
            if self.is_over() {
                return Cut::Ended;
            }
            let answered = self.may_have_answered() && self.answer.seems_complete();
            tokio::select! {
                () = &mut self.deadline => {
                    self.catch_up().await;
                    return if self.is_over() || self.has_answered() { Cut::Ended } else { Cut::TimedOut };
                }
                () = cancel.cancelled() => return Cut::Cancelled,
                ended = self.child.wait(), if !has_ended => {
                    self.take_end(ended);
                    self.quiet_since = tokio::time::Instant::now();
                }
                () = self.output.read_some(), if self.output.is_open() => {
                    self.quiet_since = tokio::time::Instant::now();
                    self.answer.advance(&self.output.kept);
                    if self.asks_to_detach() && let_detach.as_mut().is_some_and(|lets| lets()) {
                        return Cut::Detached;
                    }
                }
                () = self.errors.read_some(), if self.errors.is_open() => {}
                () = self.input.write_some(), if self.input.is_open() => {}
                () = tokio::time::sleep_until(self.quiet_since + QUIET), if answered => {
                    self.catch_up().await;
                    if self.has_answered() {
                        return Cut::Ended;
                    }
                }
            }
        }
    }

    /// Notes that the process has ended and was waited for: its id is the group's only as long as the group has members.
    fn take_end(&mut self, ended: io::Result<ExitStatus>) {
        self.ended = Some(ended);
        self.group.release_when_empty();
    }

    /// Whether the process has ended and both its pipes are closed.
    fn is_over(&self) -> bool {
        self.ended.is_some() && !self.output.is_open() && !self.errors.is_open()
    }

    /// Whether a complete answer would count, though somebody still holds the pipes.
    fn may_have_answered(&self) -> bool {
        self.ended.is_some() && self.rules.completion == Completion::CompleteJson && !self.output.is_truncated()
    }

    /// Whether one is there.
    fn has_answered(&mut self) -> bool {
        self.may_have_answered() && self.answer.is_complete(&self.output.kept)
    }

    /// Takes in what has happened by now, without waiting. Where this process itself was held up, a time may have come
    /// before what happened earlier was seen, and an answer that was there in time must not count as late.
    async fn catch_up(&mut self) {
        for _ in 0..CATCH_UP {
            tokio::select! {
                biased;
                ended = self.child.wait(), if self.ended.is_none() => self.take_end(ended),
                () = self.output.read_some(), if self.output.is_open() => self.answer.advance(&self.output.kept),
                () = self.errors.read_some(), if self.errors.is_open() => {}
                () = std::future::ready(()) => return,
            }
        }
    }

    fn asks_to_detach(&mut self) -> bool {
        if !self.may_detach || self.ended.is_some() {
            return false;
        }
        let said = self.answer.first_line_is_async(&self.output.kept);
        // Asked once: where there is no room then, it is waited for.
        self.may_detach = said.is_none();
        said == Some(true)
    }

    /// Ends what was cut off and says how the run ended. Not for a run that goes on in the background.
    pub(crate) async fn finish(mut self, cut: Cut) -> Outcome {
        let end = match cut {
            Cut::Ended => {
                // Whoever still runs was left behind on purpose.
                self.group.disarm();
                match self.ended.take() {
                    Some(Ok(status)) => end_of(status),
                    Some(Err(error)) => End::FailedToStart(format!("its end could not be waited for: {error}")),
                    None => End::NotRun("it has not ended".to_owned()),
                }
            }
            Cut::TimedOut | Cut::Cancelled | Cut::Detached => {
                self.end_group().await;
                if cut == Cut::TimedOut { End::TimedOut } else { End::Cancelled }
            }
        };
        Outcome {
            end,
            stdout_truncated: self.output.is_truncated(),
            stderr_truncated: self.errors.is_truncated(),
            stdout_beyond: self.output.beyond,
            stderr_beyond: self.errors.beyond,
            stdout: self.output.kept,
            stderr: self.errors.kept,
            stdin_delivered: self.input.delivered,
            duration: self.started.elapsed(),
            finished: 0,
        }
    }

    /// Ends every process of the group and waits, for a bounded time, until that is done and the pipes are empty.
    async fn end_group(&mut self) {
        if !self.rules.kill_grace.is_zero() && cfg!(unix) {
            self.group.terminate();
            self.drain(self.rules.kill_grace, |run| run.ended.is_some() && run.group.is_empty()).await;
        }
        self.group.kill();
        // An error means that it has ended already.
        let _ = self.child.start_kill();
        self.drain(DRAIN, Self::is_over).await;
        // The group's id may belong to somebody else from here on.
        self.group.disarm();
    }

    /// Keeps reading until something holds, at most for some time.
    async fn drain(&mut self, limit: Duration, until: impl Fn(&Self) -> bool) {
        let limit = tokio::time::sleep(limit);
        tokio::pin!(limit);
        while !until(self) {
            tokio::select! {
                () = &mut limit => return,
                ended = self.child.wait(), if self.ended.is_none() => self.take_end(ended),
                () = self.output.read_some(), if self.output.is_open() => {}
                () = self.errors.read_some(), if self.errors.is_open() => {}
                () = tokio::time::sleep(TICK) => {}
            }
        }
    }
}

fn not_started(end: End, started: Instant) -> Outcome {
    Outcome { stdin_delivered: false, duration: started.elapsed(), ..Outcome::ended(end) }
}

fn end_of(status: ExitStatus) -> End {
    if let Some(code) = status.code() {
        return End::Exited(code);
    }
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return End::Signalled(signal);
    }
    End::NotRun(format!("it ended in a way that is not known: {status}"))
}
