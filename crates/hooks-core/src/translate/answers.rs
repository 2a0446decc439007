//! What an answer can do on the source's event and cannot on the target's.

use super::codes::{self, Finding, LossCode};
use crate::boundary::{Boundary, Timing};
use crate::channel::Channel;
use crate::facts::{AskRule, Control, EventFacts};

/// One channel that the target's event may lack, with what that comes to.
struct Row {
    channel: Channel,
    code: &'static LossCode,
    reason: &'static str,
    /// Whether a guard loses something.
    guards: bool,
}

/// Channels whose lack comes to the same wherever it is.
const LACKING: &[Row] = &[
    Row {
        channel: Channel::Continuation,
        code: &codes::CONTINUATION_LOST,
        reason: "the event cannot make the turn go on",
        guards: true,
    },
    Row {
        channel: Channel::ReplacementResult,
        code: &codes::RESULT_REWRITE_LOST,
        reason: "the event cannot put another result in place of a tool's",
        guards: true,
    },
    Row {
        channel: Channel::ModelContext,
        code: &codes::CONTEXT_LOST,
        reason: "the event gives the model no text",
        guards: false,
    },
    Row {
        channel: Channel::SessionEnv,
        code: &codes::SESSION_ENV_LOST,
        reason: "the event sets no variables for the session",
        guards: false,
    },
    Row {
        channel: Channel::PermissionUpdate,
        code: &codes::PERMISSION_UPDATE_LOST,
        reason: "the event changes no permission rules",
        guards: false,
    },
    Row {
        channel: Channel::UserNotice,
        code: &codes::NOTICE_LOST,
        reason: "the event has no text for the person",
        guards: false,
    },
];

/// Whether an event heeds an answer that asks a person.
const fn asks(event: &EventFacts) -> bool {
    matches!(event.ask, AskRule::Honoured)
}

/// Tells of everything that the target's event lacks. `bridged`: an answer that the target cannot say is said in the next
/// stronger form. `yes_or_no`: an answer says no more than that.
pub(super) fn compare(
    from: &EventFacts,
    to: &EventFacts,
    (bridged, yes_or_no): (bool, bool),
    findings: &mut Vec<Finding>,
) {
    let lacks = |channel| from.channels.contains(channel) && !to.channels.contains(channel);
    let has = |channel| to.channels.contains(channel);
    let mut tell = |code: &'static LossCode, reason: &str, guards| {
        findings.push(Finding { code, reason: format!("{}: {reason}", to.name), guards });
    };
    let pending = to.boundary.is_some_and(Boundary::is_pending);
    let holds_back = |event: &EventFacts| !matches!(event.control, Control::Observe);
    if lacks(Channel::Verdict) && !has(Channel::Halt) {
        tell(&codes::CANNOT_BLOCK, "the event cannot hold back what it tells of", true);
    }
    if yes_or_no {
        return;
    }
    let ends = matches!(from.boundary, Some(Boundary::TurnStop | Boundary::SubagentStop));
    if lacks(Channel::Halt) && !ends {
        let before = from.boundary.is_some_and(|boundary| boundary.info().timing == Timing::Before);
        if has(Channel::Verdict) && pending {
            // The action is denied; the turn goes on.
            if bridged {
                tell(&codes::HALT_DENIES, "the event cannot stop the turn; the bridge denies the action", true);
            } else {
                tell(&codes::HALT_LOST, "the event cannot stop the turn", false);
            }
        } else if !from.channels.contains(Channel::Verdict) || !has(Channel::Verdict) {
            tell(&codes::HALT_LOST, "the event can stop nothing", before && holds_back(from));
        }
    }
    if asks(from) && !asks(to) && has(Channel::Verdict) {
        match (bridged, to.ask) {
            (true, _) => tell(&codes::ASK_DENIES, "the event cannot ask a person; the bridge denies", true),
            (false, AskRule::Deny) => tell(&codes::ASK_DENIES, "an answer that asks denies", true),
            (false, _) => tell(&codes::ASK_LOST, "an answer that asks a person is not heeded", true),
        }
    }
    if lacks(Channel::ReplacementInput) {
        if bridged && pending && has(Channel::Verdict) {
            tell(&codes::REWRITE_DENIES, "the event takes no other input; the bridge denies a rewrite", true);
        } else {
            tell(&codes::REWRITE_LOST, "the event takes no other input", true);
        }
    }
    for row in LACKING.iter().filter(|row| lacks(row.channel)) {
        tell(row.code, row.reason, row.guards);
    }
}
