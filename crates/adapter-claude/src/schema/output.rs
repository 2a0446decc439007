//! The schemas of answers: what the client reads, and what is printed for a hook.
//!
//! The client's parser takes any object. A known field of another kind voids the whole answer; so does a part of an event's
//! own that names another event, except beside a block (see [`crate::events::WRONG_NAME_KEEPS_BLOCK`]).

use hooks_core::channel::Channel;
use hooks_core::facts::{AskRule, EventFacts, FailureRule, FieldKind, OutputField};
use hooks_core::schema::{Openness, answer, discourage, explain, not_supported, set};
use schemars::{Schema, json_schema};
use serde_json::{Value, json};

use super::words;
use crate::events::{self, Block, EVENTS, Event, NESTED, NoticeRule, OnFailure, StopRule, WRONG_NAME_KEEPS_BLOCK};
use crate::output::verdict;

/// What the client accepts as an answer on an event.
pub(super) fn accepted(facts: &'static EventFacts) -> Schema {
    let Some(event) = events::find(facts.name) else { return json_schema!({}) };
    let mut schema = answer(facts, Openness::Open, |field, schema| {
        describe(event, field, schema);
        match below(field) {
            "hookSpecificOutput" => part(event, schema),
            "hookEventName" if event.nested => set(schema, "examples", json!([event.facts.name])),
            "decision" if field.path != "decision" => decision(schema),
            // What an allow and a deny carry is said with the decision itself.
            path if path.starts_with("decision.") && path != "decision.behavior" => untyped(schema),
            "watchPaths" => set(schema, "items", json!({ "description": "An absolute path." })),
            _ => {}
        }
        explain_words(event, field, schema);
    });
    if let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        members.insert(
            "async".to_owned(),
            json!({
                "description": "With `true`, in the first line that a command prints, the run goes to the background: the \
                                client goes on, and nothing else in this answer counts.",
            }),
        );
        members.insert(
            "asyncTimeout".to_owned(),
            json!({ "description": "Beside `async`: the milliseconds that the run gets in the background." }),
        );
    }
    let own = if event.nested {
        json!({ "properties": { NESTED: { "properties": { "hookEventName": { "const": facts.name } } } } })
    } else {
        json!({ "properties": { NESTED: { "not": {}, "errorMessage": "This event has no fields of its own." } } })
    };
    let blocks = json!({ "required": ["decision"], "properties": { "decision": { "const": "block" } } });
    if event.on_failure == OnFailure::Denies || WRONG_NAME_KEEPS_BLOCK.at(events::LATEST) != Some(true) {
        set(&mut schema, "allOf", json!([own]));
    } else {
        let names: Vec<_> = EVENTS.iter().filter(|event| event.nested).map(|event| event.facts.name).collect();
        let about = "The event whose fields these are. Beside a block another event's name only costs these fields.";
        let named = json!({ "enum": names, "description": about });
        let any = json!({ "properties": { NESTED: { "properties": { "hookEventName": named } } } });
        set(&mut schema, "if", blocks);
        set(&mut schema, "then", any);
        set(&mut schema, "else", own);
    }
    finish(event, schema)
}

/// What is printed for a hook on an event.
pub(super) fn emitted(facts: &'static EventFacts) -> Schema {
    let Some(event) = events::find(facts.name) else { return json_schema!({}) };
    let mut schema = answer(facts, Openness::Closed, |field, schema| {
        describe(event, field, schema);
        narrow(event, field, schema);
        explain_words(event, field, schema);
    });
    for field in facts.output.iter().filter(|field| !is_emitted(event, field)) {
        remove(&mut schema, field.path);
    }
    if event.on_failure == OnFailure::Denies
        && let Some(decision) = schema.pointer_mut(&format!("/properties/{NESTED}/properties/decision"))
        && let Some(decision) = decision.as_object_mut()
    {
        let without = |keys: &[&str]| -> Value { keys.iter().map(|key| ((*key).to_owned(), json!(false))).collect() };
        decision.insert("required".to_owned(), json!(["behavior"]));
        decision.insert("if".to_owned(), json!({ "properties": { "behavior": { "const": "allow" } } }));
        decision.insert("then".to_owned(), json!({ "properties": without(&["message", "interrupt"]) }));
        decision.insert("else".to_owned(), json!({ "properties": without(&["updatedInput", "updatedPermissions"]) }));
    }
    if facts.output.iter().any(|field| below(field) == "stopReason" && is_emitted(event, field)) {
        set(&mut schema, "dependentRequired", json!({ "stopReason": ["continue"] }));
    }
    finish(event, schema)
}

fn finish(event: &Event, mut schema: Schema) -> Schema {
    set(&mut schema, "type", "object");
    set(&mut schema, "description", format!("{}\n\n{}", words::event(event), words::outcomes(event)));
    let examples = examples(event);
    if !examples.is_empty() {
        set(&mut schema, "examples", examples);
    }
    schema
}

/// Answers as hooks give them, which are also answers as they are printed.
fn examples(event: &Event) -> Vec<Value> {
    let has = |path: &str| event.facts.output.iter().any(|field| field.path == path && is_emitted(event, field));
    let own = |key: &str, value: Value| json!({ NESTED: { "hookEventName": event.facts.name, key: value } });
    let and = |mut answer: Value, key: &str, value: Value| {
        if let Some(own) = answer.get_mut(NESTED).and_then(Value::as_object_mut) {
            own.insert(key.to_owned(), value);
        }
        answer
    };
    let mut examples = Vec::new();
    if has("hookSpecificOutput.permissionDecision") {
        let deny = own("permissionDecision", json!("deny"));
        examples.push(and(deny, "permissionDecisionReason", json!("The main branch is protected.")));
    }
    if has("hookSpecificOutput.updatedInput") {
        let allow = own("permissionDecision", json!("allow"));
        examples.push(and(allow, "updatedInput", json!({ "command": "git push --dry-run" })));
    }
    if has("hookSpecificOutput.decision.behavior") {
        examples.push(own("decision", json!({ "behavior": "allow" })));
        examples.push(own("decision", json!({ "behavior": "deny", "message": "Nothing is published on a Friday." })));
    }
    if has("decision") {
        examples.push(json!({ "decision": "block", "reason": "The tests fail: mend them first." }));
    }
    for (key, value) in [
        ("additionalContext", json!("The build takes about a minute.")),
        ("action", json!("decline")),
        ("retry", json!(true)),
        ("displayContent", json!("A shorter text.")),
        ("watchPaths", json!(["/home/dev/project/.envrc"])),
    ] {
        if has(&format!("{NESTED}.{key}")) {
            examples.push(own(key, value));
        }
    }
    if examples.is_empty() && has("continue") {
        examples.push(json!({ "continue": false, "stopReason": "The disk is full." }));
    } else if examples.is_empty() && has("systemMessage") {
        examples.push(json!({ "systemMessage": "The log is in check.log." }));
    }
    examples
}

/// A field's path below the part that events nest their own fields in.
fn below(field: &OutputField) -> &'static str {
    field.path.strip_prefix(NESTED).and_then(|rest| rest.strip_prefix('.')).unwrap_or(field.path)
}

/// What a field is, and what it does on the event.
fn describe(event: &Event, field: &OutputField, schema: &mut Schema) {
    let path = below(field);
    // Of fields that the event does not heed it is enough to say so.
    let known = if field.channel.is_some() || is_frame(path) {
        words::field(event, field.path).or_else(|| words::field(event, path))
    } else {
        None
    };
    let mut said = known.unwrap_or_default().to_owned();
    let mut add = |more: &str| {
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(more);
    };
    match (path, field.channel) {
        (path, _) if is_frame(path) => {}
        ("systemMessage", Some(Channel::ModelContext)) => {
            add("Here it goes to the model, if the directory was added by a typed command.");
        }
        ("additionalContext", Some(Channel::Continuation)) => add("By itself it makes the agent go on."),
        (_, None) => match field.refused {
            Some(refused) => add(&not_supported(refused)),
            None if matches!(path, "continue" | "stopReason") && words::stop_in_doubt(event).is_some() => {
                add(words::stop_in_doubt(event).unwrap_or_default());
            }
            None => add("Accepted without effect on this event."),
        },
        (_, Some(_)) => {}
    }
    set(schema, "description", said);
    if let FieldKind::Word(_) = field.kind {
        set(schema, "type", "string");
    }
}

/// Whether a field only holds or names others, or is the same on every event.
fn is_frame(path: &str) -> bool {
    matches!(path, "hookSpecificOutput" | "hookEventName" | "suppressOutput")
}

/// Says what each word of a field means on an event.
fn explain_words(event: &Event, field: &OutputField, schema: &mut Schema) {
    explain(schema, |word| words::word(event, below(field), word));
}

/// The part of an event's own: it names an event, and has what that event's must have.
fn part(event: &Event, schema: &mut Schema) {
    set(schema, "required", json!(["hookEventName"]));
    if !event.nested {
        let why = "This event has no fields of its own: naming any voids the answer.";
        set(schema, "description", why);
        discourage(schema, why);
        return;
    }
    if !event.required.is_empty() {
        set(schema, "if", json!({ "properties": { "hookEventName": { "const": event.facts.name } } }));
        set(schema, "then", json!({ "required": event.required }));
    }
}

fn untyped(schema: &mut Schema) {
    schema.remove("type");
}

/// A permission request's decision: what an allow and a deny may carry differs, and keys of the other are not looked at.
fn decision(schema: &mut Schema) {
    set(schema, "required", json!(["behavior"]));
    set(schema, "if", json!({ "properties": { "behavior": { "const": "allow" } } }));
    let updates = json!({ "type": "array", "items": update() });
    set(
        schema,
        "then",
        json!({ "properties": { "updatedInput": { "type": "object" }, "updatedPermissions": updates } }),
    );
    set(
        schema,
        "else",
        json!({ "properties": { "message": { "type": "string" }, "interrupt": { "type": "boolean" } } }),
    );
}

/// One change of the permission rules.
fn update() -> Value {
    let rule = json!({
        "type": "object",
        "description": "A rule.",
        "required": ["toolName"],
        "properties": {
            "toolName": { "type": "string", "description": "The tool." },
            "ruleContent": { "type": "string", "description": "What stands in the rule's brackets; absent for every call." },
        },
    });
    let case = |words: &[&str], required: &[&str], members: Value| {
        json!({
            "if": { "properties": { "type": { "enum": words } } },
            "then": { "required": required, "properties": members },
        })
    };
    let one_of = |words: &[&str], description: &str, about: fn(&str) -> &'static str| {
        let mut schema = json_schema!({ "enum": words, "description": description });
        explain(&mut schema, about);
        schema
    };
    let types = [verdict::RULE_CHANGES, verdict::MODE_CHANGES, verdict::DIRECTORY_CHANGES].concat();
    json!({
        "type": "object",
        "description": "A change of the permission rules.",
        "required": ["type", "destination"],
        "properties": {
            "type": one_of(&types, "What is changed.", words::change),
            "destination": one_of(verdict::DESTINATIONS, "The settings that it is written to.", words::destination),
        },
        "allOf": [
            case(verdict::RULE_CHANGES, &["rules", "behavior"], json!({
                "rules": { "type": "array", "items": rule, "description": "The rules." },
                "behavior": one_of(verdict::BEHAVIORS, "The list that the rules stand in.", words::behavior),
            })),
            case(verdict::MODE_CHANGES, &["mode"], json!({
                "mode": { "type": "string", "description": "The permission mode." },
            })),
            case(verdict::DIRECTORY_CHANGES, &["directories"], json!({
                "directories": { "type": "array", "items": { "type": "string" }, "description": "The directories." },
            })),
        ],
    })
}

/// Whether a field is ever printed on an event.
fn is_emitted(event: &Event, field: &OutputField) -> bool {
    // A refusal is said with the exit code, and a path as plain text.
    if event.facts.malformed == FailureRule::Block {
        return false;
    }
    let verdicts = event.on_failure == OnFailure::Denies || verdict::is_for(event);
    match below(field) {
        "continue" | "stopReason" => matches!(event.stop, StopRule::Stops(_)),
        "systemMessage" => event.notice != NoticeRule::Dropped,
        "terminalSequence" => true,
        "decision" | "reason" if !is_own(field) => !verdicts && is_said_as_block(event),
        "hookSpecificOutput" => event.facts.output.iter().any(|field| is_own(field) && is_emitted(event, field)),
        "hookEventName" => event
            .facts
            .output
            .iter()
            .any(|field| is_own(field) && below(field) != "hookEventName" && is_emitted(event, field)),
        "updatedMCPToolOutput" => false,
        _ => is_own(field) && field.channel.is_some(),
    }
}

/// Whether a refusal is printed as `decision: "block"`: not where it says no more than `continue: false` does.
fn is_said_as_block(event: &Event) -> bool {
    match (event.block, event.stop) {
        (Block::Nothing, _) => false,
        (Block::Halt(blocks, None), StopRule::Stops(stops)) => blocks != stops,
        _ => true,
    }
}

/// Whether a field stands in the part of the event's own.
fn is_own(field: &OutputField) -> bool {
    field.path.len() > NESTED.len() && field.path.starts_with(NESTED)
}

/// Narrows a field to what is printed.
fn narrow(event: &Event, field: &OutputField, schema: &mut Schema) {
    match below(field) {
        "continue" => set(schema, "const", false),
        "decision" if !is_own(field) => set(schema, "enum", json!(["block"])),
        "hookSpecificOutput" => set(schema, "required", json!(["hookEventName"])),
        "hookEventName" => set(schema, "const", event.facts.name),
        "permissionDecision" if event.facts.ask == AskRule::Deny => set(schema, "enum", json!(["allow", "deny"])),
        "suppressOriginalPrompt" | "reloadSkills" | "retry" | "decision.interrupt" => set(schema, "const", true),
        "watchPaths" => set(schema, "items", json!({ "type": "string" })),
        "decision.updatedPermissions" => set(schema, "items", update()),
        _ => {}
    }
}

fn remove(schema: &mut Schema, path: &str) {
    let mut at = schema.as_object_mut();
    let mut steps = path.split('.').peekable();
    while let Some(step) = steps.next() {
        let Some(members) = at.and_then(|part| part.get_mut("properties")).and_then(Value::as_object_mut) else {
            return;
        };
        if steps.peek().is_none() {
            members.remove(step);
            return;
        }
        at = members.get_mut(step).and_then(Value::as_object_mut);
    }
}
