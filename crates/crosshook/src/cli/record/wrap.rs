//! A hook's command wrapped: everything passes through as it is, and a record is written beside it.
//!
//! The client must see what it would see without the wrapper. So nothing is ever added to standard output; to standard
//! error only where the client does not read it: after exit code 0, on an event whose table does not say that the
//! report shows it. A record that cannot be written changes nothing else. The program gets the wrapper's own folder,
//! environment and process group, and signals that ask the wrapper to end are passed on.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use hooks_conformance::format::Text;
use hooks_core::{End, Outcome};

use super::file::{Place, replace};
use super::format::{Record, event_name, whose};

/// The most bytes of a stream that are kept; all of it passes through.
const KEPT: usize = 64 << 20;
/// How long the rest of standard input is waited for when the program has ended without reading it.
const PATIENCE: Duration = Duration::from_millis(200);

/// Runs the program, and ends as it ended: with its exit code, or by its signal.
pub(super) fn run(command: &[OsString], place: Result<Place, String>, vendor: Option<&str>) -> ! {
    let mut tape = Tape::new(command, place, vendor);
    let ended = tape.run(command);
    tape.finish(&ended);
    end(&ended);
}

/// How the program ended, as the client sees it.
struct Ended {
    /// The exit code, or the signal.
    end: End,
    stdout: Kept,
    stderr: Kept,
    took: Duration,
}

/// A stream's beginning, and whether there was more.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    cut: bool,
}

impl Kept {
    fn take(&mut self, bytes: &[u8]) {
        let room = KEPT.saturating_sub(self.bytes.len());
        self.cut |= bytes.len() > room;
        self.bytes.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
    }
}

/// What was read of standard input, and the record that is being written.
#[derive(Default)]
struct State {
    stdin: Kept,
    /// Whether standard input has come to its end.
    whole: bool,
    /// Whether the program took all of it.
    delivered: bool,
    /// Whether the program has ended: nothing is written behind its back any more.
    over: bool,
    /// The file, once there is one.
    path: Option<PathBuf>,
}

struct Tape {
    record: Record,
    vendor: Option<String>,
    place: Result<Place, String>,
    state: Arc<Mutex<State>>,
}

impl Tape {
    fn new(command: &[OsString], place: Result<Place, String>, vendor: Option<&str>) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let words = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let cwd = std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
        let record = Record::begun(u64::try_from(now.as_millis()).unwrap_or(u64::MAX), words, cwd);
        let state = State { delivered: true, ..State::default() };
        Self { record, vendor: vendor.map(str::to_owned), place, state: Arc::new(Mutex::new(state)) }
    }

    fn run(&self, command: &[OsString]) -> Ended {
        let started = Instant::now();
        let Some((program, args)) = command.split_first() else {
            return refused("there is no command", 127, started);
        };
        let spawned = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = match spawned {
            Ok(child) => child,
            Err(error) => {
                // What was to be given to it says of which event it is.
                let _input = self.feed(None);
                self.wait_for_input();
                // What a shell says and ends with in its place.
                let code = if error.kind() == io::ErrorKind::NotFound { 127 } else { 126 };
                return refused(&format!("{}: {error}", program.to_string_lossy()), code, started);
            }
        };
        let ended = pass_signals_on(&child);
        let input = self.feed(child.stdin.take());
        let stdout = child.stdout.take().map(|from| copy(from, io::stdout()));
        let stderr = child.stderr.take().map(|from| copy(from, io::stderr()));
        let status = child.wait();
        ended();
        let took = started.elapsed();
        // What it left running in the background may still hold its output open, and write.
        let kept = |copying: Option<JoinHandle<Kept>>| copying.and_then(|it| it.join().ok()).unwrap_or_default();
        let (stdout, stderr) = (kept(stdout), kept(stderr));
        self.wait_for_input();
        drop(input);
        Ended { end: status.map_or(End::Exited(126), how), stdout, stderr, took }
    }

    /// Waits a little for the rest of standard input.
    fn wait_for_input(&self) {
        let waiting = Instant::now();
        while !lock(&self.state).whole && waiting.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Gives the program our standard input, and writes a first record when that is at its end: a client that kills
    /// what takes too long leaves no time for another.
    fn feed(&self, mut to: Option<ChildStdin>) -> Option<JoinHandle<()>> {
        let state = Arc::clone(&self.state);
        lock(&state).delivered = to.is_some();
        let (record, vendor, place) = (self.record.clone(), self.vendor.clone(), self.place.clone());
        let feeding = std::thread::Builder::new().spawn(move || {
            let mut from = io::stdin();
            let mut buffer = vec![0; 64 << 10];
            loop {
                let read = match from.read(&mut buffer) {
                    Ok(read) => read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(_) => 0,
                };
                let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
                lock(&state).stdin.take(bytes);
                if to.as_mut().is_some_and(|to| to.write_all(bytes).is_err()) {
                    // It does not read: the rest is for the record.
                    lock(&state).delivered = false;
                    to = None;
                }
            }
            drop(to);
            let mut state = lock(&state);
            state.whole = true;
            if state.over {
                return;
            }
            if let Ok(place) = &place {
                let begun = given(record, &state, vendor.as_deref());
                // It is tried again at the end, and complained of there.
                state.path = place.write(&begun).ok();
            }
        });
        feeding.ok()
    }

    /// Writes the record.
    fn finish(&mut self, ended: &Ended) {
        let mut state = lock(&self.state);
        state.over = true;
        let mut outcome = Outcome::ended(ended.end.clone());
        outcome.stdout.clone_from(&ended.stdout.bytes);
        outcome.stderr.clone_from(&ended.stderr.bytes);
        (outcome.stdout_truncated, outcome.stderr_truncated) = (ended.stdout.cut, ended.stderr.cut);
        outcome.stdin_delivered = state.delivered && state.whole;
        outcome.duration = ended.took;
        let record = given(self.record.clone(), &state, self.vendor.as_deref()).ended(&outcome);
        let written = match (&state.path, &self.place) {
            (Some(path), _) => replace(path, &record).map_err(|error| format!("{}: {error}", path.display())),
            (None, Ok(place)) => {
                place.write(&record).map(drop).map_err(|error| format!("{}: {error}", place.path().display()))
            }
            (None, Err(why)) => Err(why.clone()),
        };
        if let Err(why) = written
            && ended.end == End::Exited(0)
            && !is_reported(&record)
        {
            let _ = writeln!(io::stderr(), "crosshook record: the run was not recorded: {why}");
        }
    }
}

/// A record with what was read of standard input.
fn given(mut record: Record, state: &State, vendor: Option<&str>) -> Record {
    record.event = event_name(&state.stdin.bytes);
    record.vendor = vendor.or_else(|| whose(&state.stdin.bytes)).map(str::to_owned);
    record.stdin = Text::of(&state.stdin.bytes);
    record.stdin_delivered = state.delivered;
    record
}

/// Whether standard error of a run that is well goes into the client's report, by the vendor's table.
fn is_reported(record: &Record) -> bool {
    use crosshook::codex::events::{EVENTS, Reads};
    let row = EVENTS.iter().find(|row| record.event.as_deref() == Some(row.facts.name));
    row.is_some_and(|row| row.reads == Reads::StderrForTheReport) && record.vendor.as_deref() != Some("claude")
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that could not be started: what a shell would say.
fn refused(why: &str, code: i32, started: Instant) -> Ended {
    let text = format!("crosshook record: {why}\n");
    let _ = io::stderr().write_all(text.as_bytes());
    let stderr = Kept { bytes: text.into_bytes(), cut: false };
    Ended { end: End::Exited(code), stdout: Kept::default(), stderr, took: started.elapsed() }
}

/// Copies a stream as it comes, and keeps it. When nobody reads ours any more, nobody reads the program's.
fn copy<R: Read + Send + 'static, W: Write + Send + 'static>(mut from: R, mut to: W) -> JoinHandle<Kept> {
    std::thread::spawn(move || {
        let mut kept = Kept::default();
        let mut buffer = vec![0; 64 << 10];
        loop {
            let read = match from.read(&mut buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else { return kept };
            kept.take(bytes);
            if to.write_all(bytes).and_then(|()| to.flush()).is_err() {
                return kept;
            }
        }
    })
}

fn how(status: ExitStatus) -> End {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return End::Signalled(signal);
    }
    End::Exited(status.code().unwrap_or(126))
}

/// Passes signals that ask us to end on to the program, until what is given back is called.
#[cfg(unix)]
fn pass_signals_on(child: &Child) -> impl FnOnce() + use<> {
    use rustix::process::{Pid, Signal, kill_process};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM]);
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let handle = match (signals, pid) {
        (Ok(mut signals), Some(pid)) => {
            let handle = signals.handle();
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    if let Some(signal) = Signal::from_named_raw(signal) {
                        // It may have ended already.
                        let _ = kill_process(pid, signal);
                    }
                }
            });
            Some(handle)
        }
        _ => None,
    };
    move || {
        if let Some(handle) = handle {
            handle.close();
        }
    }
}

#[cfg(not(unix))]
fn pass_signals_on(_child: &Child) -> impl FnOnce() + use<> {
    || ()
}

/// Ends as the program ended.
fn end(ended: &Ended) -> ! {
    match ended.end {
        End::Exited(code) => std::process::exit(code),
        #[cfg(unix)]
        End::Signalled(signal) => {
            if signal == signal_hook::consts::SIGKILL {
                use rustix::process::{Signal, getpid, kill_process};
                let _ = kill_process(getpid(), Signal::KILL);
            } else {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
            // A signal that ends nothing by itself; a shell says it like this.
            std::process::exit(128 + signal)
        }
        _ => std::process::exit(126),
    }
}
