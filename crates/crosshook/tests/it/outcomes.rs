//! Real hooks of each vendor: what each way of answering, and of failing to, comes to.
//!
//! What is expected is what the vendors' pages say; each case names the section.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::guarded;

/// Fires a shell command at a vendor's guard, which is this script, and gives the exit code and the document.
fn fire(vendor: &str, script: &str, more: &str, args: &[&str]) -> (i32, Value) {
    let project = guarded(vendor, script, more);
    let mut line = vec!["fire", "tool.before", "--command", "rm -rf build", "--yes", "--json"];
    line.extend(args);
    let ran = project.run(&line);
    let document = ran.json();
    assert_eq!(document["exit_code"], ran.code, "the document tells the exit code");
    assert_eq!(document["ran"], true);
    assert_eq!(document["hooks"].as_array().unwrap().len(), 1, "{document}");
    (ran.code, document)
}

fn action(document: &Value) -> &str {
    document["decision"]["action"].as_str().unwrap()
}

fn failed(document: &Value) -> bool {
    !document["hooks"][0]["failure"].is_null()
}

const CLAUDE_ALLOW: &str =
    r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'"#;
const CLAUDE_DENY: &str = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not here"}}'"#;
const CURSOR_ALLOW: &str = r#"echo '{"permission":"allow"}'"#;
const CURSOR_DENY: &str = r#"echo '{"permission":"deny","agent_message":"not here"}'"#;

#[test]
fn allow() {
    // Cursor, stdout fields; Claude, PreToolUse.
    for (vendor, script) in [("cursor", CURSOR_ALLOW), ("claude", CLAUDE_ALLOW)] {
        let (code, document) = fire(vendor, script, "", &[]);
        assert_eq!((code, action(&document)), (0, "approve"), "{vendor}");
    }
    // Codex, 11.3: an allow without another input is not supported and fails; an empty object says nothing.
    let (code, document) = fire("codex", "echo '{}'", "", &[]);
    assert_eq!((code, action(&document), failed(&document)), (0, "no-opinion", false));
    let (code, document) = fire("codex", CLAUDE_ALLOW, "", &[]);
    assert_eq!((code, action(&document), failed(&document)), (0, "no-opinion", true));
}

#[test]
fn deny_by_json() {
    for (vendor, script) in [("cursor", CURSOR_DENY), ("claude", CLAUDE_DENY), ("codex", CLAUDE_DENY)] {
        let (code, document) = fire(vendor, script, "", &[]);
        assert_eq!((code, action(&document)), (10, "deny"), "{vendor}");
        assert_eq!(document["decision"]["to_model"][0], "not here", "{vendor}");
    }
}

#[test]
fn deny_by_exit_2() {
    for vendor in ["cursor", "claude", "codex"] {
        let (code, document) = fire(vendor, "echo 'not here' >&2; exit 2", "", &[]);
        assert_eq!((code, action(&document)), (10, "deny"), "{vendor}");
    }
}

#[test]
fn a_crash_lets_the_command_run_and_is_told() {
    for vendor in ["cursor", "claude", "codex"] {
        let (code, document) = fire(vendor, "exit 1", "", &[]);
        assert_eq!((code, action(&document), failed(&document)), (0, "no-opinion", true), "{vendor}");
        // A strict host blocks what it cannot evaluate, for every vendor.
        let (code, document) = fire(vendor, "exit 1", "", &["--strict"]);
        assert_eq!((code, action(&document)), (10, "deny"), "{vendor}");
    }
    // Each vendor that has one: the definition's own wish to fail closed.
    let (code, _) = fire("cursor", "exit 1", r#","failClosed":true"#, &[]);
    assert_eq!(code, 10);
    let (code, _) = fire("claude", "exit 1", r#","onFailure":"block""#, &[]);
    assert_eq!(code, 10);
}

#[test]
fn exit_1_with_a_deny_on_stdout() {
    // Claude, 9.4: JSON decides at every exit code. Codex, 10: a failed run, whatever it printed. Cursor, 3.2 and 10: a
    // failed run, and nobody says that the refusal in it does not hold, so it does.
    let (code, document) = fire("claude", &format!("{CLAUDE_DENY}; exit 1"), "", &[]);
    assert_eq!((code, action(&document)), (10, "deny"));
    for (vendor, script, expected) in [("codex", CLAUDE_DENY, 0), ("cursor", CURSOR_DENY, 10)] {
        let (code, document) = fire(vendor, &format!("{script}; exit 1"), "", &[]);
        assert_eq!((code, failed(&document)), (expected, true), "{vendor}");
    }
}

#[test]
fn nonsense() {
    // Cursor, 3.2: an answer that cannot be read blocks a permission hook. Claude, 9.1, and Codex, 11.1: plain text.
    let (code, _) = fire("cursor", "echo nonsense", "", &[]);
    assert_eq!(code, 10);
    for vendor in ["claude", "codex"] {
        let (code, document) = fire(vendor, "echo nonsense", "", &[]);
        assert_eq!((code, action(&document), failed(&document)), (0, "no-opinion", false), "{vendor}");
        // What starts like JSON and is none is a failure.
        let (code, document) = fire(vendor, "echo '{nonsense}'", "", &[]);
        assert_eq!((code, action(&document), failed(&document)), (0, "no-opinion", true), "{vendor}");
    }
}

#[test]
fn bytes_that_no_terminal_should_see() {
    for vendor in ["cursor", "claude", "codex"] {
        let project = guarded(vendor, r"printf '\033[31mred\007\377\n' >&2; exit 2", "");
        let ran = project.run(&["fire", "tool.before", "--command", "ls", "--yes", "--color", "never"]).code(10);
        assert!(!ran.stdout.contains(['\u{1b}', '\u{7}']), "{:?}", ran.stdout);
    }
}

#[test]
fn a_hook_that_never_reads_its_input() {
    for (vendor, script) in [("cursor", CURSOR_DENY), ("claude", CLAUDE_DENY), ("codex", CLAUDE_DENY)] {
        let project = guarded(vendor, &format!("exec 0<&-; {script}"), "");
        // More than a pipe holds.
        let payload = format!(r#"{{"tool_name":"Bash","tool_input":{{"command":"{}"}}}}"#, "x".repeat(400_000));
        std::fs::write(project.root().join("payload.json"), payload).unwrap();
        let line = ["fire", "tool.before", "--payload", "payload.json", "--yes", "--json"];
        let ran = project.run(&line).code(10);
        let document = ran.json();
        assert_eq!(action(&document), "deny", "{vendor}");
        assert_eq!(document["hooks"][0]["stdin_delivered"], false, "{vendor}");
    }
}

#[test]
fn a_hook_that_takes_too_long() {
    for vendor in ["cursor", "claude", "codex"] {
        let started = Instant::now();
        let (code, document) = fire(vendor, "sleep 30", r#","timeout":1"#, &[]);
        assert!(started.elapsed() < Duration::from_secs(15), "{vendor} waited {:?}", started.elapsed());
        assert_eq!((code, action(&document), failed(&document)), (0, "no-opinion", true), "{vendor}");
        assert_eq!(document["hooks"][0]["outcome"]["end"], "timed_out", "{vendor}");
    }
    let (code, _) = fire("cursor", "sleep 30", r#","timeout":1,"failClosed":true"#, &[]);
    assert_eq!(code, 10);
}

#[test]
fn one_answer_three_meanings() {
    // Claude asks; Codex, 11.3: ask fails the run; Cursor, 7.8: no decision on a permission hook denies.
    let ask = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}'"#;
    let meanings = ["cursor", "claude", "codex"].map(|vendor| fire(vendor, ask, "", &[]).0);
    assert_eq!(meanings, [10, 11, 0]);
}
