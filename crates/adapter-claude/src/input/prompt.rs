//! Events about prompts, answers and the end of a turn.

use hooks_core::envelope::{Display, Prompt, PromptExpansion, TurnFailure, TurnStop};
use hooks_core::json::RawJson;
use serde::Serialize;

use super::{Writer, Written};

/// What `UserPromptSubmit` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Submit<'a> {
    /// The prompt; for the report of a background agent, the notification's text.
    prompt: &'a str,
    /// Where the prompt comes from. In the types of the vendor's SDK, and in no recorded payload.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a RawJson>,
    /// The session's title. Absent where nobody gave it one.
    #[serde(skip_serializing_if = "Option::is_none")]
    session_title: Option<&'a str>,
}

/// What `UserPromptExpansion` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Expansion<'a> {
    /// What kind of command was typed.
    expansion_type: &'a str,
    /// The command's name, without the slash.
    command_name: &'a str,
    /// What was typed after the name.
    command_args: &'a str,
    /// Where the command comes from, such as `projectSettings` or `plugin`. Absent where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    command_source: Option<&'a str>,
    /// The line as it was typed.
    prompt: &'a str,
}

/// What `Stop` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Stop<'a> {
    /// Whether a hook already made this turn go on: a hook that always does so never lets it end.
    stop_hook_active: bool,
    /// The model's last message. Absent where there is none. Since client 2.1.47.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_assistant_message: Option<&'a str>,
    /// Tasks that run in the background, each with `id`, `type`, `status` and `description`. Since client 2.1.145.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<serde_json::Value>"))]
    background_tasks: List<'a>,
    /// Scheduled prompts, each with `id`, `schedule`, `recurring` and `prompt`. Since client 2.1.145.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<serde_json::Value>"))]
    session_crons: List<'a>,
}

/// What `StopFailure` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Failure<'a> {
    /// What kind of error it was.
    error: &'a str,
    /// More about the error. Absent where there is no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_details: Option<&'a str>,
    /// The text of the error that the user sees. Absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_assistant_message: Option<&'a str>,
}

/// What `MessageDisplay` adds to the common keys.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Shown<'a> {
    /// The id of the turn.
    turn_id: &'a str,
    /// The id of the message.
    message_id: &'a str,
    /// The number of this part of the message, from 0.
    index: u64,
    /// Whether it is the message's last part.
    #[serde(rename = "final")]
    last: bool,
    /// The text of this part.
    delta: &'a str,
}

pub(super) fn submit(writer: Writer<'_>, prompt: &Prompt) -> Written {
    // In the SDK's types, and in no recorded payload: a host that means to say it puts it there.
    let source = writer.common.extra.get("source");
    writer.write(Submit { prompt: &prompt.text, source, session_title: prompt.session_title.as_deref() })
}

pub(super) fn expansion(writer: Writer<'_>, expansion: &PromptExpansion) -> Written {
    writer.write(Expansion {
        expansion_type: &expansion.kind,
        command_name: &expansion.command,
        command_args: &expansion.arguments,
        command_source: expansion.source.as_deref(),
        prompt: &expansion.prompt,
    })
}

/// An array in the vendor's form; the client always writes one.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum List<'a> {
    Given(&'a RawJson),
    Empty([(); 0]),
}

impl<'a> From<Option<&'a RawJson>> for List<'a> {
    fn from(given: Option<&'a RawJson>) -> Self {
        given.map_or(Self::Empty([]), Self::Given)
    }
}

pub(super) fn stop(writer: Writer<'_>, stop: &TurnStop) -> Written {
    writer.write(Stop {
        stop_hook_active: stop.loop_count > 0,
        last_assistant_message: stop.last_message.as_deref(),
        background_tasks: stop.background_tasks.as_ref().into(),
        session_crons: stop.session_crons.as_ref().into(),
    })
}

pub(super) fn failure(writer: Writer<'_>, failure: &TurnFailure) -> Written {
    writer.write(Failure {
        error: &failure.error,
        error_details: failure.details.as_deref(),
        last_assistant_message: failure.last_message.as_deref(),
    })
}

pub(super) fn display(writer: Writer<'_>, display: &Display) -> Written {
    let turn_id = writer.common.turn_id.as_deref().unwrap_or_default();
    writer.write(Shown {
        turn_id,
        message_id: &display.message_id,
        index: display.index,
        last: display.last,
        delta: &display.text,
    })
}
