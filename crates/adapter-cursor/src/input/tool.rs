//! `preToolUse`, `postToolUse` and `postToolUseFailure`: any tool, with its input as an object.

use std::borrow::Cow;

use hooks_core::ToolCall;
use hooks_core::envelope::{ToolFailed, ToolFailureKind, ToolReturned, ToolUse};
use serde::Serialize;

use super::{Writer, Written};
use crate::tools::{self, Input, Output};

#[derive(Serialize)]
struct Tool<'a> {
    tool_name: Cow<'a, str>,
    tool_input: Input<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_use_id: Option<&'a str>,
    cwd: &'a str,
}

fn tool<'a>(writer: &Writer<'a>, tool: &'a ToolUse) -> Tool<'a> {
    let session = writer.envelope.common.cwd.as_str();
    Tool {
        tool_name: tools::name(&tool.call),
        tool_input: Input {
            call: &tool.call,
            cwd: session,
            working_directory: writer.adapter.options().observed_stdin_keys,
        },
        tool_use_id: tool.id.as_deref(),
        cwd: directory(&tool.call, session),
    }
}

/// Where the call runs.
fn directory<'a>(call: &'a ToolCall, session: &'a str) -> &'a str {
    call.as_shell().and_then(|shell| shell.cwd.as_deref()).unwrap_or(session)
}

pub(super) fn before<'a>(writer: Writer<'a>, call: &'a ToolUse) -> Written {
    let body = tool(&writer, call);
    writer.line(&body)
}

#[derive(Serialize)]
struct Returned<'a> {
    #[serde(flatten)]
    tool: Tool<'a>,
    tool_output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<u64>,
}

pub(super) fn result<'a>(writer: Writer<'a>, returned: &'a ToolReturned) -> Written {
    let body = Returned {
        tool: tool(&writer, &returned.tool),
        tool_output: serde_json::to_string(&Output(&returned.result))?,
        duration: returned.duration_ms,
    };
    writer.line(&body)
}

#[derive(Serialize)]
struct Failed<'a> {
    #[serde(flatten)]
    tool: Tool<'a>,
    error_message: &'a str,
    failure_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<u64>,
    is_interrupt: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cancellation_reason: Option<&'a str>,
}

pub(super) fn failure<'a>(writer: Writer<'a>, failed: &'a ToolFailed) -> Written {
    let body = Failed {
        tool: tool(&writer, &failed.tool),
        error_message: &failed.error,
        failure_type: match failed.kind {
            ToolFailureKind::Denied => "permission_denied",
            ToolFailureKind::Timeout => "timeout",
            _ => "error",
        },
        duration: failed.duration_ms,
        is_interrupt: failed.kind == ToolFailureKind::Cancelled,
        cancellation_reason: failed.cancellation_reason.as_deref(),
    };
    writer.line(&body)
}
