//! JSON Schemas of Cursor's format, from the event table, the table of keys and the types that are written.
//!
//! They are about the newest client with the default choices, [`Adapter::latest`](crate::Adapter::latest). What the
//! reader warns of stays valid and says so in words: a document is invalid where the reader reports an error, an answer
//! where decoding it fails. What no keyword can say is valid too: bytes that are no JSON, nesting that is too deep, and
//! whether a matcher compiles in the client's language.
//!
//! ```
//! use adapter_cursor::schema::SCHEMAS;
//!
//! let documents = SCHEMAS.documents();
//! let names: Vec<_> = documents.iter().map(|document| document.path.as_str()).collect();
//! assert!(names.contains(&"cursor/hooks.schema.json"));
//! assert!(names.contains(&"cursor/preToolUse.output.schema.json"));
//! ```

mod config;
mod input;
mod output;
mod words;

use hooks_core::facts::EventFacts;
use hooks_core::schema::Schemas;

use crate::events::Event;
use crate::{Adapter, DIALECT};

/// Every schema of Cursor's format.
pub static SCHEMAS: Schemas = Schemas {
    vendor: &DIALECT.vendor,
    title: "Cursor",
    facts: DIALECT.facts,
    configs: &config::CONFIGS,
    input: input::input,
    output: output::accepted,
    emitted: output::emitted,
};

/// The row of an event's facts.
fn row(facts: &EventFacts) -> Option<&'static Event> {
    Adapter::latest().row(facts.name)
}
