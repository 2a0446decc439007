//! Which folders a location's path is relative to, on a machine.

use std::fs;
use std::path::{Path, PathBuf};

use hooks_core::location::{Base, Location, Platform};

use super::{Places, plain, read_file};

/// A folder that a location's path is relative to.
pub(super) struct Folder {
    /// The folder.
    pub(super) path: PathBuf,
    /// The path below it.
    pub(super) rest: &'static str,
    /// The root that documents below it shall not lead out of; `None` where they are not a project's.
    pub(super) root: Option<PathBuf>,
    /// The folder without links, by which it is known again: a home folder that is a link may be the project too.
    pub(super) real: PathBuf,
}

/// What looking for one place told that the next one wants to know too.
#[derive(Default)]
pub(super) struct Known {
    /// Folders without links; `None` where there is no such folder.
    reals: Vec<(PathBuf, Option<PathBuf>)>,
    /// The worktree that a project's root lies in.
    linked: Option<Option<Linked>>,
}

impl Known {
    /// A folder without links.
    pub(super) fn real(&mut self, folder: &Path) -> Option<PathBuf> {
        if let Some((_, real)) = self.reals.iter().find(|(known, _)| known == folder) {
            return real.clone();
        }
        let real = folder.canonicalize().ok();
        self.reals.push((folder.to_owned(), real.clone()));
        real
    }
}

impl Folder {
    fn new(path: PathBuf, rest: &'static str, root: Option<&Path>, known: &mut Known) -> Self {
        let real = known.real(&path).unwrap_or_else(|| plain(&path));
        Self { path, rest, root: root.map(Path::to_owned), real }
    }

    /// The folder of a name below this one, itself a link or not.
    fn below(self, name: &str) -> Self {
        Self { path: self.path.join(name), real: self.real.join(name), ..self }
    }
}

/// The folders that a location's path is relative to; or, where none is asked for, how the place is called and what leaves
/// it out.
pub(super) fn folders(
    location: &Location,
    places: &Places<'_>,
    known: &mut Known,
) -> Result<Vec<Folder>, (PathBuf, &'static str)> {
    const NO_HOME: &str = "the home folder is not read";
    let project = Path::new(&places.project);
    match location.base {
        // A path without a drive is Unix's. On Windows it would be one of the current drive, where anybody can make it.
        Base::Absolute if places.platform == Platform::Windows && !location.path.contains(":/") => {
            Err((location.path.into(), "it is no place on this platform"))
        }
        Base::Absolute => match &places.system {
            Some(root) => {
                let (folder, rest) = below_system(root, location.path);
                Ok(vec![Folder::new(folder, rest, None, known)])
            }
            None => Err((location.path.into(), "machine-wide files are not read")),
        },
        Base::Home => match &places.home {
            Some(home) => Ok(vec![Folder::new(home.clone(), location.path, None, known)]),
            None => Err((Path::new("~").join(location.path), NO_HOME)),
        },
        Base::Variable { name, home_default } => {
            if let Some(value) = (places.variable)(name).filter(|value| !value.is_empty()) {
                return Ok(vec![Folder::new(places.cwd.join(value), location.path, None, known)]);
            }
            match &places.home {
                Some(home) => Ok(vec![Folder::new(home.clone(), location.path, None, known).below(home_default)]),
                None => Err((Path::new("~").join(home_default).join(location.path), NO_HOME)),
            }
        }
        Base::Project => Ok(vec![Folder::new(project.to_owned(), location.path, Some(project), known)]),
        Base::ProjectToCwd => {
            let folders = project_to_cwd(project, &places.cwd).into_iter();
            Ok(folders.map(|folder| Folder::new(folder, location.path, Some(project), known)).collect())
        }
        Base::CheckoutToCwd => {
            let linked = known.linked.get_or_insert_with(|| Linked::of(project)).clone();
            let root = linked.as_ref().map_or(project, |linked| &linked.main);
            let matching =
                |folder: PathBuf| linked.as_ref().and_then(|linked| linked.matching(&folder)).unwrap_or(folder);
            let folders = project_to_cwd(project, &places.cwd).into_iter();
            Ok(folders.map(|folder| Folder::new(matching(folder), location.path, Some(root), known)).collect())
        }
        _ => Err((location.path.into(), "what it is relative to is not known here")),
    }
}

/// Where an absolute path lies below a root, as a folder and the rest. A drive is a folder in all but Windows's own root,
/// so that no path of another platform is ever taken for a relative one.
fn below_system(root: &Path, path: &'static str) -> (PathBuf, &'static str) {
    match path.split_once(":/") {
        Some((drive, rest)) if cfg!(windows) && root == Path::new("/") => (PathBuf::from(format!("{drive}:/")), rest),
        Some((drive, rest)) => (root.join(drive), rest),
        None => (root.to_owned(), path.trim_start_matches('/')),
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

/// A linked git worktree and the main checkout that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Linked {
    /// The worktree's root.
    worktree: PathBuf,
    /// The main checkout's root.
    main: PathBuf,
}

impl Linked {
    /// The worktree that a folder lies in; `None` where that is no linked one, or has no main checkout because its
    /// repository is bare.
    ///
    /// Whoever made the folder wrote its `.git` file, so that alone is nobody's word: the repository must know the worktree
    /// too. Otherwise a folder could pass another project's trusted hooks off as its own, and its own scripts for theirs.
    fn of(folder: &Path) -> Option<Self> {
        let folder = absolute(folder)?;
        let (worktree, entry) = folder
            .ancestors()
            .map(|folder| (folder, folder.join(".git")))
            .find(|(_, entry)| fs::symlink_metadata(entry).is_ok())?;
        let own = worktree.join(line(&entry)?.strip_prefix("gitdir:")?.trim()).canonicalize().ok()?;
        let common = own.join(line(&own.join("commondir"))?).canonicalize().ok()?;
        let known = own.join(line(&own.join("gitdir"))?).canonicalize().ok()?;
        let is_known = own.parent() == Some(&common.join("worktrees")) && entry.canonicalize().ok()? == known;
        let main = common.parent().filter(|_| is_known && common.ends_with(".git"))?;
        Some(Self { worktree: worktree.to_owned(), main: main.to_owned() })
    }

    /// The main checkout's folder for one of the worktree.
    fn matching(&self, folder: &Path) -> Option<PathBuf> {
        let folder = absolute(folder)?;
        folder.strip_prefix(&self.worktree).ok().map(|below| self.main.join(below))
    }
}

fn absolute(path: &Path) -> Option<PathBuf> {
    std::path::absolute(path).ok().map(|path| plain(&path))
}

/// What a file of git's says: one line.
fn line(path: &Path) -> Option<String> {
    let text = String::from_utf8(read_file(path).ok()?).ok()?;
    let line = text.trim_end_matches(['\r', '\n']);
    (!line.is_empty() && !line.contains(['\n', '\0'])).then(|| line.to_owned())
}
