//! Reading a session's documents again: a changed file gives a new snapshot, a broken edit keeps the last good one.
//!
//! Nothing here watches (the feature `watch` has something that does): a host calls [`Reloader::reload`] when its watcher tells of a change and some time passed without
//! another (an editor may empty a file before it writes it), or between turns. Firings
//! under way keep the snapshot they started with. A vendor whose sessions keep the snapshot they began with is served by
//! not swapping it in those.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_core::activate::{Activated, Admission, Snapshot, VendorSources, activate};
use hooks_core::adapter::Parsed;
use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
use hooks_core::source::{Role, Source};
use hooks_core::{HostProfile, HostSide};

use crate::discover::{ForeignFiles, Looked, Missed, PlaceState, Places, discover_all};
use crate::trace;

/// A document that was edited and cannot be used any more.
pub static KEPT: Code = Code {
    id: "runtime/last-good-kept",
    about: "last-good-kept",
    severity: Severity::Error,
    summary: "A document was changed into something that cannot be used, so what it said before still counts.",
    help: "Mend it; it is read again at the next reload.",
};

/// A change after which a vendor would refuse the session.
pub static REFUSED: Code = Code {
    id: "runtime/reload-refused",
    about: "reload-refused",
    severity: Severity::Error,
    summary: "After a change the session would be refused, so what held before still holds.",
    help: "Mend what is named, or start a new session.",
};

/// Every diagnostic of this crate.
pub static CODES: &[&Code] = &[&KEPT, &REFUSED, &crate::discover::LEAVES_ROOT, &crate::discover::NOT_THERE];

/// What a reload came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reloaded {
    /// What holds now; the one from before where nothing changed.
    pub snapshot: Arc<Snapshot>,
    /// Whether it is another one than before.
    pub changed: bool,
    /// What the reload itself has to tell; what is wrong in the documents is in the snapshot.
    pub diagnostics: Vec<Diagnostic>,
}

/// One document as it was last read.
#[derive(Clone, Debug)]
struct Held {
    /// As it stands in the file, whatever that is worth.
    read: Arc<Source>,
    /// Why it could not be read.
    missed: Option<String>,
    /// What counts: its last good form.
    parsed: Parsed,
}

impl Held {
    fn is(&self, source: &Source) -> bool {
        self.read.vendor == source.vendor && self.read.path == source.path && self.read.role == source.role
    }
}

/// Keeps a session's documents and its current snapshot.
#[derive(Debug)]
pub struct Reloader {
    adapters: Vec<Arc<dyn HostSide>>,
    foreign: ForeignFiles,
    host: HostProfile,
    held: Vec<Held>,
    /// Where else a document may come to lie.
    others: Vec<PathBuf>,
    snapshot: Arc<Snapshot>,
}

impl Reloader {
    /// Finds and reads the documents of all vendors and activates them.
    ///
    /// # Errors
    ///
    /// As [`activate`].
    pub fn start(
        adapters: Vec<Arc<dyn HostSide>>,
        foreign: ForeignFiles,
        places: &Places<'_>,
        host: HostProfile,
        admission: &dyn Admission,
    ) -> Result<Self, hooks_core::Refused> {
        let Read { held, others, .. } = read(&adapters, foreign, places, &[]);
        let snapshot = Arc::new(activated(&adapters, &held, &host, admission)?);
        Ok(Self { adapters, foreign, host, held, others, snapshot })
    }

    /// What holds.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot)
    }

    /// Where the documents lie, and where some may come to lie.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.held.iter().map(|held| Path::new(&held.read.path)).chain(self.others.iter().map(PathBuf::as_path))
    }

    /// Activates the same documents anew, where something else changed: what is trusted.
    ///
    /// # Errors
    ///
    /// As [`activate`]; what held before still holds then.
    pub fn reactivate(&mut self, admission: &dyn Admission) -> Result<Arc<Snapshot>, hooks_core::Refused> {
        self.snapshot = Arc::new(activated(&self.adapters, &self.held, &self.host, admission)?);
        Ok(self.snapshot())
    }

    /// Looks again. What was added counts, what was removed counts no more, what changed counts as it is now, and what was
    /// broken counts as it last was good. Trust is asked for anew where anything changed.
    pub fn reload(&mut self, places: &Places<'_>, admission: &dyn Admission) -> Reloaded {
        let reloaded = self.reload_now(places, admission);
        trace::reloaded(&reloaded);
        reloaded
    }

    fn reload_now(&mut self, places: &Places<'_>, admission: &dyn Admission) -> Reloaded {
        let Read { held, others, mut diagnostics } = read(&self.adapters, self.foreign, places, &self.held);
        self.others = others;
        let same = |one: &Held, other: &Held| one.read == other.read && one.missed == other.missed;
        if held.len() == self.held.len() && held.iter().zip(&self.held).all(|(one, other)| same(one, other)) {
            return Reloaded { snapshot: self.snapshot(), changed: false, diagnostics };
        }
        let counts = |held: &[Held]| held.iter().map(|held| Arc::clone(&held.parsed.source)).collect::<Vec<_>>();
        let unchanged = counts(&held) == counts(&self.held);
        if unchanged {
            self.held = held;
            return Reloaded { snapshot: self.snapshot(), changed: false, diagnostics };
        }
        match activated(&self.adapters, &held, &self.host, admission) {
            Ok(snapshot) => {
                self.held = held;
                self.snapshot = Arc::new(snapshot);
                Reloaded { snapshot: self.snapshot(), changed: true, diagnostics }
            }
            Err(refused) => {
                diagnostics.push(Diagnostic::new(&REFUSED, Reach::Session, refused.to_string()));
                Reloaded { snapshot: self.snapshot(), changed: false, diagnostics }
            }
        }
    }
}

/// What reading everything came to.
struct Read {
    held: Vec<Held>,
    others: Vec<PathBuf>,
    diagnostics: Vec<Diagnostic>,
}

/// Reads everything, with the last good form of what is broken now.
fn read(adapters: &[Arc<dyn HostSide>], foreign: ForeignFiles, places: &Places<'_>, before: &[Held]) -> Read {
    let (mut held, mut others) = (Vec::new(), Vec::new());
    let mut diagnostics = Vec::new();
    for (adapter, found) in adapters.iter().zip(discover_all(adapters, places, foreign)) {
        diagnostics.extend(found.diagnostics());
        // Also what stands for several names: one more may come.
        let may_come = |looked: &Looked| match looked.state {
            PlaceState::Absent => true,
            PlaceState::Found => looked.path.to_string_lossy().contains('*'),
            _ => false,
        };
        others.extend(found.looked.into_iter().filter(may_come).map(|looked| looked.path));
        let read = found.sources.into_iter().map(|source| (Arc::new(source), None));
        let missed = found.missed.into_iter().map(|missed: Missed| {
            let why = missed.why.to_string();
            (Arc::new(missed.source), Some(why))
        });
        for (source, missed) in read.chain(missed) {
            let earlier = before.iter().find(|held| held.is(&source));
            let parsed = match (earlier, &missed) {
                // Parsing the same bytes comes to the same.
                (Some(earlier), None) if earlier.missed.is_none() && earlier.parsed.source == source => {
                    earlier.parsed.clone()
                }
                (_, None) => adapter.parse(&source),
                (_, Some(why)) => Parsed::unreadable(Arc::clone(&source), why),
            };
            let good = earlier.filter(|earlier| parsed.rejected && !earlier.parsed.rejected);
            if good.is_some() {
                let why = parsed.diagnostics.first().map_or("it is rejected", |found| found.message.as_str());
                let reach = if source.role == Role::Requirements { Reach::Session } else { Reach::File };
                let message = format!("what it said before still counts: {why}");
                let mut told = Diagnostic::new(&KEPT, reach, message);
                told.path.clone_from(&source.path);
                told.range = parsed.diagnostics.first().and_then(|found| found.range.clone());
                diagnostics.push(told);
            }
            let parsed = good.map_or(parsed, |earlier| earlier.parsed.clone());
            held.push(Held { read: source, missed, parsed });
        }
    }
    Read { held, others, diagnostics }
}

fn activated(
    adapters: &[Arc<dyn HostSide>],
    held: &[Held],
    host: &HostProfile,
    admission: &dyn Admission,
) -> Activated {
    let sources = adapters.iter().map(|adapter| VendorSources {
        adapter: Arc::clone(adapter),
        documents: held
            .iter()
            .filter(|held| held.read.vendor == *adapter.vendor())
            .map(|held| held.parsed.clone())
            .collect(),
    });
    let activated = activate(sources.collect(), host, admission);
    if let Ok(snapshot) = &activated {
        trace::activated(snapshot);
    }
    activated
}
