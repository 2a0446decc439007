//! What a session remembers between firings: plain data that selection and decision take and return.

use std::collections::{BTreeMap, BTreeSet};

use crate::definition::BindingId;
use crate::effects::{Effect, EnvChange, EnvReach, Said};
use crate::envelope::{Envelope, Payload, Provenance};
use crate::json::RawJson;
use crate::settle::Dropped;
use crate::vendor::VendorId;

/// What a session remembers between firings.
///
/// Hooks cannot make it grow without bound: what they add has limits here, and what is beyond them comes back as
/// [`Dropped`], with why.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SessionState {
    /// How often each binding has made its turn go on in a row.
    pub continued: BTreeMap<BindingId, u32>,
    /// How often each vendor's hooks have, in a row.
    pub continued_by_vendor: BTreeMap<VendorId, u32>,
    /// How often hooks of whatever vendor have, since a person last spoke: what a host says in
    /// [`TurnStop::loop_count`](crate::envelope::TurnStop::loop_count).
    pub turns_continued: u32,
    /// Session variables, with the programs they reach, by whose hooks set them: what a hook sets reaches later hooks of
    /// its own vendor only, as in that vendor's client. `None` is the host, whose variables reach all hooks.
    pub env: BTreeMap<Option<VendorId>, BTreeMap<String, EnvChange>>,
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

/// How many texts, variables or changes of each kind a session keeps.
pub const COUNT_LIMIT: usize = 1024;
/// Bytes that those of one kind may take up together.
pub const SIZE_LIMIT: usize = 1 << 20;

/// Whether one more fits beside those that are there.
fn fits(sizes: impl Iterator<Item = usize>, more: usize) -> bool {
    let (count, size) = sizes.fold((0usize, 0usize), |(count, size), one| (count + 1, size.saturating_add(one)));
    count < COUNT_LIMIT && size.saturating_add(more) <= SIZE_LIMIT
}

fn too_much<T>(said: Said<T>, effect: impl FnOnce(T) -> Effect, what: &str) -> Dropped {
    let why = format!("the session keeps no more {what}: at most {COUNT_LIMIT}, of {SIZE_LIMIT} bytes together");
    Dropped { by: said.by, effect: effect(said.value), why }
}

impl SessionState {
    /// Keeps a context that arrived late, for the next turn.
    ///
    /// # Errors
    ///
    /// The context, where the session keeps too many that nobody took.
    pub fn add_late_context(&mut self, text: Said<String>) -> Result<(), Box<Dropped>> {
        if !fits(self.late_context.iter().map(|said| said.value.len()), text.value.len()) {
            return Err(too_much(text, Effect::Context, "contexts that arrived late").into());
        }
        self.late_context.push(text);
        Ok(())
    }

    /// Keeps a notice that arrived late.
    ///
    /// # Errors
    ///
    /// The notice, where the session keeps too many that nobody took.
    pub fn add_late_notice(&mut self, text: Said<String>) -> Result<(), Box<Dropped>> {
        if !fits(self.late_notices.iter().map(|said| said.value.len()), text.value.len()) {
            return Err(too_much(text, Effect::Notice, "notices that arrived late").into());
        }
        self.late_notices.push(text);
        Ok(())
    }

    /// Keeps a change of permission rules until the host takes it.
    ///
    /// # Errors
    ///
    /// The change, where the session keeps too many that nobody took.
    pub fn add_permission_update(&mut self, update: Said<RawJson>) -> Result<(), Box<Dropped>> {
        let sizes = self.permission_updates.iter().map(|said| said.value.get().len());
        if !fits(sizes, update.value.get().len()) {
            return Err(too_much(update, Effect::PermissionUpdate, "changes of permission rules").into());
        }
        self.permission_updates.push(update);
        Ok(())
    }

    /// Sets a session variable, for the vendor of the hook that said it.
    ///
    /// # Errors
    ///
    /// The variable, where the session has too many; one of that vendor and name then keeps the value it had.
    pub fn set_env(&mut self, name: String, change: Said<EnvChange>) -> Result<(), Box<Dropped>> {
        let size = |name: &str, change: &EnvChange| name.len() + change.value.len();
        let vendor = change.by.as_ref().map(|by| by.vendor.clone());
        let all = self.env.iter().flat_map(|(of, own)| own.iter().map(move |(name, change)| (of, name, change)));
        let others = all.filter(|(of, other, _)| **of != vendor || **other != name);
        if !fits(others.map(|(_, name, change)| size(name, change)), size(&name, &change.value)) {
            let effect = |change| Effect::SessionEnv([(name, change)].into());
            return Err(too_much(change, effect, "variables").into());
        }
        self.env.entry(vendor).or_default().insert(name, change.value);
        Ok(())
    }

    /// Watches these files in place of those before; gives how many were left out because the session watches no more.
    pub fn set_watch_paths(&mut self, paths: &[String]) -> usize {
        let mut size = 0usize;
        let fits = |path: &&String| {
            size = size.saturating_add(path.len());
            size <= SIZE_LIMIT
        };
        self.watch_paths = paths.iter().take(COUNT_LIMIT).take_while(fits).cloned().collect();
        paths.len() - self.watch_paths.len()
    }

    /// The variables that reach a kind of program, whoever set them, in the order of names: what the agent's own shell
    /// commands get. Where two vendors' hooks set one, that of the vendor whose name comes last counts, and above the
    /// host's. What a vendor's hooks get is [`SessionState::hook_env`].
    pub fn env_for(&self, reach: EnvReach) -> impl Iterator<Item = (&str, &str)> {
        let all = self.env.values().flatten().filter(|(_, change)| change.reach == reach);
        let by_name: BTreeMap<_, _> = all.map(|(name, change)| (name.as_str(), change.value.as_str())).collect();
        by_name.into_iter()
    }

    /// The variables that a vendor's hooks get: those that its own hooks set for hooks, and the host's. The vendor's
    /// value of a name counts above the host's.
    pub fn hook_env(&self, vendor: &VendorId) -> impl Iterator<Item = (&str, &str)> + use<'_> {
        let own = [self.env.get(&None), self.env.get(&Some(vendor.clone()))].into_iter().flatten().flatten();
        let by_name: BTreeMap<_, _> = own
            .filter(|(_, change)| change.reach == EnvReach::Hooks)
            .map(|(name, change)| (name.as_str(), change.value.as_str()))
            .collect();
        by_name.into_iter()
    }

    /// The variable of a name that a vendor's hooks get.
    #[must_use]
    pub fn hook_variable(&self, vendor: &VendorId, name: &str) -> Option<&EnvChange> {
        let of =
            |whose: Option<VendorId>| self.env.get(&whose)?.get(name).filter(|change| change.reach == EnvReach::Hooks);
        of(Some(vendor.clone())).or_else(|| of(None))
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
        self.turns_continued = 0;
    }
}
