//! How Codex folds several hooks of one event (section 11.4). No two events share a rule because they share a policy:
//! a policy only has to be right in the parts that its event's channels can reach.

use hooks_core::policy::{InputRule, Lead, Leads, MergePolicy, Order, ResultRule};

/// Everything in configured order; the first deny and the first stop lead.
pub const PLAIN: MergePolicy = MergePolicy { leads: Leads::all(Lead::FIRST_DECLARED), ..MergePolicy::DECLARED };

/// `PreToolUse`: of several rewrites that of the hook that finished last counts, whole (observed, client 0.171.0).
pub const PRE_TOOL_USE: MergePolicy = MergePolicy { input: InputRule::LastFinished, ..PLAIN };

/// `PostToolUse`: feedback of all blocked and stopped runs, in configured order, a blank line between.
pub const POST_TOOL_USE: MergePolicy =
    MergePolicy { result: ResultRule::Join("\n\n"), context: Order::Declared, ..PLAIN };

/// `Stop` and `SubagentStop`: when one stops, no block counts.
pub const STOP: MergePolicy = MergePolicy { halt_drops_continuations: true, ..PLAIN };
