//! `crosshook why`: for one occurrence, of every hook whether it runs, and the reason where it does not.

use std::fmt::Write as _;
use std::ops::Range;

use clap::Args;
use hooks_core::adapter::Subject;
use hooks_core::select::{Why, explain};
use hooks_core::text::{display_line, shorten};
use hooks_core::{Admitted, Definition, Diagnostic, Parsed, Reach, SessionState, Severity, State};
use hooks_runtime::PlaceState;
use serde_json::{Value, json};

use super::args::{Format, Scope};
use super::exit::{self, Done};
use super::occasion::{ForWhom, Occasion};
use super::out::{BAD, DIM, GOOD, HEAD, NAME, Out, WARN, paint, wrap};
use super::payload::Happened;
use super::report::Cursor;
use super::view::DefinitionView;

/// `why`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, override_usage = "crosshook why [OPTIONS] [PATH] EVENT")]
pub(crate) struct WhyArgs {
    /// The project's folder or one hook file, then a vendor's event (`PreToolUse`) or a boundary (`tool.before`); the
    /// current folder if only the event is given
    #[arg(value_name = "PATH EVENT", num_args = 0..=2)]
    pub what: Vec<String>,
    #[command(flatten)]
    pub scope: Scope,
    #[command(flatten)]
    pub happened: Happened,
    #[command(flatten)]
    pub whom: ForWhom,
    #[command(flatten)]
    pub format: Format,
}

const EXAMPLES: &str = "\
Examples:
  crosshook why tool.before --command 'git push'
  crosshook why ~/src/app PreToolUse --tool Write --input '{\"file_path\": \"a\"}'
  crosshook why . stop --home               with your own hooks, and their trust
  crosshook why --payload records/1.json    what a recorded occurrence concerns
  crosshook why Stop --json | jq '.hooks[] | select(.runs | not)'

Every hook of every vendor is told of, as its vendor's own client would treat
it, and every file that was not read or gives nothing. Nothing is run.

Exit codes: 0 done; 2 wrong arguments, or PATH cannot be read.";

/// Runs the subcommand.
pub(crate) fn run(args: &WhyArgs, out: &mut Out) -> Done {
    let occasion = Occasion::open(&args.what, &args.scope, &args.happened, &args.whom)?;
    let entries = entries(&occasion, args.scope.home.is_some());
    let lost = lost(&occasion);
    if args.format.is_json() {
        out.json(&document(&occasion, &entries, &lost));
    } else {
        let text = render(&occasion, &entries, &lost, out.width());
        out.print(&text);
    }
    Ok(exit::OK)
}

/// What is said about one hook.
struct Entry<'o> {
    definition: &'o Definition,
    /// Whether it runs.
    runs: bool,
    /// Why, or why not.
    why: String,
    /// A word for the kind of reason.
    kind: &'static str,
    /// What its matcher was tested against; `None` where its event does not occur.
    subject: Option<Vec<String>>,
    /// Whether its event is on the boundary.
    here: bool,
    /// The copy that runs in its place.
    copy: Option<String>,
    /// What the diagnostics say about it.
    told: Vec<&'o Diagnostic>,
    /// What is to be said about trust.
    trust: Option<&'static str>,
}

/// What is to be said of hooks that somebody else brought along.
const ASKED_THERE: &str = "once the project is trusted in the vendor's client";

fn entries<'o>(occasion: &'o Occasion, own_records: bool) -> Vec<Entry<'o>> {
    let session = SessionState::default();
    let all = explain(&occasion.snapshot, &occasion.occurrence.envelope, &session);
    let running: Vec<&Definition> =
        all.iter().filter(|(_, why)| !matches!(why, Why::No(_))).map(|(definition, _)| *definition).collect();
    all.iter().map(|(definition, why)| entry(occasion, definition, why, &running, own_records)).collect()
}

fn entry<'o>(
    occasion: &'o Occasion,
    definition: &'o Definition,
    why: &Why,
    running: &[&Definition],
    own_records: bool,
) -> Entry<'o> {
    let envelope = &occasion.occurrence.envelope;
    let adapter = occasion.snapshot.adapter(&definition.vendor);
    let event = adapter.and_then(|adapter| adapter.event(&definition.place.event));
    let here = adapter.zip(event).is_some_and(|(adapter, event)| adapter.is_on(event, envelope.boundary()));
    let subject =
        adapter.zip(event).filter(|_| here).and_then(|(adapter, event)| match adapter.subject(event, envelope) {
            Subject::Is(subject) => Some(subject.values().iter().map(|value| (*value).to_owned()).collect()),
            Subject::NotThisEvent(_) => None,
        });
    let told: Vec<&Diagnostic> = occasion
        .project
        .diagnostics
        .iter()
        .filter(|told| {
            told.path == definition.source.path
                && told.range.as_ref().is_some_and(|range| meet(range, &definition.range))
        })
        .collect();
    let copy = definition.dedup_key.as_ref().and_then(|key| {
        let same = |other: &&&Definition| other.vendor == definition.vendor && other.dedup_key.as_ref() == Some(key);
        running.iter().rev().find(same).map(|other| occasion.place(other))
    });
    let (mut runs, mut kind, mut why) = match why {
        Why::Run => (true, "runs", matched(definition, subject.as_ref())),
        Why::Doubtful(why) => (true, "doubtful", format!("{why}; only a deny, ask or halt of it counts")),
        Why::No(why) => (false, kind(definition, here, subject.is_some(), why), why.clone()),
    };
    if kind == "no-boundary" {
        "no host outside its vendor's client fires it".clone_into(&mut why);
    }
    let copy = copy.filter(|_| kind == "copy");
    if let Some(place) = &copy {
        why = format!("it is a copy: the last one that matches runs in its place, {place}");
    }
    let mut trust = None;
    if runs {
        let records = own_records
            .then(|| adapter.and_then(|adapter| adapter.trust(definition, &occasion.documents_of(definition))))
            .flatten();
        match records {
            Some(Admitted::Yes) => trust = Some("it is trusted, says the vendor's own record"),
            Some(other) => {
                (runs, kind) = (false, "trust");
                why = match other {
                    Admitted::Modified => "it changed since it was trusted, says the vendor's own record",
                    Admitted::Disabled => "it is switched off in the vendor's own record",
                    _ => "nobody trusted it yet, says the vendor's own record",
                }
                .to_owned();
            }
            None if definition.source.origin.needs_trust() => {
                trust = Some(ASKED_THERE);
            }
            None => {}
        }
    }
    Entry { definition, runs, why, kind, subject, here, copy, told, trust }
}

/// A word for why a hook does not run.
fn kind(definition: &Definition, here: bool, occurs: bool, why: &str) -> &'static str {
    match &definition.state {
        State::Inert(_) => "inert",
        State::Untrusted | State::Modified => "trust",
        State::Disabled(_) => "disabled",
        State::NoBoundary => "no-boundary",
        _ if !here => "other-moment",
        _ if !occurs => "not-fired",
        _ if why.starts_with("a later copy") => "copy",
        _ if why.starts_with("its condition") => "condition",
        _ if why.contains("matcher") => "matcher",
        _ => "other",
    }
}

/// Why a hook that runs was selected.
fn matched(definition: &Definition, subject: Option<&Vec<String>>) -> String {
    let condition =
        definition.condition.as_ref().map_or(String::new(), |condition| format!(", and `{condition}` holds"));
    let Some(matcher) = definition.matcher_text.as_ref().filter(|text| !text.is_empty()) else {
        return format!("it has no matcher{condition}");
    };
    match subject {
        Some(values) if !values.is_empty() => {
            let kind = definition.matcher.kind();
            format!("its matcher `{matcher}` ({kind}) matches `{}`{condition}", values.join("`, `"))
        }
        _ => format!("its matcher `{matcher}` is not looked at on this event{condition}"),
    }
}

fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Something in a file that never became a hook, or a file that gives none.
struct Lost {
    path: String,
    line: Option<usize>,
    /// `rejected`, `dropped`, `unreadable`, `left` or `not-asked`.
    kind: &'static str,
    why: String,
    code: Option<&'static str>,
}

fn lost(occasion: &Occasion) -> Vec<Lost> {
    let project = &occasion.project;
    let mut lost = Vec::new();
    for document in project.documents() {
        let of = |told: &&Diagnostic| told.path == document.source.path;
        let told: Vec<&Diagnostic> = project.diagnostics.iter().filter(of).collect();
        if document.rejected {
            let drops = |told: &&&Diagnostic| told.severity == Severity::Error && told.reach != Reach::None;
            let mut causes: Vec<_> = told.iter().filter(drops).collect();
            if causes.is_empty() {
                causes = told.iter().collect();
            }
            for told in causes {
                lost.push(fault(document, told, "rejected"));
            }
            continue;
        }
        for told in told {
            let is_hooks = told
                .range
                .as_ref()
                .is_some_and(|range| document.definitions.iter().any(|definition| meet(range, &definition.range)));
            if told.severity > Severity::Info && told.reach != Reach::None && !is_hooks {
                lost.push(fault(document, told, "dropped"));
            }
        }
    }
    for (vendor, looked) in &project.looked {
        let path = looked.path.to_string_lossy().into_owned();
        let (kind, why) = match &looked.state {
            PlaceState::Unreadable(why) => ("unreadable", why.clone()),
            PlaceState::Left => ("left", format!("{vendor} reads it too where its import setting is on; told of once")),
            PlaceState::NotAsked(why) => ("not-asked", (*why).to_owned()),
            _ => continue,
        };
        lost.push(Lost { path, line: None, kind, why, code: None });
    }
    lost
}

fn fault(document: &Parsed, told: &Diagnostic, kind: &'static str) -> Lost {
    let line = told.range.as_ref().map(|range| Cursor::new(&document.source.bytes).position(range.start).0);
    Lost { path: document.source.path.clone(), line, kind, why: told.message.clone(), code: Some(told.code.id) }
}

fn render(occasion: &Occasion, entries: &[Entry<'_>], lost: &[Lost], width: usize) -> String {
    let mut text = String::new();
    let boundary = occasion.asked.boundary.name();
    let _ = writeln!(
        text,
        "{}  {}",
        paint(HEAD, boundary),
        wrap(&display_line(&occasion.about()), width, boundary.len() + 2)
    );
    if !occasion.occurrence.ignored.is_empty() {
        let ignored = display_line(&occasion.occurrence.ignored.join(", ")).into_owned();
        let _ = writeln!(text, "{} {}", paint(WARN, "ignored:"), wrap(&ignored, width, 9));
    }
    if entries.is_empty() && occasion.project.documents().next().is_none() {
        let _ = write!(text, "\n{}", occasion.project.nothing_found(width));
    } else if entries.is_empty() {
        let _ = writeln!(text, "\n{}", paint(HEAD, "No hook runs"));
    }
    let (running, others): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.runs);
    let (here, elsewhere): (Vec<_>, Vec<_>) = others.into_iter().partition(|entry| entry.here);
    for (heading, members) in [("Runs", &running), ("Does not run", &here), ("Is for another moment", &elsewhere)] {
        if members.is_empty() {
            if heading == "Runs" && !entries.is_empty() {
                let _ = writeln!(text, "\n{}", paint(HEAD, "No hook runs"));
            }
            continue;
        }
        let _ = writeln!(text, "\n{}", paint(HEAD, heading));
        for entry in members {
            row(&mut text, occasion, entry, width);
        }
    }
    files(&mut text, occasion, lost, width);
    if running.iter().any(|entry| entry.trust == Some(ASKED_THERE)) {
        let line = format!("Hooks of a project run {ASKED_THERE}.");
        let _ = writeln!(text, "{}", paint(DIM, &wrap(&line, width, 0)));
    }
    text
}

fn row(text: &mut String, occasion: &Occasion, entry: &Entry<'_>, width: usize) {
    let definition = entry.definition;
    let style = match (entry.runs, entry.here) {
        (true, _) => GOOD,
        (false, true) => BAD,
        (false, false) => DIM,
    };
    let _ = writeln!(
        text,
        "  {} {}  {}  {}",
        paint(style, if entry.runs { "+" } else { "-" }),
        paint(NAME, definition.vendor.as_str()),
        display_line(&definition.place.event),
        paint(DIM, &occasion.place(definition)),
    );
    let label = definition.handler.label();
    let label = if label.trim().is_empty() { "(nothing to run)" } else { label.trim() };
    let room = width.saturating_sub(6).max(20);
    let _ = writeln!(text, "    {}", paint(DIM, &shorten(&display_line(label), room)));
    let why = display_line(shorten(&entry.why, 600).as_ref()).into_owned();
    let _ = writeln!(text, "    {}", wrap(&why, width, 4));
    if let Some(trust) = entry.trust.filter(|trust| *trust != ASKED_THERE) {
        let _ = writeln!(text, "    {}", paint(DIM, &wrap(trust, width, 4)));
    }
    if !entry.here {
        return;
    }
    for told in &entry.told {
        let message = display_line(shorten(&told.message, 400).as_ref()).into_owned();
        let line = format!("{}: {message}", told.code.id);
        let style = if told.severity == Severity::Error { BAD } else { WARN };
        let _ = writeln!(text, "    {}", paint(style, &wrap(&line, width, 4)));
    }
}

fn files(text: &mut String, occasion: &Occasion, lost: &[Lost], width: usize) {
    let (faults, places): (Vec<_>, Vec<_>) =
        lost.iter().partition(|lost| lost.kind != "not-asked" && lost.kind != "left");
    if !faults.is_empty() {
        let _ = writeln!(text, "\n{}", paint(HEAD, "Never became a hook"));
    }
    for lost in faults {
        let path = occasion.project.shown(&lost.path);
        let line = lost.line.map_or(String::new(), |line| format!(":{line}"));
        let place = display_line(&format!("{path}{line}")).into_owned();
        let what = match lost.kind {
            "rejected" => "the whole file is rejected",
            "unreadable" => "the file could not be read",
            _ => "what stands there is dropped",
        };
        let _ = writeln!(text, "  {}  {}", place, paint(BAD, what));
        let code = lost.code.map_or(String::new(), |code| format!("{code}: "));
        let why = display_line(shorten(&format!("{code}{}", lost.why), 600).as_ref()).into_owned();
        let _ = writeln!(text, "    {}", wrap(&why, width, 4));
    }
    for lost in places.iter().filter(|lost| lost.kind == "left") {
        let line = format!("{}: {}.", occasion.project.shown(&lost.path), lost.why);
        let _ = writeln!(text, "{}", paint(DIM, &wrap(&display_line(&line), width, 0)));
    }
    let mut unasked: Vec<&str> = Vec::new();
    for lost in places.iter().filter(|lost| lost.kind == "not-asked") {
        if !unasked.contains(&lost.why.as_str()) {
            unasked.push(&lost.why);
        }
    }
    if !unasked.is_empty() {
        let line = format!("Beware: {}. --home and --system read them too.", unasked.join("; "));
        let _ = writeln!(text, "\n{}", paint(DIM, &wrap(&line, width, 0)));
    }
}

fn document(occasion: &Occasion, entries: &[Entry<'_>], lost: &[Lost]) -> Value {
    let hooks = entries.iter().map(|entry| {
        json!({
            "hook": serde_json::to_value(DefinitionView::at(entry.definition, occasion.line(entry.definition))).unwrap_or_default(),
            "runs": entry.runs,
            "kind": entry.kind,
            "why": entry.why,
            "subject": entry.subject,
            "on_this_boundary": entry.here,
            "copy": entry.copy,
            "trust": entry.trust,
            "diagnostics": entry.told.iter()
                .map(|told| json!({ "code": told.code.id, "severity": told.severity.as_str(), "message": told.message }))
                .collect::<Vec<_>>(),
        })
    });
    let lost = lost.iter().map(
        |lost| json!({ "path": lost.path, "line": lost.line, "kind": lost.kind, "why": lost.why, "code": lost.code }),
    );
    json!({
        "asked": occasion.asked.text,
        "boundary": occasion.asked.boundary.name(),
        "about": occasion.about(),
        "made_up": occasion.occurrence.made_up,
        "ignored": occasion.occurrence.ignored,
        "hooks": hooks.collect::<Vec<_>>(),
        "files": lost.collect::<Vec<_>>(),
    })
}
