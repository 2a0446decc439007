//! `preCompact`, `stop`, `afterAgentResponse` and `afterAgentThought`.

use hooks_core::adapter::StdinError;
use hooks_core::envelope::{AgentText, Compaction, Payload, TurnStop};

use super::fields::{Fields, Key};
use super::lacks;

pub(super) fn compaction(fields: &mut Fields<'_>) -> Payload {
    Payload::CompactBefore(Compaction {
        trigger: fields.text(Key::Trigger),
        instructions: None,
        summary: None,
        usage_percent: fields.number(Key::ContextUsagePercent),
        tokens: fields.count(Key::ContextTokens),
        window: fields.count(Key::ContextWindowSize),
        message_count: fields.count(Key::MessageCount),
        messages_to_compact: fields.count(Key::MessagesToCompact),
        first: fields.flag(Key::IsFirstCompaction),
    })
}

pub(super) fn stop(fields: &mut Fields<'_>) -> Payload {
    Payload::TurnStop(TurnStop {
        status: fields.text(Key::Status),
        loop_count: fields.small_count(Key::LoopCount),
        ..TurnStop::default()
    })
}

/// A message or a thought; only a thought has a duration in Cursor's list.
pub(super) fn text(fields: &mut Fields<'_>) -> Result<AgentText, StdinError> {
    let text = fields.text(Key::Text).ok_or_else(|| lacks(Key::Text))?;
    Ok(AgentText { text, duration_ms: fields.count(Key::DurationMs) })
}
