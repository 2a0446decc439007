//! The format's schema takes what the loader takes and refuses what it refuses, but for what is listed here.
#![allow(clippy::print_stderr, reason = "a check that is left out is said so")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hooks_conformance::{load, parse, schema};
use jsonschema::Validator;
use serde_json::{Map, Value, json};

fn validator() -> Validator {
    let schema = schema::vectors();
    assert!(jsonschema::meta::is_valid(&schema), "the schema is no schema");
    jsonschema::validator_for(&schema).expect("a schema")
}

fn json_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            json_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") && !path.ends_with("excluded.json") {
            found.push(path);
        }
    }
}

#[test]
fn every_file_of_vectors_is_valid() {
    let validator = validator();
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    let mut folders = vec![crate::vectors()];
    if shared.is_dir() {
        folders.push(shared);
    } else {
        eprintln!("skipped: there are no vectors in ../shared/vectors beside the project");
    }
    for folder in folders {
        let mut files = Vec::new();
        json_files(&folder, &mut files);
        assert!(files.len() > 70, "{} files", files.len());
        for file in files {
            let document: Value = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("json");
            let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{}: {errors:?}", file.display());
        }
    }
}

#[test]
fn it_says_what_it_is_and_its_examples_load() {
    let validator = validator();
    let schema = schema::vectors();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["$id"], "urn:crosshook:schema:vectors");
    let examples = schema["examples"].as_array().expect("examples");
    let mut kinds = Vec::new();
    for example in examples {
        assert!(validator.is_valid(example), "{example}");
        let file = parse("example.json", &example.to_string()).expect("a file");
        kinds.extend(file.vectors.iter().map(|vector| vector.kind.word()));
    }
    kinds.sort_unstable();
    kinds.dedup();
    let mut all = hooks_conformance::format::Kind::WORDS.to_vec();
    all.sort_unstable();
    assert_eq!(kinds, all);
    // Everything that has a name says what it is, and no text is left in rustdoc's own form.
    for (name, definition) in schema["$defs"].as_object().expect("definitions") {
        assert!(definition["title"].is_string() && definition["description"].is_string(), "{name}: {definition}");
        for (key, property) in definition["properties"].as_object().into_iter().flatten() {
            assert!(property["description"].is_string(), "{name}.{key}: {property}");
        }
    }
    assert!(!schema.to_string().contains("[`"));
}

/// What a value is replaced by.
fn others() -> [Value; 9] {
    [
        json!(null),
        json!(true),
        json!(7),
        json!(-1),
        json!(1.5),
        json!(5_000_000_000_u64),
        json!("x"),
        json!([]),
        json!({}),
    ]
}

/// Every document that differs from one in one place, with what was done.
fn mutants(value: &Value) -> Vec<(String, Value)> {
    let mut found: Vec<(String, Value)> =
        others().into_iter().filter(|other| other != value).map(|other| (format!(" = {other}"), other)).collect();
    match value {
        Value::Object(map) => {
            let with = |change: &dyn Fn(&mut Map<String, Value>)| {
                let mut map = map.clone();
                change(&mut map);
                Value::Object(map)
            };
            found.push((" + unknown key".to_owned(), with(&|map| drop(map.insert("unknown".to_owned(), json!(1))))));
            for (key, below) in map {
                found.push((format!(" - {key}"), with(&|map| drop(map.remove(key)))));
                for (what, mutant) in mutants(below) {
                    let whole = with(&|map| drop(map.insert(key.clone(), mutant.clone())));
                    found.push((format!("/{key}{what}"), whole));
                }
            }
        }
        Value::Array(items) => {
            for (at, below) in items.iter().enumerate().take(3) {
                for (what, mutant) in mutants(below) {
                    let mut items = items.clone();
                    items[at] = mutant;
                    found.push((format!("/{at}{what}"), Value::Array(items)));
                }
            }
        }
        _ => {}
    }
    found
}

/// Vectors that between them have every key of the format, few of each kind.
fn various() -> Vec<Value> {
    let mut chosen: Vec<Value> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for file in load(&crate::vectors()).expect("vectors") {
        for vector in &file.vectors {
            let written = serde_json::to_value(vector).expect("json");
            if written.to_string().len() > 800 {
                continue;
            }
            let mut new = false;
            for path in paths(&written, vector.kind.word()) {
                let count = known.entry(path).or_default();
                *count += 1;
                new |= *count == 1;
            }
            if new {
                let mut document = serde_json::to_value(&file).expect("json");
                document["vectors"] = json!([written]);
                chosen.push(document);
            }
        }
    }
    chosen
}

/// The keys of a value with the types of what they have, each with the way to it.
fn paths(value: &Value, at: &str) -> Vec<String> {
    match value {
        // What a tool takes and what a handler is are anything.
        Value::Object(_) if at.ends_with("replacement_input") || at.ends_with("replacement_result") => Vec::new(),
        Value::Object(_) if at.ends_with("/handler") || at.ends_with("/input") || at.ends_with("session_env") => {
            Vec::new()
        }
        Value::Object(map) => map.iter().flat_map(|(key, below)| paths(below, &format!("{at}/{key}"))).collect(),
        Value::Array(items) => items.iter().flat_map(|below| paths(below, &format!("{at}/*"))).collect(),
        Value::Null => vec![format!("{at}: null")],
        Value::String(_) => vec![format!("{at}: string")],
        other => vec![format!("{at}: {}", if other.is_number() { "number" } else { "bool" })],
    }
}

#[test]
fn what_the_loader_refuses_the_schema_refuses_and_no_more() {
    let validator = validator();
    let originals = various();
    assert!(originals.len() > 40, "{} vectors", originals.len());
    let (mut taken, mut refused, mut arrays) = (0, 0, 0);
    let mut differences = Vec::new();
    for original in originals {
        for (what, mutant) in mutants(&original) {
            let loaded = parse("mutant.json", &mutant.to_string());
            let valid = validator.is_valid(&mutant);
            match (loaded.is_ok(), valid) {
                (true, true) => taken += 1,
                (false, false) => refused += 1,
                // Listed: an object may be written as the array of its values.
                (true, false) if what.ends_with(" = []") => arrays += 1,
                (loads, _) => {
                    let id = &original["vectors"][0]["id"];
                    let why = loaded.err().map(|error| error.to_string()).unwrap_or_default();
                    // Listed: what no schema can say.
                    if !loads && (why.contains("none for its vendor") || why.contains("comes to more than")) {
                        continue;
                    }
                    differences.push(format!("{id} {what}: loads: {loads}, valid: {valid} {why}"));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    assert!(taken > 1000 && refused > 10_000 && arrays > 0, "{taken} taken, {refused} refused, {arrays} arrays");
}

fn file(vectors: Value) -> Value {
    json!({ "format": 1, "vendor": "toy", "event": "before", "client": null, "vectors": vectors })
}

fn decode(id: &str, more: Value) -> Value {
    let mut vector = json!({
        "id": id, "kind": "decode", "basis": "doc", "source": "a test", "outcome": { "end": "timed_out" }, "expect": {},
    });
    vector.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    vector
}

#[test]
fn the_differences_are_those_that_are_listed() {
    let validator = validator();
    let long = json!({ "repeat": "xx", "times": u64::MAX / 2 });
    let settle = json!({
        "id": "s", "kind": "fold", "basis": "doc", "source": "a test", "expect": {}, "policies": {},
        "items": [{ "vendor": "a", "binding": "b", "finishes": 0, "effects": {} }],
    });
    let only_the_loader_refuses = [
        ("an id twice", file(json!([decode("a", json!({})), decode("a", json!({}))]))),
        ("a vendor without a policy", file(json!([settle]))),
        ("too long", file(json!([decode("a", json!({ "outcome": { "end": "timed_out", "stdout": long } }))]))),
        ("a whole number as 1.0", file(json!([decode("a", json!({ "outcome": { "end": { "exited": 1.0 } } }))]))),
    ];
    for (what, document) in only_the_loader_refuses {
        assert!(validator.is_valid(&document), "{what}");
        assert!(parse("a.json", &document.to_string()).is_err(), "{what}");
    }
    let only_the_schema_refuses = [
        ("an object as an array", file(json!([decode("a", json!({ "policy": [true] }))]))),
        ("a word as an object", file(json!([decode("a", json!({ "expect": { "verdict": { "deny": null } } }))]))),
        ("an end as an object", file(json!([decode("a", json!({ "outcome": { "end": { "timed_out": null } } }))]))),
    ];
    for (what, document) in only_the_schema_refuses {
        assert!(!validator.is_valid(&document), "{what}");
        assert!(parse("a.json", &document.to_string()).is_ok(), "{what}");
    }
    let twice = file(json!([decode("a", json!({}))]))
        .to_string()
        .replace(r#""expect":{}"#, r#""expect":{"failed":true,"failed":false}"#);
    let error = parse("a.json", &twice).expect_err("a key twice").to_string();
    assert!(error.contains("/vectors/0/expect") && error.contains("`failed` stands twice"), "{error}");
    assert!(validator.is_valid(&serde_json::from_str::<Value>(&twice).expect("json")));
}
