//! Trust in handler entries (section 6), as pure functions: who keeps records and asks people is the host.
//!
//! A record lies under a key that names the entry's place, and holds the fingerprint that was trusted. The fingerprint
//! is the SHA-256 of a canonical JSON text: keys sorted at every level, no spaces, what is not ASCII as it is.
//! Neighbours, the document's path and its language are no part of it. For hooks of plugins client 0.171.0 uses another
//! formula, which is not known: they have keys and no fingerprints, and stay untrusted.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

use hooks_core::activate::{Admission, Admitted};
use hooks_core::adapter::{Fingerprint, Parsed, TrustRecord};
use hooks_core::document::{JsonRules, parse_json};
use hooks_core::facts::SubjectFact;
use hooks_core::handler::Background;
use hooks_core::source::{Origin, Source};
use hooks_core::{BindingId, Definition, Handler, Place, Version};
use sha2::{Digest, Sha256};

use crate::config::{
    self,
    entry::{Entry, Style, Written, write_json, write_string},
};
use crate::events::{self, AsyncRule, Event};
use crate::{Adapter, locations};

/// The limit that stands for none written, so that writing it changes no fingerprint.
const DEFAULT_CONTEXT_LIMIT: u64 = 2500;

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
    entries.iter().filter_map(|entry| fingerprint(entry, windows)).collect()
}

fn fingerprint(entry: &Entry, windows: bool) -> Option<Fingerprint> {
    let canonical = canonical(entry.event, &entry.handler, entry.matcher.as_deref(), windows)?;
    let hash = hash(&canonical);
    Some(Fingerprint {
        place: entry.place.clone(),
        key: key(&entry.source, entry.event, &entry.place),
        canonical,
        hash,
    })
}

/// The key of a definition's record: `<source path>:<event>:<group>:<handler>`; of a plugin's
/// `<plugin>@<marketplace>:<path in the plugin>:...`. Skipped definitions have one too, so that keys beside them stay.
///
/// `None` for a definition whose event there is not.
#[must_use]
pub fn record_key(definition: &Definition) -> Option<String> {
    let event = events::find(&definition.place.event)?;
    Some(key(&definition.source, event, &definition.place))
}

fn key(source: &Source, event: &Event, place: &Place) -> String {
    let at = format!("{}:{}:{}", event.snake, place.group, place.index);
    match &source.plugin {
        Some(plugin) if source.origin == Origin::Plugin => {
            let path = source.path.strip_prefix(&plugin.root).unwrap_or(&source.path).trim_start_matches(['/', '\\']);
            match &plugin.marketplace {
                Some(marketplace) => format!("{}@{marketplace}:{path}:{at}", plugin.name),
                None => format!("{}:{path}:{at}", plugin.name),
            }
        }
        _ => format!("{}:{at}", source.path),
    }
}

/// What is trusted about a handler entry, by the client's words (`trustStatus`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// The organisation's: records do not touch it.
    Managed,
    /// The fingerprint is the one that was trusted.
    Trusted,
    /// Another fingerprint was trusted.
    Modified,
    /// None was trusted, or none can be compared.
    Untrusted,
}

impl Status {
    /// The client's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Trusted => "trusted",
            Self::Modified => "modified",
            Self::Untrusted => "untrusted",
        }
    }
}

/// How a handler entry stands: its status, and whether it is switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// What is trusted about it.
    pub status: Status,
    /// Whether it is switched on. The organisation's always is.
    pub enabled: bool,
}

impl Standing {
    /// How an entry stands by its record and its fingerprint.
    #[must_use]
    pub fn of(managed: bool, record: Option<&TrustRecord>, hash: Option<&str>) -> Self {
        if managed {
            return Self { status: Status::Managed, enabled: true };
        }
        let trusted = record.and_then(|record| record.trusted_hash.as_deref());
        let status = match (trusted, hash) {
            (Some(trusted), Some(hash)) if trusted == hash => Status::Trusted,
            (Some(_), Some(_)) => Status::Modified,
            _ => Status::Untrusted,
        };
        Self { status, enabled: record.and_then(|record| record.enabled) != Some(false) }
    }

    /// Whether it runs; with `bypass`, trust is not asked for, and what is switched off stays off.
    #[must_use]
    pub const fn runs(self, bypass: bool) -> bool {
        self.enabled && (bypass || matches!(self.status, Status::Managed | Status::Trusted))
    }

    /// The same as activation wants to hear it.
    #[must_use]
    pub const fn admitted(self, bypass: bool) -> Admitted {
        match self.status {
            _ if self.runs(bypass) => Admitted::Yes,
            _ if !self.enabled => Admitted::Disabled,
            Status::Modified => Admitted::Modified,
            _ => Admitted::Untrusted,
        }
    }
}

/// The records of all documents: those of the user's files and of session flags, in the order of precedence, field by
/// field, the later one winning.
#[must_use]
pub fn merge(documents: &[Parsed]) -> BTreeMap<String, TrustRecord> {
    let mut read: Vec<&Parsed> = documents
        .iter()
        .filter(|document| matches!(document.source.origin, Origin::User | Origin::SessionFlags))
        .collect();
    read.sort_by_key(|document| locations::precedence(&document.source));
    let mut merged: BTreeMap<String, TrustRecord> = BTreeMap::new();
    for record in read.into_iter().flat_map(|document| &document.trust) {
        let Some(known) = merged.get_mut(&record.key) else {
            merged.insert(record.key.clone(), record.clone());
            continue;
        };
        known.enabled = record.enabled.or(known.enabled);
        if record.trusted_hash.is_some() {
            known.trusted_hash.clone_from(&record.trusted_hash);
        }
    }
    merged
}

/// The record under one key that the documents come to.
fn record(documents: &[Parsed], key: &str) -> Option<TrustRecord> {
    let of = |document: &Parsed| {
        let records = document.trust.iter().filter(|record| record.key == key).cloned().collect::<Vec<_>>();
        (!records.is_empty()).then(|| Parsed { trust: records, ..Parsed::empty(Arc::clone(&document.source)) })
    };
    let those: Vec<Parsed> = documents.iter().filter_map(of).collect();
    merge(&those).remove(key)
}

/// What the records in the documents say about one definition: for hosts that take the vendor's records as advice.
pub(crate) fn advice(version: Version, windows: bool, definition: &Definition, documents: &[Parsed]) -> Admitted {
    let managed = locations::is_managed(&definition.source);
    let record = record_key(definition).and_then(|key| record(documents, &key));
    // Only what was trusted once has a fingerprint to be compared.
    let compared = record.as_ref().is_some_and(|record| record.trusted_hash.is_some());
    let hash = if compared && !managed { fingerprint_of(version, windows, definition) } else { None };
    Standing::of(managed, record.as_ref(), hash.as_deref()).admitted(false)
}

/// The fingerprint of a definition: the same as [`fingerprints`] gives for its entry, without reading the document again.
fn fingerprint_of(version: Version, windows: bool, definition: &Definition) -> Option<String> {
    let source = &definition.source;
    let event = events::find(&definition.place.event).filter(|_| source.origin != Origin::Plugin)?;
    let timeout = Some(definition.timeout.as_secs());
    let handler = match &definition.handler {
        Handler::Command(_) if event.asynchronous.at(version) != Some(AsyncRule::Background) => {
            // Where background runs are none, a definition does not say whether one was asked for, and that is hashed.
            let entries = config::entries(version, source);
            let entry = entries.iter().find(|entry| entry.place == definition.place)?;
            return fingerprint(entry, windows).map(|print| print.hash);
        }
        Handler::Command(command) => Written::Command {
            command: command.command.clone(),
            windows: command.windows.clone(),
            asynchronous: command.background != Background::No,
            timeout,
            status_message: definition.status_message.clone(),
            context_limit: definition.context_limit,
        },
        Handler::McpTool(tool) => Written::McpTool {
            server: tool.server.clone(),
            tool: tool.tool.clone(),
            input: parse_json(tool.input.get().as_bytes(), JsonRules::default()).ok()?,
            timeout,
            status_message: definition.status_message.clone(),
        },
        _ => return None,
    };
    canonical(event, &handler, definition.matcher_text.as_deref(), windows).map(|text| hash(&text))
}

/// Codex's own trust rule over a set of documents, for [`hooks_core::activate()`].
#[derive(Clone, Debug, Default)]
pub struct Trust {
    standings: HashMap<BindingId, Standing>,
    bypass: bool,
}

impl Trust {
    /// The rule that the records in the documents come to.
    #[must_use]
    pub fn of(adapter: &Adapter, documents: &[Parsed]) -> Self {
        let records = merge(documents);
        let mut standings = HashMap::new();
        for document in documents {
            let hashes: HashMap<String, String> =
                fingerprints(&document.source, adapter.version, adapter.options.windows)
                    .into_iter()
                    .map(|print| (print.key, print.hash))
                    .collect();
            for definition in &document.definitions {
                let Some(key) = record_key(definition) else { continue };
                let managed = locations::is_managed(&definition.source);
                let hash = hashes.get(&key).map(String::as_str);
                standings.insert(definition.id.clone(), Standing::of(managed, records.get(&key), hash));
            }
        }
        Self { standings, bypass: false }
    }

    /// The same rule without asking for trust. What is switched off stays off.
    #[must_use]
    pub const fn bypass(mut self, bypass: bool) -> Self {
        self.bypass = bypass;
        self
    }

    /// How a definition stands; one of no document here is untrusted.
    #[must_use]
    pub fn standing(&self, definition: &Definition) -> Standing {
        let unknown = || Standing::of(locations::is_managed(&definition.source), None, None);
        self.standings.get(&definition.id).copied().unwrap_or_else(unknown)
    }
}

impl Admission for Trust {
    fn admit(&self, definition: &Definition, _records: Option<Admitted>) -> Admitted {
        self.standing(definition).admitted(self.bypass)
    }
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
fn canonical(event: &Event, handler: &Written, matcher: Option<&str>, windows: bool) -> Option<String> {
    let mut out = String::from("{\"event_name\":");
    write_string(event.snake, &mut out);
    out.push_str(",\"hooks\":[{");
    match handler {
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
    if let Some(matcher) = matcher.filter(|_| event.facts.subject != SubjectFact::Ignored) {
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
