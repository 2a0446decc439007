//! Everything that will not do what it seems to, over whole projects: what `crosshook check` finds.
//!
//! The adapters say what is wrong inside one document. This room looks at what they cannot see: the file system (is the
//! script there, is it executable), several vendors side by side, and the checker's own configuration. It reads files
//! and is therefore behind a feature; the libraries below it are pure.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a checker reads files; the libraries do not")]

pub mod baseline;
pub mod codes;
pub mod command;
pub mod config;
pub mod fix;
pub mod foreign;
mod gather;
pub mod host;
pub mod pages;
mod parallel;
mod place;
mod project;
pub mod rules;
pub mod versions;
mod walk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::GlobSet;
use hooks_core::location::Platform;
use hooks_core::{Code, Definition, HostProfile, HostSide, VendorSources};

pub use place::user_home;
pub use project::Project;
pub use walk::SKIPPED;

/// One project as the checks of this room see it: read, parsed and activated.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The documents of each vendor that counts, with the adapter that read them. Documents that could not be read are
    /// here too, rejected and without bytes.
    pub vendors: &'a [VendorSources],
    /// Every definition with the state that activation gave it, in declared order. It knows its document
    /// (`definition.source`) and its bytes there (`definition.range`). Behind them stand those that are meant and do not
    /// count ([`Parsed::meant`](hooks_core::Parsed::meant)).
    pub definitions: &'a [Arc<Definition>],
    /// The project's root, an absolute path. For a file that lies at no vendor's place: its folder.
    pub root: &'a Path,
    /// The home folder; `None` where nobody asked for it: nothing in it may be read or looked at then.
    pub home: Option<&'a Path>,
    /// The platform whose rules for paths, executable bits and shells hold.
    pub platform: Platform,
    /// The adapters of all built-in vendors at the versions that count, also of those that were not asked for: for
    /// questions such as "whose event is this?".
    pub adapters: &'a [Arc<dyn HostSide>],
}

/// What to check, and as whom.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request {
    /// Folders and hook files. A folder is a project, whose documents are looked for where its vendors look.
    pub paths: Vec<PathBuf>,
    /// Whether every hook file below a folder counts, of whatever project in it. [`SKIPPED`] says where nobody looks.
    pub recursive: bool,
    /// A text that stands in the place of a file, whatever is on disk; `paths` are not looked at then.
    pub buffer: Option<Buffer>,
    /// The names of the vendors that count, all of them where there is none. For a file that is named: its format.
    pub vendors: Vec<String>,
    /// The adapters of all vendors, at the versions that count.
    pub adapters: Vec<Arc<dyn HostSide>>,
    /// The home folder; `None` where nothing in it is read.
    pub home: Option<PathBuf>,
    /// What machine-wide files are below; `None` where none is read.
    pub system: Option<PathBuf>,
    /// Whether variables of this process's environment that name a vendor's folder count.
    pub variables: bool,
    /// The host that would run the hooks.
    pub host: HostProfile,
    /// What is passed over when folders are looked through. A file that is named counts all the same.
    pub excluded: Option<Excluded>,
    /// Bytes that count in place of those that files have on disk. A file that is not there is not added by it.
    pub unsaved: BTreeMap<PathBuf, Arc<[u8]>>,
}

/// A text that an editor has not saved yet.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The file it will be.
    pub path: PathBuf,
    /// The text.
    pub bytes: Vec<u8>,
}

/// Paths that are passed over: patterns, and the folder that they are relative to.
#[derive(Clone, Debug)]
pub struct Excluded {
    /// The folder.
    pub root: PathBuf,
    /// The patterns.
    pub patterns: GlobSet,
}

impl Request {
    /// A request for these folders and files, as the vendors' newest recorded clients see them: all vendors, nothing from
    /// the home folder or the machine, a host that runs every type of handler.
    #[must_use]
    pub fn new(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            recursive: false,
            buffer: None,
            vendors: Vec::new(),
            adapters: crosshook::adapters(),
            home: None,
            system: None,
            variables: false,
            host: host::clients(),
            excluded: None,
            unsaved: BTreeMap::new(),
        }
    }

    /// The adapters of the vendors that count.
    fn counting(&self) -> Vec<Arc<dyn HostSide>> {
        let counts = |adapter: &&Arc<dyn HostSide>| {
            self.vendors.is_empty() || self.vendors.iter().any(|vendor| vendor == adapter.vendor().as_str())
        };
        self.adapters.iter().filter(counts).cloned().collect()
    }

    fn is_excluded(&self, path: &Path) -> bool {
        self.excluded.as_ref().is_some_and(|excluded| {
            path.strip_prefix(&excluded.root).is_ok_and(|below| excluded.patterns.is_match(below))
        })
    }
}

/// Something that was asked for and cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unusable {
    /// What was asked for.
    pub path: PathBuf,
    /// Why it cannot be used.
    pub why: String,
    /// What to do instead, where that can be said.
    pub help: Option<String>,
}

impl Unusable {
    fn new(path: &Path, why: impl Into<String>) -> Self {
        Self { path: path.to_owned(), why: why.into(), help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What a request came to.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Checked {
    /// The projects, in the order in which they were asked for.
    pub projects: Vec<Project>,
    /// What was asked for and cannot be used. Everything else is checked all the same.
    pub unusable: Vec<Unusable>,
    /// Folders that were passed over, because of their names.
    pub skipped: Vec<PathBuf>,
}

/// Finds, reads and parses everything that was asked for, and settles nothing yet: of a project's diagnostics only those
/// about where its files lie are there, and no definition.
#[must_use]
pub fn load(request: &Request) -> Checked {
    let gathered = gather::gather(request);
    let mut checked = Checked { projects: Vec::new(), unusable: gathered.unusable, skipped: gathered.skipped };
    let jobs: Vec<(&Arc<dyn HostSide>, &gather::Pending)> = gathered
        .drafts
        .iter()
        .flat_map(|draft| &draft.groups)
        .flat_map(|(adapter, documents)| documents.iter().map(move |document| (adapter, document)))
        .collect();
    let parsed = parallel::map(&jobs, |(adapter, document)| gather::parse(request, adapter, document));
    drop(jobs);
    let mut parsed = parsed.into_iter();
    for gather::Draft { root, groups, diagnostics, looked } in gathered.drafts {
        let mut vendors = Vec::with_capacity(groups.len());
        let (mut read_any, mut failed) = (false, false);
        for (adapter, documents) in groups {
            let mut read = Vec::with_capacity(documents.len());
            for document in parsed.by_ref().take(documents.len()) {
                match document {
                    Ok(document) => read.push(document),
                    Err(unusable) => {
                        failed = true;
                        checked.unusable.push(unusable);
                    }
                }
            }
            read_any |= !read.is_empty();
            vendors.push(VendorSources { adapter, documents: read });
        }
        if failed && !read_any {
            // Nothing of it is known but that.
            continue;
        }
        checked.projects.push(Project {
            root,
            home: request.home.clone(),
            vendors,
            definitions: Vec::new(),
            diagnostics,
            refused: None,
            looked,
        });
    }
    checked
}

/// Checks everything that was asked for: all there is to tell of every document, in the order of files and of places in
/// them.
#[must_use]
pub fn check(request: &Request) -> Checked {
    let mut checked = load(request);
    let shared = project::Shared::of(request);
    let settled = parallel::map(&checked.projects, |project| project.settled(request, &shared));
    for (project, settled) in checked.projects.iter_mut().zip(settled) {
        project.take(settled);
    }
    checked
}

/// Every diagnostic that a check can give: the checker's own, those of activation and of finding files, then the vendors'.
#[must_use]
pub fn all_codes() -> Vec<&'static Code> {
    let found = [&hooks_runtime::discover::LEAVES_ROOT];
    let own = codes::CODES.iter().chain(hooks_core::activate::CODES).copied().chain(found);
    let adapters = crosshook::adapters();
    own.chain(adapters.iter().flat_map(|adapter| adapter.codes().iter().copied())).collect()
}
