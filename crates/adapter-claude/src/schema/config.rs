//! The schemas of configuration files: settings, a plugin's hooks file and manifest, and the head of a skill, command or
//! agent.
//!
//! Every event has a shape of its own: the types of handler it runs, what its matcher is tested against, and which keys
//! have an effect. Parts that are equal stand once, under `$defs`.

use hooks_core::handler::HandlerKind;
use hooks_core::schema::{ConfigSchema, Parts, describe, discourage, set};
use schemars::{Schema, json_schema};
use serde_json::{Map, Value, json};

use super::{matchers, snippets, words};
use crate::config::keys::{self, Key, Kind};
use crate::events::{ALL_TYPES, EVENTS, Event, OnFailure};
use crate::{invoke, locations};

/// The forms of configuration.
pub(super) static CONFIGS: &[ConfigSchema] = &[
    ConfigSchema {
        name: "settings",
        title: "Claude Code settings: hooks",
        about: "A settings file of Claude Code, as far as hooks hang on it. Other settings are not described, and not \
                refused.",
        files: locations::SETTINGS_PATTERNS,
        schema: settings,
    },
    ConfigSchema {
        name: "plugin",
        title: "Claude Code plugin: hooks file",
        about: "The hooks file of a Claude Code plugin, `hooks/hooks.json` or what its manifest names: the events stand under \
                `hooks`. Other clients' plugins have files of that name too, so that no pattern stands for it: tell your \
                editor of this schema by the file's path. `$schema` works too; the client warns of the key and goes on.",
        files: &[],
        schema: plugin,
    },
    ConfigSchema {
        name: "plugin-manifest",
        title: "Claude Code plugin: manifest, as far as hooks go",
        about: "The manifest of a Claude Code plugin, as far as hooks hang on it: `hooks` names files, or holds the events \
                themselves. Other keys are not described, and not refused.",
        files: locations::MANIFEST_PATTERNS,
        schema: manifest,
    },
    ConfigSchema {
        name: "frontmatter",
        title: "Claude Code skills, commands and agents: hooks in the head",
        about: "The YAML head of a skill, command or agent, as far as hooks hang on it. Other keys are not described, and \
                not refused.",
        files: locations::HEAD_PATTERNS,
        schema: head,
    },
];

/// Which kind of document a schema is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Settings,
    /// A plugin's hooks file or manifest.
    Plugin,
    Head,
}

fn settings() -> Schema {
    let mut making = Making::new(Form::Settings);
    let mut members = Map::new();
    members.insert(keys::HOOKS.name.to_owned(), making.events(&keys::HOOKS_OF_FILE));
    for setting in keys::SETTINGS {
        let mut schema = key(&setting.key);
        if setting.managed {
            say(&mut schema, "It counts in managed settings only.");
        }
        let within = match setting.within {
            None => &mut members,
            Some(outer) => {
                let outer = members.entry(outer).or_insert_with(|| json!({}));
                let Some(outer) = outer.as_object_mut() else { continue };
                let Some(members) = outer.entry("properties").or_insert_with(|| json!({})).as_object_mut() else {
                    continue;
                };
                members
            }
        };
        within.insert(setting.key.name.to_owned(), schema.to_value());
    }
    let example = json!({ keys::HOOKS.name: example() });
    let names: Vec<_> = EVENTS.iter().map(|event| event.facts.name).collect();
    let stray = "Events stand inside `hooks`; at the top of the file their hooks never run.";
    let mut schema = json_schema!({
        "type": "object",
        "properties": members,
        "propertyNames": { "not": { "enum": names }, "errorMessage": stray },
        "examples": [example],
    });
    misspelt_hooks(&mut schema);
    making.parts.finish(schema)
}

/// Without `hooks`, a key that is nearly so called and holds an object is an error.
fn misspelt_hooks(schema: &mut Schema) {
    let refused =
        json!({ "not": { "type": "object" }, "errorMessage": "Write `hooks`: the client does not see this key." });
    let mut rules = schema.get("allOf").and_then(Value::as_array).cloned().unwrap_or_default();
    rules.push(json!({
        "if": { "type": "object", "not": { "required": [keys::HOOKS.name] } },
        "then": { "patternProperties": { "^[Hh][Oo][Oo][Kk][Ss]?$": refused } },
    }));
    set(schema, "allOf", rules);
}

/// A map from events to groups, with one handler.
fn example() -> Value {
    let handler = json!({ "type": "command", "command": "./check.sh", "timeout": 5 });
    json!({ "PreToolUse": [{ "matcher": "Bash", "hooks": [handler] }] })
}

fn plugin() -> Schema {
    let mut making = Making::new(Form::Plugin);
    let mut members = Map::new();
    for row in keys::PLUGIN_FILE {
        let member = if row.name == keys::HOOKS.name { making.events(row) } else { key(row).to_value() };
        members.insert(row.name.to_owned(), member);
    }
    // Without the wrapper an event at the top fails the plugin.
    let names: Vec<_> = EVENTS.iter().map(|event| event.facts.name).collect();
    let stray = "The events of a plugin's file stand inside `hooks`; outside of it the whole plugin fails to load.";
    let mut schema = json_schema!({
        "type": "object",
        "properties": members,
        "if": { "not": { "required": [keys::HOOKS.name] } },
        "then": { "propertyNames": { "not": { "enum": names }, "errorMessage": stray } },
        "examples": [{ "description": "Checks commands before they run.", keys::HOOKS.name: example() }],
    });
    misspelt_hooks(&mut schema);
    making.parts.finish(schema)
}

fn manifest() -> Schema {
    let mut making = Making::new(Form::Plugin);
    let mut hooks = making.events(&Key {
        about: "The files that hold the plugin's hooks, by paths that start with `./`, or the events themselves, without \
                another `hooks` around them.",
        ..**keys::PLUGIN_FILE.first().unwrap_or(&&keys::HOOKS)
    });
    if let Some(hooks) = hooks.as_object_mut() {
        hooks.insert("type".to_owned(), json!(["object", "string", "array"]));
        hooks.insert("items".to_owned(), json!({ "type": "string", "description": "The path of a hooks file." }));
        hooks.insert("examples".to_owned(), json!(["./hooks/hooks.json", ["./hooks/a.json", "./hooks/b.json"]]));
    }
    let examples = [json!("./hooks/hooks.json"), example()].map(|hooks| json!({ "name": "my-plugin", "hooks": hooks }));
    let mut schema = json_schema!({ "type": "object", "properties": { "hooks": hooks }, "examples": examples });
    misspelt_hooks(&mut schema);
    making.parts.finish(schema)
}

fn head() -> Schema {
    let mut making = Making::new(Form::Head);
    let hooks = making.events(&keys::HOOKS_OF_FILE);
    let example = json!({ "name": "check", "description": "Checks what was done.", "hooks": example() });
    let mut schema = json_schema!({ "properties": { "hooks": hooks }, "examples": [example] });
    misspelt_hooks(&mut schema);
    making.parts.finish(schema)
}

/// A key's own schema: its kind, words, default and examples.
pub(super) fn key(key: &Key) -> Schema {
    let mut schema = match key.kind {
        Kind::Text => json_schema!({ "type": "string" }),
        Kind::Flag => json_schema!({ "type": "boolean" }),
        Kind::Seconds => json_schema!({ "type": "number", "exclusiveMinimum": 0 }),
        Kind::Number => json_schema!({ "type": "number" }),
        Kind::Texts => json_schema!({ "type": "array", "items": { "type": "string" } }),
        Kind::List => json_schema!({ "type": "array" }),
        Kind::TextMap => json_schema!({ "type": "object", "additionalProperties": { "type": "string" } }),
        Kind::Object => json_schema!({ "type": "object" }),
        Kind::Word(words) => {
            let about: Vec<_> = words.iter().map(|word| word.about).collect();
            let words: Vec<_> = words.iter().map(|word| word.word).collect();
            json_schema!({ "type": "string", "enum": words, "enumDescriptions": about })
        }
        Kind::Any => json_schema!({}),
    };
    describe(&mut schema, key.about, key.evidence);
    if let Some(default) = key.default.and_then(|text| serde_json::from_str::<Value>(text).ok()) {
        set(&mut schema, "default", default);
    }
    let examples: Vec<Value> = key.examples.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    if !examples.is_empty() {
        set(&mut schema, "examples", examples);
    }
    schema
}

/// Puts a paragraph before how a part is known.
pub(super) fn say(schema: &mut Schema, more: &str) {
    let said = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    let said = match said.rsplit_once("\n\n") {
        Some((about, known)) => format!("{about}\n\n{more}\n\n{known}"),
        None => more.to_owned(),
    };
    set(schema, "description", said);
}

/// Marks a key that has no effect where it stands.
pub(super) fn without_effect(schema: &mut Schema, why: &str) {
    say(schema, why);
    discourage(schema, why);
    for keyword in ["default", "examples"] {
        schema.remove(keyword);
    }
}

/// A document while it is put together.
struct Making {
    form: Form,
    parts: Parts,
}

impl Making {
    fn new(form: Form) -> Self {
        Self { form, parts: Parts::default() }
    }

    /// The object from events to groups.
    fn events(&mut self, row: &Key) -> Value {
        let mut schema = key(row);
        let events: Map<String, Value> =
            EVENTS.iter().map(|event| (event.facts.name.to_owned(), self.event(event).to_value())).collect();
        set(&mut schema, "properties", events);
        set(&mut schema, "additionalProperties", false);
        set(&mut schema, "examples", json!([example()]));
        schema.to_value()
    }

    fn event(&mut self, event: &Event) -> Schema {
        let mut schema = json_schema!({
            "type": "array",
            "items": self.group(event).to_value(),
            "defaultSnippets": snippets::groups(event),
        });
        let mut about = words::binding(event);
        if self.form == Form::Head && event.facts.name == "Stop" {
            about.push_str("\n\nIn an agent's head it is the end of the subagent: `SubagentStop`.");
        }
        describe(&mut schema, &about, event.facts.evidence);
        schema
    }

    fn group(&mut self, event: &Event) -> Schema {
        let matcher = self.parts.share("matcher", event.facts.name, matchers::matcher(event));
        let mut handlers = key(&keys::HOOKS);
        set(&mut handlers, "items", self.handler(event).to_value());
        json_schema!({
            "type": "object",
            "description": "A group: the handlers for the occurrences that its matcher is for.",
            "required": [keys::HOOKS.name],
            "properties": { "matcher": matcher, "hooks": handlers.to_value() },
            "defaultSnippets": snippets::group(event),
        })
    }

    fn handler(&mut self, event: &Event) -> Schema {
        let types = types(event);
        let (run, others): (Vec<HandlerKind>, Vec<HandlerKind>) =
            types.iter().copied().partition(|kind| event.handlers.contains(kind));
        let words: Vec<_> = run.iter().map(|kind| kind.as_str()).collect();
        let about: Vec<_> = run.iter().map(|kind| keys::about_type(*kind)).collect();
        let mut kind = key(&keys::TYPE);
        if others.is_empty() {
            set(&mut kind, "enum", words);
            set(&mut kind, "enumDescriptions", about);
        } else {
            // Taken with a warning: a pattern, so that editors do not offer them.
            let others: Vec<_> = others.iter().map(|kind| kind.as_str()).collect();
            let unrun = json!({
                "pattern": exactly(&others),
                "deprecationMessage": "This event does not run handlers of this type.",
            });
            set(&mut kind, "anyOf", json!([{ "enum": words, "enumDescriptions": about }, unrun]));
        }
        let cases: Vec<Value> = types.iter().map(|kind| self.of_type(event, *kind)).collect();
        let schema = json_schema!({
            "type": "object",
            "description": "A handler.",
            "required": [keys::TYPE.name],
            "properties": { "type": kind.to_value() },
            "allOf": cases,
            "defaultSnippets": snippets::handlers(event),
        });
        self.parts.share("handler", event.facts.name, schema)
    }

    /// What follows from a handler's type.
    fn of_type(&mut self, event: &Event, kind: HandlerKind) -> Value {
        let rows = || keys::HANDLER.iter().filter(|row| row.types.contains(&kind));
        let required: Vec<_> = rows().filter(|row| row.required).map(|row| row.name).collect();
        let mut members = Map::new();
        for row in rows().filter(|row| row.name != keys::TYPE.name) {
            let schema = self.field(event, kind, row);
            let of = format!("{}.{}", event.facts.name, kind.as_str());
            members.insert(row.name.to_owned(), self.parts.share(row.name, &of, schema).to_value());
        }
        let mut then = json!({ "required": required, "properties": members });
        if let (HandlerKind::Command, Some(then)) = (kind, then.as_object_mut()) {
            then.insert("if".to_owned(), json!({ "not": { "required": [keys::ARGS.name] } }));
            then.insert("then".to_owned(), json!({ "properties": { "command": shell_text().to_value() } }));
            if event.can_block() {
                then.insert("else".to_owned(), json!({ "properties": { "command": program() } }));
                then.insert("allOf".to_owned(), json!([waits(), in_powershell()]));
            }
        }
        // Editors offer a constant, also one that is only asked for.
        let runs = event.handlers.contains(&kind);
        let of_type =
            if runs { json!({ "const": kind.as_str() }) } else { json!({ "pattern": exactly(&[kind.as_str()]) }) };
        json!({ "if": { "required": ["type"], "properties": { "type": of_type } }, "then": then })
    }

    fn field(&self, event: &Event, kind: HandlerKind, row: &Key) -> Schema {
        let mut schema = key(row);
        let is = |other: &Key| row.name == other.name;
        if is(&keys::IF) {
            // Where nothing is guarded, a handler that never runs is a warning.
            if event.conditions && event.can_block() {
                for (keyword, value) in matchers::rule().as_object().into_iter().flatten() {
                    set(&mut schema, keyword, value.clone());
                }
            } else if !event.conditions {
                let why = "This event never evaluates `if`: a handler that has one never runs.";
                without_effect(&mut schema, why);
                if event.can_block() {
                    set(&mut schema, "pattern", "^\\s*$");
                    set(&mut schema, "patternErrorMessage", why);
                }
            }
        } else if is(&keys::URL) && event.can_block() {
            set(&mut schema, "pattern", "^[Hh][Tt][Tt][Pp][Ss]?://");
            set(&mut schema, "patternErrorMessage", "Write the whole address, with `http://` or `https://`.");
        } else if is(&keys::TIMEOUT) {
            set(&mut schema, "default", event.timeout_s(kind));
            match (event.longest_s, self.form) {
                (Some(_), Form::Plugin) => {
                    say(
                        &mut schema,
                        "All handlers of this event share the time; a plugin gets no more than the default.",
                    );
                }
                (Some(longest), Form::Settings | Form::Head) => {
                    say(&mut schema, &format!("All handlers of this event share the time; it is at most {longest} s."));
                }
                (None, _) => {}
            }
        } else if is(&keys::ONCE) && self.form != Form::Head {
            without_effect(&mut schema, "It has no effect in this file.");
        } else if is(&keys::ON_FAILURE) {
            match event.on_failure {
                OnFailure::AsExit2 => {}
                OnFailure::Denies => say(&mut schema, "On this event `block` denies the request."),
                OnFailure::Ignored | OnFailure::NoEffect => {
                    without_effect(&mut schema, "This event does not heed it.");
                }
            }
        } else if is(&keys::ASYNC) && event.can_block() {
            say(&mut schema, "Nothing that the handler says can block here.");
        } else if self.form != Form::Plugin && (is(&keys::COMMAND) || is(&keys::ARGS)) {
            let refused = json!([no_placeholder()]);
            if is(&keys::COMMAND) {
                set(&mut schema, "allOf", refused);
            } else {
                set(&mut schema, "items", json!({ "type": "string", "allOf": refused }));
            }
        }
        schema
    }
}

/// A pattern of these words and nothing else.
fn exactly(words: &[&str]) -> String {
    format!("^(?:{})$", words.join("|"))
}

/// The types of handler that an event takes without an error: where nothing is guarded, one that does not run is a warning.
fn types(event: &Event) -> Vec<HandlerKind> {
    let fine =
        |kind: &HandlerKind| !event.can_block() || (event.handlers.contains(kind) && snippets::heeds(event, *kind));
    ALL_TYPES.iter().copied().filter(fine).collect()
}

/// A program, which no shell looks for.
fn program() -> Value {
    let variable = "\\$(?:CLAUDE_PROJECT_DIR|HOME)(?![A-Za-z0-9_])";
    let blanks = "^(?=\\s*\\S+ [\\s\\S]*\\S)[^/\\\\$]*$";
    json!({
        "not": {
            "type": "string",
            "anyOf": [{ "pattern": variable }, { "pattern": "\\$\\{HOME\\}|^~/" }, { "pattern": blanks }],
        },
        "errorMessage": "No shell is started beside `args`: write the program's path with `${CLAUDE_PROJECT_DIR}`.",
    })
}

/// A handler that is to block when it fails does not run in the background.
fn waits() -> Value {
    let blocks = json!({ "const": "block" });
    let one = |key: &Key| {
        json!({
            "required": [key.name, keys::ON_FAILURE.name],
            "properties": { key.name: { "const": true }, keys::ON_FAILURE.name: blocks },
        })
    };
    json!({
        "not": { "anyOf": [one(&keys::ASYNC), one(&keys::ASYNC_REWAKE)] },
        "errorMessage": "A handler in the background blocks nothing: remove `async`.",
    })
}

/// A text for PowerShell, which does not know the project's folder as a variable of its own.
fn in_powershell() -> Value {
    let shell = json!({ "required": ["shell"], "properties": { "shell": { "const": "powershell" } } });
    json!({
        "if": { "allOf": [shell, { "not": { "required": [keys::ARGS.name] } }] },
        "then": {
            "properties": { "command": {
                "not": { "type": "string", "pattern": "\\$CLAUDE_PROJECT_DIR" },
                "errorMessage": "Write `${CLAUDE_PROJECT_DIR}`, which the client replaces.",
            } },
        },
    })
}

/// A text without a plugin's placeholders, which stand for nothing outside a plugin.
fn no_placeholder() -> Value {
    let names = [locations::PLUGIN_ROOT, locations::PLUGIN_DATA].join("|");
    json!({
        "not": { "type": "string", "pattern": format!("\\$\\{{(?:{names})\\}}") },
        "errorMessage": "This placeholder is a plugin's: use `${CLAUDE_PROJECT_DIR}`.",
    })
}

/// A shell text without a plugin option, which the client refuses to put there.
fn shell_text() -> Schema {
    let mut placeholder = String::new();
    for c in invoke::OPTION.chars() {
        if c.is_ascii_punctuation() && c != '_' {
            placeholder.push('\\');
        }
        placeholder.push(c);
    }
    json_schema!({
        "not": { "type": "string", "pattern": placeholder },
        "errorMessage": "Write `$CLAUDE_PLUGIN_OPTION_<KEY>`, or use `args`.",
    })
}
