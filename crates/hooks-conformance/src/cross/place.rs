//! The places of an occurrence: every field that a payload could tell, by the name of the fact that stands in it.
//!
//! Structs are taken apart field by field, so that a new field is named here or does not compile. What can be read off a
//! place and what can be put there both follow from its [`Slot`]: the facts of an occurrence and its variations are one
//! list.

use hooks_core::Envelope;
use hooks_core::envelope::{
    AgentText, BatchCall, Common, Compaction, ConfigChanged, CwdChanged, DirectoryAdded, Display, Elicitation,
    ElicitationResult, FileChanged, HostInfo, InstructionsLoaded, Model, ModelRequest, ModelSwitch, Notification,
    Payload, PermissionDenied, PermissionRequest, Prompt, PromptExpansion, SessionEnd, SessionStart, Setup,
    SkillShellCommand, SubagentStart, SubagentStop, Task, TeammateIdle, ToolBatch, ToolFailed, ToolReturned, ToolUse,
    TurnFailure, TurnInterrupt, TurnStop, WorktreeCreate, WorktreeRemove,
};
use hooks_core::tool::{
    Edit, FileContent, Mcp, McpResult, Read, ResultKind, Shell, ShellResult, TextEdit, ToolAction, ToolResult,
};

use super::slot::Slot;

/// One place of an occurrence.
pub(super) struct Place<'e> {
    /// The name of the fact.
    pub(super) fact: &'static str,
    /// What stands there.
    pub(super) slot: Slot<'e>,
}

/// Every place of an occurrence, in the order of the types.
pub(super) fn places(envelope: &mut Envelope) -> Vec<Place<'_>> {
    let Envelope { common, payload } = envelope;
    let mut all = Vec::new();
    add_common(&mut all, common);
    add_payload(&mut all, payload);
    all
}

/// Adds places: each fact with the kind of its slot and the field.
macro_rules! add {
    ($all:ident: $( $fact:literal => $slot:ident($field:expr $(, $more:expr)?) ),* $(,)?) => {
        $all.extend([ $( Place { fact: $fact, slot: Slot::$slot($field $(, $more)?) } ),* ])
    };
}

fn add_common<'e>(all: &mut Vec<Place<'e>>, common: &'e mut Common) {
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
        host: HostInfo { name, version },
        agent,
        remote,
        scratchpad_dir,
        // What core has no place for: a payload of our own has nothing in it.
        extra: _,
    } = common;
    add!(all:
        "session" => Text(session_id),
        "turn" => MaybeText(turn_id),
        "prompt id" => MaybeText(prompt_id),
        "directory" => Path(cwd),
        "project" => MaybePath(project_dir),
        "roots" => Paths(workspace_roots),
        "permission mode" => MaybeWord(permission_mode, &["default", "plan", "acceptEdits", "bypassPermissions"]),
        "effort" => MaybeWord(effort, &["low", "medium", "high"]),
        "transcript" => MaybePath(transcript_path),
        "user" => MaybeText(user_email),
        "host" => Text(name),
        "host version" => Text(version),
        "agent" => Agent(agent),
        "remote" => Flag(remote),
        "scratch directory" => MaybePath(scratchpad_dir),
    );
    match model {
        Some(Model { slug, id, params }) => {
            add!(all: "model" => Text(slug), "model id" => MaybeText(id), "model parameters" => Params(params));
        }
        None => add!(all: "model" => Model(model)),
    }
}

#[expect(clippy::too_many_lines, reason = "one arm for each kind of payload, each the list of its fields")]
fn add_payload<'e>(all: &mut Vec<Place<'e>>, payload: &'e mut Payload) {
    match payload {
        Payload::SessionStart(SessionStart { source, background, mode, title }) => add!(all:
            "source" => MaybeWord(source, &["startup", "resume", "clear", "compact"]),
            "background" => MaybeFlag(background),
            "mode" => MaybeText(mode),
            "title" => MaybeText(title),
        ),
        Payload::SessionEnd(SessionEnd { reason, duration_ms, background, final_status, error_message }) => add!(all:
            "reason" => MaybeWord(reason, &["clear", "logout", "other"]),
            "duration" => MaybeNumber(duration_ms),
            "background" => MaybeFlag(background),
            "final status" => MaybeText(final_status),
            "error" => MaybeText(error_message),
        ),
        Payload::PromptSubmit(Prompt { text, provenance, attachments, session_title }) => add!(all:
            "prompt" => Text(text),
            "provenance" => Provenance(provenance),
            "attachments" => Attachments(attachments),
            "session title" => MaybeText(session_title),
        ),
        Payload::ToolBefore(tool) => add_tool(all, tool),
        Payload::PermissionRequest(PermissionRequest { tool, origin, justification, suggestions }) => {
            add_tool(all, tool);
            add!(all:
                "origin" => Origin(origin),
                "justification" => MaybeText(justification),
                "suggestions" => MaybeArray(suggestions),
            );
        }
        Payload::ToolResult(ToolReturned { tool, result, duration_ms }) => {
            add_tool(all, tool);
            add_result(all, result);
            add!(all: "duration" => MaybeNumber(duration_ms));
        }
        Payload::ToolFailure(ToolFailed { tool, error, kind, duration_ms, cancellation_reason }) => {
            add_tool(all, tool);
            add!(all:
                "error" => Text(error),
                "failure" => Failure(kind),
                "duration" => MaybeNumber(duration_ms),
                "cancellation" => MaybeText(cancellation_reason),
            );
        }
        Payload::SubagentStart(start) => {
            let SubagentStart { id, kind, task, parent_session_id, tool_use_id, model, parallel, git_branch } = start;
            add!(all:
                "subagent" => MaybeText(id),
                "subagent type" => MaybeText(kind),
                "task" => MaybeText(task),
                "parent session" => MaybeText(parent_session_id),
                "call id" => MaybeText(tool_use_id),
                "subagent model" => MaybeText(model),
                "parallel" => MaybeFlag(parallel),
                "branch" => MaybeText(git_branch),
            );
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
            add!(all:
                "subagent" => MaybeText(id),
                "subagent type" => MaybeText(kind),
                "status" => MaybeWord(status, &["completed", "error", "aborted"]),
                "task" => MaybeText(task),
                "description" => MaybeText(description),
                "summary" => MaybeText(summary),
                "duration" => MaybeNumber(duration_ms),
                "messages" => MaybeNumber(message_count),
                "calls" => MaybeNumber(tool_call_count),
                "goes on already" => Rounds(loop_count),
                "modified files" => Paths(modified_files),
                "subagent transcript" => MaybePath(transcript_path),
                "last message" => MaybeText(last_message),
            );
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
            add!(all:
                "trigger" => MaybeWord(trigger, &["auto", "manual"]),
                "instructions" => MaybeText(instructions),
                "summary" => MaybeText(summary),
                "usage" => Percent(usage_percent),
                "tokens" => MaybeNumber(tokens),
                "window" => MaybeNumber(window),
                "messages" => MaybeNumber(message_count),
                "messages to compact" => MaybeNumber(messages_to_compact),
                "first" => MaybeFlag(first),
            );
        }
        Payload::TurnStop(TurnStop { status, loop_count, last_message, background_tasks, session_crons }) => add!(all:
            "status" => MaybeWord(status, &["completed", "aborted", "error"]),
            "goes on already" => Rounds(loop_count),
            "last message" => MaybeText(last_message),
            "background tasks" => MaybeArray(background_tasks),
            "scheduled prompts" => MaybeArray(session_crons),
        ),
        Payload::TurnFailure(TurnFailure { error, details, last_message }) => add!(all:
            "error" => Word(error, &["server_error", "rate_limit", "unknown"]),
            "details" => MaybeText(details),
            "last message" => MaybeText(last_message),
        ),
        Payload::AgentResponse(AgentText { text, duration_ms })
        | Payload::AgentThought(AgentText { text, duration_ms }) => {
            add!(all: "text" => Text(text), "duration" => MaybeNumber(duration_ms));
        }
        Payload::Notification(Notification { message, title, kind }) => {
            add!(all: "message" => Text(message), "title" => MaybeText(title), "kind" => Text(kind));
        }
        Payload::PermissionDenied(PermissionDenied { tool, reason }) => {
            add_tool(all, tool);
            add!(all: "reason" => Text(reason));
        }
        Payload::ToolBatch(ToolBatch { calls }) => {
            if let [BatchCall { tool, response }] = calls.as_mut_slice() {
                add_tool(all, tool);
                add!(all: "result" => Object(response));
            }
        }
        Payload::PromptExpansion(PromptExpansion { kind, command, arguments, source, prompt }) => add!(all:
            "kind" => Word(kind, &["slash_command", "mcp_prompt"]),
            "command" => Text(command),
            "arguments" => Text(arguments),
            "source" => MaybeText(source),
            "prompt" => Text(prompt),
        ),
        Payload::ModelRequestBefore(request) | Payload::ModelRequestAfter(request) => {
            let ModelRequest { kind, request_id, attempt, thread_id, status, error, token_usage, response_id } =
                request;
            add!(all:
                "kind" => Text(kind),
                "request" => Text(request_id),
                "attempt" => Number(attempt),
                "thread" => MaybeText(thread_id),
                "status" => MaybeWord(status, &["completed", "failed"]),
                "error" => MaybeObject(error),
                "tokens" => MaybeObject(token_usage),
                "response" => MaybeText(response_id),
            );
        }
        Payload::ModelSwitchBefore(switch) | Payload::ModelSwitchAfter(switch) => {
            // The details are in a vendor's own form, by its keys.
            let ModelSwitch { from, to, requested, source, details: _ } = switch;
            add!(all:
                "model before" => Text(from),
                "model after" => Text(to),
                "wanted model" => MaybeText(requested),
                "source" => Text(source),
            );
        }
        Payload::InstructionsLoaded(loaded) => {
            let InstructionsLoaded { path, memory_type, load_reason, globs, trigger_path, parent_path } = loaded;
            add!(all:
                "file" => Path(path),
                "kind" => Word(memory_type, &["User", "Project", "Local", "Managed"]),
                "reason" => Word(load_reason, &["session_start", "nested_traversal", "include", "compact"]),
                "patterns" => MaybeTexts(globs),
                "used file" => MaybePath(trigger_path),
                "including file" => MaybePath(parent_path),
            );
        }
        Payload::ConfigChanged(ConfigChanged { source, path }) => add!(all:
            "source" => Word(source, &["user_settings", "project_settings", "local_settings", "skills"]),
            "file" => MaybePath(path),
        ),
        Payload::CwdChanged(CwdChanged { old, new }) => {
            add!(all: "old directory" => Path(old), "new directory" => Path(new));
        }
        Payload::FileChanged(FileChanged { path, change }) => {
            add!(all: "file" => Path(path), "change" => Word(change, &["add", "change", "unlink"]));
        }
        Payload::DirectoryAdded(DirectoryAdded { path, source }) => {
            add!(all: "added directory" => Path(path), "source" => Text(source));
        }
        Payload::WorktreeCreate(WorktreeCreate { name }) => add!(all: "name" => Text(name)),
        Payload::WorktreeRemove(WorktreeRemove { path }) => add!(all: "worktree" => Path(path)),
        Payload::TaskCreated(task) | Payload::TaskCompleted(task) => {
            let Task { id, subject, description, teammate, team } = task;
            add!(all:
                "task id" => Text(id),
                "subject" => Text(subject),
                "description" => MaybeText(description),
                "teammate" => MaybeText(teammate),
                "team" => MaybeText(team),
            );
        }
        Payload::TeammateIdle(TeammateIdle { teammate, team }) => {
            add!(all: "teammate" => Text(teammate), "team" => Text(team));
        }
        Payload::Elicitation(Elicitation { server, message, mode, url, id, schema }) => add!(all:
            "server" => Text(server),
            "message" => Text(message),
            "mode" => MaybeWord(mode, &["form", "url"]),
            "address" => MaybeText(url),
            "question" => MaybeText(id),
            "schema" => MaybeObject(schema),
        ),
        Payload::ElicitationResult(ElicitationResult { server, action, mode, id, content }) => add!(all:
            "server" => Text(server),
            "action" => Word(action, &["accept", "decline", "cancel"]),
            "mode" => MaybeWord(mode, &["form", "url"]),
            "question" => MaybeText(id),
            "answer" => MaybeObject(content),
        ),
        Payload::Setup(Setup { trigger }) => add!(all: "trigger" => Word(trigger, &["init", "maintenance"])),
        Payload::Display(Display { message_id, index, last, text }) => add!(all:
            "message" => Text(message_id),
            "piece" => Number(index),
            "last piece" => Flag(last),
            "text" => Text(text),
        ),
        Payload::SkillShellCommand(SkillShellCommand { tool, command_name, command_source, invoked_by }) => {
            add_tool(all, tool);
            add!(all:
                "skill" => Text(command_name),
                "source" => MaybeText(command_source),
                "invoked by" => Text(invoked_by),
            );
        }
        Payload::TurnInterrupt(TurnInterrupt) => {}
        // A kind of payload that is newer than this list: the test that every occurrence has places finds it.
        _ => {}
    }
}

fn add_tool<'e>(all: &mut Vec<Place<'e>>, tool: &'e mut ToolUse) {
    let ToolUse { id, call } = tool;
    add!(all: "call id" => MaybeText(id));
    match &mut call.action {
        ToolAction::Shell(shell) => {
            let Shell {
                command,
                cwd,
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
            add!(all:
                "command" => Text(command),
                "command directory" => MaybePath(cwd),
                "command description" => MaybeText(description),
                "time limit" => MaybeNumber(timeout_ms),
                "in the background" => MaybeFlag(background),
                "in a sandbox" => MaybeFlag(sandbox),
                "only reads" => MaybeFlag(is_read_only),
                "risky" => MaybeFlag(is_risky),
                "waits" => MaybeFlag(wait_until_completion),
                "pager" => MaybeFlag(uses_pager),
                "rationale" => MaybeText(rationale),
            );
        }
        ToolAction::Read(Read { path, offset, limit, content }) => add!(all:
            "file" => Path(path),
            "offset" => MaybeNumber(offset),
            "limit" => MaybeNumber(limit),
            "content" => MaybeText(content),
        ),
        ToolAction::Edit(Edit { path, edits }) => {
            let (mut before, mut after, mut every) = (Vec::new(), Vec::new(), Vec::new());
            for TextEdit { old, new, replace_all } in edits {
                before.push(old);
                after.push(new);
                every.push(replace_all);
            }
            add!(all:
                "file" => Path(path),
                "replaced text" => Parts(before),
                "new text" => Parts(after),
                "every occurrence" => PartFlags(every),
            );
        }
        ToolAction::Mcp(mcp) => {
            let Mcp { server, tool, arguments, server_url, server_command, server_id, server_source } = mcp;
            add!(all:
                "server" => Name(server),
                "tool" => Name(tool),
                "arguments" => Object(arguments),
                "server address" => MaybeText(server_url),
                "server command" => MaybeText(server_command),
                "server id" => MaybeText(server_id),
                "server source" => MaybeText(server_source),
            );
        }
        // Other calls are compared whole.
        _ => {}
    }
}

fn add_result<'e>(all: &mut Vec<Place<'e>>, result: &'e mut ToolResult) {
    // What is not over has no hooks, and the raw form is the same once more.
    let ToolResult { kind, progress: _, raw: _ } = result;
    match kind {
        ResultKind::Shell(ShellResult { output, stderr, exit_code, interrupted }) => add!(all:
            "result" => Text(output),
            "standard error" => MaybeText(stderr),
            "exit code" => MaybeCode(exit_code),
            "interrupted" => Flag(interrupted),
        ),
        ResultKind::Text(text) => add!(all: "result" => Text(text)),
        ResultKind::File(FileContent { path, content, start_line, total_lines }) => add!(all:
            "result" => Text(content),
            "file of the result" => Path(path),
            "first line" => MaybeNumber(start_line),
            "lines" => MaybeNumber(total_lines),
        ),
        ResultKind::Mcp(McpResult { result, is_error }) => {
            add!(all: "result" => Object(result), "result is an error" => Flag(is_error));
        }
        ResultKind::Json(raw) => add!(all: "result" => Object(raw)),
        // Lists, sizes and nothing are compared whole.
        _ => {}
    }
}
