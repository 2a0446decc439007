//! A last look before something runs.

use std::fmt;

use hooks_core::Binding;

/// Says of each binding, right before it is started, whether it may be: for what can change after activation, such as
/// the script that a trusted command names.
pub trait Gate: Send + Sync + fmt::Debug {
    /// Whether it may run. May read files; runs on the thread that fires. Of a run that goes to the background this is
    /// asked twice: when it is queued, and once more, on whatever thread drives it, when its turn has come.
    ///
    /// # Errors
    ///
    /// Why it may not. It then counts as matched and not run, and the vendor's rule for that applies.
    fn may_run(&self, binding: &Binding) -> Result<(), String>;
}

/// Lets everything run that activation left live.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoGate;

impl Gate for NoGate {
    fn may_run(&self, _binding: &Binding) -> Result<(), String> {
        Ok(())
    }
}
