//! An explanation in words.

use std::fmt::Write as _;

use hooks_core::evidence::Basis;
use hooks_core::text::{display_line, display_untrusted, shorten};
use hooks_core::{Decision, Version};

use super::fields::{Fate, LIMIT, Status};
use super::meaning::Explanation;
use super::rules::Rule;
use super::words;
use crate::cli::fire::explain as firing;
use crate::cli::out::{BAD, DIM, GOOD, HEAD, NAME, WARN, columns, pad, paint, wrap};

/// Characters shown of a text that may be long.
const LONG: usize = 2_000;
/// The columns before a value.
const INDENT: usize = 13;
/// The columns of a field's status.
const STATUS: usize = 12;

/// The whole explanation.
pub(crate) fn explanation(explained: &Explanation, width: usize) -> String {
    let mut text = heading(explained);
    line(&mut text, "ended", &firing::end(&explained.case.outcome.end), width);
    for (name, bytes, cut) in [
        ("stdout", &explained.case.outcome.stdout, explained.case.outcome.stdout_truncated),
        ("stderr", &explained.case.outcome.stderr, explained.case.outcome.stderr_truncated),
    ] {
        if !bytes.is_empty() || cut {
            let cut = if cut { " (cut off by the host)" } else { "" };
            line(&mut text, name, &format!("{}{cut}", String::from_utf8_lossy(bytes).trim_end()), width);
        }
    }
    let _ = writeln!(text, "\n{}", paint(HEAD, "Why"));
    rules(&mut text, &explained.rules, width);
    fields(&mut text, &explained.fields, explained.beyond, width);
    let _ = writeln!(text, "\n{}", paint(HEAD, "What it comes to"));
    for meaning in firing::meaning(&explained.effects) {
        line(&mut text, "means", &meaning, width);
    }
    for note in explained.remarks() {
        line(&mut text, "note", &note.text, width);
    }
    for lost in explained.dropped() {
        line(&mut text, "dropped", &format!("{}: {}", lost.what, lost.why), width);
    }
    seen(&mut text, explained, width);
    if let Some(instead) = explained.instead() {
        line(&mut text, "instead", &instead.text(), width);
    }
    text.push('\n');
    outcome(&mut text, explained, width);
    if !explained.eras.is_empty() {
        let _ = writeln!(text, "\n{}", paint(HEAD, "Other clients"));
        for era in &explained.eras {
            line(&mut text, &era.name(), &era.meaning, width);
        }
    }
    text
}

fn heading(explained: &Explanation) -> String {
    let case = &explained.case;
    let boundary = match case.event.boundary {
        Some(boundary) => format!("on {boundary}"),
        None => "no boundary".to_owned(),
    };
    format!(
        "{}  {}  {}\n",
        paint(NAME, case.adapter.vendor().as_str()),
        paint(HEAD, case.event.name),
        paint(DIM, &format!("{boundary}, client {}", case.adapter.version())),
    )
}

/// Rules, each with how it is known; the source once for all that share it.
pub(crate) fn rules(text: &mut String, rules: &[Rule], width: usize) {
    for rule in rules {
        // What has no evidence was given, or follows from what stands above it.
        let basis = rule.evidence.map_or("", |evidence| evidence.basis.as_str());
        let basis = pad(DIM, basis, INDENT - 3);
        let _ = writeln!(text, "  {basis} {}", wrap(&safe(&rule.text), width, INDENT));
    }
    let mut sources: Vec<(&'static str, Version)> = Vec::new();
    for (rule, evidence) in rules.iter().filter_map(|rule| Some((rule, rule.evidence?))) {
        if !sources.contains(&(evidence.source, rule.since)) {
            sources.push((evidence.source, rule.since));
        }
    }
    if rules.iter().any(|rule| rule.evidence.is_some_and(|evidence| evidence.basis == Basis::Seed)) {
        let line = "seed: this project's own reading, which holds where it and the vendor's page differ";
        let _ = writeln!(text, "{:INDENT$}{}", "", paint(DIM, &wrap(line, width, INDENT)));
    }
    for (source, since) in sources {
        let since = if since == Version::FIRST { String::new() } else { format!("; the event is there since {since}") };
        let source = wrap(&format!("known from {source}{since}"), width, INDENT);
        let _ = writeln!(text, "{:INDENT$}{}", "", paint(DIM, &source));
    }
}

/// Fields, each with what became of it.
pub(crate) fn fields(text: &mut String, fields: &[Fate], beyond: usize, width: usize) {
    if fields.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", paint(HEAD, "Field by field"));
    for fate in fields {
        let style = match fate.status {
            Status::Taken => GOOD,
            Status::Ignored | Status::Unknown => DIM,
            Status::Unsupported | Status::Foreign => WARN,
            Status::Invalid => BAD,
        };
        let path = display_line(&fate.path).into_owned();
        let room = width.saturating_sub(STATUS + 2 + columns(&path) + 2).max(20);
        let value = shorten(&display_line(&fate.value), room.saturating_sub(1)).into_owned();
        let status = pad(style, fate.status.as_str(), STATUS);
        let _ = writeln!(text, "  {status}{}  {}", paint(NAME, &path), paint(DIM, &value));
        let indent = STATUS + 2;
        let _ = writeln!(text, "{:indent$}{}", "", wrap(&safe(&fate.why), width, indent));
    }
    if beyond > 0 {
        let _ = writeln!(
            text,
            "  and {}{beyond} more; {} are looked at one by one",
            if beyond > 3 * LIMIT { "at least " } else { "" },
            fields.len()
        );
    }
}

fn seen(text: &mut String, explained: &Explanation, width: usize) {
    let sees = explained.sees();
    let nothing = || vec!["nothing".to_owned()];
    for (name, texts) in [("model", sees.model), ("person", sees.person)] {
        for said in if texts.is_empty() { nothing() } else { texts } {
            line(text, name, &said, width);
        }
    }
    if let Some(tool) = sees.tool {
        line(text, "runs", &tool, width);
    }
}

fn outcome(text: &mut String, explained: &Explanation, width: usize) {
    let _ =
        writeln!(text, "{} {}{}", paint(HEAD, "Decision:"), word(&explained.decision), strict_word(explained.strict));
    for duty in explained.duties() {
        line(text, "the host", duty, width);
    }
    if explained.fails_open() {
        let goes_on = words::goes_on(explained.case.event);
        let open = format!("FAILS OPEN: the hook did not do its work, and {goes_on}.");
        let _ = writeln!(text, "  {}", paint(BAD, &wrap(&open, width, 2)));
    }
    match &explained.stricter {
        Some(strict) => {
            let _ = writeln!(text, "{} {}", paint(HEAD, "Strict host:"), word(strict));
            for said in &strict.to_model {
                line(text, "model", &said.value, width);
            }
        }
        None if !explained.strict => {
            let _ = writeln!(text, "{}", paint(DIM, "A strict host does the same."));
        }
        None => {}
    }
    if explained.case.event.boundary.is_none() {
        let _ = writeln!(text, "{}", paint(DIM, "Hosts other than the vendor's client never fire this event."));
    }
}

const fn strict_word(strict: bool) -> &'static str {
    if strict { " (a strict host)" } else { "" }
}

/// A decision in a word.
pub(crate) fn word(decision: &Decision) -> String {
    let (style, word, _) = firing::word(decision, firing::exit_code(decision));
    paint(style, word)
}

/// The same without a style.
pub(crate) fn plain_word(decision: &Decision) -> &'static str {
    firing::word(decision, firing::exit_code(decision)).1
}

/// A named value, made safe, with line breaks where it is long.
pub(crate) fn line(text: &mut String, name: &str, value: &str, width: usize) {
    let value = safe(shorten(value, LONG).as_ref());
    let name = pad(DIM, &display_line(name), INDENT - 3);
    let gap = if columns(&name) > 0 { " " } else { "" };
    let _ = writeln!(text, "  {name}{gap}{}", wrap(&value, width, INDENT));
}

fn safe(text: &str) -> String {
    display_untrusted(text).into_owned()
}
