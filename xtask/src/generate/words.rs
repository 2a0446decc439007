//! The words of generated tables for the facts of an event.

use hooks_core::Channel;
use hooks_core::facts::{
    AskRule, Control, EmptyRule, EventFacts, Exit2, FailureRule, FieldKind, OutputField, PlainStdout, SubjectFact,
    Values,
};

use super::markdown::{code, codes};

pub(super) fn subject(subject: &SubjectFact) -> String {
    match subject {
        SubjectFact::Ignored => "nothing".to_owned(),
        SubjectFact::ToolName => "the tool's name".to_owned(),
        SubjectFact::Command => "the command's text".to_owned(),
        SubjectFact::Word(word) => format!("`{word}`"),
        SubjectFact::Field { key, values: [] } => format!("`{key}`"),
        SubjectFact::Field { key, values } => format!("`{key}`: {}", codes(*values)),
    }
}

pub(super) fn control(control: Control) -> String {
    match control {
        Control::Permission { noun } => format!("whether the {noun} goes on"),
        Control::Halt => "whether it is stopped".to_owned(),
        Control::Continuation => "whether the turn goes on".to_owned(),
        Control::Special => "its own thing".to_owned(),
        _ => "nothing".to_owned(),
    }
}

pub(super) const fn exit_2(exit: Exit2) -> &'static str {
    match exit {
        Exit2::Deny => "denies",
        Exit2::Halt => "stops",
        Exit2::Continue => "goes on",
        Exit2::Feedback => "to the model",
        Exit2::Failure => "failed",
        Exit2::ShownToUser => "to the person",
        Exit2::Refuse => "refuses",
        _ => "ignored",
    }
}

pub(super) const fn plain(plain: PlainStdout) -> &'static str {
    match plain {
        PlainStdout::Malformed => "unreadable",
        PlainStdout::Context => "context",
        PlainStdout::Failure => "failed",
        PlainStdout::Special => "the answer",
        _ => "ignored",
    }
}

pub(super) const fn malformed(rule: FailureRule) -> &'static str {
    match rule {
        FailureRule::Block => "blocks",
        FailureRule::FollowPolicy => "follows the definition",
        _ => "goes on",
    }
}

pub(super) const fn empty(rule: EmptyRule) -> &'static str {
    match rule {
        EmptyRule::MissingDecision => "follows the definition",
        _ => "no opinion",
    }
}

pub(super) const fn ask(rule: AskRule) -> &'static str {
    match rule {
        AskRule::Honoured => "asks",
        AskRule::NoOpinionUnlessStrict => "no opinion, or asks when strict",
        AskRule::Deny => "denies",
        AskRule::Malformed => "unreadable",
        AskRule::Failure => "failed",
        _ => "",
    }
}

/// What a field of an event's answer feeds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Feeds {
    /// A channel of the event.
    Channel(Channel),
    /// A channel that the vendor has on other events and not on this one: to ask for it does no good.
    Missing(Channel),
    /// Nothing.
    Nothing,
}

pub(super) const fn feeds(event: &EventFacts, field: &OutputField) -> Feeds {
    match field.feeds() {
        None => Feeds::Nothing,
        Some(channel) if event.channels.contains(channel) => Feeds::Channel(channel),
        Some(channel) => Feeds::Missing(channel),
    }
}

/// Values of a field that are not supported, with what one costs; `None` where there are none.
pub(super) fn refused(field: &OutputField) -> Option<String> {
    let refused = field.refused?;
    let values = match refused.when {
        Values::False => "`false`".to_owned(),
        Values::True => "`true`".to_owned(),
        Values::Word(word) => code(word),
        Values::But("") => "a text that is not empty".to_owned(),
        Values::But(word) => format!("any value but {}", code(word)),
        _ => "any value".to_owned(),
    };
    Some(format!("{values} {}", refused.cost.about()))
}

/// The words for a kind of values, of a vendor whose events are given.
pub(super) fn field_kind(kind: FieldKind, events: &[&EventFacts]) -> String {
    let event = |word: &&str| events.iter().any(|facts| facts.name == *word);
    match kind {
        FieldKind::Bool => "boolean".to_owned(),
        FieldKind::String => "string".to_owned(),
        FieldKind::Word(words) if words.len() > 1 && words.iter().all(event) => "an event's name".to_owned(),
        FieldKind::Word(words) => codes(words),
        FieldKind::Object => "object".to_owned(),
        FieldKind::Array => "array".to_owned(),
        _ => "any".to_owned(),
    }
}

/// Seconds, or nothing where the vendor says none.
pub(super) fn seconds(seconds: Option<f64>) -> String {
    seconds.map_or_else(String::new, |seconds| seconds.to_string())
}
