//! `crosshook check`: everything that will not do what it seems to.

mod args;
mod codes;
mod mend;
mod settings;
mod sum;

use std::io::Read as _;
use std::path::PathBuf;

use crosshook::check::{Buffer, Checked, Request, check};
use hooks_core::document::SIZE_LIMIT;
use hooks_core::text::display_line;

pub(crate) use args::CheckArgs;
use settings::Settings;
pub(crate) use settings::{chosen_host, host_of};
use sum::Sum;

use super::exit::{self, Done, Trouble};
use super::out::Out;
use super::project::request;
use super::report;

/// Runs the subcommand.
pub(crate) fn run(args: &CheckArgs, out: &mut Out) -> Done {
    if let Some(code) = &args.explain {
        let page = report::explain(code, out.width())?;
        out.print(&page);
        return Ok(exit::OK);
    }
    if args.list_codes {
        codes::list(args, out);
        return Ok(exit::OK);
    }
    let settings = Settings::of(args)?;
    let request = ask(args, &settings)?;
    let mended = args.mends().map(|which| mend::mend(&request, which, &settings));
    let (checked, mended) = match mended {
        Some(mut mended) => (std::mem::take(&mut mended.checked), Some(mended)),
        None => (check(&request), None),
    };
    let mut trouble = report_unusable(&checked, out);
    tell_of_skipped(args, &checked, out);
    let is_dry = args.dry_run || args.diff;
    if let Some(mended) = &mended {
        trouble |= mend::carry_out(args, mended, &checked, is_dry, out);
        if is_dry {
            let code = if mended.files.is_empty() { exit::OK } else { exit::PROBLEMS };
            return Ok(if trouble { exit::USAGE } else { code });
        }
    }
    if checked.projects.is_empty() && trouble {
        return Ok(exit::USAGE);
    }
    let mut sum = Sum::of(args, &settings, &checked, out.width());
    if args.write_baseline {
        sum.write_baseline(&settings, out)?;
    }
    let failed = sum.has_failed();
    let code = match (trouble, failed) {
        (true, _) => exit::USAGE,
        (false, true) => exit::PROBLEMS,
        (false, false) => exit::OK,
    };
    sum.into_report(code).print(args.form(), args.loudness(), out);
    Ok(code)
}

/// What to ask the checker for.
fn ask(args: &CheckArgs, settings: &Settings) -> Result<Request, Trouble> {
    let here = || vec![PathBuf::from(".")];
    let paths = if args.paths.is_empty() { here() } else { args.paths.clone() };
    let mut request = request(paths, &args.scope);
    if request.vendors.is_empty() {
        request.vendors.clone_from(&settings.config.vendors);
    }
    request.recursive = args.recursive;
    request.adapters.clone_from(&settings.adapters);
    request.host.clone_from(&settings.host);
    request.excluded.clone_from(&settings.config.excluded);
    if let Some(path) = args.as_path.clone().filter(|_| args.stdin) {
        // The format is the one that somebody says, or that its place tells; a configuration's vendors choose files.
        request.vendors.clone_from(&args.scope.vendors);
        let mut bytes = Vec::new();
        let limit = u64::try_from(SIZE_LIMIT).unwrap_or(u64::MAX).saturating_add(1);
        std::io::stdin()
            .take(limit)
            .read_to_end(&mut bytes)
            .map_err(|error| Trouble::usage(format!("cannot read standard input: {error}")))?;
        if bytes.len() > SIZE_LIMIT {
            return Err(Trouble::usage(format!("standard input has more than the {SIZE_LIMIT} bytes that are read")));
        }
        request.buffer = Some(Buffer { path, bytes });
    }
    Ok(request)
}

/// Says what could not be used; whether there was any.
fn report_unusable(checked: &Checked, out: &mut Out) -> bool {
    for unusable in &checked.unusable {
        // A path may hold line ends.
        out.error(&display_line(&unusable.why), unusable.help.as_deref());
    }
    !checked.unusable.is_empty()
}

/// Folders that are named where nobody wants to read all of them.
const NAMED: usize = 5;

/// Says which folders a walk passed over.
fn tell_of_skipped(args: &CheckArgs, checked: &Checked, out: &mut Out) {
    if checked.skipped.is_empty() || args.quiet {
        return;
    }
    let most = if args.verbose { usize::MAX } else { NAMED };
    let shown: Vec<String> = checked.skipped.iter().take(most).map(|path| sum::shown(path, None)).collect();
    let more = checked.skipped.len().saturating_sub(shown.len());
    let more = if more == 0 { String::new() } else { format!(", and {more} more (--verbose names them)") };
    out.remark(&format!("passed over: {}{more}", display_line(&shown.join(", "))));
}
