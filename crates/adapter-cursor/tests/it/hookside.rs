//! The hook's side: reading what Cursor writes, and answering as a Cursor hook does. Both are the inverse of the host's
//! side on what Cursor can express, and nothing that restrains is lost without a word.

use std::collections::BTreeMap;

use adapter_cursor::events::{EVENTS, UserMessage};
use adapter_cursor::{Adapter, Event, seed, vendor};
use hooks_core::adapter::DecodePolicy;
use hooks_core::boundary::Stop;
use hooks_core::definition::{FailurePolicy, LoopLimit};
use hooks_core::effects::{
    Continuation, Effect, EnvChange, EnvReach, Failure, Halt, HookEffects, OnPending, PromptFate, ResultReplacement,
    Rewrite, Special, Unsupported, Verdict, When,
};
use hooks_core::envelope::{
    AgentText, Attachment, Common, Compaction, HostInfo, Model, Payload, Prompt, SessionEnd, SessionStart,
    SubagentStart, SubagentStop, ToolFailed, ToolFailureKind, ToolReturned, ToolUse, TurnStop,
};
use hooks_core::facts::{AskRule, Control};
use hooks_core::tool::{
    Delete, Edit, FileContent, Glob, Grep, InputRefused, List, Mcp, McpResource, McpResult, OtherTool, Patch,
    Projected, Read, ResultKind, Shell, ShellResult, SubagentTask, TextEdit, ToolAction, ToolResult, WebFetch,
    WebSearch, Write,
};
use hooks_core::{Channel, Envelope, HookSide, HostSide, Outcome, RawJson, ToolCall};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{binding, envelope};

const ROOT: &str = "/home/dev/project";

fn id() -> impl Strategy<Value = String> {
    "[a-z0-9]{1,8}"
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,12}", Just("a\n\t\"\\\u{1b}\u{202e}é漢🙂".to_owned())]
}

fn common() -> impl Strategy<Value = Common> {
    let model = (text(), option::of(id()), vec((id(), text()), 0..3));
    let model = option::of(model.prop_map(|(slug, id, params)| Model { slug, id, params }));
    (id(), option::of(id()), model, option::of(text()), option::of(text()), id(), vec(text(), 0..2)).prop_map(
        |(session, turn, model, transcript_path, user_email, version, more)| Common {
            session_id: format!("s-{session}"),
            turn_id: turn.map(|turn| format!("t-{turn}")),
            cwd: ROOT.into(),
            workspace_roots: std::iter::once(ROOT.to_owned()).chain(more).collect(),
            model,
            transcript_path,
            user_email,
            host: HostInfo { name: String::new(), version },
            ..Common::default()
        },
    )
}

fn value() -> impl Strategy<Value = RawJson> {
    (text(), any::<i64>(), any::<bool>()).prop_map(|(text, number, flag)| {
        RawJson::from(&json!({ "content": [{ "type": "text", "text": text }], "n": number, "flag": flag }))
    })
}

fn edits() -> impl Strategy<Value = Vec<TextEdit>> {
    vec((text(), text(), any::<bool>()).prop_map(|(old, new, replace_all)| TextEdit { old, new, replace_all }), 0..3)
}

/// A command as the tool events carry it.
fn shell() -> impl Strategy<Value = Shell> {
    let flag = || option::of(any::<bool>());
    let cwd = option::of(Just("/elsewhere".to_owned()));
    (text(), cwd, flag(), flag(), flag(), flag(), option::of(text())).prop_map(
        |(command, cwd, read_only, risky, wait, pager, rationale)| Shell {
            command,
            cwd,
            is_read_only: read_only,
            is_risky: risky,
            wait_until_completion: wait,
            uses_pager: pager,
            rationale,
            ..Shell::default()
        },
    )
}

/// Every kind of call, as the tool events carry it.
fn action() -> impl Strategy<Value = ToolAction> {
    let number = || option::of(any::<u64>());
    let maybe = || option::of(text());
    prop_oneof![
        shell().prop_map(ToolAction::Shell),
        (text(), number(), number()).prop_map(|(path, offset, limit)| ToolAction::Read(Read {
            path,
            offset,
            limit,
            content: None
        })),
        (text(), text()).prop_map(|(path, content)| ToolAction::Write(Write { path, content })),
        (text(), edits()).prop_map(|(path, edits)| ToolAction::Edit(Edit { path, edits })),
        text().prop_map(|text| ToolAction::Patch(Patch { text })),
        text().prop_map(|path| ToolAction::Delete(Delete { path })),
        (text(), maybe()).prop_map(|(pattern, path)| ToolAction::Glob(Glob { pattern, path })),
        (text(), maybe(), maybe(), option::of(any::<bool>())).prop_map(|(pattern, path, glob, ignore_case)| {
            ToolAction::Grep(Grep { pattern, path, glob, ignore_case })
        }),
        text().prop_map(|path| ToolAction::List(List { path })),
        (text(), maybe()).prop_map(|(url, prompt)| ToolAction::WebFetch(WebFetch { url, prompt })),
        text().prop_map(|query| ToolAction::WebSearch(WebSearch { query })),
        (maybe(), text(), text(), maybe()).prop_map(|(kind, description, prompt, model)| {
            ToolAction::Subagent(SubagentTask { kind, description, prompt, model })
        }),
        (text(), value()).prop_map(|(tool, arguments)| ToolAction::Mcp(Mcp::new("", tool, arguments))),
        (maybe(), text(), maybe()).prop_map(|(server, name, uri)| ToolAction::McpResource(McpResource {
            server,
            name,
            uri
        })),
        (id(), value()).prop_map(|(name, arguments)| {
            ToolAction::Other(OtherTool { name: format!("custom-{name}"), arguments })
        }),
    ]
}

fn use_of(action: impl Strategy<Value = ToolAction>) -> impl Strategy<Value = ToolUse> {
    (option::of(id()), action).prop_map(|(id, action)| ToolUse { id, call: ToolCall::new(action) })
}

/// A call of an event that carries no id.
fn bare(action: impl Strategy<Value = ToolAction>) -> impl Strategy<Value = ToolUse> {
    action.prop_map(|action| ToolUse { id: None, call: ToolCall::new(action) })
}

fn kind() -> impl Strategy<Value = ResultKind> {
    let shell = (text(), option::of(text()), option::of(any::<i32>()), any::<bool>());
    let number = || option::of(any::<u64>());
    prop_oneof![
        shell.prop_map(|(output, stderr, exit_code, interrupted)| {
            ResultKind::Shell(ShellResult { output, stderr, exit_code, interrupted })
        }),
        text().prop_map(ResultKind::Text),
        (text(), text(), number(), number()).prop_map(|(path, content, start_line, total_lines)| {
            ResultKind::File(FileContent { path, content, start_line, total_lines })
        }),
        vec(text(), 0..3).prop_map(ResultKind::Files),
        (value(), any::<bool>()).prop_map(|(result, is_error)| ResultKind::Mcp(McpResult { result, is_error })),
        any::<u64>().prop_map(|bytes| ResultKind::Binary { bytes }),
        value().prop_map(ResultKind::Json),
        Just(ResultKind::Empty),
    ]
}

fn returned(
    tool: impl Strategy<Value = ToolUse>,
    kind: impl Strategy<Value = ResultKind>,
    timed: bool,
) -> impl Strategy<Value = Payload> {
    (tool, kind, option::of(any::<u64>())).prop_map(move |(tool, kind, duration)| {
        let duration_ms = duration.filter(|_| timed);
        Payload::ToolResult(ToolReturned { tool, result: ToolResult::finished(kind), duration_ms })
    })
}

fn mcp() -> impl Strategy<Value = ToolAction> {
    (id(), text(), value(), option::of(text()), any::<bool>(), text()).prop_map(
        |(server, tool, arguments, server_id, http, address)| {
            let mut mcp = Mcp::new(server, tool, arguments);
            mcp.server_id = server_id;
            if http {
                mcp.server_url = Some(address);
            }
            ToolAction::Mcp(mcp)
        },
    )
}

fn mcp_result() -> impl Strategy<Value = ResultKind> {
    prop_oneof![
        value().prop_map(|result| McpResult { result, is_error: false }),
        (text(), any::<bool>()).prop_map(|(text, is_error)| McpResult { result: RawJson::string(&text), is_error }),
    ]
    .prop_map(ResultKind::Mcp)
}

fn file_edit() -> impl Strategy<Value = ToolAction> {
    (text(), vec((text(), text()), 0..3)).prop_map(|(path, edits)| {
        let edits = edits.into_iter().map(|(old, new)| TextEdit { old, new, replace_all: false }).collect();
        ToolAction::Edit(Edit { path, edits })
    })
}

fn file_read() -> impl Strategy<Value = ToolAction> {
    (text(), option::of(text())).prop_map(|(path, content)| ToolAction::Read(Read { path, content, ..Read::default() }))
}

/// What Cursor can say about an event.
#[allow(clippy::too_many_lines)]
fn payload(event: &str) -> BoxedStrategy<Payload> {
    let maybe = || option::of(text());
    let number = || option::of(any::<u64>());
    let flag = || option::of(any::<bool>());
    match event {
        "sessionStart" => (flag(), text())
            .prop_map(|(background, mode)| {
                Payload::SessionStart(SessionStart { background, mode: Some(mode), ..SessionStart::default() })
            })
            .boxed(),
        "sessionEnd" => (maybe(), number(), flag(), maybe(), maybe())
            .prop_map(|(reason, duration_ms, background, final_status, error_message)| {
                Payload::SessionEnd(SessionEnd { reason, duration_ms, background, final_status, error_message })
            })
            .boxed(),
        "preToolUse" => use_of(action()).prop_map(Payload::ToolBefore).boxed(),
        "postToolUse" => returned(use_of(action()), kind(), true).boxed(),
        "postToolUseFailure" => {
            let kinds = prop_oneof![
                Just(ToolFailureKind::Error),
                Just(ToolFailureKind::Timeout),
                Just(ToolFailureKind::Denied),
                Just(ToolFailureKind::Cancelled)
            ];
            (use_of(action()), text(), kinds, number(), maybe())
                .prop_map(|(tool, error, kind, duration_ms, cancellation_reason)| {
                    Payload::ToolFailure(ToolFailed { tool, error, kind, duration_ms, cancellation_reason })
                })
                .boxed()
        }
        "subagentStart" => (maybe(), maybe(), maybe(), maybe(), maybe(), maybe(), flag(), maybe())
            .prop_map(|(id, kind, task, parent_session_id, tool_use_id, model, parallel, git_branch)| {
                Payload::SubagentStart(SubagentStart {
                    id,
                    kind,
                    task,
                    parent_session_id,
                    tool_use_id,
                    model,
                    parallel,
                    git_branch,
                })
            })
            .boxed(),
        "subagentStop" => {
            let texts = (maybe(), maybe(), maybe(), maybe(), maybe(), maybe());
            (texts, number(), number(), number(), any::<u32>(), vec(text(), 0..3))
                .prop_map(|(texts, duration_ms, message_count, tool_call_count, loop_count, modified_files)| {
                    let (kind, status, task, description, summary, transcript_path) = texts;
                    Payload::SubagentStop(SubagentStop {
                        id: None,
                        kind,
                        status,
                        task,
                        description,
                        summary,
                        duration_ms,
                        message_count,
                        tool_call_count,
                        loop_count,
                        modified_files,
                        transcript_path,
                        last_message: None,
                    })
                })
                .boxed()
        }
        "beforeShellExecution" => {
            let cwd = option::of(Just("/elsewhere".to_owned()));
            let shell = (text(), cwd, flag()).prop_map(|(command, cwd, sandbox)| {
                ToolAction::Shell(Shell { command, cwd, sandbox, ..Shell::default() })
            });
            bare(shell).prop_map(Payload::ToolBefore).boxed()
        }
        "afterShellExecution" => {
            let shell = (text(), flag())
                .prop_map(|(command, sandbox)| ToolAction::Shell(Shell { command, sandbox, ..Shell::default() }));
            let kind = (text(), option::of(any::<i32>())).prop_map(|(output, exit_code)| {
                ResultKind::Shell(ShellResult { output, exit_code, ..ShellResult::default() })
            });
            returned(bare(shell), kind, true).boxed()
        }
        "beforeMCPExecution" => bare(mcp()).prop_map(Payload::ToolBefore).boxed(),
        "afterMCPExecution" => returned(bare(mcp()), mcp_result(), true).boxed(),
        "beforeReadFile" | "beforeTabFileRead" => bare(file_read()).prop_map(Payload::ToolBefore).boxed(),
        "afterFileEdit" | "afterTabFileEdit" => returned(bare(file_edit()), Just(ResultKind::Empty), false).boxed(),
        "beforeSubmitPrompt" => (text(), vec((text(), text()), 0..3))
            .prop_map(|(text, attachments)| {
                let attachments =
                    attachments.into_iter().map(|(kind, path)| Attachment { kind: Some(kind), path }).collect();
                Payload::PromptSubmit(Prompt { text, attachments, ..Prompt::default() })
            })
            .boxed(),
        "preCompact" => (maybe(), option::of(0.0..100.0), number(), number(), number(), number(), flag())
            .prop_map(|(trigger, usage_percent, tokens, window, message_count, messages_to_compact, first)| {
                Payload::CompactBefore(Compaction {
                    trigger,
                    instructions: None,
                    summary: None,
                    usage_percent,
                    tokens,
                    window,
                    message_count,
                    messages_to_compact,
                    first,
                })
            })
            .boxed(),
        "stop" => (maybe(), any::<u32>())
            .prop_map(|(status, loop_count)| Payload::TurnStop(TurnStop { status, loop_count, ..TurnStop::default() }))
            .boxed(),
        "afterAgentResponse" => {
            text().prop_map(|text| Payload::AgentResponse(AgentText { text, duration_ms: None })).boxed()
        }
        "afterAgentThought" => (text(), number())
            .prop_map(|(text, duration_ms)| Payload::AgentThought(AgentText { text, duration_ms }))
            .boxed(),
        "workspaceOpen" => Just(Payload::SessionStart(SessionStart::default())).boxed(),
        other => panic!("{other}"),
    }
}

pub(crate) fn occurrence() -> impl Strategy<Value = (&'static Event, Envelope)> {
    (0..EVENTS.len()).prop_flat_map(|at| {
        let event = &EVENTS[at];
        (Just(event), common(), payload(event.facts.name)).prop_map(|(event, mut common, payload)| {
            if event.facts.name == "sessionStart" {
                common.turn_id = None;
            }
            if event.facts.name == "workspaceOpen" {
                let host = HostInfo { name: "cursor".into(), version: common.host.version };
                let Common { workspace_roots, user_email, cwd, .. } = common;
                common = Common { workspace_roots, user_email, cwd, host, ..Common::default() };
            }
            (event, Envelope::new(common, payload))
        })
    })
}

/// Without the raw inputs, which a decoded call has and a made-up one does not.
fn plain(mut envelope: Envelope) -> Envelope {
    match &mut envelope.payload {
        Payload::ToolBefore(tool) => tool.call.raw = None,
        Payload::ToolResult(returned) => returned.tool.call.raw = None,
        Payload::ToolFailure(failed) => failed.tool.call.raw = None,
        _ => {}
    }
    envelope
}

pub(crate) fn written(adapter: &Adapter, event: &Event, envelope: &Envelope) -> Vec<u8> {
    let mut bytes = Vec::new();
    let hook = binding(adapter, event.facts.name, "hook", FailurePolicy::Open);
    adapter.encode(&hook, envelope, &mut bytes).expect("an invocation");
    bytes
}

proptest! {
    #[test]
    fn reading_is_the_inverse_of_writing((event, envelope) in occurrence()) {
        for adapter in [vendor(), seed()] {
            let bytes = written(&adapter, event, &envelope);
            let (facts, read) = adapter.read_stdin(&bytes).expect("a payload");
            prop_assert_eq!(facts.name, event.facts.name);
            prop_assert_eq!(plain(read), envelope.clone());
        }
    }
}

/// Text that a decoder leaves as it is.
fn said() -> impl Strategy<Value = String> {
    "[a-z]{1,6}( [a-z]{1,6}){0,2}"
}

fn rewrite(raw: Value, original: &ToolCall) -> Effect {
    let raw = RawJson::from(&raw);
    Effect::ReplaceInput(Rewrite { call: vendor().project(original, &raw), raw })
}

/// Effects that Cursor can say on an event, in the order in which its answers are read.
pub(crate) fn sayable(event: &'static Event) -> BoxedStrategy<Vec<Effect>> {
    let facts = &event.facts;
    let name = facts.name;
    let has = |field: &str| event.output_field(field).is_some_and(|field| field.channel.is_some());
    match facts.control {
        Control::Permission { .. } => {
            let mut verdicts = vec![Some(Verdict::Allow)];
            if facts.ask == AskRule::NoOpinionUnlessStrict {
                verdicts.push(None);
            }
            if has("user_message") {
                verdicts.push(Some(Verdict::Deny));
                if facts.ask == AskRule::Honoured {
                    verdicts.push(Some(Verdict::Ask));
                }
            }
            let (both, on_allow) = (has("agent_message"), event.user_message == UserMessage::Notice);
            let rewrites = has("updated_input");
            (proptest::sample::select(verdicts), said(), option::of(said()), any::<bool>())
                .prop_map(move |(verdict, reason, notice, rewritten)| {
                    let mut effects = Vec::new();
                    match verdict {
                        Some(Verdict::Allow) => {
                            effects.push(Effect::Verdict { verdict: Verdict::Allow, reasons: Vec::new() });
                            effects.extend(notice.filter(|_| on_allow).map(Effect::Notice));
                        }
                        Some(verdict) => {
                            effects.push(Effect::Verdict { verdict, reasons: vec![reason.clone()] });
                            effects.extend(notice.filter(|notice| both && *notice != reason).map(Effect::Notice));
                        }
                        None => {}
                    }
                    if rewrites && rewritten {
                        let occurrence = envelope(&vendor(), name);
                        let original = &occurrence.payload.tool_use().expect("a call").call;
                        effects.push(rewrite(json!({ "command": reason }), original));
                    }
                    effects
                })
                .boxed()
        }
        Control::Halt => (any::<bool>(), said(), option::of(said()))
            .prop_map(|(halts, reason, notice)| {
                if halts {
                    let mut halt = Halt::of(&[Stop::Prompt], Some(reason));
                    halt.prompt = Some(PromptFate::Keep);
                    vec![Effect::Halt(halt)]
                } else {
                    notice.map(Effect::Notice).into_iter().collect()
                }
            })
            .boxed(),
        _ => {
            let mut all: Vec<BoxedStrategy<Option<Effect>>> = Vec::new();
            if has("env") {
                let variables = proptest::collection::btree_map("[A-Z]{1,4}", said(), 1..3);
                all.push(
                    option::of(variables.prop_map(|variables| {
                        let change = |value| EnvChange { value, reach: EnvReach::Hooks };
                        Effect::SessionEnv(variables.into_iter().map(|(name, value)| (name, change(value))).collect())
                    }))
                    .boxed(),
                );
            }
            if has("additional_context") && name != "postToolUse" {
                all.push(option::of(said().prop_map(Effect::Context)).boxed());
            }
            if has("user_message") {
                all.push(option::of(said().prop_map(Effect::Notice)).boxed());
            }
            if has("followup_message") {
                let go_on = |text: String| Effect::Continue(Continuation::new(text, Some(LoopLimit::Unlimited)));
                all.push(option::of(said().prop_map(go_on)).boxed());
            }
            if has("pluginPaths") {
                let paths = vec(said(), 1..3).prop_map(|paths| Effect::Special(Special::PluginPaths(paths)));
                all.push(option::of(paths).boxed());
            }
            all.into_iter().fold(Just(Vec::new()).boxed(), |before, one| {
                (before, one)
                    .prop_map(|(mut effects, one): (Vec<Effect>, Option<Effect>)| {
                        effects.extend(one);
                        effects
                    })
                    .boxed()
            })
        }
    }
}

fn answered(adapter: &Adapter, event: &Event, envelope: &Envelope, effects: &[Effect]) -> (HookEffects, bool) {
    let (answer, losses) = adapter.write_answer(&event.facts, envelope, effects);
    let hook = binding(adapter, event.facts.name, "hook", FailurePolicy::Open);
    let outcome = Outcome { stderr: answer.stderr, ..Outcome::exited(answer.exit_code, answer.stdout) };
    for loss in &losses {
        assert!(!loss.what.is_empty());
    }
    (adapter.decode(&hook, envelope, &outcome, DecodePolicy::default()), losses.is_empty())
}

fn event_and<T: std::fmt::Debug>(
    of: impl Fn(&'static Event) -> BoxedStrategy<T> + Clone + 'static,
) -> impl Strategy<Value = (&'static Event, T)> {
    (0..EVENTS.len()).prop_flat_map(move |at| (Just(&EVENTS[at]), of(&EVENTS[at])))
}

proptest! {
    #[test]
    fn answers_come_back_as_they_were_said((event, effects) in event_and(sayable)) {
        let (decoded, complete) = answered(&vendor(), event, &envelope(&vendor(), event.facts.name), &effects);
        prop_assert!(complete && decoded.failure.is_none(), "{}: {:?}", event.facts.name, decoded);
        prop_assert_eq!(decoded.effects, effects, "{}", event.facts.name);
    }
}

/// Anything that any hook of any vendor may ask for.
pub(crate) fn anything() -> impl Strategy<Value = Effect> {
    let reasons = || vec(text(), 0..3);
    let verdicts = proptest::sample::select(vec![Verdict::Allow, Verdict::Ask, Verdict::Defer, Verdict::Deny]);
    let stops = vec(
        proptest::sample::select(vec![Stop::Prompt, Stop::Action, Stop::Turn, Stop::Compaction, Stop::Subagent]),
        1..3,
    );
    let whens = option::of(proptest::sample::select(vec![When::Before, When::After]));
    let fates = option::of(proptest::sample::select(vec![PromptFate::Keep, PromptFate::Erase]));
    let calls = prop_oneof![
        action().prop_map(|action| Ok(Projected { call: ToolCall::new(action), ignored: Vec::new() })),
        Just(Err(InputRefused { reason: "no".into() })),
    ];
    let inputs = prop_oneof![value(), Just(RawJson::string("x")), Just(RawJson::from(&json!({ "command": "x" })))];
    let pending = proptest::sample::select(vec![OnPending::Ignore, OnPending::Deny]);
    let reach = proptest::sample::select(vec![EnvReach::Hooks, EnvReach::Shell]);
    prop_oneof![
        4 => (verdicts, reasons()).prop_map(|(verdict, reasons)| Effect::Verdict { verdict, reasons }),
        1 => text().prop_map(Effect::Notice),
        1 => text().prop_map(Effect::Context),
        2 => (inputs, calls).prop_map(|(raw, call)| Effect::ReplaceInput(Rewrite { raw, call })),
        1 => prop_oneof![text().prop_map(ResultReplacement::Text), value().prop_map(ResultReplacement::Json)]
            .prop_map(Effect::ReplaceResult),
        1 => (text(), text(), reach).prop_map(|(name, value, reach)| {
            Effect::SessionEnv(BTreeMap::from([(name, EnvChange { value, reach })]))
        }),
        2 => (stops, whens, fates, option::of(text())).prop_map(|(stops, when, prompt, reason)| {
            Effect::Halt(Halt { when, prompt, ..Halt::of(&stops, reason) })
        }),
        1 => text().prop_map(|text| Effect::Continue(Continuation::new(text, Some(LoopLimit::AtMost(2))))),
        1 => value().prop_map(Effect::PermissionUpdate),
        1 => pending.prop_map(|on_pending| {
            Effect::Unsupported(Unsupported { field: "x".into(), channel: Channel::Halt, on_pending })
        }),
        1 => prop_oneof![Just(Special::Interrupt), Just(Special::ReloadSkills), text().prop_map(Special::SessionTitle)]
            .prop_map(Effect::Special),
    ]
}

/// How much an effect holds a pending action back.
fn restraint(effect: &Effect) -> Option<Verdict> {
    match effect {
        Effect::Verdict { verdict: Verdict::Allow, .. } => None,
        Effect::Verdict { verdict, .. } => Some(*verdict),
        Effect::Halt(_) | Effect::Special(Special::Interrupt) => Some(Verdict::Deny),
        Effect::Unsupported(unsupported) => (unsupported.on_pending == OnPending::Deny).then_some(Verdict::Deny),
        _ => None,
    }
}

proptest! {
    /// Whatever is to be said: what holds back holds back at least as much, nothing approves that did not, the original
    /// of a rewritten input never runs, and what is not in the answer is told.
    #[test]
    fn nothing_is_weakened_and_nothing_lost_silently(at in 0..EVENTS.len(), effects in vec(anything(), 0..5)) {
        let event = &EVENTS[at];
        let name = event.facts.name;
        let (decoded, complete) = answered(&vendor(), event, &envelope(&vendor(), name), &effects);
        prop_assert!(matches!(decoded.failure, None | Some(Failure::Empty)), "{}: {:?}", name, decoded);
        prop_assert!(decoded.failure.is_none() || !complete, "{}: {:?}", name, decoded);
        let strongest = |effects: &[Effect]| effects.iter().filter_map(restraint).max();
        let (wanted, got) = (strongest(&effects), strongest(&decoded.effects));
        match event.facts.control {
            Control::Permission { .. } => {
                prop_assert!(got >= wanted, "{}: {:?} became {:?}", name, effects, decoded);
                let rewrites = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::ReplaceInput(_)));
                let held = got == Some(Verdict::Deny);
                prop_assert!(!rewrites(&effects) || rewrites(&decoded.effects) || held, "{}: {:?}", name, decoded);
            }
            Control::Halt => {
                prop_assert_eq!(got.is_some(), wanted.is_some(), "{}: {:?} became {:?}", name, effects, decoded);
            }
            _ => prop_assert!(got.is_none()),
        }
        let allows = |effects: &[Effect]| {
            effects.iter().any(|effect| matches!(effect, Effect::Verdict { verdict: Verdict::Allow, .. }))
        };
        prop_assert!(!allows(&decoded.effects) || allows(&effects), "{}: {:?}", name, decoded);
        if complete {
            let channels = |effects: &[Effect]| {
                let mut all: Vec<_> = effects.iter().map(Effect::channel).collect();
                all.sort_unstable();
                all.dedup();
                all
            };
            // A notice that is the reason too is shown with it.
            let reasons: Vec<_> = decoded.effects.iter().flat_map(|effect| match effect {
                Effect::Verdict { reasons, .. } => reasons.clone(),
                _ => Vec::new(),
            }).collect();
            let shown = |effect: &&Effect| match effect {
                Effect::Notice(text) => reasons.contains(&hooks_core::text::clean_message(text).into_owned()),
                _ => false,
            };
            let said: Vec<_> = effects.iter().filter(|effect| !says_nothing(effect) && !shown(effect)).cloned().collect();
            let (ours, theirs) = (channels(&decoded.effects), channels(&said));
            prop_assert!(theirs.iter().all(|channel| ours.contains(channel)), "{}: {:?} became {:?}", name, effects, decoded);
        }
    }

    #[test]
    fn no_payload_panics(bytes in nearly()) {
        let _ = vendor().read_stdin(&bytes);
    }
}

/// Whether there is nothing in an effect that an answer could leave out: texts that are empty once they are clean, a
/// denial's place beside a stronger one.
fn says_nothing(effect: &Effect) -> bool {
    let blank = |text: &str| hooks_core::text::clean_message(text).is_empty();
    match effect {
        Effect::Notice(text) => blank(text),
        Effect::Context(text) => hooks_core::text::strip_unsafe(text).is_empty(),
        Effect::Continue(continuation) => hooks_core::text::strip_unsafe(&continuation.text).is_empty(),
        // At a turn's end a halt is said by saying nothing; elsewhere it is a denial.
        Effect::Halt(_) => true,
        _ => false,
    }
}

/// Bytes that are often nearly a payload.
fn nearly() -> impl Strategy<Value = Vec<u8>> {
    let cut = (occurrence(), any::<prop::sample::Index>(), any::<u8>(), any::<bool>()).prop_map(
        |((event, envelope), at, byte, cut)| {
            let mut bytes = written(&vendor(), event, &envelope);
            let at = at.index(bytes.len());
            if cut {
                bytes.truncate(at);
            } else {
                bytes[at] = byte;
            }
            bytes
        },
    );
    prop_oneof![cut, vec(any::<u8>(), 0..64)]
}

fn read(payload: &Value) -> (String, Envelope) {
    let (facts, envelope) = vendor().read_stdin(payload.to_string().as_bytes()).expect("a payload");
    (facts.name.to_owned(), envelope)
}

/// Case C301, and other things that clients were seen to write.
#[test]
fn what_clients_were_seen_to_write_is_read() {
    let with_mark = "\u{feff}{\"hook_event_name\":\"stop\",\"conversation_id\":\"c\",\"generation_id\":\"\"}";
    let (facts, envelope) = vendor().read_stdin(with_mark.as_bytes()).expect("a payload");
    assert_eq!((facts.name, envelope.common.session_id.as_str(), envelope.common.turn_id), ("stop", "c", None));

    let old = json!({ "hook_event_name": "beforeReadFile", "conversation_id": "c", "filePath": "/f", "content": "x" });
    let (_, envelope) = read(&old);
    let Payload::ToolBefore(tool) = envelope.payload else { panic!("a call") };
    assert!(matches!(tool.call.action, ToolAction::Read(Read { path, .. }) if path == "/f"));

    let nowhere = json!({ "hook_event_name": "beforeShellExecution", "conversation_id": "c", "command": "ls", "cwd": "",
        "workspace_roots": ["/w"] });
    let (_, envelope) = read(&nowhere);
    assert_eq!(envelope.common.cwd, "/w");
    assert_eq!(envelope.payload.tool_use().and_then(|tool| tool.call.as_shell()).expect("a command").cwd, None);

    let half = r#"{"hook_event_name":"afterAgentResponse","conversation_id":"c","text":"a\ud800b"}"#;
    let (_, envelope) = vendor().read_stdin(half.as_bytes()).expect("a payload");
    assert_eq!(envelope.payload, Payload::AgentResponse(AgentText { text: "a\u{fffd}b".into(), duration_ms: None }));

    let fraction =
        json!({ "hook_event_name": "afterAgentThought", "conversation_id": "c", "text": "t", "duration_ms": 12.5 });
    let (_, envelope) = read(&fraction);
    assert_eq!(envelope.common.extra["duration_ms"].get(), "12.5");
    assert_eq!(envelope.payload, Payload::AgentThought(AgentText { text: "t".into(), duration_ms: Some(13) }));
}

/// The page's own example of a shell result, which is no tagged object.
#[test]
fn a_shells_result_is_read_in_cursors_own_keys() {
    let payload = json!({ "hook_event_name": "postToolUse", "conversation_id": "c", "tool_name": "Shell",
        "tool_input": { "command": "npm test", "working_directory": "/w" }, "cwd": "/w", "workspace_roots": ["/w"],
        "tool_output": "{\"exitCode\":0,\"stdout\":\"ok\"}", "duration": 5432 });
    let (_, envelope) = read(&payload);
    let Payload::ToolResult(returned) = envelope.payload else { panic!("a result") };
    let expected = ShellResult { output: "ok".into(), exit_code: Some(0), ..ShellResult::default() };
    assert_eq!(returned.result.kind, ResultKind::Shell(expected));
    assert_eq!(returned.tool.call.as_shell().expect("a command").cwd, None);
    assert_eq!(returned.tool.call.raw.expect("raw").to_value(), payload["tool_input"]);
    for (output, expected) in [
        (json!("no JSON"), ResultKind::Text("no JSON".into())),
        (json!("[1]"), ResultKind::Json(RawJson::from(&json!([1])))),
        (json!({ "a": 1 }), ResultKind::Json(RawJson::from(&json!({ "a": 1 })))),
        (
            json!("{\"kind\":\"text\",\"text\":\"x\",\"more\":1}"),
            ResultKind::Json(RawJson::from(&json!({ "kind": "text", "text": "x", "more": 1 }))),
        ),
    ] {
        let mut payload = payload.clone();
        payload["tool_output"] = output;
        let Payload::ToolResult(returned) = read(&payload).1.payload else { panic!("a result") };
        assert_eq!(returned.result.kind, expected);
    }
}

#[test]
fn what_has_no_place_is_kept_under_its_key() {
    let payload = json!({ "hook_event_name": "beforeSubmitPrompt", "conversation_id": "c", "session_id": "other",
        "prompt": "p", "composer_mode": "agent", "attachments": "none", "brand_new": { "a": [1] }, "model": 5 });
    let (_, envelope) = read(&payload);
    let extra: Value = envelope
        .common
        .extra
        .iter()
        .map(|(key, raw)| (key.clone(), raw.to_value()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    assert_eq!(
        extra,
        json!({ "session_id": "other", "composer_mode": "agent", "attachments": "none", "brand_new": { "a": [1] },
            "model": 5 })
    );
    let tab = json!({ "hook_event_name": "afterTabFileEdit", "conversation_id": "c", "file_path": "/f", "edits": [{
        "old_string": "a", "new_string": "b", "old_line": "a1", "new_line": "b1",
        "range": { "start_line_number": 1, "start_column": 1, "end_line_number": 1, "end_column": 2 } }] });
    let (_, envelope) = read(&tab);
    assert_eq!(envelope.common.extra["edits"].to_value(), tab["edits"]);
}

#[test]
fn what_is_no_payload_says_why() {
    for (text, why) in [
        ("", "JSON"),
        ("[]", "JSON"),
        ("{}", "hook_event_name"),
        (r#"{"hook_event_name":"PreToolUse"}"#, "PreToolUse"),
        (r#"{"hook_event_name":5}"#, "hook_event_name"),
        (r#"{"hook_event_name":"preToolUse","conversation_id":"c"}"#, "tool_name"),
        (r#"{"hook_event_name":"beforeShellExecution","conversation_id":"c","command":5}"#, "command"),
        (r#"{"hook_event_name":"beforeMCPExecution","conversation_id":"c"}"#, "tool_name"),
        (r#"{"hook_event_name":"beforeReadFile","conversation_id":"c"}"#, "file_path"),
        (r#"{"hook_event_name":"beforeSubmitPrompt","conversation_id":"c"}"#, "prompt"),
        (r#"{"hook_event_name":"afterAgentResponse","conversation_id":"c"}"#, "text"),
    ] {
        let error = vendor().read_stdin(text.as_bytes()).expect_err(text);
        assert!(error.to_string().contains(why), "{text}: {error}");
    }
    assert!(vendor().read_stdin(b"{\"hook_event_name\":\"st\xffop\"}").is_err());
    let shown = vendor().read_stdin("{\"hook_event_name\":\"\\u001b[2J\"}".as_bytes()).expect_err("no event");
    assert!(!shown.to_string().contains('\u{1b}'));
}

/// What an answer has no form for, said in the next stronger one.
#[test]
fn what_cannot_be_said_is_said_more_strongly_and_told() {
    let verdict = |verdict| vec![Effect::Verdict { verdict, reasons: vec!["why".into()] }];
    let answer = |event: &str, effects: &[Effect]| {
        let occurrence = envelope(&vendor(), event);
        let (answer, losses) = vendor().write_answer(vendor().event(event).expect("event"), &occurrence, effects);
        assert_eq!(answer.exit_code, 0);
        let stdout: Value = serde_json::from_slice(&answer.stdout).unwrap_or(Value::Null);
        (stdout, losses.into_iter().map(|loss| loss.instead).collect::<Vec<_>>())
    };
    let told = || vec![Some("the action is denied".to_owned())];
    for event in ["preToolUse", "subagentStart", "beforeReadFile"] {
        let (stdout, losses) = answer(event, &verdict(Verdict::Ask));
        assert_eq!((&stdout["permission"], losses), (&json!("deny"), told()), "{event}");
    }
    let (stdout, losses) = answer("beforeShellExecution", &verdict(Verdict::Ask));
    assert_eq!((stdout, losses), (json!({ "permission": "ask", "agent_message": "why" }), Vec::new()));
    let (stdout, losses) = answer("beforeShellExecution", &verdict(Verdict::Defer));
    assert_eq!((&stdout["permission"], losses), (&json!("deny"), told()));
    let halt = [Effect::Halt(Halt::of(&[Stop::Turn], Some("enough".into())))];
    let (stdout, losses) = answer("preToolUse", &halt);
    assert_eq!((stdout, losses), (json!({ "permission": "deny", "agent_message": "enough" }), told()));
    let (stdout, losses) = answer("stop", &halt);
    assert_eq!((stdout, losses), (Value::Null, vec![None]));

    // A rewrite in another vendor's shape is said in Cursor's.
    let call = ToolCall::shell("ls");
    let foreign =
        Rewrite { raw: RawJson::from(&json!({ "cmd": "ls" })), call: Ok(Projected { call, ignored: Vec::new() }) };
    let (stdout, losses) = answer("preToolUse", &[Effect::ReplaceInput(foreign.clone())]);
    assert_eq!((&stdout["permission"], &stdout["updated_input"]["command"]), (&json!("ask"), &json!("ls")));
    assert!(losses.is_empty());
    let (stdout, losses) = answer("beforeShellExecution", &[Effect::ReplaceInput(foreign)]);
    assert_eq!((&stdout["permission"], losses), (&json!("deny"), told()));
    // One for another tool would reach the tool that was called.
    let read = ToolAction::Read(Read { path: "/etc/passwd".into(), ..Read::default() });
    let call = ToolCall { action: read, ..ToolCall::shell("") };
    let raw = RawJson::from(&json!({ "file_path": "/etc/passwd" }));
    let other = Rewrite { raw, call: Ok(Projected { call, ignored: Vec::new() }) };
    let (stdout, losses) = answer("preToolUse", &[Effect::ReplaceInput(other)]);
    assert_eq!((&stdout["permission"], &stdout["updated_input"], losses), (&json!("deny"), &Value::Null, told()));
    let reason = stdout["agent_message"].as_str().expect("a reason");
    assert!(reason.contains("it is for another tool"), "{reason}");

    // On a prompt only a halt restrains.
    let not_sent = || vec![Some("the prompt is not sent".to_owned())];
    let denies = Unsupported { field: "x".into(), channel: Channel::Halt, on_pending: OnPending::Deny };
    for effect in [Effect::Special(Special::Interrupt), Effect::Unsupported(denies.clone())] {
        let (stdout, losses) = answer("beforeSubmitPrompt", &[effect]);
        assert_eq!((&stdout["continue"], losses), (&json!(false), not_sent()));
    }
    let ignored = Unsupported { on_pending: OnPending::Ignore, ..denies };
    let (stdout, losses) = answer("beforeSubmitPrompt", &[Effect::Unsupported(ignored)]);
    assert_eq!((&stdout["continue"], losses), (&json!(true), vec![None]));

    // No opinion never approves.
    assert_eq!(answer("preToolUse", &[]), (json!({ "permission": "ask" }), Vec::new()));
    let (stdout, losses) = answer("beforeShellExecution", &[]);
    assert_eq!((stdout, losses.len()), (Value::Null, 1));
    assert_eq!(answer("beforeSubmitPrompt", &[]).0, json!({ "continue": true }));
    assert_eq!(answer("stop", &[]).0, Value::Null);
}

/// Deep, long and wide payloads end soon: the work may only grow with their size.
#[test]
fn large_payloads_end_soon() {
    let deep = format!(
        r#"{{"hook_event_name":"preToolUse","tool_name":"MCP:t","tool_input":{}1{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let (_, envelope) = vendor().read_stdin(deep.as_bytes()).expect("a payload");
    let mcp = envelope.payload.tool_use().and_then(|tool| tool.call.as_mcp()).expect("a call").clone();
    assert_eq!(mcp.arguments.get().len(), 200_001);
    assert!(vendor().read_stdin("[".repeat(200_000).as_bytes()).is_err());

    let keys: Vec<String> = (0..100_000).map(|at| format!("\"k{at}\":[{at}]")).collect();
    let wide = format!(r#"{{"hook_event_name":"stop","conversation_id":"c",{}}}"#, keys.join(","));
    let (_, envelope) = vendor().read_stdin(wide.as_bytes()).expect("a payload");
    assert_eq!(envelope.common.extra.len(), 100_000);

    let long = json!({ "hook_event_name": "afterShellExecution", "conversation_id": "c", "command": "x",
        "output": "\u{1b}[31m\n".repeat(500_000) });
    let (_, envelope) = vendor().read_stdin(long.to_string().as_bytes()).expect("a payload");
    let Payload::ToolResult(returned) = envelope.payload else { panic!("a result") };
    assert!(matches!(returned.result.kind, ResultKind::Shell(shell) if shell.output.len() == 3_000_000));
}
