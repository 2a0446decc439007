//! A file that a command runs: whether it is there and whether the system can start it.
//!
//! What a shell and an interpreter do with a file that is missing or broken was tried with dash 0.5.12, bash 5.2, Python
//! 3.11, Node 20 and Perl 5.36 on Linux: the pages of the codes say what was seen.

use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use hooks_core::location::Platform;
use hooks_core::outcome::{End, Outcome};
use hooks_core::{Code, Diagnostic, Severity};

use super::interpreter::{self, Family, Interpreter};
use super::look::{Found, plain};
use super::place::Text;
use super::{Case, Language, Told, Upshot};
use crate::check::codes;

/// How a file is run.
#[derive(Clone, Copy)]
pub(super) enum How {
    /// By the system.
    Direct,
    /// By a program that is given its path.
    By(&'static Interpreter),
}

/// A file as a command names it.
pub(super) struct Named<'t> {
    /// The text that it stands in.
    pub(super) text: &'t Text,
    /// Its bytes there; all of it where there are none.
    pub(super) part: Option<Range<usize>>,
    /// What the word comes to.
    pub(super) value: &'t str,
    /// The same for a person: of a path below the project's root, only what is below.
    pub(super) shown: String,
    /// How it is run.
    pub(super) how: How,
    /// Whether a shell runs it.
    pub(super) form: Language,
}

impl<'t> Named<'t> {
    /// An argument, or the program, of a command that no shell runs.
    pub(super) fn argument(case: &Case<'_>, text: &'t Text, value: &'t str, how: How) -> Self {
        Self { text, part: None, value, shown: below_root(case, value), how, form: Language::Exec }
    }

    pub(super) fn tell(&self, told: &Told<'_, '_>, code: &'static Code, message: String) -> Diagnostic {
        told.at(code, self.text, self.part.as_ref(), message)
    }
}

/// The folders in which programs lie that somebody installs or builds first.
const INSTALLED: &[&str] = &["node_modules", ".venv", "venv", "target", "dist", "build"];

/// Looks at a file; whether it is not there.
pub(super) fn look_at(case: &Case<'_>, named: &Named<'_>, path: &Path, depends: bool, told: &mut Told<'_, '_>) -> bool {
    match case.look.at(path) {
        Found::Unknown => false,
        Found::Nothing => {
            let installed = |part: Component<'_>| INSTALLED.iter().any(|name| part.as_os_str() == *name);
            if path.components().any(installed) || is_found_otherwise(case, named, path) {
                return false;
            }
            told.push(missing(case, named, path, depends, told));
            true
        }
        Found::Folder => {
            if let How::Direct = named.how {
                let message =
                    format!("`{}` is a folder: the shell exits with 126, {}", named.shown, case.exits(126).words());
                told.push(named.tell(told, &codes::SCRIPT_IS_A_FOLDER, message).severity(case.loss()));
            }
            false
        }
        Found::File { executable } => {
            if case.input.platform != Platform::Windows && !interpreter::is_windows(named.value) {
                start(case, named, path, executable, told);
            }
            false
        }
    }
}

/// Whether the program that is given a path may find another file by it.
fn is_found_otherwise(case: &Case<'_>, named: &Named<'_>, path: &Path) -> bool {
    let How::By(interpreter) = named.how else { return false };
    match interpreter.family {
        // Node and its kin try the endings of modules.
        Family::JavaScript => ["js", "mjs", "cjs", "json", "node", "ts", "mts", "tsx"].iter().any(|ending| {
            let mut other = path.as_os_str().to_owned();
            other.push(".");
            other.push(ending);
            matches!(case.look.at(Path::new(&other)), Found::File { .. })
        }),
        // bash looks on PATH for a name without a slash, and for what it sources every shell does.
        Family::Shell => !named.value.contains('/') && case.look.on_path(named.value) != Some(false),
        Family::None => !named.value.contains('/'),
        _ => false,
    }
}

fn missing(case: &Case<'_>, named: &Named<'_>, path: &Path, depends: bool, told: &Told<'_, '_>) -> Diagnostic {
    let (what, upshot) = match (named.how, named.form) {
        (How::Direct, Language::Exec) => ("it cannot be started".to_owned(), not_started(case)),
        (How::Direct, _) => ("the shell exits with 127".to_owned(), case.exits(127)),
        (How::By(interpreter), _) => match interpreter.missing {
            Some(code) => (format!("{} exits with {code}", interpreter.name), case.exits(code)),
            None => (format!("{} fails", interpreter.name), case.exits(1)),
        },
    };
    let root = case.input.root;
    let of_windows = case.input.platform != Platform::Windows && interpreter::is_on_drive(named.value);
    let relative = !Path::new(named.value).is_absolute();
    let place = match path.strip_prefix(root) {
        _ if of_windows => format!("`{}`, which is a path of Windows, on this machine", named.value),
        Ok(below) => {
            let here = relative && !depends && case.folder.path() == root;
            let below = below.to_string_lossy().replace('\\', "/");
            format!("`{below}` below the project's root{}", if here { ", where the hook runs" } else { "" })
        }
        Err(_) if relative => {
            format!("`{}` below `{}`, where the hook runs", named.value, case.folder.path().display())
        }
        Err(_) => format!("`{}`", named.value),
    };
    let message = format!("there is no {place}: {what}, {}", upshot.words());
    // Where everybody has Windows the file may well be there.
    let severity = if upshot == Upshot::Nothing || of_windows { Severity::Warning } else { Severity::Error };
    let mut found = named.tell(told, &codes::SCRIPT_MISSING, message).severity(severity);
    if let Some(help) = why_not_there(case, named, path, of_windows) {
        return found.help(help);
    }
    let literal = named.part.as_ref().and_then(|part| named.text.text.get(part.clone())) == Some(named.value);
    if let Some(meant) = elsewhere(case, named.value, path) {
        found = found.help(format!("Write `{meant}`, which is there."));
        if let (true, Some(part), Some(text)) = (literal, &named.part, named.text.written(&shown(&meant))) {
            found = found.edit(named.text.range(part), text).changes("the script runs, which it did not before");
        }
    }
    found
}

/// What to write where the way in which a path is written is why nothing is there.
fn why_not_there(case: &Case<'_>, named: &Named<'_>, path: &Path, of_windows: bool) -> Option<String> {
    let value = named.value;
    if named.form == Language::Posix && !of_windows {
        if value.contains(['"', '\'']) {
            return Some(
                "The quotes are escaped once too often, so that they are part of the path: write them plainly."
                    .to_owned(),
            );
        }
        if value.starts_with("~/") {
            return Some(format!("In quotes `~` is no home folder. Write `\"$HOME/{}\"`.", &value.get(2..)?));
        }
        let variable = value.strip_prefix('$').map(|rest| rest.trim_start_matches('{'));
        if variable.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')) {
            return Some(format!("In single quotes a variable is plain text. Write `\"{value}\"`."));
        }
    }
    let in_project = path.starts_with(case.input.root) && !of_windows;
    let is_shared = Path::new(&case.definition.source.path).starts_with(case.input.root);
    (is_shared && somebodys_home(value) && !in_project).then(|| {
        "It is in one person's home folder. Write a path that is there for everybody: below the project's root, with `$HOME`, \
         or a program's name on PATH."
            .to_owned()
    })
}

/// Whether a path lies in the home folder of somebody with a name.
fn somebodys_home(value: &str) -> bool {
    let value = value.replace('\\', "/");
    let value = if interpreter::is_on_drive(&value) { value.get(2..).unwrap_or_default() } else { &value };
    let below = value.strip_prefix("/Users/").or_else(|| value.strip_prefix("/home/"));
    below.is_some_and(|below| below.contains('/') && !below.starts_with("Shared/"))
}

/// The path, from where the hook runs, of a file that is there and was probably meant.
fn elsewhere(case: &Case<'_>, value: &str, path: &Path) -> Option<String> {
    if Path::new(value).is_absolute() {
        return None;
    }
    let folder = case.folder.path();
    if plain(&folder.join(value)) != path {
        // Behind `cd` it counts from another folder.
        return None;
    }
    let document = Path::new(&case.definition.source.path).parent()?;
    let below = plain(Path::new(value));
    let without_first = below.components().skip(1).collect::<PathBuf>();
    let candidates = [document.join(&below), case.input.root.join(&below), folder.join(&without_first)];
    let is_file = |path: &PathBuf| matches!(case.look.at(path), Found::File { .. });
    let there = candidates.into_iter().find(|other| other != path && is_file(other))?;
    let below = there.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
    Some(if below.contains('/') { below } else { format!("./{below}") })
}

fn not_started(case: &Case<'_>) -> Upshot {
    case.upshot(&Outcome::ended(End::FailedToStart("not found".to_owned())))
}

/// Whether the system can start a file that is there.
fn start(case: &Case<'_>, named: &Named<'_>, path: &Path, executable: bool, told: &mut Told<'_, '_>) {
    if let How::By(interpreter) = named.how {
        let Some(first) = case.look.head(path).and_then(|head| shebang(&head)) else { return };
        let Some(own) = interpreter::of(&first.program) else { return };
        if interpreter.family != Family::None && own.family != interpreter.family {
            let message = format!(
                "`{}` is given to {}, and its first line names {}",
                named.shown, interpreter.name, first.program
            );
            let help = format!("Write `{} {}`.", first.program, named.shown);
            told.push(named.tell(told, &codes::WRONG_INTERPRETER, message).severity(case.loss()).help(help));
        }
        return;
    }
    if !executable {
        let (what, upshot) = match named.form {
            Language::Exec => ("it cannot be started", not_started(case)),
            _ => ("the shell exits with 126", case.exits(126)),
        };
        let message = format!("`{}` is not executable: {what}, {}", named.shown, upshot.words());
        let help = format!("Make it executable (`chmod +x {}`), or run it with its interpreter.", shown(&named.shown));
        told.push(named.tell(told, &codes::SCRIPT_NOT_EXECUTABLE, message).severity(case.loss()).help(help));
        return;
    }
    let Some(head) = case.look.head(path).filter(|head| !head.is_empty() && !is_binary(head)) else { return };
    let upshot = || if named.form == Language::Exec { not_started(case) } else { case.exits(127) };
    let Some(first) = shebang(&head) else {
        told.push(no_shebang(case, named, path, &head, told));
        return;
    };
    if first.carriage_return {
        let message = format!(
            "the first line of `{}` ends in a carriage return, so its interpreter is not found and the run fails, {}",
            named.shown,
            upshot().words()
        );
        told.push(named.tell(told, &codes::SHEBANG_CRLF, message).severity(case.loss()));
        return;
    }
    let gone = match &first.path {
        Some(path) => case.look.at(Path::new(path)) == Found::Nothing,
        None => case.look.on_path(&first.program) == Some(false),
    };
    if gone {
        let interpreter = first.path.as_deref().unwrap_or(&first.program);
        let message = format!(
            "the first line of `{}` names `{interpreter}`, which is not on this machine: the run fails, {}",
            named.shown,
            upshot().words()
        );
        // Another machine may have it.
        told.push(named.tell(told, &codes::SHEBANG_INTERPRETER_MISSING, message).severity(Severity::Warning));
    }
}

fn no_shebang(case: &Case<'_>, named: &Named<'_>, path: &Path, head: &[u8], told: &Told<'_, '_>) -> Diagnostic {
    let byte_order_mark = head.starts_with(b"\xef\xbb\xbf#!");
    let subject = match byte_order_mark {
        true => format!("a byte order mark stands before the `#!` of `{}`, which makes it none", named.shown),
        false => format!("`{}` has no `#!` line", named.shown),
    };
    if named.form == Language::Exec {
        let message = format!("{subject}, so it cannot be started without a shell, {}", not_started(case).words());
        return named.tell(told, &codes::SHEBANG_MISSING, message).severity(case.loss());
    }
    let language = path.extension().and_then(|extension| interpreter::by_extension(extension.to_str()?));
    match language {
        Some(language) => {
            let message = format!("{subject}, so a shell reads this {} as shell text", language.0);
            let help =
                format!("Begin it with a line that names its interpreter, such as `#!/usr/bin/env {}`.", language.1);
            named.tell(told, &codes::SHEBANG_MISSING, message).severity(case.loss()).help(help)
        }
        None => {
            let message = format!("{subject}: the shell that runs the hook reads it, which is not the same everywhere");
            named.tell(told, &codes::SHEBANG_MISSING, message)
        }
    }
}

/// What a script's first line says.
struct Shebang {
    /// The interpreter's path, unless `env` finds it.
    path: Option<String>,
    /// The interpreter's name.
    program: String,
    carriage_return: bool,
}

fn shebang(head: &[u8]) -> Option<Shebang> {
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let carriage_return = line.ends_with('\r');
    let mut words = line.split_whitespace();
    let path = words.next()?;
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    if name(path) != "env" {
        return Some(Shebang { path: Some(path.to_owned()), program: name(path), carriage_return });
    }
    let program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    Some(Shebang { path: None, program: program.to_owned(), carriage_return })
}

fn is_binary(head: &[u8]) -> bool {
    head.iter().take(512).any(|byte| *byte == 0) || head.starts_with(b"MZ")
}

/// A path for a person: of one below the project's root only what is below.
pub(super) fn below_root(case: &Case<'_>, value: &str) -> String {
    let below = Path::new(value).strip_prefix(case.input.root).ok().filter(|below| !below.as_os_str().is_empty());
    below.map_or_else(|| value.to_owned(), |below| below.to_string_lossy().replace('\\', "/"))
}

/// A name that needs quotes gets them.
pub(super) fn shown(name: &str) -> String {
    let safe = |c: char| c.is_alphanumeric() || "._-/+@,=:".contains(c);
    if name.chars().all(safe) { name.to_owned() } else { format!("'{}'", name.replace('\'', r"'\''")) }
}
