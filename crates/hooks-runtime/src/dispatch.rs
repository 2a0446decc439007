//! Fires an occurrence: selects, encodes, runs side by side, decodes, settles, fires a rewrite again, decides.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use hooks_core::adapter::{DecodePolicy, HostSide};
use hooks_core::boundary::Boundary;
use hooks_core::decide::{Decision, decide};
use hooks_core::definition::{Binding, BindingId};
use hooks_core::effects::{Effect, EnvReach, Failure, HookEffects, Items, RunStatus, Said, Who, reduce};
use hooks_core::envelope::Envelope;
use hooks_core::handler::{Background, Handler};
use hooks_core::outcome::{End, Invocation, NotRun, Outcome, Program};
use hooks_core::policy::MergePolicy;
use hooks_core::settle::{Dropped, Settled, settle_all};
use hooks_core::{Choice, HostProfile, SessionState, Snapshot, VendorId, refire, select};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinSet;

use crate::cancel::CancelSignal;
use crate::handlers::HandlerHost;
use crate::observe::Report;
use crate::options::{BackgroundLimit, FireOptions};
use crate::runner::{Cut, Running, Surroundings};
use crate::shell::unusable;
use crate::{spill, trace};

/// One binding that an occurrence concerns, ready to run.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The binding.
    pub binding: Binding,
    /// Why it is doubtful whether it should run; of such a hook only what restrains counts.
    pub doubtful: Option<String>,
    /// What to run, or why it cannot be; both go on to decoding.
    pub invocation: Result<Invocation, NotRun>,
    /// Its standard input.
    pub stdin: Vec<u8>,
}

impl Planned {
    /// Whether the action does not wait for it.
    #[must_use]
    pub fn is_background(&self) -> bool {
        is_background(&self.binding)
    }
}

/// What an occurrence would run, in declared order, without running anything.
#[must_use]
pub fn plan(snapshot: &Snapshot, envelope: &Envelope, session: &SessionState) -> Vec<Planned> {
    select(snapshot, envelope, session).into_iter().map(|choice| planned(snapshot, choice, envelope)).collect()
}

fn planned(snapshot: &Snapshot, choice: Choice<'_>, envelope: &Envelope) -> Planned {
    let mut stdin = Vec::new();
    let invocation = match snapshot.adapter(&choice.binding.vendor) {
        Some(adapter) => adapter.encode(choice.binding, envelope, &mut stdin),
        None => Err(no_adapter(&choice.binding.vendor)),
    };
    Planned { binding: choice.binding.clone(), doubtful: choice.doubtful, invocation, stdin }
}

fn no_adapter(vendor: &VendorId) -> NotRun {
    NotRun(format!("the snapshot has no adapter for {vendor}"))
}

/// What became of one binding of a firing.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// The binding.
    pub binding: Binding,
    /// Why it is doubtful whether it should have run.
    pub doubtful: Option<String>,
    /// What was run, or why it could not be.
    pub invocation: Result<Invocation, NotRun>,
    /// The standard input it was given.
    pub stdin: Arc<[u8]>,
    /// How it ended, with its place in the order of finishing; `None` for a run that goes on in the background.
    pub outcome: Option<Outcome>,
    /// What it asks for; nothing while it is in the background.
    pub effects: HookEffects,
    /// Whether this is the second run of it, on an input that another hook rewrote.
    pub refired: bool,
}

impl RunReport {
    /// The binding's name.
    #[must_use]
    pub fn id(&self) -> &BindingId {
        &self.binding.id
    }

    /// Whose format it is.
    #[must_use]
    pub fn vendor(&self) -> &VendorId {
        &self.binding.vendor
    }

    /// The event, in the vendor's spelling.
    #[must_use]
    pub fn event(&self) -> &str {
        &self.binding.place.event
    }

    fn succeeded(&self) -> bool {
        self.outcome.is_some() && succeeded(&self.effects)
    }
}

fn succeeded(effects: &HookEffects) -> bool {
    effects.status == RunStatus::Completed && effects.failure.is_none()
}

/// What a firing came to.
#[derive(Debug)]
pub struct Firing {
    /// Every run in declared order, then those that were fired again on a rewritten input, in declared order.
    pub runs: Vec<RunReport>,
    /// What their effects come to.
    pub settled: Settled,
    /// What the host shall do.
    pub decision: Decision,
    /// The session after it.
    pub session: SessionState,
    /// Runs that go on in the background. Dropping it ends them.
    pub late: Late,
}

/// Runs that go on in the background after a decision. Each is bounded by its own time limit; dropping this ends them.
#[derive(Debug, Default)]
pub struct Late {
    runs: JoinSet<LateRun>,
}

impl Late {
    /// How many runs are still under way or were not asked for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The next run to end; `None` when there are no more. Safe to drop and call again.
    pub async fn next(&mut self) -> Option<LateRun> {
        loop {
            // A task that failed to give a result has nothing to say and had no say in the decision.
            if let Ok(run) = self.runs.join_next().await? {
                return Some(run);
            }
        }
    }
}

/// A run in the background that has ended.
#[derive(Clone, Debug)]
pub struct LateRun {
    /// The binding.
    pub binding: Binding,
    /// How it ended.
    pub outcome: Outcome,
    /// What it asks for: context and notices only.
    pub effects: HookEffects,
}

impl LateRun {
    /// Puts what it said into the session, for the next turn.
    pub fn apply(&self, session: &mut SessionState) {
        for effect in &self.effects.effects {
            let by = self.effects.by.clone();
            match effect {
                Effect::Context(text) => session.late_context.push(Said::hook(by, text.clone())),
                Effect::Notice(text) => session.late_notices.push(Said::hook(by, text.clone())),
                _ => {}
            }
        }
        if self.binding.once && succeeded(&self.effects) {
            session.ran_once.insert(self.binding.id.clone());
        }
    }
}

/// Fires an occurrence and decides.
///
/// Bindings that match run at the same time, up to the options' limit, and are started in declared order. What each
/// said is cut down to its vendor's limits and folded under its vendor's merge policy. A winning rewrite is fired once more at the guards of other events
/// and vendors that match the rewritten input ([`hooks_core::refire`]); a strict host denies instead. Handlers that
/// their author sent to the background, and commands that ask for it with their first line, have no say and go on in
/// [`Firing::late`].
///
/// The session is not changed: the one after the firing is in [`Firing::session`]. Dropping the future ends every run.
pub async fn fire(
    snapshot: &Snapshot,
    envelope: &Envelope,
    host: &HostProfile,
    session: &SessionState,
    options: &FireOptions,
) -> Firing {
    let firing = async {
        let firing = fire_now(snapshot, envelope, host, session, options).await;
        trace::decided(&firing);
        firing
    };
    #[cfg(feature = "tracing")]
    let firing = tracing::Instrument::instrument(firing, trace::firing(envelope));
    firing.await
}

async fn fire_now(
    snapshot: &Snapshot,
    envelope: &Envelope,
    host: &HostProfile,
    session: &SessionState,
    options: &FireOptions,
) -> Firing {
    let boundary = envelope.boundary();
    let mut session = session.clone();
    session.observe(envelope);
    let mut pass = Pass {
        snapshot,
        options,
        policy: DecodePolicy { strict: host.strict },
        surroundings: Arc::new(Surroundings {
            session_env: session.env_for(EnvReach::Hooks).map(|(k, v)| (k.to_owned(), v.to_owned())).collect(),
            inherit: options.inherit.clone(),
        }),
        awaited: CancelSignal::new(),
        deadline: options.deadline.and_then(|deadline| Instant::now().checked_add(deadline)),
        finished: Arc::new(AtomicU32::new(0)),
        late: Late::default(),
    };

    let selected = plan(snapshot, envelope, &session);
    trace::selected(selected.len());
    let mut runs = pass.run(selected, envelope, false).await;
    let first = items(&runs);
    let mut settled = settle_all(first.clone(), pass.policies(boundary), host.strict);

    if refire::has_no_place(&settled, boundary)
        && runs.iter().any(|run| refire::could_object(snapshot, &settled, &run.binding))
    {
        settled = refire::refuse(settled);
    } else if let Some(rewritten) = refire::rewritten(envelope, &settled, host) {
        let detached: HashSet<u32> =
            runs.iter().filter(|run| run.outcome.is_none()).map(|run| run.binding.declared).collect();
        let again: Vec<Planned> = refire::guards(snapshot, &settled, &rewritten, &session)
            .into_iter()
            .map(|choice| planned(snapshot, choice, &rewritten))
            .filter(|planned| !planned.is_background() && !detached.contains(&planned.binding.declared))
            .collect();
        if host.strict && !again.is_empty() {
            settled = refire::refuse(settled);
        } else {
            // Where nobody guards the new input, what was said about the original still approves nothing.
            trace::refired(again.len());
            let second = pass.run(again, &rewritten, true).await;
            let policies = pass.policies(boundary);
            settled = refire::settle_again(snapshot, &settled, first, items(&second), policies, host.strict);
            runs.extend(second);
        }
    }

    let ran_once: Vec<BindingId> =
        runs.iter().filter(|run| run.binding.once && run.succeeded()).map(|run| run.id().clone()).collect();
    let left_out_before = unusable(session.env_for(EnvReach::Hooks));
    let (mut decision, mut session) = decide(settled.clone(), boundary, host, session);
    session.ran_once.extend(ran_once);
    for name in unusable(session.env_for(EnvReach::Hooks)).difference(&left_out_before) {
        let by = settled.session_env.get(name).and_then(|said| said.by.clone());
        let Some(change) = session.env.get(name) else { continue };
        let effect = Effect::SessionEnv([(name.clone(), change.clone())].into());
        let why = "no program can be started with it, or with so many, so hooks do not get it".to_owned();
        decision.report.dropped.push(Dropped { by, effect, why });
    }
    Firing { runs, settled, decision, session, late: pass.late }
}

/// Everything that runs with an outcome ask for.
fn items(runs: &[RunReport]) -> Items {
    reduce(runs.iter().filter(|run| run.outcome.is_some()).map(|run| run.effects.clone()))
}

/// What all runs of one firing share.
struct Pass<'f> {
    snapshot: &'f Snapshot,
    options: &'f FireOptions,
    policy: DecodePolicy,
    surroundings: Arc<Surroundings>,
    /// Ends the runs that the decision waits for.
    awaited: CancelSignal,
    /// When those are ended.
    deadline: Option<Instant>,
    /// How many runs have finished.
    finished: Arc<AtomicU32>,
    late: Late,
}

/// What a task brings back.
enum Answered {
    Done(Outcome),
    Detached { running: Box<Running<Arc<[u8]>>>, permit: OwnedSemaphorePermit },
}

impl Pass<'_> {
    /// Runs what was planned; the reports stand in the same order.
    async fn run(&mut self, planned: Vec<Planned>, envelope: &Envelope, refired: bool) -> Vec<RunReport> {
        let mut reports: Vec<RunReport> = planned
            .into_iter()
            .map(|planned| {
                let waiting = Outcome::ended(End::NotRun("it has not ended".to_owned()));
                let by = Who::of(&planned.binding, &waiting);
                RunReport {
                    binding: planned.binding,
                    doubtful: planned.doubtful,
                    invocation: planned.invocation,
                    stdin: planned.stdin.into(),
                    outcome: None,
                    effects: HookEffects::none(by),
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
                match &report.invocation {
                    invocation if is_background(&report.binding) => {
                        background.insert(at);
                        self.in_background(report.binding.clone(), invocation.clone(), &report.stdin, envelope);
                    }
                    Err(why) => report.outcome = Some(self.count(why.clone().into())),
                    Ok(invocation) => {
                        let cancel = self.awaited.clone();
                        let task = self.task(invocation.clone(), Arc::clone(&report.stdin), cancel);
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
                    let cancel = self.options.cancel.clone();
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
            report.effects = match adapter {
                Some(adapter) => adapter.decode(&report.binding, envelope, outcome, self.policy),
                None => HookEffects::failed(
                    Who::of(&report.binding, outcome),
                    Failure::NotRun(no_adapter(&report.binding.vendor).0),
                ),
            };
            report.effects.by.doubtful |= report.doubtful.is_some();
            let limit = adapter.and_then(|adapter| adapter.context_limit(&report.binding));
            spill::cut(&mut report.effects, limit, self.options.spill_folder.as_deref()).await;
            self.options.tell(Report::Completed(report));
            *next += 1;
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
        cancel: CancelSignal,
    ) -> impl Future<Output = Answered> + Send + 'static {
        let handlers = Arc::clone(&self.options.handlers);
        let surroundings = Arc::clone(&self.surroundings);
        let background = self.options.background.clone();
        async move {
            if cancel.is_cancelled() {
                return Answered::Done(Outcome { stdin_delivered: false, ..Outcome::ended(End::Cancelled) });
            }
            if let Program::Hosted(handler) = &invocation.program {
                return Answered::Done(run_hosted(&*handlers, handler, &invocation, &stdin, &cancel).await);
            }
            let mut running = match Running::start(&invocation, stdin, &surroundings) {
                Ok(running) => running,
                Err(outcome) => return Answered::Done(outcome),
            };
            let room = || Arc::clone(&background.0).try_acquire_owned().ok();
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
        let cancel = self.options.cancel.clone();
        let task = self.task(invocation, Arc::clone(stdin), cancel.clone());
        let BackgroundLimit(limit) = self.options.background.clone();
        self.late(binding, envelope, async move {
            // Nobody closes the semaphore, so only the signal ends the waiting without a permit.
            let _permit = tokio::select! {
                permit = limit.acquire_owned() => permit.ok(),
                () = cancel.cancelled() => None,
            };
            match task.await {
                Answered::Done(outcome) => outcome,
                Answered::Detached { running, .. } => running.finish(Cut::Cancelled).await,
            }
        });
    }

    /// Adds a run to those that go on after the decision.
    fn late(&mut self, binding: Binding, envelope: &Envelope, run: impl Future<Output = Outcome> + Send + 'static) {
        let adapter: Option<Arc<dyn HostSide>> = self.snapshot.adapter(&binding.vendor).cloned();
        let envelope = envelope.clone();
        let finished = Arc::clone(&self.finished);
        let options = self.options.clone();
        self.late.runs.spawn(async move {
            let mut outcome = run.await;
            outcome.finished = finished.fetch_add(1, Ordering::Relaxed);
            let mut effects = match &adapter {
                Some(adapter) => adapter.decode_late(&binding, &envelope, &outcome),
                None => HookEffects::none(Who::of(&binding, &outcome)),
            };
            let limit = adapter.and_then(|adapter| adapter.context_limit(&binding));
            spill::cut(&mut effects, limit, options.spill_folder.as_deref()).await;
            let run = LateRun { binding, outcome, effects };
            options.tell(Report::Late(&run));
            run
        });
    }

    /// Each vendor's merge policy on a boundary.
    fn policies(&self, boundary: Boundary) -> impl Fn(&VendorId) -> &'static MergePolicy {
        let snapshot = self.snapshot;
        move |vendor| snapshot.adapter(vendor).map_or(&MergePolicy::DECLARED, |adapter| adapter.merge_policy(boundary))
    }
}

fn is_background(binding: &Binding) -> bool {
    matches!(&binding.handler, Handler::Command(command) if command.background != Background::No)
}

/// Runs a handler of the host, within the invocation's time limit.
async fn run_hosted(
    handlers: &dyn HandlerHost,
    handler: &Handler,
    invocation: &Invocation,
    stdin: &[u8],
    cancel: &CancelSignal,
) -> Outcome {
    let started = Instant::now();
    let mut outcome = tokio::select! {
        outcome = handlers.run(handler, invocation, stdin, cancel) => outcome,
        () = tokio::time::sleep(invocation.timeout) => Outcome::ended(End::TimedOut),
        () = cancel.cancelled() => Outcome::ended(End::Cancelled),
    };
    outcome.duration = started.elapsed();
    outcome.stdout_truncated |= cap(&mut outcome.stdout, invocation.rules.stdout_cap);
    outcome.stderr_truncated |= cap(&mut outcome.stderr, invocation.rules.stderr_cap);
    outcome
}

/// Cuts an output off at its cap, and says whether there was more.
fn cap(output: &mut Vec<u8>, cap: usize) -> bool {
    let beyond = output.len() > cap;
    output.truncate(cap);
    beyond
}
