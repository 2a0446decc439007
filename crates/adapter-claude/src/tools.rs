//! Claude Code's tool names and input shapes, in both directions (vendor's SDK tool types; recorded payloads).

use std::borrow::Cow;

use hooks_core::json::{JsonKind, RawJson, RawObject};
use hooks_core::tool::{
    Delete, Edit, FileContent, Glob, Grep, InputRefused, List, Mcp, McpResource, OtherTool, Patch, Projected, Read,
    ResultKind, Shell, ShellResult, SubagentTask, TextEdit, ToolAction, ToolCall, ToolResult, WebFetch, WebSearch,
    Write,
};
use serde::Serialize;
use serde_json::value::RawValue;

/// The built-in tools, as far as the SDK lists them (it calls its own list incomplete). Used for hints only.
pub const BUILT_IN: &[&str] = &[
    "Agent",
    "AskUserQuestion",
    "Bash",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "LSP",
    "ListMcpResourcesTool",
    "Monitor",
    "NotebookEdit",
    "PowerShell",
    "PushNotification",
    "Read",
    "ReadMcpResourceTool",
    "ScheduleWakeup",
    "SendMessage",
    "Skill",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskStop",
    "TaskUpdate",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Write",
];

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

/// A call's input in the vendor's shape, borrowed from the call.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Input<'a> {
    Bash {
        command: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        timeout: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        run_in_background: Option<bool>,
        #[serde(rename = "dangerouslyDisableSandbox", skip_serializing_if = "Option::is_none")]
        unsandboxed: Option<bool>,
    },
    Read {
        file_path: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        offset: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<u64>,
    },
    Write {
        file_path: &'a str,
        content: &'a str,
    },
    Edit {
        file_path: &'a str,
        #[serde(flatten)]
        edit: EditInput<'a>,
    },
    MultiEdit {
        file_path: &'a str,
        edits: Vec<EditInput<'a>>,
    },
    Patch {
        patch: &'a str,
    },
    Path {
        file_path: &'a str,
    },
    Glob {
        pattern: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
    },
    Grep {
        pattern: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        glob: Option<&'a str>,
        #[serde(rename = "-i", skip_serializing_if = "Option::is_none")]
        ignore_case: Option<bool>,
    },
    List {
        path: &'a str,
    },
    WebFetch {
        url: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt: Option<&'a str>,
    },
    WebSearch {
        query: &'a str,
    },
    Agent {
        description: &'a str,
        prompt: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        subagent_type: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<&'a str>,
    },
    McpResource {
        #[serde(skip_serializing_if = "Option::is_none")]
        server: Option<&'a str>,
        uri: &'a str,
    },
    Raw(&'a RawValue),
    Nothing {},
}

/// One replacement in the vendor's shape.
#[derive(Serialize)]
pub(crate) struct EditInput<'a> {
    old_string: &'a str,
    new_string: &'a str,
    replace_all: bool,
}

impl<'a> From<&'a TextEdit> for EditInput<'a> {
    fn from(edit: &'a TextEdit) -> Self {
        Self { old_string: &edit.old, new_string: &edit.new, replace_all: edit.replace_all }
    }
}

/// A call's input in the vendor's shape. Arguments of tool servers and unknown tools pass as they were written, an empty
/// object where they are no object; so does a raw input that is in the vendor's shape already, with keys that the typed
/// call has no place for.
pub(crate) fn input(call: &ToolCall) -> Input<'_> {
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
        ToolAction::Read(read) => Input::Read { file_path: &read.path, offset: read.offset, limit: read.limit },
        ToolAction::Write(write) => Input::Write { file_path: &write.path, content: &write.content },
        ToolAction::Edit(edit) => match edit.edits.as_slice() {
            [one] => Input::Edit { file_path: &edit.path, edit: one.into() },
            edits => Input::MultiEdit { file_path: &edit.path, edits: edits.iter().map(Into::into).collect() },
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

/// A tool's response in the vendor's shape, borrowed from the result.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Response<'a> {
    #[serde(rename_all = "camelCase")]
    Bash {
        stdout: &'a str,
        stderr: &'a str,
        interrupted: bool,
        is_image: bool,
        no_output_expected: bool,
    },
    ReadText {
        #[serde(rename = "type")]
        kind: &'static str,
        file: FileResponse<'a>,
    },
    #[serde(rename_all = "camelCase")]
    Written {
        file_path: &'a str,
        content: &'a str,
        structured_patch: [(); 0],
    },
    #[serde(rename_all = "camelCase")]
    Files {
        filenames: &'a [String],
        num_files: usize,
        truncated: bool,
    },
    Blocks([TextBlock<'a>; 1]),
    Text(&'a str),
    Raw(&'a RawValue),
    Binary {
        bytes: u64,
    },
    Nothing {},
}

/// A file in the response of `Read`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileResponse<'a> {
    file_path: &'a str,
    content: &'a str,
    num_lines: usize,
    start_line: u64,
    total_lines: u64,
}

/// A block of text in the response of a tool server's tool.
#[derive(Serialize)]
pub(crate) struct TextBlock<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
}

/// A tool's response in the vendor's shape. What the host does not know is left out.
pub(crate) fn response<'a>(call: &ToolCall, result: &'a ToolResult) -> Response<'a> {
    let is_mcp = call.as_mcp().is_some();
    match &result.kind {
        ResultKind::Shell(ShellResult { output, stderr, interrupted, .. }) => Response::Bash {
            stdout: output,
            stderr: stderr.as_deref().unwrap_or_default(),
            interrupted: *interrupted,
            is_image: false,
            no_output_expected: false,
        },
        ResultKind::File(FileContent { path, content, start_line, total_lines }) => {
            if matches!(call.action, ToolAction::Write(_) | ToolAction::Edit(_)) {
                return Response::Written { file_path: path, content, structured_patch: [] };
            }
            let lines = content.split('\n').count();
            let start_line = start_line.unwrap_or(1);
            Response::ReadText {
                kind: "text",
                file: FileResponse {
                    file_path: path,
                    content,
                    num_lines: lines,
                    start_line,
                    total_lines: total_lines.unwrap_or(lines as u64),
                },
            }
        }
        ResultKind::Files(files) => Response::Files { filenames: files, num_files: files.len(), truncated: false },
        ResultKind::Text(text) if is_mcp => Response::Blocks([TextBlock { kind: "text", text }]),
        ResultKind::Text(text) => Response::Text(text),
        // The client gives the content blocks, not the whole message of the tool server.
        ResultKind::Mcp(mcp) => {
            let content = mcp.result.as_object().and_then(|object| object.get("content"));
            Response::Raw(content.filter(|raw| JsonKind::of(raw) == JsonKind::Array).unwrap_or(mcp.result.as_raw()))
        }
        ResultKind::Json(raw) => Response::Raw(raw.as_raw()),
        ResultKind::Binary { bytes } => Response::Binary { bytes: *bytes },
        _ => Response::Nothing {},
    }
}

/// An input object of the vendor's, read key by key. A value of the wrong type counts as absent.
struct Keys<'a>(RawObject<'a>);

impl Keys<'_> {
    fn text(&self, key: &str) -> Option<String> {
        self.0.get_non_null(key).and_then(|raw| serde_json::from_str(raw.get()).ok())
    }

    fn number(&self, key: &str) -> Option<u64> {
        self.0.get_non_null(key).and_then(|raw| serde_json::from_str(raw.get()).ok())
    }

    fn flag(&self, key: &str) -> Option<bool> {
        self.0.get_non_null(key).and_then(|raw| serde_json::from_str(raw.get()).ok())
    }
}

/// The parts of `mcp__<server>__<tool>`.
fn mcp_parts(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

/// The call that a tool name and an input mean. An input that lacks what its tool must have becomes a call of an
/// unknown tool of that name, so that nothing is invented.
#[must_use]
pub fn call(name: &str, input: &RawJson) -> ToolCall {
    let action = known(name, input).unwrap_or_else(|| match mcp_parts(name) {
        Some((server, tool)) => ToolAction::Mcp(Mcp::new(server, tool, input.clone())),
        None => ToolAction::Other(OtherTool { name: name.to_owned(), arguments: input.clone() }),
    });
    ToolCall { action, raw: Some(input.clone()) }
}

fn known(name: &str, input: &RawJson) -> Option<ToolAction> {
    let keys = Keys(input.as_object()?);
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
        "Edit" => ToolAction::Edit(Edit { path: keys.text("file_path")?, edits: vec![text_edit(&keys)?] }),
        "MultiEdit" => {
            let edits: Vec<&RawValue> = serde_json::from_str(keys.0.get("edits")?.get()).ok()?;
            let edits = edits.into_iter().map(|raw| text_edit(&Keys(RawObject::parse(raw.get()).ok()?)));
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

fn text_edit(keys: &Keys<'_>) -> Option<TextEdit> {
    Some(TextEdit {
        old: keys.text("old_string")?,
        new: keys.text("new_string")?,
        replace_all: keys.flag("replace_all").unwrap_or(false),
    })
}

/// The keys of a built-in tool's input with the kinds of their values; those before the bar must be there.
type Schema = (&'static [(&'static str, JsonKind)], &'static [(&'static str, JsonKind)]);

fn schema(action: &ToolAction) -> Option<Schema> {
    use JsonKind::{Bool, Number, String};
    Some(match action {
        ToolAction::Shell(_) => (
            &[("command", String)],
            &[
                ("timeout", Number),
                ("description", String),
                ("run_in_background", Bool),
                ("dangerouslyDisableSandbox", Bool),
            ],
        ),
        ToolAction::Read(_) => (
            &[("file_path", String)],
            &[("offset", Number), ("limit", Number), ("pages", String), ("allow_large", Bool)],
        ),
        ToolAction::Write(_) => (&[("file_path", String), ("content", String)], &[]),
        ToolAction::Edit(edit) if edit.edits.len() == 1 => {
            (&[("file_path", String), ("old_string", String), ("new_string", String)], &[("replace_all", Bool)])
        }
        ToolAction::Edit(_) => (&[("file_path", String), ("edits", JsonKind::Array)], &[]),
        ToolAction::Patch(_) => (&[("patch", String)], &[]),
        ToolAction::Delete(_) => (&[("file_path", String)], &[]),
        ToolAction::Glob(_) => (&[("pattern", String)], &[("path", String)]),
        ToolAction::Grep(_) => (&[("pattern", String)], &[("path", String), ("glob", String), ("-i", Bool)]),
        ToolAction::List(_) => (&[("path", String)], &[]),
        ToolAction::WebFetch(_) => (&[("url", String)], &[("prompt", String), ("offset", Number)]),
        ToolAction::WebSearch(_) => (&[("query", String)], &[]),
        ToolAction::Subagent(_) => (
            &[("description", String), ("prompt", String)],
            &[("subagent_type", String), ("model", String), ("run_in_background", Bool)],
        ),
        ToolAction::McpResource(_) => (&[("uri", String)], &[("server", String)]),
        _ => return None,
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
    if let Some((required, optional)) = schema(&original.action) {
        for (key, kind) in required {
            match object.get(key).map(JsonKind::of) {
                Some(found) if found == *kind => {}
                Some(found) => return refused(format!("`{key}` is {}, not {}", found.phrase(), kind.phrase())),
                None => return refused(format!("`{key}` is missing")),
            }
        }
        for (key, kind) in optional {
            match object.get(key).map(JsonKind::of) {
                Some(found) if found != *kind => {
                    return refused(format!("`{key}` is {}, not {}", found.phrase(), kind.phrase()));
                }
                _ => {}
            }
        }
        let knows = |key: &str| required.iter().chain(optional).any(|(known, _)| *known == key);
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

/// Whether a replaced result fits the tool's own output shape; one that does not is dropped (cases `updated-output-*`).
/// A tool server's result may be anything.
///
/// # Errors
///
/// What is wrong with it.
pub(crate) fn fits_output(call: &ToolCall, replaced: &RawJson) -> Result<(), String> {
    use JsonKind::{Array, Bool, Object, String};
    if call.as_mcp().is_some() {
        return Ok(());
    }
    let Some(object) = replaced.as_object() else {
        return Err(format!("it is {}, not an object", replaced.kind().phrase()));
    };
    let wanted: &[(&str, JsonKind)] = match &call.action {
        ToolAction::Shell(_) => &[("stdout", String), ("stderr", String), ("interrupted", Bool)],
        ToolAction::Read(_) => &[("type", String)],
        ToolAction::Write(_) => {
            &[("type", String), ("filePath", String), ("content", String), ("structuredPatch", Array)]
        }
        ToolAction::Edit(_) => &[("filePath", String), ("structuredPatch", Array)],
        ToolAction::Glob(_) | ToolAction::Grep(_) => &[("filenames", Array)],
        _ => &[],
    };
    for (key, kind) in wanted {
        match object.get(key).map(JsonKind::of) {
            Some(found) if found == *kind => {}
            Some(found) => return Err(format!("`{key}` is {}, not {}", found.phrase(), kind.phrase())),
            None => return Err(format!("`{key}` is missing")),
        }
    }
    if matches!(call.action, ToolAction::Read(_)) && object.get("file").is_none_or(|file| JsonKind::of(file) != Object)
    {
        return Err("`file` is missing".to_owned());
    }
    Ok(())
}
