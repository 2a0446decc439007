//! The few looks at the file system that checking a command takes. Nothing is run, and nothing is opened that the command
//! does not name.

use std::collections::HashMap;
use std::fmt;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing.
    Nothing,
    /// A folder.
    Folder,
    /// A file.
    File {
        /// Whether anybody may execute it; `true` on systems without such a bit.
        executable: bool,
    },
    /// It may not be looked at, or cannot be told.
    Unknown,
}

/// What may be asked.
pub(crate) trait Look: fmt::Debug + Sync {
    /// What is at an absolute path.
    fn at(&self, path: &Path) -> Found;

    /// The first bytes of a file, at most [`HEAD`]; `None` where it cannot be read.
    fn head(&self, path: &Path) -> Option<Vec<u8>>;

    /// Whether a program of this name is on `PATH`; `None` where that cannot be told.
    fn on_path(&self, program: &str) -> Option<bool>;
}

/// How many bytes of a script are read: enough for a `#!` line and for what a guard exits with.
pub(crate) const HEAD: usize = 64 << 10;

/// The machine's own file system, with what was seen kept: hooks name the same scripts again and again.
#[derive(Debug)]
pub(crate) struct Disk {
    /// The project's root, which may always be looked at.
    root: PathBuf,
    /// The user's home, where nobody asked for it: nothing in it but the project is looked at.
    closed: Option<PathBuf>,
    seen: Mutex<HashMap<PathBuf, Found>>,
    programs: Mutex<HashMap<String, Option<bool>>>,
}

impl Disk {
    /// A view of the machine from a project; the home folder is looked at only where it is asked for.
    pub(crate) fn new(root: &Path, home: Option<&Path>) -> Self {
        let own = std::env::home_dir().filter(|own| !own.as_os_str().is_empty());
        let closed = own.filter(|own| home != Some(own.as_path()));
        Self { root: root.to_owned(), closed, seen: Mutex::default(), programs: Mutex::default() }
    }

    fn is_open(&self, path: &Path) -> bool {
        path.starts_with(&self.root) || !self.closed.as_ref().is_some_and(|home| path.starts_with(home))
    }
}

impl Look for Disk {
    fn at(&self, path: &Path) -> Found {
        let path = plain(path);
        if !self.is_open(&path) {
            return Found::Unknown;
        }
        if let Ok(seen) = self.seen.lock()
            && let Some(found) = seen.get(&path)
        {
            return found.clone();
        }
        let found = match std::fs::metadata(&path) {
            Ok(facts) if facts.is_dir() => Found::Folder,
            Ok(facts) if facts.is_file() => Found::File { executable: is_executable(&facts) },
            Ok(_) => Found::Unknown,
            Err(error) => match error.kind() {
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Found::Nothing,
                _ => Found::Unknown,
            },
        };
        if let Ok(mut seen) = self.seen.lock() {
            seen.insert(path, found.clone());
        }
        found
    }

    fn head(&self, path: &Path) -> Option<Vec<u8>> {
        let Found::File { .. } = self.at(path) else { return None };
        let mut bytes = Vec::new();
        std::fs::File::open(plain(path)).ok()?.take(HEAD as u64).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn on_path(&self, program: &str) -> Option<bool> {
        if let Ok(programs) = self.programs.lock()
            && let Some(known) = programs.get(program)
        {
            return *known;
        }
        let mut answer = Some(false);
        let path = std::env::var_os("PATH").unwrap_or_default();
        for folder in std::env::split_paths(&path).filter(|folder| folder.is_absolute()) {
            match self.at(&folder.join(program)) {
                Found::File { executable: true } => {
                    answer = Some(true);
                    break;
                }
                Found::Unknown => answer = None,
                _ => {}
            }
        }
        if let Ok(mut programs) = self.programs.lock() {
            programs.insert(program.to_owned(), answer);
        }
        answer
    }
}

#[cfg(unix)]
fn is_executable(facts: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    facts.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
const fn is_executable(_: &std::fs::Metadata) -> bool {
    true
}

/// A path without `.` and `..`, by its text.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
