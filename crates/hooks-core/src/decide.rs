//! What a host shall do: the settled effects under the host's profile.
//!
//! ```
//! use hooks_core::decide::{Action, decide};
//! use hooks_core::effects::{Said, Verdict};
//! use hooks_core::{Boundary, HostProfile, SessionState, Settled};
//!
//! // A hook asks, and there is nobody to ask: a denial, the reason kept for the model.
//! let settled = Settled {
//!     verdict: Some(Verdict::Ask),
//!     reasons: vec![Said::host("touches the lock file".to_owned())],
//!     ..Settled::default()
//! };
//! let host = HostProfile::full().ask(false);
//! let (decision, _session) = decide(settled, Boundary::ToolBefore, &host, SessionState::default());
//! assert_eq!(decision.action, Action::Deny);
//! assert_eq!(decision.to_model[0].value, "touches the lock file");
//!
//! // Nobody said anything: the host's own rules decide.
//! let (decision, _session) = decide(Settled::default(), Boundary::ToolBefore, &host, SessionState::default());
//! assert_eq!(decision.action, Action::NoOpinion);
//! ```
//!
//! What a host must do with each part is in [`crate::duty`].

use crate::boundary::Boundary;
use crate::channel::Channel;
use crate::definition::LoopLimit;
use crate::duty::{Part, duty};
use crate::effects::{
    Continuation, Effect, Halt, OnPending, ResultReplacement, Rewrite, Said, Special, Unsupported, Verdict,
};
use crate::host::HostProfile;
use crate::session::SessionState;
use crate::settle::{Dropped, Report, Settled};
use crate::text::clean_message;
use crate::tool::ToolCall;

/// What becomes of the pending action, from the weakest to the strongest restraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Skip the question; the host's own deny and ask rules still hold.
    Approve,
    /// The host's own rules decide: silence never approves.
    NoOpinion,
    /// Ask a person.
    Ask,
    /// Put the call off.
    Defer,
    /// Do not run it.
    Deny,
}

impl Action {
    /// The kebab-case word, as the vectors spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::NoOpinion => "no-opinion",
            Self::Ask => "ask",
            Self::Defer => "defer",
            Self::Deny => "deny",
        }
    }
}

/// What a host shall do.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Decision {
    /// What becomes of the pending action.
    pub action: Action,
    /// The call to make in place of the original one. Its `raw` is the hook's own value. Approves nothing by itself.
    pub input: Option<Said<ToolCall>>,
    /// What the model shall see in place of the tool's result.
    pub result: Option<Said<ResultReplacement>>,
    /// What is stopped.
    pub halt: Option<Said<Halt>>,
    /// Texts to go on with, within their limits.
    pub continuations: Vec<Said<Continuation>>,
    /// Texts for the model: a deny's reasons, then context.
    pub to_model: Vec<Said<String>>,
    /// Texts for the person: an ask's or a defer's reasons, then notices.
    pub to_user: Vec<Said<String>>,
    /// What could not be produced, for the report.
    pub unsupported: Vec<Said<Unsupported>>,
    /// What only one vendor has.
    pub special: Vec<Said<Special>>,
    /// What happened on the way.
    pub report: Report,
}

/// The host's text where a hook denied something that can only be stopped.
pub const DENIED_HERE: &str = "a hook denied this";
/// The host's text where a hook denied and did not say why.
pub const DENIED: &str = "a hook denied this and did not say why";
/// The host's text where a call that cannot be put off is denied.
pub const CANNOT_DEFER: &str = "a hook put the call off, which this host cannot do, so it was not made";
/// The host's text where there is nobody to ask and no hook said why.
pub const CANNOT_ASK: &str = "a hook wants somebody to be asked, and there is nobody to ask";
/// The host's text where a rewritten input cannot be applied.
pub const CANNOT_REWRITE: &str = "a hook rewrote the input, which this host cannot apply, so the call was not made";

/// What a host shall do about a settled firing, and the session after it.
///
/// Never yields anything weaker than the settled verdict.
#[must_use]
pub fn decide(
    settled: Settled,
    boundary: Boundary,
    host: &HostProfile,
    mut session: SessionState,
) -> (Decision, SessionState) {
    let Settled {
        verdict,
        reasons,
        notices,
        context,
        input,
        result,
        session_env,
        halt,
        continuations,
        permission_updates,
        unsupported,
        special,
        mut report,
    } = settled;
    let pending = boundary.is_pending();
    let mut host_reasons = Vec::new();

    let mut action = match verdict {
        None => Action::NoOpinion,
        Some(Verdict::Allow) => Action::Approve,
        Some(Verdict::Ask) => Action::Ask,
        Some(Verdict::Defer) => Action::Defer,
        Some(Verdict::Deny) => Action::Deny,
    };
    if action == Action::Ask && !host.can_ask {
        action = Action::Deny;
        if reasons.is_empty() {
            host_reasons.push(CANNOT_ASK.to_owned());
        }
    }
    if action == Action::Defer && !host.can_defer {
        action = Action::Deny;
        host_reasons.push(CANNOT_DEFER.to_owned());
    }
    let mut halt = halt;
    keep_meaning(&mut action, boundary, &mut halt, &mut host_reasons);
    if pending {
        if halt.as_ref().is_some_and(|halt| halt.value.stops_action()) {
            action = Action::Deny;
        }
        for Said { value, .. } in &unsupported {
            if value.on_pending == OnPending::Deny || host.strict {
                action = Action::Deny;
                host_reasons.push(format!(
                    "a hook answered with `{}`, which this event cannot apply, so the action was not taken",
                    clean_message(&value.field)
                ));
            }
        }
    }
    let input = decide_input(input, pending, host, &mut action, &mut host_reasons, &mut report);

    let mut to_model = Vec::new();
    let mut to_user = Vec::new();
    let host_said = |texts: Vec<String>| texts.into_iter().map(Said::host);
    match action {
        Action::Deny => {
            let spoken = matches!(verdict, Some(Verdict::Deny | Verdict::Ask | Verdict::Defer));
            if spoken {
                to_model.extend(reasons);
            } else {
                report_reasons(&mut report, verdict, reasons, "the action is denied for another reason");
            }
            to_model.extend(host_said(host_reasons));
            if to_model.is_empty() {
                // A denial always says something: the halt that made it one, else the host.
                let halted = halt.as_ref().and_then(|said| {
                    let reason = said.value.reason.clone().filter(|_| said.value.stops_action())?;
                    Some(Said { by: said.by.clone(), value: reason })
                });
                to_model.push(halted.unwrap_or_else(|| Said::host(DENIED.to_owned())));
            }
        }
        Action::Ask | Action::Defer => to_user.extend(reasons),
        Action::Approve | Action::NoOpinion => {
            report_reasons(&mut report, verdict, reasons, "the reason of an allow is for the report");
        }
    }
    let keep = |texts: Vec<Said<String>>, channel: Channel, wrap: fn(String) -> Effect, report: &mut Report| {
        if host.applies(channel) {
            return texts;
        }
        for Said { by, value } in texts {
            report.dropped.push(Dropped { by, effect: wrap(value), why: lacks(channel) });
        }
        Vec::new()
    };
    to_model.extend(keep(context, Channel::ModelContext, Effect::Context, &mut report));
    to_user.extend(keep(notices, Channel::UserNotice, Effect::Notice, &mut report));
    if takes_late_texts(boundary) {
        let (for_model, for_person) = session.take_late();
        to_model.extend(keep(for_model, Channel::ModelContext, Effect::Context, &mut report));
        to_user.extend(keep(for_person, Channel::UserNotice, Effect::Notice, &mut report));
    }

    let result = result.and_then(|said| {
        if host.applies(Channel::ReplacementResult) {
            return Some(said);
        }
        let effect = Effect::ReplaceResult(said.value);
        report.dropped.push(Dropped { by: said.by, effect, why: lacks(Channel::ReplacementResult) });
        None
    });
    if host.applies(Channel::SessionEnv) {
        let beyond = session_env.into_iter().filter_map(|(name, said)| session.set_env(name, said).err());
        report.dropped.extend(beyond.map(|dropped| *dropped));
    } else {
        for (name, Said { by, value }) in session_env {
            let effect = Effect::SessionEnv([(name, value)].into());
            report.dropped.push(Dropped { by, effect, why: lacks(Channel::SessionEnv) });
        }
    }
    if action == Action::Deny && verdict != Some(Verdict::Deny) {
        for Said { by, value } in permission_updates {
            let effect = Effect::PermissionUpdate(value);
            report.dropped.push(Dropped { by, effect, why: "the action is denied".to_owned() });
        }
    } else if host.applies(Channel::PermissionUpdate) {
        let beyond = permission_updates.into_iter().filter_map(|said| session.add_permission_update(said).err());
        report.dropped.extend(beyond.map(|dropped| *dropped));
    } else {
        for Said { by, value } in permission_updates {
            let effect = Effect::PermissionUpdate(value);
            report.dropped.push(Dropped { by, effect, why: lacks(Channel::PermissionUpdate) });
        }
    }
    let continuations = decide_continuations(continuations, host, &mut session, &mut report);
    let special = if host.applies(Channel::Special) {
        special
    } else {
        for Said { by, value } in special {
            report.dropped.push(Dropped { by, effect: Effect::Special(value), why: lacks(Channel::Special) });
        }
        Vec::new()
    };
    for said in &special {
        if let Special::WatchPaths(paths) = &said.value {
            let left_out = session.set_watch_paths(paths);
            if let Some(beyond) = paths.get(paths.len() - left_out..).filter(|beyond| !beyond.is_empty()) {
                report.dropped.push(Dropped {
                    by: said.by.clone(),
                    effect: Effect::Special(Special::WatchPaths(beyond.to_vec())),
                    why: "the session watches no more files".to_owned(),
                });
            }
        }
    }

    let decision =
        Decision { action, input, result, halt, continuations, to_model, to_user, unsupported, special, report };
    (decision, session)
}

/// Turns an action that has no meaning on the boundary into the next stronger one that has: putting off and asking into
/// a denial, a denial into a halt of what the boundary starts.
fn keep_meaning(action: &mut Action, boundary: Boundary, halt: &mut Option<Said<Halt>>, reasons: &mut Vec<String>) {
    if *action == Action::Defer && duty(boundary, Part::Defer).is_none() {
        *action = Action::Deny;
        reasons.push(CANNOT_DEFER.to_owned());
    }
    if *action == Action::Ask && duty(boundary, Part::Ask).is_none() {
        *action = Action::Deny;
        reasons.push(CANNOT_ASK.to_owned());
    }
    let halts = boundary.info().halts;
    if *action == Action::Deny && duty(boundary, Part::Deny).is_none() && halt.is_none() && !halts.is_empty() {
        *halt = Some(Said::host(Halt::of(halts, Some(DENIED_HERE.to_owned()))));
    }
}

fn lacks(channel: Channel) -> String {
    format!("this host has no {channel} channel")
}

/// Whether texts of background hooks that arrived since have a place here: before the next prompt is recorded, and where
/// a running turn goes back to the model.
const fn takes_late_texts(boundary: Boundary) -> bool {
    matches!(boundary, Boundary::PromptSubmit | Boundary::ToolResult | Boundary::ToolFailure | Boundary::ToolBatch)
}

fn report_reasons(report: &mut Report, verdict: Option<Verdict>, reasons: Vec<Said<String>>, why: &str) {
    let Some(verdict) = verdict else { return };
    for Said { by, value } in reasons {
        let effect = Effect::Verdict { verdict, reasons: vec![value] };
        report.dropped.push(Dropped { by, effect, why: why.to_owned() });
    }
}

fn decide_input(
    input: Option<Said<Rewrite>>,
    pending: bool,
    host: &HostProfile,
    action: &mut Action,
    host_reasons: &mut Vec<String>,
    report: &mut Report,
) -> Option<Said<ToolCall>> {
    let Said { by, value } = input?;
    let mut drop = |value: Rewrite, why: String| {
        report.dropped.push(Dropped { by: by.clone(), effect: Effect::ReplaceInput(value), why });
    };
    if !pending {
        drop(value, "nothing is pending here".to_owned());
        return None;
    }
    if *action == Action::Deny {
        drop(value, "the action is denied".to_owned());
        return None;
    }
    if !host.applies(Channel::ReplacementInput) {
        *action = Action::Deny;
        host_reasons.push(CANNOT_REWRITE.to_owned());
        drop(value, lacks(Channel::ReplacementInput));
        return None;
    }
    match value.call {
        Ok(projected) => {
            let mut call = projected.call;
            call.raw.get_or_insert(value.raw);
            Some(Said { by, value: call })
        }
        Err(refused) => {
            *action = Action::Deny;
            host_reasons.push(clean_message(&refused.to_string()).into_owned());
            let why = refused.to_string();
            drop(Rewrite { raw: value.raw, call: Err(refused) }, why);
            None
        }
    }
}

/// Keeps the continuations that are within their limits, and counts them.
fn decide_continuations(
    continuations: Vec<Said<Continuation>>,
    host: &HostProfile,
    session: &mut SessionState,
    report: &mut Report,
) -> Vec<Said<Continuation>> {
    let mut kept = Vec::new();
    for Said { by, value } in continuations {
        let mut why = (!host.applies(Channel::Continuation)).then(|| lacks(Channel::Continuation));
        if let (None, Some(who)) = (&why, &by) {
            let count = session.continued.get(&who.binding).copied().unwrap_or(0);
            let of_vendor = session.continued_by_vendor.get(&who.vendor).copied().unwrap_or(0);
            why = match (value.loop_limit, value.vendor_cap) {
                (Some(LoopLimit::AtMost(limit)), _) if count >= limit => {
                    Some(format!("the hook has made the turn go on {count} times, its limit"))
                }
                (_, Some(cap)) if of_vendor >= cap => {
                    Some(format!("hooks have made the turn go on {of_vendor} times, the vendor's cap"))
                }
                _ => None,
            };
        }
        if let Some(why) = why {
            report.dropped.push(Dropped { by, effect: Effect::Continue(value), why });
            continue;
        }
        kept.push(Said { by, value });
    }
    if !kept.is_empty() {
        session.turns_continued = session.turns_continued.saturating_add(1);
    }
    let mut vendors = Vec::new();
    for who in kept.iter().filter_map(|said| said.by.as_ref()) {
        *session.continued.entry(who.binding.clone()).or_default() += 1;
        if !vendors.contains(&who.vendor) {
            vendors.push(who.vendor.clone());
        }
    }
    // Several hooks that make one turn go on are one continuation of their vendor.
    for vendor in vendors {
        *session.continued_by_vendor.entry(vendor).or_default() += 1;
    }
    kept
}
