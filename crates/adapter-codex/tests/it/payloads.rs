//! What is written on standard input against payloads that client 0.171.0 was seen to write: the same keys in the same
//! order with the same kinds of values, and from the same facts the same values.

use std::fs;

use adapter_codex::events::{EVENTS, Presence};
use adapter_codex::{Adapter, DIALECT, Options};
use hooks_core::envelope::{
    AgentIdentity, Compaction, Model, ModelRequest, PermissionOrigin, PermissionRequest, Prompt, SessionEnd,
    SessionStart, SubagentStart, SubagentStop, ToolReturned, ToolUse, TurnInterrupt, TurnStop,
};
use hooks_core::json::RawObject;
use hooks_core::tool::{McpResult, ResultKind, ShellResult};
use hooks_core::{Binding, Common, Envelope, HostSide, Payload, RawJson, ToolAction, ToolResult, Version};
use serde_json::Value;

/// The occurrence that a recorded payload is about.
pub(crate) fn envelope(event: &str, sample: &Value) -> Envelope {
    let text = |key: &str| sample[key].as_str().map(str::to_owned);
    let string = |key: &str| text(key).unwrap_or_default();
    let raw = |key: &str| RawJson::from(&sample[key]);
    let common = Common {
        session_id: string("session_id"),
        turn_id: text("turn_id"),
        cwd: string("cwd"),
        model: text("model").map(|slug| Model { slug, ..Model::default() }),
        permission_mode: text("permission_mode"),
        transcript_path: text("transcript_path"),
        agent: text("agent_id")
            .filter(|_| !event.starts_with("Subagent"))
            .map(|id| AgentIdentity { id: Some(id), kind: text("agent_type") }),
        ..Common::default()
    };
    let tool = || ToolUse {
        id: text("tool_use_id"),
        call: Adapter::latest().tool_call(&string("tool_name"), &raw("tool_input")),
    };
    let request = || ModelRequest {
        kind: string("kind"),
        request_id: string("request_id"),
        attempt: sample["attempt_number"].as_u64().unwrap(),
        thread_id: text("thread_id"),
        status: text("status"),
        error: text("error").map(|error| RawJson::string(&error)),
        token_usage: sample["token_usage"].as_object().map(|_| raw("token_usage")),
        response_id: text("response_id"),
    };
    let compaction = || Compaction { trigger: text("trigger"), ..Compaction::default() };
    let payload = match event {
        "PreToolUse" => Payload::ToolBefore(tool()),
        "PermissionRequest" => Payload::PermissionRequest(PermissionRequest {
            tool: tool(),
            origin: PermissionOrigin::Tool,
            justification: sample["tool_input"]["description"].as_str().map(str::to_owned),
            suggestions: None,
        }),
        "PostToolUse" => {
            let tool = tool();
            let response = &sample["tool_response"];
            let kind = match (&tool.call.action, response.as_str()) {
                (ToolAction::Shell(_), Some(text)) => {
                    ResultKind::Shell(ShellResult { output: text.to_owned(), ..ShellResult::default() })
                }
                (ToolAction::Mcp(_), _) => {
                    ResultKind::Mcp(McpResult { result: RawJson::from(response), is_error: false })
                }
                // The agent tools' answers are strings that hold JSON.
                (ToolAction::Other(_), Some(text)) => ResultKind::Json(RawJson::string(text)),
                (_, Some(text)) => ResultKind::Text(text.to_owned()),
                _ => ResultKind::Json(RawJson::from(response)),
            };
            Payload::ToolResult(ToolReturned { tool, result: ToolResult::finished(kind), duration_ms: None })
        }
        "PreCompact" => Payload::CompactBefore(compaction()),
        "PostCompact" => Payload::CompactAfter(compaction()),
        "SessionStart" => Payload::SessionStart(SessionStart { source: text("source"), ..SessionStart::default() }),
        "SessionEnd" => Payload::SessionEnd(SessionEnd { reason: Some("exit".to_owned()), ..SessionEnd::default() }),
        "UserPromptSubmit" => Payload::PromptSubmit(Prompt { text: string("prompt"), ..Prompt::default() }),
        "SubagentStart" => Payload::SubagentStart(SubagentStart {
            id: text("agent_id"),
            kind: text("agent_type"),
            ..SubagentStart::default()
        }),
        "SubagentStop" => Payload::SubagentStop(SubagentStop {
            id: text("agent_id"),
            kind: text("agent_type"),
            transcript_path: text("agent_transcript_path"),
            last_message: text("last_assistant_message"),
            ..SubagentStop::default()
        }),
        "Stop" => Payload::TurnStop(TurnStop { last_message: text("last_assistant_message"), ..TurnStop::default() }),
        "Interrupt" => Payload::TurnInterrupt(TurnInterrupt),
        "PreModelRequest" => Payload::ModelRequestBefore(request()),
        "PostModelRequest" => Payload::ModelRequestAfter(request()),
        _ => panic!("no event {event}"),
    };
    Envelope::new(common, payload)
}

fn written(adapter: &Adapter, event: &str, envelope: &Envelope) -> String {
    let binding = Binding::alone(adapter.blank(event).unwrap());
    let mut stdin = b"left over".to_vec();
    adapter.encode(&binding, envelope, &mut stdin).unwrap();
    String::from_utf8(stdin).unwrap()
}

fn keys(text: &str) -> Vec<String> {
    RawObject::parse(text).unwrap().iter().map(|(key, _)| key.to_owned()).collect()
}

fn recorded(event: &str) -> (String, Value) {
    let path = crate::fixtures("codex/payloads").join(format!("{event}.json"));
    let text = fs::read_to_string(path).unwrap();
    let value = serde_json::from_str(&text).unwrap();
    (text, value)
}

/// The samples of a recording as raw text, so that the order of keys is that of the client.
fn samples(text: &str) -> Vec<String> {
    let root = RawObject::parse(text).unwrap();
    let samples: Vec<&serde_json::value::RawValue> = serde_json::from_str(root.get("samples").unwrap().get()).unwrap();
    samples
        .iter()
        .map(|sample| RawObject::parse(sample.get()).unwrap().get("stdin").unwrap().get().to_owned())
        .collect()
}

#[test]
fn payloads_are_those_of_the_client() {
    let adapter = Adapter::latest();
    let mut seen = 0;
    for event in adapter.events() {
        let (text, _) = recorded(event.name);
        for sample in samples(&text) {
            let value: Value = serde_json::from_str(&sample).unwrap();
            let written = written(&adapter, event.name, &envelope(event.name, &value));
            assert_eq!(keys(&written), keys(&sample), "{}", event.name);
            assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value, "{}", event.name);
            assert!(!written.ends_with('\n'));
            seen += 1;
        }
    }
    assert!(seen >= 40, "{seen}");
}

#[test]
fn the_table_lists_the_keys_that_are_written() {
    let adapter = Adapter::latest();
    for event in &EVENTS {
        let name = event.facts.name;
        let (text, recording) = recorded(name);
        let always: Vec<&str> =
            event.input.iter().filter(|field| field.presence != Presence::InSubagent).map(|field| field.key).collect();
        let order: Vec<&str> = recording["order"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
        assert_eq!(always, order, "{name}");
        let everything: Vec<&str> = event.input.iter().map(|field| field.key).collect();
        let sample: Value = serde_json::from_str(&samples(&text)[0]).unwrap();
        let mut in_subagent = envelope(name, &sample);
        in_subagent.common.agent = Some(AgentIdentity { id: Some("child".into()), kind: None });
        assert_eq!(keys(&written(&adapter, name, &in_subagent)), everything, "{name}");
        for field in event.input.iter().filter(|field| field.presence == Presence::Nullable) {
            let mut bare = envelope(name, &sample);
            bare.common = Common::default();
            let bare: Value = serde_json::from_str(&written(&adapter, name, &bare)).unwrap();
            assert!(bare.get(field.key).is_some(), "{name}: {} is left out", field.key);
        }
    }
}

#[test]
fn what_is_not_known_is_null_or_empty_and_never_invented() {
    let envelope =
        Envelope::new(Common::default(), Payload::TurnStop(TurnStop { loop_count: 1, ..TurnStop::default() }));
    let written = written(&Adapter::latest(), "Stop", &envelope);
    assert_eq!(
        written,
        r#"{"session_id":"","turn_id":"","transcript_path":null,"cwd":"","hook_event_name":"Stop","model":"","permission_mode":"default","stop_hook_active":true,"last_assistant_message":null}"#
    );
}

#[test]
fn a_fork_was_a_startup_once() {
    let fork = SessionStart { source: Some("fork".to_owned()), ..SessionStart::default() };
    let envelope = Envelope::new(Common::default(), Payload::SessionStart(fork));
    let old = Adapter::new(&DIALECT, Version::new(0, 142, 0), Options::default());
    assert!(written(&old, "SessionStart", &envelope).ends_with(r#""source":"startup"}"#));
    assert!(written(&Adapter::latest(), "SessionStart", &envelope).ends_with(r#""source":"fork"}"#));
}

#[test]
fn an_occurrence_of_another_boundary_is_not_run() {
    let adapter = Adapter::latest();
    let envelope = Envelope::new(Common::default(), Payload::TurnInterrupt(TurnInterrupt));
    let binding = Binding::alone(adapter.blank("PreToolUse").unwrap());
    assert!(adapter.encode(&binding, &envelope, &mut Vec::new()).is_err());
}
