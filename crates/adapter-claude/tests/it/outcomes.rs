//! Outcomes that the vectors' format cannot say: other handler types, what only this vendor has, strict hosts, runs that
//! were cut off or never ran. The ids are those of the case list.

use adapter_claude::events::{Block, EVENTS, OLDEST, STOP_CAP, find};
use adapter_claude::{Adapter, DIALECT, Options};
use hooks_conformance::{Given, sample};
use hooks_core::adapter::DecodePolicy;
use hooks_core::boundary::{Boundary, Stop};
use hooks_core::definition::FailurePolicy;
use hooks_core::effects::{Effect, Failure, Halt, HookEffects, PromptFate, RunStatus, Special, Verdict, When, reduce};
use hooks_core::handler::{Background, CommandHandler, Handler, HttpHandler, McpToolHandler, PromptHandler};
use hooks_core::outcome::{End, Outcome};
use hooks_core::settle::settle;
use hooks_core::source::{Origin, Plugin};
use hooks_core::{Binding, Definition, Envelope, HostSide, RawJson};
use serde_json::json;

fn envelope(event: &str) -> Envelope {
    sample::envelope(&Adapter::latest(), event, &Given::default()).expect("an occurrence")
}

fn definition(event: &str) -> Definition {
    let mut definition = Adapter::latest().blank(event).expect("an event");
    definition.handler = Handler::Command(CommandHandler { command: "run-hook".into(), ..CommandHandler::default() });
    definition
}

fn with(event: &str, handler: Handler) -> Definition {
    Definition { handler, ..definition(event) }
}

fn decode_by(adapter: &Adapter, definition: Definition, outcome: &Outcome, strict: bool) -> HookEffects {
    let event = definition.place.event.clone();
    adapter.decode(&Binding::alone(definition), &envelope(&event), outcome, DecodePolicy { strict })
}

fn decode(definition: Definition, outcome: &Outcome) -> HookEffects {
    decode_by(&Adapter::latest(), definition, outcome, false)
}

fn answered(end: End, stdout: &str) -> Outcome {
    Outcome { stdout: stdout.into(), ..Outcome::ended(end) }
}

fn nested(event: &str, mut fields: serde_json::Value) -> String {
    fields["hookEventName"] = json!(event);
    json!({ "hookSpecificOutput": fields }).to_string()
}

fn verdict(effects: &HookEffects) -> Option<Verdict> {
    effects
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Verdict { verdict, .. } => Some(*verdict),
            _ => None,
        })
        .max()
}

fn halt(effects: &HookEffects) -> Option<&Halt> {
    effects.effects.iter().find_map(|effect| match effect {
        Effect::Halt(halt) => Some(halt),
        _ => None,
    })
}

fn continues(effects: &HookEffects) -> Option<&str> {
    effects.effects.iter().find_map(|effect| match effect {
        Effect::Continue(continuation) => Some(continuation.text.as_str()),
        _ => None,
    })
}

fn context(effects: &HookEffects) -> Vec<&str> {
    effects
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Context(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

fn special(effects: &HookEffects) -> Vec<Special> {
    effects
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Special(special) => Some(special.clone()),
            _ => None,
        })
        .collect()
}

/// Whether an answer keeps what it is about from happening.
fn blocks(effects: &HookEffects) -> bool {
    verdict(effects) == Some(Verdict::Deny) || halt(effects).is_some() || continues(effects).is_some()
}

fn failures() -> Vec<Outcome> {
    vec![
        Outcome::exited(1, ""),
        answered(End::Signalled(9), ""),
        answered(End::TimedOut, ""),
        answered(End::FailedToStart("no such file".into()), ""),
        answered(End::NotRun("no payload".into()), ""),
        Outcome::exited(0, "{bad}"),
        Outcome::exited(0, r#"{"continue":"false"}"#),
    ]
}

#[test]
fn strict_blocks_wherever_a_block_means_something() {
    let adapter = Adapter::latest();
    for event in &EVENTS {
        let name = event.facts.name;
        for outcome in failures() {
            let effects = decode_by(&adapter, definition(name), &outcome, true);
            if event.facts.malformed == hooks_core::facts::FailureRule::Block && effects.failure.is_none() {
                continue; // A worktree's events do not read what a command prints.
            }
            assert!(effects.failure.is_some(), "{name} {:?}", outcome.end);
            assert_eq!(blocks(&effects), event.can_block(), "{name} {:?}: {effects:?}", outcome.end);
        }
        // A readable answer is never changed by strictness.
        for outcome in [Outcome::exited(0, "{}"), Outcome::exited(0, r#"{"systemMessage":"S"}"#)] {
            let (lax, strict) = (
                decode_by(&adapter, definition(name), &outcome, false),
                decode_by(&adapter, definition(name), &outcome, true),
            );
            assert_eq!(lax, strict, "{name}");
        }
    }
}

#[test]
fn what_the_host_cut_off_or_cancelled_blocks() {
    for event in &EVENTS {
        let name = event.facts.name;
        let allow = nested("PreToolUse", json!({ "permissionDecision": "allow" }));
        let mut cut = Outcome::exited(0, allow.as_str());
        cut.stdout_truncated = true;
        for (outcome, failure) in [(answered(End::Cancelled, &allow), Failure::Cancelled), (cut, Failure::Truncated)] {
            let effects = decode(definition(name), &outcome);
            // A turn does not go on because its hooks were cancelled.
            let expected = event.can_block() && (failure != Failure::Cancelled || event.block != Block::Continue);
            assert_eq!(effects.failure, Some(failure), "{name}");
            assert_eq!(blocks(&effects), expected, "{name}");
            assert!(context(&effects).is_empty(), "{name}: cut text became context");
        }
    }
}

/// Exit code 2 blocks by itself, also when what was printed was cut off.
#[test]
fn a_cut_off_block_is_a_block() {
    let mut outcome = Outcome::exited(2, "{");
    outcome.stdout_truncated = true;
    outcome.stderr = b"no".to_vec();
    let effects = decode(definition("PreToolUse"), &outcome);
    assert_eq!((verdict(&effects), effects.status), (Some(Verdict::Deny), RunStatus::Blocked));
}

/// Release notes of 2.1.288: guards block when they could not be run. Handlers that the client itself fails do not.
#[test]
fn a_guard_that_could_not_be_run_blocks() {
    let outcome = answered(End::NotRun("no payload".into()), "");
    for (event, expected) in
        [("PreToolUse", true), ("PermissionRequest", true), ("UserPromptSubmit", false), ("Stop", false)]
    {
        assert_eq!(blocks(&decode(definition(event), &outcome)), expected, "{event}");
    }
    let old = Adapter::new(&DIALECT, OLDEST, Options::default());
    assert!(!blocks(&decode_by(&old, definition("PreToolUse"), &outcome, false)));
    let agent = with("PermissionRequest", Handler::Agent(PromptHandler::default()));
    assert!(!blocks(&decode(agent, &outcome)));
    let mut placeholder = definition("PreToolUse");
    placeholder.handler =
        Handler::Command(CommandHandler { command: "${CLAUDE_PLUGIN_ROOT}/x".into(), ..CommandHandler::default() });
    assert!(!blocks(&decode(placeholder, &outcome)), "L279");
}

#[test]
fn http_answers() {
    let http = || with("PreToolUse", Handler::Http(HttpHandler { url: "http://h/".into(), ..HttpHandler::default() }));
    let deny = nested("PreToolUse", json!({ "permissionDecision": "deny", "permissionDecisionReason": "R" }));
    let of = |status, body: &str| decode(http(), &answered(End::Http(status), body));
    for (status, body) in [(200, ""), (204, ""), (200, "{}")] {
        assert_eq!((verdict(&of(status, body)), of(status, body).failure), (None, None), "L233");
    }
    assert_eq!(verdict(&of(201, &deny)), Some(Verdict::Deny), "L234, L235: the type of the content is not looked at");
    for end in [End::FailedToStart("connection refused".into()), End::TimedOut] {
        let effects = decode(http(), &answered(end, ""));
        assert!(effects.failure.is_some() && verdict(&effects).is_none(), "L241, L242");
    }
    for (status, body) in [
        (200, "hello"),
        (200, "[1]"),
        (200, "{\"x\":"),
        (200, r#"{"decision":"deny"}"#),
        (500, &deny),
        (403, ""),
        (307, ""),
    ] {
        let effects = of(status, body);
        assert!(effects.failure.is_some() && verdict(&effects).is_none(), "L236 to L240: {status} {body}");
    }
    let closed = Definition { failure: FailurePolicy::Closed, ..http() };
    assert_eq!(verdict(&decode(closed, &answered(End::Http(500), ""))), Some(Verdict::Deny), "L243");
    let prompt = with("UserPromptSubmit", Handler::Http(HttpHandler::default()));
    let effects = decode(prompt, &answered(End::Http(200), "hello"));
    assert!(effects.failure.is_some() && context(&effects).is_empty(), "L252");
}

#[test]
fn tool_server_answers() {
    let tool = |event: &str| {
        let input = RawJson::parse("{}").expect("json");
        with(event, Handler::McpTool(McpToolHandler { server: "s".into(), tool: "t".into(), input }))
    };
    let of = |definition, is_error, text: &str| decode(definition, &answered(End::Tool { is_error }, text));
    let deny = nested("PreToolUse", json!({ "permissionDecision": "deny" }));
    assert_eq!(verdict(&of(tool("PreToolUse"), false, &deny)), Some(Verdict::Deny), "L253");
    for text in ["hello", r#"{"reason":"x"}"#, "", "{}"] {
        let effects = of(tool("PreToolUse"), false, text);
        assert!(effects.failure.is_none() && verdict(&effects).is_none(), "L254: {text}");
    }
    assert_eq!(of(tool("PreToolUse"), true, "").failure, Some(Failure::Tool), "L256");
    let split = of(tool("PreToolUse"), false, "{\"decision\":\"bl\nock\"}");
    assert!(split.failure.is_some() && verdict(&split).is_none(), "L255: parts are joined by a newline");
    let absent = decode(tool("PreToolUse"), &answered(End::FailedToStart("not connected".into()), ""));
    assert!(absent.failure.is_some() && verdict(&absent).is_none(), "L257");
    let closed = || Definition { failure: FailurePolicy::Closed, ..tool("PreToolUse") };
    for (is_error, text) in [(false, "hello"), (false, r#"{"reason":"x"}"#), (false, r#"{"zzz":1}"#), (true, "")] {
        assert_eq!(verdict(&of(closed(), is_error, text)), Some(Verdict::Deny), "L258: {text}");
    }
    for text in ["", "{}"] {
        assert_eq!(verdict(&of(closed(), false, text)), None, "nothing said is fine: {text:?}");
    }
    assert!(context(&of(tool("UserPromptSubmit"), false, "hello")).is_empty(), "L261, as observed");
}

#[test]
fn model_answers() {
    let prompt = |event: &str, continue_on_block| {
        with(event, Handler::Prompt(PromptHandler { prompt: "p".into(), model: None, continue_on_block }))
    };
    let no = r#"{"ok":false,"reason":"R"}"#;
    let of = |definition, text: &str| decode(definition, &answered(End::Model, text));
    let effects = of(prompt("PreToolUse", false), r#"{"ok":true}"#);
    assert!(effects.effects.is_empty() && effects.failure.is_none(), "L262");

    let effects = of(prompt("PreToolUse", false), no);
    assert_eq!(verdict(&effects), Some(Verdict::Deny), "L263");
    let stop = halt(&effects).expect("L263: the turn ends");
    assert_eq!((stop.stops.as_slice(), stop.when), (&[Stop::Turn][..], Some(When::After)));
    let effects = of(prompt("PreToolUse", true), no);
    assert_eq!((verdict(&effects), halt(&effects)), (Some(Verdict::Deny), None), "L264");

    assert!(of(prompt("PreToolUse", false), "not json").failure.is_some(), "L265");
    assert!(halt(&of(prompt("PostToolUse", false), no)).is_some(), "L266");
    assert_eq!(context(&of(prompt("PostToolUse", true), no)), ["R"], "L266");
    assert_eq!(continues(&of(prompt("Stop", false), no)), Some("R"), "L267");
    let impossible = r#"{"ok":false,"reason":"R","impossible":true}"#;
    assert!(of(prompt("Stop", false), impossible).effects.is_empty(), "L268");
    assert!(halt(&of(prompt("UserPromptSubmit", true), no)).is_some(), "L269");
    assert!(of(prompt("PermissionRequest", false), no).effects.is_empty(), "L270");
    assert!(of(prompt("PermissionDenied", false), no).effects.is_empty(), "L271");
    assert!(halt(&of(prompt("TeammateIdle", false), no)).is_some(), "L272");
    assert_eq!(continues(&of(prompt("TeammateIdle", true), no)), Some("R"), "L272");
    let agent = with("PreToolUse", Handler::Agent(PromptHandler::default()));
    let effects = of(agent, no);
    assert_eq!((verdict(&effects), halt(&effects)), (Some(Verdict::Deny), None), "L273");
}

#[test]
fn background_runs_decide_nothing() {
    let background = |background| {
        with(
            "PreToolUse",
            Handler::Command(CommandHandler { command: "x".into(), background, ..CommandHandler::default() }),
        )
    };
    let said = json!({
        "decision": "block",
        "systemMessage": "S",
        "continue": 5,
        "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "deny", "additionalContext": "C" }
    });
    let outcome = Outcome::exited(0, said.to_string());
    let effects = decode(background(Background::Async), &outcome);
    assert_eq!(verdict(&effects), None, "L281");
    assert_eq!(context(&effects), ["C", "S"], "L282: both go to the model");

    let adapter = Adapter::latest();
    let late = Outcome::exited(0, format!("{{\"async\":true}}\n{said}"));
    let binding = Binding::alone(definition("PreToolUse"));
    let effects = adapter.decode_late(&binding, &envelope("PreToolUse"), &late);
    assert_eq!((verdict(&effects), context(&effects)), (None, vec!["C", "S"]), "L283");

    let mut wakes = Outcome::exited(2, "out");
    wakes.stderr = b"err\n".to_vec();
    let binding = Binding::alone(background(Background::AsyncRewake));
    assert_eq!(context(&adapter.decode_late(&binding, &envelope("PreToolUse"), &wakes)), ["err"], "L285");
}

/// Case L304.
#[test]
fn classifier_texts_share_a_cap() {
    let of = |length: usize| {
        decode(
            definition("PostToolUse"),
            &Outcome::exited(0, nested("PostToolUse", json!({ "classifierContext": "é".repeat(length) }))),
        )
    };
    let policy = Adapter::latest().merge_policy(Boundary::ToolResult);
    let lengths = |first: usize, second: usize| -> Vec<usize> {
        let settled = settle(reduce([of(first), of(second)]), policy, false);
        let texts = settled.special.iter().filter_map(|said| match &said.value {
            Special::ClassifierContext(text) => Some(text.chars().count()),
            _ => None,
        });
        texts.collect()
    };
    assert_eq!(lengths(1_000, 1_000), [1_000, 1_000]);
    assert_eq!(lengths(1_500, 1_000), [1_500, 500]);
    assert_eq!(lengths(3_000, 10), [2_000]);
}

#[test]
fn what_only_this_vendor_has() {
    let of = |event: &str, fields| special(&decode(definition(event), &Outcome::exited(0, nested(event, fields))));
    assert_eq!(
        of(
            "SessionStart",
            json!({ "initialUserMessage": "M", "sessionTitle": "T", "watchPaths": ["/a"], "reloadSkills": true })
        ),
        [
            Special::InitialUserMessage("M".into()),
            Special::ReloadSkills,
            Special::SessionTitle("T".into()),
            Special::WatchPaths(vec!["/a".into()]),
        ],
    );
    assert_eq!(of("CwdChanged", json!({ "watchPaths": [] })), [Special::WatchPaths(Vec::new())], "L462");
    assert_eq!(of("UserPromptSubmit", json!({ "suppressOriginalPrompt": true })), [Special::SuppressOriginalPrompt]);
    assert_eq!(of("PermissionDenied", json!({ "retry": true })), [Special::RetryHint], "L413");
    assert_eq!(of("PermissionDenied", json!({ "retry": false })), []);
    assert_eq!(of("MessageDisplay", json!({ "displayContent": "X" })), [Special::DisplayText("X".into())], "L469");
    assert_eq!(of("PostToolUse", json!({ "classifierContext": "K" })), [Special::ClassifierContext("K".into())]);
    let content = RawJson::parse(r#"{"color":"red"}"#).expect("json");
    assert_eq!(
        of("Elicitation", json!({ "action": "accept", "content": { "color": "red" } })),
        [Special::ElicitationAnswer { action: "accept".into(), content: Some(content) }],
        "L433"
    );
    assert_eq!(
        of("ElicitationResult", json!({ "action": "decline" })),
        [Special::ElicitationAnswer { action: "decline".into(), content: None }],
        "L439"
    );
    let sequence = "\u{1b}]777;notify;a;b\u{7}";
    let bell =
        decode(definition("Notification"), &Outcome::exited(0, json!({ "terminalSequence": sequence }).to_string()));
    assert_eq!(special(&bell), [Special::TerminalSequence(sequence.into())], "L314");
    let csi =
        decode(definition("Notification"), &Outcome::exited(0, json!({ "terminalSequence": "\u{1b}[2J" }).to_string()));
    assert!(special(&csi).is_empty() && csi.failure.is_none(), "L315");
}

#[test]
fn worktrees() {
    let of = |code, stdout: &str| decode(definition("WorktreeCreate"), &Outcome::exited(code, stdout));
    let path = |text: &str| vec![Special::WorktreePath(text.into())];
    assert_eq!(special(&of(0, "/abs/wt\n")), path("/abs/wt"), "L446");
    assert_eq!(special(&of(0, "log\n\u{1b}[32m/abs/wt\u{1b}[0m\n\n")), path("/abs/wt"), "L447");
    let json = nested("WorktreeCreate", json!({ "worktreePath": "/abs/wt" }));
    assert_eq!(special(&of(0, &json)), path(&json), "L449: taken as a path");
    assert!(blocks(&of(0, "")) && blocks(&of(1, "/abs/wt")), "L451, L452");
    let http = with("WorktreeCreate", Handler::Http(HttpHandler::default()));
    assert_eq!(special(&decode(http.clone(), &answered(End::Http(200), &json))), path("/abs/wt"), "L450");
    assert!(blocks(&decode(http, &answered(End::Http(200), "{}"))));
    let remove = |code| decode(definition("WorktreeRemove"), &Outcome::exited(code, "x"));
    assert!(!blocks(&remove(0)) && blocks(&remove(1)) && blocks(&remove(2)), "L456, L457");
}

#[test]
fn a_missing_script_is_a_failure_on_some_events() {
    let mut outcome = Outcome::exited(2, "");
    outcome.stderr = b"python3: can't open file '/x/missing.py': [Errno 2] No such file or directory\n".to_vec();
    for event in ["Stop", "SubagentStop", "TaskCompleted"] {
        let effects = decode(definition(event), &outcome);
        assert!(effects.failure.is_some() && !blocks(&effects), "L357, L376, L428: {event}");
    }
    for event in ["PreToolUse", "UserPromptSubmit"] {
        assert!(blocks(&decode(definition(event), &outcome)), "L148, L330: {event}");
    }
    let mut plugin = definition("UserPromptSubmit");
    let mut source = (*plugin.source).clone();
    source.origin = Origin::Plugin;
    source.plugin = Some(Plugin::default());
    plugin.source = source.into();
    assert!(!blocks(&decode(plugin, &outcome)), "L331");
}

#[test]
fn nested_parts_of_events_that_have_none_void_the_answer() {
    for event in EVENTS.iter().filter(|event| !event.nested) {
        let name = event.facts.name;
        if event.facts.malformed == hooks_core::facts::FailureRule::Block {
            continue; // Only the exit code counts there.
        }
        let effects = decode(definition(name), &Outcome::exited(0, nested(name, json!({ "additionalContext": "C" }))));
        assert!(effects.failure.is_some() && context(&effects).is_empty(), "L132, L422, L426: {name}");
    }
    assert_eq!(EVENTS.iter().filter(|event| event.nested).count(), 23);
    let stop =
        decode(definition("SubagentStop"), &Outcome::exited(0, nested("Stop", json!({ "additionalContext": "C" }))));
    assert!(stop.failure.is_some() && continues(&stop).is_none(), "L375");
    let defer = decode(
        definition("PreModelSwitch"),
        &Outcome::exited(0, nested("PreModelSwitch", json!({ "permissionDecision": "defer" }))),
    );
    assert!(defer.failure.is_some() && verdict(&defer).is_none(), "L392");
}

#[test]
fn an_allow_beside_a_failing_exit_code_does_not_satisfy_on_failure() {
    let allow = nested("PreToolUse", json!({ "permissionDecision": "allow" }));
    let closed = || Definition { failure: FailurePolicy::Closed, ..definition("PreToolUse") };
    assert_eq!(verdict(&decode(closed(), &Outcome::exited(1, allow.as_str()))), Some(Verdict::Deny), "L218");
    assert_eq!(verdict(&decode(closed(), &Outcome::exited(0, allow.as_str()))), Some(Verdict::Allow));
}

#[test]
fn a_refused_prompt_is_erased_and_a_stopped_one_kept() {
    let of = |stdout: &str| decode(definition("UserPromptSubmit"), &Outcome::exited(0, stdout));
    assert_eq!(halt(&of(r#"{"decision":"block"}"#)).expect("a halt").prompt, Some(PromptFate::Erase));
    assert_eq!(halt(&of(r#"{"continue":false}"#)).expect("a halt").prompt, Some(PromptFate::Keep));
    let both = of(r#"{"continue":false,"decision":"block","reason":"R"}"#);
    let both = halt(&both).expect("a halt");
    assert_eq!((both.prompt, both.reason.as_deref()), (Some(PromptFate::Erase), Some("R")));
}

#[test]
fn continuations_carry_the_client_s_cap() {
    let effects = decode(definition("Stop"), &Outcome::exited(0, r#"{"decision":"block","reason":"R"}"#));
    let Some(Effect::Continue(continuation)) = effects.effects.first() else { panic!("{effects:?}") };
    assert_eq!((continuation.vendor_cap, continuation.loop_limit), (Some(STOP_CAP), None));
}

#[test]
fn a_stop_before_a_tool_lets_the_call_run() {
    let effects = decode(definition("PreToolUse"), &Outcome::exited(0, r#"{"continue":false}"#));
    let halt = halt(&effects).expect("a halt");
    assert!(!halt.stops_action() && halt.when == Some(When::After), "L183");
    assert_eq!(effects.status, RunStatus::Stopped);
}

#[test]
fn half_a_surrogate_pair_does_not_void_an_answer() {
    let effects = decode(definition("PreToolUse"), &Outcome::exited(0, r#"{"decision":"block","reason":"a\ud83d"}"#));
    assert_eq!(verdict(&effects), Some(Verdict::Deny));
}

#[test]
fn reasons_are_safe_to_show() {
    let said = json!({ "decision": "block", "reason": "no\u{1b}[2J\u{202e}x" }).to_string();
    let effects = decode(definition("PreToolUse"), &Outcome::exited(0, said));
    let Some(Effect::Verdict { reasons, .. }) = effects.effects.first() else { panic!("{effects:?}") };
    assert_eq!(reasons, &["no[2Jx"]);
}

/// The columns of the table agree with each other.
#[test]
fn the_table_agrees_with_itself() {
    assert_eq!(EVENTS.len(), 34);
    for event in &EVENTS {
        let facts = event.facts;
        assert_eq!(find(facts.name).map(|found| found.facts.name), Some(facts.name));
        assert!(facts.boundary.is_some() && !facts.output.is_empty(), "{}", facts.name);
        assert!(event.required.is_empty() || event.nested, "{}", facts.name);
        assert!(!event.guard || event.can_block(), "{}", facts.name);
        assert_eq!(event.guard, ["PreToolUse", "PermissionRequest", "PreSkillShellCommand"].contains(&facts.name));
        for field in facts.output {
            if let Some(channel) = field.channel {
                assert!(facts.channels.contains(channel), "{}: {} feeds {channel}", facts.name, field.path);
            }
        }
        let exit_2 = matches!(
            facts.exit_2,
            hooks_core::facts::Exit2::Deny
                | hooks_core::facts::Exit2::Halt
                | hooks_core::facts::Exit2::Continue
                | hooks_core::facts::Exit2::Refuse
                | hooks_core::facts::Exit2::Feedback
        );
        assert_eq!(exit_2, event.block != Block::Nothing, "{}", facts.name);
    }
    let boundaries: std::collections::BTreeSet<_> = EVENTS.iter().map(|event| event.facts.boundary).collect();
    assert_eq!(boundaries.len(), EVENTS.len(), "each event has a boundary of its own");
}
