//! The `crosshook` command: lists, checks and fires the hooks of a project, and shows how each vendor's format means
//! what it says.
//!
//! Unlike the libraries below it, a command reads files, looks at its environment and starts programs.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a command does IO; the libraries do not")]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
