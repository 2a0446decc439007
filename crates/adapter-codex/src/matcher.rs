//! What a matcher means (section 8.1) and what it is tested against (section 8.2).

use std::borrow::Cow;

use hooks_core::envelope::{Payload, ToolReturned};
use hooks_core::facts::{EventFacts, SubjectFact};
use hooks_core::matcher::{Pattern, PatternError, SubjectValue};
use hooks_core::tool::{Progress, ResultKind};
use hooks_core::{Envelope, Matcher, Subject, ToolCall, Version};

use crate::events::{self, Kind};
use crate::{input, tools};

/// The matcher that a text means on an event, and what is wrong with it.
pub(crate) fn compile(event: Option<&EventFacts>, text: Option<&str>) -> (Matcher, Option<PatternError>) {
    if event.is_some_and(|event| event.subject == SubjectFact::Ignored) {
        return (Matcher::All, None);
    }
    let Some(text) = text.filter(|text| !matches!(*text, "" | "*")) else { return (Matcher::All, None) };
    if is_exact(text) {
        return (Matcher::exact(text.split('|')), None);
    }
    match Pattern::rust(text) {
        Ok(pattern) => (Matcher::Pattern(pattern), None),
        Err(error) => (Matcher::Never(format!("`{text}` is no regular expression: {error}")), Some(error)),
    }
}

/// Whether a matcher is a list of whole values. The characters decide, not what would compile.
pub(crate) fn is_exact(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'|'))
}

/// Whether an occurrence is one of the event, and its subject.
pub(crate) fn subject<'e>(facts: &EventFacts, version: Version, envelope: &'e Envelope) -> Subject<'e> {
    let Some(event) = events::find(facts.name) else { return Subject::NotThisEvent("Codex has no such event") };
    if facts.boundary != Some(envelope.boundary()) {
        return Subject::NotThisEvent("it is on another boundary");
    }
    let one = |value: &'e str| Subject::Is(SubjectValue::One(Cow::Borrowed(value)));
    match (event.kind, &envelope.payload) {
        (Kind::PreToolUse, Payload::ToolBefore(tool)) => tool_subject(&tool.call),
        (Kind::PermissionRequest, Payload::PermissionRequest(request)) => tool_subject(&request.tool.call),
        (Kind::PostToolUse, Payload::ToolResult(returned)) => match no_result(returned) {
            Some(why) => Subject::NotThisEvent(why),
            None => tool_subject(&returned.tool.call),
        },
        (_, Payload::CompactBefore(compaction) | Payload::CompactAfter(compaction)) => {
            one(input::trigger(facts, compaction))
        }
        (_, Payload::SessionStart(start)) => one(input::session_source(facts, start.source.as_deref(), version)),
        (_, Payload::SubagentStart(start)) => one(agent_type(envelope, start.kind.as_deref())),
        (_, Payload::SubagentStop(stop)) => one(agent_type(envelope, stop.kind.as_deref())),
        _ => match facts.subject {
            SubjectFact::Word(word) => Subject::Is(SubjectValue::One(Cow::Borrowed(word))),
            _ => Subject::Is(SubjectValue::Ignored),
        },
    }
}

fn tool_subject(call: &ToolCall) -> Subject<'_> {
    if let Some(why) = tools::no_hooks(call) {
        return Subject::NotThisEvent(why);
    }
    let name = tools::name(call);
    Subject::Is(match tools::aliases(&name) {
        [] => SubjectValue::One(name),
        aliases => {
            let aliases = aliases.iter().map(|alias| Cow::Borrowed(*alias));
            SubjectValue::Several(std::iter::once(name).chain(aliases).collect())
        }
    })
}

/// Why a result fires nothing: only what ended in success does, and once (section 8.3).
fn no_result(returned: &ToolReturned) -> Option<&'static str> {
    if returned.result.progress != Progress::Finished {
        return Some("the call goes on");
    }
    match &returned.result.kind {
        ResultKind::Mcp(result) if result.is_error => Some("the tool server called its answer an error"),
        _ => None,
    }
}

fn agent_type<'e>(envelope: &'e Envelope, own: Option<&'e str>) -> &'e str {
    own.or_else(|| envelope.common.agent.as_ref()?.kind.as_deref()).unwrap_or(input::DEFAULT_AGENT)
}
