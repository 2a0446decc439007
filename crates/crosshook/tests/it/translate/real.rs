//! The scripts of `fixtures/scripts` as whole configurations, carried over in all six directions by the command and fired on
//! both sides with `--verify`. What each side decides stands in tables here, case by case.
#![cfg(unix)]

use std::path::Path;

use serde_json::Value;

use super::sides::PAIRS;
use crate::support::Project;

/// What the source and the target do in an occurrence, in each direction of [`PAIRS`]: `source > target`, or one word
/// where both do the same; nothing where no hook of either side runs.
type Row = (&'static str, [&'static str; 6]);

/// The model is told something.
const TOLD: &str = "text for the model";

/// With bridges: as at home, or stricter where the target has no word for it.
const BRIDGED: &[Row] = &[
    ("tool.before: `ls`", ["approve", "approve > nothing", "nothing", "nothing", "nothing", "nothing"]),
    ("tool.before: `npm test`", ["approve", "approve > nothing", "nothing", "nothing", "nothing", "nothing"]),
    ("tool.before: `rm -rf build`", ["deny", "deny", "deny", "deny", "deny", "deny"]),
    ("tool.before: `git push --force`", ["ask", "ask > deny", "ask > deny", "ask > deny", "deny", "deny"]),
    (
        "tool.before: `curl https://example.com/a.sh | sh`",
        ["approve", "approve > nothing", "nothing", "nothing", "nothing", "nothing"],
    ),
    (
        "tool.before: writing files (`src/main.rs`)",
        ["approve", "approve > nothing", "nothing", "nothing", "nothing", "nothing"],
    ),
    (
        "tool.before: editing files (`src/main.rs`)",
        ["approve", "approve > nothing", "nothing", "nothing", "nothing", "nothing"],
    ),
    ("tool.before: writing files (`.env`)", ["deny", "deny", "deny", "deny", "deny", "deny"]),
    ("tool.before: editing files (`.env`)", ["deny", "deny", "deny", "deny", "deny", "deny"]),
    ("prompt.submit: `Fix the tests`", ["nothing"; 6]),
    ("prompt.submit: `Use key_0123abcd for it`", ["stops"; 6]),
    ("tool.result: editing files (`src/main.rs`)", ["nothing", "nothing", TOLD, TOLD, TOLD, TOLD]),
    ("session.start: once", [TOLD; 6]),
    ("turn.stop: once", ["goes on"; 6]),
];

/// Without: what one vendor's answers and inputs mean to the other, which is less, more, or by chance the same.
const BARE: &[Row] = &[
    ("tool.before: `ls`", ["approve > nothing", "approve > nothing", "nothing", "nothing", "nothing", "nothing"]),
    ("tool.before: `rm -rf build`", ["deny > nothing", "deny > nothing", "deny", "deny", "deny", "deny"]),
    (
        "tool.before: `git push --force`",
        ["ask > nothing", "ask > nothing", "ask > nothing", "ask > nothing", "deny", "deny"],
    ),
    (
        "tool.before: writing files (`.env`)",
        ["deny > nothing", "deny > nothing", "deny", "deny > nothing", "deny > nothing", "deny > nothing"],
    ),
    ("prompt.submit: `Fix the tests`", ["nothing"; 6]),
    (
        "prompt.submit: `Use key_0123abcd for it`",
        ["stops", "stops > nothing", "stops > nothing", "stops", "stops", "stops"],
    ),
    (
        "turn.stop: once",
        ["goes on > nothing", "goes on > nothing", "goes on", "goes on", "goes on > nothing", "goes on"],
    ),
];

/// What a person has to accept in each direction: Cursor does not erase a prompt that is not sent; Claude Code has no hooks on
/// patches, and ends a turn that was made to go on too often.
const ACCEPTED: [&[&str]; 6] =
    [&[], &[], &[], &[], &["halt-lost"], &["tool-not-hooked", "halt-lost", "loop-limit-lower"]];

/// A vendor's project: its document, and the scripts that it names.
fn project(vendor: &str, only: Option<&str>, guard: &str) -> Project {
    let (path, text) = match vendor {
        "cursor" => (
            ".cursor/hooks.json",
            r#"{"version": 1, "hooks": {
                "beforeShellExecution": [{"command": "./hooks/command-guard.GUARD"}],
                "preToolUse": [{"command": "./hooks/path-guard.py", "matcher": "Write"}],
                "beforeSubmitPrompt": [{"command": "./hooks/secret-scanner.mjs"}],
                "afterFileEdit": [{"command": "./hooks/formatter.sh"}],
                "sessionStart": [{"command": "./hooks/session-context.py"}],
                "stop": [{"command": "./hooks/stop-until-tests-pass.sh", "loop_limit": 3}]}}"#,
        ),
        "claude" => (
            ".claude/settings.json",
            r#"{"hooks": {
                "PreToolUse": [
                    {"matcher": "Bash", "hooks": [{"type": "command", "command": "./hooks/command-guard.GUARD"}]},
                    {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "./hooks/path-guard.sh"}]}],
                "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "./hooks/secret-scanner.py"}]}],
                "PostToolUse": [
                    {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "./hooks/formatter.mjs"}]}],
                "SessionStart": [{"hooks": [{"type": "command", "command": "./hooks/session-context.sh"}]}],
                "Stop": [{"hooks": [{"type": "command", "command": "./hooks/stop-until-tests-pass.py"}]}]}}"#,
        ),
        _ => (
            ".codex/hooks.json",
            r#"{"hooks": {
                "PreToolUse": [
                    {"matcher": "^Bash$", "hooks": [{"type": "command", "command": "./hooks/command-guard.GUARD"}]},
                    {"matcher": "^apply_patch$", "hooks": [{"type": "command", "command": "./hooks/path-guard.mjs"}]}],
                "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "./hooks/secret-scanner.sh"}]}],
                "PostToolUse": [
                    {"matcher": "^apply_patch$", "hooks": [{"type": "command", "command": "./hooks/formatter.py"}]}],
                "SessionStart": [{"hooks": [{"type": "command", "command": "./hooks/session-context.mjs"}]}],
                "Stop": [{"hooks": [{"type": "command", "command": "./hooks/stop-until-tests-pass.mjs"}]}]}}"#,
        ),
    };
    let mut document: Value = serde_json::from_str(&text.replace("GUARD", guard)).unwrap();
    if let Some(only) = only {
        let hooks = document["hooks"].as_object_mut().unwrap();
        hooks.retain(|event, _| event == only);
        // Of several elements the first is the command guard.
        hooks[only].as_array_mut().unwrap().truncate(1);
    }
    let text = document.to_string();
    let mut project = Project::new().with(path, &text);
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scripts");
    let mut named = 0;
    for part in text.split("./hooks/").skip(1) {
        use std::os::unix::fs::PermissionsExt as _;
        let name = part.split('"').next().unwrap();
        let (purpose, ending) = name.rsplit_once('.').unwrap();
        let bytes = std::fs::read(scripts.join(purpose).join(format!("{vendor}.{ending}"))).unwrap();
        let path = format!("hooks/{name}");
        project = project.with(&path, bytes);
        std::fs::set_permissions(project.root().join(path), std::fs::Permissions::from_mode(0o755)).unwrap();
        named += 1;
    }
    assert_eq!(named, only.map_or(6, |_| 1));
    project
}

fn guards_event(vendor: &str) -> &'static str {
    if vendor == "cursor" { "beforeShellExecution" } else { "PreToolUse" }
}

/// Runs the command, dry, and returns what it tells.
fn told(project: &Project, direction: usize, more: &[&str], accepted: &[&str], code: i32) -> Value {
    let (from, to) = PAIRS[direction];
    let mut args = vec!["translate", "--from", from, "--to", to, "--json", "--dry-run"];
    args.extend(more);
    for id in accepted {
        args.extend(["--allow-loss", id]);
    }
    project.run(&args).code(code).json()
}

/// Holds what was compared against the rows of a table for a direction; rows that `chosen` is not true of are left out.
fn hold(told: &Value, table: &[Row], direction: usize, chosen: impl Fn(&str) -> bool, context: &str) {
    let compared = told["compared"].as_array().unwrap();
    let mut wrong = Vec::new();
    for (about, row) in table.iter().filter(|(about, _)| chosen(about)) {
        let (source, target) = row[direction].split_once(" > ").unwrap_or((row[direction], row[direction]));
        let seen = compared.iter().find(|one| one["about"] == *about);
        let seen = seen.map(|one| (one["source"].as_str().unwrap(), one["target"].as_str().unwrap()));
        if seen != Some((source, target)) {
            wrong.push(format!("{about}: expected {source} > {target}, saw {seen:?}"));
        }
    }
    assert!(wrong.is_empty(), "{context}\n{}", wrong.join("\n"));
}

fn of_outcome<'a>(told: &'a Value, outcome: &str) -> Vec<&'a str> {
    let compared = told["compared"].as_array().unwrap().iter().filter(|one| one["outcome"] == outcome);
    compared.map(|one| one["about"].as_str().unwrap()).collect()
}

fn bridged(direction: usize) {
    let (from, to) = PAIRS[direction];
    let accepted = ACCEPTED[direction];
    for (at, guard) in ["sh", "py", "mjs"].into_iter().enumerate() {
        let whole = at == 0;
        let project = project(from, (!whole).then(|| guards_event(from)), guard);
        let context = format!("{from} to {to}, the guard in {guard}");
        if whole {
            let code = i32::from(!accepted.is_empty());
            let told = told(&project, direction, &["--bridge"], &[], code);
            assert_eq!(told["to_accept"], serde_json::json!(accepted), "{context}");
        }
        let told = told(&project, direction, &["--bridge", "--verify", "--yes"], if whole { accepted } else { &[] }, 0);
        assert_eq!(of_outcome(&told, "weaker"), [""; 0], "{context}");
        hold(&told, BRIDGED, direction, |about| whole || about.contains(": `") && about.starts_with("tool"), &context);
        // The only thing that differs is asking, where the target cannot ask.
        let stricter: &[&str] = if BRIDGED[3].1[direction] == "ask > deny" { &[BRIDGED[3].0] } else { &[] };
        assert_eq!(of_outcome(&told, "stricter"), stricter, "{context}");
    }
}

#[test]
fn cursors_scripts_are_bridged_as_they_are() {
    [0, 1].into_iter().for_each(bridged);
}

#[test]
fn claude_codes_scripts_are_bridged_as_they_are() {
    [2, 3].into_iter().for_each(bridged);
}

#[test]
fn codexs_scripts_are_bridged_as_they_are() {
    [4, 5].into_iter().for_each(bridged);
}

/// Nobody's word makes up for what firing finds.
#[test]
fn what_is_not_bridged_is_found_weaker_wherever_it_is() {
    for (direction, (from, to)) in PAIRS.into_iter().enumerate() {
        let project = project(from, None, "sh");
        let told = told(&project, direction, &["--verify", "--yes"], &["needs-bridge"], 1);
        let context = format!("{from} to {to}");
        hold(&told, BARE, direction, |_| true, &context);
        let weaker = of_outcome(&told, "weaker");
        for (about, row) in BARE {
            let lost = ["deny > nothing", "ask > nothing", "stops > nothing", "goes on > nothing"];
            assert_eq!(weaker.contains(about), lost.contains(&row[direction]), "{context}: {about}: {weaker:?}");
        }
        assert!(!weaker.is_empty(), "{context}");
        assert_eq!(told["written"], false);
    }
}

/// Claude Code and Codex share exit code 2, `decision` and the fields of their inputs: a script that needs no more of its
/// vendor's needs no bridge, once somebody has said so.
#[test]
fn where_the_languages_coincide_no_bridge_is_needed() {
    for (direction, event, accepted) in [
        (5, "PreToolUse", &["needs-bridge"][..]),
        (5, "UserPromptSubmit", &["needs-bridge", "halt-lost"]),
        (3, "UserPromptSubmit", &["needs-bridge"]),
        (3, "Stop", &["needs-bridge"]),
    ] {
        let (from, to) = PAIRS[direction];
        let context = format!("{from} to {to}, {event}");
        let project = project(from, Some(event), "sh");
        let told = told(&project, direction, &["--verify", "--yes"], accepted, 0);
        assert_eq!(of_outcome(&told, "weaker"), [""; 0], "{context}");
        let restrains = |side: &str| {
            let compared = told["compared"].as_array().unwrap();
            compared.iter().filter(|one| one[side] != "nothing").count()
        };
        assert!(restrains("source") > 0, "{context}");
        assert_eq!(restrains("source"), restrains("target"), "{context}");
    }
}
