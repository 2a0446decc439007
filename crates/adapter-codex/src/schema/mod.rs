//! JSON Schemas of Codex's configuration files, of what a hook finds on standard input, and of its answers.
//!
//! Every name, type, word and default is read off the tables: [`crate::events`], [`crate::keys`] and, for standard input,
//! the structs that are written. What only words can say (which answers the client reads and then refuses, which
//! handlers it skips) stands in the descriptions.
//!
//! The vendor generates schemas of inputs and answers itself. Ours accept and reject the same values as those of client
//! 0.171.0, so the schema of an answer is the one the vendor promises, not all that its parser lets through:
//!
//! - the parser takes `null` for a missing text, and another event's name as `hookEventName`; the schemas do neither;
//! - the parser fails a run for some answers that the schemas allow; the descriptions name them.
//!
//! For `PreModelRequest` and `PostModelRequest` the vendor has no schemas. Theirs hold what was observed, and are open.

mod config;
mod handler;
mod input;
mod output;
mod words;

use hooks_core::schema::{ConfigSchema, Schemas};

use crate::events::DIALECT;

/// The pattern of a text with something that is no white space: what Rust's `trim` leaves over, spelled out because other
/// dialects count other characters as white space.
const NOT_BLANK: &str = r"[^\t\n\u000B\f\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]";

/// The schemas of the newest recorded client.
pub static SCHEMAS: Schemas = Schemas {
    vendor: &DIALECT.vendor,
    title: "Codex",
    facts: DIALECT.facts,
    configs: &CONFIGS,
    input: input::input,
    output: output::accepted,
    emitted: output::emitted,
};

/// The forms of configuration. Where their files lie follows from [`crate::locations`]; a test compares them.
///
/// A plugin's own `hooks/hooks.json` has the form `hooks` too. It is in no list because its path says nothing of whose
/// plugin it is; the other adapters leave it out for the same reason.
static CONFIGS: [ConfigSchema; 4] = [
    ConfigSchema {
        name: "hooks",
        title: "Codex hooks.json",
        about: "Hooks of Codex in a JSON file: in `.codex/hooks.json` of a project or of the home folder, in \
                `/etc/codex/hooks.json`, and in a plugin's `hooks/hooks.json`.\n\nThe root is strict: any other key there, \
                `$schema` too, makes Codex drop the **whole file**, so tell your editor of this schema by the file's path. \
                Comments, trailing commas and repeated keys drop the file too.\n\nOther clients' plugins have a \
                `hooks/hooks.json` too, so that no pattern stands for a plugin's.",
        files: &["**/.codex/hooks.json", "/etc/codex/hooks.json"],
        schema: config::hooks_json,
    },
    ConfigSchema {
        name: "plugin",
        title: "Codex plugin manifest",
        about: "The manifest of a Codex plugin, as far as hooks go: `hooks` names files of hooks or holds the hooks \
                themselves. Everything else in it is left alone.",
        files: &["**/.codex-plugin/plugin.json"],
        schema: config::plugin,
    },
    ConfigSchema {
        name: "config",
        title: "Codex config.toml",
        about: "Codex's configuration in TOML, as far as hooks go: the table `hooks` with its trust records, and the \
                switches. Everything else in it is left alone. In the user's own file a wrong type in these tables is an \
                error of the whole configuration.",
        files: &["**/.codex/config.toml", "/etc/codex/config.toml"],
        schema: config::config_toml,
    },
    ConfigSchema {
        name: "requirements",
        title: "Codex requirements.toml",
        about: "Managed requirements of Codex, as far as hooks go. These hooks are always trusted and on. One that cannot \
                be loaded keeps sessions from starting, so what is only skipped elsewhere is an error here.",
        files: &["/etc/codex/requirements.toml"],
        schema: config::requirements_toml,
    },
];
