//! Every diagnostic this adapter gives, in one table. `about` is the conformance vectors' word for the fault.

use hooks_core::diagnostic::{Code, Severity};

macro_rules! codes {
    ($( $name:ident, $id:literal, $severity:ident, $summary:literal, $help:literal; )*) => {
        $(
            #[doc = $summary]
            pub static $name: Code = Code {
                id: concat!("codex/", $id),
                about: $id,
                severity: Severity::$severity,
                summary: $summary,
                help: $help,
            };
        )*

        /// Every code.
        pub static CODES: &[&Code] = &[ $( &$name, )* ];
    };
}

codes! {
    NOT_JSON, "not-json", Error,
        "The file is not JSON, so Codex takes nothing from it.",
        "Write strict JSON in UTF-8: no comments, no trailing commas, no byte order mark.";
    NOT_TOML, "not-toml", Error,
        "The file is not TOML, so Codex does not load it.",
        "Mend the syntax.";
    NOT_AN_OBJECT, "not-an-object", Warning,
        "The document is an array; Codex accepts it and finds no hooks in it.",
        "Write an object: {\"hooks\": {...}}.";
    UNKNOWN_ROOT_KEY, "unknown-root-key", Error,
        "hooks.json has a key at its root that Codex does not know, so it drops the whole file.",
        "Keep only `description` and `hooks` at the root; events belong inside `hooks`.";
    WRONG_TYPE, "wrong-type", Error,
        "A value has the wrong type, so Codex drops all hooks of the file.",
        "Write a value of the type that is named.";
    MISSING_FIELD, "missing-field", Error,
        "A handler lacks a field it needs, so Codex drops all hooks of the file.",
        "Add the field.";
    UNKNOWN_HANDLER_TYPE, "unknown-handler-type", Error,
        "A handler has a type that Codex does not know, so it drops all hooks of the file.",
        "Write `command` or `mcp_tool`, in lower case.";
    DUPLICATE_EVENT, "duplicate-event", Error,
        "An event stands twice, so Codex drops all hooks of the file.",
        "Put all groups of an event into one list.";
    DUPLICATE_KEY, "duplicate-key", Error,
        "A key stands twice, so Codex drops all hooks of the file.",
        "Remove one of them.";
    NULL_IN_MCP_INPUT, "null-in-mcp-input", Error,
        "The input of an `mcp_tool` handler holds a null, so Codex drops all hooks of the file.",
        "Leave the key out.";
    UNKNOWN_EVENT, "unknown-event", Warning,
        "Codex has no event of this name and ignores its hooks without a word.",
        "Write one of Codex's event names, with their letter case.";
    UNKNOWN_FIELD, "unknown-field", Warning,
        "Codex does not know this field and ignores it without a word.",
        "Remove it, or write the field that is meant.";
    HANDLER_IN_PLACE_OF_GROUP, "handler-in-place-of-group", Error,
        "A handler stands where a group belongs: Codex reads an empty group and runs nothing.",
        "Wrap it: {\"hooks\": [ ... ]}.";
    MATCHER_NOT_REGEX, "matcher-not-regex", Warning,
        "A matcher is no regular expression of Rust's regex crate, so Codex skips the group.",
        "Mend it; look-around and back-references do not exist there.";
    MATCHER_IGNORED, "matcher-ignored", Warning,
        "The event ignores matchers, so the group's hooks always run.",
        "Remove the matcher, or check in the hook itself.";
    MATCHER_NEVER_MATCHES, "matcher-never-matches", Warning,
        "A part of the matcher is compared as a whole word and equals nothing that Codex could compare it with.",
        "Write the whole name, or a regular expression such as `mcp__server__.*`.";
    EMPTY_COMMAND, "empty-command", Warning,
        "A handler's command is blank, so Codex skips it.",
        "Write the command, or remove the handler.";
    PROMPT_HANDLER_SKIPPED, "prompt-handler-skipped", Warning,
        "Codex reads prompt handlers and skips them.",
        "Write it as a command.";
    AGENT_HANDLER_SKIPPED, "agent-handler-skipped", Warning,
        "Codex reads agent handlers and skips them.",
        "Write it as a command.";
    EMPTY_MCP_TARGET, "empty-mcp-target", Warning,
        "An `mcp_tool` handler names no server or no tool, so Codex skips it.",
        "Name both.";
    MCP_TOOL_SKIPPED, "mcp-tool-skipped", Warning,
        "The event takes no `mcp_tool` handlers, so Codex skips it.",
        "Write it as a command.";
    ASYNC_HANDLER_SKIPPED, "async-handler-skipped", Warning,
        "This version of Codex skips handlers with `async` set.",
        "Remove `async`.";
    ASYNC_RUNS_SYNCHRONOUSLY, "async-runs-synchronously", Warning,
        "The event takes no background handlers: Codex runs it in the foreground.",
        "Remove `async`.";
    TIMEOUT_RAISED, "timeout-raised", Warning,
        "The timeout is below one second; Codex makes it one.",
        "Write whole seconds, at least 1.";
    TIMEOUT_CAPPED, "timeout-capped", Warning,
        "The timeout is above what the event allows; Codex lowers it.",
        "Write at most what the event allows.";
    CONTEXT_LIMIT_IGNORED, "context-limit-ignored", Warning,
        "The event takes no context from hooks, so the limit has no effect.",
        "Remove it.";
    TWO_DOCUMENTS_IN_ONE_LAYER, "two-documents-in-one-layer", Warning,
        "A folder has hooks in `hooks.json` and in TOML; Codex runs both and warns.",
        "Keep the hooks of a folder in one of them.";
    HOOKS_SWITCHED_OFF, "hooks-switched-off", Warning,
        "The hooks feature is switched off, so no hook runs at all.",
        "Remove the switch.";
    SWITCH_IGNORED, "switch-ignored", Warning,
        "The switch counts in managed requirements only and does nothing here.",
        "Put it into requirements.toml.";
    SWITCH_WRONG_TYPE, "switch-wrong-type", Error,
        "A switch about hooks has the wrong type, so it switches nothing.",
        "Write `true` or `false`, without quotes.";
    TRUST_RECORD_SKIPPED, "trust-record-skipped", Warning,
        "A trust record has a value of the wrong type, so Codex skips the record.",
        "Write `enabled` as a boolean and `trusted_hash` as a string.";
    TRUST_RECORD_IGNORED, "trust-record-ignored", Warning,
        "Codex reads trust records from the user's files and session flags only.",
        "Remove it: a project cannot trust itself.";
}
