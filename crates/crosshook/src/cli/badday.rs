//! `crosshook badday`: for each hook that matches, what happens when it fails: what its vendor makes of that, beside what
//! a strict host does. Nothing is run: the outcomes are made up and read by the vendor's rules.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Args;
use hooks_conformance::{decision_json, effects_json, outcome_json};
use hooks_core::handler::{Background, Handler, HandlerKind};
use hooks_core::text::{display_line, shorten};
use hooks_core::{
    Binding, Decision, Definition, End, FailurePolicy, HookEffects, Outcome, Parsed, SessionState, select,
};
use serde_json::{Value, json};

use super::args::{Format, Scope};
use super::exit::{self, Done};
use super::explain::meaning::{Case, can_close, holds_back};
use super::explain::text::{plain_word, word};
use super::explain::words;
use super::fire::explain as firing;
use super::occasion::{ForWhom, Occasion};
use super::out::{BAD, DIM, GOOD, HEAD, NAME, Out, WARN, columns, pad, paint, wrap};
use super::payload::Happened;
use super::view::DefinitionView;

/// `badday`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, override_usage = "crosshook badday [OPTIONS] [PATH] EVENT")]
pub(crate) struct BaddayArgs {
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
    /// End with 1 where a hook that could hold something back lets it go on when it fails, or a hook file is rejected
    #[arg(long)]
    pub deny_open: bool,
    #[command(flatten)]
    pub format: Format,
}

const EXAMPLES: &str = "\
Examples:
  crosshook badday tool.before --command 'rm -rf build'
  crosshook badday ~/src/app PreToolUse --tool Write --input '{\"file_path\": \"a\"}'
  crosshook badday . prompt.submit --deny-open     for a build
  crosshook badday --payload records/1.json --json

FAILS OPEN: the hook did not do its work, and what it guards goes on: the
call is made, the prompt is sent, the turn ends.

Exit codes: 0 done; 1 --deny-open: a guard fails open, or a hook file is
rejected; 2 wrong arguments, or PATH cannot be read.";

/// Runs the subcommand.
pub(crate) fn run(args: &BaddayArgs, out: &mut Out) -> Done {
    let occasion = Occasion::open(&args.what, &args.scope, &args.happened, &args.whom)?;
    let chosen = select(&occasion.snapshot, &occasion.occurrence.envelope, &SessionState::default());
    let hooks: Vec<Hook> = chosen.iter().filter_map(|choice| Hook::of(&occasion, choice.binding)).collect();
    if args.format.is_json() {
        out.json(&document(&occasion, &hooks));
    } else {
        let text = render(&occasion, &hooks, out.wide());
        out.print(&text);
    }
    let open = hooks.iter().any(Hook::fails_open) || rejected(&occasion).next().is_some();
    Ok(if args.deny_open && open { exit::PROBLEMS } else { exit::OK })
}

/// One way in which a hook fails.
pub(crate) struct Mishap {
    /// A stable word for it.
    pub id: &'static str,
    /// What happened.
    pub about: &'static str,
    /// The outcome.
    pub outcome: Outcome,
}

/// A signal that nobody can catch: what the system sends to whom takes too much memory.
const SIGKILL: i32 = 9;

/// The ways in which a handler fails.
pub(crate) fn mishaps(kind: HandlerKind) -> Vec<Mishap> {
    let mishap = |id, about, outcome| Mishap { id, about, outcome };
    let ended = Outcome::ended;
    let garbage = "Traceback (most recent call last):\n";
    let half = "{\"hookSpecificOutput\": {\"hookEvent";
    let answered = |end: End, stdout: &str| Outcome { stdout: stdout.into(), ..ended(end) };
    let cut = |end: End| Outcome { stdout_truncated: true, ..answered(end, half) };
    let late = mishap("timed-out", "it takes too long", ended(End::TimedOut));
    let cancelled = mishap("cancelled", "the host cancels it", ended(End::Cancelled));
    match kind {
        HandlerKind::Http => vec![
            late,
            mishap("no-connection", "nobody answers", ended(End::FailedToStart("connection refused".to_owned()))),
            mishap("status-500", "status 500", ended(End::Http(500))),
            mishap("garbage", "status 200, and text that is no answer", answered(End::Http(200), garbage)),
            mishap("half", "status 200, and half an answer", answered(End::Http(200), half)),
            mishap("nothing", "status 200, and nothing", ended(End::Http(200))),
            mishap("cut-off", "the host cuts its answer off", cut(End::Http(200))),
            cancelled,
        ],
        HandlerKind::McpTool => vec![
            late,
            mishap("no-server", "its server is not there", ended(End::FailedToStart("no such server".to_owned()))),
            mishap("tool-error", "the tool answers with an error", ended(End::Tool { is_error: true })),
            mishap(
                "garbage",
                "it answers with text that is no answer",
                answered(End::Tool { is_error: false }, garbage),
            ),
            mishap("nothing", "it answers with nothing", ended(End::Tool { is_error: false })),
            mishap("cut-off", "the host cuts its answer off", cut(End::Tool { is_error: false })),
            cancelled,
        ],
        HandlerKind::Prompt | HandlerKind::Agent => vec![
            late,
            mishap("no-model", "no model is there to ask", ended(End::FailedToStart("no model".to_owned()))),
            mishap("garbage", "the model answers with text that is no answer", answered(End::Model, garbage)),
            mishap("nothing", "the model answers with nothing", ended(End::Model)),
            mishap("cut-off", "the host cuts its answer off", cut(End::Model)),
            cancelled,
        ],
        _ => vec![
            late,
            mishap("crashed", "it crashes (exit code 1)", ended(End::Exited(1))),
            mishap("exit-2", "it exits with 2, without a word", ended(End::Exited(2))),
            mishap("garbage", "it prints text that is no answer", answered(End::Exited(0), garbage)),
            mishap("half", "it prints half an answer", answered(End::Exited(0), half)),
            mishap("nothing", "it prints nothing", ended(End::Exited(0))),
            mishap("killed", "a signal kills it", ended(End::Signalled(SIGKILL))),
            mishap("cut-off", "the host cuts its output off", cut(End::Exited(0))),
            mishap("not-started", "it cannot be started", ended(End::FailedToStart("no such file".to_owned()))),
            mishap("not-found", "the shell does not find it (127)", ended(End::Exited(127))),
            cancelled,
        ],
    }
}

/// What a mishap comes to.
pub(crate) struct Fall {
    mishap: Mishap,
    effects: HookEffects,
    /// What the vendor's rules come to.
    pub vendor: Decision,
    /// What a strict host does.
    pub strict: Decision,
    /// Whether nothing is held back though something could be.
    pub open: bool,
}

impl Fall {
    /// Reads a made-up outcome.
    pub(crate) fn of(case: &Case, mishap: Mishap) -> Self {
        let case = Case { outcome: mishap.outcome.clone(), ..case.clone() };
        let decode = |strict| {
            // Nobody waits for a run in the background.
            if is_background(&case.binding) {
                case.adapter.decode_late(&case.binding, &case.envelope, &case.outcome)
            } else {
                case.decode(strict)
            }
        };
        let effects = decode(false);
        let vendor = case.decide(&effects, false);
        let strict = case.decide(&decode(true), true);
        // To say nothing, and to say no, are answers where the vendor takes them for one.
        let is_answer = matches!(mishap.id, "nothing" | "exit-2") && effects.failure.is_none();
        let open = case.can_block() && !holds_back(&vendor) && !is_answer;
        Self { mishap, effects, vendor, strict, open }
    }
}

fn is_background(binding: &Binding) -> bool {
    matches!(&binding.handler, Handler::Command(command) if command.background != Background::No)
}

/// Whether a word in the hook's definition makes a failure block.
fn closes(case: &Case) -> bool {
    let mut definition = Definition::clone(&case.binding.definition);
    definition.failure = FailurePolicy::Closed;
    let binding = Binding { definition: definition.into(), declared: case.binding.declared };
    let case = Case { binding, outcome: Outcome::ended(End::TimedOut), ..case.clone() };
    can_close(&*case.adapter) && holds_back(&case.decide(&case.decode(false), false))
}

/// One hook with all its mishaps.
struct Hook {
    binding: Binding,
    falls: Vec<Fall>,
    background: bool,
    can_block: bool,
    can_close: bool,
    goes_on: &'static str,
}

impl Hook {
    fn of(occasion: &Occasion, binding: &Binding) -> Option<Self> {
        let adapter = occasion.snapshot.adapter(&binding.vendor)?;
        let event = adapter.event(&binding.place.event)?;
        let case = Case {
            adapter: Arc::clone(adapter),
            event,
            binding: binding.clone(),
            envelope: occasion.occurrence.envelope.clone(),
            outcome: Outcome::exited(0, ""),
            host: occasion.host.clone(),
        };
        let falls = mishaps(binding.handler.kind()).into_iter().map(|mishap| Fall::of(&case, mishap)).collect();
        let background = is_background(binding);
        let (can_block, can_close) = (case.can_block(), closes(&case));
        let goes_on = words::goes_on(event);
        Some(Self { binding: binding.clone(), falls, background, can_block, can_close, goes_on })
    }

    fn fails_open(&self) -> bool {
        self.falls.iter().any(|fall| fall.open)
    }
}

/// Columns of a mishap.
const MISHAP: usize = 36;
/// Columns of a decision.
const DECISION: usize = 12;

fn render(occasion: &Occasion, hooks: &[Hook], width: usize) -> String {
    let mut text = String::new();
    let boundary = occasion.asked.boundary.name();
    let about = display_line(&occasion.about()).into_owned();
    let _ = writeln!(text, "{}  {}", paint(HEAD, boundary), wrap(&about, width, boundary.len() + 2));
    if hooks.is_empty() {
        text.push_str("\nNo hook runs here, so none can fail; `crosshook why` says why.\n");
        files(&mut text, occasion, width);
        return text;
    }
    for hook in hooks {
        one(&mut text, occasion, hook, width);
    }
    let open: usize = hooks.iter().map(|hook| hook.falls.iter().filter(|fall| fall.open).count()).sum();
    text.push('\n');
    if open > 0 {
        let mut ends: Vec<&str> = hooks.iter().filter(|hook| hook.fails_open()).map(|hook| hook.goes_on).collect();
        ends.dedup();
        let goes_on = if let [one] = ends.as_slice() { one } else { "what it guards goes on" };
        let _ = writeln!(
            text,
            "{} {}",
            paint(BAD, "FAILS OPEN:"),
            wrap(&format!("the hook did not do its work, and {goes_on}."), width, 12)
        );
    } else if hooks.iter().any(|hook| hook.can_block) {
        let _ = writeln!(text, "{}", paint(GOOD, "Nothing fails open."));
    }
    files(&mut text, occasion, width);
    text
}

/// The hook files whose vendor takes nothing of them: no guard in one of them runs at all.
fn rejected(occasion: &Occasion) -> impl Iterator<Item = &Parsed> {
    occasion.project.documents().filter(|document| document.rejected)
}

fn files(text: &mut String, occasion: &Occasion, width: usize) {
    for document in rejected(occasion) {
        let path = display_line(&occasion.project.shown(&document.source.path)).into_owned();
        let line = format!("{} rejects {path} as a whole: no hook in it runs.", document.source.vendor);
        let _ = writeln!(text, "{}", paint(BAD, &wrap(&line, width, 0)));
    }
    if let Some(problems) = occasion.project.problems() {
        let asked = display_line(&occasion.project.asked);
        let _ = writeln!(text, "{}", paint(WARN, &format!("{problems}: `crosshook check {asked}` explains.")));
    }
}

fn one(text: &mut String, occasion: &Occasion, hook: &Hook, width: usize) {
    let binding = &hook.binding;
    let _ = writeln!(
        text,
        "\n{}  {}  {}",
        paint(NAME, binding.vendor.as_str()),
        display_line(&binding.place.event),
        paint(DIM, &occasion.place(binding)),
    );
    let label = binding.handler.label();
    let _ = writeln!(text, "  {}", paint(DIM, &shorten(&display_line(label.trim()), width.saturating_sub(4).max(20))));
    let policy = match binding.failure {
        _ if !hook.can_close => "nothing in its definition can make a failure block",
        FailurePolicy::Closed => "its definition says that a failure blocks",
        FailurePolicy::Open => "its definition does not say that a failure blocks",
    };
    if hook.can_block && !hook.background {
        let _ = writeln!(text, "  {}", paint(DIM, policy));
    }
    if hook.background {
        let _ = writeln!(text, "  {}", paint(WARN, "it runs in the background: however it ends, it has no say"));
    }
    if !hook.can_block {
        let _ = writeln!(text, "  {}", paint(DIM, "its event can hold nothing back"));
    }
    let indent = 2 + MISHAP + 2 * DECISION;
    let own_line = width.saturating_sub(indent) < 24;
    let why = if own_line { String::new() } else { paint(DIM, "by the vendor's rules") };
    let _ = writeln!(
        text,
        "  {}{}{}{why}",
        pad(DIM, "when", MISHAP),
        pad(DIM, "vendor", DECISION),
        if own_line { paint(DIM, "strict host") } else { pad(DIM, "strict host", DECISION) }
    );
    for fall in &hook.falls {
        let _ = write!(
            text,
            "  {}{}{}",
            pad(anstyle::Style::new(), fall.mishap.about, MISHAP),
            padded(&fall.vendor),
            padded(&fall.strict)
        );
        let open = if fall.open { paint(BAD, "FAILS OPEN") } else { String::new() };
        let means = display_line(&shorten(&firing::meaning(&fall.effects).join("; "), 300)).into_owned();
        if own_line && !fall.open {
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        } else if own_line {
            let _ = writeln!(text, "{open}");
        } else {
            let gap = if fall.open { "  " } else { "" };
            let from = indent + if fall.open { 12 } else { 0 };
            let _ = writeln!(text, "{open}{gap}{}", paint(DIM, &wrap(&means, width, from)));
        }
    }
}

/// A decision in a word, padded.
fn padded(decision: &Decision) -> String {
    let gap = DECISION.saturating_sub(columns(plain_word(decision)));
    format!("{}{:gap$}", word(decision), "")
}

fn document(occasion: &Occasion, hooks: &[Hook]) -> Value {
    let hooks = hooks.iter().map(|hook| {
        let falls = hook.falls.iter().map(|fall| {
            json!({
                "mishap": fall.mishap.id,
                "about": fall.mishap.about,
                "outcome": outcome_json(&fall.mishap.outcome),
                "effects": effects_json(&fall.effects),
                "failure": fall.effects.failure.as_ref().map(ToString::to_string),
                "means": firing::meaning(&fall.effects),
                "decision": decision_json(&fall.vendor),
                "strict_decision": decision_json(&fall.strict),
                "fails_open": fall.open,
            })
        });
        json!({
            "hook": serde_json::to_value(DefinitionView::at(&hook.binding, occasion.line(&hook.binding))).unwrap_or_default(),
            "can_block": hook.can_block,
            "background": hook.background,
            "mishaps": falls.collect::<Vec<_>>(),
        })
    });
    json!({
        "asked": occasion.asked.text,
        "boundary": occasion.asked.boundary.name(),
        "about": occasion.about(),
        "made_up": occasion.occurrence.made_up,
        "rejected": rejected(occasion).map(|document| &*document.source.path).collect::<Vec<_>>(),
        "hooks": hooks.collect::<Vec<_>>(),
    })
}
