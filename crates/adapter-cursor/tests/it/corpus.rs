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

/// What is done where the index has no answer, or two: nobody says that this is what Cursor does.
#[test]
fn what_nobody_says_is_recorded() {
    let recorded: [(&str, bool, usize, &[&str]); 13] = [
        // The newest page requires the key; an older one has a default of 1.
        ("003-no-version-key.json", true, 0, &["missing-field"]),
        ("004-version-as-string.json", true, 0, &["unsupported-version"]),
        ("005-top-level-comment-keys.json", false, 1, &[]),
        ("006-entry-description-and-event.json", false, 1, &["unknown-field", "unknown-field"]),
        // One client was seen to take nothing from such a file.
        (
            "007-claude-nesting-under-cursor-events.json",
            true,
            0,
            &["unknown-field", "missing-field", "unknown-field", "missing-field"],
        ),
        ("008-pascalcase-events-flat.json", false, 1, &["unknown-event", "unknown-event"]),
        ("016-mcp-event-with-matcher.json", false, 1, &[]),
        ("018-matcher-as-object.json", true, 0, &["wrong-type"]),
        ("019-event-value-is-object.json", true, 0, &["wrong-type"]),
        ("020-events-at-top-level.json", true, 0, &["missing-field", "missing-field"]),
        ("026-line-comments.json", true, 0, &["not-json"]),
        ("027-utf8-bom.json", true, 0, &["not-json"]),
        ("028-unknown-event-names.json", false, 1, &["unknown-event", "unknown-event"]),
    ];
    let index: Value =
        serde_json::from_slice(&std::fs::read(folder().join("index.json")).expect("index")).expect("JSON");
    let unsure = index["files"].as_array().expect("files").iter().filter(|file| file["valid"] != "yes");
    let names: Vec<_> = unsure.map(|file| file["file"].as_str().expect("a name")).collect();
    assert_eq!(names, recorded.map(|(name, ..)| name));
    for (name, rejected, live, about) in recorded {
        let bytes = std::fs::read(folder().join(name)).expect(name);
        let path = "/p/.cursor/hooks.json";
        let source = Source::hooks(vendor().vendor().clone(), Origin::Project, Syntax::Json, path, bytes);
        let parsed = vendor().parse(&source.into());
        assert_eq!(parsed.rejected, rejected, "{name}");
        assert_eq!(parsed.definitions.iter().filter(registered).count(), live, "{name}");
        let told: Vec<_> = parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.about).collect();
        assert_eq!(told, about, "{name}");
    }
}

/// What the index calls documented and a file can show: a timeout in milliseconds is told.
#[test]
fn a_timeout_in_milliseconds_is_told() {
    let bytes = std::fs::read(folder().join("009-timeouts-in-milliseconds.json")).expect("the file");
    let source =
        Source::hooks(vendor().vendor().clone(), Origin::Project, Syntax::Json, "/p/.cursor/hooks.json", bytes);
    let parsed = vendor().parse(&source.into());
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(parsed.diagnostics[0].code.about, "timeout-in-milliseconds");
    assert_eq!(parsed.diagnostics[0].pointer.as_deref(), Some("/hooks/beforeShellExecution/0/timeout"));
}
