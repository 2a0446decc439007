//! What real clients did with a carried-over guard, as `fixtures/evidence` has it: the recorded configurations are what the
//! command still writes, and nothing ran that Cursor would have held back.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::Project;

/// The recordings, by vendor.
const RECORDINGS: &[(&str, &str)] = &[("claude", "bridge-claude.json"), ("codex", "bridge-codex.json")];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/evidence")
}

/// Every file of the folder.
pub(crate) fn files() -> Vec<String> {
    RECORDINGS.iter().map(|(_, file)| (*file).to_owned()).chain(["README.md".to_owned()]).collect()
}

fn recording(file: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn what_the_clients_were_given_is_what_is_written_today() {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    for (vendor, file) in RECORDINGS {
        let recorded = recording(file);
        let project = Project::new().with(".cursor/hooks.json", recorded["source"].to_string());
        project.run(&["translate", "--from", "cursor", "--to", vendor, "--bridge"]).code(0);
        let path = recorded["configuration"]["path"].as_str().unwrap();
        let written = std::fs::read(project.root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let written: Value = serde_json::from_slice(&written).unwrap();
        assert_eq!(written, recorded["configuration"]["text"], "{file}: record it anew with xtask/lab/bridge.mjs");
        let client = format!("{} {}", recorded["client"].as_str().unwrap(), recorded["version"].as_str().unwrap());
        assert!(readme.contains(&format!("| `{file}` | {client},")), "fixtures/evidence/README.md: {client}");
    }
}

#[test]
fn the_clients_denied_and_allowed_as_cursor_does() {
    for (_, file) in RECORDINGS {
        let recorded = recording(file);
        let cases = recorded["cases"].as_array().unwrap();
        let of = |case: &Value, key: &str| case[key].as_str().unwrap_or("nothing").to_owned();
        let seen: Vec<_> = cases
            .iter()
            .map(|case| {
                ["in_cursor", "in_the_client", "in_a_folder_below", "the_model_is_told", "without_hooks"]
                    .map(|key| of(case, key))
            })
            .collect();
        let expected = [
            ["denied", "denied", "denied", "no rm -rf here", "ran"],
            ["asked", "denied", "denied", "Push now?", "ran"],
            ["ran", "ran", "ran", "nothing", "ran"],
        ];
        assert_eq!(seen, expected.map(|case| case.map(str::to_owned)), "{file}");
    }
}
