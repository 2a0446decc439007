//! How Cursor folds several hooks of one firing.
//!
//! A denial outranks asking, which outranks allowing, whatever the source; messages are joined; of every other field
//! the last answer counts, and lower-priority sources come last (hooks page of September 2026, several hooks). Declared
//! order is priority order, then table order, then array order, so "last" is "declared last" (first design, bindings).

use hooks_core::MergePolicy;

/// The one policy: Cursor has the same rule on every boundary.
pub static POLICY: MergePolicy = MergePolicy::DECLARED;
