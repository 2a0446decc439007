//! The vendor-neutral heart of Crosshook: what a hook may be attached to, what it may ask for, and what several of
//! them together come to.
//!
//! Coding agents let people configure programs that run at moments of the agent's life. Each vendor has its own
//! configuration language, payload, answer format, failure rule and merge rule. This crate has none of those. It has
//! the words they share and the arithmetic over them, as pure functions:
//!
//! ```text
//! parse(source)                       -> Parsed              an adapter's, never fails as a whole
//! activate(documents, host, admission)-> Snapshot | Refused  what is live, and why the rest is not
//! select(snapshot, envelope, session) -> Run | Doubtful | No per definition, with the reason
//! encode(binding, envelope, bytes)    -> Invocation | NotRun an adapter's
//! run(invocation)                     -> Outcome             the host's, or hooks-runtime
//! decode(binding, envelope, outcome)  -> HookEffects         an adapter's
//! reduce(effects)                     -> Items               concatenation
//! settle_all(items, policies)         -> Settled             each vendor's merge rule, then all vendors together
//! refire::guards(..)                  -> ..                  who must see a rewritten input before it is used
//! decide(settled, host, session)      -> Decision            what the host shall do
//! ```
//!
//! Start with [`boundary`] for the moments, [`effects`] for what hooks ask for, [`settle`](mod@settle) and
//! [`decide`](mod@decide) for the rules, and [`adapter`] for what a vendor's crate provides.
//!
//! The crate does no IO, keeps no clock and no global state, knows no runtime, and names no vendor.

pub mod activate;
pub mod adapter;
pub mod boundary;
pub mod channel;
pub mod decide;
pub mod definition;
pub mod diagnostic;
pub mod document;
pub mod duty;
pub mod effects;
pub mod entry;
pub mod envelope;
pub mod evidence;
pub mod facts;
pub mod handler;
pub mod host;
pub mod json;
pub mod lint;
pub mod location;
pub mod matcher;
pub mod outcome;
pub mod patch;
pub mod policy;
pub mod refire;
#[cfg(feature = "schema")]
pub mod schema;
pub mod select;
pub mod session;
pub mod settle;
pub mod source;
pub mod spill;
pub mod text;
pub mod tool;
pub mod translate;
pub mod vendor;

pub use activate::{Activated, Admission, AdmitAll, AdmitOwn, Admitted, Refused, Snapshot, VendorSources, activate};
pub use adapter::{
    Answer, DecodePolicy, Dialect, Encoded, HookSide, HostSide, Loss, Lost, Parsed, StdinError, Subject,
};
pub use boundary::{Boundary, Facet};
pub use channel::{Channel, Channels};
pub use decide::{Action, Decision, decide};
pub use definition::{Binding, BindingId, Definition, FailurePolicy, LoopLimit, Place, State};
pub use diagnostic::{Code, Diagnostic, Reach, Severity};
pub use effects::{Continuation, Effect, Halt, HookEffects, Items, RunStatus, Said, Verdict, Who, reduce};
pub use envelope::{Common, Envelope, Payload, ToolUse};
pub use handler::Handler;
pub use host::HostProfile;
pub use json::RawJson;
pub use matcher::{Matched, Matcher};
pub use outcome::{End, Invocation, NotRun, Outcome};
pub use policy::MergePolicy;
pub use select::{Choice, Selected, Why, explain, held_back, select};
pub use session::SessionState;
pub use settle::{Settled, settle, settle_all};
pub use source::{Origin, Source, Syntax};
pub use text::display_untrusted;
pub use tool::{ToolAction, ToolCall, ToolResult};
pub use vendor::{VendorId, Version};
