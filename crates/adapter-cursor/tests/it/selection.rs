//! Which occurrences are an event's: boundary, facet, progress, provenance, and the snapshot as a whole.

use adapter_cursor::{Adapter, phase1, seed, vendor};
use hooks_conformance::sample;
use hooks_core::adapter::Subject;
use hooks_core::envelope::{Payload, Prompt, Provenance, SubagentStart};
use hooks_core::matcher::SubjectValue;
use hooks_core::tool::{
    Edit, McpResource, OtherTool, Patch, Progress, ResultKind, Shell, ShellResult, ToolAction, ToolResult,
};
use hooks_core::{Envelope, HostSide, Matcher, RawJson, SessionState, ToolCall, select};

use crate::support::{activate, after, before, envelope};

fn is(adapter: &Adapter, event: &str, envelope: &Envelope) -> bool {
    matches!(adapter.subject(adapter.event(event).expect(event), envelope), Subject::Is(_))
}

fn values(adapter: &Adapter, event: &str, envelope: &Envelope) -> Vec<String> {
    match adapter.subject(adapter.event(event).expect(event), envelope) {
        Subject::Is(subject) => subject.values().into_iter().map(ToOwned::to_owned).collect(),
        Subject::NotThisEvent(why) => panic!("{event}: {why}"),
    }
}

fn shell_result(progress: Progress, exit_code: Option<i32>) -> Envelope {
    let kind = ResultKind::Shell(ShellResult { output: "out".into(), exit_code, ..ShellResult::default() });
    let action = ToolAction::Shell(Shell { command: "make".into(), ..Shell::default() });
    after(action, ToolResult { kind, progress, raw: None })
}

/// Cases C072 to C078.
#[test]
fn only_a_finished_shell_command_is_a_result() {
    for adapter in [phase1(), seed(), vendor()] {
        for (progress, expected) in [
            (Progress::Finished, true),
            (Progress::Snapshot, false),
            (Progress::Poll, false),
            (Progress::Write, false),
            (Progress::HandOver, false),
        ] {
            let envelope = shell_result(progress, Some(0));
            assert_eq!(is(&adapter, "afterShellExecution", &envelope), expected, "{progress:?}");
            assert_eq!(is(&adapter, "postToolUse", &envelope), expected, "{progress:?}");
        }
        for exit_code in [Some(0), Some(1), None] {
            assert_eq!(values(&adapter, "afterShellExecution", &shell_result(Progress::Finished, exit_code)), ["make"]);
        }
    }
}

/// Cases C071 and C076: a denied or cancelled command goes to the failure boundary.
#[test]
fn another_boundary_is_never_the_events() {
    let names: Vec<_> = vendor().events().iter().map(|facts| facts.name).collect();
    for event in vendor().events().iter().filter(|facts| facts.boundary.is_some()) {
        for other in &names {
            if vendor().event(other).and_then(|facts| facts.boundary).is_none() {
                continue;
            }
            let occurrence = envelope(&vendor(), other);
            if occurrence.boundary() != event.boundary.expect("a boundary") {
                assert!(!is(&vendor(), event.name, &occurrence), "{} on {other}", event.name);
            }
        }
        assert!(is(&vendor(), event.name, &envelope(&vendor(), event.name)), "{}", event.name);
    }
}

#[test]
fn what_the_first_design_does_not_fire_never_matches() {
    for event in phase1().events().iter().filter(|facts| facts.boundary.is_some()) {
        let fires = phase1().row(event.name).expect("a row").fires_in_phase1;
        assert_eq!(is(&phase1(), event.name, &envelope(&vendor(), event.name)), fires, "{}", event.name);
    }
}

#[test]
fn facets_part_the_tools() {
    let facets = ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"];
    let mcp = hooks_core::tool::Mcp::new("server", "read_file", RawJson::null());
    for (call, expected) in [
        (ToolAction::Shell(Shell::default()), [true, true, false, false]),
        (ToolAction::Mcp(mcp), [true, false, true, false]),
        (
            ToolAction::McpResource(McpResource { name: "r1".into(), ..McpResource::default() }),
            [true, false, false, false],
        ),
        (ToolAction::Read(hooks_core::tool::Read::default()), [true, false, false, true]),
        (ToolAction::Edit(Edit::default()), [true, false, false, false]),
    ] {
        let envelope = before(ToolCall::new(call.clone()));
        let ours = facets.map(|event| is(&seed(), event, &envelope));
        assert_eq!(ours, expected, "{}", call.kind());
    }
    let edited = |action| is(&seed(), "afterFileEdit", &after(action, ToolResult::finished(ResultKind::Empty)));
    assert!(edited(ToolAction::Edit(Edit::default())) && edited(ToolAction::Patch(Patch::default())));
    assert!(!edited(ToolAction::Read(hooks_core::tool::Read::default())));
}

#[test]
fn tools_go_by_cursors_names() {
    let names = |action| values(&seed(), "preToolUse", &before(ToolCall::new(action)));
    assert_eq!(names(ToolAction::Shell(Shell::default())), ["Shell"]);
    assert_eq!(names(ToolAction::Edit(Edit::default())), ["Write", "StrReplace"]);
    assert_eq!(
        names(ToolAction::McpResource(McpResource { name: "r1".into(), ..McpResource::default() })),
        ["MCPResource:r1"]
    );
    let other = OtherTool { name: "SearchCodebase".into(), arguments: RawJson::null() };
    assert_eq!(names(ToolAction::Other(other)), ["SearchCodebase"]);

    let mcp = || before(ToolCall::new(ToolAction::Mcp(hooks_core::tool::Mcp::new("s", "read_file", RawJson::null()))));
    assert_eq!(values(&seed(), "preToolUse", &mcp()), ["MCP:read_file"]);
    assert_eq!(values(&seed(), "beforeMCPExecution", &mcp()), ["read_file"]);
    // Cursor lists no matcher here, so that both spellings count where its own behaviour is wanted.
    assert_eq!(values(&vendor(), "beforeMCPExecution", &mcp()), ["read_file", "MCP:read_file"]);
}

#[test]
fn a_subagent_without_a_type_matches_only_everything() {
    let unknown = Envelope::new(sample::common(), Payload::SubagentStart(SubagentStart::default()));
    let subject = seed().subject(seed().event("subagentStart").expect("event"), &unknown);
    assert_eq!(subject, Subject::Is(SubjectValue::Missing));
}

#[test]
fn prompts_of_persons_only() {
    for (provenance, expected) in [
        (Provenance::User, true),
        (Provenance::Steering, true),
        (Provenance::Subagent, false),
        (Provenance::Notification, false),
    ] {
        let prompt = Prompt { text: "go".into(), provenance, ..Prompt::default() };
        let envelope = Envelope::new(sample::common(), Payload::PromptSubmit(prompt));
        assert_eq!(is(&seed(), "beforeSubmitPrompt", &envelope), expected, "{provenance:?}");
    }
}

#[test]
fn one_command_concerns_hooks_of_two_events_in_table_order() {
    let snapshot = activate(
        &vendor(),
        r#"{"version":1,"hooks":{
            "beforeShellExecution":[{"command":"b","matcher":"^git "},{"command":"no","matcher":"npm"}],
            "preToolUse":[{"command":"a","matcher":"Shell"},{"command":"never","matcher":"Read"}]}}"#,
    );
    let chosen = select(&snapshot, &before(ToolCall::shell("git push")), &SessionState::default());
    let commands: Vec<_> = chosen.iter().map(|choice| choice.binding.handler.label()).collect();
    assert_eq!(commands, ["a", "b"]);
}

#[test]
fn the_first_design_keeps_unfired_hooks_bound_and_selects_none() {
    let text = r#"{"version":1,"hooks":{"afterFileEdit":[{"command":"x"}],"postToolUse":[{"command":"y"}]}}"#;
    let snapshot = activate(&phase1(), text);
    assert_eq!(snapshot.bindings().len(), 2);
    let edit = after(ToolAction::Edit(Edit::default()), ToolResult::finished(ResultKind::Empty));
    let chosen = select(&snapshot, &edit, &SessionState::default());
    assert_eq!(chosen.len(), 1);
    assert_eq!(chosen[0].binding.handler.label(), "y");
    assert_eq!(select(&activate(&seed(), text), &edit, &SessionState::default()).len(), 2);
}

/// A list of whole words needs no engine, and takes what the engine would take.
#[test]
fn whole_words_match_as_their_pattern_does() {
    use hooks_core::matcher::Pattern;
    let targets = [
        "",
        "Shell",
        "Write",
        "Shell\n",
        "\nShell",
        "shell",
        "MyShell",
        "Shell|Write",
        "MCP:read_file",
        "(Shell)",
        "^Shell$",
    ];
    for (text, is_list) in [
        ("^Shell$", true),
        ("^(Shell|Write)$", true),
        ("^(?:Shell|MCP:read_file)$", true),
        ("^Shell|Write$", false),
        ("^(Shell|)$", false),
        ("^()$", false),
        ("^$", false),
        ("^(Shell)|(Write)$", false),
        ("^((Shell))$", false),
        ("^Sh.ll$", false),
        ("^MCP:.*$", false),
        ("Shell", false),
        ("^(?i)Shell$", false),
    ] {
        for adapter in [phase1(), vendor()] {
            let (matcher, _) = adapter.matcher("preToolUse", Some(text));
            assert_eq!(matches!(matcher, Matcher::Exact(_)), is_list, "{text}");
            let engine = if adapter.options().regex == adapter_cursor::options::RegexLanguage::Rust {
                Pattern::rust(text)
            } else {
                Pattern::javascript(text)
            };
            let Ok(engine) = engine else { continue };
            for target in targets {
                assert_eq!(matcher.matches(target), engine.is_found_in(target), "{text} on {target:?}");
            }
        }
    }
}
