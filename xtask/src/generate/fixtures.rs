//! The generated parts of the pages below `fixtures/`: which cases an event has, what they come to, and how many vectors.

use std::collections::BTreeMap;
use std::path::Path;

use hooks_conformance::fixture::{self, Case};
use hooks_conformance::format::Effects;
use hooks_conformance::{VectorFile, effects_json, load};
use serde_json::Value;

use super::markdown::{code, codes, header, number, row};
use super::{Generated, Sources, Vendor, region};

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
    let mut head = vec!["Event", "The hooks", "Cases, and what they come to", "More files"];
    head.extend(used.iter().filter_map(|at| KINDS.get(*at)));
    header(&mut out, &head);
    let folder = root.join("fixtures").join(vendor.name);
    let names = vendor.facts.iter().map(|facts| facts.name);
    let cases = fixture::cases(&folder, names).map_err(|error| error.to_string())?;
    for facts in vendor.facts {
        let cases: Vec<&Case> = cases.iter().filter(|case| case.event == facts.name).collect();
        let toml = cases.iter().filter(|case| case.toml.is_some()).map(|case| format!("{}/config.toml", case.label()));
        let beside = [format!("{}/{}", facts.name, fixture::OF_AN_EVENT), format!("payloads/{}.json", facts.name)];
        let beside = beside.into_iter().filter(|path| folder.join(path).exists());
        let more: Vec<String> = toml.chain(beside).map(code).collect();
        let outcomes: Vec<String> =
            cases.iter().map(|case| format!("{}: {}", code(&case.name), effects(&case.expect))).collect();
        let mut cells = vec![code(facts.name), hooks(vendor, &cases)?, outcomes.join("; "), more.join(", ")];
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

/// The types of the handlers of an event's configurations, and their matchers.
fn hooks(vendor: &Vendor, cases: &[&Case]) -> Result<String, String> {
    let mut words = Vec::new();
    for case in cases {
        let definition = case.definition(&*vendor.adapter)?;
        let kind = definition.handler.kind().as_str();
        let word = match definition.matcher_text.as_deref() {
            None => kind.to_owned(),
            Some("") => format!("{kind} on an empty matcher"),
            Some(text) => format!("{kind} on `{text}`"),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    Ok(words.join("; "))
}

/// Effects whose value is one of a few words.
const WORDS: &[&str] = &["run", "verdict"];

/// What an answer comes to: the channels, and the word where one has a word.
fn effects(expect: &Effects) -> String {
    let effects = effects_json(expect);
    // What the run comes to, then what it asks for.
    let (words, channels): (Vec<_>, Vec<_>) =
        effects.as_object().into_iter().flatten().partition(|(key, _)| WORDS.contains(&key.as_str()));
    let said: Vec<String> = words
        .into_iter()
        .chain(channels)
        .filter(|(key, _)| *key != "unchecked")
        .map(|(key, value)| match value {
            Value::String(word) if WORDS.contains(&key.as_str()) => format!("{key} {word}"),
            Value::Array(items) if *key == "unsupported" => {
                format!("{key} {}", codes(items.iter().filter_map(Value::as_str)))
            }
            _ => key.replace('_', " "),
        })
        .collect();
    if said.is_empty() { "nothing".to_owned() } else { said.join(", ") }
}
