//! The file events, the agent's and Tab's.

use hooks_core::ToolCall;
use hooks_core::ToolResult;
use hooks_core::adapter::StdinError;
use hooks_core::envelope::{Payload, ToolReturned, ToolUse};
use hooks_core::tool::{Edit, Read, ResultKind, TextEdit, ToolAction};

use super::fields::{Fields, Key};
use super::lacks;

/// The file; older payloads spell the key `filePath`.
fn path(fields: &mut Fields<'_>) -> Result<String, StdinError> {
    let path = fields.text(Key::FilePath);
    path.or_else(|| fields.text(Key::OldFilePath)).ok_or_else(|| lacks(Key::FilePath))
}

const fn tool(action: ToolAction) -> ToolUse {
    ToolUse { id: None, call: ToolCall::new(action) }
}

/// What is attached to a read has no place; an empty list says nothing.
pub(super) fn read(fields: &mut Fields<'_>, attachments: bool) -> Result<Payload, StdinError> {
    let path = path(fields)?;
    let content = fields.text(Key::Content);
    if let Some(raw) = fields.raw(Key::Attachments).filter(|raw| !(attachments && raw.get() == "[]")) {
        fields.keep(Key::Attachments, raw);
    }
    Ok(Payload::ToolBefore(tool(ToolAction::Read(Read { path, offset: None, limit: None, content }))))
}

/// The replacements; where they say more than the two texts (Tab's say where), the whole list is kept beside them.
pub(super) fn edit(fields: &mut Fields<'_>) -> Result<Payload, StdinError> {
    let path = path(fields)?;
    let raw = fields.raw(Key::Edits);
    if let Some(raw) = raw {
        fields.keep(Key::Edits, raw);
    }
    let mut says_more = false;
    let edits = fields.objects(Key::Edits, |one| {
        says_more |= !one.only(&["old_string", "new_string"]);
        let (old, new) = (one.text("old_string")?, one.text("new_string")?);
        Some(TextEdit { old, new, replace_all: false })
    });
    if let Some(raw) = raw.filter(|_| says_more) {
        fields.keep(Key::Edits, raw);
    }
    let action = ToolAction::Edit(Edit { path, edits: edits.unwrap_or_default() });
    let result = ToolResult::finished(ResultKind::Empty);
    Ok(Payload::ToolResult(ToolReturned { tool: tool(action), result, duration_ms: None }))
}
