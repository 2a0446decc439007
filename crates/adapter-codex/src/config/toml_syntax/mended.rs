//! A document with edits made, and the way back to the places in the document as given.

use std::ops::Range;

use hooks_core::diagnostic::Edit;
use hooks_core::document::{Member, Node, Object, Value};

use super::Mistake;
use crate::config::toml_tree;

/// A document with edits made, and the way back.
pub(super) struct Mended {
    pub(super) text: String,
    /// Where pieces of the document stand in the text, and where they stood.
    pieces: Vec<(usize, usize)>,
    /// The end of the document as given.
    end: usize,
}

impl Mended {
    /// `None` when edits overlap.
    pub(super) fn of<'e>(document: &str, edits: impl Iterator<Item = &'e Edit>) -> Option<Self> {
        let mut edits: Vec<&Edit> = edits.collect();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut text = String::with_capacity(document.len() + 16);
        let mut pieces = vec![(0, 0)];
        let mut at = 0;
        for edit in edits {
            text.push_str(document.get(at..edit.range.start)?);
            pieces.push((text.len(), edit.range.start));
            text.push_str(&edit.text);
            at = edit.range.end;
            pieces.push((text.len(), at));
        }
        text.push_str(document.get(at..)?);
        Some(Self { text, pieces, end: document.len() })
    }

    /// Where a place of the text was in the document.
    pub(super) fn back(&self, place: usize) -> usize {
        let piece = self.pieces.partition_point(|(written, _)| *written <= place).saturating_sub(1);
        let (written, original) = self.pieces.get(piece).copied().unwrap_or_default();
        let next = self.pieces.get(piece + 1).map_or(self.end, |(_, original)| *original);
        (original + (place - written)).min(next.max(original))
    }

    fn range_back(&self, range: &Range<usize>) -> Range<usize> {
        self.back(range.start)..self.back(range.end)
    }

    /// A mistake found in the text, with its places in the document.
    pub(super) fn moved(&self, mut mistake: Mistake) -> Mistake {
        mistake.range = self.range_back(&mistake.range);
        for edit in mistake.edits.iter_mut().chain(&mut mistake.without) {
            edit.range = self.range_back(&edit.range);
        }
        mistake
    }

    /// What can be read of the text, with its places in the document.
    pub(super) fn root(&self) -> Node {
        let (mut root, _) = toml_tree::recover(&self.text);
        move_back(&mut root, &|place| self.back(place));
        root
    }
}

fn move_back(node: &mut Node, back: &impl Fn(usize) -> usize) {
    node.range = back(node.range.start)..back(node.range.end);
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(|item| move_back(item, back)),
        Value::Object(Object { members }) => {
            for Member { key_range, value, .. } in members {
                *key_range = back(key_range.start)..back(key_range.end);
                move_back(value, back);
            }
        }
        _ => {}
    }
}
