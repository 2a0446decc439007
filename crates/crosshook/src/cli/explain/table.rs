//! Several explanations side by side, for a glance.

use std::fmt::Write as _;

use hooks_core::text::{display_line, shorten};

use super::meaning::Explanation;
use super::text::{plain_word, word};
use crate::cli::out::{BAD, DIM, HEAD, NAME, columns, pad, paint, wrap};

/// The least columns of a name.
const NAMED: usize = 12;
/// Characters shown of what an answer means.
const LONG: usize = 300;

/// One row of a table: what it is about, and what it comes to.
pub(crate) struct Row<'a> {
    /// The first column.
    pub name: String,
    /// The second column.
    pub event: String,
    /// What it comes to.
    pub explained: &'a Explanation,
}

impl<'a> Row<'a> {
    /// The row of an explanation, by vendor and event.
    pub(crate) fn of(explained: &'a Explanation) -> Self {
        let case = &explained.case;
        Self { name: case.adapter.vendor().to_string(), event: case.event.name.to_owned(), explained }
    }
}

/// A table: one row an explanation, its meaning wrapped in the last column.
pub(crate) fn table(rows: &[Row<'_>], width: usize) -> String {
    let longest = |of: &dyn Fn(&Row<'_>) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let events = longest(&|row| columns(&row.event)) + 2;
    const DECISION: usize = 12;
    let strict_differs = rows.iter().any(|row| row.explained.stricter.is_some());
    let strict = if strict_differs { DECISION } else { 0 };
    let most = width.saturating_sub(events + DECISION + strict).clamp(NAMED, 46);
    let names = (longest(&|row| columns(&row.name)) + 2).min(most);
    let indent = names + events + DECISION + strict;
    // In a narrow terminal the meaning gets lines of its own.
    let own_line = width.saturating_sub(indent) < 30;
    let mut text = String::new();
    let mut head = format!(
        "{}{}{}",
        pad(DIM, if rows.iter().any(|row| row.name.contains(['/', '.'])) { "record" } else { "vendor" }, names),
        pad(DIM, "event", events),
        pad(DIM, "decision", DECISION)
    );
    if strict_differs {
        head.push_str(&pad(DIM, "strict", DECISION));
    }
    if !own_line {
        head.push_str(&paint(DIM, "what the answer means"));
    }
    let _ = writeln!(text, "{}", head.trim_end());
    for row in rows {
        let explained = row.explained;
        let decision = plain_word(&explained.decision);
        let gap = if own_line && !strict_differs { 0 } else { DECISION.saturating_sub(columns(decision)) };
        let _ = write!(
            text,
            "{}{}{}{:gap$}",
            pad(NAME, &end_of(&display_line(&row.name), names.saturating_sub(2)), names),
            pad(anstyle::Style::new(), &row.event, events),
            word(&explained.decision),
            ""
        );
        if strict_differs {
            let stricter = explained.stricter.as_ref();
            let shown = stricter.map_or_else(|| paint(DIM, "the same"), word);
            let gap = DECISION.saturating_sub(stricter.map_or(8, |decision| columns(plain_word(decision))));
            let gap = if own_line { 0 } else { gap };
            let _ = write!(text, "{shown}{:gap$}", "");
        }
        let meaning = display_line(&shorten(&explained.meaning(), LONG)).into_owned();
        if own_line {
            let _ = writeln!(text, "\n  {}", wrap(&meaning, width, 2));
        } else {
            let _ = writeln!(text, "{}", wrap(&meaning, width, indent));
        }
        if explained.fails_open() {
            let indent = if own_line { 2 } else { indent };
            let _ = writeln!(text, "{:indent$}{}", "", paint(BAD, "FAILS OPEN"));
        }
    }
    text
}

/// At most so many characters of a text: its end, which tells files apart.
fn end_of(text: &str, room: usize) -> String {
    let count = columns(text);
    if count <= room {
        return text.to_owned();
    }
    std::iter::once('…').chain(text.chars().skip(count + 1 - room)).collect()
}

/// A heading over a table.
pub(crate) fn title(text: &str) -> String {
    format!("{}\n", paint(HEAD, text))
}
