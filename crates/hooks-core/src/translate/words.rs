//! Carrying the matcher of any other event over: values such as how a session started, or an agent's kind.

use super::codes::{self, Finding};
use super::selecting::{Choice, Sides};
use crate::boundary::Boundary;
use crate::facts::SubjectFact;
use crate::matcher::convert::{Picks, Shape, take_apart};
use crate::matcher::{Matched, Matcher};

/// Words as the end of a sentence: `a, b and c`.
pub(super) fn in_words(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

fn finding(code: &'static codes::LossCode, reason: impl Into<String>) -> Finding {
    Finding { code, reason: reason.into(), guards: true }
}

/// The values that an event's subject is known to have, with whether there may be others.
fn values(subject: &SubjectFact) -> (&'static [&'static str], bool) {
    match subject {
        SubjectFact::Field { values: [], .. } => (&[], true),
        SubjectFact::Field { values, .. } => (values, false),
        _ => (&[], true),
    }
}

/// Carries a matcher over.
pub(super) fn carry(sides: Sides<'_>, matcher: &Matcher, text: Option<&str>, findings: &mut Vec<Finding>) -> Choice {
    let Sides { from, to, from_event, to_event } = sides;
    let picks = take_apart(matcher, from.config().language.regex);
    let is_limited = matches!(from_event.subject, SubjectFact::Field { .. }) && picks != Picks::All;
    if !is_limited {
        return Choice::All;
    }
    if !matches!(to_event.subject, SubjectFact::Field { .. }) {
        let reason = format!("{} of {} looks at no matcher; the hook runs always", to_event.name, to.vendor());
        findings.push(finding(&codes::MATCHER_WIDENED, reason));
        return Choice::All;
    }
    let about_agents = matches!(from_event.boundary, Some(Boundary::SubagentStart | Boundary::SubagentStop));
    let (known, _) = values(&from_event.subject);
    let (theirs, _) = values(&to_event.subject);
    let open = about_agents || theirs.is_empty();
    let renamed = |value: &str| -> String { if about_agents { agent(sides, value) } else { value.to_owned() } };
    let selects = |value: &str| matcher.matches(value) == Matched::Yes;
    let mut wanted: Vec<String> = known.iter().filter(|value| selects(value)).map(|value| renamed(value)).collect();
    let lost: Vec<String> = if open {
        Vec::new()
    } else {
        wanted.iter().filter(|value| !theirs.contains(&value.as_str())).cloned().collect()
    };
    wanted.retain(|value| !lost.contains(value));
    if !lost.is_empty() {
        let words: Vec<String> = lost.iter().map(|value| format!("`{value}`")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let reason = format!("{} of {} is never about {}", to_event.name, to.vendor(), in_words(&words));
        findings.push(finding(&codes::VALUE_NOT_THERE, reason));
    }
    let passes = |text: &str| {
        let (target, wrong) = to.matcher(to_event.name, Some(text));
        let same = |value: &str, theirs: &str| selects(value) == (target.matches(theirs) == Matched::Yes);
        wrong.is_none()
            && known.iter().all(|value| {
                let theirs = renamed(value);
                lost.contains(&theirs) || same(value, &theirs)
            })
    };
    let shapes = match picks {
        Picks::Some(shapes) => shapes,
        Picks::Nothing => Vec::new(),
        // Every value that is known and selected can be listed, where there are no others.
        Picks::AllBut(_) | Picks::Unknown(_) if !known.is_empty() && !about_agents => {
            wanted.iter().map(|value| Shape::whole(value)).collect()
        }
        _ => {
            if let Some(text) = text
                && from.config().language.regex == to.config().language.regex
                && passes(text)
            {
                return Choice::Text(text.to_owned());
            }
            findings.push(finding(&codes::MATCHER_WIDENED, "the matcher cannot be carried over; the hook runs always"));
            return Choice::All;
        }
    };
    let listed = wanted.iter().map(|value| Shape::whole(value));
    // What names no known value goes over as it is, under the other name where it has one.
    let others = shapes.iter().filter_map(|shape| match shape.word() {
        Some(word) if known.contains(&word.as_str()) => None,
        Some(word) => Some(Shape::whole(&renamed(&word))),
        None if known.iter().any(|value| shape_takes(sides, shape, value)) && !open => None,
        None => Some(shape.clone()),
    });
    let mut all: Vec<Shape> = Vec::new();
    for shape in listed.chain(others.filter(|_| open || theirs.is_empty())) {
        if !all.contains(&shape) {
            all.push(shape);
        }
    }
    let Some(written) = to.config().language.write(&all) else {
        let words = text.unwrap_or_default();
        let reason = format!("`{words}` selects nothing that {} of {} is about", to_event.name, to.vendor());
        findings.retain(|finding| finding.code != &codes::VALUE_NOT_THERE);
        findings.push(finding(&codes::SELECTS_NOTHING, reason));
        return Choice::Nothing;
    };
    // The source's own text where it says the same.
    if let Some(text) = text
        && from.config().language.is_list(text)
        && to.config().language.is_list(text)
        && passes(text)
        && to.matcher(to_event.name, Some(text)).0.kind() == to.matcher(to_event.name, Some(&written)).0.kind()
        && lost.is_empty()
    {
        return Choice::Text(text.to_owned());
    }
    if passes(&written) {
        return Choice::Text(written);
    }
    findings.push(finding(
        &codes::MATCHER_WIDENED,
        "no text of the target's language selects the same; the hook runs always",
    ));
    Choice::All
}

fn shape_takes(sides: Sides<'_>, shape: &Shape, value: &str) -> bool {
    sides.from.matcher(sides.from_event.name, Some(&shape.write())).0.matches(value) == Matched::Yes
}

/// The target's name for an agent's kind.
fn agent(sides: Sides<'_>, name: &str) -> String {
    let common = sides.from.config().agents.iter().find(|(own, _)| *own == name).map_or(name, |(_, common)| common);
    let own = sides.to.config().agents.iter().find(|(_, of)| *of == common).map_or(common, |(own, _)| own);
    own.to_owned()
}
