//! Where hooks are written to: the file, what stands in it, and what its client reads beside it.

use std::path::{Path, PathBuf};

use crosshook::translate::Target;
use hooks_core::location::Base;
use hooks_core::source::Role;
use hooks_core::translate::ConfigSide;
use hooks_core::{Origin, Source, Syntax};
use hooks_runtime::{ReadError, read_file};

use super::TranslateArgs;
use crate::cli::args::{Scope, Where};
use crate::cli::exit::Trouble;
use crate::cli::project::Project;
use crate::cli::repository;

/// The file, and how the translation sees it.
pub(super) struct Place {
    pub(super) path: PathBuf,
    pub(super) target: Target,
    /// The root of the project that the file lies in, by its vendor's places; `None` for a file at another place.
    pub(super) root: Option<PathBuf>,
    /// Where its project lies below the root of its repository.
    pub(super) below: String,
}

/// Finds the file that the arguments name, or the one in which the project's hooks of that vendor stand.
pub(super) fn find(args: &TranslateArgs, project: &Project, to: &dyn ConfigSide) -> Result<Place, Trouble> {
    let (root, named) = match &args.out {
        None => (Some(absolute(project.root())?), None),
        Some(out) if out.is_dir() => (Some(absolute(out)?), None),
        Some(out) => {
            let path = absolute(out)?;
            (root_of(to, &path).map(Path::to_owned), Some(path))
        }
    };
    let there = match root.as_ref().filter(|root| root.is_dir()) {
        Some(root) => {
            let scope = Scope { vendors: vec![args.to.clone()], home: None, system: None };
            Some(Project::load(&Where { path: root.clone(), scope }, crosshook::adapters())?)
        }
        None => None,
    };
    let below = root.as_deref().and_then(repository::below).unwrap_or_default();
    let path = match (named, &root) {
        (Some(path), _) => path,
        (None, root) => choose(to, root.as_deref().unwrap_or(Path::new("")), there.as_ref()),
    };
    let syntax = syntax(to, &path)?;
    let before = before(project, &path)?;
    let mut target = Target::alone(to, before);
    let placed = to.locations().iter().find(|location| is_in_project(location) && path.ends_with(location.path));
    let origin = placed.map_or(Origin::Project, |location| location.origin);
    target.source = Source::hooks(to.vendor().clone(), origin, syntax, path.to_string_lossy(), Vec::new());
    if let Some(there) = &there {
        let own = |document: &&hooks_core::Parsed| document.source.vendor == *to.vendor();
        let others = there.documents().filter(own).filter(|document| !is_same(Path::new(&document.source.path), &path));
        target.beside = others.cloned().collect();
        let looked = there.looked.iter().any(|(vendor, place)| vendor == to.vendor() && is_same(&place.path, &path));
        if placed.is_some() && !looked {
            let reason = format!(
                "{} does not look at this file: in a linked git worktree it reads the main checkout's hooks",
                to.vendor()
            );
            target.unread = Some(reason);
        }
    }
    Ok(Place { path, target, root, below })
}

fn absolute(path: &Path) -> Result<PathBuf, Trouble> {
    std::path::absolute(path).map_err(|error| Trouble::usage(format!("`{}` is no path: {error}", path.display())))
}

fn is_in_project(location: &hooks_core::location::Location) -> bool {
    matches!(location.base, Base::Project | Base::ProjectToCwd | Base::CheckoutToCwd) && location.role == Role::Hooks
}

/// The root of the project that a hook file lies in, by its vendor's places.
fn root_of<'p>(to: &dyn ConfigSide, path: &'p Path) -> Option<&'p Path> {
    let location = to.locations().iter().find(|location| is_in_project(location) && path.ends_with(location.path))?;
    path.ancestors().nth(Path::new(location.path).components().count())
}

/// Whether two paths lead to the same file, which need not be there yet.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| {
        path.ancestors().find_map(|there| {
            let rest = path.strip_prefix(there).ok()?;
            there.canonicalize().ok().map(|there| if rest.as_os_str().is_empty() { there } else { there.join(rest) })
        })
    };
    one == other || real(one).is_some_and(|one| real(other) == Some(one))
}

/// The vendor's usual file, or another one of the project in which its hooks stand already.
fn choose(to: &dyn ConfigSide, root: &Path, there: Option<&Project>) -> PathBuf {
    let facts = to.config();
    let document = |path: &str| {
        let path = root.join(path);
        there?.documents().find(|document| is_same(Path::new(&document.source.path), &path))
    };
    let usual = root.join(facts.document);
    if document(facts.document).is_some_and(|usual| usual.rejected || !usual.definitions.is_empty()) {
        return usual;
    }
    let has_hooks = |path: &str| document(path).is_some_and(|other| !other.rejected && !other.definitions.is_empty());
    facts.beside.iter().find(|(path, _)| has_hooks(path)).map_or(usual, |(path, _)| root.join(path))
}

/// The language of a file, by the ending of its name.
fn syntax(to: &dyn ConfigSide, path: &Path) -> Result<Syntax, Trouble> {
    let facts = to.config();
    let ends = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    let has_toml = facts.beside.iter().any(|(_, syntax)| *syntax == Syntax::Toml);
    if ends("json") {
        return Ok(Syntax::Json);
    }
    if ends("toml") && has_toml {
        return Ok(Syntax::Toml);
    }
    let languages = if has_toml { "JSON or TOML" } else { "JSON" };
    let files: Vec<&str> = std::iter::once(facts.document).chain(facts.beside.iter().map(|(path, _)| *path)).collect();
    Err(Trouble::usage(format!("`{}` is no {languages} file, and no folder", path.display())).help(format!(
        "hooks of {} are written to a file such as {}",
        to.vendor(),
        files.join(" or ")
    )))
}

/// What stands in the file.
fn before(project: &Project, path: &Path) -> Result<String, Trouble> {
    let shown = || project.shown(&path.to_string_lossy());
    match read_file(path) {
        Ok(bytes) => String::from_utf8(bytes)
            .map_err(|_| Trouble::usage(format!("`{}` is no UTF-8 text, so nothing can be added to it", shown()))),
        Err(ReadError::NotFound) => Ok(String::new()),
        Err(why) => Err(Trouble::usage(format!("nothing can be added to `{}`: {why}", shown()))),
    }
}
