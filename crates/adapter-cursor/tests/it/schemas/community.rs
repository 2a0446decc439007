//! Schemas that others made for Cursor's file, where they are at hand, against ours: every difference has a reason here.
//!
//! They are not this project's to carry, so they are read from a folder beside the repository. Cursor itself publishes
//! no schema of the file.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use jsonschema::Validator;
use serde_json::{Value, json};

use super::{document, faults, fixtures, json_of, mutate, validator};

/// The schemas, by what their files' names start with.
const ALL: &[&str] = &[SIX, ANY, OWN_KEYS];
const SIX: &str = "johnlindquist-cursor-hooks.cebdf4e";
const ANY: &str = "johnlindquist-cursor-hooks.57d4788";
const OWN_KEYS: &str = "flatrick-mdt.3d4fcc6";

/// What some of these schemas refuse and ours takes.
struct Difference {
    /// Which of them refuse it.
    by: &'static [&'static str],
    /// The place of the fault.
    at: &'static str,
    /// The keyword that refuses it.
    keyword: &'static str,
    /// Why it is taken here.
    why: &'static str,
}

const fn refused(
    by: &'static [&'static str],
    at: &'static str,
    keyword: &'static str,
    why: &'static str,
) -> Difference {
    Difference { by, at, keyword, why }
}

const DIFFERENCES: &[Difference] = &[
    refused(ALL, "", "additionalProperties", "other keys of the file are left alone"),
    refused(ALL, "/version", "const", "Cursor's page takes any whole number above zero, these take the number 1 only"),
    refused(&[OWN_KEYS], "/hooks", "propertyNames", "six of Cursor's events are not listed; an unknown one only warns"),
    refused(&[SIX], "/hooks", "additionalProperties", "only the events of Cursor 1.7; an unknown one only warns"),
    refused(&[SIX, ANY], "/hooks", "minProperties", "a file without hooks does nothing, which is no error"),
    refused(&[ANY, OWN_KEYS], "/hooks/<event>", "type", "what an unknown event holds is not read"),
    refused(&[ANY, OWN_KEYS], "/hooks/<event>/#", "type", "what an unknown event holds is not read"),
    refused(ALL, "/hooks/<event>/#", "additionalProperties", "newer keys are not listed; an unknown one only warns"),
    refused(&[SIX, ANY], "/hooks/<event>/#", "required", "a prompt hook has no command"),
    refused(
        &[OWN_KEYS],
        "/hooks/<event>/#",
        "required",
        "`event` is that project's own key, and a prompt hook has no command",
    ),
    refused(
        &[ANY, OWN_KEYS],
        "/hooks/<event>/#/command",
        "type",
        "the command of a prompt hook, or under an unknown event, is not read",
    ),
    refused(ALL, "/hooks/<event>/#/command", "minLength", "an empty command does nothing, which only warns"),
    refused(&[OWN_KEYS], "/hooks/<event>/#/event", "enum", "that project's own key, which is ignored"),
    refused(&[OWN_KEYS], "/hooks/<event>/#/event", "type", "that project's own key, which is ignored"),
    refused(&[OWN_KEYS], "/hooks/<event>/#/description", "type", "that project's own key, which is ignored"),
];

fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracles/cursor");
    folder.is_dir().then_some(folder)
}

/// A fault's place with events and numbers left out, and its keyword.
fn place(pointer: &str, keyword: &str) -> (String, String) {
    let mut parts: Vec<&str> = pointer.split('/').skip(1).collect();
    if let ["hooks", event, ..] = parts.as_mut_slice() {
        *event = "<event>";
    }
    let shown: Vec<&str> = parts.iter().map(|part| if part.parse::<u32>().is_ok() { "#" } else { part }).collect();
    (shown.iter().map(|part| format!("/{part}")).collect(), keyword.to_owned())
}

fn places(validator: &Validator, value: &Value) -> BTreeSet<(String, String)> {
    let errors = validator.iter_errors(value);
    errors.map(|error| place(&error.instance_path().to_string(), error.kind().keyword())).collect()
}

/// Values of Cursor's file: this project's own, and what is one step away.
fn files() -> Vec<Value> {
    let mut wholes = vec![
        json_of("cursor/full_config.json"),
        json_of("cursor/unknown_event.json"),
        json_of("cursor/prompt_hook.json"),
        json!({ "version": 1, "hooks": { "stop": [{ "command": "x", "event": "stop", "description": "d" }] } }),
        json!({ "version": 1, "hooks": { "stop": [{ "command": "" }], "afterFileEdit": [] } }),
    ];
    let cases = crate::fixtures::cases().into_iter().map(|case| serde_json::from_str(&case.hooks).expect("JSON"));
    for hooks in cases {
        // The cases of an event share theirs.
        if !wholes.contains(&hooks) {
            wholes.push(hooks);
        }
    }
    let index = json_of("corpus/cursor/index.json");
    for file in index["files"].as_array().expect("files") {
        let path = fixtures().join("corpus/cursor").join(file["file"].as_str().expect("a name"));
        wholes.extend(serde_json::from_slice::<Value>(&std::fs::read(path).expect("a file")).ok());
    }
    let steps: Vec<Value> =
        wholes.iter().flat_map(|whole| mutate::steps(whole).into_iter().map(|(_, value)| value)).collect();
    wholes.extend(steps);
    wholes
}

#[test]
fn every_difference_has_a_reason() {
    let Some(folder) = folder() else {
        // Straight to the stream: what a passing test prints is not shown.
        let said =
            "SKIPPED: the schemas that others made are not beside this repository, so nothing is compared here\n";
        std::io::stderr().write_all(said.as_bytes()).expect("standard error");
        return;
    };
    let ours = validator(&document("cursor/hooks.schema.json"));
    let files = files();
    let mut unexplained: BTreeMap<(&str, (String, String)), String> = BTreeMap::new();
    let mut used = BTreeSet::new();
    for name in ALL {
        let text = std::fs::read(folder.join(format!("{name}{}", ending(name)))).expect(name);
        let theirs: Value = serde_json::from_slice(&text).expect("JSON");
        let theirs = jsonschema::validator_for(&theirs).expect("a schema");
        let mut both = 0;
        for file in &files {
            match (ours.is_valid(file), theirs.is_valid(file)) {
                (true, true) => both += 1,
                (false, false) => {}
                // None of them takes what the reader refuses.
                (false, true) => panic!("{name} takes {file}: {}", faults(&ours, file)),
                (true, false) => {
                    for (at, keyword) in places(&theirs, file) {
                        let known = |one: &Difference| one.by.contains(name) && one.at == at && one.keyword == keyword;
                        match DIFFERENCES.iter().position(known) {
                            Some(known) => {
                                used.insert((known, *name));
                            }
                            None => {
                                unexplained.entry((name, (at, keyword))).or_insert_with(|| file.to_string());
                            }
                        }
                    }
                }
            }
        }
        assert!(both > 5, "{name}: {both} files are taken by both");
    }
    let shown: Vec<String> = unexplained.iter().map(|(what, example)| format!("{what:?}: {example:.300}")).collect();
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    for (at, difference) in DIFFERENCES.iter().enumerate() {
        let Difference { by, at: place, keyword, why } = difference;
        for name in *by {
            assert!(used.contains(&(at, *name)), "{name} no longer refuses {keyword} at {place}: {why}");
        }
    }
}

fn ending(name: &str) -> &'static str {
    if name == OWN_KEYS { ".cursor-hooks.schema.json" } else { ".hooks.schema.json" }
}
