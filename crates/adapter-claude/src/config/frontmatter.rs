//! The head of a skill, command or agent: YAML between two `---` lines, read into the same tree as JSON is.
//!
//! Anchors are resolved, with a budget for what aliases may unfold to; depth and size have limits, so that no document
//! however made can grow without bound. Of a repeated key the last one counts, as everywhere in this format.

use std::collections::HashMap;
use std::ops::Range;

use hooks_core::document::{Member, Node, Object, SyntaxError, SyntaxFault, Value, check_text};
use hooks_core::json::DEPTH_LIMIT;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span};

/// Bytes that a head may have.
const SIZE_LIMIT: usize = 1 << 20;

/// Values that a head may hold once its aliases are resolved.
const NODE_LIMIT: usize = 50_000;

/// Reads a document's head. `None` when it has none.
///
/// # Errors
///
/// What is wrong with it, and where.
pub(super) fn read(bytes: &[u8]) -> Result<Option<Node>, SyntaxError> {
    let text = check_text(bytes)?;
    let Some(range) = head(text) else { return Ok(None) };
    read_head(text.get(range.clone()).unwrap_or_default(), range).map(Some)
}

/// Whether a line of the head starts with a key that is `hooks`, or nearly.
pub(super) fn speaks_of_hooks(bytes: &[u8]) -> bool {
    let Ok(text) = check_text(bytes) else { return true };
    let head = head(text).and_then(|range| text.get(range)).unwrap_or_default();
    let word = |line: &str| {
        line.trim_start_matches(['"', '\'']).get(..4).is_some_and(|word| word.eq_ignore_ascii_case("hook"))
    };
    head.lines().any(word)
}

/// Reads a head that is no YAML once more, as the client does: with quotes around those values that stand on the line of
/// their key at the top and have a character in them that YAML reads in its own way (not tried; known from public accounts of
/// client 2.1). `None` where that is no YAML either.
pub(super) fn read_in_quotes(bytes: &[u8]) -> Option<Node> {
    let text = check_text(bytes).ok()?;
    let range = head(text)?;
    let mut quoted = String::with_capacity(range.len());
    for line in text.get(range.clone())?.split_inclusive('\n') {
        let end = line.trim_end_matches(['\r', '\n']);
        let value = end.split_once(':').filter(|(key, value)| {
            !key.is_empty()
                && *key != "hooks"
                && key.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '-'))
                && value.starts_with([' ', '\t'])
        });
        let value = value.map(|(_, value)| value.trim()).filter(|value| {
            let special = |c| matches!(c, '{' | '}' | '[' | ']' | '*' | '&' | '#' | '!' | '|' | '>' | '%' | '@' | '`');
            let is_quoted = ['"', '\''].iter().any(|quote| value.starts_with(*quote) && value.ends_with(*quote));
            !is_quoted && (value.contains(special) || value.contains(": "))
        });
        match value {
            // Places stay: a text of the same length. What it says is of no account here.
            Some(value) if value.len() > 1 => {
                let before = end.trim_end().len() - value.len();
                quoted.push_str(line.get(..before)?);
                quoted.push('"');
                quoted.push_str(&"x".repeat(value.len() - 2));
                quoted.push('"');
                quoted.push_str(line.get(before + value.len()..)?);
            }
            _ => quoted.push_str(line),
        }
    }
    read_head(&quoted, range).ok()
}

fn read_head(head: &str, range: Range<usize>) -> Result<Node, SyntaxError> {
    if head.len() > SIZE_LIMIT {
        return Err(fault("the head of the file is too large", range, SyntaxFault::TooLarge));
    }
    let mut tree = Tree::new(head, range.start);
    let mut parser = Parser::new_from_str(head);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let at = tree.places.at(error.marker());
            let message = format!("the head is not valid YAML: {}", error.info());
            fault(&message, at..at, SyntaxFault::Syntax)
        })?;
        if tree.take(event, span)? {
            break;
        }
    }
    Ok(tree.finish(range))
}

/// The bytes between the first line, which must be `---`, and the next such line.
fn head(text: &str) -> Option<Range<usize>> {
    let skipped = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut at = skipped;
    let mut start = None;
    for line in text.get(skipped..)?.split_inclusive('\n') {
        let is_rule = line.trim_end() == "---";
        match start {
            None if is_rule => start = Some(at + line.len()),
            None => return None,
            Some(start) if is_rule => return Some(start..at),
            Some(_) => {}
        }
        at += line.len();
    }
    None
}

fn fault(message: &str, range: Range<usize>, kind: SyntaxFault) -> SyntaxError {
    SyntaxError { message: message.to_owned(), range, kind }
}

/// Turns the parser's places, which count characters, into bytes of the document.
struct Places {
    /// The byte of each character; empty for a text of single bytes.
    bytes: Vec<usize>,
    length: usize,
    skipped: usize,
}

impl Places {
    fn new(text: &str, skipped: usize) -> Self {
        let bytes = if text.is_ascii() { Vec::new() } else { text.char_indices().map(|(at, _)| at).collect() };
        Self { bytes, length: text.len(), skipped }
    }

    fn at(&self, marker: &Marker) -> usize {
        let index = marker.index();
        let byte = if self.bytes.is_empty() { index } else { self.bytes.get(index).copied().unwrap_or(self.length) };
        byte.min(self.length) + self.skipped
    }

    fn range(&self, span: Span) -> Range<usize> {
        let start = self.at(&span.start);
        start..self.at(&span.end).max(start)
    }
}

/// A collection being read.
enum Open {
    Sequence { items: Vec<Node>, start: usize, anchor: usize },
    Mapping { members: Vec<Member>, key: Option<(String, Range<usize>)>, start: usize, anchor: usize },
}

/// The tree being built.
struct Tree {
    places: Places,
    open: Vec<Open>,
    anchors: HashMap<usize, (Node, usize)>,
    nodes: usize,
    root: Option<Node>,
}

impl Tree {
    fn new(text: &str, skipped: usize) -> Self {
        let places = Places::new(text, skipped);
        Self { places, open: Vec::new(), anchors: HashMap::new(), nodes: 0, root: None }
    }

    /// Takes one event; `true` when the first document has ended.
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<bool, SyntaxError> {
        let range = self.places.range(span);
        match event {
            Event::DocumentEnd => return Ok(true),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {}
            Event::Alias(anchor) => {
                let Some((node, weight)) = self.anchors.get(&anchor).map(|(node, weight)| (node.clone(), *weight))
                else {
                    return Err(fault("an alias names what is not complete yet", range, SyntaxFault::Syntax));
                };
                self.count(weight, &range)?;
                self.add(Node { range, ..node }, 0, weight)?;
            }
            Event::Scalar(text, style, anchor, _) => {
                self.count(1, &range)?;
                let value = if style == ScalarStyle::Plain { plain(&text) } else { Value::String(text.into_owned()) };
                self.add(Node { value, range }, anchor, 1)?;
            }
            Event::SequenceStart(anchor, _) => {
                self.begin(&range)?;
                self.open.push(Open::Sequence { items: Vec::new(), start: range.start, anchor });
            }
            Event::MappingStart(anchor, _) => {
                self.begin(&range)?;
                self.open.push(Open::Mapping { members: Vec::new(), key: None, start: range.start, anchor });
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let (value, start, anchor) = match self.open.pop() {
                    Some(Open::Sequence { items, start, anchor }) => (Value::Array(items), start, anchor),
                    Some(Open::Mapping { members, start, anchor, .. }) => {
                        (Value::Object(Object { members }), start, anchor)
                    }
                    None => return Ok(true),
                };
                let node = Node { value, range: start..range.end.max(start) };
                let weight = if anchor == 0 { 0 } else { weight(&node) };
                self.add(node, anchor, weight)?;
            }
        }
        Ok(false)
    }

    fn begin(&mut self, range: &Range<usize>) -> Result<(), SyntaxError> {
        if self.open.len() >= DEPTH_LIMIT {
            let message = format!("the head is nested more than {DEPTH_LIMIT} levels deep");
            return Err(fault(&message, range.clone(), SyntaxFault::TooDeep));
        }
        self.count(1, range)
    }

    fn count(&mut self, more: usize, range: &Range<usize>) -> Result<(), SyntaxError> {
        self.nodes = self.nodes.saturating_add(more);
        if self.nodes > NODE_LIMIT {
            let message = format!("the head comes to more than {NODE_LIMIT} values");
            return Err(fault(&message, range.clone(), SyntaxFault::TooLarge));
        }
        Ok(())
    }

    fn add(&mut self, node: Node, anchor: usize, weight: usize) -> Result<(), SyntaxError> {
        if self.open.len() + depth(&node) > DEPTH_LIMIT {
            let message = format!("the head is nested more than {DEPTH_LIMIT} levels deep");
            return Err(fault(&message, node.range, SyntaxFault::TooDeep));
        }
        if anchor != 0 {
            self.anchors.insert(anchor, (node.clone(), weight));
        }
        match self.open.last_mut() {
            None => {
                self.root.get_or_insert(node);
            }
            Some(Open::Sequence { items, .. }) => items.push(node),
            Some(Open::Mapping { members, key, .. }) => match key.take() {
                None => *key = Some((key_text(&node), node.range)),
                Some((key, key_range)) => members.push(Member { key, key_range, value: node }),
            },
        }
        Ok(())
    }

    fn finish(self, range: Range<usize>) -> Node {
        self.root.unwrap_or(Node { value: Value::Null, range })
    }
}

/// Levels below a value. Only an alias brings a value with levels of its own; others are counted while they are open.
fn depth(node: &Node) -> usize {
    match &node.value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(object) => 1 + object.members.iter().map(|member| depth(&member.value)).max().unwrap_or_default(),
        _ => 0,
    }
}

fn weight(node: &Node) -> usize {
    1 + match &node.value {
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(object) => object.members.iter().map(|member| weight(&member.value)).sum(),
        _ => 0,
    }
}

fn key_text(node: &Node) -> String {
    match &node.value {
        Value::String(text) | Value::Number(text) => text.clone(),
        Value::Bool(value) => value.to_string(),
        _ => "null".to_owned(),
    }
}

/// A scalar without quotes, by the core schema of YAML 1.2.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        text => match number(text) {
            Some(number) => Value::Number(number),
            None => Value::String(text.to_owned()),
        },
    }
}

/// A number as JSON writes it; `None` for what is none, and for those that JSON has not.
fn number(text: &str) -> Option<String> {
    let radix = |digits: &str, radix: u32| u64::from_str_radix(digits, radix).ok().map(|number| number.to_string());
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.chars().any(|c| c.is_ascii_digit())
        && unsigned.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    if !is_number {
        return None;
    }
    if serde_json::from_str::<serde_json::Number>(text).is_ok() {
        return Some(text.to_owned());
    }
    let number: f64 = text.parse().ok()?;
    number.is_finite().then(|| number.to_string())
}

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests {
    use super::*;

    fn json(text: &str) -> serde_json::Value {
        serde_json::Value::from(&read(text.as_bytes()).expect("yaml").expect("a head"))
    }

    #[test]
    fn a_head_reads_as_a_tree_with_places() {
        let text = "---\nname: é x\nhooks:\n  PreToolUse:\n    - matcher: \"Bash\"\n      hooks:\n        - {type: command, command: './x', timeout: 5}\n---\nbody: no\n";
        let node = read(text.as_bytes()).expect("yaml").expect("a head");
        let hooks = node.as_object().and_then(|root| root.member("hooks")).expect("hooks");
        assert_eq!(&text[hooks.key_range.clone()], "hooks");
        let group = &hooks
            .value
            .as_object()
            .and_then(|events| events.get("PreToolUse"))
            .and_then(Node::as_array)
            .expect("groups")[0];
        let matcher = group.as_object().and_then(|group| group.get("matcher")).expect("matcher");
        assert_eq!(&text[matcher.range.clone()], "\"Bash\"");
        assert_eq!(json(text)["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"], 5);
    }

    #[test]
    fn scalars_follow_the_core_schema() {
        let value = json("---\na: ~\nb: yes\nc: 0x10\nd: .5\ne: '5'\nf: True\ng: 1.2.3\nh:\n-\n---\n");
        assert_eq!(
            value,
            serde_json::json!({"a":null,"b":"yes","c":16,"d":0.5,"e":"5","f":true,"g":"1.2.3","h":[null]})
        );
    }

    #[test]
    fn without_two_rules_there_is_no_head() {
        for text in ["", "a: b\n", "---\na: b\n", "# x\n---\na: b\n---\n"] {
            assert!(read(text.as_bytes()).expect("fine").is_none(), "{text:?}");
        }
        assert!(read(b"---\r\na: b\r\n---\r\n").expect("fine").is_some());
    }

    #[test]
    fn aliases_unfold_within_a_budget() {
        assert_eq!(json("---\na: &x [1, 2]\nb: *x\n---\n")["b"], serde_json::json!([1, 2]));
        let mut bomb = "---\nx0: &x0 [1,1,1,1,1,1,1,1,1,1]\n".to_owned();
        for level in 1..12 {
            let alias = format!("*x{}", level - 1);
            bomb += &format!("x{level}: &x{level} [{}]\n", [alias.as_str(); 10].join(","));
        }
        bomb += "---\n";
        assert_eq!(read(bomb.as_bytes()).expect_err("too large").kind, SyntaxFault::TooLarge);
        let deep = format!("---\na: {}\n---\n", "[".repeat(5_000));
        assert!(matches!(
            read(deep.as_bytes()).expect_err("too deep").kind,
            SyntaxFault::TooDeep | SyntaxFault::Syntax
        ));
        assert!(read(b"---\na: &x [*x]\n---\n").is_err());
    }
}
