//! The arguments of `crosshook fire`.

use clap::Args;

use crate::cli::args::{Format, Where};
use crate::cli::occasion::ForWhom;
use crate::cli::payload::Happened;

/// `fire`.
#[derive(Debug, Args)]
#[command(after_help = FIRE_EXAMPLES)]
pub(crate) struct FireArgs {
    /// A vendor's event (`PreToolUse`, `beforeShellExecution`) or a boundary (`tool.before`); the payload's own if not
    /// given
    #[arg(value_name = "EVENT|BOUNDARY")]
    pub event: Option<String>,
    #[command(flatten)]
    pub place: Where,
    #[command(flatten)]
    pub happened: Happened,
    #[command(flatten)]
    pub whom: ForWhom,
    /// Run the hooks without asking. They are somebody's commands: look at them first
    #[arg(long, conflicts_with = "dry_run")]
    pub yes: bool,
    /// Show what would run, and run nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Say of every other hook why it does not run
    #[arg(long)]
    pub why: bool,
    /// Say rule by rule how the answers led to the decision, and who said each part of it
    #[arg(long)]
    pub explain: bool,
    /// Fire as a host that blocks whatever it cannot evaluate
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub format: Format,
}

const FIRE_EXAMPLES: &str = "\
Examples:
  crosshook fire tool.before --command 'rm -rf build'           show, then ask
  crosshook fire PreToolUse --vendor claude --command ls --yes  run Claude Code's hooks
  crosshook fire preToolUse --tool Read --input '{\"file_path\": \"a.txt\"}' --dry-run
  crosshook fire prompt.submit --prompt 'hello' --why
  crosshook fire tool.before --command ls --yes --explain       and why it is decided so
  crosshook fire Stop --payload recorded.json --yes --json
  crosshook fire --payload records/1.json     what `crosshook record` recorded

What nothing is said about is made up, and shown. A project's hooks run because
you say yes: no vendor's own question about trust is asked.

Exit codes:
   0  no hook runs, or none has anything against it (no opinion or approved); --dry-run
   2  wrong arguments, or something cannot be read
   3  hooks were shown and not run, because nobody said yes
  10  denied                13  prompt, turn or session stopped
  11  a person is asked     14  the turn goes on with a hook's text
  12  put off
Where several hold, the first of 10, 13, 12, 11, 14.";
