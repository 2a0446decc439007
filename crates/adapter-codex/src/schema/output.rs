//! Schemas of answers: what the vendor promises to accept, and what is printed for a hook.

use hooks_core::facts::{EventFacts, FieldKind, OutputField, Refused, Values};
use hooks_core::schema::{Openness, answer, explain, not_supported, set};
use schemars::{Schema, json_schema};
use serde_json::{Map, Value, json};

use super::{NOT_BLANK, words};
use crate::events::field::{
    ANSWER, ANSWER_INPUT, ANSWER_PERMISSIONS, BEHAVIOR, CONTEXT, CONTINUE, DECISION, INTERRUPT, MESSAGE, NAME,
    PERMISSION, PERMISSION_REASON, REASON, SPECIFIC, STOP_REASON, SUPPRESS_OUTPUT, SYSTEM_MESSAGE, UPDATED_INPUT,
    UPDATED_OUTPUT,
};
use crate::events::{self, Event, Kind, Reads};

/// What the fields are (section 11).
const FIELDS: &[(&str, &str)] = &[
    (CONTINUE, "Whether things go on, as they do where the key is absent."),
    (STOP_REASON, "The reason that goes with `continue` `false`."),
    (SUPPRESS_OUTPUT, "Whether what the hook printed is hidden; no event does that."),
    (SYSTEM_MESSAGE, "A warning for the person."),
    (DECISION, "What the hook decides; without the key, nothing."),
    (REASON, "The text that goes with `decision`."),
    (SPECIFIC, "The fields that only some events have."),
    (NAME, "The event's own name."),
    (CONTEXT, "A text for the model. It counts beside a refusal too, and is lost when the run fails."),
    (PERMISSION, "What becomes of the call: `deny` keeps it from running, `allow` runs it with another input."),
    (PERMISSION_REASON, "The reason of a deny, which the model gets."),
    (UPDATED_INPUT, "Another input for the call. Whether the call needs permission is judged on the new one."),
    (UPDATED_OUTPUT, "Another result for the model."),
    (ANSWER, "The answer to the request. Without one the usual flow asks."),
    (BEHAVIOR, "Whether the call may run."),
    (MESSAGE, "The reason of a deny, which the model gets."),
    (ANSWER_INPUT, "Another input for the call."),
    (ANSWER_PERMISSIONS, "Changes of the permission rules."),
    (INTERRUPT, "Whether the turn is interrupted."),
];

/// What makes a run fail although the answer fits, and what has no effect, by the field (section 11.3).
const RULES: &[(&[Kind], &str, &str)] = &[
    (
        &[Kind::PreToolUse],
        PERMISSION,
        "`deny` needs a `permissionDecisionReason` that is not blank, and `allow` needs `updatedInput`; else the run fails.",
    ),
    (&[Kind::PreToolUse], DECISION, "It is the older form of `permissionDecision`."),
    (&[Kind::PreToolUse], PERMISSION_REASON, "Without `permissionDecision` the run fails."),
    (
        &[Kind::PreToolUse],
        UPDATED_INPUT,
        "Without `permissionDecision` `allow` the run fails. `Bash` and `apply_patch` take a string `command` from it and \
         nothing else; other tools take it whole.",
    ),
    (
        &[Kind::PreToolUse],
        DECISION,
        "`block` needs a `reason` that is not blank; else the run fails. Not looked at beside `permissionDecision`, its \
         reason or `updatedInput`.",
    ),
    (&[Kind::PreToolUse], REASON, "Without `decision` the run fails."),
    (
        &[Kind::PostToolUse],
        DECISION,
        "`block` needs a `reason` that is not blank; else the run fails, unless `continue` is `false`.",
    ),
    (&[Kind::PostToolUse], REASON, "Without `decision` the run fails, unless `continue` is `false`."),
    (&[Kind::PostToolUse], CONTINUE, "`false` replaces the result by `reason` or `stopReason`; the turn goes on."),
    (&[Kind::PreCompact], CONTINUE, "`false` keeps the compaction from happening and interrupts the turn."),
    (&[Kind::PostCompact], CONTINUE, "`false` interrupts the turn; the compaction stays."),
    (&[Kind::SessionStart], CONTINUE, "`false` ends the turn before the model is asked."),
    (&[Kind::UserPromptSubmit], CONTINUE, "`false` keeps the prompt from being sent and ends the turn."),
    (&[Kind::SubagentStop], CONTINUE, "`false` lets the subagent end, although hooks say `block`."),
    (&[Kind::Stop], CONTINUE, "`false` lets the turn end, although hooks say `block`."),
    (
        &[Kind::UserPromptSubmit, Kind::SubagentStop, Kind::Stop],
        DECISION,
        "`block` needs a `reason` that is not blank; else the run fails, unless `continue` is `false`.",
    ),
    (&[Kind::UserPromptSubmit, Kind::SubagentStop, Kind::Stop], REASON, "It has no effect without `decision`."),
    (&[Kind::PermissionRequest], MESSAGE, "It has no effect beside an `allow`."),
];

/// The answers that the vendor's own schema of the event accepts.
pub(super) fn accepted(facts: &'static EventFacts) -> Schema {
    let Some(event) = events::find(facts.name) else { return json_schema!({}) };
    let outcomes = words::outcomes(event);
    if event.reads != Reads::Stdout {
        return json_schema!({ "description": format!("Any answer: it is not read. {outcomes}") });
    }
    let mut schema = answer(facts, Openness::Closed, |field, schema| refine(event, field, schema));
    let mut about = format!(
        "An answer of a hook of `{}`: one JSON object on standard output and exit code 0. {outcomes}\n\nAny other key, and \
         any other type, fails the run. Where a string may stand the client also takes `null`, as if the key were left \
         out; the vendor's own schema does not, and neither does this one.",
        facts.name
    );
    if event.required.contains(&NAME) {
        about.push_str(
            " The same goes for `null` in place of an object, and for other events' names in `hookEventName`.",
        );
    }
    set(&mut schema, "description", about);
    set(&mut schema, "examples", examples(event));
    schema
}

/// What a word of a field does on an event (section 11.3).
fn word(event: &Event, path: &str, word: &str) -> &'static str {
    match (path, word, event.kind) {
        (DECISION, "approve", _) => "Not supported: the run fails, and nothing is held up.",
        (DECISION, _, Kind::PreToolUse) => "The call does not run; the model gets `reason`.",
        (DECISION, _, Kind::PostToolUse) => "The model gets `reason` in place of the result.",
        (DECISION, _, Kind::UserPromptSubmit) => "The prompt is not sent, and the turn ends.",
        (DECISION, _, Kind::SubagentStop) => "The subagent goes on, with `reason` as its next prompt.",
        (DECISION, _, Kind::Stop) => "The turn goes on, with `reason` as the next prompt.",
        (PERMISSION, "allow", _) => "The call runs with `updatedInput`, if it has the permission for that.",
        (PERMISSION, "deny", _) => "The call does not run.",
        (PERMISSION, _, _) => "Not supported: the run fails, and nothing is held up.",
        (BEHAVIOR, "allow", _) => "The call runs without anybody being asked.",
        (BEHAVIOR, _, _) => "The call is rejected.",
        _ => "",
    }
}

/// Answers as hooks give them, which are also answers as they are printed.
fn examples(event: &Event) -> Vec<Value> {
    let has = |path: &str| event.facts.output.iter().any(|field| field.path == path);
    let specific = |members: &[(&'static str, Value)]| {
        let name = std::iter::once((last(NAME).to_owned(), json!(event.facts.name)));
        let more = members.iter().map(|(path, value)| (last(path).to_owned(), value.clone()));
        json!({ SPECIFIC: name.chain(more).collect::<Map<_, _>>() })
    };
    let mut examples = Vec::new();
    if has(PERMISSION) {
        let reason = (PERMISSION_REASON, json!("The main branch is protected."));
        let input = (UPDATED_INPUT, json!({ "command": "git push --dry-run" }));
        examples.push(specific(&[(PERMISSION, json!("deny")), reason]));
        examples.push(specific(&[(PERMISSION, json!("allow")), input]));
    } else if has(BEHAVIOR) {
        let deny = json!({ last(BEHAVIOR): "deny", last(MESSAGE): "Nothing is published on a Friday." });
        examples.push(specific(&[(ANSWER, json!({ last(BEHAVIOR): "allow" }))]));
        examples.push(specific(&[(ANSWER, deny)]));
    } else if has(DECISION) {
        examples.push(json!({ DECISION: "block", REASON: "The tests fail: mend them first." }));
    }
    if has(CONTEXT) {
        examples.push(specific(&[(CONTEXT, json!("The build takes about a minute."))]));
    }
    if examples.is_empty() && has(CONTINUE) {
        examples.push(json!({ CONTINUE: false, STOP_REASON: "The disk is full." }));
    } else if examples.is_empty() {
        examples.push(json!({ SYSTEM_MESSAGE: "The log is in check.log." }));
    }
    examples
}

/// Says of a field what its row's kind cannot.
fn refine(event: &Event, field: &OutputField, schema: &mut Schema) {
    match field.path {
        // The parser takes eleven names; what is promised is the event's own.
        NAME => *schema = json_schema!({ "const": event.facts.name }),
        CONTINUE => set(schema, "default", true),
        SUPPRESS_OUTPUT | INTERRUPT => set(schema, "default", false),
        _ => {}
    }
    let required: Vec<_> = event.required.iter().filter_map(|path| child(path, field.path)).collect();
    if !required.is_empty() {
        set(schema, "required", required);
    }
    let mut said = vec![about(field.path).to_owned()];
    if field.channel.is_none() && !is_frame(field) {
        said.push("It has no effect on this event.".to_owned());
    }
    if let Some(refused) = field.refused {
        said.push(format!("{} Of such an answer only `systemMessage` counts.", not_supported(refused)));
    }
    let rules = RULES.iter().filter(|(kinds, path, _)| kinds.contains(&event.kind) && *path == field.path);
    said.extend(rules.map(|(_, _, words)| (*words).to_owned()));
    set(schema, "description", said.join(" "));
    explain(schema, |one| word(event, field.path, one));
}

fn about(path: &str) -> &'static str {
    FIELDS.iter().find(|(field, _)| *field == path).map_or("", |(_, about)| about)
}

/// Whether a field only holds or names others.
fn is_frame(field: &OutputField) -> bool {
    field.kind == FieldKind::Object || field.path == NAME
}

/// The last part of a path that lies directly below another.
fn child<'p>(path: &'p str, parent: &str) -> Option<&'p str> {
    path.strip_prefix(parent)?.strip_prefix('.').filter(|rest| !rest.contains('.'))
}

/// The answers that are printed for a hook: nothing that fails a run, and nothing without effect.
pub(super) fn emitted(facts: &'static EventFacts) -> Schema {
    let mut schema = accepted(facts);
    let Some(event) = events::find(facts.name) else { return schema };
    if event.reads != Reads::Stdout {
        return schema;
    }
    for field in facts.output.iter().rev() {
        let Some((key, object)) = holder(&mut schema, field.path) else { continue };
        let Some(members) = object.get_mut("properties").and_then(Value::as_object_mut) else { continue };
        if !is_printed(event, field) {
            members.remove(key);
            continue;
        }
        let Some(value) = members.get_mut(key).and_then(Value::as_object_mut) else { continue };
        narrow(event, field, value);
    }
    set(
        &mut schema,
        "description",
        format!("An answer on `{}` as it is printed for a hook. One with nothing to say is not printed.", facts.name),
    );
    set(&mut schema, "minProperties", 1);
    pairs(&mut schema, facts);
    schema
}

/// Whether a field is ever printed.
fn is_printed(event: &Event, field: &OutputField) -> bool {
    // The newer fields say the same as these, and are the ones that are looked at.
    let has_newer = event.facts.output.iter().any(|other| other.path == PERMISSION);
    let is_older = has_newer && matches!(field.path, DECISION | REASON);
    let does_something = if is_frame(field) { field.refused.is_none() } else { field.feeds().is_some() };
    does_something && !is_older
}

/// Narrows a field to the values that are printed.
fn narrow(event: &Event, field: &OutputField, value: &mut Map<String, Value>) {
    let mut put = |keyword: &str, what: Value| value.insert(keyword.to_owned(), what);
    put("description", json!(about(field.path)));
    match (field.path, field.kind) {
        (CONTINUE, _) => {
            put("const", json!(false));
            value.remove("default");
        }
        // Without words the client would take these for a failed run.
        (REASON | PERMISSION_REASON | MESSAGE, _) => {
            put("pattern", json!(NOT_BLANK));
        }
        // `null` would be none.
        (UPDATED_INPUT, _) => {
            put("type", json!(["string", "number", "boolean", "array", "object"]));
        }
        (path, FieldKind::Word(words)) if path != NAME => {
            let refused = field.refused.map(|Refused { when, .. }| when);
            let printed = || words.iter().filter(|word| refused != Some(Values::Word(word)));
            put("enum", printed().copied().collect());
            put("enumDescriptions", printed().map(|one| word(event, path, one)).collect());
        }
        (SPECIFIC, _) => {
            put("minProperties", json!(2));
        }
        _ => {}
    }
}

/// Which fields stand together.
fn pairs(schema: &mut Schema, facts: &EventFacts) {
    let has = |path: &str| facts.output.iter().any(|field| field.path == path);
    let mut needs = Map::new();
    let members = schema.get("properties").cloned().unwrap_or_default();
    if members.get(CONTINUE).is_some() {
        needs.insert(STOP_REASON.to_owned(), json!([CONTINUE]));
    }
    if members.get(DECISION).is_some() {
        needs.insert(DECISION.to_owned(), json!([REASON]));
        needs.insert(REASON.to_owned(), json!([DECISION]));
        set(schema, "not", json!({ "required": [CONTINUE, DECISION] }));
    }
    if !needs.is_empty() {
        set(schema, "dependentRequired", needs);
    }
    // A deny with its reason, or an allow with another input.
    if has(PERMISSION)
        && let Some((_, specific)) = holder(schema, PERMISSION)
    {
        let (word, reason, input) = (last(PERMISSION), last(PERMISSION_REASON), last(UPDATED_INPUT));
        specific.insert("dependentRequired".to_owned(), json!({ reason: [word], input: [word] }));
        let is = |what: &str| json!({ "properties": { word: { "const": what } }, "required": [word] });
        let only = |needed: &str, other: &str| json!({ "required": [needed], "not": { "required": [other] } });
        let each = json!([
            { "if": is("deny"), "then": only(reason, input) },
            { "if": is("allow"), "then": only(input, reason) },
        ]);
        specific.insert("allOf".to_owned(), each);
    }
    if has(BEHAVIOR)
        && let Some((word, decision)) = holder(schema, BEHAVIOR)
    {
        let message = last(MESSAGE);
        decision.insert("if".to_owned(), json!({ "properties": { word: { "const": "deny" } } }));
        decision.insert("then".to_owned(), json!({ "required": [message] }));
        decision.insert("else".to_owned(), json!({ "not": { "required": [message] } }));
    }
}

/// The last part of a field's path.
fn last(path: &'static str) -> &'static str {
    path.rsplit('.').next().unwrap_or(path)
}

/// A field's own key, with the schema of the object that holds it.
fn holder<'s>(schema: &'s mut Schema, path: &'static str) -> Option<(&'static str, &'s mut Map<String, Value>)> {
    let mut object = schema.as_object_mut()?;
    let parents = path.rsplit_once('.').map_or("", |(parents, _)| parents);
    for part in parents.split('.').filter(|part| !part.is_empty()) {
        object = object.get_mut("properties")?.get_mut(part)?.as_object_mut()?;
    }
    Some((last(path), object))
}
