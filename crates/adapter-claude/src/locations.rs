//! Where Claude Code's documents lie, the environment a hook gets, and how its runs end.

use std::time::Duration;

use hooks_core::boundary::Boundary;
use hooks_core::definition::Definition;
use hooks_core::effects::EnvReach;
use hooks_core::envelope::Envelope;
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::location::{Base, Given, HookCwd, HookVariable, Location, Platform};
use hooks_core::outcome::{Completion, Folder, RunRules, SessionFile};
use hooks_core::source::{Origin, Role, Source, Syntax};

use crate::events::{EVENTS, Event};

const SETTINGS: Evidence =
    Evidence::new(Basis::Documented, "settings page, settings files; precedence observed on 2.1.332");
const PLUGINS: Evidence = Evidence::new(Basis::Documented, "plugins reference, hooks; observed on 2.1.332");

const fn settings(origin: Origin, platform: Option<Platform>, base: Base, path: &'static str) -> Location {
    Location {
        origin,
        role: Role::Hooks,
        syntax: Syntax::Json,
        platform,
        base,
        path,
        precedence: precedence_of(origin),
        cwd: HookCwd::Session,
        evidence: SETTINGS,
    }
}

/// The places of settings files, and of the drop-in files beside the managed one. Plugins' files lie where a plugin is
/// installed, which only a plugin manager knows: a host adds them as sources with their [`hooks_core::source::Plugin`].
/// Managed settings of a device manager or a server are the host's to add likewise.
pub static LOCATIONS: &[Location] = &[
    settings(Origin::User, None, CONFIG_DIR, "settings.json"),
    settings(Origin::Project, None, Base::Project, ".claude/settings.json"),
    settings(Origin::Local, None, Base::Project, ".claude/settings.local.json"),
    settings(Origin::Managed, Some(Platform::Linux), Base::Absolute, "/etc/claude-code/managed-settings.json"),
    drop_ins(Platform::Linux, "/etc/claude-code/managed-settings.d/*.json"),
    settings(
        Origin::Managed,
        Some(Platform::MacOs),
        Base::Absolute,
        "/Library/Application Support/ClaudeCode/managed-settings.json",
    ),
    drop_ins(Platform::MacOs, "/Library/Application Support/ClaudeCode/managed-settings.d/*.json"),
    settings(
        Origin::Managed,
        Some(Platform::Windows),
        Base::Absolute,
        "C:/Program Files/ClaudeCode/managed-settings.json",
    ),
    drop_ins(Platform::Windows, "C:/Program Files/ClaudeCode/managed-settings.d/*.json"),
];

const fn drop_ins(platform: Platform, path: &'static str) -> Location {
    let file = settings(Origin::Managed, Some(platform), Base::Absolute, path);
    Location { precedence: file.precedence + 1, ..file }
}

/// Where the texts lie whose head can hold hooks. They count for the life of the skill, command or agent only, so that
/// nothing reads them at a session's start: a host reads one as a source of origin `frontmatter` with its
/// [`hooks_core::source::Life`] when it is invoked. Skills have a folder each, which no location can say:
/// [`SKILLS`] names it.
pub static FRONTMATTER: &[Location] = &[
    head(Base::Project, ".claude/agents/*.md"),
    head(Base::Project, ".claude/commands/*.md"),
    head(CONFIG_DIR, "agents/*.md"),
    head(CONFIG_DIR, "commands/*.md"),
];

/// A skill's text, below the same two folders as [`FRONTMATTER`]; the star is the skill's name.
pub const SKILLS: &str = "skills/*/SKILL.md";

const CONFIG_DIR: Base = Base::Variable { name: "CLAUDE_CONFIG_DIR", home_default: ".claude" };

const fn head(base: Base, path: &'static str) -> Location {
    Location { syntax: Syntax::Yaml, evidence: HEADS, ..settings(Origin::Frontmatter, None, base, path) }
}

const HEADS: Evidence = Evidence::new(Basis::Documented, "hooks page, hooks in skills and agents; observed on 2.1.332");

/// Where in a plugin its hooks lie when the manifest says nothing (plugins reference).
pub const PLUGIN_HOOKS_FILE: &str = "hooks/hooks.json";

/// A plugin's manifest (plugins reference).
pub const PLUGIN_MANIFEST: &str = ".claude-plugin/plugin.json";

/// Where in a plugin its tool servers lie when the manifest says nothing (plugins reference).
pub const PLUGIN_SERVERS_FILE: &str = ".mcp.json";

/// The key of a plugin's tool servers, in that file and in the manifest (plugins reference).
pub const SERVERS_KEY: &str = "mcpServers";

/// What begins the names of the tools of a server that belongs to no plugin (hooks page, matchers).
#[must_use]
pub fn tool_prefix(server: &str) -> String {
    format!("mcp__{server}__")
}

/// What begins the names of the tools of a plugin's server (hooks page, matchers; case L079).
#[must_use]
pub fn plugin_tool_prefix(plugin: &str, server: &str) -> String {
    tool_prefix(&format!("plugin_{plugin}_{server}"))
}

/// What a handler calls a plugin's server (hooks page, MCP tool hook fields).
#[must_use]
pub fn plugin_server(plugin: &str, server: &str) -> String {
    format!("plugin:{plugin}:{server}")
}

/// The files of [`LOCATIONS`] as the patterns of an editor's catalogue.
pub const SETTINGS_PATTERNS: &[&str] = &[
    "**/.claude/settings.json",
    "**/.claude/settings.local.json",
    "**/etc/claude-code/managed-settings.json",
    "**/etc/claude-code/managed-settings.d/*.json",
    "**/Library/Application Support/ClaudeCode/managed-settings.json",
    "**/Library/Application Support/ClaudeCode/managed-settings.d/*.json",
    "**/Program Files/ClaudeCode/managed-settings.json",
    "**/Program Files/ClaudeCode/managed-settings.d/*.json",
];

/// [`PLUGIN_MANIFEST`] likewise. There is no pattern of [`PLUGIN_HOOKS_FILE`]: plugins of other clients have a file there
/// too.
pub const MANIFEST_PATTERNS: &[&str] = &["**/.claude-plugin/plugin.json"];

/// The files of [`FRONTMATTER`] and [`SKILLS`] likewise.
pub const HEAD_PATTERNS: &[&str] =
    &["**/.claude/agents/*.md", "**/.claude/commands/*.md", "**/.claude/skills/*/SKILL.md"];

/// The evidence for [`PLUGIN_HOOKS_FILE`].
pub const PLUGIN_HOOKS_EVIDENCE: Evidence = PLUGINS;

/// The order in which documents are declared. Of equal handlers the last counts, and a switch counts where it stands
/// highest: user, project, local, command line, managed. Where plugins stand among them is not recorded; their handlers
/// are never copies of a settings file's, so nothing hangs on it.
#[must_use]
pub fn precedence(source: &Source) -> i32 {
    let drop_in = source.origin == Origin::Managed && source.path.contains("managed-settings.d");
    i32::from(precedence_of(source.origin)) + i32::from(drop_in)
}

const fn precedence_of(origin: Origin) -> i16 {
    match origin {
        Origin::User => 10,
        Origin::Team => 15,
        Origin::Project => 20,
        Origin::Local => 30,
        Origin::SessionFlags => 40,
        Origin::Managed => 50,
        Origin::Plugin => 60,
        Origin::Frontmatter => 70,
        _ => 80,
    }
}

/// How runs end: a complete JSON answer is enough once the process has ended (case `pre-bg-holds-stdout`), a first line
/// `{"async": true}` sends a run to the background, and a process that ignores the first signal is waited for about two
/// seconds (case `pre-timeout-ignores-term`).
pub const RULES: RunRules = RunRules {
    completion: Completion::CompleteJson,
    detach_on_async_line: true,
    kill_grace: Duration::from_secs(2),
    stdout_cap: RunRules::DEFAULT_CAP,
    stderr_cap: RunRules::DEFAULT_CAP,
};

/// The project's folder, for every hook.
pub const PROJECT_DIR: &str = "CLAUDE_PROJECT_DIR";
/// The plugin's folder, for its hooks.
pub const PLUGIN_ROOT: &str = "CLAUDE_PLUGIN_ROOT";
/// The plugin's data folder, for its hooks.
pub const PLUGIN_DATA: &str = "CLAUDE_PLUGIN_DATA";
/// Where some hooks write variables for later shell commands; whoever runs hooks makes the file and reads it.
pub const ENV_FILE: &str = "CLAUDE_ENV_FILE";

/// The variables that name folders, with the folders (hooks page, environment).
pub(crate) fn folder_variables(source: &Source, project: &str) -> Vec<(&'static str, String)> {
    let mut variables = vec![(PROJECT_DIR, project.to_owned())];
    if let Some(plugin) = &source.plugin {
        variables.push((PLUGIN_ROOT, plugin.root.clone()));
        variables.extend(plugin.data.iter().map(|data| (PLUGIN_DATA, data.clone())));
    }
    variables
}

/// What the hooks of a session's start and of its setup write: it holds for the session (hooks page, environment; cases
/// `ev-SessionStart-env-file`, L288).
pub const KEPT_VARIABLES: SessionFile =
    SessionFile { name: "session", variable: ENV_FILE, reach: EnvReach::Shell, cleared_on: &[] };

/// What the hooks of a changed folder or file write: it holds until the folder changes again (hooks page, environment;
/// cases `ev-CwdChanged-env-file`, L289).
pub const FOLDER_VARIABLES: SessionFile =
    SessionFile { name: "folder", cleared_on: &[Boundary::CwdChanged], ..KEPT_VARIABLES };

/// The files of variables for later shell commands. In which order the client reads them is not recorded: what holds for a
/// shorter time comes last, so that it counts.
pub static SESSION_FILES: [SessionFile; 2] = [KEPT_VARIABLES, FOLDER_VARIABLES];

/// Variables that a hook never inherits: those of telemetry (hooks page, environment), and those of another hook or session
/// that the runner itself may live in, where this hook has none of its own.
#[must_use]
pub fn removed(own: &[(String, String)]) -> Vec<String> {
    let mut removed = vec!["OTEL_*".to_owned()];
    let others = [PLUGIN_ROOT, PLUGIN_DATA, EFFORT, REMOTE, AGENT];
    let is_own = |name: &str| own.iter().any(|(key, _)| key == name);
    removed.extend(others.into_iter().filter(|name| !is_own(name)).map(str::to_owned));
    removed.extend(["CLAUDE_PLUGIN_OPTION_*", ENV_FILE].map(str::to_owned));
    removed
}

/// Where a hook runs when the session's folder is gone: the first of these that is there (hooks page, environment).
#[must_use]
pub fn cwd_else(envelope: &Envelope) -> Vec<Folder> {
    let common = &envelope.common;
    let roots = common.project_dir.iter().chain(&common.workspace_roots);
    roots.cloned().map(Folder::Path).chain([Folder::Home, Folder::Temp]).collect()
}

/// The effort, where the input has it.
pub const EFFORT: &str = "CLAUDE_EFFORT";
/// Whether the session is a remote one.
pub const REMOTE: &str = "CLAUDE_CODE_REMOTE";
/// The agent that the session was started as.
pub const AGENT: &str = "CLAUDE_CODE_AGENT";

/// The variables a hook gets (hooks page, environment; recorded environments of 2.1.332), except those
/// that only the running program knows (its process number, sockets, the file of [`ENV_FILE`]).
#[must_use]
pub fn environment(
    event: &Event,
    definition: &Definition,
    envelope: &Envelope,
    options: &[(String, String)],
) -> Vec<(String, String)> {
    let common = &envelope.common;
    let mut env = Vec::with_capacity(8);
    let mut set = |name: &str, value: &str| env.push((name.to_owned(), value.to_owned()));
    set(PROJECT_DIR, common.project_root());
    set("CLAUDECODE", "1");
    set("CLAUDE_CODE_CHILD_SESSION", "1");
    set("CLAUDE_CODE_SESSION_ID", &common.session_id);
    if let Some(plugin) = &definition.source.plugin {
        set(PLUGIN_ROOT, &plugin.root);
        if let Some(data) = &plugin.data {
            set(PLUGIN_DATA, data);
        }
        for (key, value) in options {
            set(&format!("CLAUDE_PLUGIN_OPTION_{}", key.to_uppercase()), value);
        }
    }
    if let (true, Some(effort)) = (event.effort, &common.effort) {
        set(EFFORT, effort);
    }
    if common.remote {
        set(REMOTE, "true");
    }
    if let Some(agent) = &common.agent
        && let (None, Some(kind)) = (&agent.id, &agent.kind)
    {
        set(AGENT, kind);
    }
    env
}

/// What no hook gets although it is often written (hooks page, environment, which lists what there is; recorded
/// environments of 2.1.332: no variable carries the input).
static NOT_SET: &[(&str, &str)] = &[
    ("CLAUDE_FILE", "`tool_input.file_path` on standard input"),
    ("CLAUDE_FILE_PATH*", "`tool_input.file_path` on standard input"),
    ("CLAUDE_HOOK_EVENT*", "`hook_event_name` on standard input"),
    ("CLAUDE_MODEL", "`model` on standard input, on the events that have it"),
    ("CLAUDE_NOTIFICATION*", "`message` on standard input"),
    ("CLAUDE_PROMPT", "`prompt` on standard input"),
    ("CLAUDE_SESSION_ID", "`CLAUDE_CODE_SESSION_ID`, or `session_id` on standard input"),
    ("CLAUDE_TOOL_INPUT*", "`tool_input` on standard input"),
    ("CLAUDE_TOOL_NAME", "`tool_name` on standard input"),
    ("CLAUDE_TOOL_OUTPUT*", "`tool_response` on standard input"),
    ("CLAUDE_TOOL_RESPONSE*", "`tool_response` on standard input"),
    ("CLAUDE_TOOL_RESULT*", "`tool_response` on standard input"),
    ("CLAUDE_TRANSCRIPT_PATH", "`transcript_path` on standard input"),
    ("CLAUDE_USER_PROMPT", "`prompt` on standard input"),
];

/// The variables of [`environment`] with which hooks get them, and those that are missed.
pub(crate) fn hook_variables() -> Vec<HookVariable> {
    let of_events = |has: fn(&Event) -> bool| {
        Given::Events(EVENTS.iter().filter(|event| has(event)).map(|event| event.facts.name).collect())
    };
    let mut variables = vec![
        HookVariable::path(PROJECT_DIR, Given::Always),
        HookVariable::path(PLUGIN_ROOT, Given::Plugins),
        HookVariable::path(PLUGIN_DATA, Given::Plugins),
        HookVariable::new("CLAUDE_PLUGIN_OPTION_*", Given::Plugins),
        HookVariable::path(ENV_FILE, of_events(|event| event.env_file.is_some())),
        HookVariable::new(EFFORT, of_events(|event| event.effort)),
        HookVariable::new(REMOTE, Given::Sometimes),
        HookVariable::new(AGENT, Given::Sometimes),
    ];
    let always =
        ["CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PID"];
    variables.extend(always.map(|name| HookVariable::new(name, Given::Always)));
    variables.extend(NOT_SET.iter().map(|(name, instead)| HookVariable::new(name, Given::Never { instead })));
    variables
}
