//! One document with its vendor, where it comes from, and what it may say.

use std::fmt;
use std::sync::Arc;

use crate::vendor::VendorId;

/// Where a document comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Origin {
    /// The organisation, beyond anybody's reach.
    Managed,
    /// The team.
    Team,
    /// The user's own folder.
    User,
    /// The project, shared.
    Project,
    /// The project, one person's own.
    Local,
    /// A plugin.
    Plugin,
    /// The command line or the session's settings.
    SessionFlags,
    /// A skill's or agent's text, for its life.
    Frontmatter,
    /// The host itself.
    Host,
}

impl Origin {
    /// The kebab-case word for it, as the vectors spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Team => "team",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Plugin => "plugin",
            Self::SessionFlags => "session-flags",
            Self::Frontmatter => "frontmatter",
            Self::Host => "host",
        }
    }

    /// The origin of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [
            Self::Managed,
            Self::Team,
            Self::User,
            Self::Project,
            Self::Local,
            Self::Plugin,
            Self::SessionFlags,
            Self::Frontmatter,
            Self::Host,
        ]
        .into_iter()
        .find(|origin| origin.as_str() == word)
    }

    /// Whether what comes from here is somebody else's, so that it must be trusted before it runs.
    #[must_use]
    pub const fn needs_trust(self) -> bool {
        matches!(self, Self::Project | Self::Local | Self::Plugin | Self::Frontmatter)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The language a document is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// JSON.
    Json,
    /// TOML.
    Toml,
    /// YAML between `---` lines.
    Yaml,
}

/// What an adapter shall look for in a document. One document can have several roles; adapters read what their vendor
/// reads in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Hook definitions, with the switches and trust records that stand beside them.
    Hooks,
    /// Another vendor's file that this vendor reads too.
    ForeignHooks,
    /// Managed requirements: failing to load them can refuse the session.
    Requirements,
    /// A plugin's manifest.
    PluginManifest,
}

/// How long a document counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Life {
    /// As long as it exists.
    #[default]
    Always,
    /// For one session.
    Session,
    /// While one agent runs.
    Agent(String),
}

/// A plugin a document belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plugin {
    /// Its name.
    pub name: String,
    /// The marketplace it comes from.
    pub marketplace: Option<String>,
    /// Its folder.
    pub root: String,
    /// Its data folder.
    pub data: Option<String>,
}

/// One document. Paths are text, so that a document of another platform can be read anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Whose format it is read as.
    pub vendor: VendorId,
    /// Where it comes from.
    pub origin: Origin,
    /// What is looked for in it.
    pub role: Role,
    /// Its language.
    pub syntax: Syntax,
    /// Its path, or a name for what has none. Shown in reports and part of every binding's id.
    pub path: String,
    /// Its bytes; they need not be UTF-8.
    pub bytes: Arc<[u8]>,
    /// How long it counts.
    pub life: Life,
    /// The plugin it belongs to.
    pub plugin: Option<Plugin>,
}

impl Source {
    /// A document of hooks that counts as long as it exists and belongs to no plugin.
    #[must_use]
    pub fn hooks(
        vendor: VendorId,
        origin: Origin,
        syntax: Syntax,
        path: impl Into<String>,
        bytes: impl Into<Arc<[u8]>>,
    ) -> Self {
        Self {
            vendor,
            origin,
            role: Role::Hooks,
            syntax,
            path: path.into(),
            bytes: bytes.into(),
            life: Life::Always,
            plugin: None,
        }
    }

    /// The folder part of the path, as text; both separators count. Empty when there is none.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.path.rfind(['/', '\\']).and_then(|end| self.path.get(..end)).unwrap_or_default()
    }
}
