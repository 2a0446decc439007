//! Putting elements into a document of the target, as text: what is there stays as it is, byte for byte.

use super::side::{ConfigFacts, ConfigSide};
use super::{Element, tables};
use crate::document::{JsonRules, Member, Node, Object, Value, parse_json};
use crate::json::RawJson;
use crate::source::Syntax;

/// A new document with one element.
#[must_use]
pub fn document(facts: &ConfigFacts, event: &str, json: &str) -> String {
    let head: String = facts.head.iter().map(|(key, value)| format!("{}: {value}, ", string(key))).collect();
    format!("{{{head}\"hooks\": {{{}: [{json}]}}}}", string(event))
}

fn string(text: &str) -> String {
    RawJson::string(text).get().to_owned()
}

/// Why nothing can be put into a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InsertError {
    /// It is no text of its language.
    #[error("{message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// Where.
        at: usize,
    },
    /// A value has a shape that hooks cannot be put into.
    #[error("{} is {found}, not {wanted}", if pointer.is_empty() { "the whole of it".to_owned() } else { format!("`{pointer}`") })]
    Shape {
        /// Which value.
        pointer: String,
        /// What it is.
        found: &'static str,
        /// What it must be.
        wanted: &'static str,
    },
    /// A value of a TOML document is written so that no table can be added to it.
    #[error("`{key}` is written in braces, brackets or dotted keys, to which TOML lets nobody add a table")]
    Closed {
        /// Which value.
        key: String,
        /// The event that something was to be added to.
        event: String,
    },
}

/// What became of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// It was put in.
    Added,
    /// The same element was there.
    There,
    /// One that selects and runs the same was there and says something else beside: it was left as it is.
    Other,
}

/// A document with elements in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inserted {
    /// The whole text.
    pub text: String,
    /// What became of each element, in their order.
    pub status: Vec<Status>,
}

/// Puts elements into a document. An empty document gets the members that a new one begins with.
///
/// # Errors
///
/// [`InsertError`] where the document cannot be read, or has no place for events. Nothing is guessed then.
pub fn insert(to: &dyn ConfigSide, syntax: Syntax, text: &str, elements: &[Element]) -> Result<Inserted, InsertError> {
    if syntax == Syntax::Toml {
        return tables::insert(to, text, elements);
    }
    let facts = to.config();
    if text.trim().is_empty() {
        let mut grown = Grown::default();
        let status = elements.iter().map(|element| grown.push(element, &[])).collect();
        if grown.events.is_empty() {
            return Ok(Inserted { text: text.to_owned(), status });
        }
        return Ok(Inserted { text: whole(facts, &grown), status });
    }
    let root = to
        .tree(syntax, text.as_bytes())
        .map_err(|error| InsertError::Syntax { message: error.message, at: error.range.start })?;
    let Some(object) = root.as_object() else { return Err(shape("", &root, "an object")) };
    let hooks = object.member("hooks");
    let events = match hooks.map(|member| &member.value) {
        None => None,
        Some(node) => Some(node.as_object().ok_or_else(|| shape("/hooks", node, "an object of events"))?),
    };
    let mut grown = Grown::default();
    let mut status = Vec::new();
    for element in elements {
        let there = match events.and_then(|events| events.get(element.event)) {
            None => &[],
            Some(node) => {
                node.as_array().ok_or_else(|| shape(&format!("/hooks/{}", element.event), node, "an array"))?
            }
        };
        status.push(grown.push(element, there));
    }
    let mut edits: Vec<(usize, String)> = Vec::new();
    let style = Style::of(text, &root);
    match (hooks, events) {
        (Some(member), Some(events)) => {
            let mut fresh = Vec::new();
            for (event, added) in &grown.events {
                match events.member(event) {
                    Some(array) => edits.push(into_array(text, &array.value, added, &style)),
                    None => fresh.push(entry(event, added, &style, 2)),
                }
            }
            if !fresh.is_empty() {
                edits.push(into_object(text, &member.value, events, &fresh, &style, 2));
            }
        }
        _ if grown.events.is_empty() => {}
        _ => {
            // What a new document begins with is put in too, where it is not there.
            let missing = facts.head.iter().filter(|(key, _)| object.member(key).is_none());
            let mut members: Vec<String> = missing.map(|(key, value)| format!("{}: {value}", string(key))).collect();
            members.push(hooks_member(&grown, &style));
            edits.push(into_object(text, &root, object, &members, &style, 1));
        }
    }
    Ok(Inserted { text: apply(text, edits), status })
}

pub(super) fn shape(pointer: &str, node: &Node, wanted: &'static str) -> InsertError {
    InsertError::Shape { pointer: pointer.to_owned(), found: node.phrase(), wanted }
}

/// Several insertions at once, each at a place of its own.
fn apply(text: &str, mut edits: Vec<(usize, String)>) -> String {
    edits.sort_by_key(|(at, _)| *at);
    let mut out = String::with_capacity(text.len() + 256);
    let mut from = 0;
    for (at, new) in edits {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push_str(&new);
        from = at;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// The elements that are to be put in, by event, in the order in which events come up.
#[derive(Default)]
pub(super) struct Grown {
    pub(super) events: Vec<(String, Vec<String>)>,
}

impl Grown {
    pub(super) fn push(&mut self, element: &Element, there: &[Node]) -> Status {
        let Ok(new) = parse_json(element.json.as_bytes(), JsonRules::default()) else { return Status::There };
        let list = self.events.iter().find(|(event, _)| event == element.event).map_or(&[][..], |(_, list)| list);
        if list.contains(&element.json) || there.iter().any(|node| same(&node.value, &new.value)) {
            return Status::There;
        }
        if there.iter().any(|node| holds(node, &new)) {
            return Status::There;
        }
        if there.iter().any(|node| runs_same(node, &new)) {
            return Status::Other;
        }
        match self.events.iter_mut().find(|(event, _)| event == element.event) {
            Some((_, list)) => list.push(element.json.clone()),
            None => self.events.push((element.event.to_owned(), vec![element.json.clone()])),
        }
        Status::Added
    }
}

/// Whether two values are the same, whatever the order of their members and however they are written.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(&a.value, &b.value))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.members.len() == b.members.len()
                && a.members
                    .iter()
                    .all(|member| b.get(&member.key).is_some_and(|other| same(&member.value.value, &other.value)))
        }
        (Value::Number(a), Value::Number(b)) => {
            a == b || matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a.to_bits() == b.to_bits())
        }
        (a, b) => a == b,
    }
}

fn matcher(node: &Node) -> &str {
    node.as_object().and_then(|object| object.get("matcher")).and_then(Node::as_str).unwrap_or_default()
}

fn handlers(node: &Node) -> &[Node] {
    node.as_object().and_then(|object| object.get("hooks")).and_then(Node::as_array).unwrap_or_default()
}

/// Whether a group with the same matcher holds the new group's handler.
fn holds(there: &Node, new: &Node) -> bool {
    let handlers_there = handlers(there);
    matcher(there) == matcher(new)
        && !handlers(new).is_empty()
        && handlers(new).iter().all(|new| handlers_there.iter().any(|there| same(&there.value, &new.value)))
}

/// Whether an element selects and runs the same, whatever else it says.
fn runs_same(there: &Node, new: &Node) -> bool {
    let command = |node: &Node| {
        let object = node.as_object()?;
        object
            .get("command")
            .or_else(|| object.get("prompt"))
            .or_else(|| object.get("url"))?
            .as_str()
            .map(str::to_owned)
    };
    if matcher(there) != matcher(new) {
        return false;
    }
    let of = |node: &Node| -> Vec<String> {
        match handlers(node) {
            [] => command(node).into_iter().collect(),
            handlers => handlers.iter().filter_map(command).collect(),
        }
    };
    let (there, new) = (of(there), of(new));
    !new.is_empty() && new.iter().all(|command| there.contains(command))
}

/// How a document is laid out.
struct Style {
    /// One step of indentation; `None` for a document in one line.
    step: Option<String>,
    newline: &'static str,
}

impl Style {
    fn of(text: &str, root: &Node) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let first = root.as_object().and_then(|object| object.members.first()).map(|member| member.key_range.start);
        let step = match first {
            // An empty object says nothing: the usual layout.
            None => Some("  ".to_owned()),
            Some(at) => indent(text, at).map(|step| if step.is_empty() { "  ".to_owned() } else { step.to_owned() }),
        };
        Self { step, newline }
    }

    const fn usual() -> Self {
        Self { step: None, newline: "\n" }
    }

    fn line(&self, depth: usize) -> String {
        self.step.as_ref().map_or(" ".to_owned(), |step| format!("{}{}", self.newline, step.repeat(depth)))
    }

    /// What stands between two members or elements at a depth.
    fn between(&self, depth: usize) -> String {
        format!(",{}", self.line(depth))
    }

    /// What stands before the first and after the last of them.
    fn edges(&self, depth: usize) -> (String, String) {
        match &self.step {
            None => (String::new(), String::new()),
            Some(step) => (self.line(depth), format!("{}{}", self.newline, step.repeat(depth.saturating_sub(1)))),
        }
    }
}

/// The blanks in front of a place, where nothing else stands in its line.
fn indent(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let line = before.rfind('\n')? + 1;
    before.get(line..).filter(|blanks| blanks.chars().all(|c| c == ' ' || c == '\t'))
}

/// An event with its elements, as a member of the object of events.
fn entry(event: &str, elements: &[String], style: &Style, depth: usize) -> String {
    let (open, close) = style.edges(depth + 1);
    let elements: Vec<String> = elements.iter().map(|json| laid_out(json, style, depth + 1)).collect();
    format!("{}: [{open}{}{close}]", string(event), elements.join(&style.between(depth + 1)))
}

fn hooks_member(grown: &Grown, style: &Style) -> String {
    let (open, close) = style.edges(2);
    let entries: Vec<String> = grown.events.iter().map(|(event, list)| entry(event, list, style, 2)).collect();
    format!("\"hooks\": {{{open}{}{close}}}", entries.join(&style.between(2)))
}

fn whole(facts: &ConfigFacts, grown: &Grown) -> String {
    let style = Style { step: Some("  ".to_owned()), ..Style::usual() };
    let mut members: Vec<String> = facts.head.iter().map(|(key, value)| format!("{}: {value}", string(key))).collect();
    members.push(hooks_member(grown, &style));
    let (open, close) = style.edges(1);
    format!("{{{open}{}{close}}}\n", members.join(&style.between(1)))
}

/// An element in several lines where the document has them, its members and handlers in their order.
fn laid_out(json: &str, style: &Style, depth: usize) -> String {
    let Ok(node) = parse_json(json.as_bytes(), JsonRules::default()) else { return json.to_owned() };
    if style.step.is_none() {
        return json.to_owned();
    }
    lay(json, &node, style, depth)
}

fn lay(json: &str, node: &Node, style: &Style, depth: usize) -> String {
    let (open, close) = style.edges(depth + 1);
    let between = style.between(depth + 1);
    match &node.value {
        Value::Object(object) if !object.members.is_empty() => {
            let members = object.members.iter();
            let members: Vec<String> = members
                .map(|member| format!("{}: {}", string(&member.key), lay(json, &member.value, style, depth + 1)))
                .collect();
            format!("{{{open}{}{close}}}", members.join(&between))
        }
        Value::Array(items) if items.iter().any(|item| item.as_object().is_some()) => {
            let items: Vec<String> = items.iter().map(|item| lay(json, item, style, depth + 1)).collect();
            format!("[{open}{}{close}]", items.join(&between))
        }
        _ => json.get(node.range.clone()).unwrap_or_default().to_owned(),
    }
}

/// New elements at the end of an array.
fn into_array(text: &str, array: &Node, added: &[String], style: &Style) -> (usize, String) {
    let last = array.as_array().and_then(<[Node]>::last);
    let own = last.and_then(|last| indent(text, last.range.start));
    match (last, own) {
        // Each in lines of its own, at the depth of the one before.
        (Some(last), Some(own)) => {
            let lines = added.iter().map(|json| {
                let laid = laid_out(json, style, 0).replace(style.newline, &format!("{}{own}", style.newline));
                format!(",{}{own}{laid}", style.newline)
            });
            (last.range.end, lines.collect())
        }
        (Some(last), None) => (last.range.end, added.iter().map(|json| format!(", {json}")).collect()),
        (None, _) => {
            let (open, close) = style.edges(3);
            let laid: Vec<String> = added.iter().map(|json| laid_out(json, style, 3)).collect();
            (array.range.start + 1, format!("{open}{}{close}", laid.join(&style.between(3))))
        }
    }
}

/// New members at the end of an object whose members stand at a depth.
fn into_object(
    text: &str,
    node: &Node,
    object: &Object,
    members: &[String],
    style: &Style,
    depth: usize,
) -> (usize, String) {
    let Some(Member { key_range, value, .. }) = object.members.last() else {
        let (open, close) = style.edges(depth);
        return (node.range.start + 1, format!("{open}{}{close}", members.join(&style.between(depth))));
    };
    let between = indent(text, key_range.start).map_or(", ".to_owned(), |own| format!(",{}{own}", style.newline));
    (value.range.end, members.iter().flat_map(|member| [between.as_str(), member]).collect())
}
