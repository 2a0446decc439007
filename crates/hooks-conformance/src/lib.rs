//! The conformance vectors' format as types, and a runner that holds any adapter to them.
//!
//! A vector says, as data, what an adapter must make of a hook's answer, a matcher, a configuration, or several hooks
//! of one firing. The format is described in `fixtures/vectors/README.md`. Its types here are also the one JSON form of
//! effects, outcomes and decisions that the tools print: see [`effects_json`], [`outcome_json`] and [`decision_json`].
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//! use hooks_conformance::{Filter, load, run};
//! use hooks_core::HostSide;
//!
//! fn hold(adapter: &Arc<dyn HostSide>) -> Result<(), hooks_conformance::LoadError> {
//!     let files = load(Path::new("fixtures/vectors/my-vendor"))?;
//!     let adapters = |vendor: &str, client: Option<&str>, _profile: Option<&str>| {
//!         (vendor == "my-vendor" && client.is_none()).then(|| Arc::clone(adapter))
//!     };
//!     let report = run(&files, &adapters, &Filter::default());
//!     assert!(report.is_ok(), "{report}");
//!     Ok(())
//! }
//! ```

mod compare;
pub mod cross;
pub mod double;
mod exceptions;
pub mod fixture;
pub mod format;
mod load;
pub mod question;
mod render;
mod report;
mod runner;
pub mod sample;
#[cfg(feature = "schema")]
pub mod schema;
pub mod score;
pub mod shim;
mod strict;

pub use double::{Done, HostDouble};
pub use exceptions::{Exception, Exceptions, ExceptionsError};
pub use format::{Given, Vector, VectorFile};
pub use load::{LoadError, Wrong, load, parse};
pub use question::{Answer, Question};
pub use render::{VectorForm, decision_json, effects_json, outcome_json};
pub use report::{Excepted, Failure, Report, Skipped};
pub use runner::{Adapters, Fault, Filter, InProcess, Reply, Subject, run, run_subject, run_with};
pub use score::Score;
