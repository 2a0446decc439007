//! `crosshook translate`: a project's hooks in another vendor's configuration, with what each of them loses.

mod elsewhere;
mod report;
mod target;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use crosshook::translate::verify::{Compared, Stage};
use crosshook::translate::{Row, Translation, side, translate, write};
use hooks_core::handler::Handler;
use hooks_core::source::Role;
use hooks_core::translate::insert::InsertError;
use hooks_core::translate::{Bridge, ConfigSide, Element, Options, carry, code, codes, is_guard};
use hooks_core::{Definition, Parsed, Source, State, Syntax};
use hooks_runtime::FireOptions;

use self::target::Place;
use super::args::{Format, Scope, Where};
use super::exit::{self, Done, Trouble};
use super::near::did_you_mean;
use super::out::Out;
use super::project::Project;

/// The program that a bridge is started as.
const PROGRAM: &str = "crosshook";

/// `translate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TranslateArgs {
    /// Whose hooks to read
    #[arg(long, value_name = "VENDOR", value_parser = clap::builder::PossibleValuesParser::new(crosshook::VENDORS))]
    pub from: String,
    /// Whose configuration to write
    #[arg(long, value_name = "VENDOR", value_parser = clap::builder::PossibleValuesParser::new(crosshook::VENDORS))]
    pub to: String,
    /// The project's folder, or one hook file; the current folder if not given
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// The file to write into, or the project's folder to find it in; the same project's if not given
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Put `crosshook bridge` around commands, so that scripts need no change
    #[arg(long)]
    pub bridge: bool,
    /// With --bridge: every failure of a script blocks
    #[arg(long, requires = "bridge")]
    pub strict: bool,
    /// Write nothing; show what would change
    #[arg(long)]
    pub dry_run: bool,
    /// Accept a loss by its code (may be given again)
    #[arg(long, value_name = "CODE")]
    pub allow_loss: Vec<String>,
    /// Run the hooks of both sides on the same occurrences and compare what they decide
    #[arg(long)]
    pub verify: bool,
    /// With --verify: run them without asking
    #[arg(long, requires = "verify")]
    pub yes: bool,
    #[command(flatten)]
    pub format: Format,
}

const EXAMPLES: &str = "\
Examples:
  crosshook translate --from cursor --to claude --bridge --dry-run
  crosshook translate --from claude --to codex ~/src/app --bridge
  crosshook translate --from cursor --to codex --bridge --verify
  crosshook translate --from claude --to cursor --bridge --allow-loss no-event

Hooks are added to the file that is there; nothing in it is changed, and what is
there already is not added again. Every hook is told of: exact, stricter,
needs-bridge, weaker or dropped, with the reasons.

Exit codes: 0 done; 1 a guard would be weaker or lost and nobody accepted it, or a
comparison found that: nothing was written; 2 wrong arguments, or a file cannot be
read or written; 3 --verify, and nobody said yes to running the hooks.";

/// Everything about one translation.
pub(crate) struct Made {
    from: Arc<dyn ConfigSide>,
    to: Arc<dyn ConfigSide>,
    project: Project,
    documents: Vec<Parsed>,
    translation: Translation,
    /// The file to write, its language, and how it is shown.
    target: PathBuf,
    syntax: Syntax,
    shown: String,
    /// Where the target's project lies below the root of its repository.
    below: String,
    /// What a guard loses and nobody accepted.
    left: Vec<&'static str>,
    compared: Option<Vec<Compared>>,
    written: bool,
    /// Whether commands are started by a bridge.
    bridge: bool,
    /// Bridges in the target's file that nothing of what was carried over stands for.
    behind: Vec<Definition>,
    /// Whether the file lies where its vendor looks.
    placed: bool,
}

/// Runs the subcommand.
pub(crate) fn run(args: &TranslateArgs, out: &mut Out) -> Done {
    let mut made = make(args)?;
    let is_json = args.format.is_json();
    if args.verify {
        let stage = stage(args, &made)?;
        if !args.yes {
            let runs = stage.runs();
            if is_json || !out.can_ask() {
                out.remark(&format!("nothing was run: --verify runs {runs} hooks; say --yes to let it"));
                return Ok(exit::NOT_RUN);
            }
            if !out.ask(&format!("Run {runs} hooks, on {} occurrences?", stage.occurrences.len())) {
                return Ok(exit::NOT_RUN);
            }
        }
        made.compared = Some(fire(&stage, &made.translation.rows)?);
    }
    let weaker = made.compared.as_ref().is_some_and(|all| all.iter().any(Compared::is_weaker));
    let accepted = made.left.is_empty() && !weaker;
    if accepted && !args.dry_run && made.translation.changes() {
        write(&made.target, &made.translation)
            .map_err(|why| Trouble::usage(format!("cannot write `{}`: {why}", made.shown)))?;
        made.written = true;
    }
    if is_json {
        out.json(&report::json(&made));
    } else {
        let text = report::text(&made, args.dry_run, out.width());
        out.print(&text);
    }
    Ok(if accepted { exit::OK } else { exit::PROBLEMS })
}

fn make(args: &TranslateArgs) -> Result<Made, Trouble> {
    if args.from == args.to {
        return Err(Trouble::usage("--from and --to name the same vendor").help("name two of them"));
    }
    for id in &args.allow_loss {
        if code(id).is_none() {
            let trouble = Trouble::usage(format!("there is no loss with the code `{id}`"));
            let ids: Vec<&str> = codes::CODES.iter().map(|code| code.id).collect();
            let near = did_you_mean(id, ids.iter().copied());
            return Err(trouble.help(near.unwrap_or_else(|| format!("the codes are {}", ids.join(", ")))));
        }
    }
    let vendor = |name: &str| side(name).ok_or_else(|| Trouble::usage(format!("{name} is no vendor")));
    let (from, to) = (vendor(&args.from)?, vendor(&args.to)?);
    let scope = Scope { vendors: vec![args.from.clone()], home: None, system: None };
    let project = Project::open(&Where { path: args.path.clone(), scope })?;
    let documents: Vec<Parsed> = project.documents().filter(|document| is_own(document, &*from)).cloned().collect();
    if let Some(document) = documents.iter().find(|document| document.rejected) {
        let shown = project.shown(&document.source.path);
        let why = document.diagnostics.first().map_or("it cannot be read", |found| found.message.as_str());
        return Err(Trouble::usage(format!("{} takes nothing of `{shown}`: {why}", from.vendor()))
            .help("mend the file first; `crosshook check` says where"));
    }
    let definitions: Vec<&Definition> = project
        .definitions
        .iter()
        .map(|definition| &**definition)
        .filter(|definition| documents.iter().any(|document| document.source.path == definition.source.path))
        .collect();
    let Place { path: target, target: document, root, below } = target::find(args, &project, &*to)?;
    let shown = project.shown(&target.to_string_lossy());
    let mut translation = translate(&*from, &*to, &definitions, &document, &options(args, PROGRAM, &below))
        .map_err(|error| cannot_insert(&shown, &document.before, &error))?;
    if let Some(root) = &root {
        for (row, definition) in translation.rows.iter_mut().zip(&definitions) {
            let missing = elsewhere::missing(definition, project.root(), root);
            if !missing.is_empty() && !row.carried.elements.is_empty() {
                let files: Vec<String> = missing.iter().map(|path| format!("`{path}`")).collect();
                let reason = format!("{} is not in `{}`: copy it there first", files.join(", "), root.display());
                row.carried.tell(&codes::OTHER_PROJECT, reason, is_guard(definition));
            }
        }
    }
    // One file of several says nothing of the others' hooks.
    let is_whole = args.path.is_dir();
    let behind = if is_whole { left_behind(&*from, &*to, &translation, &document.source) } else { Vec::new() };
    let syntax = document.source.syntax;
    let left = translation.to_accept(&args.allow_loss);
    let (compared, written, bridge) = (None, false, args.bridge);
    Ok(Made {
        from,
        to,
        project,
        documents,
        translation,
        target,
        syntax,
        shown,
        below,
        left,
        compared,
        written,
        bridge,
        behind,
        placed: root.is_some(),
    })
}

/// Bridges from one vendor to the other in the file as it will be that no hook stands for which was carried over: an
/// earlier translation wrote them, and what they run has changed or gone since. Hooks of a person are left out.
fn left_behind(from: &dyn ConfigSide, to: &dyn ConfigSide, made: &Translation, source: &Source) -> Vec<Definition> {
    let bridge = format!(" bridge --written-for {} --host {} ", from.vendor(), to.vendor());
    let known: Vec<Definition> =
        made.rows.iter().flat_map(|row| &row.carried.elements).flat_map(|element| element.read(to)).collect();
    let command = |definition: &Definition| match &definition.handler {
        Handler::Command(command) => Some(command.command.clone()),
        _ => None,
    };
    let is_behind = |definition: &Definition| {
        let is_it =
            |other: &Definition| other.place.event == definition.place.event && command(other) == command(definition);
        let is_bridge = |text: String| text.contains(&bridge) && !text.contains(" --user-file ");
        definition.state == State::Live && command(definition).is_some_and(is_bridge) && !known.iter().any(is_it)
    };
    let written = Source { bytes: Arc::from(made.after.as_bytes()), ..source.clone() };
    to.parse(&Arc::new(written)).definitions.into_iter().filter(is_behind).collect()
}

/// Whether a document is the vendor's own: what it reads of others is carried over from there.
fn is_own(document: &Parsed, from: &dyn ConfigSide) -> bool {
    document.source.vendor == *from.vendor() && document.source.role == Role::Hooks
}

fn options(args: &TranslateArgs, program: &str, below: &str) -> Options {
    let bridge = args.bridge.then(|| Bridge { program: program.to_owned(), strict: args.strict });
    Options { bridge, below: below.to_owned() }
}

fn cannot_insert(shown: &str, before: &str, error: &InsertError) -> Trouble {
    let place = match error {
        InsertError::Syntax { at, .. } => {
            let (line, column) = hooks_core::document::line_column(before, *at);
            format!("{shown}:{line}:{column}")
        }
        _ => shown.to_owned(),
    };
    let help = match error {
        InsertError::Closed { event, .. } => {
            format!("write what stands there as tables too, each as `[[hooks.{event}]]`")
        }
        _ => "mend the file first; `crosshook check` says what its client makes of it".to_owned(),
    };
    Trouble::usage(format!("nothing can be added to `{place}`: {error}")).help(help)
}

/// Both sides, ready to fire. Bridges are started as this very program.
fn stage(args: &TranslateArgs, made: &Made) -> Result<Stage, Trouble> {
    let own = std::env::current_exe().map_err(|error| Trouble::usage(format!("cannot find this program: {error}")))?;
    let options = options(args, &own.to_string_lossy(), &made.below);
    let elements: Vec<Element> = made
        .documents
        .iter()
        .flat_map(|document| &document.definitions)
        .flat_map(|definition| carry(&*made.from, &*made.to, definition, &options).elements)
        .collect();
    let root = std::fs::canonicalize(made.project.root()).unwrap_or_else(|_| made.project.root().to_owned());
    Stage::set(&made.from, &made.to, made.documents.clone(), (made.syntax, &elements), Path::new(&root))
        .map_err(Trouble::usage)
}

fn fire(stage: &Stage, rows: &[Row]) -> Result<Vec<Compared>, Trouble> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Trouble::usage(format!("cannot start the runner: {error}")))?;
    let options = FireOptions::default();
    runtime.block_on(async {
        let mut all = Vec::new();
        for occurrence in &stage.occurrences {
            all.push(stage.compare(occurrence, rows, &options).await);
        }
        Ok(all)
    })
}
