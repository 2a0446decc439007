//! What `list` and `check` print as JSON: a stable form of documents, definitions and diagnostics.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use hooks_core::text::shorten;
use hooks_core::{Definition, Diagnostic, FailurePolicy, LoopLimit, VendorId};
use hooks_runtime::Looked;
use serde::Serialize;

use super::project::Project;
use super::report::Cursor;

/// Everything known about a project's hooks.
#[derive(Serialize)]
pub(crate) struct ProjectView<'a> {
    /// The folder or file that was asked for.
    path: String,
    files: Vec<FileView<'a>>,
    definitions: Vec<DefinitionView<'a>>,
    diagnostics: Vec<DiagnosticView<'a>>,
    errors: usize,
    warnings: usize,
    infos: usize,
    /// Why a vendor's client would not start a session here; absent where it would.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a str>,
}

impl<'a> ProjectView<'a> {
    /// The view of a project.
    pub(crate) fn of(project: &'a Project) -> Self {
        let (errors, warnings, infos) = project.counts();
        let mut cursors = HashMap::new();
        Self {
            path: project.asked.clone(),
            files: project
                .documents()
                .map(|document| FileView {
                    path: &document.source.path,
                    vendor: document.source.vendor.as_str(),
                    origin: document.source.origin.as_str(),
                    rejected: document.rejected,
                    definitions: document.definitions.len(),
                })
                .collect(),
            definitions: project
                .definitions
                .iter()
                .map(|definition| {
                    let bytes = &definition.source.bytes;
                    let cursor = cursors.entry(&*definition.source.path).or_insert_with(|| Cursor::new(bytes));
                    DefinitionView::at(definition, cursor.position(definition.range.start).0)
                })
                .collect(),
            diagnostics: project
                .diagnostics
                .iter()
                .map(|diagnostic| {
                    let place = diagnostic.range.as_ref().and_then(|range| {
                        let path = diagnostic.path.as_str();
                        let cursor = match cursors.entry(path) {
                            Entry::Occupied(entry) => entry.into_mut(),
                            Entry::Vacant(entry) => entry.insert(Cursor::new(project.bytes(path)?)),
                        };
                        Some(cursor.position(range.start))
                    });
                    DiagnosticView {
                        diagnostic,
                        line: place.map(|(line, _)| line),
                        column: place.map(|(_, column)| column),
                    }
                })
                .collect(),
            errors,
            warnings,
            infos,
            refused: project.refused.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct FileView<'a> {
    path: &'a str,
    vendor: &'a str,
    origin: &'a str,
    rejected: bool,
    definitions: usize,
}

/// One definition.
#[derive(Serialize)]
pub(crate) struct DefinitionView<'a> {
    id: &'a str,
    vendor: &'a str,
    event: &'a str,
    group: u32,
    index: u32,
    boundary: Option<&'static str>,
    facet: &'static str,
    handler: &'static str,
    label: String,
    matcher: Option<&'a str>,
    /// How the matcher is read.
    matcher_kind: &'static str,
    condition: Option<&'a str>,
    timeout_s: f64,
    fail_closed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_limit: Option<Option<u32>>,
    once: bool,
    state: &'static str,
    why: Option<&'a str>,
    path: &'a str,
    line: usize,
    range: [usize; 2],
}

/// Characters of a handler's text that are listed.
const LABEL: usize = 4_000;

impl<'a> DefinitionView<'a> {
    /// The view of a definition that starts on a line.
    pub(crate) fn at(definition: &'a Definition, line: usize) -> Self {
        Self {
            id: definition.id.as_str(),
            vendor: definition.vendor.as_str(),
            event: &definition.place.event,
            group: definition.place.group,
            index: definition.place.index,
            boundary: definition.boundary.map(hooks_core::Boundary::name),
            facet: definition.facet.as_str(),
            handler: definition.handler.kind().as_str(),
            label: shorten(&definition.handler.label(), LABEL).into_owned(),
            matcher: definition.matcher_text.as_deref(),
            matcher_kind: definition.matcher.kind(),
            condition: definition.condition.as_deref(),
            timeout_s: definition.timeout.as_secs_f64(),
            fail_closed: definition.failure == FailurePolicy::Closed,
            loop_limit: definition.loop_limit.map(LoopLimit::number),
            once: definition.once,
            state: definition.state.word(),
            why: definition.state.why(),
            path: &definition.source.path,
            line,
            range: [definition.range.start, definition.range.end],
        }
    }
}

#[derive(Serialize)]
struct DiagnosticView<'a> {
    #[serde(flatten)]
    diagnostic: &'a Diagnostic,
    line: Option<usize>,
    column: Option<usize>,
}

/// Every place where documents may lie, with what became of it.
#[derive(Serialize)]
pub(crate) struct PlacesView<'a> {
    /// The folder or file that was asked for.
    path: &'a str,
    places: Vec<PlaceView<'a>>,
}

#[derive(Serialize)]
struct PlaceView<'a> {
    vendor: &'a str,
    origin: &'static str,
    path: std::borrow::Cow<'a, str>,
    state: &'static str,
    why: Option<&'a str>,
}

impl<'a> PlacesView<'a> {
    /// The view of a project.
    pub(crate) fn of(project: &'a Project) -> Self {
        let place = |(vendor, looked): &'a (VendorId, Looked)| PlaceView {
            vendor: vendor.as_str(),
            origin: looked.origin.as_str(),
            path: looked.path.to_string_lossy(),
            state: looked.state.word(),
            why: looked.state.why(),
        };
        Self { path: &project.asked, places: project.looked.iter().map(place).collect() }
    }
}
