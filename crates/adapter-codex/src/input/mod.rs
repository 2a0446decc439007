//! Standard input (section 14): one struct an event, keys in the order the client writes them. Optional keys are left
//! out, never null; nullable ones always stand there. One JSON object, no newline at its end.

pub(crate) use compact::trigger;
pub(crate) use read::read;

mod compact;
mod model;
pub(crate) mod placeholders;
mod read;
mod session;
mod tool;
mod turn;

use hooks_core::facts::{EventFacts, SubjectFact};
use hooks_core::{Envelope, NotRun, Payload, Version};
use serde::Serialize;

use crate::events::{Event, Kind, changed};

/// What several payloads take from the envelope. A required text that the host does not know is empty.
struct Known<'e> {
    session_id: &'e str,
    turn_id: &'e str,
    agent: Option<Agent<'e>>,
    transcript_path: Option<&'e str>,
    cwd: &'e str,
    hook_event_name: &'static str,
    model: &'e str,
    permission_mode: &'static str,
}

/// The agent, only inside a subagent.
#[derive(Clone, Copy)]
struct Agent<'e> {
    id: &'e str,
    kind: &'e str,
}

/// The agent type when none was chosen (section 8.2).
pub(crate) const DEFAULT_AGENT: &str = "default";

impl<'e> Known<'e> {
    fn of(event: &'static Event, envelope: &'e Envelope) -> Self {
        let common = &envelope.common;
        let agent = common.agent.as_ref().and_then(|agent| {
            let kind = agent.kind.as_deref().unwrap_or(DEFAULT_AGENT);
            Some(Agent { id: agent.id.as_deref()?, kind })
        });
        Self {
            session_id: &common.session_id,
            turn_id: common.turn_id.as_deref().unwrap_or_default(),
            agent,
            transcript_path: common.transcript_path.as_deref(),
            cwd: &common.cwd,
            hook_event_name: event.facts.name,
            model: common.model.as_ref().map_or("", |model| &model.slug),
            permission_mode: permission_mode(common.permission_mode.as_deref()),
        }
    }

    fn agent_id(&self) -> Option<&'e str> {
        self.agent.map(|agent| agent.id)
    }

    fn agent_type(&self) -> Option<&'e str> {
        self.agent.map(|agent| agent.kind)
    }
}

/// The permission modes that the vendor's input schemas list (section 14).
#[cfg(feature = "schema")]
pub(crate) const PERMISSION_MODES: [&str; 5] = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"];

/// The client says `bypassPermissions` when nobody is ever asked, and else `default`, whatever its schema allows
/// (section 14; observed, plan mode included).
fn permission_mode(mode: Option<&str>) -> &'static str {
    match mode {
        Some("bypassPermissions" | "never") => "bypassPermissions",
        _ => "default",
    }
}

/// The word for how a session starts, as the version writes it. The vendor has no others, so that another host's is none.
pub(crate) fn session_source<'e>(facts: &EventFacts, source: Option<&'e str>, version: Version) -> &'e str {
    match source {
        Some("fork") if changed::FORK.at(version) != Some(true) => "startup",
        Some(source) if is_word(facts, source) => source,
        _ => "startup",
    }
}

/// Whether a word is one of those that the event's matchers are tested against.
fn is_word(facts: &EventFacts, word: &str) -> bool {
    matches!(facts.subject, SubjectFact::Field { values, .. } if values.contains(&word))
}

/// Writes an event's payload.
pub(crate) fn write(
    event: &'static Event,
    version: Version,
    envelope: &Envelope,
    stdin: &mut Vec<u8>,
) -> Result<(), NotRun> {
    let known = Known::of(event, envelope);
    match (event.kind, &envelope.payload) {
        (Kind::PreToolUse, Payload::ToolBefore(use_)) => put(stdin, &tool::PreToolUse::of(&known, use_)),
        (Kind::PermissionRequest, Payload::PermissionRequest(request)) => {
            put(stdin, &tool::PermissionRequest::of(&known, request))
        }
        (Kind::PostToolUse, Payload::ToolResult(returned)) => put(stdin, &tool::PostToolUse::of(&known, returned)),
        (Kind::PreCompact, Payload::CompactBefore(compaction)) => {
            put(stdin, &compact::PreCompact::of(&known, trigger(&event.facts, compaction)))
        }
        (Kind::PostCompact, Payload::CompactAfter(compaction)) => {
            put(stdin, &compact::PostCompact::of(&known, trigger(&event.facts, compaction)))
        }
        (Kind::SessionStart, Payload::SessionStart(start)) => {
            let source = session_source(&event.facts, start.source.as_deref(), version);
            put(stdin, &session::SessionStart::of(&known, source))
        }
        (Kind::SessionEnd, Payload::SessionEnd(_)) => put(stdin, &session::SessionEnd::of(&known, event)),
        (Kind::UserPromptSubmit, Payload::PromptSubmit(prompt)) => {
            put(stdin, &turn::UserPromptSubmit::of(&known, prompt))
        }
        (Kind::SubagentStart, Payload::SubagentStart(start)) => put(stdin, &session::SubagentStart::of(&known, start)),
        (Kind::SubagentStop, Payload::SubagentStop(stop)) => put(stdin, &turn::SubagentStop::of(&known, stop)),
        (Kind::Stop, Payload::TurnStop(stop)) => put(stdin, &turn::Stop::of(&known, stop)),
        (Kind::Interrupt, Payload::TurnInterrupt(_)) => put(stdin, &turn::Interrupt::of(&known)),
        (Kind::PreModelRequest, Payload::ModelRequestBefore(request)) => {
            put(stdin, &model::PreModelRequest::of(&known, request))
        }
        (Kind::PostModelRequest, Payload::ModelRequestAfter(request)) => {
            put(stdin, &model::PostModelRequest::of(&known, request))
        }
        _ => {
            let (name, boundary) = (event.facts.name, envelope.boundary());
            Err(NotRun(format!("{name} is not fired on {boundary}")))
        }
    }
}

fn put<T: Serialize>(stdin: &mut Vec<u8>, payload: &T) -> Result<(), NotRun> {
    serde_json::to_writer(stdin, payload).map_err(|error| NotRun(format!("its input cannot be written: {error}")))
}

/// The schema of an event's payload, as far as the type goes that is written for it.
#[cfg(feature = "schema")]
pub(crate) fn schema(kind: Kind) -> schemars::Schema {
    use hooks_core::schema::written;
    match kind {
        Kind::PreModelRequest => written::<model::PreModelRequest<'_>>(),
        Kind::PostModelRequest => written::<model::PostModelRequest<'_>>(),
        Kind::PreToolUse => written::<tool::PreToolUse<'_>>(),
        Kind::PermissionRequest => written::<tool::PermissionRequest<'_>>(),
        Kind::PostToolUse => written::<tool::PostToolUse<'_>>(),
        Kind::PreCompact => written::<compact::PreCompact<'_>>(),
        Kind::PostCompact => written::<compact::PostCompact<'_>>(),
        Kind::SessionStart => written::<session::SessionStart<'_>>(),
        Kind::SessionEnd => written::<session::SessionEnd<'_>>(),
        Kind::UserPromptSubmit => written::<turn::UserPromptSubmit<'_>>(),
        Kind::SubagentStart => written::<session::SubagentStart<'_>>(),
        Kind::SubagentStop => written::<turn::SubagentStop<'_>>(),
        Kind::Stop => written::<turn::Stop<'_>>(),
        Kind::Interrupt => written::<turn::Interrupt<'_>>(),
    }
}
