//! What a check comes to: what is told of, what is known, what fails.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crosshook::check::baseline::{self, Key};
use crosshook::check::rules::Standing;
use crosshook::check::{Checked, Project, user_home};
use hooks_core::{Diagnostic, VendorId};
use hooks_runtime::read_file;

use super::args::CheckArgs;
use super::settings::Settings;
use crate::cli::exit::Trouble;
use crate::cli::out::{Out, wrap};
use crate::cli::project::nothing_found;
use crate::cli::report::{Found, Other, Report};

/// A document's vendor and bytes, by its path.
type Documents<'a> = HashMap<&'a str, (&'a VendorId, &'a Arc<[u8]>)>;

/// What a check comes to.
pub(super) struct Sum {
    report: Report,
    /// Whether each finding fails where nobody knows it, in the order of the report.
    denied: Vec<bool>,
    /// The files that were looked at, where a baseline wants to know.
    looked_at: BTreeSet<PathBuf>,
}

impl Sum {
    /// Sums up what was checked.
    pub(super) fn of(args: &CheckArgs, settings: &Settings, checked: &Checked, width: usize) -> Self {
        let documents: Documents<'_> = checked
            .projects
            .iter()
            .flat_map(Project::documents)
            .map(|document| (document.source.path.as_str(), (&document.source.vendor, &document.source.bytes)))
            .collect();
        let refused: Vec<_> = checked.projects.iter().filter_map(|project| project.refused.clone()).collect();
        let here = std::env::current_dir().ok();
        let root = match checked.projects.as_slice() {
            [project] => project.root.clone(),
            _ => here.clone().unwrap_or_default(),
        };
        let report = Report {
            root,
            found: Vec::new(),
            files: documents.len(),
            hooks: checked.projects.iter().map(|project| project.definitions.len()).sum(),
            refused: (!refused.is_empty()).then(|| refused.join("; ")),
            allowed: 0,
            baseline: settings.baseline.is_some(),
            nothing: None,
            exit: 0,
        };
        let is_asked = settings.baseline.is_some() || args.write_baseline;
        let looked_at = if is_asked { looked_at(checked, &documents) } else { BTreeSet::new() };
        let mut sum = Self { report, denied: Vec::new(), looked_at };
        let home = args.scope.home.is_some().then(user_home).flatten();
        let mut files = Files { documents: &documents, settings, others: HashMap::new(), here, home };
        let mut counter = settings.baseline.as_ref().map(|baseline| (baseline, baseline.counter()));
        let told = checked.projects.iter().flat_map(|project| &project.diagnostics);
        for told in settings.config.diagnostics.iter().chain(told) {
            let known = counter.as_mut().is_some_and(|(baseline, counter)| counter.knows(&baseline.key(told)));
            sum.add(told, known, &mut files);
        }
        let stale = counter.map_or_else(Vec::new, |(_, counter)| counter.stale(&sum.looked_at));
        for told in stale.iter().filter(|_| !args.write_baseline) {
            sum.add(told, false, &mut files);
        }
        if sum.report.files == 0 && sum.report.found.is_empty() {
            sum.report.nothing = Some(nothing(args, checked, width));
        }
        sum
    }

    fn add(&mut self, told: &Diagnostic, known: bool, files: &mut Files<'_>) {
        let standing = files.settings.standing(told);
        if standing == Standing::Allowed {
            self.report.allowed += 1;
            return;
        }
        let mut others: Vec<Other> = Vec::new();
        for path in told.related.iter().filter_map(|related| related.path.as_ref()) {
            if !others.iter().any(|other| other.path == *path) {
                let shown = files.shown(path);
                others.push(Other { path: path.clone(), shown, bytes: files.bytes(path) });
            }
        }
        self.report.found.push(Found {
            vendor: files.documents.get(told.path.as_str()).map(|(vendor, _)| (*vendor).clone()),
            shown: files.shown(&told.path),
            bytes: files.bytes(&told.path),
            diagnostic: told.clone(),
            others,
            known,
        });
        self.denied.push(standing == Standing::Denied);
    }

    /// Whether something is found that is denied and not known.
    pub(super) fn has_failed(&self) -> bool {
        let denied = self.report.found.iter().zip(&self.denied).any(|(found, denied)| *denied && !found.known);
        denied || self.report.refused.is_some()
    }

    /// The report, with the command's exit code.
    pub(super) fn into_report(self, exit: u8) -> Report {
        Report { exit, ..self.report }
    }

    /// Writes everything that was found as known. What the file knows of files that nobody looked at stays.
    pub(super) fn write_baseline(&mut self, settings: &Settings, out: &mut Out) -> Result<(), Trouble> {
        let Some(path) = &settings.baseline_path else { return Ok(()) };
        // What is wrong in the checker's own files is mended, not got used to.
        let is_own = |found: &Found| Path::new(&found.diagnostic.path) == settings.config.path;
        let mut keys: Vec<Key> = self
            .report
            .found
            .iter()
            .filter(|found| !is_own(found))
            .map(|found| baseline::key(path, &found.diagnostic))
            .collect();
        let count = keys.len();
        if let Some(baseline) = &settings.baseline {
            keys.extend(baseline.elsewhere(&self.looked_at));
        }
        let shown = shown(path, None);
        baseline::write(path, keys).map_err(|error| Trouble::usage(format!("cannot write `{shown}`: {error}")))?;
        out.remark(&format!("{shown}: {count} known {}", if count == 1 { "finding" } else { "findings" }));
        self.report.baseline = true;
        for found in self.report.found.iter_mut().filter(|found| !is_own(found)) {
            found.known = true;
        }
        Ok(())
    }
}

/// The files whose findings are all here: documents, and what is told of beside them.
fn looked_at(checked: &Checked, documents: &Documents<'_>) -> BTreeSet<PathBuf> {
    let told = checked.projects.iter().flat_map(|project| &project.diagnostics).map(|told| told.path.as_str());
    documents.keys().copied().chain(told).map(PathBuf::from).collect()
}

/// Files by their paths, as findings show them.
struct Files<'a> {
    documents: &'a Documents<'a>,
    settings: &'a Settings,
    /// Files that are no documents: scripts that findings point into.
    others: HashMap<String, Option<Arc<[u8]>>>,
    here: Option<PathBuf>,
    home: Option<PathBuf>,
}

impl Files<'_> {
    fn shown(&self, path: &str) -> String {
        shown_from(self.here.as_deref(), Path::new(path), self.home.as_deref())
    }

    fn bytes(&mut self, path: &str) -> Option<Arc<[u8]>> {
        if let Some((_, bytes)) = self.documents.get(path) {
            return Some(Arc::clone(bytes));
        }
        let config = &self.settings.config;
        if Path::new(path) == config.path {
            return Some(Arc::clone(&config.bytes));
        }
        if let Some(baseline) = self.settings.baseline.as_ref().filter(|baseline| Path::new(path) == baseline.path) {
            return Some(Arc::clone(&baseline.bytes));
        }
        let read = || read_file(Path::new(path)).ok().map(Into::into);
        self.others.entry(path.to_owned()).or_insert_with(read).clone()
    }
}

/// A path as a person reads it: from the current folder, from the home folder where that was asked for, or whole.
pub(super) fn shown(path: &Path, home: Option<&Path>) -> String {
    shown_from(std::env::current_dir().ok().as_deref(), path, home)
}

fn shown_from(here: Option<&Path>, path: &Path, home: Option<&Path>) -> String {
    let below = |folder: &Path| path.strip_prefix(folder).ok().filter(|below| !below.as_os_str().is_empty());
    if let Some(below) = here.and_then(below) {
        return below.display().to_string();
    }
    match home.and_then(below) {
        Some(below) => Path::new("~").join(below).display().to_string(),
        None => path.display().to_string(),
    }
}

/// What to say where there is no hook file at all.
fn nothing(args: &CheckArgs, checked: &Checked, width: usize) -> String {
    let asked: Vec<String> = args.paths.iter().map(|path| path.display().to_string()).collect();
    match (checked.projects.as_slice(), asked.as_slice()) {
        ([project], [asked]) => nothing_found(project, asked, width),
        ([project], []) => nothing_found(project, ".", width),
        (_, asked) => {
            let asked: Vec<String> = asked.iter().map(|asked| format!("`{asked}`")).collect();
            let place = if asked.is_empty() { "this folder".to_owned() } else { asked.join(", ") };
            let below = if args.recursive { "below" } else { "in" };
            let text = format!("There are no hook files {below} {}.", hooks_core::text::display_line(&place));
            wrap(&text, width, 0) + "\n"
        }
    }
}
