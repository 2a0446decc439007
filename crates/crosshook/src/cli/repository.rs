//! Where a project lies in its repository: some clients name no project, and a shell can only ask git for its root.

use std::path::{Path, PathBuf};

pub(crate) use crosshook::check::config::repository_root as root_of;

/// A folder from the root of the repository that it lies in, with `/`: empty for the root itself. `None` where there is no
/// repository, or where the path is no text.
pub(crate) fn below(folder: &Path) -> Option<String> {
    let folder: PathBuf = std::path::absolute(folder).ok()?;
    let below = folder.strip_prefix(root_of(&folder)?).ok()?;
    let parts: Option<Vec<&str>> = below.components().map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/"))
}
