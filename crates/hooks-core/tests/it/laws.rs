//! The laws of the algebra as properties, each also shown to fail on a broken variant.
//!
//! 256 cases by default; `PROPTEST_CASES=100000` (or `cargo xtask proptest-long`) runs more.

use std::collections::BTreeMap;

use hooks_core::boundary::{Boundary, Stop};
use hooks_core::channel::{Channel, Channels};
use hooks_core::decide::{Action, Decision, decide};
use hooks_core::definition::{BindingId, LoopLimit};
use hooks_core::effects::{
    Continuation, Effect, EnvChange, EnvReach, Failure, Halt, HookEffects, Items, OnPending, PromptFate,
    ResultReplacement, Rewrite, RunStatus, Said, Special, Unsupported, Verdict, When, Who, reduce,
};
use hooks_core::host::HostProfile;
use hooks_core::json::RawJson;
use hooks_core::policy::{InputRule, Lead, Leads, MergePolicy, Order, Pick, ResultRule, VerdictRule};
use hooks_core::session::SessionState;
use hooks_core::settle::{Settled, settle, settle_all};
use hooks_core::tool::{InputRefused, Projected, ToolCall};
use hooks_core::vendor::VendorId;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};

pub const VENDORS: [&str; 3] = ["alpha", "beta", "gamma"];

fn text() -> impl Strategy<Value = String> {
    "[a-e]{1,3}"
}

fn verdict() -> impl Strategy<Value = Verdict> {
    select(vec![Verdict::Allow, Verdict::Ask, Verdict::Defer, Verdict::Deny])
}

fn halt() -> impl Strategy<Value = Halt> {
    let stops = vec![Stop::Prompt, Stop::Action, Stop::Turn, Stop::Compaction, Stop::Subagent, Stop::Session];
    (
        subsequence(stops, 1..=3),
        proptest::option::of(select(vec![When::Before, When::After])),
        proptest::option::of(select(vec![PromptFate::Keep, PromptFate::Erase])),
        proptest::option::of(text()),
    )
        .prop_map(|(stops, when, prompt, reason)| Halt { when, prompt, ..Halt::of(&stops, reason) })
}

fn rewrite() -> impl Strategy<Value = Rewrite> {
    (text(), any::<bool>()).prop_map(|(command, fits)| {
        let raw = RawJson::parse(&format!(r#"{{"command":"{command}"}}"#)).unwrap();
        let call = if fits {
            Ok(Projected { call: ToolCall::shell(command), ignored: Vec::new() })
        } else {
            Err(InputRefused { reason: "made up".to_owned() })
        };
        Rewrite { raw, call }
    })
}

fn effect() -> impl Strategy<Value = Effect> {
    prop_oneof![
        4 => (verdict(), proptest::collection::vec(text(), 0..2))
            .prop_map(|(verdict, reasons)| Effect::Verdict { verdict, reasons }),
        1 => text().prop_map(Effect::Notice),
        1 => text().prop_map(Effect::Context),
        2 => rewrite().prop_map(Effect::ReplaceInput),
        1 => text().prop_map(|text| Effect::ReplaceResult(ResultReplacement::Text(text))),
        1 => text().prop_map(|text| Effect::ReplaceResult(ResultReplacement::Json(RawJson::string(&text)))),
        1 => (text(), text()).prop_map(|(name, value)| {
            Effect::SessionEnv(BTreeMap::from([(name, EnvChange { value, reach: EnvReach::Hooks })]))
        }),
        1 => halt().prop_map(Effect::Halt),
        1 => (text(), proptest::option::of(0u32..4)).prop_map(|(text, limit)| {
            Effect::Continue(Continuation::new(text, limit.map(LoopLimit::AtMost)))
        }),
        1 => text().prop_map(|text| Effect::PermissionUpdate(RawJson::string(&text))),
        1 => (text(), any::<bool>()).prop_map(|(field, deny)| Effect::Unsupported(Unsupported {
            field,
            channel: Channel::Verdict,
            on_pending: if deny { OnPending::Deny } else { OnPending::Ignore },
        })),
        1 => select(vec![
            Special::Interrupt,
            Special::ReloadSkills,
            Special::SessionTitle("t".to_owned()),
            Special::ClassifierContext("c".to_owned()),
        ])
        .prop_map(Effect::Special),
    ]
}

#[derive(Clone, Debug)]
pub struct Hook {
    pub vendor: usize,
    pub doubtful: bool,
    pub failed: bool,
    pub effects: Vec<Effect>,
}

fn hook() -> impl Strategy<Value = Hook> {
    (
        0..VENDORS.len(),
        proptest::bool::weighted(0.1),
        proptest::bool::weighted(0.1),
        proptest::collection::vec(effect(), 0..4),
    )
        .prop_map(|(vendor, doubtful, failed, effects)| Hook { vendor, doubtful, failed, effects })
}

/// Hooks with a completion order.
#[derive(Clone, Debug)]
pub struct Firing {
    pub hooks: Vec<Hook>,
    pub finishing: Vec<u32>,
}

pub fn firing() -> impl Strategy<Value = Firing> {
    proptest::collection::vec(hook(), 0..6).prop_flat_map(|hooks| {
        let places: Vec<u32> = (0..).take(hooks.len()).collect();
        (Just(hooks), Just(places).prop_shuffle()).prop_map(|(hooks, finishing)| Firing { hooks, finishing })
    })
}

fn of_one_vendor(mut firing: Firing) -> Firing {
    for hook in &mut firing.hooks {
        hook.vendor = 0;
    }
    firing
}

impl Firing {
    fn effects(&self) -> Vec<HookEffects> {
        self.hooks
            .iter()
            .enumerate()
            .map(|(at, hook)| HookEffects {
                by: Who {
                    binding: BindingId::new(&format!("b{at}")),
                    vendor: VendorId::from_static(VENDORS[hook.vendor]),
                    declared: u32::try_from(at).unwrap(),
                    finished: self.finishing[at],
                    doubtful: hook.doubtful,
                },
                status: RunStatus::Completed,
                failure: hook.failed.then_some(Failure::Empty),
                effects: hook.effects.clone(),
                notes: Vec::new(),
            })
            .collect()
    }

    pub fn items(&self) -> Items {
        reduce(self.effects())
    }
}

fn lead() -> impl Strategy<Value = Lead> {
    (select(vec![Pick::All, Pick::First, Pick::Last]), order()).prop_map(|(pick, by)| Lead { pick, by })
}

fn order() -> impl Strategy<Value = Order> {
    select(vec![Order::Declared, Order::Finishing])
}

pub fn policy() -> impl Strategy<Value = MergePolicy> {
    (
        (lead(), lead(), lead(), lead()),
        (order(), order(), order()),
        select(vec![InputRule::LastFinished, InputRule::LastDeclared, InputRule::LastAnswer]),
        select(vec![ResultRule::LastFinished, ResultRule::LastDeclared, ResultRule::Join("\n\n")]),
        any::<bool>(),
    )
        .prop_map(
            |((deny, ask, other, halt), (context, notices, env), input, result, halt_drops_continuations)| {
                MergePolicy {
                    verdict: VerdictRule::Strongest,
                    leads: Leads { deny, ask, defer: other, allow: other, halt },
                    context,
                    notices,
                    input,
                    result,
                    env,
                    halt_drops_continuations,
                    classifier_limit: None,
                }
            },
        )
}

pub fn host() -> impl Strategy<Value = HostProfile> {
    (any::<bool>(), any::<bool>(), any::<bool>(), subsequence(Channel::ALL.to_vec(), 0..=Channel::ALL.len())).prop_map(
        |(ask, defer, strict, lacking)| {
            let channels = Channels::ALL.minus(Channels::of(&lacking));
            HostProfile::full().ask(ask).defer(defer).strict(strict).channels(channels)
        },
    )
}

type Settle<'a> = &'a dyn Fn(Items, &MergePolicy) -> Settled;
type Verified = Result<(), TestCaseError>;

/// Adding a hook never weakens a deny.
fn deny_stays(settle: Settle<'_>, firing: &Firing, policy: &MergePolicy) -> Verified {
    let mut fewer = firing.clone();
    fewer.hooks.pop();
    fewer.finishing.truncate(fewer.hooks.len());
    if settle(fewer.items(), policy).verdict == Some(Verdict::Deny) {
        prop_assert_eq!(settle(firing.items(), policy).verdict, Some(Verdict::Deny));
    }
    Ok(())
}

/// Empty effects are neutral, wherever they stand.
fn empty_is_neutral(settle: Settle<'_>, firing: &Firing, policy: &MergePolicy) -> Verified {
    let with = |silent: bool| {
        let mut effects = firing.effects();
        if silent {
            let by = Who {
                binding: BindingId::new("silent"),
                vendor: VendorId::from_static(VENDORS[0]),
                declared: 1000,
                finished: 1000,
                doubtful: false,
            };
            effects.push(HookEffects::none(by));
        }
        let mut settled = settle(reduce(effects), policy);
        settled.report.runs.clear();
        settled
    };
    prop_assert_eq!(with(true), with(false));
    Ok(())
}

/// Completion order matters only where a policy names it.
fn completion_order_is_named(settle: Settle<'_>, firing: &Firing) -> Verified {
    let policy = MergePolicy::DECLARED;
    let shown = |firing: &Firing| {
        let settled = settle(firing.items(), &policy);
        let texts = |list: &[Said<String>]| list.iter().map(|said| said.value.clone()).collect::<Vec<_>>();
        let specials: Vec<_> = settled
            .special
            .iter()
            .filter(|said| !matches!(said.value, Special::SessionTitle(_)))
            .map(|said| said.value.clone())
            .collect();
        (
            settled.verdict,
            texts(&settled.reasons),
            texts(&settled.notices),
            texts(&settled.context),
            settled.input.map(|said| said.value),
            settled.result.map(|said| said.value),
            settled.session_env.into_iter().map(|(name, said)| (name, said.value)).collect::<Vec<_>>(),
            settled.halt.map(|said| said.value),
            settled.continuations.into_iter().map(|said| said.value).collect::<Vec<_>>(),
            specials,
        )
    };
    let mut declared = firing.clone();
    declared.finishing.sort_unstable();
    prop_assert_eq!(shown(firing), shown(&declared));
    Ok(())
}

/// Every text a hook said is in the settlement or in its report.
fn nothing_is_lost(settle: Settle<'_>, firing: &Firing, policy: &MergePolicy) -> Verified {
    let settled = settle(firing.items(), policy);
    let kept = format!("{settled:?}");
    for (at, hook) in firing.hooks.iter().enumerate() {
        for effect in &hook.effects {
            let mark = match effect {
                Effect::Verdict { reasons, .. } => reasons.clone(),
                Effect::Notice(text) | Effect::Context(text) => vec![text.clone()],
                Effect::ReplaceInput(rewrite) => vec![format!("{:?}", rewrite.raw)],
                Effect::ReplaceResult(ResultReplacement::Text(text)) => vec![text.clone()],
                Effect::Halt(halt) => halt.reason.iter().cloned().collect(),
                Effect::Continue(continuation) => vec![continuation.text.clone()],
                Effect::Unsupported(unsupported) => vec![unsupported.field.clone()],
                _ => Vec::new(),
            };
            for text in mark {
                prop_assert!(kept.contains(&text), "hook b{} said {:?}, which is nowhere", at, text);
            }
        }
    }
    Ok(())
}

/// The order in which items are handed over does not matter; their places do.
fn grouping_is_free(settle: Settle<'_>, firing: &Firing, policy: &MergePolicy, cut: usize) -> Verified {
    let effects = firing.effects();
    let (front, back) = effects.split_at(cut.min(effects.len()));
    let mut grouped = reduce(front.to_vec());
    grouped.append(reduce(back.to_vec()));
    prop_assert_eq!(&grouped, &firing.items());
    let mut turned = reduce(back.to_vec());
    turned.append(reduce(front.to_vec()));
    let shown = |items: Items| {
        let mut settled = settle(items, policy);
        settled.report = hooks_core::settle::Report::default();
        settled
    };
    prop_assert_eq!(shown(grouped), shown(turned));
    Ok(())
}

const fn strength(verdict: Option<Verdict>) -> Action {
    match verdict {
        Some(Verdict::Allow) => Action::Approve,
        None => Action::NoOpinion,
        Some(Verdict::Ask) => Action::Ask,
        Some(Verdict::Defer) => Action::Defer,
        Some(Verdict::Deny) => Action::Deny,
    }
}

type Decide<'a> = &'a dyn Fn(Settled, Boundary, &HostProfile) -> Decision;

/// A decision is never weaker than the settled verdict, and never silently an approval.
fn decision_is_not_weaker(decide: Decide<'_>, firing: &Firing, boundary: Boundary, host: &HostProfile) -> Verified {
    let settled = settle_all(firing.items(), |_| &MergePolicy::DECLARED, host.strict);
    let verdict = settled.verdict;
    let rewritten = settled.input.is_some();
    let halts_action = settled.halt.as_ref().is_some_and(|halt| halt.value.stops_action());
    let decision = decide(settled, boundary, host);
    prop_assert!(decision.action >= strength(verdict), "{:?} became {:?}", verdict, decision.action);
    if decision.action == Action::Approve {
        prop_assert_eq!(verdict, Some(Verdict::Allow));
    }
    if boundary.is_pending() {
        if halts_action {
            prop_assert_eq!(decision.action, Action::Deny);
        }
        if rewritten && decision.action != Action::Deny {
            prop_assert!(decision.input.is_some(), "a rewrite was dropped and the original would run");
        }
    }
    if decision.action == Action::Deny {
        prop_assert!(decision.input.is_none());
    }
    Ok(())
}

/// Checks a law on the real thing, and that it fails on each broken variant.
fn law<S: Strategy>(inputs: S, real: impl Fn(S::Value) -> Verified, broken: &[&dyn Fn(S::Value) -> Verified])
where
    S::Value: Clone,
{
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    if let Err(error) = runner.run(&inputs, real) {
        panic!("{error}");
    }
    for (at, variant) in broken.iter().enumerate() {
        let config = Config { failure_persistence: None, max_shrink_iters: 0, cases: 4096, ..Config::default() };
        let failed = TestRunner::new(config).run(&inputs, variant);
        assert!(matches!(failed, Err(TestError::Fail(..))), "the law holds on broken variant {at} too: {failed:?}");
    }
}

fn real(items: Items, policy: &MergePolicy) -> Settled {
    settle(items, policy, false)
}

/// Broken: the last verdict counts.
fn last_verdict(items: Items, policy: &MergePolicy) -> Settled {
    let last = items.items.iter().rev().find_map(|item| match item.effect {
        Effect::Verdict { verdict, .. } => Some(verdict),
        _ => None,
    });
    Settled { verdict: last, ..settle(items, policy, false) }
}

/// Broken: a run that asks for nothing is no opinion that outranks an allow.
fn silence_counts(items: Items, policy: &MergePolicy) -> Settled {
    let silent = items.runs.iter().any(|run| !items.items.iter().any(|item| item.by == run.by));
    let mut settled = settle(items, policy, false);
    if silent && settled.verdict == Some(Verdict::Allow) {
        settled.verdict = None;
    }
    settled
}

/// Broken: what a doubtful hook said and what lost is forgotten.
fn forgetful(items: Items, policy: &MergePolicy) -> Settled {
    let mut settled = settle(items, policy, false);
    settled.report.dropped.clear();
    settled
}

/// Broken: everything stands in completion order.
fn always_finishing(items: Items, _policy: &MergePolicy) -> Settled {
    let policy = MergePolicy { context: Order::Finishing, input: InputRule::LastFinished, ..MergePolicy::DECLARED };
    settle(items, &policy, false)
}

/// Broken: texts stand in the order in which they were handed over.
fn as_handed_over(mut items: Items, policy: &MergePolicy) -> Settled {
    for (item, at) in items.items.iter_mut().zip(0..) {
        item.by.declared = at;
        item.by.finished = at;
    }
    settle(items, policy, false)
}

#[test]
fn adding_a_hook_never_weakens_a_deny() {
    law(
        (firing().prop_map(of_one_vendor), policy()),
        |(firing, policy)| deny_stays(&real, &firing, &policy),
        &[&|(firing, policy)| deny_stays(&last_verdict, &firing, &policy)],
    );
}

/// A hook's own deny stands, whatever other vendors' hooks say. (A deny that the host wrote because two vendors rewrote
/// the input differently goes away when a further hook makes them agree.)
fn said_deny_stands(settle: Settle<'_>, firing: &Firing, policy: &MergePolicy) -> Verified {
    let denies = |effect: &Effect| matches!(effect, Effect::Verdict { verdict: Verdict::Deny, .. });
    if firing.hooks.iter().any(|hook| hook.effects.iter().any(denies)) {
        prop_assert_eq!(settle(firing.items(), policy).verdict, Some(Verdict::Deny));
    }
    Ok(())
}

/// Broken: the vendor with the last binding decides.
fn last_vendor(items: Items, policy: &MergePolicy) -> Settled {
    let vendor = items.items.last().map(|item| item.by.vendor.clone());
    let of_last = Items {
        items: items.items.into_iter().filter(|item| Some(&item.by.vendor) == vendor.as_ref()).collect(),
        runs: items.runs,
    };
    settle(of_last, policy, false)
}

#[test]
fn adding_a_vendor_never_weakens_a_deny() {
    let all = |items: Items, policy: &MergePolicy| settle_all(items, |_| policy, false);
    law(
        (firing(), policy()),
        |(firing, policy)| said_deny_stands(&all, &firing, &policy),
        &[&|(firing, policy)| said_deny_stands(&last_vendor, &firing, &policy)],
    );
}

#[test]
fn strict_restores_it_under_a_first_answer_rule() {
    let first_answer = MergePolicy { verdict: VerdictRule::FirstAnswer, ..MergePolicy::DECLARED };
    law(
        firing().prop_map(of_one_vendor),
        |firing| deny_stays(&|items, _| settle(items, &first_answer, true), &firing, &first_answer),
        &[&|firing: Firing| {
            // Not strict, a hook that answers before the others takes the deny's place.
            let mut earlier = firing.clone();
            earlier.finishing.reverse();
            deny_stays(&|items, _| settle(items, &first_answer, false), &earlier, &first_answer)
        }],
    );
}

#[test]
fn empty_effects_are_neutral() {
    law(
        (firing().prop_map(of_one_vendor), policy()),
        |(firing, policy)| empty_is_neutral(&real, &firing, &policy),
        &[&|(firing, policy)| empty_is_neutral(&silence_counts, &firing, &policy)],
    );
}

#[test]
fn completion_order_matters_only_where_a_policy_names_it() {
    law(
        firing().prop_map(of_one_vendor),
        |firing| completion_order_is_named(&real, &firing),
        &[&|firing| completion_order_is_named(&always_finishing, &firing)],
    );
}

#[test]
fn nothing_said_is_lost_from_the_report() {
    let all = |items: Items, policy: &MergePolicy| settle_all(items, |_| policy, false);
    law(
        (firing(), policy()),
        |(firing, policy)| nothing_is_lost(&all, &firing, &policy),
        &[&|(firing, policy)| nothing_is_lost(&forgetful, &firing, &policy)],
    );
}

#[test]
fn concatenation_folds_alike_in_any_grouping() {
    law(
        (firing().prop_map(of_one_vendor), policy(), 0usize..6),
        |(firing, policy, cut)| grouping_is_free(&real, &firing, &policy, cut),
        &[&|(firing, policy, cut)| grouping_is_free(&as_handed_over, &firing, &policy, cut)],
    );
}

#[test]
fn a_decision_is_never_weaker_than_the_verdict() {
    let boundaries = vec![
        Boundary::ToolBefore,
        Boundary::PermissionRequest,
        Boundary::SubagentStart,
        Boundary::PromptSubmit,
        Boundary::ToolResult,
        Boundary::TurnStop,
    ];
    let real = |settled: Settled, boundary: Boundary, host: &HostProfile| {
        decide(settled, boundary, host, SessionState::default()).0
    };
    let asks_nobody = |settled: Settled, boundary: Boundary, host: &HostProfile| {
        let mut decision = decide(settled, boundary, host, SessionState::default()).0;
        if !host.can_ask && decision.action == Action::Deny {
            decision.action = Action::NoOpinion;
        }
        decision
    };
    let runs_the_original = |settled: Settled, boundary: Boundary, host: &HostProfile| {
        let mut decision = decide(settled, boundary, host, SessionState::default()).0;
        decision.input = None;
        decision
    };
    law(
        (firing(), select(boundaries), host()),
        |(firing, boundary, host)| decision_is_not_weaker(&real, &firing, boundary, &host),
        &[&|(firing, boundary, host)| decision_is_not_weaker(&asks_nobody, &firing, boundary, &host), &|(
            firing,
            boundary,
            host,
        )| {
            decision_is_not_weaker(&runs_the_original, &firing, boundary, &host)
        }],
    );
}
