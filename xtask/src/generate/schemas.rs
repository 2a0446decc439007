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
    let from = "`crates/crosshook/src/cli/report/json.rs`";
    made.push(Generated::new("schemas/check.schema.json", marked(crosshook::cli::check_schema(), from)));
    let from = "`crates/crosshook/src/cli/record/schema.json`";
    let record = crosshook::cli::record_schema().map_err(|error| format!("the schema of records: {error}"))?;
    made.push(Generated::new("schemas/record.schema.json", marked(record, from)));
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
    use serde_json::Value;

    use super::Contract;
    use crate::catalog::{Catalog, Place, corpus};

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
        let catalog = Catalog::read();
        assert!(catalog.paths.len() > 15, "{}", catalog.paths.len());
        for (path, url) in &catalog.paths {
            assert_eq!(catalog.claimants(path), [url], "{path}");
        }
    }

    #[test]
    fn every_place_of_the_corpora_is_for_a_schema_of_its_vendor_alone() {
        let catalog = Catalog::read();
        let (mut placed, mut plugins) = (0, 0);
        for vendor in ["claude", "codex", "cursor"] {
            for (_, place) in corpus(&crate::root(), vendor) {
                match place {
                    Place::InPlugin(path) => {
                        assert!(catalog.claimants(&path).is_empty(), "{path}");
                        plugins += 1;
                    }
                    Place::At(path) => {
                        let [url] = catalog.claimants(&path)[..] else {
                            panic!("{vendor}: {path} is for {:?}", catalog.claimants(&path));
                        };
                        assert!(url.starts_with(vendor), "{vendor}: {path} is for {url}");
                        placed += 1;
                    }
                }
            }
        }
        assert!(placed > 60 && plugins >= 3, "{placed} and {plugins}");
    }
}
