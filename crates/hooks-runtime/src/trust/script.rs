//! The files that a command names, so that trust can cover what they hold.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use hooks_core::{Definition, Handler};
use sha2::{Digest as _, Sha256};

use crate::discover::{ReadError, read_file};

/// Where the files that commands name may lie, and what stands for folders in their texts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ScriptPlaces {
    /// Folders that relative paths count from, and outside of which no file is looked at: the project's, the plugin's.
    pub folders: Vec<PathBuf>,
    /// Variables whose values are folders, such as the one a vendor's client sets to the project's root.
    pub variables: Vec<(String, String)>,
}

impl ScriptPlaces {
    /// The places of one project: paths count from its root.
    #[must_use]
    pub fn project(root: impl Into<PathBuf>) -> Self {
        Self { folders: vec![root.into()], variables: Vec::new() }
    }

    /// The same places with a variable that stands for a folder.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The files below the folders that a definition's command names, each once, in the order of its words.
    ///
    /// Words are split as a shell splits them; what a shell would only find out when it runs (substitutions, files that a
    /// script starts in turn) is not looked into.
    #[must_use]
    pub fn scripts(&self, definition: &Definition) -> Vec<PathBuf> {
        self.named(definition).0
    }

    /// The files that are there, and the paths that look like such files and lead nowhere.
    fn named(&self, definition: &Definition) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let Handler::Command(command) = &definition.handler else { return Default::default() };
        let mut words = words(&command.command);
        if let Some(args) = &command.args {
            words = std::iter::once(&command.command).chain(args).cloned().collect();
        }
        let plugin = definition.source.plugin.as_ref().map(|plugin| PathBuf::from(&plugin.root));
        let folders: Vec<&PathBuf> = self.folders.iter().chain(plugin.as_ref()).collect();
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for word in words.iter().map(|word| self.expand(word)) {
            if let Some(folder) = folders.first().filter(|_| word.contains('/') && !word.starts_with('-')) {
                let path = folder.join(&word);
                let is_there = folders.iter().any(|folder| folder.join(&word).exists());
                if !is_there && folders.iter().any(|folder| path.starts_with(folder)) {
                    missing.push(path);
                    continue;
                }
            }
            for folder in &folders {
                let Ok(path) = folder.join(&word).canonicalize() else { continue };
                let inside = folders.iter().filter_map(|folder| folder.canonicalize().ok());
                if path.is_file() && inside.into_iter().any(|folder| path.starts_with(folder)) {
                    if !found.contains(&path) {
                        found.push(path);
                    }
                    break;
                }
            }
        }
        (found, missing)
    }

    fn expand(&self, word: &str) -> String {
        let mut word = word.to_owned();
        for (name, value) in &self.variables {
            word = word.replace(&format!("${{{name}}}"), value);
            if let Some(rest) = word.strip_prefix(&format!("${name}"))
                && (rest.is_empty() || rest.starts_with(['/', '\\']))
            {
                word = format!("{value}{rest}");
            }
        }
        word
    }
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
/// so that whoever makes it does not make it trusted.
pub(super) fn hashes(places: &ScriptPlaces, definition: &Definition) -> Result<BTreeMap<String, String>, String> {
    let mut all = BTreeMap::new();
    let (found, missing) = places.named(definition);
    for path in found.into_iter().chain(missing) {
        let hash = hash_file(&path).map_err(|why| format!("{}: {why}", path.display()))?;
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
        let places = ScriptPlaces::default().variable("ROOT", "/p");
        assert_eq!(places.expand("$ROOT/a.sh"), "/p/a.sh");
        assert_eq!(places.expand("${ROOT}/a.sh"), "/p/a.sh");
        assert_eq!(places.expand("$ROOTS/a.sh"), "$ROOTS/a.sh");
    }
}
