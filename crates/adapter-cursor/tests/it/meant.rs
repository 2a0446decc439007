//! What does not count is read as it is meant, for its other faults: they say so, and nothing of it comes to count.

use adapter_cursor::{Adapter, phase1};
use hooks_core::adapter::Parsed;
use hooks_core::definition::State;
use hooks_core::source::{Origin, Plugin, Source};
use hooks_core::{Diagnostic, HostSide, Reach, Severity};

use crate::support::{mended, parse, parse_foreign, source};

fn checked(text: &str) -> Parsed {
    parse(&Adapter::latest(), text)
}

/// Each finding as its code, and what has to be done before it counts.
fn told(parsed: &Parsed) -> Vec<(&str, Vec<&str>)> {
    let of = |told| -> (&str, Vec<&str>) {
        let told: &Diagnostic = told;
        let before = told.related.iter().map(|related| related.message.as_str());
        let before = before.filter(|text| text.starts_with("once ")).collect();
        (told.code.id.strip_prefix("cursor/").expect("a word"), before)
    };
    parsed.diagnostics.iter().map(of).collect()
}

fn commands(parsed: &Parsed) -> Vec<(&str, String)> {
    parsed.meant.iter().map(|meant| (meant.place.event.as_str(), meant.handler.label())).collect()
}

#[test]
fn what_stands_under_a_misspelt_event_is_told_as_that_events() {
    let text = r#"{"version":1,"hooks":{"beforeShellExecutions":[
        {"command":"./guard.sh","loop_limit":3,"timeout":30000,"matcher":"rm -rf ("}]}}"#;
    let parsed = checked(text);
    let once = || vec!["once this is `beforeShellExecution`"];
    assert_eq!(
        told(&parsed),
        [
            ("unknown-event", vec![]),
            ("loop-limit-ignored", once()),
            ("timeout-in-milliseconds", once()),
            ("matcher-not-regex", once())
        ]
    );
    assert!(parsed.definitions.is_empty() && !parsed.rejected);
    assert_eq!(commands(&parsed), [("beforeShellExecution", "./guard.sh".to_owned())]);
    assert!(parsed.meant.iter().all(|meant| matches!(meant.state, State::Disabled(_))));
    // Once the name is right, the same is found, and nothing else.
    let right = checked(&text.replace("Executions", "Execution"));
    let codes = |parsed: &Parsed| parsed.diagnostics.iter().map(|told| told.code.id).collect::<Vec<_>>();
    assert_eq!(codes(&right), codes(&parsed)[1..]);
}

#[test]
fn the_name_may_be_in_other_letters_or_another_vendors() {
    for (name, event) in [
        ("BEFORESHELLEXECUTION", "beforeShellExecution"),
        ("before-shell-execution", "beforeShellExecution"),
        ("beforeShell", "beforeShellExecution"),
        ("PreToolUse", "preToolUse"),
        ("UserPromptSubmit", "beforeSubmitPrompt"),
        ("userPromptSubmit", "beforeSubmitPrompt"),
        ("onStop", "stop"),
        ("userPromptSubmitted", "beforeSubmitPrompt"),
        ("pre_run_command", "beforeShellExecution"),
        ("BeforeTool", "preToolUse"),
        ("onSave", "afterFileEdit"),
    ] {
        let parsed = checked(&format!(r#"{{"version":1,"hooks":{{"{name}":[{{"command":"x","timeout":0}}]}}}}"#));
        let once = format!("once this is `{event}`");
        assert_eq!(told(&parsed), [("unknown-event", vec![]), ("timeout-not-positive", vec![once.as_str()])], "{name}");
        // The file is read all the same: what does not count takes nothing with it.
        assert!(!parsed.rejected, "{name}");
        let fault = &parsed.diagnostics[1];
        assert!(
            fault.reach == Reach::Entry
                && fault.message.ends_with("once this hook counts, none of the file's hooks run")
        );
    }
    // What is a guess is left alone.
    for name in ["beforeAnything", "x", "notification"] {
        let parsed = checked(&format!(r#"{{"version":1,"hooks":{{"{name}":[{{"command":"x","timeout":0}}]}}}}"#));
        assert_eq!(told(&parsed), [("unknown-event", vec![])], "{name}");
    }
    // A host that names no more than the first design says nothing of it.
    let parsed = parse(&phase1(), r#"{"version":1,"hooks":{"Stop":[{"command":"x","timeout":0}]}}"#);
    assert_eq!(told(&parsed), [("unknown-event", vec![])]);
    assert!(parsed.meant.is_empty());
}

#[test]
fn keys_are_read_as_they_are_meant() {
    let text = r#"{"version":1,"hooks":{"preToolUse":[{"Command":"x","timeOut":"30000","Matcher":"Bash","failclosed":"yes"}]}}"#;
    let parsed = checked(text);
    assert_eq!(
        told(&parsed),
        [
            ("missing-field", vec![]),
            ("unknown-field", vec![]),
            ("wrong-type", vec!["once this is `timeout`"]),
            ("unknown-field", vec![]),
            ("matcher-claude-tool", vec!["once this is `matcher`"]),
            ("unknown-field", vec![]),
            ("wrong-type", vec!["once this is `failClosed`"])
        ]
    );
    // The place is the one that is written.
    assert_eq!(parsed.diagnostics[2].pointer.as_deref(), Some("/hooks/preToolUse/0/timeOut"));
    assert_eq!(commands(&parsed), [("preToolUse", "x".to_owned())]);
    // A number in a text is one of milliseconds too.
    let once = mended(text, &parsed.diagnostics[2].edits);
    assert!(once.contains(r#""timeOut":30,"#), "{once}");
    // A unit in the key is converted, so that there is nothing more to say of the value.
    let parsed = checked(r#"{"version":1,"hooks":{"stop":[{"command":"x","timeoutMs":30000}]}}"#);
    assert_eq!(told(&parsed), [("unknown-field", vec![])]);
}

#[test]
fn events_are_found_wherever_they_stand() {
    let hook = r#"[{"command":"x","loop_limit":-1}]"#;
    for (text, codes) in [
        (format!(r#"{{"version":1,"hook":{{"stop":{hook}}}}}"#), vec!["missing-field", "loop-limit-invalid"]),
        (format!(r#"{{"version":1,"events":{{"stop":{hook}}}}}"#), vec!["missing-field", "loop-limit-invalid"]),
        (format!(r#"{{"version":1,"stop":{hook}}}"#), vec!["missing-field", "loop-limit-invalid"]),
        (
            format!(r#"{{"version":1,"stop":{hook},"Stop":[]}}"#),
            vec!["missing-field", "loop-limit-invalid", "unknown-event"],
        ),
        (format!(r#"{{"version":1,"hooks":{{}},"stop":{hook}}}"#), vec!["unknown-field", "loop-limit-invalid"]),
        (format!(r#"{{"version":1,"hooks":{{}},"Stop":{hook}}}"#), vec!["unknown-field", "loop-limit-invalid"]),
        (
            format!(r#"{{"version":1,"hooks":{{"hooks":{{"stop":{hook}}}}}}}"#),
            vec!["unknown-event", "loop-limit-invalid"],
        ),
        (format!(r#"{{"version":0,"hooks":{{"stop":{hook}}}}}"#), vec!["unsupported-version", "loop-limit-invalid"]),
        (
            format!(r#"{{"version":1,"hooks":{{"stop":{hook},"stop":[]}}}}"#),
            vec!["repeated-key", "loop-limit-invalid"],
        ),
        (
            format!(r#"{{"version":1,"hooks":{{"stop":{hook}}},"hooks":{{}}}}"#),
            vec!["repeated-key", "loop-limit-invalid"],
        ),
        (
            r#"{"version":1,"hooks":{"stop":[{"matcher":"Stop","hooks":[{"type":"command","command":"x","loop_limit":-1}]}]}}"#
                .to_owned(),
            vec!["claude-shape", "loop-limit-invalid"],
        ),
    ] {
        let parsed = checked(&text);
        assert_eq!(told(&parsed).iter().map(|(code, _)| *code).collect::<Vec<_>>(), codes, "{text}");
        assert!(parsed.definitions.iter().all(|definition| definition.state != State::Live), "{text}");
        assert_eq!(commands(&parsed), [("stop", "x".to_owned())], "{text}");
    }
    // Keys beside `hooks` that are no events stay unsaid, as is an event without hooks.
    for text in
        [r#"{"version":1,"hooks":{},"$schema":"x","description":["y"]}"#, r#"{"version":1,"hooks":{},"stop":[]}"#]
    {
        assert!(checked(text).diagnostics.is_empty(), "{text}");
    }
}

/// People look for an event before an edit; Cursor has it among the tools.
#[test]
fn what_runs_before_an_edit_is_told() {
    let parsed = checked(r#"{"version":1,"hooks":{"beforeFileEdit":[{"command":"x"}]}}"#);
    let [fault] = parsed.diagnostics.as_slice() else { panic!("one finding") };
    assert!(fault.severity == Severity::Error && fault.help.contains("`preToolUse` with the matcher `Write`"));
    assert!(fault.edits.is_empty());
}

/// Shapes that people write, with what they come to.
#[test]
fn values_of_another_shape_show_what_was_meant() {
    for (hook, code, after) in [
        (r#"{"command":["node","x.mjs"]}"#, "wrong-type", r#"{"command":"node x.mjs"}"#),
        (r#"{"command":"x","matcher":{"tool_name":"Shell"}}"#, "wrong-type", r#"{"command":"x","matcher":"Shell"}"#),
        (
            r#"{"command":"x","matcher":{"toolName":["Edit","Bash"]}}"#,
            "wrong-type",
            r#"{"command":"x","matcher":"Write|Shell"}"#,
        ),
        (r#"{"command":"x","timeout":"30000"}"#, "wrong-type", r#"{"command":"x","timeout":30}"#),
    ] {
        let file = |hook: &str| format!(r#"{{"version":1,"hooks":{{"preToolUse":[{hook}]}}}}"#);
        let (text, parsed) = (file(hook), checked(&file(hook)));
        assert_eq!(told(&parsed), [(code, vec![])], "{hook}");
        let mended = mended(&text, &parsed.diagnostics[0].edits);
        assert_eq!(mended, file(after));
        assert!(checked(&mended).diagnostics.is_empty(), "{after}");
        assert_eq!(parsed.meant.len(), 1, "{hook}");
    }
    let parsed = checked(r#"{"version":1,"hooks":[{"event":"stop","command":"x","timeout":0}]}"#);
    assert_eq!(told(&parsed), [("wrong-type", vec![]), ("timeout-not-positive", vec![])]);
    assert_eq!(commands(&parsed), [("stop", "x".to_owned())]);
}

#[test]
fn a_command_in_the_place_of_a_hook_is_one() {
    for text in [r#"{"version":1,"hooks":{"stop":["x"]}}"#, r#"{"version":1,"hooks":{"stop":"x"}}"#] {
        let parsed = checked(text);
        assert_eq!(told(&parsed), [("wrong-type", vec![])], "{text}");
        assert_eq!(commands(&parsed), [("stop", "x".to_owned())], "{text}");
    }
}

#[test]
fn what_keeps_one_hook_or_the_whole_file_back_leaves_its_command_meant() {
    for text in [
        r#"{"version":1,"hooks":{"preToolUse":[{"command":"x","matcher":"("}]}}"#,
        r#"{"hooks":{"preToolUse":[{"command":"x"}]}}"#,
        r#"{"version":1,"hooks":{"preToolUse":[{"command":"x"},]}}"#,
        r#"{"version":1,"hooks":{"preToolUse":[{"command":"x","type":"comand"}]}}"#,
    ] {
        assert_eq!(commands(&checked(text)), [("preToolUse", "x".to_owned())], "{text}");
    }
    assert!(checked(r#"{"version":1,"hooks":{"preToolUse":[{"command":"x"}]}}"#).meant.is_empty());
}

#[test]
fn claudes_file_is_read_on_too() {
    let parsed = parse_foreign(
        &Adapter::latest(),
        r#"{"hooks":{"PreTooluse":[{"matcher":"NotebookEdit","hooks":[{"type":"command","command":"x"}]}]}}"#,
    );
    assert_eq!(
        told(&parsed),
        [("event-not-supported", vec![]), ("tool-not-mapped", vec!["once this is `PreToolUse`"])]
    );
    assert!(parsed.definitions.is_empty());
}

fn of_plugin(command: &str) -> Parsed {
    let text = format!(r#"{{"version":1,"hooks":{{"preToolUse":[{{"command":{}}}]}}}}"#, serde_json::json!(command));
    let mut source: Source = (*source(Origin::Plugin, "/plugins/p/hooks/hooks.json", &text)).clone();
    source.plugin = Some(Plugin { name: "p".into(), root: "/plugins/p".into(), ..Plugin::default() });
    Adapter::latest().parse(&source.into())
}

/// Forum threads 153236 and 157195, and pull request 315 of Cursor's own plugins.
#[test]
fn a_plugins_commands_name_its_files_from_the_plugins_folder() {
    for (command, part, after) in [
        ("./hooks/x.sh --now", "./hooks/x.sh", r#""${CURSOR_PLUGIN_ROOT}/hooks/x.sh" --now"#),
        ("hooks/x", "hooks/x", r#""${CURSOR_PLUGIN_ROOT}/hooks/x""#),
        ("bun run hooks/x.ts", "hooks/x.ts", r#"bun run "${CURSOR_PLUGIN_ROOT}/hooks/x.ts""#),
        ("bash ./x", "./x", r#"bash "${CURSOR_PLUGIN_ROOT}/x""#),
    ] {
        let parsed = of_plugin(command);
        assert_eq!(told(&parsed), [("plugin-relative-path", vec![])], "{command}");
        let (text, fault) = (std::str::from_utf8(&parsed.source.bytes).expect("text"), &parsed.diagnostics[0]);
        assert_eq!(&text[fault.range.clone().expect("a place")], part);
        let after = of_plugin(after);
        assert_eq!(mended(text, &fault.edits).as_bytes(), &*after.source.bytes);
        assert!(after.diagnostics.is_empty(), "{command}");
    }
    let leads_out = of_plugin("../x.sh");
    assert!(leads_out.diagnostics.len() == 1 && leads_out.diagnostics[0].edits.is_empty());
    for command in [
        "node",
        "/usr/bin/x.sh",
        "npx -y @scope/name",
        "\"${CURSOR_PLUGIN_ROOT}/hooks/x.sh\"",
        "bash $CURSOR_PLUGIN_ROOT/hooks/x.sh",
        "C:/x/y.cmd",
        "~/x.sh",
        "curl -s https://x.y/z.sh",
    ] {
        assert!(of_plugin(command).diagnostics.is_empty(), "{command}");
    }
    // A project's hooks run in the project's root.
    assert!(checked(r#"{"version":1,"hooks":{"stop":[{"command":"./x.sh"}]}}"#).diagnostics.is_empty());
}

/// Two projects had "Config version must be a number" for such files (nowledge-co/community, pull request 255;
/// astronomer/agents, pull request 143), a third source says that they are read.
#[test]
fn a_plugins_file_without_a_version_is_read_and_told_of() {
    let text = r#"{"hooks":{"stop":[{"command":"x"}]}}"#;
    let parsed = Adapter::latest().parse(&source(Origin::Plugin, "/plugins/p/hooks/hooks.json", text));
    assert_eq!(told(&parsed), [("missing-field", vec![])]);
    assert!(!parsed.rejected && parsed.diagnostics[0].severity == Severity::Warning);
    assert_eq!(mended(text, &parsed.diagnostics[0].edits), r#"{"version": 1, "hooks":{"stop":[{"command":"x"}]}}"#);
}

/// Seen in public files: markers of tools, and what a reader is told.
#[test]
fn keys_for_readers_and_tools_are_remarks() {
    let severity = |key: &str, value: &str| {
        let text = format!(r#"{{"version":1,"hooks":{{"stop":[{{"command":"x","{key}":{value}}}]}}}}"#);
        checked(&text).diagnostics.first().map(|told| told.severity)
    };
    for (key, value) in [("event", "\"stop\""), ("id", "\"x\""), ("__tool_hook__", "true"), ("$comment", "\"x\"")] {
        assert_eq!(severity(key, value), Some(Severity::Info), "{key}");
    }
    for (key, value) in [("event", "\"preToolUse\""), ("enabled", "false"), ("env", "{}")] {
        assert_eq!(severity(key, value), Some(Severity::Warning), "{key}");
    }
}

/// A matcher for several clients loses nothing by another's name for an edit; a client of 2026 calls its subagents so
/// (Trellis, seen with 3.2.11).
#[test]
fn names_that_cost_nothing_are_let_be() {
    let of = |matcher: &str| {
        let text = format!(r#"{{"version":1,"hooks":{{"preToolUse":[{{"command":"x","matcher":"{matcher}"}}]}}}}"#);
        checked(&text).diagnostics.iter().map(|told| told.code.id).collect::<Vec<_>>()
    };
    for matcher in ["Task|Subagent", "Write|MultiEdit", "Write|NotebookEdit|StrReplace"] {
        assert!(of(matcher).is_empty(), "{matcher}");
    }
    assert_eq!(of("MultiEdit"), ["cursor/matcher-unknown-tool"]);
}
