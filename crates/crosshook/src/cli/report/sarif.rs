//! A report as SARIF 2.1.0.
//!
//! Places are below the base `SRCROOT`, the project's root, where they lie in it. Columns are counted in what
//! `columnKind` declares, Unicode code points, and stand beside byte offsets. Findings that a baseline knows are
//! `unchanged`, others `new`; without a baseline nothing is said of that.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use hooks_core::diagnostic::Code;
use hooks_core::{Severity, VendorId};
use serde::Serialize;

use super::super::exit::{OK, PROBLEMS, USAGE};
use super::place::{Span, Spans};
use super::{Found, Report, cost, page, portable};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The name of the base that relative places start from.
const ROOT: &str = "SRCROOT";
/// The name of the fingerprint, with the number of its recipe.
const FINGERPRINT: &str = "crosshook/v1";

/// The whole file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    invocations: [Invocation; 1],
    original_uri_base_ids: BTreeMap<&'static str, Artifact>,
    column_kind: &'static str,
    results: Vec<One<'a>>,
    properties: Counts<'a>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    semantic_version: &'static str,
    short_description: Text<'a>,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
struct Text<'a> {
    text: std::borrow::Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<&'a str>,
}

impl<'a> Text<'a> {
    fn of(text: impl Into<std::borrow::Cow<'a, str>>) -> Self {
        Self { text: text.into(), markdown: None }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'static str,
    short_description: Text<'a>,
    full_description: Text<'a>,
    help: Text<'a>,
    default_configuration: Configuration,
    properties: RuleProperties,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct RuleProperties {
    tags: Vec<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
    exit_code_description: &'static str,
}

#[derive(Serialize)]
struct Counts<'a> {
    files: usize,
    hooks: usize,
    allowed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct One<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix<'a>>,
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Properties<'a> {
    reach: &'static str,
    silent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    vendor: Option<&'a str>,
    help: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical<'a> {
    fully_qualified_name: &'a str,
    kind: &'static str,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
    byte_offset: usize,
    byte_length: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix<'a> {
    description: Text<'a>,
    artifact_changes: [Changes<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Changes<'a> {
    artifact_location: Artifact,
    replacements: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'a> {
    deleted_region: Region,
    inserted_content: Text<'a>,
}

impl From<Span> for Region {
    fn from(span: Span) -> Self {
        Self {
            start_line: span.line,
            start_column: span.column,
            end_line: span.end_line,
            end_column: span.end_column,
            byte_offset: span.byte_start,
            byte_length: span.byte_end - span.byte_start,
        }
    }
}

/// A report as it is written.
pub(super) fn log(report: &Report) -> Log<'_> {
    let mut rules: Vec<&'static Code> = report.found.iter().map(|found| found.diagnostic.code).collect();
    rules.sort_unstable_by_key(|code| code.id);
    rules.dedup_by_key(|code| code.id);
    let mut spans = Spans::default();
    let mut prints = Fingerprints::default();
    let results = report.found.iter().map(|found| result(report, found, &rules, &mut spans, &mut prints)).collect();
    let mut root = uri(&report.root.to_string_lossy(), true);
    if !root.ends_with('/') {
        root.push('/');
    }
    let bases = BTreeMap::from([(ROOT, Artifact { uri: root, uri_base_id: None })]);
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "crosshook",
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    short_description: Text::of("Finds hooks of coding agents that will not do what they seem to."),
                    rules: rules.iter().map(|code| rule(code)).collect(),
                },
            },
            invocations: [Invocation {
                execution_successful: report.exit < USAGE,
                exit_code: report.exit,
                exit_code_description: match report.exit {
                    OK => "nothing to fail for",
                    PROBLEMS => "problems were found",
                    _ => "something that was asked for could not be checked",
                },
            }],
            original_uri_base_ids: bases,
            column_kind: "unicodeCodePoints",
            results,
            properties: Counts {
                files: report.files,
                hooks: report.hooks,
                allowed: report.allowed,
                refused: report.refused.as_deref(),
            },
        }],
    }
}

fn rule(code: &'static Code) -> Rule<'static> {
    let page = page::of(code.id);
    let why = page.map(page::why).filter(|why| !why.is_empty());
    let full = why.map_or_else(|| code.summary.to_owned(), |why| format!("{} {}", code.summary, page::plain(why)));
    let area = code.id.split('/').next().unwrap_or_default();
    Rule {
        id: code.id,
        short_description: Text::of(code.summary),
        full_description: Text::of(full),
        help: Text { text: code.help.into(), markdown: page },
        default_configuration: Configuration { level: level(code.severity) },
        properties: RuleProperties { tags: vec!["hooks", area] },
    }
}

fn result<'a>(
    report: &'a Report,
    found: &'a Found,
    rules: &[&Code],
    spans: &mut Spans<'a>,
    prints: &mut Fingerprints,
) -> One<'a> {
    let told = &found.diagnostic;
    let mut text = found.message().to_owned();
    if let Some(cost) = cost(told) {
        text.push_str(&format!(" ({cost})"));
    }
    if !told.help.is_empty() {
        text.push('\n');
        text.push_str(&told.help);
    }
    let file = (!told.path.is_empty()).then(|| artifact(report, &told.path));
    let mut region = |bytes: Option<&'a Arc<[u8]>>, range: &_| bytes.map(|bytes| Region::from(spans.of(bytes, range)));
    let own = file.clone().map(|artifact_location| Location {
        id: None,
        physical_location: Physical {
            artifact_location,
            region: told.range.as_ref().and_then(|range| region(found.bytes.as_ref(), range)),
        },
        logical_locations: told
            .pointer
            .iter()
            .map(|pointer| Logical { fully_qualified_name: pointer, kind: "value" })
            .collect(),
        message: None,
    });
    let related = told.related.iter().zip(1..).filter_map(|(related, id)| {
        let (artifact_location, bytes) = match &related.path {
            None => (file.clone()?, found.bytes.as_ref()),
            Some(path) => (artifact(report, path), found.other(path).and_then(|other| other.bytes.as_ref())),
        };
        Some(Location {
            id: Some(id),
            physical_location: Physical { artifact_location, region: region(bytes, &related.range) },
            logical_locations: Vec::new(),
            message: Some(Text::of(related.message.as_str())),
        })
    });
    let related_locations = related.collect();
    let replacements: Vec<_> = told
        .edits
        .iter()
        .filter_map(|edit| {
            let deleted_region = region(found.bytes.as_ref(), &edit.range)?;
            Some(Replacement { deleted_region, inserted_content: Text::of(edit.text.as_str()) })
        })
        .collect();
    let fixes = match file {
        Some(artifact_location) if !replacements.is_empty() => {
            let description = match &told.changes {
                Some(changes) => format!("{} This changes what the hooks do: {changes}.", told.help),
                None => told.help.clone().into_owned(),
            };
            let changes = Changes { artifact_location, replacements };
            vec![Fix { description: Text::of(description), artifact_changes: [changes] }]
        }
        _ => Vec::new(),
    };
    One {
        rule_id: told.code.id,
        rule_index: rules.iter().position(|code| code.id == told.code.id).unwrap_or_default(),
        level: level(told.severity),
        message: Text::of(text),
        locations: own.into_iter().collect(),
        related_locations,
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, prints.of(report, found))]),
        baseline_state: report.baseline.then_some(if found.known { "unchanged" } else { "new" }),
        fixes,
        properties: Properties {
            reach: told.reach.as_str(),
            silent: told.silent,
            vendor: found.vendor.as_ref().map(VendorId::as_str),
            help: &told.help,
        },
    }
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// What stays the same when lines are added above: the kind, the file, and the text that it is about. Of several findings
/// that have all that in common the later ones are counted, since whoever reads a fingerprint takes equal ones for one.
#[derive(Debug, Default)]
struct Fingerprints {
    seen: HashMap<u64, u64>,
}

impl Fingerprints {
    fn of(&mut self, report: &Report, found: &Found) -> String {
        let told = &found.diagnostic;
        let marked = told.range.as_ref().zip(found.bytes.as_ref()).and_then(|(range, bytes)| {
            let start = range.start.min(bytes.len());
            bytes.get(start..range.end.clamp(start, bytes.len()))
        });
        let about = marked.filter(|marked| !marked.is_empty()).unwrap_or(told.message.as_bytes());
        let file = portable(&report.root, &told.path);
        let blanks = |byte: &&u8| !byte.is_ascii_whitespace();
        let parts = [told.code.id.as_bytes(), file.as_bytes()].into_iter().flat_map(|part| part.iter().chain([&0]));
        let hash = hashed(0xcbf2_9ce4_8422_2325, parts.chain(about.iter().filter(blanks)));
        let before = self.seen.entry(hash).or_default();
        let own = if *before == 0 { hash } else { hashed(hash, &before.to_le_bytes()) };
        *before += 1;
        format!("{own:016x}")
    }
}

/// FNV-1a: it need not withstand anybody.
fn hashed<'b>(start: u64, bytes: impl IntoIterator<Item = &'b u8>) -> u64 {
    bytes.into_iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn artifact(report: &Report, path: &str) -> Artifact {
    let shown = portable(&report.root, path);
    if shown == path {
        return Artifact { uri: uri(path, true), uri_base_id: None };
    }
    Artifact { uri: uri(&shown, false), uri_base_id: Some(ROOT) }
}

/// A path as a URI: relative, or of the scheme `file`. What a URI cannot hold is percent-encoded.
fn uri(path: &str, absolute: bool) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let mut out = String::with_capacity(path.len() + 8);
    let mut rest = path.as_str();
    if absolute {
        match rest.strip_prefix("//") {
            // A share of another machine, whose name is the authority.
            Some(share) if cfg!(windows) => {
                out.push_str("file://");
                rest = share;
            }
            _ => out.push_str(if rest.starts_with('/') { "file://" } else { "file:///" }),
        }
    }
    for byte in rest.bytes() {
        let drive = byte == b':' && absolute && cfg!(windows);
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) || drive {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri(".claude/settings.json", false), ".claude/settings.json");
        assert_eq!(uri("a b/ä#?%[x]:y.json", false), "a%20b/%C3%A4%23%3F%25%5Bx%5D%3Ay.json");
        if cfg!(windows) {
            assert_eq!(uri(r"C:\a b\x.json", true), "file:///C:/a%20b/x.json");
            assert_eq!(uri(r"\\server\share\x.json", true), "file://server/share/x.json");
        } else {
            assert_eq!(uri("/p q/x.json", true), "file:///p%20q/x.json");
        }
    }
}
