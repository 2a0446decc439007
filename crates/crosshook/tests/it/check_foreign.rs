//! What the checker knows of one vendor's words in another's file, and of hooks that stand in two files.

use serde_json::{Value, json};

use crate::support::Project;

const CURSOR: &str = ".cursor/hooks.json";
const CLAUDE: &str = ".claude/settings.json";
const CODEX: &str = ".codex/hooks.json";

fn told(project: &Project) -> Vec<Value> {
    let document = project.run(&["check", "--format", "json"]).json();
    document["diagnostics"].as_array().unwrap().clone()
}

fn word(told: &Value, key: &str) -> String {
    told[key].as_str().unwrap_or_default().to_owned()
}

/// The one diagnostic at a pointer.
#[track_caller]
fn at(project: &Project, pointer: &str) -> Value {
    let found: Vec<Value> = told(project).into_iter().filter(|told| word(told, "pointer") == pointer).collect();
    assert_eq!(found.len(), 1, "{pointer}: {found:#?}");
    found[0].clone()
}

fn file(vendor_file: &str, event: &str) -> String {
    let handler = json!({"type": "command", "command": "true"});
    let entry = if vendor_file == CURSOR { handler } else { json!({"hooks": [handler]}) };
    let mut file = json!({"hooks": {event: [entry]}});
    if vendor_file == CURSOR {
        file["version"] = json!(1);
    }
    file.to_string()
}

#[test]
fn an_event_of_another_vendor_is_named_with_what_this_one_has() {
    for (path, event, whose, help) in [
        (CURSOR, "UserPromptSubmit", "Claude Code and Codex", "`beforeSubmitPrompt`"),
        (CURSOR, "Notification", "Claude Code", "no event at that moment"),
        (CURSOR, "userPromptSubmitted", "GitHub Copilot", "`beforeSubmitPrompt`"),
        (CLAUDE, "beforeSubmitPrompt", "Cursor", "`UserPromptSubmit`"),
        (CLAUDE, "beforeShellExecution", "Cursor", "`PreToolUse`, with a matcher for `Bash`"),
        (CODEX, "TaskCompleted", "Claude Code", "no event at that moment"),
        (CODEX, "beforeSubmitPrompt", "Cursor", "`UserPromptSubmit`"),
    ] {
        let found = at(&Project::new().with(path, file(path, event)), &format!("/hooks/{event}"));
        assert!(word(&found, "code").ends_with("/unknown-event"), "{found}");
        assert!(word(&found, "message").contains(whose), "{event} in {path}: {}", found["message"]);
        assert!(word(&found, "help").contains(help), "{event} in {path}: {}", found["help"]);
    }
    // A name that is nobody's is nobody's.
    let found = at(&Project::new().with(CODEX, file(CODEX, "AfterSave")), "/hooks/AfterSave");
    assert!(!word(&found, "message").contains("event of"), "{found}");
}

#[test]
fn a_lost_guard_of_another_vendor_s_event_is_an_error() {
    let found = at(&Project::new().with(CODEX, file(CODEX, "beforeShellExecution")), "/hooks/beforeShellExecution");
    assert_eq!(found["severity"], "error");
}

#[test]
fn a_key_of_another_vendor_is_named_with_its_owner() {
    let entry = |more: Value| {
        let mut handler = json!({"type": "command", "command": "true"});
        handler.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        handler
    };
    let grouped = |more: Value| json!({"hooks": {"PreToolUse": [{"hooks": [entry(more)]}]}}).to_string();
    let flat = |more: Value| json!({"version": 1, "hooks": {"preToolUse": [entry(more)]}}).to_string();
    for (path, text, key, whose) in [
        (CLAUDE, grouped(json!({"failClosed": true})), "failClosed", "Cursor"),
        (CLAUDE, grouped(json!({"loop_limit": 1})), "loop_limit", "Cursor"),
        (CLAUDE, grouped(json!({"commandWindows": "x"})), "commandWindows", "Codex"),
        (CLAUDE, grouped(json!({"bash": "x"})), "bash", "GitHub Copilot"),
        (CODEX, grouped(json!({"if": "Bash(x)"})), "if", "Claude Code"),
        (CODEX, grouped(json!({"failClosed": true})), "failClosed", "Cursor"),
        (CURSOR, flat(json!({"onFailure": "block"})), "onFailure", "Claude Code"),
        (CURSOR, flat(json!({"additionalContextLimit": 1})), "additionalContextLimit", "Codex"),
    ] {
        let found = told(&Project::new().with(path, &text));
        let found: Vec<&Value> =
            found.iter().filter(|told| word(told, "pointer").ends_with(&format!("/{key}"))).collect();
        assert_eq!(found.len(), 1, "{text}: {found:#?}");
        assert!(word(found[0], "message").contains(whose), "{text}: {}", found[0]["message"]);
    }
    let found = at(&Project::new().with(CODEX, json!({"version": 1, "hooks": {}}).to_string()), "/version");
    assert!(word(&found, "message").contains("Cursor"), "{found}");
}

#[test]
fn a_time_limit_under_another_name_is_carried_over_in_seconds() {
    let text = json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true", "timeoutSec": 20}]}]}});
    let found = told(&Project::new().with(CLAUDE, text.to_string()));
    let found = found.iter().find(|told| word(told, "pointer").ends_with("/timeoutSec")).unwrap();
    assert!(!found["edits"].as_array().unwrap().is_empty(), "{found}");
}

#[test]
fn a_tool_of_another_vendor_is_told_once_a_matcher() {
    let claude = |matcher: &str| {
        let handler = json!({"type": "command", "command": "true"});
        json!({"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [handler, handler]}]}}).to_string()
    };
    let found = at(&Project::new().with(CLAUDE, claude("Shell")), "/hooks/PreToolUse/0/matcher");
    assert!(word(&found, "message").contains("Cursor"), "{found}");
    assert_eq!(found["severity"], "error");
    for fine in ["Bash|Shell", "Bash", "mcp__x__.*", "Bash|SomethingNew"] {
        let found = told(&Project::new().with(CLAUDE, claude(fine)));
        assert!(!found.iter().any(|told| told["code"] == "crosshook/foreign-tool"), "{fine}: {found:#?}");
    }
    let cursor = |matcher: &str| {
        json!({"version": 1, "hooks": {"preToolUse": [{"command": "true", "matcher": matcher}]}}).to_string()
    };
    for dead in ["Bash", "run_terminal_cmd"] {
        at(&Project::new().with(CURSOR, cursor(dead)), "/hooks/preToolUse/0/matcher");
    }
    let found = told(&Project::new().with(CURSOR, cursor("Edit|Write|Bash|Shell")));
    assert!(!found.iter().any(|told| told["code"] == "crosshook/foreign-tool"), "{found:#?}");
}

#[test]
fn the_form_of_copilot_s_hooks_is_known() {
    let entry = json!({"type": "command", "bash": "./gate.sh", "timeoutSec": 5});
    let project = Project::new().with(CURSOR, json!({"version": 1, "hooks": {"preToolUse": [entry]}}).to_string());
    let found = at(&project, "/hooks/preToolUse/0");
    assert!(word(&found, "message").contains("Copilot"), "{found}");
    // One fault, told once.
    assert!(!told(&project).iter().any(|told| word(told, "pointer").ends_with("/bash")));
}

#[test]
fn one_hook_in_two_files_is_told_where_both_are_read() {
    let cursor = json!({"version": 1, "hooks": {"preToolUse": [{"command": "sh ./a.sh"}]}}).to_string();
    let claude = |command: &str| {
        let handler = json!({"type": "command", "command": command});
        json!({"hooks": {"PreToolUse": [{"hooks": [handler]}]}}).to_string()
    };
    let project =
        |command: &str| Project::new().with("a.sh", "#!/bin/sh\n").with(CURSOR, &cursor).with(CLAUDE, claude(command));
    let twice = |project: &Project| told(project).iter().filter(|it| it["code"] == "crosshook/same-hook-twice").count();
    assert_eq!(twice(&project("sh \"$CLAUDE_PROJECT_DIR\"/a.sh")), 1);
    assert_eq!(twice(&project("sh \"$CLAUDE_PROJECT_DIR\"/b.sh")), 0);
    let toml = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"true\"\n";
    let json = json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}).to_string();
    assert_eq!(twice(&Project::new().with(CODEX, json).with(".codex/config.toml", toml)), 1);
}

#[test]
fn hooks_in_a_file_that_nobody_reads_are_told() {
    let text = file(CLAUDE, "Stop");
    let found = told(&Project::new().with(".claude/hooks.json", &text));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["code"], "crosshook/file-nobody-reads");
    for other in ["{}", "{\"hooks\": {\"onSave\": []}}", "not json"] {
        assert_eq!(told(&Project::new().with(".claude/hooks.json", other)), Vec::<Value>::new());
    }
}

/// A plugin with the server `db` and one hook; what is told of the plugin, as the code and the pointer.
fn of_plugin(servers: &str, manifest: &Value, event: &str, group: &Value) -> Vec<Value> {
    let project = Project::new()
        .with("p/.claude-plugin/plugin.json", manifest.to_string())
        .with("p/.mcp.json", servers)
        .with("p/hooks/hooks.json", json!({"hooks": {event: [group]}}).to_string());
    let document = project.run(&["check", "--format", "json", "p"]).json();
    let told = document["diagnostics"].as_array().unwrap().clone();
    told.into_iter().filter(|told| word(told, "code") == "crosshook/plugin-server-name").collect()
}

#[test]
fn a_plugin_s_own_server_has_a_longer_name() {
    let servers = r#"{"mcpServers": {"db": {"command": "x"}}}"#;
    let manifest = json!({"name": "mine"});
    let command = json!({"type": "command", "command": "true"});
    let with = |matcher: &str, handler: &Value| json!({"matcher": matcher, "hooks": [handler, command]});
    let of = |matcher: &str, handler: &Value| of_plugin(servers, &manifest, "PreToolUse", &with(matcher, handler));
    for matcher in ["mcp__db__.*", "Bash|mcp__db__query", "^mcp__db__query$", "^(mcp__db__q|mcp__db__r)$"] {
        let found = of(matcher, &json!({"type": "command", "command": "false"}));
        assert_eq!(found.len(), 1, "{matcher}: {found:#?}");
        assert_eq!(found[0]["pointer"], "/hooks/PreToolUse/0/matcher");
        assert!(word(&found[0], "message").contains("mcp__plugin_mine_db__"), "{}", found[0]);
        assert_eq!(found[0]["edits"].as_array().unwrap().len(), 1, "{}", found[0]);
    }
    let found = of("mcp__.*", &json!({"type": "command", "command": "true", "if": "mcp__db__query"}));
    assert_eq!((found.len(), &found[0]["pointer"]), (1, &json!("/hooks/PreToolUse/0/hooks/0/if")));
    let found = of("Bash", &json!({"type": "mcp_tool", "server": "db", "tool": "check"}));
    assert_eq!((found.len(), &found[0]["pointer"]), (1, &json!("/hooks/PreToolUse/0/hooks/0/server")));
    assert!(word(&found[0], "help").contains("`plugin:mine:db`"), "{}", found[0]);

    // Other servers, and those that take the long name as well.
    for matcher in ["mcp__dbs__.*", "mcp__plugin_mine_db__.*", "mcp__db__.*|mcp__plugin_mine_db__.*", "mcp__.*", "*"] {
        assert_eq!(of(matcher, &command), Vec::<Value>::new(), "{matcher}");
    }
    for handler in [
        json!({"type": "mcp_tool", "server": "plugin:mine:db", "tool": "check"}),
        json!({"type": "command", "command": "true", "if": "mcp__plugin_mine_db__query"}),
    ] {
        assert_eq!(of("mcp__.*", &handler), Vec::<Value>::new(), "{handler}");
    }
    // The event's matcher is over something else.
    assert_eq!(of_plugin(servers, &manifest, "SessionStart", &with("mcp__db__.*", &command)), Vec::<Value>::new());
    // Servers in the manifest, or in a file that it names.
    for manifest in [
        json!({"name": "mine", "mcpServers": {"db": {"command": "x"}}}),
        json!({"name": "mine", "mcpServers": "./.mcp.json"}),
    ] {
        let servers = if manifest["mcpServers"].is_string() { servers } else { "{}" };
        assert_eq!(of_plugin(servers, &manifest, "PreToolUse", &with("mcp__db__.*", &command)).len(), 1, "{manifest}");
    }
    for servers in ["{}", "[", r#"{"mcpServers": []}"#, r#"{"mcpServers": {"d b": {}}}"#] {
        let found = of_plugin(servers, &manifest, "PreToolUse", &with("mcp__db__.*", &command));
        assert_eq!(found, Vec::<Value>::new(), "{servers}");
    }
}
