//! An editor's text that is not saved yet.

use std::io::Write as _;
use std::process::Stdio;

use super::{BROKEN, GOOD, NOT_REGEX, codes, found};
use crate::support::{Project, Ran, command};

fn run(project: &Project, args: &[&str], text: impl AsRef<[u8]>) -> Ran {
    let mut child = command(&project.root(), &project.home())
        .args([&["check", "--json", "--stdin"], args].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(text.as_ref());
    Ran::of(child.wait_with_output().unwrap())
}

#[test]
fn the_text_counts_and_not_the_file() {
    let project = Project::new().with(".cursor/hooks.json", GOOD);
    let ran = run(&project, &["--as", ".cursor/hooks.json"], BROKEN).code(1);
    assert!(found(&ran).contains(&(NOT_REGEX.to_owned(), ".cursor/hooks.json".to_owned())), "{}", ran.stdout);
    let project = Project::new().with(".cursor/hooks.json", BROKEN);
    assert_eq!(codes(&run(&project, &["--as", ".cursor/hooks.json"], GOOD).code(0)), [""; 0]);
    // A file that is not there yet, in a folder that is not there either.
    let ran = run(&Project::new(), &["--as", ".cursor/hooks.json", "--vendor", "cursor"], BROKEN).code(1);
    assert!(codes(&ran).contains(&NOT_REGEX.to_owned()));
}

#[test]
fn the_rest_of_the_project_is_read_and_not_told_of() {
    let json = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}"#;
    let toml = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \":\"\n";
    let project = Project::new().with(".codex/hooks.json", json).with(".cursor/hooks.json", BROKEN);
    let ran = run(&project, &["--as", ".codex/config.toml"], toml);
    let told = found(&ran);
    // Codex tells this of two files in one folder, so the other one was read.
    assert!(told.iter().any(|(code, _)| code == "codex/two-documents-in-one-layer"), "{told:?}");
    assert!(told.iter().all(|(_, file)| file == ".codex/config.toml"), "{told:?}");
}

#[test]
fn a_text_without_a_place_needs_a_format() {
    let project = Project::new();
    run(&project, &["--as", "my.json"], BROKEN).code(2).complains("--vendor");
    run(&project, &["--as", "my.json", "--vendor", "cursor"], BROKEN).code(1);
    run(&project, &[], BROKEN).code(2).complains("--as");
    project.run(&["check", "--as", "my.json"]).code(2).complains("--stdin");
    run(&project, &["--as", "my.json", "--vendor", "cursor", "--fix"], BROKEN).code(2);
}

#[test]
fn a_text_without_end_is_refused() {
    let project = Project::new();
    let text = vec![b' '; (8 << 20) + 2];
    run(&project, &["--as", ".cursor/hooks.json"], text).code(2).complains("bytes that are read");
}
