//! Hooks that are valid and cannot matter, or matter twice: what shows only when several are seen together.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use hooks_core::definition::State;
use hooks_core::document::{Node, pointer_to};
use hooks_core::handler::Handler;
use hooks_core::lint::values;
use hooks_core::matcher::Matched;
use hooks_core::{Definition, Diagnostic, Reach};

use super::{Reader, keys, quote};
use crate::codes;

/// Tells of entries of an event that stand there twice, letter for letter but for blanks and the order of keys. Every
/// hook that matches runs (hooks page of September 2026, several hooks); nothing is said of equal ones.
pub(super) fn repeated_hooks(reader: &mut Reader<'_>, entries: &[Node], pointer: &str) {
    if !reader.everything || entries.len() < 2 {
        return;
    }
    // Only hooks that run the same are worth a closer look.
    let mut alike: HashMap<&str, Vec<usize>> = HashMap::with_capacity(entries.len());
    for (at, entry) in entries.iter().enumerate() {
        let Some(object) = entry.as_object() else { continue };
        let runs = object.get(keys::COMMAND.name).or_else(|| object.get(keys::PROMPT.name)).and_then(Node::as_str);
        alike.entry(runs.unwrap_or_default()).or_default().push(at);
    }
    for places in alike.into_values().filter(|places| places.len() > 1) {
        let mut seen: HashMap<String, &Node> = HashMap::with_capacity(places.len());
        for at in places {
            let Some(entry) = entries.get(at) else { continue };
            match seen.entry(serde_json::Value::from(entry).to_string()) {
                Entry::Vacant(first) => {
                    first.insert(entry);
                }
                Entry::Occupied(first) => repeated_hook(reader, entries, at, first.get(), pointer),
            }
        }
    }
}

fn repeated_hook(reader: &mut Reader<'_>, entries: &[Node], at: usize, first: &Node, pointer: &str) {
    let Some(entry) = entries.get(at) else { return };
    let mut diagnostic = Diagnostic::new(&codes::REPEATED_HOOK, Reach::None, "this hook stands here already")
        .at(entry.range.clone())
        .pointer(pointer_to(pointer, &at.to_string()))
        .related("the same hook", first.range.clone());
    if let Some(bytes) = values::item_bytes(entries, at) {
        diagnostic = diagnostic.edit(bytes, "").changes("the hook runs once where it ran twice");
    }
    reader.report(diagnostic);
}

/// Tells of a command that guards one moment on `preToolUse` and on the event for that kind of tool: both fire (seen with
/// one project, preloop pull request 415).
pub(super) fn guards_on_two_events(reader: &mut Reader<'_>, pointer: &str) {
    if !reader.everything {
        return;
    }
    let of = |definitions: &[Definition], event: &str| -> Vec<usize> {
        let is = |definition: &Definition| definition.place.event == event && definition.state == State::Live;
        definitions.iter().enumerate().filter(|(_, definition)| is(definition)).map(|(at, _)| at).collect()
    };
    let mut general: HashMap<String, Vec<usize>> = HashMap::new();
    for at in of(&reader.parsed.definitions, "preToolUse") {
        if let Some(command) = reader.parsed.definitions.get(at).and_then(command) {
            general.entry(command.to_owned()).or_default().push(at);
        }
    }
    if general.is_empty() {
        return;
    }
    for (event, tool, what) in [
        ("beforeShellExecution", "Shell", "a shell command"),
        ("beforeMCPExecution", "MCP:x", "a call of an MCP tool"),
        ("beforeReadFile", "Read", "a file read"),
    ] {
        // The first hook that runs each command for this tool: looked for once, however many run it.
        let mut first: HashMap<&str, Option<&Definition>> = HashMap::new();
        let definitions = &reader.parsed.definitions;
        let mut found = Vec::new();
        for special in of(definitions, event).into_iter().filter_map(|at| definitions.get(at)) {
            let Some(command) = command(special) else { continue };
            let Some(places) = general.get(command) else { continue };
            let same = first.entry(command).or_insert_with(|| {
                let all = places.iter().filter_map(|at| definitions.get(*at));
                all.into_iter().find(|general| general.matcher.matches(tool) == Matched::Yes)
            });
            let Some(general) = same else { continue };
            let message = format!("preToolUse and {event} both run {} for {what}", quote(command));
            let diagnostic = Diagnostic::new(&codes::GUARD_ON_TWO_EVENTS, Reach::None, message)
                .at(special.range.clone())
                .pointer(pointer)
                .related("the same command on preToolUse", general.range.clone());
            found.push(diagnostic);
        }
        for diagnostic in found {
            reader.report(diagnostic);
        }
    }
}

fn command(definition: &Definition) -> Option<&str> {
    match &definition.handler {
        Handler::Command(command) => Some(command.command.trim()).filter(|command| !command.is_empty()),
        _ => None,
    }
}
