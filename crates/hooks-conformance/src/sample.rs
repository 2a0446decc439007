//! Made-up occurrences, complete and plausible, for vectors and for firing an event without a session.
//!
//! Nothing here is random and nothing is read from the machine: the same call gives the same occurrence.

use std::collections::BTreeMap;

use hooks_core::boundary::{Boundary, Facet};
use hooks_core::envelope::{
    AgentText, BatchCall, Common, Compaction, ConfigChanged, CwdChanged, DirectoryAdded, Display, Elicitation,
    ElicitationResult, Envelope, FileChanged, HostInfo, InstructionsLoaded, Model, ModelRequest, ModelSwitch,
    Notification, Payload, PermissionDenied, PermissionOrigin, PermissionRequest, Prompt, PromptExpansion, Provenance,
    SessionEnd, SessionStart, Setup, SkillShellCommand, SubagentStart, SubagentStop, Task, TeammateIdle, ToolBatch,
    ToolFailed, ToolFailureKind, ToolReturned, ToolUse, TurnFailure, TurnInterrupt, TurnStop, WorktreeCreate,
    WorktreeRemove,
};
use hooks_core::tool::{
    Edit, FileContent, Mcp, McpResult, Read, ResultKind, Shell, ShellResult, TextEdit, ToolAction, ToolCall, ToolResult,
};
use hooks_core::{HostSide, RawJson};
use serde_json::{Value, json};

use crate::format::Given;

/// The made-up project's folder.
pub const PROJECT: &str = "/home/dev/project";

/// The command of a made-up shell call.
pub const COMMAND: &str = "npm test";

const FILE: &str = "/home/dev/project/src/main.rs";
const FILE_TEXT: &str = "fn main() {\n    println!(\"hello\");\n}\n";
const TRANSCRIPT: &str = "/home/dev/.agent/transcripts/3f6d2b0a-5d0e-4f5c-9a57-6f0d7a1c2b34.jsonl";
const AGENT: &str = "agent-1";
const TOOL_USE: &str = "call_01";

/// What every made-up occurrence carries.
#[must_use]
pub fn common() -> Common {
    Common {
        session_id: "3f6d2b0a-5d0e-4f5c-9a57-6f0d7a1c2b34".to_owned(),
        turn_id: Some("8c1f7a52-0b1e-4a3d-8f6e-1d2c3b4a5968".to_owned()),
        prompt_id: Some("b7e4d9c0-6a2f-4c8b-9d3e-5f6a7b8c9d0e".to_owned()),
        cwd: PROJECT.to_owned(),
        project_dir: Some(PROJECT.to_owned()),
        workspace_roots: vec![PROJECT.to_owned()],
        model: Some(Model { slug: "sample-model-1".to_owned(), id: None, params: Vec::new() }),
        permission_mode: Some("default".to_owned()),
        effort: Some("medium".to_owned()),
        transcript_path: Some(TRANSCRIPT.to_owned()),
        user_email: Some("dev@example.com".to_owned()),
        host: HostInfo { name: "sample-host".to_owned(), version: "1.0.0".to_owned() },
        agent: None,
        remote: false,
        scratchpad_dir: None,
        extra: BTreeMap::new(),
    }
}

/// A made-up call for a part of a boundary: a shell command, unless the part is about something else.
#[must_use]
pub fn call(facet: Facet) -> ToolCall {
    ToolCall::new(match facet {
        Facet::Mcp => {
            let mut mcp = Mcp::new("sample-server", "echo", raw(&json!({ "message": "hello" })));
            mcp.server_command = Some("sample-server --stdio".to_owned());
            ToolAction::Mcp(mcp)
        }
        Facet::FileRead => ToolAction::Read(Read {
            path: FILE.to_owned(),
            offset: None,
            limit: None,
            content: Some(FILE_TEXT.to_owned()),
        }),
        Facet::FileEdit => ToolAction::Edit(Edit {
            path: FILE.to_owned(),
            edits: vec![TextEdit { old: "hello".to_owned(), new: "hello, world".to_owned(), replace_all: false }],
        }),
        _ => ToolAction::Shell(Shell {
            command: COMMAND.to_owned(),
            description: Some("Run the tests".to_owned()),
            ..Shell::default()
        }),
    })
}

/// A made-up result of a call.
#[must_use]
pub fn result(call: &ToolCall) -> ToolResult {
    ToolResult::finished(match &call.action {
        ToolAction::Shell(_) => ResultKind::Shell(ShellResult {
            output: "ok\n".to_owned(),
            stderr: Some(String::new()),
            exit_code: Some(0),
            interrupted: false,
        }),
        ToolAction::Read(read) => ResultKind::File(FileContent {
            path: read.path.clone(),
            content: FILE_TEXT.to_owned(),
            start_line: Some(1),
            total_lines: Some(3),
        }),
        ToolAction::Glob(_) | ToolAction::Grep(_) | ToolAction::List(_) => ResultKind::Files(vec![FILE.to_owned()]),
        ToolAction::Mcp(_) | ToolAction::McpResource(_) => ResultKind::Mcp(McpResult {
            result: raw(&json!({ "content": [{ "type": "text", "text": "hello" }] })),
            is_error: false,
        }),
        _ => ResultKind::Text("Done.".to_owned()),
    })
}

/// A made-up payload of a boundary, about a shell command where it is about a tool.
#[must_use]
pub fn payload(boundary: Boundary) -> Payload {
    payload_of(boundary, call(Facet::Any))
}

/// A made-up payload of a boundary, about a call where it is about a tool.
#[must_use]
pub fn payload_of(boundary: Boundary, call: ToolCall) -> Payload {
    let text = |text: &str| Some(text.to_owned());
    let tool = || ToolUse { id: text(TOOL_USE), call: call.clone() };
    match boundary {
        Boundary::SessionStart => Payload::SessionStart(SessionStart {
            source: text("startup"),
            background: Some(false),
            mode: text("agent"),
            title: None,
        }),
        Boundary::SessionEnd => Payload::SessionEnd(SessionEnd {
            reason: text("other"),
            duration_ms: Some(61_000),
            background: Some(false),
            final_status: text("completed"),
            error_message: None,
        }),
        Boundary::PromptSubmit => Payload::PromptSubmit(Prompt {
            text: "Run the tests and fix what fails.".to_owned(),
            provenance: Provenance::User,
            attachments: Vec::new(),
            session_title: None,
        }),
        Boundary::ToolBefore => Payload::ToolBefore(tool()),
        Boundary::PermissionRequest => Payload::PermissionRequest(PermissionRequest {
            tool: tool(),
            origin: if call.as_mcp().is_some() { PermissionOrigin::Mcp } else { PermissionOrigin::Tool },
            justification: text("The tests need to run."),
            suggestions: Some(raw(&json!([]))),
        }),
        Boundary::ToolResult => {
            Payload::ToolResult(ToolReturned { tool: tool(), result: result(&call), duration_ms: Some(1_234) })
        }
        Boundary::ToolFailure => Payload::ToolFailure(ToolFailed {
            tool: tool(),
            error: "the tool could not be run".to_owned(),
            kind: ToolFailureKind::Error,
            duration_ms: Some(12),
            cancellation_reason: None,
        }),
        Boundary::SubagentStart => Payload::SubagentStart(SubagentStart {
            id: text(AGENT),
            kind: text("explore"),
            task: text("Find where the tests are."),
            parent_session_id: text("3f6d2b0a-5d0e-4f5c-9a57-6f0d7a1c2b34"),
            tool_use_id: text(TOOL_USE),
            model: text("sample-model-1"),
            parallel: Some(false),
            git_branch: text("main"),
        }),
        Boundary::SubagentStop => Payload::SubagentStop(SubagentStop {
            id: text(AGENT),
            kind: text("explore"),
            status: text("completed"),
            task: text("Find where the tests are."),
            description: text("Find the tests"),
            summary: text("They are in tests/."),
            duration_ms: Some(4_321),
            message_count: Some(3),
            tool_call_count: Some(2),
            loop_count: 0,
            modified_files: Vec::new(),
            transcript_path: text("/home/dev/.agent/transcripts/agent-1.jsonl"),
            last_message: text("They are in tests/."),
        }),
        Boundary::CompactBefore | Boundary::CompactAfter => {
            let after = boundary == Boundary::CompactAfter;
            let compaction = Compaction {
                trigger: text("auto"),
                instructions: text(""),
                summary: after.then(|| "The tests were run; two fail.".to_owned()),
                usage_percent: Some(85.0),
                tokens: Some(170_000),
                window: Some(200_000),
                message_count: Some(120),
                messages_to_compact: Some(100),
                first: Some(true),
            };
            if after { Payload::CompactAfter(compaction) } else { Payload::CompactBefore(compaction) }
        }
        Boundary::TurnStop => Payload::TurnStop(TurnStop {
            status: text("completed"),
            loop_count: 0,
            last_message: text("All tests pass."),
            background_tasks: Some(raw(&json!([]))),
            session_crons: Some(raw(&json!([]))),
        }),
        Boundary::TurnFailure => Payload::TurnFailure(TurnFailure {
            error: "server_error".to_owned(),
            details: text("the model's server answered with status 500"),
            last_message: text("Running the tests."),
        }),
        Boundary::TurnInterrupt => Payload::TurnInterrupt(TurnInterrupt),
        Boundary::AgentResponse => {
            Payload::AgentResponse(AgentText { text: "All tests pass.".to_owned(), duration_ms: None })
        }
        Boundary::AgentThought => {
            Payload::AgentThought(AgentText { text: "The tests come first.".to_owned(), duration_ms: Some(900) })
        }
        Boundary::Notification => Payload::Notification(Notification {
            message: "The agent needs your permission.".to_owned(),
            title: text("Permission needed"),
            kind: "permission_prompt".to_owned(),
        }),
        Boundary::PermissionDenied => Payload::PermissionDenied(PermissionDenied {
            tool: tool(),
            reason: "the automatic mode does not allow it".to_owned(),
        }),
        Boundary::ToolBatch => {
            Payload::ToolBatch(ToolBatch { calls: vec![BatchCall { tool: tool(), response: raw(&json!("ok\n")) }] })
        }
        Boundary::PromptExpansion => Payload::PromptExpansion(PromptExpansion {
            kind: "slash_command".to_owned(),
            command: "review".to_owned(),
            arguments: "src".to_owned(),
            source: text("projectSettings"),
            prompt: "/review src".to_owned(),
        }),
        Boundary::ModelRequestBefore | Boundary::ModelRequestAfter => {
            let after = boundary == Boundary::ModelRequestAfter;
            let request = ModelRequest {
                kind: "sampling".to_owned(),
                request_id: "request-1".to_owned(),
                attempt: 1,
                thread_id: text("3f6d2b0a-5d0e-4f5c-9a57-6f0d7a1c2b34"),
                status: after.then(|| "completed".to_owned()),
                error: None,
                token_usage: after.then(|| {
                    raw(&json!({
                        "input_tokens": 1200, "cached_input_tokens": 800, "cache_write_input_tokens": 0,
                        "output_tokens": 80, "reasoning_output_tokens": 20, "total_tokens": 1280,
                    }))
                }),
                response_id: after.then(|| "response-1".to_owned()),
            };
            if after { Payload::ModelRequestAfter(request) } else { Payload::ModelRequestBefore(request) }
        }
        Boundary::ModelSwitchBefore | Boundary::ModelSwitchAfter => {
            let switch = ModelSwitch {
                from: "sample-model-1".to_owned(),
                to: "sample-model-2".to_owned(),
                requested: text("sample-model-2"),
                source: "command".to_owned(),
                details: BTreeMap::new(),
            };
            match boundary {
                Boundary::ModelSwitchBefore => Payload::ModelSwitchBefore(switch),
                _ => Payload::ModelSwitchAfter(switch),
            }
        }
        Boundary::InstructionsLoaded => Payload::InstructionsLoaded(InstructionsLoaded {
            path: "/home/dev/project/AGENTS.md".to_owned(),
            memory_type: "Project".to_owned(),
            load_reason: "session_start".to_owned(),
            globs: None,
            trigger_path: None,
            parent_path: None,
        }),
        Boundary::ConfigChanged => Payload::ConfigChanged(ConfigChanged {
            source: "project_settings".to_owned(),
            path: text("/home/dev/project/settings.json"),
        }),
        Boundary::CwdChanged => {
            Payload::CwdChanged(CwdChanged { old: PROJECT.to_owned(), new: format!("{PROJECT}/src") })
        }
        Boundary::FileChanged => {
            Payload::FileChanged(FileChanged { path: FILE.to_owned(), change: "change".to_owned() })
        }
        Boundary::DirectoryAdded => Payload::DirectoryAdded(DirectoryAdded {
            path: "/home/dev/library".to_owned(),
            source: "slash_command".to_owned(),
        }),
        Boundary::WorktreeCreate => Payload::WorktreeCreate(WorktreeCreate { name: "feature-1".to_owned() }),
        Boundary::WorktreeRemove => {
            Payload::WorktreeRemove(WorktreeRemove { path: "/home/dev/worktrees/feature-1".to_owned() })
        }
        Boundary::TaskCreated | Boundary::TaskCompleted => {
            let task = Task {
                id: "1".to_owned(),
                subject: "Fix the tests".to_owned(),
                description: text("Two tests fail."),
                teammate: text("builder"),
                team: text("sample-team"),
            };
            match boundary {
                Boundary::TaskCreated => Payload::TaskCreated(task),
                _ => Payload::TaskCompleted(task),
            }
        }
        Boundary::TeammateIdle => {
            Payload::TeammateIdle(TeammateIdle { teammate: "builder".to_owned(), team: "sample-team".to_owned() })
        }
        Boundary::Elicitation => Payload::Elicitation(Elicitation {
            server: "sample-server".to_owned(),
            message: "Which branch?".to_owned(),
            mode: text("form"),
            url: None,
            id: None,
            schema: Some(raw(&json!({ "type": "object", "properties": { "branch": { "type": "string" } } }))),
        }),
        Boundary::ElicitationResult => Payload::ElicitationResult(ElicitationResult {
            server: "sample-server".to_owned(),
            action: "accept".to_owned(),
            mode: text("form"),
            id: None,
            content: Some(raw(&json!({ "branch": "main" }))),
        }),
        Boundary::Setup => Payload::Setup(Setup { trigger: "init".to_owned() }),
        Boundary::Display => Payload::Display(Display {
            message_id: "message-1".to_owned(),
            index: 0,
            last: true,
            text: "All tests pass.".to_owned(),
        }),
        Boundary::SkillShellCommand => Payload::SkillShellCommand(SkillShellCommand {
            tool: tool(),
            command_name: "review".to_owned(),
            command_source: text("projectSettings"),
            invoked_by: "user".to_owned(),
        }),
        // A boundary that is newer than this list; a test holds the list to be complete.
        _ => Payload::SessionStart(SessionStart::default()),
    }
}

/// A made-up occurrence of an adapter's event, with what is given about it in place of what is made up.
///
/// An event that belongs to no boundary gets the payload nearest to it: a read before it happens, an edit after it
/// happened, else the start of a session. `None` when the adapter has no such event.
#[must_use]
pub fn envelope(adapter: &dyn HostSide, event: &str, given: &Given) -> Option<Envelope> {
    let facts = adapter.event(event)?;
    let boundary = facts.boundary.unwrap_or(match facts.facet {
        Facet::FileEdit => Boundary::ToolResult,
        Facet::Any => Boundary::SessionStart,
        _ => Boundary::ToolBefore,
    });
    let call = match &given.tool {
        Some(name) => adapter.tool_call(name, &tool_input(name)),
        None => call(facts.facet),
    };
    let mut payload = payload_of(boundary, call);
    apply(&mut payload, given);
    Some(Envelope::new(common(), payload))
}

/// A made-up occurrence of an event that lacks what its matchers are tested against, where an occurrence can.
#[must_use]
pub fn without_subject(adapter: &dyn HostSide, event: &str) -> Option<Envelope> {
    let mut envelope = envelope(adapter, event, &Given::default())?;
    match &mut envelope.payload {
        Payload::SessionStart(start) => start.source = None,
        Payload::SessionEnd(end) => end.reason = None,
        Payload::SubagentStart(start) => start.kind = None,
        Payload::SubagentStop(stop) => stop.kind = None,
        Payload::CompactBefore(compaction) | Payload::CompactAfter(compaction) => compaction.trigger = None,
        Payload::ModelSwitchBefore(switch) | Payload::ModelSwitchAfter(switch) => switch.to.clear(),
        _ => return None,
    }
    Some(envelope)
}

fn apply(payload: &mut Payload, given: &Given) {
    if let Some(status) = &given.status {
        match payload {
            Payload::TurnStop(stop) => stop.status = Some(status.clone()),
            Payload::SubagentStop(stop) => stop.status = Some(status.clone()),
            Payload::SessionEnd(end) => end.final_status = Some(status.clone()),
            Payload::ModelRequestAfter(request) => request.status = Some(status.clone()),
            _ => {}
        }
    }
    if let Some(active) = given.stop_hook_active {
        match payload {
            Payload::TurnStop(stop) => stop.loop_count = u32::from(active),
            Payload::SubagentStop(stop) => stop.loop_count = u32::from(active),
            _ => {}
        }
    }
    if let Some(source) = &given.source {
        match payload {
            Payload::SessionStart(start) => start.source = Some(source.clone()),
            Payload::DirectoryAdded(added) => added.source.clone_from(source),
            Payload::ConfigChanged(changed) => changed.source.clone_from(source),
            Payload::PromptExpansion(expansion) => expansion.source = Some(source.clone()),
            Payload::ModelSwitchBefore(switch) | Payload::ModelSwitchAfter(switch) => switch.source.clone_from(source),
            Payload::SkillShellCommand(command) => command.command_source = Some(source.clone()),
            _ => {}
        }
    }
}

/// A made-up input for a tool, by what its name says in any vendor's spelling.
#[must_use]
pub fn tool_input(name: &str) -> RawJson {
    let plain = name.to_ascii_lowercase();
    raw(&match plain.as_str() {
        _ if plain.starts_with("mcp") => json!({ "message": "hello" }),
        "bash" | "shell" | "shell_command" | "powershell" | "exec_command" | "local_shell" => {
            json!({ "command": COMMAND, "description": "Run the tests" })
        }
        "read" => json!({ "file_path": FILE }),
        "write" => json!({ "file_path": FILE, "content": FILE_TEXT }),
        "edit" => json!({ "file_path": FILE, "old_string": "hello", "new_string": "hello, world" }),
        "delete" => json!({ "file_path": FILE }),
        "apply_patch" => {
            json!({ "command": "*** Begin Patch\n*** Add File: notes.txt\n+hello\n*** End Patch\n" })
        }
        "glob" => json!({ "pattern": "**/*.rs", "path": PROJECT }),
        "grep" => json!({ "pattern": "hello", "path": PROJECT }),
        "ls" | "list" => json!({ "path": PROJECT }),
        "webfetch" => json!({ "url": "https://example.com/", "prompt": "What does it say?" }),
        "websearch" => json!({ "query": "how to run the tests" }),
        "task" | "agent" | "spawn_agent" => {
            json!({ "description": "Find the tests", "prompt": "Find where the tests are.", "subagent_type": "explore" })
        }
        _ => json!({}),
    })
}

fn raw(value: &Value) -> RawJson {
    RawJson::from(value)
}
