//! A host that does what decisions ask and writes down what it did: the executable reading of `hooks_core::duty`.
//!
//! Hosts compare themselves with it, and tests use it to show that whatever a hook can ask for arrives somewhere.

use hooks_core::boundary::Stop;
use hooks_core::decide::{Action, Decision};
use hooks_core::duty::{Part, duty};
use hooks_core::effects::{PromptFate, ResultReplacement, Special, When};
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::session::SessionState;
use hooks_core::tool::ToolCall;
use hooks_core::{Boundary, Halt};

/// One thing that a host did.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Done {
    /// It made a call, the original one or a rewritten one.
    Ran(Box<ToolCall>),
    /// It let what the boundary is about go on.
    WentOn,
    /// It did not let it go on.
    Refused,
    /// It put the call off.
    PutOff,
    /// It asked a person, who answered.
    Asked {
        /// The answer.
        yes: bool,
    },
    /// It went through its own permission rules.
    OwnRules,
    /// It sent the prompt.
    PromptSent,
    /// It kept a prompt in the history without sending it.
    PromptKept,
    /// It erased a prompt.
    PromptErased,
    /// It stopped something.
    Stopped(Stop),
    /// It showed the reason of a halt.
    HaltShown(String),
    /// It gave the model a text.
    ToModel(String),
    /// It showed a person a text.
    ToUser(String),
    /// It went on with a text.
    Continued(String),
    /// It showed the model this in place of a result.
    ResultShown(ResultReplacement),
    /// It keeps the session.
    SessionKept,
    /// It did what only one vendor asks for.
    Special(Special),
    /// A part of the decision has no meaning on this boundary; it stays in the report.
    Reported(Part),
}

impl Done {
    /// The part of a decision that this is about.
    #[must_use]
    pub const fn part(&self) -> Option<Part> {
        Some(match self {
            Self::PutOff => Part::Defer,
            Self::Asked { .. } => Part::Ask,
            Self::OwnRules => Part::NoOpinion,
            Self::PromptKept | Self::PromptErased | Self::Stopped(_) | Self::HaltShown(_) => Part::Halt,
            Self::ToModel(_) => Part::ToModel,
            Self::ToUser(_) => Part::ToUser,
            Self::Continued(_) => Part::Continuation,
            Self::ResultShown(_) => Part::Result,
            Self::SessionKept => Part::Session,
            Self::Special(_) => Part::Special,
            Self::Reported(part) => *part,
            Self::Ran(_) | Self::WentOn | Self::Refused | Self::PromptSent => return None,
        })
    }
}

/// A host that does what decisions ask.
#[derive(Clone, Debug, Default)]
pub struct HostDouble {
    /// What a person answers when asked.
    pub person_says_yes: bool,
    /// Whether the host's own rules let calls run about which hooks have no opinion.
    pub rules_allow: bool,
    /// Everything it did, in order.
    pub log: Vec<Done>,
    /// The session it keeps between firings.
    pub session: SessionState,
}

impl HostDouble {
    /// A host whose person says yes and whose rules allow.
    #[must_use]
    pub fn permissive() -> Self {
        Self { person_says_yes: true, rules_allow: true, ..Self::default() }
    }

    /// Does what a decision about an occurrence asks, and keeps the session that came with it.
    pub fn act(&mut self, envelope: &Envelope, decision: &Decision, session: SessionState) {
        let boundary = envelope.boundary();
        let goes_on = self.judge(boundary, decision.action);
        let halted = self.halt(boundary, envelope, decision);
        self.perform(envelope, decision, goes_on && !halted);
        for said in &decision.to_model {
            self.log.push(Done::ToModel(said.value.clone()));
        }
        for said in &decision.to_user {
            self.log.push(Done::ToUser(said.value.clone()));
        }
        if let Some(result) = &decision.result {
            self.push_if(boundary, Part::Result, Done::ResultShown(result.value.clone()));
        }
        for continuation in &decision.continuations {
            self.push_if(boundary, Part::Continuation, Done::Continued(continuation.value.text.clone()));
        }
        for special in &decision.special {
            self.push_if(boundary, Part::Special, Done::Special(special.value.clone()));
        }
        self.session = session;
        self.log.push(Done::SessionKept);
    }

    /// Writes something down where its part has a meaning, else that it is for the report.
    fn push_if(&mut self, boundary: Boundary, part: Part, done: Done) {
        self.log.push(if duty(boundary, part).is_some() { done } else { Done::Reported(part) });
    }

    /// Whether the pending action, or what the boundary is about, goes on.
    fn judge(&mut self, boundary: Boundary, action: Action) -> bool {
        let part = match action {
            Action::Approve => Part::Approve,
            Action::NoOpinion => Part::NoOpinion,
            Action::Ask => Part::Ask,
            Action::Defer => Part::Defer,
            Action::Deny => Part::Deny,
        };
        if duty(boundary, part).is_none() {
            self.log.push(Done::Reported(part));
            return true;
        }
        match action {
            Action::Approve => true,
            Action::NoOpinion => {
                self.log.push(Done::OwnRules);
                !boundary.is_pending() || self.rules_allow
            }
            Action::Ask => {
                self.log.push(Done::Asked { yes: self.person_says_yes });
                self.person_says_yes
            }
            Action::Defer => {
                self.log.push(Done::PutOff);
                false
            }
            Action::Deny => false,
        }
    }

    /// Stops what a halt names; says whether the boundary's own thing does not take place.
    fn halt(&mut self, boundary: Boundary, envelope: &Envelope, decision: &Decision) -> bool {
        let Some(Halt { stops, when, prompt, reason }) = decision.halt.as_ref().map(|said| &said.value) else {
            return false;
        };
        if duty(boundary, Part::Halt).is_none() {
            self.log.push(Done::Reported(Part::Halt));
            return false;
        }
        for stop in stops {
            self.log.push(Done::Stopped(*stop));
        }
        if let Some(reason) = reason {
            self.log.push(Done::HaltShown(reason.clone()));
        }
        if matches!(envelope.payload, Payload::PromptSubmit(_) | Payload::PromptExpansion(_)) {
            self.log.push(match prompt {
                Some(PromptFate::Erase) => Done::PromptErased,
                Some(PromptFate::Keep) | None => Done::PromptKept,
            });
            return true;
        }
        *when != Some(When::After)
    }

    /// Makes the call, sends the prompt, or lets the thing go on, unless something keeps it from that.
    fn perform(&mut self, envelope: &Envelope, decision: &Decision, goes_on: bool) {
        let boundary = envelope.boundary();
        if !goes_on {
            if !matches!(envelope.payload, Payload::PromptSubmit(_) | Payload::PromptExpansion(_)) {
                self.log.push(Done::Refused);
            }
            return;
        }
        let rewritten = decision.input.as_ref().map(|said| said.value.clone());
        let call = rewritten.or_else(|| envelope.payload.tool_use().map(|tool| tool.call.clone()));
        match (&envelope.payload, call) {
            (Payload::PromptSubmit(_) | Payload::PromptExpansion(_), _) => self.log.push(Done::PromptSent),
            (_, Some(call)) if boundary.is_pending() => self.log.push(Done::Ran(Box::new(call))),
            _ => self.log.push(Done::WentOn),
        }
    }
}
