//! What a hook's standard output is read as, before anybody looks at its fields.

use hooks_core::json::{self, RawObject};
use hooks_core::vendor::Version;

use crate::events::{BROKEN_IS_FAILURE, EVENTS};

/// What a text is.
#[derive(Debug)]
pub(super) enum Text<'a> {
    /// Nothing but white space.
    Empty,
    /// Text that is no answer.
    Plain(&'a str),
    /// One JSON object.
    Object(RawObject<'a>),
    /// It stands in braces and is no JSON object.
    Broken(String),
}

/// Reads a text (hooks page, JSON output; cases `b-pre*/json-*`, `broken`). White space and a byte order mark around it do not
/// count. What starts and ends with a brace must be one object; several lines that are each JSON are plain text unless
/// one of them sets a hook field.
pub(super) fn classify(text: &str, version: Version) -> Text<'_> {
    let text = trim(text);
    if text.is_empty() {
        return Text::Empty;
    }
    if !(text.starts_with('{') && text.ends_with('}')) {
        return Text::Plain(text);
    }
    let error = match RawObject::parse(text) {
        Ok(object) => return Text::Object(object),
        Err(error) => error,
    };
    if BROKEN_IS_FAILURE.at(version) == Some(false) || is_lines_of_other_json(text) {
        return Text::Plain(text);
    }
    Text::Broken(error.to_string())
}

/// A text without what JavaScript's `trim` takes off its ends.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

fn is_lines_of_other_json(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    let several = text.lines().nth(1).is_some();
    several
        && lines.peek().is_some()
        && lines.all(|line| match RawObject::parse(line) {
            Ok(object) => !object.iter().any(|(key, _)| is_hook_field(key)),
            Err(_) => json::check(line.as_bytes()).is_ok(),
        })
}

/// Whether a key is one that answers have at their top.
fn is_hook_field(key: &str) -> bool {
    EVENTS.iter().flat_map(|event| event.facts.output).any(|field| field.path == key)
}

/// Whether the first line sends the run to the background: `{"async": true}`.
pub(super) fn detaches(text: &str) -> bool {
    let first = trim(text).lines().next().unwrap_or_default().trim();
    first.starts_with('{')
        && RawObject::parse(first).is_ok_and(|object| object.get("async").is_some_and(|raw| raw.get() == "true"))
}

/// What follows the line that sent the run to the background.
pub(super) fn after_detaching(text: &str) -> &str {
    if detaches(text) { trim(text).split_once('\n').map_or("", |(_, rest)| rest) } else { text }
}
