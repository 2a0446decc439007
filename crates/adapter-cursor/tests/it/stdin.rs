//! What hooks get: standard input of every event against Cursor's field lists, and directory and environment.

use adapter_cursor::{phase1, seed, vendor};
use hooks_conformance::sample;
use hooks_core::definition::FailurePolicy;
use hooks_core::envelope::{
    Attachment, Common, Model, Payload, Prompt, SessionStart, ToolFailed, ToolFailureKind, ToolUse, TurnStop,
};
use hooks_core::handler::Handler;
use hooks_core::outcome::{Completion, Program};
use hooks_core::source::{Origin, Plugin, Role};
use hooks_core::tool::{
    Delete, Edit, FileContent, Glob, Grep, List, Mcp, McpResource, McpResult, OtherTool, Patch, Progress, Read,
    ResultKind, Shell, ShellResult, SubagentTask, TextEdit, ToolAction, ToolResult, WebFetch, WebSearch, Write,
};
use hooks_core::{Binding, Envelope, HostSide, RawJson, ToolCall};
use serde_json::{Value, json};

use crate::support::{after, before, binding, envelope, parse, recorded, source, stdin};

/// Keys that the host adds to Cursor's, and Cursor's own that were seen and are in no list.
const ADDED: [&str; 5] = ["host_version", "session_id", "exit_code", "mcp_server_id", "cancellation_reason"];

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Every event's payload has Cursor's keys with Cursor's types, and no others.
#[test]
fn payloads_have_cursors_keys_and_types() {
    for (adapter, all) in [(vendor(), true), (seed(), true), (phase1(), false)] {
        for event in recorded() {
            let name = event["name"].as_str().expect("a name");
            let Some(boundary) = adapter.event(name).expect("an event").boundary else { continue };
            let occurrence = envelope(&vendor(), name);
            assert_eq!(occurrence.boundary(), boundary);
            let written = stdin(&adapter, name, &occurrence);
            let written = written.as_object().expect("an object");
            assert_eq!(written["hook_event_name"], name);
            let fields = event["input"].as_array().expect("fields");
            for field in fields {
                let key = field["name"].as_str().expect("a name");
                let Some(value) = written.get(key) else {
                    // What the made-up occurrence does not know, and what an unfired event does not say, is absent.
                    let unknown = [
                        "model_id",
                        "sandbox",
                        "git_branch",
                        "agent_message",
                        "error_message",
                        "url",
                        "mcp_server_url",
                        "command",
                    ];
                    let silent = !all && !adapter.options().fires(adapter.row(name).unwrap());
                    assert!(unknown.contains(&key) || silent || field["required"] == false, "{name}: {key} is missing");
                    continue;
                };
                let wanted = match field["type"].as_str().expect("a type") {
                    "enum" => "string",
                    other => other,
                };
                let null = field["nullable"] == true && value.is_null();
                assert!(null || kind(value) == wanted, "{name}: {key} is {value}, not {wanted}");
            }
            for key in written.keys() {
                let known = fields.iter().any(|field| field["name"] == key.as_str()) || ADDED.contains(&key.as_str());
                assert!(known, "{name}: {key} is no key of Cursor's");
            }
        }
    }
}

/// Cases C247 to C252.
#[test]
fn what_is_unknown_is_absent_or_null_and_never_invented() {
    let common = Common { session_id: "c1".into(), cwd: "/w".into(), ..Common::default() };
    let unknown = Envelope::new(common, Payload::TurnStop(TurnStop::default()));
    assert_eq!(
        stdin(&seed(), "stop", &unknown),
        json!({"conversation_id": "c1", "generation_id": "c1", "model_params": [], "hook_event_name": "stop",
               "cursor_version": "3.20.0", "workspace_roots": ["/w"], "user_email": null, "transcript_path": null,
               "loop_count": 0})
    );
    let mut known = unknown;
    known.common.turn_id = Some("t1".into());
    known.common.model =
        Some(Model { slug: "m".into(), id: Some("m-1".into()), params: vec![("thinking".into(), "true".into())] });
    let written = stdin(&seed(), "stop", &known);
    assert_eq!(written["generation_id"], "t1");
    assert_eq!(written["model_id"], "m-1");
    assert_eq!(written["model_params"], json!([{"id": "thinking", "value": "true"}]));
    // A session's start belongs to no turn, and its mode is the agent's unless the host says another.
    known.payload = Payload::SessionStart(SessionStart::default());
    let written = stdin(&seed(), "sessionStart", &known);
    assert_eq!((&written["generation_id"], &written["session_id"]), (&json!("c1"), &json!("c1")));
    assert_eq!(written["composer_mode"], "agent");
    assert!(written.get("is_background_agent").is_none());
}

#[test]
fn an_unfired_event_and_a_foreign_payload_add_nothing() {
    let common = stdin(&phase1(), "afterFileEdit", &envelope(&vendor(), "afterFileEdit"));
    let foreign = stdin(&phase1(), "stop", &envelope(&vendor(), "preToolUse"));
    for written in [&common, &foreign] {
        let keys: Vec<_> = written.as_object().expect("an object").keys().map(String::as_str).collect();
        assert!(keys.iter().all(|key| !["file_path", "edits", "tool_name", "loop_count"].contains(key)), "{keys:?}");
    }
    let workspace = stdin(&vendor(), "workspaceOpen", &envelope(&vendor(), "stop"));
    let keys: Vec<_> = workspace.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["cursor_version", "hook_event_name", "user_email", "workspace_roots"]);
}

fn tool_input(action: ToolAction) -> Value {
    stdin(&seed(), "preToolUse", &before(ToolCall::new(action)))["tool_input"].clone()
}

#[test]
fn every_tool_has_its_input() {
    let text = |text: &str| Some(text.to_owned());
    let raw = |value: Value| RawJson::from(&value);
    let edits = vec![
        TextEdit { old: "a".into(), new: "b".into(), replace_all: false },
        TextEdit { old: "c".into(), new: "d".into(), replace_all: true },
    ];
    let shell = Shell { command: "ls".into(), is_risky: Some(false), rationale: text("look"), ..Shell::default() };
    for (action, expected) in [
        (
            ToolAction::Shell(shell),
            json!({"command": "ls", "cwd": "/home/dev/project", "is_risky": false, "rationale": "look"}),
        ),
        (
            ToolAction::Read(Read { path: "/f".into(), offset: Some(3), limit: None, content: text("secret") }),
            json!({"file_path": "/f", "offset": 3}),
        ),
        (
            ToolAction::Write(Write { path: "/f".into(), content: "x".into() }),
            json!({"file_path": "/f", "content": "x"}),
        ),
        (
            ToolAction::Edit(Edit { path: "/f".into(), edits }),
            json!({"file_path": "/f", "edits": [
            {"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d", "replace_all": true}]}),
        ),
        (ToolAction::Patch(Patch { text: "p".into() }), json!({"patch": "p"})),
        (ToolAction::Delete(Delete { path: "/f".into() }), json!({"file_path": "/f"})),
        (ToolAction::Glob(Glob { pattern: "*.rs".into(), path: None }), json!({"pattern": "*.rs"})),
        (
            ToolAction::Grep(Grep {
                pattern: "x".into(),
                path: text("/d"),
                glob: text("*.rs"),
                ignore_case: Some(true),
            }),
            json!({"pattern": "x", "path": "/d", "glob": "*.rs", "ignore_case": true}),
        ),
        (ToolAction::List(List { path: "/d".into() }), json!({"path": "/d"})),
        (ToolAction::WebFetch(WebFetch { url: "u".into(), prompt: None }), json!({"url": "u"})),
        (ToolAction::WebSearch(WebSearch { query: "q".into() }), json!({"query": "q"})),
        (
            ToolAction::Subagent(SubagentTask {
                kind: text("explore"),
                description: "d".into(),
                prompt: "p".into(),
                model: None,
            }),
            json!({"subagent_type": "explore", "description": "d", "prompt": "p"}),
        ),
        (ToolAction::Mcp(Mcp::new("s", "t", raw(json!({"a": 1})))), json!({"a": 1})),
        (
            ToolAction::McpResource(McpResource { server: None, name: "r".into(), uri: text("x://r") }),
            json!({"name": "r", "uri": "x://r"}),
        ),
        (ToolAction::Other(OtherTool { name: "o".into(), arguments: raw(json!([1])) }), json!([1])),
    ] {
        assert_eq!(tool_input(action.clone()), expected, "{}", action.kind());
    }
    let page = stdin(&vendor(), "preToolUse", &before(ToolCall::shell("ls")))["tool_input"].clone();
    assert_eq!(page["working_directory"], "/home/dev/project");
}

#[test]
fn raw_input_keeps_digits_and_order() {
    let arguments = RawJson::parse(r#"{"z":1.0,"a":12345678901234567890123}"#).expect("JSON");
    let occurrence = before(ToolCall::new(ToolAction::Mcp(Mcp::new("s", "t", arguments))));
    let mut bytes = Vec::new();
    for (event, expected) in [
        ("preToolUse", r#""tool_input":{"z":1.0,"a":12345678901234567890123}"#),
        ("beforeMCPExecution", r#""tool_input":"{\"z\":1.0,\"a\":12345678901234567890123}""#),
    ] {
        vendor()
            .encode(&binding(&vendor(), event, "x", FailurePolicy::Open), &occurrence, &mut bytes)
            .expect("written");
        let text = std::str::from_utf8(&bytes).expect("UTF-8");
        assert!(text.contains(expected) && !text.ends_with('\n'), "{text}");
    }
}

#[test]
fn results_are_text_of_a_tagged_object() {
    let output = |kind| {
        let action = ToolAction::Shell(Shell::default());
        let result = ToolResult { kind, progress: Progress::Finished, raw: None };
        let text =
            stdin(&seed(), "postToolUse", &after(action, result))["tool_output"].as_str().expect("text").to_owned();
        serde_json::from_str::<Value>(&text).expect("JSON text")
    };
    let shell = ShellResult { output: "hi".into(), stderr: Some("e".into()), exit_code: Some(1), interrupted: false };
    let file = FileContent { path: "/f".into(), content: "x".into(), start_line: Some(1), total_lines: None };
    let raw = RawJson::parse(r#"{"a":1}"#).expect("JSON");
    for (kind, expected) in [
        (ResultKind::Shell(shell), json!({"kind": "shell", "exitCode": 1, "stdout": "hi", "stderr": "e"})),
        (ResultKind::Text("t".into()), json!({"kind": "text", "text": "t"})),
        (ResultKind::File(file), json!({"kind": "file", "file_path": "/f", "content": "x", "start_line": 1})),
        (ResultKind::Files(vec!["/f".into()]), json!({"kind": "files", "files": ["/f"]})),
        (
            ResultKind::Mcp(McpResult { result: raw.clone(), is_error: true }),
            json!({"kind": "mcp", "result": {"a": 1}, "is_error": true}),
        ),
        (ResultKind::Binary { bytes: 9 }, json!({"kind": "binary", "bytes": 9})),
        (ResultKind::Json(raw), json!({"kind": "json", "value": {"a": 1}})),
        (ResultKind::Empty, json!({"kind": "empty"})),
    ] {
        assert_eq!(output(kind), expected);
    }
}

/// Cases C254 to C259, C288 and C289.
#[test]
fn shell_and_server_events_say_what_is_known() {
    let result = |exit_code| {
        let kind = ResultKind::Shell(ShellResult { output: "out".into(), exit_code, ..ShellResult::default() });
        let action = ToolAction::Shell(Shell { command: "make".into(), ..Shell::default() });
        stdin(&seed(), "afterShellExecution", &after(action, ToolResult::finished(kind)))
    };
    let written = result(Some(3));
    assert_eq!(
        (&written["command"], &written["output"], &written["duration"]),
        (&json!("make"), &json!("out"), &json!(7))
    );
    assert_eq!(written["exit_code"], 3);
    assert!(written.get("sandbox").is_none() && result(None).get("exit_code").is_none());

    let mut mcp = Mcp::new("server", "tool", RawJson::parse("{}").expect("JSON"));
    mcp.server_id = Some("id".into());
    let call = |mcp: &Mcp| stdin(&seed(), "beforeMCPExecution", &before(ToolCall::new(ToolAction::Mcp(mcp.clone()))));
    let bare = call(&mcp);
    assert_eq!((&bare["mcp_server_name"], &bare["mcp_server_id"]), (&json!("server"), &json!("id")));
    assert!(["url", "command", "mcp_server_url"].iter().all(|key| bare.get(key).is_none()));
    mcp.server_command = Some("npx server".into());
    assert_eq!(call(&mcp)["command"], "npx server");
    mcp.server_url = Some("https://s".into());
    let http = call(&mcp);
    assert_eq!((&http["url"], &http["mcp_server_url"]), (&json!("https://s"), &json!("https://s")));
    assert!(http.get("command").is_none());

    let failed = ResultKind::Mcp(McpResult { result: RawJson::string("no such row"), is_error: true });
    let written = stdin(&seed(), "afterMCPExecution", &after(ToolAction::Mcp(mcp), ToolResult::finished(failed)));
    assert_eq!(written["result_json"], r#"{"error":"no such row"}"#);
}

/// Cases C261 and C262.
#[test]
fn failures_say_how() {
    let failed = |kind, reason: Option<&str>| {
        let tool = ToolUse { id: None, call: ToolCall::shell("x") };
        let cancellation_reason = reason.map(ToOwned::to_owned);
        let failed = ToolFailed { tool, error: "e".into(), kind, duration_ms: None, cancellation_reason };
        let written =
            stdin(&seed(), "postToolUseFailure", &Envelope::new(sample::common(), Payload::ToolFailure(failed)));
        (
            written["failure_type"].as_str().unwrap().to_owned(),
            written["is_interrupt"] == true,
            written.get("cancellation_reason").is_some(),
        )
    };
    assert_eq!(failed(ToolFailureKind::Cancelled, Some("user")), ("error".into(), true, true));
    assert_eq!(failed(ToolFailureKind::Denied, None), ("permission_denied".into(), false, false));
    assert_eq!(failed(ToolFailureKind::Timeout, None), ("timeout".into(), false, false));
}

/// Case C264.
#[test]
fn attachments_are_files_unless_they_say_otherwise() {
    let attachments = vec![
        Attachment { kind: None, path: "a.rs".into() },
        Attachment { kind: Some("rule".into()), path: "r.mdc".into() },
    ];
    let prompt = Prompt { text: "go".into(), attachments, ..Prompt::default() };
    let written = stdin(&seed(), "beforeSubmitPrompt", &Envelope::new(sample::common(), Payload::PromptSubmit(prompt)));
    assert_eq!(written["prompt"], "go");
    assert_eq!(
        written["attachments"],
        json!([{"type": "file", "file_path": "a.rs"}, {"type": "rule", "file_path": "r.mdc"}])
    );
}

fn with_source(event: &str, origin: Origin, path: &str, plugin: Option<Plugin>) -> Binding {
    let mut definition = vendor().blank(event).expect("a definition");
    let mut source = (*source(origin, path, "")).clone();
    source.plugin = plugin;
    definition.source = source.into();
    Binding::alone(definition)
}

/// Cases C273, C274, C278 and C279.
#[test]
fn directory_and_environment_follow_the_document() {
    let mut occurrence = envelope(&vendor(), "stop");
    let mut invoke = |binding: &Binding, remote| {
        occurrence.common.remote = remote;
        vendor().encode(binding, &occurrence, &mut Vec::new()).expect("an invocation")
    };
    let plugin = || Some(Plugin { name: "p".into(), root: "/plugins/p".into(), ..Plugin::default() });
    let claude = "/home/dev/.claude/settings.json";
    for (binding, cwd) in [
        (with_source("stop", Origin::Project, "/home/dev/project/.cursor/hooks.json", None), "/home/dev/project"),
        (with_source("stop", Origin::User, "/home/dev/.cursor/hooks.json", None), "/home/dev/.cursor"),
        (with_source("stop", Origin::Managed, "/etc/cursor/hooks.json", None), "/etc/cursor"),
        (with_source("stop", Origin::Managed, r"C:\ProgramData\Cursor\hooks.json", None), r"C:\ProgramData\Cursor"),
        (with_source("stop", Origin::User, claude, None), "/home/dev/project"),
        (with_source("stop", Origin::Plugin, "/plugins/p/hooks/hooks.json", plugin()), "/home/dev/project"),
        (with_source("sessionStart", Origin::Plugin, "/plugins/p/hooks/hooks.json", plugin()), "/plugins/p"),
    ] {
        assert_eq!(invoke(&binding, false).cwd, cwd, "{}", binding.source.path);
    }

    let invocation = invoke(&with_source("stop", Origin::Plugin, "/plugins/p/hooks/hooks.json", plugin()), true);
    let env: Vec<(&str, &str)> = invocation.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        env,
        [
            ("CURSOR_PROJECT_DIR", "/home/dev/project"),
            ("CURSOR_VERSION", "1.0.0"),
            ("CLAUDE_PROJECT_DIR", "/home/dev/project"),
            ("CURSOR_USER_EMAIL", "dev@example.com"),
            ("CURSOR_TRANSCRIPT_PATH", occurrence.common.transcript_path.as_deref().expect("a path")),
            ("CURSOR_CODE_REMOTE", "true"),
            ("CURSOR_PLUGIN_ROOT", "/plugins/p"),
            ("CLAUDE_PLUGIN_ROOT", "/plugins/p"),
        ]
    );
    assert_eq!(invocation.rules.completion, Completion::EndOfFile);

    occurrence.common = Common { cwd: "/w".into(), ..Common::default() };
    let binding = with_source("stop", Origin::Project, "/w/.cursor/hooks.json", None);
    let invocation = vendor().encode(&binding, &occurrence, &mut Vec::new()).expect("an invocation");
    assert_eq!(invocation.env.len(), 3);
    assert_eq!(invocation.env_remove.len(), 5);
}

/// Case C284, and the other half of it.
#[test]
fn a_prompt_gets_the_input_where_it_names_it_or_at_its_end() {
    let run = |prompt: &str| {
        let text = json!({"version": 1, "hooks": {"stop": [{"type": "prompt", "prompt": prompt}]}}).to_string();
        let binding = Binding::alone(parse(&vendor(), &text).definitions.remove(0));
        let mut stdin = Vec::new();
        let invocation = vendor().encode(&binding, &envelope(&vendor(), "stop"), &mut stdin).expect("an invocation");
        let Program::Hosted(handler) = invocation.program else { panic!("hosted") };
        let Handler::Prompt(prompt) = *handler else { panic!("a prompt") };
        (prompt.prompt, String::from_utf8(stdin).expect("UTF-8"))
    };
    let (prompt, input) = run("Done? $ARGUMENTS!");
    assert_eq!(prompt, format!("Done? {input}!"));
    let (prompt, input) = run("Done?");
    assert_eq!(prompt, format!("Done?\n\n{input}"));
}

#[test]
fn what_cannot_be_run_is_not_run() {
    let occurrence = envelope(&vendor(), "stop");
    let nul = binding(&vendor(), "stop", "a\0b", FailurePolicy::Open);
    assert!(vendor().encode(&nul, &occurrence, &mut Vec::new()).is_err());
    let mut unknown = vendor().blank("stop").expect("a definition");
    unknown.place.event = "nothing".into();
    assert!(vendor().encode(&Binding::alone(unknown), &occurrence, &mut Vec::new()).is_err());
    assert_eq!(Role::Hooks, source(Origin::Project, "x", "").role);
}
