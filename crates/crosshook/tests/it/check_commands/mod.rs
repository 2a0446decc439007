//! What the checker says of commands: each case is a project on disk, and what is told of it, with its place and edits.

mod bounds;
mod scripts;
mod texts;

use serde_json::{Value, json};

use crate::support::Project;

const BLOCKS: &str = "#!/bin/sh\nexit 2\n";
const CURSOR: &str = ".cursor/hooks.json";
const CLAUDE: &str = ".claude/settings.json";
const CODEX: &str = ".codex/hooks.json";

fn cursor(event: &str, command: &str) -> String {
    json!({"version": 1, "hooks": {event: [{"command": command}]}}).to_string()
}

fn grouped(event: &str, handler: &Value) -> String {
    json!({"hooks": {event: [{"matcher": "Bash", "hooks": [handler]}]}}).to_string()
}

fn claude(event: &str, command: &str) -> String {
    grouped(event, &json!({"type": "command", "command": command}))
}

#[cfg(unix)]
fn executable(project: &Project, path: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(project.root().join(path), std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// What the checker itself tells of a project: code, severity, and the text of the file that it points to.
fn told(project: &Project) -> Vec<(String, String, String)> {
    full(project).into_iter().map(|told| (word(&told, "code"), word(&told, "severity"), text(project, &told))).collect()
}

fn full(project: &Project) -> Vec<Value> {
    let document = project.run(&["check", "--format", "json"]).json();
    let told = document["diagnostics"].as_array().unwrap().clone();
    told.into_iter().filter(|told| word(told, "code").starts_with("crosshook/")).collect()
}

fn word(told: &Value, key: &str) -> String {
    told[key].as_str().unwrap_or_default().to_owned()
}

/// The bytes that a diagnostic points to, as they stand in the file.
fn text(project: &Project, told: &Value) -> String {
    let bytes = std::fs::read(project.root().join(word(told, "file"))).unwrap();
    let at = |key: &str| usize::try_from(told[key].as_u64().unwrap_or(0)).unwrap();
    String::from_utf8_lossy(&bytes[at("byte_start")..at("byte_end")]).into_owned()
}

/// The file after the edits of what is told of it.
fn mended(project: &Project, told: &Value) -> String {
    let mut bytes = std::fs::read(project.root().join(word(told, "file"))).unwrap();
    let mut edits = told["edits"].as_array().unwrap().clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit["byte_start"].as_u64()));
    for edit in edits {
        let at = |key: &str| usize::try_from(edit[key].as_u64().unwrap()).unwrap();
        bytes.splice(at("byte_start")..at("byte_end"), edit["text"].as_str().unwrap().bytes());
    }
    String::from_utf8(bytes).unwrap()
}

#[track_caller]
fn one(project: &Project, code: &str, severity: &str, at: &str) -> Value {
    let found = told(project);
    assert_eq!(found, [(format!("crosshook/{code}"), severity.to_owned(), at.to_owned())]);
    full(project).remove(0)
}

#[track_caller]
fn nothing(project: &Project) {
    assert_eq!(told(project), []);
}
