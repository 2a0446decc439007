//! Tool names, input shapes and rewritten inputs (vendor page, sections 8.3 and 11.5).

use adapter_codex::Adapter;
use hooks_core::matcher::SubjectValue;
use hooks_core::tool::{Edit, Mcp, OtherTool, Progress, ResultKind, ShellResult, TextEdit, WebSearch, Write};
use hooks_core::{
    Common, Envelope, HostSide, Payload, RawJson, Subject, ToolAction, ToolCall, ToolResult,
    envelope::{ToolReturned, ToolUse},
    tool::McpResult,
};

fn names(action: ToolAction) -> Vec<String> {
    Adapter::latest().tool_names(&ToolCall::new(action))
}

fn raw(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

#[test]
fn names_and_aliases() {
    assert_eq!(Adapter::latest().tool_names(&ToolCall::shell("ls")), ["Bash"]);
    let write = || ToolAction::Write(Write { path: "a".into(), content: "b\n".into() });
    assert_eq!(names(write()), ["apply_patch", "Write", "Edit"]);
    assert_eq!(names(ToolAction::Subagent(Default::default())), ["spawn_agent", "Agent"]);
    let mcp = |server: &str| ToolAction::Mcp(Mcp::new(server, "echo", raw("{}")));
    assert_eq!(names(mcp("lab-srv")), ["mcp__lab_srv__echo"]);
    let other = ToolAction::Other(OtherTool { name: "get_goal".into(), arguments: raw("{}") });
    assert_eq!(names(other), ["get_goal"]);
}

#[test]
fn a_change_of_a_file_is_a_patch() {
    let edit = ToolAction::Edit(Edit {
        path: "src/a.rs".into(),
        edits: vec![TextEdit { old: "x".into(), new: "y\nz".into(), replace_all: false }],
    });
    let payload = Payload::ToolBefore(ToolUse { id: Some("1".into()), call: ToolCall::new(edit) });
    let mut stdin = Vec::new();
    let adapter = Adapter::latest();
    let binding = hooks_core::Binding::alone(adapter.blank("PreToolUse").unwrap());
    adapter.encode(&binding, &Envelope::new(Common::default(), payload), &mut stdin).unwrap();
    let stdin: serde_json::Value = serde_json::from_slice(&stdin).unwrap();
    assert_eq!(stdin["tool_name"], "apply_patch");
    assert_eq!(
        stdin["tool_input"]["command"],
        "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+y\n+z\n*** End Patch\n"
    );
}

#[test]
fn bash_takes_only_a_string_command() {
    let adapter = Adapter::latest();
    let original = ToolCall::shell("ls");
    let projected = adapter.project(&original, &raw(r#"{"command":"pwd","workdir":"/"}"#)).unwrap();
    assert_eq!(projected.call.as_shell().unwrap().command, "pwd");
    assert_eq!(projected.ignored, ["workdir"]);
    for refused in [r#"{"cmd":"pwd"}"#, r#""pwd""#, r#"{"command":5}"#, r#"{"command":["pwd"]}"#, "[]", "null"] {
        assert!(adapter.project(&original, &raw(refused)).is_err(), "{refused}");
    }
}

#[test]
fn other_tools_take_the_value_as_it_is() {
    let adapter = Adapter::latest();
    let mcp = ToolCall::new(ToolAction::Mcp(Mcp::new("s", "t", raw(r#"{"a":1}"#))));
    let projected = adapter.project(&mcp, &raw(r#"{"b":1.0}"#)).unwrap();
    assert_eq!(projected.call.as_mcp().unwrap().arguments.get(), r#"{"b":1.0}"#);
    assert!(projected.ignored.is_empty());
}

#[test]
fn what_fires_no_hook() {
    let adapter = Adapter::latest();
    let post = adapter.event("PostToolUse").unwrap();
    let returned = |action, kind, progress| {
        let tool = ToolUse { id: None, call: ToolCall::new(action) };
        let result = ToolResult { kind, progress, raw: None };
        Envelope::new(Common::default(), Payload::ToolResult(ToolReturned { tool, result, duration_ms: None }))
    };
    let shell = || ToolAction::Shell(Default::default());
    let output = || ResultKind::Shell(ShellResult { exit_code: Some(1), ..ShellResult::default() });
    let fires = |envelope: &Envelope| matches!(adapter.subject(post, envelope), Subject::Is(SubjectValue::One(_)));
    assert!(fires(&returned(shell(), output(), Progress::Finished)));
    assert!(!fires(&returned(shell(), output(), Progress::Snapshot)));
    let failed = ResultKind::Mcp(McpResult { result: raw("{}"), is_error: true });
    assert!(!fires(&returned(ToolAction::Mcp(Mcp::new("s", "t", raw("{}"))), failed, Progress::Finished)));
    assert!(!fires(&returned(ToolAction::WebSearch(WebSearch::default()), output(), Progress::Finished)));
}
