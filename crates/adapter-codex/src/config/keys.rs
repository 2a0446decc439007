//! The table of configuration keys: every key that means something to Codex's hooks, once. The reader looks keys up here,
//! and the schemas say them.
//!
//! Section numbers in evidence are those of the vendor page.

use hooks_core::Version;
use hooks_core::evidence::{Basis, Evidence, Since};

use crate::events::changed;

/// `description`
pub const DESCRIPTION: &str = "description";
/// `hooks`: the event map, and in a group the list of handlers.
pub const HOOKS: &str = "hooks";
/// `matcher`
pub const MATCHER: &str = "matcher";
/// `type`
pub const TYPE: &str = "type";
/// `command`
pub const COMMAND: &str = "command";
/// `commandWindows`
pub const COMMAND_WINDOWS: &str = "commandWindows";
/// `timeout`
pub const TIMEOUT: &str = "timeout";
/// `async`
pub const ASYNC: &str = "async";
/// `statusMessage`
pub const STATUS_MESSAGE: &str = "statusMessage";
/// `additionalContextLimit`
pub const CONTEXT_LIMIT: &str = "additionalContextLimit";
/// `server`
pub const SERVER: &str = "server";
/// `tool`
pub const TOOL: &str = "tool";
/// `input`
pub const INPUT: &str = "input";
/// `state`: trust records beside the events of a TOML document.
pub const STATE: &str = "state";
/// `enabled` of a trust record.
pub const ENABLED: &str = "enabled";
/// `trusted_hash` of a trust record.
pub const TRUSTED_HASH: &str = "trusted_hash";
/// `trusted_content_hash` of a trust record.
pub const TRUSTED_CONTENT_HASH: &str = "trusted_content_hash";
/// `managed_dir`
pub const MANAGED_DIR: &str = "managed_dir";
/// `windows_managed_dir`
pub const WINDOWS_MANAGED_DIR: &str = "windows_managed_dir";
/// `features`: the table of switches in a TOML document.
pub const FEATURES: &str = "features";
/// `allow_managed_hooks_only`
pub const MANAGED_ONLY: &str = "allow_managed_hooks_only";

/// What a key's value must be; a wrong one drops the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// A string; `null` is none.
    Text,
    /// A string that says something: a blank one makes Codex skip the handler.
    Spoken,
    /// A boolean; `null` is a wrong type.
    Flag,
    /// A whole number that is not negative; `null` is none.
    Whole,
    /// An object with no `null` anywhere in it.
    NoNulls,
    /// A handler type's word.
    HandlerType,
    /// What the format nests: events, groups, handlers, records.
    Nested,
}

/// What stands for a key that is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Preset {
    /// A boolean.
    Flag(bool),
    /// A number.
    Number(u64),
    /// An empty object.
    Empty,
    /// The event's own time limit.
    OfEvent,
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Another spelling that is read as the same key; both together are one key twice.
    pub alias: Option<&'static str>,
    /// What its value must be.
    pub value: Value,
    /// Whether the file is dropped without it.
    pub required: bool,
    /// What stands for it when it is not written.
    pub preset: Option<Preset>,
    /// Which versions know it.
    pub known: Since<bool>,
    /// What it is for, in a sentence.
    pub about: &'static str,
    /// How it is known.
    pub evidence: Evidence,
}

impl Key {
    /// Whether a version knows it.
    #[must_use]
    pub fn is_known(&self, version: Version) -> bool {
        self.known.at(version) == Some(true)
    }

    /// Its spellings.
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.alias)
    }
}

/// A kind of handler.
#[derive(Clone, Copy, Debug)]
pub struct HandlerType {
    /// Its word in `type`.
    pub word: &'static str,
    /// Whether Codex runs it; it skips the others one by one, whatever else they hold.
    pub runs: bool,
    /// Which versions know it; an unknown one drops the file.
    pub known: Since<bool>,
    /// The keys it has beside `type`.
    pub keys: &'static [Key],
    /// What it is, in a sentence.
    pub about: &'static str,
    /// How it is known.
    pub evidence: Evidence,
}

/// How it is known what a plugin's manifest may say of hooks.
pub const PLUGIN: Evidence = Evidence::new(Basis::Observed, "client 0.171.0; project notes, section 7");

const ALWAYS: Since<bool> = Since(&[(Version::FIRST, true)]);

const DOCUMENT: Evidence = Evidence::new(Basis::Observed, "client 0.171.0; project notes, section 3.1");
const SELECTION: Evidence = Evidence::new(Basis::Observed, "client 0.171.0; project notes, sections 3.1, 8.1 and 8.2");
const TOML: Evidence = Evidence::new(Basis::Observed, "client 0.171.0; project notes, section 3.2");
const HANDLER: Evidence = Evidence::new(Basis::Observed, "client 0.171.0; project notes, section 3.3");
const SWITCH: Evidence = Evidence::new(Basis::Observed, "client 0.171.0; project notes, section 4");
const REQUIREMENTS: Evidence = Evidence::new(Basis::Documented, "managed configuration; project notes, section 5");
const TRUST: Evidence = Evidence::new(Basis::Observed, "client 0.171.0; project notes, section 6");

const fn key(name: &'static str, value: Value, evidence: Evidence, about: &'static str) -> Key {
    Key { name, alias: None, value, required: false, preset: None, known: ALWAYS, about, evidence }
}

/// The keys at the root of `hooks.json`; any other drops the file.
pub static ROOT: [Key; 2] = [
    Key {
        known: changed::DESCRIPTION,
        ..key(DESCRIPTION, Value::Text, DOCUMENT, "Words for whoever reads the file; they have no effect.")
    },
    key(
        HOOKS,
        Value::Nested,
        DOCUMENT,
        "The hooks, by event. A name that is no event is ignored without a word, also one in other letter case.",
    ),
];

/// The keys of a group.
pub static GROUP: [Key; 2] = [
    key(MATCHER, Value::Text, SELECTION, "When the group's handlers run. None, `\"\"` and `\"*\"` are always."),
    key(HOOKS, Value::Nested, DOCUMENT, "The handlers. All that are selected start at the same time."),
];

/// `type`, which every handler has.
pub static KIND: Key = Key {
    required: true,
    ..key(
        TYPE,
        Value::HandlerType,
        HANDLER,
        "What the handler is; compared exactly, and any other word drops the file.",
    )
};

const LIMIT: Key = Key {
    preset: Some(Preset::OfEvent),
    ..key(
        TIMEOUT,
        Value::Whole,
        HANDLER,
        "The time limit in **seconds**, a whole number; Codex has no milliseconds here.",
    )
};
const STATUS: Key = key(STATUS_MESSAGE, Value::Text, HANDLER, "Shown while the handler runs; it has no other effect.");

/// The kinds of handlers.
pub static HANDLER_TYPES: [HandlerType; 4] = [
    HandlerType {
        word: "command",
        runs: true,
        known: ALWAYS,
        keys: &[
            Key {
                required: true,
                ..key(
                    COMMAND,
                    Value::Spoken,
                    HANDLER,
                    "The command line, given to the user's shell. The event's payload stands on its standard input. In a \
                     plugin `${PLUGIN_ROOT}` and `${PLUGIN_DATA}` are replaced as they stand, without quoting.",
                )
            },
            Key {
                alias: Some("command_windows"),
                ..key(COMMAND_WINDOWS, Value::Text, HANDLER, "Replaces `command` on Windows; unused elsewhere.")
            },
            LIMIT,
            Key {
                preset: Some(Preset::Flag(false)),
                ..key(
                    ASYNC,
                    Value::Flag,
                    HANDLER,
                    "Whether it runs in the background: nothing waits for it, and it can block, stop and rewrite nothing. \
                     Its context and message are delivered when it has finished.",
                )
            },
            STATUS,
            Key {
                preset: Some(Preset::Number(crate::CONTEXT_LIMIT)),
                known: changed::CONTEXT_LIMIT,
                ..key(
                    CONTEXT_LIMIT,
                    Value::Whole,
                    HANDLER,
                    "How much context the handler may give, in approximate tokens (bytes / 4). A longer text is written to \
                     a file, and the model gets its start and end. 0 is no limit.",
                )
            },
        ],
        about: "A command line.",
        evidence: HANDLER,
    },
    HandlerType {
        word: "mcp_tool",
        runs: true,
        known: changed::MCP_TOOL,
        keys: &[
            Key {
                required: true,
                ..key(SERVER, Value::Spoken, HANDLER, "The MCP server, by its name in Codex's configuration.")
            },
            Key { required: true, ..key(TOOL, Value::Spoken, HANDLER, "The server's tool.") },
            Key {
                preset: Some(Preset::Empty),
                ..key(
                    INPUT,
                    Value::NoNulls,
                    HANDLER,
                    "The tool's arguments. In its strings `${a.b.c}` is a path into the event's payload: alone it keeps \
                     the value's type, inside other text it becomes text, and one that leads nowhere fails the run. \
                     `null` may not stand anywhere in it.",
                )
            },
            LIMIT,
            STATUS,
        ],
        about: "A tool of an MCP server; its text result is read like a command's standard output.",
        evidence: Evidence::new(Basis::Observed, "client 0.171.0; project notes, sections 3.3 and 13"),
    },
    HandlerType {
        word: "prompt",
        runs: false,
        known: ALWAYS,
        keys: &[],
        about: "A question to a model. Codex reads such handlers and **skips** them.",
        evidence: HANDLER,
    },
    HandlerType {
        word: "agent",
        runs: false,
        known: ALWAYS,
        keys: &[],
        about: "A task for an agent. Codex reads such handlers and **skips** them.",
        evidence: HANDLER,
    },
];

/// The kind of a word.
#[must_use]
pub fn handler_type(word: &str) -> Option<&'static HandlerType> {
    HANDLER_TYPES.iter().find(|kind| kind.word == word)
}

/// Whose field a name is that stands in a group or in a handler and is known in the other one: groups have `matcher`, and
/// handlers what is said of one run. `known` are the fields of where it stands.
pub(super) fn other_level(name: &str, known: &[Key]) -> Option<&'static str> {
    let is = |keys: &[Key]| keys.iter().any(|key| key.spellings().any(|spelling| spelling == name));
    if is(known) {
        return None;
    }
    if known.iter().any(|key| key.name == MATCHER) {
        return (name == TYPE || HANDLER_TYPES.iter().any(|kind| is(kind.keys))).then_some("a handler");
    }
    let in_handler =
        HANDLER_TYPES.iter().any(|kind| kind.keys.iter().any(|key| known.iter().any(|it| it.name == key.name)));
    (in_handler && name == MATCHER).then_some("the group around it")
}

/// What may stand beside the events of a TOML document.
pub static BESIDE_EVENTS: [Key; 1] = [key(
    STATE,
    Value::Nested,
    TRUST,
    "What was reviewed, by `<document>:<event_in_snake_case>:<group>:<handler>`. Codex writes these records itself. It \
     reads them from the user's own files and from session flags only: a project cannot trust itself.",
)];

/// The keys of a trust record.
pub static TRUST_RECORD: [Key; 3] = [
    key(ENABLED, Value::Flag, TRUST, "`false` switches the handler off. Managed handlers stay on."),
    key(
        TRUSTED_HASH,
        Value::Text,
        TRUST,
        "The hash of the handler as it was reviewed, `sha256:` and 64 hexadecimal digits. A handler that has another one \
         now does not run.",
    ),
    key(
        TRUSTED_CONTENT_HASH,
        Value::Text,
        TRUST,
        "The hash of a plugin's contents as they were reviewed; plugin hooks only.",
    ),
];

/// What may stand beside the events of managed requirements.
pub static MANAGED: [Key; 2] = [
    key(
        MANAGED_DIR,
        Value::Text,
        REQUIREMENTS,
        "The folder that managed hooks are reported to come from, as an absolute path. Nothing is looked up in it.",
    ),
    key(WINDOWS_MANAGED_DIR, Value::Text, REQUIREMENTS, "The same on Windows."),
];

/// The feature switch and its older name, in the `features` of a TOML document.
pub static SWITCHES: [Key; 2] = [
    Key {
        preset: Some(Preset::Flag(true)),
        ..key(
            "hooks",
            Value::Flag,
            SWITCH,
            "Whether hooks run at all, also those of other files and managed ones. Managed requirements may pin it.",
        )
    },
    Key {
        preset: Some(Preset::Flag(true)),
        ..key("codex_hooks", Value::Flag, SWITCH, "The older name of `hooks`; not looked at beside that.")
    },
];

/// What else of a TOML document is about hooks.
pub static TOML_ROOT: [Key; 3] = [
    key(HOOKS, Value::Nested, TOML, "The hooks, by event: `[[hooks.Stop]]`, then `[[hooks.Stop.hooks]]`."),
    key(FEATURES, Value::Nested, SWITCH, "Codex's feature switches. One of them is about hooks."),
    Key {
        preset: Some(Preset::Flag(false)),
        ..key(
            MANAGED_ONLY,
            Value::Flag,
            SWITCH,
            "Whether only managed hooks run. It counts in managed requirements and does nothing elsewhere.",
        )
    },
];

/// Spellings of other formats that Codex ignores, with what it has instead (sections 3.3 and 20).
pub static SPELLINGS: [(&str, &str); 16] = [
    ("timeoutSec", "Write `timeout`, in seconds."),
    ("timeout_sec", "Write `timeout`, in seconds."),
    ("timeoutSeconds", "Write `timeout`, in seconds."),
    ("timeout_seconds", "Write `timeout`, in seconds."),
    ("timeoutMs", "Write `timeout`, in seconds: a thousandth of the number."),
    ("timeout_ms", "Write `timeout`, in seconds: a thousandth of the number."),
    ("status_message", "Write `statusMessage`."),
    ("cwd", "Codex runs every hook in the session's folder: change to another one in `command`."),
    ("env", "Codex gives every hook its own environment: set variables in `command`."),
    ("failClosed", "Codex has no fail-closed setting: a hook that fails lets the action go on."),
    ("if", "Codex has no conditions: use the group's `matcher`, or check in the hook itself."),
    ("once", "Codex has no hooks that run once: check in the hook itself."),
    ("shell", "Codex gives every command to the user's shell: call another one in `command`."),
    ("enabled", "Codex reads no switch here: remove the handler, or switch it off in the `/hooks` screen."),
    ("arguments", "Write a tool's arguments into `input`."),
    ("args", "Write the whole command line into `command`, or a tool's arguments into `input`."),
];

/// The key that some of these stand for, and whether their numbers are thousandths of its unit.
pub static MEANT: [(&str, &str, bool); 7] = [
    ("timeoutSec", TIMEOUT, false),
    ("timeout_sec", TIMEOUT, false),
    ("timeoutSeconds", TIMEOUT, false),
    ("timeout_seconds", TIMEOUT, false),
    ("timeoutMs", TIMEOUT, true),
    ("timeout_ms", TIMEOUT, true),
    ("status_message", STATUS_MESSAGE, false),
];
