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
mod by_vendor;
mod discover;
mod dispatch;
mod handlers;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "https")]
mod https;
mod leaks;
mod limits;
mod log;
mod page;
mod places;
mod reload;
mod reports;
mod runner;
mod session;
mod support;
mod toy;
#[cfg(feature = "tracing")]
mod trace;
mod trust;
mod trust_bad_days;
mod trust_scripts;
mod vectors;
mod vendors;
