//! Events, groups and what is wrong with them.

use std::collections::HashMap;
use std::ops::Range;

use hooks_core::adapter::Parsed;
use hooks_core::definition::{Definition, FailurePolicy, Place, State};
use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
use hooks_core::document::{Node, Object, pointer_to};
use hooks_core::facts::SubjectFact;
use hooks_core::matcher::{Matcher, PatternError};
use hooks_core::vendor::Version;

use super::{drops_file, handler, keys};
use crate::events::{EVENTS, Event};
use crate::{codes, matcher, tools};

/// A document being read.
pub(super) struct Reader {
    pub(super) parsed: Parsed,
    pub(super) version: Version,
    /// Matchers by event and text: files repeat them, and compiling one costs more than reading the rest of its group.
    pub(super) matchers: HashMap<&'static str, HashMap<String, (Matcher, Option<PatternError>)>>,
    /// Whether it is the head of an agent, where the end of a turn is the end of the subagent.
    pub(super) in_agent: bool,
    /// The JSON pointer of each definition's handler, in the order of the definitions.
    pub(super) pointers: Vec<String>,
}

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
}

impl Reader {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.parsed.report(diagnostic);
    }

    /// The row of an event that this client has.
    pub(super) fn event(&self, name: &str) -> Option<&'static Event> {
        EVENTS.iter().find(|event| event.facts.name == name && event.exists_at(self.version))
    }

    /// A fault that costs what it stands in, or the whole file.
    pub(super) fn fault(
        &mut self,
        event: Option<&Event>,
        code: &'static Code,
        costs: Reach,
        message: String,
        at: Range<usize>,
        pointer: &str,
    ) {
        let drops = event.is_some_and(|event| drops_file(event, self.version));
        let (reach, message) = match drops {
            true => (Reach::File, format!("{message}; the client drops the whole file for it")),
            false => (costs, message),
        };
        self.parsed.rejected |= drops;
        self.report(Diagnostic::new(code, reach, message).at(at).pointer(pointer));
    }

    /// The events of a document. Of a repeated one the last counts.
    pub(super) fn events(&mut self, events: &Object, pointer: &str) {
        for (index, member) in events.members.iter().enumerate() {
            let pointer = pointer_to(pointer, &member.key);
            if let Some(later) = events.members.iter().skip(index + 1).find(|later| later.key == member.key) {
                self.report(
                    Diagnostic::new(
                        &codes::DUPLICATE_EVENT,
                        Reach::Event,
                        format!("`{}` stands again further down, and only that one counts", member.key),
                    )
                    .at(member.key_range.clone())
                    .pointer(pointer)
                    .related("this one counts", later.key_range.clone())
                    .silent(),
                );
                continue;
            }
            // Observed: the input of such a hook says `SubagentStop` (case L058).
            let name = if self.in_agent && member.key == "Stop" { "SubagentStop" } else { member.key.as_str() };
            let event = self.event(name);
            if event.is_none() {
                self.unknown_event(&member.key, member.key_range.clone(), &pointer);
            }
            match member.value.as_array() {
                Some(groups) => {
                    self.parsed.definitions.reserve(groups.len());
                    // The places of both stay apart.
                    let before = match events.get(name).and_then(Node::as_array) {
                        Some(own) if name != member.key => own.len(),
                        _ => 0,
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
                    self.fault(None, &codes::EVENT_NOT_ARRAY, Reach::Event, message, at, &pointer);
                }
                None => {
                    let message = format!("`{}` is {}, not an array of groups", member.key, member.value.phrase());
                    let at = member.value.range.clone();
                    self.fault(event, &codes::EVENT_NOT_ARRAY, Reach::Event, message, at, &pointer);
                }
            }
        }
    }

    fn unknown_event(&mut self, name: &str, at: Range<usize>, pointer: &str) {
        let message = format!("the client has no event `{name}`");
        let mut diagnostic =
            Diagnostic::new(&codes::UNKNOWN_EVENT, Reach::Event, message).at(at.clone()).pointer(pointer);
        let letters = |text: &str| -> String {
            text.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
        };
        if let Some(meant) = EVENTS.iter().find(|event| letters(event.facts.name) == letters(name)) {
            let meant = meant.facts.name;
            diagnostic = if meant == name {
                diagnostic.help(format!("`{name}` is younger than the client version that is assumed"))
            } else {
                diagnostic.help(format!("Write `{meant}`.")).edit(at, format!("\"{meant}\""))
            };
        } else if name == "hooks" {
            diagnostic = diagnostic.help("The events stand one level too deep: remove the inner `hooks`.");
        }
        self.report(diagnostic);
    }

    fn group(&mut self, event: Option<&'static Event>, name: &str, at: u32, node: &Node, pointer: String) {
        let Some(object) = node.as_object() else {
            if event.is_some() {
                let message = format!("a group of `{name}` is {}, not an object", node.phrase());
                self.fault(event, &codes::GROUP_NOT_OBJECT, Reach::Group, message, node.range.clone(), &pointer);
            }
            return;
        };
        let mut group = Group {
            event,
            event_name: name.to_owned(),
            at,
            pointer,
            matcher_text: None,
            matcher: Matcher::All,
            dead: event.is_none().then(|| "its event is unknown".to_owned()),
        };
        if event.is_some() {
            self.unknown_keys(object, &group);
        }
        self.matcher(object, &mut group);
        match object.get(keys::HOOKS.name) {
            Some(hooks) => match hooks.as_array() {
                Some(handlers) => {
                    for (index, handler) in (0..).zip(handlers) {
                        self.handler(&group, index, handler);
                    }
                }
                None if event.is_some() => {
                    let message = format!("`hooks` of a group is {}, not an array", hooks.phrase());
                    let pointer = pointer_to(&group.pointer, keys::HOOKS.name);
                    self.fault(event, &codes::HOOKS_NOT_ARRAY, Reach::Group, message, hooks.range.clone(), &pointer);
                }
                None => {}
            },
            None if event.is_none() => {}
            None if object.get(keys::TYPE.name).is_some() || object.get(keys::COMMAND.name).is_some() => {
                let message = format!("a handler stands directly under `{name}`, where a group belongs");
                let at = node.range.clone();
                self.fault(event, &codes::HANDLER_IN_PLACE_OF_GROUP, Reach::Group, message, at, &group.pointer);
            }
            None => {
                let message = "the group has no `hooks` array".to_owned();
                self.fault(event, &codes::HOOKS_NOT_ARRAY, Reach::Group, message, node.range.clone(), &group.pointer);
            }
        }
    }

    fn unknown_keys(&mut self, object: &Object, group: &Group) {
        let is_flat = object.get(keys::HOOKS.name).is_none();
        for member in &object.members {
            if is_flat || keys::GROUP.iter().any(|key| key.name == member.key) {
                continue;
            }
            let mut diagnostic = Diagnostic::new(
                &codes::UNKNOWN_FIELD,
                Reach::Entry,
                format!("`{}` means nothing on a group", member.key),
            );
            if keys::HANDLER.iter().any(|key| key.name == member.key) {
                diagnostic = diagnostic.help(format!("Put `{}` into the handler.", member.key));
            }
            let pointer = pointer_to(&group.pointer, &member.key);
            self.report(diagnostic.at(member.key_range.clone()).pointer(pointer).silent());
        }
    }

    fn matcher(&mut self, object: &Object, group: &mut Group) {
        let Some(node) = object.get(keys::MATCHER.name) else { return };
        let pointer = pointer_to(&group.pointer, keys::MATCHER.name);
        let Some(text) = node.as_str() else {
            if group.event.is_some() {
                let message = format!("`matcher` is {}, not a string", node.phrase());
                self.fault(group.event, &codes::WRONG_TYPE, Reach::Group, message, node.range.clone(), &pointer);
            }
            group.dead.get_or_insert_with(|| "its group has a matcher that is no string".to_owned());
            return;
        };
        group.matcher_text = Some(text.to_owned());
        let Some(event) = group.event else { return };
        let known = self.matchers.entry(event.facts.name).or_default();
        let (matcher, error) = match known.get(text) {
            Some(known) => known.clone(),
            None => {
                let compiled = matcher::compile(event, Some(text), self.version);
                known.insert(text.to_owned(), compiled.clone());
                compiled
            }
        };
        let note = |code, message: String| {
            Diagnostic::new(code, Reach::Entry, message).at(node.range.clone()).pointer(pointer.clone()).silent()
        };
        let name = &group.event_name;
        let said = match (&matcher, error) {
            (_, Some(PatternError::CannotRun(why))) => {
                Some(note(&codes::MATCHER_CANNOT_RUN, format!("`{text}` cannot be run here: {why}")))
            }
            (_, Some(error)) => Some(note(
                &codes::MATCHER_NOT_REGEX,
                format!("`{text}` is not a valid regular expression ({error}), so the group never runs"),
            )),
            (Matcher::All, None) if event.facts.subject == SubjectFact::Ignored && !matches!(text, "" | "*") => {
                Some(note(&codes::MATCHER_IGNORED, format!("`{name}` ignores matchers: `{text}` selects nothing")))
            }
            (Matcher::Pattern(_), None) if event.facts.subject == SubjectFact::ToolName && looks_like_rule(text) => {
                Some(note(
                    &codes::MATCHER_LOOKS_LIKE_RULE,
                    format!("`{text}` is read as a regular expression over tool names, not as a permission rule"),
                ))
            }
            (Matcher::Exact(values), None) => values.iter().find_map(|value| {
                if event.facts.subject == SubjectFact::ToolName && is_server(value) {
                    let message = format!("`{value}` is compared with whole tool names, and none is called so");
                    let help = format!("Write `{value}__.*` for all tools of the server.");
                    return Some(note(&codes::MATCHER_NAMES_A_SERVER, message).help(help));
                }
                let meant =
                    known_values(event).find(|known| known.eq_ignore_ascii_case(value) && *known != &**value)?;
                let is_name = known_values(event).any(|known| known == &**value);
                (!is_name).then(|| {
                    note(&codes::MATCHER_LETTER_CASE, format!("`{value}` matches nothing; the name is `{meant}`"))
                        .help(format!("Write `{meant}`."))
                })
            }),
            _ => None,
        };
        if let Some(said) = said {
            // A group that never runs and was to guard something is louder.
            let never = !matches!(matcher, Matcher::All | Matcher::Unknown(_));
            self.report(if never && event.can_block() { said.severity(Severity::Error) } else { said });
        }
        group.matcher = matcher;
    }

    fn handler(&mut self, group: &Group, index: u32, node: &Node) {
        let pointer = format!("{}/hooks/{index}", group.pointer);
        let Some(object) = node.as_object() else {
            if group.event.is_some() {
                let message = format!("a handler is {}, not an object", node.phrase());
                let at = node.range.clone();
                self.fault(group.event, &codes::HANDLER_NOT_OBJECT, Reach::Entry, message, at, &pointer);
            }
            return;
        };
        let place = Place { event: group.event_name.clone(), group: group.at, index };
        let mut made = handler::read(self, group, place, object, node.range.clone(), &pointer);
        if let (Some(why), Some(definition)) = (&group.dead, &mut made) {
            definition.state = State::Inert(why.clone());
        }
        if let Some(definition) = made {
            self.parsed.definitions.push(definition);
            self.pointers.push(pointer);
        }
    }

    /// The end of a document: copies are reported, and nothing of a dropped file is live.
    pub(super) fn finish(mut self) -> Parsed {
        if self.parsed.rejected {
            for definition in &mut self.parsed.definitions {
                definition.state = State::Inert("the whole file is dropped".to_owned());
            }
            return self.parsed;
        }
        let definitions = std::mem::take(&mut self.parsed.definitions);
        let is_copy = |one: &Definition, other: &Definition| {
            one.state == State::Live
                && other.state == State::Live
                && one.place.event == other.place.event
                && one.dedup_key.is_some()
                && one.dedup_key == other.dedup_key
        };
        let mut copies = Vec::new();
        let mut last: HashMap<(&str, &str), &Definition> = HashMap::with_capacity(definitions.len());
        for (definition, pointer) in definitions.iter().zip(&self.pointers).rev() {
            let Some(key) = &definition.dedup_key else { continue };
            let key = (definition.place.event.as_str(), key.as_str());
            match last.get(&key) {
                Some(later) if is_copy(definition, later) => {
                    let message = format!(
                        "`{}` stands again further down; where both match only that copy runs",
                        definition.place
                    );
                    let mut copy = Diagnostic::new(&codes::DUPLICATE_HANDLER, Reach::Entry, message)
                        .at(definition.range.clone())
                        .pointer(pointer.clone())
                        .related("this copy runs", later.range.clone())
                        .silent();
                    if definition.failure == FailurePolicy::Closed && later.failure == FailurePolicy::Open {
                        copy = copy.severity(Severity::Error).help("Give the last copy `onFailure: \"block\"` too.");
                    }
                    copies.push(copy);
                }
                Some(_) => {}
                None if definition.state == State::Live => {
                    last.insert(key, definition);
                }
                None => {}
            }
        }
        copies.reverse();
        drop(last);
        self.parsed.definitions = definitions;
        for copy in copies {
            self.report(copy);
        }
        self.parsed
    }
}

/// The values an event's subject is known to have.
pub(crate) fn known_values(event: &Event) -> impl Iterator<Item = &'static str> {
    match event.facts.subject {
        SubjectFact::ToolName => tools::BUILT_IN,
        SubjectFact::Field { values, .. } => values,
        _ => &[],
    }
    .iter()
    .copied()
}

/// Whether a matcher is a built-in tool's name with something in brackets.
fn looks_like_rule(text: &str) -> bool {
    text.split_once('(').is_some_and(|(tool, rest)| tools::BUILT_IN.contains(&tool) && rest.ends_with(')'))
}

/// Whether a name is `mcp__<server>` without a tool.
fn is_server(name: &str) -> bool {
    name.strip_prefix("mcp__").is_some_and(|rest| !rest.is_empty() && !rest.contains("__"))
}
