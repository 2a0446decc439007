//! From the paths that were asked for to projects with their documents, not yet parsed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_core::{Diagnostic, HostSide, Parsed, Source, VendorId};
use hooks_runtime::discover::this_platform;
use hooks_runtime::{ForeignFiles, Looked, Missed, Places, discover_all, read_file};

use super::place::attached;
use super::place::{Told, of_location, of_plugin, tell};
use super::walk::walk;
use super::{Buffer, Request, Unusable, parallel};

/// What there is of a project before its documents are parsed.
#[derive(Debug)]
pub(super) struct Draft {
    /// Its root.
    pub root: PathBuf,
    /// The documents of each vendor that counts.
    pub groups: Vec<(Arc<dyn HostSide>, Vec<Pending>)>,
    /// What there is to tell about where files lie.
    pub diagnostics: Vec<Diagnostic>,
    /// Every place that was looked at.
    pub looked: Vec<(VendorId, Looked)>,
}

/// A document on its way.
#[derive(Debug)]
pub(super) enum Pending {
    /// It was read.
    Read(Arc<Source>),
    /// It is there and could not be read.
    Missed(Box<Parsed>),
    /// It is still to be read. Whoever named it, by another path perhaps, wants to know when that fails.
    At { path: PathBuf, asked: PathBuf, told: Box<Told> },
}

/// What was asked for, gathered.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// The projects, in the order in which they were asked for.
    pub drafts: Vec<Draft>,
    /// What was asked for and cannot be used.
    pub unusable: Vec<Unusable>,
    /// Folders that a walk passed over.
    pub skipped: Vec<PathBuf>,
}

impl Draft {
    fn new(root: PathBuf) -> Self {
        Self { root, groups: Vec::new(), diagnostics: Vec::new(), looked: Vec::new() }
    }

    /// Adds a document, behind those of its vendor that are there.
    fn add(&mut self, adapter: &Arc<dyn HostSide>, pending: Pending) {
        match self.groups.iter_mut().find(|(other, _)| other.vendor() == adapter.vendor()) {
            Some((_, documents)) => documents.push(pending),
            None => self.groups.push((Arc::clone(adapter), vec![pending])),
        }
    }
}

/// Gathers the documents of everything that was asked for.
pub(super) fn gather(request: &Request) -> Gathered {
    let mut gathered = Gathered::default();
    if let Some(buffer) = &request.buffer {
        match with_buffer(request, buffer) {
            Ok(draft) => gathered.drafts.push(draft),
            Err(unusable) => gathered.unusable.push(unusable),
        }
        return gathered;
    }
    let mut files = Files::default();
    for asked in &request.paths {
        match look(asked) {
            Err(unusable) => gathered.unusable.push(unusable),
            Ok((path, true)) if request.recursive => {
                let adapters = request.counting();
                let walked = walk(&path, &adapters, &|path| request.is_excluded(path));
                gathered.skipped.extend(walked.skipped);
                gathered.unusable.extend(walked.unusable);
                let told = parallel::map(&walked.files, |path| unnamed(&adapters, path));
                for (path, told) in walked.files.into_iter().zip(told) {
                    if let Some(told) = told {
                        files.add(&mut gathered.drafts, &path.clone(), path, told);
                    }
                }
            }
            Ok((path, true)) => gathered.drafts.push(folder(request, path)),
            Ok((path, false)) => match whose(request, asked, &path) {
                Ok(told) => files.add(&mut gathered.drafts, asked, path, told),
                Err(unusable) => gathered.unusable.push(unusable),
            },
        }
    }
    gathered
}

/// The absolute path of what was asked for, and whether it is a folder.
fn look(asked: &Path) -> Result<(PathBuf, bool), Unusable> {
    let shown = asked.display();
    let path =
        std::path::absolute(asked).map_err(|error| Unusable::new(asked, format!("`{shown}` is no path: {error}")))?;
    let found = std::fs::metadata(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Unusable::new(asked, format!("there is no `{shown}`")),
        _ => Unusable::new(asked, format!("cannot look at `{shown}`: {error}")),
    })?;
    Ok((path, found.is_dir()))
}

/// Named files: those of one project that lie at their vendors' places are one project, each other one is for itself.
#[derive(Default)]
struct Files {
    seen: HashSet<PathBuf>,
    placed: std::collections::HashMap<PathBuf, usize>,
}

impl Files {
    fn add(&mut self, drafts: &mut Vec<Draft>, asked: &Path, path: PathBuf, told: Told) {
        if !self.seen.insert(path.clone()) {
            return;
        }
        let known = if told.is_placed { self.placed.get(&told.root).copied() } else { None };
        let at = known.unwrap_or(drafts.len());
        if known.is_none() {
            if told.is_placed {
                self.placed.insert(told.root.clone(), at);
            }
            drafts.push(Draft::new(told.root.clone()));
        }
        if let Some(draft) = drafts.get_mut(at) {
            let adapter = Arc::clone(&told.adapter);
            draft.add(&adapter, Pending::At { path, asked: asked.to_owned(), told: Box::new(told) });
        }
    }
}

/// Whose document a file is that nobody named.
fn unnamed(adapters: &[Arc<dyn HostSide>], path: &Path) -> Option<Told> {
    of_location(adapters, path).or_else(|| of_plugin(adapters, path)).or_else(|| attached::found(adapters, path))
}

/// Whose document a named file is.
fn whose(request: &Request, asked: &Path, path: &Path) -> Result<Told, Unusable> {
    let shown = asked.display();
    match request.vendors.as_slice() {
        [] => tell(&request.adapters, path).ok_or_else(|| {
            let vendors: Vec<_> = request.adapters.iter().map(|adapter| adapter.vendor().as_str()).collect();
            Unusable::new(asked, format!("cannot tell from its name whose format `{shown}` is in"))
                .help(format!("say it: --vendor with one of {}", vendors.join(", ")))
        }),
        [_] => {
            let counting = request.counting();
            let adapter = counting.first().ok_or_else(|| Unusable::new(asked, "there is no such vendor"))?;
            Ok(tell(&counting, path).unwrap_or_else(|| Told::named(adapter, path)))
        }
        several => counting_one(request, several, path).ok_or_else(|| {
            Unusable::new(asked, format!("`{shown}` is one file: it has one format"))
                .help("give --vendor once, or not at all")
        }),
    }
}

/// Where several vendors count: the one of them whose place a file lies at.
fn counting_one(request: &Request, vendors: &[String], path: &Path) -> Option<Told> {
    let told = tell(&request.adapters, path).filter(|told| told.is_placed)?;
    vendors.iter().any(|vendor| vendor == told.adapter.vendor().as_str()).then_some(told)
}

/// A folder's documents, by the vendors' location tables.
fn folder(request: &Request, root: PathBuf) -> Draft {
    let own_variables = request.variables;
    let variable = |name: &str| if own_variables { std::env::var(name).ok() } else { None };
    let places = Places {
        project: root.clone(),
        cwd: root.clone(),
        home: request.home.clone(),
        platform: this_platform(),
        system: request.system.clone(),
        variable: &variable,
    };
    let adapters = request.counting();
    let found = discover_all(&adapters, &places, ForeignFiles::Once);
    let mut draft = Draft::new(root);
    let is_kept = |path: &Path| !request.is_excluded(path);
    for (adapter, found) in adapters.into_iter().zip(found) {
        draft.diagnostics.extend(found.diagnostics().into_iter().filter(|told| is_kept(Path::new(&told.path))));
        draft.looked.extend(found.looked.into_iter().map(|looked| (adapter.vendor().clone(), looked)));
        let read = found.sources.into_iter().filter(|source| is_kept(Path::new(&source.path)));
        let read = read.map(|source| Pending::Read(Arc::new(source)));
        // What could not be read goes to activation too: managed documents that must load are among them.
        let missed = found.missed.iter().filter(|missed| is_kept(&missed.path)).map(Missed::parsed);
        let missed = missed.map(|parsed| Pending::Missed(Box::new(parsed)));
        draft.groups.push((adapter, read.chain(missed).collect()));
    }
    // What skills, commands and agents bring along, and the plugin whose root it is.
    let counting = request.counting();
    let home = request.home.as_ref().filter(|home| **home != draft.root);
    let attached: Vec<_> = home.into_iter().chain([&draft.root]).flat_map(|root| attached::files(root)).collect();
    for path in attached.into_iter().filter(|path| is_kept(path)) {
        if let Some(told) = of_plugin(&counting, &path).or_else(|| attached::found(&counting, &path)) {
            let adapter = Arc::clone(&told.adapter);
            draft.add(&adapter, Pending::At { path: path.clone(), asked: path, told: Box::new(told) });
        }
    }
    draft
}

/// The project of a text that is not saved yet: as it is on disk, with the text in its file's place.
fn with_buffer(request: &Request, buffer: &Buffer) -> Result<Draft, Unusable> {
    let asked = &buffer.path;
    let shown = asked.display();
    let path =
        std::path::absolute(asked).map_err(|error| Unusable::new(asked, format!("`{shown}` is no path: {error}")))?;
    let told = whose(request, asked, &path)?;
    // The other vendors' documents count too: what is told of several side by side is told of this one.
    let all = Request { vendors: Vec::new(), ..request.clone() };
    let mut draft = if told.is_placed { folder(&all, told.root.clone()) } else { Draft::new(told.root.clone()) };
    for (_, documents) in &mut draft.groups {
        documents.retain(|document| match document {
            Pending::Read(source) => Path::new(&source.path) != path,
            Pending::Missed(parsed) => Path::new(&parsed.source.path) != path,
            Pending::At { path: other, .. } => *other != path,
        });
    }
    // A link that is told of is the file on disk; its text is here.
    let source = Arc::new(told.source(&path, buffer.bytes.as_slice().into()));
    draft.add(&told.adapter, Pending::Read(source));
    Ok(draft)
}

/// Reads and parses one document.
///
/// # Errors
///
/// Why a file that somebody named cannot be read.
pub(super) fn parse(request: &Request, adapter: &Arc<dyn HostSide>, pending: &Pending) -> Result<Parsed, Unusable> {
    match pending {
        Pending::Read(source) => Ok(match request.unsaved.get(Path::new(&source.path)) {
            None => adapter.parse(source),
            Some(bytes) => adapter.parse(&Arc::new(Source { bytes: Arc::clone(bytes), ..Source::clone(source) })),
        }),
        Pending::Missed(parsed) => Ok(Parsed::clone(parsed)),
        Pending::At { path, asked, told } => {
            let bytes = match request.unsaved.get(path) {
                Some(bytes) => Arc::clone(bytes),
                None => read_file(path)
                    .map_err(|why| Unusable::new(asked, format!("cannot read `{}`: {why}", asked.display())))?
                    .into(),
            };
            Ok(adapter.parse(&Arc::new(told.source(path, bytes))))
        }
    }
}
