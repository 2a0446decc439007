//! Commands that nothing is to be told of, and texts that are huge or hostile.

use serde_json::{Value, json};

use super::{BLOCKS, CLAUDE, CURSOR, claude, cursor};
#[cfg(unix)]
use super::{CODEX, executable, grouped, told};
use crate::support::Project;

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
