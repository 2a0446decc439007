//! Standard input: the types that are written, with what the types cannot say.
//!
//! The objects are open, as the vendor's are: a client adds fields from one version to the next. Words that Cursor's page
//! lists for a field are offered and not enforced, since another host has its own.

use hooks_core::ToolCall;
use hooks_core::facts::{EventFacts, SubjectFact};
use hooks_core::schema::{absent_is_not_null, generator, offer, property, set};
use hooks_core::tool::ToolAction;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::{row, words};
use crate::events::Event;
use crate::input::{Line, Nothing, Workspace, file, mcp, prompt, session, shell, subagent, tool, turn};
use crate::tools::{self, wire};

/// What a hook of an event finds on standard input.
pub(super) fn input(facts: &'static EventFacts) -> Schema {
    let Some(event) = row(facts) else { return Schema::default() };
    let mut generator = generator();
    let mut schema = match facts.name {
        "sessionStart" => line::<session::Start<'_>>(&mut generator),
        "sessionEnd" => line::<session::End<'_>>(&mut generator),
        "preToolUse" => line::<tool::Tool<'_>>(&mut generator),
        "postToolUse" => line::<tool::Returned<'_>>(&mut generator),
        "postToolUseFailure" => line::<tool::Failed<'_>>(&mut generator),
        "subagentStart" => line::<subagent::Start<'_>>(&mut generator),
        "subagentStop" => line::<subagent::Stop<'_>>(&mut generator),
        "beforeShellExecution" => line::<shell::Before<'_>>(&mut generator),
        "afterShellExecution" => line::<shell::After<'_>>(&mut generator),
        "beforeMCPExecution" => line::<mcp::Before<'_>>(&mut generator),
        "afterMCPExecution" => line::<mcp::After<'_>>(&mut generator),
        "beforeReadFile" => line::<file::Before<'_>>(&mut generator),
        "beforeTabFileRead" => line::<file::TabBefore<'_>>(&mut generator),
        "afterFileEdit" | "afterTabFileEdit" => line::<file::After<'_>>(&mut generator),
        "beforeSubmitPrompt" => line::<prompt::Body<'_>>(&mut generator),
        "preCompact" => line::<turn::Compact<'_>>(&mut generator),
        "stop" => line::<turn::Stop<'_>>(&mut generator),
        "afterAgentResponse" => line::<turn::Response<'_>>(&mut generator),
        "afterAgentThought" => line::<turn::Thought<'_>>(&mut generator),
        "workspaceOpen" => Workspace::json_schema(&mut generator),
        _ => line::<Nothing>(&mut generator),
    };
    if facts.subject == SubjectFact::ToolName {
        by_tool(&mut schema, &mut generator);
    }
    embedded(&mut schema, &mut generator);
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        set(&mut schema, "$defs", Value::Object(definitions));
    }
    absent_is_not_null(&mut schema);
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|key| !OPTIONAL.iter().any(|optional| key == optional));
    }
    named(&mut schema, facts);
    for extra in EXTRAS.iter().filter(|extra| extra.event == facts.name) {
        extra.add(&mut schema);
    }
    for (key, listed) in LISTED {
        offer(&mut schema, key, listed(event));
    }
    set(&mut schema, "description", said(event));
    schema
}

fn line<T: JsonSchema + serde::Serialize>(generator: &mut SchemaGenerator) -> Schema {
    <Line<'_, T> as JsonSchema>::json_schema(generator)
}

fn said(event: &Event) -> String {
    let mut words = vec![format!("{} {}", event.about, words::control(event)), words::place(event)];
    words.push(
        "One JSON object on standard input. Other fields may stand beside these. Windows clients were seen to put a byte \
         order mark before it."
            .to_owned(),
    );
    words.join("\n\n")
}

/// Fields that are always written here and that Cursor's page calls optional (common fields, sessionStart).
const OPTIONAL: [&str; 2] = ["model_params", "composer_mode"];

/// The event's own name, and the one number that can be null beside its absence.
fn named(schema: &mut Schema, facts: &EventFacts) {
    if let Some(name) = property(schema, "hook_event_name") {
        name.insert("const".to_owned(), facts.name.into());
    }
    if let Some(percent) = property(schema, crate::input::NULLED) {
        percent.insert("type".to_owned(), json!(["number", "null"]));
    }
}

/// A field that Cursor documents or was seen to write, and that is never written here.
struct Extra {
    event: &'static str,
    /// The array whose items have it; empty for the payload itself.
    of: &'static str,
    key: &'static str,
    kind: &'static str,
    about: &'static str,
}

const EXTRAS: [Extra; 5] = [
    Extra {
        event: "preToolUse",
        of: "",
        key: "agent_message",
        kind: "string",
        about: "What the agent says with the call. In the example of Cursor's page only; other hosts do not know it then.",
    },
    Extra {
        event: "beforeSubmitPrompt",
        of: "",
        key: "composer_mode",
        kind: "string",
        about: "The mode that the prompt is sent in, such as `agent`. Seen, and not in Cursor's reference.",
    },
    Extra {
        event: "afterTabFileEdit",
        of: "edits",
        key: "range",
        kind: "object",
        about: "Where the edit stands: `start_line_number`, `start_column`, `end_line_number` and `end_column`. Only \
                Cursor's editor knows.",
    },
    Extra {
        event: "afterTabFileEdit",
        of: "edits",
        key: "old_line",
        kind: "string",
        about: "The line before the edit. Only Cursor's editor knows.",
    },
    Extra {
        event: "afterTabFileEdit",
        of: "edits",
        key: "new_line",
        kind: "string",
        about: "The line after the edit. Only Cursor's editor knows.",
    },
];

impl Extra {
    fn add(&self, schema: &mut Schema) {
        let property = json!({ "type": self.kind, "description": self.about });
        let properties = if self.of.is_empty() {
            schema.get_mut("properties")
        } else {
            // The items are one of the definitions.
            let item = schema.pointer(&format!("/properties/{}/items/$ref", self.of)).and_then(Value::as_str);
            let pointer = item.and_then(|item| item.strip_prefix('#')).map(|item| format!("{item}/properties"));
            pointer.and_then(|pointer| schema.pointer_mut(&pointer))
        };
        if let Some(properties) = properties.and_then(Value::as_object_mut) {
            properties.insert(self.key.to_owned(), property);
        }
    }
}

/// The words that Cursor's page lists for a field, on an event that has it (hook reference).
type Listed = fn(&Event) -> &'static [&'static str];

const LISTED: [(&str, Listed); 6] = [
    ("reason", |_| &["completed", "aborted", "error", "window_close", "user_close"]),
    ("status", |_| &["completed", "aborted", "error"]),
    ("failure_type", |_| &["error", "timeout", "permission_denied"]),
    ("trigger", |_| &["auto", "manual"]),
    ("composer_mode", |event| match event.facts.name {
        "sessionStart" => &["agent", "ask", "edit"],
        _ => &["chat", "agent"],
    }),
    ("subagent_type", |event| match event.facts.subject {
        SubjectFact::Field { values, .. } => values,
        _ => &[],
    }),
];

/// What each tool is called with: by the tool's name, as far as a name says it. Only a shell command's input is
/// documented, so that nothing is required of the others, and a key can be missing.
fn by_tool(schema: &mut Schema, generator: &mut SchemaGenerator) {
    let mut shapes: Vec<(String, Vec<Value>)> = Vec::new();
    let mut add = |action: ToolAction, shape: Schema| {
        let name = tools::name(&ToolCall::new(action)).into_owned();
        match shapes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, all)) => all.push(shape.to_value()),
            None => shapes.push((name, vec![shape.to_value()])),
        }
    };
    add(ToolAction::Shell(Default::default()), generator.subschema_for::<wire::Shell<'_>>());
    add(ToolAction::Read(Default::default()), generator.subschema_for::<wire::Read<'_>>());
    add(ToolAction::Write(Default::default()), generator.subschema_for::<wire::Write<'_>>());
    add(ToolAction::Edit(Default::default()), generator.subschema_for::<wire::Edit<'_>>());
    add(ToolAction::Patch(Default::default()), generator.subschema_for::<wire::Patch<'_>>());
    add(ToolAction::Delete(Default::default()), generator.subschema_for::<wire::Delete<'_>>());
    add(ToolAction::Glob(Default::default()), generator.subschema_for::<wire::Glob<'_>>());
    add(ToolAction::Grep(Default::default()), generator.subschema_for::<wire::Grep<'_>>());
    add(ToolAction::List(Default::default()), generator.subschema_for::<wire::List<'_>>());
    add(ToolAction::WebFetch(Default::default()), generator.subschema_for::<wire::WebFetch<'_>>());
    add(ToolAction::WebSearch(Default::default()), generator.subschema_for::<wire::WebSearch<'_>>());
    add(ToolAction::Subagent(Default::default()), generator.subschema_for::<wire::Task<'_>>());
    for shape in shapes.iter().flat_map(|(_, shapes)| shapes) {
        let name = shape.get("$ref").and_then(Value::as_str).and_then(|name| name.rsplit('/').next());
        let Some(definition) = name.and_then(|name| generator.definitions_mut().get_mut(name)) else { continue };
        if let Some(definition) = definition.as_object_mut()
            && let Some(required) = definition.get_mut("required").and_then(Value::as_array_mut)
        {
            required.retain(|key| key == "command");
            if required.is_empty() {
                definition.remove("required");
            }
        }
    }
    let rules: Vec<Value> = shapes
        .into_iter()
        .map(|(name, shapes)| {
            let shape = match <[Value; 1]>::try_from(shapes) {
                Ok([only]) => only,
                Err(several) => json!({ "anyOf": several }),
            };
            json!({
                "if": { "properties": { "tool_name": { "const": name } } },
                "then": { "properties": { "tool_input": shape } },
            })
        })
        .collect();
    set(schema, "allOf", rules);
}

/// Fields that hold JSON as text: what that JSON is.
fn embedded(schema: &mut Schema, generator: &mut SchemaGenerator) {
    let mut holds = |key: &str, content: &mut dyn FnMut() -> Value| {
        let text = property(schema, key).filter(|text| text.get("type").is_some_and(|kind| kind == "string"));
        if let Some(text) = text {
            text.insert("contentMediaType".to_owned(), "application/json".into());
            text.insert("contentSchema".to_owned(), content());
        }
    };
    holds("tool_input", &mut || json!({ "type": "object" }));
    holds("result_json", &mut || json!({}));
    holds("tool_output", &mut || {
        let output = generator.subschema_for::<wire::Output<'_>>().to_value();
        for definition in generator.definitions_mut().values_mut() {
            for kind in definition.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(word) = kind.pointer_mut("/properties/kind").and_then(Value::as_object_mut) {
                    word.insert("description".to_owned(), "What kind of result it is.".into());
                }
            }
        }
        let untagged = json!({
            "description": "A result as Cursor itself writes it, such as `exitCode` and `stdout` of a command.",
            "not": { "required": ["kind"] },
        });
        json!({ "anyOf": [output, untagged] })
    });
}
