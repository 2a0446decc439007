//! A project's hook documents as the subcommands see them: what the checker read, and how it is told of to a person.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::ops::Deref;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crosshook::check::{self, Checked, Request, Unusable, user_home};
use hooks_core::activate::AdmitAll;
use hooks_core::source::Role;
use hooks_core::text::display_line;
use hooks_core::{BindingId, Definition, HostProfile, HostSide, Snapshot, VendorId, activate};
use hooks_runtime::PlaceState;

use super::args::{Scope, Where};
use super::exit::Trouble;
use super::out::{BAD, WARN, paint, wrap};
use super::report::Cursor;
use super::repository;

/// A project's documents with what they come to.
pub(crate) struct Project {
    /// The path as it was asked for.
    pub asked: String,
    project: check::Project,
}

impl Deref for Project {
    type Target = check::Project;

    fn deref(&self) -> &check::Project {
        &self.project
    }
}

impl From<Unusable> for Trouble {
    fn from(unusable: Unusable) -> Self {
        let trouble = Self::usage(unusable.why);
        match unusable.help {
            Some(help) => trouble.help(help),
            None => trouble,
        }
    }
}

impl Project {
    /// Finds, reads and parses, and settles what each definition's state is where every handler can be run.
    pub(crate) fn open(place: &Where) -> Result<Self, Trouble> {
        Self::of(place, check::check(&request(vec![place.path.clone()], &place.scope)))
    }

    /// As [`Self::open`], for clients of some versions and a host that somebody chose.
    pub(crate) fn open_for(
        place: &Where,
        adapters: Vec<Arc<dyn HostSide>>,
        host: &HostProfile,
    ) -> Result<Self, Trouble> {
        let request = Request { host: host.clone(), adapters, ..request(vec![place.path.clone()], &place.scope) };
        Self::of(place, check::check(&request))
    }

    /// Finds, reads and parses, and settles nothing yet: `definitions` is empty, and of the diagnostics only those
    /// about where files lie are there.
    pub(crate) fn load(place: &Where, adapters: Vec<Arc<dyn HostSide>>) -> Result<Self, Trouble> {
        let request = Request { adapters, ..request(vec![place.path.clone()], &place.scope) };
        Self::of(place, check::load(&request))
    }

    /// The one project that was asked for.
    fn of(place: &Where, checked: Checked) -> Result<Self, Trouble> {
        let asked = place.path.display().to_string();
        if let Some(unusable) = checked.unusable.into_iter().next() {
            return Err(unusable.into());
        }
        let project = checked.projects.into_iter().next();
        let project = project.ok_or_else(|| Trouble::usage(format!("there is nothing to read at `{asked}`")))?;
        Ok(Self { asked, project })
    }

    /// The adapter of a vendor.
    pub(crate) fn adapter(&self, vendor: &VendorId) -> Option<&Arc<dyn HostSide>> {
        self.adapters().find(|adapter| adapter.vendor() == vendor)
    }

    /// The project's root, an absolute path.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Activates for a host, with only those definitions left that are kept.
    pub(crate) fn activate(&self, host: &HostProfile, keep: impl Fn(&Definition) -> bool) -> Result<Snapshot, Trouble> {
        let mut vendors = self.vendors.clone();
        for document in vendors.iter_mut().flat_map(|vendor| &mut vendor.documents) {
            document.definitions.retain(&keep);
        }
        activate(vendors, host, &AdmitAll)
            .map_err(|refused| Trouble::usage(format!("a session would be refused here: {refused}")))
    }

    /// The line that each definition of the documents starts on.
    pub(crate) fn lines(&self) -> HashMap<BindingId, usize> {
        let mut lines = HashMap::new();
        for document in self.documents() {
            let mut cursor = Cursor::new(&document.source.bytes);
            for definition in &document.definitions {
                lines.insert(definition.id.clone(), cursor.position(definition.range.start).0);
            }
        }
        lines
    }

    /// The bytes of a document that was read.
    pub(crate) fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.document(path).map(|document| &*document.source.bytes)
    }

    /// A path as a person reads it: from the project's root, or from the home folder.
    pub(crate) fn shown(&self, path: &str) -> String {
        let full = Path::new(path);
        if let Ok(below) = full.strip_prefix(&self.root) {
            return below.display().to_string();
        }
        match self.home.as_deref().and_then(|home| full.strip_prefix(home).ok()) {
            Some(below) => Path::new("~").join(below).display().to_string(),
            None => path.to_owned(),
        }
    }

    /// The numbers in words; `None` where there is nothing to tell.
    pub(crate) fn problems(&self) -> Option<String> {
        let (errors, warnings, infos) = self.counts();
        let word = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        let mut parts = Vec::new();
        if errors > 0 {
            parts.push(paint(BAD, &word(errors, "error")));
        }
        if warnings > 0 {
            parts.push(paint(WARN, &word(warnings, "warning")));
        }
        if infos > 0 {
            parts.push(format!("{infos} info"));
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Files that a vendor reads beside its own, and that are listed once, as those of the vendor they belong to.
    pub(crate) fn left(&self) -> impl Iterator<Item = (&VendorId, Cow<'_, str>)> {
        let left = self.looked.iter().filter(|(_, looked)| looked.state == PlaceState::Left);
        left.map(|(vendor, looked)| (vendor, looked.path.to_string_lossy()))
    }

    /// What to say where there is no document, in lines of a width.
    pub(crate) fn nothing_found(&self, width: usize) -> String {
        nothing_found(&self.project, &self.asked, width)
    }
}

/// What to say of a project without documents, in lines of a width. `asked` is the path that was asked for.
pub(crate) fn nothing_found(project: &check::Project, asked: &str, width: usize) -> String {
    let mut places: Vec<String> = Vec::new();
    let mut is_limited = false;
    for (_, looked) in &project.looked {
        match looked.state {
            PlaceState::NotAsked(_) => is_limited = true,
            _ if looked.role == Role::Hooks => {
                let Ok(place) = looked.path.strip_prefix(&project.root) else { continue };
                let place = place.display().to_string();
                if !places.contains(&place) {
                    places.push(place);
                }
            }
            _ => {}
        }
    }
    let is_here = Path::new(asked).components().all(|part| part == Component::CurDir);
    let place = if is_here { "this folder".to_owned() } else { format!("`{}`", display_line(asked)) };
    let mut text = match places.as_slice() {
        [] => format!("There are no hook files in {place}."),
        places => format!("There are no hook files in {place}. Looked for {}.", display_line(&places.join(", "))),
    };
    let name = project.root.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix('.'));
    if name.is_some_and(|name| crosshook::VENDORS.contains(&name)) {
        text.push_str("\nIt is a vendor's folder inside a project: name the folder above it.");
    } else if let Some(above) = above(&project.root, &places) {
        let above = if is_here { above } else { Path::new(asked).join(above) };
        let _ = write!(text, "\nA folder above has such files: name `{}`.", display_line(&above.to_string_lossy()));
    } else if is_limited {
        text.push_str("\n--home and --system look in more places; `crosshook list --places` shows all of them.");
    }
    wrap(&text, width, 0) + "\n"
}

/// How the nearest folder above a project's, in the same repository, is named from there, if it has one of these files.
fn above(project: &Path, files: &[String]) -> Option<PathBuf> {
    let folder = std::path::absolute(project).ok()?;
    let root = repository::root_of(&folder)?;
    let mut above = folder.ancestors().enumerate().skip(1).take_while(|(_, folder)| folder.starts_with(root));
    let (up, _) = above.find(|(_, folder)| files.iter().any(|file| folder.join(file).is_file()))?;
    Some(std::iter::repeat_n("..", up).collect())
}

/// What to ask the checker for: these folders and files, with the vendors and folders that somebody chose.
pub(crate) fn request(paths: Vec<PathBuf>, scope: &Scope) -> Request {
    let mut request = Request::new(paths);
    request.vendors.clone_from(&scope.vendors);
    request.home = folder(scope.home.as_ref(), user_home);
    request.system = folder(scope.system.as_ref(), || Some(PathBuf::from("/")));
    // A variable says where this user's own files are, and nothing of a folder that stands in for the home folder.
    request.variables = scope.home.as_ref().is_some_and(|home| home.is_empty());
    request
}

/// The folder that an option names; the usual one where the option stands alone, none where it does not stand.
fn folder(option: Option<&OsString>, usual: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
    let named = option?;
    if named.is_empty() { usual() } else { std::path::absolute(named).ok() }
}
