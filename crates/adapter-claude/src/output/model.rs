//! The answers of prompt and agent handlers: `{"ok": ..., "reason": ..., "impossible": ...}` (hooks page,
//! prompt hooks; cases `type-prompt-*`).

use hooks_core::effects::{Effect, Failure, Halt, Note, RunStatus, When};
use hooks_core::handler::Handler;
use hooks_core::json::RawObject;
use hooks_core::text::clean_message;

use super::answer::text;
use super::{Reader, stdout};
use crate::events::{Block, NO_REASON, PROMPT_DENY_ENDS_TURN, Refusal};

impl Reader<'_> {
    /// A model's answer. One that cannot be read is a failure.
    pub(super) fn model(&mut self, answer: &str) {
        let unreadable = || Failure::Malformed("the model's answer is no { \"ok\": ... }".to_owned());
        let Ok(answer) = RawObject::parse(stdout::trim(answer)) else { return self.fail(unreadable()) };
        let ok = match answer.get("ok").map(serde_json::value::RawValue::get) {
            Some("true") => true,
            Some("false") => false,
            _ => return self.fail(unreadable()),
        };
        if ok {
            return;
        }
        let reason = text(&answer, "reason").map(|reason| clean_message(&reason).into_owned());
        let reason = reason.filter(|reason| !reason.is_empty()).unwrap_or_else(|| NO_REASON.to_owned());
        let (goes_on, agent) = match &self.binding.handler {
            Handler::Prompt(prompt) => (prompt.continue_on_block, false),
            _ => (true, true),
        };
        let impossible = !agent && answer.get("impossible").is_some_and(|raw| raw.get() == "true");
        if impossible && self.event.block == Block::Continue {
            self.out.note(Note::field("impossible", "the turn may end"));
            return;
        }
        match self.event.refusal {
            Refusal::Blocks => self.block(reason),
            Refusal::DeniesAndEnds => {
                self.block(reason.clone());
                if !goes_on && PROMPT_DENY_ENDS_TURN.at(self.version) == Some(true) {
                    self.halt(&[hooks_core::boundary::Stop::Turn], reason);
                }
            }
            Refusal::EndsOrBlocks(_) if goes_on => self.block(reason),
            Refusal::EndsOrBlocks(stops) | Refusal::Ends(stops) => self.halt(stops, reason),
            Refusal::Nothing => self.out.note(Note::field("ok", "a refusal has no meaning on this event")),
        }
    }

    fn halt(&mut self, stops: &[hooks_core::boundary::Stop], reason: String) {
        let mut halt = Halt::of(stops, Some(reason));
        halt.when = self.envelope.boundary().is_pending().then_some(When::After);
        self.out.push(Effect::Halt(halt));
        self.out.status = RunStatus::Stopped;
    }
}
