//! Effects side by side, by what they are: what an answer is to say.

use hooks_core::RawJson;
use hooks_core::adapter::{Loss, Lost};
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{Continuation, Effect, Halt, OnPending, ResultReplacement, Rewrite, Special, Verdict};

/// Effects side by side, by what they are.
#[derive(Default)]
pub(super) struct Wish<'e> {
    pub(super) verdict: Option<Verdict>,
    /// The reasons of the strongest verdict.
    pub(super) reasons: Vec<&'e str>,
    pub(super) notices: Vec<&'e str>,
    pub(super) contexts: Vec<&'e str>,
    pub(super) rewrite: Option<&'e Rewrite>,
    pub(super) result: Option<&'e ResultReplacement>,
    pub(super) halt: Option<Halt>,
    pub(super) continuations: Vec<&'e Continuation>,
    pub(super) updates: Vec<&'e RawJson>,
    pub(super) specials: Vec<&'e Special>,
    pub(super) interrupts: bool,
    /// Further restraints that have no form of their own, with their names.
    pub(super) restraints: Vec<(Lost, String)>,
}

impl<'e> Wish<'e> {
    pub(super) fn of(effects: &'e [Effect], losses: &mut Vec<Loss>) -> Self {
        let mut wish = Self::default();
        for effect in effects {
            match effect {
                Effect::Verdict { verdict, reasons } => wish.verdict(*verdict, reasons),
                Effect::Notice(text) => wish.notices.push(text),
                Effect::Context(text) => wish.contexts.push(text),
                Effect::ReplaceInput(rewrite) => {
                    if wish.rewrite.replace(rewrite).is_some() {
                        losses.push(Loss::new(
                            Channel::ReplacementInput,
                            "an earlier other input",
                            Some("the last one"),
                        ));
                    }
                }
                Effect::ReplaceResult(result) => {
                    if wish.result.replace(result).is_some() {
                        losses.push(Loss::new(
                            Channel::ReplacementResult,
                            "an earlier other result",
                            Some("the last one"),
                        ));
                    }
                }
                Effect::Halt(halt) => wish.halt(halt),
                Effect::Continue(continuation) => wish.continuations.push(continuation),
                Effect::PermissionUpdate(update) => wish.updates.push(update),
                Effect::Unsupported(unsupported) => match unsupported.on_pending {
                    OnPending::Deny => wish.restraints.push((Lost::of(effect), format!("`{}`", unsupported.field))),
                    OnPending::Ignore => {
                        losses.push(Loss::new(Lost::of(effect), format!("`{}`", unsupported.field), None))
                    }
                },
                Effect::Special(Special::Interrupt) => wish.interrupts = true,
                Effect::Special(special) => wish.specials.push(special),
                other => losses.push(Loss::whole(Lost::of(other), None)),
            }
        }
        wish
    }

    fn verdict(&mut self, verdict: Verdict, reasons: &'e [String]) {
        if self.verdict < Some(verdict) {
            self.verdict = Some(verdict);
            self.reasons.clear();
        }
        if self.verdict == Some(verdict) {
            self.reasons.extend(reasons.iter().map(String::as_str));
        }
    }

    fn halt(&mut self, halt: &Halt) {
        match &mut self.halt {
            Some(merged) => merged.merge_with_reasons(halt.clone()),
            none => *none = Some(halt.clone()),
        }
    }

    /// The verdict, if it restrains.
    pub(super) fn restraint(&self) -> Option<Verdict> {
        self.verdict.filter(|verdict| *verdict > Verdict::Allow)
    }
}

pub(super) fn words(stops: &[Stop]) -> String {
    stops.iter().map(|stop| stop.as_str()).collect::<Vec<_>>().join(", ")
}
