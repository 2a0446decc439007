//! Carrying over what a definition runs, and what is said about its runs.

use super::codes::{self, Finding};
use super::command::Said;
use super::selecting::Sides;
use super::side::NewDefinition;
use super::{Options, command, moments};
use crate::boundary::Boundary;
use crate::channel::Channel;
use crate::definition::{Definition, FailurePolicy, LoopLimit};
use crate::facts::SubjectFact;
use crate::handler::Handler;
use crate::matcher::convert::mcp::NameForm;
use crate::source::Origin;

/// The definition in the target's terms.
pub(super) fn carry(
    sides: Sides<'_>,
    definition: &Definition,
    matcher: Option<String>,
    options: &Options,
    findings: &mut Vec<Finding>,
) -> NewDefinition {
    let Sides { from, to, from_event, to_event } = sides;
    let vendor = to.vendor();
    let bridge = options.bridge.as_ref().filter(|_| matches!(definition.handler, Handler::Command(_)));
    let bridged = bridge.is_some();
    let mut told = Vec::new();
    let mut tell = |code, reason: String, guards| told.push(Finding { code, reason, guards });
    let can = to.config().keys;
    let timeout_s = timeout(sides, definition, bridged, &mut tell);
    let limit = loop_limit(sides, definition, bridged, &mut tell);
    // The hooks of a person are of no project: there the repository's root stands for the session's.
    let below = if definition.source.origin == Origin::User { "" } else { &options.below };
    let said = bridge.map(|bridge| {
        // What the target's matcher takes beside what was selected, the bridge leaves out.
        let by_bridge = |finding: &Finding| FILTERED.contains(&finding.code);
        let matcher = definition.matcher_text.as_deref().filter(|_| findings.iter().any(by_bridge));
        // A name that the target's client does not tell, or tells otherwise, the bridge would not find in the matcher.
        let names_lost = |text: &str| {
            let is = |finding: &Finding| [&codes::SERVER_NOT_SEEN, &codes::NAME_FOLDED].contains(&finding.code);
            findings.iter().any(is) || (loses_names(sides) && text.to_ascii_lowercase().contains("mcp"))
        };
        let matcher = matcher.filter(|text| !names_lost(text) && tells_value(sides));
        if matcher.is_some() {
            findings.retain(|finding| !by_bridge(finding));
        }
        let own = definition.timeout;
        let usual = from.blank(from_event.name).map(|blank| blank.timeout);
        Said {
            bridge,
            matcher,
            timeout_s: (usual != Some(own)).then_some(own.as_secs_f64()),
            host_timeout_s: timeout_s,
            loop_limit: definition.loop_limit.filter(|limit| limit.number() != from.config().default_loop_limit),
            project: to.config().project_root.to_tell(below),
        }
    });
    let handler = match &definition.handler {
        Handler::Command(command) => {
            Handler::Command(command::carry((from, to, below), definition, command, said.as_ref(), findings))
        }
        other => other.clone(),
    };
    let mut tell = |code, reason: String, guards| told.push(Finding { code, reason, guards });
    match &handler {
        Handler::Command(_) | Handler::Http(_) if !bridged && from.vendor() != to.vendor() => {
            let what = if matches!(handler, Handler::Http(_)) { "the service" } else { "the program" };
            let vendors = (from.vendor(), from_event.name);
            let reason = format!(
                "{what} reads what {} sends for {} and answers in its language; {vendor} has other ones",
                vendors.0, vendors.1
            );
            tell(&codes::NEEDS_BRIDGE, reason, true);
        }
        Handler::Prompt(prompt) | Handler::Agent(prompt) => {
            let model = prompt.model.as_deref();
            let model =
                model.map_or(String::new(), |model| format!(", and `{model}` is a model's name in {}", from.vendor()));
            tell(&codes::PROMPT_PAYLOAD, format!("the model is shown what {vendor} sends{model}"), true);
        }
        Handler::McpTool(tool) if tool.input.get().contains("${") => {
            tell(&codes::PLACEHOLDER_PAYLOAD, format!("placeholders read what {vendor} sends"), true);
        }
        _ => {}
    }
    if let Some(condition) = definition.condition.as_ref().filter(|_| !bridged) {
        tell(&codes::CONDITION_LOST, format!("`{condition}` is not looked at; the hook runs for more calls"), true);
    }
    if definition.once && !bridged {
        tell(&codes::ONCE_LOST, "it runs every time".to_owned(), true);
    }
    let status_message = definition.status_message.clone().filter(|_| can.status_message);
    if definition.status_message.is_some() && status_message.is_none() {
        tell(&codes::STATUS_LOST, format!("{vendor} shows no text while it runs"), false);
    }
    if definition.context_limit.is_some() && !can.context_limit {
        tell(&codes::CONTEXT_LIMIT_LOST, format!("{vendor} has its own limit on the text for the model"), false);
    }
    let failure = failure(sides, definition, bridged, &mut tell);
    findings.append(&mut told);
    NewDefinition {
        event: to_event.name,
        matcher,
        timeout_s,
        failure,
        loop_limit: limit,
        context_limit: definition.context_limit.filter(|_| can.context_limit),
        status_message,
        handler,
    }
}

/// What a bridge with the source's own matcher makes up for.
const FILTERED: &[&codes::LossCode] = &[&codes::MATCHER_WIDENED, &codes::COMMAND_NOT_SEEN];

/// Whether the target's names of tool servers' tools say less than the source's.
fn loses_names(sides: Sides<'_>) -> bool {
    let Sides { from, to, from_event, to_event } = sides;
    let less = |own: &NameForm, other: &NameForm| {
        (other.folds && !own.folds) || (other.separator.is_none() && own.separator.is_some())
    };
    let other = to.server_tool_names(to_event);
    from.server_tool_names(from_event).iter().any(|own| other.iter().any(|other| less(own, other)))
}

/// Whether the target's client tells a hook the value that the source's matcher looks at.
fn tells_value(sides: Sides<'_>) -> bool {
    let Sides { from, to, from_event, to_event } = sides;
    let about_agents = matches!(from_event.boundary, Some(Boundary::SubagentStart | Boundary::SubagentStop));
    match from_event.subject {
        // Kinds of subagents have other names there, which a bridge does not know.
        _ if about_agents => from.config().agents.is_empty() && to.config().agents.is_empty(),
        SubjectFact::Field { values: [one, other, ..], .. } => moments::tells_value(to, to_event, (*one, *other)),
        SubjectFact::Field { .. } => moments::tells_value(to, to_event, ("one", "other")),
        _ => true,
    }
}

/// Seconds that a bridge needs beside what its program gets.
const BRIDGE_S: f64 = 3.0;

type Tell<'t> = dyn FnMut(&'static codes::LossCode, String, bool) + 't;

fn failure(sides: Sides<'_>, definition: &Definition, bridged: bool, tell: &mut Tell<'_>) -> FailurePolicy {
    if definition.failure == FailurePolicy::Open {
        return FailurePolicy::Open;
    }
    let vendor = sides.to.vendor();
    let closes = sides.to.config().keys.fail_closed;
    if !closes && !bridged {
        tell(&codes::FAIL_CLOSED_LOST, format!("{vendor} lets the action go on when the hook fails"), true);
    } else if !closes {
        let reason =
            format!("the bridge blocks when the hook fails; {vendor} goes on when the bridge cannot be started");
        tell(&codes::FAIL_CLOSED_BRIDGED, reason, false);
    }
    if closes { FailurePolicy::Closed } else { FailurePolicy::Open }
}

/// Seconds, where they are not what the target takes by itself; a bridge gets some more than its program.
fn timeout(sides: Sides<'_>, definition: &Definition, bridged: bool, tell: &mut Tell<'_>) -> Option<f64> {
    let own = definition.timeout;
    let usual = sides.to.blank(sides.to_event.name).map(|blank| blank.timeout);
    if usual == Some(own) {
        return None;
    }
    let seconds = own.as_secs_f64() + if bridged { BRIDGE_S } else { 0.0 };
    if sides.to.config().whole_seconds && seconds.fract() > 0.0 {
        let whole = seconds.ceil();
        if !bridged {
            tell(&codes::TIMEOUT_RAISED, format!("{seconds} s become {whole} s"), true);
        }
        return Some(whole);
    }
    Some(seconds)
}

fn loop_limit(sides: Sides<'_>, definition: &Definition, bridged: bool, tell: &mut Tell<'_>) -> Option<LoopLimit> {
    let Sides { from, to, from_event, to_event } = sides;
    if !from_event.channels.contains(Channel::Continuation) || !to_event.channels.contains(Channel::Continuation) {
        return None;
    }
    let own = match definition.loop_limit {
        Some(limit) => limit.number(),
        None => from.config().default_loop_limit,
    };
    let usual = to.config().default_loop_limit;
    if own == usual {
        return None;
    }
    if to.config().keys.loop_limit {
        return Some(own.map_or(LoopLimit::Unlimited, LoopLimit::AtMost));
    }
    let words = |limit: Option<u32>| limit.map_or("any number of".to_owned(), |limit| format!("at most {limit}"));
    // Fewer rounds hold a turn back less; more are counted by a bridge.
    let fewer = usual.is_some_and(|usual| own.is_none_or(|own| usual < own));
    if fewer || !bridged {
        let reason =
            format!("{} lets it make the turn go on {} times in a row, not {}", to.vendor(), words(usual), words(own));
        tell(if fewer { &codes::LOOP_LIMIT_LOWER } else { &codes::LOOP_LIMIT_LOST }, reason, true);
    }
    None
}
