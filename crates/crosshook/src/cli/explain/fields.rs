//! Field by field: what became of each member of a JSON answer.
//!
//! What a field can be stands in the event table. What it did here is found by reading the answer once more without it:
//! a field is taken when that makes a difference.

mod look;

use hooks_core::effects::HookEffects;
use hooks_core::facts::{EventFacts, OutputField};
use hooks_core::json::{JsonKind, RawObject, too_deep_at};
use hooks_core::{Channel, Decision, HostSide};
use serde_json::value::RawValue;

use self::look::Look;

/// Fields of one answer that are looked at one by one; more are counted.
pub(crate) const LIMIT: usize = 64;
/// Of a long answer fewer are, so that so many bytes are read over at most.
const BUDGET: usize = 16 << 20;
/// But so many always.
const LEAST: usize = 8;
/// How the reason of a field begins that fails the run.
const SPOILS: &str = "because of it the run failed";
/// What asks for a person to be asked.
pub(crate) const ASK: &str = "\"ask\"";

/// What became of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It counts.
    Taken,
    /// The event has it, and it changes nothing here.
    Ignored,
    /// It asks for something that the event cannot do.
    Unsupported,
    /// Its value or its place cannot be read.
    Invalid,
    /// It is a field of another event or another vendor.
    Foreign,
    /// Nobody has such a field.
    Unknown,
}

impl Status {
    /// The word for it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Ignored => "ignored",
            Self::Unsupported => "unsupported",
            Self::Invalid => "invalid",
            Self::Foreign => "foreign",
            Self::Unknown => "unknown",
        }
    }
}

/// One field with what became of it.
#[derive(Clone, Debug)]
pub(crate) struct Fate {
    /// Its path in the answer, with dots.
    pub path: String,
    /// Its value, shortened.
    pub value: String,
    /// What became of it.
    pub status: Status,
    /// Why.
    pub why: String,
    /// What it feeds, by the table.
    pub channel: Option<Channel>,
    /// Events that have such a field, where this one has not: vendor and event.
    pub of: Vec<(String, &'static str)>,
}

impl Fate {
    /// Says so where what a field asks for was read and is dropped later.
    pub(crate) fn follow(&mut self, effects: &HookEffects, decision: &Decision) {
        let Some(channel) = self.channel.filter(|_| self.status == Status::Taken) else { return };
        let asked = effects.effects.iter().filter(|effect| effect.channel() == channel).count();
        let mut dropped = decision.report.dropped.iter().filter(|dropped| dropped.effect.channel() == channel);
        // The reason of an allow is for the report, which drops nothing of it.
        if let (true, Some(first)) = (channel != Channel::Verdict, dropped.next())
            && dropped.count() + 1 >= asked
        {
            self.why.push_str(&format!(" It is dropped then: {}", first.why));
        }
    }
}

/// A field of some vendor's event.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// Whose.
    pub vendor: String,
    /// The event.
    pub event: &'static str,
    /// The field.
    pub field: &'static OutputField,
}

/// Every field of every event of every vendor.
pub(crate) fn known() -> Vec<Known> {
    let mut known = Vec::new();
    for adapter in crosshook::adapters() {
        for event in adapter.events() {
            let vendor = adapter.vendor().as_str();
            known.extend(own(vendor, event).map(|field| Known { vendor: vendor.to_owned(), event: event.name, field }));
        }
    }
    known
}

/// Every field of a vendor's event.
pub(crate) fn own(vendor: &str, event: &EventFacts) -> impl Iterator<Item = &'static OutputField> {
    event.output.iter().chain(borrowed(vendor, event.name))
}

/// The fields in another vendor's shape that an event reads too.
fn borrowed(vendor: &str, event: &str) -> &'static [OutputField] {
    let row = crosshook::cursor::events::EVENTS.iter().find(|row| row.facts.name == event);
    row.filter(|_| vendor == "cursor").map_or(&[], |row| row.claude_shape)
}

/// What became of each field of an answer, and how many more there are; empty where it is not one JSON object.
///
/// `read` says what another standard output in its place would have come to.
pub(crate) fn fates(
    adapter: &dyn HostSide,
    event: &EventFacts,
    stdout: &str,
    whole: &HookEffects,
    read: &dyn Fn(&str) -> HookEffects,
) -> (Vec<Fate>, usize) {
    let text = trimmed(stdout);
    if too_deep_at(text.as_bytes()).is_some() || RawObject::parse(text).is_err() {
        return (Vec::new(), 0);
    }
    let known = known();
    let mut paths = Vec::new();
    collect(text, &mut Vec::new(), &known, &mut paths);
    let limit = (BUDGET / text.len().max(1)).clamp(LEAST, LIMIT);
    let beyond = paths.len().saturating_sub(limit);
    paths.truncate(limit);
    let look = Look { vendor: adapter.vendor().as_str(), event, text, whole, read, known: &known };
    let mut fates: Vec<Fate> = paths.iter().map(|path| look.fate(path)).collect();
    blame(&mut fates);
    (fates, beyond)
}

/// Of an object that spoils the answer, and something in it that does, says that it is what it holds.
fn blame(fates: &mut [Fate]) {
    let spoilt: Vec<String> = fates
        .iter()
        .filter(|fate| matches!(fate.status, Status::Invalid | Status::Unsupported | Status::Foreign))
        .map(|fate| fate.path.clone())
        .collect();
    for fate in fates {
        let prefix = format!("{}.", fate.path);
        if fate.why.starts_with(SPOILS) && spoilt.iter().any(|path| path.starts_with(&prefix)) {
            fate.why = "what it holds fails the run; see below".to_owned();
        }
    }
}

/// A text without what vendors take off its ends.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

/// The paths of all members, down to where somebody's fields end.
fn collect(object: &str, above: &mut Vec<String>, known: &[Known], paths: &mut Vec<Vec<String>>) {
    let Ok(object) = RawObject::parse(object) else { return };
    let mut seen: Vec<&str> = Vec::new();
    for (key, _) in object.iter() {
        if paths.len() > 4 * LIMIT {
            return;
        }
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        above.push(key.to_owned());
        paths.push(above.clone());
        let prefix = above.join(".") + ".";
        if let Some(raw) = object.get(key)
            && JsonKind::of(raw) == JsonKind::Object
            && known.iter().any(|known| known.field.path.starts_with(&prefix))
        {
            collect(raw.get(), above, known, paths);
        }
        above.pop();
    }
}

/// The answer without the member at a path.
fn without(object: &str, path: &[String]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    let object = RawObject::parse(object).ok()?;
    let mut members = Vec::new();
    for (key, raw) in object.iter() {
        let value = match (key == first, rest.is_empty()) {
            (true, true) => continue,
            (true, false) => without(raw.get(), rest)?,
            (false, _) => raw.get().to_owned(),
        };
        members.push(format!("{}:{value}", serde_json::to_string(key).ok()?));
    }
    Some(format!("{{{}}}", members.join(",")))
}

/// The value at a path.
pub(crate) fn at<'t>(object: &'t str, path: &[String]) -> Option<&'t RawValue> {
    let (first, rest) = path.split_first()?;
    let raw = RawObject::parse(object).ok()?.get(first)?;
    if rest.is_empty() { Some(raw) } else { at(raw.get(), rest) }
}
