//! What a command says: variables, quotes, exit codes, what only a shell reads, places in TOML.

use serde_json::{Value, json};

use super::{BLOCKS, CLAUDE, CODEX, CURSOR, claude, cursor, full, grouped, mended, nothing, one, told, word};
use crate::support::Project;

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
    // What fails for its own sake, and what blocks elsewhere.
    for fine in [
        "#!/bin/sh\n# says that it is blocked\ncommand -v jq >/dev/null || { echo 'jq is not installed' >&2; exit 1; }\n",
        "#!/bin/sh\nif grep -q x; then\n  echo 'the list of blocked words is missing' >&2\n  exit 1\nfi\n",
        "#!/bin/sh\ncheck() { return 2; }\nif grep -q x; then echo denied >&2; exit 1; fi\ncheck\n",
    ] {
        nothing(&Project::new().with(CLAUDE, &run).with("a.sh", fine));
    }
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

#[test]
fn many_places_of_one_unquoted_variable_are_one_diagnostic() {
    let command = "cat $CLAUDE_PROJECT_DIR/a $CLAUDE_PROJECT_DIR/b";
    let project = Project::new().with(CLAUDE, claude("Stop", command));
    let found = one(&project, "variable-unquoted", "info", "$CLAUDE_PROJECT_DIR");
    let fixed = "cat \"$CLAUDE_PROJECT_DIR/a\" \"$CLAUDE_PROJECT_DIR/b\"";
    assert_eq!(mended(&project, &found), claude("Stop", fixed));
}
