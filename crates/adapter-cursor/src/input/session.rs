//! `sessionStart` and `sessionEnd`; `session_id` stands among the common fields.

use hooks_core::envelope::{SessionEnd, SessionStart};
use serde::Serialize;

use super::{Writer, Written};

#[derive(Serialize)]
struct Start<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    is_background_agent: Option<bool>,
    composer_mode: &'a str,
}

/// The mode is `agent` where the host names none (first design, encoding).
pub(super) fn start(writer: Writer<'_>, start: &SessionStart) -> Written {
    writer
        .line(&Start { is_background_agent: start.background, composer_mode: start.mode.as_deref().unwrap_or("agent") })
}

#[derive(Serialize)]
struct End<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_background_agent: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_status: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_message: Option<&'a str>,
}

pub(super) fn end(writer: Writer<'_>, end: &SessionEnd) -> Written {
    writer.line(&End {
        reason: end.reason.as_deref(),
        duration_ms: end.duration_ms,
        is_background_agent: end.background,
        final_status: end.final_status.as_deref(),
        error_message: end.error_message.as_deref(),
    })
}
