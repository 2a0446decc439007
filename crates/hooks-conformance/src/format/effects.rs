//! Effects and decisions in a vector: expectations when read, the one JSON form when written.

use std::collections::BTreeMap;

use hooks_core::boundary::Stop;
use hooks_core::effects::{PromptFate, RunStatus, Verdict, When};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{TextMatch, given};

/// What hooks ask for. As an expectation: a channel that is absent must be empty, unless `unchecked` names it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Effects {
    /// How the vendor's client would report the run; compared only where given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunWord>,
    /// The verdict on a pending action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<VerdictWord>,
    /// Its reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<TextMatch>,
    /// Texts for the person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<TextMatch>,
    /// Texts for the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<TextMatch>,
    /// Another input.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub replacement_input: Option<Value>,
    /// Another result; a string stands for a text in its place.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub replacement_result: Option<Value>,
    /// Session variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub session_env: BTreeMap<String, String>,
    /// A halt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halt: Option<HaltSpec>,
    /// What makes the turn go on, taken together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<ContinuationSpec>,
    /// What makes the turn go on, one a binding: the form of settled effects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub continuations: Vec<ContinuationSpec>,
    /// Fields that were asked for and cannot be produced, as the vendor spells them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<String>,
    /// Whether a run failed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub failed: bool,
    /// Changes of permission rules, in the vendor's form; compared only where given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permission_updates: Vec<Value>,
    /// What only one vendor has; compared only where given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special: Vec<SpecialSpec>,
    /// Channels that are not compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<EffectKey>,
}

impl Effects {
    /// Whether a channel is compared.
    #[must_use]
    pub fn checks(&self, key: EffectKey) -> bool {
        !self.unchecked.contains(&key)
    }

    /// The same with the continuations of several bindings taken together, a blank line between their texts.
    #[must_use]
    pub fn with_one_continuation(mut self) -> Self {
        let continuations = std::mem::take(&mut self.continuations);
        if self.continuation.is_none() && !continuations.is_empty() {
            let texts: Vec<&str> = continuations.iter().filter_map(|one| one.text.exact()).collect();
            let text = TextMatch::Exact(texts.join("\n\n"));
            let loop_limit = continuations.iter().find_map(|one| one.loop_limit);
            self.continuation = Some(ContinuationSpec { binding: None, text, loop_limit });
        }
        self
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A key of [`Effects`] that `unchecked` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is the key of the same name")]
pub enum EffectKey {
    Run,
    Verdict,
    Reasons,
    Notices,
    Context,
    ReplacementInput,
    ReplacementResult,
    SessionEnv,
    Halt,
    Continuation,
    Continuations,
    Unsupported,
    Failed,
}

/// What only one vendor has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct SpecialSpec {
    /// The kebab-case word for what it is.
    pub kind: String,
    /// Its value, where it has one.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// A halt. As an expectation, only the keys that are there are compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct HaltSpec {
    /// What it stops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stops: Option<Vec<StopWord>>,
    /// Before or after the pending action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<WhenWord>,
    /// What becomes of a prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PromptWord>,
    /// Why; `null` when nothing is said.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub reason: Option<Option<TextMatch>>,
}

/// A text to go on with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ContinuationSpec {
    /// The binding that wants it, where several are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<String>,
    /// The text.
    pub text: TextMatch,
    /// How often it may do so: a number, `null` for no limit, absent where nothing was said.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub loop_limit: Option<Option<u32>>,
}

/// A decision. As an expectation: a key that is absent must be empty, unless `unchecked` names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct DecisionSpec {
    /// What becomes of the pending action: `no-opinion`, `approve`, `ask`, `defer` or `deny`.
    pub action: String,
    /// The input to use instead.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// The result to show instead; compared only where given.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// What is stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halt: Option<HaltSpec>,
    /// Texts to go on with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub continuations: Vec<ContinuationSpec>,
    /// Texts for the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_model: Vec<TextMatch>,
    /// Texts for the person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_user: Vec<TextMatch>,
    /// What could not be produced; compared only where given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<String>,
    /// What only one vendor has; compared only where given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special: Vec<SpecialSpec>,
    /// Keys that are not compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<DecisionKey>,
}

impl DecisionSpec {
    /// The decision that says nothing: the host's own rules decide.
    #[must_use]
    pub fn no_opinion() -> Self {
        Self {
            action: "no-opinion".to_owned(),
            input: None,
            result: None,
            halt: None,
            continuations: Vec::new(),
            to_model: Vec::new(),
            to_user: Vec::new(),
            unsupported: Vec::new(),
            special: Vec::new(),
            unchecked: Vec::new(),
        }
    }
}

/// A key of [`DecisionSpec`] that `unchecked` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is the key of the same name")]
pub enum DecisionKey {
    Input,
    Halt,
    Continuations,
    ToModel,
    ToUser,
}

macro_rules! words {
    ($( $(#[$doc:meta])* $name:ident = $core:ident { $( $(#[$variant_doc:meta])* $variant:ident ),* $(,)? } )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $( $(#[$variant_doc])* $variant, )* }

        impl From<$name> for $core {
            fn from(word: $name) -> Self {
                match word { $( $name::$variant => Self::$variant, )* }
            }
        }
    )* };
}

words! {
    /// The word for a [`Verdict`].
    VerdictWord = Verdict {
        /// Let it go on without asking.
        Allow,
        /// Ask a person.
        Ask,
        /// Put it off.
        Defer,
        /// Do not let it go on.
        Deny,
    }
    /// The word for a [`RunStatus`].
    RunWord = RunStatus {
        /// It completed.
        Completed,
        /// It blocked something.
        Blocked,
        /// It stopped something.
        Stopped,
        /// It failed.
        Failed,
    }
    /// The word for a [`Stop`].
    StopWord = Stop {
        /// The prompt is not sent.
        Prompt,
        /// The pending action does not run.
        Action,
        /// The turn ends.
        Turn,
        /// The compaction does not run.
        Compaction,
        /// The subagent ends.
        Subagent,
        /// The session ends.
        Session,
    }
    /// The word for a [`When`].
    WhenWord = When {
        /// After the action ran.
        After,
        /// Before it runs.
        Before,
    }
    /// The word for a [`PromptFate`].
    PromptWord = PromptFate {
        /// It stays in the history.
        Keep,
        /// It is erased.
        Erase,
    }
}

impl From<Verdict> for VerdictWord {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Allow => Self::Allow,
            Verdict::Ask => Self::Ask,
            Verdict::Defer => Self::Defer,
            Verdict::Deny => Self::Deny,
        }
    }
}

impl From<RunStatus> for RunWord {
    fn from(status: RunStatus) -> Self {
        match status {
            RunStatus::Completed => Self::Completed,
            RunStatus::Blocked => Self::Blocked,
            RunStatus::Stopped => Self::Stopped,
            RunStatus::Failed => Self::Failed,
        }
    }
}

impl StopWord {
    /// The word for what is stopped; `None` for what this version has no word for.
    #[must_use]
    pub const fn of(stop: Stop) -> Option<Self> {
        Some(match stop {
            Stop::Prompt => Self::Prompt,
            Stop::Action => Self::Action,
            Stop::Turn => Self::Turn,
            Stop::Compaction => Self::Compaction,
            Stop::Subagent => Self::Subagent,
            Stop::Session => Self::Session,
            _ => return None,
        })
    }
}

impl From<When> for WhenWord {
    fn from(when: When) -> Self {
        match when {
            When::After => Self::After,
            When::Before => Self::Before,
        }
    }
}

impl From<PromptFate> for PromptWord {
    fn from(fate: PromptFate) -> Self {
        match fate {
            PromptFate::Keep => Self::Keep,
            PromptFate::Erase => Self::Erase,
        }
    }
}
