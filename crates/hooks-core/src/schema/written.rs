//! Schemas of types that are written, and what such types cannot say.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, RestrictFormats, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// A generator for what is written: a field that can be left out is optional, one that is always there is required.
#[must_use]
pub fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().for_serialize().into_generator()
}

/// The schema of a type that is written.
#[must_use]
pub fn written<T: JsonSchema>() -> Schema {
    generator().into_root_schema_for::<T>()
}

/// A property of an object's schema.
#[must_use]
pub fn property<'s>(schema: &'s mut Schema, name: &str) -> Option<&'s mut Map<String, Value>> {
    schema.get_mut("properties")?.get_mut(name)?.as_object_mut()
}

/// Offers words for a property and enforces none: what a vendor lists grows from one version to the next.
pub fn offer(schema: &mut Schema, name: &str, words: &[&str]) {
    if let (Some(property), false) = (property(schema, name), words.is_empty()) {
        property.insert("examples".to_owned(), json!(words));
    }
}

/// What is not known has no key, so that a property which can be left out is never null.
pub fn absent_is_not_null(schema: &mut Schema) {
    RecursiveTransform(|schema: &mut Schema| {
        let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
        for (_, member) in members.iter_mut().filter(|(name, _)| !required.iter().any(|key| key == *name)) {
            if let Some(member) = member.as_object_mut() {
                not_null(member);
            }
        }
    })
    .transform(schema);
}

/// Takes null out of a part's types, or out of its two cases.
fn not_null(part: &mut Map<String, Value>) {
    if let Some(kinds) = part.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            part.insert("type".to_owned(), only);
        }
    }
    let null = json!({ "type": "null" });
    let one = match part.get("anyOf").and_then(Value::as_array).map(Vec::as_slice) {
        Some([one, other] | [other, one]) if *other == null => one.as_object().cloned(),
        _ => None,
    };
    if let Some(one) = one {
        part.remove("anyOf");
        part.extend(one);
    }
}

/// A number's width is the writer's own affair, and no format that validators know.
pub(super) fn without_widths(schema: &mut Schema) {
    let mut formats = RestrictFormats::default();
    formats.infer_from_meta_schema = false;
    formats.transform(schema);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;

    #[derive(Serialize, JsonSchema)]
    struct Inner {
        word: String,
    }

    #[derive(Serialize, JsonSchema)]
    struct Outer {
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        inner: Option<Inner>,
        always: Option<String>,
    }

    #[test]
    fn only_what_is_always_there_can_be_null() {
        let mut schema = written::<Outer>();
        absent_is_not_null(&mut schema);
        without_widths(&mut schema);
        offer(&mut schema, "always", &["a"]);
        offer(&mut schema, "count", &[]);
        let wanted = json!({
            "count": { "type": "integer", "minimum": 0 },
            "inner": { "$ref": "#/$defs/Inner" },
            "always": { "type": ["string", "null"], "examples": ["a"] },
        });
        assert_eq!(schema.get("properties"), Some(&wanted));
    }
}
