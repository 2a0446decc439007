//! What Cursor's own file can say, and writing a hook into it: what carrying definitions over from other formats needs.

use hooks_core::definition::{FailurePolicy, LoopLimit, Place};
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::facts::EventFacts;
use hooks_core::handler::{Handler, HandlerKind};
use hooks_core::matcher::convert::mcp::NameForm;
use hooks_core::matcher::convert::{Language, Regex};
use hooks_core::translate::{ClientTool, ConfigFacts, ConfigSide, Folder, Keys, NewDefinition, ProjectRoot, ToolKind};
use hooks_core::{Boundary, Facet, RawJson};
use serde::Serialize;

use super::DEFAULT_LOOP_LIMIT;
use super::keys::Kind;
use crate::options::RegexLanguage;
use crate::{Adapter, locations, tools};

/// Tools as the hooks page lists them, with the further names of [`tools::aliases`]. `Glob`, `List`, `WebFetch` and
/// `WebSearch` are named on the third-party page or were seen.
static TOOLS: &[ClientTool] = &[
    ClientTool::usual(&["Shell"], &[ToolKind::Shell]),
    ClientTool::usual(&["Read"], &[ToolKind::Read]),
    ClientTool::usual(&["Write"], &[ToolKind::Write]),
    ClientTool::usual(&["Write", "StrReplace"], &[ToolKind::Edit]),
    ClientTool::usual(&["Write", "ApplyPatch"], &[ToolKind::Patch]),
    ClientTool::usual(&["Delete"], &[ToolKind::Delete]),
    ClientTool::usual(&["Glob"], &[ToolKind::Glob]),
    ClientTool::usual(&["Grep"], &[ToolKind::Grep]),
    ClientTool::usual(&["List"], &[ToolKind::List]),
    ClientTool::usual(&["Task"], &[ToolKind::Subagent]),
    ClientTool::usual(&["WebFetch"], &[ToolKind::WebFetch]),
    ClientTool::usual(&["WebSearch"], &[ToolKind::WebSearch]),
];

/// What Cursor's own file can say, for a client that reads JavaScript's regular expressions.
static FACTS: ConfigFacts = facts(Regex::JavaScript);
/// The same for a host that reads Rust's.
static RUST_FACTS: ConfigFacts = facts(Regex::Rust);

const fn facts(regex: Regex) -> ConfigFacts {
    ConfigFacts {
        document: locations::OWN.path,
        beside: &[],
        head: &[("version", "1")],
        language: Language { separators: &[], is_plain: |_| false, regex },
        tools: TOOLS,
        otherwise: &[],
        agents: &[("generalPurpose", "general-purpose"), ("explore", "Explore")],
        folders: &[
            (locations::PROJECT_DIR, Folder::Project),
            (locations::CLAUDE_PROJECT_DIR, Folder::Project),
            (locations::PLUGIN_ROOT, Folder::Plugin),
        ],
        project_root: ProjectRoot::Variable(locations::PROJECT_DIR),
        whole_seconds: false,
        keys: Keys {
            fail_closed: true,
            background: false,
            rewake: false,
            loop_limit: true,
            windows: false,
            args: false,
            shell: false,
            status_message: false,
            context_limit: false,
        },
        default_loop_limit: Some(DEFAULT_LOOP_LIMIT),
        then: &[
            "Cursor runs a project's hooks in a trusted workspace only, and reads the file again when it changes.",
            "Where Cursor imports Claude's settings, a hook that stands in both files runs twice.",
        ],
        evidence: Evidence::new(
            Basis::Documented,
            "hooks page of September 2026, configuration, options, matchers; third-party hooks page",
        ),
    }
}

/// At the tool events a tool goes by the prefix and its own name.
static PREFIXED: [NameForm; 1] = [NameForm { prefix: tools::MCP, separator: None, folds: false }];
/// At the events of tool servers its own name counts, and the prefixed one too: which of them is not documented.
static BOTH: [NameForm; 2] = [
    NameForm { prefix: "", separator: None, folds: false },
    NameForm { prefix: tools::MCP, separator: None, folds: false },
];
static OWN: [NameForm; 1] = [NameForm { prefix: "", separator: None, folds: false }];

/// A hook in the order in which Cursor's page writes its keys.
#[derive(Serialize)]
struct Entry<'a> {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<RawJson>,
    #[serde(rename = "failClosed", skip_serializing_if = "Option::is_none")]
    fail_closed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_limit: Option<Option<u32>>,
}

impl ConfigSide for Adapter {
    fn config(&self) -> &'static ConfigFacts {
        match self.options().regex {
            RegexLanguage::JavaScript => &FACTS,
            RegexLanguage::Rust => &RUST_FACTS,
        }
    }

    fn pointer(&self, place: &Place) -> String {
        format!("/hooks/{}/{}", place.event, place.index)
    }

    fn server_tool_names(&self, event: &EventFacts) -> &'static [NameForm] {
        let is_about_tools =
            matches!(event.boundary, Some(Boundary::ToolBefore | Boundary::ToolResult | Boundary::ToolFailure));
        match event.facet {
            Facet::Mcp if self.options().mcp_prefix_matches => &BOTH,
            Facet::Mcp => &OWN,
            Facet::Tool if is_about_tools => &PREFIXED,
            _ => &[],
        }
    }

    fn runs(&self, _event: &EventFacts, kind: HandlerKind) -> bool {
        match kind {
            HandlerKind::Command => true,
            HandlerKind::Prompt => self.options().prompt_handlers,
            _ => false,
        }
    }

    fn write(&self, new: &NewDefinition) -> String {
        let mut entry = Entry {
            kind: None,
            command: None,
            prompt: None,
            model: None,
            matcher: new.matcher.as_deref(),
            timeout: new.timeout(),
            fail_closed: (new.failure == FailurePolicy::Closed).then_some(true),
            loop_limit: new.loop_limit.map(LoopLimit::number),
        };
        match &new.handler {
            Handler::Command(command) => entry.command = Some(&command.command),
            Handler::Prompt(prompt) => {
                entry.kind = Some(Kind::Prompt.word());
                entry.prompt = Some(&prompt.prompt);
                entry.model = prompt.model.as_deref();
            }
            // Cursor has no other kinds: what is read back tells.
            other => entry.kind = Some(other.kind().as_str()),
        }
        serde_json::to_string(&entry).unwrap_or_default()
    }
}
