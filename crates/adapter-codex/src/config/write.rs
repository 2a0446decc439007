//! What `hooks.json` and `[hooks]` can say, and writing a group with one handler into it: what carrying definitions over from other
//! formats needs.

use hooks_core::definition::Place;
use hooks_core::document::{Node, SyntaxError};
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::facts::{EventFacts, SubjectFact};
use hooks_core::handler::{Background, Handler, HandlerKind};
use hooks_core::matcher::convert::mcp::NameForm;
use hooks_core::matcher::convert::{Language, Regex};
use hooks_core::source::Syntax;
use hooks_core::translate::side::json_tree;
use hooks_core::translate::{ClientTool, ConfigFacts, ConfigSide, Folder, Keys, NewDefinition, ProjectRoot, ToolKind};
use hooks_core::{HostSide as _, RawJson, Version};
use serde::Serialize;

use super::keys::{self, HandlerType};
use super::toml_tree;
use crate::Adapter;

/// The tools that fire hooks (section 8.3). Files are read and searched with the shell, and the web is searched by a
/// hosted tool without hooks.
static TOOLS: &[ClientTool] = &[
    ClientTool::usual(&["Bash"], &[ToolKind::Shell]),
    ClientTool::usual(
        &["apply_patch", "Write", "Edit"],
        &[ToolKind::Write, ToolKind::Edit, ToolKind::Patch, ToolKind::Delete],
    ),
    ClientTool::usual(&["spawn_agent", "Agent"], &[ToolKind::Subagent]),
    ClientTool::usual(&["update_plan"], &[]),
];

/// What `hooks.json` can say.
static FACTS: ConfigFacts = ConfigFacts {
    document: ".codex/hooks.json",
    beside: &[(".codex/config.toml", Syntax::Toml)],
    head: &[],
    language: Language { separators: &['|'], is_plain: |c| c.is_ascii_alphanumeric() || c == '_', regex: Regex::Rust },
    tools: TOOLS,
    otherwise: &[
        (
            &[ToolKind::Read, ToolKind::Glob, ToolKind::Grep, ToolKind::List],
            "with its shell, whose commands a hook on `Bash` gets",
        ),
        (&[ToolKind::WebSearch], "with a hosted tool, which fires no hooks"),
    ],
    agents: &[],
    folders: &[("PLUGIN_ROOT", Folder::Plugin), ("PLUGIN_DATA", Folder::PluginData)],
    // No variable says it (section 10).
    project_root: ProjectRoot::Repository("$(git rev-parse --show-toplevel 2>/dev/null || pwd)"),
    whole_seconds: true,
    keys: Keys {
        fail_closed: false,
        background: true,
        rewake: false,
        loop_limit: false,
        windows: true,
        args: false,
        shell: false,
        status_message: true,
        context_limit: true,
    },
    default_loop_limit: None,
    then: &[
        "Codex runs a project's hooks once they are trusted: start it in the project and say yes to the review of hooks, \
         or open `/hooks`. A changed hook is reviewed again.",
    ],
    evidence: Evidence::new(Basis::Observed, "client 0.171.0; project notes, sections 3.3, 6, 8.1 to 8.3 and 10"),
};

static NAMES: [NameForm; 1] = [NameForm { prefix: "mcp__", separator: Some("__"), folds: true }];

/// A group.
#[derive(Serialize)]
struct Group<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'a str>,
    hooks: [Entry<'a>; 1],
}

/// A handler, its keys in the order of section 3.3.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command_windows: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a RawJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<RawJson>,
    #[serde(rename = "async", skip_serializing_if = "Option::is_none")]
    background: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context_limit: Option<u64>,
}

impl ConfigSide for Adapter {
    fn config(&self) -> &'static ConfigFacts {
        &FACTS
    }

    fn tree(&self, syntax: Syntax, bytes: &[u8]) -> Result<Node, SyntaxError> {
        match syntax {
            Syntax::Toml => toml_tree::parse(bytes),
            _ => json_tree(self.vendor(), syntax, bytes),
        }
    }

    fn pointer(&self, place: &Place) -> String {
        format!("/hooks/{}/{}/hooks/{}", place.event, place.group, place.index)
    }

    fn server_tool_names(&self, event: &EventFacts) -> &'static [NameForm] {
        if event.subject == SubjectFact::ToolName { &NAMES } else { &[] }
    }

    fn runs(&self, _event: &EventFacts, kind: HandlerKind) -> bool {
        let known = |of: &HandlerType, version: Version| of.known.at(version) == Some(true);
        keys::handler_type(kind.as_str()).is_some_and(|of| of.runs && known(of, self.version()))
    }

    fn write(&self, new: &NewDefinition) -> String {
        let mut entry = Entry {
            kind: new.handler.kind().as_str(),
            timeout: new.timeout(),
            status_message: new.status_message.as_deref(),
            additional_context_limit: new.context_limit,
            ..Entry::default()
        };
        match &new.handler {
            Handler::Command(command) => {
                entry.command = Some(&command.command);
                entry.command_windows = command.windows.as_deref();
                entry.background = (command.background != Background::No).then_some(true);
            }
            Handler::McpTool(tool) => {
                entry.server = Some(&tool.server);
                entry.tool = Some(&tool.tool);
                entry.input = Some(&tool.input);
            }
            // Codex runs no other kinds: what is read back tells.
            _ => {}
        }
        serde_json::to_string(&Group { matcher: new.matcher.as_deref(), hooks: [entry] }).unwrap_or_default()
    }
}
