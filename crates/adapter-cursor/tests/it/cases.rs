//! Whole firings as the vendor's documents tell them: a configuration, a trigger and what the hook does, to what the
//! host does. Each goes through parse, activate, select, encode, decode, settle and decide.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use adapter_cursor::vendor;
use hooks_conformance::{Given, sample};
use hooks_core::activate::{AdmitAll, VendorSources, activate};
use hooks_core::adapter::DecodePolicy;
use hooks_core::effects::{Failure, ResultReplacement, reduce};
use hooks_core::envelope::Payload;
use hooks_core::outcome::{End, Outcome};
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::tool::{Shell, ToolAction};
use hooks_core::{
    Action, Decision, Envelope, HostProfile, HostSide, RawJson, SessionState, ToolCall, decide, select, settle,
};
use serde_json::{Value, json};

fn cases() -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus/cursor/cases.json");
    let file: Value = serde_json::from_slice(&std::fs::read(path).expect("cases")).expect("JSON");
    file["cases"].as_array().expect("cases").clone()
}

fn origin(file: &str) -> Origin {
    if file.starts_with('~') { Origin::User } else { Origin::Project }
}

/// The documents of a case: one with its content, or one for each hook that is told of.
fn documents(case: &Value) -> Vec<Arc<Source>> {
    let source = |file: &str, content: &Value| {
        let bytes = serde_json::to_vec(content).expect("JSON");
        Arc::new(Source::hooks(vendor().vendor().clone(), origin(file), Syntax::Json, file, bytes))
    };
    let config = &case["config"];
    match config["files"].as_array() {
        None => vec![source(config["file"].as_str().expect("a file"), &config["content"])],
        Some(files) => {
            let event = case["event"].as_str().expect("an event");
            let content = json!({ "version": 1, "hooks": { event: [{ "command": "./hook" }] } });
            files.iter().map(|file| source(file["file"].as_str().expect("a file"), &content)).collect()
        }
    }
}

fn occurrence(case: &Value) -> Envelope {
    let event = case["event"].as_str().expect("an event");
    let trigger = &case["trigger"];
    let text = |key: &str| trigger[key].as_str().map(ToOwned::to_owned);
    let given = Given { tool: text("tool_name"), status: text("status"), ..Given::default() };
    let mut envelope = sample::envelope(&vendor(), event, &given).expect("an occurrence");
    match &mut envelope.payload {
        Payload::ToolBefore(tool) => {
            if let Some(command) = text("command") {
                tool.call = ToolCall::new(ToolAction::Shell(Shell { command, cwd: text("cwd"), ..Shell::default() }));
            }
        }
        Payload::PromptSubmit(prompt) => prompt.text = text("prompt").expect("a prompt"),
        Payload::TurnStop(stop) => {
            stop.loop_count = trigger["loop_count"].as_u64().and_then(|n| u32::try_from(n).ok()).expect("a count");
        }
        _ => {}
    }
    envelope
}

fn outcome(hook: &Value) -> Outcome {
    let stdout = hook["stdout"].as_str().expect("stdout");
    let end = match hook["exit_code"].as_i64() {
        Some(code) => End::Exited(i32::try_from(code).expect("a code")),
        None => End::TimedOut,
    };
    let stderr = hook["stderr"].as_str().expect("stderr").as_bytes().to_vec();
    Outcome { stdout: stdout.as_bytes().to_vec(), stderr, ..Outcome::ended(end) }
}

/// What one firing came to.
struct Fired {
    runs: usize,
    failures: Vec<Failure>,
    decision: Decision,
    session: SessionState,
}

fn fire(case: &Value) -> Fired {
    let adapter = Arc::new(vendor());
    let documents: Vec<_> = documents(case).iter().map(|source| adapter.parse(source)).collect();
    assert!(documents.iter().all(|document| !document.rejected), "{case}");
    let vendors = vec![VendorSources { adapter: adapter.clone(), documents }];
    let snapshot = activate(vendors, &HostProfile::full(), &AdmitAll).expect("a snapshot");
    let envelope = occurrence(case);
    let mut session = SessionState::default();
    if let Payload::TurnStop(stop) = &envelope.payload {
        for binding in snapshot.bindings() {
            session.continued.insert(binding.id.clone(), stop.loop_count);
        }
    }
    let chosen = select(&snapshot, &envelope, &session);
    let mut stdin = Vec::new();
    let mut effects = Vec::new();
    for (choice, at) in chosen.iter().zip(0..) {
        adapter.encode(choice.binding, &envelope, &mut stdin).expect("an invocation");
        let hook = match case["hook"].as_array() {
            None => &case["hook"],
            Some(hooks) => {
                let origin = choice.binding.source.origin.as_str();
                hooks.iter().find(|hook| hook["source"] == origin).expect("a hook of the source")
            }
        };
        let outcome = Outcome { finished: at, ..outcome(hook) };
        effects.push(adapter.decode(choice.binding, &envelope, &outcome, DecodePolicy::default()));
    }
    let failures = effects.iter().filter_map(|effects| effects.failure.clone()).collect();
    let runs = effects.len();
    let settled = settle(reduce(effects), adapter.merge_policy(envelope.boundary()), false);
    let (decision, session) = decide(settled, envelope.boundary(), &HostProfile::full(), session);
    Fired { runs, failures, decision, session }
}

/// The settled case that is not held to: an older page lets the higher-priority source win, the newest says that a
/// denial beats an allow whatever the source. Denying is also what lets nothing through.
const OVERRULED: &str = "cursor-project-beats-user";

#[test]
fn settled_cases_come_out_as_documented() {
    let mut settled = 0;
    for case in cases().iter().filter(|case| case["expected"]["status"] == "settled") {
        settled += 1;
        let id = case["id"].as_str().expect("an id");
        let Fired { runs, failures, decision, session } = fire(case);
        let expected = &case["expected"];
        let texts = |said: &[hooks_core::Said<String>]| said.iter().map(|said| said.value.clone()).collect::<Vec<_>>();
        if id == OVERRULED {
            assert_eq!((runs, decision.action), (2, Action::Deny), "{id}");
            continue;
        }
        assert_eq!(runs, 1, "{id}");
        match expected["action"].as_str() {
            Some("blocked") => {
                let blocked = decision.action == Action::Deny || decision.halt.is_some();
                assert!(blocked, "{id}: {decision:?}");
            }
            Some("proceeds") => {
                assert!(matches!(decision.action, Action::NoOpinion | Action::Approve), "{id}: {decision:?}");
                assert!(decision.halt.is_none(), "{id}");
            }
            Some("prompts-user") => assert_eq!(decision.action, Action::Ask, "{id}"),
            Some("turn-ends") => assert!(decision.continuations.is_empty(), "{id}"),
            Some("unchanged") => assert!(decision.result.is_none(), "{id}"),
            None => {}
            Some(other) => panic!("{id}: {other}"),
        }
        if let Some(word) = expected["decision"].as_str() {
            assert_eq!(decision.action.as_str(), word, "{id}");
        }
        if let Some(message) = expected["message"].as_str() {
            let mut said = texts(&decision.to_model);
            said.extend(texts(&decision.to_user));
            said.extend(decision.halt.as_ref().and_then(|halt| halt.value.reason.clone()));
            assert!(said.iter().any(|text| text == message), "{id}: {said:?}");
        }
        if let Some(context) = expected["context"].as_str() {
            assert_eq!(texts(&decision.to_model), [context], "{id}");
        }
        if let Some(env) = expected["env"].as_object() {
            let ours: BTreeMap<_, _> =
                session.env.values().flatten().map(|(k, v)| (k.clone(), v.value.clone())).collect();
            let theirs = env.iter().map(|(k, v)| (k.clone(), v.as_str().expect("text").to_owned())).collect();
            assert_eq!(ours, theirs, "{id}");
        }
        assert_eq!(!failures.is_empty(), expected["hook_status"] == "failed", "{id}: {failures:?}");
        if let Some(runs_it) = expected["runs"].as_bool() {
            assert_eq!(runs == 1, runs_it, "{id}");
        }
    }
    assert_eq!(settled, 14);
}

/// What is done where the sources disagree.
#[test]
fn disputed_cases_are_recorded() {
    let disputed: Vec<_> = cases().into_iter().filter(|case| case["expected"]["status"] != "settled").collect();
    assert_eq!(disputed.len(), 1);
    let case = &disputed[0];
    // The newest page, reports and the first design block; an older page lets it through.
    assert_eq!(case["id"], "cursor-plain-text-on-permission-event");
    let Fired { failures, decision, .. } = fire(case);
    assert_eq!(decision.action, Action::Deny);
    assert!(matches!(failures[..], [Failure::Malformed(_)]));
}

/// Only a tool server's result is replaced, and only by an object.
#[test]
fn a_tool_servers_result_is_replaced() {
    let mut case = cases().into_iter().find(|case| case["id"] == "cursor-mcp-output-on-shell").expect("the case");
    assert!(fire(&case).decision.result.is_none());
    case["trigger"]["tool_name"] = json!("MCP:echo");
    let result = fire(&case).decision.result.expect("a result").value;
    assert_eq!(result, ResultReplacement::Json(RawJson::from(&json!({ "text": "x" }))));
}
