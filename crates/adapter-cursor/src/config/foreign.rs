//! Claude's settings files, which Cursor reads too when its import setting is on (third-party hooks page).
//!
//! A small parser of its own: which events and tools are taken over and under which name is Cursor's affair. What a
//! fault in such a file takes with it is not documented; faults here take their own entry only, since the file is
//! another client's and mostly about other things.

use hooks_core::definition::{Definition, Place, State};
use hooks_core::document::{Member, Node, Object, pointer_to};
use hooks_core::facts::SubjectFact;
use hooks_core::handler::{CommandHandler, Handler, PromptHandler};
use hooks_core::lint::nearest::{Difference, nearest};
use hooks_core::matcher::PatternError;
use hooks_core::text::shorten;
use hooks_core::{Diagnostic, LoopLimit, Matcher, Reach, Severity};

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
pub(super) const CLAUDE_TOOLS: [(&str, &str); 8] = [
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
    // A second array of one name would push the first out.
    let mut taken: Vec<&'static str> =
        CLAUDE_EVENTS.iter().map(|(claude, _)| *claude).filter(|claude| events.get(claude).is_some()).collect();
    for member in &events.members {
        if !CLAUDE_EVENTS.iter().any(|(claude, _)| *claude == member.key) {
            unknown_event(reader, member, &mut taken);
        }
    }
    for (claude, _) in CLAUDE_EVENTS {
        if let Some(Member { value, .. }) = events.member(claude) {
            read_event(reader, claude, value, &pointer_to("/hooks", claude));
        }
    }
}

/// Reads the groups of one of Claude's events that Cursor takes over.
fn read_event(reader: &mut Reader<'_>, claude: &str, value: &Node, pointer: &str) {
    let cursor = CLAUDE_EVENTS.iter().find(|(name, _)| *name == claude).map(|(_, cursor)| *cursor);
    let Some(row) = cursor.and_then(|cursor| reader.row(cursor)) else { return };
    let Some(groups) = value.as_array() else {
        skip(reader, row.1, value, (pointer.to_owned(), Reach::Event), &quote(claude), "an array of groups");
        return;
    };
    for (at, group) in groups.iter().enumerate() {
        read_group(reader, row, at, group, &pointer_to(pointer, &at.to_string()));
    }
}

/// Tells of an event that Cursor does not take over: one of Claude's others, or a name that is nearly one of these.
fn unknown_event(reader: &mut Reader<'_>, member: &Member, taken: &mut Vec<&'static str>) {
    let message = format!("Cursor takes no hooks of {} over", quote(&member.key));
    let mut diagnostic = Diagnostic::new(&codes::EVENT_NOT_SUPPORTED, Reach::Event, message)
        .at(member.key_range.clone())
        .pointer(pointer_to("/hooks", &member.key));
    let holds_hooks = member.value.as_array().is_none_or(|groups| !groups.is_empty());
    let near = nearest(&member.key, CLAUDE_EVENTS.map(|(claude, _)| claude)).filter(|near| near.alone);
    // Cursor's own name for an event of both is in the wrong file.
    let own = CLAUDE_EVENTS.iter().find(|(_, cursor)| *cursor == member.key).map(|(claude, _)| *claude);
    let meant = own.or(near.map(|near| near.name)).filter(|_| reader.everything);
    if let Some(name) = meant {
        diagnostic = if taken.contains(&name) {
            diagnostic.help(format!("Move the hooks into the array of `{name}` that stands there too."))
        } else {
            taken.push(name);
            diagnostic
                .help(format!("Write `{name}`."))
                .edit(member.key_range.clone(), format!("\"{name}\""))
                .changes(format!("the hooks of {name} will run, which they did not before"))
        };
        let guards = |cursor: &str| reader.dialect.events.iter().any(|e| e.facts.name == cursor && e.can_block());
        let cursor = CLAUDE_EVENTS.iter().find(|(claude, _)| *claude == name).map(|(_, cursor)| *cursor);
        if holds_hooks && cursor.is_some_and(guards) {
            diagnostic = diagnostic.severity(Severity::Error);
        }
    } else if reader.everything && holds_hooks && member.key == "PermissionRequest" {
        // The one guard that the page names among what is not taken over.
        diagnostic = diagnostic.severity(Severity::Error);
        diagnostic.message.push_str(", so it guards nothing there");
    }
    reader.report(diagnostic);
    if let Some(name) = meant {
        let pointer = pointer_to("/hooks", &member.key);
        reader.once(&member.key_range, format!("once this is `{name}`"), |reader| {
            read_event(reader, name, &member.value, &pointer);
        });
    }
}

/// Reports a value of the wrong type that takes less than the file with it.
fn skip(
    reader: &mut Reader<'_>,
    event: &Event,
    node: &Node,
    (pointer, reach): (String, Reach),
    what: &str,
    wanted: &str,
) {
    let diagnostic = Diagnostic::new(&codes::WRONG_TYPE, reach, format!("{what} is {}, not {wanted}", node.phrase()))
        .severity(Reader::severity(event))
        .at(node.range.clone())
        .pointer(pointer)
        .help(format!("Write {wanted}."));
    reader.report(diagnostic);
}

fn read_group(reader: &mut Reader<'_>, row: (usize, &'static Event), at: usize, group: &Node, pointer: &str) {
    let Some(object) = group.as_object() else {
        skip(reader, row.1, group, (pointer.to_owned(), Reach::Group), "a group", "an object with `hooks`");
        return;
    };
    let Some(hooks) = object.get("hooks") else {
        let diagnostic = Diagnostic::new(&codes::MISSING_FIELD, Reach::Group, "the group has no `hooks`")
            .severity(Reader::severity(row.1))
            .at(group.range.clone())
            .pointer(pointer)
            .help("Put the hooks into an array named `hooks`, beside `matcher`.");
        reader.report(diagnostic);
        return;
    };
    let Some(entries) = hooks.as_array() else {
        skip(reader, row.1, hooks, (pointer_to(pointer, "hooks"), Reach::Group), "`hooks`", "an array of hooks");
        return;
    };
    let matcher = match object.get("matcher") {
        Some(node) if node.as_str().is_none() => {
            skip(reader, row.1, node, (pointer_to(pointer, "matcher"), Reach::Group), "`matcher`", "a string");
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
        let message = format!("{} tests no matcher in Cursor, so the hook runs every time there", event.facts.name);
        let diagnostic = Diagnostic::new(&codes::MATCHER_IGNORED, Reach::Entry, message)
            .at(node.range.clone())
            .pointer(pointer)
            .help("Keep it for Claude Code; for Cursor too, test in the hook itself.");
        reader.report(diagnostic);
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
        let mut diagnostic = Diagnostic::new(&codes::TOOL_NOT_MAPPED, Reach::Group, message)
            .at(node.range.clone())
            .pointer(pointer.clone())
            .silent();
        let near = nearest(&name, CLAUDE_TOOLS.map(|(claude, _)| claude)).filter(|near| near.alone);
        if let Some(near) = near.filter(|_| reader.everything) {
            diagnostic = diagnostic.help(format!("Write `{}`, with its letter case.", near.name));
            if near.difference == Difference::Case {
                diagnostic = diagnostic.severity(Reader::severity(event));
            }
        }
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

pub(super) fn cursor_name(claude: &str) -> Option<&'static str> {
    CLAUDE_TOOLS.iter().find(|(name, _)| *name == claude).map(|(_, cursor)| *cursor)
}

/// What there is to say of a hook that does not say what it is.
fn no_type(event: &Event, entry: &Node, object: &Object) -> Diagnostic {
    let diagnostic = Diagnostic::new(&codes::MISSING_FIELD, Reach::Entry, "the hook has no `type`, so it never runs")
        .severity(Reader::severity(event))
        .at(entry.range.clone())
        .help("Add \"type\": \"command\", or \"prompt\".");
    let kind = ["command", "prompt"].into_iter().find(|kind| object.get(kind).is_some());
    match (kind, object.members.first()) {
        (Some(kind), Some(first)) => {
            let at = first.key_range.start;
            diagnostic
                .edit(at..at, format!("\"type\": \"{kind}\", "))
                .changes("the hook will run, which it did not before")
        }
        _ => diagnostic,
    }
}

fn read_entry(
    reader: &mut Reader<'_>,
    event: &'static Event,
    place: Place,
    entry: &Node,
    pointer: &str,
) -> Option<Definition> {
    let Some(object) = entry.as_object() else {
        skip(reader, event, entry, (pointer.to_owned(), Reach::Entry), "a hook", "an object");
        return None;
    };
    let kind = object.get("type").and_then(Node::as_str).unwrap_or_default();
    let key = match kind {
        "command" => "command",
        "prompt" => "prompt",
        "" if object.get("type").is_none() => {
            reader.report(no_type(event, entry, object).pointer(pointer));
            return None;
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
                .severity(Reader::severity(event))
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
        let message = reader.prompt_skipped(event, &definition.place);
        let diagnostic = Diagnostic::new(&codes::PROMPT_HANDLER_SKIPPED, Reach::Entry, message)
            .severity(Reader::severity(event))
            .at(entry.range.clone())
            .pointer(pointer);
        reader.report(diagnostic);
    }
    match object.get("timeout") {
        Some(node) if node.as_f64().is_none_or(|seconds| seconds <= 0.0) => {
            let what = node.as_number().map_or(node.phrase().to_owned(), |number| shorten(number, 20).into_owned());
            let wanted = "a number of seconds above zero";
            let message = format!("`timeout` is {what}, not {wanted}, and is passed over");
            let diagnostic = Diagnostic::new(&codes::WRONG_TYPE, Reach::None, message)
                .severity(Severity::Warning)
                .at(node.range.clone())
                .pointer(pointer_to(pointer, "timeout"))
                .help(format!("Write {wanted}."));
            reader.report(diagnostic);
        }
        Some(_) => reader.timeout(object, pointer, &mut definition),
        None => {}
    }
    Some(definition)
}
