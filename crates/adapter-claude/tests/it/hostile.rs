//! Nothing panics, whatever stands in a document, a payload or an answer.

use std::sync::Arc;

use adapter_claude::events::{EVENTS, Event, OLDEST};
use adapter_claude::{Adapter, DIALECT, Options, VENDOR, codes};
use hooks_conformance::{Given, sample};
use hooks_core::adapter::DecodePolicy;
use hooks_core::outcome::{End, Outcome};
use hooks_core::source::{Life, Origin, Role, Source, Syntax};
use hooks_core::{Binding, HookSide, HostSide, RawJson};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Values that keys of this format could have, right and wrong.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::sample::select(vec![
            "block",
            "approve",
            "allow",
            "deny",
            "ask",
            "defer",
            "PreToolUse",
            "Stop",
            "command",
            "http",
            "mcp_tool",
            "prompt",
            "agent",
            "Bash|",
            "(",
            "[^]",
            "*",
            "",
            "\u{1b}]0;x\u{7}",
            "\u{feff}",
            "${CLAUDE_PLUGIN_ROOT}",
            "Bash($(",
            "bash",
        ])
        .prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        let key = prop::sample::select(vec![
            "hooks",
            "matcher",
            "type",
            "command",
            "args",
            "if",
            "timeout",
            "onFailure",
            "async",
            "shell",
            "PreToolUse",
            "Stop",
            "SessionStart",
            "continue",
            "stopReason",
            "decision",
            "reason",
            "systemMessage",
            "hookSpecificOutput",
            "hookEventName",
            "permissionDecision",
            "updatedInput",
            "additionalContext",
            "behavior",
            "updatedPermissions",
            "watchPaths",
            "updatedToolOutput",
            "terminalSequence",
            "ok",
            "zzz",
            "permissions",
            "disableAllHooks",
            "headers",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6).prop_map(|members| {
                Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
            }),
        ]
    })
}

fn adapters() -> [Adapter; 2] {
    [Adapter::latest(), Adapter::new(&DIALECT, OLDEST, Options::default())]
}

fn parse_everywhere(bytes: &[u8]) {
    for adapter in adapters() {
        for (origin, role) in [
            (Origin::Project, Role::Hooks),
            (Origin::Managed, Role::Hooks),
            (Origin::Plugin, Role::Hooks),
            (Origin::Plugin, Role::PluginManifest),
        ] {
            let mut source = Source::hooks(VENDOR, origin, Syntax::Json, "x", bytes);
            source.role = role;
            let parsed = adapter.parse(&Arc::new(source));
            for diagnostic in &parsed.diagnostics {
                assert!(codes::CODES.contains(&diagnostic.code), "{}", diagnostic.code.id);
                let range = diagnostic.range.clone().unwrap_or(0..0);
                assert!(range.start <= range.end && range.end <= bytes.len(), "{diagnostic:?}");
            }
            let live = parsed.definitions.iter().any(|found| found.state == hooks_core::State::Live);
            assert!(!(parsed.rejected && live));
            let _ = adapter.rule(std::slice::from_ref(&parsed));
            for definition in parsed.definitions {
                if let Some(envelope) = sample::envelope(&adapter, &definition.place.event, &Given::default()) {
                    let _ = adapter.condition(&definition, &envelope);
                    let _ = adapter.encode(&Binding::alone(definition), &envelope, &mut Vec::new());
                }
            }
        }
    }
}

fn parse_head(text: &str) {
    for life in [Life::Session, Life::Agent("a".into())] {
        let mut source = Source::hooks(VENDOR, Origin::Frontmatter, Syntax::Yaml, "x", text.as_bytes());
        source.life = life;
        let parsed = Adapter::latest().parse(&Arc::new(source));
        for diagnostic in &parsed.diagnostics {
            let range = diagnostic.range.clone().unwrap_or(0..0);
            assert!(range.start <= range.end && range.end <= text.len(), "{diagnostic:?} in {text:?}");
        }
        for definition in &parsed.definitions {
            assert!(definition.range.end <= text.len() && text.is_char_boundary(definition.range.start));
        }
    }
}

fn decode_everywhere(stdout: &[u8], stderr: &[u8]) {
    for event in EVENTS.iter() {
        decode_on(event, stdout, stderr);
    }
}

fn decode_on(event: &Event, stdout: &[u8], stderr: &[u8]) {
    for adapter in adapters() {
        let Some(blank) = adapter.blank(event.facts.name) else { continue };
        let envelope = sample::envelope(&adapter, event.facts.name, &Given::default()).expect("an occurrence");
        let binding = Binding::alone(blank);
        let ends =
            [End::Exited(0), End::Exited(2), End::Exited(1), End::Http(200), End::Tool { is_error: false }, End::Model];
        for end in ends {
            let outcome = Outcome { stdout: stdout.into(), stderr: stderr.into(), ..Outcome::ended(end) };
            let _ = adapter.decode(&binding, &envelope, &outcome, DecodePolicy { strict: true });
            let _ = adapter.decode(&binding, &envelope, &outcome, DecodePolicy::default());
            let _ = adapter.decode_late(&binding, &envelope, &outcome);
        }
    }
}

proptest! {
    #![proptest_config(super::cases(96))]

    #[test]
    fn documents(document in value()) {
        parse_everywhere(document.to_string().as_bytes());
        parse_everywhere(json!({ "hooks": document }).to_string().as_bytes());
        parse_everywhere(json!({ "hooks": { "PreToolUse": [{ "hooks": [document] }] } }).to_string().as_bytes());
    }

    #[test]
    fn bytes(document in prop::collection::vec(any::<u8>(), 0..64)) {
        parse_everywhere(&document);
        decode_everywhere(&document, &document);
    }

    #[test]
    fn answers(answer in value(), stderr in ".{0,16}") {
        decode_everywhere(answer.to_string().as_bytes(), stderr.as_bytes());
        for event in EVENTS.iter() {
            let mut nested = answer.clone();
            if let Some(object) = nested.as_object_mut() {
                object.insert("hookEventName".into(), event.facts.name.into());
            }
            let text = json!({ "hookSpecificOutput": nested, "decision": "block" }).to_string();
            decode_on(event, text.as_bytes(), b"");
        }
    }

    #[test]
    fn tools(name in "[A-Za-z_]{0,12}", input in value()) {
        let adapter = Adapter::latest();
        let raw = RawJson::from(&input);
        for name in ["Bash", "Read", "Write", "Edit", "MultiEdit", "Agent", "Grep", "mcp__a__b", "mcp____", &name] {
            let call = adapter.tool_call(name, &raw);
            let _ = adapter.tool_names(&call);
            let _ = adapter.project(&call, &raw);
        }
    }

    #[test]
    fn heads(text in "[-a-z:{}\\[\\]&*!|>'\"#%@,? \n\t0-9]{0,160}", document in value()) {
        parse_head(&format!("---\n{text}\n---\n"));
        // JSON is YAML.
        parse_head(&format!("---\nhooks: {document}\n---\nrest"));
        parse_head(&text);
    }

    #[test]
    fn payloads(payload in value(), event in prop::sample::select(EVENTS.iter().map(|event| event.facts.name).collect::<Vec<_>>())) {
        let mut payload = payload;
        if let Some(object) = payload.as_object_mut() {
            object.insert("hook_event_name".into(), event.into());
            object.entry("tool_name").or_insert_with(|| "Bash".into());
            object.entry("tool_input").or_insert_with(|| json!({ "command": "ls" }));
        }
        for adapter in adapters() {
            if let Ok((facts, envelope)) = adapter.read_stdin(payload.to_string().as_bytes()) {
                let binding = Binding::alone(adapter.blank(facts.name).expect("an event"));
                adapter.encode(&binding, &envelope, &mut Vec::new()).expect("what was read can be written");
                let _ = adapter.subject(facts, &envelope);
            }
        }
    }

    #[test]
    fn conditions(tool in prop::sample::select(vec!["Bash", "Edit", "Read", "Write", "WebFetch", "Agent", "mcp__a__b"]), rule in "(Bash|Edit|Read|Write|WebFetch|Agent|mcp__a__b)?\\(?[-a-z*/.~!$`'\"()|&;<>{}\\[\\]\\\\ :]{0,40}\\)?", text in "[-a-z*/.~$`'\"()|&;<>{}\\[\\]\\\\ :=\n]{0,80}") {
        let adapter = Adapter::latest();
        let input = json!({ "command": text, "file_path": text, "content": "", "old_string": "", "new_string": "", "url": text, "description": "", "prompt": "" });
        let call = adapter.tool_call(tool, &RawJson::from(&input));
        let mut envelope = sample::envelope(&adapter, "PreToolUse", &Given::default()).expect("an occurrence");
        envelope.payload = hooks_core::Payload::ToolBefore(hooks_core::envelope::ToolUse { id: None, call });
        let mut definition = adapter.blank("PreToolUse").expect("an event");
        definition.condition = Some(rule);
        let _ = adapter.condition(&definition, &envelope);
    }

    #[test]
    fn matchers(text in ".{0,24}") {
        let adapter = Adapter::latest();
        for event in ["PreToolUse", "FileChanged", "Stop"] {
            let (matcher, _) = adapter.matcher(event, Some(&text));
            let _ = matcher.matches("Bash");
        }
    }
}

/// Documents and values made to be slow end soon all the same. The limit is generous: what is held off is growth without bound.
#[test]
fn hostile_documents_end_soon() {
    let started = std::time::Instant::now();
    let flow = |open: &str, close: &str| format!("---\nhooks: {}{}\n---\n", open.repeat(20_000), close.repeat(20_000));
    let mut laughs = "---\na0: &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for level in 1..20 {
        laughs += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(","));
    }
    let keys: String = (0..20_000).map(|at| format!("k{at}: v\n")).collect();
    for text in [
        flow("[", "]"),
        flow("{a: ", "}"),
        flow("- ", ""),
        laughs + "---\n",
        format!("---\n{keys}---\n"),
        format!("---\n{}\n---\n", "? ".repeat(10_000)),
        format!("---\nhooks: \"{}\"\n---\n", "\\x41".repeat(50_000)),
        format!("---\n{}\n---\n", "x".repeat(2 << 20)),
        "---\n".repeat(50_000),
    ] {
        parse_head(&text);
    }
    let deep = format!(
        "{{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let _ = Adapter::latest().read_stdin(deep.as_bytes());
    let wide: String = (0..20_000).map(|at| format!(",\"k{at}\":{at}")).collect();
    let _ = Adapter::latest().read_stdin(format!("{{\"hook_event_name\":\"Stop\"{wide}}}").as_bytes());
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

/// Documents with very many faults: what is said of each does not cost a look at all the others.
#[test]
fn documents_full_of_faults_end_soon() {
    let many = |part: &dyn Fn(usize) -> String| (0..20_000).map(part).collect::<Vec<_>>().join(",");
    let event = |groups: &str| format!("{{\"hooks\":{{\"PreToolUse\":[{groups}]}}}}");
    let handler = |keys: &str| event(&format!("{{\"hooks\":[{{\"type\":\"http\",\"url\":\"http://x\",{keys}}}]}}"));
    let documents = [
        format!("{{{}}}", many(&|at| format!("\"disableAllHook{}\":1", at % 9))),
        format!("{{{}}}", many(&|_| "\"Stop\":[]".to_owned())),
        format!("{{\"hooks\":{{{}}}}}", many(&|at| format!("\"Stop{at}\":[]"))),
        format!("{{\"hooks\":{{{}}}}}", many(&|_| "\"Stop\":[]".to_owned())),
        handler(&many(&|_| "\"a\":1".to_owned())),
        handler(&many(&|at| format!("\"a{at}\":1"))),
        handler(&format!("\"headers\":{{{}}}", many(&|at| format!("\"h{at}\":\"$V{at}\"")))),
        event(&format!("{{\"hooks\":[],{}}}", many(&|at| format!("\"a{}\":1", at % 30_000)))),
        event(&many(&|at| {
            format!("{{\"matcher\":\"A{}\",\"hooks\":[{{\"type\":\"command\",\"command\":\"x\"}}]}}", at % 500)
        })),
    ];
    for (at, text) in documents.iter().enumerate() {
        let started = std::time::Instant::now();
        let source = Source::hooks(VENDOR, Origin::Project, Syntax::Json, "x", text.as_bytes());
        let parsed = Adapter::latest().parse(&Arc::new(source));
        assert!(!parsed.diagnostics.is_empty(), "document {at}");
        assert!(started.elapsed().as_secs() < 20, "document {at}: {:?}", started.elapsed());
    }
}

#[test]
fn deep_and_long_answers_end() {
    let deep = format!("{{\"hookSpecificOutput\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let nested = "{\"hookSpecificOutput\":".repeat(20_000) + "1" + &"}".repeat(20_000);
    let long = format!("{{\"reason\":\"{}\",\"decision\":\"block\"}}", "x".repeat(4 << 20));
    let lines = "{\"a\":1}\n".repeat(50_000);
    let adapter = Adapter::latest();
    let envelope = sample::envelope(&adapter, "PreToolUse", &Given::default()).expect("an occurrence");
    let binding = Binding::alone(adapter.blank("PreToolUse").expect("an event"));
    for stdout in [deep, nested, long, lines] {
        let _ = adapter.decode(&binding, &envelope, &Outcome::exited(0, stdout.as_str()), DecodePolicy::default());
    }
    let input = format!(
        "{{\"hookSpecificOutput\":{{\"hookEventName\":\"PreToolUse\",\"updatedInput\":{{\"command\":\"x\",\"y\":{}{}}}}}}}",
        "[".repeat(50_000),
        "]".repeat(50_000)
    );
    let effects = adapter.decode(&binding, &envelope, &Outcome::exited(0, input), DecodePolicy::default());
    assert!(effects.failure.is_none());
}
