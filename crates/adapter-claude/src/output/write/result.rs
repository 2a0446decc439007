//! Another result of a tool call, in the tool's own form.

use hooks_core::RawJson;
use hooks_core::channel::Channel;
use hooks_core::effects::ResultReplacement;
use hooks_core::text::strip_unsafe;
use hooks_core::tool::{ToolAction, ToolCall};

use super::page::{Page, Value};
use super::wish::Wish;
use crate::tools;

impl<'e> Page<'e> {
    /// Another result. One that does not fit the tool would be ignored: the text goes beside the result instead.
    pub(super) fn result(&mut self, wish: &Wish<'e>) {
        let Some(result) = wish.result else { return };
        let tool = self.envelope.payload.tool_use().filter(|_| self.has("updatedToolOutput"));
        let Some(tool) = tool else { return self.lose_whole(Channel::ReplacementResult, None) };
        let raw = match result {
            ResultReplacement::Json(raw) => Some(raw.clone()),
            ResultReplacement::Text(text) => text_result(&tool.call, text),
            _ => None,
        };
        match raw.filter(|raw| tools::fits_output(&tool.call, raw).is_ok()) {
            Some(raw) => {
                self.nested("updatedToolOutput", Value::Raw(raw));
            }
            None => {
                let text = match result {
                    ResultReplacement::Text(text) => text.clone(),
                    ResultReplacement::Json(raw) => raw.as_str().unwrap_or_else(|| raw.get().to_owned()),
                    _ => String::new(),
                };
                if text.trim().is_empty() || self.top.iter().any(|(key, _)| *key == "decision") {
                    return self.lose_whole(Channel::ReplacementResult, None);
                }
                self.lose_whole(Channel::ReplacementResult, Some("its text beside the result"));
                self.top("decision", Value::Text("block".into()));
                self.top("reason", Value::Text(strip_unsafe(&text).into_owned().into()));
            }
        }
    }
}

/// A text as the result of a tool, in the tool's own form.
fn text_result(call: &ToolCall, text: &str) -> Option<RawJson> {
    use serde_json::json;
    let value = match &call.action {
        ToolAction::Shell(_) => json!({ "stdout": text, "stderr": "", "interrupted": false, "isImage": false }),
        ToolAction::Mcp(_) => json!([{ "type": "text", "text": text }]),
        ToolAction::Read(read) => {
            let lines = text.split('\n').count();
            let file = json!({
                "filePath": read.path, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines,
            });
            json!({ "type": "text", "file": file })
        }
        _ => return None,
    };
    Some(RawJson::from(&value))
}
