//! What an editor offers to write: whole groups and handlers, with places to fill in.

use hooks_core::facts::SubjectFact;
use hooks_core::handler::HandlerKind;
use serde_json::{Value, json};

use crate::config::reader::known_values;
use crate::events::{Event, Refusal};

/// A snippet in the form of VS Code's JSON editor: `$1` and `${1:text}` are places, `\$` is a dollar sign.
fn snippet(label: &str, description: &str, body: Value) -> Value {
    json!({ "label": label, "description": description, "body": body })
}

fn body(kind: HandlerKind) -> Value {
    match kind {
        HandlerKind::Command => json!({ "type": "command", "command": "${1:./check.sh}" }),
        HandlerKind::Http => json!({ "type": "http", "url": "${1:http://localhost:8080/hooks}" }),
        HandlerKind::McpTool => json!({ "type": "mcp_tool", "server": "${1:server}", "tool": "${2:tool}" }),
        kind => json!({ "type": kind.as_str(), "prompt": "${1:Is this fine?} \\$ARGUMENTS" }),
    }
}

/// The handlers that an event runs and heeds.
pub(super) fn handlers(event: &Event) -> Value {
    let one = |kind: &HandlerKind| {
        let word = kind.as_str();
        snippet(word, &format!("A handler of type {word}"), body(*kind))
    };
    event.handlers.iter().filter(|kind| heeds(event, **kind)).map(one).collect()
}

/// Whether what a handler of a type answers can come to anything on an event.
pub(super) fn heeds(event: &Event, kind: HandlerKind) -> bool {
    event.refusal != Refusal::Nothing || !matches!(kind, HandlerKind::Prompt | HandlerKind::Agent)
}

/// A group with a script of the project.
fn group_body(event: &Event) -> Value {
    let script = "\"\\${CLAUDE_PROJECT_DIR}\"/.claude/hooks/${2:check.sh}";
    let handlers = json!([{ "type": "command", "command": script }]);
    match event.facts.subject {
        SubjectFact::Ignored => json!({ "hooks": handlers }),
        _ => {
            let first =
                if event.facts.subject == SubjectFact::ToolName { Some("Bash") } else { known_values(event).next() };
            json!({ "matcher": format!("${{1:{}}}", first.unwrap_or("*")), "hooks": handlers })
        }
    }
}

/// A group.
pub(super) fn group(event: &Event) -> Value {
    json!([snippet("group", "A group that runs a script of the project", group_body(event))])
}

/// The groups of an event.
pub(super) fn groups(event: &Event) -> Value {
    json!([snippet("groups", "One group that runs a script of the project", json!([group_body(event)]))])
}
