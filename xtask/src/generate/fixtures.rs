//! The generated parts of the pages below `fixtures/`: which files an event has, what they show, and how many vectors.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use hooks_conformance::{VectorFile, load};
use hooks_core::facts::EventFacts;
use hooks_core::source::{Origin, Source, Syntax};
use serde_json::{Map, Value};

use super::markdown::{code, codes, header, number, row};
use super::{Generated, Sources, Vendor, read, region};

/// The files that an event may have beside those that every one has.
const MORE: &[&str] = &["config.toml", "schema.json"];

/// The kinds of vectors in the order of the format's page.
const KINDS: &[&str] = &["decode", "fold", "match", "config", "trust", "decide", "settle"];

pub(super) fn files(sources: &Sources<'_>) -> Result<Vec<Generated>, String> {
    let vectors = vectors(sources.root)?;
    let mut made = vec![region::page(sources.root, "fixtures/README.md", &[("vectors", totals(sources, &vectors)?)])?];
    for vendor in sources.vendors {
        let path = format!("fixtures/{}/README.md", vendor.name);
        made.push(region::page(sources.root, &path, &[("events", events(sources.root, vendor, &vectors)?)])?);
    }
    Ok(made)
}

/// Every vector of the checkout.
pub(super) fn vectors(root: &Path) -> Result<Vec<VectorFile>, String> {
    load(&root.join("fixtures/vectors")).map_err(|error| error.to_string())
}

/// How many vectors there are of each kind, by what they are counted under.
#[derive(Default)]
struct Counts<'a>(BTreeMap<&'a str, BTreeMap<&'static str, usize>>);

impl<'a> Counts<'a> {
    fn add(&mut self, under: &'a str, kind: &'static str) {
        *self.0.entry(under).or_default().entry(kind).or_default() += 1;
    }

    /// The numbers under a name, by kind; empty cells for none.
    fn cells(&self, under: &str) -> impl Iterator<Item = String> {
        let counts = self.0.get(under);
        KINDS.iter().map(move |kind| counts.and_then(|counts| counts.get(kind)).map_or(String::new(), |it| number(*it)))
    }
}

/// The number of vectors by vendor and kind.
fn totals(sources: &Sources<'_>, vectors: &[VectorFile]) -> Result<String, String> {
    const CORE: &str = "core";
    let mut counts = Counts::default();
    for file in vectors {
        let under = file.vendor.as_deref().unwrap_or(CORE);
        if under != CORE && sources.vendors.iter().all(|vendor| vendor.name != under) {
            return Err(format!("fixtures/vectors/{}: `{under}` is no vendor", file.label()));
        }
        for vector in &file.vectors {
            let kind = vector.kind.word();
            if !KINDS.contains(&kind) {
                return Err(format!("fixtures/vectors/{}: the kind `{kind}` has no column", file.label()));
            }
            counts.add(under, kind);
        }
    }
    let mut out = String::new();
    let mut head = vec![""];
    head.extend(KINDS);
    header(&mut out, &head);
    for under in sources.vendors.iter().map(|vendor| vendor.name).chain([CORE]) {
        let mut cells = vec![code(under)];
        cells.extend(counts.cells(under));
        row(&mut out, &cells);
    }
    Ok(out)
}

/// What stands in an event's folder, by event.
fn events(root: &Path, vendor: &Vendor, vectors: &[VectorFile]) -> Result<String, String> {
    const NO_EVENT: &str = "";
    let mut counts = Counts::default();
    for file in vectors.iter().filter(|file| file.vendor.as_deref() == Some(vendor.name)) {
        for vector in &file.vectors {
            counts.add(file.event_of(vector).unwrap_or(NO_EVENT), vector.kind.word());
        }
    }
    let used: Vec<usize> = (0..KINDS.len())
        .filter(|at| counts.0.values().any(|of| KINDS.get(*at).is_some_and(|it| of.contains_key(it))))
        .collect();
    let of_kinds = |counts: &Counts<'_>, under: &str| -> Vec<String> {
        counts.cells(under).enumerate().filter(|(at, _)| used.contains(at)).map(|(_, cell)| cell).collect()
    };
    let mut out = String::new();
    let mut head = vec!["Event", "The hook", "What its answer comes to", "More files"];
    head.extend(used.iter().filter_map(|at| KINDS.get(*at)));
    header(&mut out, &head);
    for facts in vendor.facts {
        let folder = format!("fixtures/{}/{}", vendor.name, facts.name);
        let mut names: Vec<String> =
            MORE.iter().filter(|name| root.join(&folder).join(name).exists()).map(code).collect();
        let payloads = format!("payloads/{}.json", facts.name);
        if root.join("fixtures").join(vendor.name).join(&payloads).exists() {
            names.push(code(payloads));
        }
        let mut cells =
            vec![code(facts.name), hook(root, vendor, facts, &folder)?, effects(root, &folder)?, names.join(", ")];
        cells.extend(of_kinds(&counts, facts.name));
        row(&mut out, &cells);
    }
    if counts.0.contains_key(NO_EVENT) {
        let mut cells = vec!["of no event alone".to_owned(), String::new(), String::new(), String::new()];
        cells.extend(of_kinds(&counts, NO_EVENT));
        row(&mut out, &cells);
    }
    Ok(out)
}

/// The types of the handlers of an event's configuration, and its matchers.
fn hook(root: &Path, vendor: &Vendor, facts: &EventFacts, folder: &str) -> Result<String, String> {
    let path = format!("{folder}/hooks.json");
    let text = read(root, &path)?;
    let source =
        Source::hooks(vendor.adapter.vendor().clone(), Origin::Project, Syntax::Json, path.clone(), text.into_bytes());
    let parsed = vendor.adapter.parse(&Arc::new(source));
    if parsed.definitions.is_empty() || parsed.definitions.iter().any(|it| it.place.event != facts.name) {
        return Err(format!("{path}: its hooks are not on `{}`", facts.name));
    }
    let words = parsed.definitions.iter().map(|definition| {
        let kind = definition.handler.kind().as_str();
        let matcher = match definition.matcher_text.as_deref() {
            None => String::new(),
            Some("") => " on an empty matcher".to_owned(),
            Some(text) => format!(" on `{text}`"),
        };
        format!("{kind}{matcher}")
    });
    Ok(words.collect::<Vec<_>>().join("; "))
}

/// Effects whose value is one of a few words.
const WORDS: &[&str] = &["run", "verdict"];

/// What an event's answer comes to: the channels, and the word where one has a word.
fn effects(root: &Path, folder: &str) -> Result<String, String> {
    let path = format!("{folder}/effects.json");
    let effects: Map<String, Value> =
        serde_json::from_str(&read(root, &path)?).map_err(|error| format!("{path}: {error}"))?;
    // What the run comes to, then what it asks for.
    let (words, channels): (Vec<_>, Vec<_>) = effects.iter().partition(|(key, _)| WORDS.contains(&key.as_str()));
    let said: Vec<String> = words
        .into_iter()
        .chain(channels)
        .filter(|(key, value)| *key != "unchecked" && !value.is_null())
        .map(|(key, value)| match value {
            Value::String(word) if WORDS.contains(&key.as_str()) => format!("{key} {word}"),
            Value::Array(items) if *key == "unsupported" => {
                format!("{key} {}", codes(items.iter().filter_map(Value::as_str)))
            }
            _ => key.replace('_', " "),
        })
        .collect();
    Ok(if said.is_empty() { "nothing".to_owned() } else { said.join(", ") })
}
