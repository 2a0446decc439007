//! An answer beside the expectation of its vector: the one place that says whether a vector holds, whoever answered.

mod config;
mod decide;

use hooks_core::text::display_line;
use serde_json::{Value, json};

use crate::compare::{Differences, Mode, effects};
use crate::format::{Effects, Kind, Match, TrustExpect};
use crate::question::{Answer, Selected};

/// What judging one vector came to.
pub(super) enum Judged {
    /// It holds.
    Passed,
    /// It does not: what differs, on one line, and what came.
    Failed { message: String, actual: Value },
}

/// Whether an answer is what a vector expects.
pub(super) fn judge(event: Option<&str>, kind: &Kind, answer: &Answer) -> Judged {
    let found = match (kind, answer) {
        (Kind::Decode(vector), Answer::Effects(actual)) => one_hook(&vector.expect, actual, Mode::Decode),
        (Kind::Fold(vector), Answer::Effects(actual)) => one_hook(&vector.expect, actual, Mode::Fold),
        (Kind::Settle(vector), Answer::Effects(actual)) => effects(&vector.expect, actual, Mode::Settle),
        (Kind::Match(vector), Answer::Selected(actual)) => selected(event, vector, actual),
        (Kind::Config(vector), Answer::Config(actual)) => config::documents(&vector.expect, actual),
        (Kind::Decide(vector), Answer::Decision(actual)) => decide::decisions(&vector.effects, &vector.expect, actual),
        (Kind::Trust(vector), Answer::Trust(actual)) => fingerprints(&vector.expect, actual),
        (kind, _) => {
            let mut found = Differences::default();
            found.add(format!("the answer is none to the kind {}", kind.word()));
            found
        }
    };
    match found.message() {
        None => Judged::Passed,
        Some(message) => Judged::Failed { message, actual: answer.to_json() },
    }
}

/// Effects of one firing, in which continuations are taken together.
fn one_hook(expected: &Effects, actual: &Effects, mode: Mode) -> Differences {
    effects(expected, &actual.clone().with_one_continuation(), mode)
}

fn selected(event: Option<&str>, vector: &Match, actual: &Selected) -> Differences {
    let mut found = Differences::default();
    match actual {
        Selected::Is(actual) => {
            let (matcher, targets) = (json!(vector.matcher), json!(vector.targets));
            found.equal(
                format!("{} with matcher {matcher} on {targets}", event.unwrap_or_default()),
                &vector.expect,
                actual,
            );
        }
        Selected::Doubtful(doubt) => found.add(format!("it is doubtful: {}", display_line(&doubt.doubtful))),
    }
    found
}

fn fingerprints(expected: &TrustExpect, actual: &TrustExpect) -> Differences {
    let mut found = Differences::default();
    found.equal("canonical", &expected.canonical, &actual.canonical);
    found.equal("sha256", &expected.sha256, &actual.sha256);
    found
}
