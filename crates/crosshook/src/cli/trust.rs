//! `crosshook trust`: what a person lets run of other people's hooks, in a file that hosts can keep to.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_core::activate::{Admission as _, AdmitRecorded};
use hooks_core::text::{display_line, shorten};
use hooks_core::{Admitted, BindingId, Definition, Parsed, State};
use hooks_runtime::trust::{Record, Standing, content_text};
use hooks_runtime::{ScriptPlaces, StoreError, TrustStore};
use serde_json::{Value, json};

use super::args::{TrustAction, TrustAddArgs, TrustDiffArgs, TrustListArgs, TrustRemoveArgs, Where};
use super::exit::{self, Done, Trouble};
use super::out::{BAD, DIM, GOOD, NAME, Out, WARN, columns, pad, paint};
use super::project::Project;
use super::state::state_folder;
use super::view::DefinitionView;

/// Runs the subcommand.
pub(crate) fn run(action: &TrustAction, out: &mut Out) -> Done {
    match action {
        TrustAction::List(args) => list(args, out),
        TrustAction::Add(args) => add(args, out),
        TrustAction::Remove(args) => remove(args, out),
        TrustAction::Diff(args) => diff(args, out),
    }
}

/// The store that is named, or the person's own.
fn open(named: Option<&PathBuf>) -> Result<TrustStore, Trouble> {
    let path = match named {
        Some(path) => std::path::absolute(path)
            .map_err(|error| Trouble::usage(format!("`{}` is no path: {error}", path.display())))?,
        None => own_store()?,
    };
    TrustStore::open(path).map_err(trouble)
}

/// `$XDG_STATE_HOME/crosshook/trust.json`, or the same below `~/.local/state`.
fn own_store() -> Result<PathBuf, Trouble> {
    let state = state_folder().map_err(|why| {
        Trouble::usage(format!("there is no place for the trust store: {why}")).help("name a file with --store")
    })?;
    Ok(state.join("trust.json"))
}

fn trouble(error: StoreError) -> Trouble {
    let trouble = Trouble::usage(error.to_string());
    match error {
        StoreError::Form { .. } => trouble.help("nothing is trusted while it is like this; mend it, or move it away"),
        StoreError::Locked { .. } => trouble.help("try again"),
        _ => trouble,
    }
}

fn list(args: &TrustListArgs, out: &mut Out) -> Done {
    let store = open(args.store.as_ref())?;
    let below = args.path.as_deref().map(full).transpose()?;
    let records: Vec<&Record> = store.records().iter().filter(|record| is_below(record, below.as_deref())).collect();
    if args.format.is_json() {
        out.json(&json!({ "store": store.path(), "records": records }));
        return Ok(exit::OK);
    }
    let mut text = String::new();
    if records.is_empty() {
        let _ = writeln!(text, "Nothing is trusted in {}.", display_line(&store.path().to_string_lossy()));
    }
    let mut source = "";
    for record in records {
        if record.source != source {
            let _ = writeln!(text, "{}", display_line(&record.source));
            source = &record.source;
        }
        let place = format!("{}[{}][{}]", record.event, record.group, record.index);
        let what = record.text.as_deref().map_or_else(|| record.hash.clone(), summary);
        let _ = writeln!(text, "  {}{}", pad(NAME, &display_line(&place), 34), display_line(&shorten(&what, 200)));
        for path in record.scripts.iter().flat_map(|scripts| scripts.keys()) {
            let _ = writeln!(text, "  {:34}{}", "", paint(DIM, &format!("and {}", display_line(path))));
        }
    }
    out.print(&text);
    Ok(exit::OK)
}

/// A kept text as one line: what is run.
fn summary(text: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let said = |name: &str| value.pointer(&format!("/handler/{name}")).and_then(Value::as_str).map(str::to_owned);
    ["command", "url", "tool", "prompt"].into_iter().find_map(said).unwrap_or_else(|| text.to_owned())
}

/// One definition with how it stands.
struct Entry {
    definition: Arc<Definition>,
    /// How it stands in the store; `None` where the vendor's own records decide.
    standing: Option<Standing>,
    admitted: Admitted,
    line: usize,
}

impl Entry {
    const fn runs(&self) -> bool {
        matches!(self.admitted, Admitted::Yes)
    }

    fn word(&self) -> &'static str {
        match (&self.standing, self.admitted) {
            (Some(standing), _) => standing.word(),
            (None, Admitted::Yes) => "trusted there",
            (None, _) => "off there",
        }
    }
}

/// The definitions of a project that somebody has to trust before they run.
fn entries(place: &Where, store: &TrustStore) -> Result<(Project, Vec<Entry>), Trouble> {
    let project = Project::open(place)?;
    let lines = project.lines();
    let mut by_vendor: HashMap<&str, Vec<Parsed>> = HashMap::new();
    for document in project.documents() {
        by_vendor.entry(document.source.vendor.as_str()).or_default().push(document.clone());
    }
    let standings = store.survey(project.definitions.iter().map(AsRef::as_ref));
    let mut entries = Vec::new();
    for (definition, standing) in project.definitions.iter().zip(standings) {
        let adapter = project.adapter(&definition.vendor);
        let documents = by_vendor.get(definition.vendor.as_str()).map_or(&[][..], Vec::as_slice);
        let records = adapter.and_then(|adapter| adapter.trust(definition, documents));
        let alone = AdmitRecorded.admit(definition, records);
        let concerned = definition.state == State::Live
            && (definition.source.origin.needs_trust() || matches!(alone, Admitted::Untrusted | Admitted::Modified));
        if concerned {
            let own = matches!(alone, Admitted::Yes | Admitted::Disabled);
            entries.push(Entry {
                definition: Arc::clone(definition),
                standing: (!own).then_some(standing),
                admitted: store.admit(definition, records),
                line: lines.get(&definition.id).copied().unwrap_or(1),
            });
        }
    }
    Ok((project, entries))
}

fn row(text: &mut String, project: &Project, entry: &Entry, width: usize) {
    let Entry { definition, .. } = entry;
    let style = if entry.runs() { GOOD } else { WARN };
    let place = format!("{}:{}", display_line(&project.shown(&definition.source.path)), entry.line);
    let matcher = definition.matcher_text.as_deref().unwrap_or("any");
    let event = format!("{}  {}", display_line(&definition.place.event), display_line(&shorten(matcher, 60)));
    let room = width.saturating_sub(columns(entry.word()) + 12);
    let _ = writeln!(
        text,
        "  {}{}  {}",
        pad(NAME, definition.vendor.as_str(), 8),
        pad(anstyle::Style::new(), &event, room),
        paint(style, entry.word())
    );
    // All of it: this is what somebody says yes to.
    let _ = writeln!(text, "          {}", display_line(definition.handler.label().trim()));
    let _ = writeln!(text, "          {}", paint(DIM, &place));
    let more = match &entry.standing {
        Some(Standing::Moved { from }) => Some(format!("the same was trusted in {from}")),
        Some(Standing::ScriptChanged { path }) => Some(format!("{path} is not what it was")),
        Some(Standing::Changed { was: Some(was) }) => Some(format!("was: {}", changed(was, definition))),
        Some(Standing::Changed { was: None }) => Some("what it was is too long to be kept".to_owned()),
        None if entry.runs() => Some(format!("by {}'s own records", definition.vendor)),
        None => Some(format!("{}'s own records switch it off", definition.vendor)),
        _ => None,
    };
    if let Some(more) = more {
        let _ = writeln!(text, "          {}", paint(style, &display_line(&more)));
    }
}

/// What differs of an earlier form: the members that are not equal, as they were.
fn changed(was: &str, definition: &Definition) -> String {
    let was: Value = serde_json::from_str(was).unwrap_or_default();
    let now: Value = serde_json::from_str(&content_text(definition)).unwrap_or_default();
    let mut parts = Vec::new();
    for pointer in [
        "/handler/command",
        "/handler/args",
        "/handler/url",
        "/handler/tool",
        "/handler/prompt",
        "/matcher",
        "/condition",
    ] {
        let (old, new) = (was.pointer(pointer), now.pointer(pointer));
        if old != new {
            let name = pointer.rsplit('/').next().unwrap_or_default();
            parts.push(format!("{name} {}", old.unwrap_or(&Value::Null)));
        }
    }
    if parts.is_empty() { was.to_string() } else { parts.join(", ") }
}

fn add(args: &TrustAddArgs, out: &mut Out) -> Done {
    let mut store = open(args.store.as_ref())?;
    let (project, entries) = entries(&args.place, &store)?;
    let new: Vec<&Entry> = entries.iter().filter(|entry| !entry.runs() && entry.standing.is_some()).collect();
    if new.is_empty() {
        out.print(if entries.is_empty() {
            "No hooks here that somebody has to trust.\n"
        } else {
            "Nothing to add: what can be trusted here is trusted.\n"
        });
        return Ok(exit::OK);
    }
    let places = args.scripts.then(|| ScriptPlaces::project(project.root(), project.adapters().cloned()));
    let mut text = String::new();
    for entry in &new {
        row(&mut text, &project, entry, out.width());
        for script in places.iter().flat_map(|places| places.scripts(&entry.definition)) {
            let script = project.shown(&script.to_string_lossy());
            let _ = writeln!(text, "          {}", paint(DIM, &format!("and what {} holds", display_line(&script))));
        }
    }
    out.print(&text);
    let what = if new.len() == 1 { "this hook".to_owned() } else { format!("these {} hooks", new.len()) };
    let said_yes = args.yes || (out.can_ask() && out.ask(&format!("\nTrust {what}?")));
    if !said_yes {
        out.print("Nothing was added: look at the commands, then say --yes.\n");
        return Ok(exit::NOT_RUN);
    }
    store.add(new.iter().map(|entry| &*entry.definition), places.as_ref()).map_err(trouble)?;
    out.print(&format!("Trusted {what}, in {}.\n", display_line(&store.path().to_string_lossy())));
    Ok(exit::OK)
}

fn remove(args: &TrustRemoveArgs, out: &mut Out) -> Done {
    let mut store = open(args.store.as_ref())?;
    let below = full(&args.path)?;
    let gone = store.remove(|record| is_below(record, Some(&below))).map_err(trouble)?;
    out.print(&match gone.len() {
        0 => format!("Nothing was trusted in {}.\n", display_line(&below.to_string_lossy())),
        1 => "1 hook is no longer trusted.\n".to_owned(),
        count => format!("{count} hooks are no longer trusted.\n"),
    });
    Ok(exit::OK)
}

fn diff(args: &TrustDiffArgs, out: &mut Out) -> Done {
    let store = open(args.store.as_ref())?;
    let (project, entries) = entries(&args.place, &store)?;
    let present: Vec<BindingId> = entries.iter().map(|entry| entry.definition.id.clone()).collect();
    let gone = store.gone(project.definitions.iter().map(AsRef::as_ref), Path::new(&real(project.root())));
    let waiting = entries.iter().filter(|entry| !entry.runs() && entry.standing.is_some()).count();
    if args.format.is_json() {
        let hooks: Vec<Value> = entries.iter().map(entry_json).collect();
        let document = json!({ "store": store.path(), "hooks": hooks, "gone": gone, "not_trusted": waiting });
        out.json(&document);
    } else {
        let mut text = String::new();
        for entry in &entries {
            row(&mut text, &project, entry, out.width());
        }
        for record in &gone {
            let place = format!("{}  {}", record.event, project.shown(&record.source));
            let _ =
                writeln!(text, "  {}{}  {}", pad(NAME, &record.vendor, 8), display_line(&place), paint(BAD, "gone"));
        }
        let _ = match (present.len(), waiting) {
            (0, _) => writeln!(text, "No hooks here that somebody has to trust."),
            (_, 0) => writeln!(text, "All of them are trusted."),
            (all, count) => writeln!(text, "{count} of {all} do not run in a host that keeps to this store."),
        };
        out.print(&text);
    }
    Ok(if waiting > 0 { exit::PROBLEMS } else { exit::OK })
}

fn entry_json(entry: &Entry) -> Value {
    json!({
        "hook": serde_json::to_value(DefinitionView::at(&entry.definition, entry.line)).unwrap_or_default(),
        "standing": entry.word(),
        "runs": entry.runs(),
        "moved_from": match &entry.standing { Some(Standing::Moved { from }) => Some(from), _ => None },
        "script": match &entry.standing { Some(Standing::ScriptChanged { path }) => Some(path), _ => None },
        "was": match &entry.standing { Some(Standing::Changed { was }) => was.as_ref(), _ => None },
    })
}

fn is_below(record: &Record, folder: Option<&Path>) -> bool {
    folder.is_none_or(|folder| Path::new(&record.source).starts_with(folder))
}

/// A path as the store has it: links followed as far as there is something. What follows may be gone by now.
fn full(path: &Path) -> Result<PathBuf, Trouble> {
    let path = std::path::absolute(path)
        .map_err(|error| Trouble::usage(format!("`{}` is no path: {error}", path.display())))?;
    let mut gone = Vec::new();
    for folder in path.ancestors() {
        if let Ok(real) = folder.canonicalize() {
            return Ok(gone.into_iter().rev().fold(real, |path, name| path.join(name)));
        }
        gone.extend(folder.file_name());
    }
    Ok(path)
}

fn real(path: &Path) -> String {
    path.canonicalize().unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}
