//! Effects written as an answer that the client accepts: the inverse of the other modules of this folder.
//!
//! A field goes on the page only where the event's row of the table has it, so that no answer can hold one that the
//! event refuses. A restraint that has no form on an event is said in the next stronger one; where there is none, and
//! for everything that is no restraint, it comes back as a loss.

use std::borrow::Cow;

use hooks_core::adapter::{Answer, Loss, Lost};
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{OnPending, PromptFate, ResultReplacement, Rewrite, Special};
use hooks_core::facts::OutputField;
use hooks_core::json::JsonKind;
use hooks_core::text::strip_unsafe;
use hooks_core::tool::Shell;
use hooks_core::{
    Continuation, Effect, Envelope, Halt, LoopLimit, Payload, RawJson, ToolAction, ToolCall, Verdict, Version,
};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::read::{Printed, own_part, read, spoken};
use crate::events::field::{
    BEHAVIOR, CONTEXT, CONTINUE, DECISION, MESSAGE, NAME, PERMISSION, PERMISSION_REASON, REASON, STOP_REASON,
    SYSTEM_MESSAGE, UPDATED_INPUT,
};
use crate::events::{Event, Kind};
use crate::tools;

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

/// Effects side by side, by what they are.
#[derive(Default)]
struct Wish<'e> {
    verdict: Option<Verdict>,
    /// The reasons of the strongest verdict.
    reasons: Vec<&'e str>,
    notices: Vec<&'e str>,
    contexts: Vec<&'e str>,
    rewrite: Option<&'e Rewrite>,
    results: Vec<&'e ResultReplacement>,
    halt: Option<Halt>,
    continuations: Vec<&'e Continuation>,
    /// Further restraints that have no form of their own here, with their names.
    restraints: Vec<(Lost, String)>,
}

impl<'e> Wish<'e> {
    fn of(effects: &'e [Effect], losses: &mut Vec<Loss>) -> Self {
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
        let Some(merged) = &mut self.halt else {
            self.halt = Some(halt.clone());
            return;
        };
        let reason = match (merged.reason.take(), &halt.reason) {
            (Some(first), Some(second)) => Some(format!("{first}\n{second}")),
            (first, second) => first.or_else(|| second.clone()),
        };
        merged.merge(halt.clone());
        merged.reason = reason;
    }

    /// The reason of a deny that stands for every restraint asked for; `None` when there is none.
    fn deny(&self, losses: &mut Vec<Loss>) -> Option<String> {
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
        restrained.then(|| joined(&said, "\n"))
    }
}

fn words(stops: &[Stop]) -> String {
    stops.iter().map(|stop| stop.as_str()).collect::<Vec<_>>().join(", ")
}

fn joined(texts: &[&str], with: &str) -> String {
    texts.join(with)
}

/// A value of a field.
enum Value<'e> {
    Flag(bool),
    Text(Cow<'e, str>),
    Raw(RawJson),
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Raw(raw) => raw.serialize(serializer),
        }
    }
}

/// An answer while it is written.
struct Page<'e> {
    event: &'static Event,
    values: Vec<(&'static OutputField, Value<'e>)>,
    losses: Vec<Loss>,
}

impl<'e> Page<'e> {
    fn lose(&mut self, of: impl Into<Lost>, what: impl Into<String>, instead: Option<&str>) {
        self.losses.push(Loss::new(of, what, instead));
    }

    fn lose_whole(&mut self, of: impl Into<Lost>, instead: Option<&str>) {
        self.losses.push(Loss::whole(of, instead));
    }

    /// Sets a field, if the event's row has it.
    fn set(&mut self, path: &str, value: Value<'e>) -> bool {
        let fields = self.event.facts.output;
        let field = fields.iter().find(|field| field.path == path && field.feeds().is_some());
        if let Some(field) = field {
            // In the table's order.
            let later =
                |(set, _): &(&'static OutputField, Value<'e>)| std::ptr::from_ref(*set) > std::ptr::from_ref(field);
            let at = self.values.iter().position(later).unwrap_or(self.values.len());
            self.values.insert(at, (field, value));
        }
        field.is_some()
    }

    fn text(&mut self, path: &str, text: impl Into<Cow<'e, str>>) -> bool {
        self.set(path, Value::Text(text.into()))
    }

    fn write(&mut self, wish: &Wish<'e>, envelope: &Envelope) {
        if !wish.notices.is_empty() {
            let text = strip_unsafe(&joined(&wish.notices, "\n")).into_owned();
            if !self.text(SYSTEM_MESSAGE, text) {
                self.lose_whole(Channel::UserNotice, None);
            }
        }
        if !wish.contexts.is_empty() && !self.text(CONTEXT, joined(&wish.contexts, "\n\n")) {
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
            Some(joined(&reasons, "\n"))
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
        let text = strip_unsafe(&joined(&texts, "\n\n")).trim().to_owned();
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

    /// Standard output; nothing to say is silence.
    fn stdout(&self) -> Vec<u8> {
        if self.values.is_empty() {
            return Vec::new();
        }
        let mut stdout = Vec::with_capacity(256);
        // Writing strings, booleans and JSON to memory cannot fail.
        match serde_json::to_writer(&mut stdout, &Level { name: self.event.facts.name, of: "", values: &self.values }) {
            Ok(()) => stdout,
            Err(_) => Vec::new(),
        }
    }
}

/// One object of an answer, in the table's order, where the fields of an object stand together. Objects that hold nothing
/// are left out.
struct Level<'p, 'e> {
    name: &'static str,
    /// The object's path; the root's is empty.
    of: &'p str,
    /// The fields in it and below.
    values: &'p [(&'static OutputField, Value<'e>)],
}

impl Serialize for Level<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(key) = own_part(NAME, self.of).filter(|key| !key.contains('.')) {
            map.serialize_entry(key, self.name)?;
        }
        let mut rest = self.values;
        while let Some(((field, value), behind)) = rest.split_first() {
            let key = own_part(field.path, self.of).unwrap_or(field.path);
            let Some((key, below)) = key.split_once('.') else {
                map.serialize_entry(key, value)?;
                rest = behind;
                continue;
            };
            let of = field.path.get(..field.path.len() - below.len() - 1).unwrap_or_default();
            let inside = rest.iter().take_while(|(field, _)| own_part(field.path, of).is_some()).count();
            let (values, behind) = rest.split_at(inside.max(1));
            map.serialize_entry(key, &Level { name: self.name, of, values })?;
            rest = behind;
        }
        map.end()
    }
}

/// The other input as this vendor's tool takes it. Of the two forms at hand, the hook's own and the one made from the
/// call, the first counts that comes to the same call here.
fn codex_input(rewrite: &Rewrite, envelope: &Envelope, losses: &mut Vec<Loss>) -> Result<RawJson, String> {
    let original = &envelope.payload.tool_use().ok_or("there is no tool call")?.call;
    let wanted = &rewrite.call.as_ref().map_err(|refused| refused.reason.clone())?.call;
    let typed = tools::input(&ToolCall::new(wanted.action.clone())).to_raw();
    let mut why = "the tool would not take it as it is meant".to_owned();
    for input in [rewrite.raw.clone(), typed] {
        if input.kind() == JsonKind::Null {
            // The client takes it for none, and an allow by itself for a failed run.
            why = "Codex takes `null` for no other input".to_owned();
            continue;
        }
        match tools::project(original, &input) {
            Err(refused) => why = refused.reason,
            Ok(projected) => match difference(original, wanted, &projected.call) {
                Difference::None => return Ok(input),
                Difference::Harmless(keys) => {
                    losses.push(Loss::new(Channel::ReplacementInput, format!("{keys} of the other input"), None));
                    return Ok(input);
                }
                Difference::Real(keys) => why = format!("Codex cannot change {keys}"),
            },
        }
    }
    Err(why)
}

enum Difference {
    None,
    /// Words about the call.
    Harmless(String),
    /// What the call does.
    Real(String),
}

/// How the call that the client would make differs from the one that is wanted.
fn difference(original: &ToolCall, wanted: &ToolCall, made: &ToolCall) -> Difference {
    if wanted.action == made.action {
        return Difference::None;
    }
    let (ToolAction::Shell(was), ToolAction::Shell(wanted), ToolAction::Shell(made)) =
        (&original.action, &wanted.action, &made.action)
    else {
        return Difference::Real("this tool's call like that".to_owned());
    };
    if wanted.command != made.command {
        return Difference::Real("the command like that".to_owned());
    }
    let real = changed(&[
        ("the directory", given(wanted.cwd.as_ref(), was.cwd.as_ref())),
        ("whether it runs in the background", given(wanted.background, was.background)),
        ("whether it runs in a sandbox", given(wanted.sandbox, was.sandbox)),
    ]);
    if !real.is_empty() {
        return Difference::Real(real);
    }
    let Shell { timeout_ms, wait_until_completion, uses_pager, .. } = wanted;
    let harmless = changed(&[
        ("the time limit", given(*timeout_ms, was.timeout_ms)),
        ("the waiting", given(*wait_until_completion, was.wait_until_completion)),
        ("the pager", given(*uses_pager, was.uses_pager)),
    ]);
    Difference::Harmless(if harmless.is_empty() { "the description".to_owned() } else { harmless })
}

/// Whether something is asked for that was not so before.
fn given<T: PartialEq>(wanted: Option<T>, was: Option<T>) -> bool {
    wanted.is_some() && wanted != was
}

fn changed(parts: &[(&str, bool)]) -> String {
    parts.iter().filter(|(_, changed)| *changed).map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}
