//! What the test modules share.

use std::sync::Arc;

use adapter_cursor::{Adapter, events::VENDOR};
use hooks_conformance::{Given, sample};
use hooks_core::adapter::Parsed;
use hooks_core::definition::{Binding, Definition, FailurePolicy};
use hooks_core::envelope::{Payload, ToolReturned, ToolUse};
use hooks_core::handler::Handler;
use hooks_core::source::{Origin, Role, Source, Syntax};
use hooks_core::{Envelope, HostSide, Snapshot, ToolAction, ToolCall};
use serde_json::Value;

/// The facts about the events as they stand outside this crate: see its `about`.
pub(crate) fn recorded() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("events.json")).expect("events.json");
    file["events"].as_array().expect("events").clone()
}

pub(crate) fn source(origin: Origin, path: &str, text: &str) -> Arc<Source> {
    Arc::new(Source::hooks(VENDOR, origin, Syntax::Json, path, text.as_bytes()))
}

pub(crate) fn parse(adapter: &Adapter, text: &str) -> Parsed {
    adapter.parse(&source(Origin::Project, "/p/.cursor/hooks.json", text))
}

pub(crate) fn parse_foreign(adapter: &Adapter, text: &str) -> Parsed {
    let mut source = (*source(Origin::Project, "/p/.claude/settings.json", text)).clone();
    source.role = Role::ForeignHooks;
    adapter.parse(&Arc::new(source))
}

/// A text with edits made, in the order of their places; of two that clash the first.
pub(crate) fn mended(text: &str, edits: &[hooks_core::diagnostic::Edit]) -> String {
    let mut edits: Vec<_> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let (mut out, mut at) = (String::new(), 0);
    for edit in edits {
        if edit.range.start < at {
            continue;
        }
        out += &text[at..edit.range.start];
        out += &edit.text;
        at = edit.range.end;
    }
    out + &text[at..]
}

/// A made-up occurrence of an event.
pub(crate) fn envelope(adapter: &Adapter, event: &str) -> Envelope {
    sample::envelope(adapter, event, &Given::default()).unwrap_or_else(|| panic!("an occurrence of {event}"))
}

/// An occurrence about one tool call, before it, and after it where there is a result.
pub(crate) fn before(call: ToolCall) -> Envelope {
    let tool = ToolUse { id: Some("call-1".into()), call };
    Envelope::new(sample::common(), Payload::ToolBefore(tool))
}

pub(crate) fn after(action: ToolAction, result: hooks_core::ToolResult) -> Envelope {
    let tool = ToolUse { id: Some("call-1".into()), call: ToolCall::new(action) };
    Envelope::new(sample::common(), Payload::ToolResult(ToolReturned { tool, result, duration_ms: Some(7) }))
}

/// A binding of a command on an event.
pub(crate) fn binding(adapter: &Adapter, event: &str, command: &str, failure: FailurePolicy) -> Binding {
    let mut definition: Definition = adapter.blank(event).unwrap_or_else(|| panic!("{event}"));
    if let Handler::Command(handler) = &mut definition.handler {
        handler.command = command.to_owned();
    }
    definition.failure = failure;
    Binding::alone(definition)
}

/// The standard input that a hook of an event gets.
pub(crate) fn stdin(adapter: &Adapter, event: &str, envelope: &Envelope) -> Value {
    let mut bytes = b"left over".to_vec();
    adapter
        .encode(&binding(adapter, event, "hook", FailurePolicy::Open), envelope, &mut bytes)
        .unwrap_or_else(|error| panic!("{event}: {error}"));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{event}: {error}"))
}

/// A snapshot of one document.
pub(crate) fn activate(adapter: &Adapter, text: &str) -> Snapshot {
    let documents = vec![parse(adapter, text)];
    let vendors = vec![hooks_core::VendorSources { adapter: Arc::new(adapter.clone()), documents }];
    hooks_core::activate(vendors, &hooks_core::HostProfile::full(), &hooks_core::activate::AdmitAll)
        .expect("a snapshot")
}
