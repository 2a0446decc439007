//! Events about tool calls.

use std::borrow::Cow;

use hooks_core::envelope::{
    PermissionDenied, PermissionRequest, SkillShellCommand, ToolBatch, ToolFailed, ToolReturned, ToolUse,
};
use hooks_core::json::RawJson;
use hooks_core::vendor::Version;
use serde::Serialize;

use super::{Writer, Written};
use crate::events::MCP_SERVER_KEY;
use crate::tools::{self, Input, Response};

/// A tool server, for calls of its tools.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct McpServer<'a> {
    /// The server's name.
    name: &'a str,
    /// Where the server is set up, such as `user`, `project` or `plugin`. Trust this rather than the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
}

/// What `PreToolUse` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Before<'a> {
    /// The tool's name: that of a built-in tool, or `mcp__<server>__<tool>`.
    tool_name: Cow<'a, str>,
    /// The tool's input. Paths of files are absolute.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    tool_input: Input<'a>,
    /// The call's id, the same before and after the call.
    tool_use_id: &'a str,
    /// The tool server, for calls of its tools. Since client 2.1.274.
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_server: Option<McpServer<'a>>,
}

/// What `PermissionRequest` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Permission<'a> {
    /// The tool's name: that of a built-in tool, or `mcp__<server>__<tool>`.
    tool_name: Cow<'a, str>,
    /// The tool's input. Paths of files are absolute.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    tool_input: Input<'a>,
    /// Changes of the permission rules that the dialog offers. Absent where it offers none.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<serde_json::Value>"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_suggestions: Option<&'a RawJson>,
    /// The tool server, for calls of its tools. Since client 2.1.274.
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_server: Option<McpServer<'a>>,
}

/// What `PermissionDenied` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Denied<'a> {
    /// The tool's name: that of a built-in tool, or `mcp__<server>__<tool>`.
    tool_name: Cow<'a, str>,
    /// The tool's input. Paths of files are absolute.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    tool_input: Input<'a>,
    /// The call's id, the same before and after the call.
    tool_use_id: &'a str,
    /// Why the call was denied.
    reason: &'a str,
    /// The tool server, for calls of its tools. Since client 2.1.274.
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_server: Option<McpServer<'a>>,
}

/// What `PostToolUse` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Returned<'a> {
    /// The tool's name: that of a built-in tool, or `mcp__<server>__<tool>`.
    tool_name: Cow<'a, str>,
    /// The tool's input. Paths of files are absolute.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    tool_input: Input<'a>,
    /// What the tool returned, in the tool's own form; of a tool server's tool, a list of content blocks.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    tool_response: Response<'a>,
    /// The call's id, the same before and after the call.
    tool_use_id: &'a str,
    /// Milliseconds that the call took. Absent where they were not measured. Since client 2.1.119.
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    /// The tool server, for calls of its tools. Since client 2.1.274.
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_server: Option<McpServer<'a>>,
}

/// What `PostToolUseFailure` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Failed<'a> {
    /// The tool's name: that of a built-in tool, or `mcp__<server>__<tool>`.
    tool_name: Cow<'a, str>,
    /// The tool's input. Paths of files are absolute.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    tool_input: Input<'a>,
    /// The call's id, the same before and after the call.
    tool_use_id: &'a str,
    /// What went wrong; of a shell command `Exit code <number>` and all that it printed.
    error: &'a str,
    /// Whether the user interrupted the call.
    is_interrupt: bool,
    /// Milliseconds that the call took. Absent where they were not measured. Since client 2.1.119.
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    /// The tool server, for calls of its tools. Since client 2.1.274.
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_server: Option<McpServer<'a>>,
}

/// One call of a batch.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Call<'a> {
    /// The tool's name: that of a built-in tool, or `mcp__<server>__<tool>`.
    tool_name: Cow<'a, str>,
    /// The tool's input as the model wrote it.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    tool_input: Input<'a>,
    /// The call's id.
    tool_use_id: &'a str,
    /// The result that the model sees: a text or a list of content blocks; of a denied call, the reason.
    tool_response: &'a RawJson,
}

/// What `PostToolBatch` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Batch<'a> {
    /// The calls of one message of the model, denied ones too.
    tool_calls: Vec<Call<'a>>,
}

/// What `PreSkillShellCommand` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SkillCommand<'a> {
    /// The shell's tool name.
    tool_name: Cow<'a, str>,
    /// The shell's input, with the command.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    tool_input: Input<'a>,
    /// An id of its own, which stands in no transcript.
    tool_use_id: &'a str,
    /// The name of the skill or command.
    command_name: &'a str,
    /// Where the skill or command comes from. Absent where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    command_source: Option<&'a str>,
    /// Who invoked it: `user`, `claude` or `other`.
    invoked_by: &'a str,
}

fn server(tool: &ToolUse, version: Version) -> Option<McpServer<'_>> {
    let mcp = tool.call.as_mcp().filter(|_| MCP_SERVER_KEY.at(version) == Some(true))?;
    Some(McpServer { name: &mcp.server, source: mcp.server_source.as_deref() })
}

fn name(tool: &ToolUse) -> Cow<'_, str> {
    tools::name(&tool.call)
}

/// A call's id; the client always has one, so that a host without one writes an empty text.
fn id(tool: &ToolUse) -> &str {
    tool.id.as_deref().unwrap_or_default()
}

pub(super) fn before(writer: Writer<'_>, tool: &ToolUse) -> Written {
    let tool_input = tools::input_in(&tool.call, &writer.common.cwd);
    let mcp_server = server(tool, writer.version);
    writer.write(Before { tool_name: name(tool), tool_input, tool_use_id: id(tool), mcp_server })
}

/// A permission request has no call id (recorded payloads).
pub(super) fn permission(writer: Writer<'_>, request: &PermissionRequest) -> Written {
    let tool_input = tools::input_in(&request.tool.call, &writer.common.cwd);
    let mcp_server = server(&request.tool, writer.version);
    writer.write(Permission {
        tool_name: name(&request.tool),
        tool_input,
        permission_suggestions: request.suggestions.as_ref(),
        mcp_server,
    })
}

pub(super) fn denied(writer: Writer<'_>, denied: &PermissionDenied) -> Written {
    let tool_input = tools::input_in(&denied.tool.call, &writer.common.cwd);
    let mcp_server = server(&denied.tool, writer.version);
    writer.write(Denied {
        tool_name: name(&denied.tool),
        tool_input,
        tool_use_id: id(&denied.tool),
        reason: &denied.reason,
        mcp_server,
    })
}

pub(super) fn returned(writer: Writer<'_>, returned: &ToolReturned) -> Written {
    let tool_input = tools::input_in(&returned.tool.call, &writer.common.cwd);
    let mcp_server = server(&returned.tool, writer.version);
    writer.write(Returned {
        tool_name: name(&returned.tool),
        tool_input,
        tool_response: tools::response(&returned.tool.call, &returned.result, returned.duration_ms),
        tool_use_id: id(&returned.tool),
        duration_ms: returned.duration_ms,
        mcp_server,
    })
}

pub(super) fn failed(writer: Writer<'_>, failed: &ToolFailed) -> Written {
    let tool_input = tools::input_in(&failed.tool.call, &writer.common.cwd);
    let mcp_server = server(&failed.tool, writer.version);
    writer.write(Failed {
        tool_name: name(&failed.tool),
        tool_input,
        tool_use_id: id(&failed.tool),
        error: &failed.error,
        is_interrupt: failed.kind == hooks_core::envelope::ToolFailureKind::Cancelled,
        duration_ms: failed.duration_ms,
        mcp_server,
    })
}

/// A result that is a failure to the client.
pub(super) fn returned_failure(writer: Writer<'_>, returned: &ToolReturned) -> Written {
    let tool_input = tools::input_in(&returned.tool.call, &writer.common.cwd);
    let mcp_server = server(&returned.tool, writer.version);
    writer.write(Failed {
        tool_name: name(&returned.tool),
        tool_input,
        tool_use_id: id(&returned.tool),
        error: &tools::error_text(&returned.result),
        is_interrupt: false,
        duration_ms: returned.duration_ms,
        mcp_server,
    })
}

pub(super) fn batch(writer: Writer<'_>, batch: &ToolBatch) -> Written {
    let calls = batch.calls.iter().map(|call| Call {
        tool_name: name(&call.tool),
        tool_input: tools::input(&call.tool.call),
        tool_use_id: id(&call.tool),
        tool_response: &call.response,
    });
    writer.write(Batch { tool_calls: calls.collect() })
}

pub(super) fn skill_command(writer: Writer<'_>, command: &SkillShellCommand) -> Written {
    writer.write(SkillCommand {
        tool_name: name(&command.tool),
        tool_input: tools::input(&command.tool.call),
        tool_use_id: id(&command.tool),
        command_name: &command.command_name,
        command_source: command.command_source.as_deref(),
        invoked_by: &command.invoked_by,
    })
}
