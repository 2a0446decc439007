//! Nothing panics, whatever a document or an answer holds.

use std::sync::Arc;

use adapter_codex::events::EVENTS;
use adapter_codex::trust::fingerprints;
use adapter_codex::{Adapter, DIALECT};
use hooks_conformance::{Given, sample};
use hooks_core::source::{Origin, Role, Source, Syntax};
use hooks_core::{Binding, DecodePolicy, HostSide, Outcome};
use proptest::prelude::*;

fn parse_everywhere(bytes: &[u8]) {
    let adapter = Adapter::latest();
    for (syntax, role) in [
        (Syntax::Json, Role::Hooks),
        (Syntax::Json, Role::PluginManifest),
        (Syntax::Toml, Role::Hooks),
        (Syntax::Toml, Role::Requirements),
        (Syntax::Yaml, Role::Hooks),
    ] {
        let mut source = Source::hooks(adapter.vendor().clone(), Origin::User, syntax, "x", bytes.to_vec());
        source.role = role;
        let source = Arc::new(source);
        let parsed = adapter.parse(&source);
        for found in &parsed.diagnostics {
            if let Some(range) = &found.range {
                assert!(range.start <= range.end && range.end <= bytes.len().max(1), "{range:?} of {}", bytes.len());
            }
        }
        let _ = adapter.rule(&[parsed]);
        let _ = fingerprints(&source, DIALECT.latest, true);
    }
}

fn answer_everywhere(stdout: &[u8]) {
    let adapter = Adapter::latest();
    for event in &EVENTS {
        let binding = Binding::alone(adapter.blank(event.facts.name).unwrap());
        let envelope = sample::envelope(&adapter, event.facts.name, &Given::default()).expect("a sample");
        for strict in [false, true] {
            let outcome = Outcome { stderr: stdout.to_vec(), ..Outcome::exited(0, stdout.to_vec()) };
            let _ = adapter.decode(&binding, &envelope, &outcome, DecodePolicy { strict });
            let exit_2 = Outcome { end: hooks_core::End::Exited(2), ..outcome };
            let _ = adapter.decode(&binding, &envelope, &exit_2, DecodePolicy { strict });
        }
    }
}

#[test]
fn odd_documents() {
    let deep = "[".repeat(100_000);
    for text in [
        "",
        "null",
        "1e999",
        "\"\\ud800\"",
        "{\"hooks\":{\"Stop\":[{\"hooks\":[null,1,[],{\"type\":null},{\"type\":\"command\",\"command\":null}]}]}}",
        "{\"hooks\":{\"Stop\":[null,1,\"x\",[]]}}",
        "{\"hooks\":{\"Stop\":[{\"matcher\":\"(((((\",\"hooks\":{}}]}}",
        "{\"\":{},\"hooks\":{\"~/\":1}}",
        "hooks = 1\n[features]\nhooks = 'x'\n",
        "[hooks]\nstate = 3\n",
        "[hooks.state]\na = 1979-05-27\n",
        &deep,
        &format!("{{\"hooks\":{deep}"),
        &format!("a = {deep}"),
    ] {
        parse_everywhere(text.as_bytes());
        answer_everywhere(text.as_bytes());
    }
    parse_everywhere(&[0xff, 0xfe, 0]);
    answer_everywhere(&[0xff, 0xfe, 0]);
}

#[test]
fn wide_documents_take_time_in_proportion() {
    let members: Vec<String> = (0..30_000).map(|at| format!("\"k{at}\":[]")).collect();
    parse_everywhere(format!("{{\"hooks\":{{{}}}}}", members.join(",")).as_bytes());
    answer_everywhere(format!("{{{}}}", members.join(",")).as_bytes());
}

/// Values that look like answers and documents more often than random bytes do.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        Just("-1.5e3".to_owned()),
        Just("7".to_owned()),
        Just("\"block\"".to_owned()),
        Just("\"deny\"".to_owned()),
        Just("\"allow\"".to_owned()),
        Just("\"PreToolUse\"".to_owned()),
        Just("\"command\"".to_owned()),
        Just("\" \"".to_owned()),
        Just("\"\\u001b[31m\"".to_owned()),
    ];
    let key = prop::sample::select(vec![
        "continue",
        "stopReason",
        "suppressOutput",
        "systemMessage",
        "decision",
        "reason",
        "hookSpecificOutput",
        "hookEventName",
        "additionalContext",
        "permissionDecision",
        "permissionDecisionReason",
        "updatedInput",
        "updatedMCPToolOutput",
        "behavior",
        "message",
        "updatedPermissions",
        "interrupt",
        "hooks",
        "description",
        "PreToolUse",
        "Stop",
        "SessionEnd",
        "type",
        "command",
        "timeout",
        "matcher",
        "async",
        "input",
        "server",
        "tool",
        "state",
        "x",
    ]);
    leaf.prop_recursive(6, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((key.clone(), inner), 0..6).prop_map(|members| {
                let members: Vec<_> = members.into_iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn made_up_values(text in value()) {
        parse_everywhere(text.as_bytes());
        answer_everywhere(text.as_bytes());
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        parse_everywhere(&bytes);
        answer_everywhere(&bytes);
    }
}
