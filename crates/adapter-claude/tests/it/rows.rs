//! The case list row by row, as far as a row is about one document, one matcher, or one answer. Ids are the list's; rows that
//! other tests and the vectors hold are named in `docs/decisions/claude-cases.md`.

use std::sync::Arc;

use adapter_claude::{Adapter, VENDOR};
use hooks_conformance::{Given, sample};
use hooks_core::adapter::{DecodePolicy, Subject};
use hooks_core::definition::{FailurePolicy, State};
use hooks_core::effects::{Effect, Special, Verdict, reduce};
use hooks_core::matcher::{Matched, Matcher, SubjectValue};
use hooks_core::outcome::{End, Outcome};
use hooks_core::settle::settle;
use hooks_core::source::{Origin, Plugin, Source, Syntax};
use hooks_core::{Binding, Envelope, HookEffects, HostSide};
use serde_json::{Value, json};

/// Section A: the id, the document, whether the file is rejected, and the live definitions.
#[test]
fn documents() {
    let good = json!({ "type": "command", "command": "x" });
    let hooks = |event: &str, groups: Value| json!({ "hooks": { event: groups } }).to_string();
    let handler = |event: &str, handler: Value| hooks(event, json!([{ "hooks": [handler] }]));
    let with = |key: &str, value: Value| {
        let mut handler = good.clone();
        handler[key] = value;
        handler
    };
    let beside = |event: &str, bad: Value| hooks(event, json!([{ "hooks": [bad, good] }]));
    let mut rows: Vec<(&str, String, bool, usize)> = vec![
        ("L001", r#"{"hooks":{}}"#.into(), false, 0),
        ("L002", r#"{"model":"x"}"#.into(), false, 0),
        ("L003", r#"{"hooks":null}"#.into(), false, 0),
        ("L003", r#"{"hooks":"x"}"#.into(), false, 0),
        ("L004", r#"{"hooks":[]}"#.into(), true, 0),
        ("L005", r#"{"hooks":{},}"#.into(), true, 0),
        ("L005", "{\n// no\n\"hooks\":{}}".into(), true, 0),
        ("L005", "{\"hooks\":".into(), true, 0),
        ("L006", format!("\u{feff}{}", handler("PreToolUse", good.clone())), false, 1),
        ("L006", handler("PreToolUse", good.clone()).replace('{', "{\r\n"), false, 1),
        (
            "L007",
            json!({ "hooks": { "BeforeTool": [{ "hooks": [good] }], "Stop": [{ "hooks": [good] }] } }).to_string(),
            false,
            1,
        ),
        ("L008", handler("preToolUse", good.clone()), false, 0),
        ("L009", hooks("PreToolUse", json!([{ "matcher": "Bash" }])), true, 0),
        ("L010", handler("PreToolUse", json!({ "command": "x" })), true, 0),
        ("L010", handler("PreToolUse", json!({ "type": "script", "command": "x" })), true, 0),
        ("L011", handler("PreToolUse", json!({ "type": "command" })), true, 0),
        ("L013", handler("PreToolUse", with("shell", json!("fish"))), true, 0),
        ("L016", hooks("PreToolUse", json!({ "matcher": "Bash" })), true, 0),
        ("L018", hooks("PreToolUse", Value::Null), false, 0),
        ("L019", beside("PostToolUse", json!({ "type": "command" })), false, 1),
        ("L020", hooks("PostToolUse", json!([{ "matcher": 5, "hooks": [good] }, { "hooks": [good] }])), false, 1),
        ("L021", json!({ "hooks": { "PostToolUse": {}, "Stop": [{ "hooks": [good] }] } }).to_string(), false, 1),
        ("L022", hooks("PostToolUse", json!(["x", { "hooks": [good] }])), false, 1),
        ("L023", beside("UserPromptSubmit", json!({ "type": "command" })), false, 1),
        ("L023", beside("PreModelSwitch", json!({ "type": "command" })), false, 1),
        ("L024", hooks("PreToolUse", json!([{ "zzz": 1, "hooks": [with("zzz", json!(1))] }])), false, 1),
        ("L025", hooks("PreToolUse", json!([{ "onFailure": "block", "hooks": [good] }])), false, 1),
        ("L026", handler("PreToolUse", with("command", json!(""))), false, 1),
        ("L027", hooks("PreToolUse", json!([{ "hooks": [] }])), false, 0),
        ("L028", handler("PreToolUse", with("timeout", json!(0.5))), false, 1),
        (
            "L029",
            handler("PreToolUse", json!({ "type": "mcp_tool", "server": "s", "tool": "t", "onFailure": "warn" })),
            false,
            1,
        ),
        ("L030", json!({ "hooks": { "hooks": { "PreToolUse": [{ "hooks": [good] }] } } }).to_string(), false, 0),
        ("L031", handler("SessionStart", json!({ "type": "prompt", "prompt": "p" })), false, 1),
        (
            "L033",
            format!(
                r#"{{"hooks":{{"PreToolUse":[{{"hooks":[{good},{good}]}}],"PreToolUse":[{{"hooks":[{good}]}}]}}}}"#
            ),
            false,
            1,
        ),
        ("L034", json!({ "cleanupPeriodDays": "x", "hooks": { "Stop": [{ "hooks": [good] }] } }).to_string(), true, 0),
    ];
    for value in [json!(0), json!(-1), json!("5")] {
        rows.push(("L012", handler("PreToolUse", with("timeout", value)), true, 0));
    }
    for (key, value) in [("async", json!("yes")), ("args", json!("x")), ("onFailure", json!("warn"))] {
        rows.push(("L014", handler("PreToolUse", with(key, value)), true, 0));
    }
    for value in [json!(5), Value::Null, json!(["Bash"])] {
        rows.push(("L015", hooks("PreToolUse", json!([{ "matcher": value, "hooks": [good] }])), true, 0));
    }
    for event in ["PermissionRequest", "PreSkillShellCommand"] {
        rows.push(("L017", handler(event, json!({ "type": "command" })), true, 0));
        rows.push(("L017", hooks(event, json!([{ "matcher": 5, "hooks": [good] }])), true, 0));
    }
    for (id, document, rejected, live) in rows {
        let source = Source::hooks(VENDOR, Origin::Project, Syntax::Json, "p", document.as_bytes());
        check(id, source, &document, rejected, live);
    }
    let events = json!({ "PreToolUse": [{ "hooks": [good] }] });
    for (id, document, rejected, live) in [
        ("L035", json!({ "description": "d", "hooks": events }).to_string(), false, 1),
        ("L036", events.to_string(), true, 0),
        ("L037", json!({ "zzz": 1, "hooks": events }).to_string(), false, 1),
        ("L038", beside("PostToolUse", json!({ "type": "command" })), false, 1),
        ("L039", beside("PreToolUse", json!({ "type": "command" })), true, 0),
        ("L040", format!("\u{feff}{}", json!({ "hooks": events })), true, 0),
    ] {
        let mut source = Source::hooks(VENDOR, Origin::Plugin, Syntax::Json, "hooks/hooks.json", document.as_bytes());
        source.plugin = Some(Plugin { name: "p".into(), root: "/p".into(), ..Plugin::default() });
        check(id, source, &document, rejected, live);
    }
}

fn check(id: &str, source: Source, document: &str, rejected: bool, live: usize) {
    let parsed = Adapter::latest().parse(&Arc::new(source));
    let found = parsed.definitions.iter().filter(|one| one.state == State::Live).count();
    assert_eq!((parsed.rejected, found), (rejected, live), "{id}: {document}: {:?}", parsed.diagnostics);
}

/// Section C: the id, the event, its subject, the matcher, and whether it takes it.
#[test]
fn matchers() {
    let rows: &[(&str, &str, &str, Option<&str>, bool)] = &[
        ("L059", "PreToolUse", "Bash", None, true),
        ("L059", "PreToolUse", "Bash", Some(""), true),
        ("L059", "PreToolUse", "Bash", Some("*"), true),
        ("L060", "PreToolUse", "Bash", Some("Bash"), true),
        ("L061", "PreToolUse", "Bash", Some("bash"), false),
        ("L062", "PreToolUse", "Bash", Some("Bas"), false),
        ("L063", "PreToolUse", "Bash", Some(" Bash "), true),
        ("L064", "PreToolUse", "Bash", Some("Edit|Bash"), true),
        ("L065", "PreToolUse", "Bash", Some("Edit, Bash"), true),
        ("L066", "PreToolUse", "Bash", Some("Edit|"), false),
        ("L067", "PreToolUse", "Bash", Some("   "), false),
        ("L068", "PreToolUse", "Bash", Some("Bash*"), true),
        ("L069", "PreToolUse", "Bash", Some("^Ba"), true),
        ("L069", "PreToolUse", "Bash", Some(".*"), true),
        ("L069", "PreToolUse", "Bash", Some("(?=B)"), true),
        ("L070", "PreToolUse", "Bash", Some("Edit|^Ba"), true),
        ("L071", "PreToolUse", "Bash", Some("Bash(echo *)"), false),
        ("L072", "PreToolUse", "Bash", Some("Bash("), false),
        ("L073", "PreToolUse", "Bash", Some("(?i)bash"), false),
        ("L073", "PreToolUse", "Bash", Some("(?P<x>Bash)"), false),
        ("L074", "PreToolUse", "mcp__srv__echo", Some("mcp__srv"), false),
        ("L075", "PreToolUse", "mcp__srv__echo", Some("mcp__srv__.*"), true),
        ("L075", "PreToolUse", "mcp__srv__echo", Some("mcp__srv__*"), true),
        ("L075", "PreToolUse", "mcp__srv__echo", Some("mcp__*"), true),
        ("L076", "PreToolUse", "mcp__srv__echo", Some("mcp__srv__echo"), true),
        ("L077", "PreToolUse", "mcp__srv__echo", Some("mcp__.*__echo"), true),
        ("L078", "PreToolUse", "mcp__srv__echo", Some("echo"), false),
        ("L079", "PreToolUse", "mcp__plugin_p_db__q", Some("mcp__db__.*"), false),
        ("L079", "PreToolUse", "mcp__plugin_p_db__q", Some("mcp__plugin_p_db__.*"), true),
        ("L081", "SessionStart", "startup", Some("startup|resume"), true),
        ("L082", "SessionStart", "startup", Some("start"), false),
        ("L082", "SessionStart", "startup", Some("Startup"), false),
        ("L083", "SubagentStop", "", Some("Explore"), false),
        ("L084", "SubagentStop", "", None, true),
        ("L084", "SubagentStop", "", Some("*"), true),
        ("L084", "SubagentStop", "", Some("^$"), true),
        ("L085", "SubagentStart", "code-reviewer", Some("code-reviewer"), true),
        ("L086", "SubagentStart", "my-plugin:reviewer", Some("^my-plugin:reviewer$"), true),
        ("L087", "StopFailure", "rate_limit", Some("rate_limit|overloaded"), true),
        ("L088", "StopFailure", "rate_limit", Some("rate_limit, overloaded"), false),
        ("L089", "PreModelSwitch", "claude-opus-4-5", Some("claude-opus-4-5"), true),
        ("L089", "PreModelSwitch", "claude-opus-4-5", Some("claude-.*"), true),
        ("L090", "PreModelSwitch", "claude-opus-4-5", Some("opus"), false),
        ("L090", "PreModelSwitch", "claude-opus-4-5", Some("claude-opus-4-5-20251101"), false),
        ("L094", "FileChanged", "b.txt", Some("b.txt"), true),
        ("L098", "PreSkillShellCommand", "Bash", Some("Bash"), true),
        ("L098", "PreSkillShellCommand", "Bash", Some("labskill"), false),
        ("L337", "UserPromptExpansion", "sk", Some("other"), false),
        ("L382", "PreCompact", "manual", Some("auto"), false),
        ("L444", "ConfigChange", "local_settings", Some("user_settings"), false),
    ];
    let adapter = Adapter::latest();
    for (id, event, subject, matcher, expected) in rows {
        let (compiled, _) = adapter.matcher(event, *matcher);
        let held = SubjectValue::One((*subject).into()).matched_by(&compiled);
        assert_eq!(held, Matched::of(*expected), "{id}: {matcher:?} on {subject}");
    }
    for event in [
        "Stop", // L092
        "UserPromptSubmit",
        "PostToolBatch",
        "TeammateIdle",
        "TaskCreated",
        "TaskCompleted",
        "WorktreeCreate",
        "WorktreeRemove",
        "CwdChanged",
        "MessageDisplay",
    ] {
        let (compiled, _) = adapter.matcher(event, Some("zzz"));
        assert!(matches!(compiled, Matcher::All), "L092, L093: {event}");
    }
    // L080: either name matches the tool, and the input has the newer one.
    let call =
        adapter.tool_call("Agent", &hooks_core::RawJson::parse(r#"{"description":"d","prompt":"p"}"#).expect("json"));
    assert_eq!(adapter.tool_names(&call), ["Agent", "Task"], "L080");
}

fn answer(event: &str, fields: Value) -> String {
    let mut nested = fields;
    nested["hookEventName"] = json!(event);
    json!({ "hookSpecificOutput": nested }).to_string()
}

/// Effects in short: `deny:R`, `halt:R`, `context:C` and so on, joined by `+`; `fail` first where the run failed.
fn short(effects: &HookEffects) -> String {
    let mut words: Vec<String> = Vec::new();
    if effects.failure.is_some() {
        words.push("fail".into());
    }
    for effect in &effects.effects {
        words.push(match effect {
            Effect::Verdict { verdict, reasons } if reasons.is_empty() => verdict.as_str().into(),
            Effect::Verdict { verdict, reasons } => format!("{}:{}", verdict.as_str(), reasons.join("|")),
            Effect::Notice(text) => format!("notice:{text}"),
            Effect::Context(text) => format!("context:{text}"),
            Effect::ReplaceInput(rewrite) => match &rewrite.call {
                Ok(_) => format!("input:{}", rewrite.raw.get()),
                Err(_) => "input-refused".into(),
            },
            Effect::ReplaceResult(_) => "result".into(),
            Effect::Halt(halt) => format!("halt:{}", halt.reason.as_deref().unwrap_or("-")),
            Effect::Continue(continuation) => format!("continue:{}", continuation.text),
            Effect::PermissionUpdate(_) => "update".into(),
            Effect::Unsupported(_) => continue,
            Effect::Special(Special::Interrupt) => "interrupt".into(),
            Effect::Special(special) => special.kind().into(),
            other => format!("{other:?}"),
        });
    }
    words.join("+")
}

fn occurrence(event: &str) -> Envelope {
    sample::envelope(&Adapter::latest(), event, &Given::default()).expect("an occurrence")
}

fn run(event: &str, stdout: &str, end: End, stderr: &str, closed: bool) -> HookEffects {
    let adapter = Adapter::latest();
    let mut definition = adapter.blank(event).expect("an event");
    definition.handler = hooks_core::Handler::Command(hooks_core::handler::CommandHandler {
        command: "cmd".into(),
        ..Default::default()
    });
    if closed {
        definition.failure = FailurePolicy::Closed;
    }
    let outcome = Outcome { stdout: stdout.into(), stderr: stderr.into(), ..Outcome::ended(end) };
    adapter.decode(&Binding::alone(definition), &occurrence(event), &outcome, DecodePolicy::default())
}

/// Sections E, F, H, K: the id, the event, what is printed, the exit code, standard error, and what it comes to.
#[test]
fn answers() {
    let pre = |fields: Value| answer("PreToolUse", fields);
    let own = |event: &'static str, fields: Value| (event, answer(event, fields));
    let block = r#"{"decision":"block","reason":"R"}"#;
    let stop = r#"{"continue":false,"stopReason":"S"}"#;
    let allow = pre(json!({ "permissionDecision": "allow" }));
    let deny = pre(json!({ "permissionDecision": "deny", "permissionDecisionReason": "R" }));
    let permit = |decision: Value| answer("PermissionRequest", json!({ "decision": decision }));
    let mut rows: Vec<(&str, &str, String, i32, &str, &str)> = Vec::new();
    let mut add = |id, event, stdout: &str, code, stderr, expected| {
        rows.push((id, event, stdout.to_owned(), code, stderr, expected))
    };

    for (id, stdout, code, stderr, expected) in [
        ("L114", "", 0, "", ""),
        ("L115", "hello", 0, "", ""),
        ("L116", "[1]", 0, "", ""),
        ("L116", "\"x\"", 0, "", ""),
        ("L116", "null", 0, "", ""),
        ("L117", "note {\"decision\":\"block\"}", 0, "", ""),
        ("L118", "{\"decision\":\"block\"", 0, "", ""),
        ("L119", "{bad}", 0, "", "fail"),
        ("L120", "{\"a\":1}\n{\"b\":2}", 0, "", ""),
        ("L121", "{\"a\":1}\n{\"decision\":\"block\"}", 0, "", "fail"),
        ("L122", " \n{\n \"decision\" : \"block\",\n \"reason\": \"R\"\n}\n ", 0, "", "deny:R"),
        ("L123", "{}", 0, "", ""),
        ("L124", r#"{"foo":1,"decision":"block","reason":"R"}"#, 0, "", "deny:R"),
        ("L125", r#"{"decision":"deny"}"#, 0, "", "fail"),
        ("L125", r#"{"decision":"allow"}"#, 0, "", "fail"),
        ("L125", r#"{"decision":"BLOCK"}"#, 0, "", "fail"),
        ("L126", r#"{"continue":"false"}"#, 0, "", "fail"),
        ("L127", r#"{"decision":"block","systemMessage":5}"#, 0, "", "fail"),
        ("L128", r#"{"hookSpecificOutput":{"permissionDecision":"deny"}}"#, 0, "", "fail"),
        ("L129", r#"{"hookSpecificOutput":{"hookEventName":"Bogus","permissionDecision":"deny"}}"#, 0, "", "fail"),
        (
            "L130",
            r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"deny"}}"#,
            0,
            "",
            "fail",
        ),
        (
            "L131",
            r#"{"decision":"block","reason":"R","hookSpecificOutput":{"hookEventName":"PostToolUse"}}"#,
            0,
            "",
            "deny:R",
        ),
        ("L133", r#"{"reason":"x"}"#, 0, "", ""),
        ("L134", r#"{"additionalContext":"x"}"#, 0, "", ""),
        ("L135", "", 2, "no", "deny:[cmd]: no"),
        ("L136", "", 2, "", "deny:[cmd]: No stderr output"),
        ("L137", "text", 2, "", "deny:[cmd]: No stderr output"),
        ("L138", allow.as_str(), 2, "no", "deny:[cmd]: no"),
        ("L139", deny.as_str(), 2, "no", "deny:R"),
        ("L140", "{bad}", 2, "no", "deny:[cmd]: no"),
        ("L140", r#"{"continue":"false"}"#, 2, "no", "deny:[cmd]: no"),
        ("L141", "", 1, "oops", "fail"),
        ("L142", deny.as_str(), 1, "", "deny:R"),
        ("L143", allow.as_str(), 1, "", "allow"),
        ("L144", r#"{"continue":"false"}"#, 1, "", "fail"),
        ("L145", "", 127, "not found", "fail"),
        ("L145", "", 126, "not executable", "fail"),
        ("L146", deny.as_str(), 137, "", "deny:R"),
        ("L148", "", 2, "can't open file 'missing.py'", "deny:[cmd]: can't open file 'missing.py'"),
        ("L150", "", 0, "warn", ""),
        ("L151", allow.as_str(), 0, "", "allow"),
        ("L157", deny.as_str(), 0, "", "deny:R"),
        ("L158", &pre(json!({ "permissionDecision": "deny" })), 0, "", "deny:Blocked by hook"),
        ("L159", &pre(json!({ "permissionDecision": "ask", "permissionDecisionReason": "R" })), 0, "", "ask:R"),
        ("L164", &pre(json!({ "permissionDecision": "defer" })), 0, "", "defer"),
        ("L167", &pre(json!({ "permissionDecision": "DENY" })), 0, "", "fail"),
        ("L167", &pre(json!({ "permissionDecision": "block" })), 0, "", "fail"),
        ("L168", block, 0, "", "deny:R"),
        ("L169", r#"{"decision":"block"}"#, 0, "", "deny:Blocked by hook"),
        ("L170", r#"{"decision":"approve"}"#, 0, "", "allow"),
        (
            "L171",
            r#"{"decision":"block","reason":"R","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}"#,
            0,
            "",
            "deny:R",
        ),
        (
            "L172",
            r#"{"decision":"approve","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"R"}}"#,
            0,
            "",
            "deny:R",
        ),
        ("L173", &pre(json!({ "updatedInput": { "command": "echo U" } })), 0, "", r#"input:{"command":"echo U"}"#),
        (
            "L174",
            &pre(json!({ "permissionDecision": "allow", "updatedInput": { "command": "echo U" } })),
            0,
            "",
            r#"allow+input:{"command":"echo U"}"#,
        ),
        ("L175", &pre(json!({ "updatedInput": "echo U" })), 0, "", "fail"),
        ("L176", &pre(json!({ "updatedInput": { "foo": 1 } })), 0, "", "input-refused"),
        ("L180", &pre(json!({ "additionalContext": "C" })), 0, "", "context:C"),
        (
            "L181",
            &pre(json!({ "permissionDecision": "deny", "permissionDecisionReason": "R", "additionalContext": "C" })),
            0,
            "",
            "deny:R+context:C",
        ),
        ("L182", &pre(json!({ "permissionDecision": "defer", "additionalContext": "C" })), 0, "", "defer"),
        ("L183", stop, 0, "", "halt:S"),
        ("L184", stop, 2, "no", "deny:[cmd]: no+halt:S"),
        ("L185", r#"{"systemMessage":"S"}"#, 0, "", "notice:S"),
        ("L186", r#"{"suppressOutput":true}"#, 0, "", ""),
        ("L284", r#"{"async":false}"#, 0, "", ""),
    ] {
        add(id, "PreToolUse", stdout, code, stderr, expected);
    }
    for (id, event, stdout, code, stderr, expected) in [
        ("L293", "PostToolUse", block, 0, "", "context:R"),
        ("L294", "PostToolUse", "", 2, "E", "context:[cmd]: E"),
        ("L295", "PostToolUse", "text", 0, "", ""),
        ("L296", "PostToolUse", "", 1, "E", "fail"),
        ("L302", "PostToolUse", stop, 0, "", "halt:S"),
        ("L303", "PostToolUse", r#"{"decision":"approve"}"#, 0, "", ""),
        ("L305", "PostToolUseFailure", block, 0, "", "context:R"),
        ("L306", "PostToolUseFailure", "", 2, "E", "context:[cmd]: E"),
        ("L308", "PostToolUseFailure", stop, 0, "", ""),
        ("L310", "PostToolBatch", block, 0, "", "halt:R"),
        ("L310", "PostToolBatch", "", 2, "E", "halt:[cmd]: E"),
        ("L310", "PostToolBatch", stop, 0, "", "halt:S"),
        ("L313", "Notification", "", 2, "E", ""),
        ("L317", "UserPromptSubmit", "C", 0, "", "context:C"),
        ("L318", "UserPromptSubmit", "[1]", 0, "", "context:[1]"),
        ("L319", "UserPromptSubmit", "C", 1, "", "fail"),
        ("L320", "UserPromptSubmit", "{bad}", 0, "", "fail"),
        ("L323", "UserPromptSubmit", block, 0, "", "halt:R"),
        ("L325", "UserPromptSubmit", r#"{"decision":"block"}"#, 0, "", "halt:Blocked by hook"),
        ("L326", "UserPromptSubmit", "", 2, "E", "halt:[cmd]: E"),
        ("L327", "UserPromptSubmit", stop, 0, "", "halt:S"),
        ("L328", "UserPromptSubmit", r#"{"decision":"approve"}"#, 0, "", ""),
        ("L330", "UserPromptSubmit", "", 2, "not found", "halt:[cmd]: not found"),
        ("L333", "UserPromptExpansion", "C", 0, "", "context:C"),
        ("L334", "UserPromptExpansion", block, 0, "", "halt:R"),
        ("L335", "UserPromptExpansion", "", 2, "E", "halt:[cmd]: E"),
        ("L336", "UserPromptExpansion", stop, 0, "", "halt:S"),
        ("L339", "SessionStart", "C", 0, "", "context:C"),
        ("L342", "SessionStart", "", 2, "E", "fail"),
        ("L343", "SessionStart", stop, 0, "", ""),
        ("L351", "SessionEnd", "", 2, "E", "fail"),
        ("L352", "SessionEnd", r#"{"systemMessage":"S"}"#, 0, "", ""),
        ("L353", "Stop", block, 0, "", "continue:R"),
        ("L354", "Stop", r#"{"decision":"block"}"#, 0, "", "continue:Blocked by hook"),
        ("L355", "Stop", "", 2, "E", "continue:[cmd]: E"),
        ("L356", "Stop", "", 2, "", "continue:[cmd]: No stderr output"),
        ("L360", "Stop", "text", 0, "", ""),
        ("L361", "Stop", r#"{"decision":"approve"}"#, 0, "", ""),
        ("L368", "StopFailure", block, 0, "", ""),
        ("L368", "StopFailure", "", 2, "E", ""),
        ("L370", "SubagentStart", "text", 0, "", ""),
        ("L372", "SubagentStop", block, 0, "", "continue:R"),
        ("L373", "SubagentStop", "", 2, "E", "continue:[cmd]: E"),
        ("L377", "SubagentStop", stop, 0, "", "halt:S"),
        ("L379", "PreCompact", block, 0, "", "halt:R"),
        ("L379", "PreCompact", "", 2, "E", "halt:[cmd]: E"),
        ("L380", "PreCompact", "P", 0, "", "context:P"),
        ("L381", "PreCompact", stop, 0, "", ""),
        ("L388", "PreModelSwitch", block, 0, "", "deny:R"),
    ] {
        add(id, event, stdout, code, stderr, expected);
    }
    for (id, event, stdout, code, stderr, expected) in [
        (
            "L359",
            "Stop",
            r#"{"continue":false,"stopReason":"S","decision":"block","reason":"R"}"#,
            0,
            "",
            "continue:R+halt:S",
        ),
        ("L371", "SubagentStart", block, 0, "", ""),
        ("L371", "SubagentStart", "", 2, "E", "fail"),
        ("L371", "SubagentStart", stop, 0, "", ""),
        ("L384", "PostCompact", "text", 0, "", ""),
        ("L389", "PreModelSwitch", "", 2, "E", "deny:[cmd]: E"),
        ("L390", "PreModelSwitch", "", 1, "E", "fail"),
        ("L393", "PreModelSwitch", stop, 0, "", ""),
        ("L395", "PostModelSwitch", "C", 0, "", "context:C"),
        ("L396", "PostModelSwitch", "", 2, "E", "fail"),
        ("L405", "PermissionRequest", block, 0, "", ""),
        ("L405", "PermissionRequest", r#"{"decision":"approve"}"#, 0, "", ""),
        ("L406", "PermissionRequest", "", 2, "E", ""),
        ("L410", "PermissionRequest", stop, 0, "", ""),
        ("L415", "PermissionDenied", "", 2, "E", ""),
        ("L418", "Setup", r#"{"systemMessage":"S"}"#, 0, "", ""),
        ("L418", "Setup", stop, 0, "", ""),
        ("L418", "Setup", "", 2, "E", ""),
        ("L420", "TeammateIdle", "", 2, "E", "continue:[cmd]: E"),
        ("L421", "TeammateIdle", stop, 0, "", "halt:S"),
        ("L423", "TaskCreated", block, 0, "", "deny:R"),
        ("L424", "TaskCreated", "", 2, "E", "deny:[cmd]: E"),
        ("L425", "TaskCreated", stop, 0, "", ""),
        ("L427", "TaskCreated", "text", 0, "", ""),
        ("L427", "TaskCreated", "text", 1, "", "fail"),
        ("L429", "TaskCompleted", "", 2, "E", "deny:[cmd]: E"),
        ("L430", "TaskCompleted", block, 0, "", "deny:R"),
        ("L431", "TaskCompleted", stop, 0, "", ""),
        ("L435", "Elicitation", "", 2, "E", "deny:[cmd]: E"),
        ("L437", "Elicitation", block, 0, "", "deny:R"),
        ("L438", "Elicitation", "text", 0, "", ""),
        ("L438", "Elicitation", "text", 1, "", "fail"),
        ("L440", "ElicitationResult", "", 2, "E", "deny:[cmd]: E"),
        ("L442", "ConfigChange", block, 0, "", "deny:R"),
        ("L442", "ConfigChange", "", 2, "E", "deny:[cmd]: E"),
        ("L445", "ConfigChange", "", 0, "", ""),
        ("L459", "InstructionsLoaded", "x", 2, "E", ""),
        ("L463", "CwdChanged", "", 2, "E", "fail"),
        ("L465", "FileChanged", "", 2, "E", "fail"),
        ("L471", "MessageDisplay", "", 2, "E", ""),
        ("L471", "MessageDisplay", block, 0, "", ""),
        ("L472", "PreSkillShellCommand", "", 0, "", ""),
        ("L473", "PreSkillShellCommand", block, 0, "", "deny:R"),
        ("L473", "PreSkillShellCommand", "", 2, "E", "deny:[cmd]: E"),
        ("L476", "PreSkillShellCommand", "", 1, "", "fail"),
        ("L476", "PreSkillShellCommand", "{bad}", 0, "", "fail"),
        ("L477", "PreSkillShellCommand", stop, 0, "", "halt:S"),
    ] {
        add(id, event, stdout, code, stderr, expected);
    }
    let rules = json!([{ "type": "addRules", "rules": [{ "toolName": "Bash" }], "behavior": "allow", "destination": "session" }]);
    for (id, (event, stdout), expected) in [
        ("L297", own("PostToolUse", json!({ "additionalContext": "C" })), "context:C"),
        ("L298", own("PostToolUse", json!({ "updatedToolOutput": { "stdout": "X", "stderr": "", "interrupted": false, "isImage": false } })), "result"),
        ("L299", own("PostToolUse", json!({ "updatedToolOutput": "X" })), ""),
        ("L300", own("PostToolUse", json!({ "updatedMCPToolOutput": "X" })), ""),
        ("L307", own("PostToolUseFailure", json!({ "additionalContext": "C" })), "context:C"),
        ("L311", own("PostToolBatch", json!({ "additionalContext": "C" })), "context:C"),
        ("L322", own("UserPromptSubmit", json!({ "additionalContext": "C", "sessionTitle": "T" })), "context:C+session-title"),
        ("L340", own("SessionStart", json!({ "additionalContext": "C" })), "context:C"),
        ("L341", own("SessionStart", json!({ "initialUserMessage": "M" })), "initial-user-message"),
        ("L358", own("Stop", json!({ "additionalContext": "C" })), "continue:C"),
        ("L369", own("SubagentStart", json!({ "additionalContext": "C" })), "context:C"),
        ("L374", own("SubagentStop", json!({ "additionalContext": "C" })), "continue:C"),
        ("L385", own("PreModelSwitch", json!({ "permissionDecision": "deny", "permissionDecisionReason": "R" })), "deny:R"),
        ("L386", own("PreModelSwitch", json!({ "permissionDecision": "ask", "permissionDecisionReason": "R" })), "ask:R"),
        ("L387", own("PreModelSwitch", json!({ "permissionDecision": "allow" })), "allow"),
        ("L398", ("PermissionRequest", permit(json!({ "behavior": "allow" }))), "allow"),
        ("L399", ("PermissionRequest", permit(json!({ "behavior": "allow", "updatedInput": { "command": "U" } }))), r#"allow+input:{"command":"U"}"#),
        ("L401", ("PermissionRequest", permit(json!({ "behavior": "deny", "message": "M" }))), "deny:M"),
        ("L402", ("PermissionRequest", permit(json!({ "behavior": "deny" }))), "deny:Permission denied by hook"),
        ("L403", ("PermissionRequest", permit(json!({ "behavior": "deny", "message": "M", "interrupt": true }))), "deny:M+interrupt+halt:M"),
        ("L404", ("PermissionRequest", permit(json!({ "behavior": "allow", "updatedPermissions": rules }))), "allow+update"),
        ("L408", own("PermissionRequest", json!({})), "fail"),
        ("L409", ("PermissionRequest", permit(json!({ "behavior": "ask" }))), "fail"),
        ("L409", ("PermissionRequest", permit(json!({ "behavior": "ALLOW" }))), "fail"),
        ("L418", own("Setup", json!({ "additionalContext": "C" })), ""),
        ("L434", own("Elicitation", json!({ "action": "decline" })), "elicitation-answer"),
        ("L434", own("Elicitation", json!({ "action": "cancel" })), "elicitation-answer"),
        ("L461", own("CwdChanged", json!({ "watchPaths": ["/abs/f"] })), "watch-paths"),
        ("L474", own("PreSkillShellCommand", json!({ "permissionDecision": "allow" })), "allow"),
        ("L475", own("PreSkillShellCommand", json!({ "updatedInput": { "command": "U" } })), "deny:A hook rewrote this command, which cannot be done here, so it was not run"),
        ("L324", ("UserPromptSubmit", r#"{"decision":"block","reason":"R","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","suppressOriginalPrompt":true}}"#.to_owned()), "halt:R+suppress-original-prompt"),
    ] {
        add(id, event, &stdout, 0, "", expected);
    }
    for word in ["deny", "ask", "defer"] {
        let stdout =
            answer("PreSkillShellCommand", json!({ "permissionDecision": word, "permissionDecisionReason": "R" }));
        add("L473", "PreSkillShellCommand", &stdout, 0, "", "deny:R");
    }
    let exit = permit(json!({ "behavior": "allow" }));
    add("L407", "PermissionRequest", &exit, 2, "E", "allow");
    add("L407", "PermissionRequest", &exit, 1, "E", "allow");
    let accept = answer("Elicitation", json!({ "action": "accept" }));
    add("L436", "Elicitation", &accept, 2, "E", "deny:[cmd]: E");
    add("L467", "DirectoryAdded", r#"{"systemMessage":"S"}"#, 0, "", "context:S");
    assert!(rows.len() > 190, "{} rows", rows.len());
    for (id, event, stdout, code, stderr, expected) in &rows {
        let effects = run(event, stdout, End::Exited(*code), stderr, false);
        assert_eq!(short(&effects), *expected, "{id}: {event} {stdout} {code}");
    }
    for event in ["PreToolUse", "UserPromptSubmit", "MessageDisplay"] {
        let effects = run(event, &deny, End::TimedOut, "", false);
        assert_eq!(short(&effects), "fail", "L149, L329, L471: {event}");
    }
    assert!(short(&run("PreModelSwitch", "", End::TimedOut, "", false)).starts_with("fail+deny:"), "L391");
    assert_eq!(
        short(&run("PreToolUse", "", End::FailedToStart("no such file".into()), "", false)),
        "fail",
        "L147, L276, L278"
    );
}

/// Section H, on a handler with `onFailure: "block"`.
#[test]
fn failures_that_block() {
    let allow = answer("PreToolUse", json!({ "permissionDecision": "allow" }));
    let deny = answer("PreToolUse", json!({ "permissionDecision": "deny", "permissionDecisionReason": "R" }));
    let not_found = || End::FailedToStart("no such file".into());
    for (id, event, stdout, end, begins) in [
        ("L217", "PreToolUse", "", End::Exited(1), "fail+deny:"),
        ("L218", "PreToolUse", allow.as_str(), End::Exited(1), "fail+allow+deny:"),
        ("L219", "PreToolUse", "text", End::Exited(0), ""),
        ("L220", "PreToolUse", "{bad}", End::Exited(0), "fail+deny:"),
        ("L220", "PreToolUse", r#"{"continue":"x"}"#, End::Exited(0), "fail+deny:"),
        ("L221", "PreToolUse", "", End::Exited(0), ""),
        ("L222", "PreToolUse", "", End::TimedOut, "fail+deny:"),
        ("L223", "PreToolUse", "", End::Exited(127), "fail+deny:"),
        ("L223", "PreToolUse", "", not_found(), "fail+deny:"),
        ("L224", "PreToolUse", deny.as_str(), End::Exited(0), "deny:R"),
        ("L225", "PermissionRequest", "", End::Exited(1), "fail+deny:"),
        ("L226", "UserPromptSubmit", "", End::TimedOut, "fail+halt:"),
        ("L227", "PostToolUse", "", End::Exited(1), "fail+context:"),
        ("L228", "PreCompact", "", End::Exited(1), "fail+halt:"),
        ("L229", "PreModelSwitch", "", End::Exited(1), "fail+deny:"),
        ("L230", "Stop", "", End::Exited(1), "fail"),
        ("L231", "SubagentStop", "", End::Exited(1), "fail"),
        ("L231", "TaskCompleted", "", End::Exited(1), "fail"),
        ("L231", "TeammateIdle", "", End::Exited(1), "fail"),
        ("L232", "SessionEnd", "", End::Exited(1), "fail"),
    ] {
        let said = short(&run(event, stdout, end, "", true));
        let fits = if begins.ends_with(':') { said.starts_with(begins) } else { said == begins };
        assert!(fits, "{id}: {event}: {said}");
    }
}

/// Section G: what several answers of one firing come to; each with its place in the order of finishing.
#[test]
fn several_hooks() {
    let adapter = Adapter::latest();
    let settled = |event: &str, answers: &[(&str, i32, u32)]| {
        let envelope = occurrence(event);
        let effects = answers.iter().zip(0..).map(|((stdout, code, finished), declared)| {
            let binding = Binding { declared, ..Binding::alone(adapter.blank(event).expect("an event")) };
            let outcome = Outcome { finished: *finished, ..Outcome::exited(*code, *stdout) };
            adapter.decode(&binding, &envelope, &outcome, DecodePolicy::default())
        });
        settle(reduce(effects.collect::<Vec<_>>()), adapter.merge_policy(envelope.boundary()), false)
    };
    let says = |word: &str, reason: &str| {
        answer("PreToolUse", json!({ "permissionDecision": word, "permissionDecisionReason": reason }))
    };
    let verdict = |one: (&str, i32), other: (&str, i32)| {
        settled("PreToolUse", &[(one.0, one.1, 0), (other.0, other.1, 1)]).verdict
    };
    let (allow, ask, defer, deny) = (says("allow", "A"), says("ask", "K"), says("defer", "F"), says("deny", "D"));
    for (id, one, other, expected) in [
        ("L189", &deny, &allow, Verdict::Deny),
        ("L189", &allow, &deny, Verdict::Deny),
        ("L190", &defer, &allow, Verdict::Defer),
        ("L190", &ask, &defer, Verdict::Defer),
        ("L191", &defer, &deny, Verdict::Deny),
        ("L192", &ask, &allow, Verdict::Ask),
    ] {
        assert_eq!(verdict((one, 0), (other, 0)), Some(expected), "{id}");
    }
    assert_eq!(verdict(("", 2), (&allow, 0)), Some(Verdict::Deny), "L193");
    assert_eq!(verdict(("", 1), (&allow, 0)), Some(Verdict::Allow), "L194");
    let two = settled("PreToolUse", &[(&says("deny", "D1"), 0, 1), (&says("deny", "D2"), 0, 0)]);
    assert_eq!(two.reasons[0].value, "D1", "L195");
    let update = |command: &str| answer("PreToolUse", json!({ "updatedInput": { "command": command } }));
    let input =
        |answers: &[(&str, i32, u32)]| settled("PreToolUse", answers).input.map(|said| said.value.raw.get().to_owned());
    let (first, second) = (update("U1"), update("U2"));
    assert_eq!(input(&[(&first, 0, 1), (&second, 0, 0)]).as_deref(), Some(r#"{"command":"U1"}"#), "L196");
    for later in ["", allow.as_str()] {
        assert_eq!(input(&[(&first, 0, 0), (later, 0, 1)]).as_deref(), Some(r#"{"command":"U1"}"#), "L197");
    }
    let denied = settled("PreToolUse", &[(&first, 0, 0), (&deny, 0, 1)]);
    assert!(denied.input.is_none() && denied.verdict == Some(Verdict::Deny), "L179, L198");
    let context = |text: &str| answer("PreToolUse", json!({ "additionalContext": text }));
    let said = settled("PreToolUse", &[(&context("C1"), 0, 1), (&context("C2"), 0, 0)]);
    assert_eq!(said.context.iter().map(|said| said.value.as_str()).collect::<Vec<_>>(), ["C2", "C1"], "L199");
    let both = settled("PreToolUse", &[(&context("C"), 0, 0), (&deny, 0, 1)]);
    assert_eq!((both.verdict, both.context.len()), (Some(Verdict::Deny), 1), "L200");
    let permit = |behavior: &str| answer("PermissionRequest", json!({ "decision": { "behavior": behavior } }));
    let first = |one: &str, other: &str| settled("PermissionRequest", &[(one, 0, 0), (other, 0, 1)]).verdict;
    assert_eq!(first(&permit("allow"), &permit("deny")), Some(Verdict::Allow), "L202");
    assert_eq!(first(&permit("deny"), &permit("allow")), Some(Verdict::Deny), "L203");
    let block = |reason: &str| json!({ "decision": "block", "reason": reason }).to_string();
    let stops = settled("Stop", &[(&block("R1"), 0, 0), (&block("R2"), 0, 1)]);
    assert_eq!(stops.continuations.len(), 2, "L204");
    let ends = settled("Stop", &[(&block("R"), 0, 0), (r#"{"continue":false}"#, 0, 1)]);
    assert!(ends.halt.is_some() && ends.continuations.is_empty(), "L205");
    let result = |text: &str| {
        answer("PostToolUse", json!({ "updatedToolOutput": { "stdout": text, "stderr": "", "interrupted": false } }))
    };
    let last = settled("PostToolUse", &[(&result("X"), 0, 1), (&result("Y"), 0, 0)]);
    let last = format!("{:?}", last.result.expect("a result").value);
    assert!(last.contains("\\\"X\\\"") || last.contains("\"X\""), "L206: {last}");
    let switch = |word: &str| answer("PreModelSwitch", json!({ "permissionDecision": word }));
    let three = settled("PreModelSwitch", &[(&switch("deny"), 0, 0), (&switch("ask"), 0, 1), (&switch("allow"), 0, 2)]);
    assert_eq!(three.verdict, Some(Verdict::Deny), "L207");
    let prompts = settled("UserPromptSubmit", &[("one", 0, 0), ("two", 0, 1)]);
    assert_eq!(prompts.context.len(), 2, "L321");
}

/// The event that an occurrence is one of, where the list says when an event is fired.
#[test]
fn subjects_and_firing() {
    let adapter = Adapter::latest();
    let failed = |kind| {
        let mut envelope = occurrence("PostToolUseFailure");
        if let hooks_core::Payload::ToolFailure(failed) = &mut envelope.payload {
            failed.kind = kind;
        }
        let event = adapter.event("PostToolUseFailure").expect("an event");
        matches!(adapter.subject(event, &envelope), Subject::Is(_))
    };
    use hooks_core::envelope::ToolFailureKind::{Cancelled, Denied, Error};
    assert!(failed(Error) && !failed(Denied) && !failed(Cancelled), "L309");
}

/// What a host must know to act on an answer as the client does: nobody to ask, an allow that is no more than a question
/// spared, a rewrite that its own rules are asked about, and what an event's input must say.
#[test]
fn what_the_host_is_told() {
    use hooks_core::envelope::{ConfigChanged, Payload};
    use hooks_core::{Action, HostProfile, SessionState, decide};
    let decided = |event: &str, stdout: &str, host: &HostProfile| {
        let adapter = Adapter::latest();
        let envelope = occurrence(event);
        let effects = run(event, stdout, End::Exited(0), "", false);
        let settled = settle(reduce([effects]), adapter.merge_policy(envelope.boundary()), false);
        decide(settled, envelope.boundary(), host, SessionState::default()).0
    };
    let pre = |fields: Value| answer("PreToolUse", fields);
    let mut headless = HostProfile::full();
    (headless.can_ask, headless.can_defer) = (false, false);
    let ask = pre(json!({ "permissionDecision": "ask", "permissionDecisionReason": "R" }));
    let refused = decided("PreToolUse", &ask, &headless);
    assert_eq!(refused.action, Action::Deny, "L160, L161");
    assert!(refused.to_model.iter().any(|said| said.value == "R"), "L160: the reason is the text");
    assert_eq!(decided("PreToolUse", &ask, &HostProfile::full()).action, Action::Ask, "L159");
    assert_eq!(
        decided("PreModelSwitch", &answer("PreModelSwitch", json!({ "permissionDecision": "ask" })), &headless).action,
        Action::Deny,
        "L386"
    );
    let allow = pre(json!({ "permissionDecision": "allow" }));
    assert_eq!(
        decided("PreToolUse", &allow, &headless).action,
        Action::Approve,
        "L152, L153: never more than the question spared"
    );
    let rewritten = decided("PreToolUse", &pre(json!({ "updatedInput": { "command": "U" } })), &headless);
    assert_eq!(rewritten.action, Action::NoOpinion, "L177, L178: the host's rules are asked about the new input");
    assert_eq!(rewritten.input.expect("an input").value.as_shell().map(|shell| shell.command.as_str()), Some("U"));
    let adapter = Adapter::latest();
    let encode = |event: &str, envelope: &Envelope| -> Value {
        let mut stdin = Vec::new();
        let binding = Binding::alone(adapter.blank(event).expect("an event"));
        adapter.encode(&binding, envelope, &mut stdin).expect("written");
        serde_json::from_slice(&stdin).expect("json")
    };
    let write = |path: &str| {
        let input = hooks_core::RawJson::from(&json!({ "file_path": path, "content": "x" }));
        let mut envelope = occurrence("PreToolUse");
        envelope.common.cwd = "/p".into();
        envelope.payload =
            Payload::ToolBefore(hooks_core::envelope::ToolUse { id: None, call: adapter.tool_call("Write", &input) });
        encode("PreToolUse", &envelope)["tool_input"]["file_path"].clone()
    };
    assert_eq!((write("a.txt"), write("/a.txt")), (json!("/p/a.txt"), json!("/a.txt")), "L188");
    let config = |source: &str| {
        let mut envelope = occurrence("ConfigChange");
        envelope.payload = Payload::ConfigChanged(ConfigChanged { source: source.into(), path: None });
        let binding = Binding::alone(adapter.blank("ConfigChange").expect("an event"));
        let outcome = Outcome::exited(0, r#"{"decision":"block"}"#);
        short(&adapter.decode(&binding, &envelope, &outcome, DecodePolicy::default()))
    };
    assert_eq!((config("policy_settings").as_str(), config("skills").as_str()), ("", "deny:Blocked by hook"), "L443");
    let mut stop = occurrence("Stop");
    if let Payload::TurnStop(stop) = &mut stop.payload {
        stop.loop_count = 2;
    }
    assert_eq!(encode("Stop", &stop)["stop_hook_active"], true, "L365");
    let mut envelope = occurrence("SessionStart");
    if let Payload::SessionStart(start) = &mut envelope.payload {
        start.source = Some("startup".into());
    }
    let mut definition = adapter.blank("SessionStart").expect("an event");
    let input = hooks_core::RawJson::parse("{}").expect("json");
    definition.handler = hooks_core::Handler::McpTool(hooks_core::handler::McpToolHandler {
        server: "s".into(),
        tool: "t".into(),
        input,
    });
    let tool = Binding::alone(definition.clone());
    assert!(adapter.encode(&tool, &envelope, &mut Vec::new()).is_err(), "L260");
    if let Payload::SessionStart(start) = &mut envelope.payload {
        start.source = Some("clear".into());
    }
    assert!(adapter.encode(&tool, &envelope, &mut Vec::new()).is_ok(), "it runs on later ones");
    for event in ["SessionStart", "Setup"] {
        let mut definition = adapter.blank(event).expect("an event");
        definition.handler = hooks_core::Handler::Http(hooks_core::handler::HttpHandler {
            url: "http://h/".into(),
            ..Default::default()
        });
        let not_run =
            adapter.encode(&Binding::alone(definition.clone()), &occurrence(event), &mut Vec::new()).expect_err("L251");
        let effects =
            adapter.decode(&Binding::alone(definition), &occurrence(event), &not_run.into(), DecodePolicy::default());
        assert!(effects.effects.is_empty(), "L251: {event}");
    }
}

/// Documents side by side.
#[test]
fn several_documents() {
    use hooks_core::activate::{AdmitAll, VendorSources};
    use hooks_core::{HostProfile, activate};
    let adapter = Arc::new(Adapter::latest());
    let parse = |origin: Origin, text: &str| {
        adapter.parse(&Arc::new(Source::hooks(VENDOR, origin, Syntax::Json, format!("{origin}"), text.as_bytes())))
    };
    let live = |documents| {
        let vendors = vec![VendorSources { adapter: adapter.clone(), documents }];
        let snapshot = activate(vendors, &HostProfile::full(), &AdmitAll).expect("a snapshot");
        snapshot.bindings().iter().map(|one| one.source.origin).collect::<Vec<_>>()
    };
    let hook = |command: &str| {
        json!({ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": command }] }] } }).to_string()
    };
    let both = vec![parse(Origin::Project, &hook("p")), parse(Origin::User, &hook("u"))];
    assert_eq!(live(both), [Origin::User, Origin::Project], "L052");
    let bad = vec![parse(Origin::User, "{bad"), parse(Origin::Project, &hook("p"))];
    assert_eq!(live(bad), [Origin::Project], "L032");
}

/// The result of a tool server's tool may be anything; the older field works for them alone.
#[test]
fn a_server_s_result_may_be_anything() {
    use hooks_core::envelope::{Payload, ToolReturned, ToolUse};
    use hooks_core::tool::{ResultKind, ToolResult};
    let adapter = Adapter::latest();
    let call = adapter.tool_call("mcp__s__t", &hooks_core::RawJson::parse("{}").expect("json"));
    let tool = ToolUse { id: None, call };
    let result = ToolResult::finished(ResultKind::Text("said".into()));
    let returned = ToolReturned { tool, result, duration_ms: None };
    let envelope = Envelope::new(hooks_core::Common::default(), Payload::ToolResult(returned));
    let binding = Binding::alone(adapter.blank("PostToolUse").expect("an event"));
    for field in [
        json!({ "updatedMCPToolOutput": "X" }),
        json!({ "updatedToolOutput": "X" }),
        json!({ "updatedToolOutput": { "a": [1] } }),
    ] {
        let outcome = Outcome::exited(0, answer("PostToolUse", field));
        let effects = adapter.decode(&binding, &envelope, &outcome, DecodePolicy::default());
        assert_eq!(short(&effects), "result", "L301");
    }
}
