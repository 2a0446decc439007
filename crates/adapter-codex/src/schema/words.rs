//! Sentences about events, for the descriptions of several documents.

use hooks_core::Version;
use hooks_core::facts::{Exit2, PlainStdout};

use crate::events::{Event, Kind, Reads, TimeLimits};

/// What an event is and what its hooks can do, as paragraphs of Markdown.
pub(super) fn event(event: &Event) -> String {
    let about = event.facts.boundary.map_or("", |boundary| boundary.info().about);
    let mut said = vec![about.to_owned(), format!("A hook can {}.", can(event.kind))];
    if !event.documented {
        said.push("The vendor does not document this event.".to_owned());
    }
    if event.facts.since > Version::FIRST {
        said.push(format!("Since client {}.", event.facts.since));
    }
    format!("{}\n\n{}", said.join(" "), outcomes(event))
}

/// What a hook of an event can do (vendor page, section 2).
const fn can(kind: Kind) -> &'static str {
    match kind {
        Kind::PreModelRequest | Kind::PostModelRequest | Kind::SessionEnd => "only watch",
        Kind::PreToolUse => "deny the call, give it another input, and add context for the model",
        Kind::PermissionRequest => "allow or deny in the user's place",
        Kind::PostToolUse => "replace the result by feedback, and add context for the model",
        Kind::PreCompact => "stop the turn before the compaction",
        Kind::PostCompact => "stop the turn after the compaction",
        Kind::SessionStart => "stop the turn, and add context for the model",
        Kind::UserPromptSubmit => "refuse the prompt, and add context for the model",
        Kind::SubagentStart => "add context for the subagent",
        Kind::SubagentStop => "make the subagent go on, or stop it",
        Kind::Stop => "make the turn go on, or end it",
        Kind::Interrupt => "show a message",
    }
}

/// What exit codes and plain text mean on an event.
pub(super) fn outcomes(event: &Event) -> String {
    let exit_2 = match event.facts.exit_2 {
        Exit2::Deny => "Exit code 2 denies, with standard error as the reason",
        Exit2::Feedback => "Exit code 2 replaces the result by standard error",
        Exit2::Halt => "Exit code 2 refuses the prompt, with standard error as the reason",
        Exit2::Continue => "Exit code 2 makes it go on, with standard error as the text",
        _ => "Exit code 2 is a failed run like any other code but 0",
    };
    let blank = match event.facts.exit_2 {
        Exit2::Failure => "",
        _ => "; without standard error, and at any other code but 0, the run fails",
    };
    let stdout = match (event.reads, event.facts.plain_stdout) {
        (Reads::Nothing, _) => "Standard output is not read.",
        (Reads::StderrForTheReport, _) => {
            "Standard output is not read; standard error of a completed run stands in its report."
        }
        (Reads::Stdout, PlainStdout::Context) => {
            "Standard output is read on exit code 0: plain text is context for the model."
        }
        (Reads::Stdout, PlainStdout::Ignored) => "Standard output is read on exit code 0: plain text has no effect.",
        (Reads::Stdout, _) => "Standard output is read on exit code 0: plain text fails the run.",
    };
    format!("{exit_2}{blank}. {stdout} A failed run blocks nothing.")
}

/// What a time limit comes to on an event.
pub(super) fn limits(limits: TimeLimits) -> String {
    let TimeLimits { default_s, min_s, max_s } = limits;
    let most = max_s.map(|max| format!(", a larger one than {max} becomes {max}")).unwrap_or_default();
    format!("Unless written it is {default_s} s; a smaller one than {min_s} becomes {min_s}{most}.")
}
