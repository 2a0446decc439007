//! Scripts that a command runs: missing, in another place, not to be started, for another interpreter.

use serde_json::json;

#[cfg(unix)]
use super::executable;
use super::{BLOCKS, CLAUDE, CODEX, CURSOR, claude, cursor, full, grouped, mended, nothing, one, told, word};
use crate::support::Project;

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
