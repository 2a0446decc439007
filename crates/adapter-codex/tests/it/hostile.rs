//! Nothing panics, whatever a document or an answer holds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use adapter_codex::events::EVENTS;
use adapter_codex::trust::fingerprints;
use adapter_codex::{Adapter, DIALECT};
use hooks_conformance::{Given, sample};
use hooks_core::source::{Origin, Role, Source, Syntax};
use hooks_core::{Binding, DecodePolicy, HookSide, HostSide, Outcome};
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
    let handler = format!("{{\"type\":\"command\",\"command\":\"a\",{}}}", members.join(","));
    parse_everywhere(format!("{{\"hooks\":{{\"Stop\":[{{\"hooks\":[{handler}]}}]}}}}").as_bytes());
    let stdin = format!("{{\"hook_event_name\":\"Stop\",{}}}", members.join(","));
    assert_eq!(Adapter::latest().read_stdin(stdin.as_bytes()).unwrap().1.common.extra.len(), members.len());
}

/// A document with so many of something.
type Made<'m> = dyn Fn(usize) -> (Syntax, String) + 'm;

#[test]
fn ten_thousand_faults_are_told_in_time_in_proportion() {
    let told = |syntax, text: String| {
        let path = if syntax == Syntax::Toml { "/p/.codex/config.toml" } else { "/p/.codex/hooks.json" };
        let vendor = Adapter::latest().vendor().clone();
        let source = Arc::new(Source::hooks(vendor, Origin::Project, syntax, path, text.into_bytes()));
        let started = Instant::now();
        let parsed = Adapter::latest().parse(&source);
        let found = parsed.diagnostics.len() + Adapter::latest().across(&[parsed]).len();
        (found, started.elapsed())
    };
    let json = |groups: &str, count: usize| {
        (Syntax::Json, format!("{{\"hooks\":{{\"PreToolUse\":[{}]}}}}", vec![groups; count].join(",")))
    };
    let toml = |lines: &str, count: usize| (Syntax::Toml, lines.repeat(count));
    let documents: [(&str, &Made<'_>); 4] = [
        ("fields", &|count| json(r#"{"hooks":[{"type":"command","command":"a","timeout":"5","foo":1}]}"#, count)),
        ("places", &|count| json(r#"{"type":"command","command":"a","matcher":"shell"}"#, count)),
        ("TOML places", &|count| {
            toml("[[hooks.PreToolUse]]\nmatcher = 'shell'\ntype = 'command'\ncommand = 'a'\n", count)
        }),
        ("TOML outside", &|count| toml("[[Stop]]\n[[Stop.hooks]]\ntype = 'command'\ncommand = 'a'\n", count)),
    ];
    for (name, document) in documents {
        let (syntax, few) = document(1000);
        let (_, short) = told(syntax, few);
        let (syntax, many) = document(10_000);
        let (found, long) = told(syntax, many);
        assert!(found > 0, "{name}");
        // Ten times as much, with room for a busy machine; the square of that is a hundred.
        assert!(long < short * 50 + Duration::from_millis(500), "{name}: {short:?}, then {long:?}");
    }
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

const JSON: &str = r#"{"description":"d","hooks":{"PreToolUse":[{"matcher":"Bash|^x(","hooks":[{"type":"command","command":"a","timeout":0,
"async":true,"additionalContextLimit":5},{"type":"mcp_tool","server":"s","tool":"t","input":{"a":[1.0,"${x}"]}}]}],"SessionEnd":[{"hooks":
[{"type":"command","command":"b","timeout":99,"commandWindows":"c"},{"type":"prompt","prompt":"p"}]}],"stop":[]}}"#;

const TOML: &str = "features.hooks = false\n[hooks.state.\"a:stop:0:0\"]\nenabled = true\ntrusted_hash = 'x'\n[[hooks.Stop]]\n\
    matcher = '['\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = \"\"\"\na\"\"\"\ntimeout = 0x10\n[[hooks.Stop.hooks]]\n\
    type = 'mcp_tool'\nserver = 's'\ntool = 't'\ninput = { a = [1979-05-27, inf, 1_0.5e3], \"b.c\" = {} }\n";

/// Lines that make up documents in TOML more often than random ones do.
fn toml_line() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "hooks", "state", "Stop", "type", "command", "timeout", "features", "a.b", "\"x y\"",
    ]);
    let value = prop::sample::select(vec![
        "1",
        "-1",
        "'command'",
        "true",
        "[]",
        "{}",
        "[{}]",
        "{ hooks = [] }",
        "1979-05-27",
        "nan",
        "\"\\u0000\"",
        "[[1]]",
        "'",
    ]);
    let table = prop::sample::select(vec![
        "[hooks]",
        "[[hooks.Stop]]",
        "[[hooks.Stop.hooks]]",
        "[hooks.state.k]",
        "[features]",
        "[[hooks]]",
        "[hooks.Stop]",
        "[",
    ]);
    prop_oneof![table.prop_map(str::to_owned), (key, value).prop_map(|(key, value)| format!("{key} = {value}"))]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn made_up_values(text in value()) {
        parse_everywhere(text.as_bytes());
        answer_everywhere(text.as_bytes());
    }

    #[test]
    fn any_matcher_compiles_or_says_why(text in "\\PC{0,40}", subject in "[A-Za-z_]{0,12}") {
        let adapter = Adapter::latest();
        for event in ["PreToolUse", "SessionStart", "Stop"] {
            let (matcher, error) = adapter.matcher(event, Some(&text));
            let ignored = event == "Stop";
            prop_assert!(!(ignored && error.is_some()));
            let _ = matcher.matches(&subject);
        }
    }

    #[test]
    fn made_up_toml(lines in prop::collection::vec(toml_line(), 0..20)) {
        parse_everywhere(lines.join("\n").as_bytes());
    }

    #[test]
    fn documents_with_something_cut_out(at in 0..600usize, length in 0..12usize) {
        for text in [JSON, TOML] {
            let mut bytes = text.as_bytes().to_vec();
            let from = at.min(bytes.len());
            let to = (from + length).min(bytes.len());
            bytes.drain(from..to);
            parse_everywhere(&bytes);
        }
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        parse_everywhere(&bytes);
        answer_everywhere(&bytes);
    }
}
