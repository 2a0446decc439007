//! Both halves of adapters held against each other: what one vendor's answers can say of what hooks ask for.
//!
//! Effects are written as an answer by the hook's side of an adapter and read again by its host's side. What a bridge
//! does between two vendors is that twice; what it loses is listed here, and nothing here knows a vendor.
//!
//! - [`retell`] writes effects and reads them back;
//! - [`sayable`] says from the event table alone whether an answer has a place for an effect;
//! - [`probes`] are one effect of every kind, and [`table`] is what becomes of each on every event;
//! - [`read_back`] is what a hook reads of an occurrence, in [`facts`] that payloads can be compared by;
//! - [`variations`] of an occurrence differ from it in one fact each, and [`untold`] are the facts that a payload is the
//!   same without;
//! - [`weaker`] compares decisions: whether the second holds back less than the first.

mod facts;
mod place;
mod probe;
mod slot;
mod stdin;
mod table;

use hooks_core::adapter::{Answer, Codec, DecodePolicy, Loss};
use hooks_core::boundary::{Boundary, Facet, Stop};
use hooks_core::channel::Channel;
use hooks_core::decide::{Action, Decision, decide};
use hooks_core::definition::{Binding, BindingId};
use hooks_core::effects::{Effect, Halt, HookEffects, PromptFate, ResultReplacement, Verdict, reduce};
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::facts::{AskRule, EventFacts, Exit2, FieldKind, PlainStdout, Values};
use hooks_core::outcome::{End, Outcome};
use hooks_core::settle::settle;
use hooks_core::tool::{Shell, ToolAction, ToolCall};
use hooks_core::{HostProfile, SessionState};

use crate::sample;

pub use facts::{Facts, Variation, facts, variations, vary};
pub use probe::{Probe, probes};
pub use slot::Words;
pub use stdin::{Untold, not_told, read_back, shared, untold, written};
pub use table::{Row, rows, table};

/// Effects that were written as an answer and read again.
#[derive(Clone, Debug)]
pub struct Retold {
    /// The answer.
    pub answer: Answer,
    /// What could not be said.
    pub losses: Vec<Loss>,
    /// What the host's side makes of the answer.
    pub heard: HookEffects,
}

/// A command definition of an event, registered at a place among several.
///
/// `None` where the adapter's client has no such event.
#[must_use]
pub fn binding(adapter: &dyn Codec, event: &str, declared: u32) -> Option<Binding> {
    let mut definition = adapter.blank(event)?;
    definition.id = BindingId::new(&format!("hook {declared}"));
    let mut binding = Binding::alone(definition);
    binding.declared = declared;
    Some(binding)
}

/// Writes effects as the answer of a hook of an event, and reads it back. The hook finishes at the place `finished`.
#[must_use]
pub fn retell(
    adapter: &dyn Codec,
    binding: &Binding,
    envelope: &Envelope,
    effects: &[Effect],
    finished: u32,
) -> Option<Retold> {
    let facts = adapter.event(&binding.place.event)?;
    let (answer, losses) = adapter.write_answer(facts, envelope, effects);
    let heard = hear(adapter, binding, envelope, &answer, finished);
    Some(Retold { answer, losses, heard })
}

/// What the host's side makes of an answer.
#[must_use]
pub fn hear(
    adapter: &dyn Codec,
    binding: &Binding,
    envelope: &Envelope,
    answer: &Answer,
    finished: u32,
) -> HookEffects {
    let outcome = Outcome {
        stdout: answer.stdout.clone(),
        stderr: answer.stderr.clone(),
        finished,
        ..Outcome::ended(End::Exited(answer.exit_code))
    };
    adapter.decode(binding, envelope, &outcome, DecodePolicy::default())
}

/// What several hooks of one vendor come to on a host that can do everything.
#[must_use]
pub fn decided(adapter: &dyn Codec, boundary: Boundary, hooks: Vec<HookEffects>) -> Decision {
    let settled = settle(reduce(hooks), adapter.merge_policy(boundary), false);
    decide(settled, boundary, &HostProfile::full(), SessionState::default()).0
}

/// Made-up occurrences of a boundary: one for each part that vendors tell apart where it is about a tool, else one.
#[must_use]
pub fn occurrences(boundary: Boundary) -> Vec<(Facet, Envelope)> {
    let of = |facet| (facet, Envelope::new(sample::common(), sample::payload_of(boundary, sample::call(facet))));
    if sample::payload(boundary).tool_use().is_none() {
        return vec![of(Facet::Any)];
    }
    [Facet::Shell, Facet::Mcp, Facet::FileRead, Facet::FileEdit].map(of).into()
}

/// The events that a vendor's client fires for an occurrence, in the table's order.
#[must_use]
pub fn events_of(adapter: &dyn Codec, envelope: &Envelope) -> Vec<&'static EventFacts> {
    adapter.fired_for(envelope)
}

/// Whether an answer of an event has a place for an effect, as the event table has it.
///
/// Open are: which of what only one vendor has, whether an allow can have reasons, and whether a halt can stop something
/// else than its boundary does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sayable {
    /// It has.
    Yes,
    /// It has not, so that a loss must be reported.
    No,
    /// The table does not go so deep.
    Open,
}

/// Whether an answer of an event has a place for an effect, read off the table: its channels, the fields and words of an
/// answer, what asking and exit code 2 mean.
#[must_use]
pub fn sayable(facts: &EventFacts, boundary: Boundary, effect: &Effect) -> Sayable {
    // On a pending action a halt of nothing else is a denial.
    let channel = if halts_action(effect).is_some() { Channel::Verdict } else { effect.channel() };
    let mut fields = facts.output.iter().filter(|field| field.feeds() == Some(channel)).peekable();
    let by_exit_2 = match channel {
        Channel::Verdict => matches!(facts.exit_2, Exit2::Deny | Exit2::Refuse),
        Channel::Halt => facts.exit_2 == Exit2::Halt,
        Channel::Continuation => facts.exit_2 == Exit2::Continue,
        _ => false,
    };
    let by_text = channel == Channel::ModelContext && facts.plain_stdout == PlainStdout::Context;
    let has = fields.peek().is_some() || by_exit_2 || by_text;
    if matches!(effect, Effect::Unsupported(_)) || !facts.channels.contains(channel) || !has {
        return Sayable::No;
    }
    let yes = |yes: bool| if yes { Sayable::Yes } else { Sayable::No };
    let mut word = |word: &str| {
        fields.any(|field| {
            let refused = field.refused.is_some_and(|refused| matches!(refused.when, Values::Word(no) if no == word));
            !refused && matches!(field.kind, FieldKind::Word(words) if words.contains(&word))
        })
    };
    match effect {
        Effect::Verdict { verdict: Verdict::Allow, reasons } if !reasons.is_empty() && word("allow") => Sayable::Open,
        Effect::Verdict { verdict: Verdict::Deny, .. } => Sayable::Yes,
        Effect::Verdict { verdict: Verdict::Ask, .. } => yes(facts.ask == AskRule::Honoured),
        Effect::Verdict { verdict, .. } => yes(word(verdict.as_str())),
        Effect::Halt(halt) if channel == Channel::Halt && halt.stops != boundary.info().halts => Sayable::Open,
        // A limit stands in the definition; no answer has a field for one.
        Effect::Continue(continuation) => yes(continuation.loop_limit.is_none()),
        Effect::ReplaceResult(result) => {
            let text = matches!(result, ResultReplacement::Text(_));
            yes(fields.any(|field| match field.kind {
                FieldKind::String => text,
                FieldKind::Object | FieldKind::Array => !text,
                kind => kind == FieldKind::Any,
            }))
        }
        Effect::Special(_) => Sayable::Open,
        _ => Sayable::Yes,
    }
}

/// A halt of the pending action before it runs, and of nothing else: its reason.
fn halts_action(effect: &Effect) -> Option<&Option<String>> {
    match effect {
        Effect::Halt(halt) if halt.stops == [Stop::Action] && halt.stops_action() => Some(&halt.reason),
        _ => None,
    }
}

/// Whether what was heard is what was said. What a host adds to a continuation, its limits, is not compared where the hook
/// said nothing of any; a halt of nothing but the pending action is a denial.
#[must_use]
pub fn same(said: &[Effect], heard: &[Effect]) -> bool {
    said.len() == heard.len()
        && said.iter().zip(heard).all(|(said, heard)| match (said, heard) {
            (Effect::Continue(one), Effect::Continue(other)) => {
                one.text == other.text && (one.loop_limit.is_none() || one.loop_limit == other.loop_limit)
            }
            (Effect::ReplaceInput(one), Effect::ReplaceInput(other)) => match (&one.call, &other.call) {
                (Ok(one), Ok(other)) => one.call.action == other.call.action,
                (Err(_), Err(_)) => true,
                _ => false,
            },
            (said, Effect::Verdict { verdict: Verdict::Deny, reasons }) if halts_action(said).is_some() => {
                halts_action(said).is_some_and(|reason| reason.iter().eq(reasons))
            }
            (said, heard) => said == heard,
        })
}

/// A way in which one decision holds back less than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weaker {
    /// The action is judged more leniently.
    Action,
    /// Something that was stopped goes on, or is stopped later, or a prompt that was erased stays.
    Halt,
    /// The original input runs where another one was wanted.
    Input,
}

/// How the second decision about an occurrence holds back less than the first.
///
/// A denial holds back whatever a halt of the action and another input would have; a call that is put off does not run
/// with its old input either. Of another input counts what the call does, not what is said about it.
#[must_use]
pub fn weaker(envelope: &Envelope, before: &Decision, after: &Decision) -> Vec<Weaker> {
    let mut ways = Vec::new();
    if after.action < before.action {
        ways.push(Weaker::Action);
    }
    let denied = after.action == Action::Deny;
    let halt = |decision: &Decision| decision.halt.as_ref().map(|said| said.value.clone());
    if let Some(before) = halt(before) {
        let after = halt(after).unwrap_or_else(|| Halt::of(&[], None));
        let goes_on = |stop: &Stop| !(after.stops.contains(stop) || (denied && *stop == Stop::Action));
        let pending = envelope.boundary().is_pending() && !denied;
        let later = pending && after.takes_hold() < before.takes_hold();
        let erased = |halt: &Halt| halt.prompt == Some(PromptFate::Erase);
        let stays = is_prompt(&envelope.payload) && erased(&before) && !erased(&after);
        if before.stops.iter().any(goes_on) || later || stays {
            ways.push(Weaker::Halt);
        }
    }
    let runs = !matches!(after.action, Action::Deny | Action::Defer);
    if let Some(wanted) = before.input.as_ref().map(|said| &said.value).filter(|_| runs) {
        let is_wanted = |call: &ToolCall| {
            does(envelope, call) == does(envelope, wanted) || (call.raw.is_some() && call.raw == wanted.raw)
        };
        if !after.input.as_ref().is_some_and(|said| is_wanted(&said.value)) {
            ways.push(Weaker::Input);
        }
    }
    ways
}

/// What a call does: of a shell command its text, its directory and how it runs.
fn does(envelope: &Envelope, call: &ToolCall) -> ToolAction {
    match &call.action {
        ToolAction::Shell(shell) => ToolAction::Shell(Shell {
            command: shell.command.clone(),
            cwd: Some(shell.cwd.clone().unwrap_or_else(|| envelope.common.cwd.clone())),
            background: shell.background,
            sandbox: shell.sandbox,
            ..Shell::default()
        }),
        other => other.clone(),
    }
}

/// The prompt's own payload has a fate that halts speak of.
fn is_prompt(payload: &Payload) -> bool {
    matches!(payload, Payload::PromptSubmit(_) | Payload::PromptExpansion(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hooks_core::Settled;
    use hooks_core::effects::Said;

    fn decision(verdict: Option<Verdict>, stops: &[Stop]) -> Decision {
        let halt = (!stops.is_empty()).then(|| Said::host(Halt { when: None, ..Halt::of(stops, None) }));
        let settled = Settled { verdict, halt, ..Settled::default() };
        decide(settled, Boundary::ToolBefore, &HostProfile::full(), SessionState::default()).0
    }

    #[test]
    fn what_holds_back_less_is_weaker() {
        let envelope = Envelope::new(sample::common(), sample::payload(Boundary::ToolBefore));
        let deny = decision(Some(Verdict::Deny), &[]);
        let ask = decision(Some(Verdict::Ask), &[]);
        let turn = decision(None, &[Stop::Turn]);
        assert_eq!(weaker(&envelope, &deny, &ask), [Weaker::Action]);
        assert_eq!(weaker(&envelope, &ask, &deny), []);
        assert_eq!(weaker(&envelope, &turn, &deny), [Weaker::Halt]);
        assert_eq!(weaker(&envelope, &decision(None, &[Stop::Action]), &deny), []);
        assert_eq!(weaker(&envelope, &decision(None, &[]), &decision(Some(Verdict::Allow), &[])), [Weaker::Action]);
    }

    #[test]
    fn a_halt_of_the_pending_action_is_a_denial() {
        let halt = Effect::Halt(Halt::of(&[Stop::Action], Some("why".to_owned())));
        let deny = |reason: &str| Effect::Verdict { verdict: Verdict::Deny, reasons: vec![reason.to_owned()] };
        assert!(same(std::slice::from_ref(&halt), &[deny("why")]));
        assert!(!same(std::slice::from_ref(&halt), &[deny("something else")]));
        let later =
            Effect::Halt(Halt { when: Some(hooks_core::effects::When::After), ..Halt::of(&[Stop::Action], None) });
        assert!(!same(&[later], &[deny("why")]));
    }
}
