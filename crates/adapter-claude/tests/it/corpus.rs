//! Files as people write them, against what the vendor's documentation says becomes of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use adapter_claude::{Adapter, VENDOR};
use hooks_core::HostSide;
use hooks_core::adapter::{Parsed, Switch};
use hooks_core::definition::State;
use hooks_core::source::{Origin, Plugin, Source, Syntax};
use serde::Deserialize;

#[derive(Deserialize)]
struct Index {
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    file: String,
    installed_as: String,
    valid: String,
    load: String,
    bindings: Vec<Bound>,
}

#[derive(Debug, Deserialize, PartialEq, Eq)]
struct Bound {
    event: String,
    matcher: Option<String>,
    handlers: usize,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus/claude")
}

fn parse(file: &File) -> Parsed {
    let bytes = std::fs::read(folder().join(&file.file)).expect("the file");
    let plugin = file.installed_as.contains("plugin");
    let origin = match file.installed_as.starts_with('~') {
        _ if plugin => Origin::Plugin,
        true => Origin::User,
        false => Origin::Project,
    };
    let mut source = Source::hooks(VENDOR, origin, Syntax::Json, file.installed_as.clone(), bytes);
    source.plugin = plugin.then(|| Plugin { name: "p".into(), root: "/p".into(), ..Plugin::default() });
    Adapter::latest().parse(&Arc::new(source))
}

/// Live definitions by group, in the order of the file.
fn groups(parsed: &Parsed) -> Vec<Bound> {
    let mut groups: Vec<(String, u32, Bound)> = Vec::new();
    for definition in parsed.definitions.iter().filter(|definition| definition.state == State::Live) {
        let place = &definition.place;
        match groups.iter_mut().find(|(event, group, _)| *event == place.event && *group == place.group) {
            Some((.., bound)) => bound.handlers += 1,
            None => {
                let bound = Bound { event: place.event.clone(), matcher: definition.matcher_text.clone(), handlers: 1 };
                groups.push((place.event.clone(), place.group, bound));
            }
        }
    }
    groups.into_iter().map(|(.., bound)| bound).collect()
}

#[test]
fn files_bind_what_the_documentation_says() {
    let index: Index =
        serde_json::from_slice(&std::fs::read(folder().join("index.json")).expect("index")).expect("an index");
    assert_eq!(index.files.len(), 29);
    for file in &index.files {
        let parsed = parse(file);
        match (file.valid.as_str(), file.load.as_str()) {
            ("yes", _) => {
                assert!(!parsed.rejected, "{}: {:?}", file.file, parsed.diagnostics);
                assert_eq!(groups(&parsed), file.bindings, "{}", file.file);
            }
            (_, "file-rejected") => assert!(parsed.rejected, "{}", file.file),
            // What the documentation leaves open must not be assumed; it must not panic.
            _ => {}
        }
        for diagnostic in &parsed.diagnostics {
            let range = diagnostic.range.clone().unwrap_or(0..0);
            assert!(range.end <= std::fs::metadata(folder().join(&file.file)).expect("file").len() as usize);
        }
    }
}

#[test]
fn what_the_documentation_warns_of_is_reported() {
    for (file, about) in [
        ("005-matcher-where-ignored.json", "matcher-ignored"),
        ("007-mcp-matchers.json", "matcher-names-a-server"),
        ("008-lower-case-tool.json", "matcher-letter-case"),
        ("009-permission-rule-as-matcher.json", "matcher-looks-like-rule"),
        ("012-prompt-on-precompact.json", "handler-type-not-run-here"),
        ("014-timeouts-in-milliseconds.json", "timeout-in-milliseconds"),
        ("018-unknown-event.json", "unknown-event"),
        ("019-line-comments.json", "not-json"),
        ("022-plugin-command-is-array.json", "wrong-type"),
        ("025-same-handler-twice.json", "duplicate-handler"),
    ] {
        let installed_as = if file.starts_with("022") { "hooks/hooks.json (plugin)" } else { ".claude/settings.json" };
        let parsed = parse(&File {
            file: file.into(),
            installed_as: installed_as.into(),
            valid: String::new(),
            load: String::new(),
            bindings: Vec::new(),
        });
        let found: Vec<_> = parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.about).collect();
        assert!(found.contains(&about), "{file}: {found:?}");
    }
}

#[test]
fn a_switch_in_a_file_is_read() {
    let parsed = parse(&File {
        file: "024-all-hooks-disabled.json".into(),
        installed_as: "~/.claude/settings.json".into(),
        valid: String::new(),
        load: String::new(),
        bindings: Vec::new(),
    });
    assert_eq!(parsed.switches, [Switch::DisableAll(true)]);
}
