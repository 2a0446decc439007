//! Cases of the vendor's list that no vector names, by their numbers; and the table that says where each case is held.

use std::collections::BTreeSet;
use std::path::PathBuf;

use adapter_cursor::{Adapter, phase1, seed, vendor};
use hooks_conformance::{Given, effects_json, load, sample};
use hooks_core::adapter::DecodePolicy;
use hooks_core::definition::{FailurePolicy, State};
use hooks_core::effects::reduce;
use hooks_core::envelope::{Compaction, Payload, TurnStop};
use hooks_core::outcome::{End, Outcome};
use hooks_core::source::Origin;
use hooks_core::tool::{ResultKind, ToolAction, ToolResult};
use hooks_core::{Action, Envelope, HostProfile, HostSide, LoopLimit, Matched, SessionState, decide, settle};
use serde_json::{Value, json};

use crate::support::{after, binding, envelope, parse, parse_foreign, source, stdin};

const OPEN: (FailurePolicy, bool) = (FailurePolicy::Open, false);
const CLOSED: (FailurePolicy, bool) = (FailurePolicy::Closed, false);
const STRICT: (FailurePolicy, bool) = (FailurePolicy::Open, true);

fn decoded(adapter: &Adapter, event: &str, (failure, strict): (FailurePolicy, bool), outcome: &Outcome) -> Value {
    let hook = binding(adapter, event, "hook", failure);
    effects_json(&adapter.decode(&hook, &envelope(&vendor(), event), outcome, DecodePolicy { strict }))
}

#[test]
fn failures_and_empty_answers() {
    let timeout = || Outcome::ended(End::TimedOut);
    for (case, event, policy, outcome, verdict, halts, failed) in [
        ("C096", "stop", OPEN, Outcome::exited(2, r#"{"followup_message":"go on"}"#), None, false, true),
        ("C109", "beforeSubmitPrompt", OPEN, timeout(), None, false, true),
        ("C111", "beforeSubmitPrompt", STRICT, Outcome::exited(1, ""), None, true, true),
        ("C114", "postToolUse", CLOSED, Outcome::exited(1, ""), None, false, true),
        ("C115", "afterShellExecution", STRICT, Outcome::exited(1, ""), None, false, true),
        ("C118", "postToolUse", CLOSED, Outcome::ended(End::Cancelled), None, false, true),
        ("C126", "beforeShellExecution", OPEN, Outcome::exited(0, ""), None, false, true),
        ("C129", "beforeMCPExecution", CLOSED, Outcome::exited(0, ""), Some("deny"), false, true),
        ("C130", "subagentStart", OPEN, Outcome::exited(0, ""), None, false, true),
        ("C135", "beforeSubmitPrompt", OPEN, Outcome::exited(0, ""), None, false, true),
        ("C147", "beforeTabFileRead", OPEN, Outcome::exited(0, "hello"), Some("deny"), false, true),
        ("C158", "beforeSubmitPrompt", OPEN, Outcome::exited(0, "hello"), None, false, true),
        ("C163", "stop", CLOSED, Outcome::exited(0, "hello"), None, false, true),
        ("C168", "postToolUse", CLOSED, Outcome::exited(0, "hello"), None, false, true),
        ("C191", "beforeTabFileRead", OPEN, Outcome::exited(0, r#"{"permission":"ask"}"#), Some("deny"), false, true),
    ] {
        let form = decoded(&seed(), event, policy, &outcome);
        assert_eq!(form["verdict"].as_str(), verdict, "{case}: {form}");
        assert_eq!(form.get("halt").is_some(), halts, "{case}: {form}");
        assert_eq!(form["failed"].as_bool().unwrap_or(false), failed, "{case}: {form}");
        assert!(form.get("continuation").is_none() && form.get("context").is_none(), "{case}: {form}");
    }
}

/// Case C099 as it is done here: a refusal that can be read holds, though the run failed. See the decision on what
/// nobody says.
#[test]
fn a_printed_refusal_of_a_failed_run_holds() {
    let deny = r#"{"permission":"deny","user_message":"no"}"#;
    let nested = r#"{"hookSpecificOutput":{"permissionDecision":"deny"}}"#;
    let halt = r#"{"continue":false,"user_message":"no"}"#;
    let timed_out = |stdout: &str| Outcome { stdout: stdout.as_bytes().to_vec(), ..Outcome::ended(End::TimedOut) };
    for adapter in [phase1(), seed(), vendor()] {
        for outcome in [Outcome::exited(1, deny), Outcome::exited(127, deny), timed_out(deny)] {
            let form = decoded(&adapter, "beforeShellExecution", OPEN, &outcome);
            assert_eq!(
                (&form["verdict"], &form["reasons"], &form["failed"]),
                (&json!("deny"), &json!(["no"]), &json!(true))
            );
            // An observer has nothing to refuse.
            assert!(decoded(&adapter, "postToolUse", OPEN, &outcome).get("verdict").is_none());
        }
        assert_eq!(decoded(&adapter, "preToolUse", OPEN, &Outcome::exited(1, nested))["verdict"], "deny");
        assert!(decoded(&adapter, "beforeShellExecution", OPEN, &Outcome::exited(1, nested)).get("verdict").is_none());
        let cut = Outcome { stdout_truncated: true, ..Outcome::exited(0, halt) };
        assert!(decoded(&adapter, "beforeSubmitPrompt", OPEN, &cut).get("halt").is_some());
        for outcome in [Outcome::exited(1, halt), timed_out(halt)] {
            let form = decoded(&adapter, "beforeSubmitPrompt", OPEN, &outcome);
            assert_eq!((&form["halt"]["reason"], &form["failed"]), (&json!("no"), &json!(true)), "{form}");
        }
        // What does not refuse is not used.
        for stdout in [r#"{"permission":"allow"}"#, r#"{"permission":"Deny"}"#, r#"{"permission":"ask"}"#, "deny"] {
            let form = decoded(&adapter, "beforeShellExecution", OPEN, &Outcome::exited(1, stdout));
            assert!(form.get("verdict").is_none(), "{stdout}: {form}");
        }
    }
}

#[test]
fn decisions_and_messages() {
    for (case, event, policy, stdout, expected) in [
        (
            "C181",
            "subagentStart",
            OPEN,
            r#"{"permission":"deny","user_message":"u"}"#,
            json!({"verdict": "deny", "reasons": ["u"]}),
        ),
        (
            "C182",
            "beforeReadFile",
            OPEN,
            r#"{"permission":"deny","user_message":"u"}"#,
            json!({"verdict": "deny", "reasons": ["u"]}),
        ),
        (
            "C187",
            "preToolUse",
            STRICT,
            r#"{"permission":"ask","agent_message":"a"}"#,
            json!({"verdict": "ask", "reasons": ["a"]}),
        ),
        (
            "C213",
            "beforeMCPExecution",
            OPEN,
            r#"{"permission":"allow","updated_input":{}}"#,
            json!({"verdict": "allow", "replacement_input": {}, "unsupported": ["updated_input"]}),
        ),
        (
            "C215",
            "preToolUse",
            OPEN,
            r#"{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"command":"npm ci"}}}"#,
            json!({"verdict": "allow", "replacement_input": {"command": "npm ci"}}),
        ),
        (
            "C216",
            "preToolUse",
            OPEN,
            r#"{"permission":"allow","hookSpecificOutput":{"permissionDecision":"deny"}}"#,
            json!({"verdict": "allow"}),
        ),
        ("C233", "afterShellExecution", OPEN, r#"{"permission":"allow"}"#, json!({})),
        (
            "C238",
            "afterMCPExecution",
            OPEN,
            r#"{"updated_mcp_tool_output":{}}"#,
            json!({"unsupported": ["updated_mcp_tool_output"]}),
        ),
        ("C239", "postToolUse", OPEN, r#"{"hookSpecificOutput":{}}"#, json!({"unsupported": ["hookSpecificOutput"]})),
        (
            "C245",
            "beforeShellExecution",
            OPEN,
            r#"{"permission":"allow","userMessage":"x"}"#,
            json!({"verdict": "allow"}),
        ),
        ("C246", "afterAgentResponse", OPEN, r#"{"user_message":"m"}"#, json!({})),
        ("C294", "sessionStart", OPEN, r#"{"additionalContext":"c"}"#, json!({})),
    ] {
        let mut form = decoded(&seed(), event, policy, &Outcome::exited(0, stdout));
        form.as_object_mut().expect("an object").remove("run");
        assert_eq!(form, expected, "{case}");
    }
}

/// Case C203: a subagent's follow-up counts for Cursor only when the subagent completed.
#[test]
fn a_follow_up_of_a_failed_subagent() {
    let given = Given { status: Some("error".into()), ..Given::default() };
    let occurrence = sample::envelope(&vendor(), "subagentStop", &given).expect("an occurrence");
    let answer = Outcome::exited(0, r#"{"followup_message":"again"}"#);
    for (adapter, goes_on) in [(seed(), true), (vendor(), false)] {
        let hook = binding(&adapter, "subagentStop", "hook", FailurePolicy::Open);
        let effects = adapter.decode(&hook, &occurrence, &answer, DecodePolicy::default());
        assert_eq!(effects.effects.len() == 1, goes_on);
    }
}

/// Case C185: where nobody can be asked, an ask denies and keeps its reasons.
#[test]
fn an_ask_with_nobody_to_ask_denies() {
    let hook = binding(&vendor(), "beforeShellExecution", "hook", FailurePolicy::Open);
    let occurrence = envelope(&vendor(), "beforeShellExecution");
    let answer = Outcome::exited(0, r#"{"permission":"ask","user_message":"sure?"}"#);
    let effects = vendor().decode(&hook, &occurrence, &answer, DecodePolicy::default());
    let settled = settle(reduce([effects]), vendor().merge_policy(occurrence.boundary()), false);
    let host = HostProfile::full().ask(false);
    let (decision, _) = decide(settled, occurrence.boundary(), &host, SessionState::default());
    assert_eq!(decision.action, Action::Deny);
    assert!(decision.to_model.iter().any(|said| said.value == "sure?"));
}

#[test]
fn definitions() {
    let one = |adapter: &Adapter, event: &str, rest: &str| {
        parse(adapter, &format!(r#"{{"version":1,"hooks":{{"{event}":[{{"command":"x"{rest}}}]}}}}"#))
    };
    // C007, C027 and C044.
    assert!(parse(&seed(), r#"{"version":-1,"hooks":{}}"#).rejected);
    assert!(one(&seed(), "stop", r#","timeout":"30""#).rejected);
    assert!(one(&seed(), "stop", r#","loop_limit":"5""#).rejected);
    // C009 and C010: errors for the file, as is natural.
    assert!(parse(&seed(), r#"{"version":1}"#).rejected);
    assert!(parse(&seed(), r#"{"version":1,"hooks":{"stop":{}}}"#).rejected);
    // C014.
    let unused = one(&seed(), "stop", r#","prompt":"p","model":"m""#);
    assert!(!unused.rejected && unused.diagnostics.is_empty());
    // C026, C028 and C038.
    assert_eq!(one(&seed(), "stop", r#","timeout":2.5"#).definitions[0].timeout.as_millis(), 2500);
    assert_eq!(one(&seed(), "beforeShellExecution", "").definitions[0].timeout.as_secs(), 30);
    let zero = one(&phase1(), "stop", r#","loop_limit":0"#);
    assert!(zero.diagnostics.is_empty());
    assert_eq!(zero.definitions[0].loop_limit, Some(LoopLimit::AtMost(0)));
    // C036: the spellings for everything lose nothing, so there is nothing to tell.
    assert!(one(&seed(), "sessionStart", r#","matcher":"*""#).diagnostics.is_empty());
    // C041.
    let (first, cursor) = (phase1(), vendor());
    let null = |adapter| one(adapter, "stop", r#","loop_limit":null"#);
    assert_eq!(null(&first).definitions[0].loop_limit, Some(LoopLimit::AtMost(8)));
    assert_eq!(null(&first).diagnostics.len(), 1);
    assert_eq!(null(&cursor).definitions[0].loop_limit, Some(LoopLimit::Unlimited));
    // C056, C061 and C080.
    let matches = |matcher: Option<&str>, event: &str, target: &str| {
        vendor().matcher(event, matcher).0.matches(target) == Matched::Yes
    };
    assert!(matches(None, "preToolUse", "Shell") && matches(Some("hel"), "preToolUse", "Shell"));
    assert!(!matches(Some("MCP:"), "beforeMCPExecution", "read_file"));
    // C055: what no longer parses has nothing live.
    let broken = parse(&seed(), r#"{"version":1,"hooks":{"stop":[{"command":"x"}]},}"#);
    assert!(broken.rejected && broken.definitions.iter().all(|definition| definition.state != State::Live));
}

/// Cases C268 and C277: both files' hooks run, and what a session's start sets reaches later hooks.
#[test]
fn documents_add_up_and_variables_stay() {
    let text = r#"{"version":1,"hooks":{"stop":[{"command":"x"}]}}"#;
    let adapter = std::sync::Arc::new(vendor());
    let documents = [(Origin::User, "/u/.cursor/hooks.json"), (Origin::Project, "/p/.cursor/hooks.json")]
        .map(|(origin, path)| adapter.parse(&source(origin, path, text)))
        .to_vec();
    let vendors = vec![hooks_core::VendorSources { adapter, documents }];
    let snapshot = hooks_core::activate(vendors, &HostProfile::full(), &hooks_core::activate::AdmitAll).expect("one");
    let paths: Vec<_> = snapshot.bindings().iter().map(|binding| binding.source.path.as_str()).collect();
    assert_eq!(paths, ["/p/.cursor/hooks.json", "/u/.cursor/hooks.json"]);

    let hook = binding(&vendor(), "sessionStart", "hook", FailurePolicy::Open);
    let occurrence = envelope(&vendor(), "sessionStart");
    let answer = Outcome::exited(0, r#"{"env":{"A":"1"}}"#);
    let effects = vendor().decode(&hook, &occurrence, &answer, DecodePolicy::default());
    let settled = settle(reduce([effects]), vendor().merge_policy(occurrence.boundary()), false);
    let (_, session) = decide(settled, occurrence.boundary(), &HostProfile::full(), SessionState::default());
    assert_eq!(session.env_for(hooks_core::effects::EnvReach::Hooks).collect::<Vec<_>>(), [("A", "1")]);
}

/// Case C275: a project's hooks do not run before the project is trusted.
#[test]
fn a_projects_hooks_wait_for_trust() {
    let adapter = std::sync::Arc::new(vendor());
    let documents = vec![parse(&adapter, r#"{"version":1,"hooks":{"stop":[{"command":"x"}]}}"#)];
    let vendors = vec![hooks_core::VendorSources { adapter, documents }];
    let snapshot = hooks_core::activate(vendors, &HostProfile::full(), &hooks_core::activate::AdmitOwn).expect("one");
    assert!(snapshot.bindings().is_empty());
    assert_eq!(snapshot.definitions()[0].state, State::Untrusted);
}

/// Cases C253, C260, C263, C265 and C267.
#[test]
fn payload_details() {
    let before = stdin(&seed(), "preToolUse", &envelope(&seed(), "preToolUse"));
    assert!(before["tool_input"].is_object() && before.get("agent_message").is_none());
    for event in ["preToolUse", "postToolUse", "postToolUseFailure"] {
        assert_eq!(stdin(&seed(), event, &envelope(&seed(), event))["tool_use_id"], "call_01", "{event}");
    }
    let binary = after(
        ToolAction::Read(hooks_core::tool::Read::default()),
        ToolResult::finished(ResultKind::Binary { bytes: 9 }),
    );
    assert_eq!(stdin(&seed(), "postToolUse", &binary)["tool_output"], r#"{"kind":"binary","bytes":9}"#);
    let stop = TurnStop { status: Some("aborted".into()), loop_count: 2, ..TurnStop::default() };
    let aborted = stdin(&seed(), "stop", &Envelope::new(sample::common(), Payload::TurnStop(stop)));
    assert_eq!((&aborted["status"], &aborted["loop_count"]), (&json!("aborted"), &json!(2)));

    let compaction = Compaction { usage_percent: Some(f64::NAN), tokens: Some(1), ..Compaction::default() };
    let nowhere = Envelope::new(sample::common(), Payload::CompactBefore(compaction));
    let written = stdin(&seed(), "preCompact", &nowhere);
    assert_eq!((&written["context_usage_percent"], &written["context_tokens"]), (&Value::Null, &json!(1)));
    assert!(written.as_object().expect("an object").contains_key("context_usage_percent"));
    let hook = binding(&seed(), "preCompact", "hook", FailurePolicy::Open);
    let effects = seed().decode(&hook, &nowhere, &Outcome::exited(0, ""), DecodePolicy::default());
    assert_eq!(effects.notes[0].field.as_deref(), Some("context_usage_percent"));
}

/// Cases C290 to C292.
#[test]
fn claudes_file_is_mapped() {
    let text = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"a"}]},
        {"matcher":"Glob","hooks":[{"type":"command","command":"b"}]}],
        "Notification":[{"hooks":[{"type":"command","command":"c"}]}]}}"#;
    let parsed = parse_foreign(&vendor(), text);
    let runs: Vec<_> = parsed.definitions.iter().map(|d| d.matcher.matches("Shell") == Matched::Yes).collect();
    assert_eq!(runs, [true, false]);
    let told: Vec<_> = parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.about).collect();
    assert_eq!(told, ["tool-not-mapped", "event-not-supported"]);
}

/// Which events a cloud agent fires (cases C280 and C281) is a column of the table.
#[test]
fn cloud_agents_fire_fewer_events() {
    let not: Vec<_> =
        adapter_cursor::events::EVENTS.iter().filter(|event| !event.cloud).map(|event| event.facts.name).collect();
    assert_eq!(
        not,
        [
            "sessionStart",
            "sessionEnd",
            "beforeMCPExecution",
            "afterMCPExecution",
            "beforeTabFileRead",
            "afterTabFileEdit",
            "workspaceOpen"
        ]
    );
}

/// The table of cases: every case once, each held by a vector or a test that exists, or with a reason why not.
#[test]
fn every_case_is_held_or_says_why_not() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(root.join("../../docs/decisions/cursor-cases.md")).expect("the table");
    let vectors: BTreeSet<String> = load(&root.join("../../fixtures/vectors/cursor"))
        .expect("vectors")
        .iter()
        .flat_map(|file| file.vectors.iter().map(|vector| vector.id.clone()))
        .collect();
    let mut tests = String::new();
    let folders = ["tests/it", "../hooks-runtime/tests/it"].map(|folder| root.join(folder));
    for entry in folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("tests")) {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            tests.push_str(&std::fs::read_to_string(path).expect("a test"));
        }
    }
    let mut seen = Vec::new();
    for line in table.lines().filter(|line| line.starts_with("| C") && !line.starts_with("| Case")) {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [case, by, what] = cells[..] else { panic!("{line}") };
        seen.push(case.to_owned());
        let name = what.split('`').nth(1).unwrap_or_default();
        match by {
            "vector" => assert!(vectors.contains(name), "{line}"),
            "test" => assert!(tests.contains(&format!("fn {name}(")), "{line}"),
            "not held" => assert!(what.len() > 20, "{line}"),
            other => panic!("{other}"),
        }
    }
    let expected: Vec<_> = (1..=301).map(|number| format!("C{number:03}")).collect();
    assert_eq!(seen, expected);
}
