//! Verdicts: the nested decision of the guard and model-switch events, and that of a permission request.

use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{Effect, Halt, Note, Rewrite, RunStatus, Special, Verdict};
use hooks_core::facts::AskRule;
use hooks_core::json::{JsonKind, RawJson, RawObject};
use hooks_core::text::clean_message;
use serde_json::value::RawValue;

use super::Reader;
use super::answer::{Answer, Decision, text};
use crate::events::{Event, NO_MESSAGE, NO_REASON, TOP_REASON_COUNTS};
use crate::tools;

/// The text of a question that came without one.
const ASKS: &str = "A hook asks for confirmation";

/// The text of a rewrite that cannot be made.
const CANNOT_REWRITE: &str = "A hook rewrote this command, which cannot be done here, so it was not run";

/// Whether an event's nested part has a `permissionDecision`.
pub(crate) fn is_for(event: &Event) -> bool {
    event.facts.output.iter().any(|field| field.path == "hookSpecificOutput.permissionDecision")
}

impl Reader<'_> {
    /// `permissionDecision` and the older top-level decision; the stronger counts, and exit code 2 denies (hooks
    /// page, `PreToolUse`; cases `b-multi*`, `upd-*`, `conflict-*`). Gives whether it blocks.
    pub(super) fn verdict(&mut self, answer: &Answer<'_>, exit_2: bool) -> bool {
        let top_counts = answer.nested.is_none() || TOP_REASON_COUNTS.at(self.version) == Some(true);
        let top_reason = answer.reason.clone().filter(|_| top_counts);
        let nested_reason = answer.nested_text("permissionDecisionReason");
        let nested = match answer.nested_text("permissionDecision").as_deref() {
            Some("allow") => Some(Verdict::Allow),
            Some("ask") => Some(Verdict::Ask),
            Some("defer") => Some(Verdict::Defer),
            Some("deny") => Some(Verdict::Deny),
            _ => None,
        };
        // A skill's command is left out for every answer but an allow.
        let nested = match nested {
            Some(Verdict::Ask | Verdict::Defer) if self.event.facts.ask == AskRule::Deny => Some(Verdict::Deny),
            nested => nested,
        };
        let top = match answer.decision {
            Some(Decision::Block) => Some(Verdict::Deny),
            Some(Decision::Approve) if self.event.approves => Some(Verdict::Allow),
            Some(Decision::Approve) => {
                self.out.note(Note::field("decision", "approving has no meaning on this event"));
                None
            }
            None => None,
        };
        let verdict = if exit_2 { Some(Verdict::Deny) } else { nested.max(top) };
        let reason = if top == Some(Verdict::Deny) {
            top_reason.or_else(|| nested_reason.filter(|_| nested == Some(Verdict::Deny)))
        } else if exit_2 && nested != Some(Verdict::Deny) {
            Some(self.exit_2_text())
        } else {
            nested_reason.or(top_reason)
        };
        let reason = reason.map(|reason| clean_message(&reason).into_owned()).filter(|reason| !reason.is_empty());
        match verdict {
            Some(Verdict::Deny) => {
                let reason = match reason {
                    None if exit_2 => self.exit_2_text(),
                    reason => reason.unwrap_or_else(|| NO_REASON.to_owned()),
                };
                self.block(reason);
            }
            Some(Verdict::Ask) => self.out.verdict(Verdict::Ask, vec![reason.unwrap_or_else(|| ASKS.to_owned())]),
            Some(verdict) => self.out.verdict(verdict, reason.into_iter().collect()),
            None if answer.reason.is_some() && answer.nested.is_none() => {
                self.out.note(Note::field("reason", "a reason without a decision has no effect"));
            }
            None => {}
        }
        let rewritten = answer.nested.as_ref().and_then(|nested| nested.get("updatedInput"));
        let refused = rewritten.is_some_and(|raw| self.rewrite(raw, verdict));
        verdict == Some(Verdict::Deny) || refused
    }

    /// Another input. Gives whether the wish for one blocks.
    fn rewrite(&mut self, raw: &RawValue, verdict: Option<Verdict>) -> bool {
        if verdict == Some(Verdict::Defer) {
            self.out.note(Note::field("updatedInput", "it is ignored beside `defer`"));
            return false;
        }
        if !self.event.facts.channels.contains(Channel::ReplacementInput) {
            self.unsupported("updatedInput", Channel::ReplacementInput);
            if verdict != Some(Verdict::Deny) {
                self.block(CANNOT_REWRITE.to_owned());
            }
            return true;
        }
        self.replace_input(raw);
        false
    }

    fn replace_input(&mut self, raw: &RawValue) {
        let Some(tool) = self.envelope.payload.tool_use() else { return };
        let raw = RawJson::from_raw(raw);
        let call = tools::project(&tool.call, &raw);
        self.out.push(Effect::ReplaceInput(Rewrite { raw, call }));
    }

    /// The nested decision of a permission request; the top-level one does nothing here (cases `b-PermissionRequest/*`). Gives whether it
    /// denies.
    pub(super) fn permission(&mut self, answer: &Answer<'_>) -> bool {
        if answer.stops {
            self.unsupported("continue", Channel::Halt);
        }
        if answer.decision.is_some() {
            self.unsupported("decision", Channel::Verdict);
        }
        let decision = answer.nested.as_ref().and_then(|nested| nested.get("decision"));
        let Some(decision) = decision.and_then(|raw| RawObject::parse(raw.get()).ok()) else { return false };
        if text(&decision, "behavior").as_deref() == Some("allow") {
            self.out.verdict(Verdict::Allow, Vec::new());
            if let Some(raw) = decision.get("updatedInput") {
                self.replace_input(raw);
            }
            let updates = decision.get("updatedPermissions").map(elements).unwrap_or_default();
            for update in updates {
                self.out.push(Effect::PermissionUpdate(RawJson::from_raw(update)));
            }
            return false;
        }
        let message = text(&decision, "message").map(|message| clean_message(&message).into_owned());
        let message = message.filter(|message| !message.is_empty()).unwrap_or_else(|| NO_MESSAGE.to_owned());
        self.out.verdict(Verdict::Deny, vec![message.clone()]);
        self.out.status = RunStatus::Blocked;
        if decision.get("interrupt").is_some_and(|raw| raw.get() == "true") {
            self.out.push(Effect::Special(Special::Interrupt));
            self.out.push(Effect::Halt(Halt::of(&[Stop::Turn], Some(message))));
        }
        if decision.get("updatedInput").is_some() {
            self.out.note(Note::field("updatedInput", "it has no meaning beside a deny"));
        }
        true
    }
}

fn elements(raw: &RawValue) -> Vec<&RawValue> {
    serde_json::from_str(raw.get()).unwrap_or_default()
}

/// Checks a permission decision by its own schema: what a deny and an allow may carry differs, and keys of the other are
/// not looked at (cases `b-PermissionRequest/*`).
pub(super) fn check_decision(decision: &RawObject<'_>) -> Result<(), String> {
    let kind = |key: &str| decision.get(key).map(JsonKind::of);
    let must = |key: &str, wanted: JsonKind| match kind(key) {
        Some(found) if found != wanted => Err(format!("decision.{key} is {}, not {}", found.phrase(), wanted.phrase())),
        _ => Ok(()),
    };
    match text(decision, "behavior").as_deref() {
        Some("allow") => {
            must("updatedInput", JsonKind::Object)?;
            must("updatedPermissions", JsonKind::Array)?;
            let updates = decision.get("updatedPermissions").map(elements).unwrap_or_default();
            updates.into_iter().try_for_each(check_update)
        }
        Some("deny") => {
            must("message", JsonKind::String)?;
            must("interrupt", JsonKind::Bool)
        }
        _ => Err("decision.behavior is neither allow nor deny".to_owned()),
    }
}

/// Changes of permission rules that carry rules.
pub(crate) const RULE_CHANGES: &[&str] = &["addRules", "replaceRules", "removeRules"];

/// Changes of permission rules that carry a mode.
pub(crate) const MODE_CHANGES: &[&str] = &["setMode"];

/// Changes of permission rules that carry directories.
pub(crate) const DIRECTORY_CHANGES: &[&str] = &["addDirectories", "removeDirectories"];

/// The lists that rules stand in.
pub(crate) const BEHAVIORS: &[&str] = &["allow", "deny", "ask"];

/// Where a change is written to.
pub(crate) const DESTINATIONS: &[&str] = &["session", "localSettings", "projectSettings", "userSettings", "cliArg"];

/// Checks one change of permission rules (hooks page, `PermissionRequest`; SDK types).
pub(super) fn check_update(raw: &RawValue) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("updatedPermissions holds {what}"));
    let Ok(update) = RawObject::parse(raw.get()) else { return wrong("something that is no object") };
    let strings = |key: &str| update.get(key).is_some_and(|raw| serde_json::from_str::<Vec<String>>(raw.get()).is_ok());
    let says = |key: &str, words: &[&str]| text(&update, key).is_some_and(|said| words.contains(&said.as_str()));
    let is_rule = |raw: &RawValue| {
        RawObject::parse(raw.get()).is_ok_and(|rule| {
            text(&rule, "toolName").is_some()
                && rule.get("ruleContent").is_none_or(|raw| JsonKind::of(raw) == JsonKind::String)
        })
    };
    let fits = if says("type", RULE_CHANGES) {
        let rules = update.get("rules").filter(|raw| JsonKind::of(raw) == JsonKind::Array).map(elements);
        rules.is_some_and(|rules| rules.into_iter().all(is_rule)) && says("behavior", BEHAVIORS)
    } else if says("type", MODE_CHANGES) {
        text(&update, "mode").is_some()
    } else if says("type", DIRECTORY_CHANGES) {
        strings("directories")
    } else {
        return wrong("a change of an unknown type");
    };
    if fits && says("destination", DESTINATIONS) {
        Ok(())
    } else {
        wrong("a change that lacks what its type must have")
    }
}
