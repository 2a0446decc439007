//! Every diagnostic this adapter gives, as one table.

use hooks_core::{Code, Severity};

macro_rules! codes {
    ($( $(#[$doc:meta])* $name:ident = $word:literal, $severity:ident, $summary:literal, $help:literal; )*) => {
        $( $(#[$doc])* pub static $name: Code = Code {
            id: concat!("cursor/", $word),
            about: $word,
            severity: Severity::$severity,
            summary: $summary,
            help: $help,
        }; )*

        /// Every diagnostic of this adapter.
        pub static CODES: &[&Code] = &[ $( &$name, )* ];
    };
}

codes! {
    /// The document is not JSON.
    NOT_JSON = "not-json", Error, "The file is not JSON, so none of its hooks run.",
        "Write strict JSON: double quotes, no comments, no comma before a closing bracket, no byte order mark.";
    /// The version is not one that is read.
    UNSUPPORTED_VERSION = "unsupported-version", Error, "The file's version is not one that is read, so none of its hooks run.",
        "Write \"version\": 1.";
    /// Something that must be there is not.
    MISSING_FIELD = "missing-field", Error, "A required field is missing, so none of the file's hooks run.",
        "Add the field.";
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
    /// A loop limit above what the host allows.
    LOOP_LIMIT_CAPPED = "loop-limit-capped", Warning, "A loop limit is above this host's cap, which holds instead.",
        "Write a number that is not above the cap.";
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
    /// A command without text.
    EMPTY_COMMAND = "empty-command", Warning, "A command has no text, so the hook does nothing.",
        "Write the command, or remove the hook.";
}
