//! Runs coding-agent hooks as processes: finds a vendor's documents, runs commands safely, and fires whole events.
//!
//! [`hooks_core`] is arithmetic without IO; this crate is the IO around it, on tokio:
//!
//! - [`mod@discover`] finds and reads the documents an adapter's location table names;
//! - [`reload`] reads them again, and keeps the last good form of what was broken; with the feature `watch`,
//!   `watch` tells when;
//! - [`runner`] runs one [`Invocation`](hooks_core::Invocation) and gives its [`Outcome`](hooks_core::Outcome);
//! - [`trust`] keeps what a person has trusted, in a file, and holds activation and running to it;
//! - [`dispatch`] fires an occurrence: selects, encodes, runs side by side, decodes, settles and decides; [`late`] is
//!   what goes on after it;
//! - [`session_files`] and [`session_snapshot`] keep what a session has beside its
//!   [`SessionState`](hooks_core::SessionState);
//! - [`observe`] and [`log`] tell of it; with the feature `tracing`, a span `hooks.firing` and its events do too;
//! - [`handlers`] is how a host runs what is no program.
//!   The feature `http` has a [`HandlerHost`] that sends plain HTTP requests, the feature `https` encrypted ones too.
//!
//! It knows no vendor: every fact comes from a [`HostSide`](hooks_core::HostSide). A host with its own process runner
//! needs none of it. The tokio runtime must have IO and time enabled.
//!
//! # Platforms
//!
//! Tested on Linux. For Windows and macOS it is compiled and linted, and was not run there. On Windows a run's tree is a
//! job object that its process joins right after it was started, there is no polite signal before the kill, and a lock on
//! the trust store is a file that nobody else can open. On a system that is neither
//! of the Unix kind nor Windows only the process itself is ended, and nothing is locked.

// This is the crate that does the IO for the pure ones: it reads files and the environment, keeps time and starts
// processes, which the lints forbid everywhere below it.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod answer;
pub mod cancel;
pub mod discover;
pub mod dispatch;
pub mod gate;
pub mod handlers;
#[cfg(feature = "http")]
pub mod http;
pub mod late;
pub mod log;
pub mod observe;
pub mod options;
mod pass;
mod pipes;
pub mod reload;
pub mod runner;
pub mod session_files;
pub mod session_snapshot;
mod shell;
mod spill;
pub mod state_file;
mod sys;
mod trace;
pub mod trust;
#[cfg(feature = "watch")]
pub mod watch;
#[cfg(any(test, not(unix)))]
mod windows_shell;

pub use cancel::CancelSignal;
pub use discover::{
    ForeignFiles, Found, Looked, Missed, PlaceState, Places, ReadError, discover, discover_all, read_file,
};
pub use dispatch::{Firing, Planned, RunReport, fire, plan};
pub use gate::{Gate, NoGate};
pub use handlers::{HandlerHost, NoHandlers};
pub use late::{Late, LateRun};
pub use observe::{Observer, Report};
pub use options::{BackgroundLimit, FireOptions};
pub use reload::{Reloaded, Reloader};
pub use runner::run_command;
pub use session_files::{Prelude, SessionFiles};
pub use session_snapshot::SessionSnapshot;
pub use shell::{Environment, Inherit};
pub use trust::{ScriptPlaces, Standing, StoreError, TrustStore};
