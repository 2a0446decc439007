//! Configurations: a file is invalid by its schema exactly where the reader reports an error.

use std::collections::BTreeSet;
use std::sync::Arc;

use adapter_cursor::config::keys;
use adapter_cursor::events::{EVENTS, VENDOR};
use adapter_cursor::schema::SCHEMAS;
use adapter_cursor::{Adapter, codes, locations};
use hooks_conformance::format::Kind;
use hooks_conformance::load;
use hooks_core::facts::SubjectFact;
use hooks_core::source::{Origin, Role, Source, Syntax};
use hooks_core::{Diagnostic, HostSide, LoopLimit, Severity};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::support::parse;

use super::{document, faults, fixtures, json_of, mutate, validator};

/// The faults that no keyword can say, with the reason. A file with such a fault and no other is valid by its schema.
const UNSAYABLE: [(&str, &str); 13] = [
    ("not-json", "a schema is about values; what is no JSON, or nested too deeply for the reader, has none"),
    (
        "matcher-not-regex",
        "`format` with `regex` reads in Unicode mode, which refuses what the client takes, and `*` is a matcher too",
    ),
    ("matcher-cannot-run", "which patterns an engine can run is no affair of a pattern's text alone"),
    ("matcher-matches-nothing", NO_PATTERN),
    ("matcher-wrong-case", NO_PATTERN),
    ("matcher-permission-rule", NO_PATTERN),
    ("matcher-tool-name", NO_PATTERN),
    ("matcher-claude-tool", NO_PATTERN),
    ("matcher-glob", NO_PATTERN),
    ("matcher-mcp-name", NO_PATTERN),
    ("matcher-posix-class", NO_PATTERN),
    ("repeated-key", "a value has each key once"),
    ("unknown-event", "how many letters a name is away from that of a guard is nothing that a keyword counts"),
];

const NO_PATTERN: &str = "what a pattern can match shows when it is run, which no keyword does";

/// A form of configuration, with the source that its files are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Hooks,
    PluginHooks,
    Manifest,
}

impl Form {
    const ALL: [Self; 3] = [Self::Hooks, Self::PluginHooks, Self::Manifest];

    const fn name(self) -> &'static str {
        match self {
            Self::Hooks => "hooks",
            Self::PluginHooks => "plugin-hooks",
            Self::Manifest => "plugin",
        }
    }

    /// The codes of the errors that the reader reports.
    fn errors(self, text: &[u8]) -> Vec<&'static str> {
        let (origin, role, path) = match self {
            Self::Hooks => (Origin::Project, Role::Hooks, "/p/.cursor/hooks.json"),
            Self::PluginHooks => (Origin::Plugin, Role::Hooks, "/plugins/p/hooks/hooks.json"),
            Self::Manifest => (Origin::Plugin, Role::PluginManifest, "/plugins/p/.cursor-plugin/plugin.json"),
        };
        let mut source = Source::hooks(VENDOR, origin, Syntax::Json, path, text);
        source.role = role;
        let parsed = Adapter::latest().parse(&Arc::new(source));
        // What is told of what does not count yet is no fault of the file as it is.
        let counts = |d: &&Diagnostic| d.related.iter().all(|related| !related.message.starts_with("once "));
        let errors = parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error).filter(counts);
        errors.map(|d| d.code.about).collect()
    }
}

/// Compares verdicts, and remembers which of the faults that cannot be said came up.
struct Verdicts {
    forms: Vec<(Form, Validator, Validator)>,
    unsaid: BTreeSet<&'static str>,
    seen: usize,
    valid: usize,
}

impl Verdicts {
    fn new() -> Self {
        let forms = Form::ALL
            .map(|form| {
                let newer = validator(&document(&format!("cursor/{}.schema.json", form.name())));
                let older = validator(&document(&format!("cursor/{}.draft-07.schema.json", form.name())));
                (form, newer, older)
            })
            .into();
        Self { forms, unsaid: BTreeSet::new(), seen: 0, valid: 0 }
    }

    /// A file as text; `false` where it is no value at all.
    fn text(&mut self, form: Form, what: &str, text: &[u8]) -> bool {
        let Ok(value) = serde_json::from_slice::<Value>(text) else {
            let errors = form.errors(text);
            if !errors.is_empty() && errors.iter().all(|error| *error == "not-json") {
                self.unsaid.insert("not-json");
            }
            return false;
        };
        self.compare(form, what, &value, &form.errors(text));
        true
    }

    fn value(&mut self, form: Form, what: &str, value: &Value) {
        self.compare(form, what, value, &form.errors(value.to_string().as_bytes()));
    }

    fn compare(&mut self, form: Form, what: &str, value: &Value, errors: &[&'static str]) {
        let (_, newer, older) = self.forms.iter().find(|(of, ..)| *of == form).expect("a form");
        let valid = newer.is_valid(value);
        assert_eq!(valid, older.is_valid(value), "{what}: the drafts differ on {value}");
        self.seen += 1;
        self.valid += usize::from(valid);
        if !valid {
            assert!(!errors.is_empty(), "{what} ({form:?}): only the schema refuses {value}: {}", faults(newer, value));
        } else if !errors.is_empty() {
            for error in errors {
                let known = UNSAYABLE.iter().any(|(code, _)| code == error);
                assert!(known, "{what} ({form:?}): only the reader refuses {value}: {errors:?}");
                self.unsaid.insert(error);
            }
        }
    }
}

/// Configurations that this project has, with the form that each is.
fn files() -> Vec<(String, Form, Vec<u8>)> {
    let mut all = Vec::new();
    let own = ["full_config.json", "invalid_matcher.json", "unknown_event.json", "prompt_hook.json"];
    for name in own {
        let bytes = std::fs::read(fixtures().join("cursor").join(name)).expect("a fixture");
        all.push((name.to_owned(), Form::Hooks, bytes));
    }
    for case in crate::fixtures::cases() {
        // The cases of an event share theirs.
        if all.iter().all(|(_, _, bytes)| bytes != case.hooks.as_bytes()) {
            all.push((case.label(), Form::Hooks, case.hooks.into_bytes()));
        }
    }
    let index = json_of("corpus/cursor/index.json");
    for file in index["files"].as_array().expect("files") {
        let name = file["file"].as_str().expect("a name");
        let plugin = file["installed_as"].as_str().expect("a place").contains("plugin");
        let bytes = std::fs::read(fixtures().join("corpus/cursor").join(name)).expect(name);
        all.push((name.to_owned(), if plugin { Form::PluginHooks } else { Form::Hooks }, bytes));
    }
    for file in load(&fixtures().join("vectors/cursor")).expect("vectors") {
        for vector in &file.vectors {
            let Kind::Config(config) = &vector.kind else { continue };
            // Files of another client have another reader, and no schema here.
            if config.given.as_ref().is_some_and(|given| given.file.is_some()) {
                continue;
            }
            let form = if config.origin == "plugin" { Form::PluginHooks } else { Form::Hooks };
            all.push((format!("{}: {}", file.name, vector.id), form, config.document.bytes()));
        }
    }
    all
}

/// The files beside those: what cannot be said, and the plugin's two ways to write hooks.
fn made_up() -> Vec<(&'static str, Form, Value)> {
    let gate =
        |matcher: String| json!({ "version": 1, "hooks": { "preToolUse": [{ "command": "x", "matcher": matcher }] } });
    let events = json!({ "stop": [{ "command": "x" }], "unheardOf": 5 });
    vec![
        ("a matcher that does not compile", Form::Hooks, gate("(".to_owned())),
        ("a matcher that cannot be run", Form::Hooks, gate("x".repeat(1 << 20))),
        ("a matcher for everything", Form::Hooks, gate("*".to_owned())),
        ("a matcher for no tool", Form::Hooks, gate("git push".to_owned())),
        ("a matcher in small letters", Form::Hooks, gate("shell".to_owned())),
        ("a permission rule", Form::Hooks, gate("Shell(rm *)".to_owned())),
        ("a pattern for files", Form::Hooks, gate("src/*/lib".to_owned())),
        ("a tool server's tool in Claude's form", Form::Hooks, gate("mcp__github__create_issue".to_owned())),
        ("a class of POSIX", Form::Hooks, gate("Shell[[:space:]]".to_owned())),
        (
            "a tool's name for a command",
            Form::Hooks,
            json!({ "version": 1, "hooks": { "beforeShellExecution": [{ "command": "x", "matcher": "Shell" }] } }),
        ),
        ("no version in a plugin's file", Form::PluginHooks, json!({ "hooks": events })),
        ("a manifest with a path", Form::Manifest, json!({ "name": "p", "hooks": "./hooks.json" })),
        ("a manifest without hooks", Form::Manifest, json!({ "name": "p" })),
        ("a manifest with events", Form::Manifest, json!({ "hooks": events })),
        ("a manifest with hooks in hooks", Form::Manifest, json!({ "hooks": { "version": 1, "hooks": events } })),
        (
            "a prompt hook with everything",
            Form::Hooks,
            json!({ "version": 1, "hooks": { "subagentStop": [{
                "type": "prompt", "prompt": "p", "model": "m", "timeout": 1.5, "matcher": "explore",
                "failClosed": false, "loop_limit": null, "command": 5,
            }] } }),
        ),
        (
            "a command hook with everything",
            Form::Hooks,
            json!({ "version": 1, "hooks": { "stop": [{
                "type": "command", "command": "", "timeout": 5001, "matcher": "Stop", "failClosed": true,
                "loop_limit": 3, "prompt": 5, "model": [],
            }], "sessionStart": [{ "command": "x", "matcher": "x", "loop_limit": "x" }] } }),
        ),
    ]
}

#[test]
fn a_file_is_invalid_where_the_reader_reports_an_error() {
    let mut verdicts = Verdicts::new();
    let files = files();
    assert!(files.len() > 250, "{}", files.len());
    for (name, form, bytes) in &files {
        verdicts.text(*form, name, bytes);
        // The same file in the place of another form.
        for other in Form::ALL {
            verdicts.text(other, name, bytes);
        }
    }
    for (name, form, value) in made_up() {
        verdicts.value(form, name, &value);
    }
    verdicts.text(
        Form::Hooks,
        "an event twice",
        br#"{"version":1,"hooks":{"preToolUse":[{"command":"x"}],"preToolUse":[]}}"#,
    );
    verdicts.text(
        Form::Hooks,
        "nested too deeply",
        &[b"{\"a\":".repeat(200), b"1".to_vec(), b"}".repeat(200)].concat(),
    );
    for (code, why) in UNSAYABLE {
        assert!(verdicts.unsaid.contains(code), "{code}: can be said ({why})");
        assert!(codes::CODES.iter().any(|known| known.about == code), "{code}");
    }
}

#[test]
fn so_it_is_one_step_away() {
    let mut verdicts = Verdicts::new();
    let mut wholes: Vec<(String, Form, Value)> = made_up()
        .into_iter()
        .filter(|(_, _, value)| value.to_string().len() < 4096)
        .map(|(n, f, v)| (n.into(), f, v))
        .collect();
    // Not the vectors, which are steps away themselves, nor the one file with everything, whose steps take long and whose
    // parts stand in the others.
    for (name, form, bytes) in files() {
        if name.contains(": ") || name == "full_config.json" {
            continue;
        }
        if let Ok(value) = serde_json::from_slice::<Value>(&bytes) {
            wholes.push((name, form, value));
        }
    }
    for (name, form, value) in &wholes {
        for (step, changed) in mutate::steps(value) {
            verdicts.value(*form, &format!("{name} {step}"), &changed);
        }
    }
    assert!(verdicts.seen > 9_000, "{}", verdicts.seen);
    let invalid = verdicts.seen - verdicts.valid;
    assert!(verdicts.valid > 1_500 && invalid > 1_500, "{} valid, {invalid} invalid", verdicts.valid);
}

/// Every key of a hook, on every event, with a value of every kind, for both kinds of hook.
#[test]
fn so_is_every_key_on_every_event() {
    let mut verdicts = Verdicts::new();
    for facts in SCHEMAS.facts {
        for kind in keys::Kind::ALL {
            for key in keys::HOOK {
                let mut hook = json!({ "type": kind.word(), kind.needs().name: "x" });
                hook[key.name] = json!("command");
                let file = json!({ "version": 1, "hooks": { facts.name: [hook] } });
                for (step, changed) in mutate::steps(&file) {
                    verdicts.value(Form::Hooks, &format!("{}, {}: {step}", facts.name, key.name), &changed);
                }
            }
        }
    }
    assert!(verdicts.seen > 20_000, "{}", verdicts.seen);
}

/// What only warns is valid, and an editor that knows the keyword warns too; what changes nothing is not offered.
#[test]
fn warnings_are_told_in_words() {
    let document = document("cursor/hooks.schema.json");
    let schema = document.schema.as_value();
    assert!(schema["properties"]["hooks"]["additionalProperties"]["deprecationMessage"].is_string());
    for event in &EVENTS {
        let name = event.facts.name;
        let hook = &schema["$defs"][name];
        assert!(hook["additionalProperties"]["deprecationMessage"].is_string(), "{name}");
        let parsed = |more: &[(&str, Value)]| {
            let mut hook = json!({ "command": "x" });
            for (key, value) in more {
                hook[*key] = value.clone();
            }
            parse(&Adapter::latest(), &json!({ "version": 1, "hooks": { name: [hook] } }).to_string())
        };
        let matcher = match event.facts.subject {
            SubjectFact::Word(word) => word,
            SubjectFact::ToolName => "Shell",
            _ => "x",
        };
        for (key, value) in [("matcher", json!(matcher)), ("loop_limit", json!(1)), ("failClosed", json!(true))] {
            let property = part(schema, &hook["properties"][key]);
            let useless = property["doNotSuggest"] == true;
            assert_eq!(property["deprecated"] == true, useless, "{name}: {key}");
            assert_eq!(property["deprecationMessage"].is_string(), useless, "{name}: {key}");
            let told = parsed(&[(key, value)]).diagnostics.iter().any(|d| d.pointer.iter().any(|at| at.ends_with(key)));
            assert_eq!(useless, told, "{name}: {key}");
        }
        let definition = &parsed(&[]).definitions[0];
        let timeout = part(schema, &hook["properties"]["timeout"])["default"].as_f64();
        assert_eq!(timeout, Some(definition.timeout.as_secs_f64()), "{name}");
        let limit = definition.loop_limit.and_then(LoopLimit::number).map(u64::from);
        assert_eq!(part(schema, &hook["properties"]["loop_limit"])["default"].as_u64(), limit, "{name}");
    }
}

/// A property, which may be a part that several share.
fn part<'s>(root: &'s Value, property: &'s Value) -> &'s Value {
    match property["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
        Some(pointer) => root.pointer(pointer).expect("a part"),
        None => property,
    }
}

/// The patterns of the catalogue are those of the places where files are looked for.
#[test]
fn patterns_are_those_of_the_locations() {
    let matches = |pattern: &str, path: &str| {
        let end = pattern.strip_prefix("**/").expect("a pattern for any folder");
        path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let config = |name: &str| SCHEMAS.configs.iter().find(|config| config.name == name).expect("a form");
    let own: Vec<_> = locations::LOCATIONS.iter().filter(|location| location.role == Role::Hooks).collect();
    for location in &own {
        assert!(config("hooks").files.iter().any(|pattern| matches(pattern, location.path)), "{}", location.path);
    }
    for pattern in config("hooks").files {
        assert!(own.iter().any(|location| matches(pattern, location.path)), "{pattern}");
    }
    for location in locations::LOCATIONS.iter().filter(|location| location.role != Role::Hooks) {
        let all = SCHEMAS.configs.iter().flat_map(|config| config.files);
        assert!(!all.into_iter().any(|pattern| matches(pattern, location.path)), "{}", location.path);
    }
    assert_eq!(config("plugin").files, [locations::PLUGIN_MANIFEST.pattern]);
}

/// The keys stand in one table; the text of a diagnostic that lists them is a text of its own.
#[test]
fn the_list_of_keys_in_a_diagnostic_is_the_table() {
    let help = codes::UNKNOWN_FIELD.help;
    let listed = help.rsplit("are ").next().expect("a list").trim_end_matches('.').replace(" and ", ", ");
    assert_eq!(listed.split(", ").collect::<Vec<_>>(), keys::HOOK.map(|key| key.name));
}
