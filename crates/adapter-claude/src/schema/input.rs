//! The schemas of standard input: the types that are written, with what the event's row knows.
//!
//! The objects are open, as the vendor's are: its client adds keys and words from one version to the next. Words that are
//! known are offered and not enforced.

use hooks_core::boundary::Boundary;
use hooks_core::facts::{EventFacts, SubjectFact};
use hooks_core::json::JsonKind;
use hooks_core::schema::{absent_is_not_null, offer, property, set, written};
use schemars::{JsonSchema, Schema, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::words;
use crate::events::{self, Event};
use crate::input::{Stdin, other, prompt, session, tool};
use crate::output::verdict;
use crate::tools::{self, inputs};

/// What a hook of an event finds on standard input.
pub(super) fn input(facts: &'static EventFacts) -> Schema {
    let Some(event) = events::find(facts.name) else { return json_schema!({ "type": "object" }) };
    let mut schema = shape(facts.name);
    absent_is_not_null(&mut schema);
    common(event, &mut schema);
    for (key, known) in KNOWN {
        offer(&mut schema, key, known);
    }
    if let SubjectFact::Field { key, values } = facts.subject {
        offer(&mut schema, key, values);
    }
    if facts.subject == SubjectFact::ToolName {
        let names = match facts.boundary {
            Some(Boundary::SkillShellCommand) => SHELLS,
            _ => tools::BUILT_IN,
        };
        offer(&mut schema, "tool_name", names);
        by_tool(&mut schema, names);
    }
    if let Some(suggestions) = property(&mut schema, "permission_suggestions") {
        suggestions.insert("items".to_owned(), suggestion());
    }
    set(&mut schema, "description", format!("{}\n\nOther keys may stand beside these.", words::event(event)));
    schema
}

/// The type that is written for an event.
fn shape(event: &str) -> Schema {
    match event {
        "PreToolUse" => of::<tool::Before<'_>>(),
        "PostToolUse" => of::<tool::Returned<'_>>(),
        "PostToolUseFailure" => of::<tool::Failed<'_>>(),
        "PostToolBatch" => of::<tool::Batch<'_>>(),
        "PermissionRequest" => of::<tool::Permission<'_>>(),
        "PermissionDenied" => of::<tool::Denied<'_>>(),
        "PreSkillShellCommand" => of::<tool::SkillCommand<'_>>(),
        "UserPromptSubmit" => of::<prompt::Submit<'_>>(),
        "UserPromptExpansion" => of::<prompt::Expansion<'_>>(),
        "Stop" => of::<prompt::Stop<'_>>(),
        "StopFailure" => of::<prompt::Failure<'_>>(),
        "MessageDisplay" => of::<prompt::Shown<'_>>(),
        "SessionStart" => of::<session::Start<'_>>(),
        "SessionEnd" => of::<session::End<'_>>(),
        "Setup" => of::<session::Wanted<'_>>(),
        "SubagentStop" => of::<session::SubagentEnd<'_>>(),
        "PreCompact" => of::<session::BeforeCompact<'_>>(),
        "PostCompact" => of::<session::AfterCompact<'_>>(),
        "PreModelSwitch" | "PostModelSwitch" => of::<session::Switch<'_>>(),
        "Notification" => of::<other::Notification<'_>>(),
        "TaskCreated" | "TaskCompleted" => of::<other::Task<'_>>(),
        "TeammateIdle" => of::<other::Teammate<'_>>(),
        "Elicitation" => of::<other::Elicitation<'_>>(),
        "ElicitationResult" => of::<other::ElicitationResult<'_>>(),
        "ConfigChange" => of::<other::Config<'_>>(),
        "InstructionsLoaded" => of::<other::Instructions<'_>>(),
        "CwdChanged" => of::<other::Cwd<'_>>(),
        "FileChanged" => of::<other::File<'_>>(),
        "DirectoryAdded" => of::<other::Directory<'_>>(),
        "WorktreeCreate" => of::<other::WorktreeWanted<'_>>(),
        "WorktreeRemove" => of::<other::Worktree<'_>>(),
        _ => of::<session::Nothing>(),
    }
}

fn of<T: JsonSchema + Serialize>() -> Schema {
    written::<Stdin<'_, T>>()
}

/// The common keys, as the event has them.
fn common(event: &Event, schema: &mut Schema) {
    if let Some(name) = property(schema, "hook_event_name") {
        name.insert("const".to_owned(), event.facts.name.into());
    }
    let has = [("permission_mode", event.permission_mode), ("effort", event.effort)];
    for (key, has) in has {
        if !has && let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            members.remove(key);
        }
    }
    let is_subagent_s = matches!(event.facts.boundary, Some(Boundary::SubagentStart | Boundary::SubagentStop));
    let more = [("permission_mode", event.permission_mode), ("agent_id", is_subagent_s), ("agent_type", is_subagent_s)];
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.extend(more.into_iter().filter(|(_, always)| *always).map(|(key, _)| Value::from(key)));
    }
    if is_subagent_s {
        for (key, about) in [
            ("agent_id", "The subagent's id."),
            ("agent_type", "The subagent's type; empty for agents of the client itself."),
        ] {
            if let Some(member) = property(schema, key) {
                member.insert("description".to_owned(), about.into());
            }
        }
    }
    if let Some(level) = schema.pointer_mut("/$defs/Effort/properties/level").and_then(Value::as_object_mut) {
        level.insert("examples".to_owned(), json!(["low", "medium", "high", "xhigh", "max"]));
    }
    if !event.effort
        && let Some(parts) = schema.get_mut("$defs").and_then(Value::as_object_mut)
    {
        parts.remove("Effort");
        if parts.is_empty() {
            schema.remove("$defs");
        }
    }
}

/// Words that keys of several events are known to have (vendor's SDK types).
const KNOWN: [(&str, &[&str]); 9] = [
    ("permission_mode", &["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"]),
    ("expansion_type", &["slash_command", "mcp_prompt"]),
    ("mode", &["form", "url"]),
    ("action", &["accept", "decline", "cancel"]),
    ("memory_type", &["User", "Project", "Local", "Managed"]),
    ("event", &["change", "add", "unlink"]),
    ("invoked_by", &["user", "claude", "other"]),
    ("cache_ttl", &["5m", "1h"]),
    ("pricing", &["configured", "catalog", "default"]),
];

/// A change of the permission rules that a dialog offers.
fn suggestion() -> Value {
    let types = [verdict::RULE_CHANGES, verdict::MODE_CHANGES, verdict::DIRECTORY_CHANGES].concat();
    json!({
        "type": "object",
        "description": "A change, in the form that `updatedPermissions` of an answer takes.",
        "required": ["type"],
        "properties": {
            "type": { "type": "string", "description": "What is changed.", "examples": types },
            "destination": {
                "type": "string",
                "description": "The settings that it is written to.",
                "examples": verdict::DESTINATIONS,
            },
        },
    })
}

/// The tools whose calls stand in the text of skills and commands (observed on 2.1.332).
const SHELLS: &[&str] = &["Bash", "PowerShell"];

/// The input of each of these tools whose keys are known.
fn by_tool(schema: &mut Schema, names: &[&str]) {
    let built_in = inputs::INPUTS.iter().filter(|input| names.contains(&input.tool));
    let cases: Vec<Value> = built_in
        .map(|input| {
            json!({
                "if": { "properties": { "tool_name": { "const": input.tool } } },
                "then": { "properties": { "tool_input": tool_input(input) } },
            })
        })
        .collect();
    set(schema, "allOf", cases);
}

/// A tool's input.
fn tool_input(input: &inputs::ToolInput) -> Value {
    let required: Vec<_> = input.keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    let members: Map<String, Value> = input
        .keys
        .iter()
        .map(|key| {
            let kind = match key.kind {
                JsonKind::String => "string",
                JsonKind::Number => "number",
                JsonKind::Bool => "boolean",
                JsonKind::Array => "array",
                JsonKind::Object => "object",
                JsonKind::Null => "null",
            };
            (key.name.to_owned(), json!({ "type": kind, "description": key.about }))
        })
        .collect();
    json!({ "required": required, "properties": members })
}
