//! `schemas/`: the JSON Schemas, the catalogue that editors read, and the page on how to use them.

use hooks_core::schema::{Contract, Document, Schema, Schemas, render, set};

use super::markdown::{code, codes, header, preamble, row};
use super::{Generated, MARK, Sources};

/// How to use them: written by hand.
const USE: &str = include_str!("schemas.md");

pub(super) fn files(_: &Sources<'_>) -> Result<Vec<Generated>, String> {
    let all = crosshook::schemas();
    let mut made = Vec::new();
    for schemas in &all {
        let from = format!("`crates/adapter-{}/src`", schemas.vendor);
        for Document { path, schema, .. } in schemas.documents() {
            made.push(Generated::new(format!("schemas/{path}"), marked(schema, &from)));
        }
    }
    let vectors = hooks_conformance::schema::vectors();
    let vectors = Schema::try_from(vectors).map_err(|error| format!("the schema of vectors: {error}"))?;
    let from = "`crates/hooks-conformance/src/format`";
    made.push(Generated::new("schemas/vectors.schema.json", marked(vectors, from)));
    made.push(Generated::new("schemas/catalog.json", crosshook::cli::catalog(None)));
    made.push(Generated::new("schemas/README.md", page(&all)));
    Ok(made)
}

/// A schema's text, with a remark on where it is from.
fn marked(mut schema: Schema, from: &str) -> String {
    set(&mut schema, "$comment", format!("{MARK} from {from}. Do not edit."));
    render(&schema)
}

fn page(all: &[&'static Schemas]) -> String {
    let mut out = preamble("the `schema` rooms of the adapters and `xtask/src/generate/schemas.md`");
    out.push_str(USE.trim_end());
    out.push_str("\n\n## Configurations\n\n");
    header(&mut out, &["Vendor", "Schema", "What it is for", "Files"]);
    for schemas in all {
        for config in schemas.configs {
            let document = schemas.config(config);
            let older = schemas.config_draft_07(config);
            let links = format!("[{}]({}), [draft 07]({})", config.name, document.path, older.path);
            row(&mut out, &[schemas.title.to_owned(), links, config.about.to_owned(), codes(config.files)]);
        }
    }
    out.push_str(
        "\n## Events\n\nWhere what is printed for a hook is all that the vendor accepts, one schema is enough.\n\n",
    );
    header(&mut out, &["Vendor", "Event", "Standard input", "Answer", "Answer as written"]);
    for schemas in all {
        let documents = schemas.documents();
        for facts in schemas.facts {
            let link = |contract: Contract| {
                let mut of = documents.iter().filter(|it| it.of == facts.name && it.contract == contract);
                of.next().map_or(String::new(), |it| format!("[{}]({})", contract_word(contract), it.path))
            };
            let mut cells = vec![schemas.title.to_owned(), code(facts.name)];
            cells.extend([Contract::Input, Contract::Output, Contract::Emitted].map(link));
            row(&mut out, &cells);
        }
    }
    out
}

const fn contract_word(contract: Contract) -> &'static str {
    match contract {
        Contract::Input => "input",
        Contract::Output => "output",
        Contract::Emitted => "emitted",
        _ => "config",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Value;

    use super::Contract;

    /// A schema's address with its patterns; those with `!` in front take files out.
    struct Entry {
        url: String,
        patterns: Vec<(bool, globset::GlobMatcher)>,
    }

    impl Entry {
        fn claims(&self, path: &str) -> bool {
            let hit =
                |out: bool| self.patterns.iter().any(|(takes_out, glob)| *takes_out == out && glob.is_match(path));
            hit(false) && !hit(true)
        }
    }

    /// The catalogue's entries, and a path for each of their patterns.
    fn catalog() -> (Vec<Entry>, BTreeMap<String, String>) {
        let catalog: Value = serde_json::from_str(&crosshook::cli::catalog(None)).expect("JSON");
        let mut entries = Vec::new();
        let mut paths = BTreeMap::new();
        for entry in catalog["schemas"].as_array().expect("a list") {
            let url = entry["url"].as_str().expect("an address").to_owned();
            let mut patterns = Vec::new();
            for pattern in entry["fileMatch"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                let bare = pattern.trim_start_matches('!');
                let glob = globset::GlobBuilder::new(bare).literal_separator(true).build().expect("a pattern");
                patterns.push((bare.len() < pattern.len(), glob.compile_matcher()));
                if bare.len() == pattern.len() {
                    paths.insert(bare.replace("**/", "/home/dev/").replace('*', "any"), url.clone());
                }
            }
            entries.push(Entry { url, patterns });
        }
        (entries, paths)
    }

    fn claimants<'e>(entries: &'e [Entry], path: &str) -> Vec<&'e str> {
        entries.iter().filter(|entry| entry.claims(path)).map(|entry| entry.url.as_str()).collect()
    }

    #[test]
    fn every_form_of_configuration_has_a_whole_example() {
        for document in crosshook::schemas().iter().flat_map(|schemas| schemas.documents()) {
            if matches!(document.contract, Contract::Config | Contract::ConfigDraft07) {
                let examples = document.schema.get("examples").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                assert!(examples.iter().any(|one| one.get("hooks").is_some()), "{}", document.path);
            }
        }
    }

    #[test]
    fn no_file_is_for_two_schemas() {
        let (entries, paths) = catalog();
        assert!(paths.len() > 15, "{}", paths.len());
        for (path, url) in &paths {
            assert_eq!(claimants(&entries, path), [url], "{path}");
        }
    }

    #[test]
    fn every_place_of_the_corpora_is_for_a_schema_of_its_vendor_alone() {
        let (entries, _) = catalog();
        let (mut placed, mut plugins) = (0, 0);
        for vendor in ["claude", "codex", "cursor"] {
            let index = crate::root().join(format!("fixtures/corpus/{vendor}/index.json"));
            let index: Value = serde_json::from_slice(&std::fs::read(index).expect("an index")).expect("JSON");
            for file in index["files"].as_array().expect("a list") {
                let place = file["installed_as"].as_str().expect("a place");
                // A plugin's file is anywhere, and nothing in its path says whose it is.
                if let Some(place) = place.strip_suffix(" (plugin)") {
                    assert!(claimants(&entries, &format!("/home/dev/plugins/one/{place}")).is_empty(), "{place}");
                    plugins += 1;
                    continue;
                }
                let place = place.trim_start_matches("<repo>/").trim_start_matches("~/");
                let path = match place {
                    "requirements.toml" => format!("/etc/codex/{place}"),
                    _ => format!("/home/dev/{place}"),
                };
                let [url] = claimants(&entries, &path)[..] else {
                    panic!("{vendor}: {path} is for {:?}", claimants(&entries, &path));
                };
                assert!(url.starts_with(vendor), "{vendor}: {path} is for {url}");
                placed += 1;
            }
        }
        assert!(placed > 60 && plugins >= 3, "{placed} and {plugins}");
    }
}
