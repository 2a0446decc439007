//! Tests against what the vendor's client was seen to do: conformance vectors, recorded payloads, the corpus.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::string_slice, clippy::disallowed_methods, clippy::print_stderr)]

mod corpus;
mod documents;
mod end_to_end;
mod failures;
mod hostile;
mod payloads;
mod table;
mod tools;
mod trust;
mod vectors;

use std::path::PathBuf;

/// A folder of fixtures.
fn fixtures(under: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(under)
}
