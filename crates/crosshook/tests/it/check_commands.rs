//! What the checker says of commands: each case is a project on disk, and what is told of it, with its place and edits.

use serde_json::{Value, json};

use crate::support::Project;

const BLOCKS: &str = "#!/bin/sh\nexit 2\n";
const CURSOR: &str = ".cursor/hooks.json";
const CLAUDE: &str = ".claude/settings.json";
const CODEX: &str = ".codex/hooks.json";

fn cursor(event: &str, command: &str) -> String {
    json!({"version": 1, "hooks": {event: [{"command": command}]}}).to_string()
}

fn grouped(event: &str, handler: &Value) -> String {
    json!({"hooks": {event: [{"matcher": "Bash", "hooks": [handler]}]}}).to_string()
}

fn claude(event: &str, command: &str) -> String {
    grouped(event, &json!({"type": "command", "command": command}))
}

#[cfg(unix)]
fn executable(project: &Project, path: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(project.root().join(path), std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// What the checker itself tells of a project: code, severity, and the text of the file that it points to.
fn told(project: &Project) -> Vec<(String, String, String)> {
    full(project).into_iter().map(|told| (word(&told, "code"), word(&told, "severity"), text(project, &told))).collect()
}

fn full(project: &Project) -> Vec<Value> {
    let document = project.run(&["check", "--format", "json"]).json();
    let told = document["diagnostics"].as_array().unwrap().clone();
    told.into_iter().filter(|told| word(told, "code").starts_with("crosshook/")).collect()
}

fn word(told: &Value, key: &str) -> String {
    told[key].as_str().unwrap_or_default().to_owned()
}

/// The bytes that a diagnostic points to, as they stand in the file.
fn text(project: &Project, told: &Value) -> String {
    let bytes = std::fs::read(project.root().join(word(told, "file"))).unwrap();
    let at = |key: &str| usize::try_from(told[key].as_u64().unwrap_or(0)).unwrap();
    String::from_utf8_lossy(&bytes[at("byte_start")..at("byte_end")]).into_owned()
}

/// The file after the edits of what is told of it.
fn mended(project: &Project, told: &Value) -> String {
    let mut bytes = std::fs::read(project.root().join(word(told, "file"))).unwrap();
    let mut edits = told["edits"].as_array().unwrap().clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit["byte_start"].as_u64()));
    for edit in edits {
        let at = |key: &str| usize::try_from(edit[key].as_u64().unwrap()).unwrap();
        bytes.splice(at("byte_start")..at("byte_end"), edit["text"].as_str().unwrap().bytes());
    }
    String::from_utf8(bytes).unwrap()
}

#[track_caller]
fn one(project: &Project, code: &str, severity: &str, at: &str) -> Value {
    let found = told(project);
    assert_eq!(found, [(format!("crosshook/{code}"), severity.to_owned(), at.to_owned())]);
    full(project).remove(0)
}

#[track_caller]
fn nothing(project: &Project) {
    assert_eq!(told(project), []);
}

#[test]
fn a_missing_script_is_told_at_its_word_behind_escapes() {
    let command = "TRACE=\"1\" sh \"$CLAUDE_PROJECT_DIR/\u{e9}/guard.sh\" --x";
    let project = Project::new().with(CLAUDE, claude("PreToolUse", command));
    let found = one(&project, "script-missing", "error", "\\\"$CLAUDE_PROJECT_DIR/\u{e9}/guard.sh\\\"");
    assert_eq!(word(&found, "pointer"), "/hooks/PreToolUse/0/hooks/0/command");
    let project = project.with("\u{e9}/guard.sh", BLOCKS);
    nothing(&project);
}

#[test]
fn what_a_missing_script_costs_is_the_vendor_s_rule() {
    for (file, text, severity, says) in [
        (CURSOR, cursor("beforeShellExecution", "./a.sh"), "error", "what it should guard goes on"),
        (CURSOR, cursor("afterFileEdit", "./a.sh"), "warning", "nothing else happens"),
        (
            CLAUDE,
            claude("PreToolUse", "python3 \"$CLAUDE_PROJECT_DIR\"/a.py"),
            "error",
            "blocks what it is asked about",
        ),
        (CLAUDE, claude("PreToolUse", "node \"$CLAUDE_PROJECT_DIR\"/a.mjs"), "error", "what it should guard goes on"),
    ] {
        let found = full(&Project::new().with(file, &text));
        let found = found.iter().find(|told| word(told, "code") == "crosshook/script-missing").unwrap();
        assert_eq!(word(found, "severity"), severity, "{text}");
        assert!(word(found, "message").contains(says), "{text}: {}", found["message"]);
    }
    let closed = json!({"version": 1, "hooks": {"beforeShellExecution": [{"command": "./a.sh", "failClosed": true}]}});
    let found = full(&Project::new().with(CURSOR, closed.to_string()));
    assert!(word(&found[0], "message").contains("blocks what it is asked about"), "{}", found[0]["message"]);
}

#[test]
#[cfg(unix)]
fn a_path_from_the_wrong_folder_is_mended() {
    let project = Project::new().with(CURSOR, cursor("stop", "./hooks/a.sh --x")).with(".cursor/hooks/a.sh", BLOCKS);
    executable(&project, ".cursor/hooks/a.sh");
    let found = one(&project, "script-missing", "warning", "./hooks/a.sh");
    assert_eq!(mended(&project, &found), cursor("stop", ".cursor/hooks/a.sh --x"));
    assert!(found["changes"].is_string());
    nothing(&project.with(CURSOR, cursor("stop", ".cursor/hooks/a.sh --x")));
}

#[test]
#[cfg(unix)]
fn what_the_system_cannot_start_is_told() {
    let guard = |bytes: &[u8]| {
        let project = Project::new().with(CURSOR, cursor("beforeShellExecution", "./a.sh")).with("a.sh", bytes);
        executable(&project, "a.sh");
        project
    };
    nothing(&guard(BLOCKS.as_bytes()));
    nothing(&guard(b"\x7fELF\0\0\0"));
    one(&guard(b"#!/bin/sh\r\nexit 2\r\n"), "shebang-crlf", "error", "./a.sh");
    one(&guard(b"exit 2\n"), "shebang-missing", "info", "./a.sh");
    one(&guard(b"\xef\xbb\xbf#!/bin/sh\n"), "shebang-missing", "info", "./a.sh");
    one(&guard(b"#!/no/such/shell -e\n"), "shebang-interpreter-missing", "warning", "./a.sh");
    let plain = Project::new().with(CURSOR, cursor("beforeShellExecution", "./a.sh")).with("a.sh", BLOCKS);
    one(&plain, "script-not-executable", "error", "./a.sh");
    let folder = Project::new().with(CURSOR, cursor("beforeShellExecution", "./a")).with("a/b.sh", BLOCKS);
    one(&folder, "script-is-a-folder", "error", "./a");
    let python = Project::new().with(CURSOR, cursor("beforeShellExecution", "./a.py")).with("a.py", "import sys\n");
    executable(&python, "a.py");
    one(&python, "shebang-missing", "error", "./a.py");
    // Without a shell nothing reads a text that has no first line.
    let handler = json!({"type": "command", "command": "${CLAUDE_PROJECT_DIR}/a.sh", "args": []});
    let exec = Project::new().with(CLAUDE, grouped("PreToolUse", &handler)).with("a.sh", "exit 2\n");
    executable(&exec, "a.sh");
    one(&exec, "shebang-missing", "error", "\"${CLAUDE_PROJECT_DIR}/a.sh\"");
}

#[test]
fn a_script_for_another_interpreter_is_told() {
    let python = "#!/usr/bin/env python3\n";
    let project = Project::new().with(CURSOR, cursor("stop", "node ./a.py")).with("a.py", python);
    let found = told(&project);
    assert!(found.contains(&("crosshook/wrong-interpreter".into(), "warning".into(), "./a.py".into())), "{found:?}");
    let right = Project::new().with(CURSOR, cursor("stop", "sh ./a.sh")).with("a.sh", "#!/bin/bash\n");
    nothing(&right);
}

#[test]
fn a_path_is_followed_through_folders_shells_and_prefixes() {
    for command in [
        "cd sub && ./a.sh",
        "cd \"$CURSOR_PROJECT_DIR/sub\"; ./a.sh",
        "sh -c 'sub/a.sh --x'",
        "env A=1 sub/a.sh",
        "exec sub/a.sh",
        "D=sub; \"$D/a.sh\"",
    ] {
        let project = Project::new().with(CURSOR, cursor("stop", command));
        let found = told(&project);
        assert!(found.iter().any(|(code, ..)| code == "crosshook/script-missing"), "{command}: {found:?}");
    }
}

#[test]
fn a_script_is_found_behind_the_options_of_its_interpreter_and_behind_what_runs_that() {
    let missing = |command: &str| {
        let found = told(&Project::new().with(CURSOR, cursor("stop", command)));
        found.into_iter().any(|(code, _, at)| code == "crosshook/script-missing" && at.contains("./a."))
    };
    for command in [
        "bash -euo pipefail ./a.sh",
        "bash -o pipefail -e ./a.sh",
        "bash --login ./a.sh",
        "python3 -X utf8 ./a.py",
        "python3 -uB ./a.py",
        "perl -w ./a.pl",
        "node --no-warnings --experimental-strip-types ./a.ts",
        "bun run ./a.ts",
        "deno run -A ./a.ts",
        "deno run --allow-read --allow-env=HOME ./a.ts",
        "npx -y tsx ./a.ts",
        "bunx tsx ./a.ts",
        "pnpm exec tsx ./a.ts",
        "uv run ./a.py",
        "uv run --script ./a.py",
        "uv run python ./a.py",
        "poetry run python3 ./a.py",
        "timeout -k 1 --foreground 5 sh ./a.sh",
        "nice -n 10 sh ./a.sh",
        "nice sh ./a.sh",
    ] {
        assert!(missing(command), "{command}");
    }
    // What a package or another option makes of its arguments is not known.
    for command in [
        "npx guard ./a.ts",
        "npx -p guard tsx ./a.ts",
        "uv run ruff check ./a.py",
        "uv run --directory sub ./a.py",
        "uv pip install ./a.whl",
        "deno fmt ./a.ts",
        "bun test ./a.ts",
        "pnpm run ./a.ts",
        "python3 -X utf8 -m a ./a.py",
        "bash -x --rcfile ./a.sh ./a.sh",
    ] {
        assert!(!missing(command), "{command}");
    }
    // uv exits with 2 for a file that is not there (tried with 0.13), and 2 blocks.
    let project = Project::new().with(CLAUDE, claude("PreToolUse", "uv run \"$CLAUDE_PROJECT_DIR\"/a.py"));
    let found = full(&project);
    let missing = found.iter().find(|told| word(told, "code") == "crosshook/script-missing").unwrap();
    assert!(word(missing, "message").contains("uv exits with 2, which blocks"), "{}", missing["message"]);
}

#[test]
fn a_text_that_the_command_does_nothing_but_give_to_a_shell_is_looked_at_as_the_command() {
    let with = |command: &str| Project::new().with(CLAUDE, claude("PreToolUse", command)).with("a.sh", BLOCKS);
    for shell in ["sh -c", "bash -c", "bash -ec", "bash -euo pipefail -c", "bash -xc"] {
        let command = format!("{shell} 'sh \"$CLAUDE_PROJECT_DIR\"/a.sh || true'");
        one(&with(&command), "exit-code-lost", "error", "\\\"$CLAUDE_PROJECT_DIR\\\"/a.sh");
    }
    one(&with("bash -c 'echo \"$CLAUDE_TOOL_INPUT\" | grep x'"), "variable-not-set", "error", "$CLAUDE_TOOL_INPUT");
    // An edit is made where the quotes around allow it.
    let project = with("bash -c 'sh $CLAUDE_PROJECT_DIR/a.sh'");
    let found = one(&project, "variable-unquoted", "warning", "$CLAUDE_PROJECT_DIR");
    assert_eq!(mended(&project, &found), claude("PreToolUse", "bash -c 'sh \"$CLAUDE_PROJECT_DIR/a.sh\"'"));
    let found =
        one(&with("bash -c \"sh $CLAUDE_PROJECT_DIR/a.sh\""), "variable-unquoted", "warning", "$CLAUDE_PROJECT_DIR");
    assert_eq!(found["edits"], json!([]));
    nothing(&with("bash -c \"sh \\\"$CLAUDE_PROJECT_DIR\\\"/a.sh\""));
    let gone = with("bash -c \"sh \\\"$CLAUDE_PROJECT_DIR\\\"/b.sh\"");
    one(&gone, "script-missing", "error", r#"\\\"$CLAUDE_PROJECT_DIR\\\"/b.sh"#);
    // The first shell makes the text, and what it makes of it is not known.
    nothing(&with("bash -c \"$(cat \"$CLAUDE_PROJECT_DIR\"/a.sh) || true\""));
    nothing(&with("sh -c 'exec \"$CLAUDE_PROJECT_DIR\"/\"$1\"' sh a.sh"));
    // A login shell sets PATH itself.
    nothing(&with("bash -lc 'no-such-program-here'"));
    one(&with("bash -c 'no-such-program-here'"), "program-not-found", "info", "no-such-program-here");
}

#[test]
fn what_is_written_for_windows_is_no_fault_of_a_script_elsewhere() {
    for path in ["./a.cmd", "./a.ps1"] {
        nothing(&Project::new().with(CURSOR, cursor("beforeShellExecution", path)).with(&path[2..], "exit 2\r\n"));
    }
    let project = Project::new().with(CLAUDE, claude("PreToolUse", "node \"C:/Users/me/a b/guard.mjs\""));
    if cfg!(not(windows)) {
        let found = one(&project, "script-missing", "warning", "\\\"C:/Users/me/a b/guard.mjs\\\"");
        assert!(word(&found, "message").contains("which is a path of Windows"), "{}", found["message"]);
        assert!(word(&found, "help").contains("one person's home folder"), "{}", found["help"]);
    }
}

#[test]
#[cfg(unix)]
fn the_help_says_why_a_path_leads_nowhere() {
    for (command, help) in [
        ("sh '$CLAUDE_PROJECT_DIR/a.sh'", "Write `\"$CLAUDE_PROJECT_DIR/a.sh\"`."),
        ("sh '${CLAUDE_PROJECT_DIR}/a.sh'", "Write `\"${CLAUDE_PROJECT_DIR}/a.sh\"`."),
        ("sh \"~/a.sh\"", "Write `\"$HOME/a.sh\"`."),
        ("sh \\\"./a.sh\\\"", "The quotes are escaped once too often"),
        ("/Users/me/bin/guard", "one person's home folder"),
        ("./a.sh", "Write the path from the folder"),
    ] {
        let found = full(&Project::new().with(CLAUDE, claude("PreToolUse", command)));
        let missing = found.iter().find(|told| word(told, "code") == "crosshook/script-missing").unwrap();
        assert!(word(missing, "help").contains(help), "{command}: {}", missing["help"]);
    }
}

#[test]
fn what_only_a_running_shell_knows_is_not_told() {
    for command in [
        "\"$(find . -name guard.sh)\"",
        "$GUARD/a.sh",
        "./hooks/*.sh",
        "if true; then ./a.sh; fi",
        "(./a.sh)",
        "command -v ./a.sh && ./a.sh",
        "test -f ./a.sh && ./a.sh",
        "./a.sh || ./b.sh",
        "cd \"$SOMEWHERE\" && ./a.sh",
        "./node_modules/.bin/prettier --write .",
        "python3 -m guard",
        "node --import ./x.mjs ./a.mjs",
        "~/.cursor/guard.sh",
    ] {
        let found = told(&Project::new().with(CURSOR, cursor("stop", command)));
        let missing: Vec<_> = found.iter().filter(|(code, ..)| code == "crosshook/script-missing").collect();
        // The second of two alternatives is only run where the first is missing.
        let first_of_two = command == "./a.sh || ./b.sh";
        assert!(missing.is_empty() || first_of_two && missing.len() == 1, "{command}: {missing:?}");
    }
}

#[test]
fn a_file_at_no_vendor_s_place_is_not_followed() {
    let project = Project::new().with("x.json", cursor("stop", ".cursor/hooks/a.sh"));
    let document = project.run(&["check", "x.json", "--vendor", "cursor", "--format", "json"]).json();
    assert_eq!(document["diagnostics"], json!([]));
}

#[test]
fn nothing_in_the_home_folder_is_looked_at_unless_asked() {
    let project = Project::new();
    let home = project.home();
    let project = project.with(CURSOR, cursor("stop", &format!("{}/a.sh", home.display())));
    nothing(&project);
    let ran = project.run(&["check", "--home", "--format", "json"]).json();
    assert_eq!(ran["diagnostics"][0]["code"], "crosshook/script-missing", "{ran}");
}

#[test]
fn a_path_that_depends_on_the_session_is_told_where_it_does() {
    let script = |file: &str, text: String| Project::new().with(file, text).with(".claude/a.sh", BLOCKS);
    let project = script(CLAUDE, claude("PreToolUse", "sh .claude/a.sh"));
    let found = one(&project, "relative-path", "warning", ".claude/a.sh");
    assert_eq!(mended(&project, &found), claude("PreToolUse", "sh \"$CLAUDE_PROJECT_DIR\"/.claude/a.sh"));
    // Codex has no variable for the root: told of guards only.
    one(&script(CODEX, claude("PreToolUse", "sh .claude/a.sh")), "relative-path", "warning", ".claude/a.sh");
    nothing(&script(CODEX, claude("Stop", "sh .claude/a.sh")));
    nothing(&script(CURSOR, cursor("stop", "sh .claude/a.sh")));
    nothing(&script(CLAUDE, claude("PreToolUse", "cd \"$CLAUDE_PROJECT_DIR\" && sh .claude/a.sh")));
}

#[test]
fn behind_cd_it_is_the_folder_that_counts_from_the_session() {
    let project = Project::new().with(CLAUDE, claude("PreToolUse", "cd sub && sh ./a.sh")).with("sub/a.sh", BLOCKS);
    let found = one(&project, "relative-path", "warning", "./a.sh");
    assert_eq!(found["edits"], json!([]), "`$CLAUDE_PROJECT_DIR/a.sh` is another file");
    assert_eq!(word(&found, "help"), "Let `cd` count from the root: `cd \"$CLAUDE_PROJECT_DIR/sub\"`.");
    // What is there from where the hook begins is not there behind `cd`.
    let project = Project::new().with(CURSOR, cursor("stop", "cd sub && ./sub/a.sh")).with("sub/a.sh", BLOCKS);
    let found = one(&project, "script-missing", "warning", "./sub/a.sh");
    assert_eq!(found["edits"], json!([]), "{}", found["help"]);
}

#[test]
fn variables_that_a_vendor_does_not_set_are_told() {
    for (file, text, severity, at) in [
        // A variable that no client sets is never equal to anything, so that a guard that compares it guards nothing.
        (
            CLAUDE,
            claude("PreToolUse", "[[ \"$CLAUDE_TOOL_INPUT_FILE_PATH\" == */.env* ]] && exit 2"),
            "error",
            "$CLAUDE_TOOL_INPUT_FILE_PATH",
        ),
        (CODEX, claude("PreToolUse", "echo \"$CLAUDE_TOOL_INPUT\" | grep x"), "error", "$CLAUDE_TOOL_INPUT"),
        (CURSOR, cursor("afterFileEdit", "true \"$CLAUDE_FILE_PATHS\""), "warning", "$CLAUDE_FILE_PATHS"),
        (CLAUDE, claude("PreToolUse", "x \"$CURSOR_PROJECT_DIR\""), "error", "$CURSOR_PROJECT_DIR"),
        (CLAUDE, claude("PostToolUse", "x \"${CLAUDE_FILE_PATHS}\""), "warning", "${CLAUDE_FILE_PATHS}"),
        (CLAUDE, claude("Stop", "x $(y \"$CLAUDE_TOOL_INPUT\")"), "warning", "$CLAUDE_TOOL_INPUT"),
        (CLAUDE, claude("Stop", "x >> \"$CLAUDE_ENV_FILE\""), "warning", "$CLAUDE_ENV_FILE"),
        (CODEX, claude("PreToolUse", "x \"$CLAUDE_PROJECT_DIR\""), "error", "$CLAUDE_PROJECT_DIR"),
        (CURSOR, cursor("stop", "x \"$CURSOR_PLUGIN_ROOT\""), "warning", "$CURSOR_PLUGIN_ROOT"),
    ] {
        let found = told(&Project::new().with(file, &text));
        let wanted = ("crosshook/variable-not-set".to_owned(), severity.to_owned(), at.to_owned());
        assert!(found.contains(&wanted), "{text}: {found:?}");
    }
    for (file, text) in [
        (CURSOR, cursor("stop", "true \"$CLAUDE_PROJECT_DIR\" \"$CURSOR_PROJECT_DIR\" \"$HOME\" \"$FOO\"")),
        (CODEX, claude("Stop", "true \"${CLAUDE_PROJECT_DIR:-.}\"")),
        (CODEX, claude("Stop", "CLAUDE_PROJECT_DIR=.; true \"$CLAUDE_PROJECT_DIR\"")),
        (CODEX, claude("Stop", "[ -n \"$CLAUDE_PROJECT_DIR\" ] && true \"$CLAUDE_PROJECT_DIR\"")),
        // Which client runs the hook is asked so.
        (CODEX, claude("Stop", "[ \"$CLAUDE_PROJECT_DIR\" = /x ] && true \"$CLAUDE_PROJECT_DIR\"")),
        (CLAUDE, claude("Stop", "[ \"$CLAUDE_TOOL_INPUT\" != '' ] && true \"$CLAUDE_TOOL_INPUT\"")),
        (CLAUDE, claude("SessionStart", "true >> \"$CLAUDE_ENV_FILE\"")),
        (CLAUDE, claude("Stop", "echo '$CURSOR_PROJECT_DIR' > /dev/null")),
    ] {
        nothing(&Project::new().with(file, text));
    }
    let mut settings: Value = serde_json::from_str(&claude("Stop", "true \"$CURSOR_PROJECT_DIR\"")).unwrap();
    settings["env"] = json!({"CURSOR_PROJECT_DIR": "."});
    nothing(&Project::new().with(CLAUDE, settings.to_string()));
}

#[test]
fn a_variable_of_another_vendor_is_exchanged_for_the_own_one() {
    let project = Project::new().with(CLAUDE, claude("Stop", "true \"${CURSOR_PROJECT_DIR}/x\""));
    let found = one(&project, "variable-not-set", "warning", "${CURSOR_PROJECT_DIR}");
    assert_eq!(mended(&project, &found), claude("Stop", "true \"${CLAUDE_PROJECT_DIR}/x\""));
}

#[test]
fn a_path_variable_is_put_in_quotes() {
    for (command, fixed) in [
        ("sh $CLAUDE_PROJECT_DIR/a.sh --x", "sh \"$CLAUDE_PROJECT_DIR/a.sh\" --x"),
        ("sh ${CLAUDE_PROJECT_DIR}/\"a.sh\"", "sh \"${CLAUDE_PROJECT_DIR}\"/\"a.sh\""),
    ] {
        let project = Project::new().with(CLAUDE, claude("Stop", command)).with("a.sh", BLOCKS);
        let found = full(&project).remove(0);
        assert_eq!(word(&found, "code"), "crosshook/variable-unquoted");
        assert_eq!(word(&found, "severity"), "info");
        assert_eq!(mended(&project, &found), claude("Stop", fixed));
        nothing(&project.with(CLAUDE, claude("Stop", fixed)));
    }
    // Nothing is split in an assignment.
    nothing(&Project::new().with(CLAUDE, claude("Stop", "D=$CLAUDE_PROJECT_DIR; sh \"$D/a.sh\"")).with("a.sh", BLOCKS));
}

#[test]
fn a_second_pair_of_quotes_is_taken_off() {
    let command = "\"\"$CURSOR_PROJECT_DIR/a.sh\" --x\"";
    let project = Project::new().with(CURSOR, cursor("preToolUse", command));
    let found = one(&project, "quotes-doubled", "error", "\\\"\\\"");
    assert_eq!(mended(&project, &found), cursor("preToolUse", "\"$CURSOR_PROJECT_DIR/a.sh\" --x"));
}

#[test]
fn what_is_never_closed_is_told_where_it_opens() {
    one(&Project::new().with(CLAUDE, claude("Stop", "echo \"a")), "quote-unclosed", "error", "\\\"");
    one(&Project::new().with(CURSOR, cursor("stop", "echo $(date")), "quote-unclosed", "error", "$(");
}

#[test]
fn a_guard_that_is_skipped_when_it_is_missing_is_told() {
    let test = "[ -x \"$CLAUDE_PROJECT_DIR/a.sh\" ]";
    let command = format!("{test} && \"$CLAUDE_PROJECT_DIR/a.sh\"");
    let at = test.replace('"', "\\\"");
    let at = at.strip_suffix(" ]").unwrap().to_owned() + " ]";
    let gone = Project::new().with(CLAUDE, claude("PreToolUse", &command));
    one(&gone, "missing-guard-passes", "error", &at);
    let there = Project::new().with(CLAUDE, claude("PreToolUse", &command)).with("a.sh", BLOCKS);
    one(&there, "missing-guard-passes", "warning", &at);
    for fine in [format!("{command} || exit 2"), "[ -f .flag ] && true".to_owned()] {
        nothing(&Project::new().with(CLAUDE, claude("PreToolUse", &fine)).with("a.sh", BLOCKS));
    }
    nothing(&Project::new().with(CLAUDE, claude("PostToolUse", &command)).with("a.sh", BLOCKS));
}

#[test]
fn an_exit_code_that_does_not_arrive_is_told_of_scripts_that_block_by_it() {
    let script = "sh \"$CLAUDE_PROJECT_DIR\"/a.sh";
    let project =
        |command: &str, text: &str| Project::new().with(CLAUDE, claude("PreToolUse", command)).with("a.sh", text);
    let at = "\\\"$CLAUDE_PROJECT_DIR\\\"/a.sh";
    for end in ["| tee log", "|| true", "; true", "&"] {
        one(&project(&format!("{script} {end}"), BLOCKS), "exit-code-lost", "error", at);
        nothing(&project(&format!("{script} {end}"), "#!/bin/sh\necho '{}'\n"));
    }
    nothing(&project(&format!("set -o pipefail; {script} | tee log"), BLOCKS));
    nothing(&project(&format!("{script} || exit 2"), BLOCKS));
    let observer =
        Project::new().with(CLAUDE, claude("Notification", &format!("{script} || true"))).with("a.sh", BLOCKS);
    nothing(&observer);
}

#[test]
fn a_guard_that_says_that_it_blocks_and_fails_is_told() {
    let inline = "grep -q x && echo BLOCKED >&2 && exit 1";
    let script = "#!/bin/sh\nif grep -q x; then\n  echo \"not allowed\" >&2\n  exit 1\nfi\n";
    for (file, text) in [
        (CLAUDE, claude("PreToolUse", inline)),
        (CURSOR, cursor("beforeShellExecution", inline)),
        (CODEX, claude("PreToolUse", inline)),
    ] {
        one(&Project::new().with(file, text), "exit-1-passes", "error", "exit 1");
    }
    let at = "\\\"$CLAUDE_PROJECT_DIR\\\"/a.sh";
    let run = claude("PreToolUse", "sh \"$CLAUDE_PROJECT_DIR\"/a.sh");
    one(&Project::new().with(CLAUDE, &run).with("a.sh", script), "exit-1-passes", "error", at);
    nothing(&Project::new().with(CLAUDE, &run).with("a.sh", script.replace("exit 1", "exit 2")));
    // It is no guard, and one that fails closed.
    nothing(&Project::new().with(CLAUDE, claude("Notification", inline)));
    let closed = json!({"version": 1, "hooks": {"beforeShellExecution": [{"command": inline, "failClosed": true}]}});
    nothing(&Project::new().with(CURSOR, closed.to_string()));
}

#[test]
fn a_fixed_text_is_told_where_the_vendor_refuses_it() {
    one(&Project::new().with(CODEX, claude("Stop", "echo done")), "plain-text-refused", "warning", "\"echo done\"");
    nothing(&Project::new().with(CODEX, claude("SessionStart", "echo done")));
    nothing(&Project::new().with(CODEX, claude("Stop", "echo '{}'")));
    nothing(&Project::new().with(CLAUDE, claude("Stop", "echo done")));
}

#[test]
fn without_a_shell_its_syntax_is_told() {
    let handler = json!({"type": "command", "command": "sort", "args": ["-u", "|", "$NAMES"]});
    let project = Project::new().with(CLAUDE, grouped("Stop", &handler));
    let found = told(&project);
    let wanted = |at: &str| ("crosshook/no-shell-here".to_owned(), "warning".to_owned(), at.to_owned());
    assert_eq!(found, [wanted("\"|\""), wanted("$NAMES")]);
    // In a pattern and in a program's own text the sign means something else.
    let handler = json!({"type": "command", "command": "node", "args": ["-e", "const re = /x$NAMES/", "^$NAMES"]});
    nothing(&Project::new().with(CLAUDE, grouped("Stop", &handler)));
    let handler = json!({"type": "command", "command": "sh", "args": ["-c", "sort | uniq > \"$NAMES\""]});
    nothing(&Project::new().with(CLAUDE, grouped("Stop", &handler)));
}

#[test]
fn commands_in_toml_have_their_places_too() {
    for quoted in
        ["'''x \"$CLAUDE_PROJECT_DIR\"'''", "'x \"$CLAUDE_PROJECT_DIR\"'", r#""x \u0022$CLAUDE_PROJECT_DIR\"""#]
    {
        let text = format!("[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = {quoted}\n");
        let found = full(&Project::new().with(".codex/config.toml", &text));
        let found = found.iter().find(|told| word(told, "code") == "crosshook/variable-not-set").unwrap();
        let at = |key: &str| usize::try_from(found[key].as_u64().unwrap()).unwrap();
        assert_eq!(&text[at("byte_start")..at("byte_end")], "$CLAUDE_PROJECT_DIR", "{quoted}");
        assert_eq!(word(found, "pointer"), "/hooks/Stop/0/hooks/0/command");
    }
}

/// Commands as people rightly write them, for each vendor: nothing is told of any.
#[test]
#[cfg(unix)]
fn right_commands_are_silent() {
    const ANY: &[&str] = &[
        "true",
        "exit 0",
        "cat > /dev/null",
        "sh -c 'cat | sort'",
        "sort | uniq | sh {}/a.sh",
        "if [ -f .flag ]; then sh {}/a.sh; fi",
        "for f in {}/*.sh; do sh \"$f\" || exit 2; done",
        "input=$(cat); echo \"$input\" | sh {}/a.sh",
        "A=1 B=\"x y\" sh {}/a.sh --x",
        "env A=1 sh {}/a.sh",
        "export A=1; sh {}/a.sh",
        "exec {}/a.sh \"$@\"",
        "{}/a.sh 2>/dev/null",
        "{}/a.sh # it's all",
        "{}/a.sh \\\n  --long",
        "{}/a.sh; exit $?",
        "{}/a.sh || { echo no >&2; exit 2; }",
        "cd {} && ./a.sh",
        "(cd {} && ./a.sh)",
        "bash -lc '{}/a.sh'",
        "sh <<'E'\necho \"it's\"\nE",
        "cat <<E\nit's {\"a\": 1}\nE",
        "sh -c \"$(cat <<'E'\necho it's )\nE\n)\"",
        "echo $((1 << 2)) > /dev/null; exec {}/a.sh",
        "printf '%s' \"${A:-{}}\" > /dev/null",
        "echo $'it\\'s' > /dev/null",
        "case \"$TERM\" in dumb) exit 0 ;; *) {}/a.sh ;; esac",
        "x=$(case a in a) echo b ;; esac); {}/a.sh \"$x\"",
        "time -p {}/a.sh",
        "curl -sfo /tmp/crosshook-g.sh http://127.0.0.1:9/g && grep -q ok /tmp/crosshook-g.sh",
        "cat > /tmp/crosshook-x.sh; sh /tmp/crosshook-x.sh",
        "cp {}/a.sh /tmp/crosshook-y.sh && sh /tmp/crosshook-y.sh",
        "git clone -q /srv/x /tmp/crosshook-d && sh /tmp/crosshook-d/a.sh",
        "exec -a guard {}/a.sh",
        "command -v sh > /dev/null && {}/a.sh || exit 2",
        "~/bin/x",
        "\"$HOME/bin/x\"",
        "grep -E '\\.(ts|js)$' > /dev/null",
    ];
    let claude_only = [
        "[[ $CLAUDE_PROJECT_DIR == /x ]] && exit 0; {}/a.sh",
        "case $CLAUDE_PROJECT_DIR in /x) exit 0;; esac; {}/a.sh",
        "export R=$CLAUDE_PROJECT_DIR; sh \"$R/a.sh\"",
        "sh \"${CLAUDE_PROJECT_DIR:-.}/a.sh\"",
    ];
    let check = |file: &str, text: String| {
        let project = Project::new().with(file, &text).with("a.sh", "#!/bin/sh\nexit 2\n").with(".git/HEAD", "");
        executable(&project, "a.sh");
        assert_eq!(told(&project), [], "{text}");
    };
    let of = |command: &str, root: &str| command.replace("{}", root);
    for command in ANY {
        check(CURSOR, cursor("beforeShellExecution", &of(command, "\"$CURSOR_PROJECT_DIR\"")));
        check(CODEX, claude("PreToolUse", &of(command, "\"$(git rev-parse --show-toplevel)\"")));
    }
    for command in ANY.iter().chain(&claude_only) {
        check(CLAUDE, claude("PreToolUse", &of(command, "\"$CLAUDE_PROJECT_DIR\"")));
    }
    // The root is where Cursor runs a project's hooks, and which shell it has on Windows is not known.
    for command in [
        "./node_modules/.bin/eslint .",
        ".venv/bin/python x",
        "sh ./a.sh",
        "powershell -NoProfile -File .\\hooks\\a.ps1",
    ] {
        check(CURSOR, cursor("beforeShellExecution", command));
    }
    let handler = |program: &str, arguments: &[&str]| {
        let handler = json!({"type": "command", "command": program, "args": arguments});
        check(CLAUDE, grouped("PreToolUse", &handler));
    };
    handler("sh", &["${CLAUDE_PROJECT_DIR}/a.sh", "--x"]);
    handler("sh", &["-c", "exec \"$CLAUDE_PROJECT_DIR\"/a.sh | cat"]);
    handler("${CLAUDE_PROJECT_DIR}/a.sh", &[]);
    handler("grep", &["-E", "a|b;c", "--", "x y"]);
}

#[test]
fn another_file_that_an_interpreter_finds_is_not_missing() {
    let project = Project::new().with(CURSOR, cursor("stop", "node ./guard")).with("guard.mjs", "");
    let missing = |project: &Project| told(project).iter().any(|(code, ..)| code == "crosshook/script-missing");
    assert!(!missing(&project));
    assert!(!missing(&Project::new().with(CURSOR, cursor("stop", ". profile.sh"))));
    assert!(missing(&Project::new().with(CURSOR, cursor("stop", "node ./guard"))));
    assert!(missing(&Project::new().with(CURSOR, cursor("stop", "bash ./guard.sh"))));
}

#[test]
fn an_interpreter_that_is_not_there_is_told() {
    let project = Project::new().with(CURSOR, cursor("stop", "python3.999 ./a.py")).with("a.py", "");
    one(&project, "program-not-found", "info", "python3.999");
}

#[test]
fn many_places_of_one_unquoted_variable_are_one_diagnostic() {
    let command = "cat $CLAUDE_PROJECT_DIR/a $CLAUDE_PROJECT_DIR/b";
    let project = Project::new().with(CLAUDE, claude("Stop", command));
    let found = one(&project, "variable-unquoted", "info", "$CLAUDE_PROJECT_DIR");
    let fixed = "cat \"$CLAUDE_PROJECT_DIR/a\" \"$CLAUDE_PROJECT_DIR/b\"";
    assert_eq!(mended(&project, &found), claude("Stop", fixed));
}

/// Checks a project with a text of several megabytes: it must not take time that grows with the square of its size.
fn in_time(name: &str, file: &str, text: &str) {
    let project = Project::new().with(file, text).with("a.sh", BLOCKS);
    let begun = std::time::Instant::now();
    let ran = project.run(&["check", "--format", "json"]);
    assert!(ran.code <= 1, "{name}: {}", ran.stderr);
    // Unoptimised and on a busy machine; what grows with the square takes minutes.
    let took = begun.elapsed();
    assert!(took < std::time::Duration::from_secs(60), "{name} took {took:?}");
}

#[test]
fn huge_texts_and_many_hooks_are_looked_at_in_time() {
    let many = |times: usize, text: &str| text.repeat(times);
    for (name, text) in [
        ("one list", many(9_000, "sh ./a.sh && ")),
        ("a megabyte", many(80_000, "sh ./a.sh && ")),
        ("tests", many(4_000, "[ -x a.sh ] && ./a.sh; ")),
        ("variables", many(6_000, "$CLAUDE_PROJECT_DIR ")),
        ("names", (0..9_000).map(|at| format!("$V{at} ")).collect()),
        ("percents", many(9_000, "$env:TEMP %TEMP% ")),
    ] {
        in_time(name, CLAUDE, &claude("PreToolUse", &text));
    }
    let hooks = |one: &dyn Fn(usize) -> Value| json!({"hooks": {"PreToolUse": (0..300).map(one).collect::<Vec<_>>()}});
    let group = |matcher: &str, command: String| json!({"matcher": matcher, "hooks": [{"type": "command", "command": command}]});
    in_time("hooks", CLAUDE, &hooks(&|at| group("Shell", format!("./no{at}.sh $CURSOR_PROJECT_DIR"))).to_string());
    in_time("parts", CLAUDE, &hooks(&|at| group(&many(10, &format!("Shell|x{at}|")), "true".to_owned())).to_string());
    let toml = |at: usize| {
        format!(
            "[[hooks.PreToolUse]]\nmatcher = \"Shell\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"x{}\"\n",
            at % 9
        )
    };
    let toml: String = (0..300).map(toml).collect();
    in_time("toml", ".codex/config.toml", &toml);
}

#[test]
fn hostile_commands_are_looked_at_without_harm() {
    let deep = "$(".repeat(20_000);
    let long = "a".repeat(100_000);
    for command in
        [deep.as_str(), &long, "\u{0}", "`", "\\", "${", "$", "&&", "((((", "\u{feff}x", "\n\n;\n", "<<<<", "=x"]
    {
        for (file, text) in [(CURSOR, cursor("stop", command)), (CLAUDE, claude("PreToolUse", command))] {
            let ran = Project::new().with(file, text).run(&["check", "--format", "json"]);
            assert!(ran.code <= 1, "{}", ran.stderr);
        }
    }
}
