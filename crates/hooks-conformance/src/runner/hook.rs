//! What an adapter makes of one event's answers and matchers: `decode`, `fold` and `match`.

use std::borrow::Cow;
use std::sync::Arc;

use hooks_core::adapter::{DecodePolicy, Subject};
use hooks_core::definition::{Binding, BindingId, Definition, FailurePolicy, LoopLimit, State};
use hooks_core::effects::reduce;
use hooks_core::facts::SubjectFact;
use hooks_core::handler::Handler;
use hooks_core::matcher::{Matched, Matcher, SubjectValue};
use hooks_core::outcome::{End, Outcome};
use hooks_core::settle::settle;
use hooks_core::source::{Origin, Role, Source, Syntax};
use hooks_core::{Envelope, HostSide};
use serde_json::json;

use crate::format::{
    BindingOverrides, Decode, EndSpec, Fold, Given, Match, OnFailureWord, OutcomeSpec, PolicyOverrides,
};
use crate::question::{Answer, Doubt, Selected};
use crate::render::VectorForm;
use crate::sample;

pub(super) fn decode(adapter: &dyn HostSide, event: &str, vector: &Decode) -> Result<Answer, String> {
    let given = vector.given.clone().unwrap_or_default();
    let (definition, envelope) = setting(adapter, event, &given)?;
    let binding = Binding::alone(overridden(definition, vector.binding.as_ref()));
    let outcome = outcome(&vector.outcome, &given, 0);
    let decoded = adapter.decode(&binding, &envelope, &outcome, policy(vector.policy.as_ref()));
    Ok(Answer::Effects(Box::new(decoded.vector_form())))
}

pub(super) fn fold(adapter: &dyn HostSide, event: &str, vector: &Fold) -> Result<Answer, String> {
    let given = vector.given.clone().unwrap_or_default();
    let (definition, envelope) = setting(adapter, event, &given)?;
    let policy = policy(vector.policy.as_ref());
    let decoded = vector.hooks.iter().zip(0..).map(|(hook, declared)| {
        let mut definition = overridden(definition.clone(), hook.binding.as_ref());
        definition.id = BindingId::new(&format!("{}/{declared}", definition.id));
        let binding = Binding { definition: Arc::new(definition), declared };
        adapter.decode(&binding, &envelope, &outcome(&hook.outcome, &given, hook.finishes), policy)
    });
    let settled = settle(reduce(decoded), adapter.merge_policy(envelope.boundary()), policy.strict);
    Ok(Answer::Effects(Box::new(settled.vector_form().with_one_continuation())))
}

pub(super) fn matching(adapter: &dyn HostSide, event: &str, vector: &Match) -> Result<Answer, String> {
    let file = vector.given.as_ref().and_then(|given| given.file.as_deref());
    let found = match file {
        None => selects(adapter, event, vector),
        Some(file) => selects_in(adapter, event, file, vector),
    }?;
    Ok(Answer::Selected(match found {
        Matched::Yes => Selected::Is(true),
        Matched::No => Selected::Is(false),
        Matched::Doubtful(why) => Selected::Doubtful(Doubt { doubtful: why }),
    }))
}

/// Whether a definition of the event with this matcher runs for the targets: one that the host of this face never
/// fires is not live, so it does not.
fn selects(adapter: &dyn HostSide, event: &str, vector: &Match) -> Result<Matched, String> {
    let blank = adapter.blank(event).ok_or_else(|| format!("the adapter has no blank definition for {event}"))?;
    if !runs(&blank.state) {
        return Ok(Matched::No);
    }
    let (matcher, _) = adapter.matcher(event, vector.matcher.as_deref());
    matched(adapter, event, &matcher, &vector.targets)
}

/// Whether a definition runs where its event occurs. A vendor's event without a boundary in the host's world has the
/// matching of any other.
const fn runs(state: &State) -> bool {
    matches!(state, State::Live | State::NoBoundary)
}

/// The same for a matcher that stands in another vendor's file: the whole file is read, since the meaning of a matcher
/// there can differ, and so can the event's name.
fn selects_in(adapter: &dyn HostSide, event: &str, file: &str, vector: &Match) -> Result<Matched, String> {
    let hook = json!([{ "type": "command", "command": "hooks/check.sh" }]);
    let group = match &vector.matcher {
        Some(matcher) => json!([{ "matcher": matcher, "hooks": hook }]),
        None => json!([{ "hooks": hook }]),
    };
    let document = json!({ "hooks": { (capitalised(event)): group } }).to_string();
    let parsed = adapter.parse(&Arc::new(foreign(adapter, file, document.as_bytes())));
    match parsed.definitions.iter().find(|definition| definition.place.event == event) {
        Some(definition) if definition.state == State::Live => {
            matched(adapter, event, &definition.matcher, &vector.targets)
        }
        Some(_) => Ok(Matched::No),
        None => Err(format!("{file} has a hook on {}, and no definition on {event} came of it", capitalised(event))),
    }
}

fn matched(adapter: &dyn HostSide, event: &str, matcher: &Matcher, targets: &[String]) -> Result<Matched, String> {
    let facts = adapter.event(event).ok_or_else(|| format!("{event} is no event"))?;
    let unnamed;
    let subject = match targets {
        _ if facts.subject == SubjectFact::Ignored => SubjectValue::Ignored,
        // What an occurrence without a subject means is the vendor's affair, so it is asked about one.
        [] => {
            unnamed = sample::without_subject(adapter, event);
            match unnamed.as_ref().map(|envelope| adapter.subject(facts, envelope)) {
                Some(Subject::Is(subject @ (SubjectValue::Ignored | SubjectValue::Missing))) => subject,
                _ => SubjectValue::Missing,
            }
        }
        [one] => SubjectValue::One(Cow::Borrowed(one)),
        several => SubjectValue::Several(several.iter().map(|target| Cow::Borrowed(target.as_str())).collect()),
    };
    Ok(match matcher {
        Matcher::Never(_) => Matched::No,
        matcher => subject.matched_by(matcher),
    })
}

/// An event's name as the files of the other vendor spell it.
fn capitalised(event: &str) -> String {
    let mut rest = event.chars();
    rest.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + rest.as_str())
}

/// A file of another vendor's that this one reads.
pub(super) fn foreign(adapter: &dyn HostSide, file: &str, bytes: &[u8]) -> Source {
    let origin = if file.starts_with('~') { Origin::User } else { Origin::Project };
    let mut source = Source::hooks(adapter.vendor().clone(), origin, Syntax::Json, file, bytes);
    source.role = Role::ForeignHooks;
    source
}

/// The definition and the occurrence a vector speaks of.
fn setting(adapter: &dyn HostSide, event: &str, given: &Given) -> Result<(Definition, Envelope), String> {
    let mut definition =
        adapter.blank(event).ok_or_else(|| format!("the adapter has no blank definition for {event}"))?;
    let envelope =
        sample::envelope(adapter, event, given).ok_or_else(|| format!("no occurrence of {event} can be made up"))?;
    if let Some(file) = &given.file {
        definition.source = Arc::new(foreign(adapter, file, b"{}"));
        definition.id = BindingId::of(&definition.source, &definition.place);
    }
    if let Some(id) = &given.binding_id {
        definition.id = BindingId::new(id);
    }
    if let Some(text) = &given.command {
        let Handler::Command(command) = &mut definition.handler else {
            return Err(format!("the blank definition of {event} is no command"));
        };
        command.command.clone_from(text);
    }
    Ok((definition, envelope))
}

fn overridden(mut definition: Definition, overrides: Option<&BindingOverrides>) -> Definition {
    let Some(BindingOverrides { fail_closed, on_failure, loop_limit }) = overrides else { return definition };
    if let Some(closed) = fail_closed {
        definition.failure = if *closed { FailurePolicy::Closed } else { FailurePolicy::Open };
    }
    match on_failure {
        Some(Some(OnFailureWord::Block)) => definition.failure = FailurePolicy::Closed,
        Some(Some(OnFailureWord::Continue)) => definition.failure = FailurePolicy::Open,
        Some(None) | None => {}
    }
    if let Some(limit) = loop_limit {
        definition.loop_limit = Some(limit.map_or(LoopLimit::Unlimited, LoopLimit::AtMost));
    }
    definition
}

fn policy(overrides: Option<&PolicyOverrides>) -> DecodePolicy {
    DecodePolicy { strict: overrides.and_then(|policy| policy.strict).unwrap_or(false) }
}

fn outcome(spec: &OutcomeSpec, given: &Given, finished: u32) -> Outcome {
    let OutcomeSpec { end, stdout, stderr, stdout_truncated, stderr_truncated } = spec;
    let mut outcome = Outcome::ended(match end {
        EndSpec::Exited(code) => End::Exited(*code),
        EndSpec::Signalled(signal) => End::Signalled(*signal),
        EndSpec::TimedOut => End::TimedOut,
        EndSpec::Cancelled => End::Cancelled,
        EndSpec::FailedToStart => End::FailedToStart("no such program".to_owned()),
        EndSpec::Http(status) => End::Http(*status),
        EndSpec::Tool { is_error } => End::Tool { is_error: *is_error },
        EndSpec::Model => End::Model,
        EndSpec::NotRun(why) => End::NotRun(why.clone()),
    });
    outcome.stdout = stdout.as_ref().map(crate::format::Text::bytes).unwrap_or_default();
    outcome.stderr = stderr.as_ref().map(crate::format::Text::bytes).unwrap_or_default();
    outcome.stdout_truncated = stdout_truncated.unwrap_or(false);
    outcome.stderr_truncated = stderr_truncated.unwrap_or(false);
    outcome.stdin_delivered = given.stdin_delivered.unwrap_or(true);
    outcome.finished = finished;
    outcome
}
