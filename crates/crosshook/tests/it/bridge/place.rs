//! Where a script's project is, for a session that stands in a folder below it.

use std::fs;

use hooks_core::envelope::Envelope;

use super::command::{CURSOR, DENIES, fire_script, project, shell};
use crate::support::Project;

const CLAUDE: &[&str] = &["--written-for", "claude", "--event", "PreToolUse"];
const DENIED: &str = "deny (no)";

/// A call in a session that was started in `at`, a folder of the project, and that stands in `deep` below that now.
fn call(project: &Project, at: &str) -> Envelope {
    let mut envelope = shell(project, "ls");
    let started = project.root().join(at);
    fs::create_dir_all(started.join("deep")).unwrap();
    let common = &mut envelope.common;
    common.cwd = started.join("deep").to_str().unwrap().to_owned();
    common.project_dir = Some(started.to_str().unwrap().to_owned());
    common.workspace_roots.clear();
    envelope
}

/// A repository with a script in it that blocks in a vendor's language.
fn repository(script: &str) -> Project {
    project(script).with(".git/HEAD", "ref: refs/heads/main\n")
}

/// What a client is asked to do about the call, with the script of a project named as its vendor's hooks name it.
fn decided(project: &Project, host: &str, at: &str, options: &[&str]) -> String {
    let (options, script) = if options.starts_with(CLAUDE) {
        // Claude Code runs hooks where the session stands, and says where the project is (hooks page, environment).
        ([options, &["--shell"]].concat(), "\"$CLAUDE_PROJECT_DIR\"/script")
    } else {
        // Cursor runs a project's hooks in the project's root (hooks page, configuration).
        (options.to_vec(), "./script")
    };
    fire_script(project, host, "PreToolUse", &call(project, at), &options, &[script]).0
}

const BLOCKS: &str = r#"#!/bin/sh
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'
"#;

#[test]
fn a_guard_is_found_from_a_folder_below_its_project() {
    for (host, options, script) in [("claude", CURSOR, DENIES), ("codex", CURSOR, DENIES), ("codex", CLAUDE, BLOCKS)] {
        assert_eq!(decided(&repository(script), host, "", options), DENIED, "{options:?} in {host}");
    }
}

#[test]
fn a_project_below_its_repositorys_root_is_named_or_has_the_hosts_hooks() {
    let moved = |script: &str| {
        let project = repository(script);
        fs::create_dir(project.root().join("app")).unwrap();
        fs::rename(project.root().join("script"), project.root().join("app/script")).unwrap();
        project
    };
    for (options, script) in [(CURSOR, DENIES), (CLAUDE, BLOCKS)] {
        let named = [options, &["--project", "app"]].concat();
        assert_eq!(decided(&moved(script), "codex", "app", &named), DENIED, "{named:?}");
        let project = moved(script).with("app/.codex/hooks.json", "{}");
        assert_eq!(decided(&project, "codex", "app", options), DENIED, "{options:?}");
    }
    // The client's own word counts more.
    let named = [CURSOR, &["--project", "elsewhere"]].concat();
    assert_eq!(decided(&moved(DENIES), "claude", "app", &named), DENIED);
}
