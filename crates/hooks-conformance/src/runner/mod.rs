//! Holding subjects to vectors: every vector becomes a question, every answer is judged in one place.

mod config;
mod core;
mod hook;
mod judge;
mod subject;

use serde_json::Value;

use crate::exceptions::Exceptions;
use crate::format::{Vector, VectorFile};
use crate::question::{CORE, Question};
use crate::report::{Failure, Report, Skipped};
use crate::score::Cell;

use judge::{Judged, judge};
pub use subject::{Adapters, Fault, InProcess, Reply, Subject};

/// Which vectors to run. The default is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only this vendor's; `core` for the core's.
    pub vendor: Option<String>,
    /// Only those about this event.
    pub event: Option<String>,
    /// Only those of this kind: `decode`, `fold`, `match`, `config`, `decide`, `settle` or `trust`.
    pub kind: Option<String>,
    /// Only those with this id.
    pub id: Option<String>,
}

impl Filter {
    /// Whether a vector of a file is to be run.
    #[must_use]
    pub fn takes(&self, file: &VectorFile, vector: &Vector) -> bool {
        let is =
            |wanted: &Option<String>, word: Option<&str>| wanted.as_deref().is_none_or(|wanted| Some(wanted) == word);
        is(&self.vendor, Some(file.vendor.as_deref().unwrap_or(CORE)))
            && is(&self.event, file.event_of(vector))
            && is(&self.kind, Some(vector.kind.word()))
            && is(&self.id, Some(&vector.id))
    }
}

/// Holds adapters of this process to vectors. A panic inside an adapter is a failure of its vector.
#[must_use]
pub fn run(files: &[VectorFile], adapters: &dyn Adapters, filter: &Filter) -> Report {
    run_with(files, adapters, filter, &Exceptions::default())
}

/// Likewise, with vectors of which some are known not to hold. One of those that holds is a failure, and so is an entry
/// that names no vector of a vendor whose files are there.
#[must_use]
pub fn run_with(files: &[VectorFile], adapters: &dyn Adapters, filter: &Filter, exceptions: &Exceptions) -> Report {
    run_subject(files, &mut InProcess::new(adapters), filter, exceptions)
}

/// Holds any subject to vectors: see [`run_with`].
#[must_use]
pub fn run_subject(
    files: &[VectorFile],
    subject: &mut dyn Subject,
    filter: &Filter,
    exceptions: &Exceptions,
) -> Report {
    let mut report = Report::default();
    for file in files {
        for vector in file.vectors.iter().filter(|vector| filter.takes(file, vector)) {
            one(file, vector, subject, exceptions, &mut report);
        }
    }
    for fault in subject.finish() {
        report
            .fail_apart(Failure { stderr: fault.stderr, ..Failure::apart("subject", "end", "subject", fault.message) });
    }
    exceptions.report_stale(files, &mut report);
    report
}

/// Holds a subject to one vector.
fn one(file: &VectorFile, vector: &Vector, subject: &mut dyn Subject, exceptions: &Exceptions, report: &mut Report) {
    let cell = Cell {
        vendor: file.vendor.as_deref().unwrap_or(CORE).to_owned(),
        event: file.event_of(vector).map(str::to_owned),
        kind: vector.kind.word().to_owned(),
    };
    let question = Question::of(file, vector);
    let failure = |message: String, expected: Value, actual: Value, stderr: Option<String>| Failure {
        file: file.label(),
        id: vector.id.clone(),
        kind: vector.kind.word().to_owned(),
        event: file.event_of(vector).map(str::to_owned),
        client: question.client.clone(),
        profile: question.profile.clone(),
        message,
        expected,
        actual,
        stderr,
    };
    let expected = || vector.kind.expected();
    let failed = match subject.answer(&question) {
        Reply::Skipped(reason) => {
            let skipped = Skipped {
                file: file.label(),
                id: vector.id.clone(),
                kind: cell.kind.clone(),
                event: cell.event.clone(),
                reason,
            };
            return report.skip(cell, skipped);
        }
        Reply::Fault(fault) => failure(fault.message, expected(), Value::Null, fault.stderr),
        Reply::Answer(answer) => match judge(cell.event.as_deref(), &vector.kind, &answer) {
            Judged::Failed { message, actual } => failure(message, expected(), actual, None),
            Judged::Passed if exceptions.reason(file, &vector.id).is_none() => return report.pass(cell),
            Judged::Passed => {
                let message = "it holds, so the list of exceptions must not name it any more".to_owned();
                return report.fail(cell, failure(message, Value::Null, Value::Null, None));
            }
        },
    };
    match exceptions.reason(file, &vector.id) {
        Some(reason) => report.except(cell, reason, failed),
        None => report.fail(cell, failed),
    }
}
