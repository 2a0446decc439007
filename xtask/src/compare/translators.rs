//! `cargo xtask compare translators`: `crosshook translate` beside rulesync, on the same Cursor project.
//!
//! rulesync, and a Node that it runs on, are installed below `target/compare` at the versions that
//! `xtask/compare/translators/package.json` fixes; `xtask/compare/translators.py` lets both carry the project over, fires
//! what they wrote, and makes the table `docs/compare/translators.md`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{python, succeed};

/// The table.
const TABLE: &str = "docs/compare/translators.md";

/// Writes the table, or only sees that it is current, where the other translator can be had.
pub(super) fn run(root: &Path, only_check: bool) -> Result<(), String> {
    let folder = match installed(root) {
        Ok(folder) => folder,
        Err(why) if only_check => {
            eprintln!("  SKIPPED: the translator of others was not run: {why}");
            return Ok(());
        }
        Err(why) => return Err(why),
    };
    let table = made(root, &folder)?;
    let file = root.join(TABLE);
    if !only_check {
        return std::fs::write(&file, table).map_err(|error| format!("{}: {error}", file.display()));
    }
    let there = std::fs::read_to_string(&file).map_err(|error| format!("{TABLE}: {error}"))?;
    if there.replace("\r\n", "\n") == table {
        return Ok(());
    }
    Err(format!("{TABLE}: it is not what `cargo xtask compare translators` makes"))
}

/// Installs the other translator; gives the folder that it is installed in.
fn installed(root: &Path) -> Result<PathBuf, String> {
    if let Some(program) = python::missing(&["npm", "node", "python3"]) {
        return Err(format!("there is no `{program}` here"));
    }
    let folder = super::folder()?.join("translators");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let from = root.join("xtask/compare/translators/package.json");
    std::fs::copy(&from, folder.join("package.json")).map_err(|error| format!("{}: {error}", from.display()))?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&folder);
    succeed(&mut npm)?;
    Ok(folder)
}

fn made(root: &Path, folder: &Path) -> Result<String, String> {
    let program = super::built(root, false)?;
    let modules = folder.join("node_modules");
    let mut script = Command::new("python3");
    script.arg(root.join("xtask/compare/translators.py")).arg(root).arg(program);
    script.args([modules.join(".bin/node"), modules.join("rulesync/dist/cli/index.js")]);
    let output = script.output().map_err(|error| format!("{script:?}: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|error| format!("the table: {error}"))
}
