//! Payloads of the three events around a tool call.

use std::borrow::Cow;

use hooks_core::ToolAction;
use hooks_core::envelope::{self, PermissionOrigin, ToolReturned, ToolUse};
use serde::Serialize;

use super::Known;
use crate::tools::{self, Input, Response};

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PreToolUse<'e> {
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
    tool_name: Cow<'e, str>,
    #[cfg_attr(feature = "schema", schemars(with = "hooks_core::RawJson"))]
    tool_input: Input<'e>,
    tool_use_id: &'e str,
}

impl<'e> PreToolUse<'e> {
    pub(super) fn of(known: &Known<'e>, tool: &'e ToolUse) -> Self {
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
            tool_name: tools::name(&tool.call),
            tool_input: tools::input(&tool.call),
            tool_use_id: tool.id.as_deref().unwrap_or_default(),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PermissionRequest<'e> {
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
    tool_name: Cow<'e, str>,
    #[cfg_attr(feature = "schema", schemars(with = "hooks_core::RawJson"))]
    tool_input: Asked<'e>,
}

impl<'e> PermissionRequest<'e> {
    pub(super) fn of(known: &Known<'e>, request: &'e envelope::PermissionRequest) -> Self {
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
            tool_name: tools::name(&request.tool.call),
            tool_input: asked_input(request),
        }
    }
}

/// The input with what is asked for: of a shell command also why (section 14).
#[derive(Serialize)]
#[serde(untagged)]
enum Asked<'a> {
    Why { command: &'a str, description: Cow<'a, str> },
    Plain(Input<'a>),
}

/// The tool that asks for more rights (section 14).
pub(super) const REQUEST_PERMISSIONS: &str = "request_permissions";

/// How a request for network access starts its description.
pub(super) const NETWORK: &str = "network-access ";

fn asked_input(request: &envelope::PermissionRequest) -> Asked<'_> {
    let call = &request.tool.call;
    let (ToolAction::Shell(shell), Some(why)) = (&call.action, &request.justification) else {
        return Asked::Plain(tools::input(call));
    };
    let description = match request.origin {
        PermissionOrigin::Network if !why.starts_with(NETWORK) => Cow::Owned(format!("{NETWORK}{why}")),
        _ => Cow::Borrowed(why.as_str()),
    };
    Asked::Why { command: &shell.command, description }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PostToolUse<'e> {
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
    tool_name: Cow<'e, str>,
    #[cfg_attr(feature = "schema", schemars(with = "hooks_core::RawJson"))]
    tool_input: Input<'e>,
    #[cfg_attr(feature = "schema", schemars(with = "hooks_core::RawJson"))]
    tool_response: Response<'e>,
    tool_use_id: &'e str,
}

impl<'e> PostToolUse<'e> {
    pub(super) fn of(known: &Known<'e>, returned: &'e ToolReturned) -> Self {
        let call = &returned.tool.call;
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
            tool_name: tools::name(call),
            tool_input: tools::input(call),
            tool_response: tools::response(call, &returned.result),
            tool_use_id: returned.tool.id.as_deref().unwrap_or_default(),
        }
    }
}
