//! Events of other vendors: whose a name is, and what this vendor calls the same moment.

use hooks_conformance::sample;
use hooks_core::document::Node;
use hooks_core::facts::{Control, EventFacts, Exit2};
use hooks_core::{Boundary, Diagnostic, Facet, Severity};

use super::super::command::called;
use super::{Document, Input, last_key, list};

/// Events of GitHub Copilot, which has no adapter here, that no other vendor has (its hooks reference).
const COPILOT: &[(&str, Option<Boundary>)] =
    &[("userPromptSubmitted", Some(Boundary::PromptSubmit)), ("errorOccurred", None)];

/// Adds to an event that the vendor does not know whose it is, and what the vendor calls that moment.
pub(super) fn enrich(input: &Input<'_>, document: &Document<'_>, diagnostic: &mut Diagnostic) {
    let Some(pointer) = diagnostic.pointer.clone() else { return };
    let Some(name) = last_key(&pointer) else { return };
    if document.is_told(input, diagnostic) {
        return;
    }
    let own = document.adapter.vendor();
    let others = input.adapters.iter().filter(|adapter| adapter.vendor() != own);
    let theirs: Vec<(&'static str, &EventFacts)> =
        others.filter_map(|adapter| Some((called(adapter.vendor().as_str()), adapter.event(&name)?))).collect();
    let (whose, moment) = match theirs.first() {
        Some((_, facts)) => {
            let names: Vec<&str> = theirs.iter().map(|(vendor, _)| *vendor).collect();
            (list(&names), facts.boundary.map(|boundary| (boundary, facts.facet)))
        }
        None => match COPILOT.iter().find(|(event, _)| *event == name) {
            Some((_, boundary)) => ("GitHub Copilot".to_owned(), boundary.map(|boundary| (boundary, Facet::Any))),
            None => return,
        },
    };
    diagnostic.message.push_str(&format!("; it is an event of {whose}"));
    if !diagnostic.edits.is_empty() {
        return;
    }
    let vendor = document.vendor();
    let hooks = document.at(&pointer).and_then(Node::as_array).is_some_and(|hooks| !hooks.is_empty());
    if hooks && theirs.iter().any(|(_, facts)| guards(facts)) && diagnostic.severity < Severity::Error {
        diagnostic.severity = Severity::Error;
        diagnostic.message.push_str(", which can block: nothing is guarded here");
    }
    let Some((same, facet)) = moment.and_then(|(boundary, facet)| Some((same(document, boundary, facet)?, facet)))
    else {
        diagnostic.help =
            format!("{vendor} has no event at that moment: remove the hooks, or find another way.").into();
        return;
    };
    if same.facet != facet && facet != Facet::Any {
        // An event for every tool in place of one for some: which, a matcher says.
        let names = document.adapter.tool_names(&sample::call(facet));
        let tool = match (facet, names.first()) {
            (Facet::Mcp, _) | (_, None) => "tools of tool servers".to_owned(),
            (_, Some(name)) => format!("`{name}`"),
        };
        diagnostic.help =
            format!("{vendor}'s event at the same moment is `{}`, with a matcher for {tool}.", same.name).into();
        return;
    }
    diagnostic.help = format!("Write `{}`, {vendor}'s event at the same moment.", same.name).into();
    let parent = pointer.rsplit_once('/').and_then(|(parent, _)| document.at(parent)).and_then(Node::as_object);
    let is_free = parent.is_some_and(|events| events.get(same.name).is_none());
    if let (true, Some(range)) = (is_free, diagnostic.range.clone()) {
        *diagnostic = diagnostic.clone().edit(range, format!("\"{}\"", same.name)).changes(format!(
            "the hooks run, which they did not before; {vendor} must be able to read what they print"
        ));
    }
}

/// Whether hooks of an event are there to hold something back.
fn guards(facts: &EventFacts) -> bool {
    matches!(facts.control, Control::Permission { .. })
        || matches!(facts.exit_2, Exit2::Deny | Exit2::Halt | Exit2::Refuse)
}

/// The vendor's event on a boundary: of the same facet, else the one for all tools, else the one for all of it.
fn same(document: &Document<'_>, boundary: Boundary, facet: Facet) -> Option<&'static EventFacts> {
    let here = || document.adapter.events().iter().copied().filter(|event| event.boundary == Some(boundary));
    [facet, Facet::Tool, Facet::Any].into_iter().find_map(|facet| here().find(|event| event.facet == facet))
}
