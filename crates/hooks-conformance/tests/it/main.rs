//! The vector format, and the runner held to account: it must be able to fail.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    missing_docs
)]

mod core_vectors;
mod double;
mod fixture;
mod format;
mod runner;
mod sample;
mod schema;
mod score;
mod shim;
mod toy;

use std::path::PathBuf;

/// The folder of the vectors.
pub(crate) fn vectors() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vectors")
}
