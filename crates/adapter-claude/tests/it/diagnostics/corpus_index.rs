//! The corpus, whose index says what is wrong in each file, and plainly right files, of which nothing is said.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use super::{edits_mend, root, said, said_of};

/// What is said of each file of the corpus, as its index has it: the file, the index's pointer, and the code; or why another
/// part says it.
const CORPUS: &[(&str, &str, Result<&str, &str>)] = &[
    ("005-matcher-where-ignored.json", "/hooks/UserPromptSubmit/0/matcher", Ok("claude/matcher-ignored")),
    ("007-mcp-matchers.json", "/hooks/PreToolUse/0/matcher", Ok("claude/matcher-names-a-server")),
    ("008-lower-case-tool.json", "/hooks/PreToolUse/0/matcher", Ok("claude/matcher-letter-case")),
    ("009-permission-rule-as-matcher.json", "/hooks/PreToolUse/0/matcher", Ok("claude/matcher-looks-like-rule")),
    ("012-prompt-on-precompact.json", "/hooks/PreCompact/0/hooks/0", Ok("claude/handler-type-not-run-here")),
    ("012-prompt-on-precompact.json", "/hooks/SessionStart/0/hooks/0", Ok("claude/handler-type-not-run-here")),
    ("014-timeouts-in-milliseconds.json", "/hooks/PreToolUse/0/hooks/0/timeout", Ok("claude/timeout-in-milliseconds")),
    ("015-flat-entry-no-inner-array.json", "/hooks/PreToolUse/0", Ok("claude/handler-in-place-of-group")),
    ("016-matcher-as-object.json", "/", Ok("claude/wrong-type")),
    ("017-hooks-as-array.json", "/hooks", Ok("claude/hooks-not-object")),
    ("018-unknown-event.json", "/hooks/PreCommit", Ok("claude/unknown-event")),
    ("019-line-comments.json", "/", Ok("claude/comment-in-json")),
    ("021-plugin-with-description.json", "/hooks/PreToolUse/0/matcher", Ok("claude/matcher-retired-tool")),
    ("022-plugin-command-is-array.json", "/hooks/PreToolUse/0/hooks/0/command", Ok("claude/wrong-type")),
    (
        "023-dead-environment-variables.json",
        "/hooks/PostToolUse/0/hooks/0/command",
        Err("which variables a command names is looked at with the command, by `crosshook check`"),
    ),
    ("027-unknown-handler-keys.json", "/hooks/PostToolUse/0/when", Ok("claude/unknown-field")),
    (
        "029-guarded-command.json",
        "/hooks/PreToolUse/0/hooks/0/command",
        Err("whether the script is there is looked at with the command, by `crosshook check`"),
    ),
    (
        "029-guarded-command.json",
        "/hooks/PostToolUse/0/hooks/1/command",
        Err("from which folder a path counts is looked at with the command, by `crosshook check`"),
    ),
];

/// Files of which something is said although the index warns of nothing, with the code and why.
const SAID_TOO: &[(&str, &str, &str)] = &[(
    "025-same-handler-twice.json",
    "claude/duplicate-handler",
    "the index leaves open what the client does; it was seen to run one copy, which the remark says",
)];

fn corpus() -> (Value, PathBuf) {
    let folder = root().join("fixtures/corpus/claude");
    let index = std::fs::read(folder.join("index.json")).expect("the index");
    (serde_json::from_slice(&index).expect("an index"), folder)
}

#[test]
fn the_corpus_is_told_of_where_its_index_says() {
    let (index, folder) = corpus();
    let mut listed = Vec::new();
    let mut quiet = 0;
    for file in index["files"].as_array().expect("files") {
        let name = file["file"].as_str().expect("a name");
        let place = file["installed_as"].as_str().expect("a place").split(' ').next().expect("a path");
        let bytes = std::fs::read(folder.join(name)).expect("the file");
        let files = [(place.to_owned(), bytes)];
        let found = said(&files);
        edits_mend(&files);
        let entries = |key: &str| file[key].as_array().cloned().unwrap_or_default();
        let wanted: Vec<Value> = [entries("warnings"), entries("skipped")].concat();
        for entry in &wanted {
            let at = entry["at"].as_str().expect("a pointer");
            listed.push((name.to_owned(), at.to_owned()));
            let row = CORPUS.iter().find(|(file, pointer, _)| *file == name && *pointer == at);
            let (_, _, code) = row.unwrap_or_else(|| panic!("{name} {at}: {entry}"));
            // The index gives the entry where we give the key in it, and the root where the fault has no pointer.
            let fits = |pointer: &str| {
                at == "/" || pointer == at || pointer.strip_prefix(at).is_some_and(|more| more.starts_with('/'))
            };
            if let Ok(code) = code {
                let there = found.iter().any(|one| one.code.id == *code && fits(one.pointer.as_deref().unwrap_or("/")));
                assert!(there, "{name} {at}: no {code} in {found:?}");
            }
        }
        let right = file["valid"] == "yes" && wanted.is_empty();
        let too: Vec<&str> = SAID_TOO.iter().filter(|(file, ..)| *file == name).map(|(_, code, _)| *code).collect();
        if right {
            let codes: Vec<&str> = found.iter().map(|one| one.code.id).collect();
            assert_eq!(codes, too, "{name}: {found:?}");
            quiet += usize::from(too.is_empty());
        }
    }
    let rows: BTreeSet<_> = CORPUS.iter().map(|(file, at, _)| ((*file).to_owned(), (*at).to_owned())).collect();
    assert_eq!(rows, listed.into_iter().collect(), "rows of files that are not in the index");
    assert!(quiet > 9, "{quiet}");
}

#[test]
fn plainly_right_configurations_are_not_told_of() {
    for case in crate::fixtures::cases() {
        let found = said_of(".claude/settings.json", &case.hooks);
        assert!(found.is_empty(), "{}: {found:?}", case.label());
    }
}

/// The rows of the cases that people ask about, by what is said of their configuration.
const CASES: &[(&str, &[&str])] = &[
    ("claude-async-cannot-deny", &["claude/async-decides-nothing"]),
    ("claude-bare-mcp-prefix", &["claude/matcher-names-a-server"]),
];

#[test]
fn configurations_of_the_cases_are_told_of_where_they_are_at_fault() {
    let bytes = std::fs::read(root().join("fixtures/corpus/claude/cases.json")).expect("the cases");
    let cases: Value = serde_json::from_slice(&bytes).expect("cases");
    let mut seen = 0;
    for case in cases["cases"].as_array().expect("cases").iter().filter(|case| case["vendor"] == "claude") {
        let id = case["id"].as_str().expect("an id");
        let found = said_of(".claude/settings.json", &case["config"]["content"].to_string());
        let codes: Vec<&str> = found.iter().map(|one| one.code.id).collect();
        let wanted = CASES.iter().find(|(of, _)| *of == id).map_or(&[][..], |(_, codes)| codes);
        assert_eq!(codes, wanted, "{id}: {found:?}");
        seen += 1;
    }
    assert!(seen > 15, "{seen}");
}
