//! Trust fingerprints against those the client was seen to give.

use std::fs;
use std::sync::Arc;

use adapter_codex::trust::fingerprints;
use adapter_codex::{Adapter, DIALECT};
use hooks_core::HostSide;
use hooks_core::source::{Origin, Source, Syntax};
use serde_json::{Value, json};

fn source(document: String) -> Arc<Source> {
    let vendor = Adapter::latest().vendor().clone();
    Arc::new(Source::hooks(vendor, Origin::User, Syntax::Json, "/home/u/.codex/hooks.json", document.into_bytes()))
}

#[test]
fn every_trust_vector_holds() {
    let text = fs::read_to_string(crate::fixtures("vectors/codex/trust.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let vectors = file["vectors"].as_array().unwrap();
    let mut held = 0;
    for vector in vectors.iter().filter(|vector| vector["kind"] == "trust") {
        let event = vector["event"].as_str().unwrap();
        let document = json!({"hooks": {event: [{"matcher": vector["matcher"], "hooks": [vector["handler"]]}]}});
        let found = fingerprints(&source(document.to_string()), DIALECT.latest, false);
        let [found] = found.as_slice() else { panic!("{}: {} fingerprints", vector["id"], found.len()) };
        assert_eq!(found.canonical, vector["expect"]["canonical"].as_str().unwrap(), "{}", vector["id"]);
        let hash = vector["expect"]["sha256"].as_str().unwrap();
        assert_eq!(found.hash.trim_start_matches("sha256:"), hash.trim_start_matches("sha256:"), "{}", vector["id"]);
        held += 1;
    }
    assert!(held >= 90, "{held}");
}

#[test]
fn keys_name_the_path_the_event_and_the_place() {
    let document = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"prompt"},{"type":"command","command":"a"}]}]}}"#;
    let found = fingerprints(&source(document.to_owned()), DIALECT.latest, false);
    assert_eq!(
        found.iter().map(|f| f.key.as_str()).collect::<Vec<_>>(),
        ["/home/u/.codex/hooks.json:pre_tool_use:0:1"]
    );
}

#[test]
fn on_windows_the_other_command_counts() {
    let document = |windows: &str| {
        format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{{"type":"command","command":"a"{windows}}}]}}]}}}}"#)
    };
    let hash = |document: String, windows| fingerprints(&source(document), DIALECT.latest, windows)[0].hash.clone();
    let both = document(r#","commandWindows":"b""#);
    assert_eq!(hash(both.clone(), false), hash(document(""), false));
    assert_ne!(hash(both, true), hash(document(""), true));
}
