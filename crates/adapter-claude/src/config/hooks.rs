//! The events of a document, their groups and the handlers in them.

use std::collections::HashMap;

use hooks_core::definition::Place;
use hooks_core::diagnostic::{Diagnostic, Reach, Severity};
use hooks_core::document::{Member, Node, Object, Value, pointer_to};
use hooks_core::lint::values::quoted;
use hooks_core::matcher::Matcher;

use super::meant::Meant;
use super::reader::Reader;
use super::{edits, handler, keys, matchers};
use crate::events::{EVENTS, Event};
use crate::{codes, matcher};

/// A group being read.
pub(super) struct Group {
    pub(super) event: Option<&'static Event>,
    pub(super) event_name: String,
    pub(super) at: u32,
    pub(super) pointer: String,
    pub(super) matcher_text: Option<String>,
    pub(super) matcher: Matcher,
    /// Why none of its handlers runs.
    pub(super) dead: Option<String>,
    /// Whether its event is the one that was probably meant by a name that the client does not know: what is wrong below it
    /// is told in the same run, and none of it is live or costs more than it does already.
    pub(super) assumed: bool,
}

impl Group {
    fn new(event: Option<&'static Event>, name: &str, at: u32, pointer: String, assumed: bool) -> Self {
        Self {
            event,
            event_name: name.to_owned(),
            at,
            pointer,
            matcher_text: None,
            matcher: Matcher::All,
            dead: (event.is_none() || assumed).then(|| "its event is unknown".to_owned()),
            assumed,
        }
    }

    /// The event on which its handlers are fired.
    pub(super) fn fired_on(&self) -> Option<&'static Event> {
        self.event.filter(|_| !self.assumed)
    }
}

impl Reader {
    /// The events of a document. Of a repeated one the last counts.
    pub(super) fn events(&mut self, events: &Object, pointer: &str) {
        self.each_event(events, pointer);
        self.watches_nothing(events, pointer);
    }

    fn each_event(&mut self, events: &Object, outer: &str) {
        let last = edits::last_places(events);
        for (index, member) in events.members.iter().enumerate() {
            let pointer = pointer_to(outer, &member.key);
            let later = last.get(member.key.as_str()).filter(|at| **at > index);
            if let Some(later) = later.and_then(|at| events.members.get(*at)) {
                self.repeated_event(events, index, later, &pointer);
                let alone = Object { members: vec![member.clone()] };
                self.lost(member.key_range.clone(), |reader| reader.each_event(&alone, outer));
                continue;
            }
            // Observed: the input of such a hook says `SubagentStop` (case L058).
            let name = if self.in_agent && member.key == "Stop" { "SubagentStop" } else { member.key.as_str() };
            let mut event = self.event(name);
            self.assumed = self.lost.is_some();
            if event.is_none() {
                event = self.unknown_event(&last, member, &pointer);
                self.assumed |= event.is_some();
            }
            match member.value.as_array() {
                Some(groups) => {
                    self.parsed.definitions.reserve(groups.len());
                    // The places of both stay apart.
                    let before = match name == member.key {
                        true => 0,
                        false => events.get(name).and_then(Node::as_array).map_or(0, <[Node]>::len),
                    };
                    for (index, group) in groups.iter().enumerate() {
                        let at = u32::try_from(before + index).unwrap_or(u32::MAX);
                        self.group(event, name, at, group, format!("{pointer}/{index}"));
                    }
                }
                None if event.is_none() => {}
                // Observed: `null` is ignored even under a guard.
                None if member.value.is_null() => {
                    let message = format!("`{}` is null", member.key);
                    let at = member.value.range.clone();
                    let found = self.faulty(None, &codes::EVENT_NOT_ARRAY, Reach::Event, message, at.clone(), &pointer);
                    self.report(found.edit(at, "[]"));
                }
                None => {
                    let message = format!("`{}` is {}, not an array of groups", member.key, member.value.phrase());
                    let at = member.value.range.clone();
                    let found =
                        self.faulty(event, &codes::EVENT_NOT_ARRAY, Reach::Event, message, at.clone(), &pointer);
                    let found = match member.value.as_object() {
                        Some(group) if group.get(keys::HOOKS.name).is_some() => self.wrapped(found, &at, "[", "]"),
                        Some(object) => self.grouped(found, &member.value, object, true),
                        None => found,
                    };
                    self.report(found);
                    if let Some(object) = member.value.as_object() {
                        self.lost(at.clone(), |reader| match object.get(keys::HOOKS.name).is_some() {
                            true => reader.group(event, name, 0, &member.value, pointer),
                            false => reader.flat(event, name, &member.value, object, pointer),
                        });
                    }
                }
            }
        }
        self.assumed = self.lost.is_some();
    }

    /// An event that the client does not know; the one that was meant, where that is plain.
    fn unknown_event(&mut self, last: &HashMap<&str, usize>, member: &Member, pointer: &str) -> Option<&'static Event> {
        let (name, at) = (member.key.as_str(), member.key_range.clone());
        let message = format!("the client has no event `{name}`, so its hooks never run");
        let mut assumed = None;
        let mut diagnostic = Diagnostic::new(&codes::UNKNOWN_EVENT, Reach::Event, message);
        let mut inner_events = None;
        if let Some(younger) = EVENTS.iter().find(|event| event.facts.name == name) {
            diagnostic = diagnostic.help(format!("`{name}` is younger than the client version that is assumed."));
            assumed = Some(younger);
        } else if edits::is_note(name) && member.value.as_array().is_none() && member.value.as_object().is_none() {
            diagnostic.message = format!("`{name}` is no event: the client warns of it and skips it");
            diagnostic = diagnostic.severity(Severity::Warning).help("Remove it: events alone stand in `hooks`.");
            diagnostic.reach = Reach::None;
        } else if name == keys::HOOKS.name {
            diagnostic = diagnostic.help("The events stand one level too deep: remove the inner `hooks`.");
            let inner = member.value.as_object().filter(|inner| !inner.members.is_empty());
            inner_events = inner;
            if let (Some(inner), true) = (inner, self.is_json()) {
                let taken = inner.members.iter().any(|one| last.contains_key(one.key.as_str()));
                let ends = (inner.members.first(), inner.members.last());
                if let (false, (Some(first), Some(last))) = (taken, ends) {
                    let whole = member.key_range.start..member.value.range.end;
                    let text = self.raw(&(first.key_range.start..last.value.range.end));
                    diagnostic =
                        diagnostic.edit(whole, text).changes("the hooks inside run, which they did not before");
                }
            }
        } else {
            let known = EVENTS.iter().filter(|event| event.exists_at(self.version)).map(|event| event.facts.name);
            let meant = edits::meant(name, known);
            // Beside the right name, the edit would make two of them.
            let free = meant.map(|(name, alone)| (name, alone && !last.contains_key(name)));
            diagnostic = edits::suggest(diagnostic, at.clone(), free);
            if diagnostic.changes.is_some() {
                diagnostic = diagnostic.changes("its hooks run, which they did not before");
            }
            assumed = meant.filter(|(_, alone)| *alone).and_then(|(name, _)| self.event(name));
        }
        self.report(diagnostic.at(at.clone()).pointer(pointer));
        if let Some(inner) = inner_events {
            self.lost(at, |reader| reader.each_event(inner, pointer));
        }
        assumed
    }

    fn group(&mut self, event: Option<&'static Event>, name: &str, at: u32, node: &Node, pointer: String) {
        let meant =
            node.as_object().and_then(|object| Meant::of(object, keys::GROUP.iter().map(|key| key.name), |_| false));
        self.written_group(event, name, at, node, pointer.clone());
        if let (Some(meant), Some(_)) = (meant, event) {
            let as_meant = Node { value: Value::Object(meant.object.clone()), range: node.range.clone() };
            self.lost_under(&meant, &pointer, |reader| {
                reader.written_group(event, name, at, &as_meant, pointer.clone());
            });
        }
    }

    fn written_group(&mut self, event: Option<&'static Event>, name: &str, at: u32, node: &Node, pointer: String) {
        let Some(object) = node.as_object() else {
            if event.is_some() {
                let message = format!("a group of `{name}` is {}, not an object", node.phrase());
                let code = &codes::GROUP_NOT_OBJECT;
                let at = node.range.clone();
                let mut found = self.faulty(event, code, Reach::Group, message, at.clone(), &pointer);
                if node.as_str().is_some() {
                    // A text alone is a command.
                    found = self.wrapped(found, &at, "{\"hooks\": [{\"type\": \"command\", \"command\": ", "}]}");
                }
                self.report(found);
            }
            return;
        };
        let mut group = Group::new(event, name, at, pointer, self.assumed);
        if event.is_some() {
            self.unknown_keys(object, &group);
            self.repeated_keys(object, event, &group.pointer, |_| true);
        }
        self.matcher(object, &mut group);
        for (at, later) in edits::repeated(object) {
            let member = object.members.get(at).filter(|member| member.key == keys::HOOKS.name);
            let handlers = member.and_then(|member| Some((member, member.value.as_array()?)));
            let Some((member, handlers)) = handlers.filter(|_| later.value.as_array().is_some()) else { continue };
            self.lost(member.key_range.clone(), |reader| reader.handlers(&group, handlers));
        }
        match object.get(keys::HOOKS.name) {
            Some(hooks) => match hooks.as_array() {
                Some(handlers) => self.handlers(&group, handlers),
                None if event.is_some() => {
                    let message = format!("`hooks` of a group is {}, not an array", hooks.phrase());
                    let pointer = pointer_to(&group.pointer, keys::HOOKS.name);
                    let at = hooks.range.clone();
                    let found =
                        self.faulty(event, &codes::HOOKS_NOT_ARRAY, Reach::Group, message, at.clone(), &pointer);
                    let found = match hooks.as_object().filter(|object| edits::is_handler(object)) {
                        Some(_) => self.wrapped(found, &at, "[", "]"),
                        None => found,
                    };
                    self.report(found);
                    if hooks.as_object().is_some() {
                        self.lost(at, |reader| reader.handler(&group, 0, hooks, pointer));
                    }
                }
                None => {}
            },
            None if event.is_none() => {}
            None if object.get(keys::TYPE.name).is_some() || object.get(keys::COMMAND.name).is_some() => {
                let message = format!("a handler stands directly under `{name}`, where a group belongs");
                let code = &codes::HANDLER_IN_PLACE_OF_GROUP;
                let found = self.faulty(event, code, Reach::Group, message, node.range.clone(), &group.pointer);
                let found = self.grouped(found, node, object, false);
                self.report(found);
                let pointer = group.pointer;
                self.lost(node.range.clone(), |reader| reader.flat(event, name, node, object, pointer));
            }
            None => {
                let message = "the group has no `hooks` array".to_owned();
                let at = node.range.clone();
                let found = self.faulty(event, &codes::HOOKS_NOT_ARRAY, Reach::Group, message, at, &group.pointer);
                self.report(match misspelt_hooks(object) {
                    Some(member) => found
                        .help(format!("Write `hooks` in place of `{}`.", member.key))
                        .related("this is probably meant", member.key_range.clone())
                        .edit(member.key_range.clone(), quoted(keys::HOOKS.name))
                        .changes(edits::LOADS),
                    None => found,
                });
            }
        }
    }

    /// A handler that stands where a group belongs. Its matcher is the group's.
    fn flat(&mut self, event: Option<&'static Event>, name: &str, node: &Node, object: &Object, pointer: String) {
        if event.is_none() || !edits::is_handler(object) {
            return;
        }
        let mut group = Group::new(event, name, 0, pointer, self.assumed);
        self.matcher(object, &mut group);
        let mut members: Vec<_> =
            object.members.iter().filter(|member| member.key != keys::MATCHER.name).cloned().collect();
        if object.get(keys::TYPE.name).is_none() {
            // Moving it puts the type there.
            let at = node.range.start..node.range.start;
            let value = Node { value: Value::String("command".to_owned()), range: at.clone() };
            members.push(Member { key: keys::TYPE.name.to_owned(), key_range: at, value });
        }
        let handler = Node { value: Value::Object(Object { members }), range: node.range.clone() };
        let pointer = group.pointer.clone();
        self.handler(&group, 0, &handler, pointer);
    }

    fn handlers(&mut self, group: &Group, handlers: &[Node]) {
        for (index, handler) in (0..).zip(handlers) {
            self.handler(group, index, handler, format!("{}/hooks/{index}", group.pointer));
        }
    }

    fn unknown_keys(&mut self, object: &Object, group: &Group) {
        let is_flat = object.get(keys::HOOKS.name).is_none() && edits::is_handler(object);
        let free: Vec<_> = keys::GROUP.iter().map(|key| key.name).filter(|name| object.get(name).is_none()).collect();
        // What is meant to be the group's `hooks` is told of with the group that lacks them.
        let hooks = misspelt_hooks(object).filter(|_| group.event.is_some());
        for member in &object.members {
            let is_hooks = hooks.is_some_and(|hooks| std::ptr::eq(hooks, member));
            if is_flat || is_hooks || keys::GROUP.iter().any(|key| key.name == member.key) {
                continue;
            }
            let at = member.key_range.clone();
            let message = format!("`{}` means nothing on a group", member.key);
            let mut diagnostic = Diagnostic::new(&codes::UNKNOWN_FIELD, Reach::Entry, message);
            if let Some(told) = edits::no_slip(diagnostic.clone(), member, "group") {
                diagnostic = told;
            } else if keys::HANDLER.iter().any(|key| key.name == member.key) {
                diagnostic = diagnostic.help(format!("Put `{}` into the handler.", member.key));
            } else {
                let meant = edits::meant(&member.key, free.iter().copied());
                diagnostic = edits::suggest(diagnostic, at.clone(), meant);
            }
            self.report(diagnostic.at(at).pointer(pointer_to(&group.pointer, &member.key)).silent());
        }
    }

    fn matcher(&mut self, object: &Object, group: &mut Group) {
        let Some(member) = object.member(keys::MATCHER.name) else { return };
        let node = &member.value;
        let pointer = pointer_to(&group.pointer, keys::MATCHER.name);
        let Some(text) = node.as_str() else {
            if group.event.is_some() {
                let message = format!("`matcher` is {}, not a string", node.phrase());
                let at = node.range.clone();
                let found = self.faulty(group.event, &codes::WRONG_TYPE, Reach::Group, message, at, &pointer);
                let found = self.retyped(found, &keys::MATCHER, member);
                self.report(found);
            }
            group.dead.get_or_insert_with(|| "its group has a matcher that is no string".to_owned());
            return;
        };
        group.matcher_text = Some(text.to_owned());
        let Some(event) = group.event else { return };
        let known = self.matchers.entry(event.facts.name).or_default();
        let (compiled, error) = match known.get(text) {
            Some(known) => known.clone(),
            None => {
                let compiled = matcher::compile(event, Some(text), self.version);
                known.insert(text.to_owned(), compiled.clone());
                compiled
            }
        };
        let seen = matchers::Seen { event, object, node, text, matcher: &compiled, error: error.as_ref(), pointer };
        for said in matchers::said(self, &seen) {
            self.report(said);
        }
        group.matcher = compiled;
    }

    /// Groups of `FileChanged` of which none names a file, in a document in which no other hook could.
    fn watches_nothing(&mut self, events: &Object, pointer: &str) {
        let Some(member) = events.member("FileChanged") else { return };
        let pointer = pointer_to(pointer, "FileChanged");
        let groups = member.value.as_array().unwrap_or_default();
        let names = |group: &Node| {
            let matcher = group.as_object().and_then(|group| group.get(keys::MATCHER.name));
            matcher.and_then(Node::as_str).is_some_and(|text| !matches!(text, "" | "*"))
        };
        let others = ["SessionStart", "CwdChanged"].iter().any(|event| events.get(event).is_some());
        if self.event("FileChanged").is_none() || groups.is_empty() || others || groups.iter().any(names) {
            return;
        }
        let message = "no group names a file, and nothing else in this document makes the client watch one";
        let diagnostic = Diagnostic::new(&codes::WATCHES_NOTHING, Reach::Event, message);
        self.report(diagnostic.at(member.key_range.clone()).pointer(pointer).silent());
    }

    fn handler(&mut self, group: &Group, index: u32, node: &Node, pointer: String) {
        let Some(object) = node.as_object() else {
            if group.event.is_some() {
                let message = format!("a handler is {}, not an object", node.phrase());
                let at = node.range.clone();
                let code = &codes::HANDLER_NOT_OBJECT;
                let mut found = self.faulty(group.event, code, Reach::Entry, message, at.clone(), &pointer);
                if node.as_str().is_some() {
                    // A text alone is a command.
                    found = self.wrapped(found, &at, "{\"type\": \"command\", \"command\": ", "}");
                }
                self.report(found);
            }
            return;
        };
        let place = Place { event: group.event_name.clone(), group: group.at, index };
        let meant = handler::meant(object, &node.range).filter(|_| group.event.is_some());
        let made = handler::read(self, group, place.clone(), object, node.range.clone(), &pointer);
        if let Some(meant) = meant {
            self.lost_under(&meant, &pointer, |reader| {
                let made = handler::read(reader, group, place, &meant.object, node.range.clone(), &pointer);
                reader.keep(group, made, pointer.clone());
            });
        }
        self.keep(group, made, pointer);
    }
}

/// The list of handlers of a group that has no `hooks`, under a name that is nearly it.
fn misspelt_hooks(object: &Object) -> Option<&Member> {
    let lists = object.members.iter().filter(|member| member.value.as_array().is_some());
    let mut near = lists.filter(|member| edits::meant(&member.key, [keys::HOOKS.name]).is_some());
    near.next().filter(|_| object.get(keys::HOOKS.name).is_none())
}
