//! Made-up occurrences in which events differ: what a source's event happens in is held against a target's.

use crate::adapter::Subject;
use crate::boundary::Boundary;
use crate::definition::Binding;
use crate::envelope::{
    Common, Compaction, Envelope, Notification, Payload, PermissionDenied, PermissionRequest, Prompt, SessionEnd,
    SessionStart, SubagentStart, SubagentStop, ToolFailed, ToolFailureKind, ToolReturned, ToolUse, TurnStop,
};
use crate::facts::EventFacts;
use crate::json::RawJson;
use crate::tool::{McpResult, Read, ResultKind, ShellResult, ToolAction, ToolCall, ToolResult};

use super::side::ConfigSide;

/// A boundary, and how what happened there went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) boundary: Boundary,
    pub(crate) way: Way,
}

/// How a call went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Well, or it is not known yet.
    Well,
    /// It returned, and says that it failed.
    Badly,
    /// It did not run to an answer.
    Failed(ToolFailureKind),
}

impl Moment {
    /// What it is called in a report.
    pub(crate) const fn words(self) -> &'static str {
        match (self.boundary, self.way) {
            (_, Way::Badly) => "calls that return an error",
            (_, Way::Failed(ToolFailureKind::Timeout)) => "calls that take too long",
            (_, Way::Failed(ToolFailureKind::Denied)) => "calls that are denied",
            (_, Way::Failed(ToolFailureKind::Cancelled)) => "calls that are cancelled",
            (_, Way::Failed(_)) => "calls that fail",
            (Boundary::ToolResult, Way::Well) => "calls that go well",
            (Boundary::ToolBefore, _) => "calls before they run",
            (boundary, _) => boundary.info().about,
        }
    }
}

/// The moments of a boundary.
pub(crate) fn of(boundary: Boundary) -> Vec<Moment> {
    use ToolFailureKind::{Cancelled, Denied, Error, Timeout};
    let ways: &[Way] = match boundary {
        Boundary::ToolResult => &[Way::Well, Way::Badly],
        Boundary::ToolFailure => {
            &[Way::Failed(Error), Way::Failed(Timeout), Way::Failed(Denied), Way::Failed(Cancelled)]
        }
        _ => &[Way::Well],
    };
    ways.iter().map(|&way| Moment { boundary, way }).collect()
}

/// Whether a boundary is about one tool call.
pub(crate) const fn is_about_a_tool(boundary: Boundary) -> bool {
    matches!(
        boundary,
        Boundary::ToolBefore
            | Boundary::PermissionRequest
            | Boundary::ToolResult
            | Boundary::ToolFailure
            | Boundary::PermissionDenied
    )
}

/// An occurrence about a call. `None` for a moment that the call does not have, and for a boundary that is about none.
pub(crate) fn with_call(moment: Moment, call: &ToolCall) -> Option<Envelope> {
    let tool = || ToolUse { id: Some("call".to_owned()), call: call.clone() };
    let payload = match (moment.boundary, moment.way) {
        (Boundary::ToolBefore, _) => Payload::ToolBefore(tool()),
        (Boundary::PermissionRequest, _) => Payload::PermissionRequest(match call.action {
            ToolAction::Mcp(_) => PermissionRequest::of_mcp(tool()),
            _ => PermissionRequest::of_tool(tool()),
        }),
        (Boundary::PermissionDenied, _) => {
            Payload::PermissionDenied(PermissionDenied { tool: tool(), reason: "a rule".to_owned() })
        }
        (Boundary::ToolResult, way) => {
            let failed = way == Way::Badly;
            let kind = match &call.action {
                ToolAction::Shell(_) => ResultKind::Shell(ShellResult {
                    output: "out".to_owned(),
                    exit_code: Some(i32::from(failed)),
                    ..ShellResult::default()
                }),
                ToolAction::Mcp(_) => {
                    ResultKind::Mcp(McpResult { result: RawJson::parse("{\"content\":[]}").ok()?, is_error: failed })
                }
                _ if failed => return None,
                _ => ResultKind::Text("done".to_owned()),
            };
            Payload::ToolResult(ToolReturned { tool: tool(), result: ToolResult::finished(kind), duration_ms: Some(1) })
        }
        (Boundary::ToolFailure, Way::Failed(kind)) => Payload::ToolFailure(ToolFailed {
            tool: tool(),
            error: "it failed".to_owned(),
            kind,
            duration_ms: None,
            cancellation_reason: None,
        }),
        _ => return None,
    };
    Some(Envelope::new(common(), payload))
}

/// An occurrence with a value that matchers are tested against. `None` for a boundary whose occurrences are not made here;
/// what an event of it happens in is then taken from the tables alone.
pub(crate) fn with_value(boundary: Boundary, value: Option<&str>) -> Option<Envelope> {
    let text = || value.map(str::to_owned);
    let payload = match boundary {
        Boundary::SessionStart => Payload::SessionStart(SessionStart { source: text(), ..SessionStart::default() }),
        Boundary::SessionEnd => Payload::SessionEnd(SessionEnd { reason: text(), ..SessionEnd::default() }),
        Boundary::PromptSubmit => Payload::PromptSubmit(Prompt { text: "a prompt".to_owned(), ..Prompt::default() }),
        Boundary::SubagentStart => Payload::SubagentStart(SubagentStart { kind: text(), ..SubagentStart::default() }),
        Boundary::SubagentStop => Payload::SubagentStop(SubagentStop { kind: text(), ..SubagentStop::default() }),
        Boundary::CompactBefore => Payload::CompactBefore(Compaction { trigger: text(), ..Compaction::default() }),
        Boundary::CompactAfter => Payload::CompactAfter(Compaction { trigger: text(), ..Compaction::default() }),
        Boundary::TurnStop => Payload::TurnStop(TurnStop::default()),
        Boundary::Notification => {
            Payload::Notification(Notification { kind: text().unwrap_or_default(), ..Notification::default() })
        }
        _ => return None,
    };
    Some(Envelope::new(common(), payload))
}

fn common() -> Common {
    Common {
        session_id: "session".to_owned(),
        cwd: "/project".to_owned(),
        workspace_roots: vec!["/project".to_owned()],
        ..Common::default()
    }
}

/// Whether a client tells a hook of an event which of two values its occurrence has: standard input is made for both.
pub(crate) fn tells_value(side: &dyn ConfigSide, event: &EventFacts, values: (&str, &str)) -> bool {
    let written = |value: &str| {
        let envelope = with_value(event.boundary?, Some(value))?;
        let mut stdin = Vec::new();
        side.encode(&Binding::alone(side.blank(event.name)?), &envelope, &mut stdin).is_ok().then_some(stdin)
    };
    let (one, other) = (written(values.0), written(values.1));
    one.is_some() && one != other
}

/// Whether a hook of an event is shown the text of a file before it is read: standard input is made, and looked at.
pub(crate) fn shows_content(side: &dyn ConfigSide, event: &EventFacts) -> bool {
    let read = Read { path: "/project/a".to_owned(), content: Some(CONTENT.to_owned()), ..Read::default() };
    let moment = Moment { boundary: Boundary::ToolBefore, way: Way::Well };
    let Some(envelope) = with_call(moment, &ToolCall::new(ToolAction::Read(read))) else { return false };
    if !happens(side, event, &envelope) {
        return false;
    }
    let Some(blank) = side.blank(event.name) else { return false };
    let mut stdin = Vec::new();
    let encoded = side.encode(&Binding::alone(blank), &envelope, &mut stdin);
    encoded.is_ok() && stdin.windows(CONTENT.len()).any(|window| window == CONTENT.as_bytes())
}

/// A text that stands in nothing else.
const CONTENT: &str = "the-text-of-the-file";

/// Whether an event happens in an occurrence.
pub(crate) fn happens(side: &dyn ConfigSide, event: &EventFacts, envelope: &Envelope) -> bool {
    let boundary = envelope.boundary();
    let is_on = side.is_on(event, boundary);
    is_on && matches!(side.subject(event, envelope), Subject::Is(_))
}
