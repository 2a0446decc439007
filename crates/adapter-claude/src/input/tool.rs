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
struct McpServer<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
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
    #[derive(Serialize)]
    struct Before<'a> {
        tool_name: Cow<'a, str>,
        tool_input: Input<'a>,
        tool_use_id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        mcp_server: Option<McpServer<'a>>,
    }
    let tool_input = tools::input_in(&tool.call, &writer.common.cwd);
    let mcp_server = server(tool, writer.version);
    writer.write(Before { tool_name: name(tool), tool_input, tool_use_id: id(tool), mcp_server })
}

/// A permission request has no call id (recorded payloads).
pub(super) fn permission(writer: Writer<'_>, request: &PermissionRequest) -> Written {
    #[derive(Serialize)]
    struct Permission<'a> {
        tool_name: Cow<'a, str>,
        tool_input: Input<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        permission_suggestions: Option<&'a RawJson>,
        #[serde(skip_serializing_if = "Option::is_none")]
        mcp_server: Option<McpServer<'a>>,
    }
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
    #[derive(Serialize)]
    struct Denied<'a> {
        tool_name: Cow<'a, str>,
        tool_input: Input<'a>,
        tool_use_id: &'a str,
        reason: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        mcp_server: Option<McpServer<'a>>,
    }
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
    #[derive(Serialize)]
    struct Returned<'a> {
        tool_name: Cow<'a, str>,
        tool_input: Input<'a>,
        tool_response: Response<'a>,
        tool_use_id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        duration_ms: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        mcp_server: Option<McpServer<'a>>,
    }
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

#[derive(Serialize)]
struct Failed<'a> {
    tool_name: Cow<'a, str>,
    tool_input: Input<'a>,
    tool_use_id: &'a str,
    error: &'a str,
    is_interrupt: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_server: Option<McpServer<'a>>,
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
    #[derive(Serialize)]
    struct Call<'a> {
        tool_name: Cow<'a, str>,
        tool_input: Input<'a>,
        tool_use_id: &'a str,
        tool_response: &'a RawJson,
    }
    #[derive(Serialize)]
    struct Batch<'a> {
        tool_calls: Vec<Call<'a>>,
    }
    let calls = batch.calls.iter().map(|call| Call {
        tool_name: name(&call.tool),
        tool_input: tools::input(&call.tool.call),
        tool_use_id: id(&call.tool),
        tool_response: &call.response,
    });
    writer.write(Batch { tool_calls: calls.collect() })
}

pub(super) fn skill_command(writer: Writer<'_>, command: &SkillShellCommand) -> Written {
    #[derive(Serialize)]
    struct SkillCommand<'a> {
        tool_name: Cow<'a, str>,
        tool_input: Input<'a>,
        tool_use_id: &'a str,
        command_name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        command_source: Option<&'a str>,
        invoked_by: &'a str,
    }
    writer.write(SkillCommand {
        tool_name: name(&command.tool),
        tool_input: tools::input(&command.tool.call),
        tool_use_id: id(&command.tool),
        command_name: &command.command_name,
        command_source: command.command_source.as_deref(),
        invoked_by: &command.invoked_by,
    })
}
