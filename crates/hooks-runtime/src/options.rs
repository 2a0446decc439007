//! How an occurrence is fired: the host's limits and its hands in it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::cancel::CancelSignal;
use crate::gate::{Gate, NoGate};
use crate::handlers::{HandlerHost, NoHandlers};
use crate::observe::{Observer, Report};
use crate::session_files::SessionFiles;
use crate::shell::{Environment, Inherit};

/// How an occurrence is fired.
#[derive(Clone)]
#[non_exhaustive]
pub struct FireOptions {
    /// How many hooks run at the same time, at least 1.
    pub concurrency: usize,
    /// Ends every run of the firing, those in the background too where they have no signal of their own.
    pub cancel: CancelSignal,
    /// Ends the runs in the background in place of `cancel`: a turn that is taken back then leaves them alone, as vendors'
    /// clients do, and the session's end ends them.
    pub cancel_background: Option<CancelSignal>,
    /// After so long, runs that the decision waits for are cancelled, by the host: what could have blocked then blocks.
    /// `None` leaves it to the runs' own time limits.
    pub deadline: Option<Duration>,
    /// How many runs go on in the background, over all firings that share it.
    pub background: BackgroundLimit,
    /// Runs handlers that are no programs.
    pub handlers: Arc<dyn HandlerHost>,
    /// Has the last word on whether a binding is started.
    pub gate: Arc<dyn Gate>,
    /// Where texts that are too long for the model are written; `None` writes them nowhere and cuts them off.
    pub spill_folder: Option<PathBuf>,
    /// What programs inherit of this process's environment.
    pub inherit: Inherit,
    /// The environment that the session began with, for vendors whose hooks get that one; `None` gives them this
    /// process's.
    pub began_with: Option<Environment>,
    /// The session's files that hooks write variables for later programs to; without them hooks do not get their
    /// variable.
    pub session_files: Option<Arc<SessionFiles>>,
    /// Is told of every run.
    pub observer: Option<Arc<dyn Observer>>,
}

impl fmt::Debug for FireOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FireOptions")
            .field("concurrency", &self.concurrency)
            .field("deadline", &self.deadline)
            .field("background", &self.background)
            .field("handlers", &self.handlers)
            .field("gate", &self.gate)
            .field("spill_folder", &self.spill_folder)
            .field("inherit", &self.inherit)
            .field("began_with", &self.began_with)
            .field("session_files", &self.session_files)
            .finish_non_exhaustive()
    }
}

impl Default for FireOptions {
    fn default() -> Self {
        Self {
            concurrency: 16,
            cancel: CancelSignal::new(),
            cancel_background: None,
            deadline: None,
            background: BackgroundLimit::default(),
            handlers: Arc::new(NoHandlers),
            gate: Arc::new(NoGate),
            spill_folder: None,
            inherit: Inherit::default(),
            began_with: None,
            session_files: None,
            observer: None,
        }
    }
}

impl FireOptions {
    /// The same options with another limit on how many hooks run at the same time.
    #[must_use]
    pub fn concurrency(mut self, concurrency: usize) -> Self {
        self.concurrency = concurrency;
        self
    }

    /// The same options with a cancel signal.
    #[must_use]
    pub fn cancel(mut self, cancel: CancelSignal) -> Self {
        self.cancel = cancel;
        self
    }

    /// The same options with a cancel signal of their own for runs in the background: one a session, where that of the
    /// firing is the turn's.
    #[must_use]
    pub fn cancel_background(mut self, cancel: CancelSignal) -> Self {
        self.cancel_background = Some(cancel);
        self
    }

    /// The same options with a time after which the host cancels what the decision waits for.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// The same options with a limit of their own on runs in the background.
    #[must_use]
    pub fn background(mut self, background: BackgroundLimit) -> Self {
        self.background = background;
        self
    }

    /// The same options with somebody who runs handlers that are no programs.
    #[must_use]
    pub fn handlers(mut self, handlers: Arc<dyn HandlerHost>) -> Self {
        self.handlers = handlers;
        self
    }

    /// The same options with somebody who has the last word on whether a binding is started, such as a
    /// [`TrustStore`](crate::TrustStore) that covers scripts.
    #[must_use]
    pub fn gate(mut self, gate: Arc<dyn Gate>) -> Self {
        self.gate = gate;
        self
    }

    /// The same options with a folder for texts that are too long for the model; it is made when it is needed. One a
    /// session is a good choice: nothing is ever removed from it.
    #[must_use]
    pub fn spill_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.spill_folder = Some(folder.into());
        self
    }

    /// The same options with a rule on what programs inherit of this process's environment.
    #[must_use]
    pub fn inherit(mut self, inherit: Inherit) -> Self {
        self.inherit = inherit;
        self
    }

    /// The same options with the environment that the session began with.
    #[must_use]
    pub fn began_with(mut self, environment: Environment) -> Self {
        self.began_with = Some(environment);
        self
    }

    /// The same options with the session's files that hooks write variables for later programs to.
    #[must_use]
    pub fn session_files(mut self, files: Arc<SessionFiles>) -> Self {
        self.session_files = Some(files);
        self
    }

    /// The same options with somebody who is told of every run.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    pub(crate) fn tell(&self, report: Report<'_>) {
        crate::trace::report(report);
        if let Some(observer) = &self.observer {
            observer.report(report);
        }
    }
}

/// How many runs go on in the background at the same time. Clones share the number, so a host gives one to all firings
/// of a session. What is beyond waits for its turn; a run that asks to go there with its first line, when there is no
/// room, is waited for instead.
///
/// Some vendors give such runs no time limit, so hooks that never end would let the row that waits grow with each firing:
/// of handlers sent to the background at most [`BackgroundLimit::WAITING`] run or wait, and what is beyond is not run,
/// which its late report says.
#[derive(Clone, Debug)]
pub struct BackgroundLimit {
    pub(crate) running: Arc<Semaphore>,
    pub(crate) waiting: Arc<Semaphore>,
}

impl BackgroundLimit {
    /// The number where nobody says another.
    pub const DEFAULT: usize = 8;
    /// How many run or wait for their turn, beside those that went there by themselves.
    pub const WAITING: usize = 1024;

    /// At most so many, at least 1.
    #[must_use]
    pub fn new(runs: usize) -> Self {
        let running = runs.clamp(1, Semaphore::MAX_PERMITS);
        let waiting = running.max(Self::WAITING);
        Self { running: Arc::new(Semaphore::new(running)), waiting: Arc::new(Semaphore::new(waiting)) }
    }
}

impl Default for BackgroundLimit {
    fn default() -> Self {
        Self::new(Self::DEFAULT)
    }
}
