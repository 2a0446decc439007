//! A rewrite must not slip past the other guards.

use hooks_core::activate::{AdmitAll, Snapshot, VendorSources, activate};
use hooks_core::decide::{Action, decide};
use hooks_core::effects::{Effect, HookEffects, Items, Verdict, reduce};
use hooks_core::host::HostProfile;
use hooks_core::policy::MergePolicy;
use hooks_core::refire::{self, NOT_SHOWN, REWRITTEN_TWICE};
use hooks_core::session::SessionState;
use hooks_core::settle::{Settled, settle_all};
use hooks_core::source::Origin;
use hooks_core::{Boundary, Envelope};

use crate::settlement::{hook, rewrite, verdict};
use crate::toy::{self, Toy};

/// Declared: 0 is alpha's `before`, 1 alpha's `shell` for `ls`, 2 beta's `before`, 3 beta's `shell` for `evil`, 4 beta's
/// `prompt`; 5 watches and can block nothing, 6 can stop the turn.
fn snapshot() -> Snapshot {
    let vendor = |name, text| {
        let adapter = Toy::named(name);
        let documents = vec![adapter.parse(&toy::source(name, Origin::User, "built in", text))];
        VendorSources { adapter, documents }
    };
    let alpha = vendor("alpha", r#"{"hooks":[{"event":"before"},{"event":"shell","matcher":"ls"}]}"#);
    let beta = vendor(
        "beta",
        r#"{"hooks":[{"event":"before"},{"event":"shell","matcher":"evil"},{"event":"prompt"},{"event":"watch"},{"event":"stopper"}]}"#,
    );
    activate(vec![alpha, beta], &HostProfile::full(), &AdmitAll).unwrap()
}

fn first(hooks: Vec<HookEffects>) -> (Items, Settled) {
    let items = reduce(hooks);
    (items.clone(), settle_all(items, |_| &MergePolicy::DECLARED, false))
}

fn again(first_round: Vec<HookEffects>, second: Vec<HookEffects>) -> Settled {
    let (items, settled) = first(first_round);
    refire::settle_again(&snapshot(), &settled, items, reduce(second), |_| &MergePolicy::DECLARED, false)
}

fn rewritten(command: &str) -> Envelope {
    let (_, settled) = first(vec![hook("alpha", 0, 0, vec![rewrite(command)])]);
    refire::rewritten(&toy::before_shell("ls"), &settled, &HostProfile::full()).unwrap()
}

#[test]
fn guards_are_those_of_other_events_and_vendors_that_the_new_input_concerns() {
    let snapshot = snapshot();
    let ids = |rewriter: (&'static str, u32), command: &str| -> Vec<u32> {
        let (_, settled) = first(vec![hook(rewriter.0, rewriter.1, 0, vec![rewrite(command)])]);
        let envelope = refire::rewritten(&toy::before_shell("ls"), &settled, &HostProfile::full()).unwrap();
        refire::guards(&snapshot, &settled, &envelope, &SessionState::default())
            .iter()
            .map(|choice| choice.binding.declared)
            .collect()
    };
    assert_eq!(ids(("alpha", 0), "ls -l"), [1, 2, 6], "its own event's hooks are not asked again");
    assert_eq!(ids(("alpha", 0), "evil"), [2, 3, 6], "a guard that the original did not concern is asked too");
    assert_eq!(ids(("beta", 2), "evil"), [0, 3, 6]);
}

#[test]
fn the_occurrence_carries_the_new_call_and_nothing_else_changes() {
    let envelope = rewritten("new");
    let tool = envelope.payload.tool_use().unwrap();
    assert_eq!(tool.call.as_shell().unwrap().command, "new");
    assert_eq!(tool.call.raw.as_ref().unwrap().get(), r#"{"command":"new"}"#);
    assert_eq!((tool.id.as_deref(), &envelope.common), (Some("t1"), &toy::common()));
    let (_, plain) = first(vec![hook("alpha", 0, 0, Vec::new())]);
    assert!(refire::rewritten(&toy::before_shell("ls"), &plain, &HostProfile::full()).is_none());
}

#[test]
fn a_permission_request_carries_the_new_call_too() {
    let (_, settled) = first(vec![hook("alpha", 0, 0, vec![rewrite("new")])]);
    let envelope = refire::rewritten(&toy::permission_for("x"), &settled, &HostProfile::full()).unwrap();
    assert_eq!(envelope.payload.tool_use().unwrap().call.as_shell().unwrap().command, "new");
    assert_eq!(envelope.boundary(), Boundary::PermissionRequest);
}

#[test]
fn a_rewrite_without_a_place_is_told_from_one_that_has_one() {
    let (_, with) = first(vec![hook("alpha", 0, 0, vec![rewrite("new")])]);
    let (_, without) = first(vec![hook("alpha", 0, 0, Vec::new())]);
    assert!(refire::has_no_place(&with, Boundary::SubagentStart));
    assert!(!refire::has_no_place(&without, Boundary::SubagentStart));
    for boundary in [Boundary::ToolBefore, Boundary::PermissionRequest, Boundary::ToolResult] {
        assert!(!refire::has_no_place(&with, boundary), "{boundary}");
    }
}

#[test]
fn an_allow_of_the_original_approves_nothing_any_more() {
    let rewriter = || hook("alpha", 0, 0, vec![rewrite("evil")]);
    let allows = || hook("beta", 2, 1, vec![verdict(Verdict::Allow, "ls is fine")]);
    for second in [vec![hook("beta", 2, 2, Vec::new())], Vec::new()] {
        let settled = again(vec![rewriter(), allows()], second);
        assert_eq!(settled.verdict, None);
        let said: Vec<_> = settled.report.dropped.iter().map(|dropped| &dropped.effect).collect();
        assert!(said.contains(&&verdict(Verdict::Allow, "ls is fine")), "{said:?}");
        let (decision, _) = decide(settled, Boundary::ToolBefore, &HostProfile::full(), SessionState::default());
        assert_eq!(decision.action, Action::NoOpinion);
        assert!(decision.input.is_some());
    }
    // What is said about the new input counts, and so does the rewriter's own allow.
    let approved = again(vec![rewriter(), allows()], vec![hook("beta", 2, 2, vec![verdict(Verdict::Allow, "fine")])]);
    assert_eq!(approved.verdict, Some(Verdict::Allow));
    let own = hook("alpha", 0, 0, vec![rewrite("evil"), verdict(Verdict::Allow, "mine")]);
    assert_eq!(again(vec![own, allows()], Vec::new()).verdict, Some(Verdict::Allow));
}

#[test]
fn what_restrained_the_original_stays_and_the_new_input_can_be_denied() {
    let rewriter = || hook("alpha", 0, 0, vec![rewrite("evil")]);
    let asks = || hook("beta", 2, 1, vec![verdict(Verdict::Ask, "sure?")]);
    assert_eq!(again(vec![rewriter(), asks()], vec![hook("beta", 2, 2, Vec::new())]).verdict, Some(Verdict::Ask));
    let denied = again(vec![rewriter()], vec![hook("beta", 3, 1, vec![verdict(Verdict::Deny, "evil")])]);
    assert_eq!((denied.verdict, denied.input), (Some(Verdict::Deny), None));
}

#[test]
fn a_guard_that_is_asked_again_speaks_once() {
    let context = |text: &str| Effect::Context(text.to_owned());
    let settled = again(
        vec![
            hook("alpha", 0, 0, vec![rewrite("new"), context("from the rewriter")]),
            hook("beta", 2, 1, vec![context("hello")]),
            hook("beta", 3, 2, vec![context("not asked again")]),
        ],
        vec![hook("beta", 2, 3, vec![context("hello")])],
    );
    let texts: Vec<_> = settled.context.iter().map(|said| said.value.as_str()).collect();
    assert_eq!(texts, ["from the rewriter", "hello", "not asked again"]);
    assert_eq!(settled.report.runs.len(), 4, "both its runs are in the report");
}

#[test]
fn a_second_rewrite_denies_unless_it_is_the_same() {
    let rewriter = || vec![hook("alpha", 0, 0, vec![rewrite("new")])];
    let second = |command: &str| vec![hook("beta", 2, 1, vec![rewrite(command)])];
    let other = again(rewriter(), second("newer"));
    assert_eq!((other.verdict, other.reasons[0].value.as_str()), (Some(Verdict::Deny), REWRITTEN_TWICE));
    let same = again(rewriter(), second("new"));
    assert_eq!(same.verdict, None);
    assert!(same.input.is_some());
}

#[test]
fn a_host_that_cannot_ask_again_denies() {
    let (_, settled) = first(vec![hook("alpha", 0, 0, vec![rewrite("new"), verdict(Verdict::Allow, "mine")])]);
    let refused = refire::refuse(settled);
    assert_eq!((refused.verdict, refused.reasons[0].value.as_str()), (Some(Verdict::Deny), NOT_SHOWN));
    assert!(refused.input.is_none());
}
