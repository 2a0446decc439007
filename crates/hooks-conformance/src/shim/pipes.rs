//! The shell, the process group and the threads of a shim: what touches the system, apart from starting and waiting.
#![allow(clippy::disallowed_types, reason = "this module prepares a command: that is its job")]

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write as _};
use std::process::{ChildStdin, Command, ExitStatus};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many bytes of standard error are kept.
const STDERR_TAIL: usize = 16 << 10;

/// What the threads tell.
#[derive(Debug)]
pub(super) enum Event {
    /// A line of standard output, without its end.
    Line(Vec<u8>),
    /// A line has more bytes than it may.
    TooLong,
    /// Standard output is at its end.
    Ended,
    /// Standard input takes nothing any more.
    Unread(io::Error),
}

#[cfg(unix)]
pub(super) fn shell(line: &str) -> Command {
    use std::os::unix::process::CommandExt as _;
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).process_group(0);
    command
}

/// With `/S` the shell takes off the outer quotes alone, so that those in the line stay as they were written.
#[cfg(windows)]
pub(super) fn shell(line: &str) -> Command {
    use std::os::windows::process::CommandExt as _;
    let mut command = Command::new("cmd");
    command.args(["/D", "/S", "/C"]).raw_arg(format!("\"{line}\""));
    command
}

#[cfg(unix)]
pub(super) fn pid(id: Option<u32>) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(id?).ok()?)
}

/// Kills every process of the group that a shim leads.
#[cfg(unix)]
pub(super) fn kill_group(leader: Option<u32>) {
    if let Some(leader) = pid(leader) {
        // It fails where nobody is left, which is what was wanted.
        let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
    }
}

/// There are no process groups: the shim alone is killed, by its handle.
#[cfg(not(unix))]
pub(super) fn kill_group(_leader: Option<u32>) {}

pub(super) fn described(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    status.code().map_or_else(|| "without a code".to_owned(), |code| format!("exit code {code}"))
}

pub(super) fn write_lines(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>, tell: &SyncSender<Event>) {
    for line in lines {
        if let Err(error) = stdin.write_all(&line).and_then(|()| stdin.flush()) {
            let _ = tell.send(Event::Unread(error));
            return;
        }
    }
}

/// Reads lines until the end or until nobody listens.
pub(super) fn read_lines(mut stdout: impl BufRead, limit: usize, tell: &SyncSender<Event>) {
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    loop {
        let mut line = Vec::new();
        let event = match stdout.by_ref().take(most).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Event::Ended,
            Ok(_) if line.last() == Some(&b'\n') => {
                line.pop();
                Event::Line(line)
            }
            Ok(_) if line.len() > limit => Event::TooLong,
            // The last line has no end: it is cut short or, at best, complete.
            Ok(_) => Event::Line(line),
        };
        let last = matches!(event, Event::Ended | Event::TooLong);
        if tell.send(event).is_err() || last {
            return;
        }
    }
}

pub(super) fn keep_tail(mut stderr: impl Read, tail: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 4096];
    loop {
        let read = match stderr.read(&mut buffer) {
            Ok(0) => return,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let mut tail = lock(tail);
        tail.extend(buffer.get(..read).unwrap_or_default());
        let surplus = tail.len().saturating_sub(STDERR_TAIL);
        tail.drain(..surplus);
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
