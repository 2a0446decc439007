//! `beforeShellExecution` and `afterShellExecution`.

use hooks_core::adapter::StdinError;
use hooks_core::envelope::{Payload, ToolReturned, ToolUse};
use hooks_core::tool::{ResultKind, Shell, ShellResult, ToolAction};
use hooks_core::{Common, ToolCall, ToolResult};

use super::fields::{Fields, Key};
use super::lacks;

fn call(fields: &mut Fields<'_>, cwd: Option<String>) -> Result<ToolUse, StdinError> {
    let command = fields.text(Key::Command).ok_or_else(|| lacks(Key::Command))?;
    let shell = Shell { command, cwd, sandbox: fields.flag(Key::Sandbox), ..Shell::default() };
    Ok(ToolUse { id: None, call: ToolCall::new(ToolAction::Shell(shell)) })
}

/// A command's directory, where it is not the session's; an empty one was seen and names none.
pub(super) fn directory(cwd: Option<String>, session: &str) -> Option<String> {
    cwd.filter(|cwd| !cwd.is_empty() && cwd != session)
}

pub(super) fn before(fields: &mut Fields<'_>, common: &mut Common) -> Result<Payload, StdinError> {
    let mut cwd = fields.text(Key::Cwd);
    if common.cwd.is_empty() {
        common.cwd = cwd.take().unwrap_or_default();
    }
    let cwd = directory(cwd, &common.cwd);
    call(fields, cwd).map(Payload::ToolBefore)
}

pub(super) fn after(fields: &mut Fields<'_>) -> Result<Payload, StdinError> {
    let tool = call(fields, None)?;
    let exit_code = fields.code(Key::ExitCode);
    let kind = match fields.text(Key::Output) {
        Some(output) => ResultKind::Shell(ShellResult { output, stderr: None, exit_code, interrupted: false }),
        None => ResultKind::Empty,
    };
    let duration_ms = fields.count(Key::Duration);
    Ok(Payload::ToolResult(ToolReturned { tool, result: ToolResult::finished(kind), duration_ms }))
}
