//! Hooks that stand in two files which are both read.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use hooks_core::source::Role;
use hooks_core::{Boundary, Definition, Diagnostic, Handler, HostSide, Reach, Source, State};

use super::super::codes;
use super::super::command::called;
use super::{Documents, Input};

/// Looks at the definitions side by side.
pub(super) fn check(input: &Input<'_>, documents: &mut Documents<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for vendor in input.vendors {
        let runs = |definition: &&Arc<Definition>| {
            definition.vendor == *vendor.adapter.vendor()
                && definition.state == State::Live
                && matches!(definition.handler, Handler::Command(_))
        };
        let own: Vec<&Definition> = input.definitions.iter().filter(runs).map(|definition| &**definition).collect();
        in_two_files(&*vendor.adapter, &own, documents, &mut found);
        if vendor.adapter.locations().iter().any(|location| location.role == Role::ForeignHooks) {
            read_as_well(input, &*vendor.adapter, &own, documents, &mut found);
        }
    }
    found
}

/// One hook in two files of a vendor that takes no copies out: both run. Where it does, its adapter tells.
fn in_two_files(
    adapter: &dyn HostSide,
    own: &[&Definition],
    documents: &mut Documents<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let mut seen: HashMap<(&str, String, Option<&str>), &Definition> = HashMap::new();
    for one in own.iter().filter(|one| one.dedup_key.is_none()) {
        let key = (one.place.event.as_str(), one.handler.label(), one.matcher_text.as_deref());
        let first = *seen.entry(key).or_insert(one);
        if first.source.path == one.source.path || first.handler != one.handler || first.condition != one.condition {
            continue;
        }
        let vendor = called(adapter.vendor().as_str());
        let message = format!("the same hook stands in another file that {vendor} reads, and both run");
        let told = about(documents, one, message);
        found.push(told.related_in(first.source.path.clone(), "the same hook", place_of(documents, first).0));
    }
}

/// One hook in a vendor's own file and in another vendor's that it reads as well.
fn read_as_well(
    input: &Input<'_>,
    adapter: &dyn HostSide,
    own: &[&Definition],
    documents: &mut Documents<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let native = own.iter().filter(|one| one.source.role != Role::ForeignHooks);
    let natives: Vec<(String, &Definition)> = native.filter_map(|one| Some((script(one)?, *one))).collect();
    if natives.is_empty() {
        return;
    }
    let others = input.vendors.iter().filter(|vendor| vendor.adapter.vendor() != adapter.vendor());
    for document in others.flat_map(|vendor| &vendor.documents) {
        let source = &document.source;
        let is_read = adapter.locations().iter().any(|location| {
            location.role == Role::ForeignHooks
                && location.origin == source.origin
                && Path::new(&source.path).ends_with(location.path)
        });
        if !is_read || source.plugin.is_some() || document.rejected {
            continue;
        }
        let read = Source { vendor: adapter.vendor().clone(), role: Role::ForeignHooks, ..Source::clone(source) };
        let read = adapter.parse(&Arc::new(read));
        let mut theirs: HashMap<(String, Option<Boundary>), &Definition> = HashMap::new();
        for one in read.definitions.iter().filter(|one| one.state == State::Live) {
            let Some(script) = script(one) else { continue };
            theirs.entry((script, one.boundary)).or_insert(one);
        }
        for (script, one) in &natives {
            let Some(same) = theirs.get(&(script.clone(), one.boundary)) else { continue };
            let vendor = called(adapter.vendor().as_str());
            let message = format!(
                "{vendor} reads {}'s settings as well, unless that is switched off, and the same command stands there: it \
                 runs twice",
                called(source.vendor.as_str())
            );
            let place = place_of(documents, same).0;
            found.push(about(documents, one, message).related_in(source.path.clone(), "the same command", place));
        }
    }
}

/// A command without quotes and without what stands for the project's root before its paths.
fn script(definition: &Definition) -> Option<String> {
    let Handler::Command(command) = &definition.handler else { return None };
    if command.args.is_some() {
        return None;
    }
    let mut text = command.command.replace(['"', '\''], "");
    for name in ["CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR"] {
        text = text.replace(&format!("${{{name}}}/"), "").replace(&format!("${name}/"), "");
    }
    Some(text.split_whitespace().map(|word| word.strip_prefix("./").unwrap_or(word)).collect::<Vec<_>>().join(" "))
}

/// Where a definition's command stands.
fn place_of(documents: &mut Documents<'_>, definition: &Definition) -> (std::ops::Range<usize>, Option<String>) {
    let document = documents.get(&definition.source.path);
    let entry = document.and_then(|document| document.entry(&definition.range, &["command"]));
    match entry.and_then(|(node, pointer)| Some((node.as_object()?.get("command")?.range.clone(), pointer))) {
        Some((range, pointer)) => (range, Some(format!("{pointer}/command"))),
        None => (definition.range.clone(), None),
    }
}

fn about(documents: &mut Documents<'_>, definition: &Definition, message: String) -> Diagnostic {
    let (range, pointer) = place_of(documents, definition);
    let mut told = Diagnostic::new(&codes::SAME_HOOK_TWICE, Reach::None, message).at(range).silent();
    told.pointer = pointer;
    told.path.clone_from(&definition.source.path);
    told
}
