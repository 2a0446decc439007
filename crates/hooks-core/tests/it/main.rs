//! Integration tests of `hooks-core`, one binary.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod activation;
mod allocations;
mod contracts;
mod decisions;
mod javascript_cases;
mod javascript_differential;
mod javascript_hostile;
mod laws;
mod model;
mod refiring;
mod scanning;
mod settlement;
mod toy;
