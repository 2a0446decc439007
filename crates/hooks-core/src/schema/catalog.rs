//! The catalogue of schemas that editors read, in the form of SchemaStore's: which schema is for which files.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{ConfigSchema, Contract, Schemas};

/// One schema of a catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogEntry {
    /// Its name, for a person to choose by.
    pub name: String,
    /// What it is for, in a sentence.
    pub description: String,
    /// The patterns of the files that it is for; none where no pattern tells them from others'.
    pub files: Vec<String>,
    /// Its path below the folder of schemas, with `/`.
    pub path: String,
    /// The same schema in other drafts: the draft's name, and the path.
    pub drafts: Vec<(String, String)>,
}

impl Schemas {
    /// The forms of configuration as a catalogue has them, in draft 2020-12 with the older form beside it.
    #[must_use]
    pub fn catalog(&self) -> Vec<CatalogEntry> {
        self.configs.iter().map(|config| self.catalog_entry(config)).collect()
    }

    fn catalog_entry(&self, config: &ConfigSchema) -> CatalogEntry {
        let path = self.path(Contract::Config, config.name);
        let older = self.path(Contract::ConfigDraft07, config.name);
        CatalogEntry {
            name: config.title.to_owned(),
            description: config.about.to_owned(),
            files: config.files.iter().map(|&pattern| pattern.to_owned()).collect(),
            drafts: vec![("2020-12".to_owned(), path.clone()), ("draft-07".to_owned(), older)],
            path,
        }
    }
}

/// The catalogue's own schema, which its form asks to be named.
const OF_CATALOGS: &str = "https://json.schemastore.org/schema-catalog.json";

#[derive(Serialize)]
struct Catalog<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    version: u8,
    schemas: Vec<Entry<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    name: &'a str,
    description: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    file_match: &'a [String],
    url: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    versions: BTreeMap<&'a str, String>,
}

/// The text of a catalogue. Addresses are `base` with each path behind it; without one they are relative to where the
/// catalogue lies, which is the folder of schemas.
#[must_use]
pub fn catalog(entries: &[CatalogEntry], base: Option<&str>) -> String {
    let url = |path: &str| match base {
        Some(base) => format!("{}/{path}", base.trim_end_matches('/')),
        None => path.to_owned(),
    };
    let schemas = entries
        .iter()
        .map(|entry| Entry {
            name: &entry.name,
            description: &entry.description,
            file_match: &entry.files,
            url: url(&entry.path),
            versions: entry.drafts.iter().map(|(draft, path)| (draft.as_str(), url(path))).collect(),
        })
        .collect();
    // Texts and lists of them always have a text.
    let catalog = Catalog { schema: OF_CATALOGS, version: 1, schemas };
    let mut text = serde_json::to_string_pretty(&catalog).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn addresses_are_relative_unless_a_base_is_given() {
        let entry = CatalogEntry {
            name: "A".into(),
            description: "What A is.".into(),
            files: vec!["**/a.json".into()],
            path: "v/a.schema.json".into(),
            drafts: vec![("draft-07".into(), "v/a.draft-07.schema.json".into())],
        };
        let read =
            |base| -> Value { serde_json::from_str(&catalog(std::slice::from_ref(&entry), base)).expect("JSON") };
        let relative = read(None);
        assert_eq!(relative["schemas"][0]["url"], "v/a.schema.json");
        assert_eq!(relative["schemas"][0]["fileMatch"][0], "**/a.json");
        let absolute = read(Some("https://example.org/s/"));
        assert_eq!(absolute["schemas"][0]["url"], "https://example.org/s/v/a.schema.json");
        assert_eq!(absolute["schemas"][0]["versions"]["draft-07"], "https://example.org/s/v/a.draft-07.schema.json");
    }
}
