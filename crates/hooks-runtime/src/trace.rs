//! What each step tells a host's `tracing` subscriber. Nothing, without the feature.
//!
//! A firing is a span, `hooks.firing`, with events and a span for each run in it, `hooks.run`; finding, activating,
//! reloading, trusting, and the end of a run in the background are events outside of it. The target of all is
//! `hooks_runtime`. Their names and fields are part of the interface: `docs/runtime.md` lists them, and a test holds the
//! page to what is sent.

#[cfg(feature = "tracing")]
mod on {
    use std::path::Path;

    use hooks_core::{Binding, Envelope, Snapshot, VendorId};
    use tracing::{Instrument as _, Span, debug, info, info_span, warn};

    use crate::discover::Found;
    use crate::dispatch::{Firing, RunReport};
    use crate::late::LateRun;
    use crate::log::end;
    use crate::observe::Report;
    use crate::reload::Reloaded;

    const TARGET: &str = "hooks_runtime";

    pub(crate) fn firing(envelope: &Envelope) -> Span {
        info_span!(
            target: TARGET,
            "hooks.firing",
            boundary = envelope.boundary().name(),
            session = envelope.common.session_id.as_str()
        )
    }

    /// A run in a span of its own, from its start to its end or until it goes on in the background.
    pub(crate) fn in_run<R: Future>(binding: &Binding, run: R) -> impl Future<Output = R::Output> + use<R> {
        run.instrument(info_span!(
            target: TARGET,
            "hooks.run",
            vendor = binding.vendor.as_str(),
            event = binding.place.event.as_str(),
            binding = binding.id.as_str()
        ))
    }

    pub(crate) fn discovered(vendor: &VendorId, found: &Found) {
        let (absent, unreadable) = (found.absent().count(), found.missed.len());
        let count = found.sources.len();
        debug!(target: TARGET, vendor = vendor.as_str(), count, absent, unreadable, "discovered");
    }

    pub(crate) fn activated(snapshot: &Snapshot) {
        debug!(
            target: TARGET,
            definitions = snapshot.definitions().len(),
            live = snapshot.bindings().len(),
            diagnostics = snapshot.diagnostics().len(),
            "activated"
        );
    }

    pub(crate) fn reloaded(reloaded: &Reloaded) {
        info!(
            target: TARGET,
            changed = reloaded.changed,
            live = reloaded.snapshot.bindings().len(),
            diagnostics = reloaded.diagnostics.len(),
            "reloaded"
        );
    }

    pub(crate) fn trust_changed(store: &Path, before: usize, after: usize) {
        info!(target: TARGET, store = %store.display(), before, after, "trust-changed");
    }

    pub(crate) fn selected(count: usize) {
        debug!(target: TARGET, count, "selected");
    }

    pub(crate) fn refired(count: usize) {
        info!(target: TARGET, count, "refired");
    }

    pub(crate) fn report(report: Report<'_>) {
        match report {
            Report::Skipped(definition) => warn!(
                target: TARGET,
                vendor = definition.vendor.as_str(),
                event = definition.place.event.as_str(),
                binding = definition.id.as_str(),
                state = definition.state.word(),
                "skipped"
            ),
            Report::Started(RunReport { binding, refired, .. }) => debug!(
                target: TARGET,
                vendor = binding.vendor.as_str(),
                event = binding.place.event.as_str(),
                binding = binding.id.as_str(),
                refired,
                "started"
            ),
            Report::Detached(RunReport { binding, .. }) => debug!(
                target: TARGET,
                vendor = binding.vendor.as_str(),
                event = binding.place.event.as_str(),
                binding = binding.id.as_str(),
                "detached"
            ),
            Report::Completed(RunReport { binding, outcome, effects, refired, .. }) => {
                let outcome = outcome.as_ref();
                info!(
                    target: TARGET,
                    vendor = binding.vendor.as_str(),
                    event = binding.place.event.as_str(),
                    binding = binding.id.as_str(),
                    refired,
                    status = effects.status.as_str(),
                    end = outcome.map(|outcome| end(&outcome.end)),
                    duration_ms = outcome.map(|outcome| outcome.duration.as_secs_f64() * 1000.0),
                    failure = effects.failure.as_ref().map(ToString::to_string),
                    "completed"
                );
            }
            Report::Late(LateRun { binding, outcome, effects }) => info!(
                target: TARGET,
                vendor = binding.vendor.as_str(),
                event = binding.place.event.as_str(),
                binding = binding.id.as_str(),
                status = effects.status.as_str(),
                end = end(&outcome.end),
                duration_ms = outcome.duration.as_secs_f64() * 1000.0,
                "late"
            ),
        }
    }

    pub(crate) fn decided(firing: &Firing) {
        let decision = &firing.decision;
        info!(
            target: TARGET,
            action = decision.action.as_str(),
            halted = decision.halt.is_some(),
            runs = firing.runs.len(),
            dropped = decision.report.dropped.len(),
            conflicts = decision.report.conflicts.len(),
            "decided"
        );
    }
}

#[cfg(not(feature = "tracing"))]
mod off {
    use std::path::Path;

    use hooks_core::{Binding, Snapshot, VendorId};

    use crate::discover::Found;
    use crate::dispatch::Firing;
    use crate::observe::Report;
    use crate::reload::Reloaded;

    pub(crate) fn in_run<R: Future>(_binding: &Binding, run: R) -> R {
        run
    }
    pub(crate) fn discovered(_vendor: &VendorId, _found: &Found) {}
    pub(crate) fn activated(_snapshot: &Snapshot) {}
    pub(crate) fn reloaded(_reloaded: &Reloaded) {}
    pub(crate) fn trust_changed(_store: &Path, _before: usize, _after: usize) {}
    pub(crate) fn selected(_count: usize) {}
    pub(crate) fn refired(_count: usize) {}
    pub(crate) fn report(_report: Report<'_>) {}
    pub(crate) fn decided(_firing: &Firing) {}
}

#[cfg(not(feature = "tracing"))]
pub(crate) use off::*;
#[cfg(feature = "tracing")]
pub(crate) use on::*;
