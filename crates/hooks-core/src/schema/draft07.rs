//! The form of a schema for editors that know no draft after 07.

use schemars::Schema;
use schemars::transform::{RecursiveTransform, ReplacePrefixItems, ReplaceUnevaluatedProperties, Transform};
use serde_json::{Value, json};

/// The same schema in draft 07: `definitions` for `$defs`, `items` for `prefixItems`, and `allOf` around a reference that
/// has keywords beside it, which that draft would not read.
#[must_use]
pub fn draft_07(mut schema: Schema) -> Schema {
    ReplacePrefixItems::default().transform(&mut schema);
    ReplaceUnevaluatedProperties::default().transform(&mut schema);
    // From the leaves up, so that a part is whole before it moves.
    RecursiveTransform(older).transform(&mut schema);
    schema
}

fn older(schema: &mut Schema) {
    if let Some(definitions) = schema.remove("$defs") {
        schema.insert("definitions".to_owned(), definitions);
    }
    let Some(Value::String(reference)) = schema.remove("$ref") else { return };
    let reference = Value::from(reference.replace("#/$defs/", "#/definitions/"));
    let members = schema.ensure_object();
    if members.is_empty() {
        members.insert("$ref".to_owned(), reference);
        return;
    }
    let reference = json!({ "$ref": reference });
    match members.get_mut("allOf").and_then(Value::as_array_mut) {
        Some(all) => all.push(reference),
        None => {
            members.insert("allOf".to_owned(), Value::Array(vec![reference]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::json_schema;

    #[test]
    fn references_keep_what_stands_beside_them() {
        let newer = json_schema!({
            "$defs": { "one": { "type": "string" }, "two": { "$ref": "#/$defs/one" } },
            "properties": {
                "default": { "$ref": "#/$defs/one", "description": "A property that is named like a keyword." },
                "pair": { "prefixItems": [{ "$ref": "#/$defs/two" }], "items": false },
            },
            "default": { "$ref": "data, not schema" },
        });
        let older = json!({
            "definitions": { "one": { "type": "string" }, "two": { "$ref": "#/definitions/one" } },
            "properties": {
                "default": {
                    "allOf": [{ "$ref": "#/definitions/one" }],
                    "description": "A property that is named like a keyword.",
                },
                "pair": { "items": [{ "$ref": "#/definitions/two" }], "additionalItems": false },
            },
            "default": { "$ref": "data, not schema" },
        });
        assert_eq!(draft_07(newer).to_value(), older);
    }
}
