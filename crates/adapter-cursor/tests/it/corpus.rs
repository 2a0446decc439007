//! Configurations as people write them, through Cursor as documented now, against an index made from the vendor's
//! documents.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use adapter_cursor::{Adapter, phase1, seed, vendor};
use hooks_core::adapter::Parsed;
use hooks_core::definition::State;
use hooks_core::diagnostic::Edit;
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::{Definition, HostSide};
use serde_json::{Value, json};

use crate::support::mended;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus/cursor")
}

/// What the vendor registers: an event that has no boundary here is registered all the same.
fn registered(definition: &&Definition) -> bool {
    matches!(definition.state, State::Live | State::NoBoundary)
}

/// The files of the index, each with its own entry there and its text.
fn files() -> Vec<(String, Value, String)> {
    let index: Value =
        serde_json::from_slice(&std::fs::read(folder().join("index.json")).expect("index")).expect("JSON");
    let files = index["files"].as_array().expect("files").iter();
    let read = |file: &Value| {
        let name = file["file"].as_str().expect("a name");
        (name.to_owned(), file.clone(), std::fs::read_to_string(folder().join(name)).expect(name))
    };
    files.map(read).collect()
}

/// A file as a document in its place.
fn source(file: &Value, text: &str) -> Arc<Source> {
    let installed = file["installed_as"].as_str().expect("a place");
    let origin = if installed.contains("plugin") { Origin::Plugin } else { Origin::Project };
    Arc::new(Source::hooks(vendor().vendor().clone(), origin, Syntax::Json, installed, text.as_bytes()))
}

fn checked(file: &Value, text: &str) -> Parsed {
    Adapter::latest().parse(&source(file, text))
}

#[test]
fn files_load_as_the_vendor_says() {
    let files = files();
    assert_eq!(files.len(), 32);
    let mut certain = 0;
    for (name, file, text) in &files {
        let source = source(file, text);
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

/// What tells of something that the index warns of.
enum Told {
    /// A code of this adapter, at the same pointer.
    By(&'static str),
    /// Something else, and why.
    Not(&'static str),
}
use Told::{By, Not};

/// Everything that the index warns of: the file, the pointer there, and what tells of it. A place with several remarks
/// stands here once for each, in their order.
const WARNINGS: &[(&str, &str, Told)] = &[
    ("003", "/", By("cursor/missing-field")),
    ("004", "/version", By("cursor/unsupported-version")),
    ("007", "/hooks/preToolUse/0", By("cursor/claude-shape")),
    ("007", "/hooks/preToolUse/0/matcher", By("cursor/matcher-star")),
    ("008", "/hooks/PreToolUse", By("cursor/unknown-event")),
    ("008", "/hooks/PostToolUse", By("cursor/unknown-event")),
    ("009", "/hooks/beforeShellExecution/0/timeout", By("cursor/timeout-in-milliseconds")),
    ("010", "/hooks/stop/0/loop_limit", By("cursor/loop-limit-none")),
    (
        "012",
        "/hooks/beforeShellExecution/0",
        Not("a contradiction between two parts of Cursor's page; the file does as its author means"),
    ),
    ("012", "/hooks/beforeShellExecution/0", By("cursor/prompt-not-in-cloud")),
    ("014", "/hooks/beforeShellExecution/0/matcher", By("cursor/matcher-blank")),
    ("015", "/hooks/subagentStart/0/matcher", By("cursor/matcher-tool-name")),
    ("017", "/hooks/preToolUse/0/matcher", By("cursor/matcher-unknown-tool")),
    ("017", "/hooks/preToolUse/1/matcher", By("cursor/matcher-claude-tool")),
    ("019", "/hooks/beforeShellExecution", By("cursor/wrong-type")),
    ("019", "/hooks/beforeShellExecution/args", By("cursor/unknown-field")),
    ("020", "/", By("cursor/missing-field")),
    ("028", "/hooks/onSessionStart", By("cursor/unknown-event")),
    ("028", "/hooks/afterSave", By("cursor/unknown-event")),
    ("029", "/hooks", By("cursor/guard-on-two-events")),
    (
        "030",
        "/hooks/stop/0/command",
        Not(
            "whether a command's file is there takes a look at the disk, which is the command's part and not the adapter's",
        ),
    ),
    (
        "031",
        "/hooks/preToolUse/0/command",
        Not("how a shell reads a command's quotes is told for all vendors alike, by the command"),
    ),
    ("031", "/hooks/preToolUse/0/matcher", By("cursor/matcher-unknown-tool")),
];

#[test]
fn what_the_index_warns_of_is_told_where_it_is() {
    let mut expected = WARNINGS.iter();
    let mut well = 0;
    for (name, file, text) in files() {
        let parsed = checked(&file, &text);
        let remarks = |key: &str| file[key].as_array().cloned().unwrap_or_default();
        let warnings = [remarks("warnings"), remarks("skipped")].concat();
        for warning in &warnings {
            let at = warning["at"].as_str().expect("a pointer");
            let (number, pointer, told) = expected.next().unwrap_or_else(|| panic!("{name}: {warning}"));
            assert!(name.starts_with(number) && at == *pointer, "{name}: {warning} is not {number} {pointer}");
            let pointer = if at == "/" { "" } else { at };
            match told {
                Not(why) => assert!(why.len() > 20),
                By(code) => assert!(
                    parsed
                        .diagnostics
                        .iter()
                        .any(|told| told.code.id == *code && told.pointer.as_deref() == Some(pointer)),
                    "{name}: no {code} at {at}: {:#?}",
                    parsed.diagnostics
                ),
            }
        }
        if file["valid"] == "yes" && warnings.is_empty() {
            well += 1;
            // The index leaves open which folder a plugin's hooks run in.
            let told = parsed.diagnostics.iter().filter(|told| told.code.id != "cursor/plugin-relative-path");
            assert_eq!(told.count(), 0, "{name}: {:#?}", parsed.diagnostics);
        }
    }
    assert!(expected.next().is_none());
    assert_eq!(well, 10);
}

/// Everything that is told of each file: what nobody says is recorded as it is done here.
#[test]
fn nothing_else_is_told() {
    let recorded: BTreeMap<&str, (bool, usize, &[&str])> = [
        // The newest page requires the key; an older one has a default of 1.
        ("003", (true, 0, &["missing-field"][..])),
        ("004", (true, 0, &["unsupported-version"])),
        ("006", (false, 1, &["unknown-field", "unknown-field"])),
        // One client was seen to take nothing from such a file.
        ("007", (true, 0, &["claude-shape", "matcher-star", "claude-shape"])),
        ("008", (false, 1, &["unknown-event", "unknown-event"])),
        ("009", (false, 2, &["timeout-in-milliseconds"])),
        ("010", (false, 2, &["loop-limit-none"])),
        ("012", (false, 1, &["prompt-not-in-cloud"])),
        ("014", (false, 2, &["matcher-blank"])),
        ("015", (false, 1, &["matcher-tool-name"])),
        ("017", (false, 2, &["matcher-unknown-tool", "matcher-claude-tool", "matcher-claude-tool"])),
        ("018", (true, 0, &["wrong-type"])),
        ("019", (true, 0, &["wrong-type", "unknown-field"])),
        ("020", (true, 0, &["missing-field", "missing-field"])),
        ("026", (true, 0, &["comment", "comment"])),
        ("027", (true, 0, &["byte-order-mark"])),
        ("028", (false, 1, &["unknown-event", "unknown-event"])),
        ("029", (false, 2, &["guard-on-two-events"])),
        ("031", (false, 1, &["matcher-unknown-tool"])),
        // Which folder a plugin's hooks run in, the index leaves open.
        ("032", (false, 2, &["plugin-relative-path", "plugin-relative-path"])),
    ]
    .into();
    for (name, file, text) in files() {
        let parsed = checked(&file, &text);
        let told: Vec<_> =
            parsed.diagnostics.iter().map(|told| told.code.id.strip_prefix("cursor/").expect("a word")).collect();
        let Some((rejected, live, codes)) = recorded.get(&name[..3]) else {
            assert!(told.is_empty() && !parsed.rejected, "{name}: {told:?}");
            continue;
        };
        assert_eq!(told, *codes, "{name}");
        assert_eq!(parsed.rejected, *rejected, "{name}");
        assert_eq!(parsed.definitions.iter().filter(registered).count(), *live, "{name}");
        assert!(parsed.diagnostics.is_sorted_by_key(|told| told.range.clone().expect("a place").start), "{name}");
    }
}

/// Each edit takes its own finding away, and what it says nothing about stays as it was.
#[test]
fn every_edit_takes_its_finding_away() {
    let mut tried = 0;
    for (name, file, text) in files() {
        let parsed = checked(&file, &text);
        for told in parsed.diagnostics.iter().filter(|told| !told.edits.is_empty()) {
            tried += 1;
            let mended_text = mended(&text, &told.edits);
            let after = checked(&file, &mended_text);
            let count = |parsed: &Parsed| parsed.diagnostics.iter().filter(|other| other.code == told.code).count();
            assert!(count(&after) < count(&parsed), "{name}: {told:#?} became {mended_text}");
            if told.changes.is_none() {
                let live = |parsed: &Parsed| parsed.definitions.iter().filter(registered).count();
                assert_eq!(live(&after), live(&parsed), "{name}: {told:#?}");
            }
        }
        // All that fit together, as one run makes them, and again.
        let mut all_mended = text.clone();
        for _ in 0..4 {
            let all: Vec<Edit> =
                checked(&file, &all_mended).diagnostics.iter().flat_map(|told| told.edits.clone()).collect();
            all_mended = mended(&all_mended, &all);
        }
        let after = checked(&file, &all_mended);
        assert!(after.diagnostics.iter().all(|told| told.edits.is_empty()), "{name}: {all_mended}: {after:#?}");
    }
    assert!(tried > 12, "{tried}");
}

/// The configurations of the cases are well: no diagnostic is about them.
#[test]
fn the_cases_are_well_configured() {
    let cases: Value =
        serde_json::from_slice(&std::fs::read(folder().join("cases.json")).expect("cases")).expect("JSON");
    let mut seen = 0;
    for case in cases["cases"].as_array().expect("cases") {
        let config = &case["config"];
        let Some(content) = config.get("content") else { continue };
        seen += 1;
        let path = config["file"].as_str().expect("a file");
        let text = content.to_string();
        let source = Source::hooks(vendor().vendor().clone(), Origin::Project, Syntax::Json, path, text.as_bytes());
        let told = Adapter::latest().parse(&source.into()).diagnostics;
        // The blank in one of them is the point of the case.
        let blank = case["id"] == "cursor-shell-matcher-substring";
        let codes: Vec<_> = told.iter().map(|told| told.code.id).collect();
        assert_eq!(codes, if blank { &["cursor/matcher-blank"][..] } else { &[] }, "{}", case["id"]);
    }
    assert!(seen > 12, "{seen}");
}
