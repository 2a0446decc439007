//! What a host is told while a firing goes on.

use hooks_core::Definition;

use crate::dispatch::RunReport;
use crate::late::LateRun;

/// One step of a firing.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Report<'a> {
    /// A hook that this occurrence concerns does not run, because nobody trusted it as it is. Told before any run.
    Skipped(&'a Definition),
    /// A binding was selected and is about to run. All of a firing's are told in declared order, before any handler runs;
    /// those that see a rewritten input are told once that is known.
    Started(&'a RunReport),
    /// Its run has ended and was read. Told in declared order, as soon as all before it have ended too.
    Completed(&'a RunReport),
    /// It went to the background, so the decision does not wait for it. Told in the same order as ends.
    Detached(&'a RunReport),
    /// A run in the background has ended. Told when it does.
    Late(&'a LateRun),
}

/// Is told of every run. Closures are one. Called on the thread that fires, or on one of the runtime's; should not block.
pub trait Observer: Send + Sync {
    /// Takes a report.
    fn report(&self, report: Report<'_>);
}

impl<F: Fn(Report<'_>) + Send + Sync> Observer for F {
    fn report(&self, report: Report<'_>) {
        self(report);
    }
}
