//! Putting elements into a TOML document, as tables at its end: every byte that is there stays where it is.
//!
//! Only a TOML reader knows what a table can still be added to, and core has none: the adapter's reads the text with the
//! new tables, and what it reads must be what was there with the new elements behind it.

use super::Element;
use super::insert::{Grown, InsertError, Inserted, same, shape};
use super::side::ConfigSide;
use crate::document::{JsonRules, Member, Node, Object, Value, parse_json};
use crate::json::RawJson;
use crate::source::Syntax;

const HOOKS: &str = "hooks";

/// As [`super::insert::insert`], for TOML.
pub(super) fn insert(to: &dyn ConfigSide, text: &str, elements: &[Element]) -> Result<Inserted, InsertError> {
    let read = |text: &str| to.tree(Syntax::Toml, text.as_bytes());
    let root = read(text).map_err(|error| InsertError::Syntax { message: error.message, at: error.range.start })?;
    let empty = Object::default();
    let object = root.as_object().unwrap_or(&empty);
    let events = match object.get(HOOKS) {
        None => None,
        Some(node) => Some(node.as_object().ok_or_else(|| shape("/hooks", node, "a table of events"))?),
    };
    let mut grown = Grown::default();
    let mut status = Vec::new();
    for element in elements {
        let there = match events.and_then(|events| events.get(element.event)) {
            None => &[],
            Some(node) => node
                .as_array()
                .ok_or_else(|| shape(&format!("/hooks/{}", element.event), node, "an array of tables"))?,
        };
        status.push(grown.push(element, there));
    }
    let style = Style::of(text, events);
    let mut after = text.to_owned();
    let mut wanted = object.clone();
    for (event, list) in &grown.events {
        for json in list {
            let Ok(group) = parse_json(json.as_bytes(), JsonRules::default()) else { continue };
            style.append(&mut after, event, &group);
            add(&mut wanted, event, group);
        }
        let is_as_meant = read(&after).is_ok_and(|read| same(&read.value, &Value::Object(wanted.clone())));
        if !is_as_meant {
            let has = events.is_some_and(|events| events.get(event).is_some());
            let key = if has { format!("{HOOKS}.{event}") } else { HOOKS.to_owned() };
            return Err(InsertError::Closed { key, event: event.clone() });
        }
    }
    Ok(Inserted { text: after, status })
}

/// A group at the end of an event's list.
fn add(root: &mut Object, event: &str, group: Node) {
    let hooks = member(root, HOOKS, Value::Object(Object::default()));
    let Some(Value::Object(events)) = hooks else { return };
    if let Some(Value::Array(list)) = member(events, event, Value::Array(Vec::new())) {
        list.push(group);
    }
}

/// The value of a key, which is put in where it is not there.
fn member<'o>(object: &'o mut Object, key: &str, new: Value) -> Option<&'o mut Value> {
    let at = object.members.iter().position(|member| member.key == key).unwrap_or_else(|| {
        let value = Node { range: 0..0, value: new };
        object.members.push(Member { key: key.to_owned(), key_range: 0..0, value });
        object.members.len() - 1
    });
    object.members.get_mut(at).map(|member| &mut member.value.value)
}

/// How a document is laid out.
struct Style<'t> {
    newline: &'static str,
    /// Whether handlers stand in braces, and not in tables of their own.
    braces: bool,
    /// Whether a blank line stands in front of a handler's table.
    apart: bool,
    /// The blanks in front of a handler's table.
    indent: &'t str,
}

impl<'t> Style<'t> {
    /// That of the last handler that is there.
    fn of(text: &'t str, events: Option<&Object>) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let groups = events.into_iter().flat_map(|events| &events.members).filter_map(|event| event.value.as_array());
        let handlers = groups.flatten().filter_map(|group| group.as_object()?.get(HOOKS)?.as_array()).flatten();
        let last = handlers.map(|handler| handler.range.start).max();
        let before = last.and_then(|at| text.get(..at)).unwrap_or_default();
        let indent = before.rsplit('\n').next().unwrap_or_default();
        let is_table = last.and_then(|at| text.get(at..)).is_some_and(|rest| rest.starts_with("[["));
        let indent = if is_table && indent.trim().is_empty() { indent } else { "" };
        let above = before.rsplit('\n').nth(1);
        Self {
            newline,
            braces: last.is_some() && !is_table,
            apart: !is_table || above.is_none_or(|line| line.trim().is_empty()),
            indent,
        }
    }

    /// Appends a group to the text.
    fn append(&self, text: &mut String, event: &str, group: &Node) {
        let Some(group) = group.as_object() else { return };
        if !text.is_empty() {
            if !text.ends_with('\n') {
                text.push_str(self.newline);
            }
            text.push_str(self.newline);
        }
        let header = format!("{HOOKS}.{}", key(event));
        text.push_str(&format!("[[{header}]]{}", self.newline));
        let is_table = |member: &&Member| !self.braces && member.key == HOOKS;
        for member in group.members.iter().filter(|member| !is_table(member)) {
            self.line(text, "", member);
        }
        let handlers = group.members.iter().filter(is_table).filter_map(|member| member.value.as_array()).flatten();
        for handler in handlers.filter_map(Node::as_object) {
            if self.apart {
                text.push_str(self.newline);
            }
            text.push_str(&format!("{}[[{header}.{HOOKS}]]{}", self.indent, self.newline));
            handler.members.iter().for_each(|member| self.line(text, self.indent, member));
        }
    }

    fn line(&self, text: &mut String, indent: &str, member: &Member) {
        text.push_str(&format!("{indent}{} = {}{}", key(&member.key), value(&member.value), self.newline));
    }
}

/// A key: bare where it can be.
fn key(text: &str) -> String {
    let is_bare = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if is_bare { text.to_owned() } else { basic(text) }
}

/// A value in one line. TOML has no `null`: nothing stands for it, and the reader says so.
fn value(node: &Node) -> String {
    match &node.value {
        Value::Null => String::new(),
        Value::Bool(is) => is.to_string(),
        Value::Number(number) => number.clone(),
        Value::String(text) => string(text),
        Value::Array(items) => format!("[{}]", items.iter().map(value).collect::<Vec<_>>().join(", ")),
        Value::Object(object) if object.members.is_empty() => "{}".to_owned(),
        Value::Object(object) => {
            let member = |member: &Member| format!("{} = {}", key(&member.key), value(&member.value));
            format!("{{ {} }}", object.members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A text: as it is where it has quotation marks or backslashes and can stand so.
fn string(text: &str) -> String {
    let can = !text.contains('\'') && !text.contains(|c: char| c.is_control());
    if can && text.contains(['"', '\\']) { format!("'{text}'") } else { basic(text) }
}

/// A text with escapes: those of JSON are TOML's too, and TOML wants one more.
fn basic(text: &str) -> String {
    RawJson::string(text).get().replace('\u{7f}', "\\u007F")
}
