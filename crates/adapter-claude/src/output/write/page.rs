//! An answer while it is written: fields that the event's row of the table has, in their order, and what is lost.

use std::borrow::Cow;

use hooks_core::RawJson;
use hooks_core::adapter::{Answer, Loss, Lost};
use hooks_core::channel::Channel;
use hooks_core::envelope::Envelope;
use hooks_core::vendor::Version;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::events::{Event, NESTED, NO_REASON};
use crate::output::answer::key_below;

/// A value of a field.
pub(super) enum Value<'e> {
    Flag(bool),
    Text(Cow<'e, str>),
    Texts(&'e [String]),
    Raw(RawJson),
    Fields(Fields<'e>),
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Texts(texts) => texts.serialize(serializer),
            Self::Raw(raw) => raw.serialize(serializer),
            Self::Fields(fields) => Members(fields).serialize(serializer),
        }
    }
}

pub(super) type Fields<'e> = Vec<(&'static str, Value<'e>)>;

/// Fields as the members of an object, in their order.
struct Members<'f, 'e>(&'f Fields<'e>);

impl Serialize for Members<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// An answer while it is written.
pub(super) struct Page<'e> {
    pub(super) event: &'static Event,
    pub(super) version: Version,
    pub(super) envelope: &'e Envelope,
    pub(super) top: Fields<'e>,
    pub(super) nested: Fields<'e>,
    /// Text that is no JSON, where the event has a use for it.
    pub(super) plain: Option<&'e str>,
    /// The text of a refusal by exit code 2, on events that read no JSON.
    pub(super) exit_2: Option<String>,
    pub(super) losses: Vec<Loss>,
}

impl<'e> Page<'e> {
    pub(super) fn lose(&mut self, of: impl Into<Lost>, what: impl Into<String>, instead: Option<&str>) {
        self.losses.push(Loss::new(of, what, instead));
    }

    pub(super) fn lose_whole(&mut self, of: impl Into<Lost>, instead: Option<&str>) {
        self.losses.push(Loss::whole(of, instead));
    }

    pub(super) fn top(&mut self, key: &'static str, value: Value<'e>) {
        self.top.push((key, value));
    }

    /// Sets a nested field, if the event's row has it and it means something there.
    pub(super) fn nested(&mut self, key: &'static str, value: Value<'e>) -> bool {
        let has = self.has(key);
        if has {
            self.nested.push((key, value));
        }
        has
    }

    pub(super) fn has(&self, key: &str) -> bool {
        let mut output = self.event.facts.output.iter();
        output.any(|field| key_below(field.path, NESTED) == Some(key) && field.feeds().is_some())
    }

    pub(super) fn finish(mut self) -> (Answer, Vec<Loss>) {
        if let Some(text) = self.exit_2 {
            let answer = Answer { stdout: Vec::new(), stderr: text.into_bytes(), exit_code: 2 };
            return (answer, self.losses);
        }
        if !self.nested.is_empty() {
            self.nested.insert(0, ("hookEventName", Value::Text(Cow::Borrowed(self.event.facts.name))));
            let nested = std::mem::take(&mut self.nested);
            self.top.push((NESTED, Value::Fields(nested)));
        }
        let mut stdout = Vec::new();
        match self.plain {
            Some(text) if self.top.is_empty() => stdout.extend_from_slice(text.as_bytes()),
            plain => {
                if plain.is_some() {
                    self.losses.push(Loss::whole(Channel::ModelContext, None));
                }
                if !self.top.is_empty() && serde_json::to_writer(&mut stdout, &Members(&self.top)).is_err() {
                    // No field here lacks a JSON form; were it so, the refusal must not be lost with it.
                    let answer = Answer { stdout: Vec::new(), stderr: NO_REASON.into(), exit_code: 2 };
                    return (answer, self.losses);
                }
            }
        }
        (Answer { stdout, ..Answer::default() }, self.losses)
    }
}
