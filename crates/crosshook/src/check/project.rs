//! One project that was read: settled, and everything there is to tell about it, in order.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_core::activate::AdmitAll;
use hooks_core::{
    Definition, Diagnostic, HostSide, Parsed, Reach, Refused, Severity, VendorId, VendorSources, activate,
};
use hooks_runtime::Looked;
use hooks_runtime::discover::this_platform;

use super::command::look::{Disk, Programs};
use super::foreign::Toolbox;
use super::{Input, Request, codes, command, foreign};

/// A project's documents with what they come to.
#[derive(Debug)]
#[non_exhaustive]
pub struct Project {
    /// Its root, an absolute path.
    pub root: PathBuf,
    /// The home folder, where it was asked for.
    pub home: Option<PathBuf>,
    /// The documents of each vendor that counts, with its adapter.
    pub vendors: Vec<VendorSources>,
    /// Every definition with the state it has in the host, in declared order.
    pub definitions: Vec<Arc<Definition>>,
    /// Everything there is to tell: file by file, each from top to bottom.
    pub diagnostics: Vec<Diagnostic>,
    /// Why a vendor's client would refuse the session.
    pub refused: Option<String>,
    /// Every place that was looked at and whose vendor looks there; none where files were named.
    pub looked: Vec<(VendorId, Looked)>,
}

/// What is the same for all projects of a check, and is found out once.
#[derive(Debug)]
pub(super) struct Shared {
    programs: Arc<Programs>,
    toolbox: Toolbox,
}

impl Shared {
    /// Nothing is looked at before it is asked for.
    pub(super) fn of(request: &Request) -> Self {
        let programs = Arc::new(Programs::new(request.home.as_deref()));
        Self { programs, toolbox: Toolbox::of(&request.adapters) }
    }
}

/// What settling a project came to.
#[derive(Debug)]
pub(super) struct Settled {
    definitions: Vec<Arc<Definition>>,
    diagnostics: Vec<Diagnostic>,
    refused: Option<String>,
}

impl Project {
    /// The documents that were read, vendor by vendor.
    pub fn documents(&self) -> impl Iterator<Item = &Parsed> {
        self.vendors.iter().flat_map(|vendor| &vendor.documents)
    }

    /// The document of a path.
    #[must_use]
    pub fn document(&self, path: &str) -> Option<&Parsed> {
        self.documents().find(|document| document.source.path == path)
    }

    /// The adapters that count here.
    pub fn adapters(&self) -> impl Iterator<Item = &Arc<dyn HostSide>> {
        self.vendors.iter().map(|vendor| &vendor.adapter)
    }

    /// How many errors, warnings and remarks there are.
    #[must_use]
    pub fn counts(&self) -> (usize, usize, usize) {
        let count = |severity| self.diagnostics.iter().filter(|found| found.severity == severity).count();
        (count(Severity::Error), count(Severity::Warning), count(Severity::Info))
    }

    /// Activates the documents for a host and runs the checks that look at the whole project.
    pub(super) fn settled(&self, request: &Request, shared: &Shared) -> Settled {
        let mut settled = Settled { definitions: Vec::new(), diagnostics: self.diagnostics.clone(), refused: None };
        match activate(self.vendors.clone(), &request.host, &AdmitAll) {
            Ok(snapshot) => {
                settled.definitions = snapshot.definitions().to_vec();
                settled.diagnostics.extend_from_slice(snapshot.diagnostics());
            }
            Err(Refused { vendor, why, .. }) => {
                settled.refused = Some(format!("{vendor}: {why}"));
                settled.definitions = self.documents().flat_map(|it| &it.definitions).cloned().map(Arc::new).collect();
                settled.diagnostics.extend(self.documents().flat_map(|document| document.diagnostics.iter().cloned()));
                settled.diagnostics.extend(self.vendors.iter().flat_map(across));
            }
        }
        // What a fault keeps from running has other faults too, which are told in the same run.
        let meant = self.documents().flat_map(|document| &document.meant).cloned().map(Arc::new);
        let definitions: Vec<_> = settled.definitions.iter().cloned().chain(meant).collect();
        let input = Input {
            vendors: &self.vendors,
            definitions: &definitions,
            root: &self.root,
            home: self.home.as_deref(),
            platform: this_platform(),
            adapters: &request.adapters,
        };
        let disk = Disk::with(&self.root, Arc::clone(&shared.programs));
        settled.diagnostics.extend(command::check_with(&input, &disk));
        settled.diagnostics.extend(foreign::check_with(&input, &disk));
        foreign::enrich_with(&input, &shared.toolbox, &mut settled.diagnostics);
        self.tell_of_empty_files(&mut settled.diagnostics);
        if let Some(buffer) = &request.buffer {
            let path = std::path::absolute(&buffer.path).unwrap_or_else(|_| buffer.path.clone());
            settled.diagnostics.retain(|told| Path::new(&told.path) == path);
        }
        self.sort(&mut settled.diagnostics);
        settled
    }

    /// Takes what settling came to.
    pub(super) fn take(&mut self, settled: Settled) {
        self.definitions = settled.definitions;
        self.diagnostics = settled.diagnostics;
        self.refused = settled.refused;
    }

    /// A file with nothing in it, where nothing else is told of it.
    fn tell_of_empty_files(&self, diagnostics: &mut Vec<Diagnostic>) {
        let blank = self.documents().filter(|document| document.source.bytes.trim_ascii().is_empty());
        for document in blank {
            let path = &document.source.path;
            if !diagnostics.iter().any(|told| told.path == *path) {
                let message = "the file is empty: no hook is defined in it";
                let mut told = Diagnostic::new(&codes::EMPTY_FILE, Reach::None, message);
                told.path.clone_from(path);
                diagnostics.push(told);
            }
        }
    }

    /// File by file in the order in which they were read, each from top to bottom; what is about a whole file comes first.
    fn sort(&self, diagnostics: &mut [Diagnostic]) {
        let mut order: HashMap<String, usize> = HashMap::new();
        let read = self.documents().map(|document| &document.source.path);
        for path in read.chain(diagnostics.iter().map(|told| &told.path)) {
            let next = order.len();
            order.entry(path.clone()).or_insert(next);
        }
        diagnostics.sort_by_cached_key(|told| {
            let range = told.range.as_ref();
            (order.get(&told.path).copied(), range.map(|range| (range.start, range.end)))
        });
    }
}

/// What there is to tell of a vendor's documents side by side, where activation did not come so far.
fn across(vendor: &VendorSources) -> Vec<Diagnostic> {
    let mut documents = vendor.documents.clone();
    documents.sort_by_key(|document| vendor.adapter.precedence(&document.source));
    vendor.adapter.across(&documents)
}
