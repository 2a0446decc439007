//! Every case of every event: the configuration, what the hook gets, and what its answer comes to.

use std::collections::BTreeSet;
use std::sync::Arc;

use adapter_codex::events::EVENTS;
use adapter_codex::{Adapter, trust};
use hooks_conformance::fixture::Case;
use hooks_core::json::RawObject;
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::{Binding, Handler, HookSide, HostSide, Payload, RawJson, State};

/// The cases, with their folders' files and lines checked.
pub(crate) fn cases() -> Vec<Case> {
    let events = EVENTS.iter().map(|event| event.facts.name);
    hooks_conformance::fixture::cases(&crate::fixtures("codex"), events).unwrap_or_else(|error| panic!("{error}"))
}

fn source(file: &str, text: &str) -> Arc<Source> {
    let syntax = if file.ends_with(".toml") { Syntax::Toml } else { Syntax::Json };
    let path = format!("/home/dev/.codex/{file}");
    Arc::new(Source::hooks(Adapter::latest().vendor().clone(), Origin::User, syntax, path, text.as_bytes().to_vec()))
}

#[test]
fn payloads_are_written_byte_for_byte_and_read_back() {
    let adapter = Adapter::latest();
    for case in cases() {
        let (name, label) = (case.event.as_str(), case.label());
        let wanted = case.stdin.strip_suffix('\n').unwrap();
        let mut envelope = crate::payloads::envelope(name, &serde_json::from_str(wanted).unwrap());
        if let Payload::ModelRequestAfter(request) = &mut envelope.payload {
            // As written: a tree would sort its keys.
            let usage = RawObject::parse(wanted).unwrap().get("token_usage").unwrap();
            request.token_usage = Some(RawJson::from_raw(usage));
        }
        let mut stdin = Vec::new();
        adapter.encode(&Binding::alone(adapter.blank(name).unwrap()), &envelope, &mut stdin).unwrap();
        assert_eq!(String::from_utf8(stdin).unwrap(), wanted, "{label}");
        let (facts, read) = adapter.read_stdin(wanted.as_bytes()).unwrap();
        assert_eq!(facts.name, name, "{label}");
        let mut again = Vec::new();
        adapter.encode(&Binding::alone(adapter.blank(name).unwrap()), &read, &mut again).unwrap();
        assert_eq!(String::from_utf8(again).unwrap(), wanted, "{label}");
    }
}

#[test]
fn answers_ask_for_what_stands_beside_them() {
    let adapter = Adapter::latest();
    for case in cases() {
        let (_, envelope) = adapter.read_stdin(case.stdin.as_bytes()).unwrap();
        case.hold(&adapter, &envelope).unwrap();
    }
}

#[test]
fn documents_hold_one_live_handler_each_and_nothing_to_complain_about() {
    let adapter = Adapter::latest();
    let (mut kinds, mut in_toml) = (BTreeSet::new(), 0);
    for case in cases() {
        let label = case.label();
        let json = source("hooks.json", &case.hooks);
        let parsed = adapter.parse(&json);
        assert!(parsed.diagnostics.is_empty() && !parsed.rejected, "{label}: {:?}", parsed.diagnostics);
        let [definition] = parsed.definitions.as_slice() else { panic!("{label}: {}", parsed.definitions.len()) };
        assert_eq!((&definition.state, definition.place.event.as_str()), (&State::Live, case.event.as_str()));
        let windows = matches!(&definition.handler, Handler::Command(command) if command.windows.is_some());
        kinds.insert((definition.handler.kind().as_str(), windows));

        let Some(text) = &case.toml else { continue };
        in_toml += 1;
        let toml = source("config.toml", text);
        let other = adapter.parse(&toml);
        assert!(other.diagnostics.is_empty() && !other.rejected, "{label}: {:?}", other.diagnostics);
        let [other] = other.definitions.as_slice() else { panic!("{label}: {}", other.definitions.len()) };
        assert_eq!((&other.handler, &other.matcher_text), (&definition.handler, &definition.matcher_text));
        assert_eq!((other.timeout, other.context_limit), (definition.timeout, definition.context_limit));
        // The file format is no part of what is trusted (vendor page, section 6).
        let hash = |source| trust::fingerprints(source, adapter.version(), false)[0].hash.clone();
        assert_eq!(hash(&json), hash(&toml), "{label}");
    }
    // A tool server's hook, one with another command for Windows, and plain ones; some in both syntaxes.
    assert_eq!(kinds, BTreeSet::from([("command", false), ("command", true), ("mcp_tool", false)]));
    assert!(in_toml >= 2, "{in_toml} in TOML");
}
