//! `crosshook translate` as a person runs it: what is written, what is said, and how it ends.

use serde_json::Value;

use crate::support::{Project, Ran};

const GUARD: &str =
    r#"{"version": 1, "hooks": {"beforeShellExecution": [{"command": "./guard.sh", "failClosed": true}]}}"#;

fn project() -> Project {
    Project::new().with(".cursor/hooks.json", GUARD)
}

fn read(project: &Project, path: &str) -> String {
    std::fs::read_to_string(project.root().join(path)).unwrap()
}

fn cursor_to(project: &Project, to: &str, more: &[&str]) -> Ran {
    let mut args = vec!["translate", "--from", "cursor", "--to", to];
    args.extend(more);
    project.run(&args)
}

#[test]
fn a_guard_that_would_be_lost_is_not_written() {
    let project = project();
    cursor_to(&project, "claude", &[]).code(1).says("needs-bridge").says("Nothing was written").says("--bridge");
    assert!(!project.root().join(".claude").exists());
    cursor_to(&project, "claude", &["--allow-loss", "needs-bridge"]).code(0).says("Written to .claude/settings.json");
    assert!(read(&project, ".claude/settings.json").contains("PreToolUse"));
}

#[test]
fn a_bridged_guard_is_written_once() {
    let project = project();
    cursor_to(&project, "codex", &["--bridge"]).code(0).says(".cursor/hooks.json:1").says("trusted");
    let once = read(&project, ".codex/hooks.json");
    assert!(once.contains("crosshook bridge --written-for cursor --host codex --event beforeShellExecution"), "{once}");
    cursor_to(&project, "codex", &["--bridge"]).code(0).says("there already").says("Nothing to write");
    assert_eq!(read(&project, ".codex/hooks.json"), once);
}

#[test]
fn what_is_in_the_target_stays_and_the_checker_has_nothing_against_what_was_added() {
    let before = "{\n    \"permissions\": {\"deny\": [\"Read(.env)\"]},\n    \"hooks\": {}\n}\n";
    let project = project().with(".claude/settings.json", before).with("guard.sh", "#!/bin/sh\n");
    cursor_to(&project, "claude", &["--bridge"]).code(0);
    let after = read(&project, ".claude/settings.json");
    assert!(after.starts_with("{\n    \"permissions\": {\"deny\": [\"Read(.env)\"]},\n    \"hooks\": {\n"), "{after}");
    let found = project.run(&["check", ".claude/settings.json", "--json"]).json();
    let errors: Vec<&Value> =
        found["diagnostics"].as_array().unwrap().iter().filter(|one| one["severity"] == "error").collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn a_script_that_another_project_has_not_is_a_loss() {
    let (project, other) = (project().with("guard.sh", "#!/bin/sh\nexit 2\n"), Project::new());
    let out = other.root().to_string_lossy().into_owned();
    let bridged = ["--bridge", "--out", &out];
    cursor_to(&project, "claude", &bridged)
        .code(1)
        .says("other-project")
        .says("`guard.sh`")
        .says("Nothing was written");
    assert!(!other.root().join(".claude").exists());
    let file = other.root().join(".claude/settings.json").to_string_lossy().into_owned();
    cursor_to(&project, "claude", &["--bridge", "--out", &file]).code(1).says("other-project");
    // What is there too is found there.
    let other = other.with("guard.sh", "#!/bin/sh\n");
    let out = other.root().to_string_lossy().into_owned();
    cursor_to(&project, "claude", &["--bridge", "--out", &out]).code(0).says("Written to");
}

#[test]
fn what_is_not_the_projects_is_not_carried_over_and_told() {
    let head = "---\nname: x\ndescription: y\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: \
                command\n          command: ${CLAUDE_SKILL_DIR}/guard.sh\n---\n";
    let hooks = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command",
        "command": "${CLAUDE_PLUGIN_ROOT}/guard.sh"}]}]}}"#;
    let skill = Project::new().with(".claude/skills/x/SKILL.md", head);
    let agent = Project::new().with(".claude/agents/x.md", head);
    let plugin = Project::new().with(".claude-plugin/plugin.json", r#"{"name": "x"}"#).with("hooks/hooks.json", hooks);
    for project in [skill, agent, plugin] {
        for to in ["cursor", "codex"] {
            let run = |more: &[&str]| {
                let mut args = vec!["translate", "--from", "claude", "--to", to, "--bridge"];
                args.extend(more);
                project.run(&args)
            };
            run(&[]).code(1).says("not-the-projects").says("Nothing was written");
            run(&["--allow-loss", "not-the-projects"]).code(0).says("no hook is carried over");
        }
    }
}

#[test]
fn a_tools_input_that_json_cannot_say_is_not_carried_over() {
    let text = "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n[[hooks.PreToolUse.hooks]]\ntype = \"mcp_tool\"\nserver = \
                \"s\"\ntool = \"t\"\ninput = { a = { since = 1979-05-27T07:32:00Z } }\n";
    let project = Project::new().with(".codex/config.toml", text);
    let ran = project.run(&["translate", "--from", "codex", "--to", "claude", "--allow-loss", "not-readable"]);
    ran.code(0).says("not-readable").says("a date, a time").says("no hook is carried over");
    project.run(&["translate", "--from", "codex", "--to", "claude"]).code(1).says("not-readable");
}

#[test]
fn a_bridge_that_no_hook_stands_for_any_more_is_told() {
    let project = project();
    let first = cursor_to(&project, "claude", &["--bridge", "--json"]).code(0).json();
    assert_eq!(first["behind"], serde_json::json!([]));
    let project = project.with(".cursor/hooks.json", GUARD.replace("guard.sh", "newer.sh"));
    let ran = cursor_to(&project, "claude", &["--bridge"]).code(0);
    ran.says("Left by an earlier translation").says(".claude/settings.json:7  ./guard.sh");
    let project = project.with(".cursor/hooks.json", r#"{"version": 1, "hooks": {}}"#);
    cursor_to(&project, "claude", &["--bridge"]).code(0).says("There are no hooks").says("./newer.sh");
    let project = project.with(".cursor/hooks.json", GUARD.replace("guard.sh", "newer.sh"));
    let again = cursor_to(&project, "claude", &["--bridge", "--json"]).code(0).json();
    assert_eq!(again["behind"].as_array().map(Vec::len), Some(1), "{again}");
    assert_eq!(again["behind"][0]["pointer"], "/hooks/PreToolUse/0/hooks/0");
}

#[test]
fn a_file_that_no_client_reads_is_told() {
    let project = project();
    let ran = cursor_to(&project, "claude", &["--bridge", "--out", "some/other.json"]).code(0);
    ran.says("some/other.json is no file that claude reads by itself").says(".claude/settings.json");
    let ran = cursor_to(&project, "claude", &["--bridge", "--out", ".claude/settings.local.json", "--json"]).code(0);
    assert_eq!(ran.json()["placed"], true);
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let project = project();
    let ran = cursor_to(&project, "claude", &["--bridge", "--dry-run"]).code(0);
    let ran = ran.says("+++ b/.claude/settings.json").says("+  \"hooks\": {").says("this is a dry run");
    assert!(!project.root().join(".claude").exists(), "{}", ran.stdout);
    cursor_to(&project, "claude", &["--dry-run"]).code(1);
}

#[test]
fn another_place_and_a_single_file_are_taken() {
    let project = project();
    cursor_to(&project, "claude", &["--bridge", ".cursor/hooks.json", "--out", "out/other.json"]).code(0);
    assert!(read(&project, "out/other.json").contains("PreToolUse"));
    std::fs::create_dir(project.root().join("copy")).unwrap();
    cursor_to(&project, "claude", &["--bridge", "--out", "copy"]).code(0);
    assert!(read(&project, "copy/.claude/settings.json").contains("PreToolUse"));
    cursor_to(&project, "claude", &["--bridge", "--out", "config.toml"]).code(2).complains("no JSON file");
}

#[test]
fn a_target_that_cannot_take_hooks_is_left_alone() {
    let broken = "{\n  \"hooks\": {} // mine\n}\n";
    let project = project().with(".claude/settings.json", broken);
    cursor_to(&project, "claude", &["--bridge"]).code(2).complains(".claude/settings.json:2:");
    assert_eq!(read(&project, ".claude/settings.json"), broken);
}

#[test]
fn wrong_arguments_say_what_to_write() {
    let project = project();
    cursor_to(&project, "cursor", &[]).code(2).complains("same vendor");
    cursor_to(&project, "claude", &["--allow-loss", "need-bridge"]).code(2).complains("needs-bridge");
    cursor_to(&project, "claude", &["--strict"]).code(2);
    Project::new().run(&["translate", "--from", "codex", "--to", "claude"]).code(0).says("There are no hooks of codex");
}

#[test]
fn lines_fit_a_narrow_terminal() {
    let more = r#"{"version": 1, "hooks": {
        "preToolUse": [{"command": "./a-long-name-of-a-script-that-goes-on.sh --and --many --arguments --of --its --own",
            "matcher": "^(?:Shell|Write|Read|Delete|Grep|Task|WebFetch|WebSearch)$"}],
        "subagentStart": [{"command": "./sub.sh"}], "workspaceOpen": [{"command": "./open.sh"}],
        "beforeReadFile": [{"command": "./read.sh"}]}}"#;
    let project = Project::new().with(".cursor/hooks.json", more);
    for to in ["claude", "codex"] {
        for args in [&[][..], &["--bridge"]] {
            let ran = cursor_to(&project, to, args);
            for line in ran.stdout.lines().filter(|line| !line.contains("--allow-loss")) {
                assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
            }
        }
    }
}

#[test]
fn programs_get_all_of_it_as_json() {
    let project = project();
    let told = cursor_to(&project, "claude", &["--json"]).code(1).json();
    assert_eq!(told["written"], false);
    assert_eq!(told["to_accept"], serde_json::json!(["needs-bridge"]));
    let hook = &told["hooks"][0];
    assert_eq!(hook["source"]["pointer"], "/hooks/beforeShellExecution/0");
    assert_eq!((&hook["source"]["line"], &hook["outcome"]), (&1.into(), &"needs-bridge".into()));
    let (start, end) =
        (hook["source"]["start"].as_u64().unwrap() as usize, hook["source"]["end"].as_u64().unwrap() as usize);
    assert!(GUARD[start..end].contains("./guard.sh"), "{}", &GUARD[start..end]);
    assert_eq!(hook["elements"][0]["event"], "PreToolUse");
    assert!(told["diff"].as_str().unwrap().contains("PreToolUse"));
}

#[test]
fn hooks_that_are_switched_off_stay_off() {
    let off = r#"{"disableAllHooks": true, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}"#;
    let project = Project::new().with(".claude/settings.json", off);
    project.run(&["translate", "--from", "claude", "--to", "codex", "--bridge"]).code(0).says("never-ran");
    assert!(!project.root().join(".codex").exists());
}

/// Whoever keeps two clients alike translates in both directions, again and again.
#[test]
fn what_was_carried_over_is_not_carried_back() {
    let project = project();
    cursor_to(&project, "claude", &["--bridge"]).code(0);
    let (cursor, claude) = (read(&project, ".cursor/hooks.json"), read(&project, ".claude/settings.json"));
    let back = ["translate", "--from", "claude", "--to", "cursor", "--bridge"];
    project.run(&back).code(0).says("came-from-target").says("Nothing to write");
    assert_eq!(read(&project, ".cursor/hooks.json"), cursor);
    cursor_to(&project, "claude", &["--bridge"]).code(0).says("Nothing to write");
    assert_eq!(read(&project, ".claude/settings.json"), claude);
    // Where the hook itself is gone, its bridge is all that there is.
    let gone = project.with(".cursor/hooks.json", r#"{"version": 1, "hooks": {}}"#);
    let told = gone.run(&["translate", "--from", "claude", "--to", "cursor", "--bridge", "--dry-run", "--json"]).json();
    assert_eq!(told["hooks"][0]["elements"].as_array().map(Vec::len), Some(1), "{told:#}");
}
