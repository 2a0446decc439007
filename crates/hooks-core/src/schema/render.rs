//! A schema as text: keywords in the order in which a person reads them, whatever the maps underneath do.

use schemars::Schema;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

/// The keywords that come first, in this order; the others follow by name.
const ORDER: &[&str] = &[
    "$schema",
    "$id",
    "$comment",
    "title",
    "description",
    "markdownDescription",
    "deprecated",
    "deprecationMessage",
    "$ref",
    "type",
    "const",
    "enum",
    "default",
    "required",
    "properties",
    "patternProperties",
    "additionalProperties",
];

/// The keywords that come last, in this order.
const LAST: &[&str] = &["examples", "defaultSnippets", "$defs", "definitions"];

/// The text of a schema, indented by two spaces, with a newline at its end.
#[must_use]
pub fn render(schema: &Schema) -> String {
    // A tree of JSON values always has a text.
    let mut text = serde_json::to_string_pretty(&Ordered(schema.as_value())).unwrap_or_default();
    text.push('\n');
    text
}

struct Ordered<'a>(&'a Value);

fn place(key: &str) -> (usize, usize, &str) {
    let at = |list: &[&str]| list.iter().position(|word| *word == key);
    match (at(ORDER), at(LAST)) {
        (Some(first), _) => (0, first, key),
        (None, Some(last)) => (2, last, key),
        (None, None) => (1, 0, key),
    }
}

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_by_key(|(key, _)| place(key));
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, &Ordered(value))?;
                }
                map.end()
            }
            Value::Array(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(&Ordered(item))?;
                }
                seq.end()
            }
            other => other.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_come_in_reading_order() {
        let schema = schemars::json_schema!({
            "$defs": {},
            "type": "object",
            "if": true,
            "examples": [],
            "title": "A title",
            "$id": "urn:x",
        });
        let text = render(&schema);
        let keys: Vec<_> = text.lines().filter_map(|line| line.trim().strip_prefix('"')?.split('"').next()).collect();
        assert_eq!(keys, ["$id", "title", "type", "if", "examples", "$defs"]);
        assert!(text.ends_with("}\n"));
    }
}
