//! The command itself: what it refuses, how scripts fail in it, what it remembers, and how it ends.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use hooks_conformance::sample;
use hooks_core::boundary::{Boundary, Facet};
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::tool::{Patch, Read, ToolAction, ToolCall};
use serde_json::Value;

use super::{bridge, codec, decision, hook, occurrence, run_as, words};
use crate::support::{Project, Ran};

/// A project with an executable script.
pub(super) fn project(script: &str) -> Project {
    let project = Project::new().with("script", script);
    #[cfg(unix)]
    fs::set_permissions(project.root().join("script"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    project
}

pub(super) fn shell(project: &Project, command: &str) -> Envelope {
    occurrence(project, sample::payload_of(Boundary::ToolBefore, ToolCall::shell(command)))
}

pub(super) fn stop(project: &Project, active: u32) -> Envelope {
    let mut payload = sample::payload_of(Boundary::TurnStop, sample::call(Facet::Any));
    if let Payload::TurnStop(stop) = &mut payload {
        stop.loop_count = active;
    }
    occurrence(project, payload)
}

/// What the host decides, in words, and what was said on standard error.
pub(super) fn fire(
    project: &Project,
    host: &str,
    event: &str,
    envelope: &Envelope,
    options: &[&str],
) -> (String, String) {
    fire_script(project, host, event, envelope, options, &["./script"])
}

pub(super) fn fire_script(
    project: &Project,
    host: &str,
    event: &str,
    envelope: &Envelope,
    options: &[&str],
    script: &[&str],
) -> (String, String) {
    let client = codec(host);
    let options: Vec<&str> = ["--host", host].iter().chain(options).copied().collect();
    let (outcome, output) = run_as(&*client, event, envelope, bridge(project, &options, script));
    let told = Ran::of(output).stderr;
    (words(&decision(&*client, event, envelope, &outcome)), told)
}

/// The command with these bytes on standard input.
fn given(project: &Project, options: &[&str], stdin: &[u8]) -> Ran {
    let mut child = start(project, options, stdin);
    drop(child.stdin.take());
    Ran::of(child.wait_with_output().unwrap())
}

pub(super) fn start(project: &Project, options: &[&str], stdin: &[u8]) -> Child {
    let mut command = bridge(project, options, &["./script"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.as_mut().unwrap().write_all(stdin);
    child
}

pub(super) fn lines(project: &Project, file: &str) -> usize {
    fs::read_to_string(project.root().join(file)).map(|text| text.lines().count()).unwrap_or(0)
}

pub(super) const CURSOR: &[&str] = &["--written-for", "cursor", "--event", "beforeShellExecution"];
pub(super) const DENIES: &str = "#!/bin/sh\necho '{\"permission\":\"deny\",\"agent_message\":\"no\"}'\n";

#[test]
fn what_cannot_be_bridged_is_refused_and_says_why() {
    let project = project("#!/bin/sh\ntouch ran\n");
    let call = shell(&project, "ls");
    for (options, why) in [
        (&["--written-for", "cursor", "--event", "beforeShell"][..], "cursor has no event `beforeShell`"),
        (
            &["--written-for", "cursor", "--event", "stop"],
            "`stop` is on turn.stop and can never run for `PreToolUse`, which is on tool.before",
        ),
        (
            &["--written-for", "cursor"],
            "cursor fires preToolUse and beforeShellExecution for this; say with --event which one it was written for",
        ),
        (
            &["--written-for", "claude", "--event", "PreToolUse", "--matcher", "Ba(sh"],
            "cannot be read as claude reads it",
        ),
    ] {
        let host = if options.contains(&"claude") { "codex" } else { "claude" };
        let (decided, _) = fire(&project, host, "PreToolUse", &call, options);
        assert!(decided.starts_with("deny (crosshook bridge: ") && decided.contains(why), "{decided}");
    }
    assert!(!project.root().join("ran").exists());
}

#[test]
fn wrong_arguments_end_with_the_code_that_every_vendor_reads_as_a_block() {
    let project = project(DENIES);
    for options in [&["--host", "claude"][..], &["--host", "nobody", "--written-for", "cursor"]] {
        given(&project, options, b"{}").code(2);
    }
}

#[test]
fn standard_input_that_cannot_be_read_blocks_where_something_can_be_held_back() {
    let project = project(DENIES);
    let options = ["--host", "claude", "--written-for", "cursor"];
    for stdin in [&b""[..], b"{}", b"[1]", b"\xff", br#"{"hook_event_name": "PreToolUse"}"#] {
        given(&project, &options, stdin).code(2).complains("this is not what a hook of claude is given");
    }
    // The tool has run: there is nothing to hold back.
    let result = br#"{"hook_event_name": "PostToolUse"}"#;
    given(&project, &options, result).code(1).complains("this is not what a hook of claude is given");
}

#[test]
fn a_script_runs_for_its_own_event_and_matcher_only() {
    let project = project("#!/bin/sh\necho x >> runs\necho '{\"permission\":\"deny\"}'\n");
    let read = ToolCall::new(ToolAction::Read(Read { path: "/p/a".into(), ..Read::default() }));
    let read = occurrence(&project, sample::payload_of(Boundary::ToolBefore, read));
    let (decided, _) = fire(&project, "claude", "PreToolUse", &read, CURSOR);
    assert_eq!((decided.as_str(), lines(&project, "runs")), ("no-opinion", 0), "a read is no shell command");

    let matching = [CURSOR, &["--matcher", "^git "]].concat();
    let (decided, _) = fire(&project, "claude", "PreToolUse", &shell(&project, "ls"), &matching);
    assert_eq!((decided.as_str(), lines(&project, "runs")), ("no-opinion", 0));
    let (decided, _) = fire(&project, "claude", "PreToolUse", &shell(&project, "git push"), &matching);
    assert!(decided.starts_with("deny"), "{decided}");
    assert_eq!(lines(&project, "runs"), 1);
    let matching = [CURSOR, &["--matcher", "-rf"]].concat();
    let (decided, _) = fire(&project, "claude", "PreToolUse", &shell(&project, "rm -rf x"), &matching);
    assert!(decided.starts_with("deny"), "a matcher may begin with a hyphen: {decided}");
}

#[test]
fn a_failure_means_what_it_means_to_the_scripts_own_vendor_unless_strict() {
    for (script, said) in [
        ("#!/bin/sh\nexit 1\n", "exited with code 1"),
        ("#!/bin/sh\necho nonsense\n", "printed something that cannot be read"),
        ("#!/bin/sh\nkill -9 $$\n", "was ended by signal 9"),
        ("#!/bin/sh\nsleep 30\n", "took too long"),
    ] {
        let project = project(script);
        let call = shell(&project, "ls");
        let fire = |options: &[&str]| {
            let options = [CURSOR, &["--timeout", "0.3"], options].concat();
            fire(&project, "claude", "PreToolUse", &call, &options)
        };
        // Cursor: a run that crashed or took too long lets the command go on; an answer that cannot be read does not.
        let at_home = if script.contains("nonsense") { "deny" } else { "no-opinion" };
        let (decided, told) = fire(&[]);
        assert!(decided.starts_with(at_home), "{script}: {decided}");
        assert!(told.contains(said), "{script}: {told}");
        for closed in ["--fail-closed", "--strict"] {
            let (decided, _) = fire(&[closed]);
            assert!(decided.starts_with("deny"), "{script} {closed}: {decided}");
        }
    }
    let project = Project::new();
    let call = shell(&project, "ls");
    let (decided, told) = fire_script(&project, "claude", "PreToolUse", &call, CURSOR, &["./nowhere"]);
    assert!(decided == "no-opinion" && told.contains("could not be started"), "{decided} {told}");
}

#[test]
fn the_script_ends_before_the_host_gives_up() {
    let project = project("#!/bin/sh\nsleep 30\n");
    let options = [CURSOR, &["--fail-closed", "--host-timeout", "1"]].concat();
    let started = Instant::now();
    let (decided, told) = fire(&project, "codex", "PreToolUse", &shell(&project, "ls"), &options);
    assert!(decided.starts_with("deny") && told.contains("took too long"), "{decided} {told}");
    assert!(started.elapsed() < Duration::from_secs(20), "its own limit of 60 seconds was waited for");
}

#[test]
fn a_text_for_the_shell_is_run_by_the_shell() {
    let project = Project::new();
    let text = "grep -q 'rm -rf' && echo '{\"permission\":\"deny\",\"agent_message\":\"no\"}' || echo '{}'";
    let options = [CURSOR, &["--shell"]].concat();
    let (decided, _) = fire_script(&project, "claude", "PreToolUse", &shell(&project, "rm -rf x"), &options, &[text]);
    assert_eq!(decided, "deny (no)");
    let call = shell(&project, "ls");
    let (decided, _) = fire_script(&project, "claude", "PreToolUse", &call, &options, &["one", "two"]);
    assert!(decided.contains("with --shell the command is one text"), "{decided}");
}

#[test]
fn the_environment_is_that_of_the_scripts_own_vendor() {
    let script = "#!/bin/sh\nenv > environment\necho '{}'\n";
    let variables = |host: &str, event: &str, options: &[&str]| {
        let project = project(script);
        fire(&project, host, event, &shell(&project, "ls"), options);
        let text = fs::read_to_string(project.root().join("environment")).unwrap();
        let names = text.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name.to_owned());
        names.filter(|name| name.starts_with("CLAUDE_") || name.starts_with("CURSOR_")).collect::<Vec<_>>()
    };
    let claude = ["--written-for", "claude", "--event", "PreToolUse"];
    let codex = ["--written-for", "codex", "--event", "PreToolUse"];
    assert!(variables("cursor", "beforeShellExecution", &claude).contains(&"CLAUDE_PROJECT_DIR".to_owned()));
    assert!(variables("claude", "PreToolUse", CURSOR).contains(&"CURSOR_PROJECT_DIR".to_owned()));
    assert_eq!(variables("claude", "PreToolUse", &codex), [""; 0]);
    assert_eq!(variables("cursor", "beforeShellExecution", &codex), [""; 0]);
}

#[test]
fn a_turn_goes_on_as_often_as_the_scripts_limit_says() {
    let script = "#!/bin/sh\ncat >> inputs\necho >> inputs\necho '{\"followup_message\":\"again\"}'\n";
    let project = project(script);
    let options = ["--written-for", "cursor", "--event", "stop", "--loop-limit", "2"];
    let fire = |active| fire(&project, "codex", "Stop", &stop(&project, active), &options);
    let nothing_is_lost = ("go on: again".to_owned(), String::new());
    assert_eq!(fire(0), nothing_is_lost);
    assert_eq!(fire(1), nothing_is_lost);
    let (decided, told) = fire(1);
    assert_eq!(decided, "no-opinion");
    assert!(told.contains("dropped, as cursor would"), "{told}");
    // Codex tells only that hooks made it go on; Cursor's script is told how often.
    let inputs = fs::read_to_string(project.root().join("inputs")).unwrap();
    let counts: Vec<Value> =
        inputs.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["loop_count"].clone()).collect();
    assert_eq!(counts, [0, 1, 2]);
    // A turn that no hook prolonged starts anew.
    assert_eq!(fire(0).0, "go on: again");
}

pub(super) fn state(project: &Project) -> Vec<PathBuf> {
    let folder = project.home().join(".local/state/crosshook/bridge");
    let entries = fs::read_dir(folder).map(|entries| entries.map(|entry| entry.unwrap().path()).collect());
    let files: Vec<PathBuf> = entries.unwrap_or_default();
    files.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect()
}

#[test]
fn where_nothing_can_be_remembered_guards_run_and_loops_end() {
    let project = project("#!/bin/sh\necho '{\"followup_message\":\"again\"}'\n");
    let options = ["--written-for", "cursor", "--event", "stop", "--loop-limit", "5"];
    let fire_stop = |active| fire(&project, "claude", "Stop", &stop(&project, active), &options);
    assert_eq!(fire_stop(0).0, "go on: again");
    let [file] = state(&project).try_into().unwrap();
    fs::write(&file, "{\"version\": 9}").unwrap();
    let (decided, told) = fire_stop(1);
    assert_eq!(decided, "no-opinion");
    assert!(told.contains("what the session remembers cannot be kept"), "{told}");

    fs::write(project.root().join("script"), DENIES).unwrap();
    let (decided, _) = fire(&project, "claude", "PreToolUse", &shell(&project, "ls"), CURSOR);
    assert_eq!(decided, "deny (no)");
}

#[test]
fn a_guard_that_counts_nothing_leaves_no_file_and_the_sessions_end_removes_it() {
    let project = project(DENIES);
    fire(&project, "claude", "PreToolUse", &shell(&project, "ls"), CURSOR);
    assert_eq!(state(&project).len(), 0);
    let once = [CURSOR, &["--once"]].concat();
    assert_eq!(fire(&project, "claude", "PreToolUse", &shell(&project, "ls"), &once).0, "deny (no)");
    assert_eq!(fire(&project, "claude", "PreToolUse", &shell(&project, "ls"), &once).0, "no-opinion");
    assert_eq!(state(&project).len(), 1);
    let end = occurrence(&project, sample::payload_of(Boundary::SessionEnd, sample::call(Facet::Any)));
    fire(&project, "claude", "SessionEnd", &end, &["--written-for", "cursor"]);
    assert_eq!(state(&project).len(), 0);
}

#[test]
fn of_many_at_once_one_that_runs_once_runs() {
    let project = project("#!/bin/sh\necho x >> runs\necho '{}'\n");
    let envelope = shell(&project, "ls");
    let mut stdin = Vec::new();
    let client = codec("claude");
    client.encode(&hook(&*client, "PreToolUse"), &envelope, &mut stdin).unwrap();
    let options = [&["--host", "claude", "--once"], CURSOR].concat();
    let all: Vec<Child> = (0..8).map(|_| start(&project, &options, &stdin)).collect();
    for mut child in all {
        drop(child.stdin.take());
        Ran::of(child.wait_with_output().unwrap()).code(0);
    }
    assert_eq!(lines(&project, "runs"), 1);
}

/// What Claude Code gives a hook before a call.
fn before(project: &Project, tool: &str, input: &str) -> String {
    let root = project.root();
    let cwd = root.display();
    format!(
        r#"{{"session_id": "s", "transcript_path": "/t", "cwd": "{cwd}", "permission_mode": "default", "tool_use_id": "t",
            "hook_event_name": "PreToolUse", "tool_name": "{tool}", "tool_input": {input}}}"#
    )
}

#[test]
fn a_second_shell_is_a_shell_and_a_notebook_is_a_file() {
    let project = project(
        "#!/bin/sh\ncase $(cat) in *'rm -rf'*|*secret.ipynb*) echo '{\"permission\":\"deny\",\"agent_message\":\"no\"}';; *) echo '{\"permission\":\"allow\"}';; esac\n",
    );
    let shells = [&["--host", "claude"], CURSOR].concat();
    let files =
        ["--host", "claude", "--written-for", "cursor", "--event", "preToolUse", "--matcher", "^(Write|StrReplace)$"];
    for (options, tool, input, denies) in [
        (&shells[..], "PowerShell", r#"{"command": "rm -rf /"}"#, true),
        (&shells, "PowerShell", r#"{"command": "ls"}"#, false),
        (&shells, "PowerShell", "{}", true),
        (&shells, "Monitor", r#"{"description": "d", "timeout_ms": 1, "command": "rm -rf /"}"#, true),
        (&shells, "Monitor", r#"{"description": "rm -rf", "timeout_ms": 1, "ws": "wss://x"}"#, false),
        (&files, "NotebookEdit", r#"{"notebook_path": "/p/secret.ipynb", "new_source": "x"}"#, true),
        (&files, "NotebookEdit", r#"{"notebook_path": "/p/a.ipynb", "new_source": "x"}"#, false),
    ] {
        let ran = given(&project, options, before(&project, tool, input).as_bytes()).code(0);
        assert_eq!(ran.stdout.contains(r#""permissionDecision":"deny""#), denies, "{tool} {input}: {}", ran.stdout);
    }
    let unsaid = ["--host", "claude", "--written-for", "cursor"];
    let ran = given(&project, &unsaid, before(&project, "PowerShell", r#"{"command": "ls"}"#).as_bytes());
    assert!(ran.stdout.contains("say with --event"), "as for Bash: {}", ran.stdout);
}

#[test]
fn a_server_that_the_host_does_not_name_may_be_any_of_the_matcher_s() {
    let project = project("#!/bin/sh\necho no >&2\nexit 2\n");
    let root = project.root();
    let root = root.display();
    for (matcher, denies) in [
        ("mcp__memory__create", true),
        ("Bash|mcp__a__delete|mcp__b__create", true),
        ("mcp__(fs|memory)__.*", true),
        ("mcp__[a-z]+__create$", true),
        ("mcp__memory__delete", false),
        ("Bash", false),
    ] {
        let options = ["--host", "cursor", "--written-for", "claude", "--event", "PreToolUse", "--matcher", matcher];
        let stdin = format!(
            r#"{{"conversation_id": "c", "generation_id": "g", "model": "m", "cursor_version": "1.7.2", "tool_use_id": "t",
                "hook_event_name": "preToolUse", "workspace_roots": ["{root}"], "cwd": "{root}",
                "tool_name": "MCP:create", "tool_input": {{}}}}"#
        );
        let ran = given(&project, &options, stdin.as_bytes()).code(0);
        assert_eq!(ran.stdout.contains(r#""permission":"deny""#), denies, "{matcher}: {}", ran.stdout);
    }
}

#[cfg(unix)]
#[test]
fn parts_for_which_no_time_is_left_are_not_allowed() {
    let project = project("#!/bin/sh\necho x >> runs\nsleep 5\n");
    let options = ["--written-for", "claude", "--event", "PreToolUse", "--host-timeout", "1"];
    let (decided, _) = fire(&project, "codex", "PreToolUse", &patch(&project, TWO_FILES), &options);
    assert!(decided.starts_with("deny"), "{decided}");
    assert_eq!(lines(&project, "runs"), 1, "the rest is not run");
    let single = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n";
    let (decided, _) = fire(&project, "codex", "PreToolUse", &patch(&project, single), &options);
    assert_eq!(decided, "no-opinion", "a whole call that takes too long goes on, as in Claude Code");
}

#[cfg(unix)]
#[test]
fn variables_of_the_host_s_plugins_stay_outside() {
    let project =
        project("#!/bin/sh\necho \"${CLAUDE_PLUGIN_ROOT-none} ${CURSOR_VERSION+cursor}\" > seen\necho '{}'\n");
    let options = [&["--host", "claude"], CURSOR].concat();
    let mut command = bridge(&project, &options, &["./script"]);
    command.env("CLAUDE_PLUGIN_ROOT", "/plugin").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let stdin = before(&project, "Bash", r#"{"command": "ls"}"#);
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    Ran::of(child.wait_with_output().unwrap()).code(0);
    assert_eq!(fs::read_to_string(project.root().join("seen")).unwrap(), "none cursor\n");
}

/// A patch as Codex makes one, over several files.
fn patch(project: &Project, text: &str) -> Envelope {
    let call = ToolCall::new(ToolAction::Patch(Patch { text: text.to_owned() }));
    occurrence(project, sample::payload_of(Boundary::ToolBefore, call))
}

const TWO_FILES: &str =
    "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-a\n+b\n*** Add File: .env\n+KEY=1\n*** End Patch\n";

#[test]
fn a_patch_is_asked_about_file_by_file() {
    let project = project(
        "#!/bin/sh\ninput=$(cat)\necho x >> runs\ncase $input in *'/.env\"'*) echo 'keep out' >&2; exit 2;; esac\n",
    );
    let options = ["--written-for", "claude", "--event", "PreToolUse", "--matcher", "Edit|Write"];
    let (decided, _) = fire(&project, "codex", "PreToolUse", &patch(&project, TWO_FILES), &options);
    assert_eq!((decided.as_str(), lines(&project, "runs")), ("deny (keep out)", 2));
    let only_writes = ["--written-for", "claude", "--event", "PreToolUse", "--matcher", "Edit"];
    let (decided, _) = fire(&project, "codex", "PreToolUse", &patch(&project, TWO_FILES), &only_writes);
    assert_eq!((decided.as_str(), lines(&project, "runs")), ("no-opinion", 3), "the new file is no edit");
}

#[test]
fn a_patch_that_cannot_be_read_is_not_applied() {
    let project = project("#!/bin/sh\ntouch ran\n");
    let options = ["--written-for", "claude", "--event", "PreToolUse"];
    let (decided, _) = fire(&project, "codex", "PreToolUse", &patch(&project, "*** Begin Patch\nnonsense"), &options);
    assert!(decided.contains("what the call does to each file cannot be read"), "{decided}");
    assert!(!project.root().join("ran").exists());
}

#[test]
fn an_allow_of_one_file_is_none_of_the_whole_patch() {
    // On a permission request an allow skips the question.
    let project = project(
        "#!/bin/sh\ncase $(cat) in *'/.env\"'*) ;; *) echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\",\"decision\":{\"behavior\":\"allow\"}}}';; esac\n",
    );
    let request = |text: &str| {
        let call = ToolCall::new(ToolAction::Patch(Patch { text: text.to_owned() }));
        occurrence(&project, sample::payload_of(Boundary::PermissionRequest, call))
    };
    let options = ["--written-for", "claude", "--event", "PermissionRequest"];
    let fire = |text| fire(&project, "codex", "PermissionRequest", &request(text), &options).0;
    assert_eq!(fire("*** Begin Patch\n*** Delete File: a\n*** Update File: b\n@@\n-x\n*** End Patch\n"), "approve");
    assert_eq!(fire(TWO_FILES), "no-opinion");
}

#[cfg(unix)]
#[test]
fn a_script_does_not_outlive_a_bridge_that_is_asked_to_end() {
    let project = project("#!/bin/sh\necho $$ > pid\nexec sleep 60\n");
    let mut stdin = Vec::new();
    let client = codec("claude");
    client.encode(&hook(&*client, "PreToolUse"), &shell(&project, "ls"), &mut stdin).unwrap();
    let options = [&["--host", "claude"], CURSOR].concat();
    let mut child = start(&project, &options, &stdin);
    drop(child.stdin.take());
    let started = Instant::now();
    let pid = loop {
        let pid = fs::read_to_string(project.root().join("pid")).unwrap_or_default();
        if pid.ends_with('\n') {
            break pid.trim().to_owned();
        }
        assert!(started.elapsed() < Duration::from_secs(30), "the script did not start");
        std::thread::sleep(Duration::from_millis(10));
    };
    let kill = |signal: &str, pid: &str| {
        std::process::Command::new("kill").args([signal, pid]).stderr(Stdio::null()).status().unwrap().success()
    };
    assert!(kill("-TERM", &child.id().to_string()));
    child.wait().unwrap();
    assert!(!kill("-0", &pid), "the script still runs");
}
