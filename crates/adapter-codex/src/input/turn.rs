//! Payloads of the events of a turn: its prompt, its end, a subagent's end, and its interruption.

use hooks_core::envelope::{self, Prompt, TurnStop};
use serde::Serialize;

use super::{DEFAULT_AGENT, Known};

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct UserPromptSubmit<'e> {
    session_id: &'e str,
    turn_id: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_type: Option<&'e str>,
    transcript_path: Option<&'e str>,
    cwd: &'e str,
    hook_event_name: &'static str,
    model: &'e str,
    permission_mode: &'static str,
    prompt: &'e str,
}

impl<'e> UserPromptSubmit<'e> {
    pub(super) fn of(known: &Known<'e>, prompt: &'e Prompt) -> Self {
        Self {
            session_id: known.session_id,
            turn_id: known.turn_id,
            agent_id: known.agent_id(),
            agent_type: known.agent_type(),
            transcript_path: known.transcript_path,
            cwd: known.cwd,
            hook_event_name: known.hook_event_name,
            model: known.model,
            permission_mode: known.permission_mode,
            prompt: &prompt.text,
        }
    }
}

/// `transcript_path` is the parent's, `agent_transcript_path` the child's.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct SubagentStop<'e> {
    session_id: &'e str,
    turn_id: &'e str,
    transcript_path: Option<&'e str>,
    agent_transcript_path: Option<&'e str>,
    cwd: &'e str,
    hook_event_name: &'static str,
    model: &'e str,
    permission_mode: &'static str,
    stop_hook_active: bool,
    agent_id: &'e str,
    agent_type: &'e str,
    last_assistant_message: Option<&'e str>,
}

impl<'e> SubagentStop<'e> {
    pub(super) fn of(known: &Known<'e>, stop: &'e envelope::SubagentStop) -> Self {
        Self {
            session_id: known.session_id,
            turn_id: known.turn_id,
            transcript_path: known.transcript_path,
            agent_transcript_path: stop.transcript_path.as_deref(),
            cwd: known.cwd,
            hook_event_name: known.hook_event_name,
            model: known.model,
            permission_mode: known.permission_mode,
            stop_hook_active: stop.loop_count > 0,
            agent_id: stop.id.as_deref().or(known.agent_id()).unwrap_or_default(),
            agent_type: stop.kind.as_deref().or(known.agent_type()).unwrap_or(DEFAULT_AGENT),
            last_assistant_message: stop.last_message.as_deref(),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Stop<'e> {
    session_id: &'e str,
    turn_id: &'e str,
    transcript_path: Option<&'e str>,
    cwd: &'e str,
    hook_event_name: &'static str,
    model: &'e str,
    permission_mode: &'static str,
    stop_hook_active: bool,
    last_assistant_message: Option<&'e str>,
}

impl<'e> Stop<'e> {
    pub(super) fn of(known: &Known<'e>, stop: &'e TurnStop) -> Self {
        Self {
            session_id: known.session_id,
            turn_id: known.turn_id,
            transcript_path: known.transcript_path,
            cwd: known.cwd,
            hook_event_name: known.hook_event_name,
            model: known.model,
            permission_mode: known.permission_mode,
            stop_hook_active: stop.loop_count > 0,
            last_assistant_message: stop.last_message.as_deref(),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Interrupt<'e> {
    session_id: &'e str,
    turn_id: &'e str,
    transcript_path: Option<&'e str>,
    cwd: &'e str,
    hook_event_name: &'static str,
    model: &'e str,
    permission_mode: &'static str,
}

impl<'e> Interrupt<'e> {
    pub(super) fn of(known: &Known<'e>) -> Self {
        Self {
            session_id: known.session_id,
            turn_id: known.turn_id,
            transcript_path: known.transcript_path,
            cwd: known.cwd,
            hook_event_name: known.hook_event_name,
            model: known.model,
            permission_mode: known.permission_mode,
        }
    }
}
