//! `explain` as a process. What answers mean stands in the vendors' pages; each case names the section. That every
//! vector's answer is explained as the vector expects is a test of the module itself.

use std::process::Stdio;

use serde_json::Value;

use crate::support::{Project, Ran, command};

const ASK: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}"#;

/// The one explanation of a run.
fn one(ran: &Ran) -> Value {
    let document = ran.json();
    let all = document["explanations"].as_array().unwrap();
    assert_eq!(all.len(), 1, "{document}");
    all[0].clone()
}

fn statuses(explained: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let fields = explained["fields"].as_array().unwrap();
    fields.iter().map(|field| (text(&field["path"]), text(&field["status"]))).collect()
}

#[test]
fn exit_code_2_denies_before_a_tool_and_says_how_that_is_known() {
    // Claude Code's page, exit codes; Cursor's page, exit codes; Codex, section 10.
    for (vendor, event) in [("claude", "PreToolUse"), ("cursor", "beforeShellExecution"), ("codex", "PreToolUse")] {
        let project = Project::new();
        let line = ["explain", "--vendor", vendor, "--event", event, "--exit", "2", "--stderr", "not here"];
        let ran = project.run(&line).code(0).says("Decision: DENY").says("exit code 2 denies what is pending");
        ran.says("known from").says("the call is not made").says("A strict host does the same");
        let explained = one(&project.run(&[&line[..], &["--json"]].concat()).code(0));
        assert_eq!(explained["decision"]["action"], "deny", "{vendor}");
        assert_eq!(explained["exit_code"], 10);
        assert_eq!(explained["strict_decision"], Value::Null);
        let facts = crosshook::adapter(vendor).unwrap().event(event).unwrap().evidence;
        let rules = explained["rules"].as_array().unwrap();
        assert!(rules.len() >= 3, "{rules:?}");
        for rule in rules {
            assert_eq!(rule["evidence"]["source"], facts.source);
            assert_eq!(rule["evidence"]["basis"], facts.basis.as_str());
        }
    }
}

#[test]
fn one_answer_to_all_vendors_side_by_side() {
    // Claude Code asks; Codex, 11.3: asking fails the run; Cursor's permission hooks, 7.8: no decision denies, and
    // `preToolUse` does not enforce asking.
    let project = Project::new();
    let line = ["explain", "--vendor", "claude", "--event", "PreToolUse", "--all-vendors", "--stdout-text", ASK];
    let document = project.run(&[&line[..], &["--json"]].concat()).code(0).json();
    let actions: Vec<(String, String)> = document["explanations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["event"].as_str().unwrap().to_owned(), one["decision"]["action"].as_str().unwrap().to_owned()))
        .collect();
    let expected = [
        ("preToolUse", "no-opinion"),
        ("beforeShellExecution", "deny"),
        ("beforeMCPExecution", "deny"),
        ("beforeReadFile", "deny"),
        ("PreToolUse", "ask"),
        ("PreToolUse", "no-opinion"),
    ];
    assert_eq!(actions, expected.map(|(event, action)| (event.to_owned(), action.to_owned())));
    for columns in ["80", "120", "200"] {
        let output = command(&project.root(), &project.home()).args(line).env("COLUMNS", columns).output().unwrap();
        let ran = Ran::of(output).code(0).says("FAILS OPEN").says("beforeShellExecution").says("DENY").says("ASK");
        let width: usize = columns.parse().unwrap();
        for line in ran.stdout.lines() {
            assert!(line.chars().count() <= width, "{columns}: {line}");
            assert_eq!(line.trim_end(), line, "{columns}");
        }
    }
}

#[test]
fn fields_are_told_one_by_one_with_whose_they_are() {
    let project = Project::new();
    let answer = r#"{"permission":"allow","user_message":"x","followup_message":"go on","permissionDecision":"deny","made_up":1}"#;
    let line = ["explain", "--vendor", "cursor", "--event", "preToolUse", "--stdout-text", answer];
    let explained = one(&project.run(&[&line[..], &["--json"]].concat()).code(0));
    let expected = [
        ("permission", "taken"),
        ("user_message", "ignored"),
        ("followup_message", "unsupported"),
        ("permissionDecision", "unknown"),
        ("made_up", "unknown"),
    ];
    assert_eq!(statuses(&explained), expected.map(|(path, status)| (path.to_owned(), status.to_owned())));
    // First design, first amendment: what is undocumented and asks for something denies what is pending.
    assert_eq!(explained["decision"]["action"], "deny");
    let of = explained["fields"][2]["of"].as_array().unwrap();
    assert!(of.iter().any(|owner| owner["vendor"] == "cursor" && owner["event"] == "stop"), "{of:?}");
    project.run(&line).code(0).says("Field by field").says("it is shown with a denial only");
}

#[test]
fn what_is_dropped_is_told_with_the_reason() {
    // Claude Code: a deny drops the rewritten input.
    let answer = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",
        "permissionDecisionReason":"no","updatedInput":{"command":"ls"}}}"#;
    let project = Project::new();
    let line = ["explain", "--vendor", "claude", "--event", "PreToolUse", "--stdout-text", answer];
    let explained = one(&project.run(&[&line[..], &["--json"]].concat()).code(0));
    let dropped = explained["dropped"].to_string();
    assert!(dropped.contains("another input") && dropped.contains("the action is denied"), "{dropped}");
    assert_eq!(explained["sees"]["model"][0], "no");
    let input =
        explained["fields"].as_array().unwrap().iter().find(|field| field["channel"] == "replacement-input").unwrap();
    assert_eq!(input["status"], "taken");
    assert!(input["why"].as_str().unwrap().ends_with("dropped then: the action is denied"), "{input}");
}

#[test]
fn a_failed_guard_fails_open_and_a_strict_host_closes_it() {
    for (vendor, event, closes) in
        [("cursor", "beforeShellExecution", true), ("claude", "PreToolUse", true), ("codex", "PreToolUse", false)]
    {
        let project = Project::new();
        for end in [&["--timed-out"][..], &["--exit", "1"], &["--signal", "9"], &["--failed-to-start"]] {
            let line = [&["explain", "--vendor", vendor, "--event", event, "--json"], end].concat();
            let explained = one(&project.run(&line).code(0));
            assert_eq!(explained["fails_open"], true, "{vendor} {end:?}");
            assert_eq!(explained["strict_decision"]["action"], "deny", "{vendor} {end:?}");
            let strict = one(&project.run(&[&line[..], &["--strict"]].concat()).code(0));
            assert_eq!((&strict["decision"]["action"], &strict["fails_open"]), (&"deny".into(), &false.into()));
            if closes {
                let closed = one(&project.run(&[&line[..], &["--fail-closed"]].concat()).code(0));
                assert_eq!(closed["decision"]["action"], "deny", "{vendor} {end:?}");
            }
        }
        // To cut off and to cancel are the host's doing, and block for every vendor.
        for end in ["--cut-off", "--cancelled"] {
            let line = ["explain", "--vendor", vendor, "--event", event, "--json", end];
            assert_eq!(one(&project.run(&line).code(0))["decision"]["action"], "deny", "{vendor} {end}");
        }
    }
}

/// Codex, section 10: exit code 2 without a text is a failed run. Claude Code's page: it blocks.
#[test]
fn exit_code_2_without_a_word_is_told_apart() {
    let project = Project::new();
    let codex = ["explain", "--vendor", "codex", "--event", "PreToolUse", "--exit", "2"];
    project.run(&codex).code(0).says("without a word on standard error it is a failed run").says("FAILS OPEN");
    let claude = ["explain", "--vendor", "claude", "--event", "PreToolUse", "--exit", "2"];
    let ran = project.run(&claude).code(0).says("Decision: DENY");
    assert!(!ran.stdout.contains("failed run"), "{}", ran.stdout);
}

#[test]
fn older_clients_are_told_of_and_can_be_asked_about() {
    // Claude Code's changelog, 2.1.214: exit code 2 beside JSON that cannot be read blocks since then.
    let project = Project::new();
    let line =
        ["explain", "--vendor", "claude", "--event", "PreToolUse", "--exit", "2", "--stdout-text", r#"{"decision":5}"#];
    project.run(&line).code(0).says("Decision: DENY").says("Other clients").says("2.1.214");
    let older = [&line[..], &["--vendor-version", "2.1.213"]].concat();
    project.run(&older).code(0).says("client 2.1.213").says("Decision: NO OPINION");
    project
        .run(&["explain", "--event", "PreModelRequest", "--vendor", "codex", "--vendor-version", "0.142.0"])
        .code(2)
        .complains("has no event PreModelRequest")
        .complains("0.166.0");
    project.run(&["explain", "--event", "Stop", "--vendor-version", "2.1.0"]).code(2).complains("VENDOR=VERSION");
    project.run(&["explain", "--event", "Stop", "--vendor-version", "claude=99.0.0"]).code(2).complains("99.0.0");
    project
        .run(&["explain", "--event", "Stop", "--vendor", "claude", "--vendor-version", "x"])
        .code(2)
        .complains("1.2.3");
}

#[test]
fn the_answer_comes_from_files_and_pipes_and_the_occurrence_from_a_payload() {
    let payload = r#"{"session_id":"s","transcript_path":"/t","cwd":"/w","permission_mode":"default",
        "hook_event_name":"PreToolUse","tool_name":"Write","tool_use_id":"t1",
        "tool_input":{"file_path":"/w/a.txt","content":"x"}}"#;
    let answer = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow",
        "updatedInput":{"file_path":"/w/b.txt","content":"x"}}}"#;
    let project = Project::new().with("payload.json", payload).with("answer.json", answer).with("err.txt", "words");
    let line = ["explain", "--vendor", "claude", "--payload", "payload.json", "--stdout", "answer.json", "--json"];
    let explained = one(&project.run(&line).code(0));
    assert_eq!((&explained["event"], &explained["decision"]["action"]), (&"PreToolUse".into(), &"approve".into()));
    assert_eq!(explained["decision"]["input"]["file_path"], "/w/b.txt", "{explained}");
    project
        .run(&["explain", "--vendor", "claude", "--event", "PreToolUse", "--exit", "2", "--stderr", "@err.txt"])
        .code(0)
        .says("words");
    let mut child = command(&project.root(), &project.home())
        .args(["explain", "--vendor", "claude", "--event", "PreToolUse", "--stdout", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), ASK.as_bytes()).unwrap();
    assert_eq!(one(&Ran::of(child.wait_with_output().unwrap()).code(0))["decision"]["action"], "ask");
    // A payload of one boundary says nothing about an event of another.
    let other = ["explain", "--vendor", "claude", "--event", "Stop", "--payload", "payload.json"];
    project.run(&other).code(2).complains("tool.before").complains("turn.stop");
}

#[test]
fn every_event_of_a_vendor_can_be_asked_about_at_once() {
    let project = Project::new();
    for (vendor, count) in [("cursor", 21), ("claude", 34), ("codex", 14)] {
        let document = project.run(&["explain", "--vendor", vendor, "--exit", "2", "--json"]).code(0).json();
        assert_eq!(document["explanations"].as_array().unwrap().len(), count, "{vendor}");
        project.run(&["explain", "--vendor", vendor, "--stdout-text", "{}"]).code(0).says("It means nothing on");
    }
}

#[test]
fn arguments_that_do_not_fit_are_refused_with_a_way_out() {
    let project = Project::new().with("payload.json", r#"{"hook_event_name":"Stop"}"#).with("array.json", "[]");
    let refused = |args: &[&str]| project.run(&[&["explain"], args].concat()).code(2);
    refused(&[]).complains("--event");
    refused(&["--event", "pretooluse"]).complains("`PreToolUse` (claude, codex)");
    refused(&["--event", "Stop", "--vendor", "nobody"]).complains("cursor");
    refused(&["--event", "Stop", "--vendor", "claude", "--tool", "Bash"]).complains("about no tool");
    refused(&["--event", "Stop", "--exit", "1", "--timed-out"]).complains("cannot be used with");
    refused(&["--event", "Stop", "--stdout", "missing.json"]).complains("cannot read");
    refused(&["--all-vendors"]).complains("--event");
    refused(&["payload.json"]).complains("no record").complains("--payload");
    refused(&["array.json"]).complains("no record");
    refused(&["missing.json"]).complains("cannot read");
    refused(&["--event", "Stop", "--payload", "array.json", "--vendor", "claude"]).complains("payload");
}

#[test]
fn what_a_hook_printed_never_reaches_a_terminal_raw() {
    let project = Project::new().with("answer", b"{\"permission\":\"\x1b[31mdeny\",\"\\u202e\":\"\\u0007\"}\xff");
    for vendor in ["cursor", "claude", "codex"] {
        for extra in [&["--exit", "0"][..], &["--exit", "2"], &["--cut-off"]] {
            let line = [
                &[
                    "explain",
                    "--vendor",
                    vendor,
                    "--stdout",
                    "answer",
                    "--stderr",
                    "\u{1b}]0;x\u{7}",
                    "--color",
                    "never",
                ],
                extra,
            ];
            let ran = project.run(&line.concat()).code(0);
            assert!(!ran.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{:?}", ran.stdout);
        }
    }
}

#[test]
fn colour_is_for_terminals() {
    let project = Project::new();
    let line = ["explain", "--vendor", "codex", "--event", "Stop", "--exit", "1"];
    assert!(!project.run(&line).code(0).stdout.contains('\u{1b}'));
    assert!(project.run(&[&line[..], &["--color", "always"]].concat()).code(0).stdout.contains('\u{1b}'));
}

fn explained(vendor: &str, event: &str, more: &[&str]) -> Value {
    let line = [&["explain", "--vendor", vendor, "--event", event, "--json"], more].concat();
    one(&Project::new().run(&line).code(0))
}

fn rules(explained: &Value) -> Vec<(String, bool)> {
    let rules = explained["rules"].as_array().unwrap().iter();
    rules.map(|rule| (rule["rule"].as_str().unwrap().to_owned(), rule["evidence"].is_null())).collect()
}

/// Evidence stands beside what is known of the vendor, and beside nothing that was given, that the host does, or that
/// follows.
#[test]
fn only_what_is_known_of_a_vendor_has_evidence() {
    let of = |vendor, event, more: &[&str]| rules(&explained(vendor, event, more));
    let pair = |id: &str, bare: bool| (id.to_owned(), bare);
    let crash = of("claude", "PreToolUse", &["--exit", "1"]);
    assert_eq!(
        crash,
        [pair("event", false), pair("exit-code", false), pair("failure-policy", true), pair("outcome", true)]
    );
    let cut = of("claude", "PreToolUse", &["--cut-off"]);
    assert!(cut.contains(&pair("cut-off", true)) && !cut.iter().any(|(id, _)| id == "failure-policy"), "{cut:?}");
    assert!(of("codex", "PreToolUse", &["--cancelled"]).contains(&pair("cancelled", true)));
}

/// Codex, section 2: there is no fail-closed setting. Claude Code's page, section 9.6: `onFailure` is ignored on `Stop`.
#[test]
fn a_setting_that_changes_nothing_is_not_named() {
    for (vendor, event) in [("codex", "PreToolUse"), ("claude", "Stop")] {
        for extra in [&["--exit", "1"][..], &["--exit", "1", "--fail-closed"]] {
            let explained = explained(vendor, event, extra);
            let rules = explained["rules"].to_string();
            assert!(rules.contains("nothing in a hook's definition makes this failure block"), "{vendor}: {rules}");
        }
    }
    let rules = explained("claude", "PreToolUse", &["--exit", "1"])["rules"].to_string();
    assert!(rules.contains("the hook's definition does not say"), "{rules}");
    // Cursor's page, exit codes: an answer off the schema blocks whatever `failClosed` says.
    let rules = explained("cursor", "beforeShellExecution", &["--stdout-text", "x"])["rules"].to_string();
    assert!(rules.contains("whatever the hook's definition says") && !rules.contains("does not say"), "{rules}");
}

/// The field of another vendor is what a hook that was carried over prints: it is dropped, and what to print is said.
#[test]
fn another_vendors_denial_is_dropped_and_answered_with_what_to_print() {
    for (vendor, event, answer, own) in [
        ("claude", "PreToolUse", r#"{"permission":"deny"}"#, "permissionDecision"),
        ("codex", "PreToolUse", r#"{"permission":"deny"}"#, "permissionDecisionReason"),
        ("claude", "PreToolUse", "no!", "permissionDecision"),
        ("codex", "PreToolUse", r#"{"decision":"block"}"#, "permissionDecisionReason"),
        ("cursor", "stop", r#"{"permission":"deny"}"#, "followup_message"),
    ] {
        let explained = explained(vendor, event, &["--stdout-text", answer]);
        let instead = explained["instead"].as_str().unwrap_or_else(|| panic!("{vendor} {answer}: {explained}"));
        assert!(instead.contains(own), "{vendor} {answer}: {instead}");
        // What is told to print does what it says.
        let printed =
            instead.split_once("print ").and_then(|(_, rest)| rest.rsplit_once(" and exit with 0")).unwrap().0;
        let again = self::explained(vendor, event, &["--stdout-text", printed]);
        assert_ne!(again["decision"], explained["decision"], "{vendor} {answer}: {printed}");
        assert!(again["failure"].is_null() && again["instead"].is_null(), "{vendor}: {again}");
    }
    let foreign = explained("claude", "PreToolUse", &["--stdout-text", r#"{"permission":"deny"}"#]);
    assert!(foreign["dropped"].to_string().contains("cursor's"), "{foreign}");
    let well = explained("claude", "PreToolUse", &["--exit", "2", "--stderr", "no"]);
    assert!(well["instead"].is_null());
}

/// Names that are nearly right, and fields in the wrong place.
#[test]
fn a_field_that_was_meant_is_named() {
    // Cursor's page, section 3.1: the names were in camel case once.
    let cursor =
        explained("cursor", "beforeShellExecution", &["--stdout-text", r#"{"permission":"deny","userMessage":"x"}"#]);
    assert!(cursor["fields"].to_string().contains("did you mean `user_message`?"), "{cursor}");
    // Claude Code's page, section 9.2: `additionalContext` at the top is a key that nobody reads.
    let claude = explained("claude", "PreToolUse", &["--stdout-text", r#"{"additionalContext":"x"}"#]);
    assert!(claude["fields"].to_string().contains("`hookSpecificOutput.additionalContext`"), "{claude}");
}

/// Codex, 11.3: nothing else of an answer counts beside a field that is not supported.
#[test]
fn nothing_is_taken_of_an_answer_that_failed() {
    let answer = r#"{"systemMessage":"hello","hookSpecificOutput":{"hookEventName":"PermissionRequest",
        "decision":{"behavior":"deny","interrupt":true}}}"#;
    let explained = explained("codex", "PermissionRequest", &["--stdout-text", answer]);
    let expected = [
        // 11.2: it is emitted first, also when the run fails for another reason.
        ("systemMessage", "taken"),
        ("hookSpecificOutput", "unsupported"),
        ("hookSpecificOutput.hookEventName", "ignored"),
        ("hookSpecificOutput.decision", "unsupported"),
        ("hookSpecificOutput.decision.behavior", "ignored"),
        ("hookSpecificOutput.decision.interrupt", "unsupported"),
    ];
    assert_eq!(statuses(&explained), expected.map(|(path, status)| (path.to_owned(), status.to_owned())));
    assert!(explained["fields"][1]["why"].as_str().unwrap().contains("see below"), "{explained}");
}

/// Cursor has commands and prompts, Codex commands and tools: a run of another kind is no answer of theirs.
#[test]
fn a_handler_that_a_vendor_does_not_run_is_named() {
    for (vendor, event, end) in
        [("codex", "PreToolUse", &["--http", "200"][..]), ("cursor", "preToolUse", &["--tool-answer"])]
    {
        let rules = explained(vendor, event, end)["rules"].to_string();
        assert!(rules.contains("runs no handler of type"), "{vendor}: {rules}");
    }
    let claude = explained("claude", "PreToolUse", &["--http", "200", "--stdout-text", "{}"])["rules"].to_string();
    assert!(!claude.contains("runs no handler") && claude.contains("in the body"), "{claude}");
}

#[test]
fn a_host_that_cannot_ask_is_told_apart() {
    let project = Project::new().with("host.json", r#"{"can_ask": false}"#);
    let line = ["explain", "--vendor", "claude", "--event", "PreToolUse", "--stdout-text", ASK, "--json"];
    assert_eq!(one(&project.run(&line).code(0))["decision"]["action"], "ask");
    let hosted = [&line[..], &["--host", "host.json"]].concat();
    assert_eq!(one(&project.run(&hosted).code(0))["decision"]["action"], "deny");
    project.run(&[&line[..], &["--host", "ful"]].concat()).code(2).complains("did you mean `full`?");
}

/// Codex, section 10; Claude Code's page, exit codes; Cursor's page, 3.2: a run that fails makes nothing go on. What goes
/// on is the end of the turn, in the same words for each vendor.
#[test]
fn on_a_stop_that_fails_the_turn_ends() {
    for (vendor, event, what) in [
        ("claude", "Stop", "the turn ends"),
        ("cursor", "stop", "the turn ends"),
        ("codex", "Stop", "the turn ends"),
        ("claude", "SubagentStop", "the subagent ends"),
        ("cursor", "subagentStop", "the subagent ends"),
        ("claude", "PreToolUse", "the call goes on"),
        ("cursor", "beforeSubmitPrompt", "the prompt goes on"),
    ] {
        let line = ["explain", "--vendor", vendor, "--event", event, "--exit", "1"];
        let ran = Project::new().run(&line).code(0);
        ran.says(&format!("so {what} as if there were no hook: it fails open"))
            .says(&format!("FAILS OPEN: the hook did not do its work, and {what}."));
    }
    // What the host cuts off makes it go on: its end is held back.
    let cut = explained("claude", "Stop", &["--cut-off"]);
    assert_eq!((&cut["fails_open"], &cut["exit_code"]), (&false.into(), &14.into()), "{cut}");
    assert!(cut["rules"].to_string().contains("it fails closed"), "{cut}");
}

/// A field of another vendor asks for nothing; Cursor's page: `preToolUse` takes `ask` and does not enforce it.
#[test]
fn what_asking_means_is_told_of_an_events_own_field() {
    for vendor in ["claude", "codex"] {
        let explained = explained(vendor, "PreToolUse", &["--stdout-text", r#"{"permission":"ask"}"#]);
        assert!(!rules(&explained).iter().any(|(id, _)| id == "ask"), "{vendor}: {explained}");
    }
    assert!(rules(&explained("claude", "PreToolUse", &["--stdout-text", ASK])).iter().any(|(id, _)| id == "ask"));
    let cursor = explained("cursor", "preToolUse", &["--stdout-text", r#"{"permission":"ask"}"#]);
    assert_eq!(statuses(&cursor), [("permission".to_owned(), "unsupported".to_owned())]);
    // Codex, 11.3: an allow needs another input.
    let allow = ASK.replace("ask", "allow");
    let codex = explained("codex", "PreToolUse", &["--stdout-text", &allow]);
    assert!(codex["dropped"].to_string().contains("`updatedInput`"), "{codex}");
}

/// Claude Code's page, 9.1: an answer begins with `{` and ends with `}`, all else is text.
#[test]
fn what_only_begins_like_json_is_told_as_text() {
    for printed in [r#"{"decision":"block""#, "[1]", "{\"decision\":\"block\"}\nbye"] {
        let explained = explained("claude", "PreToolUse", &["--stdout-text", printed]);
        assert!(explained["failure"].is_null(), "{explained}");
        assert!(explained["rules"].to_string().contains("taken for plain text"), "{explained}");
        assert!(rules(&explained).contains(&("plain-stdout".to_owned(), false)), "{explained}");
    }
}

/// Claude Code's page, exit codes: standard error of these is for the person alone.
#[test]
fn standard_error_that_the_person_sees_is_told() {
    let shown = explained("claude", "SessionStart", &["--exit", "2", "--stderr", "not today"]);
    assert!(shown["sees"]["person"].to_string().contains("not today"), "{shown}");
    assert!(!shown["rules"].to_string().contains("goes nowhere"), "{shown}");
}

#[test]
fn the_host_is_told_of_each_part_of_a_decision() {
    let context = r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"x"}}"#;
    for (vendor, event, printed, duty) in [
        ("claude", "PostToolUse", context, "beside the tool's result"),
        ("claude", "WorktreeCreate", "/tmp/tree", "Use the path as the worktree"),
        ("claude", "Stop", r#"{"systemMessage":"x"}"#, "Show the texts to the person"),
    ] {
        let explained = explained(vendor, event, &["--stdout-text", printed]);
        let host = explained["host"].as_str().unwrap();
        assert!(host.contains(duty) && !host.contains("as if there were no hooks"), "{event}: {host}");
    }
    assert_eq!(explained("claude", "Stop", &[])["host"], "Go on as if there were no hooks.");
}

#[test]
fn an_event_of_another_vendor_is_answered_with_the_events_of_the_same_moment() {
    let project = Project::new();
    let refused = |args: &[&str]| project.run(&[&["explain"], args].concat()).code(2);
    refused(&["--vendor", "cursor", "--event", "UserPromptSubmit"]).complains("`beforeSubmitPrompt`");
    refused(&["--vendor", "codex", "--event", "stop"]).complains("--vendor cursor").complains("`Stop`");
}

/// Claude Code's page, UserPromptSubmit: a blocked prompt is erased from the context; with `continue` false it stays.
#[test]
fn what_becomes_of_a_refused_prompt_is_told() {
    for (printed, fate) in [
        (r#"{"decision":"block","reason":"no"}"#, "stop the prompt, which is erased: no"),
        (r#"{"continue":false,"stopReason":"no"}"#, "stop the prompt, which stays in the history: no"),
    ] {
        let explained = explained("claude", "UserPromptSubmit", &["--stdout-text", printed]);
        assert!(explained["means"].to_string().contains(fate), "{explained}");
    }
}
