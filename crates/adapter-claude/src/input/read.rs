//! Standard input taken apart into an occurrence: the inverse of the other modules of this folder.
//!
//! Every key that has a place in core goes there; every other one, and every known one whose value is of another type
//! than recorded, goes to [`Common::extra`] (for a model switch to its details), so that nothing is lost.

use std::collections::BTreeMap;

use hooks_core::adapter::StdinError;
use hooks_core::boundary::Boundary;
use hooks_core::document::mend_surrogates;
use hooks_core::envelope::{
    AgentIdentity, BatchCall, Common, Compaction, ConfigChanged, CwdChanged, DirectoryAdded, Display, Elicitation,
    ElicitationResult, Envelope, FileChanged, InstructionsLoaded, Model, ModelSwitch, Notification, Payload,
    PermissionDenied, PermissionOrigin, PermissionRequest, Prompt, PromptExpansion, Provenance, SessionEnd,
    SessionStart, Setup, SkillShellCommand, SubagentStart, SubagentStop, Task, TeammateIdle, ToolBatch, ToolFailed,
    ToolFailureKind, ToolReturned, ToolUse, TurnFailure, TurnStop, WorktreeCreate, WorktreeRemove,
};
use hooks_core::json::{JsonKind, RawJson, RawObject};
use hooks_core::tool::{ResultKind, ShellResult, ToolAction, ToolResult};
use hooks_core::vendor::Version;
use serde_json::value::RawValue;

use crate::events::{EVENTS, Event};
use crate::tools;

/// How the prompt of a background task's report starts (case `p-bgagent`).
const TASK_NOTIFICATION: &str = "<task-notification>";

/// Reads a payload.
///
/// # Errors
///
/// [`StdinError`] when it is no object, names no event of this client, or lacks what its event is about.
pub(crate) fn read(version: Version, stdin: &[u8]) -> Result<(&'static Event, Envelope), StdinError> {
    let wrong = |why: String| StdinError(why);
    let text = std::str::from_utf8(stdin).map_err(|error| wrong(format!("the input is not UTF-8: {error}")))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = mend_surrogates(text);
    let object = RawObject::parse(&text).map_err(|error| wrong(format!("the input is no JSON object: {error}")))?;
    let mut keys = Keys { left: object.iter().collect() };
    let name = keys.text("hook_event_name").ok_or_else(|| wrong("the input names no event".to_owned()))?;
    let event = EVENTS
        .iter()
        .find(|event| event.facts.name == name && event.exists_at(version))
        .ok_or_else(|| wrong(format!("the client has no event `{name}`")))?;
    let mut common = keys.common();
    let payload = payload(event, &mut keys, &mut common)?;
    common.extra.extend(keys.rest());
    // An empty list says as much as none.
    for list in ["background_tasks", "session_crons"] {
        if common.extra.get(list).is_some_and(|raw| raw.get() == "[]") {
            common.extra.remove(list);
        }
    }
    Ok((event, Envelope::new(common, payload)))
}

fn payload(event: &Event, keys: &mut Keys<'_>, common: &mut Common) -> Result<Payload, StdinError> {
    let Some(boundary) = event.facts.boundary else {
        return Err(StdinError(format!("{} has no place in the host's world", event.facts.name)));
    };
    Ok(match boundary {
        Boundary::ToolBefore => Payload::ToolBefore(keys.tool()?),
        Boundary::PermissionRequest => {
            let tool = keys.tool()?;
            let origin = match tool.call.action {
                ToolAction::Mcp(_) => PermissionOrigin::Mcp,
                _ => PermissionOrigin::Tool,
            };
            let suggestions = keys.array("permission_suggestions");
            Payload::PermissionRequest(PermissionRequest { tool, origin, justification: None, suggestions })
        }
        Boundary::PermissionDenied => {
            Payload::PermissionDenied(PermissionDenied { tool: keys.tool()?, reason: keys.or_empty("reason") })
        }
        Boundary::ToolResult => returned(keys)?,
        Boundary::ToolFailure => failed(keys)?,
        Boundary::ToolBatch => Payload::ToolBatch(batch(keys)?),
        Boundary::SkillShellCommand => Payload::SkillShellCommand(SkillShellCommand {
            tool: keys.tool()?,
            command_name: keys.or_empty("command_name"),
            command_source: keys.text("command_source"),
            invoked_by: keys.or_empty("invoked_by"),
        }),
        Boundary::PromptSubmit => Payload::PromptSubmit(prompt(keys)),
        Boundary::PromptExpansion => Payload::PromptExpansion(PromptExpansion {
            kind: keys.or_empty("expansion_type"),
            command: keys.or_empty("command_name"),
            arguments: keys.or_empty("command_args"),
            source: keys.text("command_source"),
            prompt: keys.or_empty("prompt"),
        }),
        Boundary::SessionStart => {
            common.model = keys.text("model").map(|slug| Model { slug, ..Model::default() });
            Payload::SessionStart(SessionStart {
                source: keys.text("source"),
                title: keys.text("session_title"),
                ..SessionStart::default()
            })
        }
        Boundary::SessionEnd => {
            Payload::SessionEnd(SessionEnd { reason: keys.text("reason"), ..SessionEnd::default() })
        }
        Boundary::Setup => Payload::Setup(Setup { trigger: keys.or_empty("trigger") }),
        // The event means that the turn came to its end: an interruption fires nothing, an error another event.
        Boundary::TurnStop => Payload::TurnStop(TurnStop {
            status: Some("completed".to_owned()),
            loop_count: keys.rounds(),
            last_message: keys.text("last_assistant_message"),
            background_tasks: keys.array("background_tasks"),
            session_crons: keys.array("session_crons"),
        }),
        Boundary::TurnFailure => Payload::TurnFailure(TurnFailure {
            error: keys.or_empty("error"),
            details: keys.text("error_details"),
            last_message: keys.text("last_assistant_message"),
        }),
        Boundary::SubagentStart => {
            let AgentIdentity { id, kind } = common.agent.take().unwrap_or_default();
            Payload::SubagentStart(SubagentStart { id, kind, ..SubagentStart::default() })
        }
        Boundary::SubagentStop => {
            let AgentIdentity { id, kind } = common.agent.take().unwrap_or_default();
            Payload::SubagentStop(SubagentStop {
                id,
                kind,
                loop_count: keys.rounds(),
                transcript_path: keys.not_empty("agent_transcript_path"),
                last_message: keys.text("last_assistant_message"),
                ..SubagentStop::default()
            })
        }
        Boundary::CompactBefore => Payload::CompactBefore(keys.compaction()),
        Boundary::CompactAfter => Payload::CompactAfter(keys.compaction()),
        Boundary::ModelSwitchBefore => Payload::ModelSwitchBefore(model_switch(keys)),
        Boundary::ModelSwitchAfter => Payload::ModelSwitchAfter(model_switch(keys)),
        Boundary::Display => {
            common.turn_id = keys.not_empty("turn_id");
            Payload::Display(Display {
                message_id: keys.or_empty("message_id"),
                index: keys.number("index").unwrap_or_default(),
                last: keys.flag("final").unwrap_or_default(),
                text: keys.or_empty("delta"),
            })
        }
        other => small(other, keys)
            .ok_or_else(|| StdinError(format!("{} has no payload in the host's world", event.facts.name)))?,
    })
}

/// Events that carry a handful of texts.
fn small(boundary: Boundary, keys: &mut Keys<'_>) -> Option<Payload> {
    Some(match boundary {
        Boundary::Notification => Payload::Notification(Notification {
            message: keys.or_empty("message"),
            title: keys.text("title"),
            kind: keys.or_empty("notification_type"),
        }),
        Boundary::TaskCreated => Payload::TaskCreated(keys.task()),
        Boundary::TaskCompleted => Payload::TaskCompleted(keys.task()),
        Boundary::TeammateIdle => Payload::TeammateIdle(TeammateIdle {
            teammate: keys.or_empty("teammate_name"),
            team: keys.or_empty("team_name"),
        }),
        Boundary::Elicitation => Payload::Elicitation(Elicitation {
            server: keys.or_empty("mcp_server_name"),
            message: keys.or_empty("message"),
            mode: keys.text("mode"),
            url: keys.text("url"),
            id: keys.text("elicitation_id"),
            schema: keys.object("requested_schema"),
        }),
        Boundary::ElicitationResult => Payload::ElicitationResult(ElicitationResult {
            server: keys.or_empty("mcp_server_name"),
            action: keys.or_empty("action"),
            mode: keys.text("mode"),
            id: keys.text("elicitation_id"),
            content: keys.object("content"),
        }),
        Boundary::ConfigChanged => {
            Payload::ConfigChanged(ConfigChanged { source: keys.or_empty("source"), path: keys.text("file_path") })
        }
        Boundary::InstructionsLoaded => Payload::InstructionsLoaded(InstructionsLoaded {
            path: keys.or_empty("file_path"),
            memory_type: keys.or_empty("memory_type"),
            load_reason: keys.or_empty("load_reason"),
            globs: keys.texts("globs"),
            trigger_path: keys.text("trigger_file_path"),
            parent_path: keys.text("parent_file_path"),
        }),
        Boundary::CwdChanged => {
            Payload::CwdChanged(CwdChanged { old: keys.or_empty("old_cwd"), new: keys.or_empty("new_cwd") })
        }
        Boundary::FileChanged => {
            Payload::FileChanged(FileChanged { path: keys.or_empty("file_path"), change: keys.or_empty("event") })
        }
        Boundary::DirectoryAdded => Payload::DirectoryAdded(DirectoryAdded {
            path: keys.or_empty("directory"),
            source: keys.or_empty("source"),
        }),
        Boundary::WorktreeCreate => Payload::WorktreeCreate(WorktreeCreate { name: keys.or_empty("name") }),
        Boundary::WorktreeRemove => Payload::WorktreeRemove(WorktreeRemove { path: keys.or_empty("worktree_path") }),
        _ => return None,
    })
}

fn prompt(keys: &mut Keys<'_>) -> Prompt {
    let text = keys.or_empty("prompt");
    // The SDK's types name where a prompt comes from; no recorded payload does.
    let source = keys.peek("source").and_then(tools::string);
    let provenance = match source.as_deref() {
        Some("user" | "sdk") => Provenance::User,
        Some("system" | "loop_wakeup" | "schedule_wakeup" | "poll_event") => Provenance::Notification,
        _ if text.starts_with(TASK_NOTIFICATION) => Provenance::Notification,
        _ => Provenance::User,
    };
    Prompt { text, provenance, attachments: Vec::new(), session_title: keys.text("session_title") }
}

fn returned(keys: &mut Keys<'_>) -> Result<Payload, StdinError> {
    let tool = keys.tool()?;
    let raw = keys.raw("tool_response").unwrap_or_else(RawJson::null);
    let kind = tools::result_kind(&tool.call, &raw);
    let raw = (!matches!(kind, ResultKind::Json(_))).then_some(raw);
    let result = ToolResult { raw, ..ToolResult::finished(kind) };
    Ok(Payload::ToolResult(ToolReturned { tool, result, duration_ms: keys.number("duration_ms") }))
}

/// A failure. A shell command that returned with a code above zero ran to an answer, which is a result in core's terms;
/// whether a tool server's error is one cannot be told from the payload.
fn failed(keys: &mut Keys<'_>) -> Result<Payload, StdinError> {
    let tool = keys.tool()?;
    let error = keys.or_empty("error");
    let interrupted = keys.flag("is_interrupt").unwrap_or_default();
    let duration_ms = keys.number("duration_ms");
    if let (Some(_), false, Some((code, output))) = (tool.call.as_shell(), interrupted, exit_code(&error)) {
        let shell = ShellResult { output: output.to_owned(), exit_code: Some(code), ..ShellResult::default() };
        let result = ToolResult::finished(ResultKind::Shell(shell));
        return Ok(Payload::ToolResult(ToolReturned { tool, result, duration_ms }));
    }
    let kind = if interrupted { ToolFailureKind::Cancelled } else { ToolFailureKind::Error };
    Ok(Payload::ToolFailure(ToolFailed { tool, error, kind, duration_ms, cancellation_reason: None }))
}

fn exit_code(error: &str) -> Option<(i32, &str)> {
    let rest = error.strip_prefix(tools::EXIT_CODE)?;
    let (code, output) = rest.split_once('\n').unwrap_or((rest, ""));
    code.parse().ok().filter(|code| *code != 0).map(|code| (code, output))
}

fn batch(keys: &mut Keys<'_>) -> Result<ToolBatch, StdinError> {
    let raw = keys.array("tool_calls").ok_or_else(|| StdinError("the input has no `tool_calls`".to_owned()))?;
    let calls: Vec<&RawValue> = serde_json::from_str(raw.get()).map_err(|error| StdinError(error.to_string()))?;
    let call = |raw: &RawValue| {
        let object = RawObject::parse(raw.get()).map_err(|_| StdinError("a call is no object".to_owned()))?;
        let mut call = Keys { left: object.iter().collect() };
        let response = call.raw("tool_response").unwrap_or_else(RawJson::null);
        Ok(BatchCall { tool: call.tool()?, response })
    };
    Ok(ToolBatch { calls: calls.into_iter().map(call).collect::<Result<_, _>>()? })
}

fn model_switch(keys: &mut Keys<'_>) -> ModelSwitch {
    let (from, to, source) = (keys.or_empty("from_model"), keys.or_empty("to_model"), keys.or_empty("source"));
    let requested = keys.maybe_null("requested_model");
    ModelSwitch { from, to, requested, source, details: keys.rest() }
}

/// The keys of a payload that have not found their place yet. Of a repeated one the last counts.
struct Keys<'a> {
    left: Vec<(&'a str, &'a RawValue)>,
}

impl<'a> Keys<'a> {
    fn peek(&self, key: &str) -> Option<&'a RawValue> {
        self.left.iter().rev().find(|(name, _)| *name == key).map(|(_, raw)| *raw)
    }

    /// Takes a key, if its value is what it must be.
    fn take_if(&mut self, key: &str, fits: impl Fn(&RawValue) -> bool) -> Option<&'a RawValue> {
        let at = self.left.iter().rposition(|(name, _)| *name == key)?;
        let raw = self.left.get(at).map(|(_, raw)| *raw).filter(|raw| fits(raw))?;
        self.left.remove(at);
        // What stands further up was overwritten.
        if self.left.iter().take(at).any(|(name, _)| *name == key) {
            self.left.retain(|(name, _)| *name != key);
        }
        Some(raw)
    }

    /// A value of a kind.
    fn of_kind(&mut self, key: &str, kind: JsonKind) -> Option<&'a RawValue> {
        self.take_if(key, |raw| JsonKind::of(raw) == kind)
    }

    fn text(&mut self, key: &str) -> Option<String> {
        self.of_kind(key, JsonKind::String).and_then(tools::string)
    }

    /// A text that the client always writes; absent when it has none.
    fn not_empty(&mut self, key: &str) -> Option<String> {
        self.text(key).filter(|text| !text.is_empty())
    }

    fn or_empty(&mut self, key: &str) -> String {
        self.text(key).unwrap_or_default()
    }

    /// A text where `null` means none.
    fn maybe_null(&mut self, key: &str) -> Option<String> {
        match self.of_kind(key, JsonKind::Null) {
            Some(_) => None,
            None => self.text(key),
        }
    }

    fn flag(&mut self, key: &str) -> Option<bool> {
        self.of_kind(key, JsonKind::Bool).map(|raw| raw.get() == "true")
    }

    /// A whole number without sign.
    fn number(&mut self, key: &str) -> Option<u64> {
        self.take_if(key, |raw| raw.get().parse::<u64>().is_ok()).and_then(|raw| raw.get().parse().ok())
    }

    fn object(&mut self, key: &str) -> Option<RawJson> {
        self.of_kind(key, JsonKind::Object).map(RawJson::from_raw)
    }

    fn array(&mut self, key: &str) -> Option<RawJson> {
        self.of_kind(key, JsonKind::Array).map(RawJson::from_raw)
    }

    fn raw(&mut self, key: &str) -> Option<RawJson> {
        self.take_if(key, |_| true).map(RawJson::from_raw)
    }

    fn texts(&mut self, key: &str) -> Option<Vec<String>> {
        let texts = |raw: &RawValue| serde_json::from_str::<Vec<String>>(raw.get()).ok();
        self.take_if(key, |raw| texts(raw).is_some()).and_then(texts)
    }

    /// How often hooks made it go on, as far as the payload says: not at all, or at least once.
    fn rounds(&mut self) -> u32 {
        u32::from(self.flag("stop_hook_active").unwrap_or_default())
    }

    fn common(&mut self) -> Common {
        let (id, kind) = (self.text("agent_id"), self.text("agent_type"));
        Common {
            session_id: self.or_empty("session_id"),
            prompt_id: self.text("prompt_id"),
            cwd: self.or_empty("cwd"),
            permission_mode: self.text("permission_mode"),
            effort: self.effort(),
            transcript_path: self.not_empty("transcript_path"),
            agent: (id.is_some() || kind.is_some()).then_some(AgentIdentity { id, kind }),
            scratchpad_dir: self.text("scratchpad_dir"),
            ..Common::default()
        }
    }

    fn effort(&mut self) -> Option<String> {
        let level = RawObject::parse(self.peek("effort")?.get()).ok()?.get("level").and_then(tools::string)?;
        self.take_if("effort", |_| true);
        Some(level)
    }

    fn tool(&mut self) -> Result<ToolUse, StdinError> {
        let lacks = |key: &str| StdinError(format!("the input has no `{key}`"));
        let name = self.text("tool_name").ok_or_else(|| lacks("tool_name"))?;
        let input = self.raw("tool_input").ok_or_else(|| lacks("tool_input"))?;
        let server = self.server();
        let mut call = tools::call_of(&name, input, server.as_ref().map(|(name, _)| name.as_str()));
        if let (ToolAction::Mcp(mcp), Some((_, source))) = (&mut call.action, server) {
            mcp.server_source = source;
            self.take_if("mcp_server", |_| true);
        }
        Ok(ToolUse { id: self.not_empty("tool_use_id"), call })
    }

    fn server(&self) -> Option<(String, Option<String>)> {
        let object = RawObject::parse(self.peek("mcp_server")?.get()).ok()?;
        Some((object.get("name").and_then(tools::string)?, object.get("source").and_then(tools::string)))
    }

    fn task(&mut self) -> Task {
        Task {
            id: self.or_empty("task_id"),
            subject: self.or_empty("task_subject"),
            description: self.text("task_description"),
            teammate: self.text("teammate_name"),
            team: self.text("team_name"),
        }
    }

    fn compaction(&mut self) -> Compaction {
        Compaction {
            trigger: self.text("trigger"),
            instructions: self.maybe_null("custom_instructions"),
            summary: self.text("compact_summary"),
            ..Compaction::default()
        }
    }

    /// What has found no place yet; it has one then.
    fn rest(&mut self) -> BTreeMap<String, RawJson> {
        self.left.drain(..).map(|(key, raw)| (key.to_owned(), RawJson::from_raw(raw))).collect()
    }
}
