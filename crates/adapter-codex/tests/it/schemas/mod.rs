//! The JSON Schemas: that they are schemas and say what everything is; by document, that they agree with the adapter;
//! and that they agree with the vendor's own.

mod config;
mod generated;
mod input;
mod official;
mod output;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use adapter_codex::events::EVENTS;
use adapter_codex::locations::{LOCATIONS, PLUGIN_MANIFESTS};
use adapter_codex::schema::SCHEMAS;
use hooks_core::location::Base;
use hooks_core::schema::{Contract, Document, filled, walk};
use hooks_core::source::{Role, Syntax};
use jsonschema::Validator;
use serde_json::{Value, json};

/// Every document, with a validator.
static DOCUMENTS: LazyLock<Vec<(Document, Validator)>> = LazyLock::new(|| {
    let compiled = |document: Document| {
        let validator = jsonschema::validator_for(document.schema.as_value());
        let validator = validator.unwrap_or_else(|error| panic!("{}: {error}", document.path));
        (document, validator)
    };
    SCHEMAS.documents().into_iter().map(compiled).collect()
});

/// The document of a contract; of what is printed the one of what is accepted, where they are the same.
fn document(contract: Contract, of: &str) -> &'static (Document, Validator) {
    let find = |contract| DOCUMENTS.iter().find(|(document, _)| document.contract == contract && document.of == of);
    let found = find(contract).or_else(|| (contract == Contract::Emitted).then(|| find(Contract::Output)).flatten());
    found.unwrap_or_else(|| panic!("no {contract:?} of {of}"))
}

/// Whether a value fits a document.
fn fits(contract: Contract, of: &str, value: &Value) -> bool {
    document(contract, of).1.is_valid(value)
}

/// A schema inside a document, as a document of its own.
fn part(document: &Document, part: &Value) -> Validator {
    let mut part = part.clone();
    for keyword in ["$defs", "definitions", "$schema"] {
        if let Some(value) = document.schema.as_value().get(keyword) {
            part[keyword] = value.clone();
        }
    }
    jsonschema::validator_for(&part).unwrap()
}

#[test]
fn every_document_is_a_schema() {
    let mut ids: Vec<_> = DOCUMENTS
        .iter()
        .map(|(document, _)| {
            let schema = document.schema.as_value();
            assert!(jsonschema::meta::is_valid(schema), "{}", document.path);
            schema["$id"].as_str().unwrap()
        })
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), DOCUMENTS.len());
    // Two drafts of each form; input and answer of each event, and where something is read also what is printed.
    assert_eq!(DOCUMENTS.len(), 4 * 2 + EVENTS.len() * 2 + 11);
    for event in &EVENTS {
        document(Contract::Input, event.facts.name);
        document(Contract::Output, event.facts.name);
    }
}

#[test]
fn every_document_says_what_everything_is() {
    for (document, _) in DOCUMENTS.iter() {
        let path = &document.path;
        let schema = document.schema.as_value();
        for keyword in ["$schema", "$id", "title", "description"] {
            assert!(schema[keyword].as_str().is_some_and(|text| !text.trim().is_empty()), "{path}: {keyword}");
        }
        let is_config = matches!(document.contract, Contract::Config | Contract::ConfigDraft07);
        let resolve = |mut schema: &Value| {
            while let Some(at) = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str()) {
                schema = document.schema.as_value().pointer(at.strip_prefix('#').unwrap()).unwrap();
            }
            schema["description"].as_str().unwrap_or_default().to_owned()
        };
        let mut seen = 0;
        walk(schema, &mut |at, schema| {
            for keyword in ["description", "markdownDescription", "deprecationMessage"] {
                if let Some(words) = schema.get(keyword) {
                    let words = words.as_str().unwrap();
                    assert!(!words.trim().is_empty() && !words.contains("  "), "{path}{at}: {words}");
                }
            }
            // A condition's members are named to be compared, not to be described.
            let (parent, name) = at.rsplit_once('/').unwrap_or_default();
            if parent.ends_with("/properties") && !at.contains("/if/") {
                seen += 1;
                let words = schema["description"].as_str().map_or_else(|| resolve(schema), str::to_owned);
                assert!(!words.trim().is_empty(), "{path}{at}: `{name}` is not described");
                let is_record = !is_config || words.contains("Known from: ") || schema.get("deprecated").is_some();
                assert!(is_record || at.contains("/then/"), "{path}{at}: nobody says how `{name}` is known");
            }
            if schema.get("deprecated").is_some() {
                assert!(schema["doNotSuggest"] == true && schema["deprecationMessage"].is_string(), "{path}{at}");
            }
        });
        assert!(seen > 0 || schema.get("properties").is_none(), "{path}");
    }
}

#[test]
fn examples_defaults_and_snippets_fit_where_they_stand() {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (document, _) in DOCUMENTS.iter() {
        walk(document.schema.as_value(), &mut |at, schema| {
            let values: Vec<(&str, Value)> = [
                ("default", schema.get("default").cloned().into_iter().collect::<Vec<_>>()),
                ("examples", schema["examples"].as_array().cloned().unwrap_or_default()),
                (
                    "defaultSnippets",
                    schema["defaultSnippets"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .map(|one| filled(&one["body"]).unwrap())
                        .collect(),
                ),
            ]
            .into_iter()
            .flat_map(|(keyword, values)| values.into_iter().map(move |value| (keyword, value)))
            .collect();
            if values.is_empty() {
                return;
            }
            let validator = part(document, schema);
            for (keyword, value) in values {
                *counts.entry((document.of, keyword)).or_default() += 1;
                assert!(validator.is_valid(&value), "{}{at}: {keyword}: {value}", document.path);
            }
            for snippet in schema["defaultSnippets"].as_array().into_iter().flatten() {
                assert!(snippet["label"].is_string() && snippet["description"].is_string());
            }
        });
    }
    // Three places an event, in two drafts.
    assert!(counts[&("hooks", "defaultSnippets")] >= 2 * 3 * EVENTS.len(), "{counts:?}");
    assert!(counts[&("config", "examples")] > 0 && counts[&("hooks", "default")] > 0, "{counts:?}");
}

#[test]
fn enumerations_explain_every_word() {
    let mut seen = 0;
    for (document, _) in DOCUMENTS.iter() {
        walk(document.schema.as_value(), &mut |at, schema| {
            let Some(words) = schema["enum"].as_array() else { return };
            let about = schema["enumDescriptions"].as_array().map(Vec::as_slice).unwrap_or_default();
            seen += 1;
            assert_eq!(words.len(), about.len(), "{}{at}", document.path);
            assert!(about.iter().all(|about| !about.as_str().unwrap().is_empty()), "{}{at}", document.path);
        });
    }
    // Decisions, as they are accepted and printed, on top of the words of inputs and configurations.
    assert!(seen > 40, "{seen}");
}

#[test]
fn every_answer_has_examples() {
    for event in EVENTS.iter().filter(|event| !event.facts.output.is_empty()) {
        let name = event.facts.name;
        for contract in [Contract::Output, Contract::Emitted] {
            let examples = document(contract, name).0.schema.as_value()["examples"].as_array().cloned();
            for example in examples.unwrap_or_else(|| panic!("{contract:?} of {name} has no examples")) {
                // What is printed is accepted too.
                assert!(fits(Contract::Output, name, &example), "{name}: {example}");
                assert!(fits(Contract::Emitted, name, &example), "{name}: {example}");
            }
        }
    }
}

#[test]
fn files_are_those_of_the_locations() {
    let mut wanted: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    // Project and home folder have the same pattern.
    for location in &LOCATIONS {
        let name = match (location.role, location.syntax) {
            (Role::Requirements, _) => "requirements",
            (_, Syntax::Json) => "hooks",
            _ => "config",
        };
        let pattern = match location.base {
            Base::Absolute => location.path.to_owned(),
            Base::Variable { home_default, .. } => format!("**/{home_default}/{}", location.path),
            _ => format!("**/{}", location.path),
        };
        let patterns = wanted.entry(name).or_default();
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    // The second place of a manifest is another product's.
    wanted.insert("plugin", vec![format!("**/{}", PLUGIN_MANIFESTS[0])]);
    let found: BTreeMap<&str, Vec<String>> = SCHEMAS
        .configs
        .iter()
        .map(|config| (config.name, config.files.iter().map(|file| (*file).to_owned()).collect()))
        .collect();
    for patterns in wanted.values_mut() {
        patterns.sort();
    }
    let sorted = found.into_iter().map(|(name, mut files)| {
        files.sort();
        (name, files)
    });
    assert_eq!(sorted.collect::<BTreeMap<_, _>>(), wanted);
}

#[test]
fn both_drafts_judge_alike() {
    let documents = [
        json!({}),
        json!([]),
        json!({ "hooks": null }),
        json!({ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": " " }] }] } }),
        json!({ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": " " }] }] } }),
        json!({ "hooks": { "Stop": [{ "hooks": [{ "type": "mcp_tool", "server": "s", "tool": "t", "input": { "a": null } }] }] } }),
        json!({ "hooks": { "Stop": [{ "type": "command", "command": "a" }] } }),
    ];
    for config in SCHEMAS.configs {
        let mut verdicts = Vec::new();
        for value in &documents {
            let verdict = fits(Contract::Config, config.name, value);
            assert_eq!(verdict, fits(Contract::ConfigDraft07, config.name, value), "{}: {value}", config.name);
            verdicts.push(verdict);
        }
        assert!(verdicts.contains(&true) && verdicts.contains(&false), "{}: {verdicts:?}", config.name);
    }
}
