//! Handler entries as their documents define them, and as they stand on a boundary.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use crate::boundary::{Boundary, Facet};
use crate::channel::{Channel, Channels};
use crate::handler::Handler;
use crate::matcher::Matcher;
use crate::source::Source;
use crate::vendor::VendorId;

/// A stable name for one definition: the vendor, the source's path, the event, and the place in it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BindingId(Arc<str>);

impl BindingId {
    /// An id from its text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The id of a definition in a source.
    #[must_use]
    pub fn of(source: &Source, place: &Place) -> Self {
        Self::new(&format!("{}:{}#{place}", source.vendor, source.path))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for BindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

/// Where in its document a definition stands, by position in the file: what is skipped keeps its number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The event, as the vendor writes it.
    pub event: String,
    /// The group, from 0; 0 for formats that have no groups.
    pub group: u32,
    /// The place in the group, from 0.
    pub index: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}][{}]", self.event, self.group, self.index)
    }
}

/// What happens when a definition's run fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FailurePolicy {
    /// The action goes on, where the vendor's rule for the event does not say otherwise.
    #[default]
    Open,
    /// The failure blocks, where the event can block.
    Closed,
}

/// How often a definition may make its turn go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopLimit {
    /// As often as it likes.
    Unlimited,
    /// At most so many times in a row.
    AtMost(u32),
}

impl LoopLimit {
    /// The number, `None` for no limit.
    #[must_use]
    pub const fn number(self) -> Option<u32> {
        match self {
            Self::Unlimited => None,
            Self::AtMost(limit) => Some(limit),
        }
    }
}

/// Whether a definition runs, and if not, why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// It runs when it matches.
    #[default]
    Live,
    /// It never runs; the text says why.
    Inert(String),
    /// Nobody trusted it yet.
    Untrusted,
    /// It changed since it was trusted.
    Modified,
    /// A switch turns it off; the text says which.
    Disabled(String),
    /// Its event has no boundary in the host's world.
    NoBoundary,
}

impl State {
    /// The word for it.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Inert(_) => "inert",
            Self::Untrusted => "untrusted",
            Self::Modified => "modified",
            Self::Disabled(_) => "disabled",
            Self::NoBoundary => "no boundary",
        }
    }

    /// The reason, where there is one.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Inert(why) | Self::Disabled(why) => Some(why),
            _ => None,
        }
    }
}

/// One handler entry of a source.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub id: BindingId,
    /// Whose format it is.
    pub vendor: VendorId,
    /// The document it stands in.
    pub source: Arc<Source>,
    /// Where in it.
    pub place: Place,
    /// The bytes it takes up there.
    pub range: Range<usize>,
    /// The boundary its event belongs to; `None` where the host's world has none.
    pub boundary: Option<Boundary>,
    /// Which part of the boundary.
    pub facet: Facet,
    /// What it runs.
    pub handler: Handler,
    /// The matcher's text as written; `None` when there is none.
    pub matcher_text: Option<String>,
    /// The matcher, compiled.
    pub matcher: Matcher,
    /// Further conditions as written, which the adapter evaluates.
    pub condition: Option<String>,
    /// Its time limit.
    pub timeout: Duration,
    /// What a failure means.
    pub failure: FailurePolicy,
    /// How often it may make its turn go on; `None` where that has no meaning.
    pub loop_limit: Option<LoopLimit>,
    /// How much context it may give, in the vendor's unit; `None` for the vendor's default, 0 for no limit.
    pub context_limit: Option<u64>,
    /// The channels its event has.
    pub channels: Channels,
    /// Whether it runs once only.
    pub once: bool,
    /// What is shown while it runs.
    pub status_message: Option<String>,
    /// Definitions with equal keys are copies, of which the last that matches runs; `None` never is one.
    pub dedup_key: Option<String>,
    /// Whether it runs.
    pub state: State,
}

impl Definition {
    /// Whether its event can hold something back: a verdict or a halt.
    #[must_use]
    pub const fn can_block(&self) -> bool {
        self.channels.contains(Channel::Verdict) || self.channels.contains(Channel::Halt)
    }
}

/// A definition registered on a boundary, with its place among all that are.
#[derive(Clone, Debug)]
pub struct Binding {
    /// What is registered.
    pub definition: Arc<Definition>,
    /// Its place in the order in which bindings are declared, over all vendors.
    pub declared: u32,
}

impl Binding {
    /// A binding on its own, as tools and tests use it.
    #[must_use]
    pub fn alone(definition: Definition) -> Self {
        Self { definition: Arc::new(definition), declared: 0 }
    }
}

impl std::ops::Deref for Binding {
    type Target = Definition;

    fn deref(&self) -> &Definition {
        &self.definition
    }
}
