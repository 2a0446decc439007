//! `crosshook fire`: which hooks an occurrence runs and with what; on a yes, what they said and what that comes to.

mod args;
pub(crate) mod explain;
mod merge;
pub(crate) mod resolve;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use hooks_conformance::{decision_json, effects_json, outcome_json};
use hooks_core::effects::EnvReach;
use hooks_core::handler::HandlerKind;
use hooks_core::outcome::{EnvBase, Folder, Invocation, Program, ShellKind};
use hooks_core::select::{Why, explain as explain_selection};
use hooks_core::{BindingId, Decision, Definition, HostProfile, MergePolicy, SessionState, decide, reduce, settle};
use hooks_runtime::{CancelSignal, FireOptions, Firing, LateRun, Planned, RunReport, SessionFiles, plan};
use serde_json::{Map, Value, json};

pub(crate) use self::args::FireArgs;
use self::resolve::Asked;
use super::exit::{self, Done, Trouble};
use super::out::Out;
use super::payload::{self, Occurrence};
use super::project::Project;
use super::record;
use super::view::DefinitionView;

/// How long runs in the background are waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Everything about one firing, before anything runs.
pub(crate) struct Prepared {
    project: Project,
    asked: Asked,
    occurrence: Occurrence,
    host: HostProfile,
    snapshot: hooks_core::Snapshot,
    planned: Vec<Planned>,
    lines: HashMap<BindingId, usize>,
}

/// What was run, with what went on in the background.
pub(crate) struct Fired {
    firing: Firing,
    late: Vec<LateRun>,
    /// Runs that were still going on when the waiting ended.
    given_up: usize,
    /// What hooks wrote for the agent's later shell commands.
    shell: String,
}

impl Prepared {
    /// The project's root.
    pub(crate) fn root(&self) -> String {
        self.project.root().to_string_lossy().into_owned()
    }

    /// The line a definition starts on.
    pub(crate) fn line(&self, definition: &Definition) -> usize {
        self.lines.get(&definition.id).copied().unwrap_or(1)
    }

    /// What the host would do if this run had been the only one.
    pub(crate) fn decide_alone(&self, run: &RunReport) -> Decision {
        let boundary = self.asked.boundary;
        let policy = self.snapshot.adapter(&run.binding.vendor).map(|adapter| adapter.merge_policy(boundary));
        let items = reduce([run.effects.clone()]);
        let settled = settle(items, policy.unwrap_or(&MergePolicy::DECLARED), self.host.strict);
        decide(settled, boundary, &self.host, SessionState::default()).0
    }
}

impl Fired {
    /// What the host shall do.
    pub(crate) const fn decision(&self) -> &Decision {
        &self.firing.decision
    }

    /// The runs, in declared order.
    pub(crate) fn runs(&self) -> &[RunReport] {
        &self.firing.runs
    }

    /// The late answer of a run that went to the background.
    fn late(&self, run: &RunReport) -> Option<&LateRun> {
        self.late.iter().find(|late| run.outcome.is_none() && late.binding.id == run.binding.id)
    }

    /// How a run ended, in the background or not; `None` where it had to be given up.
    pub(crate) fn outcome(&self, run: &'_ RunReport) -> Option<&hooks_core::Outcome> {
        let own = self.firing.runs.iter().find(|own| std::ptr::eq(*own, run)).and_then(|own| own.outcome.as_ref());
        own.or_else(|| self.late(run).map(|late| &late.outcome))
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &FireArgs, out: &mut Out) -> Done {
    run_with(args, out, &mut |_, _, _| {})
}

/// The same, with something to do with what was fired.
pub(crate) fn run_with(args: &FireArgs, out: &mut Out, then: &mut dyn FnMut(&Prepared, &Fired, &mut Out)) -> Done {
    let mut prepared = prepare(args)?;
    let is_json = args.format.is_json();
    if !is_json {
        let text = explain::plan(&prepared, out.width());
        out.print(&text);
        if args.why {
            out.print(&explain::others(&prepared, &others(&prepared)?, out.width()));
        }
    }
    let may_run = !prepared.planned.is_empty() && !args.dry_run;
    let may_ask = may_run && !args.yes && !is_json && out.can_ask();
    let said_yes = may_run && (args.yes || (may_ask && out.ask(&explain::question(&prepared))));
    if !said_yes {
        let code = if may_run { exit::NOT_RUN } else { exit::OK };
        if is_json {
            out.json(&document(args, &prepared, None, code)?);
        } else {
            out.print(explain::nothing_ran(&prepared, args.dry_run, may_ask));
        }
        return Ok(code);
    }
    let fired = fire(&mut prepared)?;
    let code = explain::exit_code(&fired.firing.decision);
    if is_json {
        out.json(&document(args, &prepared, Some(&fired), code)?);
    } else {
        let text = explain::results(&prepared, &fired, code, out.width());
        out.print(&text);
        if args.explain {
            out.print(&merge::text(&prepared, &fired, out.width()));
        }
    }
    then(&prepared, &fired, out);
    Ok(code)
}

/// Finds out what would run.
pub(crate) fn prepare(args: &FireArgs) -> Result<Prepared, Trouble> {
    let project = Project::load(&args.place, args.whom.adapters(&args.place.scope.vendors)?)?;
    let adapters: Vec<_> = project.adapters().cloned().collect();
    let payload = args.happened.text()?;
    let named = || payload.as_deref().and_then(|text| record::event_name(text.as_bytes()));
    let event = args.event.clone().or_else(named).ok_or_else(|| {
        Trouble::usage("it is not said what shall be fired")
            .help("name an event such as `PreToolUse`, or a boundary such as `tool.before`")
    })?;
    let asked = resolve::resolve(&event, &adapters)?;
    let root = project.root().to_string_lossy().into_owned();
    let occurrence = payload::build(&args.happened, payload.as_deref(), asked.boundary, &asked.events, &root)?;
    let mut host = args.whom.host()?;
    // Whatever a host would run: nobody is here who could ask a model or call a tool server.
    host.handlers.retain(|kind| *kind == HandlerKind::Command);
    host.strict |= args.strict;
    let snapshot = project.activate(&host, |definition| asked.concerns(definition))?;
    let planned = plan(&snapshot, &occurrence.envelope, &SessionState::default());
    let lines = project.lines();
    Ok(Prepared { project, asked, occurrence, host, snapshot, planned, lines })
}

/// Runs what was planned. Ctrl-C ends every run.
pub(crate) fn fire(prepared: &mut Prepared) -> Result<Fired, Trouble> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Trouble::usage(format!("cannot start the runner: {error}")))?;
    let cancel = CancelSignal::new();
    let scratch = tempfile::tempdir().map_err(|error| Trouble::usage(format!("cannot make a folder: {error}")))?;
    let files = Arc::new(SessionFiles::new(scratch.path()));
    let options = FireOptions::default().cancel(cancel.clone()).session_files(Arc::clone(&files));
    let Prepared { snapshot, occurrence, host, .. } = prepared;
    let session = SessionState::default();
    Ok(runtime.block_on(async {
        let firing = hooks_runtime::fire(snapshot, &occurrence.envelope, host, &session, &options);
        tokio::pin!(firing);
        let mut firing = loop {
            tokio::select! {
                done = &mut firing => break done,
                Ok(()) = tokio::signal::ctrl_c(), if !cancel.is_cancelled() => cancel.cancel(),
            }
        };
        let mut late = Vec::new();
        let patience = tokio::time::sleep(PATIENCE);
        tokio::pin!(patience);
        loop {
            tokio::select! {
                next = firing.late.next() => match next {
                    Some(run) => late.push(run),
                    None => break,
                },
                () = &mut patience => break,
            }
        }
        let given_up = firing.late.len();
        let shell = files.prelude(snapshot, EnvReach::Shell).text;
        Fired { firing, late, given_up, shell }
    }))
}

/// Every definition that does not run, with the reason.
fn others(prepared: &Prepared) -> Result<Vec<(Definition, String)>, Trouble> {
    let snapshot = prepared.project.activate(&prepared.host, |_| true)?;
    let session = SessionState::default();
    let all = explain_selection(&snapshot, &prepared.occurrence.envelope, &session);
    let others = all.into_iter().filter_map(|(definition, why)| {
        let asked = prepared.asked.concerns(definition);
        let why = match why {
            Why::No(why) => why,
            _ if !asked => format!("{} was not asked for", definition.place.event),
            _ => return None,
        };
        Some((definition.clone(), why))
    });
    Ok(others.collect())
}

/// How many definitions of the project do not run.
pub(crate) fn count_others(prepared: &Prepared) -> usize {
    let all = prepared.project.documents().map(|document| document.definitions.len()).sum::<usize>();
    all.saturating_sub(prepared.planned.len())
}

/// The program of an invocation as one line that a person can read.
pub(crate) fn program(invocation: &Invocation) -> String {
    match &invocation.program {
        Program::ShellText { text, .. } => text.clone(),
        Program::Exec { program, args } => {
            std::iter::once(program).chain(args).map(String::as_str).collect::<Vec<_>>().join(" ")
        }
        Program::Hosted(handler) => format!("{}: {}", handler.kind().as_str(), handler.label()),
        other => format!("{other:?}"),
    }
}

/// What starts the program, in words.
pub(crate) const fn starter(invocation: &Invocation) -> &'static str {
    match &invocation.program {
        Program::ShellText { shell: ShellKind::Sh | ShellKind::ShOrGitBash, .. } => "sh -c",
        Program::ShellText { shell: ShellKind::UserLogin, .. } => "your login shell, -c",
        Program::ShellText { shell: ShellKind::Bash, .. } => "bash -c",
        Program::ShellText { shell: ShellKind::PowerShell, .. } => "PowerShell",
        Program::Exec { .. } => "no shell",
        _ => "the host",
    }
}

fn document(args: &FireArgs, prepared: &Prepared, fired: Option<&Fired>, code: u8) -> Result<Value, Trouble> {
    let asked = &prepared.asked;
    let mut document = Map::new();
    let events: Vec<Value> = asked
        .events
        .iter()
        .map(|(adapter, event)| json!({ "vendor": adapter.vendor().as_str(), "event": event.name }))
        .collect();
    let mut put = |key: &str, value: Value| document.insert(key.to_owned(), value);
    put("asked", json!(asked.text));
    put("boundary", json!(asked.boundary.name()));
    put("events", json!(events));
    put("strict", json!(prepared.host.strict));
    put("made_up", json!(prepared.occurrence.made_up));
    put("ignored", json!(prepared.occurrence.ignored));
    put("ran", json!(fired.is_some()));
    put("exit_code", json!(code));
    match fired {
        None => {
            put("hooks", prepared.planned.iter().map(|planned| planned_json(prepared, planned)).collect());
        }
        Some(fired @ Fired { firing, given_up, shell, .. }) => {
            let mut hooks: Vec<Value> = Vec::new();
            for run in &firing.runs {
                hooks.push(run_json(prepared, run, fired.late(run)));
            }
            if args.explain {
                put("explanation", merge::json(prepared, fired));
            }
            put("hooks", json!(hooks));
            put("given_up", json!(given_up));
            put("shell", json!(shell));
            put("settled", effects_json(&firing.settled));
            put("decision", decision_json(&firing.decision));
            let report = &firing.decision.report;
            put("conflicts", json!(report.conflicts));
            let dropped: Vec<Value> = report
                .dropped
                .iter()
                .map(|dropped| {
                    json!({
                        "by": dropped.by.as_ref().map(|who| who.binding.as_str()),
                        "what": explain::effect(&dropped.effect),
                        "why": dropped.why,
                    })
                })
                .collect();
            put("dropped", json!(dropped));
        }
    }
    if args.why {
        let others = others(prepared)?;
        let others =
            others.iter().map(|(definition, why)| json!({ "hook": definition_json(prepared, definition), "why": why }));
        put("others", others.collect());
    }
    Ok(Value::Object(document))
}

fn definition_json(prepared: &Prepared, definition: &Definition) -> Value {
    let line = prepared.line(definition);
    serde_json::to_value(DefinitionView::at(definition, line)).unwrap_or_default()
}

fn planned_json(prepared: &Prepared, planned: &Planned) -> Value {
    json!({
        "hook": definition_json(prepared, &planned.binding),
        "doubtful": planned.doubtful,
        "background": planned.is_background(),
        "invocation": planned.invocation.as_ref().ok().map(invocation_json),
        "not_run": planned.invocation.as_ref().err().map(|why| &why.0),
        "stdin": String::from_utf8_lossy(&planned.stdin),
    })
}

fn run_json(prepared: &Prepared, run: &RunReport, late: Option<&LateRun>) -> Value {
    let outcome = run.outcome.as_ref().or_else(|| late.map(|late| &late.outcome));
    let effects = late.map_or(&run.effects, |late| &late.effects);
    json!({
        "hook": definition_json(prepared, &run.binding),
        "doubtful": run.doubtful,
        "background": run.outcome.is_none(),
        "refired": run.refired,
        "invocation": run.invocation.as_ref().ok().map(invocation_json),
        "not_run": run.invocation.as_ref().err().map(|why| &why.0),
        "stdin": String::from_utf8_lossy(&run.stdin),
        "outcome": outcome.map(outcome_json),
        "duration_ms": outcome.map(|outcome| outcome.duration.as_secs_f64() * 1000.0),
        "stdin_delivered": outcome.map(|outcome| outcome.stdin_delivered),
        "effects": effects_json(effects),
        "failure": effects.failure.as_ref().map(ToString::to_string),
        "means": explain::meaning(effects),
        "notes": effects.notes.iter().map(explain::note).collect::<Vec<_>>(),
    })
}

fn invocation_json(invocation: &Invocation) -> Value {
    json!({
        "program": program(invocation),
        "started_by": starter(invocation),
        "cwd": invocation.cwd,
        "timeout_s": invocation.timeout.as_secs_f64(),
        "env": invocation.env.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>(),
        "env_remove": invocation.env_remove,
        "env_scrub": invocation.env_scrub,
        "env_base": base(invocation.env_base),
        "cwd_else": invocation.cwd_else.iter().map(folder).collect::<Vec<_>>(),
        "session_file": invocation.session_file.map(|file| json!({
            "variable": file.variable,
            "reach": reach(file.reach),
            "cleared_on": file.cleared_on.iter().map(|boundary| boundary.name()).collect::<Vec<_>>(),
        })),
    })
}

/// Which environment a program's is made from.
const fn base(base: EnvBase) -> &'static str {
    match base {
        EnvBase::Current => "current",
        EnvBase::SessionStart => "session-start",
        _ => "unknown",
    }
}

/// Which programs variables reach.
const fn reach(reach: EnvReach) -> &'static str {
    match reach {
        EnvReach::Hooks => "hooks",
        EnvReach::Shell => "shell",
        _ => "unknown",
    }
}

/// A folder to run in instead: its path, or what it is where only the runner knows that.
pub(crate) fn folder(folder: &Folder) -> &str {
    match folder {
        Folder::Path(path) => path,
        Folder::Home => "<home>",
        Folder::Temp => "<temp>",
        _ => "<unknown>",
    }
}
