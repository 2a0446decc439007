//! The invocation log: what stands in it, and what does not.

use std::collections::{BTreeMap, BTreeSet};

use hooks_core::{HostProfile, SessionState};
use hooks_runtime::log::{Line, late_line, lines, write};
use hooks_runtime::{FireOptions, TrustStore, fire};
use serde_json::Value;

use crate::support::ALONE;
use crate::toy::{Toy, command, command_of, one};

#[tokio::test]
async fn a_line_for_each_run_and_one_for_the_decision() {
    let _shared = ALONE.read().await;
    let toy = Toy::default();
    let mut late = toy.hook(3, "before", "echo context later");
    command_of(&mut late).background = hooks_core::handler::Background::Async;
    let hooks = vec![
        toy.hook(0, "before", "echo rewrite no; echo 'token=hunter2'; printf '\\033[2J'"),
        toy.hook(1, "before", "head -c 100000 /dev/zero; echo no >&2; exit 2"),
        toy.hook(2, "before", ""),
        late,
    ];
    let envelope = command("ls --password=secret-in-stdin");
    let session = SessionState::default();
    let mut firing = fire(&one(hooks), &envelope, &HostProfile::full(), &session, &FireOptions::default()).await;
    let mut all = lines(&envelope, &firing);
    all.push(late_line(&envelope, &firing.late.next().await.unwrap()));
    let redact = |line: &mut Line| {
        if let Line::Run(run) = line {
            run.stdout = run.stdout.replace("hunter2", "***");
            run.program = run.program.replace("hunter2", "***");
        }
    };
    let mut file = Vec::new();
    write(&mut file, all, &redact).unwrap();
    let text = String::from_utf8(file).unwrap();
    assert!(!text.contains("hunter2") && !text.contains("secret-in-stdin") && !text.contains('\u{1b}'), "{text}");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 6);
    let kinds: Vec<_> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["run", "run", "run", "run", "decision", "run"]);
    assert_eq!(lines[0]["end"], "exited 0");
    assert_eq!(lines[0]["effects"], serde_json::json!(["replacement-input"]));
    assert_eq!(lines[0]["env"], serde_json::json!(["EVENT"]));
    assert_eq!(lines[1]["status"], "blocked");
    assert_eq!(lines[1]["stdout_bytes"], 100_000);
    assert!(lines[1]["stdout"].as_str().unwrap().chars().count() <= 4100);
    assert_eq!(lines[2]["end"], "not run: no command");
    assert_eq!((&lines[3]["background"], &lines[3]["end"]), (&Value::Bool(true), &Value::Null));
    assert_eq!(lines[4]["action"], "deny");
    assert_eq!(lines[4]["dropped"][0]["what"], "replacement-input");
    assert_eq!((&lines[5]["background"], &lines[5]["end"]), (&Value::Bool(true), &Value::from("exited 0")));
    assert!(lines[5]["duration_ms"].as_f64().unwrap() > 0.0);
}

#[tokio::test]
async fn the_page_and_the_lines_name_the_same_members() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let store = TrustStore::open(folder.path().join("trust.json")).unwrap();
    let toy = Toy::default();
    let hooks = vec![crate::trust::hook(folder.path(), 0, "true"), toy.hook(1, "before", "true")];
    let snapshot = crate::trust::snapshot(hooks, &store);
    let envelope = command("ls");
    let firing =
        fire(&snapshot, &envelope, &HostProfile::full(), &SessionState::default(), &FireOptions::default()).await;
    let mut written: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in lines(&envelope, &firing) {
        let line = serde_json::to_value(line).unwrap();
        let members = line.as_object().unwrap().keys().filter(|name| *name != "kind").cloned().collect();
        written.insert(line["kind"].as_str().unwrap().to_owned(), members);
    }
    let page = crate::page::rows("The invocation log").into_iter().map(|(kind, mut cells)| (kind, cells.remove(0)));
    assert_eq!(written, page.collect());
}
