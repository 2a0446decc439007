//! `subagentStart` and `subagentStop`.

use hooks_core::envelope::{SubagentStart, SubagentStop};
use serde::Serialize;

use super::{Writer, Written};

#[derive(Serialize)]
struct Start<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    subagent_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subagent_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_conversation_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subagent_model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_parallel_worker: Option<bool>,
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

#[derive(Serialize)]
struct Stop<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    subagent_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_count: Option<u64>,
    loop_count: u32,
    modified_files: &'a [String],
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
