//! Every diagnostic this adapter gives, in one table. `about` is the conformance vectors' word for the fault.

use hooks_core::diagnostic::{Code, Severity};

macro_rules! codes {
    ($( $(#[$doc:meta])* $name:ident = $about:literal, $severity:ident, $summary:literal, $help:literal; )*) => {
        $(
            $(#[$doc])*
            pub static $name: Code = Code {
                id: concat!("claude/", $about),
                about: $about,
                severity: Severity::$severity,
                summary: $summary,
                help: $help,
            };
        )*

        /// Every diagnostic, in the order of this file.
        pub static CODES: &[&Code] = &[ $( &$name, )* ];
    };
}

codes! {
    /// The document is no JSON.
    NOT_JSON = "not-json", Error,
        "The file is not strict JSON, so nothing in it applies.",
        "Remove comments and trailing commas and close every bracket.";
    /// The document is JSON, but no object.
    NOT_AN_OBJECT = "not-an-object", Error,
        "The file is JSON but not an object, so nothing in it applies.",
        "Write an object: { \"hooks\": { ... } }.";
    /// A setting beside the hooks has the wrong type.
    INVALID_OTHER_SETTING = "invalid-other-setting", Error,
        "A setting beside the hooks has the wrong type, and the client drops the whole file for it, hooks included.",
        "Give the setting the type the client expects, or remove it.";
    /// `hooks` is no object.
    HOOKS_NOT_OBJECT = "hooks-not-object", Error,
        "`hooks` is not an object, so no hook of this file runs.",
        "Write an object from event names to arrays of groups.";
    /// A plugin's hooks file has events where the `hooks` key should be.
    MISSING_HOOKS_WRAPPER = "missing-hooks-wrapper", Error,
        "A plugin's hooks file has no `hooks` key around its events, so the whole plugin fails to load.",
        "Put the events inside { \"hooks\": { ... } }.";
    /// A manifest's inline hooks have a `hooks` key around them.
    SUPERFLUOUS_WRAPPER = "superfluous-wrapper", Error,
        "The hooks of a plugin manifest have a second `hooks` key around them, so the whole plugin fails to load.",
        "Put the events directly into the manifest's `hooks`.";
    /// An event name that the client does not know.
    UNKNOWN_EVENT = "unknown-event", Error,
        "The client has no event of this name, so its hooks never run.",
        "Write the event's exact name; letter case counts.";
    /// The same event twice.
    DUPLICATE_EVENT = "duplicate-event", Warning,
        "The event stands twice in one object; only the last one counts.",
        "Join both arrays under one key.";
    /// An event's value is no array.
    EVENT_NOT_ARRAY = "event-not-array", Error,
        "An event's value is not an array of groups.",
        "Write an array of objects that have `hooks`.";
    /// A group is no object.
    GROUP_NOT_OBJECT = "group-not-object", Error,
        "A group is not an object.",
        "Write { \"matcher\": \"...\", \"hooks\": [ ... ] }.";
    /// A handler stands where a group should be.
    HANDLER_IN_PLACE_OF_GROUP = "handler-in-place-of-group", Error,
        "A handler stands directly in the event's array, where the client expects a group.",
        "Put the handler into a group: { \"hooks\": [ handler ] }.";
    /// A group has no array of handlers.
    HOOKS_NOT_ARRAY = "hooks-not-array", Error,
        "A group has no `hooks` array.",
        "Add \"hooks\": [ ... ] with the handlers.";
    /// A handler is no object.
    HANDLER_NOT_OBJECT = "handler-not-object", Error,
        "A handler is not an object.",
        "Write { \"type\": \"command\", \"command\": \"...\" }.";
    /// A field a handler must have is missing.
    MISSING_FIELD = "missing-field", Error,
        "A handler lacks a field that its type must have.",
        "Add the field.";
    /// A field has a value of the wrong type.
    WRONG_TYPE = "wrong-type", Error,
        "A field has a value of the wrong type.",
        "Give the value the type the client expects.";
    /// A field has a word the client does not know.
    UNKNOWN_VALUE = "unknown-value", Error,
        "A field has a word that the client does not know.",
        "Use one of the words the client knows.";
    /// A time limit that is not above zero.
    TIMEOUT_NOT_POSITIVE = "timeout-not-positive", Error,
        "A time limit is zero or negative.",
        "Write a number of seconds above zero; fractions work.";
    /// A time limit that looks like milliseconds.
    TIMEOUT_IN_MILLISECONDS = "timeout-in-milliseconds", Info,
        "A time limit is so long that milliseconds were probably meant; the client counts seconds.",
        "Write the limit in seconds.";
    /// A handler of a type the client does not know.
    UNKNOWN_HANDLER_TYPE = "unknown-handler-type", Error,
        "A handler has a type that the client does not know.",
        "Use command, http, mcp_tool, prompt or agent.";
    /// A handler of a type that the event does not run.
    HANDLER_TYPE_NOT_RUN_HERE = "handler-type-not-run-here", Error,
        "The event does not run handlers of this type: it fails each time and blocks nothing.",
        "Write it as a command.";
    /// A key the client does not know.
    UNKNOWN_FIELD = "unknown-field", Warning,
        "The client does not know this key and ignores it.",
        "Remove it, or correct its spelling.";
    /// A key that has no effect where it stands.
    NO_EFFECT_HERE = "no-effect-here", Warning,
        "The client accepts this key here and does nothing with it.",
        "Remove it, or move it to where it counts.";
    /// A command without text.
    EMPTY_COMMAND = "empty-command", Warning,
        "The command is empty: it is accepted and does nothing useful.",
        "Write the command, or remove the handler.";
    /// A matcher that is no JavaScript regular expression.
    MATCHER_NOT_REGEX = "matcher-not-regex", Error,
        "The matcher is not a valid JavaScript regular expression, so the group never runs and nothing is said.",
        "Correct the expression, or write exact names separated by `|`.";
    /// A matcher that no engine here can run.
    MATCHER_CANNOT_RUN = "matcher-cannot-run", Warning,
        "The matcher is valid JavaScript that cannot be run here; its hooks run, but only what restrains counts.",
        "Write a simpler expression.";
    /// A matcher on an event that ignores it.
    MATCHER_IGNORED = "matcher-ignored", Warning,
        "The event ignores matchers, so the group runs every time.",
        "Remove the matcher; test for the condition in the hook.";
    /// A matcher that looks like a permission rule.
    MATCHER_LOOKS_LIKE_RULE = "matcher-looks-like-rule", Warning,
        "The matcher looks like a permission rule, but it is read as a regular expression over the tool's name.",
        "Write the tool's name in `matcher` and the rule in the handler's `if`.";
    /// A matcher that differs from a known value in letter case only.
    MATCHER_LETTER_CASE = "matcher-letter-case", Warning,
        "The matcher differs from a name the client knows in letter case only, so it matches nothing.",
        "Write the name in the client's letter case.";
    /// A matcher that names a tool server and none of its tools.
    MATCHER_NAMES_A_SERVER = "matcher-names-a-server", Warning,
        "The matcher names a tool server and none of its tools, so it matches nothing.",
        "Append `__.*` for all tools of the server.";
    /// A handler in the background of an event that can block.
    ASYNC_DECIDES_NOTHING = "async-decides-nothing", Warning,
        "The handler runs in the background, so nothing it says can block what the event is about.",
        "Remove `async`, unless the handler only watches.";
    /// A condition on an event that never evaluates it.
    CONDITION_NEVER_HOLDS = "condition-never-holds", Error,
        "The event never evaluates `if`, so a handler that has one never runs here.",
        "Remove `if`, or use a tool event.";
    /// A condition that is no permission rule.
    CONDITION_NOT_A_RULE = "condition-not-a-rule", Error,
        "`if` is not a permission rule, so the handler never runs.",
        "Write one rule, such as Bash(git *).";
    /// The same handler again.
    DUPLICATE_HANDLER = "duplicate-handler", Warning,
        "The same handler stands again further down; only the last copy runs, with its own settings.",
        "Keep one copy.";
    /// A plugin's placeholder outside a plugin.
    PLUGIN_PLACEHOLDER = "plugin-placeholder", Error,
        "A plugin's placeholder stands in a hook that belongs to no plugin, so the hook fails each time.",
        "Use ${CLAUDE_PROJECT_DIR}.";
    /// A plugin option in a shell text.
    OPTION_IN_SHELL = "option-in-shell", Error,
        "A plugin option's placeholder stands in a shell text, where the client refuses to run it.",
        "Use $CLAUDE_PLUGIN_OPTION_<KEY>, or the form with `args`.";
    /// A manifest that names other hook files.
    HOOKS_FILE_NAMED = "hooks-file-named", Info,
        "The manifest names files that hold its hooks; they are read as documents of their own.",
        "Give those files to the reader as well.";
    /// A head that is no YAML.
    NOT_YAML = "not-yaml", Error,
        "The head of a skill, command or agent is not YAML that can be read, so none of its hooks runs.",
        "Correct the text between the two `---` lines.";
    /// Hooks in the head of a plugin's agent.
    PLUGIN_AGENT = "plugin-agent", Warning,
        "Hooks in the head of a plugin's agent are ignored.",
        "Put the hooks into the plugin's hooks file.";
}
