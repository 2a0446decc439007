//! A script, and what its definition says of it, as a hook of the vendor that it was written for.

use std::sync::Arc;
use std::time::Duration;

use hooks_core::definition::{Binding, BindingId, FailurePolicy, LoopLimit};
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::source::{Origin, Source};

use super::Bridge;

/// A script with what its definition says of it, in the words of the vendor that it was written for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Script {
    /// The event that it was written for.
    pub event: String,
    /// What is run.
    pub command: CommandHandler,
    /// Its matcher, as its own vendor reads it.
    pub matcher: Option<String>,
    /// Its further condition.
    pub condition: Option<String>,
    /// Its time limit; the vendor's own where there is none.
    pub timeout: Option<Duration>,
    /// Whether a failure blocks.
    pub fail_closed: bool,
    /// How often it may make its turn go on; the vendor's own rule where there is none.
    pub loop_limit: Option<LoopLimit>,
    /// Whether it runs once a session.
    pub once: bool,
    /// The document that it was defined in, which decides where some vendors run it: its path and whose it is.
    pub document: Option<(String, Origin)>,
}

impl Script {
    /// A text for the shell, with nothing else said of it.
    #[must_use]
    pub fn shell(event: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(event, CommandHandler { command: text.into(), ..CommandHandler::default() })
    }

    /// A program with arguments, without a shell, with nothing else said of it.
    #[must_use]
    pub fn exec(event: impl Into<String>, program: impl Into<String>, args: Vec<String>) -> Self {
        Self::new(event, CommandHandler { command: program.into(), args: Some(args), ..CommandHandler::default() })
    }

    fn new(event: impl Into<String>, command: CommandHandler) -> Self {
        Self {
            event: event.into(),
            command,
            matcher: None,
            condition: None,
            timeout: None,
            fail_closed: false,
            loop_limit: None,
            once: false,
            document: None,
        }
    }

    /// A name that stays the same from run to run: counters are kept by it.
    fn id(&self, vendor: &str) -> BindingId {
        let CommandHandler { command, args, .. } = &self.command;
        let matcher = self.matcher.as_deref().unwrap_or_default();
        BindingId::new(&format!(
            "{vendor}:{}:{matcher}#{command} {:?}",
            self.event,
            args.as_deref().unwrap_or_default()
        ))
    }
}

/// Why a script cannot be bridged as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unbridgeable {
    /// The vendor has no event of this name.
    #[error("{vendor} has no event `{event}`")]
    NoSuchEvent {
        /// The vendor that the script was written for.
        vendor: String,
        /// The name.
        event: String,
    },
    /// Its matcher is not in its vendor's language, so the vendor itself would never run the script, or run it always.
    #[error("the matcher `{matcher}` cannot be read as {vendor} reads it: {why}")]
    Matcher {
        /// The vendor that the script was written for.
        vendor: String,
        /// The matcher.
        matcher: String,
        /// What is wrong with it.
        why: String,
    },
}

impl Bridge {
    /// A script as a binding of its vendor's.
    ///
    /// # Errors
    ///
    /// [`Unbridgeable`] for an event that its vendor does not have, and for a matcher that it cannot read.
    pub fn hook(&self, script: &Script) -> Result<Binding, Unbridgeable> {
        let vendor = self.written_for.vendor().as_str();
        let blank = self.written_for.blank(&script.event);
        let mut definition = blank
            .ok_or_else(|| Unbridgeable::NoSuchEvent { vendor: vendor.to_owned(), event: script.event.clone() })?;
        definition.id = script.id(vendor);
        definition.handler = Handler::Command(script.command.clone());
        if let Some(text) = &script.matcher {
            let (matcher, error) = self.written_for.matcher(&script.event, Some(text));
            if let Some(error) = error {
                let (vendor, matcher) = (vendor.to_owned(), text.clone());
                return Err(Unbridgeable::Matcher { vendor, matcher, why: error.to_string() });
            }
            definition.matcher = matcher;
            definition.matcher_text = Some(text.clone());
        }
        definition.condition.clone_from(&script.condition);
        if let Some(timeout) = script.timeout {
            definition.timeout = timeout;
        }
        if script.fail_closed {
            definition.failure = FailurePolicy::Closed;
        }
        if definition.loop_limit.is_some() && script.loop_limit.is_some() {
            definition.loop_limit = script.loop_limit;
        }
        definition.once = script.once;
        if let Some((path, origin)) = &script.document {
            let source = Source { path: path.clone(), origin: *origin, ..(*definition.source).clone() };
            definition.source = Arc::new(source);
        }
        Ok(Binding::alone(definition))
    }
}
