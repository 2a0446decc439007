//! Answers: one is invalid by its schema exactly where the adapter calls it malformed, and what is printed is valid.

use adapter_cursor::events::EVENTS;
use adapter_cursor::{Event, vendor};
use hooks_conformance::format::Kind;
use hooks_conformance::{Given, load, sample};
use hooks_core::adapter::DecodePolicy;
use hooks_core::definition::FailurePolicy;
use hooks_core::effects::Failure;
use hooks_core::outcome::Outcome;
use hooks_core::schema::Contract;
use hooks_core::{Effect, HookSide, HostSide};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{faults, fixtures, json_of, mutate, of_event};
use crate::hookside::{anything, sayable};
use crate::support::{binding, envelope};

/// Whether the adapter calls an answer malformed.
fn malformed(event: &Event, stdout: &[u8]) -> bool {
    let name = event.facts.name;
    let hook = binding(&vendor(), name, "hook", FailurePolicy::Open);
    let occurrence = envelope(&vendor(), name);
    let effects = vendor().decode(&hook, &occurrence, &Outcome::exited(0, stdout), DecodePolicy::default());
    match effects.failure {
        None => false,
        Some(Failure::Malformed(_)) => true,
        Some(other) => panic!("{name}: {other:?}"),
    }
}

/// Answers of every shape that this project has.
fn answers() -> Vec<Value> {
    let cases = crate::fixtures::cases();
    let answers = cases.iter().filter_map(|case| serde_json::from_slice(&case.outcome.stdout).ok());
    let mut all = Vec::new();
    for answer in answers {
        // Some are those of another event too.
        if !all.contains(&answer) {
            all.push(answer);
        }
    }
    all.push(json_of("cursor/claude_shape_output.json"));
    all.push(json!({}));
    for word in ["allow", "deny", "ask", "block", "Allow", ""] {
        all.push(json!({ "permission": word }));
        all.push(json!({ "hookSpecificOutput": { "permissionDecision": word, "permissionDecisionReason": "r" } }));
        all.push(json!({ "permission": word, "hookSpecificOutput": { "permissionDecision": 5, "updatedInput": {} } }));
    }
    for decision in [json!("block"), json!("x"), json!(null), json!(5)] {
        all.push(json!({ "decision": decision, "reason": "r" }));
        all.push(json!({ "hookSpecificOutput": { "decision": decision, "reason": "r" } }));
        all.push(
            json!({ "decision": decision, "reason": null, "hookSpecificOutput": { "decision": 5, "reason": "r" } }),
        );
        all.push(json!({ "decision": "block", "reason": decision, "hookSpecificOutput": { "reason": 5 } }));
    }
    all
}

#[test]
fn an_answer_is_invalid_where_it_is_malformed() {
    let (mut valid, mut invalid) = (0, 0);
    for event in &EVENTS {
        let name = event.facts.name;
        let checks = &of_event(Contract::Output, name).checks;
        for answer in answers() {
            for (step, changed) in mutate::steps(&answer).into_iter().chain([("as it is".to_owned(), answer)]) {
                let is_valid = checks.is_valid(&changed);
                *(if is_valid { &mut valid } else { &mut invalid }) += 1;
                assert_eq!(
                    !is_valid,
                    malformed(event, changed.to_string().as_bytes()),
                    "{name} {step}: {changed}: {}",
                    faults(checks, &changed)
                );
            }
        }
    }
    assert!(valid > 10_000 && invalid > 10_000, "{valid} valid, {invalid} invalid");
}

/// What a schema cannot say of a printed text: that it is no value at all. What the reader makes of such a text is in the
/// vectors.
#[test]
fn so_is_what_the_vectors_print() {
    let (mut values, mut texts) = (0, 0);
    for file in load(&fixtures().join("vectors/cursor")).expect("vectors") {
        for vector in &file.vectors {
            let Kind::Decode(decode) = &vector.kind else { continue };
            let Some(stdout) = &decode.outcome.stdout else { continue };
            let name = file.event_of(vector).expect("an event");
            let event = vendor().row(name).expect("a row");
            let bytes = stdout.bytes();
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            match serde_json::from_slice::<Value>(&bytes) {
                Ok(value) => {
                    values += 1;
                    let checks = &of_event(Contract::Output, name).checks;
                    let valid = checks.is_valid(&value);
                    assert_eq!(!valid, malformed(event, &bytes), "{name} {}: {}", vector.id, faults(checks, &value));
                }
                Err(_) => texts += 1,
            }
        }
    }
    assert!(values > 1_000 && texts > 10, "{values} values, {texts} texts");
}

#[test]
fn recorded_answers_are_valid() {
    let mut seen = 0;
    for case in crate::fixtures::cases() {
        let Ok(answer) = serde_json::from_slice::<Value>(&case.outcome.stdout) else { continue };
        let checks = &of_event(Contract::Output, &case.event).checks;
        assert!(checks.is_valid(&answer), "{}: {}", case.label(), faults(checks, &answer));
        seen += 1;
    }
    assert!(seen > EVENTS.len(), "{seen} answers");
    let checks = &of_event(Contract::Output, "preToolUse").checks;
    assert!(checks.is_valid(&json_of("cursor/claude_shape_output.json")));
}

/// What is printed is narrower than what is taken.
fn printed(event: &'static Event, effects: &[Effect]) -> Result<(), TestCaseError> {
    let name = event.facts.name;
    for given in [Given::default(), Given { tool: Some("MCP:echo".into()), ..Given::default() }] {
        let Some(occurrence) = sample::envelope(&vendor(), name, &given) else { continue };
        let (answer, _) = vendor().write_answer(&event.facts, &occurrence, effects);
        prop_assert_eq!(answer.exit_code, 0);
        if answer.stdout.is_empty() {
            continue;
        }
        let value: Value = serde_json::from_slice(&answer.stdout).expect("JSON");
        for contract in [Contract::Emitted, Contract::Output] {
            let checks = &of_event(contract, name).checks;
            prop_assert!(checks.is_valid(&value), "{:?} {}: {}: {}", contract, name, value, faults(checks, &value));
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn what_is_printed_is_valid(at in 0..EVENTS.len(), effects in vec(anything(), 0..5)) {
        printed(&EVENTS[at], &effects)?;
    }

    #[test]
    fn what_an_event_can_say_is_valid((event, effects) in (0..EVENTS.len()).prop_flat_map(|at| (Just(&EVENTS[at]), sayable(&EVENTS[at])))) {
        printed(event, &effects)?;
    }
}

/// The narrower contract is no wider anywhere, and not so narrow that it takes nothing.
#[test]
fn what_is_printed_is_no_wider_than_what_is_taken() {
    for event in &EVENTS {
        let name = event.facts.name;
        let emitted = &of_event(Contract::Emitted, name).checks;
        let accepted = &of_event(Contract::Output, name).checks;
        let mut taken = 0;
        for answer in answers() {
            for (_, changed) in mutate::steps(&answer).into_iter().chain([(String::new(), answer)]) {
                if emitted.is_valid(&changed) {
                    taken += 1;
                    assert!(accepted.is_valid(&changed), "{name}: {changed}");
                }
            }
        }
        assert_eq!(taken > 0, event.facts.output.iter().any(|field| field.channel.is_some()), "{name}: {taken}");
    }
}
