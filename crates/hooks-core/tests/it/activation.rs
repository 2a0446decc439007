//! Activation and selection over documents of several vendors.

use std::sync::Arc;

use hooks_core::activate::{AdmitAll, AdmitOwn, Admitted, Snapshot, VendorSources, activate};
use hooks_core::boundary::{Boundary, Facet};
use hooks_core::channel::{Channel, Channels};
use hooks_core::definition::{Definition, State};
use hooks_core::envelope::{AgentIdentity, Envelope};
use hooks_core::host::HostProfile;
use hooks_core::select::{Why, explain, select};
use hooks_core::session::SessionState;
use hooks_core::source::{Life, Origin};

use crate::toy::{self, Toy};

fn vendor(name: &'static str, documents: &[(Origin, &str, &str)]) -> VendorSources {
    let adapter = Toy::named(name);
    let documents =
        documents.iter().map(|(origin, path, text)| adapter.parse(&toy::source(name, *origin, path, text))).collect();
    VendorSources { adapter, documents }
}

fn one(text: &str) -> Snapshot {
    activate(vec![vendor("alpha", &[(Origin::User, "u", text)])], &HostProfile::full(), &AdmitAll).expect("a snapshot")
}

fn runs(snapshot: &Snapshot, envelope: &Envelope) -> Vec<String> {
    let session = SessionState::default();
    select(snapshot, envelope, &session).iter().map(|choice| choice.binding.id.to_string()).collect()
}

#[test]
fn documents_stand_by_precedence_and_vendors_as_given() {
    let hook = r#"{"hooks":[{"event":"before"}]}"#;
    let snapshot = activate(
        vec![
            vendor("beta", &[(Origin::Project, "bp", hook), (Origin::Managed, "bm", hook)]),
            vendor("alpha", &[(Origin::User, "au", hook)]),
        ],
        &HostProfile::full(),
        &AdmitAll,
    )
    .expect("a snapshot");
    assert_eq!(
        runs(&snapshot, &toy::before_tool("x")),
        ["beta:bm#before[0][0]", "beta:bp#before[0][0]", "alpha:au#before[0][0]"]
    );
}

#[test]
fn every_definition_keeps_a_state() {
    let text = r#"{"hooks":[{"event":"before"},{"event":"nowhere"},{"event":"before","matcher":"("}]}"#;
    let words: Vec<_> = one(text).definitions().iter().map(|definition| definition.state.word()).collect();
    assert_eq!(words, ["live", "no boundary", "inert"]);
}

#[test]
fn a_switch_disables_what_it_reaches() {
    let snapshot = activate(
        vec![vendor(
            "alpha",
            &[
                (Origin::Managed, "m", r#"{"hooks":[{"event":"before"}]}"#),
                (Origin::User, "u", r#"{"off":true,"hooks":[{"event":"before"}]}"#),
            ],
        )],
        &HostProfile::full(),
        &AdmitAll,
    )
    .expect("a snapshot");
    let states: Vec<_> = snapshot.definitions().iter().map(|definition| definition.state.clone()).collect();
    assert_eq!(states, [State::Live, State::Disabled("off".to_owned())]);
}

#[test]
fn managed_hooks_that_cannot_be_loaded_refuse_the_session() {
    let documents = [(Origin::Managed, "m", "{"), (Origin::User, "u", "{}")];
    let refused = activate(vec![vendor("alpha", &documents)], &HostProfile::full(), &AdmitAll).expect_err("refused");
    assert_eq!(refused.to_string(), "alpha: managed hooks could not be loaded");
    let lenient = [(Origin::User, "u", "{")];
    assert!(activate(vec![vendor("alpha", &lenient)], &HostProfile::full(), &AdmitAll).is_ok());
}

#[test]
fn admission_decides_what_was_not_asked_for() {
    let hook = r#"{"hooks":[{"event":"before"}]}"#;
    let documents = || vec![vendor("alpha", &[(Origin::User, "u", hook), (Origin::Project, "p", hook)])];
    let states = |snapshot: Snapshot| -> Vec<_> {
        snapshot.definitions().iter().map(|definition| definition.state.clone()).collect()
    };
    let own = activate(documents(), &HostProfile::full(), &AdmitOwn).expect("a snapshot");
    assert_eq!(states(own), [State::Live, State::Untrusted]);
    let modified = |definition: &Definition, _: Option<Admitted>| {
        if definition.source.origin == Origin::Project { Admitted::Modified } else { Admitted::Yes }
    };
    let changed = activate(documents(), &HostProfile::full(), &modified).expect("a snapshot");
    assert_eq!(states(changed), [State::Live, State::Modified]);
}

#[test]
fn what_a_host_never_fires_is_inert_and_said_loudly() {
    let host = HostProfile::full().firing([(Boundary::ToolBefore, Facet::Tool)]);
    let text = r#"{"hooks":[{"event":"before"},{"event":"shell"}]}"#;
    let snapshot = activate(vec![vendor("alpha", &[(Origin::User, "u", text)])], &host, &AdmitAll).expect("a snapshot");
    let words: Vec<_> = snapshot.definitions().iter().map(|definition| definition.state.word()).collect();
    assert_eq!(words, ["live", "inert"]);
    let codes: Vec<_> = snapshot.diagnostics().iter().map(|d| (d.code.id, d.severity.as_str())).collect();
    assert_eq!(codes, [("core/host-never-fires", "error")]);
}

#[test]
fn a_channel_the_host_lacks_is_a_warning_at_activation() {
    let host = HostProfile::full().channels(Channels::ALL.minus(Channels::of(&[Channel::ModelContext])));
    let text = r#"{"hooks":[{"event":"before"}]}"#;
    let snapshot = activate(vec![vendor("alpha", &[(Origin::User, "u", text)])], &host, &AdmitAll).expect("a snapshot");
    assert_eq!(snapshot.bindings().len(), 1);
    let [diagnostic] = snapshot.diagnostics() else { panic!("one diagnostic") };
    assert!(diagnostic.message.contains("model-context"), "{}", diagnostic.message);
}

#[test]
fn a_binding_never_matches_another_boundary_or_facet() {
    let snapshot = one(r#"{"hooks":[{"event":"shell"},{"event":"before"},{"event":"prompt"}]}"#);
    assert_eq!(runs(&snapshot, &toy::before_shell("ls")), ["alpha:u#shell[0][0]", "alpha:u#before[0][1]"]);
    assert_eq!(runs(&snapshot, &toy::before_tool("x")), ["alpha:u#before[0][1]"]);
    assert_eq!(runs(&snapshot, &toy::prompt("hi")), ["alpha:u#prompt[0][2]"]);
}

#[test]
fn an_event_can_be_fired_on_a_second_boundary() {
    let snapshot = one(r#"{"hooks":[{"event":"before","matcher":"=x"},{"event":"shell"},{"event":"prompt"}]}"#);
    assert_eq!(runs(&snapshot, &toy::permission_for("x")), ["alpha:u#before[0][0]"]);
    assert_eq!(runs(&snapshot, &toy::permission_for("y")), [""; 0]);
}

#[test]
fn aliases_are_tried_and_a_definition_runs_once() {
    let text = r#"{"hooks":[{"event":"before","matcher":"=Shell|Terminal"},{"event":"before","matcher":"l$"}]}"#;
    assert_eq!(runs(&one(text), &toy::before_shell("ls")), ["alpha:u#before[0][0]", "alpha:u#before[0][1]"]);
}

#[test]
fn an_occurrence_without_a_subject_matches_only_everything() {
    let text = r#"{"hooks":[{"event":"before"},{"event":"before","matcher":".*"},{"event":"before","matcher":"=x"}]}"#;
    assert_eq!(runs(&one(text), &toy::before_tool("")), ["alpha:u#before[0][0]"]);
}

#[test]
fn events_that_ignore_matchers_take_all_of_them() {
    let text = r#"{"hooks":[{"event":"prompt","matcher":"=x"},{"event":"prompt","matcher":"y"}]}"#;
    assert_eq!(runs(&one(text), &toy::prompt("hi")).len(), 2);
}

#[test]
fn of_copies_the_last_that_matches_runs() {
    let text = r#"{"hooks":[
        {"event":"before","key":"k"},{"event":"before","key":"k","matcher":"=x"},{"event":"before"}]}"#;
    let snapshot = one(text);
    assert_eq!(runs(&snapshot, &toy::before_tool("x")), ["alpha:u#before[0][1]", "alpha:u#before[0][2]"]);
    assert_eq!(runs(&snapshot, &toy::before_tool("y")), ["alpha:u#before[0][0]", "alpha:u#before[0][2]"]);
}

#[test]
fn a_doubtful_copy_does_not_take_the_place_of_a_certain_one() {
    let text = r#"{"hooks":[{"event":"before","key":"k"},{"event":"before","key":"k","matcher":"?"}]}"#;
    let snapshot = one(text);
    let session = SessionState::default();
    let envelope = toy::before_tool("x");
    let chosen = select(&snapshot, &envelope, &session);
    assert!(chosen.iter().any(|choice| choice.doubtful.is_none()), "the certain copy runs");
}

#[test]
fn conditions_and_single_runs_are_respected() {
    let text = r#"{"hooks":[
        {"event":"before","condition":"no"},{"event":"before","condition":"maybe"},{"event":"before","once":true}]}"#;
    let snapshot = one(text);
    let mut session = SessionState::default();
    let envelope = toy::before_tool("x");
    let doubts: Vec<_> = select(&snapshot, &envelope, &session).iter().map(|c| c.doubtful.is_some()).collect();
    assert_eq!(doubts, [true, false]);
    session.ran_once.insert(snapshot.bindings()[2].id.clone());
    assert_eq!(select(&snapshot, &envelope, &session).len(), 1);
}

#[test]
fn hooks_of_an_agent_run_inside_it_only() {
    let adapter = Toy::named("alpha");
    let mut source =
        (*toy::source("alpha", Origin::Frontmatter, "agent.md", r#"{"hooks":[{"event":"before"}]}"#)).clone();
    source.life = Life::Agent("a1".to_owned());
    let documents = vec![adapter.parse(&Arc::new(source))];
    let vendors = vec![VendorSources { adapter, documents }];
    let snapshot = activate(vendors, &HostProfile::full(), &AdmitAll).expect("a snapshot");
    let mut envelope = toy::before_tool("x");
    assert_eq!(runs(&snapshot, &envelope), [""; 0]);
    let agent = |id: &str| AgentIdentity { id: Some(id.to_owned()), kind: None };
    envelope.common.agent = Some(agent("a2"));
    assert_eq!(runs(&snapshot, &envelope), [""; 0]);
    envelope.common.agent = Some(agent("a1"));
    assert_eq!(runs(&snapshot, &envelope), ["alpha:agent.md#before[0][0]"]);
}

#[test]
fn every_no_has_a_reason() {
    let text = r#"{"hooks":[
        {"event":"before","matcher":"=Write"},{"event":"shell"},{"event":"prompt"},{"event":"nowhere"},
        {"event":"before","condition":"no"},{"event":"before","key":"k"},{"event":"before","key":"k"}]}"#;
    let snapshot = one(text);
    let session = SessionState::default();
    let reasons: Vec<_> = explain(&snapshot, &toy::before_tool("x"), &session)
        .into_iter()
        .map(|(_, why)| match why {
            Why::Run => "run".to_owned(),
            Why::Doubtful(why) | Why::No(why) => why,
        })
        .collect();
    assert_eq!(
        reasons,
        [
            "the matcher `=Write` (exact list) does not match `x`",
            "shell is not fired: not a shell command",
            "prompt is on prompt.submit, not on tool.before",
            "no boundary",
            "its condition `no` does not hold",
            "a later copy of it stands in its place",
            "run",
        ]
    );
}

#[test]
fn a_snapshot_is_replaced_while_a_firing_keeps_its_own() {
    let old = Arc::new(one(r#"{"hooks":[{"event":"before"}]}"#));
    let mut current = Arc::clone(&old);
    let session = SessionState::default();
    let envelope = toy::before_tool("x");
    let under_way = select(&old, &envelope, &session);
    assert_eq!(current.bindings().len(), 1);
    current = Arc::new(one("{}"));
    assert_eq!(current.bindings().len(), 0);
    assert_eq!(under_way.len(), 1);
}

#[test]
fn a_thousand_patterns_select_what_one_by_one_matching_does() {
    let hooks: Vec<_> = (0..1000)
        .map(|n| {
            if n % 2 == 0 {
                format!(r#"{{"event":"before","matcher":"=t{n}|u"}}"#)
            } else {
                format!(r#"{{"event":"before","matcher":"^t{n}$|v"}}"#)
            }
        })
        .collect();
    let snapshot = one(&format!(r#"{{"hooks":[{}]}}"#, hooks.join(",")));
    for name in ["t0", "t1", "t999", "u", "v", "none", ""] {
        let expected: Vec<_> = snapshot
            .bindings()
            .iter()
            .filter(|binding| !name.is_empty() && binding.matcher.matches(name) == hooks_core::Matched::Yes)
            .map(|binding| binding.id.to_string())
            .collect();
        assert_eq!(runs(&snapshot, &toy::before_tool(name)), expected, "{name}");
    }
}
