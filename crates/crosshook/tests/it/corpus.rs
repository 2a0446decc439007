//! Configurations as people write them: each is listed and checked without a panic, whatever is wrong with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::Project;

#[cfg(unix)]
mod faults;

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus");
    let mut files = Vec::new();
    for vendor in crosshook::VENDORS {
        let folder = root.join(vendor);
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        files.extend(
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.file_name().unwrap() != "index.json"),
        );
    }
    files.retain(|path| path.is_file());
    files.sort();
    files
}

#[test]
fn every_file_is_listed_and_checked() {
    let files = files();
    assert!(files.len() > 60, "only {} files", files.len());
    let project = Project::new();
    for file in &files {
        let vendor = file.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let path = file.to_str().unwrap();
        let listed = project.run(&["list", path, "--vendor", vendor, "--json"]).code(0).json();
        assert_eq!(listed["files"][0]["vendor"], vendor, "{path}");
        project.run(&["list", path, "--vendor", vendor]).code(0);
        let checked = project.run(&["check", path, "--vendor", vendor]);
        assert!(checked.code <= 1, "{path}: {}{}", checked.stdout, checked.stderr);
        let problems = listed["errors"].as_u64().unwrap() + listed["warnings"].as_u64().unwrap();
        assert_eq!(checked.code == 1, problems > 0, "{path}: {}", checked.stdout);
    }
}

/// What the index says is registered for a file that is valid: how many handlers an event has. Their matchers are held
/// by each adapter's own test.
fn registered(index: &serde_json::Value, name: &str) -> Option<BTreeMap<String, u64>> {
    let entry = index["files"]
        .as_array()?
        .iter()
        .find(|entry| entry["file"].as_str().is_some_and(|file| file.ends_with(name)))?;
    if entry["valid"] != "yes" {
        return None;
    }
    let mut counts = BTreeMap::new();
    for binding in entry["bindings"].as_array()? {
        *counts.entry(binding["event"].as_str()?.to_owned()).or_default() += binding["handlers"].as_u64()?;
    }
    counts.retain(|_, handlers| *handlers > 0);
    Some(counts)
}

#[test]
fn what_is_listed_is_what_the_index_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus");
    let project = Project::new();
    let mut compared = 0;
    for vendor in crosshook::VENDORS {
        let text = std::fs::read_to_string(root.join(vendor).join("index.json")).unwrap();
        let index: serde_json::Value = serde_json::from_str(&text).unwrap();
        for file in files().iter().filter(|file| file.parent().unwrap().ends_with(vendor)) {
            let name = file.file_name().unwrap().to_str().unwrap();
            let Some(expected) = registered(&index, name) else { continue };
            let path = file.to_str().unwrap();
            let listed = project.run(&["list", path, "--vendor", vendor, "--json"]).code(0).json();
            let mut found: BTreeMap<String, u64> = BTreeMap::new();
            // A file may switch its own hooks off: they are registered all the same.
            for hook in listed["definitions"].as_array().unwrap().iter().filter(|hook| hook["state"] != "inert") {
                *found.entry(hook["event"].as_str().unwrap().to_owned()).or_default() += 1;
            }
            assert_eq!(found, expected, "{name}");
            compared += 1;
        }
    }
    assert!(compared >= 40, "only {compared} files are marked valid");
}
