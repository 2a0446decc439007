//! What a guard looks at in what real clients write: it has to find it where its own vendor's clients put it.

use std::fs;

use serde_json::{Value, json};

use super::command::{project, start};
use crate::support::{Project, Ran};

/// The command with this on standard input.
fn given(project: &Project, options: &[&str], stdin: &Value) -> Ran {
    let mut child = start(project, options, stdin.to_string().as_bytes());
    drop(child.stdin.take());
    Ran::of(child.wait_with_output().unwrap()).code(0)
}

/// What the script was given.
fn seen(project: &Project) -> Value {
    serde_json::from_str(&fs::read_to_string(project.root().join("seen")).unwrap()).unwrap()
}

/// What Cursor writes before a tool runs (hooks page, common fields and preToolUse).
fn cursor(project: &Project, name: &str, input: &Value) -> Value {
    let root = project.root();
    json!({"conversation_id": "c", "generation_id": "g", "model": "m", "hook_event_name": "preToolUse",
        "cursor_version": "3.14.7", "workspace_roots": [root], "user_email": null, "transcript_path": null,
        "tool_name": name, "tool_input": input, "tool_use_id": "t", "cwd": root})
}

const KEEPS: &str = "#!/bin/sh\ncat > seen\necho '{}'\n";

const READS: &[&str] = &["--host", "claude", "--written-for", "cursor", "--event", "beforeReadFile"];

/// What Claude Code writes before it reads a file: it does not say what the file holds (recorded payloads).
fn read(project: &Project, path: &str) -> Value {
    json!({"session_id": "s", "transcript_path": "/t", "cwd": project.root(), "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": path}, "tool_use_id": "t"})
}

#[test]
fn a_guard_of_what_files_hold_is_given_it() {
    // Cursor's `content` is always there (hooks page, beforeReadFile).
    let guard = "#!/bin/sh\ncat > seen\ncase $(cat seen) in *'\"content\":\"KEY=s3cret'*) echo '{\"permission\":\"deny\"}';; *) echo '{\"permission\":\"allow\"}';; esac\n";
    let project = project(guard).with("some dir/ü.env", "KEY=s3cret\n").with("open.txt", "nothing\n");
    let at = |path: &str| project.root().join(path).to_str().unwrap().to_owned();
    for path in [at("some dir/ü.env"), "some dir/ü.env".to_owned()] {
        let ran = given(&project, READS, &read(&project, &path));
        assert!(ran.stdout.contains("\"deny\""), "{path}: {}", ran.stdout);
    }
    let ran = given(&project, READS, &read(&project, &at("open.txt")));
    assert!(!ran.stdout.contains("\"deny\""), "{}", ran.stdout);
    assert_eq!(seen(&project)["content"], "nothing\n");
}

#[test]
fn what_holds_nothing_that_can_be_read_is_told_without_it() {
    let project = project(KEEPS).with("bytes", "x");
    fs::write(project.root().join("bytes"), b"a\xffb").unwrap();
    let root = project.root().to_str().unwrap().to_owned();
    for path in ["none", "/dev/zero", &root] {
        given(&project, READS, &read(&project, path));
        assert_eq!(seen(&project).get("content"), None, "{path}");
    }
    given(&project, READS, &read(&project, "bytes"));
    assert_eq!(seen(&project)["content"], "a\u{fffd}b");
}

const EDITS: &[&str] =
    &["--host", "cursor", "--written-for", "claude", "--event", "PreToolUse", "--matcher", "Edit|Write|Read"];

#[test]
fn a_file_is_found_under_every_key_that_cursor_s_client_gives_it() {
    let guard =
        "#!/bin/sh\ncat > seen\ngrep -q '\"file_path\":\"[^\"]*/[.]env\"' seen && { echo no >&2; exit 2; }\nexit 0\n";
    let project = project(guard);
    let env = project.root().join(".env");
    let patch = "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Add File: .env\n+KEY=1\n*** End Patch";
    for (name, input) in [
        ("Read", json!({"path": env})),
        ("Write", json!({"path": env, "contents": "KEY=1"})),
        ("Write", json!({"file_path": env, "content": "KEY=1"})),
        ("StrReplace", json!({"path": env, "old_string": "a", "new_string": "b"})),
        ("StrReplace", json!({"file_path": env, "old_string": "a", "new_string": "b"})),
        ("ApplyPatch", json!({"patch": patch})),
        ("ApplyPatch", json!({"input": patch})),
    ] {
        let ran = given(&project, EDITS, &cursor(&project, name, &input));
        assert!(ran.stdout.contains("\"deny\""), "{name} {input}: {}", ran.stdout);
    }
    let ran = given(&project, EDITS, &cursor(&project, "Write", &json!({"path": "b", "contents": "KEY=1"})));
    assert!(!ran.stdout.contains("\"deny\""), "{}", ran.stdout);
    assert_eq!(seen(&project)["tool_input"]["content"], "KEY=1");
}

#[test]
fn another_input_has_the_keys_in_which_the_client_gave_the_first() {
    let rewrites = r#"#!/bin/sh
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"file_path":"/x","content":"new"}}}'
"#;
    let project = project(rewrites);
    let answer = |name, input| {
        let ran = given(&project, EDITS, &cursor(&project, name, &input));
        serde_json::from_str::<Value>(&ran.stdout).unwrap()
    };
    let other = answer("Write", json!({"path": "/a", "contents": "old"}));
    assert_eq!(other["updated_input"], json!({"path": "/x", "contents": "new"}));
    let same = answer("Write", json!({"file_path": "/a", "content": "old"}));
    assert_eq!(same["updated_input"], json!({"file_path": "/x", "content": "new"}));
    // A patch is no place for a file's content: the first one must not be applied instead.
    let patch = answer("ApplyPatch", json!({"patch": "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}));
    assert_eq!((&patch["permission"], &patch["updated_input"]), (&json!("deny"), &Value::Null));
}

#[test]
fn a_session_whose_folder_is_no_path_here_is_where_the_client_runs_its_hooks() {
    let project = project(KEEPS).with(".git/HEAD", "ref: refs/heads/main\n");
    for cwd in ["", "C:\\work\\app"] {
        let stdin = json!({"session_id": "s", "turn_id": "u", "transcript_path": null, "cwd": cwd,
            "hook_event_name": "PreToolUse", "model": "m", "permission_mode": "default", "tool_name": "Bash",
            "tool_input": {"command": "ls"}, "tool_use_id": "t"});
        let options = ["--host", "codex", "--written-for", "cursor", "--event", "beforeShellExecution"];
        given(&project, &options, &stdin);
        assert_eq!(seen(&project)["workspace_roots"], json!([project.root()]), "{cwd}");
    }
}
