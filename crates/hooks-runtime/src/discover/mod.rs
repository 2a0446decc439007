//! Finds a vendor's documents from its adapter's location table, and reads files within a limit.

mod folders;
mod read;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use hooks_core::HostSide;
use hooks_core::Parsed;
use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
use hooks_core::location::Platform;
use hooks_core::source::{Life, Origin, Role, Source};
pub use read::{ReadError, read_file};

use crate::trace;
use folders::{Folder, Known, folders};
use read::explain;

/// Names that a `*` in a location may stand for: more than any folder of documents has, and an end to the looking.
const NAMES_LIMIT: usize = 4096;

/// Where to look.
pub struct Places<'a> {
    /// The project's root.
    pub project: PathBuf,
    /// The working directory.
    pub cwd: PathBuf,
    /// The user's home folder; `None` when nothing in it shall be read.
    pub home: Option<PathBuf>,
    /// The platform whose locations count.
    pub platform: Platform,
    /// What machine-wide places such as `/etc` are below: `/` for this machine's own, also on Windows, or the folder of
    /// another machine's files, in which a drive is a folder (`C/ProgramData`). `None` when they shall not be read.
    pub system: Option<PathBuf>,
    /// The environment variables that name folders.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

impl std::fmt::Debug for Places<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Places")
            .field("project", &self.project)
            .field("cwd", &self.cwd)
            .field("home", &self.home)
            .field("platform", &self.platform)
            .field("system", &self.system)
            .finish_non_exhaustive()
    }
}

/// The platform this was built for.
#[must_use]
pub const fn this_platform() -> Platform {
    if cfg!(windows) {
        Platform::Windows
    } else if cfg!(target_os = "macos") {
        Platform::MacOs
    } else {
        Platform::Linux
    }
}

/// What became of a place that documents may lie at.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlaceState {
    /// There is a document, and it was read.
    Found,
    /// There is nothing.
    Absent,
    /// There is something that could not be read; the text says why.
    Unreadable(String),
    /// There is a file that was taken for an earlier place already.
    Taken,
    /// There is a file of another vendor's, which was left to that vendor's own adapter.
    Left,
    /// Nobody looked, because [`Places`] does not ask for it; the text says what it leaves out.
    NotAsked(&'static str),
}

impl PlaceState {
    /// The word for it.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Absent => "absent",
            Self::Unreadable(_) => "unreadable",
            Self::Taken => "taken",
            Self::Left => "left",
            Self::NotAsked(_) => "not-asked",
        }
    }

    /// What there is to say beyond the word.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Unreadable(why) => Some(why),
            Self::NotAsked(why) => Some(why),
            _ => None,
        }
    }
}

/// A place that documents may lie at, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Looked {
    /// Where. A `*` stands for any part of a name: such a place is told of beside the files that it stands for. Where
    /// nobody looked it may start with `~` or with a variable.
    pub path: PathBuf,
    /// The origin that a document there has.
    pub origin: Origin,
    /// What would be looked for in it.
    pub role: Role,
    /// What became of it.
    pub state: PlaceState,
}

/// What was found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Found {
    /// The documents, in the vendor's order of precedence, the lowest first; among equals in the order of the location
    /// table, and from the project's root down to the working directory.
    pub sources: Vec<Source>,
    /// What is there and could not be read.
    pub missed: Vec<Missed>,
    /// Every place of the platform, in the order of the location table.
    pub looked: Vec<Looked>,
    /// Documents of the project that are links to something outside of it, with where they lead. They are read.
    pub strays: Vec<(PathBuf, PathBuf)>,
}

/// A document of a project that is somewhere else.
pub static LEAVES_ROOT: Code = Code {
    id: "runtime/leaves-root",
    about: "leaves-root",
    severity: Severity::Warning,
    summary: "A hook document in a project is a link that leads out of it.",
    help: "Make sure that whoever can change what it leads to may change what runs here.",
};

/// A place without a document.
pub static NOT_THERE: Code = Code {
    id: "runtime/not-there",
    about: "not-there",
    severity: Severity::Info,
    summary: "There is no hook document at a place where its vendor looks for one.",
    help: "Nothing has to be there; write hooks to this file if it is the place where they were meant to be.",
};

impl Found {
    /// What there is to tell beyond the documents themselves. What could not be read tells of itself, by
    /// [`Missed::parsed`].
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let tell = |(path, target): &(PathBuf, PathBuf)| {
            let message = format!("it is a link that leads out of the project, to {}", target.display());
            let mut told = Diagnostic::new(&LEAVES_ROOT, Reach::None, message);
            told.path = path.to_string_lossy().into_owned();
            told
        };
        self.strays.iter().map(tell).collect()
    }

    /// A remark for each place that was looked at and has nothing: for a person who asks why a file is not read.
    #[must_use]
    pub fn absences(&self) -> Vec<Diagnostic> {
        let absent = self.looked.iter().filter(|looked| looked.state == PlaceState::Absent);
        absent
            .map(|looked| {
                let message = format!("there is no {} document here", looked.origin);
                let mut told = Diagnostic::new(&NOT_THERE, Reach::None, message).silent();
                told.path = looked.path.to_string_lossy().into_owned();
                told
            })
            .collect()
    }

    /// What was looked for and is not there.
    pub fn absent(&self) -> impl Iterator<Item = &Path> {
        self.paths(PlaceState::Absent)
    }

    /// Files of another vendor that were left to its own adapter.
    pub fn left(&self) -> impl Iterator<Item = &Path> {
        self.paths(PlaceState::Left)
    }

    fn paths(&self, state: PlaceState) -> impl Iterator<Item = &Path> {
        self.looked.iter().filter(move |looked| looked.state == state).map(|looked| &*looked.path)
    }
}

/// Who reads a file of one vendor that another one's client reads too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ForeignFiles {
    /// Its own vendor's adapter where that is active, else the other's: nothing runs twice.
    #[default]
    Once,
    /// Each adapter that reads it. Its hooks run once for each.
    ByAll,
    /// Its own vendor's adapter only.
    Never,
}

/// Finds every document of several vendors, in the order of the adapters.
#[must_use]
pub fn discover_all(adapters: &[Arc<dyn HostSide>], places: &Places<'_>, foreign: ForeignFiles) -> Vec<Found> {
    let mut known = Known::default();
    let mut all: Vec<Found> = adapters.iter().map(|adapter| discover_knowing(&**adapter, places, &mut known)).collect();
    // What each adapter reads of its own vendor's.
    let own: Vec<(usize, PathBuf)> = all
        .iter()
        .enumerate()
        .flat_map(|(at, found)| found.looked.iter().map(move |looked| (at, looked)))
        .filter(|(_, looked)| looked.role != Role::ForeignHooks && !matches!(looked.state, PlaceState::NotAsked(_)))
        .map(|(at, looked)| (at, plain(&looked.path)))
        .collect();
    for (reader, found) in all.iter_mut().enumerate() {
        let is_left = |role: Role, path: &Path| {
            role == Role::ForeignHooks
                && match foreign {
                    ForeignFiles::Once => own.iter().any(|(at, own)| *at != reader && *own == plain(path)),
                    ForeignFiles::ByAll => false,
                    ForeignFiles::Never => true,
                }
        };
        for looked in &mut found.looked {
            let is_there = matches!(looked.state, PlaceState::Found | PlaceState::Unreadable(_));
            if is_there && is_left(looked.role, &looked.path) {
                looked.state = PlaceState::Left;
            }
        }
        found.sources.retain(|source| !is_left(source.role, Path::new(&source.path)));
        found.missed.retain(|missed| !is_left(missed.source.role, &missed.path));
        found
            .strays
            .retain(|(path, _)| !found.looked.iter().any(|it| it.path == *path && it.state == PlaceState::Left));
    }
    all
}

/// Something that is there and could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Missed {
    /// Where.
    pub path: PathBuf,
    /// Why.
    pub why: ReadError,
    /// The document it would have been, without its bytes: [`hooks_core::Parsed::unreadable`] tells activation of it, so
    /// that managed documents that cannot be read are not passed over.
    pub source: Source,
}

impl Missed {
    /// The document for activation: rejected, with what is wrong.
    #[must_use]
    pub fn parsed(&self) -> Parsed {
        Parsed::unreadable(Arc::new(self.source.clone()), &self.why.to_string())
    }
}

/// Finds every document of a vendor, by its adapter's location table.
///
/// The same path is taken once for each role, at its first location, also where the two folders that it was found from are
/// one by different spellings. Links below those folders are places of their own: a user's file that is a link into a
/// project is the user's there and the project's here. A `*` in a location's path stands for any part of a
/// name that does not start with a dot, in the order of names.
#[must_use]
pub fn discover(adapter: &dyn HostSide, places: &Places<'_>) -> Found {
    discover_knowing(adapter, places, &mut Known::default())
}

/// The same with what the search for other vendors' documents told.
fn discover_knowing(adapter: &dyn HostSide, places: &Places<'_>, known: &mut Known) -> Found {
    let mut found = Found::default();
    let mut seen: Vec<(PathBuf, Role)> = Vec::new();
    let here = adapter.locations().iter();
    for location in here.filter(|location| location.platform.is_none_or(|platform| platform == places.platform)) {
        let document = |path: &Path, bytes: Vec<u8>| Source {
            vendor: adapter.vendor().clone(),
            origin: location.origin,
            role: location.role,
            syntax: location.syntax,
            path: path.to_string_lossy().into_owned(),
            bytes: bytes.into(),
            life: Life::Always,
            plugin: None,
        };
        let looked = |path: PathBuf, state| Looked { path, origin: location.origin, role: location.role, state };
        let folders = match folders(location, places, known) {
            Ok(folders) => folders,
            Err((path, why)) => {
                found.looked.push(looked(path, PlaceState::NotAsked(why)));
                continue;
            }
        };
        for Folder { path: folder, rest, root, real } in folders {
            let Listed { paths, unreadable } = expand(&folder, rest);
            if rest.contains('*') {
                let nothing = paths.is_empty() && unreadable.is_empty();
                let state = if nothing { PlaceState::Absent } else { PlaceState::Found };
                found.looked.push(looked(folder.join(rest), state));
            }
            for (path, why) in unreadable {
                found.looked.push(looked(path.clone(), PlaceState::Unreadable(why.to_string())));
                let source = document(&path, Vec::new());
                found.missed.push(Missed { path, why, source });
            }
            for path in paths {
                let below = path.strip_prefix(&folder).unwrap_or(&path);
                let key = (plain(&real.join(below)), location.role);
                if seen.contains(&key) {
                    found.looked.push(looked(path, PlaceState::Taken));
                    continue;
                }
                let state = match read_file(&path) {
                    Ok(bytes) => {
                        found.strays.extend(root.as_deref().and_then(|root| stray(&known.real(root)?, &path)));
                        found.sources.push(document(&path, bytes));
                        PlaceState::Found
                    }
                    Err(ReadError::NotFound) => PlaceState::Absent,
                    Err(why) => {
                        let state = PlaceState::Unreadable(why.to_string());
                        let source = document(&path, Vec::new());
                        found.missed.push(Missed { path: path.clone(), why, source });
                        state
                    }
                };
                if state != PlaceState::Absent {
                    seen.push(key);
                }
                found.looked.push(looked(path, state));
            }
        }
    }
    found.sources.sort_by_key(|source| adapter.precedence(source));
    trace::discovered(adapter.vendor(), &found);
    found
}

/// Where a project's document leads, when that is outside of the project, whose root is given without links.
fn stray(root: &Path, path: &Path) -> Option<(PathBuf, PathBuf)> {
    let target = path.canonicalize().ok()?;
    (!target.starts_with(root)).then(|| (path.to_owned(), target))
}

/// A path without `.` and `..`, by its text alone.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// What a location's path stands for.
#[derive(Default)]
struct Listed {
    paths: Vec<PathBuf>,
    /// Folders that could not be listed whole.
    unreadable: Vec<(PathBuf, ReadError)>,
}

/// The paths a location's path stands for below a folder.
fn expand(folder: &Path, path: &str) -> Listed {
    if !path.contains('*') {
        return Listed { paths: vec![folder.join(path)], unreadable: Vec::new() };
    }
    let mut listed = Listed { paths: vec![folder.to_owned()], unreadable: Vec::new() };
    for part in path.split('/') {
        let folders = std::mem::take(&mut listed.paths);
        listed.paths = match part.split_once('*') {
            None => folders.into_iter().map(|path| path.join(part)).collect(),
            Some((start, end)) => {
                let mut paths = Vec::new();
                for folder in folders {
                    if let Err(why) = names(&folder, start, end, &mut paths) {
                        listed.unreadable.push((folder, why));
                    }
                }
                paths
            }
        };
    }
    listed
}

/// Adds the files of a folder whose names fit, in the order of names. A folder that does not exist has none.
fn names(folder: &Path, start: &str, end: &str, paths: &mut Vec<PathBuf>) -> Result<(), ReadError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(explain(folder, error)),
    };
    let mut names: Vec<OsString> = Vec::new();
    for entry in entries {
        let name = entry.map_err(ReadError::Io)?.file_name();
        let text = name.to_string_lossy();
        let fits = text.len() >= start.len() + end.len() && text.starts_with(start) && text.ends_with(end);
        if fits && (!start.is_empty() || !text.starts_with('.')) {
            names.push(name);
        }
        if names.len() > NAMES_LIMIT {
            return Err(ReadError::TooMany { limit: NAMES_LIMIT });
        }
    }
    names.sort_unstable();
    paths.extend(names.into_iter().map(|name| folder.join(name)));
    Ok(())
}
