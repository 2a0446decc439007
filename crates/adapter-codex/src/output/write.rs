//! Effects written as an answer that the client accepts: the inverse of the other modules of this folder.
//!
//! A field goes on the page only where the event's row of the table has it, so that no answer can hold one that the
//! event refuses. A restraint that has no form on an event is said in the next stronger one; where there is none, and
//! for everything that is no restraint, it comes back as a loss.

mod input;
mod page;
mod wish;

use std::borrow::Cow;

use hooks_core::adapter::{Answer, Loss, Lost};
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{PromptFate, ResultReplacement};
use hooks_core::text::strip_unsafe;
use hooks_core::{Effect, Envelope, Halt, LoopLimit, Payload, Verdict, Version};

use self::input::codex_input;
use self::page::{Page, Value};
use self::wish::{Wish, words};
use super::read::{Printed, read, spoken};
use crate::events::field::{
    BEHAVIOR, CONTEXT, CONTINUE, DECISION, MESSAGE, PERMISSION, PERMISSION_REASON, REASON, STOP_REASON, SYSTEM_MESSAGE,
    UPDATED_INPUT,
};
use crate::events::{Event, Kind};

/// Stands for a reason that was not given: without one the client would take a deny for a failed run.
const NO_REASON: &str = "a hook denied this without giving a reason";

/// Writes effects as the event's answer.
pub(crate) fn write(
    event: &'static Event,
    version: Version,
    envelope: &Envelope,
    effects: &[Effect],
) -> (Answer, Vec<Loss>) {
    let mut page = Page { event, values: Vec::new(), losses: Vec::new() };
    let wish = Wish::of(effects, &mut page.losses);
    page.write(&wish, envelope);
    let stdout = page.stdout();
    if wish.rewrite.is_none() || fits(event, version, &stdout) {
        return (Answer { stdout, ..Answer::default() }, page.losses);
    }
    // The client would drop the whole answer for the input in it, and the original input would run.
    page.values.retain(|(field, _)| !matches!(field.path, PERMISSION | UPDATED_INPUT));
    page.lose(Channel::ReplacementInput, "another input", Some("deny"));
    page.deny("a hook gave this call another input that Codex cannot read".into());
    (Answer { stdout: page.stdout(), ..Answer::default() }, page.losses)
}

/// What is lost of effects for an event that there is none of.
pub(crate) fn all_lost(effects: &[Effect]) -> Vec<Loss> {
    effects.iter().map(|effect| Loss::new(Lost::of(effect), effect.channel().as_str(), None)).collect()
}

fn fits(event: &'static Event, version: Version, stdout: &[u8]) -> bool {
    std::str::from_utf8(stdout).is_ok_and(|text| matches!(read(event, version, text), Printed::Answer(_)))
}

impl<'e> Page<'e> {
    fn write(&mut self, wish: &Wish<'e>, envelope: &Envelope) {
        if !wish.notices.is_empty() {
            let text = strip_unsafe(&wish.notices.join("\n")).into_owned();
            if !self.text(SYSTEM_MESSAGE, text) {
                self.lose_whole(Channel::UserNotice, None);
            }
        }
        if !wish.contexts.is_empty() && !self.text(CONTEXT, wish.contexts.join("\n\n")) {
            self.lose_whole(Channel::ModelContext, None);
        }
        match self.event.kind {
            Kind::PreToolUse => self.pre_tool_use(wish, envelope),
            Kind::PermissionRequest => self.permission_request(wish),
            Kind::PostToolUse => self.post_tool_use(wish),
            Kind::PreCompact | Kind::PostCompact | Kind::SessionStart => self.stoppable(wish),
            Kind::UserPromptSubmit => self.user_prompt_submit(wish),
            Kind::SubagentStop | Kind::Stop => self.stop(wish, envelope),
            Kind::SubagentStart
            | Kind::Interrupt
            | Kind::SessionEnd
            | Kind::PreModelRequest
            | Kind::PostModelRequest => self.no_control(wish),
        }
        if self.event.kind != Kind::PreToolUse && self.event.kind != Kind::PermissionRequest {
            self.no_call(wish);
        }
        if self.event.kind != Kind::PostToolUse && !wish.results.is_empty() {
            self.lose_whole(Channel::ReplacementResult, None);
        }
        if !matches!(self.event.kind, Kind::Stop | Kind::SubagentStop) && !wish.continuations.is_empty() {
            self.lose_whole(Channel::Continuation, None);
        }
    }

    /// What only a pending call could have: an allow and another input.
    fn no_call(&mut self, wish: &Wish<'e>) {
        if wish.verdict == Some(Verdict::Allow) {
            self.lose_whole(Verdict::Allow, None);
        }
        if wish.rewrite.is_some() {
            self.lose_whole(Channel::ReplacementInput, None);
        }
    }

    fn pre_tool_use(&mut self, wish: &Wish<'e>, envelope: &Envelope) {
        let denied = wish.deny(&mut self.losses);
        if let Some(reason) = denied {
            if wish.rewrite.is_some() {
                self.lose_whole(Channel::ReplacementInput, Some("deny"));
            }
            return self.deny(reason);
        }
        let Some(rewrite) = wish.rewrite else {
            if wish.verdict == Some(Verdict::Allow) {
                // An allow by itself is a failed run.
                self.lose_whole(Verdict::Allow, None);
            }
            return;
        };
        match codex_input(rewrite, envelope, &mut self.losses) {
            Ok(input) => {
                if wish.verdict == Some(Verdict::Allow) {
                    self.lose_whole(Verdict::Allow, Some("the other input, which is asked about as usual"));
                }
                self.text(PERMISSION, "allow");
                self.set(UPDATED_INPUT, Value::Raw(input));
            }
            Err(why) => {
                self.lose_whole(Channel::ReplacementInput, Some("deny"));
                self.deny(format!("a hook gave this call another input that cannot be used here: {why}"));
            }
        }
    }

    fn permission_request(&mut self, wish: &Wish<'e>) {
        let mut denied = wish.deny(&mut self.losses);
        if wish.rewrite.is_some() {
            self.lose_whole(Channel::ReplacementInput, Some("deny"));
            denied.get_or_insert_with(|| "a hook gave this call another input, which cannot be done here".to_owned());
        }
        if let Some(reason) = denied {
            return self.deny(reason);
        }
        if wish.verdict == Some(Verdict::Allow) {
            self.text(BEHAVIOR, "allow");
            if !wish.reasons.is_empty() {
                self.lose(Verdict::Allow, "the reasons of an allow", None);
            }
        }
    }

    /// Denies, in the form of the event.
    fn deny(&mut self, reason: String) {
        let reason = match strip_unsafe(&reason).trim() {
            "" => NO_REASON.to_owned(),
            clean if clean.len() == reason.len() => reason,
            clean => clean.to_owned(),
        };
        if self.text(BEHAVIOR, "deny") {
            self.text(MESSAGE, reason);
        } else {
            self.text(PERMISSION, "deny");
            self.text(PERMISSION_REASON, reason);
        }
    }

    fn post_tool_use(&mut self, wish: &Wish<'e>) {
        let mut texts: Vec<Cow<'_, str>> = Vec::new();
        for result in &wish.results {
            texts.push(match result {
                ResultReplacement::Text(text) => Cow::Borrowed(text),
                ResultReplacement::Json(raw) => {
                    self.lose(
                        Channel::ReplacementResult,
                        "a result in the tool's own form",
                        Some("its text as feedback"),
                    );
                    raw.as_str().map_or_else(|| Cow::Owned(raw.get().to_owned()), Cow::Owned)
                }
                _ => {
                    self.lose_whole(Channel::ReplacementResult, None);
                    continue;
                }
            });
        }
        let mut losses = Vec::new();
        if let Some(reason) = wish.deny(&mut losses) {
            let instead = Some("feedback in place of the result");
            if let Some(verdict) = wish.verdict.filter(|verdict| *verdict > Verdict::Allow) {
                self.lose(verdict, "a verdict", instead);
            }
            if wish.halt.is_some() {
                self.lose(Channel::Halt, "a halt", instead);
            }
            for (of, restraint) in &wish.restraints {
                self.lose(of.clone(), restraint.as_str(), instead);
            }
            let reason = if reason.trim().is_empty() { NO_REASON.to_owned() } else { reason };
            texts.push(Cow::Owned(reason));
        }
        if texts.is_empty() {
            return;
        }
        let text = strip_unsafe(&texts.join("\n\n")).into_owned();
        if spoken(Some(&text)).is_some() {
            self.text(DECISION, "block");
            self.text(REASON, text);
        } else {
            // A block needs words; a stop replaces the result by any text, and the turn goes on all the same.
            self.set(CONTINUE, Value::Flag(false));
            self.text(STOP_REASON, text);
        }
    }

    /// The halt that all restraints come to on an event without verdicts.
    fn halt(&mut self, wish: &Wish<'e>) -> Option<Halt> {
        let verdict = wish.verdict.filter(|verdict| *verdict > Verdict::Allow);
        let mut reasons: Vec<&str> = Vec::new();
        if let Some(verdict) = verdict {
            self.lose_whole(verdict, Some("a halt"));
            reasons.extend(&wish.reasons);
        }
        for (of, restraint) in &wish.restraints {
            self.lose(of.clone(), restraint.as_str(), Some("a halt"));
        }
        let own = super::own_halt(self.event, None)?;
        if let Some(halt) = &wish.halt {
            let missing: Vec<Stop> = halt.stops.iter().copied().filter(|stop| !own.stops.contains(stop)).collect();
            let more = own.stops.iter().any(|stop| !halt.stops.contains(stop));
            let says = format!("a halt of the {}", words(&own.stops));
            if !missing.is_empty() || more {
                self.lose(Channel::Halt, format!("a halt of the {}", words(&halt.stops)), Some(&says));
            }
            if halt.prompt == Some(PromptFate::Keep) && own.prompt == Some(PromptFate::Erase) {
                self.lose(Channel::Halt, "the prompt stays in the history", Some("it is erased"));
            }
        }
        if wish.halt.is_none() && verdict.is_none() && wish.restraints.is_empty() {
            return None;
        }
        let own_reason = wish.halt.as_ref().and_then(|halt| halt.reason.as_deref());
        let reason = if reasons.is_empty() {
            own_reason.map(str::to_owned)
        } else {
            reasons.extend(own_reason);
            Some(reasons.join("\n"))
        };
        Some(Halt { reason: reason.map(|reason| strip_unsafe(&reason).into_owned()), ..own })
    }

    fn stoppable(&mut self, wish: &Wish<'e>) {
        if let Some(halt) = self.halt(wish) {
            self.stops(halt.reason);
        }
    }

    fn stops(&mut self, reason: Option<String>) {
        self.set(CONTINUE, Value::Flag(false));
        if let Some(reason) = reason {
            self.text(STOP_REASON, reason);
        }
    }

    fn user_prompt_submit(&mut self, wish: &Wish<'e>) {
        let Some(halt) = self.halt(wish) else { return };
        match halt.reason {
            Some(reason) if spoken(Some(&reason)).is_some() => {
                self.text(DECISION, "block");
                self.text(REASON, reason);
            }
            reason => self.stops(reason),
        }
    }

    fn stop(&mut self, wish: &Wish<'e>, envelope: &Envelope) {
        if let Some(halt) = self.halt(wish) {
            if !wish.continuations.is_empty() {
                self.lose_whole(Channel::Continuation, Some("a halt"));
            }
            return self.stops(halt.reason);
        }
        let rounds = match &envelope.payload {
            Payload::TurnStop(stop) => stop.loop_count,
            Payload::SubagentStop(stop) => stop.loop_count,
            _ => 0,
        };
        let mut texts = Vec::new();
        for continuation in &wish.continuations {
            let own = continuation.loop_limit.and_then(LoopLimit::number);
            let limit = own.into_iter().chain(continuation.vendor_cap).min();
            match limit {
                Some(limit) if rounds >= limit => {
                    self.lose(Channel::Continuation, "a continuation beyond its limit", None);
                    continue;
                }
                // Of earlier rounds the client says only whether there was one.
                Some(limit) => self.lose(Channel::Continuation, format!("the limit of {limit} continuations"), None),
                None => {}
            }
            texts.push(continuation.text.as_str());
        }
        if texts.is_empty() {
            return;
        }
        let text = strip_unsafe(&texts.join("\n\n")).trim().to_owned();
        if text.is_empty() {
            return self.lose(Channel::Continuation, "a continuation without a text", None);
        }
        self.text(DECISION, "block");
        self.text(REASON, text);
    }

    fn no_control(&mut self, wish: &Wish<'e>) {
        if let Some(verdict) = wish.verdict.filter(|verdict| *verdict > Verdict::Allow) {
            self.lose_whole(verdict, None);
        }
        if wish.halt.is_some() {
            self.lose_whole(Channel::Halt, None);
        }
        for (of, restraint) in &wish.restraints {
            self.lose(of.clone(), restraint.as_str(), None);
        }
    }
}
