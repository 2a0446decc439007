//! `preToolUse`, `postToolUse` and `postToolUseFailure`.

use hooks_core::adapter::StdinError;
use hooks_core::envelope::{Payload, ToolFailed, ToolFailureKind, ToolReturned, ToolUse};
use hooks_core::json::JsonKind;
use hooks_core::tool::{ResultKind, ToolAction};
use hooks_core::{Common, RawJson, ToolCall, ToolResult};
use serde_json::value::RawValue;

use super::fields::{self, Fields, Key};
use super::{lacks, mcp, shell};
use crate::tools;

/// The call. Its directory is the session's, except for a command, which may run elsewhere.
fn call(fields: &mut Fields<'_>, common: &mut Common) -> Result<ToolUse, StdinError> {
    let name = fields.text(Key::ToolName).ok_or_else(|| lacks(Key::ToolName))?;
    let input = fields.raw(Key::ToolInput).map_or_else(RawJson::null, RawJson::from_raw);
    let mut call = tools::call(&name, &input);
    let cwd = fields.text(Key::Cwd).filter(|cwd| !cwd.is_empty());
    if let ToolAction::Shell(one) = &mut call.action {
        let of_call = one.cwd.take().or(cwd);
        if common.cwd.is_empty() {
            common.cwd = of_call.unwrap_or_default();
        } else {
            one.cwd = shell::directory(of_call, &common.cwd);
        }
    } else if let Some(cwd) = cwd {
        common.cwd = cwd;
    }
    Ok(ToolUse { id: fields.text(Key::ToolUseId), call })
}

pub(super) fn before(fields: &mut Fields<'_>, common: &mut Common) -> Result<Payload, StdinError> {
    call(fields, common).map(Payload::ToolBefore)
}

pub(super) fn result(fields: &mut Fields<'_>, common: &mut Common) -> Result<Payload, StdinError> {
    let tool = call(fields, common)?;
    let result = match fields.raw(Key::ToolOutput) {
        Some(raw) => output(&tool.call, raw),
        None => ResultKind::Empty,
    };
    let duration_ms = fields.count(Key::Duration);
    Ok(Payload::ToolResult(ToolReturned { tool, result: ToolResult::finished(result), duration_ms }))
}

/// Cursor calls it JSON text; what is none is taken as it is.
fn output(call: &ToolCall, raw: &RawValue) -> ResultKind {
    let Some(text) = fields::text(raw) else { return ResultKind::Json(RawJson::from_raw(raw)) };
    if let Some(result) = tools::result(call, &text) {
        return result;
    }
    match RawJson::parse(&text) {
        Ok(value) if call.as_mcp().is_some() && value.kind() == JsonKind::Object => ResultKind::Mcp(mcp::result(value)),
        Ok(value) => ResultKind::Json(value),
        Err(_) => ResultKind::Text(text),
    }
}

pub(super) fn failure(fields: &mut Fields<'_>, common: &mut Common) -> Result<Payload, StdinError> {
    let tool = call(fields, common)?;
    let word = fields.text(Key::FailureType);
    let interrupted = fields.flag(Key::IsInterrupt).unwrap_or(false);
    let (kind, told) = match word.as_deref() {
        Some("error") | None => (ToolFailureKind::Error, true),
        Some("timeout") => (ToolFailureKind::Timeout, !interrupted),
        Some("permission_denied") => (ToolFailureKind::Denied, !interrupted),
        Some(_) => (ToolFailureKind::Error, false),
    };
    if let Some(word) = word.filter(|_| !told) {
        fields.keep_text(Key::FailureType, &word);
    }
    Ok(Payload::ToolFailure(ToolFailed {
        tool,
        error: fields.text(Key::ErrorMessage).unwrap_or_default(),
        kind: if interrupted { ToolFailureKind::Cancelled } else { kind },
        duration_ms: fields.count(Key::Duration),
        cancellation_reason: fields.text(Key::CancellationReason),
    }))
}
