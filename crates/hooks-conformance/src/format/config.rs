//! A `config` vector: a document, and the bindings and reports it comes to.

use serde::{Deserialize, Serialize};

use super::{Given, Text, given};

/// The syntax of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FileFate {
    /// It does.
    Accepted,
    /// It does not.
    Rejected,
}

/// One binding a document has. Keys that are absent are not compared; a `null` means that there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
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
