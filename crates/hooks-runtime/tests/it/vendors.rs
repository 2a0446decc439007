//! Documents and occurrences of the real vendors, for tests in which their rules decide.

use std::path::Path;
use std::sync::Arc;

use hooks_conformance::{Given, sample};
use hooks_core::activate::{AdmitAll, activate};
use hooks_core::{Envelope, HostProfile, HostSide, Origin, Snapshot, Source, Syntax, VendorSources};
use serde_json::{Value, json};

pub(crate) const VENDORS: [&str; 3] = ["cursor", "claude", "codex"];

pub(crate) fn adapter(vendor: &str) -> Arc<dyn HostSide> {
    match vendor {
        "cursor" => Arc::new(adapter_cursor::Adapter::latest()),
        "claude" => Arc::new(adapter_claude::Adapter::latest()),
        "codex" => Arc::new(adapter_codex::Adapter::latest()),
        other => panic!("no vendor {other}"),
    }
}

/// The entry of a command as a vendor writes it, with more members.
pub(crate) fn entry(command: &str, more: &Value) -> Value {
    let mut entry = json!({ "type": "command", "command": command });
    entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    entry
}

/// A vendor's document with these entries, each on its event.
pub(crate) fn document(vendor: &str, entries: &[(&str, Value)]) -> Value {
    let mut hooks = json!({});
    for (event, entry) in entries {
        let entry = if vendor == "cursor" { entry.clone() } else { json!({ "hooks": [entry] }) };
        let list = hooks.as_object_mut().unwrap().entry(*event).or_insert_with(|| json!([]));
        list.as_array_mut().unwrap().push(entry);
    }
    if vendor == "cursor" { json!({ "version": 1, "hooks": hooks }) } else { json!({ "hooks": hooks }) }
}

/// A project's document, parsed.
pub(crate) fn sources(adapter: &Arc<dyn HostSide>, document: &Value) -> VendorSources {
    let bytes = document.to_string().into_bytes();
    let source = Source::hooks(adapter.vendor().clone(), Origin::Project, Syntax::Json, "/p/hooks.json", bytes);
    let parsed = adapter.parse(&Arc::new(source));
    assert!(!parsed.rejected && !parsed.definitions.is_empty(), "{:?}", parsed.diagnostics);
    VendorSources { adapter: Arc::clone(adapter), documents: vec![parsed] }
}

/// A snapshot of one vendor's document, everything in it trusted.
pub(crate) fn snapshot(adapter: &Arc<dyn HostSide>, document: &Value) -> Snapshot {
    activate(vec![sources(adapter, document)], &HostProfile::full(), &AdmitAll).expect("a snapshot")
}

/// A snapshot of commands, each on its event.
pub(crate) fn commands(adapter: &Arc<dyn HostSide>, commands: &[(&str, &str)]) -> Snapshot {
    let entries: Vec<_> = commands.iter().map(|(event, command)| (*event, entry(command, &json!({})))).collect();
    snapshot(adapter, &document(adapter.vendor().as_str(), &entries))
}

/// An occurrence of an event in a folder.
pub(crate) fn occurrence(adapter: &Arc<dyn HostSide>, event: &str, folder: &Path) -> Envelope {
    let mut envelope = sample::envelope(&**adapter, event, &Given::default()).expect("an occurrence");
    envelope.common.cwd = folder.to_str().unwrap().to_owned();
    envelope.common.project_dir = None;
    envelope.common.workspace_roots = vec![envelope.common.cwd.clone()];
    envelope
}
