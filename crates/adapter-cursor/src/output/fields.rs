//! Reading an answer's fields, and what becomes of those that the event does not document.

use hooks_core::Channel;
use hooks_core::effects::{Effect, Note, OnPending, Unsupported};
use hooks_core::facts::Values;
use hooks_core::json::{JsonKind, RawObject};
use hooks_core::text::clean_message;
use serde_json::value::RawValue;

use super::Answer;
use crate::events::{ELSEWHERE, Event};

/// A documented field of the wrong type, or a required one that is missing: the answer is off the schema.
pub(super) struct Mismatch(pub(super) String);

/// A field as text, made safe to show; `None` when it is absent, null, or empty once it is clean.
pub(super) fn text(object: &RawObject<'_>, key: &str) -> Result<Option<String>, Mismatch> {
    Ok(raw_text(object, key)?.map(|text| clean_message(&text).into_owned()).filter(|text| !text.is_empty()))
}

/// A field as text, as it stands there.
pub(super) fn raw_text(object: &RawObject<'_>, key: &str) -> Result<Option<String>, Mismatch> {
    let Some(raw) = object.get_non_null(key) else { return Ok(None) };
    serde_json::from_str(raw.get()).map(Some).map_err(|_| wrong(key, raw, "a string"))
}

/// A field that is an object, still raw.
pub(super) fn object<'a>(object: &RawObject<'a>, key: &str) -> Result<Option<&'a RawValue>, Mismatch> {
    match object.get_non_null(key) {
        Some(raw) if JsonKind::of(raw) != JsonKind::Object => Err(wrong(key, raw, "an object")),
        raw => Ok(raw),
    }
}

/// A nested object, read.
pub(super) fn nested<'a>(object: &RawObject<'a>, key: &str) -> Result<Option<RawObject<'a>>, Mismatch> {
    match self::object(object, key)? {
        Some(raw) => RawObject::parse(raw.get()).map(Some).map_err(|_| wrong(key, raw, "an object")),
        None => Ok(None),
    }
}

/// The decision of a permission hook with its key: the flat one, or Claude's where the event reads that and the flat one
/// is missing.
pub(super) fn word<'a>(event: &Event, object: &RawObject<'a>) -> Option<(&'static str, &'a RawValue)> {
    if let Some(raw) = object.get("permission") {
        return Some(("permission", raw));
    }
    let nested = if event.claude_shape.is_empty() { None } else { nested(object, "hookSpecificOutput").ok().flatten() };
    nested.and_then(|nested| nested.get("permissionDecision")).map(|raw| ("permissionDecision", raw))
}

/// Whether a value is this word, as written.
pub(super) fn is_word(raw: &RawValue, word: &str) -> bool {
    JsonKind::of(raw) == JsonKind::String && serde_json::from_str::<String>(raw.get()).is_ok_and(|text| text == word)
}

pub(super) fn wrong(key: &str, raw: &RawValue, wanted: &str) -> Mismatch {
    let kind = JsonKind::of(raw);
    let found =
        if kind == JsonKind::String && wanted == "a string" { "text that is not Unicode" } else { kind.phrase() };
    Mismatch(format!("`{key}` is {found}, not {wanted}"))
}

/// Fields that control nothing anywhere: on an event that does not document one it is only noted.
const OBSERVED: [&str; 5] = ["user_message", "agent_message", "additional_context", "env", "pluginPaths"];

/// Whether a value of a control field asks for something: one that asks for nothing is only noted (first design, first
/// amendment). A value that cannot be read may have been a wish, so it counts as one.
fn asks(when: Values, raw: &RawValue) -> bool {
    let text = || serde_json::from_str::<String>(raw.get()).ok();
    match (when, JsonKind::of(raw)) {
        (_, JsonKind::Null) => false,
        (Values::False, _) => raw.get() != "true",
        (Values::Word(word), JsonKind::String) => text().as_deref() == Some(word),
        (Values::But(word), _) => text().as_deref() != Some(word),
        _ => true,
    }
}

impl Answer<'_> {
    /// Reports what the event does not document.
    pub(super) fn undocumented(&mut self, object: &RawObject<'_>) {
        for field in &ELSEWHERE {
            let key = field.path;
            let Some(raw) = object.get(key) else { continue };
            let (Some(channel), Some(refused)) = (field.channel, field.refused) else { continue };
            if self.event.documents(key) {
                continue;
            }
            if asks(refused.when, raw) {
                self.unsupported(key, channel);
            } else {
                self.effects.note(Note::field(key, "it asks for nothing and has no meaning on this event"));
            }
        }
        for key in OBSERVED {
            if object.get(key).is_some() && !self.event.documents(key) {
                self.effects.note(Note::field(key, "it has no meaning on this event and is ignored"));
            }
        }
    }

    /// Reports one field; a pending action is then denied, so that nothing goes on as if it had been applied.
    pub(super) fn unsupported(&mut self, key: &str, channel: Channel) {
        let field = key.to_owned();
        self.effects.push(Effect::Unsupported(Unsupported { field, channel, on_pending: OnPending::Deny }));
    }
}
