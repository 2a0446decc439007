//! Runs of the two undocumented model-request events (section 11.3, observed): nothing is read of a completed run but
//! its standard error, which stands in the report although the run completed.

use hooks_core::Outcome;
use hooks_core::effects::Note;
use hooks_core::text::strip_unsafe;

use super::Run;

/// Notes what a completed run printed on standard error.
pub(super) fn completed(run: &mut Run<'_>, outcome: &Outcome) {
    let stderr = outcome.stderr_text();
    if !stderr.trim().is_empty() {
        run.effects.note(Note::whole(format!("standard error: {}", strip_unsafe(stderr.trim()))));
    }
}
