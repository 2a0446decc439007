//! `badday` as a process, held against the vectors of failing runs.

use std::path::Path;

use hooks_conformance::format::{EndSpec, Kind, OutcomeSpec, VerdictWord};
use serde_json::{Value, json};

use crate::support::{Project, guarded};

/// The mishap that an outcome of a vector is, where it is one.
fn mishap(outcome: &OutcomeSpec) -> Option<&'static str> {
    let silent =
        |text: &Option<hooks_conformance::format::Text>| text.as_ref().is_none_or(|text| text.bytes().is_empty());
    if !silent(&outcome.stdout) || !silent(&outcome.stderr) || outcome.stdout_truncated == Some(true) {
        return None;
    }
    Some(match outcome.end {
        EndSpec::TimedOut => "timed-out",
        EndSpec::Exited(1) => "crashed",
        EndSpec::Exited(2) => "exit-2",
        EndSpec::Exited(0) => "nothing",
        EndSpec::Exited(127) => "not-found",
        EndSpec::Signalled(9) => "killed",
        EndSpec::FailedToStart => "not-started",
        EndSpec::Cancelled => "cancelled",
        _ => return None,
    })
}

/// A project with one hook of a vendor on an event.
fn with_hook(vendor: &str, event: &str) -> Project {
    let (file, text) = match vendor {
        "cursor" => (".cursor/hooks.json", json!({ "version": 1, "hooks": { event: [{ "command": "guard" }] } })),
        "claude" => {
            let group = json!([{ "hooks": [{ "type": "command", "command": "guard" }] }]);
            (".claude/settings.json", json!({ "hooks": { event: group } }))
        }
        _ => {
            let group = json!([{ "hooks": [{ "type": "command", "command": "guard" }] }]);
            (".codex/hooks.json", json!({ "hooks": { event: group } }))
        }
    };
    Project::new().with(file, text.to_string())
}

#[test]
fn the_vectors_of_failing_runs_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vectors");
    let files = hooks_conformance::load(&folder).unwrap();
    let mut checked = 0;
    for adapter in crosshook::adapters() {
        let vendor = adapter.vendor().as_str();
        for event in adapter.events().iter().filter(|event| event.boundary.is_some()) {
            let vectors: Vec<_> = files
                .iter()
                .filter(|file| file.vendor.as_deref() == Some(vendor))
                .flat_map(|file| file.vectors.iter().map(move |vector| (file, vector)))
                .filter(|(file, vector)| file.event_of(vector) == Some(event.name) && vector.client.is_none())
                .filter_map(|(_, vector)| match &vector.kind {
                    // What is not said is the newest client and a plain definition.
                    Kind::Decode(decode) if decode.binding.is_none() && decode.given.is_none() => {
                        let strict = decode.policy.as_ref().and_then(|policy| policy.strict).unwrap_or(false);
                        Some((vector, decode, strict, mishap(&decode.outcome)?))
                    }
                    _ => None,
                })
                .filter(|(vector, ..)| vector.profile.as_deref() != Some("phase1"))
                .collect();
            if vectors.is_empty() {
                continue;
            }
            let document =
                with_hook(vendor, event.name).run(&["badday", event.name, "--vendor", vendor, "--json"]).code(0).json();
            let hooks = document["hooks"].as_array().unwrap();
            assert_eq!(hooks.len(), 1, "{vendor} {}: {document}", event.name);
            for (vector, decode, strict, mishap) in vectors {
                let found =
                    hooks[0]["mishaps"].as_array().unwrap().iter().find(|fall| fall["mishap"] == mishap).unwrap();
                let about = format!("{vendor} {} {}: {found}", event.name, vector.id);
                let expect = &decode.expect;
                let unchecked = |key: &str| serde_json::to_value(&expect.unchecked).unwrap().to_string().contains(key);
                if strict {
                    let denies = expect.verdict == Some(VerdictWord::Deny);
                    assert!(!denies || found["strict_decision"]["action"] == "deny", "{about}");
                    assert!(expect.halt.is_none() || !found["strict_decision"]["halt"].is_null(), "{about}");
                } else {
                    let effects = &found["effects"];
                    if !unchecked("\"verdict\"") {
                        let verdict = expect.verdict.map_or(Value::Null, |word| serde_json::to_value(word).unwrap());
                        assert_eq!(effects.get("verdict").cloned().unwrap_or_default(), verdict, "{about}");
                    }
                    if !unchecked("\"failed\"") {
                        assert_eq!(effects.get("failed").is_some(), expect.failed, "{about}");
                    }
                    if !unchecked("\"halt\"") {
                        assert_eq!(effects.get("halt").is_some(), expect.halt.is_some(), "{about}");
                    }
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 150, "only {checked} failing runs were held to their vectors");
}

#[test]
fn what_fails_open_is_said_and_can_fail_a_build() {
    for vendor in ["cursor", "claude", "codex"] {
        let project = guarded(vendor, "exit 0", "");
        let line = ["badday", "tool.before", "--command", "rm -rf build"];
        project.run(&line).code(0).says("FAILS OPEN").says("it takes too long").says("NO OPINION").says("DENY");
        project.run(&[&line[..], &["--deny-open"]].concat()).code(1);
        let document = project.run(&[&line[..], &["--json"]].concat()).code(0).json();
        let mishaps = document["hooks"][0]["mishaps"].as_array().unwrap().clone();
        let fall = |id: &str| mishaps.iter().find(|fall| fall["mishap"] == id).unwrap().clone();
        for id in ["timed-out", "crashed", "killed", "not-started", "not-found"] {
            assert_eq!(fall(id)["fails_open"], true, "{vendor} {id}");
            assert_eq!(fall(id)["strict_decision"]["action"], "deny", "{vendor} {id}");
        }
        for id in ["cut-off", "cancelled"] {
            assert_eq!(fall(id)["decision"]["action"], "deny", "{vendor} {id}");
            assert_eq!(fall(id)["fails_open"], false, "{vendor} {id}");
        }
    }
}

#[test]
fn a_definition_that_fails_closed_does_not_fail_open() {
    // Cursor's page, options: `failClosed`.
    let project = guarded("cursor", "exit 0", r#","failClosed":true"#);
    let line = ["badday", "tool.before", "--command", "ls", "--deny-open"];
    project.run(&line).code(0).says("Nothing fails open").says("a failure blocks");
}

#[test]
fn nothing_is_run() {
    let project = guarded("claude", "touch ran", "");
    project.run(&["badday", "tool.before", "--command", "ls"]).code(0);
    project.run(&["why", "tool.before", "--command", "ls"]).code(0);
    assert!(!project.root().join("ran").exists());
}

#[test]
fn other_handlers_have_other_bad_days() {
    let text = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"http","url":"https://example.com/hook"},
        {"type":"prompt","prompt":"is $ARGUMENTS fine?"}]}]}}"#;
    let project = Project::new().with(".claude/settings.json", text);
    let document = project.run(&["badday", "PreToolUse", "--command", "ls", "--json"]).code(0).json();
    let ids = |hook: usize| -> Vec<String> {
        let mishaps = document["hooks"][hook]["mishaps"].as_array().unwrap();
        mishaps.iter().map(|fall| fall["mishap"].as_str().unwrap().to_owned()).collect()
    };
    assert!(ids(0).contains(&"status-500".to_owned()) && ids(1).contains(&"no-model".to_owned()), "{document}");
}

#[test]
fn where_nothing_runs_that_is_said() {
    let project = guarded("claude", "exit 0", "");
    project.run(&["badday", "Stop"]).code(0).says("No hook runs here");
}

/// A stop hook holds the end of the turn back. Cursor's page, options: `failClosed` is about what is pending, and a stop
/// hook that fails lets the turn end.
#[test]
fn on_a_stop_the_turn_ends() {
    for (vendor, event) in [("cursor", "stop"), ("claude", "Stop"), ("codex", "Stop")] {
        let project = with_hook(vendor, event);
        let ran = project.run(&["badday", event, "--vendor", vendor]).code(0);
        ran.says("FAILS OPEN: the hook did not do its work, and the turn ends.")
            .says("nothing in its definition can make a failure block");
        project.run(&["badday", event, "--vendor", vendor, "--deny-open"]).code(1);
    }
}

/// Claude Code's page, section 8: a run in the background decides nothing, however it ends.
#[test]
fn what_runs_in_the_background_has_no_say_for_a_strict_host_either() {
    let project = guarded("claude", "exit 0", r#","async":true"#);
    let document = project.run(&["badday", "PreToolUse", "--command", "ls", "--json"]).code(0).json();
    let mishaps = document["hooks"][0]["mishaps"].as_array().unwrap();
    assert!(mishaps.len() > 8, "{document}");
    for fall in mishaps {
        assert_eq!(fall["decision"]["action"], "no-opinion", "{fall}");
        assert_eq!(fall["strict_decision"]["action"], "no-opinion", "{fall}");
    }
}

/// Claude Code's page, section 3: a file that is no JSON gives no hook, so its guards do not run at all.
#[test]
fn a_rejected_file_is_told_and_fails_a_build() {
    let project = Project::new().with(".claude/settings.json", r#"{"hooks":{"PreToolUse":["#);
    let line = ["badday", "PreToolUse", "--command", "ls", "--deny-open"];
    project.run(&line).code(1).says("claude rejects .claude/settings.json as a whole: no hook in it runs.");
    let document = project.run(&[&line[..], &["--json"]].concat()).code(1).json();
    assert!(document["rejected"].to_string().contains("settings.json"), "{document}");
    let ran = project.run(&["why", "PreToolUse", "--command", "ls"]).code(0).says("No hook runs");
    assert!(!ran.stdout.contains("no hook files"), "{}", ran.stdout);
}
