//! Whole definitions: events, time limits, failure policies, commands, and what is said about them.

use hooks_core::translate::{Bridge, CODES, Carried, Kind, Options, carry, code};

use super::sides::{PAIRS, found, has, of, read};

fn carried(from: &str, to: &str, text: &str, options: &Options) -> Carried {
    let definitions = read(from, text);
    let [definition] = definitions.as_slice() else { panic!("one definition: {definitions:?}") };
    carry(&*of(from), &*of(to), definition, options)
}

fn plain(from: &str, to: &str, text: &str) -> Carried {
    carried(from, to, text, &Options::default())
}

fn bridged(from: &str, to: &str, text: &str) -> Carried {
    let bridge = Some(Bridge { program: "crosshook".to_owned(), strict: false });
    carried(from, to, text, &Options { bridge, ..Options::default() })
}

fn cursor(event: &str, more: &str) -> String {
    format!(r#"{{"version": 1, "hooks": {{"{event}": [{{"command": "./hook.sh"{more}}}]}}}}"#)
}

fn claude(event: &str, more: &str) -> String {
    format!(r#"{{"hooks": {{"{event}": [{{"hooks": [{{"type": "command", "command": "./hook.sh"{more}}}]}}]}}}}"#)
}

fn events(carried: &Carried) -> Vec<&str> {
    carried.elements.iter().map(|element| element.event).collect()
}

#[test]
fn a_client_that_names_no_project_is_told_where_it_lies_in_its_repository() {
    let below = |from: &str, to: &str, text: &str, bridge: bool| {
        let bridge = bridge.then(|| Bridge { program: "crosshook".to_owned(), strict: false });
        let carried = carried(from, to, text, &Options { bridge, below: "apps/my $app".to_owned() });
        carried.elements[0].json.clone()
    };
    let guard = cursor("beforeShellExecution", "");
    // Codex sets no variable for the project's root (section 10): a session in a folder below asks git.
    let own = r#"cd \"$(git rev-parse --show-toplevel 2>/dev/null || pwd)/apps/my \\$app\" || exit 1; ./hook.sh"#;
    assert!(below("cursor", "codex", &guard, false).contains(own), "{}", below("cursor", "codex", &guard, false));
    assert!(below("cursor", "codex", &guard, true).contains("--project 'apps/my $app'"));
    // Claude Code sets one.
    assert!(!below("cursor", "claude", &guard, false).contains("apps"));
    assert!(!below("cursor", "claude", &guard, true).contains("apps"));
}

#[test]
fn events_are_those_of_the_same_moment() {
    for (from, to, event, wanted) in [
        ("cursor", "claude", "beforeShellExecution", &["PreToolUse"][..]),
        ("cursor", "codex", "beforeShellExecution", &["PreToolUse"]),
        ("cursor", "claude", "beforeMCPExecution", &["PreToolUse"]),
        ("cursor", "claude", "beforeReadFile", &["PreToolUse"]),
        ("cursor", "codex", "beforeReadFile", &[]),
        ("cursor", "claude", "afterFileEdit", &["PostToolUse"]),
        // A command that ended in an error is a failure in one client and a result in the other.
        ("cursor", "claude", "afterShellExecution", &["PostToolUse", "PostToolUseFailure"]),
        ("cursor", "claude", "beforeSubmitPrompt", &["UserPromptSubmit"]),
        ("cursor", "codex", "stop", &["Stop"]),
        ("cursor", "claude", "preCompact", &["PreCompact"]),
        ("cursor", "claude", "workspaceOpen", &[]),
        ("claude", "cursor", "PreToolUse", &["preToolUse"]),
        ("claude", "cursor", "PostToolUse", &["postToolUse"]),
        ("claude", "cursor", "PermissionRequest", &[]),
        ("claude", "codex", "PermissionRequest", &["PermissionRequest"]),
        ("claude", "codex", "PostToolUseFailure", &[]),
        ("codex", "claude", "SessionStart", &["SessionStart"]),
        ("codex", "claude", "Interrupt", &[]),
    ] {
        let text = if from == "cursor" { cursor(event, "") } else { claude(event, "") };
        let carried = plain(from, to, &text);
        assert_eq!(events(&carried), wanted, "{from} to {to}, {event}: {:?}", carried.findings);
    }
}

#[test]
fn a_script_of_another_vendor_is_never_called_exact() {
    for (from, to) in PAIRS {
        for event in of(from).events() {
            let text = if from == "cursor" { cursor(event.name, "") } else { claude(event.name, "") };
            for definition in read(from, &text) {
                let carried = carry(&*of(from), &*of(to), &definition, &Options::default());
                let claims = carried.kind();
                assert!(claims > Kind::Stricter || has(&carried, &["never-ran"]), "{from} to {to}, {}", event.name);
            }
        }
    }
}

#[test]
fn a_failure_that_blocks_is_said_or_told_of() {
    let closed = plain("cursor", "claude", &cursor("beforeShellExecution", r#", "failClosed": true"#));
    assert!(closed.elements[0].json.contains(r#""onFailure":"block""#), "{}", closed.elements[0].json);
    let back = plain("claude", "cursor", &claude("PreToolUse", r#", "onFailure": "block""#));
    assert!(back.elements[0].json.contains(r#""failClosed":true"#), "{}", back.elements[0].json);
    let lost = plain("cursor", "codex", &cursor("beforeShellExecution", r#", "failClosed": true"#));
    assert!(lost.to_accept().contains(&"fail-closed-lost"), "{:?}", lost.findings);
    let kept = bridged("cursor", "codex", &cursor("beforeShellExecution", r#", "failClosed": true"#));
    assert!(kept.elements[0].json.contains("--fail-closed") && kept.to_accept().is_empty(), "{:?}", kept.findings);
}

#[test]
fn time_limits_keep_their_unit_and_their_meaning() {
    let json = |carried: &Carried| carried.elements[0].json.clone();
    let own = plain("cursor", "claude", &cursor("stop", r#", "timeout": 2.5"#));
    assert!(json(&own).contains(r#""timeout":2.5"#), "{}", json(&own));
    let raised = plain("cursor", "codex", &cursor("stop", r#", "timeout": 2.5"#));
    assert!(json(&raised).contains(r#""timeout":3"#) && has(&raised, &["timeout-raised"]), "{}", json(&raised));
    // What one takes by itself is said where the other takes something else.
    let usual = plain("claude", "cursor", &claude("Stop", ""));
    assert!(json(&usual).contains(r#""timeout":600"#), "{}", json(&usual));
    let capped = plain("cursor", "codex", &cursor("sessionEnd", r#", "timeout": 30"#));
    assert!(has(&capped, &["timeout-capped"]), "{:?}", capped.findings);
    // A bridge ends before its host gives up.
    let bridge = bridged("cursor", "claude", &cursor("stop", r#", "timeout": 10"#));
    assert!(json(&bridge).contains("--timeout 10 ") && json(&bridge).contains(r#""timeout":13"#), "{}", json(&bridge));
}

#[test]
fn loop_limits_are_said_or_told_of() {
    let limited = plain("cursor", "claude", &cursor("stop", r#", "loop_limit": 3"#));
    assert!(has(&limited, &["loop-limit-lost"]), "{:?}", limited.findings);
    let endless = plain("cursor", "claude", &cursor("stop", r#", "loop_limit": null"#));
    assert!(has(&endless, &["loop-limit-lower"]), "{:?}", endless.findings);
    let said = plain("codex", "cursor", &claude("Stop", ""));
    assert!(said.elements[0].json.contains(r#""loop_limit":null"#), "{}", said.elements[0].json);
    let counted = bridged("cursor", "codex", &cursor("stop", r#", "loop_limit": 3"#));
    assert!(counted.elements[0].json.contains("--loop-limit 3"), "{}", counted.elements[0].json);
    assert!(!has(&counted, &["loop-limit-lost"]), "{:?}", counted.findings);
}

#[test]
fn commands_find_their_folder_and_their_variables() {
    let command = |carried: &Carried| -> String {
        let value: serde_json::Value = serde_json::from_str(&carried.elements[0].json).unwrap();
        let entry = value.get("hooks").map_or(&value, |hooks| &hooks[0]);
        entry["command"].as_str().unwrap().to_owned()
    };
    let root = plain("cursor", "claude", &cursor("stop", ""));
    assert_eq!(command(&root), r#"cd "$CLAUDE_PROJECT_DIR" || exit 1; ./hook.sh"#);
    let variable =
        r#"{"version": 1, "hooks": {"stop": [{"command": "\"$CURSOR_PROJECT_DIR\"/a.sh '$CURSOR_PROJECT_DIR'"}]}}"#;
    assert!(
        command(&plain("cursor", "claude", variable))
            .ends_with(r#"; "$CLAUDE_PROJECT_DIR"/a.sh '$CURSOR_PROJECT_DIR'"#),
        "a shell replaces nothing inside single quotes"
    );
    let own = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "${CLAUDE_PROJECT_DIR}/a.sh $CLAUDE_ENV_FILE"}]}]}}"#;
    let codex = plain("claude", "codex", own);
    assert_eq!(command(&codex), "$(git rev-parse --show-toplevel 2>/dev/null || pwd)/a.sh $CLAUDE_ENV_FILE");
    assert!(has(&codex, &["variable-lost"]), "{:?}", codex.findings);
    // Cursor sets the other's variable too.
    assert!(command(&plain("claude", "cursor", own)).starts_with("${CLAUDE_PROJECT_DIR}/a.sh"));
    let args = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "node", "args": ["${CLAUDE_PROJECT_DIR}/a b.mjs", "it's"]}]}]}}"#;
    assert_eq!(command(&plain("claude", "cursor", args)), r#"node "${CLAUDE_PROJECT_DIR}/a b.mjs" 'it'\''s'"#);
    let wrapped = command(&bridged("claude", "cursor", args));
    assert!(wrapped.ends_with(r#" -- node '${CLAUDE_PROJECT_DIR}/a b.mjs' "it's""#), "{wrapped}");
    let text = command(&bridged("cursor", "claude", variable));
    assert!(text.starts_with("crosshook bridge --written-for cursor --host claude --event stop "), "{text}");
    assert!(text.ends_with(r#" --shell -- '"$CURSOR_PROJECT_DIR"/a.sh '\''$CURSOR_PROJECT_DIR'\'''"#), "{text}");
}

/// However a command speaks of a variable that the target does not set: with a default, for a program inside it, or in
/// another shell's form.
#[test]
fn a_variable_that_is_left_is_told_of() {
    let of = |command: &str, more: &str| {
        let command = serde_json::json!(command);
        format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": {command}{more}}}]}}]}}}}"#)
    };
    for (command, more) in [
        ("${CLAUDE_PROJECT_DIR:-.}/a.sh", ""),
        ("bash -c 'exec \"$CLAUDE_PROJECT_DIR\"/a.sh'", ""),
        ("node", r#", "args": ["-e", "run(process.env.CLAUDE_PROJECT_DIR)"]"#),
        ("& \"$env:CLAUDE_PROJECT_DIR/a.ps1\"", r#", "shell": "powershell""#),
    ] {
        let text = of(command, more);
        assert!(has(&plain("claude", "codex", &text), &["variable-lost"]), "{text}");
        // Cursor sets it, and so does a bridge.
        assert!(!has(&plain("claude", "cursor", &text), &["variable-lost"]), "{text}");
        assert!(!has(&bridged("claude", "codex", &text), &["variable-lost"]), "{text}");
    }
    for command in ["CLAUDE_PROJECT_DIR=. ./a.sh", "\"$CLAUDE_PROJECT_DIR\"/a.sh", "echo $MY_CLAUDE_PROJECT_DIR"] {
        assert!(!has(&plain("claude", "codex", &of(command, "")), &["variable-lost"]), "{command}");
    }
    // claude.md, section 7.1: in PowerShell the client writes the placeholder so that PowerShell expands it.
    let powershell = plain("claude", "cursor", &of("& \"${CLAUDE_PROJECT_DIR}/a.ps1\"", r#", "shell": "powershell""#));
    assert!(powershell.elements[0].json.contains("${env:CLAUDE_PROJECT_DIR}/a.ps1"), "{:?}", powershell.elements);
}

/// Cursor tells a hook neither how a session started nor an agent's name as Claude writes it (cursor.md, sections 3 and 5.1):
/// a bridge that looked for it would never run the script.
#[test]
fn a_bridge_is_not_told_to_look_at_what_the_client_does_not_tell() {
    let text = claude("SessionStart", "").replacen("[{", r#"[{"matcher": "startup", "#, 1);
    assert!(text.contains("startup"), "{text}");
    let carried = bridged("claude", "cursor", &text);
    assert!(!carried.elements[0].json.contains("--matcher"), "{:?}", carried.elements);
    assert!(has(&carried, &["matcher-widened"]), "{:?}", carried.findings);
    let text = text.replace("startup", "Explore").replace("SessionStart", "SubagentStop");
    let carried = bridged("claude", "cursor", &text);
    assert_eq!(carried.elements[0].matcher.as_deref(), Some("^explore$"));
    assert!(!has(&carried, &["selection-weaker"]), "{:?}", carried.findings);
}

/// What is wrong is said, and not what else there is to say.
#[test]
fn what_is_not_read_back_says_why() {
    let tool = r#"{"hooks": {"PreToolUse": [{"matcher": "Edit|NotebookEdit", "hooks": [
        {"type": "mcp_tool", "server": "s", "tool": "t", "input": {"a": null}}]}]}}"#;
    let carried = plain("claude", "codex", tool);
    let reasons: Vec<&str> = carried.findings.iter().map(|finding| finding.reason.as_str()).collect();
    assert!(reasons.iter().any(|reason| reason.contains("null")), "{reasons:?}");
}

#[test]
fn a_bridge_is_told_what_the_targets_file_cannot_say() {
    let command = bridged("cursor", "claude", &cursor("beforeShellExecution", r#", "matcher": "rm -rf""#));
    assert!(command.elements[0].json.contains(r#"--matcher \"rm -rf\""#), "{}", command.elements[0].json);
    assert!(!has(&command, &["command-not-seen"]), "{:?}", command.findings);
    let plain = plain("cursor", "claude", &cursor("beforeShellExecution", r#", "matcher": "rm -rf""#));
    assert!(has(&plain, &["command-not-seen"]), "{:?}", plain.findings);
    let condition = bridged("claude", "codex", &claude("PreToolUse", r#", "if": "Bash(git *)""#));
    assert!(condition.elements[0].json.contains(r#"--if \"Bash(git *)\""#), "{}", condition.elements[0].json);
    assert!(!has(&condition, &["condition-lost"]), "{:?}", condition.findings);
}

#[test]
fn handlers_that_the_target_does_not_run_are_dropped() {
    let prompt = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "prompt", "prompt": "ok?"}]}]}}"#;
    let codex = plain("claude", "codex", prompt);
    assert!(codex.elements.is_empty() && codex.to_accept() == ["handler-not-run"], "{:?}", codex.findings);
    let cursor = plain("claude", "cursor", prompt);
    assert!(cursor.elements[0].json.contains(r#""type":"prompt""#), "{}", cursor.elements[0].json);
    let tool = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "mcp_tool", "server": "s", "tool": "t", "input": {"a": "${tool_input.command}"}}]}]}}"#;
    let codex = plain("claude", "codex", tool);
    assert!(has(&codex, &["placeholder-reads-other-input"]), "{:?}", codex.findings);
}

#[test]
fn a_guard_on_what_the_target_only_tells_of_is_no_guard() {
    let start = bridged("cursor", "claude", &cursor("subagentStart", ""));
    assert!(start.to_accept().contains(&"cannot-block"), "{:?}", start.findings);
}

#[test]
fn an_observers_losses_need_no_acceptance() {
    let thought = plain("cursor", "claude", &cursor("afterAgentThought", ""));
    assert_eq!((found(&thought), thought.to_accept().len()), (vec!["no-event"], 0));
}

#[test]
fn every_code_that_a_finding_has_is_in_the_table() {
    for (from, to) in PAIRS {
        for event in of(from).events() {
            let text = if from == "cursor" { cursor(event.name, "") } else { claude(event.name, "") };
            for definition in read(from, &text) {
                for finding in carry(&*of(from), &*of(to), &definition, &Options::default()).findings {
                    assert!(code(finding.code.id).is_some());
                    assert!(CODES.contains(&finding.code) && !finding.reason.is_empty());
                }
            }
        }
    }
}

#[test]
fn the_page_lists_every_code_with_what_it_comes_to() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/translate.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let wanted: Vec<String> =
        CODES.iter().map(|code| format!("| `{}` | {} | {} |", code.id, code.kind.as_str(), code.about)).collect();
    assert_eq!(rows, wanted);
}
