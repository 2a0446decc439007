//! What became of one field, found by reading the answer once more without it.

use hooks_core::Channel;
use hooks_core::effects::{Effect, Failure, HookEffects, OnPending};
use hooks_core::facts::{EventFacts, FieldKind, OutputField, Values};
use hooks_core::json::{JsonKind, RawObject};
use hooks_core::text::shorten;
use serde_json::value::RawValue;

use super::{ASK, Fate, Known, SPOILS, Status, at, without};
use crate::cli::explain::words;
use crate::cli::near::did_you_mean;

/// Characters shown of a value.
const SHOWN: usize = 120;

pub(super) struct Look<'a> {
    pub(super) vendor: &'a str,
    pub(super) event: &'a EventFacts,
    pub(super) text: &'a str,
    pub(super) whole: &'a HookEffects,
    pub(super) read: &'a dyn Fn(&str) -> HookEffects,
    pub(super) known: &'a [Known],
}

impl Look<'_> {
    pub(super) fn fate(&self, keys: &[String]) -> Fate {
        let path = keys.join(".");
        let raw = at(self.text, keys);
        let value = shorten(raw.map_or("", RawValue::get), SHOWN).into_owned();
        let own = self.known.iter().find(|known| self.is_own(known) && known.field.path == path);
        let without = without(self.text, keys).map(|text| (self.read)(&text));
        let (status, mut why, of) = match (own, raw) {
            (Some(own), Some(raw)) => {
                let (status, why) = self.documented(own.field, raw, without.as_ref());
                (status, why, Vec::new())
            }
            _ => self.undocumented(keys, &path, without.as_ref()),
        };
        let times = self.repetitions(keys);
        if times > 1 {
            why.push_str(&format!("; it stands there {times} times, and the last counts"));
        }
        Fate { path, value, status, why, channel: own.and_then(|own| own.field.channel), of }
    }

    fn is_own(&self, known: &Known) -> bool {
        known.vendor == self.vendor && known.event == self.event.name
    }

    fn repetitions(&self, keys: &[String]) -> usize {
        let Some((last, above)) = keys.split_last() else { return 0 };
        let object = if above.is_empty() { Some(self.text) } else { at(self.text, above).map(RawValue::get) };
        let object = object.and_then(|text| RawObject::parse(text).ok());
        object.map_or(0, |object| object.iter().filter(|(key, _)| key == last).count())
    }

    /// What decoding noted about the field, if anything.
    fn note(&self, path: &str) -> Option<&str> {
        let is_it = |field: &str| field == path || path.rsplit('.').next() == Some(field);
        let note = self.whole.notes.iter().find(|note| note.field.as_deref().is_some_and(is_it));
        note.map(|note| note.text.as_str())
    }

    fn is_unsupported(&self, path: &str) -> bool {
        self.whole.effects.iter().any(|effect| match effect {
            Effect::Unsupported(unsupported) => {
                unsupported.field == path || path.rsplit('.').next() == Some(&*unsupported.field)
            }
            _ => false,
        })
    }

    /// Whether the run is well without the field and fails with it.
    fn spoils(&self, without: Option<&HookEffects>) -> bool {
        self.whole.failure.is_some() && without.is_some_and(|without| without.failure.is_none())
    }

    fn differs(&self, without: Option<&HookEffects>) -> bool {
        without.is_some_and(|without| {
            without.effects != self.whole.effects
                || without.failure.is_some() != self.whole.failure.is_some()
                || without.status != self.whole.status
        })
    }

    /// A field that the event has.
    fn documented(
        &self,
        field: &'static OutputField,
        raw: &RawValue,
        without: Option<&HookEffects>,
    ) -> (Status, String) {
        let path = field.path;
        let void = self.is_void();
        if !fits(field.kind, raw) && JsonKind::of(raw) != JsonKind::Null {
            let found = found(field.kind, raw);
            let cost = if void && (self.spoils(without) || !self.differs(without)) {
                "; that voids the answer"
            } else if self.differs(without) {
                "; that is taken as a wish that cannot be met"
            } else {
                "; it is left out"
            };
            return (Status::Invalid, format!("it is {found}, not {}{cost}", words::kind(field.kind)));
        }
        if let Some(refused) = field.refused.filter(|refused| asks(refused.when, raw)) {
            return (Status::Unsupported, words::refused(refused));
        }
        if self.is_unsupported(path) {
            let why = match (self.note(path), field.channel) {
                (Some(note), _) => note.to_owned(),
                (None, Some(channel)) if self.event.channels.contains(channel) => {
                    "this event does not support it as it stands here".to_owned()
                }
                _ => "this event cannot do it".to_owned(),
            };
            return (Status::Unsupported, why);
        }
        if self.spoils(without)
            && let Some(failure) = &self.whole.failure
        {
            let status = if matches!(failure, Failure::Unsupported(_)) { Status::Unsupported } else { Status::Invalid };
            return (status, format!("{SPOILS}: it {failure}"));
        }
        if self.whole.failure.is_some() && !self.adds(without) {
            return (Status::Ignored, "the run failed: nothing of it counts".to_owned());
        }
        let does = words::says(field);
        if self.differs(without) {
            let decides = |effect: &Effect| matches!(effect, Effect::Verdict { .. });
            if raw.get() == ASK
                && field.channel == Some(Channel::Verdict)
                && !self.whole.effects.iter().any(decides)
                && let Some(rule) = words::ask(self.event.ask)
            {
                return (Status::Unsupported, rule.to_owned());
            }
            let needed = without.is_some_and(|without| without.failure.is_some()) && self.whole.failure.is_none();
            let why = match (field.channel, needed) {
                (None, true) => "it is needed: without it the answer cannot be read".to_owned(),
                (Some(_), true) => format!("{does} Without it the answer could not be read"),
                _ => does.to_owned(),
            };
            return (Status::Taken, why);
        }
        if let Some(note) = self.note(path) {
            return (Status::Ignored, note.to_owned());
        }
        let why = match field.channel {
            None => "it has no effect on this event",
            Some(_) => "it changes nothing here: its value asks for nothing more",
        };
        (Status::Ignored, why.to_owned())
    }

    /// Whether something beside the failure comes of the answer that does not come without the field.
    fn adds(&self, without: Option<&HookEffects>) -> bool {
        let is_own =
            |effect: &&Effect| !matches!(effect, Effect::Verdict { .. } | Effect::Halt(_) | Effect::Unsupported(_));
        let left = |effect: &Effect| without.is_some_and(|without| without.effects.contains(effect));
        let unread = |effects: &HookEffects| matches!(effects.failure, Some(Failure::Malformed(_)));
        // What cannot be read without it says nothing about it.
        (unread(self.whole) || !without.is_some_and(unread))
            && self.whole.effects.iter().filter(is_own).any(|effect| !left(effect))
    }

    /// Whether nothing of the answer counts.
    fn is_void(&self) -> bool {
        let Some(failure) = &self.whole.failure else { return false };
        matches!(failure, Failure::Malformed(_)) || (self.read)("{}").effects == self.whole.effects
    }

    /// A field that the event does not have.
    fn undocumented(
        &self,
        keys: &[String],
        path: &str,
        without: Option<&HookEffects>,
    ) -> (Status, String, Vec<(String, &'static str)>) {
        let mut of: Vec<(String, &'static str)> = self
            .known
            .iter()
            .filter(|known| known.field.path == path && !self.is_own(known))
            .map(|known| (known.vendor.clone(), known.event))
            .collect();
        if of.iter().any(|(vendor, _)| vendor == self.vendor) {
            of.retain(|(vendor, _)| vendor == self.vendor);
        }
        let whose = whose(&of, self.vendor);
        let spoils = self.spoils(without) || self.spoils_alone(keys);
        if self.is_unsupported(path) {
            let is_wish = |effect: &Effect| match effect {
                Effect::Unsupported(unsupported) => unsupported.on_pending == OnPending::Deny,
                _ => false,
            };
            let pending = self.event.boundary.is_some_and(|boundary| boundary.is_pending());
            let denies = if pending && self.whole.effects.iter().any(is_wish) {
                ", so what is pending is denied"
            } else {
                ", which is reported and nothing else"
            };
            let meant = self.meant(keys);
            return (Status::Unsupported, format!("{} cannot do it{denies}{whose}{meant}", self.event.name), of);
        }
        let (status, what) = match (of.is_empty(), spoils) {
            (_, true) if of.is_empty() => {
                (Status::Invalid, format!("it is no field of {}: it voids the answer", self.event.name))
            }
            (_, true) => (Status::Foreign, format!("it is no field of {}: it voids the answer", self.event.name)),
            (false, false) => {
                let meant = self.meant(keys);
                (Status::Foreign, format!("it is no field of {} and is ignored{meant}", self.event.name))
            }
            (true, false) if self.differs(without) => (Status::Taken, "the vendor reads it".to_owned()),
            (true, false) => (Status::Unknown, format!("nobody has such a field; it is ignored{}", self.meant(keys))),
        };
        let note = self.note(path).map_or(String::new(), |note| format!("; {note}"));
        (status, format!("{what}{note}{whose}"), of)
    }

    /// The event's own field that was meant by one that is not its, as the rest of a sentence: one of the same name in
    /// another place, or one of nearly the same name.
    fn meant(&self, keys: &[String]) -> String {
        let Some((last, above)) = keys.split_last() else { return String::new() };
        let own = || self.known.iter().filter(|known| self.is_own(known)).map(|known| known.field.path);
        let name = |path: &'static str| path.rsplit('.').next().unwrap_or(path);
        if let Some(place) = own().find(|path| name(path) == last) {
            return format!("; this event has it as `{place}`");
        }
        let beside = own().filter(|path| path.split('.').count() == keys.len() && path.starts_with(&above.join(".")));
        did_you_mean(last, beside.map(name)).map_or(String::new(), |near| format!("; {near}"))
    }

    /// Whether an answer of nothing but the field cannot be read.
    fn spoils_alone(&self, keys: &[String]) -> bool {
        let Some(raw) = at(self.text, keys) else { return false };
        let Some((last, above)) = keys.split_last() else { return false };
        let Ok(key) = serde_json::to_string(last) else { return false };
        let name = serde_json::to_string(self.event.name).unwrap_or_default();
        let wrap = |inner: String| {
            above.iter().rev().fold(inner, |inner, part| {
                let inner = if part == "hookSpecificOutput" {
                    match inner.strip_prefix('{') {
                        Some("}") => format!(r#"{{"hookEventName":{name}}}"#),
                        Some(rest) => format!(r#"{{"hookEventName":{name},{rest}"#),
                        None => inner,
                    }
                } else {
                    inner
                };
                format!("{{{}:{inner}}}", serde_json::to_string(part).unwrap_or_default())
            })
        };
        let with = (self.read)(&wrap(format!("{{{key}:{}}}", raw.get())));
        let without = (self.read)(&wrap("{}".to_owned()));
        matches!(with.failure, Some(Failure::Malformed(_))) && !matches!(without.failure, Some(Failure::Malformed(_)))
    }
}

/// Whose field it is, as the end of a sentence.
fn whose(of: &[(String, &'static str)], vendor: &str) -> String {
    let Some((owner, _)) = of.first() else { return String::new() };
    let events: Vec<&str> = of.iter().filter(|(other, _)| other == owner).map(|(_, event)| *event).collect();
    let shown = events.get(..3).unwrap_or(&events).join(", ");
    let more = if events.len() > 3 { format!(" and {} more", events.len() - 3) } else { String::new() };
    let own = if owner == vendor { String::new() } else { format!("{owner}'s ") };
    format!(" (it is a field of {own}{shown}{more})")
}

fn text(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// Whether a value is of a kind.
fn fits(kind: FieldKind, raw: &RawValue) -> bool {
    let found = JsonKind::of(raw);
    match kind {
        FieldKind::Bool => found == JsonKind::Bool,
        FieldKind::String => found == JsonKind::String,
        FieldKind::Word(words) => text(raw).is_some_and(|word| words.contains(&word.as_str())),
        FieldKind::Object => found == JsonKind::Object,
        FieldKind::Array => found == JsonKind::Array,
        _ => true,
    }
}

/// What a value is, where it does not fit a kind.
fn found(kind: FieldKind, raw: &RawValue) -> String {
    match (kind, text(raw)) {
        (FieldKind::Word(_), Some(word)) => format!("`{}`", shorten(&word, 40)),
        _ => JsonKind::of(raw).phrase().to_owned(),
    }
}

/// Whether a value is among those that a field refuses.
fn asks(when: Values, raw: &RawValue) -> bool {
    match when {
        _ if JsonKind::of(raw) == JsonKind::Null => false,
        Values::False => raw.get() == "false",
        Values::True => raw.get() == "true",
        Values::Word(word) => text(raw).as_deref() == Some(word),
        Values::But(word) => text(raw).as_deref() != Some(word),
        _ => true,
    }
}
