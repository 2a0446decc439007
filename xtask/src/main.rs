//! The project's own tasks. `cargo xtask` lists them; each is a row of one table.
// Tasks read and write the checkout, run cargo and print: the lints that keep the libraries pure do not apply here.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::print_stdout, clippy::print_stderr)]

mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// One task: its name, what it does, and the function.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(&Path, &[String]) -> Result<(), String>,
}

const TASKS: &[Task] = &[Task {
    name: "tidy",
    about: "check the invariants of ARCHITECTURE.md that no lint can",
    run: |root, _| tidy::run(root),
}];

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let name = args.next();
    let rest: Vec<String> = args.collect();
    let Some(task) = TASKS.iter().find(|task| Some(task.name) == name.as_deref()) else {
        println!("usage: cargo xtask TASK\n\ntasks:");
        for task in TASKS {
            println!("  {:<14} {}", task.name, task.about);
        }
        return if name.is_none() { ExitCode::SUCCESS } else { ExitCode::from(2) };
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
