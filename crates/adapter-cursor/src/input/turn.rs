//! `preCompact`, `stop`, `afterAgentResponse` and `afterAgentThought`.

use hooks_core::envelope::{AgentText, Compaction, TurnStop};
use serde::Serialize;

use super::{Writer, Written};

#[derive(Serialize)]
struct Compact<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    trigger: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_usage_percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_window_size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages_to_compact: Option<u64>,
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

#[derive(Serialize)]
struct Stop<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a str>,
    loop_count: u32,
}

pub(super) fn stop(writer: Writer<'_>, stop: &TurnStop) -> Written {
    writer.line(&Stop { status: stop.status.as_deref(), loop_count: stop.loop_count })
}

#[derive(Serialize)]
struct Response<'a> {
    text: &'a str,
}

pub(super) fn response(writer: Writer<'_>, text: &AgentText) -> Written {
    writer.line(&Response { text: &text.text })
}

#[derive(Serialize)]
struct Thought<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
}

pub(super) fn thought(writer: Writer<'_>, text: &AgentText) -> Written {
    writer.line(&Thought { text: &text.text, duration_ms: text.duration_ms })
}
