//! The command's parts: one module a subcommand, and the modules they share.
//!
//! It is here for the binary of the same package, and for who makes manuals of it; a host has no use for it.
//! Unlike the libraries below it, a command reads files, looks at its environment and starts programs.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a command does IO; the libraries do not")]

mod args;
mod badday;
mod bridge;
mod check;
mod conformance;
mod demo;
mod exit;
mod explain;
mod fire;
mod init;
mod list;
mod occasion;
mod out;
mod payload;
mod project;
mod record;
mod report;
mod repository;
mod schema;
mod state;
mod translate;
mod trust;
mod view;
mod why;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use crate::near;
use args::{Cli, Command};
use exit::Trouble;
use out::Out;

/// The command line as data: for manuals and completions.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// The catalogue of the schemas that editors hold files to, as `crosshook schema --catalog` prints it.
#[must_use]
pub fn catalog(base: Option<&str>) -> String {
    schema::catalog(base)
}

/// The schema of what `crosshook check --format json` prints.
#[must_use]
pub fn check_schema() -> hooks_core::schema::Schema {
    report::json_schema()
}

/// The schema of what `crosshook record` writes.
///
/// # Errors
///
/// Why the text that is built in is no JSON object; never in a release.
pub fn record_schema() -> Result<hooks_core::schema::Schema, String> {
    serde_json::from_str(record::SCHEMA).map_err(|error| error.to_string())
}

/// Reads the arguments, runs the subcommand, and says how it went.
#[must_use]
pub fn main() -> ExitCode {
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
        Command::Why(args) => why::run(&args, &mut out),
        Command::Explain(args) => explain::run(&args, &mut out),
        Command::Badday(args) => badday::run(&args, &mut out),
        Command::Record(args) => record::run(&args, &mut out),
        Command::Init(args) => init::run(&args, &mut out),
        Command::Demo(args) => demo::run(&args, &mut out),
        Command::Trust(args) => trust::run(&args.action, &mut out),
        Command::Conformance(args) => conformance::run(&args.action, &mut out),
        Command::Bridge(args) => bridge::run(&args, &mut out),
        Command::Translate(args) => translate::run(&args, &mut out),
        Command::Schema(args) => schema::run(&args, &mut out),
    };
    let code = done.unwrap_or_else(|Trouble { message, help, code }| {
        out.error(&message, help.as_deref());
        code
    });
    ExitCode::from(code)
}
