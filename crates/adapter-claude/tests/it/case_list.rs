//! The table of `docs/decisions/claude-cases.md`: every row of the case list once, in order, and everything it names is there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hooks_conformance::load;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `module::function` for every function of a folder's files; the modules are named by file.
fn functions(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            functions(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a file");
        let module = path.file_stem().expect("a name").to_string_lossy().into_owned();
        for line in text.lines() {
            let line = line.trim_start();
            if let Some(rest) = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ") {
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                found.insert(format!("{module}::{name}"));
            }
        }
    }
}

#[test]
fn the_table_names_what_is_there() {
    let page = std::fs::read_to_string(root().join("docs/decisions/claude-cases.md")).expect("the page");
    let files = load(&root().join("fixtures/vectors/claude")).expect("vectors");
    let mut known = BTreeSet::new();
    for file in &files {
        let stem = Path::new(&file.name).file_stem().expect("a name").to_string_lossy().into_owned();
        known.extend(file.vectors.iter().map(|vector| format!("{stem}#{}", vector.id)));
    }
    functions(&root().join("crates/adapter-claude/src"), &mut known);
    functions(&root().join("crates/adapter-claude/tests/it"), &mut known);
    // What a process or a session does is the runtime's to show.
    functions(&root().join("crates/hooks-runtime/tests/it"), &mut known);
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| L")).collect();
    assert_eq!(rows.len(), 481);
    for (row, number) in rows.iter().zip(1..) {
        assert!(row.starts_with(&format!("| L{number:03} |")), "{row}");
        let held = row.split('|').nth(3).expect("a cell").trim();
        assert!(!held.is_empty(), "{row}");
        if held.starts_with("not held here: ") {
            continue;
        }
        for name in held.split('`').skip(1).step_by(2) {
            let last_two: Vec<&str> = name.rsplit("::").take(2).collect();
            let name = if name.contains("::") { format!("{}::{}", last_two[1], last_two[0]) } else { name.to_owned() };
            assert!(known.contains(&name), "{name} in {row}");
        }
    }
}
