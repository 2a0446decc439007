//! The generated parts of `README.md`: every vendor's events, and the number of vectors.

use super::markdown::{code, codes, header, number, row};
use super::{Generated, Sources, Vendor, fixtures, region};

pub(super) fn files(sources: &Sources<'_>) -> Result<Vec<Generated>, String> {
    let vectors = fixtures::vectors(sources.root)?;
    let count = number(vectors.iter().map(|file| file.vectors.len()).sum());
    let parts = [("events", events(sources.vendors)), ("vectors", count)];
    Ok(vec![region::page(sources.root, "README.md", &parts)?])
}

fn events(vendors: &[Vendor]) -> String {
    let mut out = String::new();
    header(&mut out, &["Vendor", "As of client", "Events"]);
    for vendor in vendors {
        let events = codes(vendor.facts.iter().map(|facts| facts.name));
        let title = format!("[{}](docs/events/{}.md), {}", vendor.title, vendor.name, code(vendor.name));
        row(&mut out, &[title, vendor.latest.to_string(), format!("{}: {events}", vendor.facts.len())]);
    }
    out
}
