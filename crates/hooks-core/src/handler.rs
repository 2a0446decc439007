//! What a definition runs.

use std::collections::BTreeMap;

use crate::json::RawJson;

/// What a definition runs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Handler {
    /// A program.
    Command(CommandHandler),
    /// A request to an address.
    Http(HttpHandler),
    /// A tool of a tool server.
    McpTool(McpToolHandler),
    /// A question to a model.
    Prompt(PromptHandler),
    /// A task for an agent.
    Agent(PromptHandler),
}

impl Handler {
    /// The vendors' common word for the type.
    #[must_use]
    pub const fn kind(&self) -> HandlerKind {
        match self {
            Self::Command(_) => HandlerKind::Command,
            Self::Http(_) => HandlerKind::Http,
            Self::McpTool(_) => HandlerKind::McpTool,
            Self::Prompt(_) => HandlerKind::Prompt,
            Self::Agent(_) => HandlerKind::Agent,
        }
    }

    /// A short text that tells one handler from another: the command, the address, the tool or the prompt. As written
    /// by its author, so not yet safe to show.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Command(command) => command.command.clone(),
            Self::Http(http) => http.url.clone(),
            Self::McpTool(tool) => format!("{}/{}", tool.server, tool.tool),
            Self::Prompt(prompt) | Self::Agent(prompt) => prompt.prompt.clone(),
        }
    }
}

/// The type of a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum HandlerKind {
    /// A program.
    Command,
    /// A request to an address.
    Http,
    /// A tool of a tool server.
    McpTool,
    /// A question to a model.
    Prompt,
    /// A task for an agent.
    Agent,
}

impl HandlerKind {
    /// The word all vendors use in their files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Http => "http",
            Self::McpTool => "mcp_tool",
            Self::Prompt => "prompt",
            Self::Agent => "agent",
        }
    }
}

/// Which shell a command runs in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shell {
    /// The vendor's usual one.
    #[default]
    Default,
    /// Bash.
    Bash,
    /// PowerShell.
    PowerShell,
}

/// Whether the action waits for the handler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Background {
    /// It waits.
    #[default]
    No,
    /// It does not; the answer comes late and has no say.
    Async,
    /// It does not; a block wakes the model.
    AsyncRewake,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandHandler {
    /// The shell text, or the program when `args` is set.
    pub command: String,
    /// What replaces it on Windows.
    pub windows: Option<String>,
    /// Arguments: the program is started without a shell.
    pub args: Option<Vec<String>>,
    /// The shell.
    pub shell: Shell,
    /// Whether the action waits.
    pub background: Background,
}

/// A request to an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpHandler {
    /// The address.
    pub url: String,
    /// Headers, values as written.
    pub headers: BTreeMap<String, String>,
    /// Environment variables that header values may name.
    pub allowed_env: Vec<String>,
}

/// A tool of a tool server.
#[derive(Clone, Debug, PartialEq)]
pub struct McpToolHandler {
    /// The server.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// Its input, an object; strings in it may hold placeholders.
    pub input: RawJson,
}

/// A question to a model, or a task for an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptHandler {
    /// The text, with the vendor's placeholder for the input.
    pub prompt: String,
    /// The model to ask.
    pub model: Option<String>,
    /// Whether a refusal lets the turn go on.
    pub continue_on_block: bool,
}
