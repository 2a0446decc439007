//! `preCompact`, `stop`, `afterAgentResponse` and `afterAgentThought`.

use hooks_core::envelope::{AgentText, Compaction, TurnStop};
use serde::Serialize;

use super::{Writer, Written};

/// What `preCompact` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Compact<'a> {
    /// What started it; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    trigger: Option<&'a str>,
    /// How much of the context is used, in percent; null when it is no number, absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    context_usage_percent: Option<f64>,
    /// How many tokens the context holds; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    context_tokens: Option<u64>,
    /// How many tokens the context can hold; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    context_window_size: Option<u64>,
    /// How many messages the context holds; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    message_count: Option<u64>,
    /// How many of them are summarised; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    messages_to_compact: Option<u64>,
    /// Whether this is the first time; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_first_compaction: Option<bool>,
}

pub(super) fn compaction(writer: Writer<'_>, compaction: &Compaction) -> Written {
    writer.line(&Compact {
        trigger: compaction.trigger.as_deref(),
        context_usage_percent: compaction.usage_percent,
        context_tokens: compaction.tokens,
        context_window_size: compaction.window,
        message_count: compaction.message_count,
        messages_to_compact: compaction.messages_to_compact,
        is_first_compaction: compaction.first,
    })
}

/// What `stop` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Stop<'a> {
    /// How the turn ended; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a str>,
    /// How many follow-ups hooks have asked for so far, from 0.
    loop_count: u32,
}

pub(super) fn stop(writer: Writer<'_>, stop: &TurnStop) -> Written {
    writer.line(&Stop { status: stop.status.as_deref(), loop_count: stop.loop_count })
}

/// What `afterAgentResponse` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Response<'a> {
    /// The message.
    text: &'a str,
}

pub(super) fn response(writer: Writer<'_>, text: &AgentText) -> Written {
    writer.line(&Response { text: &text.text })
}

/// What `afterAgentThought` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Thought<'a> {
    /// The thought.
    text: &'a str,
    /// Milliseconds that it took; absent when they were not measured.
    #[cfg_attr(feature = "schema", schemars(with = "f64", range(min = 0)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
}

pub(super) fn thought(writer: Writer<'_>, text: &AgentText) -> Written {
    writer.line(&Thought { text: &text.text, duration_ms: text.duration_ms })
}
