//! The keys of Cursor's own file as one table, which the reader, its messages and the schema read.

use hooks_core::evidence::{Basis, Evidence};

use super::DEFAULT_LOOP_LIMIT;

/// A kind of hook, by the word in `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A command line.
    Command,
    /// A question to a model.
    Prompt,
}

impl Kind {
    /// The kinds, in the order of Cursor's page. The first one is meant where `type` is absent.
    pub const ALL: [Self; 2] = [Self::Command, Self::Prompt];

    /// The word for it in `type`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Prompt => "prompt",
        }
    }

    /// What such a hook does, in a sentence (hooks page, options and prompt hooks).
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Command => "Runs `command`, which reads one JSON object and answers with one.",
            Self::Prompt => {
                "Asks a model `prompt`, which answers that it is fine or not. Cloud agents run none, and neither does a \
                 `phase1` host."
            }
        }
    }

    /// The kind with this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The key that a hook of this kind must have.
    #[must_use]
    pub const fn needs(self) -> &'static Key {
        match self {
            Self::Command => &COMMAND,
            Self::Prompt => &PROMPT,
        }
    }
}

/// What a key's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text,
    /// The word of a [`Kind`].
    Kind,
    /// A regular expression as text.
    Pattern,
    /// A number of seconds above zero.
    Seconds,
    /// True or false.
    Flag,
    /// A whole number from 0, or null for no limit.
    Limit,
    /// A whole number above zero.
    Version,
    /// An object with an array of hooks for each event.
    Events,
}

/// What holds where a key is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// Nothing to say: the key is required where it is read, or the client chooses.
    Unsaid,
    /// The first [`Kind`].
    Kind,
    /// False.
    False,
    /// This number.
    Number(u32),
    /// The event's timeout ([`Options::default_timeout_s`](crate::Options::default_timeout_s)).
    Timeout,
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The key, as it is written.
    pub name: &'static str,
    /// The only kind of hook that reads it; `None` for every kind, and for keys outside hooks.
    pub of: Option<Kind>,
    /// What its value is. A kind of hook that does not read a key takes any value.
    pub value: Value,
    /// What holds where it is absent.
    pub absent: Absent,
    /// What it is for, in one or two sentences of Markdown.
    pub about: &'static str,
    /// Values as people write them.
    pub examples: &'static [&'static str],
    /// How it is known.
    pub evidence: Evidence,
}

const OPTIONS: Evidence = Evidence::new(Basis::Documented, "hooks page, options");

const fn key(name: &'static str, value: Value, about: &'static str, evidence: Evidence) -> Key {
    Key { name, of: None, value, absent: Absent::Unsaid, about, examples: &[], evidence }
}

/// `version` of a file.
pub static VERSION: Key = key(
    "version",
    Value::Version,
    "The version of the format: write 1. Any whole number above zero is taken, as Cursor's page says since September \
     2026; before that the page gave the key a default of 1. A `phase1` host takes the number 1 only, so that a later \
     format is not read with today's meaning.",
    Evidence::new(Basis::Documented, "hooks page of September 2026, configuration"),
);

/// `hooks` of a file.
pub static HOOKS: Key = key(
    "hooks",
    Value::Events,
    "The hooks, in an array for each event.",
    Evidence::new(Basis::Documented, "hooks page, configuration"),
);

/// The keys of a file that are read; others are left alone without a word.
pub static FILE: [&Key; 2] = [&VERSION, &HOOKS];

/// `command` of a hook.
pub static COMMAND: Key = Key {
    of: Some(Kind::Command),
    examples: &[".cursor/hooks/check.sh", "node .cursor/hooks/audit.mjs --strict"],
    ..key(
        "command",
        Value::Text,
        "What a shell runs. A relative path in it is found from the project's root for a project's hooks, and from the \
         file's own folder for hooks of a user, a team or an enterprise.",
        OPTIONS,
    )
};

/// `type` of a hook.
pub static TYPE: Key = Key {
    absent: Absent::Kind,
    ..key("type", Value::Kind, "What kind of hook it is; a command where the key is absent.", OPTIONS)
};

/// `timeout` of a hook.
pub static TIMEOUT: Key = Key {
    absent: Absent::Timeout,
    ..key(
        "timeout",
        Value::Seconds,
        "Seconds after which the hook is ended and counts as failed; fractions are fine. Cursor's page calls the default \
         the platform's; 60 was seen with a client of 2026.",
        OPTIONS,
    )
};

/// `matcher` of a hook.
pub static MATCHER: Key = key(
    "matcher",
    Value::Pattern,
    "Which occurrences the hook is for: a JavaScript regular expression, searched for anywhere and with its letter case. \
     Absent, empty and `*` mean every one. One that does not compile keeps its hook from running. \
     A `phase1` host reads Rust's regular expressions.",
    Evidence::new(Basis::Documented, "hooks page of September 2026, matchers; `create-hook` skill, matchers"),
);

/// `failClosed` of a hook.
pub static FAIL_CLOSED: Key = Key {
    absent: Absent::False,
    ..key(
        "failClosed",
        Value::Flag,
        "Whether the hook blocks when it crashes, takes too long, exits with an error or says nothing; otherwise what it \
         guards goes on then.",
        Evidence::new(Basis::Documented, "hooks page of September 2026, failClosed"),
    )
};

/// `loop_limit` of a hook.
pub static LOOP_LIMIT: Key = Key {
    absent: Absent::Number(DEFAULT_LOOP_LIMIT),
    ..key(
        "loop_limit",
        Value::Limit,
        "How often in a row the hook can make the agent go on; null for no limit.",
        OPTIONS,
    )
};

/// `prompt` of a hook.
pub static PROMPT: Key = Key {
    of: Some(Kind::Prompt),
    examples: &["Does this command delete anything outside the project? $ARGUMENTS"],
    ..key(
        "prompt",
        Value::Text,
        "What the model is asked. `$ARGUMENTS` is replaced by the hook's input; where it is missing, the input stands at \
         the end.",
        Evidence::new(Basis::Documented, "hooks page, prompt hooks"),
    )
};

/// `model` of a hook.
pub static MODEL: Key = Key {
    of: Some(Kind::Prompt),
    ..key(
        "model",
        Value::Text,
        "The model that is asked; a fast one where the key is absent.",
        Evidence::new(Basis::Documented, "hooks page, prompt hooks"),
    )
};

/// The keys of a hook that are read.
pub static HOOK: [&Key; 8] = [&COMMAND, &TYPE, &TIMEOUT, &MATCHER, &FAIL_CLOSED, &LOOP_LIMIT, &PROMPT, &MODEL];
