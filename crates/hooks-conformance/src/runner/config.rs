//! `config` vectors: a document to bindings and reports.

use std::sync::Arc;

use hooks_core::HostSide;
use hooks_core::definition::{Definition, FailurePolicy, LoopLimit, State};
use hooks_core::diagnostic::Diagnostic;
use hooks_core::handler::{Background, Handler};
use hooks_core::source::{Origin, Plugin, Source, Syntax};
use serde_json::json;

use super::Judged;
use super::hook::foreign;
use crate::compare::Differences;
use crate::format::{BindingSpec, Config, ConfigExpect, FileFate, ReportSpec, SyntaxWord, Trust, TrustExpect};

pub(super) fn judge(adapter: &dyn HostSide, vector: &Config) -> Judged {
    let source = match source(adapter, vector) {
        Ok(source) => source,
        Err(why) => return Judged::failed(why, &vector.expect, &()),
    };
    let parsed = adapter.parse(&Arc::new(source));
    let bound: Vec<&Definition> = parsed.definitions.iter().filter(|definition| is_bound(&definition.state)).collect();
    let actual = ConfigExpect {
        file: if parsed.rejected { FileFate::Rejected } else { FileFate::Accepted },
        bindings: bound.iter().map(|definition| binding(definition)).collect(),
        reports: parsed.diagnostics.iter().map(report).collect(),
    };
    let mut found = Differences::default();
    found.equal("file", &vector.expect.file, &actual.file);
    bindings(&mut found, &vector.expect.bindings, &actual.bindings);
    reports(&mut found, &vector.expect.reports, &actual.reports);
    Judged::by(found, &vector.expect, &actual)
}

/// A handler entry to its fingerprint. A vendor that keeps no records of trust gives none, and is skipped.
pub(super) fn trust(adapter: &dyn HostSide, event: &str, vector: &Trust) -> Judged {
    let group = json!({ "matcher": vector.matcher, "hooks": [vector.handler] });
    let document = json!({ "hooks": { event: [group] } }).to_string();
    let source =
        Source::hooks(adapter.vendor().clone(), Origin::User, Syntax::Json, "hooks.json", document.into_bytes());
    let fingerprints = adapter.fingerprints(&Arc::new(source));
    let [fingerprint] = fingerprints.as_slice() else {
        return match fingerprints.len() {
            0 => Judged::Skipped(format!("the adapter of {} gives no fingerprints", adapter.vendor())),
            several => Judged::failed(format!("one entry came to {several} fingerprints"), &vector.expect, &()),
        };
    };
    let actual = TrustExpect {
        canonical: fingerprint.canonical.clone(),
        sha256: fingerprint.hash.rsplit(':').next().unwrap_or_default().to_owned(),
    };
    let mut found = Differences::default();
    found.equal("canonical", &vector.expect.canonical, &actual.canonical);
    found.equal("sha256", &vector.expect.sha256, &actual.sha256);
    Judged::by(found, &vector.expect, &actual)
}

/// Whether a definition came to a binding: what its document left live did.
const fn is_bound(state: &State) -> bool {
    matches!(state, State::Live)
}

fn source(adapter: &dyn HostSide, vector: &Config) -> Result<Source, String> {
    let bytes = vector.document.bytes();
    if let Some(file) = vector.given.as_ref().and_then(|given| given.file.as_deref()) {
        return Ok(foreign(adapter, file, &bytes));
    }
    let origin = Origin::from_word(&vector.origin).ok_or_else(|| format!("`{}` is no origin", vector.origin))?;
    let (syntax, path) = match vector.syntax {
        SyntaxWord::Json => (Syntax::Json, "hooks.json"),
        SyntaxWord::Toml => (Syntax::Toml, "config.toml"),
        SyntaxWord::Yaml => (Syntax::Yaml, "agent.md"),
    };
    let mut source = Source::hooks(adapter.vendor().clone(), origin, syntax, path, bytes);
    if origin == Origin::Plugin {
        source.plugin = Some(Plugin {
            name: "sample-plugin".to_owned(),
            marketplace: Some("sample-market".to_owned()),
            root: "/home/dev/plugins/sample-plugin".to_owned(),
            data: Some("/home/dev/plugins/data/sample-plugin".to_owned()),
        });
    }
    Ok(source)
}

/// A definition with every key the format has.
fn binding(definition: &Definition) -> BindingSpec {
    let mut spec = BindingSpec {
        event: definition.place.event.clone(),
        group: definition.place.group,
        index: definition.place.index,
        handler: definition.handler.kind().as_str().to_owned(),
        matcher: Some(definition.matcher_text.clone()),
        timeout_s: serde_json::Number::from_f64(definition.timeout.as_secs_f64()),
        fail_closed: Some(definition.failure == FailurePolicy::Closed),
        on_failure: Some((definition.failure == FailurePolicy::Closed).then(|| "block".to_owned())),
        loop_limit: Some(definition.loop_limit.and_then(LoopLimit::number)),
        background: Some(false),
        additional_context_limit: Some(definition.context_limit),
        status_message: Some(definition.status_message.clone()),
        ..BindingSpec::default()
    };
    match &definition.handler {
        Handler::Command(command) => {
            spec.command = Some(command.command.clone());
            spec.background = Some(command.background != Background::No);
        }
        Handler::McpTool(tool) => {
            spec.server = Some(tool.server.clone());
            spec.tool = Some(tool.tool.clone());
        }
        Handler::Prompt(prompt) | Handler::Agent(prompt) => {
            spec.prompt = Some(prompt.prompt.clone());
            spec.model = Some(prompt.model.clone());
        }
        _ => {}
    }
    spec
}

fn report(diagnostic: &Diagnostic) -> ReportSpec {
    ReportSpec {
        pointer: diagnostic.pointer.clone().unwrap_or_default(),
        about: diagnostic.code.about.to_owned(),
        reach: Some(diagnostic.reach.as_str().to_owned()),
        silent: Some(diagnostic.silent),
    }
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
