//! Texts that are too long for a model: what to keep in place and what to write to a file. Pure; a runtime writes.

/// How a vendor limits a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpillLimit {
    /// At most so many units pass whole; `None` for no limit.
    pub limit: Option<u64>,
    /// The unit.
    pub unit: SpillUnit,
    /// Units of the head to keep in place.
    pub keep_head: u64,
    /// Units of the tail to keep in place.
    pub keep_tail: u64,
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpillUnit {
    /// Characters (Unicode scalar values).
    Characters,
    /// Four bytes each, rounded up: an approximation of tokens.
    ApproximateTokens,
}

/// A text after its limit was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spilled {
    /// It passes whole.
    Whole(String),
    /// It is too long: the whole goes to a file, and head and tail stay, with the place of the file between or after.
    ToFile {
        /// What the file shall hold.
        whole: String,
        /// The head that stays.
        head: String,
        /// The tail that stays.
        tail: String,
    },
}

/// Applies a limit to a text.
///
/// ```
/// use hooks_core::spill::{SpillLimit, SpillUnit, Spilled, spill};
///
/// let limit = SpillLimit { limit: Some(10), unit: SpillUnit::Characters, keep_head: 4, keep_tail: 0 };
/// assert_eq!(spill("short", &limit), Spilled::Whole("short".to_owned()));
/// let Spilled::ToFile { whole, head, .. } = spill("rather a long text", &limit) else { panic!("too long") };
/// assert_eq!((head.as_str(), whole.as_str()), ("rath", "rather a long text"));
/// ```
#[must_use]
pub fn spill(text: &str, limit: &SpillLimit) -> Spilled {
    let Some(max) = limit.limit else { return Spilled::Whole(text.to_owned()) };
    let (size, per_unit) = match limit.unit {
        SpillUnit::Characters => (text.chars().count() as u64, None),
        SpillUnit::ApproximateTokens => ((text.len() as u64).div_ceil(4), Some(4usize)),
    };
    if size <= max {
        return Spilled::Whole(text.to_owned());
    }
    let (head, tail) = match per_unit {
        None => {
            let count = size;
            let head: String = text.chars().take(usize_of(limit.keep_head)).collect();
            let skip = count.saturating_sub(limit.keep_tail).max(limit.keep_head);
            (head, text.chars().skip(usize_of(skip)).collect())
        }
        Some(bytes) => {
            let head_end = floor_boundary(text, usize_of(limit.keep_head).saturating_mul(bytes));
            let from = text.len().saturating_sub(usize_of(limit.keep_tail).saturating_mul(bytes)).max(head_end);
            let tail_start = ceil_boundary(text, from);
            (text.get(..head_end).unwrap_or_default().to_owned(), text.get(tail_start..).unwrap_or_default().to_owned())
        }
    };
    Spilled::ToFile { whole: text.to_owned(), head, tail }
}

fn usize_of(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHARACTERS: SpillLimit =
        SpillLimit { limit: Some(5), unit: SpillUnit::Characters, keep_head: 2, keep_tail: 1 };

    #[test]
    fn a_text_at_the_limit_passes_and_one_beyond_does_not() {
        assert_eq!(spill("漢字漢字漢", &CHARACTERS), Spilled::Whole("漢字漢字漢".into()));
        assert_eq!(
            spill("abcdef", &CHARACTERS),
            Spilled::ToFile { whole: "abcdef".into(), head: "ab".into(), tail: "f".into() }
        );
    }

    #[test]
    fn token_limits_cut_at_characters() {
        let limit = SpillLimit { limit: Some(2), unit: SpillUnit::ApproximateTokens, keep_head: 1, keep_tail: 1 };
        let Spilled::ToFile { head, tail, .. } = spill("漢字漢字漢字", &limit) else { panic!("too long") };
        assert_eq!((head.as_str(), tail.as_str()), ("漢", "字"));
    }

    #[test]
    fn no_limit_keeps_everything() {
        let limit = SpillLimit { limit: None, ..CHARACTERS };
        assert_eq!(spill("abcdef", &limit), Spilled::Whole("abcdef".into()));
    }
}
