//! What the command's exit codes mean: part of its interface, told in `--help`.

/// All went well; for `fire`: no hook has anything against it.
pub(crate) const OK: u8 = 0;
/// `check` and `conformance run`: problems were found.
pub(crate) const PROBLEMS: u8 = 1;
/// The arguments are wrong, or what they name cannot be read.
pub(crate) const USAGE: u8 = 2;
/// `fire`: nothing was run, because nobody said yes.
pub(crate) const NOT_RUN: u8 = 3;
/// `fire`: the action is denied.
pub(crate) const DENY: u8 = 10;
/// `fire`: a person is to be asked.
pub(crate) const ASK: u8 = 11;
/// `fire`: the call is put off.
pub(crate) const DEFER: u8 = 12;
/// `fire`: the prompt, turn, compaction, subagent or session is stopped.
pub(crate) const HALT: u8 = 13;
/// `fire`: the turn or the subagent goes on with another text.
pub(crate) const CONTINUE: u8 = 14;

/// Why a subcommand could not do its work.
#[derive(Debug)]
pub(crate) struct Trouble {
    /// What is wrong.
    pub message: String,
    /// What to do instead.
    pub help: Option<String>,
    /// The exit code.
    pub code: u8,
}

impl Trouble {
    /// Wrong arguments, or something that cannot be read.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, code: USAGE }
    }

    /// With a way out.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A subcommand's exit code, or why it has none.
pub(crate) type Done = Result<u8, Trouble>;
