//! Every mistake of a document that is meant to be TOML: what the reader stops at, and the edit where the mistake is a
//! mark too few, a mark of another language, or a text without quotes.

use std::ops::Range;

use super::toml_tree;
use hooks_core::diagnostic::Edit;
use hooks_core::document::{Member, Node, Object, SyntaxError, Value, check_text};
use hooks_core::lint::values;

/// Mistakes that are told of one document: what has more is no TOML at all.
const MOST_MISTAKES: usize = 100;

/// Bytes of a line up to which it is looked at.
const LONGEST_LINE: usize = 4096;

/// How often the reader is asked again about what is mended.
const MOST_ROUNDS: usize = 12;

/// One mistake.
#[derive(Debug)]
pub(super) struct Mistake {
    /// What is wrong.
    pub(super) message: String,
    /// Where.
    pub(super) range: Range<usize>,
    /// What to write instead, where that is plain.
    pub(super) help: Option<&'static str>,
    /// What mends it; empty where only its author knows what was meant.
    pub(super) edits: Vec<Edit>,
    /// Whether it is about the line as such.
    whole_line: bool,
    /// Where there is no edit, what reads the rest without the line.
    without: Option<Edit>,
}

impl Mistake {
    /// What makes the rest of the document readable.
    fn goes_on(&self) -> impl Iterator<Item = &Edit> {
        self.edits.iter().chain(self.without.iter().filter(|_| self.edits.is_empty()))
    }
}

/// Every mistake of a document, and what can be read of it once those are mended that have an edit, with places in the document
/// as given; `None` where nobody knows. Of a line that cannot be mended nothing is read.
pub(super) fn mistakes(bytes: &[u8], error: SyntaxError) -> (Vec<Mistake>, Option<Node>) {
    let first = |error: SyntaxError| Mistake {
        message: error.message,
        range: error.range,
        help: None,
        edits: Vec::new(),
        whole_line: false,
        without: None,
    };
    let Ok(text) = check_text(bytes) else { return (vec![first(error)], None) };
    let mut found: Vec<(usize, Mistake)> = Vec::new();
    // The reader tells of values only once all lines are ones, so that it is asked again about what is mended.
    for _ in 0..MOST_ROUNDS {
        let Some(mended) = Mended::of(text, found.iter().flat_map(|(_, mistake)| mistake.goes_on())) else { break };
        let before = found.len();
        let (_, errors) = toml_tree::recover(&mended.text);
        for error in errors.iter().take(MOST_MISTAKES.saturating_sub(before)) {
            let range = error.range.clone();
            let line = Line::around(&mended.text, range.start);
            let start = mended.back(line.start);
            let told = |found: &[(usize, Mistake)]| {
                found.iter().any(|(line, one)| *line == start && (one.edits.is_empty() || one.whole_line))
            };
            let mistake = line.mistake().unwrap_or_else(|| value(&mended.text, &line, range, &error.message));
            let mistake = Mistake { without: line.without(&mistake), ..mistake };
            let mistake = mended.moved(mistake);
            // The reader tells several for one mistake.
            let again = found.iter().any(|(_, one)| one.range == mistake.range && one.message == mistake.message);
            if !told(&found) && !again {
                found.push((start, mistake));
            }
        }
        if found.len() == before {
            break;
        }
    }
    if found.is_empty() {
        return (vec![first(error)], None);
    }
    let root = Mended::of(text, found.iter().flat_map(|(_, mistake)| mistake.goes_on())).map(|mended| mended.root());
    let mut mistakes: Vec<_> = found.into_iter().map(|(_, mistake)| mistake).collect();
    mistakes.sort_by_key(|mistake| mistake.range.start);
    (mistakes, root)
}

/// A line of a document.
struct Line<'t> {
    text: &'t str,
    start: usize,
}

impl<'t> Line<'t> {
    fn around(document: &'t str, at: usize) -> Self {
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
            texts(self.text).into_iter().filter(|text| self.text.get(text.clone()).is_some_and(is_no_text)).collect();
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
    fn without(&self, mistake: &Mistake) -> Option<Edit> {
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
    fn mistake(&self) -> Option<Mistake> {
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
        if blank == 0 && self.start == 0 && line.starts_with('{') {
            return Some(Mistake {
                message: "this is JSON, and the file is read as TOML".to_owned(),
                range: whole(),
                help: Some("Write TOML, or put the hooks into `hooks.json` in the same folder."),
                edits: Vec::new(),
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

/// The texts in double quotes on a line that end on it, quotes included.
fn texts(line: &str) -> Vec<Range<usize>> {
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
    found
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
fn value(text: &str, line: &Line<'_>, range: Range<usize>, message: &str) -> Mistake {
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
        if let Some(open) = Some(before).filter(|line| line.len() <= LONGEST_LINE).and_then(unclosed) {
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

/// Where a text begins on a line that does not end on it.
fn unclosed(line: &str) -> Option<usize> {
    let mut open: Option<(usize, char)> = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match open {
            Some((_, '"')) if escaped => escaped = false,
            Some((_, '"')) if c == '\\' => escaped = true,
            Some((_, quote)) if c == quote => open = None,
            Some(_) => {}
            None if c == '#' => return None,
            None if matches!(c, '"' | '\'') => open = Some((at, c)),
            None => {}
        }
    }
    open.filter(|_| !escaped && !line.contains("\"\"\"") && !line.contains("'''")).map(|(at, _)| at)
}

/// A document with edits made, and the way back.
struct Mended {
    text: String,
    /// Where pieces of the document stand in the text, and where they stood.
    pieces: Vec<(usize, usize)>,
    /// The end of the document as given.
    end: usize,
}

impl Mended {
    /// `None` when edits overlap.
    fn of<'e>(document: &str, edits: impl Iterator<Item = &'e Edit>) -> Option<Self> {
        let mut edits: Vec<&Edit> = edits.collect();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut text = String::with_capacity(document.len() + 16);
        let mut pieces = vec![(0, 0)];
        let mut at = 0;
        for edit in edits {
            text.push_str(document.get(at..edit.range.start)?);
            pieces.push((text.len(), edit.range.start));
            text.push_str(&edit.text);
            at = edit.range.end;
            pieces.push((text.len(), at));
        }
        text.push_str(document.get(at..)?);
        Some(Self { text, pieces, end: document.len() })
    }

    /// Where a place of the text was in the document.
    fn back(&self, place: usize) -> usize {
        let piece = self.pieces.partition_point(|(written, _)| *written <= place).saturating_sub(1);
        let (written, original) = self.pieces.get(piece).copied().unwrap_or_default();
        let next = self.pieces.get(piece + 1).map_or(self.end, |(_, original)| *original);
        (original + (place - written)).min(next.max(original))
    }

    fn range_back(&self, range: &Range<usize>) -> Range<usize> {
        self.back(range.start)..self.back(range.end)
    }

    /// A mistake found in the text, with its places in the document.
    fn moved(&self, mut mistake: Mistake) -> Mistake {
        mistake.range = self.range_back(&mistake.range);
        for edit in mistake.edits.iter_mut().chain(&mut mistake.without) {
            edit.range = self.range_back(&edit.range);
        }
        mistake
    }

    /// What can be read of the text, with its places in the document.
    fn root(&self) -> Node {
        let (mut root, _) = toml_tree::recover(&self.text);
        move_back(&mut root, &|place| self.back(place));
        root
    }
}

fn move_back(node: &mut Node, back: &impl Fn(usize) -> usize) {
    node.range = back(node.range.start)..back(node.range.end);
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(|item| move_back(item, back)),
        Value::Object(Object { members }) => {
            for Member { key_range, value, .. } in members {
                *key_range = back(key_range.start)..back(key_range.end);
                move_back(value, back);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests {
    use super::*;

    fn found(text: &str) -> (Vec<Mistake>, Option<Node>) {
        let error = toml_tree::parse(text.as_bytes()).expect_err("a mistake");
        mistakes(text.as_bytes(), error)
    }

    fn shown<'t>(text: &'t str, mistakes: &[Mistake]) -> Vec<&'t str> {
        mistakes.iter().map(|mistake| &text[mistake.range.clone()]).collect()
    }

    #[test]
    fn every_mistake_is_found_with_its_edit() {
        let text = "// guards\n[[hooks.Stop]\n[[hooks.Stop.hooks]]\ntype: \"command\"\ncommand = check\nasync = True\nstatusMessage = \"x\ntimeout = “5”\n";
        let (mistakes, root) = found(text);
        let places = ["//", "[[hooks.Stop]", ":", "check", "True", "\"x", "“5”"];
        assert_eq!(shown(text, &mistakes), places, "{mistakes:?}");
        let root = root.expect("all can be mended");
        let stop = root.as_object().unwrap().get("hooks").unwrap().as_object().unwrap().get("Stop").unwrap();
        let handler =
            stop.as_array().unwrap()[0].as_object().unwrap().get("hooks").unwrap().as_array().unwrap()[0].clone();
        let handler = handler.as_object().unwrap();
        assert_eq!(handler.get("command").unwrap().as_str(), Some("check"));
        assert_eq!(&text[handler.member("command").unwrap().key_range.clone()], "command");
        assert_eq!(&text[handler.get("async").unwrap().range.clone()], "True");
    }

    #[test]
    fn a_text_without_quotes_is_told_whole_and_a_number_is_none() {
        let text = "[tools]\na = ./check.sh --fast # why\nb = 99999999999999999999\n[tools]\nc = true\n";
        let (mistakes, _) = found(text);
        let told: Vec<_> = mistakes.iter().map(|one| (&text[one.range.clone()], one.edits.len())).collect();
        assert_eq!(told, [("./check.sh --fast", 1), ("99999999999999999999", 0), ("tools", 0)], "{mistakes:?}");
    }

    #[test]
    fn paths_with_backslashes_belong_in_single_quotes() {
        let text = "[hooks.state.\"C:\\Users\\me\\hooks.json:stop:0:0\"]\nenabled = true\n[x]\na = \"C:\\\\fine\"\nb = \"C:\\Users\\x.exe\" # \"\n";
        let (mistakes, root) = found(text);
        assert_eq!(
            shown(text, &mistakes),
            ["\"C:\\Users\\me\\hooks.json:stop:0:0\"", "\"C:\\Users\\x.exe\""],
            "{mistakes:?}"
        );
        let root = root.expect("all can be mended");
        let state = root.as_object().unwrap().get("hooks").unwrap().as_object().unwrap().get("state").unwrap();
        assert_eq!(state.as_object().unwrap().members[0].key, "C:\\Users\\me\\hooks.json:stop:0:0");
    }

    #[test]
    fn what_nobody_can_mend_has_no_edit() {
        for (text, place) in [
            ("a = 1\na = 2\n", "a"),
            ("{\"hooks\": {}}", "{\"hooks\": {}}"),
            ("a = \n", ""),
            ("a b\n", ""),
            ("a = 1, 2\n", ""),
        ] {
            let (mistakes, root) = found(text);
            assert_eq!(shown(text, &mistakes).first(), Some(&place), "{text:?}: {mistakes:?}");
            assert!(root.is_some() && mistakes.iter().any(|mistake| mistake.edits.is_empty()), "{text:?}");
        }
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in [
            "=",
            "[",
            "[[",
            "\"",
            "'",
            ":",
            "a:",
            "é: ü",
            "a = é“",
            "[é",
            "\u{feff}{",
            "a = '''",
            "\r\n:\r\n",
            "a = \"\\",
        ] {
            if let Err(error) = toml_tree::parse(text.as_bytes()) {
                for mistake in mistakes(text.as_bytes(), error).0 {
                    assert!(text.get(mistake.range.clone()).is_some(), "{text:?} {mistake:?}");
                }
            }
        }
    }
}
