//! What a report looks like in each form, kept: of every page's failing example as text, and of one project in all forms.
//!
//! `SNAPSHOTS=overwrite cargo test -p crosshook --test it snapshots` writes all of it anew.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use snapbox::Data;
use snapbox::data::DataFormat;

use crate::pages::{by_library, each};
use crate::reports::three_vendors;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/check")
}

/// Holds a text to the file that it was kept in.
fn keep(name: &str, shown: String) -> Result<(), String> {
    let file = folder().join(name);
    let check = snapbox::Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let expected = Data::read_from(&file, Some(DataFormat::Text)).raw();
    check.try_eq(Some(&name), Data::text(shown).raw(), expected).map_err(|wrong| wrong.to_string())
}

#[test]
fn what_fails_is_drawn_as_it_was() {
    let made = Mutex::new(BTreeSet::new());
    each(|id, page| {
        let base = tempfile::tempdir().unwrap();
        let base = std::fs::canonicalize(base.path()).unwrap();
        if by_library(id, &page.fails, page.before.as_ref(), &base).is_some() {
            return Ok(());
        }
        page.fails.write(&base);
        let shown = page.fails.run(&base, &[])?.stdout.replace(&*base.to_string_lossy(), "/example");
        let name = format!("{id}.txt");
        made.lock().unwrap().insert(folder().join(&name));
        keep(&name, shown)
    });
    if std::env::var_os("PAGES").is_some() {
        return;
    }
    let made = made.into_inner().unwrap();
    let areas = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    for area in areas.filter(|path| path.is_dir() && !path.ends_with("forms")) {
        for file in std::fs::read_dir(area).unwrap().map(|entry| entry.unwrap().path()) {
            if made.contains(&file) {
                continue;
            }
            // What is written anew is all there is.
            let anew = std::env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite");
            assert!(anew, "{}: no page makes it any more", file.display());
            std::fs::remove_file(&file).unwrap();
        }
    }
}

#[test]
fn every_form_is_as_it_was() {
    let project = three_vendors();
    let root = std::fs::canonicalize(project.root()).unwrap();
    let mut wrong = Vec::new();
    for (name, args) in [
        ("text.txt", &["check"][..]),
        ("colour.ansi", &["check", "--color", "always"]),
        ("quiet.txt", &["check", "--quiet"]),
        ("verbose.txt", &["check", "--verbose"]),
        ("report.json", &["check", "--format", "json"]),
        ("report.sarif", &["check", "--format", "sarif"]),
        ("github.txt", &["check", "--format", "github"]),
    ] {
        let mut command = crate::support::command(&root, &project.home());
        let output = command.args(args).env_remove("GITHUB_WORKSPACE").output().unwrap();
        let shown = crate::support::Ran::of(output).code(1).stdout;
        let shown = shown.replace(&*root.to_string_lossy(), "/example/project");
        let shown = shown.replace(&format!("\"{}\"", env!("CARGO_PKG_VERSION")), "\"[VERSION]\"");
        wrong.extend(keep(&format!("forms/{name}"), shown).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
