//! The JSON Schemas of this vendor's format, made from the event table, the table of keys and the types that are written.
//!
//! A configuration is valid exactly if the reader finds no error in it, an answer exactly if the client reads it; what a
//! schema cannot say is listed, with the reason, beside the tests that hold the two together.

mod config;
mod input;
mod matchers;
mod output;
mod snippets;
mod words;

use hooks_core::schema::Schemas;

use crate::DIALECT;
use crate::events::FACTS;

/// The schemas of Claude Code's format.
///
/// ```
/// let documents = adapter_claude::schema::SCHEMAS.documents();
/// assert!(documents.iter().any(|document| document.path == "claude/settings.schema.json"));
/// assert!(documents.iter().any(|document| document.path == "claude/PreToolUse.output.schema.json"));
/// ```
pub static SCHEMAS: Schemas = Schemas {
    vendor: &DIALECT.vendor,
    title: "Claude Code",
    facts: &FACTS,
    configs: config::CONFIGS,
    input: input::input,
    output: output::accepted,
    emitted: output::emitted,
};
