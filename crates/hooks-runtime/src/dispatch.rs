//! Fires an occurrence: selects, encodes, runs side by side, decodes, settles, fires a rewrite again, decides.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Instant;

use hooks_core::adapter::DecodePolicy;
use hooks_core::boundary::{Boundary, Scope};
use hooks_core::decide::{Decision, decide};
use hooks_core::definition::{Binding, BindingId, Definition};
use hooks_core::effects::{Effect, HookEffects, Items, ResultReplacement, RunStatus, reduce};
use hooks_core::entry::Entry;
use hooks_core::envelope::Envelope;
use hooks_core::outcome::{Invocation, NotRun, Outcome};
use hooks_core::settle::{Dropped, Settled, settle_all};
use hooks_core::{Choice, HostProfile, SessionState, Snapshot, VendorId, held_back, refire, select};
use tokio::task::JoinSet;

use crate::cancel::CancelSignal;
use crate::late::Late;
use crate::observe::Report;
use crate::options::FireOptions;
use crate::pass::{Pass, is_background};
use crate::runner::Surroundings;
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

pub(crate) fn no_adapter(vendor: &VendorId) -> NotRun {
    NotRun(format!("the snapshot has no adapter for {vendor}"))
}

/// What became of one binding of a firing.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// The binding.
    pub binding: Binding,
    /// How far its event reaches, in the vendor's table; `None` where the vendor has no such event.
    pub scope: Option<Scope>,
    /// Why it is doubtful whether it should have run.
    pub doubtful: Option<String>,
    /// What was run, or why it could not be.
    pub invocation: Result<Invocation, NotRun>,
    /// The standard input it was given.
    pub stdin: Arc<[u8]>,
    /// How it ended, with its place in the order of finishing; `None` for a run that goes on in the background.
    pub outcome: Option<Outcome>,
    /// What it asks for, its texts cut down to the vendor's limits; nothing while it is in the background.
    pub effects: HookEffects,
    /// What its vendor's client would report of it, texts whole; nothing while it is in the background.
    pub entries: Vec<Entry>,
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

pub(crate) fn succeeded(effects: &HookEffects) -> bool {
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
    /// What it concerned and did not run, because nobody trusted it as it is.
    pub skipped: Vec<Arc<Definition>>,
    /// What went wrong beside the hooks themselves: files of the session that could not be cleared.
    pub notes: Vec<String>,
}

/// Fires an occurrence and decides.
///
/// Bindings that match run at the same time, up to the options' limit, and are started in declared order. What each said
/// is cut down to its vendor's limits and folded under its vendor's merge policy. A winning rewrite is fired once more at
/// the guards of other events and vendors that match the rewritten input ([`hooks_core::refire`]); a strict host denies
/// instead. Handlers that their author sent to the background, and commands that ask for it with their first line, have
/// no say and go on in [`Firing::late`]. Files of the session that the occurrence clears are cleared before anything runs.
///
/// The session is not changed: the one after the firing is in [`Firing::session`]. Firings at the same time each start from
/// the session they are given and do not see what the others change, so a host that keeps the last one loses what the
/// others changed; it fires one after the other where that matters. Dropping the future ends every run.
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
        surroundings: surroundings(snapshot, &session, options),
        awaited: CancelSignal::new(),
        deadline: options.deadline.and_then(|deadline| Instant::now().checked_add(deadline)),
        finished: Arc::new(AtomicU32::new(0)),
        late: JoinSet::new(),
    };

    let notes = match &options.session_files {
        Some(files) => files.clear(snapshot, boundary),
        None => Vec::new(),
    };
    let skipped: Vec<_> = held_back(snapshot, envelope, &session).cloned().collect();
    for definition in &skipped {
        options.tell(Report::Skipped(definition));
    }
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

    shorten_result(&mut settled, &mut runs, snapshot, boundary, options).await;
    let ran_once: Vec<BindingId> =
        runs.iter().filter(|run| run.binding.once && run.succeeded()).map(|run| run.id().clone()).collect();
    let left_out_before = left_out(snapshot, &session);
    let (mut decision, mut session) = decide(settled.clone(), boundary, host, session);
    session.ran_once.extend(ran_once);
    for (vendor, name) in left_out(snapshot, &session).difference(&left_out_before) {
        let Some(change) = session.hook_variable(vendor, name) else { continue };
        let by = settled.session_env.get(name).and_then(|said| said.by.clone());
        let effect = Effect::SessionEnv([(name.clone(), change.clone())].into());
        let why = "no program can be started with it, or with so many, so hooks do not get it".to_owned();
        decision.report.dropped.push(Dropped { by, effect, why });
    }
    Firing { runs, settled, decision, session, late: Late::of(pass.late), skipped, notes }
}

/// What the programs of each vendor's hooks get.
fn surroundings(
    snapshot: &Snapshot,
    session: &SessionState,
    options: &FireOptions,
) -> Vec<(VendorId, Arc<Surroundings>)> {
    let of = |vendor: &VendorId| Surroundings {
        session_env: session.hook_env(vendor).map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        inherit: options.inherit.clone(),
        began_with: options.began_with.clone(),
    };
    let vendors = snapshot.adapters().iter().map(|adapter| adapter.vendor());
    vendors.map(|vendor| (vendor.clone(), Arc::new(of(vendor)))).collect()
}

/// The session's variables that no program of a vendor's hooks can be started with.
fn left_out(snapshot: &Snapshot, session: &SessionState) -> BTreeSet<(VendorId, String)> {
    let vendors = snapshot.adapters().iter().map(|adapter| adapter.vendor());
    vendors
        .flat_map(|vendor| unusable(session.hook_env(vendor)).into_iter().map(move |name| (vendor.clone(), name)))
        .collect()
}

/// Cuts what stands in place of a tool's result down to its vendor's limit, now that the texts of all hooks are one.
async fn shorten_result(
    settled: &mut Settled,
    runs: &mut [RunReport],
    snapshot: &Snapshot,
    boundary: Boundary,
    options: &FireOptions,
) {
    let Some(said) = &mut settled.result else { return };
    let (Some(by), ResultReplacement::Text(text)) = (&said.by, &mut said.value) else { return };
    let limit = snapshot.adapter(&by.vendor).and_then(|adapter| adapter.result_limit(boundary));
    let note = match limit {
        Some(limit) => spill::cut_text(text, limit, options.spill_folder.as_deref()).await,
        None => None,
    };
    let run = runs.iter_mut().find(|run| run.binding.declared == by.declared);
    if let (Some(run), Some(note)) = (run, note) {
        run.effects.note(note);
    }
}

/// Everything that runs with an outcome ask for.
fn items(runs: &[RunReport]) -> Items {
    reduce(runs.iter().filter(|run| run.outcome.is_some()).map(|run| run.effects.clone()))
}
