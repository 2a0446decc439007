//! Where Codex's documents lie, which environment a hook gets, and how its runs end (sections 4, 5, 7 and 10).

use hooks_core::evidence::{Basis, Evidence};
use hooks_core::location::{Base, HookCwd, Location};
use hooks_core::outcome::{Completion, RunRules};
use hooks_core::source::{Origin, Plugin, Role, Source, Syntax};
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

/// Every place where a document may lie. In one folder `hooks.json` comes before `config.toml`.
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
    location(Origin::Project, Syntax::Json, Base::ProjectToCwd, ".codex/hooks.json", 25),
    location(Origin::Project, Syntax::Toml, Base::ProjectToCwd, ".codex/config.toml", 25),
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

/// Variables taken out of a hook's environment (section 10; all but the first two from an audit of 0.159.2).
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

/// The variables that a plugin's hooks get (section 7); nothing describes the hook itself.
pub(crate) fn plugin_variables(plugin: &Plugin) -> Vec<(&'static str, &str)> {
    let mut variables = vec![("PLUGIN_ROOT", plugin.root.as_str()), ("CLAUDE_PLUGIN_ROOT", &plugin.root)];
    if let Some(data) = &plugin.data {
        variables.extend([("PLUGIN_DATA", data.as_str()), ("CLAUDE_PLUGIN_DATA", data)]);
    }
    variables
}
