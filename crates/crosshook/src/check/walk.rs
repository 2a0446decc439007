//! Every hook file below a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_core::HostSide;

use super::place::may_be_placed;
use super::{Unusable, parallel};

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

/// What is in one folder, in the order of names.
#[derive(Debug, Default)]
struct Listed {
    files: Vec<PathBuf>,
    skipped: Vec<PathBuf>,
    unusable: Option<Unusable>,
    below: Vec<PathBuf>,
    /// Where what is in those folders stands in the list of all folders.
    first: usize,
}

/// Walks through a folder and all below it. Links to folders are not followed: what they lead to is walked through where
/// it lies, and a link to a folder above would never end.
pub(super) fn walk(
    root: &Path,
    adapters: &[Arc<dyn HostSide>],
    is_excluded: &(dyn Fn(&Path) -> bool + Sync),
) -> Walked {
    // Level by level, so that folders are listed side by side.
    let mut all: Vec<Listed> = Vec::new();
    let mut level = vec![root.to_owned()];
    for depth in 0..=DEEPEST {
        let mut listed = parallel::map(&level, |folder| list(folder, depth < DEEPEST, adapters, is_excluded));
        let mut first = all.len() + listed.len();
        level.clear();
        for folder in &mut listed {
            folder.first = first;
            first += folder.below.len();
            level.extend(folder.below.iter().cloned());
        }
        all.append(&mut listed);
        if level.is_empty() {
            break;
        }
    }
    // And told of depth first: the last of the stack is next.
    let mut walked = Walked::default();
    let mut next = vec![0];
    while let Some(at) = next.pop() {
        let Some(folder) = all.get_mut(at) else { continue };
        walked.files.append(&mut folder.files);
        walked.skipped.append(&mut folder.skipped);
        walked.unusable.extend(folder.unusable.take());
        next.extend((folder.first..folder.first + folder.below.len()).rev());
    }
    walked.skipped.sort_unstable();
    walked
}

/// Lists one folder.
fn list(folder: &Path, goes_on: bool, adapters: &[Arc<dyn HostSide>], is_excluded: &dyn Fn(&Path) -> bool) -> Listed {
    let mut listed = Listed::default();
    let entries = match std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(error) => {
            let why = format!("cannot list the folder `{}`: {error}", folder.display());
            listed.unusable = Some(Unusable::new(folder, why));
            return listed;
        }
    };
    let own = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    for entry in entries {
        let Ok(kind) = entry.file_type() else { continue };
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_str().unwrap_or_default();
        if is_excluded(&path) {
            continue;
        }
        if kind.is_dir() {
            if SKIPPED.contains(&name) || !goes_on {
                listed.skipped.push(path);
            } else {
                listed.below.push(path);
            }
        } else if may_be_placed(adapters, own, name) && (kind.is_file() || !path.is_dir()) {
            listed.files.push(path);
        }
    }
    listed.files.sort_unstable();
    listed.below.sort_unstable();
    listed
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
