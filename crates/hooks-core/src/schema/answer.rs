//! The schema of an answer, from the fields that an event's row lists.

use std::collections::BTreeMap;

use schemars::{Schema, json_schema};
use serde_json::{Map, Value, json};

use crate::facts::{EventFacts, FieldKind, OutputField, Refused, Values};

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
    let about = match (field.feeds(), field.refused) {
        (Some(channel), None) => channel.about().to_owned(),
        (None, None) => "Accepted without effect on this event.".to_owned(),
        (feeds, Some(refused)) => {
            let about = feeds.map_or(String::new(), |channel| format!("{} ", channel.about()));
            format!("{about}{}", not_supported(refused))
        }
    };
    schema.insert("description".to_owned(), Value::from(about));
    schema
}

/// What a description says of values that an event does not support.
#[must_use]
pub fn not_supported(refused: Refused) -> String {
    let values = match refused.when {
        Values::False => "`false`".to_owned(),
        Values::True => "`true`".to_owned(),
        Values::Present => "Any value but `null`".to_owned(),
        Values::Word(word) => format!("`{word}`"),
        Values::But("") => "Any text that is not empty".to_owned(),
        Values::But(word) => format!("Any value but `{word}`"),
    };
    format!("{values} is not supported on this event: it {}.", refused.cost.about())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::Channel;
    use crate::facts::Cost;

    #[test]
    fn a_field_says_what_its_values_cost() {
        let of = |field: &OutputField| leaf(field).get("description").and_then(Value::as_str).map(str::to_owned);
        let flag = OutputField::new("a", FieldKind::Bool, Some(Channel::Halt));
        assert_eq!(of(&flag).as_deref(), Some(Channel::Halt.about()));
        let refused = flag.refuse(Values::False, Cost::Run);
        assert_eq!(refused.feeds(), None);
        assert_eq!(of(&refused).as_deref(), Some("`false` is not supported on this event: it fails the run."));
        let words = OutputField::new("b", FieldKind::Word(&["x", "y"]), Some(Channel::Verdict));
        let words = words.refuse(Values::Word("y"), Cost::Answer);
        assert_eq!(words.feeds(), Some(Channel::Verdict));
        let said = of(&words).expect("words");
        assert!(said.starts_with(Channel::Verdict.about()) && said.ends_with("it voids the answer."), "{said}");
    }
}
