//! The vendors' tables, as generators read them.

use std::sync::Arc;

use adapter_cursor::Options;
use hooks_core::diagnostic::Code;
use hooks_core::facts::{EventFacts, OutputField};
use hooks_core::handler::HandlerKind;
use hooks_core::vendor::Version;
use hooks_core::{Boundary, HostSide};

/// One vendor's tables.
pub(super) struct Vendor {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) latest: Version,
    pub(super) facts: &'static [&'static EventFacts],
    pub(super) codes: &'static [&'static Code],
    /// The newest client's rules, where they are no column of a table.
    pub(super) adapter: Arc<dyn HostSide>,
    /// The handler types that an event runs.
    handlers: fn(&str) -> Vec<HandlerKind>,
    /// The fields of an answer in another vendor's shape that an event reads too.
    foreign_fields: fn(&str) -> &'static [OutputField],
    /// The fields that ask for something on events that do not list them too.
    pub(super) elsewhere: &'static [OutputField],
}

impl Vendor {
    /// The events that are fired on a boundary, in the vendor's order; with each, whether it is its own boundary.
    pub(super) fn on(&self, boundary: Boundary) -> impl Iterator<Item = (&'static EventFacts, bool)> {
        self.facts.iter().filter_map(move |facts| {
            let own = facts.boundary == Some(boundary);
            (own || self.adapter.also_on(facts).contains(&boundary)).then_some((*facts, own))
        })
    }

    /// The handler types that an event runs.
    pub(super) fn handlers(&self, event: &EventFacts) -> Vec<HandlerKind> {
        (self.handlers)(event.name)
    }

    /// The fields of an answer in another vendor's shape that an event reads beside its own.
    pub(super) fn foreign_fields(&self, event: &EventFacts) -> &'static [OutputField] {
        (self.foreign_fields)(event.name)
    }
}

/// Every vendor, in the order of the command.
pub(super) fn vendors() -> [Vendor; 3] {
    [
        Vendor {
            name: "cursor",
            title: "Cursor",
            latest: adapter_cursor::DIALECT.latest,
            facts: adapter_cursor::DIALECT.facts,
            codes: adapter_cursor::codes::CODES,
            adapter: Arc::new(adapter_cursor::Adapter::latest()),
            handlers: |_| {
                let mut kinds = vec![HandlerKind::Command];
                kinds.extend(Options::vendor().prompt_handlers.then_some(HandlerKind::Prompt));
                kinds
            },
            foreign_fields: |name| {
                let row = adapter_cursor::events::EVENTS.iter().find(|event| event.facts.name == name);
                row.map_or(&[], |event| event.claude_shape)
            },
            elsewhere: &adapter_cursor::events::ELSEWHERE,
        },
        Vendor {
            name: "claude",
            title: "Claude Code",
            latest: adapter_claude::DIALECT.latest,
            facts: adapter_claude::DIALECT.facts,
            codes: adapter_claude::codes::CODES,
            adapter: Arc::new(adapter_claude::Adapter::latest()),
            handlers: |name| {
                let row = adapter_claude::events::EVENTS.iter().find(|event| event.facts.name == name);
                row.map(|event| event.handlers.to_vec()).unwrap_or_default()
            },
            foreign_fields: |_| &[],
            elsewhere: &[],
        },
        Vendor {
            name: "codex",
            title: "OpenAI Codex",
            latest: adapter_codex::DIALECT.latest,
            facts: adapter_codex::DIALECT.facts,
            codes: adapter_codex::codes::CODES,
            adapter: Arc::new(adapter_codex::Adapter::latest()),
            handlers: |name| {
                let tools = adapter_codex::events::find(name).is_some_and(|event| event.mcp_tools);
                let mut kinds = vec![HandlerKind::Command];
                kinds.extend(tools.then_some(HandlerKind::McpTool));
                kinds
            },
            foreign_fields: |_| &[],
            elsewhere: &[],
        },
    ]
}
