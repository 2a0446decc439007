//! Every file below `fixtures` is known and is what its place says: an event's folder has its four files, and they are
//! what the vendor's schemas ask for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crosshook::facts::EventFacts;
use crosshook::schema::{Schema, Schemas};
use jsonschema::Validator;
use serde_json::Value;

/// The files of an event's folder: a configuration with a hook on it, what the hook gets, what it answers, and what that
/// comes to in the vectors' form.
const OF_AN_EVENT: [&str; 4] = ["hooks.json", "stdin.json", "stdout.json", "effects.json"];

/// What a vendor's own schema of the event's answer says otherwise than its client, where that is so.
const DISAGREES: &str = "schema.json";

/// Files that a vendor's folder has beside those of its events.
const BESIDE: &[(&str, &[&str])] = &[
    (
        "cursor",
        &[
            "claude_shape_output.json",
            "full_config.json",
            "invalid_matcher.json",
            "prompt_hook.json",
            "unknown_event.json",
        ],
    ),
    ("claude", &[]),
    ("codex", &["reports.json"]),
];

/// Vendors with a second syntax for configurations: the file, and the name of its form.
const TOML: &[(&str, &str, &str)] = &[("codex", "config.toml", "config")];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file below `fixtures`, as paths from there with `/`.
fn files() -> BTreeSet<String> {
    let fixtures = root().join("fixtures");
    let mut found = BTreeSet::new();
    let mut folders = vec![fixtures.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&fixtures).unwrap().to_str().unwrap().replace('\\', "/");
                found.insert(name);
            }
        }
    }
    found
}

fn text(path: &str) -> String {
    let bytes = std::fs::read(root().join("fixtures").join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    String::from_utf8(bytes).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What a hook of an event printed, as JSON; `None` for text on an event that reads nothing of it.
fn printed(facts: &EventFacts, path: &str) -> Option<Value> {
    match serde_json::from_str(&text(path)) {
        Ok(value) => Some(value),
        Err(_) if facts.output.is_empty() => None,
        Err(error) => panic!("{path}: {error}"),
    }
}

fn toml(path: &str) -> Value {
    toml::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn vendors() -> Vec<&'static Schemas> {
    let schemas = crosshook::schemas();
    let names: Vec<_> = schemas.iter().map(|schemas| schemas.vendor.as_str()).collect();
    assert_eq!(names, crosshook::VENDORS);
    schemas
}

fn validator(schema: &Schema) -> Validator {
    jsonschema::validator_for(schema.as_value()).unwrap()
}

/// What a value is not that its schema asks for.
fn faults(schema: &Validator, value: &Value) -> Vec<String> {
    schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// The files that somebody reads, by where they lie.
fn known() -> BTreeSet<String> {
    let mut known = BTreeSet::from(["README.md".to_owned()]);
    let mut add = |path: String| assert!(known.insert(path.clone()), "{path} is known twice");
    for schemas in vendors() {
        let vendor = schemas.vendor.as_str();
        add(format!("{vendor}/README.md"));
        for name in BESIDE.iter().find(|(of, _)| *of == vendor).expect("a row for the vendor").1 {
            add(format!("{vendor}/{name}"));
        }
        for facts in schemas.facts {
            for file in OF_AN_EVENT {
                add(format!("{vendor}/{}/{file}", facts.name));
            }
            // These may be there.
            let toml =
                TOML.iter().filter(|(of, ..)| *of == vendor).map(|(_, file, _)| format!("{}/{file}", facts.name));
            let others = [format!("payloads/{}.json", facts.name), format!("{}/{DISAGREES}", facts.name)];
            for path in toml.chain(others) {
                let path = format!("{vendor}/{path}");
                if root().join("fixtures").join(&path).exists() {
                    add(path);
                }
            }
        }
        let corpus = format!("corpus/{vendor}");
        for name in ["index.json", "cases.json"] {
            add(format!("{corpus}/{name}"));
        }
        for file in json(&format!("{corpus}/index.json"))["files"].as_array().unwrap() {
            add(format!("{corpus}/{}", file["file"].as_str().unwrap()));
        }
        add(format!("vectors/{vendor}/excluded.json"));
    }
    for path in ["vectors/README.md", "vectors/core/README.md"] {
        add(path.to_owned());
    }
    for file in hooks_conformance::load(&root().join("fixtures/vectors")).unwrap() {
        add(format!("vectors/{}", file.label()));
    }
    // Files that tests of several vendors read: one of them names each.
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/cross_vendor");
    let sources =
        std::fs::read_dir(tests).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let sources: String = sources.collect();
    for path in files().iter().filter(|path| path.starts_with("neutral/")) {
        // A file, or the folder whose files are all read.
        let name = path.split('/').nth(1).expect("a name");
        if name == "README.md" || sources.contains(&format!("\"{name}\"")) {
            add(path.clone());
        }
    }
    known
}

#[test]
fn every_file_is_known_and_none_is_missing() {
    let (files, known) = (files(), known());
    let unknown: Vec<_> = files.difference(&known).collect();
    let missing: Vec<_> = known.difference(&files).collect();
    assert!(unknown.is_empty(), "nobody reads {unknown:#?}");
    assert!(missing.is_empty(), "not there: {missing:#?}");
}

/// Answers may be text, and configurations of the corpora are as people write them; both are held by other tests.
#[test]
fn every_other_json_file_is_json() {
    let as_written = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        path.starts_with("corpus/") && !matches!(name, "index.json" | "cases.json") || name == "stdout.json"
    };
    for path in files().iter().filter(|path| path.ends_with(".json") && !as_written(path)) {
        json(path);
    }
}

#[test]
fn what_an_event_has_is_what_its_schemas_ask_for() {
    let mut wrong = BTreeMap::new();
    let mut held = 0;
    let mut hold = |path: String, schema: &Validator, value: &Value| {
        held += 1;
        let faults = faults(schema, value);
        if !faults.is_empty() {
            wrong.insert(path, faults);
        }
    };
    for schemas in vendors() {
        let vendor = schemas.vendor.as_str();
        let forms: BTreeMap<_, _> =
            schemas.configs.iter().map(|form| (form.name, validator(&schemas.config(form).schema))).collect();
        let first = &forms[schemas.configs.first().expect("a form of configuration").name];
        for facts in schemas.facts {
            let folder = format!("{vendor}/{}", facts.name);
            let path = |file: &str| format!("{folder}/{file}");
            hold(path("hooks.json"), first, &json(&path("hooks.json")));
            hold(path("stdin.json"), &validator(&schemas.input(facts).schema), &json(&path("stdin.json")));
            if let Some(answer) = printed(facts, &path("stdout.json")) {
                hold(path("stdout.json"), &validator(&schemas.output(facts).schema), &answer);
            }
            assert!(json(&path("effects.json")).is_object(), "{}", path("effects.json"));
            for (_, file, form) in TOML.iter().filter(|(of, ..)| *of == vendor) {
                if root().join("fixtures").join(path(file)).exists() {
                    hold(path(file), &forms[form], &toml(&path(file)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Three of each event, but for answers that are no JSON because nobody reads them.
    let events: usize = vendors().iter().map(|schemas| schemas.facts.len()).sum();
    assert!(held > 3 * events - 10, "only {held} files were held to a schema");
}

#[test]
fn vectors_are_what_their_schema_asks_for() {
    let schema = validator(&Schema::try_from(hooks_conformance::schema::vectors()).unwrap());
    let vectors = files();
    let vectors = vectors
        .iter()
        .filter(|path| path.starts_with("vectors/") && path.ends_with(".json") && !path.ends_with("/excluded.json"));
    let mut held = 0;
    for path in vectors {
        let faults = faults(&schema, &json(path));
        assert!(faults.is_empty(), "{path}: {faults:#?}");
        held += 1;
    }
    assert!(held > 70, "only {held} files of vectors");
}
