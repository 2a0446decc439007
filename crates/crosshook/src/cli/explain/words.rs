//! The table's facts as sentences.

use hooks_core::facts::{
    AskRule, Control, EmptyRule, EventFacts, Exit2, FailureRule, FieldKind, OutputField, PlainStdout, Refused, Values,
};
use hooks_core::policy::{InputRule, Lead, MergePolicy, Order, Pick, ResultRule, VerdictRule};
use hooks_core::{Boundary, Channel, End};

/// What exit code 2 means.
pub(crate) fn exit_2(facts: &EventFacts) -> &'static str {
    match facts.exit_2 {
        Exit2::Deny => "exit code 2 denies what is pending",
        Exit2::Halt if begins(facts) => "exit code 2 stops what is about to start",
        Exit2::Halt => "exit code 2 stops what would come next",
        Exit2::Continue => match facts.boundary {
            Some(Boundary::TurnStop) => "exit code 2 makes the turn go on",
            Some(Boundary::SubagentStop) => "exit code 2 makes the subagent go on",
            _ => "exit code 2 makes the agent go on",
        },
        Exit2::Feedback => "exit code 2 gives the model a text beside what happened; it undoes nothing",
        Exit2::Failure => "exit code 2 is a failed run here, as any other code but 0",
        Exit2::ShownToUser => "exit code 2 shows its text to the person and blocks nothing",
        Exit2::Refuse => "exit code 2 refuses it",
        Exit2::Ignored => "exit code 2 means nothing here",
        _ => "exit code 2 has a meaning of its own here",
    }
}

/// What text that is no JSON means.
pub(crate) const fn plain(rule: PlainStdout) -> &'static str {
    match rule {
        PlainStdout::Malformed => "text that is no JSON is an answer that cannot be read",
        PlainStdout::Context => "text that is no JSON goes to the model",
        PlainStdout::Ignored => "text that is no JSON is no answer and goes nowhere",
        PlainStdout::Failure => "text that is no JSON fails the run",
        PlainStdout::Special => "text on standard output is the answer itself, in a form of its own",
        _ => "text that is no JSON has a meaning of its own here",
    }
}

/// What an answer that cannot be read means.
pub(crate) const fn malformed(rule: FailureRule) -> &'static str {
    match rule {
        FailureRule::Block => "an answer that cannot be read blocks, whatever the hook's definition says",
        FailureRule::FollowPolicy => "after an answer that cannot be read the hook's failure policy decides",
        FailureRule::Proceed => "after an answer that cannot be read the agent goes on",
        _ => "an answer that cannot be read has a meaning of its own here",
    }
}

/// What no answer means.
pub(crate) const fn empty(rule: EmptyRule) -> &'static str {
    match rule {
        EmptyRule::NoOpinion => "printing nothing is no opinion",
        EmptyRule::MissingDecision => "printing nothing is a missing decision: the hook's failure policy decides",
        _ => "printing nothing has a meaning of its own here",
    }
}

/// What asking means; `None` where the event has no such answer.
pub(crate) const fn ask(rule: AskRule) -> Option<&'static str> {
    Some(match rule {
        AskRule::Honoured => "`ask` asks a person",
        AskRule::NoOpinionUnlessStrict => "`ask` is not enforced here: no opinion, and an ask for a strict host",
        AskRule::Deny => "`ask` denies: nobody can be asked here",
        AskRule::Malformed => "`ask` cannot be read here",
        AskRule::Failure => "`ask` fails the run, so the agent goes on",
        _ => return None,
    })
}

/// Whether what an event can stop has not begun.
fn begins(facts: &EventFacts) -> bool {
    facts.boundary.is_none_or(|boundary| {
        boundary.is_pending()
            || matches!(
                boundary,
                Boundary::PromptSubmit | Boundary::PromptExpansion | Boundary::SessionStart | Boundary::CompactBefore
            )
    })
}

/// What goes on where a hook that failed holds nothing back.
pub(crate) fn goes_on(facts: &EventFacts) -> &'static str {
    match facts.boundary {
        Some(Boundary::TurnStop) => "the turn ends",
        Some(Boundary::SubagentStop) => "the subagent ends",
        Some(Boundary::TeammateIdle) => "the teammate goes idle",
        Some(Boundary::ToolBefore) => "the call goes on",
        Some(Boundary::SubagentStart) => "the subagent starts",
        Some(Boundary::PromptSubmit | Boundary::PromptExpansion) => "the prompt goes on",
        Some(Boundary::CompactBefore) => "the compaction goes on",
        _ if matches!(facts.control, Control::Permission { .. } | Control::Special) => "what is pending goes on",
        _ => "the agent goes on",
    }
}

/// What an event can control, as the rest of a sentence.
pub(crate) fn control(facts: &EventFacts) -> String {
    match facts.control {
        Control::Permission { .. } => "decides whether what is pending goes on".to_owned(),
        Control::Halt if begins(facts) => "can stop what is about to start".to_owned(),
        Control::Halt => "can stop what would come next; it undoes nothing".to_owned(),
        Control::Continuation => "can make the agent go on".to_owned(),
        Control::Special if facts.channels.contains(Channel::Verdict) => "can refuse what is pending".to_owned(),
        Control::Special => "decides something that only this vendor has".to_owned(),
        _ => {
            let own = |channel: &Channel| *channel != Channel::Special;
            let can: Vec<&str> = facts.channels.iter().filter(own).map(words_for).collect();
            match can.as_slice() {
                [] => "only watches: nothing comes of an answer".to_owned(),
                can => format!("can hold nothing back; it can {}", can.join(", ")),
            }
        }
    }
}

/// What an answer on a channel can do, as an infinitive.
const fn words_for(channel: Channel) -> &'static str {
    match channel {
        Channel::Verdict => "decide",
        Channel::UserNotice => "tell the person something",
        Channel::ModelContext => "tell the model something",
        Channel::ReplacementInput => "replace the input",
        Channel::ReplacementResult => "replace the result that the model sees",
        Channel::SessionEnv => "set variables of the session",
        Channel::Halt => "stop what would come next",
        Channel::Continuation => "make the agent go on",
        Channel::PermissionUpdate => "change permission rules",
        _ => "do what only this vendor has",
    }
}

/// How a run ended that gave no answer, as a sentence.
pub(crate) fn ended(end: &End) -> String {
    match end {
        End::Signalled(signal) => format!("signal {signal} ended the run"),
        End::TimedOut => "the run took too long".to_owned(),
        End::Cancelled => "the host cancelled the run".to_owned(),
        End::FailedToStart(_) => "the hook could not be started".to_owned(),
        End::Tool { .. } => "the tool answered with an error".to_owned(),
        End::NotRun(_) => "the hook was not run".to_owned(),
        _ => "the run ended in a way of its own".to_owned(),
    }
}

/// What a field says, by what it feeds and what its values are.
pub(crate) fn says(field: &OutputField) -> &'static str {
    let words = matches!(field.kind, FieldKind::Word(_) | FieldKind::Bool);
    match (field.channel, field.kind) {
        (Some(Channel::Verdict), FieldKind::String) => "It is the reason that goes with the decision.",
        (Some(Channel::Verdict), FieldKind::Word(_)) => "It is the decision.",
        (Some(Channel::Halt), FieldKind::String) => "It is the reason that goes with the stop.",
        (Some(Channel::Continuation), _) if words => "It makes the agent go on.",
        (Some(Channel::Continuation), _) => "It is the text with which the agent goes on.",
        (Some(Channel::ModelContext), _) if words => "With it the reason goes to the model.",
        (Some(Channel::ReplacementResult), _) if words => "With it the reason takes the place of the result.",
        (Some(channel), _) => channel.about(),
        (None, FieldKind::Object) => "what it holds stands below",
        (None, _) => "it asks for nothing; the rest is read by it",
    }
}

/// The kind of a field's values, with an article.
pub(crate) fn kind(kind: FieldKind) -> String {
    match kind {
        FieldKind::Bool => "true or false".to_owned(),
        FieldKind::String => "a string".to_owned(),
        FieldKind::Word(words) => format!("one of `{}`", words.join("`, `")),
        FieldKind::Object => "an object".to_owned(),
        FieldKind::Array => "an array".to_owned(),
        _ => "any value".to_owned(),
    }
}

/// Which values are refused, and what one costs.
pub(crate) fn refused(refused: Refused) -> String {
    let values = match refused.when {
        Values::False => "`false`".to_owned(),
        Values::True => "`true`".to_owned(),
        Values::Word(word) => format!("`{word}`"),
        Values::But("") => "a text that is not empty".to_owned(),
        Values::But(word) => format!("any value but `{word}`"),
        _ => "any value".to_owned(),
    };
    format!("{values} is not supported on this event and {}", refused.cost.about())
}

const fn order(order: Order) -> &'static str {
    match order {
        Order::Declared => "as declared",
        Order::Finishing => "as they finish",
    }
}

fn lead(lead: Lead) -> String {
    let which = match (lead.pick, lead.by) {
        (Pick::All, by) => return format!("all, {}", order(by)),
        (Pick::First, Order::Declared) => "the first declared",
        (Pick::First, Order::Finishing) => "the first to finish",
        (Pick::Last, Order::Declared) => "the last declared",
        (Pick::Last, Order::Finishing) => "the last to finish",
    };
    which.to_owned()
}

/// How a vendor folds several hooks: what is folded, and how.
pub(crate) fn merge(policy: &MergePolicy, strict: bool) -> Vec<(&'static str, String)> {
    let verdict = match policy.verdict {
        VerdictRule::FirstAnswer if strict => "the strongest counts (a strict host), not the first to answer",
        VerdictRule::FirstAnswer => "the first hook to finish that answers counts, with all that it asks for",
        _ => "the strongest counts: deny, then defer, ask, allow",
    };
    let input = match policy.input {
        InputRule::LastFinished => "the last to finish wins whole",
        InputRule::LastDeclared => "the last declared wins whole",
        InputRule::LastAnswer => "the last to finish wins whole, unless an allow finished after it",
    };
    let result = match policy.result {
        ResultRule::LastFinished => "the last to finish wins whole",
        ResultRule::LastDeclared => "the last declared wins whole",
        ResultRule::Join(_) => "all texts are joined, as declared",
    };
    vec![
        ("verdict", verdict.to_owned()),
        ("deny", format!("whose reason leads: {}", lead(policy.leads.deny))),
        ("ask", format!("whose reason leads: {}", lead(policy.leads.ask))),
        ("halt", format!("whose reason leads: {}", lead(policy.leads.halt))),
        ("context", order(policy.context).to_owned()),
        ("notices", order(policy.notices).to_owned()),
        ("input", input.to_owned()),
        ("result", result.to_owned()),
        ("variables", format!("the later wins, {}", order(policy.env))),
    ]
}
