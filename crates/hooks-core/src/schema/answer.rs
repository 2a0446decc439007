//! The schema of an answer, from the fields that an event's row lists.

use std::collections::BTreeMap;

use schemars::{Schema, json_schema};
use serde_json::{Map, Value, json};

use crate::facts::{EventFacts, FieldKind, OutputField};

/// Whether an answer can have members that the row does not list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Openness {
    /// Others are accepted and have no effect.
    Open,
    /// Others void the answer.
    Closed,
}

/// The schema of an event's answer: its fields nested by their dotted paths, each with what it does.
///
/// `more` adds to a field's schema, or replaces it, by the field's path: what the row cannot say, such as the inside of an
/// object. It gets the schema made from the row.
#[must_use]
pub fn answer(facts: &EventFacts, openness: Openness, mut more: impl FnMut(&OutputField, &mut Schema)) -> Schema {
    let mut root = Part::default();
    for field in facts.output {
        let mut schema = leaf(field);
        more(field, &mut schema);
        root.add(field.path, schema);
    }
    let mut schema = root.schema(openness);
    schema.insert("description".to_owned(), Value::from(format!("An answer on `{}`.", facts.name)));
    schema
}

/// A field's own schema.
fn leaf(field: &OutputField) -> Schema {
    let mut schema = match field.kind {
        FieldKind::Bool => json_schema!({ "type": "boolean" }),
        FieldKind::String => json_schema!({ "type": "string" }),
        FieldKind::Word(words) => json_schema!({ "enum": words }),
        FieldKind::Object => json_schema!({ "type": "object" }),
        FieldKind::Array => json_schema!({ "type": "array" }),
        FieldKind::Any => json_schema!({}),
    };
    let about = field.channel.map_or("Accepted without effect on this event.", |channel| channel.about());
    schema.insert("description".to_owned(), Value::from(about));
    schema
}

/// An object of an answer while it is put together.
#[derive(Default)]
struct Part {
    own: Option<Schema>,
    members: BTreeMap<String, Part>,
}

impl Part {
    fn add(&mut self, path: &str, schema: Schema) {
        match path.split_once('.') {
            Some((first, rest)) => self.members.entry(first.to_owned()).or_default().add(rest, schema),
            None => self.members.entry(path.to_owned()).or_default().own = Some(schema),
        }
    }

    fn schema(self, openness: Openness) -> Schema {
        let mut schema = self.own.unwrap_or_else(|| json_schema!({ "type": "object" }));
        if self.members.is_empty() {
            return schema;
        }
        let members: Map<String, Value> =
            self.members.into_iter().map(|(name, part)| (name, part.schema(openness).to_value())).collect();
        schema.insert("properties".to_owned(), Value::Object(members));
        if openness == Openness::Closed {
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
        schema
    }
}
