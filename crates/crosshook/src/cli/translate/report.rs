//! What `crosshook translate` tells: one row a hook, the reasons below it, and what to do next.

use std::fmt::Write as _;

use anstyle::Style;
use hooks_core::Definition;
use hooks_core::text::{display_line, shorten};
use hooks_core::translate::insert::Status;
use hooks_core::translate::{Carried, Kind, codes};
use serde_json::{Value, json};

use super::Made;
use crate::cli::out::{BAD, DIM, GOOD, HEAD, NAME, WARN, columns, pad, paint, wrap};
use crate::cli::report::Cursor;
use crate::translate::Row;
use crate::translate::verify::Compared;

/// Columns of the outcome.
const OUTCOME: usize = 14;

const fn style(kind: Kind) -> Style {
    match kind {
        Kind::Exact => GOOD,
        Kind::Stricter => WARN,
        _ => BAD,
    }
}

/// The line that a hook starts on.
fn line(made: &Made, carried: &Carried) -> usize {
    made.project.bytes(&carried.path).map_or(1, |bytes| Cursor::new(bytes).position(carried.range.start).0)
}

/// The report for a person.
pub(super) fn text(made: &Made, dry_run: bool, width: usize) -> String {
    let mut text = String::new();
    let rows = &made.translation.rows;
    if rows.is_empty() {
        let _ =
            writeln!(text, "There are no hooks of {} in `{}`.", made.from.vendor(), display_line(&made.project.asked));
        behind(&mut text, made, width);
        return text;
    }
    let title = format!("{} to {}", made.from.vendor(), made.to.vendor());
    let _ = writeln!(text, "{}  {}\n", paint(HEAD, &title), paint(DIM, &display_line(&made.shown)));
    rows.iter().for_each(|row| one(&mut text, made, row, width));
    summary(&mut text, made);
    if let Some(compared) = &made.compared {
        comparison(&mut text, made, compared, width);
    }
    if dry_run && made.translation.changes() {
        text.push('\n');
        diff(&mut text, &made.translation.diff(&display_line(&made.shown)));
    }
    behind(&mut text, made, width);
    end(&mut text, made, dry_run, width);
    text
}

/// The line of the target's file, as it will be, that a definition starts on.
fn line_there(made: &Made, definition: &Definition) -> usize {
    Cursor::new(made.translation.after.as_bytes()).position(definition.range.start).0
}

/// Bridges that an earlier translation left.
fn behind(text: &mut String, made: &Made, width: usize) {
    if made.behind.is_empty() {
        return;
    }
    let said = format!(
        "Left by an earlier translation: no hook of {} stands for it any more, and it still runs. Take it out if it is \
         not wanted.",
        made.from.vendor()
    );
    let _ = writeln!(text, "\n{}", wrap(&said, width, 0));
    for definition in &made.behind {
        let place = format!("{}:{}", display_line(&made.shown), line_there(made, definition));
        let label = definition.handler.label();
        // Its own command stands at the end.
        let runs = label.rsplit_once(" -- ").map_or(label.as_str(), |(_, runs)| runs);
        let room = width.saturating_sub(columns(&place) + 4).max(16);
        let _ = writeln!(text, "  {place}  {}", shorten(&display_line(runs), room));
    }
}

fn one(text: &mut String, made: &Made, row: &Row, width: usize) {
    let carried = &row.carried;
    let kind = carried.kind();
    let place = format!("{}:{}", display_line(&made.project.shown(&carried.path)), line(made, carried));
    let mut event = display_line(&carried.place.event).into_owned();
    if let Some(matcher) = carried.matcher.as_deref().filter(|matcher| !matcher.is_empty()) {
        let _ = write!(event, "  {}", display_line(matcher));
    }
    let room = width.saturating_sub(OUTCOME + 4 + columns(&place)).max(16);
    let event = shorten(&event, room - 1).into_owned();
    let _ = writeln!(
        text,
        "  {}{}  {}",
        pad(style(kind), kind.as_str(), OUTCOME),
        pad(NAME, &event, room),
        paint(DIM, &place)
    );
    let indent = OUTCOME + 2;
    let inner = width.saturating_sub(indent).max(16);
    let _ = writeln!(text, "{:indent$}{}", "", shorten(&display_line(carried.label.trim()), inner - 1));
    for (element, status) in carried.elements.iter().zip(&row.status) {
        let matcher =
            element.matcher.as_deref().map_or(String::new(), |matcher| format!("  {}", display_line(matcher)));
        let there = match status {
            Status::There => " (there already)",
            Status::Other => " (one that differs is there; left as it is)",
            _ => "",
        };
        let room = inner.saturating_sub(3 + columns(there)).max(16);
        let target = format!("{}{matcher}", element.event);
        let _ = writeln!(text, "{:indent$}-> {}{}", "", shorten(&target, room - 1), paint(DIM, there));
    }
    for finding in &carried.findings {
        let mark = if finding.needs_acceptance() { paint(BAD, finding.code.id) } else { finding.code.id.to_owned() };
        let deeper = indent + 2;
        let said = format!("{}: {}", finding.code.id, display_line(&finding.reason));
        let wrapped = wrap(&said, width, deeper).replacen(finding.code.id, &mark, 1);
        let _ = writeln!(text, "{:deeper$}{wrapped}", "");
    }
}

fn summary(text: &mut String, made: &Made) {
    let kinds = [Kind::Exact, Kind::Stricter, Kind::NeedsBridge, Kind::Weaker, Kind::Dropped];
    let of = |kind| made.translation.rows.iter().filter(|row| row.carried.kind() == kind).count();
    let counts: Vec<String> = kinds
        .into_iter()
        .filter(|kind| of(*kind) > 0)
        .map(|kind| paint(style(kind), &format!("{} {}", of(kind), kind.as_str())))
        .collect();
    let _ = writeln!(text, "\n{}", counts.join(", "));
}

fn comparison(text: &mut String, made: &Made, compared: &[Compared], width: usize) {
    let count = |is: fn(&Compared) -> bool| compared.iter().filter(|one| is(one)).count();
    let (weaker, stricter) = (count(Compared::is_weaker), count(Compared::is_stricter));
    let told = count(Compared::is_as_told);
    let as_told = if told > 0 { format!("{told} less as told, ") } else { String::new() };
    let _ = writeln!(
        text,
        "\n{}  {} occurrences fired on both sides: {} weaker, {as_told}{stricter} stricter, {} alike",
        paint(HEAD, "verified"),
        compared.len(),
        paint(if weaker > 0 { BAD } else { GOOD }, &weaker.to_string()),
        compared.len() - weaker - stricter - told,
    );
    let mut left = MOST_SHOWN;
    for (word, colour) in [("weaker", BAD), ("as-told", WARN), ("stricter", WARN)] {
        let all = || compared.iter().filter(|one| outcome(one) == word);
        // What is weaker is shown whole; much of the rest would only hide it.
        let most = if word == "weaker" { usize::MAX } else { left };
        all().take(most).for_each(|one| compare_line(text, made, one, (word, colour), width));
        let more = all().count().saturating_sub(most);
        if more > 0 {
            let _ = writeln!(text, "  {}and {more} more; --json has all", pad(colour, word, OUTCOME));
        }
        left = left.saturating_sub(if word == "weaker" { 0 } else { all().count() });
    }
}

/// One occurrence.
fn compare_line(text: &mut String, made: &Made, one: &Compared, (word, colour): (&str, Style), width: usize) {
    let said = format!(
        "{}; {}: {}, {}: {}",
        display_line(&one.about),
        made.from.vendor(),
        one.source.words(),
        made.to.vendor(),
        one.target.words()
    );
    let indent = OUTCOME + 2;
    let _ = writeln!(text, "  {}{}", pad(colour, word, OUTCOME), wrap(&said, width, indent));
}

/// Occurrences in which the target is not weaker, nor alike, up to which each is shown.
const MOST_SHOWN: usize = 8;

/// The word for what a comparison came to.
fn outcome(one: &Compared) -> &'static str {
    match (one.is_weaker(), one.is_as_told(), one.is_stricter()) {
        (true, ..) => "weaker",
        (_, true, _) => "as-told",
        (.., true) => "stricter",
        _ => "alike",
    }
}

fn diff(text: &mut String, diff: &str) {
    for line in diff.lines() {
        let shown = display_line(line);
        let colour = match line.as_bytes().first() {
            Some(b'+') => GOOD,
            Some(b'-') => BAD,
            Some(b'@') => NAME,
            _ => Style::new(),
        };
        let _ = writeln!(text, "{}", paint(colour, &shown));
    }
}

fn end(text: &mut String, made: &Made, dry_run: bool, width: usize) {
    text.push('\n');
    let shown = display_line(&made.shown).into_owned();
    let mut say = |said: &str| {
        let _ = writeln!(text, "{}", wrap(said, width, 0));
    };
    let is_weaker = made.compared.as_ref().is_some_and(|all| all.iter().any(Compared::is_weaker));
    if is_weaker {
        say("Nothing was written: fired, the target does less.");
    }
    if !made.left.is_empty() {
        let needs = made.left.contains(&codes::NEEDS_BRIDGE.id);
        let others: Vec<String> = made
            .left
            .iter()
            .filter(|id| **id != codes::NEEDS_BRIDGE.id)
            .map(|id| format!("--allow-loss {id}"))
            .collect();
        if !is_weaker {
            say("Nothing was written: a guard would be weaker or lost.");
        }
        if needs {
            say("--bridge lets scripts be what they are; or change them, then --allow-loss needs-bridge.");
        }
        if !others.is_empty() {
            let what = if needs { "To accept the rest" } else { "To accept that" };
            say(&format!("{what}: {}", others.join(" ")));
        }
    }
    if is_weaker || !made.left.is_empty() {
        return;
    }
    match (made.written, dry_run, made.translation.changes()) {
        (true, ..) => say(&format!("Written to {shown}.")),
        (_, true, true) => say("Nothing was written: this is a dry run."),
        _ if made.translation.rows.iter().all(|row| row.carried.elements.is_empty()) => {
            say("Nothing to write: no hook is carried over.");
        }
        _ => say(&format!("Nothing to write: {shown} has all of it.")),
    }
    if made.written || (dry_run && made.translation.changes()) {
        if !made.placed {
            let facts = made.to.config();
            let files: Vec<&str> =
                std::iter::once(facts.document).chain(facts.beside.iter().map(|(path, _)| *path)).collect();
            let vendor = made.to.vendor();
            say(&format!("{shown} is no file that {vendor} reads by itself: a project's is {}.", files.join(" or ")));
        }
        if made.bridge {
            say(
                "The commands start `crosshook`, which has to be on the path wherever they run: without it they guard nothing.",
            );
            let mut elements = made.translation.rows.iter().flat_map(|row| &row.carried.elements);
            if made.to.config().keys.windows && elements.any(|element| element.json.contains(" '")) {
                say(
                    "What stands in single quotes is read as it is meant on Windows by a POSIX shell or PowerShell only, not by cmd.",
                );
            }
        }
        made.to.config().then.iter().for_each(|then| say(then));
    }
}

/// The report for a program.
pub(super) fn json(made: &Made) -> Value {
    let hooks: Vec<Value> = made.translation.rows.iter().map(|row| row_json(made, row)).collect();
    let compared = made.compared.as_ref().map(|all| {
        let one = |one: &Compared| {
            json!({
                "about": one.about,
                "source": one.source.words(),
                "target": one.target.words(),
                "outcome": outcome(one),
            })
        };
        all.iter().map(one).collect::<Vec<Value>>()
    });
    json!({
        "from": made.from.vendor().as_str(),
        "to": made.to.vendor().as_str(),
        "target": made.target.to_string_lossy(),
        "changes": made.translation.changes(),
        "written": made.written,
        "placed": made.placed,
        "hooks": hooks,
        "to_accept": made.left,
        "diff": made.translation.diff(&made.shown),
        "compared": compared,
        "behind": made.behind.iter().map(|definition| behind_json(made, definition)).collect::<Vec<Value>>(),
        "then": made.to.config().then,
    })
}

fn behind_json(made: &Made, definition: &Definition) -> Value {
    json!({
        "line": line_there(made, definition),
        "pointer": made.to.pointer(&definition.place),
        "event": definition.place.event,
        "matcher": definition.matcher_text,
        "runs": definition.handler.label(),
    })
}

fn row_json(made: &Made, row: &Row) -> Value {
    let carried = &row.carried;
    let elements: Vec<Value> = carried
        .elements
        .iter()
        .zip(&row.status)
        .map(|(element, status)| {
            let status = match status {
                Status::Added => "added",
                Status::There => "there",
                _ => "other",
            };
            let json: Value = serde_json::from_str(&element.json).unwrap_or_default();
            json!({ "event": element.event, "matcher": element.matcher, "json": json, "status": status })
        })
        .collect();
    let findings: Vec<Value> = carried
        .findings
        .iter()
        .map(|finding| {
            json!({
                "code": finding.code.id,
                "kind": finding.code.kind.as_str(),
                "reason": finding.reason,
                "needs_acceptance": finding.needs_acceptance(),
            })
        })
        .collect();
    json!({
        "source": {
            "file": carried.path,
            "line": line(made, carried),
            "pointer": carried.pointer,
            "start": carried.range.start,
            "end": carried.range.end,
            "event": carried.place.event,
            "matcher": carried.matcher,
            "runs": carried.label,
        },
        "outcome": carried.kind().as_str(),
        "elements": elements,
        "findings": findings,
    })
}
