//! Runs that go on in the background after a decision, and what they say in the end.

use std::future::poll_fn;
use std::task::{Context, Poll};

use hooks_core::SessionState;
use hooks_core::definition::Binding;
use hooks_core::effects::{Effect, HookEffects, RunStatus, Said};
use hooks_core::handler::{Background, Handler};
use hooks_core::outcome::Outcome;
use hooks_core::settle::Dropped;
use tokio::task::JoinSet;

use crate::dispatch::succeeded;

/// Runs that go on in the background after a decision. Dropping this ends them.
///
/// Each firing has its own; a session that fires many keeps one, and adds the others to it ([`Late::append`]). Each run
/// is bounded by its own time limit, which some vendors leave open for runs in the background.
#[derive(Debug, Default)]
pub struct Late {
    sets: Vec<JoinSet<LateRun>>,
}

impl Late {
    pub(crate) fn of(runs: JoinSet<LateRun>) -> Self {
        Self { sets: if runs.is_empty() { Vec::new() } else { vec![runs] } }
    }

    /// Takes over the runs of another firing.
    pub fn append(&mut self, other: Self) {
        self.sets.extend(other.sets);
    }

    /// How many runs are still under way or were not asked for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sets.iter().map(JoinSet::len).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The next run to end; `None` when there are no more. Safe to drop and call again.
    pub async fn next(&mut self) -> Option<LateRun> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// A run that has ended already; `None` where none has, or none that was not given. Does not wait.
    pub fn ended(&mut self) -> Option<LateRun> {
        self.sets.retain(|set| !set.is_empty());
        // A task that failed to give a result has nothing to say and had no say in the decision.
        self.sets.iter_mut().find_map(|set| std::iter::from_fn(|| set.try_join_next()).find_map(Result::ok))
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<LateRun>> {
        let mut given = None;
        self.sets.retain_mut(|set| {
            while given.is_none() {
                match set.poll_join_next(context) {
                    Poll::Ready(Some(run)) => given = run.ok(),
                    Poll::Ready(None) => return false,
                    Poll::Pending => return true,
                }
            }
            true
        });
        match given {
            Some(run) => Poll::Ready(Some(run)),
            None if self.sets.is_empty() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

/// A run in the background that has ended.
#[derive(Clone, Debug)]
pub struct LateRun {
    /// The binding.
    pub binding: Binding,
    /// How it ended.
    pub outcome: Outcome,
    /// What it asks for: context and notices only.
    pub effects: HookEffects,
}

impl LateRun {
    /// Puts what it said into the session, for the next turn; gives what the session keeps no more of. Once: deciding takes
    /// the texts from there. A hook that runs once has had its run from here on, if this one succeeded: until then each
    /// occurrence starts it again, as the vendor's rule counts successes and not starts.
    pub fn apply(self, session: &mut SessionState) -> Vec<Dropped> {
        let mut dropped = Vec::new();
        if self.binding.once && succeeded(&self.effects) {
            session.ran_once.insert(self.binding.id.clone());
        }
        let by = self.effects.by;
        for effect in self.effects.effects {
            let added = match effect {
                Effect::Context(text) => session.add_late_context(Said::hook(by.clone(), text)),
                Effect::Notice(text) => session.add_late_notice(Said::hook(by.clone(), text)),
                _ => Ok(()),
            };
            dropped.extend(added.err().map(|dropped| *dropped));
        }
        dropped
    }

    /// Whether it asks for the model to be woken, also when the session is idle: its handler may, and it blocked.
    #[must_use]
    pub fn wakes(&self) -> bool {
        let may =
            matches!(&self.binding.handler, Handler::Command(command) if command.background == Background::AsyncRewake);
        may && self.effects.status == RunStatus::Blocked
    }
}
