//! What holds for every document: it is a schema, it has a name and words, and editors of both drafts can use it.

use std::collections::BTreeSet;

use adapter_cursor::events::EVENTS;
use adapter_cursor::schema::SCHEMAS;
use hooks_core::schema::{Contract, ID_PREFIX, filled, walk};
use serde_json::Value;

use super::{document, validator};

#[test]
fn every_document_is_a_schema_with_a_name_and_words() {
    let documents = SCHEMAS.documents();
    let mut ids = BTreeSet::new();
    for document in &documents {
        let schema = document.schema.as_value();
        jsonschema::meta::validate(schema).unwrap_or_else(|error| panic!("{}: {error}", document.path));
        let _ = validator(document);
        for word in ["$schema", "$id", "title", "description"] {
            assert!(schema[word].as_str().is_some_and(|text| !text.trim().is_empty()), "{}: {word}", document.path);
        }
        let id = schema["$id"].as_str().expect("an id");
        assert!(id.starts_with(&format!("{ID_PREFIX}cursor:")) && ids.insert(id.to_owned()), "{id}");
        // Nothing is left of how the tables write.
        let text = schema.to_string();
        for word in ["\\n\\n\\n", "  ", "``", "todo", "host of the first design"] {
            assert!(!text.contains(word), "{}: {word:?}", document.path);
        }
    }
    let of = |contract| documents.iter().filter(|document| document.contract == contract).count();
    assert_eq!(of(Contract::Config), 3);
    assert_eq!(of(Contract::ConfigDraft07), 3);
    assert_eq!(of(Contract::Input), EVENTS.len());
    assert_eq!(of(Contract::Output), EVENTS.len());
    // What is printed is narrower on every event.
    assert_eq!(of(Contract::Emitted), EVENTS.len());
}

#[test]
fn every_property_is_documented() {
    let mut properties = 0;
    for document in SCHEMAS.documents() {
        let root = document.schema.as_value();
        walk(root, &mut |pointer, schema| {
            for word in ["description", "title", "deprecationMessage", "markdownDescription"] {
                if let Some(text) = schema.get(word) {
                    assert!(text.as_str().is_some_and(|text| !text.trim().is_empty()), "{}{pointer}", document.path);
                }
            }
            // A condition names properties that stand elsewhere; so does what applies under it.
            let conditional = ["/if", "/then", "/else", "/allOf"].iter().any(|part| pointer.contains(part));
            let Some(members) = schema.get("properties").filter(|_| !conditional) else { return };
            for (name, property) in members.as_object().expect("an object") {
                properties += 1;
                let described = |schema: &Value| schema.get("description").is_some();
                let behind = property.get("$ref").and_then(Value::as_str).and_then(|name| root.pointer(&name[1..]));
                assert!(
                    described(property) || behind.is_some_and(described),
                    "{}{pointer}/{name}: {property}",
                    document.path
                );
            }
        });
    }
    assert!(properties > 1_000, "{properties}");
}

/// A word of a decision or of a configuration says what it does. Inputs only offer words.
#[test]
fn every_word_is_explained() {
    let mut seen = 0;
    for document in SCHEMAS.documents() {
        walk(document.schema.as_value(), &mut |pointer, schema| {
            let conditional = ["/if", "/then", "/else"].iter().any(|part| pointer.contains(part));
            let Some(words) = schema.get("enum").and_then(Value::as_array).filter(|_| !conditional) else { return };
            seen += 1;
            let about = schema.get("enumDescriptions").and_then(Value::as_array).map_or(0, Vec::len);
            assert_eq!(words.len(), about, "{}{pointer}", document.path);
        });
    }
    assert!(seen > 12, "{seen}");
}

/// Examples of a whole document are valid; so are those of its parts, each where it stands.
#[test]
fn examples_and_defaults_are_valid() {
    let mut seen = 0;
    for document in SCHEMAS.documents() {
        let root = document.schema.as_value();
        walk(root, &mut |pointer, schema| {
            let examples = schema.get("examples").and_then(Value::as_array).into_iter().flatten();
            for value in examples.chain(schema.get("default")) {
                seen += 1;
                let mut alone = schema.clone();
                let refers = schema.to_string().contains("$ref");
                let part = alone.as_object_mut().expect("an object");
                for definitions in ["$defs", "definitions"] {
                    if let Some(all) = root.get(definitions).filter(|_| refers) {
                        part.insert(definitions.to_owned(), all.clone());
                    }
                }
                part.insert("$schema".to_owned(), root["$schema"].clone());
                let checks = jsonschema::validator_for(&alone).expect("a schema");
                assert!(checks.is_valid(value), "{}{pointer}: {value}", document.path);
            }
        });
    }
    assert!(seen > 200, "{seen}");
}

/// A snippet is what an editor inserts: once its tab stops are filled it is valid where it is offered.
#[test]
fn snippets_are_valid_once_filled() {
    let mut seen = 0;
    for (path, whole) in [
        ("cursor/hooks.schema.json", true),
        ("cursor/hooks.draft-07.schema.json", true),
        ("cursor/plugin-hooks.schema.json", true),
        ("cursor/plugin.schema.json", false),
    ] {
        let document = document(path);
        let root = document.schema.as_value();
        let checks = validator(&document);
        walk(root, &mut |pointer, schema| {
            for snippet in schema.get("defaultSnippets").and_then(Value::as_array).into_iter().flatten() {
                seen += 1;
                for word in ["label", "description"] {
                    assert!(snippet[word].as_str().is_some_and(|text| !text.is_empty()), "{path}{pointer}");
                }
                let body = filled(&snippet["body"]).expect("a snippet");
                let parts: Vec<&str> = pointer.split('/').skip(1).collect();
                let file = match parts.as_slice() {
                    [] => body,
                    // A hook, or the hooks of an event.
                    ["$defs" | "definitions", event] => wrap(event, Value::Array(vec![body])),
                    [.., "properties", event] => wrap(event, body),
                    other => panic!("{path}: a snippet at {other:?}"),
                };
                let file = if whole { file } else { serde_json::json!({ "hooks": file }) };
                assert!(checks.is_valid(&file), "{path}{pointer}: {file}");
                let parsed = crate::support::parse(&adapter_cursor::vendor(), &file.to_string());
                assert!(!whole || !parsed.rejected && parsed.definitions.len() == 1, "{path}{pointer}: {file}");
            }
        });
    }
    assert!(seen > 4 * 3 * EVENTS.len(), "{seen}");
}

fn wrap(event: &str, hooks: Value) -> Value {
    serde_json::json!({ "version": 1, "hooks": { event: hooks } })
}
