//! The score: what a run came to, counted by vendor, event and kind.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use hooks_core::text::{display_line, shorten};
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use crate::format::{Kind, VectorFile};
use crate::report::Report;

/// What vectors are counted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Cell {
    /// The vendor; `core` for the core's.
    pub vendor: String,
    /// The event, where they are about one.
    pub event: Option<String>,
    /// The kind.
    pub kind: String,
}

/// How many vectors came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// They hold.
    pub passed: usize,
    /// They do not hold.
    pub failed: usize,
    /// They were not judged.
    pub skipped: usize,
    /// They do not hold, and are known not to.
    pub excepted: usize,
}

impl Tally {
    /// How many there are.
    #[must_use]
    pub const fn all(self) -> usize {
        self.passed + self.failed + self.skipped + self.excepted
    }

    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.excepted += other.excepted;
    }

    /// How many were judged.
    #[must_use]
    pub const fn judged(self) -> usize {
        self.passed + self.failed + self.excepted
    }

    /// What was judged, as a table has it: `12` where all hold, `10/12` where ten of twelve do, `-` where there is none.
    #[must_use]
    pub fn shown(self) -> String {
        match (self.judged(), self.failed + self.excepted) {
            (0, _) => "-".to_owned(),
            (_, 0) => self.passed.to_string(),
            (judged, _) => format!("{}/{judged}", self.passed),
        }
    }
}

/// What a run came to, counted by vendor, event and kind. Serialises as a list of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score(BTreeMap<Cell, Tally>);

/// By what a table of a [`Score`] has its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A row a vendor.
    Vendor,
    /// A row an event of a vendor.
    Event,
}

/// A table of numbers: a row of names and, for each kind of [`Table::kinds`], how many vectors came to what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The kinds that have vectors, in the order of [`Kind::WORDS`].
    pub kinds: Vec<&'static str>,
    /// The rows, by vendor and event.
    pub rows: Vec<Row>,
}

/// A row of a [`Table`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The vendor.
    pub vendor: String,
    /// The event; `None` in a table by vendor, and for vectors about none.
    pub event: Option<String>,
    /// The numbers, one for each kind.
    pub tallies: Vec<Tally>,
    /// All of them together.
    pub total: Tally,
}

impl Score {
    /// The rows with their numbers, by vendor, event and kind.
    pub fn rows(&self) -> impl Iterator<Item = (&Cell, Tally)> {
        self.0.iter().map(|(cell, tally)| (cell, *tally))
    }

    /// All of them together.
    #[must_use]
    pub fn total(&self) -> Tally {
        self.sum(|_| true)
    }

    /// Those that are chosen, together.
    #[must_use]
    pub fn sum(&self, chosen: impl Fn(&Cell) -> bool) -> Tally {
        let mut sum = Tally::default();
        for (_, tally) in self.rows().filter(|(cell, _)| chosen(cell)) {
            sum.add(tally);
        }
        sum
    }

    /// The numbers as a table.
    #[must_use]
    pub fn table(&self, by: By) -> Table {
        let kinds: Vec<&'static str> =
            Kind::WORDS.iter().copied().filter(|kind| self.0.keys().any(|cell| cell.kind == *kind)).collect();
        let event = |cell: &Cell| match by {
            By::Vendor => None,
            By::Event => cell.event.clone(),
        };
        let names: BTreeSet<(String, Option<String>)> =
            self.0.keys().map(|cell| (cell.vendor.clone(), event(cell))).collect();
        let rows = names.into_iter().map(|(vendor, name)| {
            let here = |cell: &Cell| cell.vendor == vendor && event(cell) == name;
            let tallies = kinds.iter().map(|kind| self.sum(|cell| here(cell) && cell.kind == *kind)).collect();
            let total = self.sum(here);
            Row { vendor, event: name, tallies, total }
        });
        Table { rows: rows.collect(), kinds }
    }

    pub(crate) fn tally(&mut self, cell: Cell) -> &mut Tally {
        self.0.entry(cell).or_default()
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Flat<'c> {
            #[serde(flatten)]
            cell: &'c Cell,
            #[serde(flatten)]
            tally: Tally,
        }
        let mut rows = serializer.serialize_seq(Some(self.0.len()))?;
        for (cell, tally) in self.rows() {
            rows.serialize_element(&Flat { cell, tally })?;
        }
        rows.end()
    }
}

/// A run's score as a page in Markdown: tables by vendor and by event, then what failed, what is excepted and what was
/// skipped, with the reasons. `subject` names what was held to the vectors, as in "the built-in adapters". The same run
/// gives the same page.
#[must_use]
pub fn markdown(subject: &str, files: &[VectorFile], report: &Report) -> String {
    let mut page = format!(
        "# Conformance score\n\nConformance vectors that {} hold, by vendor, event and kind. A number alone: all that were \
         judged hold.\n`10/12`: ten of twelve do. `-`: none was judged.\n\n",
        display_line(subject)
    );
    let total = report.score.total();
    let _ = writeln!(
        page,
        "{} vectors: {} passed, {} failed, {} excepted, {} skipped.\n",
        total.all(),
        total.passed,
        total.failed,
        total.excepted,
        total.skipped
    );
    let table = report.score.table(By::Vendor);
    table_head(&mut page, "Vendor", &table.kinds);
    for row in &table.rows {
        table_row(&mut page, &cell(&row.vendor), row.tallies.iter().copied(), row.total);
    }
    clients(&mut page, files);
    let by_event = report.score.table(By::Event);
    for vendor in &table.rows {
        let _ = writeln!(page, "\n## {}\n", display_line(&vendor.vendor));
        let rows: Vec<&Row> = by_event.rows.iter().filter(|row| row.vendor == vendor.vendor).collect();
        let kinds: Vec<usize> = (0..by_event.kinds.len())
            .filter(|at| rows.iter().any(|row| row.tallies.get(*at).is_some_and(|tally| tally.all() > 0)))
            .collect();
        let names: Vec<&'static str> = kinds.iter().filter_map(|at| by_event.kinds.get(*at).copied()).collect();
        table_head(&mut page, "Event", &names);
        for row in rows {
            let event = row.event.as_deref().map_or_else(|| "(none)".to_owned(), |event| format!("`{}`", cell(event)));
            table_row(&mut page, &event, kinds.iter().filter_map(|at| row.tallies.get(*at).copied()), row.total);
        }
    }
    problems(&mut page, report);
    page
}

/// The client each vendor's files record.
fn clients(page: &mut String, files: &[VectorFile]) {
    let mut recorded: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in files {
        if let (Some(vendor), Some(client)) = (&file.vendor, &file.client) {
            recorded.entry(vendor).or_default().insert(client);
        }
    }
    if recorded.is_empty() {
        return;
    }
    page.push_str("\nThe clients that the vectors record, unless one names an older client:\n\n");
    for (vendor, clients) in recorded {
        let clients: Vec<String> = clients.into_iter().map(|client| display_line(client).into_owned()).collect();
        let _ = writeln!(page, "- {}: {}", display_line(vendor), clients.join("; "));
    }
}

fn problems(page: &mut String, report: &Report) {
    if !report.failures.is_empty() {
        page.push_str("\n## Failures\n\n");
        for failure in &report.failures {
            let message = shorten(&failure.message, 600);
            let (file, id) = (display_line(&failure.file), display_line(&failure.id));
            let whom = failure.holds_for().map(|whom| format!(", {}", cell(&whom))).unwrap_or_default();
            let _ = writeln!(page, "- {file} `{id}` ({}{whom}): {}", failure.kind, display_line(&message));
            let values = [("expected", &failure.expected), ("actual", &failure.actual)];
            for (name, value) in values.into_iter().filter(|(_, value)| !value.is_null()) {
                let value = shorten(&value.to_string(), 600).into_owned();
                let _ = writeln!(page, "  - {name}: `{}`", display_line(&value).replace('`', "'"));
            }
        }
    }
    if !report.excepted.is_empty() {
        page.push_str("\n## Excepted\n\n");
        for one in &report.excepted {
            let (file, id) = (display_line(&one.file), display_line(&one.id));
            let _ = writeln!(page, "- {file} `{id}`: {}", display_line(&one.reason));
        }
    }
    if !report.skipped.is_empty() {
        page.push_str("\n## Skipped\n\n");
        let mut reasons: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for one in &report.skipped {
            *reasons.entry((&one.file, &one.kind, &one.reason)).or_default() += 1;
        }
        for ((file, kind, reason), count) in reasons {
            let _ = writeln!(page, "- {} ({kind}, {count}): {}", display_line(file), display_line(reason));
        }
    }
}

fn table_head(page: &mut String, name: &str, kinds: &[&str]) {
    let columns: Vec<&str> = [name].iter().chain(kinds).copied().chain(["all", "excepted", "skipped"]).collect();
    let _ = writeln!(page, "| {} |", columns.join(" | "));
    let rule: Vec<&str> = columns.iter().enumerate().map(|(at, _)| if at == 0 { "---" } else { "--:" }).collect();
    let _ = writeln!(page, "| {} |", rule.join(" | "));
}

fn table_row(page: &mut String, name: &str, tallies: impl Iterator<Item = Tally>, total: Tally) {
    let numbers = tallies.chain([total]).map(Tally::shown);
    let apart = [total.excepted, total.skipped].map(|number| number.to_string());
    let columns: Vec<String> = [name.to_owned()].into_iter().chain(numbers).chain(apart).collect();
    let _ = writeln!(page, "| {} |", columns.join(" | "));
}

/// A text that keeps inside its column, and inside the marks of code.
fn cell(text: &str) -> String {
    display_line(text).replace('|', "\\|").replace('`', "'")
}
