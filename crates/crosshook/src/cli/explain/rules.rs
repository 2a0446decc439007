//! Rule by rule: which facts of the event table led from an outcome to what it means.

use hooks_core::effects::Failure;
use hooks_core::evidence::{Evidence, Since};
use hooks_core::facts::{Control, Exit2, FailureRule};
use hooks_core::json::{RawObject, too_deep_at};
use hooks_core::{Binding, Channel, Definition, End, FailurePolicy, HookEffects, Outcome, Version};

use super::fields::{self, trimmed};
use super::meaning::{Case, Era};
use super::words;
use crate::cli::fire::explain as firing;

/// One rule that applied.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// A stable word for it.
    pub id: &'static str,
    /// What it says.
    pub text: String,
    /// How it is known; `None` for what was given, and for what follows from the rules above it.
    pub evidence: Option<Evidence>,
    /// The first version whose event has it.
    pub since: Version,
}

/// What a standard output is, before anybody looks at its fields.
enum Printed {
    Nothing,
    Plain,
    Object,
    Broken,
}

fn printed(outcome: &Outcome) -> Printed {
    let text = outcome.stdout_text();
    let text = trimmed(&text);
    if text.is_empty() {
        return Printed::Nothing;
    }
    if !text.starts_with(['{', '[']) {
        return Printed::Plain;
    }
    if too_deep_at(text.as_bytes()).is_none() && RawObject::parse(text).is_ok() {
        Printed::Object
    } else {
        Printed::Broken
    }
}

/// The rules that led from an outcome to its effects, in the order in which they apply.
pub(crate) fn rules(case: &Case, effects: &HookEffects, strict: bool) -> Vec<Rule> {
    let facts = case.event;
    let mut rules = Vec::new();
    let mut add = |id: &'static str, text: String| {
        rules.push(Rule { id, text, evidence: Some(facts.evidence), since: facts.since });
    };
    add("event", format!("{} {}", facts.name, words::control(facts)));
    if facts.boundary.is_none() {
        add("no-boundary", "no host outside the vendor's client fires it".to_owned());
    }
    let outcome = &case.outcome;
    let read = ending(case, effects, strict, &mut add);
    if !outcome.stdout_truncated && read {
        let from = source(&outcome.end);
        match printed(outcome) {
            Printed::Nothing => add("empty", words::empty(facts.empty).to_owned()),
            Printed::Plain => add("plain-stdout", words::plain(facts.plain_stdout).to_owned()),
            Printed::Object if facts.output.is_empty() => {
                add("answer", "no field of an answer is read here".to_owned())
            }
            Printed::Object => add("answer", format!("one JSON object {from} is read as an answer")),
            Printed::Broken if matches!(effects.failure, Some(Failure::Malformed(_))) => {
                add("broken", "it begins like JSON and cannot be read as one JSON object".to_owned());
            }
            Printed::Broken => {
                add("broken", "it begins like JSON and is not one JSON object: it is taken for plain text".to_owned());
                add("plain-stdout", words::plain(facts.plain_stdout).to_owned());
            }
        }
    }
    if asks(case)
        && !outcome.stdout_truncated
        && let Some(text) = words::ask(facts.ask)
    {
        add("ask", text.to_owned());
    }
    if let Some(failure) = &effects.failure {
        if matches!(failure, Failure::Malformed(_)) {
            add("malformed", words::malformed(facts.malformed).to_owned());
        } else if facts.malformed == FailureRule::Block && !matches!(facts.control, Control::Permission { .. }) {
            add("failure", "on this event any failure blocks".to_owned());
        }
    }
    // What the host does by itself, what was given, and what follows is no fact about the vendor.
    let mut follows = |id: &'static str, text: &str| {
        rules.push(Rule { id, text: text.to_owned(), evidence: None, since: facts.since });
    };
    let decision = case.decide(effects, strict);
    let holds = super::meaning::holds_back(&decision);
    // The host's own doing blocks where the hook could have; not where it could only have stopped what comes after.
    let blocks = if holds { ", so it blocks" } else { ", which blocks nothing on this event" };
    if outcome.stdout_truncated {
        follows("cut-off", &format!("output that the host cut off is no answer{blocks}"));
    }
    if outcome.end == End::Cancelled {
        follows("cancelled", &format!("the host cancelled it before it could answer{blocks}"));
    }
    if effects.failure.is_some() {
        if let Some(text) = policy(case, strict) {
            follows("failure-policy", text);
        }
        let goes_on = words::goes_on(facts);
        let ends = match (case.can_block(), holds) {
            (true, true) if facts.control == Control::Continuation => {
                "so the failure makes it go on: it fails closed".to_owned()
            }
            (true, true) => "so the failure blocks: it fails closed".to_owned(),
            (true, false) => format!("so {goes_on} as if there were no hook: it fails open"),
            (false, _) => format!("the event can hold nothing back, so {goes_on}"),
        };
        follows("outcome", &ends);
    }
    rules
}

/// What the end of a run says by itself, and whether the answer is looked at then.
fn ending(case: &Case, effects: &HookEffects, strict: bool, add: &mut dyn FnMut(&'static str, String)) -> bool {
    let outcome = &case.outcome;
    let decoded = |stdout: Vec<u8>| {
        let outcome = Outcome { stdout, ..outcome.clone() };
        Case { outcome, ..case.clone() }.decode(strict)
    };
    let read = match &outcome.end {
        End::Exited(0) => true,
        End::Exited(2) => {
            add("exit-2", words::exit_2(case.event).to_owned());
            stderr_rule(case, effects, strict, add);
            false
        }
        End::Exited(code) => {
            let what = match (effects.failure.is_some(), case.event.exit_2) {
                (false, _) => "where no answer says otherwise",
                (true, Exit2::Failure) => "as any code but 0",
                (true, _) => "as any code but 0 and 2",
            };
            add("exit-code", format!("exit code {code} is a failed run, {what}"));
            false
        }
        End::Http(status) => {
            add("http", format!("a request that is answered with status {status}"));
            (200..300).contains(status)
        }
        End::Model | End::Tool { is_error: false } => true,
        other => {
            add("no-answer", format!("{}: there is no answer to read", words::ended(other)));
            false
        }
    };
    let handler = case.binding.handler.kind();
    if !case.runs(handler) {
        let vendor = case.adapter.vendor();
        let name = case.event.name;
        add("handler", format!("{vendor} runs no handler of type `{}` on {name}", handler.as_str()));
        return false;
    }
    if !read && !outcome.stdout_truncated && !matches!(printed(outcome), Printed::Nothing) {
        let other = decoded(Vec::new());
        let counts = other.effects != effects.effects || other.failure.is_some() != effects.failure.is_some();
        let what = match outcome.end {
            End::Http(_) => "the body",
            _ => "what it printed on standard output",
        };
        let how = if counts { "counts all the same" } else { "does not count" };
        add("stdout", format!("{what} {how}"));
    }
    read
}

/// Where an answer stands.
const fn source(end: &End) -> &'static str {
    match end {
        End::Http(_) => "in the body",
        End::Model => "from the model",
        End::Tool { .. } => "as the tool's text",
        _ => "on standard output",
    }
}

/// Whose word it is that a failure blocks, or does not; `None` where the vendor's rule has said it already.
fn policy(case: &Case, strict: bool) -> Option<&'static str> {
    if strict {
        return Some("the host is strict: a failed evaluation blocks where the event can block");
    }
    let closed = case.binding.failure == FailurePolicy::Closed;
    let holds = |failure| {
        if failure == FailurePolicy::Closed && !super::meaning::can_close(&*case.adapter) {
            return false;
        }
        let mut definition = Definition::clone(&case.binding.definition);
        definition.failure = failure;
        let binding = Binding { definition: definition.into(), declared: case.binding.declared };
        let case = Case { binding, ..case.clone() };
        super::meaning::holds_back(&case.decide(&case.decode(false), false))
    };
    match (holds(FailurePolicy::Open), holds(FailurePolicy::Closed), closed) {
        (false, true, true) => Some("the hook's definition says that a failure blocks"),
        (false, true, false) => Some("the hook's definition does not say that a failure blocks"),
        (false, false, _) if case.can_block() => Some("nothing in a hook's definition makes this failure block"),
        _ => None,
    }
}

/// What standard error does beside exit code 2, found by reading the outcome once more with another one.
fn stderr_rule(case: &Case, effects: &HookEffects, strict: bool, add: &mut dyn FnMut(&'static str, String)) {
    let with = |stderr: &[u8]| {
        let outcome = Outcome { stderr: stderr.to_vec(), ..case.outcome.clone() };
        Case { outcome, ..case.clone() }.decode(strict)
    };
    let silent = case.outcome.stderr.trim_ascii().is_empty();
    if effects.failure.is_some() && with(b"a word").failure.is_none() {
        let text = if silent {
            "without a word on standard error it is a failed run"
        } else {
            "what stands on standard error makes it a failed run: it tells of a script that is missing"
        };
        add("stderr", text.to_owned());
        return;
    }
    if silent || case.event.exit_2 == Exit2::ShownToUser {
        return;
    }
    let other = with(b"");
    let text = if other.effects == effects.effects && other.failure == effects.failure {
        "standard error goes nowhere beyond the client's own report"
    } else {
        "standard error is its text"
    };
    add("stderr", text.to_owned());
}

/// Whether an answer asks, in a field of the event's own, for a person to be asked.
fn asks(case: &Case) -> bool {
    let text = case.outcome.stdout_text();
    let text = trimmed(&text);
    let own = fields::own(case.adapter.vendor().as_str(), case.event);
    own.filter(|field| field.channel == Some(Channel::Verdict)).any(|field| {
        let path: Vec<String> = field.path.split('.').map(ToOwned::to_owned).collect();
        fields::at(text, &path).is_some_and(|raw| raw.get() == fields::ASK)
    })
}

/// The versions at which a vendor's rules changed, by the tables' lists.
fn changes(vendor: &str) -> Vec<Version> {
    use crosshook::{claude::events as claude, codex::events::changed as codex};
    fn of(facts: &[&Since<bool>]) -> Vec<Version> {
        facts.iter().flat_map(|fact| fact.0.iter().map(|(since, _)| *since)).collect()
    }
    match vendor {
        "claude" => of(&[
            &claude::WRONG_NAME_KEEPS_BLOCK,
            &claude::TOP_REASON_COUNTS,
            &claude::STOP_BESIDE_DENY,
            &claude::BROKEN_IS_FAILURE,
            &claude::EXIT_2_BESIDE_BROKEN,
            &claude::GUARDS_BLOCK_UNRUN,
            &claude::ON_FAILURE,
            &claude::PROMPT_DENY_ENDS_TURN,
            &claude::CLASSIFIER_CONTEXT,
            &claude::TOOL_ON_FAILURE,
        ]),
        "codex" => of(&[&codex::UNREAD_INPUT_FAILS, &codex::CONTEXT_LIMIT, &codex::MCP_TOOL]),
        _ => Vec::new(),
    }
}

/// What the answer meant to clients up to this one, where it did not always mean the same; oldest first.
pub(crate) fn eras(case: &Case, strict: bool) -> Vec<Era> {
    let vendor = case.adapter.vendor().as_str();
    let mut versions = changes(vendor);
    versions.extend([Version::FIRST, case.event.since]);
    versions.retain(|version| *version <= case.adapter.version());
    versions.sort_unstable();
    versions.dedup();
    let mut eras: Vec<(Version, HookEffects, String)> = Vec::new();
    for version in versions {
        let Some(adapter) = crosshook::adapter_for(vendor, Some(&version.to_string()), Some("vendor")) else {
            continue;
        };
        if adapter.event(case.event.name).is_none_or(|event| event.since > version) {
            continue;
        }
        let effects = Case { adapter, ..case.clone() }.decode(strict);
        if eras.last().is_some_and(|(_, before, _)| {
            before.effects == effects.effects && before.failure.is_some() == effects.failure.is_some()
        }) {
            continue;
        }
        let meaning = firing::meaning(&effects).join("; ");
        eras.push((version, effects, meaning));
    }
    if eras.len() < 2 {
        return Vec::new();
    }
    let eras = eras.into_iter().enumerate();
    eras.map(|(at, (since, _, meaning))| Era { since: (at > 0).then_some(since), meaning }).collect()
}
