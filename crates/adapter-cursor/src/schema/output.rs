//! Answers: the fields of an event's row, as the reader takes them and as the hook's side prints them.

use hooks_core::facts::{AskRule, Control, EventFacts, FieldKind, OutputField};
use hooks_core::schema::{Openness, answer, explain, property, set};
use hooks_core::{Boundary, Channel};
use schemars::{Schema, json_schema};
use serde_json::{Map, Value, json};

use super::{row, words};
use crate::events::{ELSEWHERE, Event, UserMessage};

/// What the vendor takes as an answer on an event.
///
/// The object is open: what an event does not have is accepted. A field that is null counts as absent, except for the
/// decision itself; one that is accepted and ignored has no type.
pub(super) fn accepted(facts: &'static EventFacts) -> Schema {
    let Some(event) = row(facts) else { return Schema::default() };
    let mut schema = answer(facts, Openness::Open, |field, schema| take(event, field, schema));
    if !event.claude_shape.is_empty() {
        let shape = EventFacts { output: event.claude_shape, ..*facts };
        let claude = answer(&shape, Openness::Open, take_claude);
        merge_properties(&mut schema, claude);
        if let Some(nested) = property(&mut schema, NESTED) {
            nested.insert("type".to_owned(), json!(["object", "null"]));
            let about = "The answer in the shape of hooks written for Claude (third-party hooks page, answers): each \
                         field stands in for its own flat one where that is missing.";
            nested.insert("description".to_owned(), about.into());
        }
    }
    match facts.control {
        Control::Permission { .. } => decision(event, &mut schema),
        Control::Halt => set(&mut schema, "required", json!([CONTINUE])),
        Control::Continuation => stand_in(&mut schema),
        _ => {}
    }
    let mut said = vec![format!("{} {}", event.about, words::control(event)), words::without_answer(event)];
    said.extend(words::ask(event).map(ToOwned::to_owned));
    said.push(others(event));
    set(&mut schema, "description", said.join("\n\n"));
    set(&mut schema, "examples", json!(examples(event)));
    schema
}

const NESTED: &str = "hookSpecificOutput";
const DECISION: &str = "permission";
const NESTED_DECISION: &str = "permissionDecision";
const CONTINUE: &str = "continue";

/// A field of Cursor's own shape as it is read.
fn take(event: &Event, field: &OutputField, schema: &mut Schema) {
    match (field.channel, field.kind) {
        // Accepted and ignored, and so never looked at.
        (None, _) => {
            schema.remove("type");
        }
        (_, FieldKind::Word(_)) => {
            set(schema, "enum", words_of(event, field));
            explain(schema, |word| words::decision(event, word));
        }
        (_, FieldKind::Bool) => {}
        (_, FieldKind::Array) => {
            set(schema, "type", json!(["array", "null"]));
            set(schema, "items", json!({ "type": "string" }));
        }
        (Some(Channel::SessionEnv), _) => {
            set(schema, "type", json!(["object", "null"]));
            set(schema, "additionalProperties", json!({ "type": "string", "description": "A variable's value." }));
        }
        _ => or_null(schema),
    }
    if let Some(words) = about(event, field) {
        set(schema, "description", words);
    }
}

/// A field of Claude's shape: as it is read where its flat one is missing. What stands beside that one is not looked at,
/// which [`decision`] and [`stand_in`] say.
fn take_claude(field: &OutputField, schema: &mut Schema) {
    match field.path.rsplit('.').next() {
        Some(NESTED_DECISION) => {
            if let Some(words) = schema.remove("enum") {
                set(schema, "examples", words);
            }
            set(
                schema,
                "description",
                "Whether the pending action goes on, where `permission` is missing; not looked at otherwise.",
            );
        }
        Some("decision") => {
            text_of(field, schema);
            set(schema, "examples", json!(["block"]));
            set(schema, "description", "`block` makes the agent go on with `reason`; no other word has a meaning.");
        }
        Some("reason") => {
            text_of(field, schema);
            set(schema, "description", "What the agent goes on with, beside `decision` with `block`.");
        }
        _ => or_null(schema),
    }
}

/// A flat text can be null; a nested one is looked at only where its flat one is missing, which [`stand_in`] says.
fn text_of(field: &OutputField, schema: &mut Schema) {
    if field.path.contains('.') {
        schema.remove("type");
    } else {
        or_null(schema);
    }
}

/// The words that a permission hook's decision can be.
fn words_of(event: &Event, field: &OutputField) -> Vec<&'static str> {
    let mut words = match field.kind {
        FieldKind::Word(words) => words.to_vec(),
        _ => Vec::new(),
    };
    // Not among the page's words, and read all the same: it denies.
    if event.facts.ask == AskRule::Deny && !words.contains(&ASK) {
        words.push(ASK);
    }
    words
}

const ASK: &str = "ask";

/// A permission hook's answer needs a decision: the flat one, or Claude's where that is read and the flat one is missing.
fn decision(event: &Event, schema: &mut Schema) {
    if event.claude_shape.is_empty() {
        set(schema, "required", json!([DECISION]));
        return;
    }
    let words = event.output_field(DECISION).map(|field| words_of(event, field)).unwrap_or_default();
    set(schema, "if", json!({ "required": [DECISION] }));
    set(
        schema,
        "else",
        json!({
            "required": [NESTED],
            "properties": {
                NESTED: {
                    "type": "object",
                    "required": [NESTED_DECISION],
                    "properties": { NESTED_DECISION: { "enum": words } },
                },
            },
        }),
    );
}

/// A nested field of Claude's is looked at only where its flat one is missing or null.
fn stand_in(schema: &mut Schema) {
    let rules: Vec<Value> = ["decision", "reason"]
        .into_iter()
        .map(|key| {
            let text = json!({ "type": ["string", "null"] });
            json!({
                "if": { "required": [key], "properties": { key: { "type": "string" } } },
                "else": { "properties": { NESTED: { "properties": { key: text } } } },
            })
        })
        .collect();
    set(schema, "allOf", rules);
}

/// What is printed as an answer on an event: closed, and every field of its one type. Where an event has no field,
/// nothing is ever printed.
pub(super) fn emitted(facts: &'static EventFacts) -> Schema {
    let Some(event) = row(facts) else { return Schema::default() };
    let used: Vec<OutputField> = facts.output.iter().filter(|field| field.channel.is_some()).copied().collect();
    if used.is_empty() {
        return json_schema!({
            "description": "Nothing is printed on this event: no answer has an effect.",
            "not": {},
        });
    }
    let mut schema = answer(facts, Openness::Closed, |field, schema| {
        match (field.channel, field.kind) {
            (Some(Channel::SessionEnv), _) => {
                set(schema, "additionalProperties", json!({ "type": "string", "description": "A variable's value." }));
                set(schema, "minProperties", 1);
            }
            (_, FieldKind::Array) => {
                set(schema, "items", json!({ "type": "string" }));
                set(schema, "minItems", 1);
            }
            (_, FieldKind::Word(_)) => explain(schema, |word| words::decision(event, word)),
            _ => {}
        }
        if let Some(words) = about(event, field) {
            set(schema, "description", words);
        }
    });
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| used.iter().any(|field| field.path == name));
    }
    let mut words = vec![format!("What is printed for a hook on `{}`, with exit code 0.", facts.name)];
    match facts.control {
        Control::Permission { .. } => {
            set(&mut schema, "required", json!([DECISION]));
            words.push("Where no word means that there is no opinion, nothing is printed for it.".to_owned());
        }
        Control::Halt => set(&mut schema, "required", json!([CONTINUE])),
        _ => {
            set(&mut schema, "minProperties", 1);
            words.push("Nothing is printed where there is nothing to say.".to_owned());
        }
    }
    set(&mut schema, "description", words.join(" "));
    let printed = examples(event).into_iter().filter(|example| example.as_object().is_some_and(|one| !one.is_empty()));
    set(&mut schema, "examples", printed.collect::<Vec<_>>());
    schema
}

/// What a field of Cursor's own shape is on an event, where its channel alone does not say it.
fn about(event: &Event, field: &OutputField) -> Option<&'static str> {
    Some(match (field.channel, field.path) {
        (Some(Channel::UserNotice), _) => match event.user_message {
            UserMessage::DenyOnly => "A text for the person, shown with a denial only.",
            UserMessage::Notice if event.facts.control == Control::Halt => {
                "A text for the person: the reason where the prompt is not sent, a notice otherwise."
            }
            _ => "A text for the person.",
        },
        (Some(Channel::Verdict), "agent_message") => {
            "The reason, for the agent. It has no meaning beside `allow`; without it, `user_message` is the reason."
        }
        (Some(Channel::Verdict), _) => "Whether the pending action goes on.",
        (Some(Channel::Halt), _) => "`true` sends the prompt, `false` keeps it from being sent.",
        (Some(Channel::ReplacementInput), _) => {
            "Another input for the tool. What becomes of keys that are left out is not documented; Crosshook keeps their \
             values, since hooks were seen to give only what changes."
        }
        (Some(Channel::ReplacementResult), _) => "Another result for the model to see, for tools of MCP servers only.",
        (Some(Channel::Continuation), _) if matches!(event.facts.boundary, Some(Boundary::SubagentStop)) => {
            "The agent goes on with this text, if it is not empty and `status` is `completed`."
        }
        (Some(Channel::Continuation), _) => "The agent goes on with this text, if it is not empty.",
        (Some(Channel::SessionEnv), _) => "Environment variables that every later hook of the session gets.",
        (Some(Channel::Special), _) => "Absolute paths of plugins' folders to load.",
        _ => return None,
    })
}

/// What becomes of fields that the event does not have.
fn others(event: &Event) -> String {
    let rest = "Other fields are accepted and never applied";
    if event.can_block() {
        let others = ELSEWHERE.iter().filter(|field| !event.documents(field.path));
        let others: Vec<_> = others.map(|field| format!("`{}`", field.path)).collect();
        format!(
            "{rest}. Where one asks for something that Cursor has on another event ({}), a `phase1` host (Crosshook's first \
             design) holds back what is pending.",
            others.join(", ")
        )
    } else {
        format!("{rest}.")
    }
}

/// Answers as hooks give them: one that lets things go on and one that does not, or one that says nothing and one with
/// every field that has an effect.
fn examples(event: &Event) -> Vec<Value> {
    match event.facts.control {
        Control::Permission { .. } => {
            let mut deny = json!({ DECISION: "deny" });
            if let Some(members) = deny.as_object_mut() {
                for field in event.facts.output.iter().filter(|field| field.kind == FieldKind::String) {
                    members.insert(field.path.to_owned(), "Not while the tests fail.".into());
                }
            }
            vec![json!({ DECISION: "allow" }), deny]
        }
        Control::Halt => {
            vec![json!({ CONTINUE: true }), json!({ CONTINUE: false, "user_message": "The prompt holds a password." })]
        }
        _ => {
            let used = event.facts.output.iter().filter(|field| field.channel.is_some());
            let all: Map<String, Value> = used
                .filter_map(|field| {
                    let value = match field.kind {
                        FieldKind::String => json!("The linter found two faults."),
                        FieldKind::Object => json!({ "NAME": "value" }),
                        FieldKind::Array => json!(["/home/dev/plugins/one"]),
                        _ => return None,
                    };
                    Some((field.path.to_owned(), value))
                })
                .collect();
            let mut both = vec![json!({})];
            both.extend((!all.is_empty()).then_some(Value::Object(all)));
            both
        }
    }
}

/// A field's type, or null.
fn or_null(schema: &mut Schema) {
    if let Some(word) = schema.remove("type") {
        set(schema, "type", json!([word, "null"]));
    }
}

/// Adds the properties of another schema.
fn merge_properties(schema: &mut Schema, mut other: Schema) {
    let Some(Value::Object(more)) = other.remove("properties") else { return };
    match schema.get_mut("properties").and_then(Value::as_object_mut) {
        Some(properties) => properties.extend(more),
        None => set(schema, "properties", more),
    }
}
