//! The reader of golden fixtures: what it takes, and that it refuses what is off.

use std::fs;
use std::path::Path;

use hooks_conformance::fixture::{Case, cases};
use hooks_conformance::format::Basis;
use hooks_core::outcome::End;
use tempfile::TempDir;

const LINE: &str = "| `stop/quiet` | made up | vector `nothing` | observed | nothing comes of it |\n";

fn vendor(line: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let readme = format!(
        "# Cases\n\n| File | What |\n|---|---|\n| `a/b` | c |\n\n| Case | in | out | how | what |\n|---|---|---|---|---|\n{line}\nMore.\n"
    );
    let case = folder.path().join("stop/quiet");
    fs::create_dir_all(&case).unwrap();
    for (file, text) in
        [("hooks.json", "{}"), ("stdin.json", "{}"), ("stdout.json", ""), ("exit", "0\n"), ("expect.json", "{}")]
    {
        fs::write(case.join(file), text).unwrap();
    }
    fs::write(folder.path().join("README.md"), readme).unwrap();
    folder
}

fn read(folder: &Path) -> Result<Vec<Case>, String> {
    cases(folder, ["stop"]).map_err(|error| error.to_string().replace('\\', "/"))
}

/// What is said after a change of the folder.
fn after(change: impl FnOnce(&Path)) -> String {
    let folder = vendor(LINE);
    change(folder.path());
    read(folder.path()).unwrap_err()
}

#[test]
fn a_case_is_its_files_and_its_line() {
    let folder = vendor(LINE);
    let [case] = read(folder.path()).unwrap().try_into().unwrap();
    assert_eq!((case.label().as_str(), case.line.vector()), ("stop/quiet", Some("nothing")));
    assert_eq!((case.line.basis, &case.outcome.end), (Basis::Observed, &End::Exited(0)));
    assert!(case.toml.is_none() && case.outcome.stderr.is_empty());

    let at = folder.path().join("stop/quiet");
    fs::write(at.join("exit"), "http 200\n").unwrap();
    fs::write(at.join("stderr"), "text").unwrap();
    fs::write(at.join("config.toml"), "").unwrap();
    fs::write(folder.path().join("stop/schema.json"), "{}").unwrap();
    let [case] = read(folder.path()).unwrap().try_into().unwrap();
    assert_eq!((&case.outcome.end, case.outcome.stderr.as_slice()), (&End::Http(200), &b"text"[..]));
    assert_eq!(case.toml.as_deref(), Some(""));
}

#[test]
fn a_file_that_is_missing_or_unknown_is_refused() {
    for file in hooks_conformance::fixture::FILES {
        let said = after(|folder| fs::remove_file(folder.join("stop/quiet").join(file)).unwrap());
        assert!(said.contains(&format!("stop/quiet/{file}: ")), "{said}");
    }
    for place in ["stop/quiet/effects.json", "stop/notes.txt"] {
        let said = after(|folder| fs::write(folder.join(place), "{}").unwrap());
        assert!(said.contains(place) && said.contains("nobody reads it"), "{said}");
    }
    let said = after(|folder| fs::create_dir(folder.join("stop/quiet/more")).unwrap());
    assert!(said.contains("nobody reads it"), "{said}");
    let said = after(|folder| fs::remove_dir_all(folder.join("stop/quiet")).unwrap());
    assert!(said.contains("there is no case"), "{said}");
}

#[test]
fn a_file_that_says_nothing_sensible_is_refused() {
    for text in ["", "zero", "0\n\n", "http", "http ok"] {
        let said = after(|folder| fs::write(folder.join("stop/quiet/exit"), text).unwrap());
        assert!(said.contains("is no end of a run"), "{text:?}: {said}");
    }
    let said = after(|folder| fs::write(folder.join("stop/quiet/expect.json"), r#"{"verdit":"deny"}"#).unwrap());
    assert!(said.contains("verdit"), "{said}");
}

#[test]
fn every_case_has_a_line_and_every_line_a_case() {
    let said = after(|folder| fs::create_dir(folder.join("stop/other")).unwrap());
    assert!(said.contains("add one for `stop/other`"), "{said}");
    let more = LINE.replace("quiet", "gone");
    for (line, wanted) in [
        (format!("{LINE}{more}"), "`stop/gone` has a line and no folder"),
        (format!("{LINE}{LINE}"), "two lines"),
        (LINE.replace("observed", "guessed"), "`guessed` is no evidence"),
        (LINE.replace("made up", ""), "is empty"),
        (LINE.replace("| made up ", ""), "has five cells"),
        (String::new(), "no table of cases"),
    ] {
        let said = read(vendor(&line).path()).unwrap_err();
        assert!(said.contains(wanted), "{line}: {said}");
    }
}
