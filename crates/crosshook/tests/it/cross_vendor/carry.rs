//! Carrying an answer over: what one vendor's hook printed, read by its host's side, is written as another vendor's
//! answer and read by that one's host. It never holds back less without a loss that says so, and nothing gets lost in
//! silence.

use hooks_conformance::cross::{Weaker, binding, decided, events_of, hear, occurrences, retell, weaker};
use hooks_core::adapter::Answer;
use hooks_core::adapter::Codec;
use hooks_core::boundary::{Boundary, Facet, Stop};
use hooks_core::channel::Channel;
use hooks_core::definition::LoopLimit;
use hooks_core::effects::{
    Continuation, Effect, EnvChange, EnvReach, Failure, Halt, OnPending, PromptFate, ResultReplacement, Rewrite,
    Special, Unsupported, Verdict, When,
};
use hooks_core::facts::{EventFacts, FieldKind};
use hooks_core::text::strip_unsafe;
use hooks_core::tool::{Mcp, Projected, ToolAction, ToolCall};
use hooks_core::{Action, Envelope, RawJson};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::{Named, all, cases};

/// An occurrence with one vendor's event and another vendor's that are fired for it.
pub(super) struct Pair {
    pub(super) from: usize,
    pub(super) from_event: &'static EventFacts,
    pub(super) to: usize,
    pub(super) to_event: &'static EventFacts,
    pub(super) envelope: Envelope,
}

/// Every pair of events of two vendors that share an occurrence, for all clients.
pub(super) fn pairs(adapters: &[Named]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for boundary in Boundary::ALL {
        for (_, envelope) in occurrences(*boundary) {
            let fired: Vec<(usize, &EventFacts)> = adapters
                .iter()
                .enumerate()
                .flat_map(|(at, named)| {
                    events_of(named.adapter.as_ref(), &envelope).into_iter().map(move |facts| (at, facts))
                })
                .collect();
            for (from, from_event) in &fired {
                for (to, to_event) in &fired {
                    if adapters[*from].adapter.vendor() != adapters[*to].adapter.vendor() {
                        let envelope = envelope.clone();
                        pairs.push(Pair { from: *from, from_event, to: *to, to_event, envelope });
                    }
                }
            }
        }
    }
    pairs
}

/// Texts: words, nothing, and what may reach no terminal.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-z][a-z é\"\\\\]{0,10}[a-z]",
        1 => Just(String::new()),
        1 => Just("  spaced\n".to_owned()),
        1 => Just("{\"a\": 1}".to_owned()),
        1 => Just("red \u{1b}[31m\u{202e}text\u{7}".to_owned()),
    ]
}

fn input() -> impl Strategy<Value = Value> {
    prop_oneof![
        text().prop_map(|text| json!({ "command": text })),
        text().prop_map(|text| json!({ "command": text, "working_directory": "/elsewhere", "timeout": 5 })),
        text().prop_map(|text| json!({ "message": text })),
        Just(json!({ "file_path": "/home/dev/project/other.rs" })),
        Just(json!({})),
    ]
}

/// Anything a hook of any vendor can ask for; another input as the adapter reads it.
pub(super) fn effect(adapter: &dyn Codec, envelope: &Envelope) -> BoxedStrategy<Effect> {
    let own = envelope.boundary().info().halts.to_vec();
    let stops = prop_oneof![
        2 => Just(own.clone()).prop_filter("something to halt", |stops| !stops.is_empty()).boxed(),
        1 => vec(select(vec![Stop::Prompt, Stop::Action, Stop::Turn, Stop::Compaction, Stop::Subagent, Stop::Session]), 1..3).boxed(),
    ];
    let stops = if own.is_empty() { Just(vec![Stop::Turn]).boxed() } else { stops.boxed() };
    let verdict = select(vec![Verdict::Allow, Verdict::Ask, Verdict::Defer, Verdict::Deny]);
    let when = prop::option::of(select(vec![When::Before, When::After]));
    let fate = prop::option::of(select(vec![PromptFate::Keep, PromptFate::Erase]));
    let call = envelope.payload.tool_use().map(|tool| tool.call.clone());
    let inputs: Vec<Effect> = [
        json!({ "command": "echo other" }),
        json!({ "command": "echo other", "working_directory": "/elsewhere" }),
        json!({ "command": "echo other", "run_in_background": true }),
        json!({ "message": "x" }),
        json!({ "file_path": "/home/dev/project/other.rs" }),
        json!("a text"),
        json!({}),
    ]
    .iter()
    .filter_map(|value| {
        let raw = RawJson::from(value);
        Some(Effect::ReplaceInput(Rewrite { call: adapter.project(call.as_ref()?, &raw), raw }))
    })
    .collect();
    let mut all: Vec<(u32, BoxedStrategy<Effect>)> = vec![
        (4, (verdict, vec(text(), 0..3)).prop_map(|(verdict, reasons)| Effect::Verdict { verdict, reasons }).boxed()),
        (
            3,
            (stops, when, fate, prop::option::of(text()))
                .prop_map(|(stops, when, prompt, reason)| {
                    Effect::Halt(Halt { when, prompt, ..Halt::of(&stops, reason) })
                })
                .boxed(),
        ),
        (1, text().prop_map(Effect::Notice).boxed()),
        (1, text().prop_map(Effect::Context).boxed()),
        (1, text().prop_map(|text| Effect::ReplaceResult(ResultReplacement::Text(text))).boxed()),
        (1, input().prop_map(|raw| Effect::ReplaceResult(ResultReplacement::Json(RawJson::from(&raw)))).boxed()),
        (
            2,
            (text(), prop::option::of(1..4_u32))
                .prop_map(|(text, limit)| Effect::Continue(Continuation::new(text, limit.map(LoopLimit::AtMost))))
                .boxed(),
        ),
        (
            1,
            btree_map("[A-Z]{1,3}", (text(), select(vec![EnvReach::Hooks, EnvReach::Shell])), 1..3)
                .prop_map(|changes| {
                    let change = |(name, (value, reach))| (name, EnvChange { value, reach });
                    Effect::SessionEnv(changes.into_iter().map(change).collect())
                })
                .boxed(),
        ),
        (1, text().prop_map(|mode| Effect::PermissionUpdate(RawJson::from(&json!({ "type": mode })))).boxed()),
        (
            1,
            select(vec![OnPending::Ignore, OnPending::Deny])
                .prop_map(|on_pending| {
                    Effect::Unsupported(Unsupported { field: "a_field".into(), channel: Channel::Halt, on_pending })
                })
                .boxed(),
        ),
        (
            1,
            select(vec![
                Special::Interrupt,
                Special::RetryHint,
                Special::SessionTitle("t".into()),
                Special::ReloadSkills,
            ])
            .prop_map(Effect::Special)
            .boxed(),
        ),
    ];
    if !inputs.is_empty() {
        all.push((2, select(inputs).boxed()));
    }
    prop::strategy::Union::new_weighted(all).boxed()
}

/// A value of a field's kind, now and then of another.
fn value(field: &'static str, kind: FieldKind, event: &'static str) -> BoxedStrategy<Value> {
    if field.ends_with("hookEventName") {
        return Just(json!(event)).boxed();
    }
    let object = || {
        let decision = (select(vec!["allow", "deny"]), text(), any::<bool>()).prop_map(|(behavior, message, interrupt)| {
            json!({ "behavior": behavior, "message": message, "interrupt": interrupt })
        });
        prop_oneof![input(), decision]
    };
    match kind {
        FieldKind::Bool => any::<bool>().prop_map(Value::from).boxed(),
        FieldKind::String => text().prop_map(Value::from).boxed(),
        FieldKind::Word(words) => select(words).prop_map(Value::from).boxed(),
        FieldKind::Object => object().boxed(),
        FieldKind::Array => Just(json!(["/home/dev/project"])).boxed(),
        _ => prop_oneof![text().prop_map(Value::from), object()].boxed(),
    }
}

fn put(object: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            object.entry(path).or_insert(value);
        }
        Some((key, rest)) => {
            let below = object.entry(key).or_insert_with(|| json!({}));
            if let Some(below) = below.as_object_mut() {
                put(below, rest, value);
            }
        }
    }
}

/// An answer made of an event's own fields, some of them, with any exit code; or text; or nothing.
fn printed(event: &'static EventFacts) -> BoxedStrategy<Answer> {
    let mut fields: Vec<BoxedStrategy<Option<(&'static str, Value)>>> = Vec::new();
    for field in event.output {
        // The objects that hold others are made with those.
        let holds = event.output.iter().any(|other| other.path.starts_with(&format!("{}.", field.path)));
        if !holds {
            let likely = if field.path.ends_with("hookEventName") { 0.95 } else { 0.35 };
            let one = value(field.path, field.kind, event.name).prop_map(|value| (field.path, value));
            fields.push(prop::option::weighted(likely, one).boxed());
        }
    }
    let object = fields.prop_map(|fields| {
        let mut object = Map::new();
        for (path, value) in fields.into_iter().flatten() {
            put(&mut object, path, value);
        }
        Value::Object(object).to_string().into_bytes()
    });
    let stdout = prop_oneof![8 => object, 1 => text().prop_map(String::into_bytes)];
    let code = prop_oneof![6 => Just(0), 2 => Just(2), 1 => Just(1)];
    (stdout, text(), code)
        .prop_map(|(stdout, stderr, exit_code)| Answer { stdout, stderr: stderr.into_bytes(), exit_code })
        .boxed()
}

/// The words of an effect, clean, as they should still be found somewhere.
pub(super) fn words(effect: &Effect) -> Vec<String> {
    let texts: Vec<&str> = match effect {
        Effect::Verdict { verdict, reasons } if *verdict != Verdict::Allow => {
            reasons.iter().map(String::as_str).collect()
        }
        Effect::Notice(text) | Effect::Context(text) => vec![text],
        Effect::Continue(continuation) => vec![&continuation.text],
        Effect::ReplaceResult(ResultReplacement::Text(text)) => vec![text],
        Effect::Halt(halt) => halt.reason.as_deref().into_iter().collect(),
        _ => Vec::new(),
    };
    texts.into_iter().map(|text| strip_unsafe(text).trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

/// Everything that was heard, as text in which words can be looked for.
pub(super) fn all_text(effects: &[Effect]) -> String {
    let mut all = String::new();
    for effect in effects {
        match effect {
            Effect::Verdict { reasons, .. } => all.push_str(&reasons.join("\n")),
            Effect::ReplaceResult(ResultReplacement::Json(raw)) => {
                fn strings(value: &Value, all: &mut String) {
                    match value {
                        Value::String(text) => all.push_str(text),
                        Value::Array(items) => items.iter().for_each(|item| strings(item, all)),
                        Value::Object(members) => members.values().for_each(|member| strings(member, all)),
                        _ => {}
                    }
                }
                strings(&raw.to_value(), &mut all);
            }
            other => all.push_str(&words(other).join("\n")),
        }
        all.push('\n');
    }
    strip_unsafe(&all).into_owned()
}

/// Holds the laws of carrying over for one answer that the first host has read.
fn carries(adapters: &[Named], pair: &Pair, said: &[Effect]) -> Result<(), TestCaseError> {
    let (from, to) = (&adapters[pair.from], &adapters[pair.to]);
    let boundary = pair.envelope.boundary();
    let of = |named: &Named, event: &EventFacts| binding(named.adapter.as_ref(), event.name, 0).expect("a binding");
    let (answer, losses) = to.adapter.write_answer(pair.to_event, &pair.envelope, said);
    let heard = hear(to.adapter.as_ref(), &of(to, pair.to_event), &pair.envelope, &answer, 0);
    let own = {
        let binding = of(from, pair.from_event);
        let by = hooks_core::Who::of(&binding, &hooks_core::Outcome::exited(0, ""));
        hooks_core::HookEffects { effects: said.to_vec(), ..hooks_core::HookEffects::none(by) }
    };
    let before = decided(from.adapter.as_ref(), boundary, vec![own]);
    let after = decided(to.adapter.as_ref(), boundary, vec![heard.clone()]);
    let context = format!(
        "{} {} to {} {} on {boundary}\nsaid {said:?}\nanswer {} {:?} {}\nlosses {losses:?}\nheard {heard:?}",
        from.name,
        pair.from_event.name,
        to.name,
        pair.to_event.name,
        String::from_utf8_lossy(&answer.stdout),
        String::from_utf8_lossy(&answer.stderr),
        answer.exit_code,
    );

    // The client takes the answer; saying nothing is a missing decision where no word says that there is none.
    prop_assert!(matches!(heard.failure, None | Some(Failure::Empty)), "it is refused: {context}");

    // Nobody's silence, and nobody's refusal, becomes an approval.
    let approved = |action| action == Action::Approve;
    prop_assert!(!approved(after.action) || approved(before.action), "it approves: {context}");

    // What holds back holds back as much, or a loss says that it does not.
    let can_deny = boundary.is_pending() && pair.to_event.channels.contains(Channel::Verdict);
    for way in weaker(&pair.envelope, &before, &after) {
        prop_assert!(!(can_deny && way != Weaker::Halt), "weaker ({way:?}) where it could be denied: {context}");
        let restrains = |effect: &&Effect| match way {
            Weaker::Input => matches!(effect, Effect::ReplaceInput(_)),
            Weaker::Halt => matches!(effect, Effect::Halt(_) | Effect::Verdict { .. } | Effect::Special(_)),
            Weaker::Action => !matches!(effect, Effect::Notice(_) | Effect::Context(_)),
        };
        let told = said.iter().filter(restrains).any(|effect| losses.iter().any(|loss| loss.is_about(effect)));
        prop_assert!(told, "weaker ({way:?}) in silence: {context}");
    }

    // Every effect is heard in its own way, or a loss is about it.
    for effect in said {
        let there = heard.effects.iter().any(|heard| heard.channel() == effect.channel());
        let told = losses.iter().any(|loss| loss.is_about(effect));
        let denied = after.action == Action::Deny;
        let as_another = match effect {
            // Of several verdicts of one hook the strongest is its verdict.
            Effect::Verdict { .. } => denied || outranked(said, effect),
            Effect::Unsupported(_) => denied,
            Effect::Halt(halt) => denied && halt.stops == [Stop::Action],
            // A text for the person that is the reason too is shown with it.
            Effect::Notice(_) => words(effect).iter().all(|word| all_text(&heard.effects).contains(word)),
            // On this boundary context is what stands beside the instructions.
            Effect::Special(Special::CompactionInstructions(text)) => heard.effects == [Effect::Context(text.clone())],
            Effect::Context(_) | Effect::Continue(_) | Effect::ReplaceResult(ResultReplacement::Text(_)) => {
                words(effect).is_empty()
            }
            _ => false,
        };
        prop_assert!(there || told || as_another, "{effect:?} is lost in silence: {context}");
        for word in words(effect) {
            let found = all_text(&heard.effects).contains(&word);
            prop_assert!(found || told || outranked(said, effect), "the words {word:?} are lost: {context}");
        }
    }
    Ok(())
}

/// Whether a stronger restraint stands beside a verdict, whose reasons then lead nothing (as in settling).
pub(super) fn outranked(said: &[Effect], effect: &Effect) -> bool {
    let Effect::Verdict { verdict, .. } = effect else { return false };
    said.iter().any(|other| match other {
        Effect::Verdict { verdict: other, .. } => other > verdict,
        Effect::Halt(_) | Effect::Unsupported(_) | Effect::ReplaceInput(_) | Effect::Special(_) => true,
        _ => false,
    })
}

/// Calls of other tools than the one that an occurrence is about; of a tool server's, one of another server too.
fn of_other_tools(call: &ToolCall) -> Vec<ToolCall> {
    let all = [Facet::Shell, Facet::Mcp, Facet::FileRead, Facet::FileEdit].map(hooks_conformance::sample::call);
    let mut others: Vec<_> = all.into_iter().filter(|other| other.action.kind() != call.action.kind()).collect();
    if let Some(mcp) = call.as_mcp() {
        let tool = Mcp { tool: "another".to_owned(), ..mcp.clone() };
        let server = Mcp { server: "another".to_owned(), ..mcp.clone() };
        others.extend([tool, server].map(|mcp| ToolCall::new(ToolAction::Mcp(mcp))));
    }
    others
}

/// An input that is meant for another tool cannot be said, and the original one does not run in its place.
#[test]
fn the_input_of_another_tool_is_a_denial() {
    let mut seen = 0;
    for named in all() {
        let adapter = named.adapter.as_ref();
        for boundary in [Boundary::ToolBefore, Boundary::PermissionRequest] {
            for (facet, envelope) in occurrences(boundary) {
                let call = &envelope.payload.tool_use().expect("a call").call;
                for event in events_of(adapter, &envelope) {
                    for other in of_other_tools(call) {
                        for beside in [None, Some(Verdict::Allow)] {
                            seen += 1;
                            let raw =
                                json!({ "command": "ls", "message": "x", "file_path": "/home/dev/project/other.rs" });
                            let projected = Projected { call: other.clone(), ignored: Vec::new() };
                            let rewrite =
                                Effect::ReplaceInput(Rewrite { raw: RawJson::from(&raw), call: Ok(projected) });
                            let mut said = vec![rewrite.clone()];
                            said.extend(beside.map(|verdict| Effect::Verdict { verdict, reasons: Vec::new() }));
                            let binding = binding(adapter, event.name, 0).expect("a binding");
                            let told = retell(adapter, &binding, &envelope, &said, 0).expect("an event");
                            let decision = decided(adapter, boundary, vec![told.heard]);
                            let place = format!("{} {} ({}), {said:?}", named.name, event.name, facet.as_str());
                            assert_eq!(decision.action, Action::Deny, "{place}");
                            assert!(
                                told.losses.iter().any(|loss| loss.is_about(&rewrite)),
                                "{place}: {:?}",
                                told.losses
                            );
                        }
                    }
                }
            }
        }
    }
    assert!(seen > 200, "{seen} inputs");
}

/// One effect of every kind, over every pair of events.
#[test]
fn every_kind_of_effect_is_carried_over_every_pair_of_events() {
    let adapters = all();
    let pairs = pairs(&adapters);
    assert!(pairs.len() > 500, "{} pairs", pairs.len());
    for pair in &pairs {
        let from = adapters[pair.from].adapter.as_ref();
        for probe in hooks_conformance::cross::probes(from, &pair.envelope) {
            if let Err(error) = carries(&adapters, pair, &[probe.effect]) {
                panic!("{}: {error}", probe.kind);
            }
        }
    }
}

/// What was once lost without a word, so that it stays found.
#[test]
fn what_was_once_lost_in_silence_is_reported() {
    let adapters = all();
    let pairs = pairs(&adapters);
    let input = |pair: &Pair, value: Value| {
        let call = &pair.envelope.payload.tool_use().expect("a call").call;
        let raw = RawJson::from(&value);
        Effect::ReplaceInput(Rewrite { call: adapters[pair.from].adapter.project(call, &raw), raw })
    };
    let verdict = |verdict| Effect::Verdict { verdict, reasons: Vec::new() };
    let turn = || Effect::Halt(Halt::of(&[Stop::Turn], None));
    let mut seen = [0; 6];
    for pair in &pairs {
        let mut hold = |at: usize, said: &[Effect]| {
            seen[at] += 1;
            if let Err(error) = carries(&adapters, pair, said) {
                panic!("{at}: {error}");
            }
        };
        match (pair.from_event.name, pair.to_event.name) {
            // A refused input beside a call that is put off.
            ("PreToolUse" | "preToolUse", "PreToolUse") => {
                hold(0, &[input(pair, json!({ "no": 1 })), verdict(Verdict::Defer)]);
                // The end of the turn beside a denial, which older clients do not look at.
                hold(1, &[verdict(Verdict::Deny), turn()]);
                // Arguments that are no object.
                hold(2, &[input(pair, json!("a text"))]);
                // Another directory.
                let elsewhere = json!({ "command": "ls", "working_directory": "/elsewhere" });
                hold(3, &[input(pair, elsewhere)]);
            }
            // A command in the background.
            ("PreToolUse", "preToolUse") => {
                hold(4, &[input(pair, json!({ "command": "ls", "run_in_background": true }))]);
            }
            // A halt without a reason where nothing but a follow-up can be said.
            ("Stop" | "SubagentStop", "stop" | "subagentStop") => hold(5, &[turn()]),
            _ => {}
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn whatever_is_asked_for_is_carried_over(
        (at, said) in {
            let adapters = all();
            let pairs = pairs(&adapters);
            let strategies: Vec<_> = pairs.iter().map(|pair| effect(adapters[pair.from].adapter.as_ref(), &pair.envelope)).collect();
            (0..pairs.len()).prop_flat_map(move |at| (Just(at), vec(strategies[at].clone(), 0..5)))
        }
    ) {
        ADAPTERS.with(|(adapters, pairs)| carries(adapters, &pairs[at], &said))?;
    }

    #[test]
    fn whatever_is_printed_is_carried_over(
        (at, answer) in {
            let pairs = pairs(&all());
            (0..pairs.len()).prop_flat_map(move |at| (Just(at), printed(pairs[at].from_event)))
        }
    ) {
        ADAPTERS.with(|(adapters, pairs)| {
            let pair = &pairs[at];
            let from = adapters[pair.from].adapter.as_ref();
            let binding = binding(from, pair.from_event.name, 0).expect("a binding");
            let heard = hear(from, &binding, &pair.envelope, &answer, 0);
            carries(adapters, pair, &heard.effects)
        })?;
    }
}

thread_local! {
    pub(super) static ADAPTERS: (Vec<Named>, Vec<Pair>) = {
        let adapters = all();
        let pairs = pairs(&adapters);
        (adapters, pairs)
    };
}
