//! Which events of the target stand for one of the source: those that happen when it does, found by trying.

use super::codes;
use super::moments::{self, Moment, Way};
use super::selecting::{kinds_of, not_hooked_words, sees_servers, selects_kind, selects_servers};
use super::side::{ConfigSide, ToolKind};
use super::words::in_words;
use super::{Carried, is_guard};
use crate::boundary::Boundary;
use crate::definition::Definition;
use crate::facts::EventFacts;

/// What an event happens for: a moment, with a kind of call, a tool server's tool, or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Case {
    moment: Moment,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Kind(ToolKind),
    Server,
    Plain,
}

fn cases(side: &dyn ConfigSide, event: &EventFacts, boundaries: &[Boundary]) -> Vec<Case> {
    let mut all = Vec::new();
    for moment in boundaries.iter().flat_map(|boundary| moments::of(*boundary)) {
        if moments::is_about_a_tool(moment.boundary) {
            let kinds = kinds_of(side, event, &[moment]);
            all.extend(kinds.into_iter().map(|kind| Case { moment, what: What::Kind(kind) }));
            if sees_servers(side, event, &[moment]) {
                all.push(Case { moment, what: What::Server });
            }
        } else if side.is_on(event, moment.boundary) {
            let made = moments::with_value(moment.boundary, None);
            if made.is_none_or(|envelope| moments::happens(side, event, &envelope)) {
                all.push(Case { moment, what: What::Plain });
            }
        }
    }
    all
}

/// The target's events for a definition, each with the moments it stands for; none where the target has none. Tells of
/// what they miss and of what they add.
pub(super) fn choose(
    from: &dyn ConfigSide,
    to: &dyn ConfigSide,
    from_event: &'static EventFacts,
    definition: &Definition,
    carried: &mut Carried,
) -> Vec<(&'static EventFacts, Vec<Moment>)> {
    let guards = is_guard(definition);
    let boundaries = from.boundaries(from_event);
    if boundaries.is_empty() {
        let reason = format!("{} is about something that only {} has", from_event.name, from.vendor());
        carried.tell(&codes::NO_EVENT, reason, guards);
        return Vec::new();
    }
    let matcher = &definition.matcher;
    let mut wanted = cases(from, from_event, &boundaries);
    wanted.retain(|case| match case.what {
        What::Kind(kind) => selects_kind(from, from_event, matcher, kind),
        What::Server => selects_servers(from, from_event, matcher),
        What::Plain => true,
    });
    // What the target has no tool for is told of with the matcher.
    let has = |kind: ToolKind| to.config().tools.iter().any(|tool| tool.can(kind));
    let can = |case: &Case| match case.what {
        What::Kind(kind) => has(kind),
        _ => true,
    };
    let mut open: Vec<Case> = wanted.iter().filter(|case| can(case)).cloned().collect();
    if open.is_empty() && !wanted.is_empty() {
        let mut lost: Vec<ToolKind> = Vec::new();
        for case in &wanted {
            match case.what {
                What::Kind(kind) if !lost.contains(&kind) => lost.push(kind),
                _ => {}
            }
        }
        if let Some(reason) = not_hooked_words(to, &lost) {
            carried.tell(&codes::TOOL_NOT_HOOKED, reason, guards);
        }
        return Vec::new();
    }
    // Only what the definition is for counts. One that is for nothing known still has its event.
    let is_for_nothing_known = wanted.is_empty();
    if is_for_nothing_known {
        wanted = cases(from, from_event, &boundaries);
        open.clone_from(&wanted);
    }
    let of = |event: &'static EventFacts| {
        let mut cases = cases(to, event, &boundaries);
        cases.retain(|case| wanted.iter().any(|own| own.what == case.what));
        (event, cases)
    };
    let candidates: Vec<(&'static EventFacts, Vec<Case>)> =
        to.events().iter().map(|event| of(event)).filter(|(_, cases)| !cases.is_empty()).collect();
    let mut chosen: Vec<(&'static EventFacts, Vec<Moment>)> = Vec::new();
    let mut extra: Vec<Moment> = Vec::new();
    loop {
        let best = candidates
            .iter()
            .filter(|(event, _)| !chosen.iter().any(|(taken, _)| taken.name == event.name))
            .map(|candidate| {
                let covered = candidate.1.iter().filter(|case| open.contains(case)).count();
                let added =
                    candidate.1.iter().filter(|case| !wanted.iter().any(|own| own.moment == case.moment)).count();
                let same = usize::from(candidate.0.facet == from_event.facet);
                (covered, same, std::cmp::Reverse(added), candidate)
            })
            .filter(|(covered, ..)| *covered > 0)
            // What is about failures alone does not become what is about everything.
            .filter(|(_, _, _, (_, cases))| {
                let is_own = |case: &Case| wanted.iter().any(|own| own.moment == case.moment);
                !cases.iter().any(|case| case.moment.way == Way::Well && !is_own(case))
            })
            .max_by_key(|(covered, same, added, _)| (*covered, *same, *added));
        let Some((_, _, _, (event, cases))) = best else { break };
        let mut at: Vec<Moment> = Vec::new();
        for case in cases {
            let is_own = wanted.iter().any(|own| own.moment == case.moment);
            let list = if is_own { &mut at } else { &mut extra };
            if !list.contains(&case.moment) {
                list.push(case.moment);
            }
        }
        chosen.push((event, at));
        open.retain(|case| !cases.contains(case));
    }
    if chosen.is_empty() {
        let about = from_event.boundary.map_or("", |boundary| boundary.info().about);
        let reason = format!("{} has no event for: {}", to.vendor(), about.trim_end_matches('.').to_lowercase());
        carried.tell(&codes::NO_EVENT, reason, guards);
        return chosen;
    }
    let words = |moments: &[Moment]| {
        let mut words: Vec<&str> = Vec::new();
        for moment in moments {
            if !words.contains(&moment.words()) {
                words.push(moment.words());
            }
        }
        in_words(&words)
    };
    let mut missed: Vec<Moment> = Vec::new();
    for case in open.iter().filter(|_| !is_for_nothing_known) {
        if !missed.contains(&case.moment) {
            missed.push(case.moment);
        }
    }
    // In the order of the target's table.
    chosen.sort_by_key(|(event, _)| to.events().iter().position(|row| row.name == event.name));
    let names: Vec<&str> = chosen.iter().map(|(event, _)| event.name).collect();
    if !missed.is_empty() {
        let reason = format!("{} of {} does not happen for all {}", in_words(&names), to.vendor(), words(&missed));
        carried.tell(&codes::EVENT_NARROWER, reason, guards);
    }
    if !extra.is_empty() {
        let reason = format!("{} of {} also happens for {}", in_words(&names), to.vendor(), words(&extra));
        carried.tell(&codes::EVENT_WIDER, reason, guards);
    }
    chosen
}
