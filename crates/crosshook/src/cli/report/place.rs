//! Lines and columns of bytes, counted from 1 in Unicode scalar values.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Bytes between two places of a document that are remembered.
const STRIDE: usize = 4096;

/// Walks through a document that need not be UTF-8 and knows the line and column it is at, both from 1. It remembers places
/// on its way, so that places may be asked for in any order: each costs one stride at most, once all was walked through.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    here: Mark,
    marks: Vec<Mark>,
}

/// A byte with its line and column.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    const START: Mark = Mark { at: 0, line: 1, column: 1 };

    /// At the start of a document.
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, here: Self::START, marks: Vec::new() }
    }

    /// The line and column of a byte; of the end for one beyond it.
    pub(crate) fn position(&mut self, at: usize) -> (usize, usize) {
        let at = at.min(self.bytes.len());
        let known = self.marks.partition_point(|mark| mark.at <= at);
        let mark = known.checked_sub(1).and_then(|last| self.marks.get(last)).copied().unwrap_or(Self::START);
        if at < self.here.at || self.here.at < mark.at {
            self.here = mark;
        }
        let mut next = self.marks.last().map_or(STRIDE, |last| last.at + STRIDE);
        for byte in self.bytes.get(self.here.at..at).unwrap_or_default() {
            match byte {
                b'\n' => {
                    self.here.line += 1;
                    self.here.column = 1;
                }
                // The later bytes of a character.
                0x80..=0xbf => {}
                _ => self.here.column += 1,
            }
            self.here.at += 1;
            if self.here.at == next {
                self.marks.push(self.here);
                next += STRIDE;
            }
        }
        (self.here.line, self.here.column)
    }
}

/// The line and column of one byte.
pub(super) fn position(bytes: &[u8], at: usize) -> (usize, usize) {
    Cursor::new(bytes).position(at)
}

/// A range of a document, in bytes and in lines and columns. The end is the place after the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub byte_start: usize,
    pub byte_end: usize,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

/// Finds spans in several documents, each walked through as seldom as the order of the questions allows.
#[derive(Debug, Default)]
pub(super) struct Spans<'a> {
    cursors: HashMap<*const u8, Cursor<'a>>,
}

impl<'a> Spans<'a> {
    /// The span of a range. What lies outside the document is moved to its end.
    pub(super) fn of(&mut self, bytes: &'a Arc<[u8]>, range: &Range<usize>) -> Span {
        let cursor = self.cursors.entry(bytes.as_ptr()).or_insert_with(|| Cursor::new(bytes));
        let byte_start = range.start.min(bytes.len());
        let byte_end = range.end.clamp(byte_start, bytes.len());
        let (line, column) = cursor.position(byte_start);
        let (end_line, end_column) = cursor.position(byte_end);
        Span { byte_start, byte_end, line, column, end_line, end_column }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use super::*;

    #[test]
    fn positions_count_from_one_in_characters() {
        assert_eq!(position("a\né{".as_bytes(), 4), (2, 2));
        assert_eq!(position(b"", 9), (1, 1));
        assert_eq!(position(b"\xff\xff{", 2), (1, 3));
    }

    #[test]
    fn places_are_found_in_any_order_in_long_documents() {
        let text = "{\"é\": 1}\n \u{10348}\r\n".repeat(2_000);
        let bytes = text.as_bytes();
        let mut cursor = Cursor::new(bytes);
        let ends =
            [text.len(), 0, text.len() - 1, STRIDE, STRIDE - 1, STRIDE + 1, 3 * STRIDE, 7, text.len(), 2 * STRIDE + 5];
        for at in ends {
            let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let before = std::str::from_utf8(&bytes[..at]).unwrap();
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
            assert_eq!(cursor.position(at), (line, column), "{at}");
        }
    }

    #[test]
    fn spans_hold_for_every_order_of_questions_and_every_range() {
        let bytes: Arc<[u8]> = "{\n \"é\u{10348}\": 1,\r\n}".as_bytes().into();
        let mut spans = Spans::default();
        let word = Span { byte_start: 3, byte_end: 11, line: 2, column: 2, end_line: 2, end_column: 6 };
        assert_eq!(spans.of(&bytes, &(3..11)), word);
        let all = Span { byte_start: 0, byte_end: bytes.len(), line: 1, column: 1, end_line: 3, end_column: 2 };
        assert_eq!(spans.of(&bytes, &(0..usize::MAX)), all);
        assert_eq!(spans.of(&bytes, &(3..11)), word);
        let end = Span { byte_start: bytes.len(), line: 3, column: 2, ..all };
        #[allow(clippy::reversed_empty_ranges)]
        let beyond = usize::MAX..0;
        assert_eq!(spans.of(&bytes, &beyond), end);
    }
}
