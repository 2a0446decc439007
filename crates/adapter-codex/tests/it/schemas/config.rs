//! Configurations: a document is invalid by its schema exactly where the adapter gives an error for it.

use std::fs;
use std::sync::Arc;

use adapter_codex::events::EVENTS;
use adapter_codex::{Adapter, codes, keys};
use hooks_core::HostSide;
use hooks_core::diagnostic::{Diagnostic, Severity};
use hooks_core::schema::Contract;
use hooks_core::source::{Origin, Role, Source, Syntax};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::fits;
use super::generated::{changed, odd};

/// A kind of document: the form of its schema, and where it lies.
#[derive(Clone, Copy, Debug)]
struct Form {
    name: &'static str,
    origin: Origin,
    role: Role,
    path: &'static str,
}

const HOOKS: Form = Form { name: "hooks", origin: Origin::Project, role: Role::Hooks, path: ".codex/hooks.json" };
const PLUGIN: Form =
    Form { name: "plugin", origin: Origin::Plugin, role: Role::PluginManifest, path: ".codex-plugin/plugin.json" };
const CONFIG: Form =
    Form { name: "config", origin: Origin::User, role: Role::Hooks, path: "/home/u/.codex/config.toml" };
const REQUIREMENTS: Form = Form {
    name: "requirements",
    origin: Origin::Managed,
    role: Role::Requirements,
    path: "/etc/codex/requirements.toml",
};
const FORMS: [Form; 4] = [HOOKS, PLUGIN, CONFIG, REQUIREMENTS];

impl Form {
    fn is_toml(self) -> bool {
        self.path.ends_with(".toml")
    }

    fn text(self, value: &Value) -> Option<String> {
        if self.is_toml() { toml::to_string(value).ok() } else { Some(value.to_string()) }
    }
}

/// An error that no schema can speak of.
struct Unsayable {
    code: &'static str,
    why: &'static str,
    /// Whether a diagnostic with the code is of this kind; others with it can be said.
    is: fn(&str, &Diagnostic) -> bool,
    /// Documents that have it and nothing else wrong.
    shown: &'static [(Form, &'static str)],
}

const UNSAYABLE: [Unsayable; 7] = [
    Unsayable {
        code: "codex/duplicate-event",
        why: "a schema sees one value a key",
        is: |_, _| true,
        shown: &[(HOOKS, r#"{"hooks":{"Stop":[],"Stop":[]}}"#)],
    },
    Unsayable {
        code: "codex/duplicate-key",
        why: "a schema sees one value a key; two spellings of a key it does see",
        is: |text, found| !(text.contains("commandWindows") && text[place(found)].contains("command_windows")),
        shown: &[
            (HOOKS, r#"{"hooks":{},"hooks":{}}"#),
            (HOOKS, r#"{"hooks":{"Stop":[{"hooks":[],"hooks":[]}]}}"#),
            (HOOKS, r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","type":"command","command":"a"}]}]}}"#),
            (HOOKS, r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a","timeout":1,"timeout":1}]}]}}"#),
        ],
    },
    Unsayable {
        code: "codex/matcher-not-regex",
        why: "no keyword knows the expressions of Rust's regex crate",
        is: |_, _| true,
        shown: &[
            (HOOKS, r#"{"hooks":{"PreToolUse":[{"matcher":"(","hooks":[]}]}}"#),
            (HOOKS, r#"{"hooks":{"PreToolUse":[{"matcher":"(?=a)b","hooks":[{"type":"command","command":"a"}]}]}}"#),
            (
                REQUIREMENTS,
                "[[hooks.SubagentStop]]\nmatcher='('\n[[hooks.SubagentStop.hooks]]\ntype='command'\ncommand='a'\n",
            ),
        ],
    },
    Unsayable {
        code: "codex/matcher-never-matches",
        why: "no keyword knows which names calls can have",
        is: |_, _| true,
        shown: &[
            (HOOKS, r#"{"hooks":{"PreToolUse":[{"matcher":"WebSearch","hooks":[{"type":"command","command":"a"}]}]}}"#),
            (HOOKS, r#"{"hooks":{"SessionStart":[{"matcher":"Bash|Edit","hooks":[]}]}}"#),
        ],
    },
    Unsayable {
        code: "codex/unknown-event",
        why: "no keyword measures how near a name is to another; a schema warns of every unknown one",
        is: |_, _| true,
        shown: &[
            (HOOKS, r#"{"hooks":{"preToolUse":[]}}"#),
            (CONFIG, "[[hooks.pre_tool_use]]\n[[hooks.pre_tool_use.hooks]]\ntype='command'\ncommand='a'\n"),
        ],
    },
    Unsayable {
        code: "codex/unknown-field",
        why: "no keyword measures how near a name is to another",
        is: |_, _| true,
        shown: &[(HOOKS, r#"{"hooks":{"PreToolUse":[{"hook":[{"type":"command","command":"a"}]}]}}"#)],
    },
    Unsayable {
        code: "codex/wrong-type",
        why: "to a schema `1.0`, `1e2` and `-0` are whole numbers that are not negative, and a date is a string",
        is: |text, found| {
            let written = &text[place(found)];
            let number = written.parse::<f64>();
            let is_odd = number.is_ok_and(|number| number >= 0.0 && number.fract() == 0.0);
            (is_odd && written.contains(['.', 'e', 'E', '-'])) || written.parse::<toml::value::Datetime>().is_ok()
        },
        shown: &[
            (HOOKS, r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a","timeout":1.0}]}]}}"#),
            (HOOKS, r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a","timeout":1e2}]}]}}"#),
            (HOOKS, r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a","timeout":-0}]}]}}"#),
            (CONFIG, "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype='command'\ncommand='a'\nstatusMessage=2026-01-01\n"),
        ],
    },
];

fn place(found: &Diagnostic) -> std::ops::Range<usize> {
    found.range.clone().unwrap()
}

fn errors(form: Form, text: &str) -> Vec<Diagnostic> {
    let adapter = Adapter::latest();
    let syntax = if form.is_toml() { Syntax::Toml } else { Syntax::Json };
    let mut source = Source::hooks(adapter.vendor().clone(), form.origin, syntax, form.path, text.as_bytes().to_vec());
    source.role = form.role;
    let parsed = adapter.parse(&Arc::new(source));
    parsed.diagnostics.into_iter().filter(|found| found.severity == Severity::Error).collect()
}

/// The document as a validator sees it; `None` where there is no document.
fn seen(form: Form, text: &str) -> Option<Value> {
    fn plain(value: toml::Value) -> Value {
        match value {
            toml::Value::String(text) => json!(text),
            toml::Value::Integer(number) => json!(number),
            toml::Value::Float(number) => json!(number),
            toml::Value::Boolean(flag) => json!(flag),
            toml::Value::Datetime(time) => json!(time.to_string()),
            toml::Value::Array(items) => items.into_iter().map(plain).collect(),
            toml::Value::Table(table) => table.into_iter().map(|(key, value)| (key, plain(value))).collect(),
        }
    }
    if form.is_toml() {
        return toml::from_str::<toml::Table>(text).ok().map(|table| plain(toml::Value::Table(table)));
    }
    serde_json::from_str(text).ok()
}

/// Holds the adapter and the schema of a document together; gives whether it is valid.
fn compare(form: Form, text: &str) -> Result<Option<bool>, String> {
    let errors = errors(form, text);
    let Some(value) = seen(form, text) else {
        return if errors.is_empty() {
            Err(format!("{form:?}: no error for what is no document: {text}"))
        } else {
            Ok(None)
        };
    };
    let can_be_said = |found: &&Diagnostic| {
        !UNSAYABLE.iter().any(|unsayable| unsayable.code == found.code.id && (unsayable.is)(text, found))
    };
    let valid = fits(Contract::Config, form.name, &value);
    // Of a group with a bad matcher the adapter says nothing more, so that the schema may find what it does not name.
    if if valid { errors.iter().any(|found| can_be_said(&found)) } else { errors.is_empty() } {
        return Err(format!("{form:?}: by its schema {valid}, errors {errors:?}: {text}"));
    }
    if valid != fits(Contract::ConfigDraft07, form.name, &value) {
        return Err(format!("{form:?}: the drafts differ: {text}"));
    }
    Ok(Some(valid))
}

#[test]
fn fixtures_are_valid() {
    for case in crate::fixtures::cases() {
        let toml = case.toml.as_deref();
        for (form, text) in [(HOOKS, Some(case.hooks.as_str())), (CONFIG, toml), (REQUIREMENTS, toml)] {
            let Some(text) = text else { continue };
            assert_eq!(compare(form, text), Ok(Some(true)), "{} {form:?}", case.label());
        }
    }
}

#[test]
fn corpus_documents_are_judged_as_the_adapter_judges_them() {
    let index: Value = serde_json::from_slice(&fs::read(crate::fixtures("corpus/codex/index.json")).unwrap()).unwrap();
    let mut counts = [0; 3];
    for entry in index["files"].as_array().unwrap() {
        let file = entry["file"].as_str().unwrap();
        let text = fs::read_to_string(crate::fixtures("corpus/codex").join(file)).unwrap();
        let form = match entry["installed_as"].as_str().unwrap() {
            "requirements.toml" => REQUIREMENTS,
            _ if file.ends_with(".toml") => CONFIG,
            _ => HOOKS,
        };
        let verdict = compare(form, &text).unwrap_or_else(|error| panic!("{file}: {error}"));
        counts[verdict.map_or(2, usize::from)] += 1;
        if entry["valid"] == "no" {
            assert_ne!(verdict, Some(true), "{file}");
        }
    }
    assert!(counts[0] >= 4 && counts[1] >= 15 && counts[2] >= 1, "{counts:?}");
}

#[test]
fn vectors_and_their_changes_are_judged_as_the_adapter_judges_them() {
    let file: Value = serde_json::from_slice(&fs::read(crate::fixtures("vectors/codex/config.json")).unwrap()).unwrap();
    let mut counts = [0; 3];
    let mut forms = FORMS.into_iter().cycle();
    let mut judge = |form: Form, text: &str| {
        let verdict = compare(form, text).unwrap_or_else(|error| panic!("{error}"));
        counts[verdict.map_or(2, usize::from)] += 1;
    };
    for vector in file["vectors"].as_array().unwrap() {
        // Only texts; what is no text is no document.
        let Some(text) = vector["document"].as_str() else { continue };
        let form = if vector["syntax"] == "toml" { CONFIG } else { HOOKS };
        judge(form, text);
        let Some(value) = seen(form, text) else { continue };
        for value in changed(&value) {
            // One form each is enough: the forms take turns.
            let form = forms.next().unwrap();
            // The manifest has such a document inside.
            let value = if form.role == Role::PluginManifest { json!({ "hooks": value }) } else { value };
            if let Some(text) = form.text(&value).filter(|_| value.is_object() || !form.is_toml()) {
                judge(form, &text);
            }
        }
    }
    assert!(counts[0] > 1000 && counts[1] > 1000 && counts[2] > 5, "{counts:?}");
}

#[test]
fn what_no_schema_can_say_is_listed_and_nothing_else() {
    for unsayable in &UNSAYABLE {
        assert!(codes::CODES.iter().any(|code| code.id == unsayable.code), "{}", unsayable.code);
        assert!(!unsayable.why.is_empty() && !unsayable.shown.is_empty(), "{}", unsayable.code);
        for (form, text) in unsayable.shown {
            let found = errors(*form, text);
            assert!(!found.is_empty(), "{}: no longer an error: {text}", unsayable.code);
            assert!(found.iter().all(|found| found.code.id == unsayable.code), "{text}: {found:?}");
            assert_eq!(compare(*form, text), Ok(Some(true)), "{}: the schema can say it: {text}", unsayable.code);
        }
    }
    // Two spellings of one key.
    let twice = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a","commandWindows":"b","command_windows":"c"}]}]}}"#;
    assert_eq!(compare(HOOKS, twice), Ok(Some(false)));
    assert_eq!(errors(HOOKS, twice).len(), 1);
}

#[test]
fn trust_records_count_in_the_users_file_only() {
    let text = "[hooks.state.'a:stop:0:0']\nenabled = 'no'\n";
    assert_eq!(compare(CONFIG, text), Ok(Some(false)));
    // Elsewhere they are not read, which a schema for all of these files cannot say.
    let project = Form { origin: Origin::Project, path: ".codex/config.toml", ..CONFIG };
    assert!(errors(project, text).is_empty());
    assert_eq!(compare(REQUIREMENTS, text), Ok(Some(true)));
}

/// A value for a key: mostly one that fits.
fn value_of(key: &'static keys::Key) -> BoxedStrategy<Value> {
    let fitting = match key.value {
        keys::Value::Text | keys::Value::Spoken => json!("word"),
        keys::Value::Flag => json!(true),
        keys::Value::Whole => json!(2),
        _ => json!({ "a": [{ "b": 1 }] }),
    };
    prop_oneof![
        6 => Just(fitting),
        1 => proptest::sample::select(odd()),
        1 => proptest::sample::select(vec![json!({ "a": { "b": [null] } }), json!(u64::MAX), json!(18_446_744_073_709_551_616.0)]),
        1 => proptest::sample::select(vec![
            json!({ "a": [i64::MAX.unsigned_abs() + 1] }),
            json!({ "a": u64::MAX }),
            json!({ "a": i64::MAX }),
            json!({ "a": 18_446_744_073_709_551_616.0 }),
        ]),
    ]
    .boxed()
}

fn object(members: Vec<(&'static str, BoxedStrategy<Value>, f64)>) -> BoxedStrategy<Value> {
    let start = Just(Map::new()).boxed();
    let object = members.into_iter().fold(start, |object, (key, value, likely)| {
        (object, proptest::option::weighted(likely, value))
            .prop_map(move |(mut object, value)| {
                if let Some(value) = value {
                    object.insert(key.to_owned(), value);
                }
                object
            })
            .boxed()
    });
    object.prop_map(Value::Object).boxed()
}

/// A handler, with the keys of the table.
fn handler() -> BoxedStrategy<Value> {
    let kinds: Vec<_> = keys::HANDLER_TYPES
        .iter()
        .map(|kind| {
            let word = prop_oneof![19 => Just(json!(kind.word)), 1 => proptest::sample::select(odd())].boxed();
            let mut members = vec![(keys::TYPE, word, 0.95)];
            for key in kind.keys {
                for name in key.spellings() {
                    members.push((name, value_of(key), if key.required { 0.95 } else { 0.25 }));
                }
            }
            members.push(("timeoutSec", Just(json!("x")).boxed(), 0.1));
            object(members)
        })
        .collect();
    prop_oneof![19 => proptest::strategy::Union::new(kinds), 1 => proptest::sample::select(odd())].boxed()
}

fn group() -> BoxedStrategy<Value> {
    let matcher = proptest::sample::select(vec![json!("Bash"), json!("("), json!(""), json!(null), json!(1)]).boxed();
    let handlers = proptest::collection::vec(handler(), 0..3).prop_map(Value::Array);
    let handlers = prop_oneof![19 => handlers, 1 => proptest::sample::select(odd())].boxed();
    let group = object(vec![
        (keys::MATCHER, matcher, 0.3),
        (keys::HOOKS, handlers, 0.95),
        ("other", Just(json!(1)).boxed(), 0.1),
    ]);
    prop_oneof![17 => group, 2 => handler(), 1 => proptest::sample::select(odd())].boxed()
}

fn document() -> BoxedStrategy<Value> {
    let names: Vec<&str> = EVENTS.iter().map(|event| event.facts.name).chain(["preToolUse"]).collect();
    let groups = proptest::collection::vec(group(), 0..3).prop_map(Value::Array);
    let groups = prop_oneof![19 => groups, 1 => proptest::sample::select(odd())];
    let events = proptest::collection::btree_map(proptest::sample::select(names), groups, 0..3);
    let any = || proptest::sample::select(odd()).boxed();
    let record = object(vec![
        (keys::ENABLED, prop_oneof![3 => Just(json!(true)), 1 => any()].boxed(), 0.5),
        (keys::TRUSTED_HASH, prop_oneof![3 => Just(json!("sha256:0")), 1 => any()].boxed(), 0.5),
        (keys::TRUSTED_CONTENT_HASH, prop_oneof![3 => Just(json!("sha256:0")), 1 => any()].boxed(), 0.2),
    ]);
    let state = record.prop_map(|record| json!({ "k": record }));
    let state = prop_oneof![9 => state, 1 => any()];
    let dir = prop_oneof![4 => Just(json!("/d")), 1 => any()];
    let map = (events, proptest::option::weighted(0.2, state), proptest::option::weighted(0.2, dir)).prop_map(
        |(events, state, dir)| {
            let mut map: Map<String, Value> = events.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
            map.extend(state.map(|state| (keys::STATE.to_owned(), state)));
            map.extend(dir.map(|dir| (keys::MANAGED_DIR.to_owned(), dir)));
            Value::Object(map)
        },
    );
    let features = object(vec![("hooks", any(), 0.5), ("codex_hooks", any(), 0.5), ("other", any(), 0.5)]);
    object(vec![
        (keys::HOOKS, map.boxed(), 0.97),
        (keys::DESCRIPTION, any(), 0.05),
        (keys::FEATURES, features, 0.05),
        (keys::MANAGED_ONLY, any(), 0.05),
        ("other", any(), 0.03),
    ])
}

/// The document without nulls, which TOML does not have.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().filter(|item| !item.is_null()).map(without_nulls).collect(),
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (key, without_nulls(value)))
            .collect(),
        other => other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(1024)))]

    #[test]
    fn whatever_a_document_holds_schema_and_adapter_judge_alike(value in document(), form in 0..FORMS.len()) {
        let form = FORMS[form];
        let value = match form.role {
            _ if form.is_toml() => without_nulls(value),
            Role::PluginManifest => json!({ "name": 1, "hooks": [value, "./hooks.json"] }),
            _ => value,
        };
        if let Some(text) = form.text(&value) {
            let compared = compare(form, &text);
            prop_assert!(compared.is_ok(), "{}", compared.err().unwrap_or_default());
        }
    }
}
