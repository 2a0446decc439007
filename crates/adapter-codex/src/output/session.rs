//! Answers of `SessionStart` and `SubagentStart` (section 11.3). `SessionEnd` reads nothing.

use hooks_core::Halt;
use hooks_core::boundary::Stop;
use hooks_core::effects::{Note, RunStatus};

use super::Run;
use super::read::Answer;
use crate::events::field::{CONTINUE, STOP_REASON};

/// `SessionStart`: context in any case; a stop ends the turn before the model is asked.
pub(super) fn session_start(run: &mut Run<'_>, answer: &Answer<'_>) {
    run.context(answer);
    if answer.stops() {
        let reason = answer.text(STOP_REASON).map(str::to_owned);
        run.halt(RunStatus::Stopped, Halt::of(&[Stop::Turn], reason));
    }
}

/// `SubagentStart`: context for the child; `continue` `false` is accepted and does nothing.
pub(super) fn subagent_start(run: &mut Run<'_>, answer: &Answer<'_>) {
    run.context(answer);
    if answer.stops() {
        run.effects.note(Note::field(CONTINUE, "has no effect on SubagentStart"));
    }
}
