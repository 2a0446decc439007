//! No input panics, hangs or reaches a person raw.

use adapter_cursor::{Adapter, phase1, seed, vendor};
use hooks_core::adapter::DecodePolicy;
use hooks_core::definition::FailurePolicy;
use hooks_core::effects::{Effect, Verdict};
use hooks_core::outcome::{End, Outcome};
use hooks_core::text::is_unsafe_to_show;
use hooks_core::{HostSide, RawJson};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{binding, envelope, mended, parse, parse_foreign};

/// Text that is often nearly an answer or a document.
fn nearly() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(":"),
        Just(","),
        Just("\"permission\""),
        Just("\"allow\""),
        Just("\"deny\""),
        Just("\"ask\""),
        Just("\"continue\""),
        Just("true"),
        Just("false"),
        Just("null"),
        Just("5"),
        Just("\"user_message\""),
        Just("\"updated_input\""),
        Just("\"hookSpecificOutput\""),
        Just("\"decision\""),
        Just("\"block\""),
        Just("\"reason\""),
        Just("\"env\""),
        Just("\"hooks\""),
        Just("\"version\""),
        Just("1"),
        Just("\"stop\""),
        Just("\"command\""),
        Just("\"\\ud800\""),
        Just("\"\\u001b[2J\""),
        Just("\u{202e}"),
    ];
    prop_oneof![proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat()), ".{0,40}"]
}

/// Text that is often nearly a matcher.
fn matchers() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "Shell",
        "shell",
        "Bash",
        "Edit",
        "MCP:",
        "mcp:",
        "mcp__",
        "mcp__a__b",
        "__",
        ".*",
        ".+",
        "|",
        "||",
        ",",
        " ",
        "/",
        "^",
        "$",
        "(",
        ")",
        "[",
        "]",
        "[:space:]",
        "*",
        "**",
        "\\",
        "\\b",
        "i",
        "Read",
        "TabRead",
        "Explore",
        "stop",
        "é",
        "\u{202e}",
        "\"",
        "-",
        ":",
    ]);
    prop_oneof![proptest::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat()), ".{0,12}"]
}

fn ends() -> impl Strategy<Value = End> {
    prop_oneof![
        Just(End::Exited(0)),
        Just(End::Exited(2)),
        Just(End::Exited(1)),
        Just(End::Model),
        Just(End::TimedOut),
        Just(End::Cancelled),
        Just(End::Http(200)),
        Just(End::Tool { is_error: true }),
    ]
}

proptest! {
    #[test]
    fn answers_never_panic_and_are_safe_to_show(stdout in nearly(), end in ends(), truncated: bool, strict: bool, at in 0..21usize) {
        for adapter in [phase1(), seed(), vendor()] {
            let event = adapter.events()[at];
            let outcome = Outcome { stdout: stdout.clone().into_bytes(), stdout_truncated: truncated, ..Outcome::ended(end.clone()) };
            let hook = binding(&adapter, event.name, "\u{1b}[31mhook", FailurePolicy::Open);
            let effects = adapter.decode(&hook, &envelope(&adapter, event.name), &outcome, DecodePolicy { strict });
            for effect in &effects.effects {
                let texts = match effect {
                    Effect::Verdict { reasons, .. } => reasons.clone(),
                    Effect::Notice(text) | Effect::Context(text) => vec![text.clone()],
                    Effect::Halt(halt) => halt.reason.clone().into_iter().collect(),
                    Effect::Continue(continuation) => vec![continuation.text.clone()],
                    _ => Vec::new(),
                };
                prop_assert!(!texts.iter().any(|text| text.chars().any(is_unsafe_to_show)), "{:?}", texts);
            }
            // Only an answer that says so allows.
            let allows = effects.effects.iter().any(|effect| matches!(effect, Effect::Verdict { verdict: Verdict::Allow, .. }));
            prop_assert!(!allows || (stdout.contains("\"allow\"") && end == End::Exited(0) && !truncated));
        }
    }

    #[test]
    fn documents_never_panic(text in nearly(), more in nearly()) {
        let wrapped = format!(r#"{{"version":1,"hooks":{{"stop":[{{"command":{more}}}],"preToolUse":{text}}}}}"#);
        for adapter in [phase1(), seed(), vendor(), Adapter::latest()] {
            for document in [&text, &wrapped] {
                for parsed in [parse(&adapter, document), parse_foreign(&adapter, document)] {
                    for diagnostic in &parsed.diagnostics {
                        let range = diagnostic.range.clone().unwrap_or(0..0);
                        prop_assert!(document.get(range).is_some(), "{diagnostic:?}");
                        prop_assert!(!diagnostic.message.chars().any(is_unsafe_to_show));
                        for edit in &diagnostic.edits {
                            prop_assert!(document.get(edit.range.clone()).is_some(), "{diagnostic:?}");
                        }
                    }
                }
            }
        }
    }

    /// Whatever a matcher is, what is told of it points into the document, and mending it leaves a document.
    #[test]
    fn matchers_never_panic(matcher in matchers(), at in 0..21usize) {
        let event = Adapter::latest().events()[at].name;
        let text = json!({ "version": 1, "hooks": { event: [{ "command": "x", "matcher": matcher }] } }).to_string();
        for diagnostic in parse(&Adapter::latest(), &text).diagnostics {
            prop_assert!(diagnostic.range.clone().is_some_and(|range| text.get(range).is_some()), "{diagnostic:?}");
            prop_assert!(!diagnostic.message.chars().any(is_unsafe_to_show));
            if !diagnostic.edits.is_empty() {
                let mended = mended(&text, &diagnostic.edits);
                prop_assert!(serde_json::from_str::<Value>(&mended).is_ok(), "{diagnostic:?}: {mended}");
            }
        }
    }

    #[test]
    fn tool_inputs_never_panic(text in nearly(), at in 0..13usize) {
        const TOOLS: [&str; 13] = ["Shell", "Read", "Write", "StrReplace", "ApplyPatch", "Delete", "Glob", "Grep", "List",
            "WebFetch", "Task", "MCP:x", "MCPResource:y"];
        if let Ok(raw) = RawJson::parse(&text) {
            let call = vendor().tool_call(TOOLS[at], &raw);
            let _ = vendor().project(&call, &raw);
        }
    }
}

#[test]
fn large_and_deep_input_ends_soon() {
    let deep = "[".repeat(200_000);
    let rewrite =
        format!(r#"{{"permission":"allow","updated_input":{{"a":{}1{}}}}}"#, "[".repeat(5_000), "]".repeat(5_000));
    let hook = binding(&vendor(), "preToolUse", "x", FailurePolicy::Open);
    let occurrence = envelope(&vendor(), "preToolUse");
    for stdout in [deep.as_str(), rewrite.as_str()] {
        let effects = vendor().decode(&hook, &occurrence, &Outcome::exited(0, stdout), DecodePolicy::default());
        assert!(matches!(effects.effects[..], [Effect::Verdict { verdict: Verdict::Deny, .. }]), "{:.80}", stdout);
    }
    assert!(parse(&vendor(), &deep).rejected);
    // Many keys in one object: the time may only grow with their number.
    let keys: Vec<String> = (0..100_000).map(|at| format!("\"k{at}\":[]")).collect();
    let parsed = parse(&vendor(), &format!(r#"{{"version":1,"hooks":{{{}}}}}"#, keys.join(",")));
    assert_eq!(parsed.diagnostics.len(), 100_000);
    // Many hooks, keys and faults: likewise, and everything is told.
    let hooks = |count: usize, matcher: &str| -> Vec<Value> {
        (0..count).map(|at| json!({ "command": format!("x{at}"), "matcher": matcher })).collect()
    };
    let many = json!({ "version": 1, "hooks": {
        "preToolUse": hooks(5_000, "shell"), "beforeShellExecution": hooks(5_000, ""), "beforeReadFile": hooks(5_000, ""),
    } });
    assert_eq!(parse(&Adapter::latest(), &many.to_string()).diagnostics.len(), 5_000);
    let both = json!({ "version": 1, "hooks": {
        "preToolUse": hooks(5_000, "Shell"), "beforeShellExecution": hooks(5_000, ""),
    } });
    assert_eq!(parse(&Adapter::latest(), &both.to_string()).diagnostics.len(), 5_000);
    let twice = vec![r#""preToolUse":[{"command":"x"}]"#; 5_000].join(",");
    let parsed = parse(&Adapter::latest(), &format!(r#"{{"version":1,"hooks":{{{twice}}}}}"#));
    assert_eq!(parsed.diagnostics.len(), 4_999);
    let same = json!({ "version": 1, "hooks": { "preToolUse": vec![json!({ "command": "x" }); 5_000] } });
    assert_eq!(parse(&Adapter::latest(), &same.to_string()).diagnostics.len(), 4_999);
    let long = "x".repeat(1 << 20);
    let effects = vendor().decode(
        &binding(&vendor(), "preToolUse", &long, FailurePolicy::Open),
        &occurrence,
        &Outcome::exited(2, ""),
        DecodePolicy::default(),
    );
    let Effect::Verdict { reasons, .. } = &effects.effects[0] else { panic!("a verdict") };
    assert!(reasons[0].len() < 1_000);
}
