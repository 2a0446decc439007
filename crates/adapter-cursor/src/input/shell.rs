//! `beforeShellExecution` and `afterShellExecution`.

use hooks_core::envelope::Payload;
use hooks_core::tool::{ResultKind, Shell};
use serde::Serialize;

use super::{Nothing, Writer, Written};

/// What `beforeShellExecution` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Before<'a> {
    /// The whole command.
    command: &'a str,
    /// The directory it runs in. Some clients were seen to leave it empty.
    cwd: &'a str,
    /// Whether it runs in a sandbox; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    sandbox: Option<bool>,
}

/// What `afterShellExecution` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct After<'a> {
    /// The whole command.
    command: &'a str,
    /// What it printed, both streams; absent when there is no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a str>,
    /// Milliseconds that it took, without the time in which somebody was asked; absent when they were not measured.
    #[cfg_attr(feature = "schema", schemars(with = "f64", range(min = 0)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<u64>,
    /// Whether it ran in a sandbox; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    sandbox: Option<bool>,
    /// The exit code; absent when it is not known. Not Cursor's: a key of Crosshook's first design, since output alone
    /// cannot tell success.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
}

pub(super) fn write<'a>(writer: Writer<'a>, payload: &'a Payload, shell: &'a Shell) -> Written {
    match payload {
        Payload::ToolBefore(_) => {
            let cwd = shell.cwd.as_deref().unwrap_or(&writer.envelope.common.cwd);
            writer.line(&Before { command: &shell.command, cwd, sandbox: shell.sandbox })
        }
        Payload::ToolResult(returned) => {
            let (output, exit_code) = match &returned.result.kind {
                ResultKind::Shell(result) => (Some(result.output.as_str()), result.exit_code),
                ResultKind::Text(text) => (Some(text.as_str()), None),
                _ => (None, None),
            };
            writer.line(&After {
                command: &shell.command,
                output,
                duration: returned.duration_ms,
                sandbox: shell.sandbox,
                exit_code,
            })
        }
        _ => writer.line(&Nothing {}),
    }
}
