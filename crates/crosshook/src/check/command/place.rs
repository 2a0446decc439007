//! Where the texts of a handler stand in its document: from a byte of a command to the byte of the file.

use std::collections::HashMap;
use std::ops::Range;

use hooks_core::Source;
use hooks_core::document::{JsonRules, Node, Value, parse_json, pointer_to};
use hooks_core::source::Syntax;

/// A document as a tree; `None` where it cannot be read or is of a language that has none here.
pub(crate) fn tree(source: &Source) -> Option<Node> {
    match source.syntax {
        Syntax::Json => parse_json(&source.bytes, JsonRules { byte_order_mark: true, lone_surrogates: true }).ok(),
        Syntax::Toml => crate::codex::toml_document(&source.bytes).ok(),
        _ => None,
    }
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
        Some(Self { text, whole: node.range.clone(), pointer: Some(pointer), map, quotes })
    }

    /// A text of a document without a tree: it is where it stands word for word, else somewhere in the range.
    pub(crate) fn somewhere(source: &Source, range: &Range<usize>, text: &str) -> Self {
        let slice = source.bytes.get(range.clone()).and_then(|raw| std::str::from_utf8(raw).ok()).unwrap_or_default();
        let at = slice.find(text).map(|at| at + range.start);
        let whole = at.map_or(range.clone(), |at| at..at + text.len());
        let map = at.map(|at| (at..=at + text.len()).collect());
        Self { text: text.to_owned(), whole, pointer: None, map, quotes: Quotes::Literal }
    }

    /// The bytes of the document for bytes of the text; all of it where that is not known.
    pub(crate) fn range(&self, part: &Range<usize>) -> Range<usize> {
        let at = |byte: usize| self.map.as_ref().and_then(|map| map.get(byte)).copied();
        match (at(part.start), at(part.end)) {
            (Some(start), Some(end)) if start <= end => start..end,
            _ => self.whole.clone(),
        }
    }

    /// A text as it is written in the document in place of bytes of this one; `None` where it cannot be.
    pub(crate) fn written(&self, text: &str) -> Option<String> {
        self.map.as_ref()?;
        match self.quotes {
            Quotes::Literal => (!text.contains(['\'', '\n', '\r'])).then(|| text.to_owned()),
            Quotes::Escaped => {
                let quoted = serde_json::to_string(text).ok()?;
                Some(quoted.strip_prefix('"')?.strip_suffix('"')?.to_owned())
            }
        }
    }
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
    fn what_is_put_in_is_written_as_the_string_is() {
        assert_eq!(text(Syntax::Json, r#"{"c": "a"}"#, "c").written("\"a\"").as_deref(), Some(r#"\"a\""#));
        assert_eq!(text(Syntax::Toml, "c = 'a'", "c").written("\"a\"").as_deref(), Some("\"a\""));
        assert_eq!(text(Syntax::Toml, "c = 'a'", "c").written("'"), None);
    }
}
