//! Which events a person means by a name.

use std::sync::Arc;

use hooks_core::facts::EventFacts;
use hooks_core::{Boundary, Definition, HostSide};

use crate::cli::exit::Trouble;
use crate::cli::near::distance;

/// The events that are fired.
pub(crate) struct Asked {
    /// What was asked for.
    pub text: String,
    /// The boundary they are on.
    pub boundary: Boundary,
    /// The events, with the vendors they belong to.
    pub events: Vec<(Arc<dyn HostSide>, &'static EventFacts)>,
}

impl Asked {
    /// Whether a definition is on one of the events.
    pub(crate) fn concerns(&self, definition: &Definition) -> bool {
        self.events
            .iter()
            .any(|(adapter, event)| *adapter.vendor() == definition.vendor && event.name == definition.place.event)
    }
}

/// The events that a vendor's event name or a boundary's name stands for.
pub(crate) fn resolve(text: &str, adapters: &[Arc<dyn HostSide>]) -> Result<Asked, Trouble> {
    let named: Vec<_> = all(adapters).filter(|(_, event)| event.name == text).collect();
    if !named.is_empty() {
        let mut boundaries: Vec<Boundary> = named.iter().filter_map(|(_, event)| event.boundary).collect();
        boundaries.sort_unstable();
        boundaries.dedup();
        return match boundaries.as_slice() {
            [] => {
                Err(Trouble::usage(format!("`{text}` has no boundary: no host outside its vendor's client fires it")))
            }
            [boundary] => {
                let events = named.into_iter().filter(|(_, event)| event.boundary.is_some()).collect();
                Ok(Asked { text: text.to_owned(), boundary: *boundary, events })
            }
            several => {
                let several: Vec<_> = several.iter().map(|boundary| boundary.name()).collect();
                Err(Trouble::usage(format!(
                    "`{text}` means different things to different vendors: {}",
                    several.join(", ")
                ))
                .help("say whose is meant with --vendor, or name the boundary"))
            }
        };
    }
    if let Ok(boundary) = text.parse::<Boundary>() {
        let events: Vec<_> = all(adapters).filter(|(_, event)| event.boundary == Some(boundary)).collect();
        if events.is_empty() {
            let who: Vec<_> = adapters.iter().map(|adapter| adapter.vendor().as_str()).collect();
            return Err(Trouble::usage(format!("no event of {} is on {boundary}", who.join(", "))));
        }
        return Ok(Asked { text: text.to_owned(), boundary, events });
    }
    Err(unknown(text, adapters))
}

fn all(adapters: &[Arc<dyn HostSide>]) -> impl Iterator<Item = (Arc<dyn HostSide>, &'static EventFacts)> {
    adapters.iter().flat_map(|adapter| adapter.events().iter().map(|event| (Arc::clone(adapter), *event)))
}

fn unknown(text: &str, adapters: &[Arc<dyn HostSide>]) -> Trouble {
    let others = crosshook::adapters();
    let elsewhere: Vec<_> = all(&others).filter(|(_, event)| event.name == text).collect();
    if let Some((adapter, _)) = elsewhere.first() {
        let vendor = adapter.vendor();
        let trouble = Trouble::usage(format!("`{text}` is an event of {vendor}, which is not looked at here"));
        let same = |event: &EventFacts| {
            event.boundary.is_some() && elsewhere.iter().any(|(_, other)| event.boundary == other.boundary)
        };
        let mut here: Vec<String> =
            all(adapters).filter(|(_, event)| same(event)).map(|(_, event)| format!("`{}`", event.name)).collect();
        here.dedup();
        let names = if here.is_empty() { "an event of the vendor that is".to_owned() } else { here.join(" or ") };
        return trouble.help(format!("add --vendor {vendor}, or name {names}"));
    }
    let events = all(adapters).map(|(adapter, event)| (event.name, Some(adapter.vendor().to_string())));
    let boundaries = Boundary::ALL.iter().map(|boundary| (boundary.name(), None));
    let mut close: Vec<(usize, &str, Option<String>)> =
        events.chain(boundaries).filter_map(|(name, vendor)| Some((distance(text, name)?, name, vendor))).collect();
    close.sort();
    let best = close.first().map(|(distance, ..)| *distance);
    close.retain(|(distance, ..)| Some(*distance) == best);
    let mut names: Vec<(&str, Vec<String>)> = Vec::new();
    for (_, name, vendor) in close {
        match names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, vendors)) => vendors.extend(vendor),
            None => names.push((name, vendor.into_iter().collect())),
        }
    }
    let names: Vec<String> = names
        .into_iter()
        .map(|(name, vendors)| match vendors.as_slice() {
            [] => format!("`{name}`"),
            vendors => format!("`{name}` ({})", vendors.join(", ")),
        })
        .collect();
    let trouble = Trouble::usage(format!("`{text}` is neither a vendor's event nor a boundary"));
    if names.is_empty() {
        return trouble.help("name an event such as `PreToolUse`, or a boundary such as `tool.before`");
    }
    trouble.help(format!("did you mean {}?", names.join(" or ")))
}
