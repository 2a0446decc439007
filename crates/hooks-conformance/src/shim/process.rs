//! A shim as a program: started in its own process group, asked one question at a time, and ended whatever it does.
//!
//! No call here waits without a limit. What the shim writes is read by threads, what is written to it is written by
//! one, so that a shim that does not read or that writes without end is found out by the clock alone.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this module starts a program and waits for it: that is its job"
)]

use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use hooks_core::text::display_line;

#[cfg(unix)]
use super::pipes::pid;
use super::pipes::{Event, described, keep_tail, kill_group, lock, read_lines, shell, write_lines};
use super::{FromRunner, FromShim, PROTOCOL, RunnerHello, Said, ShimHello, line};
use crate::question::{Answer, Question};
use crate::runner::{Fault, Reply, Subject};

/// How many lines of standard error a fault shows.
const STDERR_LINES: usize = 20;

/// How often an exit is looked for.
const TICK: Duration = Duration::from_millis(10);

/// How long the last of standard error is waited for, once every process of the shim's is gone.
const DRAIN: Duration = Duration::from_millis(500);

/// How to run a shim.
#[derive(Clone, Debug)]
pub struct ShimOptions {
    /// The command line, for the shell: `sh -c` on Unix, `cmd /C` on Windows.
    pub command: String,
    /// How long an answer may take, the first hello included.
    pub timeout: Duration,
    /// How long the shim may take to end once its standard input is closed.
    pub grace: Duration,
    /// How many bytes a line may have.
    pub line_limit: usize,
    /// How often it is started again after it broke down. When it does so once more, it is asked nothing any more.
    pub restarts: u32,
    /// What ends it from another thread; a clone of it is kept by whoever might want to.
    pub stopper: Stopper,
}

impl ShimOptions {
    /// A command with the usual limits: 10 seconds an answer, 2 seconds to end, 64 MiB a line, started again 3 times.
    #[must_use]
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            timeout: Duration::from_secs(10),
            grace: Duration::from_secs(2),
            line_limit: 64 << 20,
            restarts: 3,
            stopper: Stopper::default(),
        }
    }
}

/// A program that speaks the shim protocol. It ends with this value, and all that it started with it.
#[derive(Debug)]
pub struct Shim {
    options: ShimOptions,
    hello: ShimHello,
    running: Option<Running>,
    breakdowns: u32,
    unasked: u32,
    next: u64,
}

impl Shim {
    /// Starts a shim and hears who it is.
    ///
    /// # Errors
    ///
    /// When it cannot be started, says no hello in time, or speaks another version of the protocol.
    pub fn start(options: ShimOptions) -> Result<Self, Fault> {
        let (running, hello) = Running::start(&options)?;
        Ok(Self { options, hello, running: Some(running), breakdowns: 0, unasked: 0, next: 1 })
    }

    /// What it said of itself.
    #[must_use]
    pub const fn hello(&self) -> &ShimHello {
        &self.hello
    }

    /// The running shim, started again where it broke down before.
    fn running(&mut self) -> Result<Running, Fault> {
        if let Some(running) = self.running.take() {
            return Ok(running);
        }
        let (running, hello) = Running::start(&self.options)?;
        if hello == self.hello {
            return Ok(running);
        }
        Err(running.broke("started again, it says something else of itself than at first".to_owned()))
    }
}

impl Subject for Shim {
    fn answer(&mut self, question: &Question) -> Reply {
        if !self.hello.claims(question) {
            return Reply::Skipped(format!("the shim {} does not claim it", self.hello.name));
        }
        if self.breakdowns > self.options.restarts {
            self.unasked += 1;
            return Reply::Skipped("not asked: the shim broke down too often".to_owned());
        }
        let mut running = match self.running() {
            Ok(running) => running,
            Err(fault) => {
                self.breakdowns += 1;
                return Reply::Fault(fault);
            }
        };
        let id = self.next;
        self.next += 1;
        match running.ask(id, question, self.options.timeout) {
            Err(what) => {
                self.breakdowns += 1;
                Reply::Fault(running.broke(what))
            }
            Ok(said) => {
                self.running = Some(running);
                match said {
                    Said::Unsupported(reason) => {
                        let why = if reason.trim().is_empty() { "it does not say why" } else { &reason };
                        Reply::Skipped(format!("unsupported by the shim: {why}"))
                    }
                    Said::Error(message) => {
                        Reply::fault(format!("the shim answers with an error: {}", display_line(&message)))
                    }
                    Said::Answer(value) => match Answer::from_json(&question.kind, value) {
                        Ok(answer) => Reply::Answer(answer),
                        Err(why) => Reply::fault(format!("the shim's answer has not the form: {why}")),
                    },
                }
            }
        }
    }

    fn finish(&mut self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if let Some(running) = self.running.take() {
            faults.extend(running.finish(self.options.grace));
        }
        if self.unasked > 0 {
            let (times, left) = (self.breakdowns, self.unasked);
            let message = format!("the shim broke down {times} times, and {left} more vectors were not asked about");
            faults.push(Fault { message, stderr: None });
        }
        faults
    }
}

/// Ends a shim's processes from another thread, for a command that is interrupted.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<Mutex<Leader>>);

/// Who leads the process group of the shim that runs.
#[derive(Debug, Default)]
struct Leader {
    id: Option<u32>,
    stopped: bool,
}

impl Stopper {
    /// Kills the shim that runs, and all that it started. None is started any more.
    pub fn stop(&self) {
        let mut leader = lock(&self.0);
        leader.stopped = true;
        kill_group(leader.id);
    }
}

/// A shim that runs.
#[derive(Debug)]
struct Running {
    child: Child,
    stopper: Stopper,
    to_shim: Option<Sender<Vec<u8>>>,
    events: Receiver<Event>,
    unread: Option<io::Error>,
    line_limit: usize,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    stderr_ended: Receiver<()>,
}

impl Running {
    fn start(options: &ShimOptions) -> Result<(Self, ShimHello), Fault> {
        let failed = |message: String| Fault { message, stderr: None };
        let mut command = shell(&options.command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut leader = lock(&options.stopper.0);
        if leader.stopped {
            return Err(failed("the shim is not started any more".to_owned()));
        }
        let mut child = command.spawn().map_err(|error| failed(format!("the shim cannot be started: {error}")))?;
        leader.id = Some(child.id());
        drop(leader);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // Few lines are held at once, so that one who writes without end waits.
        let (tell, events) = sync_channel(4);
        let (to_shim, lines) = channel();
        let (tell_end, stderr_ended) = sync_channel(1);
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let mut running = Self {
            child,
            stopper: options.stopper.clone(),
            to_shim: Some(to_shim),
            events,
            unread: None,
            line_limit: options.line_limit,
            stderr: Arc::clone(&tail),
            stderr_ended,
        };
        if let Some(stdin) = stdin {
            let tell = tell.clone();
            thread::spawn(move || write_lines(stdin, &lines, &tell));
        }
        if let Some(stdout) = stdout {
            let limit = options.line_limit;
            thread::spawn(move || read_lines(BufReader::new(stdout), limit, &tell));
        }
        if let Some(stderr) = stderr {
            thread::spawn(move || {
                keep_tail(stderr, &tail);
                let _ = tell_end.send(());
            });
        }
        match running.greet(options.timeout) {
            Ok(hello) => Ok((running, hello)),
            Err(what) => Err(running.broke(what)),
        }
    }

    /// Says hello and hears who is there.
    fn greet(&mut self, timeout: Duration) -> Result<ShimHello, String> {
        self.send(&FromRunner::Hello { hello: RunnerHello::this() })?;
        match FromShim::read(&self.receive(timeout, "its hello")?)? {
            FromShim::Hello(hello) if hello.protocol == PROTOCOL => Ok(hello),
            FromShim::Hello(hello) => {
                Err(format!("it speaks version {} of the protocol, and this runner {PROTOCOL}", hello.protocol))
            }
            FromShim::Reply { id, .. } => Err(format!("it answers question {id} before it says hello")),
        }
    }

    fn ask(&mut self, id: u64, question: &Question, timeout: Duration) -> Result<Said, String> {
        self.send(&FromRunner::Ask { id, ask: question.to_json() })?;
        match FromShim::read(&self.receive(timeout, &format!("its answer to question {id}"))?)? {
            FromShim::Reply { id: answered, said } if answered == id => Ok(said),
            FromShim::Reply { id: other, .. } if other < id => {
                Err(format!("it answered question {other}, asked before, while question {id} was open"))
            }
            FromShim::Reply { id: other, .. } => {
                Err(format!("it answered question {other}, which was not asked; question {id} was open"))
            }
            FromShim::Hello(_) => Err(format!("it said hello once more, while question {id} was open")),
        }
    }

    fn send(&mut self, message: &FromRunner) -> Result<(), String> {
        let bytes = line(message).map_err(|error| format!("the question cannot be written: {error}"))?;
        // A writer that is gone has told why, and what follows says so.
        if let Some(to_shim) = &self.to_shim {
            let _ = to_shim.send(bytes);
        }
        Ok(())
    }

    /// The next line, or what came in its place.
    fn receive(&mut self, timeout: Duration, what: &str) -> Result<Vec<u8>, String> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Line(line)) => return Ok(line),
                Ok(Event::TooLong) => return Err(self.too_long()),
                Ok(Event::Unread(error)) => self.unread = Some(error),
                Ok(Event::Ended) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("{} before {what}", self.how_it_ended()));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let unread = self.unread.as_ref().map(|error| format!("; it reads nothing any more ({error})"));
                    return Err(format!("{what} did not come within {timeout:?}{}", unread.unwrap_or_default()));
                }
            }
        }
    }

    fn too_long(&self) -> String {
        format!("it wrote a line of more than {} bytes", self.line_limit)
    }

    /// Says how a shim ended whose standard output is at its end.
    fn how_it_ended(&mut self) -> String {
        let deadline = Instant::now() + Duration::from_secs(1);
        while !self.has_exited() {
            if Instant::now() >= deadline {
                return "it closed its standard output, without ending,".to_owned();
            }
            thread::sleep(TICK);
        }
        self.end().map_or_else(|| "it ended".to_owned(), |status| format!("it ended ({})", described(status)))
    }

    /// Whether the shim itself is at its end. It is not reaped, so that its process group keeps its name.
    #[cfg(unix)]
    fn has_exited(&self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let Some(pid) = pid(Some(self.child.id())) else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error says that there is no such child any more.
        waitid(WaitId::Pid(pid), options).map_or(true, |status| status.is_some())
    }

    /// Whether the shim itself is at its end.
    #[cfg(not(unix))]
    fn has_exited(&mut self) -> bool {
        self.child.try_wait().map_or(true, |status| status.is_some())
    }

    /// Kills what is left of the shim's processes and reaps the shim. What it gives is the shim's own end where it
    /// had come to one.
    fn end(&mut self) -> Option<ExitStatus> {
        self.to_shim = None;
        let mut leader = lock(&self.stopper.0);
        // While the shim is not reaped, no other process has its number.
        if leader.id.take().is_some() {
            kill_group(Some(self.child.id()));
            let _ = self.child.kill();
        }
        self.child.wait().ok()
    }

    /// A breakdown: ends the shim, with the last it wrote to standard error.
    fn broke(mut self, what: String) -> Fault {
        self.end();
        self.fault(format!("the shim broke down: {what}"))
    }

    fn fault(&self, message: String) -> Fault {
        let _ = self.stderr_ended.recv_timeout(DRAIN);
        let tail: Vec<u8> = lock(&self.stderr).iter().copied().collect();
        let text = String::from_utf8_lossy(&tail);
        let lines: Vec<&str> = text.trim_end().lines().collect();
        let shown = lines.get(lines.len().saturating_sub(STDERR_LINES)..).unwrap_or_default().join("\n");
        Fault { message, stderr: (!shown.is_empty()).then_some(shown) }
    }

    /// Closes standard input and waits for the end, which must come by itself, without another word and without an
    /// error.
    fn finish(mut self, grace: Duration) -> Option<Fault> {
        self.to_shim = None;
        let deadline = Instant::now() + grace;
        let mut wrong = None;
        let mut silent = false;
        while !(silent && self.has_exited()) {
            let now = Instant::now();
            if now >= deadline {
                if !self.has_exited() {
                    wrong = wrong.or_else(|| {
                        Some(format!("it did not end within {grace:?} after its standard input was closed"))
                    });
                }
                break;
            }
            match self.events.recv_timeout(TICK.min(deadline - now)) {
                Ok(Event::Line(line)) => {
                    let what = match FromShim::read(&line) {
                        Ok(FromShim::Reply { id, .. }) => format!("it answered question {id} once more at the end"),
                        Ok(FromShim::Hello(_)) => "it said hello once more at the end".to_owned(),
                        Err(why) => why,
                    };
                    wrong = wrong.or(Some(what));
                }
                Ok(Event::TooLong) => wrong = wrong.or_else(|| Some(self.too_long())),
                Ok(Event::Unread(_)) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Event::Ended) => silent = true,
                Err(RecvTimeoutError::Disconnected) => {
                    silent = true;
                    thread::sleep(TICK);
                }
            }
        }
        let exited = self.has_exited();
        let status = self.end();
        let wrong = wrong.or_else(|| {
            let status = status.filter(|status| exited && !status.success())?;
            Some(format!("after its last answer it ended with an error ({})", described(status)))
        })?;
        Some(self.fault(format!("the shim: {wrong}")))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
