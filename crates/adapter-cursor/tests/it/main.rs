//! Tests of the adapter as its users see it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read fixtures")]

mod cases;
mod config;
mod corpus;
mod failures;
mod fixtures;
mod foreign;
mod hookside;
mod host;
mod lint;
mod list;
mod meant;
mod open;
mod robust;
mod schemas;
mod selection;
mod stdin;
mod support;
mod table;
mod tools;
mod vectors;
