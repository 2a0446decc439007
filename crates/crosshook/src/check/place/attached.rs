//! Documents that belong to a plugin, a skill, a command or an agent. No table of places has them: what they belong to says
//! whose they are and how long they count.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crosshook::claude::locations::{PLUGIN_HOOKS_FILE, PLUGIN_MANIFEST};
use crosshook::codex::locations::PLUGIN_MANIFESTS;
use crosshook::cursor::locations::PLUGIN_MANIFEST as CURSOR_MANIFEST;
use hooks_core::source::{Life, Role, Syntax};
use hooks_core::{HostSide, Origin};

use super::Told;

/// Whose such a document is; `None` for any other file.
pub(crate) fn tell(adapters: &[Arc<dyn HostSide>], path: &Path) -> Option<Told> {
    let by_name = |vendor: &str| adapters.iter().find(|adapter| adapter.vendor().as_str() == vendor);
    // Codex reads Claude's manifest where it has none of its own; whose that is, its folder's name says.
    let codex = by_name("codex").and_then(|codex| manifest(codex, path, PLUGIN_MANIFESTS[0]));
    let cursor = || by_name("cursor").and_then(|cursor| manifest(cursor, path, CURSOR_MANIFEST.path));
    codex.or_else(cursor).or_else(|| {
        let claude = by_name("claude")?;
        manifest(claude, path, PLUGIN_MANIFEST).or_else(|| head(claude, path))
    })
}

/// The files that the manifest of a Cursor plugin with this root names for its hooks.
pub(crate) fn cursor_names(root: &Path) -> Vec<PathBuf> {
    let Ok(bytes) = hooks_runtime::read_file(&root.join(CURSOR_MANIFEST.path)) else { return Vec::new() };
    let manifest: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let hooks = manifest.get("hooks");
    let listed = hooks.and_then(serde_json::Value::as_array).into_iter().flatten();
    let names = hooks.into_iter().chain(listed).filter_map(serde_json::Value::as_str);
    // One that leads out of the plugin is none of its files.
    let inside = names
        .map(|name| name.strip_prefix("./").unwrap_or(name))
        .filter(|name| Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_))));
    inside.map(|name| root.join(name)).collect()
}

/// The root of the Cursor plugin whose manifest names this file for its hooks.
pub(crate) fn cursor_root(path: &Path) -> Option<&Path> {
    /// Folders below a plugin's root that are looked in.
    const DEEPEST: usize = 3;
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let mut above = path.ancestors().skip(1).take(DEEPEST).filter(|_| is_json);
    above.find(|root| cursor_names(root).iter().any(|named| named == path))
}

/// A plugin's manifest of this name.
fn manifest(adapter: &Arc<dyn HostSide>, path: &Path, name: &str) -> Option<Told> {
    let root = path.parent().and_then(Path::parent).filter(|_| path.ends_with(name))?;
    Some(Told { role: Role::PluginManifest, ..Told::plugin(adapter, path, root) })
}

/// The text of a skill, command or agent, of a project or of a plugin.
fn head(claude: &Arc<dyn HostSide>, path: &Path) -> Option<Told> {
    let folder = path.parent()?;
    let is_text = path.extension().is_some_and(|extension| extension == "md");
    let (is_agents, base) = match folder.file_name()?.to_str()? {
        "agents" if is_text => (true, folder.parent()?),
        "commands" if is_text => (false, folder.parent()?),
        _ if path.file_name()? == "SKILL.md" && folder.parent()?.file_name()? == "skills" => {
            (false, folder.parent()?.parent()?)
        }
        _ => return None,
    };
    let told = if base.file_name().is_some_and(|name| name == ".claude") {
        Told { root: base.parent()?.to_owned(), is_placed: true, ..Told::named(claude, path) }
    } else if base.join(PLUGIN_MANIFEST).is_file() {
        Told::plugin(claude, path, base)
    } else {
        return None;
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let life = if is_agents { Life::Agent(name) } else { Life::Session };
    Some(Told { origin: Origin::Frontmatter, syntax: Syntax::Yaml, life, ..told })
}

/// Whether a file of this name, in a folder of this name, may be such a document: what a walk looks for.
pub(crate) fn may_be(folder: &str, name: &str) -> bool {
    let is_text = Path::new(name).extension().is_some_and(|extension| extension == "md");
    match folder {
        "agents" | "commands" => is_text,
        "hooks" => Path::new(name).extension().is_some_and(|extension| extension == "json"),
        _ if name == "plugin.json" => folder.starts_with('.') && folder.ends_with("-plugin"),
        _ => name == "SKILL.md",
    }
}

/// As [`tell`], for a file that nobody named: the text of a skill, command or agent only where it speaks of hooks.
pub(crate) fn found(adapters: &[Arc<dyn HostSide>], path: &Path) -> Option<Told> {
    tell(adapters, path).filter(|told| told.role != Role::Hooks || speaks_of_hooks(path))
}

/// The files below a project's root that may be such documents: of the project itself, and of a plugin whose root it is.
/// They stand in the order of their paths.
pub(crate) fn files(root: &Path) -> Vec<PathBuf> {
    let list = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort_unstable();
        paths
    };
    let manifests = [PLUGIN_MANIFESTS[0], PLUGIN_MANIFEST, CURSOR_MANIFEST.path].map(|name| root.join(name));
    let manifests: Vec<PathBuf> = manifests.into_iter().filter(|path| path.is_file()).collect();
    let mut bases = vec![root.join(".claude")];
    let mut paths = Vec::new();
    if !manifests.is_empty() {
        bases.push(root.to_owned());
        let hooks = std::iter::once(root.join(PLUGIN_HOOKS_FILE)).chain(cursor_names(root));
        paths.extend(hooks.filter(|path| path.is_file()));
    }
    for base in bases {
        for folder in ["agents", "commands"] {
            let texts = list(&base.join(folder)).into_iter();
            paths.extend(texts.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
        }
        let skills = list(&base.join("skills")).into_iter().map(|skill| skill.join("SKILL.md"));
        paths.extend(skills.filter(|path| path.is_file()));
    }
    paths.extend(manifests);
    paths.sort_unstable();
    paths.dedup();
    paths
}

fn speaks_of_hooks(path: &Path) -> bool {
    let word = b"hooks";
    hooks_runtime::read_file(path).is_ok_and(|bytes| bytes.windows(word.len()).any(|window| window == word))
}
