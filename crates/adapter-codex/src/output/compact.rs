//! Answers of `PreCompact` and `PostCompact` (section 11.3): only `continue` `false` matters.

use hooks_core::Halt;
use hooks_core::boundary::Stop;
use hooks_core::effects::RunStatus;

use super::Run;
use super::read::Answer;
use crate::events::field::STOP_REASON;

/// Stands in the place of the vendor's own text.
const STOPPED: &str = "a hook stopped here without giving a reason";

/// `PreCompact`: no compaction, and the turn ends.
pub(super) fn pre_compact(run: &mut Run<'_>, answer: &Answer<'_>) {
    if answer.stops() {
        run.halt(RunStatus::Stopped, halt_before(Some(reason(answer))));
    }
}

/// `PostCompact`: the compaction stays, and the turn ends.
pub(super) fn post_compact(run: &mut Run<'_>, answer: &Answer<'_>) {
    if answer.stops() {
        run.halt(RunStatus::Stopped, Halt::of(&[Stop::Turn], Some(reason(answer))));
    }
}

/// A halt before a compaction (section 11.5: no compaction, the turn ends interrupted).
pub(super) fn halt_before(reason: Option<String>) -> Halt {
    Halt::of(&[Stop::Compaction, Stop::Turn], reason)
}

fn reason(answer: &Answer<'_>) -> String {
    answer.text(STOP_REASON).unwrap_or(STOPPED).to_owned()
}
