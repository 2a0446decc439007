//! Laws of the event table, and the table against what is recorded outside this crate.

use adapter_cursor::events::{self, COUNT, EVENTS, UserMessage};
use adapter_cursor::{DIALECT, Event, phase1, seed, vendor};
use hooks_core::facts::{AskRule, Control, EmptyRule, Exit2, FailureRule, FieldKind, SubjectFact};
use hooks_core::{Channel, HostSide};
use serde_json::{Value, json};

use crate::support::recorded;

fn rows() -> impl Iterator<Item = (&'static Event, Value)> {
    let recorded = recorded();
    assert_eq!(recorded.len(), EVENTS.len());
    EVENTS.iter().zip(recorded)
}

#[test]
fn names_stand_in_order_and_resolve_back() {
    assert_eq!(EVENTS.len(), COUNT);
    assert_eq!(DIALECT.facts.len(), COUNT);
    for ((event, recorded), facts) in rows().zip(DIALECT.facts) {
        assert_eq!(event.facts.name, recorded["name"]);
        assert!(std::ptr::eq(&event.facts, *facts));
        for adapter in [phase1(), seed(), vendor()] {
            assert!(std::ptr::eq(adapter.event(event.facts.name).expect("found"), *facts));
            assert!(std::ptr::eq(adapter.row(event.facts.name).expect("found"), event));
            assert!(adapter.blank(event.facts.name).is_some());
        }
    }
    let mut names: Vec<_> = EVENTS.iter().map(|event| event.facts.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), COUNT);
    assert!(vendor().event("PreToolUse").is_none() && vendor().blank("").is_none());
}

#[test]
fn twelve_fire_in_the_first_design_six_are_bound_and_inert_three_have_no_boundary() {
    let fired = EVENTS.iter().filter(|event| event.fires_in_phase1);
    assert_eq!(fired.clone().count(), 12);
    assert!(fired.clone().all(|event| event.facts.boundary.is_some()));
    let inert = EVENTS.iter().filter(|event| !event.fires_in_phase1 && event.facts.boundary.is_some());
    assert_eq!(inert.count(), 6);
    assert_eq!(EVENTS.iter().filter(|event| event.facts.boundary.is_none()).count(), 3);
    for (event, recorded) in rows() {
        assert_eq!(event.fires_in_phase1, recorded["fires_in_phase_1"], "{}", event.facts.name);
        assert_eq!(event.facts.boundary.is_some(), recorded["yields_binding"], "{}", event.facts.name);
        assert_eq!(phase1().options().fires(event), event.fires_in_phase1);
        assert!(vendor().options().fires(event));
    }
}

#[test]
fn policies_follow_from_what_an_event_controls() {
    for (event, recorded) in rows() {
        let (facts, name) = (&event.facts, event.facts.name);
        assert_eq!(facts.malformed, events::malformed(facts.control), "{name}");
        assert_eq!(facts.empty, events::empty(facts.control), "{name}");
        assert_eq!(facts.exit_2, events::exit_2(facts.control), "{name}");
        let control = match facts.control {
            Control::Permission { noun } => {
                assert!(!noun.is_empty());
                "permission"
            }
            Control::Halt => "prompt_halt",
            Control::Observe | Control::Continuation => "observe",
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(control, recorded["control_effect"], "{name}");
        assert_eq!(facts.malformed == FailureRule::Block, recorded["malformed_policy"] == "deny", "{name}");
        assert_eq!(facts.empty == EmptyRule::MissingDecision, recorded["empty_policy"] == "missing_decision", "{name}");
        let exit_2 = match facts.exit_2 {
            Exit2::Deny => "deny",
            Exit2::Halt => "halt",
            _ => "failure",
        };
        assert_eq!(exit_2, recorded["exit_2"], "{name}");
        assert_eq!(event.can_block(), recorded["fail_closed_means"] != "nothing", "{name}");
    }
    assert_eq!(EVENTS.iter().filter(|event| event.facts.malformed == FailureRule::Block).count(), 6);
}

#[test]
fn asking_messages_and_claudes_shape_are_as_recorded() {
    for (event, recorded) in rows() {
        let name = event.facts.name;
        let ask = match event.facts.ask {
            AskRule::None => "not_applicable",
            AskRule::Honoured => "honored",
            AskRule::NoOpinionUnlessStrict => "no_opinion_unless_strict",
            AskRule::Deny => "deny",
            AskRule::Malformed => "schema_mismatch",
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(ask, recorded["ask_rule"], "{name}");
        let message = match recorded["user_message_on_allow"].as_str().expect("a word") {
            "notice" | "notice_when_continue_true" => UserMessage::Notice,
            "dropped" | "dropped_with_log" => UserMessage::DenyOnly,
            "accepted_and_ignored" => UserMessage::Ignored,
            "undocumented" | "not_applicable" => UserMessage::Undocumented,
            other => panic!("{other}"),
        };
        // The first design declares the channel of this event and gives it no field of its own.
        assert_eq!(event.user_message, message, "{name}");
        assert_eq!(!event.claude_shape.is_empty(), recorded["claude_shape_read"], "{name}");
        assert_eq!(event.loop_limit, recorded["loop_limit_applies"], "{name}");
        assert_eq!(event.cloud, recorded["cloud_agents"], "{name}");
        assert_eq!(json!(event.facts.default_timeout_s), as_float(&recorded["default_timeout_s"]), "{name}");
    }
}

fn as_float(number: &Value) -> Value {
    number.as_f64().map_or(Value::Null, |number| json!(number))
}

#[test]
fn channels_are_those_of_the_first_design() {
    let word = |channel: Channel| match channel {
        Channel::Verdict => "Verdict",
        Channel::UserNotice => "UserNotice",
        Channel::ModelContext => "ModelContext",
        Channel::ReplacementInput => "ReplacementInput",
        Channel::ReplacementResult => "ReplacementResult",
        Channel::SessionEnv => "SessionEnv",
        Channel::Halt => "HaltTurn",
        Channel::Continuation => "Continuation",
        _ => "other",
    };
    for (event, recorded) in rows() {
        // Cursor documents an effect here; the first design binds nothing on it and so declares none.
        if event.facts.name == "workspaceOpen" {
            assert_eq!(event.facts.channels.iter().collect::<Vec<_>>(), [Channel::Special]);
            continue;
        }
        let mut ours: Vec<_> = event.facts.channels.iter().map(word).collect();
        let mut theirs: Vec<_> =
            recorded["capabilities"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs, "{}", event.facts.name);
        let fed = event.facts.output.iter().chain(event.claude_shape).filter_map(|field| field.channel);
        for channel in fed {
            assert!(event.facts.channels.contains(channel), "{}: {channel}", event.facts.name);
        }
    }
}

#[test]
fn output_fields_are_cursors() {
    for (event, recorded) in rows() {
        let name = event.facts.name;
        let theirs = recorded["output"].as_array().expect("a list");
        assert_eq!(event.facts.output.len(), theirs.len(), "{name}");
        for field in theirs {
            let ours = event
                .output_field(field["name"].as_str().expect("a name"))
                .unwrap_or_else(|| panic!("{name}: {field}"));
            let kind = match ours.kind {
                FieldKind::Bool => "boolean",
                FieldKind::String => "string",
                FieldKind::Word(_) => "enum",
                FieldKind::Object => "object",
                FieldKind::Array => "array",
                _ => "any",
            };
            assert_eq!(kind, field["type"], "{name}: {}", ours.path);
            assert_eq!(ours.channel.is_none(), field["ignored"], "{name}: {}", ours.path);
        }
    }
}

#[test]
fn matchers_test_what_is_recorded() {
    for (event, recorded) in rows() {
        let target = match event.facts.subject {
            SubjectFact::Ignored => Value::Null,
            SubjectFact::ToolName => json!("tool name"),
            SubjectFact::Command => json!("full command text"),
            SubjectFact::Field { key: "subagent_type", .. } => json!("subagent type"),
            SubjectFact::Field { .. } => json!("MCP tool's own name, no MCP: prefix"),
            SubjectFact::Word(word) => {
                assert_eq!(json!([word]), recorded["matcher_values"], "{}", event.facts.name);
                json!("literal")
            }
        };
        assert_eq!(target, recorded["matcher_target"], "{}", event.facts.name);
    }
}

#[test]
fn every_fact_says_where_it_is_from() {
    for event in &EVENTS {
        assert!(!event.facts.evidence.source.is_empty(), "{}", event.facts.name);
    }
    for location in vendor().locations() {
        assert!(!location.evidence.source.is_empty(), "{}", location.path);
    }
}

#[test]
fn codes_are_unique_and_say_what_to_write() {
    let codes = vendor().codes();
    let mut ids: Vec<_> = codes.iter().map(|code| code.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), codes.len());
    for code in codes {
        let word = code.id.strip_prefix("cursor/").expect("the crate's word");
        // Mistakes of one kind have codes of their own and one word in the vectors.
        assert!(word == code.about || ["not-json", "missing-field"].contains(&code.about), "{}", code.id);
        assert!(!code.summary.is_empty() && !code.help.is_empty());
    }
}
