//! Every case of every event: a settings file binds the hook, the recorded occurrence is what the hook gets, and its
//! answer comes to what stands beside it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use adapter_claude::events::EVENTS;
use adapter_claude::{Adapter, VENDOR};
use hooks_conformance::effects_json;
use hooks_conformance::fixture::Case;
use hooks_core::activate::{AdmitAll, VendorSources};
use hooks_core::adapter::DecodePolicy;
use hooks_core::handler::{Handler, HandlerKind};
use hooks_core::outcome::End;
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::{Envelope, HookSide, HostProfile, HostSide, SessionState, Snapshot, activate, select};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claude")
}

/// The cases, with their folders' files and lines checked.
pub(crate) fn cases() -> Vec<Case> {
    let events = EVENTS.iter().map(|event| event.facts.name);
    hooks_conformance::fixture::cases(&folder(), events).unwrap_or_else(|error| panic!("{error}"))
}

fn snapshot(case: &Case) -> Snapshot {
    let adapter = Arc::new(Adapter::latest());
    let source = Source::hooks(VENDOR, Origin::Project, Syntax::Json, "settings.json", case.hooks.as_bytes());
    let parsed = adapter.parse(&Arc::new(source));
    assert!(!parsed.rejected && parsed.diagnostics.is_empty(), "{}: {:?}", case.label(), parsed.diagnostics);
    let host = HostProfile::full().handlers([HandlerKind::Command, HandlerKind::Http]);
    activate(vec![VendorSources { adapter, documents: vec![parsed] }], &host, &AdmitAll).expect("a snapshot")
}

#[test]
fn every_case_comes_to_what_stands_beside_it() {
    for case in cases() {
        let label = case.label();
        let snapshot = snapshot(&case);
        let adapter = snapshot.adapter(&VENDOR).expect("an adapter");
        // The occurrence is built key by key, apart from the reader; both must agree on it.
        let envelope: Envelope = super::payloads::occurrence(&case.event, &case.stdin);
        let (read, by_reader) = Adapter::latest().read_stdin(case.stdin.as_bytes()).expect("read");
        assert_eq!(read.name, case.event);
        let chosen = select(&snapshot, &envelope, &SessionState::default());
        let [choice] = chosen.as_slice() else { panic!("{label}: {} bindings", chosen.len()) };
        assert!(choice.doubtful.is_none(), "{label}");
        for occurrence in [&envelope, &by_reader] {
            let mut stdin = Vec::new();
            adapter.encode(choice.binding, occurrence, &mut stdin).expect("written");
            let written: Value = serde_json::from_slice(&stdin).expect("json");
            assert_eq!(written, serde_json::from_str::<Value>(&case.stdin).expect("json"), "{label}");
        }
        let is_request = matches!(choice.binding.handler, Handler::Http(_));
        assert_eq!(matches!(case.outcome.end, End::Http(_)), is_request, "{label}: `exit` is not this handler's");
        case.hold(&Adapter::latest(), &envelope).unwrap_or_else(|wrong| panic!("{wrong}"));
        // An expectation of this project's own says all of it, and what only this vendor has too.
        if case.line.vector().is_none() && case.expect.unchecked.is_empty() {
            let effects = adapter.decode(choice.binding, &envelope, &case.outcome, DecodePolicy::default());
            let mut form = effects_json(&effects);
            form.as_object_mut().expect("an object").remove("run");
            assert_eq!(form, effects_json(&case.expect), "{label}");
        }
    }
}
