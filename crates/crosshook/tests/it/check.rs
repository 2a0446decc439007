//! `check`: what is told, and how it is drawn.

use crate::support::Project;

#[test]
fn a_fault_is_drawn_with_its_line_and_its_way_out() {
    let text = "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"matcher\": \"Bash(\", \"hooks\": [{ \"type\": \"command\", \"command\": \"./guard.sh\" }] }\n    ]\n  }\n}\n";
    let project = Project::new().with(".claude/settings.json", text);
    let ran = project.run(&["check"]).code(1);
    let ran = ran.says(".claude/settings.json:4:").says("Bash(").says("help: ").says("[claude/");
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 200), "{}", ran.stdout);
    let document = project.run(&["check", "--json"]).code(1).json();
    let told = &document["diagnostics"][0];
    assert_eq!(told["line"], 4);
    assert_eq!(told["pointer"], "/hooks/PreToolUse/0/matcher");
    assert!(told["code"].as_str().unwrap().starts_with("claude/"), "{told}");
}

#[test]
fn a_clean_project_is_told_in_one_line() {
    let command = r#"sh \"$CLAUDE_PROJECT_DIR\"/guard.sh"#;
    let text = format!(
        r#"{{"hooks":{{"PreToolUse":[{{"matcher":"Bash","hooks":[{{"type":"command","command":"{command}"}}]}}]}}}}"#
    );
    let project = Project::new().with(".claude/settings.json", text).with("guard.sh", "exit 0\n");
    let ran = project.run(&["check"]).code(0);
    assert_eq!(ran.stdout, "No problems in 1 file with 1 hook.\n");
}

#[test]
fn the_severity_that_fails_can_be_chosen() {
    // An unknown event: the vendor drops it, which is a warning at most for its reader.
    let project = Project::new().with(".codex/hooks.json", r#"{"hooks":{"preToolUse":[]}}"#);
    let document = project.run(&["check", "--json", "--fail-on", "info"]).code(1).json();
    let worst = if document["errors"] != 0 { "error" } else { "warning" };
    project.run(&["check", "--fail-on", worst]).code(1);
    if worst == "warning" {
        project.run(&["check", "--fail-on", "error"]).code(0);
    }
}

#[test]
fn two_documents_side_by_side_are_told_where_their_vendor_tells_it() {
    let json = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}"#;
    let toml = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \":\"\n";
    let project = Project::new().with(".codex/hooks.json", json);
    project.run(&["check"]).code(0);
    let project = project.with(".codex/config.toml", toml);
    let told = |ran: &serde_json::Value| -> Vec<String> {
        let codes = ran["diagnostics"].as_array().unwrap().iter();
        codes.map(|it| format!("{} {}", it["code"].as_str().unwrap(), it["path"].as_str().unwrap())).collect()
    };
    for command in ["check", "list"] {
        let ran = project.run(&[command, "--json"]);
        let [only] = &told(&ran.json())[..] else { panic!("one diagnostic: {}", ran.stdout) };
        assert!(only.starts_with("codex/two-documents-in-one-layer ") && only.ends_with("config.toml"), "{only}");
    }
    project.run(&["check"]).code(1).says("two-documents-in-one-layer").says("all of them run");
    project.run(&["check", "--vendor", "claude"]).code(0);
}

#[cfg(unix)]
#[test]
fn a_hook_file_that_leads_out_of_the_project_is_told() {
    let project = Project::new();
    std::fs::create_dir_all(project.root().join(".cursor")).unwrap();
    let outside = project.home().join("hooks.json");
    std::fs::write(&outside, r#"{"version":1,"hooks":{"stop":[{"command":"x"}]}}"#).unwrap();
    std::os::unix::fs::symlink(&outside, project.root().join(".cursor/hooks.json")).unwrap();
    project.run(&["check"]).code(1).says("runtime/leaves-root").says("home/hooks.json");
}

#[test]
fn a_file_that_cannot_be_read_is_told_and_the_others_are_checked() {
    let project = Project::new().with(".cursor/hooks.json", vec![b' '; (16 << 20) + 1]);
    std::fs::create_dir_all(project.root().join(".claude/settings.json")).unwrap();
    let ran = project.run(&["check"]).code(1);
    ran.says("it is a folder, not a file").says("bytes that are read");
}
