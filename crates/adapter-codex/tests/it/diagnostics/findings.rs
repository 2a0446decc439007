//! What is told of single faults: how loud, where, with which words, and what is not told.

use std::sync::Arc;

use adapter_codex::{Adapter, DIALECT};
use hooks_core::diagnostic::{Diagnostic, Reach, Severity};
use hooks_core::{HostSide, Version};
use serde_json::{Value, json};

use super::{edited, of, source, told};

#[test]
fn a_guard_that_does_not_guard_is_an_error_and_what_guards_nothing_a_warning() {
    let loud = |event: &str, group: Value| {
        let found = of(".codex/hooks.json", &json!({"hooks": {event: [group]}}).to_string());
        let [one] = &found[..] else { panic!("{event}: {found:#?}") };
        one.severity
    };
    let groups = [
        json!({"hooks": [{"type": "prompt", "prompt": "x"}]}),
        json!({"type": "command", "command": "a"}),
        json!({"hook": [{"type": "command", "command": "a"}]}),
        json!({"hooks": [{"type": "command", "command": " "}]}),
    ];
    for group in groups {
        assert_eq!(loud("PreToolUse", group.clone()), Severity::Error, "{group}");
        assert_eq!(loud("PostToolUse", group.clone()), Severity::Warning, "{group}");
    }
    let matched = |matcher: &str| json!({"matcher": matcher, "hooks": [{"type": "command", "command": "a"}]});
    for dead in ["WebSearch", "mcp__fs", "^shell$", "Bash(git *)", "^mcp__my-srv__"] {
        assert_eq!(loud("PreToolUse", matched(dead)), Severity::Error, "{dead}");
        assert_eq!(loud("PostToolUse", matched(dead)), Severity::Warning, "{dead}");
    }
    assert_eq!(loud("PreToolUse", matched("Bash|WebSearch")), Severity::Warning);
    // What the rest of the matcher takes anyway costs nothing.
    for covered in ["^(Bash|shell)$", "Edit|MultiEdit|Write"] {
        assert_eq!(loud("PreToolUse", matched(covered)), Severity::Info, "{covered}");
    }
    assert_eq!(loud("PreToolUse", matched("|")), Severity::Error);
    let background = json!({"hooks": [{"type": "command", "command": "a", "async": true}]});
    assert_eq!(loud("PermissionRequest", background.clone()), Severity::Warning);
    assert_eq!(loud("Stop", background.clone()), Severity::Info);
    for event in ["SessionStart", "PostToolUse", "SubagentStart"] {
        let found = of(".codex/hooks.json", &json!({"hooks": {event: [background]}}).to_string());
        assert!(found.is_empty(), "{event}: {found:#?}");
    }
}

#[test]
fn names_with_blanks_or_commas_between_them_are_told_once() {
    for (matcher, instead) in [("Bash, Edit", "Bash|Edit"), ("Bash |Edit", "Bash|Edit"), (" Bash", "Bash")] {
        let text = json!({"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": []}]}}).to_string();
        let found = of(".codex/hooks.json", &text);
        let [one] = &found[..] else { panic!("{matcher}: {found:#?}") };
        assert_eq!(
            (one.code.id, one.help.as_ref()),
            ("codex/matcher-never-matches", format!("Write `{instead}`.").as_str())
        );
    }
}

#[test]
fn a_name_that_is_covered_is_taken_out_and_not_written_twice() {
    let text = r#"{"hooks":{"PreToolUse":[{"matcher":"Edit|MultiEdit|Write","hooks":[]}]}}"#;
    let found = of(".codex/hooks.json", text);
    let [one] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(&text[one.range.clone().unwrap()], "MultiEdit");
    assert_eq!(edited(text.as_bytes(), &one.edits), text.replace("|MultiEdit", "").as_bytes());
}

#[test]
fn every_null_every_placeholder_and_every_missing_field_is_told() {
    let handler =
        |handler: Value| of(".codex/hooks.json", &json!({"hooks": {"PreToolUse": [{"hooks": [handler]}]}}).to_string());
    let pointers = |found: &[Diagnostic]| {
        let tail = |one: &Diagnostic| one.pointer.clone().unwrap().split_once("/input").unwrap().1.to_owned();
        found.iter().map(tail).collect::<Vec<_>>()
    };
    let nulls = json!({"a": null, "b": [1, null], "c": {"d": null}});
    let found = handler(json!({"type": "mcp_tool", "server": "s", "tool": "t", "input": nulls}));
    assert_eq!(pointers(&found), ["/a", "/b/1", "/c/d"]);
    assert_eq!(found.iter().map(|one| one.edits.len()).collect::<Vec<_>>(), [1, 0, 1]);
    let input = json!({"a": "${nope.x} ${cwd} ${other} ${nope.x}", "b": "${tool_input.command}"});
    let found = handler(json!({"type": "mcp_tool", "server": "s", "tool": "t", "input": input}));
    assert_eq!(pointers(&found), ["/a"]);
    assert!(found[0].message.starts_with("`${nope.x}`, `${other}` name nothing"), "{found:#?}");
    let found = handler(json!({"type": "mcp_tool"}));
    assert_eq!(found.len(), 1);
    assert!(found[0].message.ends_with("no `server` and no `tool`"), "{found:#?}");
    let found = handler(json!({"type": "mcp_tool", "server": "", "tool": " "}));
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("its server and its tool are blank"), "{found:#?}");
}

#[test]
fn keys_of_another_place_are_told_with_their_place() {
    let group =
        json!({"matcher": "Bash", "timeout": 5, "hooks": [{"type": "command", "command": "a", "matcher": "x"}]});
    let found = of(".codex/hooks.json", &json!({"hooks": {"PreToolUse": [group]}}).to_string());
    let mut told: Vec<_> = found.iter().map(|one| (one.pointer.clone().unwrap(), one.help.as_ref())).collect();
    told.sort();
    assert_eq!(
        told,
        [
            ("/hooks/PreToolUse/0/hooks/0/matcher".to_owned(), "Put it into the group around it."),
            ("/hooks/PreToolUse/0/timeout".to_owned(), "Put it into a handler."),
        ]
    );
    let found = of(".codex/hooks.json", r#"{"hooks":{"state":{},"description":"x","managed_dir":"/x"}}"#);
    let told: Vec<_> = found.iter().map(|one| (one.code.id, one.severity)).collect();
    let quiet = ("codex/unknown-event", Severity::Info);
    assert_eq!(told, [("codex/unknown-event", Severity::Warning), quiet, quiet]);
    assert!(found.iter().all(|one| !one.message.contains("never run")), "{found:#?}");
}

#[test]
fn of_projects_inside_each_other_the_innermost_counts() {
    let hooks = source(".codex/hooks.json", r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}"#);
    for (inner, told_of) in [("trusted", 0), ("untrusted", 1)] {
        let text = format!(
            "[projects.\"/home/alex/\"]\ntrust_level = \"untrusted\"\n\
             [projects.\"/home/alex/demo\"]\ntrust_level = \"{inner}\"\n"
        );
        let found = told(DIALECT.latest, &[source("home/.codex/config.toml", &text), hooks.clone()]);
        let count = found.iter().filter(|one| one.code.id == "codex/project-not-trusted").count();
        assert_eq!(count, told_of, "{inner}: {found:#?}");
    }
}

#[test]
fn a_plugins_hook_is_trusted_with_its_contents_only() {
    let hash = "sha256:104ff36165bdec39fa92cd9160b1029181b604a757134ff125994c37a0ed8ce6";
    let record = format!("[hooks.state.\"demo@shop:hooks/hooks.json:stop:0:0\"]\ntrusted_hash = \"{hash}\"\n");
    let codes = |version, text: &str| {
        let found = told(version, &[source("home/.codex/config.toml", text)]);
        found.iter().map(|one| one.code.id).collect::<Vec<_>>()
    };
    assert_eq!(codes(DIALECT.latest, &record), ["codex/trust-hash-malformed"]);
    assert!(codes(Version::new(0, 150, 0), &record).is_empty());
    assert!(codes(DIALECT.latest, &format!("{record}trusted_content_hash = \"{hash}\"\n")).is_empty());
}

#[test]
fn the_users_own_file_costs_the_whole_configuration() {
    let text = "[[hooks.Stop]]\nmatcher = 3\n";
    let whole = |path: &str| of(path, text)[0].message.contains("whole configuration");
    assert!(whole("home/.codex/config.toml") && !whole(".codex/config.toml"));
}

#[test]
fn an_event_outside_of_hooks_is_not_put_where_the_file_would_break() {
    let text = "Stop = [{ hooks = [{ type = 'command', command = 'a' }] }]\n[hooks]\n";
    let found = of(".codex/config.toml", text);
    let [one] = &found[..] else { panic!("{found:#?}") };
    assert_eq!((one.code.id, one.edits.len()), ("codex/event-outside-hooks", 0));
}

#[test]
fn matchers_that_match_what_they_say_are_not_spoken_of() {
    for (event, matchers) in [
        (
            "PreToolUse",
            &[
                "",
                "*",
                "Bash",
                "Edit|Write|apply_patch",
                "mcp__fs__read",
                "mcp__.*",
                "^Bash$",
                "Bash.*",
                "get_goal",
                "Bash|",
                "(?i)bash",
                "my_tool",
                ".*shell.*",
                "Read|Glob",
                "Agent",
                "mcp__fs__.*|Bash",
            ][..],
        ),
        ("SessionStart", &["startup", "startup|resume", "start.*", "^(clear|compact)$", "fork", "[a-z]+"]),
        ("SessionEnd", &["other", "o.*"]),
        ("PreCompact", &["manual|auto", "m.*"]),
        ("SubagentStart", &["worker", "default", "my-agent", "d.*"]),
        ("Stop", &["", "*"]),
    ] {
        for matcher in matchers {
            let group = json!({"matcher": matcher, "hooks": [{"type": "command", "command": "a"}]});
            let found = of(".codex/hooks.json", &json!({"hooks": {event: [group]}}).to_string());
            assert!(found.is_empty(), "{event} {matcher}: {found:#?}");
        }
    }
}

#[test]
fn a_hook_that_moved_is_told_with_the_record_of_its_review() {
    // The hash is the client's own for this hook (the page of `codex/hook-modified`).
    let hash = "sha256:104ff36165bdec39fa92cd9160b1029181b604a757134ff125994c37a0ed8ce6";
    let record = format!("[hooks.state.\"/home/alex/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"{hash}\"\n");
    let reviewed = r#"{ "hooks": [{ "type": "command", "command": "./check.sh" }] }"#;
    let before = r#"{ "hooks": [{ "type": "command", "command": "./new.sh" }] }"#;
    let user = source("home/.codex/config.toml", &record);
    let of = |groups: &str| {
        let hooks = source("home/.codex/hooks.json", &format!(r#"{{ "hooks": {{ "Stop": [{groups}] }} }}"#));
        told(DIALECT.latest, &[user.clone(), hooks])
    };
    assert!(of(reviewed).is_empty(), "{:#?}", of(reviewed));
    let found = of(&format!("{before}, {reviewed}"));
    let codes: Vec<_> = found.iter().map(|one| one.code.id).collect();
    assert_eq!(codes, ["codex/hook-modified", "codex/hook-untrusted"], "{found:#?}");
    assert!(found[0].message.contains("was changed after its review"), "{}", found[0].message);
    assert!(found[1].message.contains("was reviewed as `stop:0:0` and has moved"), "{}", found[1].message);
    let related: Vec<_> = found[1].related.iter().map(|one| (one.path.as_deref(), &*one.message)).collect();
    assert_eq!(related, [(Some(&*user.path), "the record of its review")]);
}

#[test]
fn what_does_not_count_yet_is_told_without_its_cost() {
    let text =
        r#"{"hooks":{"preToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":5,"timeout":30000}]}]}}"#;
    let found = of(".codex/hooks.json", text);
    let shown: Vec<_> = found.iter().map(|one| (one.code.id, one.reach, one.edits.is_empty())).collect();
    assert_eq!(
        shown,
        [
            ("codex/unknown-event", Reach::Event, false),
            ("codex/wrong-type", Reach::None, true),
            ("codex/timeout-in-milliseconds", Reach::None, true),
        ],
        "{found:#?}"
    );
    for one in &found[1..] {
        assert!(one.message.ends_with("(counts once this is `PreToolUse`)"), "{}", one.message);
    }
    // The client takes the file all the same.
    let parsed = Adapter::latest().parse(&Arc::new(source(".codex/hooks.json", text)));
    assert!(!parsed.rejected);
}

#[test]
fn lists_of_hooks_in_another_form_are_answered_with_codex_s() {
    for (path, text, help) in [
        (".codex/config.toml", "[[hooks]]\nevent = \"SessionStart\"\ncommand = \"a\"\n", "`[[hooks.SessionStart]]`"),
        (".codex/config.toml", "[hooks.Stop]\ncommand = \"a\"\n", "`[[hooks.Stop]]`"),
        (".codex/config.toml", "[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"a\"\n", "`[[hooks.Stop]]`"),
        (".codex/config.toml", "[[hooks.Stop]]\n[hooks.Stop.hooks]\ncommand = \"a\"\n", "`[[hooks.Stop.hooks]]`"),
        (".codex/hooks.json", r#"{"hooks":[{"event":"Stop","command":"a"}]}"#, r#"`"hooks": { "Stop": ["#),
        (".codex/hooks.json", r#"{"hooks":{"Stop":"a.sh"}}"#, r#"`"Stop": [{ "hooks": ["#),
    ] {
        let found = of(path, text);
        let one = found.iter().find(|one| one.code.id == "codex/wrong-type").unwrap_or_else(|| panic!("{text}"));
        assert!(one.help.contains(help), "{text}: {}", one.help);
        assert!(!path.ends_with(".toml") || !one.message.contains("object"), "{}", one.message);
    }
}

#[test]
fn a_part_of_a_matcher_costs_nothing_where_another_name_takes_the_tool() {
    let of = |matcher: &str| {
        let hooks = r#""hooks":[{"type":"command","command":"a"}]"#;
        of(".codex/hooks.json", &format!(r#"{{"hooks":{{"PreToolUse":[{{"matcher":"{matcher}",{hooks}}}]}}}}"#))
    };
    // `Write` is another name of the tool that `Edit` is one of.
    for (matcher, severity, reach) in [
        ("Write|MultiEdit", Severity::Info, Reach::None),
        ("Bash|MultiEdit", Severity::Warning, Reach::Entry),
        ("MultiEdit", Severity::Error, Reach::Group),
    ] {
        let found = of(matcher);
        assert_eq!(found.len(), 1, "{matcher}: {found:#?}");
        assert_eq!((found[0].severity, found[0].reach), (severity, reach), "{matcher}: {}", found[0].message);
    }
}

#[test]
fn a_mark_of_whoever_wrote_the_file_is_no_mistake() {
    let handler = r#"{"type":"command","command":"a","__tool__":true,"timeuot":5}"#;
    let found = of(".codex/hooks.json", &format!(r#"{{"hooks":{{"Stop":[{{"_why":"x","hooks":[{handler}]}}]}}}}"#));
    let shown: Vec<_> = found.iter().map(|one| (one.code.id, one.severity)).collect();
    let unknown = "codex/unknown-field";
    assert_eq!(shown, [(unknown, Severity::Info), (unknown, Severity::Info), (unknown, Severity::Warning)]);
}
