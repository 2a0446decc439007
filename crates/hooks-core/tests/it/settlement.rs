//! Settling, rule by rule: what the laws and the model say in general, said of single cases, with what the report keeps.

use std::collections::BTreeMap;

use hooks_core::boundary::Stop;
use hooks_core::definition::BindingId;
use hooks_core::effects::{
    Continuation, Effect, EnvChange, EnvReach, Failure, Halt, HookEffects, ResultReplacement, Rewrite, RunStatus,
    Special, Verdict, When, Who, reduce,
};
use hooks_core::json::RawJson;
use hooks_core::policy::{InputRule, MergePolicy, ResultRule, VerdictRule};
use hooks_core::settle::{Settled, settle, settle_all};
use hooks_core::tool::{InputRefused, Projected, ToolCall};
use hooks_core::vendor::VendorId;

/// A hook of a vendor with a declared and a finishing place.
pub fn hook(vendor: &'static str, declared: u32, finished: u32, effects: Vec<Effect>) -> HookEffects {
    HookEffects {
        by: Who {
            binding: BindingId::new(&format!("b{declared}")),
            vendor: VendorId::from_static(vendor),
            declared,
            finished,
            doubtful: false,
        },
        status: RunStatus::Completed,
        failure: None,
        effects,
        notes: Vec::new(),
    }
}

pub fn verdict(verdict: Verdict, reason: &str) -> Effect {
    Effect::Verdict { verdict, reasons: vec![reason.to_owned()] }
}

pub fn rewrite(command: &str) -> Effect {
    let raw = RawJson::parse(&format!(r#"{{"command":"{command}"}}"#)).unwrap();
    let call = Ok(Projected { call: ToolCall::shell(command), ignored: Vec::new() });
    Effect::ReplaceInput(Rewrite { raw, call })
}

fn env(value: &str) -> Effect {
    let change = EnvChange { value: value.to_owned(), reach: EnvReach::Hooks };
    Effect::SessionEnv(BTreeMap::from([("NAME".to_owned(), change)]))
}

fn update(text: &str) -> Effect {
    Effect::PermissionUpdate(RawJson::string(text))
}

fn one(hooks: Vec<HookEffects>) -> Settled {
    settle(reduce(hooks), &MergePolicy::DECLARED, false)
}

fn many(hooks: Vec<HookEffects>) -> Settled {
    settle_all(reduce(hooks), |_| &MergePolicy::DECLARED, false)
}

fn command(settled: &Settled) -> Option<String> {
    Some(settled.input.as_ref()?.value.call.as_ref().ok()?.call.as_shell()?.command.clone())
}

fn dropped(settled: &Settled) -> Vec<&Effect> {
    settled.report.dropped.iter().map(|dropped| &dropped.effect).collect()
}

#[test]
fn every_run_is_in_the_report_with_its_failure() {
    let mut failed = hook("a", 1, 0, Vec::new());
    failed.status = RunStatus::Failed;
    failed.failure = Some(Failure::Timeout);
    let settled = many(vec![hook("a", 0, 1, Vec::new()), failed, hook("b", 2, 2, Vec::new())]);
    let runs: Vec<_> = settled.report.runs.iter().map(|run| (run.by.declared, run.failure.clone())).collect();
    assert_eq!(runs, [(0, None), (1, Some(Failure::Timeout)), (2, None)]);
}

#[test]
fn what_loses_is_a_conflict_and_stays_in_the_report() {
    let result = |text: &str| Effect::ReplaceResult(ResultReplacement::Text(text.to_owned()));
    let settled = one(vec![
        hook("a", 0, 0, vec![rewrite("one"), result("first"), env("1")]),
        hook("a", 1, 1, vec![rewrite("two"), result("second"), env("2")]),
    ]);
    assert_eq!(command(&settled).as_deref(), Some("two"));
    assert_eq!(settled.session_env["NAME"].value.value, "2");
    assert_eq!(settled.report.conflicts.len(), 3, "{:?}", settled.report.conflicts);
    assert_eq!(dropped(&settled), [&rewrite("one"), &result("first"), &env("1")]);
    let alone = one(vec![hook("a", 0, 0, vec![rewrite("one"), result("first"), env("1")])]);
    assert!(alone.report.conflicts.is_empty() && alone.report.dropped.is_empty());
}

#[test]
fn texts_for_a_classifier_share_their_room() {
    let policy = MergePolicy { classifier_limit: Some(5), ..MergePolicy::DECLARED };
    let text = |text: &str| Effect::Special(Special::ClassifierContext(text.to_owned()));
    let settled = |texts: &[&str]| {
        let hooks = (0..).zip(texts).map(|(declared, said)| hook("a", declared, 9 - declared, vec![text(said)]));
        settle(reduce(hooks), &policy, false)
    };
    let kept = |settled: &Settled| -> Vec<Effect> {
        settled.special.iter().map(|said| Effect::Special(said.value.clone())).collect()
    };
    // Characters, not bytes, in declared order; nothing of them is lost from the report.
    let cut = settled(&["éé", "abcdef", "z"]);
    assert_eq!(kept(&cut), [text("éé"), text("abc")]);
    assert_eq!(dropped(&cut), [&text("def"), &text("z")]);
    let full = settled(&["éé", "abc", ""]);
    assert_eq!(kept(&full), [text("éé"), text("abc"), text("")]);
    assert!(full.report.dropped.is_empty());
}

#[test]
fn one_text_is_not_joined_with_anything() {
    let policy = MergePolicy { result: ResultRule::Join("\n\n"), ..MergePolicy::DECLARED };
    let result = |text: &str| Effect::ReplaceResult(ResultReplacement::Text(text.to_owned()));
    let joined = |hooks| settle(reduce(hooks), &policy, false).result.unwrap();
    let alone = joined(vec![hook("a", 3, 0, vec![result("x")])]);
    assert_eq!((alone.by.unwrap().declared, alone.value), (3, ResultReplacement::Text("x".to_owned())));
    let two = joined(vec![hook("a", 0, 1, vec![result("x")]), hook("a", 1, 0, vec![result("y")])]);
    assert_eq!(two.value, ResultReplacement::Text("x\n\ny".to_owned()));
}

#[test]
fn an_allow_that_finishes_later_takes_a_rewrite_away_where_the_vendor_does_so() {
    let policy = MergePolicy { input: InputRule::LastAnswer, ..MergePolicy::DECLARED };
    let settled = |rewriter: u32, allower: u32| {
        let hooks = vec![
            hook("a", 0, rewriter, vec![rewrite("new")]),
            hook("a", 1, allower, vec![verdict(Verdict::Allow, "fine")]),
        ];
        settle(reduce(hooks), &policy, false)
    };
    assert_eq!(command(&settled(0, 1)), None);
    assert_eq!(command(&settled(1, 0)).as_deref(), Some("new"));
    // Its own allow does not take it away, and another hook's ask does not either.
    let own = vec![hook("a", 0, 0, vec![rewrite("new"), verdict(Verdict::Allow, "fine")])];
    assert_eq!(command(&settle(reduce(own), &policy, false)).as_deref(), Some("new"));
    let asks = vec![hook("a", 0, 0, vec![rewrite("new")]), hook("a", 1, 1, vec![verdict(Verdict::Ask, "sure?")])];
    assert_eq!(command(&settle(reduce(asks), &policy, false)).as_deref(), Some("new"));
}

#[test]
fn what_goes_with_an_answer_moves_with_it() {
    let policy = MergePolicy { verdict: VerdictRule::FirstAnswer, ..MergePolicy::DECLARED };
    let halt = |reason: &str| Effect::Halt(Halt::of(&[Stop::Turn], Some(reason.to_owned())));
    let interrupt = || Effect::Special(Special::Interrupt);
    let title = |text: &str| Effect::Special(Special::SessionTitle(text.to_owned()));
    let hooks = || {
        vec![
            hook("a", 0, 1, vec![verdict(Verdict::Deny, "no"), update("slow"), halt("late"), interrupt(), title("t")]),
            hook("a", 1, 0, vec![verdict(Verdict::Allow, "yes"), update("fast"), rewrite("new")]),
        ]
    };
    let settled = settle(reduce(hooks()), &policy, false);
    assert_eq!(settled.verdict, Some(Verdict::Allow));
    assert_eq!(settled.permission_updates.iter().map(|said| said.value.get()).collect::<Vec<_>>(), ["\"fast\""]);
    assert_eq!(command(&settled).as_deref(), Some("new"));
    assert!(settled.halt.is_none());
    let specials: Vec<_> = settled.special.iter().map(|said| said.value.clone()).collect();
    assert_eq!(specials, [Special::SessionTitle("t".to_owned())], "only the interrupt goes with the answer");
    // A strict host takes the strongest, and nothing of the allow.
    let strict = settle(reduce(hooks()), &policy, true);
    assert_eq!(strict.verdict, Some(Verdict::Deny));
    assert_eq!(strict.permission_updates.iter().map(|said| said.value.get()).collect::<Vec<_>>(), ["\"slow\""]);
    assert!(strict.halt.is_some() && strict.input.is_none());
}

#[test]
fn a_doubtful_hook_never_answers_first_and_still_restrains() {
    let policy = MergePolicy { verdict: VerdictRule::FirstAnswer, ..MergePolicy::DECLARED };
    let asks_first = || hook("a", 0, 0, vec![verdict(Verdict::Ask, "sure?")]).doubtful();
    let denies = hook("a", 1, 1, vec![verdict(Verdict::Deny, "no")]);
    assert_eq!(settle(reduce([asks_first(), denies]), &policy, false).verdict, Some(Verdict::Deny));
    let allows = hook("a", 1, 1, vec![verdict(Verdict::Allow, "yes")]);
    assert_eq!(settle(reduce([asks_first(), allows]), &policy, false).verdict, Some(Verdict::Ask));
    assert_eq!(settle(reduce([asks_first()]), &policy, false).verdict, Some(Verdict::Ask));
    // Among doubtful ones the vendor's own rule holds.
    let also = hook("a", 1, 1, vec![verdict(Verdict::Deny, "no")]).doubtful();
    assert_eq!(settle(reduce([asks_first(), also]), &policy, false).verdict, Some(Verdict::Ask));
}

#[test]
fn a_halt_of_the_action_is_never_undone_by_another_halt() {
    let before = Effect::Halt(Halt::of(&[Stop::Action], None));
    let after = Effect::Halt(Halt { when: Some(When::After), ..Halt::of(&[Stop::Turn], None) });
    for vendors in [["a", "a"], ["a", "b"]] {
        let settled =
            many(vec![hook(vendors[0], 0, 0, vec![before.clone()]), hook(vendors[1], 1, 1, vec![after.clone()])]);
        assert!(settled.halt.unwrap().value.stops_action(), "{vendors:?}");
    }
}

#[test]
fn a_rewrite_that_one_vendors_tool_would_not_take_fails_the_call() {
    let Effect::ReplaceInput(fits) = rewrite("new") else { panic!() };
    let refused = Rewrite { call: Err(InputRefused { reason: "no".to_owned() }), ..fits.clone() };
    for order in [[fits.clone(), refused.clone()], [refused.clone(), fits.clone()]] {
        let [one, other] = order.map(Effect::ReplaceInput);
        let settled = many(vec![hook("a", 0, 0, vec![one]), hook("b", 1, 1, vec![other])]);
        assert!(settled.input.unwrap().value.call.is_err());
    }
    // Equal words that mean different calls are different rewrites.
    let call = Ok(Projected { call: ToolCall::shell("other"), ignored: Vec::new() });
    let elsewhere = Effect::ReplaceInput(Rewrite { call, ..fits });
    let settled = many(vec![hook("a", 0, 0, vec![rewrite("new")]), hook("b", 1, 1, vec![elsewhere])]);
    assert_eq!((settled.verdict, settled.input), (Some(Verdict::Deny), None));
}

#[test]
fn an_update_counts_only_with_a_verdict_that_does() {
    let deny = |declared, vendor| hook(vendor, declared, 0, vec![verdict(Verdict::Deny, "no")]);
    let allow = |declared, vendor| hook(vendor, declared, 1, vec![verdict(Verdict::Allow, "yes"), update("remember")]);
    for vendors in [["a", "a"], ["a", "b"]] {
        for order in [[deny(0, vendors[0]), allow(1, vendors[1])], [allow(0, vendors[0]), deny(1, vendors[1])]] {
            let settled = many(order.to_vec());
            assert!(settled.permission_updates.is_empty(), "{vendors:?}");
            assert!(dropped(&settled).contains(&&update("remember")), "{vendors:?}");
        }
    }
    assert_eq!(many(vec![allow(0, "a")]).permission_updates.len(), 1);
}

#[test]
fn vendors_that_set_one_variable_differently_lose_nothing_said() {
    let settled = many(vec![hook("a", 0, 0, vec![env("1")]), hook("b", 1, 1, vec![env("2")])]);
    assert_eq!(settled.session_env["NAME"].value.value, "2");
    assert_eq!(settled.report.conflicts.len(), 1);
    assert!(dropped(&settled).contains(&&env("1")));
    let same = many(vec![hook("a", 0, 0, vec![env("1")]), hook("b", 1, 1, vec![env("1")])]);
    assert!(same.report.conflicts.is_empty() && same.report.dropped.is_empty());
}

#[test]
fn a_refused_result_outranks_one_that_was_only_changed() {
    let text = Effect::ReplaceResult(ResultReplacement::Text("refused".to_owned()));
    let json = Effect::ReplaceResult(ResultReplacement::Json(RawJson::string("changed")));
    for order in [[text.clone(), json.clone()], [json, text]] {
        let [one, other] = order;
        let settled = many(vec![hook("a", 0, 0, vec![one]), hook("b", 1, 1, vec![other])]);
        assert_eq!(settled.result.unwrap().value, ResultReplacement::Text("refused".to_owned()));
        assert_eq!(settled.report.conflicts.len(), 1);
    }
}

#[test]
fn specials_are_folded_by_their_kind_within_and_across_vendors() {
    let special = |special: Special| Effect::Special(special);
    let kept = |settled: Settled| settled.special.into_iter().map(|said| said.value).collect::<Vec<_>>();
    let title = |text: &str| Special::SessionTitle(text.to_owned());
    let answer = |action: &str| Special::ElicitationAnswer { action: action.to_owned(), content: None };
    for vendors in [["a", "a"], ["a", "b"]] {
        let two = |first: Special, second: Special| {
            many(vec![hook(vendors[0], 0, 1, vec![special(first)]), hook(vendors[1], 1, 0, vec![special(second)])])
        };
        assert_eq!(kept(two(title("one"), title("two"))), [title("one")], "the last to finish");
        assert_eq!(kept(two(Special::ReloadSkills, Special::ReloadSkills)), [Special::ReloadSkills], "one for all");
        let context = |text: &str| Special::ClassifierContext(text.to_owned());
        assert_eq!(kept(two(context("x"), context("y"))), [context("x"), context("y")], "all, as declared");
        assert_eq!(two(title("one"), title("two")).report.dropped.len(), 1);
    }
    let two = |vendors: [&'static str; 2]| {
        many(vec![
            hook(vendors[0], 0, 1, vec![special(answer("decline"))]),
            hook(vendors[1], 1, 0, vec![special(answer("accept"))]),
        ])
    };
    assert_eq!(kept(two(["a", "a"])), [answer("accept")], "the first to finish, within a vendor");
    assert_eq!(kept(two(["a", "b"])), [answer("decline")], "the refusing one, across vendors");
}

#[test]
fn a_halt_drops_the_continuations_of_every_vendor() {
    let go_on = || vec![Effect::Continue(Continuation::new("go on", None))];
    let halt = || vec![Effect::Halt(Halt::of(&[Stop::Turn], Some("enough".to_owned())))];
    let settled = many(vec![hook("a", 0, 0, go_on()), hook("b", 1, 1, halt())]);
    assert!(settled.continuations.is_empty());
    assert_eq!(settled.report.dropped.len(), 1);
    // Within one vendor its own policy says whether.
    assert_eq!(one(vec![hook("a", 0, 0, go_on()), hook("a", 1, 1, halt())]).continuations.len(), 1);
}

#[test]
fn texts_of_one_hook_stay_together_when_it_leads() {
    use hooks_core::policy::{Lead, Leads};
    let policy = MergePolicy { leads: Leads::all(Lead::LAST_FINISHED), ..MergePolicy::DECLARED };
    let two = |verdict: Verdict, a: &str, b: &str| Effect::Verdict { verdict, reasons: vec![a.into(), b.into()] };
    let hooks = vec![
        hook("a", 0, 2, vec![two(Verdict::Deny, "1a", "1b")]),
        hook("a", 1, 1, vec![two(Verdict::Deny, "2a", "2b")]),
    ];
    let settled = settle(reduce(hooks), &policy, false);
    let reasons: Vec<_> = settled.reasons.iter().map(|said| said.value.as_str()).collect();
    assert_eq!(reasons, ["1a", "1b", "2a", "2b"]);
}
