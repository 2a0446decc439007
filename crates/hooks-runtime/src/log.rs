//! An invocation log: what ran, how long it took, what it said, what was dropped and why, as lines of JSON.
//!
//! ```
//! # async fn log(firing: &hooks_runtime::Firing, envelope: &hooks_core::Envelope) -> std::io::Result<()> {
//! use hooks_runtime::log::{Line, lines, write};
//!
//! let mut file = Vec::new();
//! // A host's rule: commands may hold secrets.
//! let redact = |line: &mut Line| {
//!     if let Line::Run(run) = line {
//!         run.program = run.program.replace("hunter2", "***");
//!     }
//! };
//! write(&mut file, lines(envelope, firing), &redact)?;
//! # Ok(())
//! # }
//! ```
//!
//! Values of environment variables and standard input are never in it, only names and sizes.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use hooks_core::effects::HookEffects;
use hooks_core::outcome::{End, Invocation, NotRun, Outcome, Program};
use hooks_core::text::shorten;
use hooks_core::{Definition, Envelope};
use serde::Serialize;

use crate::dispatch::{Firing, RunReport};
use crate::late::LateRun;

/// Characters of an output or a program that are logged.
const TEXT_LIMIT: usize = 4096;

/// One line.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Line {
    /// A hook that was left out, because nobody trusted it as it is.
    Skipped(SkippedLine),
    /// A run, with what it asks for.
    Run(Box<RunLine>),
    /// What a firing came to.
    Decision(DecisionLine),
}

/// A run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunLine {
    /// When the line was made, in milliseconds since 1970.
    pub time_ms: u64,
    /// The session.
    pub session: String,
    /// The boundary.
    pub boundary: &'static str,
    /// Whose format it is.
    pub vendor: String,
    /// The event, in the vendor's spelling.
    pub event: String,
    /// The binding's id.
    pub binding: String,
    /// What was run.
    pub program: String,
    /// Where.
    pub cwd: String,
    /// The names of the variables that were set for it.
    pub env: Vec<String>,
    /// Why it is doubtful whether it should have run.
    pub doubtful: Option<String>,
    /// Whether it saw a rewritten input.
    pub refired: bool,
    /// Whether it went on in the background.
    pub background: bool,
    /// How it ended, in a word and its number; `None` while it goes on.
    pub end: Option<String>,
    /// How its vendor's client would report it.
    pub status: &'static str,
    /// How it failed.
    pub failure: Option<String>,
    /// How long it took.
    pub duration_ms: Option<f64>,
    /// Its place in the order of finishing.
    pub finished: Option<u32>,
    /// Bytes of standard input.
    pub stdin_bytes: Option<usize>,
    /// Whether all of it was taken.
    pub stdin_delivered: Option<bool>,
    /// The start of its standard output.
    pub stdout: String,
    /// The start of its standard error.
    pub stderr: String,
    /// Bytes of standard output, kept or not.
    pub stdout_bytes: usize,
    /// Bytes of standard error, kept or not.
    pub stderr_bytes: usize,
    /// Whether there was more than was kept, of either.
    pub truncated: bool,
    /// The channels that it used.
    pub effects: Vec<&'static str>,
    /// What reading its answer dropped or noticed.
    pub notes: Vec<String>,
}

/// A hook that was left out.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SkippedLine {
    /// When the line was made, in milliseconds since 1970.
    pub time_ms: u64,
    /// The session.
    pub session: String,
    /// The boundary.
    pub boundary: &'static str,
    /// Whose format it is.
    pub vendor: String,
    /// The event, in the vendor's spelling.
    pub event: String,
    /// The binding's id.
    pub binding: String,
    /// What would have been run.
    pub program: String,
    /// How it stands: `untrusted` or `modified`.
    pub state: &'static str,
}

/// What a firing came to.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DecisionLine {
    /// When the line was made, in milliseconds since 1970.
    pub time_ms: u64,
    /// The session.
    pub session: String,
    /// The boundary.
    pub boundary: &'static str,
    /// How many runs there were.
    pub runs: usize,
    /// What becomes of the action.
    pub action: &'static str,
    /// Whether something is stopped.
    pub halted: bool,
    /// How many texts make it go on.
    pub continuations: usize,
    /// Whether the input is another one.
    pub rewritten: bool,
    /// Whether the result is another one.
    pub result_replaced: bool,
    /// How many texts go to the model.
    pub to_model: usize,
    /// How many texts go to the person.
    pub to_user: usize,
    /// Where hooks were at odds.
    pub conflicts: Vec<String>,
    /// What was dropped.
    pub dropped: Vec<DroppedLine>,
}

/// Something that was dropped.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DroppedLine {
    /// Whose it was; `None` for the host's.
    pub by: Option<String>,
    /// Its channel.
    pub what: &'static str,
    /// Why.
    pub why: String,
}

/// The lines of a firing: what was left out, its runs in declared order, then its decision.
#[must_use]
pub fn lines(envelope: &Envelope, firing: &Firing) -> Vec<Line> {
    let decision = &firing.decision;
    let report = &decision.report;
    let mut lines: Vec<Line> = firing.skipped.iter().map(|skipped| skipped_line(envelope, skipped)).collect();
    lines.extend(firing.runs.iter().map(|run| Line::Run(run_line(envelope, run).into())));
    lines.push(Line::Decision(DecisionLine {
        time_ms: now_ms(),
        session: envelope.common.session_id.clone(),
        boundary: envelope.boundary().name(),
        runs: firing.runs.len(),
        action: decision.action.as_str(),
        halted: decision.halt.is_some(),
        continuations: decision.continuations.len(),
        rewritten: decision.input.is_some(),
        result_replaced: decision.result.is_some(),
        to_model: decision.to_model.len(),
        to_user: decision.to_user.len(),
        conflicts: report.conflicts.clone(),
        dropped: report
            .dropped
            .iter()
            .map(|dropped| DroppedLine {
                by: dropped.by.as_ref().map(|who| who.binding.to_string()),
                what: dropped.effect.channel().as_str(),
                why: dropped.why.clone(),
            })
            .collect(),
    }));
    lines
}

fn skipped_line(envelope: &Envelope, definition: &Definition) -> Line {
    Line::Skipped(SkippedLine {
        time_ms: now_ms(),
        session: envelope.common.session_id.clone(),
        boundary: envelope.boundary().name(),
        vendor: definition.vendor.to_string(),
        event: definition.place.event.clone(),
        binding: definition.id.to_string(),
        program: shorten(&definition.handler.label(), TEXT_LIMIT).into_owned(),
        state: definition.state.word(),
    })
}

/// The line of a run in the background that has ended.
#[must_use]
pub fn late_line(envelope: &Envelope, run: &LateRun) -> Line {
    let mut line = blank(envelope, &run.binding, &run.effects);
    line.background = true;
    said(&mut line, &run.outcome);
    Line::Run(line.into())
}

fn run_line(envelope: &Envelope, run: &RunReport) -> RunLine {
    let mut line = blank(envelope, &run.binding, &run.effects);
    line.doubtful.clone_from(&run.doubtful);
    line.refired = run.refired;
    line.stdin_bytes = Some(run.stdin.len());
    match &run.invocation {
        Ok(invocation) => {
            line.program = shorten(&program(invocation), TEXT_LIMIT).into_owned();
            line.cwd.clone_from(&invocation.cwd);
            line.env = invocation.env.iter().map(|(name, _)| name.clone()).collect();
        }
        Err(NotRun(why)) => line.end = Some(format!("not run: {why}")),
    }
    match &run.outcome {
        Some(outcome) => said(&mut line, outcome),
        None => line.background = true,
    }
    line
}

fn blank(envelope: &Envelope, binding: &hooks_core::Binding, effects: &HookEffects) -> RunLine {
    RunLine {
        time_ms: now_ms(),
        session: envelope.common.session_id.clone(),
        boundary: envelope.boundary().name(),
        vendor: binding.vendor.to_string(),
        event: binding.place.event.clone(),
        binding: binding.id.to_string(),
        program: shorten(&binding.handler.label(), TEXT_LIMIT).into_owned(),
        cwd: String::new(),
        env: Vec::new(),
        doubtful: None,
        refired: false,
        background: false,
        end: None,
        status: effects.status.as_str(),
        failure: effects.failure.as_ref().map(ToString::to_string),
        duration_ms: None,
        finished: None,
        stdin_bytes: None,
        stdin_delivered: None,
        stdout: String::new(),
        stderr: String::new(),
        stdout_bytes: 0,
        stderr_bytes: 0,
        truncated: false,
        effects: effects.effects.iter().map(|effect| effect.channel().as_str()).collect(),
        notes: effects
            .notes
            .iter()
            .map(|note| match &note.field {
                Some(field) => format!("{field}: {}", note.text),
                None => note.text.clone(),
            })
            .collect(),
    }
}

fn said(line: &mut RunLine, outcome: &Outcome) {
    line.end = Some(end(&outcome.end));
    line.duration_ms = Some(outcome.duration.as_secs_f64() * 1000.0);
    line.finished = Some(outcome.finished);
    line.stdin_delivered = Some(outcome.stdin_delivered);
    line.stdout = start_of(&outcome.stdout);
    line.stderr = start_of(&outcome.stderr);
    line.stdout_bytes = printed(&outcome.stdout, outcome.stdout_beyond);
    line.stderr_bytes = printed(&outcome.stderr, outcome.stderr_beyond);
    line.truncated = outcome.stdout_truncated || outcome.stderr_truncated;
}

/// How much a run printed: what was kept, and what was read beyond it.
fn printed(kept: &[u8], beyond: u64) -> usize {
    kept.len().saturating_add(usize::try_from(beyond).unwrap_or(usize::MAX))
}

/// The start of an output; what is no text there is replaced.
fn start_of(output: &[u8]) -> String {
    // A character has at most four bytes, so this is enough for the limit.
    let start = output.get(..TEXT_LIMIT * 4 + 4).unwrap_or(output);
    shorten(&String::from_utf8_lossy(start), TEXT_LIMIT).into_owned()
}

/// How a run ended, in a word and its number.
pub(crate) fn end(end: &End) -> String {
    match end {
        End::Exited(code) => format!("exited {code}"),
        End::Signalled(signal) => format!("signalled {signal}"),
        End::TimedOut => "timed out".to_owned(),
        End::Cancelled => "cancelled".to_owned(),
        End::FailedToStart(why) => format!("failed to start: {why}"),
        End::Http(status) => format!("http {status}"),
        End::Tool { is_error } => (if *is_error { "tool error" } else { "tool" }).to_owned(),
        End::Model => "model".to_owned(),
        End::NotRun(why) => format!("not run: {why}"),
        other => format!("{other:?}"),
    }
}

fn program(invocation: &Invocation) -> String {
    match &invocation.program {
        Program::ShellText { text, .. } => text.clone(),
        Program::Exec { program, args } => {
            std::iter::once(program).chain(args).map(String::as_str).collect::<Vec<_>>().join(" ")
        }
        Program::Hosted(handler) => format!("{}: {}", handler.kind().as_str(), handler.label()),
        other => format!("{other:?}"),
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Writes lines, each after the host took out of it what shall not be kept.
///
/// # Errors
///
/// What writing says.
pub fn write(
    out: &mut impl Write,
    lines: impl IntoIterator<Item = Line>,
    redact: &dyn Fn(&mut Line),
) -> io::Result<()> {
    for mut line in lines {
        redact(&mut line);
        let mut bytes = serde_json::to_vec(&line)?;
        bytes.push(b'\n');
        // One write a line, so that lines of several processes do not mix.
        out.write_all(&bytes)?;
    }
    Ok(())
}
