//! Payloads of the events of a session's and a subagent's start and end.

use hooks_core::envelope;
use hooks_core::facts::SubjectFact;
use serde::Serialize;

use super::{DEFAULT_AGENT, Known};
use crate::events::Event;

/// No `turn_id`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct SessionStart<'e> {
    session_id: &'e str,
    transcript_path: Option<&'e str>,
    cwd: &'e str,
    hook_event_name: &'static str,
    model: &'e str,
    permission_mode: &'static str,
    source: &'e str,
}

impl<'e> SessionStart<'e> {
    pub(super) fn of(known: &Known<'e>, source: &'e str) -> Self {
        Self {
            session_id: known.session_id,
            transcript_path: known.transcript_path,
            cwd: known.cwd,
            hook_event_name: known.hook_event_name,
            model: known.model,
            permission_mode: known.permission_mode,
            source,
        }
    }
}

/// No `turn_id`, `model` or `permission_mode`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct SessionEnd<'e> {
    session_id: &'e str,
    transcript_path: Option<&'e str>,
    cwd: &'e str,
    hook_event_name: &'static str,
    reason: &'static str,
}

impl<'e> SessionEnd<'e> {
    pub(super) fn of(known: &Known<'e>, event: &'static Event) -> Self {
        // The client knows one reason only, whatever the host's was.
        let reason = match event.facts.subject {
            SubjectFact::Word(word) => word,
            _ => "",
        };
        Self {
            session_id: known.session_id,
            transcript_path: known.transcript_path,
            cwd: known.cwd,
            hook_event_name: known.hook_event_name,
            reason,
        }
    }
}

/// `agent_id` and `agent_type` always stand there, at the end.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct SubagentStart<'e> {
    session_id: &'e str,
    turn_id: &'e str,
    transcript_path: Option<&'e str>,
    cwd: &'e str,
    hook_event_name: &'static str,
    model: &'e str,
    permission_mode: &'static str,
    agent_id: &'e str,
    agent_type: &'e str,
}

impl<'e> SubagentStart<'e> {
    pub(super) fn of(known: &Known<'e>, start: &'e envelope::SubagentStart) -> Self {
        Self {
            session_id: known.session_id,
            turn_id: known.turn_id,
            transcript_path: known.transcript_path,
            cwd: known.cwd,
            hook_event_name: known.hook_event_name,
            model: start.model.as_deref().unwrap_or(known.model),
            permission_mode: known.permission_mode,
            agent_id: start.id.as_deref().or(known.agent_id()).unwrap_or_default(),
            agent_type: start.kind.as_deref().or(known.agent_type()).unwrap_or(DEFAULT_AGENT),
        }
    }
}
