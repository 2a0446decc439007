//! How Claude Code folds several hooks of one event: all of them run at once, and completion order decides.

use hooks_core::boundary::Boundary;
use hooks_core::policy::{InputRule, Lead, Leads, MergePolicy, Order, ResultRule, VerdictRule};
use hooks_core::vendor::Version;

use crate::events::ALLOW_KEEPS_REWRITE;

/// Every boundary but the permission request (hooks page; cases `b-multi.*`, `upd-*`,
/// `ev-UserPromptSubmit-two-blocks`): the strongest verdict; of denies the last to finish speaks, of asks and of blocked
/// prompts the first; of rewrites and replaced results the last to finish counts; a halt outranks a continuation.
pub static POLICY: MergePolicy = MergePolicy {
    verdict: VerdictRule::Strongest,
    leads: Leads {
        deny: Lead::LAST_FINISHED,
        ask: Lead::FIRST_FINISHED,
        defer: Lead::FIRST_FINISHED,
        allow: Lead::FIRST_FINISHED,
        halt: Lead::FIRST_FINISHED,
    },
    context: Order::Finishing,
    notices: Order::Finishing,
    input: InputRule::LastFinished,
    result: ResultRule::LastFinished,
    env: Order::Finishing,
    halt_drops_continuations: true,
    // Hooks page, after a tool: a cap that all hooks share (case L304).
    classifier_limit: Some(2_000),
};

/// The permission request (cases `two-allow-fast-deny-slow`, `first-answer-*`): the first hook to answer decides alone.
pub static FIRST_ANSWER: MergePolicy = MergePolicy { verdict: VerdictRule::FirstAnswer, ..POLICY };

/// Before a tool on clients where a later allow takes an earlier rewrite away (2.1.197, case `upd-allow-slow`).
pub static ALLOW_DROPS_REWRITE: MergePolicy = MergePolicy { input: InputRule::LastAnswer, ..POLICY };

/// The policy of a boundary at a version.
#[must_use]
pub fn policy(boundary: Boundary, version: Version) -> &'static MergePolicy {
    match boundary {
        Boundary::PermissionRequest => &FIRST_ANSWER,
        Boundary::ToolBefore if ALLOW_KEEPS_REWRITE.at(version) == Some(false) => &ALLOW_DROPS_REWRITE,
        _ => &POLICY,
    }
}
