//! `cargo xtask compare`: `crosshook check` beside two checkers of others, on the same trees.
//!
//! The others are installed below `target/compare` at the versions that `xtask/compare/requirements.txt` fixes;
//! `xtask/compare/checkers.py` runs all three and makes the table `docs/compare/checkers.md`. What was judged of the
//! findings of the others stands in `xtask/compare/judgements.toml`.

mod translators;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cargo, python, succeed};

/// The table.
const TABLE: &str = "docs/compare/checkers.md";

/// Writes the table; `--check`: only sees that it is current, where the others can be had; `--speed`: prints times.
pub(crate) fn run(root: &Path, args: &[String]) -> Result<(), String> {
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => {
            let table = made(root, &installed(root)?)?;
            let file = root.join(TABLE);
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            }
            std::fs::write(&file, table).map_err(|error| format!("{}: {error}", file.display()))
        }
        ["--check"] => check(root),
        ["--speed"] => {
            let python = installed(root)?;
            let program = built(root, true)?;
            succeed(script(root, &python, &program).arg("--speed"))
        }
        ["translators"] => translators::run(root, false),
        ["translators", "--check"] => translators::run(root, true),
        _ => Err("usage: cargo xtask compare [translators] [--check|--speed]".to_owned()),
    }
}

/// Sees that the table is current; says so where the others cannot be had.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let python = match installed(root) {
        Ok(python) => python,
        Err(why) => {
            eprintln!("  SKIPPED: the checkers of others were not run: {why}");
            return Ok(());
        }
    };
    let table = made(root, &python)?;
    let there = std::fs::read_to_string(root.join(TABLE)).map_err(|error| format!("{TABLE}: {error}"))?;
    if there.replace("\r\n", "\n") == table {
        return Ok(());
    }
    let differs = there.lines().zip(table.lines()).position(|(old, new)| old != new);
    let line = differs.unwrap_or_else(|| there.lines().count().min(table.lines().count())) + 1;
    Err(format!("{TABLE}:{line}: it is not what `cargo xtask compare` makes"))
}

/// The folder for the others and their trees: beside this program.
fn folder() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| format!("this program's path: {error}"))?;
    let target = program.ancestors().nth(2).ok_or_else(|| format!("{} lies in no folder", program.display()))?;
    Ok(target.join("compare"))
}

/// Installs the others; gives the Python that runs them.
fn installed(root: &Path) -> Result<PathBuf, String> {
    let python = python::environment(&folder()?, &root.join("xtask/compare/requirements.txt"))?;
    let knows_toml = Command::new(&python).args(["-c", "import tomllib"]).output();
    if knows_toml.is_ok_and(|output| output.status.success()) {
        return Ok(python);
    }
    Err(format!("{} is older than Python 3.11", python.display()))
}

/// Builds our program; gives its path. What the tests run serves for the table, so that nothing is built anew after them.
fn built(root: &Path, release: bool) -> Result<PathBuf, String> {
    let target = folder()?.with_file_name("");
    let what: &[&str] = match release {
        true => &["build", "--release", "--package", "crosshook"],
        false => &["test", "--no-run", "--workspace"],
    };
    let mut build = Command::new(cargo());
    build.args(what).args(["--quiet", "--locked", "--target-dir"]).arg(&target).current_dir(root);
    succeed(&mut build)?;
    let profile = if release { "release" } else { "debug" };
    Ok(target.join(profile).join(format!("crosshook{}", std::env::consts::EXE_SUFFIX)))
}

fn made(root: &Path, python: &Path) -> Result<String, String> {
    let program = built(root, false)?;
    let output = script(root, python, &program).output().map_err(|error| format!("{}: {error}", python.display()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|error| format!("the table: {error}"))
}

fn script(root: &Path, python: &Path, program: &Path) -> Command {
    let mut command = Command::new(python);
    command.arg(root.join("xtask/compare/checkers.py")).arg(root);
    // The script leaves what each found below it.
    command.arg(python.ancestors().nth(3).unwrap_or(root)).arg(program);
    command
}
