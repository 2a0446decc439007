//! Events about the session, its subagents, its context and its model.

use std::collections::BTreeMap;

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

/// What `SessionStart` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Start<'a> {
    /// How the session starts.
    source: &'a str,
    /// The model's name. Absent where it is not known; recorded for `compact` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    /// The session's title. Absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    session_title: Option<&'a str>,
    /// Seconds since the last answer. On `resume` and `fork` only, since client 2.1.251.
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_since_last_response: Option<&'a RawJson>,
    /// Tokens of the conversation. On `resume` and `fork` only, since client 2.1.251.
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    context_tokens: Option<&'a RawJson>,
    /// Whether the model's cache of the conversation has probably expired. On `resume` and `fork` only, since client
    /// 2.1.251.
    #[cfg_attr(feature = "schema", schemars(with = "bool"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_likely_expired: Option<&'a RawJson>,
    /// What writing that cache anew would cost, in US dollars. On `resume` and `fork` only, since client 2.1.251.
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated_cache_write_usd: Option<&'a RawJson>,
}

/// What `SessionEnd` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct End<'a> {
    /// Why the session ends.
    reason: &'a str,
}

/// What `Setup` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Wanted<'a> {
    /// What the client was started for.
    trigger: &'a str,
}

/// What an event adds that has the common keys only.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Nothing {}

/// What `SubagentStop` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SubagentEnd<'a> {
    /// Whether a hook already made this subagent go on: a hook that always does so never lets it end.
    stop_hook_active: bool,
    /// The file of the subagent's conversation, in JSON lines.
    agent_transcript_path: &'a str,
    /// The subagent's last message. Absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_assistant_message: Option<&'a str>,
    /// Tasks that run in the background, each with `id`, `type`, `status` and `description`.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<serde_json::Value>"))]
    background_tasks: List<'a>,
    /// Scheduled prompts, each with `id`, `schedule`, `recurring` and `prompt`.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<serde_json::Value>"))]
    session_crons: List<'a>,
}

/// What `PreCompact` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct BeforeCompact<'a> {
    /// Who asked for it.
    trigger: &'a str,
    /// What was typed after `/compact`; `null` when nothing was, or nobody asked.
    custom_instructions: Option<&'a str>,
}

/// What `PostCompact` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct AfterCompact<'a> {
    /// Who asked for it.
    trigger: &'a str,
    /// The summary that takes the conversation's place.
    compact_summary: &'a str,
}

/// What a model switch adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Switch<'a> {
    /// The model before.
    from_model: &'a str,
    /// The model after. Matchers are tested against its canonical name.
    to_model: &'a str,
    /// The name that was asked for; `null` when the switch has no such name.
    requested_model: Option<&'a str>,
    /// What asked for the switch.
    source: &'a str,
    #[cfg_attr(feature = "schema", schemars(with = "Details"))]
    #[serde(flatten)]
    details: &'a BTreeMap<String, RawJson>,
}

/// What the client writes about a model switch beside its models. A host that does not know it leaves it out.
#[cfg(feature = "schema")]
#[derive(Serialize, schemars::JsonSchema)]
struct Details {
    /// Tokens of the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    context_tokens: Option<f64>,
    /// Whether the new model has the conversation in its cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_warm: Option<bool>,
    /// How long the cache keeps it: `5m` or `1h`.
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_ttl: Option<String>,
    /// What writing the cache anew would cost, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated_cache_write_usd: Option<f64>,
    /// Where the price comes from: `configured`, `catalog` or `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pricing: Option<String>,
}

pub(super) fn start(writer: Writer<'_>, start: &SessionStart) -> Written {
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
    writer.write(End { reason: end.reason.as_deref().unwrap_or("other") })
}

pub(super) fn setup(writer: Writer<'_>, setup: &Setup) -> Written {
    writer.write(Wanted { trigger: &setup.trigger })
}

pub(super) fn subagent_start(writer: Writer<'_>, start: &SubagentStart) -> Written {
    let id = start.id.as_deref().unwrap_or_default();
    writer.write_as(Some(id), Some(start.kind.as_deref().unwrap_or_default()), Nothing {})
}

/// The client's own subagents have an empty type (recorded payloads, case `p-compact`). Background tasks and scheduled
/// prompts come from [`hooks_core::envelope::Common::extra`], by the vendor's keys.
pub(super) fn subagent_stop(writer: Writer<'_>, stop: &SubagentStop) -> Written {
    let id = stop.id.as_deref().unwrap_or_default();
    let extra = &writer.common.extra;
    let (tasks, crons) = (extra.get("background_tasks"), extra.get("session_crons"));
    writer.write_as(
        Some(id),
        Some(stop.kind.as_deref().unwrap_or_default()),
        SubagentEnd {
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
    writer.write(BeforeCompact {
        trigger: compaction.trigger.as_deref().unwrap_or("manual"),
        custom_instructions: compaction.instructions.as_deref(),
    })
}

pub(super) fn compact_after(writer: Writer<'_>, compaction: &Compaction) -> Written {
    writer.write(AfterCompact {
        trigger: compaction.trigger.as_deref().unwrap_or("manual"),
        compact_summary: compaction.summary.as_deref().unwrap_or_default(),
    })
}

pub(super) fn model_switch(writer: Writer<'_>, switch: &ModelSwitch) -> Written {
    writer.write(Switch {
        from_model: &switch.from,
        to_model: &switch.to,
        requested_model: switch.requested.as_deref(),
        source: &switch.source,
        details: &switch.details,
    })
}
