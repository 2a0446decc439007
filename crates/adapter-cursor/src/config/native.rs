//! Cursor's own file: `{"version": 1, "hooks": {"<event>": [definition, ...]}}`.

use hooks_core::document::{Member, Node, Object, pointer_to};
use hooks_core::lint::nearest::{Difference, nearest};
use hooks_core::source::Origin;
use hooks_core::text::shorten;
use hooks_core::{Diagnostic, Reach, Severity};

use super::entry::{is_group, read_entry};
use super::foreign::CLAUDE_EVENTS;
use super::keys;
use super::meant::{Meant, mean_command};
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
            let mut taken = events(reader, value, pointer);
            shadow::guards_on_two_events(reader, pointer);
            if reader.everything {
                earlier(reader, object, keys::HOOKS.name, |reader, member| {
                    events(reader, &member.value, pointer);
                });
                beside_hooks(reader, object, &mut taken);
            }
        }
        None => no_hooks(reader, root, object),
    }
}

/// Reads the members of a name that a later one of the same name pushed out, as if they stood with that.
fn earlier(reader: &mut Reader<'_>, object: &Object, name: &str, mut read: impl FnMut(&mut Reader<'_>, &Member)) {
    let Some(counts) = object.members.iter().rposition(|member| member.key == name) else { return };
    for lost in object.members.iter().take(counts).filter(|member| member.key == name) {
        let once = format!("once this stands in the `{name}` that counts");
        reader.once(&lost.key_range, once, |reader| read(reader, lost));
    }
}

/// Tells of events that stand beside `hooks`, where nobody looks for them.
fn beside_hooks(reader: &mut Reader<'_>, object: &Object, taken: &mut Vec<&'static str>) {
    for member in &object.members {
        if keys::FILE.iter().any(|key| key.name == member.key) || member.value.as_array().is_none_or(<[_]>::is_empty) {
            continue;
        }
        let row = reader.row(&member.key);
        let Some((_, event)) = row.or_else(|| similar(reader, &member.key).and_then(|(name, _)| reader.row(name)))
        else {
            continue;
        };
        let message = format!("{} stands beside `hooks`, not in it, so its hooks never run", quote(&member.key));
        let help = match taken.contains(&event.facts.name) {
            true => format!("Move the hooks into the array of `{}` in `hooks`.", event.facts.name),
            false => format!("Move it into `hooks`, as `{}`.", event.facts.name),
        };
        let diagnostic = Diagnostic::new(&codes::UNKNOWN_FIELD, Reach::Event, message)
            .severity(Reader::severity(event))
            .at(member.key_range.clone())
            .pointer(pointer_to("", &member.key))
            .help(help)
            .silent();
        reader.report(diagnostic);
        let once = format!("once this is `{}` in `hooks`", event.facts.name);
        let name = event.facts.name;
        reader.once(&member.key_range, once, |reader| {
            if let Some(row) = reader.row(name) {
                read_event(reader, row, &member.value, pointer_to("", &member.key));
            }
        });
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
    let wrapper = misspelt(object, &keys::HOOKS).or_else(|| holds_events(reader, object));
    if let Some(member) = wrapper {
        diagnostic = diagnostic
            .help(format!("Write `hooks` in place of {}.", quote(&member.key)))
            .edit(member.key_range.clone(), "\"hooks\"")
            .changes(FILE_IS_READ);
    } else if let Some(first) = bare {
        let (start, end) = (first.key_range.start, root.range.end.saturating_sub(1));
        diagnostic = diagnostic.edit(start..start, "\"hooks\": {").edit(end..end, "}").changes(FILE_IS_READ);
    }
    reader.reject(diagnostic);
    let whole_file = || Meant { once: None, pointer: None };
    if let Some(member) = wrapper {
        reader.as_meant(whole_file(), |reader| {
            events(reader, &member.value, &pointer_to("", &member.key));
        });
    } else if first.is_some() && reader.everything {
        let mut taken = known_names(reader, object);
        for member in &object.members {
            let is_file_key = keys::FILE.iter().any(|key| key.name == member.key);
            if !is_file_key && reader.row(&member.key).is_none() && similar(reader, &member.key).is_some() {
                unknown_event(reader, member, "", &mut taken);
            }
        }
        known_events(reader, object, "");
    }
}

/// A member with events in it that is called otherwise than `hooks`.
fn holds_events<'o>(reader: &Reader<'_>, object: &'o Object) -> Option<&'o Member> {
    let holds = |member: &&Member| {
        member.value.as_object().is_some_and(|object| object.members.iter().any(|one| reader.row(&one.key).is_some()))
    };
    object.members.iter().filter(|_| reader.everything).find(holds)
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

/// Whether to read on. A file with another version is rejected, so that a later schema is not taken with today's meaning, as
/// is one that forgot it or has something else than a number there. Its other faults are told in the same run; where a host
/// names no more than the first design does, those of a file with another number are not.
fn version(reader: &mut Reader<'_>, root: &Node, object: &Object) -> bool {
    let Some(node) = object.get(keys::VERSION.name) else {
        let optional = reader.source.origin == Origin::Plugin && reader.options.version == VersionRule::AnyPositive;
        if !optional {
            let diagnostic = no_version(root, object, "there is no `version`");
            reader.reject(diagnostic.changes(FILE_IS_READ));
        } else if reader.everything {
            let message = "there is no `version`, and clients of 2026 were seen to refuse a plugin's file for it";
            let mut diagnostic = no_version(root, object, message).severity(Severity::Warning);
            diagnostic.reach = Reach::None;
            reader.report(diagnostic.changes("every client reads the file"));
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
    read || node.as_number().is_none() || reader.everything
}

fn no_version(root: &Node, object: &Object, message: &'static str) -> Diagnostic {
    let diagnostic = Diagnostic::new(&codes::MISSING_FIELD, Reach::File, message).at(first_byte(root)).pointer("");
    if let Some(member) = misspelt(object, &keys::VERSION) {
        return diagnostic
            .help(format!("Write `version` in place of {}.", quote(&member.key)))
            .edit(member.key_range.clone(), "\"version\"");
    }
    let inside = root.range.start.saturating_add(1);
    let text = if object.members.is_empty() { "\"version\": 1" } else { "\"version\": 1, " };
    diagnostic.help("Write \"version\": 1 as the first member.").edit(inside..inside, text)
}

/// Reads the `hooks` object, in the order of the table. Gives the names of the events that stand there, or will once their
/// keys are mended.
fn events(reader: &mut Reader<'_>, node: &Node, pointer: &str) -> Vec<&'static str> {
    let Some(object) = node.as_object() else {
        reader.wrong_type(node, pointer.to_owned(), "`hooks`", "an object with an array for each event");
        listed_hooks(reader, node, pointer);
        return Vec::new();
    };
    reader.repeated(object, pointer, Reach::Event);
    // A second event of one name would push the first out.
    let mut taken = known_names(reader, object);
    for member in &object.members {
        if reader.row(&member.key).is_none() {
            unknown_event(reader, member, pointer, &mut taken);
        }
    }
    known_events(reader, object, pointer);
    taken
}

/// Hooks in a list, each with its event: what is wrong with them is told beside that they stand so.
fn listed_hooks(reader: &mut Reader<'_>, node: &Node, pointer: &str) {
    let hooks = node.as_array().unwrap_or_default();
    reader.as_meant(Meant { once: None, pointer: None }, |reader| {
        for (index, hook) in hooks.iter().enumerate() {
            let event = hook.as_object().and_then(|object| object.get("event")).and_then(Node::as_str);
            if let Some(row) = event.and_then(|event| reader.row(event)) {
                let mut hook = hook.clone();
                if let hooks_core::document::Value::Object(object) = &mut hook.value {
                    object.members.retain(|member| member.key != "event");
                }
                read_entry(reader, row, index, &hook, &format!("{pointer}/{index}"));
            }
        }
    });
}

fn known_names(reader: &Reader<'_>, object: &Object) -> Vec<&'static str> {
    reader.dialect.facts.iter().map(|facts| facts.name).filter(|name| object.get(name).is_some()).collect()
}

fn known_events(reader: &mut Reader<'_>, object: &Object, pointer: &str) {
    let table = reader.dialect.events;
    let repeats = reader.everything && !object.repeated().is_empty();
    for row @ (_, event) in table.iter().enumerate() {
        let Some(member) = object.member(event.facts.name) else { continue };
        let pointer = pointer_to(pointer, &member.key);
        read_event(reader, row, &member.value, pointer.clone());
        if repeats {
            earlier(reader, object, event.facts.name, |reader, lost| {
                read_event(reader, row, &lost.value, pointer.clone());
            });
        }
    }
}

/// Reads what stands under an event's name.
fn read_event(reader: &mut Reader<'_>, row: (usize, &'static Event), value: &Node, pointer: String) {
    let Some(entries) = value.as_array() else {
        not_an_array(reader, row, value, pointer);
        return;
    };
    shadow::repeated_hooks(reader, entries, &pointer);
    if reader.meant.is_empty() {
        reader.parsed.definitions.reserve(entries.len());
    }
    for (index, entry) in entries.iter().enumerate() {
        read_entry(reader, row, index, entry, &format!("{pointer}/{index}"));
    }
}

/// An event with something else than an array: a single hook is told how to stand in one, and read for its faults.
fn not_an_array(reader: &mut Reader<'_>, row: (usize, &'static Event), value: &Node, pointer: String) {
    let what = quote(row.1.facts.name);
    let has = |object: &Object, key: &keys::Key| object.get(key.name).is_some();
    let is_hook = value.as_object().is_some_and(|object| {
        has(object, &keys::COMMAND) || (reader.everything && (has(object, &keys::PROMPT) || is_group(object)))
    });
    let text = reader.source_text(value).to_owned();
    let meant = match value.as_str() {
        Some(_) => Some(format!("[{{\"command\": {text}}}]")),
        None => is_hook.then(|| format!("[{text}]")),
    };
    reader.wrong_type_meant(value, pointer.clone(), &what, "an array of hooks", meant);
    if is_hook && reader.everything {
        read_entry(reader, row, 0, value, &pointer);
    } else if let Some(command) = value.as_str() {
        mean_command(reader, row, 0, value, command);
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
    } else if reader.everything && holds_hooks && names_an_edit(&member.key) {
        // Claude's hooks of this moment, and what people look for: Cursor has it among the tools.
        diagnostic = diagnostic
            .severity(Severity::Error)
            .help("Write `preToolUse` with the matcher `Write`: it is what runs before a file is changed.");
        diagnostic.message.push_str(", so that nothing is guarded");
    } else if reader.everything && holds_hooks && is_before(&member.key) {
        // What is to run before something is meant to be able to stop it.
        diagnostic = diagnostic.severity(Severity::Error);
        diagnostic.message.push_str(", so that nothing is guarded");
    }
    if reader.everything && holds_hooks && diagnostic.severity != Severity::Error {
        diagnostic.message.push_str(", so its hooks never run");
    }
    reader.report(diagnostic);
    let pointer = pointer_to(pointer, &member.key);
    match similar(reader, &member.key).filter(|(_, alone)| *alone) {
        Some((name, _)) => reader.once(&member.key_range, format!("once this is `{name}`"), |reader| {
            if let Some(row) = reader.row(name) {
                read_event(reader, row, &member.value, pointer);
            }
        }),
        None if member.key == keys::HOOKS.name && member.value.as_object().is_some() => {
            let once = "once these events stand in the outer `hooks`";
            reader.once(&member.key_range, once, |reader| {
                events(reader, &member.value, &pointer);
            });
        }
        None => {}
    }
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
    if let Some((_, cursor)) =
        OTHERS.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).filter(|_| reader.everything)
    {
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

/// Names of other clients and of everyday speech for a moment that Cursor has too (the hooks pages of GitHub Copilot, Gemini
/// CLI and Windsurf).
const OTHERS: [(&str, &str); 25] = [
    ("afterAgent", "stop"),
    ("afterEdit", "afterFileEdit"),
    ("afterFileWrite", "afterFileEdit"),
    ("afterTool", "postToolUse"),
    ("afterToolUse", "postToolUse"),
    ("agentStop", "stop"),
    ("beforeCommand", "beforeShellExecution"),
    ("beforePrompt", "beforeSubmitPrompt"),
    ("beforePromptSubmit", "beforeSubmitPrompt"),
    ("beforeShellCommand", "beforeShellExecution"),
    ("beforeTool", "preToolUse"),
    ("beforeToolUse", "preToolUse"),
    ("onFileEdit", "afterFileEdit"),
    ("onFileSave", "afterFileEdit"),
    ("onSave", "afterFileEdit"),
    ("post_cascade_response", "afterAgentResponse"),
    ("post_mcp_tool_use", "afterMCPExecution"),
    ("post_run_command", "afterShellExecution"),
    ("post_write_code", "afterFileEdit"),
    ("preCompress", "preCompact"),
    ("pre_mcp_tool_use", "beforeMCPExecution"),
    ("pre_read_code", "beforeReadFile"),
    ("pre_run_command", "beforeShellExecution"),
    ("pre_user_prompt", "beforeSubmitPrompt"),
    ("userPromptSubmitted", "beforeSubmitPrompt"),
];

/// Whether a name is one for the moment before a file is changed, which is no event of Cursor's.
fn names_an_edit(name: &str) -> bool {
    ["beforeEdit", "beforeFileEdit", "beforeFileWrite", "beforeWriteFile", "preFileEdit", "pre_write_code"]
        .iter()
        .any(|edit| edit.eq_ignore_ascii_case(name))
}

/// Whether a name says that its hooks run before something.
fn is_before(name: &str) -> bool {
    name.get(.."before".len()).is_some_and(|start| start.eq_ignore_ascii_case("before"))
}
