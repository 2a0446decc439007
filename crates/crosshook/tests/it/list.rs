//! `list`: which files are found, and what is said of their hooks.

use snapbox::{assert_data_eq, str};

use crate::support::Project;

fn three() -> Project {
    Project::new()
        .with(
            ".cursor/hooks.json",
            "{\n  \"version\": 1,\n  \"hooks\": {\n    \"beforeShellExecution\": [{ \"command\": \"./guard.sh\", \"matcher\": \"rm \" }]\n  }\n}\n",
        )
        .with(
            ".claude/settings.json",
            "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"./guard.sh\" }] }\n    ],\n    \"Stop\": [{ \"matcher\": \"x\", \"hooks\": [{ \"type\": \"command\", \"command\": \"make test\" }] }]\n  }\n}\n",
        )
        .with(
            ".codex/hooks.json",
            "{\n  \"hooks\": {\n    \"PreToolUse\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"./guard.sh\" }] }]\n  }\n}\n",
        )
}

#[test]
fn hooks_stand_by_boundary_in_columns() {
    let ran = three().run(&["list"]).code(0);
    assert_data_eq!(
        ran.stdout,
        str![[r#"
tool.before  A tool call is about to run.
  cursor  beforeShellExecution  rm                                   live
          ./guard.sh                                        .cursor/hooks.json:4
  claude  PreToolUse            Bash                                 live
          ./guard.sh                                     .claude/settings.json:4
  codex   PreToolUse            any                                  live
          ./guard.sh                                         .codex/hooks.json:3

turn.stop  The agent has answered and is about to stop.
  claude  Stop                  any (`x` is ignored)                 live
          make test                                      .claude/settings.json:6

...
"#]]
    );
}

#[test]
fn what_never_runs_is_no_live_hook() {
    let text = r#"{"hooks":{"PreToolUse":[
        {"matcher":"(?i)bash","hooks":[{"type":"command","command":"a"}]},
        {"matcher":"Bash","hooks":[{"type":"command","command":"b","if":"Bash(git *)"}]}]}}"#;
    let ran = Project::new().with(".claude/settings.json", text).run(&["list"]).code(0);
    let states: Vec<_> = ran.stdout.lines().filter(|line| line.contains("PreToolUse")).collect();
    assert!(states[0].contains("(?i)bash") && states[0].ends_with("never"), "{}", ran.stdout);
    assert!(states[1].contains("Bash, if Bash(git *)") && states[1].ends_with("live"), "{}", ran.stdout);
}

#[test]
fn a_vendor_can_be_picked() {
    let document = three().run(&["list", "--json", "--vendor", "codex"]).code(0).json();
    let vendors: Vec<_> = document["definitions"].as_array().unwrap().iter().map(|it| &it["vendor"]).collect();
    assert_eq!(vendors, ["codex"]);
}

#[test]
fn another_vendors_file_is_listed_once() {
    let document = three().run(&["list", "--json"]).code(0).json();
    let files: Vec<_> = document["files"].as_array().unwrap().iter().map(|it| it["vendor"].as_str().unwrap()).collect();
    assert_eq!(files, ["cursor", "claude", "codex"]);
    // Alone, Cursor reads Claude's file too.
    let document = three().run(&["list", "--json", "--vendor", "cursor"]).code(0).json();
    assert_eq!(document["files"].as_array().unwrap().len(), 2);
}

#[test]
fn the_home_folder_is_read_only_when_asked() {
    let project = three();
    let file = project.home().join(".claude/settings.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}"#;
    std::fs::write(&file, text).unwrap();
    assert!(!project.run(&["list"]).code(0).stdout.contains("mine"));
    project.run(&["list", "--home"]).code(0).says("mine").says("~/.claude/settings.json:1");
    let other = Project::new();
    assert!(!other.run(&["list", "--home"]).code(0).stdout.contains("mine"));
    other.run(&["list", &format!("--home={}", project.home().display())]).code(0).says("mine");
}

#[test]
fn one_file_is_told_by_its_place() {
    let project = three()
        .with("plug/hooks/hooks.json", r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"p"}]}]}}"#)
        .with("elsewhere/config.toml", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"t\"\n");
    for (path, vendor) in [
        (".cursor/hooks.json", "cursor"),
        (".claude/settings.json", "claude"),
        (".codex/hooks.json", "codex"),
        ("plug/hooks/hooks.json", "claude"),
        ("elsewhere/config.toml", "codex"),
    ] {
        let document = project.run(&["list", path, "--json"]).code(0).json();
        assert_eq!(document["files"][0]["vendor"], vendor, "{path}");
        assert_ne!(document["definitions"].as_array().unwrap().len(), 0, "{path}");
    }
}

#[test]
fn json_stands_alone_and_colour_only_where_it_is_wanted() {
    let project = three();
    assert!(!project.run(&["list"]).stdout.contains('\u{1b}'));
    assert!(project.run(&["list", "--color", "always"]).stdout.contains('\u{1b}'));
    let ran = project.run(&["list", "--json", "--color", "always"]);
    assert!(!ran.stdout.contains('\u{1b}') && ran.stderr.is_empty());
    ran.json();
}

#[test]
fn json_is_safe_on_a_terminal_and_loses_nothing() {
    let command = "echo \u{9b}31m\u{202e}x";
    let text = format!(r#"{{"version":1,"hooks":{{"stop":[{{"command":"{command}"}}]}}}}"#);
    let project = Project::new().with(".cursor/hooks.json", &text);
    let ran = project.run(&["list", "--json"]).code(0);
    assert!(!ran.stdout.chars().any(hooks_core::text::is_unsafe_to_show), "{}", ran.stdout);
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert!(value.to_string().contains(command), "{value}");
}
