//! Payloads of the two events around a compaction: no `permission_mode` (section 14).

use hooks_core::envelope::Compaction;
use hooks_core::facts::EventFacts;
use serde::Serialize;

use super::{Known, is_word};

/// A compaction nobody asked for.
const AUTO: &str = "auto";

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PreCompact<'e> {
    session_id: &'e str,
    turn_id: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_type: Option<&'e str>,
    transcript_path: Option<&'e str>,
    cwd: &'e str,
    hook_event_name: &'static str,
    model: &'e str,
    trigger: &'e str,
}

impl<'e> PreCompact<'e> {
    pub(super) fn of(known: &Known<'e>, trigger: &'e str) -> Self {
        Self {
            session_id: known.session_id,
            turn_id: known.turn_id,
            agent_id: known.agent_id(),
            agent_type: known.agent_type(),
            transcript_path: known.transcript_path,
            cwd: known.cwd,
            hook_event_name: known.hook_event_name,
            model: known.model,
            trigger,
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PostCompact<'e> {
    session_id: &'e str,
    turn_id: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_type: Option<&'e str>,
    transcript_path: Option<&'e str>,
    cwd: &'e str,
    hook_event_name: &'static str,
    model: &'e str,
    trigger: &'e str,
}

impl<'e> PostCompact<'e> {
    pub(super) fn of(known: &Known<'e>, trigger: &'e str) -> Self {
        Self {
            session_id: known.session_id,
            turn_id: known.turn_id,
            agent_id: known.agent_id(),
            agent_type: known.agent_type(),
            transcript_path: known.transcript_path,
            cwd: known.cwd,
            hook_event_name: known.hook_event_name,
            model: known.model,
            trigger,
        }
    }
}

/// What set the compaction off, as one of the event's words: the vendor has no others, so that another host's is none.
pub(crate) fn trigger<'e>(facts: &EventFacts, compaction: &'e Compaction) -> &'e str {
    compaction.trigger.as_deref().filter(|word| is_word(facts, word)).unwrap_or(AUTO)
}
