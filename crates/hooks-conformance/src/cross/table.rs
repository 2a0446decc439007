//! What becomes of every kind of effect on every event: the list of what vendors' answers cannot say.

use hooks_core::adapter::Codec;
use std::collections::BTreeMap;

use hooks_core::adapter::Loss;
use hooks_core::boundary::{Boundary, Facet};
use hooks_core::effects::{Effect, Halt};
use hooks_core::facts::EventFacts;
use hooks_core::vendor::VendorId;
use serde_json::{Value, json};

use super::{Sayable, binding, events_of, occurrences, probes, retell, same, sayable};

/// What became of one effect on one event.
#[derive(Clone, Debug)]
pub struct Row {
    /// The boundary.
    pub boundary: Boundary,
    /// The part of it that the occurrence is about.
    pub facet: Facet,
    /// The vendor.
    pub vendor: VendorId,
    /// The event.
    pub event: &'static EventFacts,
    /// The kind of effect.
    pub kind: &'static str,
    /// The effect.
    pub said: Effect,
    /// Whether an answer has a place for it, as the event table has it.
    pub sayable: Sayable,
    /// What was reported as lost.
    pub losses: Vec<Loss>,
    /// What a host hears.
    pub heard: Vec<Effect>,
    /// Whether that is what was said, with nothing reported as lost.
    pub kept: bool,
}

/// Asks for every kind of effect on every event of an adapter that has a boundary.
#[must_use]
pub fn rows(adapter: &dyn Codec) -> Vec<Row> {
    let mut rows = Vec::new();
    for boundary in Boundary::ALL {
        for (facet, envelope) in occurrences(*boundary) {
            for event in events_of(adapter, &envelope) {
                let Some(binding) = binding(adapter, event.name, 0) else { continue };
                // What is heard when nothing is asked for is no effect of the probe.
                let silence = retell(adapter, &binding, &envelope, &[], 0).map(|told| told.losses).unwrap_or_default();
                for probe in probes(adapter, &envelope) {
                    let said = [probe.effect];
                    let Some(told) = retell(adapter, &binding, &envelope, &said, 0) else { continue };
                    let [said] = said;
                    let mut losses = told.losses;
                    losses.retain(|loss| !silence.contains(loss));
                    let heard = told.heard.effects;
                    rows.push(Row {
                        boundary: *boundary,
                        facet,
                        vendor: adapter.vendor().clone(),
                        event,
                        kind: probe.kind,
                        sayable: sayable(event, *boundary, &said),
                        kept: losses.is_empty() && same(std::slice::from_ref(&said), &heard),
                        said,
                        losses,
                        heard,
                    });
                }
            }
        }
    }
    rows
}

/// The rows of one event, by the part of the boundary.
type Parts = Vec<(Facet, Vec<Row>)>;

/// The rows of several adapters as one JSON document: by boundary, then vendor and event, the kinds of effects that are
/// said as they are, and for others what a host hears in their place. What stands under neither is lost. A part of a
/// boundary stands by itself only where it differs from the shell's.
#[must_use]
pub fn table(adapters: &[&dyn Codec]) -> Value {
    let mut boundaries: BTreeMap<&str, BTreeMap<String, Value>> = BTreeMap::new();
    for adapter in adapters {
        let mut events: BTreeMap<(Boundary, &str), Parts> = BTreeMap::new();
        for row in rows(*adapter) {
            let parts = events.entry((row.boundary, row.event.name)).or_default();
            match parts.last_mut().filter(|(facet, _)| *facet == row.facet) {
                Some((_, rows)) => rows.push(row),
                None => parts.push((row.facet, vec![row])),
            }
        }
        for ((boundary, event), parts) in events {
            let mut before: Option<Value> = None;
            for (facet, rows) in parts {
                let entry = entry(&rows);
                if before.as_ref() == Some(&entry) {
                    continue;
                }
                let vendor = adapter.vendor().as_str();
                let key = match &before {
                    None => format!("{vendor} {event}"),
                    Some(_) => format!("{vendor} {event}, {}", facet.as_str()),
                };
                before.get_or_insert_with(|| entry.clone());
                boundaries.entry(boundary.name()).or_default().insert(key, entry);
            }
        }
    }
    json!(boundaries)
}

fn entry(rows: &[Row]) -> Value {
    let said: Vec<&str> = rows.iter().filter(|row| row.kept).map(|row| row.kind).collect();
    let mut instead: BTreeMap<&str, String> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.kept && !row.heard.is_empty()) {
        instead.insert(row.kind, words(&row.heard));
    }
    if instead.is_empty() {
        return json!({ "said": said });
    }
    json!({ "said": said, "instead": instead })
}

/// Effects in a few words.
fn words(effects: &[Effect]) -> String {
    let all: Vec<String> = effects.iter().map(word).collect();
    all.join(" and ")
}

fn word(effect: &Effect) -> String {
    match effect {
        Effect::Verdict { verdict, .. } => verdict.as_str().to_owned(),
        Effect::Halt(Halt { stops, prompt, .. }) => {
            let stops: Vec<&str> = stops.iter().map(|stop| stop.as_str()).collect();
            let fate = match prompt {
                Some(hooks_core::effects::PromptFate::Erase) => ", prompt erased",
                Some(hooks_core::effects::PromptFate::Keep) => ", prompt kept",
                None => "",
            };
            format!("halt of the {}{fate}", stops.join(" and the "))
        }
        Effect::ReplaceResult(hooks_core::effects::ResultReplacement::Text(_)) => "other result, a text".to_owned(),
        Effect::ReplaceResult(_) => "other result, in a tool's form".to_owned(),
        Effect::ReplaceInput(_) => "other input".to_owned(),
        Effect::Special(special) => special.kind().to_owned(),
        other => other.channel().as_str().to_owned(),
    }
}
