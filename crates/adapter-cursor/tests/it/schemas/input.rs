//! Standard input: what is written is valid, and the schemas list what Cursor's page lists.

use std::collections::BTreeSet;

use adapter_cursor::events::EVENTS;
use adapter_cursor::schema::SCHEMAS;
use adapter_cursor::{phase1, seed, vendor};
use hooks_conformance::{Given, sample};
use hooks_core::schema::Contract;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{OfEvent, faults, json_of, of_event};
use crate::hookside::{occurrence, written};
use crate::support::recorded;

#[test]
fn fixtures_are_valid() {
    for event in &EVENTS {
        let name = event.facts.name;
        let checks = &of_event(Contract::Input, name).checks;
        let mut payload = json_of(format!("cursor/{name}/every-field/stdin.json"));
        assert!(checks.is_valid(&payload), "{name}: {}", faults(checks, &payload));
        // Another event's payload is not valid, and one with a field more is.
        payload["hook_event_name"] = json!("another");
        assert!(!checks.is_valid(&payload), "{name}");
        payload["hook_event_name"] = json!(name);
        payload["field_of_a_later_client"] = json!({ "x": [1] });
        assert!(checks.is_valid(&payload), "{name}");
    }
}

/// Every member of a payload that can be missing can be, and no other; and each has its own type.
#[test]
fn members_are_held_to() {
    for event in &EVENTS {
        let name = event.facts.name;
        let OfEvent { schema, checks } = of_event(Contract::Input, name);
        let payload = json_of(format!("cursor/{name}/every-field/stdin.json"));
        let required: BTreeSet<&str> =
            schema["required"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        for key in payload.as_object().expect("an object").keys() {
            assert!(schema["properties"].get(key).is_some(), "{name}: {key} is not listed");
            let mut less = payload.clone();
            less.as_object_mut().expect("an object").remove(key);
            assert_eq!(checks.is_valid(&less), !required.contains(key.as_str()), "{name}: without {key}");
            // A tool of another host's is called with anything.
            if key != "tool_input" {
                let mut other = payload.clone();
                other[key] = json!([[1]]);
                assert!(!checks.is_valid(&other), "{name}: {key} takes anything");
            }
        }
    }
}

/// Fields that stand in the schemas beside those of Cursor's page, with the reason.
const BESIDE: [(&str, &str); 6] = [
    ("host_version", "the first design's own key"),
    ("session_id", "seen on every event with 3.14.7"),
    ("exit_code", "the first design's own key"),
    ("cancellation_reason", "the first design's own key"),
    ("mcp_server_id", "the first design's own key"),
    ("composer_mode", "seen on beforeSubmitPrompt"),
];

#[test]
fn fields_are_those_of_cursors_page() {
    let mut beside = BTreeSet::new();
    for (facts, recorded) in SCHEMAS.facts.iter().zip(recorded()) {
        let name = facts.name;
        let schema = &of_event(Contract::Input, name).schema;
        let mut ours: BTreeSet<&str> =
            schema["properties"].as_object().expect("fields").keys().map(String::as_str).collect();
        let required = schema["required"].as_array().expect("a list");
        for field in recorded["input"].as_array().expect("a list") {
            let key = field["name"].as_str().expect("a name");
            assert!(ours.remove(key), "{name}: {key} is not in the schema");
            let property = &schema["properties"][key];
            let kinds = kinds(property);
            let wanted = match field["type"].as_str().expect("a type") {
                "enum" => "string",
                other => other,
            };
            let has = |kind: &str| kinds.contains(kind);
            // A count is a whole number, and what a tool is called with is anything for tools of a server or a host.
            let fits = has(wanted) || wanted == "number" && has("integer") || key == "tool_input" && kinds.is_empty();
            assert!(fits, "{name}: {key} is {kinds:?}, not {wanted}");
            let nullable = field["nullable"] == true || key == "context_usage_percent";
            assert_eq!(has("null"), nullable, "{name}: {key}");
            // A client may leave out what its page calls optional.
            assert!(field["required"] == true || !required.iter().any(|one| one == key), "{name}: {key} is required");
        }
        beside.extend(ours.into_iter().map(ToOwned::to_owned));
    }
    assert_eq!(beside, BESIDE.iter().map(|(key, _)| (*key).to_owned()).collect());
}

/// The types that a property can have.
fn kinds(property: &Value) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    match &property["type"] {
        Value::String(one) => {
            all.insert(one.clone());
        }
        Value::Array(several) => all.extend(several.iter().filter_map(Value::as_str).map(ToOwned::to_owned)),
        _ => {}
    }
    for part in property["anyOf"].as_array().into_iter().flatten() {
        all.extend(kinds(part));
    }
    all
}

/// A payload is valid, and the JSON inside its texts is what the schema says.
fn holds(event: &str, payload: &Value) -> Result<(), TestCaseError> {
    let OfEvent { schema, checks } = of_event(Contract::Input, event);
    prop_assert!(checks.is_valid(payload), "{}: {}: {}", event, payload, faults(checks, payload));
    for (key, property) in schema["properties"].as_object().expect("fields") {
        let (Some(content), Some(text)) = (property.get("contentSchema"), payload[key].as_str()) else { continue };
        let mut content = content.clone();
        content["$schema"] = schema["$schema"].clone();
        content["$defs"] = schema["$defs"].clone();
        let inside: Value = serde_json::from_str(text).expect("JSON");
        let inner = jsonschema::validator_for(&content).expect("a schema");
        prop_assert!(inner.is_valid(&inside), "{}: {}: {}: {}", event, key, inside, faults(&inner, &inside));
    }
    Ok(())
}

proptest! {
    #[test]
    fn what_is_written_is_valid((event, envelope) in occurrence()) {
        for adapter in [vendor(), seed()] {
            let bytes = written(&adapter, event, &envelope);
            let payload: Value = serde_json::from_slice(&bytes).expect("JSON");
            holds(event.facts.name, &payload)?;
        }
    }
}

/// Every tool by its name, on every event about tools, through every face that fires it.
#[test]
fn every_tools_input_is_valid() {
    for tool in [
        "Shell",
        "Read",
        "Write",
        "StrReplace",
        "ApplyPatch",
        "Delete",
        "Glob",
        "Grep",
        "List",
        "WebFetch",
        "WebSearch",
        "Task",
        "MCP:echo",
        "MCPResource:page",
        "HostsOwn",
    ] {
        for name in ["preToolUse", "postToolUse", "postToolUseFailure"] {
            let given = Given { tool: Some(tool.to_owned()), ..Given::default() };
            let envelope = sample::envelope(&vendor(), name, &given).expect("an occurrence");
            for adapter in [vendor(), seed(), phase1()] {
                let event = adapter.row(name).expect("a row");
                let payload: Value = serde_json::from_slice(&written(&adapter, event, &envelope)).expect("JSON");
                holds(name, &payload).unwrap_or_else(|error| panic!("{tool}: {error}"));
            }
        }
    }
}

/// A known tool's input is held to its types, whoever wrote it; keys can be missing where nobody documents them.
#[test]
fn a_known_tools_input_has_its_types() {
    let checks = &of_event(Contract::Input, "preToolUse").checks;
    let payload = |tool: &str, input: Value| {
        let mut payload = json_of("cursor/preToolUse/every-field/stdin.json");
        payload["tool_name"] = json!(tool);
        payload["tool_input"] = input;
        payload
    };
    for (tool, input, valid) in [
        ("Shell", json!({ "command": "ls", "working_directory": "/p" }), true),
        ("Shell", json!({ "cwd": "/p" }), false),
        ("Shell", json!({ "command": 5 }), false),
        ("Shell", json!("ls"), false),
        ("Read", json!({}), true),
        ("Read", json!({ "target": "/p/x" }), true),
        ("Read", json!({ "file_path": 5 }), false),
        ("Write", json!({ "file_path": "/p/x", "patch": "p" }), true),
        ("MCP:echo", json!(null), true),
        ("Unheard", json!([1]), true),
    ] {
        assert_eq!(checks.is_valid(&payload(tool, input.clone())), valid, "{tool}: {input}");
    }
}
