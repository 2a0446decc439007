//! `why` as a process: every reason that a hook can have not to run, and the vectors of matching.

use std::collections::BTreeMap;
use std::path::Path;

use hooks_conformance::format::{Kind, Match};
use hooks_core::RawJson;
use serde_json::{Value, json};

use crate::support::Project;

fn hook<'d>(document: &'d Value, label: &str) -> &'d Value {
    let hooks = document["hooks"].as_array().unwrap();
    hooks.iter().find(|hook| hook["hook"]["label"] == label).unwrap_or_else(|| panic!("no {label} in {document}"))
}

#[test]
fn every_hook_runs_or_says_why_not() {
    let project = Project::new()
        .with(
            ".claude/settings.json",
            r#"{"hooks":{"PreToolUse":[
                {"matcher":"Bash","hooks":[{"type":"command","command":"runs"}]},
                {"matcher":"Write|Edit","hooks":[{"type":"command","command":"other tool"}]},
                {"matcher":"bash","hooks":[{"type":"command","command":"lower case"}]},
                {"matcher":"Bash","hooks":[{"type":"command","command":"only git","if":"Bash(git push *)"}]},
                {"matcher":"Bash","hooks":[{"type":"command","command":"twice"}]},
                {"matcher":"Bash","hooks":[{"type":"command","command":"twice"}]}],
              "Stop":[{"hooks":[{"type":"command","command":"at the end"}]}]}}"#,
        )
        .with(
            ".cursor/hooks.json",
            r#"{"version":1,"hooks":{"beforeShellExecution":[{"command":"git only","matcher":"^git"}],
                "preToolUse":[{"command":"any tool"}],"beforeReadFile":[{"command":"reads"}],
                "workspaceOpen":[{"command":"never here"}]}}"#,
        );
    let line = ["why", ".", "tool.before", "--command", "rm -rf build"];
    let document = project.run(&[&line[..], &["--json"]].concat()).code(0).json();
    let told = |label: &str| {
        let hook = hook(&document, label);
        (
            hook["runs"].as_bool().unwrap(),
            hook["kind"].as_str().unwrap().to_owned(),
            hook["why"].as_str().unwrap().to_owned(),
        )
    };
    for (label, runs, kind, part) in [
        ("runs", true, "runs", "matches `Bash`"),
        ("other tool", false, "matcher", "does not match `Bash`"),
        ("lower case", false, "matcher", "`bash` (exact list) does not match `Bash`"),
        ("only git", false, "condition", "`Bash(git push *)` does not hold"),
        ("at the end", false, "other-moment", "turn.stop"),
        ("git only", false, "matcher", "does not match `rm -rf build`"),
        ("any tool", true, "runs", "no matcher"),
        ("reads", false, "not-fired", "beforeReadFile is not fired"),
        ("never here", false, "no-boundary", "no host outside its vendor's client fires it"),
    ] {
        let (found, word, why) = told(label);
        assert_eq!((found, word.as_str()), (runs, kind), "{label}: {why}");
        assert!(why.contains(part), "{label}: {why}");
    }
    assert_eq!(hook(&document, "runs")["subject"], json!(["Bash"]));
    // Claude Code runs one of two copies: the last.
    let twice: Vec<&Value> =
        document["hooks"].as_array().unwrap().iter().filter(|hook| hook["hook"]["label"] == "twice").collect();
    assert_eq!((&twice[0]["runs"], &twice[1]["runs"]), (&false.into(), &true.into()));
    assert_eq!(twice[0]["kind"], "copy");
    assert!(twice[0]["copy"].as_str().unwrap().starts_with(".claude/settings.json:"), "{}", twice[0]);
    let ran = project.run(&line).code(0).says("Runs").says("Does not run").says("Is for another moment");
    ran.says(".claude/settings.json:2").says("Beware: ");
}

#[test]
fn switches_and_trust_are_named() {
    let off = r#"{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}"#;
    let project = Project::new().with(".claude/settings.json", off);
    let document = project.run(&["why", "Stop", "--json"]).code(0).json();
    let found = hook(&document, "a");
    assert_eq!((&found["runs"], &found["kind"]), (&false.into(), &"disabled".into()));
    assert!(found["why"].as_str().unwrap().contains("disableAllHooks"), "{found}");
    // What a project brings along runs once it is trusted, and the vendor's client asks.
    let on = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}"#;
    let project = Project::new().with(".claude/settings.json", on);
    project.run(&["why", "Stop"]).code(0).says("trusted in the vendor's client");
    // Codex keeps records of its own, in the home folder: looked at when asked to.
    let project = Project::new().with(".codex/hooks.json", on);
    let home = format!("--home={}", project.home().display());
    std::fs::create_dir_all(project.home().join(".codex")).unwrap();
    std::fs::write(project.home().join(".codex/config.toml"), "").unwrap();
    let document = project.run(&["why", "Stop", &home, "--json"]).code(0).json();
    let found = hook(&document, "a");
    assert!(found["kind"] == "trust" || found["trust"].is_string(), "{found}");
}

#[test]
fn what_never_became_a_hook_is_told_with_the_fault() {
    let project = Project::new()
        .with(".codex/hooks.json", "{\n  \"hooks\": {},\n  \"unknown\": 1\n}")
        .with(".cursor/hooks.json", "{ \"version\": 1, \"hooks\": { \"stop\": [ { \"command\": \"x\" }, } }");
    let document = project.run(&["why", "turn.stop", "--json"]).code(0).json();
    let files = document["files"].as_array().unwrap();
    for name in [".codex/hooks.json", ".cursor/hooks.json"] {
        let told = files.iter().find(|file| file["path"].as_str().unwrap().ends_with(name) && file["kind"] != "left");
        let told = told.unwrap_or_else(|| panic!("{name} in {files:?}"));
        assert!(told["code"].is_string() && told["line"].is_u64(), "{told}");
    }
    project.run(&["why", "turn.stop"]).code(0).says("Never became a hook").says(".cursor/hooks.json:1");
    let ran = project.run(&["why", "turn.stop", "--json"]).code(0).json();
    assert!(ran["files"].as_array().unwrap().iter().any(|file| file["kind"] == "not-asked"));
}

/// Codex runs tools of tool servers since 0.149, a host of commands never: the client and the host decide.
#[test]
fn the_client_and_the_host_are_asked_about() {
    let project = Project::new()
        .with(
            ".claude/settings.json",
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"prompt","prompt":"are you done?"},{"type":"command","command":"a"}]}]}}"#,
        )
        .with("host.json", r#"{"fires": ["tool.before"]}"#);
    let runs = |more: &[&str]| -> Vec<bool> {
        let document = project.run(&[&["why", "Stop", "--json"], more].concat()).code(0).json();
        document["hooks"].as_array().unwrap().iter().map(|hook| hook["runs"].as_bool().unwrap()).collect()
    };
    assert_eq!(runs(&[]), [true, true]);
    assert_eq!(runs(&["--host", "commands"]), [false, true]);
    assert_eq!(runs(&["--host", "host.json"]), [false, false]);
    project.run(&["why", "Stop", "--host", "commands"]).code(0).says("prompt");
    project.run(&["why", "Stop", "--vendor-version", "claude=99.0.0"]).code(2).complains("99.0.0");
    project.run(&["badday", "Stop", "--vendor-version", "2.1.0"]).code(2).complains("VENDOR=VERSION");
    project.run(&["fire", "Stop", "--dry-run", "--host", "host.json"]).code(0).says("No hook runs");
}

#[test]
fn path_and_event_are_told_apart() {
    let project = Project::new().with(".claude/settings.json", "{}");
    project.run(&["why"]).code(2).complains("PreToolUse");
    project.run(&["why", "nowhere", "Stop"]).code(2).complains("there is no `nowhere`");
    project.run(&["why", "stopp"]).code(2).complains("did you mean");
    project.run(&["why", ".", "Stop"]).code(0);
    let project = project.with("payload.json", r#"{"hook_event_name":"Stop","stop_hook_active":false}"#);
    project.run(&["why", "--payload", "payload.json"]).code(0).says("turn.stop");
    project.run(&["why", ".", "--payload", "payload.json"]).code(0).says("turn.stop");
}

/// One file with a hook for each matcher of the vectors, and one run for each tool or command: what the vectors of
/// matching say is what `why` says.
#[test]
fn the_vectors_of_matching_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vectors");
    let files = hooks_conformance::load(&folder).unwrap();
    let mut checked = 0;
    for (vendor, event) in [("claude", "PreToolUse"), ("codex", "PreToolUse"), ("cursor", "beforeShellExecution")] {
        let adapter = crosshook::adapter(vendor).unwrap();
        let shell = event == "beforeShellExecution";
        let mut by_target: BTreeMap<String, Vec<Match>> = BTreeMap::new();
        for file in files.iter().filter(|file| file.vendor.as_deref() == Some(vendor)) {
            for vector in &file.vectors {
                let Kind::Match(matching) = &vector.kind else { continue };
                let face = vector
                    .profile
                    .as_deref()
                    .or_else(|| matching.given.as_ref().and_then(|given| given.host_profile.as_deref()));
                // The command speaks of the newest client, and of Cursor as documented now.
                let now = vector.client.is_none() && (vendor != "cursor" || face == Some("vendor"));
                if !now
                    || file.event_of(vector) != Some(event)
                    || matching.given.as_ref().is_some_and(|given| given.file.is_some())
                {
                    continue;
                }
                let Some(target) = matching.targets.first() else { continue };
                let names = if shell {
                    vec![target.clone()]
                } else {
                    adapter.tool_names(&adapter.tool_call(target, &RawJson::parse("{}").unwrap()))
                };
                if names == matching.targets && !target.trim().is_empty() {
                    by_target.entry(target.clone()).or_default().push(matching.clone());
                }
            }
        }
        for (target, matches) in by_target {
            let group = |(at, matching): (usize, &Match)| match (vendor, &matching.matcher) {
                ("cursor", Some(matcher)) => json!({ "command": format!("m{at}"), "matcher": matcher }),
                ("cursor", None) => json!({ "command": format!("m{at}") }),
                (_, Some(matcher)) => {
                    json!({ "matcher": matcher, "hooks": [{ "type": "command", "command": format!("m{at}") }] })
                }
                (_, None) => json!({ "hooks": [{ "type": "command", "command": format!("m{at}") }] }),
            };
            let groups: Vec<Value> = matches.iter().enumerate().map(group).collect();
            let (file, text) = match vendor {
                "cursor" => (".cursor/hooks.json", json!({ "version": 1, "hooks": { event: groups } })),
                "claude" => (".claude/settings.json", json!({ "hooks": { event: groups } })),
                _ => (".codex/hooks.json", json!({ "hooks": { event: groups } })),
            };
            let project = Project::new().with(file, text.to_string());
            let about = if shell { vec!["--command", &target] } else { vec!["--tool", &target, "--input", "{}"] };
            let line = [&["why", event, "--vendor", vendor, "--json"], &about[..]].concat();
            let document = project.run(&line).code(0).json();
            let hooks = document["hooks"].as_array().unwrap();
            for (at, matching) in matches.iter().enumerate() {
                let label = format!("m{at}");
                let found = hooks.iter().find(|hook| hook["hook"]["label"] == label.as_str());
                // A definition whose matcher is invalid may be gone, and then does not run either.
                let runs = found.is_some_and(|hook| hook["runs"] == true);
                assert_eq!(runs, matching.expect, "{vendor} {:?} on {target}: {found:?}", matching.matcher);
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "only {checked} matchers were held to their vectors");
}

#[test]
fn a_tool_alone_is_enough() {
    let group = |matcher: &str| {
        format!(r#"{{"matcher":"{matcher}","hooks":[{{"type":"command","command":"for {matcher}"}}]}}"#)
    };
    let text = format!(r#"{{"hooks":{{"PreToolUse":[{},{}]}}}}"#, group("Write"), group("Bash"));
    let project = Project::new().with(".claude/settings.json", text);
    for (tool, other) in [("Write", "Bash"), ("Bash", "Write")] {
        let document = project.run(&["why", "PreToolUse", "--tool", tool, "--json"]).code(0).json();
        assert_eq!(hook(&document, &format!("for {tool}"))["runs"], true, "{document}");
        assert_eq!(hook(&document, &format!("for {other}"))["runs"], false, "{document}");
    }
}
