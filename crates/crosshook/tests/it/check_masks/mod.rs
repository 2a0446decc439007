//! No fault of a file hides another one: what is told of each alone is told of both together, in one run.

mod claude;
mod codex;
mod cursor;
mod one_mistake;

use std::path::Path;

use crosshook::check::{Request, check};
use hooks_core::Diagnostic;

use crate::pages::Files;

/// What is told of one file with this text in a project that has other files beside it.
fn told(file: &str, text: &str, others: &[&Files]) -> Vec<Diagnostic> {
    let base = tempfile::tempdir().unwrap();
    let root = std::fs::canonicalize(base.path()).unwrap();
    let write = |path: &str, text: &str, executable: bool| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        #[cfg(unix)]
        if executable {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let _ = executable;
    };
    others.iter().copied().flatten().for_each(|(path, text, executable)| write(path, text, *executable));
    write(file, text, false);
    let mut checked = check(&Request::new(vec![root.clone()]));
    assert_eq!(checked.projects.len(), 1, "one project");
    let mut found = checked.projects.remove(0).diagnostics;
    found.retain(|found| Path::new(&found.path).ends_with(file));
    found
}
