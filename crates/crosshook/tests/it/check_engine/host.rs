//! Checks for other hosts than the vendors' own clients, and for older clients.

use super::codes;
use crate::support::Project;

/// A hook that asks a model, and one that runs a command.
fn prompting() -> Project {
    let text = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"prompt","prompt":"Is $ARGUMENTS good?"},
        {"type":"command","command":"true"}]}]}}"#;
    Project::new().with(".claude/settings.json", text)
}

#[test]
fn the_usual_host_runs_everything_and_another_one_what_it_can() {
    let project = prompting();
    let cannot = |args: &[&str]| {
        let args = [&["check", "--json"], args].concat();
        codes(&project.run(&args)).contains(&"core/host-cannot-run".to_owned())
    };
    assert!(!cannot(&[]) && !cannot(&["--host", "full"]));
    assert!(cannot(&["--host", "commands"]));
    project.run(&["check", "--host", "commands"]).code(1).says("prompt");
}

#[test]
fn a_host_is_described_in_a_file() {
    let project = prompting()
        .with("host.json", r#"{"fires": ["turn.stop"], "handlers": ["command", "prompt"]}"#)
        .with("wrong.json", "{\n  \"fire\": [],\n  \"handlers\": [\"comand\"],\n  \"strict\": 1\n}");
    let ran = project.run(&["check", "--json", "--host", "host.json"]).code(1);
    assert!(codes(&ran).contains(&"core/host-never-fires".to_owned()), "{}", ran.stdout);
    let wrong = project.run(&["check", "--host", "wrong.json"]).code(2);
    let wrong = wrong.complains("wrong.json:2:3: a host profile has no key `fire`: did you mean `fires`?");
    wrong.complains("wrong.json:3:16: `comand`").complains("wrong.json:4:13: `strict` is a number");
    project.run(&["check", "--host", "comands"]).code(2).complains("did you mean `commands`?");
}

#[test]
fn an_older_client_knows_fewer_events() {
    let text = r#"{"hooks":{"PermissionRequest":[{"hooks":[{"type":"command","command":"true"}]}]}}"#;
    let project = Project::new().with(".claude/settings.json", text);
    let all = |args: &[&str]| codes(&project.run(&[&["check", "--json"], args].concat()));
    let old = ["--vendor-version", "claude=1.0.0"];
    assert!(!all(&[]).iter().any(|code| code == "claude/unknown-event"), "{:?}", all(&[]));
    assert!(all(&old).iter().any(|code| code == "claude/unknown-event"), "{:?}", all(&old));
    assert_eq!(all(&["--vendor", "claude", "--vendor-version", "1.0.0"]), all(&old));
}

#[test]
fn a_version_that_nobody_recorded_is_refused() {
    let project = prompting();
    let refused = |version| project.run(&["check", "--vendor-version", version]).code(2);
    refused("claude=99.0.0").complains("claude 99.0.0 is not known: the newest client whose facts are recorded is 2.");
    refused("claude=new").complains("1.2.3");
    refused("2.1.0").complains("VENDOR=VERSION");
    refused("emacs=1.2.3").complains("cursor, claude, codex");
}
