//! Standard input: one JSON object a run, written straight into the runner's buffer.
//!
//! What is not known has no key. The exceptions are Cursor's own: `user_email` and `transcript_path` are null then, and
//! `generation_id` falls back to the conversation, since scripts may index it (first design, encoding).

pub(crate) mod file;
pub(crate) mod mcp;
pub(crate) mod prompt;
pub(crate) mod read;
pub(crate) mod session;
pub(crate) mod shell;
pub(crate) mod subagent;
pub(crate) mod tool;
pub(crate) mod turn;

use std::borrow::Cow;

use serde::Serialize;

use hooks_core::adapter::Encoded;
use hooks_core::boundary::Boundary;
use hooks_core::definition::Binding;
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::handler::{Handler, PromptHandler};
use hooks_core::outcome::{Invocation, NotRun, Program, ShellKind};
use hooks_core::tool::ToolAction;

use crate::Adapter;
use crate::events::Event;
use crate::locations;

/// Writes a binding's standard input and says what to run.
pub(crate) fn encode(adapter: &Adapter, binding: &Binding, envelope: &Envelope, stdin: &mut Vec<u8>) -> Encoded {
    stdin.clear();
    let name = binding.place.event.as_str();
    let Some(event) = adapter.row(name) else {
        return Err(NotRun(format!("`{name}` is no event of Cursor's")));
    };
    let version = locations::client_version(envelope, adapter.version);
    let writer = Writer { adapter, name: event.facts.name, version: &version, envelope, stdin };
    let written = match &envelope.payload {
        // The application's event has four of the common fields and no conversation.
        _ if event.facts.name == "workspaceOpen" => writer.workspace(),
        // An event that is never fired, and a payload the event is not about, add nothing to the common fields. Tab's
        // events have no boundary; theirs are the payloads of the agent's file events.
        _ if !adapter.options().fires(event)
            || event.facts.boundary.is_some_and(|boundary| boundary != envelope.boundary()) =>
        {
            writer.line(&Nothing {})
        }
        payload => writer.payload(payload),
    };
    written.map_err(|error| NotRun(format!("its standard input could not be written: {error}")))?;

    let program = program(&binding.handler, stdin)?;
    let (env, env_remove) = locations::environment(binding, envelope, adapter.version);
    let cwd = locations::cwd(binding, envelope);
    let invocation = Invocation::new(program, cwd, binding.timeout, locations::RUN_RULES);
    Ok(Invocation { env, env_remove, ..invocation })
}

/// The field that is null where its number has no JSON form.
pub(crate) const NULLED: &str = "context_usage_percent";

/// The fields of a payload whose values have no JSON form, so that they were written as null. With the types of an
/// occurrence these are numbers only; raw values are JSON already.
pub(crate) fn nulled(event: &Event, envelope: &Envelope) -> Option<&'static str> {
    match &envelope.payload {
        Payload::CompactBefore(compaction)
            if event.facts.boundary == Some(Boundary::CompactBefore)
                && compaction.usage_percent.is_some_and(|percent| !percent.is_finite()) =>
        {
            Some(NULLED)
        }
        _ => None,
    }
}

/// What to run. A command is a text for a shell; a relative path in it is found from the directory the hook runs in. A
/// prompt's `$ARGUMENTS` is replaced by the input, which is added at the end where the prompt does not name it (hooks
/// page, prompt hooks).
fn program(handler: &Handler, stdin: &[u8]) -> Result<Program, NotRun> {
    match handler {
        Handler::Command(command) => {
            if command.command.contains('\0') {
                return Err(NotRun("the command holds a NUL character".to_owned()));
            }
            Ok(Program::ShellText { shell: ShellKind::from(command.shell), text: command.command.clone() })
        }
        Handler::Prompt(prompt) => {
            let input = String::from_utf8_lossy(stdin);
            let text = if prompt.prompt.contains("$ARGUMENTS") {
                prompt.prompt.replace("$ARGUMENTS", &input)
            } else {
                format!("{}\n\n{input}", prompt.prompt)
            };
            Ok(Program::Hosted(Box::new(Handler::Prompt(PromptHandler { prompt: text, ..prompt.clone() }))))
        }
        other => Err(NotRun(format!("Cursor has no {} hooks", other.kind().as_str()))),
    }
}

/// An event without fields of its own.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Nothing {}

/// The fields of every payload of the agent's events (hooks page, common fields).
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Common<'a> {
    /// The conversation; the same over all of its turns.
    conversation_id: &'a str,
    /// The turn; another one with each message of the person. The conversation's id at a session's start and where a
    /// host has no turns (Crosshook's first design, encoding); one client was seen to leave it empty at a session's
    /// start.
    generation_id: &'a str,
    /// The model's short name; absent when it is not known. Some clients were seen to say `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    /// The model's full name; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    model_id: Option<&'a str>,
    /// How the model is set up.
    model_params: Vec<Param<'a>>,
    /// The event.
    hook_event_name: &'a str,
    /// The client's version; the host's own where another host runs the hook.
    cursor_version: &'a str,
    /// The version of the host that runs the hook. Not Cursor's: a key of Crosshook's first design; absent where it has
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    host_version: Option<&'a str>,
    /// The workspace's folders, usually one; the working directory where no folder is known.
    workspace_roots: Cow<'a, [String]>,
    /// The person's address; null when nobody is logged in.
    user_email: Option<&'a str>,
    /// The file with the conversation; null when transcripts are off.
    transcript_path: Option<&'a str>,
    /// The conversation, once more. Documented for the two session events; seen on every event with 3.14.7.
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
}

/// A setting of the model.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Param<'a> {
    /// Its name.
    id: &'a str,
    /// Its value, which is a text even where it says true or a number.
    value: &'a str,
}

/// The fields of `workspaceOpen` (hooks page, workspaceOpen).
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Workspace<'a> {
    /// The event.
    hook_event_name: &'a str,
    /// The client's version; the host's own where another host runs the hook.
    cursor_version: &'a str,
    /// The workspace's folders.
    workspace_roots: Cow<'a, [String]>,
    /// The person's address; null when nobody is logged in.
    user_email: Option<&'a str>,
}

/// Common fields, then the event's own.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Line<'a, T: Serialize> {
    /// What every event has.
    #[serde(flatten)]
    common: Common<'a>,
    /// The event's own.
    #[serde(flatten)]
    body: &'a T,
}

/// One payload being written.
struct Writer<'a> {
    adapter: &'a Adapter,
    name: &'static str,
    version: &'a str,
    envelope: &'a Envelope,
    stdin: &'a mut Vec<u8>,
}

type Written = Result<(), serde_json::Error>;

impl<'a> Writer<'a> {
    fn payload(self, payload: &'a Payload) -> Written {
        let call = payload.tool_use().map(|tool| &tool.call.action);
        match (self.name, payload, call) {
            ("beforeShellExecution" | "afterShellExecution", _, Some(ToolAction::Shell(shell))) => {
                shell::write(self, payload, shell)
            }
            ("beforeMCPExecution" | "afterMCPExecution", _, Some(ToolAction::Mcp(mcp))) => {
                mcp::write(self, payload, mcp)
            }
            ("beforeReadFile", _, Some(ToolAction::Read(read))) => file::read(self, read),
            ("beforeTabFileRead", Payload::ToolBefore(_), Some(ToolAction::Read(read))) => file::tab_read(self, read),
            ("afterFileEdit", _, Some(action)) => file::edit(self, action),
            ("afterTabFileEdit", Payload::ToolResult(_), Some(action)) => file::edit(self, action),
            ("beforeTabFileRead" | "afterTabFileEdit", _, _) => self.line(&Nothing {}),
            ("preToolUse", Payload::ToolBefore(tool), _) => tool::before(self, tool),
            ("postToolUse", Payload::ToolResult(returned), _) => tool::result(self, returned),
            ("postToolUseFailure", Payload::ToolFailure(failed), _) => tool::failure(self, failed),
            (_, Payload::SessionStart(start), _) => session::start(self, start),
            (_, Payload::SessionEnd(end), _) => session::end(self, end),
            (_, Payload::PromptSubmit(prompt), _) => prompt::write(self, prompt),
            (_, Payload::SubagentStart(start), _) => subagent::start(self, start),
            (_, Payload::SubagentStop(stop), _) => subagent::stop(self, stop),
            (_, Payload::CompactBefore(compaction), _) => turn::compaction(self, compaction),
            (_, Payload::TurnStop(stop), _) => turn::stop(self, stop),
            (_, Payload::AgentResponse(text), _) => turn::response(self, text),
            (_, Payload::AgentThought(text), _) => turn::thought(self, text),
            _ => self.line(&Nothing {}),
        }
    }

    /// Writes the common fields and an event's own.
    fn line<T: Serialize>(self, body: &T) -> Written {
        let common = &self.envelope.common;
        let conversation = common.session_id.as_str();
        // A session's start belongs to no turn.
        let turn = match self.envelope.boundary() {
            Boundary::SessionStart => None,
            _ => common.turn_id.as_deref(),
        };
        let model = common.model.as_ref();
        let line = Line {
            common: Common {
                conversation_id: conversation,
                generation_id: turn.unwrap_or(conversation),
                model: model.map(|model| model.slug.as_str()),
                model_id: model.and_then(|model| model.id.as_deref()),
                model_params: model
                    .map(|model| model.params.iter().map(|(id, value)| Param { id, value }).collect())
                    .unwrap_or_default(),
                hook_event_name: self.name,
                cursor_version: self.version,
                host_version: Some(common.host.version.as_str()).filter(|version| !version.is_empty()),
                workspace_roots: roots(self.envelope),
                user_email: common.user_email.as_deref(),
                transcript_path: common.transcript_path.as_deref(),
                session_id: self.names_session().then_some(conversation),
            },
            body,
        };
        serde_json::to_writer(self.stdin, &line)
    }

    /// Whether `session_id` stands among the common fields: on the two session events it is documented.
    fn names_session(&self) -> bool {
        self.adapter.options().observed_stdin_keys
            || matches!(self.envelope.boundary(), Boundary::SessionStart | Boundary::SessionEnd)
    }

    fn workspace(self) -> Written {
        let common = &self.envelope.common;
        let line = Workspace {
            hook_event_name: self.name,
            cursor_version: self.version,
            workspace_roots: roots(self.envelope),
            user_email: common.user_email.as_deref(),
        };
        serde_json::to_writer(self.stdin, &line)
    }
}

/// The workspace's roots; where none is known the project's root, which is the working directory at worst (first design,
/// encoding).
fn roots(envelope: &Envelope) -> Cow<'_, [String]> {
    let common = &envelope.common;
    if common.workspace_roots.is_empty() {
        Cow::Owned(vec![common.project_root().to_owned()])
    } else {
        Cow::Borrowed(&common.workspace_roots)
    }
}
