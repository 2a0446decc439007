//! What a session remembers: counts of scripts that run side by side, files that are no use, and variables.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use hooks_conformance::sample;
use hooks_core::boundary::{Boundary, Facet};
use hooks_core::envelope::Envelope;
use hooks_runtime::state_file::Lock;
use serde_json::Value;

use super::command::{CURSOR, DENIES, fire, fire_script, lines, project, shell, state, stop};
use super::{bridge, codec, hook, occurrence, run_as};
use crate::support::Ran;

const LOOPS: &str = "#!/bin/sh\ncat >> \"inputs$1\"\necho >> \"inputs$1\"\necho '{\"followup_message\":\"again\"}'\n";
const STOP: [&str; 4] = ["--written-for", "cursor", "--event", "stop"];

#[test]
fn fifty_at_once_each_count_their_own() {
    let project = project(LOOPS);
    let client = codec("claude");
    for round in 0..4 {
        let mut stdin = Vec::new();
        client.encode(&hook(&*client, "Stop"), &stop(&project, round.min(1)), &mut stdin).unwrap();
        let all: Vec<Child> = (0..50)
            .map(|at: u32| {
                let options = [&["--host", "claude"], &STOP[..], &["--loop-limit", "2"]].concat();
                let mut command = bridge(&project, &options, &["./script", &at.to_string()]);
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
                let mut child = command.spawn().unwrap();
                std::io::Write::write_all(&mut child.stdin.take().unwrap(), &stdin).unwrap();
                child
            })
            .collect();
        let answers = all.into_iter().map(|child| Ran::of(child.wait_with_output().unwrap()).code(0));
        let goes_on = answers.filter(|ran| ran.stdout.contains("again")).count();
        assert_eq!(goes_on, if round < 2 { 50 } else { 0 }, "round {round}");
    }
    for at in 0..50 {
        let inputs = fs::read_to_string(project.root().join(format!("inputs{at}"))).unwrap();
        let counts: Vec<Value> =
            inputs.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["loop_count"].clone()).collect();
        assert_eq!(counts, [0, 1, 2, 3], "script {at}");
    }
}

#[test]
fn several_that_make_a_turn_go_on_are_one_round_of_their_vendor_s_cap() {
    let project = project("#!/bin/sh\necho again >&2\nexit 2\n");
    let options = ["--written-for", "claude", "--event", "Stop"];
    let fire = |script, active| {
        fire_script(&project, "codex", "Stop", &stop(&project, active), &options, &["./script", script]).0
    };
    let mut rounds = 0;
    while rounds < 20 {
        let active = u32::from(rounds > 0);
        let (one, other) = (fire("one", active), fire("other", active));
        assert_eq!(one, other, "round {rounds}");
        if one == "no-opinion" {
            break;
        }
        rounds += 1;
    }
    // Claude Code lets hooks block the end of a turn that often in a row.
    assert_eq!(rounds, 8);
}

#[test]
fn a_file_that_is_no_use_is_replaced_where_counting_begins() {
    for broken in [&b""[..], b"{", b"\xff", b"[]", b"{\"version\": 1, \"continued\": {}}"] {
        let project = project(LOOPS);
        let options = [&STOP[..], &["--loop-limit", "2"]].concat();
        let fire = |active| fire(&project, "claude", "Stop", &stop(&project, active), &options);
        assert_eq!(fire(0).0, "go on: again");
        let [file] = state(&project).try_into().unwrap();
        fs::write(&file, broken).unwrap();
        let (decided, told) = fire(1);
        assert_eq!(decided, "no-opinion", "how often it did is not known");
        assert!(told.contains("what the session remembers cannot be kept"), "{told}");
        let (decided, told) = fire(0);
        assert_eq!(decided, "go on: again");
        assert!(told.contains("what the session remembered is lost"), "{told}");
        assert_eq!([fire(1).0, fire(1).0], ["go on: again", "no-opinion"]);
    }
}

#[test]
fn without_a_place_for_the_file_guards_run_and_a_turn_ends() {
    let script = "#!/bin/sh\ncase $(cat) in\n*beforeShell*) echo '{\"permission\":\"deny\",\"agent_message\":\"no\"}' ;;\n*) echo '{\"followup_message\":\"again\"}' ;;\nesac\n";
    let options = [&STOP[..], &["--loop-limit", "2"]].concat();
    let once = [CURSOR, &["--once"]].concat();
    for has_home in [true, false] {
        let project = project(script);
        // Nothing can be made below a file.
        fs::write(project.home().join(".local"), "").unwrap();
        let fire = |event: &str, envelope: &Envelope, options: &[&str]| {
            let client = codec("claude");
            let options = [&["--host", "claude"], options].concat();
            let mut command = bridge(&project, &options, &["./script"]);
            if !has_home {
                command.env_remove("HOME").env_remove("XDG_STATE_HOME");
            }
            let (outcome, _) = run_as(&*client, event, envelope, command);
            super::words(&super::decision(&*client, event, envelope, &outcome))
        };
        assert_eq!(fire("PreToolUse", &shell(&project, "ls"), CURSOR), "deny (no)");
        assert_eq!(fire("PreToolUse", &shell(&project, "ls"), &once), "deny (no)");
        assert_eq!(fire("Stop", &stop(&project, 0), &options), "go on: again");
        assert_eq!(fire("Stop", &stop(&project, 1), &options), "no-opinion");
    }
}

#[test]
fn a_lock_that_somebody_holds_does_not_use_up_the_host_s_time() {
    let project = project(DENIES);
    let once = [CURSOR, &["--once", "--host-timeout", "1.5"]].concat();
    fire(&project, "claude", "PreToolUse", &shell(&project, "ls"), &once);
    let [file] = state(&project).try_into().unwrap();
    let _held = Lock::take(&file, Duration::ZERO).unwrap().unwrap();
    let started = Instant::now();
    let (decided, told) = fire(&project, "claude", "PreToolUse", &shell(&project, "ls"), &once);
    assert!(told.contains("another run holds"), "{told}");
    assert_eq!(decided, "deny (no)");
    assert!(started.elapsed() < Duration::from_secs(2), "it took {:?}", started.elapsed());
}

/// A script as people write it for Claude Code: without the file, `set -e` would end it before it says anything.
const VARIABLES: &str = "#!/bin/sh\nset -eu\necho 'export NODE_ENV=test' >> \"$CLAUDE_ENV_FILE\"\necho x >> runs\necho the branch is main\n";

#[test]
fn a_script_finds_the_file_for_variables_that_its_own_vendor_gives_it() {
    for (host, starts, ends) in [("cursor", "sessionStart", "sessionEnd"), ("codex", "SessionStart", "SessionEnd")] {
        let project = project(VARIABLES);
        let happens = |boundary| occurrence(&project, sample::payload_of(boundary, sample::call(Facet::Any)));
        let options = ["--written-for", "claude", "--event", "SessionStart"];
        for run in 1..=2 {
            let (decided, told) = fire(&project, host, starts, &happens(Boundary::SessionStart), &options);
            assert_eq!(decided, "no-opinion (the branch is main)", "{told}");
            let said =
                format!("{host} has no variables for the agent's commands; what the script wrote to CLAUDE_ENV_FILE");
            assert!(told.contains(&said), "{told}");
            let path = told.split('`').nth(1).unwrap();
            assert_eq!(fs::read_to_string(path).unwrap(), "export NODE_ENV=test\n".repeat(run));
        }
        let folder = || fs::read_dir(project.home().join(".local/state/crosshook/bridge")).unwrap();
        let has_files = || folder().any(|entry| entry.unwrap().path().extension().is_some_and(|it| it == "files"));
        assert!(has_files());
        let end = ["--written-for", "claude", "--event", "SessionEnd"];
        fire(&project, host, ends, &happens(Boundary::SessionEnd), &end);
        assert!(!has_files(), "{host}: the session has ended");
    }
}

#[test]
fn a_client_that_has_such_a_file_itself_gives_the_script_its_own() {
    let project = project(VARIABLES);
    let start = occurrence(&project, sample::payload_of(Boundary::SessionStart, sample::call(Facet::Any)));
    let options = ["--host", "claude", "--written-for", "claude", "--event", "SessionStart"];
    let mut command = bridge(&project, &options, &["./script"]);
    let own = project.root().join("own.sh");
    command.env("CLAUDE_ENV_FILE", &own);
    // The client's own runner sets it last.
    let client = codec("claude");
    let mut stdin = Vec::new();
    client.encode(&hook(&*client, "SessionStart"), &start, &mut stdin).unwrap();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &stdin).unwrap();
    Ran::of(child.wait_with_output().unwrap()).code(0);
    assert_eq!(fs::read_to_string(own).unwrap(), "export NODE_ENV=test\n");
    assert_eq!(lines(&project, "runs"), 1);
}
