//! `crosshook check --list-codes`: every code there is.

use std::fmt::Write as _;

use crosshook::check::all_codes;
use hooks_core::{Code, Severity};
use serde::Serialize;

use super::args::CheckArgs;
use crate::cli::out::{BAD, DIM, NAME, Out, WARN, columns, pad, wrap};
use crate::cli::report::Form;

#[derive(Serialize)]
struct CodeView {
    code: &'static str,
    severity: &'static str,
    summary: &'static str,
    help: &'static str,
}

/// Prints the codes in the order of their names.
pub(super) fn list(args: &CheckArgs, out: &mut Out) {
    let mut codes = all_codes();
    codes.sort_unstable_by_key(|code| code.id);
    if args.form() == Form::Json {
        let view = |code: &&'static Code| CodeView {
            code: code.id,
            severity: code.severity.as_str(),
            summary: code.summary,
            help: code.help,
        };
        return out.json(&codes.iter().map(view).collect::<Vec<_>>());
    }
    let mut text = String::new();
    for code in codes {
        let style = match code.severity {
            Severity::Error => BAD,
            Severity::Warning => WARN,
            Severity::Info => DIM,
        };
        let gap = out.width().saturating_sub(columns(code.id) + columns(code.severity.as_str()));
        let _ = writeln!(
            text,
            "{}{}",
            pad(NAME, code.id, columns(code.id) + gap.min(2)),
            pad(style, code.severity.as_str(), 0)
        );
        let _ = writeln!(text, "    {}", wrap(code.summary, out.width(), 4));
    }
    out.print(&text);
}
