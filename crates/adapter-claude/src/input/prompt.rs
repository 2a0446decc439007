//! Events about prompts, answers and the end of a turn.

use hooks_core::envelope::{Display, Prompt, PromptExpansion, TurnFailure, TurnStop};
use hooks_core::json::RawJson;
use serde::Serialize;

use super::{Writer, Written};

pub(super) fn submit(writer: Writer<'_>, prompt: &Prompt) -> Written {
    #[derive(Serialize)]
    struct Submit<'a> {
        prompt: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        source: Option<&'a RawJson>,
        #[serde(skip_serializing_if = "Option::is_none")]
        session_title: Option<&'a str>,
    }
    // In the SDK's types, and in no recorded payload: a host that means to say it puts it there.
    let source = writer.common.extra.get("source");
    writer.write(Submit { prompt: &prompt.text, source, session_title: prompt.session_title.as_deref() })
}

pub(super) fn expansion(writer: Writer<'_>, expansion: &PromptExpansion) -> Written {
    #[derive(Serialize)]
    struct Expansion<'a> {
        expansion_type: &'a str,
        command_name: &'a str,
        command_args: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        command_source: Option<&'a str>,
        prompt: &'a str,
    }
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
    #[derive(Serialize)]
    struct Stop<'a> {
        stop_hook_active: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        last_assistant_message: Option<&'a str>,
        background_tasks: List<'a>,
        session_crons: List<'a>,
    }
    writer.write(Stop {
        stop_hook_active: stop.loop_count > 0,
        last_assistant_message: stop.last_message.as_deref(),
        background_tasks: stop.background_tasks.as_ref().into(),
        session_crons: stop.session_crons.as_ref().into(),
    })
}

pub(super) fn failure(writer: Writer<'_>, failure: &TurnFailure) -> Written {
    #[derive(Serialize)]
    struct Failure<'a> {
        error: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        error_details: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        last_assistant_message: Option<&'a str>,
    }
    writer.write(Failure {
        error: &failure.error,
        error_details: failure.details.as_deref(),
        last_assistant_message: failure.last_message.as_deref(),
    })
}

pub(super) fn display(writer: Writer<'_>, display: &Display) -> Written {
    #[derive(Serialize)]
    struct Shown<'a> {
        turn_id: &'a str,
        message_id: &'a str,
        index: u64,
        #[serde(rename = "final")]
        last: bool,
        delta: &'a str,
    }
    let turn_id = writer.common.turn_id.as_deref().unwrap_or_default();
    writer.write(Shown {
        turn_id,
        message_id: &display.message_id,
        index: display.index,
        last: display.last,
        delta: &display.text,
    })
}
