//! The event map and its groups (section 3.1): one reader for JSON and TOML.

use std::collections::HashMap;
use std::sync::Arc;

use hooks_core::Place;
use hooks_core::Version;
use hooks_core::diagnostic::{Diagnostic, Edit, Reach, Severity};
use hooks_core::document::{Member, Node, Object, Value};
use hooks_core::lint::nearest::{Nearest, nearest};
use hooks_core::source::{Role, Syntax};

use super::at::At;
use super::entry::Entry;
use super::faults::{AN_EVENT_MAP, GROUPS, HANDLERS};
use super::keys;
use super::mend::with;
use super::{Reader, matchers};
use crate::events::{self, EVENTS, Event};
use crate::{codes, matcher};

/// Keys that only a handler has: an object with one of them and no list of handlers was meant as one.
pub(crate) const HANDLER_MARKS: [&str; 2] = [keys::TYPE, keys::COMMAND];

/// The one event that a text is, or nearly is.
pub(super) fn event_near(name: &str, version: Version) -> Option<Nearest<'static>> {
    use hooks_core::lint::nearest::Difference;
    let names = || events::facts(version).iter().map(|event| event.name);
    let itself = names().find(|event| *event == name);
    let itself = itself.map(|name| Nearest { name, difference: Difference::Edits(0), alone: true });
    itself.or_else(|| nearest(name, names()).filter(|near| near.alone))
}

impl Reader {
    /// The event map.
    pub(super) fn hooks(&mut self, hooks: &Node, at: &At<'_>) -> Vec<Entry> {
        let Some(map) = hooks.as_object() else {
            self.wrong_type(hooks, at, AN_EVENT_MAP);
            return Vec::new();
        };
        let events: Vec<&'static Event> = EVENTS.iter().filter(|event| event.facts.since <= self.version).collect();
        let in_toml = self.source().syntax == Syntax::Toml;
        let in_requirements = self.source().role == Role::Requirements;
        // How many keys are each event's name, or nearly: of several each would take the other's place.
        let mut names: HashMap<&str, usize> = HashMap::new();
        let near: Vec<_> = map.members.iter().map(|member| event_near(&member.key, self.version)).collect();
        near.iter().flatten().for_each(|near| *names.entry(near.name).or_default() += 1);
        for (member, near) in map.members.iter().zip(near) {
            let at = at.key(&member.key);
            match member.key.as_str() {
                name if events.iter().any(|event| event.facts.name == name) => {}
                keys::STATE if in_toml => self.trust_records(&member.value, &at),
                name if in_requirements && keys::MANAGED.iter().any(|key| key.name == name) => {
                    self.optional_text(Some(&member.value), &at);
                }
                _ => {
                    let alone = near.is_some_and(|near| names.get(near.name) == Some(&1));
                    self.unknown_event(hooks, map, member, near.map(|near| (near, alone)), &at);
                }
            }
        }
        let mut entries = Vec::new();
        for event in events {
            let mut members = map.members.iter().filter(|member| member.key == event.facts.name);
            let Some(member) = members.next() else { continue };
            let at = at.key(&member.key);
            if self.advising && !event.documented {
                let message = format!("{} is not documented: what its hooks get may change without a word", member.key);
                let found = Diagnostic::new(&codes::UNDOCUMENTED_EVENT, Reach::None, message);
                self.advice.push(found.at(member.key_range.clone()).pointer(at.pointer()).silent());
            }
            self.groups(event, &member.value, &at, &mut entries);
            let again: Vec<&Member> = members.collect();
            self.event_twice(map, member, &again, &at);
            // What stands there is read too, for what else is wrong in it.
            for other in again {
                self.groups(event, &other.value, &at, &mut Vec::new());
            }
        }
        entries
    }

    pub(super) fn groups(&mut self, event: &'static Event, list: &Node, at: &At<'_>, entries: &mut Vec<Entry>) {
        match &list.value {
            Value::Array(groups) => {
                for (number, group) in groups.iter().enumerate() {
                    self.group(event, group, number, &at.index(number), entries);
                }
            }
            Value::Object(group) => {
                let meant = [keys::HOOKS, keys::MATCHER, keys::TYPE, keys::COMMAND];
                let is_group = meant.iter().any(|key| group.get(key).is_some());
                let header = [keys::HOOKS, event.facts.name];
                let edits = is_group.then(|| self.text().wrap_in_list(list, &header)).flatten();
                self.wrong_value(list, at, GROUPS, edits.unwrap_or_default());
                if is_group {
                    self.group(event, list, 0, at, entries);
                }
            }
            _ => self.wrong_type(list, at, GROUPS),
        }
    }

    /// An event that stands in the map more than once.
    fn event_twice(&mut self, map: &Object, first: &Member, again: &[&Member], at: &At<'_>) {
        let Some(second) = again.first() else { return };
        let message = format!("{} stands twice", first.key);
        let found = Diagnostic::new(&codes::DUPLICATE_EVENT, self.file_reach(), message)
            .at(second.key_range.clone())
            .pointer(at.pointer())
            .related("the first one", first.key_range.clone());
        let edits = if again.len() == 1 { self.join(map, first, second).unwrap_or_default() } else { Vec::new() };
        self.fatal.push(with(found, edits, "Codex takes the file, and the groups of both run"));
    }

    /// The edits that put the groups of the second list behind those of the first.
    fn join(&self, map: &Object, first: &Member, second: &Member) -> Option<Vec<Edit>> {
        let (one, other) = (first.value.as_array()?, second.value.as_array()?);
        let number = map.members.iter().position(|member| member.key_range == second.key_range)?;
        let gone = hooks_core::lint::values::member_bytes(map, number)?;
        let mut edits = Vec::new();
        if let (Some(start), Some(end)) = (other.first(), other.last()) {
            let groups = self.text().slice(start.range.start..end.range.end);
            let (place, before) = match one.last() {
                Some(last) => (last.range.end, ", "),
                None => (first.value.range.start + 1, ""),
            };
            edits.push(Edit { range: place..place, text: format!("{before}{groups}") });
        }
        edits.push(Edit { range: gone, text: String::new() });
        Some(edits)
    }

    /// A key that is no event; `near` is the event whose name it nearly is, and whether it alone is.
    fn unknown_event(
        &mut self,
        holder: &Node,
        map: &Object,
        member: &Member,
        near: Option<(Nearest<'static>, bool)>,
        at: &At<'_>,
    ) {
        let name = &member.key;
        if let Some((severity, message, help)) = elsewhere(name) {
            let found = Diagnostic::new(&codes::UNKNOWN_EVENT, Reach::Event, message).severity(severity).help(help);
            self.soft.push(found.at(member.key_range.clone()).pointer(at.pointer()).silent());
            return;
        }
        let event = near.and_then(|(near, _)| events::find(near.name));
        let left = event.and_then(Event::unguarded).map(|left| format!(": {left}")).unwrap_or_default();
        let message = format!("Codex has no event `{name}`; its hooks never run{left}");
        let found = Diagnostic::new(&codes::UNKNOWN_EVENT, Reach::Event, message).at(member.key_range.clone());
        let mut found = found.pointer(at.pointer()).silent();
        if let Some(event) = event {
            if event.guards() {
                found = found.severity(Severity::Error);
            }
            found = found.help(if self.source().syntax == Syntax::Toml {
                format!("Write `[[hooks.{0}]]`, with `matcher`, and `[[hooks.{0}.hooks]]`.", event.facts.name)
            } else {
                format!("Write `{}`.", event.facts.name)
            });
            if near.is_some_and(|(_, alone)| alone) {
                let edits = self.text().rename(&[keys::HOOKS, name], member, event.facts.name);
                found = with(found, edits, "its hooks run, which they did not before");
            }
        } else if let Some(later) = EVENTS.iter().find(|event| event.facts.name == name) {
            found = found.help(format!("Codex has it since {}.", later.facts.since));
        } else if let Some(inner) = member.value.as_object().filter(|inner| name == keys::HOOKS && holds_events(inner))
        {
            found = found.help("Events stand directly in `hooks`: take one level out.");
            if map.members.len() == 1
                && self.text().slice(holder.range.clone()).starts_with('{')
                && !inner.members.is_empty()
            {
                let (outside, inside) = (holder.range.clone(), member.value.range.clone());
                let cut = |range| Edit { range, text: String::new() };
                let edits = vec![cut(outside.start..inside.start), cut(inside.end..outside.end)];
                found = with(found, edits, "the hooks run, which they did not before");
            }
        }
        let inner = (name == keys::HOOKS && event.is_none()).then_some(&member.value);
        self.soft.push(found);
        if let Some(event) = event {
            let until = format!("this is `{}`", event.facts.name);
            self.below(&until, |reader| reader.groups(event, &member.value, at, &mut Vec::new()));
        } else if let Some(inner) = inner.filter(|inner| inner.as_object().is_some_and(holds_events)) {
            self.below("it stands directly in `hooks`", |reader| reader.hooks(inner, at));
        }
    }

    fn group(&mut self, event: &'static Event, group: &Node, number: usize, at: &At<'_>, entries: &mut Vec<Entry>) {
        let Some(fields) = group.as_object() else { return self.wrong_type(group, at, "a group") };
        self.refuse_repeated(fields, &keys::GROUP, at);
        let matcher_at = at.key(keys::MATCHER);
        let matcher_node = fields.get(keys::MATCHER).filter(|node| !node.is_null());
        let matcher = self.matcher_text(matcher_node, &matcher_at);
        let is_handler = fields.get(keys::HOOKS).is_none() && HANDLER_MARKS.iter().any(|key| fields.get(key).is_some());
        if is_handler {
            self.handler_in_place_of_group(event, group, fields, at);
        } else {
            let before = self.soft.len();
            self.unknown_fields(fields, &keys::GROUP, None, at, "a group");
            if fields.get(keys::HOOKS).is_none() {
                self.handlers_under_another_key(event, fields, before, at);
            }
        }
        let list_at = at.key(keys::HOOKS);
        let handlers: &[Node] = match fields.get(keys::HOOKS) {
            None => &[],
            Some(node) => match &node.value {
                Value::Array(handlers) => handlers,
                Value::Object(handler) => {
                    let is_handler = HANDLER_MARKS.iter().any(|key| handler.get(key).is_some());
                    let header = [keys::HOOKS, event.facts.name, keys::HOOKS];
                    let edits = is_handler.then(|| self.text().wrap_in_list(node, &header)).flatten();
                    self.wrong_value(node, &list_at, HANDLERS, edits.unwrap_or_default());
                    if is_handler {
                        self.handler(event, node, &list_at);
                    }
                    return;
                }
                _ => return self.wrong_type(node, &list_at, HANDLERS),
            },
        };
        for other in fields.members.iter().filter(|member| member.key == keys::HOOKS) {
            // A second list, for what else is wrong in it; the file is dropped for it.
            if let Some(others) = other.value.as_array().filter(|others| !std::ptr::eq(*others, handlers)) {
                for (index, handler) in others.iter().enumerate() {
                    self.handler(event, handler, &list_at.index(index));
                }
            }
        }
        let (compiled, error) = matcher::compile(Some(&event.facts), matcher.as_deref());
        let skipped = match (matcher_node, &matcher) {
            (Some(node), Some(text)) => {
                let said = matchers::Said { node, text, at: &matcher_at };
                self.matcher(event, said, &compiled, error.as_ref(), !handlers.is_empty())
            }
            _ => None,
        };
        for (index, handler) in handlers.iter().enumerate() {
            let Some((written, own)) = self.handler(event, handler, &list_at.index(index)) else { continue };
            entries.push(Entry {
                source: Arc::clone(&self.part),
                event,
                place: Place {
                    event: event.facts.name.to_owned(),
                    group: u32::try_from(number).unwrap_or(u32::MAX),
                    index: u32::try_from(index).unwrap_or(u32::MAX),
                },
                range: handler.range.clone(),
                matcher: matcher.clone(),
                compiled: compiled.clone(),
                handler: written,
                skipped: skipped.clone().or(own),
            });
        }
    }

    /// A handler where a group belongs.
    fn handler_in_place_of_group(&mut self, event: &'static Event, group: &Node, fields: &Object, at: &At<'_>) {
        let left = event.unguarded().map(|left| format!(": {left}")).unwrap_or_default();
        let message = format!("a handler stands where a group of {} belongs; it never runs{left}", event.facts.name);
        let found = Diagnostic::new(&codes::HANDLER_IN_PLACE_OF_GROUP, Reach::Group, message);
        let found = found.at(group.range.clone()).pointer(at.pointer()).silent();
        let mut found = if event.guards() { found } else { found.severity(Severity::Warning) };
        if self.source().syntax == Syntax::Toml {
            found = found.help(format!("Write `[[hooks.{}.hooks]]` above `type` and `command`.", event.facts.name));
        }
        // What would drop the file in its right place must not get there.
        let fits = self.below("the handler stands in a group", |reader| {
            let fatal = reader.fatal.len();
            reader.handler(event, group, at);
            // A matcher is in its place there already.
            let matcher = fields.member(keys::MATCHER).map(|member| member.key_range.clone());
            reader.soft.retain(|found| matcher.is_none() || found.range != matcher);
            reader.fatal.len() == fatal
        });
        let header = [keys::HOOKS, event.facts.name];
        let wrapped = fits.then(|| self.text().wrap_in_group(group, fields, keys::MATCHER, keys::HOOKS, &header));
        self.soft.push(with(found, wrapped.flatten().unwrap_or_default(), "the handler runs, which it did not before"));
    }

    /// A group without `hooks`, and with a key that is nearly that: everything in it is lost. `before` is where the reports
    /// about its fields begin.
    fn handlers_under_another_key(&mut self, event: &'static Event, fields: &Object, before: usize, at: &At<'_>) {
        let Some(member) = fields.members.iter().find(|member| {
            nearest(&member.key, [keys::HOOKS]).is_some()
                || (member.key == "handlers" && member.value.as_array().is_some())
        }) else {
            return;
        };
        let path = [keys::HOOKS, event.facts.name, &member.key];
        let edits =
            if member.value.as_array().is_some() { self.text().rename(&path, member, keys::HOOKS) } else { Vec::new() };
        let reported = self.soft.iter_mut().skip(before);
        let Some(found) = reported.into_iter().find(|found| found.range.as_ref() == Some(&member.key_range)) else {
            return;
        };
        let left = event.unguarded().map(|left| format!(": {left}")).unwrap_or_default();
        found.message = format!("`{}` is no field of a group, which has no handlers so{left}", member.key);
        found.help = format!("Write `{}`.", keys::HOOKS).into();
        found.reach = Reach::Group;
        if event.guards() {
            found.severity = Severity::Error;
        }
        found.edits.clear();
        *found = with(found.clone(), edits, "the group's handlers run, which they did not before");
        let at = at.key(&member.key);
        let handlers = member.value.as_array().unwrap_or_default();
        self.below("this is `hooks`", |reader| {
            for (index, handler) in handlers.iter().enumerate() {
                reader.handler(event, handler, &at.index(index));
            }
        });
    }
}

/// What is told of a key that Codex reads in another place than among the events of this document.
fn elsewhere(name: &str) -> Option<(Severity, String, &'static str)> {
    let (severity, help) = match name {
        keys::STATE => (
            Severity::Warning,
            "Trust records count in the user's `config.toml`; Codex writes them when hooks are reviewed in `/hooks`.",
        ),
        keys::DESCRIPTION => (Severity::Info, "Put it at the root of `hooks.json`, beside `hooks`."),
        _ if keys::MANAGED.iter().any(|key| key.name == name) => {
            (Severity::Info, "It counts in managed requirements only, and only names where hooks come from.")
        }
        _ => return None,
    };
    Some((severity, format!("`{name}` is no event, and among the events of this file Codex ignores it"), help))
}

/// Whether an object has an event for a key.
fn holds_events(object: &Object) -> bool {
    object.members.iter().any(|member| EVENTS.iter().any(|event| event.facts.name == member.key))
}

/// The first null anywhere in a value, with its pointer, and the object that it is a member of.
pub(super) fn find_null<'n>(node: &'n Node, at: &At<'_>) -> Option<(&'n Node, String)> {
    match &node.value {
        Value::Null => Some((node, at.pointer())),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| find_null(item, &at.index(index))),
        Value::Object(object) => {
            object.members.iter().find_map(|member| find_null(&member.value, &at.key(&member.key)))
        }
        _ => None,
    }
}
