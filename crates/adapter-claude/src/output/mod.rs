//! What a run's outcome asks for.
//!
//! An outcome is read in three steps: how it ended, what its standard output is ([`stdout`]), and, where that is an
//! answer, what its fields mean on the event ([`fields`], [`verdict`]). Failures that block do so in one place,
//! [`Reader::fail`]: by the vendor's rule for the event, the handler's `onFailure`, or the host's strictness.

mod answer;
mod fields;
mod model;
mod stdout;
pub(crate) mod verdict;
mod write;

use std::borrow::Cow;

use hooks_core::adapter::DecodePolicy;
use hooks_core::definition::{Binding, FailurePolicy};
use hooks_core::document::mend_surrogates;
use hooks_core::effects::{
    Continuation, Effect, Failure, Halt, HookEffects, Note, OnPending, RunStatus, Special, Unsupported, Verdict, Who,
};
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::facts::{EmptyRule, Exit2, FailureRule, PlainStdout};
use hooks_core::handler::{Background, Handler};
use hooks_core::json::RawObject;
use hooks_core::outcome::{End, Outcome};
use hooks_core::source::Origin;
use hooks_core::text::{clean_message, display_line};
use hooks_core::vendor::Version;

pub(crate) use self::write::{all_lost, write};

use self::answer::{Answer, Decision};
use self::stdout::Text;
use crate::Options;
use crate::events::{
    self, Block, EXIT_2_BESIDE_BROKEN, Event, GUARDS_BLOCK_UNRUN, MissingScript, NO_REASON, NO_STDERR, OnFailure,
    StopRule, ToolText,
};

/// What decoding depends on beside the run itself.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'o> {
    pub(crate) policy: DecodePolicy,
    pub(crate) version: Version,
    pub(crate) options: &'o Options,
}

/// What an outcome asks for. Never fails: a binding on an event that is not in the table is a failed run.
pub(crate) fn decode(
    event: Option<&'static Event>,
    binding: &Binding,
    envelope: &Envelope,
    outcome: &Outcome,
    surroundings: Surroundings<'_>,
) -> HookEffects {
    let who = Who::of(binding, outcome);
    let Some(event) = event else {
        return HookEffects::failed(who, Failure::NotRun("its event is not one of the client's".to_owned()));
    };
    let stdout = outcome.stdout_text();
    if is_background(binding) && ran(outcome) {
        return late(binding, outcome, &stdout);
    }
    let mut reader = Reader {
        binding,
        event,
        envelope,
        outcome,
        surroundings,
        version: surroundings.version,
        stderr: outcome.stderr_text().into_owned(),
        merged: None,
        out: HookEffects::none(who),
    };
    // `JSON.parse` takes half a surrogate pair; text that is no answer stays as it is.
    let looks_like_json = stdout::trim(&stdout).starts_with('{') || matches!(outcome.end, End::Model);
    reader.read(&if looks_like_json { mend_surrogates(&stdout) } else { Cow::Borrowed(&*stdout) });
    reader.out
}

/// What a late answer of a background run asks for: context for the next turn, whatever its decisions say. Its notices
/// go to the model too, and wrongly typed fields are dropped one by one (hooks page, hooks in the background).
pub(crate) fn decode_late(binding: &Binding, outcome: &Outcome) -> HookEffects {
    late(binding, outcome, &outcome.stdout_text())
}

fn is_background(binding: &Binding) -> bool {
    matches!(&binding.handler, Handler::Command(command) if command.background != Background::No)
}

fn ran(outcome: &Outcome) -> bool {
    matches!(outcome.end, End::Exited(_) | End::Signalled(_))
}

fn late(binding: &Binding, outcome: &Outcome, stdout: &str) -> HookEffects {
    let mut out = HookEffects::none(Who::of(binding, outcome));
    if outcome.stdout_truncated {
        out.failure = Some(Failure::Truncated);
        out.status = RunStatus::Failed;
        return out;
    }
    let wakes = matches!(&binding.handler, Handler::Command(command) if command.background == Background::AsyncRewake);
    let mended = mend_surrogates(stdout);
    let text = stdout::trim(stdout::after_detaching(&mended));
    if wakes && outcome.end == End::Exited(2) {
        let stderr = outcome.stderr_text();
        let said = if stdout::trim(&stderr).is_empty() { text } else { stdout::trim(&stderr) };
        out.status = RunStatus::Blocked;
        if !said.is_empty() {
            out.push(Effect::Context(said.to_owned()));
        }
        return out;
    }
    let Ok(top) = RawObject::parse(text) else { return out };
    let nested = top.get(events::NESTED).and_then(|raw| RawObject::parse(raw.get()).ok());
    let context = nested.as_ref().and_then(|nested| answer::text(nested, "additionalContext"));
    for said in [context, answer::text(&top, "systemMessage")].into_iter().flatten() {
        if !said.is_empty() {
            out.push(Effect::Context(said));
        }
    }
    if answer::text(&top, "decision").is_some() || top.get("continue").is_some() || nested.is_some() {
        out.note(Note::whole("a run in the background decides nothing"));
    }
    out
}

/// Whether the text of an effect is one whose length the client limits: `additionalContext`, `systemMessage`,
/// `initialUserMessage` and plain text. The words of a block are not (case L481), whether they are feedback or what a
/// turn goes on with; of an answer that stops and gives one text, that text counts as context.
pub(crate) fn is_capped(event: &Event, said: &HookEffects, at: usize) -> bool {
    let contexts = || said.effects.iter().enumerate().filter(|(_, effect)| matches!(effect, Effect::Context(_)));
    match said.effects.get(at) {
        Some(Effect::Context(_)) => {
            // Feedback is read before anything else that the model gets.
            let is_first = contexts().next().is_some_and(|(first, _)| first == at);
            let blocked = match said.status {
                RunStatus::Completed => false,
                RunStatus::Stopped => contexts().count() > 1,
                _ => true,
            };
            !(event.block == Block::Feedback && is_first && blocked)
        }
        Some(Effect::Continue(_)) => said.status == RunStatus::Completed,
        Some(Effect::Notice(_)) => true,
        Some(Effect::Special(special)) => {
            matches!(special, Special::InitialUserMessage(_) | Special::CompactionInstructions(_))
        }
        _ => false,
    }
}

/// One reading of an outcome.
struct Reader<'a> {
    binding: &'a Binding,
    event: &'static Event,
    envelope: &'a Envelope,
    outcome: &'a Outcome,
    surroundings: Surroundings<'a>,
    version: Version,
    stderr: String,
    /// The reason of a block that a stop beside it takes in.
    merged: Option<String>,
    out: HookEffects,
}

impl Reader<'_> {
    fn read(&mut self, stdout: &str) {
        match &self.outcome.end {
            End::TimedOut => self.fail(Failure::Timeout),
            End::Cancelled => self.fail(Failure::Cancelled),
            End::FailedToStart(why) => self.fail(Failure::Start(why.clone())),
            End::NotRun(why) => self.fail(Failure::NotRun(why.clone())),
            _ if self.outcome.stdout_truncated => match self.outcome.end {
                // What was cut off is not looked at; the exit code blocks by itself.
                End::Exited(2) if self.exit_2_blocks() => self.block(self.exit_2_text()),
                _ => self.fail(Failure::Truncated),
            },
            End::Exited(code) => self.exited(*code, stdout),
            // The shell reports a signal as an exit code above 128; what was printed before counts likewise.
            End::Signalled(signal) => self.answered(stdout, Some(Failure::Signal(*signal))),
            End::Http(status) => self.http(*status, stdout),
            End::Tool { is_error: true } => self.fail(Failure::Tool),
            End::Tool { is_error: false } => self.tool(stdout),
            End::Model => self.model(stdout),
            _ => self.fail(Failure::NotRun("it ended in a way that is not known here".to_owned())),
        }
    }

    /// A command that ended by itself.
    fn exited(&mut self, code: i32, stdout: &str) {
        match code {
            0 if self.event.facts.plain_stdout == PlainStdout::Special => self.last_line(stdout),
            0 if self.event.facts.malformed == FailureRule::Block => {
                self.out.note(Note::whole("only the exit code counts on this event"));
            }
            0 => self.answered(stdout, None),
            2 if self.script_is_missing(stdout) => self.fail(Failure::ExitCode(2)),
            2 => self.exit_2(stdout),
            code => self.answered(stdout, Some(Failure::ExitCode(code))),
        }
    }

    /// Reads an answer. `failed` is what it would have failed with, had it said nothing; JSON decides alone.
    fn answered(&mut self, stdout: &str, failed: Option<Failure>) {
        if self.event.facts.malformed == FailureRule::Block
            && let Some(failure) = failed
        {
            return self.fail(failure);
        }
        if matches!(self.binding.handler, Handler::Command(_)) && stdout::detaches(stdout) {
            self.out.note(Note::whole("it went to the background; what it says later decides nothing"));
            return;
        }
        match stdout::classify(stdout, self.version) {
            Text::Empty | Text::Plain(_) if failed.is_some() => self.fail(failed.unwrap_or(Failure::Empty)),
            Text::Empty if self.event.facts.empty == EmptyRule::MissingDecision => self.fail(Failure::Empty),
            Text::Empty => {}
            Text::Plain(text) => self.plain(text),
            Text::Object(object) => match Answer::read(object, self.event, self.version) {
                Ok(answer) => {
                    let blocks = self.apply(&answer, false);
                    // A failure blocks even beside an answer that allows; its own refusal speaks for itself.
                    match failed {
                        Some(failure) if self.closed() && !blocks => self.fail(failure),
                        _ if self.event.facts.empty == EmptyRule::MissingDecision && self.out.effects.is_empty() => {
                            self.fail(Failure::Empty);
                        }
                        _ => {}
                    }
                }
                Err(why) => self.fail(Failure::Malformed(why)),
            },
            Text::Broken(why) => self.fail(Failure::Malformed(why)),
        }
    }

    fn plain(&mut self, text: &str) {
        match self.event.facts.plain_stdout {
            PlainStdout::Context => self.out.push(Effect::Context(text.to_owned())),
            _ => self.out.note(Note::whole("text that is no answer goes to the client's debug log")),
        }
    }

    /// The path of a worktree: the last line that is not empty, without colours (cases `ev-WorktreeCreate-*`).
    fn last_line(&mut self, stdout: &str) {
        match stdout
            .lines()
            .rev()
            .map(|line| fields::without_ansi(line).trim().to_owned())
            .find(|line| !line.is_empty())
        {
            Some(path) => self.out.push(Effect::Special(hooks_core::effects::Special::WorktreePath(path))),
            None => self.fail(Failure::Empty),
        }
    }

    /// Exit code 2: a block where the event can be blocked, whatever the answer beside it says.
    fn exit_2(&mut self, stdout: &str) {
        let blocks = self.exit_2_blocks();
        let beside = match stdout::classify(stdout, self.version) {
            Text::Object(object) => Some(Answer::read(object, self.event, self.version)),
            Text::Broken(why) => Some(Err(why)),
            Text::Empty | Text::Plain(_) => None,
        };
        match beside {
            Some(Ok(answer)) => {
                self.apply(&answer, blocks);
                if self.event.facts.exit_2 == Exit2::ShownToUser {
                    self.fail(Failure::ExitCode(2));
                }
            }
            Some(Err(why)) if !blocks || EXIT_2_BESIDE_BROKEN.at(self.version) == Some(false) => {
                self.fail(Failure::Malformed(why));
            }
            _ if blocks => self.block(self.exit_2_text()),
            _ if self.event.facts.exit_2 == Exit2::ShownToUser => self.fail(Failure::ExitCode(2)),
            _ => self.out.note(Note::whole("exit code 2 means nothing on this event")),
        }
    }

    fn exit_2_blocks(&self) -> bool {
        matches!(self.event.facts.exit_2, Exit2::Deny | Exit2::Halt | Exit2::Continue | Exit2::Feedback | Exit2::Refuse)
    }

    /// An answer to a request: 2xx with nothing or with an object; anything else is a failure, and a status alone never
    /// blocks (cases `type-http-*`).
    fn http(&mut self, status: u16, body: &str) {
        if !(200..300).contains(&status) {
            return self.fail(Failure::Http(status));
        }
        match stdout::classify(body, self.version) {
            Text::Plain(_) => self.fail(Failure::Malformed("the body is no JSON object".to_owned())),
            _ => self.answered(body, None),
        }
    }

    /// A tool server's answer, read like a command's. With `onFailure: "block"` an answer without any hook field is a
    /// failure, except where a block would stop nothing or where plain text has a meaning of its own.
    fn tool(&mut self, text: &str) {
        let strict = self.closed() && self.event.can_block() && self.event.tool_text != ToolText::Answers;
        match stdout::classify(text, self.version) {
            Text::Plain(_) if strict => self.fail(Failure::Malformed("the answer is no JSON object".to_owned())),
            Text::Object(object) if strict && !fields::says_something(&object) => {
                self.fail(Failure::Malformed("the answer has no hook field".to_owned()));
            }
            Text::Plain(_) if self.event.tool_text == ToolText::Dropped => {
                self.out.note(Note::whole("a tool's plain text does not reach the model here"));
            }
            Text::Plain(path) if self.event.facts.plain_stdout == PlainStdout::Special => self.last_line(path),
            _ => self.answered(text, None),
        }
    }

    /// Whether the handler says that its failures block, and the event heeds it.
    fn closed(&self) -> bool {
        self.binding.failure == FailurePolicy::Closed
            && matches!(self.event.on_failure, OnFailure::AsExit2 | OnFailure::Denies)
    }

    /// Records a failed run, and blocks where a failure does.
    fn fail(&mut self, failure: Failure) {
        let can_block = self.event.can_block();
        let by_vendor = match &failure {
            Failure::Timeout => self.event.timeout_blocks,
            Failure::NotRun(_) => self.event.guard && self.unrun_guard_blocks(),
            _ => false,
        };
        // Output that was cut off and a run that was cancelled are the host's doing, for which nobody's hook pays. A turn
        // whose hooks were cancelled does not go on because of that: going on guards nothing.
        let by_host = match &failure {
            Failure::Truncated => can_block,
            Failure::Cancelled => can_block && self.event.block != Block::Continue,
            _ => false,
        };
        let blocks = by_vendor
            || by_host
            || self.event.facts.malformed == FailureRule::Block
            || self.closed()
            || (self.surroundings.policy.strict && can_block);
        if let Some(line) = self.stderr.lines().find(|line| !line.trim().is_empty()) {
            self.out.note(Note::whole(format!("it wrote: {}", display_line(line))));
        }
        if blocks {
            let mut text = format!("[{}]: {failure}, so what it guards was blocked", self.label());
            let stderr = clean_message(&self.stderr);
            if !stderr.is_empty() {
                text.push('\n');
                text.push_str(&stderr);
            }
            if self.event.on_failure == OnFailure::Denies {
                self.out.verdict(Verdict::Deny, vec![clean_message(&text).into_owned()]);
            } else {
                self.block(text);
            }
        }
        self.out.status = RunStatus::Failed;
        self.out.failure = Some(failure);
    }

    /// Whether a guard that was not run blocks: not where the client itself runs the event without it.
    fn unrun_guard_blocks(&self) -> bool {
        GUARDS_BLOCK_UNRUN.at(self.version) == Some(true)
            && crate::invoke::never_runs(self.event, self.binding, self.surroundings.options, self.version).is_none()
    }

    /// What a block comes to on the event.
    fn block(&mut self, text: String) {
        if matches!(&self.envelope.payload, Payload::ConfigChanged(changed) if changed.source == "policy_settings") {
            // The organisation's own settings cannot be kept from applying (case L443).
            return self.unsupported("decision", hooks_core::channel::Channel::Verdict);
        }
        let text = match clean_message(&text) {
            cleaned if cleaned.is_empty() => NO_REASON.to_owned(),
            cleaned => cleaned.into_owned(),
        };
        if self.event.block != Block::Nothing {
            self.out.status = RunStatus::Blocked;
        }
        match self.event.block {
            Block::Deny => self.out.verdict(Verdict::Deny, vec![text]),
            Block::Halt(stops, prompt) => {
                let mut halt = Halt::of(stops, Some(text));
                halt.prompt = prompt;
                self.out.push(Effect::Halt(halt));
            }
            Block::Continue => self.go_on(text),
            Block::Feedback => self.out.push(Effect::Context(text)),
            Block::Nothing => self.unsupported("decision", hooks_core::channel::Channel::Verdict),
        }
    }

    fn go_on(&mut self, text: String) {
        let mut continuation = Continuation::new(text, None);
        continuation.vendor_cap = self.surroundings.options.stop_cap;
        self.out.push(Effect::Continue(continuation));
    }

    fn unsupported(&mut self, field: &str, channel: hooks_core::channel::Channel) {
        self.out.push(Effect::Unsupported(Unsupported {
            field: field.to_owned(),
            channel,
            on_pending: OnPending::Ignore,
        }));
    }

    /// The text of a block by exit code 2 (cases `exit2*`): the command and what it wrote to standard error.
    fn exit_2_text(&self) -> String {
        let stderr = clean_message(&self.stderr);
        let said = if stderr.is_empty() { NO_STDERR } else { &stderr };
        format!("[{}]: {said}", self.label())
    }

    fn label(&self) -> String {
        display_line(self.binding.handler.label().trim()).into_owned()
    }

    /// Exit code 2 of an interpreter that did not find its script is a failure on some events. Which words the client
    /// looks for is not recorded; these are those of the common interpreters.
    fn script_is_missing(&self, stdout: &str) -> bool {
        let here = match self.event.missing_script {
            MissingScript::Blocks => false,
            MissingScript::Fails => true,
            MissingScript::FailsInPlugins => {
                self.binding.source.plugin.is_some() || self.binding.source.origin == Origin::Plugin
            }
        };
        let says = |words: &str| self.stderr.contains(words);
        here && stdout::trim(stdout).is_empty()
            && (says("No such file or directory") || says("can't open file") || says("Cannot find module"))
    }

    /// Applies the fields of an answer; `exit_2` where the exit code blocks. Gives whether it blocks.
    fn apply(&mut self, answer: &Answer<'_>, exit_2: bool) -> bool {
        if answer.foreign.is_some() {
            self.out.note(Note::field(events::NESTED, "it names another event and is not looked at"));
        }
        let blocks = if verdict::is_for(self.event) {
            self.verdict(answer, exit_2)
        } else if self.event.on_failure == OnFailure::Denies {
            self.permission(answer)
        } else {
            self.simple_decision(answer, exit_2)
        };
        self.stop(answer, blocks);
        self.fields(answer, exit_2, blocks);
        blocks
    }

    /// `decision` on events that have no nested one.
    fn simple_decision(&mut self, answer: &Answer<'_>, exit_2: bool) -> bool {
        match answer.decision {
            Some(Decision::Block) => {
                let reason = match (&answer.reason, exit_2) {
                    (Some(reason), _) => reason.clone(),
                    (None, true) => self.exit_2_text(),
                    (None, false) => NO_REASON.to_owned(),
                };
                self.block_or_stop(reason, answer);
                self.event.block != Block::Nothing
            }
            _ if exit_2 => {
                self.block_or_stop(self.exit_2_text(), answer);
                true
            }
            Some(Decision::Approve) => {
                self.out.note(Note::field("decision", "approving has no meaning on this event"));
                false
            }
            None => false,
        }
    }

    /// Blocks; where a stop beside it halts the same thing there is one halt, in which the stop's reason leads.
    fn block_or_stop(&mut self, reason: String, answer: &Answer<'_>) {
        let merges = answer.stops
            && matches!(self.event.block, Block::Halt(..))
            && matches!(self.event.stop, StopRule::Stops(_));
        if !merges {
            return self.block(reason);
        }
        if answer.stop_reason.is_some() {
            self.out.note(Note::field("reason", format!("the stop speaks in its place: {}", display_line(&reason))));
        }
        self.merged = Some(reason);
    }
}
