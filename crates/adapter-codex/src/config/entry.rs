//! Handler entries as a document writes them, before versions and defaults are applied: what definitions and trust
//! fingerprints are both made from.

use std::ops::Range;
use std::sync::Arc;

use hooks_core::document::{Node, Value};
use hooks_core::{Matcher, Place, Source};

use crate::events::Event;

/// One handler entry.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The document, or the part of one, that it stands in.
    pub(crate) source: Arc<Source>,
    /// Its event.
    pub(crate) event: &'static Event,
    /// Where it stands.
    pub(crate) place: Place,
    /// The bytes it takes up.
    pub(crate) range: Range<usize>,
    /// The group's matcher as written.
    pub(crate) matcher: Option<String>,
    /// That, compiled.
    pub(crate) compiled: Matcher,
    /// What it runs.
    pub(crate) handler: Written,
    /// Why it never runs, if so.
    pub(crate) skipped: Option<String>,
}

/// A handler as written.
#[derive(Clone, Debug)]
pub(crate) enum Written {
    /// A command.
    Command {
        command: String,
        windows: Option<String>,
        asynchronous: bool,
        timeout: Option<u64>,
        status_message: Option<String>,
        context_limit: Option<u64>,
    },
    /// A tool of a tool server.
    McpTool { server: String, tool: String, input: Node, timeout: Option<u64>, status_message: Option<String> },
    /// A question to a model.
    Prompt(String),
    /// A task for an agent.
    Agent(String),
}

impl Event {
    /// The time limit that a written one comes to, in seconds.
    pub(crate) fn clamp(&self, written: Option<u64>) -> u64 {
        let limits = self.timeout;
        let seconds = written.unwrap_or(limits.default_s).max(limits.min_s);
        limits.max_s.map_or(seconds, |max| seconds.min(max))
    }
}

/// How JSON is written from a tree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// Whether keys are sorted.
    pub(crate) sorted: bool,
    /// Whether numbers stand in the tagged form that trust fingerprints have (observed, `mcp_tool` inputs).
    pub(crate) tagged_numbers: bool,
}

/// Writes a tree as compact JSON. What JSON cannot hold (a number that is none) becomes `null`.
pub(crate) fn write_json(node: &Node, style: Style, out: &mut String) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(text) if serde_json::from_str::<serde_json::Number>(text).is_err() => out.push_str("null"),
        Value::Number(text) if style.tagged_numbers => {
            out.push_str("{\"$serde_json::private::Number\":");
            write_string(text, out);
            out.push('}');
        }
        Value::Number(text) => out.push_str(text),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_json(item, style, out);
            }
            out.push(']');
        }
        Value::Object(object) => {
            let mut members: Vec<_> = object.members.iter().collect();
            if style.sorted {
                // Stable, so that of a repeated key the last one is still the last.
                members.sort_by(|a, b| a.key.cmp(&b.key));
                members.reverse();
                members.dedup_by(|earlier, later| earlier.key == later.key);
                members.reverse();
            }
            out.push('{');
            for (at, member) in members.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_string(&member.key, out);
                out.push(':');
                write_json(&member.value, style, out);
            }
            out.push('}');
        }
    }
}

/// Writes a JSON string; what is not ASCII stays as it is.
pub(crate) fn write_string(text: &str, out: &mut String) {
    match serde_json::to_string(text) {
        Ok(quoted) => out.push_str(&quoted),
        Err(_) => out.push_str("\"\""),
    }
}
