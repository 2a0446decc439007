//! One line with a mistake: what kind of line it was meant to be, and the edit where that is plain.

use std::ops::Range;

use hooks_core::diagnostic::Edit;
use hooks_core::lint::values;

use super::Mistake;

/// Bytes of a line up to which it is looked at.
const LONGEST_LINE: usize = 4096;

/// A line of a document.
pub(super) struct Line<'t> {
    text: &'t str,
    pub(super) start: usize,
}

impl<'t> Line<'t> {
    pub(super) fn around(document: &'t str, at: usize) -> Self {
        let start = document.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let rest = document.get(start..).unwrap_or_default();
        let text = rest.split('\n').next().unwrap_or_default();
        Self { text: text.strip_suffix('\r').unwrap_or(text), start }
    }

    fn at(&self, range: Range<usize>) -> Range<usize> {
        self.start + range.start..self.start + range.end
    }

    /// A value without quotes behind a key.
    fn bare_value(&self) -> Option<Range<usize>> {
        let (key, rest) = self.text.split_once('=').filter(|_| self.text.len() <= LONGEST_LINE)?;
        let value = rest.split(" #").next().unwrap_or(rest);
        let start = key.len() + 1 + (value.len() - value.trim_start().len());
        let value = value.trim();
        let is_bare = !value.is_empty() && !value.contains(['"', '\'', '[', ']', '{', '}', ',', '=', '#']);
        (is_bare && !key.contains(['"', '\''])).then(|| self.at(start..start + value.len()))
    }

    /// Texts in double quotes with backslashes that begin no escape, as paths of Windows have them.
    fn escapes(&self) -> Option<Mistake> {
        let wrong: Vec<Range<usize>> =
            texts(self.text).0.into_iter().filter(|text| self.text.get(text.clone()).is_some_and(is_no_text)).collect();
        let first = wrong.first()?;
        let literal = |text: &Range<usize>| {
            let inner = self.text.get(text.start + 1..text.end - 1).filter(|inner| !inner.contains('\''))?;
            Some(Edit { range: self.at(text.clone()), text: format!("'{}'", inner.replace("\\\\", "\\")) })
        };
        let edits: Option<Vec<Edit>> = wrong.iter().map(literal).collect();
        Some(Mistake {
            message: "a backslash in double quotes begins an escape in TOML, and here it begins none".to_owned(),
            range: self.at(first.clone()),
            help: Some("Write the text in single quotes, where a backslash is only itself: 'C:\\hooks\\check.exe'."),
            edits: edits.unwrap_or_default(),
            whole_line: true,
            without: None,
        })
    }

    /// The edit that takes out a line that nobody can mend, where it begins and ends nothing that goes on elsewhere.
    pub(super) fn without(&self, mistake: &Mistake) -> Option<Edit> {
        let count = |marks: [char; 2]| marks.map(|mark| self.text.matches(mark).count());
        let alone = |marks| matches!(count(marks), [open, close] if open == close);
        let is_alone = self.text.len() <= LONGEST_LINE
            && !self.text.contains("\"\"\"")
            && !self.text.contains("'''")
            && alone(['[', ']'])
            && alone(['{', '}']);
        // A header that is gone would give what follows to the table before it.
        let is_header = self.text.trim_start().starts_with('[');
        let range = self.at(0..self.text.len());
        (mistake.edits.is_empty() && is_alone && !is_header && !range.is_empty())
            .then(|| Edit { range, text: String::new() })
    }

    /// A mistake in what kind of line this is.
    pub(super) fn mistake(&self) -> Option<Mistake> {
        if self.text.len() > LONGEST_LINE {
            return None;
        }
        let blank = self.text.len() - self.text.trim_start().len();
        let line = self.text.trim();
        let whole = || self.at(blank..blank + line.len());
        if line.starts_with("//") {
            let range = self.at(blank..blank + 2);
            return Some(Mistake {
                message: "`//` begins no comment in TOML".to_owned(),
                range: range.clone(),
                help: Some("Write `#`."),
                edits: vec![Edit { range, text: "#".to_owned() }],
                whole_line: true,
                without: None,
            });
        }
        if let Some(missing) = open_header(line) {
            let end = self.start + blank + line.len();
            return Some(Mistake {
                message: format!("this header is not closed: `{missing}` is missing"),
                range: whole(),
                help: Some("Write `[[hooks.Stop]]`, with two brackets on each side."),
                edits: vec![Edit { range: end..end, text: missing.to_owned() }],
                whole_line: true,
                without: None,
            });
        }
        if let Some(mistake) = self.escapes() {
            return Some(mistake);
        }
        let colon = colon_behind_key(line)?;
        let range = self.at(blank + colon..blank + colon + 1);
        let before = if line.get(..colon).is_some_and(|key| key.ends_with([' ', '\t'])) { "" } else { " " };
        Some(Mistake {
            message: "a colon stands between a key and its value".to_owned(),
            range: range.clone(),
            help: Some("Write `=`."),
            edits: vec![Edit { range, text: format!("{before}=") }],
            whole_line: false,
            without: None,
        })
    }
}

/// Whether a text in double quotes has a backslash that begins no escape.
fn is_no_text(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('\\') {
        let digits = match after.bytes().next() {
            Some(b'b' | b't' | b'n' | b'f' | b'r' | b'e' | b'"' | b'\\') => 0,
            Some(b'x') => 2,
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => return true,
        };
        let hex = after.get(1..=digits).unwrap_or_default();
        if hex.len() < digits || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
            return true;
        }
        rest = after.get(1 + digits..).unwrap_or_default();
    }
    false
}

/// What is missing at the end of a table's header.
fn open_header(line: &str) -> Option<&'static str> {
    let list = line.starts_with("[[");
    let inside = line.strip_prefix(if list { "[[" } else { "[" })?;
    let name = inside.trim_end_matches(']');
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    if name.is_empty() || !name.chars().all(is_key) {
        return None;
    }
    match (list, inside.len() - name.len()) {
        (true, 0) => Some("]]"),
        (true, 1) | (false, 0) => Some("]"),
        _ => None,
    }
}

/// The place of a colon that stands where `=` belongs.
fn colon_behind_key(line: &str) -> Option<usize> {
    let (key, _) = line.split_once(':')?;
    let bare = key.trim_end();
    let quoted = bare.len() > 2 && bare.starts_with('"') && bare.ends_with('"') && bare.matches('"').count() == 2;
    let is_bare =
        !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    (quoted || is_bare).then_some(key.len())
}

/// A mistake that the reader found, in a value if it stands in the place of one.
pub(super) fn value(text: &str, line: &Line<'_>, range: Range<usize>, message: &str) -> Mistake {
    let mut mistake = Mistake {
        message: message.to_owned(),
        range: range.clone(),
        help: None,
        edits: Vec::new(),
        whole_line: false,
        without: None,
    };
    if line.text.trim_start().starts_with('[') && !line.text.contains('=') {
        // A header, or a line of a list.
        return mistake;
    }
    // A text without quotes is told of whole, wherever in it the reader stopped.
    let range = line.bare_value().filter(|bare| bare.start <= range.start && range.end <= bare.end).unwrap_or(range);
    mistake.range = range.clone();
    let written = text.get(range.clone()).unwrap_or_default();
    let before = text.get(line.start..range.start).unwrap_or_default().trim_end();
    if written.is_empty() {
        if let Some(open) = Some(before).filter(|line| line.len() <= LONGEST_LINE).and_then(|line| texts(line).1) {
            mistake.message = "this text is not closed".to_owned();
            mistake.help = Some("Write the closing quote.");
            mistake.range = line.start + open..range.end.max(line.start + open + 1).min(text.len());
            let end = line.start + before.len();
            let quote = before.get(open..=open).unwrap_or("\"").to_owned();
            mistake.edits.push(Edit { range: end..end, text: quote });
        }
        return mistake;
    }
    if !before.ends_with(['=', ',', '[']) {
        return mistake;
    }
    let instead = match written.to_ascii_lowercase().as_str() {
        word @ ("true" | "false") => Some(word.to_owned()),
        "yes" | "on" => Some("true".to_owned()),
        "no" | "off" => Some("false".to_owned()),
        _ => {
            let inner = written.trim_matches(['“', '”', '„', '«', '»', '‘', '’', '`']);
            let is_number = inner.bytes().any(|b| b.is_ascii_digit())
                && inner.bytes().all(|b| b.is_ascii_hexdigit() || matches!(b, b'x' | b'o' | b'_' | b'+' | b'-' | b'.'));
            // A bare value ends where another thing could begin.
            let plain = !is_number && !inner.is_empty() && !inner.contains(['"', '\'', '\\', '#', ',', ']', '}', '=']);
            plain.then(|| values::quoted(inner))
        }
    };
    if let Some(instead) = instead {
        mistake.message = if instead.starts_with('"') {
            "a text stands here without quotes that TOML knows".to_owned()
        } else {
            "TOML writes this word in small letters: `true` or `false`".to_owned()
        };
        mistake.help = Some(if instead.starts_with('"') { "Put it in `\"`." } else { "Write `true` or `false`." });
        mistake.edits.push(Edit { range, text: instead });
    }
    mistake
}

/// The texts in double quotes on a line that end on it, quotes included, and where one begins that does not end on it.
fn texts(line: &str) -> (Vec<Range<usize>>, Option<usize>) {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match open {
            Some((_, '"')) if escaped => escaped = false,
            Some((_, '"')) if c == '\\' => escaped = true,
            Some((start, quote)) if c == quote => {
                if quote == '"' && at > start + 1 {
                    found.push(start..at + 1);
                }
                open = None;
            }
            Some(_) => {}
            None if c == '#' => break,
            None if matches!(c, '"' | '\'') => open = Some((at, c)),
            None => {}
        }
    }
    let is_one_line = !escaped && !line.contains("\"\"\"") && !line.contains("'''");
    (found, open.filter(|_| is_one_line).map(|(at, _)| at))
}
