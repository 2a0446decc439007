//! Schemas of standard input: the types that are written, with the words and constants of the event's row.
//!
//! The vendor's own input schemas have no other members than these, and so have ours.

use hooks_core::facts::{EventFacts, SubjectFact};
use hooks_core::schema::{explain, set};
use schemars::{Schema, json_schema};
use serde_json::{Value, json};

use super::words;
use crate::events::{self, Event, Kind, Presence};
use crate::input::PERMISSION_MODES;

/// What the keys of payloads hold (section 14).
const KEYS: [(&str, &str); 28] = [
    ("session_id", "The session's id; inside a subagent that of the root session."),
    ("turn_id", "The id of the running turn; in the events of a subagent that of its own turn."),
    ("agent_id", "The subagent's id. Present only where the event happens inside a subagent."),
    ("agent_type", "The subagent's type, `default` when none was chosen. Present only together with `agent_id`."),
    ("transcript_path", "The file of the thread that the event belongs to, in JSON lines; `null` when it is not kept."),
    ("agent_transcript_path", "The subagent's own file, in JSON lines; `null` when it is not kept."),
    ("cwd", "The session's working directory, which is also the hook's."),
    ("hook_event_name", "The event."),
    ("model", "The model's name, as Codex writes it."),
    (
        "permission_mode",
        "How permissions are handled. Codex itself writes `bypassPermissions` when nobody is ever asked, and else \
         `default`.",
    ),
    (
        "tool_name",
        "The tool's own name, never an alias: `Bash`, `apply_patch`, `spawn_agent`, `mcp__<server>__<tool>`, or another \
         function's name.",
    ),
    (
        "tool_input",
        "The call's input. Of `Bash` `{\"command\": ...}` with the command line, of `apply_patch` `{\"command\": ...}` \
         with the patch, of other tools their arguments.",
    ),
    (
        "tool_response",
        "What the tool returned. Of `Bash` and `apply_patch` a string, of an MCP tool its result object, of another \
         function its output, as JSON where it is JSON.",
    ),
    ("tool_use_id", "The call's id, the same before and after the call."),
    ("trigger", "What set the compaction off."),
    ("source", "How the session started."),
    ("reason", "Why the session ended."),
    ("prompt", "The text of the prompt."),
    ("stop_hook_active", "Whether a hook already made this turn go on: a hook that always does so never lets it end."),
    ("last_assistant_message", "The model's last message; `null` when there is none."),
    ("kind", "What kind of request it is."),
    ("request_id", "The request's id."),
    ("attempt_number", "The number of this attempt."),
    ("thread_id", "The id of the thread that the request belongs to."),
    ("status", "How the request ended."),
    ("error", "What went wrong; `null` when nothing did."),
    ("token_usage", "The tokens used, by kind; `null` when they are not known."),
    ("response_id", "The response's id; `null` when there is none."),
];

/// What a key holds on an event, where that differs.
fn about(kind: Kind, key: &str) -> Option<&'static str> {
    match (kind, key) {
        (Kind::SubagentStop, "transcript_path") => Some(
            "The **parent's** file, in JSON lines; `null` when it is not kept. The subagent's is `agent_transcript_path`.",
        ),
        (Kind::SubagentStart | Kind::SubagentStop, "agent_id") => Some("The subagent's id."),
        (Kind::SubagentStart | Kind::SubagentStop, "agent_type") => {
            Some("The subagent's type, `default` when none was chosen.")
        }
        (Kind::PermissionRequest, "tool_input") => Some(
            "The call's input. Of `Bash` `{\"command\": ...}`, with `description` where it is said why, and for network \
             access a `description` that starts with `network-access`; of `apply_patch` `{\"command\": ...}` with the \
             patch; of `request_permissions` `{\"reason\": ..., \"permissions\": ...}`; of an MCP tool its arguments.",
        ),
        _ => None,
    }
}

/// What a word of a key means (sections 14 and 15).
fn word(key: &str, word: &str) -> &'static str {
    match (key, word) {
        ("permission_mode", "default") => "Somebody can be asked.",
        ("permission_mode", "bypassPermissions") => "Nobody is ever asked.",
        ("permission_mode", _) => "A word of the vendor's schema that Codex itself does not write.",
        ("source", "startup") => "A new session.",
        ("source", "resume") => "An earlier session goes on.",
        ("source", "clear") => "The conversation was cleared.",
        ("source", "compact") => "The conversation was compacted.",
        ("source", "fork") => "A fork of another session.",
        ("trigger", "manual") => "The user asked for it.",
        ("trigger", "auto") => "Codex did it by itself.",
        _ => "",
    }
}

/// The schema of an event's standard input.
pub(super) fn input(facts: &'static EventFacts) -> Schema {
    let Some(event) = events::find(facts.name) else { return json_schema!({ "type": "object" }) };
    let mut schema = crate::input::schema(event.kind);
    let about = format!("{}\n\nOne JSON object on standard input, without a newline at its end.", words::event(event));
    set(&mut schema, "description", about);
    if event.documented {
        set(&mut schema, "additionalProperties", false);
    }
    if let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for field in event.input {
            let Some(value) = members.remove(field.key) else { continue };
            let mut value = Schema::try_from(value).unwrap_or_default();
            refine(&mut value, event, field.key, field.presence);
            members.insert(field.key.to_owned(), value.to_value());
        }
    }
    schema
}

/// Says of one key what its type cannot.
fn refine(schema: &mut Schema, event: &Event, key: &str, presence: Presence) {
    if presence == Presence::InSubagent {
        // Left out, and never null.
        set(schema, "type", "string");
    }
    match event.facts.subject {
        _ if key == "hook_event_name" => set(schema, "const", event.facts.name),
        _ if key == "permission_mode" => set(schema, "enum", json!(PERMISSION_MODES)),
        SubjectFact::Field { key: subject, values } if key == subject && !values.is_empty() => {
            set(schema, "enum", json!(values));
        }
        // The one value that its matchers are tested against.
        SubjectFact::Word(word) if key == "reason" => set(schema, "const", word),
        _ => {}
    }
    explain(schema, |one| word(key, one));
    let known = KEYS.iter().find(|(name, _)| *name == key).map(|(_, about)| *about);
    set(schema, "description", about(event.kind, key).or(known).unwrap_or_default());
}
