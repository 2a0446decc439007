//! What a firing tells a host's `tracing` subscriber. Nothing, without the feature.
//!
//! One span, `hooks.firing`, with the fields `boundary` and `session`; in it events with the message `selected`,
//! `started`, `completed`, `detached`, `refired` and `decided`. A background run's end is the event `late`, outside of the
//! span. Fields of runs: `vendor`, `event`, `binding`, `refired`, `status`, `end`, `duration_ms`, `failure`; of the
//! decision: `action`, `halted`, `runs`, `dropped`. The target of all is `hooks_runtime`.

#[cfg(feature = "tracing")]
mod on {
    use hooks_core::Envelope;
    use tracing::{Span, debug, info, info_span};

    use crate::dispatch::{Firing, LateRun, RunReport};
    use crate::log::end;
    use crate::observe::Report;

    const TARGET: &str = "hooks_runtime";

    pub(crate) fn firing(envelope: &Envelope) -> Span {
        info_span!(
            target: TARGET,
            "hooks.firing",
            boundary = envelope.boundary().name(),
            session = envelope.common.session_id.as_str()
        )
    }

    pub(crate) fn selected(count: usize) {
        debug!(target: TARGET, count, "selected");
    }

    pub(crate) fn refired(count: usize) {
        info!(target: TARGET, count, "refired");
    }

    pub(crate) fn report(report: Report<'_>) {
        match report {
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
            "decided"
        );
    }
}

#[cfg(not(feature = "tracing"))]
mod off {
    use crate::dispatch::Firing;
    use crate::observe::Report;

    pub(crate) fn selected(_count: usize) {}
    pub(crate) fn refired(_count: usize) {}
    pub(crate) fn report(_report: Report<'_>) {}
    pub(crate) fn decided(_firing: &Firing) {}
}

#[cfg(not(feature = "tracing"))]
pub(crate) use off::*;
#[cfg(feature = "tracing")]
pub(crate) use on::*;
