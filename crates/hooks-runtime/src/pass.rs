//! Runs what one firing planned: side by side up to the host's limit, read and told in declared order.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use hooks_core::adapter::{DecodePolicy, HostSide};
use hooks_core::boundary::Boundary;
use hooks_core::definition::Binding;
use hooks_core::effects::{Failure, HookEffects, Note, Who};
use hooks_core::envelope::Envelope;
use hooks_core::handler::{Background, Handler};
use hooks_core::outcome::{End, Invocation, NotRun, Outcome, Program};
use hooks_core::policy::MergePolicy;
use hooks_core::{Snapshot, VendorId};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinSet;

use crate::cancel::CancelSignal;
use crate::dispatch::{Planned, RunReport, no_adapter};
use crate::handlers::HandlerHost;
use crate::late::LateRun;
use crate::observe::Report;
use crate::options::{BackgroundLimit, FireOptions};
use crate::runner::{Cut, Running, Surroundings};
use crate::shell;
use crate::spill;
use crate::trace;

/// What all runs of one firing share.
pub(crate) struct Pass<'f> {
    pub(crate) snapshot: &'f Snapshot,
    pub(crate) options: &'f FireOptions,
    pub(crate) policy: DecodePolicy,
    /// What the programs of each vendor's hooks get.
    pub(crate) surroundings: Vec<(VendorId, Arc<Surroundings>)>,
    /// Ends the runs that the decision waits for.
    pub(crate) awaited: CancelSignal,
    /// When those are ended.
    pub(crate) deadline: Option<Instant>,
    /// How many runs have finished.
    pub(crate) finished: Arc<AtomicU32>,
    pub(crate) late: JoinSet<LateRun>,
}

/// What a task brings back.
enum Answered {
    Done(Outcome),
    Detached { running: Box<Running<Arc<[u8]>>>, permit: OwnedSemaphorePermit },
}

impl Pass<'_> {
    /// Runs what was planned; the reports stand in the same order.
    pub(crate) async fn run(&mut self, planned: Vec<Planned>, envelope: &Envelope, refired: bool) -> Vec<RunReport> {
        let mut reports: Vec<RunReport> = planned
            .into_iter()
            .map(|planned| {
                let waiting = Outcome::ended(End::NotRun("it has not ended".to_owned()));
                let by = Who::of(&planned.binding, &waiting);
                let adapter = self.snapshot.adapter(&planned.binding.vendor);
                let event = adapter.and_then(|adapter| adapter.event(&planned.binding.place.event));
                RunReport {
                    binding: planned.binding,
                    scope: event.map(|event| event.scope),
                    doubtful: planned.doubtful,
                    invocation: planned.invocation,
                    stdin: planned.stdin.into(),
                    outcome: None,
                    effects: HookEffects::none(by),
                    entries: Vec::new(),
                    refired,
                }
            })
            .collect();

        for report in &reports {
            self.options.tell(Report::Started(report));
        }
        if self.options.cancel.is_cancelled() || self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            self.awaited.cancel();
        }
        let mut tasks = JoinSet::new();
        let mut background = HashSet::new();
        let mut next_read = 0;
        let mut at = 0;
        loop {
            while tasks.len() < self.options.concurrency.max(1) {
                let Some(report) = reports.get_mut(at) else { break };
                if report.invocation.is_ok()
                    && let Err(why) = self.options.gate.may_run(&report.binding)
                {
                    report.invocation = Err(NotRun(why));
                }
                self.give_file(report);
                match &report.invocation {
                    invocation if is_background(&report.binding) => {
                        background.insert(at);
                        self.in_background(report.binding.clone(), invocation.clone(), &report.stdin, envelope);
                    }
                    Err(why) => report.outcome = Some(self.count(why.clone().into())),
                    Ok(invocation) => {
                        let cancel = self.awaited.clone();
                        let surroundings = self.surroundings(&report.binding.vendor);
                        let task = self.task(invocation.clone(), Arc::clone(&report.stdin), surroundings, cancel);
                        let task = trace::in_run(&report.binding, task);
                        let finished = Arc::clone(&self.finished);
                        tasks.spawn(async move {
                            let mut answered = task.await;
                            if let Answered::Done(outcome) = &mut answered {
                                outcome.finished = finished.fetch_add(1, Ordering::Relaxed);
                            }
                            (at, answered)
                        });
                    }
                }
                at += 1;
            }
            self.read_in_order(&mut reports, &background, &mut next_read, envelope).await;
            let Some(joined) = self.join_next(&mut tasks).await else {
                if at < reports.len() { continue } else { break }
            };
            let Ok((index, answered)) = joined else { continue };
            let Some(report) = reports.get_mut(index) else { continue };
            match answered {
                Answered::Done(outcome) => report.outcome = Some(outcome),
                Answered::Detached { running, permit } => {
                    background.insert(index);
                    let cancel = self.background_signal();
                    self.late(report.binding.clone(), envelope, async move {
                        let _permit = permit;
                        let mut running = running;
                        let cut = running.follow(&cancel, None).await;
                        running.finish(cut).await
                    });
                }
            }
        }
        for (index, report) in reports.iter_mut().enumerate() {
            if report.outcome.is_none() && !background.contains(&index) {
                // Only a handler of the host can do this.
                let lost = Outcome::ended(End::NotRun("what ran it broke off without an outcome".to_owned()));
                report.outcome = Some(self.count(lost));
            }
        }
        self.read_in_order(&mut reports, &background, &mut next_read, envelope).await;
        reports
    }

    /// The next run to end. Meanwhile the host's signal and the deadline are passed on to those that are waited for.
    async fn join_next<T: 'static>(&self, tasks: &mut JoinSet<T>) -> Option<Result<T, tokio::task::JoinError>> {
        while !tasks.is_empty() && !self.awaited.is_cancelled() {
            let deadline = async {
                match self.deadline {
                    Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                joined = tasks.join_next() => return joined,
                () = self.options.cancel.cancelled() => self.awaited.cancel(),
                () = deadline => self.awaited.cancel(),
            }
        }
        tasks.join_next().await
    }

    /// Reads the outcomes that have no unread one before them, and tells of them.
    async fn read_in_order(
        &self,
        reports: &mut [RunReport],
        background: &HashSet<usize>,
        next: &mut usize,
        envelope: &Envelope,
    ) {
        while let Some(report) = reports.get_mut(*next) {
            if background.contains(next) {
                self.options.tell(Report::Detached(report));
                *next += 1;
                continue;
            }
            let Some(outcome) = &report.outcome else { return };
            let adapter = self.snapshot.adapter(&report.binding.vendor);
            let notes = std::mem::take(&mut report.effects.notes);
            report.effects = match adapter {
                Some(adapter) => adapter.decode(&report.binding, envelope, outcome, self.policy),
                None => HookEffects::failed(
                    Who::of(&report.binding, outcome),
                    Failure::NotRun(no_adapter(&report.binding.vendor).0),
                ),
            };
            report.effects.by.doubtful |= report.doubtful.is_some();
            report.effects.notes.extend(notes);
            if let Some(adapter) = adapter {
                report.entries = adapter.entries(&report.binding, outcome, &report.effects);
                let folder = self.options.spill_folder.as_deref();
                spill::cut(&mut report.effects, &**adapter, &report.binding, folder).await;
            }
            self.options.tell(Report::Completed(report));
            *next += 1;
        }
    }

    /// Tells a program where the file is that its hook may write variables to; notes what stands in the way.
    fn give_file(&self, report: &mut RunReport) {
        let Ok(invocation) = &mut report.invocation else { return };
        let (Some(file), Some(files)) = (invocation.session_file, &self.options.session_files) else { return };
        match files.make(&report.binding.vendor, &file) {
            Ok(path) => invocation.env.push((file.variable.to_owned(), path)),
            Err(error) => {
                report.effects.note(Note::whole(format!("{} is not set, since its file {error}", file.variable)));
            }
        }
    }

    /// Gives an outcome its place in the order of finishing.
    fn count(&self, mut outcome: Outcome) -> Outcome {
        outcome.finished = self.finished.fetch_add(1, Ordering::Relaxed);
        outcome
    }

    /// A run as a task: to its end, or to its wish to go on in the background.
    fn task(
        &self,
        invocation: Invocation,
        stdin: Arc<[u8]>,
        surroundings: Arc<Surroundings>,
        cancel: CancelSignal,
    ) -> impl Future<Output = Answered> + Send + 'static {
        let handlers = Arc::clone(&self.options.handlers);
        let background = self.options.background.clone();
        async move {
            if cancel.is_cancelled() {
                return Answered::Done(Outcome { stdin_delivered: false, ..Outcome::ended(End::Cancelled) });
            }
            if let Program::Hosted(handler) = &invocation.program {
                return Answered::Done(
                    run_hosted(&*handlers, handler, &invocation, &stdin, &surroundings, &cancel).await,
                );
            }
            let mut running = match Running::start(&invocation, stdin, &surroundings) {
                Ok(running) => running,
                Err(outcome) => return Answered::Done(outcome),
            };
            let room = || Arc::clone(&background.running).try_acquire_owned().ok();
            let mut permit = None;
            let mut may_detach = || {
                permit = room();
                permit.is_some()
            };
            let cut = running.follow(&cancel, Some(&mut may_detach)).await;
            match (cut, permit) {
                (Cut::Detached, Some(permit)) => Answered::Detached { running: Box::new(running), permit },
                (cut, _) => Answered::Done(running.finish(cut).await),
            }
        }
    }

    /// Starts a run that nothing waits for.
    fn in_background(
        &mut self,
        binding: Binding,
        invocation: Result<Invocation, NotRun>,
        stdin: &Arc<[u8]>,
        envelope: &Envelope,
    ) {
        let mut invocation = match invocation {
            Ok(invocation) => invocation,
            Err(why) => return self.late(binding, envelope, std::future::ready(why.into())),
        };
        // It is in the background already, so its first line is part of its answer.
        invocation.rules.detach_on_async_line = false;
        // A firing that was taken back before it began starts nothing.
        let is_void = self.options.cancel.is_cancelled();
        let cancel = if is_void { self.options.cancel.clone() } else { self.background_signal() };
        let surroundings = self.surroundings(&binding.vendor);
        let task = trace::in_run(&binding, self.task(invocation, Arc::clone(stdin), surroundings, cancel.clone()));
        let BackgroundLimit { running, waiting } = self.options.background.clone();
        let Ok(place) = waiting.try_acquire_owned() else {
            let why = "too many runs wait for their turn in the background already".to_owned();
            return self.late(binding, envelope, std::future::ready(NotRun(why).into()));
        };
        let (gate, waited) = (Arc::clone(&self.options.gate), binding.clone());
        self.late(binding, envelope, async move {
            // Held until the run ends, so that a run that never does keeps no more than its own place.
            let _place = place;
            // Nobody closes the semaphore, so only the signal ends the waiting without a permit.
            let _permit = tokio::select! {
                permit = running.acquire_owned() => permit.ok(),
                () = cancel.cancelled() => None,
            };
            // It may have waited for long, and what it names may have changed meanwhile.
            if !cancel.is_cancelled()
                && let Err(why) = gate.may_run(&waited)
            {
                return NotRun(why).into();
            }
            match task.await {
                Answered::Done(outcome) => outcome,
                Answered::Detached { running, .. } => running.finish(Cut::Cancelled).await,
            }
        });
    }

    /// What the programs of a vendor's hooks get beside their invocations.
    fn surroundings(&self, vendor: &VendorId) -> Arc<Surroundings> {
        let own = self.surroundings.iter().find(|(of, _)| of == vendor);
        // Only an adapter encodes, so a vendor without one runs nothing.
        own.map_or_else(Arc::default, |(_, surroundings)| Arc::clone(surroundings))
    }

    /// What ends runs in the background.
    fn background_signal(&self) -> CancelSignal {
        self.options.cancel_background.as_ref().unwrap_or(&self.options.cancel).clone()
    }

    /// Adds a run to those that go on after the decision.
    fn late(&mut self, binding: Binding, envelope: &Envelope, run: impl Future<Output = Outcome> + Send + 'static) {
        let adapter: Option<Arc<dyn HostSide>> = self.snapshot.adapter(&binding.vendor).cloned();
        let envelope = envelope.clone();
        let finished = Arc::clone(&self.finished);
        let options = self.options.clone();
        self.late.spawn(async move {
            let mut outcome = run.await;
            outcome.finished = finished.fetch_add(1, Ordering::Relaxed);
            let mut effects = match &adapter {
                Some(adapter) => adapter.decode_late(&binding, &envelope, &outcome),
                None => HookEffects::none(Who::of(&binding, &outcome)),
            };
            if let Some(adapter) = &adapter {
                spill::cut(&mut effects, &**adapter, &binding, options.spill_folder.as_deref()).await;
            }
            let run = LateRun { binding, outcome, effects };
            options.tell(Report::Late(&run));
            run
        });
    }

    /// Each vendor's merge policy on a boundary.
    pub(crate) fn policies(&self, boundary: Boundary) -> impl Fn(&VendorId) -> &'static MergePolicy {
        let snapshot = self.snapshot;
        move |vendor| snapshot.adapter(vendor).map_or(&MergePolicy::DECLARED, |adapter| adapter.merge_policy(boundary))
    }
}

pub(crate) fn is_background(binding: &Binding) -> bool {
    matches!(&binding.handler, Handler::Command(command) if command.background != Background::No)
}

/// Runs a handler of the host, within the invocation's time limit.
async fn run_hosted(
    handlers: &dyn HandlerHost,
    handler: &Handler,
    invocation: &Invocation,
    stdin: &[u8],
    surroundings: &Surroundings,
    cancel: &CancelSignal,
) -> Outcome {
    let started = Instant::now();
    let environment = shell::environment(invocation, surroundings);
    let mut outcome = tokio::select! {
        outcome = handlers.run(handler, invocation, stdin, &environment, cancel) => outcome,
        () = tokio::time::sleep(invocation.timeout) => Outcome::ended(End::TimedOut),
        () = cancel.cancelled() => Outcome::ended(End::Cancelled),
    };
    outcome.duration = started.elapsed();
    outcome.stdout_beyond += cap(&mut outcome.stdout, invocation.rules.stdout_cap);
    outcome.stderr_beyond += cap(&mut outcome.stderr, invocation.rules.stderr_cap);
    outcome.stdout_truncated |= outcome.stdout_beyond > 0;
    outcome.stderr_truncated |= outcome.stderr_beyond > 0;
    outcome
}

/// Cuts an output off at its cap, and says how much more there was.
fn cap(output: &mut Vec<u8>, cap: usize) -> u64 {
    let beyond = output.len().saturating_sub(cap);
    output.truncate(cap);
    beyond as u64
}
