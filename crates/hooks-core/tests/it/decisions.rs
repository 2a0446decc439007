//! Deciding, rule by rule: limits, sessions, what a host lacks, and actions that have no meaning on a boundary.

use std::collections::BTreeMap;

use hooks_core::boundary::Boundary;
use hooks_core::channel::{Channel, Channels};
use hooks_core::decide::{Action, Decision, decide};
use hooks_core::definition::LoopLimit;
use hooks_core::duty::{Part, duty};
use hooks_core::effects::{
    Continuation, Effect, EnvChange, EnvReach, OnPending, ResultReplacement, Said, Special, Unsupported, Verdict, Who,
    reduce,
};
use hooks_core::envelope::{Prompt, Provenance};
use hooks_core::host::HostProfile;
use hooks_core::json::RawJson;
use hooks_core::policy::MergePolicy;
use hooks_core::session::{COUNT_LIMIT, SIZE_LIMIT, SessionState};
use hooks_core::settle::settle;
use hooks_core::{Envelope, Payload, VendorId};

use crate::settlement::{hook, rewrite, verdict};
use crate::toy;

fn decided(
    boundary: Boundary,
    effects: Vec<Effect>,
    host: &HostProfile,
    session: SessionState,
) -> (Decision, SessionState) {
    let settled = settle(reduce([hook("a", 0, 0, effects)]), &MergePolicy::DECLARED, host.strict);
    decide(settled, boundary, host, session)
}

fn plain(boundary: Boundary, effects: Vec<Effect>) -> Decision {
    decided(boundary, effects, &HostProfile::full(), SessionState::default()).0
}

fn texts(said: &[Said<String>]) -> Vec<&str> {
    said.iter().map(|said| said.value.as_str()).collect()
}

#[test]
fn no_decision_has_a_part_that_nobody_is_told_what_to_do_about() {
    for boundary in Boundary::ALL {
        for verdict_said in [Verdict::Allow, Verdict::Ask, Verdict::Defer, Verdict::Deny] {
            let decision = plain(*boundary, vec![verdict(verdict_said, "why")]);
            let part = match decision.action {
                Action::Approve | Action::NoOpinion => continue,
                Action::Ask => Part::Ask,
                Action::Defer => Part::Defer,
                Action::Deny => Part::Deny,
            };
            let stopped = decision.halt.is_some() && duty(*boundary, Part::Halt).is_some();
            let nothing_to_stop = boundary.info().halts.is_empty();
            assert!(
                duty(*boundary, part).is_some() || stopped || nothing_to_stop,
                "{boundary}: {verdict_said:?} became {:?}, which has no meaning there",
                decision.action
            );
        }
    }
}

#[test]
fn a_denial_always_says_something() {
    let silent = Effect::Verdict { verdict: Verdict::Deny, reasons: Vec::new() };
    assert_eq!(texts(&plain(Boundary::ToolBefore, vec![silent]).to_model), [hooks_core::decide::DENIED]);
    assert_eq!(texts(&plain(Boundary::ToolBefore, vec![verdict(Verdict::Deny, "no")]).to_model), ["no"]);
}

#[test]
fn the_reason_of_an_allow_is_in_the_report_alone() {
    let decision = plain(Boundary::ToolBefore, vec![verdict(Verdict::Allow, "fine")]);
    assert!(decision.to_model.is_empty() && decision.to_user.is_empty());
    let [dropped] = decision.report.dropped.as_slice() else { panic!("{:?}", decision.report) };
    assert_eq!(dropped.effect, verdict(Verdict::Allow, "fine"));
}

fn go_on(limit: Option<u32>, cap: Option<u32>) -> Effect {
    let limit = limit.map(LoopLimit::AtMost);
    Effect::Continue(Continuation { vendor_cap: cap, ..Continuation::new("go on", limit) })
}

fn rounds(effect: &Effect, most: usize) -> usize {
    let mut session = SessionState::default();
    for round in 0..most {
        let (decision, next) = decided(Boundary::TurnStop, vec![effect.clone()], &HostProfile::full(), session);
        if decision.continuations.is_empty() {
            assert_eq!(decision.report.dropped.len(), 1);
            return round;
        }
        session = next;
    }
    most
}

#[test]
fn continuations_end_at_their_limit_and_at_their_vendors_cap() {
    assert_eq!(rounds(&go_on(Some(3), None), 20), 3);
    assert_eq!(rounds(&go_on(Some(0), None), 20), 0);
    assert_eq!(rounds(&go_on(None, Some(8)), 20), 8);
    assert_eq!(rounds(&go_on(Some(9), Some(2)), 20), 2);
    assert_eq!(rounds(&go_on(None, None), 20), 20);
}

#[test]
fn several_hooks_of_a_vendor_make_one_round() {
    let mut session = SessionState::default();
    for _ in 0..2 {
        let hooks = [hook("a", 0, 0, vec![go_on(None, Some(2))]), hook("a", 1, 1, vec![go_on(None, Some(2))])];
        let settled = settle(reduce(hooks), &MergePolicy::DECLARED, false);
        let (decision, next) = decide(settled, Boundary::TurnStop, &HostProfile::full(), session);
        assert_eq!(decision.continuations.len(), 2);
        session = next;
    }
    assert!(
        decided(Boundary::TurnStop, vec![go_on(None, Some(2))], &HostProfile::full(), session)
            .0
            .continuations
            .is_empty()
    );
}

#[test]
fn a_prompt_ends_the_row_and_a_tool_call_ends_the_vendors() {
    let once =
        || decided(Boundary::TurnStop, vec![go_on(Some(1), Some(1))], &HostProfile::full(), SessionState::default()).1;
    let goes_on = |limit, cap, session| {
        !decided(Boundary::TurnStop, vec![go_on(limit, cap)], &HostProfile::full(), session).0.continuations.is_empty()
    };
    let after = |envelope: &Envelope| {
        let mut session = once();
        session.observe(envelope);
        session
    };
    let from = |provenance| {
        let prompt = Prompt { text: "hi".to_owned(), provenance, ..Prompt::default() };
        Envelope::new(toy::common(), Payload::PromptSubmit(prompt))
    };
    assert!(goes_on(Some(1), Some(1), after(&from(Provenance::User))));
    assert!(!goes_on(Some(1), Some(1), after(&from(Provenance::Notification))));
    assert!(!goes_on(Some(1), Some(1), after(&toy::before_shell("ls"))));
    assert!(goes_on(None, Some(1), after(&toy::before_shell("ls"))));
}

#[test]
fn what_a_host_lacks_is_dropped_with_the_reason() {
    let wishes = |channel| -> Vec<Effect> {
        vec![match channel {
            Channel::UserNotice => Effect::Notice("n".to_owned()),
            Channel::ModelContext => Effect::Context("c".to_owned()),
            Channel::ReplacementResult => Effect::ReplaceResult(ResultReplacement::Text("r".to_owned())),
            Channel::SessionEnv => Effect::SessionEnv(BTreeMap::from([(
                "NAME".to_owned(),
                EnvChange { value: "v".to_owned(), reach: EnvReach::Hooks },
            )])),
            Channel::Continuation => go_on(None, None),
            Channel::PermissionUpdate => Effect::PermissionUpdate(RawJson::string("u")),
            Channel::Special => Effect::Special(Special::WatchPaths(vec!["/a".to_owned()])),
            _ => return Vec::new(),
        }]
    };
    let full = HostProfile::full();
    for channel in Channel::ALL {
        let wishes = wishes(*channel);
        if wishes.is_empty() {
            continue;
        }
        let lacking = full.clone().channels(Channels::ALL.minus(Channels::of(&[*channel])));
        let (with, session) = decided(Boundary::ToolResult, wishes.clone(), &full, SessionState::default());
        assert!(with.report.dropped.is_empty(), "{channel}: {:?}", with.report.dropped);
        assert!(
            session != SessionState::default()
                || !with.to_model.is_empty()
                || !with.to_user.is_empty()
                || with.result.is_some(),
            "{channel} arrives"
        );
        let (without, session) = decided(Boundary::ToolResult, wishes.clone(), &lacking, SessionState::default());
        let [dropped] = without.report.dropped.as_slice() else { panic!("{channel}: {:?}", without.report.dropped) };
        assert_eq!(dropped.effect, wishes[0]);
        assert!(dropped.why.contains(channel.as_str()), "{}", dropped.why);
        assert_eq!(session, SessionState::default(), "{channel}");
    }
}

#[test]
fn a_rewrite_is_used_denied_or_reported_and_never_forgotten() {
    let host = HostProfile::full();
    let decision = plain(Boundary::ToolBefore, vec![rewrite("new")]);
    let call = decision.input.unwrap().value;
    assert_eq!((decision.action, call.as_shell().unwrap().command.as_str()), (Action::NoOpinion, "new"));
    assert_eq!(call.raw.unwrap().get(), r#"{"command":"new"}"#);
    let cannot = host.channels(Channels::ALL.minus(Channels::of(&[Channel::ReplacementInput])));
    let denied = decided(Boundary::ToolBefore, vec![rewrite("new")], &cannot, SessionState::default()).0;
    assert_eq!((denied.action, denied.input), (Action::Deny, None));
    assert_eq!(texts(&denied.to_model), [hooks_core::decide::CANNOT_REWRITE]);
    let nothing_pending = plain(Boundary::ToolResult, vec![rewrite("new")]);
    assert_eq!(nothing_pending.action, Action::NoOpinion);
    assert_eq!(nothing_pending.report.dropped.len(), 1);
}

#[test]
fn what_an_allow_wants_remembered_goes_when_the_host_denies() {
    let unsupported = Effect::Unsupported(Unsupported {
        field: "up\u{1b}dated".to_owned(),
        channel: Channel::ReplacementInput,
        on_pending: OnPending::Deny,
    });
    let effects = vec![verdict(Verdict::Allow, "yes"), Effect::PermissionUpdate(RawJson::string("u")), unsupported];
    let (decision, session) = decided(Boundary::ToolBefore, effects, &HostProfile::full(), SessionState::default());
    assert_eq!(decision.action, Action::Deny);
    assert!(session.permission_updates.is_empty());
    assert!(decision.to_model[0].value.contains("`updated`"), "{:?}", decision.to_model);
}

#[test]
fn late_texts_are_delivered_once_where_they_have_a_place() {
    let mut session = SessionState::default();
    session.late_context.push(Said::host("late".to_owned()));
    session.late_notices.push(Said::host("late too".to_owned()));
    let (decision, session) = decided(Boundary::ToolBefore, Vec::new(), &HostProfile::full(), session);
    assert!(decision.to_model.is_empty() && session.late_context.len() == 1);
    let (decision, session) = decided(Boundary::PromptSubmit, Vec::new(), &HostProfile::full(), session);
    assert_eq!((texts(&decision.to_model), texts(&decision.to_user)), (vec!["late"], vec!["late too"]));
    assert_eq!(session, SessionState::default());
}

/// Whatever hooks say and however often, a session stays within its limits, and what is beyond them is in the report.
#[test]
fn a_session_is_bounded_and_says_what_it_does_not_keep() {
    let host = HostProfile::full();
    let mut session = SessionState::default();
    let mut dropped = 0;
    for at in 0..COUNT_LIMIT + 2 {
        let change = EnvChange { value: "x".to_owned(), reach: EnvReach::Hooks };
        let effects = vec![
            Effect::PermissionUpdate(RawJson::string("rule")),
            Effect::SessionEnv(BTreeMap::from([(format!("V{at}"), change)])),
        ];
        let (decision, after) = decided(Boundary::ToolBefore, effects, &host, session);
        dropped += decision.report.dropped.len();
        session = after;
    }
    let by = hook("a", 0, 0, Vec::new()).by;
    let own = &session.env[&Some(by.vendor.clone())];
    assert_eq!((session.permission_updates.len(), own.len(), dropped), (COUNT_LIMIT, COUNT_LIMIT, 4));
    assert!(!own.contains_key(&format!("V{COUNT_LIMIT}")), "what was there stays");
    // A variable that is there takes a new value all the same, and what the host takes makes room.
    let change = EnvChange { value: "y".to_owned(), reach: EnvReach::Hooks };
    session.set_env("V0".to_owned(), Said::hook(by.clone(), change.clone())).expect("it is there already");
    assert_eq!(session.hook_variable(&by.vendor, "V0").map(|change| &*change.value), Some("y"));
    session.set_env("V0".to_owned(), Said::host(change)).expect_err("all vendors' variables count together");
    assert_eq!(session.take_permission_updates().len(), COUNT_LIMIT);
    session.add_permission_update(Said::host(RawJson::string("rule"))).expect("there is room again");

    // Sizes count too, each kind by itself.
    let half = "x".repeat(SIZE_LIMIT / 2 + 1);
    session.add_late_context(Said::host(half.clone())).expect("it fits");
    let beyond = session.add_late_context(Said::host(half.clone())).expect_err("too much");
    assert_eq!(beyond.effect, Effect::Context(half.clone()));
    session.add_late_notice(Said::host(half.clone())).expect("another kind");
    assert!(session.add_late_notice(Said::host(half.clone())).is_err());
    let change = EnvChange { value: half, reach: EnvReach::Shell };
    session.set_env("V1".to_owned(), Said::hook(by.clone(), change.clone())).expect("it fits");
    let beyond = session.set_env("V2".to_owned(), Said::hook(by.clone(), change)).expect_err("too much");
    assert!(matches!(beyond.effect, Effect::SessionEnv(env) if env.contains_key("V2")));
    assert_eq!(
        session.hook_variable(&by.vendor, "V2").map(|change| &*change.value),
        Some("x"),
        "the value before stays"
    );
}

/// What a vendor's client keeps for its own hooks does not leak into another's.
#[test]
fn a_session_variable_reaches_the_hooks_of_its_own_vendor() {
    let mut session = SessionState::default();
    let (one, other) = (VendorId::from("one".to_owned()), VendorId::from("other".to_owned()));
    let by = |vendor: &VendorId| Who { vendor: vendor.clone(), ..hook("a", 0, 0, Vec::new()).by };
    let change = |value: &str, reach| EnvChange { value: value.to_owned(), reach };
    let mut set = |name: &str, said| session.set_env(name.to_owned(), said).expect("it fits");
    set("A", Said::host(change("host", EnvReach::Hooks)));
    set("B", Said::host(change("host", EnvReach::Hooks)));
    set("A", Said::hook(by(&one), change("one", EnvReach::Hooks)));
    set("C", Said::hook(by(&other), change("other", EnvReach::Hooks)));
    set("S", Said::hook(by(&one), change("one", EnvReach::Shell)));
    set("S", Said::hook(by(&other), change("other", EnvReach::Shell)));
    let of = |vendor: &VendorId| session.hook_env(vendor).collect::<Vec<_>>();
    assert_eq!(of(&one), [("A", "one"), ("B", "host")]);
    assert_eq!(of(&other), [("A", "host"), ("B", "host"), ("C", "other")]);
    assert_eq!(session.env_for(EnvReach::Shell).collect::<Vec<_>>(), [("S", "other")]);
    assert_eq!(session.hook_variable(&other, "A").map(|change| &*change.value), Some("host"));
    assert_eq!(session.hook_variable(&one, "S"), None, "it is for shell commands");
}
