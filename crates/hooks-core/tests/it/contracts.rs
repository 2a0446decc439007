//! Contracts the compiler checks: object safety, and what hosts send between threads.

use std::sync::Arc;

use hooks_core::activate::Snapshot;
use hooks_core::adapter::{HookSide, HostSide};
use hooks_core::effects::{HookEffects, Items};
use hooks_core::{Decision, Definition, Diagnostic, Envelope, HostProfile, Invocation, Outcome, SessionState, Settled};

fn is_send_and_sync<T: Send + Sync + ?Sized>() {}

#[test]
fn hosts_can_share_everything() {
    is_send_and_sync::<Arc<dyn HostSide>>();
    is_send_and_sync::<Arc<dyn HookSide>>();
    is_send_and_sync::<Snapshot>();
    is_send_and_sync::<Envelope>();
    is_send_and_sync::<HookEffects>();
    is_send_and_sync::<Items>();
    is_send_and_sync::<Settled>();
    is_send_and_sync::<Decision>();
    is_send_and_sync::<Definition>();
    is_send_and_sync::<Diagnostic>();
    is_send_and_sync::<HostProfile>();
    is_send_and_sync::<Invocation>();
    is_send_and_sync::<Outcome>();
    is_send_and_sync::<SessionState>();
}
