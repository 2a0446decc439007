//! Which text means which matcher, and what an occurrence's subject is.

use std::borrow::Cow;

use hooks_core::adapter::Subject;
use hooks_core::envelope::{Payload, Provenance};
use hooks_core::facts::{EventFacts, SubjectFact};
use hooks_core::matcher::{Pattern, PatternError, SubjectValue};
use hooks_core::tool::{Progress, ToolAction};
use hooks_core::{Envelope, Facet, Matcher, ToolCall};

use crate::events::Event;
use crate::options::{Options, RegexLanguage};
use crate::tools;

/// What a definition's matcher says why it takes nothing on a host that does not fire the event.
pub(crate) fn never_fires(event: &Event) -> String {
    format!("this host never fires {}", event.facts.name)
}

/// Whether a text matches everything (hooks page of September 2026, matchers; first design, matching).
#[must_use]
pub fn is_everything(text: &str) -> bool {
    text.is_empty() || text == "*"
}

/// The matcher that a text means on an event. A missing text, an empty one and `*` match everything; any other is a
/// regular expression, searched for anywhere and with its letter case.
#[must_use]
pub fn matcher(options: &Options, event: &Event, text: Option<&str>) -> (Matcher, Option<PatternError>) {
    if !options.fires(event) {
        return (Matcher::Never(never_fires(event)), None);
    }
    match text {
        Some(text) if event.facts.subject != SubjectFact::Ignored => compile(options.regex, text),
        _ => (Matcher::All, None),
    }
}

/// Compiles a matcher's text.
pub(crate) fn compile(language: RegexLanguage, text: &str) -> (Matcher, Option<PatternError>) {
    if is_everything(text) {
        return (Matcher::All, None);
    }
    if let Some(values) = whole_words(text) {
        return (Matcher::exact(values), None);
    }
    match expression(language, text) {
        Ok(pattern) => (Matcher::Pattern(pattern), None),
        Err(PatternError::CannotRun(why)) => (Matcher::Unknown(why.clone()), Some(PatternError::CannotRun(why))),
        Err(error) => (Matcher::Never(format!("the matcher is not a regular expression: {error}")), Some(error)),
    }
}

fn expression(language: RegexLanguage, text: &str) -> Result<Pattern, PatternError> {
    match language {
        RegexLanguage::Rust => Pattern::rust(text),
        RegexLanguage::JavaScript => Pattern::javascript(text),
    }
}

/// A text as a regular expression and nothing else; one that cannot be run takes everything.
pub(crate) fn pattern(language: RegexLanguage, text: &str) -> Matcher {
    match expression(language, text) {
        Ok(pattern) => Matcher::Pattern(pattern),
        Err(PatternError::CannotRun(why)) => Matcher::Unknown(why),
        Err(error) => Matcher::Never(error.to_string()),
    }
}

/// Whether a text is an expression in the language that this host does not read.
pub(crate) fn is_expression_elsewhere(language: RegexLanguage, text: &str) -> bool {
    let other = match language {
        RegexLanguage::Rust => RegexLanguage::JavaScript,
        RegexLanguage::JavaScript => RegexLanguage::Rust,
    };
    expression(other, text).is_ok()
}

/// The values of a pattern that is nothing but whole words, as `^Shell$` or `^(Shell|Write)$`: both languages read it as
/// this list, which needs no engine.
fn whole_words(text: &str) -> Option<impl Iterator<Item = &str>> {
    let inner = text.strip_prefix('^')?.strip_suffix('$')?;
    let group = inner.strip_prefix("(?:").or_else(|| inner.strip_prefix('(')).and_then(|rest| rest.strip_suffix(')'));
    let words = group.unwrap_or(inner);
    let plain =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b':');
    (words.split('|').all(plain) && (group.is_some() || !words.contains('|'))).then(|| words.split('|'))
}

/// Whether an occurrence is one of the event, and its subject (first design, matching).
#[must_use]
pub fn subject<'e>(options: &Options, event: &Event, envelope: &'e Envelope) -> Subject<'e> {
    let facts = &event.facts;
    let Some(boundary) = facts.boundary else {
        return Subject::NotThisEvent("the event has no boundary outside Cursor's editor");
    };
    if envelope.boundary() != boundary {
        return Subject::NotThisEvent("it is another boundary");
    }
    if !options.fires(event) {
        return Subject::NotThisEvent("this host never fires the event");
    }
    match &envelope.payload {
        Payload::ToolResult(returned) if returned.result.progress != Progress::Finished => {
            return Subject::NotThisEvent("the call goes on: this is no result yet");
        }
        Payload::PromptSubmit(prompt) if !matches!(prompt.provenance, Provenance::User | Provenance::Steering) => {
            return Subject::NotThisEvent("no person sent the prompt");
        }
        _ => {}
    }
    let call = envelope.payload.tool_use().map(|tool| &tool.call);
    if let Some(why) = not_of_facet(facts.facet, call) {
        return Subject::NotThisEvent(why);
    }
    Subject::Is(value(options, facts, envelope, call))
}

/// Why a call is none of a facet.
fn not_of_facet(facet: Facet, call: Option<&ToolCall>) -> Option<&'static str> {
    let action = call.map(|call| &call.action);
    match facet {
        Facet::Shell if !matches!(action, Some(ToolAction::Shell(_))) => Some("it is no shell command"),
        // A resource read is a tool call of its own and not one of these (first design, matching).
        Facet::Mcp if !matches!(action, Some(ToolAction::Mcp(_))) => Some("it is no call of a tool server's tool"),
        Facet::FileRead if !matches!(action, Some(ToolAction::Read(_))) => Some("it is no file read"),
        Facet::FileEdit
            if !matches!(action, Some(ToolAction::Write(_) | ToolAction::Edit(_) | ToolAction::Patch(_))) =>
        {
            Some("it is no file edit")
        }
        _ => None,
    }
}

fn value<'e>(
    options: &Options,
    facts: &EventFacts,
    envelope: &'e Envelope,
    call: Option<&'e ToolCall>,
) -> SubjectValue<'e> {
    match facts.subject {
        SubjectFact::Ignored => SubjectValue::Ignored,
        SubjectFact::Word(word) => SubjectValue::One(Cow::Borrowed(word)),
        SubjectFact::ToolName => call.map_or(SubjectValue::Missing, tool),
        SubjectFact::Command => call
            .and_then(ToolCall::as_shell)
            .map_or(SubjectValue::Missing, |shell| SubjectValue::One(Cow::Borrowed(shell.command.as_str()))),
        SubjectFact::Field { .. } => match &envelope.payload {
            Payload::SubagentStart(start) => one(start.kind.as_deref()),
            Payload::SubagentStop(stop) => one(stop.kind.as_deref()),
            _ => match call.and_then(ToolCall::as_mcp) {
                Some(mcp) if options.mcp_prefix_matches => {
                    SubjectValue::Several(vec![Cow::Borrowed(mcp.tool.as_str()), tools::mcp_name(&mcp.tool)])
                }
                Some(mcp) => SubjectValue::One(Cow::Borrowed(mcp.tool.as_str())),
                None => SubjectValue::Missing,
            },
        },
    }
}

fn one(value: Option<&str>) -> SubjectValue<'_> {
    value.map_or(SubjectValue::Missing, |value| SubjectValue::One(Cow::Borrowed(value)))
}

fn tool(call: &ToolCall) -> SubjectValue<'_> {
    let name = tools::name(call);
    match tools::aliases(call) {
        [] => SubjectValue::One(name),
        aliases => SubjectValue::Several(
            std::iter::once(name).chain(aliases.iter().map(|&alias| Cow::Borrowed(alias))).collect(),
        ),
    }
}
