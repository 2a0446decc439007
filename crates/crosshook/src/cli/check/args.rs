//! The arguments of `check`.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueEnum};
use crosshook::check::fix::Which;
use crosshook::check::rules::Word;
use hooks_core::Severity;

use crate::cli::args::Scope;
use crate::cli::report::{Form, Loudness};

/// `check`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// Folders of projects, and hook files; the current folder if not given
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub scope: Scope,
    /// Check every hook file below the folders; node_modules, .git and target are passed over
    #[arg(long)]
    pub recursive: bool,
    /// Check a text from standard input in place of the file that --as names; the rest of its project is read from disk
    #[arg(long, requires = "as_path", conflicts_with_all = ["paths", "recursive", "fix", "diff", "write_baseline"])]
    pub stdin: bool,
    /// The file that the text of --stdin is going to be
    #[arg(long = "as", value_name = "PATH", requires = "stdin")]
    pub as_path: Option<PathBuf>,
    /// The client in use, as `claude=2.1.300` (may be given again); with --vendor, its version alone. The newest recorded
    /// one if not given
    #[arg(long, value_name = "VERSION", help_heading = "For whom")]
    pub vendor_version: Vec<String>,
    /// The host that would run the hooks: `full` as the vendors' own clients, `commands` for one that runs no other
    /// handlers, or the JSON file of its profile
    #[arg(long, value_name = "NAME|FILE", help_heading = "For whom")]
    pub host: Option<String>,
    #[command(flatten)]
    pub rules: RuleArgs,
    /// The least severity that fails where no --deny or --allow says otherwise; warning if not given
    #[arg(long, value_enum, value_name = "SEVERITY", help_heading = "What fails")]
    pub fail_on: Option<FailOn>,
    /// A file of known findings: they do not fail, and those that no longer occur are told of
    #[arg(long, value_name = "FILE", help_heading = "What fails")]
    pub baseline: Option<PathBuf>,
    /// Write everything that is found to the file of known findings
    #[arg(long, help_heading = "What fails")]
    pub write_baseline: bool,
    /// Another configuration than the nearest `.crosshook.toml`
    #[arg(long, value_name = "FILE", help_heading = "What fails")]
    pub config: Option<PathBuf>,
    /// Read no configuration
    #[arg(long, conflicts_with = "config", help_heading = "What fails")]
    pub no_config: bool,
    /// Mend what can be mended without changing what hooks do; =all: also what changes it
    #[arg(
        long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "safe",
        help_heading = "Mending"
    )]
    pub fix: Option<Fix>,
    /// With --fix, write nothing and print what would change as a diff
    #[arg(long, requires = "fix", help_heading = "Mending")]
    pub dry_run: bool,
    /// Short for `--fix --dry-run`
    #[arg(long, help_heading = "Mending")]
    pub diff: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = Form::Text, value_name = "FORMAT", overrides_with = "json")]
    pub format: Form,
    /// Short for `--format json`
    #[arg(long)]
    pub json: bool,
    /// One line a finding, and nothing else
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say of each finding why it is so, and show those that the baseline knows
    #[arg(long, short)]
    pub verbose: bool,
    /// Print the page of a code, and check nothing
    #[arg(long, value_name = "CODE", exclusive = true, help_heading = "About codes")]
    pub explain: Option<String>,
    /// List every code with its severity and what is wrong, and check nothing
    #[arg(long, conflicts_with_all = ["stdin", "fix", "diff", "write_baseline"], help_heading = "About codes")]
    pub list_codes: bool,
}

impl CheckArgs {
    /// How the report is printed.
    pub(super) fn form(&self) -> Form {
        if self.json { Form::Json } else { self.format }
    }

    /// How much is printed for people.
    pub(super) const fn loudness(&self) -> Loudness {
        match (self.quiet, self.verbose) {
            (true, _) => Loudness::Quiet,
            (_, true) => Loudness::Verbose,
            _ => Loudness::Normal,
        }
    }

    /// What is mended, if anything.
    pub(super) fn mends(&self) -> Option<Which> {
        match (self.fix, self.diff) {
            (Some(Fix::All), _) => Some(Which::All),
            (Some(Fix::Safe), _) | (None, true) => Some(Which::Safe),
            (None, false) => None,
        }
    }
}

/// What makes a check fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Error,
    Warning,
    Info,
}

impl From<FailOn> for Severity {
    fn from(fail_on: FailOn) -> Self {
        match fail_on {
            FailOn::Error => Self::Error,
            FailOn::Warning => Self::Warning,
            FailOn::Info => Self::Info,
        }
    }
}

/// What is mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fix {
    /// What keeps what the hooks do
    Safe,
    /// What changes it too
    All,
}

/// `--deny` and `--allow`, in the order in which they stand on the command line.
#[derive(Debug, Default)]
pub(crate) struct RuleArgs {
    pub rules: Vec<(Word, String)>,
}

const WORDS: [(&str, Word, &str); 2] = [
    (
        "deny",
        Word::Deny,
        "Fail on a code, on codes by a pattern (`cursor/*`), or on a severity and what is louder (may be given again)",
    ),
    (
        "allow",
        Word::Allow,
        "Say nothing of a code, a pattern, or a severity and what is quieter. Of --deny and --allow the last one wins",
    ),
];

impl Args for RuleArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        WORDS.into_iter().fold(command, |command, (name, _, help)| {
            let arg = Arg::new(name).long(name).help(help).value_name("CODE|LEVEL").help_heading("What fails");
            command
                .arg(arg.action(ArgAction::Append).value_delimiter(',').value_parser(NonEmptyStringValueParser::new()))
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for RuleArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut rules: Vec<(usize, Word, String)> = Vec::new();
        for (name, word, _) in WORDS {
            let texts = matches.get_many::<String>(name).into_iter().flatten();
            let places = matches.indices_of(name).into_iter().flatten();
            rules.extend(places.zip(texts).map(|(at, text)| (at, word, text.clone())));
        }
        rules.sort_by_key(|(at, ..)| *at);
        Ok(Self { rules: rules.into_iter().map(|(_, word, text)| (word, text)).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

const EXAMPLES: &str = "\
Examples:
  crosshook check                              the project in the current folder
  crosshook check .claude/settings.json        one file
  crosshook check --recursive ~/src            every project below a folder
  crosshook check --diff                       what --fix would change
  crosshook check --fix=all                    mend all that can be mended
  crosshook check --format sarif > out.sarif   for code scanning
  crosshook check --deny info --allow 'claude/*'
  crosshook check --write-baseline --baseline known.json
  crosshook check --explain cursor/matcher-not-regex
  crosshook check --stdin --as .cursor/hooks.json < buffer

A code is told of, denied (the check fails) or allowed (it is not told of).
Warnings and errors are denied where nothing says otherwise. Settings for a
project stand in .crosshook.toml, in its table [check]. Nothing in the home
folder is read without --home, and nothing machine-wide without --system.

Exit codes:
   0  nothing found that is denied; --explain and --list-codes; with --diff:
      nothing to mend
   1  something is denied, or a session would be refused; with --diff:
      something would be mended
   2  wrong arguments, or something that was named cannot be read or written;
      all else is checked all the same";
