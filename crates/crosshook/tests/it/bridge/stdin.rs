//! Clients that do not close standard input, or do not end it.

use std::io::Write as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::command::{CURSOR, DENIES, project, shell, start};
use super::{bridge, codec, hook};
use crate::support::{Project, Ran};

/// What Claude Code writes before a shell command.
fn before(project: &Project) -> Vec<u8> {
    let (client, mut stdin) = (codec("claude"), Vec::new());
    client.encode(&hook(&*client, "PreToolUse"), &shell(project, "ls"), &mut stdin).unwrap();
    stdin
}

/// Waits for the answer while standard input stays open, at most half a minute.
fn answered(mut child: Child) -> Ran {
    let open = child.stdin.take();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(30), "it waits for the end of its standard input");
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(open);
    Ran::of(child.wait_with_output().unwrap())
}

#[test]
fn standard_input_that_is_whole_is_enough_though_nobody_closes_it() {
    let project = project(DENIES);
    let options = [&["--host", "claude"], CURSOR].concat();
    let ran = answered(start(&project, &options, &before(&project))).code(0);
    assert!(ran.stdout.contains("\"deny\""), "{}", ran.stdout);
}

#[test]
fn what_never_gets_whole_blocks_before_the_host_gives_up() {
    let project = project("#!/bin/sh\ntouch ran\n");
    let whole = before(&project);
    let half = &whole[..whole.len() / 2];
    let guard = [&["--host", "claude", "--host-timeout", "1"], CURSOR].concat();
    answered(start(&project, &guard, half)).code(2).complains("standard input was not closed in 0.8 seconds");
    answered(start(&project, &guard, b"")).code(2).complains("standard input was not closed");
    // A block here would make the turn go on.
    let stop = ["--host", "claude", "--host-timeout", "1", "--written-for", "cursor", "--event", "stop"];
    answered(start(&project, &stop, half)).code(1).complains("standard input was not closed");
    assert!(!project.root().join("ran").exists());
}

#[test]
fn standard_input_without_end_blocks() {
    let project = project("#!/bin/sh\ntouch ran\n");
    let mut command = bridge(&project, &[&["--host", "claude"], CURSOR].concat(), &["./script"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let spaces = vec![b' '; 1 << 20];
    while stdin.write_all(&spaces).is_ok() {}
    Ran::of(child.wait_with_output().unwrap()).code(2).complains("standard input has more than 268435456 bytes");
    assert!(!project.root().join("ran").exists());
}
