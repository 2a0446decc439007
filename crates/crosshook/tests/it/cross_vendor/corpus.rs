//! The vendor-neutral corpus: what hooks want, said in every vendor's own format, read again, settled by the vendor's rules
//! and decided. `fixtures/neutral/README.md` describes the format.

use hooks_core::adapter::Codec;
use std::collections::{BTreeMap, BTreeSet};

use hooks_conformance::cross::{binding, events_of, occurrences, retell};
use hooks_conformance::decision_json;
use hooks_conformance::format::{Effects, HaltSpec, TextMatch};
use hooks_core::effects::{EnvChange, EnvReach, ResultReplacement, Rewrite};
use hooks_core::tool::Projected;
use hooks_core::{
    Action, Boundary, Continuation, Effect, Envelope, Halt, HookEffects, HostProfile, LoopLimit, Loss, Lost, RawJson,
    SessionState, ToolAction, ToolCall, decide, reduce, settle, settle_all,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Named, latest, path, read};

/// One case.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    about: String,
    boundary: String,
    /// The part of the boundary, where it is about a tool.
    facet: Option<String>,
    hooks: Vec<Hook>,
    /// The channels of which every vendor loses something.
    #[serde(default)]
    losses: Vec<String>,
    expect: Value,
    source: String,
    /// What is different for single events, by `vendor event`.
    #[serde(default)]
    vendors: BTreeMap<String, Different>,
}

/// One hook of the firing, by declared place.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hook {
    effects: Effects,
    /// Its place in the order of finishing; the declared place where absent.
    finished: Option<u32>,
}

/// What is different for one event.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Different {
    losses: Option<Vec<String>>,
    expect: Option<Value>,
    why: String,
    source: String,
}

/// The files with cases: of a boundary, where there are any, the one with its name.
pub(super) fn files() -> Vec<(Boundary, String)> {
    let all = Boundary::ALL.iter().map(|boundary| (*boundary, format!("cases/{boundary}.json")));
    all.filter(|(_, file)| path(file).exists()).collect()
}

fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for (boundary, file) in files() {
        let cases: Vec<Case> = read(&file);
        for case in &cases {
            assert_eq!(case.boundary(), boundary, "{} stands in {file}", case.id);
        }
        all.extend(cases);
    }
    all
}

fn exact(text: &TextMatch) -> String {
    text.exact().expect("a case gives whole texts").to_owned()
}

/// The effects of a hook; another input is the call that the vendor-neutral one becomes with it.
fn effects(form: &Effects, envelope: &Envelope) -> Vec<Effect> {
    let mut effects = Vec::new();
    if let Some(verdict) = form.verdict {
        effects.push(Effect::Verdict { verdict: verdict.into(), reasons: form.reasons.iter().map(exact).collect() });
    }
    if let Some(HaltSpec { stops, when, prompt, reason }) = &form.halt {
        let stops: Vec<_> = stops.iter().flatten().copied().map(Into::into).collect();
        let reason = reason.clone().flatten().as_ref().map(exact);
        let halt = Halt { when: when.map(Into::into), prompt: prompt.map(Into::into), ..Halt::of(&stops, reason) };
        effects.push(Effect::Halt(halt));
    }
    if let Some(input) = &form.replacement_input {
        let mut call = envelope.payload.tool_use().expect("a call").call.clone();
        match &mut call.action {
            ToolAction::Shell(shell) => input["command"].as_str().expect("a command").clone_into(&mut shell.command),
            ToolAction::Mcp(mcp) => mcp.arguments = RawJson::from(input),
            other => panic!("no case gives another input to {}", other.kind()),
        }
        let projected = Projected { call: ToolCall { raw: None, ..call }, ignored: Vec::new() };
        effects.push(Effect::ReplaceInput(Rewrite { raw: RawJson::from(input), call: Ok(projected) }));
    }
    effects.extend(form.notices.iter().map(exact).map(Effect::Notice));
    effects.extend(form.context.iter().map(exact).map(Effect::Context));
    effects.extend(form.replacement_result.as_ref().map(|result| {
        Effect::ReplaceResult(match result {
            Value::String(text) => ResultReplacement::Text(text.clone()),
            other => ResultReplacement::Json(RawJson::from(other)),
        })
    }));
    if !form.session_env.is_empty() {
        let change = |value: &String| EnvChange { value: value.clone(), reach: EnvReach::Hooks };
        effects.push(Effect::SessionEnv(
            form.session_env.iter().map(|(name, value)| (name.clone(), change(value))).collect(),
        ));
    }
    effects.extend(form.continuation.as_ref().map(|one| {
        let limit = one.loop_limit.map(|limit| limit.map_or(LoopLimit::Unlimited, LoopLimit::AtMost));
        Effect::Continue(Continuation::new(exact(&one.text), limit))
    }));
    effects
}

/// What a loss is about: the channel of an effect that was asked for, that there is no opinion, or something else.
fn about(loss: &Loss, said: &[Effect]) -> String {
    match said.iter().find(|effect| loss.is_about(effect)) {
        Some(effect) => effect.channel().as_str().to_owned(),
        None if loss.of == Lost::NoOpinion => loss.of.as_str().to_owned(),
        None => format!("something else: {}", loss.what),
    }
}

/// A decision with the session's variables, as a case writes it.
fn shown(decision: &hooks_core::Decision, session: &SessionState) -> Value {
    let mut shown = decision_json(decision);
    let object = shown.as_object_mut().expect("an object");
    object.remove("unsupported");
    if !session.env.is_empty() {
        let env: Map<_, _> =
            session.env.values().flatten().map(|(name, change)| (name.clone(), json!(change.value))).collect();
        object.insert("session_env".to_owned(), Value::Object(env));
    }
    shown
}

/// How a decision differs from what is expected. Every part of the decision must be expected; of a halt, a continuation and
/// an input only what is expected is compared, and of a result the text in it.
fn differs(expected: &Value, actual: &Value) -> Option<String> {
    let (expected, actual) = (expected.as_object().expect("an object"), actual.as_object().expect("an object"));
    let unchecked: BTreeSet<&str> =
        expected.get("unchecked").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let keys: BTreeSet<&String> = expected.keys().chain(actual.keys()).collect();
    for key in keys.into_iter().filter(|key| *key != "unchecked" && !unchecked.contains(key.as_str())) {
        let (wanted, got) = (expected.get(key), actual.get(key));
        let same = match (key.as_str(), wanted, got) {
            ("result", Some(wanted), Some(got)) => holds(wanted, got),
            (_, Some(wanted), Some(got)) => within(wanted, got),
            (_, wanted, got) => wanted == got,
        };
        if !same {
            return Some(format!("{key}: expected {}, got {}", json!(wanted), json!(got)));
        }
    }
    None
}

fn within(wanted: &Value, got: &Value) -> bool {
    match (wanted, got) {
        (Value::Object(wanted), Value::Object(got)) => {
            wanted.iter().all(|(key, wanted)| got.get(key).is_some_and(|got| within(wanted, got)))
        }
        (Value::Array(wanted), Value::Array(got)) => {
            wanted.len() == got.len() && wanted.iter().zip(got).all(|(wanted, got)| within(wanted, got))
        }
        _ => wanted == got,
    }
}

fn holds(wanted: &Value, got: &Value) -> bool {
    wanted == got
        || match got {
            Value::Array(items) => items.iter().any(|item| holds(wanted, item)),
            Value::Object(members) => members.values().any(|member| holds(wanted, member)),
            _ => false,
        }
}

impl Case {
    fn boundary(&self) -> Boundary {
        self.boundary.parse().unwrap_or_else(|error| panic!("{}: {error}", self.id))
    }

    fn envelope(&self) -> Envelope {
        let all = occurrences(self.boundary());
        let wanted = self.facet.as_deref().unwrap_or("any");
        let found = all.into_iter().find(|(facet, _)| facet.as_str() == wanted);
        found.unwrap_or_else(|| panic!("{}: `facet` is none of the boundary's", self.id)).1
    }

    /// What the hooks of one event say in the vendor's format and a host hears, with what was lost.
    fn heard(&self, adapter: &dyn Codec, event: &str, first: u32) -> (Vec<HookEffects>, BTreeSet<String>) {
        let envelope = self.envelope();
        let mut lost = BTreeSet::new();
        let mut heard = Vec::new();
        for (declared, hook) in (0..).zip(&self.hooks) {
            let said = effects(&hook.effects, &envelope);
            let binding = binding(adapter, event, first + declared).expect("a binding");
            let finished = first + hook.finished.unwrap_or(declared);
            let told = retell(adapter, &binding, &envelope, &said, finished).expect("an event");
            lost.extend(told.losses.iter().map(|loss| about(loss, &said)));
            heard.push(told.heard);
        }
        (heard, lost)
    }
}

/// Whether a case holds for an event with these expectations.
fn judge(case: &Case, named: &Named, event: &str, losses: &[String], expect: &Value) -> Result<(), String> {
    let boundary = case.boundary();
    let (heard, lost) = case.heard(named.adapter.as_ref(), event, 0);
    let settled = settle(reduce(heard), named.adapter.merge_policy(boundary), false);
    let (decision, session) = decide(settled, boundary, &HostProfile::full(), SessionState::default());
    let wanted: BTreeSet<String> = losses.iter().cloned().collect();
    if wanted != lost {
        return Err(format!("losses: expected {wanted:?}, got {lost:?}"));
    }
    match differs(expect, &shown(&decision, &session)) {
        Some(difference) => Err(difference),
        None => Ok(()),
    }
}

#[test]
fn every_case_holds_for_every_vendor_that_has_the_boundary() {
    let cases = cases();
    let ids: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    assert!(ids.len() == cases.len() && cases.len() >= 40, "{} cases, {} ids", cases.len(), ids.len());
    let mut failures = Vec::new();
    for case in &cases {
        assert!(!case.about.is_empty() && !case.source.is_empty(), "{}", case.id);
        let mut ran: BTreeMap<String, bool> = BTreeMap::new();
        let mut vendors = BTreeSet::new();
        for named in latest() {
            for event in events_of(named.adapter.as_ref(), &case.envelope()) {
                let vendor = named.adapter.vendor().as_str();
                vendors.insert(vendor.to_owned());
                let key = format!("{vendor} {}", event.name);
                let different = case.vendors.get(&key);
                let losses = different.and_then(|one| one.losses.as_ref()).unwrap_or(&case.losses);
                let expect = different.and_then(|one| one.expect.as_ref()).unwrap_or(&case.expect);
                if let Err(why) = judge(case, &named, event.name, losses, expect) {
                    failures.push(format!("{} for {key}: {why}", case.id));
                }
                if let Some(Different { why, source, .. }) = different {
                    assert!(!why.is_empty() && !source.is_empty(), "{}: {key}", case.id);
                    if judge(case, &named, event.name, &case.losses, &case.expect).is_ok() {
                        failures.push(format!("{}: {key} is not different from the others: remove it", case.id));
                    }
                }
                ran.insert(key, different.is_some());
            }
        }
        if vendors.len() < 2 {
            failures.push(format!("{}: only {vendors:?} has this boundary", case.id));
        }
        for key in case.vendors.keys().filter(|key| !ran.contains_key(*key)) {
            failures.push(format!("{}: nobody fires {key} here", case.id));
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// The corpus speaks of every boundary that several vendors have.
#[test]
fn the_corpus_covers_every_shared_boundary() {
    let covered: BTreeSet<Boundary> = cases().iter().map(Case::boundary).collect();
    for boundary in Boundary::ALL {
        let vendors = latest();
        let has = |named: &&Named| {
            occurrences(*boundary).iter().any(|(_, envelope)| !events_of(named.adapter.as_ref(), envelope).is_empty())
        };
        if vendors.iter().filter(has).count() > 1 {
            assert!(covered.contains(boundary), "no case is about {boundary}");
        }
    }
}

/// The same hooks of all vendors in one firing: the strongest word of any of them counts.
#[test]
fn hooks_of_all_vendors_together_hold_back_as_much_as_the_strictest() {
    let rank = |action: Action| match action {
        Action::NoOpinion => 0,
        Action::Approve => 1,
        Action::Ask => 2,
        Action::Defer => 3,
        Action::Deny => 4,
    };
    for case in cases() {
        let boundary = case.boundary();
        let adapters = latest();
        let (mut all, mut strictest, mut inputs) = (Vec::new(), 0, Vec::new());
        for named in &adapters {
            for event in events_of(named.adapter.as_ref(), &case.envelope()) {
                let first = u32::try_from(all.len()).expect("a number");
                let (heard, _) = case.heard(named.adapter.as_ref(), event.name, first);
                let policy = named.adapter.merge_policy(boundary);
                let alone = settle(reduce(heard.clone()), policy, true);
                let (alone, _) = decide(alone, boundary, &HostProfile::full(), SessionState::default());
                strictest = strictest.max(rank(alone.action));
                inputs.extend(alone.input.map(|said| said.value.raw));
                all.extend(heard);
            }
        }
        let policy = |vendor: &hooks_core::VendorId| {
            let named = adapters.iter().find(|named| named.adapter.vendor() == vendor).expect("a vendor");
            named.adapter.merge_policy(boundary)
        };
        let settled = settle_all(reduce(all), policy, true);
        let (together, _) = decide(settled, boundary, &HostProfile::full(), SessionState::default());
        // Rewrites in different vendors' words deny: nobody knows which one is meant.
        inputs.dedup();
        let expected = if inputs.len() > 1 { 4 } else { strictest };
        assert_eq!(rank(together.action), expected, "{}: {:?}", case.id, together.action);
    }
}
