//! Sentences about events and about the fields of answers, for the descriptions of several documents.

use hooks_core::Version;
use hooks_core::boundary::{Boundary, Stop};
use hooks_core::facts::{AskRule, Exit2, FailureRule, PlainStdout};

use crate::events::{Block, Event, OnFailure, StopRule};

/// When the client fires an event, and since when it does.
pub(super) fn event(event: &Event) -> String {
    match event.facts.since {
        Version::FIRST => event.fires.to_owned(),
        since => format!("{} Since client {since}.", event.fires),
    }
}

/// What an event is to somebody who binds a hook to it, as paragraphs of Markdown.
pub(super) fn binding(event: &Event) -> String {
    let types: Vec<_> = event.handlers.iter().map(|kind| format!("`{}`", kind.as_str())).collect();
    let guard = if event.guard { " A faulty entry here drops the whole document, with all that it sets." } else { "" };
    let about = self::event(event);
    format!("{about}\n\nIt runs handlers of type {}.{guard}\n\n{}", types.join(", "), outcomes(event))
}

/// What exit codes and plain text mean on an event.
pub(super) fn outcomes(event: &Event) -> String {
    if event.facts.malformed == FailureRule::Block {
        return by_exit_code(event).to_owned();
    }
    let exit_2 = match event.facts.exit_2 {
        Exit2::Deny => "denies the call, with standard error as the reason",
        Exit2::Halt => "stops it, with standard error as the reason",
        Exit2::Continue => "makes the agent go on, with standard error as the text",
        Exit2::Feedback => "gives standard error to the model beside what happened",
        Exit2::Refuse => "refuses it, with standard error as the reason",
        Exit2::ShownToUser => "shows standard error to the user, and nothing else happens",
        _ => "means nothing here",
    };
    let plain = match event.facts.plain_stdout {
        PlainStdout::Context => "Plain text at exit code 0 is context for the model.",
        _ => "Plain text has no effect.",
    };
    let blocks = match event.on_failure {
        OnFailure::AsExit2 | OnFailure::Denies => "only where the handler says `onFailure: \"block\"`",
        OnFailure::Ignored | OnFailure::NoEffect => "nothing",
    };
    let unreadable = match event.facts.exit_2 {
        Exit2::Ignored | Exit2::ShownToUser => "an object that cannot be read",
        _ => "an object that cannot be read (except beside exit code 2, which counts all the same)",
    };
    let late = if event.timeout_blocks { " Running out of time blocks." } else { "" };
    format!(
        "Exit code 2 {exit_2}. A JSON object is read at every exit code. {plain} Another exit code without JSON is a failed \
         run, and so is {unreadable}. A failed run blocks {blocks}.{late}"
    )
}

/// Events on which a command's standard output is no JSON.
const fn by_exit_code(event: &Event) -> &'static str {
    match event.facts.plain_stdout {
        PlainStdout::Special => {
            "A command prints the path as its last line, and no JSON; any exit code but 0, and nothing printed, is a \
             failure, which blocks. Handlers of other types answer with JSON."
        }
        _ => {
            "Of a command only the exit code counts: 0 means done, any other a failure, which blocks. Handlers of other \
             types answer with JSON."
        }
    }
}

/// What a field of an answer is on an event, where it has an effect there; by its whole path where it means another thing
/// at the top, else by its path below the part that events nest their fields in.
pub(super) fn field(event: &Event, path: &str) -> Option<&'static str> {
    Some(match path {
        "continue" => stops(event)?,
        "stopReason" => "The text for the user beside `continue: false`.",
        "suppressOutput" => "Accepted, without effect on any event.",
        "systemMessage" => "A text for the user.",
        "terminalSequence" => {
            "What is passed to the terminal of an interactive session: a title or a notification (operating-system commands \
             0, 1, 2, 9, 99 and 777), or a bell. Any other sequence voids the field."
        }
        "decision" if event.approves => "The older form of `permissionDecision`. Both count: a denial outranks.",
        "decision" => "Whether the hook blocks.",
        "reason" => match event.block {
            Block::Continue => "What the agent goes on with, beside `decision: \"block\"`.",
            Block::Feedback => "What the model gets, beside `decision: \"block\"`.",
            _ => "Why, beside `decision`.",
        },
        "hookSpecificOutput" => "The fields that only this event has.",
        "hookSpecificOutput.decision" => "The answer to the request.",
        "hookEventName" => "The event's own name. Another one voids the answer.",
        "permissionDecision" => match event.facts.ask {
            AskRule::Deny => "Whether it goes on. All but `allow` deny here.",
            _ if event.approves => "Whether it goes on. `deny` outranks `defer`, that `ask`, that `allow`.",
            _ => "Whether it goes on. `deny` outranks `ask`, that `allow`.",
        },
        "permissionDecisionReason" => "Why. A denial's reason goes to the model, a question's to the user.",
        "updatedInput" => "The tool's whole input in place of the model's; nothing of the old one is kept.",
        "additionalContext" => "A text for the model, of up to 10,000 characters.",
        "classifierContext" => {
            "A text for the check that auto mode makes, of up to 2,000 characters for all hooks together."
        }
        "updatedToolOutput" => {
            "What the model sees in place of the tool's result. It must have the form of a built-in tool's own result."
        }
        "updatedMCPToolOutput" => "The older form of `updatedToolOutput`, for tools of tool servers.",
        "sessionTitle" => "The session's title.",
        "suppressOriginalPrompt" => "With `true` the refused prompt is not repeated to the user.",
        "initialUserMessage" => "The first prompt of a session without a terminal.",
        "watchPaths" => "Files to watch, as absolute paths; they replace those that were said before.",
        "reloadSkills" => "With `true` the skills are read anew.",
        "decision.behavior" => "The answer in the user's place.",
        "decision.message" => "Beside `deny`: why.",
        "decision.interrupt" => "Beside `deny`: with `true` the run ends.",
        "decision.updatedInput" => "Beside `allow`: the tool's whole input in place of the model's.",
        "decision.updatedPermissions" => "Beside `allow`: changes of the permission rules.",
        "retry" => "With `true` the model is told that it may try again.",
        "action" => "The answer to the tool server.",
        "content" => "Beside `accept`: the values of the form.",
        "worktreePath" => "The worktree's path.",
        "displayContent" => "The text that is shown in place of the model's; the model's own stays as it is.",
        _ => return None,
    })
}

/// What a word of a field means on an event, by the field's path below the part that events nest their fields in.
pub(super) fn word(event: &Event, path: &str, word: &str) -> &'static str {
    match (path, word) {
        ("decision", "block") => blocks(event),
        ("decision", _) if event.approves => "The call goes on without a question; rules that deny or ask still count.",
        ("decision", _) => "No effect on this event.",
        ("permissionDecision", "allow") if event.facts.ask == AskRule::Deny => "It goes on.",
        ("permissionDecision", "allow") => "It goes on without a question; rules that deny or ask still count.",
        ("permissionDecision", "ask" | "defer") if event.facts.ask == AskRule::Deny => "It does not go on.",
        ("permissionDecision", "ask") => "A person is asked; where nobody can be, it is denied.",
        ("permissionDecision", "defer") => "A run without a terminal ends here; resumed, it asks the hooks again.",
        ("permissionDecision", _) => "It does not go on.",
        ("decision.behavior", "allow") => "The permission is given; rules that deny or ask still count.",
        ("decision.behavior", _) => "The permission is refused.",
        ("action", "accept") => "The values in content are the answer.",
        ("action", "decline") => "The question is refused.",
        ("action", _) => "The question is left without an answer.",
        _ => "",
    }
}

/// What `decision: "block"` does on an event.
fn blocks(event: &Event) -> &'static str {
    match (event.block, event.facts.boundary) {
        (Block::Deny, Some(Boundary::ToolBefore)) => "The call does not run.",
        (Block::Deny, Some(Boundary::TaskCreated)) => "The task is deleted.",
        (Block::Deny, Some(Boundary::TaskCompleted)) => "The task stays open.",
        (Block::Deny, _) => "It is refused.",
        (Block::Halt(_, Some(_)), _) => "The prompt is not processed.",
        (Block::Halt(stops, None), _) if stops.contains(&Stop::Compaction) => "There is no compaction.",
        (Block::Halt(..), _) => "The turn ends before the next request to the model.",
        (Block::Continue, _) => "The agent does not stop: it goes on with `reason`.",
        (Block::Feedback, _) => "The model gets `reason` beside what happened.",
        (Block::Nothing, _) => "No effect on this event.",
    }
}

/// What `continue: false` ends on an event.
fn stops(event: &Event) -> Option<&'static str> {
    if event.stop == StopRule::NoEffect {
        return None;
    }
    Some(match event.facts.boundary {
        Some(Boundary::ToolBefore) => {
            "`false` ends the turn once all hooks have run. The call still runs before that, unless it is denied."
        }
        Some(Boundary::SkillShellCommand) => "`false` ends the whole skill or command that the text is of.",
        Some(Boundary::PromptSubmit | Boundary::PromptExpansion) => "`false` keeps the prompt from being processed.",
        Some(Boundary::TurnStop) => "`false` lets the turn end, although hooks block.",
        Some(Boundary::SubagentStop) => "`false` lets the subagent end, although hooks block.",
        _ if event.block == Block::Continue => "`false` lets the teammate stop, although hooks block.",
        _ => "`false` ends the turn before the next request to the model.",
    })
}

/// What is known of `continue: false` where it ends something in occurrences that no payload tells from the others (hooks
/// page, TaskCompleted; without effect where a tool call fired it, observed on 2.1.332).
pub(super) fn stop_in_doubt(event: &Event) -> Option<&'static str> {
    (event.facts.boundary == Some(Boundary::TaskCompleted)).then_some(
        "`continue: false` ends a teammate whose own end completed the task, and has no effect where anything else did. No \
         payload says which it was, so that Crosshook takes it to have none, and reports it.",
    )
}

/// What a kind of change of the permission rules does, by the word in `type`.
pub(super) fn change(word: &str) -> &'static str {
    match word {
        "addRules" => "Adds `rules` to a list.",
        "replaceRules" => "Puts `rules` in place of a list.",
        "removeRules" => "Takes `rules` out of a list.",
        "setMode" => "Sets the permission mode.",
        "addDirectories" => "Adds directories that tools may work in.",
        "removeDirectories" => "Takes such directories away.",
        _ => "",
    }
}

/// The settings that a change of the permission rules is written to, by the word in `destination`.
pub(super) fn destination(word: &str) -> &'static str {
    match word {
        "session" => "This session only.",
        "localSettings" => "The project's settings of this user alone.",
        "projectSettings" => "The project's settings that all share.",
        "userSettings" => "The user's settings.",
        "cliArg" => "As if said on the command line.",
        _ => "",
    }
}

/// What calls that fit a rule get, by the list that the rule stands in.
pub(super) fn behavior(word: &str) -> &'static str {
    match word {
        "allow" => "They run without a question.",
        "deny" => "They do not run.",
        "ask" => "A person is asked about them.",
        _ => "",
    }
}
