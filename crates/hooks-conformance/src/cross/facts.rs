//! What an occurrence says, as named facts that vendors' payloads can be compared by.

use std::collections::BTreeMap;

use hooks_core::envelope::{
    AgentIdentity, Common, Compaction, HostInfo, Payload, PermissionRequest, Prompt, SessionEnd, SessionStart,
    SubagentStart, SubagentStop, ToolFailed, ToolReturned, ToolUse, TurnStop,
};
use hooks_core::tool::{Edit, Mcp, Read, ResultKind, Shell, ToolAction};
use hooks_core::{Envelope, RawJson};
use serde_json::{Value, json};

/// The facts of an occurrence by name; what is not known is absent.
pub type Facts = BTreeMap<&'static str, Value>;

/// Every fact of an occurrence on a boundary that several vendors have; of other boundaries only what all have in common.
///
/// Structs are taken apart field by field, so that a new field is named here or does not compile.
#[must_use]
pub fn facts(envelope: &Envelope) -> Facts {
    let mut facts = Facts::new();
    common(&envelope.common, &mut facts);
    let cwd = &envelope.common.cwd;
    let mut add = |name, value: Value| {
        if !value.is_null() {
            facts.insert(name, value);
        }
    };
    match &envelope.payload {
        Payload::SessionStart(SessionStart { source, background, mode, title }) => {
            add("source", json!(source));
            add("background", json!(background));
            add("mode", json!(mode));
            add("title", json!(title));
        }
        Payload::SessionEnd(SessionEnd { reason, duration_ms, background, final_status, error_message }) => {
            add("reason", json!(reason));
            add("duration", json!(duration_ms));
            add("background", json!(background));
            add("final status", json!(final_status));
            add("error", json!(error_message));
        }
        Payload::PromptSubmit(Prompt { text, provenance, attachments, session_title }) => {
            add("prompt", json!(text));
            add("provenance", json!(format!("{provenance:?}")));
            let files: Vec<&str> = attachments.iter().map(|attachment| attachment.path.as_str()).collect();
            add("attachments", if files.is_empty() { Value::Null } else { json!(files) });
            add("session title", json!(session_title));
        }
        Payload::ToolBefore(tool) => tool_use(tool, cwd, &mut add),
        Payload::PermissionRequest(PermissionRequest { tool, origin, justification, suggestions }) => {
            tool_use(tool, cwd, &mut add);
            add("origin", json!(format!("{origin:?}")));
            add("justification", json!(justification));
            add("suggestions", json!(suggestions.as_ref().map(RawJson::to_value)));
        }
        Payload::ToolResult(ToolReturned { tool, result, duration_ms }) => {
            tool_use(tool, cwd, &mut add);
            add("result", outcome(&result.kind));
            add("duration", json!(duration_ms));
        }
        Payload::ToolFailure(ToolFailed { tool, error, kind, duration_ms, cancellation_reason }) => {
            tool_use(tool, cwd, &mut add);
            add("error", json!(error));
            add("failure", json!(format!("{kind:?}")));
            add("duration", json!(duration_ms));
            add("cancellation", json!(cancellation_reason));
        }
        Payload::SubagentStart(start) => {
            let SubagentStart { id, kind, task, parent_session_id, tool_use_id, model, parallel, git_branch } = start;
            add("subagent", json!(id));
            add("subagent type", json!(kind));
            add("task", json!(task));
            add("parent session", json!(parent_session_id));
            add("call id", json!(tool_use_id));
            add("subagent model", json!(model));
            add("parallel", json!(parallel));
            add("branch", json!(git_branch));
        }
        Payload::SubagentStop(stop) => {
            let SubagentStop {
                id,
                kind,
                status,
                task,
                description,
                summary,
                duration_ms,
                message_count,
                tool_call_count,
                loop_count,
                modified_files,
                transcript_path,
                last_message,
            } = stop;
            add("subagent", json!(id));
            add("subagent type", json!(kind));
            add("status", json!(status));
            add("task", json!(task));
            add("description", json!(description));
            add("summary", json!(summary));
            add("duration", json!(duration_ms));
            add("messages", json!(message_count));
            add("calls", json!(tool_call_count));
            add("goes on already", json!(*loop_count > 0));
            add("modified files", if modified_files.is_empty() { Value::Null } else { json!(modified_files) });
            add("subagent transcript", json!(transcript_path));
            add("last message", json!(last_message));
        }
        Payload::CompactBefore(compaction) | Payload::CompactAfter(compaction) => {
            let Compaction {
                trigger,
                instructions,
                summary,
                usage_percent,
                tokens,
                window,
                message_count,
                messages_to_compact,
                first,
            } = compaction;
            add("trigger", json!(trigger));
            add("instructions", json!(instructions.as_ref().filter(|text| !text.is_empty())));
            add("summary", json!(summary));
            add("usage", json!(usage_percent));
            add("tokens", json!(tokens));
            add("window", json!(window));
            add("messages", json!(message_count));
            add("messages to compact", json!(messages_to_compact));
            add("first", json!(first));
        }
        Payload::TurnStop(TurnStop { status, loop_count, last_message, background_tasks, session_crons }) => {
            add("status", json!(status));
            add("goes on already", json!(*loop_count > 0));
            add("last message", json!(last_message));
            let some =
                |raw: &Option<RawJson>| json!(raw.as_ref().map(RawJson::to_value).filter(|raw| *raw != json!([])));
            add("background tasks", some(background_tasks));
            add("scheduled prompts", some(session_crons));
        }
        _ => {}
    }
    facts
}

fn common(common: &Common, facts: &mut Facts) {
    let Common {
        session_id,
        turn_id,
        prompt_id,
        cwd,
        project_dir,
        workspace_roots,
        model,
        permission_mode,
        effort,
        transcript_path,
        user_email,
        host: HostInfo { name: host, version },
        agent,
        remote,
        scratchpad_dir,
        extra,
    } = common;
    let some = |text: &str| json!(Some(text).filter(|text| !text.is_empty()));
    let (agent_id, agent_type) = match agent {
        Some(AgentIdentity { id, kind }) => (json!(id), json!(kind)),
        None => (Value::Null, Value::Null),
    };
    let all = [
        ("session", some(session_id)),
        ("turn", json!(turn_id)),
        ("prompt id", json!(prompt_id)),
        ("directory", some(cwd)),
        ("project", json!(project_dir)),
        ("roots", if workspace_roots.is_empty() { Value::Null } else { json!(workspace_roots) }),
        ("model", json!(model.as_ref().map(|model| &model.slug))),
        ("permission mode", json!(permission_mode)),
        ("effort", json!(effort)),
        ("transcript", json!(transcript_path)),
        ("user", json!(user_email)),
        ("host", some(host)),
        ("host version", some(version)),
        ("agent", agent_id),
        ("agent type", agent_type),
        ("remote", json!(remote.then_some(true))),
        ("scratch directory", json!(scratchpad_dir)),
        // A payload of our own has none.
        ("unknown keys", json!((!extra.is_empty()).then(|| format!("{extra:?}")))),
    ];
    facts.extend(all.into_iter().filter(|(_, value)| !value.is_null()));
}

fn tool_use(tool: &ToolUse, cwd: &str, add: &mut impl FnMut(&'static str, Value)) {
    let ToolUse { id, call } = tool;
    add("call id", json!(id));
    add("call", json!(call.action.kind()));
    match &call.action {
        ToolAction::Shell(shell) => {
            let Shell {
                command,
                cwd: own,
                description,
                timeout_ms,
                background,
                sandbox,
                is_read_only,
                is_risky,
                wait_until_completion,
                uses_pager,
                rationale,
            } = shell;
            add("command", json!(command));
            add("command directory", json!(own.as_deref().unwrap_or(cwd)));
            add("command description", json!(description));
            add("time limit", json!(timeout_ms));
            add("in the background", json!(background));
            add("in a sandbox", json!(sandbox));
            add("only reads", json!(is_read_only));
            add("risky", json!(is_risky));
            add("waits", json!(wait_until_completion));
            add("pager", json!(uses_pager));
            add("rationale", json!(rationale));
        }
        ToolAction::Read(Read { path, offset, limit, content }) => {
            add("file", json!(path));
            add("offset", json!(offset));
            add("limit", json!(limit));
            add("content", json!(content));
        }
        ToolAction::Edit(Edit { path, edits }) => {
            add("file", json!(path));
            let edits = edits.iter().map(|edit| json!([edit.old, edit.new, edit.replace_all])).collect::<Vec<_>>();
            add("edits", json!(edits));
        }
        ToolAction::Mcp(Mcp { server, tool, arguments, server_url, server_command, .. }) => {
            add("server", json!(Some(server).filter(|server| !server.is_empty())));
            add("tool", json!(tool));
            add("arguments", arguments.to_value());
            add("server address", json!(server_url));
            add("server command", json!(server_command));
        }
        other => add("other call", json!(format!("{other:?}"))),
    }
}

/// A result by the text or the value in it.
fn outcome(kind: &ResultKind) -> Value {
    match kind {
        ResultKind::Shell(shell) => json!(shell.output),
        ResultKind::Text(text) => json!(text),
        ResultKind::File(file) => json!(file.content),
        ResultKind::Files(files) => json!(files),
        ResultKind::Mcp(mcp) => mcp.result.to_value(),
        ResultKind::Json(raw) => raw.to_value(),
        ResultKind::Empty => Value::Null,
        other => json!(format!("{other:?}")),
    }
}
