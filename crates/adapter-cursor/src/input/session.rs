//! `sessionStart` and `sessionEnd`; `session_id` stands among the common fields.

use hooks_core::envelope::{SessionEnd, SessionStart};
use serde::Serialize;

use super::{Writer, Written};

/// What `sessionStart` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Start<'a> {
    /// Whether the agent runs in the background; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_background_agent: Option<bool>,
    /// The mode that the conversation starts in.
    composer_mode: &'a str,
}

/// The mode is `agent` where the host names none (first design, encoding).
pub(super) fn start(writer: Writer<'_>, start: &SessionStart) -> Written {
    writer
        .line(&Start { is_background_agent: start.background, composer_mode: start.mode.as_deref().unwrap_or("agent") })
}

/// What `sessionEnd` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct End<'a> {
    /// Why it ended; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// Milliseconds that the session lasted; absent when they were not measured.
    #[cfg_attr(feature = "schema", schemars(with = "f64", range(min = 0)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    /// Whether the agent ran in the background; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_background_agent: Option<bool>,
    /// The status at the end; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    final_status: Option<&'a str>,
    /// What went wrong; absent when nothing did.
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
