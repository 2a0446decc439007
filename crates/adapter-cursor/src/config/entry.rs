//! One hook of Cursor's own file.

use std::ops::Range;

use hooks_core::definition::{Definition, FailurePolicy, Place, State};
use hooks_core::document::{Member, Node, Object, pointer_to};
use hooks_core::facts::SubjectFact;
use hooks_core::handler::{CommandHandler, Handler, PromptHandler};
use hooks_core::lint::nearest::nearest;
use hooks_core::lint::values;
use hooks_core::text::shorten;
use hooks_core::{Diagnostic, LoopLimit, Reach, Severity};

use super::keys::{self, Kind};
use super::matchers::Written;
use super::meant::{inner_hooks, mean_command, meant_handler, meant_kind, renamed_fields};
use super::native::misspelt;
use super::plugin::plugin_path;
use super::shapes::claudes_name;
use super::{DEFAULT_LOOP_LIMIT, FILE_IS_READ, Reader, definition, member_bytes, number, quote, whole};
use crate::codes;
use crate::events::Event;
use crate::matcher::is_everything;

/// Reads one hook of an event: keeps what it defines, and tells of every fault in it.
pub(super) fn read_entry(
    reader: &mut Reader<'_>,
    (at, event): (usize, &'static Event),
    index: usize,
    entry: &Node,
    pointer: &str,
) {
    let Some(object) = entry.as_object() else {
        let meant = entry.as_str().map(|_| format!("{{\"command\": {}}}", reader.source_text(entry)));
        reader.wrong_type_meant(entry, pointer.to_owned(), "a hook", "an object with `command`", meant);
        if let Some(command) = entry.as_str() {
            mean_command(reader, (at, event), index, entry, command);
        }
        return;
    };
    let place = place(event, index);
    let kind = kind(reader, object, pointer);
    let range = entry.range.clone();
    if kind == Some(Kind::Prompt) && !reader.options.prompt_handlers {
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
        let message = reader.prompt_skipped(event, &skipped.place);
        let diagnostic = Diagnostic::new(&codes::PROMPT_HANDLER_SKIPPED, Reach::Entry, message)
            .severity(Reader::severity(event))
            .at(entry.range.clone())
            .pointer(pointer);
        reader.report(diagnostic);
        reader.push(at, skipped);
        return;
    }
    reader.repeated(object, pointer, Reach::Entry);
    // Which keys a type that does not exist was meant to have, nobody knows, unless the hook shows it.
    let read_as = kind.or_else(|| meant_kind(object).filter(|_| reader.everything));
    let renamed =
        if let Some(kind) = read_as { unknown_fields(reader, event, kind, object, pointer) } else { Vec::new() };
    prompt_not_in_cloud(reader, event, read_as, &range, pointer);
    let handler = read_as.and_then(|kind| handler(reader, event, kind, entry, object, pointer));
    let read = kind.is_some() && handler.is_some();
    let handler = handler.or_else(|| meant_handler(reader, event, entry, object, pointer, &renamed));
    let is_meant = handler.is_some();
    // A hook that lacks what it must have is read on, for its other faults.
    let handler = handler.unwrap_or_else(|| Handler::Command(CommandHandler::default()));
    let mut definition = definition(reader.dialect, reader.options, event, reader.source, place, range, handler);
    fields(reader, event, object, pointer, &mut definition);
    renamed_fields(reader, event, pointer, &renamed, &mut definition);
    if read {
        reader.keep(at, event, definition, pointer);
    } else if is_meant {
        reader.mean(definition);
    } else if reader.everything && is_group(object) {
        inner_hooks(reader, (at, event), object, pointer);
    }
}

pub(super) fn place(event: &Event, index: usize) -> Place {
    Place { event: event.facts.name.to_owned(), group: 0, index: number(index) }
}

/// The keys that every kind of hook has, beside what it runs.
pub(super) fn fields(
    reader: &mut Reader<'_>,
    event: &'static Event,
    object: &Object,
    pointer: &str,
    definition: &mut Definition,
) {
    reader.timeout(object, pointer, definition);
    fail_closed(reader, event, object, pointer, definition);
    loop_limit(reader, event, object, pointer, definition);
    matcher(reader, event, object, pointer, definition);
}

/// Tells of a prompt that guards something, which cloud agents leave out.
pub(super) fn prompt_not_in_cloud(
    reader: &mut Reader<'_>,
    event: &Event,
    kind: Option<Kind>,
    range: &Range<usize>,
    pointer: &str,
) {
    if kind == Some(Kind::Prompt) && reader.everything && event.can_block() && event.cloud {
        let message = format!("cloud agents run no prompt hooks, so nothing guards the {} there", event.noun());
        let diagnostic = Diagnostic::new(&codes::PROMPT_NOT_IN_CLOUD, Reach::Entry, message);
        reader.report(diagnostic.at(range.clone()).pointer(pointer).silent());
    }
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
        let mut diagnostic = Diagnostic::new(&codes::UNKNOWN_HANDLER_TYPE, Reach::File, message)
            .at(node.range.clone())
            .pointer(pointer_to(pointer, key));
        if let Some(near) = nearest(word, Kind::ALL.map(Kind::word)) {
            let edit = format!("\"{}\"", near.name);
            diagnostic = diagnostic.help(format!("Write {edit}.")).edit(node.range.clone(), edit).changes(FILE_IS_READ);
        }
        reader.reject(diagnostic);
    }
    kind
}

/// Tells of keys that mean nothing. Gives those that are plainly another key, with its name.
fn unknown_fields<'o>(
    reader: &mut Reader<'_>,
    event: &Event,
    kind: Kind,
    object: &'o Object,
    pointer: &str,
) -> Vec<(&'o Member, &'static str)> {
    let needed = missing_as(kind, object);
    // Keys that will stand there once those before are mended.
    let mut renamed: Vec<(&Member, &'static str)> = Vec::new();
    for member in &object.members {
        if keys::HOOK.iter().any(|key| key.name == member.key) {
            continue;
        }
        // The group that it makes of the hook is told as a whole.
        if reader.everything && is_group(object) && member.key == keys::HOOKS.name {
            continue;
        }
        // What the hook lacks is told with it.
        if needed.is_some_and(|needed| std::ptr::eq(needed, member)) {
            renamed.push((member, kind.needs().name));
            continue;
        }
        let mut diagnostic =
            Diagnostic::new(&codes::UNKNOWN_FIELD, Reach::Entry, format!("a hook has no key {}", quote(&member.key)))
                .at(member.key_range.clone())
                .pointer(pointer_to(pointer, &member.key));
        if reader.everything && is_remark(member, event) {
            diagnostic = diagnostic.severity(Severity::Info);
        }
        if let Some(near) = nearest(&member.key, keys::HOOK.iter().map(|key| key.name)) {
            diagnostic = match object.get(near.name) {
                Some(_) => diagnostic.help(format!("Remove it: `{}` stands there too.", near.name)),
                None if near.alone && !renamed.iter().any(|(_, name)| *name == near.name) => {
                    renamed.push((member, near.name));
                    rename(diagnostic.help(format!("Write `{}`.", near.name)), member, near.name)
                }
                None => diagnostic.help(format!("Write `{}`.", near.name)),
            };
        }
        reader.report(diagnostic);
    }
    renamed
}

/// The key that is plainly the one which a hook of a kind lacks.
fn missing_as(kind: Kind, object: &Object) -> Option<&Member> {
    let needed = kind.needs().name;
    let is_it = |member: &&Member| {
        nearest(&member.key, keys::HOOK.iter().map(|key| key.name))
            .is_some_and(|near| near.alone && near.name == needed)
    };
    let unknown = object.members.iter().filter(|member| keys::HOOK.iter().all(|key| key.name != member.key));
    unknown.filter(|_| object.get(needed).is_none()).find(is_it)
}

/// Whether a key is there for readers and tools: nobody counts on Cursor for it.
fn is_remark(member: &Member, event: &Event) -> bool {
    let key = member.key.as_str();
    let says_event = key == "event" && member.value.as_str() == Some(event.facts.name);
    says_event || key.starts_with(['_', '$']) || ["description", "comment", "id", "name"].contains(&key)
}

/// Whether a key says that its value is in milliseconds.
pub(super) fn in_milliseconds(member: &Member) -> bool {
    member.key.to_ascii_lowercase().ends_with("ms")
}

/// With the edit that writes a key as Cursor reads it; a time that says its unit is converted to Cursor's.
fn rename(diagnostic: Diagnostic, member: &Member, name: &str) -> Diagnostic {
    let diagnostic = diagnostic.edit(member.key_range.clone(), format!("\"{name}\""));
    let milliseconds = name == keys::TIMEOUT.name && in_milliseconds(member);
    let converted = member.value.as_f64().filter(|_| milliseconds).map(|number| number / 1000.0);
    match converted.filter(|seconds| *seconds > 0.0) {
        Some(seconds) => diagnostic
            .help("Write `timeout`, in seconds.")
            .edit(member.value.range.clone(), seconds.to_string())
            .changes(format!("the hook is ended after {seconds} seconds")),
        None => diagnostic.changes(format!("the hook's `{name}` counts, which it did not before")),
    }
}

/// Whether an entry is a group of hooks as Claude's settings file has it.
pub(super) fn is_group(object: &Object) -> bool {
    object.get(keys::COMMAND.name).is_none()
        && object.get(keys::HOOKS.name).is_some_and(|node| node.as_array().is_some())
}

/// The flat hooks that a group comes to; `None` where more than its own keys stand in it, or something else than hooks.
fn flat(reader: &Reader<'_>, group: &Object) -> Option<String> {
    let own = |member: &Member| [keys::HOOKS.name, keys::MATCHER.name].contains(&member.key.as_str());
    if !group.members.iter().all(own) || !group.repeated().is_empty() {
        return None;
    }
    let matcher = group.get(keys::MATCHER.name).map(|node| reader.source_text(node));
    let mut hooks = Vec::new();
    for hook in group.get(keys::HOOKS.name)?.as_array()? {
        let object = hook.as_object().filter(|object| object.get(keys::MATCHER.name).is_none())?;
        let rest = reader.source_text(hook).strip_prefix('{')?;
        hooks.push(match matcher {
            None => format!("{{{rest}"),
            Some(matcher) if object.members.is_empty() => format!("{{\"matcher\": {matcher}{rest}"),
            Some(matcher) => format!("{{\"matcher\": {matcher}, {}", rest.trim_start()),
        });
    }
    (!hooks.is_empty()).then(|| hooks.join(", "))
}

/// The handler, unless it lacks what it must have.
pub(super) fn handler(
    reader: &mut Reader<'_>,
    event: &Event,
    kind: Kind,
    entry: &Node,
    object: &Object,
    pointer: &str,
) -> Option<Handler> {
    let key = kind.needs().name;
    if object.get(key).is_none() {
        let diagnostic = no_handler(reader, kind, entry, object);
        reader.reject(diagnostic.pointer(pointer));
        return None;
    }
    if let Some(command) = object.get(key).and_then(words_of_command).filter(|_| reader.everything) {
        let (node, meant) = (object.get(key)?, values::quoted(&command));
        reader.wrong_type_meant(node, pointer_to(pointer, key), &format!("`{key}`"), "a string", Some(meant));
        return None;
    }
    let text = reader.string(object, key, pointer)?;
    if text.trim().is_empty() {
        let range = object.get(key).map_or(entry.range.clone(), |node| node.range.clone());
        let (message, severity) = match (kind, event.can_block()) {
            (Kind::Prompt, _) => {
                ("the prompt has no text, so the model is asked nothing".to_owned(), Severity::Warning)
            }
            (_, true) => {
                (format!("the command has no text, so nothing guards the {}", event.noun()), Reader::severity(event))
            }
            (_, false) => ("the command has no text".to_owned(), Reader::severity(event)),
        };
        let diagnostic = Diagnostic::new(&codes::EMPTY_COMMAND, Reach::Entry, message)
            .severity(severity)
            .at(range)
            .pointer(pointer_to(pointer, key))
            .silent();
        reader.report(diagnostic);
    }
    if let (Kind::Command, Some(node)) = (kind, object.get(key)) {
        plugin_path(reader, text, node, pointer_to(pointer, key));
    }
    if kind == Kind::Prompt {
        let model = reader.string(object, keys::MODEL.name, pointer).map(ToOwned::to_owned);
        return Some(Handler::Prompt(PromptHandler { prompt: text.to_owned(), model, continue_on_block: false }));
    }
    Some(Handler::Command(CommandHandler { command: text.to_owned(), ..CommandHandler::default() }))
}

/// The command that a list of plain words was meant as.
pub(super) fn words_of_command(node: &Node) -> Option<String> {
    let words: Vec<&str> = node.as_array()?.iter().map(Node::as_str).collect::<Option<_>>()?;
    let plain =
        |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./@:=".contains(c));
    (!words.is_empty() && words.iter().all(plain)).then(|| words.join(" "))
}

/// What there is to say of a hook without a command or a prompt.
fn no_handler(reader: &Reader<'_>, kind: Kind, entry: &Node, object: &Object) -> Diagnostic {
    let key = kind.needs().name;
    if is_group(object) {
        let message =
            "the hooks stand in an inner `hooks`, as in Claude's settings file, and the entry has no `command`";
        let diagnostic = Diagnostic::new(&codes::CLAUDE_SHAPE, Reach::File, message).at(entry.range.clone());
        return match flat(reader, object) {
            Some(text) => diagnostic.edit(entry.range.clone(), text).changes(FILE_IS_READ),
            None => diagnostic,
        };
    }
    let diagnostic = Diagnostic::new(&codes::MISSING_FIELD, Reach::File, format!("the hook has no `{key}`"))
        .at(entry.range.clone())
        .help(format!("Add `{key}`."));
    if let Some(member) = missing_as(kind, object) {
        return diagnostic
            .help(format!("Write `{key}` in place of {}.", quote(&member.key)))
            .related("this is probably meant", member.key_range.clone())
            .edit(member.key_range.clone(), format!("\"{key}\""))
            .changes(FILE_IS_READ);
    }
    if let Some(member) = misspelt(object, kind.needs()) {
        return diagnostic.help(format!("Write `{key}` in place of {}.", quote(&member.key)));
    }
    let prompts = kind == Kind::Command && object.get(keys::PROMPT.name).is_some();
    match object.members.first().filter(|_| prompts && object.get(keys::TYPE.name).is_none()) {
        Some(first) => {
            let at = first.key_range.start;
            let word = Kind::Prompt.word();
            diagnostic
                .help(format!("Add \"type\": \"{word}\": without a type a hook is a command."))
                .edit(at..at, format!("\"type\": \"{word}\", "))
                .changes(FILE_IS_READ)
        }
        None => diagnostic,
    }
}

fn fail_closed(reader: &mut Reader<'_>, event: &Event, object: &Object, pointer: &str, definition: &mut Definition) {
    let key = keys::FAIL_CLOSED.name;
    let Some(node) = object.get(key) else { return };
    let pointer = pointer_to(pointer, key);
    let Some(closed) = node.as_bool() else {
        let meant = values::meant_bool(node).map(|meant| meant.to_string());
        reader.wrong_type_meant(node, pointer, &format!("`{key}`"), "true or false", meant);
        return;
    };
    if !closed {
        return;
    }
    definition.failure = FailurePolicy::Closed;
    if reader.everything && !event.can_block() {
        let message = format!("nothing can be blocked on {}, so `{key}` has no meaning", event.facts.name);
        let mut diagnostic = Diagnostic::new(&codes::FAIL_CLOSED_IGNORED, Reach::None, message)
            .at(node.range.clone())
            .pointer(pointer)
            .silent();
        if let Some(member) = member_bytes(object, key) {
            diagnostic = diagnostic
                .edit(member, "")
                .changes("a failure of the hook is recorded as one that lets things go on, which they do either way");
        }
        reader.report(diagnostic);
    }
}

fn loop_limit(reader: &mut Reader<'_>, event: &Event, object: &Object, pointer: &str, definition: &mut Definition) {
    let key = keys::LOOP_LIMIT.name;
    let Some(node) = object.get(key) else { return };
    let pointer = pointer_to(pointer, key);
    if !event.loop_limit {
        let message = format!("`{key}` has no meaning on {}", event.facts.name);
        let mut diagnostic =
            Diagnostic::new(&codes::LOOP_LIMIT_IGNORED, Reach::Entry, message).at(node.range.clone()).pointer(pointer);
        if let Some(member) = member_bytes(object, key) {
            diagnostic = diagnostic.edit(member, "");
        }
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
            let meant = values::meant_whole(node).map(|meant| meant.to_string());
            reader.wrong_type_meant(node, pointer, &format!("`{key}`"), "a whole number or null", meant);
            return;
        }
    };
    definition.loop_limit = Some(match (limit, reader.options.loop_cap) {
        (Some(limit), Some(cap)) if limit <= cap => LoopLimit::AtMost(limit),
        (Some(limit), None) => LoopLimit::AtMost(limit),
        (None, None) => {
            if reader.everything {
                let message =
                    format!("the hook can make the agent go on without end; {DEFAULT_LOOP_LIMIT} times is the default");
                let diagnostic = Diagnostic::new(&codes::LOOP_LIMIT_NONE, Reach::None, message);
                reader.report(diagnostic.at(node.range.clone()).pointer(pointer));
            }
            LoopLimit::Unlimited
        }
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

fn matcher(
    reader: &mut Reader<'_>,
    event: &'static Event,
    object: &Object,
    pointer: &str,
    definition: &mut Definition,
) {
    let key = keys::MATCHER.name;
    let Some(node) = object.get(key) else { return };
    let Some(text) = node.as_str() else {
        let wanted = "a string with a regular expression";
        let meant = list_of_names(event, node);
        reader.wrong_type_meant(node, pointer_to(pointer, key), &format!("`{key}`"), wanted, meant);
        return;
    };
    let pointer = pointer_to(pointer, key);
    let member = member_bytes(object, key);
    if event.facts.subject == SubjectFact::Ignored {
        // The spellings for everything lose nothing.
        if !is_everything(text) {
            reader.matcher_ignored(event, node, pointer, member);
        }
        return;
    }
    definition.matcher_text = Some(text.to_owned());
    if text == "*" && reader.everything {
        let message = "`*` is no regular expression; only Cursor's newest page says that it means everything";
        let mut diagnostic =
            Diagnostic::new(&codes::MATCHER_STAR, Reach::None, message).at(node.range.clone()).pointer(pointer.clone());
        if let Some(member) = member.clone() {
            diagnostic = diagnostic.edit(member, "");
        }
        reader.report(diagnostic);
    }
    reader.compile(&Written { event, node, pointer, member }, text, definition);
}

/// The matcher that a list of names was meant as, or what stands alone in an object; Claude's names for tools become
/// Cursor's.
fn list_of_names(event: &Event, node: &Node) -> Option<String> {
    if let Some([only]) = node.as_object().map(|object| object.members.as_slice()) {
        let text = only.value.as_str().map(values::quoted);
        return text.or_else(|| list_of_names(event, &only.value));
    }
    let names: Vec<&str> = node.as_array()?.iter().map(Node::as_str).collect::<Option<_>>()?;
    let plain = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-:".contains(c));
    let own = |name: &&'_ str| match event.facts.subject {
        SubjectFact::ToolName => claudes_name(name).unwrap_or(name).to_owned(),
        _ => (*name).to_owned(),
    };
    let mut own: Vec<String> = names.iter().filter(|name| plain(name)).map(own).collect();
    let plain = own.len() == names.len();
    own.dedup();
    (!names.is_empty() && plain).then(|| values::quoted(&own.join("|")))
}
