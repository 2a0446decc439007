//! `docs/losses.md`: what an answer on each event can say and what becomes of the rest, and what a payload does not tell.

use hooks_core::adapter::Codec;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use hooks_conformance::cross::{table, untold};
use hooks_core::Boundary;
use serde::Deserialize;

use super::markdown::{code, codes, header, preamble, row};
use super::{Generated, Sources};

/// What becomes of every kind of effect on an event.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Event {
    said: Vec<String>,
    instead: BTreeMap<String, String>,
}

pub(super) fn files(_: &Sources<'_>) -> Result<Vec<Generated>, String> {
    let adapters: [&dyn Codec; 3] =
        [&adapter_cursor::Adapter::latest(), &adapter_claude::Adapter::latest(), &adapter_codex::Adapter::latest()];
    let boundaries: BTreeMap<String, BTreeMap<String, Event>> =
        serde_json::from_value(table(&adapters)).map_err(|error| format!("the table of losses: {error}"))?;
    let mut out = preamble("both sides of the adapters");
    out.push_str(
        "# What is lost between vendors\n\n\
         ## What an answer can say\n\n\
         A bridge runs one vendor's hook inside another's client and writes what the hook asked for as that client's answer.\n\
         Here is, for each event, which effects its answer says as they are, and which a host hears as something stronger or\n\
         plainer. Everything else has no place in the answer: it is lost, and the bridge is told so.\n",
    );
    for boundary in Boundary::ALL {
        let Some(events) = boundaries.get(boundary.name()) else { continue };
        let _ = writeln!(out, "\n### `{boundary}`\n");
        header(&mut out, &["Event", "Said as it is", "Heard as something else"]);
        for (event, Event { said, instead }) in events {
            let mut heard: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (kind, as_what) in instead {
                heard.entry(as_what).or_default().push(kind);
            }
            let instead: Vec<_> = heard.iter().map(|(heard, kinds)| format!("{} → {heard}", codes(kinds))).collect();
            row(&mut out, &[code(event), codes(said), instead.join("; ")]);
        }
    }
    out.push_str(
        "\n## What a payload does not tell\n\n\
         The same bridge writes what happens as that client's hook reads it on standard input. Here is, for the boundaries\n\
         that several vendors have, which facts of a full occurrence the payload of each event has no place for.\n",
    );
    for (boundary, events) in untold(&adapters)? {
        let _ = writeln!(out, "\n### `{boundary}`: payloads\n");
        header(&mut out, &["Event", "Not told"]);
        for (event, facts) in events {
            row(&mut out, &[code(&event), facts.join(", ")]);
        }
    }
    Ok(vec![Generated::new("docs/losses.md", out)])
}
