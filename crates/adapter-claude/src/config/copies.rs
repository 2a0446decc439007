//! Copies of a handler: of those that match the same occurrence the last one runs alone (cases `dedupe-*`).

use std::collections::{HashMap, HashSet};

use hooks_core::definition::{Definition, FailurePolicy, State};
use hooks_core::diagnostic::{Diagnostic, Reach, Severity};
use hooks_core::matcher::{Matched, Matcher};

use super::reader::{Reader, known_values};
use crate::codes;
use crate::events::find;

/// Copies that one handler is compared with at most, so that time stays bounded.
const MOST_COPIES: usize = 64;

/// Live handlers by what makes them the same, gathered from the last one up.
pub(super) struct Later<'d, T>(HashMap<(&'d str, &'d str), Vec<(T, &'d Definition)>>);

impl<T> Default for Later<'_, T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<'d, T> Later<'d, T> {
    /// The last copy that some occurrence would bring together with a handler.
    pub(super) fn of(&self, definition: &'d Definition) -> Option<&(T, &'d Definition)> {
        let copies = self.0.get(&key(definition)?)?;
        copies.iter().take(MOST_COPIES).find(|(_, later)| can_meet(definition, later))
    }

    /// Adds a handler that stands before all others so far.
    pub(super) fn add(&mut self, definition: &'d Definition, with: T) {
        if let Some(key) = key(definition) {
            let copies = self.0.entry(key).or_default();
            if copies.len() < MOST_COPIES {
                copies.push((with, definition));
            }
        }
    }
}

fn key(definition: &Definition) -> Option<(&str, &str)> {
    Some((definition.place.event.as_str(), definition.dedup_key.as_deref()?))
}

/// Whether some occurrence is known that the matchers of both take. Groups for different tools have the same handler in
/// most projects, and never run together.
fn can_meet(one: &Definition, other: &Definition) -> bool {
    use Matcher::{All, Exact, Never};
    let takes = |matcher: &Matcher, name: &str| names_of(name).iter().any(|name| matcher.matches(name) != Matched::No);
    match (&one.matcher, &other.matcher) {
        (Never(_), _) | (_, Never(_)) => false,
        (All, _) | (_, All) => true,
        (Exact(names), Exact(others)) => {
            let others: HashSet<&str> = others.iter().flat_map(|name| names_of(name)).collect();
            names.iter().any(|name| others.contains(&**name))
        }
        (Exact(names), matcher) | (matcher, Exact(names)) => names.iter().any(|name| takes(matcher, name)),
        (first, second) => {
            one.matcher_text == other.matcher_text
                || find(&one.place.event)
                    .is_some_and(|event| known_values(event).any(|value| takes(first, value) && takes(second, value)))
        }
    }
}

/// A name with the other one that the client takes for it.
fn names_of(name: &str) -> [&str; 2] {
    match name {
        "Task" => [name, "Agent"],
        "Agent" => [name, "Task"],
        _ => [name, name],
    }
}

/// Reports the copies of one document.
pub(super) fn within(reader: &mut Reader) {
    let definitions = std::mem::take(&mut reader.parsed.definitions);
    let mut later = Later::default();
    for (definition, pointer) in definitions.iter().zip(&reader.pointers).rev() {
        if definition.state != State::Live {
            continue;
        }
        if let Some(((), copy)) = later.of(definition) {
            let found = said(definition, copy, "further down").pointer(pointer.clone());
            reader.parsed.report(found.related("this copy runs", copy.range.clone()));
        }
        later.add(definition, ());
    }
    drop(later);
    reader.parsed.definitions = definitions;
}

/// A handler of which a later copy runs, with what is lost by that.
pub(super) fn said(definition: &Definition, later: &Definition, whereabouts: &str) -> Diagnostic {
    let looser = definition.failure == FailurePolicy::Closed && later.failure == FailurePolicy::Open;
    let same = definition.failure == later.failure
        && definition.timeout == later.timeout
        && definition.handler == later.handler;
    let message = format!("`{}` stands again {whereabouts}; where both match only that copy runs", definition.place);
    let found = Diagnostic::new(&codes::DUPLICATE_HANDLER, Reach::Entry, message).at(definition.range.clone()).silent();
    if looser {
        let help = "Give the last copy `onFailure: \"block\"` too.";
        return found.severity(Severity::Error).help(help);
    }
    if same { found.severity(Severity::Info) } else { found }
}
