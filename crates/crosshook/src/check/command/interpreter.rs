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
    /// Letters of options that take no argument and may stand before the script, also several behind one `-`.
    letters: &'static str,
    /// Long options that take no argument, and short ones of several letters.
    options: &'static [&'static str],
    /// Options with an argument behind them.
    with_argument: &'static [&'static str],
    /// What may stand before the script's options, as in `bun run`.
    subcommand: &'static [&'static str],
}

const SHELL_OPTIONS: &[&str] = &["--norc", "--noprofile", "--posix", "--login"];
const NODE_OPTIONS: &[&str] = &[
    "--no-warnings",
    "--no-deprecation",
    "--trace-warnings",
    "--enable-source-maps",
    "--experimental-strip-types",
    "--experimental-transform-types",
];

const UV_OPTIONS: &[&str] = &[
    "--script",
    "-s",
    "--quiet",
    "-q",
    "--no-project",
    "--frozen",
    "--locked",
    "--offline",
    "--no-sync",
    "--isolated",
];

const fn shell(name: &'static str, missing: Option<i32>) -> Interpreter {
    let of_shell = of_language(name, Family::Shell, missing);
    Interpreter { letters: "aefhilmnuvx", options: SHELL_OPTIONS, with_argument: &["-o"], ..of_shell }
}

const fn python(name: &'static str) -> Interpreter {
    let of_python = of_language(name, Family::Python, Some(2));
    Interpreter { letters: "uBEsSIOqb", with_argument: &["-X", "-W"], ..of_python }
}

const fn of_language(name: &'static str, family: Family, missing: Option<i32>) -> Interpreter {
    Interpreter { name, family, missing, letters: "", options: &[], with_argument: &[], subcommand: &[] }
}

/// The interpreters. What they exit with where a script is missing was seen on Linux: bash 5.2 127, Python 3.11 2, Node 20
/// 1, Perl 5.36 2, uv 0.13 2; `sh` differs with the shell behind it (dash 0.5.12: 2, bash: 127).
static ALL: &[Interpreter] = &[
    shell("sh", None),
    shell("bash", Some(127)),
    shell("dash", Some(2)),
    shell("zsh", Some(127)),
    shell("ksh", None),
    python("python3"),
    python("python"),
    Interpreter { options: NODE_OPTIONS, ..of_language("node", Family::JavaScript, Some(1)) },
    Interpreter { subcommand: &["run"], ..of_language("bun", Family::JavaScript, None) },
    Interpreter { options: NODE_OPTIONS, ..of_language("tsx", Family::JavaScript, None) },
    Interpreter {
        options: &["-A", "-q", "--quiet"],
        subcommand: &["run"],
        ..of_language("deno", Family::JavaScript, None)
    },
    Interpreter { options: UV_OPTIONS, subcommand: &["run"], ..of_language("uv", Family::None, Some(2)) },
    of_language("ruby", Family::Ruby, None),
    Interpreter { letters: "wT", ..of_language("perl", Family::Perl, Some(2)) },
    of_language("php", Family::Php, None),
];

/// A script that the shell itself reads.
pub(super) static SOURCED: Interpreter = of_language("the shell", Family::None, None);

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
        if let Some((first, rest)) = words.split_first()
            && first.literal().is_some_and(|word| self.subcommand.contains(&word.as_str()))
        {
            words = rest;
        }
        loop {
            let (first, rest) = words.split_first()?;
            let Some(word) = first.literal() else { return Some(Given::File(first)) };
            if self.family == Family::Shell && self.letters(&word, "c").is_some_and(|letters| letters.contains('c')) {
                return rest.first().map(Given::Text);
            }
            // The last of several letters may be one with an argument: `bash -euo pipefail`.
            let last = word.chars().last().map(|last| format!("-{last}"));
            let takes = |option: &str| self.with_argument.contains(&option);
            let clustered = || last.as_deref().is_some_and(|last| takes(last) && self.letters(&word, last).is_some());
            if takes(&word) || clustered() {
                words = rest.get(1..)?;
                continue;
            }
            let flag = self.options.contains(&word.as_str()) || self.letters(&word, "").is_some();
            // Deno says in options what a script may do.
            if flag || word == "--" || self.name == "deno" && word.starts_with("--allow-") {
                words = rest;
                continue;
            }
            let is_script = !word.starts_with('-') && (word.contains('/') || word.contains('.'));
            return is_script.then_some(Given::File(first));
        }
    }
}

impl Interpreter {
    /// Whether an option makes a login shell of a shell, which reads what sets `PATH`.
    pub(super) fn is_login(&self, option: &str) -> bool {
        option == "--login" || self.letters(option, "c").is_some_and(|letters| letters.contains('l'))
    }

    /// The letters of an option that is made of known ones, and of those of `more`.
    fn letters<'o>(&self, option: &'o str, more: &str) -> Option<&'o str> {
        let letters = option.strip_prefix('-').filter(|letters| !letters.is_empty() && !letters.starts_with('-'))?;
        letters.chars().all(|letter| self.letters.contains(letter) || more.contains(letter)).then_some(letters)
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

/// What stands behind `timeout`, its options and its duration.
pub(super) fn behind_timeout(mut words: &[Word]) -> Option<&[Word]> {
    loop {
        let (first, rest) = words.split_first()?;
        let word = first.literal()?;
        words = match word.as_str() {
            "-k" | "-s" | "--kill-after" | "--signal" => rest.get(1..)?,
            "--foreground" | "--preserve-status" => rest,
            _ if word.starts_with("--kill-after=") || word.starts_with("--signal=") => rest,
            _ => return word.starts_with(|c: char| c.is_ascii_digit()).then_some(rest),
        };
    }
}

/// What stands behind `nice` and how nice it is.
pub(super) fn behind_nice(words: &[Word]) -> Option<&[Word]> {
    let (first, rest) = words.split_first()?;
    match first.literal()?.as_str() {
        "-n" => rest.get(1..),
        word if word.starts_with('-') => Some(rest),
        _ => Some(words),
    }
}

/// What stands behind a program that runs another one of its packages, or of an environment, and that one's own options.
/// `None` for what is no such program, and where what it runs is not known.
pub(super) fn behind_runner<'w>(name: &str, words: &'w [Word]) -> Option<&'w [Word]> {
    let (subcommands, options): (&[&str], &[&str]) = match name {
        "npx" | "bunx" => (&[], &["-y", "--yes", "-q", "--quiet", "--no", "--no-install", "--bun"]),
        "pnpm" | "yarn" | "npm" => (&["exec", "dlx"], &["-s", "--silent", "--"]),
        "poetry" | "uv" | "pipenv" => (&["run"], UV_OPTIONS),
        _ => return None,
    };
    let (first, rest) = words.split_first()?;
    let mut words = match subcommands {
        [] => words,
        _ if first.literal().is_some_and(|word| subcommands.contains(&word.as_str())) => rest,
        _ => return None,
    };
    while let Some((first, rest)) = words.split_first()
        && first.literal().is_some_and(|word| options.contains(&word.as_str()))
    {
        words = rest;
    }
    // What is no known interpreter finds its files in its own way.
    let (first, _) = words.split_first()?;
    of(&first.literal()?)?;
    Some(words)
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

/// Whether a path begins with a drive, as those of Windows do.
pub(super) fn is_on_drive(path: &str) -> bool {
    let mut start = path.chars();
    start.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && start.next() == Some(':')
        && matches!(start.next(), Some('/' | '\\'))
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
