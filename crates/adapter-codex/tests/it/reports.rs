//! Reports of runs: the client's own statuses and entries for every case of the output sweep, and what runs are called.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use adapter_codex::events::EVENTS;
use adapter_codex::report::{Report, display_order, source_word};
use adapter_codex::{Adapter, locations};
use hooks_conformance::{Given, sample};
use hooks_core::adapter::Parsed;
use hooks_core::envelope::ToolUse;
use hooks_core::source::{Origin, Plugin, Role, Source, Syntax};
use hooks_core::{Binding, DecodePolicy, End, Envelope, Handler, HostSide, Outcome, Payload, ToolCall};
use serde_json::Value;

/// The outcome of a vector, where it is written out whole.
fn outcome(spec: &Value) -> Option<Outcome> {
    let end = match &spec["end"] {
        Value::String(word) if word == "timed_out" => End::TimedOut,
        end => match (end["exited"].as_i64(), end["signalled"].as_i64()) {
            (Some(code), _) => End::Exited(i32::try_from(code).unwrap()),
            (_, Some(signal)) => End::Signalled(i32::try_from(signal).unwrap()),
            _ => return None,
        },
    };
    let bytes = |key: &str| match &spec[key] {
        Value::Null => Some(Vec::new()),
        Value::String(text) => Some(text.clone().into_bytes()),
        _ => None,
    };
    Some(Outcome { stderr: bytes("stderr")?, stdout: bytes("stdout")?, ..Outcome::ended(end) })
}

fn completed(event: &str, outcome: &Outcome) -> Report {
    let adapter = Adapter::latest();
    let binding = Binding::alone(adapter.blank(event).unwrap());
    let envelope = sample::envelope(&adapter, event, &Given::default()).expect("a sample");
    let effects = adapter.decode(&binding, &envelope, outcome, DecodePolicy::default());
    let started = adapter.started(&binding, &envelope, 0).unwrap();
    assert_eq!((started.status, started.entries.len()), ("running", 0));
    adapter.completed(started, outcome, &effects)
}

/// Status and entries by their first letters, as the recordings write them.
fn cell(report: &Report) -> String {
    let first = |word: &str| word.chars().next().unwrap();
    let status = first(report.status).to_ascii_uppercase();
    std::iter::once(status).chain(report.entries.iter().map(|entry| first(entry.kind.as_str()))).collect()
}

/// The outcomes of the sweep's cases on an event, as far as vectors write them out.
fn sweep(event: &str) -> BTreeMap<String, Outcome> {
    let path = crate::fixtures("vectors/codex").join(format!("{event}.json"));
    let file: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let mut cases = BTreeMap::new();
    for vector in file["vectors"].as_array().unwrap().iter().filter(|vector| vector["kind"] == "decode") {
        let Some(outcome) = outcome(&vector["outcome"]) else { continue };
        for source in vector["source"].as_str().unwrap().split("; ") {
            if let Some((_, name)) = source.split_once(&format!("outcomes.{event}#")) {
                cases.insert(name.to_owned(), outcome.clone());
            }
        }
    }
    cases
}

/// One case of the output sweep on an event: what the hook did, and how the client reported it.
pub(crate) struct Swept {
    pub(crate) event: String,
    pub(crate) case: String,
    pub(crate) outcome: Outcome,
    pub(crate) cell: String,
}

/// Every case of the sweep on every event. Where no vector of the event has the case, it is the same outcome as on
/// another event, under its own name.
pub(crate) fn swept() -> Vec<Swept> {
    let text = fs::read_to_string(crate::fixtures("codex/reports.json")).unwrap();
    let table: Value = serde_json::from_str(&text).unwrap();
    let cells: BTreeMap<String, BTreeMap<String, String>> = serde_json::from_value(table["cells"].clone()).unwrap();
    let sweeps: Vec<_> = EVENTS.iter().map(|event| (event.facts.name, sweep(event.facts.name))).collect();
    let mut all = Vec::new();
    for (case, row) in cells {
        for (event, cell) in row {
            let own = sweeps.iter().find(|(name, _)| *name == event).and_then(|(_, cases)| cases.get(&case).cloned());
            let outcome = own.or_else(|| {
                let (name, cases) = sweeps.iter().find(|(name, cases)| *name != "Stop" && cases.contains_key(&case))?;
                let outcome = cases[&case].clone();
                let stdout =
                    String::from_utf8_lossy(&outcome.stdout).replace(&format!("\"{name}\""), &format!("\"{event}\""));
                Some(Outcome { stdout: stdout.into_bytes(), ..outcome })
            });
            all.extend(outcome.map(|outcome| Swept { event, case: case.clone(), outcome, cell }));
        }
    }
    all
}

#[test]
fn every_case_of_the_sweep_is_reported_as_the_client_does() {
    let swept = swept();
    for Swept { event, case, outcome, cell: wanted } in &swept {
        assert_eq!(cell(&completed(event, outcome)), *wanted, "{event}: {case}");
    }
    // Bytes that are no UTF-8 are written otherwise in the vectors, which hold that case themselves.
    assert_eq!(swept.len(), 133 * 14);
}

#[test]
fn entries_carry_the_clients_texts() {
    // Vendor page, sections 10 and 11.3.
    let texts = |event: &str, outcome: &Outcome| {
        completed(event, outcome).entries.into_iter().map(|entry| entry.text).collect::<Vec<_>>()
    };
    let failed = |code, stderr: &str| Outcome { stderr: stderr.into(), ..Outcome::exited(code, "") };
    for event in ["PreCompact", "PostCompact", "SessionEnd"] {
        assert_eq!(texts(event, &failed(1, " boom \n")), ["boom"], "{event}");
        assert!(texts(event, &failed(1, ""))[0].contains('1'), "{event}");
    }
    assert!(texts("SessionStart", &failed(1, "boom"))[0].contains("code 1"));
    assert_eq!(texts("PreModelRequest", &failed(0, "boom")), ["boom"]);
    assert!(texts("PreModelRequest", &failed(3, "")).is_empty());
    let stop = Outcome::exited(0, r#"{"continue":false,"stopReason":"s1","reason":"r1"}"#);
    assert_eq!(texts("PostToolUse", &stop), ["s1"]);
    assert_eq!(texts("SessionStart", &Outcome::exited(0, r#"{"continue":false}"#)), [""; 0]);
}

fn document(origin: Origin, path: &str, text: &str) -> Parsed {
    let syntax = if path.ends_with(".toml") { Syntax::Toml } else { Syntax::Json };
    let vendor = Adapter::latest().vendor().clone();
    Adapter::latest().parse(&Arc::new(Source::hooks(vendor, origin, syntax, path, text.as_bytes().to_vec())))
}

#[test]
fn runs_are_called_by_event_place_path_and_call() {
    // Cases A15 and C11.
    let adapter = Adapter::latest();
    for (event, kebab) in [("PreToolUse", "pre-tool-use"), ("PostToolUse", "post-tool-use")] {
        let text = format!(r#"{{"hooks":{{"{event}":[{{"hooks":[{{"type":"command","command":"a"}}]}}]}}}}"#);
        let parsed = document(Origin::User, "/tmp/hooks.json", &text);
        let mut envelope = sample::envelope(&adapter, event, &Given::default()).expect("a sample");
        let tool = ToolUse { id: Some("tool-call-123".into()), call: ToolCall::shell("ls") };
        match &mut envelope.payload {
            Payload::ToolBefore(use_) => *use_ = tool,
            Payload::ToolResult(returned) => returned.tool = tool,
            _ => panic!("no tool"),
        }
        let started = adapter.started(&Binding::alone(parsed.definitions[0].clone()), &envelope, 0).unwrap();
        assert_eq!(started.id, format!("{kebab}:0:/tmp/hooks.json:tool-call-123"));
        assert_eq!(started.event.chars().next(), Some('p'));
        let done = adapter.completed(started.clone(), &Outcome::exited(0, ""), &decoded(&parsed, &envelope));
        assert_eq!((done.id, done.status), (started.id, "completed"));
    }
}

fn decoded(parsed: &Parsed, envelope: &Envelope) -> hooks_core::HookEffects {
    let binding = Binding::alone(parsed.definitions[0].clone());
    Adapter::latest().decode(&binding, envelope, &Outcome::exited(0, ""), DecodePolicy::default())
}

#[test]
fn scopes_are_the_clients() {
    // Vendor page, section 2: a label only.
    for event in &EVENTS {
        let name = event.facts.name;
        let thread = matches!(name, "SessionStart" | "SessionEnd" | "SubagentStart");
        let scope = completed(name, &Outcome::exited(0, "")).scope;
        assert_eq!(scope, if thread { "thread" } else { "turn" }, "{name}");
    }
}

#[test]
fn the_display_order_counts_all_but_skipped_handlers() {
    // Vendor page, sections 3.3 and 4.
    let flags = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype='command'\ncommand='flag'\n";
    let user = r#"{"hooks":{"Stop":[{"hooks":[{"type":"prompt"},{"type":"command","command":"c"}]}],
        "PreToolUse":[{"matcher":"(","hooks":[{"type":"command","command":"x"}]},{"hooks":[{"type":"command","command":"b"}]}]}}"#;
    let documents = [
        document(Origin::SessionFlags, "/<session-flags>/config.toml", flags),
        document(Origin::User, "/u/hooks.json", user),
    ];
    let order = display_order(&documents);
    let mut found: Vec<(u32, String)> = documents
        .iter()
        .flat_map(|document| &document.definitions)
        .filter_map(|definition| Some((*order.get(&definition.id)?, definition.handler.label())))
        .collect();
    found.sort();
    assert_eq!(found, [(0, "b".to_owned()), (1, "c".to_owned()), (2, "flag".to_owned())]);
}

#[test]
fn sources_have_the_clients_words() {
    // Vendor page, sections 4 and 5; cases M12 and O4.
    let word = |origin, role, path: &str| {
        let vendor = Adapter::latest().vendor().clone();
        let mut source = Source::hooks(vendor, origin, Syntax::Toml, path, Vec::new());
        source.role = role;
        (source_word(&source), locations::is_managed(&source))
    };
    let hooks = Role::Hooks;
    assert_eq!(word(Origin::Managed, hooks, "/etc/codex/config.toml"), ("system", true));
    assert_eq!(word(Origin::User, hooks, "/home/u/.codex/config.toml"), ("user", false));
    assert_eq!(word(Origin::Project, hooks, "/p/.codex/config.toml"), ("project", false));
    assert_eq!(word(Origin::Managed, hooks, "/<mdm:com.x:k>/config.toml"), ("mdm", true));
    assert_eq!(word(Origin::Managed, hooks, "/<enterprise-managed:n:i>/config.toml"), ("cloudManagedConfig", true));
    assert_eq!(word(Origin::SessionFlags, hooks, "/<session-flags>/config.toml"), ("sessionFlags", false));
    let legacy = "/<legacy-managed-config.toml-mdm>/managed_config.toml";
    assert_eq!(word(Origin::Managed, hooks, legacy), ("legacyManagedConfigMdm", true));
    assert_eq!(word(Origin::Plugin, hooks, "hooks/hooks.json"), ("plugin", false));
    let requirements = Role::Requirements;
    assert_eq!(word(Origin::Managed, requirements, "/etc/codex/requirements.toml"), ("system", true));
    assert_eq!(word(Origin::Managed, requirements, "/<enterprise-managed:n:i>/x.toml"), ("cloudRequirements", true));
    assert_eq!(word(Origin::Managed, requirements, "elsewhere.toml"), ("unknown", true));
}

#[test]
fn background_runs_are_not_reported_and_nobody_waits_for_them() {
    // Vendor page, section 12; cases B7 and B8.
    let text = r#"{"hooks":{"PermissionRequest":[{"hooks":[{"type":"command","command":"a","timeout":5},
        {"type":"command","command":"b","timeout":600,"async":true}]}]}}"#;
    let parsed = document(Origin::User, "/u/hooks.json", text);
    let bindings: Vec<Binding> = parsed.definitions.into_iter().map(Binding::alone).collect();
    assert!(matches!(&bindings[1].handler, Handler::Command(command) if command.command == "b"));
    assert_eq!(locations::longest_wait(&bindings).as_secs(), 5);
    assert_eq!(locations::longest_wait(&bindings[1..]).as_secs(), 0);
    let envelope = sample::envelope(&Adapter::latest(), "PermissionRequest", &Given::default()).expect("a sample");
    assert!(Adapter::latest().started(&bindings[1], &envelope, 1).is_none());
}

#[test]
fn plugins_are_named_in_their_keys() {
    // Case N5: unsupported handlers keep their places.
    let text = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"prompt"},{"type":"command","command":"a"}]}],
        "SessionStart":[{"hooks":[{"type":"agent"}]}]}}"#;
    let vendor = Adapter::latest().vendor().clone();
    let path = "/plugins/demo/hooks/hooks.json";
    let mut source = Source::hooks(vendor, Origin::Plugin, Syntax::Json, path, text.as_bytes().to_vec());
    source.plugin = Some(Plugin {
        name: "demo".into(),
        marketplace: Some("test".into()),
        root: "/plugins/demo".into(),
        data: None,
    });
    let parsed = Adapter::latest().parse(&Arc::new(source));
    let keys: Vec<_> = parsed.definitions.iter().filter_map(adapter_codex::trust::record_key).collect();
    assert_eq!(
        keys,
        [
            "demo@test:hooks/hooks.json:pre_tool_use:0:0",
            "demo@test:hooks/hooks.json:pre_tool_use:0:1",
            "demo@test:hooks/hooks.json:session_start:0:0"
        ]
    );
}
