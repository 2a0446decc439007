//! Answers: what one outcome asks for, by the table's policies.

mod fields;
mod observe;
mod permission;
mod prompt;
pub(crate) mod write;

use hooks_core::adapter::DecodePolicy;
use hooks_core::boundary::Stop;
use hooks_core::definition::{Binding, FailurePolicy};
use hooks_core::effects::{Effect, Failure, Halt, HookEffects, Note, RunStatus, Verdict, Who};
use hooks_core::facts::{Control, EmptyRule, Exit2, FailureRule};
use hooks_core::json::{RawObject, too_deep_at};
use hooks_core::outcome::{End, Outcome};
use hooks_core::text::{clean_message, shorten};
use hooks_core::{Envelope, HostSide};

use crate::Adapter;
use crate::events::Event;
use fields::Mismatch;

/// Characters of a command that a reason quotes.
const QUOTED: usize = 200;

/// What an outcome asks for.
pub(crate) fn decode(
    adapter: &Adapter,
    binding: &Binding,
    envelope: &Envelope,
    outcome: &Outcome,
    policy: DecodePolicy,
) -> HookEffects {
    let by = Who::of(binding, outcome);
    let Some(event) = adapter.row(&binding.place.event) else {
        return HookEffects::failed(by, Failure::Unsupported(binding.place.event.clone()));
    };
    let closed = policy.strict || binding.failure == FailurePolicy::Closed;
    let mut answer =
        Answer { adapter, event, binding, envelope, strict: policy.strict, closed, effects: HookEffects::none(by) };
    answer.outcome(outcome);
    if let Some(field) = crate::input::nulled(event, envelope) {
        answer.effects.note(Note::field(field, "its value has no JSON form, so the hook got null"));
    }
    answer.effects
}

/// Why a run gave no readable answer, as far as the policies tell cases apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// The run itself failed.
    Run,
    /// The answer cannot be read.
    Malformed,
    /// There is no answer.
    Empty,
    /// The host cut the answer off.
    CutOff,
    /// The host cancelled the run.
    Cancelled,
}

/// One outcome being decoded.
struct Answer<'a> {
    adapter: &'a Adapter,
    event: &'static Event,
    binding: &'a Binding,
    envelope: &'a Envelope,
    strict: bool,
    closed: bool,
    effects: HookEffects,
}

impl Answer<'_> {
    fn outcome(&mut self, outcome: &Outcome) {
        match &outcome.end {
            End::Exited(0) if outcome.stdout_truncated => {
                self.fail_printing(Cause::CutOff, Failure::Truncated, &outcome.stdout);
            }
            End::Exited(0) => self.printed(&outcome.stdout),
            End::Exited(2) if self.event.facts.exit_2 != Exit2::Failure => self.exit_2(outcome),
            End::Exited(code) => self.fail_printing(Cause::Run, Failure::ExitCode(*code), &outcome.stdout),
            End::Signalled(signal) => self.fail_printing(Cause::Run, Failure::Signal(*signal), &outcome.stdout),
            End::TimedOut => self.fail_printing(Cause::Run, Failure::Timeout, &outcome.stdout),
            End::Cancelled => self.fail(Cause::Cancelled, Failure::Cancelled),
            End::FailedToStart(why) => self.fail(Cause::Run, Failure::Start(why.clone())),
            End::NotRun(why) => self.fail(Cause::Run, Failure::NotRun(why.clone())),
            End::Model if outcome.stdout_truncated => self.fail(Cause::CutOff, Failure::Truncated),
            End::Model => self.model(&outcome.stdout),
            End::Http(status) => self.fail(Cause::Run, Failure::Http(*status)),
            End::Tool { .. } => self.fail(Cause::Run, Failure::Tool),
            _ => self.fail(Cause::Run, Failure::NotRun("it ended in a way that is not known".to_owned())),
        }
    }

    /// What an exit with 0 printed.
    fn printed(&mut self, stdout: &[u8]) {
        if stdout.trim_ascii().is_empty() {
            // White space alone is an answer of nothing: an `echo` without words.
            match self.event.facts.empty {
                EmptyRule::NoOpinion => {}
                _ => self.fail(Cause::Empty, Failure::Empty),
            }
            return;
        }
        if too_deep_at(stdout).is_some() {
            self.malformed("it is nested too deeply");
            return;
        }
        let object = match RawObject::parse_slice(stdout) {
            Ok(object) => object,
            Err(error) => {
                self.malformed(&format!("it is not one JSON object: {error}"));
                return;
            }
        };
        let read = match self.event.facts.control {
            Control::Permission { .. } => self.permission(&object),
            Control::Halt => self.prompt(&object),
            _ => self.observed(&object),
        };
        if let Err(Mismatch(why)) = read {
            self.malformed(&why);
        }
    }

    /// Exit code 2 where it denies or stops; the messages of a readable answer are read (first design, decoding).
    fn exit_2(&mut self, outcome: &Outcome) {
        let object = if outcome.stdout_truncated || too_deep_at(&outcome.stdout).is_some() {
            None
        } else {
            RawObject::parse_slice(&outcome.stdout).ok()
        };
        let (agent, user) = object.as_ref().map_or((None, None), |object| self.messages(object));
        if !outcome.stdout.trim_ascii().is_empty() && object.is_none() {
            self.effects.note(Note::whole("it exited with code 2, and what it printed cannot be read"));
        }
        let host = format!("{} blocked {} with exit code 2", self.hook(), self.what());
        self.block(agent, user, host);
        self.effects.status = RunStatus::Blocked;
    }

    /// A model's answer to a prompt hook: `{"ok": bool, "reason"?: string}` (hooks page, prompt hooks). What a refusal does
    /// on each event is not spelled out: here it blocks what the event can block. That something is fine approves
    /// nothing by itself.
    fn model(&mut self, stdout: &[u8]) {
        let object = match RawObject::parse_slice(stdout) {
            Ok(object) if too_deep_at(stdout).is_none() => object,
            _ => {
                self.malformed("the model's answer is not one JSON object");
                return;
            }
        };
        let ok = object.get("ok").and_then(|raw| serde_json::from_str::<bool>(raw.get()).ok());
        let reason = fields::text(&object, "reason").ok().flatten();
        match (ok, self.event.facts.control) {
            (Some(true), _) => {}
            (None, _) => self.malformed("the model's answer has no `ok` of true or false"),
            (Some(false), Control::Permission { .. }) => {
                let host = format!("{} refused {}", self.hook(), self.what());
                self.verdict(Verdict::Deny, None, reason, host);
            }
            (Some(false), Control::Halt) => {
                let host = format!("{} refused {}", self.hook(), self.what());
                self.halt(reason.unwrap_or(host));
            }
            (Some(false), _) => {
                self.effects.note(Note::field("ok", "a refusal has no documented effect on this event"));
            }
        }
    }

    fn malformed(&mut self, why: &str) {
        self.fail(Cause::Malformed, Failure::Malformed(clean_message(why).into_owned()));
    }

    /// A run without a readable answer: it fails, and blocks where the table, the definition, the host's strictness or
    /// the host's own doing say so.
    fn fail(&mut self, cause: Cause, failure: Failure) {
        let unreadable = matches!(cause, Cause::Malformed | Cause::CutOff);
        let always = match self.event.facts.control {
            Control::Permission { .. } => unreadable && self.event.facts.malformed == FailureRule::Block,
            Control::Halt => cause == Cause::CutOff && self.adapter.options().cut_off_blocks_prompt,
            _ => false,
        };
        let blocks = self.event.can_block() && (self.closed || always || cause == Cause::Cancelled);
        if blocks {
            let reason = format!("{} {failure}, so {} was not allowed", self.hook(), self.what());
            self.block(None, None, clean_message(&reason).into_owned());
        }
        self.effects.status = RunStatus::Failed;
        self.effects.failure = Some(failure);
    }

    /// A failed run whose output is not used. A refusal in it that can be read holds all the same: nobody says that it
    /// does not, and going on would let something through that a hook said no to.
    fn fail_printing(&mut self, cause: Cause, failure: Failure, stdout: &[u8]) {
        self.fail(cause, failure);
        if !self.event.can_block() || !self.effects.effects.is_empty() {
            return;
        }
        let Ok(object) = RawObject::parse_slice(stdout) else { return };
        if too_deep_at(stdout).is_some() || !self.refuses(&object) {
            return;
        }
        let (agent, user) = self.messages(&object);
        let host = format!("{} refused {} and failed", self.hook(), self.what());
        self.block(agent, user, host);
        self.effects.status = RunStatus::Failed;
        self.effects.note(Note::whole("the run failed; the refusal that it printed holds"));
    }

    /// Whether an answer says no.
    fn refuses(&self, object: &RawObject<'_>) -> bool {
        match self.event.facts.control {
            Control::Halt => object.get("continue").is_some_and(|raw| raw.get() == "false"),
            _ => fields::word(self.event, object).is_some_and(|(_, raw)| fields::is_word(raw, "deny")),
        }
    }

    /// The documented messages of an answer, as far as they can be read.
    fn messages(&self, object: &RawObject<'_>) -> (Option<String>, Option<String>) {
        let message = |key: &str| {
            let documented = self.event.output_field(key).is_some_and(|field| field.channel.is_some());
            if documented { fields::text(object, key).ok().flatten() } else { None }
        };
        (message("agent_message"), message("user_message"))
    }

    /// Blocks what the event can block.
    fn block(&mut self, agent: Option<String>, user: Option<String>, host: String) {
        if self.event.facts.control == Control::Halt {
            self.halt(user.unwrap_or(host));
        } else {
            self.verdict(Verdict::Deny, agent, user, host);
        }
    }

    /// The hook as reasons name it: by its command, or by its id where the command has nothing to show.
    fn hook(&self) -> String {
        let label = self.binding.handler.label();
        match clean_message(&label) {
            clean if clean.is_empty() => format!("the hook {}", clean_message(self.binding.id.as_str())),
            clean => format!("the hook `{}`", shorten(&clean, QUOTED)),
        }
    }

    /// What the event is about, as reasons name it.
    fn what(&self) -> String {
        match self.event.facts.control {
            Control::Permission { noun } => format!("this {noun}"),
            _ => "this prompt".to_owned(),
        }
    }

    /// A verdict that restrains, with its reason: the message for the agent, else the one for the person, else the
    /// host's own text. A message for the person that is not the reason is a notice.
    fn verdict(&mut self, verdict: Verdict, agent: Option<String>, user: Option<String>, host: String) {
        let (reason, notice) = match (agent, user) {
            (Some(agent), user) => (agent, user),
            (None, Some(user)) => (user, None),
            (None, None) => (host, None),
        };
        let notice = notice.filter(|notice| *notice != reason);
        self.effects.verdict(verdict, vec![reason]);
        if let Some(notice) = notice {
            self.effects.push(Effect::Notice(notice));
        }
        if verdict == Verdict::Deny {
            self.effects.status = RunStatus::Blocked;
        }
    }

    /// The prompt is not sent. Cursor was seen to keep a blocked message in the history (forum thread 156823).
    fn halt(&mut self, reason: String) {
        let mut halt = Halt::of(&[Stop::Prompt], Some(reason));
        halt.prompt = Some(hooks_core::effects::PromptFate::Keep);
        self.effects.push(Effect::Halt(halt));
        if self.effects.status == RunStatus::Completed {
            self.effects.status = RunStatus::Blocked;
        }
    }

    /// The call that a rewritten input comes to.
    fn rewrite(&mut self, raw: &serde_json::value::RawValue) {
        let raw = hooks_core::RawJson::from_raw(raw);
        let call = match self.envelope.payload.tool_use() {
            Some(tool) => self.adapter.project(&tool.call, &raw),
            None => Err(hooks_core::tool::InputRefused { reason: "there is no tool call to rewrite".to_owned() }),
        };
        self.effects.push(Effect::ReplaceInput(hooks_core::effects::Rewrite { raw, call }));
    }
}
