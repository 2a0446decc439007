//! `docs/boundaries.md`: the host's moments, the events on them, and what a host must do there.

use std::fmt::Write as _;

use hooks_core::boundary::{Boundary, Timing};
use hooks_core::duty::{Part, duty};

use super::markdown::{code, codes, header, preamble, row};
use super::{Generated, Sources, Vendor};

pub(super) fn files(sources: &Sources<'_>) -> Result<Vec<Generated>, String> {
    Ok(vec![Generated::new("docs/boundaries.md", boundaries(sources.vendors))])
}

fn boundaries(vendors: &[Vendor]) -> String {
    let mut out = preamble("`crates/hooks-core/src/boundary.rs`, `duty.rs` and the event tables");
    out.push_str("# Boundaries\n\nThe host's vendor-neutral moments, and the events that belong to them.\n\n");
    let mut columns = vec!["Boundary", "When", "Pending", "A halt stops", "What happens"];
    columns.extend(vendors.iter().map(|vendor| vendor.title));
    header(&mut out, &columns);
    for boundary in Boundary::ALL {
        let info = boundary.info();
        let halts: Vec<_> = info.halts.iter().map(|stop| stop.as_str()).collect();
        let mut cells = vec![
            code(boundary),
            if info.timing == Timing::Before { "before" } else { "after" }.to_owned(),
            if info.pending { "yes" } else { "" }.to_owned(),
            halts.join(", "),
            info.about.to_owned(),
        ];
        for vendor in vendors {
            let events = vendor.facts.iter().filter(|facts| facts.boundary == Some(*boundary));
            cells.push(codes(events.map(|facts| facts.name)));
        }
        row(&mut out, &cells);
    }
    out.push_str("\n# What a host must do with each part of a decision\n");
    for boundary in Boundary::ALL {
        let _ = writeln!(out, "\n## `{boundary}`\n");
        header(&mut out, &["Part", "What the host does"]);
        for part in Part::ALL {
            if let Some(duty) = duty(*boundary, *part) {
                row(&mut out, &[part.as_str().to_owned(), duty.to_owned()]);
            }
        }
    }
    out
}
