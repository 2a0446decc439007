//! What `check` found, and how it is printed: one module a form.
//!
//! Whoever checks fills a [`Report`]; nothing here reads a file or decides what counts.

mod github;
mod human;
mod json;
mod page;
mod place;
mod sarif;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use hooks_core::text::display_line;
use hooks_core::{Diagnostic, Reach, Severity, VendorId};

pub(crate) use json::schema as json_schema;
pub(crate) use page::explain;
pub(crate) use place::Cursor;

use super::out::Out;

/// How a report is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For people: each finding with the line it is about
    #[default]
    Text,
    /// Everything as data, in a form that has a schema
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands, which GitHub shows beside the lines of a change
    Github,
}

/// How much the form for people tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Loudness {
    /// One line a finding, and nothing else.
    Quiet,
    /// The line of the document, what is lost, and what to write instead.
    #[default]
    Normal,
    /// Also why it is so, with the source, and what the baseline knows.
    Verbose,
}

/// What a check found, and in what.
#[derive(Debug)]
pub(crate) struct Report {
    /// The project's root, an absolute path.
    pub root: PathBuf,
    /// Everything that is to be told, file by file, in the order of their places.
    pub found: Vec<Found>,
    /// How many files were read.
    pub files: usize,
    /// How many hooks they define.
    pub hooks: usize,
    /// Why a vendor's client would refuse a session here.
    pub refused: Option<String>,
    /// How many findings were left out, because their codes are allowed.
    pub allowed: usize,
    /// Whether a baseline was used.
    pub baseline: bool,
    /// What to say to a person where there is no file at all.
    pub nothing: Option<String>,
    /// What the command's exit code is going to be.
    pub exit: u8,
}

/// One finding.
#[derive(Debug)]
pub(crate) struct Found {
    /// What is told. Its path is the document's, absolute where it is a file.
    pub diagnostic: Diagnostic,
    /// Whose format the document is in; `None` where that does not matter.
    pub vendor: Option<VendorId>,
    /// The document's path as a person reads it.
    pub shown: String,
    /// The document, where it could be read.
    pub bytes: Option<Arc<[u8]>>,
    /// The other documents that it points to.
    pub others: Vec<Other>,
    /// Whether the baseline knows it.
    pub known: bool,
}

/// A document that a finding points to beside its own.
#[derive(Clone, Debug)]
pub(crate) struct Other {
    /// Its path, as [`hooks_core::diagnostic::Related::path`] has it.
    pub path: String,
    /// Its path as a person reads it.
    pub shown: String,
    /// The document, where it could be read.
    pub bytes: Option<Arc<[u8]>>,
}

impl Report {
    /// Prints it to standard output.
    pub(crate) fn print(&self, form: Form, loudness: Loudness, out: &mut Out) {
        match form {
            Form::Text => {
                let text = human::text(self, loudness, out.width());
                out.print(&text);
            }
            Form::Json => out.json(&json::View::of(self)),
            Form::Sarif => out.json(&sarif::log(self)),
            Form::Github => {
                let base = github::base();
                out.print(&github::commands(self, &base));
            }
        }
    }

    /// How many findings of a severity are new: the baseline does not know them.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.found.iter().filter(|found| !found.known && found.diagnostic.severity == severity).count()
    }

    /// How many findings the baseline knows.
    pub(crate) fn known(&self) -> usize {
        self.found.iter().filter(|found| found.known).count()
    }
}

impl Found {
    /// The other document of that path.
    fn other(&self, path: &str) -> Option<&Other> {
        self.others.iter().find(|other| other.path == path)
    }

    /// What is wrong, without the path of the document at its start: that stands beside it.
    fn message(&self) -> &str {
        let told = &self.diagnostic;
        let after = |path: &str| told.message.strip_prefix(path)?.strip_prefix(": ");
        after(&told.path).or_else(|| after(&display_line(&told.path))).unwrap_or(&told.message)
    }
}

/// A path for machines: from the root with `/` where it lies below, whole elsewhere.
fn portable(root: &Path, path: &str) -> String {
    // A finding's path is text, in which what is not UTF-8 in a name is replaced; the root's may have such a name too.
    let below = |root: &Path| Path::new(path).strip_prefix(root).ok().map(Path::to_owned);
    match below(root).or_else(|| below(Path::new(&*root.to_string_lossy()))) {
        Some(below) if below.as_os_str().is_empty() => path.to_owned(),
        Some(below) => {
            let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            parts.join("/")
        }
        None => path.to_owned(),
    }
}

/// What a fault takes with it, in words; `None` for nothing.
const fn lost(reach: Reach) -> Option<&'static str> {
    Some(match reach {
        Reach::Entry => "this costs the one hook",
        Reach::Group => "this costs the group of hooks",
        Reach::Event => "this costs all hooks of the event",
        Reach::File => "this costs the whole file",
        Reach::Plugin => "this costs the whole plugin",
        Reach::ClientConfig => "this costs the client's whole configuration",
        Reach::Session => "this costs the session",
        _ => return None,
    })
}

/// What a finding costs and whether the vendor says so, in words; `None` where there is nothing to say.
fn cost(found: &Diagnostic) -> Option<String> {
    // A remark on one hook need not cost it.
    let lost = lost(found.reach).filter(|_| found.reach != Reach::Entry || found.severity == Severity::Error);
    match lost {
        Some(lost) if found.silent => Some(format!("{lost}; the vendor itself says nothing")),
        Some(lost) => Some(lost.to_owned()),
        None => found.silent.then(|| "the vendor itself says nothing about it".to_owned()),
    }
}
