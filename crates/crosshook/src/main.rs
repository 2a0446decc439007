//! The `crosshook` command: lists, checks and fires the hooks of a project, and shows how each vendor's format means
//! what it says. What it does is in the library, behind the feature `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    crosshook::cli::main()
}
