//! `conformance`: its report, its JSON and its complaints. Whether the adapters hold is their own crates' tests.

use std::path::Path;

use crate::support::{Project, run};

fn vectors() -> String {
    format!("{}/../../fixtures/vectors", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_report_is_a_document() {
    let project = Project::new();
    let ran = project.run(&["conformance", "run", "--vectors", &vectors(), "--json"]);
    let document = ran.json();
    let failed = document["failed"].as_u64().unwrap();
    assert_eq!(document["failures"].as_array().unwrap().len() as u64, failed);
    assert!(document["passed"].as_u64().unwrap() > 0);
    assert!(document["skipped"].is_u64());
    assert_eq!(ran.code, i32::from(failed > 0));
}

#[test]
fn vectors_are_found_from_a_folder_below() {
    let home = Project::new();
    let below = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    run(&below, &home.home(), &["conformance", "list", "--vendor", "codex", "--event", "Stop"])
        .code(0)
        .says("vectors.");
}

#[test]
fn without_vectors_it_says_what_to_do() {
    let project = Project::new();
    project.run(&["conformance", "run"]).code(2).complains("--vectors");
    project.run(&["conformance", "run", "--vectors", "nowhere"]).code(2).complains("nowhere");
    project.run(&["conformance", "run", "--vectors", "."]).code(2).complains("no vectors");
    let all = vectors();
    project.run(&["conformance", "run", "--vectors", &all, "--event", "Banana"]).code(2).complains("no vector");
}

#[test]
fn a_broken_file_of_vectors_is_named() {
    let project = Project::new().with(
        "v/broken.json",
        r#"{"format":1,"vendor":"codex","event":"Stop","client":null,"vectors":[{"id":"x","kind":"decode"}]}"#,
    );
    project.run(&["conformance", "run", "--vectors", "v"]).code(2).complains("broken.json").complains("x");
}

#[test]
fn one_vector_can_be_shown() {
    let project = Project::new();
    let all = vectors();
    let listed = project.run(&["conformance", "list", "--vectors", &all, "--vendor", "codex", "--json"]).code(0).json();
    let id = listed[0]["id"].as_str().unwrap();
    let shown = project.run(&["conformance", "show", id, "--vectors", &all]).code(0).json();
    assert_eq!(shown[0]["vector"]["id"], id);
    project.run(&["conformance", "show", &format!("{id}x"), "--vectors", &all]).code(2).complains(id);
}

#[test]
fn a_vector_that_does_not_hold_fails_the_run() {
    let text = r#"{"format":1,"vendor":"codex","event":"PreToolUse","client":null,"vectors":[
        {"id":"wrong-on-purpose","kind":"decode","basis":"doc","source":"this test",
         "outcome":{"end":{"exited":2},"stdout":"","stderr":"no"},"expect":{"verdict":"allow"}}]}"#;
    let project = Project::new().with("v/wrong.json", text);
    project.run(&["conformance", "run", "--vectors", "v"]).code(1).says("FAILED").says("wrong-on-purpose");
    let document = project.run(&["conformance", "run", "--vectors", "v", "--json"]).code(1).json();
    assert_eq!(document["failed"], 1);
    assert_eq!(document["failures"][0]["id"], "wrong-on-purpose");
}
