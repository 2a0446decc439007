//! Programs of others that come from PyPI: an environment of their own below `target/`, at the versions that a file fixes.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::succeed;

/// The first of some programs that is not here.
pub(crate) fn missing(programs: &[&'static str]) -> Option<&'static str> {
    let here = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success());
    programs.iter().copied().find(|program| !here(program))
}

/// Installs what a file of requirements names below a folder; gives the environment's Python.
///
/// # Errors
///
/// Why it cannot be had: there is no Python, or no registry.
pub(crate) fn environment(folder: &Path, requirements: &Path) -> Result<PathBuf, String> {
    if let Some(program) = missing(&["python3"]) {
        return Err(format!("there is no `{program}` here"));
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let python = folder.join("venv/bin/python");
    if !python.exists() {
        succeed(Command::new("python3").args(["-m", "venv", "venv"]).current_dir(folder))?;
    }
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]).arg(requirements);
    succeed(&mut pip)?;
    Ok(python)
}
