//! `conformance run --shim` and `conformance shim`: the built-in adapters through the protocol, the example in Python,
//! one that is wrong, and what the documents say of them.
#![allow(clippy::print_stderr, reason = "a check that is left out is said so")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Project, command};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn vectors() -> String {
    root().join("fixtures/vectors").to_string_lossy().into_owned()
}

fn crosshook_shim() -> String {
    format!("'{}' conformance shim", env!("CARGO_BIN_EXE_crosshook"))
}

/// An example and the command that runs it; `None`, said aloud, where there is no such program.
fn example(program: &str, name: &str) -> Option<(String, PathBuf)> {
    let there = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no {program} to run the example shim {name}");
        return None;
    }
    let script = root().join("examples/shims").join(name).canonicalize().unwrap();
    Some((format!("{program} '{}'", script.display()), script))
}

/// The example in Python.
fn python_shim() -> Option<(String, PathBuf)> {
    example("python3", "cursor_shell.py")
}

#[test]
fn the_built_in_adapters_do_the_same_behind_the_protocol() {
    let project = Project::new();
    let all = vectors();
    let direct = project.run(&["conformance", "run", "--vectors", &all, "--json"]).code(0).json();
    let mut through =
        project.run(&["conformance", "run", "--vectors", &all, "--json", "--shim", &crosshook_shim()]).code(0).json();
    assert!(direct["judged"].as_u64().unwrap() > 6000, "{}", direct["judged"]);
    assert_eq!(through["subject"]["shim"], true);
    through["subject"] = direct["subject"].clone();
    assert_eq!(direct, through);
}

#[test]
fn a_wrong_expectation_fails_the_same_behind_the_protocol() {
    // Every kind, each with an expectation that is not what comes.
    let text = r#"{"format":1,"vendor":"codex","event":"PreToolUse","client":null,"vectors":[
        {"id":"decode","kind":"decode","basis":"doc","source":"t","outcome":{"end":{"exited":2},"stderr":"no"},"expect":{"verdict":"allow"}},
        {"id":"fold","kind":"fold","basis":"doc","source":"t","hooks":[{"outcome":{"end":{"exited":2},"stderr":"no"},"finishes":0}],"expect":{}},
        {"id":"match","kind":"match","basis":"doc","source":"t","matcher":"Bash","targets":["Bash"],"expect":false},
        {"id":"config","kind":"config","basis":"doc","source":"t","origin":"project","syntax":"json","document":"{","expect":{"file":"accepted","bindings":[],"reports":[]}},
        {"id":"trust","kind":"trust","basis":"doc","source":"t","matcher":null,"handler":{"type":"command","command":"x"},"expect":{"canonical":"x","sha256":"y"}}]}"#;
    let core = r#"{"format":1,"vendor":null,"event":null,"client":null,"vectors":[
        {"id":"decide","kind":"decide","basis":"doc","source":"t","boundary":"tool.before","effects":{},"expect":{"action":"approve"}},
        {"id":"settle","kind":"fold","basis":"doc","source":"t","policy":{},"items":[{"binding":"b","finishes":0,"effects":{"context":["c"]}}],"expect":{}}]}"#;
    let project = Project::new().with("v/wrong.json", text).with("v/core.json", core);
    let direct = project.run(&["conformance", "run", "--vectors", "v", "--json"]).code(1).json();
    let through =
        project.run(&["conformance", "run", "--vectors", "v", "--json", "--shim", &crosshook_shim()]).code(1).json();
    assert_eq!(direct["failed"], 7, "{direct}");
    assert_eq!(direct["failures"], through["failures"]);
    assert_eq!(direct["score"], through["score"]);
}

#[test]
fn the_example_in_python_holds_all_it_claims() {
    let Some((shim, _)) = python_shim() else { return };
    holds_all_it_claims(&shim, "cursor-shell.py", "cursor/beforeShellExecution.json", 150);
}

#[test]
fn the_example_in_javascript_holds_all_it_claims() {
    let Some((shim, _)) = example("node", "claude_stop.mjs") else { return };
    holds_all_it_claims(&shim, "claude-stop.mjs", "claude/Stop.json", 20);
}

/// That a shim which claims a file's `decode` vectors, and those alone, is right in all of them.
fn holds_all_it_claims(shim: &str, name: &str, file: &str, more_than: usize) {
    let text = std::fs::read(root().join("fixtures/vectors").join(file)).unwrap();
    let file: Value = serde_json::from_slice(&text).unwrap();
    let claimed = file["vectors"].as_array().unwrap().iter().filter(|vector| vector["kind"] == "decode").count();
    let project = Project::new();
    let all = vectors();
    let report = project.run(&["conformance", "run", "--vectors", &all, "--shim", shim, "--json"]).code(0).json();
    assert!(claimed > more_than);
    assert_eq!(report["passed"], claimed, "{}", report["failures"]);
    assert_eq!((&report["failed"], &report["judged"]), (&0.into(), &claimed.into()));
    let skipped = report["vectors"].as_u64().unwrap() - claimed as u64;
    assert_eq!(report["skipped"], skipped);
    // Nothing that it claims is put aside as unsupported.
    for group in report["skipped_groups"].as_array().unwrap() {
        assert_eq!(group["reason"], format!("the shim {name} does not claim it"));
    }
}

#[test]
fn a_shim_that_is_wrong_is_told_where() {
    let Some((_, script)) = python_shim() else { return };
    let right = std::fs::read_to_string(script).unwrap();
    // Exit code 2 is a failure like any other to it, and it leaves the person's message out.
    let wrong =
        right.replace("if code == 2:", "if code == 22:").replace(r#"["notices"] = [user]"#, r#"["notices"] = []"#);
    assert_ne!(right, wrong);
    let project = Project::new().with("wrong.py", wrong);
    let all = vectors();
    let args = ["conformance", "run", "--vectors", &all, "--vendor", "cursor", "--shim", "python3 wrong.py"];
    let report = project.run(&[&args[..], &["--json"]].concat()).code(1).json();
    let failures = report["failures"].as_array().unwrap();
    let one = |id: &str| failures.iter().find(|failure| failure["id"] == id).unwrap();
    assert_eq!(
        one("exit-2-user-message"),
        &serde_json::json!({
            "file": "cursor/beforeShellExecution.json", "id": "exit-2-user-message", "kind": "decode",
            "event": "beforeShellExecution",
            "message": "verdict: expected \"deny\", got nothing; reasons: expected [\"no\"], got []; failed: expected false, got true",
            "expected": { "verdict": "deny", "reasons": ["no"] },
            "actual": { "failed": true },
        })
    );
    assert_eq!(one("deny-both-messages")["message"], "notices: expected [\"no git\"], got []");
    assert!(failures.iter().all(|failure| {
        let id = failure["id"].as_str().unwrap();
        id.starts_with("exit-2") || id.contains("notice") || id.contains("message")
    }));
    let row = &report["score"].as_array().unwrap().iter().find(|row| row["passed"].as_u64() > Some(0)).unwrap();
    assert_eq!((&row["event"], &row["failed"]), (&"beforeShellExecution".into(), &failures.len().into()));
    let passed = row["passed"].as_u64().unwrap();
    let judged = passed + failures.len() as u64;
    let said = project.run(&args).code(1);
    let said =
        said.says("FAILED cursor/beforeShellExecution.json exit-2-user-message").says("actual    {\"failed\":true}");
    said.says(&format!("{passed}/{judged}")).says(&format!("{} failed", failures.len()));
}

/// A fenced block of a document, by what stands after the fence.
fn block(document: &str, label: &str) -> String {
    let (_, after) = document.split_once(&format!("```{label}\n")).unwrap_or_else(|| panic!("no block `{label}`"));
    after.split_once("\n```").unwrap().0.to_owned()
}

#[test]
fn the_conversation_in_the_document_is_what_is_said() {
    let document = std::fs::read_to_string(root().join("docs/shim-protocol.md")).unwrap();
    let written = block(&document, "text conversation");
    let lines = |mark: &str| -> Vec<Value> {
        let lines = written.lines().filter_map(|line| line.strip_prefix(mark));
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (mut asks, replies) = (lines("> "), lines("< "));
    assert_eq!((asks.len(), replies.len(), written.lines().count()), (4, 4, 8));
    asks[0]["hello"]["runner"] = format!("hooks-conformance {}", env!("CARGO_PKG_VERSION")).into();

    let project = Project::new().with("v.json", block(&document, "json vectors"));
    // One that says what the document says, whatever it is asked, and keeps what it was asked.
    let said: Vec<String> = replies.iter().map(Value::to_string).collect();
    let project = project.with("said", said.join("\n") + "\n");
    let plays = "while read -r ask; do printf '%s\\n' \"$ask\" >> asked; read -r said <&3; printf '%s\\n' \"$said\"; done 3< said";
    let score = block(&document, "text score");
    let ran = project.run(&["conformance", "run", "--vectors", "v.json", "--shim", plays]).code(0);
    assert_eq!(ran.stdout.trim_end(), score);
    let asked = std::fs::read_to_string(project.root().join("asked")).unwrap();
    let asked: Vec<Value> = asked.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(asked, asks);

    let Some((shim, _)) = python_shim() else { return };
    let ran =
        project.run(&["conformance", "run", "--vectors", "v.json", "--shim", &format!("{shim} | tee really")]).code(0);
    assert_eq!(ran.stdout.trim_end(), score);
    let really = std::fs::read_to_string(project.root().join("really")).unwrap();
    let really: Vec<Value> = really.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(really, replies);
}

#[test]
fn the_words_of_the_score_in_the_guide_are_those_of_a_run() {
    let guide = std::fs::read_to_string(root().join("docs/conformance.md")).unwrap();
    let project = Project::new();
    let ran = project.run(&["conformance", "run", "--vectors", &vectors()]).code(0);
    assert!(guide.contains(ran.stdout.trim_end()), "docs/conformance.md shows another score than\n{}", ran.stdout);
}

#[test]
fn the_score_page_is_what_a_run_comes_to() {
    let page = std::fs::read_to_string(root().join("docs/conformance-score.md")).unwrap();
    let (preamble, page) = page.split_once("\n\n").unwrap();
    assert!(preamble.contains("cargo xtask gen"), "{preamble}");
    let project = Project::new();
    let ran = project.run(&["conformance", "run", "--vectors", &vectors(), "--markdown"]).code(0);
    assert_eq!(ran.stdout, page, "run `cargo xtask gen`");
}

#[test]
fn a_vendor_that_nobody_knows_is_asked_of_a_shim_alone() {
    let text = r#"{"format":1,"vendor":"mine","event":"before","client":"mine 1.0","vectors":[
        {"id":"silent","kind":"decode","basis":"doc","source":"t","outcome":{"end":{"exited":0}},"expect":{}}]}"#;
    let project = Project::new().with("any/where/v.json", text);
    let alone = project.run(&["conformance", "run", "--vectors", "any"]).code(1);
    alone.says("skipped 1 of mine (decode): no adapter for mine").says("Nothing was judged");
    let shim = r#"read h; echo '{"hello":{"protocol":1,"name":"mine","claims":[{"vendor":"mine"}]}}'; while read a; do echo '{"id":1,"answer":{}}'; done"#;
    let asked = project.run(&["conformance", "run", "--vectors", "any", "--shim", shim]).code(0);
    asked.says("Shim: mine\n").says("1 passed, 0 failed, 0 skipped of 1 vector.");
    let unsupported = shim.replace(r#""answer":{}"#, r#""unsupported":" ""#);
    let asked = project.run(&["conformance", "run", "--vectors", "any", "--shim", &unsupported]).code(1);
    asked.says("it does not").says("Nothing was judged: the shim claims none of them, or supports none");
}

#[test]
fn a_shim_that_cannot_start_is_a_wrong_argument() {
    let project = Project::new();
    let all = vectors();
    let start = |shim: &str| project.run(&["conformance", "run", "--vectors", &all, "--timeout", "1", "--shim", shim]);
    start("echo oh no >&2; exit 4").code(2).complains("exit code 4").complains("| oh no").complains("shim-protocol.md");
    // What is wrong comes first, then the shim's own words, then what to do.
    let said = start("echo oh no >&2; exit 4").stderr;
    let at = |what: &str| said.find(what).unwrap_or_else(|| panic!("no `{what}` in {said}"));
    assert!(at("error:") < at("| oh no") && at("| oh no") < at("help:"), "{said}");
    start("sleep 100").code(2).complains("its hello did not come within 1s");
    project.run(&["conformance", "run", "--shim", "x", "--timeout", "0"]).code(2).complains("seconds");
    project.run(&["conformance", "run", "--timeout", "5"]).code(2).complains("--shim");
}

#[test]
#[cfg(unix)]
fn a_command_line_is_quoted_as_for_the_shell() {
    let shim = r#"read h; echo '{"hello":{"protocol":1,"name":"'"$1"'","claims":[{"vendor":"mine"}]}}'; while read a; do echo '{"id":1,"answer":{}}'; done; exit 3"#;
    let text = r#"{"format":1,"vendor":"mine","event":"before","client":null,"vectors":[
        {"id":"silent","kind":"decode","basis":"doc","source":"t","outcome":{"end":{"exited":0}},"expect":{}}]}"#;
    let project = Project::new().with("v.json", text).with("my shims/it's.sh", shim);
    let run = |command: &str| project.run(&["conformance", "run", "--vectors", "v.json", "--shim", command]);
    let ran = run(r#"sh "my shims/it's.sh" 'a b'"#).code(1).says("Shim: a b\n");
    // What fails apart from the vectors is not counted among them.
    ran.says("1 passed, 0 failed, 0 skipped of 1 vector; 1 failed apart from them.").says("(exit code 3)");
    run("sh 'my shims'/gone.sh").code(2).complains("before its hello");
}

#[test]
fn a_shim_that_breaks_down_is_shown_with_its_last_words() {
    let project = Project::new();
    let all = vectors();
    let shim = r#"read h; echo '{"hello":{"protocol":1,"name":"mine","claims":[{"vendor":"codex"}]}}'; read a; printf 'a \033[31mred\033[0m end\n' >&2; exit 3"#;
    let args = ["conformance", "run", "--vectors", &all, "--vendor", "codex", "--shim", shim];
    let ran = project.run(&args).code(1).says("it ended (exit code 3)").says("the end of its standard error:\n  | a ");
    assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
    let ran = ran.says("broke down 4 times");
    assert!(ran.stdout.contains("broke down too often"), "{}", ran.stdout);
}

#[test]
#[cfg(unix)]
fn an_interrupt_or_a_request_to_end_ends_the_shim_too() {
    for (name, code) in [("-INT", 130), ("-TERM", 143)] {
        ends_the_shim(name, code);
    }
}

#[cfg(unix)]
fn ends_the_shim(name: &str, code: i32) {
    let project = Project::new();
    let shim = format!("echo $$ > pid; read h; sleep 300; {}", crosshook_shim());
    let all = vectors();
    let mut child = command(&project.root(), &project.home())
        .args(["conformance", "run", "--vectors", &all, "--timeout", "100", "--shim", &shim])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pid = project.root().join("pid");
    let soon = |what: &mut dyn FnMut() -> bool| {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !what() {
            assert!(Instant::now() < deadline, "it takes too long");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    soon(&mut || std::fs::read_to_string(&pid).is_ok_and(|pid| pid.ends_with('\n')));
    let shim = std::fs::read_to_string(&pid).unwrap();
    let signal = |args: &[&str]| Command::new("kill").args(args).stderr(Stdio::null()).status().unwrap().success();
    assert!(signal(&[name, &child.id().to_string()]));
    let mut ended = None;
    soon(&mut || {
        ended = child.try_wait().unwrap();
        ended.is_some()
    });
    assert_eq!(ended.and_then(|status| status.code()), Some(code));
    soon(&mut || !signal(&["-0", shim.trim()]));
}
