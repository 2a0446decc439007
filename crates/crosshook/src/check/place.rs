//! Whose document a file is, by its place and its name.

pub(crate) mod attached;

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use hooks_core::location::{Base, Location};
use hooks_core::source::{Life, Plugin, Role, Syntax};
use hooks_core::{HostSide, Origin, Source};

/// What a file's place and name tell about it.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// The adapter that reads it.
    pub adapter: Arc<dyn HostSide>,
    /// The project's root.
    pub root: PathBuf,
    /// Whether it lies where its vendor looks for it.
    pub is_placed: bool,
    origin: Origin,
    role: Role,
    syntax: Syntax,
    plugin: Option<Plugin>,
    life: Life,
}

impl Told {
    /// A project's hook document in the language its name says.
    pub(crate) fn named(adapter: &Arc<dyn HostSide>, path: &Path) -> Self {
        let syntax = match path.extension().and_then(|extension| extension.to_str()) {
            Some("toml") => Syntax::Toml,
            Some("md") => Syntax::Yaml,
            _ => Syntax::Json,
        };
        let (adapter, root) = (Arc::clone(adapter), root_of(path));
        Self {
            adapter,
            root,
            is_placed: false,
            origin: Origin::Project,
            role: Role::Hooks,
            syntax,
            plugin: None,
            life: Life::Always,
        }
    }

    /// The hook document of a plugin.
    fn plugin(adapter: &Arc<dyn HostSide>, path: &Path, root: &Path) -> Self {
        let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let plugin = Plugin { name, root: root.to_string_lossy().into_owned(), ..Plugin::default() };
        let told = Self::named(adapter, path);
        Self { origin: Origin::Plugin, plugin: Some(plugin), root: root.to_owned(), is_placed: true, ..told }
    }

    /// The document, with its bytes. A project's place in the user's home folder is the user's.
    pub(crate) fn source(&self, path: &Path, bytes: Arc<[u8]>) -> Source {
        let is_users = self.origin == Origin::Project && self.is_placed && Some(&self.root) == user_home().as_ref();
        Source {
            vendor: self.adapter.vendor().clone(),
            origin: if is_users { Origin::User } else { self.origin },
            role: self.role,
            syntax: self.syntax,
            path: path.to_string_lossy().into_owned(),
            bytes,
            life: self.life.clone(),
            plugin: self.plugin.clone(),
        }
    }
}

/// The user's home folder. Its name alone: nobody looks into it.
#[must_use]
pub fn user_home() -> Option<PathBuf> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    std::env::var_os(name).filter(|home| !home.is_empty()).map(PathBuf::from)
}

/// Whose document a file is that somebody named; `None` where neither its place nor its name tells.
pub(crate) fn tell(adapters: &[Arc<dyn HostSide>], path: &Path) -> Option<Told> {
    let told = of_location(adapters, path).or_else(|| of_plugin(adapters, path));
    if let Some(told) = told.or_else(|| attached::tell(adapters, path)) {
        return Some(told);
    }
    let by_name = |vendor: &str| adapters.iter().find(|adapter| adapter.vendor().as_str() == vendor);
    let folder = path.parent()?;
    if is_plugins(path) {
        // No manifest says whose it is. Claude Code needs none.
        return Some(Told::plugin(by_name("claude")?, path, folder.parent()?));
    }
    let name = path.file_name()?.to_str()?;
    if name.starts_with("settings") && name.ends_with(".json") && folder.file_name()? == ".claude" {
        return Some(Told::named(by_name("claude")?, path));
    }
    (name == "config.toml").then(|| by_name("codex")).flatten().map(|codex| Told::named(codex, path))
}

/// Whether a file stands where plugins have their hooks.
fn is_plugins(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "hooks.json")
        && path.parent().and_then(Path::file_name).is_some_and(|folder| folder == "hooks")
}

/// The hook document of a plugin whose manifest says whose it is. Where a plugin is several vendors', the file that all have
/// by default is Cursor's only if Cursor's manifest names it: its entries have a shape of their own.
pub(crate) fn of_plugin(adapters: &[Arc<dyn HostSide>], path: &Path) -> Option<Told> {
    let cursor = adapters.iter().find(|adapter| adapter.vendor().as_str() == "cursor");
    if let Some((cursor, root)) = cursor.zip(attached::cursor_root(path)) {
        return Some(Told::plugin(cursor, path, root));
    }
    let root = path.parent().and_then(Path::parent).filter(|_| is_plugins(path))?;
    let is_whose = |adapter: &&Arc<dyn HostSide>| root.join(format!(".{}-plugin", adapter.vendor())).is_dir();
    let is_cursors = |adapter: &&Arc<dyn HostSide>| adapter.vendor().as_str() == "cursor";
    let others = adapters.iter().filter(|adapter| !is_cursors(adapter)).find(is_whose);
    let by_default = || {
        let cursor = cursor.filter(is_whose)?;
        attached::cursor_names(root).is_empty().then_some(cursor)
    };
    others.or_else(by_default).map(|adapter| Told::plugin(adapter, path, root))
}

/// The location of one of these vendors that a file lies at: a vendor's own, or else one that it reads of another's.
pub(crate) fn of_location(adapters: &[Arc<dyn HostSide>], path: &Path) -> Option<Told> {
    let places = || adapters.iter().flat_map(|adapter| adapter.locations().iter().map(move |place| (adapter, place)));
    let own = || places().filter(|(_, place)| place.role != Role::ForeignHooks);
    let names = names(path);
    let is_relative = |(_, place): &(&Arc<dyn HostSide>, &Location)| is_projects(place) && ends(&names, place.path);
    let absolute = own().find(|(_, place)| place.base == Base::Absolute && path == Path::new(place.path));
    let found = absolute.or_else(|| own().find(is_relative)).or_else(|| places().find(is_relative));
    found.map(|(adapter, place)| {
        let steps = if place.base == Base::Absolute { 1 } else { parts(place.path).count() };
        Told {
            adapter: Arc::clone(adapter),
            root: path.ancestors().nth(steps).unwrap_or(path).to_owned(),
            is_placed: true,
            origin: place.origin,
            role: place.role,
            syntax: place.syntax,
            plugin: None,
            life: Life::Always,
        }
    })
}

/// Whether a location is one below a project.
fn is_projects(location: &Location) -> bool {
    matches!(location.base, Base::Project | Base::ProjectToCwd | Base::CheckoutToCwd)
}

/// The names of the files that a folder may hold as somebody's document, and of the folder: what a walk looks for.
pub(crate) fn may_be_placed(adapters: &[Arc<dyn HostSide>], folder: &str, name: &str) -> bool {
    let fits_both = |path: &str| {
        let mut ends = parts(path).rev();
        ends.next().is_some_and(|end| fits(name, end)) && ends.next().is_none_or(|end| fits(folder, end))
    };
    let mut locations = adapters.iter().flat_map(|adapter| adapter.locations()).filter(|place| is_projects(place));
    (name == "hooks.json" && folder == "hooks")
        || attached::may_be(folder, name)
        || locations.any(|place| fits_both(place.path))
}

fn parts(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

fn names(path: &Path) -> Vec<&str> {
    let name = |part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    };
    path.components().filter_map(name).collect()
}

/// Whether a path ends with a location's path. A `*` in it stands for any part of a name.
fn ends(names: &[&str], location: &str) -> bool {
    let wanted: Vec<&str> = parts(location).collect();
    names.len() >= wanted.len() && names.iter().rev().zip(wanted.iter().rev()).all(|(name, wanted)| fits(name, wanted))
}

fn fits(name: &str, wanted: &str) -> bool {
    match wanted.split_once('*') {
        None => name == wanted,
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
    }
}

/// The project that a file belongs to that lies at no vendor's place: the folder that holds its vendor's folder.
fn root_of(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(file);
    let is_vendors = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.') || name == "hooks");
    let root = if is_vendors { folder.parent().unwrap_or(folder) } else { folder };
    root.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_ends_with_a_location_part_by_part() {
        let ends_with = |path: &'static str, location| ends(&names(Path::new(path)), location);
        assert!(ends_with("/p/.cursor/hooks.json", ".cursor/hooks.json"));
        assert!(!ends_with("/p/x.cursor/hooks.json", ".cursor/hooks.json"));
        assert!(ends_with("/e/managed-settings.d/10-a.json", "managed-settings.d/*.json"));
        assert!(!ends_with("hooks.json", ".cursor/hooks.json"));
    }

    #[test]
    fn the_project_is_the_folder_above_the_vendors() {
        assert_eq!(root_of(Path::new("/p/.claude/settings.json")), Path::new("/p"));
        assert_eq!(root_of(Path::new("/p/hooks/hooks.json")), Path::new("/p"));
        assert_eq!(root_of(Path::new("/p/x.json")), Path::new("/p"));
        let adapters = crosshook::adapters();
        for (path, vendor) in [
            ("/p/.claude/settings.local.json", "claude"),
            ("/p/.cursor/hooks.json", "cursor"),
            ("/p/.codex/config.toml", "codex"),
        ] {
            let told = of_location(&adapters, Path::new(path)).unwrap();
            assert_eq!((told.adapter.vendor().as_str(), told.root.as_path()), (vendor, Path::new("/p")), "{path}");
        }
    }

    #[test]
    fn a_file_of_anothers_is_read_where_its_own_vendor_does_not_count() {
        let cursor = [crosshook::adapter("cursor").unwrap()];
        let told = of_location(&cursor, Path::new("/p/.claude/settings.json")).unwrap();
        assert_eq!((told.adapter.vendor().as_str(), told.role), ("cursor", Role::ForeignHooks));
        assert!(of_location(&cursor, Path::new("/p/.codex/hooks.json")).is_none());
    }

    #[test]
    fn a_walk_looks_at_names_first() {
        let adapters = crosshook::adapters();
        for (folder, name, may) in [
            (".cursor", "hooks.json", true),
            (".claude", "settings.local.json", true),
            ("hooks", "hooks.json", true),
            (".claude-plugin", "plugin.json", true),
            ("hooks", "hooks-cursor.json", true),
            ("agents", "reviewer.md", true),
            ("some-skill", "SKILL.md", true),
            ("src", "plugin.json", false),
            ("docs", "reviewer.md", false),
            ("site", "config.toml", false),
            ("src", "hooks.json", false),
        ] {
            assert_eq!(may_be_placed(&adapters, folder, name), may, "{folder}/{name}");
        }
    }
}
