//! Schemas of groups and handlers, event by event.

use hooks_core::facts::SubjectFact;
use hooks_core::schema::{Parts, discourage, set};
use schemars::{Schema, json_schema};
use serde_json::{Map, Value as Json, json};

use super::config::{Form, value};
use super::{NOT_BLANK, words};
use crate::codes;
use crate::config::HANDLER_MARKS;
use crate::events::{AsyncRule, Event, LATEST};
use crate::keys::{self, HANDLER_TYPES, HandlerType, Key};
use crate::tools::{ALIASES, BASH};

/// A group of an event.
pub(super) fn group(parts: &mut Parts, form: Form, event: &'static Event) -> Schema {
    let handler = handler(parts, form, event);
    let handler = parts.share("handler", event.facts.name, handler);
    let mut members = Map::new();
    for key in &keys::GROUP {
        let schema = match key.name {
            keys::MATCHER => matcher(key, form, event),
            _ => {
                let mut schema = value(key, form, &[]);
                set(&mut schema, "type", "array");
                set(&mut schema, "items", handler.clone());
                if form.has_null() {
                    set(&mut schema, "defaultSnippets", json!([snippet("a command", json!([command(1)]))]));
                }
                schema
            }
        };
        members.insert(key.name.to_owned(), schema.to_value());
    }
    let name = event.facts.name;
    let mut schema = json_schema!({
        "type": "object",
        "description": format!("A group of `{name}`: handlers, and what they run on. Other keys are ignored without a word."),
        "properties": members,
    });
    // A handler in the place of a group never runs, which is an error where it would have guarded something.
    if event.guards() {
        let marks: Vec<_> = HANDLER_MARKS.iter().map(|key| json!({ "required": [key] })).collect();
        let why = &codes::HANDLER_IN_PLACE_OF_GROUP;
        set(&mut schema, "if", json!({ "anyOf": marks }));
        let then = json!({ "required": [keys::HOOKS], "description": format!("{} {}", why.summary, why.help) });
        set(&mut schema, "then", then);
    }
    if form.has_null() {
        set(&mut schema, "defaultSnippets", json!([snippet(&format!("a group of {name}"), group_body(event))]));
    }
    schema
}

/// The matcher of an event's groups.
fn matcher(key: &Key, form: Form, event: &Event) -> Schema {
    const RULE: &str = "Letters, digits, `_` and `|` only: whole values, compared exactly. Anything else: a regular \
                        expression of Rust's `regex` crate that may match anywhere; one that is none makes Codex skip the \
                        group.";
    let known: Vec<String> = examples(event);
    let listed = known.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
    let about = match event.facts.subject {
        SubjectFact::Ignored => codes::MATCHER_IGNORED.summary.to_owned(),
        SubjectFact::ToolName => format!("On this event it is compared with the tool's name and its aliases. {RULE}"),
        SubjectFact::Field { key, .. } if known.is_empty() => {
            format!("On this event it is compared with `{key}`. {RULE}")
        }
        SubjectFact::Field { key, .. } => {
            format!("On this event it is compared with `{key}`, which is one of {listed}. {RULE}")
        }
        SubjectFact::Word(_) => format!("On this event it is compared with {listed}. {RULE}"),
        SubjectFact::Command => format!("On this event it is compared with the command. {RULE}"),
    };
    let mut schema = value(key, form, &[&about]);
    if event.facts.subject == SubjectFact::Ignored {
        discourage(&mut schema, codes::MATCHER_IGNORED.summary);
    } else if !known.is_empty() {
        set(&mut schema, "examples", known);
    }
    schema
}

/// What an event's matcher may say; not all of it.
fn examples(event: &Event) -> Vec<String> {
    match event.facts.subject {
        SubjectFact::ToolName => {
            let aliases = ALIASES.iter().flat_map(|(name, aliases)| std::iter::once(name).chain(*aliases));
            std::iter::once(&BASH).chain(aliases).copied().chain(["mcp__server__.*"]).map(str::to_owned).collect()
        }
        SubjectFact::Field { values, .. } => values.iter().map(|value| (*value).to_owned()).collect(),
        SubjectFact::Word(word) => vec![word.to_owned()],
        SubjectFact::Ignored | SubjectFact::Command => Vec::new(),
    }
}

/// A handler of an event. The keys belong to the type, so that a fault is shown at the key and not at the handler.
fn handler(parts: &mut Parts, form: Form, event: &'static Event) -> Schema {
    let kinds: Vec<_> = HANDLER_TYPES.iter().filter(|kind| is_allowed(kind, form, event)).collect();
    let mut word = value(&keys::KIND, form, &[]);
    set(&mut word, "enum", kinds.iter().map(|kind| Json::from(kind.word)).collect::<Vec<_>>());
    let abouts: Vec<_> = kinds.iter().map(|kind| Json::from(about(kind, event))).collect();
    set(&mut word, "enumDescriptions", abouts);
    let branches: Vec<_> = kinds
        .iter()
        .filter(|kind| kind.runs)
        .map(|kind| {
            let is = json!({ "properties": { keys::TYPE: { "const": kind.word } }, "required": [keys::TYPE] });
            json!({ "if": is, "then": fields(parts, form, event, kind) })
        })
        .collect();
    let mut schema = json_schema!({
        "type": "object",
        "description": "A handler. Keys that its type does not have are ignored without a word.",
        "required": [keys::TYPE],
        "properties": { keys::TYPE: word },
        "allOf": branches,
    });
    if form.has_null() {
        let mut snippets = vec![snippet("a command", command(1))];
        if event.mcp_tools {
            let body = json!({ "type": "mcp_tool", "server": "${1:server}", "tool": "${2:tool}", "input": {} });
            snippets.push(snippet("a tool of an MCP server", body));
        }
        set(&mut schema, "defaultSnippets", snippets);
    }
    schema
}

/// Whether a handler of the type is no error on the event. Codex skips what it does not run; that is one where the event
/// guards something, and in managed requirements.
fn is_allowed(kind: &HandlerType, form: Form, event: &Event) -> bool {
    kind.known.at(LATEST) == Some(true) && (is_run(kind, event) || !form.is_strict(event))
}

fn is_run(kind: &HandlerType, event: &Event) -> bool {
    kind.runs && (event.mcp_tools || !kind.keys.iter().any(|key| key.name == keys::TOOL))
}

fn about(kind: &HandlerType, event: &Event) -> String {
    if kind.runs && !is_run(kind, event) {
        return format!("{} {}", kind.about, codes::MCP_TOOL_SKIPPED.summary);
    }
    kind.about.to_owned()
}

/// The keys of a type on an event.
fn fields(parts: &mut Parts, form: Form, event: &'static Event, kind: &'static HandlerType) -> Schema {
    let mut members = Map::new();
    let mut required = Vec::new();
    let mut twice = Vec::new();
    for key in kind.keys.iter().filter(|key| key.is_known(LATEST)) {
        if key.required {
            required.push(key.name);
        }
        let schema = field(parts, form, event, key);
        let schema = parts.share(key.name, event.facts.name, schema);
        members.insert(key.name.to_owned(), schema.clone().to_value());
        if let Some(alias) = key.alias {
            let mut schema = schema;
            set(&mut schema, "doNotSuggest", true);
            members.insert(alias.to_owned(), schema.to_value());
            // Both spellings are one key twice.
            let why = format!("The same key as `{}`, which stands twice so.", key.name);
            let other = json!({ "description": why, "errorMessage": why, "not": {} });
            twice.push(json!({ "if": { "required": [key.name] }, "then": { "properties": { alias: other } } }));
        }
    }
    for (name, instead) in keys::SPELLINGS {
        let mut schema = json_schema!({ "description": format!("{} {instead}", codes::UNKNOWN_FIELD.summary) });
        discourage(&mut schema, instead);
        let schema = parts.share(name, event.facts.name, schema);
        members.entry(name).or_insert_with(|| schema.to_value());
    }
    let mut schema = json_schema!({ "required": required, "properties": members });
    if !twice.is_empty() {
        set(&mut schema, "allOf", twice);
    }
    schema
}

/// The schema of a handler's key on an event.
fn field(parts: &mut Parts, form: Form, event: &'static Event, key: &Key) -> Schema {
    match (key.name, key.value) {
        (keys::TIMEOUT, _) => {
            let mut schema = value(key, form, &[&words::limits(event.timeout)]);
            set(&mut schema, "default", event.timeout.default_s);
            schema
        }
        (keys::ASYNC, _) if event.asynchronous.at(LATEST) != Some(AsyncRule::Background) => {
            let why = codes::ASYNC_RUNS_SYNCHRONOUSLY.summary;
            let mut schema = value(key, form, &[why]);
            discourage(&mut schema, why);
            schema
        }
        (keys::CONTEXT_LIMIT, _) if !event.context_limit => {
            let why = codes::CONTEXT_LIMIT_IGNORED.summary;
            let mut schema = value(key, form, &[why]);
            discourage(&mut schema, why);
            schema
        }
        (_, keys::Value::Spoken) => {
            const BLANK: &str = "A blank one makes Codex skip the handler.";
            let mut schema = value(key, form, &[BLANK]);
            if form.is_strict(event) {
                set(&mut schema, "pattern", NOT_BLANK);
                set(&mut schema, "patternErrorMessage", BLANK);
            }
            schema
        }
        (_, keys::Value::NoNulls) if form.has_null() => {
            let mut schema = value(key, form, &[]);
            let inside = json_schema!({
                "description": codes::NULL_IN_MCP_INPUT.summary,
                "type": ["string", "number", "boolean", "array", "object"],
                // What is larger is read as a number with a fraction, which TOML can hold.
                "not": { "type": "integer", "minimum": i64::MAX.unsigned_abs() + 1, "maximum": u64::MAX },
                "items": { "$ref": "#/$defs/notNull" },
                "additionalProperties": { "$ref": "#/$defs/notNull" },
            });
            let inside = parts.put("notNull", inside);
            set(&mut schema, "additionalProperties", inside.to_value());
            schema
        }
        _ => value(key, form, &[]),
    }
}

/// What an editor may put in for an event's list.
pub(super) fn list_snippets(event: &Event) -> Json {
    json!([snippet(&format!("a command on {}", event.facts.name), json!([group_body(event)]))])
}

fn group_body(event: &Event) -> Json {
    match examples(event).first() {
        Some(first) => json!({ keys::MATCHER: format!("${{1:{first}}}"), keys::HOOKS: [command(2)] }),
        None => json!({ keys::HOOKS: [command(1)] }),
    }
}

/// A command with a place to fill in.
fn command(place: u32) -> Json {
    json!({ keys::TYPE: "command", keys::COMMAND: format!("${{{place}:./check.sh}}") })
}

fn snippet(label: &str, body: Json) -> Json {
    json!({ "label": label, "description": format!("Puts in {label}."), "body": body })
}
