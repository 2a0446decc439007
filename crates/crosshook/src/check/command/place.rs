//! Where the texts of a handler stand in its document: from a byte of a command to the byte of the file.

use std::collections::HashMap;
use std::ops::Range;

use hooks_core::Source;
use hooks_core::document::{JsonRules, Node, Value, parse_json, pointer_to};
use hooks_core::lint::syntax::mistakes;
use hooks_core::source::Syntax;

/// What any vendor takes in a document of JSON.
const RULES: JsonRules = JsonRules { byte_order_mark: true, lone_surrogates: true };

/// A document as a tree; `None` where it cannot be read or is of a language that has none here.
pub(crate) fn tree(source: &Source) -> Option<Node> {
    match source.syntax {
        Syntax::Json => parse_json(&source.bytes, RULES).ok(),
        Syntax::Toml => crate::codex::toml_document(&source.bytes).ok(),
        _ => None,
    }
}

/// As [`tree`]; of a document with mistakes in its syntax, the one that it has without them.
pub(crate) fn tree_as_meant(source: &Source) -> Option<Node> {
    let mended = || (source.syntax == Syntax::Json).then(|| mistakes(&source.bytes, RULES).root).flatten();
    tree(source).or_else(mended)
}

/// The pointers of all objects of a tree by the bytes that they take up: for whoever looks for many of them.
pub(crate) fn objects(root: &Node) -> HashMap<(usize, usize), Vec<String>> {
    let mut found = HashMap::new();
    collect(root, String::new(), &mut found);
    found
}

fn collect(node: &Node, pointer: String, found: &mut HashMap<(usize, usize), Vec<String>>) {
    match &node.value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, pointer_to(&pointer, &index.to_string()), found);
            }
        }
        Value::Object(object) => {
            for member in &object.members {
                collect(&member.value, pointer_to(&pointer, &member.key), found);
            }
            found.entry((node.range.start, node.range.end)).or_default().push(pointer);
        }
        _ => {}
    }
}

/// The value at a JSON pointer.
pub(crate) fn at<'n>(root: &'n Node, pointer: &str) -> Option<&'n Node> {
    let mut node = root;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        node = match &node.value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            Value::Object(object) => object.get(&step)?,
            _ => return None,
        };
    }
    Some(node)
}

/// A string of a document: its text, and where every byte of it stands.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// The text.
    pub text: String,
    /// Its bytes in the document, quotes included.
    pub whole: Range<usize>,
    /// Its JSON pointer; `None` where there is none.
    pub pointer: Option<String>,
    /// The byte of the document for every byte of the text and for its end; `None` where that is not known.
    map: Option<Vec<usize>>,
    quotes: Quotes,
    /// The shell's quotes that it stands in, of a text in a command.
    within: Option<char>,
}

/// How a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotes {
    /// As JSON's, and as TOML's with double quotes.
    Escaped,
    /// TOML's with single quotes.
    Literal,
}

impl Text {
    /// The string of a node.
    pub(crate) fn of(source: &Source, node: &Node, pointer: String) -> Option<Self> {
        let text = node.as_str()?.to_owned();
        let raw = source.bytes.get(node.range.clone()).and_then(|raw| std::str::from_utf8(raw).ok())?;
        let (quotes, map) = match source.syntax {
            Syntax::Json => (Quotes::Escaped, strip(raw, "\"").and_then(|inner| escaped(inner, 1))),
            Syntax::Toml if raw.starts_with('\'') => (Quotes::Literal, toml(raw, "'", false)),
            Syntax::Toml => (Quotes::Escaped, toml(raw, "\"", true)),
            _ => (Quotes::Escaped, None),
        };
        let map = map.filter(|map| map.len() == text.len() + 1);
        let map = map.map(|map| map.into_iter().map(|at| at + node.range.start).collect());
        Some(Self { text, whole: node.range.clone(), pointer: Some(pointer), map, quotes, within: None })
    }

    /// A text of a document without a tree: it is where it stands word for word, else somewhere in the range.
    pub(crate) fn somewhere(source: &Source, range: &Range<usize>, text: &str) -> Self {
        let slice = source.bytes.get(range.clone()).and_then(|raw| std::str::from_utf8(raw).ok()).unwrap_or_default();
        let at = slice.find(text).map(|at| at + range.start);
        let whole = at.map_or(range.clone(), |at| at..at + text.len());
        let map = at.map(|at| (at..=at + text.len()).collect());
        Self { text: text.to_owned(), whole, pointer: None, map, quotes: Quotes::Literal, within: None }
    }

    /// The bytes of the document for bytes of the text; all of it where that is not known.
    pub(crate) fn range(&self, part: &Range<usize>) -> Range<usize> {
        let at = |byte: usize| self.map.as_ref().and_then(|map| map.get(byte)).copied();
        match (at(part.start), at(part.end)) {
            (Some(start), Some(end)) if start <= end => start..end,
            _ => self.whole.clone(),
        }
    }

    /// The text in the shell's quotes that bytes of this one are; `None` where they are no single pair of them.
    pub(crate) fn quoted(&self, part: &Range<usize>) -> Option<Self> {
        let raw = self.text.get(part.clone())?;
        let (text, places) = shell_quoted(raw)?;
        let map = self
            .map
            .as_ref()
            .and_then(|map| places.into_iter().map(|at| map.get(part.start + at).copied()).collect::<Option<Vec<_>>>());
        let (whole, within) = (self.range(part), raw.chars().next());
        Some(Self { text, whole, pointer: self.pointer.clone(), map, quotes: self.quotes, within })
    }

    /// A text as it is written in the document in place of bytes of this one; `None` where it cannot be.
    pub(crate) fn written(&self, text: &str) -> Option<String> {
        self.map.as_ref()?;
        let closes = match self.within {
            Some('"') => text.contains(['"', '\\', '`']),
            Some(quote) => text.contains(quote),
            None => false,
        };
        if closes {
            return None;
        }
        match self.quotes {
            Quotes::Literal => (!text.contains(['\'', '\n', '\r'])).then(|| text.to_owned()),
            Quotes::Escaped => {
                let quoted = serde_json::to_string(text).ok()?;
                Some(quoted.strip_prefix('"')?.strip_suffix('"')?.to_owned())
            }
        }
    }
}

/// What stands in a shell's quotes and where its bytes and its end are, from the opening quote on; `None` where the text is
/// no single pair of them.
fn shell_quoted(raw: &str) -> Option<(String, Vec<usize>)> {
    let quote = raw.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let inner = raw.get(1..)?.strip_suffix(quote)?;
    let (mut text, mut map) = (String::new(), Vec::new());
    let mut rest = inner.char_indices();
    while let Some((mut at, mut next)) = rest.next() {
        if next == quote {
            return None;
        }
        if quote == '"' && next == '\\' {
            let (behind, escaped) = rest.next()?;
            match escaped {
                // The backslash is a part of it.
                '$' | '`' | '"' | '\\' => next = escaped,
                '\n' => continue,
                _ => {
                    text.push(next);
                    map.push(at + 1);
                    (at, next) = (behind, escaped);
                }
            }
        }
        text.push(next);
        map.extend((at..at + next.len_utf8()).map(|at| at + 1));
    }
    map.push(inner.len() + 1);
    Some((text, map))
}

fn strip<'a>(raw: &'a str, quotes: &str) -> Option<&'a str> {
    raw.strip_prefix(quotes)?.strip_suffix(quotes)
}

/// The places of a TOML string's bytes.
fn toml(raw: &str, quote: &str, escapes: bool) -> Option<Vec<usize>> {
    let three = quote.repeat(3);
    let (inner, start) = match strip(raw, &three) {
        // A line's end behind the opening quotes is none.
        Some(inner) if raw.len() >= 6 => {
            let first = if inner.starts_with("\r\n") { 2 } else { usize::from(inner.starts_with('\n')) };
            (inner.get(first..)?, 3 + first)
        }
        _ => (strip(raw, quote)?, 1),
    };
    if escapes { escaped(inner, start) } else { Some((start..=start + inner.len()).collect()) }
}

/// The places of the bytes of a string with escapes, and of its end. What is no escape of JSON's or TOML's gives `None`.
fn escaped(inner: &str, start: usize) -> Option<Vec<usize>> {
    let mut map = Vec::with_capacity(inner.len() + 1);
    let mut at = 0;
    while let Some(rest) = inner.get(at..).filter(|rest| !rest.is_empty()) {
        let (length, decoded) = if rest.starts_with('\\') { escape(rest)? } else { plain(rest) };
        map.extend(std::iter::repeat_n(start + at, decoded));
        at += length;
    }
    map.push(start + inner.len());
    Some(map)
}

fn plain(rest: &str) -> (usize, usize) {
    let length = rest.chars().next().map_or(1, char::len_utf8);
    (length, length)
}

/// How many bytes an escape has, and how many the character that it stands for.
fn escape(rest: &str) -> Option<(usize, usize)> {
    let unit = |from: usize, digits: usize| u32::from_str_radix(rest.get(from..from + digits)?, 16).ok();
    match rest.as_bytes().get(1)? {
        b'x' => Some((4, char::from_u32(unit(2, 2)?)?.len_utf8())),
        b'U' => Some((10, char::from_u32(unit(2, 8)?)?.len_utf8())),
        b'u' => {
            let first = unit(2, 4)?;
            match (char::from_u32(first), rest.get(6..8), unit(8, 4)) {
                (Some(c), ..) => Some((6, c.len_utf8())),
                (None, Some("\\u"), Some(0xdc00..=0xdfff)) if first < 0xdc00 => Some((12, 4)),
                _ => Some((6, char::REPLACEMENT_CHARACTER.len_utf8())),
            }
        }
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'e' => Some((2, 1)),
        // A line that goes on in TOML.
        b'\n' | b'\r' | b' ' => {
            let after = rest.get(1..)?.trim_start();
            Some((rest.len() - after.len(), 0))
        }
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests {
    use hooks_core::{Origin, VendorId};

    use super::*;

    fn text(syntax: Syntax, document: &str, key: &str) -> Text {
        let source = Source::hooks(VendorId::from_static("x"), Origin::Project, syntax, "x", document.as_bytes());
        let root = tree(&source).unwrap();
        Text::of(&source, root.as_object().unwrap().get(key).unwrap(), format!("/{key}")).unwrap()
    }

    #[test]
    fn a_byte_of_a_string_is_found_behind_escapes() {
        for (syntax, document) in [
            (Syntax::Json, r#"{"c": "\"$A\"\u002Fé\ud83d\ude00\tx"}"#),
            (Syntax::Toml, r#"c = "\"$A\"\u002Fé\U0001F600\tx""#),
            (Syntax::Toml, "c = \"\"\"\n\\\"$A\\\"/é😀\\tx\"\"\""),
            (Syntax::Toml, "c = '\"$A\"/é😀\tx'"),
        ] {
            let found = text(syntax, document, "c");
            assert_eq!(found.text, "\"$A\"/é😀\tx", "{document}");
            let part = |what: &str| {
                let at = found.text.find(what).unwrap();
                document[found.range(&(at..at + what.len()))].to_owned()
            };
            assert_eq!(part("$A"), "$A", "{document}");
            assert_eq!(part("x"), "x", "{document}");
            let all = found.range(&(0..found.text.len()));
            assert!(document[found.whole.clone()].contains(&document[all]), "{document}");
        }
    }

    #[test]
    fn what_stands_in_a_shells_quotes_is_found_and_only_what_they_hold_is_written() {
        let document = r#"{"c": "sh -c \"a \\\"é\\\" \\x\" 'b $A'"}"#;
        let command = text(Syntax::Json, document, "c");
        let within = |raw: &str| {
            let at = command.text.find(raw).unwrap();
            command.quoted(&(at..at + raw.len()))
        };
        let double = within(r#""a \"é\" \x""#).unwrap();
        assert_eq!(double.text, r#"a "é" \x"#);
        let at = |text: &Text, what: &str| {
            let at = text.text.find(what).unwrap();
            document[text.range(&(at..at + what.len()))].to_owned()
        };
        assert_eq!(at(&double, "\"é\""), r#"\\\"é\\\""#);
        assert_eq!(at(&double, r"\x"), r"\\x");
        assert_eq!(double.written("$A"), Some("$A".to_owned()));
        assert_eq!(double.written("\"$A\""), None);
        let single = within("'b $A'").unwrap();
        assert_eq!((single.text.as_str(), at(&single, "$A").as_str()), ("b $A", "$A"));
        assert_eq!(single.written("\"$A\"").as_deref(), Some(r#"\"$A\""#));
        assert_eq!(single.written("'"), None);
        for raw in ["sh", "\\x\"", "é", "\" 'b"] {
            assert!(within(raw).is_none(), "{raw}");
        }
    }

    #[test]
    fn what_is_put_in_is_written_as_the_string_is() {
        assert_eq!(text(Syntax::Json, r#"{"c": "a"}"#, "c").written("\"a\"").as_deref(), Some(r#"\"a\""#));
        assert_eq!(text(Syntax::Toml, "c = 'a'", "c").written("\"a\"").as_deref(), Some("\"a\""));
        assert_eq!(text(Syntax::Toml, "c = 'a'", "c").written("'"), None);
    }
}
