//! Holding adapters, and the core itself, to vectors.

mod config;
mod core;
mod hook;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use hooks_core::HostSide;
use serde::Serialize;
use serde_json::Value;

use crate::compare::Differences;
use crate::exceptions::Exceptions;
use crate::format::{Kind, Vector, VectorFile};
use crate::render::to_json;
use crate::report::{Failure, Report, Skipped};

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
        is(&self.vendor, Some(file.vendor.as_deref().unwrap_or("core")))
            && is(&self.event, file.event_of(vector))
            && is(&self.kind, Some(vector.kind.word()))
            && is(&self.id, Some(&vector.id))
    }
}

/// Where the runner gets adapters from. Closures of the same shape are one.
pub trait Adapters {
    /// The adapter of a vendor, for an older client and for one of the vendor's faces where a vector asks for them.
    /// `None` when there is none: the vector is then skipped, and the report says so.
    fn adapter(&self, vendor: &str, client: Option<&str>, profile: Option<&str>) -> Option<Arc<dyn HostSide>>;
}

impl<F: Fn(&str, Option<&str>, Option<&str>) -> Option<Arc<dyn HostSide>>> Adapters for F {
    fn adapter(&self, vendor: &str, client: Option<&str>, profile: Option<&str>) -> Option<Arc<dyn HostSide>> {
        self(vendor, client, profile)
    }
}

/// Runs vectors. A panic inside an adapter is a failure of its vector.
#[must_use]
pub fn run(files: &[VectorFile], adapters: &dyn Adapters, filter: &Filter) -> Report {
    run_with(files, adapters, filter, &Exceptions::default())
}

/// Runs vectors of which some are known not to hold. One of those that holds is a failure, and so is an entry that
/// names no vector of a vendor whose files are there.
#[must_use]
pub fn run_with(files: &[VectorFile], adapters: &dyn Adapters, filter: &Filter, exceptions: &Exceptions) -> Report {
    let mut report = Report::default();
    for file in files {
        for vector in file.vectors.iter().filter(|vector| filter.takes(file, vector)) {
            let failure = |message: String, expected: Value, actual: Value| Failure {
                file: file.label(),
                id: vector.id.clone(),
                kind: vector.kind.word().to_owned(),
                event: file.event_of(vector).map(str::to_owned),
                message,
                expected,
                actual,
            };
            let judged = catch_unwind(AssertUnwindSafe(|| judge(file, vector, adapters))).unwrap_or_else(|panic| {
                Judged::failed(format!("panicked: {}", panic_text(&*panic)), &expected(vector), &())
            });
            match judged {
                Judged::Passed => match exceptions.reason(file, &vector.id) {
                    None => report.passed += 1,
                    Some(_) => report.fail(failure(
                        "it holds, so the list of exceptions must not name it any more".to_owned(),
                        Value::Null,
                        Value::Null,
                    )),
                },
                Judged::Skipped(reason) => report.skipped.push(Skipped {
                    file: file.label(),
                    id: vector.id.clone(),
                    kind: vector.kind.word().to_owned(),
                    reason,
                }),
                Judged::Failed { message, expected, actual } => {
                    exceptions.count_failure(file, failure(message, expected, actual), &mut report);
                }
            }
        }
    }
    exceptions.report_stale(files, &mut report);
    report
}

/// What judging one vector came to.
enum Judged {
    Passed,
    Skipped(String),
    Failed { message: String, expected: Value, actual: Value },
}

impl Judged {
    fn failed<A: Serialize, B: Serialize>(message: impl Into<String>, expected: &A, actual: &B) -> Self {
        Self::Failed { message: message.into(), expected: to_json(expected), actual: to_json(actual) }
    }

    /// Passed, unless something differs.
    fn by<A: Serialize, B: Serialize>(differences: Differences, expected: &A, actual: &B) -> Self {
        match differences.message() {
            None => Self::Passed,
            Some(message) => Self::failed(message, expected, actual),
        }
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a text").to_owned()
}

fn expected(vector: &Vector) -> Value {
    match &vector.kind {
        Kind::Decode(decode) => to_json(&decode.expect),
        Kind::Fold(fold) => to_json(&fold.expect),
        Kind::Match(matching) => to_json(&matching.expect),
        Kind::Config(config) => to_json(&config.expect),
        Kind::Decide(decide) => to_json(&decide.expect),
        Kind::Settle(settle) => to_json(&settle.expect),
        Kind::Trust(trust) => to_json(&trust.expect),
    }
}

fn judge(file: &VectorFile, vector: &Vector, adapters: &dyn Adapters) -> Judged {
    match &vector.kind {
        Kind::Decide(decide) => return core::decide(decide),
        Kind::Settle(settle) => return core::settle(settle),
        Kind::Decode(_) | Kind::Fold(_) | Kind::Match(_) | Kind::Config(_) | Kind::Trust(_) => {}
    }
    let Some(vendor) = file.vendor.as_deref() else {
        return Judged::failed("its file names no vendor", &expected(vector), &());
    };
    let profile =
        vector.profile.as_deref().or_else(|| vector.kind.given().and_then(|given| given.host_profile.as_deref()));
    let client = vector.client.as_deref();
    let Some(adapter) = adapters.adapter(vendor, client, profile) else {
        let mut reason = format!("no adapter for {vendor}");
        for (what, word) in [("client", client), ("profile", profile)] {
            if let Some(word) = word {
                reason = format!("{reason}, {what} {word}");
            }
        }
        return Judged::Skipped(reason);
    };
    if let Kind::Config(config) = &vector.kind {
        return config::judge(&*adapter, config);
    }
    let Some(event) = file.event_of(vector) else {
        return Judged::failed("neither it nor its file names an event", &expected(vector), &());
    };
    if adapter.event(event).is_none() {
        return Judged::Skipped(format!("{event} is no event of {vendor} {}", adapter.version()));
    }
    match &vector.kind {
        Kind::Decode(decode) => hook::decode(&*adapter, event, decode),
        Kind::Fold(fold) => hook::fold(&*adapter, event, fold),
        Kind::Match(matching) => hook::matching(&*adapter, event, matching),
        Kind::Trust(trust) => config::trust(&*adapter, event, trust),
        Kind::Config(_) | Kind::Decide(_) | Kind::Settle(_) => {
            Judged::failed("it was sent the wrong way", &expected(vector), &())
        }
    }
}
