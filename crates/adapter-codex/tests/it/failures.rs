//! What a failed evaluation means: no opinion, unless the host is strict or spoiled the run itself (the
//! fail-safe rules of the whole project; the vendor's own rule is in the vectors).

use adapter_codex::Adapter;
use adapter_codex::events::{EVENTS, Event, Guard, Reads};
use hooks_conformance::{Given, sample};
use hooks_core::effects::Failure;
use hooks_core::{
    Binding, DecodePolicy, Effect, End, FailurePolicy, HookEffects, HostSide, Outcome, RunStatus, Verdict,
};

const STRICT: DecodePolicy = DecodePolicy { strict: true };
const OPEN: DecodePolicy = DecodePolicy { strict: false };

fn decoded(event: &Event, outcome: &Outcome, policy: DecodePolicy) -> HookEffects {
    let adapter = Adapter::latest();
    let binding = Binding::alone(adapter.blank(event.facts.name).unwrap());
    let envelope = sample::envelope(&adapter, event.facts.name, &Given::default()).expect("a sample");
    adapter.decode(&binding, &envelope, outcome, policy)
}

fn blocks(effects: &HookEffects) -> bool {
    effects
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Halt(_) | Effect::Verdict { verdict: Verdict::Deny, .. }))
}

fn failures() -> Vec<Outcome> {
    vec![
        Outcome::exited(1, "{}"),
        Outcome::exited(127, ""),
        Outcome::ended(End::Signalled(9)),
        Outcome::ended(End::TimedOut),
        Outcome::ended(End::FailedToStart("no shell".into())),
        Outcome::ended(End::NotRun("no input".into())),
        Outcome::ended(End::Tool { is_error: true }),
        Outcome::ended(End::Http(500)),
    ]
}

#[test]
fn a_failed_run_has_no_say() {
    for event in &EVENTS {
        for outcome in failures() {
            let effects = decoded(event, &outcome, OPEN);
            assert_eq!(effects.status, RunStatus::Failed, "{}", event.facts.name);
            assert!(effects.failure.is_some() && effects.effects.is_empty(), "{}: {effects:?}", event.facts.name);
        }
    }
}

#[test]
fn strict_makes_it_a_block_where_the_event_can_block() {
    for event in &EVENTS {
        for outcome in failures().into_iter().chain([Outcome::exited(0, "{"), Outcome::exited(0, "[1]")]) {
            if event.reads != Reads::Stdout && outcome.end == End::Exited(0) {
                continue;
            }
            let effects = decoded(event, &outcome, STRICT);
            assert!(effects.failure.is_some(), "{}", event.facts.name);
            assert_eq!(blocks(&effects), event.guard != Guard::None, "{}: {effects:?}", event.facts.name);
        }
    }
}

#[test]
fn a_closed_definition_is_as_strict() {
    let adapter = Adapter::latest();
    let mut definition = adapter.blank("PreToolUse").unwrap();
    definition.failure = FailurePolicy::Closed;
    let envelope = sample::envelope(&adapter, "PreToolUse", &Given::default()).expect("a sample");
    let effects = adapter.decode(&Binding::alone(definition), &envelope, &Outcome::exited(1, ""), OPEN);
    assert!(blocks(&effects));
}

#[test]
fn cancelling_and_cutting_off_block_where_the_event_can_block() {
    for event in &EVENTS {
        let cancelled = decoded(event, &Outcome::ended(End::Cancelled), OPEN);
        assert_eq!(cancelled.failure, Some(Failure::Cancelled), "{}", event.facts.name);
        assert_eq!(blocks(&cancelled), event.guard != Guard::None, "{}", event.facts.name);

        let cut = Outcome { stdout_truncated: true, ..Outcome::exited(0, "some words") };
        let cut = decoded(event, &cut, OPEN);
        assert!(!cut.effects.iter().any(|effect| matches!(effect, Effect::Context(_))), "{}", event.facts.name);
        assert_eq!(blocks(&cut), event.guard != Guard::None, "{}", event.facts.name);
        assert_eq!(cut.failure.is_some(), event.reads == Reads::Stdout, "{}", event.facts.name);
    }
}

#[test]
fn what_exit_2_says_survives_cut_off_output() {
    let event = adapter_codex::events::find("PreToolUse").unwrap();
    let outcome =
        Outcome { stdout_truncated: true, stderr: b"no".to_vec(), stderr_truncated: true, ..Outcome::exited(2, "x") };
    let effects = decoded(event, &outcome, OPEN);
    assert!(blocks(&effects) && effects.failure.is_none());
}

#[test]
fn reasons_and_notices_are_safe_to_show() {
    let event = adapter_codex::events::find("PreToolUse").unwrap();
    let stdout = r#"{"systemMessage":"a\u001b[31m","decision":"block","reason":" no\u202e\u0007 way "}"#;
    let effects = decoded(event, &Outcome::exited(0, stdout), OPEN);
    assert_eq!(effects.effects[0], Effect::Notice("a[31m".into()));
    assert_eq!(effects.effects[1], Effect::Verdict { verdict: Verdict::Deny, reasons: vec!["no way".into()] });
}

#[test]
fn background_runs_have_no_control() {
    let adapter = Adapter::latest();
    for event in &EVENTS {
        let envelope = sample::envelope(&adapter, event.facts.name, &Given::default()).expect("a sample");
        let mut definition = adapter.blank(event.facts.name).unwrap();
        if let hooks_core::Handler::Command(command) = &mut definition.handler {
            command.background = hooks_core::handler::Background::Async;
        }
        let binding = Binding::alone(definition);
        let exit_2 = Outcome { stderr: b"no".to_vec(), ..Outcome::exited(2, "") };
        for outcome in [exit_2, Outcome::exited(0, r#"{"decision":"block","reason":"r","systemMessage":"s"}"#)] {
            for effects in [
                adapter.decode(&binding, &envelope, &outcome, STRICT),
                adapter.decode_late(&binding, &envelope, &outcome),
            ] {
                let quiet = |effect: &Effect| matches!(effect, Effect::Notice(_) | Effect::Context(_));
                assert!(effects.effects.iter().all(quiet), "{}: {effects:?}", event.facts.name);
            }
        }
    }
}

#[test]
fn late_answers_keep_context_and_notices() {
    let adapter = Adapter::latest();
    let binding = Binding::alone(adapter.blank("PreToolUse").unwrap());
    let envelope = sample::envelope(&adapter, "PreToolUse", &Given::default()).expect("a sample");
    let stdout = r#"{"systemMessage":"s","continue":false,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r","additionalContext":"c"}}"#;
    let late = adapter.decode_late(&binding, &envelope, &Outcome::exited(0, stdout));
    assert_eq!(late.effects, [Effect::Notice("s".into()), Effect::Context("c".into())]);
    assert_eq!((late.status, late.failure), (RunStatus::Completed, None));
    let misfit = adapter.decode_late(&binding, &envelope, &Outcome::exited(0, r#"{"unknown":1}"#));
    assert_eq!(misfit.status, RunStatus::Failed);
}

/// What stands in a hook's place when its evaluation fails and that shall block (the fail-safe rules: where the event can
/// block, which here is where something is still about to happen).
const IN_ITS_PLACE: [(&str, Option<&str>); 14] = [
    ("PreModelRequest", None),
    ("PostModelRequest", None),
    ("PreToolUse", Some("deny")),
    ("PermissionRequest", Some("deny")),
    ("PostToolUse", None),
    ("PreCompact", Some("compaction turn")),
    ("PostCompact", None),
    ("SessionStart", Some("turn")),
    ("SessionEnd", None),
    ("UserPromptSubmit", Some("prompt")),
    ("SubagentStart", None),
    ("SubagentStop", None),
    ("Stop", None),
    ("Interrupt", None),
];

/// A block in a word: a deny, or what a halt stops.
fn block(effects: &HookEffects) -> Option<String> {
    let words: Vec<String> = effects
        .effects
        .iter()
        .map(|effect| match effect {
            Effect::Verdict { verdict: Verdict::Deny, reasons } => {
                assert!(reasons.iter().all(|reason| !reason.trim().is_empty()) && !reasons.is_empty());
                "deny".to_owned()
            }
            Effect::Halt(halt) => {
                let mut stops: Vec<_> = halt.stops.iter().map(|stop| stop.as_str()).collect();
                stops.sort_unstable();
                stops.join(" ")
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(words.len() <= 1);
    words.into_iter().next()
}

#[test]
fn every_event_strict_cancelled_and_cut_off() {
    assert_eq!(EVENTS.len(), IN_ITS_PLACE.len());
    for (name, wanted) in IN_ITS_PLACE {
        let event = adapter_codex::events::find(name).unwrap();
        let wanted = wanted.map(str::to_owned);
        let mut closed = Adapter::latest().blank(name).unwrap();
        closed.failure = FailurePolicy::Closed;
        let closed = Binding::alone(closed);
        let envelope = sample::envelope(&Adapter::latest(), name, &Given::default()).expect("a sample");

        // What the hook did wrong: nothing for the vendor, a block for a strict host and a closed definition.
        for outcome in failures() {
            assert_eq!(block(&decoded(event, &outcome, OPEN)), None, "{name}");
            assert_eq!(block(&decoded(event, &outcome, STRICT)), wanted, "{name} {outcome:?}");
            assert_eq!(block(&Adapter::latest().decode(&closed, &envelope, &outcome, OPEN)), wanted, "{name}");
        }
        let misfit = Outcome::exited(0, r#"{"unknown":1}"#);
        let reads = !matches!(name, "SessionEnd" | "PreModelRequest" | "PostModelRequest");
        assert_eq!(block(&decoded(event, &misfit, OPEN)), None, "{name}");
        assert_eq!(block(&decoded(event, &misfit, STRICT)), wanted.clone().filter(|_| reads), "{name}");

        // What the host did: a block for everybody, and what is left of the text is no context.
        for policy in [OPEN, STRICT] {
            assert_eq!(block(&decoded(event, &Outcome::ended(End::Cancelled), policy)), wanted, "{name}");
            for text in ["words", "{\"systemMessage\":\"s\"}", "{\"systemMess"] {
                let cut = Outcome { stdout_truncated: true, ..Outcome::exited(0, text) };
                assert_eq!(block(&decoded(event, &cut, policy)), wanted.clone().filter(|_| reads), "{name} {text}");
            }
        }

        // Silence is an answer, for a strict host too.
        assert_eq!(block(&decoded(event, &Outcome::exited(0, " \n"), STRICT)), None, "{name}");
    }
}
