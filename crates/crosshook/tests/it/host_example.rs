//! The example host: it picks its format when it starts, and obeys.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Project, Ran};

/// The example's program; built here where only this test was asked for.
fn host() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap();
    let program = folder.join("examples").join(format!("host{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let mut build = Command::new(env!("CARGO"));
        build
            .args(["build", "--package", "crosshook", "--example", "host", "--target-dir"])
            .arg(folder.parent().unwrap());
        if folder.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
    }
    program
}

fn run(project: &Project, args: &[&str]) -> Ran {
    Ran::of(Command::new(host()).args(args).current_dir(project.root()).output().unwrap())
}

#[test]
fn the_built_in_guard_denies_in_every_format() {
    let project = Project::new();
    for vendor in crosshook::VENDORS {
        let ran = run(&project, &[vendor]).code(0);
        let ran = ran.says("-> sent to the model").says("-> not run").says("-> runs: ls").says("-> the turn ends");
        assert_eq!(ran.stdout.matches("-> not run").count(), 1, "{vendor}: {}", ran.stdout);
    }
}

#[test]
fn it_obeys_what_a_configuration_decides() {
    let text = r#"{"hooks":{
        "UserPromptSubmit":[{"hooks":[{"type":"command","command":"echo 'not now' >&2; exit 2"}]}],
        "Stop":[{"hooks":[{"type":"command","command":"grep -q '\"stop_hook_active\":true' || { echo 'run the tests' >&2; exit 2; }"}]}]}}"#;
    let project = Project::new().with("settings.json", text);
    for vendor in ["claude", "codex"] {
        run(&project, &[vendor, "settings.json"])
            .code(0)
            .says("-> not sent: ")
            .says("not now")
            .says("-> not run: this host's own rules do not allow it")
            .says("-> goes on: ")
            .says("run the tests")
            .says("-> the turn ends");
    }
}

/// What lasts beyond one firing: variables for later commands, and hooks in the background.
#[test]
fn it_keeps_what_a_session_keeps() {
    let text = r#"{"hooks":{
        "SessionStart":[{"hooks":[{"type":"command","command":"echo 'export A=b' >>\"$CLAUDE_ENV_FILE\""}]}],
        "UserPromptSubmit":[{"hooks":[{"type":"command","command":"exec sleep 60","async":true}]}]}}"#;
    let project = Project::new().with("settings.json", text);
    run(&project, &["claude", "settings.json"])
        .code(0)
        .says("-> sent to the model")
        .says("-> runs: ls\n     after: export A=b")
        .says("(ended with the session: exec sleep 60)");
}

#[test]
fn a_wrong_name_is_told() {
    let ran = run(&Project::new(), &["emacs"]);
    assert_eq!(ran.code, 1);
    ran.complains("cursor, claude, codex");
}
