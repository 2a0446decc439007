//! The hook's side: what the client writes is read into an occurrence, and effects are written as an answer that means them.
//! Both are inverses of the host's side on what this format can express.

use std::path::Path;

use adapter_claude::events::{Block, EVENTS, Event, STOP_CAP, find};
use adapter_claude::{Adapter, DIALECT, Options};
use hooks_conformance::{Given, sample};
use hooks_core::adapter::{Answer, DecodePolicy, Loss};
use hooks_core::boundary::{Boundary, Stop};
use hooks_core::channel::Channel;
use hooks_core::effects::{
    Continuation, Effect, Halt, OnPending, PromptFate, ResultReplacement, Rewrite, Special, Unsupported, Verdict, When,
};
use hooks_core::envelope::{Payload, Provenance, ToolFailureKind};
use hooks_core::outcome::{End, Outcome};
use hooks_core::tool::{Projected, ResultKind, ToolAction, ToolCall};
use hooks_core::{Binding, Envelope, HookSide, HostSide, RawJson, Version};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn encode(adapter: &Adapter, event: &str, envelope: &Envelope) -> Value {
    let binding = Binding::alone(adapter.blank(event).expect("an event"));
    let mut stdin = Vec::new();
    adapter.encode(&binding, envelope, &mut stdin).expect("written");
    serde_json::from_slice(&stdin).expect("json")
}

fn read(payload: &Value) -> (&'static str, Envelope) {
    let (event, envelope) = Adapter::latest().read_stdin(payload.to_string().as_bytes()).expect("read");
    (event.name, envelope)
}

fn recorded(event: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../fixtures/claude/payloads/{event}.json"));
    Some(serde_json::from_slice(&std::fs::read(path).ok()?).expect("json"))
}

#[test]
fn recorded_payloads_are_read_without_loss() {
    let adapter = Adapter::latest();
    let mut seen = 0;
    for event in &EVENTS {
        let name = event.facts.name;
        let Some(file) = recorded(name) else { continue };
        for payload in file["samples"].as_array().expect("samples") {
            let (read_name, envelope) = read(payload);
            assert_eq!(read_name, name);
            assert!(event.is_on(envelope.boundary()), "{name}");
            assert_eq!(encode(&adapter, name, &envelope), *payload, "{name}");
            seen += 1;
        }
    }
    assert!(seen > 70, "{seen} payloads");
}

#[test]
fn every_event_is_read() {
    let adapter = Adapter::latest();
    for event in &EVENTS {
        let name = event.facts.name;
        let made_up = sample::envelope(&adapter, name, &Given::default()).expect("an occurrence");
        let payload = encode(&adapter, name, &made_up);
        let (read_name, envelope) = read(&payload);
        assert_eq!((read_name, envelope.boundary()), (name, made_up.boundary()));
        assert_eq!(encode(&adapter, name, &envelope), payload, "{name}");
        assert!(envelope.common.extra.is_empty(), "{name}: {:?}", envelope.common.extra);
    }
}

#[test]
fn what_has_no_place_is_kept() {
    let payload = json!({
        "hook_event_name": "Stop", "session_id": "s", "transcript_path": "/t", "cwd": "/p", "stop_hook_active": "yes",
        "background_tasks": [], "session_crons": [], "brand_new": { "a": 1 },
    });
    let (_, envelope) = read(&payload);
    let extra: Vec<&str> = envelope.common.extra.keys().map(String::as_str).collect();
    assert_eq!(extra, ["brand_new", "stop_hook_active"]);
    let Payload::TurnStop(stop) = envelope.payload else { panic!() };
    assert_eq!(stop.loop_count, 0);
}

#[test]
fn what_is_no_payload_is_refused() {
    let adapter = Adapter::latest();
    for text in [
        "",
        "[]",
        "{}",
        "{\"hook_event_name\":5}",
        "{\"hook_event_name\":\"stop\"}",
        "{\"hook_event_name\":\"PreToolUse\"}",
        "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\"}",
        "{\"hook_event_name\":\"PostToolBatch\",\"tool_calls\":[1]}",
        "{\"hook_event_name\":\"PostToolBatch\"}",
        "\u{0}",
    ] {
        assert!(adapter.read_stdin(text.as_bytes()).is_err(), "{text}");
    }
    assert!(adapter.read_stdin(b"{\"hook_event_name\":\"Stop\",\"a\":\"\xff\"}").is_err());
    let old = Adapter::new(&DIALECT, Version::new(2, 1, 197), Options::default());
    assert!(old.read_stdin(b"{\"hook_event_name\":\"PreModelSwitch\"}").is_err(), "it is younger");
    let half = adapter.read_stdin(b"{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"a\\ud83d\"}").expect("read");
    let Payload::PromptSubmit(prompt) = half.1.payload else { panic!() };
    assert_eq!(prompt.text, "a\u{fffd}");
}

/// Finding 23: background tasks report back as a prompt.
#[test]
fn a_task_s_report_is_no_prompt_of_a_person() {
    for (text, source, expected) in [
        ("hello", None, Provenance::User),
        ("<task-notification>\n<task-id>1</task-id>", None, Provenance::Notification),
        ("go on", Some("loop_wakeup"), Provenance::Notification),
        ("go on", Some("sdk"), Provenance::User),
    ] {
        let mut payload = json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s", "transcript_path": "/t", "cwd": "/p", "permission_mode": "default", "prompt": text });
        if let Some(source) = source {
            payload["source"] = json!(source);
        }
        let (_, envelope) = read(&payload);
        assert_eq!(encode(&Adapter::latest(), "UserPromptSubmit", &envelope), payload);
        let Payload::PromptSubmit(prompt) = envelope.payload else { panic!() };
        assert_eq!(prompt.provenance, expected, "{text} {source:?}");
    }
}

/// The recorded payload of a command that exits with 3: to the host it returned.
#[test]
fn a_failed_command_is_a_result() {
    let file = recorded("PostToolUseFailure").expect("recorded");
    let of = |tool: &str| file["samples"].as_array().unwrap().iter().find(|one| one["tool_name"] == tool).unwrap();
    let (_, envelope) = read(of("Bash"));
    let Payload::ToolResult(returned) = envelope.payload else { panic!("{:?}", envelope.payload) };
    let ResultKind::Shell(shell) = returned.result.kind else { panic!() };
    assert_eq!((shell.exit_code, shell.output.as_str()), (Some(3), "LAB-FAIL-OUT\nLAB-FAIL-ERR"));
    let (_, envelope) = read(of("Read"));
    let Payload::ToolFailure(failed) = envelope.payload else { panic!() };
    assert_eq!(failed.kind, ToolFailureKind::Error);
}

#[test]
fn a_server_s_name_may_hold_what_separates() {
    let payload = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "/t", "cwd": "/p",
        "permission_mode": "default", "tool_name": "mcp__my__srv__do__it", "tool_input": {}, "tool_use_id": "t",
        "mcp_server": { "name": "my__srv", "source": "project" },
    });
    let (_, envelope) = read(&payload);
    let mcp = envelope.payload.tool_use().and_then(|tool| tool.call.as_mcp()).expect("a tool server's");
    assert_eq!(
        (mcp.server.as_str(), mcp.tool.as_str(), mcp.server_source.as_deref()),
        ("my__srv", "do__it", Some("project"))
    );
    assert_eq!(encode(&Adapter::latest(), "PreToolUse", &envelope), payload);
}

fn text() -> impl Strategy<Value = String> {
    "[a-zé漢][a-z0-9 é\"\\\\/]{0,10}[a-z]"
}

/// A tool's name with an input of its shape, and a response of it.
fn tool() -> impl Strategy<Value = (String, Value, Value)> {
    let shell = (text(), prop::option::of(text()), any::<bool>()).prop_map(|(command, description, more)| {
        let mut input = json!({ "command": command });
        if let Some(description) = description {
            input["description"] = json!(description);
        }
        let response =
            json!({ "stdout": command, "stderr": "", "interrupted": more, "isImage": false, "noOutputExpected": more });
        ("Bash".to_owned(), input, response)
    });
    let write = (text(), text()).prop_map(|(path, content)| {
        (
            "Write".to_owned(),
            json!({ "file_path": format!("/{path}"), "content": content }),
            json!({ "type": "create", "filePath": path }),
        )
    });
    let edit = (text(), text(), any::<bool>()).prop_map(|(path, old, all)| {
        let input = json!({ "file_path": format!("/{path}"), "old_string": old, "new_string": "", "replace_all": all });
        ("Edit".to_owned(), input, json!({ "filePath": path, "structuredPatch": [] }))
    });
    let read = (text(), 1..9_u64).prop_map(|(path, offset)| {
        let file = json!({ "filePath": path, "content": "a\nb", "numLines": 2, "startLine": offset, "totalLines": 7 });
        (
            "Read".to_owned(),
            json!({ "file_path": format!("/{path}"), "offset": offset, "pages": "1" }),
            json!({ "type": "text", "file": file }),
        )
    });
    let grep = text().prop_map(|pattern| {
        let response = json!({ "mode": "files_with_matches", "filenames": [pattern], "numFiles": 1, "totalFiles": 1 });
        ("Grep".to_owned(), json!({ "pattern": pattern, "-i": true, "-n": true }), response)
    });
    let mcp = ("[a-z]{1,5}", "[a-z]{1,5}", text()).prop_map(|(server, tool, said)| {
        (format!("mcp__{server}__{tool}"), json!({ "text": said }), json!([{ "type": "text", "text": said }]))
    });
    let other = text().prop_map(|skill| ("Skill".to_owned(), json!({ "skill": skill }), json!({ "success": true })));
    prop_oneof![shell, write, edit, read, grep, mcp, other]
}

/// A value of one of the kinds that a key was recorded with.
fn of_kind(kinds: Vec<String>) -> BoxedStrategy<Value> {
    let one = |kind: String| -> BoxedStrategy<Value> {
        match kind.as_str() {
            "string" => text().prop_map(Value::from).boxed(),
            "number" => (0..1_000_000_u64).prop_map(Value::from).boxed(),
            "boolean" => any::<bool>().prop_map(Value::from).boxed(),
            "array" => {
                prop::collection::vec(text().prop_map(|id| json!({ "id": id })), 1..3).prop_map(Value::from).boxed()
            }
            "object" => text().prop_map(|value| json!({ "a": value })).boxed(),
            _ => Just(Value::Null).boxed(),
        }
    };
    prop::sample::select(kinds).prop_flat_map(one).boxed()
}

/// A payload of an event, made of the keys that were recorded for it.
pub(crate) fn payload(event: &'static Event) -> BoxedStrategy<Value> {
    let name = event.facts.name;
    let keys = recorded(name).map_or_else(
        || json!({ "session_id": { "types": ["string"], "always": true }, "transcript_path": { "types": ["string"], "always": true }, "cwd": { "types": ["string"], "always": true }, "teammate_name": { "types": ["string"], "always": true }, "team_name": { "types": ["string"], "always": true } }),
        |file| file["keys"].clone(),
    );
    let mut members: BoxedStrategy<Map<String, Value>> = Just(Map::new()).boxed();
    for (key, about) in keys.as_object().expect("keys") {
        let key = key.clone();
        let kinds =
            about["types"].as_array().expect("types").iter().map(|kind| kind.as_str().expect("a word").to_owned());
        // What the client writes as an empty list or text reads as absent.
        let always = about["always"] == true && !matches!(key.as_str(), "agent_type" | "agent_id");
        let value = match key.as_str() {
            "hook_event_name" | "tool_name" | "tool_input" | "tool_response" | "tool_calls" | "mcp_server" => continue,
            "effort" => text().prop_map(|level| json!({ "level": level })).boxed(),
            "stop_hook_active" => any::<bool>().prop_map(Value::from).boxed(),
            "globs" => prop::collection::vec(text(), 0..3).prop_map(Value::from).boxed(),
            _ => of_kind(kinds.collect()),
        };
        let maybe = if always { value.prop_map(Some).boxed() } else { prop::option::of(value).boxed() };
        members = (members, maybe)
            .prop_map(move |(mut members, value)| {
                if let Some(value) = value {
                    members.insert(key.clone(), value);
                }
                members
            })
            .boxed();
    }
    (members, tool())
        .prop_map(move |(mut members, (tool, input, response))| {
            members.insert("hook_event_name".into(), name.into());
            if event.facts.subject == hooks_core::facts::SubjectFact::ToolName {
                let server = tool.strip_prefix("mcp__").and_then(|rest| rest.split("__").next());
                if let Some(server) = server.filter(|_| name != "PreSkillShellCommand") {
                    members.insert("mcp_server".into(), json!({ "name": server, "source": "user" }));
                }
                members.insert("tool_name".into(), tool.clone().into());
                members.insert("tool_input".into(), input.clone());
            }
            if name == "PostToolUse" {
                members.insert("tool_response".into(), response.clone());
            }
            if name == "PostToolBatch" {
                let call =
                    json!({ "tool_name": tool, "tool_input": input, "tool_use_id": "t", "tool_response": "said" });
                members.insert("tool_calls".into(), json!([call]));
            }
            if matches!(name, "SubagentStart" | "SubagentStop") {
                for key in ["agent_id", "agent_type"] {
                    members.entry(key).or_insert_with(|| "x".into());
                }
            }
            Value::Object(members)
        })
        .boxed()
}

fn any_payload() -> impl Strategy<Value = (&'static Event, Value)> {
    prop::sample::select(EVENTS.iter().collect::<Vec<_>>())
        .prop_flat_map(|event| payload(event).prop_map(move |payload| (event, payload)))
}

fn said() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9 é]{0,10}[a-z]"
}

fn maybe_one<T: std::fmt::Debug + Clone + 'static>(
    strategy: impl Strategy<Value = T> + 'static,
    effect: impl Fn(T) -> Effect + Clone + 'static,
) -> BoxedStrategy<Vec<Effect>> {
    prop::option::of(strategy).prop_map(move |value| value.into_iter().map(effect.clone()).collect()).boxed()
}

fn all(parts: Vec<BoxedStrategy<Vec<Effect>>>) -> BoxedStrategy<Vec<Effect>> {
    parts.into_iter().fold(Just(Vec::new()).boxed(), |all, part| {
        (all, part)
            .prop_map(|(mut all, part)| {
                all.extend(part);
                all
            })
            .boxed()
    })
}

fn halt(
    stops: &'static [Stop],
    when: Option<When>,
    prompt: Option<PromptFate>,
    needs_reason: bool,
) -> BoxedStrategy<Vec<Effect>> {
    let reason = if needs_reason { said().prop_map(Some).boxed() } else { prop::option::of(said()).boxed() };
    maybe_one(reason, move |reason| Effect::Halt(Halt { when, prompt, ..Halt::of(stops, reason) }))
}

fn deny() -> BoxedStrategy<Vec<Effect>> {
    maybe_one(said(), |reason| Effect::Verdict { verdict: Verdict::Deny, reasons: vec![reason] })
}

fn rewrite(call: &ToolCall) -> BoxedStrategy<Vec<Effect>> {
    let call = call.clone();
    maybe_one(said(), move |command| {
        let raw = RawJson::from(&json!({ "command": command }));
        let call = Adapter::latest().project(&call, &raw);
        Effect::ReplaceInput(Rewrite { raw, call })
    })
}

fn verdicts(words: &'static [Verdict]) -> BoxedStrategy<Vec<Effect>> {
    prop::option::of((prop::sample::select(words), said()))
        .prop_map(|said| {
            said.into_iter().map(|(verdict, reason)| Effect::Verdict { verdict, reasons: vec![reason] }).collect()
        })
        .boxed()
}

fn goes_on() -> BoxedStrategy<Vec<Effect>> {
    maybe_one(said(), |text| {
        Effect::Continue(Continuation { vendor_cap: Some(STOP_CAP), ..Continuation::new(text, None) })
    })
}

/// What an event can express, as the decoder gives it.
pub(crate) fn expressible(event: &'static Event, envelope: &Envelope) -> BoxedStrategy<Vec<Effect>> {
    let notice = || maybe_one(said(), Effect::Notice);
    let context = || maybe_one(said(), Effect::Context);
    let special = |special: fn(String) -> Special| maybe_one(said(), move |text| Effect::Special(special(text)));
    let flag = |special: Special| maybe_one(Just(special), Effect::Special);
    let terminal =
        || maybe_one(said(), |text| Effect::Special(Special::TerminalSequence(format!("\u{1b}]0;{text}\u{7}"))));
    let turn = || halt(&[Stop::Turn], None, None, false);
    let own: Vec<BoxedStrategy<Vec<Effect>>> = match event.facts.name {
        "PreToolUse" => {
            use Verdict::{Allow, Ask, Defer, Deny};
            let call = envelope.payload.tool_use().expect("a call").call.clone();
            let open = all(vec![verdicts(&[Allow, Ask]), rewrite(&call), context()]);
            let closed = all(vec![verdicts(&[Deny]), context()]);
            let end = halt(&[Stop::Turn], Some(When::After), None, false);
            vec![prop_oneof![open, closed, verdicts(&[Defer])].boxed(), end, notice()]
        }
        "PreModelSwitch" => vec![verdicts(&[Verdict::Allow, Verdict::Ask, Verdict::Deny]), notice()],
        "PreSkillShellCommand" => vec![verdicts(&[Verdict::Allow, Verdict::Deny]), turn(), notice()],
        "PermissionRequest" => {
            let call = envelope.payload.tool_use().expect("a call").call.clone();
            let update = RawJson::from(&json!({ "type": "setMode", "mode": "plan", "destination": "session" }));
            let allow =
                all(vec![rewrite(&call), maybe_one(Just(update), Effect::PermissionUpdate)]).prop_map(|mut more| {
                    more.insert(0, Effect::Verdict { verdict: Verdict::Allow, reasons: Vec::new() });
                    more
                });
            let refuse = (said(), any::<bool>()).prop_map(|(reason, interrupts)| {
                let mut effects = vec![Effect::Verdict { verdict: Verdict::Deny, reasons: vec![reason.clone()] }];
                if interrupts {
                    effects.push(Effect::Special(Special::Interrupt));
                    effects.push(Effect::Halt(Halt::of(&[Stop::Turn], Some(reason))));
                }
                effects
            });
            vec![prop_oneof![Just(Vec::new()), allow, refuse].boxed(), notice()]
        }
        "UserPromptSubmit" | "UserPromptExpansion" => {
            let stops = prop_oneof![
                halt(&[Stop::Prompt], None, Some(PromptFate::Erase), true),
                halt(&[Stop::Prompt], None, Some(PromptFate::Keep), false),
            ];
            let mut parts = vec![stops.boxed(), context(), flag(Special::SuppressOriginalPrompt), notice()];
            if event.facts.name == "UserPromptSubmit" {
                parts.push(special(Special::SessionTitle));
            }
            parts
        }
        "PostToolUse" => {
            let result = maybe_one(said(), |text| {
                let raw = json!({ "stdout": text, "stderr": "", "interrupted": false });
                Effect::ReplaceResult(ResultReplacement::Json(RawJson::from(&raw)))
            });
            vec![turn(), context(), result, special(Special::ClassifierContext), notice()]
        }
        "PostToolUseFailure" | "SubagentStart" | "PostModelSwitch" => vec![context(), notice()],
        "PostToolBatch" => vec![turn(), context(), notice()],
        "Stop" | "SubagentStop" => {
            let stops: &'static [Stop] = if event.facts.name == "Stop" { &[Stop::Turn] } else { &[Stop::Subagent] };
            let spoken = all(vec![goes_on(), halt(stops, None, None, false)]);
            let with_context = (spoken.clone(), said()).prop_map(|(mut effects, text)| {
                if !effects.is_empty() {
                    effects.push(Effect::Context(text));
                }
                effects
            });
            vec![prop_oneof![spoken, with_context].boxed(), notice()]
        }
        "TeammateIdle" => vec![goes_on(), halt(&[Stop::Subagent], None, None, false), notice()],
        "PreCompact" => return prop_oneof![halt(&[Stop::Compaction], None, None, true), context()].boxed(),
        "TaskCreated" | "TaskCompleted" => vec![deny(), notice()],
        "ConfigChange" => vec![deny()],
        "Elicitation" | "ElicitationResult" => {
            let answer = prop_oneof![
                Just(("decline", None)),
                Just(("cancel", None)),
                said().prop_map(|said| ("accept", Some(said)))
            ];
            let answer = maybe_one(answer, |(action, content): (&str, Option<String>)| {
                let content = content.map(|said| RawJson::from(&json!({ "a": said })));
                Effect::Special(Special::ElicitationAnswer { action: action.to_owned(), content })
            });
            vec![deny(), answer]
        }
        "SessionStart" => {
            let watch =
                maybe_one(prop::collection::vec(said(), 0..3), |paths| Effect::Special(Special::WatchPaths(paths)));
            vec![
                context(),
                special(Special::InitialUserMessage),
                special(Special::SessionTitle),
                watch,
                flag(Special::ReloadSkills),
                notice(),
            ]
        }
        "CwdChanged" | "FileChanged" => {
            vec![
                maybe_one(prop::collection::vec(said(), 0..3), |paths| Effect::Special(Special::WatchPaths(paths))),
                notice(),
            ]
        }
        "PermissionDenied" => vec![flag(Special::RetryHint)],
        "DirectoryAdded" => vec![context()],
        "MessageDisplay" => vec![special(Special::DisplayText)],
        "WorktreeCreate" => {
            return said().prop_map(|path| vec![Effect::Special(Special::WorktreePath(format!("/{path}")))]).boxed();
        }
        "WorktreeRemove" => return Just(Vec::new()).boxed(),
        _ => Vec::new(),
    };
    let mut own = own;
    own.push(terminal());
    all(own)
}

fn decode(event: &str, envelope: &Envelope, answer: &Answer) -> hooks_core::HookEffects {
    let adapter = Adapter::latest();
    let binding = Binding::alone(adapter.blank(event).expect("an event"));
    let outcome = Outcome {
        stdout: answer.stdout.clone(),
        stderr: answer.stderr.clone(),
        ..Outcome::ended(End::Exited(answer.exit_code))
    };
    adapter.decode(&binding, envelope, &outcome, DecodePolicy::default())
}

pub(crate) fn write(event: &Event, envelope: &Envelope, effects: &[Effect]) -> (Answer, Vec<Loss>) {
    Adapter::latest().write_answer(&event.facts, envelope, effects)
}

pub(crate) fn occurrence(event: &str) -> Envelope {
    sample::envelope(&Adapter::latest(), event, &Given::default()).expect("an occurrence")
}

fn sorted(effects: &[Effect]) -> Vec<String> {
    let mut words: Vec<String> = effects.iter().map(|effect| format!("{effect:?}")).collect();
    words.sort_unstable();
    words
}

pub(crate) fn any_effects() -> impl Strategy<Value = Vec<Effect>> {
    use Stop::{Action, Compaction, Prompt, Session, Subagent, Turn};
    let verdict = (
        prop::sample::select(vec![Verdict::Allow, Verdict::Ask, Verdict::Defer, Verdict::Deny]),
        prop::collection::vec(".{0,6}", 0..2),
    )
        .prop_map(|(verdict, reasons)| Effect::Verdict { verdict, reasons });
    let halt = (
        prop::collection::vec(prop::sample::select(vec![Prompt, Action, Turn, Compaction, Subagent, Session]), 1..3),
        prop::option::of(prop::sample::select(vec![When::Before, When::After])),
        prop::option::of(prop::sample::select(vec![PromptFate::Keep, PromptFate::Erase])),
        prop::option::of(".{0,6}"),
    )
        .prop_map(|(stops, when, prompt, reason)| Effect::Halt(Halt { when, prompt, ..Halt::of(&stops, reason) }));
    let unsupported = any::<bool>().prop_map(|deny| {
        let on_pending = if deny { OnPending::Deny } else { OnPending::Ignore };
        Effect::Unsupported(Unsupported { field: "f".into(), channel: Channel::Verdict, on_pending })
    });
    let rewrite = prop_oneof![
        Just(ToolAction::Shell(hooks_core::tool::Shell { command: "ls".into(), ..Default::default() })),
        Just(ToolAction::Read(hooks_core::tool::Read { path: "/x".into(), ..Default::default() })),
    ]
    .prop_map(|action| {
        let call = ToolCall::new(action);
        Effect::ReplaceInput(Rewrite {
            raw: RawJson::from(&json!({ "other": 1 })),
            call: Ok(Projected { call, ignored: Vec::new() }),
        })
    });
    let text = prop_oneof![
        ".{0,12}".prop_map(Effect::Notice),
        ".{0,12}".prop_map(Effect::Context),
        ".{0,12}".prop_map(|text| Effect::Continue(Continuation::new(text, None))),
        ".{0,12}".prop_map(|text| Effect::ReplaceResult(ResultReplacement::Text(text))),
        ".{0,12}".prop_map(|text| Effect::Special(Special::WorktreePath(text))),
        ".{0,12}".prop_map(|text| Effect::Special(Special::TerminalSequence(text))),
        ".{0,12}".prop_map(|text| Effect::Special(Special::CompactionInstructions(text))),
        ".{0,12}".prop_map(|action| Effect::Special(Special::ElicitationAnswer { action, content: None })),
        ".{0,12}".prop_map(|text| Effect::PermissionUpdate(RawJson::from(&json!({ "type": text })))),
        Just(Effect::Special(Special::Interrupt)),
        Just(Effect::Special(Special::RetryHint)),
    ];
    prop::collection::vec(prop_oneof![verdict, halt, unsupported, rewrite, text], 0..5)
}

/// How much effects hold back, from nothing upwards.
fn restraint(effects: &[Effect]) -> u8 {
    let of = |effect: &Effect| match effect {
        Effect::Verdict { verdict: Verdict::Deny, .. } => 4,
        Effect::Verdict { verdict: Verdict::Defer, .. } => 3,
        Effect::Verdict { verdict: Verdict::Ask, .. } => 2,
        Effect::Halt(halt) if halt.stops_action() => 4,
        Effect::Halt(_) | Effect::Continue(_) => 1,
        Effect::Unsupported(unsupported) if unsupported.on_pending == OnPending::Deny => 4,
        Effect::Special(Special::Interrupt) => 1,
        _ => 0,
    };
    effects.iter().map(of).max().unwrap_or_default()
}

proptest! {
    #![proptest_config(super::cases(600))]

    #[test]
    fn reading_undoes_writing((event, payload) in any_payload()) {
        let adapter = Adapter::latest();
        let (name, envelope) = read(&payload);
        prop_assert_eq!(name, event.facts.name);
        let written = encode(&adapter, name, &envelope);
        let (_, again) = read(&written);
        prop_assert_eq!(&again, &envelope, "{}", name);
        prop_assert_eq!(written, payload, "{}", name);
    }

    #[test]
    fn deciding_undoes_answering(
        (event, effects) in prop::sample::select(EVENTS.iter().collect::<Vec<_>>()).prop_flat_map(|event| {
            expressible(event, &occurrence(event.facts.name)).prop_map(move |effects| (event, effects))
        })
    ) {
        let envelope = occurrence(event.facts.name);
        let (answer, losses) = write(event, &envelope, &effects);
        let shown = String::from_utf8_lossy(&answer.stdout).into_owned();
        prop_assert!(losses.is_empty(), "{}: {losses:?} for {effects:?}", event.facts.name);
        let decoded = decode(event.facts.name, &envelope, &answer);
        prop_assert_eq!(decoded.failure, None, "{}", shown);
        prop_assert_eq!(sorted(&decoded.effects), sorted(&effects), "{} {}", event.facts.name, shown);
    }

    #[test]
    fn nothing_is_weakened_in_silence(event in prop::sample::select(EVENTS.iter().collect::<Vec<_>>()), effects in any_effects()) {
        let envelope = occurrence(event.facts.name);
        let (answer, losses) = write(event, &envelope, &effects);
        let decoded = decode(event.facts.name, &envelope, &answer);
        let spoken = !answer.stdout.is_empty() || answer.exit_code != 0;
        prop_assert!(decoded.failure.is_none() || !spoken, "{:?}: {:?} {}", decoded.failure, effects, String::from_utf8_lossy(&answer.stdout));
        let (wanted, got) = (restraint(&effects), restraint(&decoded.effects));
        prop_assert!(got >= wanted || !losses.is_empty(), "{}: {effects:?} became {:?}", event.facts.name, decoded.effects);
        // Where the event can deny, a deny stays one.
        if wanted == 4 && event.block == Block::Deny {
            prop_assert_eq!(got, 4, "{}: {:?}", event.facts.name, effects);
        }
        if effects.iter().all(|effect| !matches!(effect, Effect::Verdict { .. })) {
            let allows = decoded.effects.iter().any(|effect| matches!(effect, Effect::Verdict { verdict: Verdict::Allow, .. }));
            prop_assert!(!allows, "nobody allowed: {effects:?}");
        }
        let text = String::from_utf8(answer.stdout).expect("UTF-8");
        if let Ok(value) = serde_json::from_str::<Value>(&text) && let Some(nested) = value.get("hookSpecificOutput") {
            prop_assert_eq!(&nested["hookEventName"], event.facts.name);
        }
    }

    #[test]
    fn bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..96)) {
        let _ = Adapter::latest().read_stdin(&bytes);
    }
}

#[test]
fn restraints_take_the_next_stronger_form() {
    let deny = |reason: &str| Effect::Verdict { verdict: Verdict::Deny, reasons: vec![reason.to_owned()] };
    let halt = |stops: &[Stop]| Effect::Halt(Halt::of(stops, Some("R".to_owned())));
    for (event, effect, expected, instead) in [
        ("PreToolUse", halt(&[Stop::Action]), "\"permissionDecision\":\"deny\"", "deny"),
        (
            "PreModelSwitch",
            Effect::Verdict { verdict: Verdict::Defer, reasons: vec!["R".into()] },
            "\"permissionDecision\":\"deny\"",
            "deny",
        ),
        (
            "PreSkillShellCommand",
            Effect::Verdict { verdict: Verdict::Ask, reasons: vec!["R".into()] },
            "\"permissionDecision\":\"deny\"",
            "deny",
        ),
        (
            "PermissionRequest",
            Effect::Verdict { verdict: Verdict::Ask, reasons: vec!["R".into()] },
            "\"behavior\":\"deny\"",
            "deny",
        ),
        ("UserPromptSubmit", deny("R"), "\"decision\":\"block\"", "a halt"),
        ("Stop", deny("R"), "\"continue\":false", "a halt"),
        ("PostToolUse", deny("R"), "\"decision\":\"block\"", "feedback"),
        ("TaskCreated", halt(&[Stop::Session]), "\"decision\":\"block\"", "a refusal"),
    ] {
        let (answer, losses) = write(find(event).expect("an event"), &occurrence(event), &[effect]);
        let text = String::from_utf8(answer.stdout).expect("UTF-8");
        assert!(text.contains(expected) && text.contains('R'), "{event}: {text}");
        assert_eq!(losses.iter().filter_map(|loss| loss.instead.as_deref()).collect::<Vec<_>>(), [instead], "{event}");
    }
    let (answer, _) = write(find("WorktreeRemove").expect("an event"), &occurrence("WorktreeRemove"), &[deny("R")]);
    assert_eq!((answer.exit_code, answer.stderr.as_slice()), (2, &b"R"[..]));
    let (answer, losses) = write(find("SubagentStart").expect("an event"), &occurrence("SubagentStart"), &[deny("R")]);
    assert!(answer.stdout.is_empty() && losses.len() == 1, "nothing can keep a subagent from starting");
}

/// Another vendor's input is put into the client's shape, for the same tool only.
#[test]
fn rewrites_take_the_client_s_shape() {
    let event = find("PreToolUse").expect("an event");
    let envelope = occurrence("PreToolUse");
    let rewrite = |action: ToolAction| {
        let raw = RawJson::from(&json!({ "cmd": "x" }));
        [Effect::ReplaceInput(Rewrite {
            raw,
            call: Ok(Projected { call: ToolCall::new(action), ignored: Vec::new() }),
        })]
    };
    let (answer, losses) = write(event, &envelope, &rewrite(ToolCall::shell("ls -l").action));
    let value: Value = serde_json::from_slice(&answer.stdout).expect("json");
    assert_eq!((&value["hookSpecificOutput"]["updatedInput"], losses.len()), (&json!({ "command": "ls -l" }), 0));
    let other = rewrite(ToolAction::Read(hooks_core::tool::Read { path: "/x".into(), ..Default::default() }));
    let (answer, losses) = write(event, &envelope, &other);
    let value: Value = serde_json::from_slice(&answer.stdout).expect("json");
    assert_eq!((&value["hookSpecificOutput"]["permissionDecision"], losses.len()), (&json!("deny"), 1));
}

#[test]
fn an_event_of_another_table_loses_all() {
    let mut facts = find("Stop").expect("an event").facts;
    facts.name = "stop";
    let (answer, losses) = Adapter::latest().write_answer(&facts, &occurrence("Stop"), &[Effect::Notice("x".into())]);
    assert_eq!((answer, losses.len()), (Answer::default(), 1));
    assert_eq!(occurrence("Stop").boundary(), Boundary::TurnStop);
}
