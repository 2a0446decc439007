//! The answer that is explained: from options, or from a record.

use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use hooks_core::{End, Outcome};

use crate::cli::exit::Trouble;

/// The most bytes of an output that are read.
const LIMIT: u64 = 64 << 20;

/// What a hook printed and how it ended.
#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// What the hook printed on standard output; `-` reads it from standard input
    #[arg(long, value_name = "FILE", conflicts_with = "stdout_text", help_heading = "The answer")]
    pub stdout: Option<PathBuf>,
    /// The same, as text
    #[arg(long, value_name = "TEXT", help_heading = "The answer")]
    pub stdout_text: Option<String>,
    /// What it printed on standard error; `@FILE` reads it from a file
    #[arg(long, value_name = "TEXT|@FILE", allow_hyphen_values = true, help_heading = "The answer")]
    pub stderr: Option<String>,
    /// The host cut its standard output off
    #[arg(long, help_heading = "The answer")]
    pub cut_off: bool,
    #[command(flatten)]
    pub end: EndArgs,
}

/// How a run ended: at most one of them.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct EndArgs {
    /// The exit code; 0 if nothing is said
    #[arg(long, value_name = "CODE", allow_hyphen_values = true, help_heading = "How it ended")]
    pub exit: Option<i32>,
    /// It took too long
    #[arg(long, help_heading = "How it ended")]
    pub timed_out: bool,
    /// A signal ended it
    #[arg(long, value_name = "NUMBER", help_heading = "How it ended")]
    pub signal: Option<i32>,
    /// It could not be started
    #[arg(long, help_heading = "How it ended")]
    pub failed_to_start: bool,
    /// The host cancelled it
    #[arg(long, help_heading = "How it ended")]
    pub cancelled: bool,
    /// A request was answered with this status; standard output is the body
    #[arg(long, value_name = "STATUS", help_heading = "How it ended")]
    pub http: Option<u16>,
    /// A model answered; standard output is its answer
    #[arg(long, help_heading = "How it ended")]
    pub model_answer: bool,
    /// A tool server's tool answered; standard output is its answer
    #[arg(long, help_heading = "How it ended")]
    pub tool_answer: bool,
    /// A tool server's tool answered with an error
    #[arg(long, help_heading = "How it ended")]
    pub tool_error: bool,
}

impl EndArgs {
    fn end(&self) -> Option<End> {
        let flags = [
            (self.timed_out, End::TimedOut),
            (self.failed_to_start, End::FailedToStart("no such file".to_owned())),
            (self.cancelled, End::Cancelled),
            (self.model_answer, End::Model),
            (self.tool_answer, End::Tool { is_error: false }),
            (self.tool_error, End::Tool { is_error: true }),
        ];
        let flag = flags.into_iter().find_map(|(given, end)| given.then_some(end));
        let signal = self.signal.map(End::Signalled);
        flag.or(signal).or(self.http.map(End::Http)).or(self.exit.map(End::Exited))
    }
}

impl AnswerArgs {
    /// Whether anything is said.
    pub(crate) fn is_given(&self) -> bool {
        self.stdout.is_some()
            || self.stdout_text.is_some()
            || self.stderr.is_some()
            || self.cut_off
            || self.end.end().is_some()
    }

    /// The outcome that they describe.
    pub(crate) fn outcome(&self) -> Result<Outcome, Trouble> {
        let mut outcome = Outcome::ended(self.end.end().unwrap_or(End::Exited(0)));
        outcome.stdout = match (&self.stdout, &self.stdout_text) {
            (Some(path), _) => read(path, "--stdout")?,
            (None, Some(text)) => text.as_bytes().to_vec(),
            (None, None) => Vec::new(),
        };
        outcome.stderr = match &self.stderr {
            Some(text) => match text.strip_prefix('@') {
                Some(path) => read(Path::new(path), "--stderr")?,
                None => text.as_bytes().to_vec(),
            },
            None => Vec::new(),
        };
        outcome.stdout_truncated = self.cut_off;
        Ok(outcome)
    }
}

/// A file's bytes, or those of standard input.
pub(crate) fn read(path: &Path, option: &str) -> Result<Vec<u8>, Trouble> {
    let mut bytes = Vec::new();
    let shown = path.display();
    let read = if path == Path::new("-") {
        if std::io::stdin().is_terminal() {
            let _ = writeln!(std::io::stderr(), "{option}: reading what you type; Ctrl-D ends it");
        }
        std::io::stdin().lock().take(LIMIT + 1).read_to_end(&mut bytes)
    } else if path.is_dir() {
        return Err(Trouble::usage(format!("{shown} is a folder; {option} wants a file")));
    } else {
        std::fs::File::open(path).and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| Trouble::usage(format!("cannot read {shown}: {error}")))?;
    if bytes.len() as u64 > LIMIT {
        return Err(Trouble::usage(format!("{shown} is larger than {} MB", LIMIT >> 20)));
    }
    Ok(bytes)
}
