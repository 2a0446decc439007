//! `schema`: what is listed and printed, and that it can be piped.

use serde_json::Value;

use crate::support::{Project, Ran};

fn schema(args: &[&str]) -> Ran {
    let mut all = vec!["schema"];
    all.extend(args);
    Project::new().run(&all)
}

/// The schema that is printed, which compiles.
#[track_caller]
fn printed(args: &[&str]) -> Value {
    let ran = schema(args).code(0);
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
    assert!(ran.stdout.ends_with("}\n"), "{args:?}: {}", ran.stdout);
    let document = ran.json();
    jsonschema::validator_for(&document).unwrap_or_else(|error| panic!("{args:?}: {error}"));
    document
}

#[test]
fn without_arguments_it_says_what_there_is() {
    let all = schema(&[]).code(0);
    assert_eq!(all.stdout, schema(&["--list"]).code(0).stdout);
    for schemas in crosshook::schemas() {
        assert!(all.stdout.contains(&format!("crosshook schema {} --config", schemas.vendor)));
        let own = schema(&[schemas.vendor.as_str()]).code(0);
        for name in schemas.facts.iter().map(|facts| facts.name).chain(schemas.configs.iter().map(|it| it.name)) {
            assert!(all.stdout.contains(name) && own.stdout.contains(name), "{name}\n{}", own.stdout);
        }
        assert!(all.stdout.contains(own.stdout.trim_end()), "{}", own.stdout);
    }
    schema(&["claude", "Stop"]).code(0).says("crosshook schema claude Stop --input").says("--emitted");
    assert!(all.stdout.lines().all(|line| line.chars().count() <= 80), "{}", all.stdout);
}

#[test]
fn the_list_for_a_machine_names_every_document() {
    let rows = schema(&["--json"]).code(0).json();
    let paths: Vec<&str> = rows.as_array().unwrap().iter().map(|row| row["path"].as_str().unwrap()).collect();
    let documents: Vec<_> = crosshook::schemas().into_iter().flat_map(|schemas| schemas.documents()).collect();
    assert_eq!(paths.len(), documents.len() + 2);
    for document in &documents {
        assert!(paths.contains(&document.path.as_str()), "{}", document.path);
    }
    assert!(paths.ends_with(&["vectors.schema.json", "check.schema.json"]), "{paths:?}");
    let of_one = schema(&["codex", "Stop", "--json"]).code(0).json();
    assert!(of_one.as_array().unwrap().iter().all(|row| row["of"] == "Stop" && row["vendor"] == "codex"), "{of_one}");
}

#[test]
fn every_schema_is_printed_as_the_library_makes_it() {
    for schemas in crosshook::schemas() {
        let vendor = schemas.vendor.as_str();
        for (number, config) in schemas.configs.iter().enumerate() {
            let document = schemas.config(config).schema.to_value();
            assert_eq!(printed(&[vendor, "--config", config.name]), document);
            if number == 0 {
                assert_eq!(printed(&[vendor, "--config"]), document, "the first form needs no name");
            }
            let older = schemas.config_draft_07(config).schema.to_value();
            assert_eq!(printed(&[vendor, "--config", config.name, "--draft-07"]), older);
        }
        let facts = schemas.facts[0];
        assert_eq!(printed(&[vendor, facts.name, "--input"]), schemas.input(facts).schema.to_value());
        assert_eq!(printed(&[vendor, facts.name, "--output"]), schemas.output(facts).schema.to_value());
        let emitted = schemas.emitted(facts).schema.to_value();
        assert_eq!(printed(&[vendor, facts.name, "--emitted"]), emitted);
        assert_eq!(printed(&[vendor, facts.name, "--output", "--emitted"]), emitted);
        let older = printed(&[vendor, facts.name, "--output", "--draft-07"]);
        assert_eq!(older["$schema"], "http://json-schema.org/draft-07/schema#");
        assert!(older["$id"].as_str().unwrap().ends_with(".draft-07"), "{}", older["$id"]);
    }
    assert_eq!(printed(&["vectors"])["$id"], "urn:crosshook:schema:vectors");
    assert_eq!(printed(&["check"])["$id"], "urn:crosshook:schema:check");
    assert_eq!(printed(&["vectors", "--draft-07"])["$schema"], "http://json-schema.org/draft-07/schema#");
}

#[test]
fn json_has_no_colour_even_where_colour_is_wanted() {
    for args in [&["claude", "--config", "--color", "always"][..], &["--catalog", "--color", "always"]] {
        let ran = schema(args).code(0);
        assert!(!ran.stdout.contains('\x1b'));
        ran.json();
    }
    assert!(schema(&["--color", "always"]).code(0).stdout.contains('\x1b'), "the list has colour");
}

#[test]
fn the_catalogue_names_files_and_where_their_schemas_lie() {
    let catalog = schema(&["--catalog"]).code(0).json();
    let entries = catalog["schemas"].as_array().unwrap();
    let configs: usize = crosshook::schemas().iter().map(|schemas| schemas.configs.len()).sum();
    assert_eq!(entries.len(), configs + 1);
    let below = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/");
    for entry in entries {
        let mut urls = vec![&entry["url"]];
        urls.extend(entry["versions"].as_object().into_iter().flat_map(serde_json::Map::values));
        for url in urls {
            let path = format!("{below}{}", url.as_str().unwrap());
            assert!(std::path::Path::new(&path).is_file(), "{path}");
        }
    }
    let absolute = schema(&["--catalog", "--base", "https://example.org/s/"]).code(0).json();
    for (entry, relative) in absolute["schemas"].as_array().unwrap().iter().zip(entries) {
        assert_eq!(entry["url"], format!("https://example.org/s/{}", relative["url"].as_str().unwrap()));
    }
}

#[test]
fn what_is_not_there_is_told_with_what_may_be_meant() {
    let refused = |args: &[&str], why: &str, help: &str| {
        let ran = schema(args).code(2);
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
        ran.complains(why).complains(help);
    };
    refused(&["cluade"], "no vendor `cluade`", "did you mean `claude`?");
    refused(&["banana"], "no vendor `banana`", "`cursor`, `claude`, `codex`, `vectors`, `check`");
    refused(&["Stop"], "no vendor `Stop`", "`claude Stop` or `codex Stop`");
    refused(&["cursor", "PreToolUse", "--input"], "cursor has no event `PreToolUse`", "did you mean `preToolUse`?");
    refused(&["codex", "afterAgentThought"], "codex has no event", "it is one of cursor");
    refused(&["codex", "banana", "--output"], "codex has no event `banana`", "`crosshook schema codex` lists them");
    refused(&["claude", "settings"], "claude has no event `settings`", "write `claude --config settings`");
    refused(&["codex", "--config", "hoks"], "no configuration `hoks`", "did you mean `hooks`?");
    refused(&["codex", "--config", "banana"], "no configuration `banana`", "there are `hooks`");
    refused(&["--input"], "`--input` needs to know whose", "`crosshook schema cursor --input`");
    refused(&["--draft-07"], "`--draft-07` needs to know whose", "name a vendor");
    refused(&["claude", "--output"], "are an event's", "name the event");
    refused(&["claude", "Stop", "--draft-07"], "`Stop` has several schemas", "--input or --output");
    refused(&["claude", "Stop", "--config"], "`--config` is not about an event", "leave `Stop` away");
    refused(&["claude", "Stop", "--input", "--json"], "`--json` is for the list", "leave it away");
    refused(&["vectors", "--input"], "one schema", "`crosshook schema vectors` alone");
    refused(&["--base", "x"], "--catalog", "");
    refused(&["claude", "Stop", "--input", "--output"], "cannot be used with", "");
}
