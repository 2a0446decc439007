//! Golden fixtures: a folder for each event of a vendor, a folder for each case in it, and the one reader of them.
//!
//! A case is one run of one hook: its configuration, what it got, what it printed, how it ended, and what that comes to in
//! the vectors' form. `fixtures/README.md` lists the files. Every case has a line in the vendor's `README.md` that says where
//! it comes from and how that is known. The reader refuses a file that it does not know, a case without one of its files or
//! without its line, and a line without its case.
#![allow(clippy::disallowed_methods, reason = "this module reads files: that is its job")]

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_core::adapter::DecodePolicy;
use hooks_core::outcome::{End, Outcome};
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::{Binding, Definition, Envelope, HostSide};

use crate::compare::{self, Mode};
use crate::format::{Basis, Effects};
use crate::render::VectorForm;

/// The files that every case has.
pub const FILES: [&str; 5] = ["hooks.json", "stdin.json", "stdout.json", "exit", "expect.json"];

/// The files that a case may have: the configuration in another syntax, and what was printed on standard error.
pub const MORE: [&str; 2] = ["config.toml", "stderr"];

/// The file that an event's folder may have beside its cases: where the vendor's client and its schema disagree.
pub const OF_AN_EVENT: &str = "schema.json";

/// What the header of the table of cases in a vendor's `README.md` starts with.
const HEADER: &str = "| Case |";

/// One case, read.
#[derive(Clone, Debug)]
pub struct Case {
    /// The event, as the vendor spells it.
    pub event: String,
    /// The case's name: that of its folder.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The text of `hooks.json`.
    pub hooks: String,
    /// The text of `config.toml`, where there is one.
    pub toml: Option<String>,
    /// The text of `stdin.json`.
    pub stdin: String,
    /// How the run ended and what it printed.
    pub outcome: Outcome,
    /// What it comes to.
    pub expect: Effects,
    /// Where it comes from.
    pub line: Line,
}

/// A case's line in the vendor's `README.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where `stdin.json` comes from.
    pub stdin: String,
    /// Where the answer and what it comes to are from.
    pub answer: String,
    /// How that is known.
    pub basis: Basis,
    /// What the case shows.
    pub shows: String,
}

impl Line {
    /// The id of the vector whose outcome and expectation the case has, if it names one.
    #[must_use]
    pub fn vector(&self) -> Option<&str> {
        self.answer.strip_prefix("vector `")?.strip_suffix('`')
    }
}

/// What is wrong with fixtures, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct FixtureError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong, and what to write instead.
    pub what: String,
}

impl FixtureError {
    fn at(path: impl Into<PathBuf>, what: impl fmt::Display) -> Self {
        Self { path: path.into(), what: what.to_string() }
    }
}

/// Reads the cases of a vendor's events, in the given order of events and by name.
///
/// `folder` is the vendor's, with its `README.md`; `events` are all its events, as the vendor spells them.
///
/// # Errors
///
/// [`FixtureError`] for the first thing that is wrong: a file that cannot be read, is missing or unknown, an event without a
/// case, a case without a line in `README.md`, or a line of no case.
pub fn cases<'e>(folder: &Path, events: impl IntoIterator<Item = &'e str>) -> Result<Vec<Case>, FixtureError> {
    let readme = folder.join("README.md");
    let mut lines = lines(&text(&readme)?).map_err(|what| FixtureError::at(&readme, what))?;
    let mut cases = Vec::new();
    for event in events {
        let of_event = folder.join(event);
        let before = cases.len();
        for path in entries(&of_event)? {
            if path.is_dir() {
                let name = name_of(&path);
                let label = format!("{event}/{name}");
                let line = lines.remove(&label).ok_or_else(|| {
                    let what = format!("no line says where it comes from: add one for `{label}` to the table of cases");
                    FixtureError::at(&readme, what)
                })?;
                cases.push(case(event, name, path, line)?);
            } else if name_of(&path) != OF_AN_EVENT {
                return Err(FixtureError::at(path, "nobody reads it: put it into a case's folder, or remove it"));
            }
        }
        if cases.len() == before {
            return Err(FixtureError::at(of_event, "there is no case: add a folder with one"));
        }
    }
    match lines.into_keys().next() {
        Some(label) => Err(FixtureError::at(readme, format!("`{label}` has a line and no folder"))),
        None => Ok(cases),
    }
}

fn case(event: &str, name: String, folder: PathBuf, line: Line) -> Result<Case, FixtureError> {
    if let Some(path) = entries(&folder)?.into_iter().find(|path| {
        let name = name_of(path);
        path.is_dir() || ![FILES.as_slice(), &MORE].concat().contains(&&*name)
    }) {
        let what = format!("nobody reads it: a case has {}, and may have {}", FILES.join(", "), MORE.join(", "));
        return Err(FixtureError::at(path, what));
    }
    let of = |file: &str| text(&folder.join(file));
    let optional = |file: &str| if folder.join(file).exists() { of(file).map(Some) } else { Ok(None) };
    let exit = folder.join("exit");
    let end = end(&text(&exit)?).map_err(|what| FixtureError::at(exit, what))?;
    let outcome = Outcome {
        stdout: of("stdout.json")?.into_bytes(),
        stderr: optional("stderr")?.unwrap_or_default().into_bytes(),
        ..Outcome::ended(end)
    };
    let path = folder.join("expect.json");
    let expect = serde_json::from_str(&text(&path)?).map_err(|error| FixtureError::at(path, error))?;
    Ok(Case {
        event: event.to_owned(),
        name,
        hooks: of("hooks.json")?,
        toml: optional("config.toml")?,
        stdin: of("stdin.json")?,
        outcome,
        expect,
        line,
        folder,
    })
}

/// How a run ended, from the text of `exit`: a code, or `http` and a status.
fn end(text: &str) -> Result<End, String> {
    let word = text.strip_suffix('\n').unwrap_or(text);
    let end = match word.strip_prefix("http ") {
        Some(status) => status.parse().map(End::Http).ok(),
        None => word.parse().map(End::Exited).ok(),
    };
    end.ok_or_else(|| format!("`{word}` is no end of a run: write an exit code, or `http` and a status"))
}

/// The lines of the table of cases, by `event/case`.
fn lines(readme: &str) -> Result<BTreeMap<String, Line>, String> {
    let mut found = BTreeMap::new();
    let rows = readme.lines().skip_while(|line| !line.starts_with(HEADER)).skip(2);
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [case, stdin, answer, basis, shows] = cells.as_slice() else {
            return Err(format!("a line of a case has five cells, and this one has {}: {row}", cells.len()));
        };
        let label = case.trim_matches('`').to_owned();
        if [stdin, answer, shows].iter().any(|cell| cell.is_empty()) {
            return Err(format!("`{label}`: a cell of its line is empty"));
        }
        let basis = match *basis {
            "observed" => Basis::Observed,
            "documented" => Basis::Doc,
            "seed" => Basis::Seed,
            "design" => Basis::Design,
            other => {
                let known = "`observed`, `documented`, `seed` or `design`";
                return Err(format!("`{label}`: `{other}` is no evidence: write {known}"));
            }
        };
        let line = Line { stdin: (*stdin).to_owned(), answer: (*answer).to_owned(), basis, shows: (*shows).to_owned() };
        if found.insert(label.clone(), line).is_some() {
            return Err(format!("`{label}` has two lines"));
        }
    }
    if found.is_empty() {
        return Err(format!("there is no table of cases: its header starts with `{HEADER}`"));
    }
    Ok(found)
}

impl Case {
    /// `event/case`, for messages.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}/{}", self.event, self.name)
    }

    /// The one definition of the case's configuration, as an adapter reads it.
    ///
    /// # Errors
    ///
    /// When the adapter rejects the document, or it has not exactly one definition, on the case's event.
    pub fn definition(&self, adapter: &dyn HostSide) -> Result<Definition, String> {
        let source = Source::hooks(
            adapter.vendor().clone(),
            Origin::Project,
            Syntax::Json,
            "hooks.json",
            self.hooks.as_bytes().to_vec(),
        );
        let parsed = adapter.parse(&Arc::new(source));
        match parsed.definitions.as_slice() {
            [definition] if !parsed.rejected && definition.place.event == self.event => Ok(definition.clone()),
            other => Err(format!(
                "{}: hooks.json has {} hooks, and a case has one on its event: {:?}",
                self.label(),
                other.len(),
                parsed.diagnostics
            )),
        }
    }

    /// Holds an adapter to the case: what the outcome comes to, on an occurrence, for the hook of the configuration.
    ///
    /// # Errors
    ///
    /// What differs, or why the configuration cannot be used.
    pub fn hold(&self, adapter: &dyn HostSide, envelope: &Envelope) -> Result<(), String> {
        let binding = Binding::alone(self.definition(adapter)?);
        let effects = adapter.decode(&binding, envelope, &self.outcome, DecodePolicy::default());
        let actual = effects.vector_form().with_one_continuation();
        match compare::effects(&self.expect, &actual, Mode::Decode).message() {
            None => Ok(()),
            Some(message) => Err(format!("{}: {message}", self.label())),
        }
    }
}

fn text(path: &Path) -> Result<String, FixtureError> {
    fs::read_to_string(path).map_err(|error| FixtureError::at(path, error))
}

/// What lies in a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, FixtureError> {
    let trouble = |error| FixtureError::at(folder, error);
    let entries = fs::read_dir(folder).map_err(trouble)?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, std::io::Error>>()
        .map_err(trouble)?;
    paths.sort_unstable();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
