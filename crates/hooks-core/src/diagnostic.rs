//! What tools tell people: every "this will not do what you think" is one diagnostic.
//!
//! ```
//! use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
//!
//! static TIMEOUT_NOT_POSITIVE: Code = Code {
//!     id: "example/timeout-not-positive",
//!     about: "timeout-not-positive",
//!     severity: Severity::Error,
//!     summary: "A time limit is zero or less.",
//!     help: "Write a number of seconds above zero.",
//! };
//! let diagnostic = Diagnostic::new(&TIMEOUT_NOT_POSITIVE, Reach::Entry, "`timeout` is 0")
//!     .at(31..32)
//!     .pointer("/hooks/stop/0/timeout");
//! assert_eq!(diagnostic.help, "Write a number of seconds above zero.");
//! ```

use std::borrow::Cow;
use std::ops::Range;

use serde::{Serialize, Serializer};

/// How loud a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Probably not what was meant.
    Warning,
    /// Something is lost.
    Error,
}

impl Severity {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What a fault takes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reach {
    /// Nothing.
    None,
    /// One definition.
    Entry,
    /// A group of them.
    Group,
    /// All of an event.
    Event,
    /// The document.
    File,
    /// The plugin.
    Plugin,
    /// The client's whole configuration.
    ClientConfig,
    /// The session.
    Session,
}

impl Reach {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Entry => "entry",
            Self::Group => "group",
            Self::Event => "event",
            Self::File => "file",
            Self::Plugin => "plugin",
            Self::ClientConfig => "client-config",
            Self::Session => "session",
        }
    }
}

/// One kind of diagnostic, declared in the table of the crate that gives it.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable id: the crate's word, a slash, and a kebab-case name.
    pub id: &'static str,
    /// The word the conformance vectors have for this fault.
    pub about: &'static str,
    /// How loud it is unless a case says otherwise.
    pub severity: Severity,
    /// What is wrong, in a sentence; pages and `explain` show it.
    pub summary: &'static str,
    /// What to write instead.
    pub help: &'static str,
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id)
    }
}

/// Another place that a diagnostic points to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Related {
    /// What is there.
    pub message: String,
    /// The path of the other document; `None` for the diagnostic's own.
    pub path: Option<String>,
    /// The bytes in that document.
    pub range: Range<usize>,
}

/// A change that would mend a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// The bytes to replace.
    pub range: Range<usize>,
    /// What to put there.
    pub text: String,
}

/// One thing to tell a person about a document or a definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Which kind.
    pub code: &'static Code,
    /// How loud.
    pub severity: Severity,
    /// What is wrong, with the names that stand in the document.
    pub message: String,
    /// What to write instead.
    pub help: Cow<'static, str>,
    /// The path of the document; empty until the parse that made it knows.
    pub path: String,
    /// The bytes concerned.
    pub range: Option<Range<usize>>,
    /// The JSON pointer of the value concerned, where there is one.
    pub pointer: Option<String>,
    /// What the fault takes with it.
    pub reach: Reach,
    /// Whether the vendor itself says nothing about it.
    pub silent: bool,
    /// Other places.
    pub related: Vec<Related>,
    /// Changes that would mend it, together; they do not overlap.
    pub edits: Vec<Edit>,
    /// What making those changes does to the hooks: "the hook will run", say. `None` where it changes nothing of what
    /// they do, or where there are no edits.
    pub changes: Option<Cow<'static, str>>,
}

impl Diagnostic {
    /// A diagnostic of a kind, with the kind's severity and help, and no place yet.
    #[must_use]
    pub fn new(code: &'static Code, reach: Reach, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity,
            message: message.into(),
            help: Cow::Borrowed(code.help),
            path: String::new(),
            range: None,
            pointer: None,
            reach,
            silent: false,
            related: Vec::new(),
            edits: Vec::new(),
            changes: None,
        }
    }

    /// With the bytes concerned.
    #[must_use]
    pub fn at(mut self, range: Range<usize>) -> Self {
        self.range = Some(range);
        self
    }

    /// With the JSON pointer of the value concerned.
    #[must_use]
    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// With a severity of its own.
    #[must_use]
    pub const fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// With help of its own.
    #[must_use]
    pub fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = help.into();
        self
    }

    /// Marked as something the vendor itself says nothing about.
    #[must_use]
    pub const fn silent(mut self) -> Self {
        self.silent = true;
        self
    }

    /// With another place.
    #[must_use]
    pub fn related(mut self, message: impl Into<String>, range: Range<usize>) -> Self {
        self.related.push(Related { message: message.into(), path: None, range });
        self
    }

    /// With a place in another document.
    #[must_use]
    pub fn related_in(mut self, path: impl Into<String>, message: impl Into<String>, range: Range<usize>) -> Self {
        self.related.push(Related { message: message.into(), path: Some(path.into()), range });
        self
    }

    /// With a change that would mend it.
    #[must_use]
    pub fn edit(mut self, range: Range<usize>, text: impl Into<String>) -> Self {
        self.edits.push(Edit { range, text: text.into() });
        self
    }

    /// Says what making the edits changes in what the hooks do.
    #[must_use]
    pub fn changes(mut self, what: impl Into<Cow<'static, str>>) -> Self {
        self.changes = Some(what.into());
        self
    }
}
