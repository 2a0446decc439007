//! What is said about documents, and what mends it.

mod corpus_index;
mod kinds;
mod page_examples;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use adapter_claude::events::ALL_TYPES;
use adapter_claude::{Adapter, VENDOR};
use hooks_core::activate::{AdmitAll, VendorSources, activate};
use hooks_core::diagnostic::{Diagnostic, Severity};
use hooks_core::source::{Life, Origin, Plugin, Role, Source, Syntax};
use hooks_core::{HostProfile, HostSide};

/// Documents by path.
type Files = [(String, Vec<u8>)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A document as its path says what it is.
fn source(path: &str, bytes: &[u8]) -> Source {
    let make = |origin, syntax| Source::hooks(VENDOR, origin, syntax, path, bytes);
    let plugin = || Some(Plugin { name: "p".into(), root: "/p".into(), ..Plugin::default() });
    match path {
        _ if path.ends_with("hooks/hooks.json") => Source { plugin: plugin(), ..make(Origin::Plugin, Syntax::Json) },
        _ if path.ends_with("plugin.json") => {
            Source { plugin: plugin(), role: Role::PluginManifest, ..make(Origin::Plugin, Syntax::Json) }
        }
        _ if path.ends_with("SKILL.md") => Source { life: Life::Session, ..make(Origin::Frontmatter, Syntax::Yaml) },
        _ if path.starts_with("my-plugin/agents/") => {
            Source { life: Life::Agent("a".into()), plugin: plugin(), ..make(Origin::Frontmatter, Syntax::Yaml) }
        }
        _ if path.contains("settings.local.json") => make(Origin::Local, Syntax::Json),
        _ if path.starts_with('~') => make(Origin::User, Syntax::Json),
        _ => make(Origin::Project, Syntax::Json),
    }
}

/// What is said about documents side by side.
fn said(files: &Files) -> Vec<Diagnostic> {
    let adapter = Arc::new(Adapter::latest());
    let documents: Vec<_> = files.iter().map(|(path, bytes)| adapter.parse(&Arc::new(source(path, bytes)))).collect();
    for document in &documents {
        let starts: Vec<_> =
            document.diagnostics.iter().map(|found| found.range.as_ref().map_or(0, |range| range.start)).collect();
        assert!(starts.is_sorted(), "not in the order of the file: {:?}", document.diagnostics);
    }
    let host = HostProfile::full().handlers(ALL_TYPES.iter().copied());
    let snapshot = activate(vec![VendorSources { adapter, documents }], &host, &AdmitAll);
    snapshot.expect("nothing refuses").diagnostics().to_vec()
}

fn said_of(path: &str, text: &str) -> Vec<Diagnostic> {
    said(&[(path.to_owned(), text.as_bytes().to_vec())])
}

/// A document with a diagnostic's edits made, which do not overlap.
fn mended(bytes: &[u8], found: &Diagnostic) -> Vec<u8> {
    let mut edits = found.edits.clone();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut out = Vec::new();
    let mut at = 0;
    for edit in edits {
        assert!(edit.range.start >= at && edit.range.end <= bytes.len(), "{found:?}");
        out.extend_from_slice(&bytes[at..edit.range.start]);
        out.extend_from_slice(edit.text.as_bytes());
        at = edit.range.end;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// Makes the edits of each diagnostic on its own: that finding is gone, and no other of its kind has come. The number of
/// those that have edits.
fn edits_mend(files: &Files) -> usize {
    let before = said(files);
    let count = |all: &[Diagnostic], code: &str| all.iter().filter(|found| found.code.id == code).count();
    let mut made = 0;
    for found in before.iter().filter(|found| !found.edits.is_empty()) {
        let mut after = files.to_vec();
        let (_, bytes) = after.iter_mut().find(|(path, _)| *path == found.path).expect("the document");
        *bytes = mended(bytes, found);
        let text = String::from_utf8_lossy(bytes).into_owned();
        let now = said(&after);
        let left = count(&now, found.code.id);
        assert!(left < count(&before, found.code.id), "{found:?}\n{text}\n{now:?}");
        let error = |one: &&Diagnostic| one.severity == Severity::Error;
        let (was, is) = (before.iter().filter(error).count(), now.iter().filter(error).count());
        // A document that was not read before can show what else is wrong with it.
        assert!(is <= was || found.code.about == "not-json", "{found:?}\n{text}\n{now:?}");
        made += 1;
    }
    made
}
