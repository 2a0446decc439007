//! Every diagnostic this adapter gives, in one table. `about` is the conformance vectors' word for the fault.

use hooks_core::diagnostic::{Code, Severity};

macro_rules! codes {
    ($( $name:ident, $id:literal $(as $about:literal)?, $severity:ident, $summary:literal, $help:literal; )*) => {
        $(
            #[doc = $summary]
            pub static $name: Code = Code {
                id: concat!("codex/", $id),
                about: about!($id $(, $about)?),
                severity: Severity::$severity,
                summary: $summary,
                help: $help,
            };
        )*

        /// Every code.
        pub static CODES: &[&Code] = &[ $( &$name, )* ];
    };
}

/// The vectors' word: the code's own name, unless they know the fault under a wider one.
macro_rules! about {
    ($id:literal) => {
        $id
    };
    ($id:literal, $about:literal) => {
        $about
    };
}

codes! {
    NOT_JSON, "not-json", Error,
        "The file is not JSON, so Codex takes nothing from it.",
        "Write strict JSON in UTF-8: no comments, no trailing commas, no byte order mark.";
    BYTE_ORDER_MARK, "byte-order-mark" as "not-json", Error,
        "The file starts with a byte order mark, so Codex takes nothing from it.",
        "Save it as UTF-8 without a byte order mark.";
    COMMENT, "comment" as "not-json", Error,
        "The file holds a comment, which JSON does not have, so Codex takes nothing from it.",
        "Remove it; words for readers fit into `description`.";
    TRAILING_COMMA, "trailing-comma" as "not-json", Error,
        "A comma stands before a closing bracket, so Codex takes nothing from the file.",
        "Remove the comma.";
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
    EVENT_OUTSIDE_HOOKS, "event-outside-hooks", Warning,
        "An event stands at the root of a TOML file, where Codex looks for no hooks, so they never run.",
        "Put it below `hooks`: `[[hooks.Stop]]`, then `[[hooks.Stop.hooks]]`.";
    KEY_NEARLY_RIGHT, "key-nearly-right", Warning,
        "A key at the root of a TOML file is nearly one that is about hooks; Codex does not read it as that.",
        "Write the key that is meant.";
    UNDOCUMENTED_EVENT, "undocumented-event", Info,
        "Codex has the event and does not document it: what its hooks get and do may change without a word.",
        "Use a documented event where one does.";
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
        "The matcher, or a part of it, matches nothing that Codex could compare it with.",
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
    ASYNC_CANNOT_BLOCK, "async-cannot-block", Warning,
        "A handler runs in the background on an event that can block: whatever it answers, nothing is held back.",
        "Remove `async` if the handler shall decide anything.";
    TIMEOUT_IN_MILLISECONDS, "timeout-in-milliseconds", Warning,
        "The timeout is so large that milliseconds were probably meant; Codex counts seconds.",
        "Divide by 1000.";
    TIMEOUT_RAISED, "timeout-raised", Warning,
        "The timeout is below one second; Codex makes it one.",
        "Write whole seconds, at least 1.";
    TIMEOUT_CAPPED, "timeout-capped", Warning,
        "The timeout is above what the event allows; Codex lowers it.",
        "Write at most what the event allows.";
    CONTEXT_LIMIT_IGNORED, "context-limit-ignored", Warning,
        "The event takes no context from hooks, so the limit has no effect.",
        "Remove it.";
    CONTEXT_LIMIT_OFF, "context-limit-off", Info,
        "A context limit of 0 is no limit: everything the handler prints goes to the model.",
        "Write a number of tokens, or leave the key out for 2,500.";
    PLACEHOLDER_LEADS_NOWHERE, "placeholder-leads-nowhere", Warning,
        "A placeholder in an `mcp_tool` input names nothing in the event's payload, so every run fails before the tool is called.",
        "Write a path that the event's payload has, such as `${tool_input.command}` on tool events.";
    PLUGIN_PATH_IGNORED, "plugin-path-ignored", Warning,
        "What a plugin's manifest says of hooks is no path inside the plugin, so Codex does not load it.",
        "Write a path that starts with `./` and has no `..` in it, or put the hooks themselves there.";
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
    TRUST_HASH_MALFORMED, "trust-hash-malformed", Warning,
        "A trust record's hash is none that Codex could have written, so it trusts nothing.",
        "Let Codex write the record: review the hook in its `/hooks` screen.";
    TRUST_RECORD_WITHOUT_HOOK, "trust-record-without-hook", Info,
        "A trust record is about a place where no hook stands; it counts for nothing.",
        "Remove it, or review the hooks again if they have moved.";
    HOOK_UNTRUSTED, "hook-untrusted", Warning,
        "No trust record knows this hook, so Codex does not run it until somebody has reviewed it.",
        "Open `/hooks` in Codex, read the hook, and trust it there.";
    HOOK_MODIFIED, "hook-modified", Warning,
        "The hook is another one than was reviewed, so Codex does not run it until somebody has reviewed it again.",
        "Open `/hooks` in Codex, read the hook again, and trust it there; or undo the change.";
    HOOK_DISABLED, "hook-disabled", Info,
        "A trust record switches this hook off.",
        "Remove `enabled = false` from the record, or the hook.";
    PROJECT_NOT_TRUSTED, "project-not-trusted", Warning,
        "The user's configuration does not trust the project, so Codex reads none of its hooks.",
        "Trust the project in Codex if you know what is in it.";
    ONLY_MANAGED_HOOKS, "only-managed-hooks", Warning,
        "Managed requirements allow managed hooks only, so nothing in this file runs.",
        "Ask whoever manages Codex to take the hooks over into requirements.toml.";
}
