//! The vector format, version 1, as types.
//!
//! Every type refuses keys it does not know, so that a misspelt key in a vector is an error and not a check that is
//! never made.

mod config;
mod effects;
mod settle;
mod text;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::render::to_json;

pub use config::{BindingSpec, Config, ConfigExpect, FileFate, ReportSpec, SyntaxWord};
pub use effects::{
    ContinuationSpec, DecisionKey, DecisionSpec, EffectKey, Effects, HaltSpec, PromptWord, RunWord, SpecialSpec,
    StopWord, VerdictWord, WhenWord,
};
pub use settle::{
    InputRuleWord, LeadSpec, LeadsSpec, OrderWord, PickWord, PolicySpec, ResultRuleSpec, Settle, SettleItem,
    VerdictRuleWord,
};
pub use text::{Text, TextMatch};

/// The version of the format that this crate reads and writes.
pub const FORMAT: u32 = 1;

/// One file of vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorFile {
    /// The file's name, without its folder.
    pub name: String,
    /// Whose format it is about; `None` for vectors about the core.
    pub vendor: Option<String>,
    /// The event all its vectors are about; `None` where each says so itself, or where it does not matter.
    pub event: Option<String>,
    /// The client whose behaviour it records.
    pub client: Option<String>,
    /// The vectors.
    pub vectors: Vec<Vector>,
}

impl VectorFile {
    /// The vendor's word and the file's name, as in `cursor/stop.json`.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}/{}", self.vendor.as_deref().unwrap_or("core"), self.name)
    }

    /// The event a vector of this file is about.
    #[must_use]
    pub fn event_of<'v>(&'v self, vector: &'v Vector) -> Option<&'v str> {
        vector.event.as_deref().or(self.event.as_deref())
    }
}

/// How a vector's expectation is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// A vendor's client was seen to do it.
    Observed,
    /// The vendor's documentation says it.
    Doc,
    /// The first design says it.
    Seed,
    /// The design of this project says it.
    Design,
}

/// One vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// Its name, unique in its file.
    pub id: String,
    /// How its expectation is known.
    pub basis: Basis,
    /// Where its expectation is from.
    pub source: String,
    /// More about it.
    pub note: Option<String>,
    /// The client it holds for, where that is not the file's.
    pub client: Option<String>,
    /// The vendor's face it holds for, where there are several.
    pub profile: Option<String>,
    /// The event it is about, where that is not the file's.
    pub event: Option<String>,
    /// What it checks.
    pub kind: Kind,
}

/// What a vector checks.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// One hook's outcome to its effects.
    Decode(Decode),
    /// Several hooks of one firing to the merged effects.
    Fold(Fold),
    /// Whether a matcher selects a target.
    Match(Match),
    /// A document to its bindings and what is reported.
    Config(Config),
    /// Settled effects and a host to a decision.
    Decide(Decide),
    /// Effects of several hooks and a policy to settled effects; written as a `fold` with `items`.
    Settle(Settle),
    /// A handler definition to its fingerprint.
    Trust(Trust),
}

impl Kind {
    /// The words for all kinds in reports.
    pub const WORDS: &'static [&'static str] = &["decode", "fold", "match", "config", "decide", "settle", "trust"];

    /// The words for the kinds that say nothing without the name of an event.
    pub const ABOUT_AN_EVENT: &'static [&'static str] = &["decode", "fold", "match", "trust"];

    /// The word for it in reports.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Settle(_) => "settle",
            other => other.json_word(),
        }
    }

    /// The word for it in a file.
    #[must_use]
    pub const fn json_word(&self) -> &'static str {
        match self {
            Self::Decode(_) => "decode",
            Self::Fold(_) | Self::Settle(_) => "fold",
            Self::Match(_) => "match",
            Self::Config(_) => "config",
            Self::Decide(_) => "decide",
            Self::Trust(_) => "trust",
        }
    }

    /// Whether the vector says nothing without the name of an event.
    #[must_use]
    pub fn needs_event(&self) -> bool {
        Self::ABOUT_AN_EVENT.contains(&self.word())
    }

    /// What a vector of the kind gives and expects, as JSON.
    pub(crate) fn body(&self) -> Result<Value, serde_json::Error> {
        match self {
            Self::Decode(body) => serde_json::to_value(body),
            Self::Fold(body) => serde_json::to_value(body),
            Self::Match(body) => serde_json::to_value(body),
            Self::Config(body) => serde_json::to_value(body),
            Self::Decide(body) => serde_json::to_value(body),
            Self::Settle(body) => serde_json::to_value(body),
            Self::Trust(body) => serde_json::to_value(body),
        }
    }

    /// What is expected, as JSON.
    pub(crate) fn expected(&self) -> Value {
        match self {
            Self::Decode(decode) => to_json(&decode.expect),
            Self::Fold(fold) => to_json(&fold.expect),
            Self::Match(matching) => to_json(&matching.expect),
            Self::Config(config) => to_json(&config.expect),
            Self::Decide(decide) => to_json(&decide.expect),
            Self::Settle(settle) => to_json(&settle.expect),
            Self::Trust(trust) => to_json(&trust.expect),
        }
    }

    /// What the vector says about the occurrence.
    #[must_use]
    pub const fn given(&self) -> Option<&Given> {
        match self {
            Self::Decode(decode) => decode.given.as_ref(),
            Self::Fold(fold) => fold.given.as_ref(),
            Self::Match(matching) => matching.given.as_ref(),
            Self::Config(config) => config.given.as_ref(),
            Self::Decide(_) | Self::Settle(_) | Self::Trust(_) => None,
        }
    }
}

/// A `decode` vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Decode {
    /// What of the definition differs from the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<BindingOverrides>,
    /// What of the host's choices differs from the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyOverrides>,
    /// What the answer depends on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<Given>,
    /// How the run ended.
    pub outcome: OutcomeSpec,
    /// What it comes to.
    pub expect: Effects,
}

/// A `fold` vector over hooks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Fold {
    /// What of the host's choices differs from the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyOverrides>,
    /// What the answers depend on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<Given>,
    /// The hooks, in configured order.
    pub hooks: Vec<FoldHook>,
    /// What they come to.
    pub expect: Effects,
}

/// One hook of a `fold` vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct FoldHook {
    /// What of the definition differs from the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<BindingOverrides>,
    /// How the run ended.
    pub outcome: OutcomeSpec,
    /// Its place in the order of finishing.
    pub finishes: u32,
}

/// A `match` vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Match {
    /// Which face or file of the vendor it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<Given>,
    /// The matcher's text; `None` when there is none.
    #[serde(deserialize_with = "Option::deserialize")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Nullable"))]
    pub matcher: Option<String>,
    /// The vendor's inputs for one occurrence: the canonical one first.
    pub targets: Vec<String>,
    /// Whether the hook is selected.
    pub expect: bool,
}

/// A `decide` vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Decide {
    /// The boundary's dotted name.
    pub boundary: String,
    /// What of the host differs from one that can do everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<HostSpec>,
    /// The settled effects.
    pub effects: Effects,
    /// What every unsupported field means for a pending action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsupported_on_pending: Option<OnPendingWord>,
    /// The decision.
    pub expect: DecisionSpec,
}

/// What of a host differs from one that can do everything and is not strict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct HostSpec {
    /// Whether there is anybody to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can_ask: Option<bool>,
    /// Whether a call can be put off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can_defer: Option<bool>,
    /// Whether a rewritten input can be applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can_rewrite: Option<bool>,
    /// Whether every failed evaluation of something that can block blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
}

/// What an unsupported field means for a pending action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OnPendingWord {
    /// It is denied.
    Deny,
    /// Nothing.
    Ignore,
}

/// A `trust` vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Trust {
    /// The matcher's text.
    #[serde(deserialize_with = "Option::deserialize")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Nullable"))]
    pub matcher: Option<String>,
    /// The handler as it stands in a document.
    pub handler: Value,
    /// What it comes to.
    pub expect: TrustExpect,
}

/// A definition's canonical text and its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct TrustExpect {
    /// The canonical text.
    pub canonical: String,
    /// The SHA-256 of the text, in lower-case hexadecimal digits.
    pub sha256: String,
}

/// What of a definition differs from the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct BindingOverrides {
    /// Whether a failure blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail_closed: Option<bool>,
    /// Likewise, in another vendor's word.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub on_failure: Option<Option<OnFailureWord>>,
    /// How often it may make the turn go on; `null` for no limit.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub loop_limit: Option<Option<u32>>,
}

/// What a failed run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OnFailureWord {
    /// It blocks.
    Block,
    /// The action goes on.
    Continue,
}

/// What of a host's choices differs from the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct PolicyOverrides {
    /// Whether every failed evaluation of something that can block blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
}

/// What an answer depends on beside the outcome. What is absent is made up: see [`crate::sample`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Given {
    /// The vendor's name of the tool that is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Whether a stop hook made the turn go on already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_hook_active: Option<bool>,
    /// What an occurrence comes from: how a session starts, what added a directory, and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// How a turn or a subagent ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The hook's command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The document the hook stands in, where that is another vendor's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The binding's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding_id: Option<String>,
    /// Whether all of standard input was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin_delivered: Option<bool>,
    /// The vendor's face it holds for, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_profile: Option<String>,
}

/// How a run ended and what it printed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct OutcomeSpec {
    /// How it ended.
    pub end: EndSpec,
    /// Standard output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout: Option<Text>,
    /// Standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<Text>,
    /// Whether standard output was cut off by the runner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout_truncated: Option<bool>,
    /// Whether standard error was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_truncated: Option<bool>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum EndSpec {
    /// With this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// The time limit was reached.
    TimedOut,
    /// The host cancelled it.
    Cancelled,
    /// It could not be started.
    FailedToStart,
    /// A request was answered with this status.
    Http(u16),
    /// A tool server's tool answered.
    Tool {
        /// Whether the server calls the answer an error.
        is_error: bool,
    },
    /// A model answered.
    Model,
    /// It was not run; the text says why.
    NotRun(String),
}

/// Reads a key that is there, so that `null` (inner `None`) and absence (outer `None`) stay apart.
pub(crate) fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
