//! `beforeSubmitPrompt`: `continue` and `user_message`.

use hooks_core::effects::{Effect, Failure};
use hooks_core::json::RawObject;
use hooks_core::text::clean_message;

use super::Answer;
use super::fields::{self, Mismatch};

impl Answer<'_> {
    /// Reads the answer to a prompt.
    pub(super) fn prompt(&mut self, object: &RawObject<'_>) -> Result<(), Mismatch> {
        let goes_on = match object.get("continue") {
            None => {
                self.undocumented(object);
                return Err(Mismatch("there is no `continue` in it".to_owned()));
            }
            Some(raw) => {
                serde_json::from_str::<bool>(raw.get()).map_err(|_| fields::wrong("continue", raw, "true or false"))?
            }
        };
        let user = fields::text(object, "user_message");
        if goes_on {
            if let Some(user) = user? {
                self.effects.push(Effect::Notice(user));
            }
        } else {
            // A refusal that can be read holds, even where the message beside it is off the schema.
            let host = format!("{} stopped {}", self.hook(), self.what());
            let (user, fault) = match user {
                Ok(user) => (user, None),
                Err(Mismatch(why)) => (None, Some(why)),
            };
            self.halt(user.unwrap_or(host));
            self.effects.failure = fault.map(|why| Failure::Malformed(clean_message(&why).into_owned()));
        }
        self.undocumented(object);
        Ok(())
    }
}
