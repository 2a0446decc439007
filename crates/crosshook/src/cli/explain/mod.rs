//! `crosshook explain`: what an answer means to a vendor and why, rule by rule and field by field.

pub(crate) mod answer;
pub(crate) mod fields;
pub(crate) mod meaning;
pub(crate) mod rules;
pub(crate) mod table;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub(crate) mod words;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use hooks_conformance::Given;
use hooks_core::facts::EventFacts;
use hooks_core::handler::{Handler, HttpHandler, McpToolHandler, PromptHandler};
use hooks_core::text::display_line;
use hooks_core::{Binding, Boundary, Definition, End, Envelope, FailurePolicy, HostSide, Outcome, RawJson};
use serde_json::json;

use self::answer::AnswerArgs;
use self::meaning::{Case, Explanation};
use self::table::{Row, table, title};
use super::args::Format;
use super::exit::{self, Done, Trouble};
use super::fire::resolve;
use super::near::did_you_mean;
use super::occasion::ForWhom;
use super::out::{DIM, Out, WARN, paint, wrap};
use super::record::{self, Record};

/// `explain`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// A record made by `crosshook record`, or a folder of them: nothing else need be said
    #[arg(value_name = "RECORD")]
    pub record: Option<PathBuf>,
    /// Whose rules (may be given again); all vendors that have the event if not given
    #[arg(long = "vendor", value_name = "VENDOR", value_parser = clap::builder::PossibleValuesParser::new(crosshook::VENDORS))]
    pub vendors: Vec<String>,
    /// A vendor's event or a boundary (may be given again); every event of the vendor if not given
    #[arg(long = "event", value_name = "EVENT|BOUNDARY")]
    pub events: Vec<String>,
    /// The same answer to every vendor's events on the same boundary, side by side
    #[arg(long)]
    pub all_vendors: bool,
    #[command(flatten)]
    pub answer: AnswerArgs,
    /// What the hook was given: a recorded payload; made up if not given
    #[arg(long, value_name = "FILE", help_heading = "What happened")]
    pub payload: Option<PathBuf>,
    /// The tool that is called, by the vendor's name
    #[arg(long, value_name = "NAME", conflicts_with = "payload", help_heading = "What happened")]
    pub tool: Option<String>,
    /// As if the hook's definition said that a failure blocks (`failClosed`, `onFailure`); Codex has no such setting
    #[arg(long)]
    pub fail_closed: bool,
    #[command(flatten)]
    pub whom: ForWhom,
    /// For a host that blocks whatever it cannot evaluate
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub format: Format,
}

const EXAMPLES: &str = "\
Examples:
  crosshook explain --vendor claude --event PreToolUse --exit 2 --stderr no
  crosshook explain --vendor cursor --event preToolUse --stdout answer.json
  ./guard.sh <input.json | crosshook explain --event PreToolUse --stdout -
  crosshook explain --event tool.before --exit 1     a crash, to each vendor
  crosshook explain --event Stop --vendor codex --all-vendors --stdout a.json
  crosshook explain --vendor cursor --timed-out      on every event of Cursor
  crosshook explain record.json                      what was recorded
  crosshook explain records/                         each of them in a line

Several events are shown side by side; name one event of one vendor for all
there is to say. Nothing is run.

Exit codes: 0 done; 2 wrong arguments, or something cannot be read.";

/// Runs the subcommand.
pub(crate) fn run(args: &ExplainArgs, out: &mut Out) -> Done {
    match &args.record {
        Some(path) if path.is_dir() => folder(args, path, out),
        Some(path) => {
            let text = record::read_text(path)?;
            let record = Record::parse(&text, path)?;
            one_record(args, &record, path, out)
        }
        None => asked(args, out),
    }
}

/// The answer that options describe, to the events that they name.
fn asked(args: &ExplainArgs, out: &mut Out) -> Done {
    let outcome = args.answer.outcome()?;
    let adapters = adapters(args)?;
    let payload = args.payload.as_deref().map(|path| answer::read(path, "--payload")).transpose()?;
    let payload = payload.map(|bytes| record::stdin_of(bytes, args.payload.as_deref())).transpose()?;
    let events = events(args, &adapters, payload.as_deref())?;
    let known = payload.as_deref().map(|bytes| read_payload(bytes, &events)).transpose()?;
    let explain = explainer(args, events.len());
    let explained = events
        .iter()
        .map(|(adapter, event)| {
            let envelope = match &known {
                Some(envelope) => fitting(envelope, event, &**adapter)?,
                None => made_up(&**adapter, event, args.tool.as_deref())?,
            };
            let case = case(adapter, event, envelope, outcome.clone(), args)?;
            let strict = args.strict || case.host.strict;
            Ok(explain(case, strict))
        })
        .collect::<Result<Vec<_>, Trouble>>()?;
    if args.tool.is_some() && explained.iter().all(|explained| explained.case.envelope.payload.tool_use().is_none()) {
        let names: Vec<_> = events.iter().map(|(_, event)| event.name).collect();
        return Err(Trouble::usage(format!("{} is about no tool", names.join(", "))).help("leave --tool away"));
    }
    show(args, &explained, &[], out)
}

/// How answers are explained: a table says nothing about rules and fields, which take the time.
fn explainer(args: &ExplainArgs, count: usize) -> fn(Case, bool) -> Explanation {
    if count == 1 || args.format.is_json() { Explanation::of } else { Explanation::brief }
}

/// Prints one explanation in full, several side by side.
fn show(args: &ExplainArgs, explained: &[Explanation], remarks: &[String], out: &mut Out) -> Done {
    if args.format.is_json() {
        let all: Vec<_> = explained.iter().map(Explanation::json).collect();
        out.json(&json!({ "explanations": all, "remarks": remarks }));
        return Ok(exit::OK);
    }
    let width = out.width();
    for remark in remarks {
        out.print(&format!("{}\n", paint(WARN, &wrap(&display_line(remark), width, 0))));
    }
    match explained {
        [one] => out.print(&text::explanation(one, width)),
        several => {
            let every = args.events.is_empty() && !args.all_vendors;
            let (matters, silent): (Vec<_>, Vec<_>) =
                several.iter().partition(|explained| !every || matters(explained));
            let rows: Vec<_> = matters.iter().map(|explained| Row::of(explained)).collect();
            let mut text = title("The same answer to several events");
            if !rows.is_empty() {
                text.push_str(&table(&rows, out.wide()));
            }
            if !silent.is_empty() {
                let names: Vec<_> = silent.iter().map(|explained| explained.case.event.name).collect();
                let line = format!("It means nothing on {}.", names.join(", "));
                text.push_str(&format!("\n{}\n", paint(DIM, &wrap(&line, width, 0))));
            }
            let hint = "Name one event of one vendor, with --vendor and --event, for the rules and fields.";
            text.push_str(&format!("{}\n", paint(DIM, &wrap(hint, width, 0))));
            out.print(&text);
        }
    }
    Ok(exit::OK)
}

/// Whether an answer does anything on an event.
fn matters(explained: &Explanation) -> bool {
    !explained.effects.effects.is_empty() || explained.effects.failure.is_some()
}

fn one_record(args: &ExplainArgs, record: &Record, path: &Path, out: &mut Out) -> Done {
    if args.answer.is_given() || args.payload.is_some() || args.tool.is_some() {
        return Err(Trouble::usage("a record says what happened and what the answer was")
            .help("leave the options about the answer and the occurrence away, or the record"));
    }
    let (explained, remarks) = explain_record(args, record, path, 0)?;
    if !args.format.is_json() {
        let made = format!("{}: {}", path.display(), record.about());
        let width = out.width();
        out.print(&format!("{}\n\n", paint(DIM, &wrap(&display_line(&made), width, 0))));
    }
    show(args, &explained, &remarks, out)
}

/// What a record's answer means, with remarks about how it was read; `others` counts the records beside it.
fn explain_record(
    args: &ExplainArgs,
    record: &Record,
    path: &Path,
    others: usize,
) -> Result<(Vec<Explanation>, Vec<String>), Trouble> {
    let mut remarks = Vec::new();
    let adapters = adapters(args)?;
    let recorded = |adapter: &&Arc<dyn HostSide>| {
        !args.vendors.is_empty()
            || args.all_vendors
            || record.vendor.as_deref().is_none_or(|vendor| vendor == adapter.vendor().as_str())
    };
    let adapters: Vec<_> = adapters.iter().filter(recorded).cloned().collect();
    let stdin = record.stdin.bytes();
    let named = record.event.clone().or_else(|| record::event_name(&stdin));
    let names = if args.events.is_empty() { named.into_iter().collect() } else { args.events.clone() };
    let Some(name) = names.first() else {
        return Err(
            Trouble::usage(format!("{} does not say which event it is of", path.display())).help("say it with --event")
        );
    };
    let events = if args.all_vendors {
        let boundary = resolve::resolve(name, &crosshook::adapters())?.boundary;
        resolve::resolve(boundary.name(), &adapters)?.events
    } else {
        on_events(&names, &adapters)?
    };
    let envelope = match read_payload(&stdin, &events) {
        Ok(envelope) => Some(envelope),
        Err(trouble) => {
            remarks.push(format!("{}; an occurrence is made up", trouble.message));
            None
        }
    };
    let (outcome, remark) = record.outcome();
    remarks.extend(remark);
    let explain = explainer(args, events.len() + others);
    let explained = events
        .iter()
        .map(|(adapter, event)| {
            let envelope = match &envelope {
                Some(envelope) => fitting(envelope, event, &**adapter)?,
                None => made_up(&**adapter, event, None)?,
            };
            let mut case = case(adapter, event, envelope, outcome.clone(), args)?;
            let can_close = meaning::can_close(&*case.adapter);
            record.dress(&mut case.binding, can_close);
            let strict = args.strict || case.host.strict;
            Ok(explain(case, strict))
        })
        .collect::<Result<Vec<_>, Trouble>>()?;
    Ok((explained, remarks))
}

/// Every record in a folder, in a line each.
fn folder(args: &ExplainArgs, path: &Path, out: &mut Out) -> Done {
    let mut all = Vec::new();
    let mut wrong = Vec::new();
    for file in record::files(path)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let explained = record::read_text(&file)
            .and_then(|text| Record::parse(&text, &file))
            .and_then(|record| explain_record(args, &record, &file, 1));
        match explained {
            Ok((explained, remarks)) => {
                all.extend(explained.into_iter().map(|one| (name.clone(), one, remarks.clone())))
            }
            Err(trouble) => wrong.push((name, trouble.message)),
        }
    }
    if all.is_empty() && wrong.is_empty() {
        return Err(Trouble::usage(format!("there is no record in {}", path.display()))
            .help("`crosshook record --help` says how to make some"));
    }
    if args.format.is_json() {
        let records: Vec<_> = all
            .iter()
            .map(|(name, explained, remarks)| json!({ "file": name, "explanation": explained.json(), "remarks": remarks }))
            .collect();
        let wrong: Vec<_> = wrong.iter().map(|(name, why)| json!({ "file": name, "why": why })).collect();
        out.json(&json!({ "records": records, "unreadable": wrong }));
        return Ok(exit::OK);
    }
    let row = |name: &String, explained| {
        let row = Row::of(explained);
        Row { name: name.clone(), event: format!("{} {}", row.name, row.event), ..row }
    };
    let rows: Vec<_> = all.iter().map(|(name, explained, _)| row(name, explained)).collect();
    let width = out.wide();
    let mut text = table(&rows, width);
    for (name, why) in &wrong {
        text.push_str(&format!("{}\n", paint(WARN, &wrap(&display_line(&format!("{name}: {why}")), width, 2))));
    }
    let hint = "`crosshook explain FILE` says all there is to say about one of them.";
    text.push_str(&format!("{}\n", paint(DIM, &wrap(hint, width, 0))));
    out.print(&text);
    Ok(exit::OK)
}

/// The vendors whose rules count, at the version that is asked for.
fn adapters(args: &ExplainArgs) -> Result<Vec<Arc<dyn HostSide>>, Trouble> {
    let mut adapters = args.whom.adapters(&args.vendors)?;
    if !args.all_vendors {
        adapters.retain(|adapter| {
            args.vendors.is_empty() || args.vendors.iter().any(|vendor| vendor == adapter.vendor().as_str())
        });
    }
    Ok(adapters)
}

type Events = Vec<(Arc<dyn HostSide>, &'static EventFacts)>;

/// The events that are meant.
fn events(args: &ExplainArgs, adapters: &[Arc<dyn HostSide>], payload: Option<&[u8]>) -> Result<Events, Trouble> {
    let named = payload.and_then(record::event_name);
    let names: Vec<String> = if args.events.is_empty() { named.into_iter().collect() } else { args.events.clone() };
    if args.all_vendors {
        let [name] = names.as_slice() else {
            return Err(
                Trouble::usage("--all-vendors compares the events of one boundary").help("name one with --event")
            );
        };
        let whose: Vec<_> = if args.vendors.is_empty() {
            adapters.to_vec()
        } else {
            let is_named =
                |adapter: &&Arc<dyn HostSide>| args.vendors.iter().any(|vendor| vendor == adapter.vendor().as_str());
            adapters.iter().filter(is_named).cloned().collect()
        };
        let boundary = resolve::resolve(name, &whose)?.boundary;
        return Ok(resolve::resolve(boundary.name(), adapters)?.events);
    }
    if names.is_empty() {
        if args.vendors.is_empty() {
            return Err(Trouble::usage("it is not said whose rules shall hold, nor for which event")
                .help("add --event with an event's name, and --vendor where several vendors have it"));
        }
        let of = |adapter: &Arc<dyn HostSide>| -> Events {
            adapter
                .events()
                .iter()
                .filter(|event| exists(&**adapter, event))
                .map(|event| (Arc::clone(adapter), *event))
                .collect()
        };
        return Ok(adapters.iter().flat_map(of).collect());
    }
    on_events(&names, adapters)
}

/// The events of these names or boundaries. Unlike those that are fired they need no boundary.
fn on_events(names: &[String], adapters: &[Arc<dyn HostSide>]) -> Result<Events, Trouble> {
    let mut events: Events = Vec::new();
    for name in names {
        let named = adapters.iter().filter_map(|adapter| {
            let event = adapter.event(name).filter(|event| exists(&**adapter, event))?;
            Some((Arc::clone(adapter), event))
        });
        let named: Events = named.collect();
        let found = if named.is_empty() {
            older(name, adapters).and_then(|()| resolve::resolve(name, adapters))?.events
        } else {
            named
        };
        for (adapter, event) in found {
            if !events.iter().any(|(other, known)| other.vendor() == adapter.vendor() && known.name == event.name) {
                events.push((adapter, event));
            }
        }
    }
    Ok(events)
}

fn exists(adapter: &dyn HostSide, event: &EventFacts) -> bool {
    event.since <= adapter.version()
}

/// Says so where a client is older than the event.
fn older(name: &str, adapters: &[Arc<dyn HostSide>]) -> Result<(), Trouble> {
    for adapter in adapters {
        let vendor = adapter.vendor();
        let newest = crosshook::adapter(vendor.as_str());
        if let Some(event) = newest.and_then(|newest| newest.event(name)).filter(|event| !exists(&**adapter, event)) {
            let (version, since) = (adapter.version(), event.since);
            return Err(Trouble::usage(format!("{vendor} {version} has no event {name}: it came with {since}")));
        }
    }
    Ok(())
}

/// The occurrence that a payload is of, read as the first of these vendors that can does.
fn read_payload(bytes: &[u8], events: &Events) -> Result<Envelope, Trouble> {
    let mut why = "nobody's event was named".to_owned();
    let mut vendors: Vec<&str> = events.iter().map(|(adapter, _)| adapter.vendor().as_str()).collect();
    vendors.extend(crosshook::VENDORS);
    for vendor in vendors {
        let Some(codec) = crosshook::codec(vendor) else { continue };
        match codec.read_stdin(bytes) {
            Ok((_, envelope)) => return Ok(envelope),
            Err(error) => why = error.to_string(),
        }
    }
    Err(Trouble::usage(format!("the payload is none of these vendors': {why}")))
}

/// A payload for an event, which must be on its boundary.
fn fitting(envelope: &Envelope, event: &EventFacts, adapter: &dyn HostSide) -> Result<Envelope, Trouble> {
    let boundary = envelope.boundary();
    if adapter.is_on(event, boundary) || event.boundary.is_none() {
        return Ok(envelope.clone());
    }
    let own = event.boundary.map_or("no boundary", Boundary::name);
    Err(Trouble::usage(format!("the payload is of {boundary}, and {} is on {own}", event.name)))
}

/// A made-up occurrence of an event.
pub(crate) fn made_up(adapter: &dyn HostSide, event: &EventFacts, tool: Option<&str>) -> Result<Envelope, Trouble> {
    let given = Given { tool: tool.map(str::to_owned), ..Given::default() };
    hooks_conformance::sample::envelope(adapter, event.name, &given)
        .ok_or_else(|| Trouble::usage(format!("no occurrence of {} can be made up", event.name)))
}

fn case(
    adapter: &Arc<dyn HostSide>,
    event: &'static EventFacts,
    envelope: Envelope,
    outcome: Outcome,
    args: &ExplainArgs,
) -> Result<Case, Trouble> {
    let blank = adapter.blank(event.name);
    let mut definition: Definition = blank.ok_or_else(|| {
        let near = did_you_mean(event.name, adapter.events().iter().map(|event| event.name));
        Trouble::usage(format!("{} has no event {}", adapter.vendor(), event.name)).help(near.unwrap_or_default())
    })?;
    if args.fail_closed && meaning::can_close(&**adapter) {
        definition.failure = FailurePolicy::Closed;
    }
    answered_by(&mut definition, &outcome.end);
    let (binding, host) = (Binding::alone(definition), args.whom.host()?);
    Ok(Case { adapter: Arc::clone(adapter), event, binding, envelope, outcome, host })
}

/// What a made-up hook is called.
const YOURS: &str = "your hook";

/// The handler whose runs end like this.
fn answered_by(definition: &mut Definition, end: &End) {
    match end {
        End::Http(_) => {
            definition.handler = Handler::Http(HttpHandler { url: YOURS.to_owned(), ..HttpHandler::default() })
        }
        End::Model => definition.handler = Handler::Prompt(PromptHandler::default()),
        End::Tool { .. } => {
            let (server, tool) = (YOURS.to_owned(), YOURS.to_owned());
            definition.handler = Handler::McpTool(McpToolHandler { server, tool, input: RawJson::null() });
        }
        _ => {
            if let Handler::Command(command) = &mut definition.handler
                && command.command.is_empty()
            {
                command.command = YOURS.to_owned();
            }
        }
    }
}
