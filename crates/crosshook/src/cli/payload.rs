//! The occurrence that `fire` fires: from options, from a recorded payload, and made up where nothing is said.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use hooks_core::envelope::{
    Compaction, HostInfo, Model, Notification, PermissionOrigin, PermissionRequest, Prompt, SessionEnd, SessionStart,
    SubagentStart, SubagentStop, ToolFailed, ToolFailureKind, ToolReturned, ToolUse, TurnStop,
};
use hooks_core::facts::EventFacts;
use hooks_core::json::RawObject;
use hooks_core::tool::{McpResult, OtherTool, Read, ResultKind, ShellResult};
use hooks_core::{Boundary, Common, Envelope, HostSide, Payload, RawJson, ToolAction, ToolCall, ToolResult};

use super::exit::Trouble;
use super::record;

/// The most bytes of a payload that are read.
const LIMIT: u64 = 16 << 20;

/// What happened, as far as it is said.
#[derive(Debug, Default, Args)]
pub(crate) struct Happened {
    /// The tool that is called, by the vendor's name
    #[arg(long, value_name = "NAME", help_heading = "What happened")]
    pub tool: Option<String>,
    /// The tool's input, an object in the vendor's shape; made up if not given
    #[arg(long, value_name = "JSON", requires = "tool", help_heading = "What happened")]
    pub input: Option<String>,
    /// The shell command that is run
    #[arg(
        long = "command",
        id = "shell_command",
        value_name = "TEXT",
        conflicts_with = "tool",
        help_heading = "What happened"
    )]
    pub command: Option<String>,
    /// The prompt that is sent
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "What happened")]
    pub prompt: Option<String>,
    /// A recorded payload, as a vendor writes it to a hook's standard input, or a record of `crosshook record`; `-` reads
    /// it from there
    #[arg(long, value_name = "FILE", help_heading = "What happened")]
    pub payload: Option<PathBuf>,
}

impl Happened {
    /// The text of the payload, if one is named.
    pub(crate) fn text(&self) -> Result<Option<String>, Trouble> {
        self.payload.as_deref().map(read).transpose()
    }
}

/// An occurrence, with what is to be told about how it was made.
pub(crate) struct Occurrence {
    /// What is fired.
    pub envelope: Envelope,
    /// Options and keys of the payload that this boundary has no use for.
    pub ignored: Vec<String>,
    /// Whether the part that a hook looks at first is made up.
    pub made_up: bool,
}

/// The occurrence that the arguments describe, on the boundary of these events; `text` is that of the payload.
pub(crate) fn build(
    args: &Happened,
    text: Option<&str>,
    boundary: Boundary,
    events: &[(Arc<dyn HostSide>, &'static EventFacts)],
    root: &str,
) -> Result<Occurrence, Trouble> {
    let object = match text {
        Some(text) => RawObject::parse(text)
            .map_err(|error| Trouble::usage(format!("the payload is not a JSON object: {error}")))?,
        None => RawObject::default(),
    };
    let mut builder = Builder { args, fields: Fields::new(object), events, root, made_up: false, used: Vec::new() };
    let common = builder.common();
    let payload = builder.payload(boundary)?;
    let ignored = builder.ignored();
    Ok(Occurrence { envelope: Envelope::new(common, payload), ignored, made_up: builder.made_up })
}

fn read(path: &Path) -> Result<String, Trouble> {
    let mut bytes = Vec::new();
    let shown = path.display();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(LIMIT + 1).read_to_end(&mut bytes)
    } else {
        if path.is_dir() {
            return Err(Trouble::usage(format!("{shown} is a folder; --payload wants a file with a JSON object"))
                .help(
                    "name one file in it; of a folder of records, `crosshook explain FOLDER` tells of each in a line",
                ));
        }
        std::fs::File::open(path).and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| Trouble::usage(format!("cannot read the payload {shown}: {error}")))?;
    if bytes.len() as u64 > LIMIT {
        return Err(Trouble::usage(format!("the payload {shown} is larger than {} MB", LIMIT >> 20)));
    }
    let bytes = record::stdin_of(bytes, Some(path))?;
    let text = String::from_utf8(bytes).map_err(|_| Trouble::usage(format!("the payload {shown} is not UTF-8")))?;
    if let Some(at) = hooks_core::json::too_deep_at(text.as_bytes()) {
        return Err(Trouble::usage(format!("the payload {shown} is nested too deep, at byte {at}")));
    }
    Ok(text)
}

/// A payload's members, with a memory of which were looked at.
struct Fields<'a> {
    object: RawObject<'a>,
    used: RefCell<BTreeSet<&'static str>>,
}

impl<'a> Fields<'a> {
    fn new(object: RawObject<'a>) -> Self {
        Self { object, used: RefCell::default() }
    }

    fn raw(&self, key: &'static str) -> Option<RawJson> {
        self.used.borrow_mut().insert(key);
        self.object.get_non_null(key).map(RawJson::from_raw)
    }

    fn text(&self, key: &'static str) -> Option<String> {
        self.raw(key)?.as_str()
    }

    fn first_text(&self, keys: &[&'static str]) -> Option<String> {
        keys.iter().filter_map(|key| self.text(key)).next()
    }

    fn number(&self, key: &'static str) -> Option<u64> {
        self.raw(key)?.read::<f64>().ok().filter(|number| *number >= 0.0).map(|number| number as u64)
    }

    fn flag(&self, key: &'static str) -> Option<bool> {
        self.raw(key)?.read().ok()
    }

    fn has(&self, key: &str) -> bool {
        self.object.get_non_null(key).is_some()
    }
}

struct Builder<'a> {
    args: &'a Happened,
    fields: Fields<'a>,
    events: &'a [(Arc<dyn HostSide>, &'static EventFacts)],
    root: &'a str,
    made_up: bool,
    /// The options that had a meaning.
    used: Vec<&'static str>,
}

impl Builder<'_> {
    fn common(&self) -> Common {
        let fields = &self.fields;
        fields.raw("hook_event_name");
        let cwd = fields.text("cwd").filter(|cwd| !cwd.is_empty());
        let roots = fields.raw("workspace_roots").and_then(|raw| raw.read::<Vec<String>>().ok());
        Common {
            session_id: fields
                .first_text(&["session_id", "conversation_id"])
                .unwrap_or_else(|| "crosshook-fire".into()),
            turn_id: Some(fields.first_text(&["turn_id", "generation_id"]).unwrap_or_else(|| "turn-1".into())),
            prompt_id: fields.text("prompt_id"),
            cwd: cwd.unwrap_or_else(|| self.root.to_owned()),
            project_dir: Some(self.root.to_owned()),
            workspace_roots: roots.unwrap_or_else(|| vec![self.root.to_owned()]),
            model: fields.text("model").map(|slug| Model { slug, ..Model::default() }),
            permission_mode: Some(fields.text("permission_mode").unwrap_or_else(|| "default".into())),
            transcript_path: fields.text("transcript_path"),
            user_email: fields.text("user_email"),
            host: HostInfo { name: "crosshook".into(), version: env!("CARGO_PKG_VERSION").into() },
            ..Common::default()
        }
    }

    fn payload(&mut self, boundary: Boundary) -> Result<Payload, Trouble> {
        Ok(match boundary {
            Boundary::ToolBefore => Payload::ToolBefore(self.tool()?),
            Boundary::PermissionRequest => {
                let tool = self.tool()?;
                let mcp = tool.call.as_mcp().is_some();
                let origin = if mcp { PermissionOrigin::Mcp } else { PermissionOrigin::Tool };
                let suggestions = self.fields.raw("permission_suggestions");
                Payload::PermissionRequest(PermissionRequest { tool, origin, justification: None, suggestions })
            }
            Boundary::ToolResult => {
                let tool = self.tool()?;
                let result = self.result(&tool.call);
                let duration_ms = self.fields.number("duration_ms").or_else(|| self.fields.number("duration"));
                Payload::ToolResult(ToolReturned { tool, result, duration_ms })
            }
            Boundary::ToolFailure => {
                let tool = self.tool()?;
                let error = self.fields.first_text(&["error", "error_message"]);
                let kind = match self.fields.text("failure_type").as_deref() {
                    Some("timeout") => ToolFailureKind::Timeout,
                    Some("permission_denied") => ToolFailureKind::Denied,
                    _ if self.fields.flag("is_interrupt") == Some(true) => ToolFailureKind::Cancelled,
                    _ => ToolFailureKind::Error,
                };
                let duration_ms = self.fields.number("duration_ms").or_else(|| self.fields.number("duration"));
                let error = error.unwrap_or_else(|| "the tool failed".into());
                Payload::ToolFailure(ToolFailed { tool, error, kind, duration_ms, cancellation_reason: None })
            }
            Boundary::PromptSubmit => {
                let given = self.option("--prompt", self.args.prompt.clone());
                let given = given.or_else(|| self.fields.text("prompt"));
                self.made_up = given.is_none();
                Payload::PromptSubmit(Prompt { text: given.unwrap_or_else(|| "hello".into()), ..Prompt::default() })
            }
            Boundary::TurnStop => Payload::TurnStop(TurnStop {
                status: Some(self.fields.text("status").unwrap_or_else(|| "completed".into())),
                loop_count: self.loop_count(),
                last_message: self.fields.text("last_assistant_message"),
                ..TurnStop::default()
            }),
            Boundary::SessionStart => {
                let source = self.fields.text("source").unwrap_or_else(|| "startup".into());
                let background = self.fields.flag("is_background_agent");
                Payload::SessionStart(SessionStart { source: Some(source), background, ..SessionStart::default() })
            }
            Boundary::SessionEnd => Payload::SessionEnd(SessionEnd {
                reason: Some(self.fields.text("reason").unwrap_or_else(|| "other".into())),
                duration_ms: self.fields.number("duration_ms"),
                final_status: self.fields.text("final_status"),
                ..SessionEnd::default()
            }),
            Boundary::SubagentStart => Payload::SubagentStart(SubagentStart {
                id: Some(self.fields.first_text(&["subagent_id", "agent_id"]).unwrap_or_else(|| "agent-1".into())),
                kind: Some(self.subagent_kind()),
                task: self.fields.text("task"),
                parent_session_id: self.fields.text("parent_conversation_id"),
                tool_use_id: self.fields.text("tool_call_id"),
                ..SubagentStart::default()
            }),
            Boundary::SubagentStop => Payload::SubagentStop(SubagentStop {
                id: Some(self.fields.first_text(&["subagent_id", "agent_id"]).unwrap_or_else(|| "agent-1".into())),
                kind: Some(self.subagent_kind()),
                status: Some(self.fields.text("status").unwrap_or_else(|| "completed".into())),
                loop_count: self.loop_count(),
                last_message: self.fields.text("last_assistant_message"),
                ..SubagentStop::default()
            }),
            Boundary::CompactBefore | Boundary::CompactAfter => {
                let compaction = Compaction {
                    trigger: Some(self.fields.text("trigger").unwrap_or_else(|| "manual".into())),
                    instructions: self.fields.text("custom_instructions"),
                    summary: self.fields.text("compact_summary"),
                    ..Compaction::default()
                };
                if boundary == Boundary::CompactBefore {
                    Payload::CompactBefore(compaction)
                } else {
                    Payload::CompactAfter(compaction)
                }
            }
            Boundary::Notification => Payload::Notification(Notification {
                message: self.fields.text("message").unwrap_or_else(|| "something happened".into()),
                title: self.fields.text("title"),
                kind: self.fields.text("notification_type").unwrap_or_else(|| "idle_prompt".into()),
            }),
            other => self.sample(other)?,
        })
    }

    /// An option that this boundary has a use for.
    fn option<T>(&mut self, name: &'static str, value: Option<T>) -> Option<T> {
        self.used.push(name);
        value
    }

    fn subagent_kind(&self) -> String {
        self.fields.first_text(&["subagent_type", "agent_type"]).unwrap_or_else(|| "general-purpose".into())
    }

    /// How often hooks made the turn go on; vendors that only tell whether they did mean at least once.
    fn loop_count(&self) -> u32 {
        let active = self.fields.flag("stop_hook_active") == Some(true);
        let count = self.fields.number("loop_count").map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        count.unwrap_or_else(|| u32::from(active))
    }

    fn tool(&mut self) -> Result<ToolUse, Trouble> {
        let call = self.call()?;
        let id = self.fields.first_text(&["tool_use_id", "tool_call_id"]).unwrap_or_else(|| "call-1".into());
        Ok(ToolUse { id: Some(id), call })
    }

    fn call(&mut self) -> Result<ToolCall, Trouble> {
        if let Some(command) = self.option("--command", self.args.command.clone()) {
            return Ok(ToolCall::shell(command));
        }
        if let Some(tool) = self.option("--tool", self.args.tool.clone()) {
            let Some(input) = self.args.input.as_deref() else {
                self.made_up = true;
                return Ok(self.sampled_call(&tool));
            };
            let input = RawJson::parse(input)
                .map_err(|error| Trouble::usage(format!("--input is not JSON: {error}")))
                .and_then(|input| {
                    if input.as_object().is_some() {
                        Ok(input)
                    } else {
                        Err(Trouble::usage("--input is not a JSON object")
                            .help("write for instance --input '{\"command\": \"ls\"}'"))
                    }
                })?;
            if let Some(at) = hooks_core::json::too_deep_at(input.get().as_bytes()) {
                return Err(Trouble::usage(format!("--input is nested too deep, at byte {at}")));
            }
            return Ok(self.named_call(&tool, &input));
        }
        if let Some(name) = self.fields.text("tool_name") {
            let input = self.fields.raw("tool_input").unwrap_or_else(empty_object);
            return Ok(self.named_call(&name, &input));
        }
        if let Some(command) = self.fields.text("command") {
            return Ok(ToolCall::shell(command));
        }
        if let Some(path) = self.fields.text("file_path") {
            let content = self.fields.text("content");
            return Ok(ToolCall::new(ToolAction::Read(Read { path, content, ..Read::default() })));
        }
        self.made_up = true;
        let sampled = self.events.iter().find_map(|(adapter, event)| sample(&**adapter, event));
        let call = sampled.and_then(|envelope| envelope.payload.tool_use().map(|tool| tool.call.clone()));
        Ok(call.unwrap_or_else(|| ToolCall::shell("echo hello")))
    }

    /// A made-up call of a tool.
    fn sampled_call(&self, name: &str) -> ToolCall {
        let given = hooks_conformance::Given { tool: Some(name.to_owned()), ..Default::default() };
        let sampled = self.events.iter().filter_map(|(adapter, event)| {
            let envelope = hooks_conformance::sample::envelope(&**adapter, event.name, &given)?;
            envelope.payload.tool_use().map(|tool| tool.call.clone())
        });
        let mut calls = sampled.filter(|call| !matches!(call.action, ToolAction::Other(_)));
        calls.next().unwrap_or_else(|| self.named_call(name, &empty_object()))
    }

    /// The call a vendor's tool name and input mean, for the first vendor that knows the name.
    fn named_call(&self, name: &str, input: &RawJson) -> ToolCall {
        let mut calls = self.events.iter().map(|(adapter, _)| adapter.tool_call(name, input));
        let known = calls.clone().find(|call| !matches!(call.action, ToolAction::Other(_)));
        known.or_else(|| calls.next()).unwrap_or_else(|| ToolCall {
            action: ToolAction::Other(OtherTool { name: name.to_owned(), arguments: input.clone() }),
            raw: Some(input.clone()),
        })
    }

    fn result(&mut self, call: &ToolCall) -> ToolResult {
        let answer =
            ["tool_response", "tool_output", "output", "result_json"].iter().find_map(|key| self.fields.raw(key));
        let exit_code = self.fields.number("exit_code").and_then(|code| i32::try_from(code).ok());
        let shell = call.as_shell().is_some();
        let Some(raw) = answer else {
            let kind = if shell {
                ResultKind::Shell(ShellResult { exit_code: exit_code.or(Some(0)), ..ShellResult::default() })
            } else {
                ResultKind::Empty
            };
            return ToolResult::finished(kind);
        };
        let kind = match raw.as_str() {
            Some(output) if shell => ResultKind::Shell(ShellResult { output, exit_code, ..ShellResult::default() }),
            Some(text) => ResultKind::Text(text),
            None if shell => {
                let of = |key: &str| raw.as_object()?.get_non_null(key).map(RawJson::from_raw);
                let text = |key: &str| of(key)?.as_str();
                ResultKind::Shell(ShellResult {
                    output: text("stdout").or_else(|| text("output")).unwrap_or_default(),
                    stderr: text("stderr"),
                    exit_code: of("exit_code")
                        .or_else(|| of("exitCode"))
                        .and_then(|code| code.read().ok())
                        .or(exit_code),
                    interrupted: of("interrupted").and_then(|flag| flag.read().ok()).unwrap_or_default(),
                })
            }
            None if call.as_mcp().is_some() => ResultKind::Mcp(McpResult { result: raw.clone(), is_error: false }),
            None => ResultKind::Json(raw.clone()),
        };
        ToolResult { raw: Some(raw), ..ToolResult::finished(kind) }
    }

    /// A made-up occurrence of a boundary for which there are no options.
    fn sample(&mut self, boundary: Boundary) -> Result<Payload, Trouble> {
        self.made_up = true;
        self.events
            .iter()
            .filter_map(|(adapter, event)| sample(&**adapter, event))
            .map(|envelope| envelope.payload)
            .find(|payload| payload.boundary() == boundary)
            .ok_or_else(|| Trouble::usage(format!("there is no made-up occurrence of {boundary} to fire")))
    }

    /// What was given and has no use here.
    fn ignored(&self) -> Vec<String> {
        let given = [
            ("--command", self.args.command.is_some()),
            ("--tool", self.args.tool.is_some()),
            ("--prompt", self.args.prompt.is_some()),
        ];
        let options = given.into_iter().filter(|(name, given)| *given && !self.used.contains(name));
        let used = self.fields.used.borrow();
        let keys =
            self.fields.object.iter().map(|(key, _)| key).filter(|key| !used.contains(key) && self.fields.has(key));
        let mut ignored: Vec<String> = options.map(|(name, _)| name.to_owned()).collect();
        let named = self.fields.object.get_non_null("hook_event_name").and_then(|raw| RawJson::from_raw(raw).as_str());
        if let Some(named) = named.filter(|named| !self.events.iter().any(|(_, event)| event.name == *named)) {
            ignored.push(format!("payload key `hook_event_name`, which names `{named}`"));
        }
        for key in keys {
            let key = format!("payload key `{key}`");
            if !ignored.contains(&key) {
                ignored.push(key);
            }
        }
        ignored
    }
}

fn empty_object() -> RawJson {
    RawJson::parse("{}").unwrap_or_else(|_| RawJson::null())
}

fn sample(adapter: &dyn HostSide, event: &EventFacts) -> Option<Envelope> {
    hooks_conformance::sample::envelope(adapter, event.name, &hooks_conformance::Given::default())
}
