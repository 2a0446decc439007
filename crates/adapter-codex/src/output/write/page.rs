//! An answer while it is written: fields that the event's row of the table has, in the table's order, and what is lost.

use std::borrow::Cow;

use hooks_core::RawJson;
use hooks_core::adapter::{Loss, Lost};
use hooks_core::facts::OutputField;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::events::Event;
use crate::events::field::NAME;
use crate::output::read::own_part;

/// A value of a field.
pub(super) enum Value<'e> {
    Flag(bool),
    Text(Cow<'e, str>),
    Raw(RawJson),
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Raw(raw) => raw.serialize(serializer),
        }
    }
}

/// An answer while it is written.
pub(super) struct Page<'e> {
    pub(super) event: &'static Event,
    pub(super) values: Vec<(&'static OutputField, Value<'e>)>,
    pub(super) losses: Vec<Loss>,
}

impl<'e> Page<'e> {
    pub(super) fn lose(&mut self, of: impl Into<Lost>, what: impl Into<String>, instead: Option<&str>) {
        self.losses.push(Loss::new(of, what, instead));
    }

    pub(super) fn lose_whole(&mut self, of: impl Into<Lost>, instead: Option<&str>) {
        self.losses.push(Loss::whole(of, instead));
    }

    /// Sets a field, if the event's row has it.
    pub(super) fn set(&mut self, path: &str, value: Value<'e>) -> bool {
        let fields = self.event.facts.output;
        let field = fields.iter().find(|field| field.path == path && field.feeds().is_some());
        if let Some(field) = field {
            // In the table's order.
            let later =
                |(set, _): &(&'static OutputField, Value<'e>)| std::ptr::from_ref(*set) > std::ptr::from_ref(field);
            let at = self.values.iter().position(later).unwrap_or(self.values.len());
            self.values.insert(at, (field, value));
        }
        field.is_some()
    }

    pub(super) fn text(&mut self, path: &str, text: impl Into<Cow<'e, str>>) -> bool {
        self.set(path, Value::Text(text.into()))
    }

    /// Standard output; nothing to say is silence.
    pub(super) fn stdout(&self) -> Vec<u8> {
        if self.values.is_empty() {
            return Vec::new();
        }
        let mut stdout = Vec::with_capacity(256);
        // Writing strings, booleans and JSON to memory cannot fail.
        match serde_json::to_writer(&mut stdout, &Level { name: self.event.facts.name, of: "", values: &self.values }) {
            Ok(()) => stdout,
            Err(_) => Vec::new(),
        }
    }
}

/// One object of an answer, in the table's order, where the fields of an object stand together. Objects that hold nothing
/// are left out.
struct Level<'p, 'e> {
    name: &'static str,
    /// The object's path; the root's is empty.
    of: &'p str,
    /// The fields in it and below.
    values: &'p [(&'static OutputField, Value<'e>)],
}

impl Serialize for Level<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(key) = own_part(NAME, self.of).filter(|key| !key.contains('.')) {
            map.serialize_entry(key, self.name)?;
        }
        let mut rest = self.values;
        while let Some(((field, value), behind)) = rest.split_first() {
            let key = own_part(field.path, self.of).unwrap_or(field.path);
            let Some((key, below)) = key.split_once('.') else {
                map.serialize_entry(key, value)?;
                rest = behind;
                continue;
            };
            let of = field.path.get(..field.path.len() - below.len() - 1).unwrap_or_default();
            let inside = rest.iter().take_while(|(field, _)| own_part(field.path, of).is_some()).count();
            let (values, behind) = rest.split_at(inside.max(1));
            map.serialize_entry(key, &Level { name: self.name, of, values })?;
            rest = behind;
        }
        map.end()
    }
}
