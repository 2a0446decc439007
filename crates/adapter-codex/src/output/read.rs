//! Reading standard output (section 11.1): what is an answer, what is plain text, and whether an answer fits its event.

use std::borrow::Cow;
use std::fmt;

use hooks_core::Version;
use hooks_core::facts::{FieldKind, OutputField, Refused, Values};
use hooks_core::json::{DEPTH_LIMIT, JsonKind, RawObject};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::events::{self, Event, field};
use crate::tools::text_of;

/// What a hook printed on exit code 0.
pub(crate) enum Printed<'a> {
    /// Nothing.
    Nothing,
    /// An answer that fits the event.
    Answer(Answer<'a>),
    /// Something that was meant as an answer and does not fit; the text says why.
    Misfit(String),
    /// Plain text, trimmed.
    Plain(&'a str),
}

/// The value of one field; `null` is none.
enum Value<'a> {
    Bool(bool),
    Text(Cow<'a, str>),
    Raw(&'a RawValue),
    Object,
}

/// An answer that fits its event.
pub(crate) struct Answer<'a> {
    event: &'static Event,
    found: Vec<(&'static OutputField, Value<'a>)>,
}

/// Reads what a hook printed by the event's own list of fields.
pub(crate) fn read<'a>(event: &'static Event, version: Version, printed: &'a str) -> Printed<'a> {
    let text = printed.trim();
    if text.is_empty() {
        return Printed::Nothing;
    }
    if !text.starts_with(['{', '[']) {
        return Printed::Plain(text);
    }
    let object = match RawObject::parse(text) {
        Ok(object) => object,
        Err(error) => return Printed::Misfit(error.to_string()),
    };
    let mut answer = Answer { event, found: Vec::new() };
    match answer.take("", &object, version) {
        Ok(()) => Printed::Answer(answer),
        Err(why) => Printed::Misfit(why),
    }
}

impl<'a> Answer<'a> {
    /// Takes the fields of one object of the answer, by the object's path.
    fn take(&mut self, of: &str, object: &RawObject<'a>, version: Version) -> Result<(), String> {
        let level = || self.event.facts.output.iter().filter_map(|field| Some((field, own_key(field, of)?)));
        for (key, _) in object.iter() {
            if !level().any(|(_, known)| known == key) {
                let dot = if of.is_empty() { "" } else { "." };
                return Err(format!("`{of}{dot}{key}` is no field of {}", self.event.facts.name));
            }
        }
        let present: Vec<_> = level().map(|(field, key)| (field, object.get(key))).collect();
        for (field, raw) in present {
            let required = self.event.required.contains(&field.path);
            let Some(raw) = raw else {
                if required {
                    return Err(format!("`{}` is missing", field.path));
                }
                continue;
            };
            if JsonKind::of(raw) == JsonKind::Null && field.kind != FieldKind::Bool && !required {
                continue;
            }
            let value = self.value(field, raw, version)?;
            self.found.push((field, value));
            if field.kind == FieldKind::Object {
                let inner = RawObject::parse(raw.get()).map_err(|error| error.to_string())?;
                self.take(field.path, &inner, version)?;
            }
        }
        Ok(())
    }

    fn value(&self, field: &'static OutputField, raw: &'a RawValue, version: Version) -> Result<Value<'a>, String> {
        let misfit = || {
            let found = JsonKind::of(raw).phrase();
            format!("`{}` is {found}", field.path)
        };
        match field.kind {
            FieldKind::Bool => match raw.get() {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                _ => Err(misfit()),
            },
            FieldKind::String => text_of(raw).map(Value::Text).ok_or_else(misfit),
            FieldKind::Word(words) => {
                let word = text_of(raw).ok_or_else(misfit)?;
                let known = words.contains(&word.as_ref()) && (field.path != field::NAME || is_event(&word, version));
                if known { Ok(Value::Text(word)) } else { Err(format!("`{}` cannot be `{word}`", field.path)) }
            }
            FieldKind::Object if JsonKind::of(raw) == JsonKind::Object => Ok(Value::Object),
            // The client reads the value into a tree, which refuses numbers, escapes and depths that the raw text still
            // has. Nothing else in an answer that fits can be deep.
            FieldKind::Any => {
                let levels = field.path.split('.').count();
                match hold(raw, DEPTH_LIMIT.saturating_sub(levels)) {
                    Ok(()) => Ok(Value::Raw(raw)),
                    Err(error) => Err(format!("`{}` cannot be read: {error}", field.path)),
                }
            }
            _ => Err(misfit()),
        }
    }

    fn find(&self, path: &str) -> Option<&Value<'a>> {
        self.found.iter().find(|(field, _)| field.path == path).map(|(_, value)| value)
    }

    /// Whether a field has a value.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    /// The text of a string field.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        match self.find(path) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The boolean of a field.
    pub(crate) fn flag(&self, path: &str) -> Option<bool> {
        match self.find(path) {
            Some(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// The raw value of a field that takes any.
    pub(crate) fn raw(&self, path: &str) -> Option<&'a RawValue> {
        match self.find(path) {
            Some(Value::Raw(raw)) => Some(raw),
            _ => None,
        }
    }

    /// Whether `continue` is `false`.
    pub(crate) fn stops(&self) -> bool {
        self.flag(field::CONTINUE) == Some(false)
    }

    /// Fields with a value that the event does not support, in the table's order.
    pub(crate) fn refused(&self) -> impl Iterator<Item = &'static OutputField> {
        self.event
            .facts
            .output
            .iter()
            .filter(|field| field.refused.is_some_and(|refused| self.is_refused(field, refused)))
    }

    fn is_refused(&self, field: &OutputField, refused: Refused) -> bool {
        let Some((_, value)) = self.found.iter().find(|(found, _)| found.path == field.path) else { return false };
        match (refused.when, value) {
            (Values::Present, _) | (Values::False, Value::Bool(false)) | (Values::True, Value::Bool(true)) => true,
            (Values::Word(word), Value::Text(text)) => text == word,
            (Values::But(word), Value::Text(text)) => text != word,
            _ => false,
        }
    }
}

/// The last part of a field's path, where the field belongs to the object at a path; the root's is empty.
fn own_key(field: &'static OutputField, of: &str) -> Option<&'static str> {
    own_part(field.path, of).filter(|key| !key.contains('.'))
}

/// What a path has behind that of an object around it.
pub(super) fn own_part<'p>(path: &'p str, of: &str) -> Option<&'p str> {
    if of.is_empty() { Some(path) } else { path.strip_prefix(of)?.strip_prefix('.') }
}

/// Whether a tree of so many levels could hold a value; nothing is built.
fn hold(raw: &RawValue, levels: usize) -> Result<(), serde_json::Error> {
    Tree { levels }.deserialize(&mut serde_json::Deserializer::from_str(raw.get()))
}

#[derive(Clone, Copy)]
struct Tree {
    levels: usize,
}

impl Tree {
    fn inside<E: de::Error>(self) -> Result<Self, E> {
        let levels = self.levels.checked_sub(1).ok_or_else(|| E::custom("it is nested too deeply"))?;
        Ok(Self { levels })
    }
}

impl<'de> DeserializeSeed<'de> for Tree {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let inside = self.inside()?;
        while items.next_element_seed(inside)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let inside = self.inside()?;
        while members.next_key_seed(inside)?.is_some() {
            members.next_value_seed(inside)?;
        }
        Ok(())
    }
}

fn is_event(name: &str, version: Version) -> bool {
    events::find(name).is_some_and(|event| event.facts.since <= version)
}

/// Text that says something; `None` when only white space is left of it.
pub(crate) fn spoken(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}
