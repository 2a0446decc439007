//! Made-up occurrences: one for every boundary, and what is given takes the place of what is made up.

use hooks_conformance::{Given, effects_json, outcome_json, sample};
use hooks_core::boundary::{Boundary, Facet, Stop, Timing};
use hooks_core::effects::{Effect, Failure, Halt, HookEffects, RunStatus, Verdict, Who};
use hooks_core::envelope::Payload;
use hooks_core::outcome::{End, Outcome};
use hooks_core::{BindingId, VendorId};
use serde_json::json;

use crate::toy::Toy;

#[test]
fn every_boundary_has_a_payload_of_its_own() {
    for &boundary in Boundary::ALL {
        assert_eq!(sample::payload(boundary).boundary(), boundary);
    }
}

#[test]
fn a_payload_is_about_the_facet() {
    for (facet, kind) in [
        (Facet::Any, "shell"),
        (Facet::Tool, "shell"),
        (Facet::Shell, "shell"),
        (Facet::Mcp, "mcp"),
        (Facet::FileRead, "read"),
        (Facet::FileEdit, "edit"),
    ] {
        let call = sample::call(facet);
        assert_eq!(call.action.kind(), kind);
        for boundary in Boundary::ALL.iter().filter(|boundary| boundary.info().timing == Timing::Before) {
            if let Some(tool) = sample::payload_of(*boundary, call.clone()).tool_use() {
                assert_eq!(tool.call, call);
            }
        }
    }
}

#[test]
fn an_event_without_a_boundary_has_an_occurrence_too() {
    assert!(sample::envelope(&Toy, "nowhere", &Given::default()).is_some());
    assert!(sample::envelope(&Toy, "unheard", &Given::default()).is_none());
    let given = Given { tool: Some("lathe".to_owned()), ..Given::default() };
    let envelope = sample::envelope(&Toy, "before", &given).expect("an occurrence");
    assert_eq!(envelope.payload.tool_use().map(|tool| tool.call.action.kind()), Some("other"));
    assert_eq!(envelope.common.cwd, sample::PROJECT);
    let given = Given { status: Some("aborted".to_owned()), stop_hook_active: Some(true), ..Given::default() };
    let envelope = sample::envelope(&Toy, "stop", &given).expect("an occurrence");
    let Payload::TurnStop(stop) = envelope.payload else { panic!("a stop") };
    assert_eq!((stop.status.as_deref(), stop.loop_count), (Some("aborted"), 1));
}

#[test]
fn effects_have_one_json_form() {
    let by = Who {
        binding: BindingId::new("b"),
        vendor: VendorId::from_static("toy"),
        declared: 0,
        finished: 0,
        doubtful: false,
    };
    assert_eq!(effects_json(&HookEffects::none(by.clone())), json!({ "run": "completed" }));
    let mut hook = HookEffects::failed(by, Failure::Timeout);
    hook.status = RunStatus::Blocked;
    // Of several verdicts the strongest counts, with its own reasons.
    hook.verdict(Verdict::Allow, vec!["weak".to_owned()]);
    hook.verdict(Verdict::Deny, vec!["strong".to_owned()]);
    hook.verdict(Verdict::Ask, vec!["middle".to_owned()]);
    hook.push(Effect::Halt(Halt::of(&[Stop::Turn], None)));
    hook.push(Effect::Halt(Halt::of(&[Stop::Prompt], Some("why".to_owned()))));
    assert_eq!(
        effects_json(&hook),
        json!({
            "run": "blocked", "failed": true, "verdict": "deny", "reasons": ["strong"],
            "halt": { "stops": ["prompt", "turn"], "reason": "why" },
        })
    );
}

#[test]
fn outcomes_have_one_json_form() {
    let mut outcome = Outcome::exited(2, "out");
    outcome.stderr = vec![0xff];
    outcome.stdout_truncated = true;
    assert_eq!(
        outcome_json(&outcome),
        json!({
            "end": { "exited": 2 }, "stdout": "out", "stderr": { "base64": "/w==" }, "stdout_truncated": true,
        })
    );
    assert_eq!(outcome_json(&Outcome::ended(End::TimedOut))["end"], json!("timed_out"));
}
