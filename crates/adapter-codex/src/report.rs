//! Reports of runs as the client gives them (sections 9 and 17): what a run is called, where it stands in the display
//! order, and which entries its report has.
//!
//! Sentences of the client's own are not part of its contract: in their place stand this project's.

use std::collections::HashMap;

use hooks_core::adapter::Parsed;
use hooks_core::boundary::Scope;
use hooks_core::effects::Failure;
use hooks_core::entry;
use hooks_core::handler::Background;
use hooks_core::source::{Origin, Role, Source};
use hooks_core::text::strip_unsafe;
use hooks_core::{Binding, BindingId, Envelope, Handler, HookEffects, Outcome, Payload, RunStatus, State, Version};

pub use hooks_core::entry::{Entry, EntryKind};

use crate::events::{ErrorText, Event, Kind, Reads, field};
use crate::output::{self, STOPPED_RESULT};
use crate::{Adapter, locations};

/// What is reported of a run when it starts and again, with a status and entries, when it has completed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// `<event>:<display order>:<source path>`, with the call's id behind it on the events of tools.
    pub id: String,
    /// The event's name with a small first letter.
    pub event: String,
    /// `command` or `mcpTool`.
    pub handler: &'static str,
    /// `sync` or `async`. Runs in the background are not reported.
    pub execution: &'static str,
    /// `thread` or `turn`.
    pub scope: &'static str,
    /// The path of the document.
    pub source_path: String,
    /// Where the document comes from, in the client's word.
    pub source: &'static str,
    /// The place among all handlers.
    pub display_order: u32,
    /// `running`, `completed`, `failed`, `blocked` or `stopped`.
    pub status: &'static str,
    /// What is shown while it runs.
    pub status_message: Option<String>,
    /// What came of it; empty while it runs.
    pub entries: Vec<Entry>,
}

/// The display order: handlers of all documents by precedence, counted from 0. Untrusted and disabled ones are counted,
/// skipped ones are not (sections 3.3 and 4).
#[must_use]
pub fn display_order(documents: &[Parsed]) -> HashMap<BindingId, u32> {
    let mut ordered: Vec<&Parsed> = documents.iter().collect();
    ordered.sort_by_key(|document| locations::precedence(&document.source));
    let counted = ordered
        .into_iter()
        .flat_map(|document| &document.definitions)
        .filter(|definition| !matches!(definition.state, State::Inert(_)));
    counted.map(|definition| definition.id.clone()).zip(0..).collect()
}

/// Where a document comes from, in the client's word (sections 4 and 5).
#[must_use]
pub fn source_word(source: &Source) -> &'static str {
    let managed = source.role == Role::Requirements;
    match source.origin {
        _ if source.path.starts_with("/<mdm:") => "mdm",
        _ if source.path.starts_with("/<enterprise-managed:") && managed => "cloudRequirements",
        _ if source.path.starts_with("/<enterprise-managed:") => "cloudManagedConfig",
        _ if source.path.starts_with("/<legacy-managed-config.toml-mdm>") => "legacyManagedConfigMdm",
        Origin::Managed if source.path.starts_with("/etc/codex/") => "system",
        Origin::Managed if managed => "unknown",
        Origin::Managed => "system",
        Origin::Team => "cloudManagedConfig",
        Origin::User => "user",
        Origin::Project | Origin::Local => "project",
        Origin::SessionFlags => "sessionFlags",
        Origin::Plugin => "plugin",
        _ => "unknown",
    }
}

impl Adapter {
    /// What is reported of a run that starts; `None` for one in the background and for an event that there is not.
    #[must_use]
    pub fn started(&self, binding: &Binding, envelope: &Envelope, display_order: u32) -> Option<Report> {
        let event = self.row(&binding.place.event)?;
        let handler = match &binding.handler {
            Handler::Command(command) if command.background != Background::No => return None,
            Handler::McpTool(_) => "mcpTool",
            _ => "command",
        };
        let path = &binding.source.path;
        let mut id = format!("{}:{display_order}:{path}", event.kebab);
        let call = match &envelope.payload {
            Payload::ToolBefore(tool) => tool.id.as_deref(),
            Payload::PermissionRequest(request) => request.tool.id.as_deref(),
            Payload::ToolResult(returned) => returned.tool.id.as_deref(),
            _ => None,
        };
        if let Some(call) = call {
            id.push(':');
            id.push_str(call);
        }
        Some(Report {
            id,
            event: small_first(event.facts.name),
            handler,
            execution: "sync",
            scope: if event.facts.scope == Scope::Session { "thread" } else { "turn" },
            source_path: path.clone(),
            source: source_word(&binding.source),
            display_order,
            status: "running",
            status_message: binding.status_message.clone(),
            entries: Vec::new(),
        })
    }

    /// What is reported of the same run when it has completed.
    #[must_use]
    pub fn completed(&self, started: Report, outcome: &Outcome, effects: &HookEffects) -> Report {
        let event = self.dialect.events.iter().find(|event| started.event == small_first(event.facts.name));
        let entries = event.map(|event| entries(event, self.version, outcome, effects)).unwrap_or_default();
        Report { status: effects.status.as_str(), entries, ..started }
    }
}

fn small_first(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// The entries in the client's order: warnings, contexts, then what came of it.
pub(crate) fn entries(event: &'static Event, version: Version, outcome: &Outcome, effects: &HookEffects) -> Vec<Entry> {
    match effects.status {
        RunStatus::Completed if event.reads == Reads::StderrForTheReport => {
            let (stderr, mut entries) = (outcome.stderr_text(), entry::texts(effects));
            if !stderr.trim().is_empty() {
                entries.push(Entry::new(EntryKind::Error, strip_unsafe(stderr.trim())));
            }
            entries
        }
        RunStatus::Stopped if event.kind == Kind::PostToolUse => {
            // The feedback may be another text than the reason of the stop.
            let printed = outcome.stdout_text();
            let reason = output::text_of(event, version, &printed, field::STOP_REASON);
            let mut entries = entry::texts(effects);
            entries.push(Entry::new(EntryKind::Stop, reason.as_deref().unwrap_or(STOPPED_RESULT)));
            entries
        }
        RunStatus::Failed => {
            let mut entries = entry::texts(effects);
            let text = effects.failure.as_ref().and_then(|failure| error(event, outcome, failure));
            entries.extend(text.map(|text| Entry::new(EntryKind::Error, text)));
            entries
        }
        _ => entry::entries(effects),
    }
}

/// The text of a failed run's entry (section 10, at its end).
fn error(event: &Event, outcome: &Outcome, failure: &Failure) -> Option<String> {
    let stderr = outcome.stderr_text();
    let stderr = strip_unsafe(stderr.trim());
    let own = || failure.to_string();
    match (failure, event.error_text) {
        (Failure::ExitCode(_) | Failure::Signal(_), ErrorText::StandardErrorOrNone) => {
            (!stderr.is_empty()).then(|| stderr.into_owned())
        }
        (Failure::ExitCode(_), ErrorText::StandardError) if !stderr.is_empty() => Some(stderr.into_owned()),
        _ => Some(own()),
    }
}
