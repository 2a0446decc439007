//! Events about files, worktrees, tasks, tool servers' questions and notifications.

use hooks_core::envelope::Payload;
use hooks_core::json::RawJson;
use hooks_core::outcome::NotRun;
use serde::Serialize;

use super::{Writer, Written};

/// The keys of the events that carry a handful of texts.
#[derive(Serialize)]
#[serde(untagged)]
enum Keys<'a> {
    Notification {
        message: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<&'a str>,
        notification_type: &'a str,
    },
    Task {
        task_id: &'a str,
        task_subject: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        task_description: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        teammate_name: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        team_name: Option<&'a str>,
    },
    Teammate {
        teammate_name: &'a str,
        team_name: &'a str,
    },
    Elicitation {
        mcp_server_name: &'a str,
        message: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        mode: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        url: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        elicitation_id: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        requested_schema: Option<&'a RawJson>,
    },
    ElicitationResult {
        mcp_server_name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        mode: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        elicitation_id: Option<&'a str>,
        action: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'a RawJson>,
    },
    Config {
        source: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        file_path: Option<&'a str>,
    },
    Instructions {
        file_path: &'a str,
        memory_type: &'a str,
        load_reason: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        globs: Option<&'a [String]>,
        #[serde(skip_serializing_if = "Option::is_none")]
        trigger_file_path: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_file_path: Option<&'a str>,
    },
    Cwd {
        old_cwd: &'a str,
        new_cwd: &'a str,
    },
    File {
        file_path: &'a str,
        event: &'a str,
    },
    Directory {
        directory: &'a str,
        source: &'a str,
    },
    WorktreeWanted {
        name: &'a str,
    },
    Worktree {
        worktree_path: &'a str,
    },
}

pub(super) fn write(writer: Writer<'_>, payload: &Payload) -> Written {
    let keys = match payload {
        Payload::Notification(notification) => Keys::Notification {
            message: &notification.message,
            title: notification.title.as_deref(),
            notification_type: &notification.kind,
        },
        Payload::TaskCreated(task) | Payload::TaskCompleted(task) => Keys::Task {
            task_id: &task.id,
            task_subject: &task.subject,
            task_description: task.description.as_deref(),
            teammate_name: task.teammate.as_deref(),
            team_name: task.team.as_deref(),
        },
        Payload::TeammateIdle(idle) => Keys::Teammate { teammate_name: &idle.teammate, team_name: &idle.team },
        Payload::Elicitation(elicitation) => Keys::Elicitation {
            mcp_server_name: &elicitation.server,
            message: &elicitation.message,
            mode: elicitation.mode.as_deref(),
            url: elicitation.url.as_deref(),
            elicitation_id: elicitation.id.as_deref(),
            requested_schema: elicitation.schema.as_ref(),
        },
        Payload::ElicitationResult(result) => Keys::ElicitationResult {
            mcp_server_name: &result.server,
            mode: result.mode.as_deref(),
            elicitation_id: result.id.as_deref(),
            action: &result.action,
            content: result.content.as_ref(),
        },
        Payload::ConfigChanged(changed) => Keys::Config { source: &changed.source, file_path: changed.path.as_deref() },
        Payload::InstructionsLoaded(loaded) => Keys::Instructions {
            file_path: &loaded.path,
            memory_type: &loaded.memory_type,
            load_reason: &loaded.load_reason,
            globs: loaded.globs.as_deref(),
            trigger_file_path: loaded.trigger_path.as_deref(),
            parent_file_path: loaded.parent_path.as_deref(),
        },
        Payload::CwdChanged(changed) => Keys::Cwd { old_cwd: &changed.old, new_cwd: &changed.new },
        Payload::FileChanged(changed) => Keys::File { file_path: &changed.path, event: &changed.change },
        Payload::DirectoryAdded(added) => Keys::Directory { directory: &added.path, source: &added.source },
        Payload::WorktreeCreate(wanted) => Keys::WorktreeWanted { name: &wanted.name },
        Payload::WorktreeRemove(worktree) => Keys::Worktree { worktree_path: &worktree.path },
        _ => return Err(NotRun("the event has no payload in this format".to_owned())),
    };
    writer.write(keys)
}
