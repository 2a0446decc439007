//! Every key of a document that hooks hang on, in one table: what its value must be, and what it means.
//!
//! The reader takes names, kinds and words from here, and so do the schemas; nothing types a key a second time. Unless a
//! row says otherwise, what it says is known from the hooks page's tables of handler fields and held against client
//! 2.1.332 (cases `cfg-*`).
#![cfg_attr(not(feature = "schema"), allow(dead_code, reason = "what the rows say in words is for schemas"))]

mod settings;

use hooks_core::document::Node;
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::handler::HandlerKind::{self, Agent, Command, Http, McpTool, Prompt};

use crate::events::ALL_TYPES;
pub(crate) use settings::{DISABLE_ALL, HTTP_URLS, HTTP_VARIABLES, MANAGED_ONLY, PLUGINS, PLUGINS_ONLY, SETTINGS};

/// What a key's value must be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A text.
    Text,
    /// True or false.
    Flag,
    /// A number of seconds above zero.
    Seconds,
    /// A number.
    Number,
    /// One of these words.
    Word(&'static [Word]),
    /// A list of texts.
    Texts,
    /// A list of anything.
    List,
    /// An object of texts.
    TextMap,
    /// An object.
    Object,
    /// Anything: the client was not seen to refuse a value.
    Any,
}

/// A word that a key can have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// The word.
    pub(crate) word: &'static str,
    /// What it means.
    pub(crate) about: &'static str,
}

impl Kind {
    /// Whether a value is of the kind. Which words and which numbers are allowed is not looked at.
    pub(crate) fn fits(self, node: &Node) -> bool {
        match self {
            Self::Text | Self::Word(_) => node.as_str().is_some(),
            Self::Flag => node.as_bool().is_some(),
            Self::Seconds | Self::Number => node.as_number().is_some(),
            Self::Texts => node.as_array().is_some_and(|items| items.iter().all(|item| item.as_str().is_some())),
            Self::List => node.as_array().is_some(),
            Self::TextMap => {
                node.as_object().is_some_and(|object| object.members.iter().all(|one| one.value.as_str().is_some()))
            }
            Self::Object => node.as_object().is_some(),
            Self::Any => true,
        }
    }

    /// What a value must be, as a phrase.
    pub(crate) const fn phrase(self) -> &'static str {
        match self {
            Self::Text | Self::Word(_) => "a string",
            Self::Flag => "a boolean",
            Self::Seconds => "a number of seconds",
            Self::Number => "a number",
            Self::Texts => "an array of strings",
            Self::List => "an array",
            Self::TextMap => "an object of strings",
            Self::Object => "an object",
            Self::Any => "a value",
        }
    }
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// Its name, in the vendor's spelling.
    pub(crate) name: &'static str,
    /// The types of handler that have it; empty for a key that stands elsewhere.
    pub(crate) types: &'static [HandlerKind],
    /// What its value must be.
    pub(crate) kind: Kind,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// What it means.
    pub(crate) about: &'static str,
    /// What counts where it is absent, as JSON; `None` where that is nothing, or differs by event or system.
    pub(crate) default: Option<&'static str>,
    /// Values it could have, as JSON.
    pub(crate) examples: &'static [&'static str],
    /// How it is known.
    pub(crate) evidence: Evidence,
}

const HANDLERS: Evidence = Evidence::new(Basis::Documented, "hooks page, handler fields; held against client 2.1.332");
const GROUPS: Evidence = Evidence::new(Basis::Observed, "client 2.1.332, cases `cfg-*`; hooks page, configuration");
const PLUGIN_PAGE: Evidence = Evidence::new(Basis::Observed, "client 2.1.332, cases L037 to L044; plugins reference");

const VENDORS_PLUGINS: Evidence =
    Evidence::new(Basis::Documented, "no page; the vendor's own plugin security-guidance, hooks/hooks.json");

/// A key of any kind of handler; the base of the rows.
const KEY: Key = Key {
    name: "",
    types: ALL_TYPES,
    kind: Kind::Text,
    required: false,
    about: "",
    default: None,
    examples: &[],
    evidence: HANDLERS,
};

macro_rules! keys {
    ($( $(#[$doc:meta])* $name:ident = { $($field:ident: $value:expr),* $(,)? }; )*) => {
        $(
            $(#[$doc])*
            pub(crate) static $name: Key = Key { $($field: $value,)* ..KEY };
        )*

        /// The keys of a handler.
        pub(crate) static HANDLER: &[&Key] = &[ $( &$name, )* ];
    };
}

keys! {
    /// What it is.
    TYPE = {
        name: "type",
        required: true,
        about: "What the handler is. An event does not run every type.",
    };
    /// The condition.
    IF = {
        name: "if",
        about: "One permission rule, such as `Bash(git *)`: the handler is started only for calls that the rule covers. \
                Rules are not joined by `&&`, `||` or commas. It is a filter and no guard: a text that cannot be analysed \
                starts the handler.",
        examples: &["\"Bash(git *)\"", "\"Bash(rm *)\"", "\"Edit(src/**)\""],
    };
    /// The time limit.
    TIMEOUT = {
        name: "timeout",
        kind: Kind::Seconds,
        about: "**Seconds** until the handler is cancelled and what it said is thrown away; fractions work.",
        examples: &["5", "30"],
    };
    /// The text beside the spinner.
    STATUS_MESSAGE = {
        name: "statusMessage",
        about: "The text beside the spinner while the handler runs.",
        examples: &["\"Checking the command\""],
    };
    /// One run only.
    ONCE = {
        name: "once",
        kind: Kind::Flag,
        default: Some("false"),
        about: "Removes the handler after its first run that succeeds. It counts in the head of a skill or a command only.",
    };
    /// The shell text or program.
    COMMAND = {
        name: "command",
        types: &[Command],
        required: true,
        about: "The text that the shell runs or, beside `args`, the program. `${CLAUDE_PROJECT_DIR}` stands for the \
                project's folder. The hook finds its input as JSON on standard input.",
        examples: &["\"\\\"${CLAUDE_PROJECT_DIR}\\\"/.claude/hooks/check.sh\""],
    };
    /// The program's arguments.
    ARGS = {
        name: "args",
        types: &[Command],
        kind: Kind::Texts,
        about: "The arguments, one each. With it, an empty list included, the program is started without a shell: nothing \
                is expanded but placeholders such as `${CLAUDE_PROJECT_DIR}`.",
        examples: &["[\"${CLAUDE_PROJECT_DIR}/.claude/hooks/check.py\"]"],
    };
    /// The shell.
    SHELL = {
        name: "shell",
        types: &[Command],
        kind: Kind::Word(&[
            Word { word: "bash", about: "The system's sh, or Git Bash on Windows." },
            Word { word: "powershell", about: "PowerShell (pwsh), or Windows PowerShell where that is missing." },
        ]),
        about: "The shell that runs the text. Without it that is `bash`, or `powershell` on Windows without Git Bash. \
                Beside `args` it has no effect.",
    };
    /// In the background.
    ASYNC = {
        name: "async",
        types: &[Command],
        kind: Kind::Flag,
        default: Some("false"),
        about: "Runs the handler in the background: the client goes on at once, no decision of the handler counts, and \
                its context reaches the model with the next turn.",
    };
    /// In the background, waking the model.
    ASYNC_REWAKE = {
        name: "asyncRewake",
        types: &[Command],
        kind: Kind::Flag,
        default: Some("false"),
        about: "Runs the handler in the background, as `async` does; if it ends with exit code 2, the model is woken and \
                gets what stands on standard error.",
    };
    /// What the model reads when it is woken.
    REWAKE_MESSAGE = {
        name: "rewakeMessage",
        types: &[Command],
        kind: Kind::Any,
        about: "With `asyncRewake`: the text that the model gets before what stands on standard error.",
        examples: &["\"The check that ran in the background found this:\""],
        evidence: VENDORS_PLUGINS,
    };
    /// What a person reads when the model is woken.
    REWAKE_SUMMARY = {
        name: "rewakeSummary",
        types: &[Command],
        kind: Kind::Any,
        about: "With `asyncRewake`: the short text that a person sees when the model is woken.",
        examples: &["\"The check found something\""],
        evidence: VENDORS_PLUGINS,
    };
    /// What a failure comes to.
    ON_FAILURE = {
        name: "onFailure",
        types: &[Command, Http, McpTool],
        kind: Kind::Word(&[
            Word { word: "continue", about: "The client goes on as if the handler had said nothing." },
            Word { word: "block", about: "The failure counts as exit code 2." },
        ]),
        default: Some("\"continue\""),
        about: "What a failure of the handler comes to: it did not start, ran out of time, ended with an exit code other \
                than 0 and 2, or its answer cannot be read. Since client 2.1.295, for tools of tool servers 2.1.328.",
        evidence: Evidence::new(Basis::Documented, "hooks page, onFailure; release notes of 2.1.328, secondary; case L029"),
    };
    /// The address.
    URL = {
        name: "url",
        types: &[Http],
        required: true,
        about: "The address that the input is sent to with `POST`. `allowedHttpHookUrls` of the settings can forbid it.",
        examples: &["\"http://localhost:8080/hooks\""],
    };
    /// The request's headers.
    HEADERS = {
        name: "headers",
        types: &[Http],
        kind: Kind::TextMap,
        about: "Headers of the request. `$NAME` and `${NAME}` stand for variables that `allowedEnvVars` lists.",
        examples: &["{\"Authorization\": \"Bearer $HOOK_TOKEN\"}"],
    };
    /// The variables headers may name.
    ALLOWED_ENV_VARS = {
        name: "allowedEnvVars",
        types: &[Http],
        kind: Kind::Texts,
        about: "The variables that `headers` may name; any other one is replaced by nothing.",
        examples: &["[\"HOOK_TOKEN\"]"],
    };
    /// The tool server.
    SERVER = {
        name: "server",
        types: &[McpTool],
        required: true,
        about: "The tool server's name; that of a plugin's server is `plugin:<plugin>:<server>`. It must be connected.",
        examples: &["\"memory\""],
    };
    /// The server's tool.
    TOOL = {
        name: "tool",
        types: &[McpTool],
        required: true,
        about: "The name of the server's tool. The text of its result is read like a command's standard output.",
        examples: &["\"check\""],
    };
    /// The tool's input.
    INPUT = {
        name: "input",
        types: &[McpTool],
        kind: Kind::Object,
        default: Some("{}"),
        about: "The tool's input. In its texts `${path.to.field}` stands for a value of the hook's input.",
        examples: &["{\"path\": \"${tool_input.file_path}\"}"],
    };
    /// The question to a model.
    PROMPT = {
        name: "prompt",
        types: &[Prompt, Agent],
        required: true,
        about: "What the model is asked. `$ARGUMENTS` stands for the hook's input, which is appended where it is missing; \
                write `\\$` for a dollar sign.",
        examples: &["\"Does this command delete files outside the project? $ARGUMENTS\""],
    };
    /// The model.
    MODEL = {
        name: "model",
        types: &[Prompt, Agent],
        about: "The model that is asked; without it, the one that the client uses in the background.",
        examples: &["\"haiku\""],
    };
    /// Going on after a refusal.
    CONTINUE_ON_BLOCK = {
        name: "continueOnBlock",
        types: &[Prompt],
        kind: Kind::Flag,
        default: Some("false"),
        about: "Whether a refusal goes back to the model as a reason, so that the turn goes on instead of ending.",
    };
}

/// What each type of handler is.
pub(crate) const fn about_type(kind: HandlerKind) -> &'static str {
    match kind {
        Command => "A shell text or a program: JSON on standard input, an exit code and JSON on standard output.",
        Http => "A request: JSON as the body of a POST, JSON as the body of the answer.",
        McpTool => "A tool of a tool server.",
        Prompt => "One question to a model, which answers whether it is fine.",
        _ => "A question to a subagent that can use tools before it answers.",
    }
}

/// A key that stands elsewhere than in a handler.
const ELSEWHERE: Key = Key { types: &[], evidence: GROUPS, ..KEY };

/// Which occurrences a group is for.
pub(crate) static MATCHER: Key = Key {
    name: "matcher",
    about: "Which occurrences the group is for. Absent, empty or `*`: all of them.",
    ..ELSEWHERE
};

/// A group's handlers, and the events of a document.
pub(crate) static HOOKS: Key = Key {
    name: "hooks",
    kind: Kind::List,
    required: true,
    about: "The handlers. All that match run side by side.",
    ..ELSEWHERE
};

/// The keys of a group.
pub(crate) static GROUP: &[&Key] = &[&MATCHER, &HOOKS];

/// The keys of a plugin's hooks file. `hooks` there is the object of events.
pub(crate) static PLUGIN_FILE: &[&Key] = &[
    &Key { kind: Kind::Object, about: "The plugin's hooks, by event.", evidence: PLUGIN_PAGE, ..HOOKS_OF_FILE },
    &Key {
        name: "description",
        kind: Kind::Any,
        about: "What the hooks are for.",
        examples: &["\"Formats files after they were written\""],
        evidence: PLUGIN_PAGE,
        ..ELSEWHERE
    },
    &Key {
        name: "modules",
        kind: Kind::Any,
        about: "Functions that the client loads into itself: another system, which is not read here.",
        evidence: PLUGIN_PAGE,
        ..ELSEWHERE
    },
];

/// The events of a settings file or a head.
pub(crate) const HOOKS_OF_FILE: Key = Key { name: "hooks", kind: Kind::Object, about: "Hooks, by event.", ..ELSEWHERE };
