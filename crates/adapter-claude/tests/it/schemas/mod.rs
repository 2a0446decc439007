//! The schemas, held to the reader of configurations, to the reader of answers, to what is written and what was recorded.

mod community;
mod config;
mod documents;
mod input;
mod output;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use adapter_claude::schema::SCHEMAS;
use hooks_core::schema::{Contract, Document};
use jsonschema::Validator;
use serde_json::{Map, Value};

/// Every document, made once.
static DOCUMENTS: LazyLock<Vec<Document>> = LazyLock::new(|| SCHEMAS.documents());

/// Every document's validator, by path.
static VALIDATORS: LazyLock<BTreeMap<&'static str, Validator>> = LazyLock::new(|| {
    let one = |document: &'static Document| (document.path.as_str(), validator(document.schema.as_value()));
    DOCUMENTS.iter().map(one).collect()
});

fn validator(schema: &Value) -> Validator {
    jsonschema::validator_for(schema).unwrap_or_else(|error| panic!("{error}"))
}

/// The validators of a contract: of a configuration both forms. Answers that are printed as they are read have one
/// document.
fn of(contract: Contract, name: &str) -> Vec<&'static Validator> {
    let endings: &[&str] = match contract {
        Contract::Config => &["", ".draft-07"],
        Contract::Input => &[".input"],
        Contract::Output => &[".output"],
        Contract::Emitted => &[".output.emitted", ".output"],
        _ => panic!("{contract:?}"),
    };
    let all: Vec<_> =
        endings.iter().filter_map(|ending| VALIDATORS.get(&*format!("claude/{name}{ending}.schema.json"))).collect();
    match contract {
        Contract::Config => assert_eq!(all.len(), 2, "{name}"),
        _ => assert!(!all.is_empty(), "{name}"),
    }
    if contract == Contract::Config { all } else { all.into_iter().take(1).collect() }
}

fn is_valid(contract: Contract, name: &str, value: &Value) -> bool {
    let verdicts: Vec<bool> = of(contract, name).into_iter().map(|validator| validator.is_valid(value)).collect();
    assert!(verdicts.iter().all(|verdict| verdict == &verdicts[0]), "{name}: the two drafts part on {value}");
    verdicts[0]
}

/// What is wrong with a value, for a failed assertion.
fn errors(contract: Contract, name: &str, value: &Value) -> Vec<String> {
    let one = |validator: &'static Validator| {
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect::<Vec<_>>()
    };
    of(contract, name).into_iter().flat_map(one).collect()
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Values of every kind, of which a key takes some, and those that some rule speaks of.
fn odd_values() -> Vec<Value> {
    [
        "null",
        "true",
        "false",
        "0",
        "-1",
        "0.5",
        "\"\"",
        "\"x\"",
        "\"block\"",
        "\"allow\"",
        "\"bash\"",
        "\"Bash(git *)\"",
        "\"${CLAUDE_PLUGIN_ROOT}/x\"",
        "\"${user_config.a}\"",
        "[]",
        "[\"x\"]",
        "[1]",
        "[\"${CLAUDE_PLUGIN_DATA}\"]",
        "{}",
        "{\"a\": \"x\"}",
        "{\"a\": 1}",
        "{\"behavior\": \"allow\"}",
    ]
    .iter()
    .map(|text| serde_json::from_str(text).expect("json"))
    .collect()
}

fn object(members: &[(&str, Value)]) -> Value {
    Value::Object(members.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect::<Map<_, _>>())
}
