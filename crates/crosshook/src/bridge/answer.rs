//! What a script said as an answer in the host's language, and the answers of a bridge that cannot do its work.

use hooks_core::adapter::{Answer, DecodePolicy, Loss};
use hooks_core::boundary::Boundary;
use hooks_core::definition::Binding;
use hooks_core::effects::{Continuation, Effect, HookEffects, OnPending, Verdict};
use hooks_core::envelope::Envelope;
use hooks_core::facts::EventFacts;
use hooks_core::json::{RawJson, RawObject};
use hooks_core::outcome::Outcome;
use hooks_core::settle::Dropped;
use hooks_core::text::clean_message;
use hooks_core::{HostProfile, SessionState, decide, reduce, settle};

use super::{Bridge, Occurrence};

/// A run of the script, and what it was told of.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What it was told.
    pub told: Envelope,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it is unsure that it should have run: only what restrains counts then.
    pub doubtful: Option<String>,
}

/// An answer in the host's language, with what became of the script's.
#[derive(Clone, Debug)]
pub struct Bridged {
    /// What to print and how to exit.
    pub answer: Answer,
    /// What the script's own vendor makes of each of its runs.
    pub said: Vec<HookEffects>,
    /// What the answer cannot say.
    pub losses: Vec<Loss>,
    /// What the script's own vendor would have dropped: a continuation beyond its limit, say.
    pub dropped: Vec<Dropped>,
    /// The session after it.
    pub session: SessionState,
}

impl Bridge {
    /// The answer that the host reads, with the session after it.
    ///
    /// `runs` are those of what was [told](Bridge::tell), in its order, for which the script ran; `of` is how many were
    /// told. What lets the whole call go on must be said of every part of it.
    #[must_use]
    pub fn answer(
        &self,
        hook: &Binding,
        occurrence: &Occurrence,
        runs: &[Ran],
        of: usize,
        session: SessionState,
    ) -> Bridged {
        let (event, envelope, rounds) = (occurrence.event, &occurrence.envelope, occurrence.rounds());
        let boundary = envelope.boundary();
        let policy = DecodePolicy { strict: self.strict };
        let said: Vec<HookEffects> = runs
            .iter()
            .map(|run| {
                let mut said = self.written_for.decode(hook, &run.told, &run.outcome, policy);
                if run.doubtful.is_some() {
                    said = said.doubtful();
                    said.effects.retain(restrains);
                }
                said
            })
            .collect();
        let settled = settle(reduce(said.clone()), self.written_for.merge_policy(boundary), self.strict);
        let profile = HostProfile::full().strict(self.strict);
        let (decision, mut session) = decide(settled, boundary, &profile, session);
        // The end of the turn was counted when it came, whoever prolonged it: see `Bridge::begin`.
        session.turns_continued = rounds.unwrap_or(session.turns_continued);
        if hook.once && !runs.is_empty() {
            session.ran_once.insert(hook.id.clone());
        }
        let counts = |text: &str| decision.continuations.iter().any(|said| said.value.text == text);
        let effects = said.iter().flat_map(|said| &said.effects).filter_map(|effect| match effect {
            Effect::Continue(continuation) if !counts(&continuation.text) => None,
            Effect::Continue(continuation) => {
                // The limits are held here, so that the host need have no word for them.
                let unlimited = Continuation { loop_limit: None, vendor_cap: None, ..continuation.clone() };
                Some(Effect::Continue(unlimited))
            }
            Effect::Unsupported(unsupported) if self.strict && boundary.is_pending() => {
                let mut unsupported = unsupported.clone();
                unsupported.on_pending = OnPending::Deny;
                Some(Effect::Unsupported(unsupported))
            }
            effect => Some(effect.clone()),
        });
        let mut effects: Vec<Effect> = effects.collect();
        if of > 1 {
            join_parts(&mut effects, of);
        }
        let (answer, losses) = self.host.write_answer(event, envelope, &effects);
        Bridged { answer, said, losses, dropped: decision.report.dropped, session }
    }

    /// The answer of a hook that has nothing to say.
    #[must_use]
    pub fn silence(&self, occurrence: &Occurrence) -> Answer {
        self.host.write_answer(occurrence.event, &occurrence.envelope, &[]).0
    }

    /// The answer where the bridge itself cannot do its work on an occurrence: a denial where something is pending, and
    /// nothing elsewhere, with the reason on standard error and a code that is none of a vendor's.
    #[must_use]
    pub fn refusal(&self, occurrence: &Occurrence, why: &str) -> Answer {
        if !can_hold_back(occurrence.envelope.boundary()) {
            return failed(1, why);
        }
        let deny = Effect::Verdict { verdict: Verdict::Deny, reasons: vec![message(why)] };
        self.host.write_answer(occurrence.event, &occurrence.envelope, &[deny]).0
    }

    /// The answer where not even the host's standard input can be read: it blocks, by the exit code that all vendors read
    /// as a block, unless the text names an event on which nothing can be held back, or where blocking means that a turn
    /// goes on. Where the text names none, the event that the script was written for says which.
    #[must_use]
    pub fn refuse(&self, stdin: &[u8], written_for: Option<&EventFacts>, why: &str) -> Answer {
        let named = RawObject::parse_slice(stdin).ok().and_then(|object| {
            let name = RawJson::parse(object.get("hook_event_name")?.get()).ok()?.to_value();
            self.host.event(name.as_str()?)
        });
        let holds = match (named, written_for) {
            (Some(event), _) => event.boundary.is_none_or(can_hold_back),
            (None, Some(event)) => self.written_for.boundaries(event).into_iter().any(can_hold_back),
            (None, None) => true,
        };
        failed(if holds { 2 } else { 1 }, why)
    }
}

/// Whether something can be held back on a boundary, other than by making a turn go on.
pub(super) fn can_hold_back(boundary: Boundary) -> bool {
    boundary.is_pending() || boundary == Boundary::PromptSubmit
}

/// Whether an effect holds something back: what counts where it is doubtful that a hook should have run.
fn restrains(effect: &Effect) -> bool {
    match effect {
        Effect::Verdict { verdict, .. } => *verdict != Verdict::Allow,
        Effect::Halt(_) => true,
        Effect::Unsupported(unsupported) => unsupported.on_pending == OnPending::Deny,
        _ => false,
    }
}

/// Makes what was said of the parts of a call what is said of the whole: an allow counts if it was said of each, and another
/// input of one part cannot be put into the whole, which is then not made.
fn join_parts(effects: &mut Vec<Effect>, of: usize) {
    let is_allow = |effect: &Effect| matches!(effect, Effect::Verdict { verdict: Verdict::Allow, .. });
    let allowed = effects.iter().filter(|effect| is_allow(effect)).count();
    if allowed < of {
        effects.retain(|effect| !is_allow(effect));
    }
    let all = effects.len();
    effects.retain(|effect| !matches!(effect, Effect::ReplaceInput(_)));
    if effects.len() < all {
        let why = "a hook rewrote a part of the call, which cannot be put into the whole, so it was not made";
        effects.push(Effect::Verdict { verdict: Verdict::Deny, reasons: vec![why.to_owned()] });
    }
}

fn message(why: &str) -> String {
    format!("crosshook bridge: {}", clean_message(why))
}

fn failed(exit_code: i32, why: &str) -> Answer {
    Answer { stdout: Vec::new(), stderr: (message(why) + "\n").into_bytes(), exit_code }
}
