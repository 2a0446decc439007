//! A report for people: each finding with the lines it is about.
//!
//! The drawing library trusts its caller with places and text; here places are brought inside the document and text
//! from documents is made safe before it is handed over.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Message, Origin, Renderer, Snippet};
use hooks_core::text::{display_line, display_untrusted, shorten};
use hooks_core::{Diagnostic, Severity};

use super::super::out::{BAD, DIM, GOOD, HEAD, NAME, WARN, paint, wrap};
use super::place::{Span, Spans, position};
use super::{Found, Loudness, Report, cost, page};

/// How many findings of one file are drawn.
const DRAWN: usize = 100;
/// Characters shown of a line before and after the place, where the line is too long to show.
const BEFORE: usize = 60;
const AFTER: usize = 160;
/// Characters shown of a message.
const MESSAGE: usize = 2_000;

/// The whole report, with colour in it.
pub(super) fn text(report: &Report, loudness: Loudness, width: usize) -> String {
    let told = |found: &&Found| !found.known || loudness == Loudness::Verbose;
    let found: Vec<&Found> = report.found.iter().filter(told).collect();
    if loudness == Loudness::Quiet {
        return lines(&found);
    }
    let mut out = String::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in &found {
        *counts.entry(&one.shown).or_default() += 1;
    }
    let mut at = None;
    let mut drawn = 0;
    for one in found {
        if at != Some(&one.shown) {
            at = Some(&one.shown);
            drawn = 0;
            if counts.len() > 1 && !one.shown.is_empty() {
                let _ = writeln!(out, "{}\n", paint(HEAD, &display_line(&one.shown)));
            }
        }
        drawn += 1;
        if drawn <= DRAWN {
            out.push_str(&draw(one, width));
            out.push('\n');
            if loudness == Loudness::Verbose {
                out.push_str(&reasons(one, width));
            }
            out.push('\n');
        }
        let count = counts.get(one.shown.as_str()).copied().unwrap_or_default();
        if drawn == count && count > DRAWN {
            let shown = display_line(&one.shown);
            let _ = writeln!(out, "And {} more in {shown}; --format json has them all.\n", count - DRAWN);
        }
    }
    out.push_str(&summary(report, width));
    out
}

/// One line a finding: the place, the kind, and what is wrong.
fn lines(found: &[&Found]) -> String {
    let mut out = String::new();
    let mut spans = Spans::default();
    for one in found {
        let told = &one.diagnostic;
        let mut place = display_line(&one.shown).into_owned();
        if let Some((bytes, range)) = one.bytes.as_ref().zip(told.range.as_ref()) {
            let Span { line, column, .. } = spans.of(bytes, range);
            let _ = write!(place, ":{line}:{column}");
        }
        if !place.is_empty() {
            place.push_str(": ");
        }
        let style = match told.severity {
            Severity::Error => BAD,
            Severity::Warning => WARN,
            Severity::Info => NAME,
        };
        let kind = paint(style, &format!("{}[{}]", told.severity.as_str(), told.code.id));
        let _ = writeln!(out, "{place}{kind}: {}", display_line(&shorten(one.message(), MESSAGE)));
    }
    out
}

/// Why it is so, from the page of the code, and whether the baseline knows it.
fn reasons(found: &Found, width: usize) -> String {
    let mut out = String::new();
    if found.known {
        let _ = writeln!(out, "   {}", paint(DIM, "the baseline knows it"));
    }
    if let Some(why) = page::of(found.diagnostic.code.id).map(page::why).filter(|why| !why.is_empty()) {
        let _ = write!(out, "   {}\n{}", paint(DIM, "why:"), page::styled(why, width, 5));
    }
    if out.is_empty() { out } else { format!("\n{out}") }
}

/// The last lines: how much was found, in how much.
fn summary(report: &Report, width: usize) -> String {
    let mut out = String::new();
    if let Some(refused) = &report.refused {
        let _ = writeln!(out, "{}: {}\n", paint(BAD, "a session would be refused here"), display_untrusted(refused));
    }
    if let Some(nothing) = &report.nothing {
        out.push_str(nothing);
        return out;
    }
    let word = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let [errors, warnings, infos] = [Severity::Error, Severity::Warning, Severity::Info].map(|it| report.count(it));
    let mut parts = Vec::new();
    if errors > 0 {
        parts.push(paint(BAD, &word(errors, "error")));
    }
    if warnings > 0 {
        parts.push(paint(WARN, &word(warnings, "warning")));
    }
    if infos > 0 {
        parts.push(format!("{infos} info"));
    }
    let place = format!("in {} with {}", word(report.files, "file"), word(report.hooks, "hook"));
    let _ = match parts.as_slice() {
        [] => {
            let nothing = if report.known() > 0 { "No new problems" } else { "No problems" };
            writeln!(out, "{} {place}.", paint(GOOD, nothing))
        }
        parts => writeln!(out, "{} {place}.", parts.join(", ")),
    };
    let mut left = Vec::new();
    if report.known() > 0 {
        left.push(format!("{} that the baseline knows", report.known()));
    }
    if report.allowed > 0 {
        left.push(format!("{} that {} allowed", report.allowed, if report.allowed == 1 { "is" } else { "are" }));
    }
    if !left.is_empty() {
        let text = format!("Not counted: {}.", left.join(", and "));
        let _ = writeln!(out, "{}", paint(DIM, &wrap(&text, width, 0)));
    }
    out
}

/// Draws a finding with the lines it is about. Any range is good: what lies outside the document is moved to its end.
fn draw(found: &Found, width: usize) -> String {
    let told = &found.diagnostic;
    let path = display_line(&found.shown).into_owned();
    let bytes = found.bytes.as_deref();
    let level = match told.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = display_line(shorten(found.message(), MESSAGE).as_ref()).into_owned();
    let mut group = Group::with_title(level.primary_title(title).id(told.code.id));

    let window = told.range.clone().and_then(|range| Window::of(bytes?, range));
    let mut elsewhere = Vec::new();
    match window {
        Some(window) => {
            let mut here = window.snippet(&path, AnnotationKind::Primary, "");
            let related = told.related.iter().filter(|related| related.path.is_none());
            for related in related {
                let Some(place) = bytes.and_then(|bytes| Window::of(bytes, related.range.clone())) else { continue };
                if place.line == window.line && place.text == window.text {
                    let label = display_line(&related.message).into_owned();
                    here = here.annotation(AnnotationKind::Context.span(place.span).label(label));
                } else {
                    elsewhere.push(place.snippet(&path, AnnotationKind::Context, &related.message));
                }
            }
            group = group.element(here);
        }
        None if !path.is_empty() => group = group.element(Origin::path(path)),
        None => {}
    }
    for snippet in elsewhere {
        group = group.element(snippet);
    }
    for (related, other) in told.related.iter().filter_map(|it| Some((it, found.other(it.path.as_deref()?)?))) {
        let path = display_line(&other.shown).into_owned();
        let place = other.bytes.as_deref().and_then(|bytes| Window::of(bytes, related.range.clone()));
        group = match place {
            Some(place) => group.element(place.snippet(&path, AnnotationKind::Context, &related.message)),
            None => group
                .element(Origin::path(path))
                .element(Level::NOTE.message(display_line(&related.message).into_owned())),
        };
    }
    for message in messages(told, width) {
        group = group.element(message);
    }
    let report = [group];
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii).term_width(width);
    renderer.render(&report)
}

/// What stands below the line: what is lost, whether the vendor says so, and the way out.
fn messages(found: &Diagnostic, width: usize) -> Vec<Element<'static>> {
    // The numbers of lines stand before it.
    const INDENT: usize = "1234 = help: ".len();
    let mut messages: Vec<Message<'static>> = Vec::new();
    if let Some(cost) = cost(found) {
        messages.push(Level::NOTE.message(flush(&cost, width, INDENT)));
    }
    if !found.help.is_empty() {
        let help = display_untrusted(shorten(&found.help, MESSAGE).as_ref()).into_owned();
        messages.push(Level::HELP.message(flush(&help, width, INDENT)));
    }
    messages.into_iter().map(Into::into).collect()
}

/// A text in lines that fit into a width with an indent. The indent itself is the drawing library's.
fn flush(text: &str, width: usize, indent: usize) -> String {
    wrap(text, width.saturating_sub(indent).max(40), 0)
}

/// One line of a document, safe to show, with the place in it.
struct Window {
    text: String,
    span: Range<usize>,
    line: usize,
}

/// Bytes looked at before and after a place for the ends of its line.
const REACH: usize = 4 * (BEFORE + AFTER);

impl Window {
    /// The line in which a range starts. A range that goes on in later lines ends with the line.
    fn of(bytes: &[u8], range: Range<usize>) -> Option<Self> {
        let start = range.start.min(bytes.len());
        let (line, _) = position(bytes, start);
        let near = start.saturating_sub(REACH);
        let newline = bytes.get(near..start)?.iter().rposition(|byte| *byte == b'\n');
        let line_start = newline.map_or(near, |newline| near + newline + 1);
        let rest = bytes.get(start..bytes.len().min(start + REACH))?;
        let newline = rest.iter().position(|byte| *byte == b'\n');
        let mut line_end = start + newline.unwrap_or(rest.len());
        if newline.is_some() && line_end > start && bytes.get(line_end - 1) == Some(&b'\r') {
            line_end -= 1;
        }
        let end = range.end.clamp(start, line_end.max(start));

        let mut text = String::new();
        let left = String::from_utf8_lossy(bytes.get(line_start..start)?);
        let cut = left.chars().count().saturating_sub(BEFORE);
        let is_long = line_end - line_start > 2 * (BEFORE + AFTER) || (newline.is_none() && rest.len() == REACH);
        if cut > 0 && is_long {
            text.push('…');
            text.push_str(&safe(&left.chars().skip(cut).collect::<String>()));
        } else {
            text.push_str(&safe(&left));
        }
        let from = text.len();
        let marked = String::from_utf8_lossy(bytes.get(start..end)?);
        text.push_str(&safe(&marked.chars().take(AFTER).collect::<String>()));
        let to = text.len();
        if marked.chars().nth(AFTER).is_some() {
            text.push('…');
        } else {
            let right = String::from_utf8_lossy(bytes.get(end..line_end.max(end))?);
            text.push_str(&safe(&shorten(&right, AFTER)));
        }
        Some(Self { text, span: from..to, line })
    }

    fn snippet<'a>(
        &self,
        path: &str,
        kind: AnnotationKind,
        label: &str,
    ) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let annotation = kind.span(self.span.clone());
        let annotation = if label.is_empty() { annotation } else { annotation.label(display_line(label).into_owned()) };
        Snippet::source(self.text.clone()).line_start(self.line).path(path.to_owned()).annotation(annotation)
    }
}

/// A part of a line as it may be drawn.
fn safe(part: &str) -> String {
    display_line(&part.replace('\t', " ")).into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice)]

    use std::path::PathBuf;

    use hooks_core::{Code, Reach};

    use super::super::Other;
    use super::*;

    static CODE: Code =
        Code { id: "test/code", about: "test", severity: Severity::Warning, summary: "", help: "do better" };

    fn found(bytes: &[u8], range: Range<usize>) -> Found {
        let diagnostic =
            Diagnostic::new(&CODE, Reach::File, "wrong \u{1b}[31mthing").at(range.clone()).related("here", range);
        let shown = "a.json".to_owned();
        Found { diagnostic, vendor: None, shown, bytes: Some(bytes.into()), others: Vec::new(), known: false }
    }

    fn report(found: Vec<Found>) -> Report {
        let root = PathBuf::from("/p");
        Report { root, found, files: 1, hooks: 2, refused: None, allowed: 0, baseline: false, nothing: None, exit: 1 }
    }

    fn bare(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    fn draw(bytes: &[u8], range: Range<usize>) -> String {
        bare(&super::draw(&found(bytes, range), 80))
    }

    #[test]
    fn the_line_the_place_and_the_way_out_are_shown() {
        let shown = draw(b"{\n  \"hooks\": 5\n}", 13..14);
        assert!(shown.contains("warning[test/code]: wrong \\u{1b}[31mthing"), "{shown}");
        assert!(shown.contains("a.json:2:12"), "{shown}");
        assert!(shown.contains("2 |   \"hooks\": 5"), "{shown}");
        assert!(shown.contains("help: do better"), "{shown}");
        assert!(shown.contains("note: this costs the whole file"), "{shown}");
    }

    #[test]
    fn the_marks_stand_below_what_they_mark_wherever_the_line_is_cut() {
        for before in (0..150).chain([400, 900]) {
            for after in [0, 30, 90, 600] {
                let text = format!("{}é\tHERE{}", "b".repeat(before), "a".repeat(after));
                let start = text.find("HERE").unwrap();
                for width in [60, 80, 120] {
                    let shown = bare(&super::draw(&found(text.as_bytes(), start..start + 4), width));
                    let mut lines = shown.lines().skip_while(|line| !line.starts_with("1 | "));
                    let (line, marks) = (lines.next().unwrap(), lines.next().unwrap());
                    let under: String =
                        line.chars().zip(marks.chars()).filter(|(_, mark)| *mark == '^').map(|(c, _)| c).collect();
                    assert_eq!(under, "HERE", "{before} {after} {width}:\n{shown}");
                }
            }
        }
    }

    #[test]
    fn a_place_in_another_document_is_drawn_and_one_that_cannot_be_read_is_named() {
        let mut one = found(b"{}", 0..1);
        one.diagnostic = Diagnostic::new(&CODE, Reach::None, "twice")
            .at(0..1)
            .related_in("/p/b.toml", "also here", 4..5)
            .related_in("/p/c.toml", "and here", 4..5);
        let other = |path: &str, bytes: Option<&[u8]>| Other {
            path: format!("/p/{path}"),
            shown: path.to_owned(),
            bytes: bytes.map(Into::into),
        };
        one.others = vec![other("b.toml", Some(b"abc\nx = 1\n")), other("c.toml", None)];
        let shown = bare(&super::draw(&one, 80));
        assert!(shown.contains("b.toml:2:1") && shown.contains("- also here"), "{shown}");
        assert!(shown.contains("c.toml") && shown.contains("and here"), "{shown}");
    }

    #[test]
    fn quiet_is_one_line_a_finding_and_known_ones_are_for_verbose() {
        let mut known = found(b"{\n\n}", 2..3);
        known.known = true;
        let report = report(vec![found(b"{\n}", 2..3), known]);
        let quiet = bare(&text(&report, Loudness::Quiet, 80));
        assert_eq!(quiet, "a.json:2:1: warning[test/code]: wrong \\u{1b}[31mthing\n");
        let normal = bare(&text(&report, Loudness::Normal, 80));
        assert_eq!(normal.matches("test/code").count(), 1, "{normal}");
        let end = "1 warning in 1 file with 2 hooks.\nNot counted: 1 that the baseline knows.\n";
        assert!(normal.ends_with(end), "{normal}");
        let verbose = bare(&text(&report, Loudness::Verbose, 80));
        assert_eq!(verbose.matches("test/code").count(), 2, "{verbose}");
        assert!(verbose.contains("the baseline knows it"), "{verbose}");
    }

    #[test]
    fn many_findings_of_one_file_are_cut_short_and_counted() {
        let report = report((0..DRAWN + 7).map(|_| found(b"{}", 0..1)).collect());
        let shown = bare(&text(&report, Loudness::Normal, 80));
        assert_eq!(shown.matches("warning[test/code]").count(), DRAWN);
        assert!(shown.contains("And 7 more in a.json"), "{shown}");
    }

    #[test]
    fn no_place_and_no_document_panics() {
        let long = [vec![b'x'; 100_000], b"\r\n".to_vec(), vec![0xff; 3_000]].concat();
        let documents: [&[u8]; 7] =
            [b"", b"\n", b"{\r\n}\r\n", b"\xef\xbb\xbf{", b"\xff\xfe\x00", "é\u{202e}漢\t字\u{7}\n".as_bytes(), &long];
        for bytes in documents {
            for start in (0..bytes.len().min(12)).chain([
                bytes.len().saturating_sub(1),
                bytes.len(),
                bytes.len() + 7,
                usize::MAX,
            ]) {
                for end in [0, start, start.saturating_add(1), start.saturating_add(900), usize::MAX] {
                    let shown = draw(bytes, start..end);
                    assert!(!shown.contains('\u{7}') && !shown.contains('\u{202e}'), "{shown:?}");
                }
            }
        }
    }
}
