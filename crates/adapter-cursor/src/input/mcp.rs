//! `beforeMCPExecution` and `afterMCPExecution`: the tool's own name, and its input and result as JSON text.

use std::borrow::Cow;

use hooks_core::envelope::Payload;
use hooks_core::tool::{Mcp, ResultKind};
use serde::Serialize;

use super::{Nothing, Writer, Written};

/// The fields both events have. What is unknown of the server has no key; `mcp_server_id` is the host's own key (first
/// design, encoding).
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Call<'a> {
    /// The tool's own name, without the server's and without a prefix.
    tool_name: &'a str,
    /// The arguments as JSON text.
    tool_input: &'a str,
    /// The server's key in the file of servers; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_server_name: Option<&'a str>,
    /// The server's id. Not Cursor's: a key of Crosshook's first design; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_server_id: Option<&'a str>,
    /// The server's address; absent for a server that is started as a process.
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_server_url: Option<&'a str>,
}

/// What `beforeMCPExecution` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Before<'a> {
    #[serde(flatten)]
    call: Call<'a>,
    /// The server's address, once more; absent for a server that is started as a process.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    /// The command that starts the server, with its arguments; absent for a server with an address, and when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
}

/// What `afterMCPExecution` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct After<'a> {
    #[serde(flatten)]
    call: Call<'a>,
    /// The server's result as JSON text. An error is `{"error": "<message>"}` (Crosshook's first design, encoding).
    result_json: Cow<'a, str>,
    /// Milliseconds that it took, without the time in which somebody was asked; absent when they were not measured.
    #[cfg_attr(feature = "schema", schemars(with = "f64", range(min = 0)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<u64>,
}

#[derive(Serialize)]
struct ErrorText<'a> {
    error: &'a str,
}

pub(super) fn write<'a>(writer: Writer<'a>, payload: &'a Payload, mcp: &'a Mcp) -> Written {
    let url = mcp.server_url.as_deref();
    let call = Call {
        tool_name: &mcp.tool,
        tool_input: mcp.arguments.get(),
        mcp_server_name: Some(mcp.server.as_str()).filter(|name| !name.is_empty()),
        mcp_server_id: mcp.server_id.as_deref(),
        mcp_server_url: url,
    };
    match payload {
        Payload::ToolBefore(_) => {
            // One or the other: a server reached over HTTP has no launch command (hooks page, beforeMCPExecution).
            let command = mcp.server_command.as_deref().filter(|_| url.is_none());
            writer.line(&Before { call, url, command })
        }
        Payload::ToolResult(returned) => {
            let result_json = match &returned.result.kind {
                ResultKind::Mcp(result) => match result.result.as_str() {
                    Some(message) if result.is_error => {
                        Cow::Owned(serde_json::to_string(&ErrorText { error: &message })?)
                    }
                    _ => Cow::Borrowed(result.result.get()),
                },
                ResultKind::Json(value) => Cow::Borrowed(value.get()),
                _ => Cow::Owned(serde_json::to_string(&crate::tools::Output(&returned.result))?),
            };
            writer.line(&After { call, result_json, duration: returned.duration_ms })
        }
        _ => writer.line(&Nothing {}),
    }
}
