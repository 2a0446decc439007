//! `crosshook check`: everything that will not do what it seems to.

use std::collections::BTreeMap;

use hooks_core::text::display_line;
use hooks_core::{Diagnostic, Severity};

use super::args::{CheckArgs, FailOn};
use super::exit::{self, Done};
use super::out::{GOOD, Out, paint};
use super::project::Project;
use super::render;
use super::view::ProjectView;

/// How many diagnostics of one file are drawn.
const DRAWN: usize = 100;

/// Runs the subcommand.
pub(crate) fn run(args: &CheckArgs, out: &mut Out) -> Done {
    let project = Project::open(&args.place)?;
    if args.format.is_json() {
        out.json(&ProjectView::of(&project));
    } else {
        let mut drawn: BTreeMap<&str, usize> = BTreeMap::new();
        for found in &project.diagnostics {
            let count = drawn.entry(&found.path).or_default();
            *count += 1;
            if *count <= DRAWN {
                let drawn = draw(&project, found, out.width());
                out.print(&(drawn + "\n\n"));
            }
        }
        for (path, count) in drawn.into_iter().filter(|(_, count)| *count > DRAWN) {
            let path = display_line(&project.shown(path)).into_owned();
            out.print(&format!("And {} more in {path}; --json has them all.\n\n", count - DRAWN));
        }
        let files = project.documents().count();
        let files = format!("{files} {}", if files == 1 { "file" } else { "files" });
        let hooks = project.definitions.len();
        let hooks = format!("{hooks} {}", if hooks == 1 { "hook" } else { "hooks" });
        out.print(&match project.problems() {
            Some(problems) => format!("{problems} in {files} with {hooks}.\n"),
            None if project.documents().next().is_none() => project.nothing_found(out.width()),
            None => format!("{} in {files} with {hooks}.\n", paint(GOOD, "No problems")),
        });
    }
    let limit = match args.fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Info => Severity::Info,
    };
    let failed = project.refused.is_some() || project.diagnostics.iter().any(|found| found.severity >= limit);
    Ok(if failed { exit::PROBLEMS } else { exit::OK })
}

/// A diagnostic as it is drawn for a project.
fn draw(project: &Project, found: &Diagnostic, width: usize) -> String {
    let path = project.shown(&found.path);
    render::diagnostic(found, &display_line(&path), project.bytes(&found.path), width)
}
