//! Every file below `fixtures` is known and is what its place says: the files of a case are what the vendor's schemas ask
//! for, and a case that names a vector has what the vector has. With `CROSSHOOK_UPDATE=1` in the environment, the files of such
//! cases are written again from their vectors first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crosshook::outcome::End;
use crosshook::schema::{Schema, Schemas};
use hooks_conformance::fixture::{self, Case};
use hooks_conformance::format::{Decode, EndSpec, Kind, Text};
use jsonschema::Validator;
use serde_json::Value;

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

/// Vendors with a second syntax for configurations: the name of the form of `config.toml`.
const TOML: &[(&str, &str)] = &[("codex", "config")];

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

/// The cases of a vendor, with their folders' files and lines checked.
fn cases(schemas: &Schemas) -> Vec<Case> {
    let folder = root().join("fixtures").join(schemas.vendor.as_str());
    let events = schemas.facts.iter().map(|facts| facts.name);
    fixture::cases(&folder, events).unwrap_or_else(|error| panic!("{error}"))
}

/// What a hook printed, as JSON; `None` for text, which no schema is about.
fn printed(case: &Case) -> Option<Value> {
    let text = std::str::from_utf8(&case.outcome.stdout).unwrap();
    match serde_json::from_str(text) {
        Ok(value) => Some(value),
        // What begins like an answer is to be one.
        Err(error) if text.trim_start().starts_with(['{', '[', '"']) => panic!("{}: {error}", case.label()),
        Err(_) => None,
    }
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
        for case in cases(schemas) {
            let more = [("config.toml", case.toml.is_some()), ("stderr", !case.outcome.stderr.is_empty())];
            let more = more.into_iter().filter_map(|(file, is_there)| is_there.then_some(file));
            for file in fixture::FILES.into_iter().chain(more) {
                add(format!("{vendor}/{}/{file}", case.label()));
            }
        }
        for facts in schemas.facts {
            // These may be there.
            for path in [format!("payloads/{}.json", facts.name), format!("{}/{}", facts.name, fixture::OF_AN_EVENT)] {
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
    for path in crate::bridge::scripts::files() {
        add(format!("scripts/{path}"));
    }
    for path in crate::translate::evidence::files() {
        add(format!("evidence/{path}"));
    }
    add("neutral/README.md".to_owned());
    for path in crate::cross_vendor::files() {
        add(format!("neutral/{path}"));
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
fn what_a_case_has_is_what_the_schemas_ask_for() {
    let mut wrong = BTreeMap::new();
    let (mut answers, mut in_toml) = (0, 0);
    let mut hold = |label: String, schema: &Validator, value: &Value| {
        let faults = faults(schema, value);
        if !faults.is_empty() {
            wrong.insert(label, faults);
        }
    };
    let json = |case: &Case, file: &str, text: &str| -> Value {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{}/{file}: {error}", case.label()))
    };
    for schemas in vendors() {
        let vendor = schemas.vendor.as_str();
        let forms: BTreeMap<_, _> =
            schemas.configs.iter().map(|form| (form.name, validator(&schemas.config(form).schema))).collect();
        let first = &forms[schemas.configs.first().expect("a form of configuration").name];
        let events: BTreeMap<_, _> = schemas
            .facts
            .iter()
            .map(|facts| {
                (facts.name, (validator(&schemas.input(facts).schema), validator(&schemas.output(facts).schema)))
            })
            .collect();
        for case in cases(schemas) {
            let (input, output) = &events[case.event.as_str()];
            let label = |file: &str| format!("{vendor}/{}/{file}", case.label());
            hold(label("hooks.json"), first, &json(&case, "hooks.json", &case.hooks));
            hold(label("stdin.json"), input, &json(&case, "stdin.json", &case.stdin));
            if let Some(answer) = printed(&case) {
                answers += 1;
                hold(label("stdout.json"), output, &answer);
            }
            if let Some(text) = &case.toml {
                in_toml += 1;
                let form = TOML.iter().find(|(of, _)| *of == vendor).expect("a vendor with TOML").1;
                let value = toml::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", label("config.toml")));
                hold(label("config.toml"), &forms[form], &value);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Most events have an answer that is JSON; nobody reads those of the others.
    let events: usize = vendors().iter().map(|schemas| schemas.facts.len()).sum();
    assert!(answers > events && in_toml > 0, "only {answers} answers, and {in_toml} files in TOML");
}

/// Every event shows how a run goes well and how it does not: a case of exit code 0 or an answer to a request, and one of
/// another code, or one that answers nothing.
#[test]
fn every_event_has_an_answer_and_a_run_without_one() {
    for schemas in vendors() {
        let cases = cases(schemas);
        for facts in schemas.facts {
            let of_event = || cases.iter().filter(|case| case.event == facts.name);
            let answers = |case: &Case| matches!(case.outcome.end, End::Exited(0) | End::Http(200));
            assert!(
                of_event().any(|case| answers(case) && !case.outcome.stdout.is_empty()),
                "{}: no answer",
                facts.name
            );
            assert!(of_event().any(|case| !answers(case)), "{}: every run goes well", facts.name);
        }
    }
}

/// The vector that a case names.
fn named(vendor: &str, case: &Case) -> Option<(Decode, hooks_conformance::format::Basis)> {
    let id = case.line.vector()?;
    let path = root().join(format!("fixtures/vectors/{vendor}/{}.json", case.event));
    let files = hooks_conformance::load(&path).unwrap_or_else(|error| panic!("{error}"));
    let vector = files.into_iter().flat_map(|file| file.vectors).find(|vector| vector.id == id);
    let vector = vector.unwrap_or_else(|| panic!("{vendor}/{}: there is no vector `{id}`", case.label()));
    let Kind::Decode(decode) = vector.kind else { panic!("{vendor}/{}: `{id}` is no decode", case.label()) };
    // A case's occurrence and binding are in its files.
    assert!(decode.given.is_none() && decode.policy.is_none(), "{vendor}/{}: `{id}` is about more", case.label());
    Some((decode, vector.basis))
}

/// What a vector says of a run, as the files of a case have it: standard output, standard error and `exit`.
fn files_of(decode: &Decode) -> (Vec<u8>, Vec<u8>, String) {
    let bytes = |text: &Option<Text>| text.as_ref().map(Text::bytes).unwrap_or_default();
    let exit = match decode.outcome.end {
        EndSpec::Exited(code) => format!("{code}\n"),
        EndSpec::Http(status) => format!("http {status}\n"),
        ref other => panic!("{other:?} is no end that a case has"),
    };
    (bytes(&decode.outcome.stdout), bytes(&decode.outcome.stderr), exit)
}

/// Writes a case's files as its vector has them.
fn update(case: &Case, decode: &Decode) {
    let (stdout, stderr, exit) = files_of(decode);
    let expect = serde_json::to_string_pretty(&decode.expect).unwrap() + "\n";
    let write = |file: &str, bytes: &[u8]| std::fs::write(case.folder.join(file), bytes).unwrap();
    write("stdout.json", &stdout);
    write("exit", exit.as_bytes());
    write("expect.json", expect.as_bytes());
    if !stderr.is_empty() {
        write("stderr", &stderr);
    } else if case.folder.join("stderr").exists() {
        std::fs::remove_file(case.folder.join("stderr")).unwrap();
    }
}

#[test]
fn a_case_that_names_a_vector_has_what_the_vector_has() {
    let updates = std::env::var_os("CROSSHOOK_UPDATE").is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    let mut held = 0;
    for schemas in vendors() {
        let vendor = schemas.vendor.as_str();
        for case in cases(schemas) {
            let Some((decode, basis)) = named(vendor, &case) else { continue };
            held += 1;
            let (stdout, stderr, exit) = files_of(&decode);
            // A file may end with a line end that the vector has not: nothing reads it.
            let same = |file: &[u8], vector: &[u8]| file == vector || file.strip_suffix(b"\n") == Some(vector);
            let fits = same(&case.outcome.stdout, &stdout)
                && case.outcome.stderr == stderr
                && std::fs::read_to_string(case.folder.join("exit")).unwrap() == exit
                && case.expect == decode.expect;
            if !fits && updates {
                update(&case, &decode);
            } else if !fits {
                wrong.push(format!("{vendor}/{}", case.label()));
            }
            assert_eq!(case.line.basis, basis, "{vendor}/{}: the vector's evidence is another", case.label());
        }
    }
    assert!(wrong.is_empty(), "not as their vectors, which CROSSHOOK_UPDATE=1 writes: {wrong:#?}");
    assert!(held > 200, "only {held} cases name a vector");
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
