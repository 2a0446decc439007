//! Facts of the vendor's own tests that no vector holds, by the ids of its case list.

use std::sync::Arc;
use std::time::Duration;

use adapter_codex::{Adapter, DIALECT, Options, trust};
use hooks_conformance::{Given, sample};
use hooks_core::activate::AdmitAll;
use hooks_core::adapter::{Parsed, Switch};
use hooks_core::effects::RunStatus;
use hooks_core::handler::{Background, HandlerKind};
use hooks_core::matcher::Matched;
use hooks_core::source::{Origin, Plugin, Role, Source, Syntax};
use hooks_core::{
    Binding, DecodePolicy, Effect, End, Envelope, Handler, HookEffects, HostProfile, HostSide, Outcome, Payload,
    SessionState, Snapshot, State, VendorSources, Verdict, activate, select,
};
use serde_json::json;

fn document(origin: Origin, path: &str, text: &str) -> Parsed {
    let syntax = if path.ends_with(".toml") { Syntax::Toml } else { Syntax::Json };
    let vendor = Adapter::latest().vendor().clone();
    Adapter::latest().parse(&Arc::new(Source::hooks(vendor, origin, syntax, path, text.as_bytes().to_vec())))
}

fn requirements(text: &str) -> Parsed {
    let vendor = Adapter::latest().vendor().clone();
    let path = "/etc/codex/requirements.toml";
    let mut source = Source::hooks(vendor, Origin::Managed, Syntax::Toml, path, text.as_bytes().to_vec());
    source.role = Role::Requirements;
    Adapter::latest().parse(&Arc::new(source))
}

fn user(text: &str) -> Parsed {
    document(Origin::User, "/home/u/.codex/hooks.json", text)
}

fn activated(documents: Vec<Parsed>) -> hooks_core::Activated {
    let mut host = HostProfile::full();
    host.handlers.insert(HandlerKind::McpTool);
    activate(vec![VendorSources { adapter: Arc::new(Adapter::latest()), documents }], &host, &AdmitAll)
}

fn occurrence(event: &str, given: &Given) -> Envelope {
    sample::envelope(&Adapter::latest(), event, given).expect("a sample")
}

fn tool(name: &str) -> Given {
    Given { tool: Some(name.to_owned()), ..Given::default() }
}

fn run(snapshot: &Snapshot, envelope: &Envelope) -> Vec<String> {
    let session = SessionState::default();
    select(snapshot, envelope, &session).iter().map(|choice| choice.binding.handler.label()).collect()
}

/// A snapshot of one event's groups, each with a matcher and one command named by its number.
fn groups(event: &str, matchers: &[Option<&str>]) -> Snapshot {
    let groups: Vec<_> = matchers
        .iter()
        .enumerate()
        .map(|(at, matcher)| json!({"matcher": matcher, "hooks": [{"type": "command", "command": at.to_string()}]}))
        .collect();
    activated(vec![user(&json!({"hooks": {event: groups}}).to_string())]).unwrap()
}

#[test]
fn j_matchers_mean_what_they_mean_to_the_vendor() {
    let matches = |matcher: Option<&str>, value: &str| {
        let (matcher, error) = Adapter::latest().matcher("PreToolUse", matcher);
        assert!(error.is_none());
        matcher.matches(value) == Matched::Yes
    };
    for all in [None, Some("*"), Some("")] {
        for value in ["Bash", "Write", "Edit", "SessionStart"] {
            assert!(matches(all, value), "J1 to J3: {all:?} {value}");
        }
    }
    let entities = "mcp__memory__create_entities";
    for (id, matcher, value, wanted) in [
        ("J4", "Edit|Write", "Edit", true),
        ("J4", "Edit|Write", "Write", true),
        ("J4", "Edit|Write", "Bash", false),
        ("J5", "Bash", "Bash", true),
        ("J5", "Bash", "BashOutput", false),
        ("J6", entities, entities, true),
        ("J7", "mcp__memory", entities, false),
        ("J8", "^Bash", "BashOutput", true),
        ("J9", "mcp__memory__.*", entities, true),
        ("J10", "mcp__.*__write.*", "mcp__filesystem__write_file", true),
        ("J10", "mcp__.*__write.*", "mcp__filesystem__read_file", false),
        ("J11", "^Bash$", "Bash", true),
        ("J11", "^Bash$", "BashOutput", false),
    ] {
        assert_eq!(matches(Some(matcher), value), wanted, "{id}: {matcher} {value}");
    }
    let (never, error) = Adapter::latest().matcher("PreToolUse", Some("["));
    assert!(error.is_some() && never.matches("Bash") != Matched::Yes, "J12");
}

#[test]
fn j_and_m_matchers_are_kept_or_dropped_by_event() {
    let kept = |event: &str, matcher: &str| {
        let text = json!({"hooks": {event: [{"matcher": matcher, "hooks": [{"type": "command", "command": "a"}]}]}});
        let parsed = user(&text.to_string());
        let [definition] = parsed.definitions.as_slice() else { panic!("{}", parsed.definitions.len()) };
        assert_eq!(
            (&definition.state, definition.timeout),
            (&State::Live, Duration::from_secs(if event == "SessionEnd" { 1 } else { 600 }))
        );
        let warned = parsed.diagnostics.iter().any(|found| !found.silent);
        (definition.matcher_text.clone(), warned)
    };
    for (event, matcher) in [
        ("UserPromptSubmit", "^hello"), // J13
        ("Stop", "^done$"),             // J14
        ("UserPromptSubmit", "["),      // M3
    ] {
        assert_eq!(kept(event, matcher), (None, false), "{event}");
    }
    for (event, matcher) in [
        ("PreToolUse", "Bash"),        // J15
        ("PostToolUse", "Edit|Write"), // J15 and M6
        ("SessionStart", "startup|resume"),
        ("PreCompact", "^auto$"),
        ("PostCompact", "manual|auto"),
        ("SessionEnd", "clear|other"), // J16
        ("PreToolUse", "^Bash$"),      // M4
        ("PreToolUse", "*"),           // M5
    ] {
        assert_eq!(kept(event, matcher), (Some(matcher.to_owned()), false), "{event}");
    }
}

#[test]
fn k_handlers_are_selected_as_the_vendor_does() {
    let source = |source: &str| Given { source: Some(source.to_owned()), ..Given::default() };
    let chosen = |event: &str, matchers: &[Option<&str>], given: &Given| {
        run(&groups(event, matchers), &occurrence(event, given)).join(" ")
    };
    // K2: overlapping matchers both run; K4 to K7: by the tool's name.
    assert_eq!(chosen("SessionStart", &[Some("start.*"), Some("^startup$")], &source("startup")), "0 1");
    assert_eq!(chosen("PreToolUse", &[Some("^Bash$"), Some("^Edit$")], &tool("Bash")), "0");
    assert_eq!(chosen("PostToolUse", &[Some("^Bash$"), Some("^Edit$")], &tool("Bash")), "0");
    assert_eq!(chosen("PreToolUse", &[Some("*"), Some("^Edit$")], &tool("Bash")), "0");
    assert_eq!(chosen("PreToolUse", &[Some("Edit|Write")], &tool("Bash")), "");
    // K8: one call with aliases; each handler runs once, in order.
    let aliases = [Some("^apply_patch$"), Some("^Write$"), Some("^Edit$"), Some("apply_patch|Write|Edit")];
    assert_eq!(chosen("PreToolUse", &aliases, &tool("apply_patch")), "0 1 2 3");
    // K9: the event ignores matchers; K10: the order is that of the file.
    assert_eq!(chosen("UserPromptSubmit", &[Some("^hello"), Some("[")], &Given::default()), "0 1");
    assert_eq!(chosen("Stop", &[None, None, None], &Given::default()), "0 1 2");
    // K3: by the trigger.
    let mut manual = occurrence("PreCompact", &Given::default());
    if let Payload::CompactBefore(compaction) = &mut manual.payload {
        compaction.trigger = Some("manual".into());
    }
    assert_eq!(run(&groups("PreCompact", &[Some("manual"), Some("auto")]), &manual), ["0"]);
    // E1: the end of a session has one reason.
    let end = occurrence("SessionEnd", &Given::default());
    assert_eq!(run(&groups("SessionEnd", &[Some("clear"), Some("other"), None]), &end), ["1", "2"]);
}

#[test]
fn k_identical_commands_all_run() {
    // K1, and the recorded case of three identical commands.
    let one = r#"{"type":"command","command":"same"}"#;
    let text = format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{one},{one}]}},{{"hooks":[{one}]}}]}}}}"#);
    let snapshot = activated(vec![user(&text)]).unwrap();
    assert_eq!(run(&snapshot, &occurrence("Stop", &Given::default())), ["same", "same", "same"]);
}

#[test]
fn l_shapes_are_read_as_the_vendor_reads_them() {
    let all = |parsed: &Parsed| {
        assert!(!parsed.rejected && parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let definition = parsed.definitions[0].clone();
        let Handler::Command(command) = definition.handler.clone() else { panic!("no command") };
        (
            definition.matcher_text,
            command.command,
            definition.timeout.as_secs(),
            definition.status_message,
            definition.context_limit,
        )
    };
    let wanted = || (Some("^Bash$".to_owned()), "./check".to_owned(), 10, Some("checking".to_owned()), Some(4096));
    // L1 and L3.
    let handler = r#"{"type":"command","command":"./check","timeout":10,"statusMessage":"checking","additionalContextLimit":4096}"#;
    let json =
        format!(r#"{{"description":"d","hooks":{{"PreToolUse":[{{"matcher":"^Bash$","hooks":[{handler}]}}]}}}}"#);
    assert_eq!(all(&user(&json)), wanted());
    let group =
        "[[hooks.PreToolUse]]\nmatcher = '^Bash$'\n[[hooks.PreToolUse.hooks]]\ntype = 'command'\ncommand = './check'\n";
    let toml = format!("{group}timeout = 10\nstatusMessage = 'checking'\nadditionalContextLimit = 4096\n");
    assert_eq!(all(&document(Origin::User, "config.toml", &toml)), wanted());
    // L4.
    let state = "[hooks.state.\"/tmp/hooks.json:pre_tool_use:0:0\"]\nenabled = false\ntrusted_hash = 'sha256:abc123'\n";
    let parsed = document(Origin::User, "config.toml", &format!("{state}{group}"));
    assert_eq!((parsed.trust.len(), parsed.definitions.len()), (1, 1));
    assert_eq!(parsed.trust[0].enabled, Some(false));
    assert_eq!(parsed.trust[0].trusted_hash.as_deref(), Some("sha256:abc123"));
    // L5.
    let managed =
        requirements(&format!("[hooks]\nmanaged_dir = '/opt/hooks'\nwindows_managed_dir = 'C:\\hooks'\n{group}"));
    assert_eq!((managed.definitions.len(), managed.diagnostics.len()), (1, 0), "{:?}", managed.diagnostics);
    // L6 and L7, and M11: on Windows it is the command.
    for key in ["command_windows", "commandWindows"] {
        let parsed = document(Origin::User, "config.toml", &format!("{group}{key} = './other'\n"));
        let Handler::Command(command) = &parsed.definitions[0].handler else { panic!("no command") };
        assert_eq!(command.windows.as_deref(), Some("./other"), "{key}");
        for (windows, text) in [(true, "./other"), (false, "./check")] {
            let adapter = Adapter::new(&DIALECT, DIALECT.latest, Options::default().windows(windows));
            let binding = Binding::alone(parsed.definitions[0].clone());
            let invocation = adapter.encode(&binding, &occurrence("PreToolUse", &Given::default()), &mut Vec::new());
            let hooks_core::outcome::Program::ShellText { text: found, .. } = invocation.unwrap().program else {
                panic!("no shell text")
            };
            assert_eq!(found, text);
        }
    }
}

#[test]
fn l_and_m_tools_of_tool_servers_keep_their_arguments() {
    // L9 and M15.
    let handler = r#"{"type":"mcp_tool","server":"s","tool":"t","input":{"text":"${tool_input.command}","strict":true},"timeout":30,"statusMessage":"m"}"#;
    let text = format!(r#"{{"hooks":{{"PostToolUse":[{{"matcher":"Write|Edit","hooks":[{handler}]}}]}}}}"#);
    let parsed = user(&text);
    assert!(parsed.diagnostics.is_empty());
    let definition = &parsed.definitions[0];
    let Handler::McpTool(tool) = &definition.handler else { panic!("no tool") };
    assert_eq!((tool.server.as_str(), tool.tool.as_str()), ("s", "t"));
    assert_eq!(tool.input.get(), r#"{"text":"${tool_input.command}","strict":true}"#);
    assert_eq!((definition.timeout.as_secs(), definition.status_message.as_deref()), (30, Some("m")));
    assert!(trust::fingerprints(&parsed.source, DIALECT.latest, false)[0].hash.starts_with("sha256:"));
}

#[test]
fn m_the_end_of_a_session_is_short_and_in_the_foreground() {
    // M7.
    let text = r#"{"hooks":{"SessionEnd":[{"matcher":"other","hooks":[{"type":"command","command":"a"},
        {"type":"command","command":"b","timeout":600,"async":true}]}]}}"#;
    let parsed = user(text);
    let seconds: Vec<_> = parsed.definitions.iter().map(|definition| definition.timeout.as_secs()).collect();
    assert_eq!(seconds, [1, 3]);
    assert!(parsed.definitions.iter().all(|definition| {
        matches!(&definition.handler, Handler::Command(command) if command.background == Background::No)
    }));
    let mut told: Vec<_> = parsed.diagnostics.iter().map(|found| found.code.about).collect();
    told.sort_unstable();
    assert_eq!(told, ["async-runs-synchronously", "timeout-capped"]);
}

#[test]
fn o_only_managed_hooks() {
    let toml = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype='command'\ncommand='managed'\n";
    let json = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"json"}]}]}}"#;
    let vendor = Adapter::latest().vendor().clone();
    let mut plugin =
        Source::hooks(vendor, Origin::Plugin, Syntax::Json, "/p/hooks/hooks.json", json.as_bytes().to_vec());
    plugin.plugin = Some(Plugin { name: "p".into(), ..Plugin::default() });
    let plugin = Arc::new(plugin);
    let live = |only: bool| {
        let snapshot = activated(vec![
            requirements(&format!("allow_managed_hooks_only = {only}\n{toml}")),
            document(Origin::Managed, "/etc/codex/config.toml", &toml.replace("managed", "layer")),
            user(json),
            document(Origin::User, "/home/u/.codex/config.toml", &toml.replace("managed", "user")),
            Adapter::latest().parse(&plugin),
        ]);
        run(&snapshot.unwrap(), &occurrence("Stop", &Given::default())).join(" ")
    };
    // O7; O9 to O11.
    assert_eq!(live(false), "managed layer json user json");
    assert_eq!(live(true), "managed layer");
    // O8.
    let own = document(Origin::User, "/home/u/.codex/config.toml", &format!("allow_managed_hooks_only = true\n{toml}"));
    assert!(!own.switches.contains(&Switch::ManagedOnly(true)));
    // O18, O24, O26.
    let broken = "[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype='mcp_tool'\nserver='s'\ntool='t'\n";
    assert!(activated(vec![requirements(broken)]).is_err());
    assert!(activated(vec![requirements(&format!("features.hooks = false\n{broken}"))]).is_ok());
    let fine = requirements(toml);
    assert!(fine.diagnostics.is_empty() && activated(vec![fine]).is_ok());
}

#[test]
fn o_and_p_a_tools_answer_is_read_as_standard_output() {
    // O28 and P12.
    let document = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"mcp_tool","server":"s","tool":"t",
        "input":{"command":"${tool_input.command}"},"timeout":20}]}]}}"#;
    let snapshot = activated(vec![user(document)]).unwrap();
    let binding = &snapshot.bindings()[0];
    let envelope = occurrence("PreToolUse", &tool("Bash"));
    let adapter = Adapter::latest();
    let invocation = adapter.encode(binding, &envelope, &mut Vec::new()).unwrap();
    assert_eq!(invocation.timeout, Duration::from_secs(20));
    let hooks_core::outcome::Program::Hosted(handler) = invocation.program else { panic!("not hosted") };
    let Handler::McpTool(call) = *handler else { panic!("no tool") };
    assert_eq!(call.input.get(), format!(r#"{{"command":"{}"}}"#, sample::COMMAND));
    let report = adapter.started(binding, &envelope, 0).unwrap();
    assert_eq!((report.handler, report.execution), ("mcpTool", "sync"));

    let answer = |is_error, text: &str| {
        let outcome = Outcome { stdout: text.into(), ..Outcome::ended(End::Tool { is_error }) };
        adapter.decode(binding, &envelope, &outcome, DecodePolicy::default())
    };
    let deny = r#"{"decision":"block","reason":"r1"}"#;
    let wanted = Effect::Verdict { verdict: Verdict::Deny, reasons: vec!["r1".into()] };
    assert_eq!(answer(false, deny).effects, [wanted]);
    assert_eq!(answer(true, deny).status, RunStatus::Failed);
    assert!(answer(true, deny).effects.is_empty());
}

/// What a background run of an event's hook asks for.
fn late(event: &str, code: i32, stdout: &str, stderr: &str) -> HookEffects {
    let mut definition = Adapter::latest().blank(event).unwrap();
    if let Handler::Command(command) = &mut definition.handler {
        command.background = Background::Async;
    }
    let outcome = Outcome { stderr: stderr.into(), ..Outcome::exited(code, stdout) };
    let envelope = occurrence(event, &Given::default());
    Adapter::latest().decode(&Binding::alone(definition), &envelope, &outcome, DecodePolicy::default())
}

#[test]
fn async_twins_deliver_context_and_nothing_else() {
    let specific = |event: &str, rest: &str| {
        format!(r#"{{"hookSpecificOutput":{{"hookEventName":"{event}","additionalContext":"c1"{rest}}}}}"#)
    };
    let context = || vec![Effect::Context("c1".into())];
    let block = |rest: &str| format!(r#"{{"decision":"block"{rest}}}"#);
    for (id, event, stdout, wanted) in [
        ("A5", "PreToolUse", specific("PreToolUse", r#","permissionDecision":"allow""#), context()),
        ("C5", "PostToolUse", specific("PostToolUse", r#","updatedMCPToolOutput":{"ok":true}"#), context()),
        (
            "F4",
            "UserPromptSubmit",
            specific("UserPromptSubmit", "").replacen('{', r#"{"decision":"block","#, 1),
            context(),
        ),
        ("G3", "Stop", block(""), vec![]),
        ("G9", "Stop", "plain words".to_owned(), vec![]),
        (
            "async/pre-upd",
            "PreToolUse",
            specific("PreToolUse", r#","permissionDecision":"allow","updatedInput":{"command":"x"}"#),
            context(),
        ),
        ("async/pre-plain", "PreToolUse", "plain words".to_owned(), vec![]),
        ("async/session-plain", "SessionStart", "c1\n".to_owned(), context()),
        ("async/session-stop", "SessionStart", r#"{"continue":false}"#.to_owned(), vec![]),
        ("async/stop-sysmsg", "Stop", r#"{"systemMessage":"s"}"#.to_owned(), vec![Effect::Notice("s".into())]),
        ("async/precompact-stop", "PreCompact", r#"{"continue":false}"#.to_owned(), vec![]),
        ("async/premodel", "PreModelRequest", "anything".to_owned(), vec![]),
    ] {
        let run = late(event, 0, &stdout, "");
        assert_eq!((run.status, run.failure, run.effects), (RunStatus::Completed, None, wanted), "{id}");
    }
    // F6 and P6: another code and what does not fit are failed as ever, without effect.
    for (id, event, code, stdout) in [
        ("F6", "UserPromptSubmit", 2, ""),
        ("async/pre-exit1", "PreToolUse", 1, ""),
        ("P6", "UserPromptSubmit", 0, r#"{"systemMessage":123}"#),
        ("async/pre-invalid", "PreToolUse", 0, r#"{"bogus":1}"#),
    ] {
        let run = late(event, code, stdout, "r1");
        assert_eq!(run.status, RunStatus::Failed, "{id}");
        assert!(run.effects.is_empty(), "{id}");
    }
}

#[test]
fn d_a_stopped_session_keeps_its_context() {
    // D2 and, for a subagent, D5.
    let decoded = |event: &str| {
        let stdout = format!(
            r#"{{"continue":false,"stopReason":"s1","hookSpecificOutput":{{"hookEventName":"{event}","additionalContext":"c1"}}}}"#
        );
        let binding = Binding::alone(Adapter::latest().blank(event).unwrap());
        let outcome = Outcome::exited(0, stdout);
        Adapter::latest().decode(&binding, &occurrence(event, &Given::default()), &outcome, DecodePolicy::default())
    };
    let session = decoded("SessionStart");
    assert!(
        matches!(&session.effects[..], [Effect::Context(text), Effect::Halt(halt)] if text == "c1" && halt.reason.as_deref() == Some("s1"))
    );
    let child = decoded("SubagentStart");
    assert_eq!((child.status, child.effects), (RunStatus::Completed, vec![Effect::Context("c1".into())]));
}

#[test]
fn limits_of_context_are_the_handlers_own() {
    // A10, C2, D1, D4, M2 and Q3.
    let limit = |event: &str, written: Option<u64>| {
        let handler = json!({"type": "command", "command": "a", "additionalContextLimit": written});
        let parsed = user(&json!({"hooks": {event: [{"hooks": [handler]}]}}).to_string());
        Adapter::latest().context_limit(&parsed.definitions[0]).map(|limit| limit.limit)
    };
    for (event, tokens) in [("PreToolUse", 13), ("PostToolUse", 17), ("SessionStart", 7), ("SubagentStart", 4096)] {
        assert_eq!(limit(event, Some(tokens)), Some(Some(tokens)), "{event}");
        assert_eq!(limit(event, None), Some(Some(2500)), "{event}");
        assert_eq!(limit(event, Some(0)), Some(None), "{event}");
        assert_eq!(limit(event, Some(u64::MAX)), Some(Some(u64::MAX)), "{event}");
    }
    assert_eq!(limit("Stop", Some(4096)), None);
    // Section 16: feedback and continuations are shortened at the default, reasons of a deny never.
    let limited: Vec<_> = adapter_codex::events::EVENTS
        .iter()
        .map(|event| event.facts.name)
        .filter(|name| Adapter::latest().feedback_limit(name).is_some())
        .collect();
    assert_eq!(limited, ["PostToolUse", "SubagentStop", "Stop"]);
    assert_eq!(Adapter::latest().feedback_limit("Stop").unwrap().limit, Some(2500));
}

#[test]
fn v_documents_that_are_dropped_whole() {
    // L10 and recorded configurations: each drops the file with one fault.
    let handler = |fields: &str| format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{{{fields}}}]}}]}}}}"#);
    let command = |rest: &str| handler(&format!(r#""type":"command","command":"a"{rest}"#));
    let input = |input: &str| handler(&format!(r#""type":"mcp_tool","server":"s","tool":"t","input":{input}"#));
    for (id, text, about) in [
        ("timeout_bool", command(r#","timeout":true"#), "wrong-type"),
        ("mcp_null_input", input(r#"{"a":null}"#), "null-in-mcp-input"),
        ("mcp_null_input", input(r#"{"a":{"b":null}}"#), "null-in-mcp-input"),
        ("mcp_null_input", input(r#"{"a":[1,null]}"#), "null-in-mcp-input"),
        // What TOML cannot hold: whole numbers of 64 bits without a sign.
        ("mcp_input", input(r#"{"a":[9223372036854775808]}"#), "wrong-type"),
        ("mcp_input", input(r#"{"a":18446744073709551615}"#), "wrong-type"),
        ("comment", format!("// no\n{}", command("")), "not-json"),
        ("event_null", r#"{"hooks":{"Stop":null}}"#.to_owned(), "wrong-type"),
        ("hooks_null", r#"{"hooks":null}"#.to_owned(), "wrong-type"),
        ("disable_all", r#"{"hooks":{},"disableAllHooks":true}"#.to_owned(), "unknown-root-key"),
        ("matcher_number", r#"{"hooks":{"PreToolUse":[{"matcher":5,"hooks":[]}]}}"#.to_owned(), "wrong-type"),
    ] {
        let parsed = user(&text);
        let [found] = parsed.diagnostics.as_slice() else { panic!("{id}: {:?}", parsed.diagnostics) };
        assert!(parsed.rejected, "{id}");
        assert_eq!(found.code.about, about, "{id}");
    }
    // feature_alias_off: the older name of the switch.
    let text = "features.codex_hooks = false\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype='command'\ncommand='a'\n";
    let off = document(Origin::User, "/home/u/.codex/config.toml", text);
    assert!(matches!(off.definitions[0].state, State::Disabled(_)));
}

#[test]
fn u_of_several_rewrites_the_last_to_finish_wins() {
    // K11 and pre-last-completed-rewrite-wins: the one configured first finishes last.
    let adapter = Adapter::latest();
    let snapshot = groups("PreToolUse", &[None, None]);
    let envelope = occurrence("PreToolUse", &tool("Bash"));
    let session = SessionState::default();
    let outcome = |command: &str, finished| {
        let answer = json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": command},
        }});
        Outcome { finished, ..Outcome::exited(0, answer.to_string()) }
    };
    let outcomes = [outcome("echo SLOWFIRST", 1), outcome("echo second", 0)];
    let effects = select(&snapshot, &envelope, &session)
        .iter()
        .zip(&outcomes)
        .map(|(choice, outcome)| adapter.decode(choice.binding, &envelope, outcome, DecodePolicy::default()))
        .collect::<Vec<_>>();
    assert_eq!(effects.len(), 2);
    let settled = hooks_core::settle(hooks_core::reduce(effects), adapter.merge_policy(envelope.boundary()), false);
    let (decision, _) = hooks_core::decide(settled, envelope.boundary(), &HostProfile::full(), session);
    let input = decision.input.expect("another input");
    assert_eq!(input.value.as_shell().map(|shell| shell.command.as_str()), Some("echo SLOWFIRST"));
}

/// The functions of the tests here and in the sources, and of the runtime's tests, which show what processes and sessions
/// do.
fn tests() -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let runtime = root.join("../hooks-runtime");
    let mut folders = vec![root.join("tests/it"), root.join("src"), runtime.join("tests/it"), runtime.join("src")];
    let mut text = String::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                text.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    text
}

/// The vectors' ids, by file.
fn vectors(file: &str) -> Vec<String> {
    let path = crate::fixtures("vectors/codex").join(file);
    let file: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    file["vectors"].as_array().unwrap().iter().map(|vector| vector["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_pages_name_tests_and_vectors_that_there_are() {
    let tests = tests();
    for (page, rows) in [("codex-cases.md", 380), ("codex-excluded.md", 26)] {
        let path = format!("{}/../../docs/decisions/{page}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let mut held = 0;
        for line in text
            .lines()
            .filter(|line| line.starts_with("| ") && !line.starts_with("| Case") && !line.starts_with("| Row"))
        {
            held += 1;
            let names: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
            for (at, name) in names.iter().enumerate() {
                let in_file = names.get(at + 1).filter(|next| next.ends_with(".json"));
                if let Some(file) = in_file {
                    assert!(vectors(file).iter().any(|id| id == name), "{page}: no vector {name} in {file}");
                } else if name.matches('_').count() >= 2
                    && name.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_'))
                {
                    assert!(tests.contains(&format!("fn {name}(")), "{page}: no test {name}");
                }
            }
            let says_why = line.contains("| not here");
            assert!(!names.is_empty() || says_why, "{page}: {line}");
        }
        assert!(held >= rows, "{page}: {held}");
    }
}
