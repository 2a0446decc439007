//! A report as JSON: every member is always there, in this order; `null` stands for what a finding does not have.
//!
//! The form is described by `schemas/check.schema.json`, which is made from these types.

use hooks_core::schema::{Schema, set};
use hooks_core::{Reach, Severity};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::json;

use super::place::{Span, Spans};
use super::{Report, portable};

/// The `$id` of the schema: a name, not an address.
const ID: &str = "urn:crosshook:schema:check";

/// What `crosshook check --format json` prints.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct View<'a> {
    /// The findings, file by file, in the order of their places.
    diagnostics: Vec<One<'a>>,
    /// How many of them are errors, those that the baseline knows left out.
    errors: usize,
    /// How many of them are warnings, those that the baseline knows left out.
    warnings: usize,
    /// How many of them are remarks, those that the baseline knows left out.
    infos: usize,
    /// How many of them the baseline knows.
    known: usize,
    /// How many findings are not among them, because their codes are allowed.
    allowed: usize,
    /// How many files were read.
    files: usize,
    /// How many hooks those files define.
    hooks: usize,
    /// Why a vendor's client would not start a session here; `null` where it would.
    refused: Option<&'a str>,
    /// The project's root, an absolute path: what relative paths start from.
    root: String,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Diagnostic")]
struct One<'a> {
    /// The stable code: which kind of finding it is. `crosshook check --explain` shows its page.
    #[schemars(regex(pattern = "^[a-z]+/[a-z0-9-]+$"))]
    code: &'static str,
    /// How loud it is.
    #[schemars(with = "SeverityWord")]
    severity: Severity,
    /// The document: relative to the root where it lies below it, with `/`; absolute elsewhere.
    file: String,
    /// The document's path as it was found, absolute where it is a file.
    path: &'a str,
    #[serde(flatten)]
    place: Place,
    /// The JSON pointer of the value concerned, where there is one.
    pointer: Option<&'a str>,
    /// What is wrong, with the names that stand in the document.
    message: &'a str,
    /// What to write instead.
    help: &'a str,
    /// What the fault takes with it.
    #[schemars(with = "ReachWord")]
    reach: Reach,
    /// Whether the vendor itself says nothing about it.
    silent: bool,
    /// Changes that would mend it, to be made together; they do not overlap.
    edits: Vec<Change<'a>>,
    /// What making the edits changes in what the hooks do; `null` where it changes nothing of that, or there are none.
    changes: Option<&'a str>,
    /// Other places that have to do with it.
    related: Vec<Beside<'a>>,
    /// Whose format the document is in.
    vendor: Option<&'a str>,
    /// Whether the baseline knows it.
    known: bool,
}

/// A place in a document. Lines and columns count from 1, columns in Unicode scalar values; the end is the place after
/// the last character. Bytes count from 0.
#[derive(Default, Serialize, JsonSchema)]
struct Place {
    /// The line of the first character; `null` where the finding is about no place in a document.
    #[schemars(range(min = 1))]
    line: Option<usize>,
    /// The column of the first character.
    #[schemars(range(min = 1))]
    column: Option<usize>,
    /// The line of the end.
    #[schemars(range(min = 1))]
    end_line: Option<usize>,
    /// The column of the end.
    #[schemars(range(min = 1))]
    end_column: Option<usize>,
    /// The first byte.
    byte_start: Option<usize>,
    /// The byte after the last one.
    byte_end: Option<usize>,
}

/// A change of a document: the place is replaced by the text.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Edit")]
struct Change<'a> {
    #[serde(flatten)]
    place: Place,
    /// What to put there.
    text: &'a str,
}

/// Another place.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Related")]
struct Beside<'a> {
    /// What is there.
    message: &'a str,
    /// The document, written as a finding's.
    file: String,
    #[serde(flatten)]
    place: Place,
}

/// The words for severities.
#[derive(JsonSchema)]
#[schemars(rename = "Severity", rename_all = "kebab-case")]
#[allow(dead_code, reason = "the schema is made from it; what is written is the core's type")]
enum SeverityWord {
    /// Worth knowing.
    Info,
    /// Probably not what was meant.
    Warning,
    /// Something is lost.
    Error,
}

/// The words for reaches.
#[derive(JsonSchema)]
#[schemars(rename = "Reach", rename_all = "kebab-case")]
#[allow(dead_code, reason = "the schema is made from it; what is written is the core's type")]
enum ReachWord {
    /// Nothing.
    None,
    /// One hook.
    Entry,
    /// A group of hooks.
    Group,
    /// All hooks of an event.
    Event,
    /// The document.
    File,
    /// The plugin.
    Plugin,
    /// The client's whole configuration.
    ClientConfig,
    /// The session.
    Session,
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Self {
            line: Some(span.line),
            column: Some(span.column),
            end_line: Some(span.end_line),
            end_column: Some(span.end_column),
            byte_start: Some(span.byte_start),
            byte_end: Some(span.byte_end),
        }
    }
}

impl<'a> View<'a> {
    /// A report as it is written.
    pub(super) fn of(report: &'a Report) -> Self {
        let mut spans = Spans::default();
        let mut diagnostics = Vec::with_capacity(report.found.len());
        for found in &report.found {
            let told = &found.diagnostic;
            let bytes = found.bytes.as_ref();
            let file = portable(&report.root, &told.path);
            let mut place = |range| bytes.map(|bytes| Place::from(spans.of(bytes, range))).unwrap_or_default();
            let own = told.range.as_ref().map(&mut place).unwrap_or_default();
            let edits = told.edits.iter().map(|edit| Change { place: place(&edit.range), text: &edit.text }).collect();
            let related = told.related.iter().map(|related| {
                let (file, bytes) = match &related.path {
                    None => (file.clone(), bytes),
                    Some(path) => {
                        (portable(&report.root, path), found.other(path).and_then(|other| other.bytes.as_ref()))
                    }
                };
                let place = bytes.map(|bytes| Place::from(spans.of(bytes, &related.range))).unwrap_or_default();
                Beside { message: &related.message, file, place }
            });
            let related = related.collect();
            diagnostics.push(One {
                code: told.code.id,
                severity: told.severity,
                file,
                path: &told.path,
                place: own,
                pointer: told.pointer.as_deref(),
                message: found.message(),
                help: &told.help,
                reach: told.reach,
                silent: told.silent,
                edits,
                changes: told.changes.as_deref(),
                related,
                vendor: found.vendor.as_ref().map(hooks_core::VendorId::as_str),
                known: found.known,
            });
        }
        Self {
            diagnostics,
            errors: report.count(Severity::Error),
            warnings: report.count(Severity::Warning),
            infos: report.count(Severity::Info),
            known: report.known(),
            allowed: report.allowed,
            files: report.files,
            hooks: report.hooks,
            refused: report.refused.as_deref(),
            root: report.root.to_string_lossy().into_owned(),
        }
    }
}

/// The schema of what is written.
pub(crate) fn schema() -> Schema {
    let mut schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<View<'_>>();
    set(&mut schema, "$id", json!(ID));
    set(&mut schema, "title", json!("Crosshook: what a check found"));
    schema
}
