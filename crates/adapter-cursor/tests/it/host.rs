//! What a host that lacks something is told when hooks are activated, and what is noted of observers.

use std::sync::Arc;

use adapter_cursor::events::EVENTS;
use adapter_cursor::{phase1, vendor};
use hooks_core::activate::{AdmitAll, HOST_LACKS_CHANNEL, VendorSources, activate};
use hooks_core::adapter::DecodePolicy;
use hooks_core::definition::FailurePolicy;
use hooks_core::effects::{Failure, HookEffects, RunStatus};
use hooks_core::facts::Control;
use hooks_core::outcome::{End, Outcome};
use hooks_core::{Channel, Channels, Effect, HostProfile, HostSide};

use crate::support::{binding, envelope, parse};

/// The host of the first design: it fires the twelve events and gives no context, rewrites nothing and keeps no session
/// variables.
fn first_host() -> HostProfile {
    let channels = Channels::of(&[Channel::Verdict, Channel::UserNotice, Channel::Halt, Channel::Continuation]);
    let fired = EVENTS.iter().filter(|event| event.fires_in_phase1);
    let fired = fired.filter_map(|event| Some((event.facts.boundary?, event.facts.facet)));
    HostProfile::full().channels(channels).firing(fired)
}

/// Case C054.
#[test]
fn a_host_without_context_rewrites_and_variables_is_told_on_four_events() {
    let hooks: Vec<String> =
        EVENTS.iter().map(|event| format!(r#""{}":[{{"command":"x"}}]"#, event.facts.name)).collect();
    let text = format!(r#"{{"version":1,"hooks":{{{}}}}}"#, hooks.join(","));
    for adapter in [phase1(), vendor()] {
        let documents = vec![parse(&adapter, &text)];
        let vendors = vec![VendorSources { adapter: Arc::new(adapter), documents }];
        let snapshot = activate(vendors, &first_host(), &AdmitAll).expect("a snapshot");
        let told: Vec<&str> = snapshot
            .diagnostics()
            .iter()
            .filter(|diagnostic| diagnostic.code == &HOST_LACKS_CHANNEL)
            .filter_map(|diagnostic| diagnostic.message.split('[').next())
            .collect();
        assert_eq!(told, ["sessionStart", "preToolUse", "postToolUse", "postToolUseFailure"]);
    }
}

fn decode(event: &str, failure: FailurePolicy, outcome: &Outcome) -> HookEffects {
    let hook = binding(&vendor(), event, "hook", failure);
    vendor().decode(&hook, &envelope(&vendor(), event), outcome, DecodePolicy::default())
}

fn noted(effects: &HookEffects) -> Vec<&str> {
    effects.notes.iter().filter_map(|note| note.field.as_deref()).collect()
}

/// An observer's answer has no effect; what it says all the same is noted, and what it asks for is reported.
#[test]
fn what_an_observer_says_is_noted() {
    for event in EVENTS.iter().filter(|event| event.facts.output.is_empty()) {
        let name = event.facts.name;
        let benign = r#"{"user_message":"m","agent_message":"m","additional_context":"c","env":{"A":"1"},"continue":true,
            "permission":"allow","decision":"approve","followup_message":""}"#;
        let effects = decode(name, FailurePolicy::Open, &Outcome::exited(0, benign));
        assert!(effects.effects.is_empty() && effects.failure.is_none(), "{name}");
        let mut fields = noted(&effects);
        fields.sort_unstable();
        assert_eq!(
            fields,
            [
                "additional_context",
                "agent_message",
                "continue",
                "decision",
                "env",
                "followup_message",
                "permission",
                "user_message"
            ],
            "{name}"
        );
        let wish = r#"{"permission":"deny","updated_input":{},"hookSpecificOutput":{}}"#;
        let effects = decode(name, FailurePolicy::Open, &Outcome::exited(0, wish));
        assert!(effects.effects.iter().all(|effect| matches!(effect, Effect::Unsupported(_))), "{name}");
        assert_eq!(effects.effects.len(), 3, "{name}");
    }
}

/// An observer's failure is in the report and nowhere else, whatever its definition says.
#[test]
fn an_observers_failure_is_reported_and_nothing_else() {
    for event in EVENTS.iter().filter(|event| !event.can_block()) {
        for (outcome, failure) in [
            (Outcome::exited(1, "{}"), Failure::ExitCode(1)),
            (Outcome::exited(2, "{}"), Failure::ExitCode(2)),
            (Outcome::ended(End::TimedOut), Failure::Timeout),
            (Outcome::ended(End::Cancelled), Failure::Cancelled),
        ] {
            let effects = decode(event.facts.name, FailurePolicy::Closed, &outcome);
            assert_eq!((effects.status, effects.failure), (RunStatus::Failed, Some(failure)), "{}", event.facts.name);
            assert!(effects.effects.is_empty(), "{}", event.facts.name);
        }
    }
}

/// What an event controls and the channels it has say the same.
#[test]
fn control_and_channels_agree() {
    for event in &EVENTS {
        let has = |channel| event.facts.channels.contains(channel);
        let (verdict, halt, continuation, special) = match event.facts.control {
            Control::Permission { .. } => (true, false, false, false),
            Control::Halt => (false, true, false, false),
            Control::Continuation => (false, false, true, false),
            _ => (false, false, false, has(Channel::Special)),
        };
        let ours = (has(Channel::Verdict), has(Channel::Halt), has(Channel::Continuation), has(Channel::Special));
        assert_eq!(ours, (verdict, halt, continuation, special), "{}", event.facts.name);
        assert_eq!(event.loop_limit, continuation, "{}", event.facts.name);
    }
}
