//! The parts of a document that stand under `$defs`, while it is put together.

use schemars::{Schema, json_schema};
use serde_json::{Map, Value};

use super::set;

/// The parts that a document refers to.
///
/// ```
/// # use hooks_core::schema::{Parts, Schema};
/// let mut parts = Parts::default();
/// let first = parts.share("timeout", "A", Schema::default());
/// let second = parts.share("timeout", "B", Schema::default());
/// assert_eq!(first, second);
/// assert_eq!(first.get("$ref").and_then(|name| name.as_str()), Some("#/$defs/timeout.A"));
/// ```
#[derive(Debug, Default)]
pub struct Parts(Map<String, Value>);

impl Parts {
    /// A reference to a part. Equal parts of one kind are one, which has the name of what the first of them is a part of.
    pub fn share(&mut self, kind: &str, of: &str, part: Schema) -> Schema {
        let part = part.to_value();
        let is_kind = |name: &str| name.strip_prefix(kind).is_some_and(|rest| rest.starts_with('.'));
        let known = self.0.iter().find(|(name, known)| is_kind(name) && **known == part).map(|(name, _)| name.clone());
        let name = known.unwrap_or_else(|| {
            let name = format!("{kind}.{of}");
            self.0.insert(name.clone(), part);
            name
        });
        Self::refer(&name)
    }

    /// A reference to a part of this very name.
    pub fn put(&mut self, name: &str, part: Schema) -> Schema {
        self.0.insert(name.to_owned(), part.to_value());
        Self::refer(name)
    }

    /// A reference to the part of a name, which may be put in later.
    #[must_use]
    pub fn refer(name: &str) -> Schema {
        json_schema!({ "$ref": format!("#/$defs/{name}") })
    }

    /// The document with its parts.
    #[must_use]
    pub fn finish(self, mut schema: Schema) -> Schema {
        set(&mut schema, "$defs", self.0);
        schema
    }
}
