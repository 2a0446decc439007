//! Answers: what the schemas accept against what the adapter reads, with the places where the client's parser and the
//! vendor's own schema differ; and what is printed for a hook.

use std::collections::BTreeMap;
use std::fs;

use adapter_codex::Adapter;
use adapter_codex::events::{EVENTS, Event, Kind, Reads, field};
use hooks_conformance::{Given, sample};
use hooks_core::boundary::Stop;
use hooks_core::effects::{ResultReplacement, Rewrite};
use hooks_core::facts::{Cost, FieldKind, Values};
use hooks_core::schema::Contract;
use hooks_core::tool::InputRefused;
use hooks_core::{
    Binding, Continuation, DecodePolicy, Effect, End, Halt, HookSide, HostSide, LoopLimit, Outcome, RawJson, Verdict,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::generated::{after, changed};
use super::{document, fits};

/// Whether the client takes an answer, or its run fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Client {
    Takes,
    Fails,
}

/// One way in which the client differs from the schema of its answers.
struct Rule {
    id: &'static str,
    client: Client,
    /// Whether an answer is of this kind.
    is: fn(&Event, &Value) -> bool,
    /// The field whose description says so, and some of its words. The empty path is the whole answer.
    at: &'static str,
    says: &'static str,
}

const fn fails(id: &'static str, at: &'static str, says: &'static str, is: fn(&Event, &Value) -> bool) -> Rule {
    Rule { id, client: Client::Fails, is, at, says }
}

const fn takes(id: &'static str, says: &'static str, is: fn(&Event, &Value) -> bool) -> Rule {
    Rule { id, client: Client::Takes, is, at: "", says }
}

/// Every difference (vendor page, sections 11.1 to 11.3). What the client takes and its schema does not comes first.
const RULES: [Rule; 17] = [
    takes("null-is-none", "takes `null`", |event, value| without_nulls(event, value) != *value),
    takes("name-of-another-event", "other events' names", |event, value| own_name(event, value) != *value),
    fails("continue-unsupported", field::CONTINUE, "`false` is not supported", |event, value| {
        refuses(event, value, field::CONTINUE)
    }),
    fails("stop-reason-unsupported", field::STOP_REASON, "not supported", |event, value| {
        refuses(event, value, field::STOP_REASON)
    }),
    fails("suppress-output-unsupported", field::SUPPRESS_OUTPUT, "`true` is not supported", |event, value| {
        refuses(event, value, field::SUPPRESS_OUTPUT) && goes_on(event, value)
    }),
    fails("updated-output-unsupported", field::UPDATED_OUTPUT, "not supported", |event, value| {
        refuses(event, value, field::UPDATED_OUTPUT) && goes_on(event, value)
    }),
    fails("updated-input-unsupported", field::ANSWER_INPUT, "not supported", |event, value| {
        refuses(event, value, field::ANSWER_INPUT)
    }),
    fails("updated-permissions-unsupported", field::ANSWER_PERMISSIONS, "not supported", |event, value| {
        refuses(event, value, field::ANSWER_PERMISSIONS)
    }),
    fails("interrupt-unsupported", field::INTERRUPT, "`true` is not supported", |event, value| {
        refuses(event, value, field::INTERRUPT)
    }),
    fails("ask-unsupported", field::PERMISSION, "`ask` is not supported", |event, value| {
        refuses(event, value, field::PERMISSION) && at(value, field::UPDATED_INPUT).is_none()
    }),
    fails("allow-without-updated-input", field::PERMISSION, "`allow` needs `updatedInput`", |_, value| {
        is_word(value, field::PERMISSION, "allow") && at(value, field::UPDATED_INPUT).is_none()
    }),
    fails("updated-input-without-allow", field::UPDATED_INPUT, "Without `permissionDecision` `allow`", |_, value| {
        at(value, field::UPDATED_INPUT).is_some() && !is_word(value, field::PERMISSION, "allow")
    }),
    fails("deny-without-reason", field::PERMISSION, "`deny` needs", |_, value| {
        is_word(value, field::PERMISSION, "deny")
            && at(value, field::UPDATED_INPUT).is_none()
            && is_blank(value, field::PERMISSION_REASON)
    }),
    fails("reason-without-permission", field::PERMISSION_REASON, "Without `permissionDecision`", |_, value| {
        at(value, field::PERMISSION_REASON).is_some()
            && at(value, field::PERMISSION).is_none()
            && at(value, field::UPDATED_INPUT).is_none()
    }),
    fails("approve-unsupported", field::DECISION, "`approve` is not supported", |event, value| {
        refuses(event, value, field::DECISION) && is_older(value)
    }),
    fails("block-without-reason", field::DECISION, "`block` needs", |event, value| {
        is_word(value, field::DECISION, "block")
            && is_blank(value, field::REASON)
            && is_older(value)
            && goes_on(event, value)
    }),
    fails("reason-without-decision", field::REASON, "Without `decision`", |event, value| {
        let needs = matches!(event.kind, Kind::PreToolUse | Kind::PostToolUse);
        let alone = at(value, field::REASON).is_some() && at(value, field::DECISION).is_none();
        needs && alone && is_older(value) && goes_on(event, value)
    }),
];

/// The value at a field's path; `null` is none.
fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, key| value.get(key)).filter(|value| !value.is_null())
}

fn is_word(value: &Value, path: &str, word: &str) -> bool {
    at(value, path).is_some_and(|value| value == word)
}

fn is_blank(value: &Value, path: &str) -> bool {
    at(value, path).and_then(Value::as_str).is_none_or(|text| text.trim().is_empty())
}

/// Whether an answer has a value that the event's row refuses.
fn refuses(event: &Event, value: &Value, path: &str) -> bool {
    let Some(value) = at(value, path) else { return false };
    let field = event.facts.output.iter().find(|field| field.path == path);
    field.and_then(|field| field.refused).is_some_and(|refused| match refused.when {
        Values::False => *value == false,
        Values::True => *value == true,
        Values::Present => true,
        Values::Word(word) => value == word,
        other => panic!("{path}: {other:?}"),
    })
}

/// Whether an answer does not stop: a stop outranks what would be wrong with the rest, but for the calls that cannot be
/// stopped.
fn goes_on(event: &Event, value: &Value) -> bool {
    let stops = event.facts.output.iter().any(|field| field.path == field::CONTINUE && field.refused.is_none());
    !(stops && at(value, field::CONTINUE) == Some(&json!(false)))
}

/// Whether the older fields count: not beside the newer ones.
fn is_older(value: &Value) -> bool {
    [field::PERMISSION, field::PERMISSION_REASON, field::UPDATED_INPUT].iter().all(|path| at(value, path).is_none())
}

/// The same answer without the nulls that the client takes for none. Where any value may stand the schema has null too.
fn without_nulls(event: &Event, value: &Value) -> Value {
    fn strip(event: &Event, of: &str, members: &mut Map<String, Value>) {
        members.retain(|key, value| {
            let path = if of.is_empty() { key.clone() } else { format!("{of}.{key}") };
            let Some(field) = event.facts.output.iter().find(|field| field.path == path) else { return true };
            let takes_null = !matches!(field.kind, FieldKind::Bool | FieldKind::Any);
            if let (FieldKind::Object, Some(inner)) = (field.kind, value.as_object_mut()) {
                strip(event, &path, inner);
            }
            !(value.is_null() && takes_null && !event.required.contains(&field.path))
        });
    }
    let mut value = value.clone();
    if let Some(members) = value.as_object_mut() {
        strip(event, "", members);
    }
    value
}

/// The same answer with the event's own name, where it has that of another one the client knows.
fn own_name(event: &Event, value: &Value) -> Value {
    let mut value = value.clone();
    let names = event.facts.output.iter().find(|field| field.path == field::NAME).map(|field| field.kind);
    if let (Some(FieldKind::Word(words)), Some(name)) = (names, value.pointer_mut("/hookSpecificOutput/hookEventName"))
        && name.as_str().is_some_and(|name| words.contains(&name))
    {
        *name = json!(event.facts.name);
    }
    value
}

fn readers() -> impl Iterator<Item = &'static Event> {
    EVENTS.iter().filter(|event| event.reads == Reads::Stdout)
}

fn json_file(path: &str) -> Value {
    let path = crate::fixtures(path);
    serde_json::from_slice(&fs::read(&path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What a hook printed with exit code 0 in the client's own runs: case, text, and whether the run failed.
fn sweep(event: &Event) -> Vec<(String, String, bool)> {
    let swept = crate::reports::swept().into_iter();
    swept
        .filter(|swept| swept.event == event.facts.name && swept.outcome.end == End::Exited(0))
        .map(|swept| (swept.case, swept.outcome.stdout_text().into_owned(), swept.cell.starts_with('F')))
        .collect()
}

fn object(text: &str) -> Option<Value> {
    serde_json::from_str(text.trim()).ok().filter(Value::is_object)
}

/// The objects that hooks of an event print in the sweep, in vectors and in fixtures.
pub(super) fn printed(event: &Event) -> Vec<Value> {
    let name = event.facts.name;
    let file = json_file(&format!("vectors/codex/{name}.json"));
    let vectors = file["vectors"].as_array().unwrap().iter();
    let decoded = vectors.filter(|vector| vector["kind"] == "decode" && vector["outcome"]["end"]["exited"] == 0);
    let mut texts: Vec<String> =
        decoded.filter_map(|vector| Some(vector["outcome"]["stdout"].as_str()?.to_owned())).collect();
    texts.extend(sweep(event).into_iter().map(|(_, text, _)| text));
    let cases = crate::fixtures::cases().into_iter().filter(|case| case.event == name);
    texts.extend(cases.map(|case| String::from_utf8(case.outcome.stdout).unwrap()));
    texts.sort_unstable();
    texts.dedup();
    texts.iter().filter_map(|text| object(text)).collect()
}

fn judged(event: &Event, text: &str) -> Client {
    let adapter = Adapter::latest();
    let name = event.facts.name;
    let envelope = sample::envelope(&adapter, name, &Given::default()).expect("a sample");
    let binding = Binding::alone(adapter.blank(name).unwrap());
    let outcome = Outcome::exited(0, text.as_bytes().to_vec());
    let effects = adapter.decode(&binding, &envelope, &outcome, DecodePolicy::default());
    if effects.failure.is_some() { Client::Fails } else { Client::Takes }
}

/// Holds the adapter and the schema of an answer together; gives the rules that explain where they part.
fn compare(event: &Event, value: &Value) -> Result<Vec<&'static Rule>, String> {
    let name = event.facts.name;
    let client = judged(event, &value.to_string());
    let broken: Vec<&Rule> =
        RULES.iter().filter(|rule| rule.client == Client::Fails && (rule.is)(event, value)).collect();
    let meant = own_name(event, &without_nulls(event, value));
    let fits_as_meant = fits(Contract::Output, name, &meant);
    let wanted = if fits_as_meant && broken.is_empty() { Client::Takes } else { Client::Fails };
    if client != wanted {
        let rules: Vec<_> = broken.iter().map(|rule| rule.id).collect();
        return Err(format!("{name}: the adapter {client:?}, schema and rules {rules:?} say {wanted:?}: {value}"));
    }
    let accepted = fits(Contract::Output, name, value);
    let loose = RULES.iter().filter(|rule| rule.client == Client::Takes && (rule.is)(event, value));
    Ok(match (accepted, client) {
        (true, Client::Fails) => broken,
        (false, Client::Takes) => loose.collect(),
        _ => Vec::new(),
    })
}

#[test]
fn vectors_and_their_changes_are_judged_as_the_adapter_judges_them() {
    for event in readers() {
        let (mut same, mut parted) = (0, 0);
        for value in printed(event) {
            for value in changed(&value).into_iter().filter(Value::is_object).chain([value]) {
                match compare(event, &value).unwrap().is_empty() {
                    true => same += 1,
                    false => parted += 1,
                }
            }
        }
        assert!(same > 500 && parted > 0, "{}: {same} {parted}", event.facts.name);
    }
}

/// Each value that a row refuses fails the run by itself, and a field that refuses all it could say feeds nothing.
#[test]
fn what_a_row_refuses_fails_the_run() {
    let mut seen = 0;
    for event in readers() {
        for field in event.facts.output {
            let Some(refused) = field.refused else { continue };
            let value = match refused.when {
                Values::False => json!(false),
                Values::True => json!(true),
                Values::Present if field.kind == FieldKind::String => json!("x"),
                Values::Present => json!({ "a": 1 }),
                Values::Word(word) => json!(word),
                other => panic!("{other:?}"),
            };
            let mut answer = value;
            for key in field.path.rsplit('.') {
                answer = json!({ key: answer });
            }
            if let Some(specific) = answer.get_mut(field::SPECIFIC).and_then(Value::as_object_mut) {
                specific.insert("hookEventName".to_owned(), json!(event.facts.name));
                if let Some(decision) = specific.get_mut("decision").and_then(Value::as_object_mut) {
                    decision.insert("behavior".to_owned(), json!("allow"));
                }
            }
            assert_eq!(refused.cost, Cost::Run, "{answer}");
            assert_eq!(judged(event, &answer.to_string()), Client::Fails, "{}: {answer}", event.facts.name);
            assert_eq!(field.feeds().is_some(), matches!(refused.when, Values::Word(_)), "{}", field.path);
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn every_difference_of_client_and_schema_stands_in_its_fixture() {
    let mut stale: BTreeMap<&str, &Rule> = RULES.iter().map(|rule| (rule.id, rule)).collect();
    for event in readers() {
        let name = event.facts.name;
        let sweep = sweep(event);
        let mut wanted: Vec<&str> = Vec::new();
        for (case, text, failed) in &sweep {
            let Some(value) = object(text) else { continue };
            assert_eq!(judged(event, text) == Client::Fails, *failed, "{name} {case}");
            // A case that shows one difference alone shows it best.
            if let [rule] = compare(event, &value).unwrap().as_slice() {
                wanted.push(rule.id);
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        let notes = json_file(&format!("codex/{name}/schema.json"));
        let notes = notes["differences"].as_array().unwrap();
        let mut noted: Vec<&str> = notes.iter().map(|note| note["rule"].as_str().unwrap()).collect();
        noted.sort_unstable();
        assert_eq!(noted, wanted, "{name}");
        for note in notes {
            let rule = RULES.iter().find(|rule| note["rule"] == rule.id).unwrap();
            stale.remove(rule.id);
            let (id, text) = (note["case"].as_str().unwrap(), note["stdout"].as_str().unwrap());
            let (_, recorded, failed) = sweep.iter().find(|(case, ..)| case == id).unwrap();
            assert_eq!(recorded, text, "{name} {id}");
            // What was seen of the client is the recording's word, not the adapter's.
            assert_eq!(*failed, rule.client == Client::Fails, "{name} {id}");
            assert_eq!(note["client"], if *failed { "fails" } else { "takes" }, "{name} {id}");
            let value: Value = serde_json::from_str(text.trim()).unwrap();
            let schema = fits(Contract::Output, name, &value);
            assert_eq!(schema, *failed, "{name} {id}: client and schema agree");
            assert_eq!(note["schema"], if schema { "accepts" } else { "rejects" }, "{name} {id}");
            if let Some(theirs) = super::official::accepts(event, &value) {
                assert_eq!(theirs, schema, "{name} {id}: the vendor's own schema");
            }
            let pointer: String =
                rule.at.split('.').filter(|part| !part.is_empty()).map(|part| format!("/properties/{part}")).collect();
            let schema = document(Contract::Output, name).0.schema.as_value();
            let words = schema.pointer(&pointer).unwrap()["description"].as_str().unwrap();
            assert!(words.contains(rule.says), "{name} {pointer}: {words}");
        }
    }
    assert!(stale.is_empty(), "no recording shows {:?}", stale.keys());
}

/// A value for every kind of effect.
fn effect() -> BoxedStrategy<Effect> {
    let text = || proptest::sample::select(vec!["", " ", "a reason", "\u{1b}[31m", "ä\n"]).prop_map(str::to_owned);
    let verdict = proptest::sample::select(vec![Verdict::Allow, Verdict::Ask, Verdict::Defer, Verdict::Deny]);
    let stops = proptest::sample::subsequence(vec![Stop::Action, Stop::Turn, Stop::Prompt, Stop::Compaction], 1..=2);
    let input = proptest::sample::select(vec![json!({ "command": "b" }), json!({ "x": 1 }), json!("b"), json!(null)]);
    prop_oneof![
        (verdict, proptest::collection::vec(text(), 0..3))
            .prop_map(|(verdict, reasons)| Effect::Verdict { verdict, reasons }),
        text().prop_map(Effect::Notice),
        text().prop_map(Effect::Context),
        (stops, proptest::option::of(text())).prop_map(|(stops, reason)| Effect::Halt(Halt::of(&stops, reason))),
        text().prop_map(|text| Effect::ReplaceResult(ResultReplacement::Text(text))),
        input.clone().prop_map(|json| Effect::ReplaceResult(ResultReplacement::Json(RawJson::from(&json)))),
        text().prop_map(|text| Effect::Continue(Continuation::new(text, Some(LoopLimit::Unlimited)))),
        input.prop_map(|json| {
            let raw = RawJson::from(&json);
            let call = Err(InputRefused { reason: "not known yet".to_owned() });
            Effect::ReplaceInput(Rewrite { raw, call })
        }),
    ]
    .boxed()
}

/// What is printed on an event for effects; `None` for silence.
fn answered(event: &Event, tool: &str, mut effects: Vec<Effect>) -> Option<Value> {
    let adapter = Adapter::latest();
    let given = Given { tool: Some(tool.to_owned()), ..Given::default() };
    let envelope = sample::envelope(&adapter, event.facts.name, &given).expect("a sample");
    for effect in &mut effects {
        if let (Effect::ReplaceInput(rewrite), Some(tool)) = (effect, envelope.payload.tool_use()) {
            rewrite.call = adapter.project(&tool.call, &rewrite.raw);
        }
    }
    let (answer, _) = adapter.write_answer(&event.facts, &envelope, &effects);
    (!answer.stdout.is_empty()).then(|| serde_json::from_slice(&answer.stdout).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(256)))]

    #[test]
    fn whatever_is_printed_fits_both_contracts(
        event in 0..EVENTS.len(),
        tool in proptest::sample::select(vec!["Bash", "apply_patch", "mcp__s__t", "spawn_agent", "other"]),
        effects in proptest::collection::vec(effect(), 0..5),
    ) {
        let event = &EVENTS[event];
        let name = event.facts.name;
        if let Some(value) = answered(event, tool, effects) {
            prop_assert!(fits(Contract::Emitted, name, &value), "{name}: {value}");
            prop_assert!(fits(Contract::Output, name, &value), "{name}: {value}");
            prop_assert_eq!(compare(event, &value).map(|rules| rules.len()), Ok(0), "{}: {}", name, value);
        }
    }

    #[test]
    fn answers_after_the_schema_are_judged_as_the_adapter_judges_them(
        (event, value) in proptest::sample::select(readers().collect::<Vec<_>>()).prop_flat_map(|event| {
            let schema = document(Contract::Output, event.facts.name).0.schema.as_value();
            (Just(event), after(schema, schema))
        }),
    ) {
        // Another value than an object is plain text, or no answer at all.
        if value.is_object() {
            let compared = compare(event, &value);
            prop_assert!(compared.is_ok(), "{}", compared.err().unwrap_or_default());
        }
    }
}

#[test]
fn what_is_printed_is_narrower() {
    for event in readers() {
        let name = event.facts.name;
        let (mut fewer, mut both) = (0, 0);
        for value in printed(event) {
            for value in changed(&value).into_iter().chain([value]) {
                let (emitted, accepted) = (fits(Contract::Emitted, name, &value), fits(Contract::Output, name, &value));
                assert!(accepted || !emitted, "{name}: {value}");
                if emitted {
                    both += 1;
                    // Nothing that is printed is taken for a failed run.
                    assert_eq!(judged(event, &value.to_string()), Client::Takes, "{name}: {value}");
                } else {
                    fewer += usize::from(accepted);
                }
            }
        }
        assert!(fewer > 0 && both > 0, "{name}: {fewer} {both}");
    }
}
