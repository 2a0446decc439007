//! The permission hooks: `permission`, the messages, a rewritten input, and Claude's shape before a tool.

use hooks_core::effects::{Effect, Note, Verdict};
use hooks_core::facts::{AskRule, FieldKind};
use hooks_core::json::{JsonKind, RawObject};

use super::Answer;
use super::fields::{self, Mismatch};
use crate::events::UserMessage;

impl Answer<'_> {
    /// Reads a permission hook's answer. A documented field of the wrong type is off the schema, whatever the decision.
    pub(super) fn permission(&mut self, object: &RawObject<'_>) -> Result<(), Mismatch> {
        let documented = |key| self.event.output_field(key).is_some();
        let text = |key| if documented(key) { fields::text(object, key) } else { Ok(None) };
        let mut user = text("user_message")?;
        let agent = text("agent_message")?;
        let mut input = if documented("updated_input") { fields::object(object, "updated_input")? } else { None };
        let nested =
            if self.event.claude_shape.is_empty() { None } else { fields::nested(object, "hookSpecificOutput")? };

        // Each nested field stands in for its own flat one where that is missing.
        let word = fields::word(self.event, object);
        if let Some(nested) = &nested {
            let reason = fields::text(nested, "permissionDecisionReason")?;
            let rewritten = fields::object(nested, "updatedInput")?;
            user = user.or(reason);
            input = input.or(rewritten);
        }

        let Some((key, raw)) = word else {
            self.undocumented(object);
            return Err(Mismatch("there is no `permission` in it".to_owned()));
        };
        if JsonKind::of(raw) != JsonKind::String {
            return Err(fields::wrong(key, raw, "a string"));
        }
        let word = serde_json::from_str::<String>(raw.get()).map_err(|_| fields::wrong(key, raw, "a string"))?;
        // The word is compared as it is: no trimming, no cleaning.
        match word.as_str() {
            "allow" => self.allow(user, agent.is_some()),
            "deny" => {
                let host = format!("{} denied {}", self.hook(), self.what());
                self.verdict(Verdict::Deny, agent, user, host);
            }
            "ask" => self.ask(agent, user)?,
            _ => {
                let words = match self.event.output_field("permission").map(|field| field.kind) {
                    Some(FieldKind::Word(words)) => words.join(", "),
                    _ => String::new(),
                };
                return Err(Mismatch(format!("`{key}` is none of {words}")));
            }
        }

        if let Some(raw) = input {
            self.rewrite(raw);
        } else if !documented("updated_input") {
            // A rewrite that the event does not have is taken down beside the report, so that the action does not run
            // with its old input in silence.
            if let Ok(Some(raw)) = fields::object(object, "updated_input") {
                self.rewrite(raw);
            }
        }
        self.undocumented(object);
        Ok(())
    }

    fn allow(&mut self, user: Option<String>, agent: bool) {
        self.effects.verdict(Verdict::Allow, Vec::new());
        if let Some(user) = user {
            if self.event.user_message == UserMessage::Notice {
                self.effects.push(Effect::Notice(user));
            } else {
                self.effects.note(Note::field("user_message", "it is shown with a denial only"));
            }
        }
        if agent {
            self.effects.note(Note::field("agent_message", "it has no meaning on an allow"));
        }
    }

    fn ask(&mut self, agent: Option<String>, user: Option<String>) -> Result<(), Mismatch> {
        let host = format!("{} wants somebody to be asked about {}", self.hook(), self.what());
        match self.event.facts.ask {
            AskRule::Honoured => self.verdict(Verdict::Ask, agent, user, host),
            AskRule::NoOpinionUnlessStrict if self.strict => self.verdict(Verdict::Ask, agent, user, host),
            AskRule::NoOpinionUnlessStrict => {
                self.effects.note(Note::field("permission", "asking is not enforced on this event: no opinion"));
            }
            AskRule::Deny => {
                let saying =
                    format!("{} asked about {}, which nobody can be asked about here", self.hook(), self.what());
                let mut reasons = vec![saying];
                reasons.extend(agent.or(user));
                self.effects.verdict(Verdict::Deny, reasons);
                self.effects.status = hooks_core::RunStatus::Blocked;
            }
            _ => return Err(Mismatch("`permission` cannot be ask on this event".to_owned())),
        }
        Ok(())
    }
}
