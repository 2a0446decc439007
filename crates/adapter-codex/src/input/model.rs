//! Payloads of the two undocumented events around a model request (observed, client 0.171.0).

use hooks_core::RawJson;
use hooks_core::envelope::ModelRequest;
use serde::Serialize;

use super::Known;

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PreModelRequest<'e> {
    kind: &'e str,
    request_id: &'e str,
    attempt_number: u64,
    session_id: &'e str,
    thread_id: &'e str,
    turn_id: &'e str,
    cwd: &'e str,
    transcript_path: Option<&'e str>,
    model: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_type: Option<&'e str>,
    hook_event_name: &'static str,
}

impl<'e> PreModelRequest<'e> {
    pub(super) fn of(known: &Known<'e>, request: &'e ModelRequest) -> Self {
        Self {
            kind: &request.kind,
            request_id: &request.request_id,
            attempt_number: request.attempt,
            session_id: known.session_id,
            thread_id: thread(known, request),
            turn_id: known.turn_id,
            cwd: known.cwd,
            transcript_path: known.transcript_path,
            model: known.model,
            agent_id: known.agent_id(),
            agent_type: known.agent_type(),
            hook_event_name: known.hook_event_name,
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PostModelRequest<'e> {
    kind: &'e str,
    request_id: &'e str,
    attempt_number: u64,
    session_id: &'e str,
    thread_id: &'e str,
    turn_id: &'e str,
    cwd: &'e str,
    transcript_path: Option<&'e str>,
    model: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_type: Option<&'e str>,
    hook_event_name: &'static str,
    status: &'e str,
    error: Option<&'e RawJson>,
    token_usage: Option<&'e RawJson>,
    response_id: Option<&'e str>,
}

impl<'e> PostModelRequest<'e> {
    pub(super) fn of(known: &Known<'e>, request: &'e ModelRequest) -> Self {
        Self {
            kind: &request.kind,
            request_id: &request.request_id,
            attempt_number: request.attempt,
            session_id: known.session_id,
            thread_id: thread(known, request),
            turn_id: known.turn_id,
            cwd: known.cwd,
            transcript_path: known.transcript_path,
            model: known.model,
            agent_id: known.agent_id(),
            agent_type: known.agent_type(),
            hook_event_name: known.hook_event_name,
            status: request.status.as_deref().unwrap_or("completed"),
            error: request.error.as_ref(),
            token_usage: request.token_usage.as_ref(),
            response_id: request.response_id.as_deref(),
        }
    }
}

/// The thread a request belongs to: inside a subagent its own, else the session's (observed).
fn thread<'e>(known: &Known<'e>, request: &'e ModelRequest) -> &'e str {
    request.thread_id.as_deref().or(known.agent_id()).unwrap_or(known.session_id)
}
