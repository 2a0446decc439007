//! The adapter held to what the vendor's clients and pages say.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods
)]

mod corpus;
mod hostile;
mod outcomes;
mod payloads;
mod selecting;
mod vectors;
