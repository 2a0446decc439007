//! The proof by firing: scripts are really run, on both sides of a translation.
#![cfg(unix)]

use serde_json::Value;

use crate::support::{Project, Ran};

/// A guard written for Cursor: it denies commands that remove folders, and reads of secrets.
const CURSOR: &str = r#"#!/bin/sh
input=$(cat)
case "$input" in
  *'rm -rf'*|*.env*) echo '{"permission": "deny", "user_message": "no", "agent_message": "no"}' ;;
  *) echo '{"permission": "allow"}' ;;
esac
"#;

/// The same written for Claude Code: with its exit code.
const CLAUDE: &str = r#"#!/bin/sh
input=$(cat)
case "$input" in
  *'rm -rf'*|*.env*) echo 'no' >&2; exit 2 ;;
esac
"#;

fn executable(project: Project, path: &str, text: &str) -> Project {
    use std::os::unix::fs::PermissionsExt as _;
    let project = project.with(path, text);
    let file = project.root().join(path);
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
    project
}

fn cursor() -> Project {
    let hooks = r#"{"version": 1, "hooks": {
        "beforeShellExecution": [{"command": "./guard.sh"}],
        "beforeReadFile": [{"command": "./guard.sh"}]}}"#;
    executable(Project::new().with(".cursor/hooks.json", hooks), "guard.sh", CURSOR)
}

fn claude() -> Project {
    let hooks = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash|Write", "hooks": [{"type": "command", "command": "./guard.sh"}]}]}}"#;
    executable(Project::new().with(".claude/settings.json", hooks), "guard.sh", CLAUDE)
}

fn verify(project: &Project, from: &str, to: &str, more: &[&str]) -> Ran {
    let mut args = vec!["translate", "--from", from, "--to", to, "--verify", "--yes", "--json", "--dry-run"];
    args.extend(more);
    project.run(&args)
}

fn outcomes(told: &Value, outcome: &str) -> Vec<String> {
    let compared = told["compared"].as_array().unwrap();
    let of = compared.iter().filter(|one| one["outcome"] == outcome);
    of.map(|one| format!("{} ({} / {})", one["about"], one["source"], one["target"])).collect()
}

#[test]
fn a_bridged_guard_restrains_in_the_other_client_as_it_did_in_its_own() {
    for (project, from, to, allowed) in [
        (cursor(), "cursor", "claude", &["--allow-loss", "content-not-seen"][..]),
        (cursor(), "cursor", "codex", &["--allow-loss", "tool-not-hooked"]),
        (claude(), "claude", "cursor", &[]),
        (claude(), "claude", "codex", &[]),
    ] {
        let mut more = vec!["--bridge"];
        more.extend(allowed);
        let ran = verify(&project, from, to, &more);
        let told = ran.json();
        assert_eq!(outcomes(&told, "weaker"), Vec::<String>::new(), "{from} to {to}: {}", ran.stderr);
        let denied = |side: &str| {
            let compared = told["compared"].as_array().unwrap();
            compared.iter().filter(|one| one[side] == "deny").count()
        };
        assert!(denied("source") > 0 && denied("target") >= denied("source"), "{from} to {to}: {told:#}");
        let allowed =
            told["compared"].as_array().unwrap().iter().any(|one| one["outcome"] == "alike" && one["target"] != "deny");
        assert!(allowed, "{from} to {to}: a harmless command goes on: {told:#}");
        ran.code(0);
    }
}

#[test]
fn a_guard_that_nobody_bridged_is_found_to_be_weaker() {
    let project = cursor();
    let ran = verify(&project, "cursor", "claude", &["--allow-loss", "needs-bridge"]);
    let weaker = outcomes(&ran.json(), "weaker");
    assert!(weaker.iter().any(|about| about.contains("rm -rf build")), "{weaker:?}");
    ran.code(1);
    let text = project.run(&[
        "translate",
        "--from",
        "cursor",
        "--to",
        "claude",
        "--verify",
        "--yes",
        "--allow-loss",
        "needs-bridge",
    ]);
    text.code(1).says("verified").says("the target does less");
    assert!(!project.root().join(".claude").exists());
}

#[test]
fn a_guard_on_what_only_one_client_shows_is_told_of_and_found_by_firing() {
    let hooks = r#"{"version": 1, "hooks": {"beforeReadFile": [{"command": "./guard.sh"}]}}"#;
    let script = CURSOR.replace("*.env*", "*AKIA*");
    let project = executable(Project::new().with(".cursor/hooks.json", hooks), "guard.sh", &script);
    let told = project.run(&["translate", "--from", "cursor", "--to", "claude", "--bridge", "--json"]).code(1).json();
    assert_eq!(told["to_accept"], serde_json::json!(["content-not-seen"]));
    let ran = verify(&project, "cursor", "claude", &["--bridge", "--allow-loss", "content-not-seen"]).code(1);
    assert!(outcomes(&ran.json(), "weaker").iter().any(|about| about.contains("reading files")), "{}", ran.stdout);
}

#[test]
fn nothing_is_run_without_a_yes() {
    let project = executable(
        Project::new().with(".cursor/hooks.json", r#"{"version": 1, "hooks": {"stop": [{"command": "./touch.sh"}]}}"#),
        "touch.sh",
        "#!/bin/sh\ntouch ran\n",
    );
    let args = ["translate", "--from", "cursor", "--to", "claude", "--bridge", "--verify"];
    project.run(&args).code(3).complains("nothing was run");
    assert!(!project.root().join("ran").exists());
    let mut with_yes = args.to_vec();
    with_yes.push("--yes");
    project.run(&with_yes).code(0).says("0 weaker");
    assert!(project.root().join("ran").exists());
}

/// A hook of Claude's that gives the model a text, and one that makes the turn go on.
fn helpful(event: &str, answer: &str) -> Project {
    let hooks = format!(r#"{{"hooks": {{"{event}": [{{"hooks": [{{"type": "command", "command": "./say.sh"}}]}}]}}}}"#);
    let script = format!("#!/bin/sh\ncat >/dev/null\necho '{answer}'\n");
    executable(Project::new().with(".claude/settings.json", hooks), "say.sh", &script)
}

fn context(event: &str) -> String {
    format!(r#"{{"hookSpecificOutput": {{"hookEventName": "{event}", "additionalContext": "remember"}}}}"#)
}

#[test]
fn a_text_for_the_model_and_a_turn_that_goes_on_are_compared_too() {
    // Alike where a bridge says it in the other language.
    let (start, stop) = (context("SessionStart"), r#"{"decision": "block", "reason": "go on"}"#);
    for (event, answer) in [("SessionStart", start.as_str()), ("Stop", stop)] {
        for to in ["cursor", "codex"] {
            let ran = verify(&helpful(event, answer), "claude", to, &["--bridge"]).code(0);
            let alike = outcomes(&ran.json(), "alike");
            assert!(alike.iter().any(|one| !one.contains("(nothing / nothing)")), "{event} to {to}: {}", ran.stdout);
        }
    }
    // Without one the text is lost, and nobody accepted that.
    let ran = verify(&helpful("SessionStart", &start), "claude", "cursor", &[]).code(1);
    assert!(!outcomes(&ran.json(), "weaker").is_empty(), "{}", ran.stdout);
}

#[test]
fn what_the_report_tells_of_does_not_fail_twice() {
    // Cursor's event for prompts gives the model no text (cursor.md, section 4).
    let project = helpful("UserPromptSubmit", &context("UserPromptSubmit"));
    let ran = verify(&project, "claude", "cursor", &["--bridge"]).code(0);
    let told = ran.json();
    let findings = told["hooks"][0]["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["code"] == "context-lost"), "{findings:?}");
    assert!(!outcomes(&told, "as-told").is_empty() && outcomes(&told, "weaker").is_empty(), "{}", ran.stdout);
}
