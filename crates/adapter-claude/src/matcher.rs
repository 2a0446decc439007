//! Which occurrences a group is for: what a matcher's text means, what an occurrence's subject is, and `if`.

pub(crate) mod condition;
mod path;
pub(crate) mod shell;

use std::borrow::Cow;

use hooks_core::adapter::Subject;
use hooks_core::envelope::{Envelope, Payload, PermissionOrigin};
use hooks_core::facts::SubjectFact;
use hooks_core::matcher::{Matcher, Pattern, PatternError, SubjectValue};
use hooks_core::tool::Progress;
use hooks_core::vendor::Version;

use crate::events::{COMMA_LISTS, Charset, Event, HYPHEN_NAMES};
use crate::tools;

/// The matcher a text means on an event, with what is wrong with it (hooks page, matchers; cases `matchall-*`).
///
/// No text, the empty text and `*` take everything; a text of name characters alone is a list of whole names; anything
/// else is a JavaScript regular expression, found anywhere, letter case counting. An expression that JavaScript refuses
/// never matches, and the client says nothing.
#[must_use]
pub fn compile(event: &Event, text: Option<&str>, version: Version) -> (Matcher, Option<PatternError>) {
    let Some(text) = text.filter(|text| !text.is_empty() && *text != "*") else { return (Matcher::All, None) };
    if event.facts.subject == SubjectFact::Ignored {
        return (Matcher::All, None);
    }
    if is_exact(event, text, version) {
        let comma = event.charset == Charset::Wide && COMMA_LISTS.at(version) == Some(true);
        let parts = text.split(|c| c == '|' || (comma && c == ',')).map(str::trim);
        return match Matcher::exact(parts) {
            Matcher::Exact(values) if values.is_empty() => {
                (Matcher::Never("it is a list without a name".to_owned()), None)
            }
            matcher => (matcher, None),
        };
    }
    match Pattern::javascript(text) {
        Ok(pattern) => (Matcher::Pattern(pattern), None),
        Err(error @ PatternError::CannotRun(_)) => (Matcher::Unknown(error.to_string()), Some(error)),
        Err(error) => (Matcher::Never(format!("it is not a valid regular expression: {error}")), Some(error)),
    }
}

/// Whether a text is a list of whole names.
#[must_use]
pub fn is_exact(event: &Event, text: &str, version: Version) -> bool {
    let wide = event.charset == Charset::Wide;
    text.chars().all(|c| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '|' => true,
        ' ' => wide,
        ',' => wide && COMMA_LISTS.at(version) == Some(true),
        '-' => wide && HYPHEN_NAMES.at(version) == Some(true),
        _ => false,
    })
}

/// Whether an occurrence is one of the event, and what its matchers are tested against (cases `mt-*`).
#[must_use]
pub fn subject<'e>(event: &Event, envelope: &'e Envelope) -> Subject<'e> {
    if !event.is_on(envelope.boundary()) {
        return Subject::NotThisEvent("it is on another boundary");
    }
    let is_second = event.facts.boundary != Some(envelope.boundary());
    let one = |text: &'e str| Subject::Is(SubjectValue::One(Cow::Borrowed(text)));
    let maybe = |text: &'e Option<String>| match text {
        Some(text) => Subject::Is(SubjectValue::One(Cow::Borrowed(text))),
        None => Subject::Is(SubjectValue::Missing),
    };
    match &envelope.payload {
        Payload::ToolResult(returned) if returned.result.progress != Progress::Finished => {
            Subject::NotThisEvent("the call goes on")
        }
        Payload::ToolResult(returned) if tools::is_failure(&returned.result) != is_second => {
            Subject::NotThisEvent(if is_second {
                "the call returned without an error"
            } else {
                "the call returned with an error"
            })
        }
        // The client does not fire it for refused and cancelled calls (case
        // `ev-PostToolUse-on-denied`).
        Payload::ToolFailure(failed) if is_refusal(failed.kind) => {
            Subject::NotThisEvent("the call was refused or cancelled, and did not fail")
        }
        // Nor for what a sandbox asks about the network (section on permission requests).
        Payload::PermissionRequest(request) if request.origin == PermissionOrigin::Network => {
            Subject::NotThisEvent("the client does not fire it for network access")
        }
        payload if event.facts.subject == SubjectFact::ToolName => match payload.tool_use() {
            Some(tool) => Subject::Is(match tools::fixed_names(&tool.call) {
                Some(names) if names.len() > 1 => {
                    SubjectValue::Several(names.iter().map(|name| Cow::Borrowed(*name)).collect())
                }
                _ => SubjectValue::One(tools::name(&tool.call)),
            }),
            None => Subject::Is(SubjectValue::Missing),
        },
        _ if event.facts.subject == SubjectFact::Ignored => Subject::Is(SubjectValue::Ignored),
        Payload::SessionStart(start) => maybe(&start.source),
        Payload::SessionEnd(end) => maybe(&end.reason),
        Payload::Notification(notification) => one(&notification.kind),
        Payload::PromptExpansion(expansion) => one(&expansion.command),
        Payload::TurnFailure(failure) => one(&failure.error),
        // A subagent without a type has the empty text as its subject.
        Payload::SubagentStart(start) => one(start.kind.as_deref().unwrap_or_default()),
        Payload::SubagentStop(stop) => one(stop.kind.as_deref().unwrap_or_default()),
        Payload::CompactBefore(compaction) | Payload::CompactAfter(compaction) => maybe(&compaction.trigger),
        // Without a canonical name every group runs.
        Payload::ModelSwitchBefore(switch) | Payload::ModelSwitchAfter(switch) => match switch.to.as_str() {
            "" => Subject::Is(SubjectValue::Ignored),
            to => one(to.strip_suffix("[1m]").unwrap_or(to)),
        },
        Payload::Setup(setup) => one(&setup.trigger),
        Payload::Elicitation(elicitation) => one(&elicitation.server),
        Payload::ElicitationResult(result) => one(&result.server),
        Payload::ConfigChanged(changed) => one(&changed.source),
        Payload::InstructionsLoaded(loaded) => one(&loaded.load_reason),
        Payload::FileChanged(changed) => one(changed.path.rsplit(['/', '\\']).next().unwrap_or(&changed.path)),
        Payload::DirectoryAdded(added) => one(&added.source),
        _ => Subject::Is(SubjectValue::Missing),
    }
}

const fn is_refusal(kind: hooks_core::envelope::ToolFailureKind) -> bool {
    use hooks_core::envelope::ToolFailureKind::{Cancelled, Denied};
    matches!(kind, Denied | Cancelled)
}

/// The file names that a matcher of `FileChanged` makes the client watch in the working directory: the text is cut at
/// every bar, and each part is a literal name, `*` too. Without a matcher nothing is watched (hooks page, `FileChanged`).
pub fn watched_names(text: &str) -> impl Iterator<Item = &str> {
    text.split('|').filter(|name| !name.is_empty())
}
