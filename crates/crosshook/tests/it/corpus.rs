//! Configurations as people write them: each is listed and checked without a panic, whatever is wrong with it.

use std::path::{Path, PathBuf};

use crate::support::Project;

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
