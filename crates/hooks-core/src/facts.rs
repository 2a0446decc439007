//! The facts about events that every dialect's table has, in one shape.
//!
//! Each adapter has one static table; its rows hold an [`EventFacts`] beside the columns that only that vendor has.
//! Code, documents, schemas and tests read the table.

use crate::boundary::{Boundary, Facet, Scope};
use crate::channel::{Channel, Channels};
use crate::evidence::Evidence;
use crate::vendor::Version;

/// What everybody must know about one event of one vendor.
#[derive(Clone, Copy, Debug)]
pub struct EventFacts {
    /// The event's name, in the vendor's spelling.
    pub name: &'static str,
    /// The boundary it belongs to; `None` where the host's world has none.
    pub boundary: Option<Boundary>,
    /// Which part of the boundary.
    pub facet: Facet,
    /// How far an occurrence reaches, in the vendor's words.
    pub scope: Scope,
    /// What its matchers are tested against.
    pub subject: SubjectFact,
    /// The channels it has.
    pub channels: Channels,
    /// What it can control.
    pub control: Control,
    /// What an answer that cannot be read means.
    pub malformed: FailureRule,
    /// What no answer means.
    pub empty: EmptyRule,
    /// What exit code 2 means.
    pub exit_2: Exit2,
    /// What standard output that is no JSON means.
    pub plain_stdout: PlainStdout,
    /// What asking means.
    pub ask: AskRule,
    /// The fields an answer can have.
    pub output: &'static [OutputField],
    /// Seconds a command gets when nothing else is said; `None` where the vendor does not say.
    pub default_timeout_s: Option<f64>,
    /// The first version that has it.
    pub since: Version,
    /// How the row is known.
    pub evidence: Evidence,
}

/// What an event's matchers are tested against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SubjectFact {
    /// Nothing: the event ignores matchers.
    Ignored,
    /// The tool's name.
    ToolName,
    /// The text of the shell command.
    Command,
    /// A value of the payload, by the vendor's key.
    Field {
        /// The key.
        key: &'static str,
        /// Values it is known to have; empty for an open set.
        values: &'static [&'static str],
    },
    /// Always the same word.
    Word(&'static str),
}

/// What an event can control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Control {
    /// Whether a pending action goes on; the noun names it in reasons the host writes.
    Permission {
        /// `shell command`, `tool call`, and so on.
        noun: &'static str,
    },
    /// Whether what the boundary starts or continues is stopped.
    Halt,
    /// Whether the turn goes on.
    Continuation,
    /// Whether something only one vendor has takes place.
    Special,
    /// Nothing.
    Observe,
}

/// What a failure of a kind means on an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailureRule {
    /// It blocks, whatever the definition says.
    Block,
    /// The definition's failure policy decides.
    FollowPolicy,
    /// The action goes on.
    Proceed,
}

/// What no answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmptyRule {
    /// No opinion.
    NoOpinion,
    /// A decision is missing: the definition's failure policy decides.
    MissingDecision,
}

/// What exit code 2 means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit2 {
    /// The pending action is denied.
    Deny,
    /// What the boundary starts is stopped.
    Halt,
    /// The turn, or the subagent, goes on.
    Continue,
    /// The model gets the text beside what happened.
    Feedback,
    /// The run failed.
    Failure,
    /// The person sees the text; nothing else happens.
    ShownToUser,
    /// Something that only one vendor has is refused.
    Refuse,
    /// Nothing.
    Ignored,
}

/// What standard output that is no JSON means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlainStdout {
    /// It is an answer that cannot be read.
    Malformed,
    /// The model gets it.
    Context,
    /// Nothing.
    Ignored,
    /// The run failed.
    Failure,
    /// It is the answer itself, in a form only one vendor has.
    Special,
}

/// What asking means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AskRule {
    /// The event has no such answer.
    None,
    /// A person is asked.
    Honoured,
    /// No opinion, and an ask for a strict host.
    NoOpinionUnlessStrict,
    /// A deny.
    Deny,
    /// An answer that cannot be read.
    Malformed,
    /// The run failed: the action goes on.
    Failure,
}

/// One field of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputField {
    /// Its path in the answer, with dots.
    pub path: &'static str,
    /// What kind of value.
    pub kind: FieldKind,
    /// The channel it feeds; `None` for one that has no effect.
    pub channel: Option<Channel>,
}

impl OutputField {
    /// A field.
    #[must_use]
    pub const fn new(path: &'static str, kind: FieldKind, channel: Option<Channel>) -> Self {
        Self { path, kind, channel }
    }
}

/// The kind of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldKind {
    /// A boolean.
    Bool,
    /// A string.
    String,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An object.
    Object,
    /// An array.
    Array,
    /// Any value.
    Any,
}
