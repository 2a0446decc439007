//! Standard input read back into an occurrence: the inverse of what the other modules of this folder write.
//!
//! A hook that cannot read its input fails, and a failed hook lets the action go on. So only what an occurrence cannot
//! be without is demanded: the event's name, the tool's name and input, the prompt. What else is missing is absent; what
//! has another type than the client writes, and what core has no place for, is kept under the vendor's key in
//! [`Common::extra`].

use std::borrow::Cow;
use std::fmt;

use hooks_core::adapter::StdinError;
use hooks_core::envelope::{
    AgentIdentity, Compaction, Model, ModelRequest, PermissionOrigin, PermissionRequest, Prompt, Provenance,
    SessionEnd, SessionStart, SubagentStart, SubagentStop, ToolReturned, ToolUse, TurnInterrupt, TurnStop,
};
use hooks_core::json::{JsonKind, RawObject};
use hooks_core::tool::{McpResult, ResultKind, ShellResult};
use hooks_core::{Common, Envelope, Payload, RawJson, ToolAction, ToolCall, ToolResult, Version};
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, Visitor};
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
    let text =
        std::str::from_utf8(stdin).map_err(|error| StdinError(format!("standard input is no UTF-8: {error}")))?;
    let members = Members::parse(text).map_err(|error| StdinError(format!("standard input: {error}")))?;
    let mut fields = Fields(members.0);
    let name = fields.needed("hook_event_name")?;
    let event = find(&name)
        .filter(|event| event.facts.since <= version)
        .ok_or_else(|| StdinError(format!("Codex {version} has no event `{name}`")))?;
    let mut common = fields.common();
    let payload = fields.payload(event.kind, &mut common)?;
    if fields.0.iter().any(|(_, member)| !member.is_taken()) {
        let taken: Vec<&str> =
            fields.0.iter().filter_map(|(key, member)| member.is_taken().then_some(&**key)).collect();
        for (key, member) in fields.0.iter().filter(|(key, _)| !taken.contains(&&**key)) {
            if let Some(raw) = member.to_raw() {
                common.extra.insert(key.clone().into_owned(), raw);
            }
        }
    }
    Ok((event, Envelope::new(common, payload)))
}

/// The members of a payload while they are read. What found a place is taken.
struct Fields<'a>(Vec<(Cow<'a, str>, Member<'a>)>);

impl<'a> Fields<'a> {
    /// The value of a key: the last one, where it is repeated.
    fn take(&mut self, key: &str) -> Option<Member<'a>> {
        let (_, member) = self.0.iter_mut().rev().find(|(name, _)| name == key)?;
        match std::mem::replace(member, Member::Taken) {
            Member::Taken => None,
            member => Some(member),
        }
    }

    /// Puts back what is of another type than the client writes.
    fn put_back<T>(&mut self, key: &str, member: Member<'a>) -> Option<T> {
        if let Some((_, place)) = self.0.iter_mut().rev().find(|(name, _)| name == key) {
            *place = member;
        }
        None
    }

    /// A text; `None` for `null` and for an empty one, which stands for what the client does not know.
    fn text(&mut self, key: &str) -> Option<String> {
        self.any_text(key).filter(|text| !text.is_empty())
    }

    /// A text that may also be empty; `null` is none.
    fn any_text(&mut self, key: &str) -> Option<String> {
        match self.take(key)? {
            Member::Text(text) => Some(text.into_owned()),
            Member::Null => None,
            member => self.put_back(key, member),
        }
    }

    fn needed(&mut self, key: &str) -> Result<Cow<'a, str>, StdinError> {
        match self.take(key) {
            Some(Member::Text(text)) => Ok(text),
            _ => Err(StdinError(format!("standard input has no text `{key}`"))),
        }
    }

    /// A value that is not `null`.
    fn value(&mut self, key: &str) -> Option<RawJson> {
        match self.take(key)? {
            Member::Null => None,
            member => member.to_raw(),
        }
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
        let input =
            self.take("tool_input").ok_or_else(|| StdinError("standard input has no `tool_input`".to_owned()))?;
        let call = match input {
            Member::Command(command) => tools::command_call(&name, command),
            Member::Null => tools::call(&name, &RawJson::null()),
            input => {
                let input = input.to_raw().unwrap_or_else(RawJson::null);
                match tools::command_alone(&input).filter(|_| tools::takes_command(&name)) {
                    Some(command) => tools::command_call(&name, command),
                    None => tools::call(&name, &input),
                }
            }
        };
        Ok(ToolUse { id: self.text("tool_use_id"), call })
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
                let result = result(&tool.call, self.take("tool_response"));
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
                Payload::PromptSubmit(Prompt {
                    text: self.needed("prompt")?.into_owned(),
                    provenance,
                    ..Prompt::default()
                })
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
                last_message: self.any_text("last_assistant_message"),
                ..SubagentStop::default()
            }),
            Kind::Stop => Payload::TurnStop(TurnStop {
                loop_count: self.rounds(),
                last_message: self.any_text("last_assistant_message"),
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

    fn compaction(&mut self) -> Compaction {
        Compaction { trigger: self.text("trigger"), ..Compaction::default() }
    }

    /// How often hooks made it go on, as far as the payload says: not at all, or at least once.
    fn rounds(&mut self) -> u32 {
        const KEY: &str = "stop_hook_active";
        match self.take(KEY) {
            Some(Member::Raw(raw)) if matches!(raw.get(), "true" | "false") => u32::from(raw.get() == "true"),
            Some(member) => self.put_back(KEY, member).unwrap_or_default(),
            None => 0,
        }
    }

    fn request(&mut self) -> ModelRequest {
        const ATTEMPT: &str = "attempt_number";
        let attempt = match self.take(ATTEMPT) {
            Some(Member::Raw(raw)) if raw.get().parse::<u64>().is_ok() => raw.get().parse().unwrap_or_default(),
            Some(member) => self.put_back(ATTEMPT, member).unwrap_or_default(),
            None => 0,
        };
        ModelRequest {
            kind: self.any_text("kind").unwrap_or_default(),
            request_id: self.any_text("request_id").unwrap_or_default(),
            attempt,
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
fn result(call: &ToolCall, response: Option<Member<'_>>) -> ToolResult {
    let kind = match (&call.action, response) {
        (_, None) => ResultKind::Empty,
        (ToolAction::Shell(_), Some(Member::Text(text))) => {
            ResultKind::Shell(ShellResult { output: text.into_owned(), ..ShellResult::default() })
        }
        // The text of a function tool may itself hold JSON; it stays the string it was.
        (ToolAction::Mcp(_) | ToolAction::Other(_), Some(member)) => {
            let raw = member.to_raw().unwrap_or_else(RawJson::null);
            if !matches!(call.action, ToolAction::Mcp(_)) {
                return ToolResult::finished(ResultKind::Json(raw));
            }
            let is_error = raw
                .as_object()
                .is_some_and(|object| object.get("isError").is_some_and(|is_error| is_error.get() == "true"));
            ResultKind::Mcp(McpResult { result: raw, is_error })
        }
        (_, Some(Member::Text(text))) => ResultKind::Text(text.into_owned()),
        (_, Some(member)) => ResultKind::Json(member.to_raw().unwrap_or_else(RawJson::null)),
    };
    ToolResult::finished(kind)
}

/// One value of a payload, read as far as is known to be wanted.
enum Member<'a> {
    /// It found a place.
    Taken,
    Null,
    Text(Cow<'a, str>),
    /// The input of a shell command or a patch with nothing in it but that.
    Command(String),
    Raw(&'a RawValue),
}

impl Member<'_> {
    const fn is_taken(&self) -> bool {
        matches!(self, Self::Taken)
    }

    fn to_raw(&self) -> Option<RawJson> {
        match self {
            Self::Taken => None,
            Self::Null => Some(RawJson::null()),
            Self::Text(text) => Some(RawJson::string(text)),
            Self::Command(command) => Some(tools::command_input(command)),
            Self::Raw(raw) => Some(RawJson::from_raw(raw)),
        }
    }
}

/// The members of a payload in one pass: texts are read at once, everything else stays raw.
struct Members<'a>(Vec<(Cow<'a, str>, Member<'a>)>);

impl<'a> Members<'a> {
    fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        if let Ok(members) = serde_json::from_str::<Self>(text) {
            return Ok(members);
        }
        // Something in it is not as the client writes it: value by value, then.
        let object = RawObject::parse(text)?;
        let member = |raw: &'a RawValue| match (JsonKind::of(raw), tools::text_of(raw)) {
            (JsonKind::Null, _) => Member::Null,
            (_, Some(text)) => Member::Text(text),
            (_, None) => Member::Raw(raw),
        };
        let members = object.iter().map(|(key, raw)| (Cow::Owned(key.to_owned()), member(raw)));
        Ok(Self(members.collect()))
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Payload;
        impl<'de> Visitor<'de> for Payload {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a payload")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members: Vec<(Cow<'de, str>, Member<'de>)> = Vec::with_capacity(16);
                // Whether the call is one whose input is a command and whose result is a text.
                let mut texts = false;
                while let Some(key) = map.next_key_seed(TextSeed)? {
                    let member = match key.as_ref() {
                        "tool_input" if texts => Member::Command(map.next_value_seed(CommandSeed)?),
                        "tool_response" if texts => Member::Text(map.next_value_seed(TextSeed)?),
                        // The client writes the name before the input.
                        "tool_name" => {
                            let name = map.next_value_seed(TextSeed)?;
                            texts = tools::takes_command(&name);
                            Member::Text(name)
                        }
                        "transcript_path" | "agent_transcript_path" | "last_assistant_message" => {
                            map.next_value_seed(NullableSeed)?.map_or(Member::Null, Member::Text)
                        }
                        key if is_text(key) => Member::Text(map.next_value_seed(TextSeed)?),
                        _ => match map.next_value::<&'de RawValue>()? {
                            raw if raw.get() == "null" => Member::Null,
                            raw => tools::text_of(raw).map_or(Member::Raw(raw), Member::Text),
                        },
                    };
                    members.push((key, member));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Payload)
    }
}

/// Whether a key's value is always a text.
fn is_text(key: &str) -> bool {
    matches!(
        key,
        "session_id"
            | "turn_id"
            | "agent_id"
            | "agent_type"
            | "cwd"
            | "hook_event_name"
            | "model"
            | "permission_mode"
            | "tool_use_id"
            | "prompt"
            | "source"
            | "trigger"
            | "reason"
            | "request_id"
            | "thread_id"
    )
}

/// A text, borrowed where it holds no escape.
struct TextSeed;

impl<'de> DeserializeSeed<'de> for TextSeed {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for TextSeed {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

/// A text or `null`.
struct NullableSeed;

impl<'de> DeserializeSeed<'de> for NullableSeed {
    type Value = Option<Cow<'de, str>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for NullableSeed {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or null")
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        TextSeed.deserialize(deserializer).map(Some)
    }
}

/// An input that is a command and nothing else.
struct CommandSeed;

impl<'de> DeserializeSeed<'de> for CommandSeed {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for CommandSeed {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a command")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let other = || de::Error::custom("more than a command");
        let key = map.next_key_seed(TextSeed)?.ok_or_else(other)?;
        if key != tools::COMMAND {
            return Err(other());
        }
        let command = map.next_value_seed(TextSeed)?.into_owned();
        match map.next_key_seed(TextSeed)? {
            Some(_) => Err(other()),
            None => Ok(command),
        }
    }
}
