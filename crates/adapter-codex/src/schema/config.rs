//! Schemas of the configuration files.
//!
//! A document is invalid here where the adapter gives an error for it. What Codex only warns of or passes over in silence
//! stays valid, and the description of the place says so.

use hooks_core::schema::{self, Parts, discourage, set, warned};
use schemars::{Schema, json_schema};
use serde_json::{Map, json};

use super::{handler, words};
use crate::events::{EVENTS, Event, LATEST};
use crate::keys::{self, Key, Preset, Value};

/// A form of configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `hooks.json`, and the inline hooks of a plugin's manifest.
    Json,
    /// `config.toml`.
    Config,
    /// Managed `requirements.toml`.
    Requirements,
}

impl Form {
    /// Whether a value can be `null`: TOML has none.
    pub(super) fn has_null(self) -> bool {
        self == Self::Json
    }

    /// Whether a handler of the event that Codex skips is an error.
    pub(super) fn is_strict(self, event: &Event) -> bool {
        self == Self::Requirements || event.guards()
    }
}

/// `hooks.json`.
pub(super) fn hooks_json() -> Schema {
    let mut parts = Parts::default();
    let mut root = hooks_object(&mut parts);
    // An array is accepted and means nothing (section 3.1).
    set(&mut root, "type", json!(["object", "array"]));
    parts.finish(root)
}

/// The object of `hooks.json`, with its strict root.
fn hooks_object(parts: &mut Parts) -> Schema {
    let mut members = Map::new();
    for key in keys::ROOT.iter().filter(|key| key.is_known(LATEST)) {
        let schema = match key.value {
            Value::Nested => event_map(parts, Form::Json, key),
            _ => value(key, Form::Json, &[]),
        };
        members.insert(key.name.to_owned(), schema.to_value());
    }
    json_schema!({
        "type": "object",
        "properties": members,
        "additionalProperties": false,
        "errorMessage": crate::codes::UNKNOWN_ROOT_KEY.help,
        "examples": [{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "./check.sh" }] }] } }],
        "defaultSnippets": [{
            "label": "hooks",
            "description": "An empty document of hooks.",
            "body": { "description": "${1:What these hooks are for}", "hooks": {} },
        }],
    })
}

/// A plugin's manifest (section 7). Paths are for whoever looks for files, so that none is wrong here.
pub(super) fn plugin() -> Schema {
    let mut parts = Parts::default();
    let inline = hooks_object(&mut parts);
    let mut inline = parts.put("inline", inline);
    set(&mut inline, "description", "Hooks in the manifest itself, in the form of `hooks.json`.");
    let default = crate::locations::PLUGIN_HOOKS;
    let about = format!(
        "The plugin's hooks: a path of a file, an object in the form of `hooks.json`, or a list of either. A path starts \
         with `./` and stays inside the plugin. Without this key `{default}` is read if it is there; with it, it is not."
    );
    let mut schema = json_schema!({
        "if": { "type": "object" },
        "then": inline,
        "else": {
            "if": { "type": "array" },
            "then": { "items": { "if": { "type": "object" }, "then": inline } },
        },
        "examples": [format!("./{default}")],
        "defaultSnippets": [{
            "label": "a file of hooks",
            "description": "The path of a file in the form of hooks.json.",
            "body": format!("./${{1:{default}}}"),
        }],
    });
    schema::describe(&mut schema, &about, keys::PLUGIN);
    let examples = [json!(format!("./{default}")), json!({ keys::HOOKS: example() })];
    let examples = examples.map(|hooks| json!({ "name": "my-plugin", keys::HOOKS: hooks }));
    parts.finish(json_schema!({ "properties": { keys::HOOKS: schema }, "examples": examples }))
}

/// `config.toml`.
pub(super) fn config_toml() -> Schema {
    toml(Form::Config)
}

/// Managed `requirements.toml`.
pub(super) fn requirements_toml() -> Schema {
    toml(Form::Requirements)
}

fn toml(form: Form) -> Schema {
    let mut parts = Parts::default();
    let mut members = Map::new();
    for key in keys::TOML_ROOT.iter().filter(|key| key.is_known(LATEST)) {
        let schema = match key.name {
            keys::HOOKS => event_map(&mut parts, form, key),
            keys::FEATURES => {
                let [newest, ..] = &keys::SWITCHES;
                let switches = keys::SWITCHES.iter().map(|key| {
                    let mut schema = value(key, form, &[]);
                    if key.name != newest.name {
                        discourage(&mut schema, &format!("Write `{}`.", newest.name));
                    }
                    (key.name.to_owned(), schema.to_value())
                });
                let switches: Map<_, _> = switches.collect();
                describe(json_schema!({ "type": "object", "properties": switches }), key, &[])
            }
            _ => {
                let mut schema = value(key, form, &[]);
                if form != Form::Requirements {
                    discourage(&mut schema, crate::codes::SWITCH_IGNORED.summary);
                }
                schema
            }
        };
        members.insert(key.name.to_owned(), schema.to_value());
    }
    let example = json!({ keys::HOOKS: example() });
    parts.finish(json_schema!({ "type": "object", "properties": members, "examples": [example] }))
}

/// An event map with one handler.
fn example() -> serde_json::Value {
    let handler = json!({ "type": "command", "command": "./check.sh", "timeout": 30 });
    json!({ "PreToolUse": [{ "matcher": "Bash", "hooks": [handler] }] })
}

/// The event map of a form.
fn event_map(parts: &mut Parts, form: Form, key: &Key) -> Schema {
    let mut members = Map::new();
    for event in EVENTS.iter().filter(|event| event.facts.since <= LATEST) {
        let group = handler::group(parts, form, event);
        let group = parts.put(event.facts.name, group);
        let mut schema = json_schema!({ "type": "array", "items": group });
        schema::describe(&mut schema, &words::event(event), event.facts.evidence);
        if form.has_null() {
            set(&mut schema, "defaultSnippets", handler::list_snippets(event));
        }
        members.insert(event.facts.name.to_owned(), schema.to_value());
    }
    let beside = match form {
        Form::Json => &[][..],
        Form::Config => &keys::BESIDE_EVENTS,
        Form::Requirements => &keys::MANAGED,
    };
    for key in beside {
        let schema = if key.name == keys::STATE { trust_records(form, key) } else { value(key, form, &[]) };
        members.insert(key.name.to_owned(), schema.to_value());
    }
    // Another name is no error to the client, which never runs what stands there and says nothing: editors warn of it.
    let unknown = crate::codes::UNKNOWN_EVENT.summary;
    let mut schema = json_schema!({
        "type": "object",
        "properties": members,
        "additionalProperties": warned(unknown),
    });
    set(&mut schema, "examples", json!([example()]));
    describe(schema, key, &[])
}

/// Trust records (section 6).
fn trust_records(form: Form, key: &Key) -> Schema {
    let members = keys::TRUST_RECORD.iter();
    let members: Map<_, _> = members.map(|key| (key.name.to_owned(), value(key, form, &[]).to_value())).collect();
    let mut record = json_schema!({ "type": "object", "properties": members });
    schema::describe(&mut record, "What is known of one handler.", key.evidence);
    describe(json_schema!({ "type": "object", "additionalProperties": record }), key, &[])
}

/// The schema of a key's value, with its default and its words.
pub(super) fn value(key: &Key, form: Form, more: &[&str]) -> Schema {
    let or_null = |word: &str| if form.has_null() { json!([word, "null"]) } else { json!(word) };
    let mut schema = match key.value {
        Value::Text => json_schema!({ "type": or_null("string") }),
        Value::Spoken | Value::HandlerType => json_schema!({ "type": "string" }),
        Value::Flag => json_schema!({ "type": "boolean" }),
        Value::Whole => {
            let most = if form.has_null() { u64::MAX } else { i64::MAX.unsigned_abs() };
            json_schema!({ "type": or_null("integer"), "minimum": 0, "maximum": most })
        }
        Value::NoNulls | Value::Nested => json_schema!({ "type": "object" }),
    };
    match key.preset {
        Some(Preset::Flag(flag)) => set(&mut schema, "default", flag),
        Some(Preset::Number(number)) => set(&mut schema, "default", number),
        Some(Preset::Empty) => set(&mut schema, "default", json!({})),
        Some(Preset::OfEvent) | None => {}
    }
    describe(schema, key, more)
}

/// Gives a schema the words of a key: what it is for, what more there is to say, and how that is known.
fn describe(mut schema: Schema, key: &Key, more: &[&str]) -> Schema {
    let said: Vec<&str> = std::iter::once(key.about).chain(more.iter().copied()).collect();
    schema::describe(&mut schema, &said.join(" "), key.evidence);
    schema
}
