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
    let run = |more: &[&str]| project.run(&[&["conformance", "run", "--vectors", &all], more].concat()).code(2);
    run(&["--event", "Banana"])
        .complains("no vector is what was asked for: --event Banana")
        .complains("--event can be");
    run(&["--event", "sessionstart"]).complains("did you mean `SessionStart` or `sessionStart`?");
    run(&["--vendor", "nobody"]).complains("--vendor can be claude, codex, core, cursor");
    run(&["--vendor", "claude", "--kind", "trust"]).complains("--kind can be config, decode, fold, match");
}

#[test]
fn a_broken_file_of_vectors_is_named() {
    let project = Project::new().with(
        "v/broken.json",
        r#"{"format":1,"vendor":"codex","event":"Stop","client":null,"vectors":[{"id":"x","kind":"decode"}]}"#,
    );
    project
        .run(&["conformance", "run", "--vectors", "v"])
        .code(2)
        .complains("v/broken.json: vector `x`: /vectors/0: missing field `basis`");
    let vector = |expect: &str| {
        format!(
            r#"{{"format":1,"vendor":"codex","event":"Stop","client":null,"vectors":[{{"id":"x","kind":"decode",
            "basis":"doc","source":"s","outcome":{{"end":{{"exited":0}}}},"expect":{expect}}}]}}"#
        )
    };
    for (expect, complaint) in [
        (r#"{"verdict":"block"}"#, "/vectors/0/expect/verdict: unknown variant `block`, expected one of `allow`"),
        (r#"{"halt":{"resaon":"r"}}"#, "/vectors/0/expect/halt"),
        (r#"{"failed":true,"failed":false}"#, "/vectors/0/expect: the key `failed` stands twice"),
        ("{", "at line"),
    ] {
        let project = Project::new().with("v/one.json", vector(expect));
        for place in ["v", "v/one.json"] {
            let list = project.run(&["conformance", "list", "--vectors", place]).code(2);
            list.complains("v/one.json").complains(complaint);
        }
    }
}

#[test]
fn the_score_can_have_a_row_for_each_event_and_be_a_page() {
    let project = Project::new();
    let all = vectors();
    let run =
        |more: &[&str]| project.run(&[&["conformance", "run", "--vectors", &all, "--vendor", "codex"], more].concat());
    let by_vendor = run(&[]).code(0).says("codex  ");
    assert!(!by_vendor.stdout.contains("PreToolUse"), "{}", by_vendor.stdout);
    run(&["--by", "event"]).code(0).says("codex PreToolUse").says("codex (none)");
    run(&["--markdown"]).code(0).says("| Vendor | decode |").says("## codex").says("| `PreToolUse` |");
    run(&["--markdown", "--json"]).code(2).complains("--json");
    run(&["--kind", "banana"]).code(2).complains("possible values: decode, fold");
    let document = run(&["--json"]).code(0).json();
    let score = document["score"].as_array().unwrap();
    let sum = |key: &str| score.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(document["passed"], sum("passed"));
    assert_eq!(document["vectors"], sum("passed") + sum("failed") + sum("skipped") + sum("excepted"));
    assert!(score.iter().all(|row| row["vendor"] == "codex"));
}

#[test]
fn what_is_known_not_to_hold_is_counted_apart() {
    let text = r#"{"format":1,"vendor":"codex","event":"PreToolUse","client":null,"vectors":[
        {"id":"known","kind":"decode","basis":"doc","source":"t","outcome":{"end":{"exited":2},"stderr":"no"},"expect":{"verdict":"allow"}},
        {"id":"holds","kind":"decode","basis":"doc","source":"t","outcome":{"end":{"exited":0}},"expect":{}}]}"#;
    let list = |id: &str| format!(r#"[{{"vendor":"codex","file":"v.json","id":"{id}","reason":"issue 12"}}]"#);
    let project = Project::new()
        .with("v/v.json", text)
        .with("known.json", list("known"))
        .with("holds.json", list("holds"))
        .with("gone.json", list("gone"))
        .with("silent.json", list("known").replace("issue 12", " "));
    let run = |file: &str| project.run(&["conformance", "run", "--vectors", "v", "--exceptions", file]);
    run("known.json").code(0).says("excepted codex/v.json known: issue 12").says("1 passed, 0 failed, 1 excepted");
    run("holds.json").code(1).says("it holds, so the list of exceptions must not name it any more");
    run("gone.json").code(1).says("there is no such vector");
    run("silent.json").code(2).complains("`reason` is empty");
    run("nowhere.json").code(2).complains("nowhere.json");
    let page =
        project.run(&["conformance", "run", "--vectors", "v", "--exceptions", "known.json", "--markdown"]).code(0);
    page.says("## Excepted").says("- codex/v.json `known`: issue 12");
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
    let show = ["conformance", "show", id, "--vectors", &all, "--vendor", "core"];
    project.run(&show).code(2).complains(&format!("there is no vector `{id}`: --vendor core"));
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

#[test]
fn a_failure_names_the_older_client_its_vector_is_about() {
    let text = r#"{"format":1,"vendor":"codex","event":"PreToolUse","client":null,"vectors":[
        {"id":"old","kind":"decode","basis":"observed","source":"t","client":"0.142.0",
         "outcome":{"end":{"exited":2},"stderr":"no"},"expect":{"verdict":"allow"}}]}"#;
    let project = Project::new().with("v/a/v.json", text).with("v/b/v.json", text);
    let run = |form: &[&str]| project.run(&[&["conformance", "run", "--vectors", "v"], form].concat()).code(1);
    run(&[]).says("FAILED codex/a/v.json old (client 0.142.0)").says("FAILED codex/b/v.json old (client 0.142.0)");
    run(&["--markdown"]).says("- codex/a/v.json `old` (decode, client 0.142.0): verdict");
    assert_eq!(run(&["--json"]).json()["failures"][0]["client"], "0.142.0");
}
