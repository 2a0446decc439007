//! Our schemas of inputs and answers against the ones that the vendor generates: the same values are accepted and
//! rejected.
//!
//! The vendor's are not this project's to carry, so they are read from a folder beside the repository; without it the
//! comparison says that it is skipped.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use adapter_codex::events::{EVENTS, Event, Reads};
use hooks_core::Version;
use hooks_core::schema::Contract;
use jsonschema::Validator;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

use super::generated::{after, changed};
use super::{document, fits};

/// Values on which a release's schema and ours differ.
struct Difference {
    /// The release, by the folder of its schemas. Ours are those of the newest one, so that nothing may stand here for it.
    release: &'static str,
    event: &'static str,
    contract: Contract,
    is: fn(&Value) -> bool,
    why: &'static str,
}

const DIFFERENCES: [Difference; 1] = [Difference {
    release: "generated-0.145.0",
    event: "SessionStart",
    contract: Contract::Input,
    is: |value| value["source"] == "fork",
    why: "a forked session said `startup` until 0.155",
}];

/// The folders, with the client each is of.
const RELEASES: [(&str, Version); 2] =
    [("generated", Version::new(0, 171, 0)), ("generated-0.145.0", Version::new(0, 145, 0))];

pub(super) fn folder(release: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join("../shared/oracles/codex").join(release);
    folder.is_dir().then_some(folder)
}

pub(super) fn skipped(what: &str) {
    // Straight to the stream: what a passing test prints is not shown.
    let said = format!("SKIPPED: the vendor's {what} are not beside this repository, so nothing is compared here\n");
    std::io::Write::write_all(&mut std::io::stderr(), said.as_bytes()).unwrap();
}

/// The vendor's schema of an event; `None` where it has none.
fn official(release: &str, event: &Event, contract: Contract) -> Option<(Value, Validator)> {
    let word = if contract == Contract::Input { "input" } else { "output" };
    let path = folder(release)?.join(format!("{}.command.{word}.schema.json", event.kebab));
    let schema: Value = serde_json::from_slice(&fs::read(path).ok()?).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    Some((schema, validator))
}

/// Whether the vendor's newest schema of an event's answers accepts a value; `None` where there is none.
pub(super) fn accepts(event: &Event, value: &Value) -> Option<bool> {
    official("generated", event, Contract::Output).map(|(_, validator)| validator.is_valid(value))
}

/// Values of our own: what fixtures and vectors hold.
fn samples(event: &Event, contract: Contract) -> Vec<Value> {
    match contract {
        Contract::Input => super::input::recorded(event),
        _ => super::output::printed(event),
    }
}

#[test]
fn the_vendor_has_schemas_where_the_table_says_so() {
    for (release, version) in RELEASES {
        let Some(folder) = folder(release) else { return skipped("schemas") };
        let found: BTreeSet<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".schema.json"))
            .collect();
        let mut wanted = BTreeSet::new();
        for event in EVENTS.iter().filter(|event| event.documented && event.facts.since <= version) {
            wanted.insert(format!("{}.command.input.schema.json", event.kebab));
            if event.reads == Reads::Stdout {
                wanted.insert(format!("{}.command.output.schema.json", event.kebab));
            }
        }
        assert_eq!(found, wanted, "{release}");
    }
}

#[test]
fn ours_and_the_vendors_judge_alike() {
    let differs = RefCell::new([false; DIFFERENCES.len()]);
    for (release, version) in RELEASES {
        if folder(release).is_none() {
            return skipped("schemas");
        }
        for event in EVENTS.iter().filter(|event| event.documented && event.facts.since <= version) {
            for contract in [Contract::Input, Contract::Output] {
                let Some((schema, theirs)) = official(release, event, contract) else { continue };
                let name = event.facts.name;
                // How many values each verdict was given on.
                let counts = RefCell::new([0_usize; 2]);
                let compare = |value: &Value| {
                    let (ours, theirs) = (fits(contract, name, value), theirs.is_valid(value));
                    counts.borrow_mut()[usize::from(theirs)] += 1;
                    if ours == theirs {
                        return Ok(());
                    }
                    let known = DIFFERENCES.iter().position(|known| {
                        let place = (known.release, known.event, known.contract);
                        place == (release, name, contract) && (known.is)(value)
                    });
                    let Some(known) = known else {
                        return Err(format!("{release} {name} {contract:?}: ours {ours}, theirs {theirs}: {value}"));
                    };
                    differs.borrow_mut()[known] = true;
                    Ok(())
                };
                for sample in samples(event, contract) {
                    compare(&sample).unwrap();
                    for value in changed(&sample) {
                        compare(&value).unwrap();
                    }
                }
                let [bad, good] = *counts.borrow();
                assert!(bad > 50 && good > 0, "{release} {name} {contract:?}: {bad} {good}");
                // What one schema asks for and the other does not is found from either side.
                let own = document(contract, name).0.schema.as_value();
                for made_after in [&schema, own] {
                    let mut runner =
                        TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(crate::cases(100)) });
                    let outcome = runner
                        .run(&after(made_after, made_after), |value| compare(&value).map_err(TestCaseError::fail));
                    outcome.unwrap_or_else(|error| panic!("{error}"));
                }
                let [bad, good] = *counts.borrow();
                assert!(bad > 100 && good > 20, "{release} {name} {contract:?}: {bad} {good}");
            }
        }
    }
    for (Difference { release, event, why, .. }, seen) in DIFFERENCES.iter().zip(differs.into_inner()) {
        assert!(seen, "{release} {event} no longer differs ({why}): take it out");
        assert_ne!(*release, RELEASES[0].0, "ours judge as the newest release's do");
    }
}

#[test]
fn standard_input_fits_the_vendors_schemas() {
    let mut checked = 0;
    for event in EVENTS.iter().filter(|event| event.documented) {
        let Some((_, theirs)) = official("generated", event, Contract::Input) else { return skipped("input schemas") };
        for envelope in super::input::occurrences(event) {
            let value = super::input::written(event, &envelope);
            assert!(theirs.is_valid(&value), "{}: {value}", event.facts.name);
            checked += 1;
        }
    }
    assert!(checked >= 12 * 8, "{checked}");
}

#[test]
fn where_the_vendor_has_no_schema_members_are_open_and_answers_are_not_read() {
    for event in &EVENTS {
        let name = event.facts.name;
        let schema = document(Contract::Input, name).0.schema.as_value();
        assert_eq!(schema.get("additionalProperties") == Some(&Value::Bool(false)), event.documented, "{name}");
        let reads = event.reads == Reads::Stdout;
        assert_eq!(fits(Contract::Output, name, &Value::from("anything")), !reads, "{name}");
    }
}
