//! Answers of `Stop` and `SubagentStop` (section 11.3): go on with a text, or stop.

use hooks_core::boundary::Stop;
use hooks_core::effects::{Note, RunStatus};
use hooks_core::text::strip_unsafe;
use hooks_core::{Continuation, Effect, Halt};

use super::Run;
use super::read::{Answer, spoken};
use crate::events::field::{DECISION, REASON, STOP_REASON};

/// `Stop`: the turn goes on or ends.
pub(super) fn stop(run: &mut Run<'_>, answer: &Answer<'_>) {
    if answer.stops() {
        return halt(run, answer, Stop::Turn);
    }
    match (answer.has(DECISION), spoken(answer.text(REASON))) {
        (true, Some(reason)) => go_on(run, reason.trim()),
        (true, None) => run.misfit("a block needs `reason`"),
        (false, Some(_)) => run.effects.note(Note::field(REASON, "has no effect without `decision`")),
        (false, None) => {}
    }
}

/// `SubagentStop`: the child goes on or ends.
pub(super) fn subagent_stop(run: &mut Run<'_>, answer: &Answer<'_>) {
    if answer.stops() {
        return halt(run, answer, Stop::Subagent);
    }
    match (answer.has(DECISION), spoken(answer.text(REASON))) {
        (true, Some(reason)) => go_on(run, reason.trim()),
        (true, None) => run.misfit("a block needs `reason`"),
        (false, Some(_)) => run.effects.note(Note::field(REASON, "has no effect without `decision`")),
        (false, None) => {}
    }
}

/// Goes on with a text, as a block does. The vendor has no loop limit.
pub(super) fn go_on(run: &mut Run<'_>, text: &str) {
    run.effects.status = RunStatus::Blocked;
    let text = strip_unsafe(text).into_owned();
    run.effects.push(Effect::Continue(Continuation::new(text, run.binding.loop_limit)));
}

fn halt(run: &mut Run<'_>, answer: &Answer<'_>, what: Stop) {
    let reason = answer.text(STOP_REASON).map(str::to_owned);
    run.halt(RunStatus::Stopped, Halt::of(&[what], reason));
}
