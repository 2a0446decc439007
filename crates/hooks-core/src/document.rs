//! Documents as trees that know where every value stands: what configuration parsers read and point into.
//!
//! JSON is read here; other syntaxes build the same [`Node`]s. Every member of an object is kept, repeated keys too.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// Bytes a document may have; a larger one is refused unread.
pub const SIZE_LIMIT: usize = 8 << 20;

/// A value with the bytes it takes up.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Its bytes in the document.
    pub range: Range<usize>,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object.
    Object(Object),
}

/// The members of an object, in written order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// All members, repeated keys too.
    pub members: Vec<Member>,
}

/// One member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The key.
    pub key: String,
    /// The key's bytes.
    pub key_range: Range<usize>,
    /// The value.
    pub value: Node,
}

impl Object {
    /// The value of a key; of a repeated one the last, as in `JSON.parse`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.member(key).map(|member| &member.value)
    }

    /// The member of a key; of a repeated one the last.
    #[must_use]
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members.iter().rev().find(|member| member.key == key)
    }

    /// Members whose key stands again further down, in written order: what `JSON.parse` would forget.
    #[must_use]
    pub fn repeated(&self) -> Vec<&Member> {
        let mut later = HashSet::with_capacity(self.members.len());
        let mut repeated: Vec<_> =
            self.members.iter().rev().filter(|member| !later.insert(member.key.as_str())).collect();
        repeated.reverse();
        repeated
    }
}

impl Node {
    /// The members, if it is an object.
    #[must_use]
    pub const fn as_object(&self) -> Option<&Object> {
        match &self.value {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The elements, if it is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if it is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The number's text, if it is a number.
    #[must_use]
    pub fn as_number(&self) -> Option<&str> {
        match &self.value {
            Value::Number(text) => Some(text),
            _ => None,
        }
    }

    /// The number as a float, if it is a finite one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number().and_then(|text| text.parse().ok()).filter(|number: &f64| number.is_finite())
    }

    /// The number, if it is written as a whole one of at most 64 bits without sign.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number().and_then(|text| text.parse().ok())
    }

    /// Whether it is `null`.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// The words for its kind in a message.
    #[must_use]
    pub const fn phrase(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

/// A value as JSON; repeated keys count once, the last one. A number that JSON cannot hold becomes `null`.
impl From<&Node> for serde_json::Value {
    fn from(node: &Node) -> Self {
        match &node.value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(text) => serde_json::from_str(text).unwrap_or(Self::Null),
            Value::String(text) => Self::String(text.clone()),
            Value::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            Value::Object(object) => {
                Self::Object(object.members.iter().map(|m| (m.key.clone(), Self::from(&m.value))).collect())
            }
        }
    }
}

/// How a vendor's reader of JSON differs from the strictest one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JsonRules {
    /// A byte order mark before the document is skipped.
    pub byte_order_mark: bool,
    /// Escapes of half a surrogate pair are read (as U+FFFD), as `JSON.parse` does.
    pub lone_surrogates: bool,
}

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub range: Range<usize>,
    /// Which kind of fault.
    pub kind: SyntaxFault,
}

/// The kind of a syntax fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SyntaxFault {
    /// There is nothing in the document.
    Empty,
    /// It is larger than [`SIZE_LIMIT`].
    TooLarge,
    /// It is not UTF-8.
    NotUtf8,
    /// It starts with a byte order mark that the vendor does not skip.
    ByteOrderMark,
    /// It is nested too deeply.
    TooDeep,
    /// It holds comments.
    Comment,
    /// Anything else.
    Syntax,
}

/// Reads a JSON document by a vendor's rules.
///
/// ```
/// use hooks_core::document::{JsonRules, Node, parse_json};
///
/// let text = br#"{"hooks": {"stop": [{"timeout": "30"}]}}"#;
/// let root = parse_json(text, JsonRules::default()).expect("JSON");
/// let stop = root.as_object().and_then(|o| o.get("hooks")).and_then(Node::as_object).and_then(|o| o.get("stop"));
/// let timeout = stop.and_then(Node::as_array).and_then(|list| list[0].as_object()?.get("timeout")).expect("there");
/// assert_eq!(&text[timeout.range.clone()], br#""30""#);
/// assert_eq!(timeout.phrase(), "a string");
/// ```
///
/// # Errors
///
/// What is wrong and where, in bytes of the document as given.
pub fn parse_json(bytes: &[u8], rules: JsonRules) -> Result<Node, SyntaxError> {
    let text = check_text(bytes)?;
    let (skipped, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) if rules.byte_order_mark => ('\u{feff}'.len_utf8(), rest),
        Some(_) => {
            return Err(SyntaxError {
                message: "the file starts with a byte order mark".into(),
                range: 0..'\u{feff}'.len_utf8(),
                kind: SyntaxFault::ByteOrderMark,
            });
        }
        None => (0, text),
    };
    if text.trim_ascii().is_empty() {
        return Err(SyntaxError {
            message: "the file is empty".into(),
            range: skipped..skipped + text.len(),
            kind: SyntaxFault::Empty,
        });
    }
    let mut scanner = Scanner { text, at: 0, skipped, lone_surrogates: rules.lone_surrogates };
    scanner.document().map_err(|stop| match stop {
        Stop::TooDeep(at) => SyntaxError {
            message: format!("the file is nested more than {} levels deep", crate::json::DEPTH_LIMIT),
            range: at + skipped..at + skipped + 1,
            kind: SyntaxFault::TooDeep,
        },
        Stop::Syntax => describe(text, scanner.at, skipped),
    })
}

/// Why the scanner stopped; a syntax fault is where it stands.
enum Stop {
    TooDeep(usize),
    Syntax,
}

/// One pass over a JSON text: RFC 8259 to the letter, with the place of every value.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// Bytes before the text, for places.
    skipped: usize,
    lone_surrogates: bool,
}

impl Scanner<'_> {
    fn document(&mut self) -> Result<Node, Stop> {
        let node = self.value(0)?;
        self.blanks();
        if self.at == self.text.len() { Ok(node) } else { Err(Stop::Syntax) }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Takes a byte that must be here.
    fn take(&mut self, byte: u8) -> Result<(), Stop> {
        if self.peek() != Some(byte) {
            return Err(Stop::Syntax);
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Node, Stop> {
        self.blanks();
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => Value::Object(self.object(self.deeper(depth)?)?),
            Some(b'[') => Value::Array(self.array(self.deeper(depth)?)?),
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => return Err(Stop::Syntax),
        };
        Ok(Node { value, range: start + self.skipped..self.at + self.skipped })
    }

    fn deeper(&self, depth: usize) -> Result<usize, Stop> {
        if depth < crate::json::DEPTH_LIMIT { Ok(depth + 1) } else { Err(Stop::TooDeep(self.at)) }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Stop> {
        for byte in word.bytes() {
            self.take(byte)?;
        }
        Ok(value)
    }

    fn object(&mut self, depth: usize) -> Result<Object, Stop> {
        self.take(b'{')?;
        let mut members = Vec::new();
        self.blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Object { members });
        }
        loop {
            self.blanks();
            let start = self.at;
            let key = self.string()?;
            let key_range = start + self.skipped..self.at + self.skipped;
            self.blanks();
            self.take(b':')?;
            let value = self.value(depth)?;
            members.push(Member { key, key_range, value });
            self.blanks();
            if self.peek() == Some(b'}') {
                self.at += 1;
                return Ok(Object { members });
            }
            self.take(b',')?;
        }
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Node>, Stop> {
        self.take(b'[')?;
        let mut items = Vec::new();
        self.blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(items);
        }
        loop {
            items.push(self.value(depth)?);
            self.blanks();
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(items);
            }
            self.take(b',')?;
        }
    }

    /// A number as written, however large: what it comes to is for whoever reads it.
    fn number(&mut self) -> Result<String, Stop> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            _ => return Err(Stop::Syntax),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(self.text.get(start..self.at).unwrap_or_default().to_owned())
    }

    fn digits(&mut self) -> Result<(), Stop> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(Stop::Syntax) }
    }

    fn string(&mut self) -> Result<String, Stop> {
        self.take(b'"')?;
        let mut out = String::new();
        loop {
            let start = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            let piece = self.text.get(start..self.at).unwrap_or_default();
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    // Most strings are one piece, and allocate once.
                    if out.is_empty() {
                        return Ok(piece.to_owned());
                    }
                    out.push_str(piece);
                    return Ok(out);
                }
                Some(b'\\') => {
                    out.push_str(piece);
                    out.push(self.escape()?);
                }
                _ => return Err(Stop::Syntax),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Stop> {
        self.take(b'\\')?;
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(Stop::Syntax),
        };
        self.at += 1;
        Ok(c)
    }

    /// `uXXXX`, and a second one where the first is the first half of a pair.
    fn unicode(&mut self) -> Result<char, Stop> {
        let unit = self.unit()?;
        if let Some(c) = char::from_u32(unit) {
            return Ok(c);
        }
        let after_first = self.at;
        let second = |scanner: &mut Self| {
            scanner.take(b'\\')?;
            scanner.unit()
        };
        match second(self) {
            Ok(low @ 0xdc00..=0xdfff) if unit < 0xdc00 => {
                char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)).ok_or(Stop::Syntax)
            }
            _ if self.lone_surrogates => {
                self.at = after_first;
                Ok(char::REPLACEMENT_CHARACTER)
            }
            _ => Err(Stop::Syntax),
        }
    }

    fn unit(&mut self) -> Result<u32, Stop> {
        self.take(b'u')?;
        let digits = self.text.get(self.at..self.at + 4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).ok_or(Stop::Syntax)?;
        self.at += 4;
        Ok(unit)
    }
}

/// Whether bytes are text of a size that is read at all; the checks that every syntax shares.
///
/// # Errors
///
/// [`SyntaxFault::TooLarge`] or [`SyntaxFault::NotUtf8`].
pub fn check_text(bytes: &[u8]) -> Result<&str, SyntaxError> {
    if bytes.len() > SIZE_LIMIT {
        return Err(SyntaxError {
            message: format!("the file has {} bytes, more than the {SIZE_LIMIT} that are read", bytes.len()),
            range: 0..0,
            kind: SyntaxFault::TooLarge,
        });
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        SyntaxError {
            message: format!("the file is not UTF-8 (byte {at})"),
            range: at..at + error.error_len().unwrap_or(bytes.len() - at),
            kind: SyntaxFault::NotUtf8,
        }
    })
}

/// Says what is wrong where the scanner stopped: in `serde_json`'s words, with the usual suspects named.
fn describe(text: &str, stopped: usize, skipped: usize) -> SyntaxError {
    let (at, message) = match crate::json::check(text.as_bytes()) {
        Err(error) => {
            let message = error.to_string();
            let words = message.rfind(" at line ").and_then(|end| message.get(..end)).unwrap_or(&message).to_owned();
            (offset_of(text, error.line(), error.column()), words)
        }
        // Half a surrogate pair: skipping a string does not look that closely.
        Ok(()) => (stopped, "this escape is half of a character".to_owned()),
    };
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let here = text.get(at..).unwrap_or_default();
    let before = text.get(..at).unwrap_or_default().trim_end();
    let (kind, message) = if here.starts_with("//") || here.starts_with("/*") || here.starts_with('#') {
        (SyntaxFault::Comment, "comments are not allowed in this file".to_owned())
    } else if before.ends_with(',') && here.starts_with(['}', ']']) {
        (SyntaxFault::Syntax, "there is a comma before a closing bracket".to_owned())
    } else {
        (SyntaxFault::Syntax, message)
    };
    let end = here.chars().next().map_or(at, |c| at + c.len_utf8());
    SyntaxError { message, range: at + skipped..end + skipped, kind }
}

/// The byte offset of a reader's line and column, which count from 1 and in bytes.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start = match line {
        0 | 1 => 0,
        _ => text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n')
            .nth(line - 2)
            .map_or(text.len(), |(at, _)| at + 1),
    };
    let mut at = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Replaces escapes of half a surrogate pair by that of U+FFFD, which takes as many bytes, so that places stay.
#[must_use]
pub fn mend_surrogates(text: &str) -> Cow<'_, str> {
    if !text.contains("\\u") {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let escape = |at: usize| -> Option<u16> {
        let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut lone = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte != b'\\' {
            at += 1;
            continue;
        }
        match escape(at) {
            Some(0xd800..=0xdbff) => {
                if matches!(escape(at + 6), Some(0xdc00..=0xdfff)) {
                    at += 12;
                } else {
                    lone.push(at);
                    at += 6;
                }
            }
            Some(0xdc00..=0xdfff) => {
                lone.push(at);
                at += 6;
            }
            Some(_) => at += 6,
            None => at += 2,
        }
    }
    if lone.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut mended = String::with_capacity(text.len());
    let mut from = 0;
    for at in lone {
        mended.push_str(text.get(from..at).unwrap_or_default());
        mended.push_str("\\ufffd");
        from = at + 6;
    }
    mended.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(mended)
}

/// Adds a step to a JSON pointer.
#[must_use]
pub fn pointer_to(base: &str, step: &str) -> String {
    let mut pointer = String::with_capacity(base.len() + step.len() + 1);
    pointer.push_str(base);
    pointer.push('/');
    for c in step.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
    pointer
}

/// The line and column of a byte, both from 1; the column counts characters.
#[must_use]
pub fn line_column(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = text.get(..at).unwrap_or_default();
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests {
    use super::*;

    const STRICT: JsonRules = JsonRules { byte_order_mark: false, lone_surrogates: false };
    const LAX: JsonRules = JsonRules { byte_order_mark: true, lone_surrogates: true };

    fn parse(text: &str) -> Node {
        parse_json(text.as_bytes(), STRICT).expect("json")
    }

    #[test]
    fn every_value_knows_its_place() {
        let text = r#"{"a": [1, "é", {"b": null}]}"#;
        let root = parse(text);
        let array = root.as_object().and_then(|o| o.get("a")).expect("a");
        assert_eq!(&text[array.range.clone()], r#"[1, "é", {"b": null}]"#);
        let items = array.as_array().expect("array");
        assert_eq!(&text[items[1].range.clone()], "\"é\"");
        let member = items[2].as_object().and_then(|o| o.member("b")).expect("b");
        assert_eq!(&text[member.key_range.clone()], "\"b\"");
    }

    #[test]
    fn repeated_keys_are_all_there_and_the_last_counts() {
        let root = parse(r#"{"a":1,"a":2,"b":3}"#);
        let object = root.as_object().expect("object");
        assert_eq!(object.get("a").and_then(Node::as_number), Some("2"));
        assert_eq!(object.repeated().into_iter().map(|m| m.key.as_str()).collect::<Vec<_>>(), ["a"]);
    }

    #[test]
    fn faults_have_a_kind_and_a_place() {
        let fault = |bytes: &[u8]| {
            let error = parse_json(bytes, STRICT).expect_err("a fault");
            (error.kind, error.range.start)
        };
        assert_eq!(fault(b""), (SyntaxFault::Empty, 0));
        assert_eq!(fault(b" \n"), (SyntaxFault::Empty, 0));
        assert_eq!(fault(b"\xef\xbb\xbf{}"), (SyntaxFault::ByteOrderMark, 0));
        assert_eq!(fault(b"{\"a\":\xff}"), (SyntaxFault::NotUtf8, 5));
        assert_eq!(fault(b"{\n  // no\n}"), (SyntaxFault::Comment, 4));
        assert_eq!(fault(b"{\"a\":1,}"), (SyntaxFault::Syntax, 7));
        assert_eq!(fault("[".repeat(200).as_bytes()).0, SyntaxFault::TooDeep);
        assert_eq!(fault(&vec![b' '; SIZE_LIMIT + 1]).0, SyntaxFault::TooLarge);
    }

    #[test]
    fn what_javascript_accepts_can_be_accepted() {
        let node = parse_json("\u{feff}{\"a\":\"\\ud83d\\ude00 \\ud800 \\\\ud800\"}".as_bytes(), LAX).expect("json");
        let a = node.as_object().and_then(|o| o.get("a")).expect("a");
        assert_eq!(a.as_str(), Some("😀 \u{fffd} \\ud800"));
        assert_eq!(a.range.start, 8);
    }

    #[test]
    fn what_the_span_parser_alone_would_take_is_refused() {
        for text in ["{\"a\":\"\u{1}\"}", "{\u{a0}\"a\":1}", "{'a':1}", "{a:1}", "[1 2]", "0x10", "+1", "NaN"] {
            assert!(parse_json(text.as_bytes(), STRICT).is_err(), "{text:?}");
        }
    }

    #[test]
    fn pointers_escape_what_they_must() {
        assert_eq!(pointer_to("/hooks", "a/b~c"), "/hooks/a~1b~0c");
    }

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        assert_eq!(line_column("é\nxyz", 4), (2, 2));
        assert_eq!(line_column("", 9), (1, 1));
    }
}
