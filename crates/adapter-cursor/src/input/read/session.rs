//! Sessions, subagents and prompts.

use hooks_core::adapter::StdinError;
use hooks_core::envelope::{
    Attachment, Payload, Prompt, Provenance, SessionEnd, SessionStart, SubagentStart, SubagentStop,
};

use super::fields::{Fields, Key};
use super::lacks;

pub(super) fn start(fields: &mut Fields<'_>) -> Payload {
    Payload::SessionStart(SessionStart {
        source: None,
        background: fields.flag(Key::IsBackgroundAgent),
        mode: fields.text(Key::ComposerMode),
        title: None,
    })
}

pub(super) fn end(fields: &mut Fields<'_>) -> Payload {
    Payload::SessionEnd(SessionEnd {
        reason: fields.text(Key::Reason),
        duration_ms: fields.count(Key::DurationMs),
        background: fields.flag(Key::IsBackgroundAgent),
        final_status: fields.text(Key::FinalStatus),
        error_message: fields.text(Key::ErrorMessage),
    })
}

pub(super) fn subagent_start(fields: &mut Fields<'_>) -> Payload {
    Payload::SubagentStart(SubagentStart {
        id: fields.text(Key::SubagentId),
        kind: fields.text(Key::SubagentType),
        task: fields.text(Key::Task),
        parent_session_id: fields.text(Key::ParentConversationId),
        tool_use_id: fields.text(Key::ToolCallId),
        model: fields.text(Key::SubagentModel),
        parallel: fields.flag(Key::IsParallelWorker),
        git_branch: fields.text(Key::GitBranch),
    })
}

pub(super) fn subagent_stop(fields: &mut Fields<'_>) -> Payload {
    Payload::SubagentStop(SubagentStop {
        id: None,
        kind: fields.text(Key::SubagentType),
        status: fields.text(Key::Status),
        task: fields.text(Key::Task),
        description: fields.text(Key::Description),
        summary: fields.text(Key::Summary),
        duration_ms: fields.count(Key::DurationMs),
        message_count: fields.count(Key::MessageCount),
        tool_call_count: fields.count(Key::ToolCallCount),
        loop_count: fields.small_count(Key::LoopCount),
        modified_files: fields.texts(Key::ModifiedFiles).unwrap_or_default(),
        transcript_path: fields.text(Key::AgentTranscriptPath),
        last_message: None,
    })
}

/// Cursor's hooks see what a person sends.
pub(super) fn prompt(fields: &mut Fields<'_>) -> Result<Payload, StdinError> {
    let text = fields.text(Key::Prompt).ok_or_else(|| lacks(Key::Prompt))?;
    let attachments = fields
        .objects(Key::Attachments, |one| Some(Attachment { kind: one.text("type"), path: one.text("file_path")? }));
    let attachments = attachments.unwrap_or_default();
    Ok(Payload::PromptSubmit(Prompt { text, provenance: Provenance::User, attachments, session_title: None }))
}
