//! `docs/vendor-differences.md`: what the same moment means to each vendor, side by side.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use hooks_core::facts::{Control, EventFacts};
use hooks_core::policy::{InputRule, Lead, MergePolicy, Order, Pick, ResultRule, VerdictRule};
use hooks_core::{Boundary, Channel};

use super::markdown::{code, codes, header, number, preamble, row};
use super::words::{
    Feeds, ask, control, empty, exit_2, feeds, field_kind, malformed, plain, refused, seconds, subject,
};
use super::{Generated, Sources, Vendor};

pub(super) fn files(sources: &Sources<'_>) -> Result<Vec<Generated>, String> {
    Ok(vec![Generated::new("docs/vendor-differences.md", page(sources.vendors))])
}

/// An event of a vendor on a boundary: a column of its tables.
#[derive(Clone, Copy)]
struct Column<'a> {
    vendor: &'a Vendor,
    facts: &'static EventFacts,
    /// Whether the boundary is the event's own.
    own: bool,
}

impl Column<'_> {
    fn title(&self) -> String {
        format!("{} `{}`", self.vendor.title, self.facts.name)
    }
}

/// What is compared: the row's name, and an event's cell.
type Aspect = (&'static str, fn(&Column<'_>) -> String);

const ASPECTS: &[Aspect] = &[
    ("Speaks of", |of| {
        let facet = of.facts.facet.as_str();
        if of.own { facet.to_owned() } else { format!("{facet}; some occurrences only") }
    }),
    ("Matcher is tested against", |of| subject(&of.facts.subject)),
    ("Controls", |of| control(of.facts.control)),
    ("Channels", |of| of.facts.channels.iter().map(Channel::as_str).collect::<Vec<_>>().join(", ")),
    ("Exit code 2", |of| exit_2(of.facts.exit_2).to_owned()),
    ("Plain text", |of| plain(of.facts.plain_stdout).to_owned()),
    ("Unreadable answer", |of| malformed(of.facts.malformed).to_owned()),
    ("No answer", |of| empty(of.facts.empty).to_owned()),
    ("`ask`", |of| ask(of.facts.ask).to_owned()),
    ("Time limit, s", |of| seconds(of.facts.default_timeout_s)),
    ("Handler types", |of| {
        of.vendor.handlers(of.facts).iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ")
    }),
];

fn page(vendors: &[Vendor]) -> String {
    let mut out = preamble("the event tables and merge policies of the adapters");
    out.push_str(
        "# Where the vendors differ\n\n\
         Moments that several vendors have hooks for, with what each vendor makes of them. What the words mean is said in\n\
         `hooks_core::facts` and `hooks_core::policy`; what a host does with a decision, in [boundaries.md](boundaries.md); how\n\
         each fact is known, on the pages of [events](events/). A row in bold is one in which the vendors differ.\n\n",
    );
    let (shared, single): (Vec<_>, Vec<_>) = Boundary::ALL
        .iter()
        .map(|boundary| (*boundary, columns(vendors, *boundary)))
        .filter(|(_, columns)| !columns.is_empty())
        .partition(|(_, columns)| vendors_of(columns).len() > 1);
    overview(&mut out, vendors, &shared);
    for (boundary, columns) in &shared {
        let _ = writeln!(out, "\n## `{boundary}`\n\n{}\n", boundary.info().about);
        facts(&mut out, columns);
        answers(&mut out, columns);
        several(&mut out, vendors, *boundary, columns);
    }
    out.push_str("\n## Moments of one vendor alone\n\n");
    header(&mut out, &["Boundary", "Vendor", "Events", "What happens"]);
    for (boundary, columns) in &single {
        let title = columns.first().map(|column| column.vendor.title).unwrap_or_default();
        let events = codes(columns.iter().map(|column| column.facts.name));
        row(&mut out, &[code(boundary), title.to_owned(), events, boundary.info().about.to_owned()]);
    }
    out.push_str("\n## Events without a moment in a host's world\n\n");
    header(&mut out, &["Vendor", "Events"]);
    for vendor in vendors {
        let events = vendor.facts.iter().filter(|facts| facts.boundary.is_none()).map(|facts| facts.name);
        let events = codes(events);
        row(&mut out, &[vendor.title.to_owned(), if events.is_empty() { "none".to_owned() } else { events }]);
    }
    out
}

fn columns(vendors: &[Vendor], boundary: Boundary) -> Vec<Column<'_>> {
    let of = |vendor| Vendor::on(vendor, boundary).map(move |(facts, own)| Column { vendor, facts, own });
    vendors.iter().flat_map(of).collect()
}

fn vendors_of(columns: &[Column<'_>]) -> BTreeSet<&'static str> {
    columns.iter().map(|column| column.vendor.name).collect()
}

/// Whether vendors differ in an aspect: each one's set of cells against the others'.
fn differs(columns: &[Column<'_>], cell: impl Fn(&Column<'_>) -> String) -> bool {
    let set = |vendor: &str| -> BTreeSet<String> {
        columns.iter().filter(|column| column.vendor.name == vendor).map(&cell).collect()
    };
    vendors_of(columns).iter().map(|vendor| set(vendor)).collect::<BTreeSet<_>>().len() > 1
}

/// What the overview names first, where vendors differ in it: what weighs most for somebody who moves a hook. What a
/// permission is called differs and weighs nothing.
const WEIGHTY: &[Aspect] = &[
    ("Controls", |of| match of.facts.control {
        Control::Permission { .. } => "whether it goes on".to_owned(),
        other => control(other),
    }),
    ("Exit code 2", |of| exit_2(of.facts.exit_2).to_owned()),
    ("Unreadable answer", |of| malformed(of.facts.malformed).to_owned()),
    ("`ask`", |of| ask(of.facts.ask).to_owned()),
    ("No answer", |of| empty(of.facts.empty).to_owned()),
    ("Plain text", |of| plain(of.facts.plain_stdout).to_owned()),
];

/// How many differences the overview names of a boundary.
const NAMED: usize = 2;

/// One row a boundary: its events, and the differences that weigh most.
fn overview(out: &mut String, vendors: &[Vendor], shared: &[(Boundary, Vec<Column<'_>>)]) {
    let _ = writeln!(
        out,
        "## At a glance\n\n\
         The {NAMED} differences that weigh most: of what an event controls, then of what exit code 2, an unreadable answer,\n\
         `ask`, no answer and plain text mean. Beside them the channels that some of the vendors have there. What is not\n\
         named is the same, or weighs less and stands below.\n"
    );
    let mut head = vec!["Boundary".to_owned()];
    head.extend(vendors.iter().map(|vendor| vendor.title.to_owned()));
    head.extend(["What differs most".to_owned(), "Channels of some".to_owned()]);
    header(out, &head);
    for (boundary, columns) in shared {
        let mut cells = vec![format!("[`{boundary}`](#{})", boundary.name().replace('.', ""))];
        for vendor in vendors {
            let events = columns.iter().filter(|column| column.vendor.name == vendor.name);
            cells.push(codes(events.map(|column| column.facts.name)));
        }
        cells.extend([most(columns), channels_of_some(columns)]);
        row(out, &cells);
    }
}

/// The differences that weigh most, each with who says what.
fn most(columns: &[Column<'_>]) -> String {
    let named: Vec<_> = WEIGHTY
        .iter()
        .filter(|(_, cell)| differs(columns, cell))
        .take(NAMED)
        .map(|(name, cell)| format!("{name}: {}", who_says_what(columns, cell)))
        .collect();
    if named.is_empty() { "none of these".to_owned() } else { named.join(". ") }
}

/// The cells of an aspect with the vendors that each is of, in the vendors' order.
fn who_says_what(columns: &[Column<'_>], cell: impl Fn(&Column<'_>) -> String) -> String {
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for titles in by_vendor(columns) {
        let cells: BTreeSet<String> = titles.1.iter().map(|column| cell(column)).collect();
        let cells: Vec<_> =
            cells.into_iter().map(|cell| if cell.is_empty() { "none".to_owned() } else { cell }).collect();
        let cells = cells.join(" / ");
        match said.iter_mut().find(|(known, _)| *known == cells) {
            Some((_, who)) => who.push(titles.0),
            None => said.push((cells, vec![titles.0])),
        }
    }
    said.iter().map(|(cells, who)| format!("{cells} ({})", who.join(", "))).collect::<Vec<_>>().join("; ")
}

/// The columns of each vendor, with its title.
fn by_vendor<'c, 'v>(columns: &'c [Column<'v>]) -> Vec<(&'static str, Vec<&'c Column<'v>>)> {
    let mut of: Vec<(&str, Vec<&Column<'_>>)> = Vec::new();
    for column in columns {
        match of.iter_mut().find(|(title, _)| *title == column.vendor.title) {
            Some((_, own)) => own.push(column),
            None => of.push((column.vendor.title, vec![column])),
        }
    }
    of
}

/// The channels that some vendors' events have and others' have not, each with whose have it.
fn channels_of_some(columns: &[Column<'_>]) -> String {
    let vendors = by_vendor(columns);
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for channel in Channel::ALL {
        let has = |of: &[&Column<'_>]| of.iter().any(|column| column.facts.channels.contains(*channel));
        let who: Vec<&str> = vendors.iter().filter(|(_, of)| has(of)).map(|(title, _)| *title).collect();
        if !who.is_empty() && who.len() < vendors.len() {
            let who = who.join(", ");
            match said.iter_mut().find(|(known, _)| *known == who) {
                Some((_, channels)) => channels.push(channel.as_str()),
                None => said.push((who, vec![channel.as_str()])),
            }
        }
    }
    said.iter().map(|(who, channels)| format!("{} ({who})", channels.join(", "))).collect::<Vec<_>>().join("; ")
}

fn label(name: &str, differs: bool) -> String {
    if differs { format!("**{name}**") } else { name.to_owned() }
}

fn facts(out: &mut String, columns: &[Column<'_>]) {
    let mut head = vec![String::new()];
    head.extend(columns.iter().map(Column::title));
    header(out, &head);
    for (name, cell) in ASPECTS {
        let mut cells = vec![label(name, differs(columns, cell))];
        cells.extend(columns.iter().map(cell));
        row(out, &cells);
    }
}

/// The fields of answers by what they feed.
fn answers(out: &mut String, columns: &[Column<'_>]) {
    let fields = |of: &Column<'_>, belongs: &dyn Fn(Feeds) -> bool| -> String {
        let own = of.facts.output.iter().map(|field| (field, ""));
        let foreign = of.vendor.foreign_fields(of.facts).iter().map(|field| (field, ", in another vendor's shape"));
        own.chain(foreign)
            .filter(|(field, _)| belongs(feeds(of.facts, field)))
            .map(|(field, how)| {
                let cost = refused(field).map_or(String::new(), |refused| format!("; {refused}"));
                format!("`{}` ({}{how}{cost})", field.path, field_kind(field.kind, of.vendor.facts))
            })
            .collect::<Vec<_>>()
            .join("; ")
    };
    let cells =
        |belongs: &dyn Fn(Feeds) -> bool| -> Vec<String> { columns.iter().map(|of| fields(of, belongs)).collect() };
    let mut rows: Vec<(&str, Vec<String>)> = Channel::ALL
        .iter()
        .map(|channel| (channel.as_str(), cells(&|feeds| feeds == Feeds::Channel(*channel))))
        .collect();
    rows.push(("a channel that this event has not", cells(&|feeds| matches!(feeds, Feeds::Missing(_)))));
    rows.push(("nothing", cells(&|feeds| feeds == Feeds::Nothing)));
    rows.retain(|(_, cells)| cells.iter().any(|cell| !cell.is_empty()));
    if rows.is_empty() {
        return;
    }
    out.push_str("\nFields of an answer, by what they feed:\n\n");
    let mut head = vec!["Feeds".to_owned()];
    head.extend(columns.iter().map(Column::title));
    header(out, &head);
    for (name, cells) in rows {
        let mut row_cells = vec![name.to_owned()];
        row_cells.extend(cells);
        row(out, &row_cells);
    }
}

/// What is folded how: the row's name, whether it has a meaning on an event, and a policy's cell.
type Fold = (&'static str, fn(&EventFacts) -> bool, fn(&MergePolicy) -> String);

const FOLDS: &[Fold] = &[
    (
        "Which verdict counts",
        |event| event.channels.contains(Channel::Verdict),
        |policy| {
            match policy.verdict {
                VerdictRule::FirstAnswer => "the first to answer",
                _ => "the strongest",
            }
            .to_owned()
        },
    ),
    ("Whose deny speaks", |event| event.channels.contains(Channel::Verdict), |policy| lead(policy.leads.deny)),
    ("Whose ask speaks", |event| event.channels.contains(Channel::Verdict), |policy| lead(policy.leads.ask)),
    ("Whose halt speaks", |event| event.channels.contains(Channel::Halt), |policy| lead(policy.leads.halt)),
    ("Context", |event| event.channels.contains(Channel::ModelContext), |policy| order(policy.context)),
    ("Notices", |event| event.channels.contains(Channel::UserNotice), |policy| order(policy.notices)),
    (
        "Which input counts",
        |event| event.channels.contains(Channel::ReplacementInput),
        |policy| {
            match policy.input {
                InputRule::LastFinished => "the last to finish",
                InputRule::LastDeclared => "the last declared",
                InputRule::LastAnswer => "the last to finish, unless a later allow takes it away",
            }
            .to_owned()
        },
    ),
    (
        "Which result counts",
        |event| event.channels.contains(Channel::ReplacementResult),
        |policy| match policy.result {
            ResultRule::LastFinished => "the last to finish".to_owned(),
            ResultRule::LastDeclared => "the last declared".to_owned(),
            ResultRule::Join(between) => format!("all, as declared, with {between:?} between"),
        },
    ),
    (
        "Which variable counts",
        |event| event.channels.contains(Channel::SessionEnv),
        |policy| {
            match policy.env {
                Order::Declared => "the last declared",
                Order::Finishing => "the last to finish",
            }
            .to_owned()
        },
    ),
    (
        "A halt drops continuations",
        |event| [Channel::Halt, Channel::Continuation].iter().all(|channel| event.channels.contains(*channel)),
        |policy| if policy.halt_drops_continuations { "yes" } else { "no" }.to_owned(),
    ),
    (
        "Characters for the classifier, of all together",
        |event| event.output.iter().any(|field| field.path.ends_with("classifierContext")),
        |policy| policy.classifier_limit.map_or("any number".to_owned(), number),
    ),
];

fn order(order: Order) -> String {
    match order {
        Order::Declared => "as declared",
        Order::Finishing => "as they finish",
    }
    .to_owned()
}

fn lead(lead: Lead) -> String {
    match (lead.pick, lead.by) {
        (Pick::All, Order::Declared) => "all, as declared",
        (Pick::All, Order::Finishing) => "all, as they finish",
        (Pick::First, Order::Declared) => "the first declared",
        (Pick::First, Order::Finishing) => "the first to finish",
        (Pick::Last, Order::Declared) => "the last declared",
        (Pick::Last, Order::Finishing) => "the last to finish",
    }
    .to_owned()
}

/// How several hooks of one firing fold; only in the channels that a vendor's events there have.
fn several(out: &mut String, vendors: &[Vendor], boundary: Boundary, columns: &[Column<'_>]) {
    let mut rows = Vec::new();
    for (name, has, cell) in FOLDS {
        let cells: Vec<String> = vendors
            .iter()
            .map(|vendor| {
                let mut events = columns.iter().filter(|column| column.vendor.name == vendor.name);
                if events.any(|of| has(of.facts)) { cell(vendor.adapter.merge_policy(boundary)) } else { String::new() }
            })
            .collect();
        let said: BTreeSet<&String> = cells.iter().filter(|cell| !cell.is_empty()).collect();
        if !said.is_empty() {
            rows.push((label(name, said.len() > 1), cells));
        }
    }
    if rows.is_empty() {
        return;
    }
    out.push_str("\nSeveral hooks of one firing:\n\n");
    let mut head = vec![String::new()];
    head.extend(vendors.iter().map(|vendor| vendor.title.to_owned()));
    header(out, &head);
    for (name, cells) in rows {
        let mut row_cells = vec![name];
        row_cells.extend(cells);
        row(out, &row_cells);
    }
}

#[cfg(test)]
mod tests {
    use super::super::vendors;
    use super::*;

    #[test]
    fn every_event_is_on_the_page() {
        let vendors = vendors();
        let page = page(&vendors);
        for vendor in &vendors {
            for facts in vendor.facts {
                assert!(page.contains(&code(facts.name)), "{} {}", vendor.name, facts.name);
            }
        }
    }

    #[test]
    fn vendors_differ_where_one_says_something_else() {
        let vendors = vendors();
        let columns = columns(&vendors, Boundary::ToolBefore);
        assert_eq!(vendors_of(&columns).len(), vendors.len());
        assert!(differs(&columns, |of| of.vendor.name.to_owned()));
        assert!(!differs(&columns, |_| "the same".to_owned()));
    }

    #[test]
    fn what_vendors_say_alike_stands_once() {
        let vendors = vendors();
        let columns = columns(&vendors, Boundary::TurnStop);
        let titles: Vec<_> = vendors.iter().map(|vendor| vendor.title).collect();
        assert_eq!(who_says_what(&columns, |_| "alike".to_owned()), format!("alike ({})", titles.join(", ")));
        let own = who_says_what(&columns, |of| of.vendor.name.to_owned());
        assert_eq!(own, "cursor (Cursor); claude (Claude Code); codex (OpenAI Codex)");
        assert!(most(&columns).matches(": ").count() <= NAMED);
    }

    #[test]
    fn the_cap_that_hooks_share_is_told() {
        let vendors = vendors();
        let limits: Vec<_> = vendors
            .iter()
            .flat_map(|vendor| {
                Vendor::on(vendor, Boundary::ToolResult).map(|_| vendor.adapter.merge_policy(Boundary::ToolResult))
            })
            .filter_map(|policy| policy.classifier_limit)
            .collect();
        let page = page(&vendors);
        assert!(!limits.is_empty());
        for limit in limits {
            assert!(page.contains(&format!("| {} |", number(limit))), "{limit}");
        }
    }
}
