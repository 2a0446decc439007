//! What an occurrence says, as named facts that vendors' payloads can be compared by, and occurrences that differ in one.

use std::collections::BTreeMap;

use hooks_core::Envelope;
use hooks_core::envelope::Payload;
use hooks_core::tool::{ResultKind, ToolAction};
use serde_json::{Value, json};

use super::place::{Place, places};
use super::slot::Words;

/// The facts of an occurrence by name; what is not known is absent.
pub type Facts = BTreeMap<&'static str, Value>;

/// Every fact of an occurrence.
#[must_use]
pub fn facts(envelope: &Envelope) -> Facts {
    let mut facts = Facts::new();
    let mut add = |name, value: Value| {
        if !value.is_null() {
            facts.insert(name, value);
        }
    };
    for Place { fact, slot } in places(&mut envelope.clone()) {
        add(fact, slot.value());
    }
    let common = &envelope.common;
    add("agent type", json!(common.agent.as_ref().and_then(|agent| agent.kind.as_ref())));
    // A payload of our own has none.
    add("unknown keys", json!((!common.extra.is_empty()).then(|| format!("{:?}", common.extra))));
    if let Some(tool) = envelope.payload.tool_use() {
        let action = &tool.call.action;
        add("call", json!(action.kind()));
        match action {
            ToolAction::Shell(shell) => {
                add("command directory", json!(shell.cwd.as_deref().unwrap_or(&common.cwd)));
            }
            ToolAction::Read(_) | ToolAction::Edit(_) | ToolAction::Mcp(_) => {}
            other => add("other call", json!(format!("{other:?}"))),
        }
    }
    if let Payload::ToolResult(returned) = &envelope.payload {
        match &returned.result.kind {
            ResultKind::Files(files) => add("result", json!(files)),
            ResultKind::Binary { bytes } => add("result", json!(format!("{bytes} bytes"))),
            _ => {}
        }
    }
    facts
}

/// Puts other words in every place of an occurrence.
pub fn vary(envelope: &mut Envelope, words: &Words) {
    for Place { fact, slot } in places(envelope) {
        slot.put(fact, words);
    }
}

/// An occurrence that differs from another in one place.
#[derive(Clone, Debug)]
pub struct Variation {
    /// The fact whose place it is.
    pub fact: &'static str,
    /// The occurrence.
    pub envelope: Envelope,
}

/// For every place of an occurrence, the occurrence with something else there: with every other value where there are few,
/// else with several.
#[must_use]
pub fn variations(envelope: &Envelope) -> Vec<Variation> {
    let before = facts(envelope);
    let names: Vec<&'static str> = places(&mut envelope.clone()).iter().map(|place| place.fact).collect();
    let mut all = Vec::new();
    for (at, fact) in names.into_iter().enumerate() {
        let other = |number: u32| {
            let value = json!({ "other": number });
            let text = format!("otherwise {number}");
            let words = Words { text, number, flag: number % 2 == 1, value };
            let mut envelope = envelope.clone();
            if let Some(Place { fact, slot }) = places(&mut envelope).into_iter().nth(at) {
                slot.put(fact, &words);
            }
            envelope
        };
        let mut seen = vec![before.clone()];
        for envelope in (7..11).map(other) {
            let found = facts(&envelope);
            if !seen.contains(&found) {
                seen.push(found);
                all.push(Variation { fact, envelope });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use hooks_core::Boundary;

    use super::super::occurrences;
    use super::*;

    #[test]
    fn every_place_of_every_occurrence_varies_by_itself() {
        for boundary in Boundary::ALL {
            for (facet, envelope) in occurrences(*boundary) {
                let before = facts(&envelope);
                let places: Vec<_> = places(&mut envelope.clone()).iter().map(|place| place.fact).collect();
                let all = variations(&envelope);
                let mut varied: Vec<_> = all.iter().map(|variation| variation.fact).collect();
                varied.dedup();
                assert_eq!(varied, places, "{boundary} {facet:?}");
                for Variation { fact, envelope } in all {
                    let after = facts(&envelope);
                    let mut changed: Vec<_> = after
                        .keys()
                        .chain(before.keys())
                        .filter(|fact| before.get(*fact) != after.get(*fact))
                        .collect();
                    changed.sort_unstable();
                    changed.dedup();
                    // A command runs in the session's directory unless it says otherwise; an agent has two parts.
                    changed.retain(|changed| {
                        !matches!((fact, **changed), ("directory", "command directory") | ("agent", "agent type"))
                    });
                    assert_eq!(changed, [&fact], "{boundary} {facet:?}");
                }
                // Only these payloads have no facts of their own.
                let own = places.len() > 16;
                assert!(own || matches!(boundary, Boundary::TurnInterrupt), "{boundary}: {places:?}");
            }
        }
    }
}
