//! Decisions: what was decided beside what is expected.

use crate::compare::{Differences, continuations, halts, specials};
use crate::format::{DecisionKey, DecisionSpec, Effects, TextMatch};

/// Compares decisions. Texts that are in no channel of the effects are the host's own, and are compared only where the
/// expectation asks for any.
pub(super) fn decisions(given: &Effects, expected: &DecisionSpec, actual: &DecisionSpec) -> Differences {
    let mut found = Differences::default();
    let checks = |key| !expected.unchecked.contains(&key);
    found.equal("action", &expected.action, &actual.action);
    if checks(DecisionKey::Input) {
        found.equal("input", &expected.input, &actual.input);
    }
    if expected.result.is_some() {
        found.equal("result", &expected.result, &actual.result);
    }
    if checks(DecisionKey::Halt) {
        halts(&mut found, expected.halt.as_ref(), actual.halt.as_ref());
    }
    if checks(DecisionKey::Continuations) {
        continuations(&mut found, &expected.continuations, &actual.continuations);
    }
    let halt_reason = given.halt.as_ref().and_then(|halt| halt.reason.as_ref()?.as_ref()?.exact());
    let said: Vec<&str> = given
        .reasons
        .iter()
        .chain(&given.notices)
        .chain(&given.context)
        .chain(given.continuations.iter().map(|one| &one.text))
        .filter_map(TextMatch::exact)
        .chain(halt_reason)
        .collect();
    let to_model: Vec<&str> = expected.to_model.iter().filter_map(TextMatch::exact).collect();
    if checks(DecisionKey::ToModel) {
        let ignored: Vec<&str> = halt_reason.into_iter().collect();
        decided_texts(&mut found, "to_model", &expected.to_model, &actual.to_model, &said, &ignored);
    }
    if checks(DecisionKey::ToUser) {
        let ignored: Vec<&str> = halt_reason.into_iter().chain(to_model).collect();
        decided_texts(&mut found, "to_user", &expected.to_user, &actual.to_user, &said, &ignored);
    }
    if !expected.unsupported.is_empty() {
        found.equal("unsupported", &expected.unsupported, &actual.unsupported);
    }
    specials(&mut found, &expected.special, &actual.special);
    found
}

fn decided_texts(
    found: &mut Differences,
    what: &str,
    expected: &[TextMatch],
    actual: &[TextMatch],
    said: &[&str],
    ignored: &[&str],
) {
    let texts = actual.iter().filter_map(TextMatch::exact).filter(|text| !ignored.contains(text));
    let (of_hooks, of_host): (Vec<&str>, Vec<&str>) = texts.partition(|text| said.contains(text));
    let (any, given): (Vec<&TextMatch>, Vec<&TextMatch>) = expected.iter().partition(|text| **text == TextMatch::Any);
    let fits = given.len() == of_hooks.len()
        && given.iter().zip(&of_hooks).all(|(wanted, text)| wanted.takes(text))
        && (any.is_empty() || of_host.iter().any(|text| TextMatch::Any.takes(text)));
    if !fits {
        found.differ(what, &expected, &actual);
    }
}
