//! Claude's settings files as Cursor reads them.

use adapter_cursor::{seed, vendor};
use hooks_core::definition::State;
use hooks_core::matcher::Matched;
use hooks_core::{LoopLimit, Reach};

use crate::support::{parse, parse_foreign};

fn settings(matcher: &str) -> String {
    serde_json::json!({"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [{"type": "command", "command": "x"}]}]}})
        .to_string()
}

fn runs_on(matcher: &str, tool: &str) -> bool {
    let parsed = parse_foreign(&vendor(), &settings(matcher));
    parsed.definitions[0].state == State::Live && parsed.definitions[0].matcher.matches(tool) == Matched::Yes
}

#[test]
fn claudes_tool_names_are_cursors() {
    for (matcher, tool, expected) in [
        ("Bash", "Shell", true),
        ("Bash", "Read", false),
        ("Edit|Write", "Write", true),
        ("Edit, Bash", "Shell", true),
        // A list holds whole names, as Claude reads it.
        ("Rea", "Read", false),
        ("Glob", "Shell", false),
        ("^(Bash|Edit)$", "Shell", true),
        ("^(Bash|Edit)$", "Read", false),
        ("Rea.", "Read", true),
        (".*", "Grep", true),
        ("*", "Grep", true),
        ("", "Grep", true),
        (r"\bBash\b", "Shell", true),
        (r"^\w+$", "Shell", true),
    ] {
        assert_eq!(runs_on(matcher, tool), expected, "{matcher} on {tool}");
    }
}

#[test]
fn a_name_without_a_counterpart_is_told() {
    let parsed = parse_foreign(&vendor(), &settings("Glob|Bash"));
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(parsed.diagnostics[0].code.about, "tool-not-mapped");
    assert!(parsed.diagnostics[0].silent && parsed.diagnostics[0].message.contains("Glob"));
}

#[test]
fn faults_take_only_their_own_part_with_them() {
    let text = r#"{"model":"m","hooks":{
        "PreToolUse":[{"matcher":"(","hooks":[{"type":"command","command":"a"}]},
                      {"hooks":[{"type":"http","url":"u"},{"type":"command","command":"b","timeout":-1},{"type":"command"},5]},
                      "x", {"matcher":5,"hooks":[]}, {"matcher":"Bash"}],
        "Stop":[{"hooks":[{"type":"command","command":"c"}]}],
        "SessionStart":[{"matcher":"startup","hooks":[{"type":"command","command":"d"}]}],
        "Notification":[], "Stop2":5}}"#;
    let parsed = parse_foreign(&vendor(), text);
    assert!(!parsed.rejected);
    let live: Vec<_> =
        parsed.definitions.iter().filter(|d| d.state == State::Live).map(|d| d.handler.label()).collect();
    assert_eq!(live, ["d", "b", "c"]);
    let reports: Vec<_> =
        parsed.diagnostics.iter().map(|d| (d.code.about, d.pointer.clone().unwrap(), d.reach)).collect();
    let report = |about, pointer: &str, reach| (about, pointer.to_owned(), reach);
    for wanted in [
        report("event-not-supported", "/hooks/Notification", Reach::Event),
        report("event-not-supported", "/hooks/Stop2", Reach::Event),
        report("matcher-not-regex", "/hooks/PreToolUse/0/matcher", Reach::Group),
        report("unknown-handler-type", "/hooks/PreToolUse/1/hooks/0/type", Reach::Entry),
        report("wrong-type", "/hooks/PreToolUse/1/hooks/1/timeout", Reach::None),
        report("missing-field", "/hooks/PreToolUse/1/hooks/2", Reach::Entry),
        report("wrong-type", "/hooks/PreToolUse/1/hooks/3", Reach::Entry),
        report("wrong-type", "/hooks/PreToolUse/2", Reach::Group),
        report("wrong-type", "/hooks/PreToolUse/3/matcher", Reach::Group),
        report("missing-field", "/hooks/PreToolUse/4", Reach::Group),
        report("matcher-ignored", "/hooks/SessionStart/0/matcher", Reach::Entry),
    ] {
        assert!(reports.contains(&wanted), "{wanted:?} is not among {reports:#?}");
    }
    assert_eq!(reports.len(), 11);
}

#[test]
fn settings_without_hooks_are_no_fault() {
    let parsed = parse_foreign(&vendor(), r#"{"model":"m"}"#);
    assert!(!parsed.rejected && parsed.diagnostics.is_empty() && parsed.definitions.is_empty());
    assert!(parse_foreign(&vendor(), "{").rejected);
    assert!(parse_foreign(&vendor(), r#"{"hooks":[]}"#).rejected);
}

/// Case C293, and the prompt hooks of such a file on a host that runs none.
#[test]
fn limits_and_prompt_hooks_follow_the_host() {
    let text =
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"c"},{"type":"prompt","prompt":"done?"}]}]}}"#;
    let limits =
        |parsed: hooks_core::adapter::Parsed| parsed.definitions.iter().map(|d| d.loop_limit).collect::<Vec<_>>();
    assert_eq!(limits(parse_foreign(&vendor(), text)), [Some(LoopLimit::Unlimited); 2]);
    let parsed = parse_foreign(&seed(), text);
    assert_eq!(parsed.definitions[1].state.word(), "inert");
    assert_eq!(parsed.diagnostics.len(), 1);
}

#[test]
fn cursors_own_file_has_no_foreign_names() {
    let parsed = parse(&vendor(), r#"{"version":1,"hooks":{"preToolUse":[{"command":"x","matcher":"Bash"}]}}"#);
    assert_eq!(parsed.definitions[0].matcher.matches("Shell"), Matched::No);
}
