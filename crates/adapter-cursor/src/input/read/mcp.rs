//! `beforeMCPExecution` and `afterMCPExecution`: input and result are JSON text.

use hooks_core::adapter::StdinError;
use hooks_core::envelope::{Payload, ToolReturned, ToolUse};
use hooks_core::json::JsonKind;
use hooks_core::tool::{Mcp, McpResult, ResultKind, ToolAction};
use hooks_core::{RawJson, ToolCall, ToolResult};
use serde_json::value::RawValue;

use super::fields::{self, Fields, Key};
use super::lacks;

/// A member that holds JSON as text; a text that is no JSON stays a text, and what is no text is taken as it is.
fn embedded(raw: &RawValue) -> RawJson {
    match fields::text(raw) {
        Some(text) => RawJson::parse(&text).unwrap_or_else(|_| RawJson::string(&text)),
        None => RawJson::from_raw(raw),
    }
}

fn call(fields: &mut Fields<'_>) -> Result<ToolUse, StdinError> {
    let tool = fields.text(Key::ToolName).ok_or_else(|| lacks(Key::ToolName))?;
    let arguments = fields.raw(Key::ToolInput).map_or_else(RawJson::null, embedded);
    let mut mcp = Mcp::new(fields.text(Key::McpServerName).unwrap_or_default(), tool, arguments);
    mcp.server_id = fields.text(Key::McpServerId);
    mcp.server_url = fields.text(Key::Url);
    let other = fields.text(Key::McpServerUrl);
    if mcp.server_url.is_none() {
        mcp.server_url = other;
    } else if let Some(other) = other.filter(|other| mcp.server_url.as_ref() != Some(other)) {
        fields.keep_text(Key::McpServerUrl, &other);
    }
    mcp.server_command = fields.text(Key::Command);
    Ok(ToolUse { id: None, call: ToolCall::new(ToolAction::Mcp(mcp)) })
}

pub(super) fn before(fields: &mut Fields<'_>) -> Result<Payload, StdinError> {
    call(fields).map(Payload::ToolBefore)
}

pub(super) fn after(fields: &mut Fields<'_>) -> Result<Payload, StdinError> {
    let tool = call(fields)?;
    let kind = match fields.raw(Key::ResultJson) {
        Some(raw) => ResultKind::Mcp(result(embedded(raw))),
        None => ResultKind::Empty,
    };
    let duration_ms = fields.count(Key::Duration);
    Ok(Payload::ToolResult(ToolReturned { tool, result: ToolResult::finished(kind), duration_ms }))
}

/// A server's result: `{"error": "<message>"}` is how the first design writes an error, `isError` is the protocol's own
/// mark.
pub(super) fn result(value: RawJson) -> McpResult {
    if value.kind() != JsonKind::Object {
        return McpResult { result: value, is_error: false };
    }
    let Some(object) = value.as_object() else { return McpResult { result: value, is_error: false } };
    let message = object.get("error").filter(|_| object.iter().count() == 1).and_then(fields::text);
    let is_error = object.get("isError").is_some_and(|raw| raw.get() == "true");
    drop(object);
    match message {
        Some(message) => McpResult { result: RawJson::string(&message), is_error: true },
        None => McpResult { result: value, is_error },
    }
}
