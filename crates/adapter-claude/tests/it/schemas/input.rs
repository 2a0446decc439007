//! Standard input: what was recorded, what is written, and what is not a payload.

use adapter_claude::Adapter;
use adapter_claude::events::EVENTS;
use hooks_conformance::{Given, sample};
use hooks_core::envelope::Envelope;
use hooks_core::schema::Contract;
use hooks_core::{Binding, HookSide, HostSide};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{DOCUMENTS, errors, fixtures, is_valid, read};

fn encode(event: &str, envelope: &Envelope) -> Value {
    let adapter = Adapter::latest();
    let binding = Binding::alone(adapter.blank(event).expect("an event"));
    let mut stdin = Vec::new();
    adapter.encode(&binding, envelope, &mut stdin).expect("written");
    serde_json::from_slice(&stdin).expect("json")
}

fn holds(event: &str, payload: &Value) {
    let wrong = errors(Contract::Input, event, payload);
    assert!(wrong.is_empty(), "{event}: {wrong:?}\n{payload}");
}

/// Every payload that was recorded, and those that the event's cases hold.
fn payloads(event: &str) -> Vec<Value> {
    let cases = crate::fixtures::cases().into_iter().filter(|case| case.event == event);
    let mut payloads: Vec<Value> = cases.map(|case| serde_json::from_str(&case.stdin).expect("json")).collect();
    // The cases of an event share theirs.
    payloads.dedup();
    let recorded = fixtures().join(format!("claude/payloads/{event}.json"));
    if recorded.exists() {
        payloads.extend(read(&recorded)["samples"].as_array().expect("samples").iter().cloned());
    }
    payloads
}

#[test]
fn recorded_payloads_are_valid() {
    let mut seen = 0;
    for event in &EVENTS {
        for payload in payloads(event.facts.name) {
            holds(event.facts.name, &payload);
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn made_up_occurrences_are_valid() {
    for event in &EVENTS {
        let name = event.facts.name;
        holds(name, &encode(name, &sample::envelope(&Adapter::latest(), name, &Given::default()).expect("one")));
        let bare = Envelope {
            common: hooks_core::envelope::Common::default(),
            ..sample::envelope(&Adapter::latest(), name, &Given::default()).expect("one")
        };
        holds(name, &encode(name, &bare));
    }
}

/// Every key of a recorded payload is described, and what must be there was always there.
#[test]
fn recorded_keys_are_described() {
    for event in &EVENTS {
        let name = event.facts.name;
        let of = |document: &&hooks_core::schema::Document| document.contract == Contract::Input && document.of == name;
        let schema = DOCUMENTS.iter().find(of).expect("a document").schema.as_value();
        for payload in payloads(name) {
            for key in payload.as_object().expect("an object").keys() {
                assert!(schema["properties"].get(key).is_some(), "{name}: {key} is not described");
            }
        }
    }
}

#[test]
fn what_lacks_a_key_or_has_another_kind_is_not_valid() {
    for event in &EVENTS {
        let name = event.facts.name;
        let of = |document: &&hooks_core::schema::Document| document.contract == Contract::Input && document.of == name;
        let schema = DOCUMENTS.iter().find(of).expect("a document").schema.as_value();
        let payload = payloads(name).remove(0);
        let required: Vec<&str> =
            schema["required"].as_array().expect("required").iter().filter_map(Value::as_str).collect();
        assert!(required.contains(&"session_id") && required.contains(&"hook_event_name"), "{name}");
        for key in &required {
            let mut less = payload.clone();
            less.as_object_mut().expect("an object").remove(*key).unwrap_or_else(|| panic!("{name}: no {key}"));
            assert!(!is_valid(Contract::Input, name, &less), "{name} without {key}");
        }
        for key in payload.as_object().expect("an object").keys().filter(|key| *key != "tool_response") {
            let mut other = payload.clone();
            other[key] = if payload[key].is_array() { json!(5) } else { json!([]) };
            assert!(!is_valid(Contract::Input, name, &other), "{name}: {key} is {}", other[key]);
        }
        let mut other = payload.clone();
        other["hook_event_name"] = json!("Other");
        assert!(!is_valid(Contract::Input, name, &other), "{name}");
        let mut more = payload.clone();
        more["a_key_of_a_later_client"] = json!({});
        assert!(is_valid(Contract::Input, name, &more), "{name}: the objects are open");
    }
}

#[test]
fn a_tool_s_input_has_its_shape() {
    let mut payload = read(&fixtures().join("claude/PreToolUse/deny/stdin.json"));
    for (tool, input, fits) in [
        ("Bash", json!({ "command": "ls" }), true),
        ("Bash", json!({ "command": 5 }), false),
        ("Bash", json!({ "cmd": "ls" }), false),
        ("Write", json!({ "file_path": "/x", "content": "" }), true),
        ("Write", json!({ "file_path": "/x" }), false),
        ("Grep", json!({ "pattern": "x", "-n": true, "head_limit": 5 }), true),
        ("Grep", json!({ "pattern": "x", "-n": "yes" }), false),
        ("mcp__a__b", json!({ "anything": 1 }), true),
        ("mcp__a__b", json!([]), false),
    ] {
        payload["tool_name"] = json!(tool);
        payload["tool_input"] = input;
        assert_eq!(is_valid(Contract::Input, "PreToolUse", &payload), fits, "{payload}");
    }
}

proptest! {
    #![proptest_config(crate::cases(32))]

    /// What is read and written again is valid, for any payload of the recorded keys.
    #[test]
    fn what_is_written_is_valid(
        mut payload in prop::sample::select(EVENTS.iter().collect::<Vec<_>>()).prop_flat_map(crate::hook_side::payload)
    ) {
        // The payloads are made of kinds, and a change of the rules is written as it came.
        if let Some(suggestions) = payload.get_mut("permission_suggestions") {
            *suggestions = json!([{ "type": "setMode", "mode": "plan", "destination": "session" }]);
        }
        let (event, envelope) = Adapter::latest().read_stdin(payload.to_string().as_bytes()).expect("read");
        holds(event.name, &encode(event.name, &envelope));
    }
}
