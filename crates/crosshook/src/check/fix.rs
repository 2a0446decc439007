//! Mends what can be mended mechanically: the edits that diagnostics carry, made in rounds until nothing more changes.
//!
//! An edit replaces the bytes it names and nothing else. A diagnostic's edits are made together or not at all. What says
//! that it changes what hooks do is left alone unless somebody asks for it; of everything else the file must come to the
//! same definitions as before, or it is left alone too.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_core::{Diagnostic, HostSide, Parsed, Source};
use hooks_runtime::read_file;

use super::{Checked, Project, Request, check};

/// Rounds at most. A fault may hide another one; that many layers none has.
const ROUNDS: usize = 12;

/// Which edits are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    /// Those that keep what the hooks do.
    #[default]
    Safe,
    /// Those that change it too.
    All,
}

/// What mending came to. Nothing is written yet.
#[derive(Debug)]
#[non_exhaustive]
pub struct Mended {
    /// The files that change, in the order of their paths.
    pub files: Vec<File>,
    /// What was mended, in the order in which it was.
    pub made: Vec<Made>,
    /// What could be mended, and was not because it changes what hooks do: what it is, and what it changes.
    pub changing: Vec<Made>,
    /// What was not mended, for safety: it says that it changes nothing, and the file would have come to other hooks; or
    /// the file's vendor would not have taken it any more.
    pub unsafe_edits: Vec<Made>,
    /// The check of the files as they are now.
    pub checked: Checked,
}

/// A file that changes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct File {
    /// Its path.
    pub path: PathBuf,
    /// Its bytes on disk.
    pub before: Arc<[u8]>,
    /// Its bytes when it is mended.
    pub after: Arc<[u8]>,
}

/// One fault that is mended, or that could be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Made {
    /// The file.
    pub path: PathBuf,
    /// The diagnostic's code.
    pub code: &'static str,
    /// What was wrong.
    pub message: String,
    /// What mending it changes in what the hooks do.
    pub changes: Option<String>,
}

impl Made {
    fn of(told: &Diagnostic) -> Self {
        Self {
            path: PathBuf::from(&told.path),
            code: told.code.id,
            message: told.message.clone(),
            changes: told.changes.as_ref().map(|what| what.clone().into_owned()),
        }
    }
}

/// Mends what a request's check finds, as far as `wanted` wants it, in memory.
#[must_use]
pub fn mend(request: &Request, which: Which, wanted: &dyn Fn(&Diagnostic) -> bool) -> Mended {
    let mut request = request.clone();
    let mut checked = check(&request);
    let mut before: BTreeMap<PathBuf, Arc<[u8]>> = BTreeMap::new();
    let (mut made, mut unsafe_edits) = (Vec::new(), Vec::new());
    let mut seen: HashMap<PathBuf, HashSet<Vec<u8>>> = HashMap::new();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (path, bytes, document, told) in faults(&checked, which, wanted) {
            // A file that is no document is read anew by whoever looks at it, and does not show what was made of it.
            if document.is_none() && before.contains_key(&path) {
                continue;
            }
            let mut chosen = apart(&told, bytes.len());
            let mut after = apply(&bytes, chosen.iter().flat_map(|told| &told.edits));
            if let Some((adapter, parsed)) = document
                && !holds(adapter, parsed, &after, &chosen, wanted)
            {
                // One of them is to blame. Alone it shows.
                chosen.retain(|told| {
                    let good = holds(adapter, parsed, &apply(&bytes, &told.edits), &[told], wanted);
                    if !good && !unsafe_edits.contains(&Made::of(told)) {
                        unsafe_edits.push(Made::of(told));
                    }
                    good
                });
                after = apply(&bytes, chosen.iter().flat_map(|told| &told.edits));
                if !holds(adapter, parsed, &after, &chosen, wanted) {
                    continue;
                }
            }
            let known = seen.entry(path.clone()).or_insert_with(|| HashSet::from([bytes.to_vec()]));
            if chosen.is_empty() || !known.insert(after.clone()) {
                continue;
            }
            made.extend(chosen.into_iter().map(Made::of));
            before.entry(path.clone()).or_insert_with(|| Arc::clone(&bytes));
            request.unsaved.insert(path, after.into());
            changed = true;
        }
        if !changed {
            break;
        }
        checked = check(&request);
    }
    let changing = all(&checked)
        .filter(|told| which == Which::Safe && told.changes.is_some() && !told.edits.is_empty() && wanted(told))
        .map(Made::of)
        .collect();
    let files = before
        .into_iter()
        .filter_map(|(path, before)| {
            let after = Arc::clone(request.unsaved.get(&path)?);
            (after != before).then_some(File { path, before, after })
        })
        .collect();
    Mended { files, made, changing, unsafe_edits, checked }
}

fn all(checked: &Checked) -> impl Iterator<Item = &Diagnostic> {
    checked.projects.iter().flat_map(|project| &project.diagnostics)
}

type Faults<'a> = Vec<(PathBuf, Arc<[u8]>, Option<(&'a Arc<dyn HostSide>, &'a Parsed)>, Vec<&'a Diagnostic>)>;

/// What can be mended, file by file.
fn faults<'a>(checked: &'a Checked, which: Which, wanted: &dyn Fn(&Diagnostic) -> bool) -> Faults<'a> {
    let mut files: Faults<'a> = Vec::new();
    for project in &checked.projects {
        for told in &project.diagnostics {
            if told.edits.is_empty() || (which == Which::Safe && told.changes.is_some()) || !wanted(told) {
                continue;
            }
            let path = PathBuf::from(&told.path);
            match files.iter_mut().find(|(other, ..)| *other == path) {
                Some((.., faults)) => faults.push(told),
                None => {
                    let document = document(project, &told.path);
                    let bytes = match document {
                        Some((_, parsed)) => Arc::clone(&parsed.source.bytes),
                        None => match read_file(&path) {
                            Ok(bytes) => bytes.into(),
                            Err(_) => continue,
                        },
                    };
                    files.push((path, bytes, document, vec![told]));
                }
            }
        }
    }
    files
}

fn document<'a>(project: &'a Project, path: &str) -> Option<(&'a Arc<dyn HostSide>, &'a Parsed)> {
    project.vendors.iter().find_map(|vendor| {
        let document = vendor.documents.iter().find(|document| document.source.path == path)?;
        Some((&vendor.adapter, document))
    })
}

/// The diagnostics whose edits lie inside the document and touch no others': the first of those that do is taken.
fn apart<'a>(told: &[&'a Diagnostic], length: usize) -> Vec<&'a Diagnostic> {
    let mut taken: Vec<Range<usize>> = Vec::new();
    let mut chosen = Vec::new();
    for told in told {
        let edits = || told.edits.iter().map(|edit| edit.range.clone());
        let inside = edits().all(|range| range.start <= range.end && range.end <= length);
        let own: Vec<_> = edits().collect();
        let among_themselves = own.iter().enumerate().all(|(at, one)| {
            own.iter().skip(at + 1).all(|other| !touch(one, other) || one.end == other.start || other.end == one.start)
        });
        if inside && among_themselves && edits().all(|range| taken.iter().all(|other| !touch(&range, other))) {
            taken.extend(own);
            chosen.push(*told);
        }
    }
    chosen
}

/// Whether two ranges have a byte or an end in common. Two texts that are put at one place have no order.
const fn touch(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start <= other.end && other.start <= one.end
}

/// The bytes with edits made, from the bottom up.
fn apply<'e>(bytes: &[u8], edits: impl IntoIterator<Item = &'e hooks_core::diagnostic::Edit>) -> Vec<u8> {
    let mut edits: Vec<_> = edits.into_iter().collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut after = bytes.to_vec();
    for edit in edits.into_iter().rev() {
        let end = edit.range.end.min(after.len());
        let start = edit.range.start.min(end);
        after.splice(start..end, edit.text.bytes());
    }
    after
}

/// Whether a document may become this: where no edit says that it changes anything, it comes to the same definitions; and
/// one that its vendor took is still taken, at the latest when the faults are mended that then come to light.
fn holds(
    adapter: &Arc<dyn HostSide>,
    before: &Parsed,
    bytes: &[u8],
    told: &[&Diagnostic],
    wanted: &dyn Fn(&Diagnostic) -> bool,
) -> bool {
    let parse =
        |bytes: &[u8]| adapter.parse(&Arc::new(Source { bytes: bytes.into(), ..Source::clone(&before.source) }));
    let mut after = parse(bytes);
    if told.iter().all(|told| told.changes.is_none()) {
        return meaning(before) == meaning(&after);
    }
    for _ in 0..ROUNDS {
        if before.rejected || !after.rejected {
            return true;
        }
        let mendable: Vec<_> = after.diagnostics.iter().filter(|told| !told.edits.is_empty() && wanted(told)).collect();
        let bytes = &after.source.bytes;
        let more = apart(&mendable, bytes.len());
        if more.is_empty() {
            return false;
        }
        after = parse(&apply(bytes, more.iter().flat_map(|told| &told.edits)));
    }
    false
}

/// Everything a document comes to, without where in it that stands: two documents with the same meaning run the same hooks.
#[must_use]
pub fn meaning(document: &Parsed) -> String {
    let mut text = format!("{:?} {:?} {:?}\n", document.rejected, document.switches, document.trust);
    for it in &document.definitions {
        let _ = writeln!(
            text,
            "{} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            it.place,
            it.boundary,
            it.facet,
            it.handler,
            it.matcher,
            it.condition,
            it.timeout,
            it.failure,
            it.loop_limit,
            it.context_limit,
            it.channels,
            it.once,
            it.status_message,
            it.state,
        );
    }
    text
}

impl File {
    /// The change as a unified diff, with the path as it is shown.
    #[must_use]
    pub fn diff(&self, shown: &str) -> String {
        let (before, after) = (String::from_utf8_lossy(&self.before), String::from_utf8_lossy(&self.after));
        let diff = similar::TextDiff::from_lines(&*before, &*after);
        diff.unified_diff().context_radius(3).header(&format!("a/{shown}"), &format!("b/{shown}")).to_string()
    }

    /// Writes the change: a new file beside the old one that then takes its place, with the same permissions. Of a link the
    /// file that it leads to is written.
    ///
    /// # Errors
    ///
    /// In words: the file lies outside of `roots` and is not among `named`, it is read-only, it is not what it was any
    /// more, or it cannot be written.
    pub fn write(&self, roots: &[&Path], named: &[&Path]) -> Result<(), String> {
        let real = self.path.canonicalize().map_err(|error| error.to_string())?;
        let is_named = named.iter().any(|named| named.canonicalize().is_ok_and(|named| named == real));
        let is_inside = || roots.iter().any(|root| root.canonicalize().is_ok_and(|root| real.starts_with(root)));
        if !is_named && !is_inside() {
            return Err(format!("it lies outside of the project, at {}; name it to have it mended", real.display()));
        }
        let facts = std::fs::metadata(&real).map_err(|error| error.to_string())?;
        if facts.permissions().readonly() {
            return Err("it is read-only".to_owned());
        }
        if read_file(&real).map_err(|why| why.to_string())? != *self.before {
            return Err("it changed while it was checked".to_owned());
        }
        let folder = real.parent().unwrap_or(Path::new("."));
        replace(folder, &real, &facts, &self.after).map_err(|error| error.to_string())
    }
}

fn replace(folder: &Path, real: &Path, facts: &std::fs::Metadata, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".crosshook-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let own = file.as_file().metadata()?;
        if (own.uid(), own.gid()) != (facts.uid(), facts.gid()) {
            // Only root may give a file away; anybody else's file stays theirs then.
            let _ = std::os::unix::fs::fchown(file.as_file(), Some(facts.uid()), Some(facts.gid()));
        }
    }
    file.as_file().set_permissions(facts.permissions())?;
    file.persist(real)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use hooks_core::diagnostic::Edit;
    use hooks_core::{Code, Reach, Severity};

    use super::*;

    static CODE: Code = Code { id: "a/b", about: "", severity: Severity::Info, summary: "", help: "" };

    fn told(edits: &[(Range<usize>, &str)]) -> Diagnostic {
        let told = Diagnostic::new(&CODE, Reach::None, "");
        edits.iter().fold(told, |told, (range, text)| told.edit(range.clone(), *text))
    }

    #[test]
    fn edits_are_made_from_the_bottom_up_whatever_their_order() {
        let edit = |range, text: &str| Edit { range, text: text.to_owned() };
        let edits = [edit(0..1, "xyz"), edit(4..4, "!"), edit(2..3, "")];
        assert_eq!(apply(b"abcd", &edits), b"xyzbd!");
        assert_eq!(apply(b"ab", &[edit(0..99, "c")]), b"c");
    }

    #[test]
    fn of_edits_that_touch_each_other_the_first_are_made() {
        #[allow(clippy::reversed_empty_ranges, reason = "an edit may say anything")]
        let backwards = 6..5;
        let all = [
            told(&[(0..2, "a"), (8..9, "b")]),
            told(&[(1..3, "c")]),
            told(&[(4..4, "d")]),
            told(&[(4..4, "e")]),
            told(&[(8..8, "f")]),
            told(&[(backwards, "g")]),
            told(&[(11..12, "h")]),
            told(&[(10..11, "i"), (10..11, "j")]),
        ];
        let all: Vec<&Diagnostic> = all.iter().collect();
        let chosen = apart(&all, 11);
        assert_eq!(chosen, [all[0], all[2]]);
    }

    #[test]
    fn a_diff_is_one_that_patch_reads() {
        let file = File {
            path: "/p/a.json".into(),
            before: b"{\n  \"a\": 1,\n}\n".as_slice().into(),
            after: b"{\n  \"a\": 1\n}".as_slice().into(),
        };
        let expected = "--- a/a.json\n+++ b/a.json\n@@ -1,3 +1,3 @@\n {\n-  \"a\": 1,\n-}\n+  \"a\": 1\n+}\n\\ No newline at end of file\n";
        assert_eq!(file.diff("a.json"), expected);
    }
}
