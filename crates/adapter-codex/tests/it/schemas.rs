//! Standard input against the vendor's own generated input schemas, where they are at hand.
//!
//! The schemas are not this project's to carry, so they are read from a folder beside the repository. They use a small
//! part of JSON Schema; a word beyond that part fails the test, so that nothing is passed over.

use std::fs;
use std::path::PathBuf;

use adapter_codex::Adapter;
use adapter_codex::events::EVENTS;
use hooks_conformance::{Given, sample};
use hooks_core::{Binding, Envelope, HostSide};
use serde_json::Value;

fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join("../shared/oracles/codex/generated/");
    folder.is_dir().then_some(folder)
}

/// Checks a value; gives what is wrong with it.
fn check(schema: &Value, value: &Value, root: &Value, at: &str) -> Result<(), String> {
    let schema = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Object(schema) => schema,
        other => return Err(format!("{at}: the schema is {other}")),
    };
    for (word, rule) in schema {
        let fine = match word.as_str() {
            "$schema" | "title" | "description" | "definitions" | "default" => true,
            "type" => match rule {
                Value::String(word) => is(value, word),
                Value::Array(words) => words.iter().any(|word| is(value, word.as_str().unwrap())),
                _ => false,
            },
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "required" => rule.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some()),
            "additionalProperties" => {
                assert_eq!(rule, false, "{at}: only `false` is understood");
                let known = schema.get("properties").and_then(Value::as_object).unwrap();
                value.as_object().is_none_or(|members| members.keys().all(|key| known.contains_key(key)))
            }
            "properties" => {
                for (key, rule) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(key) {
                        check(rule, value, root, &format!("{at}/{key}"))?;
                    }
                }
                true
            }
            "$ref" => {
                let pointer = rule.as_str().unwrap().strip_prefix('#').unwrap();
                check(root.pointer(pointer).unwrap(), value, root, at)?;
                true
            }
            other => return Err(format!("{at}: the schema says `{other}`, which this check does not understand")),
        };
        if !fine {
            return Err(format!("{at}: {value} breaks `{word}`: {rule}"));
        }
    }
    Ok(())
}

fn is(value: &Value, word: &str) -> bool {
    match word {
        "string" => value.is_string(),
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "object" => value.is_object(),
        other => panic!("no type {other}"),
    }
}

#[test]
fn standard_input_fits_the_vendors_schemas() {
    let Some(folder) = folder() else {
        // Straight to the stream: what a passing test prints is not shown.
        let said = "SKIPPED: the vendor's input schemas are not beside this repository, so nothing is checked here\n";
        std::io::Write::write_all(&mut std::io::stderr(), said.as_bytes()).unwrap();
        return;
    };
    let adapter = Adapter::latest();
    let mut checked = 0;
    for event in EVENTS.iter().filter(|event| event.documented) {
        let name = event.facts.name;
        let path = folder.join(format!("{}.command.input.schema.json", event.kebab));
        let schema: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let mut envelopes: Vec<Envelope> = Vec::new();
        for tool in [None, Some("Bash"), Some("apply_patch"), Some("mcp__s__t"), Some("spawn_agent"), Some("other")] {
            let given = Given { tool: tool.map(str::to_owned), ..Given::default() };
            envelopes.push(sample::envelope(&adapter, name, &given).expect("a sample"));
        }
        envelopes.push(Envelope::new(hooks_core::Common::default(), envelopes[0].payload.clone()));
        let mut child = envelopes[0].clone();
        child.common.agent =
            Some(hooks_core::envelope::AgentIdentity { id: Some("child".to_owned()), kind: Some("worker".to_owned()) });
        envelopes.push(child);
        let recorded = crate::fixtures("codex/payloads").join(format!("{name}.json"));
        let recorded: Value = serde_json::from_slice(&fs::read(recorded).unwrap()).unwrap();
        for sample in recorded["samples"].as_array().unwrap() {
            envelopes.push(crate::payloads::envelope(name, &sample["stdin"]));
        }
        for envelope in envelopes {
            let mut stdin = Vec::new();
            adapter.encode(&Binding::alone(adapter.blank(name).unwrap()), &envelope, &mut stdin).unwrap();
            let value: Value = serde_json::from_slice(&stdin).unwrap();
            check(&schema, &value, &schema, name).unwrap();
            checked += 1;
            // The check itself is one: a payload without a key, and one with a key too many, do not fit.
            let mut less = value.clone();
            less.as_object_mut().unwrap().remove("cwd");
            assert!(check(&schema, &less, &schema, name).is_err(), "{name}");
            let mut more = value;
            more["bogus"] = Value::Null;
            assert!(check(&schema, &more, &schema, name).is_err(), "{name}");
        }
    }
    assert!(checked >= 12 * 8, "{checked}");
}
