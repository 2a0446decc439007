//! What an adapter makes of a document (`config`) and of a handler entry (`trust`).

use std::sync::Arc;

use hooks_core::HostSide;
use hooks_core::definition::{Definition, FailurePolicy, LoopLimit, State};
use hooks_core::diagnostic::Diagnostic;
use hooks_core::handler::{Background, Handler};
use hooks_core::source::{Origin, Plugin, Source, Syntax};
use serde_json::json;

use super::hook::foreign;
use super::subject::Reply;
use crate::format::{BindingSpec, Config, ConfigExpect, FileFate, ReportSpec, SyntaxWord, Trust, TrustExpect};
use crate::question::Answer;

pub(super) fn answer(adapter: &dyn HostSide, vector: &Config) -> Result<Answer, String> {
    let parsed = adapter.parse(&Arc::new(source(adapter, vector)?));
    let bound = parsed.definitions.iter().filter(|definition| is_bound(&definition.state));
    Ok(Answer::Config(ConfigExpect {
        file: if parsed.rejected { FileFate::Rejected } else { FileFate::Accepted },
        bindings: bound.map(binding).collect(),
        reports: parsed.diagnostics.iter().map(report).collect(),
    }))
}

/// A handler entry to its fingerprint. A vendor that keeps no records of trust gives none, and is skipped.
pub(super) fn trust(adapter: &dyn HostSide, event: &str, vector: &Trust) -> Reply {
    let group = json!({ "matcher": vector.matcher, "hooks": [vector.handler] });
    let document = json!({ "hooks": { event: [group] } }).to_string();
    let source =
        Source::hooks(adapter.vendor().clone(), Origin::User, Syntax::Json, "hooks.json", document.into_bytes());
    match adapter.fingerprints(&Arc::new(source)).as_slice() {
        [] => Reply::Skipped(format!("the adapter of {} gives no fingerprints", adapter.vendor())),
        [fingerprint] => Reply::Answer(Answer::Trust(TrustExpect {
            canonical: fingerprint.canonical.clone(),
            sha256: fingerprint.hash.rsplit(':').next().unwrap_or_default().to_owned(),
        })),
        several => Reply::fault(format!("one entry came to {} fingerprints", several.len())),
    }
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
