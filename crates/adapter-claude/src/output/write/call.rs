//! Guards of calls, and the switch of a model.

use std::borrow::Cow;

use hooks_core::adapter::Lost;
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{Special, Verdict, When};
use hooks_core::facts::{AskRule, FieldKind};
use hooks_core::text::strip_unsafe;

use super::page::{Page, Value};
use super::wish::{Wish, words};
use crate::events::STOP_BESIDE_DENY;

impl<'e> Page<'e> {
    /// Guards of calls, and the switch of a model: a nested decision.
    pub(super) fn call(&mut self, wish: &Wish<'e>) {
        let mut verdict = wish.verdict;
        let mut reasons: Vec<Cow<'e, str>> = wish.reasons.iter().map(|reason| Cow::Borrowed(*reason)).collect();
        let knows = |word: &str| {
            self.event.facts.output.iter().any(|field| {
                field.path.ends_with(".permissionDecision")
                    && matches!(field.kind, FieldKind::Word(words) if words.contains(&word))
            })
        };
        let asks_deny = self.event.facts.ask == AskRule::Deny;
        if let Some(said) = wish.restraint().filter(|said| *said != Verdict::Deny)
            && (asks_deny || !knows(said.as_str()))
        {
            self.lose_whole(said, Some("deny"));
            verdict = Some(Verdict::Deny);
        }
        let mut deny = |page: &mut Self, of: Lost, what: String, why: Option<Cow<'e, str>>| {
            page.lose(of, what, Some("deny"));
            if verdict != Some(Verdict::Deny) {
                reasons.clear();
            }
            verdict = Some(Verdict::Deny);
            reasons.extend(why);
        };
        for (of, restraint) in &wish.restraints {
            deny(self, of.clone(), restraint.clone(), None);
        }
        if wish.interrupts {
            deny(self, Lost::Special(Special::Interrupt.kind()), "an interruption".to_owned(), None);
        }
        if let Some(halt) = &wish.halt {
            let own = self.stops();
            let ends = halt.stops.iter().any(|stop| own.contains(stop));
            if halt.stops_action() || halt.when == Some(When::Before) {
                let what = format!("a halt of the {} before the call", words(&halt.stops));
                deny(self, Channel::Halt.into(), what, halt.reason.clone().map(Cow::Owned));
            } else if halt.stops.contains(&Stop::Action) {
                // Nothing is left to stop of a call that has run.
                self.lose(Channel::Halt, "a halt of the action after it ran", None);
            }
            let beyond: Vec<Stop> =
                halt.stops.iter().copied().filter(|stop| *stop != Stop::Action && !own.contains(stop)).collect();
            if !beyond.is_empty() {
                let what = format!("a halt of the {}", words(&beyond));
                if own.is_empty() {
                    deny(self, Channel::Halt.into(), what, halt.reason.clone().map(Cow::Owned));
                } else {
                    self.lose(Channel::Halt, what, Some("the end of the turn"));
                }
            }
            if ends || (!beyond.is_empty() && !own.is_empty()) {
                self.stop(halt.reason.clone());
            }
        }
        let mut input = None;
        if let Some(rewrite) = wish.rewrite {
            if verdict == Some(Verdict::Deny) {
                self.lose_whole(Channel::ReplacementInput, Some("deny"));
            } else if verdict == Some(Verdict::Defer) && rewrite.call.is_ok() {
                self.lose_whole(Channel::ReplacementInput, Some("defer"));
            } else {
                match self.input(rewrite) {
                    Ok(raw) => input = Some(raw),
                    Err(why) => {
                        self.lose_whole(Channel::ReplacementInput, Some("deny"));
                        verdict = Some(Verdict::Deny);
                        reasons = vec![Cow::Owned(why)];
                    }
                }
            }
        }
        if verdict == Some(Verdict::Deny) && STOP_BESIDE_DENY.at(self.version) == Some(false) {
            self.take_stop_back();
        }
        if let Some(verdict) = verdict {
            self.nested("permissionDecision", Value::Text(Cow::Borrowed(verdict.as_str())));
            let reason = strip_unsafe(&reasons.join("\n")).into_owned();
            if !reason.trim().is_empty() {
                self.nested("permissionDecisionReason", Value::Text(reason.into()));
            }
        }
        if let Some(input) = input {
            self.nested("updatedInput", Value::Raw(input));
        }
        if verdict == Some(Verdict::Defer) && !wish.contexts.is_empty() {
            self.lose_whole(Channel::ModelContext, None);
        } else {
            self.contexts(wish);
        }
        self.lose_all(wish, &[Channel::Continuation, Channel::ReplacementResult, Channel::PermissionUpdate]);
    }
}
