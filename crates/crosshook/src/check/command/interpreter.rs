//! Programs that are given the path of a script, and what is known of how they are called.

use super::shell::Word;

/// A family of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Not known.
    None,
    /// Shells.
    Shell,
    /// Python.
    Python,
    /// JavaScript and TypeScript.
    JavaScript,
    /// Ruby.
    Ruby,
    /// Perl.
    Perl,
    /// PHP.
    Php,
}

/// A program that runs scripts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interpreter {
    /// Its name.
    pub name: &'static str,
    /// What it runs.
    pub family: Family,
    /// What it exits with where the script is not there; `None` where that differs.
    pub missing: Option<i32>,
    /// Options that take no argument and may stand before the script.
    options: &'static [&'static str],
    /// The option behind which a text stands instead.
    text: Option<&'static str>,
}

const SHELL_OPTIONS: &[&str] =
    &["-e", "-u", "-x", "-l", "-eu", "-ex", "-ux", "-eux", "-ue", "--norc", "--noprofile", "--posix"];
const PYTHON_OPTIONS: &[&str] = &["-u", "-B", "-E", "-s", "-S", "-I", "-O", "-OO", "-q"];

const fn shell(name: &'static str, missing: Option<i32>) -> Interpreter {
    Interpreter { name, family: Family::Shell, missing, options: SHELL_OPTIONS, text: Some("-c") }
}

const fn of_language(name: &'static str, family: Family, missing: Option<i32>) -> Interpreter {
    Interpreter { name, family, missing, options: &[], text: None }
}

/// The interpreters. What they exit with where a script is missing was seen on Linux: bash 5.2 127, Python 3.11 2, Node 20
/// 1, Perl 5.36 2; `sh` differs with the shell behind it (dash 0.5.12: 2, bash: 127).
static ALL: &[Interpreter] = &[
    shell("sh", None),
    shell("bash", Some(127)),
    shell("dash", Some(2)),
    shell("zsh", Some(127)),
    shell("ksh", None),
    Interpreter { options: PYTHON_OPTIONS, ..of_language("python3", Family::Python, Some(2)) },
    Interpreter { options: PYTHON_OPTIONS, ..of_language("python", Family::Python, Some(2)) },
    of_language("node", Family::JavaScript, Some(1)),
    of_language("bun", Family::JavaScript, None),
    of_language("tsx", Family::JavaScript, None),
    of_language("ruby", Family::Ruby, None),
    of_language("perl", Family::Perl, Some(2)),
    of_language("php", Family::Php, None),
];

/// A script that the shell itself reads.
pub(super) static SOURCED: Interpreter =
    Interpreter { name: "the shell", family: Family::None, missing: None, options: &[], text: None };

/// What an interpreter is given.
pub(super) enum Given<'w> {
    /// A script.
    File(&'w Word),
    /// A text.
    Text(&'w Word),
}

/// The interpreter of a name or path; of Python every version.
pub(super) fn of(program: &str) -> Option<&'static Interpreter> {
    let name = program.rsplit('/').next().unwrap_or(program);
    let name = match name.strip_prefix("python3.") {
        Some(minor) if minor.chars().all(|c| c.is_ascii_digit()) => "python3",
        _ => name,
    };
    ALL.iter().find(|interpreter| interpreter.name == name)
}

impl Interpreter {
    /// The script or text among its arguments; `None` where an option stands before it whose meaning is not known.
    pub(super) fn script<'w>(&self, mut words: &'w [Word]) -> Option<Given<'w>> {
        loop {
            let (first, rest) = words.split_first()?;
            let Some(word) = first.literal() else { return Some(Given::File(first)) };
            if Some(word.as_str()) == self.text {
                return rest.first().map(Given::Text);
            }
            if self.options.contains(&word.as_str()) || word == "--" {
                words = rest;
                continue;
            }
            let is_script = !word.starts_with('-') && (word.contains('/') || word.contains('.'));
            return is_script.then_some(Given::File(first));
        }
    }
}

/// What stands behind `env` and its assignments.
pub(super) fn behind_env(mut words: &[Word]) -> Option<&[Word]> {
    loop {
        let (first, rest) = words.split_first()?;
        let Some(word) = first.literal() else {
            let raw = first.pieces.first();
            let assigns = matches!(raw, Some(super::shell::Piece::Text { text, quoted: false }) if text.contains('='));
            if assigns {
                words = rest;
                continue;
            }
            return Some(words);
        };
        match word.as_str() {
            "-i" | "-" | "--" => words = rest,
            _ if word.starts_with('-') => return None,
            _ if word.contains('=') => words = rest,
            _ => return Some(words),
        }
    }
}

/// What stands behind `timeout` and its duration.
pub(super) fn behind_timeout(words: &[Word]) -> Option<&[Word]> {
    let (first, rest) = words.split_first()?;
    let duration = first.literal()?;
    duration.starts_with(|c: char| c.is_ascii_digit()).then_some(rest)
}

/// The language of a file's name ending, of those that no shell reads, with its usual interpreter.
pub(super) fn by_extension(extension: &str) -> Option<(&'static str, &'static str)> {
    Some(match extension {
        "py" => ("Python", "python3"),
        "js" | "mjs" | "cjs" => ("JavaScript", "node"),
        "ts" | "mts" => ("TypeScript", "tsx"),
        "rb" => ("Ruby", "ruby"),
        "pl" => ("Perl", "perl"),
        "php" => ("PHP", "php"),
        _ => return None,
    })
}

/// Whether a name is that of a program of Windows: what is written for another system says nothing about this one.
pub(super) fn is_windows(program: &str) -> bool {
    let name = program.to_ascii_lowercase();
    let ends = [".exe", ".cmd", ".bat", ".ps1"].iter().any(|ending| name.ends_with(ending));
    ends || matches!(name.as_str(), "powershell" | "pwsh" | "cmd")
}

/// Whether a shell knows a name itself.
pub(super) fn is_builtin(name: &str) -> bool {
    const NAMES: &[&str] = &[
        ".",
        ":",
        "[",
        "[[",
        "alias",
        "bg",
        "break",
        "builtin",
        "cd",
        "command",
        "continue",
        "declare",
        "echo",
        "eval",
        "exec",
        "exit",
        "export",
        "false",
        "fg",
        "getopts",
        "hash",
        "jobs",
        "kill",
        "let",
        "local",
        "mapfile",
        "popd",
        "printf",
        "pushd",
        "pwd",
        "read",
        "readarray",
        "readonly",
        "return",
        "set",
        "shift",
        "shopt",
        "source",
        "test",
        "times",
        "trap",
        "true",
        "type",
        "typeset",
        "ulimit",
        "umask",
        "unalias",
        "unset",
        "wait",
    ];
    NAMES.contains(&name)
}
