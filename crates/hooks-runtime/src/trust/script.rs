//! The files that a command names, so that trust can cover what they hold.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_core::{Definition, Handler, HostSide};
use sha2::{Digest as _, Sha256};

use crate::discover::{ReadError, plain, read_file};

/// Where the files that commands name may lie, and what stands for folders in their texts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ScriptPlaces {
    /// The project's root. A relative path may count from here.
    pub project: PathBuf,
    /// Other folders that relative paths may count from, such as a working directory below the project. A plugin's folder
    /// is always one for the plugin's hooks.
    pub folders: Vec<PathBuf>,
    /// Variables whose values are folders, beside those that the adapters name.
    pub variables: Vec<(String, String)>,
    adapters: Vec<Arc<dyn HostSide>>,
}

/// What a command names.
#[derive(Default)]
struct Named {
    /// The files that are there, by the path that the command takes.
    found: Vec<PathBuf>,
    /// The paths that look like files and lead nowhere.
    missing: Vec<PathBuf>,
}

impl ScriptPlaces {
    /// The places of one project. The adapters say which variables stand for its root, and for a plugin's folder.
    #[must_use]
    pub fn project(root: impl Into<PathBuf>, adapters: impl IntoIterator<Item = Arc<dyn HostSide>>) -> Self {
        Self { project: root.into(), adapters: adapters.into_iter().collect(), ..Self::default() }
    }

    /// The same places with a variable that stands for a folder.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The files that a definition's command names, each once, in the order of its words: those that lie below the
    /// folders, and those that a path below the folders leads to by a link.
    ///
    /// Words are split as a shell splits them; what a shell would only find out when it runs (substitutions, files that a
    /// script starts in turn) is not looked into. A relative path counts from each folder, since hooks do not all run in
    /// the same one.
    #[must_use]
    pub fn scripts(&self, definition: &Definition) -> Vec<PathBuf> {
        self.named(definition).found
    }

    fn named(&self, definition: &Definition) -> Named {
        let Handler::Command(command) = &definition.handler else { return Named::default() };
        let mut words = words(&command.command);
        if let Some(args) = &command.args {
            words = std::iter::once(&command.command).chain(args).cloned().collect();
        }
        let plugin = definition.source.plugin.as_ref().map(|plugin| Path::new(&plugin.root));
        let folders = std::iter::once(&*self.project).chain(self.folders.iter().map(PathBuf::as_path)).chain(plugin);
        let folders: Vec<&Path> = folders.filter(|folder| !folder.as_os_str().is_empty()).collect();
        let real: Vec<PathBuf> = folders.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
        let is_below = |path: &Path| {
            let by_text = folders.iter().any(|folder| plain(path).starts_with(plain(folder)));
            // A link out of the folders still stands in them, and may be made to lead elsewhere.
            by_text || path.canonicalize().is_ok_and(|path| real.iter().any(|folder| path.starts_with(folder)))
        };
        let variables = self.variables_of(definition);
        let mut named = Named::default();
        for word in words.iter().map(|word| expand(word, &variables)) {
            for path in folders.iter().map(|folder| folder.join(&word)).filter(|path| is_below(path)) {
                let paths = match std::fs::metadata(&path) {
                    Ok(facts) if facts.is_file() => &mut named.found,
                    Err(error) if may_come(&error) && looks_like_a_file(&word) => &mut named.missing,
                    _ => continue,
                };
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
        }
        named
    }

    fn variables_of(&self, definition: &Definition) -> Vec<(String, String)> {
        let adapter = self.adapters.iter().find(|adapter| *adapter.vendor() == definition.vendor);
        let project = self.project.to_string_lossy();
        let named = adapter.map(|adapter| adapter.folder_variables(&definition.source, &project)).unwrap_or_default();
        let named = named.into_iter().map(|(name, folder)| (name.to_owned(), folder));
        self.variables.iter().cloned().chain(named).collect()
    }
}

/// Whether there may be a file later, or is one that nobody here may look at. No file ever has a name that is too long.
fn may_come(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | NotADirectory | PermissionDenied)
}

/// Whether a word is a path or a file's name rather than an option or any other word.
fn looks_like_a_file(word: &str) -> bool {
    !word.starts_with('-') && (word.contains('/') || Path::new(word).extension().is_some())
}

/// A word with the values of variables in their names' places.
fn expand(word: &str, variables: &[(String, String)]) -> String {
    let mut word = word.to_owned();
    for (name, value) in variables {
        word = word.replace(&format!("${{{name}}}"), value);
        if let Some(rest) = word.strip_prefix(&format!("${name}"))
            && (rest.is_empty() || rest.starts_with(['/', '\\']))
        {
            word = format!("{value}{rest}");
        }
    }
    word
}

/// The words of a shell text, without quotes. Operators end a word.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut escaped = false;
    for c in text.chars() {
        match (quote, c) {
            _ if escaped => {
                word.push(c);
                escaped = false;
            }
            (None | Some('"'), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => word.push(c),
            (None, '"' | '\'') => quote = Some(c),
            (None, ';' | '&' | '|' | '<' | '>' | '(' | ')') => words.push(std::mem::take(&mut word)),
            (None, _) if c.is_whitespace() => words.push(std::mem::take(&mut word)),
            (None, _) => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// What stands for the fingerprint of a file that is not there.
const MISSING: &str = "missing";

/// The fingerprint of a file's content, or a word for a file that is not there.
///
/// # Errors
///
/// Why it cannot be read.
pub(super) fn hash_file(path: &Path) -> Result<String, String> {
    match read_file(path) {
        Ok(bytes) => Ok(hash(&bytes)),
        Err(ReadError::NotFound | ReadError::BrokenLink | ReadError::NotAFolderOnTheWay) => Ok(MISSING.to_owned()),
        Err(why) => Err(why.to_string()),
    }
}

/// `sha256:` and the digits, in lower case.
pub(super) fn hash(bytes: &[u8]) -> String {
    let mut text = "sha256:".to_owned();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The fingerprints of all scripts of a definition, by path. A file that it names and that is not there yet has its word,
/// so that whoever makes it does not make it trusted. A file that links lead to stands there by both its paths: neither
/// another link nor an edit behind it goes unseen.
pub(super) fn hashes(places: &ScriptPlaces, definition: &Definition) -> Result<BTreeMap<String, String>, String> {
    let mut all = BTreeMap::new();
    let Named { found, missing } = places.named(definition);
    for path in found.into_iter().chain(missing) {
        let hash = hash_file(&path).map_err(|why| format!("{}: {why}", path.display()))?;
        if let Ok(real) = path.canonicalize() {
            all.insert(real.to_string_lossy().into_owned(), hash.clone());
        }
        all.insert(path.to_string_lossy().into_owned(), hash);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        assert_eq!(
            words(r#"bash "./a b.sh" x\ y 'c;d'; ./e.sh>out"#),
            ["bash", "./a b.sh", "x y", "c;d", "./e.sh", "out"]
        );
        assert!(words("  ").is_empty());
    }

    #[test]
    fn variables_stand_for_folders() {
        let variables = [("ROOT".to_owned(), "/p".to_owned())];
        assert_eq!(expand("$ROOT/a.sh", &variables), "/p/a.sh");
        assert_eq!(expand("${ROOT}/a.sh", &variables), "/p/a.sh");
        assert_eq!(expand("$ROOTS/a.sh", &variables), "$ROOTS/a.sh");
    }

    #[test]
    fn files_are_told_from_other_words() {
        for word in ["./a", "a/b", "guard.sh", "/x"] {
            assert!(looks_like_a_file(word), "{word}");
        }
        for word in ["sh", "--file=./a.sh", "-x", "test", ".", ".."] {
            assert!(!looks_like_a_file(word), "{word}");
        }
    }
}
