//! Which live bindings an occurrence concerns, and why the others are not among them.
//!
//! [`select`] is for the hot path: what does not match costs no allocation. [`explain`] says of every definition of a
//! snapshot why it runs or not, for people.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::activate::{EventGroup, Snapshot};
use crate::adapter::Subject;
use crate::definition::{Binding, Definition, State};
use crate::envelope::{Envelope, Payload};
use crate::matcher::{Matched, Matcher, SubjectValue};
use crate::session::SessionState;
use crate::source::Life;
use crate::vendor::VendorId;

/// One binding to run.
#[derive(Clone, Debug)]
pub struct Choice<'s> {
    /// The binding.
    pub binding: &'s Binding,
    /// Why it is doubtful whether it should run; of such a hook only what restrains counts.
    pub doubtful: Option<String>,
}

/// The bindings to run, in declared order.
pub type Selected<'s> = Vec<Choice<'s>>;

/// The live bindings that an occurrence concerns, in declared order.
///
/// Allocates nothing for bindings that do not match.
#[must_use]
pub fn select<'s>(snapshot: &'s Snapshot, envelope: &Envelope, session: &SessionState) -> Selected<'s> {
    let mut found: Vec<(u32, Option<String>)> = Vec::new();
    for group in snapshot.groups.get(&envelope.boundary()).into_iter().flatten() {
        let Some(adapter) = snapshot.vendors.get(group.vendor) else { continue };
        match adapter.subject(group.event, envelope) {
            Subject::NotThisEvent(_) => {}
            Subject::Is(subject) => match_group(snapshot, group, &subject, &mut found),
        }
    }
    found.sort_unstable_by_key(|(at, _)| *at);
    found.dedup_by_key(|(at, _)| *at);
    let mut choices: Selected<'s> = found
        .into_iter()
        .filter_map(|(at, doubtful)| Some(Choice { binding: snapshot.bindings.get(at as usize)?, doubtful }))
        .collect();
    choices.retain_mut(|choice| {
        if other_agents(choice.binding, envelope) {
            return false;
        }
        match condition(snapshot, choice.binding, envelope) {
            Matched::Yes => true,
            Matched::No => false,
            Matched::Doubtful(why) => {
                choice.doubtful.get_or_insert(why);
                true
            }
        }
    });
    if snapshot.has_copies {
        drop_copies(&mut choices);
    }
    // A copy of one that has had its only run has had it too, so this comes last.
    choices.retain(|choice| !(choice.binding.once && session.ran_once.contains(&choice.binding.id)));
    choices
}

fn match_group(
    snapshot: &Snapshot,
    group: &EventGroup,
    subject: &SubjectValue<'_>,
    found: &mut Vec<(u32, Option<String>)>,
) {
    found.extend(group.all.iter().map(|&at| (at, None)));
    if *subject == SubjectValue::Ignored {
        let others = group.exact.values().flatten().chain(&group.set_bindings).chain(&group.single);
        found.extend(others.map(|&at| (at, None)));
        return;
    }
    let mut one = |value: &str| {
        if let Some(exact) = group.exact.get(value) {
            found.extend(exact.iter().map(|&at| (at, None)));
        }
        if let Some(set) = group.set.as_ref().filter(|set| set.is_match(value)) {
            let hits = set.matches(value);
            found.extend(hits.iter().filter_map(|hit| group.set_bindings.get(hit)).map(|&at| (at, None)));
        }
    };
    match subject {
        SubjectValue::Ignored | SubjectValue::Missing => {}
        SubjectValue::One(value) => one(value),
        SubjectValue::Several(values) => values.iter().for_each(|value| one(value)),
    }
    for &at in &group.single {
        let Some(binding) = snapshot.bindings.get(at as usize) else { continue };
        match subject.matched_by(&binding.matcher) {
            Matched::Yes => found.push((at, None)),
            Matched::No => {}
            Matched::Doubtful(why) => found.push((at, Some(why))),
        }
    }
}

/// Whether a definition belongs to an agent and this happens outside it.
fn other_agents(definition: &Definition, envelope: &Envelope) -> bool {
    let Life::Agent(own) = &definition.source.life else { return false };
    // The end of an agent happens in it, wherever the host reports it from.
    let ends = match &envelope.payload {
        Payload::SubagentStop(stop) => stop.id.as_ref(),
        _ => None,
    };
    let running = envelope.common.agent.as_ref().and_then(|agent| agent.id.as_ref());
    running != Some(own) && ends != Some(own)
}

fn condition(snapshot: &Snapshot, binding: &Binding, envelope: &Envelope) -> Matched {
    if binding.condition.is_none() {
        return Matched::Yes;
    }
    snapshot.adapter(&binding.vendor).map_or(Matched::Yes, |adapter| adapter.condition(binding, envelope))
}

/// Of bindings with equal keys the last one stays. A doubtful copy does not take a certain one's place.
fn drop_copies(choices: &mut Selected<'_>) {
    // Keys seen from the end, with whether a certain copy was among them.
    let mut later: HashMap<(&VendorId, &str), bool> = HashMap::new();
    let mut kept: Vec<bool> = choices
        .iter()
        .rev()
        .map(|choice| {
            let Some(key) = choice.binding.dedup_key.as_deref() else { return true };
            let certain = choice.doubtful.is_none();
            match later.entry((&choice.binding.vendor, key)) {
                Entry::Vacant(first) => {
                    first.insert(certain);
                    true
                }
                Entry::Occupied(mut seen) => {
                    let stays = certain && !seen.get();
                    *seen.get_mut() |= certain;
                    stays
                }
            }
        })
        .collect();
    choices.retain(|_| kept.pop().unwrap_or(true));
}

/// What selection says about one definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It runs.
    Run,
    /// It runs, and only what restrains counts; the text says why.
    Doubtful(String),
    /// It does not run; the text says why.
    No(String),
}

/// What selection says about every definition of a snapshot, in declared order: for `why`, never for a hot path.
#[must_use]
pub fn explain<'s>(snapshot: &'s Snapshot, envelope: &Envelope, session: &SessionState) -> Vec<(&'s Definition, Why)> {
    let selected = select(snapshot, envelope, session);
    snapshot
        .definitions()
        .iter()
        .map(|definition| {
            let chosen = selected.iter().find(|choice| std::ptr::eq(&*choice.binding.definition, &**definition));
            let why = match chosen {
                Some(Choice { doubtful: None, .. }) => Why::Run,
                Some(Choice { doubtful: Some(why), .. }) => Why::Doubtful(why.clone()),
                None => Why::No(why_not(snapshot, definition, envelope, session)),
            };
            (&**definition, why)
        })
        .collect()
}

fn why_not(snapshot: &Snapshot, definition: &Definition, envelope: &Envelope, session: &SessionState) -> String {
    match &definition.state {
        State::Live => {}
        state => {
            let word = state.word();
            return state.why().map_or_else(|| word.to_owned(), |why| format!("{word}: {why}"));
        }
    }
    if let Some(why) = mismatch(snapshot, definition, envelope, session) {
        return why;
    }
    if definition.dedup_key.is_some() {
        return "a later copy of it stands in its place".to_owned();
    }
    "it was not selected, which should not be: please report it".to_owned()
}

/// The definitions that this occurrence concerns and that do not run because nobody trusted them as they are, in declared
/// order: what a report of a firing has to say beside what ran.
pub fn held_back<'s>(
    snapshot: &'s Snapshot,
    envelope: &'s Envelope,
    session: &'s SessionState,
) -> impl Iterator<Item = &'s Arc<Definition>> {
    let is_held_back = |definition: &&Arc<Definition>| matches!(definition.state, State::Untrusted | State::Modified);
    let concerned = |definition: &&Arc<Definition>| mismatch(snapshot, definition, envelope, session).is_none();
    snapshot.definitions().iter().filter(is_held_back).filter(concerned)
}

/// Why an occurrence does not concern a definition, whatever state it is in; `None` where it does.
fn mismatch(
    snapshot: &Snapshot,
    definition: &Definition,
    envelope: &Envelope,
    session: &SessionState,
) -> Option<String> {
    let boundary = envelope.boundary();
    let Some(adapter) = snapshot.adapter(&definition.vendor) else {
        return Some("its vendor is not active".to_owned());
    };
    let Some(event) = adapter.event(&definition.place.event) else { return Some("its event is unknown".to_owned()) };
    match definition.boundary {
        Some(own) if own != boundary && !adapter.is_on(event, boundary) => {
            return Some(format!("{} is on {own}, not on {boundary}", definition.place.event));
        }
        _ => {}
    }
    let subject = match adapter.subject(event, envelope) {
        Subject::NotThisEvent(why) => return Some(format!("{} is not fired: {why}", event.name)),
        Subject::Is(subject) => subject,
    };
    if let Matcher::Never(why) = &definition.matcher {
        return Some(format!("its matcher matches nothing: {why}"));
    }
    if subject.matched_by(&definition.matcher) == Matched::No {
        let text = definition.matcher_text.as_deref().unwrap_or_default();
        let kind = definition.matcher.kind();
        return Some(match subject.values().as_slice() {
            [] => format!("the matcher `{text}` needs a value and this occurrence has none"),
            values => format!("the matcher `{text}` ({kind}) does not match `{}`", values.join("`, `")),
        });
    }
    if other_agents(definition, envelope) {
        return Some("it belongs to an agent, and this happened outside it".to_owned());
    }
    if let Some(condition) = &definition.condition
        && adapter.condition(definition, envelope) == Matched::No
    {
        return Some(format!("its condition `{condition}` does not hold"));
    }
    if definition.once && session.ran_once.contains(&definition.id) {
        return Some("it runs once and has run".to_owned());
    }
    None
}
