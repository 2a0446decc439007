//! What only several documents together show: hooks that a setting elsewhere turns off or forbids, and copies of a handler.

use std::ops::Range;

use hooks_core::adapter::{Parsed, Switch};
use hooks_core::definition::{Definition, FailurePolicy, State};
use hooks_core::diagnostic::{Diagnostic, Reach, Severity};
use hooks_core::document::{JsonRules, Node, Object, parse_json, pointer_to};
use hooks_core::handler::Handler;
use hooks_core::source::{Origin, Role, Syntax};

use super::copies::{self, Later};
use super::{keys, switches};
use crate::codes;
use crate::events::{Event, find};
use crate::http::{self, HttpPolicy};

/// What there is to say about documents that stand by precedence, lower first. Every diagnostic has its document's path.
pub(crate) fn across(documents: &[Parsed]) -> Vec<Diagnostic> {
    let causes = switches::causes(documents);
    let mut found = Vec::new();
    for (document, cause) in documents.iter().zip(&causes) {
        if let Some(cause) = cause {
            found.extend(switched_off(documents, document, cause));
        }
    }
    found.extend(overruled(documents));
    let live: Vec<&Parsed> =
        documents.iter().zip(&causes).filter(|(_, cause)| cause.is_none()).map(|(document, _)| document).collect();
    copied(&live, &mut found);
    requests(documents, &live, &mut found);
    if documents.iter().flat_map(|document| &document.meant).any(|one| matches!(one.handler, Handler::Http(_))) {
        let mended: Vec<Parsed> = documents.iter().map(mended).collect();
        let live = mended.iter().zip(&causes).filter(|(_, cause)| cause.is_none()).map(|(document, _)| document);
        let mut more = Vec::new();
        requests(&mended, &live.collect::<Vec<_>>(), &mut more);
        let of = |one: &Diagnostic| (one.code.id, one.path.clone(), one.range.clone());
        let known: Vec<_> = found.iter().map(of).collect();
        found.extend(more.into_iter().filter(|one| !known.contains(&of(one))));
    }
    found
}

/// A document as it will be once its faults are mended: with the requests that are meant as well.
fn mended(document: &Parsed) -> Parsed {
    let meant = document.meant.iter().filter(|one| matches!(one.handler, Handler::Http(_)));
    let meant = meant.map(|one| Definition { state: State::Live, ..one.clone() });
    let definitions = document.definitions.iter().filter(is_live).cloned().chain(meant).collect();
    Parsed { definitions, rejected: false, ..document.clone() }
}

/// A document's object, read again: for the places of what is rarely spoken of.
fn root(document: &Parsed) -> Option<Node> {
    if document.source.syntax != Syntax::Json {
        return None;
    }
    parse_json(&document.source.bytes, JsonRules { byte_order_mark: true, lone_surrogates: true }).ok()
}

/// The bytes of a setting's key.
fn key_of(document: &Parsed, key: &str) -> Option<Range<usize>> {
    let root = root(document)?;
    Some(root.as_object()?.member(key)?.key_range.clone())
}

fn is_live(definition: &&Definition) -> bool {
    definition.state == State::Live
}

fn guards(definition: &Definition) -> bool {
    find(&definition.place.event).is_some_and(Event::can_block)
}

fn in_document(mut diagnostic: Diagnostic, document: &Parsed) -> Diagnostic {
    diagnostic.path.clone_from(&document.source.path);
    diagnostic.silent()
}

/// The hooks of a document that a setting elsewhere turns off, with what goes on unguarded. A document that turns off its
/// own hooks says so itself.
fn switched_off(documents: &[Parsed], document: &Parsed, cause: &switches::Cause) -> Option<Diagnostic> {
    let by = documents.get(cause.by)?;
    let off: Vec<&Definition> = document.definitions.iter().filter(is_live).collect();
    let first = off.first()?;
    if std::ptr::eq(by, document) || by.source == document.source {
        return None;
    }
    let mut unguarded: Vec<&str> =
        off.iter().filter(|definition| guards(definition)).map(|definition| definition.place.event.as_str()).collect();
    unguarded.dedup();
    let number = if off.len() == 1 { "hook".to_owned() } else { format!("{} hooks", off.len()) };
    let mut message = format!("`{}` in {} turns off the {number} of this file", cause.key, by.source.path);
    if !unguarded.is_empty() {
        message.push_str(&format!("; {} goes on unguarded", unguarded.join(", ")));
    }
    let mut diagnostic = Diagnostic::new(&codes::SWITCHED_OFF, Reach::File, message);
    diagnostic = match key_of(document, keys::HOOKS.name) {
        Some(range) => diagnostic.at(range).pointer("/hooks"),
        None => diagnostic.at(first.range.clone()),
    };
    if !unguarded.is_empty() {
        diagnostic = diagnostic.severity(Severity::Error);
    }
    if let Some(range) = key_of(by, cause.key) {
        diagnostic = diagnostic.related_in(by.source.path.clone(), "the setting", range);
    }
    Some(in_document(diagnostic, document))
}

/// Documents that turn hooks off, where one of higher precedence turns them on (case L046).
fn overruled(documents: &[Parsed]) -> Vec<Diagnostic> {
    let says = |document: &Parsed| {
        let mut switches = document.switches.iter().rev();
        switches.find_map(|switch| if let Switch::DisableAll(off) = switch { Some(*off) } else { None })
    };
    let key = keys::DISABLE_ALL.key.name;
    let read = || documents.iter().filter(|document| !document.rejected);
    let Some(last) = read().rfind(|document| says(document).is_some()) else { return Vec::new() };
    if says(last) != Some(false) {
        return Vec::new();
    }
    let off = read().filter(|document| says(document) == Some(true));
    off.map(|document| {
        let message = format!("`{key}` is false in {}, which counts: hooks run", last.source.path);
        let mut diagnostic =
            Diagnostic::new(&codes::SWITCH_OVERRULED, Reach::None, message).pointer(pointer_to("", key));
        if let Some(range) = key_of(document, key) {
            diagnostic = diagnostic.at(range);
        }
        if let Some(range) = key_of(last, key) {
            diagnostic = diagnostic.related_in(last.source.path.clone(), "this one counts", range);
        }
        in_document(diagnostic, document)
    })
    .collect()
}

/// Handlers that stand in several documents, of which the last copy runs (cases `dedupe-*`).
fn copied(documents: &[&Parsed], found: &mut Vec<Diagnostic>) {
    let mut later = Later::<&Parsed>::default();
    let mut told = Vec::new();
    for document in documents.iter().rev() {
        let live = || document.definitions.iter().filter(is_live);
        for definition in live() {
            if let Some((elsewhere, last)) = later.of(definition) {
                let copy = copies::said(definition, last, &format!("in {}", elsewhere.source.path));
                let copy = copy.related_in(elsewhere.source.path.clone(), "this copy runs", last.range.clone());
                told.push(in_document(at_handler(copy, definition, ""), document));
            }
        }
        for definition in live().rev() {
            later.add(definition, *document);
        }
    }
    told.reverse();
    found.extend(told);
}

/// With the pointer of a handler in a settings file, and of a key in it.
fn at_handler(diagnostic: Diagnostic, definition: &Definition, key: &str) -> Diagnostic {
    let place = &definition.place;
    let group = pointer_to("/hooks", &place.event);
    let mut pointer = format!("{group}/{}/hooks/{}", place.group, place.index);
    if !key.is_empty() {
        pointer = pointer_to(&pointer, key);
    }
    // A manifest's events and those of a head stand elsewhere, or under other names.
    let elsewhere = definition.source.role == Role::PluginManifest || definition.source.origin == Origin::Frontmatter;
    if elsewhere { diagnostic } else { diagnostic.pointer(pointer) }
}

/// The bytes of a key's value in a handler.
fn value_of(document: &Parsed, definition: &Definition, key: &str) -> Option<Range<usize>> {
    fn inside<'n>(node: &'n Node, wanted: &Range<usize>) -> Option<&'n Object> {
        let object = node.as_object();
        if node.range == *wanted {
            return object;
        }
        let members = object.into_iter().flat_map(|object| &object.members).map(|member| &member.value);
        let items = node.as_array().into_iter().flatten();
        let holds = |part: &&Node| part.range.start <= wanted.start && wanted.end <= part.range.end;
        members.chain(items).filter(holds).find_map(|part| inside(part, wanted))
    }
    let root = root(document)?;
    Some(inside(&root, &definition.range)?.get(key)?.range.clone())
}

/// Requests that the settings' lists forbid (cases L246 to L250).
fn requests(documents: &[Parsed], live: &[&Parsed], found: &mut Vec<Diagnostic>) {
    let policy = HttpPolicy::of(documents);
    if policy == HttpPolicy::default() {
        return;
    }
    for document in live {
        for definition in document.definitions.iter().filter(is_live) {
            let Handler::Http(http) = &definition.handler else { continue };
            let origin = definition.source.origin;
            let at = |diagnostic: Diagnostic, key: &str| {
                let range = value_of(document, definition, key).unwrap_or_else(|| definition.range.clone());
                in_document(at_handler(diagnostic.at(range), definition, key), document)
            };
            if !policy.allows(origin, &http.url) {
                let mut message = format!("`{}` of the settings does not allow {}", http::URLS, http.url);
                let guarded = guards(definition);
                if guarded {
                    message.push_str(match definition.failure {
                        FailurePolicy::Closed => "; with `onFailure` as `block` that blocks each time",
                        _ => "; what the hook was to guard goes on unguarded",
                    });
                }
                let diagnostic = Diagnostic::new(&codes::URL_NOT_ALLOWED, Reach::Entry, message);
                let diagnostic = if guarded { diagnostic.severity(Severity::Error) } else { diagnostic };
                found.push(at(diagnostic, keys::URL.name));
            }
            let bound = policy.bind(origin, http);
            let lost = |name: &&str| {
                http.allowed_env.iter().any(|one| one == name) && !bound.allowed_env.iter().any(|one| one == name)
            };
            let mut names: Vec<&str> =
                http.headers.values().flat_map(|text| http::header_variables(text)).filter(lost).collect();
            names.dedup();
            for name in names {
                let message = format!(
                    "`{}` of the settings does not list `{name}`, so it is replaced by nothing",
                    http::VARIABLES
                );
                let diagnostic = Diagnostic::new(&codes::HEADER_VARIABLE_NOT_ALLOWED, Reach::Entry, message);
                found.push(at(diagnostic, keys::HEADERS.name));
            }
        }
    }
}
