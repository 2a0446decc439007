//! Mending every file that the project has: what keeps the meaning keeps it, and what is mended stays mended.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crosshook::check::fix::{Which, meaning, mend};
use crosshook::check::{Checked, Request, check};
use crosshook::{Diagnostic, Parsed, Reach};

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

fn all(checked: &Checked) -> Vec<&Diagnostic> {
    checked.projects.iter().flat_map(|project| &project.diagnostics).collect()
}

/// How often each finding is told, by its code and its message.
fn count(checked: &Checked) -> BTreeMap<(&'static str, &str), usize> {
    let mut counts = BTreeMap::new();
    for told in all(checked) {
        *counts.entry((told.code.id, told.message.as_str())).or_default() += 1;
    }
    counts
}

/// Holds what mending comes to against the check before it. Gives how many files were held to their bytes.
fn hold(name: &str, request: &Request, which: Which) -> usize {
    let before = check(request);
    let mended = mend(request, which, &|_| true);
    let (old, new) = (count(&before), count(&mended.checked));
    let hooks = |checked: &Checked| checked.projects.iter().map(|project| project.definitions.len()).sum::<usize>();
    // Where nothing changes what the hooks do, nothing new is wrong. Where it changes, a fault may have hidden another one of
    // the same entry, and hooks that come to life may have faults of their own.
    let entry =
        |told: &Diagnostic| told.pointer.as_deref().and_then(|it| it.rsplit_once('/')).map(|(it, _)| it.to_owned());
    let is_made =
        |told: &&&Diagnostic| mended.made.iter().any(|made| made.code == told.code.id && made.message == told.message);
    let touched: Vec<String> = all(&before).iter().filter(is_made).filter_map(|told| entry(told)).collect();
    let costs_more = all(&before).iter().filter(is_made).any(|told| !matches!(told.reach, Reach::Entry | Reach::None));
    if which == Which::Safe || !costs_more && hooks(&before) == hooks(&mended.checked) {
        for told in all(&mended.checked) {
            let fault = (told.code.id, told.message.as_str());
            let more = new.get(&fault) > old.get(&fault);
            let hidden = which == Which::All && entry(told).is_some_and(|entry| touched.contains(&entry));
            assert!(!more || hidden, "{name}, {which:?}: {fault:?} is new");
        }
    }
    for made in &mended.made {
        let fault = (made.code, made.message.as_str());
        let left = new.get(&fault).copied().unwrap_or_default();
        assert!(left < old.get(&fault).copied().unwrap_or(1), "{name}, {which:?}: {fault:?} is mended and still there");
    }
    // Where one round was enough, the bytes are those of the edits that were made and all others are what they were.
    let mut held = 0;
    for file in &mended.files {
        let made: Vec<_> = mended.made.iter().filter(|made| made.path == file.path).collect();
        let told = all(&before);
        let told: Vec<_> = told.iter().filter(|told| Path::new(&told.path) == file.path).filter(is_made).collect();
        if told.len() != made.len() {
            continue;
        }
        let mut edits: Vec<_> = told.iter().flat_map(|told| &told.edits).collect();
        edits.sort_by_key(|edit| edit.range.start);
        if edits.windows(2).any(|two| two[0].range.end >= two[1].range.start) {
            // They were made one after the other.
            continue;
        }
        let (mut expected, mut at) = (Vec::new(), 0);
        for edit in edits {
            expected.extend_from_slice(&file.before[at..edit.range.start]);
            expected.extend_from_slice(edit.text.as_bytes());
            at = edit.range.end;
        }
        expected.extend_from_slice(&file.before[at..]);
        assert_eq!(String::from_utf8_lossy(&file.after), String::from_utf8_lossy(&expected), "{name}, {which:?}");
        held += 1;
    }
    held
}

#[test]
fn what_is_mended_is_gone_nothing_new_is_wrong_and_no_other_byte_changes() {
    let mut held = 0;
    for (vendor, file) in files() {
        let at = place(vendor, &file);
        let project = Project::new().with(at, std::fs::read(&file).unwrap());
        let request = Request::new(vec![project.root().join(at)]);
        for which in [Which::Safe, Which::All] {
            held += hold(&file.display().to_string(), &request, which);
        }
    }
    for (id, base) in crate::pages::failing_projects() {
        let project = std::fs::canonicalize(base.path()).unwrap().join("project");
        let request = Request::new(vec![project]);
        for which in [Which::Safe, Which::All] {
            held += hold(&id, &request, which);
        }
    }
    assert!(held > 100, "only {held} files were held to their bytes");
}
