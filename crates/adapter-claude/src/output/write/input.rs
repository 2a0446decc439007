//! Another input for a tool call, as the client takes it.

use hooks_core::RawJson;
use hooks_core::effects::Rewrite;
use hooks_core::tool::{ToolAction, ToolCall};

use super::page::Page;
use crate::events::OnFailure;
use crate::tools;

impl Page<'_> {
    /// A rewritten input in the client's shape, for the tool that is called.
    pub(super) fn input(&self, rewrite: &Rewrite) -> Result<RawJson, String> {
        let refused = |why: &str| format!("a hook gave this call another input that cannot be used: {why}");
        let Some(tool) = self.envelope.payload.tool_use() else { return Err(refused("there is no call")) };
        if !self.has("updatedInput") && self.event.on_failure != OnFailure::Denies {
            return Err(refused("the input of this call cannot be changed"));
        }
        let projected = rewrite.call.as_ref().map_err(|error| refused(&error.reason))?;
        match tools::project(&tool.call, &rewrite.raw) {
            Ok(read) if same(&read.call, &projected.call) => return Ok(rewrite.raw.clone()),
            _ => {}
        }
        if tools::name(&tool.call) != tools::name(&projected.call) {
            return Err(refused("it is for another tool"));
        }
        let written = ToolCall { raw: None, ..projected.call.clone() };
        let raw = RawJson::of(&tools::input(&written)).map_err(|error| refused(&error.to_string()))?;
        match tools::project(&tool.call, &raw) {
            Ok(read) if does(&read.call, &projected.call, &self.envelope.common.cwd) => Ok(raw),
            Ok(_) => Err(refused("the tool has no place for all of it")),
            Err(error) => Err(refused(&error.reason)),
        }
    }
}

fn same(one: &ToolCall, other: &ToolCall) -> bool {
    one.action == other.action
}

/// Whether a call that the client would make does what is wanted. What is only said about a command, and its time limit,
/// make no difference.
fn does(made: &ToolCall, wanted: &ToolCall, cwd: &str) -> bool {
    let (ToolAction::Shell(made), ToolAction::Shell(wanted)) = (&made.action, &wanted.action) else {
        return same(made, wanted);
    };
    let elsewhere = wanted.cwd.as_deref().is_some_and(|wanted| wanted != made.cwd.as_deref().unwrap_or(cwd));
    let given = |made: Option<bool>, wanted: Option<bool>| wanted.is_none_or(|wanted| wanted == made.unwrap_or(false));
    made.command == wanted.command && !elsewhere && given(made.background, wanted.background)
}
