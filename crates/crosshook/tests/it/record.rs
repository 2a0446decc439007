//! `record`: the wrapper changes nothing that a client sees, and what is recorded can be taken up again.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Project, Ran, command, guarded};

const STDIN: &str = r#"{"session_id":"s-1","transcript_path":"/t","cwd":"/w","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"},"tool_use_id":"t-1"}"#;

/// A wrapper around a shell text, started with pipes.
fn wrapped(project: &Project, out: &Path, script: &str) -> Child {
    command(&project.root(), &project.home())
        .args(["record", "--out"])
        .arg(out)
        .args(["--", "sh", "-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn fed(mut child: Child, stdin: &[u8]) -> Output {
    // The program may end without reading.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

fn records(folder: &Path) -> Vec<(PathBuf, Value)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path, serde_json::from_str(&text).unwrap())
        })
        .collect()
}

fn valid(record: &Value) {
    let project = Project::new();
    let schema: Value = project.run(&["record", "--schema"]).code(0).json();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(record).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}: {record}");
}

#[test]
fn bytes_exit_code_and_streams_pass_through_as_they_are() {
    let project = Project::new();
    let out = project.root().join("records");
    let output =
        fed(wrapped(&project, &out, r"cat; printf '\377\000'; printf 'words\377' >&2; exit 7"), b"in \xff\x00 put");
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(output.stdout, b"in \xff\x00 put\xff\x00");
    assert_eq!(output.stderr, b"words\xff");
    let records = records(&out);
    assert_eq!(records.len(), 1);
    let (path, record) = &records[0];
    valid(record);
    assert_eq!(record["crosshook_record"], 1);
    assert_eq!(record["outcome"]["end"]["exited"], 7);
    assert_eq!(record["stdin"]["base64"], "aW4g/wAgcHV0");
    assert_eq!(record["outcome"]["stderr"]["base64"], "d29yZHP/");
    assert_eq!((&record["vendor"], &record["event"]), (&Value::Null, &Value::Null));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(path), mode(&out)), (0o600, 0o700));
    }
    let _ = path;
}

#[cfg(unix)]
#[test]
fn a_signal_that_ends_the_program_ends_the_wrapper() {
    use std::os::unix::process::ExitStatusExt as _;
    for signal in [9, 15, 6, 1] {
        let project = Project::new();
        let out = project.root().join("records");
        let output = fed(wrapped(&project, &out, &format!("kill -{signal} $$")), STDIN.as_bytes());
        assert_eq!(output.status.signal(), Some(signal), "{output:?}");
        assert_eq!(records(&out)[0].1["outcome"]["end"]["signalled"], signal);
    }
}

#[cfg(unix)]
#[test]
fn a_client_that_ends_the_wrapper_ends_the_program() {
    use std::os::unix::process::ExitStatusExt as _;
    let project = Project::new();
    let out = project.root().join("records");
    let mut child = wrapped(&project, &out, "trap 'echo told; exit 3' TERM; echo ready; while :; do sleep 0.05; done");
    drop(child.stdin.take());
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0; 6]).unwrap();
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(3), &b"told\n"[..]), "{output:?}");
    assert_eq!(records(&out)[0].1["outcome"]["end"]["exited"], 3);
    // A client that kills leaves no time: what was given is on record by then, and read as a run that took too long.
    let mut child = wrapped(&project, &project.root().join("killed"), "sleep 5");
    child.stdin.take().unwrap().write_all(STDIN.as_bytes()).unwrap();
    let killed = project.root().join("killed");
    let waiting = Instant::now();
    while records_or_none(&killed).is_empty() {
        assert!(waiting.elapsed() < Duration::from_secs(20), "no first record");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    let (path, record) = records(&killed).remove(0);
    valid(&record);
    assert_eq!(record["outcome"], Value::Null);
    assert_eq!(record["stdin"], STDIN);
    let ran = project.run(&["explain", path.to_str().unwrap(), "--vendor", "claude"]).code(0);
    ran.says("The client ended the hook before it was done").says("timed out");
}

/// The records that are there whole; one may be half written.
#[cfg(unix)]
fn records_or_none(folder: &Path) -> Vec<Value> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let texts = entries.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path()).ok());
    texts.filter_map(|text| serde_json::from_str(&text).ok()).collect()
}

#[test]
fn a_record_that_cannot_be_written_changes_nothing() {
    let project = Project::new().with("file", "");
    let out = project.root().join("file/below");
    let output = fed(wrapped(&project, &out, "cat >/dev/null; echo no >&2; exit 2"), STDIN.as_bytes());
    assert_eq!((output.status.code(), &output.stdout[..], &output.stderr[..]), (Some(2), &b""[..], &b"no\n"[..]));
    // After exit code 0 no client reads standard error.
    let output = fed(wrapped(&project, &out, "cat"), STDIN.as_bytes());
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), STDIN.as_bytes()));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("not recorded") && said.contains(out.to_str().unwrap()), "{said}");
    // Codex shows it in the report of these two.
    let asked = r#"{"hook_event_name":"PreModelRequest","model":"m"}"#;
    let output = fed(wrapped(&project, &out, "cat >/dev/null"), asked.as_bytes());
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
}

#[test]
fn runs_side_by_side_have_a_file_each() {
    let project = Project::new();
    let out = project.root().join("records");
    let children: Vec<Child> = (0..12).map(|_| wrapped(&project, &out, "cat >/dev/null")).collect();
    for child in children {
        assert!(fed(child, STDIN.as_bytes()).status.success());
    }
    assert_eq!(records(&out).len(), 12);
    let one = project.root().join("one.json");
    for _ in 0..3 {
        fed(wrapped(&project, &one, "true"), b"");
    }
    for name in ["one.json", "one-1.json", "one-2.json"] {
        assert!(project.root().join(name).is_file(), "{name}");
    }
}

#[test]
fn a_program_that_cannot_be_started_ends_as_a_shell_would() {
    let project = Project::new().with("plain.txt", "no program");
    let out = project.root().join("records");
    let run = |program: &str| {
        let args = ["record", "--out", out.to_str().unwrap(), "--", program];
        let mut command = command(&project.root(), &project.home());
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        fed(command.spawn().unwrap(), STDIN.as_bytes())
    };
    assert_eq!(run("./nowhere").status.code(), Some(127));
    assert_eq!(run("./plain.txt").status.code(), Some(126));
    let records = records(&out);
    for (path, record) in &records {
        // Nobody took it, and it says what the hook was for.
        assert_eq!((&record["stdin"], &record["stdin_delivered"]), (&STDIN.into(), &false.into()), "{record}");
        project.run(&["explain", path.to_str().unwrap()]).code(0).says("FAILS OPEN");
    }
    let ends: Vec<Value> = records.iter().map(|(_, record)| record["outcome"]["end"]["exited"].clone()).collect();
    assert_eq!(ends.len(), 2);
    assert!(ends.contains(&127.into()) && ends.contains(&126.into()), "{ends:?}");
}

#[test]
fn much_passes_through_in_both_directions() {
    let project = Project::new();
    let out = project.root().join("records");
    let much = "x".repeat(3_000_000);
    // More than a pipe holds, and to the one stream while the client may be waiting for the other.
    let child = wrapped(&project, &out, "head -c 10000000 /dev/zero >&2; cat");
    let output = std::thread::scope(|scope| {
        let mut child = child;
        let mut stdin = child.stdin.take().unwrap();
        let feeding = scope.spawn(move || stdin.write_all(much.as_bytes()).unwrap());
        let output = child.wait_with_output().unwrap();
        feeding.join().unwrap();
        output
    });
    assert_eq!((output.stdout.len(), output.stderr.len()), (3_000_000, 10_000_000));
    assert_eq!(records(&out)[0].1["stdin"].as_str().unwrap().len(), 3_000_000);
}

/// A client that reads a little and goes away: the program's writing fails as it would without the wrapper, and nobody
/// waits for anybody.
#[cfg(unix)]
#[test]
fn a_client_that_stops_reading_ends_the_program() {
    let project = Project::new();
    let out = project.root().join("records");
    let mut child = wrapped(&project, &out, "yes");
    drop(child.stdin.take());
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0; 4]).unwrap();
    drop(child.stdout.take());
    let waiting = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(waiting.elapsed() < Duration::from_secs(60), "it goes on for ever");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(!status.success(), "{status}");
    let (_, record) = records(&out).remove(0);
    valid(&record);
    assert!(record["outcome"]["stdout"].as_str().unwrap().starts_with("y\ny\n"));
}

#[test]
fn a_hook_that_does_not_read_is_recorded_with_what_it_was_given() {
    let project = Project::new();
    let out = project.root().join("records");
    let long = format!(r#"{{"hook_event_name":"PreToolUse","prompt":"{}"}}"#, "x".repeat(300_000));
    let output = fed(wrapped(&project, &out, "exec 0<&-; exit 0"), long.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let record = &records(&out)[0].1;
    assert_eq!(record["stdin_delivered"], false);
    assert_eq!(record["event"], "PreToolUse");
}

/// A wrapper in a hook file: the decision is the one that it is without it.
#[test]
fn a_wrapped_hook_decides_as_it_does_alone() {
    let deny = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not here"}}"#;
    for (vendor, script) in [
        ("claude", format!("echo '{deny}'")),
        ("codex", format!("echo '{deny}'")),
        ("cursor", r#"echo '{"permission":"deny","agent_message":"not here"}'"#.to_owned()),
        ("claude", "echo 'not here' >&2; exit 2".to_owned()),
        ("codex", "exit 1".to_owned()),
        ("cursor", "kill -9 $$".to_owned()),
    ] {
        let plain = guarded(vendor, &script, "");
        let line = ["fire", "tool.before", "--command", "ls", "--yes", "--json"];
        let alone = plain.run(&line);
        let wrapper = format!("'{}' record --out out -- sh guard.sh", env!("CARGO_BIN_EXE_crosshook"));
        let project = guarded(vendor, &script, "");
        for file in [".cursor/hooks.json", ".claude/settings.json", ".codex/hooks.json"] {
            let path = project.root().join(file);
            if let Ok(text) = std::fs::read_to_string(&path) {
                std::fs::write(&path, text.replace("sh guard.sh", &wrapper)).unwrap();
            }
        }
        let ran = project.run(&line);
        assert_eq!(ran.code, alone.code, "{vendor} {script}");
        assert_eq!(ran.json()["decision"]["action"], alone.json()["decision"]["action"], "{vendor} {script}");
        let (path, record) = records(&project.root().join("out")).remove(0);
        valid(&record);
        assert_eq!(record["vendor"], vendor, "{record}");
        // The record alone says what it came to.
        let explained = project.run(&["explain", path.to_str().unwrap(), "--json"]).code(0).json();
        let explained = &explained["explanations"][0];
        assert_eq!(explained["decision"]["action"], alone.json()["decision"]["action"], "{vendor} {script}");
        assert_eq!(explained["vendor"], vendor);
    }
}

#[test]
fn a_firing_is_recorded_and_taken_up_again() {
    let project = guarded("codex", "echo 'not here' >&2; exit 2", "");
    let line = ["record", "tool.before", "--command", "rm -rf build", "--out", "records", "--yes"];
    project.run(&line).code(10).says("Decision: DENY").complains("recorded  records");
    let (path, record) = records(&project.root().join("records")).remove(0);
    valid(&record);
    assert_eq!((&record["vendor"], &record["event"]), (&"codex".into(), &"PreToolUse".into()));
    assert!(record["hook"]["path"].as_str().unwrap().ends_with(".codex/hooks.json"));
    let path = path.to_str().unwrap();
    let ran = project.run(&["explain", path]).code(0).says("Decision: DENY").says("codex").says("not here");
    ran.says(".codex/hooks.json:1");
    // The event is in the record: nothing else need be given.
    let again = project.run(&["fire", "--payload", path, "--yes", "--json"]).code(10).json();
    let stdin: Value = serde_json::from_str(again["hooks"][0]["stdin"].as_str().unwrap()).unwrap();
    assert_eq!(stdin["tool_input"]["command"], "rm -rf build");
    project.run(&["why", "--payload", path]).code(0).says("shell command `rm -rf build`");
    // A folder of records, in a line each.
    project.run(&["explain", "records"]).code(0).says("PreToolUse").says("DENY");
    let document = project.run(&["explain", "records", "--json"]).code(0).json();
    assert_eq!(document["records"][0]["explanation"]["decision"]["action"], "deny");
    // Another vendor's view of what was recorded.
    project.run(&["explain", path, "--all-vendors"]).code(0).says("beforeShellExecution");
    // Nothing runs without a yes, and nothing is recorded then.
    let line = ["record", "tool.before", "--command", "ls", "--out", "unasked"];
    project.run(&line).code(3);
    assert!(!project.root().join("unasked").exists());
}

#[test]
fn records_that_are_none_are_refused_with_the_reason() {
    let project = Project::new()
        .with("newer.json", r#"{"crosshook_record":2}"#)
        .with("broken.json", r#"{"crosshook_record":1,"made_by":5}"#)
        .with("empty/none.txt", "");
    project.run(&["explain", "newer.json"]).code(2).complains("format 2");
    project.run(&["explain", "broken.json"]).code(2).complains("expected a string");
    project.run(&["explain", "empty"]).code(2).complains("no record in");
    project.run(&["fire", "Stop", "--payload", "newer.json"]).code(2).complains("format 2");
    project.run(&["record"]).code(2).complains("nothing to record");
    project.run(&["record", "tool.before", "--", "true"]).code(2).complains("cannot be used with");
    // One that cannot be read does not hide the others.
    let ran = project.run(&["explain", "."]).code(0);
    ran.says("newer.json").says("broken.json");
}

/// Who reads records with a program of their own finds the schema beside the others.
#[test]
fn the_schema_in_the_repository_is_the_one_that_is_printed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/record.schema.json");
    let mut committed: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    committed.as_object_mut().unwrap().remove("$comment").unwrap();
    assert_eq!(committed, Project::new().run(&["record", "--schema"]).code(0).json());
}

#[test]
fn without_a_place_records_go_to_the_commands_own_folder() {
    let project = Project::new();
    let mut command = command(&project.root(), &project.home());
    command.env("XDG_STATE_HOME", project.home().join("state")).args(["record", "--", "true"]);
    Ran::of(command.output().unwrap()).code(0);
    assert_eq!(records(&project.home().join("state/crosshook/records")).len(), 1);
}

/// Cursor's page, options: `failClosed`. Codex, section 2: it has no such setting, so a record of Cursor's says nothing
/// about what its files could say.
#[test]
fn a_setting_goes_with_a_record_only_to_vendors_that_have_it() {
    let project = guarded("cursor", "exit 1", r#","failClosed":true"#);
    project.run(&["record", "tool.before", "--command", "ls", "--out", "one.json", "--yes"]).code(10);
    for (vendor, event, open) in
        [("cursor", "beforeShellExecution", false), ("claude", "PreToolUse", false), ("codex", "PreToolUse", true)]
    {
        let line = ["explain", "one.json", "--vendor", vendor, "--event", event, "--json"];
        let document = project.run(&line).code(0).json();
        assert_eq!(document["explanations"][0]["fails_open"], open, "{vendor}: {document}");
    }
    std::fs::create_dir(project.root().join("all")).unwrap();
    std::fs::rename(project.root().join("one.json"), project.root().join("all/one.json")).unwrap();
    let ran = project.run(&["explain", "all", "--all-vendors"]).code(0);
    ran.says("claude PreToolUse").says("codex PreToolUse");
}
