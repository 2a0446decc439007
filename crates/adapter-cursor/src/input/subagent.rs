//! `subagentStart` and `subagentStop`.

use hooks_core::envelope::{SubagentStart, SubagentStop};
use serde::Serialize;

use super::{Writer, Written};

/// What `subagentStart` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Start<'a> {
    /// The subagent's id; absent when it has none yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    subagent_id: Option<&'a str>,
    /// The subagent's type; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    subagent_type: Option<&'a str>,
    /// What it is to do; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a str>,
    /// The conversation that starts it; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_conversation_id: Option<&'a str>,
    /// The call that starts it; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
    /// The model it runs on; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    subagent_model: Option<&'a str>,
    /// Whether it runs beside others; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_parallel_worker: Option<bool>,
    /// The branch it works on; absent when it has none of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    git_branch: Option<&'a str>,
}

pub(super) fn start(writer: Writer<'_>, start: &SubagentStart) -> Written {
    writer.line(&Start {
        subagent_id: start.id.as_deref(),
        subagent_type: start.kind.as_deref(),
        task: start.task.as_deref(),
        parent_conversation_id: start.parent_session_id.as_deref(),
        tool_call_id: start.tool_use_id.as_deref(),
        subagent_model: start.model.as_deref(),
        is_parallel_worker: start.parallel,
        git_branch: start.git_branch.as_deref(),
    })
}

/// What `subagentStop` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Stop<'a> {
    /// The subagent's type; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    subagent_type: Option<&'a str>,
    /// How it ended; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a str>,
    /// What it was to do; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a str>,
    /// What it was for, in a few words; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    /// What it says about its work; absent when it says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
    /// Milliseconds that it took; absent when they were not measured.
    #[cfg_attr(feature = "schema", schemars(with = "f64", range(min = 0)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    /// How many messages it exchanged; absent when they were not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    message_count: Option<u64>,
    /// How many tools it used; absent when they were not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_count: Option<u64>,
    /// How many follow-ups hooks have asked for so far, from 0.
    loop_count: u32,
    /// The files it changed.
    modified_files: &'a [String],
    /// The subagent's own transcript; null when there is none.
    agent_transcript_path: Option<&'a str>,
}

pub(super) fn stop(writer: Writer<'_>, stop: &SubagentStop) -> Written {
    writer.line(&Stop {
        subagent_type: stop.kind.as_deref(),
        status: stop.status.as_deref(),
        task: stop.task.as_deref(),
        description: stop.description.as_deref(),
        summary: stop.summary.as_deref(),
        duration_ms: stop.duration_ms,
        message_count: stop.message_count,
        tool_call_count: stop.tool_call_count,
        loop_count: stop.loop_count,
        modified_files: &stop.modified_files,
        agent_transcript_path: stop.transcript_path.as_deref(),
    })
}
