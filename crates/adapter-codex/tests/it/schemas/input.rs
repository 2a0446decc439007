//! Standard input: what is written fits, and so does what the client was seen to write.

use std::fs;

use adapter_codex::Adapter;
use adapter_codex::events::{EVENTS, Event, Presence};
use hooks_conformance::{Given, sample};
use hooks_core::envelope::AgentIdentity;
use hooks_core::schema::Contract;
use hooks_core::{Binding, Common, Envelope, HostSide, Payload};
use proptest::prelude::*;
use serde_json::Value;

use super::{document, fits};

/// The recorded payloads of an event. What its cases get is one of them.
pub(super) fn recorded(event: &Event) -> Vec<Value> {
    let name = event.facts.name;
    let read = |path: String| -> Value {
        serde_json::from_slice(&fs::read(crate::fixtures("codex").join(path)).unwrap()).unwrap()
    };
    let samples = read(format!("payloads/{name}.json"));
    let samples = samples["samples"].as_array().unwrap().iter().map(|sample| sample["stdin"].clone());
    let samples: Vec<Value> = samples.collect();
    for case in crate::fixtures::cases().into_iter().filter(|case| case.event == name) {
        let payload: Value = serde_json::from_str(&case.stdin).unwrap();
        assert!(samples.contains(&payload), "{}: stdin.json is none of the recordings", case.label());
    }
    samples
}

pub(super) fn written(event: &Event, envelope: &Envelope) -> Value {
    let adapter = Adapter::latest();
    let mut stdin = Vec::new();
    adapter.encode(&Binding::alone(adapter.blank(event.facts.name).unwrap()), envelope, &mut stdin).unwrap();
    serde_json::from_slice(&stdin).unwrap()
}

/// Occurrences of an event: made up, bare, inside a subagent, and those of recorded payloads.
pub(super) fn occurrences(event: &Event) -> Vec<Envelope> {
    let adapter = Adapter::latest();
    let name = event.facts.name;
    let tools = [None, Some("Bash"), Some("apply_patch"), Some("mcp__s__t"), Some("spawn_agent"), Some("other")];
    let given = |tool: Option<&str>| Given { tool: tool.map(str::to_owned), ..Given::default() };
    let mut all: Vec<Envelope> =
        tools.iter().map(|tool| sample::envelope(&adapter, name, &given(*tool)).expect("a sample")).collect();
    all.push(Envelope::new(Common::default(), all[0].payload.clone()));
    let mut child = all[0].clone();
    child.common.agent = Some(AgentIdentity { id: Some("child".to_owned()), kind: Some("worker".to_owned()) });
    all.push(child);
    all.extend(recorded(event).iter().map(|payload| crate::payloads::envelope(name, payload)));
    all
}

#[test]
fn what_the_client_writes_fits() {
    for event in &EVENTS {
        let payloads = recorded(event);
        assert!(!payloads.is_empty(), "{}", event.facts.name);
        for payload in payloads {
            assert!(fits(Contract::Input, event.facts.name, &payload), "{}: {payload}", event.facts.name);
        }
    }
}

#[test]
fn what_is_written_fits() {
    for event in &EVENTS {
        for envelope in occurrences(event) {
            let value = written(event, &envelope);
            assert!(fits(Contract::Input, event.facts.name, &value), "{}: {value}", event.facts.name);
        }
    }
}

#[test]
fn recordings_beside_the_repository_fit() {
    let folder = super::official::folder("../codex-live/payloads");
    let Some(folder) = folder else { return super::official::skipped("recorded payloads") };
    let mut seen = 0;
    for event in &EVENTS {
        let path = folder.join(format!("{}.json", event.facts.name));
        let recordings: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        for example in recordings["examples"].as_array().unwrap() {
            let payload = &example["stdin"];
            seen += 1;
            assert!(fits(Contract::Input, event.facts.name, payload), "{}: {payload}", event.facts.name);
        }
    }
    assert!(seen >= EVENTS.len(), "{seen}");
}

#[test]
fn keys_are_those_of_the_row() {
    for event in &EVENTS {
        let schema = document(Contract::Input, event.facts.name).0.schema.as_value();
        let properties = schema["properties"].as_object().unwrap();
        let mut names: Vec<_> = properties.keys().map(String::as_str).collect();
        let mut wanted: Vec<_> = event.input.iter().map(|field| field.key).collect();
        names.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(names, wanted, "{}", event.facts.name);
        let required = schema["required"].as_array().unwrap();
        for field in event.input {
            let is_required = required.iter().any(|key| key == field.key);
            assert_eq!(is_required, field.presence != Presence::InSubagent, "{} {}", event.facts.name, field.key);
            // What any value may stand in has no type.
            let kinds = &properties[field.key]["type"];
            let has_null = kinds.as_array().is_some_and(|kinds| kinds.contains(&Value::from("null")));
            let wanted = field.presence == Presence::Nullable && !kinds.is_null();
            assert_eq!(has_null, wanted, "{} {}", event.facts.name, field.key);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(64)))]

    #[test]
    fn whatever_a_host_says_is_written_so_that_it_fits(
        event in 0..EVENTS.len(),
        texts in proptest::collection::vec(proptest::option::of("\\PC{0,12}"), 6),
        agent in proptest::option::of((proptest::option::of("[a-z]{0,4}"), proptest::option::of("[a-z]{0,4}"))),
        word in proptest::option::of(proptest::sample::select(vec!["manual", "auto", "fork", "clear", "threshold", ""])),
        at in 0_usize..1000,
    ) {
        let event = &EVENTS[event];
        let all = occurrences(event);
        let mut envelope = all[at % all.len()].clone();
        let [session, turn, cwd, model, mode, transcript] = texts.try_into().unwrap();
        envelope.common = Common {
            session_id: session.unwrap_or_default(),
            turn_id: turn,
            cwd: cwd.unwrap_or_default(),
            model: model.map(|slug| hooks_core::envelope::Model { slug, ..Default::default() }),
            permission_mode: mode,
            transcript_path: transcript,
            agent: agent.map(|(id, kind)| AgentIdentity { id, kind }),
            ..Common::default()
        };
        match &mut envelope.payload {
            Payload::SessionStart(start) => start.source = word.map(str::to_owned),
            Payload::CompactBefore(compaction) | Payload::CompactAfter(compaction) => {
                compaction.trigger = word.map(str::to_owned);
            }
            _ => {}
        }
        let value = written(event, &envelope);
        prop_assert!(fits(Contract::Input, event.facts.name, &value), "{}: {value}", event.facts.name);
    }
}
