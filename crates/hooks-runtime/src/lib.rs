//! Runs coding-agent hooks as processes: finds a vendor's documents, runs commands safely, and fires whole events.
//!
//! [`hooks_core`] is arithmetic without IO; this crate is the IO around it, on tokio:
//!
//! - [`mod@discover`] finds and reads the documents an adapter's location table names;
//! - [`runner`] runs one [`Invocation`](hooks_core::Invocation) and gives its [`Outcome`](hooks_core::Outcome);
//! - [`dispatch`] fires an occurrence: selects, encodes, runs side by side, decodes, settles and decides.
//!
//! It knows no vendor: every fact comes from a [`HostSide`](hooks_core::HostSide). A host with its own process runner
//! needs none of it. The tokio runtime must have IO and time enabled.

// This is the crate that does the IO for the pure ones: it reads files and the environment, keeps time and starts
// processes, which the lints forbid everywhere below it.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod answer;
pub mod cancel;
pub mod discover;
pub mod dispatch;
pub mod handlers;
mod pipes;
pub mod runner;
mod shell;
mod sys;

pub use cancel::CancelSignal;
pub use discover::{Found, Missed, Places, ReadError, discover, read_file};
pub use dispatch::{FireOptions, Firing, Late, LateRun, Planned, RunReport, fire, plan};
pub use handlers::{HandlerHost, NoHandlers};
pub use runner::run_command;
