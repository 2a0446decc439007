//! `trust`: what is asked, what is written, and what is said when a hook is not what it was.

use crate::support::{Project, guarded};

const CLAUDE: &str = ".claude/settings.json";

fn diff(project: &Project, code: i32) -> Vec<String> {
    let document = project.run(&["trust", "diff", "--json"]).code(code).json();
    let hooks = document["hooks"].as_array().unwrap().iter();
    hooks.map(|hook| hook["standing"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn nothing_is_trusted_without_a_yes() {
    let project = guarded("claude", "true\n", "");
    project.run(&["trust", "add"]).code(3).says("sh guard.sh").says("Nothing was added");
    assert!(!project.home().join(".local").exists());
    project.run(&["trust", "list"]).code(0).says("Nothing is trusted");
    assert_eq!(diff(&project, 1), ["unknown"]);
    project.run(&["trust", "diff"]).code(1).says("1 of 1 do not run");
}

#[test]
fn what_was_trusted_is_listed_until_it_changes_or_is_removed() {
    let project = guarded("claude", "true\n", "");
    project.run(&["trust", "add", "--yes"]).code(0).says("Trusted this hook");
    let store = project.home().join(".local/state/crosshook/trust.json");
    assert!(store.is_file());
    project.run(&["trust", "list"]).code(0).says("PreToolUse[0][0]").says("sh guard.sh");
    project.run(&["trust", "diff"]).code(0).says("All of them are trusted.");
    project.run(&["trust", "add", "--yes"]).code(0).says("Nothing to add");
    // Trust does not cover the script unless that is asked for.
    std::fs::write(project.root().join("guard.sh"), "false\n").unwrap();
    assert_eq!(diff(&project, 0), ["trusted"]);

    let file = project.root().join(CLAUDE);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("sh guard.sh", "sh other.sh")).unwrap();
    project.run(&["trust", "diff"]).code(1).says("changed").says(r#"was: command "sh guard.sh""#);
    std::fs::write(&file, "{}").unwrap();
    project.run(&["trust", "diff"]).code(0).says("gone");
    std::fs::write(&file, &text).unwrap();
    project.run(&["trust", "remove"]).code(0).says("1 hook is no longer trusted.");
    assert_eq!(diff(&project, 1), ["unknown"]);
}

#[test]
fn what_moves_up_into_the_place_of_another_does_not_hide_that_it_is_gone() {
    let hook = |name: &str| format!(r#"{{"type":"command","command":"echo {name}"}}"#);
    let document = |hooks: &[String]| format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{}]}}]}}}}"#, hooks.join(","));
    let project = Project::new().with(CLAUDE, document(&[hook("one"), hook("two")]));
    project.run(&["trust", "add", "--yes"]).code(0).says("Trusted these 2 hooks");
    std::fs::write(project.root().join(CLAUDE), document(&[hook("two")])).unwrap();
    let told = project.run(&["trust", "diff", "--json"]).code(0).json();
    assert_eq!((&told["hooks"][0]["standing"], told["gone"].as_array().unwrap().len()), (&"trusted".into(), 1));
    assert!(told["gone"][0]["text"].as_str().unwrap().contains("echo one"), "{told}");
}

#[test]
fn the_trust_in_a_project_that_is_gone_can_be_removed() {
    let project = guarded("claude", "true\n", "");
    project.run(&["trust", "add", "--yes"]).code(0);
    std::fs::rename(project.root().join(".claude"), project.root().join("elsewhere")).unwrap();
    project.run(&["trust", "remove", "../project/.claude"]).code(0).says("1 hook is no longer trusted.");
}

#[test]
fn scripts_are_covered_when_asked_and_a_moved_project_is_named() {
    let project = guarded("cursor", "true\n", "");
    project.run(&["trust", "add", "--yes", "--scripts"]).code(0).says("and what guard.sh holds");
    assert_eq!(diff(&project, 0), ["trusted"]);
    std::fs::write(project.root().join("guard.sh"), "false\n").unwrap();
    project.run(&["trust", "diff"]).code(1).says("script changed").says("guard.sh is not what it was");

    let moved = Project::new();
    std::fs::create_dir_all(moved.root().join(".cursor")).unwrap();
    std::fs::copy(project.root().join(".cursor/hooks.json"), moved.root().join(".cursor/hooks.json")).unwrap();
    let store = project.home().join(".local/state/crosshook/trust.json");
    let told = moved.run(&["trust", "diff", "--json", "--store", store.to_str().unwrap()]).code(1).json();
    assert_eq!(told["hooks"][0]["standing"], "moved");
    assert!(told["hooks"][0]["moved_from"].as_str().unwrap().ends_with("project/.cursor/hooks.json"));
}

#[test]
fn a_vendor_with_records_of_its_own_can_be_answered_for() {
    let project = guarded("codex", "true\n", "");
    assert_eq!(diff(&project, 1), ["unknown"]);
    project.run(&["trust", "add", "--yes"]).code(0);
    assert_eq!(diff(&project, 0), ["trusted"]);
}

#[test]
fn another_store_and_a_broken_one() {
    let project = guarded("claude", "true\n", "").with("bad.json", "{}");
    project.run(&["trust", "add", "--yes", "--store", "mine.json"]).code(0);
    assert!(project.root().join("mine.json").is_file() && !project.home().join(".local").exists());
    project.run(&["trust", "list", "--store", "bad.json"]).code(2).complains("no trust store");
    project.run(&["trust", "add", "--yes", "--store", "bad.json"]).code(2);
    assert_eq!(std::fs::read_to_string(project.root().join("bad.json")).unwrap(), "{}");
    let list = project.run(&["trust", "list", "--store", "mine.json", "--json"]).code(0).json();
    assert_eq!(list["records"][0]["vendor"], "claude");
}

#[test]
fn control_characters_in_a_command_do_not_reach_the_terminal() {
    let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo \u001b[2J\u202e"}]}]}}"#;
    let project = Project::new().with(CLAUDE, text);
    let ran = project.run(&["trust", "add", "--yes"]).code(0);
    assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}']), "{:?}", ran.stdout);
    let ran = project.run(&["trust", "list"]).code(0);
    assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}']), "{:?}", ran.stdout);
}

#[test]
fn commands_that_trust_at_once_lose_nothing() {
    let projects: Vec<Project> =
        (0..6).map(|at| guarded("claude", "true\n", &format!(r#","timeout":{}"#, at + 1))).collect();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("trust.json");
    let args = ["trust", "add", "--yes", "--store", store.to_str().unwrap()];
    let started: Vec<_> = projects
        .iter()
        .map(|project| {
            let mut command = crate::support::command(&project.root(), &project.home());
            command
                .args(args)
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in started {
        crate::support::Ran::of(child.wait_with_output().unwrap()).code(0).says("Trusted this hook");
    }
    let list = projects[0].run(&["trust", "list", "--json", "--store", store.to_str().unwrap()]).code(0).json();
    assert_eq!(list["records"].as_array().unwrap().len(), 6);
}

#[test]
fn codex_own_records_are_told_apart_from_the_store() {
    let project = guarded("codex", "true\n", "");
    let config = project.home().join(".codex/config.toml");
    let key =
        format!("{}:pre_tool_use:0:0", project.root().canonicalize().unwrap().join(".codex/hooks.json").display());
    let with = |record: &str| {
        std::fs::create_dir_all(config.parent().unwrap()).unwrap();
        std::fs::write(&config, format!("[hooks.state.\"{key}\"]\n{record}\n")).unwrap();
        let ran = project.run(&["trust", "diff", "--home", "--json"]);
        let document = ran.json();
        let hook = &document["hooks"][0];
        (ran.code, hook["standing"].as_str().unwrap().to_owned(), hook["runs"].as_bool().unwrap())
    };
    assert_eq!(with("enabled = false"), (0, "off there".to_owned(), false));
    assert_eq!(with("trusted_hash = \"sha256:00\""), (1, "unknown".to_owned(), false));
    project.run(&["trust", "add", "--home", "--yes"]).code(0);
    assert_eq!(with("trusted_hash = \"sha256:00\""), (0, "trusted".to_owned(), true));
    assert_eq!(with("enabled = false"), (0, "off there".to_owned(), false));
}
