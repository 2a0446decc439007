//! An answer explained: pure, from one outcome to everything that is said about it.

use std::sync::Arc;

use hooks_conformance::{decision_json, effects_json, outcome_json};
use hooks_core::adapter::{Answer, DecodePolicy};
use hooks_core::boundary::Stop;
use hooks_core::effects::{Note, PromptFate};
use hooks_core::evidence::Evidence;
use hooks_core::facts::{Control, EventFacts, Exit2};
use hooks_core::handler::HandlerKind;
use hooks_core::{
    Action, Binding, Boundary, Channel, Continuation, Decision, Effect, End, Envelope, Halt, HookEffects, HostProfile,
    HostSide, Outcome, SessionState, Verdict, Version, decide, reduce, settle,
};
use serde_json::{Value, json};

use super::fields::{self, Fate, Status};
use super::rules::{self, Rule};
use crate::cli::fire::explain as firing;

/// One answer to one occurrence.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Whose rules hold.
    pub adapter: Arc<dyn HostSide>,
    /// The event.
    pub event: &'static EventFacts,
    /// The hook.
    pub binding: Binding,
    /// What happened.
    pub envelope: Envelope,
    /// How the hook ended and what it printed.
    pub outcome: Outcome,
    /// Who decides on it.
    pub host: HostProfile,
}

impl Case {
    /// What the answer asks for.
    pub(crate) fn decode(&self, strict: bool) -> HookEffects {
        self.adapter.decode(&self.binding, &self.envelope, &self.outcome, DecodePolicy { strict })
    }

    /// The same with another standard output.
    fn decode_other(&self, stdout: &str, strict: bool) -> HookEffects {
        let outcome = Outcome { stdout: stdout.as_bytes().to_vec(), ..self.outcome.clone() };
        self.adapter.decode(&self.binding, &self.envelope, &outcome, DecodePolicy { strict })
    }

    /// What the host, or a strict one that is else like it, makes of it, had this been the only hook.
    pub(crate) fn decide(&self, effects: &HookEffects, strict: bool) -> Decision {
        let boundary = self.envelope.boundary();
        let settled = settle(reduce([effects.clone()]), self.adapter.merge_policy(boundary), strict);
        decide(settled, boundary, &self.host.clone().strict(strict), SessionState::default()).0
    }

    /// Whether the vendor's client runs handlers of a type on the event.
    pub(crate) fn runs(&self, kind: HandlerKind) -> bool {
        let side = crosshook::translate::side(self.adapter.vendor().as_str());
        kind == HandlerKind::Command || side.is_none_or(|side| side.runs(self.event, kind))
    }

    /// Whether a hook on the event can hold something back: what is pending, what comes next, or a stop.
    pub(crate) fn can_block(&self) -> bool {
        self.event.channels.contains(Channel::Verdict)
            || self.event.channels.contains(Channel::Halt)
            || self.event.control == Control::Continuation
    }
}

/// Whether a decision holds something back. What makes a turn go on holds its end back.
pub(crate) fn holds_back(decision: &Decision) -> bool {
    matches!(decision.action, Action::Deny | Action::Ask | Action::Defer)
        || decision.halt.is_some()
        || !decision.continuations.is_empty()
}

/// Whether a vendor's files can say that a failure blocks.
pub(crate) fn can_close(adapter: &dyn HostSide) -> bool {
    crosshook::translate::side(adapter.vendor().as_str()).is_none_or(|side| side.config().keys.fail_closed)
}

/// What an answer meant to clients from some version on.
#[derive(Clone, Debug)]
pub(crate) struct Era {
    /// The first version; `None` for all before the next one.
    pub since: Option<Version>,
    /// What it meant, in a few words.
    pub meaning: String,
}

impl Era {
    /// The words for when it was.
    pub(crate) fn name(&self) -> String {
        self.since.map_or_else(|| "earlier".to_owned(), |since| since.to_string())
    }
}

/// What the three who take part see of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sees {
    /// The model.
    pub model: Vec<String>,
    /// The person.
    pub person: Vec<String>,
    /// The tool, or what else is pending; `None` where there is none.
    pub tool: Option<String>,
}

/// An answer to give in place of another.
#[derive(Clone, Debug)]
pub(crate) struct Instead {
    /// What it does, as an infinitive.
    pub to: &'static str,
    /// What to print and how to end.
    pub answer: Answer,
}

impl Instead {
    /// What to do, in a line.
    pub(crate) fn text(&self) -> String {
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
        let Answer { stdout, stderr, exit_code, .. } = &self.answer;
        let mut parts = Vec::new();
        if !stdout.is_empty() {
            parts.push(format!("print {}", said(stdout)));
        }
        if !stderr.is_empty() {
            parts.push(format!("write {:?} to standard error", said(stderr)));
        }
        parts.push(format!("exit with {exit_code}"));
        format!("to {}, {}", self.to, parts.join(" and "))
    }
}

/// Something that was asked for and dropped.
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    /// What it was.
    pub what: String,
    /// Why it was dropped.
    pub why: String,
}

/// Everything about an answer.
#[derive(Clone, Debug)]
pub(crate) struct Explanation {
    /// The answer.
    pub case: Case,
    /// What it asks for.
    pub effects: HookEffects,
    /// What the host does.
    pub decision: Decision,
    /// Whether that host is strict.
    pub strict: bool,
    /// What a strict host does, where that differs.
    pub stricter: Option<Decision>,
    /// The rules that led there.
    pub rules: Vec<Rule>,
    /// Each field of a JSON answer.
    pub fields: Vec<Fate>,
    /// How many more fields there are.
    pub beyond: usize,
    /// What it meant to older clients, where that differs; oldest first.
    pub eras: Vec<Era>,
}

impl Explanation {
    /// What an answer comes to, for a host that is strict or not, without the rules and fields that led there.
    pub(crate) fn brief(case: Case, strict: bool) -> Self {
        let effects = case.decode(strict);
        let decision = case.decide(&effects, strict);
        let stricter = if strict { None } else { stricter(&case, &decision) };
        let (rules, fields, eras) = (Vec::new(), Vec::new(), Vec::new());
        Self { case, effects, decision, strict, stricter, rules, fields, beyond: 0, eras }
    }

    /// Explains an answer, for a host that is strict or not.
    pub(crate) fn of(case: Case, strict: bool) -> Self {
        let Self { case, effects, decision, stricter, .. } = Self::brief(case, strict);
        let stdout = case.outcome.stdout_text().into_owned();
        let read = |other: &str| case.decode_other(other, strict);
        let (mut fields, beyond) = fields::fates(&*case.adapter, case.event, &stdout, &effects, &read);
        for fate in &mut fields {
            fate.follow(&effects, &decision);
        }
        let rules = rules::rules(&case, &effects, strict);
        let eras = rules::eras(&case, strict);
        Self { case, effects, decision, strict, stricter, rules, fields, beyond, eras }
    }

    /// The hook failed, it could have held something back, and the vendor lets it go on.
    pub(crate) fn fails_open(&self) -> bool {
        fails_open(&self.case, &self.effects, &self.decision)
    }

    /// The code that `fire` would end with.
    pub(crate) fn code(&self) -> u8 {
        firing::exit_code(&self.decision)
    }

    /// Remarks about the run that are about no part of its answer.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = &Note> {
        let failed = self.effects.failure.is_some();
        self.effects.notes.iter().filter(move |note| failed && note.field.is_none())
    }

    /// What is dropped on the way, with the reason.
    pub(crate) fn dropped(&self) -> Vec<Lost> {
        let mut lost = Vec::new();
        let failed = self.effects.failure.is_some();
        for note in self.effects.notes.iter().filter(|note| !failed || note.field.is_some()) {
            let what = note.field.as_ref().map_or_else(|| "the answer".to_owned(), |field| format!("`{field}`"));
            lost.push(Lost { what, why: note.text.clone() });
        }
        let foreign = |fate: &&Fate| matches!(fate.status, Status::Foreign | Status::Unknown);
        for fate in self.fields.iter().filter(foreign) {
            let told = lost.iter().any(|lost| lost.what == format!("`{}`", fate.path));
            if !told {
                lost.push(Lost { what: format!("`{}`", fate.path), why: fate.why.clone() });
            }
        }
        for effect in &self.effects.effects {
            if let Effect::Unsupported(unsupported) = effect {
                let event = self.case.event;
                let is_it = |note: &Note| {
                    note.field.as_deref().is_some_and(|field| field.rsplit('.').next() == Some(&unsupported.field))
                };
                if self.effects.notes.iter().any(is_it) {
                    continue;
                }
                let why = if event.channels.contains(unsupported.channel) {
                    format!("{} does not support it as it stands here", event.name)
                } else {
                    format!("{} has no {} channel", event.name, unsupported.channel)
                };
                lost.push(Lost { what: format!("`{}`", unsupported.field), why });
            }
        }
        for dropped in &self.decision.report.dropped {
            if !is_silent_allow(&dropped.effect) {
                lost.push(Lost { what: firing::effect(&dropped.effect), why: dropped.why.clone() });
            }
        }
        lost
    }

    /// An answer that does what this one may have meant to do and does not: how a hook says no on the event, or makes
    /// the agent go on. `None` where the answer holds something back, or nothing of it is lost.
    pub(crate) fn instead(&self) -> Option<Instead> {
        let case = &self.case;
        let wrong = |fate: &Fate| !matches!(fate.status, Status::Taken | Status::Ignored);
        let unread = self.effects.effects.is_empty() && !fields::trimmed(&case.outcome.stdout_text()).is_empty();
        let lost = self.effects.failure.is_some() || unread || self.fields.iter().any(wrong);
        if !lost || holds_back(&self.decision) {
            return None;
        }
        let reason = || "WHY".to_owned();
        let (to, effect) = match case.event.control {
            Control::Permission { .. } => {
                ("say no", Effect::Verdict { verdict: Verdict::Deny, reasons: vec![reason()] })
            }
            Control::Continuation => ("make it go on", Effect::Continue(Continuation::new("WHAT TO DO", None))),
            Control::Halt if case.envelope.boundary() == Boundary::PromptSubmit => {
                let mut halt = Halt::of(&[Stop::Prompt], Some(reason()));
                halt.prompt = Some(PromptFate::Erase);
                ("stop the prompt", Effect::Halt(halt))
            }
            _ => return None,
        };
        let codec = crosshook::codec(case.adapter.vendor().as_str())?;
        let (answer, _) = codec.write_answer(case.event, &case.envelope, &[effect]);
        // Only what is found to do what it says is told.
        let mut outcome = Outcome::exited(answer.exit_code, answer.stdout.clone());
        outcome.stderr.clone_from(&answer.stderr);
        let given = Case { outcome, ..case.clone() };
        let decision = given.decide(&given.decode(false), false);
        holds_back(&decision).then_some(Instead { to, answer })
    }

    /// What model, person and tool see.
    pub(crate) fn sees(&self) -> Sees {
        let mut sees = sees(&self.decision, &self.case.envelope);
        let Outcome { end, stderr, .. } = &self.case.outcome;
        if *end == End::Exited(2) && self.case.event.exit_2 == Exit2::ShownToUser && !stderr.trim_ascii().is_empty() {
            let stderr = String::from_utf8_lossy(stderr);
            sees.person.push(format!("in the client's report of the failed hook: {}", stderr.trim()));
        }
        sees
    }

    /// What the host must do, one line for each part of the decision.
    pub(crate) fn duties(&self) -> Vec<&'static str> {
        firing::duties(self.case.envelope.boundary(), &self.decision, self.code())
    }

    /// What the answer means in a line or two.
    pub(crate) fn meaning(&self) -> String {
        firing::meaning(&self.effects).join("; ")
    }

    /// Everything as JSON.
    pub(crate) fn json(&self) -> Value {
        let case = &self.case;
        let evidence = |evidence: &Evidence| json!({ "basis": evidence.basis.as_str(), "source": evidence.source });
        let rules = self.rules.iter().map(|rule| {
            json!({
                "rule": rule.id,
                "text": rule.text,
                "evidence": rule.evidence.as_ref().map(evidence),
                "since": rule.since.to_string(),
            })
        });
        let fields = self.fields.iter().map(|fate| {
            let of = fate.of.iter().map(|(vendor, event)| json!({ "vendor": vendor, "event": event }));
            json!({
                "path": fate.path,
                "value": fate.value,
                "status": fate.status.as_str(),
                "why": fate.why,
                "channel": fate.channel.map(Channel::as_str),
                "of": of.collect::<Vec<_>>(),
            })
        });
        let dropped = self.dropped();
        let sees = self.sees();
        json!({
            "vendor": case.adapter.vendor().as_str(),
            "version": case.adapter.version().to_string(),
            "event": case.event.name,
            "boundary": case.envelope.boundary().name(),
            "fired_by_hosts": case.event.boundary.is_some(),
            "strict": self.strict,
            "evidence": evidence(&case.event.evidence),
            "outcome": outcome_json(&case.outcome),
            "rules": rules.collect::<Vec<_>>(),
            "fields": fields.collect::<Vec<_>>(),
            "fields_beyond": self.beyond,
            "status": self.effects.status.as_str(),
            "failure": self.effects.failure.as_ref().map(ToString::to_string),
            "means": firing::meaning(&self.effects),
            "effects": effects_json(&self.effects),
            "dropped": dropped.iter().map(|lost| json!({ "what": lost.what, "why": lost.why })).collect::<Vec<_>>(),
            "notes": self.remarks().map(|note| note.text.clone()).collect::<Vec<_>>(),
            "instead": self.instead().map(|instead| instead.text()),
            "decision": decision_json(&self.decision),
            "exit_code": self.code(),
            "fails_open": self.fails_open(),
            "strict_decision": self.stricter.as_ref().map(decision_json),
            "sees": { "model": sees.model, "person": sees.person, "tool": sees.tool },
            "host": Some(self.duties().join(" ")).filter(|duties| !duties.is_empty()),
            "versions": self.eras.iter()
                .map(|era| json!({ "since": era.since.map(|since| since.to_string()), "means": era.meaning }))
                .collect::<Vec<_>>(),
        })
    }
}

/// An allow without a word: nothing is lost with it.
pub(crate) fn is_silent_allow(effect: &Effect) -> bool {
    matches!(effect, Effect::Verdict { verdict: Verdict::Allow, reasons } if reasons.is_empty())
}

/// Whether a run failed on an event that can hold something back, and does not.
pub(crate) fn fails_open(case: &Case, effects: &HookEffects, decision: &Decision) -> bool {
    effects.failure.is_some() && case.can_block() && !holds_back(decision)
}

/// What a strict host does, where that is something else.
pub(crate) fn stricter(case: &Case, usual: &Decision) -> Option<Decision> {
    let strict = case.decide(&case.decode(true), true);
    let differs = strict.action != usual.action
        || strict.halt != usual.halt
        || strict.to_model != usual.to_model
        || strict.to_user != usual.to_user;
    differs.then_some(strict)
}

/// What model, person and tool see of a decision.
pub(crate) fn sees(decision: &Decision, envelope: &Envelope) -> Sees {
    let boundary = envelope.boundary();
    let mut sees = Sees::default();
    sees.model.extend(decision.to_model.iter().map(|said| said.value.clone()));
    sees.model.extend(
        decision.result.iter().map(|said| format!("in place of the result: {}", firing::result_text(&said.value))),
    );
    sees.model.extend(decision.continuations.iter().map(|said| format!("as the next prompt: {}", said.value.text)));
    sees.person.extend(decision.to_user.iter().map(|said| said.value.clone()));
    sees.person.extend(decision.halt.iter().filter_map(|said| said.value.reason.clone()));
    let input = decision.input.as_ref().map(|said| {
        let raw = said.value.raw.as_ref().map_or_else(|| said.value.action.kind(), |raw| raw.get());
        format!("with another input: {raw}")
    });
    let with = |text: &str| match &input {
        Some(input) => format!("{text}, {input}"),
        None => text.to_owned(),
    };
    let what = if boundary == Boundary::SubagentStart { "the subagent" } else { "the call" };
    sees.tool = if boundary.is_pending() {
        Some(match decision.action {
            Action::Deny => format!("nothing: {what} is not made"),
            Action::Ask => with(&format!("{what}, if the person says yes")),
            Action::Defer => format!("nothing yet: {what} waits"),
            Action::Approve => with(&format!("{what}; nobody is asked")),
            Action::NoOpinion => with(&format!("{what}, if the host's own rules let it")),
        })
    } else if envelope.payload.tool_use().is_some() {
        Some("nothing: it has run".to_owned())
    } else {
        None
    };
    sees
}
