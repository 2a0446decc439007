//! Every document is a schema, says what it is about, and means what its own examples, defaults and snippets say.

use std::collections::{BTreeMap, BTreeSet};

use adapter_claude::events::EVENTS;
use adapter_claude::locations::{
    FRONTMATTER, HEAD_PATTERNS, LOCATIONS, MANIFEST_PATTERNS, PLUGIN_MANIFEST, SETTINGS_PATTERNS, SKILLS,
};
use hooks_core::facts::FailureRule;
use hooks_core::location::{Base, Location};
use hooks_core::schema::{Contract, Document, filled};
use serde_json::{Value, json};

use super::{DOCUMENTS, VALIDATORS, is_valid, validator};

#[test]
fn every_document_is_a_schema() {
    assert_eq!(VALIDATORS.len(), DOCUMENTS.len(), "two documents of one path");
    for document in DOCUMENTS.iter() {
        let schema = document.schema.as_value();
        jsonschema::meta::validate(schema).unwrap_or_else(|error| panic!("{}: {error}", document.path));
        for keyword in ["$schema", "$id", "title", "description"] {
            let text = schema[keyword].as_str().unwrap_or_default();
            assert!(!text.trim().is_empty(), "{} has no {keyword}", document.path);
        }
    }
    let ids: BTreeSet<&str> =
        DOCUMENTS.iter().filter_map(|document| document.schema.as_value()["$id"].as_str()).collect();
    assert_eq!(ids.len(), DOCUMENTS.len());
    for event in &EVENTS {
        for contract in [Contract::Input, Contract::Output] {
            let name = event.facts.name;
            assert!(DOCUMENTS.iter().any(|one| one.contract == contract && one.of == name), "{name} {contract:?}");
        }
    }
}

/// The parts of a document that hold for the same value as one of its parts, references followed.
fn same_place<'s>(root: &'s Value, part: &'s Value, found: &mut Vec<&'s Value>) {
    if found.iter().any(|known| std::ptr::eq(*known, part)) {
        return;
    }
    found.push(part);
    if let Some(reference) = part["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#'));
        same_place(root, target.unwrap_or_else(|| panic!("{reference} leads nowhere")), found);
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        for one in part[keyword].as_array().into_iter().flatten() {
            same_place(root, one, found);
        }
    }
    for keyword in ["then", "else"] {
        if let Some(one) = part.get(keyword) {
            same_place(root, one, found);
        }
    }
}

/// Calls with every value's parts, and the way to the value.
fn each_place<'s>(root: &'s Value, parts: &[&'s Value], at: &str, see: &mut dyn FnMut(&str, &[&'s Value])) {
    let mut all = Vec::new();
    for part in parts {
        same_place(root, part, &mut all);
    }
    see(at, &all);
    let mut members: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    let mut items = Vec::new();
    for part in all {
        for (name, member) in part["properties"].as_object().into_iter().flatten() {
            members.entry(name).or_default().push(member);
        }
        items.extend(part.get("items").filter(|items| items.is_object()));
        items.extend(part.get("additionalProperties").filter(|more| more.is_object()));
    }
    for (name, member) in members {
        each_place(root, &member, &format!("{at}/{name}"), see);
    }
    if !items.is_empty() {
        each_place(root, &items, &format!("{at}/*"), see);
    }
}

#[test]
fn every_key_says_what_it_is() {
    for document in DOCUMENTS.iter() {
        let root = document.schema.as_value();
        let mut seen = 0;
        each_place(root, &[root], "", &mut |at, parts| {
            seen += 1;
            let words =
                |keyword: &str| -> Vec<&str> { parts.iter().filter_map(|part| part[keyword].as_str()).collect() };
            let said = words("description");
            assert!(said.iter().all(|text| !text.trim().is_empty()), "{}{at}", document.path);
            // What a rule repeats under a condition is explained where the words first stand.
            let described = |part: &&&Value| part.get("enum").is_some() && part.get("description").is_some();
            for part in parts.iter().filter(described).filter(|_| !at.ends_with("/hookEventName")) {
                let about = part["enumDescriptions"].as_array().unwrap_or_else(|| panic!("{}{at}", document.path));
                assert_eq!(about.len(), part["enum"].as_array().expect("words").len(), "{}{at}", document.path);
                assert!(about.iter().all(|text| !text.as_str().expect("a text").is_empty()), "{}{at}", document.path);
            }
            // Only a rule for the items of a list or a map needs no words.
            assert!(!said.is_empty() || at.ends_with("/*"), "{}{at} is not described", document.path);
            if matches!(document.contract, Contract::Config | Contract::ConfigDraft07) {
                assert_eq!(said, words("markdownDescription"), "{}{at}", document.path);
            }
        });
        assert!(seen > 1 || document.contract == Contract::Emitted, "{}", document.path);
    }
}

/// A part of a document as a schema of its own, with the parts that it refers to.
fn alone(document: &Document, part: &Value) -> Value {
    let root = document.schema.as_value();
    let definitions = if document.contract == Contract::ConfigDraft07 { "definitions" } else { "$defs" };
    let mut schema = part.clone();
    schema["$schema"] = root["$schema"].clone();
    let mut open = vec![part.clone()];
    while let Some(part) = open.pop() {
        let text = part.to_string();
        for reference in text.split("\"$ref\":\"#/").skip(1) {
            let name = reference.split('"').next().and_then(|path| path.split('/').nth(1)).expect("a name");
            if schema[definitions].get(name).is_none() {
                schema[definitions][name] = root[definitions][name].clone();
                open.push(root[definitions][name].clone());
            }
        }
    }
    schema
}

#[test]
fn examples_defaults_and_snippets_are_valid() {
    for document in DOCUMENTS.iter() {
        let root = document.schema.as_value();
        let mut seen = BTreeMap::<&str, usize>::new();
        let mut checked = BTreeSet::new();
        each_place(root, &[root], "", &mut |at, parts| {
            for part in parts.iter().filter(|part| {
                ["examples", "default", "defaultSnippets"].iter().any(|keyword| part.get(*keyword).is_some())
                    && checked.insert(std::ptr::from_ref::<Value>(part))
            }) {
                let validator = validator(&alone(document, part));
                let mut hold = |keyword: &'static str, value: &Value| {
                    *seen.entry(keyword).or_default() += 1;
                    let wrong: Vec<_> = validator.iter_errors(value).map(|error| error.to_string()).collect();
                    assert!(wrong.is_empty(), "{}{at}: {keyword} {value}: {wrong:?}", document.path);
                };
                part.get("default").into_iter().for_each(|value| hold("default", value));
                part["examples"].as_array().into_iter().flatten().for_each(|value| hold("examples", value));
                for snippet in part["defaultSnippets"].as_array().into_iter().flatten() {
                    assert!(snippet["label"].is_string() && snippet["description"].is_string());
                    hold("defaultSnippets", &filled(&snippet["body"]).expect("a snippet"));
                }
            }
        });
        if matches!(document.contract, Contract::Config | Contract::ConfigDraft07) {
            assert!(seen["defaultSnippets"] > 2 * EVENTS.len(), "{}: {seen:?}", document.path);
            assert!(seen["default"] > 8 && seen["examples"] > 20, "{}: {seen:?}", document.path);
        }
    }
}

/// An answer that is printed is accepted too, so that one list of examples is for both.
#[test]
fn every_event_whose_answer_counts_has_examples() {
    for event in &EVENTS {
        let name = event.facts.name;
        let of = |contract| {
            let document = DOCUMENTS.iter().find(|one| one.contract == contract && one.of == name);
            document.map(|one| one.schema.as_value()["examples"].as_array().cloned().unwrap_or_default())
        };
        let examples = of(Contract::Output).expect("a document");
        assert!(of(Contract::Emitted).is_none_or(|printed| printed == examples), "{name}");
        // Two events are answered with the exit code, and nothing is printed.
        let prints = event.facts.malformed != FailureRule::Block;
        assert_eq!(examples.is_empty() && event.can_block(), event.can_block() && !prints, "{name}");
        for example in &examples {
            assert!(is_valid(Contract::Emitted, name, example), "{name}: {example}");
        }
    }
}

/// The words say what this event does with the field, and not what another one would.
#[test]
fn words_of_answers_are_the_events_own() {
    let said = |event: &str, pointer: &str| -> String {
        let document = DOCUMENTS.iter().find(|one| one.contract == Contract::Output && one.of == event);
        let part = document.and_then(|one| one.schema.as_value().pointer(pointer)).expect("a part");
        format!("{} {}", part["description"], part["enumDescriptions"])
    };
    assert!(said("Stop", "/properties/decision").contains("goes on with `reason`"));
    assert!(!said("Stop", "/properties/decision").contains("allows a tool call"));
    assert!(said("PostToolUse", "/properties/decision").contains("beside what happened"));
    assert!(said("PreToolUse", "/properties/continue").contains("The call still runs"));
    assert!(!said("PostToolUse", "/properties/continue").contains("call still runs"));
    let decision = "/properties/hookSpecificOutput/properties/permissionDecision";
    assert!(said("PreSkillShellCommand", decision).contains("All but `allow` deny here."));
    assert!(!said("PreSkillShellCommand", decision).contains("A person is asked"));
    assert!(said("Notification", "/properties/continue").starts_with("\"Accepted without effect"));
    assert!(said("TaskCompleted", "/properties/continue").contains("ends a teammate whose own end"));
    assert!(said("TaskCreated", "/properties/continue").starts_with("\"Accepted without effect"));
    let input = "/properties/hookSpecificOutput/properties/updatedInput";
    assert!(said("PreSkillShellCommand", input).contains("keeps what is pending from going on"));
}

#[test]
fn what_has_no_effect_is_not_offered() {
    for document in DOCUMENTS.iter().filter(|document| document.contract == Contract::Config) {
        let root = document.schema.as_value();
        let mut seen = 0;
        each_place(root, &[root], "", &mut |at, parts| {
            for part in parts.iter().filter(|part| part["deprecated"] == json!(true)) {
                seen += 1;
                assert_eq!(part["doNotSuggest"], json!(true), "{}{at}", document.path);
                let why = part["deprecationMessage"].as_str().expect("why");
                assert!(part["description"].as_str().expect("words").contains(why), "{}{at}", document.path);
            }
        });
        assert!(seen > 20, "{}: {seen}", document.path);
    }
}

/// Where a location lies, as a pattern that holds in any folder.
fn pattern(location: &Location) -> String {
    let folder = match location.base {
        Base::Variable { home_default, .. } => format!("{home_default}/"),
        _ => String::new(),
    };
    let path = location.path.strip_prefix("C:").unwrap_or(location.path).trim_start_matches('/');
    format!("**/{folder}{path}")
}

#[test]
fn the_patterns_are_those_of_the_locations() {
    let sorted = |patterns: BTreeSet<String>| patterns.into_iter().collect::<Vec<_>>();
    let written = |patterns: &[&str]| sorted(patterns.iter().map(|&pattern| pattern.to_owned()).collect());
    assert_eq!(written(SETTINGS_PATTERNS), sorted(LOCATIONS.iter().map(pattern).collect()));
    assert_eq!(written(MANIFEST_PATTERNS), [format!("**/{PLUGIN_MANIFEST}")]);
    let mut heads: BTreeSet<String> = FRONTMATTER.iter().map(pattern).collect();
    heads.insert(format!("**/.claude/{SKILLS}"));
    assert_eq!(written(HEAD_PATTERNS), sorted(heads));
}
