//! Standard input: what a hook reads of an occurrence that its vendor's host wrote, and what it is not told.

use hooks_core::adapter::Codec;
use std::collections::BTreeMap;

use hooks_core::boundary::Boundary;
use hooks_core::envelope::Envelope;

use super::facts::{Facts, facts, variations};
use super::{binding, events_of, occurrences};

/// What the standard input of a hook of an event is for an occurrence.
///
/// # Errors
///
/// When the occurrence cannot be written as that.
pub fn written(adapter: &dyn Codec, event: &str, envelope: &Envelope) -> Result<Vec<u8>, String> {
    let binding = binding(adapter, event, 0).ok_or_else(|| format!("{event}: there is no such event"))?;
    let mut stdin = Vec::new();
    adapter.encode(&binding, envelope, &mut stdin).map_err(|error| format!("{event}: {error:?}"))?;
    Ok(stdin)
}

/// What a hook of an event reads of an occurrence.
///
/// # Errors
///
/// When the occurrence cannot be written as the event's standard input, or that is read as something else.
pub fn read_back(adapter: &dyn Codec, event: &str, envelope: &Envelope) -> Result<Facts, String> {
    let stdin = written(adapter, event, envelope)?;
    let (read, back) = adapter.read_stdin(&stdin).map_err(|error| format!("{event}: {error}"))?;
    if (read.name, back.boundary()) != (event, envelope.boundary()) {
        return Err(format!("{event} on {}: read as {} on {}", envelope.boundary(), read.name, back.boundary()));
    }
    Ok(facts(&back))
}

/// The boundaries that more than one of several vendors has.
#[must_use]
pub fn shared(adapters: &[&dyn Codec]) -> Vec<Boundary> {
    let has = |adapter: &&&dyn Codec, boundary| {
        occurrences(boundary).iter().any(|(_, envelope)| !events_of(**adapter, envelope).is_empty())
    };
    let several = |boundary: &Boundary| adapters.iter().filter(|adapter| has(adapter, *boundary)).count() > 1;
    Boundary::ALL.iter().copied().filter(several).collect()
}

/// The facts that the payload of an event does not tell of an occurrence: those that its standard input is the same
/// without. In the order of the occurrence's places.
///
/// # Errors
///
/// As [`written`].
pub fn not_told(adapter: &dyn Codec, event: &str, envelope: &Envelope) -> Result<Vec<&'static str>, String> {
    let before = written(adapter, event, envelope)?;
    let (mut all, mut told) = (Vec::new(), Vec::new());
    for variation in variations(envelope) {
        if written(adapter, event, &variation.envelope)? != before {
            told.push(variation.fact);
        }
        if all.last() != Some(&variation.fact) {
            all.push(variation.fact);
        }
    }
    all.retain(|fact| !told.contains(fact));
    Ok(all)
}

/// The facts that the payload of each event does not tell of those that an occurrence can have: by boundary, then vendor
/// and event. A part of a boundary stands by itself only where it differs from the shell's.
pub type Untold = BTreeMap<Boundary, BTreeMap<String, Vec<&'static str>>>;

/// What the payloads of several vendors do not tell, on the boundaries that they share.
///
/// # Errors
///
/// As [`written`].
pub fn untold(adapters: &[&dyn Codec]) -> Result<Untold, String> {
    let mut untold = Untold::new();
    for boundary in shared(adapters) {
        for adapter in adapters {
            let vendor = adapter.vendor().as_str();
            let mut before: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (facet, envelope) in occurrences(boundary) {
                for event in events_of(*adapter, &envelope) {
                    let mut lacks = not_told(*adapter, event.name, &envelope)?;
                    lacks.sort_unstable();
                    let key = match before.get(event.name) {
                        None => format!("{vendor} {}", event.name),
                        Some(first) if *first == lacks => continue,
                        Some(_) => format!("{vendor} {}, {}", event.name, facet.as_str()),
                    };
                    before.entry(event.name).or_insert_with(|| lacks.clone());
                    untold.entry(boundary).or_default().insert(key, lacks);
                }
            }
        }
    }
    Ok(untold)
}
