//! Effects written as an answer that the client accepts: the inverse of the other modules of this folder.
//!
//! A field is set only where the event's row of the table has it, so that no answer holds one that the client would
//! refuse. A restraint without a form of its own on an event is said in the next stronger one; where there is none, and
//! for everything that is no restraint, it comes back as a loss.

mod call;
mod input;
mod others;
mod page;
mod permission;
mod result;
mod wish;

use std::borrow::Cow;

use hooks_core::adapter::{Answer, Loss, Lost};
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{Effect, Special};
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::facts::PlainStdout;
use hooks_core::json::{RawJson, RawObject};
use hooks_core::text::strip_unsafe;
use hooks_core::vendor::Version;

use self::page::{Page, Value};
use self::wish::Wish;
use super::fields::is_terminal_sequence;
use super::stdout::{self, Text};
use crate::events::{CLASSIFIER_CONTEXT, Event, NoticeRule, OnFailure, StopRule};

/// Writes effects as the event's answer.
pub(crate) fn write(
    event: &'static Event,
    version: Version,
    envelope: &Envelope,
    effects: &[Effect],
) -> (Answer, Vec<Loss>) {
    let mut page = Page {
        event,
        version,
        envelope,
        top: Vec::new(),
        nested: Vec::new(),
        plain: None,
        exit_2: None,
        losses: Vec::new(),
    };
    let wish = Wish::of(effects, &mut page.losses);
    page.write(&wish);
    page.finish()
}

/// What is lost of effects for an event that there is none of.
pub(crate) fn all_lost(effects: &[Effect]) -> Vec<Loss> {
    effects.iter().map(|effect| Loss::new(Lost::of(effect), effect.channel().as_str(), None)).collect()
}

impl<'e> Page<'e> {
    fn write(&mut self, wish: &Wish<'e>) {
        if super::verdict::is_for(self.event) {
            self.call(wish);
        } else if self.event.on_failure == OnFailure::Denies {
            self.permission(wish);
        } else {
            self.others(wish);
        }
        self.notices(wish);
        for special in &wish.specials {
            self.special(special);
        }
    }

    /// Texts for the person; one event gives them to the model.
    fn notices(&mut self, wish: &Wish<'e>) {
        if wish.notices.is_empty() {
            return;
        }
        if self.event.notice == NoticeRule::User {
            let text = strip_unsafe(&wish.notices.join("\n")).into_owned();
            self.top("systemMessage", Value::Text(text.into()));
        } else {
            self.lose_whole(Channel::UserNotice, None);
        }
    }

    /// Text for the model, where a field or plain text has a place for it.
    fn contexts(&mut self, wish: &Wish<'e>) {
        if wish.contexts.is_empty() {
            return;
        }
        let text = match wish.contexts.as_slice() {
            [one] => Cow::Borrowed(*one),
            several => Cow::Owned(several.join("\n")),
        };
        if self.has("additionalContext") {
            self.nested("additionalContext", Value::Text(text));
            return;
        }
        let typed = matches!(&self.envelope.payload, Payload::DirectoryAdded(added) if added.source == "slash_command");
        if self.event.notice == NoticeRule::Model && typed {
            self.top("systemMessage", Value::Text(text));
            return;
        }
        match wish.contexts.as_slice() {
            [one] if self.event.facts.plain_stdout == PlainStdout::Context && self.is_plain(one) => {
                self.plain = Some(one);
            }
            _ => self.lose_whole(Channel::ModelContext, None),
        }
    }

    fn is_plain(&self, text: &str) -> bool {
        matches!(stdout::classify(text, self.version), Text::Plain(read) if read == text) && !stdout::detaches(text)
    }

    /// A halt of the turn in the form that every event has that can be stopped.
    fn stop(&mut self, reason: Option<String>) {
        self.top("continue", Value::Flag(false));
        if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
            self.top("stopReason", Value::Text(reason.into()));
        }
    }

    /// Takes back a stop, where the client does not look at one beside a deny.
    fn take_stop_back(&mut self) {
        let fields = self.top.len();
        self.top.retain(|(key, _)| !matches!(*key, "continue" | "stopReason"));
        if self.top.len() < fields {
            self.lose(Channel::Halt, "a halt of the turn", Some("deny"));
        }
    }

    /// What `continue: false` stops here.
    const fn stops(&self) -> &'static [Stop] {
        match self.event.stop {
            StopRule::Stops(stops) => stops,
            StopRule::NoEffect => &[],
        }
    }

    fn special(&mut self, special: &'e Special) {
        let done = match special {
            Special::ElicitationAnswer { action, content } => self.elicitation(action, content.as_ref()),
            Special::WorktreePath(path) => self.worktree(path),
            Special::DisplayText(text) => self.nested("displayContent", Value::Text(text.into())),
            Special::SessionTitle(title) => self.nested("sessionTitle", Value::Text(title.into())),
            Special::WatchPaths(paths) => self.nested("watchPaths", Value::Texts(paths)),
            Special::InitialUserMessage(text) => self.nested("initialUserMessage", Value::Text(text.into())),
            Special::ReloadSkills => self.nested("reloadSkills", Value::Flag(true)),
            Special::SuppressOriginalPrompt => self.nested("suppressOriginalPrompt", Value::Flag(true)),
            Special::RetryHint => self.nested("retry", Value::Flag(true)),
            Special::ClassifierContext(text) if CLASSIFIER_CONTEXT.at(self.version) == Some(true) => {
                self.nested("classifierContext", Value::Text(text.into()))
            }
            Special::TerminalSequence(text) if is_terminal_sequence(text) && !self.reads_no_json() => {
                self.top("terminalSequence", Value::Text(text.into()));
                true
            }
            Special::CompactionInstructions(text)
                if matches!(self.envelope.payload, Payload::CompactBefore(_))
                    && self.plain.is_none()
                    && self.is_plain(text) =>
            {
                self.plain = Some(text);
                true
            }
            _ => false,
        };
        if !done {
            self.lose_whole(Lost::Special(special.kind()), None);
        }
    }

    fn reads_no_json(&self) -> bool {
        self.event.facts.malformed == hooks_core::facts::FailureRule::Block
    }

    fn elicitation(&mut self, action: &'e str, content: Option<&RawJson>) -> bool {
        if !matches!(action, "accept" | "decline" | "cancel") || !self.nested("action", Value::Text(action.into())) {
            return false;
        }
        if let Some(content) = content.filter(|raw| action == "accept" && RawObject::parse(raw.get()).is_ok()) {
            self.nested("content", Value::Raw(content.clone()));
        }
        true
    }

    /// A command says the path as its last line; a refusal beside it outranks it.
    fn worktree(&mut self, path: &'e str) -> bool {
        let fits = !path.trim().is_empty() && path.trim() == path && !path.contains(['\n', '\r', '\u{1b}']);
        if self.event.facts.plain_stdout != PlainStdout::Special || !fits || self.exit_2.is_some() {
            return false;
        }
        self.plain = Some(path);
        true
    }

    /// Reports what is asked for on a channel that the event has not.
    fn lose_all(&mut self, wish: &Wish<'e>, channels: &[Channel]) {
        for channel in channels {
            let asked = match channel {
                Channel::Continuation => !wish.continuations.is_empty(),
                Channel::ReplacementResult => wish.result.is_some(),
                Channel::ReplacementInput => wish.rewrite.is_some(),
                Channel::PermissionUpdate => !wish.updates.is_empty(),
                _ => false,
            };
            if asked {
                self.lose_whole(*channel, None);
            }
        }
    }
}
