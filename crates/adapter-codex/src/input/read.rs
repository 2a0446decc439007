//! Standard input read back into an occurrence: the inverse of what the other modules of this folder write.
//!
//! A hook that cannot read its input fails, and a failed hook lets the action go on. So only what an occurrence cannot
//! be without is demanded: the event's name, the tool's name and input, the prompt. What else is missing is absent; what
//! has another type than the client writes, and what core has no place for, is kept under the vendor's key in
//! [`Common::extra`].

use hooks_core::adapter::StdinError;
use hooks_core::envelope::{
    AgentIdentity, Compaction, Model, ModelRequest, PermissionOrigin, PermissionRequest, Prompt, Provenance,
    SessionEnd, SessionStart, SubagentStart, SubagentStop, ToolReturned, ToolUse, TurnInterrupt, TurnStop,
};
use hooks_core::json::{JsonKind, RawObject};
use hooks_core::tool::{McpResult, ResultKind, ShellResult};
use hooks_core::{Common, Envelope, Payload, RawJson, ToolAction, ToolCall, ToolResult, Version};
use serde_json::value::RawValue;

use super::tool::{NETWORK, REQUEST_PERMISSIONS};
use crate::events::{Event, Kind, find};
use crate::tools;

/// The event and the occurrence that a payload is about.
///
/// # Errors
///
/// What is missing for it to be one, or that it is no JSON object in UTF-8.
pub(crate) fn read(version: Version, stdin: &[u8]) -> Result<(&'static Event, Envelope), StdinError> {
    let text = std::str::from_utf8(stdin).map_err(|error| StdinError(format!("standard input is no UTF-8: {error}")))?;
    let object = RawObject::parse(text).map_err(|error| StdinError(format!("standard input: {error}")))?;
    let mut fields = Fields { object: &object, taken: Vec::with_capacity(16) };
    let name = fields.needed("hook_event_name")?;
    let event = find(&name)
        .filter(|event| event.facts.since <= version)
        .ok_or_else(|| StdinError(format!("Codex {version} has no event `{name}`")))?;
    let mut common = fields.common();
    let payload = fields.payload(event.kind, &mut common)?;
    for (key, raw) in object.iter().filter(|(key, _)| !fields.taken.contains(key)) {
        common.extra.insert(key.to_owned(), RawJson::from_raw(raw));
    }
    Ok((event, Envelope::new(common, payload)))
}

/// The members of a payload while they are read.
struct Fields<'o, 'a> {
    object: &'o RawObject<'a>,
    /// Keys that found a place.
    taken: Vec<&'static str>,
}

impl<'a> Fields<'_, 'a> {
    fn raw(&mut self, key: &'static str) -> Option<&'a RawValue> {
        let raw = self.object.get(key)?;
        self.taken.push(key);
        Some(raw)
    }

    /// A text; `None` for `null` and for an empty one, which stands for what the client does not know.
    fn text(&mut self, key: &'static str) -> Option<String> {
        let raw = self.object.get(key)?;
        if JsonKind::of(raw) == JsonKind::Null {
            self.taken.push(key);
            return None;
        }
        let text = tools::text_of(raw)?.into_owned();
        self.taken.push(key);
        Some(text).filter(|text| !text.is_empty())
    }

    /// A text that may also be empty.
    fn any_text(&mut self, key: &'static str) -> Option<String> {
        let text = self.object.get(key).and_then(tools::text_of)?.into_owned();
        self.taken.push(key);
        Some(text)
    }

    fn needed(&mut self, key: &'static str) -> Result<String, StdinError> {
        self.any_text(key).ok_or_else(|| StdinError(format!("standard input has no text `{key}`")))
    }

    /// A value that is not `null`.
    fn value(&mut self, key: &'static str) -> Option<RawJson> {
        self.raw(key).filter(|raw| JsonKind::of(raw) != JsonKind::Null).map(RawJson::from_raw)
    }

    fn common(&mut self) -> Common {
        Common {
            session_id: self.any_text("session_id").unwrap_or_default(),
            turn_id: self.text("turn_id"),
            cwd: self.any_text("cwd").unwrap_or_default(),
            model: self.text("model").map(|slug| Model { slug, ..Model::default() }),
            permission_mode: self.text("permission_mode"),
            transcript_path: self.text("transcript_path"),
            ..Common::default()
        }
    }

    fn agent(&mut self) -> Option<AgentIdentity> {
        let id = self.text("agent_id")?;
        Some(AgentIdentity { id: Some(id), kind: self.text("agent_type") })
    }

    fn tool(&mut self) -> Result<ToolUse, StdinError> {
        let name = self.needed("tool_name")?;
        let input = self.raw("tool_input").ok_or_else(|| StdinError("standard input has no `tool_input`".to_owned()))?;
        Ok(ToolUse { id: self.text("tool_use_id"), call: tools::call(&name, &RawJson::from_raw(input)) })
    }

    fn payload(&mut self, kind: Kind, common: &mut Common) -> Result<Payload, StdinError> {
        if !matches!(kind, Kind::SubagentStart | Kind::SubagentStop) {
            common.agent = self.agent();
        }
        Ok(match kind {
            Kind::PreToolUse => Payload::ToolBefore(self.tool()?),
            Kind::PermissionRequest => Payload::PermissionRequest(permission(self.tool()?)),
            Kind::PostToolUse => {
                let tool = self.tool()?;
                let result = result(&tool.call, self.raw("tool_response"));
                Payload::ToolResult(ToolReturned { tool, result, duration_ms: None })
            }
            Kind::PreCompact => Payload::CompactBefore(self.compaction()),
            Kind::PostCompact => Payload::CompactAfter(self.compaction()),
            Kind::SessionStart => {
                Payload::SessionStart(SessionStart { source: self.text("source"), ..SessionStart::default() })
            }
            Kind::SessionEnd => {
                Payload::SessionEnd(SessionEnd { reason: self.text("reason"), ..SessionEnd::default() })
            }
            Kind::UserPromptSubmit => {
                // A subagent's prompt is told from a person's by its agent only (section 15).
                let provenance = if common.agent.is_some() { Provenance::Subagent } else { Provenance::User };
                Payload::PromptSubmit(Prompt { text: self.needed("prompt")?, provenance, ..Prompt::default() })
            }
            Kind::SubagentStart => Payload::SubagentStart(SubagentStart {
                id: self.text("agent_id"),
                kind: self.text("agent_type"),
                ..SubagentStart::default()
            }),
            Kind::SubagentStop => Payload::SubagentStop(SubagentStop {
                id: self.text("agent_id"),
                kind: self.text("agent_type"),
                transcript_path: self.text("agent_transcript_path"),
                loop_count: self.rounds(),
                last_message: self.any_text_or_null("last_assistant_message"),
                ..SubagentStop::default()
            }),
            Kind::Stop => Payload::TurnStop(TurnStop {
                loop_count: self.rounds(),
                last_message: self.any_text_or_null("last_assistant_message"),
                ..TurnStop::default()
            }),
            Kind::Interrupt => Payload::TurnInterrupt(TurnInterrupt),
            Kind::PreModelRequest => Payload::ModelRequestBefore(self.request()),
            Kind::PostModelRequest => Payload::ModelRequestAfter(ModelRequest {
                status: self.text("status"),
                error: self.value("error"),
                token_usage: self.value("token_usage"),
                response_id: self.text("response_id"),
                ..self.request()
            }),
        })
    }

    /// A text that may be empty; `null` is none.
    fn any_text_or_null(&mut self, key: &'static str) -> Option<String> {
        match self.object.get(key).map(JsonKind::of)? {
            JsonKind::Null => {
                self.taken.push(key);
                None
            }
            _ => self.any_text(key),
        }
    }

    fn compaction(&mut self) -> Compaction {
        Compaction { trigger: self.text("trigger"), ..Compaction::default() }
    }

    /// How often hooks made it go on, as far as the payload says: not at all, or at least once.
    fn rounds(&mut self) -> u32 {
        const KEY: &str = "stop_hook_active";
        match self.object.get(KEY).map(RawValue::get) {
            Some(word @ ("true" | "false")) => {
                self.taken.push(KEY);
                u32::from(word == "true")
            }
            _ => 0,
        }
    }

    fn request(&mut self) -> ModelRequest {
        const ATTEMPT: &str = "attempt_number";
        let attempt = self.object.get(ATTEMPT).and_then(|raw| raw.get().parse().ok());
        if attempt.is_some() {
            self.taken.push(ATTEMPT);
        }
        ModelRequest {
            kind: self.any_text("kind").unwrap_or_default(),
            request_id: self.any_text("request_id").unwrap_or_default(),
            attempt: attempt.unwrap_or_default(),
            thread_id: self.text("thread_id"),
            ..ModelRequest::default()
        }
    }
}

/// A permission request: where it comes from and why stand in the input itself (section 14).
fn permission(tool: ToolUse) -> PermissionRequest {
    let why = match &tool.call.action {
        ToolAction::Shell(_) => tool.call.raw.as_ref().and_then(|input| tools::text_member(input, "description")),
        _ => None,
    };
    let origin = match &tool.call.action {
        ToolAction::Mcp(_) => PermissionOrigin::Mcp,
        ToolAction::Other(other) if other.name == REQUEST_PERMISSIONS => PermissionOrigin::Escalation,
        _ if why.as_ref().is_some_and(|why| why.starts_with(NETWORK)) => PermissionOrigin::Network,
        _ => PermissionOrigin::Tool,
    };
    let justification = match (origin, why) {
        (PermissionOrigin::Network, Some(why)) => why.strip_prefix(NETWORK).map(str::to_owned),
        (_, why) => why,
    };
    PermissionRequest { tool, origin, justification, suggestions: None }
}

/// A tool's result by the kind of its call. The client fires only for calls that ended, in its sense, in success.
fn result(call: &ToolCall, response: Option<&RawValue>) -> ToolResult {
    let Some(response) = response else { return ToolResult::finished(ResultKind::Empty) };
    let raw = RawJson::from_raw(response);
    let kind = match (&call.action, tools::text_of(response)) {
        (ToolAction::Shell(_), Some(text)) => {
            ResultKind::Shell(ShellResult { output: text.into_owned(), ..ShellResult::default() })
        }
        (ToolAction::Mcp(_), _) => {
            let is_error = raw.as_object().is_some_and(|object| {
                object.get("isError").is_some_and(|is_error| is_error.get() == "true")
            });
            ResultKind::Mcp(McpResult { result: raw.clone(), is_error })
        }
        // The text of a function tool may itself hold JSON; it stays the string it was.
        (ToolAction::Other(_), _) | (_, None) => ResultKind::Json(raw.clone()),
        (_, Some(text)) => ResultKind::Text(text.into_owned()),
    };
    ToolResult { raw: Some(raw), ..ToolResult::finished(kind) }
}
