//! What a session remembers between firings: plain data that selection and decision take and return.

use std::collections::{BTreeMap, BTreeSet};

use crate::definition::BindingId;
use crate::effects::{EnvChange, EnvReach, Said};
use crate::envelope::{Envelope, Payload, Provenance};
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

    /// Takes the texts that arrived late: for the model, and for the person. Deciding does this by itself on the
    /// boundaries where such texts have a place.
    pub fn take_late(&mut self) -> (Vec<Said<String>>, Vec<Said<String>>) {
        (std::mem::take(&mut self.late_context), std::mem::take(&mut self.late_notices))
    }

    /// Takes the changes of permission rules that came since the last call.
    pub fn take_permission_updates(&mut self) -> Vec<Said<RawJson>> {
        std::mem::take(&mut self.permission_updates)
    }

    /// Notices what an occurrence means for the counts of continuations, before it is fired: a person's prompt ends all
    /// of them, a tool call ends the row that a vendor's cap counts.
    pub fn observe(&mut self, envelope: &Envelope) {
        match &envelope.payload {
            Payload::PromptSubmit(prompt) if matches!(prompt.provenance, Provenance::User | Provenance::Steering) => {
                self.reset_continuations();
            }
            Payload::ToolBefore(_) => self.continued_by_vendor.clear(),
            _ => {}
        }
    }

    /// Forgets the counts of turns that hooks made go on: a person spoke, or the vendor's rule says so.
    pub fn reset_continuations(&mut self) {
        self.continued.clear();
        self.continued_by_vendor.clear();
    }
}
