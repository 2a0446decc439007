//! Standard input as Cursor's client writes it, read into an occurrence: the inverse of writing it.
//!
//! Every member stays raw until its place is known. What has no place in the host's terms, and what has another type
//! than the page says, is kept under its own key in [`Common::extra`](hooks_core::Common). A field without which the
//! occurrence would be another one (the command of a shell event, the tool of a tool event) must be there: a hook that
//! got an empty one in its place could miss what it guards.

mod fields;
mod file;
mod mcp;
mod session;
mod shell;
mod tool;
mod turn;

use hooks_core::adapter::StdinError;
use hooks_core::envelope::{HostInfo, Model, Payload, SessionStart};
use hooks_core::facts::EventFacts;
use hooks_core::json::RawObject;
use hooks_core::{Common, Envelope};

use crate::Adapter;
use fields::{Fields, Key};

/// The name of the host where nothing says that somebody else wrote the payload.
const CLIENT: &str = "cursor";

/// Reads one run's standard input.
pub(crate) fn read(adapter: &Adapter, stdin: &[u8]) -> Result<(&'static EventFacts, Envelope), StdinError> {
    let wrong = |what: &str| StdinError(format!("this is no payload of Cursor's: {what}"));
    let text = std::str::from_utf8(stdin).map_err(|_| wrong("it is not UTF-8"))?;
    // The command-line client on Windows was seen to start with a byte order mark (forum thread 168407).
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let object = RawObject::parse(text).map_err(|error| wrong(&format!("it is not one JSON object: {error}")))?;
    let mut fields = Fields::of(&object);
    let name = fields.text(Key::HookEventName).ok_or_else(|| wrong("`hook_event_name` is missing"))?;
    let event = adapter.row(&name).ok_or_else(|| {
        let name = hooks_core::text::shorten(&name, 80).into_owned();
        wrong(&format!("it has no event `{}`", hooks_core::text::display_line(&name)))
    })?;
    let mut common = common(&mut fields);
    let payload = payload(event.facts.name, &mut fields, &mut common)?;
    common.extra = fields.rest();
    Ok((&event.facts, Envelope::new(common, payload)))
}

/// The fields of every payload (hooks page, common fields). The directory is the workspace's first root until an event
/// names another.
fn common(fields: &mut Fields<'_>) -> Common {
    let conversation = fields.text(Key::ConversationId);
    let session = fields.text(Key::SessionId);
    let session_id = match (conversation, session) {
        (Some(conversation), Some(session)) => {
            // It was seen to be the same always; another one has no place.
            if session != conversation {
                fields.keep_text(Key::SessionId, &session);
            }
            conversation
        }
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => String::new(),
    };
    // Empty at a session's start with one client, the conversation's own where the host has no turns.
    let turn_id = fields.text(Key::GenerationId).filter(|turn| !turn.is_empty() && *turn != session_id);
    let workspace_roots = fields.texts(Key::WorkspaceRoots).unwrap_or_default();
    let cursor_version = fields.text(Key::CursorVersion);
    let host = match (fields.text(Key::HostVersion), cursor_version) {
        (Some(version), cursor) => {
            if let Some(cursor) = cursor.filter(|cursor| *cursor != version) {
                fields.keep_text(Key::CursorVersion, &cursor);
            }
            HostInfo { name: String::new(), version }
        }
        (None, Some(version)) => HostInfo { name: CLIENT.to_owned(), version },
        (None, None) => HostInfo::default(),
    };
    Common {
        session_id,
        turn_id,
        cwd: workspace_roots.first().cloned().unwrap_or_default(),
        workspace_roots,
        model: model(fields),
        transcript_path: fields.text(Key::TranscriptPath),
        user_email: fields.text(Key::UserEmail),
        host,
        ..Common::default()
    }
}

fn model(fields: &mut Fields<'_>) -> Option<Model> {
    let slug = fields.text(Key::Model);
    let id = fields.text(Key::ModelId);
    let params = fields.objects(Key::ModelParams, |param| Some((param.text("id")?, param.text("value")?)));
    let params = params.unwrap_or_default();
    if slug.is_none() && id.is_none() && params.is_empty() {
        return None;
    }
    Some(Model { slug: slug.unwrap_or_default(), id, params })
}

fn payload(event: &'static str, fields: &mut Fields<'_>, common: &mut Common) -> Result<Payload, StdinError> {
    Ok(match event {
        "sessionStart" => session::start(fields),
        "sessionEnd" => session::end(fields),
        "preToolUse" => tool::before(fields, common)?,
        "postToolUse" => tool::result(fields, common)?,
        "postToolUseFailure" => tool::failure(fields, common)?,
        "subagentStart" => session::subagent_start(fields),
        "subagentStop" => session::subagent_stop(fields),
        "beforeShellExecution" => shell::before(fields, common)?,
        "afterShellExecution" => shell::after(fields)?,
        "beforeMCPExecution" => mcp::before(fields)?,
        "afterMCPExecution" => mcp::after(fields)?,
        "beforeReadFile" => file::read(fields, true)?,
        "beforeTabFileRead" => file::read(fields, false)?,
        "afterFileEdit" | "afterTabFileEdit" => file::edit(fields)?,
        "beforeSubmitPrompt" => session::prompt(fields)?,
        "preCompact" => turn::compaction(fields),
        "stop" => turn::stop(fields),
        "afterAgentResponse" => Payload::AgentResponse(turn::text(fields)?),
        "afterAgentThought" => Payload::AgentThought(turn::text(fields)?),
        // A workspace that opens has no place among the boundaries; the nearest is a start of which nothing is known.
        _ => Payload::SessionStart(SessionStart::default()),
    })
}

/// The fault of a payload without a field it is about.
fn lacks(key: Key) -> StdinError {
    StdinError(format!("this is no payload of Cursor's: `{}` is missing or no text", key.name()))
}
