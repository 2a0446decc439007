//! The other fields of an answer: stops, texts, replaced results and what only this vendor has.

use std::borrow::Cow;

use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{Effect, Halt, Note, ResultReplacement, RunStatus, Special, Verdict, When};
use hooks_core::envelope::Payload;
use hooks_core::json::{RawJson, RawObject};
use hooks_core::text::clean_message;
use serde_json::value::RawValue;

use super::Reader;
use super::answer::{Answer, key_below, string};
use crate::events::{Block, CLASSIFIER_CONTEXT, EVENTS, Event, NESTED, NoticeRule, STOP_BESIDE_DENY, StopRule};
use crate::tools;

impl Reader<'_> {
    /// `continue: false`. A permission request has reported it already.
    pub(super) fn stop(&mut self, answer: &Answer<'_>, blocks: bool) {
        if !answer.stops || self.event.on_failure == crate::events::OnFailure::Denies {
            return;
        }
        let stops: &[Stop] = match self.event.stop {
            StopRule::Stops(stops) => stops,
            StopRule::NoEffect => return self.unsupported("continue", Channel::Halt),
        };
        let denies =
            self.out.effects.iter().any(|effect| matches!(effect, Effect::Verdict { verdict: Verdict::Deny, .. }));
        if denies && STOP_BESIDE_DENY.at(self.version) == Some(false) {
            return self.unsupported("continue", Channel::Halt);
        }
        let reason = answer.stop_reason.as_deref().map(|reason| clean_message(reason).into_owned());
        let mut halt = Halt::of(stops, reason.filter(|reason| !reason.is_empty()));
        // The pending call still runs (cases `pre-continue-false*`).
        halt.when = self.envelope.boundary().is_pending().then_some(When::After);
        if let Block::Halt(also, fate) = self.event.block {
            if blocks {
                let merged = self.merged.take().map(|reason| clean_message(&reason).into_owned());
                halt = Halt::of(&[stops, also].concat(), halt.reason.or(merged));
                halt.prompt = fate;
            } else if fate.is_some() {
                // A stopped prompt stays in the history (case
                // `b-UserPromptSubmit/continue-false`).
                halt.prompt = Some(hooks_core::effects::PromptFate::Keep);
            }
        }
        self.out.push(Effect::Halt(halt));
        self.out.status = RunStatus::Stopped;
    }

    /// Texts, the nested fields of the event, and fields that stand where they mean nothing.
    pub(super) fn fields(&mut self, answer: &Answer<'_>, exit_2: bool, blocks: bool) {
        if let Some(message) = &answer.system_message {
            self.notice(message);
        }
        if let Some(sequence) = &answer.terminal_sequence {
            if is_terminal_sequence(sequence) {
                self.out.push(Effect::Special(Special::TerminalSequence(sequence.clone())));
            } else {
                self.out.note(Note::field("terminalSequence", "it holds more than a notification or a title"));
            }
        }
        if let Some(nested) = &answer.nested {
            if exit_2 && self.event.facts.channels.contains(Channel::Special) && is_question(self.event) {
                self.out.note(Note::field(NESTED, "exit code 2 makes the answer void"));
            } else {
                self.nested(nested, blocks, answer.stops);
            }
        }
        for (key, _) in answer.top.iter() {
            let at_top = self.event.facts.output.iter().any(|field| field.path == key);
            if let (false, Some(channel)) = (at_top, nested_channel(key)) {
                self.unsupported(key, channel);
            }
        }
    }

    fn notice(&mut self, message: &str) {
        let typed = matches!(&self.envelope.payload, Payload::DirectoryAdded(added) if added.source == "slash_command");
        match self.event.notice {
            NoticeRule::User => {
                let shown = clean_message(message);
                if !shown.is_empty() {
                    self.out.push(Effect::Notice(shown.into_owned()));
                }
            }
            NoticeRule::Model if typed => self.out.push(Effect::Context(message.to_owned())),
            NoticeRule::Model | NoticeRule::Dropped => {
                self.out.note(Note::field("systemMessage", "nobody is shown it on this event"));
            }
        }
    }

    fn nested(&mut self, nested: &RawObject<'_>, blocks: bool, stops: bool) {
        let mut seen: Vec<&str> = Vec::new();
        for (key, _) in nested.iter() {
            if seen.contains(&key) {
                continue;
            }
            seen.push(key);
            let Some(raw) = nested.get(key) else { continue };
            let own = self.event.facts.output.iter().find(|field| key_below(field.path, NESTED) == Some(key));
            match own {
                Some(field) => match field.channel {
                    Some(_) => self.nested_field(key, raw, blocks, stops),
                    None if key == "hookEventName" => {}
                    // A rewrite that cannot be made was reported with the verdict.
                    None if key == "updatedInput" => {}
                    None => self.unsupported(key, nested_channel(key).unwrap_or(Channel::ModelContext)),
                },
                None => {
                    if let Some(channel) = nested_channel(key) {
                        self.unsupported(key, channel);
                    }
                }
            }
        }
        self.elicitation(nested);
    }

    fn nested_field(&mut self, key: &str, raw: &RawValue, blocks: bool, stops: bool) {
        let text = || string(raw).map(Cow::into_owned).filter(|text| !text.is_empty());
        let flag = raw.get() == "true";
        let special = match key {
            "additionalContext" => return self.context(text(), blocks, stops),
            "updatedToolOutput" | "updatedMCPToolOutput" => return self.replace_result(key, raw),
            "watchPaths" => return self.watch_paths(raw),
            "classifierContext" if CLASSIFIER_CONTEXT.at(self.version) == Some(false) => return,
            "classifierContext" => text().map(Special::ClassifierContext),
            "initialUserMessage" => text().map(Special::InitialUserMessage),
            "sessionTitle" => text().map(Special::SessionTitle),
            "worktreePath" => text().map(Special::WorktreePath),
            "displayContent" => string(raw).map(|text| Special::DisplayText(text.into_owned())),
            "suppressOriginalPrompt" => flag.then_some(Special::SuppressOriginalPrompt),
            "reloadSkills" => flag.then_some(Special::ReloadSkills),
            "retry" => flag.then_some(Special::RetryHint),
            // Read with the verdict, or together with its neighbour.
            _ => return,
        };
        if let Some(special) = special {
            self.out.push(Effect::Special(special));
        }
    }

    /// Text for the model. Where a turn ends it makes the turn go on by itself (cases `b-Stop/context*`).
    fn context(&mut self, text: Option<String>, blocks: bool, stops: bool) {
        let Some(text) = text else { return };
        let deferred = |effect: &Effect| matches!(effect, Effect::Verdict { verdict: Verdict::Defer, .. });
        if self.out.effects.iter().any(deferred) {
            self.out.note(Note::field("additionalContext", "it is ignored beside `defer`"));
        } else if self.event.block == Block::Continue && !blocks && !stops {
            self.go_on(text);
        } else {
            self.out.push(Effect::Context(text));
        }
    }

    fn watch_paths(&mut self, raw: &RawValue) {
        match serde_json::from_str::<Vec<String>>(raw.get()) {
            Ok(paths) => self.out.push(Effect::Special(Special::WatchPaths(paths))),
            Err(_) => self.out.note(Note::field("watchPaths", "it holds something that is no text")),
        }
    }

    /// Another result. That of a built-in tool must fit the tool; the older field works for tool servers only.
    fn replace_result(&mut self, key: &str, raw: &RawValue) {
        let Some(tool) = self.envelope.payload.tool_use() else { return };
        if key == "updatedMCPToolOutput" && tool.call.as_mcp().is_none() {
            return self.unsupported(key, Channel::ReplacementResult);
        }
        let raw = RawJson::from_raw(raw);
        match tools::fits_output(&tool.call, &raw) {
            Ok(()) => self.out.push(Effect::ReplaceResult(ResultReplacement::Json(raw))),
            Err(why) => {
                self.unsupported(key, Channel::ReplacementResult);
                self.out.note(Note::field(key, format!("it does not fit the tool's result: {why}")));
            }
        }
    }

    fn elicitation(&mut self, nested: &RawObject<'_>) {
        if !is_question(self.event) {
            return;
        }
        let Some(action) = super::answer::text(nested, "action") else { return };
        let content = nested.get("content").map(RawJson::from_raw).filter(|_| action == "accept");
        self.out.push(Effect::Special(Special::ElicitationAnswer { action, content }));
    }
}

/// Whether an event is about a tool server's question.
fn is_question(event: &Event) -> bool {
    event.facts.output.iter().any(|field| key_below(field.path, NESTED) == Some("action"))
}

/// The channel that a key has on some event below the nested part; `None` for a key that nobody knows. Words that also
/// stand at the top of every answer are not among them.
fn nested_channel(key: &str) -> Option<Channel> {
    if key == "decision" {
        return None;
    }
    EVENTS
        .iter()
        .flat_map(|event| event.facts.output)
        .filter(|field| key_below(field.path, NESTED) == Some(key))
        .find_map(|field| field.channel)
}

/// Whether an object sets a field that means something by itself; a reason alone does not.
pub(super) fn says_something(object: &RawObject<'_>) -> bool {
    object.is_empty()
        || object.iter().any(|(key, _)| {
            key != "reason" && EVENTS.iter().flat_map(|event| event.facts.output).any(|field| field.path == key)
        })
}

/// Whether a text is made only of what the client passes to a terminal: bells, and operating-system commands 0, 1, 2, 9,
/// 99 and 777 that are ended properly (hooks page, `terminalSequence`).
pub(super) fn is_terminal_sequence(text: &str) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('\u{7}') {
            rest = after;
            continue;
        }
        let Some(body) = rest.strip_prefix("\u{1b}]") else { return false };
        let Some(end) = body.find(['\u{7}', '\u{1b}']) else { return false };
        let (command, after) = (body.get(..end).unwrap_or_default(), body.get(end..).unwrap_or_default());
        let Some((number, shown)) = command.split_once(';') else { return false };
        if !matches!(number, "0" | "1" | "2" | "9" | "99" | "777") || shown.chars().any(char::is_control) {
            return false;
        }
        match after.strip_prefix('\u{7}').or_else(|| after.strip_prefix("\u{1b}\\")) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

/// A line without the sequences that colour it.
pub(super) fn without_ansi(line: &str) -> Cow<'_, str> {
    if !line.contains('\u{1b}') {
        return Cow::Borrowed(line);
    }
    let mut kept = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            kept.push(c);
        } else if chars.next_if_eq(&'[').is_some() {
            for c in chars.by_ref() {
                if ('@'..='~').contains(&c) {
                    break;
                }
            }
        } else {
            chars.next();
        }
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_titles_and_notifications_reach_a_terminal() {
        for text in ["\u{7}", "\u{1b}]0;title\u{7}", "\u{1b}]777;notify;a;b\u{1b}\\\u{7}"] {
            assert!(is_terminal_sequence(text), "{text:?}");
        }
        for text in ["\u{1b}[2J", "text", "\u{1b}]52;c;aGk=\u{7}", "\u{1b}]0;open", "\u{1b}]0;a\u{1b}[2J\u{7}"] {
            assert!(!is_terminal_sequence(text), "{text:?}");
        }
    }

    #[test]
    fn colours_are_taken_off() {
        assert_eq!(without_ansi("\u{1b}[32m/abs/wt\u{1b}[0m"), "/abs/wt");
        assert_eq!(without_ansi("\u{1b}"), "");
    }
}
