//! Reads `docs/runtime.md`, so that tests can hold the page to what the runtime does.

use std::collections::{BTreeMap, BTreeSet};

/// The rows of the tables in a section: the first cell's code, and the code in each other cell.
pub(crate) fn rows(section: &str) -> BTreeMap<String, Vec<BTreeSet<String>>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/runtime.md");
    let text = std::fs::read_to_string(path).unwrap();
    let start = text.find(&format!("\n## {section}\n")).unwrap_or_else(|| panic!("no section `{section}`"));
    let body = &text[start + 1..];
    let body = &body[..body.find("\n## ").unwrap_or(body.len())];
    let mut rows = BTreeMap::new();
    // A name may be a link.
    for line in body.lines().filter(|line| line.starts_with("| `") || line.starts_with("| [`")) {
        let cells: Vec<BTreeSet<String>> = line.trim_matches('|').split('|').map(code).collect();
        let name = cells[0].first().unwrap().clone();
        assert!(rows.insert(name, cells[1..].to_vec()).is_none(), "twice in `{section}`: {line}");
    }
    assert!(!rows.is_empty(), "no rows in `{section}`");
    rows
}

/// What stands between backquotes.
fn code(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_diagnostic_of_the_runtime_stands_on_the_page() {
    let known: BTreeSet<String> = hooks_runtime::reload::CODES.iter().map(|code| code.id.to_owned()).collect();
    let told: BTreeSet<String> = rows("Diagnostics").into_keys().collect();
    assert_eq!(told, known);
}

#[test]
fn every_feature_stands_on_the_page() {
    let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap();
    let start = manifest.find("[features]\n").unwrap() + "[features]\n".len();
    let features = &manifest[start..];
    let features = &features[..features.find("\n[").unwrap()];
    let names = features.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = "));
    let known: BTreeSet<String> = names.map(|(name, _)| name.to_owned()).collect();
    assert_eq!(rows("Features").into_keys().collect::<BTreeSet<_>>(), known);
}
