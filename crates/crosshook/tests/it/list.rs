//! `list`: which files are found, and what is said of their hooks.

use snapbox::{assert_data_eq, str};

use crate::support::{Project, Ran, command, run};

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

#[test]
fn every_place_is_shown_with_what_is_there() {
    let project = three();
    std::fs::create_dir_all(project.root().join(".claude/settings.local.json")).unwrap();
    let ran = project.run(&["list", "--places"]).code(0);
    let line = |start: &str, path: &str| {
        let fits = |line: &&str| line.trim_start().starts_with(start) && line.contains(path);
        ran.stdout.lines().find(fits).unwrap_or_else(|| panic!("no {start} {path} in:\n{}", ran.stdout)).to_owned()
    };
    assert!(line("project", " .cursor/hooks.json").ends_with("  found"), "{}", ran.stdout);
    assert!(line("project", " .codex/config.toml").ends_with("  not there"), "{}", ran.stdout);
    assert!(line("user", "~/.cursor/hooks.json").ends_with("  not looked at"), "{}", ran.stdout);
    assert!(ran.stdout.contains("the home folder is not read"), "{}", ran.stdout);
    // Cursor's own reading of Claude's files comes before Claude's.
    assert!(line("project", " .claude/settings.json").ends_with("  left to its own vendor"), "{}", ran.stdout);
    let unreadable =
        ran.stdout.lines().skip_while(|line| *line != "claude").find(|line| line.contains("settings.local"));
    assert!(unreadable.unwrap().ends_with("  cannot be read"), "{}", ran.stdout);

    let document = project.run(&["list", "--places", "--json", "--home"]).code(0).json();
    let places = document["places"].as_array().unwrap();
    let state = |vendor: &str, end: &str| {
        let fits = |it: &&serde_json::Value| it["vendor"] == vendor && it["path"].as_str().unwrap().ends_with(end);
        places.iter().find(fits).map(|it| it["state"].as_str().unwrap()).unwrap_or("none")
    };
    assert_eq!(state("claude", "project/.claude/settings.json"), "found");
    assert_eq!(state("claude", "home/.claude/settings.json"), "absent");
    assert_eq!(state("claude", "project/.claude/settings.local.json"), "unreadable");
    assert_eq!(state("cursor", "project/.claude/settings.json"), "left");
    assert_eq!(state("codex", "etc/codex/requirements.toml"), "not-asked");

    let ran = project.run(&["list", "--places", ".cursor/hooks.json"]).code(0);
    assert!(ran.stdout.contains("one file"), "{}", ran.stdout);
}

/// What the command prints on a terminal of 60 columns, without words that are longer than a line.
fn narrow(project: &Project, args: &[&str]) -> String {
    let output = command(&project.root(), &project.home()).env("COLUMNS", "60").args(args).output().unwrap();
    let ran = Ran::of(output).code(0);
    for line in ran.stdout.lines() {
        let is_one_word = line.split_whitespace().filter(|word| word.len() > 8).count() == 1 && line.len() > 60;
        assert!(line.chars().count() <= 60 || is_one_word, "{line}\n\n{}", ran.stdout);
    }
    ran.stdout
}

#[test]
fn a_narrow_terminal_breaks_no_line_by_itself() {
    let nothing = narrow(&Project::new(), &["list"]);
    assert!(nothing.lines().count() > 3 && nothing.contains("--system look in more"), "{nothing}");
    assert_eq!(nothing, narrow(&Project::new(), &["check"]));
    let live = narrow(&three(), &["list"]);
    assert!(live.replace('\n', " ").contains("live: runs when it matches, once the project is trusted in"), "{live}");

    let path = "machine/etc/claude-code/managed-settings.d/10-more.json";
    let mac = "machine/Library/Application Support/ClaudeCode/managed-settings.d/10-more.json";
    let project = Project::new().with(path, "{}").with(mac, "{}");
    let system = format!("--system={}", project.root().join("machine").display());
    let places = narrow(&project, &["list", "--places", &system]);
    let path = if cfg!(target_os = "macos") { mac } else { path };
    let mut lines = places.lines().skip_while(|line| !line.ends_with(path));
    assert_eq!(lines.next(), Some(&*format!("  managed   {path}")), "{places}");
    // The state stands in the column that it has on other lines.
    assert_eq!(lines.next(), Some(&*format!("{:>60}", "found")), "{places}");
    let short = places.lines().find(|line| line.contains(".cursor/hooks.json") && line.ends_with("not there")).unwrap();
    assert_eq!(short.chars().count(), 60, "{places}");
}

#[test]
fn machine_wide_files_are_read_only_when_asked() {
    let hook =
        |name: &str| format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{{"type":"command","command":"{name}"}}]}}]}}}}"#);
    let project = Project::new()
        .with(".claude/settings.json", hook("projects"))
        .with("machine/etc/claude-code/managed-settings.json", r#"{"allowManagedHooksOnly":true}"#)
        .with("machine/etc/claude-code/managed-settings.d/10-more.json", hook("managed"))
        .with(
            "machine/Library/Application Support/ClaudeCode/managed-settings.json",
            r#"{"allowManagedHooksOnly":true}"#,
        )
        .with("machine/Library/Application Support/ClaudeCode/managed-settings.d/10-more.json", hook("managed"));
    let states = |args: &[&str]| -> Vec<(String, String)> {
        let document = project.run(args).code(0).json();
        let definitions = document["definitions"].as_array().unwrap().iter();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        definitions.map(|it| (text(&it["label"]), text(&it["state"]))).collect()
    };
    let pair = |label: &str, state: &str| (label.to_owned(), state.to_owned());
    assert_eq!(states(&["list", "--json"]), [pair("projects", "live")]);
    // The organisation's switch turns off the project's, and its own stay.
    let system = format!("--system={}", project.root().join("machine").display());
    assert_eq!(states(&["list", "--json", &system]), [pair("projects", "disabled"), pair("managed", "live")]);
}

/// Codex, section 6: a handler that nobody trusted is listed and does not run. The record stands in the home folder.
#[test]
fn the_vendors_own_record_of_trust_counts_where_it_is_read() {
    let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}"#;
    let project = Project::new();
    let file = project.home().join(".codex/hooks.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    project.run(&["list", "--home"]).code(0).says("untrusted").says("the vendor's own record");
    // Claude Code keeps no such record.
    let file = project.home().join(".claude/settings.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    let ran = project.run(&["list", "--home", "--vendor", "claude"]).code(0).says("live");
    assert!(!ran.stdout.contains("untrusted"), "{}", ran.stdout);
}

#[test]
fn a_folder_above_that_has_hook_files_is_named() {
    let project = Project::new().with(".git/HEAD", "ref: refs/heads/main\n").with(".cursor/hooks.json", "{}");
    let project = project.with("app/src/main.rs", "");
    for command in ["check", "list"] {
        let deep = project.root().join("app/src");
        run(&deep, &project.home(), &[command]).code(0).says("A folder above has such files: name `../..`.");
        project.run(&[command, "app"]).code(0).says("name `app/..`.");
    }
    // Beyond the repository nobody looks.
    let project = Project::new().with(".cursor/hooks.json", "{}").with("app/.git/HEAD", "ref: refs/heads/main\n");
    assert!(!project.run(&["check", "app"]).code(0).stdout.contains("above"));
}
