//! Standard input: what a vendor's host writes about an occurrence its hook reads back, fact by fact, and two vendors' hooks
//! read the same of it. What a payload has no place for is listed.

use hooks_core::adapter::Codec;
use std::collections::{BTreeMap, BTreeSet};

use hooks_conformance::cross::{self, Facts, Words, events_of, facts, occurrences, shared, variations, vary};
use hooks_core::boundary::Facet;
use hooks_core::facts::EventFacts;
use hooks_core::{Boundary, Envelope};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{NOT_TOLD, TOLD_OTHERWISE, all, cases, latest, read};

/// Facts that a vendor tells in a form of its own, with why: `fixtures/neutral/told-otherwise.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Otherwise {
    vendor: String,
    events: Vec<String>,
    facets: Vec<String>,
    facts: Vec<String>,
    why: String,
    source: String,
}

impl Otherwise {
    fn names(&self, vendor: &str, event: &str, facet: Facet, fact: &str) -> bool {
        self.vendor == vendor && has(&self.events, event) && has(&self.facets, facet.as_str()) && has(&self.facts, fact)
    }
}

/// Facts that a vendor's payload has no place for: `fixtures/neutral/not-told.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotTold {
    vendor: String,
    /// The events; absent for all of the vendor's.
    events: Option<Vec<String>>,
    /// The parts of the boundary; absent for all.
    facets: Option<Vec<String>>,
    facts: Vec<String>,
    source: String,
}

impl NotTold {
    fn names(&self, vendor: &str, event: &str, facet: Facet, fact: &str) -> bool {
        self.vendor == vendor
            && self.events.as_ref().is_none_or(|events| has(events, event))
            && self.facets.as_ref().is_none_or(|facets| has(facets, facet.as_str()))
            && has(&self.facts, fact)
    }
}

fn has(words: &[String], word: &str) -> bool {
    words.iter().any(|one| one == word)
}

/// What a hook of an event reads of an occurrence.
fn read_back(adapter: &dyn Codec, event: &str, envelope: &Envelope) -> Facts {
    cross::read_back(adapter, event, envelope).unwrap_or_else(|error| panic!("{error}"))
}

fn not_told(adapter: &dyn Codec, event: &str, envelope: &Envelope) -> Vec<&'static str> {
    cross::not_told(adapter, event, envelope).unwrap_or_else(|error| panic!("{error}"))
}

/// Facts that no hook may go without, wherever an occurrence has them.
const ESSENTIAL: &[&str] = &["session", "prompt", "call", "command", "tool", "arguments", "error", "goes on already"];

/// What has a place is read back as it was meant, for the occurrence as it is made up and with something else in each of
/// its places.
#[test]
fn hooks_read_what_hosts_wrote() {
    let otherwise: Vec<Otherwise> = read(TOLD_OTHERWISE);
    let mut needed = BTreeSet::new();
    let mut wrong = BTreeSet::new();
    let mut held = 0;
    for named in all() {
        let adapter = named.adapter.as_ref();
        let vendor = adapter.vendor().as_str();
        for boundary in Boundary::ALL {
            for (facet, envelope) in occurrences(*boundary) {
                let given = facts(&envelope);
                for event in events_of(adapter, &envelope) {
                    let place = format!("{} {} ({})", named.name, event.name, facet.as_str());
                    let mut hold = |fact: &'static str, given: Option<&Value>, read: Option<&Value>| {
                        held += 1;
                        if given == read {
                            return;
                        }
                        if let Some(at) = otherwise.iter().position(|one| one.names(vendor, event.name, facet, fact)) {
                            needed.insert((at, event.name, fact));
                        } else {
                            wrong.insert(format!("{place}: {fact} was {given:?} and is read as {read:?}"));
                        }
                    };
                    let back = read_back(adapter, event.name, &envelope);
                    for (fact, value) in &back {
                        hold(fact, given.get(fact), Some(value));
                    }
                    for fact in ESSENTIAL.iter().filter(|fact| given.contains_key(*fact)) {
                        hold(fact, given.get(fact), back.get(fact));
                    }
                    let lacks = not_told(adapter, event.name, &envelope);
                    for variation in variations(&envelope) {
                        if lacks.contains(&variation.fact) {
                            continue;
                        }
                        let given = facts(&variation.envelope);
                        let back = read_back(adapter, event.name, &variation.envelope);
                        for (fact, value) in &back {
                            hold(fact, given.get(fact), Some(value));
                        }
                        hold(variation.fact, given.get(variation.fact), back.get(variation.fact));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} facts\n{}", wrong.len(), Vec::from_iter(wrong).join("\n"));
    assert!(held > 20_000, "only {held} facts were held");
    for (at, entry) in otherwise.iter().enumerate() {
        assert!(!entry.why.is_empty() && !entry.source.is_empty(), "{entry:?}");
        let used = needed.iter().filter(|(used, ..)| *used == at).count();
        assert!(used >= entry.events.len() * entry.facts.len(), "stale or too wide: {entry:?}");
    }
}

/// A fact that standard input is the same without is one that the list says has no place, and the list says no more.
#[test]
fn what_payloads_do_not_tell_is_listed() {
    let list: Vec<NotTold> = read(NOT_TOLD);
    let mut used = vec![(BTreeSet::new(), BTreeSet::new(), BTreeSet::new()); list.len()];
    let mut wrong = BTreeSet::new();
    for named in latest() {
        let adapter = named.adapter.as_ref();
        let vendor = adapter.vendor().as_str();
        for boundary in Boundary::ALL {
            for (facet, envelope) in occurrences(*boundary) {
                for event in events_of(adapter, &envelope) {
                    let lacks = not_told(adapter, event.name, &envelope);
                    for variation in variations(&envelope) {
                        let fact = variation.fact;
                        let mut listed = false;
                        for (entry, used) in list.iter().zip(&mut used) {
                            if entry.names(vendor, event.name, facet, fact) {
                                listed = true;
                                used.0.insert(event.name);
                                used.1.insert(facet);
                                used.2.insert(fact);
                            }
                        }
                        let place = format!("{} {} ({}): {fact}", named.name, event.name, facet.as_str());
                        let lacks = lacks.contains(&fact);
                        if lacks != listed {
                            let told = if lacks { "is not told" } else { "is told, and the list says that it is not" };
                            wrong.insert(format!("{place} {told}"));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} facts\n{}", wrong.len(), Vec::from_iter(wrong).join("\n"));
    for (entry, (events, facets, facts)) in list.iter().zip(&used) {
        assert!(!entry.source.is_empty(), "{entry:?}");
        let whole = entry.facts.len() == facts.len()
            && entry.events.as_ref().is_none_or(|all| all.len() == events.len())
            && entry.facets.as_ref().is_none_or(|all| all.len() == facets.len());
        assert!(whole, "names what there is not: {entry:?}");
    }
}

/// The boundaries that more than one vendor has.
fn of_several() -> Vec<Boundary> {
    let adapters = latest();
    shared(&adapters.iter().map(|named| named.adapter.as_ref()).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(cases(400))]

    /// Whatever the words: what two vendors' hooks read of one occurrence is the same, and is what the host meant.
    #[test]
    fn hooks_of_different_vendors_read_the_same(
        boundary in prop::sample::select(of_several()),
        text in prop_oneof![".{1,12}", "[a-z \"\\\\\n\t🙂\u{1b}]{1,12}"],
        number in any::<u32>(),
        flag in any::<bool>(),
        value in prop_oneof![Just(json!({})), ".{0,6}".prop_map(|text| json!({ "a": [text, 1, null], "b": { "c": true } }))],
    ) {
        let otherwise: Vec<Otherwise> = read(TOLD_OTHERWISE);
        let untold: Vec<NotTold> = read(NOT_TOLD);
        let words = Words { text, number, flag, value };
        let adapters = all();
        for (facet, mut envelope) in occurrences(boundary) {
            vary(&mut envelope, &words);
            let given = facts(&envelope);
            let mut told: BTreeMap<&str, (String, Value)> = BTreeMap::new();
            for named in &adapters {
                let adapter = named.adapter.as_ref();
                // What returned with an error is a failure to some: that payload is read as one.
                let own = |event: &&EventFacts| event.boundary == Some(boundary);
                for event in events_of(adapter, &envelope).into_iter().filter(own) {
                    for (fact, value) in read_back(adapter, event.name, &envelope) {
                        let vendor = adapter.vendor().as_str();
                        // What has no place is read as it is where nothing is said of it.
                        if otherwise.iter().any(|one| one.names(vendor, event.name, facet, fact))
                            || untold.iter().any(|one| one.names(vendor, event.name, facet, fact))
                        {
                            continue;
                        }
                        let place = format!("{} {}", named.name, event.name);
                        prop_assert_eq!(given.get(fact), Some(&value), "{} {}", &place, fact);
                        let first = told.entry(fact).or_insert_with(|| (place.clone(), value.clone()));
                        prop_assert_eq!(&first.1, &value, "{} of {} and {}", fact, &first.0, place);
                    }
                }
            }
            prop_assert!(told.contains_key("session"));
        }
    }
}
