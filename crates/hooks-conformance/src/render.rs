//! Core's values in the vectors' form: the one JSON form that tools print, log and send.

use hooks_core::decide::Decision;
use hooks_core::effects::{Continuation, Effect, Halt, HookEffects, ResultReplacement, Said, Special, Verdict};
use hooks_core::outcome::{End, Outcome};
use hooks_core::settle::Settled;
use serde::Serialize;
use serde_json::{Value, json};

use crate::format::{
    ContinuationSpec, DecisionSpec, Effects, EndSpec, HaltSpec, OutcomeSpec, SpecialSpec, StopWord, Text, TextMatch,
};

/// What can be written as [`Effects`]: one hook's effects, and settled ones.
pub trait VectorForm {
    /// The value in the vectors' form.
    fn vector_form(&self) -> Effects;
}

/// One hook's effects or settled effects as JSON in the vectors' form: the one form for every tool.
///
/// Channels without anything in them are absent. Beyond what vectors of decoding compare, a halt has all its parts, and
/// permission updates and what only one vendor has stand under `permission_updates` and `special`.
#[must_use]
pub fn effects_json<E: VectorForm + ?Sized>(effects: &E) -> Value {
    to_json(&effects.vector_form())
}

/// A decision as JSON in the vectors' form. Texts stand as they are given to the model and to the person.
#[must_use]
pub fn decision_json(decision: &Decision) -> Value {
    to_json(&decision_form(decision))
}

/// An outcome as JSON in the vectors' form: output that is no UTF-8 as `{"base64": ...}`.
#[must_use]
pub fn outcome_json(outcome: &Outcome) -> Value {
    to_json(&OutcomeSpec {
        end: match &outcome.end {
            End::Exited(code) => EndSpec::Exited(*code),
            End::Signalled(signal) => EndSpec::Signalled(*signal),
            End::TimedOut => EndSpec::TimedOut,
            End::Cancelled => EndSpec::Cancelled,
            End::FailedToStart(_) => EndSpec::FailedToStart,
            End::Http(status) => EndSpec::Http(*status),
            End::Tool { is_error } => EndSpec::Tool { is_error: *is_error },
            End::Model => EndSpec::Model,
            End::NotRun(why) => EndSpec::NotRun(why.clone()),
            other => EndSpec::NotRun(format!("ended in a way the format has no word for: {other:?}")),
        },
        stdout: Some(Text::of(&outcome.stdout)),
        stderr: Some(Text::of(&outcome.stderr)),
        stdout_truncated: outcome.stdout_truncated.then_some(true),
        stderr_truncated: outcome.stderr_truncated.then_some(true),
    })
}

pub(crate) fn to_json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_else(|error| json!({ "error": error.to_string() }))
}

impl VectorForm for Effects {
    fn vector_form(&self) -> Effects {
        self.clone()
    }
}

impl VectorForm for HookEffects {
    fn vector_form(&self) -> Effects {
        let mut form = Effects { run: Some(self.status.into()), failed: self.failure.is_some(), ..Effects::default() };
        let mut strongest: Option<Verdict> = None;
        let mut continuations = Vec::new();
        for effect in &self.effects {
            match effect {
                Effect::Verdict { verdict, reasons } => {
                    if strongest.is_none_or(|before| *verdict > before) {
                        strongest = Some(*verdict);
                        form.reasons.clear();
                    }
                    if strongest == Some(*verdict) {
                        form.reasons.extend(reasons.iter().cloned().map(TextMatch::from));
                    }
                }
                Effect::Notice(text) => form.notices.push(text.clone().into()),
                Effect::Context(text) => form.context.push(text.clone().into()),
                Effect::ReplaceInput(rewrite) => form.replacement_input = Some(rewrite.raw.to_value()),
                Effect::ReplaceResult(result) => form.replacement_result = Some(result_value(result)),
                Effect::SessionEnv(env) => {
                    form.session_env.extend(env.iter().map(|(name, change)| (name.clone(), change.value.clone())));
                }
                Effect::Halt(halt) => form.halt = Some(merged(form.halt.take(), halt_form(halt))),
                Effect::Continue(continuation) => continuations.push(continuation_form(None, continuation)),
                Effect::PermissionUpdate(update) => form.permission_updates.push(update.to_value()),
                Effect::Unsupported(unsupported) => form.unsupported.push(unsupported.field.clone()),
                Effect::Special(special) => form.special.push(special_form(special)),
                other => form.special.push(SpecialSpec { kind: format!("unknown: {other:?}"), value: None }),
            }
        }
        form.verdict = strongest.map(Into::into);
        form.continuations = continuations;
        form.with_one_continuation()
    }
}

impl VectorForm for Settled {
    fn vector_form(&self) -> Effects {
        Effects {
            run: None,
            verdict: self.verdict.map(Into::into),
            reasons: texts(&self.reasons),
            notices: texts(&self.notices),
            context: texts(&self.context),
            replacement_input: self.input.as_ref().map(|said| said.value.raw.to_value()),
            replacement_result: self.result.as_ref().map(|said| result_value(&said.value)),
            session_env: self.session_env.iter().map(|(name, said)| (name.clone(), said.value.value.clone())).collect(),
            halt: self.halt.as_ref().map(|said| halt_form(&said.value)),
            continuation: None,
            continuations: continuation_forms(&self.continuations),
            unsupported: self.unsupported.iter().map(|said| said.value.field.clone()).collect(),
            failed: self.report.runs.iter().any(|run| run.failure.is_some()),
            permission_updates: self.permission_updates.iter().map(|said| said.value.to_value()).collect(),
            special: self.special.iter().map(|said| special_form(&said.value)).collect(),
            unchecked: Vec::new(),
        }
    }
}

pub(crate) fn decision_form(decision: &Decision) -> DecisionSpec {
    let raw = |said: &Said<hooks_core::ToolCall>| {
        said.value
            .raw
            .as_ref()
            .map_or_else(|| json!({ "tool": said.value.action.kind() }), hooks_core::RawJson::to_value)
    };
    DecisionSpec {
        action: decision.action.as_str().to_owned(),
        input: decision.input.as_ref().map(raw),
        result: decision.result.as_ref().map(|said| result_value(&said.value)),
        halt: decision.halt.as_ref().map(|said| halt_form(&said.value)),
        continuations: continuation_forms(&decision.continuations),
        to_model: texts(&decision.to_model),
        to_user: texts(&decision.to_user),
        unsupported: decision.unsupported.iter().map(|said| said.value.field.clone()).collect(),
        special: decision.special.iter().map(|said| special_form(&said.value)).collect(),
        unchecked: Vec::new(),
    }
}

fn texts(said: &[Said<String>]) -> Vec<TextMatch> {
    said.iter().map(|said| said.value.clone().into()).collect()
}

fn result_value(result: &ResultReplacement) -> Value {
    match result {
        ResultReplacement::Text(text) => Value::String(text.clone()),
        ResultReplacement::Json(raw) => raw.to_value(),
        other => Value::String(format!("{other:?}")),
    }
}

fn halt_form(halt: &Halt) -> HaltSpec {
    HaltSpec {
        stops: Some(halt.stops.iter().copied().filter_map(StopWord::of).collect()),
        when: halt.when.map(Into::into),
        prompt: halt.prompt.map(Into::into),
        reason: Some(halt.reason.clone().map(TextMatch::from)),
    }
}

/// Several halts of one hook: the union of what they stop, the first reason that is given.
fn merged(before: Option<HaltSpec>, next: HaltSpec) -> HaltSpec {
    let Some(before) = before else { return next };
    let mut stops: Vec<StopWord> = before.stops.into_iter().chain(next.stops).flatten().collect();
    stops.sort_unstable();
    stops.dedup();
    HaltSpec {
        stops: Some(stops),
        when: before.when.max(next.when),
        prompt: before.prompt.max(next.prompt),
        reason: Some(before.reason.flatten().or(next.reason.flatten())),
    }
}

fn continuation_form(binding: Option<String>, continuation: &Continuation) -> ContinuationSpec {
    ContinuationSpec {
        binding,
        text: continuation.text.clone().into(),
        loop_limit: continuation.loop_limit.map(hooks_core::LoopLimit::number),
    }
}

fn continuation_forms(continuations: &[Said<Continuation>]) -> Vec<ContinuationSpec> {
    continuations
        .iter()
        .map(|said| continuation_form(said.by.as_ref().map(|who| who.binding.as_str().to_owned()), &said.value))
        .collect()
}

fn special_form(special: &Special) -> SpecialSpec {
    let value = match special {
        Special::ElicitationAnswer { action, content } => {
            Some(json!({ "action": action, "content": content.as_ref().map(hooks_core::RawJson::to_value) }))
        }
        Special::WorktreePath(text)
        | Special::DisplayText(text)
        | Special::SessionTitle(text)
        | Special::InitialUserMessage(text)
        | Special::ClassifierContext(text)
        | Special::TerminalSequence(text)
        | Special::CompactionInstructions(text) => Some(json!(text)),
        Special::WatchPaths(paths) | Special::PluginPaths(paths) => Some(json!(paths)),
        _ => None,
    };
    SpecialSpec { kind: special.kind().to_owned(), value }
}
