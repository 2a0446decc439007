//! Where a fact comes from, and which releases it holds for.

use crate::vendor::Version;

/// How a fact is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// A rule of the first design, which outranks the vendor's documents where it speaks.
    Seed,
    /// The vendor's own documentation says it.
    Documented,
    /// The vendor's real client was seen to do it.
    Observed,
    /// Nobody says it; it follows from what is said.
    Inferred,
}

impl Basis {
    /// The word used in tables and explanations.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Documented => "documented",
            Self::Observed => "observed",
            Self::Inferred => "inferred",
        }
    }
}

/// A fact's basis with the place to look it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Evidence {
    /// How it is known.
    pub basis: Basis,
    /// The page and section, the client version, or the case id.
    pub source: &'static str,
}

impl Evidence {
    /// Evidence of the given basis and source.
    #[must_use]
    pub const fn new(basis: Basis, source: &'static str) -> Self {
        Self { basis, source }
    }
}

/// A fact that changed: each value with the first version it holds for, oldest first.
///
/// ```
/// use hooks_core::Version;
/// use hooks_core::evidence::Since;
///
/// const RUNS: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(0, 148, 0), true)]);
/// assert_eq!(RUNS.at(Version::new(0, 150, 2)), Some(true));
/// ```
///
/// The first entry should hold from [`Version::FIRST`], so that every version finds a value.
#[derive(Clone, Copy, Debug)]
pub struct Since<T: 'static>(pub &'static [(Version, T)]);

impl<T: Copy + 'static> Since<T> {
    /// The value that holds at a version; `None` before the first entry.
    #[must_use]
    pub fn at(&self, version: Version) -> Option<T> {
        self.0.iter().rev().find(|(since, _)| *since <= version).map(|(_, value)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_fact_is_looked_up_by_version() {
        const FACT: Since<u8> = Since(&[(Version::FIRST, 1), (Version::new(0, 148, 0), 2)]);
        assert_eq!(FACT.at(Version::new(0, 142, 0)), Some(1));
        assert_eq!(FACT.at(Version::new(0, 148, 0)), Some(2));
        assert_eq!(FACT.at(Version::new(1, 0, 0)), Some(2));
        assert_eq!(Since::<u8>(&[]).at(Version::FIRST), None);
    }
}
