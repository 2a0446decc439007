//! Where a vendor's documents lie, and which variables its hooks get: data that a runtime and a checker read.

use crate::evidence::Evidence;
use crate::source::{Origin, Role, Syntax};

/// A family of operating systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Platform {
    /// Linux and the like.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

/// What a location's path is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Base {
    /// Nothing: the path is absolute.
    Absolute,
    /// The user's home folder.
    Home,
    /// The folder an environment variable names; where it is not set, the given folder under the home folder.
    Variable {
        /// The variable.
        name: &'static str,
        /// The folder under the home folder that stands in for it.
        home_default: &'static str,
    },
    /// The project's root.
    Project,
    /// Every folder from the project's root down to the working directory.
    ProjectToCwd,
    /// The same; in a linked git worktree the main checkout's folders that match them, in their place.
    CheckoutToCwd,
}

/// Which working directory a location's hooks get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HookCwd {
    /// The session's.
    Session,
    /// The project's root.
    ProjectRoot,
    /// The folder the document lies in.
    Document,
}

/// One place where a document of a vendor may lie.
#[derive(Clone, Copy, Debug)]
pub struct Location {
    /// The origin of what is found there.
    pub origin: Origin,
    /// What is looked for in it.
    pub role: Role,
    /// Its language.
    pub syntax: Syntax,
    /// The platform it is for; `None` for all.
    pub platform: Option<Platform>,
    /// What the path is relative to.
    pub base: Base,
    /// The path, with `/`. A `*` in its last part stands for any text of a file's name: each file is a document.
    pub path: &'static str,
    /// The vendor's precedence: a lower number is loaded first.
    pub precedence: i16,
    /// The working directory of hooks found there.
    pub cwd: HookCwd,
    /// How it is known.
    pub evidence: Evidence,
}

/// A variable of a hook's environment that a vendor's contract speaks of, or that people expect of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookVariable {
    /// Its name. A `*` at the end stands for any ending.
    pub name: &'static str,
    /// Which hooks get it.
    pub given: Given,
    /// Whether its value is the path of a folder or file, which may hold blanks.
    pub is_path: bool,
}

/// Which hooks get a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Given {
    /// All.
    Always,
    /// All, in some sessions.
    Sometimes,
    /// A plugin's.
    Plugins,
    /// Those of these events.
    Events(Vec<&'static str>),
    /// None: people use it, and the vendor sets no such variable.
    Never {
        /// Where what it was meant to hold stands instead.
        instead: &'static str,
    },
}

impl HookVariable {
    /// A variable that is no path.
    #[must_use]
    pub const fn new(name: &'static str, given: Given) -> Self {
        Self { name, given, is_path: false }
    }

    /// A variable that is a path.
    #[must_use]
    pub const fn path(name: &'static str, given: Given) -> Self {
        Self { name, given, is_path: true }
    }

    /// Whether it is the variable of a name.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        match self.name.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == self.name,
        }
    }

    /// Whether a hook of an event gets it, in some session at least.
    #[must_use]
    pub fn reaches(&self, event: &str, is_plugins: bool) -> bool {
        match &self.given {
            Given::Always | Given::Sometimes => true,
            Given::Plugins => is_plugins,
            Given::Events(events) => events.contains(&event),
            Given::Never { .. } => false,
        }
    }
}
