//! The catalogue of schemas as an editor reads it, and the places of the corpora's configurations: for tests.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

/// A schema's address with its patterns; those with `!` in front take files out.
struct Entry {
    url: String,
    patterns: Vec<(bool, globset::GlobMatcher)>,
}

impl Entry {
    fn claims(&self, path: &str) -> bool {
        let hit = |out: bool| self.patterns.iter().any(|(takes_out, glob)| *takes_out == out && glob.is_match(path));
        hit(false) && !hit(true)
    }
}

/// The catalogue's entries.
pub(crate) struct Catalog {
    entries: Vec<Entry>,
    /// A path for each of the patterns, with the address of its schema.
    pub(crate) paths: BTreeMap<String, String>,
}

impl Catalog {
    pub(crate) fn read() -> Self {
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
        Self { entries, paths }
    }

    /// The addresses of the schemas that are for a file.
    pub(crate) fn claimants(&self, path: &str) -> Vec<&str> {
        self.entries.iter().filter(|entry| entry.claims(path)).map(|entry| entry.url.as_str()).collect()
    }
}

/// Where a configuration of a corpus lies.
pub(crate) enum Place {
    /// At this path.
    At(String),
    /// At this path in a plugin, which can be anywhere: nothing in the path says whose it is.
    InPlugin(String),
}

/// The configurations of a vendor's corpus by the names of their files, each with its place.
pub(crate) fn corpus(root: &Path, vendor: &str) -> Vec<(String, Place)> {
    let index = root.join(format!("fixtures/corpus/{vendor}/index.json"));
    let index: Value = serde_json::from_slice(&std::fs::read(index).expect("an index")).expect("JSON");
    let file = |file: &Value| {
        let name = file["file"].as_str().expect("a name").to_owned();
        let place = file["installed_as"].as_str().expect("a place");
        if let Some(place) = place.strip_suffix(" (plugin)") {
            return (name, Place::InPlugin(format!("/home/dev/plugins/one/{place}")));
        }
        let place = place.trim_start_matches("<repo>/").trim_start_matches("~/");
        let folder = if place == "requirements.toml" { "/etc/codex" } else { "/home/dev" };
        (name, Place::At(format!("{folder}/{place}")))
    };
    index["files"].as_array().expect("a list").iter().map(file).collect()
}
