//! What a session remembers between firings: plain data that selection and decision take and return.

use std::collections::{BTreeMap, BTreeSet};

use crate::definition::BindingId;
use crate::effects::{EnvChange, EnvReach, Said};
use crate::json::RawJson;
use crate::vendor::VendorId;

/// What a session remembers between firings.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SessionState {
    /// How often each binding has made its turn go on in a row.
    pub continued: BTreeMap<BindingId, u32>,
    /// How often each vendor's hooks have, in a row.
    pub continued_by_vendor: BTreeMap<VendorId, u32>,
    /// Session variables, with the programs they reach.
    pub env: BTreeMap<String, EnvChange>,
    /// Bindings that have had their only run.
    pub ran_once: BTreeSet<BindingId>,
    /// Changes of permission rules, in the order they came, in each vendor's form.
    pub permission_updates: Vec<Said<RawJson>>,
    /// Files to watch.
    pub watch_paths: Vec<String>,
    /// Context that arrived late, for the next turn.
    pub late_context: Vec<Said<String>>,
    /// Notices that arrived late.
    pub late_notices: Vec<Said<String>>,
}

impl SessionState {
    /// The variables that reach a kind of program.
    pub fn env_for(&self, reach: EnvReach) -> impl Iterator<Item = (&str, &str)> {
        self.env
            .iter()
            .filter(move |(_, change)| change.reach == reach)
            .map(|(name, change)| (name.as_str(), change.value.as_str()))
    }

    /// Forgets the counts of turns that hooks made go on: a person spoke, or the vendor's rule says so.
    pub fn reset_continuations(&mut self) {
        self.continued.clear();
        self.continued_by_vendor.clear();
    }
}
