//! `check` as a person, a build and an editor run it: what is read, what counts, what is written, and how it ends.

mod baseline;
mod config;
mod corpus;
mod fix;
mod home;
mod host;
mod many;
mod rules;
mod stdin;
mod toy;

use serde_json::Value;

use crate::support::{Project, Ran};

/// A hook whose matcher Cursor cannot compile: an error.
const BROKEN: &str = r#"{"version":1,"hooks":{"preToolUse":[{"command":"true","matcher":"Shell("}]}}"#;
/// The code of that.
const NOT_REGEX: &str = "cursor/matcher-not-regex";
/// A hook file with nothing wrong in it.
const GOOD: &str = r#"{"version":1,"hooks":{"preToolUse":[{"command":"true","matcher":"Shell"}]}}"#;

/// A project whose one fault is an error.
fn broken() -> Project {
    Project::new().with(".cursor/hooks.json", BROKEN)
}

/// The codes of a report in JSON, each with its file.
#[track_caller]
fn found(ran: &Ran) -> Vec<(String, String)> {
    let told = ran.json();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    told["diagnostics"].as_array().unwrap().iter().map(|one| (text(one, "code"), text(one, "file"))).collect()
}

/// The codes alone.
#[track_caller]
fn codes(ran: &Ran) -> Vec<String> {
    found(ran).into_iter().map(|(code, _)| code).collect()
}
