//! What a binding asks a runner to execute, and how that ended.

use std::time::Duration;

use crate::boundary::Boundary;
use crate::effects::EnvReach;
use crate::handler::{Handler, Shell};

/// What a binding asks a runner to execute. Its standard input is in the buffer that was given to `encode`.
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    /// What to run.
    pub program: Program,
    /// The working directory.
    pub cwd: String,
    /// Where it runs instead when that folder is gone: the first of these that is there. Empty where it then fails.
    pub cwd_else: Vec<Folder>,
    /// Which environment is the ground that the other fields change.
    pub env_base: EnvBase,
    /// Variables to set over it.
    pub env: Vec<(String, String)>,
    /// Variables to take out of it, before the session's and these are set. A trailing `*` stands for any ending.
    pub env_remove: Vec<String>,
    /// Variables that the program gets from nowhere: taken out last, whatever the case of their letters.
    pub env_scrub: Vec<String>,
    /// The file that it may write variables for later programs to. The runner makes it and sets the variable.
    pub session_file: Option<SessionFile>,
    /// The time limit.
    pub timeout: Duration,
    /// How the run ends.
    pub rules: RunRules,
}

impl Invocation {
    /// A program in a folder, with the runner's environment as it is.
    #[must_use]
    pub const fn new(program: Program, cwd: String, timeout: Duration, rules: RunRules) -> Self {
        Self {
            program,
            cwd,
            cwd_else: Vec::new(),
            env_base: EnvBase::Current,
            env: Vec::new(),
            env_remove: Vec::new(),
            env_scrub: Vec::new(),
            session_file: None,
            timeout,
            rules,
        }
    }
}

/// A folder to run in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Folder {
    /// The folder of a path.
    Path(String),
    /// The user's home, which the runner knows.
    Home,
    /// The system's folder for temporary files, which the runner knows.
    Temp,
}

/// Which environment is the ground of a program's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EnvBase {
    /// The runner's, as it is when the program is started.
    #[default]
    Current,
    /// The one that was there when the session started. A runner that kept none takes its own.
    SessionStart,
}

/// A file of shell text that some hooks of a session write and later programs read: the vendor's rule as data.
///
/// One file a session: all its hooks that name it get the same. What a hook appends stays until the file is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SessionFile {
    /// A short name, unlike those of the vendor's other files: letters and hyphens.
    pub name: &'static str,
    /// The variable that tells a hook where the file is.
    pub variable: &'static str,
    /// The programs that its text is for, before their own.
    pub reach: EnvReach,
    /// It is emptied whenever one of these occurs, before that occurrence's hooks run.
    pub cleared_on: &'static [Boundary],
}

/// What to run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Program {
    /// A text for a shell.
    ShellText {
        /// Which shell.
        shell: ShellKind,
        /// The text, one argument of the shell.
        text: String,
    },
    /// A program with its arguments, without a shell.
    Exec {
        /// The program, looked up on `PATH`.
        program: String,
        /// Its arguments.
        args: Vec<String>,
    },
    /// Not a program: the host runs it.
    Hosted(Box<Handler>),
}

/// Which shell a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShellKind {
    /// `sh -c` on Unix, the platform's own elsewhere.
    Sh,
    /// The user's login shell with `-c`; `sh` where it is not known.
    UserLogin,
    /// `bash -c`.
    Bash,
    /// PowerShell.
    PowerShell,
    /// `sh -c` on Unix; on Windows the Bash that comes with Git, and PowerShell where that is missing.
    ShOrGitBash,
}

impl From<Shell> for ShellKind {
    fn from(shell: Shell) -> Self {
        match shell {
            Shell::Default => Self::Sh,
            Shell::Bash => Self::Bash,
            Shell::PowerShell => Self::PowerShell,
        }
    }
}

/// When a run counts as answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Completion {
    /// When the process has ended and both its pipes are closed.
    EndOfFile,
    /// When the process has ended and standard output holds one complete JSON object, else at end of file.
    CompleteJson,
}

/// How a vendor's runs end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunRules {
    /// When a run counts as answered.
    pub completion: Completion,
    /// Whether a first line `{"async": true}` sends the run to the background. Its time limit stays the one it has: what
    /// else the line says is not part of the rule.
    pub detach_on_async_line: bool,
    /// How long after the first signal the whole group is killed. Zero kills at once.
    pub kill_grace: Duration,
    /// At most so many bytes of standard output are kept; what is beyond is read and counted, and marks the output as cut
    /// off.
    pub stdout_cap: usize,
    /// Likewise for standard error.
    pub stderr_cap: usize,
}

impl RunRules {
    /// Bytes of output kept when nothing else is said: 64 MiB, more than any vendor was seen to limit to.
    pub const DEFAULT_CAP: usize = 64 << 20;
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The process ended by itself with this code.
    Exited(i32),
    /// A signal ended the process.
    Signalled(i32),
    /// The time limit was reached.
    TimedOut,
    /// The host cancelled it.
    Cancelled,
    /// It could not be started; the text says why.
    FailedToStart(String),
    /// A request was answered with this status.
    Http(u16),
    /// A tool server's tool answered.
    Tool {
        /// Whether the server calls the answer an error.
        is_error: bool,
    },
    /// A model answered; the answer is the standard output.
    Model,
    /// It was not run; the text says why.
    NotRun(String),
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Standard output, or what stands in its place.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// Whether standard output was cut off by the runner.
    pub stdout_truncated: bool,
    /// Whether standard error was.
    pub stderr_truncated: bool,
    /// How many bytes of standard output were read beyond what was kept.
    pub stdout_beyond: u64,
    /// Likewise for standard error.
    pub stderr_beyond: u64,
    /// Whether all of standard input was taken.
    pub stdin_delivered: bool,
    /// How long it took.
    pub duration: Duration,
    /// Its place in the order in which the runs of the firing finished, from 0.
    pub finished: u32,
}

impl Outcome {
    /// A run that ended in some way and printed nothing.
    #[must_use]
    pub const fn ended(end: End) -> Self {
        Self {
            end,
            stdout: Vec::new(),
            stderr: Vec::new(),
            stdout_truncated: false,
            stderr_truncated: false,
            stdout_beyond: 0,
            stderr_beyond: 0,
            stdin_delivered: true,
            duration: Duration::ZERO,
            finished: 0,
        }
    }

    /// A run that exited with a code and printed this.
    #[must_use]
    pub fn exited(code: i32, stdout: impl Into<Vec<u8>>) -> Self {
        Self { stdout: stdout.into(), ..Self::ended(End::Exited(code)) }
    }

    /// Standard output as text; what is no UTF-8 is replaced by U+FFFD.
    #[must_use]
    pub fn stdout_text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.stdout)
    }

    /// Standard error as text; what is no UTF-8 is replaced by U+FFFD.
    #[must_use]
    pub fn stderr_text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.stderr)
    }
}

/// A binding that matched and could not be turned into an invocation. It still goes through `decode`, so that the
/// vendor's failure rule applies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not run: {0}")]
pub struct NotRun(pub String);

impl From<NotRun> for Outcome {
    fn from(NotRun(why): NotRun) -> Self {
        Self::ended(End::NotRun(why))
    }
}
