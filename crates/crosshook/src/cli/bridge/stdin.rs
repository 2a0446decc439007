//! Standard input of a client that may never close it.

use std::io::{self, Read as _};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use hooks_core::json::RawObject;

/// Bytes that are read; no client was seen to write more.
const LIMIT: usize = 256 << 20;
/// How long nothing must come before what is there is looked at: a client may write all and leave the pipe open.
const QUIET: Duration = Duration::from_millis(500);
/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// Standard input that is no use, with what there is of it.
pub(super) struct Unread {
    /// What was read.
    pub(super) read: Vec<u8>,
    /// What is wrong.
    pub(super) why: String,
}

/// Reads standard input to its end, or until what came is a whole JSON object and nothing follows. After `patience`,
/// counted from `started`, nothing more is waited for.
pub(super) fn read(started: Instant, patience: Duration) -> Result<Vec<u8>, Unread> {
    let (sender, chunks) = sync_channel(4);
    // It is left behind where the client leaves the pipe open, and ends with the process.
    let reader = std::thread::Builder::new().name("stdin".to_owned()).spawn(move || pass_on(&sender));
    if let Err(error) = reader {
        return Err(Unread { read: Vec::new(), why: format!("standard input cannot be read: {error}") });
    }
    let mut read = Vec::new();
    let mut looked_at = 0;
    loop {
        let left = patience.saturating_sub(started.elapsed());
        match chunks.recv_timeout(left.min(QUIET)) {
            Ok(Ok(chunk)) => {
                read.extend_from_slice(&chunk);
                if read.len() > LIMIT {
                    return Err(Unread {
                        read: Vec::new(),
                        why: format!("standard input has more than {LIMIT} bytes"),
                    });
                }
                if !left.is_zero() {
                    continue;
                }
            }
            Ok(Err(error)) => return Err(Unread { read, why: format!("standard input cannot be read: {error}") }),
            Err(RecvTimeoutError::Disconnected) => return Ok(read),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if looked_at < read.len() && RawObject::parse_slice(&read).is_ok() {
            return Ok(read);
        }
        looked_at = read.len();
        if left.is_zero() {
            let why =
                format!("standard input was not closed in {:.1} seconds, and is not whole", patience.as_secs_f64());
            return Err(Unread { read, why });
        }
    }
}

fn pass_on(chunks: &SyncSender<io::Result<Vec<u8>>>) {
    let mut stdin = io::stdin().lock();
    loop {
        let mut chunk = vec![0; CHUNK];
        let passed = match stdin.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => {
                chunk.truncate(length);
                chunks.send(Ok(chunk))
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                let _ = chunks.send(Err(error));
                return;
            }
        };
        if passed.is_err() {
            // Nobody waits for it any more.
            return;
        }
    }
}
