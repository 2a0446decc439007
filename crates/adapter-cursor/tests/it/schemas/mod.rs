//! The schemas against everything that is read and written: a verdict of a schema is the adapter's own.

mod community;
mod config;
mod documents;
mod input;
mod mutate;
mod output;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use adapter_cursor::schema::SCHEMAS;
use hooks_core::schema::{Contract, Document};
use jsonschema::Validator;
use serde_json::Value;

/// The schema with this path.
fn document(path: &str) -> Document {
    SCHEMAS.documents().into_iter().find(|document| document.path == path).unwrap_or_else(|| panic!("{path}"))
}

fn validator(document: &Document) -> Validator {
    jsonschema::validator_for(document.schema.as_value()).unwrap_or_else(|error| panic!("{}: {error}", document.path))
}

/// An event's schema of a contract, with its validator.
struct OfEvent {
    schema: Value,
    checks: Validator,
}

/// The schema of an event's contract. All are made once, since making a validator takes longer than using one.
fn of_event(contract: Contract, event: &str) -> &'static OfEvent {
    static ALL: LazyLock<Vec<(Contract, &str, OfEvent)>> = LazyLock::new(|| {
        let made = |document: Document| {
            let checks = validator(&document);
            (document.contract, document.of, OfEvent { schema: document.schema.to_value(), checks })
        };
        let of = |facts| [SCHEMAS.input(facts), SCHEMAS.output(facts), SCHEMAS.emitted(facts)].map(made);
        SCHEMAS.facts.iter().copied().flat_map(of).collect()
    });
    let found = ALL.iter().find(|(of, name, _)| *of == contract && *name == event);
    &found.unwrap_or_else(|| panic!("{contract:?} of {event}")).2
}

/// Why a value is invalid, for messages.
fn faults(validator: &Validator, value: &Value) -> String {
    validator
        .iter_errors(value)
        .map(|error| format!("{} at `{}`: {error}", error.schema_path(), error.instance_path()))
        .collect::<Vec<_>>()
        .join("; ")
}

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

fn json_of(path: impl AsRef<Path>) -> Value {
    let path = fixtures().join(path);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
