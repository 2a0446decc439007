//! The runtime against real processes and real files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]
#![cfg(unix)]

mod discover;
mod dispatch;
mod leaks;
mod runner;
mod support;
mod toy;
