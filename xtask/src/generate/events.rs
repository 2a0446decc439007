//! `docs/events/`: a page a vendor, with every event's row.

use std::fmt::Write as _;

use hooks_core::Channel;
use hooks_core::vendor::Version;

use super::markdown::{code, header, preamble, row};
use super::words::{
    Feeds, ask, control, empty, exit_2, feeds, field_kind, malformed, plain, refused, seconds, subject,
};
use super::{Generated, Sources, Vendor};

pub(super) fn files(sources: &Sources<'_>) -> Result<Vec<Generated>, String> {
    let page = |vendor: &Vendor| Generated::new(format!("docs/events/{}.md", vendor.name), events(vendor));
    Ok(sources.vendors.iter().map(page).collect())
}

fn events(vendor: &Vendor) -> String {
    let mut out = preamble(&format!("`crates/adapter-{}/src/events.rs`", vendor.name));
    let _ = writeln!(out, "# {}'s events\n", vendor.title);
    let _ = writeln!(
        out,
        "{} events, as of client {}. What each column means is said in `hooks_core::facts`.\n",
        vendor.facts.len(),
        vendor.latest
    );
    header(&mut out, &["Event", "Boundary", "Part", "Matcher is tested against", "Controls", "Channels", "Since"]);
    for facts in vendor.facts {
        let channels: Vec<_> = facts.channels.iter().map(|channel| channel.as_str()).collect();
        let since = if facts.since == Version::FIRST { String::new() } else { facts.since.to_string() };
        row(
            &mut out,
            &[
                code(facts.name),
                facts.boundary.map_or_else(|| "none".to_owned(), code),
                facts.facet.as_str().to_owned(),
                subject(&facts.subject),
                control(facts.control),
                channels.join(", "),
                since,
            ],
        );
    }
    out.push_str("\n## What an answer means\n\n");
    header(
        &mut out,
        &["Event", "Exit 2", "Plain text", "Unreadable", "Nothing", "`ask`", "Time limit, s", "Known from"],
    );
    for facts in vendor.facts {
        row(
            &mut out,
            &[
                code(facts.name),
                exit_2(facts.exit_2).to_owned(),
                plain(facts.plain_stdout).to_owned(),
                malformed(facts.malformed).to_owned(),
                empty(facts.empty).to_owned(),
                ask(facts.ask).to_owned(),
                seconds(facts.default_timeout_s),
                format!("{}: {}", facts.evidence.basis.as_str(), facts.evidence.source),
            ],
        );
    }
    out.push_str("\n## Fields of an answer\n\n");
    header(&mut out, &["Event", "Field", "Value", "Feeds"]);
    for facts in vendor.facts {
        for field in facts.output {
            let feeds = match feeds(facts, field) {
                Feeds::Channel(channel) => channel.as_str().to_owned(),
                Feeds::Missing(channel) => format!("nothing: this event has no {channel}"),
                Feeds::Nothing => "nothing".to_owned(),
            };
            let feeds = refused(field).map_or(feeds.clone(), |refused| format!("{feeds}; {refused}"));
            row(&mut out, &[code(facts.name), code(field.path), field_kind(field.kind, vendor.facts), feeds]);
        }
    }
    if !vendor.elsewhere.is_empty() {
        out.push_str(
            "\n## Fields of other events\n\nOn an event that has none of these they are never applied. A value that asks for \
             something is reported:\n\n",
        );
        header(&mut out, &["Field", "Elsewhere it asks for", "On an event without it"]);
        for field in vendor.elsewhere {
            let asks = field.channel.map_or("nothing", Channel::as_str).to_owned();
            row(&mut out, &[code(field.path), asks, refused(field).unwrap_or_else(|| "nothing".to_owned())]);
        }
    }
    out
}
