//! Cursor's tool inputs brought back into the host's terms.

use adapter_cursor::vendor;
use hooks_core::tool::{Edit, Mcp, OtherTool, Read, Shell, TextEdit, ToolAction, Write};
use hooks_core::{HostSide, RawJson, ToolCall};

use crate::support::{before, stdin};

fn raw(text: &str) -> RawJson {
    RawJson::parse(text).expect("JSON")
}

#[test]
fn a_written_input_reads_back_as_the_same_call() {
    let edits = vec![TextEdit { old: "a".into(), new: "b".into(), replace_all: true }];
    for action in [
        ToolAction::Shell(Shell {
            command: "ls".into(),
            cwd: Some("/d".into()),
            is_risky: Some(true),
            ..Shell::default()
        }),
        ToolAction::Read(Read { path: "/f".into(), offset: Some(1), limit: Some(2), content: None }),
        ToolAction::Write(Write { path: "/f".into(), content: "x".into() }),
        ToolAction::Edit(Edit { path: "/f".into(), edits }),
        ToolAction::Mcp(Mcp::new("", "t", raw(r#"{"a":1}"#))),
        ToolAction::Other(OtherTool { name: "Ask".into(), arguments: raw(r#"{"q":1}"#) }),
    ] {
        let written = stdin(&vendor(), "preToolUse", &before(ToolCall::new(action.clone())));
        let input = RawJson::from(&written["tool_input"]);
        let name = written["tool_name"].as_str().expect("a name");
        assert_eq!(vendor().tool_call(name, &input).action, action, "{name} {input:?}");
    }
}

#[test]
fn a_rewrite_lays_its_keys_over_the_call() {
    let original =
        ToolCall::new(ToolAction::Shell(Shell { command: "rm x".into(), sandbox: Some(true), ..Shell::default() }));
    let projected = vendor().project(&original, &raw(r#"{"command":"ls","color":1}"#)).expect("a call");
    let shell = projected.call.as_shell().expect("a command");
    assert_eq!((shell.command.as_str(), shell.sandbox), ("ls", Some(true)));
    assert_eq!(projected.ignored, ["color"]);
    assert_eq!(projected.call.raw.expect("raw").get(), r#"{"command":"ls","color":1}"#);
}

#[test]
fn what_the_tool_would_not_take_fails_the_call() {
    let shell = ToolCall::shell("rm x");
    for input in [
        "{}",
        "[]",
        "\"ls\"",
        "null",
        r#"{"color":1}"#,
        r#"{"command":5}"#,
        r#"{"command":null}"#,
        r#"{"command":"ls","cwd":[]}"#,
    ] {
        assert!(vendor().project(&shell, &raw(input)).is_err(), "{input}");
    }
    let edit = ToolCall::new(ToolAction::Edit(Edit { path: "/f".into(), edits: vec![TextEdit::default(); 2] }));
    for input in [
        r#"{"edits":[{"old_string":"a"}]}"#,
        r#"{"edits":[5]}"#,
        r#"{"edits":5}"#,
        r#"{"old_string":"a","new_string":"b"}"#,
    ] {
        assert!(vendor().project(&edit, &raw(input)).is_err(), "{input}");
    }
    let call = vendor().tool_call("Shell", &raw("[]"));
    assert!(matches!(call.action, ToolAction::Other(_)));
}

#[test]
fn another_files_content_does_not_stay() {
    let read =
        ToolCall::new(ToolAction::Read(Read { path: "/a".into(), content: Some("a's".into()), ..Read::default() }));
    let moved = vendor().project(&read, &raw(r#"{"file_path":"/b"}"#)).expect("a call");
    assert!(matches!(moved.call.action, ToolAction::Read(Read { content: None, .. })));
}

/// A large input is read in one pass where nothing about it is odd; an odd one comes to the same.
#[test]
fn odd_inputs_come_to_the_same() {
    let plain = raw(r#"{"file_path":"/f","content":"a\nb"}"#);
    let expected = ToolAction::Write(Write { path: "/f".into(), content: "a\nb".into() });
    assert_eq!(vendor().tool_call("Write", &plain).action, expected);
    for odd in
        [r#"{"content":"a\nb","file_path":"/f","more":[1]}"#, r#"{"file_path":"/e","file_path":"/f","content":"a\nb"}"#]
    {
        let call = vendor().tool_call("Write", &raw(odd));
        assert_eq!(call.action, expected, "{odd}");
        assert_eq!(call.raw.expect("raw").get(), odd);
    }
    let edits = vendor().tool_call("Write", &raw(r#"{"file_path":"/f","edits":[]}"#));
    assert!(matches!(edits.action, ToolAction::Edit(_)));
}

#[test]
fn a_servers_tool_is_one_whatever_its_arguments() {
    for input in ["[1]", "null", "\"x\"", "{}"] {
        let call = vendor().tool_call("MCP:echo", &raw(input));
        assert_eq!(call.action, ToolAction::Mcp(Mcp::new("", "echo", raw(input))), "{input}");
        let call = vendor().tool_call("MCPResource:r1", &raw(input));
        assert!(matches!(call.action, ToolAction::McpResource(resource) if resource.name == "r1"), "{input}");
    }
}
