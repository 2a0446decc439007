//! Vendor-blind facts about a host.

use std::collections::BTreeSet;

use crate::boundary::{Boundary, Facet};
use crate::channel::{Channel, Channels};
use crate::handler::HandlerKind;

/// What a host can do. Vendor-blind: what a vendor leaves to its host is an option of that vendor's adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostProfile {
    /// The boundaries and facets it fires; `None` for all.
    pub fires: Option<BTreeSet<(Boundary, Facet)>>,
    /// The channels it can apply.
    pub channels: Channels,
    /// Whether there is anybody to ask.
    pub can_ask: bool,
    /// Whether a call can be put off.
    pub can_defer: bool,
    /// Handlers it can run.
    pub handlers: BTreeSet<HandlerKind>,
    /// Whether every failed evaluation of something that can block blocks.
    pub strict: bool,
}

impl HostProfile {
    /// A host that fires everything and can do everything, run commands only, and is not strict.
    #[must_use]
    pub fn full() -> Self {
        Self {
            fires: None,
            channels: Channels::ALL,
            can_ask: true,
            can_defer: true,
            handlers: BTreeSet::from([HandlerKind::Command]),
            strict: false,
        }
    }

    /// The same host with strictness set.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// The same host with or without somebody to ask.
    #[must_use]
    pub const fn ask(mut self, can_ask: bool) -> Self {
        self.can_ask = can_ask;
        self
    }

    /// The same host able or unable to put calls off.
    #[must_use]
    pub const fn defer(mut self, can_defer: bool) -> Self {
        self.can_defer = can_defer;
        self
    }

    /// The same host with these channels.
    #[must_use]
    pub const fn channels(mut self, channels: Channels) -> Self {
        self.channels = channels;
        self
    }

    /// The same host running these types of handlers.
    #[must_use]
    pub fn handlers(mut self, handlers: impl IntoIterator<Item = HandlerKind>) -> Self {
        self.handlers = handlers.into_iter().collect();
        self
    }

    /// The same host firing only these.
    #[must_use]
    pub fn firing(mut self, fires: impl IntoIterator<Item = (Boundary, Facet)>) -> Self {
        self.fires = Some(fires.into_iter().collect());
        self
    }

    /// Whether it fires a boundary's facet.
    #[must_use]
    pub fn fires(&self, boundary: Boundary, facet: Facet) -> bool {
        self.fires.as_ref().is_none_or(|fires| fires.contains(&(boundary, facet)))
    }

    /// Whether it can apply a channel.
    #[must_use]
    pub const fn applies(&self, channel: Channel) -> bool {
        self.channels.contains(channel)
    }
}
