//! The command and the example host, run as a person runs them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests read files, start programs and fail loudly"
)]

mod bad_input;
mod bridge;
mod check;
mod conformance;
mod conformance_shim;
mod corpus;
mod cross_vendor;
mod demo;
mod facade;
mod fire;
mod host_example;
mod list;
mod outcomes;
mod schema;
mod support;
mod trust;
mod walker;
