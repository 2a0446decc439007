//! `fire` beyond the outcomes of single hooks: what it asks, shows, refuses and tells with its exit code.

use std::process::Stdio;

use crate::support::{Project, Ran, command, guarded};

const TOUCH: &str = "touch ran; echo no >&2; exit 2";

#[test]
fn without_a_yes_nothing_runs() {
    for vendor in ["cursor", "claude", "codex"] {
        let project = guarded(vendor, TOUCH, "");
        project.run(&["fire", "tool.before", "--command", "ls"]).code(3).says("sh guard.sh").says("--yes");
        let document = project.run(&["fire", "tool.before", "--command", "ls", "--json"]).code(3).json();
        assert_eq!(document["ran"], false);
        project.run(&["fire", "tool.before", "--command", "ls", "--dry-run"]).code(0).says("Nothing was run");
        assert!(!project.root().join("ran").exists(), "{vendor}: a hook ran without a yes");
        project.run(&["fire", "tool.before", "--command", "ls", "--yes"]).code(10);
        assert!(project.root().join("ran").exists());
    }
}

#[test]
fn a_yes_that_is_piped_in_is_no_persons_yes() {
    let project = guarded("claude", TOUCH, "");
    let mut command = command(&project.root(), &project.home());
    let mut child = command
        .args(["fire", "tool.before", "--command", "ls"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command may have gone away before it is asked.
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"yes\n");
    Ran::of(child.wait_with_output().unwrap()).code(3);
    assert!(!project.root().join("ran").exists());
}

#[test]
fn the_standard_input_that_is_shown_is_the_one_that_is_given() {
    for vendor in ["cursor", "claude", "codex"] {
        let project = guarded(vendor, "cat > seen", "");
        let line = ["fire", "tool.before", "--command", "echo é", "--yes", "--json"];
        let document = project.run(&line).json();
        let seen = std::fs::read_to_string(project.root().join("seen")).unwrap();
        assert_eq!(document["hooks"][0]["stdin"], seen.as_str(), "{vendor}");
        assert!(seen.contains("echo é"), "{seen}");
        project.run(&["fire", "tool.before", "--command", "echo é"]).says(&seen);
    }
}

#[test]
fn a_name_that_several_vendors_share_fires_all_of_them() {
    let project = guarded("claude", "exit 0", "")
        .with(".codex/hooks.json", r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"exit 0"}]}]}}"#);
    let project = project.with(".cursor/hooks.json", r#"{"version":1,"hooks":{"preToolUse":[{"command":"exit 0"}]}}"#);
    let vendors = |args: &[&str]| -> Vec<String> {
        let line = [&["fire", args[0], "--command", "ls", "--dry-run", "--json"], &args[1..]].concat();
        let document = project.run(&line).code(0).json();
        let hooks = document["hooks"].as_array().unwrap().clone();
        hooks.iter().map(|hook| hook["hook"]["vendor"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(vendors(&["PreToolUse"]), ["claude", "codex"]);
    assert_eq!(vendors(&["PreToolUse", "--vendor", "codex"]), ["codex"]);
    assert_eq!(vendors(&["preToolUse"]), ["cursor"]);
    assert_eq!(vendors(&["tool.before"]), ["cursor", "claude", "codex"]);
}

#[test]
fn names_that_are_unknown_are_answered_with_near_ones() {
    let project = Project::new();
    let miss = |name: &str| project.run(&["fire", name]).code(2);
    miss("pretooluse").complains("`PreToolUse` (claude, codex)").complains("`preToolUse` (cursor)");
    miss("tool_before").complains("`tool.before`");
    miss("beforeShelExecution").complains("`beforeShellExecution` (cursor)");
    miss("banana").complains("PreToolUse");
    project.run(&["fire", "beforeShellExecution", "--vendor", "claude"]).code(2).complains("--vendor cursor");
    miss("workspaceOpen").complains("no boundary");
}

#[test]
fn every_exit_code_tells_its_decision() {
    let claude = |event: &str, script: &str| {
        let text = format!(r#"{{"hooks":{{"{event}":[{{"hooks":[{{"type":"command","command":"sh hook.sh"}}]}}]}}}}"#);
        let project = Project::new().with(".claude/settings.json", text).with("hook.sh", script);
        project.run(&["fire", event, "--yes", "--json"]).code
    };
    let decide = |word: &str| {
        format!(r#"echo '{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"{word}"}}}}'"#)
    };
    assert_eq!(claude("PreToolUse", "exit 0"), 0);
    assert_eq!(claude("PreToolUse", &decide("allow")), 0);
    assert_eq!(claude("PreToolUse", &decide("deny")), 10);
    assert_eq!(claude("PreToolUse", &decide("ask")), 11);
    assert_eq!(claude("PreToolUse", &decide("defer")), 12);
    assert_eq!(claude("PreToolUse", r#"echo '{"continue":false,"stopReason":"enough"}'"#), 13);
    assert_eq!(claude("UserPromptSubmit", r#"echo '{"decision":"block","reason":"no"}'"#), 13);
    assert_eq!(claude("Stop", r#"echo '{"decision":"block","reason":"run the tests"}'"#), 14);
    assert_eq!(claude("Notification", "exit 0"), 0);
}

#[test]
fn the_reasons_and_the_duty_are_told_in_words() {
    let project = guarded("codex", "echo 'not here' >&2; exit 2", "");
    project
        .run(&["fire", "PreToolUse", "--command", "rm -rf build", "--yes"])
        .code(10)
        .says("Decision: DENY")
        .says("to model  not here")
        .says("exit code 10")
        .says("Do not make the call");
}

#[test]
fn why_says_of_every_other_hook_why_not() {
    let project = Project::new().with(
        ".claude/settings.json",
        r#"{"hooks":{
            "PreToolUse":[{"matcher":"Write","hooks":[{"type":"command","command":"a"}]},
                          {"hooks":[{"type":"prompt","prompt":"is $ARGUMENTS fine?"}]}],
            "Stop":[{"hooks":[{"type":"command","command":"b"}]}]}}"#,
    );
    project
        .run(&["fire", "PreToolUse", "--command", "ls", "--why"])
        .code(0)
        .says("No hook runs")
        .says("the matcher `Write`")
        .says("does not match `Bash`")
        .says("this host cannot run prompt handlers")
        .says("Stop is on turn.stop, not on tool.before");
}

#[test]
fn tools_are_named_as_the_vendor_names_them() {
    let project = Project::new().with(
        ".claude/settings.json",
        r#"{"hooks":{"PreToolUse":[{"matcher":"Write","hooks":[{"type":"command","command":"cat >/dev/null; exit 2"}]}]}}"#,
    );
    let input = r#"{"file_path":"/p/a.txt","content":"x"}"#;
    project.run(&["fire", "PreToolUse", "--tool", "Write", "--input", input, "--yes"]).code(10);
    project.run(&["fire", "PreToolUse", "--tool", "Read", "--input", input, "--yes"]).code(0).says("No hook runs");
    project.run(&["fire", "PreToolUse", "--tool", "Write", "--input", "[1]"]).code(2).complains("not a JSON object");
    project.run(&["fire", "PreToolUse", "--tool", "Write", "--input", "{"]).code(2).complains("not JSON");
    // What a tool is given need not be said.
    let ran = project.run(&["fire", "PreToolUse", "--tool", "Write", "--dry-run"]).code(0);
    ran.says("made up").says("--input").says(r#""tool_name":"Write""#);
    project.run(&["fire", "PreToolUse", "--tool", "Read", "--yes"]).code(0).says("No hook runs");
}

#[test]
fn a_recorded_payload_is_taken_up() {
    let payload = r#"{"hook_event_name":"PreToolUse","session_id":"s-77","cwd":"/somewhere","tool_name":"Bash",
        "tool_input":{"command":"git push"},"tool_use_id":"t-5","invented":1}"#;
    let project = guarded("claude", "exit 0", "").with("payload.json", payload);
    let document =
        project.run(&["fire", "PreToolUse", "--payload", "payload.json", "--dry-run", "--json"]).code(0).json();
    let stdin: serde_json::Value = serde_json::from_str(document["hooks"][0]["stdin"].as_str().unwrap()).unwrap();
    assert_eq!(stdin["session_id"], "s-77");
    assert_eq!(stdin["cwd"], "/somewhere");
    assert_eq!(stdin["tool_input"]["command"], "git push");
    assert_eq!(stdin["tool_use_id"], "t-5");
    assert_eq!(document["ignored"][0], "payload key `invented`");
    assert_eq!(document["made_up"], false);
    // A payload of another event is taken for what it is used for, and that is told.
    project.run(&["fire", "PermissionRequest", "--payload", "payload.json"]).code(0).says("names `PreToolUse`");
}

#[test]
fn a_long_input_is_shown_in_part_and_given_whole() {
    let payload = format!(r#"{{"tool_name":"Bash","tool_input":{{"command":"{}"}}}}"#, "x".repeat(300_000));
    let project = guarded("claude", "wc -c >&2; exit 2", "").with("payload.json", payload);
    let ran = project.run(&["fire", "PreToolUse", "--payload", "payload.json", "--yes"]).code(10);
    assert!(ran.stdout.len() < 40_000, "{} bytes", ran.stdout.len());
    ran.says("cut off here").says("stderr    300");
}

#[test]
fn a_payload_can_come_from_standard_input() {
    let project = guarded("cursor", "exit 2", "");
    let mut child = command(&project.root(), &project.home())
        .args(["fire", "beforeShellExecution", "--payload", "-", "--yes", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let payload = br#"{"conversation_id":"c-1","command":"git push","cwd":"/w"}"#;
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), payload).unwrap();
    let document = Ran::of(child.wait_with_output().unwrap()).code(10).json();
    let stdin: serde_json::Value = serde_json::from_str(document["hooks"][0]["stdin"].as_str().unwrap()).unwrap();
    assert_eq!(stdin["command"], "git push");
    assert_eq!(stdin["conversation_id"], "c-1");
}

#[test]
fn payloads_that_are_no_payloads_are_refused() {
    let deep = format!("{}1{}", "{\"a\":".repeat(200), "}".repeat(200));
    let project = guarded("claude", "exit 0", "")
        .with("array.json", "[]")
        .with("broken.json", "{")
        .with("bytes.json", b"{\"a\":\"\xff\"}")
        .with("deep.json", deep);
    for (file, why) in [
        ("array.json", "not a JSON object"),
        ("broken.json", "not a JSON object"),
        ("bytes.json", "not UTF-8"),
        ("deep.json", "too deep"),
        ("missing.json", "cannot read"),
        (".claude", "folder"),
    ] {
        project.run(&["fire", "PreToolUse", "--payload", file, "--yes"]).code(2).complains(why);
    }
}

#[test]
fn an_option_without_a_use_is_named() {
    let project = guarded("claude", "exit 0", "");
    project.run(&["fire", "Stop", "--prompt", "hello"]).code(0).says("ignored: --prompt");
}

/// What an invocation has beside the program, of a hook that may write variables for later shell commands.
#[test]
fn surroundings_are_shown_and_what_a_hook_writes_for_later_commands_too() {
    let text = r#"{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"echo 'export A=b' >>\"$CLAUDE_ENV_FILE\""}]}]}}"#;
    let project = Project::new().with(".claude/settings.json", text);
    let asked = ["--vendor", "claude"];
    let planned = project.run(&[&["fire", "SessionStart", "--dry-run", "--json"], &asked[..]].concat()).code(0).json();
    let invocation = &planned["hooks"][0]["invocation"];
    assert_eq!(invocation["env_base"], "current", "{invocation}");
    assert_eq!(invocation["session_file"]["variable"], "CLAUDE_ENV_FILE");
    assert_eq!(invocation["session_file"]["reach"], "shell");
    let folders: Vec<_> = invocation["cwd_else"].as_array().unwrap().iter().collect();
    assert_eq!(folders[folders.len() - 2..], ["<home>", "<temp>"]);
    let ran = project.run(&[&["fire", "SessionStart", "--json", "--yes"], &asked[..]].concat()).code(0).json();
    assert_eq!(ran["shell"], "export A=b\n");
    let words = project.run(&[&["fire", "SessionStart", "--yes"], &asked[..]].concat()).code(0);
    words.says("or in").says("CLAUDE_ENV_FILE names a file").says("Before later shell commands").says("export A=b");

    let project = Project::new()
        .with(".codex/hooks.json", r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}"#);
    let planned = project.run(&["fire", "PreToolUse", "--json", "--vendor", "codex"]).json();
    let invocation = &planned["hooks"][0]["invocation"];
    assert_eq!(invocation["env_base"], "session-start");
    assert!(invocation["env_scrub"].as_array().unwrap().iter().any(|name| name == "OPENAI_IDENTITY_TOKEN_FILE"));
}

#[test]
fn background_hooks_have_no_say() {
    let project = guarded("claude", "exit 2", r#","async":true"#);
    let document = project.run(&["fire", "PreToolUse", "--command", "ls", "--yes", "--json"]).code(0).json();
    assert_eq!(document["hooks"][0]["background"], true);
    assert_eq!(document["decision"]["action"], "no-opinion");
}

/// Every event of every vendor can be fired with nothing said about what happened.
#[test]
fn every_event_of_every_vendor_can_be_fired() {
    let project = Project::new();
    for adapter in crosshook::adapters() {
        let vendor = adapter.vendor().to_string();
        for event in adapter.events() {
            let ran = project.run(&["fire", event.name, "--vendor", &vendor]);
            let expected = if event.boundary.is_some() { 0 } else { 2 };
            assert_eq!(ran.code, expected, "{vendor} {}: {}{}", event.name, ran.stdout, ran.stderr);
        }
    }
}

/// `--explain`: rule by rule for each answer, who said each part of the decision, and what folding dropped.
#[test]
fn a_firing_is_explained_with_file_and_line_of_each_part() {
    let deny = |reason: &str| {
        format!(
            r#"echo '{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"{reason}"}}}}'"#
        )
    };
    let rewrite = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls"}}}'"#;
    let project = Project::new()
        .with("first.sh", deny("first"))
        .with("second.sh", deny("second"))
        .with("third.sh", rewrite)
        .with(
            ".codex/hooks.json",
            "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[\n{\"type\":\"command\",\"command\":\"sh first.sh\"},\n{\"type\":\"command\",\"command\":\"sh second.sh\"},\n{\"type\":\"command\",\"command\":\"sh third.sh\"}]}]}}",
        );
    let line = ["fire", "PreToolUse", "--vendor", "codex", "--command", "rm -rf build", "--yes", "--explain"];
    // Codex, section 14: the first deny that is declared leads; a deny drops a rewrite.
    project
        .run(&line)
        .code(10)
        .says("How they were folded")
        .says("the first declared")
        .says("first (.codex/hooks.json:2)")
        .says("second (.codex/hooks.json:3)")
        .says("What the host makes of it")
        .says("one JSON object on standard output is read as an answer");
    let document = project.run(&[&line[..], &["--json"]].concat()).code(10).json();
    let explanation = &document["explanation"];
    assert_eq!(explanation["leads"], ".codex/hooks.json:2");
    assert_eq!(explanation["answers"].as_array().unwrap().len(), 3);
    let dropped = explanation["dropped"].as_array().unwrap();
    let lost = dropped.iter().find(|lost| lost["what"].as_str().unwrap().starts_with("another input")).unwrap();
    assert_eq!((&lost["by"], &lost["why"]), (&".codex/hooks.json:4".into(), &"the action is denied".into()));
    let parts = explanation["parts"].as_array().unwrap();
    assert!(parts.iter().any(|part| part["text"] == "first" && part["by"] == ".codex/hooks.json:2"), "{parts:?}");
}

#[test]
fn a_payload_names_its_event() {
    let payload = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"}}"#;
    let project = guarded("claude", "exit 0", "").with("payload.json", payload);
    project.run(&["fire", "--payload", "payload.json", "--dry-run"]).code(0).says("events: PreToolUse");
    project.run(&["fire"]).code(2).complains("PreToolUse").complains("not said what shall be fired");
}
