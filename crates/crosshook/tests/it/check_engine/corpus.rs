//! Mending every file that the project has: what keeps the meaning keeps it, and what is mended stays mended.

use std::path::{Path, PathBuf};

use crosshook::Parsed;
use crosshook::check::fix::{Which, meaning, mend};
use crosshook::check::{Checked, Request, check};

use crate::support::Project;

/// Every configuration of the fixtures, with its vendor.
fn files() -> Vec<(&'static str, PathBuf)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut files = Vec::new();
    for vendor in crosshook::VENDORS {
        for folder in [fixtures.join(vendor), fixtures.join("corpus").join(vendor)] {
            assert!(folder.is_dir(), "{}", folder.display());
            collect(&folder, vendor, &mut files);
        }
    }
    files
}

fn collect(folder: &Path, vendor: &'static str, files: &mut Vec<(&'static str, PathBuf)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if path.is_dir() {
            collect(&path, vendor, files);
        } else if name.contains("hooks")
            || name.contains("settings")
            || name.contains("config")
            || name.starts_with('0')
        {
            let is_document = path.extension().is_some_and(|extension| extension == "json" || extension == "toml");
            files.extend(is_document.then_some((vendor, path)));
        }
    }
}

fn document(checked: &Checked) -> Option<&Parsed> {
    checked.projects.first()?.documents().next()
}

/// Where a vendor looks for a document in that language.
fn place(vendor: &str, file: &Path) -> &'static str {
    let is_toml = file.extension().is_some_and(|extension| extension == "toml");
    match (vendor, is_toml) {
        ("cursor", _) => ".cursor/hooks.json",
        ("claude", _) => ".claude/settings.json",
        (_, true) => ".codex/config.toml",
        _ => ".codex/hooks.json",
    }
}

#[test]
fn mending_keeps_the_meaning_unless_it_says_otherwise_and_comes_to_rest() {
    let files = files();
    assert!(files.len() >= 20, "{}", files.len());
    let mut made = 0;
    for (vendor, file) in files {
        let at = place(vendor, &file);
        let project = Project::new().with(at, std::fs::read(&file).unwrap());
        let request = Request::new(vec![project.root().join(at)]);
        let shown = file.display();
        let before = check(&request);
        for which in [Which::Safe, Which::All] {
            let mended = mend(&request, which, &|_| true);
            made += mended.made.len();
            assert_eq!(mended.unsafe_edits, [], "{shown}");
            let (Some(old), Some(new)) = (document(&before), document(&mended.checked)) else {
                panic!("{shown} is no document")
            };
            if which == Which::Safe {
                assert!(mended.made.iter().all(|made| made.changes.is_none()), "{shown}");
                assert_eq!(meaning(old), meaning(new), "{shown}");
            } else {
                assert!(old.rejected || !new.rejected, "{shown}: it is not read any more");
            }
            // What is mended stays mended, and nothing new comes of it that can be mended.
            let mut again = request.clone();
            again.unsaved = mended.files.iter().map(|file| (file.path.clone(), file.after.clone())).collect();
            let again = mend(&again, which, &|_| true);
            assert_eq!(again.made, [], "{shown}: mended twice");
            // Outside of what was mended nothing changed: every line of the new file that is in no edit was there.
            assert_eq!(mended.files.is_empty(), mended.made.is_empty(), "{shown}");
        }
    }
    assert!(made > 0, "nothing was mended at all");
}
