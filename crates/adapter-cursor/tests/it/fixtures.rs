//! The files below `fixtures/cursor`: every case of every event (what is written for a made-up occurrence, what an answer
//! comes to), and the first design's sample configurations. Their README says where each is from.

use std::path::{Path, PathBuf};

use adapter_cursor::events::EVENTS;
use adapter_cursor::{Adapter, phase1, vendor};
use hooks_conformance::fixture::Case;
use hooks_conformance::{Given, sample};
use hooks_core::adapter::{DecodePolicy, Parsed};
use hooks_core::definition::{FailurePolicy, LoopLimit, State};
use hooks_core::envelope::{Attachment, Model, Payload};
use hooks_core::outcome::Outcome;
use hooks_core::tool::{Mcp, ToolAction};
use hooks_core::{Envelope, HookSide, HostSide, Matcher, RawJson, Severity, ToolCall};
use serde_json::{Value, json};

use crate::support::{binding, parse, stdin};

/// The case whose answer has every documented field.
const EVERY_FIELD: &str = "every-field";

const CONFIGS: [&str; 5] =
    ["full_config.json", "invalid_matcher.json", "unknown_event.json", "prompt_hook.json", "claude_shape_output.json"];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cursor")
}

fn text(path: impl AsRef<Path>) -> String {
    let path = folder().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The cases, with their folders' files and lines checked.
pub(crate) fn cases() -> Vec<Case> {
    let events = EVENTS.iter().map(|event| event.facts.name);
    hooks_conformance::fixture::cases(&folder(), events).unwrap_or_else(|error| panic!("{error}"))
}

/// The made-up occurrence that an event's files are about: the conformance crate's own, with more of what Cursor's page
/// lists.
fn occurrence(event: &str) -> Envelope {
    let mut envelope = sample::envelope(&vendor(), event, &Given::default()).expect("an occurrence");
    envelope.common.model = Some(Model {
        slug: "sample-model-1".into(),
        id: Some("sample-model-1-20261001".into()),
        params: vec![("thinking".into(), "true".into())],
    });
    match (&mut envelope.payload, event) {
        (Payload::ToolResult(returned), "postToolUse") => {
            let arguments = RawJson::parse(r#"{"message":"hello"}"#).expect("JSON");
            returned.tool.call = ToolCall::new(ToolAction::Mcp(Mcp::new("", "echo", arguments)));
            returned.result = sample::result(&returned.tool.call);
        }
        (Payload::SessionEnd(end), _) => {
            end.reason = Some("user_close".into());
            end.error_message = Some("none".into());
        }
        (Payload::SubagentStop(stop), _) => stop.modified_files = vec![format!("{}/tests/a.rs", sample::PROJECT)],
        (Payload::PromptSubmit(prompt), _) => {
            let attached = |kind: &str, path: &str| Attachment {
                kind: Some(kind.into()),
                path: format!("{}/{path}", sample::PROJECT),
            };
            prompt.attachments = vec![attached("file", "src/main.rs"), attached("rule", ".cursor/rules/style.mdc")];
        }
        (Payload::ToolBefore(tool), "preToolUse") => shell(&mut tool.call, |shell| shell.is_read_only = Some(false)),
        (Payload::ToolFailure(failed), _) => shell(&mut failed.tool.call, |shell| shell.is_read_only = Some(false)),
        (Payload::ToolBefore(tool), _) => shell(&mut tool.call, |shell| shell.sandbox = Some(false)),
        (Payload::ToolResult(returned), _) => shell(&mut returned.tool.call, |shell| shell.sandbox = Some(false)),
        _ => {}
    }
    envelope
}

fn shell(call: &mut ToolCall, change: impl FnOnce(&mut hooks_core::tool::Shell)) {
    if let ToolAction::Shell(shell) = &mut call.action {
        change(shell);
    }
}

/// A payload with the members that hold JSON as text read as JSON.
fn opened(mut payload: Value) -> Value {
    let members = payload.as_object_mut().expect("an object");
    for key in ["tool_input", "tool_output", "result_json"] {
        if let Some(Value::String(text)) = members.get(key) {
            let inner: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{key}: {error}"));
            members.insert(key.to_owned(), json!({ "text of": inner }));
        }
    }
    payload
}

#[test]
fn every_configuration_has_a_line() {
    let readme = text("README.md");
    for name in CONFIGS.iter().map(|name| format!("| `{name}` | ")) {
        assert!(readme.contains(&name), "the README says nothing on {name}");
    }
}

#[test]
fn an_occurrence_is_written_as_the_page_lists_it() {
    for case in cases() {
        let name = case.event.as_str();
        let written = stdin(&vendor(), name, &occurrence(name));
        assert_eq!(opened(written), opened(serde_json::from_str(&case.stdin).expect("JSON")), "{}", case.label());
    }
}

/// The same files from the hook's side: what is read from them is written as them again.
#[test]
fn what_is_read_from_a_payload_is_written_as_it_was() {
    for case in cases() {
        let (name, label) = (case.event.as_str(), case.label());
        let (facts, envelope) =
            vendor().read_stdin(case.stdin.as_bytes()).unwrap_or_else(|error| panic!("{label}: {error}"));
        assert_eq!(facts.name, name);
        assert!(envelope.common.extra.is_empty(), "{label}: {:?}", envelope.common.extra);
        if let Some(boundary) = facts.boundary {
            assert_eq!(envelope.boundary(), boundary, "{label}");
        }
        let again = stdin(&vendor(), name, &envelope);
        assert_eq!(opened(again), opened(serde_json::from_str(&case.stdin).expect("JSON")), "{label}");
    }
}

#[test]
fn an_answer_asks_for_what_stands_beside_it() {
    for case in cases() {
        case.hold(&vendor(), &occurrence(&case.event)).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

/// Every documented field of an answer stands in the event's case of that name, and reading it makes a difference.
#[test]
fn every_documented_field_has_a_fixture_and_is_read() {
    let cases = cases();
    for event in &EVENTS {
        let name = event.facts.name;
        let case = cases.iter().find(|case| (case.event.as_str(), case.name.as_str()) == (name, EVERY_FIELD));
        let case = case.unwrap_or_else(|| panic!("{name} has no case `{EVERY_FIELD}`"));
        let envelope = occurrence(name);
        let hook = binding(&vendor(), name, "hook", FailurePolicy::Open);
        let decode = |answer: &Value| {
            let outcome = Outcome::exited(0, answer.to_string());
            vendor().decode(&hook, &envelope, &outcome, DecodePolicy::default())
        };
        let whole: Value = serde_json::from_slice(&case.outcome.stdout).expect("JSON");
        for field in event.facts.output {
            assert!(whole.get(field.path).is_some(), "{name}: {} has no fixture", field.path);
            let mut without = whole.clone();
            without.as_object_mut().expect("an object").remove(field.path);
            let differs = decode(&without) != decode(&whole);
            assert_eq!(differs, field.channel.is_some(), "{name}: {}", field.path);
        }
        let known: Vec<_> = event.facts.output.iter().map(|field| field.path).collect();
        let keys = whole.as_object().expect("an object").keys();
        assert!(keys.into_iter().all(|key| known.contains(&key.as_str())), "{name}: {whole}");
        assert!(decode(&whole).failure.is_none(), "{name}");
    }
}

/// The fields in Claude's shape, of which no event's own file has any.
#[test]
fn every_field_of_claudes_shape_is_read_where_the_table_says() {
    for event in EVENTS.iter().filter(|event| !event.claude_shape.is_empty()) {
        let name = event.facts.name;
        let (envelope, hook) = (occurrence(name), binding(&vendor(), name, "hook", FailurePolicy::Open));
        let decode = |answer: &Value| {
            let outcome = Outcome::exited(0, answer.to_string());
            vendor().decode(&hook, &envelope, &outcome, DecodePolicy::default())
        };
        let answers = match name {
            "preToolUse" => vec![serde_json::from_str(&text("claude_shape_output.json")).expect("JSON")],
            _ => vec![
                json!({ "decision": "block", "reason": "r" }),
                json!({ "hookSpecificOutput": { "decision": "block", "reason": "r" } }),
            ],
        };
        for field in event.claude_shape {
            let mut path = field.path.split('.');
            let (first, second) = (path.next().expect("a key"), path.next());
            let here = |answer: &&Value| match second {
                Some(second) => answer[first].get(second).is_some(),
                None => answer.get(first).is_some(),
            };
            let whole = answers.iter().find(here).unwrap_or_else(|| panic!("{name}: {}", field.path));
            let mut without = whole.clone();
            match second {
                Some(second) => without[first].as_object_mut().expect("an object").remove(second),
                None => without.as_object_mut().expect("an object").remove(first),
            };
            assert_ne!(decode(&without).effects, decode(whole).effects, "{name}: {}", field.path);
        }
    }
}

#[test]
fn every_cases_hooks_file_has_one_hook_on_it() {
    for case in cases() {
        let parsed = parse(&vendor(), &case.hooks);
        let told: Vec<_> = parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.about).collect();
        let event = vendor().row(&case.event).expect("a row");
        let expected: &[&str] = if event.facts.boundary.is_none() { &["no-boundary"] } else { &[] };
        assert_eq!(told, expected, "{}", case.label());
        let parsed = parse(&Adapter::latest(), &case.hooks);
        let loud = parsed.diagnostics.iter().filter(|told| told.severity > Severity::Info);
        assert_eq!(loud.count(), 0, "{}: {:?}", case.label(), parsed.diagnostics);
        assert_eq!(parsed.definitions.len(), 1, "{}", case.label());
        assert_eq!(parsed.definitions[0].place.event, case.event);
    }
}

fn reports(parsed: &Parsed) -> Vec<(&'static str, String)> {
    parsed.diagnostics.iter().map(|d| (d.code.about, d.pointer.clone().expect("a pointer"))).collect()
}

/// The eleven warnings and 18 bindings of the first design's sample, in its order (cases, section I).
#[test]
fn the_full_sample_has_eighteen_bindings_and_eleven_warnings() {
    let sample = text("full_config.json");
    let parsed = parse(&phase1(), &sample);
    let warning = |about: &'static str, at: &str| (about, format!("/hooks/{at}"));
    assert_eq!(
        reports(&parsed),
        [
            warning("never-fires", "sessionEnd/0"),
            warning("never-fires", "subagentStart/0"),
            warning("never-fires", "subagentStop/0"),
            warning("loop-limit-capped", "subagentStop/0/loop_limit"),
            warning("never-fires", "beforeReadFile/0"),
            warning("never-fires", "afterFileEdit/0"),
            warning("never-fires", "preCompact/0"),
            warning("loop-limit-capped", "stop/0/loop_limit"),
            warning("no-boundary", "beforeTabFileRead/0"),
            warning("no-boundary", "afterTabFileEdit/0"),
            warning("no-boundary", "workspaceOpen/0"),
        ]
    );
    let row = |definition: &hooks_core::Definition| {
        let matcher = definition.matcher_text.clone().filter(|text| !text.is_empty() && text != "*");
        (
            definition.place.event.clone(),
            matcher,
            definition.timeout.as_secs_f64(),
            definition.failure == FailurePolicy::Closed,
            definition.loop_limit.and_then(LoopLimit::number),
            !matches!(definition.matcher, Matcher::Never(_)),
        )
    };
    let bound: Vec<_> = parsed.definitions.iter().filter(|d| d.state == State::Live).map(row).collect();
    let expected = |event: &str, matcher: Option<&str>, timeout: f64, closed, limit, fires| {
        (event.to_owned(), matcher.map(ToOwned::to_owned), timeout, closed, limit, fires)
    };
    assert_eq!(
        bound,
        [
            expected("sessionStart", None, 60.0, false, None, true),
            expected("sessionEnd", None, 5.0, false, None, false),
            expected("preToolUse", Some("Shell|Write"), 10.0, true, None, true),
            expected("postToolUse", Some("MCP:.*"), 60.0, false, None, true),
            expected("postToolUseFailure", None, 60.0, false, None, true),
            expected("subagentStart", Some("explore|shell"), 30.0, true, None, false),
            expected("subagentStop", None, 60.0, false, Some(8), false),
            expected("beforeShellExecution", Some("curl|wget|nc "), 2.5, true, None, true),
            expected("afterShellExecution", Some("^git "), 60.0, false, None, true),
            expected("beforeMCPExecution", None, 30.0, true, None, true),
            expected("afterMCPExecution", None, 60.0, false, None, true),
            expected("beforeReadFile", Some("Read"), 30.0, false, None, false),
            expected("afterFileEdit", Some("Write"), 60.0, false, None, false),
            expected("beforeSubmitPrompt", Some("UserPromptSubmit"), 30.0, true, None, true),
            expected("preCompact", None, 60.0, false, None, false),
            expected("stop", Some("Stop"), 60.0, false, Some(8), true),
            expected("afterAgentResponse", Some("AgentResponse"), 60.0, false, None, true),
            expected("afterAgentThought", None, 60.0, false, None, true),
        ]
    );

    // Its variants: the keys reversed, a second definition, no version, one command missing.
    let file: Value = serde_json::from_str(&sample).expect("JSON");
    let members: Vec<String> = file["hooks"]
        .as_object()
        .expect("hooks")
        .iter()
        .rev()
        .map(|(key, value)| format!("{}:{value}", json!(key)))
        .collect();
    let reversed = parse(&phase1(), &format!(r#"{{"version":1,"hooks":{{{}}}}}"#, members.join(",")));
    assert_eq!(reversed.definitions.iter().filter(|d| d.state == State::Live).map(row).collect::<Vec<_>>(), bound);
    let mut second = file.clone();
    second["hooks"]["stop"].as_array_mut().expect("stop").push(json!({ "command": "hooks/second.sh" }));
    let second = parse(&phase1(), &second.to_string());
    let stops: Vec<_> = second.definitions.iter().filter(|d| d.place.event == "stop").map(|d| d.place.index).collect();
    assert_eq!(stops, [0, 1]);
    assert_eq!(second.definitions.iter().filter(|d| d.state == State::Live).count(), 19);
    for fault in ["/version", "/hooks/preCompact/0/command"] {
        let mut broken = file.clone();
        let (parent, key) = fault.rsplit_once('/').expect("a pointer");
        broken.pointer_mut(parent).expect("a parent").as_object_mut().expect("an object").remove(key);
        let parsed = parse(&phase1(), &broken.to_string());
        assert!(parsed.rejected && parsed.definitions.iter().all(|d| d.state != State::Live), "{fault}");
    }
}

#[test]
fn one_bad_matcher_takes_one_hook_with_it() {
    for adapter in [phase1(), vendor()] {
        let parsed = parse(&adapter, &text("invalid_matcher.json"));
        assert_eq!(reports(&parsed), [("matcher-not-regex", "/hooks/preToolUse/1/matcher".to_owned())]);
        let live: Vec<_> =
            parsed.definitions.iter().filter(|d| d.state == State::Live).map(|d| d.place.to_string()).collect();
        assert_eq!(live, ["preToolUse[0][0]", "preToolUse[0][2]", "stop[0][0]"]);
    }
}

#[test]
fn an_unknown_event_is_told_once() {
    for adapter in [phase1(), vendor()] {
        let parsed = parse(&adapter, &text("unknown_event.json"));
        assert_eq!(reports(&parsed), [("unknown-event", "/hooks/beforeShellExec".to_owned())]);
        assert_eq!(parsed.definitions.len(), 1);
    }
}

#[test]
fn a_prompt_hook_is_skipped_where_nothing_runs_it() {
    let parsed = parse(&phase1(), &text("prompt_hook.json"));
    assert_eq!(reports(&parsed), [("prompt-handler-skipped", "/hooks/beforeShellExecution/0".to_owned())]);
    let states: Vec<_> = parsed.definitions.iter().map(|d| (d.place.index, d.state.word())).collect();
    assert_eq!(states, [(0, "inert"), (1, "live")]);
    let parsed = parse(&vendor(), &text("prompt_hook.json"));
    assert!(parsed.diagnostics.is_empty() && parsed.definitions.iter().all(|d| d.state == State::Live));
}

#[test]
fn an_answer_in_claudes_shape_counts_before_a_tool_and_nowhere_else() {
    let answer = Outcome::exited(0, text("claude_shape_output.json"));
    for event in &EVENTS {
        let name = event.facts.name;
        let hook = binding(&vendor(), name, "hook", FailurePolicy::Open);
        let form = hooks_conformance::effects_json(&vendor().decode(
            &hook,
            &occurrence(name),
            &answer,
            DecodePolicy::default(),
        ));
        if name == "preToolUse" {
            assert_eq!(form["verdict"], "deny");
            assert_eq!(form["reasons"], json!(["Tests run in the pipeline."]));
            assert_eq!(form["replacement_input"], json!({ "command": "true" }));
        } else if event.can_block() && name != "beforeSubmitPrompt" {
            assert_eq!((&form["verdict"], &form["failed"]), (&json!("deny"), &json!(true)), "{name}");
            assert_eq!(form["unsupported"], json!(["hookSpecificOutput"]), "{name}");
        } else {
            assert!(form.get("verdict").is_none(), "{name}: {form}");
        }
    }
}
