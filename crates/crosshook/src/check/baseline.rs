//! Findings that are known: a file that lets a build fail on new ones only.
//!
//! A finding is known again by its code, its file, its JSON pointer and its message, never by its line: what is written
//! above it may change. Paths are relative to the baseline's folder, and paths in messages do not count, so that the file
//! means the same in every checkout.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use hooks_core::document::{JsonRules, Node, line_column, parse_json, pointer_to};
use hooks_core::{Diagnostic, Reach};
use hooks_runtime::{ReadError, read_file};
use serde::Serialize;

use super::codes;

/// What a finding is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The file, from the baseline's folder, with `/`.
    pub file: String,
    /// The JSON pointer of the value concerned.
    pub pointer: Option<String>,
    /// The code.
    pub code: String,
    /// A number made of the message.
    pub message: String,
}

/// A file of known findings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Baseline {
    /// Its path.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    key: Key,
    count: u64,
    range: Range<usize>,
}

const VERSION: u64 = 1;

/// How often one finding is known at most when a file is written again; nobody has as many in one place.
const MOST: usize = 10_000;

impl Baseline {
    /// Reads a file of known findings.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is no such file; in words, with the place.
    pub fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let bytes = read_file(path).map_err(|why| {
            let way = if matches!(why, ReadError::NotFound) { "; --write-baseline writes one" } else { "" };
            format!("cannot read the baseline `{shown}`: {why}{way}")
        })?;
        Self::parse(path, bytes).map_err(|(at, why, bytes)| {
            let (line, column) = line_column(&String::from_utf8_lossy(&bytes), at);
            format!("{shown}:{line}:{column}: this is no baseline: {why}; --write-baseline writes one")
        })
    }

    fn parse(path: &Path, bytes: Vec<u8>) -> Result<Self, (usize, String, Vec<u8>)> {
        let rules = JsonRules { byte_order_mark: true, lone_surrogates: false };
        let read = parse_json(&bytes, rules).map_err(|error| (error.range.start, error.message)).and_then(|root| {
            let wrong = |at: &Node, why: &str| Err((at.range.start, why.to_owned()));
            let Some(object) = root.as_object() else { return wrong(&root, "it is no object") };
            match object.get("version").map(|version| (version, version.as_u64())) {
                Some((_, Some(VERSION))) => {}
                Some((node, _)) => return wrong(node, "its version is not 1"),
                None => return wrong(&root, "it has no version"),
            }
            let findings = object.get("findings").and_then(Node::as_array);
            let Some(findings) = findings else { return wrong(&root, "it has no array `findings`") };
            findings.iter().map(entry).collect::<Result<Vec<_>, _>>()
        });
        match read {
            Ok(entries) => Ok(Self { path: path.to_owned(), bytes: bytes.into(), entries }),
            Err((at, why)) => Err((at, why, bytes)),
        }
    }

    /// Says of findings one by one whether they are known.
    #[must_use]
    pub fn counter(&self) -> Counter<'_> {
        let mut left: BTreeMap<&Key, u64> = BTreeMap::new();
        for entry in &self.entries {
            let count = left.entry(&entry.key).or_default();
            *count = count.saturating_add(entry.count);
        }
        Counter { baseline: self, left }
    }

    /// What is known of files that are there and that nobody looked at.
    #[must_use]
    pub fn elsewhere(&self, looked_at: &BTreeSet<PathBuf>) -> Vec<Key> {
        let folder = folder(&self.path);
        let is_elsewhere = |entry: &&Entry| {
            let path = plain(&folder.join(&entry.key.file));
            !looked_at.contains(&path) && path.symlink_metadata().is_ok()
        };
        let most = |entry: &Entry| usize::try_from(entry.count).unwrap_or(MOST).min(MOST);
        let entries = self.entries.iter().filter(is_elsewhere);
        entries.flat_map(|entry| std::iter::repeat_n(entry.key.clone(), most(entry))).collect()
    }

    /// What a finding is known by in this file.
    #[must_use]
    pub fn key(&self, told: &Diagnostic) -> Key {
        key(&self.path, told)
    }
}

fn entry(node: &Node) -> Result<Entry, (usize, String)> {
    let Some(object) = node.as_object() else {
        return Err((node.range.start, "a finding is no object".to_owned()));
    };
    let text = |key: &str| object.get(key).and_then(Node::as_str).map(str::to_owned);
    let needed = |key: &str| text(key).ok_or_else(|| (node.range.start, format!("a finding has no text `{key}`")));
    let key =
        Key { file: needed("file")?, pointer: text("pointer"), code: needed("code")?, message: needed("message")? };
    let count = match object.get("count") {
        None => 1,
        Some(count) => count.as_u64().ok_or_else(|| (count.range.start, "a count is no whole number".to_owned()))?,
    };
    Ok(Entry { key, count, range: node.range.clone() })
}

/// Known findings that were not met yet.
#[derive(Clone, Debug)]
pub struct Counter<'a> {
    baseline: &'a Baseline,
    left: BTreeMap<&'a Key, u64>,
}

impl Counter<'_> {
    /// Whether a finding is known. One that is known twice is known two times, and then no more.
    pub fn knows(&mut self, key: &Key) -> bool {
        match self.left.get_mut(key) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    /// What there is to tell of known findings that were not met, in files that were looked at or are gone: entries of
    /// other files say nothing, because nobody looked.
    #[must_use]
    pub fn stale(&self, looked_at: &BTreeSet<PathBuf>) -> Vec<Diagnostic> {
        let folder = folder(&self.baseline.path);
        let mut left = self.left.clone();
        let mut told = Vec::new();
        for (at, Entry { key, range, count }) in self.baseline.entries.iter().enumerate() {
            let more = left.get_mut(key).map_or(0, |left| {
                let more = (*left).min(*count);
                *left -= more;
                more
            });
            let path = plain(&folder.join(&key.file));
            if more == 0 || !(looked_at.contains(&path) || path.symlink_metadata().is_err()) {
                continue;
            }
            let place = key.pointer.as_deref().map_or_else(String::new, |pointer| format!(" at {pointer}"));
            let message = format!("{} does not occur any more in {}{place}", key.code, key.file);
            let pointer = pointer_to("/findings", &at.to_string());
            let mut stale =
                Diagnostic::new(&codes::BASELINE_STALE, Reach::None, message).at(range.clone()).pointer(pointer);
            stale.path = self.baseline.path.to_string_lossy().into_owned();
            told.push(stale);
        }
        told
    }
}

#[derive(Serialize)]
struct FileView<'a> {
    version: u64,
    findings: Vec<EntryView<'a>>,
}

#[derive(Serialize)]
struct EntryView<'a> {
    code: &'a str,
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<&'a str>,
    message: &'a str,
    #[serde(skip_serializing_if = "is_one")]
    count: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
const fn is_one(count: &u64) -> bool {
    *count == 1
}

/// The text of a file of known findings: one entry for all that are known by the same, in a fixed order.
#[must_use]
pub fn text(keys: impl IntoIterator<Item = Key>) -> String {
    let mut counts: BTreeMap<Key, u64> = BTreeMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    let findings = counts
        .iter()
        .map(|(key, count)| EntryView {
            code: &key.code,
            file: &key.file,
            pointer: key.pointer.as_deref(),
            message: &key.message,
            count: *count,
        })
        .collect();
    let text = serde_json::to_string_pretty(&FileView { version: VERSION, findings }).unwrap_or_default();
    text + "\n"
}

/// Writes a file of known findings in the place of the one that is there, or anew.
///
/// # Errors
///
/// The file cannot be written; the old one is then as it was.
pub fn write(path: &Path, keys: impl IntoIterator<Item = Key>) -> io::Result<()> {
    // Of a link the file that it leads to is written.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".crosshook-").tempfile_in(folder)?;
    file.write_all(text(keys).as_bytes())?;
    match std::fs::metadata(&path) {
        Ok(facts) => file.as_file().set_permissions(facts.permissions())?,
        Err(_) => shared(file.as_file())?,
    }
    file.persist(path)?;
    Ok(())
}

/// Lets others read a new file, as far as the user's mask does: a temporary one is private.
fn shared(file: &std::fs::File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    let _ = file;
    Ok(())
}

/// What a finding is known by in a baseline that lies at a path.
#[must_use]
pub fn key(baseline: &Path, told: &Diagnostic) -> Key {
    let folder = folder(baseline);
    let file = Path::new(&told.path);
    Key {
        file: relative(&folder, file),
        pointer: told.pointer.clone(),
        code: told.code.id.to_owned(),
        message: fingerprint(&placeless(&told.message, &folder, file)),
    }
}

/// A message without the paths that are another one in another checkout.
fn placeless(message: &str, folder: &Path, file: &Path) -> String {
    let mut message = message.to_owned();
    // The file's folders, the deepest first, as far up as they have a name.
    let above = file.ancestors().skip(1).chain(folder.ancestors());
    for folder in above.filter(|folder| folder.components().count() > 2) {
        let text = folder.to_string_lossy();
        if message.contains(&*text) {
            message = message.replace(&*text, "");
        }
    }
    message
}

fn folder(baseline: &Path) -> PathBuf {
    let path = std::path::absolute(baseline).unwrap_or_else(|_| baseline.to_owned());
    plain(path.parent().unwrap_or(&path))
}

/// A path from a folder, with `/` and with `..` where it lies elsewhere; whole where nothing leads there.
fn relative(folder: &Path, path: &Path) -> String {
    let (from, to): (Vec<_>, Vec<_>) = (folder.components().collect(), path.components().collect());
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    if common == 0 {
        return path.to_string_lossy().into_owned();
    }
    let up = from.iter().skip(common).map(|_| "..".into());
    let down = to.iter().skip(common).map(|part| part.as_os_str().to_string_lossy());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// A path without `.` and `..`, by its text alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// 64 bits of a text by the FNV-1a function, which is the same on every machine and in every release.
fn fingerprint(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(file: &str, message: &str) -> Diagnostic {
        let mut told = Diagnostic::new(&codes::EMPTY_FILE, Reach::None, message).at(3..4).pointer("/a");
        told.path = file.to_owned();
        told
    }

    fn baseline(keys: Vec<Key>) -> Baseline {
        Baseline::parse(Path::new("/p/ci/known.json"), text(keys).into_bytes()).unwrap()
    }

    #[test]
    fn a_finding_is_known_by_what_it_is_not_by_where_its_line_is() {
        let path = Path::new("/p/ci/known.json");
        let once = told("/p/.cursor/hooks.json", "wrong in /p/.cursor/hooks.json");
        let known = baseline(vec![key(path, &once)]);
        let mut moved = once.clone().at(90..94);
        assert!(known.counter().knows(&known.key(&moved)));
        moved.message = "wrong elsewhere".to_owned();
        assert!(!known.counter().knows(&known.key(&moved)));
        assert!(!known.counter().knows(&known.key(&once.clone().pointer("/b"))));
        // Another checkout.
        let there = told("/home/me/p/.cursor/hooks.json", "wrong in /home/me/p/.cursor/hooks.json");
        let here = told("/srv/builds/7/p/.cursor/hooks.json", "wrong in /srv/builds/7/p/.cursor/hooks.json");
        assert_eq!(
            key(Path::new("/home/me/p/ci/known.json"), &there),
            key(Path::new("/srv/builds/7/p/ci/known.json"), &here)
        );
    }

    #[test]
    fn what_is_known_once_is_new_the_second_time() {
        let path = Path::new("/p/ci/known.json");
        let once = told("/p/a.json", "x");
        let known = baseline(vec![key(path, &once), key(path, &once)]);
        assert_eq!(known.entries.len(), 1, "one entry with a count");
        let mut counter = known.counter();
        let key = known.key(&once);
        assert!(counter.knows(&key) && counter.knows(&key) && !counter.knows(&key));
    }

    #[test]
    fn what_does_not_occur_any_more_is_told_where_somebody_looked() {
        let path = Path::new("/p/ci/known.json");
        let known = baseline(vec![key(path, &told("/p/a.json", "x"))]);
        let looked: BTreeSet<PathBuf> = [PathBuf::from("/p/a.json")].into();
        let stale = known.counter().stale(&looked);
        assert_eq!(stale.len(), 1);
        assert_eq!(stale[0].message, "crosshook/empty-file does not occur any more in ../a.json at /a");
        assert_eq!(stale[0].pointer.as_deref(), Some("/findings/0"));
        let mut met = known.counter();
        met.knows(&known.key(&told("/p/a.json", "x")));
        assert_eq!(met.stale(&looked), []);
    }

    #[test]
    fn the_text_is_in_a_fixed_order_and_comes_back() {
        let path = Path::new("/p/ci/known.json");
        let keys: Vec<Key> = ["/p/b.json", "/p/a.json", "/q/c.json"].map(|file| key(path, &told(file, "x"))).into();
        let one = text(keys.clone());
        assert_eq!(one, text(keys.iter().rev().cloned()));
        let read = Baseline::parse(path, one.into_bytes()).unwrap();
        let files: Vec<_> = read.entries.iter().map(|entry| entry.key.file.as_str()).collect();
        assert_eq!(files, ["../../q/c.json", "../a.json", "../b.json"]);
        assert_eq!(fingerprint(""), "cbf29ce484222325");
        assert_eq!(fingerprint("a"), "af63dc4c8601ec8c");
    }

    #[test]
    fn what_is_no_baseline_is_refused_with_a_place() {
        for text in [
            "",
            "[]",
            "{}",
            r#"{"version": 2, "findings": []}"#,
            r#"{"version": 1}"#,
            r#"{"version": 1, "findings": [5]}"#,
            r#"{"version": 1, "findings": [{"file": "a", "code": "b"}]}"#,
            r#"{"version": 1, "findings": [{"file": "a", "code": "b", "message": "c", "count": -1}]}"#,
        ] {
            assert!(Baseline::parse(Path::new("/b.json"), text.as_bytes().to_vec()).is_err(), "{text}");
        }
    }
}
