//! A project's hook documents: found, read, parsed and activated.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use hooks_core::activate::AdmitAll;
use hooks_core::handler::HandlerKind;
use hooks_core::location::{Base, Location};
use hooks_core::source::{Life, Plugin, Role, Syntax};
use hooks_core::text::display_line;
use hooks_core::{
    BindingId, Code, Definition, Diagnostic, HostProfile, HostSide, Origin, Parsed, Reach, Refused, Severity, Snapshot,
    Source, VendorId, VendorSources, activate,
};
use hooks_runtime::discover::this_platform;
use hooks_runtime::{ForeignFiles, Looked, Missed, PlaceState, Places, discover_all, read_file};

use super::args::{Scope, Where};
use super::exit::Trouble;
use super::out::{BAD, WARN, paint, wrap};
use super::render::Cursor;

/// A file with nothing in it.
static EMPTY: Code = Code {
    id: "crosshook/empty-file",
    about: "empty-file",
    severity: Severity::Info,
    summary: "A hook file has nothing in it.",
    help: "Write hooks into it, or delete it.",
};

/// A project's documents with what they come to.
pub(crate) struct Project {
    /// The path as it was asked for.
    pub asked: String,
    /// Every definition with the state it has in its vendor's own client, in declared order.
    pub definitions: Vec<Arc<Definition>>,
    /// Everything there is to tell.
    pub diagnostics: Vec<Diagnostic>,
    /// Why a vendor's client would refuse the session.
    pub refused: Option<String>,
    /// Every place that was looked at and whose vendor looks there; none where one file was asked for.
    pub looked: Vec<(VendorId, Looked)>,
    vendors: Vec<VendorSources>,
    root: PathBuf,
    home: Option<PathBuf>,
}

impl Project {
    /// Finds, reads and parses, and settles what each definition's state is where every handler can be run.
    pub(crate) fn open(place: &Where) -> Result<Self, Trouble> {
        let mut project = Self::load(place)?;
        match activate(project.vendors.clone(), &every_handler(), &AdmitAll) {
            Ok(snapshot) => {
                project.definitions = snapshot.definitions().to_vec();
                project.diagnostics.extend_from_slice(snapshot.diagnostics());
            }
            Err(Refused { vendor, why, .. }) => {
                project.refused = Some(format!("{vendor}: {why}"));
                let documents = project.vendors.iter().flat_map(|vendor| &vendor.documents);
                project.definitions = documents.clone().flat_map(|it| &it.definitions).cloned().map(Arc::new).collect();
                let told: Vec<_> = documents.flat_map(|document| document.diagnostics.clone()).collect();
                project.diagnostics.extend(told);
            }
        }
        project.diagnostics.extend(project.across());
        let is_blank = |document: &&Parsed| document.source.bytes.trim_ascii().is_empty();
        let silent: Vec<_> = project.documents().filter(is_blank).map(|it| it.source.path.clone()).collect();
        for path in silent {
            if !project.diagnostics.iter().any(|found| found.path == path) {
                let mut told = Diagnostic::new(&EMPTY, Reach::None, "the file is empty: no hook is defined in it");
                told.path = path;
                project.diagnostics.push(told);
            }
        }
        // File by file, from top to bottom.
        let mut paths: Vec<String> = Vec::new();
        for found in &project.diagnostics {
            if !paths.contains(&found.path) {
                paths.push(found.path.clone());
            }
        }
        project.diagnostics.sort_by_key(|found| {
            let file = paths.iter().position(|path| *path == found.path);
            (file, found.range.as_ref().map(|range| range.start))
        });
        Ok(project)
    }

    /// Finds, reads and parses, and settles nothing yet: `definitions` is empty, and of the diagnostics only those
    /// about where files lie are there.
    pub(crate) fn load(place: &Where) -> Result<Self, Trouble> {
        let asked = place.path.display().to_string();
        let path = std::path::absolute(&place.path)
            .map_err(|error| Trouble::usage(format!("`{asked}` is no path: {error}")))?;
        let found = std::fs::metadata(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Trouble::usage(format!("there is no `{asked}`")),
            _ => Trouble::usage(format!("cannot look at `{asked}`: {error}")),
        })?;
        let home = home(&place.scope);
        let mut project = Self {
            asked,
            definitions: Vec::new(),
            diagnostics: Vec::new(),
            refused: None,
            looked: Vec::new(),
            vendors: Vec::new(),
            root: path.clone(),
            home,
        };
        if found.is_dir() {
            project.find(place);
        } else {
            project.take_file(&path, place)?;
        }
        Ok(project)
    }

    /// What there is to tell of documents side by side, of the vendors whose clients tell it.
    fn across(&self) -> Vec<Diagnostic> {
        let of_codex = |vendor: &&VendorSources| vendor.adapter.vendor().as_str() == "codex";
        let codex = crosshook::codex::Adapter::latest();
        self.vendors.iter().filter(of_codex).flat_map(|vendor| codex.across(&vendor.documents)).collect()
    }

    fn find(&mut self, place: &Where) {
        let own_variables = place.scope.home.as_ref().is_some_and(|home| home.is_empty());
        let variable = |name: &str| if own_variables { std::env::var(name).ok() } else { None };
        let places = Places {
            project: self.root.clone(),
            cwd: self.root.clone(),
            home: self.home.clone(),
            platform: this_platform(),
            system: folder(place.scope.system.as_ref(), || Some(PathBuf::from("/"))),
            variable: &variable,
        };
        let adapters = adapters(&place.scope);
        let found = discover_all(&adapters, &places, ForeignFiles::Once);
        for (adapter, found) in adapters.into_iter().zip(found) {
            self.diagnostics.extend(found.diagnostics());
            self.looked.extend(found.looked.into_iter().map(|looked| (adapter.vendor().clone(), looked)));
            // What could not be read goes to activation too: managed documents that must load are among them.
            let unreadable = found.missed.iter().map(Missed::parsed);
            let documents =
                found.sources.into_iter().map(|source| adapter.parse(&Arc::new(source))).chain(unreadable).collect();
            self.vendors.push(VendorSources { adapter, documents });
        }
    }

    fn take_file(&mut self, path: &Path, place: &Where) -> Result<(), Trouble> {
        let bytes = read_file(path).map_err(|why| Trouble::usage(format!("cannot read `{}`: {why}", self.asked)))?;
        let named = match place.scope.vendors.as_slice() {
            [] => None,
            [vendor] => crosshook::adapter(vendor),
            _ => {
                return Err(Trouble::usage(format!("`{}` is one file: it has one format", self.asked))
                    .help("give --vendor once, or not at all"));
            }
        };
        let told = match &named {
            Some(adapter) => of_location(std::slice::from_ref(adapter), path)
                .unwrap_or_else(|| Told { adapter: Arc::clone(adapter), ..Told::named(adapter, path) }),
            None => tell(path).ok_or_else(|| {
                let vendors = crosshook::VENDORS.join(", ");
                Trouble::usage(format!("cannot tell from its name whose format `{}` is in", self.asked))
                    .help(format!("say it: --vendor with one of {vendors}"))
            })?,
        };
        let Told { adapter, origin, role, syntax, plugin } = told;
        let user = std::env::var_os("HOME").map(PathBuf::from);
        let is_users = user.is_some() && path.parent().and_then(Path::parent) == user.as_deref();
        let source = Source {
            vendor: adapter.vendor().clone(),
            origin: if is_users && origin == Origin::Project { Origin::User } else { origin },
            role,
            syntax,
            path: path.to_string_lossy().into_owned(),
            bytes: bytes.into(),
            life: Life::Always,
            plugin,
        };
        let document = adapter.parse(&Arc::new(source));
        self.vendors.push(VendorSources { adapter, documents: vec![document] });
        self.root = root_of(path);
        Ok(())
    }

    /// The documents that were read, vendor by vendor.
    pub(crate) fn documents(&self) -> impl Iterator<Item = &Parsed> {
        self.vendors.iter().flat_map(|vendor| &vendor.documents)
    }

    /// The adapter of a vendor.
    pub(crate) fn adapter(&self, vendor: &VendorId) -> Option<&Arc<dyn HostSide>> {
        self.adapters().find(|adapter| adapter.vendor() == vendor)
    }

    /// The adapters that count here.
    pub(crate) fn adapters(&self) -> impl Iterator<Item = &Arc<dyn HostSide>> {
        self.vendors.iter().map(|vendor| &vendor.adapter)
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
        self.documents().find(|document| document.source.path == path).map(|document| &*document.source.bytes)
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

    /// How many errors, warnings and remarks there are.
    pub(crate) fn counts(&self) -> (usize, usize, usize) {
        let count = |severity| self.diagnostics.iter().filter(|found| found.severity == severity).count();
        (count(Severity::Error), count(Severity::Warning), count(Severity::Info))
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
        let mut places: Vec<String> = Vec::new();
        let mut is_limited = false;
        for (_, looked) in &self.looked {
            let place = looked.path.to_string_lossy();
            match looked.state {
                PlaceState::NotAsked(_) => is_limited = true,
                _ if looked.role == Role::Hooks && looked.path.starts_with(&self.root) => {
                    let place = self.shown(&place);
                    if !places.contains(&place) {
                        places.push(place);
                    }
                }
                _ => {}
            }
        }
        let is_here = Path::new(&self.asked).components().all(|part| part == Component::CurDir);
        let asked = if is_here { "this folder".to_owned() } else { format!("`{}`", display_line(&self.asked)) };
        let mut text = match places.as_slice() {
            [] => format!("There are no hook files in {asked}."),
            places => format!("There are no hook files in {asked}. Looked for {}.", display_line(&places.join(", "))),
        };
        if is_limited {
            text.push_str("\n--home and --system look in more places; `crosshook list --places` shows all of them.");
        }
        wrap(&text, width, 0) + "\n"
    }
}

/// A host that fires everything and can run every handler, as the vendors' own clients can.
fn every_handler() -> HostProfile {
    let mut host = HostProfile::full();
    host.handlers =
        [HandlerKind::Command, HandlerKind::Http, HandlerKind::McpTool, HandlerKind::Prompt, HandlerKind::Agent].into();
    host
}

fn adapters(scope: &Scope) -> Vec<Arc<dyn HostSide>> {
    let mut adapters = crosshook::adapters();
    if !scope.vendors.is_empty() {
        adapters.retain(|adapter| scope.vendors.iter().any(|vendor| vendor == adapter.vendor().as_str()));
    }
    adapters
}

fn home(scope: &Scope) -> Option<PathBuf> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    folder(scope.home.as_ref(), || std::env::var_os(name).filter(|home| !home.is_empty()).map(PathBuf::from))
}

/// The folder that an option names; the usual one where the option stands alone, none where it does not stand.
fn folder(option: Option<&OsString>, usual: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
    let named = option?;
    if named.is_empty() { usual() } else { std::path::absolute(named).ok() }
}

/// What a file's place and name tell about it.
struct Told {
    adapter: Arc<dyn HostSide>,
    origin: Origin,
    role: Role,
    syntax: Syntax,
    plugin: Option<Plugin>,
}

impl Told {
    /// A project's hook document in the language its name says.
    fn named(adapter: &Arc<dyn HostSide>, path: &Path) -> Self {
        let toml = path.extension().is_some_and(|extension| extension == "toml");
        let syntax = if toml { Syntax::Toml } else { Syntax::Json };
        Self { adapter: Arc::clone(adapter), origin: Origin::Project, role: Role::Hooks, syntax, plugin: None }
    }

    /// The hook document of a plugin.
    fn plugin(adapter: &Arc<dyn HostSide>, path: &Path, root: &Path) -> Self {
        let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let plugin = Plugin { name, root: root.to_string_lossy().into_owned(), ..Plugin::default() };
        Self { origin: Origin::Plugin, plugin: Some(plugin), ..Self::named(adapter, path) }
    }
}

/// Whose document a file is, by its place and name.
fn tell(path: &Path) -> Option<Told> {
    let adapters = crosshook::adapters();
    if let Some(told) = of_location(&adapters, path) {
        return Some(told);
    }
    let by_name = |vendor: &str| adapters.iter().find(|adapter| adapter.vendor().as_str() == vendor);
    let folder = path.parent()?;
    if path.file_name()? == "hooks.json" && folder.file_name()? == "hooks" {
        // A plugin's; the folder of its manifest says whose.
        let root = folder.parent()?;
        let vendor = crosshook::VENDORS.iter().find(|vendor| root.join(format!(".{vendor}-plugin")).is_dir());
        return Some(Told::plugin(by_name(vendor.unwrap_or(&"claude"))?, path, root));
    }
    let name = path.file_name()?.to_str()?;
    if name.starts_with("settings") && name.ends_with(".json") && folder.file_name()? == ".claude" {
        return Some(Told::named(by_name("claude")?, path));
    }
    (name == "config.toml").then(|| by_name("codex")).flatten().map(|codex| Told::named(codex, path))
}

/// The location of one of these vendors that a file lies at.
fn of_location(adapters: &[Arc<dyn HostSide>], path: &Path) -> Option<Told> {
    let told = |adapter: &Arc<dyn HostSide>, location: &Location| Told {
        adapter: Arc::clone(adapter),
        origin: location.origin,
        role: location.role,
        syntax: location.syntax,
        plugin: None,
    };
    let places = || adapters.iter().flat_map(|adapter| adapter.locations().iter().map(move |place| (adapter, place)));
    let own = || places().filter(|(_, place)| place.role != Role::ForeignHooks);
    let absolute = own().find(|(_, place)| place.base == Base::Absolute && path == Path::new(place.path));
    let relative = || {
        own().find(|(_, place)| {
            matches!(place.base, Base::Project | Base::ProjectToCwd | Base::CheckoutToCwd)
                && ends_with(path, place.path)
        })
    };
    absolute.or_else(relative).map(|(adapter, place)| told(adapter, place))
}

/// Whether a path ends with a location's path. A `*` in it stands for any part of a name.
fn ends_with(path: &Path, location: &str) -> bool {
    let wanted: Vec<&str> = location.split('/').filter(|part| !part.is_empty()).collect();
    let names: Vec<_> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    let fits = |name: &str, wanted: &str| match wanted.split_once('*') {
        None => name == wanted,
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
    };
    names.len() >= wanted.len() && names.iter().rev().zip(wanted.iter().rev()).all(|(name, wanted)| fits(name, wanted))
}

/// The project that a hook file belongs to: the folder that holds its vendor's folder.
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
        assert!(ends_with(Path::new("/p/.cursor/hooks.json"), ".cursor/hooks.json"));
        assert!(!ends_with(Path::new("/p/x.cursor/hooks.json"), ".cursor/hooks.json"));
        assert!(ends_with(Path::new("/e/managed-settings.d/10-a.json"), "managed-settings.d/*.json"));
        assert!(!ends_with(Path::new("hooks.json"), ".cursor/hooks.json"));
    }

    #[test]
    fn the_project_is_the_folder_above_the_vendors() {
        assert_eq!(root_of(Path::new("/p/.claude/settings.json")), Path::new("/p"));
        assert_eq!(root_of(Path::new("/p/hooks/hooks.json")), Path::new("/p"));
        assert_eq!(root_of(Path::new("/p/x.json")), Path::new("/p"));
    }
}
