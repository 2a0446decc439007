//! `beforeShellExecution` and `afterShellExecution`.

use hooks_core::envelope::Payload;
use hooks_core::tool::{ResultKind, Shell};
use serde::Serialize;

use super::{Nothing, Writer, Written};

#[derive(Serialize)]
struct Before<'a> {
    command: &'a str,
    cwd: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sandbox: Option<bool>,
}

#[derive(Serialize)]
struct After<'a> {
    command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sandbox: Option<bool>,
    /// Not Cursor's: output alone cannot tell success (first design, encoding).
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
