//! Claude Code's tool names and input shapes, in both directions (vendor's SDK tool types; recorded payloads).

pub(crate) mod beside;
pub(crate) mod inputs;
mod keys;
mod results;
mod wire;

use std::borrow::Cow;

use hooks_core::json::{JsonKind, RawJson};
use hooks_core::tool::{
    Delete, Edit, Glob, Grep, InputRefused, List, Mcp, McpResource, OtherTool, Patch, Projected, Read, Shell,
    SubagentTask, TextEdit, ToolAction, ToolCall, WebFetch, WebSearch, Write,
};
use serde_json::value::RawValue;

use self::keys::Keys;
pub use self::results::is_failure;
pub(crate) use self::results::{EXIT_CODE, error_text, fits_output, response, result_kind};
pub(crate) use self::wire::{Input, Response};

/// The built-in tools, as far as the SDK lists them (it calls its own list incomplete). Used for hints only.
pub const BUILT_IN: &[&str] = &[
    "Agent",
    "Artifact",
    "AskUserQuestion",
    "Bash",
    "ClaudeDesign",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EndConversation",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "ListAgents",
    "ListMcpResourcesTool",
    "LSP",
    "Monitor",
    "NotebookEdit",
    "OfferChromeSetup",
    "PowerShell",
    "Projects",
    "propose_skills",
    "PushNotification",
    "Read",
    "ReadMcpResourceDirTool",
    "ReadMcpResourceTool",
    "ReadNotifications",
    "RemoteTrigger",
    "ReportFindings",
    "ScheduleWakeup",
    "SendFeedback",
    "SendMessage",
    "SendUserFile",
    "SendUserMessage",
    "SetGoal",
    "ShareOnboardingGuide",
    "ShowOnboardingRolePicker",
    "Skill",
    "SubagentHandback",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskStop",
    "TaskUpdate",
    "TodoWrite",
    "ToolSearch",
    "WaitForMcpServers",
    "WebFetch",
    "WebSearch",
    "Workflow",
    "Write",
];

/// Tools that clients once had and that the SDK's types of 2.1.332 no longer name, each with what does its work now, where
/// something does.
const RETIRED: &[(&str, &str)] = &[
    ("AgentOutputTool", ""),
    ("BashOutput", "Read"),
    ("KillBash", "TaskStop"),
    ("KillShell", "TaskStop"),
    ("LS", "Bash"),
    ("MultiEdit", "Edit"),
    ("NotebookRead", "Read"),
    ("SlashCommand", "Skill"),
    ("TodoRead", ""),
];

/// What took the place of a tool that current clients do not have; empty where nothing did.
#[must_use]
pub fn retired(name: &str) -> Option<&'static str> {
    RETIRED.iter().find(|(retired, _)| *retired == name).map(|(_, now)| *now)
}

/// The name of a call's tool, then its aliases. `Task` matches the `Agent` tool (case `match-agent`). Calls that the
/// client has no tool for get the names of the nearest ones as aliases, so that hooks guarding those see them.
#[must_use]
pub fn names(call: &ToolCall) -> Vec<String> {
    match fixed_names(call) {
        Some(names) => names.iter().map(|&name| name.to_owned()).collect(),
        None => vec![name(call).into_owned()],
    }
}

/// The name of a call's tool.
pub(crate) fn name(call: &ToolCall) -> Cow<'_, str> {
    match (&call.action, fixed_names(call).and_then(<[_]>::first)) {
        (_, Some(name)) => Cow::Borrowed(name),
        (ToolAction::Mcp(mcp), None) => Cow::Owned(format!("mcp__{}__{}", mcp.server, mcp.tool)),
        (ToolAction::Other(other), None) => Cow::Borrowed(&other.name),
        (_, None) => Cow::Borrowed("Unknown"),
    }
}

/// The names of a call whose tool is always called the same.
pub(crate) fn fixed_names(call: &ToolCall) -> Option<&'static [&'static str]> {
    Some(match &call.action {
        ToolAction::Shell(_) => &["Bash"],
        ToolAction::Read(_) => &["Read"],
        ToolAction::Write(_) => &["Write"],
        ToolAction::Edit(edit) if edit.edits.len() == 1 => &["Edit"],
        ToolAction::Edit(_) => &["MultiEdit", "Edit"],
        ToolAction::Patch(_) => &["Patch", "Edit", "Write"],
        ToolAction::Delete(_) => &["Delete", "Write"],
        ToolAction::Glob(_) => &["Glob"],
        ToolAction::Grep(_) => &["Grep"],
        ToolAction::List(_) => &["LS"],
        ToolAction::WebFetch(_) => &["WebFetch"],
        ToolAction::WebSearch(_) => &["WebSearch"],
        ToolAction::Subagent(_) => &["Agent", "Task"],
        ToolAction::McpResource(_) => &["ReadMcpResourceTool"],
        _ => return None,
    })
}

/// A call's input in the vendor's shape. Arguments of tool servers and unknown tools pass as they were written, an empty
/// object where they are no object; so does a raw input that is in the vendor's shape already, with keys that the typed
/// call has no place for.
pub(crate) fn input(call: &ToolCall) -> Input<'_> {
    input_in(call, "")
}

/// The same, with the paths of files made absolute: hooks about one call see them so, whatever the model wrote (recorded
/// payloads; case L188).
pub(crate) fn input_in<'a>(call: &'a ToolCall, cwd: &str) -> Input<'a> {
    let placed = |path: &'a str| placed(path, cwd);
    if let Some(raw) = call.raw.as_ref().filter(|raw| says_more(call, raw)) {
        return Input::Raw(raw.as_raw());
    }
    match &call.action {
        ToolAction::Shell(shell) => Input::Bash {
            command: &shell.command,
            description: shell.description.as_deref(),
            timeout: shell.timeout_ms,
            run_in_background: shell.background,
            unsandboxed: shell.sandbox.map(|inside| !inside).filter(|outside| *outside),
        },
        ToolAction::Read(read) => Input::Read { file_path: placed(&read.path), offset: read.offset, limit: read.limit },
        ToolAction::Write(write) => Input::Write { file_path: placed(&write.path), content: &write.content },
        ToolAction::Edit(edit) => match edit.edits.as_slice() {
            [one] => Input::Edit { file_path: placed(&edit.path), edit: one.into() },
            edits => Input::MultiEdit { file_path: placed(&edit.path), edits: edits.iter().map(Into::into).collect() },
        },
        ToolAction::Patch(patch) => Input::Patch { patch: &patch.text },
        ToolAction::Delete(delete) => Input::Path { file_path: &delete.path },
        ToolAction::Glob(glob) => Input::Glob { pattern: &glob.pattern, path: glob.path.as_deref() },
        ToolAction::Grep(grep) => Input::Grep {
            pattern: &grep.pattern,
            path: grep.path.as_deref(),
            glob: grep.glob.as_deref(),
            ignore_case: grep.ignore_case,
        },
        ToolAction::List(list) => Input::List { path: &list.path },
        ToolAction::WebFetch(fetch) => Input::WebFetch { url: &fetch.url, prompt: fetch.prompt.as_deref() },
        ToolAction::WebSearch(search) => Input::WebSearch { query: &search.query },
        ToolAction::Subagent(task) => Input::Agent {
            description: &task.description,
            prompt: &task.prompt,
            subagent_type: task.kind.as_deref(),
            model: task.model.as_deref(),
        },
        ToolAction::McpResource(resource) => Input::McpResource {
            server: resource.server.as_deref(),
            uri: resource.uri.as_deref().unwrap_or(&resource.name),
        },
        ToolAction::Mcp(mcp) => object_or_nothing(&mcp.arguments),
        ToolAction::Other(other) => object_or_nothing(&other.arguments),
        _ => Input::Nothing {},
    }
}

/// A path below an absolute folder, where it is not absolute already.
fn placed<'a>(path: &'a str, cwd: &str) -> Cow<'a, str> {
    let has_drive = |path: &str| path.as_bytes().get(1) == Some(&b':');
    let is_absolute = |path: &str| path.starts_with(['/', '\\']) || has_drive(path);
    if !is_absolute(cwd) || path.is_empty() || path.starts_with('~') || is_absolute(path) {
        return Cow::Borrowed(path);
    }
    let separator = if has_drive(cwd) && cwd.contains('\\') { '\\' } else { '/' };
    Cow::Owned(format!("{}{separator}{path}", cwd.trim_end_matches(['/', '\\'])))
}

/// Whether a raw input is in the vendor's shape, means the typed call, and has keys that the typed call has no place for.
fn says_more(call: &ToolCall, raw: &RawJson) -> bool {
    let (names, carried): (&[&str], &[&str]) = match &call.action {
        ToolAction::Shell(_) => {
            (&["Bash"], &["command", "description", "timeout", "run_in_background", "dangerouslyDisableSandbox"])
        }
        ToolAction::Read(_) => (&["Read"], &["file_path", "offset", "limit"]),
        ToolAction::Write(_) => (&["Write"], &["file_path", "content"]),
        ToolAction::Edit(_) => {
            (&["Edit", "MultiEdit"], &["file_path", "old_string", "new_string", "replace_all", "edits"])
        }
        ToolAction::Glob(_) => (&["Glob"], &["pattern", "path"]),
        ToolAction::Grep(_) => (&["Grep"], &["pattern", "path", "glob", "-i"]),
        ToolAction::WebFetch(_) => (&["WebFetch"], &["url", "prompt"]),
        ToolAction::WebSearch(_) => (&["WebSearch"], &["query"]),
        ToolAction::Subagent(_) => (&["Agent"], &["description", "prompt", "subagent_type", "model"]),
        _ => return false,
    };
    let has_more = raw.as_object().is_some_and(|object| object.iter().any(|(key, _)| !carried.contains(&key)));
    if !has_more {
        return false;
    }
    names.iter().any(|name| match (known(name, raw), &call.action) {
        // What the vendor's input has no key for does not count.
        (Some(ToolAction::Shell(said)), ToolAction::Shell(meant)) => {
            said.command == meant.command
                && said.description == meant.description
                && said.timeout_ms == meant.timeout_ms
                && said.background == meant.background
                && said.sandbox.unwrap_or(true) == meant.sandbox.unwrap_or(true)
        }
        (Some(ToolAction::Read(said)), ToolAction::Read(meant)) => {
            said.path == meant.path && said.offset == meant.offset && said.limit == meant.limit
        }
        (Some(said), meant) => said == *meant,
        (None, _) => false,
    })
}

fn object_or_nothing(arguments: &RawJson) -> Input<'_> {
    match arguments.kind() {
        JsonKind::Object => Input::Raw(arguments.as_raw()),
        _ => Input::Nothing {},
    }
}

/// The text of a raw string.
pub(crate) fn string(raw: &RawValue) -> Option<String> {
    let text = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if text.contains('\\') { serde_json::from_str(raw.get()).ok() } else { Some(text.to_owned()) }
}

/// The parts of `mcp__<server>__<tool>`.
fn mcp_parts(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

/// The call that a tool name and an input mean. An input that lacks what its tool must have becomes a call of an
/// unknown tool of that name, so that nothing is invented.
#[must_use]
pub fn call(name: &str, input: &RawJson) -> ToolCall {
    call_of(name, input.clone(), None)
}

/// The same, where the name of the tool server is known: it may hold what else stands between server and tool.
pub(crate) fn call_of(name: &str, input: RawJson, server: Option<&str>) -> ToolCall {
    let by_server = || {
        let server = server?;
        let tool = name.strip_prefix("mcp__")?.strip_prefix(server)?.strip_prefix("__")?;
        (!tool.is_empty()).then_some((server, tool))
    };
    let action = known(name, &input).unwrap_or_else(|| match by_server().or_else(|| mcp_parts(name)) {
        Some((server, tool)) => ToolAction::Mcp(Mcp::new(server, tool, input.clone())),
        None => ToolAction::Other(OtherTool { name: name.to_owned(), arguments: input.clone() }),
    });
    ToolCall { action, raw: Some(input) }
}

/// The names that [`known`] reads.
const READ: &[&str] = &[
    "Bash",
    "Read",
    "Write",
    "Edit",
    "MultiEdit",
    "Patch",
    "Delete",
    "Glob",
    "Grep",
    "LS",
    "WebFetch",
    "WebSearch",
    "Agent",
    "Task",
    "ReadMcpResourceTool",
];

fn known(name: &str, input: &RawJson) -> Option<ToolAction> {
    // Arguments that nobody here reads stay unread.
    if !READ.contains(&name) {
        return None;
    }
    let mut keys = Keys::parse(input.get())?;
    Some(match name {
        "Bash" => ToolAction::Shell(Shell {
            command: keys.text("command")?,
            description: keys.text("description"),
            timeout_ms: keys.number("timeout"),
            background: keys.flag("run_in_background"),
            sandbox: keys.flag("dangerouslyDisableSandbox").map(|outside| !outside),
            ..Shell::default()
        }),
        "Read" => ToolAction::Read(Read {
            path: keys.text("file_path")?,
            offset: keys.number("offset"),
            limit: keys.number("limit"),
            content: None,
        }),
        "Write" => ToolAction::Write(Write { path: keys.text("file_path")?, content: keys.text("content")? }),
        "Edit" => ToolAction::Edit(Edit { path: keys.text("file_path")?, edits: vec![text_edit(&mut keys)?] }),
        "MultiEdit" => {
            let edits: Vec<&RawValue> = serde_json::from_str(input.as_object()?.get("edits")?.get()).ok()?;
            let edits = edits.into_iter().map(|raw| text_edit(&mut Keys::parse(raw.get())?));
            ToolAction::Edit(Edit { path: keys.text("file_path")?, edits: edits.collect::<Option<_>>()? })
        }
        "Patch" => ToolAction::Patch(Patch { text: keys.text("patch")? }),
        "Delete" => ToolAction::Delete(Delete { path: keys.text("file_path")? }),
        "Glob" => ToolAction::Glob(Glob { pattern: keys.text("pattern")?, path: keys.text("path") }),
        "Grep" => ToolAction::Grep(Grep {
            pattern: keys.text("pattern")?,
            path: keys.text("path"),
            glob: keys.text("glob"),
            ignore_case: keys.flag("-i"),
        }),
        "LS" => ToolAction::List(List { path: keys.text("path")? }),
        "WebFetch" => ToolAction::WebFetch(WebFetch { url: keys.text("url")?, prompt: keys.text("prompt") }),
        "WebSearch" => ToolAction::WebSearch(WebSearch { query: keys.text("query")? }),
        "Agent" | "Task" => ToolAction::Subagent(SubagentTask {
            kind: keys.text("subagent_type"),
            description: keys.text("description")?,
            prompt: keys.text("prompt")?,
            model: keys.text("model"),
        }),
        "ReadMcpResourceTool" => {
            let uri = keys.text("uri")?;
            ToolAction::McpResource(McpResource { server: keys.text("server"), name: uri.clone(), uri: Some(uri) })
        }
        _ => return None,
    })
}

fn text_edit(keys: &mut Keys) -> Option<TextEdit> {
    Some(TextEdit {
        old: keys.text("old_string")?,
        new: keys.text("new_string")?,
        replace_all: keys.flag("replace_all").unwrap_or(false),
    })
}

/// The call that a rewritten input comes to. The whole input is replaced, never merged; it must have what the tool must
/// have, and keys the tool does not know pass without effect (cases `updated-partial`, `updated-extra`).
///
/// # Errors
///
/// [`InputRefused`] where the client's tool would not take it: the call then fails, and the original input does not run.
pub fn project(original: &ToolCall, rewritten: &RawJson) -> Result<Projected, InputRefused> {
    let refused = |reason: String| Err(InputRefused { reason });
    let Some(object) = rewritten.as_object() else {
        return refused(format!("it is {}, not an object", rewritten.kind().phrase()));
    };
    let mut ignored = Vec::new();
    if let Some(input) = fixed_names(original).and_then(<[_]>::first).and_then(|name| inputs::of(name)) {
        for key in input.keys {
            match object.get(key.name).map(JsonKind::of) {
                Some(found) if found == key.kind => {}
                Some(found) => {
                    return refused(format!("`{}` is {}, not {}", key.name, found.phrase(), key.kind.phrase()));
                }
                None if key.required => return refused(format!("`{}` is missing", key.name)),
                None => {}
            }
        }
        let knows = |name: &str| input.keys.iter().any(|key| key.name == name);
        ignored.extend(object.iter().map(|(key, _)| key).filter(|key| !knows(key)).map(str::to_owned));
        ignored.dedup();
    }
    let mut projected = call(&name(original), rewritten);
    match (&original.action, &mut projected.action) {
        // What the vendor's input does not carry stays as it was.
        (ToolAction::Shell(before), ToolAction::Shell(after)) => after.cwd.clone_from(&before.cwd),
        (ToolAction::Mcp(before), ToolAction::Mcp(after)) => {
            *after = Mcp { arguments: after.arguments.clone(), ..before.clone() };
        }
        (before, ToolAction::Other(_)) if !matches!(before, ToolAction::Other(_)) => {
            return refused("its values do not fit the tool".to_owned());
        }
        _ => {}
    }
    Ok(Projected { call: projected, ignored })
}
