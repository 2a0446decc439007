//! Cursor's own file: `{"version": 1, "hooks": {"<event>": [definition, ...]}}`.

use hooks_core::definition::{Definition, FailurePolicy, Place, State};
use hooks_core::document::{Member, Node, Object, pointer_to};
use hooks_core::facts::SubjectFact;
use hooks_core::handler::{CommandHandler, Handler, PromptHandler};
use hooks_core::source::Origin;
use hooks_core::text::shorten;
use hooks_core::{Diagnostic, LoopLimit, Reach};

use super::foreign::CLAUDE_EVENTS;
use super::keys::{self, Kind};
use super::{Reader, definition, number, quote, whole};
use crate::codes;
use crate::events::Event;
use crate::matcher::is_everything;
use crate::options::VersionRule;

/// Reads a document of Cursor's own shape.
pub(super) fn read(reader: &mut Reader<'_>, root: &Node) {
    let Some(object) = root.as_object() else {
        reader.wrong_type(root, String::new(), "the file", "an object with `version` and `hooks`");
        return;
    };
    reader.repeated(object, "", Reach::File);
    if !version(reader, root, object) {
        return;
    }
    match object.member(keys::HOOKS.name) {
        Some(Member { value, .. }) => events(reader, value, "/hooks"),
        None => {
            let diagnostic = Diagnostic::new(&codes::MISSING_FIELD, Reach::File, "there is no `hooks` object")
                .at(root.range.clone())
                .pointer("")
                .help("Write {\"version\": 1, \"hooks\": {...}} with the events inside `hooks`.");
            reader.reject(diagnostic);
        }
    }
}

/// Reads the hooks that stand in a plugin's manifest itself. A path there names a document of its own.
pub(super) fn read_manifest(reader: &mut Reader<'_>, root: &Node) {
    let Some(hooks) = root.as_object().and_then(|object| object.get(keys::HOOKS.name)) else { return };
    let Some(object) = hooks.as_object() else { return };
    match object.get(keys::HOOKS.name) {
        Some(inner) => events(reader, inner, "/hooks/hooks"),
        None => events(reader, hooks, "/hooks"),
    }
}

/// Whether to read on. A file with another version is read no further, so that a later schema is not taken with today's
/// meaning; one that only forgot it, or wrote it as a text, is rejected too and has its other faults told in the same run.
fn version(reader: &mut Reader<'_>, root: &Node, object: &Object) -> bool {
    let Some(node) = object.get(keys::VERSION.name) else {
        let optional = reader.source.origin == Origin::Plugin && reader.options.version == VersionRule::AnyPositive;
        if !optional {
            let inside = root.range.start.saturating_add(1);
            let diagnostic = Diagnostic::new(&codes::MISSING_FIELD, Reach::File, "there is no `version`")
                .at(root.range.start..inside)
                .pointer("")
                .help("Write \"version\": 1 as the first member.")
                .edit(inside..inside, if object.members.is_empty() { "\"version\": 1" } else { "\"version\": 1, " });
            reader.reject(diagnostic);
        }
        return true;
    };
    let read = match (whole(node), reader.options.version) {
        (Some(1), _) => true,
        (Some(other), VersionRule::AnyPositive) => other > 0,
        _ => false,
    };
    if !read {
        let what = match (node.as_number(), node.as_str()) {
            (Some(number), _) => shorten(number, 40).into_owned(),
            (None, Some(text)) => format!("the text {}", quote(text)),
            (None, None) => node.phrase().to_owned(),
        };
        let diagnostic = Diagnostic::new(&codes::UNSUPPORTED_VERSION, Reach::File, format!("the version is {what}"))
            .at(node.range.clone())
            .pointer("/version")
            .edit(node.range.clone(), "1");
        reader.reject(diagnostic);
    }
    read || node.as_str() == Some("1")
}

/// Reads the `hooks` object, in the order of the table.
fn events(reader: &mut Reader<'_>, node: &Node, pointer: &str) {
    let Some(object) = node.as_object() else {
        reader.wrong_type(node, pointer.to_owned(), "`hooks`", "an object with an array for each event");
        return;
    };
    reader.repeated(object, pointer, Reach::Event);
    let table = reader.dialect.events;
    for member in &object.members {
        if !table.iter().any(|event| event.facts.name == member.key) {
            unknown_event(reader, member, pointer);
        }
    }
    for (at, event) in table.iter().enumerate() {
        let Some(member) = object.member(event.facts.name) else { continue };
        let pointer = pointer_to(pointer, &member.key);
        let Some(entries) = member.value.as_array() else {
            reader.wrong_type(&member.value, pointer, &quote(&member.key), "an array of hooks");
            continue;
        };
        reader.parsed.definitions.reserve(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            read_entry(reader, (at, event), index, entry, &format!("{pointer}/{index}"));
        }
    }
}

fn unknown_event(reader: &mut Reader<'_>, member: &Member, pointer: &str) {
    let mut diagnostic =
        Diagnostic::new(&codes::UNKNOWN_EVENT, Reach::Event, format!("Cursor has no event {}", quote(&member.key)))
            .at(member.key_range.clone())
            .pointer(pointer_to(pointer, &member.key));
    if let Some(name) = similar(reader, &member.key) {
        diagnostic = diagnostic.help(format!("Write `{name}`.")).edit(member.key_range.clone(), format!("\"{name}\""));
    }
    reader.report(diagnostic);
}

/// The event that a name was probably meant to be: the same letters, Claude's name for it, or the same after `on`.
fn similar(reader: &Reader<'_>, name: &str) -> Option<&'static str> {
    let fold = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let wanted = fold(name);
    let bare = wanted.strip_prefix("on").unwrap_or(&wanted);
    let names = || reader.dialect.facts.iter().map(|facts| facts.name);
    names()
        .find(|name| fold(name) == wanted || fold(name) == bare)
        .or_else(|| CLAUDE_EVENTS.iter().find(|(claude, _)| fold(claude) == wanted).map(|(_, cursor)| *cursor))
}

fn read_entry(
    reader: &mut Reader<'_>,
    (at, event): (usize, &'static Event),
    index: usize,
    entry: &Node,
    pointer: &str,
) {
    let Some(object) = entry.as_object() else {
        reader.wrong_type(entry, pointer.to_owned(), "a hook", "an object with `command`");
        return;
    };
    let place = Place { event: event.facts.name.to_owned(), group: 0, index: number(index) };
    let Some(kind) = kind(reader, object, pointer) else { return };
    let range = entry.range.clone();
    if kind == Kind::Prompt && !reader.options.prompt_handlers {
        let text = |key: &keys::Key| object.get(key.name).and_then(Node::as_str).map(ToOwned::to_owned);
        let handler = Handler::Prompt(PromptHandler {
            prompt: text(&keys::PROMPT).unwrap_or_default(),
            model: text(&keys::MODEL),
            continue_on_block: false,
        });
        let mut skipped = definition(reader.dialect, reader.options, event, reader.source, place, range, handler);
        if skipped.state == State::Live {
            skipped.state = State::Inert("this host runs no prompt hooks".to_owned());
        }
        let message = format!("{} is a prompt hook, which this host does not run", skipped.place);
        let diagnostic = Diagnostic::new(&codes::PROMPT_HANDLER_SKIPPED, Reach::Entry, message)
            .severity(Reader::severity(event))
            .at(entry.range.clone())
            .pointer(pointer);
        reader.report(diagnostic);
        reader.push(at, skipped);
        return;
    }
    reader.repeated(object, pointer, Reach::Entry);
    unknown_fields(reader, object, pointer);
    let Some(handler) = handler(reader, kind, entry, object, pointer) else { return };
    let mut definition = definition(reader.dialect, reader.options, event, reader.source, place, range, handler);
    reader.timeout(object, pointer, &mut definition);
    fail_closed(reader, object, pointer, &mut definition);
    loop_limit(reader, event, object, pointer, &mut definition);
    matcher(reader, event, object, pointer, &mut definition);
    reader.keep(at, event, definition, pointer);
}

/// The kind of a hook, unless it names one that does not exist.
fn kind(reader: &mut Reader<'_>, object: &Object, pointer: &str) -> Option<Kind> {
    let key = keys::TYPE.name;
    let Some(node) = object.get(key) else { return Kind::ALL.first().copied() };
    let Some(word) = node.as_str() else {
        let words = Kind::ALL.map(|kind| format!("\"{}\"", kind.word())).join(" or ");
        reader.wrong_type(node, pointer_to(pointer, key), &format!("`{key}`"), &words);
        return None;
    };
    let kind = Kind::of(word);
    if kind.is_none() {
        let message = format!("Cursor has no hook type {}", quote(word));
        let diagnostic = Diagnostic::new(&codes::UNKNOWN_HANDLER_TYPE, Reach::File, message)
            .at(node.range.clone())
            .pointer(pointer_to(pointer, key));
        reader.reject(diagnostic);
    }
    kind
}

fn unknown_fields(reader: &mut Reader<'_>, object: &Object, pointer: &str) {
    for member in &object.members {
        if keys::HOOK.iter().any(|key| key.name == member.key) {
            continue;
        }
        let fold = |text: &str| text.replace(['_', '-'], "").to_ascii_lowercase();
        let mut diagnostic =
            Diagnostic::new(&codes::UNKNOWN_FIELD, Reach::Entry, format!("a hook has no key {}", quote(&member.key)))
                .at(member.key_range.clone())
                .pointer(pointer_to(pointer, &member.key));
        let same = keys::HOOK.iter().find(|key| fold(key.name) == fold(&member.key));
        if let Some(key) = same.map(|key| key.name) {
            diagnostic = diagnostic.help(format!("Write `{key}`."));
            if object.get(key).is_none() {
                diagnostic = diagnostic.edit(member.key_range.clone(), format!("\"{key}\""));
            }
        }
        reader.report(diagnostic);
    }
}

/// The handler, unless it lacks what it must have.
fn handler(reader: &mut Reader<'_>, kind: Kind, entry: &Node, object: &Object, pointer: &str) -> Option<Handler> {
    let key = kind.needs().name;
    if object.get(key).is_none() {
        let mut diagnostic = Diagnostic::new(&codes::MISSING_FIELD, Reach::File, format!("the hook has no `{key}`"))
            .at(entry.range.clone())
            .pointer(pointer)
            .help(format!("Add `{key}`."));
        if object.get(keys::HOOKS.name).is_some() {
            diagnostic = diagnostic
                .help("Cursor's entries are flat: write `command` beside `matcher`, without an inner `hooks`.");
        }
        reader.reject(diagnostic);
        return None;
    }
    let text = reader.string(object, key, pointer)?;
    if kind == Kind::Prompt {
        let model = reader.string(object, keys::MODEL.name, pointer).map(ToOwned::to_owned);
        return Some(Handler::Prompt(PromptHandler { prompt: text.to_owned(), model, continue_on_block: false }));
    }
    if text.trim().is_empty() {
        let range = object.get(key).map_or(entry.range.clone(), |node| node.range.clone());
        let diagnostic = Diagnostic::new(&codes::EMPTY_COMMAND, Reach::Entry, "the command has no text")
            .at(range)
            .pointer(pointer_to(pointer, key))
            .silent();
        reader.report(diagnostic);
    }
    Some(Handler::Command(CommandHandler { command: text.to_owned(), ..CommandHandler::default() }))
}

fn fail_closed(reader: &mut Reader<'_>, object: &Object, pointer: &str, definition: &mut Definition) {
    let key = keys::FAIL_CLOSED.name;
    let Some(node) = object.get(key) else { return };
    match node.as_bool() {
        Some(true) => definition.failure = FailurePolicy::Closed,
        Some(false) => {}
        None => reader.wrong_type(node, pointer_to(pointer, key), &format!("`{key}`"), "true or false"),
    }
}

fn loop_limit(reader: &mut Reader<'_>, event: &Event, object: &Object, pointer: &str, definition: &mut Definition) {
    let key = keys::LOOP_LIMIT.name;
    let Some(node) = object.get(key) else { return };
    let pointer = pointer_to(pointer, key);
    if !event.loop_limit {
        let message = format!("`{key}` has no meaning on {}", event.facts.name);
        let diagnostic =
            Diagnostic::new(&codes::LOOP_LIMIT_IGNORED, Reach::Entry, message).at(node.range.clone()).pointer(pointer);
        reader.report(diagnostic);
        return;
    }
    let limit = match (node.as_number(), whole(node)) {
        _ if node.is_null() => None,
        (Some(_), Some(limit)) => Some(u32::try_from(limit).unwrap_or(u32::MAX)),
        (Some(text), None) => {
            let message = format!("the loop limit {} is not a whole number from 0", shorten(text, 20));
            let diagnostic = Diagnostic::new(&codes::LOOP_LIMIT_INVALID, Reach::File, message)
                .at(node.range.clone())
                .pointer(pointer);
            reader.reject(diagnostic);
            return;
        }
        (None, _) => {
            reader.wrong_type(node, pointer, &format!("`{key}`"), "a whole number or null");
            return;
        }
    };
    definition.loop_limit = Some(match (limit, reader.options.loop_cap) {
        (Some(limit), Some(cap)) if limit <= cap => LoopLimit::AtMost(limit),
        (Some(limit), None) => LoopLimit::AtMost(limit),
        (None, None) => LoopLimit::Unlimited,
        (limit, Some(cap)) => {
            let wanted = limit.map_or("no limit".to_owned(), |limit| limit.to_string());
            let message = format!("the loop limit is {wanted}, and this host's cap of {cap} holds instead");
            let diagnostic = Diagnostic::new(&codes::LOOP_LIMIT_CAPPED, Reach::Entry, message)
                .at(node.range.clone())
                .pointer(pointer)
                .help(format!("Write a number up to {cap}."))
                .edit(node.range.clone(), cap.to_string());
            reader.report(diagnostic);
            LoopLimit::AtMost(cap)
        }
    });
}

fn matcher(reader: &mut Reader<'_>, event: &Event, object: &Object, pointer: &str, definition: &mut Definition) {
    let key = keys::MATCHER.name;
    let Some(node) = object.get(key) else { return };
    let Some(text) = node.as_str() else {
        reader.wrong_type(node, pointer_to(pointer, key), &format!("`{key}`"), "a string with a regular expression");
        return;
    };
    if event.facts.subject == SubjectFact::Ignored {
        // The spellings for everything lose nothing.
        if !is_everything(text) {
            reader.matcher_ignored(event, node, pointer_to(pointer, key));
        }
        return;
    }
    definition.matcher_text = Some(text.to_owned());
    reader.compile(event, text, node, pointer, definition);
}
