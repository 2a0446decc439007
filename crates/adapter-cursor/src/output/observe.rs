//! Everything that neither gates nor halts: what the table says the event's fields are, read field by field.

use std::collections::BTreeMap;

use hooks_core::Channel;
use hooks_core::effects::{
    Continuation, Effect, EnvChange, EnvReach, Note, OnPending, ResultReplacement, Special, Unsupported,
};
use hooks_core::envelope::Payload;
use hooks_core::json::{JsonKind, RawObject};
use hooks_core::text::strip_unsafe;
use hooks_core::{RawJson, ToolCall};

use super::Answer;
use super::fields::{self, Mismatch};

impl Answer<'_> {
    /// Reads an observer's answer. One field off the schema spoils the whole answer, so nothing is applied before all
    /// fields are read.
    pub(super) fn observed(&mut self, object: &RawObject<'_>) -> Result<(), Mismatch> {
        let mut found = Vec::new();
        for field in self.event.facts.output {
            match field.channel {
                Some(Channel::SessionEnv) => found.extend(self.env(object, field.path)?),
                Some(Channel::ModelContext) => {
                    // White space is the author's; what could forge a terminal is not.
                    let text = fields::raw_text(object, field.path)?.map(|text| strip_unsafe(&text).into_owned());
                    found.extend(text.filter(|text| !text.is_empty()).map(Effect::Context));
                }
                Some(Channel::UserNotice) => found.extend(fields::text(object, field.path)?.map(Effect::Notice)),
                Some(Channel::ReplacementResult) => found.extend(self.result(object, field.path)?),
                Some(Channel::Continuation) => found.extend(self.continuation(object, field.path)?),
                Some(Channel::Special) => found.extend(plugin_paths(object, field.path)?),
                _ => {}
            }
        }
        self.effects.effects.extend(found);
        self.undocumented(object);
        Ok(())
    }

    /// Session variables, which every later hook of the session gets. A name that no environment can hold is left out.
    fn env(&mut self, object: &RawObject<'_>, key: &'static str) -> Result<Option<Effect>, Mismatch> {
        let Some(members) = fields::nested(object, key)? else { return Ok(None) };
        let mut env = BTreeMap::new();
        for (name, raw) in members.iter() {
            let value: String = serde_json::from_str(raw.get())
                .map_err(|_| Mismatch(format!("a value of `{key}` is {}, not a string", JsonKind::of(raw).phrase())))?;
            if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
                self.effects.note(Note::field(key, "a variable that no environment can hold was left out"));
                continue;
            }
            env.insert(name.to_owned(), EnvChange { value, reach: EnvReach::Hooks });
        }
        Ok((!env.is_empty()).then_some(Effect::SessionEnv(env)))
    }

    fn result(&mut self, object: &RawObject<'_>, key: &'static str) -> Result<Option<Effect>, Mismatch> {
        let Some(raw) = fields::object(object, key)? else { return Ok(None) };
        let is_mcp = self.envelope.payload.tool_use().map(|tool| &tool.call).and_then(ToolCall::as_mcp).is_some();
        if self.adapter.options().output_for_mcp_only && !is_mcp {
            return Ok(Some(Effect::Unsupported(Unsupported {
                field: key.to_owned(),
                channel: Channel::ReplacementResult,
                on_pending: OnPending::Ignore,
            })));
        }
        Ok(Some(Effect::ReplaceResult(ResultReplacement::Json(RawJson::from_raw(raw)))))
    }

    /// A follow-up, in Cursor's shape or, where that says nothing, in Claude's: a block with a reason. Each nested field
    /// stands in for its own flat one where that is missing.
    fn continuation(&mut self, object: &RawObject<'_>, key: &'static str) -> Result<Option<Effect>, Mismatch> {
        let followup = text(object, key)?;
        let nested =
            if self.event.claude_shape.is_empty() { None } else { fields::nested(object, "hookSpecificOutput")? };
        let either = |key: &str| -> Result<Option<String>, Mismatch> {
            match (fields::raw_text(object, key)?, &nested) {
                (Some(flat), _) => Ok(Some(flat)),
                (None, Some(nested)) => fields::raw_text(nested, key),
                (None, None) => Ok(None),
            }
        };
        let block = if self.event.claude_shape.is_empty() { None } else { either("decision")? };
        let blocks = block.as_deref() == Some("block");
        if block.is_some() && !blocks {
            self.effects.note(Note::field("decision", "only `block` has a meaning on this event"));
        }
        let reason = either("reason")?.map(|text| strip_unsafe(&text).into_owned()).filter(|text| !text.is_empty());
        let text = match (followup, reason) {
            (Some(followup), _) => {
                if blocks {
                    self.effects.note(Note::field("decision", "the follow-up beside it counts"));
                }
                followup
            }
            (None, Some(reason)) if blocks => reason,
            (None, None) if blocks => {
                self.effects.note(Note::field("decision", "a block without a reason has no effect"));
                return Ok(None);
            }
            _ => return Ok(None),
        };
        if let Payload::SubagentStop(stop) = &self.envelope.payload
            && self.adapter.options().followup_needs_completed
            && stop.status.as_deref() != Some("completed")
        {
            self.effects.note(Note::field(key, "it counts only when the subagent completed"));
            return Ok(None);
        }
        Ok(Some(Effect::Continue(Continuation::new(text, self.binding.loop_limit))))
    }
}

/// A follow-up's text, unless there is none.
fn text(object: &RawObject<'_>, key: &str) -> Result<Option<String>, Mismatch> {
    let text = fields::raw_text(object, key)?.map(|text| strip_unsafe(&text).into_owned());
    Ok(text.filter(|text| !text.is_empty()))
}

/// Folders of plugins to load.
fn plugin_paths(object: &RawObject<'_>, key: &str) -> Result<Option<Effect>, Mismatch> {
    let Some(raw) = object.get_non_null(key) else { return Ok(None) };
    let paths: Vec<String> =
        serde_json::from_str(raw.get()).map_err(|_| fields::wrong(key, raw, "an array of strings"))?;
    Ok((!paths.is_empty()).then_some(Effect::Special(Special::PluginPaths(paths))))
}
