//! `preToolUse`, `postToolUse` and `postToolUseFailure`: any tool, with its input as an object.

use std::borrow::Cow;

use hooks_core::ToolCall;
use hooks_core::envelope::{ToolFailed, ToolFailureKind, ToolReturned, ToolUse};
use serde::Serialize;

use super::{Writer, Written};
use crate::tools::{self, Input, Output};

/// What the tool events add to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Tool<'a> {
    /// The tool's name: `MCP:<tool>` for a tool of an MCP server, `MCPResource:<name>` for a resource of one.
    tool_name: Cow<'a, str>,
    /// What the tool was called with: an object for every tool of the client, and whatever the model gave for others.
    #[cfg_attr(feature = "schema", schemars(with = "hooks_core::RawJson"))]
    tool_input: Input<'a>,
    /// The id of the call; absent when it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_use_id: Option<&'a str>,
    /// The directory in which the call runs.
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

/// What `postToolUse` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Returned<'a> {
    #[serde(flatten)]
    tool: Tool<'a>,
    /// The result as JSON text.
    tool_output: String,
    /// Milliseconds that it took; absent when they were not measured.
    #[cfg_attr(feature = "schema", schemars(with = "f64", range(min = 0)))]
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

/// What `postToolUseFailure` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Failed<'a> {
    #[serde(flatten)]
    tool: Tool<'a>,
    /// What went wrong.
    error_message: &'a str,
    /// How it failed.
    failure_type: &'static str,
    /// Milliseconds that it took; absent when they were not measured.
    #[cfg_attr(feature = "schema", schemars(with = "f64", range(min = 0)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<u64>,
    /// Whether somebody interrupted it.
    is_interrupt: bool,
    /// Why it was cancelled; absent when nobody says. Not Cursor's: a key of Crosshook's first design.
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
