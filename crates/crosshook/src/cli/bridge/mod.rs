//! `crosshook bridge`: a hook command for one vendor's client that runs a script written for another's.
//!
//! Everything that is decided is in [`crosshook::bridge`]; here are the pipes, the process, and the session's file.

mod content;
mod place;
mod process;
mod session;
mod stdin;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use crosshook::bridge::{Bridge, Bridged, Chosen, Occurrence, Ran, Script};
use hooks_core::adapter::{Answer, Codec, Loss, Lost};
use hooks_core::definition::{Binding, LoopLimit};
use hooks_core::facts::EventFacts;
use hooks_core::outcome::End;
use hooks_core::text::clean_message;
use hooks_core::{Boundary, Envelope, Origin, SessionState, Verdict};

use super::exit::{Done, Trouble};
use super::out::Out;
use session::{Changed, Keeper};

/// `bridge`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BridgeArgs {
    /// The vendor that the script was written for
    #[arg(long, value_name = "VENDOR", value_parser = clap::builder::PossibleValuesParser::new(crosshook::VENDORS))]
    pub written_for: String,
    /// The vendor whose client runs this command
    #[arg(long, value_name = "VENDOR", value_parser = clap::builder::PossibleValuesParser::new(crosshook::VENDORS))]
    pub host: String,
    /// The event that the script was written for, by its vendor's name; needed where several are fired for one moment
    #[arg(long, value_name = "EVENT")]
    pub event: Option<String>,
    /// COMMAND is one text for the shell that its vendor uses, not a program with arguments
    #[arg(long)]
    pub shell: bool,
    /// Block, where something can be blocked, on every failure of the script
    #[arg(long)]
    pub strict: bool,
    /// The script's matcher, as its own vendor reads it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "What its definition said")]
    pub matcher: Option<String>,
    /// Its further condition, as its own vendor reads it
    #[arg(long = "if", value_name = "RULE", allow_hyphen_values = true, help_heading = "What its definition said")]
    pub condition: Option<String>,
    /// Its time limit; its vendor's own if not given
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "What its definition said")]
    pub timeout: Option<Duration>,
    /// A failure of it blocks
    #[arg(long, help_heading = "What its definition said")]
    pub fail_closed: bool,
    /// How often it may make its turn go on: a number, or `none`
    #[arg(long, value_name = "NUMBER", value_parser = loop_limit, help_heading = "What its definition said")]
    pub loop_limit: Option<LoopLimit>,
    /// It runs once a session
    #[arg(long, help_heading = "What its definition said")]
    pub once: bool,
    /// It is the person's own, defined in FILE, and runs where its vendor runs such hooks; without this, a project's
    #[arg(long, value_name = "FILE", help_heading = "What its definition said")]
    pub user_file: Option<PathBuf>,
    /// The project that it belongs to, from the root of its repository, where the host's client names no project; the nearest
    /// folder with the host's hooks if not given, else that root
    #[arg(long, value_name = "PATH")]
    pub project: Option<PathBuf>,
    /// The time limit that the host's definition gives this command; its event's usual one if not given. The script ends before it
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub host_timeout: Option<Duration>,
    /// The script
    #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub command: Vec<String>,
}

const EXAMPLES: &str = "\
Examples, as the command of a hook:
  in .claude/settings.json, PreToolUse with the matcher Bash, a guard written for Cursor:
    crosshook bridge --written-for cursor --host claude --event beforeShellExecution -- ./guard.sh
  in .codex/hooks.json, Stop, a text for the shell written for Claude Code:
    crosshook bridge --written-for claude --host codex --shell -- 'node tests.mjs || exit 2'
  in .cursor/hooks.json, preToolUse, which may run 30 seconds there:
    crosshook bridge --written-for codex --host cursor --host-timeout 30 -- python3 guard.py

The script gets the standard input, environment and folder of its own vendor, and its
answer and its failures mean what they mean there. What the host cannot say becomes
stricter or is refused, never weaker; what is lost is told on standard error.

How often a script made its turn go on, and what it set for later hooks, is kept a
session in $XDG_STATE_HOME/crosshook/bridge, or the same in ~/.local/state.

Exit codes are those of the host's language. Wrong arguments end with 2, which every
vendor reads as a block.";

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|seconds| *seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "write a number of seconds above zero".to_owned())
}

fn loop_limit(text: &str) -> Result<LoopLimit, String> {
    match text {
        "none" => Ok(LoopLimit::Unlimited),
        text => text.parse().map(LoopLimit::AtMost).map_err(|_| "write a whole number from 0, or `none`".to_owned()),
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &BridgeArgs, out: &mut Out) -> Done {
    let started = Instant::now();
    let (Some(host), Some(written_for)) = (crosshook::codec(&args.host), crosshook::codec(&args.written_for)) else {
        return Err(Trouble::usage("a vendor of this name is not built in"));
    };
    let bridge = Bridge::new(Arc::clone(&host), Arc::clone(&written_for)).strict(args.strict);
    let mut crossing =
        Crossing { args, started, bridge: &bridge, host, written_for, remarks: Vec::new(), errors: Vec::new() };
    let answer = crossing.cross();
    // The answer comes first: a client may read one pipe after the other. One that no longer reads has given up on it.
    let _ = io::stdout().write_all(&answer.stdout).and_then(|()| io::stdout().flush());
    let _ = io::stderr().write_all(&answer.stderr);
    // Where the exit code blocks, standard error is the reason, and nothing else may be in it.
    if answer.exit_code != BLOCKS {
        crossing.remarks.iter().for_each(|remark| out.remark(remark));
    }
    if answer.exit_code == 0 {
        // What scripts say to whoever debugs them; no vendor reads it for an answer that ends with 0.
        let _ = io::stderr().write_all(&crossing.errors);
    }
    Ok(u8::try_from(answer.exit_code).unwrap_or(1))
}

/// The exit code that vendors read as a block, with standard error as its reason.
const BLOCKS: i32 = 2;

/// What the script runs for, each with why that is doubtful, of how many that were told.
struct ToRun {
    runs: Vec<(Envelope, Option<String>)>,
    of: usize,
}

/// One run of the command.
struct Crossing<'a> {
    args: &'a BridgeArgs,
    started: Instant,
    bridge: &'a Bridge,
    host: Arc<dyn Codec>,
    written_for: Arc<dyn Codec>,
    /// For who looks at the host's log.
    remarks: Vec<String>,
    /// What the script wrote to standard error.
    errors: Vec<u8>,
}

impl Crossing<'_> {
    fn cross(&mut self) -> Answer {
        let bridge = self.bridge;
        let written_for = self.args.event.as_deref().and_then(|event| self.written_for.event(event));
        let stdin = match stdin::read(self.started, bridge.patience(self.args.host_timeout)) {
            Ok(stdin) => stdin,
            Err(unread) => return bridge.refuse(&unread.read, written_for, &unread.why),
        };
        let mut occurrence = match bridge.read(&stdin) {
            Ok(occurrence) => occurrence,
            Err(error) => {
                let why = format!("this is not what a hook of {} is given: {error}", self.host.vendor());
                return bridge.refuse(&stdin, written_for, &why);
            }
        };
        if let Some(project) =
            place::project(&self.args.host, &occurrence.envelope.common, self.args.project.as_deref())
        {
            occurrence.envelope.common.project_dir = Some(project);
        }
        let hook = match self.event(&occurrence).and_then(|event| self.hook(event)) {
            Ok(Some(hook)) => hook,
            Ok(None) => return bridge.silence(&occurrence),
            Err(why) => return bridge.refusal(&occurrence, &why),
        };
        let keeper = Keeper::of(self.args, &hook, &occurrence, self.left(&occurrence));
        let began = keeper.change(|session| {
            bridge.begin(&mut occurrence, session);
            let chosen = self.choose(&hook, &occurrence, session);
            if hook.once && chosen.as_ref().is_ok_and(|chosen| !chosen.runs.is_empty()) {
                // Before it runs: of two that come at the same time, one does.
                session.ran_once.insert(hook.id.clone());
            }
            chosen
        });
        let (chosen, session) = match began {
            Ok(Changed { value, session, forgotten }) => {
                if let Some(why) = forgotten {
                    self.tell(&format!("what the session remembered is lost: {why}"));
                }
                (value, session)
            }
            Err(why) => {
                self.tell(&format!("what the session remembers cannot be kept: {why}"));
                let mut session = SessionState::default();
                bridge.begin(&mut occurrence, &mut session);
                (self.without_memory(&hook, &occurrence, &session), session)
            }
        };
        let chosen = match chosen.and_then(|chosen| self.with_content(&hook, chosen)) {
            Ok(chosen) => chosen,
            Err(why) => return bridge.refusal(&occurrence, &why),
        };
        if chosen.runs.is_empty() {
            return self.end(&keeper, &occurrence, bridge.silence(&occurrence));
        }
        self.clear_files(&keeper, &occurrence);
        let mut runs: Vec<Ran> = Vec::new();
        for (told, doubtful) in chosen.runs {
            let outcome = self.run_script(&hook, &occurrence, &told, (chosen.of, &session), &keeper);
            self.errors.extend_from_slice(&outcome.stderr);
            let is_cancelled = outcome.end == End::Cancelled;
            runs.push(Ran { told, outcome, doubtful });
            if is_cancelled {
                // That blocks where something can be blocked, so nothing hangs on the rest.
                break;
            }
        }
        let answered = keeper.change(|session| {
            let before = std::mem::take(session);
            let mut bridged = bridge.answer(&hook, &occurrence, &runs, chosen.of, before);
            *session = std::mem::take(&mut bridged.session);
            bridged
        });
        let bridged = match answered {
            Ok(changed) => changed.value,
            Err(why) => {
                self.tell(&format!("what the session remembers cannot be kept: {why}"));
                bridge.answer(&hook, &occurrence, &runs, chosen.of, session)
            }
        };
        self.report(&bridged);
        self.end(&keeper, &occurrence, bridged.answer)
    }

    /// What is left of the host's time limit.
    fn left(&self, occurrence: &Occurrence) -> Duration {
        let usual = || self.host.blank(occurrence.event.name).map(|own| own.timeout);
        let limit = self.args.host_timeout.or_else(usual).unwrap_or_default();
        limit.saturating_sub(self.started.elapsed())
    }

    /// Says what became of the script's answer, where it is not what it was.
    fn report(&mut self, bridged: &Bridged) {
        for failure in bridged.said.iter().filter_map(|said| said.failure.as_ref()) {
            self.tell(&format!("the script {failure}"));
        }
        // That an allow is none leaves the host's own question: nothing is weaker for it.
        let harmless = |loss: &&Loss| matches!(loss.of, Lost::NoOpinion | Lost::Verdict(Verdict::Allow));
        for loss in bridged.losses.iter().filter(|loss| !harmless(loss)) {
            let instead = loss.instead.as_deref().map(|instead| format!("; instead: {instead}")).unwrap_or_default();
            self.tell(&format!("{} cannot say {}{instead}", self.host.vendor(), loss.what));
        }
        for dropped in &bridged.dropped {
            self.tell(&format!("dropped, as {} would: {}", self.written_for.vendor(), dropped.why));
        }
    }

    /// A remark for who looks at the host's log.
    fn tell(&mut self, text: &str) {
        self.remarks.push(format!("crosshook bridge: {}", clean_message(text)));
    }

    /// What the script runs for.
    fn choose(&self, hook: &Binding, occurrence: &Occurrence, session: &SessionState) -> Result<ToRun, String> {
        let bridge = self.bridge;
        let told = bridge.tell(occurrence)?;
        let of = told.len();
        let runs = told.into_iter().filter_map(|told| match bridge.choose(hook, &told, session) {
            Chosen::Runs { doubtful } => Some((told, doubtful)),
            Chosen::Not(_) => None,
        });
        Ok(ToRun { runs: runs.collect(), of })
    }

    /// The event that the script is run for; `None` where its vendor fires nothing for this.
    fn event(&self, occurrence: &Occurrence) -> Result<Option<&'static str>, String> {
        let (bridge, vendor) = (self.bridge, self.written_for.vendor());
        if let Some(name) = &self.args.event {
            let Some(facts) = self.written_for.event(name) else {
                return Err(format!("{vendor} has no event `{name}`"));
            };
            if !bridge.share_a_boundary(occurrence.event, facts) {
                let on =
                    |facts: &EventFacts| facts.boundary.map_or_else(|| "no boundary".to_owned(), |it| it.to_string());
                let (own, hosts) = (on(facts), on(occurrence.event));
                let host = occurrence.event.name;
                return Err(format!("`{name}` is on {own} and can never run for `{host}`, which is on {hosts}"));
            }
            return Ok(Some(facts.name));
        }
        match bridge.events(occurrence).as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.name)),
            several => {
                let names: Vec<_> = several.iter().map(|event| event.name).collect();
                Err(format!(
                    "{vendor} fires {} for this; say with --event which one it was written for",
                    names.join(" and ")
                ))
            }
        }
    }

    fn hook(&self, event: Option<&'static str>) -> Result<Option<Binding>, String> {
        let Some(event) = event else { return Ok(None) };
        let args = self.args;
        let mut script = match (args.command.as_slice(), args.shell) {
            ([text], true) => Script::shell(event, text),
            (_, true) => return Err("with --shell the command is one text: put it into quotes".to_owned()),
            ([program, rest @ ..], false) => Script::exec(event, program, rest.to_vec()),
            ([], false) => return Err("there is no command".to_owned()),
        };
        script.matcher.clone_from(&args.matcher);
        script.condition.clone_from(&args.condition);
        script.timeout = args.timeout;
        script.fail_closed = args.fail_closed;
        script.loop_limit = args.loop_limit;
        script.once = args.once;
        let document =
            args.user_file.as_deref().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.to_owned()));
        script.document = document.map(|file: PathBuf| (path_text(&file), Origin::User));
        self.bridge.hook(&script).map(Some).map_err(|error| error.to_string())
    }

    /// What it runs for where nothing can be remembered: nothing where only a count would end a loop. What guards runs.
    fn without_memory(&self, hook: &Binding, occurrence: &Occurrence, session: &SessionState) -> Result<ToRun, String> {
        let goes_on = occurrence.rounds().is_some_and(|rounds| rounds > 0);
        if goes_on && matches!(hook.loop_limit, Some(LoopLimit::AtMost(_))) {
            return Ok(ToRun { runs: Vec::new(), of: 0 });
        }
        self.choose(hook, occurrence, session)
    }

    /// Forgets a session that has ended.
    fn end(&self, keeper: &Keeper, occurrence: &Occurrence, answer: Answer) -> Answer {
        if occurrence.envelope.boundary() == Boundary::SessionEnd {
            keeper.forget();
        }
        answer
    }
}

fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
