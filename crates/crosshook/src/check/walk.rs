//! Every hook file below a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_core::HostSide;

use super::Unusable;
use super::place::may_be_placed;

/// Folders that hold what others made or what is made again: no hook file in them is the project's own.
pub const SKIPPED: &[&str] = &["node_modules", ".git", "target"];

/// How deep a walk goes.
const DEEPEST: usize = 64;

/// What a walk came to.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Files whose name and folder may be those of a hook file, in the order of their paths.
    pub files: Vec<PathBuf>,
    /// Folders that were passed over, in the same order.
    pub skipped: Vec<PathBuf>,
    /// Folders that cannot be listed.
    pub unusable: Vec<Unusable>,
}

/// Walks through a folder and all below it. Links to folders are not followed: what they lead to is walked through where
/// it lies, and a link to a folder above would never end.
pub(super) fn walk(root: &Path, adapters: &[Arc<dyn HostSide>], is_excluded: &dyn Fn(&Path) -> bool) -> Walked {
    let mut walked = Walked::default();
    // Depth first, in the order of names: the last of the stack is next.
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = match std::fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(entries) => entries,
            Err(error) => {
                let why = format!("cannot list the folder `{}`: {error}", folder.display());
                walked.unusable.push(Unusable::new(&folder, why));
                continue;
            }
        };
        let own = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let mut below = Vec::new();
        let mut files = Vec::new();
        for entry in entries {
            let Ok(kind) = entry.file_type() else { continue };
            let (name, path) = (entry.file_name(), entry.path());
            let name = name.to_str().unwrap_or_default();
            if is_excluded(&path) {
                continue;
            }
            if kind.is_dir() {
                if SKIPPED.contains(&name) || depth >= DEEPEST {
                    walked.skipped.push(path);
                } else {
                    below.push((path, depth + 1));
                }
            } else if may_be_placed(adapters, own, name) && !path.is_dir() {
                files.push(path);
            }
        }
        files.sort_unstable();
        walked.files.append(&mut files);
        below.sort_unstable_by(|one, other| other.cmp(one));
        folders.append(&mut below);
    }
    walked.skipped.sort_unstable();
    walked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hook_files_are_found_in_order_and_what_others_made_is_passed_over() {
        let root = tempfile::tempdir().unwrap();
        for path in [
            "b/.codex/hooks.json",
            "a/.cursor/hooks.json",
            "a/deep/er/.claude/settings.json",
            "a/.cursor/other.json",
            "node_modules/x/.cursor/hooks.json",
            "a/target/.cursor/hooks.json",
            "left/.cursor/hooks.json",
        ] {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "{}").unwrap();
        }
        let walked = walk(root.path(), &crosshook::adapters(), &|path| path.ends_with("left"));
        let below = |paths: &[PathBuf]| -> Vec<String> {
            let shown = |path: &PathBuf| path.strip_prefix(root.path()).unwrap().display().to_string();
            paths.iter().map(shown).collect()
        };
        let expected = ["a/.cursor/hooks.json", "a/deep/er/.claude/settings.json", "b/.codex/hooks.json"];
        assert_eq!(below(&walked.files), expected);
        assert_eq!(below(&walked.skipped), ["a/target", "node_modules"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_above_does_not_go_round() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("a/.cursor")).unwrap();
        std::fs::write(root.path().join("a/.cursor/hooks.json"), "{}").unwrap();
        std::os::unix::fs::symlink(root.path(), root.path().join("a/round")).unwrap();
        assert_eq!(walk(root.path(), &crosshook::adapters(), &|_| false).files.len(), 1);
    }
}
