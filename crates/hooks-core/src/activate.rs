//! From parsed documents to an immutable snapshot of what runs: precedence, switches, trust, the host's profile.

use std::collections::HashMap;
use std::sync::Arc;

use regex::RegexSet;

use crate::adapter::{HostSide, Parsed};
use crate::boundary::Boundary;
use crate::channel::{Channel, Channels};
use crate::definition::{Binding, BindingId, Definition, State};
use crate::diagnostic::{Code, Diagnostic, Reach, Severity};
use crate::facts::EventFacts;
use crate::host::HostProfile;
use crate::matcher::Matcher;
use crate::vendor::VendorId;

/// One vendor's adapter with its parsed documents.
#[derive(Clone, Debug)]
pub struct VendorSources {
    /// The adapter that parsed them.
    pub adapter: Arc<dyn HostSide>,
    /// The documents, in any order.
    pub documents: Vec<Parsed>,
}

/// What a host's trust rule says about one definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Admitted {
    /// It may run.
    Yes,
    /// Nobody trusted it yet.
    Untrusted,
    /// It changed since it was trusted.
    Modified,
}

/// A host's trust rule. Closures are one.
pub trait Admission {
    /// Whether a definition may run.
    fn admit(&self, definition: &Definition) -> Admitted;
}

impl<F: Fn(&Definition) -> Admitted> Admission for F {
    fn admit(&self, definition: &Definition) -> Admitted {
        self(definition)
    }
}

/// Admits everything: for hosts that asked already, and for tools that run nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdmitAll;

impl Admission for AdmitAll {
    fn admit(&self, _definition: &Definition) -> Admitted {
        Admitted::Yes
    }
}

/// Admits what the organisation, the user or the host configured, and nothing that came with a project or a plugin.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdmitOwn;

impl Admission for AdmitOwn {
    fn admit(&self, definition: &Definition) -> Admitted {
        if definition.source.origin.needs_trust() { Admitted::Untrusted } else { Admitted::Yes }
    }
}

/// Why a session may not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{vendor}: {why}")]
pub struct Refused {
    /// Whose rule refuses it.
    pub vendor: VendorId,
    /// Why.
    pub why: String,
    /// What was found out on the way.
    pub diagnostics: Vec<Diagnostic>,
}

/// What activation came to.
pub type Activated = Result<Snapshot, Refused>;

/// A host that lacks a channel an event has.
pub static HOST_LACKS_CHANNEL: Code = Code {
    id: "core/host-lacks-channel",
    about: "host-lacks-channel",
    severity: Severity::Warning,
    summary: "A hook's event has an effect that this host cannot apply.",
    help: "Use another event, or a host that applies this effect.",
};

/// A handler that this host cannot run.
pub static HOST_CANNOT_RUN: Code = Code {
    id: "core/host-cannot-run",
    about: "host-cannot-run",
    severity: Severity::Warning,
    summary: "A hook has a handler of a type that this host cannot run, so it never runs.",
    help: "Write it as a command, or use a host that runs this type.",
};

/// An event that this host does not fire.
pub static HOST_NEVER_FIRES: Code = Code {
    id: "core/host-never-fires",
    about: "never-fires",
    severity: Severity::Warning,
    summary: "A hook's event is one that this host never fires, so the hook never runs.",
    help: "Use an event that this host fires.",
};

/// Every diagnostic that core gives.
pub static CODES: &[&Code] = &[&HOST_LACKS_CHANNEL, &HOST_CANNOT_RUN, &HOST_NEVER_FIRES];

/// The immutable result of activation: every definition with its state, and the live ones indexed for selection.
///
/// Firings under way keep the snapshot they started with; replacing it is swapping an `Arc`.
#[derive(Debug)]
pub struct Snapshot {
    pub(crate) vendors: Vec<Arc<dyn HostSide>>,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) groups: HashMap<Boundary, Vec<Arc<EventGroup>>>,
    /// Whether any binding has a deduplication key.
    pub(crate) has_copies: bool,
    definitions: Vec<Arc<Definition>>,
    diagnostics: Vec<Diagnostic>,
}

/// The live bindings of one event, by how they match.
#[derive(Debug)]
pub(crate) struct EventGroup {
    pub(crate) vendor: usize,
    pub(crate) event: &'static EventFacts,
    /// Bindings that match everything.
    pub(crate) all: Vec<u32>,
    /// Bindings by exact value.
    pub(crate) exact: HashMap<Box<str>, Vec<u32>>,
    /// Patterns of linear time, searched for at once.
    pub(crate) set: RegexSet,
    /// The binding of each pattern in the set.
    pub(crate) set_bindings: Vec<u32>,
    /// Bindings that are tested one by one.
    pub(crate) single: Vec<u32>,
}

impl Snapshot {
    /// Every definition with its state, in declared order.
    #[must_use]
    pub fn definitions(&self) -> &[Arc<Definition>] {
        &self.definitions
    }

    /// The live bindings, in declared order.
    #[must_use]
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// What is to be told: the documents' diagnostics, then activation's own.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The adapter of a vendor.
    #[must_use]
    pub fn adapter(&self, vendor: &VendorId) -> Option<&Arc<dyn HostSide>> {
        self.vendors.iter().find(|adapter| adapter.vendor() == vendor)
    }

    /// A live binding by its id.
    #[must_use]
    pub fn binding(&self, id: &BindingId) -> Option<&Binding> {
        self.bindings.iter().find(|binding| binding.id == *id)
    }
}

/// Settles several documents of several vendors into a snapshot.
///
/// Vendors stand in the given order; within one, documents stand by the adapter's precedence and definitions in the
/// order the adapter declares them.
///
/// # Errors
///
/// [`Refused`] when a vendor's managed requirements could not be loaded and its rule is to refuse the session.
pub fn activate(vendors: Vec<VendorSources>, host: &HostProfile, admission: &dyn Admission) -> Activated {
    let mut adapters = Vec::new();
    let mut definitions = Vec::new();
    let mut diagnostics = Vec::new();
    for VendorSources { adapter, mut documents } in vendors {
        documents.sort_by_key(|document| adapter.precedence(&document.source));
        let rulings = adapter.rule(&documents);
        for (at, document) in documents.into_iter().enumerate() {
            diagnostics.extend(document.diagnostics);
            let ruled = rulings.states.get(at).cloned().flatten();
            for mut definition in document.definitions {
                if definition.state == State::Live {
                    definition.state =
                        settle_state(&definition, ruled.clone(), &*adapter, host, admission, &mut diagnostics);
                }
                definitions.push(Arc::new(definition));
            }
        }
        if let Some(why) = rulings.refuse {
            return Err(Refused { vendor: adapter.vendor().clone(), why, diagnostics });
        }
        adapters.push(adapter);
    }
    let bindings: Vec<Binding> = definitions
        .iter()
        .zip(0..)
        .filter(|(definition, _)| definition.state == State::Live && definition.boundary.is_some())
        .map(|(definition, declared)| Binding { definition: Arc::clone(definition), declared })
        .collect();
    let groups = index(&bindings, &adapters);
    let has_copies = bindings.iter().any(|binding| binding.dedup_key.is_some());
    Ok(Snapshot { vendors: adapters, bindings, groups, has_copies, definitions, diagnostics })
}

/// The state of a definition that its document left live.
fn settle_state(
    definition: &Definition,
    ruled: Option<State>,
    adapter: &dyn HostSide,
    host: &HostProfile,
    admission: &dyn Admission,
    diagnostics: &mut Vec<Diagnostic>,
) -> State {
    let Some(boundary) = definition.boundary else { return State::NoBoundary };
    if let Some(state) = ruled {
        return state;
    }
    let mut tell = |code: &'static Code, message: String| {
        let guards = definition.channels.contains(Channel::Verdict) || definition.channels.contains(Channel::Halt);
        let mut diagnostic = Diagnostic::new(code, Reach::Entry, message).at(definition.range.clone());
        if guards && !std::ptr::eq(code, &HOST_LACKS_CHANNEL) {
            diagnostic = diagnostic.severity(Severity::Error);
        }
        diagnostic.path.clone_from(&definition.source.path);
        diagnostics.push(diagnostic);
    };
    let event = &definition.place.event;
    if !host.fires(boundary, definition.facet) {
        tell(&HOST_NEVER_FIRES, format!("{} on {event} never runs: this host does not fire it", definition.place));
        return State::Inert(format!("this host does not fire {boundary} ({})", definition.facet.as_str()));
    }
    if !host.handlers.contains(&definition.handler.kind()) {
        let kind = definition.handler.kind().as_str();
        tell(&HOST_CANNOT_RUN, format!("{} never runs: this host cannot run {kind} handlers", definition.place));
        return State::Inert(format!("this host cannot run {kind} handlers"));
    }
    match admission.admit(definition) {
        Admitted::Yes => {}
        Admitted::Untrusted => return State::Untrusted,
        Admitted::Modified => return State::Modified,
    }
    let declared = adapter.event(event).map_or(definition.channels, |facts| facts.channels);
    let lacking = declared.minus(host.channels);
    if lacking != Channels::NONE {
        let words: Vec<_> = lacking.iter().map(Channel::as_str).collect();
        tell(
            &HOST_LACKS_CHANNEL,
            format!("{}: this host cannot apply what {event} can ask for: {}", definition.place, words.join(", ")),
        );
    }
    State::Live
}

/// Puts the live bindings of each boundary into groups by event.
fn index(bindings: &[Binding], adapters: &[Arc<dyn HostSide>]) -> HashMap<Boundary, Vec<Arc<EventGroup>>> {
    struct Draft {
        vendor: usize,
        event: &'static EventFacts,
        members: Vec<usize>,
    }
    let mut drafts: Vec<Draft> = Vec::new();
    for (at, binding) in bindings.iter().enumerate() {
        let Some(vendor) = adapters.iter().position(|adapter| *adapter.vendor() == binding.vendor) else { continue };
        let Some(event) = adapters.get(vendor).and_then(|adapter| adapter.event(&binding.place.event)) else {
            continue;
        };
        match drafts.iter_mut().find(|draft| draft.vendor == vendor && std::ptr::eq(draft.event, event)) {
            Some(draft) => draft.members.push(at),
            None => drafts.push(Draft { vendor, event, members: vec![at] }),
        }
    }
    let mut groups: HashMap<Boundary, Vec<Arc<EventGroup>>> = HashMap::new();
    for Draft { vendor, event, members } in drafts {
        let mut group = EventGroup {
            vendor,
            event,
            all: Vec::new(),
            exact: HashMap::new(),
            set: RegexSet::empty(),
            set_bindings: Vec::new(),
            single: Vec::new(),
        };
        let mut patterns = Vec::new();
        for at in members {
            let Some(binding) = bindings.get(at) else { continue };
            let Ok(at) = u32::try_from(at) else { continue };
            match &binding.matcher {
                Matcher::All => group.all.push(at),
                Matcher::Never(_) => {}
                Matcher::Exact(values) => {
                    for value in values {
                        let list = group.exact.entry(value.clone()).or_default();
                        if list.last() != Some(&at) {
                            list.push(at);
                        }
                    }
                }
                Matcher::Pattern(pattern) => match pattern.linear_source() {
                    Some(source) => {
                        patterns.push(source);
                        group.set_bindings.push(at);
                    }
                    None => group.single.push(at),
                },
                Matcher::Unknown(_) => group.single.push(at),
            }
        }
        match RegexSet::new(&patterns) {
            Ok(set) => group.set = set,
            // Together too large: one by one instead.
            Err(_) => group.single.append(&mut group.set_bindings),
        }
        let group = Arc::new(group);
        let also = adapters.get(vendor).map_or(&[][..], |adapter| adapter.also_on(event));
        for boundary in event.boundary.iter().chain(also) {
            groups.entry(*boundary).or_default().push(Arc::clone(&group));
        }
    }
    groups
}
