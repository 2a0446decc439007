//! The runtime against real processes and real files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]
#![cfg(unix)]

mod bad_days;
mod discover;
mod dispatch;
#[cfg(feature = "http")]
mod http;
mod leaks;
mod limits;
mod log;
mod reload;
mod reports;
mod runner;
mod support;
mod toy;
#[cfg(feature = "tracing")]
mod trace;
mod trust;
mod vectors;
