//! The snapshot that one session sees, while documents change under it.
//!
//! Some vendors' sessions pick up edits as they come, others keep the documents they began with until they end
//! ([`HostSide::holds_documents`](hooks_core::HostSide::holds_documents)). A host with a
//! [`Reloader`](crate::Reloader) for its project has one of these a session, and hands each new snapshot to all of them.
//!
//! What counts for one session alone, such as the hooks in the head of a skill it uses, is added here and not to the
//! project's snapshot: it stays through every change of the project's documents.

use std::sync::Arc;

use hooks_core::activate::{Admission, Snapshot, VendorSources};
use hooks_core::source::Life;
use hooks_core::{HostProfile, Refused};

/// The snapshot that one session sees.
#[derive(Clone, Debug)]
pub struct SessionSnapshot {
    begun: Arc<Snapshot>,
    /// The project's, as this session sees it.
    base: Arc<Snapshot>,
    /// What counts for this session alone.
    added: Vec<VendorSources>,
    current: Arc<Snapshot>,
}

impl SessionSnapshot {
    /// A session that begins now.
    #[must_use]
    pub fn begin(snapshot: Arc<Snapshot>) -> Self {
        Self { begun: Arc::clone(&snapshot), base: Arc::clone(&snapshot), added: Vec::new(), current: snapshot }
    }

    /// What to fire with.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current)
    }

    /// Takes a newer snapshot: of vendors whose sessions hold the documents they began with, those stay, and so does what
    /// was added. Trust is asked for anew, of what stays too. Gives what to fire with from now on; firings under way keep
    /// theirs.
    ///
    /// # Errors
    ///
    /// As [`activate`](hooks_core::activate::activate); what held before still holds then.
    pub fn renew(
        &mut self,
        newer: &Arc<Snapshot>,
        host: &HostProfile,
        admission: &dyn Admission,
    ) -> Result<Arc<Snapshot>, Refused> {
        let base = match newer.for_session(&self.begun, host, admission) {
            None => Arc::clone(newer),
            Some(snapshot) => Arc::new(snapshot?),
        };
        self.settle(base, self.added.clone(), host, admission)
    }

    /// Adds documents that count for this session alone, or for one agent or skill of it
    /// ([`Source::life`](hooks_core::Source::life)).
    ///
    /// # Errors
    ///
    /// As [`activate`](hooks_core::activate::activate); what held before still holds then.
    pub fn add(
        &mut self,
        more: Vec<VendorSources>,
        host: &HostProfile,
        admission: &dyn Admission,
    ) -> Result<Arc<Snapshot>, Refused> {
        let mut added = self.added.clone();
        added.extend(more);
        self.settle(Arc::clone(&self.base), added, host, admission)
    }

    /// Takes away the added documents whose life has ended.
    ///
    /// # Errors
    ///
    /// As [`activate`](hooks_core::activate::activate); what held before still holds then.
    pub fn end(
        &mut self,
        ended: &Life,
        host: &HostProfile,
        admission: &dyn Admission,
    ) -> Result<Arc<Snapshot>, Refused> {
        let mut added = self.added.clone();
        for vendor in &mut added {
            vendor.documents.retain(|document| document.source.life != *ended);
        }
        added.retain(|vendor| !vendor.documents.is_empty());
        self.settle(Arc::clone(&self.base), added, host, admission)
    }

    fn settle(
        &mut self,
        base: Arc<Snapshot>,
        added: Vec<VendorSources>,
        host: &HostProfile,
        admission: &dyn Admission,
    ) -> Result<Arc<Snapshot>, Refused> {
        self.current =
            if added.is_empty() { Arc::clone(&base) } else { Arc::new(base.with(added.clone(), host, admission)?) };
        self.base = base;
        self.added = added;
        Ok(self.snapshot())
    }
}
