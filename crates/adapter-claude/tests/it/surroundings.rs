//! What a session's documents and surroundings do to hooks: the second boundary of an event, the lists for requests, hooks in
//! the head of skills and agents, environments, limits, and facts that changed between clients.

use std::sync::Arc;
use std::time::Duration;

use adapter_claude::events::{EVENTS, LATEST, PREVIEW, TEXT_CAP, find};
use adapter_claude::http::HttpPolicy;
use adapter_claude::{Adapter, DIALECT, Options, VENDOR, locations};
use hooks_conformance::{Given, sample};
use hooks_core::activate::{AdmitAll, VendorSources};
use hooks_core::adapter::{DecodePolicy, Subject};
use hooks_core::boundary::Boundary;
use hooks_core::definition::State;
use hooks_core::effects::{Effect, EnvReach, Verdict};
use hooks_core::envelope::{AgentIdentity, Common, Envelope, Payload, SubagentStop, ToolReturned, ToolUse};
use hooks_core::handler::{Handler, HandlerKind};
use hooks_core::outcome::{End, Outcome, Program};
use hooks_core::source::{Life, Origin, Plugin, Source, Syntax};
use hooks_core::spill::{SpillUnit, Spilled, spill};
use hooks_core::tool::{McpResult, ResultKind, ShellResult, ToolResult};
use hooks_core::{Binding, HostProfile, HostSide, RawJson, SessionState, Snapshot, activate, select};
use serde_json::json;

fn parsed(origin: Origin, document: &serde_json::Value) -> hooks_core::adapter::Parsed {
    let source = Source::hooks(VENDOR, origin, Syntax::Json, format!("{origin}"), document.to_string().into_bytes());
    Adapter::latest().parse(&Arc::new(source))
}

fn snapshot(documents: Vec<hooks_core::adapter::Parsed>) -> Snapshot {
    let adapter = Arc::new(Adapter::latest());
    let host = HostProfile::full().handlers([HandlerKind::Command, HandlerKind::Http]);
    activate(vec![VendorSources { adapter, documents }], &host, &AdmitAll).expect("a snapshot")
}

fn returned(kind: ResultKind, tool: &str, input: serde_json::Value) -> Envelope {
    let call = Adapter::latest().tool_call(tool, &RawJson::from(&input));
    let tool = ToolUse { id: Some("t".into()), call };
    let returned = ToolReturned { tool, result: ToolResult::finished(kind), duration_ms: Some(1) };
    let common = Common { session_id: "s".into(), cwd: "/p".into(), ..Common::default() };
    Envelope::new(common, Payload::ToolResult(returned))
}

fn shell(code: Option<i32>) -> Envelope {
    let shell = ShellResult {
        output: "LAB-FAIL-OUT\n".into(),
        stderr: Some("LAB-FAIL-ERR\n".into()),
        exit_code: code,
        interrupted: false,
    };
    returned(ResultKind::Shell(shell), "Bash", json!({ "command": "x" }))
}

fn mcp(is_error: bool) -> Envelope {
    let result = RawJson::from(&json!({ "content": [{ "type": "text", "text": "MCP-FAILED" }] }));
    returned(ResultKind::Mcp(McpResult { result, is_error }), "mcp__srv__fail", json!({}))
}

/// The page's "fires" of both events; the recorded payload has the text.
#[test]
fn a_failure_that_returned_fires_the_failure_event_alone() {
    let adapter = Adapter::latest();
    let fired = |envelope: &Envelope| -> Vec<&str> {
        let is =
            |event: &&adapter_claude::events::Event| matches!(adapter.subject(&event.facts, envelope), Subject::Is(_));
        EVENTS.iter().filter(is).map(|event| event.facts.name).collect()
    };
    assert_eq!(fired(&shell(Some(0))), ["PostToolUse"]);
    assert_eq!(fired(&shell(None)), ["PostToolUse"]);
    assert_eq!(fired(&shell(Some(3))), ["PostToolUseFailure"]);
    assert_eq!(fired(&mcp(false)), ["PostToolUse"]);
    assert_eq!(fired(&mcp(true)), ["PostToolUseFailure"]);
    let failure = find("PostToolUseFailure").expect("an event");
    assert_eq!(adapter.also_on(&failure.facts), [Boundary::ToolResult]);

    let hook = json!({ "type": "command", "command": "x" });
    let document = json!({ "hooks": { "PostToolUse": [{ "hooks": [hook] }], "PostToolUseFailure": [{ "matcher": "Bash", "hooks": [hook] }] } });
    let snapshot = snapshot(vec![parsed(Origin::Project, &document)]);
    let session = SessionState::default();
    for (envelope, expected, error) in [
        (shell(Some(3)), Some("PostToolUseFailure"), "Exit code 3\nLAB-FAIL-OUT\nLAB-FAIL-ERR"),
        (shell(Some(0)), Some("PostToolUse"), ""),
        (mcp(true), None, ""),
    ] {
        let chosen = select(&snapshot, &envelope, &session);
        let events: Vec<&str> = chosen.iter().map(|choice| choice.binding.place.event.as_str()).collect();
        assert_eq!(events, expected.into_iter().collect::<Vec<_>>());
        for choice in chosen {
            let mut stdin = Vec::new();
            adapter.encode(choice.binding, &envelope, &mut stdin).expect("written");
            let payload: serde_json::Value = serde_json::from_slice(&stdin).expect("json");
            assert_eq!(payload["hook_event_name"], choice.binding.place.event);
            assert_eq!(payload["error"].as_str().unwrap_or_default(), error);
            let block = Outcome::exited(0, r#"{"decision":"block","reason":"R","continue":false}"#);
            let effects = adapter.decode(choice.binding, &envelope, &block, DecodePolicy::default());
            assert!(effects.effects.iter().any(|effect| matches!(effect, Effect::Context(text) if text == "R")));
        }
    }
    let mut stdin = Vec::new();
    let binding = Binding::alone(adapter.blank("PostToolUseFailure").expect("an event"));
    adapter.encode(&binding, &mcp(true), &mut stdin).expect("written");
    let payload: serde_json::Value = serde_json::from_slice(&stdin).expect("json");
    assert_eq!((&payload["error"], &payload["mcp_server"]["name"]), (&json!("MCP-FAILED"), &json!("srv")));
    assert_eq!(adapter.merge_policy(Boundary::ToolResult), adapter.merge_policy(Boundary::ToolFailure));
}

fn http(document: serde_json::Value, more: Vec<(Origin, serde_json::Value)>, origin: Origin) -> (Snapshot, Envelope) {
    let mut documents = vec![parsed(origin, &document)];
    documents.extend(more.into_iter().map(|(origin, document)| parsed(origin, &document)));
    let call = Adapter::latest().tool_call("Bash", &RawJson::from(&json!({ "command": "ls" })));
    let envelope = Envelope::new(Common::default(), Payload::ToolBefore(ToolUse { id: None, call }));
    (snapshot(documents), envelope)
}

/// Cases L246 to L250, through activation: no host has to know the settings.
#[test]
fn lists_in_the_settings_bind_every_request() {
    let handler = |more: serde_json::Value| {
        let mut handler = json!({ "type": "http", "url": "http://127.0.0.1:8124/x", "headers": { "A": "$T" }, "allowedEnvVars": ["T", "U"] });
        for (key, value) in more.as_object().expect("an object") {
            handler[key] = value.clone();
        }
        json!({ "hooks": { "PreToolUse": [{ "hooks": [handler] }] } })
    };
    let run = |document, more, origin| {
        let (snapshot, envelope) = http(document, more, origin);
        let adapter = snapshot.adapter(&VENDOR).expect("an adapter").clone();
        let binding = snapshot.bindings()[0].clone();
        let encoded = adapter.encode(&binding, &envelope, &mut Vec::new());
        let outcome = match &encoded {
            Ok(_) => Outcome::ended(End::Http(204)),
            Err(not_run) => not_run.clone().into(),
        };
        let effects = adapter.decode(&binding, &envelope, &outcome, DecodePolicy::default());
        let denies =
            effects.effects.iter().any(|effect| matches!(effect, Effect::Verdict { verdict: Verdict::Deny, .. }));
        (encoded, denies)
    };
    let urls = |patterns: &[&str]| json!({ "allowedHttpHookUrls": patterns });
    use Origin::{Managed, Project, User};
    assert!(run(handler(json!({})), vec![], Project).0.is_ok());
    assert!(run(handler(json!({})), vec![(User, urls(&["http://127.0.0.1:8124/*"]))], Project).0.is_ok(), "L250");
    let merged = vec![(User, urls(&[])), (Managed, urls(&["http://127.0.0.1:*"]))];
    assert!(run(handler(json!({})), merged, Project).0.is_ok(), "the lists merge");
    let (refused, denies) = run(handler(json!({})), vec![(User, urls(&[]))], Project);
    assert!(refused.is_err(), "L248");
    assert!(!denies, "L248: the call goes on");
    let (refused, denies) =
        run(handler(json!({ "onFailure": "block" })), vec![(User, urls(&["https://x/*"]))], Project);
    assert!(refused.is_err() && denies, "L249");
    assert!(run(handler(json!({})), vec![(User, urls(&[]))], Managed).0.is_ok(), "a managed hook, no managed list");
    assert!(run(handler(json!({})), vec![(Managed, urls(&[]))], Managed).0.is_err());

    let (encoded, _) = run(handler(json!({})), vec![(User, json!({ "httpHookAllowedEnvVars": ["U"] }))], Project);
    let Program::Hosted(hosted) = encoded.expect("an invocation").program else { panic!() };
    let Handler::Http(http) = *hosted else { panic!() };
    assert_eq!(http.allowed_env, ["U"], "L244, L245, L246");
    assert_eq!(http.headers["A"], "$T", "the host fills in what is allowed, and nothing for the rest");
    assert_eq!(HttpPolicy::of(&[parsed(User, &json!({}))]), HttpPolicy::default());
}

fn head(life: Life, plugin: bool, text: &str) -> hooks_core::adapter::Parsed {
    let mut source = Source::hooks(VENDOR, Origin::Frontmatter, Syntax::Yaml, "SKILL.md", text.as_bytes());
    source.life = life;
    source.plugin = plugin.then(|| Plugin { name: "p".into(), root: "/p".into(), ..Plugin::default() });
    Adapter::latest().parse(&Arc::new(source))
}

const SKILL: &str = "---
name: check
allowed-tools: Bash
hooks:
  PreToolUse:
    - matcher: \"Bash\"
      hooks:
        - type: command
          command: ./check.sh
          once: true
          timeout: 2.5
  Stop:
    - hooks:
        - {type: command, command: 'echo é'}
---
Text with hooks: {}
";

/// Cases L045, L055 to L058.
#[test]
fn hooks_in_heads() {
    let skill = head(Life::Session, false, SKILL);
    assert!(!skill.rejected && skill.diagnostics.is_empty(), "{:?}", skill.diagnostics);
    let shown: Vec<_> = skill.definitions.iter().map(|one| (one.place.to_string(), one.once, one.timeout)).collect();
    let default = Duration::from_secs(600);
    assert_eq!(
        shown,
        [
            ("PreToolUse[0][0]".to_owned(), true, Duration::from_millis(2_500)),
            ("Stop[0][0]".to_owned(), false, default)
        ]
    );
    assert_eq!(&SKILL[skill.definitions[1].range.clone()], "{type: command, command: 'echo é'}");

    let agent = head(Life::Agent("a1".into()), false, SKILL);
    let events: Vec<&str> = agent.definitions.iter().map(|one| one.place.event.as_str()).collect();
    assert_eq!(events, ["PreToolUse", "SubagentStop"], "L058");
    let both =
        SKILL.replace("  Stop:", "  SubagentStop:\n    - hooks:\n        - {type: command, command: b}\n  Stop:");
    let both = head(Life::Agent("a1".into()), false, &both);
    let mut ids: Vec<_> = both.definitions.iter().map(|one| one.id.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 3, "each has a name of its own");

    let of_plugin = head(Life::Agent("a1".into()), true, SKILL);
    assert!(of_plugin.definitions.iter().all(|one| matches!(one.state, State::Inert(_))));
    let said: Vec<&str> = of_plugin.diagnostics.iter().map(|one| one.code.about).collect();
    assert_eq!(said, ["plugin-agent", "no-effect-here"], "`once` is for skills");
    assert!(
        head(Life::Session, true, SKILL).definitions.iter().all(|one| one.state == State::Live),
        "a plugin's skill"
    );

    let guard = head(Life::Session, false, &SKILL.replace("timeout: 2.5", "timeout: 0"));
    assert!(guard.rejected && guard.definitions.iter().all(|one| one.state != State::Live), "L045");
    let broken = head(Life::Session, false, "---\nhooks: [\n---\n");
    assert_eq!((broken.rejected, broken.diagnostics[0].code.about), (true, "not-yaml"));
    let range = broken.diagnostics[0].range.clone().expect("a place");
    assert!(range.end <= "---\nhooks: [\n---\n".len());
    for text in ["no head", "---\nname: x\n---\n", ""] {
        let none = head(Life::Session, false, text);
        assert!(!none.rejected && none.definitions.is_empty() && none.diagnostics.is_empty());
    }
    let outside = parsed(
        Origin::Project,
        &json!({ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "x", "once": true }] }] } }),
    );
    assert!(!outside.definitions[0].once, "L057");
}

/// An agent's hooks run while it runs, at its end too, and nowhere else; `once` holds for a session.
#[test]
fn an_agent_s_hooks_run_in_it() {
    let snapshot = snapshot(vec![head(Life::Agent("a1".into()), false, SKILL)]);
    let session = SessionState::default();
    let stop = |id: &str| {
        let stop = SubagentStop { id: Some(id.into()), ..SubagentStop::default() };
        Envelope::new(Common::default(), Payload::SubagentStop(stop))
    };
    assert_eq!(select(&snapshot, &stop("a1"), &session).len(), 1);
    assert_eq!(select(&snapshot, &stop("a2"), &session).len(), 0);
    let call = |id: Option<&str>| {
        let call = Adapter::latest().tool_call("Bash", &RawJson::from(&json!({ "command": "ls" })));
        let agent = id.map(|id| AgentIdentity { id: Some(id.into()), kind: None });
        Envelope::new(Common { agent, ..Common::default() }, Payload::ToolBefore(ToolUse { id: None, call }))
    };
    assert_eq!(select(&snapshot, &call(Some("a1")), &session).len(), 1);
    assert_eq!(select(&snapshot, &call(None), &session).len(), 0);
    // `once` is for skills: an agent's hooks run each time.
    assert!(snapshot.bindings().iter().all(|binding| !binding.once));
    let skill = self::snapshot(vec![head(Life::Session, false, SKILL)]);
    let mut ran = SessionState::default();
    assert_eq!(select(&skill, &call(None), &ran).len(), 1);
    ran.ran_once.extend(skill.bindings().iter().map(|binding| binding.id.clone()));
    assert_eq!(select(&skill, &call(None), &ran).len(), 0, "L055");
}

/// Hooks page, environment; case L290.
#[test]
fn a_hook_inherits_no_other_hook_s_variables() {
    let adapter = Adapter::latest();
    let run = |event: &str, effort: Option<&str>| {
        let mut envelope = sample::envelope(&adapter, event, &Given::default()).expect("an occurrence");
        envelope.common.effort = effort.map(str::to_owned);
        let binding = Binding::alone(adapter.blank(event).expect("an event"));
        adapter.encode(&binding, &envelope, &mut Vec::new()).expect("an invocation")
    };
    let with = run("PreToolUse", Some("high"));
    let set = |run: &hooks_core::Invocation, name: &str| run.env.iter().any(|(key, _)| key == name);
    let removed = |run: &hooks_core::Invocation, name: &str| run.env_remove.iter().any(|key| key == name);
    assert!(removed(&with, "OTEL_*") && removed(&with, locations::ENV_FILE) && removed(&with, locations::PLUGIN_ROOT));
    assert!(set(&with, locations::EFFORT) && !removed(&with, locations::EFFORT));
    let without = run("SessionStart", Some("high"));
    assert!(!set(&without, locations::EFFORT) && removed(&without, locations::EFFORT));
    for event in &EVENTS {
        let name = event.facts.name;
        let run = run(name, None);
        // What its own session gives it, the runner sets.
        assert!(removed(&run, locations::ENV_FILE), "{name}");
        let cleared = match name {
            "SessionStart" | "Setup" => Some(&[][..]),
            "CwdChanged" | "FileChanged" => Some(&[Boundary::CwdChanged][..]),
            _ => None,
        };
        assert_eq!(run.session_file.map(|file| file.cleared_on), cleared, "L288, L289, L290: {name}");
        if let Some(file) = run.session_file {
            assert_eq!((file.variable, file.reach), (locations::ENV_FILE, EnvReach::Shell));
            assert!(adapter.session_files().contains(&file), "{name}");
        }
    }
}

#[test]
fn limits_on_time_follow_the_surroundings() {
    let adapter = |options| Adapter::new(&DIALECT, LATEST, options);
    let timeout = |adapter: &Adapter, event: &str, handler: serde_json::Value| {
        let parsed = parsed(Origin::Project, &json!({ "hooks": { event: [{ "hooks": [handler] }] } }));
        let envelope = sample::envelope(adapter, event, &Given::default()).expect("an occurrence");
        let binding = Binding::alone(parsed.definitions[0].clone());
        adapter.encode(&binding, &envelope, &mut Vec::new()).expect("an invocation").timeout
    };
    let usual = adapter(Options::default());
    let hook = |more: serde_json::Value| {
        let mut hook = json!({ "type": "command", "command": "x" });
        for (key, value) in more.as_object().expect("an object") {
            hook[key] = value.clone();
        }
        hook
    };
    assert_eq!(timeout(&usual, "SessionEnd", hook(json!({}))), Duration::from_millis(1_500), "L348");
    assert_eq!(timeout(&usual, "SessionEnd", hook(json!({ "timeout": 5 }))), Duration::from_secs(5), "L349");
    assert_eq!(timeout(&usual, "SessionEnd", hook(json!({ "timeout": 500 }))), Duration::from_secs(60));
    let longer = adapter(Options { session_end: Some(Duration::from_secs(4)), ..Options::default() });
    assert_eq!(timeout(&longer, "SessionEnd", hook(json!({}))), Duration::from_secs(4), "L350");
    assert_eq!(timeout(&longer, "Stop", hook(json!({}))), Duration::from_secs(600));
    assert_eq!(timeout(&usual, "Stop", hook(json!({ "async": true, "timeout": 1 }))), Duration::MAX, "not enforced");
    assert_eq!(timeout(&usual, "Stop", hook(json!({ "asyncRewake": true, "timeout": 1 }))), Duration::from_secs(1));

    let capped = adapter(Options { stop_cap: Some(3), ..Options::default() });
    let binding = Binding::alone(capped.blank("Stop").expect("an event"));
    let envelope = sample::envelope(&capped, "Stop", &Given::default()).expect("an occurrence");
    let block = Outcome::exited(0, r#"{"decision":"block","reason":"R"}"#);
    let cap = |adapter: &Adapter| match adapter
        .decode(&binding, &envelope, &block, DecodePolicy::default())
        .effects
        .as_slice()
    {
        [Effect::Continue(continuation)] => continuation.vendor_cap,
        other => panic!("{other:?}"),
    };
    assert_eq!(cap(&capped), Some(3), "L363");
    assert_eq!(cap(&adapter(Options { stop_cap: None, ..Options::default() })), None);
    assert_eq!(cap(&usual), Some(8), "L362");
}

/// Cases L478 to L481.
#[test]
fn long_texts_spill() {
    let adapter = Adapter::latest();
    let definition = adapter.blank("UserPromptSubmit").expect("an event");
    let limit = adapter.context_limit(&definition).expect("a limit");
    assert_eq!(
        (limit.limit, limit.unit, limit.keep_head, limit.keep_tail),
        (Some(TEXT_CAP), SpillUnit::Characters, PREVIEW, 0)
    );
    assert!(matches!(spill(&"é".repeat(10_000), &limit), Spilled::Whole(_)), "L478, L480");
    let Spilled::ToFile { head, tail, whole } = spill(&"é".repeat(10_001), &limit) else { panic!("L479") };
    assert_eq!((head.chars().count(), tail.as_str(), whole.chars().count()), (2_000, "", 10_001));
    let binding = Binding::alone(adapter.blank("PreToolUse").expect("an event"));
    let envelope = sample::envelope(&adapter, "PreToolUse", &Given::default()).expect("an occurrence");
    let long = json!({ "decision": "block", "reason": "x".repeat(20_000) }).to_string();
    let effects = adapter.decode(&binding, &envelope, &Outcome::exited(0, long), DecodePolicy::default());
    let Some(Effect::Verdict { reasons, .. }) = effects.effects.first() else { panic!("{effects:?}") };
    assert_eq!(reasons[0].len(), 20_000, "L481");
}

/// Drop-in files beside the managed settings, read after them (settings page).
#[test]
fn managed_drop_ins_are_found_and_stand_above_the_file_they_stand_beside() {
    let adapter = Adapter::latest();
    let drop_ins: Vec<_> =
        locations::LOCATIONS.iter().filter(|one| one.path.ends_with("managed-settings.d/*.json")).collect();
    assert_eq!(drop_ins.len(), 3);
    let at = |path: &str| adapter.precedence(&Source::hooks(VENDOR, Origin::Managed, Syntax::Json, path, Vec::new()));
    assert!(at("/etc/claude-code/managed-settings.d/10-x.json") > at("/etc/claude-code/managed-settings.json"));
    for location in locations::LOCATIONS {
        let path = location.path.replace('*', "x");
        let source = Source::hooks(VENDOR, location.origin, Syntax::Json, path, Vec::new());
        assert_eq!(i32::from(location.precedence), adapter.precedence(&source), "{}", location.path);
    }
}

/// The versions of the page's list that lie between the two recorded clients; each pair is the last client before and the
/// first one after.
#[test]
fn facts_follow_the_client_s_version() {
    let at = |patch: u32| Adapter::new(&DIALECT, hooks_core::Version::new(2, 1, patch), Options::default());
    let decoded = |patch: u32, event: &str, handler: Option<Handler>, outcome: Outcome| {
        let adapter = at(patch);
        let mut definition = adapter.blank(event).expect("an event");
        if let Some(handler) = handler {
            definition.handler = handler;
        }
        let envelope = sample::envelope(&adapter, event, &Given::default()).expect("an occurrence");
        adapter.decode(&Binding::alone(definition), &envelope, &outcome, DecodePolicy::default())
    };
    let prompt = || Some(Handler::Prompt(hooks_core::handler::PromptHandler::default()));
    let no = || Outcome { stdout: br#"{"ok":false,"reason":"R"}"#.to_vec(), ..Outcome::ended(End::Model) };
    assert_eq!(decoded(209, "PreToolUse", prompt(), no()).effects.len(), 1, "2.1.210");
    assert_eq!(decoded(210, "PreToolUse", prompt(), no()).effects.len(), 2, "2.1.210");
    let classified = r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","classifierContext":"K"}}"#;
    assert!(decoded(235, "PostToolUse", None, Outcome::exited(0, classified)).effects.is_empty(), "2.1.236");
    assert_eq!(decoded(236, "PostToolUse", None, Outcome::exited(0, classified)).effects.len(), 1, "2.1.236");
    let invalid = || Outcome::exited(2, r#"{"continue":"false"}"#);
    assert!(decoded(213, "PreToolUse", None, invalid()).effects.is_empty(), "2.1.214");
    assert_eq!(decoded(214, "PreToolUse", None, invalid()).effects.len(), 1, "2.1.214");
    assert!(decoded(248, "PreToolUse", None, Outcome::exited(0, "{bad}")).failure.is_some(), "2.1.248");
    assert!(decoded(247, "PreToolUse", None, Outcome::exited(0, "{bad}")).failure.is_none(), "2.1.248");

    let tool = json!({ "type": "mcp_tool", "server": "s", "tool": "t", "onFailure": "block" });
    let document = json!({ "hooks": { "PreToolUse": [{ "hooks": [tool] }] } }).to_string().into_bytes();
    let policy = |patch: u32| {
        let source = Source::hooks(VENDOR, Origin::Project, Syntax::Json, "p", document.clone());
        at(patch).parse(&Arc::new(source)).definitions[0].failure
    };
    use hooks_core::definition::FailurePolicy::{Closed, Open};
    assert_eq!((policy(327), policy(328)), (Open, Closed), "2.1.328");

    let mut envelope = sample::envelope(&at(332), "SessionStart", &Given::default()).expect("an occurrence");
    envelope.common.scratchpad_dir = Some("/scratch".into());
    envelope.common.extra.insert("context_tokens".into(), RawJson::from(&json!(5)));
    let keys = |patch: u32| {
        let adapter = at(patch);
        let mut stdin = Vec::new();
        let binding = Binding::alone(adapter.blank("SessionStart").expect("an event"));
        adapter.encode(&binding, &envelope, &mut stdin).expect("written");
        let payload: serde_json::Value = serde_json::from_slice(&stdin).expect("json");
        (payload.get("context_tokens").is_some(), payload.get("scratchpad_dir").is_some())
    };
    assert_eq!((keys(250), keys(251), keys(257)), ((false, false), (true, false), (true, true)), "2.1.251, 2.1.257");
    for (event, patch) in [("DirectoryAdded", 219), ("PreModelSwitch", 251), ("PreSkillShellCommand", 332)] {
        assert!(at(patch - 1).event(event).is_none() && at(patch).event(event).is_some(), "{event}");
    }
    let shell = |patch: u32| {
        let adapter = at(patch);
        let mut definition = adapter.blank("PreToolUse").expect("an event");
        definition.handler = Handler::Command(hooks_core::handler::CommandHandler {
            command: "echo ${user_config.k}".into(),
            ..Default::default()
        });
        let envelope = sample::envelope(&adapter, "PreToolUse", &Given::default()).expect("an occurrence");
        adapter.encode(&Binding::alone(definition), &envelope, &mut Vec::new()).is_ok()
    };
    assert_eq!((shell(206), shell(207)), (true, false), "2.1.207, L280");
}
