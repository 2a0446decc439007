//! What no source says, or sources say differently: what is done here. The page `cursor-what-nobody-says` among the
//! decisions has the reasons, row by row.

use std::path::PathBuf;

use adapter_cursor::{Adapter, phase1, seed, vendor};
use hooks_conformance::effects_json;
use hooks_core::adapter::{DecodePolicy, Parsed};
use hooks_core::definition::{FailurePolicy, State};
use hooks_core::outcome::Outcome;
use hooks_core::{HostSide, LoopLimit, Matched};
use serde_json::{Value, json};

use crate::support::{binding, envelope, parse};

fn told(parsed: &Parsed) -> Vec<&'static str> {
    parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.about).collect()
}

fn one(adapter: &Adapter, event: &str, entry: &str) -> Parsed {
    parse(adapter, &format!(r#"{{"version":1,"hooks":{{"{event}":[{entry}]}}}}"#))
}

#[test]
fn documents_of_another_shape_are_rejected() {
    for text in [
        r#"{"version":1}"#,
        r#"{"version":1,"hooks":{"stop":{}}}"#,
        r#"{"version":1,"hooks":[]}"#,
        r#"{"version":1,"hooks":"x"}"#,
        "[]",
        "\"x\"",
        r#"{"version":1,"hooks":{"stop":["x"]}}"#,
        "\u{feff}{\"version\":1,\"hooks\":{}}",
    ] {
        let parsed = parse(&vendor(), text);
        assert!(parsed.rejected && parsed.diagnostics.len() == 1, "{text}: {:?}", parsed.diagnostics);
    }
}

#[test]
fn nulls_in_a_definition_are_of_the_wrong_type() {
    for key in ["timeout", "failClosed", "matcher", "command", "type"] {
        let entry = match key {
            "command" => r#"{"command":null}"#.to_owned(),
            key => format!(r#"{{"command":"x","{key}":null}}"#),
        };
        let parsed = one(&vendor(), "preToolUse", &entry);
        assert_eq!((parsed.rejected, told(&parsed)), (true, vec!["wrong-type"]), "{key}");
    }
}

#[test]
fn what_only_looks_odd_is_read() {
    // A command without text runs, does nothing and is told; other keys at the top are nobody's business.
    let empty = one(&vendor(), "stop", r#"{"command":""}"#);
    assert_eq!((empty.rejected, told(&empty)), (false, vec!["empty-command"]));
    let schema = parse(&vendor(), r#"{"$schema":"s","version":1,"hooks":{"stop":[{"command":"x"}]}}"#);
    assert!(!schema.rejected && schema.diagnostics.is_empty());
    // Of a repeated key the last one counts, as for `JSON.parse`.
    let twice =
        parse(&vendor(), r#"{"version":2,"version":1,"hooks":{"stop":[{"command":"a"}],"stop":[{"command":"b"}]}}"#);
    assert_eq!((twice.rejected, told(&twice)), (false, vec!["repeated-key", "repeated-key"]));
    assert_eq!(twice.definitions.len(), 1);
    assert_eq!(twice.definitions[0].handler.label(), "b");
    // Fields that a command hook does not use may have any type.
    for entry in [r#"{"command":"x","prompt":5}"#, r#"{"command":"x","model":5}"#] {
        assert!(one(&vendor(), "stop", entry).diagnostics.is_empty(), "{entry}");
    }
}

/// JavaScript has one kind of number: 1.0 is 1.
#[test]
fn whole_numbers_may_be_written_with_a_fraction() {
    for version in ["1.0", "1e0"] {
        let parsed = parse(&seed(), &format!(r#"{{"version":{version},"hooks":{{}}}}"#));
        assert!(!parsed.rejected, "{version}: {:?}", parsed.diagnostics);
    }
    let parsed = one(&seed(), "stop", r#"{"command":"x","loop_limit":3.0}"#);
    assert_eq!(parsed.definitions[0].loop_limit, Some(LoopLimit::AtMost(3)));
    assert!(one(&seed(), "stop", r#"{"command":"x","loop_limit":3.5}"#).rejected);
}

#[test]
fn an_ignored_field_may_have_any_value() {
    for limit in [r#""5""#, "-1", "3"] {
        let parsed = one(&seed(), "preToolUse", &format!(r#"{{"command":"x","loop_limit":{limit}}}"#));
        assert_eq!((parsed.rejected, told(&parsed)), (false, vec!["loop-limit-ignored"]), "{limit}");
    }
    for (matcher, expected) in [("*", vec![]), ("", vec![]), ("(", vec!["matcher-ignored"])] {
        let parsed = one(&seed(), "sessionStart", &format!(r#"{{"command":"x","matcher":"{matcher}"}}"#));
        assert_eq!((parsed.rejected, told(&parsed)), (false, expected), "{matcher}");
        assert_eq!(parsed.definitions[0].matcher.matches("x"), Matched::Yes);
    }
}

/// A prompt hook that is skipped is told once, whatever else is wrong with it; one that is kept must be whole.
#[test]
fn prompt_hooks_with_faults() {
    for (event, entry) in [
        ("stop", r#"{"type":"prompt"}"#),
        ("stop", r#"{"type":"prompt","prompt":"p","timeout":0}"#),
        ("preCompact", r#"{"type":"prompt","prompt":"p"}"#),
        ("workspaceOpen", r#"{"type":"prompt","prompt":"p"}"#),
    ] {
        let parsed = one(&phase1(), event, entry);
        assert_eq!((parsed.rejected, told(&parsed)), (false, vec!["prompt-handler-skipped"]), "{event} {entry}");
    }
    assert!(one(&vendor(), "stop", r#"{"type":"prompt"}"#).rejected);
    assert!(one(&vendor(), "stop", r#"{"type":"prompt","prompt":"p","timeout":0}"#).rejected);
}

#[test]
fn a_timeout_beyond_a_year_is_a_year() {
    let parsed = one(&vendor(), "stop", r#"{"command":"x","timeout":1e300}"#);
    assert_eq!(parsed.definitions[0].timeout.as_secs(), 31_536_000);
}

/// Where a definition says nothing: what asks before something happens gets 30 seconds, the rest 60.
#[test]
fn default_timeouts_of_the_first_design() {
    for (event, seconds) in
        [("subagentStart", 30), ("beforeReadFile", 30), ("beforeSubmitPrompt", 30), ("preCompact", 60)]
    {
        let parsed = one(&seed(), event, r#"{"command":"x"}"#);
        assert_eq!(parsed.definitions[0].timeout.as_secs(), seconds, "{event}");
    }
}

/// All faults of a file are told in one run; only a version of another schema ends the reading.
#[test]
fn every_fault_of_a_file_is_told_at_once() {
    let faults = r#""hooks":{"preToolUse":[{"command":5,"timeout":0},{"command":"x","timeout":"1","failClosed":1,"matcher":2}],
        "stop":[{"command":"x","loop_limit":-1},{"type":"http"}],"none":[],"sessionStart":5}"#;
    let mut all = vec![
        "unknown-event",
        "wrong-type",
        "wrong-type",
        "wrong-type",
        "wrong-type",
        "wrong-type",
        "loop-limit-invalid",
        "timeout-not-positive",
        "unknown-handler-type",
    ];
    all.sort_unstable();
    let sorted = |parsed: &Parsed| {
        let mut told = told(parsed);
        told.sort_unstable();
        told
    };
    let parsed = parse(&vendor(), &format!(r#"{{"version":1,{faults}}}"#));
    assert_eq!(sorted(&parsed), all);
    assert!(parsed.rejected && parsed.definitions.iter().all(|definition| definition.state != State::Live));
    let parsed = parse(&vendor(), &format!("{{{faults}}}"));
    assert_eq!(parsed.diagnostics.len(), all.len() + 1);
    let parsed = parse(&seed(), &format!(r#"{{"version":2,{faults}}}"#));
    assert_eq!(told(&parsed), ["unsupported-version"]);
}

fn decoded(adapter: &Adapter, event: &str, stdout: &[u8]) -> Value {
    let hook = binding(adapter, event, "hook", FailurePolicy::Open);
    let outcome = Outcome::exited(0, stdout);
    let mut form = effects_json(&adapter.decode(&hook, &envelope(&vendor(), event), &outcome, DecodePolicy::default()));
    form.as_object_mut().expect("an object").remove("run");
    form
}

/// Blanks alone are no answer; anything around an answer spoils it; of a repeated key the last one counts.
#[test]
fn answers_that_are_not_quite_json() {
    for (event, stdout, verdict, failed) in [
        ("preToolUse", &b" \n"[..], None, true),
        ("beforeSubmitPrompt", b" \n", None, true),
        ("stop", b" \n", None, false),
        ("preToolUse", br#"{"permission":"allow"} trailing"#, Some("deny"), true),
        ("preToolUse", b"banner\n{\"permission\":\"allow\"}", Some("deny"), true),
        ("preToolUse", b"\xef\xbb\xbf{\"permission\":\"allow\"}", Some("deny"), true),
        ("preToolUse", br#"{"permission":"allow"}{"permission":"allow"}"#, Some("deny"), true),
        ("preToolUse", br#"{"permission":"deny","permission":"allow"}"#, Some("allow"), false),
        ("preToolUse", br#"{"permission":"allow","permission":"deny"}"#, Some("deny"), false),
        ("preToolUse", b"{\"permission\":\"allow\",\"user_message\":\"\xff\"}", Some("deny"), true),
    ] {
        let form = decoded(&vendor(), event, stdout);
        assert_eq!(form["verdict"].as_str(), verdict, "{event} {:?}: {form}", String::from_utf8_lossy(stdout));
        assert_eq!(form["failed"].as_bool().unwrap_or(false), failed, "{event}: {form}");
    }
}

#[test]
fn a_null_is_no_field() {
    for (event, stdout, expected) in [
        ("beforeShellExecution", r#"{"permission":"allow","user_message":null}"#, json!({"verdict": "allow"})),
        ("preToolUse", r#"{"permission":"allow","updated_input":null}"#, json!({"verdict": "allow"})),
        ("preToolUse", r#"{"permission":"allow","hookSpecificOutput":null}"#, json!({"verdict": "allow"})),
        ("stop", r#"{"followup_message":null}"#, json!({})),
        ("sessionStart", r#"{"env":null,"additional_context":null}"#, json!({})),
    ] {
        assert_eq!(decoded(&vendor(), event, stdout.as_bytes()), expected, "{stdout}");
    }
    // A decision is no optional field.
    assert_eq!(decoded(&vendor(), "preToolUse", br#"{"permission":null}"#)["verdict"], "deny");
}

#[test]
fn messages_are_stripped_then_trimmed() {
    let reason = |message: &str| {
        let answer = json!({ "permission": "deny", "user_message": message }).to_string();
        decoded(&vendor(), "beforeShellExecution", answer.as_bytes())["reasons"][0].as_str().expect("text").to_owned()
    };
    assert_eq!(reason("a\u{202e}b\u{200b}c"), "abc");
    assert_eq!(reason("\u{7} no \u{7}"), "no");
    // One that is empty then counts as none: the host writes the reason.
    assert!(reason(" \u{7} ").contains("`hook`"));
    let blank = decoded(&vendor(), "beforeSubmitPrompt", br#"{"continue":false,"user_message":"  "}"#);
    assert!(blank["halt"]["reason"].as_str().expect("a reason").contains("`hook`"));
    assert_eq!(decoded(&vendor(), "preCompact", br#"{"user_message":"  "}"#), json!({}));
    // Said twice, it is said once.
    let twice =
        decoded(&vendor(), "beforeShellExecution", br#"{"permission":"deny","agent_message":"x","user_message":"x"}"#);
    assert_eq!(twice, json!({"verdict": "deny", "reasons": ["x"]}));
}

/// Blanks in what the model gets are the author's; what could forge a terminal is taken out.
#[test]
fn texts_for_the_model_keep_their_blanks() {
    let go_on = decoded(&vendor(), "stop", br#"{"followup_message":"  "}"#);
    assert_eq!(go_on["continuation"]["text"], "  ");
    assert_eq!(decoded(&vendor(), "sessionStart", br#"{"additional_context":""}"#), json!({}));
    let context = decoded(&vendor(), "sessionStart", br#"{"additional_context":" a\u001b[2Jb\n"}"#);
    assert_eq!(context["context"], json!([" a[2Jb\n"]));
}

#[test]
fn variables_that_no_environment_holds_are_left_out() {
    let answer = br#"{"env":{"":"x","A=B":"x","N":"a\u0000b","PATH":"x"}}"#;
    assert_eq!(decoded(&vendor(), "sessionStart", answer), json!({"session_env": {"PATH": "x"}}));
}

#[test]
fn follow_ups_in_two_shapes() {
    for (stdout, text) in [
        (r#"{"followup_message":"f","decision":"block","reason":"r"}"#, Some("f")),
        (r#"{"followup_message":"","decision":"block","reason":"r"}"#, Some("r")),
        (r#"{"decision":"block","reason":""}"#, None),
        (r#"{"decision":"block","hookSpecificOutput":{"reason":"r"}}"#, Some("r")),
        (r#"{"decision":"approve","hookSpecificOutput":{"decision":"block","reason":"r"}}"#, None),
    ] {
        let form = decoded(&vendor(), "stop", stdout.as_bytes());
        assert_eq!(form["continuation"]["text"].as_str(), text, "{stdout}: {form}");
    }
}

#[test]
fn claudes_shape_with_oddities() {
    for (stdout, expected) in [
        // The event's name in it is not looked at: the page does not name it.
        (
            r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}"#,
            json!({"verdict": "deny", "reasons": ["r"]}),
        ),
        (
            r#"{"permission":"deny","user_message":"u","hookSpecificOutput":{"permissionDecisionReason":"r"}}"#,
            json!({"verdict": "deny", "reasons": ["u"]}),
        ),
        // Asking is not enforced; the rewrite beside it approves nothing by itself.
        (r#"{"permission":"ask","updated_input":{"command":"x"}}"#, json!({"replacement_input": {"command": "x"}})),
    ] {
        assert_eq!(decoded(&vendor(), "preToolUse", stdout.as_bytes()), expected, "{stdout}");
    }
    for off_the_schema in [
        r#"{"permission":"allow","hookSpecificOutput":"x"}"#,
        r#"{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":"x"}}"#,
    ] {
        let form = decoded(&vendor(), "preToolUse", off_the_schema.as_bytes());
        assert_eq!((&form["verdict"], &form["failed"]), (&json!("deny"), &json!(true)), "{off_the_schema}");
    }
}

/// Matchers that two languages read differently are read as JavaScript reads them, as Cursor does.
#[test]
fn matchers_are_javascripts() {
    let matches = |adapter: &Adapter, text: &str, target: &str| {
        let (matcher, error) = adapter.matcher("preToolUse", Some(text));
        (matcher.matches(target), error.is_some())
    };
    for (text, target, in_cursor, in_rust) in [
        ("(?i)shell", "Shell", (Matched::No, true), (Matched::Yes, false)),
        ("[^]", "x", (Matched::Yes, false), (Matched::No, true)),
        ("(?P<n>a)", "a", (Matched::No, true), (Matched::Yes, false)),
        (r"\A", "A", (Matched::Yes, false), (Matched::Yes, false)),
        ("a(?=b)", "ab", (Matched::Yes, false), (Matched::No, true)),
        (r"^\d$", "٣", (Matched::No, false), (Matched::Yes, false)),
    ] {
        assert_eq!(matches(&vendor(), text, target), in_cursor, "{text}");
        assert_eq!(matches(&phase1(), text, target), in_rust, "{text}");
    }
}

/// The page of decisions names tests that exist.
#[test]
fn the_page_names_tests_that_exist() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../../docs/decisions/cursor-what-nobody-says.md")).expect("the page");
    let mut tests = String::new();
    for entry in std::fs::read_dir(root.join("tests/it")).expect("tests") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            tests.push_str(&std::fs::read_to_string(path).expect("a test"));
        }
    }
    let mut rows = 0;
    for line in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| What is open")) {
        let held = line.trim_end_matches('|').rsplit(" | ").next().expect("a cell").trim();
        rows += 1;
        if let Some(name) = held.strip_prefix('`').and_then(|rest| rest.split('`').next()) {
            assert!(tests.contains(&format!("fn {name}(")), "{line}");
        } else {
            assert!(held.len() > 10, "{line}");
        }
    }
    // One for each row of what the vectors leave out.
    assert_eq!(rows, 36);
}
