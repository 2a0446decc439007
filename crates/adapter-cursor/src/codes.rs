//! Every diagnostic this adapter gives, as one table. `docs/diagnostics/cursor/` has a page on each.

use hooks_core::{Code, Severity};

macro_rules! codes {
    (@about $word:literal) => { $word };
    (@about $word:literal $about:literal) => { $about };
    ($( $(#[$doc:meta])* $name:ident = $word:literal $(about $about:literal)?, $severity:ident, $summary:literal, $help:literal; )*) => {
        $( $(#[$doc])* pub static $name: Code = Code {
            id: concat!("cursor/", $word),
            about: codes!(@about $word $($about)?),
            severity: Severity::$severity,
            summary: $summary,
            help: $help,
        }; )*

        /// Every diagnostic of this adapter.
        pub static CODES: &[&Code] = &[ $( &$name, )* ];
    };
}

codes! {
    /// The document is not JSON, in a way that has no code of its own.
    NOT_JSON = "not-json", Error, "The file is not JSON, so none of its hooks run.",
        "Write strict JSON: double quotes, no comments, no comma before a closing bracket, no byte order mark.";
    /// A byte order mark before the document.
    BYTE_ORDER_MARK = "byte-order-mark" about "not-json", Error,
        "The file starts with a byte order mark, which JSON does not allow, so none of its hooks run.",
        "Save the file as UTF-8 without a byte order mark.";
    /// A comment.
    COMMENT = "comment" about "not-json", Error, "The file holds a comment, which JSON does not have, so none of its hooks run.",
        "Remove the comment.";
    /// A comma too many.
    EXTRA_COMMA = "extra-comma" about "not-json", Error, "A comma has nothing behind it or before it, so none of the file's hooks run.",
        "Remove the comma.";
    /// A comma or a colon that is missing.
    MISSING_COMMA = "missing-comma" about "not-json", Error, "A comma or a colon is missing, so none of the file's hooks run.",
        "Write a comma between values, and a colon behind a key.";
    /// Wrong quotes or none.
    WRONG_QUOTES = "wrong-quotes" about "not-json", Error, "A text or a key stands in other quotes than double ones, so none of the file's hooks run.",
        "Write it in double quotes.";
    /// A bracket or a text that is not closed, or closed too often.
    UNCLOSED = "unclosed" about "not-json", Error, "A bracket or a text is not closed, or closed once too often, so none of the file's hooks run.",
        "Give every bracket and every text one end.";
    /// A value in another language's notation.
    WRONG_NOTATION = "wrong-notation" about "not-json", Error, "A value is written as another language has it, so none of the file's hooks run.",
        "Write the value as JSON has it.";
    /// The version is not one that is read.
    UNSUPPORTED_VERSION = "unsupported-version", Error, "The file's version is not one that is read, so none of its hooks run.",
        "Write \"version\": 1.";
    /// Something that must be there is not.
    MISSING_FIELD = "missing-field", Error, "A required field is missing, so none of the file's hooks run.",
        "Add the field.";
    /// A group of hooks in Claude's shape.
    CLAUDE_SHAPE = "claude-shape" about "missing-field", Error,
        "Hooks are nested in an inner `hooks` as in Claude's settings file, so none of the file's hooks run.",
        "Cursor's entries are flat: write `command` beside `matcher`, without an inner `hooks`.";
    /// A value has another type than its field.
    WRONG_TYPE = "wrong-type", Error, "A value has the wrong type, so none of the file's hooks run.",
        "Write a value of the type that the field has.";
    /// An event that Cursor does not have.
    UNKNOWN_EVENT = "unknown-event", Warning, "An event has a name that Cursor does not know, so its hooks never run.",
        "Use one of Cursor's event names, with their letter case.";
    /// A key that has no meaning.
    UNKNOWN_FIELD = "unknown-field", Warning, "A key has no meaning and is ignored.",
        "Remove it; the keys that are read are command, type, timeout, matcher, failClosed, loop_limit, prompt and model.";
    /// A handler type that Cursor does not have.
    UNKNOWN_HANDLER_TYPE = "unknown-handler-type", Error, "A hook has a type that Cursor does not know.",
        "Write \"command\" or \"prompt\".";
    /// A prompt handler on a host that runs none.
    PROMPT_HANDLER_SKIPPED = "prompt-handler-skipped", Warning, "This host runs no prompt hooks, so the hook never runs.",
        "Write the check as a command.";
    /// A prompt handler as a guard, which cloud agents leave out.
    PROMPT_NOT_IN_CLOUD = "prompt-not-in-cloud", Info, "Cloud agents run no prompt hooks, so that nothing is guarded there.",
        "Write the check as a command if cloud agents work on the project too.";
    /// A timeout of zero or less.
    TIMEOUT_NOT_POSITIVE = "timeout-not-positive", Error, "A timeout is zero or negative, so none of the file's hooks run.",
        "Write a number of seconds above zero, or leave the key out.";
    /// A timeout that was probably meant in milliseconds.
    TIMEOUT_IN_MILLISECONDS = "timeout-in-milliseconds", Warning, "A timeout is so long that milliseconds were probably meant.",
        "Timeouts are in seconds: divide by 1000.";
    /// A matcher that is no regular expression.
    MATCHER_NOT_REGEX = "matcher-not-regex", Warning, "A matcher is not a valid regular expression, so its hook never runs.",
        "Mend the regular expression, or leave the matcher out to match everything.";
    /// A matcher that is valid and cannot be run here.
    MATCHER_CANNOT_RUN = "matcher-cannot-run", Warning,
        "A matcher is valid JavaScript that no engine here can run: the hook always runs, and only what it forbids counts.",
        "Write the regular expression more simply.";
    /// A matcher on an event that tests none.
    MATCHER_IGNORED = "matcher-ignored", Warning, "The event tests no matcher, so the hook runs every time.",
        "Remove the matcher and test in the hook itself.";
    /// A matcher that can match nothing the event has.
    MATCHER_MATCHES_NOTHING = "matcher-matches-nothing", Warning, "A matcher can match nothing that its event is about, so the hook never runs.",
        "Write a matcher for what the event tests, or leave it out.";
    /// A matcher with a name in other letters.
    MATCHER_WRONG_CASE = "matcher-wrong-case", Warning, "A matcher has a name in other letter case than Cursor, so it does not match.",
        "Write the name as Cursor does.";
    /// A matcher with one of Claude's tools.
    MATCHER_CLAUDE_TOOL = "matcher-claude-tool", Warning, "A matcher in Cursor's own file has Claude's name for a tool, which Cursor calls otherwise.",
        "Write Cursor's name for the tool.";
    /// A matcher that is a permission rule.
    MATCHER_PERMISSION_RULE = "matcher-permission-rule", Warning, "A matcher is written as a permission rule and matches nothing.",
        "Match the tool's name with preToolUse, or the command's text with beforeShellExecution.";
    /// A matcher that is a pattern for file names.
    MATCHER_GLOB = "matcher-glob", Warning, "A matcher is written as a pattern for file names, but it is a regular expression.",
        "Write a regular expression, and test file names in the hook itself.";
    /// A matcher with a tool of a tool server in Claude's form, or without the tool.
    MATCHER_MCP_NAME = "matcher-mcp-name", Warning, "A matcher names a tool of an MCP server in a form that Cursor does not have.",
        "Cursor calls such a tool `MCP:` and its own name, without the server's.";
    /// A matcher with a tool that Cursor is not known to have.
    MATCHER_UNKNOWN_TOOL = "matcher-unknown-tool", Warning, "A matcher names a tool that Cursor is not known to have.",
        "Write one of Cursor's names: Shell, Read, Write, Grep, Delete, Task, or MCP: and a tool's name.";
    /// A tool's name where the event tests something else.
    MATCHER_TOOL_NAME = "matcher-tool-name", Warning, "A matcher is a tool's name, but its event tests something else.",
        "Test what the event is about, or use preToolUse.";
    /// An alternative that is empty.
    MATCHER_EMPTY_PART = "matcher-empty-part", Warning, "A matcher has an alternative without text, so it matches everything.",
        "Remove the bar that has nothing on one side, or leave the matcher out.";
    /// A class of characters as POSIX writes it.
    MATCHER_POSIX_CLASS = "matcher-posix-class", Warning, "A matcher has a POSIX class, which means something else in JavaScript.",
        "Write \\s, \\d or a range such as [A-Za-z].";
    /// A blank at an end of a matcher.
    MATCHER_BLANK = "matcher-blank", Info, "A matcher starts or ends with a blank, which is part of it.",
        "Keep the blank if it is meant; `\\b` stands for the start or the end of a word.";
    /// A star as a matcher.
    MATCHER_STAR = "matcher-star", Info, "A matcher is `*`, which means everything only where Cursor's newest page is followed.",
        "Leave the matcher out, which means everything everywhere.";
    /// A policy for failures on an event that cannot block.
    FAIL_CLOSED_IGNORED = "fail-closed-ignored", Info, "Nothing can be blocked on this event, so failClosed has no meaning.",
        "Remove it; it has a meaning on the events that ask for permission and on beforeSubmitPrompt.";
    /// A loop limit above what the host allows.
    LOOP_LIMIT_CAPPED = "loop-limit-capped", Warning, "A loop limit is above this host's cap, which holds instead.",
        "Write a number that is not above the cap.";
    /// No loop limit at all.
    LOOP_LIMIT_NONE = "loop-limit-none", Info, "A hook can make the agent go on without end.",
        "Write a number; 5 holds where the key is absent.";
    /// A loop limit on an event that cannot loop.
    LOOP_LIMIT_IGNORED = "loop-limit-ignored", Warning, "A loop limit has no meaning on this event and is ignored.",
        "Remove it; it has a meaning on stop and subagentStop.";
    /// A loop limit that is no whole number.
    LOOP_LIMIT_INVALID = "loop-limit-invalid", Error, "A loop limit is not a whole number from 0, so none of the file's hooks run.",
        "Write a whole number from 0, or null for no limit.";
    /// An event that this host never fires.
    NEVER_FIRES = "never-fires", Warning, "This host never fires the event, so the hook never runs.",
        "Use an event that this host fires.";
    /// An event that has no place in the host's world.
    NO_BOUNDARY = "no-boundary", Warning, "The event belongs to Cursor's own editor, so the hook never runs elsewhere.",
        "Keep it for Cursor, or use an event of the agent.";
    /// An event of Claude's that Cursor does not take over.
    EVENT_NOT_SUPPORTED = "event-not-supported", Warning, "Cursor takes no hooks of this event over from Claude's settings file.",
        "Use an event that Cursor takes over, or write the hook in Cursor's own file.";
    /// A tool of Claude's that Cursor does not map.
    TOOL_NOT_MAPPED = "tool-not-mapped", Warning, "Cursor has no tool for a name in this matcher of Claude's settings file.",
        "Write the hook in Cursor's own file, with Cursor's name for the tool.";
    /// A key that stands in an object twice.
    REPEATED_KEY = "repeated-key", Warning, "A key stands in an object more than once; only the last one counts.",
        "Keep one of them.";
    /// A hook that stands in an event twice.
    REPEATED_HOOK = "repeated-hook", Warning, "The same hook stands twice on an event, so it runs twice.",
        "Keep one of them.";
    /// One command as a guard on two events of one moment.
    GUARD_ON_TWO_EVENTS = "guard-on-two-events", Info, "One command guards the same moment on two events, so it runs twice and may ask twice.",
        "Keep the event that says more about the moment, or let the command tell the two apart by hook_event_name.";
    /// A plugin's command with a path that is not found from everywhere.
    PLUGIN_RELATIVE_PATH = "plugin-relative-path", Warning,
        "A plugin's command names a file by a relative path, but plugins' hooks do not always run in the plugin's folder.",
        "Write the path from ${CURSOR_PLUGIN_ROOT}, in quotes.";
    /// A command without text.
    EMPTY_COMMAND = "empty-command", Warning, "A command or a prompt has no text, so the hook does nothing.",
        "Write the text, or remove the hook.";
}
