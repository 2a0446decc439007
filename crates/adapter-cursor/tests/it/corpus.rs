//! Configurations as people write them, through Cursor as documented now, against an index made from the vendor's
//! documents.

use std::path::PathBuf;

use adapter_cursor::{phase1, seed, vendor};
use hooks_core::definition::State;
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::{Definition, HostSide};
use serde_json::{Value, json};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus/cursor")
}

/// What the vendor registers: an event that has no boundary here is registered all the same.
fn registered(definition: &&Definition) -> bool {
    matches!(definition.state, State::Live | State::NoBoundary)
}

#[test]
fn files_load_as_the_vendor_says() {
    let index: Value =
        serde_json::from_slice(&std::fs::read(folder().join("index.json")).expect("index")).expect("JSON");
    let files = index["files"].as_array().expect("files");
    assert_eq!(files.len(), 32);
    let mut certain = 0;
    for file in files {
        let name = file["file"].as_str().expect("a name");
        let installed = file["installed_as"].as_str().expect("a place");
        let bytes = std::fs::read(folder().join(name)).expect(name);
        let origin = if installed.contains("plugin") { Origin::Plugin } else { Origin::Project };
        let source = Source::hooks(vendor().vendor().clone(), origin, Syntax::Json, installed, bytes);
        let source = std::sync::Arc::new(source);
        for adapter in [phase1(), seed()] {
            let _ = adapter.parse(&source);
        }
        let parsed = vendor().parse(&source);
        if file["valid"] != "yes" {
            continue;
        }
        certain += 1;
        assert!(!parsed.rejected, "{name}: {:?}", parsed.diagnostics);
        let ours: Vec<Value> = parsed
            .definitions
            .iter()
            .filter(registered)
            .map(|definition| {
                json!([definition.place.event, definition.matcher_text, definition.handler.kind().as_str()])
            })
            .collect();
        let theirs = file["bindings"].as_array().expect("bindings");
        assert_eq!(ours.len(), theirs.len(), "{name}");
        // The index follows the file; definitions are declared in the order of the table.
        for binding in theirs {
            let kind = binding["types"].get(0).cloned().unwrap_or_else(|| json!("command"));
            let wanted = json!([binding["event"], binding["matcher"], kind]);
            assert!(ours.contains(&wanted), "{name}: {wanted} is not among {ours:?}");
        }
    }
    assert_eq!(certain, 19);
}
