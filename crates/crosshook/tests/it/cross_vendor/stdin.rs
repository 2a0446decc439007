//! Standard input: what a vendor's host writes about an occurrence its hook reads back, and two vendors' hooks read the
//! same of it.

use std::collections::{BTreeMap, BTreeSet};

use hooks_conformance::cross::{self, Both, Facts, events_of, facts, occurrences, shared};
use hooks_core::boundary::Facet;
use hooks_core::envelope::Payload;
use hooks_core::tool::{ResultKind, ToolAction};
use hooks_core::{Boundary, Envelope, RawJson};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{all, cases, latest, read};

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
        self.vendor == vendor
            && self.events.iter().any(|name| name == event)
            && self.facets.iter().any(|name| name == facet.as_str())
            && self.facts.iter().any(|name| name == fact)
    }
}

/// What a hook of an event reads of an occurrence.
fn read_back(adapter: &dyn Both, event: &str, envelope: &Envelope) -> Facts {
    cross::read_back(adapter, event, envelope).unwrap_or_else(|error| panic!("{error}"))
}

/// Facts that no hook may go without, wherever an occurrence has them.
const ESSENTIAL: &[&str] = &["session", "prompt", "call", "command", "tool", "arguments", "error", "goes on already"];

#[test]
fn hooks_read_what_hosts_wrote() {
    let otherwise: Vec<Otherwise> = read("told-otherwise.json");
    let mut needed = BTreeSet::new();
    for named in all() {
        let adapter = named.adapter.as_ref();
        for boundary in Boundary::ALL {
            for (facet, envelope) in occurrences(*boundary) {
                let given = facts(&envelope);
                for event in events_of(adapter, &envelope) {
                    let back = read_back(adapter, event.name, &envelope);
                    let place = format!("{} {} ({})", named.name, event.name, facet.as_str());
                    for (fact, value) in &back {
                        let vendor = adapter.vendor().as_str();
                        let excepted = otherwise.iter().position(|one| one.names(vendor, event.name, facet, fact));
                        if given.get(fact) != Some(value) {
                            let at = excepted.unwrap_or_else(|| {
                                panic!("{place}: {fact} was {:?} and is read as {value}", given.get(fact))
                            });
                            needed.insert((at, event.name, *fact));
                        }
                    }
                    for fact in ESSENTIAL.iter().filter(|fact| given.contains_key(*fact)) {
                        assert!(back.contains_key(fact), "{place}: {fact} is not told");
                    }
                }
            }
        }
    }
    for (at, entry) in otherwise.iter().enumerate() {
        assert!(!entry.why.is_empty() && !entry.source.is_empty(), "{entry:?}");
        let used = needed.iter().filter(|(used, ..)| *used == at).count();
        assert!(used >= entry.events.len() * entry.facts.len(), "stale or too wide: {entry:?}");
    }
}

/// The boundaries that more than one vendor has.
fn of_several() -> Vec<Boundary> {
    let adapters = latest();
    shared(&adapters.iter().map(|named| named.adapter.as_ref()).collect::<Vec<_>>())
}

/// A made-up occurrence with other words in every place that has some.
fn varied(envelope: &mut Envelope, words: [String; 3], number: u64, flag: bool, value: &Value) {
    let [one, two, three] = words;
    let maybe = |text: &str| flag.then(|| text.to_owned());
    envelope.common.session_id = format!("s{one}");
    envelope.common.transcript_path = maybe(&two);
    match &mut envelope.payload {
        Payload::SessionStart(start) => {
            start.mode = Some(one);
            start.background = Some(flag);
        }
        Payload::SessionEnd(end) => {
            end.error_message = maybe(&one);
            end.duration_ms = Some(number);
        }
        Payload::PromptSubmit(prompt) => prompt.text = one,
        Payload::SubagentStart(start) => {
            start.task = maybe(&one);
            start.git_branch = maybe(&two);
        }
        Payload::SubagentStop(stop) => {
            stop.summary = maybe(&one);
            stop.last_message = maybe(&two);
            stop.loop_count = u32::from(flag);
            stop.duration_ms = Some(number);
            stop.modified_files = vec![three];
        }
        Payload::CompactBefore(compaction) | Payload::CompactAfter(compaction) => {
            compaction.tokens = Some(number);
            compaction.first = Some(flag);
        }
        Payload::TurnStop(stop) => {
            stop.last_message = maybe(&one);
            stop.loop_count = u32::from(flag);
        }
        Payload::ToolBefore(tool) => tool.call.action.vary(&one, value),
        Payload::PermissionRequest(request) => request.tool.call.action.vary(&one, value),
        Payload::ToolResult(returned) => {
            returned.tool.call.action.vary(&one, value);
            match &mut returned.result.kind {
                ResultKind::Shell(shell) => shell.output = two,
                ResultKind::File(file) => file.content = two,
                _ => {}
            }
        }
        Payload::ToolFailure(failed) => {
            failed.tool.call.action.vary(&one, value);
            failed.error = two;
        }
        _ => {}
    }
}

trait Vary {
    fn vary(&mut self, text: &str, value: &Value);
}

impl Vary for ToolAction {
    fn vary(&mut self, text: &str, value: &Value) {
        match self {
            Self::Shell(shell) => text.clone_into(&mut shell.command),
            Self::Mcp(mcp) => mcp.arguments = RawJson::from(value),
            Self::Read(read) => read.content = Some(text.to_owned()),
            Self::Edit(edit) => {
                for edit in &mut edit.edits {
                    text.clone_into(&mut edit.new);
                }
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// Whatever the words: what two vendors' hooks read of one occurrence is the same, and is what the host meant.
    #[test]
    fn hooks_of_different_vendors_read_the_same(
        boundary in prop::sample::select(of_several()),
        words in [".{1,12}", "[a-z \"\\\\\n\t🙂\u{1b}]{1,12}", "[a-z/]{1,12}"],
        number in any::<u32>(),
        flag in any::<bool>(),
        value in prop_oneof![Just(json!({})), ".{0,6}".prop_map(|text| json!({ "a": [text, 1, null], "b": { "c": true } }))],
    ) {
        let otherwise: Vec<Otherwise> = read("told-otherwise.json");
        let adapters = all();
        for (facet, mut envelope) in occurrences(boundary) {
            varied(&mut envelope, words.clone(), u64::from(number), flag, &value);
            let given = facts(&envelope);
            let mut told: BTreeMap<&str, (String, Value)> = BTreeMap::new();
            for named in &adapters {
                let adapter = named.adapter.as_ref();
                for event in events_of(adapter, &envelope) {
                    for (fact, value) in read_back(adapter, event.name, &envelope) {
                        let vendor = adapter.vendor().as_str();
                        if otherwise.iter().any(|one| one.names(vendor, event.name, facet, fact)) {
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
