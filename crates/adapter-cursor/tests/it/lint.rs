//! What is valid and does not do what its author thinks: found where it is so, and nowhere else.

use adapter_cursor::{Adapter, phase1, seed};
use hooks_core::adapter::Parsed;
use hooks_core::definition::State;
use hooks_core::{Diagnostic, Severity};
use serde_json::json;

use crate::support::{mended, parse, parse_foreign};

fn with_matcher(event: &str, matcher: &str) -> String {
    json!({ "version": 1, "hooks": { event: [{ "command": "x", "matcher": matcher }] } }).to_string()
}

fn checked(text: &str) -> Parsed {
    parse(&Adapter::latest(), text)
}

fn codes(parsed: &Parsed) -> Vec<&'static str> {
    parsed.diagnostics.iter().map(|told| told.code.id.strip_prefix("cursor/").expect("a word")).collect()
}

fn of<'p>(parsed: &'p Parsed, code: &str) -> &'p Diagnostic {
    let found: Vec<_> = parsed.diagnostics.iter().filter(|told| told.code.id.ends_with(&format!("/{code}"))).collect();
    assert_eq!(found.len(), 1, "{code}: {:?}", codes(parsed));
    found[0]
}

/// A matcher that does not match what it was written for: the code, the part that is pointed at, and the matcher after
/// the edit, where there is one.
#[test]
fn matchers_that_do_not_match_what_was_meant() {
    for (event, matcher, code, part, after) in [
        ("preToolUse", "shell", "matcher-wrong-case", "shell", Some("Shell")),
        ("preToolUse", "^(?:shell|Write)$", "matcher-wrong-case", "shell", Some("^(?:Shell|Write)$")),
        ("postToolUse", "Write|webfetch", "matcher-wrong-case", "webfetch", Some("Write|WebFetch")),
        ("subagentStart", "Explore", "matcher-wrong-case", "Explore", Some("explore")),
        (
            "subagentStart",
            "explore|general-purpose",
            "matcher-wrong-case",
            "general-purpose",
            Some("explore|generalPurpose"),
        ),
        ("stop", "stop", "matcher-wrong-case", "stop", Some("Stop")),
        ("preToolUse", "Bash", "matcher-claude-tool", "Bash", Some("Shell")),
        ("preToolUse", "Read|Bash", "matcher-claude-tool", "Bash", Some("Read|Shell")),
        ("preToolUse", "^Edit$", "matcher-claude-tool", "Edit", Some("^Write$")),
        ("preToolUse", "Shell(rm *)", "matcher-permission-rule", "Shell(rm *)", Some("Shell")),
        ("preToolUse", "Bash(git push:*)", "matcher-permission-rule", "Bash(git push:*)", Some("Shell")),
        ("preToolUse", "Write|Shell(rm *)", "matcher-permission-rule", "Shell(rm *)", Some("Write|Shell")),
        ("beforeShellExecution", "Bash(git push:*)", "matcher-permission-rule", "Bash(git push:*)", Some("^git push")),
        ("beforeShellExecution", "Shell", "matcher-tool-name", "Shell", None),
        ("beforeShellExecution", "^(Bash|Shell)$", "matcher-tool-name", "^(Bash|Shell)$", None),
        ("subagentStop", "Task", "matcher-tool-name", "Task", None),
        ("subagentStart", "Task", "matcher-tool-name", "Task", None),
        ("preToolUse", "src/*/lib", "matcher-glob", "src/*/lib", None),
        ("preToolUse", "git push", "matcher-matches-nothing", "git push", None),
        ("preToolUse", "^rm -rf /$", "matcher-matches-nothing", "rm -rf /", None),
        ("beforeSubmitPrompt", "secret", "matcher-matches-nothing", "secret", None),
        ("beforeReadFile", "[.]env$", "matcher-matches-nothing", "[.]env$", None),
        (
            "preToolUse",
            "mcp__github__create_issue",
            "matcher-mcp-name",
            "mcp__github__create_issue",
            Some("MCP:create_issue"),
        ),
        ("preToolUse", "Shell|mcp__.*", "matcher-mcp-name", "mcp__", Some("Shell|MCP:.*")),
        ("preToolUse", "mcp__github__.*", "matcher-mcp-name", "mcp__github__", None),
        (
            "beforeMCPExecution",
            "mcp__github__create_issue",
            "matcher-mcp-name",
            "mcp__github__create_issue",
            Some("MCP:create_issue"),
        ),
        ("preToolUse", "^MCP$", "matcher-mcp-name", "^MCP$", Some("^MCP:")),
        ("preToolUse", "Write|Frobnicate", "matcher-unknown-tool", "Frobnicate", None),
        ("preToolUse", "Delte", "matcher-unknown-tool", "Delte", Some("Delete")),
        ("preToolUse", "Shell|", "matcher-empty-part", "|", Some("Shell")),
        ("beforeShellExecution", "curl||wget", "matcher-empty-part", "|", Some("curl|wget")),
        ("beforeShellExecution", "rm[[:space:]]+-rf", "matcher-posix-class", "[:space:]", None),
        ("beforeShellExecution", "curl|wget|nc ", "matcher-blank", "nc ", None),
        ("beforeShellExecution", " rm|curl", "matcher-blank", " rm", None),
        ("beforeShellExecution", "curl|||wget", "matcher-empty-part", "||", Some("curl|wget")),
        ("beforeShellExecution", "test || exit", "matcher-empty-part", "|", None),
        ("beforeShellExecution", "/^rm -rf$/", "matcher-matches-nothing", "/^rm -rf$/", Some("^rm -rf$")),
        ("beforeShellExecution", "/^sudo/i", "matcher-matches-nothing", "/^sudo/i", None),
        ("preToolUse", "/Shell/", "matcher-matches-nothing", "/Shell/", Some("Shell")),
        ("preToolUse", "/^(shell)$/i", "matcher-matches-nothing", "/^(shell)$/i", None),
        ("preToolUse", "Shell,Write", "matcher-matches-nothing", "Shell,Write", Some("Shell|Write")),
        ("preToolUse", "Bash, Edit", "matcher-matches-nothing", "Bash, Edit", Some("Shell|Write")),
        ("preToolUse", "Shell | Write", "matcher-matches-nothing", "Shell | Write", Some("Shell|Write")),
        ("preToolUse", " Shell", "matcher-matches-nothing", " Shell", Some("Shell")),
        ("preToolUse", "bash", "matcher-claude-tool", "bash", Some("Shell")),
        ("preToolUse", "mcp:read_file", "matcher-mcp-name", "mcp:", Some("MCP:read_file")),
        ("preToolUse", "^(mcp:read_file)$", "matcher-mcp-name", "mcp:", Some("^(MCP:read_file)$")),
        ("preToolUse", "^mcp__", "matcher-mcp-name", "mcp__", Some("^MCP:")),
        ("preToolUse", "mcp__.*__delete", "matcher-mcp-name", "mcp__.*__delete", Some("MCP:delete")),
        ("preToolUse", "mcp__.*delete", "matcher-mcp-name", "mcp__", None),
        ("beforeReadFile", "TabRead", "matcher-matches-nothing", "TabRead", Some("Read")),
        ("afterFileEdit", "TabWrite", "matcher-matches-nothing", "TabWrite", Some("Write")),
        ("beforeShellExecution", "*", "matcher-star", "*", None),
    ] {
        let text = with_matcher(event, matcher);
        let parsed = checked(&text);
        assert_eq!(codes(&parsed), [code], "{event} {matcher}");
        let told = of(&parsed, code);
        let pointed = text[told.range.clone().expect("a place")].trim_matches('"');
        assert_eq!(pointed, part, "{event} {matcher}");
        assert_eq!(told.pointer.as_deref(), Some(format!("/hooks/{event}/0/matcher").as_str()));
        if let Some(after) = after {
            assert_eq!(mended(&text, &told.edits), with_matcher(event, after), "{matcher}");
            assert!(told.changes.is_some(), "{matcher}");
        }
        if !told.edits.is_empty() {
            let again = checked(&mended(&text, &told.edits));
            assert!(!codes(&again).contains(&code), "{event} {matcher}: {:?}", codes(&again));
        }
        let guard = Adapter::latest().row(event).expect("an event").can_block();
        // Subagents of a user's own are called anything, and older pages name Tab's words.
        let guess = event.starts_with("subagent") || matcher == "TabRead";
        let advice =
            guess || ["matcher-unknown-tool", "matcher-empty-part", "matcher-blank", "matcher-star"].contains(&code);
        assert_eq!(told.severity == Severity::Error, guard && !advice, "{event} {matcher}: {:?}", told.severity);
        // A host of the first design is told what that names, and no more.
        assert!(parse(&phase1(), &text).diagnostics.iter().all(|told| told.code.id.contains("never-fires")));
    }
}

#[test]
fn matchers_that_can_be_meant_are_let_be() {
    for (event, matcher) in [
        ("preToolUse", ""),
        ("preToolUse", ".*"),
        ("preToolUse", "Shell|Write|Delete"),
        ("preToolUse", "^Shell$"),
        ("preToolUse", "^(Shell|Write)$"),
        ("preToolUse", "MCP:.*"),
        ("preToolUse", "MCP:read_file|Shell"),
        ("preToolUse", "^MCP:"),
        ("preToolUse", "MCP"),
        ("preToolUse", "Web.*"),
        ("preToolUse", "^(?!Read)"),
        ("preToolUse", "[Ss]hell"),
        ("preToolUse", "StrReplace|ApplyPatch"),
        ("preToolUse", "SemanticSearch|TodoWrite"),
        ("preToolUse", "^(Semantic|Todo).*"),
        ("preToolUse", "MCP:mcp:read"),
        // Written for two clients at once: what is meant is covered.
        ("preToolUse", "Shell|Bash"),
        ("preToolUse", "Write|Edit"),
        ("preToolUse", "MCP:.*|mcp__.*"),
        ("beforeShellExecution", "^git push"),
        ("beforeShellExecution", "^sudo "),
        ("beforeShellExecution", "npm (install|i)( |$)"),
        ("beforeShellExecution", "(?:^|[;&|] ?)rm "),
        ("beforeShellExecution", "git reset --hard |git push"),
        ("beforeShellExecution", "/usr/local/"),
        ("beforeShellExecution", "/^a|b/"),
        ("beforeShellExecution", "\\brm\\b"),
        ("beforeShellExecution", "rm|shell"),
        ("beforeShellExecution", "Shell|curl"),
        ("beforeShellExecution", "Read(me|Me)"),
        ("beforeShellExecution", "Task(file)"),
        ("beforeShellExecution", "(curl|wget)"),
        ("beforeMCPExecution", "MCP:run_query"),
        ("beforeMCPExecution", "delete"),
        ("subagentStart", "explore|shell"),
        ("subagentStart", "my-own-agent"),
        ("beforeReadFile", "Read"),
        ("beforeReadFile", "Read|TabRead"),
        ("beforeTabFileRead", "Tab"),
        ("stop", "Stop|SubagentStop"),
        ("afterFileEdit", "Write"),
    ] {
        let parsed = checked(&with_matcher(event, matcher));
        assert!(parsed.diagnostics.is_empty(), "{event} {matcher}: {:?}", parsed.diagnostics);
    }
}

#[test]
fn a_regex_of_another_language_is_told_as_one() {
    let help = |adapter: &Adapter, matcher: &str| {
        let parsed = parse(adapter, &with_matcher("beforeShellExecution", matcher));
        of(&parsed, "matcher-not-regex").help.clone().into_owned()
    };
    assert!(help(&Adapter::latest(), "(?i)rm").contains("(?i)"));
    assert!(help(&phase1(), "rm(?!x)").contains("look-around"));
    assert!(help(&Adapter::latest(), "*.ts").contains(".*"));
    assert!(help(&Adapter::latest(), "src/**/*.ts").contains(".*"));
    assert!(help(&Adapter::latest(), "Bash(*)").contains("rule for permissions"));
    assert!(help(&Adapter::latest(), "(").contains("Mend"));
}

/// All mistakes of a file, and what else is wrong with it, in one run and in the order of the file; mended together they
/// are gone.
#[test]
fn a_broken_file_is_told_in_full() {
    let text = r#"{
  // our guards
  "version": "1",
  'hooks': {
    "BeforeShellExecution": [
      { "command": "x", }, /* twice */
    ],
    "preToolUse": [{ "command": "y", "matcher": "Bash", "timeout": 30000 }]
    "stop": [{ command: x }],
  },
}
"#;
    let parsed = checked(text);
    assert_eq!(
        codes(&parsed),
        [
            "comment",
            "unsupported-version",
            "wrong-quotes",
            "unknown-event",
            "extra-comma",
            "extra-comma",
            "comment",
            "matcher-claude-tool",
            "timeout-in-milliseconds",
            "missing-comma",
            "wrong-quotes",
            "wrong-quotes",
            "extra-comma",
            "extra-comma",
        ]
    );
    assert!(parsed.rejected && parsed.definitions.is_empty());
    assert!(parsed.diagnostics.iter().all(|told| !told.edits.is_empty() && told.changes.is_some()));
    let all: Vec<_> = parsed.diagnostics.iter().flat_map(|told| told.edits.clone()).collect();
    let mended = mended(text, &all);
    let again = checked(&mended);
    assert!(again.diagnostics.is_empty(), "{mended}: {:?}", again.diagnostics);
    assert_eq!(again.definitions.iter().filter(|definition| definition.state == State::Live).count(), 3);
    // A host that names one fault a file names the first.
    assert_eq!(codes(&parse(&seed(), text)), ["comment"]);
}

#[test]
fn values_of_the_wrong_type_show_what_was_meant() {
    let hook = |rest: &str| format!(r#"{{"version":1,"hooks":{{"stop":[{{"command":"x",{rest}}}]}}}}"#);
    for (text, code, after) in [
        (hook(r#""timeout":"30s""#), "wrong-type", hook(r#""timeout":30"#)),
        (hook(r#""failClosed":"false""#), "wrong-type", hook(r#""failClosed":false"#)),
        (hook(r#""loop_limit":"5""#), "wrong-type", hook(r#""loop_limit":5"#)),
        (hook(r#""Timeout":7"#), "unknown-field", hook(r#""timeout":7"#)),
        (
            r#"{"version":1,"hooks":{"preToolUse":[{"command":"x","matcher":["Shell","Write"]}]}}"#.into(),
            "wrong-type",
            r#"{"version":1,"hooks":{"preToolUse":[{"command":"x","matcher":"Shell|Write"}]}}"#.into(),
        ),
        (
            r#"{"version":1,"stop":[{"command":"x"}]}"#.into(),
            "missing-field",
            r#"{"version":1,"hooks": {"stop":[{"command":"x"}]}}"#.into(),
        ),
        (
            r#"{"version":1,"hooks":{"afterShell":[{"command":"x"}]}}"#.into(),
            "unknown-event",
            r#"{"version":1,"hooks":{"afterShellExecution":[{"command":"x"}]}}"#.into(),
        ),
        (hook(r#""type":"Command""#), "unknown-handler-type", hook(r#""type":"command""#)),
        (hook(r#""time_out":7"#), "unknown-field", hook(r#""timeout":7"#)),
        (hook(r#""timeoutMs":7000"#), "unknown-field", hook(r#""timeout":7"#)),
        (
            r#"{"version":1,"hooks":{"stop":"x.sh"}}"#.into(),
            "wrong-type",
            r#"{"version":1,"hooks":{"stop":[{"command": "x.sh"}]}}"#.into(),
        ),
        (
            r#"{"version":1,"hooks":{"stop":["x.sh"]}}"#.into(),
            "wrong-type",
            r#"{"version":1,"hooks":{"stop":[{"command": "x.sh"}]}}"#.into(),
        ),
        (
            r#"{"version":1,"hooks":{"stop":{"command":"x"}}}"#.into(),
            "wrong-type",
            r#"{"version":1,"hooks":{"stop":[{"command":"x"}]}}"#.into(),
        ),
        (
            r#"{"version":1,"Hooks":{"stop":[{"command":"x"}]}}"#.into(),
            "missing-field",
            r#"{"version":1,"hooks":{"stop":[{"command":"x"}]}}"#.into(),
        ),
        (
            r#"{"version":1,"hooks":{"preToolUse":[{"matcher":"Shell","hooks":[{"command":"x"},{"command":"y"}]}]}}"#.into(),
            "claude-shape",
            r#"{"version":1,"hooks":{"preToolUse":[{"matcher": "Shell", "command":"x"}, {"matcher": "Shell", "command":"y"}]}}"#
                .into(),
        ),
        (
            r#"{"version":1,"hooks":{"afterFileEdit":[{"prompt":"p"}]}}"#.into(),
            "missing-field",
            r#"{"version":1,"hooks":{"afterFileEdit":[{"type": "prompt", "prompt":"p"}]}}"#.into(),
        ),
        (
            r#"{"version":1,"hooks":{"stop":[{"command":"x"},{"command":"x"}]}}"#.into(),
            "repeated-hook",
            r#"{"version":1,"hooks":{"stop":[{"command":"x"}]}}"#.into(),
        ),
        (
            r#"{"version":1,"hooks":{"sessionStart":[{"matcher":"startup","command":"x"}]}}"#.into(),
            "matcher-ignored",
            r#"{"version":1,"hooks":{"sessionStart":[{"command":"x"}]}}"#.into(),
        ),
        (hook(r#""failClosed":true"#), "fail-closed-ignored", r#"{"version":1,"hooks":{"stop":[{"command":"x"}]}}"#.into()),
    ] {
        let parsed = checked(&text);
        let told = of(&parsed, code);
        assert_eq!(mended(&text, &told.edits), after);
        assert!(checked(&after).diagnostics.is_empty(), "{after}: {:?}", codes(&checked(&after)));
    }
    // What would push hooks or a key out that stand there has no edit.
    for text in [
        r#"{"version":1,"hooks":{"pretooluse":[{"command":"x"}],"preToolUse":[{"command":"y"}]}}"#,
        r#"{"version":1,"hooks":{"preToolUse":[{"command":"y"}],"PreToolUse":[{"command":"x"}]}}"#,
        &hook(r#""timeout":1,"Timeout":2"#),
    ] {
        assert!(checked(text).diagnostics.iter().all(|told| told.edits.is_empty()), "{text}");
    }
    for text in [
        r#"{"version":1,"hooks":{"pretooluse":[{"command":"x"}],"PreToolUse":[{"command":"y"}]}}"#,
        &hook(r#""time_out":1,"Timeout":2"#),
    ] {
        assert_eq!(checked(text).diagnostics.iter().filter(|told| !told.edits.is_empty()).count(), 1, "{text}");
    }
    // One fault of a hook does not hide the others.
    let several = r#"{"version":1,"hooks":{"stop":[{"type":"http","url":"x","timeout":0,"loop_limit":-1,"matcher":5},{"timeout":0}]}}"#;
    assert_eq!(
        codes(&checked(several)),
        [
            "unknown-handler-type",
            "timeout-not-positive",
            "loop-limit-invalid",
            "wrong-type",
            "missing-field",
            "timeout-not-positive"
        ]
    );
    // A version that is no number does not hide what is wrong with the hooks.
    assert_eq!(codes(&checked(r#"{"version":true,"hooks":{"stop":5}}"#)), ["unsupported-version", "wrong-type"]);
    // Nor do other keys hide what is wrong with events that stand beside them.
    let between = r#"{"stop":[{"command":"x","loopLimit":1}],"version":1}"#;
    assert_eq!(codes(&checked(between)), ["missing-field", "unknown-field"]);
    // Events without the object around them, and what is wrong inside.
    let bare = r#"{"stop":[{"command":"x","loopLimit":1}]}"#;
    let parsed = checked(bare);
    assert_eq!(codes(&parsed), ["missing-field", "missing-field", "unknown-field"]);
    let all: Vec<_> = parsed.diagnostics.iter().flat_map(|told| told.edits.clone()).collect();
    assert_eq!(mended(bare, &all), r#"{"version": 1, "hooks": {"stop":[{"command":"x","loop_limit":1}]}}"#);
}

/// What keeps a guard from guarding is an error, what keeps an observer from observing a warning.
#[test]
fn faults_are_as_loud_as_what_they_cost() {
    let severity = |text: &str, code: &str| of(&checked(text), code).severity;
    let event = |name: &str| format!(r#"{{"version":1,"hooks":{{"{name}":[{{"command":"x"}}]}}}}"#);
    assert_eq!(severity(&event("beforeShellExec"), "unknown-event"), Severity::Error);
    assert_eq!(severity(&event("beforeCommit"), "unknown-event"), Severity::Error);
    assert_eq!(severity(&event("afterCommit"), "unknown-event"), Severity::Warning);
    assert_eq!(severity(&event("afterShell"), "unknown-event"), Severity::Warning);
    let deep = r#"{"version":1,"hooks":{"hooks":{"stop":[{"command":"x"}]}}}"#;
    assert_eq!(severity(deep, "unknown-event"), Severity::Error);
    let whole = r#"{"version":1,"hooks":{"preToolUse":[{"command":"x"}]},"hooks":{}}"#;
    assert_eq!(severity(whole, "repeated-key"), Severity::Error);
    let remarks = r#"{"version":1,"_comment":"a","_comment":"b","hooks":{}}"#;
    assert_eq!(
        (severity(remarks, "repeated-key"), of(&checked(remarks), "repeated-key").reach),
        (Severity::Info, hooks_core::Reach::None)
    );
    assert_eq!(severity(&event("beforeShellExcution"), "unknown-event"), Severity::Error);
    assert_eq!(severity(&event("PreToolUse"), "unknown-event"), Severity::Error);
    assert_eq!(severity(&event("Stop"), "unknown-event"), Severity::Warning);
    assert_eq!(severity(r#"{"version":1,"hooks":{"PreToolUse":[]}}"#, "unknown-event"), Severity::Warning);
    let empty = |name: &str| format!(r#"{{"version":1,"hooks":{{"{name}":[{{"command":" "}}]}}}}"#);
    assert_eq!(severity(&empty("preToolUse"), "empty-command"), Severity::Error);
    assert_eq!(severity(&empty("stop"), "empty-command"), Severity::Warning);
    let unasked = r#"{"version":1,"hooks":{"preToolUse":[{"type":"prompt","prompt":" "}]}}"#;
    assert_eq!(severity(unasked, "empty-command"), Severity::Warning);
    let asked = checked(&unasked.replace("\" \"", "\"x\""));
    assert!(asked.diagnostics.iter().all(|one| one.code.id != "cursor/empty-command"), "{asked:?}");
    let twice = |name: &str| format!(r#"{{"version":1,"hooks":{{"{name}":[{{"command":"x"}}],"{name}":[]}}}}"#);
    assert_eq!(severity(&twice("preToolUse"), "repeated-key"), Severity::Error);
    assert_eq!(severity(&twice("stop"), "repeated-key"), Severity::Warning);
    let unfired = |name: &str| of(&parse(&phase1(), &event(name)), "never-fires").severity;
    assert_eq!((unfired("beforeReadFile"), unfired("preCompact")), (Severity::Error, Severity::Warning));
    let claudes = |text: &str, code: &str| of(&parse_foreign(&Adapter::latest(), text), code).severity;
    let group = r#"[{"matcher":"bash","hooks":[{"type":"command","command":"x"}]}]"#;
    for (event, code, severity) in [
        ("PermissionRequest", "event-not-supported", Severity::Error),
        ("PreToolUze", "event-not-supported", Severity::Error),
        ("Notification", "event-not-supported", Severity::Warning),
        ("Stopp", "event-not-supported", Severity::Warning),
        ("PreToolUse", "tool-not-mapped", Severity::Error),
        ("PostToolUse", "tool-not-mapped", Severity::Warning),
    ] {
        assert_eq!(claudes(&format!(r#"{{"hooks":{{"{event}":{group}}}}}"#), code), severity, "{event}");
    }
    let rejected = checked(r#"{"version":3,"hooks":{"stop":5}}"#);
    assert!(rejected.diagnostics.iter().all(|told| !told.rejects_in_silence()), "{:?}", rejected.diagnostics);
}

trait Loud {
    fn rejects_in_silence(&self) -> bool;
}

impl Loud for Diagnostic {
    /// Whether a fault that takes the file with it does not say so.
    fn rejects_in_silence(&self) -> bool {
        self.reach == hooks_core::Reach::File && !self.message.contains("none of the file's hooks run")
    }
}

/// The page on what is told names every code of the table, and no other.
#[test]
fn the_page_on_diagnostics_is_the_table() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/decisions/cursor-diagnostics.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let (told, _) = page.split_once("## Not told").expect("both parts");
    let rows = told.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let named: std::collections::BTreeSet<&str> = rows
        .flat_map(|row| row.trim_matches([' ', '|']).rsplit(" | ").next().expect("a cell").split(", "))
        .map(|code| code.trim_matches('`'))
        .collect();
    let codes =
        adapter_cursor::codes::CODES.iter().map(|code| code.id.strip_prefix("cursor/").expect("a word")).collect();
    assert_eq!(named, codes);
}

#[test]
fn claudes_file_is_told_of_as_cursor_reads_it() {
    let checked = |text: &str| parse_foreign(&Adapter::latest(), text);
    let hooks = |event: &str, rest: &str| format!(r#"{{"hooks":{{"{event}":[{rest}]}}}}"#);
    let group = r#"{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]}"#;
    for (text, code, after) in [
        (hooks("preToolUse", group), "event-not-supported", Some(hooks("PreToolUse", group))),
        (hooks("PreToolUze", group), "event-not-supported", Some(hooks("PreToolUse", group))),
        (hooks("Notification", group), "event-not-supported", None),
        (
            hooks("Stop", r#"{"hooks":[{"command":"x"}]}"#),
            "missing-field",
            Some(hooks("Stop", r#"{"hooks":[{"type": "command", "command":"x"}]}"#)),
        ),
        (
            hooks("Stop", r#"{"hooks":[{"type":"command","command":"x","timeout":60000}]}"#),
            "timeout-in-milliseconds",
            Some(hooks("Stop", r#"{"hooks":[{"type":"command","command":"x","timeout":60}]}"#)),
        ),
        (format!("\u{feff}{}", hooks("PreToolUse", group)), "byte-order-mark", Some(hooks("PreToolUse", group))),
    ] {
        let parsed = checked(&text);
        let told = of(&parsed, code);
        match after {
            Some(after) => {
                assert_eq!(mended(&text, &told.edits), after);
                assert!(checked(&after).diagnostics.is_empty(), "{after}");
            }
            None => assert!(told.edits.is_empty()),
        }
    }
    let both = format!(r#"{{"hooks":{{"PreToolUse":[{group}],"preToolUse":[{group}]}}}}"#);
    assert!(of(&checked(&both), "event-not-supported").edits.is_empty());
    assert!(
        of(&checked(&hooks("PreToolUse", &group.replace("Bash", "bash"))), "tool-not-mapped").help.contains("`Bash`")
    );
}
