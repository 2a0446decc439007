//! Folders in a text for PowerShell that stand for nothing there (hooks page, shell form).
//!
//! The client replaces `${CLAUDE_PROJECT_DIR}` and its like by `${env:CLAUDE_PROJECT_DIR}`, which PowerShell expands outside
//! single quotes alone.

use std::ops::Range;

use crate::locations::{PLUGIN_DATA, PLUGIN_ROOT, PROJECT_DIR};

/// A text in single quotes that begins with a folder's variable.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Literal {
    /// Its bytes, quotes included.
    pub(super) range: Range<usize>,
    /// The variable as it is written.
    pub(super) variable: String,
    /// The same text in double quotes; `None` where more in it would be expanded then.
    pub(super) expanded: Option<String>,
}

/// The first text in single quotes that begins with a folder's variable. One that has it further on may be a program for
/// another shell, and a text with comments or here-strings is not taken apart.
pub(super) fn literal(text: &str) -> Option<Literal> {
    if text.contains(['#', '@']) {
        return None;
    }
    let mut open: Option<(char, usize)> = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match open {
            // A backtick takes the next character's meaning away, but not in single quotes.
            None | Some(('"', _)) if c == '`' => {
                chars.next();
            }
            None if matches!(c, '\'' | '"') => open = Some((c, at)),
            // A quote that is doubled stands for itself.
            Some((quote, _)) if c == quote && chars.peek().is_some_and(|(_, next)| *next == quote) => {
                chars.next();
            }
            Some((quote, start)) if c == quote => {
                let inner = text.get(start + 1..at).unwrap_or_default();
                if let (true, Some(variable)) = (quote == '\'', variable(inner)) {
                    let rest = inner.get(variable.len()..).unwrap_or_default();
                    let plain = !rest.contains(['$', '`', '"', '\'']);
                    let expanded = plain.then(|| format!("\"{inner}\""));
                    return Some(Literal { range: start..at + 1, variable, expanded });
                }
                open = None;
            }
            _ => {}
        }
    }
    None
}

/// The folder's variable that a text begins with.
fn variable(text: &str) -> Option<String> {
    [PROJECT_DIR, PLUGIN_ROOT, PLUGIN_DATA].into_iter().find_map(|name| {
        let closed = [format!("${{{name}}}"), format!("${{env:{name}}}")];
        let open = format!("$env:{name}");
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let is_open = text.strip_prefix(&open).is_some_and(ends);
        closed.into_iter().find(|written| text.starts_with(written)).or_else(|| is_open.then_some(open))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_single_quotes_is_found() {
        for (text, variable, expanded) in [
            (r"& '${CLAUDE_PROJECT_DIR}\a.ps1'", "${CLAUDE_PROJECT_DIR}", Some("\"${CLAUDE_PROJECT_DIR}\\a.ps1\"")),
            ("& '$env:CLAUDE_PLUGIN_ROOT/a.ps1'", "$env:CLAUDE_PLUGIN_ROOT", Some("\"$env:CLAUDE_PLUGIN_ROOT/a.ps1\"")),
            ("& \"it's\" '${env:CLAUDE_PLUGIN_DATA}/$x'", "${env:CLAUDE_PLUGIN_DATA}", None),
            ("& '${CLAUDE_PROJECT_DIR}/it''s.ps1'", "${CLAUDE_PROJECT_DIR}", None),
            ("x `' '${CLAUDE_PROJECT_DIR}'", "${CLAUDE_PROJECT_DIR}", Some("\"${CLAUDE_PROJECT_DIR}\"")),
        ] {
            let found = literal(text).unwrap_or_else(|| panic!("{text}: nothing found"));
            assert_eq!((found.variable.as_str(), found.expanded.as_deref()), (variable, expanded), "{text}");
        }
        for text in [
            r#"& "${CLAUDE_PROJECT_DIR}\a.ps1""#,
            "& ${CLAUDE_PROJECT_DIR}/a.ps1",
            "\"'${CLAUDE_PROJECT_DIR}'\"",
            "bash -c 'cat ${CLAUDE_PROJECT_DIR}/a'",
            "& '$env:CLAUDE_PROJECT_DIRS'",
            "# don't\n& x '${CLAUDE_PROJECT_DIR}'",
            "'${CLAUDE_PROJECT_DIR}",
        ] {
            assert_eq!(literal(text), None, "{text}");
        }
    }
}
