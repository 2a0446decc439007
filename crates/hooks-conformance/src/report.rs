//! What a run of vectors came to.

use std::collections::BTreeMap;
use std::fmt;

use hooks_core::text::display_line;
use serde::Serialize;
use serde_json::Value;

/// What a run of vectors came to. Serialises as the command prints it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// How many vectors hold.
    pub passed: usize,
    /// How many do not; as many as there are [`Report::failures`].
    pub failed: usize,
    /// Those that could not be judged, with the reason.
    pub skipped: Vec<Skipped>,
    /// Those that do not hold.
    pub failures: Vec<Failure>,
    /// Those that do not hold and are known not to.
    pub excepted: Vec<Excepted>,
}

impl Report {
    /// Whether everything that could be judged holds.
    #[must_use]
    pub const fn is_ok(&self) -> bool {
        self.failed == 0
    }

    pub(crate) fn fail(&mut self, failure: Failure) {
        self.failures.push(failure);
        self.failed = self.failures.len();
    }
}

/// A vector that was not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Its file, with the vendor.
    pub file: String,
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Why it was not judged.
    pub reason: String,
}

/// A vector that does not hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// Its file, with the vendor.
    pub file: String,
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Its event.
    pub event: Option<String>,
    /// What differs, on one line.
    pub message: String,
    /// What was expected.
    pub expected: Value,
    /// What came, in the same form.
    pub actual: Value,
}

/// A vector that does not hold and is known not to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excepted {
    /// Its file, with the vendor.
    pub file: String,
    /// Its id.
    pub id: String,
    /// Why it need not hold.
    pub reason: String,
    /// What differs.
    pub message: String,
}

/// Every failure on a line of its own, then the numbers, with the reasons for what was skipped.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(
                f,
                "FAILED {} {} ({}): {}",
                failure.file,
                failure.id,
                failure.kind,
                display_line(&failure.message)
            )?;
        }
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if !self.excepted.is_empty() {
            write!(f, ", {} excepted", self.excepted.len())?;
        }
        write!(f, ", {} skipped", self.skipped.len())?;
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for skipped in &self.skipped {
            *reasons.entry(&skipped.reason).or_default() += 1;
        }
        for (reason, count) in reasons {
            write!(f, "\n  skipped {count}: {}", display_line(reason))?;
        }
        Ok(())
    }
}
