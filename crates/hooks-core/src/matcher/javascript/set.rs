//! Sets of UTF-16 code units: what a character class means in a pattern without flags.

/// The units that are halves of a pair.
pub(super) const SURROGATES: (u16, u16) = (0xD800, 0xDFFF);

const DIGITS: &[(u16, u16)] = &[(0x30, 0x39)];
const WORDS: &[(u16, u16)] = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
/// `WhiteSpace` and `LineTerminator` of ECMA-262: the space separators of Unicode, U+FEFF and the controls.
const SPACES: &[(u16, u16)] = &[
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];
const LINE_ENDS: &[(u16, u16)] = &[(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)];

/// Sorted ranges that neither overlap nor touch, ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnitSet(Vec<(u16, u16)>);

impl UnitSet {
    pub(super) fn new(mut ranges: Vec<(u16, u16)>) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<(u16, u16)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(previous) if u32::from(first) <= u32::from(previous.1) + 1 => previous.1 = previous.1.max(last),
                _ => merged.push((first, last)),
            }
        }
        Self(merged)
    }

    pub(super) fn one(unit: u16) -> Self {
        Self(vec![(unit, unit)])
    }

    /// What `.` takes.
    pub(super) fn any_but_line_ends() -> Self {
        Self(LINE_ENDS.to_vec()).inverted()
    }

    /// What `\d`, `\w`, `\s` and their opposites take.
    pub(super) fn escape(letter: u8) -> Option<Self> {
        let ranges = match letter.to_ascii_lowercase() {
            b'd' => DIGITS,
            b'w' => WORDS,
            b's' => SPACES,
            _ => return None,
        };
        let set = Self(ranges.to_vec());
        Some(if letter.is_ascii_uppercase() { set.inverted() } else { set })
    }

    pub(super) fn inverted(&self) -> Self {
        let mut ranges = Vec::with_capacity(self.0.len() + 1);
        let mut next = 0_u32;
        for &(first, last) in &self.0 {
            if let (Ok(from), Some(to)) = (u16::try_from(next), first.checked_sub(1))
                && from <= to
            {
                ranges.push((from, to));
            }
            next = u32::from(last) + 1;
        }
        if let Ok(from) = u16::try_from(next) {
            ranges.push((from, u16::MAX));
        }
        Self(ranges)
    }

    pub(super) fn ranges(&self) -> &[(u16, u16)] {
        &self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn single(&self) -> Option<u16> {
        match *self.0.as_slice() {
            [(first, last)] if first == last => Some(first),
            _ => None,
        }
    }

    /// Whether it takes halves of a pair at all.
    pub(super) fn takes_halves(&self) -> bool {
        self.0.iter().any(|&(first, last)| first <= SURROGATES.1 && last >= SURROGATES.0)
    }

    /// Whether it takes every half of a pair.
    pub(super) fn takes_all_halves(&self) -> bool {
        self.0.iter().any(|&(first, last)| first <= SURROGATES.0 && last >= SURROGATES.1)
    }
}
