//! The three vendors' formats held against each other: what several of them can say means the same in each, and what
//! gets lost between them is reported and listed.

mod answers;
mod back;
mod carry;
mod channels;
mod corpus;
mod stdin;

use std::path::PathBuf;

use crosshook::{Version, claude, codex, cursor};
use hooks_core::adapter::Codec;
use proptest::prelude::ProptestConfig;
use serde::de::DeserializeOwned;

/// An adapter with the name that messages give it.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) adapter: Box<dyn Codec>,
}

fn named(adapter: impl Codec + 'static, face: &str) -> Named {
    let name = format!("{} {}{face}", adapter.vendor().as_str(), adapter.version());
    Named { name, adapter: Box::new(adapter) }
}

/// The adapters of the newest recorded clients.
pub(crate) fn latest() -> Vec<Named> {
    vec![
        named(cursor::Adapter::latest(), ""),
        named(claude::Adapter::latest(), ""),
        named(codex::Adapter::latest(), ""),
    ]
}

/// Those, older clients of which there are recordings, and the other faces of the adapter that has several.
pub(crate) fn all() -> Vec<Named> {
    let claude = |version| claude::Adapter::new(&claude::DIALECT, version, claude::Options::default());
    let codex = |version| codex::Adapter::new(&codex::DIALECT, version, codex::Options::default());
    let mut all = latest();
    all.extend([
        named(cursor::seed(), " (seed)"),
        named(cursor::phase1(), " (phase 1)"),
        named(claude(claude::events::OLDEST), ""),
        named(claude(Version::new(2, 1, 251)), ""),
        named(codex(Version::new(0, 142, 0)), ""),
        named(codex(Version::new(0, 150, 0)), ""),
    ]);
    all
}

/// The lists among the neutral fixtures, by the names of their files.
pub(crate) const EXCEPTIONS: &str = "exceptions.json";
pub(crate) const NOT_TOLD: &str = "not-told.json";
pub(crate) const TOLD_OTHERWISE: &str = "told-otherwise.json";

/// The files of the neutral fixtures that these tests read, as paths in their folder.
pub(crate) fn files() -> Vec<String> {
    let lists = [EXCEPTIONS, NOT_TOLD, TOLD_OTHERWISE].map(str::to_owned);
    lists.into_iter().chain(corpus::files().into_iter().map(|(_, file)| file)).collect()
}

/// A file of the neutral fixtures.
pub(crate) fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/neutral").join(name)
}

/// A neutral fixture, read by its types: a key that is misspelt is a failure.
pub(crate) fn read<T: DeserializeOwned>(name: &str) -> T {
    let text = std::fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// So many cases of a property, or what `PROPTEST_CASES` says.
pub(crate) fn cases(usual: u32) -> ProptestConfig {
    let given = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { given.cases } else { usual };
    ProptestConfig { cases, failure_persistence: None, ..given }
}
