//! The scripts that a command runs: which files they are, as far as that is certain.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use hooks_core::Severity;
use hooks_core::location::Platform;
use hooks_core::outcome::Program;

use super::file::{How, Named, below_root, look_at, shown};
use super::interpreter;
use super::look::{Found, plain};
use super::shell::{self, Joint, Piece, Script, Simple, Word};
use super::{Case, Folder, Language, Told};
use crate::check::codes;

/// A file that a text runs.
pub(super) struct Ran {
    /// Which of the text's commands runs it.
    pub at: usize,
    /// The bytes of the word that names it.
    pub word: Range<usize>,
    /// The file, where that is certain.
    pub path: Option<PathBuf>,
}

/// Looks at the scripts that a shell text runs; gives those that its own commands run.
pub(super) fn check(case: &Case<'_>, script: &Script, told: &mut Told<'_, '_>) -> Vec<Ran> {
    Walk::new(case, 0).run(script, told)
}

/// One pass over the commands of a text.
struct Walk<'c> {
    case: &'c Case<'c>,
    /// The byte of the command's text at which this text begins.
    base: usize,
    /// The folder that relative paths count from; `None` once that is not certain.
    folder: Option<Folder>,
    /// What the text itself sets; `None` for what is not certain.
    set: HashMap<String, Option<String>>,
    folders: Vec<(&'static str, String)>,
    /// What commands so far were given and wrote to: files and folders that they may have made.
    made: HashSet<&'c str>,
}

/// What a command runs.
enum Target<'w> {
    /// A file, or a program by its name; with the interpreter's name where one is given the file.
    File { how: How, word: &'w Word, interpreter: Option<&'w Word> },
    /// Another shell text.
    Text { word: &'w Word },
}

impl<'c> Walk<'c> {
    fn new(case: &'c Case<'c>, base: usize) -> Self {
        let root = case.input.root.to_string_lossy();
        let folders = case.adapter.folder_variables(&case.definition.source, &root);
        Self { case, base, folder: Some(case.folder.clone()), set: HashMap::new(), folders, made: HashSet::new() }
    }

    fn run(&mut self, script: &Script, told: &mut Told<'_, '_>) -> Vec<Ran> {
        let mut ran = Vec::new();
        // Whoever asks whether something is there knows what to do where it is not.
        let asks = script.commands.iter().any(asks);
        for (at, command) in script.commands.iter().enumerate() {
            if command.words.is_empty() {
                for (name, value) in &command.assignments {
                    let value = self.value(value);
                    self.set.insert(name.clone(), value);
                }
                continue;
            }
            if self.changes_folder(command, script.compound) {
                continue;
            }
            let before = at.checked_sub(1).and_then(|before| script.commands.get(before));
            let text = self.text();
            self.made.extend(before.into_iter().flat_map(|before| given(text, before)));
            let Some(target) = target(command) else { continue };
            let next = script.commands.get(at + 1);
            let handled = command.after == Joint::Or && !next.is_some_and(does_nothing);
            let certain = !script.compound && !asks && !handled && command.before != Joint::Or && !command.nested;
            match target {
                Target::File { how, word, interpreter } => {
                    if let (Some(interpreter), true) = (interpreter, certain) {
                        self.file(How::Direct, interpreter, certain, told);
                    }
                    let path = self.file(how, word, certain, told);
                    if let Some(path) = path {
                        ran.push(Ran { at, word: word.range.clone(), path });
                    }
                }
                Target::Text { word } => self.inner(word, certain, told),
            }
        }
        ran
    }

    /// A text given to another shell: looked at where it stands in the command as it is.
    fn inner(&mut self, word: &Word, certain: bool, told: &mut Told<'_, '_>) {
        let [Piece::Text { text, quoted: true }] = word.pieces.as_slice() else { return };
        let raw = self.text().get(word.range.clone()).unwrap_or_default();
        if !certain || raw.len() != text.len() + 2 {
            return;
        }
        let Ok(script) = shell::read(text) else { return };
        // What the other shell inherits of these is not known.
        let set = self.set.keys().map(|name| (name.clone(), None)).collect();
        let mut inner = Walk {
            case: self.case,
            base: self.base + word.range.start + 1,
            folder: self.folder.clone(),
            set,
            folders: self.folders.clone(),
            made: self.made.clone(),
        };
        inner.run(&script, told);
    }

    /// The text that this walk is over.
    fn text(&self) -> &'c str {
        self.case.command.text.get(self.base..).unwrap_or_default()
    }

    /// Follows `cd`; whether the command is one.
    fn changes_folder(&mut self, command: &Simple, compound: bool) -> bool {
        match command.program().as_deref() {
            Some("cd") => {
                let to = match command.words.get(1..) {
                    Some([word]) => self.value(word),
                    _ => None,
                };
                let follows = matches!(command.after, Joint::And | Joint::Then) && !compound && !command.nested;
                self.folder = to.filter(|_| follows).and_then(|to| match Path::new(&to).is_absolute() {
                    true => Some(Folder::Fixed(PathBuf::from(to))),
                    false => self.folder.as_ref().map(|folder| match folder {
                        Folder::Fixed(path) => Folder::Fixed(plain(&path.join(&to)).into_owned()),
                        Folder::Session(path) => Folder::Session(plain(&path.join(&to)).into_owned()),
                    }),
                });
                true
            }
            Some("pushd" | "popd") => {
                self.folder = None;
                true
            }
            _ => false,
        }
    }

    /// The text that a word comes to, where that is certain.
    fn value(&self, word: &Word) -> Option<String> {
        let mut value = String::new();
        for piece in &word.pieces {
            match piece {
                Piece::Text { text, quoted } if *quoted || !shell::is_special(text, value.is_empty()) => {
                    value.push_str(text);
                }
                Piece::Text { text, .. } if value.is_empty() && (text == "~" || text.starts_with("~/")) => {
                    value.push_str(&self.case.input.home?.to_string_lossy());
                    value.push_str(text.get(1..)?);
                }
                Piece::Text { .. } => return None,
                Piece::Variable(variable) if variable.plain => value.push_str(&self.variable(&variable.name)?),
                Piece::Variable(_) => return None,
                Piece::Substitution { inner, .. } => value.push_str(&self.substitution(inner)?),
            }
        }
        Some(value)
    }

    fn variable(&self, name: &str) -> Option<String> {
        if let Some(set) = self.set.get(name) {
            return set.clone();
        }
        if let Some((_, folder)) = self.folders.iter().find(|(own, _)| *own == name) {
            return Some(folder.clone());
        }
        match name {
            "PWD" => match self.folder.as_ref()? {
                Folder::Fixed(path) => Some(path.to_string_lossy().into_owned()),
                Folder::Session(_) => None,
            },
            "HOME" => self.case.input.home.map(|home| home.to_string_lossy().into_owned()),
            _ => None,
        }
    }

    /// The one substitution whose value is known without running it: the root of a repository.
    fn substitution(&self, inner: &Range<usize>) -> Option<String> {
        let words: Vec<&str> = self.text().get(inner.clone())?.split_whitespace().collect();
        let is_root = matches!(words.as_slice(), ["git", "rev-parse", "--show-toplevel", rest @ ..] if rest.iter().all(|rest| *rest == "2>/dev/null"));
        let root = self.case.input.root;
        let is_there = || matches!(self.case.look.at(&root.join(".git")), Found::Folder | Found::File { .. });
        (is_root && is_there()).then(|| root.to_string_lossy().into_owned())
    }

    /// Looks at what a word names. Gives the file; nothing inside where it is not certain which, nothing where the word
    /// names no file.
    fn file(&self, how: How, word: &Word, certain: bool, told: &mut Told<'_, '_>) -> Option<Option<PathBuf>> {
        let case = self.case;
        let part = word.range.start + self.base..word.range.end + self.base;
        let Some(value) = self.value(word) else { return is_path(word).then_some(None) };
        let named = Named {
            shown: below_root(case, &value),
            text: &case.command,
            part: Some(part.clone()),
            value: &value,
            how,
            form: Language::Posix,
        };
        if let (How::Direct, false) = (how, value.contains('/')) {
            if certain {
                self.program(&named, told);
            }
            return None;
        }
        let absolute = Path::new(&value).is_absolute();
        let folder = if absolute { Some(Folder::Fixed(PathBuf::new())) } else { self.folder.clone() };
        let Some(folder) = folder else { return Some(None) };
        let path = plain(&folder.path().join(&value)).into_owned();
        let depends = matches!(folder, Folder::Session(_));
        let raw = bare(case.command.text.get(part.clone()).unwrap_or_default());
        let may_be_made =
            raw.match_indices('/').any(|(at, _)| raw.get(..at).is_some_and(|folder| self.made.contains(folder)))
                || self.made.contains(raw);
        let missing = certain && case.placed && !may_be_made && look_at(case, &named, &path, depends, told);
        let elsewhere = case.input.platform != Platform::Windows && interpreter::is_on_drive(&value);
        if depends && !missing && !elsewhere && !case.is_plugins_file() {
            self.relative(word, &value, &part, told);
        }
        Some(case.placed.then_some(path))
    }

    /// A program by its name alone.
    fn program(&self, named: &Named<'_>, told: &mut Told<'_, '_>) {
        let case = self.case;
        let known = interpreter::is_builtin(named.value) || named.value.is_empty();
        // A name with backslashes is a path of Windows, whatever is left of it.
        let raw = named.part.as_ref().and_then(|part| named.text.text.get(part.clone()));
        let of_windows = interpreter::is_windows(named.value) || raw.is_some_and(|raw| raw.contains('\\'));
        if !case.placed || case.login || known || of_windows || case.input.platform == Platform::Windows {
            return;
        }
        if case.look.on_path(named.value) != Some(false) {
            return;
        }
        let beside = self.folder.as_ref().map(|folder| folder.path().join(named.value));
        let beside = beside.filter(|path| matches!(case.look.at(path), Found::File { .. }));
        let found = match beside {
            Some(_) => {
                let message = format!(
                    "`{}` has no slash, so the shell looks for it on PATH and not where it runs: it exits with 127, {}",
                    named.value,
                    case.exits(127).words()
                );
                let mut found = named.tell(told, &codes::PROGRAM_NOT_FOUND, message);
                found = found.severity(case.loss()).help(format!("Write `./{}`.", named.value));
                if let (Some(part), Some(text)) = (&named.part, case.command.written(&format!("./{}", named.value))) {
                    let range = case.command.range(part);
                    found = found.edit(range, text).changes("the script runs, which it did not before");
                }
                found
            }
            None => {
                let message = format!(
                    "there is no program `{}` on PATH here; that of {}'s own processes may differ",
                    named.value,
                    case.vendor()
                );
                named.tell(told, &codes::PROGRAM_NOT_FOUND, message)
            }
        };
        told.push(found);
    }

    /// A path that counts from wherever the session stands.
    fn relative(&self, word: &Word, value: &str, part: &Range<usize>, told: &mut Told<'_, '_>) {
        let case = self.case;
        let has_name = value.contains('/') || Path::new(value).extension().is_some();
        let root = self.folders.iter().find(|(name, _)| {
            if case.is_plugins() { name.ends_with("PLUGIN_ROOT") } else { name.ends_with("PROJECT_DIR") }
        });
        // Where the vendor has no variable for the root, a relative path is what most write: told where a guard is lost by it.
        if !has_name || root.is_none() && !case.guards() {
            return;
        }
        let message = format!(
            "`{value}` counts from where the session stands: {} runs hooks there, so it is not found once that is another folder than the project's root",
            case.vendor()
        );
        let severity = if case.guards() { Severity::Warning } else { Severity::Info };
        let mut found = told.at(&codes::RELATIVE_PATH, &case.command, Some(part), message).severity(severity);
        let below = value.strip_prefix("./").unwrap_or(value);
        let moved = self.folder.as_ref().is_some_and(|folder| folder.path() != case.folder.path());
        match root {
            // The folder that `cd` changed to counts from there too: an absolute path behind it would never be come to.
            _ if moved => {
                let folder = self.folder.as_ref().and_then(|folder| folder.path().strip_prefix(case.input.root).ok());
                let folder = folder.map(|folder| folder.to_string_lossy().replace('\\', "/"));
                let folder = folder.filter(|folder| !folder.is_empty()).map_or_else(String::new, |it| format!("/{it}"));
                let start =
                    root.map_or_else(|| "$(git rev-parse --show-toplevel)".to_owned(), |(name, _)| format!("${name}"));
                found = found.help(format!("Let `cd` count from the root: `cd \"{start}{folder}\"`."));
            }
            Some((name, _)) => {
                found = found.help(format!("Write `\"${name}\"/{below}`."));
                if word.literal().is_some()
                    && let Some(text) = case.command.written(&format!("\"${name}\"/{}", shown(below)))
                {
                    let range = case.command.range(part);
                    found = found.edit(range, text).changes("the script is found wherever the session stands");
                }
            }
            None => found = found.help(format!("Write `\"$(git rev-parse --show-toplevel)/{below}\"`.")),
        }
        told.push(found);
    }
}

/// The paths among what a command is given and where its output goes, as they are written.
fn given<'t>(text: &'t str, command: &Simple) -> Vec<&'t str> {
    // What a shell knows itself makes no files but by redirection.
    let makes = command.program().is_none_or(|name| !interpreter::is_builtin(&name));
    let words = command.words.iter().skip(1).filter(|_| makes).chain(command.redirections.iter().map(|(_, word)| word));
    words.filter_map(|word| Some(bare(text.get(word.range.clone())?))).filter(|word| !word.is_empty()).collect()
}

/// A path as it is written, without quotes around it and `./` before it.
fn bare(raw: &str) -> &str {
    let raw = raw.trim_matches(['"', '\'']);
    raw.strip_prefix("./").unwrap_or(raw).trim_end_matches('/')
}

/// Whether a word that cannot be followed is a path.
fn is_path(word: &Word) -> bool {
    word.pieces.iter().any(|piece| match piece {
        Piece::Text { text, .. } => text.contains('/'),
        _ => true,
    })
}

/// A command that asks whether something is there.
pub(super) fn asks(command: &Simple) -> bool {
    match command.program().as_deref() {
        Some("[" | "[[" | "test" | "which" | "type" | "hash") => true,
        // Without an option it runs what follows.
        Some("command") => command.words.get(1).and_then(Word::literal).is_some_and(|option| option.starts_with('-')),
        _ => false,
    }
}

/// A command that succeeds whatever came before.
pub(super) fn does_nothing(command: &Simple) -> bool {
    let words: Vec<Option<String>> = command.words.iter().map(Word::literal).collect();
    let words: Vec<&str> = words.iter().map(|word| word.as_deref().unwrap_or_default()).collect();
    matches!(words.as_slice(), ["true" | ":" | "echo" | "printf", ..] | ["exit" | "return", "0"])
}

/// What a command runs; `None` where that is not certain.
fn target(command: &Simple) -> Option<Target<'_>> {
    let direct = |word| Target::File { how: How::Direct, word, interpreter: None };
    let mut words = command.words.as_slice();
    // Whether a program of an environment or of a package is run, which is not on PATH.
    let mut packaged = false;
    loop {
        let (first, rest) = words.split_first()?;
        let Some(name) = first.literal() else { return Some(direct(first)) };
        if let Some(behind) = interpreter::behind_runner(&name, rest) {
            (words, packaged) = (behind, true);
            continue;
        }
        match name.as_str() {
            "exec" | "command" | "nohup" | "time" | "sudo" | "doas" => words = rest,
            // An option of one of these, which may have an argument.
            _ if name.starts_with('-') => return None,
            "env" | "/usr/bin/env" => words = interpreter::behind_env(rest)?,
            "timeout" => words = interpreter::behind_timeout(rest)?,
            "nice" => words = interpreter::behind_nice(rest)?,
            "." | "source" => {
                let word = rest.first()?;
                let how = How::By(&interpreter::SOURCED);
                return Some(Target::File { how, word, interpreter: None });
            }
            _ => {
                let Some(interpreter) = interpreter::of(&name) else {
                    return Some(direct(first));
                };
                return match interpreter.script(rest)? {
                    interpreter::Given::File(word) => {
                        let program = Some(first).filter(|_| !packaged);
                        Some(Target::File { how: How::By(interpreter), word, interpreter: program })
                    }
                    interpreter::Given::Text(word) => Some(Target::Text { word }),
                };
            }
        }
    }
}

/// Looks at what a command with `args` starts.
pub(super) fn in_arguments(case: &Case<'_>, told: &mut Told<'_, '_>) {
    let Program::Exec { program, args } = &case.program else { return };
    // A program that is written with its arguments is told of as such.
    let first = case.command.text.split_whitespace().next().unwrap_or_default();
    let with_arguments = first.len() < case.command.text.trim().len() && !first.contains(['/', '\\', '$']);
    if !case.placed || with_arguments {
        return;
    }
    let folder = case.folder.path();
    let depends = |value: &str| !Path::new(value).is_absolute() && matches!(case.folder, Folder::Session(_));
    if program.contains('/') {
        let named = Named::argument(case, &case.command, program, How::Direct);
        look_at(case, &named, &plain(&folder.join(program)), depends(program), told);
        return;
    }
    let of_windows = case.input.platform == Platform::Windows || interpreter::is_windows(program);
    if !of_windows && case.look.on_path(program) == Some(false) {
        let message = format!(
            "there is no program `{program}` on PATH here; that of {}'s own processes may differ",
            case.vendor()
        );
        let named = Named::argument(case, &case.command, program, How::Direct);
        told.push(named.tell(told, &codes::PROGRAM_NOT_FOUND, message));
    }
    let Some(interpreter) = interpreter::of(program) else { return };
    let (Some(script), Some(text)) = (args.first(), case.args.first()) else { return };
    let is_file = script.contains('/') || Path::new(script).extension().is_some();
    if is_file && !script.starts_with(['-', '~', '$']) {
        let named = Named::argument(case, text, script, How::By(interpreter));
        look_at(case, &named, &plain(&folder.join(script)), depends(script), told);
    }
}

impl Case<'_> {
    /// Whether it stands in a plugin's file of which the plugin's folder is not known.
    fn is_plugins_file(&self) -> bool {
        self.definition.source.plugin.is_none() && self.is_plugins()
    }
}
