//! Entries in the shape of another vendor's file.

use std::collections::HashSet;

use hooks_core::Diagnostic;
use hooks_core::document::Node;

use super::{Document, Documents, Input, keys};

/// Adds to an entry of the wrong shape whose shape it is.
pub(super) fn enrich(input: &Input<'_>, document: &Document<'_>, diagnostic: &mut Diagnostic) {
    let Some(entry) = diagnostic.pointer.as_deref().and_then(|pointer| document.at(pointer)) else { return };
    let Some(object) = entry.as_object() else { return };
    if document.is_told(input, diagnostic) {
        return;
    }
    if let Some(key) = keys::copilots(entry) {
        diagnostic.message.push_str(&format!("; with `{key}` it has the form of GitHub Copilot's hooks"));
        let windows = key == "powershell";
        if !windows && diagnostic.edits.is_empty() && diagnostic.code.about == "missing-field" {
            diagnostic.help = "Write the text of `bash` as `command`.".into();
            if let Some(member) = object.member(key) {
                let quoted = if member.key_range.len() == key.len() { "command" } else { "\"command\"" };
                *diagnostic = diagnostic
                    .clone()
                    .edit(member.key_range.clone(), quoted)
                    .changes("the file is read and the hook runs, which it did not before");
            }
        }
        return;
    }
    let flat = document.adapter.vendor().as_str() == "cursor";
    let nests = object.get("hooks").and_then(Node::as_array).is_some();
    if flat && nests && diagnostic.code.about == "missing-field" {
        diagnostic.message.push_str("; groups with an inner `hooks` are Claude Code's and Codex's form");
    }
    if !flat && diagnostic.code.about == "handler-in-place-of-group" {
        diagnostic.message.push_str("; flat entries are Cursor's form");
    }
}

/// Takes out what is told of a key of GitHub Copilot's where the entry that it stands in is told of because of it.
pub(super) fn one_fault_once(documents: &mut Documents<'_>, found: &mut Vec<Diagnostic>) {
    let entries: HashSet<(String, String)> = found
        .iter()
        .filter(|told| told.code.about == "missing-field" && told.message.contains("GitHub Copilot"))
        .filter_map(|told| Some((told.path.clone(), told.pointer.clone()?)))
        .collect();
    if entries.is_empty() {
        return;
    }
    found.retain(|told| {
        let key = told.pointer.as_deref().and_then(|pointer| pointer.rsplit_once('/'));
        let mut same = |(entry, key): (&str, &str)| {
            let is_told = entries.contains(&(told.path.clone(), entry.to_owned()));
            let mut form = || documents.get(&told.path)?.at(entry).and_then(keys::copilots);
            is_told && form() == Some(key)
        };
        told.code.about != "unknown-field" || !key.is_some_and(&mut same)
    });
}
