//! Cursor's own file: `{"version": 1, "hooks": {"<event>": [definition, ...]}}`.

use hooks_core::document::{Member, Node, Object, pointer_to};
use hooks_core::lint::nearest::{Difference, nearest};
use hooks_core::source::Origin;
use hooks_core::text::shorten;
use hooks_core::{Diagnostic, Reach, Severity};

use super::entry::read_entry;
use super::foreign::CLAUDE_EVENTS;
use super::keys;
use super::{FILE_IS_READ, Reader, quote, shadow, whole};
use crate::codes;
use crate::events::Event;
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
        Some(Member { value, .. }) => {
            let pointer = "/hooks";
            events(reader, value, pointer);
            shadow::guards_on_two_events(reader, pointer);
        }
        None => no_hooks(reader, root, object),
    }
}

/// Tells that there is no `hooks`, and what stands in its place.
fn no_hooks(reader: &mut Reader<'_>, root: &Node, object: &Object) {
    let mut diagnostic = Diagnostic::new(&codes::MISSING_FIELD, Reach::File, "there is no `hooks` object")
        .at(first_byte(root))
        .pointer("")
        .help("Write {\"version\": 1, \"hooks\": {...}} with the events inside `hooks`.");
    let is_event = |member: &Member| reader.dialect.events.iter().any(|event| event.facts.name == member.key);
    let first = object.members.iter().position(is_event);
    // The events, where nothing else stands between or behind them.
    let bare = first.filter(|first| object.members.iter().skip(*first).all(is_event));
    let bare = bare.and_then(|first| object.members.get(first));
    if let Some(member) = misspelt(object, &keys::HOOKS) {
        diagnostic = diagnostic
            .help(format!("Write `hooks` in place of {}.", quote(&member.key)))
            .edit(member.key_range.clone(), "\"hooks\"")
            .changes(FILE_IS_READ);
    } else if let Some(first) = bare {
        let (start, end) = (first.key_range.start, root.range.end.saturating_sub(1));
        diagnostic = diagnostic.edit(start..start, "\"hooks\": {").edit(end..end, "}").changes(FILE_IS_READ);
    }
    reader.reject(diagnostic);
    if first.is_some() && reader.everything {
        known_events(reader, object, "");
    }
}

/// The bracket that an object starts with.
fn first_byte(node: &Node) -> std::ops::Range<usize> {
    node.range.start..node.range.start.saturating_add(1).min(node.range.end)
}

/// A member whose key is nearly one that is not there.
pub(super) fn misspelt<'o>(object: &'o Object, key: &keys::Key) -> Option<&'o Member> {
    object.members.iter().find(|member| nearest(&member.key, [key.name]).is_some())
}

/// Reads the hooks that stand in a plugin's manifest itself. A path there names a document of its own.
pub(super) fn read_manifest(reader: &mut Reader<'_>, root: &Node) {
    let Some(hooks) = root.as_object().and_then(|object| object.get(keys::HOOKS.name)) else { return };
    let Some(object) = hooks.as_object() else { return };
    let (inner, pointer) = match object.get(keys::HOOKS.name) {
        Some(inner) => (inner, "/hooks/hooks"),
        None => (hooks, "/hooks"),
    };
    events(reader, inner, pointer);
    shadow::guards_on_two_events(reader, pointer);
}

/// Whether to read on. A file with another version is read no further, so that a later schema is not taken with today's
/// meaning; one that only forgot it, or has something else than a number there, is rejected too and has its other faults
/// told in the same run.
fn version(reader: &mut Reader<'_>, root: &Node, object: &Object) -> bool {
    let Some(node) = object.get(keys::VERSION.name) else {
        let optional = reader.source.origin == Origin::Plugin && reader.options.version == VersionRule::AnyPositive;
        if !optional {
            let inside = root.range.start.saturating_add(1);
            let diagnostic = Diagnostic::new(&codes::MISSING_FIELD, Reach::File, "there is no `version`")
                .at(first_byte(root))
                .pointer("");
            let diagnostic = match misspelt(object, &keys::VERSION) {
                Some(member) => diagnostic
                    .help(format!("Write `version` in place of {}.", quote(&member.key)))
                    .edit(member.key_range.clone(), "\"version\""),
                None => diagnostic.help("Write \"version\": 1 as the first member.").edit(
                    inside..inside,
                    if object.members.is_empty() { "\"version\": 1" } else { "\"version\": 1, " },
                ),
            };
            reader.reject(diagnostic.changes(FILE_IS_READ));
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
            .edit(node.range.clone(), "1")
            .changes(FILE_IS_READ);
        reader.reject(diagnostic);
    }
    read || node.as_number().is_none()
}

/// Reads the `hooks` object, in the order of the table.
fn events(reader: &mut Reader<'_>, node: &Node, pointer: &str) {
    let Some(object) = node.as_object() else {
        reader.wrong_type(node, pointer.to_owned(), "`hooks`", "an object with an array for each event");
        return;
    };
    reader.repeated(object, pointer, Reach::Event);
    // Events that stand there, or will once the keys before are mended: a second one would push the first out.
    let mut taken: Vec<&'static str> =
        reader.dialect.facts.iter().map(|facts| facts.name).filter(|name| object.get(name).is_some()).collect();
    for member in &object.members {
        if !reader.dialect.events.iter().any(|event| event.facts.name == member.key) {
            unknown_event(reader, member, pointer, &mut taken);
        }
    }
    known_events(reader, object, pointer);
}

fn known_events(reader: &mut Reader<'_>, object: &Object, pointer: &str) {
    let table = reader.dialect.events;
    for (at, event) in table.iter().enumerate() {
        let Some(member) = object.member(event.facts.name) else { continue };
        let pointer = pointer_to(pointer, &member.key);
        let Some(entries) = member.value.as_array() else {
            not_an_array(reader, (at, event), &member.value, pointer);
            continue;
        };
        shadow::repeated_hooks(reader, entries, &pointer);
        reader.parsed.definitions.reserve(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            read_entry(reader, (at, event), index, entry, &format!("{pointer}/{index}"));
        }
    }
}

/// An event with something else than an array: a single hook is told how to stand in one, and read for its faults.
fn not_an_array(reader: &mut Reader<'_>, row: (usize, &'static Event), value: &Node, pointer: String) {
    let what = quote(row.1.facts.name);
    let is_hook = value.as_object().is_some_and(|object| object.get(keys::COMMAND.name).is_some());
    let text = reader.source_text(value).to_owned();
    let meant = match value.as_str() {
        Some(_) => Some(format!("[{{\"command\": {text}}}]")),
        None => is_hook.then(|| format!("[{text}]")),
    };
    reader.wrong_type_meant(value, pointer.clone(), &what, "an array of hooks", meant);
    if is_hook && reader.everything {
        read_entry(reader, row, 0, value, &pointer);
    }
}

fn unknown_event(reader: &mut Reader<'_>, member: &Member, pointer: &str, taken: &mut Vec<&'static str>) {
    let mut diagnostic =
        Diagnostic::new(&codes::UNKNOWN_EVENT, Reach::Event, format!("Cursor has no event {}", quote(&member.key)))
            .at(member.key_range.clone())
            .pointer(pointer_to(pointer, &member.key));
    let holds_hooks = member.value.as_array().is_none_or(|entries| !entries.is_empty());
    if let Some((name, alone)) = similar(reader, &member.key) {
        diagnostic = diagnostic.help(format!("Write `{name}`."));
        if taken.contains(&name) {
            diagnostic = diagnostic.help(format!("Move the hooks into the array of `{name}` that stands there too."));
        } else if alone {
            taken.push(name);
            diagnostic = diagnostic
                .edit(member.key_range.clone(), format!("\"{name}\""))
                .changes(format!("the hooks of {name} will run, which they did not before"));
        }
        let guards = reader.dialect.events.iter().any(|event| event.facts.name == name && event.can_block());
        if reader.everything && guards && holds_hooks {
            diagnostic = diagnostic.severity(Severity::Error);
            diagnostic.message.push_str(", so that these guards never run");
        }
    } else if reader.everything && holds_hooks && member.key == keys::HOOKS.name {
        diagnostic = diagnostic.severity(Severity::Error).help("Write the events into the outer `hooks`.");
        diagnostic.message.push_str(": the events stand one `hooks` too deep, so none of them runs");
    } else if reader.everything && holds_hooks && is_before(&member.key) {
        // What is to run before something is meant to be able to stop it.
        diagnostic = diagnostic.severity(Severity::Error);
        diagnostic.message.push_str(", so that nothing is guarded");
    }
    reader.report(diagnostic);
}

/// The event that a name was probably meant to be: the same letters, Claude's name for it, the same after `on`, or one a
/// few letters away. With it, whether no other was meant as probably.
fn similar(reader: &Reader<'_>, name: &str) -> Option<(&'static str, bool)> {
    let names = || reader.dialect.facts.iter().map(|facts| facts.name);
    let same = |difference| matches!(difference, Difference::Case | Difference::Separators);
    let own = nearest(name, names());
    if let Some(near) = own.filter(|near| same(near.difference)) {
        return Some((near.name, near.alone));
    }
    let theirs = CLAUDE_EVENTS
        .iter()
        .find(|(claude, _)| *claude == name || nearest(name, [*claude]).is_some_and(|near| same(near.difference)));
    if let Some((_, cursor)) = theirs {
        return Some((cursor, true));
    }
    let bare = name.strip_prefix("on").and_then(|bare| nearest(bare, names())).filter(|near| same(near.difference));
    let near = bare.or(own).map(|near| (near.name, near.alone));
    near.or_else(|| begun(reader, name).filter(|_| reader.everything))
}

/// The one event whose name starts with this one: `beforeShell`, `afterMCP`.
fn begun(reader: &Reader<'_>, name: &str) -> Option<(&'static str, bool)> {
    let starts = |whole: &str| whole.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let mut names = reader.dialect.facts.iter().map(|facts| facts.name).filter(|whole| name.len() > 7 && starts(whole));
    match (names.next(), names.next()) {
        (Some(name), None) => Some((name, true)),
        _ => None,
    }
}

/// Whether a name says that its hooks run before something.
fn is_before(name: &str) -> bool {
    name.get(.."before".len()).is_some_and(|start| start.eq_ignore_ascii_case("before"))
}
