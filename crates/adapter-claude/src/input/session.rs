//! Events about the session, its subagents, its context and its model.

use hooks_core::envelope::{Compaction, ModelSwitch, SessionEnd, SessionStart, Setup, SubagentStart, SubagentStop};
use hooks_core::json::RawJson;
use serde::Serialize;

use super::prompt::List;
use super::{Writer, Written};
use crate::events::RESUME_FIGURES;

/// Figures that the client gives when a session resumes, by the vendor's key; a host that has them puts them into
/// [`hooks_core::envelope::Common::extra`].
pub(super) const FIGURES: [&str; 4] =
    ["seconds_since_last_response", "context_tokens", "prompt_cache_likely_expired", "estimated_cache_write_usd"];

pub(super) fn start(writer: Writer<'_>, start: &SessionStart) -> Written {
    #[derive(Serialize)]
    struct Start<'a> {
        source: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        session_title: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        seconds_since_last_response: Option<&'a RawJson>,
        #[serde(skip_serializing_if = "Option::is_none")]
        context_tokens: Option<&'a RawJson>,
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt_cache_likely_expired: Option<&'a RawJson>,
        #[serde(skip_serializing_if = "Option::is_none")]
        estimated_cache_write_usd: Option<&'a RawJson>,
    }
    let common = writer.common;
    let known = RESUME_FIGURES.at(writer.version) == Some(true);
    let [seconds, tokens, expired, usd] = FIGURES.map(|key| common.extra.get(key).filter(|_| known));
    writer.write(Start {
        source: start.source.as_deref().unwrap_or("startup"),
        model: common.model.as_ref().map(|model| model.slug.as_str()),
        session_title: start.title.as_deref(),
        seconds_since_last_response: seconds,
        context_tokens: tokens,
        prompt_cache_likely_expired: expired,
        estimated_cache_write_usd: usd,
    })
}

pub(super) fn end(writer: Writer<'_>, end: &SessionEnd) -> Written {
    #[derive(Serialize)]
    struct End<'a> {
        reason: &'a str,
    }
    writer.write(End { reason: end.reason.as_deref().unwrap_or("other") })
}

pub(super) fn setup(writer: Writer<'_>, setup: &Setup) -> Written {
    #[derive(Serialize)]
    struct Wanted<'a> {
        trigger: &'a str,
    }
    writer.write(Wanted { trigger: &setup.trigger })
}

pub(super) fn subagent_start(writer: Writer<'_>, start: &SubagentStart) -> Written {
    #[derive(Serialize)]
    struct Start {}
    let id = start.id.as_deref().unwrap_or_default();
    writer.write_as(Some(id), Some(start.kind.as_deref().unwrap_or_default()), Start {})
}

/// The client's own subagents have an empty type (recorded payloads, case `p-compact`). Background tasks and scheduled
/// prompts come from [`hooks_core::envelope::Common::extra`], by the vendor's keys.
pub(super) fn subagent_stop(writer: Writer<'_>, stop: &SubagentStop) -> Written {
    #[derive(Serialize)]
    struct Stop<'a> {
        stop_hook_active: bool,
        agent_transcript_path: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        last_assistant_message: Option<&'a str>,
        background_tasks: List<'a>,
        session_crons: List<'a>,
    }
    let id = stop.id.as_deref().unwrap_or_default();
    let extra = &writer.common.extra;
    let (tasks, crons) = (extra.get("background_tasks"), extra.get("session_crons"));
    writer.write_as(
        Some(id),
        Some(stop.kind.as_deref().unwrap_or_default()),
        Stop {
            stop_hook_active: stop.loop_count > 0,
            agent_transcript_path: stop.transcript_path.as_deref().unwrap_or_default(),
            last_assistant_message: stop.last_message.as_deref(),
            background_tasks: tasks.into(),
            session_crons: crons.into(),
        },
    )
}

/// Instructions are `null` when nobody gave any.
pub(super) fn compact_before(writer: Writer<'_>, compaction: &Compaction) -> Written {
    #[derive(Serialize)]
    struct Before<'a> {
        trigger: &'a str,
        custom_instructions: Option<&'a str>,
    }
    writer.write(Before {
        trigger: compaction.trigger.as_deref().unwrap_or("manual"),
        custom_instructions: compaction.instructions.as_deref(),
    })
}

pub(super) fn compact_after(writer: Writer<'_>, compaction: &Compaction) -> Written {
    #[derive(Serialize)]
    struct After<'a> {
        trigger: &'a str,
        compact_summary: &'a str,
    }
    writer.write(After {
        trigger: compaction.trigger.as_deref().unwrap_or("manual"),
        compact_summary: compaction.summary.as_deref().unwrap_or_default(),
    })
}

pub(super) fn model_switch(writer: Writer<'_>, switch: &ModelSwitch) -> Written {
    #[derive(Serialize)]
    struct Switch<'a> {
        from_model: &'a str,
        to_model: &'a str,
        requested_model: Option<&'a str>,
        source: &'a str,
        #[serde(flatten)]
        details: &'a std::collections::BTreeMap<String, RawJson>,
    }
    writer.write(Switch {
        from_model: &switch.from,
        to_model: &switch.to,
        requested_model: switch.requested.as_deref(),
        source: &switch.source,
        details: &switch.details,
    })
}
