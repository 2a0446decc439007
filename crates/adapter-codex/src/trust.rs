//! Trust fingerprints of handler entries (section 6), as pure functions: who keeps records and asks people is the host.
//!
//! The fingerprint is the SHA-256 of a canonical JSON text: keys sorted at every level, no spaces, what is not ASCII as
//! it is. Neighbours, the document's path and its language are no part of it. For hooks of plugins client 0.171.0 uses
//! another formula, which is not known; none is given for them.

use std::fmt::Write as _;
use std::sync::Arc;

use hooks_core::Place;
use hooks_core::Version;
use hooks_core::facts::SubjectFact;
use hooks_core::source::{Origin, Source};
use sha2::{Digest, Sha256};

use crate::config::{
    self,
    entry::{Entry, Style, Written, write_json, write_string},
};
use crate::events::Event;

/// The limit that stands for none written, so that writing it changes no fingerprint.
const DEFAULT_CONTEXT_LIMIT: u64 = 2500;

/// One handler entry as trust records know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// Where it stands in its document.
    pub place: Place,
    /// The key of its record: `<source path>:<event>:<group>:<handler>`.
    pub key: String,
    /// The text that is hashed.
    pub canonical: String,
    /// `sha256:` and 64 hexadecimal digits, in lower case.
    pub hash: String,
}

/// The fingerprints of a document's handler entries, for a host that is not Windows unless `windows` is set.
///
/// Empty for a document that Codex drops and for plugins, whose formula is not known. Prompt and agent handlers have
/// none.
#[must_use]
pub fn fingerprints(source: &Arc<Source>, version: Version, windows: bool) -> Vec<Fingerprint> {
    if source.origin == Origin::Plugin {
        return Vec::new();
    }
    let entries = config::entries(version, source);
    entries.iter().filter_map(|entry| fingerprint(&source.path, entry, windows)).collect()
}

fn fingerprint(path: &str, entry: &Entry, windows: bool) -> Option<Fingerprint> {
    let canonical = canonical(entry, windows)?;
    let hash = hash(&canonical);
    Some(Fingerprint { place: entry.place.clone(), key: key(path, entry.event, &entry.place), canonical, hash })
}

/// The key of a handler's record.
fn key(path: &str, event: &Event, place: &Place) -> String {
    format!("{path}:{}:{}:{}", event.snake, place.group, place.index)
}

/// The hash of a canonical text, as records write it.
#[must_use]
pub fn hash(canonical: &str) -> String {
    let mut text = String::from("sha256:");
    for byte in Sha256::digest(canonical.as_bytes()) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The text that is hashed: keys in alphabetical order.
fn canonical(entry: &Entry, windows: bool) -> Option<String> {
    let event = entry.event;
    let mut out = String::from("{\"event_name\":");
    write_string(event.snake, &mut out);
    out.push_str(",\"hooks\":[{");
    match &entry.handler {
        Written::Command { command, windows: on_windows, asynchronous, timeout, status_message, context_limit } => {
            let limit = context_limit.filter(|limit| event.context_limit && *limit != DEFAULT_CONTEXT_LIMIT);
            if let Some(limit) = limit {
                let _ = write!(out, "\"additionalContextLimit\":{limit},");
            }
            let _ = write!(out, "\"async\":{asynchronous},\"command\":");
            let resolved = on_windows.as_ref().filter(|_| windows).unwrap_or(command);
            write_string(resolved, &mut out);
            status(status_message.as_deref(), &mut out);
            let _ = write!(out, ",\"timeout\":{},\"type\":\"command\"", event.clamp(*timeout));
        }
        Written::McpTool { server, tool, input, timeout, status_message } => {
            out.push_str("\"input\":");
            write_json(input, Style { sorted: true, tagged_numbers: true }, &mut out);
            out.push_str(",\"server\":");
            write_string(server, &mut out);
            status(status_message.as_deref(), &mut out);
            let _ = write!(out, ",\"timeout\":{},\"tool\":", event.clamp(*timeout));
            write_string(tool, &mut out);
            out.push_str(",\"type\":\"mcp_tool\"");
        }
        Written::Prompt(_) | Written::Agent(_) => return None,
    }
    out.push_str("}]");
    if let Some(matcher) = entry.matcher.as_deref().filter(|_| event.facts.subject != SubjectFact::Ignored) {
        out.push_str(",\"matcher\":");
        write_string(matcher, &mut out);
    }
    out.push('}');
    Some(out)
}

fn status(message: Option<&str>, out: &mut String) {
    if let Some(message) = message {
        out.push_str(",\"statusMessage\":");
        write_string(message, out);
    }
}
