//! What a run of vectors came to.

use std::collections::BTreeMap;
use std::fmt;

use hooks_core::text::display_line;
use serde::Serialize;
use serde_json::Value;

use crate::score::{Cell, Score};

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
    /// All of them counted, by vendor, event and kind.
    pub score: Score,
}

impl Failure {
    /// A failure of the run that no vector has: what it is about, and what is wrong.
    pub(crate) fn apart(file: impl Into<String>, id: impl Into<String>, kind: &str, message: String) -> Self {
        Self {
            file: file.into(),
            id: id.into(),
            kind: kind.to_owned(),
            event: None,
            client: None,
            profile: None,
            message,
            expected: Value::Null,
            actual: Value::Null,
            stderr: None,
        }
    }

    /// For whom its vector holds, where that is not the file's client: `client 2.1.0, profile vendor`.
    #[must_use]
    pub fn holds_for(&self) -> Option<String> {
        let words = [("client", &self.client), ("profile", &self.profile)];
        let words: Vec<String> =
            words.iter().filter_map(|(what, word)| Some(format!("{what} {}", word.as_deref()?))).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

impl Report {
    /// Whether everything that could be judged holds.
    #[must_use]
    pub const fn is_ok(&self) -> bool {
        self.failed == 0
    }

    /// How many vectors were judged.
    #[must_use]
    pub fn judged(&self) -> usize {
        self.score.total().judged()
    }

    pub(crate) fn pass(&mut self, cell: Cell) {
        self.score.tally(cell).passed += 1;
        self.passed += 1;
    }

    pub(crate) fn skip(&mut self, cell: Cell, skipped: Skipped) {
        self.score.tally(cell).skipped += 1;
        self.skipped.push(skipped);
    }

    pub(crate) fn except(&mut self, cell: Cell, reason: &str, failure: Failure) {
        self.score.tally(cell).excepted += 1;
        self.excepted.push(Excepted {
            file: failure.file,
            id: failure.id,
            reason: reason.to_owned(),
            message: failure.message,
        });
    }

    pub(crate) fn fail(&mut self, cell: Cell, failure: Failure) {
        self.score.tally(cell).failed += 1;
        self.fail_apart(failure);
    }

    /// How many failures are about the run, and not about one vector of it.
    #[must_use]
    pub fn failed_apart(&self) -> usize {
        self.failed - self.score.total().failed
    }

    /// A failure of the run that no vector has.
    pub(crate) fn fail_apart(&mut self, failure: Failure) {
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
    /// Its event.
    pub event: Option<String>,
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
    /// The older client it holds for, if it names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The vendor's face it holds for, if it names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// What differs, on one line.
    pub message: String,
    /// What was expected.
    pub expected: Value,
    /// What came, in the same form; `null` where nothing did.
    pub actual: Value,
    /// The end of what the subject wrote to standard error, where it is a program that broke down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
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
            let kind = match failure.holds_for() {
                None => failure.kind.clone(),
                Some(whom) => format!("{}, {whom}", failure.kind),
            };
            let (file, id) = (display_line(&failure.file), display_line(&failure.id));
            writeln!(f, "FAILED {file} {id} ({}): {}", display_line(&kind), display_line(&failure.message))?;
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
