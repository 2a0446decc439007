//! From a document to a decision, through core: the five families.

use std::sync::Arc;

use adapter_codex::Adapter;
use hooks_conformance::{Given, sample};
use hooks_core::activate::AdmitAll;
use hooks_core::outcome::{Completion, Program, ShellKind};
use hooks_core::source::{Origin, Plugin, Source, Syntax};
use hooks_core::{
    Action, DecodePolicy, Envelope, HostProfile, HostSide, Outcome, SessionState, Snapshot, VendorSources, activate,
    decide, reduce, select, settle,
};

fn snapshot(document: &str) -> Snapshot {
    snapshot_of(source(document))
}

fn source(document: &str) -> Source {
    let vendor = Adapter::latest().vendor().clone();
    Source::hooks(vendor, Origin::User, Syntax::Json, "/home/dev/.codex/hooks.json", document.as_bytes().to_vec())
}

fn snapshot_of(source: Source) -> Snapshot {
    let adapter = Adapter::latest();
    let documents = vec![adapter.parse(&Arc::new(source))];
    let mut host = HostProfile::full();
    host.handlers.insert(hooks_core::handler::HandlerKind::McpTool);
    activate(vec![VendorSources { adapter: Arc::new(adapter), documents }], &host, &AdmitAll).unwrap()
}

fn occurrence(event: &str) -> Envelope {
    sample::envelope(&Adapter::latest(), event, &Given::default()).expect("a sample")
}

/// Fires an event at a document with one group of as many handlers as there are outcomes.
fn fire(event: &str, outcomes: &[Outcome]) -> hooks_core::Decision {
    let handlers = vec![r#"{"type":"command","command":"./hook"}"#; outcomes.len()].join(",");
    let snapshot = snapshot(&format!(r#"{{"hooks":{{"{event}":[{{"hooks":[{handlers}]}}]}}}}"#));
    let envelope = occurrence(event);
    let adapter = Adapter::latest();
    let mut session = SessionState::default();
    let chosen = select(&snapshot, &envelope, &session);
    assert_eq!(chosen.len(), outcomes.len());
    let mut stdin = Vec::new();
    let effects: Vec<_> = chosen
        .iter()
        .zip(outcomes)
        .map(|(choice, outcome)| {
            let invocation = adapter.encode(choice.binding, &envelope, &mut stdin).unwrap();
            assert_eq!(invocation.program, Program::ShellText { shell: ShellKind::UserLogin, text: "./hook".into() });
            assert_eq!(invocation.rules.completion, Completion::EndOfFile);
            assert!(invocation.rules.kill_grace.is_zero() && invocation.env.is_empty());
            assert!(invocation.env_scrub.iter().any(|name| name == "CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN"));
            adapter.decode(choice.binding, &envelope, outcome, DecodePolicy::default())
        })
        .collect();
    let settled = settle(reduce(effects), adapter.merge_policy(envelope.boundary()), false);
    let (decision, after) = decided(settled, &envelope, &session);
    session = after;
    let _ = session;
    decision
}

fn decided(
    settled: hooks_core::Settled,
    envelope: &Envelope,
    session: &SessionState,
) -> (hooks_core::Decision, SessionState) {
    decide(settled, envelope.boundary(), &HostProfile::full(), session.clone())
}

fn finished(at: u32, code: i32, stdout: &str, stderr: &str) -> Outcome {
    Outcome { finished: at, stderr: stderr.as_bytes().to_vec(), ..Outcome::exited(code, stdout) }
}

#[test]
fn pre_tool_use_the_first_deny_declared_leads() {
    let decision =
        fire("PreToolUse", &[finished(1, 0, "", ""), finished(2, 2, "", "first"), finished(0, 2, "", "second")]);
    assert_eq!(decision.action, Action::Deny);
    assert_eq!(decision.to_model[0].value, "first");
    assert_eq!(fire("PreToolUse", &[finished(0, 1, "", "boom")]).action, Action::NoOpinion);
}

#[test]
fn post_tool_use_feedback_takes_the_results_place() {
    let block = |reason: &str| format!(r#"{{"decision":"block","reason":"{reason}"}}"#);
    let decision = fire("PostToolUse", &[finished(1, 0, &block("a"), ""), finished(0, 0, &block("b"), "")]);
    let result = decision.result.expect("a result");
    assert_eq!(result.value, hooks_core::effects::ResultReplacement::Text("a\n\nb".into()));
    assert!(decision.halt.is_none());
}

#[test]
fn session_start_gives_context() {
    let decision = fire("SessionStart", &[finished(0, 0, "plain words\n", "")]);
    assert!(decision.to_model.iter().any(|text| text.value == "plain words"));
}

#[test]
fn user_prompt_submit_refuses() {
    let decision = fire("UserPromptSubmit", &[finished(0, 2, "", "secret")]);
    assert_eq!(decision.halt.expect("a halt").value.reason.as_deref(), Some("secret"));
}

#[test]
fn stop_goes_on_unless_one_stops() {
    let go_on = r#"{"decision":"block","reason":"more"}"#;
    let decision = fire("Stop", &[finished(0, 0, go_on, "")]);
    assert_eq!(decision.continuations.len(), 1);
    let decision = fire("Stop", &[finished(0, 0, go_on, ""), finished(1, 0, r#"{"continue":false}"#, "")]);
    assert!(decision.continuations.is_empty() && decision.halt.is_some());
}

#[test]
fn a_matcher_selects_by_name_or_alias_and_the_hook_runs_once() {
    let snapshot = snapshot(
        r#"{"hooks":{"PreToolUse":[{"matcher":"Write|apply_patch|Edit","hooks":[{"type":"command","command":"a"}]},
           {"matcher":"^Wri","hooks":[{"type":"command","command":"b"}]},
           {"matcher":"Bash","hooks":[{"type":"command","command":"c"}]}]}}"#,
    );
    let envelope = sample::envelope(
        &Adapter::latest(),
        "PreToolUse",
        &serde_json::from_value(serde_json::json!({"tool": "apply_patch"})).unwrap(),
    )
    .expect("a sample");
    let chosen = select(&snapshot, &envelope, &SessionState::default());
    let labels: Vec<_> = chosen.iter().map(|choice| choice.binding.handler.label()).collect();
    assert_eq!(labels, ["a", "b"]);
}

#[test]
fn plugins_get_their_variables() {
    let document = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"${PLUGIN_ROOT}/a ${CLAUDE_PLUGIN_DATA} ${HOME}"}]}]}}"#;
    let mut plugin = source(document);
    plugin.origin = Origin::Plugin;
    plugin.plugin = Some(Plugin { name: "p".into(), root: "/p q".into(), data: Some("/d".into()), marketplace: None });
    let snapshot = snapshot_of(plugin);
    let envelope = occurrence("Stop");
    let invocation = Adapter::latest().encode(&snapshot.bindings()[0], &envelope, &mut Vec::new()).unwrap();
    let Program::ShellText { text, .. } = invocation.program else { panic!("no shell text") };
    assert_eq!(text, "/p q/a /d ${HOME}");
    let names: Vec<_> = invocation.env.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT", "PLUGIN_DATA", "CLAUDE_PLUGIN_DATA"]);
}

#[test]
fn tools_of_tool_servers_are_the_hosts_to_run() {
    let document = |path: &str| {
        format!(
            r#"{{"hooks":{{"Stop":[{{"hooks":[{{"type":"mcp_tool","server":"s","tool":"t","input":{{"x":"${{{path}}}"}}}}]}}]}}}}"#
        )
    };
    let envelope = occurrence("Stop");
    let encode = |path: &str| {
        let snapshot = snapshot(&document(path));
        Adapter::latest().encode(&snapshot.bindings()[0], &envelope, &mut Vec::new())
    };
    let Program::Hosted(handler) = encode("stop_hook_active").unwrap().program else { panic!("not hosted") };
    let hooks_core::Handler::McpTool(tool) = *handler else { panic!("no tool") };
    assert_eq!(tool.input.get(), r#"{"x":false}"#);
    assert!(encode("no.such.path").is_err());
}
