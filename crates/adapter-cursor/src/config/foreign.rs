//! Claude's settings files, which Cursor reads too when its import setting is on (third-party hooks page).
//!
//! A small parser of its own: which events and tools are taken over and under which name is Cursor's affair. What a
//! fault in such a file takes with it is not documented; faults here take their own entry only, since the file is
//! another client's and mostly about other things.

use hooks_core::definition::{Definition, Place, State};
use hooks_core::document::{Member, Node, pointer_to};
use hooks_core::facts::SubjectFact;
use hooks_core::handler::{CommandHandler, Handler, PromptHandler};
use hooks_core::matcher::PatternError;
use hooks_core::{Diagnostic, LoopLimit, Matcher, Reach};

use super::{Reader, definition, number, quote};
use crate::codes;
use crate::events::Event;
use crate::matcher::is_everything;

/// Claude's events that Cursor takes over, with its own names (third-party hooks page, events).
pub(super) const CLAUDE_EVENTS: [(&str, &str); 8] = [
    ("PreToolUse", "preToolUse"),
    ("PostToolUse", "postToolUse"),
    ("UserPromptSubmit", "beforeSubmitPrompt"),
    ("Stop", "stop"),
    ("SubagentStop", "subagentStop"),
    ("SessionStart", "sessionStart"),
    ("SessionEnd", "sessionEnd"),
    ("PreCompact", "preCompact"),
];

/// Claude's tools with Cursor's names (third-party hooks page, tools).
const CLAUDE_TOOLS: [(&str, &str); 8] = [
    ("Bash", "Shell"),
    ("Read", "Read"),
    ("Write", "Write"),
    ("Edit", "Write"),
    ("Grep", "Grep"),
    ("Task", "Task"),
    ("WebFetch", "WebFetch"),
    ("WebSearch", "WebSearch"),
];

/// Reads one of Claude's settings files.
pub(super) fn read(reader: &mut Reader<'_>, root: &Node) {
    let Some(object) = root.as_object() else {
        reader.wrong_type(root, String::new(), "the file", "an object");
        return;
    };
    // Settings without hooks are the usual case.
    let Some(hooks) = object.get("hooks") else { return };
    let Some(events) = hooks.as_object() else {
        reader.wrong_type(hooks, "/hooks".to_owned(), "`hooks`", "an object with an array for each event");
        return;
    };
    reader.repeated(events, "/hooks", Reach::Event);
    for member in &events.members {
        if !CLAUDE_EVENTS.iter().any(|(claude, _)| *claude == member.key) {
            let message = format!("Cursor takes no hooks of {} over", quote(&member.key));
            let diagnostic = Diagnostic::new(&codes::EVENT_NOT_SUPPORTED, Reach::Event, message)
                .at(member.key_range.clone())
                .pointer(pointer_to("/hooks", &member.key));
            reader.report(diagnostic);
        }
    }
    for (claude, cursor) in CLAUDE_EVENTS {
        let Some(Member { value, .. }) = events.member(claude) else { continue };
        let found = reader.dialect.events.iter().enumerate().find(|(_, event)| event.facts.name == cursor);
        let Some(row) = found else { continue };
        let pointer = pointer_to("/hooks", claude);
        let Some(groups) = value.as_array() else {
            skip(reader, value, pointer, Reach::Event, &quote(claude), "an array of groups");
            continue;
        };
        for (at, group) in groups.iter().enumerate() {
            read_group(reader, row, at, group, &pointer_to(&pointer, &at.to_string()));
        }
    }
}

/// Reports a value of the wrong type that takes less than the file with it.
fn skip(reader: &mut Reader<'_>, node: &Node, pointer: String, reach: Reach, what: &str, wanted: &str) {
    let diagnostic = Diagnostic::new(&codes::WRONG_TYPE, reach, format!("{what} is {}, not {wanted}", node.phrase()))
        .at(node.range.clone())
        .pointer(pointer)
        .help(format!("Write {wanted}."));
    reader.report(diagnostic);
}

fn read_group(reader: &mut Reader<'_>, row: (usize, &'static Event), at: usize, group: &Node, pointer: &str) {
    let Some(object) = group.as_object() else {
        skip(reader, group, pointer.to_owned(), Reach::Group, "a group", "an object with `hooks`");
        return;
    };
    let Some(hooks) = object.get("hooks") else {
        let diagnostic = Diagnostic::new(&codes::MISSING_FIELD, Reach::Group, "the group has no `hooks`")
            .at(group.range.clone())
            .pointer(pointer)
            .help("Put the hooks into an array named `hooks`, beside `matcher`.");
        reader.report(diagnostic);
        return;
    };
    let Some(entries) = hooks.as_array() else {
        skip(reader, hooks, pointer_to(pointer, "hooks"), Reach::Group, "`hooks`", "an array of hooks");
        return;
    };
    let matcher = match object.get("matcher") {
        Some(node) if node.as_str().is_none() => {
            skip(reader, node, pointer_to(pointer, "matcher"), Reach::Group, "`matcher`", "a string");
            return;
        }
        matcher => matcher,
    };
    let base = pointer_to(pointer, "hooks");
    let compiled = matcher.and_then(|node| read_matcher(reader, row.1, node, pointer_to(pointer, "matcher")));
    for (index, entry) in entries.iter().enumerate() {
        let place = Place { event: row.1.facts.name.to_owned(), group: number(at), index: number(index) };
        let pointer = pointer_to(&base, &index.to_string());
        let Some(mut definition) = read_entry(reader, row.1, place, entry, &pointer) else { continue };
        if let Some((text, matcher, error)) = &compiled {
            definition.matcher_text = Some(text.clone());
            if reader.options.fires(row.1) {
                definition.matcher = matcher.clone();
            }
            if matches!(error, Some(PatternError::Invalid(_))) && definition.state == State::Live {
                definition.state = State::Inert("its matcher is not a regular expression".to_owned());
            }
        }
        reader.keep(row.0, row.1, definition, &pointer);
    }
}

/// Compiles a group's matcher and reports what is wrong with it, once for the group.
fn read_matcher(
    reader: &mut Reader<'_>,
    event: &Event,
    node: &Node,
    pointer: String,
) -> Option<(String, Matcher, Option<PatternError>)> {
    let text = node.as_str()?;
    if is_everything(text) {
        return None;
    }
    // Claude tests no matcher where Cursor tests a fixed word, and another value than Cursor at a session's start.
    if matches!(event.facts.subject, SubjectFact::Ignored | SubjectFact::Word(_)) {
        reader.matcher_ignored(event, node, pointer);
        return None;
    }
    let (matcher, error, unmapped) = if event.facts.subject == SubjectFact::ToolName {
        translate(reader, text)
    } else {
        let (matcher, error) = reader.compiled(text);
        (matcher, error, Vec::new())
    };
    for name in unmapped {
        let message = format!("Cursor maps no tool to Claude's {}", quote(&name));
        let diagnostic = Diagnostic::new(&codes::TOOL_NOT_MAPPED, Reach::Group, message)
            .at(node.range.clone())
            .pointer(pointer.clone())
            .silent();
        reader.report(diagnostic);
    }
    if let Some(error) = &error {
        let code = if matches!(error, PatternError::CannotRun(_)) {
            &codes::MATCHER_CANNOT_RUN
        } else {
            &codes::MATCHER_NOT_REGEX
        };
        let why = hooks_core::text::display_line(&error.to_string()).into_owned();
        let diagnostic = Diagnostic::new(code, Reach::Group, format!("the matcher {} fails: {why}", quote(text)))
            .severity(Reader::severity(event))
            .at(node.range.clone())
            .pointer(pointer);
        reader.report(diagnostic);
    }
    Some((text.to_owned(), matcher, error))
}

/// Cursor's matcher for one of Claude's. A list of names becomes a list of Cursor's names, whole, as Claude reads such
/// a list; in any other text Claude's names are replaced where they stand as words. Gives the names without a
/// counterpart too.
fn translate(reader: &mut Reader<'_>, text: &str) -> (Matcher, Option<PatternError>, Vec<String>) {
    let is_list = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '|' | ',' | ' '));
    if is_list {
        let names: Vec<&str> = text.split(['|', ',']).map(str::trim).filter(|name| !name.is_empty()).collect();
        let unmapped = names.iter().filter(|name| cursor_name(name).is_none()).map(|name| (*name).to_owned()).collect();
        // A name without a counterpart stays itself: a host's own tool may have it.
        let mapped = names.iter().map(|name| cursor_name(name).unwrap_or(name));
        return (Matcher::exact(mapped), None, unmapped);
    }
    let mut pattern = String::with_capacity(text.len());
    let mut word = String::new();
    // A letter after a backslash is part of an escape, not of a word.
    let mut escaped = false;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() && !escaped {
            word.push(c);
            continue;
        }
        pattern.push_str(cursor_name(&word).unwrap_or(&word));
        word.clear();
        pattern.push(c);
        escaped = c == '\\' && !escaped;
    }
    pattern.push_str(cursor_name(&word).unwrap_or(&word));
    let (matcher, error) = reader.compiled(&pattern);
    (matcher, error, Vec::new())
}

fn cursor_name(claude: &str) -> Option<&'static str> {
    CLAUDE_TOOLS.iter().find(|(name, _)| *name == claude).map(|(_, cursor)| *cursor)
}

fn read_entry(
    reader: &mut Reader<'_>,
    event: &'static Event,
    place: Place,
    entry: &Node,
    pointer: &str,
) -> Option<Definition> {
    let Some(object) = entry.as_object() else {
        skip(reader, entry, pointer.to_owned(), Reach::Entry, "a hook", "an object");
        return None;
    };
    let kind = object.get("type").and_then(Node::as_str).unwrap_or_default();
    let key = match kind {
        "command" | "prompt" => {
            if kind == "prompt" {
                "prompt"
            } else {
                "command"
            }
        }
        _ => {
            let at = object.get("type").unwrap_or(entry);
            let message = format!("Cursor runs no hooks of type {} from Claude's file", quote(kind));
            let diagnostic = Diagnostic::new(&codes::UNKNOWN_HANDLER_TYPE, Reach::Entry, message)
                .severity(Reader::severity(event))
                .at(at.range.clone())
                .pointer(pointer_to(pointer, "type"));
            reader.report(diagnostic);
            return None;
        }
    };
    let Some(text) = object.get(key).and_then(Node::as_str) else {
        let diagnostic =
            Diagnostic::new(&codes::MISSING_FIELD, Reach::Entry, format!("the hook has no text in `{key}`"))
                .at(entry.range.clone())
                .pointer(pointer)
                .help(format!("Add `{key}`."));
        reader.report(diagnostic);
        return None;
    };
    let handler = if kind == "prompt" {
        let model = object.get("model").and_then(Node::as_str).map(ToOwned::to_owned);
        Handler::Prompt(PromptHandler { prompt: text.to_owned(), model, continue_on_block: false })
    } else {
        Handler::Command(CommandHandler { command: text.to_owned(), ..CommandHandler::default() })
    };
    let mut definition =
        definition(reader.dialect, reader.options, event, reader.source, place, entry.range.clone(), handler);
    // Hooks in Claude's format have no limit (hooks page, options).
    definition.loop_limit = event.loop_limit.then_some(match reader.options.loop_cap {
        Some(cap) => LoopLimit::AtMost(cap),
        None => LoopLimit::Unlimited,
    });
    if kind == "prompt" && !reader.options.prompt_handlers && definition.state == State::Live {
        definition.state = State::Inert("this host runs no prompt hooks".to_owned());
        let message = format!("{} is a prompt hook, which this host does not run", definition.place);
        let diagnostic = Diagnostic::new(&codes::PROMPT_HANDLER_SKIPPED, Reach::Entry, message)
            .severity(Reader::severity(event))
            .at(entry.range.clone())
            .pointer(pointer);
        reader.report(diagnostic);
    }
    match object.get("timeout") {
        Some(node) if node.as_f64().is_none_or(|seconds| seconds <= 0.0) => {
            skip(
                reader,
                node,
                pointer_to(pointer, "timeout"),
                Reach::None,
                "`timeout`",
                "a number of seconds above zero",
            );
        }
        Some(_) => reader.timeout(object, pointer, &mut definition),
        None => {}
    }
    Some(definition)
}
