//! Another input for a tool call, as the client takes it.

use hooks_core::adapter::Loss;
use hooks_core::channel::Channel;
use hooks_core::effects::Rewrite;
use hooks_core::json::JsonKind;
use hooks_core::tool::Shell;
use hooks_core::{Envelope, RawJson, ToolAction, ToolCall};

use crate::tools;

/// The other input as this vendor's tool takes it. Of the two forms at hand, the hook's own and the one made from the
/// call, the first counts that comes to the same call here.
pub(super) fn codex_input(rewrite: &Rewrite, envelope: &Envelope, losses: &mut Vec<Loss>) -> Result<RawJson, String> {
    let original = &envelope.payload.tool_use().ok_or("there is no tool call")?.call;
    let wanted = &rewrite.call.as_ref().map_err(|refused| refused.reason.clone())?.call;
    let typed = tools::input(&ToolCall::new(wanted.action.clone())).to_raw();
    let mut why = "the tool would not take it as it is meant".to_owned();
    for input in [rewrite.raw.clone(), typed] {
        if input.kind() == JsonKind::Null {
            // The client takes it for none, and an allow by itself for a failed run.
            why = "Codex takes `null` for no other input".to_owned();
            continue;
        }
        match tools::project(original, &input) {
            Err(refused) => why = refused.reason,
            Ok(projected) => match difference(original, wanted, &projected.call) {
                Difference::None => return Ok(input),
                Difference::Harmless(keys) => {
                    losses.push(Loss::new(Channel::ReplacementInput, format!("{keys} of the other input"), None));
                    return Ok(input);
                }
                Difference::Real(keys) => why = format!("Codex cannot change {keys}"),
            },
        }
    }
    Err(why)
}

enum Difference {
    None,
    /// Words about the call.
    Harmless(String),
    /// What the call does.
    Real(String),
}

/// How the call that the client would make differs from the one that is wanted.
fn difference(original: &ToolCall, wanted: &ToolCall, made: &ToolCall) -> Difference {
    if wanted.action == made.action {
        return Difference::None;
    }
    let (ToolAction::Shell(was), ToolAction::Shell(wanted), ToolAction::Shell(made)) =
        (&original.action, &wanted.action, &made.action)
    else {
        return Difference::Real("this tool's call like that".to_owned());
    };
    if wanted.command != made.command {
        return Difference::Real("the command like that".to_owned());
    }
    let real = changed(&[
        ("the directory", given(wanted.cwd.as_ref(), was.cwd.as_ref())),
        ("whether it runs in the background", given(wanted.background, was.background)),
        ("whether it runs in a sandbox", given(wanted.sandbox, was.sandbox)),
    ]);
    if !real.is_empty() {
        return Difference::Real(real);
    }
    let Shell { timeout_ms, wait_until_completion, uses_pager, .. } = wanted;
    let harmless = changed(&[
        ("the time limit", given(*timeout_ms, was.timeout_ms)),
        ("the waiting", given(*wait_until_completion, was.wait_until_completion)),
        ("the pager", given(*uses_pager, was.uses_pager)),
    ]);
    Difference::Harmless(if harmless.is_empty() { "the description".to_owned() } else { harmless })
}

/// Whether something is asked for that was not so before.
fn given<T: PartialEq>(wanted: Option<T>, was: Option<T>) -> bool {
    wanted.is_some() && wanted != was
}

fn changed(parts: &[(&str, bool)]) -> String {
    parts.iter().filter(|(_, changed)| *changed).map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}
