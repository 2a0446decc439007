//! The checker's own configuration: `.crosshook.toml`, diagnosed like any other file.
//!
//! ```toml
//! [check]
//! vendors = ["cursor", "claude"]      # whose files count; all if not given
//! fail-on = "warning"                 # the least severity that fails
//! deny = ["info"]                     # codes, patterns of codes, severities
//! allow = ["claude/timeout-*"]
//! exclude = ["examples/**"]           # files and folders that are passed over
//! baseline = "hooks-baseline.json"    # findings that are known
//! host = "full"                       # or "commands", or the file of a host's profile
//!
//! [check.versions]                    # the clients that are in use
//! claude = "2.1.300"
//!
//! [[check.override]]                  # for some files
//! paths = ["tests/**"]
//! allow = ["crosshook/empty-file"]
//! ```
//!
//! Paths are relative to the file's folder. Of its rules the more precise one wins, whatever their order: a code before a
//! pattern, a pattern before a severity, `deny` before `allow`; an override's before those for all files, and those of
//! the command line before all.

mod reader;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::GlobSet;
use hooks_core::{Code, Diagnostic, Severity};
use hooks_runtime::{ReadError, read_file};

use super::Excluded;
use super::rules::Rule;

/// The file's name.
pub const NAME: &str = ".crosshook.toml";

/// What a configuration says. What is wrong in it is in the diagnostics, and left out of the rest.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// Its path.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// The vendors that count; all where there is none.
    pub vendors: Vec<String>,
    /// The clients in use, each written `VENDOR=VERSION`.
    pub versions: Vec<String>,
    /// The least severity that fails.
    pub fail_on: Option<Severity>,
    /// Its rules for all files, the most precise last.
    pub rules: Vec<Rule>,
    /// Its rules for some files.
    pub overrides: Vec<Override>,
    /// What is passed over.
    pub excluded: Option<Excluded>,
    /// The file of known findings.
    pub baseline: Option<PathBuf>,
    /// The host: a [name](super::host::NAMED), or the path of a profile.
    pub host: Option<Host>,
    /// What is wrong in it.
    pub diagnostics: Vec<Diagnostic>,
}

/// The host that a configuration names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// By a [name](super::host::NAMED).
    Named(String),
    /// By the file of its profile.
    File(PathBuf),
}

/// Rules for some files.
#[derive(Clone, Debug)]
pub struct Override {
    paths: GlobSet,
    /// The rules, the most precise last.
    pub rules: Vec<Rule>,
}

impl Config {
    /// The rules of the overrides for a file, in the order of the file.
    pub fn rules_for<'c>(&'c self, path: &Path) -> impl DoubleEndedIterator<Item = &'c Rule> + use<'c> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let below = path.strip_prefix(folder).ok().map(Path::to_owned);
        let is_for = move |over: &&Override| below.as_ref().is_some_and(|below| over.paths.is_match(below));
        self.overrides.iter().filter(is_for).flat_map(|over| &over.rules)
    }
}

/// The root of the repository that a folder lies in.
#[must_use]
pub fn repository_root(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(".git").exists())
}

/// The configuration that counts for a folder: the nearest one on the way up to the root of the repository. Outside of a
/// repository only the folder itself is looked at, and a home folder only where it is the folder itself.
#[must_use]
pub fn find(folder: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let root = repository_root(folder).unwrap_or(folder);
    let way = folder.ancestors().take_while(|at| at.starts_with(root) && (*at == folder || Some(*at) != home));
    way.map(|at| at.join(NAME)).find(|path| path.symlink_metadata().is_ok())
}

/// Reads a configuration.
///
/// # Errors
///
/// The file cannot be read.
pub fn read(path: &Path, known: &[&Code]) -> Result<Config, ReadError> {
    Ok(parse(path, read_file(path)?, known))
}

/// What a configuration's bytes say. `known` are the codes that rules may name.
#[must_use]
pub fn parse(path: &Path, bytes: Vec<u8>, known: &[&Code]) -> Config {
    reader::read(path, bytes.into(), known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Config {
        let known = super::super::all_codes();
        parse(Path::new("/p/.crosshook.toml"), text.as_bytes().to_vec(), &known)
    }

    #[test]
    fn the_example_of_the_documentation_is_right() {
        let page = include_str!("config.rs");
        let lines =
            page.lines().skip_while(|line| *line != "//! ```toml").skip(1).take_while(|line| *line != "//! ```");
        let text: Vec<&str> = lines.map(|line| line.trim_start_matches("//!").trim_start()).collect();
        let config = parsed(&text.join("\n"));
        assert_eq!(config.diagnostics, []);
        assert_eq!(config.vendors, ["cursor", "claude"]);
        assert_eq!(config.versions, ["claude=2.1.300"]);
        assert_eq!(config.fail_on, Some(Severity::Warning));
        assert_eq!((config.rules.len(), config.overrides.len()), (2, 1));
        assert_eq!(config.baseline.as_deref(), Some(Path::new("/p/hooks-baseline.json")));
        assert_eq!(config.host, Some(Host::Named("full".to_owned())));
        let excluded = config.excluded.as_ref().unwrap();
        assert!(excluded.patterns.is_match("examples/a/b.json") && !excluded.patterns.is_match("a.json"));
        assert_eq!(config.rules_for(Path::new("/p/tests/a/b.json")).count(), 1);
        assert_eq!(config.rules_for(Path::new("/p/src/b.json")).count(), 0);
        assert_eq!(config.rules_for(Path::new("/elsewhere/tests/b.json")).count(), 0);
    }

    #[test]
    fn all_that_is_wrong_is_told_in_one_go_and_nothing_is_ignored() {
        let text = "[chek]\n[check]\ndeny = [\"cursor/nope\", 5]\nfail-on = \"warn\"\nvendors = [\"emacs\"]\nbaseline = 5\n\
            exclude = [\"a[\"]\nallow = \"info\"\ncolour = 1\n[check.versions]\nclaude = \"two\"\ncodex = \"99.0.0\"\nvim = \"1.2.3\"\n\
            [[check.override]]\nallow = [\"info\"]\npath = []\n";
        let config = parsed(text);
        let told: Vec<(usize, &str)> = config
            .diagnostics
            .iter()
            .map(|told| {
                let at = told.range.as_ref().unwrap().start;
                (
                    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1,
                    told.code.id.strip_prefix("crosshook/config-").unwrap(),
                )
            })
            .collect();
        let expected = [
            (1, "unknown-key"),
            (3, "bad-value"),
            (3, "wrong-type"),
            (4, "bad-value"),
            (5, "bad-value"),
            (6, "wrong-type"),
            (7, "bad-value"),
            (8, "wrong-type"),
            (9, "unknown-key"),
            (11, "bad-value"),
            (12, "bad-value"),
            (13, "bad-value"),
            (14, "bad-value"),
            (16, "unknown-key"),
        ];
        assert_eq!(told, expected, "{:#?}", config.diagnostics);
        assert!(config.diagnostics[0].message.contains("did you mean `check`?"));
        assert_eq!(config.diagnostics[1].pointer.as_deref(), Some("/check/deny/0"));
        assert!(config.overrides.is_empty(), "an override for no file is none");
    }

    #[test]
    fn broken_syntax_is_told_with_its_place_and_the_rest_counts() {
        let config = parsed("[check]\nvendors = [\"codex\"]\ndeny = [\n");
        assert_eq!(config.diagnostics[0].code.id, "crosshook/config-syntax");
        assert_eq!(config.vendors, ["codex"]);
        let config = parse(Path::new("/p/.crosshook.toml"), b"\xff".to_vec(), &[]);
        assert_eq!(config.diagnostics[0].code.id, "crosshook/config-syntax");
    }

    #[test]
    fn hostile_bytes_only_give_diagnostics() {
        for text in
            ["[[check]]", "check = 1", "check.override = 1", "check.override = [1]", "[check.override]", "\u{0}"]
        {
            assert!(!parsed(text).diagnostics.is_empty(), "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(!parsed(&format!("check = {deep}")).diagnostics.is_empty());
    }

    #[test]
    fn the_nearest_file_up_to_the_repository_counts() {
        let base = tempfile::tempdir().unwrap();
        let base = base.path();
        let below = base.join("repo/a/b");
        std::fs::create_dir_all(&below).unwrap();
        std::fs::write(base.join(NAME), "").unwrap();
        assert_eq!(find(&below, None), None, "without a repository nobody looks above");
        assert_eq!(find(base, Some(base)), Some(base.join(NAME)));
        std::fs::create_dir(base.join("repo/.git")).unwrap();
        assert_eq!(find(&below, None), None, "above the repository is somebody else's");
        std::fs::write(base.join("repo").join(NAME), "").unwrap();
        assert_eq!(find(&below, None), Some(base.join("repo").join(NAME)));
        assert_eq!(find(&below, Some(&base.join("repo"))), None, "a home folder is not looked into");
        std::fs::write(base.join("repo/a").join(NAME), "").unwrap();
        assert_eq!(find(&below, None), Some(base.join("repo/a").join(NAME)));
    }
}
