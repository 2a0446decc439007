//! Tool calls and their results in the host's own, vendor-neutral terms.
//!
//! Typed, with the raw JSON kept losslessly beside. Adapters project a call into their vendor's tool name and input
//! shape, and project a rewritten vendor input back.

use crate::json::RawJson;

/// One tool call: what is to be done, and the input as whoever made the call wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// What the call does.
    pub action: ToolAction,
    /// The input as written: the host's own for a host's call, the vendor's for a rewritten or decoded one.
    pub raw: Option<RawJson>,
}

impl ToolCall {
    /// A call without a raw input.
    #[must_use]
    pub const fn new(action: ToolAction) -> Self {
        Self { action, raw: None }
    }

    /// A shell command with nothing else said about it.
    #[must_use]
    pub fn shell(command: impl Into<String>) -> Self {
        Self::new(ToolAction::Shell(Shell { command: command.into(), ..Shell::default() }))
    }

    /// The shell command, if this is one.
    #[must_use]
    pub fn as_shell(&self) -> Option<&Shell> {
        match &self.action {
            ToolAction::Shell(shell) => Some(shell),
            _ => None,
        }
    }

    /// The call on a tool server, if this is one.
    #[must_use]
    pub fn as_mcp(&self) -> Option<&Mcp> {
        match &self.action {
            ToolAction::Mcp(mcp) => Some(mcp),
            _ => None,
        }
    }
}

/// What a tool call does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolAction {
    /// Run a shell command.
    Shell(Shell),
    /// Read a file.
    Read(Read),
    /// Write a whole file.
    Write(Write),
    /// Replace parts of a file.
    Edit(Edit),
    /// Apply a patch text that names its own files.
    Patch(Patch),
    /// Delete a file.
    Delete(Delete),
    /// Find files by name.
    Glob(Glob),
    /// Search in files.
    Grep(Grep),
    /// List a directory.
    List(List),
    /// Fetch a page.
    WebFetch(WebFetch),
    /// Search the web.
    WebSearch(WebSearch),
    /// Give a task to a subagent.
    Subagent(SubagentTask),
    /// Call a tool of a tool server.
    Mcp(Mcp),
    /// Read a resource of a tool server.
    McpResource(McpResource),
    /// Anything else, by its own name.
    Other(OtherTool),
}

impl ToolAction {
    /// The canonical word for the kind of call.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Shell(_) => "shell",
            Self::Read(_) => "read",
            Self::Write(_) => "write",
            Self::Edit(_) => "edit",
            Self::Patch(_) => "patch",
            Self::Delete(_) => "delete",
            Self::Glob(_) => "glob",
            Self::Grep(_) => "grep",
            Self::List(_) => "list",
            Self::WebFetch(_) => "web fetch",
            Self::WebSearch(_) => "web search",
            Self::Subagent(_) => "subagent task",
            Self::Mcp(_) => "mcp",
            Self::McpResource(_) => "mcp resource",
            Self::Other(_) => "other",
        }
    }
}

/// A shell command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shell {
    /// The whole command text.
    pub command: String,
    /// Where it runs, when that is not the session's directory.
    pub cwd: Option<String>,
    /// What the model says it does.
    pub description: Option<String>,
    /// Its time limit in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Whether it runs in the background.
    pub background: Option<bool>,
    /// Whether it runs inside a sandbox.
    pub sandbox: Option<bool>,
    /// Whether the model calls it free of side effects.
    pub is_read_only: Option<bool>,
    /// Whether the model calls it risky.
    pub is_risky: Option<bool>,
    /// Whether the host waits for its end.
    pub wait_until_completion: Option<bool>,
    /// Whether it opens a pager.
    pub uses_pager: Option<bool>,
    /// Why the model runs it.
    pub rationale: Option<String>,
}

/// Reading a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// The file.
    pub path: String,
    /// First line, counted from 1.
    pub offset: Option<u64>,
    /// Number of lines.
    pub limit: Option<u64>,
    /// The content, where the host has it before the read (a vendor's read hook gets it).
    pub content: Option<String>,
}

/// Writing a whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Write {
    /// The file.
    pub path: String,
    /// Its new content.
    pub content: String,
}

/// One replacement in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextEdit {
    /// What stands there now.
    pub old: String,
    /// What shall stand there.
    pub new: String,
    /// Whether every occurrence is replaced.
    pub replace_all: bool,
}

/// Replacing parts of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub path: String,
    /// The replacements, in order.
    pub edits: Vec<TextEdit>,
}

/// Applying a patch text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// The whole patch.
    pub text: String,
}

/// Deleting a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delete {
    /// The file.
    pub path: String,
}

/// Finding files by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glob {
    /// The pattern.
    pub pattern: String,
    /// Where to look.
    pub path: Option<String>,
}

/// Searching in files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grep {
    /// The pattern.
    pub pattern: String,
    /// Where to look.
    pub path: Option<String>,
    /// Which file names.
    pub glob: Option<String>,
    /// Whether letter case is ignored.
    pub ignore_case: Option<bool>,
}

/// Listing a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The directory.
    pub path: String,
}

/// Fetching a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebFetch {
    /// The address.
    pub url: String,
    /// What to look for in it.
    pub prompt: Option<String>,
}

/// Searching the web.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebSearch {
    /// The query.
    pub query: String,
}

/// Giving a task to a subagent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubagentTask {
    /// The subagent's type.
    pub kind: Option<String>,
    /// A short description.
    pub description: String,
    /// The task itself.
    pub prompt: String,
    /// The model it runs on.
    pub model: Option<String>,
}

/// Calling a tool of a tool server.
#[derive(Clone, Debug, PartialEq)]
pub struct Mcp {
    /// The server's name.
    pub server: String,
    /// The tool's own name.
    pub tool: String,
    /// Its arguments, an object.
    pub arguments: RawJson,
    /// The server's address, for one reached over HTTP.
    pub server_url: Option<String>,
    /// The server's launch command, for one started as a process.
    pub server_command: Option<String>,
    /// An id of the server beside its name.
    pub server_id: Option<String>,
    /// Where the server's configuration comes from.
    pub server_source: Option<String>,
}

impl Mcp {
    /// A call with nothing known of the server but its name.
    #[must_use]
    pub fn new(server: impl Into<String>, tool: impl Into<String>, arguments: RawJson) -> Self {
        Self {
            server: server.into(),
            tool: tool.into(),
            arguments,
            server_url: None,
            server_command: None,
            server_id: None,
            server_source: None,
        }
    }
}

/// Reading a resource of a tool server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct McpResource {
    /// The server's name.
    pub server: Option<String>,
    /// The resource's name.
    pub name: String,
    /// Its address.
    pub uri: Option<String>,
}

/// A tool that core has no kind for.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherTool {
    /// Its name, in the spelling of whoever made the call.
    pub name: String,
    /// Its arguments.
    pub arguments: RawJson,
}

/// What a tool returned.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// The result by kind.
    pub kind: ResultKind,
    /// Whether this is the end of the call or news about one that goes on.
    pub progress: Progress,
    /// The result as the host or vendor wrote it.
    pub raw: Option<RawJson>,
}

impl ToolResult {
    /// A finished result without a raw form.
    #[must_use]
    pub const fn finished(kind: ResultKind) -> Self {
        Self { kind, progress: Progress::Finished, raw: None }
    }
}

/// Whether a result ends its call. Only a finished one is a result in the sense of the hooks that follow a tool: a
/// shell command is finished once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Progress {
    /// The call is over.
    Finished,
    /// What a running command has printed so far.
    Snapshot,
    /// A running command was asked for news.
    Poll,
    /// Something was written to a running command.
    Write,
    /// A running command was handed to the person or the background.
    HandOver,
}

/// A result by kind.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ResultKind {
    /// A shell command's.
    Shell(ShellResult),
    /// Plain text.
    Text(String),
    /// A file's content.
    File(FileContent),
    /// Names of files.
    Files(Vec<String>),
    /// What a tool server returned.
    Mcp(McpResult),
    /// Something that is no text, by its size in bytes.
    Binary {
        /// Size in bytes.
        bytes: u64,
    },
    /// Anything else.
    Json(RawJson),
    /// Nothing.
    Empty,
}

/// What a shell command returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShellResult {
    /// All output in the order it came, where the host keeps both streams together; else standard output.
    pub output: String,
    /// Standard error, where the host keeps it apart.
    pub stderr: Option<String>,
    /// The exit code, where known.
    pub exit_code: Option<i32>,
    /// Whether the command was interrupted.
    pub interrupted: bool,
}

/// The content of a file that was read or written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileContent {
    /// The file.
    pub path: String,
    /// The text.
    pub content: String,
    /// First line of the text, counted from 1.
    pub start_line: Option<u64>,
    /// Number of lines in the whole file.
    pub total_lines: Option<u64>,
}

/// What a tool server returned.
#[derive(Clone, Debug, PartialEq)]
pub struct McpResult {
    /// The result as the server sent it.
    pub result: RawJson,
    /// Whether the server calls it an error.
    pub is_error: bool,
}

/// Why a rewritten input cannot be used. The call then fails; the original input never runs instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rewritten input cannot be used: {reason}")]
pub struct InputRefused {
    /// What is wrong with it.
    pub reason: String,
}

/// A rewritten vendor input brought back into the host's terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Projected {
    /// The call to make, with the vendor's value as its raw input.
    pub call: ToolCall,
    /// Keys of the rewritten input that have no effect.
    pub ignored: Vec<String>,
}
