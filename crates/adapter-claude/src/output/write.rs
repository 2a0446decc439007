//! Effects written as an answer that the client accepts: the inverse of the other modules of this folder.
//!
//! A field is set only where the event's row of the table has it, so that no answer holds one that the client would
//! refuse. A restraint without a form of its own on an event is said in the next stronger one; where there is none, and
//! for everything that is no restraint, it comes back as a loss.

use std::borrow::Cow;

use hooks_core::adapter::{Answer, Loss, Lost};
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{
    Continuation, Effect, Halt, OnPending, PromptFate, ResultReplacement, Rewrite, Special, Verdict, When,
};
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::facts::{AskRule, FieldKind, PlainStdout};
use hooks_core::json::{RawJson, RawObject};
use hooks_core::text::strip_unsafe;
use hooks_core::tool::{ToolAction, ToolCall};
use hooks_core::vendor::Version;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::fields::is_terminal_sequence;
use super::stdout::{self, Text};
use super::verdict::check_update;
use crate::events::{
    Block, CLASSIFIER_CONTEXT, Event, NESTED, NO_REASON, NoticeRule, OnFailure, STOP_BESIDE_DENY, StopRule,
};
use crate::tools;

/// Writes effects as the event's answer.
pub(crate) fn write(
    event: &'static Event,
    version: Version,
    envelope: &Envelope,
    effects: &[Effect],
) -> (Answer, Vec<Loss>) {
    let mut page = Page {
        event,
        version,
        envelope,
        top: Vec::new(),
        nested: Vec::new(),
        plain: None,
        exit_2: None,
        losses: Vec::new(),
    };
    let wish = Wish::of(effects, &mut page.losses);
    page.write(&wish);
    page.finish()
}

/// What is lost of effects for an event that there is none of.
pub(crate) fn all_lost(effects: &[Effect]) -> Vec<Loss> {
    effects.iter().map(|effect| Loss::new(Lost::of(effect), effect.channel().as_str(), None)).collect()
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
    result: Option<&'e ResultReplacement>,
    halt: Option<Halt>,
    continuations: Vec<&'e Continuation>,
    updates: Vec<&'e RawJson>,
    specials: Vec<&'e Special>,
    interrupts: bool,
    /// Further restraints that have no form of their own, with their names.
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

    /// The verdict, if it restrains.
    fn restraint(&self) -> Option<Verdict> {
        self.verdict.filter(|verdict| *verdict > Verdict::Allow)
    }
}

fn words(stops: &[Stop]) -> String {
    stops.iter().map(|stop| stop.as_str()).collect::<Vec<_>>().join(", ")
}

/// A value of a field.
enum Value<'e> {
    Flag(bool),
    Text(Cow<'e, str>),
    Texts(&'e [String]),
    Raw(RawJson),
    Fields(Fields<'e>),
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Texts(texts) => texts.serialize(serializer),
            Self::Raw(raw) => raw.serialize(serializer),
            Self::Fields(fields) => Members(fields).serialize(serializer),
        }
    }
}

type Fields<'e> = Vec<(&'static str, Value<'e>)>;

/// Fields as the members of an object, in their order.
struct Members<'f, 'e>(&'f Fields<'e>);

impl Serialize for Members<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// An answer while it is written.
struct Page<'e> {
    event: &'static Event,
    version: Version,
    envelope: &'e Envelope,
    top: Fields<'e>,
    nested: Fields<'e>,
    /// Text that is no JSON, where the event has a use for it.
    plain: Option<&'e str>,
    /// The text of a refusal by exit code 2, on events that read no JSON.
    exit_2: Option<String>,
    losses: Vec<Loss>,
}

impl<'e> Page<'e> {
    fn lose(&mut self, of: impl Into<Lost>, what: impl Into<String>, instead: Option<&str>) {
        self.losses.push(Loss::new(of, what, instead));
    }

    fn lose_whole(&mut self, of: impl Into<Lost>, instead: Option<&str>) {
        self.losses.push(Loss::whole(of, instead));
    }

    fn top(&mut self, key: &'static str, value: Value<'e>) {
        self.top.push((key, value));
    }

    /// Sets a nested field, if the event's row has it and it means something there.
    fn nested(&mut self, key: &'static str, value: Value<'e>) -> bool {
        let has = self.has(key);
        if has {
            self.nested.push((key, value));
        }
        has
    }

    fn has(&self, key: &str) -> bool {
        let mut output = self.event.facts.output.iter();
        output.any(|field| super::answer::key_below(field.path, NESTED) == Some(key) && field.feeds().is_some())
    }

    fn finish(mut self) -> (Answer, Vec<Loss>) {
        if let Some(text) = self.exit_2 {
            let answer = Answer { stdout: Vec::new(), stderr: text.into_bytes(), exit_code: 2 };
            return (answer, self.losses);
        }
        if !self.nested.is_empty() {
            self.nested.insert(0, ("hookEventName", Value::Text(Cow::Borrowed(self.event.facts.name))));
            let nested = std::mem::take(&mut self.nested);
            self.top.push((NESTED, Value::Fields(nested)));
        }
        let mut stdout = Vec::new();
        match self.plain {
            Some(text) if self.top.is_empty() => stdout.extend_from_slice(text.as_bytes()),
            plain => {
                if plain.is_some() {
                    self.losses.push(Loss::whole(Channel::ModelContext, None));
                }
                if !self.top.is_empty() && serde_json::to_writer(&mut stdout, &Members(&self.top)).is_err() {
                    // No field here lacks a JSON form; were it so, the refusal must not be lost with it.
                    let answer = Answer { stdout: Vec::new(), stderr: NO_REASON.into(), exit_code: 2 };
                    return (answer, self.losses);
                }
            }
        }
        (Answer { stdout, ..Answer::default() }, self.losses)
    }

    fn write(&mut self, wish: &Wish<'e>) {
        if super::verdict::is_for(self.event) {
            self.call(wish);
        } else if self.event.on_failure == OnFailure::Denies {
            self.permission(wish);
        } else {
            self.others(wish);
        }
        self.notices(wish);
        for special in &wish.specials {
            self.special(special);
        }
    }

    /// Texts for the person; one event gives them to the model.
    fn notices(&mut self, wish: &Wish<'e>) {
        if wish.notices.is_empty() {
            return;
        }
        if self.event.notice == NoticeRule::User {
            let text = strip_unsafe(&wish.notices.join("\n")).into_owned();
            self.top("systemMessage", Value::Text(text.into()));
        } else {
            self.lose_whole(Channel::UserNotice, None);
        }
    }

    /// Text for the model, where a field or plain text has a place for it.
    fn contexts(&mut self, wish: &Wish<'e>) {
        if wish.contexts.is_empty() {
            return;
        }
        let text = match wish.contexts.as_slice() {
            [one] => Cow::Borrowed(*one),
            several => Cow::Owned(several.join("\n")),
        };
        if self.has("additionalContext") {
            self.nested("additionalContext", Value::Text(text));
            return;
        }
        let typed = matches!(&self.envelope.payload, Payload::DirectoryAdded(added) if added.source == "slash_command");
        if self.event.notice == NoticeRule::Model && typed {
            self.top("systemMessage", Value::Text(text));
            return;
        }
        match wish.contexts.as_slice() {
            [one] if self.event.facts.plain_stdout == PlainStdout::Context && self.is_plain(one) => {
                self.plain = Some(one);
            }
            _ => self.lose_whole(Channel::ModelContext, None),
        }
    }

    fn is_plain(&self, text: &str) -> bool {
        matches!(stdout::classify(text, self.version), Text::Plain(read) if read == text) && !stdout::detaches(text)
    }

    /// A halt of the turn in the form that every event has that can be stopped.
    fn stop(&mut self, reason: Option<String>) {
        self.top("continue", Value::Flag(false));
        if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
            self.top("stopReason", Value::Text(reason.into()));
        }
    }

    /// Takes back a stop, where the client does not look at one beside a deny.
    fn take_stop_back(&mut self) {
        let fields = self.top.len();
        self.top.retain(|(key, _)| !matches!(*key, "continue" | "stopReason"));
        if self.top.len() < fields {
            self.lose(Channel::Halt, "a halt of the turn", Some("deny"));
        }
    }

    /// What `continue: false` stops here.
    const fn stops(&self) -> &'static [Stop] {
        match self.event.stop {
            StopRule::Stops(stops) => stops,
            StopRule::NoEffect => &[],
        }
    }

    /// Guards of calls, and the switch of a model: a nested decision.
    fn call(&mut self, wish: &Wish<'e>) {
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

    /// A rewritten input in the client's shape, for the tool that is called.
    fn input(&self, rewrite: &Rewrite) -> Result<RawJson, String> {
        let refused = |why: &str| format!("a hook gave this call another input that cannot be used: {why}");
        let Some(tool) = self.envelope.payload.tool_use() else { return Err(refused("there is no call")) };
        if !self.has("updatedInput") && self.event.on_failure != OnFailure::Denies {
            return Err(refused("the input of this call cannot be changed"));
        }
        let projected = rewrite.call.as_ref().map_err(|error| refused(&error.reason))?;
        match tools::project(&tool.call, &rewrite.raw) {
            Ok(read) if same(&read.call, &projected.call) => return Ok(rewrite.raw.clone()),
            _ => {}
        }
        if tools::name(&tool.call) != tools::name(&projected.call) {
            return Err(refused("it is for another tool"));
        }
        let written = ToolCall { raw: None, ..projected.call.clone() };
        let raw = RawJson::of(&tools::input(&written)).map_err(|error| refused(&error.to_string()))?;
        match tools::project(&tool.call, &raw) {
            Ok(read) if does(&read.call, &projected.call, &self.envelope.common.cwd) => Ok(raw),
            Ok(_) => Err(refused("the tool has no place for all of it")),
            Err(error) => Err(refused(&error.reason)),
        }
    }

    /// A permission request: the nested decision alone answers it.
    fn permission(&mut self, wish: &Wish<'e>) {
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

    /// Events without a nested decision: a top-level one, a stop, an exit code, or nothing.
    fn others(&mut self, wish: &Wish<'e>) {
        let mut halt = wish.halt.clone();
        let mut block: Option<String> = None;
        // Restraints that are no halt.
        let mut reasons: Vec<&str> = Vec::new();
        let mut restrained = false;
        if let Some(verdict) = wish.restraint() {
            restrained = true;
            reasons.extend(&wish.reasons);
            if !(self.event.block == Block::Deny && verdict == Verdict::Deny) {
                self.lose_whole(verdict, self.strongest());
            }
        } else if wish.verdict == Some(Verdict::Allow) {
            self.lose_whole(Verdict::Allow, None);
        }
        for (of, restraint) in &wish.restraints {
            restrained = true;
            self.lose(of.clone(), restraint.as_str(), self.strongest());
        }
        if wish.interrupts {
            restrained = true;
            self.lose(Lost::Special(Special::Interrupt.kind()), "an interruption", self.strongest());
        }
        let said = reasons.join("\n");
        match self.event.block {
            Block::Deny => {
                if let Some(halt) = halt.take() {
                    self.lose(Channel::Halt, format!("a halt of the {}", words(&halt.stops)), Some("a refusal"));
                    restrained = true;
                    block = halt.reason.filter(|_| reasons.is_empty());
                }
                if restrained {
                    block = block.or(Some(said));
                }
            }
            Block::Halt(stops, fate) => {
                if restrained {
                    let mut own = Halt::of(stops, Some(said).filter(|said| !said.is_empty()));
                    own.prompt = fate;
                    halt = Some(match halt.take() {
                        None => own,
                        Some(mut both) => {
                            both.stops.extend(stops);
                            both.prompt = fate;
                            both.reason = both.reason.or(own.reason);
                            both
                        }
                    });
                }
                if let Some(halt) = halt.take() {
                    self.lose_beyond(&halt, stops);
                    let keeps = halt.prompt == Some(PromptFate::Keep) || fate.is_none();
                    if keeps && self.stops() == stops {
                        self.stop(halt.reason);
                    } else {
                        block = Some(halt.reason.unwrap_or_default());
                    }
                }
            }
            Block::Continue => {
                if let Some(halt) = &halt {
                    self.lose_beyond(halt, self.stops());
                }
                if halt.is_some() || restrained {
                    let reason = halt.take().and_then(|halt| halt.reason);
                    self.stop(reason.or_else(|| Some(said).filter(|said| !said.is_empty())));
                }
                let texts: Vec<&str> = wish.continuations.iter().map(|one| one.text.as_str()).collect();
                if !texts.is_empty() {
                    block = Some(texts.join("\n\n"));
                    if wish.continuations.iter().any(|one| one.loop_limit.is_some()) {
                        self.lose(Channel::Continuation, "a limit of one hook's continuations", None);
                    }
                }
            }
            Block::Feedback => {
                let stops = self.stops();
                if let Some(halt) = halt.take() {
                    if stops.is_empty() {
                        self.lose(Channel::Halt, format!("a halt of the {}", words(&halt.stops)), Some("feedback"));
                        block = Some(halt.reason.unwrap_or_default());
                    } else {
                        self.lose_beyond(&halt, stops);
                        self.stop(halt.reason);
                    }
                }
                if restrained {
                    block = Some(said);
                }
            }
            Block::Nothing => {
                if let Some(halt) = halt.take() {
                    self.lose(Channel::Halt, format!("a halt of the {}", words(&halt.stops)), None);
                }
            }
        }
        if self.event.block != Block::Continue && !wish.continuations.is_empty() {
            self.lose_whole(Channel::Continuation, None);
        }
        let blocks = block.is_some();
        let stops = self.top.iter().any(|(key, _)| *key == "continue");
        if let Some(reason) = block {
            let reason = strip_unsafe(&reason).into_owned();
            if self.event.facts.malformed == hooks_core::facts::FailureRule::Block {
                self.exit_2 = Some(if reason.trim().is_empty() { NO_REASON.to_owned() } else { reason });
            } else {
                self.top("decision", Value::Text("block".into()));
                if !reason.trim().is_empty() {
                    self.top("reason", Value::Text(reason.into()));
                }
            }
        }
        if self.event.block == Block::Continue && !blocks && !stops && !wish.contexts.is_empty() {
            // By itself it would make the turn go on.
            self.lose_whole(Channel::ModelContext, None);
        } else {
            self.contexts(wish);
        }
        self.result(wish);
        self.lose_all(wish, &[Channel::ReplacementInput, Channel::PermissionUpdate]);
    }

    /// The strongest thing this event has in place of a verdict.
    const fn strongest(&self) -> Option<&'static str> {
        match self.event.block {
            Block::Deny => Some("a refusal"),
            Block::Halt(..) | Block::Continue => Some("a halt"),
            Block::Feedback => Some("feedback"),
            Block::Nothing => None,
        }
    }

    fn lose_beyond(&mut self, halt: &Halt, own: &[Stop]) {
        let same = halt.stops.iter().all(|stop| own.contains(stop));
        if !same {
            let instead = format!("a halt of the {}", words(own));
            self.lose(Channel::Halt, format!("a halt of the {}", words(&halt.stops)), Some(&instead));
        }
    }

    /// Another result. One that does not fit the tool would be ignored: the text goes beside the result instead.
    fn result(&mut self, wish: &Wish<'e>) {
        let Some(result) = wish.result else { return };
        let tool = self.envelope.payload.tool_use().filter(|_| self.has("updatedToolOutput"));
        let Some(tool) = tool else { return self.lose_whole(Channel::ReplacementResult, None) };
        let raw = match result {
            ResultReplacement::Json(raw) => Some(raw.clone()),
            ResultReplacement::Text(text) => text_result(&tool.call, text),
            _ => None,
        };
        match raw.filter(|raw| tools::fits_output(&tool.call, raw).is_ok()) {
            Some(raw) => {
                self.nested("updatedToolOutput", Value::Raw(raw));
            }
            None => {
                let text = match result {
                    ResultReplacement::Text(text) => text.clone(),
                    ResultReplacement::Json(raw) => raw.as_str().unwrap_or_else(|| raw.get().to_owned()),
                    _ => String::new(),
                };
                if text.trim().is_empty() || self.top.iter().any(|(key, _)| *key == "decision") {
                    return self.lose_whole(Channel::ReplacementResult, None);
                }
                self.lose_whole(Channel::ReplacementResult, Some("its text beside the result"));
                self.top("decision", Value::Text("block".into()));
                self.top("reason", Value::Text(strip_unsafe(&text).into_owned().into()));
            }
        }
    }

    fn special(&mut self, special: &'e Special) {
        let done = match special {
            Special::ElicitationAnswer { action, content } => self.elicitation(action, content.as_ref()),
            Special::WorktreePath(path) => self.worktree(path),
            Special::DisplayText(text) => self.nested("displayContent", Value::Text(text.into())),
            Special::SessionTitle(title) => self.nested("sessionTitle", Value::Text(title.into())),
            Special::WatchPaths(paths) => self.nested("watchPaths", Value::Texts(paths)),
            Special::InitialUserMessage(text) => self.nested("initialUserMessage", Value::Text(text.into())),
            Special::ReloadSkills => self.nested("reloadSkills", Value::Flag(true)),
            Special::SuppressOriginalPrompt => self.nested("suppressOriginalPrompt", Value::Flag(true)),
            Special::RetryHint => self.nested("retry", Value::Flag(true)),
            Special::ClassifierContext(text) if CLASSIFIER_CONTEXT.at(self.version) == Some(true) => {
                self.nested("classifierContext", Value::Text(text.into()))
            }
            Special::TerminalSequence(text) if is_terminal_sequence(text) && !self.reads_no_json() => {
                self.top("terminalSequence", Value::Text(text.into()));
                true
            }
            Special::CompactionInstructions(text)
                if matches!(self.envelope.payload, Payload::CompactBefore(_))
                    && self.plain.is_none()
                    && self.is_plain(text) =>
            {
                self.plain = Some(text);
                true
            }
            _ => false,
        };
        if !done {
            self.lose_whole(Lost::Special(special.kind()), None);
        }
    }

    fn reads_no_json(&self) -> bool {
        self.event.facts.malformed == hooks_core::facts::FailureRule::Block
    }

    fn elicitation(&mut self, action: &'e str, content: Option<&RawJson>) -> bool {
        if !matches!(action, "accept" | "decline" | "cancel") || !self.nested("action", Value::Text(action.into())) {
            return false;
        }
        if let Some(content) = content.filter(|raw| action == "accept" && RawObject::parse(raw.get()).is_ok()) {
            self.nested("content", Value::Raw(content.clone()));
        }
        true
    }

    /// A command says the path as its last line; a refusal beside it outranks it.
    fn worktree(&mut self, path: &'e str) -> bool {
        let fits = !path.trim().is_empty() && path.trim() == path && !path.contains(['\n', '\r', '\u{1b}']);
        if self.event.facts.plain_stdout != PlainStdout::Special || !fits || self.exit_2.is_some() {
            return false;
        }
        self.plain = Some(path);
        true
    }

    /// Reports what is asked for on a channel that the event has not.
    fn lose_all(&mut self, wish: &Wish<'e>, channels: &[Channel]) {
        for channel in channels {
            let asked = match channel {
                Channel::Continuation => !wish.continuations.is_empty(),
                Channel::ReplacementResult => wish.result.is_some(),
                Channel::ReplacementInput => wish.rewrite.is_some(),
                Channel::PermissionUpdate => !wish.updates.is_empty(),
                _ => false,
            };
            if asked {
                self.lose_whole(*channel, None);
            }
        }
    }
}

fn same(one: &ToolCall, other: &ToolCall) -> bool {
    one.action == other.action
}

/// Whether a call that the client would make does what is wanted. What is only said about a command, and its time limit,
/// make no difference.
fn does(made: &ToolCall, wanted: &ToolCall, cwd: &str) -> bool {
    let (ToolAction::Shell(made), ToolAction::Shell(wanted)) = (&made.action, &wanted.action) else {
        return same(made, wanted);
    };
    let elsewhere = wanted.cwd.as_deref().is_some_and(|wanted| wanted != made.cwd.as_deref().unwrap_or(cwd));
    let given = |made: Option<bool>, wanted: Option<bool>| wanted.is_none_or(|wanted| wanted == made.unwrap_or(false));
    made.command == wanted.command && !elsewhere && given(made.background, wanted.background)
}

/// A text as the result of a tool, in the tool's own form.
fn text_result(call: &ToolCall, text: &str) -> Option<RawJson> {
    use serde_json::json;
    let value = match &call.action {
        ToolAction::Shell(_) => json!({ "stdout": text, "stderr": "", "interrupted": false, "isImage": false }),
        ToolAction::Mcp(_) => json!([{ "type": "text", "text": text }]),
        ToolAction::Read(read) => {
            let lines = text.split('\n').count();
            let file = json!({
                "filePath": read.path, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines,
            });
            json!({ "type": "text", "file": file })
        }
        _ => return None,
    };
    Some(RawJson::from(&value))
}
