//! Where the command keeps what it remembers between runs.

use std::path::PathBuf;

/// `$XDG_STATE_HOME/crosshook`, or the same below `~/.local/state`. The error says what is not set.
pub(crate) fn state_folder() -> Result<PathBuf, String> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let state = set("XDG_STATE_HOME").or_else(|| set(home).map(|home| home.join(".local/state")));
    state.map(|state| state.join("crosshook")).ok_or_else(|| format!("{home} is not set"))
}
