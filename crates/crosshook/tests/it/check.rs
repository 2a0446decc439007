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
    let text = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./guard.sh"}]}]}}"#;
    let project = Project::new().with(".claude/settings.json", text);
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
