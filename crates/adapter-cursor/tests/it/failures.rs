//! Failed, cancelled and cut-off runs on every event, under every policy; and one hook from its file to a decision.

use adapter_cursor::{Adapter, phase1, seed, vendor};
use hooks_core::adapter::DecodePolicy;
use hooks_core::definition::FailurePolicy;
use hooks_core::effects::{Effect, Failure, HookEffects, OnPending, Verdict, reduce};
use hooks_core::facts::Control;
use hooks_core::outcome::{End, Outcome};
use hooks_core::{Action, HostProfile, HostSide, SessionState, ToolCall, decide, settle};

use crate::support::{activate, before, binding, envelope};

const POLICIES: [(FailurePolicy, bool); 4] = [
    (FailurePolicy::Open, false),
    (FailurePolicy::Closed, false),
    (FailurePolicy::Open, true),
    (FailurePolicy::Closed, true),
];

fn decode(adapter: &Adapter, event: &str, failure: FailurePolicy, strict: bool, outcome: &Outcome) -> HookEffects {
    let occurrence = envelope(adapter, event);
    adapter.decode(&binding(adapter, event, "hooks/guard.sh", failure), &occurrence, outcome, DecodePolicy { strict })
}

fn blocks(effects: &HookEffects) -> bool {
    effects
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Halt(_) | Effect::Verdict { verdict: Verdict::Deny, .. }))
}

fn truncated(stdout: &str) -> Outcome {
    Outcome { stdout_truncated: true, ..Outcome::exited(0, stdout) }
}

/// Every way to fail, with what blocks on a permission hook and on the prompt hook when the definition fails open.
fn failing() -> Vec<(Outcome, bool, bool)> {
    vec![
        (Outcome::exited(1, r#"{"permission":"allow","continue":true}"#), false, false),
        (Outcome::exited(127, ""), false, false),
        (Outcome::ended(End::Signalled(9)), false, false),
        (Outcome::ended(End::TimedOut), false, false),
        (Outcome::ended(End::FailedToStart("no such file".into())), false, false),
        (Outcome::ended(End::NotRun("no payload".into())), false, false),
        (Outcome::ended(End::Http(500)), false, false),
        (Outcome::ended(End::Cancelled), true, true),
        (
            Outcome { stdout: br#"{"permission":"allow","continue":true}"#.to_vec(), ..Outcome::ended(End::Cancelled) },
            true,
            true,
        ),
        (truncated(r#"{"permission":"allow","continue":true}"#), true, false),
        (Outcome::exited(0, "no JSON"), true, false),
    ]
}

#[test]
fn a_failed_run_blocks_what_can_be_blocked_and_nothing_else() {
    for event in seed().events() {
        for (outcome, on_permission, on_prompt) in failing() {
            for (failure, strict) in POLICIES {
                let effects = decode(&seed(), event.name, failure, strict, &outcome);
                let closed = strict || failure == FailurePolicy::Closed;
                let expected = match event.control {
                    Control::Permission { .. } => closed || on_permission,
                    Control::Halt => closed || on_prompt,
                    _ => false,
                };
                let case = format!("{} {:?} {failure:?} strict {strict}", event.name, outcome.end);
                assert_eq!(blocks(&effects), expected, "{case}");
                assert!(effects.failure.is_some(), "{case}");
                // Nothing but the block comes of a failed run.
                assert_eq!(effects.effects.len(), usize::from(expected), "{case}: {:?}", effects.effects);
            }
        }
    }
}

#[test]
fn output_that_the_host_cut_off_blocks_a_prompt_for_cursor_itself() {
    let effects =
        decode(&vendor(), "beforeSubmitPrompt", FailurePolicy::Open, false, &truncated(r#"{"continue":true}"#));
    assert!(blocks(&effects) && effects.failure == Some(Failure::Truncated));
}

#[test]
fn strictness_never_weakens() {
    let answers = [
        Outcome::exited(0, ""),
        Outcome::exited(0, r#"{"permission":"ask"}"#),
        Outcome::exited(0, r#"{"permission":"deny"}"#),
        Outcome::exited(0, r#"{"permission":"allow"}"#),
        Outcome::exited(0, r#"{"continue":false}"#),
        Outcome::exited(2, ""),
        Outcome::exited(1, ""),
    ];
    let verdict = |effects: &HookEffects| {
        effects
            .effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Verdict { verdict, .. } => Some(*verdict),
                Effect::Halt(_) => Some(Verdict::Deny),
                _ => None,
            })
            .max()
    };
    for adapter in [phase1(), seed(), vendor()] {
        for event in adapter.events() {
            for outcome in &answers {
                for failure in [FailurePolicy::Open, FailurePolicy::Closed] {
                    let lax = verdict(&decode(&adapter, event.name, failure, false, outcome));
                    let strict = verdict(&decode(&adapter, event.name, failure, true, outcome));
                    assert!(strict >= lax, "{} {outcome:?}: {lax:?} became {strict:?}", event.name);
                }
            }
        }
    }
}

/// No source says it, and going on would be a guess: a refusal that can be read holds whatever stands beside it.
#[test]
fn a_readable_refusal_of_a_prompt_holds_beside_a_wrong_message() {
    let outcome = Outcome::exited(0, r#"{"continue":false,"user_message":5}"#);
    assert!(blocks(&decode(&seed(), "beforeSubmitPrompt", FailurePolicy::Open, false, &outcome)));
}

#[test]
fn a_model_that_refuses_blocks_and_one_that_agrees_approves_nothing() {
    let answer = |text: &str| Outcome { stdout: text.as_bytes().to_vec(), ..Outcome::ended(End::Model) };
    let decoded = |event, text| decode(&vendor(), event, FailurePolicy::Open, false, &answer(text));
    assert!(decoded("beforeShellExecution", r#"{"ok":true}"#).effects.is_empty());
    let refused = decoded("beforeShellExecution", r#"{"ok":false,"reason":"risky"}"#);
    assert_eq!(refused.effects, [Effect::Verdict { verdict: Verdict::Deny, reasons: vec!["risky".into()] }]);
    assert!(blocks(&decoded("beforeSubmitPrompt", r#"{"ok":false}"#)));
    assert!(blocks(&decoded("preToolUse", "yes")));
    assert!(decoded("stop", r#"{"ok":false,"reason":"r"}"#).effects.is_empty());
}

#[test]
fn reported_control_fields_deny_a_pending_action() {
    let outcome = Outcome::exited(0, r#"{"permission":"allow","continue":false}"#);
    let effects = decode(&seed(), "beforeShellExecution", FailurePolicy::Open, false, &outcome);
    let unsupported = effects.effects.iter().find_map(|effect| match effect {
        Effect::Unsupported(unsupported) => Some(unsupported),
        _ => None,
    });
    assert_eq!(unsupported.expect("a report").on_pending, OnPending::Deny);
}

/// The way of one shell hook from its file to a decision: parse, activate, select, encode, decode, settle, decide.
#[test]
fn a_hook_goes_from_its_file_to_a_decision() {
    let adapter = vendor();
    let snapshot = activate(
        &adapter,
        r#"{"version":1,"hooks":{"beforeShellExecution":[{"command":"hooks/guard.sh","matcher":"curl"}]}}"#,
    );
    let occurrence = before(ToolCall::shell("curl example.com"));
    let session = SessionState::default();
    let chosen = hooks_core::select(&snapshot, &occurrence, &session);
    assert_eq!(chosen.len(), 1);
    let mut stdin = Vec::new();
    let invocation = adapter.encode(chosen[0].binding, &occurrence, &mut stdin).expect("an invocation");
    assert_eq!(invocation.cwd, "/home/dev/project");
    let stdin: serde_json::Value = serde_json::from_slice(&stdin).expect("JSON");
    assert_eq!(stdin["command"], "curl example.com");
    let answer =
        Outcome::exited(0, r#"{"permission":"deny","user_message":"no network","agent_message":"use the cache"}"#);
    let effects = adapter.decode(chosen[0].binding, &occurrence, &answer, DecodePolicy::default());
    let settled = settle(reduce([effects]), adapter.merge_policy(occurrence.boundary()), false);
    let (decision, _) = decide(settled, occurrence.boundary(), &HostProfile::full(), session);
    assert_eq!(decision.action, Action::Deny);
}
