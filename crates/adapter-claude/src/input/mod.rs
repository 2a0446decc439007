//! The standard input of a hook: one JSON object, its common keys first, without a line end.
//!
//! Keys, types and order are those of the payloads recorded from 2.1.332. The recorded payloads always have
//! `transcript_path` and, on the events that carry it, `permission_mode`; a host that has none writes an empty text and
//! `default`, so that a hook finds the keys it was written for.

pub(crate) mod other;
pub(crate) mod prompt;
mod read;
pub(crate) mod session;
pub(crate) mod tool;

use hooks_core::boundary::Boundary;
use hooks_core::envelope::{Common, Envelope, Payload};
use hooks_core::outcome::NotRun;
use hooks_core::vendor::Version;
use serde::Serialize;

use crate::events::{Event, SCRATCHPAD_KEY};

pub(crate) use self::read::read;

/// The keys that every event has, in the order the client writes them.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Stdin<'a, T: Serialize> {
    /// The session's id.
    session_id: &'a str,
    /// The file of the conversation, in JSON lines. It may lag behind; a host that keeps none writes an empty text.
    transcript_path: &'a str,
    /// The working directory, which is also the hook's.
    cwd: &'a str,
    /// The id of the user's input that this follows from. Absent before the first one. Since client 2.1.196.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_id: Option<&'a str>,
    /// A folder for scratch files. Absent where the session has none. Since client 2.1.257.
    #[serde(skip_serializing_if = "Option::is_none")]
    scratchpad_dir: Option<&'a str>,
    /// How permissions are handled.
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_mode: Option<&'a str>,
    /// The subagent's id. Absent outside of subagents.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<&'a str>,
    /// The agent's type: inside a subagent, or, without `agent_id`, in a session that was started as an agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_type: Option<&'a str>,
    /// The effort of the model. Absent for models that know none. Since client 2.1.133.
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<Effort<'a>>,
    /// The event's name.
    hook_event_name: &'a str,
    #[serde(flatten)]
    event: T,
}

/// The effort of the model.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Effort<'a> {
    /// The level.
    level: &'a str,
}

/// What is known of one writing: where to, for which event and client.
struct Writer<'a> {
    stdin: &'a mut Vec<u8>,
    event: &'a Event,
    common: &'a Common,
    version: Version,
}

type Written = Result<(), NotRun>;

impl Writer<'_> {
    /// Writes the common keys and the event's own.
    fn write(self, event: impl Serialize) -> Written {
        let agent = self.common.agent.as_ref();
        let id = agent.and_then(|agent| agent.id.as_deref());
        let kind = agent.and_then(|agent| agent.kind.as_deref());
        self.write_as(id, kind, event)
    }

    /// The same, for an agent other than the one it happens in.
    fn write_as(self, agent_id: Option<&str>, agent_type: Option<&str>, event: impl Serialize) -> Written {
        let common = self.common;
        let stdin = Stdin {
            session_id: &common.session_id,
            transcript_path: common.transcript_path.as_deref().unwrap_or_default(),
            cwd: &common.cwd,
            prompt_id: common.prompt_id.as_deref(),
            scratchpad_dir: common.scratchpad_dir.as_deref().filter(|_| SCRATCHPAD_KEY.at(self.version) == Some(true)),
            permission_mode: self.event.permission_mode.then(|| common.permission_mode.as_deref().unwrap_or("default")),
            agent_id,
            agent_type,
            effort: common.effort.as_deref().filter(|_| self.event.effort).map(|level| Effort { level }),
            hook_event_name: self.event.facts.name,
            event,
        };
        serde_json::to_writer(self.stdin, &stdin)
            .map_err(|error| NotRun(format!("its input has no JSON form: {error}")))
    }
}

/// Writes the standard input of an event.
///
/// # Errors
///
/// [`NotRun`] when the occurrence is not one of the event.
pub(crate) fn write(event: &Event, envelope: &Envelope, version: Version, stdin: &mut Vec<u8>) -> Written {
    if !event.is_on(envelope.boundary()) {
        return Err(NotRun(format!("{} does not happen on {}", event.facts.name, envelope.boundary())));
    }
    let writer = Writer { stdin, event, common: &envelope.common, version };
    match &envelope.payload {
        Payload::ToolBefore(tool) => tool::before(writer, tool),
        Payload::PermissionRequest(request) => tool::permission(writer, request),
        Payload::PermissionDenied(denied) => tool::denied(writer, denied),
        Payload::ToolResult(returned) if event.facts.boundary != Some(Boundary::ToolResult) => {
            tool::returned_failure(writer, returned)
        }
        Payload::ToolResult(returned) => tool::returned(writer, returned),
        Payload::ToolFailure(failed) => tool::failed(writer, failed),
        Payload::ToolBatch(batch) => tool::batch(writer, batch),
        Payload::SkillShellCommand(command) => tool::skill_command(writer, command),
        Payload::PromptSubmit(submitted) => prompt::submit(writer, submitted),
        Payload::PromptExpansion(expansion) => prompt::expansion(writer, expansion),
        Payload::TurnStop(stop) => prompt::stop(writer, stop),
        Payload::TurnFailure(failure) => prompt::failure(writer, failure),
        Payload::Display(display) => prompt::display(writer, display),
        Payload::SubagentStart(start) => session::subagent_start(writer, start),
        Payload::SubagentStop(stop) => session::subagent_stop(writer, stop),
        Payload::SessionStart(start) => session::start(writer, start),
        Payload::SessionEnd(end) => session::end(writer, end),
        Payload::Setup(setup) => session::setup(writer, setup),
        Payload::CompactBefore(compaction) => session::compact_before(writer, compaction),
        Payload::CompactAfter(compaction) => session::compact_after(writer, compaction),
        Payload::ModelSwitchBefore(switch) | Payload::ModelSwitchAfter(switch) => session::model_switch(writer, switch),
        payload => other::write(writer, payload),
    }
}
