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
mod badday;
mod bridge;
mod check;
mod check_commands;
mod check_engine;
mod check_foreign;
mod check_masks;
mod conformance;
mod conformance_shim;
mod corpus;
mod cross_vendor;
mod demo;
mod explain;
mod facade;
mod fire;
mod host_example;
mod init;
mod list;
mod outcomes;
mod pages;
mod record;
mod reports;
mod schema;
mod snapshots;
mod support;
mod translate;
mod trust;
mod walker;
mod why;
