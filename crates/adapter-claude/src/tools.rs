//! Claude Code's tool names and input shapes, in both directions (vendor's SDK tool types; recorded payloads).

pub(crate) mod beside;
pub(crate) mod inputs;

use std::borrow::Cow;
use std::fmt;

use hooks_core::json::{JsonKind, RawJson, RawObject};
use hooks_core::tool::{
    Delete, Edit, FileContent, Glob, Grep, InputRefused, List, Mcp, McpResource, McpResult, OtherTool, Patch,
    Projected, Read, ResultKind, Shell, ShellResult, SubagentTask, TextEdit, ToolAction, ToolCall, ToolResult,
    WebFetch, WebSearch, Write,
};
use serde::Serialize;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

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
        file_path: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        offset: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<u64>,
    },
    Write {
        file_path: Cow<'a, str>,
        content: &'a str,
    },
    Edit {
        file_path: Cow<'a, str>,
        #[serde(flatten)]
        edit: EditInput<'a>,
    },
    MultiEdit {
        file_path: Cow<'a, str>,
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
        #[serde(rename = "type")]
        kind: &'static str,
        file_path: &'a str,
        content: &'a str,
        structured_patch: [(); 0],
        original_file: (),
        user_modified: bool,
    },
    #[serde(rename_all = "camelCase")]
    Edited {
        file_path: &'a str,
        old_string: &'a str,
        new_string: &'a str,
        original_file: (),
        structured_patch: [(); 0],
        user_modified: bool,
        replace_all: bool,
    },
    #[serde(rename_all = "camelCase")]
    Found {
        filenames: &'a [String],
        #[serde(skip_serializing_if = "Option::is_none")]
        duration_ms: Option<u64>,
        num_files: usize,
        truncated: bool,
    },
    #[serde(rename_all = "camelCase")]
    Searched {
        mode: &'static str,
        filenames: &'a [String],
        num_files: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        total_files: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'a str>,
    },
    #[serde(rename_all = "camelCase")]
    Fetched {
        bytes: usize,
        result: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        duration_ms: Option<u64>,
        url: &'a str,
    },
    WebFound {
        query: &'a str,
        results: [&'a str; 1],
    },
    #[serde(rename_all = "camelCase")]
    Finished {
        status: &'static str,
        prompt: &'a str,
        content: [TextBlock<'a>; 1],
        #[serde(skip_serializing_if = "Option::is_none")]
        total_duration_ms: Option<u64>,
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

/// A tool's response in the vendor's shape (SDK tool types; recorded payloads). What the host does not know is left out,
/// or has the value the client writes when there is nothing to say: a written file reads as a new one.
pub(crate) fn response<'a>(call: &'a ToolCall, result: &'a ToolResult, duration_ms: Option<u64>) -> Response<'a> {
    // What was read from the client's own payload has keys that the typed result has no place for.
    if let Some(raw) = result.raw.as_ref().filter(|raw| typed_result(call, raw).as_ref() == Some(&result.kind)) {
        return Response::Raw(raw.as_raw());
    }
    let spoken = match &result.kind {
        ResultKind::Text(text) => Some(text.as_str()),
        ResultKind::File(file) => Some(file.content.as_str()),
        ResultKind::Empty => Some(""),
        _ => None,
    };
    if let Some(text) = spoken
        && let Some(response) = spoken_response(call, result, text, duration_ms)
    {
        return response;
    }
    match &result.kind {
        ResultKind::Shell(ShellResult { output, stderr, interrupted, .. }) => Response::Bash {
            stdout: output,
            stderr: stderr.as_deref().unwrap_or_default(),
            interrupted: *interrupted,
            is_image: false,
            no_output_expected: false,
        },
        ResultKind::File(file) => Response::ReadText { kind: "text", file: file_response(file) },
        ResultKind::Files(files) => match call.action {
            ToolAction::Grep(_) => Response::Searched {
                mode: "files_with_matches",
                filenames: files,
                num_files: files.len(),
                total_files: Some(files.len()),
                content: None,
            },
            _ => Response::Found { filenames: files, duration_ms, num_files: files.len(), truncated: false },
        },
        // The client gives the content blocks, not the whole message of the tool server.
        ResultKind::Mcp(mcp) => {
            let content = mcp.result.as_object().and_then(|object| object.get("content"));
            Response::Raw(content.filter(|raw| JsonKind::of(raw) == JsonKind::Array).unwrap_or(mcp.result.as_raw()))
        }
        ResultKind::Json(raw) => Response::Raw(raw.as_raw()),
        ResultKind::Binary { bytes } => Response::Binary { bytes: *bytes },
        ResultKind::Text(text) => Response::Text(text),
        _ => Response::Nothing {},
    }
}

/// What a text, or nothing, comes to as the response of a tool that has a shape of its own.
fn spoken_response<'a>(
    call: &'a ToolCall,
    result: &'a ToolResult,
    text: &'a str,
    duration_ms: Option<u64>,
) -> Option<Response<'a>> {
    Some(match &call.action {
        ToolAction::Shell(_) => {
            Response::Bash { stdout: text, stderr: "", interrupted: false, is_image: false, no_output_expected: false }
        }
        ToolAction::Write(write) => Response::Written {
            kind: "create",
            file_path: &write.path,
            content: &write.content,
            structured_patch: [],
            original_file: (),
            user_modified: false,
        },
        ToolAction::Edit(edit) => {
            let [one] = edit.edits.as_slice() else { return None };
            Response::Edited {
                file_path: &edit.path,
                old_string: &one.old,
                new_string: &one.new,
                original_file: (),
                structured_patch: [],
                user_modified: false,
                replace_all: one.replace_all,
            }
        }
        ToolAction::Read(read) if !matches!(result.kind, ResultKind::File(_)) => {
            let lines = text.split('\n').count();
            let file = FileResponse {
                file_path: &read.path,
                content: text,
                num_lines: lines,
                start_line: read.offset.unwrap_or(1),
                total_lines: lines as u64,
            };
            Response::ReadText { kind: "text", file }
        }
        ToolAction::Grep(_) => {
            Response::Searched { mode: "content", filenames: &[], num_files: 0, total_files: None, content: Some(text) }
        }
        ToolAction::WebFetch(fetch) => {
            Response::Fetched { bytes: text.len(), result: text, duration_ms, url: &fetch.url }
        }
        ToolAction::WebSearch(search) => Response::WebFound { query: &search.query, results: [text] },
        ToolAction::Subagent(task) => Response::Finished {
            status: "completed",
            prompt: &task.prompt,
            content: [TextBlock { kind: "text", text }],
            total_duration_ms: duration_ms,
        },
        ToolAction::Mcp(_) if matches!(result.kind, ResultKind::Text(_)) => {
            Response::Blocks([TextBlock { kind: "text", text }])
        }
        _ => return None,
    })
}

fn file_response(file: &FileContent) -> FileResponse<'_> {
    let lines = file.content.split('\n').count();
    FileResponse {
        file_path: &file.path,
        content: &file.content,
        num_lines: lines,
        start_line: file.start_line.unwrap_or(1),
        total_lines: file.total_lines.unwrap_or(lines as u64),
    }
}

/// Whether a result that a tool returned is a failure to the client: a shell command's exit code above zero, or an answer
/// that a tool server calls an error (hooks page, `PostToolUseFailure`; recorded payloads).
#[must_use]
pub fn is_failure(result: &ToolResult) -> bool {
    match &result.kind {
        ResultKind::Shell(shell) => shell.exit_code.is_some_and(|code| code != 0),
        ResultKind::Mcp(mcp) => mcp.is_error,
        _ => false,
    }
}

/// The first line of a failed shell command's error, without its code (recorded payloads).
pub(crate) const EXIT_CODE: &str = "Exit code ";

/// The text of the error that a failed result comes to (recorded payloads): a shell command's code and all it printed,
/// the texts of a tool server's answer.
pub(crate) fn error_text(result: &ToolResult) -> String {
    match &result.kind {
        ResultKind::Shell(shell) => {
            let mut text = format!("{EXIT_CODE}{}", shell.exit_code.unwrap_or_default());
            for printed in [Some(shell.output.as_str()), shell.stderr.as_deref()].into_iter().flatten() {
                if !printed.trim().is_empty() {
                    text.push('\n');
                    text.push_str(printed.trim_end_matches('\n'));
                }
            }
            text
        }
        ResultKind::Mcp(mcp) => {
            let content = mcp.result.as_object().and_then(|object| object.get("content"));
            let blocks: Vec<&RawValue> =
                content.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
            let texts = blocks.into_iter().filter_map(|block| {
                let block = RawObject::parse(block.get()).ok()?;
                serde_json::from_str::<String>(block.get("text")?.get()).ok()
            });
            match texts.collect::<Vec<_>>().join("\n") {
                text if text.is_empty() => mcp.result.get().to_owned(),
                text => text,
            }
        }
        ResultKind::Text(text) => text.clone(),
        _ => String::new(),
    }
}

/// An input object of the vendor's, read in one pass: its texts, numbers and flags. A value of the wrong type counts as
/// absent, and of a repeated key the last one counts.
#[derive(Default)]
struct Keys(Vec<(String, Scalar)>);

enum Scalar {
    Text(String),
    Number(u64),
    Flag(bool),
    Other,
}

impl Keys {
    fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Takes a text out.
    fn text(&mut self, key: &str) -> Option<String> {
        match self.last(key)? {
            Scalar::Text(text) => Some(std::mem::take(text)),
            _ => None,
        }
    }

    fn number(&mut self, key: &str) -> Option<u64> {
        match self.last(key)? {
            Scalar::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn flag(&mut self, key: &str) -> Option<bool> {
        match self.last(key)? {
            Scalar::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    fn last(&mut self, key: &str) -> Option<&mut Scalar> {
        self.0.iter_mut().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Keys(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Value;
        impl<'de> Visitor<'de> for Value {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(text.to_owned()))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Scalar, E> {
                Ok(Scalar::Number(number))
            }

            fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Scalar, E> {
                Ok(Scalar::Flag(flag))
            }

            fn visit_i64<E: de::Error>(self, _: i64) -> Result<Scalar, E> {
                Ok(Scalar::Other)
            }

            fn visit_f64<E: de::Error>(self, _: f64) -> Result<Scalar, E> {
                Ok(Scalar::Other)
            }

            fn visit_unit<E: de::Error>(self) -> Result<Scalar, E> {
                Ok(Scalar::Other)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Scalar, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Scalar::Other)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar::Other)
            }
        }
        deserializer.deserialize_any(Value)
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

/// The result that a response in the vendor's shape means; what core has no kind for stays as it is.
pub(crate) fn result_kind(call: &ToolCall, raw: &RawJson) -> ResultKind {
    typed_result(call, raw).unwrap_or_else(|| ResultKind::Json(raw.clone()))
}

fn typed_result(call: &ToolCall, raw: &RawJson) -> Option<ResultKind> {
    if call.as_mcp().is_some() {
        if raw.kind() != JsonKind::Array {
            return None;
        }
        let result = RawJson::parse(&format!("{{\"content\":{}}}", raw.get())).ok()?;
        return Some(ResultKind::Mcp(McpResult { result, is_error: false }));
    }
    if !matches!(call.action, ToolAction::Shell(_) | ToolAction::Read(_) | ToolAction::Glob(_) | ToolAction::Grep(_)) {
        return None;
    }
    Some(match &call.action {
        ToolAction::Shell(_) => {
            let mut keys = Keys::parse(raw.get())?;
            // A command in the background goes on, and one whose code was interpreted may have another than zero.
            let open = keys.text("backgroundTaskId").or_else(|| keys.text("returnCodeInterpretation"));
            let interrupted = keys.flag("interrupted")?;
            ResultKind::Shell(ShellResult {
                output: keys.text("stdout")?,
                stderr: Some(keys.text("stderr")?),
                exit_code: (open.is_none() && !interrupted).then_some(0),
                interrupted,
            })
        }
        ToolAction::Read(_) => {
            let mut file = Keys::parse(raw.as_object()?.get("file")?.get())?;
            ResultKind::File(FileContent {
                path: file.text("filePath")?,
                content: file.text("content")?,
                start_line: file.number("startLine"),
                total_lines: file.number("totalLines"),
            })
        }
        _ => ResultKind::Files(serde_json::from_str(raw.as_object()?.get("filenames")?.get()).ok()?),
    })
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
