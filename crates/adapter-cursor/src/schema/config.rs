//! Configuration: the table of keys over the event table, one form for each kind of file.

use hooks_core::ToolCall;
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::facts::SubjectFact;
use hooks_core::schema::{ConfigSchema, Parts, describe, discourage, explain, set, warned};
use hooks_core::tool::ToolAction;
use schemars::{Schema, json_schema};
use serde_json::{Map, Value as Json, json};

use super::words;
use crate::Adapter;
use crate::config::keys::{self, Absent, Key, Kind, Value};
use crate::events::{EVENTS, Event};
use crate::locations;
use crate::options::Options;
use crate::tools;

/// Every form of configuration.
pub(super) static CONFIGS: [ConfigSchema; 3] = [
    ConfigSchema {
        name: "hooks",
        title: "Cursor hooks",
        about: "Cursor's hooks of a project, a user, a team or an enterprise: a `hooks.json`. It is strict JSON, without \
                comments and without a byte order mark; one error keeps every hook of the file from running.\n\nHosts \
                other than Cursor run such files too. Where a description names the host `phase1`, it means one by the \
                narrower rules that Crosshook was first designed for.",
        files: locations::HOOKS_PATTERNS,
        schema: hooks,
    },
    ConfigSchema {
        name: "plugin-hooks",
        title: "Cursor plugin hooks",
        about: "The hooks of a Cursor plugin in a file of their own: `hooks/hooks.json` in the plugin, or the file that \
                `hooks` in its manifest names. As a `hooks.json`, but that `version` can be left out. Other clients' \
                plugins have files of that name too, so that no pattern stands for it: name this schema in `$schema`.",
        files: &[],
        schema: plugin_hooks,
    },
    ConfigSchema {
        name: "plugin",
        title: "Cursor plugin manifest: hooks",
        about: "The hooks of a Cursor plugin in its manifest. Only `hooks` is described here.",
        files: locations::MANIFEST_PATTERNS,
        schema: plugin,
    },
];

fn hooks() -> Schema {
    file(&[&keys::VERSION, &keys::HOOKS])
}

fn plugin_hooks() -> Schema {
    file(&[&keys::HOOKS])
}

/// A file with the keys of the table.
fn file(required: &[&Key]) -> Schema {
    let options = options();
    let mut properties = Map::new();
    properties.insert(
        "$schema".to_owned(),
        json!({ "description": "The schema that editors check the file with; the client leaves it alone." }),
    );
    for key in keys::FILE {
        properties.insert(key.name.to_owned(), described(key, &options, None).to_value());
    }
    let mut schema = definitions(&options).finish(json_schema!({
        "type": "object",
        "required": required.iter().map(|key| key.name).collect::<Vec<_>>(),
        "properties": properties,
    }));
    let example = json!({ "version": 1, "hooks": { guard(): [entry_of(&keys::COMMAND)] } });
    set(&mut schema, "examples", json!([example]));
    set(
        &mut schema,
        "defaultSnippets",
        json!([{
            "label": "Hooks file",
            "description": "A file with one command.",
            "body": { "version": 1, "hooks": { format!("${{1:{}}}", guard()): [snippet(&keys::COMMAND, 2)] } },
        }]),
    );
    schema
}

/// A plugin's manifest: `hooks` is the events themselves, or an object that has them in its own `hooks`. A path, and
/// whatever else stands there, is not read here.
fn plugin() -> Schema {
    let hooks = keys::HOOKS.name;
    let mut parts = definitions(&options());
    let events = parts.put("events", described(&keys::HOOKS, &options(), None));
    let examples = [json!("./hooks/hooks.json"), json!({ guard(): [entry_of(&keys::COMMAND)] })];
    let mut schema = json_schema!({
        "if": { "type": "object" },
        "then": {
            "if": { "required": [hooks] },
            "then": { "properties": { hooks: events } },
            "else": events,
        },
        "examples": examples,
    });
    describe(
        &mut schema,
        "The plugin's hooks: the path of a file with them, or the hooks themselves, with or without a `hooks` around them.",
        MANIFEST,
    );
    let examples = examples.map(|one| json!({ "name": "my-plugin", hooks: one }));
    parts.finish(json_schema!({ "properties": { hooks: schema }, "examples": examples }))
}

/// How it is known that a manifest can hold hooks.
const MANIFEST: Evidence = Evidence::new(Basis::Documented, "the vendor's own schema of plugin manifests, hooks");

fn options() -> Options {
    Adapter::latest().options().clone()
}

/// The first event on which something can be blocked: what examples are about.
fn guard() -> &'static str {
    EVENTS.iter().find(|event| event.can_block()).map_or("", |event| event.facts.name)
}

/// The schema of a hook on each event, by the event's name, and the parts that several of them share.
fn definitions(options: &Options) -> Parts {
    let mut parts = Parts::default();
    for kind in Kind::ALL {
        parts.put(&of_kind(kind), needs(kind));
    }
    parts.put(GUARD, guard_needs());
    for event in &EVENTS {
        let name = event.facts.name;
        let mut properties = Map::new();
        for key in keys::HOOK {
            let property = parts.share(key.name, name, described(key, options, Some(event)));
            properties.insert(key.name.to_owned(), property.to_value());
        }
        parts.put(name, hook(event, properties));
    }
    parts
}

/// One hook of an event.
fn hook(event: &Event, properties: Map<String, Json>) -> Schema {
    let then = |kind| match kind {
        Kind::Command if event.can_block() => Parts::refer(GUARD),
        kind => Parts::refer(&of_kind(kind)),
    };
    let mut snippets = vec![
        json!({
            "label": "Command hook",
            "description": Kind::Command.about(),
            "body": snippet(Kind::Command.needs(), 1),
        }),
        json!({
            "label": "Prompt hook",
            "description": Kind::Prompt.about(),
            "body": with(snippet(Kind::Prompt.needs(), 1), &keys::TYPE, Kind::Prompt.word()),
        }),
    ];
    if event.can_block() {
        snippets.push(json!({
            "label": "Guard",
            "description": "A command that blocks when it fails.",
            "body": with(snippet(Kind::Command.needs(), 1), &keys::FAIL_CLOSED, true),
        }));
    }
    json_schema!({
        "type": "object",
        "description": format!("A hook on `{}`.", event.facts.name),
        "properties": properties,
        "additionalProperties": warned("A hook has no such key: it is ignored."),
        // In this order, because an absent `type` is a command, and because editors offer the words of a condition that
        // they look at.
        "if": is(Kind::Command),
        "then": then(Kind::Command),
        "else": { "if": is(Kind::Prompt), "then": then(Kind::Prompt) },
        "defaultSnippets": snippets,
    })
}

/// That a hook is of a kind, as far as it says so.
fn is(kind: Kind) -> Schema {
    json_schema!({ "properties": { keys::TYPE.name: { "const": kind.word() } } })
}

/// The name of the part with what a kind of hook needs.
fn of_kind(kind: Kind) -> String {
    format!("{}-hook", kind.word())
}

/// What a kind of hook asks of the keys that only it reads.
fn needs(kind: Kind) -> Schema {
    let read = keys::HOOK.iter().filter(|key| key.of == Some(kind));
    let properties: Map<String, Json> = read
        .map(|key| {
            let mut schema = value(key.value);
            set(&mut schema, "description", key.about);
            (key.name.to_owned(), schema.to_value())
        })
        .collect();
    json_schema!({ "required": [kind.needs().name], "properties": properties })
}

/// The name of the part with what a command needs on an event where something can be blocked.
const GUARD: &str = "command-guard";

/// A command on an event where something can be blocked: without a text it guards nothing.
fn guard_needs() -> Schema {
    let mut schema = needs(Kind::Command);
    if let Some(command) =
        schema.pointer_mut(&format!("/properties/{}", keys::COMMAND.name)).and_then(Json::as_object_mut)
    {
        command.insert("pattern".to_owned(), json!("\\S"));
    }
    schema
}

/// A key's value, with nothing said about it.
fn value(value: Value) -> Schema {
    match value {
        Value::Text | Value::Pattern => json_schema!({ "type": "string" }),
        Value::Kind => {
            let mut schema = json_schema!({ "enum": Kind::ALL.map(Kind::word) });
            explain(&mut schema, |word| Kind::of(word).map_or("", Kind::about));
            schema
        }
        Value::Seconds => json_schema!({ "type": "number", "exclusiveMinimum": 0 }),
        Value::Flag => json_schema!({ "type": "boolean" }),
        Value::Limit => json_schema!({ "type": ["integer", "null"], "minimum": 0 }),
        Value::Version => json_schema!({ "type": "integer", "minimum": 1, "default": 1, "examples": [1] }),
        Value::Events => {
            let events: Map<String, Json> =
                EVENTS.iter().map(|event| (event.facts.name.to_owned(), array(event).to_value())).collect();
            json_schema!({
                "type": "object",
                "properties": events,
                "additionalProperties": warned("Cursor has no such event, so that its hooks never run."),
            })
        }
    }
}

/// The hooks of an event.
fn array(event: &Event) -> Schema {
    let name = event.facts.name;
    let words = [event.about.to_owned(), words::control(event), words::without_answer(event), words::place(event)];
    let mut schema = json_schema!({
        "type": "array",
        "items": Parts::refer(name),
        "defaultSnippets": [{
            "label": name,
            "description": event.about,
            "body": [snippet(&keys::COMMAND, 1)],
        }],
    });
    describe(&mut schema, &words.join("\n\n"), event.facts.evidence);
    schema
}

/// A key with what is said about it, on an event where it is a hook's.
fn described(key: &Key, options: &Options, event: Option<&Event>) -> Schema {
    // A key that only one kind of hook reads has its type there: the other kind takes anything.
    let mut schema = if key.of.is_some() { json_schema!({}) } else { value(key.value) };
    let mut words = vec![key.about.to_owned()];
    if let Some(kind) = key.of {
        let required = if kind.needs().name == key.name { "Required for" } else { "Read for" };
        words.push(format!("{required} hooks of the type `{}`.", kind.word()));
        // A hook without a type is a command, which has no use for another kind's keys.
        if kind == Kind::Prompt {
            set(&mut schema, "doNotSuggest", true);
        }
    }
    let default = match key.absent {
        Absent::Unsaid => None,
        Absent::Kind => Kind::ALL.first().map(|kind| json!(kind.word())),
        Absent::False => Some(json!(false)),
        Absent::Number(number) => Some(json!(number)),
        Absent::Timeout => event.map(|event| number(options.default_timeout_s(event))),
    };
    if let Some(default) = default {
        set(&mut schema, "default", default);
    }
    if !key.examples.is_empty() {
        set(&mut schema, "examples", key.examples.to_vec());
    }
    if let Some(event) = event {
        on_event(key, options, event, &mut schema, &mut words);
    }
    describe(&mut schema, &words.join("\n\n"), key.evidence);
    schema
}

/// What a key of a hook is on one event.
fn on_event(key: &Key, options: &Options, event: &Event, schema: &mut Schema, words: &mut Vec<String>) {
    // What changes nothing is not offered, and editors warn of it.
    let mut useless = |why: &str| {
        schema.remove("default");
        discourage(schema, &format!("`{}` has no effect on this event: {why}.", key.name));
    };
    match key.value {
        Value::Limit if !event.loop_limit => {
            useless("its hooks cannot make the agent go on");
            // It is not even read there, so that any value passes.
            schema.remove("type");
            schema.remove("minimum");
            words.insert(0, "No effect on this event: it is read where a hook can make the agent go on.".to_owned());
        }
        Value::Flag if !event.can_block() => {
            useless("there is nothing to block");
            words.insert(0, "No effect on this event, where nothing can be blocked.".to_owned());
        }
        Value::Pattern => {
            words.insert(0, self::words::subject(event, options));
            if event.facts.subject == SubjectFact::Ignored {
                useless("its hooks run every time");
            } else {
                set(schema, "examples", patterns(event));
            }
        }
        Value::Limit => {
            if let Some(cap) = Options::phase1().loop_cap {
                words.push(format!("A `phase1` host lets no hook have more than {cap}."));
            }
        }
        Value::Seconds => {
            words.push("A number in the thousands was probably meant in milliseconds.".to_owned());
            if let Some(seconds) = event.facts.default_timeout_s {
                words.push(format!("A `phase1` host gives this event {seconds} seconds."));
            }
        }
        _ => {}
    }
}

/// Matchers as people write them for an event.
fn patterns(event: &Event) -> Vec<String> {
    match event.facts.subject {
        SubjectFact::Word(word) => vec![word.to_owned()],
        SubjectFact::Command => vec!["^git push".to_owned(), "curl|wget".to_owned(), "\\brm\\b".to_owned()],
        SubjectFact::Field { values, .. } if !values.is_empty() => values.iter().map(ToString::to_string).collect(),
        SubjectFact::Field { .. } => vec!["^create_issue$".to_owned()],
        SubjectFact::ToolName => {
            let mut names = tool_names();
            names.push("^MCP:".to_owned());
            names
        }
        SubjectFact::Ignored => Vec::new(),
    }
}

/// The names of the tools that Cursor's page lists.
fn tool_names() -> Vec<String> {
    let calls = [
        ToolAction::Shell(Default::default()),
        ToolAction::Read(Default::default()),
        ToolAction::Write(Default::default()),
        ToolAction::Grep(Default::default()),
        ToolAction::Delete(Default::default()),
        ToolAction::Subagent(Default::default()),
    ];
    calls.into_iter().map(|action| tools::name(&ToolCall::new(action)).into_owned()).collect()
}

/// A number as people write it: without a fraction where it has none.
fn number(number: f64) -> Json {
    // A cast of a float saturates.
    #[allow(clippy::cast_possible_truncation)]
    let whole = number as i64;
    // Both sides are exact for every number that a timeout can be.
    #[allow(clippy::cast_precision_loss, clippy::float_cmp)]
    if whole as f64 == number { json!(whole) } else { json!(number) }
}

/// A hook with one key and its first example.
fn entry_of(key: &Key) -> Json {
    json!({ key.name: key.examples.first() })
}

/// A hook with one key whose value is filled in at a tab stop.
fn snippet(key: &Key, stop: u32) -> Json {
    // These have a meaning in a snippet.
    let example = key.examples.first().copied().unwrap_or_default();
    let example = example.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
    json!({ key.name: format!("${{{stop}:{example}}}") })
}

fn with(mut hook: Json, key: &Key, value: impl Into<Json>) -> Json {
    if let Some(members) = hook.as_object_mut() {
        members.insert(key.name.to_owned(), value.into());
    }
    hook
}
