//! Several paths, folders of projects, and files that are odd.

use super::{BROKEN, GOOD, NOT_REGEX, broken, codes, found};
use crate::support::Project;

#[test]
fn several_folders_and_files_are_checked_in_the_order_in_which_they_are_named() {
    let project = Project::new()
        .with("b/.cursor/hooks.json", BROKEN)
        .with("a/.cursor/hooks.json", BROKEN)
        .with("c/.cursor/hooks.json", BROKEN);
    let ran = project.run(&["check", "--json", "b", "a/.cursor/hooks.json"]).code(1);
    let files: Vec<String> = found(&ran).into_iter().map(|(_, file)| file).collect();
    assert_eq!(files, ["b/.cursor/hooks.json", "a/.cursor/hooks.json"]);
    // Once, however often it is named.
    let twice = project.run(&["check", "--json", "a/.cursor/hooks.json", "a/.cursor/hooks.json"]).code(1);
    assert_eq!(codes(&twice), [NOT_REGEX]);
}

#[test]
fn files_of_one_project_are_one_project() {
    let json = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}"#;
    let toml = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \":\"\n";
    let project = Project::new().with(".codex/hooks.json", json).with(".codex/config.toml", toml);
    let ran = project.run(&["check", "--json", ".codex/hooks.json", ".codex/config.toml"]);
    assert!(codes(&ran).contains(&"codex/two-documents-in-one-layer".to_owned()), "{}", ran.stdout);
}

#[test]
fn what_cannot_be_read_is_told_and_all_else_is_checked() {
    let project = broken();
    let ran = project.run(&["check", "--json", "nowhere", ".cursor/hooks.json"]).code(2);
    let ran = ran.complains("there is no `nowhere`");
    assert!(codes(&ran).contains(&NOT_REGEX.to_owned()));
    let ran = project.run(&["check", "nowhere", "neither"]).code(2).complains("`nowhere`").complains("`neither`");
    assert_eq!(ran.stdout, "", "where nothing is checked, nothing is reported");
    std::fs::create_dir_all(project.root().join("x/.codex/hooks.json")).unwrap();
    project.run(&["check", "x"]).code(1).says("it is a folder, not a file");
}

#[test]
fn every_project_below_a_folder_is_checked_and_what_is_passed_over_is_said() {
    let project = Project::new()
        .with("one/.cursor/hooks.json", BROKEN)
        .with("deep/er/two/.cursor/hooks.json", BROKEN)
        .with("plugin/.claude-plugin/plugin.json", "{}")
        .with("plugin/hooks/hooks.json", "{ broken")
        .with("site/config.toml", "not = [toml")
        .with("one/node_modules/x/.cursor/hooks.json", "{ broken");
    let ran = project.run(&["check", "--json", "--recursive"]).code(1).complains("passed over: one/node_modules");
    let mut files: Vec<String> = found(&ran).into_iter().map(|(_, file)| file).collect();
    files.dedup();
    assert_eq!(files, ["deep/er/two/.cursor/hooks.json", "one/.cursor/hooks.json", "plugin/hooks/hooks.json"]);
    let quiet = project.run(&["check", "-q", "--recursive"]).code(1);
    assert_eq!(quiet.stderr, "");
    let nothing = project.run(&["check", "--recursive", "site"]).code(0);
    nothing.says("There are no hook files below `site`.");
}

#[test]
fn plugins_skills_commands_and_agents_are_found_where_nobody_names_them() {
    let head = "---\nname: x\nhooks:\n  PreToolUse:\n    - matcher: \"Bash(\"\n      hooks: [{type: command, command: \"true\"}]\n---\n";
    let bad = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash(","hooks":[{"type":"command","command":"true"}]}]}}"#;
    let project = Project::new()
        .with("app/.claude/agents/a.md", head)
        .with("app/.claude/commands/c.md", head)
        .with("app/.claude/skills/s/SKILL.md", head)
        .with("app/.claude/agents/plain.md", "no head at all")
        .with("app/docs/agents/d.md", head)
        .with("plugin/.claude-plugin/plugin.json", r#"{"name":"plugin"}"#)
        .with("plugin/hooks/hooks.json", bad)
        .with("plugin/agents/b.md", "# hooks are not in a head here");
    let files = |ran: &crate::support::Ran| {
        let mut files: Vec<String> = found(ran).into_iter().map(|(_, file)| file).collect();
        files.dedup();
        files
    };
    let expected = [".claude/agents/a.md", ".claude/commands/c.md", ".claude/skills/s/SKILL.md"];
    let app = project.run(&["check", "--json", "app"]).code(1);
    assert_eq!(files(&app), expected);
    let plugin = project.run(&["check", "--json", "plugin"]).code(1);
    assert!(files(&plugin).contains(&"hooks/hooks.json".to_owned()), "{}", plugin.stdout);
    let all = project.run(&["check", "--json", "--recursive"]).code(1);
    let told = files(&all);
    for file in expected {
        assert!(told.contains(&format!("app/{file}")), "{file}: {}", all.stdout);
    }
    assert!(told.contains(&"plugin/hooks/hooks.json".to_owned()) && !told.iter().any(|it| it.contains("docs")));
    let folder = project.run(&["check", "app/.claude"]).code(0);
    folder.says("name the folder above it");
}

#[test]
fn a_thousand_projects_in_one_call_are_told_of_in_order() {
    let mut project = Project::new();
    for at in 0..1_000 {
        project = project.with(&format!("p{at:03}/.cursor/hooks.json"), if at % 10 == 0 { BROKEN } else { GOOD });
    }
    let ran = project.run(&["check", "--json", "--recursive"]).code(1);
    let files: Vec<String> = found(&ran).into_iter().map(|(_, file)| file).collect();
    let expected: Vec<String> = (0..1_000).step_by(10).map(|at| format!("p{at:03}/.cursor/hooks.json")).collect();
    assert_eq!(files, expected);
    assert_eq!(ran.json()["files"], 1_000);
}

#[test]
fn line_ends_of_windows_change_no_place() {
    let text = "{\r\n  \"version\": 1,\r\n  \"hooks\": {\r\n    \"preToolUse\": [\r\n      { \"command\": \"true\", \"matcher\": \"Shell(\" }\r\n    ]\r\n  }\r\n}\r\n";
    let project = Project::new().with(".cursor/hooks.json", text);
    let told = project.run(&["check", "--json"]).code(1).json();
    let told = &told["diagnostics"][0];
    assert_eq!((told["line"].as_u64(), told["column"].as_u64()), (Some(5), Some(39)), "{told}");
    let drawn = project.run(&["check"]).code(1);
    assert!(!drawn.stdout.contains('\r'), "{:?}", drawn.stdout);
}

#[cfg(unix)]
#[test]
fn a_link_is_checked_where_it_stands() {
    let project = Project::new().with("real.json", BROKEN).with(".cursor/.keep", "");
    std::os::unix::fs::symlink("../real.json", project.root().join(".cursor/hooks.json")).unwrap();
    let ran = project.run(&["check", "--json"]).code(1);
    assert!(found(&ran).contains(&(NOT_REGEX.to_owned(), ".cursor/hooks.json".to_owned())), "{}", ran.stdout);
    let ran = project.run(&["check", "--json", "--recursive"]).code(1);
    assert!(found(&ran).contains(&(NOT_REGEX.to_owned(), ".cursor/hooks.json".to_owned())), "{}", ran.stdout);
}
