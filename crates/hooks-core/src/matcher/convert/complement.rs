//! Everything but some texts, as a pattern without look-around.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::shape::{push_escaped, push_in_set};

/// Bytes that a pattern may have.
const MOST_BYTES: usize = 4096;

/// A tree of the texts that are left out.
#[derive(Default)]
struct Left {
    next: BTreeMap<char, Left>,
    /// A text ends here.
    word: bool,
    /// Everything that begins so is left out.
    start: bool,
}

/// A pattern without look-around for every value but some words and those that begin with some texts; `None` where it
/// would be too large.
pub(super) fn complement(words: &[String], starts: &[String]) -> Option<String> {
    let mut tree = Left::default();
    for (text, is_start) in words.iter().map(|word| (word, false)).chain(starts.iter().map(|start| (start, true))) {
        let mut at = &mut tree;
        for c in text.chars() {
            at = at.next.entry(c).or_default();
        }
        at.word |= !is_start;
        at.start |= is_start;
    }
    if tree.start {
        return None;
    }
    let mut text = String::from("^");
    tree.write(&mut text)?;
    text.push('$');
    Some(text)
}

impl Left {
    /// Writes what may follow, up to the end of the value.
    fn write(&self, text: &mut String) -> Option<()> {
        if text.len() > MOST_BYTES {
            return None;
        }
        if self.next.is_empty() {
            text.push_str(if self.word { "(?s:.+)" } else { "(?s:.*)" });
            return Some(());
        }
        let mut first = String::new();
        self.next.keys().for_each(|c| push_in_set(&mut first, *c));
        let _ = write!(text, "(?:[^{first}](?s:.*)");
        for (c, left) in self.next.iter().filter(|(_, left)| !left.start) {
            text.push('|');
            push_escaped(text, *c);
            left.write(text)?;
        }
        text.push_str(if self.word { ")" } else { ")?" });
        Some(())
    }
}
