//! An answer read by its schema. The schema is the event table: a value of the wrong type, an unknown word or a missing
//! key voids the whole answer; keys that nobody knows are ignored (cases `b-pre*/pd-*`, `hso-*`).

use std::borrow::Cow;

use hooks_core::facts::{FieldKind, OutputField};
use hooks_core::json::{JsonKind, RawObject};
use hooks_core::vendor::Version;
use serde_json::value::RawValue;

use crate::events::{self, Event, NESTED, OnFailure, WRONG_NAME_KEEPS_BLOCK};

/// The top-level decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Approve,
    Block,
}

/// An answer that fits the schema.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    /// `continue: false`.
    pub(super) stops: bool,
    pub(super) stop_reason: Option<String>,
    pub(super) system_message: Option<String>,
    pub(super) terminal_sequence: Option<String>,
    pub(super) decision: Option<Decision>,
    pub(super) reason: Option<String>,
    /// The nested part, if it is this event's.
    pub(super) nested: Option<RawObject<'a>>,
    /// The other event that the nested part names, where the answer counts all the same.
    pub(super) foreign: Option<String>,
    /// The whole answer.
    pub(super) top: RawObject<'a>,
}

impl<'a> Answer<'a> {
    /// Reads an answer.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(super) fn read(top: RawObject<'a>, event: &Event, version: Version) -> Result<Self, String> {
        check(&top, event.facts.output, "")?;
        let decision = match text(&top, "decision").as_deref() {
            Some("block") => Some(Decision::Block),
            Some("approve") => Some(Decision::Approve),
            _ => None,
        };
        let mut answer = Self {
            stops: top.get("continue").is_some_and(|raw| raw.get() == "false"),
            stop_reason: text(&top, "stopReason").filter(|reason| !reason.is_empty()),
            system_message: text(&top, "systemMessage").filter(|message| !message.is_empty()),
            terminal_sequence: text(&top, "terminalSequence").filter(|sequence| !sequence.is_empty()),
            decision,
            reason: text(&top, "reason").filter(|reason| !reason.is_empty()),
            nested: None,
            foreign: None,
            top,
        };
        let Some(raw) = answer.top.get(NESTED) else { return Ok(answer) };
        let nested = RawObject::parse(raw.get()).map_err(|error| error.to_string())?;
        let Some(name) = text(&nested, "hookEventName") else {
            return Err(format!("{NESTED} has no hookEventName"));
        };
        let Some(named) = events::find(&name).filter(|named| named.nested && named.exists_at(version)) else {
            return Err(format!("{NESTED} names no event that has one"));
        };
        check(&nested, named.facts.output, NESTED)?;
        if let Some(missing) = named.required.iter().find(|key| nested.get(key).is_none()) {
            return Err(format!("{NESTED} lacks {missing}"));
        }
        if let Some(decision) = nested.get("decision").filter(|_| named.on_failure == OnFailure::Denies) {
            let decision = RawObject::parse(decision.get()).map_err(|error| error.to_string())?;
            super::verdict::check_decision(&decision)?;
        }
        if named.facts.name == event.facts.name {
            answer.nested = Some(nested);
            return Ok(answer);
        }
        let blocks = answer.decision == Some(Decision::Block)
            && event.on_failure != OnFailure::Denies
            && WRONG_NAME_KEEPS_BLOCK.at(version) == Some(true);
        if !blocks {
            return Err(format!("{NESTED} names {name}, and this is {}", event.facts.name));
        }
        answer.foreign = Some(name);
        Ok(answer)
    }

    /// The text of a nested field; an empty one counts as none.
    pub(super) fn nested_text(&self, key: &str) -> Option<String> {
        self.nested.as_ref().and_then(|nested| text(nested, key)).filter(|text| !text.is_empty())
    }
}

/// Checks the fields that stand directly below a path.
fn check(object: &RawObject<'_>, fields: &[OutputField], below: &str) -> Result<(), String> {
    for field in fields {
        let Some(key) = key_below(field.path, below) else { continue };
        if let Some(raw) = object.get(key) {
            check_value(raw, field)?;
        }
    }
    Ok(())
}

/// The key of a field that stands directly below a path.
pub(super) fn key_below<'p>(path: &'p str, below: &str) -> Option<&'p str> {
    let rest = if below.is_empty() { path } else { path.strip_prefix(below)?.strip_prefix('.')? };
    (!rest.contains('.')).then_some(rest)
}

fn check_value(raw: &RawValue, field: &OutputField) -> Result<(), String> {
    let found = JsonKind::of(raw);
    let wanted = match field.kind {
        FieldKind::Bool => JsonKind::Bool,
        FieldKind::String => JsonKind::String,
        FieldKind::Object => JsonKind::Object,
        FieldKind::Array => JsonKind::Array,
        FieldKind::Word(words) => {
            return match string(raw) {
                Some(word) if words.contains(&&*word) => Ok(()),
                Some(_) => Err(format!("{} is none of {}", field.path, words.join(", "))),
                None => Err(format!("{} is {}, not a string", field.path, found.phrase())),
            };
        }
        _ => return Ok(()),
    };
    if found == wanted { Ok(()) } else { Err(format!("{} is {}, not {}", field.path, found.phrase(), wanted.phrase())) }
}

/// The text of a raw string.
pub(super) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str(raw.get()).ok().map(Cow::Owned)
}

/// The text of a key, if it is a string.
pub(super) fn text(object: &RawObject<'_>, key: &str) -> Option<String> {
    object.get(key).and_then(string).map(Cow::into_owned)
}
