//! Whatever stands in a project: a clear word, an exit code that is documented, and nothing else lost.

use std::process::Stdio;

use crate::support::{Project, command};

const GOOD: &str = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"echo good"}]}]}}"#;

/// A project in which Codex's file is good and another vendor's is bad.
fn beside(path: &str, bytes: impl AsRef<[u8]>) -> Project {
    Project::new().with(".codex/hooks.json", GOOD).with(path, bytes)
}

#[track_caller]
fn still_lists(project: &Project) {
    project.run(&["list"]).code(0).says("echo good");
    let document = project.run(&["list", "--json"]).code(0).json();
    let listed = document["definitions"].as_array().unwrap().iter().any(|it| it["label"] == "echo good");
    assert!(listed, "{document}");
}

#[test]
fn a_path_that_is_not_there() {
    let project = Project::new();
    for command in ["list", "check"] {
        project.run(&[command, "nowhere"]).code(2).complains("there is no `nowhere`");
    }
    project.run(&["fire", "Stop", "nowhere"]).code(2).complains("there is no `nowhere`");
}

#[test]
fn a_project_without_hooks() {
    let project = Project::new();
    let nothing = "There are no hook files in this folder. Looked for .cursor/hooks.json,";
    project.run(&["list"]).code(0).says(nothing).says(".claude/settings.json");
    std::fs::create_dir(project.root().join("below")).unwrap();
    project.run(&["list", "below"]).code(0).says("There are no hook files in `below`. Looked for");
    project.run(&["list", "./."]).code(0).says(nothing);
    project.run(&["check"]).code(0).says("There are no hook files in this folder");
    project.run(&["fire", "Stop"]).code(0).says("No hook runs");
}

#[test]
fn files_that_cannot_be_read_as_what_they_should_be() {
    let deep = format!("{{\"hooks\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let documents: [(&str, &[u8]); 8] = [
        ("empty", b""),
        ("blank", b" \n\t\n"),
        ("not utf-8", b"{\"version\":1,\"hooks\":{\"stop\":[{\"command\":\"\xff\xfe\"}]}}"),
        ("too deep", deep.as_bytes()),
        ("cut off", b"{\"version\":1,\"hooks\":{"),
        ("an array", b"[]"),
        ("a NUL", b"{\"version\":1,\0}"),
        ("escape sequences", b"{\"version\":1,\"\x1b[2Jhooks\":{}}"),
    ];
    for (what, bytes) in documents {
        for path in [".cursor/hooks.json", ".claude/settings.json"] {
            let project = beside(path, bytes);
            still_lists(&project);
            let told = project.run(&["check", "--color", "never"]);
            // Claude takes an empty settings file as no settings (case cfg-empty-file), which is told and no problem.
            let is_fine = bytes.trim_ascii().is_empty() && path.starts_with(".claude");
            let expected = i32::from(!is_fine);
            assert_eq!(told.code, expected, "{what} in {path}: {}", told.stdout);
            let told = told.says(path);
            assert!(!told.stdout.contains('\u{1b}'), "{what}: {:?}", told.stdout);
            // Alone, as one file.
            project.run(&["check", path]).code(expected);
            project.run(&["list", path]).code(0);
            // The good vendor's hooks still fire.
            project.run(&["fire", "tool.before", "--command", "ls", "--yes"]).code(0).says("echo good");
        }
    }
}

#[test]
fn a_byte_order_mark_means_what_it_means_to_each_vendor() {
    let bom = |text: &str| [b"\xef\xbb\xbf", text.as_bytes()].concat();
    // Fine in Claude's settings (3.2), fatal in Codex's file (3.1).
    let project = Project::new().with(".claude/settings.json", bom(GOOD)).with(".codex/hooks.json", bom(GOOD));
    let document = project.run(&["list", "--json"]).code(0).json();
    let vendors: Vec<_> = document["definitions"].as_array().unwrap().iter().map(|it| &it["vendor"]).collect();
    assert_eq!(vendors, ["claude"]);
    project.run(&["check"]).code(1).says(".codex/hooks.json");
}

#[test]
fn a_folder_in_a_files_place() {
    let project = Project::new().with(".codex/hooks.json", GOOD);
    std::fs::create_dir_all(project.root().join(".cursor/hooks.json")).unwrap();
    still_lists(&project);
    project.run(&["check"]).code(1).says("it is a folder, not a file").says("core/unreadable");
}

#[test]
fn a_file_that_is_too_large() {
    let project = beside(".claude/settings.json", vec![b' '; 50 << 20]);
    still_lists(&project);
    project.run(&["check"]).code(1).says("core/unreadable").says(".claude/settings.json");
    project.run(&["check", ".claude/settings.json"]).code(2).complains("more than the");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_a_files_place_is_not_waited_for() {
    let project = Project::new().with(".codex/hooks.json", GOOD);
    std::fs::create_dir_all(project.root().join(".cursor")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(project.root().join(".cursor/hooks.json")).status().unwrap();
    assert!(made.success());
    still_lists(&project);
    project.run(&["check"]).code(1).says("it is no ordinary file");
}

#[test]
fn a_file_whose_format_cannot_be_told() {
    let project = Project::new().with("my-hooks.json", GOOD);
    project.run(&["list", "my-hooks.json"]).code(2).complains("--vendor");
    project.run(&["list", "my-hooks.json", "--vendor", "claude"]).code(0).says("echo good");
    let two = ["list", "my-hooks.json", "--vendor", "claude", "--vendor", "codex"];
    project.run(&two).code(2).complains("one file");
}

#[test]
fn wrong_arguments() {
    let project = Project::new();
    for line in [&[][..], &["lst"], &["list", "--vendor", "emacs"], &["fire"], &["list", "--format", "xml"]] {
        project.run(line).code(2);
    }
    project.run(&["list", "--vendor", "codx"]).code(2).complains("codex");
    project.run(&["lst"]).code(2).complains("list");
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    // More than a pipe holds, so that writing meets the closed end.
    let many: Vec<String> = (0..3_000).map(|at| format!(r#"{{"command":"echo {at}"}}"#)).collect();
    let text = format!(r#"{{"version":1,"hooks":{{"stop":[{}]}}}}"#, many.join(","));
    let project = Project::new().with(".cursor/hooks.json", text);
    for line in [&["list"][..], &["list", "--json"], &["fire", "stop", "--why"], &["--help"]] {
        let mut child = command(&project.root(), &project.home())
            .args(line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert!(output.status.code().is_some(), "ended by a signal");
    }
}
