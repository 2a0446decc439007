//! Answers of the three events around a tool call. Each has its own rules (section 11.3).

use hooks_core::effects::{Note, ResultReplacement, Rewrite, RunStatus};
use hooks_core::facts::OutputField;
use hooks_core::text::strip_unsafe;
use hooks_core::tool::InputRefused;
use hooks_core::{Effect, RawJson, Verdict};

use super::Run;
use super::read::{Answer, spoken};
use crate::events::field::{
    ANSWER, ANSWER_INPUT, ANSWER_PERMISSIONS, BEHAVIOR, CONTINUE, DECISION, INTERRUPT, MESSAGE, PERMISSION,
    PERMISSION_REASON, REASON, STOP_REASON, SUPPRESS_OUTPUT, UPDATED_INPUT, UPDATED_OUTPUT,
};
use crate::tools;

/// What the vendor's client shows is its own text; this one stands in its place.
const DENIED: &str = "a hook denied the permission without giving a reason";
/// The same for a result that a hook stopped.
pub(crate) const STOPPED: &str = "a hook stopped this result without giving a reason";

/// `PreToolUse`: deny, rewrite, context.
pub(super) fn pre_tool_use(run: &mut Run<'_>, answer: &Answer<'_>) {
    let refused = among(answer, &[CONTINUE, STOP_REASON, SUPPRESS_OUTPUT]);
    if !refused.is_empty() {
        return run.unsupported(&refused);
    }
    let mut deny = None;
    let mut rewrite = None;
    let own = [PERMISSION, PERMISSION_REASON, UPDATED_INPUT].into_iter().any(|path| answer.has(path));
    if own {
        for path in [DECISION, REASON].into_iter().filter(|path| answer.has(path)) {
            run.effects.note(Note::field(path, "not looked at beside the fields of hookSpecificOutput"));
        }
        match (answer.text(PERMISSION), answer.raw(UPDATED_INPUT)) {
            (Some("allow"), Some(raw)) => rewrite = Some(RawJson::from_raw(raw)),
            (_, Some(_)) => return run.misfit("`updatedInput` needs `permissionDecision` `allow`"),
            // Without a rewrite an allow is nothing this event could do; asking never is.
            (Some(word @ ("allow" | "ask")), None) => {
                let why = match word {
                    "allow" => "`allow` is supported beside `updatedInput` only; to let the call go on, print nothing",
                    _ => "`ask` is not supported on this event",
                };
                run.effects.note(Note::field(PERMISSION, why));
                return run.unsupported_value(PERMISSION);
            }
            (Some(_), None) => match spoken(answer.text(PERMISSION_REASON)) {
                Some(reason) => deny = Some(reason),
                None => return run.misfit("a deny needs `permissionDecisionReason`"),
            },
            (None, None) => return run.misfit("`permissionDecisionReason` needs `permissionDecision`"),
        }
    } else {
        if answer.refused().any(|field| field.path == DECISION) {
            return run.unsupported_value(DECISION);
        }
        match (answer.text(DECISION), answer.text(REASON)) {
            (Some(_), reason) => match spoken(reason) {
                Some(reason) => deny = Some(reason),
                None => return run.misfit("a block needs `reason`"),
            },
            (None, Some(_)) => return run.misfit("`reason` needs `decision`"),
            (None, None) => {}
        }
    }
    run.context(answer);
    if let Some(reason) = deny {
        run.deny(reason.trim());
    } else if let Some(raw) = rewrite {
        rewrite_input(run, raw);
    }
}

/// The rewritten input as far as the tool takes it: what has no effect is left out and noted.
fn rewrite_input(run: &mut Run<'_>, raw: RawJson) {
    let call = match run.envelope.payload.tool_use() {
        Some(tool) => tools::project(&tool.call, &raw),
        None => Err(InputRefused { reason: "there is no tool call to rewrite".to_owned() }),
    };
    let mut taken = raw;
    if let Ok(projected) = &call {
        for key in &projected.ignored {
            run.effects.note(Note::field(format!("updatedInput.{key}"), "has no effect on this tool"));
        }
        if let Some(raw) = &projected.call.raw {
            taken = raw.clone();
        }
    }
    run.effects.push(Effect::ReplaceInput(Rewrite { raw: taken, call }));
}

/// `PermissionRequest`: allow or deny. Anything reserved makes the hook have no say, and the usual flow asks.
pub(super) fn permission_request(run: &mut Run<'_>, answer: &Answer<'_>) {
    let refused = among(answer, &[CONTINUE, STOP_REASON, SUPPRESS_OUTPUT]);
    if !refused.is_empty() {
        return run.unsupported(&refused);
    }
    let refused = among(answer, &[ANSWER_INPUT, ANSWER_PERMISSIONS, INTERRUPT]);
    if !refused.is_empty() {
        return run.unsupported(&refused);
    }
    if !answer.has(ANSWER) {
        return;
    }
    match answer.text(BEHAVIOR) {
        Some("deny") => run.deny(spoken(answer.text(MESSAGE)).map_or(DENIED, str::trim)),
        Some(_) => {
            if answer.has(MESSAGE) {
                run.effects.note(Note::field(MESSAGE, "has no effect beside an allow"));
            }
            run.effects.verdict(Verdict::Allow, Vec::new());
        }
        None => {}
    }
}

/// `PostToolUse`: feedback in place of the result, context. A stop replaces the result too, and the turn goes on.
pub(super) fn post_tool_use(run: &mut Run<'_>, answer: &Answer<'_>) {
    let refused = among(answer, &[SUPPRESS_OUTPUT, UPDATED_OUTPUT]);
    let blocks = answer.has(DECISION);
    let reason = answer.text(REASON);
    let misfit = match (blocks, reason) {
        (true, reason) if spoken(reason).is_none() => Some("a block needs `reason`"),
        (false, Some(_)) => Some("`reason` needs `decision`"),
        _ => None,
    };
    let stops = answer.stops();
    let context_kept = refused.is_empty() && (misfit.is_none() || stops);
    if context_kept {
        run.context(answer);
    }
    if stops {
        let stop = answer.text(STOP_REASON).unwrap_or(STOPPED);
        run.effects.status = RunStatus::Stopped;
        return replace(run, spoken(reason).map_or(stop, str::trim));
    }
    if !refused.is_empty() {
        return run.unsupported(&refused);
    }
    if let Some(why) = misfit {
        return run.misfit(why);
    }
    match reason {
        Some(reason) => feedback(run, reason),
        None if answer.has(STOP_REASON) => {
            run.effects.note(Note::field(STOP_REASON, "has no effect without `continue` `false`"));
        }
        None => {}
    }
}

/// Gives the model a text in place of the result, as a block does.
pub(super) fn feedback(run: &mut Run<'_>, text: &str) {
    run.effects.status = RunStatus::Blocked;
    replace(run, text);
}

fn replace(run: &mut Run<'_>, text: &str) {
    let text = strip_unsafe(text).into_owned();
    run.effects.push(Effect::ReplaceResult(ResultReplacement::Text(text)));
}

fn among(answer: &Answer<'_>, paths: &[&str]) -> Vec<&'static OutputField> {
    answer.refused().filter(|field| paths.contains(&field.path)).collect()
}
