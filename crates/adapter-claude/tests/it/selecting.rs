//! Which hooks run: subjects, matchers, `if`, copies, switches, and the way from a document to a decision.

use std::sync::Arc;

use adapter_claude::events::{EVENTS, OLDEST};
use adapter_claude::{Adapter, DIALECT, Options, VENDOR, matcher};
use hooks_conformance::{Given, sample};
use hooks_core::activate::{AdmitAll, VendorSources};
use hooks_core::adapter::{DecodePolicy, Subject};
use hooks_core::definition::State;
use hooks_core::envelope::{Common, Envelope, ModelSwitch, Payload, ToolUse};
use hooks_core::matcher::{Matched, SubjectValue};
use hooks_core::outcome::{Outcome, Program};
use hooks_core::source::{Origin, Plugin, Source, Syntax};
use hooks_core::{
    Action, HostProfile, HostSide, RawJson, SessionState, Snapshot, activate, decide, reduce, select, settle,
};
use serde_json::json;

fn adapter() -> Arc<Adapter> {
    Arc::new(Adapter::latest())
}

fn source(origin: Origin, path: &str, document: &serde_json::Value) -> Source {
    let mut source = Source::hooks(VENDOR, origin, Syntax::Json, path, document.to_string().into_bytes());
    if origin == Origin::Plugin {
        let market = Some("market".to_owned());
        source.plugin = Some(Plugin { name: path.into(), marketplace: market, root: format!("/{path}"), data: None });
    }
    source
}

fn snapshot(sources: Vec<Source>) -> Snapshot {
    let adapter = adapter();
    let documents = sources.into_iter().map(|source| adapter.parse(&Arc::new(source))).collect();
    activate(vec![VendorSources { adapter, documents }], &HostProfile::full(), &AdmitAll).expect("a snapshot")
}

fn call(name: &str, input: &serde_json::Value) -> Envelope {
    let call = adapter().tool_call(name, &RawJson::from(input));
    let common = Common { cwd: "/p".into(), session_id: "s".into(), ..Common::default() };
    Envelope::new(common, Payload::ToolBefore(ToolUse { id: Some("t".into()), call }))
}

fn bash(command: &str) -> Envelope {
    call("Bash", &json!({ "command": command }))
}

fn hook(command: &str) -> serde_json::Value {
    json!({ "type": "command", "command": command })
}

fn chosen(snapshot: &Snapshot, envelope: &Envelope) -> Vec<String> {
    select(snapshot, envelope, &SessionState::default())
        .iter()
        .map(|choice| format!("{}{}", choice.binding.handler.label(), if choice.doubtful.is_some() { "?" } else { "" }))
        .collect()
}

#[test]
fn a_model_without_a_name_is_for_every_group() {
    let adapter = adapter();
    let of = |to: &str| {
        let switch = ModelSwitch { to: to.into(), ..ModelSwitch::default() };
        Envelope::new(Common::default(), Payload::ModelSwitchBefore(switch))
    };
    let event = adapter.event("PreModelSwitch").expect("an event");
    assert_eq!(adapter.subject(event, &of("")), Subject::Is(SubjectValue::Ignored), "L091");
    assert_eq!(
        adapter.subject(event, &of("claude-opus-5[1m]")),
        Subject::Is(SubjectValue::One("claude-opus-5".into()))
    );
}

#[test]
fn every_event_has_the_subject_its_table_names() {
    let adapter = adapter();
    for event in &EVENTS {
        let envelope = sample::envelope(&*adapter, event.facts.name, &Given::default()).expect("an occurrence");
        let subject = adapter.subject(&event.facts, &envelope);
        let ignored = event.facts.subject == hooks_core::facts::SubjectFact::Ignored;
        match subject {
            Subject::Is(SubjectValue::Ignored) => assert!(ignored, "{}", event.facts.name),
            Subject::Is(SubjectValue::Missing) => panic!("{}: a sample without a subject", event.facts.name),
            Subject::Is(_) => assert!(!ignored, "{}", event.facts.name),
            Subject::NotThisEvent(why) => panic!("{}: {why}", event.facts.name),
        }
        for other in EVENTS.iter().filter(|other| other.facts.name != event.facts.name) {
            assert!(matches!(adapter.subject(&other.facts, &envelope), Subject::NotThisEvent(_)));
        }
    }
}

#[test]
fn a_matcher_of_file_changed_is_also_a_list_of_names() {
    assert_eq!(matcher::watched_names(".envrc|.env").collect::<Vec<_>>(), [".envrc", ".env"]);
    assert_eq!(matcher::watched_names("^b").collect::<Vec<_>>(), ["^b"], "L095");
}

/// The hooks page on `if`, and cases L099 to L113.
#[test]
fn conditions() {
    let adapter = adapter();
    let holds = |event: &str, rule: &str, envelope: &Envelope| {
        let mut definition = adapter.blank(event).expect("an event");
        definition.condition = Some(rule.into());
        adapter.condition(&definition, envelope)
    };
    for (rule, command, expected) in [
        ("Bash(git *)", "FOO=bar git push", Matched::Yes),
        ("Bash(git *)", "npm test && git push", Matched::Yes),
        ("Bash(rm *)", "echo $(rm -rf /)", Matched::Yes),
        ("Bash(rm *)", "echo $(date)", Matched::No),
        ("Bash(git push *)", "echo $(date)", Matched::Yes),
        ("Bash(echo hi)", "echo hi", Matched::Yes),
        ("Bash(echo:*)", "echo hi", Matched::Yes),
        ("Bash", "echo hi", Matched::Yes),
        ("", "echo hi", Matched::Yes),
        ("Read", "echo hi", Matched::No),
        ("Bash(((", "echo hi", Matched::No),
        ("Edit(src/**)", "echo hi", Matched::No),
    ] {
        assert_eq!(holds("PreToolUse", rule, &bash(command)), expected, "{rule} on {command}");
    }
    let stop = sample::envelope(&*adapter, "Stop", &Given::default()).expect("an occurrence");
    assert_eq!(holds("Stop", "Bash", &stop), Matched::No, "L110");
    let edit = call("Edit", &json!({ "file_path": "/p/a", "old_string": "a", "new_string": "b" }));
    assert_eq!(holds("PreToolUse", "Edit(src/**)", &edit), Matched::No, "L112");
    let agent = call("Agent", &json!({ "description": "d", "prompt": "p", "subagent_type": "general-purpose" }));
    assert_eq!(holds("PreToolUse", "Agent(general-purpose)", &agent), Matched::No, "L113");
    assert_eq!(holds("PreToolUse", "Task", &agent), Matched::Yes);
    let mcp = call("mcp__srv__echo", &json!({}));
    assert_eq!(holds("PreToolUse", "mcp__srv__echo", &mcp), Matched::Yes);
    assert_eq!(holds("PreToolUse", "mcp__other", &mcp), Matched::No);
}

/// The permissions page's tables on Read and Edit, read as allow rules are (hooks page, `if`, since 2.1.214).
#[test]
fn path_rules() {
    let with_home = Options { home: Some("/home/a".to_owned()), ..Options::default() };
    let new = Adapter::new(&DIALECT, DIALECT.latest, with_home);
    let old = Adapter::new(&DIALECT, OLDEST, Options::default());
    let holds = |adapter: &Adapter, origin: Origin, rule: &str, tool: &str, path: &str| {
        let mut definition = adapter.blank("PreToolUse").expect("an event");
        let settings =
            if origin == Origin::User { "/home/a/.claude/settings.json" } else { "/p/.claude/settings.json" };
        definition.source = Arc::new(source_of(origin, settings));
        definition.condition = Some(rule.into());
        let input = json!({ "file_path": path, "content": "", "old_string": "", "new_string": "" });
        adapter.condition(&definition, &call(tool, &input))
    };
    let (yes, no) = (Matched::Yes, Matched::No);
    for (rule, path, expected) in [
        ("Edit(src/**)", "/p/src/app.ts", &yes),
        ("Edit(src/**)", "/p/lib/src/a.ts", &no), // L112
        ("Edit(src/**)", "src/app.ts", &yes),
        ("Edit(./src/**)", "/p/src/app.ts", &yes),
        ("Edit(**/src/**)", "/p/vendor/pkg/src/lib.js", &yes),
        ("Edit(/src/**)", "/p/src/app.ts", &yes),
        ("Edit(/src/**)", "/p/vendor/pkg/src/lib.js", &no),
        ("Edit(//p/src/**)", "/p/src/app.ts", &yes),
        ("Edit(//**/.env)", "/elsewhere/.env", &yes),
        ("Edit(.env)", "/p/a/b/.env", &yes),
        ("Edit(.env)", "/elsewhere/.env", &no),
        ("Edit(*.ts)", "/p/a/x.ts", &yes),
        ("Edit(~/.zshrc)", "/home/a/.zshrc", &yes),
        ("Edit(~/.zshrc)", "/home/b/.zshrc", &no),
        ("Edit(src/**)", "/p/src/../lib/x", &no),
        ("Edit(Finance (2024)/**)", "/p/Finance (2024)/x", &yes),
        ("Edit", "/p/x", &yes),
        ("Edit(*)", "/p/x", &yes),
        ("Write(src/**)", "/p/src/x", &no),
        ("Read(src/**)", "/p/src/x", &no),
    ] {
        assert_eq!(holds(&new, Origin::Project, rule, "Edit", path), *expected, "{rule} on {path}");
    }
    assert_eq!(holds(&new, Origin::User, "Edit(/x/**)", "Edit", "/home/a/.claude/x/y"), yes);
    assert_eq!(holds(&new, Origin::User, "Edit(/src/**)", "Edit", "/p/src/app.ts"), no);
    assert_eq!(holds(&new, Origin::Project, "Read(src/**)", "Read", "/p/src/a"), yes);
    assert_eq!(holds(&new, Origin::Project, "Write(src/**)", "Write", "/p/src/a"), yes);
    assert_eq!(holds(&old, Origin::Project, "Edit(src/**)", "Edit", "/p/lib/src/a.ts"), yes, "before 2.1.214");
    for (adapter, rule, tool, path) in [
        (&old, "Edit(~/.zshrc)", "Edit", "/home/a/.zshrc"),
        (&new, "Edit(src/**)", "Write", "/p/src/a"),
        (&new, "Edit(!src/**)", "Edit", "/p/src/a"),
    ] {
        let held = holds(adapter, Origin::Project, rule, tool, path);
        assert!(matches!(held, Matched::Doubtful(_)), "{rule} on {tool}: {held:?}");
    }
    assert!(matches!(holds(&new, Origin::Plugin, "Edit(/src/**)", "Edit", "/p/src/a"), Matched::Doubtful(_)));
}

fn source_of(origin: Origin, path: &str) -> Source {
    Source::hooks(VENDOR, origin, Syntax::Json, path, Vec::new())
}

#[test]
fn a_rule_that_cannot_be_told_restrains_only() {
    let document = json!({ "hooks": { "PreToolUse": [{ "hooks": [
        { "type": "command", "command": "a", "if": "Edit(~/src/**)" }, { "type": "command", "command": "b" },
    ] }] } });
    let snapshot = snapshot(vec![source(Origin::Project, "p", &document)]);
    let edit = call("Edit", &json!({ "file_path": "/p/a", "old_string": "a", "new_string": "b" }));
    assert_eq!(chosen(&snapshot, &edit), ["a?", "b"]);
    assert_eq!(chosen(&snapshot, &bash("ls")), ["b"]);
}

/// Cases L208 to L216.
#[test]
fn copies_run_once_and_the_last_one_counts() {
    let group = |hooks: serde_json::Value| json!({ "hooks": { "PreToolUse": [{ "hooks": hooks }] } });
    let slow = |timeout: u32| json!({ "type": "command", "command": "x", "timeout": timeout });
    let last = |snapshot: &Snapshot| {
        let chosen = select(snapshot, &bash("ls"), &SessionState::default());
        chosen.iter().map(|choice| (choice.binding.source.origin, choice.binding.timeout.as_secs())).collect::<Vec<_>>()
    };
    let one = snapshot(vec![source(Origin::Project, "p", &group(json!([slow(1), slow(9)])))]);
    assert_eq!(last(&one), [(Origin::Project, 9)], "L211");
    let two = snapshot(vec![
        source(Origin::Project, "p", &group(json!([slow(2)]))),
        source(Origin::User, "u", &group(json!([slow(3)]))),
    ]);
    assert_eq!(last(&two), [(Origin::Project, 2)], "L209");
    let conditions = group(json!([
        { "type": "command", "command": "x", "if": "Bash" },
        { "type": "command", "command": "x" },
        { "type": "command", "command": "x", "args": [] },
    ]));
    assert_eq!(last(&snapshot(vec![source(Origin::Project, "p", &conditions)])).len(), 3, "L210, L215");
    let plugin = snapshot(vec![
        source(Origin::Project, "p", &group(json!([slow(2)]))),
        source(Origin::Plugin, "plug", &group(json!([slow(2)]))),
    ]);
    assert_eq!(last(&plugin).len(), 2, "L216");
}

#[test]
fn switches_count_where_they_stand_highest() {
    let with = |settings: serde_json::Value| {
        let mut document = json!({ "hooks": { "Stop": [{ "hooks": [hook("x")] }] } });
        for (key, value) in settings.as_object().expect("an object") {
            document[key] = value.clone();
        }
        document
    };
    let live = |sources: Vec<(Origin, &str, serde_json::Value)>| -> Vec<String> {
        let sources = sources.iter().map(|(origin, path, settings)| source(*origin, path, &with(settings.clone())));
        let snapshot = snapshot(sources.collect());
        let live = snapshot.definitions().iter().filter(|definition| definition.state == State::Live);
        live.map(|definition| definition.source.path.clone()).collect()
    };
    use Origin::{Local, Managed, Plugin, Project, User};
    let (none, off, on) = (json!({}), json!({ "disableAllHooks": true }), json!({ "disableAllHooks": false }));
    let everybody: [&str; 0] = [];
    assert_eq!(live(vec![(User, "u", off.clone()), (Project, "p", on)]), ["u", "p"], "L046");
    let below = vec![
        (User, "u", none.clone()),
        (Project, "p", off.clone()),
        (Local, "l", none.clone()),
        (Plugin, "g", none.clone()),
    ];
    assert_eq!(live(below), everybody, "L047");
    assert_eq!(live(vec![(Project, "p", off.clone()), (Managed, "m", none.clone())]), ["m"], "L048");
    assert_eq!(live(vec![(Project, "p", none.clone()), (Managed, "m", off)]), everybody, "L049");
    let only = json!({ "allowManagedHooksOnly": true });
    assert_eq!(live(vec![(Project, "p", only.clone()), (User, "u", none.clone())]), ["u", "p"], "L050");
    let forced = json!({ "allowManagedHooksOnly": true, "enabledPlugins": { "g@market": true } });
    let all = vec![
        (Project, "p", none.clone()),
        (Plugin, "g", none.clone()),
        (Plugin, "h", none.clone()),
        (Managed, "m", forced),
    ];
    assert_eq!(live(all), ["m", "g"], "L051");
    let plugins = json!({ "strictPluginOnlyCustomization": ["hooks"] });
    let all = vec![(Project, "p", none.clone()), (Plugin, "g", none), (Managed, "m", plugins)];
    assert_eq!(live(all), ["m", "g"]);
}

#[test]
fn documents_other_than_settings() {
    let adapter = adapter();
    let parse = |origin, role, document: serde_json::Value| {
        let mut source = source(origin, "x", &document);
        source.role = role;
        adapter.parse(&Arc::new(source))
    };
    use hooks_core::source::Role::{Hooks, PluginManifest};
    let events = json!({ "PreToolUse": [{ "hooks": [hook("x")] }] });
    let inline = parse(Origin::Plugin, PluginManifest, json!({ "name": "p", "hooks": events }));
    assert!(!inline.rejected && inline.definitions.len() == 1, "L041: {:?}", inline.diagnostics);
    let wrapped = parse(Origin::Plugin, PluginManifest, json!({ "name": "p", "hooks": { "hooks": events } }));
    assert!(wrapped.rejected && wrapped.diagnostics[0].code.about == "superfluous-wrapper", "L042");
    let named = parse(Origin::Plugin, PluginManifest, json!({ "name": "p", "hooks": "./cfg/h.json" }));
    assert!(!named.rejected && named.diagnostics[0].message.contains("./cfg/h.json"), "L043");
    let deep = parse(Origin::Project, Hooks, json!({ "hooks": { "hooks": events } }));
    assert_eq!(deep.diagnostics.iter().map(|found| found.code.about).collect::<Vec<_>>(), ["unknown-event"], "L030");
    let case = parse(Origin::Project, Hooks, json!({ "hooks": { "preToolUse": [{ "hooks": [hook("x")] }] } }));
    assert!(case.diagnostics[0].help.contains("PreToolUse") && !case.diagnostics[0].edits.is_empty(), "L008");
    assert_eq!(case.definitions.len(), 1, "what is skipped is kept, inert");
    assert!(matches!(case.definitions[0].state, State::Inert(_)));
}

#[test]
fn commands_are_started_as_the_client_starts_them() {
    let document = json!({ "hooks": { "PreToolUse": [{ "hooks": [
        { "type": "command", "command": "echo $HOME >> ${CLAUDE_PROJECT_DIR}/f" },
        { "type": "command", "command": "${CLAUDE_PROJECT_DIR}/x", "args": ["$HOME", "a b", "*", "${CLAUDE_PROJECT_DIR}/y"], "shell": "powershell" },
        { "type": "command", "command": "& ${CLAUDE_PROJECT_DIR}/x.ps1", "shell": "powershell" },
        { "type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/x" },
        { "type": "prompt", "prompt": "Is this fine? $ARGUMENTS" },
        { "type": "http", "url": "http://h/", "headers": { "A": "Bearer $T" }, "allowedEnvVars": ["T"] },
    ] }] } });
    let adapter = adapter();
    let parsed = adapter.parse(&Arc::new(source(Origin::Project, "p", &document)));
    assert!(!parsed.rejected);
    let mut envelope = bash("ls");
    envelope.common.project_dir = Some("/proj".into());
    let mut stdin = Vec::new();
    let mut runs = Vec::new();
    for definition in parsed.definitions {
        runs.push(adapter.encode(&hooks_core::Binding::alone(definition), &envelope, &mut stdin));
    }
    let program = |at: usize| runs[at].as_ref().map(|run| run.program.clone());
    let text = |at: usize| match program(at).expect("runs") {
        Program::ShellText { text, .. } => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(text(0), "echo $HOME >> ${CLAUDE_PROJECT_DIR}/f", "the shell knows the variable");
    let exec = Program::Exec {
        program: "/proj/x".into(),
        args: vec!["$HOME".into(), "a b".into(), "*".into(), "/proj/y".into()],
    };
    assert_eq!(program(1).expect("runs"), exec, "L275, L277");
    assert_eq!(text(2), "& ${env:CLAUDE_PROJECT_DIR}/x.ps1");
    assert!(program(3).is_err(), "L279");
    let Program::Hosted(hosted) = program(4).expect("runs") else { panic!() };
    assert!(hosted.label().contains("\"hook_event_name\":\"PreToolUse\"") && !hosted.label().contains("$ARGUMENTS"));
    assert!(matches!(program(5).expect("runs"), Program::Hosted(_)));
    let run = runs[0].as_ref().expect("runs");
    assert_eq!(run.cwd, "/p");
    let env = |name: &str| run.env.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    assert_eq!(
        (env("CLAUDE_PROJECT_DIR"), env("CLAUDECODE"), env("CLAUDE_PLUGIN_ROOT")),
        (Some("/proj"), Some("1"), None)
    );
    assert!(run.rules.detach_on_async_line && run.rules.kill_grace.as_secs() == 2);
}

/// From a document to a decision, for the five families.
#[test]
fn the_whole_way() {
    let adapter = adapter();
    for (event, stdout, check) in [
        ("SessionStart", "hello", "context"),
        ("UserPromptSubmit", r#"{"decision":"block","reason":"R"}"#, "halt"),
        (
            "PreToolUse",
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"R"}}"#,
            "deny",
        ),
        ("PostToolUse", r#"{"decision":"block","reason":"R"}"#, "context"),
        ("Stop", r#"{"decision":"block","reason":"R"}"#, "continue"),
    ] {
        let document = json!({ "hooks": { event: [{ "hooks": [hook("run")] }] } });
        let snapshot = snapshot(vec![source(Origin::Project, "p", &document)]);
        let envelope = sample::envelope(&*adapter, event, &Given::default()).expect("an occurrence");
        let session = SessionState::default();
        let chosen = select(&snapshot, &envelope, &session);
        let [choice] = chosen.as_slice() else { panic!("{event}: {}", chosen.len()) };
        let mut stdin = Vec::new();
        let invocation = adapter.encode(choice.binding, &envelope, &mut stdin).expect("an invocation");
        assert!(matches!(invocation.program, Program::ShellText { .. }));
        assert!(stdin.starts_with(b"{\"session_id\":") && !stdin.ends_with(b"\n"));
        let effects = adapter.decode(choice.binding, &envelope, &Outcome::exited(0, stdout), DecodePolicy::default());
        let boundary = envelope.boundary();
        let settled = settle(reduce([effects]), adapter.merge_policy(boundary), false);
        let (decision, _) = decide(settled, boundary, &HostProfile::full(), session);
        match check {
            "context" => assert_eq!(decision.to_model.len(), 1, "{event}"),
            "halt" => assert!(decision.halt.is_some(), "{event}"),
            "deny" => assert!(matches!(decision.action, Action::Deny), "{event}"),
            _ => assert_eq!(decision.continuations.len(), 1, "{event}"),
        }
    }
}

/// What loads and will not do what it looks like; louder where it was to guard something.
#[test]
fn what_will_not_work_is_said() {
    let adapter = adapter();
    let found = |document: serde_json::Value| {
        let parsed = adapter.parse(&Arc::new(source(Origin::Project, "p", &document)));
        assert!(!parsed.rejected, "{:?}", parsed.diagnostics);
        let said = parsed.diagnostics.iter().map(|found| (found.code.about, found.severity, found.silent));
        said.collect::<Vec<_>>()
    };
    use hooks_core::Severity::{Error, Warning};
    let group = |event: &str, matcher: &str, handler: serde_json::Value| json!({ "hooks": { event: [{ "matcher": matcher, "hooks": [handler] }] } });
    let with = |more: serde_json::Value| {
        let mut handler = hook("x");
        for (key, value) in more.as_object().expect("an object") {
            handler[key] = value.clone();
        }
        handler
    };
    let none = || json!({});
    assert_eq!(found(group("PreToolUse", "Bash", with(none()))), []);
    assert_eq!(found(group("PreToolUse", "bash", with(none()))), [("matcher-letter-case", Error, true)]);
    assert_eq!(found(group("PostToolUse", "bash", with(none()))), [("matcher-letter-case", Warning, true)]);
    assert_eq!(found(group("Stop", "x", with(none()))), [("matcher-ignored", Warning, true)]);
    assert_eq!(
        found(group("PreToolUse", "*", with(json!({ "async": true })))),
        [("async-decides-nothing", Warning, true)]
    );
    assert_eq!(found(group("Stop", "", with(json!({ "onFailure": "block" })))), [("no-effect-here", Warning, true)]);
    assert_eq!(found(group("Stop", "", with(json!({ "if": "Bash" })))), [("condition-never-holds", Error, true)]);
    assert_eq!(
        found(group("PreToolUse", "", with(json!({ "if": "Bash(((" })))),
        [("condition-not-a-rule", Error, true)]
    );
    assert_eq!(
        found(group("PreToolUse", "", with(json!({ "args": [], "shell": "bash" })))),
        [("no-effect-here", Warning, true)]
    );
    let shell = json!({ "type": "command", "command": "echo ${user_config.k} ${CLAUDE_PLUGIN_ROOT}" });
    let both = found(group("PreToolUse", "", shell));
    assert_eq!(both, [("plugin-placeholder", Error, true), ("option-in-shell", Error, true)]);
    let copies =
        json!({ "hooks": { "PreToolUse": [{ "hooks": [with(json!({ "onFailure": "block" })), with(none())] }] } });
    assert_eq!(found(copies), [("duplicate-handler", Error, true)], "L212");
}
