//! What there is to say of documents side by side (sections 4 to 6): layers, switches, trust.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use hooks_core::adapter::{Parsed, Rulings, Switch, TrustRecord};
use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
use hooks_core::document::{Node, pointer_to};
use hooks_core::source::{Origin, Role, Source, Syntax};
use hooks_core::{Definition, State, Version};

use super::{FEATURE_OFF, keys, toml_tree};
use crate::events::{EVENTS, Event, changed};
use crate::trust::{self, Standing, Status};
use crate::{codes, events, locations};

/// What is to be told beyond what each document is told for itself.
pub(crate) fn across(version: Version, windows: bool, documents: &[Parsed]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for document in documents {
        found.extend(super::advice(version, &document.source));
    }
    found.extend(layers(documents));
    found.extend(only_managed(documents));
    found.extend(projects(documents));
    found.extend(trusted(version, windows, documents));
    found
}

/// A layer with hooks in both its files (section 4).
fn layers(documents: &[Parsed]) -> Vec<Diagnostic> {
    let has_hooks = |document: &&Parsed| !document.rejected && !document.definitions.is_empty();
    let of = |syntax| documents.iter().filter(has_hooks).filter(move |document| document.source.syntax == syntax);
    let mut found = Vec::new();
    for json in of(Syntax::Json).filter(|document| document.source.origin != Origin::Plugin) {
        let (source, folder) = (&json.source, json.source.folder());
        for toml in of(Syntax::Toml) {
            if toml.source.origin == source.origin && toml.source.role == source.role && toml.source.folder() == folder
            {
                let message = format!("{} and {} both have hooks; all of them run", source.path, toml.source.path);
                let mut both = Diagnostic::new(&codes::TWO_DOCUMENTS_IN_ONE_LAYER, Reach::None, message);
                both.path.clone_from(&toml.source.path);
                if let Some(place) = first(toml) {
                    both = both.at(place).pointer("/hooks");
                }
                if let Some(other) = first(json) {
                    both = both.related_in(source.path.clone(), "hooks of the same layer", other);
                }
                found.push(both);
            }
        }
    }
    found
}

/// The first handler of a document.
fn first(document: &Parsed) -> Option<Range<usize>> {
    document.definitions.iter().map(|definition| definition.range.clone()).min_by_key(|range| range.start)
}

/// Documents in which nothing runs because managed requirements say so (section 4).
fn only_managed(documents: &[Parsed]) -> Vec<Diagnostic> {
    let Some(by) = documents.iter().find(|document| document.switches.contains(&Switch::ManagedOnly(true))) else {
        return Vec::new();
    };
    let switch = tree(&by.source).and_then(|root| {
        let member = root.as_object()?.member(keys::MANAGED_ONLY)?;
        Some(member.key_range.start..member.value.range.end)
    });
    let others = documents.iter().filter(|document| !document.rejected && !locations::is_managed(&document.source));
    others
        .filter_map(|document| {
            let message = format!("{} allows managed hooks only: none of these runs", by.source.path);
            let mut found = Diagnostic::new(&codes::ONLY_MANAGED_HOOKS, Reach::File, message).at(first(document)?);
            let guard =
                document.definitions.iter().any(|definition| guards(definition) && definition.state == State::Live);
            if guard {
                found = found.severity(Severity::Error);
            }
            found.path.clone_from(&document.source.path);
            if let Some(switch) = &switch {
                found = found.related_in(by.source.path.clone(), "the switch", switch.clone());
            }
            Some(found)
        })
        .collect()
}

fn guards(definition: &Definition) -> bool {
    events::find(&definition.place.event).is_some_and(Event::guards)
}

/// The tree of a TOML document.
fn tree(source: &Source) -> Option<Node> {
    (source.syntax == Syntax::Toml).then(|| toml_tree::parse(&source.bytes).ok()).flatten()
}

fn member<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    node.as_object()?.get(key)
}

/// Documents of projects that the user's configuration says are not trusted (section 4).
fn projects(documents: &[Parsed]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for user in documents.iter().filter(|document| document.source.origin == Origin::User && !document.rejected) {
        let Some(root) = tree(&user.source) else { continue };
        let Some(projects) = member(&root, "projects").and_then(Node::as_object) else { continue };
        let is_in = |folder: &str, project: &str| {
            let rest = folder.strip_prefix(project.trim_end_matches(['/', '\\']));
            rest.is_some_and(|rest| rest.starts_with(['/', '\\']))
        };
        for project in &projects.members {
            let Some(level) = member(&project.value, "trust_level") else { continue };
            if level.as_str() != Some("untrusted") {
                continue;
            }
            // Of projects inside each other the innermost is the one that a document belongs to.
            let inside = |document: &&Parsed| {
                let folder = document.source.folder();
                let around = projects.members.iter().filter(|other| is_in(folder, &other.key));
                let own = around.max_by_key(|other| other.key.len());
                document.source.origin == Origin::Project && own.is_some_and(|own| own.key == project.key)
            };
            for document in documents.iter().filter(inside) {
                let Some(place) = first(document) else { continue };
                let message = format!("the project {} is not trusted, so none of these hooks runs", project.key);
                let mut untrusted = Diagnostic::new(&codes::PROJECT_NOT_TRUSTED, Reach::File, message).at(place);
                untrusted.path.clone_from(&document.source.path);
                if document.definitions.iter().any(guards) {
                    untrusted = untrusted.severity(Severity::Error);
                }
                let where_said = level.range.clone();
                found.push(untrusted.related_in(user.source.path.clone(), "said here", where_said).silent());
            }
        }
    }
    found
}

/// A trust record as it stands in a document.
struct Written<'d> {
    key: String,
    range: Range<usize>,
    hash: Option<(String, Range<usize>)>,
    /// Whether it has the hash of a plugin's contents too.
    has_contents: bool,
    source: &'d Arc<Source>,
}

impl Written<'_> {
    fn pointer(&self) -> String {
        pointer_to("/hooks/state", &self.key)
    }
}

/// What trust records come to, where there are any (section 6): hooks that do not run, and records that fit nothing.
fn trusted(version: Version, windows: bool, documents: &[Parsed]) -> Vec<Diagnostic> {
    let written = written(documents);
    if written.is_empty() {
        // Nobody has reviewed anything yet; the client asks.
        return Vec::new();
    }
    let records = trust::merge(documents);
    let mut places: HashMap<&str, Vec<&Written<'_>>> = HashMap::new();
    written.iter().for_each(|record| places.entry(&record.key).or_default().push(record));
    let mut found = Vec::new();
    let read: Vec<&Parsed> = documents.iter().filter(|document| !document.rejected).collect();
    for document in &read {
        found.extend(standings(version, windows, document, &records, &places));
    }
    let paths: HashSet<&str> = read.iter().map(|document| document.source.path.as_str()).collect();
    let keys: HashSet<String> =
        read.iter().flat_map(|document| &document.definitions).filter_map(trust::record_key).collect();
    for record in &written {
        found.extend(record_faults(version, record, &paths, &keys));
    }
    found
}

fn written(documents: &[Parsed]) -> Vec<Written<'_>> {
    let mut all = Vec::new();
    let read = |document: &&Parsed| matches!(document.source.origin, Origin::User | Origin::SessionFlags);
    for document in documents.iter().filter(read).filter(|document| !document.trust.is_empty()) {
        let Some(root) = tree(&document.source) else { continue };
        let state = member(&root, keys::HOOKS).and_then(|hooks| member(hooks, keys::STATE)).and_then(Node::as_object);
        for record in state.into_iter().flat_map(|state| &state.members) {
            let hash = member(&record.value, keys::TRUSTED_HASH);
            all.push(Written {
                key: record.key.clone(),
                range: record.key_range.clone(),
                has_contents: member(&record.value, keys::TRUSTED_CONTENT_HASH).is_some_and(|hash| !hash.is_null()),
                hash: hash.and_then(|hash| Some((hash.as_str()?.to_owned(), hash.range.clone()))),
                source: &document.source,
            });
        }
    }
    all
}

/// The hooks of a document that do not run because of records, or for lack of one.
fn standings(
    version: Version,
    windows: bool,
    document: &Parsed,
    records: &BTreeMap<String, TrustRecord>,
    written: &HashMap<&str, Vec<&Written<'_>>>,
) -> Vec<Diagnostic> {
    let hashes: BTreeMap<String, String> = trust::fingerprints(&document.source, version, windows)
        .into_iter()
        .map(|print| (print.key, print.hash))
        .collect();
    let mut found = Vec::new();
    for definition in document.definitions.iter().filter(|definition| !matches!(definition.state, State::Inert(_))) {
        let Some(key) = trust::record_key(definition) else { continue };
        let record = records.get(&key);
        let hash = hashes.get(&key).map(String::as_str);
        // Of a plugin's hooks nobody knows the hash that a record would have to hold.
        let unknown = hash.is_none() && record.is_some_and(|record| record.trusted_hash.is_some());
        let standing = Standing::of(locations::is_managed(&definition.source), record, hash);
        let name = &definition.place.event;
        // What was trusted at another place of the same file stands here now.
        let moved = records.iter().find(|(other, record)| {
            let is_here = other.starts_with(&format!("{}:", definition.source.path)) && **other != key;
            is_here && hash.is_some() && record.trusted_hash.as_deref() == hash
        });
        let was = moved.map(|(other, _)| other.get(definition.source.path.len() + 1..).unwrap_or_default());
        let (code, message): (&'static Code, String) = match standing.status {
            _ if !standing.enabled => (&codes::HOOK_DISABLED, format!("a trust record switches this {name} hook off")),
            Status::Modified => (
                &codes::HOOK_MODIFIED,
                match was {
                    Some(was) => format!("this {name} hook was reviewed as `{was}` and has moved, so it does not run"),
                    None => format!("this {name} hook was changed after its review, so it does not run"),
                },
            ),
            Status::Untrusted if !unknown => (
                &codes::HOOK_UNTRUSTED,
                match was {
                    Some(was) => format!("this {name} hook was reviewed as `{was}` and has moved, so it does not run"),
                    None => format!("nobody has reviewed this {name} hook, so it does not run"),
                },
            ),
            _ => continue,
        };
        let mut told = Diagnostic::new(code, Reach::Entry, message).at(definition.range.clone()).silent();
        if guards(definition) && standing.enabled {
            told = told.severity(Severity::Error);
        }
        told.path.clone_from(&document.source.path);
        told.pointer = pointer(definition);
        for record in written.get(key.as_str()).into_iter().flatten() {
            told = told.related_in(record.source.path.clone(), "its record", record.range.clone());
        }
        let elsewhere = moved.filter(|_| standing.enabled).and_then(|(other, _)| written.get(other.as_str()));
        for record in elsewhere.into_iter().flatten() {
            told = told.related_in(record.source.path.clone(), "the record of its review", record.range.clone());
        }
        found.push(told);
    }
    found
}

/// The JSON pointer of a definition; `None` in a plugin's manifest, where it depends on the manifest's form.
fn pointer(definition: &Definition) -> Option<String> {
    let place = &definition.place;
    (definition.source.role != Role::PluginManifest)
        .then(|| format!("/hooks/{}/{}/hooks/{}", place.event, place.group, place.index))
}

/// What is wrong with one record.
fn record_faults(
    version: Version,
    record: &Written<'_>,
    paths: &HashSet<&str>,
    keys: &HashSet<String>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut tell = |code: &'static Code, message: String, range: Range<usize>, pointer: String| {
        let mut told = Diagnostic::new(code, Reach::None, message).at(range).pointer(pointer).silent();
        told.path.clone_from(&record.source.path);
        found.push(told);
    };
    if let Some((hash, range)) = &record.hash {
        let digits = hash.strip_prefix("sha256:").unwrap_or_default();
        if digits.len() != 64 || !digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            let message = "this is no hash that Codex writes: `sha256:` and 64 digits, in small letters".to_owned();
            tell(
                &codes::TRUST_HASH_MALFORMED,
                message,
                range.clone(),
                pointer_to(&record.pointer(), keys::TRUSTED_HASH),
            );
        }
    }
    let mut parts = record.key.rsplitn(4, ':');
    let (index, group, event, path) = (parts.next(), parts.next(), parts.next(), parts.next());
    let number = |part: Option<&str>| part.and_then(|part| part.parse::<u32>().ok());
    let named = EVENTS.iter().find(|known| Some(known.snake) == event);
    let (Some(path), Some(named), Some(group), Some(index)) = (path, named, number(group), number(index)) else {
        let message = format!("`{}` is no key of a hook: `<file>:<event_in_snake_case>:<group>:<handler>`", record.key);
        tell(&codes::TRUST_RECORD_WITHOUT_HOOK, message, record.range.clone(), record.pointer());
        return found;
    };
    let is_plugins =
        !path.starts_with(['/', '\\']) && path.split(':').next().is_some_and(|plugin| plugin.contains('@'));
    let wants_contents = changed::PLUGIN_CONTENTS.at(version) == Some(true);
    if let Some((_, range)) = record.hash.as_ref().filter(|_| is_plugins && wants_contents && !record.has_contents) {
        let message = format!(
            "a plugin's hook is trusted here without `{}`, so every run of it fails",
            keys::TRUSTED_CONTENT_HASH
        );
        let pointer = pointer_to(&record.pointer(), keys::TRUSTED_HASH);
        tell(&codes::TRUST_HASH_MALFORMED, message, range.clone(), pointer);
    }
    // Of a document that is not here, or that is dropped, nobody knows what stands in it.
    if paths.contains(path) && !keys.contains(&record.key) {
        let message = format!("{path} has no handler {index} in group {group} of {}", named.facts.name);
        tell(&codes::TRUST_RECORD_WITHOUT_HOOK, message, record.range.clone(), record.pointer());
    }
    found
}

/// What the switches of all documents come to (sections 4 and 5); documents stand in precedence order.
pub(crate) fn rule(version: Version, documents: &[Parsed]) -> Rulings {
    let feature = |document: &Parsed| {
        document.switches.iter().find_map(|switch| match switch {
            Switch::Feature(on) => Some(*on),
            _ => None,
        })
    };
    let said = |document: &Parsed| feature(document).map(|on| (on, document.source.path.clone()));
    let is_requirements = |document: &&Parsed| document.source.role == Role::Requirements;
    let pinned = documents.iter().filter(is_requirements).find_map(said);
    let set = documents.iter().rev().filter(|document| !is_requirements(document)).find_map(said);
    if let Some((false, path)) = pinned.or(set) {
        let off = State::Disabled(format!("{FEATURE_OFF} in {path}"));
        return Rulings { states: vec![Some(off); documents.len()], refuse: None };
    }
    let refuse = documents
        .iter()
        .filter(is_requirements)
        .flat_map(|document| &document.diagnostics)
        .find(|diagnostic| diagnostic.reach == Reach::Session && diagnostic.severity == Severity::Error)
        .filter(|_| changed::REQUIREMENTS_REFUSE.at(version) == Some(true))
        .map(|diagnostic| format!("managed hooks could not be loaded: {}", diagnostic.message));
    let managed_only = documents.iter().any(|document| document.switches.contains(&Switch::ManagedOnly(true)));
    let states = documents.iter().map(|document| {
        if managed_only && !locations::is_managed(&document.source) {
            return Some(State::Disabled("only managed hooks run".to_owned()));
        }
        // The feature is on after all, whatever a switch in the document itself says.
        (feature(document) == Some(false)).then_some(State::Live)
    });
    Rulings { states: states.collect(), refuse }
}
