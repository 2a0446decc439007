//! The fixtures of each event: a settings file binds the hook, the recorded occurrence is what the hook gets, and its
//! answer comes to what stands beside it. No file lies there that nobody reads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adapter_claude::events::EVENTS;
use adapter_claude::{Adapter, VENDOR};
use hooks_conformance::effects_json;
use hooks_core::activate::{AdmitAll, VendorSources};
use hooks_core::adapter::DecodePolicy;
use hooks_core::handler::{Handler, HandlerKind};
use hooks_core::outcome::{End, Outcome};
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::{Envelope, HookSide, HostProfile, HostSide, SessionState, Snapshot, activate, select};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claude")
}

fn bytes(event: &str, file: &str) -> Vec<u8> {
    let path = folder().join(event).join(file);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn json(event: &str, file: &str) -> Value {
    serde_json::from_slice(&bytes(event, file)).unwrap_or_else(|error| panic!("{event}/{file}: {error}"))
}

fn snapshot(event: &str) -> Snapshot {
    let adapter = Arc::new(Adapter::latest());
    let source = Source::hooks(VENDOR, Origin::Project, Syntax::Json, "settings.json", bytes(event, "hooks.json"));
    let parsed = adapter.parse(&Arc::new(source));
    assert!(!parsed.rejected && parsed.diagnostics.is_empty(), "{event}: {:?}", parsed.diagnostics);
    let host = HostProfile::full().handlers([HandlerKind::Command, HandlerKind::Http]);
    activate(vec![VendorSources { adapter, documents: vec![parsed] }], &host, &AdmitAll).expect("a snapshot")
}

#[test]
fn every_event_has_its_fixtures() {
    for event in &EVENTS {
        let name = event.facts.name;
        let snapshot = snapshot(name);
        let adapter = snapshot.adapter(&VENDOR).expect("an adapter");
        // The occurrence is built key by key, apart from the reader; both must agree on it.
        let recorded = bytes(name, "stdin.json");
        let envelope: Envelope =
            super::payloads::occurrence(name, &String::from_utf8(recorded.clone()).expect("UTF-8"));
        let (read, by_reader) = Adapter::latest().read_stdin(&recorded).expect("read");
        assert_eq!(read.name, name);
        let chosen = select(&snapshot, &envelope, &SessionState::default());
        let [choice] = chosen.as_slice() else { panic!("{name}: {} bindings", chosen.len()) };
        assert!(choice.doubtful.is_none(), "{name}");
        for occurrence in [&envelope, &by_reader] {
            let mut stdin = Vec::new();
            adapter.encode(choice.binding, occurrence, &mut stdin).expect("written");
            let written: Value = serde_json::from_slice(&stdin).expect("json");
            assert_eq!(written, json(name, "stdin.json"), "{name}");
        }
        let end = match choice.binding.handler {
            Handler::Http(_) => End::Http(200),
            _ => End::Exited(0),
        };
        let outcome = Outcome { stdout: bytes(name, "stdout.json"), ..Outcome::ended(end) };
        let effects = adapter.decode(choice.binding, &envelope, &outcome, DecodePolicy::default());
        let mut form = effects_json(&effects);
        form.as_object_mut().expect("an object").remove("run");
        assert_eq!(form, json(name, "effects.json"), "{name}");
    }
}

#[test]
fn no_file_is_unread() {
    let mut known = BTreeSet::from(["README.md".to_owned()]);
    for event in &EVENTS {
        let name = event.facts.name;
        for file in ["hooks.json", "stdin.json", "stdout.json", "effects.json"] {
            known.insert(format!("{name}/{file}"));
        }
        if name != "TeammateIdle" {
            known.insert(format!("payloads/{name}.json"));
        }
    }
    let mut found = BTreeSet::new();
    let mut folders = vec![folder()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(&at).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let path = path.strip_prefix(folder()).expect("below").to_string_lossy().replace('\\', "/");
                found.insert(path);
            }
        }
    }
    assert_eq!(found, known);
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("a page");
    for event in &EVENTS {
        assert!(readme.contains(&format!("| `{}` |", event.facts.name)), "{} has no line", event.facts.name);
    }
}
