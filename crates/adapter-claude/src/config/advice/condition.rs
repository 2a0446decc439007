//! What is said about a handler's `if`: conditions that never hold.

use hooks_core::diagnostic::Diagnostic;
use hooks_core::facts::SubjectFact;
use hooks_core::lint::matchers::place;
use hooks_core::matcher::{Matched, Matcher};

use super::Asked;
use crate::config::reader::Reader;
use crate::config::{edits, keys};
use crate::matcher::condition::Rule;
use crate::{codes, tools};

/// Conditions that never hold.
pub(super) fn condition(reader: &Reader, asked: &Asked<'_>, notes: &mut Vec<Diagnostic>) {
    let key = &keys::IF;
    let text = asked.condition.filter(|text| !text.trim().is_empty());
    let (Some(text), Some(node)) = (text, asked.node(key)) else { return };
    let name = asked.name();
    if !asked.event.conditions {
        let message = format!("`{name}` never evaluates `if`, so this handler never runs");
        let note = asked.guarded(asked.note(key, node, &codes::CONDITION_NEVER_HOLDS, message));
        let note = reader.without(note, asked.object, key.name);
        let always = "the handler runs each time, which it never did before";
        notes.push(if note.edits.is_empty() { note } else { note.changes(always) });
        return;
    }
    let Some(rule) = Rule::parse(text).filter(|rule| !rule.specifier.is_some_and(is_list)) else {
        let message = format!("`{text}` is not one permission rule, so this handler never runs");
        notes.push(asked.guarded(asked.note(key, node, &codes::CONDITION_NOT_A_RULE, message)));
        return;
    };
    if matches!(rule.tool, "Agent" | "Task") && rule.specifier.is_some_and(|inside| !matches!(inside, "" | "*")) {
        let message = format!("`{text}` was seen not to hold for a call of that type, so this handler does not run");
        let note = asked.note(key, node, &codes::CONDITION_NEVER_HOLDS, message);
        notes.push(asked.guarded(note).help("Write the tool's name alone and test the agent's type in the hook."));
        return;
    }
    let known = || tools::BUILT_IN.iter().copied();
    let is_known = known().any(|tool| tool == rule.tool) || tools::retired(rule.tool).is_some();
    if !is_known && !rule.tool.starts_with("mcp__") && !rule.tool.contains('*') {
        if let Some((meant, alone)) = edits::meant(rule.tool, known()) {
            let message = format!("`{}` is no tool the client knows; probably `{meant}` is meant", rule.tool);
            let mut note = asked.note(key, node, &codes::CONDITION_NAMES_NO_TOOL, message);
            if rule.tool.eq_ignore_ascii_case(meant) {
                note = asked.guarded(note);
            }
            let at = text.find(rule.tool).unwrap_or_default();
            let (range, new) = place(&reader.parsed.source.bytes, node, at..at + rule.tool.len(), meant);
            note = note.help(format!("Write `{meant}`."));
            notes.push(if alone {
                note.edit(range, new).changes("the handler runs, which it did not before")
            } else {
                note
            });
        }
        return;
    }
    let is_tool = asked.event.facts.subject == SubjectFact::ToolName;
    if is_tool && is_excluded(&asked.group.matcher, &rule) {
        let matcher = asked.group.matcher_text.as_deref().unwrap_or_default();
        let message = format!("the group's matcher `{matcher}` leaves `{}` out, so this handler never runs", rule.tool);
        notes.push(asked.guarded(asked.note(key, node, &codes::CONDITION_EXCLUDED_BY_MATCHER, message)));
    }
}

/// Whether what stands between the first and the last bracket of a rule is the rest of several rules.
fn is_list(specifier: &str) -> bool {
    specifier.split(')').skip(1).any(|rest| {
        let rest = rest.trim_start();
        let next = rest.trim_start_matches(['&', '|', ',']).trim_start();
        let name = next.split('(').next().unwrap_or_default();
        next.len() < rest.len()
            && next.contains('(')
            && !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Whether a matcher takes none of the calls that a rule can hold for.
fn is_excluded(matcher: &Matcher, rule: &Rule<'_>) -> bool {
    if matches!(matcher, Matcher::All | Matcher::Unknown(_) | Matcher::Never(_)) {
        return false;
    }
    // Rules on editing and reading speak of other tools too, as permission rules.
    let named: &[&str] = match rule.tool {
        "Agent" | "Task" => &["Agent", "Task"],
        "Edit" => &["Edit", "Write", "NotebookEdit", "MultiEdit", "Patch", "Delete"],
        "Read" => &["Read", "Glob", "Grep", "LS", "NotebookRead"],
        tool if tool.contains('*') || (tool.starts_with("mcp__") && tool.matches("__").count() < 2) => return false,
        tool => return matcher.matches(tool) == Matched::No,
    };
    named.iter().all(|tool| matcher.matches(tool) == Matched::No)
}
