//! Documents: what came of one beside what is expected.

use serde_json::json;

use crate::compare::Differences;
use crate::format::{BindingSpec, ConfigExpect, ReportSpec};

pub(super) fn documents(expected: &ConfigExpect, actual: &ConfigExpect) -> Differences {
    let mut found = Differences::default();
    found.equal("file", &expected.file, &actual.file);
    bindings(&mut found, &expected.bindings, &actual.bindings);
    reports(&mut found, &expected.reports, &actual.reports);
    found
}

fn place(spec: &BindingSpec) -> String {
    format!("{}[{}][{}]", spec.event, spec.group, spec.index)
}

/// Compares bindings in declared order, each in the keys that are expected.
fn bindings(found: &mut Differences, expected: &[BindingSpec], actual: &[BindingSpec]) {
    let places = |specs: &[BindingSpec]| specs.iter().map(place).collect::<Vec<_>>();
    if places(expected) != places(actual) {
        found.differ("bindings", &places(expected), &places(actual));
        return;
    }
    for (expected, actual) in expected.iter().zip(actual) {
        let at = place(expected);
        found.equal(format!("{at}.handler"), &expected.handler, &actual.handler);
        key(found, &at, "command", &expected.command, &actual.command);
        key(found, &at, "matcher", &expected.matcher, &actual.matcher);
        key(found, &at, "fail_closed", &expected.fail_closed, &actual.fail_closed);
        key(found, &at, "on_failure", &expected.on_failure, &actual.on_failure);
        key(found, &at, "loop_limit", &expected.loop_limit, &actual.loop_limit);
        key(found, &at, "async", &expected.background, &actual.background);
        let limits = (&expected.additional_context_limit, &actual.additional_context_limit);
        key(found, &at, "additional_context_limit", limits.0, limits.1);
        key(found, &at, "server", &expected.server, &actual.server);
        key(found, &at, "tool", &expected.tool, &actual.tool);
        key(found, &at, "status_message", &expected.status_message, &actual.status_message);
        key(found, &at, "prompt", &expected.prompt, &actual.prompt);
        key(found, &at, "model", &expected.model, &actual.model);
        let seconds = |number: &Option<serde_json::Number>| number.as_ref().and_then(serde_json::Number::as_f64);
        if let Some(wanted) = seconds(&expected.timeout_s) {
            let got = seconds(&actual.timeout_s);
            // A time limit is kept in nanoseconds.
            if !got.is_some_and(|got| (got - wanted).abs() <= wanted.abs() * 1e-9 + 1e-9) {
                found.differ(format!("{at}.timeout_s"), &wanted, &got);
            }
        }
    }
}

fn key<T: PartialEq + serde::Serialize>(
    found: &mut Differences,
    at: &str,
    name: &str,
    expected: &Option<T>,
    actual: &Option<T>,
) {
    if expected.is_some() {
        found.equal(format!("{at}.{name}"), expected, actual);
    }
}

/// Compares reports as a multiset: every expected one has one of its own, and none is left over.
fn reports(found: &mut Differences, expected: &[ReportSpec], actual: &[ReportSpec]) {
    let mut left: Vec<&ReportSpec> = actual.iter().collect();
    let mut missing = Vec::new();
    // What says most is looked for first, so that it is not taken by what says less.
    let mut ordered: Vec<&ReportSpec> = expected.iter().collect();
    ordered.sort_by_key(|spec| (spec.reach.is_none(), spec.silent.is_none()));
    for wanted in ordered {
        match left.iter().position(|got| fits(wanted, got)) {
            Some(at) => {
                left.swap_remove(at);
            }
            None => missing.push(wanted),
        }
    }
    for wanted in missing {
        let near: Vec<_> =
            left.iter().filter(|got| got.about == wanted.about || got.pointer == wanted.pointer).collect();
        found.add(format!(
            "reports: no {}{}",
            json!(wanted),
            match near.as_slice() {
                [] => String::new(),
                near => format!(", but {}", json!(near)),
            }
        ));
    }
    if !left.is_empty() {
        found.add(format!("reports: not expected: {}", json!(left)));
    }
}

fn fits(wanted: &ReportSpec, got: &ReportSpec) -> bool {
    wanted.pointer == got.pointer
        && wanted.about == got.about
        && (wanted.reach.is_none() || wanted.reach == got.reach)
        && (wanted.silent.is_none() || wanted.silent == got.silent)
}
