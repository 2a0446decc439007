//! `crosshook record`: what a hook was given and what it answered, as a file that `fire --payload` and `explain` take
//! back: of a firing here, or, as a wrapper in a hook file, of a vendor's own client.

pub(crate) mod file;
mod format;
mod wrap;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use hooks_conformance::format::Text;

use self::file::Place;
pub(crate) use self::format::{HookOf, Record, SCHEMA, event_name, files, read_text, stdin_of};
use super::exit::{self, Done, Trouble};
use super::fire::{self, FireArgs, Fired, Prepared};
use super::out::{Out, WARN, paint};

/// `record`.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "crosshook record [--out PATH] EVENT [PATH] [OPTIONS OF fire]\n       crosshook record [--out PATH] [--vendor VENDOR] -- COMMAND..."
)]
pub(crate) struct RecordArgs {
    #[command(flatten)]
    pub fire: FireArgs,
    /// A folder to write to, or one file ending in .json; $XDG_STATE_HOME/crosshook/records if not given
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Print the JSON Schema of records
    #[arg(long, exclusive = true)]
    pub schema: bool,
    /// Record this command in place of a firing: for a hook file
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "event")]
    pub command: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  crosshook record tool.before --command 'rm -rf build' --yes
  crosshook record PreToolUse --vendor claude --out records --yes
  crosshook explain records/                  what the recorded answers mean
  crosshook fire --payload records/1.json     the same occurrence again

In a hook file, to record what a vendor's own client gives and gets:
  \"command\": \"crosshook record --out /tmp/records -- ./guard.sh\"
  \"command\": \"crosshook record -- sh -c 'jq -r .prompt | ./scan.sh'\"

The command gets standard input as it is, and what it prints, its exit code and
the signal that ended it reach the client unchanged. A record that cannot be
written changes nothing: it is said on standard error after exit code 0 only,
where no client reads it. A hook that leaves a program with its output open
ends for the client when that ends too. Each run has a file of its own.

RECORDS HOLD SECRETS: prompts, commands, file contents, whatever passes through.
Only you may read the files (mode 0600). Look before you share one.

Exit codes: those of `fire`, or of COMMAND; 127 and 126 where it cannot be
started.";

/// Runs the subcommand.
pub(crate) fn run(args: &RecordArgs, out: &mut Out) -> Done {
    if args.schema {
        out.print(SCHEMA);
        return Ok(exit::OK);
    }
    let place = Place::of(args.out.as_deref());
    if !args.command.is_empty() {
        let vendor = match args.fire.place.scope.vendors.as_slice() {
            [vendor] => Some(vendor.as_str()),
            _ => None,
        };
        wrap::run(&args.command, place, vendor);
    }
    if args.fire.event.is_none() && args.fire.happened.payload.is_none() {
        return Err(Trouble::usage("there is nothing to record").help(
            "name an event to fire, as in `crosshook record tool.before`, or a command, as in `crosshook record -- ./guard.sh`",
        ));
    }
    let place = place
        .map_err(|why| Trouble::usage(format!("there is no place for records: {why}")).help("name one with --out"))?;
    fire::run_with(&args.fire, out, &mut |prepared, fired, out| keep(prepared, fired, &place, out))
}

/// Writes a record of each run of a firing.
fn keep(prepared: &Prepared, fired: &Fired, place: &Place, out: &mut Out) {
    for record in records(prepared, fired) {
        match place.write(&record) {
            Ok(path) => out.remark(&format!("recorded  {}", hooks_core::text::display_line(&path.to_string_lossy()))),
            Err(error) => {
                let why = format!("{}: {error}", place.path().display());
                out.remark(&format!("{} {}", paint(WARN, "not recorded:"), hooks_core::text::display_line(&why)));
            }
        }
    }
}

/// A record of each run that has ended.
fn records(prepared: &Prepared, fired: &Fired) -> Vec<Record> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    let mut records = Vec::new();
    for run in fired.runs() {
        let Some(outcome) = fired.outcome(run) else { continue };
        let (command, cwd) = match &run.invocation {
            Ok(invocation) => (fire::program(invocation), invocation.cwd.clone()),
            Err(_) => (run.binding.handler.label(), prepared.root()),
        };
        let mut record = Record::begun(now, vec![command], cwd).ended(outcome);
        record.vendor = Some(run.vendor().to_string());
        record.event = Some(run.event().to_owned());
        record.hook = Some(HookOf::of(&run.binding, prepared.line(&run.binding)));
        record.stdin = Text::of(&run.stdin);
        records.push(record);
    }
    records
}
