//! The programs of others that read our schemas, held to what the Rust validator says: a test that
//! `cargo xtask consumers` runs, and a step of `cargo xtask ci`.
//!
//! ajv and the JSON language service of VS Code (npm), check-jsonschema (PyPI) and taplo (npm) are installed below
//! `target/consumers`, at the versions that `xtask/consumers` fixes. So is a package that carries the official schema of
//! SARIF, which what `crosshook check --format sarif` prints is held to. The documents are the cases of every event and
//! every configuration of the corpora; which schema is for which configuration is looked up in the catalogue, as an
//! editor would.
//!
//! It is a test because the Rust validator is for tests alone: below a program it would turn on features of `serde_json`
//! for everything that is built with it.

mod sarif;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::catalog::{Catalog, Place, corpus};
use crate::{ASKED, WHERE_POSSIBLE, python, succeed};

/// One document with the schema for it, and what the Rust validator says.
struct Held {
    schema: String,
    instance: String,
    value: Value,
    valid: bool,
    /// Whether the file as it stands is strict JSON or TOML: comments and byte order marks are for programs that read them.
    strict: bool,
}

/// Installs the programs and holds them to the schemas, where [`ASKED`] says so.
#[test]
fn others_read_our_schemas_as_we_do() {
    let asked = std::env::var(ASKED).unwrap_or_default();
    if asked.is_empty() {
        eprintln!("SKIPPED: the editors and validators of others are asked by `cargo xtask consumers` alone");
        return;
    }
    let root = crate::root();
    let missing = python::missing(&["node", "npm", "python3"]);
    let installed = missing.map_or_else(|| install(&root), |program| Err(format!("there is no `{program}` here")));
    match installed {
        Err(why) if asked == WHERE_POSSIBLE => {
            eprintln!("  SKIPPED: the editors and validators of others were not asked: {why}");
        }
        Err(why) => panic!("{why}"),
        Ok(()) => {
            if let Err(differences) = hold(&root) {
                panic!("{differences}");
            }
        }
    }
}

fn folder(root: &Path) -> PathBuf {
    root.join("target/consumers")
}

/// Holds the installed programs to the schemas.
fn hold(root: &Path) -> Result<(), String> {
    let folder = folder(root);
    let schemas = schema_files(root)?;
    let held = documents(root)?;
    if held.is_empty() {
        return Err("there are no documents to hold the schemas to".to_owned());
    }
    let judged =
        |one: &Held| json!({ "schema": one.schema, "instance": one.instance, "value": one.value, "valid": one.valid });
    let expected = json!({ "schemas": schemas, "documents": held.iter().map(judged).collect::<Vec<_>>() });
    let file = folder.join("expected.json");
    fs::write(&file, expected.to_string()).map_err(|error| format!("{}: {error}", file.display()))?;
    succeed(Command::new("node").arg(folder.join("check.mjs")).arg(root).arg(&file).current_dir(root))?;
    check_jsonschema(root, &folder, &schemas, &held)?;
    taplo(root, &folder, &held)?;
    sarif::hold(root, &folder)
}

fn install(root: &Path) -> Result<(), String> {
    let from = root.join("xtask/consumers");
    let folder = &folder(root);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for name in ["package.json", "package-lock.json", "requirements.txt", "check.mjs"] {
        let (from, to) = (from.join(name), folder.join(name));
        fs::copy(&from, &to).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))?;
    }
    let mut npm = Command::new("npm");
    succeed(npm.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]).current_dir(folder))?;
    python::environment(folder, &folder.join("requirements.txt")).map(|_| ())
}

/// Every schema, by its path from the root.
fn schema_files(root: &Path) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for folder in ["schemas", "schemas/claude", "schemas/codex", "schemas/cursor"] {
        for file in files_of(&root.join(folder))? {
            if let Some(name) = file.file_name().and_then(|name| name.to_str())
                && name.ends_with(".schema.json")
            {
                files.push(format!("{folder}/{name}"));
            }
        }
    }
    Ok(files)
}

/// What lies in a folder, by name.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let trouble = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(trouble)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(trouble)?;
    files.sort();
    Ok(files)
}

/// The folders in a folder, by name.
fn folders_of(folder: &Path) -> Result<Vec<PathBuf>, String> {
    Ok(files_of(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

/// Every case of every event and every configuration of the corpora, judged.
fn documents(root: &Path) -> Result<Vec<Held>, String> {
    let catalog = Catalog::read();
    let mut judge = Judge { root, validators: BTreeMap::new(), held: Vec::new() };
    for vendor in ["claude", "codex", "cursor"] {
        for folder in folders_of(&root.join("fixtures").join(vendor))? {
            let Some(event) = folder.file_name().and_then(|name| name.to_str()).filter(|name| *name != "payloads")
            else {
                continue;
            };
            for case in folders_of(&folder)? {
                let Some(name) = case.file_name().and_then(|name| name.to_str()) else { continue };
                for (file, contract) in [("stdin.json", "input"), ("stdout.json", "output")] {
                    judge.file(
                        &format!("schemas/{vendor}/{event}.{contract}.schema.json"),
                        &format!("fixtures/{vendor}/{event}/{name}/{file}"),
                    )?;
                }
            }
        }
        for (name, place) in corpus(root, vendor) {
            let schema = match &place {
                Place::At(path) => {
                    let own = catalog.claimants(path).into_iter().find(|url| url.starts_with(vendor));
                    own.ok_or_else(|| {
                        format!("no schema of the catalogue is for {path} ({name} of {vendor}'s corpus)")
                    })?
                }
                Place::InPlugin(_) => of_plugins(vendor)?,
            };
            judge.file(&format!("schemas/{schema}"), &format!("fixtures/corpus/{vendor}/{name}"))?;
        }
    }
    Ok(judge.held)
}

/// The items of an array that is a member of an object; none where there is no such array.
fn list<'v>(object: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    object.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn read_json(file: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))
}

/// The form of plugins' files. Plugins of several clients have a `hooks/hooks.json`, so that no pattern tells them apart.
fn of_plugins(vendor: &str) -> Result<&'static str, String> {
    match vendor {
        "claude" => Ok("claude/plugin.schema.json"),
        "codex" => Ok("codex/hooks.schema.json"),
        "cursor" => Ok("cursor/plugin-hooks.schema.json"),
        other => Err(format!("nothing says which form plugins of {other} have")),
    }
}

/// The Rust validator.
struct Judge<'a> {
    root: &'a Path,
    validators: BTreeMap<String, jsonschema::Validator>,
    held: Vec<Held>,
}

impl Judge<'_> {
    /// Judges a file; one that is not even JSON or TOML is no matter of schemas.
    fn file(&mut self, schema: &str, instance: &str) -> Result<(), String> {
        let bytes = fs::read(self.root.join(instance)).map_err(|error| format!("{instance}: {error}"))?;
        let text = String::from_utf8_lossy(&bytes);
        let plain = text.trim_start_matches('\u{feff}');
        let parsed = if instance.ends_with(".toml") {
            toml::from_str::<Value>(plain).map_err(|error| error.to_string())
        } else {
            serde_json::from_str::<Value>(plain).map_err(|error| error.to_string())
        };
        let Ok(value) = parsed else { return Ok(()) };
        if !self.validators.contains_key(schema) {
            let document = read_json(&self.root.join(schema))?;
            let validator = jsonschema::validator_for(&document).map_err(|error| format!("{schema}: {error}"))?;
            self.validators.insert(schema.to_owned(), validator);
        }
        let valid = self.validators.get(schema).is_some_and(|validator| validator.is_valid(&value));
        let strict = plain.len() == text.len();
        self.held.push(Held { schema: schema.to_owned(), instance: instance.to_owned(), value, valid, strict });
        Ok(())
    }
}

/// The configurations, grouped by schema; check-jsonschema and taplo read files, not values.
fn configurations(held: &[Held]) -> BTreeMap<&str, Vec<&Held>> {
    let mut groups: BTreeMap<&str, Vec<&Held>> = BTreeMap::new();
    for one in held.iter().filter(|one| one.instance.starts_with("fixtures/corpus/") && one.strict) {
        groups.entry(&one.schema).or_default().push(one);
    }
    groups
}

fn check_jsonschema(root: &Path, folder: &Path, schemas: &[String], held: &[Held]) -> Result<(), String> {
    let program = folder.join("venv/bin/check-jsonschema");
    let mut meta = Command::new(&program);
    succeed(meta.args(["--quiet", "--check-metaschema"]).args(schemas).current_dir(root))?;
    let mut differences = Vec::new();
    let mut number = 0;
    for (schema, group) in configurations(held) {
        let mut check = Command::new(&program);
        check.args(["--output-format", "json", "--schemafile", schema]);
        check.args(group.iter().map(|one| &one.instance)).current_dir(root);
        let output = check.output().map_err(|error| format!("{}: {error}", program.display()))?;
        let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| {
            format!("check-jsonschema on {schema}: {error}: {}", String::from_utf8_lossy(&output.stderr))
        })?;
        let faulty: Vec<&str> = ["errors", "parse_errors"]
            .iter()
            .flat_map(|key| list(&report, key))
            .filter_map(|error| error["filename"].as_str())
            .collect();
        for one in group {
            number += 1;
            if faulty.contains(&one.instance.as_str()) == one.valid {
                differences.push(format!("{} against {schema} should be {}", one.instance, word(one.valid)));
            }
        }
    }
    println!(
        "  check-jsonschema: {} schemas are what their meta-schemas want; {number} configurations judged alike",
        schemas.len()
    );
    none("check-jsonschema", &differences)
}

/// taplo reads TOML; it is given the form for older editors, which is the draft it knows.
fn taplo(root: &Path, folder: &Path, held: &[Held]) -> Result<(), String> {
    let program = folder.join("node_modules/.bin/taplo");
    let mut differences = Vec::new();
    let mut number = 0;
    for one in held.iter().filter(|one| one.instance.ends_with(".toml")) {
        let schema = root.join(one.schema.replace(".schema.json", ".draft-07.schema.json"));
        let mut check = Command::new(&program);
        check.args(["check", "--schema", &format!("file://{}", schema.display())]).arg(root.join(&one.instance));
        let output = check.current_dir(folder).output().map_err(|error| format!("{}: {error}", program.display()))?;
        number += 1;
        if output.status.success() != one.valid {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            differences.push(format!("{} should be {}: {said}", one.instance, word(one.valid)));
        }
    }
    println!("  taplo: {number} TOML files judged alike");
    none("taplo", &differences)
}

const fn word(valid: bool) -> &'static str {
    if valid { "valid" } else { "invalid" }
}

fn none(program: &str, differences: &[String]) -> Result<(), String> {
    if differences.is_empty() {
        return Ok(());
    }
    Err(format!("{program} judges otherwise than the Rust validator:\n  {}", differences.join("\n  ")))
}
