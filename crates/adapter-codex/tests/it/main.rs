//! Tests against what the vendor's client was seen to do: conformance vectors, recorded payloads, the corpus.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::string_slice, clippy::disallowed_methods, clippy::print_stderr)]

mod beside;
mod cases;
mod corpus;
mod diagnostics;
mod documents;
mod end_to_end;
mod failures;
mod fixtures;
mod hook_side;
mod hostile;
mod payloads;
mod reports;
mod rows;
mod schemas;
mod table;
mod tools;
mod trust;
mod vectors;

use std::path::PathBuf;

/// A folder of fixtures.
pub(crate) fn fixtures(under: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(under)
}

/// How many cases a property gets: a few, or as many as the environment says for a long run.
fn cases(few: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}
