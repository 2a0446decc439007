//! Runs hooks written for Cursor, Claude Code or Codex in any agent host, with the meaning each vendor gives them.
//!
//! This is the facade that a host depends on: the vendor-neutral core ([`hooks_core`], whose items are also here),
//! the adapters behind the features `cursor`, `claude` and `codex`, and the process runner behind `runtime`. JSON
//! Schemas of configurations, inputs and answers are behind `schema`, the checker of whole projects behind `check`. The
//! command of the same name is behind `cli`; without it neither its argument parser nor the conformance runner is built.
//!
//! A host picks vendors when it starts, activates their documents, and asks at each of its moments what hooks say:
//!
//! ```
//! # #[cfg(feature = "claude")] {
//! use std::sync::Arc;
//! use crosshook::{
//!     Action, Common, DecodePolicy, Envelope, HostProfile, Origin, Outcome, Payload, SessionState, Source, ToolCall,
//!     VendorSources, activate, decide, reduce, select, settle,
//! };
//! use crosshook::activate::AdmitAll;
//! use crosshook::envelope::ToolUse;
//! use crosshook::source::Syntax;
//!
//! // Chosen at activation time, by name.
//! let adapter = crosshook::adapter("claude").expect("the feature is on");
//! let config = br#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]}]}}"#;
//! let source = Source::hooks(
//!     adapter.vendor().clone(), Origin::Project, Syntax::Json, "/p/.claude/settings.json", config.as_slice(),
//! );
//! let document = adapter.parse(&Arc::new(source));
//! let host = HostProfile::full();
//! let vendors = vec![VendorSources { adapter: Arc::clone(&adapter), documents: vec![document] }];
//! let snapshot = activate(vendors, &host, &AdmitAll).expect("nothing refuses the session");
//!
//! // A shell command is about to run.
//! let common = Common { session_id: "s1".into(), cwd: "/p".into(), ..Common::default() };
//! let call = ToolUse { id: Some("c1".into()), call: ToolCall::shell("rm -rf build") };
//! let envelope = Envelope::new(common, Payload::ToolBefore(call));
//! let session = SessionState::default();
//! let chosen = select(&snapshot, &envelope, &session);
//! assert_eq!(chosen.len(), 1);
//!
//! // What to run and its standard input; the host runs it, or the `runtime` feature does.
//! let mut stdin = Vec::new();
//! let binding = chosen[0].binding;
//! let invocation = adapter.encode(binding, &envelope, &mut stdin).expect("it can be run");
//! assert_eq!(invocation.cwd, "/p");
//!
//! // What the hook printed, and what that comes to.
//! let printed = r#"{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
//!     "permissionDecisionReason": "not here"}}"#;
//! let outcome = Outcome::exited(0, printed);
//! let effects = adapter.decode(binding, &envelope, &outcome, DecodePolicy::default());
//! // Where it is doubtful whether the hook should run, only what restrains counts.
//! let effects = if chosen[0].doubtful.is_some() { effects.doubtful() } else { effects };
//! let settled = settle(reduce([effects]), adapter.merge_policy(envelope.boundary()), host.strict);
//! let (decision, _session) = decide(settled, envelope.boundary(), &host, session);
//! assert_eq!(decision.action, Action::Deny);
//! assert_eq!(decision.to_model[0].value, "not here");
//! # }
//! ```

// The command's and the checker's modules name the facade as any host does.
#[cfg(feature = "check")]
extern crate self as crosshook;

use std::sync::Arc;

pub use hooks_core;
pub use hooks_core::*;

/// Claude Code's format.
#[cfg(feature = "claude")]
pub use adapter_claude as claude;
/// Codex's format.
#[cfg(feature = "codex")]
pub use adapter_codex as codex;
/// Cursor's format.
#[cfg(feature = "cursor")]
pub use adapter_cursor as cursor;
/// Discovery, the process runner and the dispatcher.
#[cfg(feature = "runtime")]
pub use hooks_runtime as runtime;

pub mod bridge;
#[cfg(feature = "check")]
pub mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "check")]
mod near;
#[cfg(feature = "check")]
pub mod translate;

/// The names of the vendors that are built in, in the order in which [`adapters`] gives them.
pub const VENDORS: &[&str] = &[
    #[cfg(feature = "cursor")]
    "cursor",
    #[cfg(feature = "claude")]
    "claude",
    #[cfg(feature = "codex")]
    "codex",
];

/// The adapter of a vendor's newest recorded client with its default options; `None` for a name that is not built in.
///
/// Cursor's is its `vendor()` face: Cursor as documented now.
#[must_use]
pub fn adapter(vendor: &str) -> Option<Arc<dyn HostSide>> {
    codec(vendor).map(|codec| -> Arc<dyn HostSide> { codec })
}

/// As [`adapter()`], with both halves: for bridges.
#[must_use]
pub fn codec(vendor: &str) -> Option<Arc<dyn adapter::Codec>> {
    match vendor {
        #[cfg(feature = "cursor")]
        "cursor" => Some(Arc::new(cursor::Adapter::latest())),
        #[cfg(feature = "claude")]
        "claude" => Some(Arc::new(claude::Adapter::latest())),
        #[cfg(feature = "codex")]
        "codex" => Some(Arc::new(codex::Adapter::latest())),
        _ => None,
    }
}

/// The adapter of a vendor's client of a version, with the options of [`adapter()`]; `None` for a name that is not built in.
#[must_use]
pub fn adapter_at(vendor: &str, version: Version) -> Option<Arc<dyn HostSide>> {
    #[cfg(not(any(feature = "cursor", feature = "claude", feature = "codex")))]
    let _ = version;
    match vendor {
        #[cfg(feature = "cursor")]
        "cursor" => {
            Some(Arc::new(cursor::Adapter::new(&cursor::DIALECT, version, cursor::Adapter::latest().options().clone())))
        }
        #[cfg(feature = "claude")]
        "claude" => Some(Arc::new(claude::Adapter::new(&claude::DIALECT, version, claude::Options::default()))),
        #[cfg(feature = "codex")]
        "codex" => Some(Arc::new(codex::Adapter::new(&codex::DIALECT, version, codex::Options::default()))),
        _ => None,
    }
}

/// The adapter a conformance vector asks for: of a vendor, for the client it names, with the face it names.
///
/// Without a client, the newest recorded one. Of Cursor's faces, a vector without one holds for the first design's rules
/// (`cursor::Options::seed()`), `phase1` and `vendor` are the others. `None` for a vendor that is not built in, a client
/// whose version cannot be read, and a face that is not known; the other vendors have one face, whatever it is called.
#[must_use]
pub fn adapter_for(vendor: &str, client: Option<&str>, profile: Option<&str>) -> Option<Arc<dyn HostSide>> {
    #[cfg_attr(not(any(feature = "cursor", feature = "claude", feature = "codex")), allow(unused_variables))]
    let version = |newest: Version| match client {
        None => Some(newest),
        Some(client) => client.rsplit(' ').next().and_then(|version| version.parse().ok()),
    };
    match (vendor, profile) {
        #[cfg(feature = "cursor")]
        ("cursor", face) => {
            let options = match face {
                None => cursor::Options::seed(),
                Some("phase1") => cursor::Options::phase1(),
                Some("vendor") => cursor::Options::vendor(),
                Some(_) => return None,
            };
            Some(Arc::new(cursor::Adapter::new(&cursor::DIALECT, version(cursor::DIALECT.latest)?, options)))
        }
        #[cfg(feature = "claude")]
        ("claude", _) => adapter_at(vendor, version(claude::DIALECT.latest)?),
        #[cfg(feature = "codex")]
        ("codex", _) => adapter_at(vendor, version(codex::DIALECT.latest)?),
        _ => None,
    }
}

/// The adapters of all vendors that are built in, as [`adapter()`] makes them.
#[must_use]
pub fn adapters() -> Vec<Arc<dyn HostSide>> {
    VENDORS.iter().filter_map(|vendor| adapter(vendor)).collect()
}

/// The JSON Schemas of all vendors that are built in, in the order of [`VENDORS`]: configurations, standard inputs and
/// answers. [`schema::render`] makes a text of one.
#[cfg(feature = "schema")]
#[must_use]
pub fn schemas() -> Vec<&'static schema::Schemas> {
    vec![
        #[cfg(feature = "cursor")]
        &cursor::schema::SCHEMAS,
        #[cfg(feature = "claude")]
        &claude::schema::SCHEMAS,
        #[cfg(feature = "codex")]
        &codex::schema::SCHEMAS,
    ]
}

/// The README's examples, compiled and run.
#[cfg(all(doctest, feature = "claude"))]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
