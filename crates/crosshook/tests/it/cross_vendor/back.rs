//! There and back: what one vendor's hook asks for is written as another vendor's answer, read by that one's host, written
//! as the first vendor's answer and read again. Only that is lost, and only so far is less held back, as the losses of
//! one of the two ways say.

use hooks_conformance::cross::{Retold, Weaker, binding, decided, retell, same, weaker};
use hooks_core::Action;
use hooks_core::channel::Channel;
use hooks_core::effects::{Effect, Failure, ResultReplacement, Special, Verdict};
use hooks_core::facts::EventFacts;
use proptest::collection::vec;
use proptest::prelude::*;

use super::carry::{ADAPTERS, Pair, all_text, effect, outranked, pairs, words};
use super::{Named, all, cases};

/// Whether an effect that was heard may be what came of another: it says the same kind of thing, or it is the denial that
/// a restraint becomes where there is no word for it.
fn comes_of(heard: &Effect, said: &Effect) -> bool {
    let denial = matches!(heard, Effect::Verdict { verdict: Verdict::Deny, .. });
    // What stands beside the instructions of a compaction is context elsewhere.
    let instructions = matches!(said, Effect::Special(Special::CompactionInstructions(_)));
    heard.channel() == said.channel()
        || (denial && !matches!(said, Effect::Notice(_) | Effect::Context(_) | Effect::SessionEnv(_)))
        || (instructions && heard.channel() == Channel::ModelContext)
}

/// Both ways of one pair.
struct Journey {
    there: Retold,
    back: Retold,
}

impl Journey {
    fn of(adapters: &[Named], pair: &Pair, said: &[Effect]) -> Self {
        let on = |at: usize, event: &EventFacts, effects: &[Effect]| {
            let adapter = adapters[at].adapter.as_ref();
            let binding = binding(adapter, event.name, 0).expect("a binding");
            retell(adapter, &binding, &pair.envelope, effects, 0).expect("an event")
        };
        let there = on(pair.to, pair.to_event, said);
        let back = on(pair.from, pair.from_event, &there.heard.effects);
        Self { there, back }
    }

    /// Whether a loss of the way there is about an effect, or one of the way back about what came of it.
    fn tells(&self, said: &Effect) -> bool {
        let there = self.there.losses.iter().any(|loss| loss.is_about(said));
        let became = self.there.heard.effects.iter().filter(|heard| comes_of(heard, said));
        there || became.into_iter().any(|heard| self.back.losses.iter().any(|loss| loss.is_about(heard)))
    }
}

/// Holds the laws of a journey for what a hook of the first vendor asked for.
fn returns(adapters: &[Named], pair: &Pair, said: &[Effect]) -> Result<(), TestCaseError> {
    let (from, to) = (&adapters[pair.from], &adapters[pair.to]);
    let boundary = pair.envelope.boundary();
    let journey = Journey::of(adapters, pair, said);
    let came = &journey.back.heard;
    let at_home = |hook: hooks_core::HookEffects| decided(from.adapter.as_ref(), boundary, vec![hook]);
    let own = {
        let binding = binding(from.adapter.as_ref(), pair.from_event.name, 0).expect("a binding");
        let by = hooks_core::Who::of(&binding, &hooks_core::Outcome::exited(0, ""));
        hooks_core::HookEffects { effects: said.to_vec(), ..hooks_core::HookEffects::none(by) }
    };
    let (before, after) = (at_home(own), at_home(came.clone()));
    let context = format!(
        "{} {} to {} {} and back on {boundary}\nsaid {said:?}\nthere {:?}\nlosses {:?}\nback {:?}\nlosses {:?}",
        from.name,
        pair.from_event.name,
        to.name,
        pair.to_event.name,
        journey.there.heard.effects,
        journey.there.losses,
        came.effects,
        journey.back.losses,
    );
    prop_assert!(matches!(came.failure, None | Some(Failure::Empty)), "the answer is refused: {context}");
    prop_assert!(after.action != Action::Approve || before.action == Action::Approve, "it approves: {context}");

    // Where both could say a denial, nothing pending is let through.
    let can_deny = |event: &EventFacts| boundary.is_pending() && event.channels.contains(Channel::Verdict);
    for way in weaker(&pair.envelope, &before, &after) {
        let could = can_deny(pair.from_event) && can_deny(pair.to_event);
        prop_assert!(!could || way == Weaker::Halt, "weaker ({way:?}) where it could be denied: {context}");
        let restrains = |effect: &&Effect| match way {
            Weaker::Input => matches!(effect, Effect::ReplaceInput(_)),
            Weaker::Halt => matches!(effect, Effect::Halt(_) | Effect::Verdict { .. } | Effect::Special(_)),
            Weaker::Action => !matches!(effect, Effect::Notice(_) | Effect::Context(_)),
        };
        let told = said.iter().filter(restrains).any(|effect| journey.tells(effect));
        prop_assert!(told, "weaker ({way:?}) in silence: {context}");
    }

    for effect in said {
        let told = journey.tells(effect);
        let denied = after.action == Action::Deny;
        // What nobody says anything of is there as it was, or something stronger of the same hook stands for it.
        let there = came.effects.iter().any(|came| same(std::slice::from_ref(effect), std::slice::from_ref(came)));
        let stands = match effect {
            // Reasons are joined: their words are looked for below.
            Effect::Verdict { verdict, .. } => {
                let is_it = |came: &Effect| matches!(came, Effect::Verdict { verdict: other, .. } if other == verdict);
                outranked(said, effect) || (denied && *verdict != Verdict::Allow) || came.effects.iter().any(is_it)
            }
            Effect::Halt(_) | Effect::Unsupported(_) | Effect::ReplaceInput(_) => {
                denied || came.effects.iter().any(|came| came.channel() == effect.channel())
            }
            Effect::Special(Special::CompactionInstructions(text)) => all_text(&came.effects).contains(text),
            // Texts of one kind are joined, and lose what may reach no terminal: their words are looked for below.
            Effect::Notice(_) | Effect::Context(_) | Effect::Continue(_) => true,
            Effect::ReplaceResult(ResultReplacement::Text(_)) => true,
            Effect::ReplaceResult(_) | Effect::SessionEnv(_) => {
                came.effects.iter().any(|came| came.channel() == effect.channel())
            }
            _ => false,
        };
        prop_assert!(there || told || stands, "{effect:?} is lost in silence: {context}");
        for word in words(effect) {
            let found = all_text(&came.effects).contains(&word);
            prop_assert!(found || told || outranked(said, effect), "the words {word:?} are lost: {context}");
        }
    }
    Ok(())
}

/// One effect of every kind, over every pair of events and back. The report is no blanket: what nothing is said about is
/// there again, and much comes back as it was.
#[test]
fn every_kind_of_effect_goes_there_and_back() {
    let adapters = all();
    let (mut all, mut unharmed) = (0, 0);
    for pair in &pairs(&adapters) {
        for probe in hooks_conformance::cross::probes(adapters[pair.from].adapter.as_ref(), &pair.envelope) {
            let said = [probe.effect];
            if let Err(error) = returns(&adapters, pair, &said) {
                panic!("{}: {error}", probe.kind);
            }
            let journey = Journey::of(&adapters, pair, &said);
            all += 1;
            if journey.there.losses.is_empty() && journey.back.losses.is_empty() {
                let came = &journey.back.heard.effects;
                assert!(!came.is_empty(), "{:?} is gone in silence", said[0]);
                unharmed += usize::from(same(&said, came));
            }
        }
    }
    // Most of what can be said at all, two vendors do not share.
    assert!(all > 30_000 && unharmed > 1_500, "{unharmed} of {all} come back as they were");
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn whatever_is_asked_for_comes_back_but_for_what_the_losses_say(
        (at, said) in {
            let adapters = all();
            let pairs = pairs(&adapters);
            let strategies: Vec<_> = pairs.iter().map(|pair| effect(adapters[pair.from].adapter.as_ref(), &pair.envelope)).collect();
            (0..pairs.len()).prop_flat_map(move |at| (Just(at), vec(strategies[at].clone(), 0..5)))
        }
    ) {
        ADAPTERS.with(|(adapters, pairs)| returns(adapters, &pairs[at], &said))?;
    }
}
