//! Every diagnostic this adapter gives, in one table. `about` is the conformance vectors' word for the fault: several codes
//! can share one, where the vectors tell less apart.
//!
//! The severity is the one that a fault has by itself. Where it leaves an event unguarded that can block, it is raised to an
//! error; where nothing is lost, it is lowered.

use hooks_core::diagnostic::{Code, Severity};

macro_rules! codes {
    (@about $id:literal) => { $id };
    (@about $id:literal $about:literal) => { $about };
    ($( $(#[$doc:meta])*
        $name:ident = $id:literal $(as $about:literal)?, $severity:ident, $summary:literal, $help:literal; )*) => {
        $(
            $(#[$doc])*
            pub static $name: Code = Code {
                id: concat!("claude/", $id),
                about: codes!(@about $id $($about)?),
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
        "Correct the syntax: the client reads strict JSON only.";
    /// A comment in a document.
    COMMENT_IN_JSON = "comment-in-json" as "not-json", Error,
        "The file has a comment, which strict JSON does not know, so nothing in it applies.",
        "Remove the comment.";
    /// A comma too many.
    TRAILING_COMMA = "trailing-comma" as "not-json", Error,
        "A comma stands before a closing bracket, which strict JSON does not allow, so nothing in the file applies.",
        "Remove the comma.";
    /// A byte order mark before a plugin's document.
    BYTE_ORDER_MARK = "byte-order-mark" as "not-json", Error,
        "A plugin's hooks file starts with a byte order mark, so that it does not load.",
        "Save the file as UTF-8 without a byte order mark.";
    /// The document is JSON, but no object.
    NOT_AN_OBJECT = "not-an-object", Error,
        "The file is JSON but not an object, so nothing in it applies.",
        "Write an object: { \"hooks\": { ... } }.";
    /// A setting beside the hooks has the wrong type.
    INVALID_OTHER_SETTING = "invalid-other-setting", Error,
        "A setting beside the hooks has the wrong type, and the client drops the whole file for it, hooks included.",
        "Give the setting the type the client expects, or remove it.";
    /// A setting that hooks hang on is nearly spelt right.
    SETTING_MISSPELT = "setting-misspelt", Warning,
        "A key is nearly the name of a setting that hooks hang on, but not quite, so the client does not see it.",
        "Write the setting's exact name.";
    /// A key that is nearly `hooks`.
    HOOKS_KEY_MISSPELT = "hooks-key-misspelt", Error,
        "The key that holds the hooks is nearly `hooks`, but not quite, so no hook of this file runs.",
        "Write `hooks`.";
    /// `hooks` is no object.
    HOOKS_NOT_OBJECT = "hooks-not-object", Error,
        "`hooks` is not an object, so no hook of this file runs.",
        "Write an object from event names to arrays of groups.";
    /// Events stand where the `hooks` key should be.
    MISSING_HOOKS_WRAPPER = "missing-hooks-wrapper", Error,
        "The events have no `hooks` key around them: they are not seen, and a plugin with a guard there does not load.",
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
    /// Another key twice.
    REPEATED_KEY = "repeated-key", Warning,
        "A key stands twice in one object; only the last one counts.",
        "Keep one of them.";
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
    TIMEOUT_IN_MILLISECONDS = "timeout-in-milliseconds", Warning,
        "A time limit is so long that milliseconds were probably meant; the client counts seconds.",
        "Write the limit in seconds.";
    /// A time limit above what the event grants.
    TIMEOUT_CAPPED = "timeout-capped", Warning,
        "A time limit is longer than the event grants, so that the handler is ended earlier.",
        "Write a limit that the event grants, and do the work within it.";
    /// A handler of a type the client does not know.
    UNKNOWN_HANDLER_TYPE = "unknown-handler-type", Error,
        "A handler has a type that the client does not know.",
        "Use command, http, mcp_tool, prompt or agent.";
    /// A handler of a type that the event does not run.
    HANDLER_TYPE_NOT_RUN_HERE = "handler-type-not-run-here", Warning,
        "The event does not run handlers of this type: it fails each time and blocks nothing.",
        "Write it as a command.";
    /// A model is asked where its refusal counts for nothing.
    PROMPT_DECIDES_NOTHING = "prompt-decides-nothing", Warning,
        "The event does not heed what a model answers, so a refusal changes nothing.",
        "Write it as a command, which can decide here.";
    /// A tool of a tool server at the start of a session.
    TOOL_SKIPPED_AT_LAUNCH = "tool-skipped-at-launch", Info,
        "Tool servers are not connected yet when a session starts, so the handler is skipped then.",
        "Write it as a command if it must run when the session starts.";
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
    /// A program that only a shell could find.
    EXEC_FORM_NO_SHELL = "exec-form-no-shell", Warning,
        "With `args` no shell is started, so what only a shell understands is taken literally.",
        "Write `${CLAUDE_PROJECT_DIR}` with braces, put each argument into `args`, or leave `args` out.";
    /// A variable that PowerShell does not know.
    POWERSHELL_VARIABLE = "powershell-variable", Warning,
        "In PowerShell `$CLAUDE_PROJECT_DIR` is a variable of PowerShell's own, which is not set, and in single quotes nothing is expanded.",
        "Write `${CLAUDE_PROJECT_DIR}`, which the client replaces, outside single quotes.";
    /// A matcher that is no JavaScript regular expression.
    MATCHER_NOT_REGEX = "matcher-not-regex", Warning,
        "The matcher is not a valid JavaScript regular expression, so the group never runs and nothing is said.",
        "Correct the expression, or write exact names separated by `|`.";
    /// A matcher that means something else in JavaScript.
    MATCHER_NOT_JAVASCRIPT = "matcher-not-javascript", Warning,
        "The matcher uses syntax of other regular expressions, which JavaScript reads as plain letters.",
        "Write `^` and `$` for the ends, and classes such as `[A-Za-z]`.";
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
    /// A matcher that is nearly a known value.
    MATCHER_MISSPELT = "matcher-misspelt", Warning,
        "The matcher is nearly a name the client knows, but not quite, so it probably matches nothing.",
        "Write the exact name.";
    /// A matcher that names a tool server and none of its tools.
    MATCHER_NAMES_A_SERVER = "matcher-names-a-server", Warning,
        "The matcher names a tool server and none of its tools, so it matches nothing.",
        "Append `__.*` for all tools of the server.";
    /// A matcher that is a pattern for file names.
    MATCHER_IS_A_GLOB = "matcher-is-a-glob", Warning,
        "The matcher looks like a pattern for file names; in a regular expression a star repeats what stands before it.",
        "Write `.*` for any text, and test file names in the hook or in the handler's `if`.";
    /// A matcher that takes no value the event has.
    MATCHER_MATCHES_NOTHING = "matcher-matches-nothing", Warning,
        "The matcher, or a part of it, matches no value that the event can have.",
        "Write values that the event has.";
    /// A matcher with a value of another event.
    MATCHER_OF_ANOTHER_EVENT = "matcher-of-another-event", Warning,
        "The matcher has a word that is tested on other events: here it matches nothing.",
        "Write values of this event, or move the group to the event that was meant.";
    /// A matcher that names a tool of the past.
    MATCHER_RETIRED_TOOL = "matcher-retired-tool", Info,
        "The matcher names a tool that current clients no longer have.",
        "Remove the name, or write the tool that took its place.";
    /// A matcher with an empty part.
    MATCHER_EMPTY_PART = "matcher-empty-part", Info,
        "The matcher has an empty part: in a list it matches nothing, in a regular expression everything.",
        "Remove the separator that has nothing beside it.";
    /// A matcher that is no canonical model name.
    MATCHER_NOT_CANONICAL = "matcher-not-canonical", Warning,
        "The matcher has a model's alias or dated name; the event is tested against the canonical name only.",
        "Write the canonical name, such as `claude-opus-4-5`, or an expression such as `claude-opus-.*`.";
    /// A watched name that is a pattern or a path.
    WATCH_NOT_A_NAME = "watch-not-a-name", Warning,
        "The matcher of FileChanged is a list of file names to watch; a pattern or path there names no file.",
        "Write names of files in the working directory, separated by `|`.";
    /// Nothing to watch.
    WATCHES_NOTHING = "watches-nothing", Info,
        "No group of FileChanged in this document names a file to watch, and no other hook here can, so nothing is watched.",
        "Name the files in the matcher, separated by `|`.";
    /// A handler in the background of an event that can block.
    ASYNC_DECIDES_NOTHING = "async-decides-nothing", Warning,
        "The handler runs in the background, so nothing it says can block what the event is about.",
        "Remove `async`, unless the handler only watches.";
    /// A condition on an event that never evaluates it, or one that is seen never to hold.
    CONDITION_NEVER_HOLDS = "condition-never-holds", Warning,
        "The condition never holds where it stands, so the handler never runs.",
        "Remove `if`, or use a tool event.";
    /// A condition that is no permission rule.
    CONDITION_NOT_A_RULE = "condition-not-a-rule", Warning,
        "`if` is not one permission rule, so the handler never runs.",
        "Write one rule, such as Bash(git *); use a handler of its own for each further rule.";
    /// A condition on a tool that the matcher leaves out.
    CONDITION_EXCLUDED_BY_MATCHER = "condition-excluded-by-matcher", Warning,
        "`if` asks for a tool that the group's matcher leaves out, so the handler never runs.",
        "Make the matcher and `if` speak of the same tool.";
    /// A condition on a tool that does not exist.
    CONDITION_NAMES_NO_TOOL = "condition-names-no-tool", Warning,
        "`if` names a tool that is nearly one of the client's, but not quite, so the handler probably never runs.",
        "Write the tool's exact name; letter case counts.";
    /// A header with a variable that may not stand in it.
    HEADER_VARIABLE_NOT_ALLOWED = "header-variable-not-allowed", Warning,
        "A header names a variable that is not allowed there, so it is replaced by nothing.",
        "List the variable in the handler's `allowedEnvVars`, and in the settings' `httpHookAllowedEnvVars` where they have it.";
    /// An allowed variable with more than its name.
    ALLOWED_VARIABLE_NOT_A_NAME = "allowed-variable-not-a-name", Warning,
        "An entry of `allowedEnvVars` is not the plain name of a variable, so it allows nothing.",
        "Write the name alone, without `$` and braces.";
    /// An address that no request can go to.
    URL_NOT_HTTP = "url-not-http", Warning,
        "The address does not start with `http://` or `https://`, so nothing can be sent to it.",
        "Write the whole address.";
    /// An address that the settings do not allow.
    URL_NOT_ALLOWED = "url-not-allowed", Warning,
        "The settings do not allow requests to this address, so the handler fails each time and blocks nothing.",
        "Add a pattern for the address to `allowedHttpHookUrls`.";
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
    /// A path in a manifest that does not start at the plugin's folder.
    MANIFEST_PATH = "manifest-path", Warning,
        "A path in a plugin's manifest does not start with `./`, as the client asks.",
        "Write the path from the plugin's folder, with `./` before it.";
    /// A head that is no YAML.
    NOT_YAML = "not-yaml", Error,
        "The head of a skill, command or agent is not YAML that can be read, so none of its hooks runs.",
        "Correct the text between the two `---` lines.";
    /// Hooks in the head of a plugin's agent.
    PLUGIN_AGENT = "plugin-agent", Warning,
        "Hooks in the head of a plugin's agent are ignored.",
        "Put the hooks into the plugin's hooks file.";
    /// Hooks that a switch in another document turns off.
    SWITCHED_OFF = "switched-off", Warning,
        "A setting in another file turns off the hooks of this one.",
        "Remove the setting, or move what must run to where the setting does not reach.";
    /// A switch that another document overrules.
    SWITCH_OVERRULED = "switch-overruled", Warning,
        "The setting turns hooks off, but a file of higher precedence turns them on again.",
        "Set it in the file that counts, or remove it there.";
}
