//! Carrying the matcher of a tool event over: which tools and which names it selects, and the target's text that selects
//! the same.
//!
//! Known tools go by what they do ([`ToolKind`]), tools of tool servers by the form of their names, any other name as it
//! is written. What comes out is tested against the target's own reading of it before it is used.

use std::collections::BTreeSet;

use super::codes::{self, Finding};
use super::moments::{self, Moment};
use super::side::{ClientTool, ConfigSide, ToolKind};
use super::words::in_words;
use super::writing;
use crate::facts::{EventFacts, SubjectFact};
use crate::json::RawJson;
use crate::matcher::convert::mcp::{self, NameForm, Wanted};
use crate::matcher::convert::{Picks, Shape, take_apart};
use crate::matcher::{Matched, Matcher};
use crate::tool::{Mcp, ToolAction, ToolCall};

/// What a matcher becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// No matcher: everything.
    All,
    /// This text.
    Text(String),
    /// There is nothing for it to select.
    Nothing,
}

/// Two sides of one carrying-over, with their events.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) from: &'a dyn ConfigSide,
    pub(super) to: &'a dyn ConfigSide,
    pub(super) from_event: &'static EventFacts,
    pub(super) to_event: &'static EventFacts,
}

/// What the source selects of the tools.
pub(super) struct Selected {
    pub(super) kinds: BTreeSet<ToolKind>,
    /// Of these kinds not every usual tool.
    partly: BTreeSet<ToolKind>,
    pub(super) servers: Servers,
    /// Names that no known tool has, and alternatives that select none.
    pub(super) others: Vec<Shape>,
    /// Names were left out that select nothing in the source and would in the target.
    pub(super) leaves_out: bool,
    /// Everything that the source's event happens for.
    pub(super) all: bool,
    /// Everything but what else is said here.
    pub(super) open: bool,
}

/// What the source selects of the tools of tool servers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Servers {
    None,
    All,
    Some(Vec<Wanted>),
    /// All but these.
    AllBut(Vec<Wanted>),
}

fn server_call(server: &str, tool: &str) -> Option<ToolCall> {
    Some(ToolCall::new(ToolAction::Mcp(Mcp::new(server, tool, RawJson::parse("{}").ok()?))))
}

/// Whether an event happens for a call, at one of some moments.
fn happens(side: &dyn ConfigSide, event: &EventFacts, at: &[Moment], call: &ToolCall) -> bool {
    at.iter().filter_map(|moment| moments::with_call(*moment, call)).any(|it| moments::happens(side, event, &it))
}

/// The tools that an event happens for.
pub(super) fn tools_of(side: &dyn ConfigSide, event: &EventFacts, at: &[Moment]) -> Vec<&'static ClientTool> {
    let is_seen = |tool: &&ClientTool| match tool.does {
        [] => event.subject == SubjectFact::ToolName,
        kinds => kinds.iter().any(|kind| happens(side, event, at, &kind.call())),
    };
    side.config().tools.iter().filter(is_seen).collect()
}

/// Without the tools that only older clients have.
pub(super) fn current(mut tools: Vec<&'static ClientTool>) -> Vec<&'static ClientTool> {
    tools.retain(|tool| !tool.retired);
    tools
}

/// The kinds that an event happens for and that the client has a tool for.
pub(super) fn kinds_of(side: &dyn ConfigSide, event: &EventFacts, at: &[Moment]) -> BTreeSet<ToolKind> {
    let has = |kind: &ToolKind| side.config().tools.iter().any(|tool| tool.can(*kind));
    ToolKind::ALL.iter().copied().filter(has).filter(|kind| happens(side, event, at, &kind.call())).collect()
}

pub(super) fn sees_servers(side: &dyn ConfigSide, event: &EventFacts, at: &[Moment]) -> bool {
    server_call("server", "tool").is_some_and(|call| happens(side, event, at, &call))
}

pub(super) fn takes(matcher: &Matcher, tool: &ClientTool) -> bool {
    matcher.matches_any(tool.names.iter().copied()) != Matched::No
}

/// Carries a matcher over for calls at some moments.
pub(super) fn carry(
    sides: Sides<'_>,
    matcher: &Matcher,
    text: Option<&str>,
    at: &[Moment],
    findings: &mut Vec<Finding>,
) -> Choice {
    let Sides { to, from_event, to_event, .. } = sides;
    let mut told = Vec::new();
    let selected = match read(sides, matcher, at, &mut told) {
        Ok(selected) => selected,
        Err(finding) => {
            told.push(finding);
            everything(sides, at)
        }
    };
    let to_tools = current(tools_of(to, to_event, at));
    let wanted = wanted_tools(sides, &selected, &to_tools);
    not_hooked(sides, &selected, &wanted, &mut told);
    let servers_there = sees_servers(to, to_event, at);
    let has_servers = selected.servers != Servers::None;
    if has_servers && !servers_there {
        let reason = format!("{} has no hook there for tools of tool servers", to.vendor());
        told.push(finding(&codes::TOOL_NOT_HOOKED, reason));
    }
    if wanted.is_empty() && !(has_servers && servers_there) && selected.others.is_empty() && !selected.all {
        let reason = match text {
            Some(text) => format!("`{text}` selects nothing that {} has", to.vendor()),
            None => format!("{} has nothing that {} is about", to.vendor(), from_event.name),
        };
        told.push(finding(&codes::SELECTS_NOTHING, reason));
        findings.append(&mut told);
        return Choice::Nothing;
    }
    let choice = if to_event.subject == SubjectFact::ToolName {
        writing::choose(sides, &selected, &wanted, (matcher, text), at, &mut told)
    } else {
        Choice::All
    };
    wider(sides, &selected, &choice, at, &mut told);
    findings.append(&mut told);
    choice
}

pub(super) fn finding(code: &'static codes::LossCode, reason: impl Into<String>) -> Finding {
    Finding { code, reason: reason.into(), guards: true }
}

/// Everything that the source's event happens for.
fn everything(sides: Sides<'_>, at: &[Moment]) -> Selected {
    let kinds = kinds_of(sides.from, sides.from_event, at);
    let servers = if sees_servers(sides.from, sides.from_event, at) { Servers::All } else { Servers::None };
    let all = sides.from_event.subject == SubjectFact::ToolName;
    Selected { kinds, partly: BTreeSet::new(), servers, others: Vec::new(), leaves_out: false, all, open: false }
}

/// What a matcher selects. An error is a finding: everything is selected then.
fn read(sides: Sides<'_>, matcher: &Matcher, at: &[Moment], told: &mut Vec<Finding>) -> Result<Selected, Finding> {
    let Sides { from, from_event, .. } = sides;
    let all = || Ok(everything(sides, at));
    match from_event.subject {
        SubjectFact::Ignored | SubjectFact::Word(_) => return all(),
        SubjectFact::Command if matches!(matcher, Matcher::All) => return all(),
        SubjectFact::Command => {
            let reason = "the matcher looks at the command's text, which the target's matchers do not see; the hook \
                          runs for every command";
            return Err(finding(&codes::COMMAND_NOT_SEEN, reason));
        }
        SubjectFact::ToolName | SubjectFact::Field { .. } => {}
    }
    let picks = take_apart(matcher, from.config().language.regex);
    let (shapes, open) = match picks {
        Picks::All => return all(),
        Picks::Nothing => (Vec::new(), false),
        Picks::Some(shapes) => (shapes, false),
        Picks::AllBut(shapes) => (shapes, true),
        Picks::Unknown(why) => {
            return Err(finding(
                &codes::MATCHER_WIDENED,
                format!("the matcher cannot be carried over: {why}; the hook runs for every call"),
            ));
        }
    };
    let tools = if from_event.subject == SubjectFact::ToolName { tools_of(from, from_event, at) } else { Vec::new() };
    let taken: Vec<&ClientTool> = tools.iter().copied().filter(|tool| takes(matcher, tool)).collect();
    let kinds: BTreeSet<ToolKind> = taken.iter().flat_map(|tool| tool.does.iter().copied()).collect();
    let seen = kinds_of(from, from_event, at);
    let kinds: BTreeSet<ToolKind> = kinds.intersection(&seen).copied().collect();
    let left_out = |kind: &ToolKind| {
        let is = |tool: &&&ClientTool| tool.can(*kind) && !tool.beside && !takes(matcher, tool);
        let only_beside = taken.iter().filter(|tool| tool.can(*kind)).all(|tool| tool.beside);
        tools.iter().any(|tool| is(&tool)) || only_beside
    };
    let partly = kinds.iter().copied().filter(left_out).collect();
    let servers = if sees_servers(from, from_event, at) { servers(sides, &shapes, open, told)? } else { Servers::None };
    let forms = from.server_tool_names(from_event);
    let is_known = |shape: &Shape| {
        let names = || from.config().tools.iter().flat_map(|tool| tool.names);
        let is_a_servers = forms.iter().any(|form| mcp::wanted(shape, form).is_ok_and(|wanted| !wanted.is_empty()));
        is_a_servers && shape.word().is_some() || names().any(|name| selects(sides, shape, name))
    };
    let unknown = shapes.iter().filter(|shape| !open && shape.word().is_some() && !is_known(shape));
    // A name that is nothing here and something there would begin to select.
    let (theirs, others): (Vec<Shape>, Vec<Shape>) = unknown.cloned().partition(|shape| is_theirs(sides, shape));
    for word in others.iter().filter_map(Shape::word) {
        told.push(finding(&codes::NAME_KEPT, format!("`{word}` is no tool that is known of {}", from.vendor())));
    }
    let wants = |forms: &[NameForm], shape: &Shape| {
        forms.iter().any(|form| mcp::wanted(shape, form).map_or(true, |wanted| !wanted.is_empty()))
    };
    let to_forms = sides.to.server_tool_names(sides.to_event);
    let leaves_out = !theirs.is_empty() || shapes.iter().any(|shape| !wants(forms, shape) && wants(to_forms, shape));
    Ok(Selected { kinds, partly, servers, others, leaves_out, all: false, open })
}

/// Whether a name is a tool of the target.
fn is_theirs(sides: Sides<'_>, shape: &Shape) -> bool {
    let Sides { to, to_event, .. } = sides;
    let word = shape.word();
    let names = to.config().tools.iter().flat_map(|tool| tool.names);
    names.into_iter().any(|name| word.as_deref() == Some(*name))
        || to
            .server_tool_names(to_event)
            .iter()
            .any(|form| mcp::wanted(shape, form).is_ok_and(|wanted| !wanted.is_empty()))
}

/// Whether a matcher selects some tool of a kind.
pub(super) fn selects_kind(side: &dyn ConfigSide, event: &EventFacts, matcher: &Matcher, kind: ToolKind) -> bool {
    event.subject != SubjectFact::ToolName
        || side.config().tools.iter().any(|tool| tool.can(kind) && takes(matcher, tool))
}

/// Whether a matcher selects some tool of a tool server, or may.
pub(super) fn selects_servers(side: &dyn ConfigSide, event: &EventFacts, matcher: &Matcher) -> bool {
    let Picks::Some(shapes) = take_apart(matcher, side.config().language.regex) else { return true };
    let forms = side.server_tool_names(event);
    let wants = |shape: &Shape, form: &NameForm| mcp::wanted(shape, form).map_or(true, |wanted| !wanted.is_empty());
    shapes.iter().any(|shape| forms.iter().any(|form| wants(shape, form)))
}

/// Whether one alternative selects a name in the source's language.
fn selects(sides: Sides<'_>, shape: &Shape, name: &str) -> bool {
    match shape.word() {
        Some(word) => word == name,
        None => {
            let (matcher, _) = sides.from.matcher(sides.from_event.name, Some(&shape.write()));
            matcher.matches(name) == Matched::Yes
        }
    }
}

fn servers(sides: Sides<'_>, shapes: &[Shape], open: bool, told: &mut Vec<Finding>) -> Result<Servers, Finding> {
    let forms = sides.from.server_tool_names(sides.from_event);
    let mut all: Vec<Wanted> = Vec::new();
    for shape in shapes {
        for form in forms {
            match mcp::wanted(shape, form) {
                Ok(wanted) => all.extend(wanted),
                Err(mcp::Unclear) if open => {
                    let reason = "the matcher leaves out tools of tool servers in a way that cannot be carried over; the \
                                  hook runs for every call";
                    return Err(finding(&codes::MATCHER_WIDENED, reason));
                }
                Err(mcp::Unclear) => {
                    let reason = "which tools of tool servers the matcher selects cannot be carried over; the hook runs \
                                  for all of them";
                    told.push(finding(&codes::MATCHER_WIDENED, reason));
                    return Ok(Servers::All);
                }
            }
        }
    }
    Ok(match (all.is_empty(), open) {
        (true, false) => Servers::None,
        (true, true) => Servers::All,
        (false, false) if all.contains(&Wanted::ANY) => Servers::All,
        (false, true) if all.contains(&Wanted::ANY) => Servers::None,
        (false, false) => Servers::Some(all),
        (false, true) => Servers::AllBut(all),
    })
}

/// The tools of the target that do what the source selects.
fn wanted_tools(sides: Sides<'_>, selected: &Selected, tools: &[&'static ClientTool]) -> Vec<&'static ClientTool> {
    let mut kinds = selected.kinds.clone();
    for kind in &selected.kinds {
        if !tools.iter().any(|tool| tool.can(*kind)) {
            kinds.extend(kind.in_parts());
        }
    }
    // What leaves some out takes what the source knows nothing of.
    let unknown = |tool: &ClientTool| {
        let has = |kind: &ToolKind| sides.from.config().tools.iter().any(|own| own.can(*kind));
        selected.open && !tool.does.is_empty() && !tool.does.iter().any(has)
    };
    let is_wanted = |tool: &&&ClientTool| tool.does.iter().any(|kind| kinds.contains(kind)) || unknown(tool);
    tools.iter().filter(is_wanted).copied().collect()
}

/// Whether tools do something of a kind, or all its parts.
fn can_do(tools: &[&ClientTool], kind: ToolKind) -> bool {
    let can = |kind: ToolKind| tools.iter().any(|tool| tool.can(kind));
    can(kind) || (!kind.in_parts().is_empty() && kind.in_parts().iter().all(|part| can(*part)))
}

/// That a side has no tool with hooks for something; `None` where it has.
pub(super) fn not_hooked_words(to: &dyn ConfigSide, lost: &[ToolKind]) -> Option<String> {
    let mut parts = Vec::new();
    let mut left = lost.to_vec();
    for (kinds, how) in to.config().otherwise {
        let (of, others): (Vec<ToolKind>, Vec<ToolKind>) = left.iter().partition(|kind| kinds.contains(kind));
        left = others;
        if !of.is_empty() {
            let words: Vec<&str> = of.iter().map(|kind| kind.activity()).collect();
            parts.push(format!("{} ({how})", in_words(&words)));
        }
    }
    if !left.is_empty() {
        let words: Vec<&str> = left.iter().map(|kind| kind.activity()).collect();
        parts.push(in_words(&words));
    }
    (!parts.is_empty()).then(|| format!("{} has no tool with hooks for {}", to.vendor(), parts.join("; ")))
}

/// Tells of what the source selects and the target has no tool with hooks for.
fn not_hooked(sides: Sides<'_>, selected: &Selected, wanted: &[&ClientTool], told: &mut Vec<Finding>) {
    let lost: Vec<ToolKind> = selected.kinds.iter().copied().filter(|kind| !can_do(wanted, *kind)).collect();
    if let Some(reason) = not_hooked_words(sides.to, &lost) {
        told.push(finding(&codes::TOOL_NOT_HOOKED, reason));
    }
}

/// Tells of what the target runs the hook for and the source does not.
fn wider(sides: Sides<'_>, selected: &Selected, choice: &Choice, at: &[Moment], told: &mut Vec<Finding>) {
    let Sides { from, to, to_event, .. } = sides;
    if selected.all && *choice == Choice::All {
        return;
    }
    let tools = tools_of(to, to_event, at);
    let matcher = match choice {
        Choice::Text(text) => to.matcher(to_event.name, Some(text)).0,
        _ => Matcher::All,
    };
    let seen = kinds_of(to, to_event, at);
    let has = |kind: &ToolKind| from.config().tools.iter().any(|tool| tool.can(*kind));
    let mut more: BTreeSet<ToolKind> = tools
        .iter()
        .filter(|tool| takes(&matcher, tool))
        .flat_map(|tool| tool.does.iter().copied())
        .filter(|kind| seen.contains(kind) && has(kind) && !selected.kinds.contains(kind))
        .collect();
    more.extend(selected.partly.iter().filter(|kind| tools.iter().any(|tool| tool.can(**kind))));
    if !more.is_empty() {
        let words: Vec<&str> = more.iter().map(|kind| kind.activity()).collect();
        let reason = format!("in {} the hook also runs for {}", to.vendor(), in_words(&words));
        told.push(finding(&codes::TOOLS_WIDER, reason));
    }
}
