//! A report as workflow commands: GitHub shows each beside the lines it is about.
//!
//! Findings that the baseline knows are left out. Paths start from the workspace, which is where GitHub looks them up.

use std::fmt::Write as _;
use std::path::PathBuf;

use hooks_core::Severity;
use hooks_core::text::display_untrusted;

use super::place::{Span, Spans};
use super::{Report, cost, portable};

/// The folder that paths start from: the workspace of the workflow, or else the current folder.
pub(super) fn base() -> PathBuf {
    let workspace = std::env::var_os("GITHUB_WORKSPACE").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    workspace.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}

/// The commands, one a line.
pub(super) fn commands(report: &Report, base: &std::path::Path) -> String {
    let mut out = String::new();
    let mut spans = Spans::default();
    for found in report.found.iter().filter(|found| !found.known) {
        let told = &found.diagnostic;
        let span = found.bytes.as_ref().zip(told.range.as_ref()).map(|(bytes, range)| spans.of(bytes, range));
        let word = match told.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let mut properties: Vec<(&str, String)> = Vec::new();
        if !told.path.is_empty() {
            properties.push(("file", portable(base, &told.path)));
        }
        if let Some(Span { line, column, end_line, end_column, .. }) = span {
            properties.push(("line", line.to_string()));
            properties.push(("endLine", end_line.to_string()));
            // Columns are for one line only.
            if line == end_line {
                properties.push(("col", column.to_string()));
                properties.push(("endColumn", end_column.to_string()));
            }
        }
        properties.push(("title", told.code.id.to_owned()));
        let properties: Vec<_> = properties.iter().map(|(key, value)| format!("{key}={}", property(value))).collect();
        let mut message = found.message().to_owned();
        if let Some(cost) = cost(told) {
            let _ = write!(message, "\n{cost}");
        }
        if !told.help.is_empty() {
            let _ = write!(message, "\nhelp: {}", told.help);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(out, "::{word} {}::{}", properties.join(","), data(&message));
    }
    if let Some(refused) = &report.refused {
        let _ = writeln!(out, "::error title=session refused::{}", data(refused));
    }
    out
}

/// A message as a command holds it. What could hide or forge something in a log is shown as a visible escape; a carriage
/// return is among that.
fn data(text: &str) -> String {
    display_untrusted(text).replace('%', "%25").replace('\n', "%0A")
}

/// A property's value as a command holds it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_gives_a_meaning_is_escaped() {
        assert_eq!(data("50%\r\n::error::x"), "50%25\\u{d}%0A::error::x");
        assert_eq!(property("a:b,c%d"), "a%3Ab%2Cc%25d");
    }
}
