//! Cursor's names for tools, their inputs and their results, in both directions.
//!
//! The page documents the names `Shell`, `Read`, `Write`, `Grep`, `Delete`, `Task` and `MCP:<tool>`, and the input of
//! `Shell` by an example. `StrReplace`, `ApplyPatch`, `WebFetch` and `WebSearch` were seen or are named on the
//! third-party page. Inputs of the other tools are nowhere documented: their keys follow those of the file events.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use hooks_core::json::{JsonKind, RawObject};
use hooks_core::tool::{
    Delete, Edit, FileContent, Glob, Grep, InputRefused, List, Mcp, McpResource, McpResult, OtherTool, Patch,
    Projected, Read, ResultKind, Shell, ShellResult, SubagentTask, TextEdit, ToolAction, WebFetch, WebSearch, Write,
};
use hooks_core::{RawJson, ToolCall, ToolResult};

pub(crate) mod wire;

/// The prefix of a tool server's tool at the tool events.
pub(crate) const MCP: &str = "MCP:";
/// The prefix of a tool server's resource at the tool events (first design, matching).
const MCP_RESOURCE: &str = "MCPResource:";

/// The names of Cursor's own tools: those that the hooks page lists, then those that were seen or that its page on other
/// formats maps. The set is open: the editor gains tools without a word in its documents.
pub const NAMES: [&str; 13] = [
    "Shell",
    "Read",
    "Write",
    "Grep",
    "Delete",
    "Task",
    "StrReplace",
    "ApplyPatch",
    "WebFetch",
    "WebSearch",
    "Glob",
    "List",
    "AskQuestion",
];

/// More names that hooks written for Cursor by others match and that no document of Cursor's lists: they may be right, so
/// nothing is said of them.
pub(crate) const SEEN: [&str; 7] =
    ["SemanticSearch", "EditNotebook", "TodoWrite", "ReadLints", "SwitchMode", "GenerateImage", "Subagent"];

/// The name of a tool server's tool at the tool events.
pub(crate) fn mcp_name(tool: &str) -> Cow<'_, str> {
    Cow::Owned(format!("{MCP}{tool}"))
}

/// Keys of a tool's input under which clients give the same: what is written here, then what hooks that were written for
/// the editor read there (`tool_input.path` and `tool_input.contents` in public repositories), since no page has them.
const ALSO: [(&str, &[&str]); 3] =
    [("file_path", &["path"]), ("content", &["contents"]), ("patch", &["input", "command"])];

/// A rewritten input, in the keys in which the client gave the original's.
#[must_use]
pub(crate) fn in_keys_of(original: &ToolCall, input: RawJson) -> RawJson {
    let tool = matches!(
        original.action,
        ToolAction::Read(_) | ToolAction::Write(_) | ToolAction::Edit(_) | ToolAction::Patch(_) | ToolAction::Delete(_)
    );
    let Some(given) = original.raw.as_ref().filter(|_| tool).and_then(RawJson::as_object) else { return input };
    let Some(object) = input.as_object() else { return input };
    let own = |key: &str| {
        let (_, also) = ALSO.iter().find(|(own, _)| *own == key && given.get(own).is_none())?;
        also.iter().copied().find(|key| given.get(key).is_some())
    };
    if object.iter().all(|(key, _)| own(key).is_none()) {
        return input;
    }
    let renamed: std::collections::BTreeMap<&str, RawJson> =
        object.iter().map(|(key, value)| (own(key).unwrap_or(key), RawJson::from_raw(value))).collect();
    RawJson::of(&renamed).unwrap_or(input)
}

/// Cursor's name for a call's tool. Edits are `Write` in Cursor's list.
#[must_use]
pub fn name(call: &ToolCall) -> Cow<'_, str> {
    Cow::Borrowed(match &call.action {
        ToolAction::Shell(_) => "Shell",
        ToolAction::Read(_) => "Read",
        ToolAction::Write(_) | ToolAction::Edit(_) | ToolAction::Patch(_) => "Write",
        ToolAction::Delete(_) => "Delete",
        ToolAction::Glob(_) => "Glob",
        ToolAction::Grep(_) => "Grep",
        ToolAction::List(_) => "List",
        ToolAction::WebFetch(_) => "WebFetch",
        ToolAction::WebSearch(_) => "WebSearch",
        ToolAction::Subagent(_) => "Task",
        ToolAction::Mcp(mcp) => return mcp_name(&mcp.tool),
        ToolAction::McpResource(resource) => return Cow::Owned(format!("{MCP_RESOURCE}{}", resource.name)),
        ToolAction::Other(other) => &other.name,
        _ => "",
    })
}

/// What else a call's tool goes by: the editor itself was seen to say `StrReplace` and `ApplyPatch` for edits.
#[must_use]
pub const fn aliases(call: &ToolCall) -> &'static [&'static str] {
    match &call.action {
        ToolAction::Edit(_) => &["StrReplace"],
        ToolAction::Patch(_) => &["ApplyPatch"],
        _ => &[],
    }
}

/// A call's input as Cursor's hooks get it.
pub(crate) struct Input<'a> {
    /// The call.
    pub(crate) call: &'a ToolCall,
    /// The session's directory, for commands that name none.
    pub(crate) cwd: &'a str,
    /// Whether `working_directory` stands beside `cwd`.
    pub(crate) working_directory: bool,
}

impl Serialize for Input<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.call.action {
            ToolAction::Shell(shell) => {
                let cwd = shell.cwd.as_deref().unwrap_or(self.cwd);
                wire::Shell {
                    command: &shell.command,
                    cwd,
                    working_directory: self.working_directory.then_some(cwd),
                    is_read_only: shell.is_read_only,
                    is_risky: shell.is_risky,
                    wait_until_completion: shell.wait_until_completion,
                    uses_pager: shell.uses_pager,
                    rationale: shell.rationale.as_deref(),
                }
                .serialize(serializer)
            }
            ToolAction::Read(read) => {
                wire::Read { file_path: &read.path, offset: read.offset, limit: read.limit }.serialize(serializer)
            }
            ToolAction::Write(write) => {
                wire::Write { file_path: &write.path, content: &write.content }.serialize(serializer)
            }
            ToolAction::Edit(edit) => {
                let edits = edit.edits.iter().map(|one| wire::TextEdit {
                    old_string: &one.old,
                    new_string: &one.new,
                    replace_all: one.replace_all.then_some(true),
                });
                wire::Edit { file_path: &edit.path, edits: edits.collect() }.serialize(serializer)
            }
            ToolAction::Patch(patch) => wire::Patch { patch: &patch.text }.serialize(serializer),
            ToolAction::Delete(delete) => wire::Delete { file_path: &delete.path }.serialize(serializer),
            ToolAction::Glob(glob) => {
                wire::Glob { pattern: &glob.pattern, path: glob.path.as_deref() }.serialize(serializer)
            }
            ToolAction::Grep(grep) => wire::Grep {
                pattern: &grep.pattern,
                path: grep.path.as_deref(),
                glob: grep.glob.as_deref(),
                ignore_case: grep.ignore_case,
            }
            .serialize(serializer),
            ToolAction::List(list) => wire::List { path: &list.path }.serialize(serializer),
            ToolAction::WebFetch(fetch) => {
                wire::WebFetch { url: &fetch.url, prompt: fetch.prompt.as_deref() }.serialize(serializer)
            }
            ToolAction::WebSearch(search) => wire::WebSearch { query: &search.query }.serialize(serializer),
            ToolAction::Subagent(task) => wire::Task {
                subagent_type: task.kind.as_deref(),
                description: &task.description,
                prompt: &task.prompt,
                model: task.model.as_deref(),
            }
            .serialize(serializer),
            ToolAction::Mcp(mcp) => mcp.arguments.serialize(serializer),
            ToolAction::McpResource(resource) => wire::Resource {
                server: resource.server.as_deref(),
                name: &resource.name,
                uri: resource.uri.as_deref(),
            }
            .serialize(serializer),
            ToolAction::Other(other) => other.arguments.serialize(serializer),
            _ => self.call.raw.serialize(serializer),
        }
    }
}

/// A result as the object whose JSON text `tool_output` holds: tagged with a snake_case kind (first design, encoding),
/// with the keys of Cursor's own example (`exitCode`, `stdout`) where it gives some.
pub(crate) struct Output<'a>(pub(crate) &'a ToolResult);

impl Serialize for Output<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tagged = match &self.0.kind {
            ResultKind::Shell(shell) => wire::Output::Shell {
                exit_code: shell.exit_code,
                stdout: &shell.output,
                stderr: shell.stderr.as_deref(),
                interrupted: shell.interrupted.then_some(true),
            },
            ResultKind::Text(text) => wire::Output::Text { text },
            ResultKind::File(file) => wire::Output::File {
                file_path: &file.path,
                content: &file.content,
                start_line: file.start_line,
                total_lines: file.total_lines,
            },
            ResultKind::Files(files) => wire::Output::Files { files },
            ResultKind::Mcp(mcp) => wire::Output::Mcp { result: &mcp.result, is_error: mcp.is_error },
            ResultKind::Binary { bytes } => wire::Output::Binary { bytes: *bytes },
            ResultKind::Json(value) => wire::Output::Json { value },
            _ => wire::Output::Empty {},
        };
        tagged.serialize(serializer)
    }
}

/// The call that a tool's name and input mean. What cannot be read as the tool's input stays a tool of its own name,
/// with the input as it is.
#[must_use]
pub fn call(name: &str, input: &RawJson) -> ToolCall {
    // A file can be large: read in one pass where nothing about the input is odd.
    let written = if name == "Write" { serde_json::from_str::<wire::Written>(input.get()).ok() } else { None };
    if let Some(wire::Written { file_path, content }) = written {
        let action = ToolAction::Write(Write { path: file_path, content });
        return ToolCall { action, raw: Some(input.clone()) };
    }
    let template = template(name, input);
    let read = template.as_ref().and_then(|template| overlay(template, input, Given::ByTheClient).ok());
    let action = match (read, template) {
        (Some((action, _)), _) => action,
        // The name alone says which tool of a server this is, whatever its arguments.
        (None, Some(action @ (ToolAction::Mcp(_) | ToolAction::McpResource(_)))) => action,
        (None, _) => ToolAction::Other(OtherTool { name: name.to_owned(), arguments: input.clone() }),
    };
    ToolCall { action, raw: Some(input.clone()) }
}

/// The result in the JSON text of `tool_output`, where it is a tagged object as it is written here, or a shell's result in
/// the keys of Cursor's own example (hooks page, postToolUse).
pub(crate) fn result(call: &ToolCall, text: &str) -> Option<ResultKind> {
    // A command's output can be large: read in one pass where nothing about it is odd.
    if let Ok(printed) = serde_json::from_str::<wire::Printed<'_>>(text)
        && printed.kind.as_deref().map_or(call.as_shell().is_some(), |kind| kind == "shell")
    {
        return Some(ResultKind::Shell(ShellResult {
            output: printed.stdout,
            stderr: printed.stderr,
            exit_code: printed.exit_code,
            interrupted: printed.interrupted.unwrap_or(false),
        }));
    }
    let mut keys = Keys::of(RawObject::parse(text).ok()?);
    let mut kind = String::new();
    keys.text("kind", &mut kind);
    let shell = kind.is_empty() && call.as_shell().is_some();
    keys.result(if shell { "shell" } else { &kind })
}

/// An empty call of a tool.
fn template(name: &str, input: &RawJson) -> Option<ToolAction> {
    Some(match name {
        "Shell" => ToolAction::Shell(Shell::default()),
        "Read" => ToolAction::Read(Read::default()),
        // Edits and patches are `Write` in Cursor's list: the input tells them apart.
        "Write" => {
            let object = input.as_object().unwrap_or_default();
            let has = |key| object.get(key).is_some();
            if has("edits") || has("old_string") {
                ToolAction::Edit(Edit::default())
            } else if has("patch") {
                ToolAction::Patch(Patch::default())
            } else {
                ToolAction::Write(Write::default())
            }
        }
        "StrReplace" => ToolAction::Edit(Edit::default()),
        "ApplyPatch" => ToolAction::Patch(Patch::default()),
        "Delete" => ToolAction::Delete(Delete::default()),
        "Glob" => ToolAction::Glob(Glob::default()),
        "Grep" => ToolAction::Grep(Grep::default()),
        "List" => ToolAction::List(List::default()),
        "WebFetch" => ToolAction::WebFetch(WebFetch::default()),
        "WebSearch" => ToolAction::WebSearch(WebSearch::default()),
        "Task" => ToolAction::Subagent(SubagentTask::default()),
        _ => match (name.strip_prefix(MCP), name.strip_prefix(MCP_RESOURCE)) {
            (Some(tool), _) => ToolAction::Mcp(Mcp::new("", tool, input.clone())),
            (_, Some(resource)) => {
                ToolAction::McpResource(McpResource { name: resource.to_owned(), ..McpResource::default() })
            }
            _ => return None,
        },
    })
}

/// The call that a rewritten input comes to. Keys that the tool has replace the original's values, keys it does not have
/// are told, and an input with no key of the tool's is refused: the call then fails, and the original never runs in
/// its place. Whether Cursor replaces the whole input or lays it over is not documented; hooks were seen to give only
/// what changes.
///
/// # Errors
///
/// [`InputRefused`] where it is no object, has a value of a wrong type, or none of the tool's keys.
pub fn project(original: &ToolCall, rewritten: &RawJson) -> Result<Projected, InputRefused> {
    let (action, ignored) =
        overlay(&original.action, rewritten, Given::ByAHook).map_err(|reason| InputRefused { reason })?;
    Ok(Projected { call: ToolCall { action, raw: Some(rewritten.clone()) }, ignored })
}

/// Who wrote an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// The client, whose keys no page has.
    ByTheClient,
    /// A hook, which was given the keys that are written here.
    ByAHook,
}

/// An input read key by key.
struct Keys<'a> {
    object: RawObject<'a>,
    read: Vec<&'static str>,
    found: bool,
    fault: Option<String>,
    given: Given,
}

impl<'a> Keys<'a> {
    const fn of(object: RawObject<'a>) -> Self {
        Self { object, read: Vec::new(), found: false, fault: None, given: Given::ByAHook }
    }

    /// A result of a kind; `None` where a key is missing, of a wrong type, or none of the kind's.
    fn result(&mut self, kind: &str) -> Option<ResultKind> {
        let (result, needed): (ResultKind, &[&str]) = match kind {
            "shell" => {
                let mut shell = ShellResult::default();
                self.take("exitCode", "a whole number", &mut shell.exit_code);
                self.text("stdout", &mut shell.output);
                self.maybe_text("stderr", &mut shell.stderr);
                self.take("interrupted", "a boolean", &mut shell.interrupted);
                (ResultKind::Shell(shell), &["stdout"])
            }
            "text" => {
                let mut text = String::new();
                self.text("text", &mut text);
                (ResultKind::Text(text), &["text"])
            }
            "file" => {
                let mut file = FileContent::default();
                self.text("file_path", &mut file.path);
                self.text("content", &mut file.content);
                self.maybe_number("start_line", &mut file.start_line);
                self.maybe_number("total_lines", &mut file.total_lines);
                (ResultKind::File(file), &["file_path", "content"])
            }
            "files" => {
                let mut files = Vec::new();
                self.take("files", "an array of strings", &mut files);
                (ResultKind::Files(files), &["files"])
            }
            "mcp" => {
                let mut is_error = false;
                self.take("is_error", "a boolean", &mut is_error);
                let result = self.raw("result")?;
                (ResultKind::Mcp(McpResult { result, is_error }), &["is_error"])
            }
            "binary" => {
                let mut bytes = 0;
                self.take("bytes", "a whole number", &mut bytes);
                (ResultKind::Binary { bytes }, &["bytes"])
            }
            "json" => (ResultKind::Json(self.raw("value")?), &[]),
            "empty" => (ResultKind::Empty, &[]),
            _ => return None,
        };
        let all = self.object.iter().all(|(key, _)| self.read.contains(&key));
        let there = needed.iter().all(|key| self.object.get(key).is_some());
        (self.fault.is_none() && all && there).then_some(result)
    }

    fn raw(&mut self, key: &'static str) -> Option<RawJson> {
        self.read.push(key);
        self.object.get(key).map(RawJson::from_raw)
    }

    fn take<T: serde::de::DeserializeOwned>(&mut self, key: &'static str, what: &str, into: &mut T) {
        self.read.push(key);
        let Some(raw) = self.object.get(key) else { return };
        match serde_json::from_str(raw.get()) {
            Ok(value) => {
                self.found = true;
                *into = value;
            }
            Err(_) => {
                self.fault.get_or_insert_with(|| format!("`{key}` is not {what} but {}", JsonKind::of(raw).phrase()));
            }
        }
    }

    fn text(&mut self, key: &'static str, into: &mut String) {
        self.take(key, "a string", into);
    }

    /// A text that clients give under several keys.
    fn text_of(&mut self, key: &'static str, into: &mut String) {
        let also = ALSO.iter().find(|(own, _)| *own == key && self.given == Given::ByTheClient);
        let other = also.into_iter().flat_map(|(_, also)| also.iter()).find(|key| self.object.get(key).is_some());
        match other.filter(|_| self.object.get(key).is_none()) {
            Some(other) => self.text(other, into),
            None => self.text(key, into),
        }
    }

    fn maybe_text(&mut self, key: &'static str, into: &mut Option<String>) {
        self.take(key, "a string", into);
    }

    fn maybe_flag(&mut self, key: &'static str, into: &mut Option<bool>) {
        self.take(key, "a boolean", into);
    }

    fn maybe_number(&mut self, key: &'static str, into: &mut Option<u64>) {
        self.take(key, "a whole number", into);
    }
}

/// Lays an input over a call's own; gives the keys that have no effect too.
fn overlay(original: &ToolAction, input: &RawJson, given: Given) -> Result<(ToolAction, Vec<String>), String> {
    let Some(object) = input.as_object() else {
        return Err(format!("it is not an object but {}", input.kind().phrase()));
    };
    let mut keys = Keys { given, ..Keys::of(object) };
    let mut action = original.clone();
    match &mut action {
        ToolAction::Shell(shell) => {
            keys.text("command", &mut shell.command);
            keys.maybe_text("working_directory", &mut shell.cwd);
            keys.maybe_text("cwd", &mut shell.cwd);
            keys.maybe_flag("is_read_only", &mut shell.is_read_only);
            keys.maybe_flag("is_risky", &mut shell.is_risky);
            keys.maybe_flag("wait_until_completion", &mut shell.wait_until_completion);
            keys.maybe_flag("uses_pager", &mut shell.uses_pager);
            keys.maybe_text("rationale", &mut shell.rationale);
        }
        ToolAction::Read(read) => {
            keys.text_of("file_path", &mut read.path);
            keys.maybe_number("offset", &mut read.offset);
            keys.maybe_number("limit", &mut read.limit);
            if read.path != path_of(original) {
                // The content the host had read is another file's.
                read.content = None;
            }
        }
        ToolAction::Write(write) => {
            keys.text_of("file_path", &mut write.path);
            keys.text_of("content", &mut write.content);
        }
        ToolAction::Edit(edit) => {
            keys.text_of("file_path", &mut edit.path);
            overlay_edits(&mut keys, edit);
        }
        ToolAction::Patch(patch) => keys.text_of("patch", &mut patch.text),
        ToolAction::Delete(delete) => keys.text_of("file_path", &mut delete.path),
        ToolAction::Glob(glob) => {
            keys.text("pattern", &mut glob.pattern);
            keys.maybe_text("path", &mut glob.path);
        }
        ToolAction::Grep(grep) => {
            keys.text("pattern", &mut grep.pattern);
            keys.maybe_text("path", &mut grep.path);
            keys.maybe_text("glob", &mut grep.glob);
            keys.maybe_flag("ignore_case", &mut grep.ignore_case);
        }
        ToolAction::List(list) => keys.text("path", &mut list.path),
        ToolAction::WebFetch(fetch) => {
            keys.text("url", &mut fetch.url);
            keys.maybe_text("prompt", &mut fetch.prompt);
        }
        ToolAction::WebSearch(search) => keys.text("query", &mut search.query),
        ToolAction::Subagent(task) => {
            keys.maybe_text("subagent_type", &mut task.kind);
            keys.text("description", &mut task.description);
            keys.text("prompt", &mut task.prompt);
            keys.maybe_text("model", &mut task.model);
        }
        // The arguments of these are the object itself, replaced whole.
        ToolAction::Mcp(mcp) => {
            mcp.arguments = input.clone();
            return Ok((action, Vec::new()));
        }
        ToolAction::Other(other) => {
            other.arguments = input.clone();
            return Ok((action, Vec::new()));
        }
        ToolAction::McpResource(resource) => {
            keys.maybe_text("server", &mut resource.server);
            keys.text("name", &mut resource.name);
            keys.maybe_text("uri", &mut resource.uri);
        }
        _ => return Err("the tool's input cannot be rewritten".to_owned()),
    }
    if let Some(fault) = keys.fault {
        return Err(fault);
    }
    if !keys.found {
        return Err("it has none of the tool's keys".to_owned());
    }
    let mut ignored: Vec<String> =
        keys.object.iter().map(|(key, _)| key.to_owned()).filter(|key| !keys.read.contains(&key.as_str())).collect();
    ignored.dedup();
    Ok((action, ignored))
}

fn path_of(action: &ToolAction) -> &str {
    match action {
        ToolAction::Read(read) => &read.path,
        _ => "",
    }
}

/// The replacements of an edit: a list under `edits`, or one flat pair.
fn overlay_edits(keys: &mut Keys<'_>, edit: &mut Edit) {
    let mut raws: Vec<Box<serde_json::value::RawValue>> = Vec::new();
    let had = keys.object.get("edits").is_some();
    keys.take("edits", "an array", &mut raws);
    if had && keys.fault.is_none() {
        edit.edits.clear();
        for raw in &raws {
            match RawObject::parse(raw.get()) {
                Ok(object) => {
                    let mut one = Keys::of(object);
                    let mut text = TextEdit::default();
                    one.text("old_string", &mut text.old);
                    one.text("new_string", &mut text.new);
                    one.take("replace_all", "a boolean", &mut text.replace_all);
                    let lacks = one.object.get("old_string").is_none() || one.object.get("new_string").is_none();
                    let fault =
                        one.fault.or_else(|| lacks.then(|| "an edit lacks `old_string` or `new_string`".to_owned()));
                    keys.fault = keys.fault.take().or(fault);
                    edit.edits.push(text);
                }
                Err(_) => keys.fault = Some("an edit is not an object".to_owned()),
            }
        }
    }
    let flat = ["old_string", "new_string", "replace_all"];
    if !had && flat.iter().any(|key| keys.object.get(key).is_some()) {
        let mut text = edit.edits.first().cloned().unwrap_or_default();
        if edit.edits.len() > 1 {
            keys.fault = Some("it gives one edit where the call makes several".to_owned());
        }
        keys.text("old_string", &mut text.old);
        keys.text("new_string", &mut text.new);
        keys.take("replace_all", "a boolean", &mut text.replace_all);
        edit.edits = vec![text];
    }
}
