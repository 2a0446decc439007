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
    /// The channel of what it asks for; `None` for one that asks for nothing. Whether the event does it is said by
    /// [`feeds`](Self::feeds) and the event's channels.
    pub channel: Option<Channel>,
    /// Values that the vendor knows and the event does not support; `None` where there are none.
    pub refused: Option<Refused>,
}

impl OutputField {
    /// A field whose every value is supported.
    #[must_use]
    pub const fn new(path: &'static str, kind: FieldKind, channel: Option<Channel>) -> Self {
        Self { path, kind, channel, refused: None }
    }

    /// The same field with values that are not supported.
    #[must_use]
    pub const fn refuse(self, when: Values, cost: Cost) -> Self {
        Self { refused: Some(Refused { when, cost }), ..self }
    }

    /// The channel that it feeds; `None` where no value of it has an effect other than to be refused.
    #[must_use]
    pub const fn feeds(&self) -> Option<Channel> {
        match self.refused {
            // The other words have their effect.
            None | Some(Refused { when: Values::Word(_), .. }) => self.channel,
            Some(_) => None,
        }
    }
}

/// Values of a field that are not supported, with what it costs to give one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Which values.
    pub when: Values,
    /// What one of them costs.
    pub cost: Cost,
}

/// Some of the values that a field can have. `null` is never among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Values {
    /// `false`
    False,
    /// `true`
    True,
    /// Every value.
    Present,
    /// One word.
    Word(&'static str),
    /// Every value but one word, which asks for nothing; it can be the empty one.
    But(&'static str),
}

/// What a value costs that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cost {
    /// The run fails, and nothing else that the answer asks for is done, but for texts for the person.
    Run,
    /// The answer is one that cannot be read: nothing in it counts.
    Answer,
    /// What is pending does not go on.
    Action,
}

impl Cost {
    /// What happens, as the rest of a sentence that begins with the value.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Run => "fails the run",
            Self::Answer => "voids the answer",
            Self::Action => "keeps what is pending from going on",
        }
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
