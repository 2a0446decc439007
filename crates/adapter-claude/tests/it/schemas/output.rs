//! Answers: a schema takes what the client reads and refuses what it does not, and what is printed is narrower.

use std::collections::{BTreeMap, BTreeSet};

use adapter_claude::Adapter;
use adapter_claude::events::{Block, EVENTS, Event, NESTED, find};
use hooks_conformance::{effects_json, load};
use hooks_core::adapter::DecodePolicy;
use hooks_core::effects::{Effect, Failure, HookEffects, Verdict};
use hooks_core::facts::{Cost, FailureRule, Values};
use hooks_core::outcome::{End, Outcome};
use hooks_core::schema::Contract;
use hooks_core::{Binding, HostSide};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::{DOCUMENTS, errors, fixtures, is_valid, object, odd_values, read};
use crate::hook_side::{any_effects, expressible, occurrence, write};

/// What an answer comes to. Where a command's output is no JSON it is the answer to a request.
fn decode(event: &Event, stdout: &[u8]) -> HookEffects {
    let adapter = Adapter::latest();
    let name = event.facts.name;
    let end = if event.facts.malformed == FailureRule::Block { End::Http(200) } else { End::Exited(0) };
    let binding = Binding::alone(adapter.blank(name).expect("an event"));
    let outcome = Outcome { stdout: stdout.to_vec(), ..Outcome::ended(end) };
    adapter.decode(&binding, &occurrence(name), &outcome, DecodePolicy::default())
}

fn is_read(event: &Event, answer: &Value) -> bool {
    !matches!(decode(event, answer.to_string().as_bytes()).failure, Some(Failure::Malformed(_)))
}

/// A rule of the reader that the schemas do not say.
struct Unsaid {
    why: &'static str,
    holds: fn(&Event, &Value) -> bool,
    event: &'static str,
    example: &'static str,
}

const UNSAID: &[Unsaid] = &[
    Unsaid {
        why: "a first line that sends the run to the background keeps the rest from being read; which line a key stands \
              in is no matter of the value",
        holds: |_, answer| answer["async"] == json!(true),
        event: "PreToolUse",
        example: r#"{"async":true,"continue":"no"}"#,
    },
    Unsaid {
        why: "beside a block the part of another event is read by that event's rules, and then nothing of it counts: the \
              schema of one event would have to hold those of all",
        holds: |event, answer| {
            answer["decision"] == json!("block")
                && answer[NESTED]["hookEventName"] != json!(event.facts.name)
                && answer[NESTED]["hookEventName"].as_str().and_then(find).is_some_and(|named| named.nested)
        },
        event: "Stop",
        example: r#"{"decision":"block","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"no"}}"#,
    },
];

fn agrees(event: &Event, answer: &Value) {
    let (valid, read) = (is_valid(Contract::Output, event.facts.name, answer), is_read(event, answer));
    if valid != read && !UNSAID.iter().any(|rule| (rule.holds)(event, answer)) {
        let wrong = errors(Contract::Output, event.facts.name, answer);
        panic!("{}: valid {valid}, read {read}: {answer}\n{wrong:?}", event.facts.name);
    }
}

#[test]
fn what_schemas_do_not_say_is_still_so() {
    for rule in UNSAID {
        let event = find(rule.event).expect("an event");
        let answer: Value = serde_json::from_str(rule.example).expect("json");
        assert!((rule.holds)(event, &answer), "{}", rule.why);
        assert_ne!(is_valid(Contract::Output, rule.event, &answer), is_read(event, &answer), "stale: {}", rule.why);
    }
}

/// Of each field that a row refuses, a value costs what the row says.
#[test]
fn what_a_row_refuses_costs_what_it_says() {
    let mut seen = BTreeSet::new();
    for event in &EVENTS {
        let name = event.facts.name;
        let nested = event.facts.output.iter().find(|field| field.path == NESTED).expect("on every event");
        assert_eq!(nested.refused.is_some(), !event.nested, "{name}");
        for field in event.facts.output {
            let Some(refused) = field.refused else { continue };
            assert_eq!(refused.when, Values::Present, "{name} {}", field.path);
            let answer = match field.path.strip_prefix(NESTED).and_then(|rest| rest.strip_prefix('.')) {
                Some(key) => json!({ NESTED: { "hookEventName": name, key: { "a": 1 } } }),
                None => json!({ field.path: { "hookEventName": name } }),
            };
            let effects = decode(event, answer.to_string().as_bytes());
            let denies = |effect: &Effect| matches!(effect, Effect::Verdict { verdict: Verdict::Deny, .. });
            match refused.cost {
                Cost::Answer => assert!(!is_read(event, &answer), "{name} {}", field.path),
                Cost::Action => assert!(effects.effects.iter().any(denies), "{name} {}: {effects:?}", field.path),
                other => panic!("{name} {}: {other:?}", field.path),
            }
            seen.insert(refused.cost.about());
        }
    }
    assert_eq!(seen.len(), 2);
}

#[test]
fn the_fixtures_answers_are_valid() {
    let mut seen = 0;
    for case in crate::fixtures::cases() {
        // Text is no value that a schema could judge.
        let Ok(answer) = serde_json::from_slice::<Value>(&case.outcome.stdout) else { continue };
        let event = find(&case.event).expect("an event");
        let wrong = errors(Contract::Output, &case.event, &answer);
        assert!(wrong.is_empty(), "{}: {wrong:?}", case.label());
        assert!(is_read(event, &answer), "{}", case.label());
        seen += 1;
    }
    assert!(seen > EVENTS.len(), "{seen} answers");
}

#[test]
fn the_vectors_answers_come_to_the_same() {
    let files = load(&fixtures().join("vectors/claude")).expect("vectors");
    let mut seen = 0;
    let mut each = |event: &str, stdout: &str| {
        let (Some(event), Ok(answer)) = (find(event), serde_json::from_str::<Value>(stdout)) else { return };
        if answer.is_object() {
            agrees(event, &answer);
            seen += 1;
        }
    };
    for path in std::fs::read_dir(fixtures().join("vectors/claude")).expect("a folder") {
        let file = read(&path.expect("an entry").path());
        let event = file["event"].as_str().unwrap_or_default();
        for vector in file["vectors"].as_array().into_iter().flatten() {
            let event = vector["event"].as_str().unwrap_or(event);
            let hooks = vector["hooks"].as_array().into_iter().flatten();
            for outcome in hooks.map(|hook| &hook["outcome"]).chain([&vector["outcome"]]) {
                each(event, outcome["stdout"].as_str().unwrap_or_default());
            }
        }
    }
    assert!(!files.is_empty() && seen > 300, "{seen} answers");
}

/// Every key that an answer has on any event, by where it stands.
fn keys() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut keys = BTreeMap::<_, BTreeSet<_>>::new();
    for field in EVENTS.iter().flat_map(|event| event.facts.output) {
        let (below, key) = field.path.rsplit_once('.').unwrap_or(("", field.path));
        keys.entry(below).or_default().insert(key);
    }
    keys
}

/// The part of an event's own, with what it must have.
fn part(event: &Event) -> Value {
    let mut part = object(&[("hookEventName", json!(event.facts.name))]);
    for key in event.required {
        part[*key] = if *key == "decision" { json!({ "behavior": "deny" }) } else { json!("/x") };
    }
    part
}

/// Each key with each kind of value, alone and beside a block, in its place and where it does not belong.
#[test]
fn every_kind_of_value_comes_to_the_same() {
    let keys = keys();
    // Texts differ by the words of some key, and objects by whether they are a decision.
    let kinds: Vec<Value> =
        odd_values().into_iter().filter(|value| !value.to_string().contains(['$', 'a', '('])).collect();
    let kinds = || kinds.iter().cloned().chain([json!("allow"), json!({ "behavior": "allow" })]);
    let all: BTreeSet<&str> = keys.values().flatten().copied().chain(["zzz", "async", "asyncTimeout"]).collect();
    for event in &EVENTS {
        for key in &all {
            for value in kinds() {
                for base in [json!({}), json!({ "decision": "block" })] {
                    let mut top = base.clone();
                    top[*key] = value.clone();
                    agrees(event, &top);
                    let mut nested = base;
                    nested[NESTED] = part(event);
                    nested[NESTED][*key] = value.clone();
                    agrees(event, &nested);
                }
            }
        }
    }
}

#[test]
fn every_name_comes_to_the_same() {
    for event in &EVENTS {
        for name in EVENTS.iter().map(|event| event.facts.name).chain(["Other", "", "pretooluse"]) {
            for decision in [None, Some("block"), Some("approve")] {
                for named in [json!({ "hookEventName": name }), part(find(name).unwrap_or(event))] {
                    let mut answer = json!({ NESTED: named });
                    if let Some(decision) = decision {
                        answer["decision"] = json!(decision);
                    }
                    agrees(event, &answer);
                }
            }
        }
    }
}

#[test]
fn a_permission_s_decision_comes_to_the_same() {
    let event = find("PermissionRequest").expect("an event");
    let rule = json!({ "toolName": "Bash", "ruleContent": "ls" });
    let updates = [
        json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session" }),
        json!({ "type": "setMode", "mode": "plan", "destination": "cliArg" }),
        json!({ "type": "addDirectories", "directories": ["/x"], "destination": "userSettings" }),
    ];
    let mut seen = BTreeSet::new();
    let mut each = |decision: Value| {
        let answer = json!({ NESTED: { "hookEventName": "PermissionRequest", "decision": decision } });
        agrees(event, &answer);
        seen.insert(is_read(event, &answer));
    };
    for behavior in ["allow", "deny", "ask"] {
        for key in ["updatedInput", "message", "interrupt", "updatedPermissions", "zzz"] {
            for value in odd_values() {
                each(object(&[("behavior", json!(behavior)), (key, value)]));
            }
        }
    }
    for update in updates {
        each(json!({ "behavior": "allow", "updatedPermissions": [update] }));
        each(json!({ "behavior": "deny", "updatedPermissions": [{}] }));
        for key in ["type", "rules", "behavior", "destination", "mode", "directories", "zzz"] {
            let mut less = update.clone();
            less.as_object_mut().expect("an object").remove(key);
            each(json!({ "behavior": "allow", "updatedPermissions": [less] }));
            for value in odd_values().into_iter().chain([
                json!("addRules"),
                json!("setMode"),
                json!("removeDirectories"),
                json!([rule]),
            ]) {
                let mut other = update.clone();
                other[key] = value;
                each(json!({ "behavior": "allow", "updatedPermissions": [other] }));
            }
        }
        for odd in odd_values() {
            let rules = json!({ "type": "addRules", "rules": [{ "toolName": "Bash", "ruleContent": odd }], "behavior": "ask", "destination": "session" });
            each(json!({ "behavior": "allow", "updatedPermissions": [rules] }));
        }
    }
    assert_eq!(seen.len(), 2);
}

/// The JSON that effects are written as; `None` where they are said otherwise.
fn written(event: &Event, effects: &[hooks_core::effects::Effect]) -> Option<Value> {
    let (answer, _) = write(event, &occurrence(event.facts.name), effects);
    let value: Value = serde_json::from_slice(&answer.stdout).ok().filter(Value::is_object)?;
    // Text that is no answer is checked not to look like one.
    Some(value)
}

fn emitted_holds(event: &Event, answer: &Value) {
    for contract in [Contract::Emitted, Contract::Output] {
        let wrong = errors(contract, event.facts.name, answer);
        assert!(wrong.is_empty(), "{} {contract:?}: {wrong:?}\n{answer}", event.facts.name);
    }
    assert!(is_read(event, answer), "{}: {answer}", event.facts.name);
}

proptest! {
    #![proptest_config(crate::cases(64))]

    /// Whatever is written for a hook is what the schema of printed answers says, and what the client reads.
    #[test]
    fn what_is_printed_is_valid(
        event in prop::sample::select(EVENTS.iter().collect::<Vec<_>>()),
        effects in any_effects(),
    ) {
        if let Some(answer) = written(event, &effects) {
            emitted_holds(event, &answer);
        }
    }
}

/// The paths of an answer's keys.
fn paths(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    for (key, member) in value.as_object().into_iter().flatten() {
        let path = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
        if matches!(path.as_str(), NESTED | "hookSpecificOutput.decision") {
            paths(member, &path, found);
        }
        found.insert(path);
    }
}

fn described(schema: &Value, at: &str, found: &mut BTreeSet<String>) {
    for (key, member) in schema["properties"].as_object().into_iter().flatten() {
        let path = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
        described(member, &path, found);
        found.insert(path);
    }
}

/// What the schema of printed answers has is printed, key by key.
#[test]
fn what_the_schema_has_is_printed() {
    let mut runner = TestRunner::deterministic();
    for event in &EVENTS {
        let name = event.facts.name;
        let own = expressible(event, &occurrence(name));
        let mut found = BTreeSet::new();
        for round in 0..300 {
            let effects = match round % 2 {
                0 => own.new_tree(&mut runner).expect("effects").current(),
                _ => any_effects().new_tree(&mut runner).expect("effects").current(),
            };
            if let Some(answer) = written(event, &effects) {
                emitted_holds(event, &answer);
                paths(&answer, "", &mut found);
            }
        }
        let emitted = DOCUMENTS.iter().find(|one| one.contract == Contract::Emitted && one.of == name);
        let emitted = emitted.unwrap_or_else(|| panic!("{name}: what is printed is narrower than what is read"));
        let mut wanted = BTreeSet::new();
        described(emitted.schema.as_value(), "", &mut wanted);
        assert_eq!(found, wanted, "{name}");
    }
}

/// An answer that is printed decides something: nothing that is read without effect is among it.
#[test]
fn what_is_printed_is_narrower() {
    for (event, answer) in [
        ("PreToolUse", json!({ "continue": true })),
        ("PreToolUse", json!({ "suppressOutput": true })),
        ("PreToolUse", json!({ "decision": "block" })),
        ("PreToolUse", json!({ "zzz": 1 })),
        ("PostToolUse", json!({ "decision": "approve" })),
        ("PostToolUse", json!({ NESTED: { "hookEventName": "PostToolUse", "updatedMCPToolOutput": "x" } })),
        ("Stop", json!({ "stopReason": "x" })),
        (
            "PermissionRequest",
            json!({ NESTED: { "hookEventName": "PermissionRequest", "decision": { "behavior": "deny", "updatedInput": {} } } }),
        ),
        (
            "PreSkillShellCommand",
            json!({ NESTED: { "hookEventName": "PreSkillShellCommand", "permissionDecision": "ask" } }),
        ),
        ("SessionEnd", json!({ "systemMessage": "x" })),
        ("WorktreeCreate", json!({ NESTED: { "hookEventName": "WorktreeCreate", "worktreePath": "/x" } })),
    ] {
        assert!(is_valid(Contract::Output, event, &answer), "{event}: {answer}");
        assert!(!is_valid(Contract::Emitted, event, &answer), "{event}: {answer}");
    }
}

/// A block is printed where the event can be blocked by one, and comes to an effect there.
#[test]
fn a_printed_block_has_an_effect() {
    let answer = json!({ "decision": "block", "reason": "x" });
    for event in &EVENTS {
        let name = event.facts.name;
        if is_valid(Contract::Emitted, name, &answer) {
            assert_ne!(event.block, Block::Nothing, "{name}");
            let effects = effects_json(&decode(event, answer.to_string().as_bytes()));
            assert!(effects.get("unsupported").is_none(), "{name}: {effects}");
        }
    }
}
