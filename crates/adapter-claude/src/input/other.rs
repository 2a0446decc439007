//! Events about files, worktrees, tasks, tool servers' questions and notifications.

use hooks_core::envelope::Payload;
use hooks_core::json::RawJson;
use hooks_core::outcome::NotRun;
use serde::Serialize;

use super::{Writer, Written};

/// What `Notification` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Notification<'a> {
    /// The text.
    message: &'a str,
    /// The title. Absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    /// What kind of notification it is.
    notification_type: &'a str,
}

/// What the events of a task add to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Task<'a> {
    /// The task's id.
    task_id: &'a str,
    /// What the task is, in a line.
    task_subject: &'a str,
    /// More about the task. Absent where there is no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    task_description: Option<&'a str>,
    /// The teammate that it belongs to. Absent outside of teams.
    #[serde(skip_serializing_if = "Option::is_none")]
    teammate_name: Option<&'a str>,
    /// The team's name. Absent outside of teams; the vendor calls the key outdated.
    #[serde(skip_serializing_if = "Option::is_none")]
    team_name: Option<&'a str>,
}

/// What `TeammateIdle` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Teammate<'a> {
    /// The teammate.
    teammate_name: &'a str,
    /// The team's name; the vendor calls the key outdated.
    team_name: &'a str,
}

/// What `Elicitation` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Elicitation<'a> {
    /// The tool server.
    mcp_server_name: &'a str,
    /// What the user is asked.
    message: &'a str,
    /// How the user answers: `form` or `url`. Absent where the server does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'a str>,
    /// The address to visit, with the mode `url`.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    /// The question's id. Absent where the server gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    elicitation_id: Option<&'a str>,
    /// The schema of the form, with the mode `form`.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    requested_schema: Option<&'a RawJson>,
}

/// What `ElicitationResult` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ElicitationResult<'a> {
    /// The tool server.
    mcp_server_name: &'a str,
    /// How the user answered: `form` or `url`. Absent where the server does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'a str>,
    /// The question's id. Absent where the server gave none.
    #[serde(skip_serializing_if = "Option::is_none")]
    elicitation_id: Option<&'a str>,
    /// The answer: `accept`, `decline` or `cancel`.
    action: &'a str,
    /// The values of the form, beside `accept`.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a RawJson>,
}

/// What `ConfigChange` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Config<'a> {
    /// Which settings changed.
    source: &'a str,
    /// The file. Absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_path: Option<&'a str>,
}

/// What `InstructionsLoaded` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Instructions<'a> {
    /// The file.
    file_path: &'a str,
    /// Whose file it is: `User`, `Project`, `Local` or `Managed`.
    memory_type: &'a str,
    /// Why it was loaded.
    load_reason: &'a str,
    /// The patterns that the file is for. Absent where it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    globs: Option<&'a [String]>,
    /// The file that was read when it was loaded. Absent where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    trigger_file_path: Option<&'a str>,
    /// The file that includes it. Absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_file_path: Option<&'a str>,
}

/// What `CwdChanged` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Cwd<'a> {
    /// The directory before.
    old_cwd: &'a str,
    /// The directory after.
    new_cwd: &'a str,
}

/// What `FileChanged` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct File<'a> {
    /// The file.
    file_path: &'a str,
    /// What happened to it: `change`, `add` or `unlink`.
    event: &'a str,
}

/// What `DirectoryAdded` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Directory<'a> {
    /// The directory.
    directory: &'a str,
    /// What added it.
    source: &'a str,
}

/// What `WorktreeCreate` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct WorktreeWanted<'a> {
    /// The name that the worktree is to have.
    name: &'a str,
}

/// What `WorktreeRemove` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Worktree<'a> {
    /// The worktree's path.
    worktree_path: &'a str,
}

pub(super) fn write(writer: Writer<'_>, payload: &Payload) -> Written {
    match payload {
        Payload::Notification(notification) => writer.write(Notification {
            message: &notification.message,
            title: notification.title.as_deref(),
            notification_type: &notification.kind,
        }),
        Payload::TaskCreated(task) | Payload::TaskCompleted(task) => writer.write(Task {
            task_id: &task.id,
            task_subject: &task.subject,
            task_description: task.description.as_deref(),
            teammate_name: task.teammate.as_deref(),
            team_name: task.team.as_deref(),
        }),
        Payload::TeammateIdle(idle) => writer.write(Teammate { teammate_name: &idle.teammate, team_name: &idle.team }),
        Payload::Elicitation(elicitation) => writer.write(Elicitation {
            mcp_server_name: &elicitation.server,
            message: &elicitation.message,
            mode: elicitation.mode.as_deref(),
            url: elicitation.url.as_deref(),
            elicitation_id: elicitation.id.as_deref(),
            requested_schema: elicitation.schema.as_ref(),
        }),
        Payload::ElicitationResult(result) => writer.write(ElicitationResult {
            mcp_server_name: &result.server,
            mode: result.mode.as_deref(),
            elicitation_id: result.id.as_deref(),
            action: &result.action,
            content: result.content.as_ref(),
        }),
        Payload::ConfigChanged(changed) => {
            writer.write(Config { source: &changed.source, file_path: changed.path.as_deref() })
        }
        Payload::InstructionsLoaded(loaded) => writer.write(Instructions {
            file_path: &loaded.path,
            memory_type: &loaded.memory_type,
            load_reason: &loaded.load_reason,
            globs: loaded.globs.as_deref(),
            trigger_file_path: loaded.trigger_path.as_deref(),
            parent_file_path: loaded.parent_path.as_deref(),
        }),
        Payload::CwdChanged(changed) => writer.write(Cwd { old_cwd: &changed.old, new_cwd: &changed.new }),
        Payload::FileChanged(changed) => writer.write(File { file_path: &changed.path, event: &changed.change }),
        Payload::DirectoryAdded(added) => writer.write(Directory { directory: &added.path, source: &added.source }),
        Payload::WorktreeCreate(wanted) => writer.write(WorktreeWanted { name: &wanted.name }),
        Payload::WorktreeRemove(worktree) => writer.write(Worktree { worktree_path: &worktree.path }),
        _ => Err(NotRun("the event has no payload in this format".to_owned())),
    }
}
