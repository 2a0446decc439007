//! Finds a vendor's documents from its adapter's location table, and reads files within a limit.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use hooks_core::HostSide;
use hooks_core::Parsed;
use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
use hooks_core::document::SIZE_LIMIT;
use hooks_core::location::{Base, Location, Platform};
use hooks_core::source::{Life, Role, Source};

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
    /// Whether places outside the project and the user's folders are read, such as `/etc`.
    pub system: bool,
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

/// What was found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Found {
    /// The documents, in the order of the location table; from the project's root down to the working directory where
    /// a location stands for several folders.
    pub sources: Vec<Source>,
    /// What is there and could not be read.
    pub missed: Vec<Missed>,
    /// What was looked for and is not there.
    pub absent: Vec<PathBuf>,
    /// Documents of the project that are links to something outside of it, with where they lead. They are read.
    pub strays: Vec<(PathBuf, PathBuf)>,
    /// Files of another vendor that were left to its own adapter.
    pub doubled: Vec<PathBuf>,
}

/// A document of a project that is somewhere else.
pub static LEAVES_ROOT: Code = Code {
    id: "runtime/leaves-root",
    about: "leaves-root",
    severity: Severity::Warning,
    summary: "A hook document in a project is a link that leads out of it.",
    help: "Make sure that whoever can change what it leads to may change what runs here.",
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
    let is_others = |reader: &Arc<dyn HostSide>, path: &Path| {
        let others = adapters.iter().filter(|adapter| adapter.vendor() != reader.vendor());
        others
            .flat_map(|adapter| adapter.locations())
            .any(|location| location.role != Role::ForeignHooks && ends_with(path, location.path))
    };
    let found = adapters.iter().map(|adapter| {
        let mut found = discover(&**adapter, places);
        let is_left = |role: Role, path: &Path| {
            role == Role::ForeignHooks
                && match foreign {
                    ForeignFiles::Once => is_others(adapter, path),
                    ForeignFiles::ByAll => false,
                    ForeignFiles::Never => true,
                }
        };
        let left = found.sources.iter().filter(|source| is_left(source.role, Path::new(&source.path)));
        found.doubled = left.map(|source| PathBuf::from(&source.path)).collect();
        found.sources.retain(|source| !is_left(source.role, Path::new(&source.path)));
        found.missed.retain(|missed| !is_left(missed.source.role, &missed.path));
        found
    });
    found.collect()
}

/// Whether a path ends with a location's path. A `*` in it stands for any part of a name.
fn ends_with(path: &Path, location: &str) -> bool {
    let mut names = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    location.rsplit('/').filter(|part| !part.is_empty()).all(|wanted| {
        names.next().is_some_and(|name| match wanted.split_once('*') {
            None => name == wanted,
            Some((start, end)) => {
                name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
            }
        })
    })
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

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is nothing at the path.
    #[error("there is no such file")]
    NotFound,
    /// There is a link, and nothing where it leads.
    #[error("it is a link to something that does not exist")]
    BrokenLink,
    /// There is a folder.
    #[error("it is a folder, not a file")]
    Folder,
    /// There is something else: a pipe, a socket, a device.
    #[error("it is no ordinary file")]
    NotAFile,
    /// Something on the way to it is no folder.
    #[error("a part of its path is a file, not a folder")]
    NotAFolderOnTheWay,
    /// It may not be read.
    #[error("it may not be read: permission denied")]
    Denied,
    /// It is larger than documents may be.
    #[error("it has more than the {limit} bytes that are read")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// It is a folder with more documents than are read.
    #[error("the folder has more than the {limit} documents that are read")]
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// The system says something else.
    #[error("it cannot be read: {0}")]
    Io(#[source] io::Error),
}

/// Reads a file of at most [`SIZE_LIMIT`] bytes. Never waits for a pipe and never reads more than the limit.
///
/// # Errors
///
/// [`ReadError`], which does not repeat the path.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    let file = open(path).map_err(|error| explain(path, error))?;
    let facts = file.metadata().map_err(ReadError::Io)?;
    if facts.is_dir() {
        return Err(ReadError::Folder);
    }
    if !facts.is_file() {
        return Err(ReadError::NotAFile);
    }
    let too_large = ReadError::TooLarge { limit: SIZE_LIMIT };
    let size = usize::try_from(facts.len()).unwrap_or(usize::MAX);
    if size > SIZE_LIMIT {
        return Err(too_large);
    }
    let mut bytes = Vec::with_capacity(size);
    // The size was only a hint: the file may grow, and some files have none.
    let limit = u64::try_from(SIZE_LIMIT).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut bytes).map_err(|error| explain(path, error))?;
    if bytes.len() > SIZE_LIMIT {
        return Err(too_large);
    }
    Ok(bytes)
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // Opening a named pipe would otherwise wait for somebody to write to it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(path)
}

fn explain(path: &Path, error: io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::NotFound if fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink()) => ReadError::BrokenLink,
        io::ErrorKind::NotFound => ReadError::NotFound,
        io::ErrorKind::NotADirectory => ReadError::NotAFolderOnTheWay,
        io::ErrorKind::IsADirectory => ReadError::Folder,
        io::ErrorKind::PermissionDenied if fs::metadata(path).is_ok_and(|it| it.is_dir()) => ReadError::Folder,
        io::ErrorKind::PermissionDenied => ReadError::Denied,
        // A socket cannot be opened at all.
        _ if fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir()) => ReadError::NotAFile,
        _ => ReadError::Io(error),
    }
}

/// Finds every document of a vendor, in the order of its adapter's location table.
///
/// A location that does not exist is passed over. The same path is taken once for each role, at its first location. A
/// `*` in a location's path stands for any part of a name that does not start with a dot, in the order of names.
#[must_use]
pub fn discover(adapter: &dyn HostSide, places: &Places<'_>) -> Found {
    let mut found = Found::default();
    let mut seen: Vec<(PathBuf, Role)> = Vec::new();
    for location in adapter.locations() {
        if location.platform.is_some_and(|platform| platform != places.platform) {
            continue;
        }
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
        for folder in folders(location, places) {
            let Listed { paths, unreadable } = expand(&folder, location.path);
            for (path, why) in unreadable {
                let source = document(&path, Vec::new());
                found.missed.push(Missed { path, why, source });
            }
            for path in paths {
                let key = (plain(&path), location.role);
                if seen.contains(&key) {
                    continue;
                }
                match read_file(&path) {
                    Ok(bytes) => {
                        if matches!(location.base, Base::Project | Base::ProjectToCwd) {
                            found.strays.extend(stray(&places.project, &path));
                        }
                        found.sources.push(document(&path, bytes));
                    }
                    Err(ReadError::NotFound) => {
                        found.absent.push(path);
                        continue;
                    }
                    Err(why) => {
                        let source = document(&path, Vec::new());
                        found.missed.push(Missed { path, why, source });
                    }
                }
                seen.push(key);
            }
        }
    }
    found
}

/// Where a project's document leads, when that is outside of the project.
fn stray(project: &Path, path: &Path) -> Option<(PathBuf, PathBuf)> {
    let (root, target) = (project.canonicalize().ok()?, path.canonicalize().ok()?);
    (!target.starts_with(root)).then(|| (path.to_owned(), target))
}

/// The folders a location's path is relative to.
fn folders(location: &Location, places: &Places<'_>) -> Vec<PathBuf> {
    match location.base {
        Base::Absolute => places.system.then(PathBuf::new).into_iter().collect(),
        Base::Home => places.home.clone().into_iter().collect(),
        Base::Variable { name, home_default } => match (places.variable)(name).filter(|value| !value.is_empty()) {
            Some(value) => vec![places.cwd.join(value)],
            None => places.home.as_ref().map(|home| home.join(home_default)).into_iter().collect(),
        },
        Base::Project => vec![places.project.clone()],
        Base::ProjectToCwd => project_to_cwd(&places.project, &places.cwd),
        _ => Vec::new(),
    }
}

/// The project's root, then every folder on the way down to the working directory; the root alone where that lies
/// elsewhere.
fn project_to_cwd(project: &Path, cwd: &Path) -> Vec<PathBuf> {
    let mut folders = vec![project.to_owned()];
    let below = plain(cwd).strip_prefix(plain(project)).map(Path::to_owned).or_else(|_| {
        let (Ok(cwd), Ok(project)) = (cwd.canonicalize(), project.canonicalize()) else { return Err(()) };
        cwd.strip_prefix(&project).map(Path::to_owned).map_err(|_| ())
    });
    let mut folder = project.to_owned();
    for part in below.unwrap_or_default().components() {
        folder.push(part);
        folders.push(folder.clone());
    }
    folders
}

/// A path without `.` and `..`, by its text alone.
fn plain(path: &Path) -> PathBuf {
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
    for (at, part) in path.split('/').enumerate() {
        let folders = std::mem::take(&mut listed.paths);
        listed.paths = match part.split_once('*') {
            // An absolute path starts with an empty part.
            None if part.is_empty() && at == 0 => vec![PathBuf::from("/")],
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
