//! Answers of `UserPromptSubmit` (section 11.3).

use hooks_core::Halt;
use hooks_core::boundary::Stop;
use hooks_core::effects::{Note, PromptFate, RunStatus};

use super::Run;
use super::read::{Answer, spoken};
use crate::events::field::{DECISION, REASON, STOP_REASON};

/// Refuses the prompt, or stops; context is kept either way, unless the block is one without a reason.
pub(super) fn user_prompt_submit(run: &mut Run<'_>, answer: &Answer<'_>) {
    let blocks = answer.has(DECISION);
    let reason = spoken(answer.text(REASON));
    let invalid = blocks && reason.is_none();
    if !invalid {
        run.context(answer);
    }
    if answer.stops() {
        return run.halt(RunStatus::Stopped, halt(answer.text(STOP_REASON).map(str::to_owned)));
    }
    match (blocks, reason) {
        (true, Some(reason)) => refuse(run, reason),
        (true, None) => run.misfit("a block needs `reason`"),
        (false, Some(_)) => run.effects.note(Note::field(REASON, "has no effect without `decision`")),
        (false, None) => {}
    }
}

/// Refuses the prompt: it is not sent and not recorded.
pub(super) fn refuse(run: &mut Run<'_>, reason: &str) {
    run.halt(RunStatus::Blocked, halt(Some(reason.to_owned())));
}

/// A prompt that is neither sent nor recorded (section 11.5).
pub(super) fn halt(reason: Option<String>) -> Halt {
    Halt { prompt: Some(PromptFate::Erase), ..Halt::of(&[Stop::Prompt], reason) }
}
