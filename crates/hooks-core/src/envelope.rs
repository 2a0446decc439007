//! One occurrence of a boundary: what is known about it, in the host's terms.

use std::collections::BTreeMap;

use crate::boundary::Boundary;
use crate::json::RawJson;
use crate::tool::{ToolCall, ToolResult};

/// One occurrence of a boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// What every occurrence carries.
    pub common: Common,
    /// What this one is about; it also says which boundary this is.
    pub payload: Payload,
}

impl Envelope {
    /// An occurrence.
    #[must_use]
    pub const fn new(common: Common, payload: Payload) -> Self {
        Self { common, payload }
    }

    /// The boundary this occurred on.
    #[must_use]
    pub const fn boundary(&self) -> Boundary {
        self.payload.boundary()
    }
}

/// Facts that every occurrence carries. What is not known is absent; adapters never invent it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Common {
    /// The conversation.
    pub session_id: String,
    /// The turn, where one is running.
    pub turn_id: Option<String>,
    /// The prompt that started the turn.
    pub prompt_id: Option<String>,
    /// The session's working directory.
    pub cwd: String,
    /// Where the session started; [`Common::project_root`] falls back to the first root, then the directory.
    pub project_dir: Option<String>,
    /// The workspace's roots.
    pub workspace_roots: Vec<String>,
    /// The model, where known.
    pub model: Option<Model>,
    /// The permission mode, in the host's or vendor's word.
    pub permission_mode: Option<String>,
    /// The reasoning effort, in the host's or vendor's word.
    pub effort: Option<String>,
    /// The transcript's file.
    pub transcript_path: Option<String>,
    /// The user's mail address.
    pub user_email: Option<String>,
    /// The host.
    pub host: HostInfo,
    /// The agent, when this happens in a subagent or in a session started as one.
    pub agent: Option<AgentIdentity>,
    /// Whether the workspace is a remote one.
    pub remote: bool,
    /// A directory for scratch files.
    pub scratchpad_dir: Option<String>,
    /// What a decoded payload carried that core has no place for, by the vendor's key.
    pub extra: BTreeMap<String, RawJson>,
}

impl Common {
    /// The project's root: where the session started, else the first workspace root, else the working directory.
    #[must_use]
    pub fn project_root(&self) -> &str {
        self.project_dir.as_deref().or_else(|| self.workspace_roots.first().map(String::as_str)).unwrap_or(&self.cwd)
    }
}

/// A model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// The name the host shows and vendors send as `model`.
    pub slug: String,
    /// An exact id beside it.
    pub id: Option<String>,
    /// Parameters, name and value.
    pub params: Vec<(String, String)>,
}

/// The host program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Which agent something happens in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentIdentity {
    /// The subagent's id; absent on the main thread of a session started as an agent.
    pub id: Option<String>,
    /// The agent's type.
    pub kind: Option<String>,
}

macro_rules! payloads {
    ($( $(#[$doc:meta])* $name:ident($ty:ty) => $boundary:ident, )*) => {
        /// What an occurrence is about, one variant a boundary.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Payload { $( $(#[$doc])* $name($ty), )* }

        impl Payload {
            /// The boundary it belongs to.
            #[must_use]
            pub const fn boundary(&self) -> Boundary {
                match self { $( Self::$name(_) => Boundary::$boundary, )* }
            }
        }
    };
}

payloads! {
    /// See [`Boundary::SessionStart`].
    SessionStart(SessionStart) => SessionStart,
    /// See [`Boundary::SessionEnd`].
    SessionEnd(SessionEnd) => SessionEnd,
    /// See [`Boundary::PromptSubmit`].
    PromptSubmit(Prompt) => PromptSubmit,
    /// See [`Boundary::ToolBefore`].
    ToolBefore(ToolUse) => ToolBefore,
    /// See [`Boundary::PermissionRequest`].
    PermissionRequest(PermissionRequest) => PermissionRequest,
    /// See [`Boundary::ToolResult`].
    ToolResult(ToolReturned) => ToolResult,
    /// See [`Boundary::ToolFailure`].
    ToolFailure(ToolFailed) => ToolFailure,
    /// See [`Boundary::SubagentStart`].
    SubagentStart(SubagentStart) => SubagentStart,
    /// See [`Boundary::SubagentStop`].
    SubagentStop(SubagentStop) => SubagentStop,
    /// See [`Boundary::CompactBefore`].
    CompactBefore(Compaction) => CompactBefore,
    /// See [`Boundary::CompactAfter`].
    CompactAfter(Compaction) => CompactAfter,
    /// See [`Boundary::TurnStop`].
    TurnStop(TurnStop) => TurnStop,
    /// See [`Boundary::TurnFailure`].
    TurnFailure(TurnFailure) => TurnFailure,
    /// See [`Boundary::TurnInterrupt`].
    TurnInterrupt(TurnInterrupt) => TurnInterrupt,
    /// See [`Boundary::AgentResponse`].
    AgentResponse(AgentText) => AgentResponse,
    /// See [`Boundary::AgentThought`].
    AgentThought(AgentText) => AgentThought,
    /// See [`Boundary::Notification`].
    Notification(Notification) => Notification,
    /// See [`Boundary::PermissionDenied`].
    PermissionDenied(PermissionDenied) => PermissionDenied,
    /// See [`Boundary::ToolBatch`].
    ToolBatch(ToolBatch) => ToolBatch,
    /// See [`Boundary::PromptExpansion`].
    PromptExpansion(PromptExpansion) => PromptExpansion,
    /// See [`Boundary::ModelRequestBefore`].
    ModelRequestBefore(ModelRequest) => ModelRequestBefore,
    /// See [`Boundary::ModelRequestAfter`].
    ModelRequestAfter(ModelRequest) => ModelRequestAfter,
    /// See [`Boundary::ModelSwitchBefore`].
    ModelSwitchBefore(ModelSwitch) => ModelSwitchBefore,
    /// See [`Boundary::ModelSwitchAfter`].
    ModelSwitchAfter(ModelSwitch) => ModelSwitchAfter,
    /// See [`Boundary::InstructionsLoaded`].
    InstructionsLoaded(InstructionsLoaded) => InstructionsLoaded,
    /// See [`Boundary::ConfigChanged`].
    ConfigChanged(ConfigChanged) => ConfigChanged,
    /// See [`Boundary::CwdChanged`].
    CwdChanged(CwdChanged) => CwdChanged,
    /// See [`Boundary::FileChanged`].
    FileChanged(FileChanged) => FileChanged,
    /// See [`Boundary::DirectoryAdded`].
    DirectoryAdded(DirectoryAdded) => DirectoryAdded,
    /// See [`Boundary::WorktreeCreate`].
    WorktreeCreate(WorktreeCreate) => WorktreeCreate,
    /// See [`Boundary::WorktreeRemove`].
    WorktreeRemove(WorktreeRemove) => WorktreeRemove,
    /// See [`Boundary::TaskCreated`].
    TaskCreated(Task) => TaskCreated,
    /// See [`Boundary::TaskCompleted`].
    TaskCompleted(Task) => TaskCompleted,
    /// See [`Boundary::TeammateIdle`].
    TeammateIdle(TeammateIdle) => TeammateIdle,
    /// See [`Boundary::Elicitation`].
    Elicitation(Elicitation) => Elicitation,
    /// See [`Boundary::ElicitationResult`].
    ElicitationResult(ElicitationResult) => ElicitationResult,
    /// See [`Boundary::Setup`].
    Setup(Setup) => Setup,
    /// See [`Boundary::Display`].
    Display(Display) => Display,
    /// See [`Boundary::SkillShellCommand`].
    SkillShellCommand(SkillShellCommand) => SkillShellCommand,
}

impl Payload {
    /// The tool use this is about, where it is about one.
    #[must_use]
    pub const fn tool_use(&self) -> Option<&ToolUse> {
        match self {
            Self::ToolBefore(tool) => Some(tool),
            Self::PermissionRequest(request) => Some(&request.tool),
            Self::ToolResult(returned) => Some(&returned.tool),
            Self::ToolFailure(failed) => Some(&failed.tool),
            Self::PermissionDenied(denied) => Some(&denied.tool),
            Self::SkillShellCommand(command) => Some(&command.tool),
            _ => None,
        }
    }

    /// The same, to be changed.
    #[must_use]
    pub const fn tool_use_mut(&mut self) -> Option<&mut ToolUse> {
        match self {
            Self::ToolBefore(tool) => Some(tool),
            Self::PermissionRequest(request) => Some(&mut request.tool),
            Self::ToolResult(returned) => Some(&mut returned.tool),
            Self::ToolFailure(failed) => Some(&mut failed.tool),
            Self::PermissionDenied(denied) => Some(&mut denied.tool),
            Self::SkillShellCommand(command) => Some(&mut command.tool),
            _ => None,
        }
    }
}

/// A session starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionStart {
    /// How: `startup`, `resume`, `clear`, `compact` or `fork`.
    pub source: Option<String>,
    /// Whether it is a background agent.
    pub background: Option<bool>,
    /// The mode it starts in.
    pub mode: Option<String>,
    /// Its title, when one was set.
    pub title: Option<String>,
}

/// A session ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionEnd {
    /// Why.
    pub reason: Option<String>,
    /// How long it lasted, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Whether it was a background agent.
    pub background: Option<bool>,
    /// How its work ended.
    pub final_status: Option<String>,
    /// An error, when one ended it.
    pub error_message: Option<String>,
}

/// Who a prompt comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provenance {
    /// A person, starting a turn.
    #[default]
    User,
    /// A person, adding to a running turn.
    Steering,
    /// Another agent.
    Subagent,
    /// A notification of the host.
    Notification,
}

/// Something attached to a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attachment {
    /// `file` or `rule`.
    pub kind: Option<String>,
    /// The file.
    pub path: String,
}

/// A prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    /// Its text.
    pub text: String,
    /// Who it comes from.
    pub provenance: Provenance,
    /// What is attached.
    pub attachments: Vec<Attachment>,
    /// The session's title, when one was set.
    pub session_title: Option<String>,
}

/// A tool call with its id.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolUse {
    /// The call's id; absent where the host has none yet.
    pub id: Option<String>,
    /// The call.
    pub call: ToolCall,
}

/// Where a permission request comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PermissionOrigin {
    /// A tool call.
    #[default]
    Tool,
    /// A tool server's call.
    Mcp,
    /// A network access.
    Network,
    /// A request to run with more rights.
    Escalation,
}

/// A call needs somebody's permission.
///
/// The caller fires it wherever it would ask somebody, once for each thing it asks about, with the constructor of where
/// the request comes from: vendors write the origins in different ways, and some have no event for one of them.
///
/// ```
/// use hooks_core::envelope::{PermissionOrigin, PermissionRequest, ToolUse};
/// use hooks_core::tool::ToolCall;
///
/// let call = || ToolUse { id: Some("c1".to_owned()), call: ToolCall::shell("curl example.com") };
/// assert_eq!(PermissionRequest::of_tool(call()).origin, PermissionOrigin::Tool);
/// let network = PermissionRequest::of_network(call(), "example.com:443");
/// assert_eq!(network.justification.as_deref(), Some("example.com:443"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PermissionRequest {
    /// The call.
    pub tool: ToolUse,
    /// Where the request comes from.
    pub origin: PermissionOrigin,
    /// Why it is asked for; of network access, to where.
    pub justification: Option<String>,
    /// Rules the host would offer to remember, an array in the vendor's form.
    pub suggestions: Option<RawJson>,
}

impl PermissionRequest {
    const fn of(tool: ToolUse, origin: PermissionOrigin, justification: Option<String>) -> Self {
        Self { tool, origin, justification, suggestions: None }
    }

    /// A tool call is about to be made that the host's rules ask about. A tool server's call has [`Self::of_mcp`].
    #[must_use]
    pub const fn of_tool(tool: ToolUse) -> Self {
        Self::of(tool, PermissionOrigin::Tool, None)
    }

    /// A tool server's tool is about to be called.
    #[must_use]
    pub const fn of_mcp(tool: ToolUse) -> Self {
        Self::of(tool, PermissionOrigin::Mcp, None)
    }

    /// A call that runs wants to reach a place on the network: `target`, such as `example.com:443`.
    #[must_use]
    pub fn of_network(tool: ToolUse, target: impl Into<String>) -> Self {
        Self::of(tool, PermissionOrigin::Network, Some(target.into()))
    }

    /// A call asks to run with more rights than its surroundings give, such as outside a sandbox, with why.
    #[must_use]
    pub fn of_escalation(tool: ToolUse, justification: Option<String>) -> Self {
        Self::of(tool, PermissionOrigin::Escalation, justification)
    }
}

/// A tool ran and returned.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolReturned {
    /// The call.
    pub tool: ToolUse,
    /// What it returned.
    pub result: ToolResult,
    /// How long it took, in milliseconds, waiting for approval not counted.
    pub duration_ms: Option<u64>,
}

/// How a tool failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolFailureKind {
    /// An error.
    #[default]
    Error,
    /// It took too long.
    Timeout,
    /// It was not permitted.
    Denied,
    /// It was cancelled.
    Cancelled,
}

/// A tool did not run to an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolFailed {
    /// The call.
    pub tool: ToolUse,
    /// The error's text.
    pub error: String,
    /// How it failed.
    pub kind: ToolFailureKind,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Why it was cancelled.
    pub cancellation_reason: Option<String>,
}

/// A subagent is about to start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubagentStart {
    /// Its id.
    pub id: Option<String>,
    /// Its type.
    pub kind: Option<String>,
    /// Its task.
    pub task: Option<String>,
    /// The conversation that starts it.
    pub parent_session_id: Option<String>,
    /// The call that starts it.
    pub tool_use_id: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// Whether it works in parallel with others.
    pub parallel: Option<bool>,
    /// The branch it works on.
    pub git_branch: Option<String>,
}

/// A subagent has finished.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubagentStop {
    /// Its id.
    pub id: Option<String>,
    /// Its type.
    pub kind: Option<String>,
    /// How it ended: `completed`, `error` or `aborted`.
    pub status: Option<String>,
    /// Its task.
    pub task: Option<String>,
    /// A short description.
    pub description: Option<String>,
    /// What it says it did.
    pub summary: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Number of messages.
    pub message_count: Option<u64>,
    /// Number of tool calls.
    pub tool_call_count: Option<u64>,
    /// How often hooks have made it go on.
    pub loop_count: u32,
    /// Files it changed.
    pub modified_files: Vec<String>,
    /// Its transcript.
    pub transcript_path: Option<String>,
    /// Its last message.
    pub last_message: Option<String>,
}

/// A compaction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compaction {
    /// `manual` or `auto`.
    pub trigger: Option<String>,
    /// Instructions given with it.
    pub instructions: Option<String>,
    /// The summary, once there is one.
    pub summary: Option<String>,
    /// Share of the window in use, in percent.
    pub usage_percent: Option<f64>,
    /// Tokens in the context.
    pub tokens: Option<u64>,
    /// Size of the window in tokens.
    pub window: Option<u64>,
    /// Messages in the context.
    pub message_count: Option<u64>,
    /// Messages to be summarised.
    pub messages_to_compact: Option<u64>,
    /// Whether it is the conversation's first.
    pub first: Option<bool>,
}

/// The agent has answered and is about to stop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnStop {
    /// How the turn ended: `completed`, `aborted` or `error`.
    pub status: Option<String>,
    /// How often hooks have made the turn go on; above zero, a stop hook is active.
    pub loop_count: u32,
    /// The last message.
    pub last_message: Option<String>,
    /// Background work that goes on, an array in the vendor's form.
    pub background_tasks: Option<RawJson>,
    /// Scheduled prompts, an array in the vendor's form.
    pub session_crons: Option<RawJson>,
}

/// A turn ended in an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnFailure {
    /// The kind of error.
    pub error: String,
    /// More about it.
    pub details: Option<String>,
    /// The last message.
    pub last_message: Option<String>,
}

/// A person interrupted a running turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnInterrupt;

/// A text of the agent: a message or a thought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentText {
    /// The text.
    pub text: String,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
}

/// The agent notifies the person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notification {
    /// The text.
    pub message: String,
    /// Its title.
    pub title: Option<String>,
    /// Its kind.
    pub kind: String,
}

/// A call was denied by an automatic mode.
#[derive(Clone, Debug, PartialEq)]
pub struct PermissionDenied {
    /// The call.
    pub tool: ToolUse,
    /// Why.
    pub reason: String,
}

/// One call of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchCall {
    /// The call.
    pub tool: ToolUse,
    /// What the model sees of it.
    pub response: RawJson,
}

/// All calls of one model message are done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolBatch {
    /// The calls, in the message's order.
    pub calls: Vec<BatchCall>,
}

/// A typed command is about to expand into a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptExpansion {
    /// What kind of command.
    pub kind: String,
    /// The command's name.
    pub command: String,
    /// Its arguments.
    pub arguments: String,
    /// Where the command comes from.
    pub source: Option<String>,
    /// The expanded prompt.
    pub prompt: String,
}

/// A model request, before or after.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelRequest {
    /// What kind of request.
    pub kind: String,
    /// Its id.
    pub request_id: String,
    /// Which attempt, from 1.
    pub attempt: u64,
    /// The thread it belongs to.
    pub thread_id: Option<String>,
    /// How it ended.
    pub status: Option<String>,
    /// Its error.
    pub error: Option<RawJson>,
    /// Tokens used, an object in the vendor's form.
    pub token_usage: Option<RawJson>,
    /// The response's id.
    pub response_id: Option<String>,
}

/// The model changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelSwitch {
    /// The model until now.
    pub from: String,
    /// The model from now on, by its canonical name; empty when it has none.
    pub to: String,
    /// The name that was asked for.
    pub requested: Option<String>,
    /// What asked for it.
    pub source: String,
    /// More, by the vendor's key.
    pub details: BTreeMap<String, RawJson>,
}

/// An instruction file was loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstructionsLoaded {
    /// The file.
    pub path: String,
    /// What kind of file.
    pub memory_type: String,
    /// Why it was loaded.
    pub load_reason: String,
    /// Patterns it is bound to.
    pub globs: Option<Vec<String>>,
    /// The file whose use loaded it.
    pub trigger_path: Option<String>,
    /// The file that includes it.
    pub parent_path: Option<String>,
}

/// A configuration file changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigChanged {
    /// Which configuration.
    pub source: String,
    /// The file.
    pub path: Option<String>,
}

/// The working directory changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CwdChanged {
    /// Until now.
    pub old: String,
    /// From now on.
    pub new: String,
}

/// A watched file changed on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileChanged {
    /// The file.
    pub path: String,
    /// What happened to it.
    pub change: String,
}

/// A directory was added to the session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirectoryAdded {
    /// The directory.
    pub path: String,
    /// What added it.
    pub source: String,
}

/// A worktree is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorktreeCreate {
    /// Its name.
    pub name: String,
}

/// A worktree is to be removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorktreeRemove {
    /// Its path.
    pub path: String,
}

/// A task of the task list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Its id.
    pub id: String,
    /// Its subject.
    pub subject: String,
    /// Its description.
    pub description: Option<String>,
    /// The teammate concerned.
    pub teammate: Option<String>,
    /// The team.
    pub team: Option<String>,
}

/// A teammate is about to go idle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeammateIdle {
    /// The teammate.
    pub teammate: String,
    /// The team.
    pub team: String,
}

/// A tool server asks the person something.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elicitation {
    /// The server.
    pub server: String,
    /// The question.
    pub message: String,
    /// How it is asked.
    pub mode: Option<String>,
    /// An address to open.
    pub url: Option<String>,
    /// Its id.
    pub id: Option<String>,
    /// The form wanted, a JSON Schema.
    pub schema: Option<RawJson>,
}

/// The person answered a tool server's question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElicitationResult {
    /// The server.
    pub server: String,
    /// `accept`, `decline` or `cancel`.
    pub action: String,
    /// How it was asked.
    pub mode: Option<String>,
    /// Its id.
    pub id: Option<String>,
    /// The answer, an object.
    pub content: Option<RawJson>,
}

/// A project is being set up or maintained.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// What for.
    pub trigger: String,
}

/// Assistant text is about to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Display {
    /// The message.
    pub message_id: String,
    /// Which piece of it, from 0.
    pub index: u64,
    /// Whether it is the last piece.
    pub last: bool,
    /// The text.
    pub text: String,
}

/// A shell command inside a skill's text is about to run.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillShellCommand {
    /// The command.
    pub tool: ToolUse,
    /// The skill or command it stands in.
    pub command_name: String,
    /// Where that comes from.
    pub command_source: Option<String>,
    /// Who invoked it.
    pub invoked_by: String,
}
