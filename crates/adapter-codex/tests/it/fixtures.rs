//! The fixtures of each event, and that there is no file nobody looks at.

use std::fs;
use std::sync::Arc;

use adapter_codex::events::{EVENTS, Event};
use adapter_codex::{Adapter, trust};
use hooks_conformance::{Filter, run};
use hooks_core::json::RawObject;
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::{Binding, Handler, HookSide, HostSide, Payload, RawJson, State};
use serde_json::{Value, json};

fn text(event: &Event, file: &str) -> String {
    let path = crate::fixtures("codex").join(event.facts.name).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn source(file: &str, text: String) -> Arc<Source> {
    let syntax = if file.ends_with(".toml") { Syntax::Toml } else { Syntax::Json };
    let path = format!("/home/dev/.codex/{file}");
    Arc::new(Source::hooks(Adapter::latest().vendor().clone(), Origin::User, syntax, path, text.into_bytes()))
}

#[test]
fn payloads_are_written_byte_for_byte_and_read_back() {
    let adapter = Adapter::latest();
    for event in &EVENTS {
        let name = event.facts.name;
        let wanted = text(event, "stdin.json");
        let wanted = wanted.strip_suffix('\n').unwrap();
        let mut envelope = crate::payloads::envelope(name, &serde_json::from_str(wanted).unwrap());
        if let Payload::ModelRequestAfter(request) = &mut envelope.payload {
            // As written: a tree would sort its keys.
            let usage = RawObject::parse(wanted).unwrap().get("token_usage").unwrap();
            request.token_usage = Some(RawJson::from_raw(usage));
        }
        let mut stdin = Vec::new();
        adapter.encode(&Binding::alone(adapter.blank(name).unwrap()), &envelope, &mut stdin).unwrap();
        assert_eq!(String::from_utf8(stdin).unwrap(), wanted, "{name}");
        let (facts, read) = adapter.read_stdin(wanted.as_bytes()).unwrap();
        assert_eq!(facts.name, name);
        let mut again = Vec::new();
        adapter.encode(&Binding::alone(adapter.blank(name).unwrap()), &read, &mut again).unwrap();
        assert_eq!(String::from_utf8(again).unwrap(), wanted, "{name}");
    }
}

#[test]
fn answers_ask_for_what_stands_beside_them() {
    let adapter = Arc::new(Adapter::latest());
    for event in &EVENTS {
        let name = event.facts.name;
        let effects: Value = serde_json::from_str(&text(event, "effects.json")).unwrap();
        let file = json!({
            "format": 1, "vendor": "codex", "event": name, "client": "codex-cli 0.171.0",
            "vectors": [{
                "id": "fixture", "kind": "decode", "basis": "observed", "source": "see README.md",
                "outcome": {"end": {"exited": 0}, "stdout": text(event, "stdout.json")},
                "expect": effects,
            }],
        });
        let file = hooks_conformance::parse("fixture.json", &file.to_string()).unwrap();
        let adapter = Arc::clone(&adapter);
        let adapters = move |_: &str, _: Option<&str>, _: Option<&str>| Some(Arc::clone(&adapter) as Arc<dyn HostSide>);
        let report = run(&[file], &adapters, &Filter::default());
        assert!(report.failures.is_empty(), "{name}: {:?}", report.failures);
        assert_eq!(report.passed, 1, "{name}");
    }
}

#[test]
fn documents_hold_one_live_handler_each_and_nothing_to_complain_about() {
    let adapter = Adapter::latest();
    for event in &EVENTS {
        let name = event.facts.name;
        let json = source("hooks.json", text(event, "hooks.json"));
        let parsed = adapter.parse(&json);
        assert!(parsed.diagnostics.is_empty() && !parsed.rejected, "{name}: {:?}", parsed.diagnostics);
        let [definition] = parsed.definitions.as_slice() else { panic!("{name}: {}", parsed.definitions.len()) };
        assert_eq!((&definition.state, definition.place.event.as_str()), (&State::Live, name));

        let toml = crate::fixtures("codex").join(name).join("config.toml");
        if !toml.exists() {
            continue;
        }
        let toml = source("config.toml", fs::read_to_string(toml).unwrap());
        let other = adapter.parse(&toml);
        assert!(other.diagnostics.is_empty() && !other.rejected, "{name}: {:?}", other.diagnostics);
        let [other] = other.definitions.as_slice() else { panic!("{name}: {}", other.definitions.len()) };
        assert_eq!((&other.handler, &other.matcher_text), (&definition.handler, &definition.matcher_text));
        assert_eq!((other.timeout, other.context_limit), (definition.timeout, definition.context_limit));
        // The file format is no part of what is trusted (vendor page, section 6).
        let hash = |source| trust::fingerprints(source, adapter.version(), false)[0].hash.clone();
        assert_eq!(hash(&json), hash(&toml), "{name}");
    }
    let handler = |event: &str| {
        let event = adapter_codex::events::find(event).unwrap();
        adapter.parse(&source("hooks.json", text(event, "hooks.json"))).definitions[0].handler.clone()
    };
    assert!(matches!(handler("PostToolUse"), Handler::McpTool(_)));
    assert!(matches!(handler("Stop"), Handler::Command(command) if command.windows.as_deref() == Some("stop.cmd")));
}

#[test]
fn every_file_is_known() {
    let root = crate::fixtures("codex");
    let mut unknown = Vec::new();
    let mut seen = 0;
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            seen += 1;
            let place = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            let known = match place.split_once('/') {
                None => matches!(place.as_str(), "README.md" | "reports.json"),
                Some(("payloads", file)) => EVENTS.iter().any(|event| file == format!("{}.json", event.facts.name)),
                Some((event, file)) => {
                    adapter_codex::events::find(event).is_some()
                        && matches!(
                            file,
                            "hooks.json"
                                | "config.toml"
                                | "stdin.json"
                                | "stdout.json"
                                | "effects.json"
                                | "schema.json"
                        )
                }
            };
            if !known {
                unknown.push(place);
            }
        }
    }
    assert!(unknown.is_empty(), "nobody looks at {unknown:?}");
    // Two documents in TOML; answers are read on eleven events.
    assert_eq!(seen, 14 * 4 + 2 + 11 + 14 + 2);
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    for event in &EVENTS {
        assert!(readme.contains(&format!("\n| {} | `payload/", event.facts.name)), "{}", event.facts.name);
    }
}
