//! Standard input against the payloads recorded from the client: each recorded one is taken apart into an occurrence, and
//! what the adapter writes for that must be the recorded payload again, keys in their order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use adapter_claude::events::{EVENTS, OLDEST};
use adapter_claude::{Adapter, DIALECT, Options};
use hooks_core::boundary::Boundary;
use hooks_core::envelope::{
    AgentIdentity, BatchCall, Common, Compaction, ConfigChanged, CwdChanged, DirectoryAdded, Display, Elicitation,
    ElicitationResult, Envelope, FileChanged, InstructionsLoaded, Model, ModelSwitch, Notification, Payload,
    PermissionDenied, PermissionOrigin, PermissionRequest, Prompt, PromptExpansion, SessionEnd, SessionStart, Setup,
    SkillShellCommand, SubagentStart, SubagentStop, Task, TeammateIdle, ToolBatch, ToolFailed, ToolFailureKind,
    ToolReturned, ToolUse, TurnFailure, TurnStop, WorktreeCreate, WorktreeRemove,
};
use hooks_core::json::RawObject;
use hooks_core::tool::{ResultKind, Shell, ShellResult, ToolAction, ToolCall, ToolResult};
use hooks_core::{Binding, HostSide, RawJson};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claude/payloads")
}

/// A recorded file: the keys with their kinds, and the samples as they were written.
struct Recorded {
    keys: BTreeMap<String, Value>,
    samples: Vec<RawJson>,
}

fn recorded(event: &str) -> Option<Recorded> {
    let text = std::fs::read_to_string(folder().join(format!("{event}.json"))).ok()?;
    let file = RawObject::parse(&text).expect("an object");
    let samples: Vec<&serde_json::value::RawValue> =
        serde_json::from_str(file.get("samples").expect("samples").get()).expect("an array");
    Some(Recorded {
        keys: serde_json::from_str(file.get("keys").expect("keys").get()).expect("keys"),
        samples: samples.into_iter().map(RawJson::from_raw).collect(),
    })
}

/// A recorded payload, by key.
struct Sample<'a>(RawObject<'a>);

impl Sample<'_> {
    fn raw(&self, key: &str) -> Option<RawJson> {
        self.0.get(key).map(RawJson::from_raw)
    }

    fn maybe(&self, key: &str) -> Option<String> {
        self.raw(key).and_then(|raw| raw.as_str())
    }

    fn text(&self, key: &str) -> String {
        self.maybe(key).unwrap_or_else(|| panic!("no {key}"))
    }

    fn number(&self, key: &str) -> Option<u64> {
        self.raw(key).and_then(|raw| raw.read().ok())
    }

    fn tool(&self, adapter: &Adapter) -> ToolUse {
        let mut call = adapter.tool_call(&self.text("tool_name"), &self.raw("tool_input").expect("tool_input"));
        if let (ToolAction::Mcp(mcp), Some(server)) = (&mut call.action, self.raw("mcp_server")) {
            mcp.server_source = server.to_value()["source"].as_str().map(str::to_owned);
        }
        ToolUse { id: self.maybe("tool_use_id"), call }
    }

    fn task(&self) -> Task {
        Task {
            id: self.text("task_id"),
            subject: self.text("task_subject"),
            description: self.maybe("task_description"),
            teammate: self.maybe("teammate_name"),
            team: self.maybe("team_name"),
        }
    }
}

fn common(sample: &Sample<'_>) -> Common {
    let (id, kind) = (sample.maybe("agent_id"), sample.maybe("agent_type"));
    let effort = sample.raw("effort").map(|effort| effort.to_value()["level"].as_str().expect("level").to_owned());
    let extra = [
        "seconds_since_last_response",
        "context_tokens",
        "prompt_cache_likely_expired",
        "estimated_cache_write_usd",
        "background_tasks",
        "session_crons",
    ];
    Common {
        session_id: sample.text("session_id"),
        turn_id: sample.maybe("turn_id"),
        prompt_id: sample.maybe("prompt_id"),
        cwd: sample.text("cwd"),
        model: sample.maybe("model").map(|slug| Model { slug, ..Model::default() }),
        permission_mode: sample.maybe("permission_mode"),
        effort,
        transcript_path: sample.maybe("transcript_path"),
        agent: (id.is_some() || kind.is_some()).then_some(AgentIdentity { id, kind }),
        extra: extra.iter().filter_map(|key| Some(((*key).to_owned(), sample.raw(key)?))).collect(),
        ..Common::default()
    }
}

fn payload(adapter: &Adapter, boundary: Boundary, s: &Sample<'_>) -> Payload {
    let loops = u32::from(s.raw("stop_hook_active").is_some_and(|raw| raw.get() == "true"));
    match boundary {
        Boundary::ToolBefore => Payload::ToolBefore(s.tool(adapter)),
        Boundary::ToolResult => Payload::ToolResult(ToolReturned {
            tool: s.tool(adapter),
            result: ToolResult::finished(ResultKind::Json(s.raw("tool_response").expect("tool_response"))),
            duration_ms: s.number("duration_ms"),
        }),
        Boundary::ToolFailure => Payload::ToolFailure(ToolFailed {
            tool: s.tool(adapter),
            error: s.text("error"),
            kind: ToolFailureKind::Error,
            duration_ms: s.number("duration_ms"),
            cancellation_reason: None,
        }),
        Boundary::ToolBatch => {
            let calls = s.raw("tool_calls").expect("tool_calls");
            let calls: Vec<&serde_json::value::RawValue> = serde_json::from_str(calls.get()).expect("an array");
            let call = |raw: &serde_json::value::RawValue| {
                let call = Sample(RawObject::parse(raw.get()).expect("an object"));
                BatchCall { tool: call.tool(adapter), response: call.raw("tool_response").expect("tool_response") }
            };
            Payload::ToolBatch(ToolBatch { calls: calls.into_iter().map(call).collect() })
        }
        Boundary::PermissionRequest => Payload::PermissionRequest(PermissionRequest {
            tool: s.tool(adapter),
            origin: PermissionOrigin::Tool,
            justification: None,
            suggestions: s.raw("permission_suggestions"),
        }),
        Boundary::PermissionDenied => {
            Payload::PermissionDenied(PermissionDenied { tool: s.tool(adapter), reason: s.text("reason") })
        }
        Boundary::SkillShellCommand => Payload::SkillShellCommand(SkillShellCommand {
            tool: s.tool(adapter),
            command_name: s.text("command_name"),
            command_source: s.maybe("command_source"),
            invoked_by: s.text("invoked_by"),
        }),
        Boundary::PromptSubmit => Payload::PromptSubmit(Prompt {
            text: s.text("prompt"),
            session_title: s.maybe("session_title"),
            ..Prompt::default()
        }),
        Boundary::PromptExpansion => Payload::PromptExpansion(PromptExpansion {
            kind: s.text("expansion_type"),
            command: s.text("command_name"),
            arguments: s.text("command_args"),
            source: s.maybe("command_source"),
            prompt: s.text("prompt"),
        }),
        Boundary::SessionStart => Payload::SessionStart(SessionStart {
            source: s.maybe("source"),
            title: s.maybe("session_title"),
            ..SessionStart::default()
        }),
        Boundary::SessionEnd => Payload::SessionEnd(SessionEnd { reason: s.maybe("reason"), ..SessionEnd::default() }),
        Boundary::Setup => Payload::Setup(Setup { trigger: s.text("trigger") }),
        Boundary::TurnStop => Payload::TurnStop(TurnStop {
            loop_count: loops,
            last_message: s.maybe("last_assistant_message"),
            background_tasks: s.raw("background_tasks"),
            session_crons: s.raw("session_crons"),
            ..TurnStop::default()
        }),
        Boundary::TurnFailure => Payload::TurnFailure(TurnFailure {
            error: s.text("error"),
            details: s.maybe("error_details"),
            last_message: s.maybe("last_assistant_message"),
        }),
        Boundary::SubagentStart => Payload::SubagentStart(SubagentStart {
            id: s.maybe("agent_id"),
            kind: s.maybe("agent_type"),
            ..SubagentStart::default()
        }),
        Boundary::SubagentStop => Payload::SubagentStop(SubagentStop {
            id: s.maybe("agent_id"),
            kind: s.maybe("agent_type"),
            loop_count: loops,
            transcript_path: s.maybe("agent_transcript_path"),
            last_message: s.maybe("last_assistant_message"),
            ..SubagentStop::default()
        }),
        Boundary::CompactBefore | Boundary::CompactAfter => {
            let compaction = Compaction {
                trigger: s.maybe("trigger"),
                instructions: s.maybe("custom_instructions"),
                summary: s.maybe("compact_summary"),
                ..Compaction::default()
            };
            if boundary == Boundary::CompactBefore {
                Payload::CompactBefore(compaction)
            } else {
                Payload::CompactAfter(compaction)
            }
        }
        Boundary::ModelSwitchBefore | Boundary::ModelSwitchAfter => {
            let details = ["context_tokens", "prompt_cache_warm", "cache_ttl", "estimated_cache_write_usd", "pricing"];
            let switch = ModelSwitch {
                from: s.text("from_model"),
                to: s.text("to_model"),
                requested: s.maybe("requested_model"),
                source: s.text("source"),
                details: details.iter().filter_map(|key| Some(((*key).to_owned(), s.raw(key)?))).collect(),
            };
            if boundary == Boundary::ModelSwitchBefore {
                Payload::ModelSwitchBefore(switch)
            } else {
                Payload::ModelSwitchAfter(switch)
            }
        }
        Boundary::Notification => Payload::Notification(Notification {
            message: s.text("message"),
            title: s.maybe("title"),
            kind: s.text("notification_type"),
        }),
        Boundary::InstructionsLoaded => Payload::InstructionsLoaded(InstructionsLoaded {
            path: s.text("file_path"),
            memory_type: s.text("memory_type"),
            load_reason: s.text("load_reason"),
            globs: s.raw("globs").and_then(|raw| raw.read().ok()),
            trigger_path: s.maybe("trigger_file_path"),
            parent_path: s.maybe("parent_file_path"),
        }),
        Boundary::ConfigChanged => {
            Payload::ConfigChanged(ConfigChanged { source: s.text("source"), path: s.maybe("file_path") })
        }
        Boundary::CwdChanged => Payload::CwdChanged(CwdChanged { old: s.text("old_cwd"), new: s.text("new_cwd") }),
        Boundary::FileChanged => {
            Payload::FileChanged(FileChanged { path: s.text("file_path"), change: s.text("event") })
        }
        Boundary::DirectoryAdded => {
            Payload::DirectoryAdded(DirectoryAdded { path: s.text("directory"), source: s.text("source") })
        }
        Boundary::WorktreeCreate => Payload::WorktreeCreate(WorktreeCreate { name: s.text("name") }),
        Boundary::WorktreeRemove => Payload::WorktreeRemove(WorktreeRemove { path: s.text("worktree_path") }),
        Boundary::TeammateIdle => {
            Payload::TeammateIdle(TeammateIdle { teammate: s.text("teammate_name"), team: s.text("team_name") })
        }
        Boundary::TaskCreated => Payload::TaskCreated(s.task()),
        Boundary::TaskCompleted => Payload::TaskCompleted(s.task()),
        Boundary::Elicitation => Payload::Elicitation(Elicitation {
            server: s.text("mcp_server_name"),
            message: s.text("message"),
            mode: s.maybe("mode"),
            url: s.maybe("url"),
            id: s.maybe("elicitation_id"),
            schema: s.raw("requested_schema"),
        }),
        Boundary::ElicitationResult => Payload::ElicitationResult(ElicitationResult {
            server: s.text("mcp_server_name"),
            action: s.text("action"),
            mode: s.maybe("mode"),
            id: s.maybe("elicitation_id"),
            content: s.raw("content"),
        }),
        Boundary::Display => Payload::Display(Display {
            message_id: s.text("message_id"),
            index: s.number("index").expect("index"),
            last: s.raw("final").is_some_and(|raw| raw.get() == "true"),
            text: s.text("delta"),
        }),
        other => panic!("no payload for {other}"),
    }
}

/// The occurrence that a payload stands for.
pub(crate) fn occurrence(event: &str, text: &str) -> Envelope {
    let adapter = Adapter::latest();
    let parsed = Sample(RawObject::parse(text).expect("an object"));
    let boundary = adapter.event(event).and_then(|facts| facts.boundary).expect("a boundary");
    Envelope::new(common(&parsed), payload(&adapter, boundary, &parsed))
}

fn encode(adapter: &Adapter, event: &str, envelope: &Envelope) -> String {
    let binding = Binding::alone(adapter.blank(event).expect("an event"));
    let mut stdin = b"left over".to_vec();
    adapter.encode(&binding, envelope, &mut stdin).expect("encoded");
    String::from_utf8(stdin).expect("UTF-8")
}

fn keys(text: &str) -> Vec<String> {
    RawObject::parse(text).expect("an object").iter().map(|(key, _)| key.to_owned()).collect()
}

#[test]
fn recorded_payloads_come_out_as_they_went_in() {
    let adapter = Adapter::latest();
    let mut seen = 0;
    for event in &EVENTS {
        let facts = event.facts;
        let Some(recorded) = recorded(facts.name) else {
            assert_eq!(facts.name, "TeammateIdle", "the one event that was not provoked");
            continue;
        };
        for sample in &recorded.samples {
            let parsed = Sample(RawObject::parse(sample.get()).expect("an object"));
            let payload = payload(&adapter, facts.boundary.expect("a boundary"), &parsed);
            let written = encode(&adapter, facts.name, &Envelope::new(common(&parsed), payload));
            let actual: Value = serde_json::from_str(&written).expect("json");
            assert_eq!(actual, sample.to_value(), "{}", facts.name);
            // Details of a model switch are a map in core, whose keys are sorted.
            if !facts.name.ends_with("ModelSwitch") {
                assert_eq!(keys(&written), keys(sample.get()), "{}", facts.name);
            }
            seen += 1;
        }
    }
    assert!(seen > 70, "{seen} payloads");
}

/// Every key that the client always writes is there for a host that knows nothing but the payload, and no other.
#[test]
fn what_the_client_always_writes_is_always_there() {
    let adapter = Adapter::latest();
    for event in &EVENTS {
        let facts = event.facts;
        let Some(recorded) = recorded(facts.name) else { continue };
        let parsed = Sample(RawObject::parse(recorded.samples[0].get()).expect("an object"));
        let mut common = common(&parsed);
        common.transcript_path = None;
        common.permission_mode = None;
        common.effort = None;
        let payload = payload(&adapter, facts.boundary.expect("a boundary"), &parsed);
        let written: Value =
            serde_json::from_str(&encode(&adapter, facts.name, &Envelope::new(common, payload))).expect("json");
        let written = written.as_object().expect("an object");
        for (key, about) in &recorded.keys {
            let kind = written.get(key).map(|value| match value {
                Value::Null => "null",
                Value::Bool(_) => "boolean",
                Value::Number(_) => "number",
                Value::String(_) => "string",
                Value::Array(_) => "array",
                Value::Object(_) => "object",
            });
            let types: Vec<&str> = about["types"].as_array().expect("types").iter().filter_map(Value::as_str).collect();
            match kind {
                Some(kind) => assert!(types.contains(&kind), "{}: {key} is {kind}", facts.name),
                // Auto mode always had an effort; a host need not.
                None => assert!(about["always"] == Value::Bool(false) || key == "effort", "{}: no {key}", facts.name),
            }
        }
        for key in written.keys() {
            assert!(recorded.keys.contains_key(key), "{}: {key} was never seen", facts.name);
        }
    }
}

/// A host's own typed call and result come out in the client's shape (recorded `Bash` payload).
#[test]
fn a_typed_shell_call_has_the_client_s_shape() {
    let adapter = Adapter::latest();
    let call = ToolCall::new(ToolAction::Shell(Shell {
        command: "echo LAB".to_owned(),
        description: Some("lab".to_owned()),
        ..Shell::default()
    }));
    let returned = ToolReturned {
        tool: ToolUse { id: Some("t1".to_owned()), call },
        result: ToolResult::finished(ResultKind::Shell(ShellResult {
            output: "LAB".to_owned(),
            ..ShellResult::default()
        })),
        duration_ms: Some(1),
    };
    let envelope = Envelope::new(Common::default(), Payload::ToolResult(returned));
    let written: Value = serde_json::from_str(&encode(&adapter, "PostToolUse", &envelope)).expect("json");
    let recorded = recorded("PostToolUse").expect("recorded");
    let sample = recorded.samples.iter().map(RawJson::to_value).find(|sample| sample["tool_name"] == "Bash");
    let sample = sample.expect("a Bash payload");
    for key in ["tool_name", "tool_input", "tool_response"] {
        assert_eq!(written[key], sample[key], "{key}");
    }
}

/// `mcp_server` is younger than 2.1.197.
#[test]
fn an_older_client_writes_no_server() {
    let adapter = Adapter::new(&DIALECT, OLDEST, Options::default());
    let call = adapter.tool_call("mcp__srv__echo", &RawJson::parse("{}").expect("json"));
    let tool = ToolUse { id: None, call };
    let envelope = Envelope::new(Common::default(), Payload::ToolBefore(tool));
    let written = encode(&adapter, "PreToolUse", &envelope);
    assert!(!written.contains("mcp_server") && written.contains("mcp__srv__echo"), "{written}");
}

/// What a host's typed result comes to has the keys and kinds of the recorded response, but for what no host says.
#[test]
fn typed_results_have_the_client_s_shapes() {
    use hooks_core::tool::{FileContent, McpResult};
    let adapter = Adapter::latest();
    let recorded = recorded("PostToolUse").expect("recorded");
    let text = || ResultKind::Text("done".to_owned());
    let files = || ResultKind::Files(vec!["a.txt".to_owned()]);
    let file =
        ResultKind::File(FileContent { path: "/a.txt".into(), content: "one\n".into(), ..FileContent::default() });
    let mcp = RawJson::parse(r#"{"content":[{"type":"text","text":"x"}]}"#).expect("json");
    let shell = ResultKind::Shell(ShellResult::default());
    // What is missing or of another kind, with its reason: the text before an edit and the number of matches beyond those
    // that are listed are not in the host's terms.
    for (tool, kind, differs) in [
        ("Bash", shell, &[][..]),
        ("Bash", text(), &[]),
        ("Read", file, &[]),
        ("Write", text(), &[]),
        ("Edit", text(), &["originalFile"]),
        ("Glob", files(), &["countIsComplete", "totalMatches"]),
        ("Grep", files(), &[]),
        ("mcp__srv__ask_user", ResultKind::Mcp(McpResult { result: mcp, is_error: false }), &[]),
        ("mcp__srv__ask_user", text(), &[]),
    ] {
        let samples = recorded.samples.iter().map(RawJson::to_value);
        let sample = samples.into_iter().find(|sample| sample["tool_name"] == tool).expect("a sample");
        let call = adapter.tool_call(tool, &RawJson::from(&sample["tool_input"]));
        let tool_use = ToolUse { id: Some("t".into()), call };
        let returned = ToolReturned { tool: tool_use, result: ToolResult::finished(kind), duration_ms: Some(1) };
        let envelope = Envelope::new(Common::default(), Payload::ToolResult(returned));
        let written: Value = serde_json::from_str(&encode(&adapter, "PostToolUse", &envelope)).expect("json");
        let (ours, theirs) = (&written["tool_response"], &sample["tool_response"]);
        let kinds = |value: &Value| -> BTreeMap<String, std::mem::Discriminant<Value>> {
            let members = value.as_object().or_else(|| value[0].as_object()).expect("members");
            members.iter().map(|(key, value)| (key.clone(), std::mem::discriminant(value))).collect()
        };
        assert_eq!(ours.is_array(), theirs.is_array(), "{tool}");
        let (ours, theirs) = (kinds(ours), kinds(theirs));
        let mut differing: Vec<&str> =
            theirs.keys().filter(|key| ours.get(*key) != theirs.get(*key)).map(String::as_str).collect();
        differing.extend(ours.keys().filter(|key| !theirs.contains_key(*key)).map(String::as_str));
        assert_eq!(differing, differs, "{tool}");
    }
}

/// Responses of tools that were not recorded have the main keys of the vendor's types.
#[test]
fn other_typed_results_have_their_main_keys() {
    let adapter = Adapter::latest();
    for (tool, input, keys) in [
        ("WebFetch", r#"{"url":"http://x/","prompt":"p"}"#, &["bytes", "durationMs", "result", "url"][..]),
        ("WebSearch", r#"{"query":"q"}"#, &["query", "results"]),
        ("Agent", r#"{"description":"d","prompt":"p"}"#, &["content", "prompt", "status", "totalDurationMs"]),
        ("Grep", r#"{"pattern":"p"}"#, &["content", "filenames", "mode", "numFiles"]),
        ("Read", r#"{"file_path":"/x"}"#, &["file", "type"]),
    ] {
        let call = adapter.tool_call(tool, &RawJson::parse(input).expect("json"));
        let result = ToolResult::finished(ResultKind::Text("said".to_owned()));
        let returned = ToolReturned { tool: ToolUse { id: None, call }, result, duration_ms: Some(7) };
        let envelope = Envelope::new(Common::default(), Payload::ToolResult(returned));
        let written: Value = serde_json::from_str(&encode(&adapter, "PostToolUse", &envelope)).expect("json");
        let found: Vec<&str> =
            written["tool_response"].as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(found, keys, "{tool}");
    }
}
