//! Every mistake of a document that is meant to be JSON, each with its place and the edit that mends it.
//!
//! A strict reader stops at the first mistake. This one goes on: it tells of all comments, all commas too many, all
//! quotes of the wrong kind, so that they can be mended in one go. It also gives the tree that the mended document would
//! have, for what else there is to say about it. Nothing in that tree may run: the vendor's own reader refused the file.

mod reader;
mod token;

use std::borrow::Cow;
use std::ops::Range;

use crate::diagnostic::{Code, Diagnostic, Edit, Reach, Related};
use crate::document::{JsonRules, Node, check_text};

/// Mistakes after which reading ends: what has more is no JSON at all.
pub const MOST_MISTAKES: usize = 1000;

/// The kinds of mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MistakeKind {
    /// There is nothing in the document.
    Empty,
    /// It is larger than what is read.
    TooLarge,
    /// It is not UTF-8.
    NotUtf8,
    /// It is nested too deeply.
    TooDeep,
    /// A byte order mark stands before it.
    ByteOrderMark,
    /// A comment.
    Comment,
    /// A comma before a closing bracket or at the end.
    TrailingComma,
    /// A comma with nothing before it.
    ExtraComma,
    /// No comma between two values, or another sign in its place.
    MissingComma,
    /// No colon between a key and its value, or another sign in its place.
    MissingColon,
    /// Quotes other than `"`.
    WrongQuotes,
    /// A key or a text without quotes.
    MissingQuotes,
    /// A bracket or a text that is not closed.
    Unclosed,
    /// A closing bracket that closes nothing.
    ExtraBracket,
    /// A line break, a tab or another control character inside a text.
    ControlCharacter,
    /// A backslash before something that JSON has no escape for.
    Escape,
    /// A number in a form that JSON does not have.
    Number,
    /// A word of another language: `True`, `None`.
    Word,
    /// A blank that is none in JSON.
    Blank,
    /// No value where one belongs.
    MissingValue,
    /// No key where one belongs.
    MissingKey,
    /// A mark of a merge that was not finished.
    ConflictMarker,
    /// Something behind the end of the document.
    ExtraText,
    /// Something that is no JSON.
    Unreadable,
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Its kind.
    pub kind: MistakeKind,
    /// What is wrong.
    pub message: Cow<'static, str>,
    /// What to write instead.
    pub help: Cow<'static, str>,
    /// Where, in bytes of the document as given.
    pub range: Range<usize>,
    /// Other places: the brackets around one that is open too, say.
    pub related: Vec<Related>,
    /// What mends it; empty where only its author knows what was meant.
    pub edits: Vec<Edit>,
}

impl Mistake {
    fn new(kind: MistakeKind, range: Range<usize>, message: impl Into<Cow<'static, str>>, help: &'static str) -> Self {
        Self { kind, message: message.into(), help: help.into(), range, related: Vec::new(), edits: Vec::new() }
    }

    fn edit(mut self, range: Range<usize>, text: impl Into<String>) -> Self {
        self.edits.push(Edit { range, text: text.into() });
        self
    }

    fn replace(self, text: impl Into<String>) -> Self {
        let range = self.range.clone();
        self.edit(range, text)
    }

    fn delete(self) -> Self {
        self.replace("")
    }

    /// The mistake as a diagnostic of a vendor's kind.
    #[must_use]
    pub fn diagnostic(self, code: &'static Code, reach: Reach) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(code, reach, self.message).at(self.range).help(self.help);
        diagnostic.related = self.related;
        diagnostic.edits = self.edits;
        diagnostic
    }
}

/// What a reading that goes on after mistakes found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Syntax {
    /// The mistakes, in file order.
    pub mistakes: Vec<Mistake>,
    /// The tree that the document has once every mistake is mended, with places in the document as given. `None` where a
    /// mistake has no edit, so that nobody knows.
    pub root: Option<Node>,
    /// What could be read of the document, whatever its mistakes: where one has no edit, something is missing or stands as an
    /// empty `null`.
    pub read: Option<Node>,
}

/// Finds every mistake of a document that a reader with these rules refuses. There is none exactly where
/// [`parse_json`](crate::document::parse_json) reads the document.
///
/// ```
/// use hooks_core::document::JsonRules;
/// use hooks_core::lint::syntax::{MistakeKind, mistakes};
///
/// let found = mistakes(b"{'a': 1, // one\n \"b\": [2,],}", JsonRules::default());
/// let kinds: Vec<_> = found.mistakes.iter().map(|mistake| mistake.kind).collect();
/// assert_eq!(
///     kinds,
///     [MistakeKind::WrongQuotes, MistakeKind::Comment, MistakeKind::TrailingComma, MistakeKind::TrailingComma]
/// );
/// assert!(found.root.is_some());
/// ```
#[must_use]
pub fn mistakes(bytes: &[u8], rules: JsonRules) -> Syntax {
    let text = match check_text(bytes) {
        Ok(text) => text,
        Err(error) => return Syntax { mistakes: vec![unread(bytes, error)], ..Syntax::default() },
    };
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ('\u{feff}'.len_utf8(), rest),
        None => (0, text),
    };
    let mut reader = reader::Reader::new(text, mark, rules);
    if mark > 0 && !rules.byte_order_mark {
        let mistake = Mistake::new(
            MistakeKind::ByteOrderMark,
            0..mark,
            "the file starts with a byte order mark",
            "Save the file as UTF-8 without a byte order mark.",
        );
        reader.push(mistake.delete());
    }
    reader.read()
}

/// The language that a document seems to be written in as a whole: `JSON`, `TOML` or `YAML`. Its first line tells, which must not be
/// a blank one.
#[must_use]
pub fn language(text: &str) -> Option<&'static str> {
    let line = text.lines().next().unwrap_or_default().trim_end();
    if line.starts_with('{') {
        return Some("JSON");
    }
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    let header = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
    let header = header.map(|inner| inner.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(inner));
    let has_assignment =
        |text: &str| text.lines().any(|line| line.split_once('=').is_some_and(|(key, _)| is_name(key.trim())));
    if header.is_some_and(is_name) && has_assignment(text) {
        return Some("TOML");
    }
    let key = line.split_once('=').map(|(key, _)| key.trim_end());
    if key.is_some_and(is_name) {
        return Some("TOML");
    }
    let is_yaml = line == "---"
        || line.split_once(':').is_some_and(|(key, value)| {
            is_name(key) && (value.is_empty() || value.starts_with(' ')) && !value.trim_start().starts_with(['{', '['])
        });
    is_yaml.then_some("YAML")
}

/// What is no text of a size that is read.
fn unread(bytes: &[u8], error: crate::document::SyntaxError) -> Mistake {
    if error.kind == crate::document::SyntaxFault::TooLarge {
        return Mistake::new(MistakeKind::TooLarge, error.range, error.message, "Split the file.");
    }
    let message = if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        "the file is UTF-16, not UTF-8".to_owned()
    } else {
        error.message
    };
    Mistake::new(MistakeKind::NotUtf8, error.range, message, "Save the file as UTF-8.")
}

/// A text with edits made, which must not overlap.
#[cfg(test)]
fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut out = String::new();
    let mut at = 0;
    for edit in edits {
        assert!(edit.range.start >= at, "{edit:?} overlaps in {text:?}");
        out.push_str(text.get(at..edit.range.start).expect("a boundary"));
        out.push_str(&edit.text);
        at = edit.range.end;
    }
    out.push_str(text.get(at..).expect("a boundary"));
    out
}

#[cfg(test)]
mod tests;
