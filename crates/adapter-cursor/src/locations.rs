//! Where Cursor's documents lie, which environment and directory a hook gets, and how its runs end.
//!
//! Team hooks come from a dashboard into a folder whose path is not documented; plugins name their own file
//! (`hooks/hooks.json`, or what `hooks` in [`PLUGIN_MANIFEST`] names). A host hands both in as sources.

use std::time::Duration;

use hooks_core::definition::Definition;
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::location::{Base, Given, HookCwd, HookVariable, Location, Platform};
use hooks_core::outcome::{Completion, RunRules};
use hooks_core::source::{Role, Source, Syntax};
use hooks_core::{Envelope, Origin, Version};

use crate::config;

const DOCUMENTED: Evidence = Evidence::new(Basis::Documented, "hooks page, configuration");
const THIRD_PARTY: Evidence =
    Evidence::new(Basis::Documented, "hooks page, configuration; third-party hooks page, loading");

/// A document's path, and the pattern by which an editor's catalogue finds it wherever it lies.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// The path; absolute, or below the folder that it is looked for in.
    pub path: &'static str,
    /// The pattern.
    pub pattern: &'static str,
}

macro_rules! file {
    ($root:literal, $below:literal) => {
        File { path: concat!($root, $below), pattern: concat!("**/", $below) }
    };
}

/// The file of a project, and of a user below the home folder.
pub const OWN: File = file!("", ".cursor/hooks.json");
/// An enterprise's file on macOS.
pub const MANAGED_MACOS: File = file!("/", "Library/Application Support/Cursor/hooks.json");
/// An enterprise's file on Linux.
pub const MANAGED_LINUX: File = file!("/", "etc/cursor/hooks.json");
/// An enterprise's file on Windows.
pub const MANAGED_WINDOWS: File = file!("C:/", "ProgramData/Cursor/hooks.json");
/// A plugin's manifest below the plugin's folder (Cursor's own plugins).
pub const PLUGIN_MANIFEST: File = file!("", ".cursor-plugin/plugin.json");

/// Where an editor finds Cursor's own files.
pub static HOOKS_PATTERNS: &[&str] =
    &[OWN.pattern, MANAGED_MACOS.pattern, MANAGED_LINUX.pattern, MANAGED_WINDOWS.pattern];

/// Where an editor finds plugins' manifests.
pub static MANIFEST_PATTERNS: &[&str] = &[PLUGIN_MANIFEST.pattern];

const fn managed(platform: Platform, file: File) -> Location {
    Location {
        origin: Origin::Managed,
        role: Role::Hooks,
        syntax: Syntax::Json,
        platform: Some(platform),
        base: Base::Absolute,
        path: file.path,
        precedence: 1,
        cwd: HookCwd::Document,
        evidence: DOCUMENTED,
    }
}

/// Claude's settings files, which Cursor reads when its import setting is on. Which directory their hooks run in is
/// not documented; the project's root is what Claude's own hooks are written for.
const fn foreign(origin: Origin, base: Base, path: &'static str, precedence: i16) -> Location {
    Location {
        origin,
        role: Role::ForeignHooks,
        syntax: Syntax::Json,
        platform: None,
        base,
        path,
        precedence,
        cwd: HookCwd::ProjectRoot,
        evidence: THIRD_PARTY,
    }
}

/// Where Cursor's documents lie, by priority.
pub static LOCATIONS: &[Location] = &[
    managed(Platform::MacOs, MANAGED_MACOS),
    managed(Platform::Linux, MANAGED_LINUX),
    managed(Platform::Windows, MANAGED_WINDOWS),
    Location {
        origin: Origin::Project,
        role: Role::Hooks,
        syntax: Syntax::Json,
        platform: None,
        base: Base::Project,
        path: OWN.path,
        precedence: 3,
        cwd: HookCwd::ProjectRoot,
        evidence: DOCUMENTED,
    },
    Location {
        origin: Origin::User,
        role: Role::Hooks,
        syntax: Syntax::Json,
        platform: None,
        base: Base::Home,
        path: OWN.path,
        precedence: 4,
        cwd: HookCwd::Document,
        evidence: DOCUMENTED,
    },
    foreign(Origin::Local, Base::Project, ".claude/settings.local.json", 5),
    foreign(Origin::Project, Base::Project, ".claude/settings.json", 6),
    foreign(Origin::User, Base::Home, ".claude/settings.json", 7),
];

/// A document's place in Cursor's order of priority, the highest priority first. Plugins and what a session adds are
/// not in Cursor's list and stand last.
#[must_use]
pub fn precedence(source: &Source) -> i32 {
    if config::is_foreign(source) {
        return match source.origin {
            Origin::Local => 5,
            Origin::Project => 6,
            _ => 7,
        };
    }
    match source.origin {
        Origin::Managed => 1,
        Origin::Team => 2,
        Origin::Project | Origin::Local => 3,
        Origin::User => 4,
        Origin::Plugin => 8,
        _ => 9,
    }
}

/// The directory a hook runs in: its document's folder for managed, team and user hooks, the project's root for project
/// hooks (hooks page, configuration). A plugin's hooks were seen to run in the plugin's folder, on `stop` in the
/// project's root (forum threads 153236 and 157195).
#[must_use]
pub fn cwd(definition: &Definition, envelope: &Envelope) -> String {
    let source = &definition.source;
    let root = || envelope.common.project_root().to_owned();
    if config::is_foreign(source) {
        return root();
    }
    let folder = match source.origin {
        Origin::Managed | Origin::Team | Origin::User => source.folder(),
        Origin::Plugin if definition.place.event != "stop" => {
            source.plugin.as_ref().map(|plugin| plugin.root.as_str()).unwrap_or_default()
        }
        _ => "",
    };
    if folder.is_empty() { root() } else { folder.to_owned() }
}

/// Which hooks get a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// All.
    Always,
    /// All, in some sessions.
    Sometimes,
    /// A plugin's.
    Plugins,
}

/// Variables that people use and that are not among Cursor's: what is about the occurrence stands on standard input only
/// (hooks page, environment variables, which lists them all).
static NOT_SET: &[(&str, &str)] = &[
    ("CURSOR_COMMAND", "`command` on standard input"),
    ("CURSOR_CONVERSATION_ID", "`conversation_id` on standard input"),
    ("CURSOR_FILE", "`file_path` on standard input"),
    ("CURSOR_FILE_PATH", "`file_path` on standard input"),
    ("CURSOR_FILE_PATHS", "`file_path` on standard input"),
    ("CURSOR_HOOK_EVENT*", "`hook_event_name` on standard input"),
    ("CURSOR_SESSION_ID", "`conversation_id` on standard input"),
    ("CURSOR_TOOL_INPUT*", "`tool_input` on standard input"),
    ("CURSOR_TOOL_NAME", "`tool_name` on standard input"),
    ("CURSOR_WORKSPACE*", "`CURSOR_PROJECT_DIR`, or `workspace_roots` on standard input"),
];

/// One variable that a hook gets.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// When it is there, and what it says.
    pub about: &'static str,
    /// Whether every hook gets it, or some.
    pub given: Reached,
    /// How it is known.
    pub evidence: Evidence,
    value: fn(&Definition, &Envelope, Version) -> Option<String>,
}

impl Variable {
    /// Its value for one run; `None` where it is not there.
    #[must_use]
    pub fn value(&self, definition: &Definition, envelope: &Envelope, client: Version) -> Option<String> {
        // A variable cannot hold a NUL, and a runner that tried would fail the hook.
        (self.value)(definition, envelope, client).filter(|value| !value.contains('\0'))
    }
}

const ENVIRONMENT: Evidence = Evidence::new(Basis::Documented, "hooks page, environment variables");

const fn variable(
    name: &'static str,
    about: &'static str,
    given: Reached,
    value: fn(&Definition, &Envelope, Version) -> Option<String>,
) -> Variable {
    Variable { name, about, given, evidence: ENVIRONMENT, value }
}

fn root(_: &Definition, envelope: &Envelope, _: Version) -> Option<String> {
    Some(envelope.common.project_root().to_owned())
}

fn plugin_root(definition: &Definition, _: &Envelope, _: Version) -> Option<String> {
    definition.source.plugin.as_ref().map(|plugin| plugin.root.clone())
}

/// The project's root.
pub const PROJECT_DIR: &str = "CURSOR_PROJECT_DIR";
/// The project's root, for hooks written for Claude.
pub const CLAUDE_PROJECT_DIR: &str = "CLAUDE_PROJECT_DIR";
/// The plugin's folder, for its hooks.
pub const PLUGIN_ROOT: &str = "CURSOR_PLUGIN_ROOT";

/// The same, for hooks written for Claude.
pub const CLAUDE_PLUGIN_ROOT: &str = "CLAUDE_PLUGIN_ROOT";

/// The variables that name folders, with the folders: those of [`VARIABLES`].
pub(crate) fn folder_variables(source: &Source, project: &str) -> Vec<(&'static str, String)> {
    let mut variables = vec![(PROJECT_DIR, project.to_owned()), (CLAUDE_PROJECT_DIR, project.to_owned())];
    let roots =
        source.plugin.iter().flat_map(|plugin| [PLUGIN_ROOT, CLAUDE_PLUGIN_ROOT].map(|name| (name, &plugin.root)));
    variables.extend(roots.map(|(name, root)| (name, root.clone())));
    variables
}

/// What a hook gets in its environment beside the variables of its session.
pub static VARIABLES: &[Variable] = &[
    variable(PROJECT_DIR, "the project's root; always", Reached::Always, root),
    variable("CURSOR_VERSION", "the client's version; always", Reached::Always, |_, envelope, client| {
        Some(client_version(envelope, client))
    }),
    variable(CLAUDE_PROJECT_DIR, "the project's root, for hooks written for Claude; always", Reached::Always, root),
    variable(
        "CURSOR_USER_EMAIL",
        "the user's address, when somebody is logged in",
        Reached::Sometimes,
        |_, envelope, _| envelope.common.user_email.clone(),
    ),
    variable(
        "CURSOR_TRANSCRIPT_PATH",
        "the transcript's file, when transcripts are on",
        Reached::Sometimes,
        |_, envelope, _| envelope.common.transcript_path.clone(),
    ),
    variable("CURSOR_CODE_REMOTE", "`true` in a remote workspace", Reached::Sometimes, |_, envelope, _| {
        envelope.common.remote.then(|| "true".to_owned())
    }),
    Variable {
        name: PLUGIN_ROOT,
        about: "the plugin's folder, for a plugin's hooks",
        given: Reached::Plugins,
        evidence: Evidence::new(Basis::Observed, "Cursor's own plugins, hook commands"),
        value: plugin_root,
    },
    Variable {
        name: CLAUDE_PLUGIN_ROOT,
        about: "the same, for hooks written for Claude",
        given: Reached::Plugins,
        evidence: Evidence::new(Basis::Observed, "Cursor's staff in forum thread 153236"),
        value: plugin_root,
    },
];

/// [`VARIABLES`] in the form that all vendors share, and those that are missed.
pub(crate) fn hook_variables() -> Vec<HookVariable> {
    let of = |variable: &Variable| {
        let given = match variable.given {
            Reached::Always => Given::Always,
            Reached::Sometimes => Given::Sometimes,
            Reached::Plugins => Given::Plugins,
        };
        let is_path = variable.name.ends_with("_DIR") || variable.name.ends_with("_ROOT");
        HookVariable { name: variable.name, given, is_path }
    };
    let missed = NOT_SET.iter().map(|(name, instead)| HookVariable::new(name, Given::Never { instead }));
    VARIABLES.iter().map(of).chain(missed).collect()
}

/// What is set in a hook's environment, and what is taken out so that an outer Cursor's values do not shine through.
#[must_use]
pub fn environment(
    definition: &Definition,
    envelope: &Envelope,
    client: Version,
) -> (Vec<(String, String)>, Vec<String>) {
    let (mut set, mut remove) = (Vec::with_capacity(VARIABLES.len()), Vec::new());
    for variable in VARIABLES {
        match variable.value(definition, envelope, client) {
            Some(value) => set.push((variable.name.to_owned(), value)),
            None => remove.push(variable.name.to_owned()),
        }
    }
    (set, remove)
}

/// What `cursor_version` and `CURSOR_VERSION` say: the host's own version (first design, encoding), and the client
/// whose facts hold where the host has none.
#[must_use]
pub fn client_version(envelope: &Envelope, client: Version) -> String {
    match envelope.common.host.version.as_str() {
        "" => client.to_string(),
        version => version.to_owned(),
    }
}

/// How runs end: at end of file. A client that stopped at the process's end was seen to lose output (forum threads
/// 155078 and 165818). Nothing is documented on killing, so the group is killed at once.
pub const RUN_RULES: RunRules = RunRules {
    completion: Completion::EndOfFile,
    detach_on_async_line: false,
    kill_grace: Duration::ZERO,
    stdout_cap: RunRules::DEFAULT_CAP,
    stderr_cap: RunRules::DEFAULT_CAP,
};
