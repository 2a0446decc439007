//! Effects side by side, by what they are: what an answer is to say.

use hooks_core::adapter::{Loss, Lost};
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{OnPending, ResultReplacement, Rewrite, Special};
use hooks_core::{Continuation, Effect, Halt, Verdict};

/// Effects side by side, by what they are.
#[derive(Default)]
pub(super) struct Wish<'e> {
    pub(super) verdict: Option<Verdict>,
    /// The reasons of the strongest verdict.
    pub(super) reasons: Vec<&'e str>,
    pub(super) notices: Vec<&'e str>,
    pub(super) contexts: Vec<&'e str>,
    pub(super) rewrite: Option<&'e Rewrite>,
    pub(super) results: Vec<&'e ResultReplacement>,
    pub(super) halt: Option<Halt>,
    pub(super) continuations: Vec<&'e Continuation>,
    /// Further restraints that have no form of their own here, with their names.
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
                Effect::ReplaceResult(result) => wish.results.push(result),
                Effect::Halt(halt) => wish.halt(halt),
                Effect::Continue(continuation) => wish.continuations.push(continuation),
                Effect::Unsupported(unsupported) => match unsupported.on_pending {
                    OnPending::Deny => wish.restraints.push((Lost::of(effect), format!("`{}`", unsupported.field))),
                    OnPending::Ignore => {
                        losses.push(Loss::new(Lost::of(effect), format!("`{}`", unsupported.field), None))
                    }
                },
                Effect::Special(Special::Interrupt) => {
                    wish.restraints.push((Lost::of(effect), "an interruption".to_owned()))
                }
                other => losses.push(Loss::whole(Lost::of(other), None)),
            }
        }
        for effect in effects {
            if let Effect::Verdict { verdict, reasons } = effect
                && Some(*verdict) < wish.verdict
                && !reasons.is_empty()
            {
                losses.push(Loss::new(*verdict, format!("the reasons of a weaker {}", verdict.as_str()), None));
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

    /// The reason of a deny that stands for every restraint asked for; `None` when there is none.
    pub(super) fn deny(&self, losses: &mut Vec<Loss>) -> Option<String> {
        let mut said: Vec<&str> = Vec::new();
        let mut restrained = false;
        if let Some(verdict) = self.verdict.filter(|verdict| *verdict > Verdict::Allow) {
            restrained = true;
            said.extend(&self.reasons);
            if verdict != Verdict::Deny {
                losses.push(Loss::whole(verdict, Some("deny")));
            }
        }
        if let Some(halt) = &self.halt {
            restrained = true;
            said.extend(halt.reason.as_deref());
            if halt.stops.iter().any(|stop| *stop != Stop::Action) {
                losses.push(Loss::new(Channel::Halt, format!("a halt of the {}", words(&halt.stops)), Some("deny")));
            }
        }
        for (of, restraint) in &self.restraints {
            restrained = true;
            losses.push(Loss::new(of.clone(), restraint.as_str(), Some("deny")));
        }
        restrained.then(|| said.join("\n"))
    }
}

pub(super) fn words(stops: &[Stop]) -> String {
    stops.iter().map(|stop| stop.as_str()).collect::<Vec<_>>().join(", ")
}
