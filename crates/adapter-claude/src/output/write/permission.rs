//! Permission requests.

use std::borrow::Cow;

use hooks_core::RawJson;
use hooks_core::adapter::Lost;
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{Special, Verdict};
use hooks_core::text::strip_unsafe;

use super::page::{Fields, Page, Value};
use super::wish::{Wish, words};
use crate::output::verdict::check_update;

impl<'e> Page<'e> {
    /// A permission request: the nested decision alone answers it.
    pub(super) fn permission(&mut self, wish: &Wish<'e>) {
        let mut reasons: Vec<Cow<'e, str>> = Vec::new();
        let mut denies = false;
        if let Some(verdict) = wish.restraint() {
            denies = true;
            reasons.extend(wish.reasons.iter().map(|reason| Cow::Borrowed(*reason)));
            if verdict != Verdict::Deny {
                self.lose_whole(verdict, Some("deny"));
            }
        }
        for (of, restraint) in &wish.restraints {
            denies = true;
            self.lose(of.clone(), restraint.as_str(), Some("deny"));
        }
        let mut interrupts = wish.interrupts;
        if interrupts && !denies {
            self.lose(Lost::Special(Special::Interrupt.kind()), "an interruption", Some("deny"));
        }
        if let Some(halt) = &wish.halt {
            let ends = halt.stops.iter().any(|stop| *stop != Stop::Action);
            if !(ends && interrupts) || halt.stops != [Stop::Turn] {
                let instead = if ends { "deny and an interruption" } else { "deny" };
                self.lose(Channel::Halt, format!("a halt of the {}", words(&halt.stops)), Some(instead));
            }
            interrupts |= ends;
            let reason = halt.reason.clone().filter(|reason| !reasons.iter().any(|said| *said == *reason));
            reasons.extend(reason.map(Cow::Owned));
        }
        denies |= interrupts || wish.halt.is_some();
        let mut input = None;
        match wish.rewrite {
            Some(_) if denies => self.lose_whole(Channel::ReplacementInput, Some("deny")),
            Some(rewrite) => {
                let written = match wish.verdict {
                    Some(Verdict::Allow) => self.input(rewrite),
                    // Only an allow can carry another input, and nobody allowed.
                    _ => Err("a hook gave this call another input, which needs a permission here".to_owned()),
                };
                match written {
                    Ok(raw) => input = Some(raw),
                    Err(why) => {
                        self.lose_whole(Channel::ReplacementInput, Some("deny"));
                        denies = true;
                        reasons.push(Cow::Owned(why));
                    }
                }
            }
            None => {}
        }
        let mut decision: Fields<'e> = Vec::new();
        if denies {
            decision.push(("behavior", Value::Text("deny".into())));
            let reason = strip_unsafe(&reasons.join("\n")).trim().to_owned();
            if !reason.is_empty() {
                decision.push(("message", Value::Text(reason.into())));
            }
            if interrupts {
                decision.push(("interrupt", Value::Flag(true)));
            }
        } else if wish.verdict == Some(Verdict::Allow) {
            decision.push(("behavior", Value::Text("allow".into())));
            if !wish.reasons.is_empty() {
                self.lose(Verdict::Allow, "the reasons of an allow", None);
            }
            if let Some(input) = input {
                decision.push(("updatedInput", Value::Raw(input)));
            }
        }
        self.updates(wish, &mut decision, denies);
        if !decision.is_empty() {
            self.nested("decision", Value::Fields(decision));
        }
        self.contexts(wish);
        self.lose_all(wish, &[Channel::Continuation, Channel::ReplacementResult]);
    }

    /// Changes of permission rules. One that the client does not know would void the whole answer.
    fn updates(&mut self, wish: &Wish<'e>, decision: &mut Fields<'e>, denies: bool) {
        let allows = !denies && wish.verdict == Some(Verdict::Allow);
        let mut fit = Vec::new();
        for update in &wish.updates {
            if allows && check_update(update.as_raw()).is_ok() {
                fit.push(*update);
            } else {
                self.lose_whole(Channel::PermissionUpdate, None);
            }
        }
        if let (false, Ok(raw)) = (fit.is_empty(), RawJson::of(&fit)) {
            decision.push(("updatedPermissions", Value::Raw(raw)));
        }
    }
}
