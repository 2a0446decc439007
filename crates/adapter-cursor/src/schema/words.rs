//! What schemas say about events, read off their rows.

use hooks_core::facts::{AskRule, Control, EmptyRule, Exit2, FailureRule, PlainStdout, SubjectFact};

use crate::events::{Category, Event};
use crate::options::Options;

/// What a hook of an event can do about it.
pub(super) fn control(event: &Event) -> String {
    match event.facts.control {
        Control::Permission { noun } => format!("A hook can keep the {noun} from going on."),
        Control::Halt => "A hook can keep the prompt from being sent.".to_owned(),
        Control::Continuation => "A hook can make the agent go on.".to_owned(),
        _ => "A hook cannot hold anything up here.".to_owned(),
    }
}

/// What an event's matcher is tested against.
pub(super) fn subject(event: &Event, options: &Options) -> String {
    match event.facts.subject {
        SubjectFact::Ignored => "No effect on this event, whose hooks run every time.".to_owned(),
        SubjectFact::ToolName => {
            "Tested against the tool's name; that of a tool of an MCP server is `MCP:<tool>`.".to_owned()
        }
        SubjectFact::Command => "Tested against the whole command.".to_owned(),
        SubjectFact::Word(word) => format!("Always tested against `{word}`, so that it can be left out."),
        SubjectFact::Field { key, values } => {
            let known = values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
            let known = if known.is_empty() { known } else { format!(", such as {known}") };
            let prefix = if event.facts.facet == hooks_core::Facet::Mcp && options.mcp_prefix_matches {
                ", and against `MCP:<tool>`: Cursor's page names no matcher for this event"
            } else {
                ""
            };
            format!("Tested against `{key}`{known}{prefix}.")
        }
    }
}

/// Where an event takes place, and since when.
pub(super) fn place(event: &Event) -> String {
    let cloud = if event.cloud { "Cloud agents have it too." } else { "Cloud agents do not have it." };
    let outside = match (event.facts.boundary, event.category) {
        (None, Category::Tab) => " Only Cursor's own editor has inline completion, so that no other host fires it.",
        (None, _) => " Only Cursor's own application has it, so that no other host fires it.",
        (Some(_), _) if !event.fires_in_phase1 => " A `phase1` host never fires it.",
        _ => "",
    };
    format!("Since Cursor {}. {cloud}{outside}", event.facts.since)
}

/// What a run without a readable answer means: its exit code, text that is no JSON, and no text.
pub(super) fn without_answer(event: &Event) -> String {
    let facts = &event.facts;
    let codes = match facts.exit_2 {
        Exit2::Deny => {
            "Exit code 2 blocks, as `permission` with `deny` does; another code is a failure, which blocks where the hook \
             has `failClosed`."
        }
        Exit2::Halt => {
            "Exit code 2 keeps the prompt from being sent, as `continue` with `false` does; another code is a failure, \
             which blocks where the hook has `failClosed`."
        }
        _ => "Every other code is a failure, and nothing comes of it.",
    };
    let unreadable = match (facts.plain_stdout, facts.malformed) {
        (PlainStdout::Malformed, FailureRule::Block) => "blocks, whatever `failClosed` says",
        (PlainStdout::Malformed, _) if event.can_block() => {
            "is a failure, which blocks where the hook has `failClosed`"
        }
        _ => "is a failure, and nothing comes of it",
    };
    let empty = match facts.empty {
        EmptyRule::MissingDecision => "leaves the decision out, which blocks where the hook has `failClosed`",
        _ => "is the usual answer",
    };
    format!(
        "The answer is read at exit code 0. {codes} Text that is no JSON object of this shape {unreadable}. Printing \
         nothing {empty}."
    )
}

/// What a decision's word means on an event.
pub(super) fn decision(event: &Event, word: &str) -> &'static str {
    match word {
        "allow" => "It goes on, as far as this hook is concerned.",
        "deny" => "It does not go on.",
        "ask" => ask(event).unwrap_or_default(),
        _ => "",
    }
}

/// What the word `ask` means on an event; `None` where there is nothing to say.
pub(super) fn ask(event: &Event) -> Option<&'static str> {
    match event.facts.ask {
        AskRule::Honoured => Some("`ask` asks the person."),
        AskRule::NoOpinionUnlessStrict => {
            Some("`ask` is accepted and not enforced: the client decides as if the hook had said nothing.")
        }
        AskRule::Deny => Some("`ask` is accepted and denies, since nobody can be asked."),
        AskRule::Malformed => Some("`ask` is no answer here, and blocks like every other word."),
        _ => None,
    }
}
