//! A `fold` over effects, called `settle`: items and the policies they are merged by.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Effects;

/// A `fold` vector over effects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum VerdictRuleWord {
    /// The strongest.
    Strongest,
    /// The first to finish that answers.
    FirstAnswer,
}

/// Whose text leads, for verdicts and halts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct LeadSpec {
    /// Which one.
    pub pick: PickWord,
    /// In which order.
    pub by: OrderWord,
}

/// Which text leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OrderWord {
    /// As declared.
    Declared,
    /// As finished.
    Finishing,
}

/// Which rewritten input counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum InputRuleWord {
    /// The last to finish.
    LastFinished,
    /// The last declared.
    LastDeclared,
}

/// Which replaced result counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ResultRuleSpec {
    /// The last to finish.
    LastFinished,
    /// The last declared.
    LastDeclared,
    /// All, by declared place, with this between them.
    Join(String),
}
