//! What a settings file can say, and writing a group with one handler into it: what carrying definitions over from other
//! formats needs.

use std::collections::BTreeMap;

use hooks_core::boundary::Boundary;
use hooks_core::definition::{FailurePolicy, Place};
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::facts::{EventFacts, SubjectFact};
use hooks_core::handler::{Background, Handler, HandlerKind, Shell};
use hooks_core::json::RawJson;
use hooks_core::matcher::convert::mcp::NameForm;
use hooks_core::matcher::convert::{Language, Regex};
use hooks_core::translate::{ClientTool, ConfigFacts, ConfigSide, Folder, Keys, NewDefinition, ProjectRoot, ToolKind};
use serde::Serialize;

use crate::events::STOP_CAP;
use crate::{Adapter, locations};

/// The tools of the client as far as they do what those of others do ([`tools::BUILT_IN`](crate::tools::BUILT_IN) lists
/// all). `MultiEdit` is one of older clients. Names of what the client has no tool for are not among them.
static TOOLS: &[ClientTool] = &[
    ClientTool::usual(&["Bash"], &[ToolKind::Shell]),
    ClientTool::beside(&["PowerShell"], &[ToolKind::Shell]),
    ClientTool::beside(&["Monitor"], &[ToolKind::Shell]),
    ClientTool::usual(&["Read"], &[ToolKind::Read]),
    ClientTool::usual(&["Write"], &[ToolKind::Write]),
    ClientTool::usual(&["Edit"], &[ToolKind::Edit]),
    ClientTool::retired(&["MultiEdit"], &[ToolKind::Edit]),
    ClientTool::beside(&["NotebookEdit"], &[ToolKind::Edit]),
    ClientTool::usual(&["Glob"], &[ToolKind::Glob]),
    ClientTool::usual(&["Grep"], &[ToolKind::Grep]),
    ClientTool::usual(&["Agent", "Task"], &[ToolKind::Subagent]),
    ClientTool::usual(&["WebFetch"], &[ToolKind::WebFetch]),
    ClientTool::usual(&["WebSearch"], &[ToolKind::WebSearch]),
    ClientTool::usual(&["ReadMcpResourceTool"], &[ToolKind::McpResource]),
    ClientTool::usual(&["TodoWrite"], &[]),
    ClientTool::usual(&["AskUserQuestion"], &[]),
    ClientTool::usual(&["ExitPlanMode"], &[]),
    ClientTool::usual(&["Skill"], &[]),
];

/// What a settings file can say.
static FACTS: ConfigFacts = ConfigFacts {
    document: ".claude/settings.json",
    beside: &[],
    head: &[],
    language: Language {
        separators: &['|', ','],
        is_plain: |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' '),
        regex: Regex::JavaScript,
    },
    tools: TOOLS,
    otherwise: &[(&[ToolKind::Delete, ToolKind::List], "with its shell, whose commands a hook on `Bash` gets")],
    agents: &[],
    folders: &[
        (locations::PROJECT_DIR, Folder::Project),
        (locations::PLUGIN_ROOT, Folder::Plugin),
        (locations::PLUGIN_DATA, Folder::PluginData),
    ],
    project_root: ProjectRoot::Variable(locations::PROJECT_DIR),
    whole_seconds: false,
    keys: Keys {
        fail_closed: true,
        background: true,
        rewake: true,
        loop_limit: false,
        windows: false,
        args: true,
        shell: true,
        status_message: true,
        context_limit: false,
    },
    default_loop_limit: Some(STOP_CAP),
    then: &["Claude Code reads the file again when it changes; `/hooks` in a session shows what it has read."],
    evidence: Evidence::new(Basis::Documented, "hooks page, configuration and matchers; held against client 2.1.332"),
};

static NAMES: [NameForm; 1] = [NameForm { prefix: "mcp__", separator: Some("__"), folds: false }];

/// A group.
#[derive(Serialize)]
struct Group<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'a str>,
    hooks: [Entry<'a>; 1],
}

/// A handler, its keys in the order of the hooks page.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shell: Option<&'static str>,
    #[serde(rename = "async", skip_serializing_if = "Option::is_none")]
    background: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    async_rewake: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headers: Option<&'a BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_env_vars: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a RawJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    continue_on_block: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<RawJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_failure: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_message: Option<&'a str>,
}

impl ConfigSide for Adapter {
    fn config(&self) -> &'static ConfigFacts {
        &FACTS
    }

    fn pointer(&self, place: &Place) -> String {
        format!("/hooks/{}/{}/hooks/{}", place.event, place.group, place.index)
    }

    fn server_tool_names(&self, event: &EventFacts) -> &'static [NameForm] {
        let is_about_shells = event.boundary == Some(Boundary::SkillShellCommand);
        if event.subject == SubjectFact::ToolName && !is_about_shells { &NAMES } else { &[] }
    }

    fn runs(&self, event: &EventFacts, kind: HandlerKind) -> bool {
        self.row(event.name).is_some_and(|event| event.handlers.contains(&kind))
    }

    fn write(&self, new: &NewDefinition) -> String {
        let mut entry = Entry {
            kind: new.handler.kind().as_str(),
            timeout: new.timeout(),
            on_failure: (new.failure == FailurePolicy::Closed).then_some("block"),
            status_message: new.status_message.as_deref(),
            ..Entry::default()
        };
        match &new.handler {
            Handler::Command(command) => {
                entry.command = Some(&command.command);
                entry.args = command.args.as_deref();
                entry.shell = match command.shell {
                    Shell::Bash => Some("bash"),
                    Shell::PowerShell => Some("powershell"),
                    _ => None,
                };
                entry.background = (command.background == Background::Async).then_some(true);
                entry.async_rewake = (command.background == Background::AsyncRewake).then_some(true);
            }
            Handler::Http(http) => {
                entry.url = Some(&http.url);
                entry.headers = Some(&http.headers).filter(|headers| !headers.is_empty());
                entry.allowed_env_vars = Some(http.allowed_env.as_slice()).filter(|names| !names.is_empty());
            }
            Handler::McpTool(tool) => {
                entry.server = Some(&tool.server);
                entry.tool = Some(&tool.tool);
                entry.input = Some(&tool.input);
            }
            Handler::Prompt(prompt) | Handler::Agent(prompt) => {
                entry.prompt = Some(&prompt.prompt);
                entry.model = prompt.model.as_deref();
                entry.continue_on_block = prompt.continue_on_block.then_some(true);
            }
            // What is read back tells of a kind that is not known here.
            _ => {}
        }
        serde_json::to_string(&Group { matcher: new.matcher.as_deref(), hooks: [entry] }).unwrap_or_default()
    }
}
