//! Codex's tool names and input shapes (section 8.3), from the host's calls and back.

use std::borrow::Cow;

use hooks_core::RawJson;
use hooks_core::json::JsonKind;
use hooks_core::tool::{
    InputRefused, Mcp, McpResult, OtherTool, Patch, Projected, ResultKind, Shell, SubagentTask, ToolAction, ToolCall,
    ToolResult,
};
use serde::Serialize;
use serde_json::value::RawValue;

/// The shell tool, whatever the model calls it.
pub(crate) const BASH: &str = "Bash";
/// The tool that edits files.
pub(crate) const APPLY_PATCH: &str = "apply_patch";
/// The tool that starts a subagent.
pub(crate) const SPAWN_AGENT: &str = "spawn_agent";
/// The key that a rewritten input of the first two needs.
pub(crate) const COMMAND: &str = "command";

/// Tools with further names that matchers may use; on standard input the first name stands (section 8.3, observed).
pub static ALIASES: &[(&str, &[&str])] = &[(APPLY_PATCH, &["Write", "Edit"]), (SPAWN_AGENT, &["Agent"])];

/// Names that people write in matchers and that no call ever has, with what to write instead (sections 8.3, 20).
pub static NEVER_SEEN: &[(&str, Option<&str>)] = &[
    ("exec_command", Some(BASH)),
    ("shell", Some(BASH)),
    ("local_shell", Some(BASH)),
    ("bash", Some(BASH)),
    ("Shell", Some(BASH)),
    ("Task", Some("Agent")),
    ("MultiEdit", Some("Edit")),
    ("NotebookEdit", Some("Edit")),
    ("Update", Some("Edit")),
    ("write_stdin", Some(BASH)),
    ("WebSearch", None),
    ("web_search", None),
];

/// The canonical name, then the aliases.
pub(crate) fn names(call: &ToolCall) -> Vec<String> {
    let canonical = name(call);
    let aliases = aliases(&canonical);
    std::iter::once(canonical.into_owned()).chain(aliases.iter().map(|alias| (*alias).to_owned())).collect()
}

/// The aliases of a canonical name.
pub(crate) fn aliases(canonical: &str) -> &'static [&'static str] {
    ALIASES.iter().find(|(name, _)| *name == canonical).map_or(&[], |(_, aliases)| aliases)
}

/// The canonical name.
pub(crate) fn name(call: &ToolCall) -> Cow<'_, str> {
    Cow::Borrowed(match &call.action {
        ToolAction::Shell(_) => BASH,
        // Codex changes files through patches only, so that is what a hook which guards files looks at.
        ToolAction::Patch(_) | ToolAction::Write(_) | ToolAction::Edit(_) | ToolAction::Delete(_) => APPLY_PATCH,
        ToolAction::Subagent(_) => SPAWN_AGENT,
        ToolAction::Mcp(mcp) => return Cow::Owned(mcp_name(&mcp.server, &mcp.tool)),
        ToolAction::McpResource(_) => "read_mcp_resource",
        ToolAction::WebSearch(_) => "web_search",
        ToolAction::Other(other) => &other.name,
        ToolAction::Read(_) => "read_file",
        ToolAction::Grep(_) => "grep_files",
        ToolAction::List(_) => "list_dir",
        // The client has no such tools; a host's own function tools stand under names of the same make.
        other => return Cow::Owned(other.kind().replace(' ', "_")),
    })
}

/// The name of a tool server's tool; what is no letter, digit or `_` becomes `_` (observed: `lab-srv`).
pub(crate) fn mcp_name(server: &str, tool: &str) -> String {
    let mut name = String::with_capacity("mcp____".len() + server.len() + tool.len());
    name.push_str("mcp__");
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.extend(server.chars().map(safe));
    name.push_str("__");
    name.extend(tool.chars().map(safe));
    name
}

/// Why calls of a kind fire no hook at all; `None` where they do.
pub(crate) const fn no_hooks(call: &ToolCall) -> Option<&'static str> {
    match call.action {
        ToolAction::WebSearch(_) => Some("hosted tools such as web search fire no hooks"),
        _ => None,
    }
}

#[derive(Serialize)]
pub(crate) struct Command<'a> {
    command: Cow<'a, str>,
}

impl<'a> Command<'a> {
    fn of(command: impl Into<Cow<'a, str>>) -> Self {
        Self { command: command.into() }
    }
}

/// The input of a call as the vendor shapes it; long texts are borrowed, so that they are written once.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Input<'a> {
    /// A command or a patch.
    Command(Command<'a>),
    /// As it is.
    Raw(&'a RawJson),
    /// Made up.
    Own(RawJson),
}

impl Input<'_> {
    /// The input as JSON of its own.
    pub(crate) fn to_raw(&self) -> RawJson {
        match self {
            Self::Raw(raw) => (*raw).clone(),
            other => object(other),
        }
    }
}

/// The input of a call as the vendor shapes it.
pub(crate) fn input(call: &ToolCall) -> Input<'_> {
    match &call.action {
        ToolAction::Shell(shell) => Input::Command(Command::of(&shell.command)),
        ToolAction::Patch(patch) => Input::Command(Command::of(&patch.text)),
        ToolAction::Write(_) | ToolAction::Edit(_) | ToolAction::Delete(_) => {
            Input::Command(Command::of(patch_of(&call.action)))
        }
        ToolAction::Mcp(mcp) => arguments(&mcp.arguments),
        ToolAction::Other(other) => arguments(&other.arguments),
        action => match (&call.raw, action) {
            (Some(raw), _) => Input::Raw(raw),
            (None, ToolAction::Subagent(task)) => Input::Own(spawn_input(task)),
            (None, action) => Input::Own(own_input(action)),
        },
    }
}

fn object<T: Serialize>(value: &T) -> RawJson {
    RawJson::of(value).unwrap_or_else(|_| RawJson::null())
}

/// Arguments as they are; none are `{}`.
fn arguments(raw: &RawJson) -> Input<'_> {
    if raw.kind() == JsonKind::Null { Input::Own(object(&serde_json::Map::new())) } else { Input::Raw(raw) }
}

fn spawn_input(task: &SubagentTask) -> RawJson {
    #[derive(Serialize)]
    struct Spawn<'a> {
        message: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        agent_type: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<&'a str>,
    }
    object(&Spawn { message: &task.prompt, agent_type: task.kind.as_deref(), model: task.model.as_deref() })
}

/// The input of a host's own tool that the client has no shape for.
fn own_input(action: &ToolAction) -> RawJson {
    #[derive(Serialize, Default)]
    struct Own<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        file_path: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        dir_path: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pattern: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        include: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        offset: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        url: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        query: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        server: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        uri: Option<&'a str>,
    }
    let own = match action {
        ToolAction::Read(read) => {
            Own { file_path: Some(&read.path), offset: read.offset, limit: read.limit, ..Own::default() }
        }
        ToolAction::Grep(grep) => Own {
            pattern: Some(&grep.pattern),
            path: grep.path.as_deref(),
            include: grep.glob.as_deref(),
            ..Own::default()
        },
        ToolAction::Glob(glob) => Own { pattern: Some(&glob.pattern), path: glob.path.as_deref(), ..Own::default() },
        ToolAction::List(list) => Own { dir_path: Some(&list.path), ..Own::default() },
        ToolAction::WebFetch(fetch) => Own { url: Some(&fetch.url), ..Own::default() },
        ToolAction::WebSearch(search) => Own { query: Some(&search.query), ..Own::default() },
        ToolAction::McpResource(resource) => Own {
            server: resource.server.as_deref(),
            uri: Some(resource.uri.as_deref().unwrap_or(&resource.name)),
            ..Own::default()
        },
        _ => Own::default(),
    };
    object(&own)
}

/// A change of a file as the patch that would make it.
fn patch_of(action: &ToolAction) -> String {
    let mut patch = String::from("*** Begin Patch\n");
    let mut line = |mark: &str, text: &str| {
        patch.push_str(mark);
        patch.push_str(text);
        patch.push('\n');
    };
    match action {
        ToolAction::Write(write) => {
            line("*** Add File: ", &write.path);
            write.content.lines().for_each(|text| line("+", text));
        }
        ToolAction::Edit(edit) => {
            line("*** Update File: ", &edit.path);
            for change in &edit.edits {
                line("@@", "");
                change.old.lines().for_each(|text| line("-", text));
                change.new.lines().for_each(|text| line("+", text));
            }
        }
        ToolAction::Delete(delete) => line("*** Delete File: ", &delete.path),
        _ => {}
    }
    patch.push_str("*** End Patch\n");
    patch
}

/// What a tool returned, as the vendor shapes it.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Response<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// As it is.
    Raw(&'a RawJson),
    /// A text that was JSON.
    Json(RawJson),
}

/// What a tool returned, as the vendor shapes it.
pub(crate) fn response<'a>(call: &ToolCall, result: &'a ToolResult) -> Response<'a> {
    match &result.kind {
        ResultKind::Shell(shell) => Response::Text(match &shell.stderr {
            Some(stderr) if !stderr.is_empty() => Cow::Owned(format!("{}{stderr}", shell.output)),
            _ => Cow::Borrowed(&shell.output),
        }),
        ResultKind::Mcp(McpResult { result, .. }) => Response::Raw(result),
        // Of a function tool, JSON where it is JSON.
        ResultKind::Text(text) => match &call.action {
            ToolAction::Other(_) => RawJson::parse(text).map_or(Response::Text(Cow::Borrowed(text)), Response::Json),
            _ => Response::Text(Cow::Borrowed(text)),
        },
        ResultKind::File(file) => Response::Text(Cow::Borrowed(&file.content)),
        ResultKind::Files(files) => Response::Text(Cow::Owned(files.join("\n"))),
        ResultKind::Json(raw) => match &call.action {
            ToolAction::Mcp(_) | ToolAction::Other(_) => Response::Raw(raw),
            _ if raw.kind() == JsonKind::String => Response::Raw(raw),
            // Seen for spawn_agent: a string that holds JSON.
            _ => Response::Text(Cow::Borrowed(raw.get())),
        },
        ResultKind::Binary { bytes } => Response::Text(Cow::Owned(format!("({bytes} bytes)"))),
        _ => Response::Text(Cow::Borrowed("")),
    }
}

/// The call that a vendor's tool name and input mean.
pub(crate) fn call(name: &str, input: &RawJson) -> ToolCall {
    let other = || ToolAction::Other(OtherTool { name: name.to_owned(), arguments: input.clone() });
    let action = match name {
        BASH => {
            command_of(input).map_or_else(other, |command| ToolAction::Shell(Shell { command, ..Shell::default() }))
        }
        APPLY_PATCH => command_of(input).map_or_else(other, |text| ToolAction::Patch(Patch { text })),
        SPAWN_AGENT => spawn_of(input).map_or_else(other, ToolAction::Subagent),
        _ => match name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
            Some((server, tool)) => ToolAction::Mcp(Mcp::new(server, tool, input.clone())),
            None => other(),
        },
    };
    ToolCall { action, raw: Some(input.clone()) }
}

/// The text of a JSON string; `None` for another value and for one that is no text (half a surrogate pair).
pub(crate) fn text_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    let text = raw.get();
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    if inside.contains('\\') {
        return serde_json::from_str::<String>(text).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(inside))
}

/// Whether a tool's input is a command or a patch and its result a text.
pub(crate) fn takes_command(name: &str) -> bool {
    name == BASH || name == APPLY_PATCH
}

/// The call of a tool that takes a command and nothing else. It holds the whole input, so that no raw one stands beside.
pub(crate) fn command_call(name: &str, command: String) -> ToolCall {
    ToolCall::new(match name {
        APPLY_PATCH => ToolAction::Patch(Patch { text: command }),
        _ => ToolAction::Shell(Shell { command, ..Shell::default() }),
    })
}

/// The input of such a call.
pub(crate) fn command_input(command: &str) -> RawJson {
    object(&Command::of(command))
}

/// The command of an input that holds nothing else.
pub(crate) fn command_alone(input: &RawJson) -> Option<String> {
    let object = input.as_object()?;
    let mut members = object.iter();
    match (members.next(), members.next()) {
        (Some((COMMAND, raw)), None) => text_of(raw).map(Cow::into_owned),
        _ => None,
    }
}

fn command_of(input: &RawJson) -> Option<String> {
    text_member(input, COMMAND)
}

pub(crate) fn text_member(input: &RawJson, key: &str) -> Option<String> {
    input.as_object()?.get(key).and_then(text_of).map(Cow::into_owned)
}

fn spawn_of(input: &RawJson) -> Option<SubagentTask> {
    let prompt = text_member(input, "message")?;
    Some(SubagentTask {
        kind: text_member(input, "agent_type"),
        description: String::new(),
        prompt,
        model: text_member(input, "model"),
    })
}

/// The call that a rewritten input comes to (section 11.5): of `Bash` and `apply_patch` only a string `command` counts,
/// and without it the call fails; tools of tool servers and function tools take the value as it is.
pub(crate) fn project(original: &ToolCall, rewritten: &RawJson) -> Result<Projected, InputRefused> {
    let name = name(original);
    if name != BASH && name != APPLY_PATCH {
        let other = || ToolAction::Other(OtherTool { name: name.clone().into_owned(), arguments: rewritten.clone() });
        let action = match &original.action {
            ToolAction::Mcp(mcp) => ToolAction::Mcp(Mcp { arguments: rewritten.clone(), ..mcp.clone() }),
            ToolAction::Subagent(task) => match spawn_of(rewritten) {
                Some(new) => ToolAction::Subagent(SubagentTask { description: task.description.clone(), ..new }),
                None => other(),
            },
            _ => other(),
        };
        return Ok(Projected { call: ToolCall { action, raw: Some(rewritten.clone()) }, ignored: Vec::new() });
    }
    let members = rewritten.as_object().unwrap_or_default();
    let Some(command) = members.get(COMMAND).and_then(text_of).map(Cow::into_owned) else {
        return Err(InputRefused { reason: format!("{name} needs a string `{COMMAND}`") });
    };
    let ignored: Vec<String> = members.iter().map(|(key, _)| key.to_owned()).filter(|key| key != COMMAND).collect();
    let taken = if ignored.is_empty() { rewritten.clone() } else { object(&Command::of(&command)) };
    let action = match &original.action {
        ToolAction::Shell(shell) => ToolAction::Shell(Shell { command, ..shell.clone() }),
        _ => ToolAction::Patch(Patch { text: command }),
    };
    Ok(Projected { call: ToolCall { action, raw: Some(taken) }, ignored })
}
