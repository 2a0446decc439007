//! Configurations: a schema refuses a document exactly if the reader finds an error in it, but for the rules that no schema
//! can say, which are listed here with the reason and an example.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use adapter_claude::events::{ALL_TYPES, EVENTS};
use adapter_claude::schema::SCHEMAS;
use adapter_claude::{Adapter, VENDOR, codes};
use hooks_core::HostSide;
use hooks_core::diagnostic::Severity;
use hooks_core::facts::SubjectFact;
use hooks_core::schema::Contract;
use hooks_core::source::{Life, Origin, Plugin, Role, Source, Syntax};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{DOCUMENTS, errors, fixtures, is_valid, object, odd_values, read};

/// The codes of the errors that the reader finds in a document of a form.
fn found(form: &str, bytes: &[u8]) -> BTreeSet<&'static str> {
    let make = |origin, syntax, path: &str, bytes: &[u8]| Source::hooks(VENDOR, origin, syntax, path, bytes.to_vec());
    let plugin = || Some(Plugin { name: "p".into(), root: "/p".into(), ..Plugin::default() });
    let source = match form {
        "settings" => make(Origin::Project, Syntax::Json, ".claude/settings.json", bytes),
        "plugin" => Source { plugin: plugin(), ..make(Origin::Plugin, Syntax::Json, "hooks/hooks.json", bytes) },
        "plugin-manifest" => Source {
            plugin: plugin(),
            role: Role::PluginManifest,
            ..make(Origin::Plugin, Syntax::Json, ".claude-plugin/plugin.json", bytes)
        },
        "frontmatter" => {
            let text = [b"---\n".as_slice(), bytes, b"\n---\n"].concat();
            make(Origin::Frontmatter, Syntax::Yaml, ".claude/commands/x.md", &text)
        }
        other => panic!("{other}"),
    };
    let parsed = Adapter::latest().parse(&Arc::new(source));
    // What stands where the client does not look is no rule of a schema.
    let counts = |diagnostic: &&hooks_core::diagnostic::Diagnostic| {
        diagnostic.related.iter().all(|related| related.message != "this keeps it from counting")
    };
    let is_error = |diagnostic: &&hooks_core::diagnostic::Diagnostic| diagnostic.severity == Severity::Error;
    parsed.diagnostics.iter().filter(is_error).filter(counts).map(|diagnostic| diagnostic.code.about).collect()
}

/// A rule of the reader that no schema says: the code, why, and a document for which the reader alone finds an error.
struct Unsaid {
    code: &'static str,
    /// Whether a schema says it of some documents, which `said` has examples of.
    partly: bool,
    form: &'static str,
    why: &'static str,
    example: &'static str,
}

const UNSAID: &[Unsaid] = &[
    Unsaid {
        code: "not-json",
        partly: false,
        form: "settings",
        why: "what is no JSON has no value that a schema could be held to",
        example: "{\"hooks\": {},}",
    },
    Unsaid {
        code: "not-yaml",
        partly: false,
        form: "frontmatter",
        why: "what is no YAML has no value that a schema could be held to",
        example: "hooks: [",
    },
    Unsaid {
        code: "matcher-not-regex",
        partly: false,
        form: "settings",
        why: "whether a text is a valid expression is no regular language, and the format `regex` is advice only",
        example: r#"{"hooks":{"PreToolUse":[{"matcher":"(?i)bash","hooks":[]}]}}"#,
    },
    Unsaid {
        code: "matcher-letter-case",
        partly: true,
        form: "settings",
        why: "names inside a regular expression are not taken apart; those of a list are said",
        example: r#"{"hooks":{"PreToolUse":[{"matcher":"^bash$","hooks":[]}]}}"#,
    },
    Unsaid {
        code: "matcher-names-a-server",
        partly: true,
        form: "settings",
        why: "names inside a regular expression are not taken apart; those of a list are said",
        example: r#"{"hooks":{"PreToolUse":[{"matcher":"^mcp__memory$","hooks":[]}]}}"#,
    },
    Unsaid {
        code: "matcher-looks-like-rule",
        partly: true,
        form: "settings",
        why: "which tools a regular expression finds is no rule of a schema; the usual rules are said",
        example: r#"{"hooks":{"PreToolUse":[{"matcher":"Edit|Bash(git *)","hooks":[]}]}}"#,
    },
    Unsaid {
        code: "matcher-is-a-glob",
        partly: false,
        form: "settings",
        why: "which tools a regular expression finds is no rule of a schema",
        example: r#"{"hooks":{"PreToolUse":[{"matcher":"mcp__*__write","hooks":[]}]}}"#,
    },
    Unsaid {
        code: "matcher-matches-nothing",
        partly: false,
        form: "settings",
        why: "which values a regular expression finds is no rule of a schema, and lists of values are open to newer ones",
        example: r#"{"hooks":{"PreCompact":[{"matcher":"sometimes","hooks":[]}]}}"#,
    },
    Unsaid {
        code: "matcher-misspelt",
        partly: false,
        form: "settings",
        why: "that a text is nearly another one is no rule of a schema",
        example: r#"{"hooks":{"PreCompact":[{"matcher":"manuel","hooks":[]}]}}"#,
    },
    Unsaid {
        code: "matcher-of-another-event",
        partly: false,
        form: "settings",
        why: "lists of values are open to newer ones, so a schema does not refuse others",
        example: r#"{"hooks":{"PreCompact":[{"matcher":"Bash","hooks":[]}]}}"#,
    },
    Unsaid {
        code: "matcher-not-javascript",
        partly: false,
        form: "settings",
        why: "which values a regular expression finds is no rule of a schema",
        example: r#"{"hooks":{"PreToolUse":[{"matcher":"\\ABash\\z","hooks":[]}]}}"#,
    },
    Unsaid {
        code: "matcher-not-canonical",
        partly: false,
        form: "settings",
        why: "a model could come to be called so",
        example: r#"{"hooks":{"PreModelSwitch":[{"matcher":"opus","hooks":[]}]}}"#,
    },
    Unsaid {
        code: "condition-excluded-by-matcher",
        partly: false,
        form: "settings",
        why: "a handler against its group's matcher is a rule between members",
        example: r#"{"hooks":{"PreToolUse":[{"matcher":"Edit","hooks":[{"type":"command","command":"x","if":"Bash(git *)"}]}]}}"#,
    },
    Unsaid {
        code: "condition-names-no-tool",
        partly: false,
        form: "settings",
        why: "the client's list of tools is open, so a schema does not refuse other names",
        example: r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","if":"bash(git *)"}]}]}}"#,
    },
    Unsaid {
        code: "duplicate-event",
        partly: false,
        form: "settings",
        why: "a schema sees the last of equal keys only",
        example: r#"{"hooks":{"PreToolUse":[{"hooks":[]}],"PreToolUse":[]}}"#,
    },
    Unsaid {
        code: "repeated-key",
        partly: false,
        form: "settings",
        why: "a schema sees the last of equal keys only",
        example: r#"{"hooks":{},"hooks":{}}"#,
    },
    Unsaid {
        code: "duplicate-handler",
        partly: false,
        form: "settings",
        why: "equal handlers of several groups are a rule between members",
        example: r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"a","onFailure":"block"},{"type":"command","command":"a"}]}]}}"#,
    },
];

/// Holds a schema's verdict against the reader's.
fn agrees(form: &str, document: &Value) {
    let found = found(form, document.to_string().as_bytes());
    let unsaid = |code: &&str| UNSAID.iter().find(|rule| rule.code == *code);
    let said = found.iter().any(|code| unsaid(code).is_none());
    let valid = is_valid(Contract::Config, form, document);
    if !said && found.iter().any(|code| unsaid(code).is_some_and(|rule| rule.partly)) {
        return;
    }
    assert_eq!(!said, valid, "{form}: {found:?}\n{document}\n{:?}", errors(Contract::Config, form, document));
}

#[test]
fn what_schemas_do_not_say_is_still_so() {
    for rule in UNSAID {
        assert_eq!(found(rule.form, rule.example.as_bytes()), BTreeSet::from([rule.code]), "stale: {}", rule.why);
        if let Ok(document) = serde_json::from_str::<Value>(rule.example) {
            assert!(is_valid(Contract::Config, rule.form, &document), "stale: {}", rule.why);
        }
    }
}

/// What a head belongs to does not stand in it, so that the schema of heads speaks of a project's skills and commands.
#[test]
fn what_a_head_belongs_to_is_not_in_it() {
    let head = |document: &Value, life: Life, plugin: Option<Plugin>| -> BTreeSet<&'static str> {
        let text = format!("---\n{document}\n---\n");
        let source = Source::hooks(VENDOR, Origin::Frontmatter, Syntax::Yaml, "x.md", text.into_bytes());
        let parsed = Adapter::latest().parse(&Arc::new(Source { life, plugin, ..source }));
        let errors = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        errors.map(|diagnostic| diagnostic.code.about).collect()
    };
    // An agent's `Stop` is the end of a subagent, whose matchers are tested against its type.
    let stop = hooks("Stop", json!([{ "matcher": "explore", "hooks": [] }]));
    assert!(is_valid(Contract::Config, "frontmatter", &stop));
    assert_eq!(head(&stop, Life::Session, None), BTreeSet::new());
    assert_eq!(head(&stop, Life::Agent("a".into()), None), BTreeSet::from(["matcher-letter-case"]));
    // A plugin's skill may use the plugin's placeholders.
    let placeholder = handler("Stop", &json!({ "type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/x" }));
    assert!(!is_valid(Contract::Config, "frontmatter", &placeholder));
    assert_eq!(head(&placeholder, Life::Session, None), BTreeSet::from(["plugin-placeholder"]));
    let plugin = Plugin { name: "p".into(), root: "/p".into(), ..Plugin::default() };
    assert_eq!(head(&placeholder, Life::Session, Some(plugin)), BTreeSet::new());
}

fn hooks(event: &str, value: Value) -> Value {
    json!({ "hooks": object(&[(event, value)]) })
}

fn handler(event: &str, handler: &Value) -> Value {
    hooks(event, json!([{ "hooks": [handler] }]))
}

/// A document for every error that the reader gives and a schema says.
fn said() -> Vec<(&'static str, &'static str, Value)> {
    let command = |key: &str, value: Value| {
        let mut one = json!({ "type": "command", "command": "x" });
        one[key] = value;
        handler("PreToolUse", &one)
    };
    let matcher = |text: &str| hooks("PreToolUse", json!([{ "matcher": text, "hooks": [] }]));
    vec![
        ("not-an-object", "settings", json!([])),
        ("invalid-other-setting", "settings", json!({ "disableAllHooks": "yes" })),
        ("hooks-not-object", "settings", json!({ "hooks": [] })),
        ("missing-hooks-wrapper", "plugin", json!({ "Stop": [] })),
        ("missing-hooks-wrapper", "settings", json!({ "Stop": [] })),
        ("hooks-key-misspelt", "settings", json!({ "Hooks": {} })),
        ("hooks-key-misspelt", "plugin", json!({ "hook": {} })),
        ("superfluous-wrapper", "plugin-manifest", json!({ "hooks": { "hooks": {} } })),
        ("unknown-event", "settings", hooks("preToolUse", json!([]))),
        ("event-not-array", "settings", hooks("Stop", json!({}))),
        ("group-not-object", "settings", hooks("Stop", json!([1]))),
        ("handler-in-place-of-group", "settings", hooks("Stop", json!([{ "type": "command", "command": "x" }]))),
        ("hooks-not-array", "settings", hooks("Stop", json!([{ "hooks": {} }]))),
        ("handler-not-object", "settings", hooks("Stop", json!([{ "hooks": ["x"] }]))),
        ("missing-field", "settings", handler("Stop", &json!({ "type": "command" }))),
        ("wrong-type", "settings", command("args", json!("x"))),
        ("unknown-value", "settings", command("shell", json!("fish"))),
        ("timeout-not-positive", "settings", command("timeout", json!(0))),
        ("unknown-handler-type", "settings", handler("Stop", &json!({ "type": "script" }))),
        ("handler-type-not-run-here", "settings", handler("PreCompact", &json!({ "type": "prompt", "prompt": "x" }))),
        (
            "condition-never-holds",
            "settings",
            handler("Stop", &json!({ "type": "command", "command": "x", "if": "Bash" })),
        ),
        ("condition-not-a-rule", "settings", command("if", json!("git status && ls"))),
        ("condition-not-a-rule", "settings", command("if", json!("Bash(git *) || Edit(src/**)"))),
        ("condition-never-holds", "settings", command("if", json!("Agent(Explore)"))),
        (
            "prompt-decides-nothing",
            "settings",
            handler("PermissionRequest", &json!({ "type": "prompt", "prompt": "x" })),
        ),
        (
            "async-decides-nothing",
            "settings",
            handler("PreToolUse", &json!({ "type": "command", "command": "x", "async": true, "onFailure": "block" })),
        ),
        (
            "exec-form-no-shell",
            "settings",
            handler("PreToolUse", &json!({ "type": "command", "command": "$CLAUDE_PROJECT_DIR/x", "args": [] })),
        ),
        (
            "exec-form-no-shell",
            "settings",
            handler("PreToolUse", &json!({ "type": "command", "command": "node check.js", "args": [] })),
        ),
        (
            "powershell-variable",
            "settings",
            handler(
                "PreToolUse",
                &json!({ "type": "command", "command": "& $CLAUDE_PROJECT_DIR/x.ps1", "shell": "powershell" }),
            ),
        ),
        ("url-not-http", "settings", handler("PreToolUse", &json!({ "type": "http", "url": "localhost:8080" }))),
        ("plugin-placeholder", "settings", command("command", json!("${CLAUDE_PLUGIN_ROOT}/x"))),
        ("option-in-shell", "plugin", command("command", json!("${user_config.key}"))),
        ("matcher-letter-case", "settings", matcher("Edit|bash")),
        ("matcher-names-a-server", "settings", matcher("mcp__memory")),
        ("matcher-looks-like-rule", "settings", matcher("Bash(git *)")),
    ]
}

#[test]
fn every_error_is_said_or_listed() {
    let mut covered = BTreeSet::new();
    for (code, form, document) in said() {
        assert!(found(form, document.to_string().as_bytes()).contains(code), "{code}: {document}");
        assert!(!is_valid(Contract::Config, form, &document), "{code}: {document}");
        covered.insert(code);
    }
    covered.extend(UNSAID.iter().map(|rule| rule.code));
    for code in codes::CODES.iter().filter(|code| code.severity == Severity::Error) {
        assert!(covered.contains(code.about), "{} is neither said nor listed", code.id);
    }
}

#[test]
fn the_fixtures_configurations_are_valid() {
    for case in crate::fixtures::cases() {
        let document: Value = serde_json::from_str(&case.hooks).expect("json");
        let wrong = errors(Contract::Config, "settings", &document);
        assert!(wrong.is_empty(), "{}: {wrong:?}", case.label());
        agrees("settings", &document);
    }
}

#[test]
fn the_corpus_comes_to_the_same() {
    let folder = fixtures().join("corpus/claude");
    let index = read(&folder.join("index.json"));
    let (mut seen, mut refused) = (0, 0);
    for file in index["files"].as_array().expect("files") {
        let name = file["file"].as_str().expect("a name");
        let form =
            if file["installed_as"].as_str().expect("a place").contains("plugin") { "plugin" } else { "settings" };
        let bytes = std::fs::read(folder.join(name)).expect("the file");
        let text = String::from_utf8_lossy(&bytes);
        let Ok(document) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) else {
            assert!(found(form, &bytes).contains("not-json"), "{name}");
            continue;
        };
        agrees(form, &document);
        seen += 1;
        refused += usize::from(!is_valid(Contract::Config, form, &document));
    }
    assert!(seen > 25 && refused > 4, "{seen} files, {refused} refused");
}

#[test]
fn the_vectors_documents_come_to_the_same() {
    let file = read(&fixtures().join("vectors/claude/config.json"));
    let mut seen = 0;
    let mut stack = vec![&file];
    // Wherever a document stands in the file, it is a text that holds `hooks`.
    while let Some(value) = stack.pop() {
        match value {
            Value::String(text) if text.trim_start().starts_with('{') => {
                if let Ok(document) = serde_json::from_str::<Value>(text) {
                    agrees("settings", &document);
                    seen += 1;
                }
            }
            Value::Array(items) => stack.extend(items),
            Value::Object(members) => {
                if members.contains_key("hooks") && members.len() < 4 && members["hooks"].is_object() {
                    agrees("settings", value);
                    seen += 1;
                }
                stack.extend(members.values());
            }
            _ => {}
        }
    }
    assert!(seen > 20, "{seen} documents");
}

/// Every key of every type of handler on every event, with every kind of value.
#[test]
fn every_kind_of_value_comes_to_the_same() {
    let properties = |pointer: &str| -> BTreeSet<String> {
        let document = DOCUMENTS.iter().find(|one| one.contract == Contract::Config && one.of == "settings");
        let part = document.and_then(|document| document.schema.as_value().pointer(pointer)).expect("a part");
        part["properties"].as_object().expect("keys").keys().cloned().collect()
    };
    let mut keys = BTreeSet::from(["type".to_owned(), "zzz".to_owned()]);
    for case in 0..ALL_TYPES.len() {
        keys.extend(properties(&format!("/$defs/handler.PreToolUse/allOf/{case}/then")));
    }
    assert_eq!(keys.len(), 23, "{keys:?}");
    let values = odd_values();
    for event in &EVENTS {
        let name = event.facts.name;
        for kind in ALL_TYPES {
            let base = match kind.as_str() {
                "command" => json!({ "type": "command", "command": "x" }),
                "http" => json!({ "type": "http", "url": "http://x" }),
                "mcp_tool" => json!({ "type": "mcp_tool", "server": "s", "tool": "t" }),
                kind => json!({ "type": kind, "prompt": "x" }),
            };
            agrees("settings", &handler(name, &base));
            for key in &keys {
                let mut less = base.clone();
                less.as_object_mut().expect("an object").remove(key);
                agrees("settings", &handler(name, &less));
                for value in &values {
                    let mut other = base.clone();
                    other[key] = value.clone();
                    agrees("settings", &handler(name, &other));
                }
            }
        }
        for value in &values {
            agrees("settings", &hooks(name, value.clone()));
            agrees("settings", &hooks(name, json!([value])));
            agrees("settings", &hooks(name, json!([{ "hooks": value }])));
            agrees("settings", &hooks(name, json!([{ "hooks": [value] }])));
            agrees("settings", &hooks(name, json!([{ "matcher": value, "hooks": [] }])));
            agrees("settings", &hooks(name, json!([{ "zzz": value, "hooks": [] }])));
        }
    }
}

/// The same for the other forms, on the events that differ most.
#[test]
fn every_form_comes_to_the_same() {
    let values = odd_values();
    for form in SCHEMAS.configs.iter().map(|config| config.name) {
        let wrap = |events: Value| json!({ "hooks": events });
        for value in &values {
            agrees(form, value);
            for key in
                ["hooks", "description", "modules", "Stop", "PreToolUse", "zzz", "disableAllHooks", "permissions"]
            {
                agrees(form, &object(&[(key, value.clone())]));
                agrees(form, &object(&[(key, value.clone()), ("hooks", json!({}))]));
            }
            for key in ["PreToolUse", "Stop", "SessionEnd", "zzz", "hooks"] {
                agrees(form, &wrap(object(&[(key, value.clone())])));
            }
            for event in ["PreToolUse", "SessionEnd", "Stop"] {
                for key in ["command", "args", "once", "timeout", "if", "onFailure", "async"] {
                    let mut one = json!({ "type": "command", "command": "x" });
                    one[key] = value.clone();
                    agrees(form, &wrap(object(&[(event, json!([{ "hooks": [one] }]))])));
                }
            }
        }
    }
}

#[test]
fn settings_beside_the_hooks_come_to_the_same() {
    let document = DOCUMENTS.iter().find(|one| one.contract == Contract::Config && one.of == "settings").expect("one");
    let members = document.schema.as_value()["properties"].as_object().expect("keys");
    assert!(members.len() > 8, "{members:?}");
    for value in odd_values() {
        for key in members.keys() {
            agrees("settings", &object(&[(key, value.clone())]));
        }
        for key in ["allow", "deny", "ask", "zzz"] {
            agrees("settings", &json!({ "permissions": object(&[(key, value.clone())]) }));
        }
    }
}

/// Lists, names and near-names of each event's subject.
#[test]
fn matchers_come_to_the_same() {
    let mut texts: Vec<String> = [
        "",
        "*",
        "Bash",
        "bash",
        "BASH",
        " bash ",
        "Edit|bash",
        "Edit,bash",
        "Edit, bash",
        "bash|Edit",
        "bashful",
        "Bash|bash|",
        "a bash",
        "mcp__x",
        "mcp__x ",
        " mcp__x|Edit",
        "Edit|mcp__x_y",
        "mcp__x__y",
        "mcp__x__",
        "mcp__",
        "mcp___x",
        "mcp__ x",
        "mcp__x y",
        "mcp____x",
        "mcp__a_|b",
        "Bash(git *)",
        "Bash()",
        "Bash(",
        "bash(git *)",
        "Bash(a) b",
        "Foo(x)",
        "Bash (x)",
        "^bash$",
        "(?=B)",
        "mcp__.*",
        "propose_Skills",
        "lsp",
        "manual",
        "Manual",
        "auto|Manual",
        "explore",
        "Explore|plan",
        "user_settings",
        "User_Settings",
        "general-purpose",
        "General-Purpose",
        "rate_limit",
        "Rate_Limit",
        "|",
        "a||b",
        "é",
        "\u{a0}bash",
        "Bash(a\nb)",
        "bash\n",
    ]
    .map(str::to_owned)
    .into();
    for event in &EVENTS {
        if let SubjectFact::Field { values, .. } = event.facts.subject {
            texts.extend(values.iter().flat_map(|value| [(*value).to_owned(), value.to_uppercase()]));
        }
    }
    let mut verdicts: BTreeMap<bool, usize> = BTreeMap::new();
    for event in &EVENTS {
        for text in &texts {
            let document = hooks(event.facts.name, json!([{ "matcher": text, "hooks": [] }]));
            agrees("settings", &document);
            *verdicts.entry(is_valid(Contract::Config, "settings", &document)).or_default() += 1;
        }
    }
    assert!(verdicts[&false] > 50, "{verdicts:?}");
}

#[test]
fn conditions_come_to_the_same() {
    for text in [
        "",
        " ",
        "\t\n",
        "Bash",
        " Bash ",
        "Bash(git *)",
        "Bash(git *) ",
        "Bash()",
        "Bash(",
        "Bash(a) b",
        "(x)",
        "Bash(a)(b)",
        "a b",
        "mcp__s__*",
        "Edit(src/**)",
        "Bash(a\nb)",
        "Bash && Edit",
        "x:y.z-*",
        "é(x)",
    ] {
        for event in ["PreToolUse", "PostToolUse", "Stop", "SessionStart"] {
            agrees("settings", &handler(event, &json!({ "type": "command", "command": "x", "if": text })));
        }
    }
}

/// Keys of handlers, of every type.
const HANDLER_KEYS: &[&str] = &[
    "command",
    "args",
    "if",
    "timeout",
    "onFailure",
    "async",
    "shell",
    "once",
    "url",
    "headers",
    "server",
    "tool",
    "input",
    "prompt",
    "statusMessage",
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop::sample::select(odd_values());
    leaf.prop_recursive(4, 24, 3, |inner| {
        let around = ["hooks", "matcher", "type", "PreToolUse", "Stop", "SessionStart", "PreCompact", "zzz"];
        let key = prop::sample::select([HANDLER_KEYS, &around].concat());
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..4).prop_map(|members| object(&members)),
        ]
    })
}

/// Documents of the right outline, with something of anything in them.
fn document() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec!["command", "http", "mcp_tool", "prompt", "agent", "script"]);
    let key = prop::sample::select(HANDLER_KEYS);
    let member = (key, prop_oneof![3 => prop::sample::select(odd_values()), 1 => value()]);
    let one = (kind, prop::collection::vec(member, 0..5)).prop_map(|(kind, members)| {
        let mut one = object(&members);
        one["type"] = json!(kind);
        one
    });
    let group = (prop::option::of(prop::sample::select(odd_values())), prop::collection::vec(one, 0..3)).prop_map(
        |(matcher, handlers)| match matcher {
            Some(matcher) => json!({ "matcher": matcher, "hooks": handlers }),
            None => json!({ "hooks": handlers }),
        },
    );
    let event = prop::sample::select(EVENTS.iter().map(|event| event.facts.name).collect::<Vec<_>>());
    prop::collection::vec((event, prop::collection::vec(group, 0..3)), 0..3).prop_map(|events| {
        let events: Vec<_> = events.into_iter().map(|(event, groups)| (event, Value::from(groups))).collect();
        json!({ "hooks": object(&events) })
    })
}

proptest! {
    #![proptest_config(crate::cases(128))]

    #[test]
    fn anything_comes_to_the_same(
        form in prop::sample::select(SCHEMAS.configs.iter().map(|config| config.name).collect::<Vec<_>>()),
        document in prop_oneof![4 => document(), 1 => value()],
    ) {
        agrees(form, &document);
    }
}
