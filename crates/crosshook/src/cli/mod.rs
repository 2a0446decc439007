//! The command's parts: one module a subcommand, and the modules they share.

mod args;
mod check;
mod conformance;
mod demo;
mod exit;
mod fire;
mod list;
mod out;
mod payload;
mod project;
mod render;
mod trust;
mod view;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use exit::Trouble;
use out::Out;

/// Reads the arguments, runs the subcommand, and says how it went.
pub(crate) fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A reader that went away (`| head`) is no reason to complain.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(exit::USAGE));
        }
    };
    let mut out = Out::new(cli.color);
    let done = match cli.command {
        Command::List(args) => list::run(&args, &mut out),
        Command::Check(args) => check::run(&args, &mut out),
        Command::Fire(args) => fire::run(&args, &mut out),
        Command::Demo(args) => demo::run(&args, &mut out),
        Command::Trust(args) => trust::run(&args.action, &mut out),
        Command::Conformance(args) => conformance::run(&args.action, &mut out),
    };
    let code = done.unwrap_or_else(|Trouble { message, help, code }| {
        out.error(&message, help.as_deref());
        code
    });
    ExitCode::from(code)
}
