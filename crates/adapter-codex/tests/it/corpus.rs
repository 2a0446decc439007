//! Configurations rewritten from public files.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use adapter_codex::Adapter;
use adapter_codex::events::find;
use hooks_core::facts::SubjectFact;
use hooks_core::source::{Origin, Role, Source, Syntax};
use hooks_core::{HostSide, State};
use serde_json::Value;

fn source(entry: &Value) -> Source {
    let file = entry["file"].as_str().unwrap();
    let installed = entry["installed_as"].as_str().unwrap();
    let bytes = fs::read(crate::fixtures("corpus/codex").join(file)).unwrap();
    let syntax = if file.ends_with(".toml") { Syntax::Toml } else { Syntax::Json };
    let origin = match installed {
        _ if installed.starts_with('~') => Origin::User,
        "requirements.toml" => Origin::Managed,
        _ if installed.contains("(plugin)") => Origin::Plugin,
        _ => Origin::Project,
    };
    let mut source = Source::hooks(Adapter::latest().vendor().clone(), origin, syntax, installed, bytes);
    if installed == "requirements.toml" {
        source.role = Role::Requirements;
    }
    source
}

#[test]
fn bindings_are_those_of_the_index() {
    let index: Value = serde_json::from_slice(&fs::read(crate::fixtures("corpus/codex/index.json")).unwrap()).unwrap();
    let mut compared = 0;
    for entry in index["files"].as_array().unwrap() {
        let parsed = Adapter::latest().parse(&Arc::new(source(entry)));
        match entry["valid"].as_str().unwrap() {
            "yes" => {}
            "no" => {
                assert!(parsed.rejected, "{}", entry["file"]);
                continue;
            }
            _ => continue,
        }
        compared += 1;
        assert!(!parsed.rejected, "{}: {:?}", entry["file"], parsed.diagnostics);
        let mut groups: BTreeMap<(String, u32), (Option<String>, u64)> = BTreeMap::new();
        for definition in parsed.definitions.iter().filter(|definition| definition.state == State::Live) {
            let group = groups
                .entry((definition.place.event.clone(), definition.place.group))
                .or_insert_with(|| (definition.matcher_text.clone(), 0));
            group.1 += 1;
        }
        let mut found: Vec<_> =
            groups.into_iter().map(|((event, _), (matcher, count))| (event, matcher, count)).collect();
        let mut wanted: Vec<_> = entry["bindings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|binding| {
                let event = binding["event"].as_str().unwrap();
                // The index copies a matcher as written; where the event ignores it, it is none.
                let ignored = find(event).unwrap().facts.subject == SubjectFact::Ignored;
                let matcher = binding["matcher"].as_str().filter(|_| !ignored).map(str::to_owned);
                (event.to_owned(), matcher, binding["handlers"].as_u64().unwrap())
            })
            .collect();
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "{}", entry["file"]);
    }
    assert!(compared >= 15, "{compared}");
}
