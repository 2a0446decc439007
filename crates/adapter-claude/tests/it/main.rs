//! The adapter held to what the vendor's clients and pages say.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods
)]

mod case_list;
mod corpus;
mod diagnostics;
mod excluded;
mod fixtures;
mod hook_side;
mod hostile;
mod outcomes;
mod payloads;
mod rows;
mod said_cases;
mod schemas;
mod selecting;
mod surroundings;
mod vectors;

/// So many cases of a property, or what `PROPTEST_CASES` says.
fn cases(usual: u32) -> proptest::prelude::ProptestConfig {
    let given = proptest::prelude::ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { given.cases } else { usual };
    proptest::prelude::ProptestConfig { cases, failure_persistence: None, ..given }
}
