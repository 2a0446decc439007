//! Values made up for comparing schemas: every small change of a value, and values made after a schema.

use proptest::prelude::*;
use proptest::strategy::Union;
use serde_json::{Map, Value, json};

/// One value of each kind, and some that are near what fields hold.
pub(super) fn odd() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(7),
        json!(-1),
        json!(1.5),
        json!(""),
        json!(" \t"),
        json!("word"),
        json!([]),
        json!([null]),
        json!({}),
        json!({ "word": null }),
    ]
}

/// Every value that is one change away: a member or an item less, an unknown member more, another value at any place, a
/// word with other letters.
pub(super) fn changed(value: &Value) -> Vec<Value> {
    let mut all: Vec<Value> = odd().into_iter().filter(|odd| odd != value).collect();
    match value {
        Value::String(text) => all.extend([json!(text.to_uppercase()), json!(format!("{text} "))]),
        Value::Object(members) => {
            let with = |key: &str, value: Option<Value>| {
                let mut members = members.clone();
                match value {
                    Some(value) => members.insert(key.to_owned(), value),
                    None => members.remove(key),
                };
                Value::Object(members)
            };
            all.push(with("unknown", Some(json!(null))));
            for (key, inner) in members {
                all.push(with(key, None));
                all.extend(changed(inner).into_iter().map(|changed| with(key, Some(changed))));
            }
        }
        Value::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                let with = |value: Option<Value>| {
                    let mut items = items.clone();
                    match value {
                        Some(value) => items[at] = value,
                        None => drop(items.remove(at)),
                    }
                    Value::Array(items)
                };
                all.push(with(None));
                all.extend(changed(inner).into_iter().map(|changed| with(Some(changed))));
            }
        }
        _ => {}
    }
    all
}

/// Values made after a schema: mostly what it asks for, and at any place something else.
pub(super) fn after(schema: &Value, root: &Value) -> BoxedStrategy<Value> {
    let other = proptest::sample::select(odd()).boxed();
    if let Some(at) = schema["$ref"].as_str() {
        return after(root.pointer(at.strip_prefix('#').unwrap()).unwrap(), root);
    }
    if let Some(all) = schema["allOf"].as_array() {
        let choices: Vec<_> =
            all.iter().filter(|one| one.get("if").is_none()).map(|one| (3, after(one, root))).collect();
        if !choices.is_empty() {
            return Union::new_weighted([choices, vec![(1, other)]].concat()).boxed();
        }
    }
    if let Some(word) = schema.get("const") {
        return prop_oneof![9 => Just(word.clone()), 1 => other].boxed();
    }
    if let Some(words) = schema["enum"].as_array() {
        return prop_oneof![6 => proptest::sample::select(words.clone()), 1 => other].boxed();
    }
    if let Some(members) = schema["properties"].as_object() {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().map(|key| key.as_str().unwrap()).collect();
        let mut object = Just(Map::new()).boxed();
        for (key, member) in members {
            let is_there = if required.contains(&key.as_str()) { 0.95 } else { 0.4 };
            let value = proptest::option::weighted(is_there, after(member, root));
            let key = key.clone();
            object = (object, value)
                .prop_map(move |(mut object, value)| {
                    if let Some(value) = value {
                        object.insert(key.clone(), value);
                    }
                    object
                })
                .boxed();
        }
        let object = (object, proptest::bool::weighted(0.05)).prop_map(|(mut object, more)| {
            if more {
                object.insert("unknown".to_owned(), json!(1));
            }
            Value::Object(object)
        });
        return prop_oneof![19 => object, 1 => other].boxed();
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().map(|kind| kind.as_str().unwrap()).collect(),
        _ => Vec::new(),
    };
    let fitting: Vec<Value> = odd()
        .into_iter()
        .filter(|value| {
            kinds.iter().any(|kind| match *kind {
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                "integer" => value.is_u64(),
                "object" => value.is_object(),
                "array" => value.is_array(),
                other => panic!("no type {other}"),
            })
        })
        .collect();
    if fitting.is_empty() { other } else { prop_oneof![9 => proptest::sample::select(fitting), 1 => other].boxed() }
}
