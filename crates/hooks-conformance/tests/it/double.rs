//! Whatever a hook can ask for arrives at the host double, on every boundary.

use std::collections::BTreeMap;

use hooks_conformance::{Done, HostDouble, sample};
use hooks_core::boundary::Boundary;
use hooks_core::decide::decide;
use hooks_core::definition::BindingId;
use hooks_core::duty::{Part, duty};
use hooks_core::effects::{
    Continuation, Effect, EnvChange, EnvReach, Halt, HookEffects, PromptFate, ResultReplacement, Rewrite, Special,
    Verdict, When, Who, reduce,
};
use hooks_core::envelope::Envelope;
use hooks_core::policy::MergePolicy;
use hooks_core::session::SessionState;
use hooks_core::settle::settle;
use hooks_core::tool::{Projected, ToolCall};
use hooks_core::{HostProfile, RawJson, VendorId};

fn by() -> Who {
    Who {
        binding: BindingId::new("b"),
        vendor: VendorId::from_static("toy"),
        declared: 0,
        finished: 0,
        doubtful: false,
    }
}

fn verdict(verdict: Verdict) -> Effect {
    Effect::Verdict { verdict, reasons: vec!["why".to_owned()] }
}

/// An effect that puts a part into a decision.
fn effect_for(part: Part, boundary: Boundary) -> Option<Effect> {
    Some(match part {
        Part::Deny => verdict(Verdict::Deny),
        Part::Ask => verdict(Verdict::Ask),
        Part::Defer => verdict(Verdict::Defer),
        Part::Approve => verdict(Verdict::Allow),
        Part::NoOpinion => return None,
        Part::Input => Effect::ReplaceInput(Rewrite {
            raw: RawJson::parse(r#"{"command":"ls -l"}"#).expect("json"),
            call: Ok(Projected { call: ToolCall::shell("ls -l"), ignored: Vec::new() }),
        }),
        Part::Result => Effect::ReplaceResult(ResultReplacement::Text("look elsewhere".to_owned())),
        Part::Halt => Effect::Halt(Halt::of(boundary.info().halts, Some("enough".to_owned()))),
        Part::Continuation => Effect::Continue(Continuation::new("go on", None)),
        Part::ToModel => Effect::Context("for the model".to_owned()),
        Part::ToUser => Effect::Notice("for the person".to_owned()),
        Part::Session => Effect::SessionEnv(BTreeMap::from([(
            "NAME".to_owned(),
            EnvChange { value: "value".to_owned(), reach: EnvReach::Hooks },
        )])),
        Part::Special => Effect::Special(Special::SessionTitle("a title".to_owned())),
        _ => return None,
    })
}

fn act(boundary: Boundary, effects: Vec<Effect>) -> HostDouble {
    let envelope = Envelope::new(sample::common(), sample::payload(boundary));
    let hook = HookEffects { effects, ..HookEffects::none(by()) };
    let settled = settle(reduce([hook]), &MergePolicy::DECLARED, false);
    let (decision, session) = decide(settled, boundary, &HostProfile::full(), SessionState::default());
    let mut host = HostDouble::permissive();
    host.act(&envelope, &decision, session);
    host
}

#[test]
fn every_part_with_a_duty_arrives() {
    for boundary in Boundary::ALL {
        for part in Part::ALL {
            if duty(*boundary, *part).is_none() {
                continue;
            }
            let host = act(*boundary, effect_for(*part, *boundary).into_iter().collect());
            let arrived = match part {
                Part::Deny => host.log.contains(&Done::Refused),
                Part::Approve => !host.log.contains(&Done::OwnRules) && !host.log.contains(&Done::Refused),
                Part::Input => host.log.iter().any(|done| match done {
                    Done::Ran(call) => call.as_shell().is_some_and(|shell| shell.command == "ls -l"),
                    _ => false,
                }),
                Part::Session => host.session.env.values().any(|own| own.contains_key("NAME")),
                part => host.log.iter().any(|done| done.part() == Some(*part) && *done != Done::Reported(*part)),
            };
            assert!(arrived, "{boundary}: {} is lost: {:?}", part.as_str(), host.log);
        }
    }
}

#[test]
fn a_part_without_a_duty_is_reported_and_nothing_else_changes() {
    let host = act(Boundary::ToolResult, vec![verdict(Verdict::Deny)]);
    assert!(host.log.contains(&Done::Reported(Part::Deny)), "{:?}", host.log);
    let host = act(Boundary::ToolBefore, vec![Effect::Continue(Continuation::new("go on", None))]);
    assert!(host.log.contains(&Done::Reported(Part::Continuation)), "{:?}", host.log);
}

#[test]
fn silence_goes_through_the_hosts_own_rules() {
    let envelope = Envelope::new(sample::common(), sample::payload(Boundary::ToolBefore));
    let settled = settle(reduce([HookEffects::none(by())]), &MergePolicy::DECLARED, false);
    let (decision, session) = decide(settled, Boundary::ToolBefore, &HostProfile::full(), SessionState::default());
    let mut host = HostDouble { rules_allow: false, ..HostDouble::permissive() };
    host.act(&envelope, &decision, session);
    assert!(host.log.contains(&Done::OwnRules) && host.log.contains(&Done::Refused), "{:?}", host.log);
}

#[test]
fn a_halt_after_the_call_lets_it_run_and_one_before_does_not() {
    use hooks_core::boundary::Stop;
    let halt = |when| Effect::Halt(Halt { when: Some(when), ..Halt::of(&[Stop::Action, Stop::Turn], None) });
    let after = act(Boundary::ToolBefore, vec![halt(When::After)]);
    assert!(after.log.iter().any(|done| matches!(done, Done::Ran(_))), "{:?}", after.log);
    assert!(after.log.contains(&Done::Stopped(Stop::Turn)));
    let before = act(Boundary::ToolBefore, vec![halt(When::Before)]);
    assert!(before.log.contains(&Done::Refused), "{:?}", before.log);
}

#[test]
fn a_prompt_is_sent_kept_or_erased() {
    let halt = |fate| {
        let halt = Halt::of(&[hooks_core::boundary::Stop::Prompt], Some("no".to_owned()));
        vec![Effect::Halt(Halt { prompt: Some(fate), ..halt })]
    };
    assert!(act(Boundary::PromptSubmit, Vec::new()).log.contains(&Done::PromptSent));
    assert!(act(Boundary::PromptSubmit, halt(PromptFate::Keep)).log.contains(&Done::PromptKept));
    let erased = act(Boundary::PromptSubmit, halt(PromptFate::Erase)).log;
    assert!(erased.contains(&Done::PromptErased) && !erased.contains(&Done::PromptSent));
}
