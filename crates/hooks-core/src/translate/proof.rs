//! Holding a carried-over configuration to its source: both sides are asked for the same made-up occurrences which
//! definitions they select, without running anything.

use super::moments::{self, Moment, Way};
use super::side::{ConfigSide, ToolKind};
use crate::adapter::Subject;
use crate::boundary::Boundary;
use crate::definition::Definition;
use crate::envelope::{Envelope, Payload};
use crate::facts::SubjectFact;
use crate::json::RawJson;
use crate::matcher::Matched;
use crate::tool::{Mcp, ToolAction, ToolCall};

/// An occurrence to hold both sides to.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// What it is, in words.
    pub about: String,
    /// The occurrence.
    pub envelope: Envelope,
}

/// An occurrence that the two sides select for differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What it is, in words.
    pub about: String,
    /// Whether the source selects the definition; the target does not then, and the other way round.
    pub source: bool,
}

/// Occurrences for a pair of vendors: a call of every kind of tool that both have, tools of tool servers with the names
/// given and near misses, and the values that the events' subjects are known to have.
#[must_use]
pub fn occurrences(from: &dyn ConfigSide, to: &dyn ConfigSide, names: &[(String, String)]) -> Vec<Occurrence> {
    let mut all = Vec::new();
    for moment in Boundary::ALL.iter().flat_map(|boundary| moments::of(*boundary)) {
        if moments::is_about_a_tool(moment.boundary) {
            for kind in ToolKind::ALL {
                let has = |side: &dyn ConfigSide| side.config().tools.iter().any(|tool| tool.can(*kind));
                if has(from) && has(to) {
                    push(&mut all, moment, &kind.call(), kind.activity());
                }
            }
            for (server, tool) in names {
                let Ok(arguments) = RawJson::parse("{}") else { continue };
                let call = ToolCall::new(ToolAction::Mcp(Mcp::new(server.as_str(), tool.as_str(), arguments)));
                push(&mut all, moment, &call, &format!("`{tool}` of the tool server `{server}`"));
            }
        } else {
            let mut values: Vec<Option<&str>> = vec![None];
            for event in from.events().iter().filter(|event| event.boundary == Some(moment.boundary)) {
                if let SubjectFact::Field { values: known, .. } = event.subject {
                    values.extend(known.iter().map(|value| Some(*value)));
                }
            }
            for value in values {
                if let Some(envelope) = moments::with_value(moment.boundary, value) {
                    let about = value.map_or(String::new(), |value| format!(" (`{value}`)"));
                    all.push(Occurrence { about: format!("{}{about}", moment.boundary), envelope });
                }
            }
        }
    }
    all
}

fn push(all: &mut Vec<Occurrence>, moment: Moment, call: &ToolCall, what: &str) {
    let Some(envelope) = moments::with_call(moment, call) else { return };
    let how = match moment.way {
        Way::Well => String::new(),
        _ => format!(", {}", moment.words()),
    };
    all.push(Occurrence { about: format!("{}: {what}{how}", moment.boundary), envelope });
}

/// Pairs of a server and a tool that one definition is tried with at most.
const MOST_NAMES: usize = 256;

/// Servers and tools to try a definition with: those that its matcher names, near misses, and others.
#[must_use]
pub fn names(from: &dyn ConfigSide, definition: &Definition) -> Vec<(String, String)> {
    let text = definition.matcher_text.as_deref().unwrap_or_default();
    let forms = from.event(&definition.place.event).map_or(&[][..], |event| from.server_tool_names(event));
    let (mut servers, mut tools) = (vec!["server".to_owned()], vec!["tool".to_owned()]);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':');
    for word in text.split(|c| !is_part(c)).filter(|word| !word.is_empty()).take(16) {
        for form in forms {
            let rest = word.strip_prefix(form.prefix).unwrap_or(word);
            match form.separator.and_then(|separator| rest.split_once(separator)) {
                Some((server, tool)) => {
                    servers.extend([server.to_owned(), format!("{server}x")]);
                    tools.extend([tool.to_owned(), format!("{tool}x"), format!("x{tool}")]);
                }
                None => {
                    tools.extend([rest.to_owned(), format!("{rest}x"), format!("x{rest}")]);
                    if form.separator.is_some() {
                        servers.extend([rest.to_owned(), format!("{rest}x")]);
                    }
                }
            }
        }
    }
    for names in [&mut servers, &mut tools] {
        // A name with the separator in it cannot be told apart by any client.
        names.retain(|name| !name.is_empty() && !name.contains("__") && !name.starts_with('_') && !name.ends_with('_'));
        names.sort();
        names.dedup();
    }
    let pairs = servers.iter().flat_map(|server| tools.iter().map(move |tool| (server.clone(), tool.clone())));
    pairs.take(MOST_NAMES).collect()
}

/// Whether a definition is selected for an occurrence, whatever state it is in.
#[must_use]
pub fn selects(side: &dyn ConfigSide, definition: &Definition, envelope: &Envelope) -> bool {
    let Some(event) = side.event(&definition.place.event) else { return false };
    if !moments::happens(side, event, envelope) {
        return false;
    }
    match side.subject(event, envelope) {
        Subject::NotThisEvent(_) => false,
        Subject::Is(subject) => {
            subject.matched_by(&definition.matcher) != Matched::No
                && (definition.condition.is_none() || side.condition(definition, envelope) != Matched::No)
        }
    }
}

/// An occurrence as each of two clients tells of it: kinds of subagents go by the names that they have there.
#[must_use]
pub fn on_each(from: &dyn ConfigSide, to: &dyn ConfigSide, envelope: &Envelope) -> [Envelope; 2] {
    [from, to].map(|side| {
        let mut told = envelope.clone();
        let kind = match &mut told.payload {
            Payload::SubagentStart(start) => start.kind.as_mut(),
            Payload::SubagentStop(stop) => stop.kind.as_mut(),
            _ => None,
        };
        if let Some(kind) = kind {
            let known = [from, to].into_iter().flat_map(|side| side.config().agents);
            let common = known.into_iter().find(|(own, _)| own == kind).map_or(kind.as_str(), |(_, common)| common);
            let own = side.config().agents.iter().find(|(_, of)| *of == common).map_or(common, |(own, _)| own);
            *kind = own.to_owned();
        }
        told
    })
}

/// The occurrences that a definition of the source and its definitions in the target select for differently.
#[must_use]
pub fn differences(
    from: (&dyn ConfigSide, &Definition),
    to: (&dyn ConfigSide, &[&Definition]),
    occurrences: &[Occurrence],
) -> Vec<Difference> {
    let mut all = Vec::new();
    for occurrence in occurrences {
        let [on_source, on_target] = on_each(from.0, to.0, &occurrence.envelope);
        let source = selects(from.0, from.1, &on_source);
        let target = to.1.iter().any(|definition| selects(to.0, definition, &on_target));
        if source != target {
            all.push(Difference { about: occurrence.about.clone(), source });
        }
    }
    all
}
