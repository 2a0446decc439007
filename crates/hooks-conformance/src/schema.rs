//! The vector format as a JSON Schema (draft 2020-12), made from the types that read it.
//!
//! What no schema can say, the loader alone refuses: an id that another vector of the file has, an item whose vendor
//! has no policy, a repeated text that would come to more than it may, and a key that stands twice. The other way
//! round, the schema takes a whole number that is written `1.0`, which the loader refuses; and the loader takes some
//! ways of writing that the schema refuses: an array of an object's values in their order, and a word `"x"` as
//! `{"x": null}`. Everything else is refused by both or by neither.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::format::{Config, Decide, Decode, FORMAT, Fold, Kind, Match, Settle, Text, TextMatch, Trust};
use crate::load::{Head, WireFile};

/// The schema's name.
pub const VECTORS_ID: &str = "urn:crosshook:schema:vectors";

/// The schema of a file of vectors.
#[must_use]
pub fn vectors() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let head = object(Head::json_schema(&mut generator));
    let mut file = object(WireFile::json_schema(&mut generator));
    let kinds = [
        ("decode", object(Decode::json_schema(&mut generator))),
        ("fold", object(Fold::json_schema(&mut generator))),
        ("match", object(Match::json_schema(&mut generator))),
        ("config", object(Config::json_schema(&mut generator))),
        ("decide", object(Decide::json_schema(&mut generator))),
        ("settle", object(Settle::json_schema(&mut generator))),
        ("trust", object(Trust::json_schema(&mut generator))),
    ];
    let mut definitions = generator.take_definitions(true);
    let mut alternatives = Vec::new();
    for (word, body) in kinds {
        let name =
            format!("{}{}-vector", word.get(..1).unwrap_or_default().to_uppercase(), word.get(1..).unwrap_or_default());
        alternatives.push(json!({ "$ref": format!("#/$defs/{name}") }));
        definitions.insert(name, Value::Object(vector(word, &head, body)));
    }
    definitions.insert(
        "Vector".to_owned(),
        json!({
            "description": "One vector: what is given, and what must come of it.",
            "oneOf": alternatives,
        }),
    );
    for (name, definition) in &mut definitions {
        if let Value::Object(definition) = definition {
            definition.insert("title".to_owned(), json!(name.replace('-', " ")));
        }
    }

    if let Some(Value::Object(properties)) = file.get_mut("properties") {
        set(properties, "format", "const", json!(FORMAT));
        set(properties, "vectors", "items", json!({ "$ref": "#/$defs/Vector" }));
    }
    file.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    file.insert("$id".to_owned(), json!(VECTORS_ID));
    file.insert("title".to_owned(), json!("Conformance vectors, format 1"));
    file.insert("examples".to_owned(), examples());
    file.insert("if".to_owned(), json!({ "properties": { "event": { "type": "null" } } }));
    file.insert("then".to_owned(), json!({ "properties": { "vectors": { "items": names_its_event() } } }));
    file.insert("$defs".to_owned(), Value::Object(definitions));

    let Ok(mut schema) = Schema::try_from(Value::Object(file)) else { return Value::Null };
    RecursiveTransform(numbers).transform(&mut schema);
    RecursiveTransform(prose).transform(&mut schema);
    schema.to_value()
}

/// A vector of a kind: the keys of every vector, and those of the kind.
fn vector(word: &str, head: &Map<String, Value>, mut body: Map<String, Value>) -> Map<String, Value> {
    let mut properties = part(head, "properties");
    set(&mut properties, "kind", "const", json!(if word == "settle" { "fold" } else { word }));
    properties.extend(part(&body, "properties"));
    let required = [head, &body].into_iter().filter_map(|one| one.get("required")?.as_array()).flatten();
    let required: Vec<Value> = required.cloned().collect();
    body.insert("properties".to_owned(), Value::Object(properties));
    body.insert("required".to_owned(), Value::Array(required));
    if word == "settle" {
        body.insert("oneOf".to_owned(), one_policy_or_several());
    }
    body
}

/// What `check_policies` of the loader asks for, as far as a schema can.
fn one_policy_or_several() -> Value {
    json!([
        {
            "required": ["policy"],
            "properties": {
                "policy": { "type": "object" },
                "policies": { "type": "null" },
                "items": { "items": { "properties": { "vendor": { "type": "null" } } } },
            },
        },
        {
            "required": ["policies"],
            "properties": {
                "policy": { "type": "null" },
                "policies": { "type": "object" },
                "items": { "items": { "required": ["vendor"], "properties": { "vendor": { "type": "string" } } } },
            },
        },
    ])
}

/// In a file that names no event, a vector that needs one names it.
fn names_its_event() -> Value {
    let (folds, others): (Vec<&str>, Vec<&str>) = Kind::ABOUT_AN_EVENT.iter().partition(|kind| **kind == "fold");
    json!({
        "if": { "anyOf": [
            { "required": ["kind"], "properties": { "kind": { "enum": others } } },
            // A fold of effects is about no event.
            { "required": ["kind", "hooks"], "properties": { "kind": { "enum": folds } } },
        ] },
        "then": { "required": ["event"], "properties": { "event": { "type": "string" } } },
    })
}

fn object(schema: Schema) -> Map<String, Value> {
    match schema.to_value() {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn part(schema: &Map<String, Value>, key: &str) -> Map<String, Value> {
    schema.get(key).and_then(Value::as_object).cloned().unwrap_or_default()
}

fn set(properties: &mut Map<String, Value>, property: &str, key: &str, value: Value) {
    if let Some(Value::Object(schema)) = properties.get_mut(property) {
        schema.insert(key.to_owned(), value);
    }
}

/// Whole numbers have the range of the type that reads them, said in the schema's own words.
fn numbers(schema: &mut Schema) {
    let range = match schema.get("format").and_then(Value::as_str) {
        Some("uint16") => (json!(u16::MIN), json!(u16::MAX)),
        Some("uint32") => (json!(u32::MIN), json!(u32::MAX)),
        Some("int32") => (json!(i32::MIN), json!(i32::MAX)),
        Some("uint64" | "uint") => (json!(u64::MIN), json!(u64::MAX)),
        _ => return,
    };
    schema.remove("format");
    schema.insert("minimum".to_owned(), range.0);
    schema.insert("maximum".to_owned(), range.1);
}

/// Documentation without what only rustdoc reads.
fn prose(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace("[`", "`").replace("`]", "`").replace("crate::", "");
    }
}

/// A key that is there and may be `null`.
pub(crate) struct Nullable;

impl JsonSchema for Nullable {
    fn schema_name() -> Cow<'static, str> {
        "Nullable".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "null"] })
    }
}

/// What stands in for a vector in the file's own type.
pub(crate) struct AnyVector;

impl JsonSchema for AnyVector {
    fn schema_name() -> Cow<'static, str> {
        "AnyVector".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

impl JsonSchema for Text {
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Text or bytes that are given.",
            "oneOf": [
                { "type": "string" },
                {
                    "description": "A text written several times.",
                    "type": "object",
                    "properties": {
                        "repeat": { "type": "string" },
                        "times": { "type": "integer", "minimum": 0, "maximum": u64::MAX },
                    },
                    "required": ["repeat", "times"],
                    "additionalProperties": false,
                },
                {
                    "description": "Bytes that need not be UTF-8.",
                    "type": "object",
                    "properties": {
                        "base64": {
                            "type": "string",
                            "pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$",
                        },
                    },
                    "required": ["base64"],
                    "additionalProperties": false,
                },
            ],
            "examples": ["{}", { "repeat": "x", "times": 100_000 }, { "base64": "/wA=" }],
        })
    }
}

impl JsonSchema for TextMatch {
    fn schema_name() -> Cow<'static, str> {
        "ExpectedText".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What is expected of a text.",
            "oneOf": [
                { "description": "Exactly this.", "type": "string" },
                {
                    "description": "Some text that is not empty and that the host writes.",
                    "type": "object",
                    "properties": { "any": { "const": true } },
                    "required": ["any"],
                    "additionalProperties": false,
                },
                {
                    "description": "A text with this in it.",
                    "type": "object",
                    "properties": { "contains": { "type": "string", "minLength": 1 } },
                    "required": ["contains"],
                    "additionalProperties": false,
                },
            ],
            "examples": ["not on this branch", { "any": true }, { "contains": "timed out" }],
        })
    }
}

/// A file with a vector of every kind.
fn examples() -> Value {
    json!([
        {
            "format": 1,
            "vendor": "my-vendor",
            "event": "beforeCommand",
            "client": "my-client 1.0.0",
            "vectors": [
                {
                    "id": "deny-with-reason", "kind": "decode", "basis": "doc", "source": "hooks page, Answers",
                    "outcome": { "end": { "exited": 0 }, "stdout": "{\"decision\":\"deny\",\"reason\":\"not here\"}" },
                    "expect": { "verdict": "deny", "reasons": ["not here"] },
                },
                {
                    "id": "timeout-closed", "kind": "decode", "basis": "observed", "source": "case timeout-1",
                    "binding": { "fail_closed": true },
                    "outcome": { "end": "timed_out" },
                    "expect": { "verdict": "deny", "reasons": [{ "any": true }], "failed": true },
                },
                {
                    "id": "deny-beats-allow", "kind": "fold", "basis": "doc", "source": "hooks page, Several hooks",
                    "hooks": [
                        { "outcome": { "end": { "exited": 0 }, "stdout": "{\"decision\":\"allow\"}" }, "finishes": 1 },
                        { "outcome": { "end": { "exited": 2 }, "stderr": "no" }, "finishes": 0 },
                    ],
                    "expect": { "verdict": "deny", "reasons": ["no"] },
                },
                {
                    "id": "list-of-names", "kind": "match", "basis": "doc", "source": "hooks page, Matchers",
                    "matcher": "shell|write", "targets": ["write"], "expect": true,
                },
                {
                    "id": "one-hook", "kind": "config", "basis": "doc", "source": "hooks page, Files",
                    "origin": "project", "syntax": "json",
                    "document": "{\"hooks\":{\"beforeCommand\":[{\"command\":\"./guard.sh\"}]}}",
                    "expect": {
                        "file": "accepted",
                        "bindings": [{ "event": "beforeCommand", "group": 0, "index": 0, "handler": "command" }],
                        "reports": [],
                    },
                },
                {
                    "id": "fingerprint", "kind": "trust", "basis": "observed", "source": "case trust-1",
                    "matcher": null, "handler": { "command": "./guard.sh" },
                    "expect": {
                        "canonical": "{\"command\":\"./guard.sh\"}",
                        "sha256": "770367febbd73c35c5760c9b7bd5bf9a44a1bb7b4f2942caa346eecbb070530b",
                    },
                },
            ],
        },
        {
            "format": 1,
            "vendor": null,
            "event": null,
            "client": null,
            "vectors": [
                {
                    "id": "nobody-to-ask", "kind": "decide", "basis": "design", "source": "the design, Decisions",
                    "boundary": "tool.before", "host": { "can_ask": false },
                    "effects": { "verdict": "ask", "reasons": ["touches the lock file"] },
                    "expect": { "action": "deny", "to_model": ["touches the lock file"] },
                },
                {
                    "id": "context-as-declared", "kind": "fold", "basis": "design", "source": "the design, Settling",
                    "policy": { "context": "declared" },
                    "items": [
                        { "binding": "a", "finishes": 1, "effects": { "context": ["A"] } },
                        { "binding": "b", "finishes": 0, "effects": { "context": ["B"] } },
                    ],
                    "expect": { "context": ["A", "B"] },
                },
            ],
        },
    ])
}
