//! What the tests of this room share: sides, definitions and made-up matchers.

use std::sync::Arc;

use crosshook::translate::side;
use crosshook::{Definition, Origin, Source, Syntax};
use hooks_core::translate::{Carried, ConfigSide};
use proptest::prelude::*;

/// Every pair of vendors.
pub(super) const PAIRS: [(&str, &str); 6] = [
    ("cursor", "claude"),
    ("cursor", "codex"),
    ("claude", "cursor"),
    ("claude", "codex"),
    ("codex", "cursor"),
    ("codex", "claude"),
];

pub(super) fn of(vendor: &str) -> Arc<dyn ConfigSide> {
    side(vendor).expect("a built-in vendor")
}

/// The vendor's event before any tool.
pub(super) fn before_tools(vendor: &str) -> &'static str {
    if vendor == "cursor" { "preToolUse" } else { "PreToolUse" }
}

/// A document with one command on an event.
pub(super) fn document(vendor: &str, event: &str, matcher: Option<&str>, command: &str) -> String {
    let matcher = matcher.map_or(String::new(), |text| format!("\"matcher\": {}, ", serde_json::json!(text)));
    let command = serde_json::json!(command);
    if vendor == "cursor" {
        format!(r#"{{"version": 1, "hooks": {{"{event}": [{{{matcher}"command": {command}}}]}}}}"#)
    } else {
        format!(r#"{{"hooks": {{"{event}": [{{{matcher}"hooks": [{{"type": "command", "command": {command}}}]}}]}}}}"#)
    }
}

/// What a vendor reads from a project's document.
pub(super) fn read(vendor: &str, text: &str) -> Vec<Definition> {
    let side = of(vendor);
    let path = side.config().document;
    let source = Source::hooks(side.vendor().clone(), Origin::Project, Syntax::Json, path, text.as_bytes());
    side.parse(&Arc::new(source)).definitions
}

pub(super) fn definition(vendor: &str, event: &str, matcher: Option<&str>) -> Definition {
    let text = document(vendor, event, matcher, "./hook.sh");
    read(vendor, &text).pop().unwrap_or_else(|| panic!("nothing is read from {text}"))
}

/// The codes of what was found, for messages.
pub(super) fn found(carried: &Carried) -> Vec<&'static str> {
    carried.findings.iter().map(|finding| finding.code.id).collect()
}

pub(super) fn has(carried: &Carried, codes: &[&str]) -> bool {
    carried.findings.iter().any(|finding| codes.contains(&finding.code.id))
}

/// Codes that say that more may be selected.
pub(super) const WIDER: &[&str] = &[
    "tools-wider",
    "matcher-widened",
    "server-not-seen",
    "name-folded",
    "command-not-seen",
    "event-wider",
    "selection-wider",
];

/// Names of tools as people write them: of all vendors, misspelt ones, and those of tool servers.
const NAMES: &[&str] = &[
    "Bash",
    "Shell",
    "Read",
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "apply_patch",
    "Delete",
    "Grep",
    "Glob",
    "Task",
    "Agent",
    "spawn_agent",
    "WebFetch",
    "WebSearch",
    "StrReplace",
    "TodoWrite",
    "bash",
    "Custom",
    "mcp__memory__create",
    "mcp__memory",
    "mcp__git_hub__get_issue",
    "mcp__my-srv__do-it",
    "mcp__plugin_tools_memory__create",
    "mcp__git__hub__get_issue",
    "mcp__a.b__x.y",
    "MCP:create",
    "MCP:get_issue",
    "MCP:x.y",
];

/// Servers and tools that calls are tried with.
pub(super) const SERVERS: &[&str] =
    &["memory", "git_hub", "my-srv", "other", "mem", "plugin_tools_memory", "git__hub", "a.b"];
pub(super) const TOOLS: &[&str] =
    &["create", "get_issue", "do-it", "Bash", "overWrite", "creates", "x.y", "hub__get_issue"];

/// A matcher as people write it, and as nobody does.
pub(super) fn matcher() -> impl Strategy<Value = String> {
    let name = proptest::sample::select(NAMES);
    let names = proptest::collection::vec(name, 1..4);
    let wild = prop_oneof![
        Just("mcp__.*".to_owned()),
        Just("mcp__.+".to_owned()),
        Just("mcp__memory__.*".to_owned()),
        Just("^mcp__.*__create$".to_owned()),
        Just("mcp__(memory|other)__.*".to_owned()),
        Just("mcp__.*__get_.*".to_owned()),
        Just("mcp__mem".to_owned()),
        Just("MCP:".to_owned()),
        Just("MCP:.*".to_owned()),
        Just("^MCP:cre.*".to_owned()),
        Just("^(?!Read$).*".to_owned()),
        Just("^(?!Read|Grep)".to_owned()),
        Just("^(?!mcp__)".to_owned()),
        Just("^(?!MCP:)".to_owned()),
        Just("^(?!mcp__memory__)".to_owned()),
        Just("Edit$".to_owned()),
        Just("^Write".to_owned()),
        Just("[A-Z]\\w+".to_owned()),
        Just("(?:Write|Edit).*".to_owned()),
        Just(".*".to_owned()),
        Just("*".to_owned()),
        Just(String::new()),
        Just("B?ash".to_owned()),
        Just("mcp__[a-z_]+create".to_owned()),
        Just("(".to_owned()),
        Just("(?i)bash|shell".to_owned()),
        Just("(?i:write)".to_owned()),
        Just("Bash|".to_owned()),
        Just("|Bash".to_owned()),
        Just("(?:Bash|)".to_owned()),
        Just("(?=Bash|Shell)".to_owned()),
        Just("(?!.*Read)".to_owned()),
        Just("(?<!multi)Edit$".to_owned()),
        Just("^(?!Bash$|Shell$|mcp__).+$".to_owned()),
        Just("^(?!.*__create$)".to_owned()),
        Just("^.*$".to_owned()),
        Just("^".to_owned()),
        Just(".".to_owned()),
        Just("\\bBash\\b".to_owned()),
        Just("^mcp__plugin_.*".to_owned()),
        Just("mcp__git__.*".to_owned()),
        Just("^mcp__[^_]+__".to_owned()),
        Just("mcp__a\\.b__.*".to_owned()),
        Just("mcp__.*(create|delete).*".to_owned()),
        Just("MCP:(?:create|get_.*)$".to_owned()),
        Just("^(Bash|mcp__memory__create)$".to_owned()),
        Just("Bash(rm *)".to_owned()),
        Just(" Bash ".to_owned()),
        Just("\\S+".to_owned()),
    ];
    prop_oneof![
        names.clone().prop_map(|names| names.join("|")),
        names.clone().prop_map(|names| format!("^({})$", names.join("|"))),
        names.clone().prop_map(|names| format!("^(?:{})$", names.join("|"))),
        names.clone().prop_map(|names| names.join(", ")),
        names.clone().prop_map(|names| names.join(" | ")),
        names.clone().prop_map(|names| format!("(?i)^({})$", names.join("|"))),
        names.clone().prop_map(|names| format!("^(?!({})$)", names.join("|"))),
        names.prop_map(|names| format!("^{}", names.join("$|^"))),
        wild.clone(),
        (wild, proptest::sample::select(NAMES)).prop_map(|(wild, name)| format!("{wild}|^{name}$")),
    ]
}
