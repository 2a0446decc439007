//! Kinds of faults beyond the pages' examples: what is said of documents, matchers and handlers, and of several documents.

use hooks_core::diagnostic::Severity;
use serde_json::Value;

use super::{edits_mend, mended, said, said_of};

/// A path, a document, and everything that is said of it: the code and the pointer.
type Document<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);
/// An event, a matcher, and what is said of it: the code, and what the matcher is once mended.
type Matcher<'a> = (&'a str, &'a str, Option<(&'a str, &'a str)>);
/// An event, a matcher, a handler, and what is said: the codes with their severities.
type Handler<'a> = (&'a str, &'a str, String, &'a [(&'a str, Severity)]);
/// An event, two matchers, each with more of its handler, and how loud the copy is told of.
type Copies<'a> = (&'a str, [(&'a str, &'a str); 2], Option<Severity>);

/// Documents with everything that is said of them, in the order of the file: the code and the pointer.
#[test]
fn everything_is_said_in_one_run() {
    let settings = ".claude/settings.json";
    let rows: &[Document<'_>] = &[
        // What is wrong below a mistake of syntax, and beside it.
        (
            settings,
            "{\n  // one\n  \"cleanupPeriodDays\": \"x\",\n  \"hooks\": {\n    \"preToolUse\": [],\n    \"Stop\": [{\"matcher\": \"x\", \"hooks\": [{\"type\": \"command\"},]}],\n  }\n}",
            &[
                ("comment-in-json", ""),
                ("invalid-other-setting", "/cleanupPeriodDays"),
                ("unknown-event", "/hooks/preToolUse"),
                ("matcher-ignored", "/hooks/Stop/0/matcher"),
                ("missing-field", "/hooks/Stop/0/hooks/0"),
                ("trailing-comma", ""),
                ("trailing-comma", ""),
            ],
        ),
        (settings, "{'hooks': {}", &[("not-json", ""), ("not-json", "")]),
        (
            settings,
            "{\"hooks\":{\"PreToolUse\":1,\"Stop\":{}}}",
            &[("event-not-array", "/hooks/PreToolUse"), ("event-not-array", "/hooks/Stop")],
        ),
        (settings, r#"{"hooks":{"hooks":{"Stop":[{"hooks":[]}]}}}"#, &[("unknown-event", "/hooks/hooks")]),
        (
            settings,
            r#"{"hooks":{"postToolUse":[{"Matcher":"Edit","hooks":[{"type":"Command","comand":"x","timeoutMs":5000}]}]}}"#,
            &[
                ("unknown-event", "/hooks/postToolUse"),
                ("unknown-field", "/hooks/postToolUse/0/Matcher"),
                ("missing-field", "/hooks/postToolUse/0/hooks/0"),
                ("unknown-handler-type", "/hooks/postToolUse/0/hooks/0/type"),
                ("unknown-field", "/hooks/postToolUse/0/hooks/0/timeoutMs"),
            ],
        ),
        (
            settings,
            r#"{"hooks":{"PostToolUse":[{"hooks":[{"type":"command","Command":"x","timeoutMs":5000,"model":"m","matcher":"Edit"}]}]}}"#,
            &[
                ("missing-field", "/hooks/PostToolUse/0/hooks/0"),
                ("unknown-field", "/hooks/PostToolUse/0/hooks/0/timeoutMs"),
                ("unknown-field", "/hooks/PostToolUse/0/hooks/0/model"),
                ("unknown-field", "/hooks/PostToolUse/0/hooks/0/matcher"),
            ],
        ),
        (
            settings,
            r#"{"hooks":{"PreToolUse":[{"matcher":["Edit","Write"],"hooks":[{"type":"command","command":["node","x.js"],"async":"yes","args":"a"}]}]}}"#,
            &[
                ("wrong-type", "/hooks/PreToolUse/0/matcher"),
                ("wrong-type", "/hooks/PreToolUse/0/hooks/0/command"),
                ("wrong-type", "/hooks/PreToolUse/0/hooks/0/async"),
                ("wrong-type", "/hooks/PreToolUse/0/hooks/0/args"),
            ],
        ),
        (
            settings,
            r#"{"hooks":{"PreToolUse":{"type":"command","command":"x","matcher":"Bash"}}}"#,
            &[("event-not-array", "/hooks/PreToolUse")],
        ),
        (
            settings,
            r#"{"hooks":{"PreToolUse":[{"command":"x","matcher":"Bash"}]}}"#,
            &[("handler-in-place-of-group", "/hooks/PreToolUse/0")],
        ),
        (settings, r#"{"hooks":{"Stop":null}}"#, &[("event-not-array", "/hooks/Stop")]),
        (settings, r#"{"hooks":{},"hooks":{"Stop":[]}}"#, &[("repeated-key", "/hooks")]),
        (
            settings,
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","args":["y","${CLAUDE_PLUGIN_DATA}"]}],"hooks":[]}]}}"#,
            &[("repeated-key", "/hooks/Stop/0/hooks"), ("plugin-placeholder", "/hooks/Stop/0/hooks/0/args/1")],
        ),
        (
            settings,
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","args":["y","${CLAUDE_PLUGIN_DATA}"]}]}]}}"#,
            &[("plugin-placeholder", "/hooks/Stop/0/hooks/0/args/1")],
        ),
        (
            settings,
            r#"{"hooks":{"FileChanged":[{"matcher":"a/b|c|d*","hooks":[]}]}}"#,
            &[
                ("watch-not-a-name", "/hooks/FileChanged/0/matcher"),
                ("watch-not-a-name", "/hooks/FileChanged/0/matcher"),
            ],
        ),
        (
            settings,
            r#"{"permissions":{"allow":"Bash"},"allowManagedHooksOnly":true,"disableAllHook":true}"#,
            &[
                ("invalid-other-setting", "/permissions/allow"),
                ("no-effect-here", "/allowManagedHooksOnly"),
                ("setting-misspelt", "/disableAllHook"),
            ],
        ),
        ("hooks/hooks.json", r#"{"hook":{"Stop":[]}}"#, &[("hooks-key-misspelt", "/hook")]),
        (
            "hooks/hooks.json",
            r#"{"hooks":{},"Stop":[],"descripton":"x"}"#,
            &[("unknown-field", "/Stop"), ("unknown-field", "/descripton")],
        ),
        // What does not count, for what is wrong around it, is read all the same.
        (
            settings,
            r#"{"Stop":[{"hooks":[{"type":"command","command":""}]}],"hook":{"PreToolUse":[{"matcher":"bash","hooks":[]}]},"hooks":{"hooks":{"PreCompact":[{"hooks":[{"type":"prompt"}]}]}}}"#,
            &[
                ("missing-hooks-wrapper", "/Stop"),
                ("empty-command", "/Stop/0/hooks/0/command"),
                ("hooks-key-misspelt", "/hook"),
                ("matcher-letter-case", "/hook/PreToolUse/0/matcher"),
                ("unknown-event", "/hooks/hooks"),
                ("missing-field", "/hooks/hooks/PreCompact/0/hooks/0"),
                ("handler-type-not-run-here", "/hooks/hooks/PreCompact/0/hooks/0/type"),
            ],
        ),
        (
            settings,
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":""}]}],"Stop":[{"hook":[{"command":"x","tiemout":60000}]}]}}"#,
            &[
                ("duplicate-event", "/hooks/Stop"),
                ("empty-command", "/hooks/Stop/0/hooks/0/command"),
                ("hooks-not-array", "/hooks/Stop/0"),
                ("missing-field", "/hooks/Stop/0/hook/0"),
                ("unknown-field", "/hooks/Stop/0/hook/0/tiemout"),
                ("timeout-in-milliseconds", "/hooks/Stop/0/hook/0/tiemout"),
            ],
        ),
        (
            settings,
            r#"{"hooks":{"Stop":{"hooks":{"type":"comand","command":""}},"PreToolUse":[{"type":"command","command":"","matcher":"bash"}]}}"#,
            &[
                ("event-not-array", "/hooks/Stop"),
                ("hooks-not-array", "/hooks/Stop/hooks"),
                ("unknown-handler-type", "/hooks/Stop/hooks/type"),
                ("empty-command", "/hooks/Stop/hooks/command"),
                ("handler-in-place-of-group", "/hooks/PreToolUse/0"),
                ("empty-command", "/hooks/PreToolUse/0/command"),
                ("matcher-letter-case", "/hooks/PreToolUse/0/matcher"),
            ],
        ),
        (
            "hooks/hooks.json",
            r#"{"Stop":[{"hooks":[{"type":"command"}]}]}"#,
            &[("missing-hooks-wrapper", ""), ("missing-field", "/Stop/0/hooks/0")],
        ),
        (
            "hooks/hooks.json",
            r#"{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"x","timeout":5}]}]}}"#,
            &[("timeout-capped", "/hooks/SessionEnd/0/hooks/0/timeout")],
        ),
    ];
    for (path, text, wanted) in rows {
        let found = said_of(path, text);
        let short: Vec<_> = found
            .iter()
            .map(|one| (one.code.id.trim_start_matches("claude/"), one.pointer.as_deref().unwrap_or_default()))
            .collect();
        assert_eq!(short, *wanted, "{text}: {found:?}");
        edits_mend(&[((*path).to_owned(), text.as_bytes().to_vec())]);
    }
}

/// Matchers with what is said of each: the code, the part of the text that an edit would replace, and by what.
#[test]
fn matchers_are_told_of_by_what_they_can_match() {
    let rows: &[Matcher<'_>] = &[
        ("PreToolUse", "Bash|Edit, Write", None),
        ("PreToolUse", "mcp__memory__.*", None),
        ("PreToolUse", "mcp__.*__write.*", None),
        ("PreToolUse", "Task(Create|Update)", None),
        ("PreToolUse", "Bash(.*)", None),
        ("PreToolUse", "^(?!Read)", None),
        ("PreToolUse", ".*", None),
        ("PreToolUse", "SomethingNew", None),
        ("PreToolUse", "(?P<x>Bash)", Some(("matcher-not-regex", ""))),
        ("PreToolUse", "(?i)(bash|edit)", Some(("matcher-not-regex", "Bash|Edit"))),
        ("PreToolUse", "Bash(", Some(("matcher-not-regex", ""))),
        ("PreToolUse", "Bash(*)", Some(("matcher-looks-like-rule", "Bash"))),
        ("PreToolUse", "bash(git *)", Some(("matcher-looks-like-rule", "Bash"))),
        ("PreToolUse", "^bash$", Some(("matcher-letter-case", "^Bash$"))),
        ("PreToolUse", "Edit|mcp__fs", Some(("matcher-names-a-server", "Edit|mcp__fs__.*"))),
        ("PreToolUse", "*.ts", Some(("matcher-is-a-glob", ""))),
        ("PreToolUse", "git push", Some(("matcher-matches-nothing", ""))),
        ("PreToolUse", "  ", Some(("matcher-matches-nothing", ""))),
        ("PreToolUse", "startup", Some(("matcher-of-another-event", ""))),
        ("PreToolUse", "PostToolUse", Some(("matcher-of-another-event", ""))),
        ("PreToolUse", "[[:alpha:]]+", Some(("matcher-not-javascript", ""))),
        ("PreToolUse", "Edit|", Some(("matcher-empty-part", "Edit"))),
        ("PreToolUse", "|Edit", Some(("matcher-empty-part", "Edit"))),
        ("PreToolUse", "^Edit$|", Some(("matcher-empty-part", ""))),
        ("PostToolUse", "Wrte", Some(("matcher-misspelt", "Write"))),
        ("SessionStart", "startup|resume", None),
        ("SessionStart", "Startup", Some(("matcher-letter-case", "startup"))),
        ("SessionStart", "start", Some(("matcher-matches-nothing", ""))),
        ("SessionStart", "start.*", None),
        ("Notification", "permission_promt", Some(("matcher-misspelt", "permission_prompt"))),
        ("PreCompact", "Bash", Some(("matcher-of-another-event", ""))),
        ("StopFailure", "rate_limit|overloaded", None),
        ("StopFailure", "rate_limit, overloaded", Some(("matcher-matches-nothing", "rate_limit|overloaded"))),
        ("SubagentStop", "code-reviewer", None),
        ("SubagentStop", "^my-plugin:reviewer$", None),
        ("SubagentStop", "Explorer", None),
        ("SubagentStop", "explore", Some(("matcher-letter-case", "Explore"))),
        ("SubagentStop", "Bash", Some(("matcher-of-another-event", ""))),
        ("PreModelSwitch", "claude-opus-4-5", None),
        ("PreModelSwitch", "claude-.*", None),
        ("PreModelSwitch", "claude-opus-4-5-20251101", Some(("matcher-not-canonical", ""))),
        ("PreModelSwitch", "claude-opus-4-5[1m]", Some(("matcher-not-canonical", ""))),
        ("PreModelSwitch", "us.anthropic.claude-opus-4-5-v1:0", Some(("matcher-not-canonical", ""))),
        ("UserPromptExpansion", "deploy", None),
        ("UserPromptExpansion", "/deploy", Some(("matcher-matches-nothing", "deploy"))),
        ("FileChanged", ".envrc|.env", None),
        ("FileChanged", "src/a.ts", Some(("watch-not-a-name", ""))),
        ("FileChanged", "^b", Some(("watch-not-a-name", ""))),
        ("FileChanged", "a+b.txt", Some(("watch-not-a-name", ""))),
        ("FileChanged", ".env, .envrc", Some(("watch-not-a-name", ".env|.envrc"))),
        ("FileChanged", ".env |.envrc", Some(("watch-not-a-name", ".env|.envrc"))),
        ("Elicitation", "anything", None),
    ];
    for (event, matcher, wanted) in rows {
        let handler = serde_json::json!({ "type": "command", "command": "x" });
        let document = serde_json::json!({ "hooks": { *event: [{ "matcher": matcher, "hooks": [handler] }] } });
        let files = [(".claude/settings.json".to_owned(), document.to_string().into_bytes())];
        let found = said(&files);
        let Some((code, instead)) = wanted else {
            assert!(found.is_empty(), "{event} {matcher}: {found:?}");
            continue;
        };
        let [one] = found.as_slice() else { panic!("{event} {matcher}: {found:?}") };
        assert_eq!(one.code.id, format!("claude/{code}"), "{event} {matcher}: {found:?}");
        assert_eq!(one.edits.is_empty(), instead.is_empty(), "{event} {matcher}: {found:?}");
        if !instead.is_empty() {
            let now: Value = serde_json::from_slice(&mended(&files[0].1, one)).expect("JSON");
            assert_eq!(now["hooks"][*event][0]["matcher"], *instead, "{event} {matcher}");
        }
        edits_mend(&files);
    }
}

/// Handlers of a group on an event, with what is said of them.
#[test]
fn handlers_are_told_of_by_what_they_can_do() {
    use Severity::{Error, Info, Warning};
    let command = |more: &str| format!(r#"{{"type":"command","command":"x"{more}}}"#);
    let rows: &[Handler<'_>] = &[
        ("PreToolUse", "Bash", command(r#","if":"Bash(git *)","timeout":7200"#), &[]),
        ("PreToolUse", "Write", command(r#","if":"Edit(src/**)""#), &[]),
        ("PreToolUse", "Task", command(r#","if":"Agent""#), &[]),
        ("PreToolUse", "mcp__fs__.*", command(r#","if":"mcp__fs__write""#), &[]),
        ("PreToolUse", "mcp__fs__.*", command(r#","if":"mcp__db__write""#), &[("condition-excluded-by-matcher", Error)]),
        ("PostToolUse", "Read", command(r#","if":"Edit(src/**)""#), &[("condition-excluded-by-matcher", Warning)]),
        ("PreToolUse", "Bash", command(r#","if":"Bsh(ls)""#), &[("condition-names-no-tool", Warning)]),
        ("SessionStart", "startup", command(r#","if":"Bash""#), &[("condition-never-holds", Warning)]),
        ("PreToolUse", "Agent", command(r#","if":"Agent(Explore)""#), &[("condition-never-holds", Error)]),
        ("PreToolUse", "Bash", command(r#","asyncRewake":true,"onFailure":"block""#), &[("async-decides-nothing", Error)]),
        ("PostToolUse", "Bash", command(r#","async":true,"timeout":5"#), &[("no-effect-here", Info)]),
        ("Stop", "", command(r#","onFailure":"block""#), &[("no-effect-here", Warning)]),
        ("Stop", "", r#"{"type":"prompt","prompt":"x","continueOnBlock":true}"#.into(), &[("no-effect-here", Warning)]),
        ("PostToolUse", "", r#"{"type":"prompt","prompt":"x","continueOnBlock":true}"#.into(), &[]),
        ("SessionStart", "", r#"{"type":"http","url":"http://x"}"#.into(), &[("handler-type-not-run-here", Warning)]),
        ("SessionStart", "", r#"{"type":"mcp_tool","server":"s","tool":"t"}"#.into(), &[("tool-skipped-at-launch", Info)]),
        ("SessionStart", "compact", r#"{"type":"mcp_tool","server":"s","tool":"t"}"#.into(), &[]),
        ("PermissionDenied", "", r#"{"type":"prompt","prompt":"x"}"#.into(), &[("prompt-decides-nothing", Warning)]),
        (
            "PreToolUse",
            "Bash",
            r#"{"type":"command","command":"${CLAUDE_PROJECT_DIR}/x.sh","args":["$CLAUDE_PROJECT_DIR/y","~/z","$HOMER","^$HOME"]}"#.into(),
            &[("exec-form-no-shell", Warning), ("exec-form-no-shell", Warning)],
        ),
        ("PreToolUse", "Bash", r#"{"type":"command","command":"~/x.sh","args":[]}"#.into(), &[("exec-form-no-shell", Error)]),
        (
            "PreToolUse",
            "Bash",
            r#"{"type":"http","url":"https://x/","headers":{"A":"$T ${U} $$","Content-Length":"3"},"allowedEnvVars":["U"]}"#.into(),
            &[("header-variable-not-allowed", Warning), ("no-effect-here", Warning)],
        ),
        ("PostToolUse", "Bash", command(r#","async":true,"onFailure":"block""#), &[("no-effect-here", Warning)]),
        ("PreToolUse", "Bash", r#"{"type":"command","command":" "}"#.into(), &[("empty-command", Warning)]),
        ("PreToolUse", "Bash", r#"{"type":"command","command":"npx.cmd","args":["x"]}"#.into(), &[("exec-form-no-shell", Error)]),
        // What becomes of it nobody says.
        ("PreSkillShellCommand", "Bash", r#"{"type":"http","url":"http://x"}"#.into(), &[("handler-type-not-run-here", Error)]),
        ("PostToolUse", "", r#"{"type":"command","command":"${CLAUDE_PLUGIN_ROOT}/x"}"#.into(), &[("plugin-placeholder", Error)]),
        ("PreToolUse", "", r#"{"type":"command","command":"x","args":["${CLAUDE_PLUGIN_ROOT}"]}"#.into(), &[("plugin-placeholder", Error)]),
        ("SessionEnd", "", command(r#","timeout":61"#), &[("timeout-capped", Warning)]),
        // In single quotes PowerShell expands nothing; the empty condition was seen to hold always.
        (
            "PreToolUse",
            "Bash",
            r#"{"type":"command","shell":"powershell","command":"& '${CLAUDE_PROJECT_DIR}\\x.ps1'"}"#.into(),
            &[("powershell-variable", Error)],
        ),
        (
            "PreToolUse",
            "Bash",
            r#"{"type":"command","shell":"powershell","command":"& \"${CLAUDE_PROJECT_DIR}/x.ps1\"","if":""}"#.into(),
            &[],
        ),
        ("PreToolUse", "Bash", r#"{"type":"command","command":"sh '${CLAUDE_PROJECT_DIR}/x.sh'"}"#.into(), &[]),
        ("PreToolUse", "Bash", command(r#","command":"y""#), &[("repeated-key", Warning)]),
    ];
    for (event, matcher, handler, wanted) in rows {
        let text = format!(r#"{{"hooks":{{"{event}":[{{"matcher":"{matcher}","hooks":[{handler}]}}]}}}}"#);
        let found = said_of(".claude/settings.json", &text);
        let short: Vec<_> = found.iter().map(|one| (one.code.id.trim_start_matches("claude/"), one.severity)).collect();
        assert_eq!(short, *wanted, "{text}: {found:?}");
        edits_mend(&[(".claude/settings.json".to_owned(), text.into_bytes())]);
    }
}

/// What only several documents show.
#[test]
fn documents_side_by_side() {
    let file = |path: &str, text: &str| (path.to_owned(), text.as_bytes().to_vec());
    let hooks = |more: &str| {
        format!(r#"{{"hooks":{{"PreToolUse":[{{"hooks":[{{"type":"command","command":"x"{more}}}]}}]}}}}"#)
    };
    let (user, project, local) = ("~/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json");
    let short = |files: &[(String, Vec<u8>)]| -> Vec<(String, String, Severity, Option<String>)> {
        said(files)
            .into_iter()
            .map(|one| {
                let other = one.related.first().and_then(|other| other.path.clone());
                (one.code.id.to_owned(), one.path, one.severity, other)
            })
            .collect()
    };
    let row = |code: &str, path: &str, severity: Severity, other: &str| {
        (format!("claude/{code}"), path.to_owned(), severity, Some(other.to_owned()))
    };
    use Severity::{Error, Info, Warning};
    // A file that turns off its own hooks says so itself.
    let own = r#"{"disableAllHooks":true,"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x"}]}]}}"#;
    assert_eq!(short(&[file(user, own)]), []);
    let off = r#"{"disableAllHooks":true}"#;
    assert_eq!(short(&[file(project, &hooks("")), file(local, off)]), [row("switched-off", project, Error, local)]);
    let on = r#"{"disableAllHooks":false}"#;
    assert_eq!(short(&[file(user, off), file(project, on)]), [row("switch-overruled", user, Warning, project)]);
    let both = [file(user, &hooks("")), file(project, &hooks(""))];
    assert_eq!(short(&both), [row("duplicate-handler", user, Info, project)]);
    let looser = [file(user, &hooks(r#","onFailure":"block""#)), file(project, &hooks(""))];
    assert_eq!(short(&looser), [row("duplicate-handler", user, Error, project)], "L212");
    let limits = [file(user, &hooks(r#","timeout":1"#)), file(project, &hooks(r#","timeout":9"#))];
    assert_eq!(short(&limits), [row("duplicate-handler", user, Warning, project)], "L211");
    let http = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"http","url":"https://x/","headers":{"A":"$T"},"allowedEnvVars":["T"]}]}]}}"#;
    let lists = r#"{"allowedHttpHookUrls":["https://y/*"],"httpHookAllowedEnvVars":[]}"#;
    let found = said(&[file(project, http), file(local, lists)]);
    let codes: Vec<_> = found.iter().map(|one| (one.code.id, one.severity, one.pointer.as_deref())).collect();
    assert_eq!(
        codes,
        [
            ("claude/url-not-allowed", Error, Some("/hooks/PreToolUse/0/hooks/0/url")),
            ("claude/header-variable-not-allowed", Warning, Some("/hooks/PreToolUse/0/hooks/0/headers")),
        ],
        "L246, L248: {found:?}"
    );
}

/// A handler that stands in groups for different tools never meets its copy.
#[test]
fn copies_are_told_of_where_they_meet() {
    use Severity::{Error, Info, Warning};
    let group = |matcher: &str, more: &str| {
        format!(r#"{{"matcher":"{matcher}","hooks":[{{"type":"command","command":"x"{more}}}]}}"#)
    };
    let rows: &[Copies<'_>] = &[
        ("PreToolUse", [("Bash", r#","timeout":5"#), ("Edit|Write", "")], None),
        ("PreToolUse", [("Bash", r#","onFailure":"block""#), ("mcp__.*", "")], None),
        ("PreToolUse", [("^Edit$", ""), ("^mcp__", "")], None),
        ("Notification", [("permission_prompt", ""), ("idle_prompt", "")], None),
        ("PreToolUse", [("Bash|Read", r#","onFailure":"block""#), ("Read", "")], Some(Error)),
        ("PreToolUse", [("Agent", ""), ("Task", "")], Some(Info)),
        ("PreToolUse", [("mcp__fs__write", r#","timeout":5"#), ("mcp__.*", "")], Some(Warning)),
        ("PreToolUse", [("E.*", ""), (".*t", "")], Some(Info)),
        ("PreToolUse", [("mcp__fs__.*", ""), ("mcp__fs__.*", "")], Some(Info)),
        ("PreToolUse", [("", ""), ("Bash", "")], Some(Info)),
    ];
    for (event, [(one, first), (other, second)], wanted) in rows {
        let text = format!(r#"{{"hooks":{{"{event}":[{},{}]}}}}"#, group(one, first), group(other, second));
        let found = said_of(".claude/settings.json", &text);
        let severities: Vec<_> = found.iter().map(|one| (one.code.id, one.severity)).collect();
        let wanted: Vec<_> = wanted.iter().map(|severity| ("claude/duplicate-handler", *severity)).collect();
        assert_eq!(severities, wanted, "{text}");
    }
}

/// What a fault in a plugin's file comes to: the plugin where a guard stands in it, else the file or the entry.
#[test]
fn a_plugin_fails_whole_for_a_guard() {
    let rows = [
        (r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command"}]}]}}"#, true),
        (r#"{"hooks":{"PostToolUse":[{"hooks":[{"type":"command"}]}]}}"#, false),
        (r#"{"PreToolUse":[]}"#, true),
        (r#"{"PostToolUse":[]}"#, false),
        (r#"{"hooks":{},}"#, false),
    ];
    for (text, wanted) in rows {
        let found = said_of("hooks/hooks.json", text);
        let [one] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert_eq!(one.message.contains("whole plugin fails"), wanted, "{text}: {found:?}");
    }
}

/// In YAML names and values are mended; nothing is moved.
#[test]
fn heads_are_told_of_too() {
    let text = "---\nname: x\nhooks:\n  preToolUse: []\n  PostToolUse:\n    - matcher: edit\n      hooks:\n        - type: command\n          command: x\n          timeout: \"5s\"\n          if: Edit\n---\n";
    let files = [(".claude/skills/x/SKILL.md".to_owned(), text.as_bytes().to_vec())];
    let found = said(&files);
    let codes: Vec<_> = found.iter().map(|one| one.code.id.trim_start_matches("claude/")).collect();
    assert_eq!(
        codes,
        ["unknown-event", "matcher-letter-case", "wrong-type", "condition-excluded-by-matcher"],
        "{found:?}"
    );
    assert_eq!(edits_mend(&files), 3);
}

/// Notes beside what counts do no harm, and a switch that turns nothing off is told of.
#[test]
fn notes_are_quiet_and_switches_that_are_none_are_not() {
    let text = r#"{"hooks":{"_comment":"x","Stop":[{"description":"a","hooks":[{"type":"command","command":"x","_why":"b","enabled":false}]}]}}"#;
    let found = said_of(".claude/settings.json", text);
    let told: Vec<_> = found.iter().map(|one| (one.severity, one.message.as_str(), &*one.help)).collect();
    let note = "It does no harm as a note; the client does not read it.";
    assert_eq!(
        told,
        [
            (
                Severity::Warning,
                "`_comment` is no event: the client warns of it and skips it",
                "Remove it: events alone stand in `hooks`."
            ),
            (Severity::Info, "`description` means nothing on a group", note),
            (Severity::Info, "a command handler has no `_why`", note),
            (
                Severity::Warning,
                "a command handler has no `enabled`; the handler runs all the same",
                "Remove the handler to turn it off."
            ),
        ]
    );
}

/// A list of hooks that each name their event, which several people wrote: what is told says where the event goes.
#[test]
fn a_list_of_hooks_is_told_how_to_write_its_event() {
    let text = r#"{"hooks":[{"event":"PostToolUse","matcher":"Edit","command":"x"}]}"#;
    let found = said_of(".claude/settings.json", text);
    let [told] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(told.code.id, "claude/hooks-not-object");
    assert!(told.help.starts_with("Write the event as a key: { \"PostToolUse\": [ {"), "{}", told.help);
}

/// A head with a value that YAML does not take as it is: the client was told to read it with quotes, and without hooks there
/// is nothing to tell.
#[test]
fn heads_with_values_that_want_quotes_are_read() {
    let hooks =
        "hooks:\n  PreToolUse:\n    - matcher: bash\n      hooks:\n        - type: command\n          command: x\n";
    let told = |head: &str| -> Vec<(String, Severity)> {
        let text = format!("---\n{head}---\nhooks: in the body\n");
        let found = said(&[(".claude/skills/x/SKILL.md".to_owned(), text.into_bytes())]);
        found.iter().map(|one| (one.code.id.to_owned(), one.severity)).collect()
    };
    let both =
        [("claude/not-yaml".to_owned(), Severity::Warning), ("claude/matcher-letter-case".to_owned(), Severity::Error)];
    for value in ["description: Use it so: at once\n", "argument-hint: [a] [b]\n", "description: @me\n"] {
        assert_eq!(told(&format!("{value}{hooks}")), both, "{value}");
        assert!(told(value).is_empty(), "{value}");
    }
    let broken = format!("description: [\n{hooks}");
    assert_eq!(told(&broken), [("claude/not-yaml".to_owned(), Severity::Error)]);
}
