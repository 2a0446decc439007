//! `crosshook init`: a hook to start from, with its script. Nothing that is there is written over.

mod template;

use std::fmt::Write as _;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use hooks_core::text::display_line;

pub(crate) use self::template::root;
use self::template::{Starter, starter, usual};
use super::exit::{self, Done, Trouble};
use super::near::did_you_mean;
use super::out::{DIM, GOOD, HEAD, NAME, Out, WARN, paint, wrap};

/// `init`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InitArgs {
    /// Whose format to write
    #[arg(value_name = "VENDOR", value_parser = clap::builder::PossibleValuesParser::new(crosshook::VENDORS))]
    pub vendor: String,
    /// The project's folder; the current folder if not given
    #[arg(long, value_name = "DIR", default_value = ".", hide_default_value = true)]
    pub dir: PathBuf,
    /// The vendor's event; the one before a shell command if not given
    #[arg(long, value_name = "EVENT")]
    pub event: Option<String>,
    /// Move files that are in the way aside, to a name that ends in .old
    #[arg(long)]
    pub force: bool,
}

const EXAMPLES: &str = "\
Examples:
  crosshook init claude                      a guard against `rm -rf`
  crosshook init cursor --dir ~/src/app
  crosshook init codex --event Stop          a turn goes on once
  crosshook init claude --event UserPromptSubmit

It writes a configuration and a script for a POSIX shell, and says what to try
next. A configuration that is there is left as it is: what to add to it is
printed.

Exit codes: 0 written, or there as it would be written; 1 a file was in the
way, nothing was changed; 2 wrong arguments, or a file cannot be written.";

/// Runs the subcommand.
pub(crate) fn run(args: &InitArgs, out: &mut Out) -> Done {
    let codec =
        crosshook::codec(&args.vendor).ok_or_else(|| Trouble::usage(format!("{} is no vendor", args.vendor)))?;
    let name = args.event.as_deref().unwrap_or(usual(&args.vendor));
    let event = codec.event(name).ok_or_else(|| {
        let near = did_you_mean(name, codec.events().iter().map(|event| event.name));
        let trouble = Trouble::usage(format!("{} has no event `{name}`", args.vendor));
        match near {
            Some(near) => trouble.help(near),
            None => trouble.help(format!("`crosshook schema {} --list` lists them", args.vendor)),
        }
    })?;
    let starter = starter(&*codec, event, &args.dir)?;
    let width = out.width();
    let (config, script) = (args.dir.join(starter.config), args.dir.join(&starter.script));
    let mut text = String::new();
    if args.force {
        for path in [&config, &script] {
            if let Some(old) = set_aside(path)? {
                let line = format!("moved    {} to {}", shown(path), shown(&old));
                let _ = writeln!(text, "{}", paint(WARN, &line));
            }
        }
    }
    let in_the_way: Vec<&PathBuf> =
        [&config, &script].into_iter().filter(|path| path.symlink_metadata().is_ok()).collect();
    let is = |path: &Path, text: &str| std::fs::read(path).is_ok_and(|found| found == text.as_bytes());
    if is(&config, &starter.document) && is(&script, &starter.text) {
        let _ = writeln!(text, "{} and {} hold this hook already.", shown(&config), shown(&script));
        next(&mut text, args, &starter, event.name, event.boundary.is_some());
        out.print(&text);
        return Ok(exit::OK);
    }
    if !in_the_way.is_empty() {
        for path in in_the_way {
            let _ = writeln!(text, "{} is there already, and is left as it is.", paint(NAME, &shown(path)));
        }
        let _ = writeln!(text, "\nNothing was written. To have this hook too, add to {}:\n", shown(&config));
        let _ = writeln!(text, "{}", starter.document);
        let _ = writeln!(text, "and write {}, executable:\n\n{}", shown(&script), starter.text);
        let hint = "--force moves what is there aside and writes both.";
        let _ = writeln!(text, "{}", paint(DIM, hint));
        out.print(&text);
        return Ok(exit::PROBLEMS);
    }
    write(&script, &starter.text, true)?;
    write(&config, &starter.document, false)?;
    for path in [&config, &script] {
        let _ = writeln!(text, "{}  {}", paint(GOOD, "wrote  "), shown(path));
    }
    let about = format!("On {} it {}.", event.name, starter.job.about());
    let _ = writeln!(text, "\n{}", wrap(&about, width, 0));
    if event.boundary.is_none() {
        let remark = "No host but the vendor's client fires this event.";
        let _ = writeln!(text, "{}", paint(DIM, remark));
    }
    let row = crosshook::codex::events::EVENTS.iter().find(|row| row.facts.name == event.name);
    if args.vendor == "codex" && row.is_some_and(|row| !row.documented) {
        let _ = writeln!(text, "{}", paint(DIM, "The vendor does not document this event."));
    }
    next(&mut text, args, &starter, event.name, event.boundary.is_some());
    let _ = writeln!(text, "\n{}", wrap(review(&args.vendor), width, 0));
    let windows = match args.vendor.as_str() {
        "codex" => "On Windows: install Git for its `sh`, or add `commandWindows` with a command of PowerShell.",
        _ => "On Windows: the script needs a POSIX shell, which comes with Git; put `sh` before its path.",
    };
    let _ = writeln!(text, "\n{}", paint(DIM, &wrap(windows, width, 0)));
    out.print(&text);
    Ok(exit::OK)
}

/// What a vendor's client wants before it runs a project's hook.
fn review(vendor: &str) -> &'static str {
    match vendor {
        "codex" => {
            "Codex runs it when you have trusted the project, and the hook itself in `/hooks`; after a change of the \
             configuration, once more."
        }
        "claude" => "Claude Code runs it when you have trusted the folder.",
        _ => "Cursor runs it in a trusted workspace.",
    }
}

/// What to try next.
fn next(text: &mut String, args: &InitArgs, starter: &Starter, event: &str, fired: bool) {
    let here = args.dir.as_os_str() == ".";
    let folder = args.dir.to_string_lossy();
    let folder = if here { String::new() } else { format!(" {}", quoted(&display_line(&folder))) };
    let _ = writeln!(text, "\n{}", paint(HEAD, "Next"));
    let vendor = &args.vendor;
    let mut lines = vec![format!("crosshook check{folder}")];
    if fired {
        let demonstration = starter.demonstration;
        lines.push(format!("crosshook fire {event}{folder} --vendor {vendor}{demonstration} --yes"));
        let at = if here { String::new() } else { folder };
        lines.push(format!("crosshook badday{at} {event} --vendor {vendor}"));
    }
    for line in lines {
        let _ = writeln!(text, "  {}", paint(NAME, &line));
    }
}

fn shown(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    display_line(&path.to_string_lossy()).into_owned()
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-~+:@%,=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Moves a file aside, to a name that nobody has.
fn set_aside(path: &Path) -> Result<Option<PathBuf>, Trouble> {
    if path.symlink_metadata().is_err() {
        return Ok(None);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for number in 0..1000 {
        let old = if number == 0 { format!("{name}.old") } else { format!("{name}.{number}.old") };
        let old = path.with_file_name(old);
        if old.symlink_metadata().is_ok() {
            continue;
        }
        std::fs::rename(path, &old).map_err(|error| cannot("move", path, &error))?;
        return Ok(Some(old));
    }
    Err(Trouble::usage(format!("{} cannot be moved aside: every name is taken", shown(path))))
}

/// Writes a new file.
fn write(path: &Path, text: &str, executable: bool) -> Result<(), Trouble> {
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).create(folder).map_err(|error| cannot("make the folder of", path, &error))?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if executable { 0o777 } else { 0o666 });
    #[cfg(not(unix))]
    let _ = executable;
    let written = options.open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| cannot("write", path, &error))
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> Trouble {
    Trouble::usage(format!("cannot {what} {}: {error}", shown(path)))
}
