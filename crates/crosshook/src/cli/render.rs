//! Diagnostics for people: the one function that draws them.
//!
//! The drawing library trusts its caller with places and text; here places are brought inside the document and text
//! from documents is made safe before it is handed over.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Message, Origin, Renderer, Snippet};
use hooks_core::text::{display_line, display_untrusted, shorten};
use hooks_core::{Diagnostic, Reach, Severity};

/// Characters shown of a line before and after the place, where the line is too long to show.
const BEFORE: usize = 60;
const AFTER: usize = 160;
/// Characters shown of a message.
const MESSAGE: usize = 2_000;

/// Draws a diagnostic with the line it is about.
///
/// `shown_path` is how the path is written, `bytes` the document if it could be read. Any range is good: what lies
/// outside the document is moved to its end.
pub(crate) fn diagnostic(found: &Diagnostic, shown_path: &str, bytes: Option<&[u8]>, width: usize) -> String {
    let path = display_line(shown_path).into_owned();
    let level = match found.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    // The place stands below; some vendors' own words start with it.
    let message = found.message.strip_prefix(&found.path).and_then(|rest| rest.strip_prefix(": "));
    let title = display_line(shorten(message.unwrap_or(&found.message), MESSAGE).as_ref()).into_owned();
    let mut group = Group::with_title(level.primary_title(title).id(found.code.id));

    let window = found.range.clone().and_then(|range| Some((Window::of(bytes?, range)?, bytes?)));
    match &window {
        Some((window, bytes)) => {
            let mut here = window.snippet(&path, AnnotationKind::Primary, "");
            let (same, other): (Vec<_>, Vec<_>) = found
                .related
                .iter()
                .filter_map(|related| Some((Window::of(bytes, related.range.clone())?, related)))
                .partition(|(other, _)| other.line == window.line && other.text == window.text);
            for (place, related) in same {
                let label = display_line(&related.message).into_owned();
                here = here.annotation(AnnotationKind::Context.span(place.span).label(label));
            }
            group = group.element(here);
            for (place, related) in other {
                group = group.element(place.snippet(&path, AnnotationKind::Context, &related.message));
            }
        }
        None if !path.is_empty() => group = group.element(Origin::path(path)),
        None => {}
    }
    for message in messages(found) {
        group = group.element(message);
    }
    let report = [group];
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii).term_width(width);
    renderer.render(&report)
}

/// What stands below the line: what is lost, whether the vendor says so, and the way out.
fn messages(found: &Diagnostic) -> Vec<Element<'static>> {
    let mut messages: Vec<Message<'static>> = Vec::new();
    let silent = if found.silent { "; the vendor itself says nothing" } else { "" };
    // A remark on one hook need not cost it.
    let lost = lost(found.reach).filter(|_| found.reach != Reach::Entry || found.severity == Severity::Error);
    match lost {
        Some(lost) => messages.push(Level::NOTE.message(format!("{lost}{silent}"))),
        None if found.silent => messages.push(Level::NOTE.message("the vendor itself says nothing about it")),
        None => {}
    }
    if !found.help.is_empty() {
        messages.push(Level::HELP.message(display_untrusted(shorten(&found.help, MESSAGE).as_ref()).into_owned()));
    }
    messages.into_iter().map(Into::into).collect()
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

/// Walks through a document that need not be UTF-8 and knows the line and column it is at, both from 1. Places asked
/// for in rising order cost one walk together.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    /// At the start of a document.
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1, column: 1 }
    }

    /// The line and column of a byte; of the end for one beyond it.
    pub(crate) fn position(&mut self, at: usize) -> (usize, usize) {
        let at = at.min(self.bytes.len());
        if at < self.at {
            *self = Self::new(self.bytes);
        }
        for byte in self.bytes.get(self.at..at).unwrap_or_default() {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.column = 1;
                }
                // The later bytes of a character.
                0x80..=0xbf => {}
                _ => self.column += 1,
            }
        }
        self.at = at;
        (self.line, self.column)
    }
}

/// The line and column of one byte.
pub(crate) fn position(bytes: &[u8], at: usize) -> (usize, usize) {
    Cursor::new(bytes).position(at)
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
            text.extend(left.chars().skip(cut).flat_map(safe));
        } else {
            text.extend(left.chars().flat_map(safe));
        }
        let from = text.len();
        let marked = String::from_utf8_lossy(bytes.get(start..end)?);
        text.extend(marked.chars().take(AFTER).flat_map(safe));
        let to = text.len();
        if marked.chars().nth(AFTER).is_some() {
            text.push('…');
        } else {
            let right = String::from_utf8_lossy(bytes.get(end..line_end.max(end))?);
            text.extend(shorten(&right, AFTER).chars().flat_map(safe));
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

/// A character as it may be drawn inside one line.
fn safe(c: char) -> impl Iterator<Item = char> {
    let mut buffer = [0; 4];
    let shown = match c {
        '\t' => " ".to_owned(),
        c => display_line(c.encode_utf8(&mut buffer)).into_owned(),
    };
    shown.chars().collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice)]

    use super::*;

    static CODE: hooks_core::Code = hooks_core::Code {
        id: "test/code",
        about: "test",
        severity: Severity::Warning,
        summary: "",
        help: "do better",
    };

    fn draw(bytes: &[u8], range: Range<usize>) -> String {
        let found =
            Diagnostic::new(&CODE, Reach::File, "wrong \u{1b}[31mthing").at(range.clone()).related("here", range);
        anstream::adapter::strip_str(&diagnostic(&found, "a.json", Some(bytes), 80)).to_string()
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

    #[test]
    fn positions_count_from_one_in_characters() {
        assert_eq!(position("a\né{".as_bytes(), 4), (2, 2));
        assert_eq!(position(b"", 9), (1, 1));
        assert_eq!(position(b"\xff\xff{", 2), (1, 3));
    }
}
