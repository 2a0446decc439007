//! The project's own tasks. `cargo xtask` lists them; each is a row of one table.
// Tasks read and write the checkout, run cargo and print: the lints that keep the libraries pure do not apply here.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::print_stdout, clippy::print_stderr)]

#[cfg(test)]
mod catalog;
mod ci;
mod compare;
#[cfg(test)]
mod consumers;
mod generate;
mod python;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// One task: its name, what it does, and the function.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(&Path, &[String]) -> Result<(), String>,
}

const TASKS: &[Task] = &[
    Task {
        name: "gen",
        about: "write the files that are made from tables, or those below the paths given; --check: only see that they are current",
        run: |root, args| match args {
            [flag, only @ ..] if flag == "--check" => generate::run(root, true, only),
            only if only.iter().any(|path| path.starts_with('-')) => {
                Err("usage: cargo xtask gen [--check] [PATH...]".to_owned())
            }
            only => generate::run(root, false, only),
        },
    },
    Task {
        name: "tidy",
        about: "check the invariants of ARCHITECTURE.md that no lint can",
        run: |root, _| tidy::run(root),
    },
    Task {
        name: "consumers",
        about: "hold the editors and validators of others to our schemas; installs them below target/ (npm, PyPI)",
        run: |root, _| succeed(Command::new(cargo()).args(CONSUMERS).env(ASKED, "always").current_dir(root)),
    },
    Task {
        name: "compare",
        about: "write the table of what other checkers find beside ours, or `translators`: of what another translator writes; --check: only see that it is current; --speed: times",
        run: compare::run,
    },
    Task {
        name: "proptest-long",
        about: "run the property tests at 100,000 cases each, or the number given",
        run: |root, args| proptest_long(root, args.first().map_or("100000", String::as_str)),
    },
    Task {
        name: "ci",
        about: "run what must pass before anything lands, or the steps named; --list names them",
        run: ci::run,
    },
];

/// The run of cargo that asks the editors and validators of others. It names the workspace so that nothing is built anew
/// after the tests.
const CONSUMERS: &[&str] = &["test", "--workspace", "--locked", "--bin", "xtask", "--", "--nocapture", "consumers::"];

/// The variable that says whether others are asked: not at all, if it is not set.
const ASKED: &str = "CROSSHOOK_CONSUMERS";

/// The value of [`ASKED`] with which programs that cannot be had are no fault.
const WHERE_POSSIBLE: &str = "where-possible";

/// Runs the tests with many more cases than usual.
fn proptest_long(root: &Path, cases: &str) -> Result<(), String> {
    let mut cargo = Command::new(cargo());
    cargo.args(["test", "--release", "--workspace"]).env("PROPTEST_CASES", cases).current_dir(root);
    succeed(&mut cargo)
}

/// The cargo that runs this, or the one on the path.
fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} ended with {status}")) }
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let name = args.next();
    let rest: Vec<String> = args.collect();
    let Some(task) = TASKS.iter().find(|task| Some(task.name) == name.as_deref()) else {
        if let Some(unknown) = name.as_deref().filter(|name| !matches!(*name, "help" | "--help" | "-h")) {
            eprintln!("there is no task `{unknown}`");
        }
        println!("usage: cargo xtask TASK\n\ntasks:");
        for task in TASKS {
            println!("  {:<14} {}", task.name, task.about);
        }
        let asked = matches!(name.as_deref(), None | Some("help" | "--help" | "-h"));
        return if asked { ExitCode::SUCCESS } else { ExitCode::from(2) };
    };
    match (task.run)(&root(), &rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder: the one above this package's.
fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}
