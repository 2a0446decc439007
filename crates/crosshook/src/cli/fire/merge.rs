//! `fire --explain`: each answer rule by rule, how the answers were folded, and what the host's profile did with that;
//! every part with the file and line of the hook that said it.

use std::fmt::Write as _;
use std::sync::Arc;

use hooks_conformance::{decision_json, effects_json};
use hooks_core::decide::Action;
use hooks_core::effects::{Effect, Said, Who};
use hooks_core::text::display_line;
use hooks_core::{Channel, Decision, Definition, HostProfile, Outcome};
use hooks_runtime::RunReport;
use serde_json::{Value, json};

use super::explain::{effect, field, place, result_text};
use super::{Fired, Prepared};
use crate::cli::explain::meaning::{Case, Explanation, is_silent_allow};
use crate::cli::explain::{text as explained_text, words};
use crate::cli::out::{DIM, HEAD, NAME, paint, wrap};

/// What one part of the decision is, in words, and who said it.
struct Part {
    name: &'static str,
    text: String,
    by: Option<String>,
}

/// The whole, in words.
pub(super) fn text(prepared: &Prepared, fired: &Fired, width: usize) -> String {
    let mut text = String::new();
    for (at, run) in fired.runs().iter().enumerate() {
        let Some(explained) = explanation(prepared, run) else { continue };
        let _ = writeln!(text, "\n{} {}. {}", paint(HEAD, "Why answer"), at + 1, place(prepared, &run.binding));
        explained_text::rules(&mut text, &explained.rules, width);
        explained_text::fields(&mut text, &explained.fields, explained.beyond, width);
    }
    let firing = &fired.firing;
    let _ = writeln!(text, "\n{}", paint(HEAD, "How they were folded"));
    let several = firing.runs.len() > 1;
    if !several {
        field(&mut text, "one hook", "it ran alone, so that there is nothing to fold", width);
    }
    for adapter in prepared.snapshot.adapters() {
        let of_vendor = firing.runs.iter().filter(|run| run.vendor() == adapter.vendor()).count();
        if of_vendor < 2 {
            continue;
        }
        let _ = writeln!(text, "  {} folds {of_vendor} answers", paint(NAME, adapter.vendor().as_str()));
        let policy = adapter.merge_policy(prepared.asked.boundary);
        for (what, how) in words::merge(policy, prepared.host.strict) {
            if concerns(what, &firing.runs) {
                field(&mut text, what, &how, width);
            }
        }
    }
    let vendors = vendors(&firing.runs);
    if vendors.len() > 1 {
        let all = vendors.join(", ");
        let rule = "the strictest verdict counts, two different rewrites deny, a halt drops what would go on";
        field(&mut text, "together", &format!("{all}: {rule}"), width);
    }
    if firing.runs.iter().any(|run| run.refired) {
        field(
            &mut text,
            "refired",
            "the rewritten input was shown once more to the guards of other events and vendors",
            width,
        );
    }
    if let Some(verdict) = firing.settled.verdict {
        field(&mut text, "settled", verdict.as_str(), width);
    }
    for (at, said) in firing.settled.reasons.iter().enumerate() {
        let name = if at == 0 && firing.settled.reasons.len() > 1 { "leads" } else { "reason" };
        field(&mut text, name, &attributed(prepared, &said.value, said.by.as_ref()), width);
    }
    for dropped in &firing.settled.report.dropped {
        if is_silent_allow(&dropped.effect) {
            continue;
        }
        let what = format!("{}: {}", effect(&dropped.effect), dropped.why);
        field(&mut text, "dropped", &attributed(prepared, &what, dropped.by.as_ref()), width);
    }
    for conflict in &firing.settled.report.conflicts {
        field(&mut text, "conflict", conflict, width);
    }
    let _ = writeln!(text, "\n{}", paint(HEAD, "What the host makes of it"));
    field(&mut text, "profile", &profile(&prepared.host), width);
    for part in parts(prepared, &firing.decision) {
        let by = part.by.map_or(String::new(), |by| format!(" ({by})"));
        field(&mut text, part.name, &format!("{}{by}", part.text), width);
    }
    let settled = firing.settled.report.dropped.len();
    for dropped in firing.decision.report.dropped.iter().skip(settled) {
        if is_silent_allow(&dropped.effect) {
            continue;
        }
        let what = format!("{}: {}", effect(&dropped.effect), dropped.why);
        field(&mut text, "dropped", &attributed(prepared, &what, dropped.by.as_ref()), width);
    }
    let strict = strict_remark(prepared, fired);
    if let Some(remark) = strict {
        let _ = writeln!(text, "   {}", paint(DIM, &wrap(&remark, width, 3)));
    }
    text
}

fn profile(host: &HostProfile) -> String {
    let missing: Vec<&str> = Channel::ALL
        .iter()
        .filter(|channel| !host.channels.contains(**channel))
        .map(|channel| channel.as_str())
        .collect();
    let applies = match missing.as_slice() {
        [] => "it can apply everything".to_owned(),
        missing => format!("it cannot apply {}", missing.join(", ")),
    };
    let asks = if host.can_ask { "ask somebody" } else { "ask nobody" };
    let strict = if host.strict { "it is strict: what cannot be evaluated blocks" } else { "it is not strict" };
    format!("{applies} and {asks}; {strict}")
}

/// Which runs would have come to something else for a strict host.
fn strict_remark(prepared: &Prepared, fired: &Fired) -> Option<String> {
    if prepared.host.strict {
        return None;
    }
    let mut heard: Vec<(&'static str, Vec<String>)> = Vec::new();
    for run in fired.runs() {
        let Some(strict) = explanation(prepared, run).and_then(|explained| explained.stricter) else { continue };
        let (word, place) = (explained_text::plain_word(&strict), located(prepared, &run.binding));
        match heard.iter_mut().find(|(known, _)| *known == word) {
            Some((_, places)) => places.push(place),
            None => heard.push((word, vec![place])),
        }
    }
    let said: Vec<String> = heard.iter().map(|(word, places)| format!("{word} of {}", named(places))).collect();
    (!said.is_empty()).then(|| format!("A strict host would hear {}.", said.join(", and ")))
}

/// The first few places, and how many more there are.
fn named(places: &[String]) -> String {
    const FEW: usize = 3;
    let first: Vec<&str> = places.iter().take(FEW).map(String::as_str).collect();
    match places.len().saturating_sub(FEW) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// Whether a part of a merge policy has anything to do with these answers.
fn concerns(what: &str, runs: &[RunReport]) -> bool {
    let any = |is: fn(&Effect) -> bool| {
        runs.iter().flat_map(|run| &run.effects.effects).filter(|effect| is(effect)).count() > 1
    };
    match what {
        "verdict" => any(|effect| matches!(effect, Effect::Verdict { .. })),
        "deny" => any(|effect| matches!(effect, Effect::Verdict { verdict: hooks_core::Verdict::Deny, .. })),
        "ask" => any(|effect| matches!(effect, Effect::Verdict { verdict: hooks_core::Verdict::Ask, .. })),
        "halt" => any(|effect| matches!(effect, Effect::Halt(_))),
        "context" => any(|effect| matches!(effect, Effect::Context(_))),
        "notices" => any(|effect| matches!(effect, Effect::Notice(_))),
        "input" => any(|effect| matches!(effect, Effect::ReplaceInput(_))),
        "result" => any(|effect| matches!(effect, Effect::ReplaceResult(_))),
        _ => any(|effect| matches!(effect, Effect::SessionEnv(_))),
    }
}

fn vendors(runs: &[RunReport]) -> Vec<&str> {
    let mut vendors: Vec<&str> = Vec::new();
    for run in runs {
        if !vendors.contains(&run.vendor().as_str()) {
            vendors.push(run.vendor().as_str());
        }
    }
    vendors
}

/// The parts of a decision, each with who said it.
fn parts(prepared: &Prepared, decision: &Decision) -> Vec<Part> {
    let by = |by: Option<&Who>| Some(who(prepared, by));
    let part = |name: &'static str, text: &str, who: Option<String>| Part { name, text: text.to_owned(), by: who };
    let mut parts = vec![part("action", action(decision.action), None)];
    if let Some(Said { by: who, value }) = &decision.halt {
        let stops: Vec<_> = value.stops.iter().map(|stop| stop.as_str()).collect();
        let reason = value.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
        parts.push(part("halt", &format!("stops the {}{reason}", stops.join(" and the ")), by(who.as_ref())));
    }
    for said in &decision.to_model {
        parts.push(part("to model", &said.value, by(said.by.as_ref())));
    }
    for said in &decision.to_user {
        parts.push(part("to person", &said.value, by(said.by.as_ref())));
    }
    if let Some(said) = &decision.input {
        let raw = said.value.raw.as_ref().map_or_else(|| said.value.action.kind(), |raw| raw.get());
        parts.push(part("input", raw, by(said.by.as_ref())));
    }
    if let Some(said) = &decision.result {
        parts.push(part("result", result_text(&said.value), by(said.by.as_ref())));
    }
    for said in &decision.continuations {
        parts.push(part("go on", &said.value.text, by(said.by.as_ref())));
    }
    for said in &decision.special {
        parts.push(part("special", said.value.kind(), by(said.by.as_ref())));
    }
    parts
}

const fn action(action: Action) -> &'static str {
    match action {
        Action::Approve => "approve: the question may be skipped; the host's own deny and ask rules still hold",
        Action::NoOpinion => "no opinion: the host's own rules decide",
        Action::Ask => "ask a person",
        Action::Defer => "put it off",
        Action::Deny => "deny",
    }
}

/// The hook that said something, by its file and line.
fn who(prepared: &Prepared, by: Option<&Who>) -> String {
    let Some(by) = by else { return "the host".to_owned() };
    let definitions = prepared.snapshot.definitions();
    match definitions.iter().find(|definition| definition.id == by.binding) {
        Some(definition) => located(prepared, definition),
        None => by.binding.as_str().to_owned(),
    }
}

fn located(prepared: &Prepared, definition: &Definition) -> String {
    let path = prepared.project.shown(&definition.source.path);
    display_line(&format!("{path}:{}", prepared.line(definition))).into_owned()
}

fn attributed(prepared: &Prepared, text: &str, by: Option<&Who>) -> String {
    format!("{text} ({})", who(prepared, by))
}

/// What a run's answer means, rule by rule; `None` for one that went to the background. One that was fired again is
/// read beside the first input: only a rewrite depends on that, and a second rewrite denies.
fn explanation(prepared: &Prepared, run: &RunReport) -> Option<Explanation> {
    let outcome: Outcome = run.outcome.clone()?;
    let adapter = prepared.snapshot.adapter(run.vendor())?;
    let event = adapter.event(run.event())?;
    let case = Case {
        adapter: Arc::clone(adapter),
        event,
        binding: run.binding.clone(),
        envelope: prepared.occurrence.envelope.clone(),
        outcome,
        host: prepared.host.clone(),
    };
    Some(Explanation::of(case, prepared.host.strict))
}

/// The whole, as JSON.
pub(super) fn json(prepared: &Prepared, fired: &Fired) -> Value {
    let firing = &fired.firing;
    let answers = firing.runs.iter().map(|run| {
        json!({
            "hook": located(prepared, &run.binding),
            "refired": run.refired,
            "explanation": explanation(prepared, run).map(|explained| explained.json()),
        })
    });
    let policies = prepared
        .snapshot
        .adapters()
        .iter()
        .filter(|adapter| firing.runs.iter().any(|run| run.vendor() == adapter.vendor()));
    let policies = policies.map(|adapter| {
        let rules = words::merge(adapter.merge_policy(prepared.asked.boundary), prepared.host.strict);
        let rules = rules.into_iter().map(|(what, how)| (what.to_owned(), json!(how)));
        json!({ "vendor": adapter.vendor().as_str(), "policy": rules.collect::<serde_json::Map<_, _>>() })
    });
    let dropped = |dropped: &hooks_core::settle::Dropped| json!({ "what": effect(&dropped.effect), "why": dropped.why, "by": who(prepared, dropped.by.as_ref()) });
    let settled = firing.settled.report.dropped.len();
    let parts = parts(prepared, &firing.decision);
    json!({
        "answers": answers.collect::<Vec<_>>(),
        "policies": policies.collect::<Vec<_>>(),
        "settled": effects_json(&firing.settled),
        "leads": firing.settled.reasons.first().map(|said| who(prepared, said.by.as_ref())),
        "dropped": firing.settled.report.dropped.iter().map(dropped).collect::<Vec<_>>(),
        "conflicts": firing.settled.report.conflicts,
        "profile": profile(&prepared.host),
        "dropped_by_profile": firing.decision.report.dropped.iter().skip(settled).map(dropped).collect::<Vec<_>>(),
        "decision": decision_json(&firing.decision),
        "parts": parts.iter()
            .map(|part| json!({ "part": part.name, "text": part.text, "by": part.by }))
            .collect::<Vec<_>>(),
    })
}
