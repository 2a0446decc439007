//! From an invocation to a command of the operating system, and what to say when that cannot be started.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use hooks_core::outcome::{Invocation, Program, ShellKind};
use tokio::process::Command;

use crate::runner::Surroundings;

/// What programs inherit of this process's environment. A name that ends in `*` stands for all that start so.
///
/// What an invocation or the session sets is set in any case. A rule that leaves out `PATH` leaves programs without it,
/// and shells with the path they make up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inherit {
    /// All of it.
    #[default]
    All,
    /// Only these variables.
    Only(Vec<String>),
    /// All but these variables.
    AllBut(Vec<String>),
}

impl Inherit {
    fn apply(&self, command: &mut Command) {
        match self {
            Self::All => {}
            Self::Only(names) => {
                command.env_clear();
                command.envs(std::env::vars_os().filter(|(name, _)| fits(name, names)));
            }
            Self::AllBut(names) => {
                for (name, _) in std::env::vars_os().filter(|(name, _)| fits(name, names)) {
                    command.env_remove(name);
                }
            }
        }
    }
}

fn fits(name: &OsStr, names: &[String]) -> bool {
    names.iter().any(|wanted| match wanted.strip_suffix('*') {
        Some(start) => name.as_encoded_bytes().starts_with(start.as_bytes()),
        None => name == OsStr::new(wanted),
    })
}

/// Bytes that one session variable may take up. The system refuses to start a program with a longer one, and a hook
/// must not be able to keep every later hook from starting.
const SESSION_VARIABLE_LIMIT: usize = 32 << 10;
/// Bytes that all session variables together may take up.
const SESSION_ENV_LIMIT: usize = 256 << 10;

/// A command that runs an invocation, with pipes for all three streams and a process group of its own.
///
/// # Errors
///
/// Why the program is not one that can be run here.
pub(crate) fn command(invocation: &Invocation, surroundings: &Surroundings) -> Result<Command, String> {
    let mut command = match &invocation.program {
        Program::ShellText { shell, text } => in_shell(*shell, text, invocation),
        Program::Exec { program, args } => {
            let mut command = Command::new(program);
            command.args(args);
            command
        }
        Program::Hosted(handler) => return Err(format!("{} handlers are no programs", handler.kind().as_str())),
        _ => return Err("this runner does not know this form of program".to_owned()),
    };
    if !invocation.cwd.is_empty() {
        command.current_dir(&invocation.cwd);
    }
    surroundings.inherit.apply(&mut command);
    for name in removed(&invocation.env_remove, std::env::vars_os) {
        command.env_remove(name);
    }
    // What the vendor's client itself sets is not for a hook to change, so it comes last.
    let session_env = surroundings.session_env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    command.envs(usable(session_env));
    command.envs(invocation.env.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    Ok(command)
}

#[cfg(unix)]
fn in_shell(shell: ShellKind, text: &str, invocation: &Invocation) -> Command {
    let (program, flags): (OsString, &[&str]) = match shell {
        ShellKind::Bash => ("bash".into(), &["-c"]),
        ShellKind::PowerShell => ("pwsh".into(), POWERSHELL_FLAGS),
        ShellKind::UserLogin => match crate::sys::login_shell() {
            Some(shell) => (shell.into(), &["-c"]),
            // A user without an entry gets the environment's shell, as a login shell: the vendor that asks for the login
            // shell does so in its source.
            None => (shell_of_environment(invocation), &["-lc"]),
        },
        _ => ("/bin/sh".into(), &["-c"]),
    };
    let mut command = Command::new(program);
    command.args(flags).arg(text);
    command
}

#[cfg(unix)]
fn shell_of_environment(invocation: &Invocation) -> OsString {
    let set = invocation.env.iter().rev().find(|(name, _)| name == "SHELL").map(|(_, value)| OsString::from(value));
    set.or_else(|| std::env::var_os("SHELL")).filter(|shell| !shell.is_empty()).unwrap_or_else(|| "/bin/sh".into())
}

#[cfg(not(unix))]
fn in_shell(shell: ShellKind, text: &str, _invocation: &Invocation) -> Command {
    match shell {
        ShellKind::Bash => {
            let mut command = Command::new("bash");
            command.arg("-c").arg(text);
            command
        }
        ShellKind::PowerShell => {
            let mut command = Command::new("pwsh");
            command.args(POWERSHELL_FLAGS).arg(text);
            command
        }
        _ => {
            let program = std::env::var_os("COMSPEC").unwrap_or_else(|| "cmd.exe".into());
            let mut command = Command::new(program);
            command.arg("/C");
            // `cmd` takes the rest of the line as it stands; quoting it would change it.
            #[cfg(windows)]
            command.raw_arg(text);
            #[cfg(not(windows))]
            command.arg(text);
            command
        }
    }
}

const POWERSHELL_FLAGS: &[&str] = &["-NoProfile", "-NonInteractive", "-Command"];

/// The variables to take out: names as they stand, and all that start with what stands before a final `*`.
fn removed(names: &[String], present: impl FnOnce() -> std::env::VarsOs) -> Vec<OsString> {
    let mut out: Vec<OsString> = names.iter().filter(|name| !name.ends_with('*')).map(OsString::from).collect();
    let prefixes: Vec<&[u8]> = names.iter().filter_map(|name| name.strip_suffix('*')).map(str::as_bytes).collect();
    if !prefixes.is_empty() {
        let present = present().map(|(name, _)| name);
        out.extend(present.filter(|name| prefixes.iter().any(|prefix| name.as_encoded_bytes().starts_with(prefix))));
    }
    out
}

/// The session variables that a program can be started with.
fn usable<'e>(session_env: impl Iterator<Item = (&'e str, &'e str)>) -> impl Iterator<Item = (&'e str, &'e str)> {
    let mut left = SESSION_ENV_LIMIT;
    session_env.filter(move |(name, value)| takes(&mut left, name, value))
}

/// The names of those that it cannot be started with.
pub(crate) fn unusable<'e>(session_env: impl Iterator<Item = (&'e str, &'e str)>) -> BTreeSet<String> {
    let mut left = SESSION_ENV_LIMIT;
    session_env.filter(|(name, value)| !takes(&mut left, name, value)).map(|(name, _)| name.to_owned()).collect()
}

/// Whether there is room for a variable that the system takes; then there is less room.
fn takes(left: &mut usize, name: &str, value: &str) -> bool {
    let size = name.len() + value.len() + 2;
    let fits = !name.is_empty()
        && !name.contains(['=', '\0'])
        && !value.contains('\0')
        && size <= SESSION_VARIABLE_LIMIT
        && size <= *left;
    if fits {
        *left -= size;
    }
    fits
}

/// Says why a command could not be started. The system's error alone does not tell a missing folder from a missing
/// program or a missing interpreter.
pub(crate) fn why_not_started(invocation: &Invocation, program: &Path, error: &io::Error) -> String {
    let name = program.display();
    if !invocation.cwd.is_empty() {
        match std::fs::metadata(&invocation.cwd) {
            Ok(folder) if folder.is_dir() => {}
            Ok(_) => return format!("the working directory {} is no folder", invocation.cwd),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                return format!("the working directory {} does not exist", invocation.cwd);
            }
            Err(cause) => return format!("the working directory {} cannot be entered: {cause}", invocation.cwd),
        }
    }
    match error.kind() {
        io::ErrorKind::NotFound => {
            let by_path = program.components().count() > 1;
            if by_path && PathBuf::from(&invocation.cwd).join(program).exists() {
                format!("{name} names an interpreter that does not exist; see its `#!` line")
            } else if by_path {
                format!("{name} does not exist")
            } else {
                format!("there is no program {name} on PATH")
            }
        }
        io::ErrorKind::PermissionDenied if PathBuf::from(&invocation.cwd).join(program).is_dir() => {
            format!("{name} is a folder, not a program")
        }
        io::ErrorKind::PermissionDenied => format!("{name} is not executable, or its folder cannot be entered"),
        #[cfg(unix)]
        _ if error.raw_os_error() == Some(libc::ENOEXEC) => {
            format!("{name} is no program this system can run; does it lack a `#!` line?")
        }
        #[cfg(unix)]
        _ if error.raw_os_error() == Some(libc::E2BIG) => {
            format!("{name}: its arguments and environment are longer than the system allows")
        }
        io::ErrorKind::InvalidInput => {
            format!("{name}: a zero byte in the command, its arguments, its environment or its working directory")
        }
        _ => format!("{name}: {error}"),
    }
}
