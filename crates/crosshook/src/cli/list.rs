//! `crosshook list`: every definition by boundary, with its state.

use std::collections::HashMap;
use std::fmt::Write as _;

use hooks_core::facts::SubjectFact;
use hooks_core::text::{display_line, shorten};
use hooks_core::{Admitted, Boundary, Definition, Matcher, Parsed, State};
use hooks_runtime::PlaceState;

use super::args::ListArgs;
use super::exit::{self, Done};
use super::out::{BAD, DIM, GOOD, HEAD, NAME, Out, WARN, columns, pad, paint, wrap};
use super::project::Project;
use super::report::Cursor;
use super::view::{PlacesView, ProjectView};

/// Runs the subcommand.
pub(crate) fn run(args: &ListArgs, out: &mut Out) -> Done {
    let project = Project::open(&args.place)?;
    if args.places {
        if args.format.is_json() {
            out.json(&PlacesView::of(&project));
        } else {
            out.print(&places(&project, out.width()));
        }
    } else if args.format.is_json() {
        out.json(&ProjectView::of(&project));
    } else {
        let text = render(&project, args.place.scope.home.is_some(), out.width());
        out.print(&text);
    }
    Ok(exit::OK)
}

/// `own_records`: the files were read in which vendors keep what a person trusted.
fn render(project: &Project, own_records: bool, width: usize) -> String {
    let mut text = String::new();
    if project.documents().next().is_none() {
        text.push_str(&project.nothing_found(width));
    }
    let mut cursors = HashMap::new();
    let groups = Boundary::ALL.iter().map(|boundary| Some(*boundary)).chain([None]);
    for boundary in groups {
        let mut members = project.definitions.iter().filter(|definition| definition.boundary == boundary).peekable();
        if members.peek().is_none() {
            continue;
        }
        let name = boundary.map_or("no boundary", Boundary::name);
        let about = boundary.map_or("No host fires these.", |boundary| boundary.info().about);
        let _ = writeln!(text, "{}  {}", paint(HEAD, name), paint(DIM, about));
        for definition in members {
            let source = &definition.source;
            let cursor = cursors.entry(&*source.path).or_insert_with(|| Cursor::new(&source.bytes));
            let (line, _) = cursor.position(definition.range.start);
            let trust = own_records.then(|| untrusted(project, definition)).flatten();
            row(&mut text, project, definition, line, trust, width);
        }
        text.push('\n');
    }
    footer(&mut text, project, width);
    text
}

/// Columns of the vendor, with two blanks before and after.
const VENDOR: usize = 10;
/// Columns of the event's name.
const EVENT: usize = 22;
/// Columns of the state.
const STATE: usize = 11;

fn row(
    text: &mut String,
    project: &Project,
    definition: &Definition,
    line: usize,
    trust: Option<&'static str>,
    width: usize,
) {
    let room = width.saturating_sub(VENDOR + EVENT + STATE + 2);
    let event = display_line(&definition.place.event).into_owned();
    let mut matcher = matcher(project, definition);
    if let Some(condition) = &definition.condition {
        let _ = write!(matcher, ", if {}", display_line(condition));
    }
    let matcher = shorten(&matcher, room.saturating_sub(1)).into_owned();
    let _ = writeln!(
        text,
        "  {}{}{}  {}",
        pad(NAME, definition.vendor.as_str(), VENDOR - 2),
        pad(anstyle::Style::new(), &event, EVENT.max(columns(&event) + 1)),
        pad(DIM, &matcher, room),
        trust.map_or_else(|| state(definition), |word| paint(WARN, word)),
    );
    let place = format!("{}:{line}", display_line(&project.shown(&definition.source.path)));
    let indent = VENDOR;
    let room = width.saturating_sub(indent + columns(&place) + 2).max(20);
    let label = definition.handler.label();
    let label = match definition.handler.kind().as_str() {
        "command" => label,
        kind => format!("{kind}: {label}"),
    };
    let label = shorten(&display_line(label.trim()), room.saturating_sub(1)).into_owned();
    let _ = writeln!(text, "{:indent$}{}  {}", "", pad(anstyle::Style::new(), &label, room), paint(DIM, &place));
    if trust.is_some() {
        let _ = writeln!(text, "{:indent$}{}", "", paint(DIM, "says the vendor's own record"));
    }
    if let Some(why) = why(definition) {
        let why = display_line(shorten(why, 400).as_ref()).into_owned();
        let _ = writeln!(text, "{:indent$}{}", "", paint(DIM, &wrap(&why, width, indent)));
    }
}

/// The matcher as written, with a word where the event does not look at it.
fn matcher(project: &Project, definition: &Definition) -> String {
    let Some(written) = &definition.matcher_text else { return "any".to_owned() };
    let shown = display_line(written);
    let ignored = project
        .adapter(&definition.vendor)
        .and_then(|adapter| adapter.event(&definition.place.event))
        .is_some_and(|event| event.subject == SubjectFact::Ignored);
    match (ignored, written.is_empty()) {
        (true, _) => format!("any (`{shown}` is ignored)"),
        (false, true) => "any".to_owned(),
        (false, false) => shown.into_owned(),
    }
}

fn state(definition: &Definition) -> String {
    let (style, word) = match (&definition.state, &definition.matcher) {
        (State::Live, Matcher::Never(_)) => (BAD, "never"),
        (State::Live, _) => (GOOD, "live"),
        (State::Inert(_), _) => (BAD, "inert"),
        (state, _) => (WARN, state.word()),
    };
    paint(style, word)
}

/// The word for what a vendor's own record says of a definition that is live but for that, where it may not run.
fn untrusted(project: &Project, definition: &Definition) -> Option<&'static str> {
    if definition.state != State::Live {
        return None;
    }
    let own: Vec<Parsed> =
        project.documents().filter(|document| document.source.vendor == definition.vendor).cloned().collect();
    match project.adapter(&definition.vendor)?.trust(definition, &own)? {
        Admitted::Yes => None,
        Admitted::Modified => Some("modified"),
        Admitted::Disabled => Some("disabled"),
        _ => Some("untrusted"),
    }
}

/// Why a definition does not run, or never matches.
fn why(definition: &Definition) -> Option<&str> {
    match (&definition.state, &definition.matcher) {
        (State::Live, Matcher::Never(why)) => Some(why),
        (state, _) => state.why(),
    }
}

/// Every place where documents may lie, vendor by vendor, with what is there.
fn places(project: &Project, width: usize) -> String {
    let mut text = String::new();
    if project.looked.is_empty() {
        let _ = writeln!(text, "{} is one file: nothing else was looked for.", display_line(&project.asked));
    }
    let mut last = None;
    for (vendor, looked) in &project.looked {
        if last != Some(vendor) {
            let _ = writeln!(text, "{}", paint(HEAD, vendor.as_str()));
            last = Some(vendor);
        }
        let path = display_line(&project.shown(&looked.path.to_string_lossy())).into_owned();
        let (style, word) = match &looked.state {
            PlaceState::Found => (GOOD, "found"),
            PlaceState::Absent => (DIM, "not there"),
            PlaceState::Unreadable(_) => (BAD, "cannot be read"),
            PlaceState::Taken => (DIM, "read already"),
            PlaceState::Left => (DIM, "left to its own vendor"),
            _ => (DIM, "not looked at"),
        };
        let room = width.saturating_sub(ORIGIN + columns(word) + 4);
        let origin = pad(NAME, looked.origin.as_str(), ORIGIN);
        let word = paint(style, word);
        let _ = if columns(&path) <= room {
            writeln!(text, "  {origin}{}  {word}", pad(anstyle::Style::new(), &path, room))
        } else {
            // The state keeps its column, on a line of its own.
            writeln!(text, "  {origin}{path}\n{:1$}{word}", "", ORIGIN + room + 4)
        };
        if let PlaceState::Unreadable(why) = &looked.state {
            let indent = ORIGIN + 2;
            let why = wrap(&display_line(why), width, indent);
            let _ = writeln!(text, "{:indent$}{}", "", paint(DIM, &why));
        }
    }
    let mut left_out: Vec<&str> = Vec::new();
    for (_, looked) in &project.looked {
        if let PlaceState::NotAsked(why) = looked.state
            && !left_out.contains(&why)
        {
            left_out.push(why);
        }
    }
    if !left_out.is_empty() {
        let line = format!("Not looked at: {}. --home and --system look there too.", left_out.join("; "));
        let _ = writeln!(text, "{}", paint(DIM, &wrap(&line, width, 0)));
    }
    text
}

/// Columns of an origin.
const ORIGIN: usize = 10;

fn footer(text: &mut String, project: &Project, width: usize) {
    for document in project.documents() {
        let path = display_line(&project.shown(&document.source.path)).into_owned();
        if document.rejected {
            let line = format!("{} rejects {path} as a whole.", document.source.vendor);
            let _ = writeln!(text, "{}", wrap(&line, width, 0));
        } else if document.definitions.is_empty() {
            let line = format!("No hooks in {path} ({}).", document.source.vendor);
            let _ = writeln!(text, "{}", paint(DIM, &wrap(&line, width, 0)));
        }
    }
    for (vendor, path) in project.left() {
        let path = display_line(&project.shown(&path)).into_owned();
        let line = format!("{path} is read by {vendor}'s client too, where its import setting is on; listed once.");
        let _ = writeln!(text, "{}", paint(DIM, &wrap(&line, width, 0)));
    }
    if let Some(why) = &project.refused {
        let _ = writeln!(text, "{}", paint(BAD, &wrap(&format!("A session would be refused: {why}"), width, 0)));
    }
    if project
        .definitions
        .iter()
        .any(|definition| definition.source.origin.needs_trust() && definition.state == State::Live)
    {
        let remark = "live: runs when it matches, once the project is trusted in the vendor's client.";
        let _ = writeln!(text, "{}", paint(DIM, &wrap(remark, width, 0)));
    }
    if let Some(problems) = project.problems() {
        let asked = display_line(&project.asked);
        let _ = writeln!(text, "{problems}: `crosshook check {asked}` explains.");
    }
}
