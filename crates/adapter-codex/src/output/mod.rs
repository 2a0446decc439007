//! What a run's outcome asks for: the outcome classes of section 10, then one parser an event (section 11.3).
//!
//! A failed run is no opinion, on every event and whatever it printed. Only the host can make it more: by being strict,
//! by a closed failure policy, and by cancelling or cutting off what could have blocked.

mod compact;
mod model;
mod prompt;
mod read;
mod session;
mod stop;
mod tool;
mod write;

use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{Failure, Note, OnPending, RunStatus, Unsupported};
use hooks_core::facts::{Control, Exit2, OutputField, PlainStdout};
use hooks_core::handler::Background;
use hooks_core::text::strip_unsafe;
use hooks_core::{
    Binding, DecodePolicy, Effect, End, Envelope, FailurePolicy, Halt, Handler, HookEffects, Outcome, Verdict, Version,
    Who,
};

use crate::events::{Event, Guard, Kind, Reads, changed, field};
use read::{Answer, Printed, read};
pub(crate) use tool::STOPPED as STOPPED_RESULT;
pub(crate) use write::{all_lost, write};

/// What a run of an event's hook asks for.
pub(crate) fn decode(
    event: &'static Event,
    version: Version,
    binding: &Binding,
    envelope: &Envelope,
    outcome: &Outcome,
    policy: DecodePolicy,
) -> HookEffects {
    if is_background(binding) {
        return decode_late(event, version, binding, outcome);
    }
    let mut run = Run { event, binding, envelope, effects: HookEffects::none(Who::of(binding, outcome)) };
    let hosts_doing = match Class::of(version, outcome) {
        Class::Failed(failure) => {
            let cancelled = failure == Failure::Cancelled;
            run.fail(failure);
            cancelled
        }
        Class::Completed => run.completed(version, outcome),
        Class::Exit2 if event.facts.exit_2 == Exit2::Failure => {
            run.fail(Failure::ExitCode(2));
            false
        }
        Class::Exit2 => {
            run.exit_2(outcome);
            false
        }
    };
    let closed = policy.strict || binding.failure == FailurePolicy::Closed;
    if run.effects.failure.is_some() && (hosts_doing || closed) {
        run.block();
    }
    run.effects
}

/// What a background run asks for: context and notices, never control (section 12).
pub(crate) fn decode_late(
    event: &'static Event,
    version: Version,
    binding: &Binding,
    outcome: &Outcome,
) -> HookEffects {
    let mut late = HookEffects::none(Who::of(binding, outcome));
    let fail = |late: &mut HookEffects, failure| {
        late.status = RunStatus::Failed;
        late.failure = Some(failure);
    };
    match Class::of(version, outcome) {
        Class::Failed(failure) => fail(&mut late, failure),
        Class::Exit2 => fail(&mut late, Failure::ExitCode(2)),
        Class::Completed if event.reads != Reads::Stdout => {}
        Class::Completed if outcome.stdout_truncated => fail(&mut late, Failure::Truncated),
        Class::Completed => match read(event, version, &outcome.stdout_text()) {
            Printed::Nothing => {}
            Printed::Misfit(why) => fail(&mut late, Failure::Malformed(why)),
            Printed::Plain(text) => {
                if event.facts.plain_stdout == PlainStdout::Context {
                    late.push(Effect::Context(text.to_owned()));
                }
            }
            Printed::Answer(answer) => {
                if let Some(text) = answer.text(field::SYSTEM_MESSAGE) {
                    late.push(Effect::Notice(strip_unsafe(text).into_owned()));
                }
                if let Some(text) = answer.text(field::CONTEXT) {
                    late.push(Effect::Context(text.to_owned()));
                }
            }
        },
    }
    late
}

fn is_background(binding: &Binding) -> bool {
    matches!(&binding.handler, Handler::Command(command) if command.background != Background::No)
}

/// The outcome classes of section 10, in its order.
enum Class {
    Failed(Failure),
    Completed,
    Exit2,
}

impl Class {
    fn of(version: Version, outcome: &Outcome) -> Self {
        if !outcome.stdin_delivered && changed::UNREAD_INPUT_FAILS.at(version) == Some(true) {
            return Self::Failed(Failure::Stdin);
        }
        match &outcome.end {
            End::Exited(0) | End::Tool { is_error: false } => Self::Completed,
            End::Exited(2) => Self::Exit2,
            End::Exited(code) => Self::Failed(Failure::ExitCode(*code)),
            End::Signalled(signal) => Self::Failed(Failure::Signal(*signal)),
            End::TimedOut => Self::Failed(Failure::Timeout),
            End::Cancelled => Self::Failed(Failure::Cancelled),
            End::FailedToStart(why) => Self::Failed(Failure::Start(why.clone())),
            End::Tool { is_error: true } => Self::Failed(Failure::Tool),
            End::Http(status) => Self::Failed(Failure::Http(*status)),
            End::NotRun(why) => Self::Failed(Failure::NotRun(why.clone())),
            _ => Self::Failed(Failure::NotRun("Codex has no handler that ends like this".to_owned())),
        }
    }
}

/// One run while it is being judged.
struct Run<'a> {
    event: &'static Event,
    binding: &'a Binding,
    envelope: &'a Envelope,
    effects: HookEffects,
}

/// Stands for a message that was cut off by the runner.
const CUT_OFF: &str = "(the hook's message was too long and was cut off)";

impl Run<'_> {
    /// Judges a run that exited with 0; says whether the host itself spoiled it.
    fn completed(&mut self, version: Version, outcome: &Outcome) -> bool {
        match self.event.reads {
            Reads::Nothing => return false,
            Reads::StderrForTheReport => {
                model::completed(self, outcome);
                return false;
            }
            Reads::Stdout => {}
        }
        if outcome.stdout_truncated {
            self.fail(Failure::Truncated);
            return true;
        }
        match read(self.event, version, &outcome.stdout_text()) {
            Printed::Nothing => {}
            Printed::Answer(answer) => self.answer(&answer),
            Printed::Misfit(why) => self.fail(Failure::Malformed(why)),
            Printed::Plain(text) => match self.event.facts.plain_stdout {
                PlainStdout::Context => self.effects.push(Effect::Context(text.to_owned())),
                PlainStdout::Ignored => {
                    self.effects.note(Note::whole("plain text on standard output has no effect here"))
                }
                _ => self.fail(Failure::Malformed("it is no JSON".to_owned())),
            },
        }
        false
    }

    fn answer(&mut self, answer: &Answer<'_>) {
        if let Some(text) = answer.text(field::SYSTEM_MESSAGE) {
            self.effects.push(Effect::Notice(strip_unsafe(text).into_owned()));
        }
        if let Some(name) = answer.text(field::NAME)
            && name != self.event.facts.name
        {
            self.effects.note(Note::field(field::NAME, format!("names {name}; Codex obeys it all the same")));
        }
        match self.event.kind {
            Kind::PreToolUse => tool::pre_tool_use(self, answer),
            Kind::PermissionRequest => tool::permission_request(self, answer),
            Kind::PostToolUse => tool::post_tool_use(self, answer),
            Kind::PreCompact => compact::pre_compact(self, answer),
            Kind::PostCompact => compact::post_compact(self, answer),
            Kind::SessionStart => session::session_start(self, answer),
            Kind::SubagentStart => session::subagent_start(self, answer),
            Kind::UserPromptSubmit => prompt::user_prompt_submit(self, answer),
            Kind::SubagentStop => stop::subagent_stop(self, answer),
            Kind::Stop => stop::stop(self, answer),
            // These have nothing but `systemMessage`, or read nothing.
            Kind::Interrupt | Kind::SessionEnd | Kind::PreModelRequest | Kind::PostModelRequest => {}
        }
    }

    /// Exit code 2 on an event where it means something: standard error is the message; blank, the run failed.
    fn exit_2(&mut self, outcome: &Outcome) {
        let stderr = outcome.stderr_text();
        let text = stderr.trim();
        if text.is_empty() {
            return self.fail(Failure::ExitCode(2));
        }
        let text = if outcome.stderr_truncated { CUT_OFF } else { text };
        match self.event.facts.exit_2 {
            Exit2::Deny => self.deny(text),
            Exit2::Feedback => tool::feedback(self, text),
            Exit2::Halt => prompt::refuse(self, text),
            Exit2::Continue => stop::go_on(self, text),
            _ => self.fail(Failure::ExitCode(2)),
        }
    }

    fn fail(&mut self, failure: Failure) {
        self.effects.status = RunStatus::Failed;
        self.effects.failure = Some(failure);
    }

    /// Fails because the answer contradicts itself or lacks what it needs.
    fn misfit(&mut self, why: &str) {
        self.fail(Failure::Malformed(why.to_owned()));
    }

    /// Fails because of fields that the event knows and does not support.
    fn unsupported(&mut self, fields: &[&'static OutputField]) {
        let names: Vec<&str> = fields.iter().map(|field| last_part(field.path)).collect();
        for (field, name) in fields.iter().zip(&names) {
            self.effects.push(Effect::Unsupported(Unsupported {
                field: (*name).to_owned(),
                channel: field.channel.unwrap_or(Channel::Special),
                on_pending: OnPending::Ignore,
            }));
        }
        self.fail(Failure::Unsupported(names.join(", ")));
    }

    /// Fails because of one value of a field, by its path.
    fn unsupported_value(&mut self, path: &str) {
        let fields: Vec<_> = self.event.facts.output.iter().filter(|field| field.path == path).collect();
        self.unsupported(&fields);
    }

    fn context(&mut self, answer: &Answer<'_>) {
        if let Some(text) = answer.text(field::CONTEXT) {
            self.effects.push(Effect::Context(text.to_owned()));
        }
    }

    fn deny(&mut self, reason: &str) {
        self.effects.status = RunStatus::Blocked;
        self.effects.verdict(Verdict::Deny, vec![strip_unsafe(reason).into_owned()]);
    }

    fn halt(&mut self, status: RunStatus, mut halt: Halt) {
        self.effects.status = status;
        halt.reason = halt.reason.map(|reason| strip_unsafe(&reason).into_owned());
        self.effects.push(Effect::Halt(halt));
    }

    /// Blocks in the hook's place, where the event can keep something from happening.
    fn block(&mut self) {
        let Some(failure) = &self.effects.failure else { return };
        let name = self.event.facts.name;
        match self.event.guard {
            Guard::None => {}
            Guard::Deny => {
                let noun = match self.event.facts.control {
                    Control::Permission { noun } => noun,
                    _ => "action",
                };
                let reason = format!("a {name} hook {failure}, so the {noun} was denied");
                self.effects.verdict(Verdict::Deny, vec![strip_unsafe(&reason).into_owned()]);
            }
            Guard::Halt => {
                let reason = format!("a {name} hook {failure}");
                let status = self.effects.status;
                if let Some(halt) = own_halt(self.event, Some(reason)) {
                    self.halt(status, halt);
                }
            }
        }
    }
}

/// The text of one field of what a hook printed, where that fits the event.
pub(crate) fn text_of(event: &'static Event, version: Version, printed: &str, path: &str) -> Option<String> {
    match read(event, version, printed) {
        Printed::Answer(answer) => answer.text(path).map(str::to_owned),
        _ => None,
    }
}

/// The halt that an event's `continue` `false` is; `None` where it is none.
fn own_halt(event: &Event, reason: Option<String>) -> Option<Halt> {
    event.facts.channels.contains(Channel::Halt).then(|| match event.kind {
        Kind::UserPromptSubmit => prompt::halt(reason),
        Kind::PreCompact => compact::halt_before(reason),
        Kind::SubagentStop => Halt::of(&[Stop::Subagent], reason),
        _ => Halt::of(&[Stop::Turn], reason),
    })
}

fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// A run for an event that the version does not have: nothing, and it says so.
pub(crate) fn no_event(binding: &Binding, outcome: &Outcome) -> HookEffects {
    let failure = Failure::NotRun(format!("there is no event {}", binding.place.event));
    HookEffects::failed(Who::of(binding, outcome), failure)
}
