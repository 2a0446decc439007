//! The hook's side: standard input read back, and answers that the host's side takes as they were meant.

use std::fs;

use adapter_codex::events::{EVENTS, Event, field, find};
use adapter_codex::{Adapter, DIALECT, Options};
use hooks_conformance::{Given, sample};
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{
    EnvChange, EnvReach, OnPending, PromptFate, ResultReplacement, Rewrite, Special, Unsupported,
};
use hooks_core::envelope::{
    AgentIdentity, Compaction, Model, ModelRequest, PermissionOrigin, PermissionRequest, Prompt, Provenance,
    SessionEnd, SessionStart, SubagentStart, SubagentStop, ToolReturned, ToolUse, TurnInterrupt, TurnStop,
};
use hooks_core::json::RawObject;
use hooks_core::tool::{McpResult, ResultKind, Shell, ShellResult};
use hooks_core::{
    Answer, Binding, Common, Continuation, DecodePolicy, Effect, Envelope, Halt, HookEffects, HookSide, HostSide,
    LoopLimit, Loss, Outcome, Payload, RawJson, ToolAction, ToolCall, ToolResult, Verdict, Version,
};
use proptest::prelude::*;
use serde_json::Value;

fn raw(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

fn encoded(event: &str, envelope: &Envelope) -> Vec<u8> {
    let adapter = Adapter::latest();
    let mut stdin = Vec::new();
    adapter.encode(&Binding::alone(adapter.blank(event).unwrap()), envelope, &mut stdin).unwrap();
    stdin
}

fn decoded(event: &str, envelope: &Envelope, answer: &Answer) -> HookEffects {
    let adapter = Adapter::latest();
    let outcome = Outcome { stderr: answer.stderr.clone(), ..Outcome::exited(answer.exit_code, answer.stdout.clone()) };
    adapter.decode(&Binding::alone(adapter.blank(event).unwrap()), envelope, &outcome, DecodePolicy::default())
}

fn written(event: &str, envelope: &Envelope, effects: &[Effect]) -> (Answer, Vec<Loss>) {
    Adapter::latest().write_answer(&find(event).unwrap().facts, envelope, effects)
}

fn occurrence(event: &str) -> Envelope {
    sample::envelope(&Adapter::latest(), event, &Given::default()).expect("a sample")
}

fn deny(reason: &str) -> Effect {
    Effect::Verdict { verdict: Verdict::Deny, reasons: vec![reason.to_owned()] }
}

/// The answer is none that the client refuses: only fields of the event, none with a value it does not support.
fn assert_is_accepted(event: &Event, envelope: &Envelope, answer: &Answer) -> HookEffects {
    let name = event.facts.name;
    let effects = decoded(name, envelope, answer);
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    assert!(effects.failure.is_none(), "{name}: {:?} of {text}", effects.failure);
    assert_eq!(answer.exit_code, 0);
    if text.is_empty() {
        return effects;
    }
    let value: Value = serde_json::from_str(&text).unwrap();
    if let Some(specific) = value.get(field::SPECIFIC) {
        assert_eq!(specific["hookEventName"], name);
        if specific["permissionDecision"] == "deny" {
            assert!(!specific["permissionDecisionReason"].as_str().unwrap().trim().is_empty());
        }
        if specific["permissionDecision"] == "allow" {
            assert!(specific.get("updatedInput").is_some());
        }
    }
    effects
}

#[test]
fn recorded_payloads_read_back_with_nothing_left_over() {
    let adapter = Adapter::latest();
    let mut seen = 0;
    for event in &EVENTS {
        let path = crate::fixtures("codex/payloads").join(format!("{}.json", event.facts.name));
        let recording: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        for sample in recording["samples"].as_array().unwrap() {
            let stdin = serde_json::to_vec(&sample["stdin"]).unwrap();
            let (facts, envelope) = adapter.read_stdin(&stdin).unwrap();
            assert_eq!(facts.name, event.facts.name);
            assert!(envelope.common.extra.is_empty(), "{}: {:?}", facts.name, envelope.common.extra);
            let again: Value = serde_json::from_slice(&encoded(facts.name, &envelope)).unwrap();
            assert_eq!(again, sample["stdin"], "{}", facts.name);
            seen += 1;
        }
    }
    assert!(seen >= 40, "{seen}");
}

#[test]
fn what_has_no_place_is_kept() {
    let stdin = br#"{"session_id":"s","hook_event_name":"Stop","model":5,"new_key":{"a":1.0},"stop_hook_active":"yes","new_key":[1]}"#;
    let (_, envelope) = Adapter::latest().read_stdin(stdin).unwrap();
    let extra: Vec<_> = envelope.common.extra.iter().map(|(key, raw)| (key.as_str(), raw.get())).collect();
    assert_eq!(extra, [("model", "5"), ("new_key", "[1]"), ("stop_hook_active", "\"yes\"")]);
    assert_eq!(envelope.common.model, None);
}

#[test]
fn the_order_of_keys_and_odd_inputs_change_nothing() {
    let read = |text: &str| Adapter::latest().read_stdin(text.as_bytes()).unwrap().1;
    let usual = read(r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"a\nb"}}"#);
    let ToolAction::Shell(shell) = &usual.payload.tool_use().unwrap().call.action else { panic!("no shell") };
    assert_eq!(shell.command, "a\nb");
    for text in [
        r#"{"tool_input":{"command":"a\nb"},"tool_name":"Bash","hook_event_name":"PreToolUse"}"#,
        r#"{"tool_input":1,"tool_name":"Bash","hook_event_name":"PreToolUse","tool_input":{"command":"a\nb"}}"#,
        r#"{"tool_name":"Bash","tool_input":{"command":1},"hook_event_name":"PreToolUse","tool_input":{ "comm\u0061nd" : "a\u000ab" }}"#,
    ] {
        assert_eq!(read(text), usual, "{text}");
    }
    // An input that is more, or other, than a command stays beside it as it was written.
    for input in
        [r#"{"command":"ls","workdir":1.0}"#, r#"{"cmd":"ls"}"#, "[1.0]", "null", "\"x\"", r#"{"command":1e999}"#]
    {
        let text = format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{input}}}"#);
        let call = read(&text).payload.tool_use().unwrap().call.clone();
        assert_eq!(call.raw.as_ref().map(RawJson::get), Some(input));
        assert_eq!(call, Adapter::latest().tool_call("Bash", &raw(input)));
    }
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let text = format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{deep},"x":{deep}}}"#);
    assert_eq!(read(&text).common.extra["x"].get(), deep);
}

#[test]
fn what_is_no_payload_is_an_error() {
    let adapter = Adapter::latest();
    for stdin in [
        &b""[..],
        b"[]",
        b"{}",
        b"\xff",
        br#"{"hook_event_name":"preToolUse"}"#,
        br#"{"hook_event_name":"PreToolUse","tool_input":{}}"#,
        br#"{"hook_event_name":"PreToolUse","tool_name":"Bash"}"#,
        br#"{"hook_event_name":"PreToolUse","tool_name":5,"tool_input":{}}"#,
        br#"{"hook_event_name":"UserPromptSubmit"}"#,
    ] {
        assert!(adapter.read_stdin(stdin).is_err(), "{}", String::from_utf8_lossy(stdin));
    }
    let old = Adapter::new(&DIALECT, Version::new(0, 142, 0), Options::default());
    assert!(old.read_stdin(br#"{"hook_event_name":"SessionEnd"}"#).is_err());
    assert!(adapter.read_stdin(br#"{"hook_event_name":"SessionEnd"}"#).is_ok());
}

#[test]
fn a_network_approval_says_what_for() {
    // Vendor page, section 14.
    let stdin = br#"{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"curl","description":"network-access example.com:443"}}"#;
    let (_, envelope) = Adapter::latest().read_stdin(stdin).unwrap();
    let Payload::PermissionRequest(request) = &envelope.payload else { panic!("no request") };
    assert_eq!(
        (request.origin, request.justification.as_deref()),
        (PermissionOrigin::Network, Some("example.com:443"))
    );
    let again: Value = serde_json::from_slice(&encoded("PermissionRequest", &envelope)).unwrap();
    assert_eq!(again["tool_input"]["description"], "network-access example.com:443");
}

#[test]
fn an_ask_is_a_deny_and_an_allow_is_silence() {
    // Vendor page, section 20: `ask` and a bare `allow` are failed runs, so that the tool would run.
    let envelope = occurrence("PreToolUse");
    for verdict in [Verdict::Ask, Verdict::Defer] {
        let ask = [Effect::Verdict { verdict, reasons: vec!["sure?".into()] }];
        for event in ["PreToolUse", "PermissionRequest"] {
            let envelope = occurrence(event);
            let (answer, losses) = written(event, &envelope, &ask);
            assert_eq!(decoded(event, &envelope, &answer).effects, [deny("sure?")]);
            assert_eq!(losses, [Loss::whole(verdict, Some("deny"))]);
        }
    }
    let allow = [Effect::Verdict { verdict: Verdict::Allow, reasons: Vec::new() }];
    let (answer, losses) = written("PreToolUse", &envelope, &allow);
    assert!(answer.stdout.is_empty());
    assert_eq!(losses, [Loss::whole(Verdict::Allow, None)]);
    let envelope = occurrence("PermissionRequest");
    let (answer, losses) = written("PermissionRequest", &envelope, &allow);
    assert_eq!(decoded("PermissionRequest", &envelope, &answer).effects, allow);
    assert!(losses.is_empty());
}

#[test]
fn a_deny_without_words_gets_some() {
    for event in ["PreToolUse", "PermissionRequest"] {
        let envelope = occurrence(event);
        for reasons in [vec![], vec![" \n".to_owned()], vec!["\u{7}".to_owned()]] {
            let (answer, losses) = written(event, &envelope, &[Effect::Verdict { verdict: Verdict::Deny, reasons }]);
            let effects = assert_is_accepted(find(event).unwrap(), &envelope, &answer);
            assert!(matches!(&effects.effects[..], [Effect::Verdict { verdict: Verdict::Deny, .. }]), "{effects:?}");
            assert!(losses.is_empty());
        }
    }
}

fn rewrite(call: ToolCall, text: &str) -> Effect {
    Effect::ReplaceInput(Rewrite {
        raw: raw(text),
        call: Ok(hooks_core::tool::Projected { call, ignored: Vec::new() }),
    })
}

fn shell(command: &str) -> Shell {
    Shell { command: command.into(), ..Shell::default() }
}

#[test]
fn another_vendors_rewrite_takes_this_vendors_shape_or_denies() {
    let mut envelope = occurrence("PreToolUse");
    envelope.payload = Payload::ToolBefore(ToolUse { id: None, call: ToolCall::shell("rm -r build") });
    let written = |effect: Effect| written("PreToolUse", &envelope, &[effect]);

    // What only describes the call is left out, and said to be.
    let described = Shell { description: Some("clean".into()), timeout_ms: Some(5), ..shell("make clean") };
    let text = r#"{"command":"make clean","description":"clean","timeout":5}"#;
    let (answer, losses) = written(rewrite(ToolCall::new(ToolAction::Shell(described)), text));
    let effects = decoded("PreToolUse", &envelope, &answer);
    let [Effect::ReplaceInput(taken)] = &effects.effects[..] else { panic!("{effects:?}") };
    assert_eq!(taken.call.as_ref().unwrap().call.as_shell().unwrap().command, "make clean");
    assert_eq!(losses.len(), 1);

    // A shape of another vendor comes out as this one's.
    let (answer, losses) = written(rewrite(ToolCall::shell("ls"), r#"{"cmd":"ls"}"#));
    let value: Value = serde_json::from_slice(&answer.stdout).unwrap();
    assert_eq!(value["hookSpecificOutput"]["updatedInput"], serde_json::json!({"command": "ls"}));
    assert!(losses.is_empty());

    // What would run otherwise than it was meant does not run.
    let elsewhere = Shell { cwd: Some("/tmp".into()), ..shell("make clean") };
    let sandboxed = Shell { sandbox: Some(true), ..shell("rm -r build") };
    let other = ToolAction::Patch(hooks_core::tool::Patch { text: "x".into() });
    let refused = Effect::ReplaceInput(Rewrite {
        raw: raw("[]"),
        call: Err(hooks_core::tool::InputRefused { reason: "no command".into() }),
    });
    for effect in [
        rewrite(ToolCall::new(ToolAction::Shell(elsewhere)), r#"{"command":"make clean"}"#),
        rewrite(ToolCall::new(ToolAction::Shell(sandboxed)), r#"{"command":"rm -r build"}"#),
        rewrite(ToolCall::new(other), "{}"),
        refused,
    ] {
        let (answer, losses) = written(effect);
        let effects = assert_is_accepted(find("PreToolUse").unwrap(), &envelope, &answer);
        assert!(matches!(&effects.effects[..], [Effect::Verdict { verdict: Verdict::Deny, .. }]), "{effects:?}");
        assert!(losses.iter().any(|loss| loss.instead.as_deref() == Some("deny")));
    }

    // So does what this vendor's reader could not read.
    envelope.payload = Payload::ToolBefore(ToolUse {
        id: None,
        call: ToolCall::new(ToolAction::Mcp(hooks_core::tool::Mcp::new("s", "t", raw("{}")))),
    });
    for text in [format!("{}1{}", "[".repeat(127), "]".repeat(127)), r#"{"a":1e999}"#.to_owned()] {
        let call = ToolCall::new(ToolAction::Mcp(hooks_core::tool::Mcp::new("s", "t", raw(&text))));
        let (answer, losses) = Adapter::latest().write_answer(
            &find("PreToolUse").unwrap().facts,
            &envelope,
            &[rewrite(call, &text), Effect::Context("c".into())],
        );
        let effects = assert_is_accepted(find("PreToolUse").unwrap(), &envelope, &answer);
        assert!(
            matches!(&effects.effects[..], [Effect::Context(_), Effect::Verdict { verdict: Verdict::Deny, .. }]),
            "{effects:?}"
        );
        assert!(losses.iter().any(|loss| loss.instead.as_deref() == Some("deny")));
    }
}

#[test]
fn a_halt_of_the_turn_before_a_tool_denies_the_call() {
    // `continue` `false` is unsupported there (vendor page, section 11.2).
    let halt = [Effect::Halt(Halt::of(&[Stop::Turn], Some("budget".into())))];
    for event in ["PreToolUse", "PermissionRequest"] {
        let envelope = occurrence(event);
        let (answer, losses) = written(event, &envelope, &halt);
        assert_eq!(decoded(event, &envelope, &answer).effects, [deny("budget")]);
        assert_eq!(losses.len(), 1);
    }
    let envelope = occurrence("PostToolUse");
    let (answer, losses) = written("PostToolUse", &envelope, &halt);
    let text = Effect::ReplaceResult(ResultReplacement::Text("budget".into()));
    assert_eq!(decoded("PostToolUse", &envelope, &answer).effects, [text]);
    assert_eq!(losses.len(), 1);
}

#[test]
fn continuations_keep_to_their_limits_as_far_as_is_known() {
    let mut envelope = occurrence("Stop");
    let go_on = |limit| [Effect::Continue(Continuation::new("more", Some(LoopLimit::AtMost(limit))))];
    let (answer, losses) = written("Stop", &envelope, &go_on(1));
    assert_eq!(decoded("Stop", &envelope, &answer).effects.len(), 1);
    assert_eq!(losses.len(), 1);
    envelope.payload = Payload::TurnStop(TurnStop { loop_count: 1, ..TurnStop::default() });
    let (answer, losses) = written("Stop", &envelope, &go_on(1));
    assert!(answer.stdout.is_empty());
    assert_eq!(losses.len(), 1);
}

#[test]
fn events_that_read_nothing_get_nothing() {
    for event in ["SessionEnd", "PreModelRequest", "PostModelRequest"] {
        let effects = [Effect::Notice("n".into()), Effect::Context("c".into()), deny("no")];
        let (answer, losses) = written(event, &occurrence(event), &effects);
        assert!(answer.stdout.is_empty() && answer.exit_code == 0, "{event}");
        assert_eq!(losses.len(), 3, "{event}");
    }
}

/// A text with something in it that a client trims no part of and nobody hides anything in.
fn words() -> impl Strategy<Value = String> {
    "[a-z\"\\\\é<&][ a-z\n\"\\\\é]{0,12}[a-z.]"
}

fn text() -> impl Strategy<Value = Option<String>> {
    prop::option::of(words())
}

fn common() -> impl Strategy<Value = Common> {
    (words(), text(), "(/[a-z é]{1,6}){1,3}", text(), any::<bool>(), text(), prop::option::of((words(), words())))
        .prop_map(|(session_id, turn_id, cwd, model, asks, transcript_path, agent)| Common {
            session_id,
            turn_id,
            cwd,
            model: model.map(|slug| Model { slug, ..Model::default() }),
            permission_mode: Some(if asks { "default" } else { "bypassPermissions" }.to_owned()),
            transcript_path,
            agent: agent.map(|(id, kind)| AgentIdentity { id: Some(id), kind: Some(kind) }),
            ..Common::default()
        })
}

fn json() -> impl Strategy<Value = RawJson> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("1.0".to_owned()),
        Just("12345678901234567890123".to_owned()),
        words().prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::btree_map("[a-z]{1,4}", inner, 0..3).prop_map(|members| {
                let members: Vec<_> = members.into_iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
    .prop_map(|text| raw(&text))
}

fn arguments() -> impl Strategy<Value = RawJson> {
    prop::collection::btree_map("[a-z]{1,4}", json(), 0..3).prop_map(|members| {
        let members: Vec<_> = members.into_iter().map(|(key, value)| format!("\"{key}\":{}", value.get())).collect();
        raw(&format!("{{{}}}", members.join(",")))
    })
}

fn command(text: &str) -> RawJson {
    RawJson::from(&serde_json::json!({ "command": text }))
}

/// A call as the client names and shapes it.
fn call() -> impl Strategy<Value = ToolCall> {
    prop_oneof![
        words().prop_map(|text| ("Bash".to_owned(), command(&text))),
        words().prop_map(|text| ("apply_patch".to_owned(), command(&text))),
        words().prop_map(|text| {
            ("spawn_agent".to_owned(), RawJson::from(&serde_json::json!({"message": text, "agent_type": "worker"})))
        }),
        ("[a-z_]{1,5}", "[a-z]{1,5}", arguments())
            .prop_map(|(server, tool, input)| (format!("mcp__{server}__{tool}"), input)),
        ("[a-z]{3,8}", arguments()),
    ]
    .prop_map(|(name, input)| {
        let call = Adapter::latest().tool_call(&name, &input);
        // What the typed call holds whole has no raw form beside it.
        let whole = matches!(name.as_str(), "Bash" | "apply_patch");
        ToolCall { raw: call.raw.filter(|_| !whole), ..call }
    })
}

fn returned() -> impl Strategy<Value = Payload> {
    (call(), words(), json()).prop_map(|(call, text, value)| {
        let result = ToolResult::finished(match &call.action {
            ToolAction::Shell(_) => ResultKind::Shell(ShellResult { output: text, ..ShellResult::default() }),
            ToolAction::Mcp(_) => ResultKind::Mcp(McpResult { result: value, is_error: false }),
            ToolAction::Other(_) => ResultKind::Json(value),
            _ => ResultKind::Text(text),
        });
        let tool = ToolUse { id: Some("call-1".into()), call };
        Payload::ToolResult(ToolReturned { tool, result, duration_ms: None })
    })
}

fn payload() -> impl Strategy<Value = (&'static str, Payload)> {
    let compaction = || prop::sample::select(vec!["manual", "auto"]);
    let request = || {
        (words(), words(), 1..9u64, words()).prop_map(|(kind, request_id, attempt, thread)| ModelRequest {
            kind,
            request_id,
            attempt,
            thread_id: Some(thread),
            ..ModelRequest::default()
        })
    };
    let before = (call(), text()).prop_map(|(call, id)| ("PreToolUse", Payload::ToolBefore(ToolUse { id, call })));
    let permission = (call(), text(), any::<bool>()).prop_map(|(call, why, network)| {
        let origin = match (&call.action, &why) {
            (ToolAction::Mcp(_), _) => PermissionOrigin::Mcp,
            (ToolAction::Shell(_), Some(_)) if network => PermissionOrigin::Network,
            _ => PermissionOrigin::Tool,
        };
        let (justification, call) = match (&call.action, why) {
            (ToolAction::Shell(shell), Some(why)) => {
                let prefix = if origin == PermissionOrigin::Network { "network-access " } else { "" };
                let input = serde_json::json!({"command": shell.command, "description": format!("{prefix}{why}")});
                (Some(why), Adapter::latest().tool_call("Bash", &RawJson::from(&input)))
            }
            _ => (None, call),
        };
        let tool = ToolUse { id: None, call };
        let request = PermissionRequest { tool, origin, justification, suggestions: None };
        ("PermissionRequest", Payload::PermissionRequest(request))
    });
    let compact = (compaction(), any::<bool>()).prop_map(|(trigger, before)| {
        let compaction = Compaction { trigger: Some(trigger.into()), ..Compaction::default() };
        if before {
            ("PreCompact", Payload::CompactBefore(compaction))
        } else {
            ("PostCompact", Payload::CompactAfter(compaction))
        }
    });
    let start = prop::sample::select(vec!["startup", "resume", "clear", "compact", "fork"]).prop_map(|source| {
        let start = SessionStart { source: Some(source.into()), ..SessionStart::default() };
        ("SessionStart", Payload::SessionStart(start))
    });
    let end = SessionEnd { reason: Some("other".into()), ..SessionEnd::default() };
    let child = (words(), words(), text(), text(), any::<bool>()).prop_map(|(id, kind, path, last, again)| {
        let stop = SubagentStop {
            id: Some(id),
            kind: Some(kind),
            transcript_path: path,
            loop_count: u32::from(again),
            last_message: last,
            ..SubagentStop::default()
        };
        ("SubagentStop", Payload::SubagentStop(stop))
    });
    let stop = (text(), any::<bool>()).prop_map(|(last_message, again)| {
        let stop = TurnStop { loop_count: u32::from(again), last_message, ..TurnStop::default() };
        ("Stop", Payload::TurnStop(stop))
    });
    let after = (request(), words(), prop::option::of(arguments()), text()).prop_map(|(request, status, usage, id)| {
        let request =
            ModelRequest { status: Some(status), token_usage: usage, error: None, response_id: id, ..request };
        ("PostModelRequest", Payload::ModelRequestAfter(request))
    });
    prop_oneof![
        3 => before,
        2 => permission,
        3 => returned().prop_map(|payload| ("PostToolUse", payload)),
        1 => compact,
        1 => start,
        1 => Just(("SessionEnd", Payload::SessionEnd(end))),
        1 => words().prop_map(|text| ("UserPromptSubmit", Payload::PromptSubmit(Prompt { text, ..Prompt::default() }))),
        1 => (words(), words()).prop_map(|(id, kind)| {
            let start = SubagentStart { id: Some(id), kind: Some(kind), ..SubagentStart::default() };
            ("SubagentStart", Payload::SubagentStart(start))
        }),
        1 => child,
        1 => stop,
        1 => Just(("Interrupt", Payload::TurnInterrupt(TurnInterrupt))),
        1 => request().prop_map(|request| ("PreModelRequest", Payload::ModelRequestBefore(request))),
        1 => after,
    ]
}

/// An occurrence with nothing in it that the event's payload has no key for.
fn expressible() -> impl Strategy<Value = (&'static str, Envelope)> {
    (common(), payload()).prop_map(|(common, (event, mut payload))| {
        let carries = |key: &str| find(event).unwrap().input.iter().any(|field| field.key == key);
        let own = matches!(event, "SubagentStart" | "SubagentStop");
        let common = Common {
            turn_id: common.turn_id.filter(|_| carries("turn_id")),
            model: common.model.filter(|_| carries("model")),
            permission_mode: common.permission_mode.filter(|_| carries("permission_mode")),
            agent: common.agent.filter(|_| carries("agent_id") && !own),
            ..common
        };
        if let (Payload::PromptSubmit(prompt), true) = (&mut payload, common.agent.is_some()) {
            prompt.provenance = Provenance::Subagent;
        }
        (event, Envelope::new(common, payload))
    })
}

/// What one hook of an event can ask for, in the order in which it is read.
fn sayable(event: &'static Event) -> BoxedStrategy<Vec<Effect>> {
    let has = |path: &str| event.facts.output.iter().any(|field| field.path == path && field.channel.is_some());
    let notice = if has(field::SYSTEM_MESSAGE) { text().boxed() } else { Just(None).boxed() };
    let context = if has(field::CONTEXT) { text().boxed() } else { Just(None).boxed() };
    let kind = event.facts.name;
    let halt = |stops: &'static [Stop], prompt: Option<PromptFate>, needs: bool| {
        text().prop_map(move |reason| {
            let reason = if needs { reason.or_else(|| Some("because".into())) } else { reason };
            Some(Effect::Halt(Halt { prompt, ..Halt::of(stops, reason) }))
        })
    };
    let go_on = || words().prop_map(|text| Some(Effect::Continue(Continuation::new(text, Some(LoopLimit::Unlimited)))));
    let main = match kind {
        "PreToolUse" => prop_oneof![
            words().prop_map(|reason| Some(deny(&reason))),
            words().prop_map(|text| {
                let raw = command(&text);
                let original = occurrence("PreToolUse").payload.tool_use().unwrap().call.clone();
                let call = Adapter::latest().project(&original, &raw);
                Some(Effect::ReplaceInput(Rewrite { raw, call }))
            }),
        ]
        .boxed(),
        "PermissionRequest" => prop_oneof![
            words().prop_map(|reason| Some(deny(&reason))),
            Just(Some(Effect::Verdict { verdict: Verdict::Allow, reasons: Vec::new() })),
        ]
        .boxed(),
        "PostToolUse" => prop_oneof![words(), Just(String::new()), Just(" x ".to_owned()), Just("\n".to_owned())]
            .prop_map(|text| Some(Effect::ReplaceResult(ResultReplacement::Text(text))))
            .boxed(),
        "PreCompact" => halt(&[Stop::Compaction, Stop::Turn], None, true).boxed(),
        "PostCompact" => halt(&[Stop::Turn], None, true).boxed(),
        "SessionStart" => halt(&[Stop::Turn], None, false).boxed(),
        "UserPromptSubmit" => halt(&[Stop::Prompt], Some(PromptFate::Erase), false).boxed(),
        "SubagentStop" => prop_oneof![halt(&[Stop::Subagent], None, false), go_on()].boxed(),
        "Stop" => prop_oneof![halt(&[Stop::Turn], None, false), go_on()].boxed(),
        _ => Just(None).boxed(),
    };
    (notice, context, prop_oneof![1 => Just(None), 3 => main])
        .prop_map(|(notice, context, main)| {
            notice.map(Effect::Notice).into_iter().chain(context.map(Effect::Context)).chain(main).collect()
        })
        .boxed()
}

/// Anything any vendor's hook could ask for.
fn effect() -> impl Strategy<Value = Effect> {
    let any_text =
        || prop_oneof![words(), Just(String::new()), Just(" ".to_owned()), Just("\u{1b}\u{202e}".to_owned())];
    let stops = prop::sample::subsequence(
        vec![Stop::Prompt, Stop::Action, Stop::Turn, Stop::Compaction, Stop::Subagent, Stop::Session],
        0..4,
    );
    let verdict = prop::sample::select(vec![Verdict::Allow, Verdict::Ask, Verdict::Defer, Verdict::Deny]);
    prop_oneof![
        (verdict, prop::collection::vec(any_text(), 0..3))
            .prop_map(|(verdict, reasons)| Effect::Verdict { verdict, reasons }),
        any_text().prop_map(Effect::Notice),
        any_text().prop_map(Effect::Context),
        (call(), json()).prop_map(|(call, raw)| {
            let call = Adapter::latest().project(&call, &raw);
            Effect::ReplaceInput(Rewrite { raw, call })
        }),
        any_text().prop_map(|text| Effect::ReplaceResult(ResultReplacement::Text(text))),
        json().prop_map(|raw| Effect::ReplaceResult(ResultReplacement::Json(raw))),
        (stops, prop::option::of(any_text()), any::<bool>()).prop_map(|(stops, reason, keep)| {
            Effect::Halt(Halt { prompt: keep.then_some(PromptFate::Keep), ..Halt::of(&stops, reason) })
        }),
        (any_text(), prop::option::of(0..3u32))
            .prop_map(|(text, limit)| Effect::Continue(Continuation::new(text, limit.map(LoopLimit::AtMost)))),
        Just(Effect::SessionEnv([("A".to_owned(), EnvChange { value: "b".into(), reach: EnvReach::Shell })].into())),
        json().prop_map(Effect::PermissionUpdate),
        any::<bool>().prop_map(|denies| Effect::Unsupported(Unsupported {
            field: "f".into(),
            channel: Channel::Verdict,
            on_pending: if denies { OnPending::Deny } else { OnPending::Ignore },
        })),
        Just(Effect::Special(Special::Interrupt)),
        Just(Effect::Special(Special::RetryHint)),
    ]
}

fn restrains(effect: &Effect) -> bool {
    match effect {
        Effect::Verdict { verdict, .. } => *verdict > Verdict::Allow,
        Effect::Halt(_) | Effect::Special(Special::Interrupt) => true,
        Effect::Unsupported(unsupported) => unsupported.on_pending == OnPending::Deny,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn standard_input_reads_back((event, envelope) in expressible()) {
        let stdin = encoded(event, &envelope);
        let (facts, again) = Adapter::latest().read_stdin(&stdin).unwrap();
        prop_assert_eq!(facts.name, event);
        prop_assert_eq!(again, envelope);
    }

    #[test]
    fn what_can_be_said_is_said((at, effects) in (0..EVENTS.len()).prop_flat_map(|at| (Just(at), sayable(&EVENTS[at])))) {
        let event = &EVENTS[at];
        let envelope = occurrence(event.facts.name);
        let (answer, losses) = written(event.facts.name, &envelope, &effects);
        let again = assert_is_accepted(event, &envelope, &answer);
        prop_assert_eq!(&again.effects, &effects, "{}", String::from_utf8_lossy(&answer.stdout));
        prop_assert!(losses.is_empty(), "{:?}", losses);
    }

    #[test]
    fn nothing_is_refused_or_weakened_in_silence((at, effects) in (0..EVENTS.len(), prop::collection::vec(effect(), 0..5))) {
        let event = &EVENTS[at];
        let name = event.facts.name;
        let envelope = occurrence(name);
        let (answer, losses) = written(name, &envelope, &effects);
        let again = assert_is_accepted(event, &envelope, &answer);
        let kept = |wanted: fn(&Effect) -> bool| again.effects.iter().any(wanted);
        if effects.iter().any(restrains) {
            let held = match name {
                "PreToolUse" | "PermissionRequest" => kept(|effect| matches!(effect, Effect::Verdict { verdict: Verdict::Deny, .. })),
                "PostToolUse" => kept(|effect| matches!(effect, Effect::ReplaceResult(_))),
                "PreCompact" | "PostCompact" | "SessionStart" | "UserPromptSubmit" | "SubagentStop" | "Stop" => {
                    kept(|effect| matches!(effect, Effect::Halt(_)))
                }
                _ => !losses.is_empty(),
            };
            prop_assert!(held, "{} {:?} {:?}", name, effects, again.effects);
        }
        if effects.iter().any(|effect| matches!(effect, Effect::ReplaceInput(_))) && name == "PreToolUse" {
            // The original input never runs in place of the other one.
            let safe = kept(|effect| match effect {
                Effect::ReplaceInput(rewrite) => rewrite.call.is_ok(),
                Effect::Verdict { verdict, .. } => *verdict == Verdict::Deny,
                _ => false,
            });
            prop_assert!(safe);
        }
        // Every channel that was asked for comes back or is named as lost.
        for effect in &effects {
            let channel = effect.channel();
            let there = again.effects.iter().any(|again| again.channel() == channel);
            prop_assert!(there || restrains(effect) || !losses.is_empty(), "{}: {:?}", name, effect);
        }
    }

    #[test]
    fn any_bytes_read_or_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        let _ = Adapter::latest().read_stdin(&bytes);
    }

    #[test]
    fn any_object_reads_or_is_refused(at in 0..EVENTS.len(), members in prop::collection::vec((0..40usize, json()), 0..14)) {
        let keys: Vec<&str> = EVENTS.iter().flat_map(|event| event.input.iter().map(|field| field.key)).collect();
        let mut text = format!("{{\"hook_event_name\":\"{}\"", EVENTS[at].facts.name);
        for (key, value) in &members {
            text.push_str(&format!(",\"{}\":{}", keys[key * 3 % keys.len()], value.get()));
        }
        text.push('}');
        let distinct: std::collections::BTreeSet<_> = RawObject::parse(&text).unwrap().iter().map(|(key, _)| key.to_owned()).collect();
        if let Ok((facts, envelope)) = Adapter::latest().read_stdin(text.as_bytes()) {
            prop_assert!(envelope.common.extra.len() <= distinct.len());
            let mut stdin = Vec::new();
            let binding = Binding::alone(Adapter::latest().blank(facts.name).unwrap());
            prop_assert!(Adapter::latest().encode(&binding, &envelope, &mut stdin).is_ok());
        }
    }
}
