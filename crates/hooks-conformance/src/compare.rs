//! What differs between an expectation and what came.

use std::fmt::Display;

use hooks_core::text::{display_line, shorten};
use serde::Serialize;
use serde_json::Value;

use crate::format::{ContinuationSpec, EffectKey, Effects, HaltSpec, SpecialSpec, TextMatch};
use crate::render::to_json;

/// How strictly effects are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// One hook's effects: everything.
    Decode,
    /// A vendor's client shows one reason of several, and reports no failure of a firing: the leading reasons are
    /// compared, and failures only where they are expected.
    Fold,
    /// Core's own: everything but failures, in order.
    Settle,
}

/// Lines that say what differs.
#[derive(Debug, Default)]
pub(crate) struct Differences(Vec<String>);

impl Differences {
    pub(crate) fn add(&mut self, what: impl Into<String>) {
        self.0.push(what.into());
    }

    /// Notes a difference unless two values are equal.
    pub(crate) fn equal<T: PartialEq + Serialize>(&mut self, what: impl Display, expected: &T, actual: &T) {
        if expected != actual {
            self.differ(what, expected, actual);
        }
    }

    /// Notes that something differs.
    pub(crate) fn differ<A: Serialize, B: Serialize>(&mut self, what: impl Display, expected: &A, actual: &B) {
        self.add(format!("{what}: expected {}, got {}", shown(expected), shown(actual)));
    }

    /// All of them on one line; `None` when there are none.
    pub(crate) fn message(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join("; "))
    }
}

/// A value for a message: absent values as `nothing`, long ones shortened.
fn shown<T: Serialize>(value: &T) -> String {
    match to_json(value) {
        Value::Null => "nothing".to_owned(),
        value => shorten(&display_line(&value.to_string()), 300).into_owned(),
    }
}

/// Compares effects.
pub(crate) fn effects(expected: &Effects, actual: &Effects, mode: Mode) -> Differences {
    let mut found = Differences::default();
    let checks = |key| expected.checks(key);
    if checks(EffectKey::Run) && expected.run.is_some() {
        found.equal("run", &expected.run, &actual.run);
    }
    if checks(EffectKey::Verdict) {
        found.equal("verdict", &expected.verdict, &actual.verdict);
    }
    if checks(EffectKey::Reasons) {
        let leading = match mode {
            Mode::Fold if !expected.reasons.is_empty() => expected.reasons.len(),
            _ => usize::MAX,
        };
        texts(&mut found, "reasons", &expected.reasons, &actual.reasons, leading);
    }
    if checks(EffectKey::Notices) {
        texts(&mut found, "notices", &expected.notices, &actual.notices, usize::MAX);
    }
    if checks(EffectKey::Context) {
        texts(&mut found, "context", &expected.context, &actual.context, usize::MAX);
    }
    if checks(EffectKey::ReplacementInput) {
        found.equal("replacement_input", &expected.replacement_input, &actual.replacement_input);
    }
    if checks(EffectKey::ReplacementResult) {
        results(&mut found, expected.replacement_result.as_ref(), actual.replacement_result.as_ref());
    }
    if checks(EffectKey::SessionEnv) {
        found.equal("session_env", &expected.session_env, &actual.session_env);
    }
    if checks(EffectKey::Halt) {
        halts(&mut found, expected.halt.as_ref(), actual.halt.as_ref());
    }
    if mode == Mode::Settle {
        if checks(EffectKey::Continuations) {
            continuations(&mut found, &expected.continuations, &actual.continuations);
        }
    } else if checks(EffectKey::Continuation) {
        one_continuation(&mut found, expected.continuation.as_ref(), actual.continuation.as_ref());
    }
    if checks(EffectKey::Unsupported) {
        let sorted = |fields: &[String]| {
            let mut fields = fields.to_vec();
            if mode != Mode::Settle {
                fields.sort_unstable();
            }
            fields
        };
        found.equal("unsupported", &sorted(&expected.unsupported), &sorted(&actual.unsupported));
    }
    if checks(EffectKey::Failed) && (mode == Mode::Decode || expected.failed) {
        found.equal("failed", &expected.failed, &actual.failed);
    }
    if !expected.permission_updates.is_empty() {
        found.equal("permission_updates", &expected.permission_updates, &actual.permission_updates);
    }
    specials(&mut found, &expected.special, &actual.special);
    found
}

/// Compares what only one vendor has, where something is expected.
pub(crate) fn specials(found: &mut Differences, expected: &[SpecialSpec], actual: &[SpecialSpec]) {
    if !expected.is_empty() {
        found.equal("special", &expected, &actual);
    }
}

/// Compares replaced results. One that the host writes is expected like any text.
fn results(found: &mut Differences, expected: Option<&Value>, actual: Option<&Value>) {
    let fits = match (expected.and_then(TextMatch::of_value), actual) {
        (Some(text), Some(Value::String(written))) => text.takes(written),
        // What is expected of a text is not a value that can come.
        (Some(_), _) => false,
        (None, actual) => expected == actual,
    };
    if !fits {
        found.differ("replacement_result", &expected, &actual);
    }
}

/// Compares lists of texts, of which the first `leading` count.
fn texts(found: &mut Differences, what: &str, expected: &[TextMatch], actual: &[TextMatch], leading: usize) {
    let counted: Vec<&TextMatch> = actual.iter().take(leading).collect();
    let fits = counted.len() == expected.len()
        && expected
            .iter()
            .zip(&counted)
            .all(|(expected, actual)| actual.exact().is_some_and(|text| expected.takes(text)));
    if !fits {
        found.differ(what, &expected, &actual);
    }
}

/// Compares halts in the keys that are expected.
pub(crate) fn halts(found: &mut Differences, expected: Option<&HaltSpec>, actual: Option<&HaltSpec>) {
    let (Some(expected), Some(actual)) = (expected, actual) else {
        if expected.is_some() != actual.is_some() {
            found.differ("halt", &expected, &actual);
        }
        return;
    };
    if let Some(reason) = &expected.reason {
        let said = actual.reason.as_ref().and_then(Option::as_ref).and_then(TextMatch::exact);
        let fits = match (reason, said) {
            (None, None) => true,
            (Some(reason), Some(text)) => reason.takes(text),
            _ => false,
        };
        if !fits {
            found.differ("halt.reason", reason, &said);
        }
    }
    if let Some(stops) = &expected.stops {
        let sorted = |stops: &[crate::format::StopWord]| {
            let mut stops = stops.to_vec();
            stops.sort_unstable();
            stops
        };
        found.equal("halt.stops", &sorted(stops), &sorted(actual.stops.as_deref().unwrap_or_default()));
    }
    if expected.when.is_some() {
        found.equal("halt.when", &expected.when, &actual.when);
    }
    if expected.prompt.is_some() {
        found.equal("halt.prompt", &expected.prompt, &actual.prompt);
    }
}

/// Compares what makes a turn go on, its limit only where one is expected; no limit and none given are the same.
fn one_continuation(found: &mut Differences, expected: Option<&ContinuationSpec>, actual: Option<&ContinuationSpec>) {
    let (Some(expected), Some(actual)) = (expected, actual) else {
        if expected.is_some() != actual.is_some() {
            found.differ("continuation", &expected, &actual);
        }
        return;
    };
    if !actual.text.exact().is_some_and(|text| expected.text.takes(text)) {
        found.differ("continuation.text", &expected.text, &actual.text);
    }
    if let Some(limit) = expected.loop_limit {
        found.equal("continuation.loop_limit", &limit, &actual.loop_limit.flatten());
    }
}

/// Compares continuations one by one, with their bindings and limits.
pub(crate) fn continuations(found: &mut Differences, expected: &[ContinuationSpec], actual: &[ContinuationSpec]) {
    let fits = expected.len() == actual.len()
        && expected.iter().zip(actual).all(|(expected, actual)| {
            expected.binding == actual.binding
                && expected.loop_limit == actual.loop_limit
                && actual.text.exact().is_some_and(|text| expected.text.takes(text))
        });
    if !fits {
        found.differ("continuations", &expected, &actual);
    }
}
