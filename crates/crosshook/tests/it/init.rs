//! `init`: for every event of every vendor a starter that the checker has nothing against and that does what it says.

use std::path::Path;

use hooks_core::{Boundary, Channel, Facet};
use serde_json::Value;

use crate::support::Project;

fn files(root: &Path) -> Vec<String> {
    fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, root, found);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    let mut found = Vec::new();
    walk(root, root, &mut found);
    found.sort();
    found
}

fn is_documented(vendor: &str, event: &str) -> bool {
    let row = crosshook::codex::events::EVENTS.iter().find(|row| row.facts.name == event);
    vendor != "codex" || row.is_some_and(|row| row.documented)
}

#[test]
fn every_event_of_every_vendor_has_a_starter_that_checks_and_works() {
    for adapter in crosshook::adapters() {
        let vendor = adapter.vendor().as_str();
        for event in adapter.events() {
            let project = Project::new();
            let about = format!("{vendor} {}", event.name);
            project.run(&["init", vendor, "--event", event.name]).code(0).says("wrote").says("crosshook check");
            let document = project.run(&["check", "--json"]).json();
            let told: Vec<Value> = document["diagnostics"]
                .as_array()
                .unwrap()
                .iter()
                // What is true of the event itself, whoever writes a hook on it.
                .filter(|told| match told["code"].as_str().unwrap() {
                    "cursor/no-boundary" => event.boundary.is_some(),
                    "codex/undocumented-event" => is_documented(vendor, event.name),
                    _ => true,
                })
                .cloned()
                .collect();
            assert!(told.is_empty(), "{about}: {told:?}");
            let listed = project.run(&["list", "--json"]).code(0).json();
            assert_eq!(listed["definitions"].as_array().unwrap().len(), 1, "{about}");
            let Some(boundary) = event.boundary else { continue };
            let has = |channel| event.channels.contains(channel);
            let fire = |about: &[&str]| {
                let line = [&["fire", event.name, "--vendor", vendor, "--yes", "--json"], about].concat();
                let ran = project.run(&line);
                (ran.code, ran.json())
            };
            let (code, document) = match (boundary, event.facet) {
                (Boundary::ToolBefore, Facet::FileRead) if has(Channel::Verdict) => {
                    assert_eq!(fire(&["--tool", "Read", "--input", r#"{"file_path":"a.txt"}"#]).0, 0, "{about}");
                    assert_eq!(fire(&["--tool", "Read", "--input", r#"{"file_path":".env"}"#]).0, 10, "{about}");
                    continue;
                }
                (Boundary::ToolBefore, Facet::Mcp) => fire(&[]),
                (Boundary::ToolBefore | Boundary::PermissionRequest, _) if has(Channel::Verdict) => {
                    assert_eq!(fire(&["--command", "rm -rf build"]).0, 10, "{about}");
                    fire(&["--command", "ls"])
                }
                (Boundary::PromptSubmit, _) if has(Channel::Halt) => {
                    assert_eq!(fire(&["--prompt", "-----BEGIN PRIVATE KEY-----"]).0, 13, "{about}");
                    fire(&["--prompt", "hello"])
                }
                (Boundary::TurnStop | Boundary::SubagentStop, _) if has(Channel::Continuation) => {
                    assert_eq!(fire(&[]).0, 14, "{about}");
                    // Not for ever.
                    let stopped = r#"{"stop_hook_active": true, "loop_count": 1, "status": "completed"}"#;
                    std::fs::write(project.root().join("again.json"), stopped).unwrap();
                    fire(&["--payload", "again.json"])
                }
                _ => fire(&[]),
            };
            assert_eq!(code, 0, "{about}: {document}");
            let ran = &document["hooks"][0];
            assert_eq!(ran["failure"], Value::Null, "{about}: {ran}");
            let told = document["decision"]["to_model"].as_array().is_some_and(|texts| !texts.is_empty());
            let logged = files(&project.root()).iter().any(|file| file.ends_with("hooks.log"));
            let guards = matches!(
                boundary,
                Boundary::ToolBefore
                    | Boundary::PermissionRequest
                    | Boundary::PromptSubmit
                    | Boundary::TurnStop
                    | Boundary::SubagentStop
            );
            let made = document["decision"]["special"].as_array().is_some_and(|special| !special.is_empty());
            assert!(guards || told || logged || made, "{about} does nothing: {document}");
        }
    }
}

#[test]
fn what_is_there_is_never_written_over() {
    for vendor in ["cursor", "claude", "codex"] {
        let project = Project::new();
        project.run(&["init", vendor]).code(0);
        let before: Vec<(String, Vec<u8>)> = files(&project.root())
            .into_iter()
            .map(|file| (file.clone(), std::fs::read(project.root().join(file)).unwrap()))
            .collect();
        project.run(&["init", vendor]).code(0).says("hold this hook already").says("crosshook fire");
        let config = if vendor == "claude" { ".claude/settings.json".into() } else { format!(".{vendor}/hooks.json") };
        std::fs::write(project.root().join(&config), "{}").unwrap();
        project.run(&["init", vendor]).code(1).says("Nothing was written").says("add to").says("--force");
        assert_eq!(std::fs::read(project.root().join(&config)).unwrap(), b"{}");
        let own = before.iter().find(|(file, _)| *file == config).unwrap();
        std::fs::write(project.root().join(&config), &own.1).unwrap();
        project
            .run(&["init", vendor, "--event", if vendor == "cursor" { "stop" } else { "Stop" }])
            .code(1)
            .says("is there already");
        for (file, bytes) in &before {
            assert_eq!(&std::fs::read(project.root().join(file)).unwrap(), bytes, "{file}");
        }
        assert_eq!(files(&project.root()).len(), before.len(), "{vendor}");
        project.run(&["init", vendor, "--force"]).code(0).says("moved");
        for (file, bytes) in &before {
            assert_eq!(&std::fs::read(project.root().join(format!("{file}.old"))).unwrap(), bytes, "{file}");
        }
        project.run(&["init", vendor, "--force"]).code(0);
        assert_eq!(files(&project.root()).len(), 3 * before.len(), "{vendor}");
    }
}

#[cfg(unix)]
#[test]
fn the_script_can_be_executed_and_runs_from_other_folders() {
    use std::os::unix::fs::PermissionsExt as _;
    for (vendor, script) in
        [("cursor", ".cursor/hooks/guard.sh"), ("claude", ".claude/hooks/guard.sh"), ("codex", ".codex/hooks/guard.sh")]
    {
        let project = Project::new();
        let folder = project.root().join("a folder");
        let folder = folder.to_str().unwrap();
        let ran = project.run(&["init", vendor, "--dir", folder]).code(0);
        let mode = std::fs::metadata(Path::new(folder).join(script)).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{vendor}: {mode:o}");
        // The printed line works as it stands.
        let line = ran.stdout.lines().find(|line| line.trim().starts_with("crosshook fire")).unwrap().trim().to_owned();
        let line = line.replacen("crosshook", env!("CARGO_BIN_EXE_crosshook"), 1);
        let status = std::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(project.root())
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(10), "{line}");
    }
}

/// A project below a repository's root: Git's root is not the project's.
#[cfg(unix)]
#[test]
fn a_project_inside_a_repository_finds_its_script() {
    let project = Project::new();
    let git = |args: &[&str]| std::process::Command::new("git").args(args).current_dir(project.root()).output();
    if !git(&["init", "-q"]).is_ok_and(|output| output.status.success()) {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: there is no git\n");
        return;
    }
    project.run(&["init", "codex", "--dir", "below/a $b"]).code(0);
    let line = ["fire", "PreToolUse", "below/a $b", "--vendor", "codex", "--command", "rm -rf build", "--yes"];
    project.run(&line).code(10);
    project.run(&["check", "below/a $b"]).code(0);
}

#[test]
fn names_that_are_unknown_are_answered_with_near_ones() {
    let project = Project::new();
    project.run(&["init", "claude", "--event", "pretooluse"]).code(2).complains("did you mean `PreToolUse`?");
    project.run(&["init", "nobody"]).code(2).complains("cursor");
    assert!(files(&project.root()).is_empty());
}

/// Codex, section 6: hooks of a project run when it is trusted and they are reviewed. Claude Code: a trusted folder.
/// Cursor: a trusted workspace.
#[test]
fn what_the_client_wants_before_it_runs_the_hook_is_said() {
    for (vendor, wants) in [("codex", "`/hooks`"), ("claude", "trusted the folder"), ("cursor", "trusted workspace")] {
        Project::new().run(&["init", vendor]).code(0).says(wants);
    }
}
