//! The vector format, version 1, as types.
//!
//! Every type refuses keys it does not know, so that a misspelt key in a vector is an error and not a check that is
//! never made.

mod effects;
mod text;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

pub use effects::{
    ContinuationSpec, DecisionKey, DecisionSpec, EffectKey, Effects, HaltSpec, PromptWord, RunWord, SpecialSpec,
    StopWord, VerdictWord, WhenWord,
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
    pub const fn needs_event(&self) -> bool {
        matches!(self, Self::Decode(_) | Self::Fold(_) | Self::Match(_) | Self::Trust(_))
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
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
pub struct Match {
    /// Which face or file of the vendor it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<Given>,
    /// The matcher's text; `None` when there is none.
    #[serde(deserialize_with = "Option::deserialize")]
    pub matcher: Option<String>,
    /// The vendor's inputs for one occurrence: the canonical one first.
    pub targets: Vec<String>,
    /// Whether the hook is selected.
    pub expect: bool,
}

/// The syntax of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SyntaxWord {
    /// JSON.
    Json,
    /// TOML.
    Toml,
    /// YAML between `---` lines.
    Yaml,
}

/// A `config` vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Which face or file of the vendor it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<Given>,
    /// Where the document comes from.
    pub origin: String,
    /// Its language.
    pub syntax: SyntaxWord,
    /// Its text.
    pub document: Text,
    /// What it comes to.
    pub expect: ConfigExpect,
}

/// What a document comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigExpect {
    /// Whether the vendor takes anything from it.
    pub file: FileFate,
    /// The bindings, in declared order.
    pub bindings: Vec<BindingSpec>,
    /// What is reported, in any order.
    pub reports: Vec<ReportSpec>,
}

/// Whether a vendor takes anything from a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileFate {
    /// It does.
    Accepted,
    /// It does not.
    Rejected,
}

/// One binding a document has. Keys that are absent are not compared; a `null` means that there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BindingSpec {
    /// The event.
    pub event: String,
    /// The group, by position in the document.
    pub group: u32,
    /// The place in the group, by position in the document.
    pub index: u32,
    /// The type of handler.
    pub handler: String,
    /// The command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The matcher's text.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub matcher: Option<Option<String>>,
    /// The time limit in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<serde_json::Number>,
    /// Whether a failure blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail_closed: Option<bool>,
    /// Likewise, in another vendor's word: `block`, or `null` for the usual rule.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub on_failure: Option<Option<String>>,
    /// How often it may make the turn go on; `null` for no limit or no meaning.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub loop_limit: Option<Option<u32>>,
    /// Whether the action does not wait for it.
    #[serde(default, rename = "async", skip_serializing_if = "Option::is_none")]
    pub background: Option<bool>,
    /// How much context it may give.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub additional_context_limit: Option<Option<u64>>,
    /// The tool server of an MCP tool handler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The tool of an MCP tool handler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What is shown while it runs.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub status_message: Option<Option<String>>,
    /// The text of a prompt or agent handler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The model of a prompt or agent handler.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub model: Option<Option<String>>,
}

/// One thing a document has reported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportSpec {
    /// The JSON pointer of the value concerned; empty for the whole document.
    pub pointer: String,
    /// The word for the fault.
    pub about: String,
    /// What it takes with it; not compared when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<String>,
    /// Whether the vendor itself says nothing; not compared when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silent: Option<bool>,
}

/// A `decide` vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
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
#[serde(rename_all = "kebab-case")]
pub enum OnPendingWord {
    /// It is denied.
    Deny,
    /// Nothing.
    Ignore,
}

/// A `fold` vector over effects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settle {
    /// The policy, where all items are of one vendor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicySpec>,
    /// Each vendor's policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policies: Option<BTreeMap<String, PolicySpec>>,
    /// Whether the host is strict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// The items, in declared order.
    pub items: Vec<SettleItem>,
    /// What they come to.
    pub expect: Effects,
}

/// What one binding asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettleItem {
    /// The binding's id.
    pub binding: String,
    /// Its vendor, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vendor: Option<String>,
    /// Its place in the order of finishing.
    pub finishes: u32,
    /// Whether it is doubtful that it should have run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubtful: Option<bool>,
    /// What it asks for.
    pub effects: Effects,
}

/// A merge policy. What is absent does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicySpec {
    /// Which verdict counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<VerdictRuleWord>,
    /// Whose text leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leads: Option<LeadsSpec>,
    /// The order of context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<OrderWord>,
    /// The order of notices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notices: Option<OrderWord>,
    /// Which rewritten input counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement_input: Option<InputRuleWord>,
    /// Which replaced result counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement_result: Option<ResultRuleSpec>,
    /// Whether a halt drops continuations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halt_drops_continuations: Option<bool>,
}

/// Which verdict counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictRuleWord {
    /// The strongest.
    Strongest,
    /// The first to finish that answers.
    FirstAnswer,
}

/// Whose text leads, for verdicts and halts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeadsSpec {
    /// Of denies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deny: Option<LeadSpec>,
    /// Of asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<LeadSpec>,
    /// Of halts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halt: Option<LeadSpec>,
}

/// Whose text leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeadSpec {
    /// Which one.
    pub pick: PickWord,
    /// In which order.
    pub by: OrderWord,
}

/// Which text leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PickWord {
    /// All, in the order.
    All,
    /// The first.
    First,
    /// The last.
    Last,
}

/// An order of hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderWord {
    /// As declared.
    Declared,
    /// As finished.
    Finishing,
}

/// Which rewritten input counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputRuleWord {
    /// The last to finish.
    LastFinished,
    /// The last declared.
    LastDeclared,
}

/// Which replaced result counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultRuleSpec {
    /// The last to finish.
    LastFinished,
    /// The last declared.
    LastDeclared,
    /// All, by declared place, with this between them.
    Join(String),
}

/// A `trust` vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trust {
    /// The matcher's text.
    #[serde(deserialize_with = "Option::deserialize")]
    pub matcher: Option<String>,
    /// The handler as it stands in a document.
    pub handler: Value,
    /// What it comes to.
    pub expect: TrustExpect,
}

/// A definition's canonical text and its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustExpect {
    /// The canonical text.
    pub canonical: String,
    /// The SHA-256 of the text, in lower-case hexadecimal digits.
    pub sha256: String,
}

/// What of a definition differs from the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(rename_all = "kebab-case")]
pub enum OnFailureWord {
    /// It blocks.
    Block,
    /// The action goes on.
    Continue,
}

/// What of a host's choices differs from the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyOverrides {
    /// Whether every failed evaluation of something that can block blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
}

/// What an answer depends on beside the outcome. What is absent is made up: see [`crate::sample`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
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
#[serde(rename_all = "snake_case")]
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
