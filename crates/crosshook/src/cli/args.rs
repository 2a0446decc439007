//! The command line, as types.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Run, check and explain hooks written for Cursor, Claude Code or Codex.
#[derive(Debug, Parser)]
#[command(name = "crosshook", version, propagate_version = true, after_help = TOP_EXAMPLES, max_term_width = 90)]
pub(crate) struct Cli {
    /// When to use colour; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    #[command(subcommand)]
    pub command: Command,
}

const TOP_EXAMPLES: &str = "\
Examples:
  crosshook demo                               one guard in three formats
  crosshook check                              what in these hook files won't work
  crosshook list --home                        every hook here and in your home
  crosshook fire tool.before --command 'ls'    what would run before this command";

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List a project's hooks: where they are attached, and whether they run
    List(ListArgs),
    /// Say what in a project's hook files will not work
    Check(Box<super::check::CheckArgs>),
    /// Show what an event runs; on a yes, run it and explain the decision
    Fire(Box<super::fire::FireArgs>),
    /// Say of every hook whether an event runs it, and why not
    Why(Box<super::why::WhyArgs>),
    /// Say what an answer means to a vendor, rule by rule and field by field
    Explain(Box<super::explain::ExplainArgs>),
    /// Say what happens when a hook fails: takes too long, crashes, prints garbage
    Badday(Box<super::badday::BaddayArgs>),
    /// Keep what a hook is given and what it answers in a file
    Record(Box<super::record::RecordArgs>),
    /// Write a hook to start from: a configuration and its script
    Init(super::init::InitArgs),
    /// Say which of a project's hooks may run in hosts that keep to your trust store
    Trust(TrustArgs),
    /// Show one guard in three formats, with no set-up
    Demo(DemoArgs),
    /// Hold the adapters to the conformance vectors
    Conformance(ConformanceArgs),
    /// Be a hook of one vendor's client that runs a script written for another's
    Bridge(super::bridge::BridgeArgs),
    /// Write a project's hooks into another vendor's configuration, and say what each of them loses
    Translate(Box<super::translate::TranslateArgs>),
    /// Print the JSON Schema of a configuration, of what a hook is given, or of what it can answer
    Schema(SchemaArgs),
}

/// Which documents to read.
#[derive(Debug, Args)]
pub(crate) struct Where {
    /// The project's folder, or one hook file; the current folder if not given
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    #[command(flatten)]
    pub scope: Scope,
}

/// Which vendors and folders count.
#[derive(Clone, Debug, Args)]
pub(crate) struct Scope {
    /// Only this vendor's hooks (may be given again); for a single file: the format it is read as
    #[arg(long = "vendor", value_name = "VENDOR", value_parser = clap::builder::PossibleValuesParser::new(crosshook::VENDORS))]
    pub vendors: Vec<String>,
    /// Read the vendors' files in the home folder too, or in DIR as if it were one
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub home: Option<OsString>,
    /// Read the machine-wide files too, or those below DIR as if it were `/`
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub system: Option<OsString>,
}

/// How to print.
#[derive(Debug, Args)]
pub(crate) struct Format {
    /// How to print
    #[arg(long, value_enum, default_value_t = Form::Text, value_name = "FORMAT", overrides_with = "json")]
    pub format: Form,
    /// Short for `--format json`
    #[arg(long)]
    pub json: bool,
}

impl Format {
    /// Whether a machine reads it.
    pub(crate) fn is_json(&self) -> bool {
        self.json || self.format == Form::Json
    }
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Text,
    Json,
}

/// `list`.
#[derive(Debug, Args)]
#[command(after_help = LIST_EXAMPLES)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub place: Where,
    /// Show every place where hooks may lie, and what is there, instead of the hooks
    #[arg(long)]
    pub places: bool,
    #[command(flatten)]
    pub format: Format,
}

const LIST_EXAMPLES: &str = "\
Examples:
  crosshook list                          the project in the current folder
  crosshook list ~/src/app --home         a project, with your own hooks
  crosshook list .cursor/hooks.json       one file
  crosshook list --places --home          where hooks may lie, and what is there
  crosshook list --json | jq '.definitions[] | select(.state != \"live\")'

Exit codes: 0 done; 2 wrong arguments, or PATH cannot be read.";

/// `demo`.
#[derive(Debug, Args)]
#[command(after_help = DEMO_EXAMPLES)]
pub(crate) struct DemoArgs {
    /// Write the project to DIR and leave it there, to try things by hand
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}

const DEMO_EXAMPLES: &str = "\
Examples:
  crosshook demo              in a temporary folder that is removed again
  crosshook demo --keep demo  leaves the project, so that the printed commands work";

/// `trust`.
#[derive(Debug, Args)]
#[command(after_help = TRUST_EXAMPLES)]
pub(crate) struct TrustArgs {
    #[command(subcommand)]
    pub action: TrustAction,
}

/// What to do with the trust store.
#[derive(Debug, Subcommand)]
pub(crate) enum TrustAction {
    /// List what is trusted
    List(TrustListArgs),
    /// Show a project's hooks and, on a yes, trust them as they are now
    Add(TrustAddArgs),
    /// Trust a project's hooks no longer
    Remove(TrustRemoveArgs),
    /// Say what is not trusted in a project, or no longer what it was
    Diff(TrustDiffArgs),
}

const TRUST_EXAMPLES: &str = "\
Examples:
  crosshook trust add --scripts     this project's hooks, with the scripts they name
  crosshook trust diff              what changed since
  crosshook trust list              everything you trust
  crosshook trust remove ~/src/app  a project's hooks no longer

The store is $XDG_STATE_HOME/crosshook/trust.json, or the same in ~/.local/state.
Hosts built on crosshook can keep to it; the vendors' own clients do not know it,
and `crosshook fire` asks you instead.

Exit codes: 0 done; 1 diff: something is not trusted; 2 wrong arguments, or the
store cannot be read; 3 nothing was added, because nobody said yes.";

/// `trust list`.
#[derive(Debug, Args)]
pub(crate) struct TrustListArgs {
    /// Only what is in this folder or file
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,
    /// Another store
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    #[command(flatten)]
    pub format: Format,
}

/// `trust add`.
#[derive(Debug, Args)]
pub(crate) struct TrustAddArgs {
    #[command(flatten)]
    pub place: Where,
    /// Cover the files of the project that the commands name: when one changes, its hooks stop running
    #[arg(long)]
    pub scripts: bool,
    /// Trust them without asking. Look at them first
    #[arg(long)]
    pub yes: bool,
    /// Another store
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
}

/// `trust remove`.
#[derive(Debug, Args)]
pub(crate) struct TrustRemoveArgs {
    /// The folder or hook file; it need not exist any more. The current folder if not given
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// Another store
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
}

/// `trust diff`.
#[derive(Debug, Args)]
pub(crate) struct TrustDiffArgs {
    #[command(flatten)]
    pub place: Where,
    /// Another store
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    #[command(flatten)]
    pub format: Format,
}

/// `conformance`.
#[derive(Debug, Args)]
#[command(after_help = CONFORMANCE_EXAMPLES)]
pub(crate) struct ConformanceArgs {
    #[command(subcommand)]
    pub action: ConformanceAction,
}

/// What to do with the vectors.
#[derive(Debug, Subcommand)]
pub(crate) enum ConformanceAction {
    /// Hold the built-in adapters, or a program of yours, to vectors, and print the score
    Run(ConformanceRunArgs),
    /// List the vectors
    List(VectorArgs),
    /// Show the vectors of an id, with what they expect
    Show(ConformanceShowArgs),
    /// Serve the built-in adapters over the shim protocol, on standard input and output
    Shim,
}

const CONFORMANCE_EXAMPLES: &str = "\
Examples:
  crosshook conformance run                             the built-in adapters
  crosshook conformance run --shim 'node my-shim.mjs'   a program of yours
  crosshook conformance list --vendor codex --event Stop

A vector says, as data, what must come of a hook's answer, a matcher, a document or
several hooks. The format is in fixtures/vectors/README.md, how to use it in
docs/conformance.md, and the protocol of --shim in docs/shim-protocol.md.";

/// Which vectors.
#[derive(Debug, Args)]
pub(crate) struct VectorArgs {
    /// The vectors: a folder of them or one file; if not given, `fixtures/vectors` in the current folder or one above it
    #[arg(long, value_name = "DIR", help_heading = "Which vectors")]
    pub vectors: Option<PathBuf>,
    /// Only this vendor's; `core` for those about the core
    #[arg(long, value_name = "VENDOR", help_heading = "Which vectors")]
    pub vendor: Option<String>,
    /// Only this event's
    #[arg(long, value_name = "EVENT", help_heading = "Which vectors")]
    pub event: Option<String>,
    /// Only this kind
    #[arg(long, value_name = "KIND", help_heading = "Which vectors", value_parser = clap::builder::PossibleValuesParser::new(hooks_conformance::format::Kind::WORDS))]
    pub kind: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `conformance run`.
#[derive(Debug, Args)]
#[command(after_help = CONFORMANCE_RUN_EXAMPLES)]
pub(crate) struct ConformanceRunArgs {
    #[command(flatten)]
    pub which: VectorArgs,
    /// Hold this program to the vectors, a command line for the shell, in place of the built-in adapters
    #[arg(long, value_name = "COMMAND", help_heading = "What is held to them")]
    pub shim: Option<String>,
    /// How many seconds the program may take for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, requires = "shim", value_parser = seconds, help_heading = "What is held to them")]
    pub timeout: f64,
    /// Vectors that are known not to hold: a JSON array of {vendor, file, id, reason}
    #[arg(long, value_name = "FILE", help_heading = "What is held to them")]
    pub exceptions: Option<PathBuf>,
    /// What has a row in the score
    #[arg(long, value_enum, default_value_t = ScoreBy::Vendor, value_name = "WHAT")]
    pub by: ScoreBy,
    /// Print the score as a page in Markdown, to be kept with the code
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

/// What has a row in the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScoreBy {
    Vendor,
    Event,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3600.0 => Ok(seconds),
        _ => Err("write a number of seconds, above 0 and at most 3600".to_owned()),
    }
}

const CONFORMANCE_RUN_EXAMPLES: &str = "\
Examples:
  crosshook conformance run --by event
  crosshook conformance run --vendor codex --event Stop
  crosshook conformance run --vectors ../vectors --json
  crosshook conformance run --markdown > score.md
  crosshook conformance run --shim 'python3 shim.py' --exceptions known.json

In the score, 12 means that all of 12 vectors hold, 10/12 that ten of them do. What
the adapters or the program do not speak of is skipped, counted, and said.

Exit codes: 0 all that was judged holds; 1 something does not, or nothing was judged;
2 wrong arguments, the vectors cannot be read, or the program cannot be started.";

/// `conformance show`.
#[derive(Debug, Args)]
pub(crate) struct ConformanceShowArgs {
    /// The vector's id
    pub id: String,
    #[command(flatten)]
    pub which: VectorArgs,
}

/// `schema`.
#[derive(Debug, Args)]
#[command(after_help = SCHEMA_EXAMPLES)]
pub(crate) struct SchemaArgs {
    /// Whose format; `vectors` for the conformance vectors, `check` for what a check prints as JSON
    #[arg(value_name = "VENDOR", conflicts_with = "catalog", value_parser = super::schema::Whose)]
    pub vendor: Option<String>,
    /// The event, by the vendor's name
    #[arg(value_name = "EVENT")]
    pub event: Option<String>,
    /// What a hook of the event finds on standard input
    #[arg(long, help_heading = "What to print")]
    pub input: bool,
    /// What the vendor accepts as an answer on the event
    #[arg(long, help_heading = "What to print", conflicts_with_all = ["input", "config"])]
    pub output: bool,
    /// Of answers on the event, only what crosshook itself writes
    #[arg(long, help_heading = "What to print", conflicts_with_all = ["input", "config"])]
    pub emitted: bool,
    /// A configuration: the form NAME, or the vendor's first
    #[arg(
        long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", conflicts_with = "input",
        help_heading = "What to print"
    )]
    pub config: Option<String>,
    /// A catalogue of the configurations' schemas for editors, with each file that they are for
    #[arg(long, help_heading = "What to print", conflicts_with_all = ["input", "output", "emitted", "config", "list"])]
    pub catalog: bool,
    /// What there is; so too when nothing else is asked for
    #[arg(long, help_heading = "What to print", conflicts_with_all = ["input", "output", "emitted", "config"])]
    pub list: bool,
    /// In draft 07, for editors and validators that know no later one
    #[arg(long = "draft-07", conflicts_with_all = ["catalog", "list"])]
    pub draft_07: bool,
    /// Where the schemas lie, before each path of the catalogue; relative to the catalogue if not given
    #[arg(long, value_name = "URL", requires = "catalog")]
    pub base: Option<String>,
    /// Print the list as JSON; schemas and the catalogue always are
    #[arg(long)]
    pub json: bool,
}

const SCHEMA_EXAMPLES: &str = "\
Examples:
  crosshook schema                                        what there is
  crosshook schema claude --config > settings.schema.json
  crosshook schema codex --config hooks --draft-07        for an older editor
  crosshook schema cursor preToolUse --input              what a hook reads there
  crosshook schema claude Stop --output                   what a Stop hook can answer
  crosshook schema --catalog --base https://example.org/schemas

Exit codes: 0 done; 2 wrong arguments, or there is no such schema.";

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
