//! From an invocation to a command of the operating system, and what to say when that cannot be started.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::{fmt, io};

use hooks_core::outcome::{EnvBase, Folder, Invocation, Program, ShellKind};
use tokio::process::Command;

use crate::runner::Surroundings;
#[cfg(not(unix))]
use crate::windows_shell::Machine;
#[cfg(windows)]
use crate::windows_shell::for_cmd;

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
    /// Gives a command its ground: what this rule lets through of this process's environment, or of another one. Whether
    /// it then still inherits this process's.
    fn apply(&self, base: Option<&Environment>, command: &mut Command) -> bool {
        let lets = |name: &OsStr| match self {
            Self::All => true,
            Self::Only(names) => fits(name, names),
            Self::AllBut(names) => !fits(name, names),
        };
        if let Some(Environment(variables)) = base {
            command.env_clear();
            command.envs(variables.iter().filter(|(name, _)| lets(name)).map(|(name, value)| (name, value)));
            return false;
        }
        match self {
            Self::All => {}
            Self::Only(_) => {
                command.env_clear();
                command.envs(std::env::vars_os().filter(|(name, _)| lets(name)));
                return false;
            }
            Self::AllBut(_) => {
                for (name, _) in std::env::vars_os().filter(|(name, _)| !lets(name)) {
                    command.env_remove(name);
                }
            }
        }
        true
    }
}

fn fits(name: &OsStr, names: &[String]) -> bool {
    names.iter().any(|wanted| match wanted.strip_suffix('*') {
        Some(start) => name.as_encoded_bytes().get(..start.len()).is_some_and(|own| same_name(own, start.as_bytes())),
        None => same_name(name.as_encoded_bytes(), wanted.as_bytes()),
    })
}

/// Whether two names are one to the system.
fn same_name(one: &[u8], other: &[u8]) -> bool {
    if cfg!(windows) { one.eq_ignore_ascii_case(other) } else { one == other }
}

/// An environment: as it was at some time, such as when a session began, or as a program of a hook gets it.
#[derive(Clone)]
pub struct Environment(Arc<[(OsString, OsString)]>);

impl Environment {
    /// This process's, as it is now.
    #[must_use]
    pub fn capture() -> Self {
        std::env::vars_os().collect()
    }

    /// The value of a variable.
    #[must_use]
    pub fn get(&self, wanted: &str) -> Option<&OsStr> {
        let is = |(name, _): &&(OsString, OsString)| same_name(name.as_encoded_bytes(), wanted.as_bytes());
        self.0.iter().find(is).map(|(_, value)| value.as_os_str())
    }
}

impl FromIterator<(OsString, OsString)> for Environment {
    fn from_iter<I: IntoIterator<Item = (OsString, OsString)>>(variables: I) -> Self {
        Self(variables.into_iter().collect())
    }
}

/// Values may be secrets, so only their number is shown.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Environment({} variables)", self.0.len())
    }
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
    let base = base(invocation, surroundings);
    let mut command = match &invocation.program {
        Program::ShellText { shell, text } => in_shell(*shell, text, invocation, base),
        Program::Exec { program, args } => {
            let mut command = Command::new(program);
            command.args(args);
            command
        }
        Program::Hosted(handler) => return Err(format!("{} handlers are no programs", handler.kind().as_str())),
        _ => return Err("this runner does not know this form of program".to_owned()),
    };
    if let Some(folder) = folder(invocation) {
        command.current_dir(folder);
    }
    set_environment(invocation, surroundings, &mut command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    Ok(command)
}

/// The environment that an invocation starts from; `None` for this process's.
fn base<'s>(invocation: &Invocation, surroundings: &'s Surroundings) -> Option<&'s Environment> {
    surroundings.began_with.as_ref().filter(|_| invocation.env_base == EnvBase::SessionStart)
}

/// Gives a command the environment of an invocation; whether what is not said there is this process's.
fn set_environment(invocation: &Invocation, surroundings: &Surroundings, command: &mut Command) -> bool {
    let base = base(invocation, surroundings);
    let inherits = surroundings.inherit.apply(base, command);
    for name in removed(&invocation.env_remove, base) {
        command.env_remove(name);
    }
    // What the vendor's client itself sets is not for a hook to change, so it comes last.
    let session_env = surroundings.session_env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    command.envs(usable(session_env));
    command.envs(invocation.env.iter().map(|(name, value)| (name, value)));
    scrub(&invocation.env_scrub, command);
    inherits
}

/// The environment that a program of an invocation gets: for handlers that are no programs and name variables.
pub(crate) fn environment(invocation: &Invocation, surroundings: &Surroundings) -> Environment {
    // Never started; asked what it would get, so that there is one rule for both.
    let mut command = Command::new("");
    let inherits = set_environment(invocation, surroundings, &mut command);
    let mut variables: Vec<(OsString, OsString)> = if inherits { std::env::vars_os().collect() } else { Vec::new() };
    for (name, value) in command.as_std().get_envs() {
        variables.retain(|(other, _)| !same_name(other.as_encoded_bytes(), name.as_encoded_bytes()));
        variables.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    }
    variables.into_iter().collect()
}

/// The folder to run in; `None` for this process's own.
fn folder(invocation: &Invocation) -> Option<PathBuf> {
    let own = PathBuf::from(&invocation.cwd);
    if invocation.cwd.is_empty() || invocation.cwd_else.is_empty() || own.is_dir() {
        return Some(own).filter(|own| !own.as_os_str().is_empty());
    }
    let others = invocation.cwd_else.iter().filter_map(|folder| match folder {
        Folder::Path(path) => Some(PathBuf::from(path)),
        Folder::Home => std::env::home_dir(),
        Folder::Temp => Some(std::env::temp_dir()),
        _ => None,
    });
    Some(others.into_iter().find(|folder| folder.is_dir()).unwrap_or(own))
}

/// Takes names out of what a command would get, wherever they come from and whatever the case of their letters.
fn scrub(names: &[String], command: &mut Command) {
    if names.is_empty() {
        return;
    }
    let inherited = std::env::vars_os().map(|(name, _)| name);
    let set = command.as_std().get_envs().map(|(name, _)| name.to_owned());
    let is_one =
        |name: &OsString| names.iter().any(|wanted| name.as_encoded_bytes().eq_ignore_ascii_case(wanted.as_bytes()));
    let found: Vec<OsString> = inherited.chain(set).filter(is_one).collect();
    for name in found {
        command.env_remove(name);
    }
}

/// A variable of the environment that an invocation starts from.
fn inherited(base: Option<&Environment>, name: &str) -> Option<OsString> {
    match base {
        Some(base) => base.get(name).map(OsStr::to_owned),
        None => std::env::var_os(name),
    }
}

#[cfg(unix)]
fn in_shell(shell: ShellKind, text: &str, invocation: &Invocation, base: Option<&Environment>) -> Command {
    let (program, flags): (OsString, &[&str]) = match shell {
        ShellKind::Bash => ("bash".into(), &["-c"]),
        ShellKind::PowerShell => ("pwsh".into(), POWERSHELL_FLAGS),
        ShellKind::UserLogin => match crate::sys::login_shell() {
            Some(shell) => (shell.into(), &["-c"]),
            // A user without an entry gets the environment's shell, as a login shell: the vendor that asks for the login
            // shell does so in its source.
            None => (shell_of_environment(invocation, base), &["-lc"]),
        },
        _ => ("/bin/sh".into(), &["-c"]),
    };
    let mut command = Command::new(program);
    command.args(flags).arg(text);
    command
}

#[cfg(unix)]
fn shell_of_environment(invocation: &Invocation, base: Option<&Environment>) -> OsString {
    let set = invocation.env.iter().rev().find(|(name, _)| name == "SHELL").map(|(_, value)| OsString::from(value));
    set.or_else(|| inherited(base, "SHELL")).filter(|shell| !shell.is_empty()).unwrap_or_else(|| "/bin/sh".into())
}

#[cfg(not(unix))]
fn in_shell(shell: ShellKind, text: &str, _invocation: &Invocation, base: Option<&Environment>) -> Command {
    let variable = |name: &str| inherited(base, name);
    let machine = Machine { variable: &variable, is_file: &|path| path.is_file() };
    let (program, flags): (OsString, &[&str]) = match shell {
        // Where there is none, starting it says so.
        ShellKind::Bash => (machine.git_bash().map_or_else(|| "bash".into(), Into::into), &["-c"]),
        ShellKind::ShOrGitBash => match machine.git_bash() {
            Some(bash) => (bash.into(), &["-c"]),
            None => (machine.powershell().into(), POWERSHELL_FLAGS),
        },
        ShellKind::PowerShell => (machine.powershell().into(), POWERSHELL_FLAGS),
        ShellKind::UserLogin => (variable("COMSPEC").unwrap_or_else(|| "cmd.exe".into()), &["/C"]),
        _ => (variable("COMSPEC").unwrap_or_else(|| "cmd.exe".into()), &["/D", "/S", "/C"]),
    };
    let mut command = Command::new(program);
    command.args(flags);
    match shell {
        ShellKind::Bash | ShellKind::PowerShell | ShellKind::ShOrGitBash => command.arg(text),
        // `cmd` takes the rest of the line as it stands; quoting it as for other programs would change it.
        #[cfg(windows)]
        ShellKind::UserLogin => command.raw_arg(text),
        #[cfg(windows)]
        _ => command.raw_arg(for_cmd(text)),
        #[cfg(not(windows))]
        _ => command.arg(text),
    };
    command
}

const POWERSHELL_FLAGS: &[&str] = &["-NoProfile", "-NonInteractive", "-Command"];

/// The variables to take out: names as they stand, and all that start with what stands before a final `*`.
fn removed(names: &[String], base: Option<&Environment>) -> Vec<OsString> {
    let (prefixes, whole): (Vec<&String>, Vec<&String>) = names.iter().partition(|name| name.ends_with('*'));
    let mut out: Vec<OsString> = whole.into_iter().map(OsString::from).collect();
    if !prefixes.is_empty() {
        let prefixes: Vec<String> = prefixes.into_iter().cloned().collect();
        let present: Vec<OsString> = match base {
            Some(Environment(variables)) => variables.iter().map(|(name, _)| name.clone()).collect(),
            None => std::env::vars_os().map(|(name, _)| name).collect(),
        };
        out.extend(present.into_iter().filter(|name| fits(name, &prefixes)));
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
pub(crate) fn why_not_started(folder: Option<&Path>, program: &Path, error: &io::Error) -> String {
    let name = program.display();
    if let Some(folder) = folder {
        let shown = folder.display();
        match std::fs::metadata(folder) {
            Ok(facts) if facts.is_dir() => {}
            Ok(_) => return format!("the working directory {shown} is no folder"),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                return format!("the working directory {shown} does not exist");
            }
            Err(cause) => return format!("the working directory {shown} cannot be entered: {cause}"),
        }
    }
    let found = folder.unwrap_or(Path::new("")).join(program);
    match error.kind() {
        io::ErrorKind::NotFound => {
            let by_path = program.components().count() > 1;
            if by_path && found.exists() {
                format!("{name} names an interpreter that does not exist; see its `#!` line")
            } else if by_path {
                format!("{name} does not exist")
            } else {
                format!("there is no program {name} on PATH")
            }
        }
        io::ErrorKind::PermissionDenied if found.is_dir() => {
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

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use hooks_core::outcome::{Completion, RunRules};

    use super::*;

    #[test]
    fn the_shell_of_the_environment_stands_in_for_a_user_s_own() {
        let rules = RunRules {
            completion: Completion::EndOfFile,
            detach_on_async_line: false,
            kill_grace: Duration::ZERO,
            stdout_cap: 1,
            stderr_cap: 1,
        };
        let program = Program::ShellText { shell: ShellKind::UserLogin, text: "true".to_owned() };
        let mut invocation = Invocation::new(program, String::new(), Duration::ZERO, rules);
        let began = |shell: &str| Environment::from_iter([(OsString::from("SHELL"), OsString::from(shell))]);
        assert_eq!(shell_of_environment(&invocation, Some(&began("/bin/began"))), "/bin/began");
        for none in [began(""), Environment::from_iter([])] {
            assert_eq!(shell_of_environment(&invocation, Some(&none)), "/bin/sh");
        }
        invocation.env.push(("SHELL".to_owned(), "/bin/own".to_owned()));
        assert_eq!(shell_of_environment(&invocation, Some(&began("/bin/began"))), "/bin/own");
    }
}
