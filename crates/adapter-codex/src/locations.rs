//! Where Codex's documents lie, which environment a hook gets, and how its runs end (sections 4, 5, 7 and 10).

use hooks_core::document::{JsonRules, Node, parse_json};
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::handler::Background;
use hooks_core::location::{Base, Given, HookCwd, HookVariable, Location};
use hooks_core::outcome::{Completion, RunRules};
use hooks_core::source::{Origin, Plugin, Role, Source, Syntax};
use hooks_core::{Binding, Handler};
use std::time::Duration;

const DISCOVERY: Evidence = Evidence::new(Basis::Observed, "section 4; client 0.171.0");
const MANAGED: Evidence = Evidence::new(Basis::Documented, "sections 4 and 5");

/// The folder of a user's configuration.
const CODEX_HOME: Base = Base::Variable { name: "CODEX_HOME", home_default: ".codex" };

const fn location(origin: Origin, syntax: Syntax, base: Base, path: &'static str, precedence: i16) -> Location {
    Location {
        origin,
        role: Role::Hooks,
        syntax,
        platform: None,
        base,
        path,
        precedence,
        cwd: HookCwd::Session,
        evidence: DISCOVERY,
    }
}

/// Every place where a document may lie. In one folder `hooks.json` comes before `config.toml`. In a linked git worktree
/// it is the main checkout's folders that are read (section 4; observed).
pub static LOCATIONS: [Location; 7] = [
    Location {
        role: Role::Requirements,
        evidence: MANAGED,
        ..system(location(Origin::Managed, Syntax::Toml, Base::Absolute, "/etc/codex/requirements.toml", -20))
    },
    system(location(Origin::Managed, Syntax::Json, Base::Absolute, "/etc/codex/hooks.json", 10)),
    system(location(Origin::Managed, Syntax::Toml, Base::Absolute, "/etc/codex/config.toml", 10)),
    location(Origin::User, Syntax::Json, CODEX_HOME, "hooks.json", 20),
    location(Origin::User, Syntax::Toml, CODEX_HOME, "config.toml", 20),
    location(Origin::Project, Syntax::Json, Base::CheckoutToCwd, ".codex/hooks.json", 25),
    location(Origin::Project, Syntax::Toml, Base::CheckoutToCwd, ".codex/config.toml", 25),
];

/// The system's own folder. It is that of Linux and macOS; none is known for Windows.
const fn system(location: Location) -> Location {
    Location { evidence: MANAGED, ..location }
}

/// Paths that stand for documents without a file, with their layer's precedence (section 4).
const SYNTHETIC: &[(&str, i32)] = &[
    ("/<mdm:", 0),
    ("/<enterprise-managed:", 15),
    ("/<session-flags>", 30),
    ("/<legacy-managed-config.toml-mdm>", 50),
];

/// The order of documents: layers first, then folders from the root down, then `hooks.json` before TOML.
pub(crate) fn precedence(source: &Source) -> i32 {
    let layer = match source.role {
        Role::Requirements => -20,
        _ => SYNTHETIC
            .iter()
            .find(|(path, _)| source.path.starts_with(path))
            .map_or_else(|| layer(source.origin), |(_, precedence)| *precedence),
    };
    let depth = match source.origin {
        Origin::Project | Origin::Local => {
            let folders = source.folder().bytes().filter(|byte| matches!(byte, b'/' | b'\\')).count();
            i32::try_from(folders.min(999)).unwrap_or(999)
        }
        _ => 0,
    };
    (layer * 1000 + depth) * 2 + i32::from(source.syntax != Syntax::Json)
}

const fn layer(origin: Origin) -> i32 {
    match origin {
        Origin::Host => -10,
        Origin::Managed => 10,
        Origin::Team => 15,
        Origin::User => 20,
        Origin::Project | Origin::Local => 25,
        Origin::SessionFlags => 30,
        _ => 60,
    }
}

/// Whether a document is the organisation's: its hooks always run, and trust records do not touch them (sections 4
/// and 5).
#[must_use]
pub fn is_managed(source: &Source) -> bool {
    source.role == Role::Requirements || matches!(source.origin, Origin::Managed | Origin::Team)
}

/// Variables that no hook gets, from wherever they come and whatever the case of their letters (section 10; all but the
/// first from an audit of 0.159.2).
pub static REMOVED_VARIABLES: [&str; 5] = [
    "CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN",
    "NODE_REPL_AUTH_TOKEN",
    "OPENAI_FEDERATION_RULE_ID",
    "OPENAI_IDENTITY_TOKEN_FILE",
    "OPENAI_WORKLOAD_IDENTITY_CONTEXT",
];

/// How runs end: when the process has ended and its pipes are closed; a timeout kills the group at once.
pub const RUN_RULES: RunRules = RunRules {
    completion: Completion::EndOfFile,
    detach_on_async_line: false,
    kill_grace: Duration::ZERO,
    stdout_cap: RunRules::DEFAULT_CAP,
    stderr_cap: RunRules::DEFAULT_CAP,
};

/// So many runs in the background go on at once in a session; more wait, none is dropped (section 12).
pub const BACKGROUND_RUNS: usize = 8;

/// How long an action may have to wait for these hooks: as long as the slowest that is waited for (section 12; runs in
/// the background are not).
#[must_use]
pub fn longest_wait<'b>(bindings: impl IntoIterator<Item = &'b Binding>) -> Duration {
    let waited = |binding: &&Binding| !matches!(&binding.handler, Handler::Command(command) if command.background != Background::No);
    bindings.into_iter().filter(waited).map(|binding| binding.timeout).max().unwrap_or_default()
}

/// Where a plugin's manifest lies in its folder: the first that is there counts (section 7).
pub static PLUGIN_MANIFESTS: [&str; 2] = [".codex-plugin/plugin.json", ".claude-plugin/plugin.json"];

/// A plugin's document of hooks when its manifest names none.
pub const PLUGIN_HOOKS: &str = "hooks/hooks.json";

/// The documents of hooks that a plugin's manifest names, as paths in the plugin's folder; none when the hooks stand in
/// the manifest itself. What is no path inside the folder is left out.
#[must_use]
pub fn plugin_documents(manifest: &[u8]) -> Vec<String> {
    let default = || vec![PLUGIN_HOOKS.to_owned()];
    let Ok(root) = parse_json(manifest, JsonRules::default()) else { return default() };
    let Some(hooks) = root.as_object().and_then(|root| root.get("hooks")) else { return default() };
    if let Some(path) = hooks.as_str() {
        return inside_plugin(path).into_iter().collect();
    }
    match hooks.as_array() {
        Some(items) if items.iter().all(|item| item.as_str().is_some() || item.as_object().is_some()) => {
            items.iter().filter_map(Node::as_str).filter_map(inside_plugin).collect()
        }
        _ if hooks.as_object().is_some() => Vec::new(),
        _ => default(),
    }
}

/// A path that a manifest names, as a path in the plugin's folder; `None` when it leads out of it or is not written as the
/// client wants it.
pub(crate) fn inside_plugin(path: &str) -> Option<String> {
    let path = path.strip_prefix("./")?;
    (!path.split(['/', '\\']).any(|part| part == "..")).then(|| path.to_owned())
}

/// The variables that a plugin's hooks get (section 7); nothing describes the hook itself.
pub(crate) fn plugin_variables(plugin: &Plugin) -> Vec<(&'static str, &str)> {
    let mut variables = vec![("PLUGIN_ROOT", plugin.root.as_str()), ("CLAUDE_PLUGIN_ROOT", &plugin.root)];
    if let Some(data) = &plugin.data {
        variables.extend([("PLUGIN_DATA", data.as_str()), ("CLAUDE_PLUGIN_DATA", data)]);
    }
    variables
}

/// Variables that people use and that no hook gets: nothing describes the hook, its event or its project (section 10,
/// observed on 0.171.0; `CODEX_SESSION_ID` is for the shell tool).
static NOT_SET: &[(&str, &str)] = &[
    ("CODEX_CWD", "`cwd` on standard input"),
    ("CODEX_FILE_PATH*", "`tool_input` on standard input"),
    ("CODEX_HOOK_EVENT*", "`hook_event_name` on standard input"),
    ("CODEX_PROJECT_DIR", "`$(git rev-parse --show-toplevel)`, or `cwd` on standard input"),
    ("CODEX_PROJECT_ROOT", "`$(git rev-parse --show-toplevel)`, or `cwd` on standard input"),
    ("CODEX_SESSION_ID", "`session_id` on standard input"),
    ("CODEX_TOOL_INPUT*", "`tool_input` on standard input"),
    ("CODEX_TOOL_NAME", "`tool_name` on standard input"),
];

/// The variables that [`plugin_variables`] gives, and those that are missed.
pub(crate) fn hook_variables() -> Vec<HookVariable> {
    let whole = Plugin { data: Some(String::new()), ..Plugin::default() };
    let plugins = plugin_variables(&whole).into_iter().map(|(name, _)| HookVariable::path(name, Given::Plugins));
    let missed = NOT_SET.iter().map(|(name, instead)| HookVariable::new(name, Given::Never { instead }));
    plugins.chain(missed).collect()
}
