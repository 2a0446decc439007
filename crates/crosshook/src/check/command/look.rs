//! The few looks at the file system that checking a command takes. Nothing is run, and nothing is opened that the command
//! does not name.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

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

/// The programs on `PATH`, looked for once however many projects name them.
#[derive(Debug)]
pub(crate) struct Programs {
    folders: Vec<PathBuf>,
    /// The user's home, where nobody asked for it: nothing in it is looked at.
    closed: Option<PathBuf>,
    known: Mutex<HashMap<String, Option<bool>>>,
}

impl Programs {
    /// Those of this process's `PATH`; in the home folder they are looked for only where it is asked for.
    pub(crate) fn new(home: Option<&Path>) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
        let own = std::env::home_dir().filter(|own| !own.as_os_str().is_empty());
        Self { folders, closed: own.filter(|own| home != Some(own.as_path())), known: Mutex::default() }
    }

    /// Whether one of this name is there; `None` where that cannot be told.
    fn has(&self, program: &str) -> Option<bool> {
        if let Ok(known) = self.known.lock()
            && let Some(answer) = known.get(program)
        {
            return *answer;
        }
        let is_closed = |path: &Path| self.closed.as_ref().is_some_and(|home| path.starts_with(home));
        let answer = self.search(program, |path| if is_closed(path) { Found::Unknown } else { found_at(path) });
        if let Ok(mut known) = self.known.lock() {
            known.insert(program.to_owned(), answer);
        }
        answer
    }

    fn search(&self, program: &str, at: impl Fn(&Path) -> Found) -> Option<bool> {
        let mut answer = Some(false);
        for folder in &self.folders {
            match at(&plain(&folder.join(program))) {
                Found::File { executable: true } => return Some(true),
                Found::Unknown => answer = None,
                _ => {}
            }
        }
        answer
    }
}

/// The machine's own file system, with what was seen kept: hooks name the same scripts again and again.
#[derive(Debug)]
pub(crate) struct Disk {
    /// The project's root, which may always be looked at.
    root: PathBuf,
    seen: Mutex<HashMap<PathBuf, Found>>,
    programs: Arc<Programs>,
}

impl Disk {
    /// A view of the machine from a project; the home folder is looked at only where it is asked for.
    pub(crate) fn new(root: &Path, home: Option<&Path>) -> Self {
        Self::with(root, Arc::new(Programs::new(home)))
    }

    /// The same, with what other projects found on `PATH`.
    pub(crate) fn with(root: &Path, programs: Arc<Programs>) -> Self {
        Self { root: root.to_owned(), seen: Mutex::default(), programs }
    }

    fn is_open(&self, path: &Path) -> bool {
        path.starts_with(&self.root) || !self.programs.closed.as_ref().is_some_and(|home| path.starts_with(home))
    }
}

impl Look for Disk {
    fn at(&self, path: &Path) -> Found {
        let path = plain(path);
        if !self.is_open(&path) {
            return Found::Unknown;
        }
        if let Ok(seen) = self.seen.lock()
            && let Some(found) = seen.get(path.as_ref())
        {
            return found.clone();
        }
        let found = found_at(&path);
        if let Ok(mut seen) = self.seen.lock() {
            seen.insert(path.into_owned(), found.clone());
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
        // What lies in the project is open to it alone.
        match self.programs.folders.iter().any(|folder| plain(&folder.join(program)).starts_with(&self.root)) {
            true => self.programs.search(program, |path| self.at(path)),
            false => self.programs.has(program),
        }
    }
}

/// What is at a path, which may be looked at.
fn found_at(path: &Path) -> Found {
    match std::fs::metadata(path) {
        Ok(facts) if facts.is_dir() => Found::Folder,
        Ok(facts) if facts.is_file() => Found::File { executable: is_executable(&facts) },
        Ok(_) => Found::Unknown,
        Err(error) => match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Found::Nothing,
            _ => Found::Unknown,
        },
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
pub(crate) fn plain(path: &Path) -> Cow<'_, Path> {
    // Most paths are plain.
    let mut parts = path.as_os_str().as_encoded_bytes().split(|byte| *byte == b'/');
    let is_root = |first: &[u8]| first.is_empty();
    if cfg!(unix) && parts.next().is_some_and(is_root) && parts.all(|part| !matches!(part, b"" | b"." | b"..")) {
        return Cow::Borrowed(path);
    }
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
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_plain_by_its_text() {
        for (path, wanted) in [
            ("/a/b", "/a/b"),
            ("/a/./b", "/a/b"),
            ("/a//b/", "/a/b"),
            ("/a/../b", "/b"),
            ("/a/.b/..c", "/a/.b/..c"),
            ("/..", "/"),
            ("/", "/"),
            ("a/./b", "a/b"),
            ("./a", "a"),
            ("", ""),
        ] {
            assert_eq!(plain(Path::new(path)).as_os_str(), Path::new(wanted).as_os_str(), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_looked_for_once_unless_it_lies_in_the_project() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        let tool = bin.join("tool");
        std::fs::create_dir(&bin).unwrap();
        std::fs::write(&tool, "").unwrap();
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
        let programs = || {
            let folders = vec![folder.path().join("none"), bin.clone()];
            Arc::new(Programs { folders, closed: Some(folder.path().to_owned()), known: Mutex::default() })
        };
        // In a home folder that nobody asked for only the project is looked at.
        let closed = programs();
        assert_eq!(Disk::with(&folder.path().join("other"), Arc::clone(&closed)).on_path("tool"), None);
        assert_eq!(Disk::with(&bin, closed).on_path("tool"), Some(true));
        let open = Arc::new(Programs { folders: vec![bin.clone()], closed: None, known: Mutex::default() });
        let on_path = || Disk::with(Path::new("/other"), Arc::clone(&open)).on_path("tool");
        assert_eq!(on_path(), Some(true));
        std::fs::remove_file(&tool).unwrap();
        assert_eq!(on_path(), Some(true), "the second project takes what the first one found");
        assert_eq!(Disk::with(&bin, Arc::clone(&open)).on_path("tool"), Some(false));
    }
}
