//! What the vectors leave out and still has to hold, as far as no other test holds it, and the page that lists it row by row.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adapter_claude::{Adapter, VENDOR};
use hooks_conformance::{Given, effects_json, sample};
use hooks_core::adapter::DecodePolicy;
use hooks_core::effects::{Effect, Verdict};
use hooks_core::outcome::{Completion, Outcome};
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::{Binding, HookEffects, HostSide, SessionState};
use serde_json::{Value, json};

fn decoded(event: &str, stdout: &str) -> HookEffects {
    let adapter = Adapter::latest();
    let envelope = sample::envelope(&adapter, event, &Given::default()).expect("an occurrence");
    let binding = Binding::alone(adapter.blank(event).expect("an event"));
    adapter.decode(&binding, &envelope, &Outcome::exited(0, stdout), DecodePolicy::default())
}

fn nested(event: &str, mut fields: Value) -> String {
    fields["hookEventName"] = json!(event);
    json!({ "hookSpecificOutput": fields }).to_string()
}

#[test]
fn the_rules_of_a_run_are_the_client_s() {
    let adapter = Adapter::latest();
    for event in ["PreToolUse", "Stop", "SessionEnd"] {
        let envelope = sample::envelope(&adapter, event, &Given::default()).expect("an occurrence");
        let mut definition = adapter.blank(event).expect("an event");
        definition.handler = hooks_core::Handler::Command(hooks_core::handler::CommandHandler {
            command: "x".into(),
            ..Default::default()
        });
        let run = adapter.encode(&Binding::alone(definition), &envelope, &mut Vec::new()).expect("an invocation");
        assert_eq!(run.rules.completion, Completion::CompleteJson, "{event}");
        assert_eq!(run.rules.kill_grace.as_secs(), 2, "{event}");
    }
}

/// However long a text is, an answer comes to what it comes to with a short one.
#[test]
fn long_texts_come_to_what_short_ones_do() {
    let events = [
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "Stop",
        "SubagentStop",
        "UserPromptSubmit",
        "SessionStart",
        "PermissionRequest",
    ];
    for event in events {
        let context = |text: &str| nested(event, json!({ "additionalContext": text }));
        let plain = |text: &str| text.to_owned();
        let shapes: [&dyn Fn(&str) -> String; 2] = [&context, &plain];
        for shape in shapes {
            let form = |text: &str| {
                let effects = decoded(event, &shape(text));
                let mut form = effects_json(&effects);
                form.as_object_mut().expect("an object").remove("run");
                (effects.failure.is_some(), form.to_string().replace(text, "@"))
            };
            let short = form("zqzq");
            for length in [5_000, 9_999, 10_000, 10_001, 12_000, 20_000] {
                assert_eq!(form(&"zq".repeat(length / 2)), short, "{event} {length}");
            }
        }
    }
    for fields in [json!({ "additionalContext": "C" }), json!({ "somethingElse": 1 })] {
        let effects = decoded("PermissionRequest", &nested("PermissionRequest", fields));
        assert!(effects.failure.is_some() && effects.effects.is_empty(), "{effects:?}");
    }
    assert!(decoded("PermissionRequest", &"x".repeat(20_000)).effects.is_empty());
}

#[test]
fn a_long_denial_denies() {
    for length in [70_000, 2 << 20, 40 << 20] {
        let long = "x".repeat(length);
        for answer in [
            nested("PreToolUse", json!({ "permissionDecision": "deny", "permissionDecisionReason": long })),
            json!({ "decision": "block", "reason": "R", "more": long }).to_string(),
        ] {
            let effects = decoded("PreToolUse", &answer);
            assert!(effects.failure.is_none(), "{length}");
            let denies = |effect: &Effect| matches!(effect, Effect::Verdict { verdict: Verdict::Deny, .. });
            assert!(effects.effects.iter().any(denies), "{length}");
        }
    }
}

/// What the tool cannot take is handed on with the refusal, so that neither input runs.
#[test]
fn a_rewrite_that_does_not_fit_carries_a_refusal() {
    let refused = |event: &str, stdout: &str| {
        let effects = decoded(event, stdout);
        let mut rewrites = effects.effects.iter().filter_map(|effect| match effect {
            Effect::ReplaceInput(rewrite) => Some(rewrite.call.is_err()),
            _ => None,
        });
        assert_eq!((rewrites.next(), rewrites.next()), (Some(true), None), "{event} {stdout}");
    };
    for input in [json!({ "description": "d" }), json!({}), json!({ "command": 5 }), json!({ "zzz": 1 })] {
        refused("PreToolUse", &nested("PreToolUse", json!({ "permissionDecision": "allow", "updatedInput": input })));
        let decision = json!({ "behavior": "allow", "updatedInput": input });
        refused("PermissionRequest", &nested("PermissionRequest", json!({ "decision": decision })));
    }
}

/// Blocks in a row count until a tool is called.
#[test]
fn a_tool_call_ends_the_row_that_the_cap_counts() {
    let adapter = Adapter::latest();
    let mut session = SessionState::default();
    for (event, left) in [("Stop", Some(8)), ("PreToolUse", None)] {
        session.continued_by_vendor.insert(VENDOR, 8);
        session.observe(&sample::envelope(&adapter, event, &Given::default()).expect("an occurrence"));
        assert_eq!(session.continued_by_vendor.get(&VENDOR).copied(), left, "{event}");
    }
}

/// A plugin may ask for less time at the end of a session, and not for more.
#[test]
fn plugins_are_not_granted_a_longer_end() {
    let handler = |timeout: u32| json!({ "type": "command", "command": "x", "timeout": timeout });
    let document = json!({ "hooks": { "SessionEnd": [{ "hooks": [handler(1), handler(5), handler(500)] }] } });
    let limits = |origin| {
        let text = document.to_string().into_bytes();
        let source = Source::hooks(VENDOR, origin, Syntax::Json, "x", text);
        let parsed = Adapter::latest().parse(&Arc::new(source));
        parsed.definitions.iter().map(|definition| definition.timeout.as_millis()).collect::<Vec<_>>()
    };
    assert_eq!(limits(Origin::Project), [1_000, 5_000, 60_000]);
    assert_eq!(limits(Origin::Plugin), [1_000, 1_500, 1_500]);
}

/// The tests of this folder, as `module::function`.
fn tests(folder: &Path) -> BTreeSet<String> {
    let mut tests = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("tests") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let module = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a module");
        let mut marked = false;
        for line in text.lines().map(str::trim) {
            if line == "#[test]" || line.starts_with("#[tokio::test") {
                marked = true;
            } else if !line.starts_with("#[") && !line.starts_with("//") {
                let line = line.strip_prefix("async ").unwrap_or(line);
                let name = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next());
                if let (true, Some(name)) = (marked, name) {
                    tests.insert(format!("{module}::{name}"));
                }
                marked = false;
            }
        }
    }
    tests
}

fn json_file(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("json")
}

/// The vectors, as `file/id`.
fn vectors(folder: &Path) -> BTreeSet<String> {
    let mut vectors = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("vectors") {
        let path = entry.expect("an entry").path();
        let file = path.file_stem().expect("a name").to_string_lossy().into_owned();
        for vector in json_file(&path)["vectors"].as_array().into_iter().flatten() {
            vectors.insert(format!("{file}/{}", vector["id"].as_str().expect("an id")));
        }
    }
    vectors
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// The page has one row for each entry, in its order, and names tests and vectors that exist.
#[test]
fn the_page_has_a_row_for_each_entry() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../../docs/decisions/claude-excluded.md")).expect("the page");
    let folder = root.join("../../fixtures/vectors/claude");
    let excluded = json_file(&folder.join("excluded.json"));
    let entries = excluded["excluded"].as_array().expect("entries");
    let (mut tests, vectors) = (tests(&root.join("tests/it")), vectors(&folder));
    // What a process or a session does is the runtime's to show.
    tests.extend(self::tests(&root.join("../hooks-runtime/tests/it")));
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| #"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), entries.len());
    for ((row, entry), number) in rows.iter().zip(entries).zip(1..) {
        let [at, left_out, done, held] = row.as_slice() else { panic!("{number}: {row:?}") };
        assert_eq!(*at, number.to_string());
        assert!(!done.is_empty(), "{number}");
        let first = quoted(left_out).first().and_then(|name| name.split('*').next()).expect("a case");
        let mut cases = entry["cases"].as_array().expect("cases").iter().filter_map(Value::as_str);
        assert!(cases.any(|case| case.contains(first)), "{number}: {first} is no case of the entry");
        if let Some(why) = held.strip_prefix("nothing to hold: ") {
            assert!(why.len() > 10, "{number}");
            continue;
        }
        let names = quoted(held);
        assert!(!names.is_empty(), "{number}");
        for name in names {
            assert!(tests.contains(name) || vectors.contains(name), "{number}: no test and no vector {name}");
        }
    }
}
