//! Programs behind the shim protocol: what a good one is asked and how it is judged, and that a bad one, whatever it
//! does, is a clear failure within its time and leaves no process behind.
#![cfg(unix)]

use std::path::Path;
use std::time::{Duration, Instant};

use hooks_conformance::shim::{Claim, PROTOCOL, RunnerHello, Shim, ShimHello, ShimOptions, serve};
use hooks_conformance::{Exceptions, Fault, Filter, InProcess, Question, Report, VectorFile, parse, run, run_subject};
use serde_json::{Value, json};

use crate::toy::toys;

/// A file with as many vectors as there are expectations, each about an answer that says nothing.
fn file(expect: &[Value]) -> VectorFile {
    let vectors: Vec<Value> = expect
        .iter()
        .enumerate()
        .map(|(at, expect)| {
            json!({
                "id": format!("v{at}"), "kind": "decode", "basis": "doc", "source": "a test", "event": "before",
                "outcome": { "end": { "exited": 0 }, "stdout": "{}" }, "expect": expect,
            })
        })
        .collect();
    let file = json!({ "format": 1, "vendor": "toy", "event": null, "client": "toy 1.0.0", "vectors": vectors });
    parse("toy.json", &file.to_string()).expect("a file")
}

fn nothing(number: usize) -> VectorFile {
    file(&vec![json!({}); number])
}

const HELLO: &str = r#"{"hello":{"protocol":1,"name":"sh","claims":[{"vendor":"toy"}]}}"#;

/// A shell script that says hello and then does what is written for each question, whose number is `$id`.
fn script(each: &str) -> String {
    format!("read -r hello; echo '{HELLO}'; id=0\nwhile read -r ask; do id=$((id + 1))\n{each}\ndone")
}

const NOTHING: &str = r#"echo "{\"id\":$id,\"answer\":{}}""#;

/// Options for a shim that is expected to be found out soon.
fn options(command: impl Into<String>) -> ShimOptions {
    ShimOptions {
        timeout: Duration::from_secs(5),
        grace: Duration::from_secs(5),
        line_limit: 1 << 20,
        ..ShimOptions::new(command)
    }
}

fn impatient(command: impl Into<String>) -> ShimOptions {
    ShimOptions { timeout: Duration::from_millis(300), grace: Duration::from_millis(300), ..options(command) }
}

fn judge(options: ShimOptions, file: &VectorFile) -> Report {
    let mut shim = Shim::start(options).unwrap_or_else(|fault| panic!("{fault:?}"));
    run_subject(std::slice::from_ref(file), &mut shim, &Filter::default(), &Exceptions::default())
}

/// The one failure of a run, with what else came of it.
fn breaks(options: ShimOptions, file: &VectorFile, message: &str) -> Report {
    let started = Instant::now();
    let report = judge(options, file);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert_eq!(report.failed, 1, "{report}");
    let failure = &report.failures[0];
    assert!(failure.message.contains(message), "`{message}` is not in: {}", failure.message);
    assert!(!failure.message.contains('\n'), "{}", failure.message);
    report
}

fn cannot_start(options: ShimOptions, message: &str) -> Fault {
    let started = Instant::now();
    let fault = Shim::start(options).expect_err(message);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert!(fault.message.contains(message), "`{message}` is not in: {}", fault.message);
    fault
}

#[test]
fn a_shim_is_judged_as_an_adapter_is() {
    let report = judge(options(script(NOTHING)), &file(&[json!({}), json!({ "verdict": "deny" }), json!({})]));
    assert_eq!((report.passed, report.failed, report.skipped.len()), (2, 1, 0), "{report}");
    let failure = &report.failures[0];
    assert_eq!((failure.id.as_str(), failure.message.as_str()), ("v1", "verdict: expected \"deny\", got nothing"));
    assert_eq!((&failure.expected, &failure.actual), (&json!({ "verdict": "deny" }), &json!({})));
}

#[test]
fn a_question_has_all_that_is_given_and_nothing_that_is_expected() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("asked");
    let file = json!({
        "format": 1, "vendor": "toy", "event": "before", "client": "toy 2.0.0",
        "vectors": [{
            "id": "tells-the-answer-deny", "kind": "decode", "basis": "doc", "source": "deny", "note": "deny",
            "client": "1.0.0", "given": { "tool": "lathe", "host_profile": "face" },
            "binding": { "fail_closed": true }, "policy": { "strict": true },
            "outcome": { "end": { "exited": 3 }, "stderr": { "repeat": "x", "times": 2 } },
            "expect": { "verdict": "deny", "reasons": ["secret"] },
        }],
    });
    let file = parse("toy.json", &file.to_string()).expect("a file");
    let report = judge(options(script(&format!("echo \"$ask\" >> '{}'\n{NOTHING}", log.display()))), &file);
    assert_eq!(report.failed, 1);
    let asked: Value = serde_json::from_slice(&std::fs::read(log).expect("a log")).expect("json");
    assert_eq!(
        asked,
        json!({ "id": 1, "ask": {
            "kind": "decode", "vendor": "toy", "event": "before",
            "client": "1.0.0", "file_client": "toy 2.0.0", "profile": "face",
            "vector": {
                "given": { "tool": "lathe", "host_profile": "face" },
                "binding": { "fail_closed": true }, "policy": { "strict": true },
                "outcome": { "end": { "exited": 3 }, "stderr": { "repeat": "x", "times": 2 } },
            },
        } })
    );
}

#[test]
fn what_is_not_claimed_or_not_supported_is_skipped_and_counted() {
    let report = judge(options(script(r#"echo "{\"id\":$id,\"unsupported\":\"no such end\"}""#)), &nothing(2));
    assert_eq!((report.passed, report.failed, report.skipped.len()), (0, 0, 2), "{report}");
    assert!(report.skipped[0].reason.contains("no such end"), "{report}");
    let report = judge(options(script(r#"echo "{\"id\":$id,\"unsupported\":\" \"}""#)), &nothing(1));
    assert_eq!(report.skipped[0].reason, "unsupported by the shim: it does not say why");
    assert_eq!(report.judged(), 0);
    let elsewhere = script(NOTHING).replace("\"vendor\":\"toy\"", "\"vendor\":\"other\"");
    let report = judge(options(elsewhere), &nothing(2));
    assert_eq!((report.passed, report.failed, report.skipped.len()), (0, 0, 2), "{report}");
    assert!(report.skipped[0].reason.contains("does not claim"), "{report}");
}

#[test]
fn an_error_fails_its_vector_alone() {
    let script = script(&format!(r#"if [ $id = 1 ]; then echo "{{\"id\":1,\"error\":\"boom\"}}"; else {NOTHING}; fi"#));
    let report = breaks(options(script), &nothing(3), "answers with an error: boom");
    assert_eq!(report.passed, 2, "{report}");
}

#[test]
fn an_answer_that_has_not_the_form_fails_its_vector_alone() {
    for (answer, message) in [
        (r#"{\"verdict\":\"block\"}"#, "/verdict: unknown variant `block`"),
        (r#"{\"notice\":[]}"#, "unknown field `notice`"),
        (r#"{\"reasons\":[{\"any\":true}]}"#, "/reasons: an answer gives a text word for word"),
        (r#"{\"halt\":{\"reason\":{\"contains\":\"x\"}}}"#, "/halt/reason: an answer gives a text word for word"),
        (r#"{\"unchecked\":[\"verdict\"]}"#, "/unchecked: an answer says what came"),
        (r#"{\"halt\":3}"#, "/halt: invalid type: integer `3`, expected an object"),
        ("null", "`null` is no object: write {...}"),
        ("true", "`true` is no object: write {...}"),
        // What some languages write for an object without keys; read as one it would be right wherever nothing comes.
        ("[]", "`[]` is no object: write {...}"),
    ] {
        let answer = format!(r#"if [ $id = 1 ]; then echo "{{\"id\":1,\"answer\":{answer}}}"; else {NOTHING}; fi"#);
        let report = breaks(options(script(&answer)), &nothing(2), message);
        assert_eq!(report.passed, 1, "{report}");
        assert!(report.failures[0].message.contains("has not the form"), "{report}");
    }
}

#[test]
fn a_shim_that_crashes_fails_the_vector_in_hand_and_is_started_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mark = folder.path().join("crashed");
    let crash = format!("if [ ! -e '{0}' ]; then : > '{0}'; echo 'last words' >&2; exit 7; fi", mark.display());
    let report = breaks(options(careful(&format!("{crash}\n{NOTHING}"))), &nothing(3), "it ended (exit code 7)");
    assert_eq!((report.passed, report.failures[0].id.as_str()), (2, "v0"), "{report}");
    assert_eq!(report.failures[0].stderr.as_deref(), Some("last words"));
}

/// A shim that answers by the number it was asked, whenever it was started.
fn careful(each: &str) -> String {
    script(&format!("id=$(echo \"$ask\" | sed 's/^{{\"id\":\\([0-9]*\\).*/\\1/')\n{each}"))
}

#[test]
fn each_way_to_break_down_is_told_apart() {
    let once = |what: &str| careful(&format!("if [ $id = 2 ]; then {what}; fi\n{NOTHING}"));
    for (what, message) in [
        ("kill -9 $$", "it ended (signal 9) before its answer to question 2"),
        ("exit 0", "it ended (exit code 0) before its answer to question 2"),
        ("echo 'debug: here'", "what is logged belongs on standard error: debug: here"),
        ("echo", "it wrote an empty line, which is no message"),
        ("echo '[2,null,{},null,null]'", "a message is an object"),
        ("echo '{\"id\":\"2\",\"answer\":{}}'", "it wrote a line that is no message: /id: invalid type: string"),
        ("echo '{\"id\":2,\"answer\":{}} {}'", "it wrote a line that is no message"),
        ("printf '{\"id\":2,'; exit 0", "it wrote a line that is no message"),
        ("echo '{\"id\":2}'", "a message is {\"hello\": ...}, or `id` with one of"),
        ("echo '{\"id\":2,\"answer\":{},\"error\":\"both\"}'", "a message is {\"hello\": ...}, or `id` with one of"),
        ("echo '{\"id\":2,\"anser\":{}}'", "unknown field `anser`"),
        ("echo '{\"id\":1,\"answer\":{}}'", "it answered question 1, asked before, while question 2 was open"),
        ("echo '{\"id\":9,\"answer\":{}}'", "it answered question 9, which was not asked; question 2 was open"),
        ("echo '{\"id\":-2,\"answer\":{}}'", "it wrote a line that is no message"),
        ("echo \"$HELLO_AGAIN\"", "it said hello once more, while question 2 was open"),
        ("head -c 3000000 /dev/zero | tr '\\0' x; sleep 100", "it wrote a line of more than 1048576 bytes"),
        ("exec >&-; sleep 100", "it closed its standard output, without ending, before its answer to question 2"),
    ] {
        let command = format!("HELLO_AGAIN='{HELLO}'\n{}", once(what));
        let report = breaks(options(command), &nothing(4), message);
        // It was started again: the others hold.
        assert_eq!((report.passed, report.failures[0].id.as_str()), (3, "v1"), "{what}: {report}");
    }
    let twice = careful(&format!("if [ $id = 2 ]; then {NOTHING}; fi\n{NOTHING}"));
    let report = breaks(options(twice), &nothing(4), "it answered question 2, asked before, while question 3 was open");
    assert_eq!((report.passed, report.failures[0].id.as_str()), (3, "v2"), "{report}");
}

#[test]
fn a_shim_that_hangs_is_killed_with_all_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let pid = folder.path().join("pid");
    let hang = format!("sleep 300 & echo $! > '{}'; wait", pid.display());
    let once = careful(&format!("if [ $id = 2 ]; then echo waiting >&2; {hang}; fi\n{NOTHING}"));
    let report = breaks(impatient(once), &nothing(3), "its answer to question 2 did not come within 300ms");
    assert_eq!(report.failures[0].stderr.as_deref(), Some("waiting"));
    assert_eq!(report.passed, 2, "{report}");
    assert!(gone(&pid), "a process is left behind");
}

/// Whether the process whose number a file has is gone, soon.
fn gone(pid: &Path) -> bool {
    let pid = std::fs::read_to_string(pid).expect("a number");
    (0..100).any(|_| {
        // A process that is killed and that nobody has waited for yet is gone too.
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        let running = if Path::new("/proc/self").exists() {
            !stat.is_empty() && !stat.contains(") Z ")
        } else {
            rustix::process::test_kill_process(
                rustix::process::Pid::from_raw(pid.trim().parse().expect("a number")).expect("a process"),
            )
            .is_ok()
        };
        if running {
            std::thread::sleep(Duration::from_millis(20));
        }
        !running
    })
}

#[test]
fn a_good_shim_leaves_nothing_behind_either() {
    let folder = tempfile::tempdir().expect("a folder");
    let pid = folder.path().join("pid");
    // What it started holds its standard output open.
    let started = format!("sleep 300 & echo $! > '{}'\n{}", pid.display(), script(NOTHING));
    let report = judge(impatient(started), &nothing(2));
    assert_eq!((report.passed, report.failed), (2, 0), "{report}");
    assert!(gone(&pid), "a process is left behind");
}

#[test]
fn a_shim_that_does_not_read_is_found_out() {
    let mut file = nothing(2);
    let hooks_conformance::format::Kind::Decode(decode) = &mut file.vectors[0].kind else { panic!("a decode vector") };
    // More than a pipe holds.
    decode.outcome.stdout = Some(hooks_conformance::format::Text::Plain("x".repeat(1 << 20)));
    let deaf = format!("read -r hello; echo '{HELLO}'; sleep 100");
    let report = judge(ShimOptions { restarts: 0, ..impatient(deaf) }, &file);
    assert!(report.failures[0].message.contains("did not come within 300ms"), "{report}");
    let closed = format!("read -r hello; echo '{HELLO}'; exec <&-; sleep 100");
    let report = judge(ShimOptions { restarts: 0, ..impatient(closed) }, &file);
    assert!(report.failures[0].message.contains("it reads nothing any more"), "{report}");
}

#[test]
fn a_shim_that_keeps_breaking_down_is_given_up_and_the_run_fails() {
    let report = judge(ShimOptions { restarts: 2, ..options(script("echo bye >&2; exit 1")) }, &nothing(10));
    assert_eq!((report.passed, report.skipped.len()), (0, 7), "{report}");
    assert_eq!(report.score.total().failed, 3);
    assert!(report.skipped[0].reason.contains("broke down too often"), "{report}");
    let last = report.failures.last().expect("a failure");
    assert_eq!((last.file.as_str(), last.id.as_str()), ("subject", "end"));
    assert_eq!(last.message, "the shim broke down 3 times, and 7 more vectors were not asked about");
    assert_eq!((report.failed, report.failed_apart()), (4, 1));
    // Where all were asked about, there is nothing more to tell.
    let report = judge(ShimOptions { restarts: 2, ..options(script("exit 1")) }, &nothing(3));
    assert_eq!((report.failed, report.failed_apart()), (3, 0), "{report}");
    // Nor does a list of exceptions hide it.
    let entry = |id: usize| json!({ "vendor": "toy", "file": "toy.json", "id": format!("v{id}"), "reason": "a test" });
    let list = Exceptions::parse(&json!([entry(0), entry(1), entry(2)]).to_string()).expect("a list");
    let mut shim =
        Shim::start(ShimOptions { restarts: 2, ..options(script("exit 1")) }).expect("a shim that says hello");
    let report = run_subject(&[nothing(10)], &mut shim, &Filter::default(), &list);
    assert!(!report.is_ok() && report.excepted.len() == 3, "{report}");
}

#[test]
fn a_shim_that_ends_badly_fails_the_run() {
    for (after, message) in [
        ("exit 5", "after its last answer it ended with an error (exit code 5)"),
        ("sleep 100", "it did not end within 300ms after its standard input was closed"),
        ("echo '{\"id\":2,\"answer\":{}}'", "it answered question 2 once more at the end"),
        ("echo done", "it wrote a line that is no message"),
        ("echo", "it wrote an empty line"),
    ] {
        let report = breaks(impatient(format!("{}\n{after}", script(NOTHING))), &nothing(2), message);
        assert_eq!((report.passed, report.failures[0].id.as_str()), (2, "end"), "{report}");
    }
}

#[test]
fn a_shim_that_cannot_start_says_why() {
    let fault = cannot_start(options("no-such-program-anywhere"), "it ended (exit code 127) before its hello");
    assert!(fault.stderr.expect("the shell's words").contains("no-such-program-anywhere"));
    cannot_start(options("exit 0"), "it ended (exit code 0) before its hello");
    cannot_start(impatient("sleep 100"), "its hello did not come within 300ms");
    cannot_start(options("yes"), "it wrote a line that is no message");
    cannot_start(options("echo '{\"id\":1,\"answer\":{}}'; cat"), "it answers question 1 before it says hello");
    cannot_start(options(format!("echo '{}'; cat", HELLO.replace("\"protocol\":1", "\"protocol\":2"))), "version 2");
    cannot_start(options(format!("echo '{}'; cat", HELLO.replace("claims", "claim"))), "unknown field `claim`");
    cannot_start(options(format!("echo '{}'; cat", HELLO.replace("\"vendor\"", "\"vendors\""))), "vendors");
}

#[test]
fn only_the_end_of_a_long_standard_error_is_kept() {
    let talks = "i=0; while [ $i -lt 3000 ]; do echo \"line $i\" >&2; i=$((i + 1)); done; exit 1";
    let fault = cannot_start(options(talks), "exit code 1");
    let stderr = fault.stderr.expect("the end of it");
    assert_eq!(stderr.lines().count(), 20);
    assert!(stderr.ends_with("line 2999"), "{stderr}");
}

#[test]
fn dropping_a_shim_ends_it_and_so_does_its_stopper() {
    let folder = tempfile::tempdir().expect("a folder");
    for stop in [false, true] {
        let pid = folder.path().join(format!("pid-{stop}"));
        let command = format!("echo $$ > '{}'\n{}; sleep 100", pid.display(), script(NOTHING));
        let options = options(command);
        let stopper = options.stopper.clone();
        let mut shim = Shim::start(options).expect("a shim");
        if stop {
            stopper.stop();
            assert!(gone(&pid), "a process is left behind");
            // Nor is it started again.
            let report = run_subject(&[nothing(6)], &mut shim, &Filter::default(), &Exceptions::default());
            assert_eq!((report.passed, report.skipped.len()), (0, 2), "{report}");
            assert!(report.failures[1].message.contains("is not started any more"), "{report}");
        } else {
            drop(shim);
            assert!(gone(&pid), "a process is left behind");
        }
    }
}

fn question(change: impl FnOnce(&mut Value)) -> Question {
    let mut file = json!({
        "format": 1, "vendor": "toy", "event": "before", "client": null,
        "vectors": [{
            "id": "v", "kind": "match", "basis": "doc", "source": "a test",
            "matcher": null, "targets": ["t"], "expect": true,
        }],
    });
    change(&mut file);
    let file = parse("toy.json", &file.to_string()).expect("a file");
    Question::of(&file, &file.vectors[0])
}

#[test]
fn a_claim_takes_what_passes_all_its_lists() {
    let plain = question(|_| {});
    let claim = |more: Value| -> Claim {
        let mut claim = json!({ "vendor": "toy" });
        claim.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        serde_json::from_value(claim).expect("a claim")
    };
    for (more, takes) in [
        (json!({}), true),
        (json!({ "vendor": "other" }), false),
        (json!({ "events": ["before"] }), true),
        (json!({ "events": ["after"] }), false),
        (json!({ "events": [] }), false),
        (json!({ "kinds": ["decode", "match"] }), true),
        (json!({ "kinds": ["decode"] }), false),
        (json!({ "profiles": [null] }), true),
        (json!({ "profiles": ["face"] }), false),
        (json!({ "clients": [null, "1.0.0"] }), true),
        (json!({ "clients": ["1.0.0"] }), false),
        (json!({ "role": "host" }), true),
        (json!({ "role": "hook" }), false),
        (json!({ "events": ["before"], "kinds": ["decode"] }), false),
    ] {
        assert_eq!(claim(more.clone()).takes(&plain), takes, "{more}");
    }
    let older = question(|file| {
        file["vectors"][0]["client"] = json!("1.0.0");
        file["vectors"][0]["profile"] = json!("face");
    });
    assert!(claim(json!({ "clients": ["1.0.0"], "profiles": ["face"] })).takes(&older));
    assert!(!claim(json!({ "clients": [null] })).takes(&older));
    let core = json!({
        "format": 1, "vendor": null, "event": null, "client": null,
        "vectors": [{
            "id": "v", "kind": "decide", "basis": "doc", "source": "a test", "boundary": "tool.before", "effects": {},
            "expect": { "action": "no-opinion" },
        }],
    });
    let core = parse("core.json", &core.to_string()).expect("a file");
    let core = Question::of(&core, &core.vectors[0]);
    assert!(Claim::all_of("core").takes(&core) && !Claim::all_of("toy").takes(&core));
    // A vector that is about no event is in no list of events.
    assert!(!claim(json!({ "vendor": "core", "events": ["before"] })).takes(&core));
}

#[test]
fn questions_are_read_as_they_are_written() {
    for file in hooks_conformance::load(&crate::vectors()).expect("vectors") {
        for vector in &file.vectors {
            let asked = Question::of(&file, vector);
            let written = asked.to_json();
            assert!(written["vector"].get("expect").is_none());
            assert_eq!(Question::from_json(written).as_ref(), Ok(&asked), "{} {}", file.label(), vector.id);
        }
    }
}

fn hello() -> ShimHello {
    ShimHello { protocol: PROTOCOL, name: "toys".to_owned(), version: None, claims: vec![Claim::all_of("toy")] }
}

fn served(lines: &[Value]) -> (Vec<Value>, Option<String>) {
    let input: Vec<String> =
        lines.iter().map(|line| line.as_str().map_or_else(|| line.to_string(), str::to_owned)).collect();
    let mut output = Vec::new();
    let done = serve(&mut InProcess::new(&toys), &hello(), &mut input.join("\n").as_bytes(), &mut output);
    let written = String::from_utf8(output).expect("text");
    let replies = written.lines().map(|line| serde_json::from_str(line).expect("json")).collect();
    (replies, done.err().map(|error| error.to_string()))
}

#[test]
fn serving_answers_every_question_and_refuses_what_is_none() {
    let runner = json!({ "hello": RunnerHello::this() });
    let ask = |id: u64, question: &Question| json!({ "id": id, "ask": question.to_json() });
    let plain = question(|_| {});
    let unknown = question(|file| file["vectors"][0]["event"] = json!("unheard"));
    let panics = question(|file| file["vectors"][0]["matcher"] = json!("!"));
    let mut broken = ask(4, &plain);
    broken["ask"]["vector"]["targets"] = json!(7);
    let mut tells = ask(5, &plain);
    tells["ask"]["vector"]["expect"] = json!(true);
    let lines = [runner.clone(), ask(1, &plain), ask(2, &unknown), ask(3, &panics), broken, tells];
    let (replies, error) = served(&lines);
    assert_eq!(error, None);
    assert_eq!(replies[0], json!({ "hello": { "protocol": 1, "name": "toys", "claims": [{ "vendor": "toy" }] } }));
    assert_eq!(replies[1], json!({ "id": 1, "answer": true }));
    assert_eq!(replies[2]["unsupported"], "unheard is no event of toy 1.0.0");
    assert_eq!(replies[3]["error"], "panicked: a matcher that panics");
    assert!(replies[4]["error"].as_str().expect("a text").contains("/vector/targets"), "{}", replies[4]);
    assert!(replies[5]["error"].as_str().expect("a text").contains("/vector/expect"), "{}", replies[5]);
    assert_eq!(replies.len(), 6);

    let (replies, error) = served(&[ask(1, &plain)]);
    assert!(replies.is_empty() && error.expect("an error").contains("before the hello"));
    let (replies, error) = served(&[runner.clone(), json!("no json")]);
    assert!(replies.len() == 1 && error.expect("an error").contains("line 2"));
    let newer = json!({ "hello": { "protocol": 9, "format": 1, "runner": "another" } });
    let (replies, error) = served(&[newer, ask(1, &plain)]);
    assert!(replies.len() == 1 && error.expect("an error").contains("protocol 9"));
}

#[test]
fn a_served_adapter_is_judged_as_the_adapter_itself() {
    /// A subject that is asked through the messages of the protocol.
    struct Through;
    impl hooks_conformance::Subject for Through {
        fn answer(&mut self, question: &Question) -> hooks_conformance::Reply {
            use hooks_conformance::{Answer, Reply};
            let lines = [json!({ "hello": RunnerHello::this() }), json!({ "id": 1, "ask": question.to_json() })];
            let (replies, error) = served(&lines);
            assert_eq!(error, None);
            match (&replies[1]["answer"], &replies[1]["unsupported"], &replies[1]["error"]) {
                (answer, Value::Null, Value::Null) => {
                    Reply::Answer(Answer::from_json(&question.kind, answer.clone()).expect("an answer"))
                }
                (_, Value::String(reason), _) => Reply::Skipped(reason.clone()),
                (_, _, error) => Reply::fault(error.as_str().expect("a text")),
            }
        }
    }
    let files = [file(&[json!({}), json!({ "verdict": "deny" }), json!({ "unchecked": ["failed"] })])];
    let direct = run(&files, &toys, &Filter::default());
    let through = run_subject(&files, &mut Through, &Filter::default(), &Exceptions::default());
    assert_eq!((direct.passed, direct.failed), (2, 1), "{direct}");
    assert_eq!(direct, through);
}
