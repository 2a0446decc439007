//! `crosshook check --fix`: what is mended, told and written.

use std::path::Path;

use crosshook::check::fix::{self, Made, Mended, Which};
use crosshook::check::rules::Standing;
use crosshook::check::{Checked, Request};
use hooks_core::text::{display_line, display_untrusted};

use super::args::CheckArgs;
use super::settings::Settings;
use super::sum::shown;
use crate::cli::out::{BAD, DIM, GOOD, NAME, Out, WARN, paint};

/// Mends what counts, in memory.
pub(super) fn mend(request: &Request, which: Which, settings: &Settings) -> Mended {
    fix::mend(request, which, &|told| settings.standing(told) != Standing::Allowed)
}

/// Writes what was mended, or prints it where nothing shall be written, and tells of it on standard error. Whether a file
/// could not be written.
pub(super) fn carry_out(args: &CheckArgs, mended: &Mended, checked: &Checked, is_dry: bool, out: &mut Out) -> bool {
    let roots: Vec<&Path> = checked.projects.iter().map(|project| project.root.as_path()).collect();
    let named: Vec<&Path> = args.paths.iter().map(AsRef::as_ref).filter(|path: &&Path| path.is_file()).collect();
    let mut failed = false;
    let mut unwritten: Vec<&Path> = Vec::new();
    for file in &mended.files {
        let path = shown(&file.path, None);
        if is_dry {
            let diff = file.diff(&path);
            // Whatever stands in a file must not reach a terminal raw; a program wants it as it is.
            let diff = if out.is_terminal() { display_untrusted(&diff).into_owned() } else { diff };
            out.print(&diff);
        } else if let Err(why) = file.write(&roots, &named) {
            out.error(&format!("`{path}` is left as it is: {why}"), None);
            unwritten.push(&file.path);
            failed = true;
        }
    }
    if !args.quiet {
        let is_written = |made: &&Made| !unwritten.contains(&made.path.as_path());
        tell(args, mended, &mended.made.iter().filter(is_written).collect::<Vec<_>>(), is_dry, out);
    }
    failed
}

fn tell(args: &CheckArgs, mended: &Mended, made: &[&Made], is_dry: bool, out: &mut Out) {
    let count = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let mut files: Vec<&Path> = made.iter().map(|made| made.path.as_path()).collect();
    files.sort_unstable();
    files.dedup();
    let (verb, style) = if is_dry { ("would mend", NAME) } else { ("mended", GOOD) };
    if !made.is_empty() {
        let what = format!("{} in {}", count(made.len(), "problem"), count(files.len(), "file"));
        out.remark(&format!("{}: {what}", paint(style, verb)));
    }
    // What changes what hooks do is told one by one; the rest where somebody wants to know.
    for one in made.iter().filter(|one| args.verbose || one.changes.is_some()) {
        out.remark(&line(one, one.changes.as_deref().map(|what| ("this changes: ", what))));
    }
    for one in &mended.unsafe_edits {
        let why = match one.changes {
            None => "the file would come to other hooks",
            Some(_) => "the vendor would not take the file any more",
        };
        out.remark(&line(one, Some(("not mended: ", why))));
    }
    if !mended.changing.is_empty() {
        let more = count(mended.changing.len(), "more problem");
        let flag = if args.diff && args.fix.is_none() { "--fix=all --diff" } else { "--fix=all" };
        out.remark(&format!(
            "{}: {more} can be mended, which changes what hooks do; {flag} does it",
            paint(WARN, "left")
        ));
        for one in &mended.changing {
            out.remark(&line(one, one.changes.as_deref().map(|what| ("this would change: ", what))));
        }
    }
    if made.is_empty() && mended.changing.is_empty() && mended.unsafe_edits.is_empty() {
        out.remark("nothing that can be mended");
    }
}

/// A fault with what mending it means, in a line or two.
fn line(one: &Made, more: Option<(&str, &str)>) -> String {
    let place = format!("{}: ", shown(&one.path, None));
    let head = format!("  {}{}: {}", display_line(&place), paint(DIM, one.code), display_line(&one.message));
    match more {
        Some((word, what)) => format!("{head}\n    {}{}", paint(BAD, word), display_line(what)),
        None => head,
    }
}
