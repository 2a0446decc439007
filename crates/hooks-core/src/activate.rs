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
use crate::source::Life;
use crate::vendor::VendorId;

/// One vendor's adapter with its parsed documents.
#[derive(Clone, Debug)]
pub struct VendorSources {
    /// The adapter that parsed them.
    pub adapter: Arc<dyn HostSide>,
    /// The documents, in any order.
    pub documents: Vec<Parsed>,
}

/// What a host's trust rule, or a vendor's records of trust, say about one definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Admitted {
    /// It may run.
    Yes,
    /// Nobody trusted it yet.
    Untrusted,
    /// It changed since it was trusted.
    Modified,
    /// Somebody switched it off.
    Disabled,
}

/// A host's trust rule. Closures are one.
pub trait Admission {
    /// Whether a definition may run. `records` is what the vendor's own records of trust say, where it keeps some.
    fn admit(&self, definition: &Definition, records: Option<Admitted>) -> Admitted;
}

impl<F: Fn(&Definition, Option<Admitted>) -> Admitted> Admission for F {
    fn admit(&self, definition: &Definition, records: Option<Admitted>) -> Admitted {
        self(definition, records)
    }
}

/// Admits everything: for hosts that asked already, and for tools that run nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdmitAll;

impl Admission for AdmitAll {
    fn admit(&self, _definition: &Definition, _records: Option<Admitted>) -> Admitted {
        Admitted::Yes
    }
}

/// Admits what the organisation, the user or the host configured, and nothing that came with a project or a plugin.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdmitOwn;

impl Admission for AdmitOwn {
    fn admit(&self, definition: &Definition, _records: Option<Admitted>) -> Admitted {
        if definition.source.origin.needs_trust() { Admitted::Untrusted } else { Admitted::Yes }
    }
}

/// Admits what the vendor's own records of trust admit, and where they say nothing what [`AdmitOwn`] does.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdmitRecorded;

impl Admission for AdmitRecorded {
    fn admit(&self, definition: &Definition, records: Option<Admitted>) -> Admitted {
        records.unwrap_or_else(|| AdmitOwn.admit(definition, None))
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

/// A definition that nobody trusted, or that changed since.
pub static NOT_TRUSTED: Code = Code {
    id: "core/not-trusted",
    about: "not-trusted",
    severity: Severity::Warning,
    summary: "A hook does not run because nobody trusted it, or because it changed since it was trusted.",
    help: "Read what it does, and trust it.",
};

/// A definition whose event its own adapter does not know.
pub static UNKNOWN_EVENT: Code = Code {
    id: "core/unknown-event",
    about: "unknown-event",
    severity: Severity::Error,
    summary: "A hook's event is not in its vendor's table, so the hook never runs.",
    help: "Report it: an adapter made a definition that it cannot fire.",
};

/// Every diagnostic that core gives.
pub static CODES: &[&Code] = &[
    &HOST_LACKS_CHANNEL,
    &HOST_CANNOT_RUN,
    &HOST_NEVER_FIRES,
    &NOT_TRUSTED,
    &UNKNOWN_EVENT,
    &crate::adapter::UNREADABLE,
];

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
    /// What it was made from, for adding and taking away documents.
    sources: Vec<VendorSources>,
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
    /// Patterns of linear time, searched for at once; `None` where there is nothing to join.
    pub(crate) set: Option<RegexSet>,
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

    /// The adapters of all vendors, in the order in which they were given.
    #[must_use]
    pub fn adapters(&self) -> &[Arc<dyn HostSide>] {
        &self.vendors
    }

    /// The adapter of a vendor.
    #[must_use]
    pub fn adapter(&self, vendor: &VendorId) -> Option<&Arc<dyn HostSide>> {
        self.vendors.iter().find(|adapter| adapter.vendor() == vendor)
    }

    /// A snapshot with more documents, for a session's or an agent's life. This one stays as it is, so firings under way
    /// are not touched; swap it for the new one.
    ///
    /// # Errors
    ///
    /// As [`activate`].
    pub fn with(&self, more: Vec<VendorSources>, host: &HostProfile, admission: &dyn Admission) -> Activated {
        let mut vendors = self.sources.clone();
        vendors.extend(more);
        activate(vendors, host, admission)
    }

    /// A snapshot without the documents that count for a life that has ended.
    ///
    /// # Errors
    ///
    /// As [`activate`].
    pub fn without(&self, ended: &Life, host: &HostProfile, admission: &dyn Admission) -> Activated {
        let mut vendors = self.sources.clone();
        for vendor in &mut vendors {
            vendor.documents.retain(|document| document.source.life != *ended);
        }
        activate(vendors, host, admission)
    }

    /// This snapshot as a session sees it that began with another one: of vendors whose sessions hold the documents they
    /// began with ([`HostSide::holds_documents`]), those; of all others, this one's. `None` where that is this snapshot
    /// itself, because no vendor holds on to anything else.
    ///
    /// Trust is asked for anew, of held documents too.
    ///
    /// # Errors
    ///
    /// As [`activate`].
    pub fn for_session(&self, begun: &Self, host: &HostProfile, admission: &dyn Admission) -> Option<Activated> {
        let of = |sources: &[VendorSources], vendor: &VendorSources| {
            sources.iter().find(|other| other.adapter.vendor() == vendor.adapter.vendor()).cloned()
        };
        let mut vendors: Vec<VendorSources> = Vec::new();
        for vendor in &self.sources {
            let held = vendor.adapter.holds_documents();
            vendors.extend(if held { of(&begun.sources, vendor) } else { Some(vendor.clone()) });
        }
        let gone = |old: &&VendorSources| old.adapter.holds_documents() && of(&self.sources, old).is_none();
        vendors.extend(begun.sources.iter().filter(gone).cloned());
        let same = |one: &VendorSources, other: &VendorSources| {
            one.adapter.vendor() == other.adapter.vendor()
                && one.documents.len() == other.documents.len()
                && one.documents.iter().zip(&other.documents).all(|(one, other)| one.source == other.source)
        };
        let unchanged = vendors.len() == self.sources.len()
            && vendors.iter().zip(&self.sources).all(|(one, other)| same(one, other));
        (!unchanged).then(|| activate(vendors, host, admission))
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
/// order the adapter declares them. A vendor that is given twice is one vendor, so that its switches reach everything.
///
/// ```
/// use hooks_core::activate::{AdmitAll, activate};
/// use hooks_core::HostProfile;
///
/// let snapshot = activate(Vec::new(), &HostProfile::full(), &AdmitAll).expect("nothing refuses");
/// assert!(snapshot.bindings().is_empty());
/// ```
///
/// # Errors
///
/// [`Refused`] when a vendor's managed requirements could not be loaded and its rule is to refuse the session, when two
/// different adapters are given for one vendor, or when an adapter's ruling does not cover its documents.
pub fn activate(vendors: Vec<VendorSources>, host: &HostProfile, admission: &dyn Admission) -> Activated {
    let vendors = by_vendor(vendors)?;
    let mut definitions = Vec::new();
    let mut diagnostics = Vec::new();
    for VendorSources { adapter, documents } in &vendors {
        let refused = |why: String, diagnostics: &[Diagnostic]| Refused {
            vendor: adapter.vendor().clone(),
            why,
            diagnostics: diagnostics.to_vec(),
        };
        let rulings = adapter.rule(documents);
        if !rulings.states.is_empty() && rulings.states.len() != documents.len() {
            return Err(refused("what its switches come to does not cover all its documents".to_owned(), &diagnostics));
        }
        for (at, document) in documents.iter().enumerate() {
            diagnostics.extend(document.diagnostics.iter().cloned());
            let ruled = rulings.states.get(at).cloned().flatten();
            for definition in &document.definitions {
                let mut definition = definition.clone();
                // A ruling over all documents may overrule a switch in the definition's own.
                if ruled == Some(State::Live) && matches!(definition.state, State::Disabled(_)) {
                    definition.state = State::Live;
                }
                if definition.state == State::Live {
                    let records = adapter.trust(&definition, documents);
                    let admitted = || admission.admit(&definition, records);
                    definition.state =
                        settle_state(&definition, ruled.clone(), &**adapter, host, admitted, &mut diagnostics);
                }
                definitions.push(Arc::new(definition));
            }
        }
        diagnostics.extend(adapter.across(documents));
        if let Some(why) = rulings.refuse {
            return Err(refused(why, &diagnostics));
        }
    }
    let adapters: Vec<_> = vendors
        .iter()
        .map(|vendor| vendor.adapter.informed(&vendor.documents).unwrap_or_else(|| Arc::clone(&vendor.adapter)))
        .collect();
    let bindings: Vec<Binding> = definitions
        .iter()
        .zip(0..)
        .filter(|(definition, _)| definition.state == State::Live && definition.boundary.is_some())
        .map(|(definition, declared)| Binding { definition: Arc::clone(definition), declared })
        .collect();
    let groups = index(&bindings, &adapters);
    let has_copies = bindings.iter().any(|binding| binding.dedup_key.is_some());
    Ok(Snapshot { vendors: adapters, bindings, groups, has_copies, definitions, diagnostics, sources: vendors })
}

/// One entry a vendor, its documents by precedence.
fn by_vendor(given: Vec<VendorSources>) -> Result<Vec<VendorSources>, Refused> {
    let mut vendors: Vec<VendorSources> = Vec::new();
    for entry in given {
        match vendors.iter_mut().find(|vendor| vendor.adapter.vendor() == entry.adapter.vendor()) {
            None => vendors.push(entry),
            Some(vendor) if Arc::ptr_eq(&vendor.adapter, &entry.adapter) => vendor.documents.extend(entry.documents),
            Some(_) => {
                return Err(Refused {
                    vendor: entry.adapter.vendor().clone(),
                    why: "two different adapters are given for it".to_owned(),
                    diagnostics: Vec::new(),
                });
            }
        }
    }
    for VendorSources { adapter, documents } in &mut vendors {
        documents.sort_by_key(|document| adapter.precedence(&document.source));
    }
    Ok(vendors)
}

/// The state of a definition that its document left live.
fn settle_state(
    definition: &Definition,
    ruled: Option<State>,
    adapter: &dyn HostSide,
    host: &HostProfile,
    admitted: impl FnOnce() -> Admitted,
    diagnostics: &mut Vec<Diagnostic>,
) -> State {
    let Some(boundary) = definition.boundary else { return State::NoBoundary };
    if let Some(state) = ruled.filter(|state| *state != State::Live) {
        return state;
    }
    let mut tell = |code: &'static Code, message: String| {
        let mut diagnostic = Diagnostic::new(code, Reach::Entry, message).at(definition.range.clone());
        if definition.can_block() && !std::ptr::eq(code, &HOST_LACKS_CHANNEL) {
            diagnostic = diagnostic.severity(Severity::Error);
        }
        diagnostic.path.clone_from(&definition.source.path);
        diagnostics.push(diagnostic);
    };
    let event = &definition.place.event;
    if adapter.event(event).is_none() {
        tell(&UNKNOWN_EVENT, format!("{}: {} has no event {event}", definition.place, adapter.vendor()));
        return State::Inert(format!("{} has no event {event}", adapter.vendor()));
    }
    if !host.fires(boundary, definition.facet) {
        tell(&HOST_NEVER_FIRES, format!("{} on {event} never runs: this host does not fire it", definition.place));
        return State::Inert(format!("this host does not fire {boundary} ({})", definition.facet.as_str()));
    }
    if !host.handlers.contains(&definition.handler.kind()) {
        let kind = definition.handler.kind().as_str();
        tell(&HOST_CANNOT_RUN, format!("{} never runs: this host cannot run {kind} handlers", definition.place));
        return State::Inert(format!("this host cannot run {kind} handlers"));
    }
    match admitted() {
        Admitted::Yes => {}
        Admitted::Disabled => return State::Disabled("it was switched off by itself".to_owned()),
        Admitted::Untrusted => {
            tell(&NOT_TRUSTED, format!("{} does not run: nobody trusted it yet", definition.place));
            return State::Untrusted;
        }
        Admitted::Modified => {
            tell(&NOT_TRUSTED, format!("{} does not run: it changed since it was trusted", definition.place));
            return State::Modified;
        }
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
            set: None,
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
        // One alone is compiled already, and several may be too large together: those are tested one by one.
        group.set = if patterns.len() > 1 { RegexSet::new(&patterns).ok() } else { None };
        if group.set.is_none() {
            group.single.append(&mut group.set_bindings);
        }
        let group = Arc::new(group);
        let also = adapters.get(vendor).map_or(&[][..], |adapter| adapter.also_on(event));
        for boundary in event.boundary.iter().chain(also) {
            groups.entry(*boundary).or_default().push(Arc::clone(&group));
        }
    }
    groups
}
