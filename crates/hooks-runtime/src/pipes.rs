//! The three pipes of a run: one that is written, two that are read up to a cap.

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Bytes read at a time once output is only thrown away, and the least room made for output that is kept.
const CHUNK: usize = 64 << 10;
const FIRST_ROOM: usize = 8 << 10;

/// Output that is being read. At most `cap` bytes are kept; the rest is read, counted and thrown away, so that the writer
/// never waits for us.
#[derive(Debug)]
pub(crate) struct Capture<R> {
    pipe: Option<R>,
    cap: usize,
    scratch: Vec<u8>,
    /// What was kept.
    pub(crate) kept: Vec<u8>,
    /// How many bytes there were beyond that.
    pub(crate) beyond: u64,
}

impl<R: AsyncRead + Unpin> Capture<R> {
    pub(crate) fn new(pipe: Option<R>, cap: usize) -> Self {
        Self { pipe, cap, scratch: Vec::new(), kept: Vec::new(), beyond: 0 }
    }

    /// Whether the end has not been reached.
    pub(crate) fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    /// Whether there was more than is kept.
    pub(crate) const fn is_truncated(&self) -> bool {
        self.beyond > 0
    }

    /// Reads what is there, once; waits when nothing is. Nothing is lost when this is dropped while it waits.
    pub(crate) async fn read_some(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        let read = if self.kept.len() < self.cap {
            if self.kept.capacity() - self.kept.len() < FIRST_ROOM / 2 {
                self.kept.reserve(self.kept.len().max(FIRST_ROOM));
            }
            let read = pipe.read_buf(&mut self.kept).await;
            self.beyond += self.kept.len().saturating_sub(self.cap) as u64;
            self.kept.truncate(self.cap);
            read
        } else {
            self.scratch.resize(CHUNK, 0);
            let read = pipe.read(&mut self.scratch).await;
            self.beyond += read.as_ref().map_or(0, |count| *count as u64);
            read
        };
        match read {
            Ok(0) | Err(_) => self.pipe = None,
            Ok(_) => {}
        }
    }
}

/// Input that is being written.
#[derive(Debug)]
pub(crate) struct Feed<W, B> {
    pipe: Option<W>,
    bytes: B,
    written: usize,
    /// Whether everything was taken.
    pub(crate) delivered: bool,
}

impl<W: AsyncWrite + Unpin, B: AsRef<[u8]>> Feed<W, B> {
    pub(crate) fn new(pipe: Option<W>, bytes: B) -> Self {
        let mut feed = Self { pipe, bytes, written: 0, delivered: false };
        feed.close_when_done();
        feed
    }

    /// Whether there is something left to write and somebody to take it.
    pub(crate) fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    fn close_when_done(&mut self) {
        if self.written >= self.bytes.as_ref().len() {
            self.delivered = self.pipe.take().is_some();
        }
    }

    /// Writes what the pipe takes, once; waits when it takes nothing. A reader that has gone ends the writing and is
    /// no fault. Nothing is written twice when this is dropped while it waits.
    pub(crate) async fn write_some(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        let rest = self.bytes.as_ref().get(self.written..).unwrap_or_default();
        match pipe.write(rest).await {
            Ok(0) | Err(_) => self.pipe = None,
            Ok(count) => {
                self.written += count;
                self.close_when_done();
            }
        }
    }
}
