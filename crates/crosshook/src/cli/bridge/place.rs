//! Where the project is that a hook runs for. Some clients say it in a variable and not on standard input, and one says it
//! nowhere: a session's folder may lie anywhere below it.

use std::path::Path;

use crosshook::translate::side;
use hooks_core::envelope::Common;
use hooks_core::translate::ProjectRoot;

use crate::cli::repository;

/// The project's root, where standard input does not tell it and it can be found; else the session's folder is all there
/// is. `named` is the project that the hook belongs to, from the root of its repository.
pub(super) fn project(host: &str, common: &Common, named: Option<&Path>) -> Option<String> {
    if common.project_dir.is_some() || !common.workspace_roots.is_empty() {
        return None;
    }
    let host = side(host)?;
    let facts = host.config();
    match facts.project_root {
        ProjectRoot::Variable(name) => std::env::var(name).ok().filter(|path| Path::new(path).is_absolute()),
        ProjectRoot::Repository(_) => {
            let told = Path::new(&common.cwd);
            // A client that names no folder of this system runs its hooks where the session stands.
            let cwd = if told.is_absolute() { told.to_owned() } else { std::env::current_dir().ok()? };
            let root = repository::root_of(&cwd)?;
            let documents = || std::iter::once(facts.document).chain(facts.beside.iter().map(|(path, _)| *path));
            let has_hooks = |folder: &&Path| documents().any(|document| folder.join(document).is_file());
            let inside = || cwd.ancestors().take_while(|folder| folder.starts_with(root));
            let project = match named {
                Some(named) => root.join(named),
                None => inside().find(has_hooks).unwrap_or(root).to_owned(),
            };
            project.to_str().map(str::to_owned)
        }
    }
}
