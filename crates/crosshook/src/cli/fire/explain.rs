//! A firing in words.

use std::fmt::Write as _;

use hooks_core::duty::{Part, duty};
use hooks_core::effects::{Note, PromptFate, ResultReplacement, Special};
use hooks_core::outcome::{End, EnvBase, Outcome};
use hooks_core::text::{display_line, display_untrusted, shorten};
use hooks_core::{
    Action, Binding, Boundary, Continuation, Decision, Definition, Effect, Halt, HookEffects, LoopLimit, Payload,
    Verdict,
};
use hooks_runtime::RunReport;

use super::{Fired, Prepared, count_others, folder, program, starter};
use crate::cli::exit;
use crate::cli::out::{BAD, DIM, GOOD, HEAD, NAME, WARN, paint, wrap};

/// Characters shown of a text that may be long.
const LONG: usize = 2_000;
/// Characters shown of a hook's standard input.
const SHOWN_STDIN: usize = 20_000;
/// The columns before a value.
const INDENT: usize = 13;

/// The exit code that tells a decision.
pub(crate) fn exit_code(decision: &Decision) -> u8 {
    match decision.action {
        Action::Deny => exit::DENY,
        _ if decision.halt.is_some() => exit::HALT,
        Action::Defer => exit::DEFER,
        Action::Ask => exit::ASK,
        _ if !decision.continuations.is_empty() => exit::CONTINUE,
        Action::Approve | Action::NoOpinion => exit::OK,
    }
}

/// What would run.
pub(crate) fn plan(prepared: &Prepared, width: usize) -> String {
    let mut text = String::new();
    let asked = &prepared.asked;
    let mut names: Vec<(&str, Vec<&str>)> = Vec::new();
    for (adapter, event) in &asked.events {
        match names.iter_mut().find(|(name, _)| *name == event.name) {
            Some((_, vendors)) => vendors.push(adapter.vendor().as_str()),
            None => names.push((event.name, vec![adapter.vendor().as_str()])),
        }
    }
    let names: Vec<String> =
        names.into_iter().map(|(name, vendors)| format!("{name} ({})", vendors.join(", "))).collect();
    let about = asked.boundary.info().about;
    let _ = writeln!(text, "{}  {}", paint(HEAD, asked.boundary.name()), paint(DIM, about));
    let _ = writeln!(text, "  {}", wrap(&format!("events: {}", names.join(", ")), width, 2));
    let occurrence = &prepared.occurrence;
    if occurrence.made_up {
        let how = match &occurrence.envelope.payload {
            Payload::PromptSubmit(_) => "say it with --prompt or --payload",
            payload if payload.tool_use().is_some() => "say it with --command, --tool and --input, or --payload",
            _ => "there are no options for it",
        };
        let _ = writeln!(text, "  what happened is made up: {how}");
    }
    if !occurrence.ignored.is_empty() {
        let ignored = display_line(&occurrence.ignored.join(", ")).into_owned();
        let _ = writeln!(text, "  {} {}", paint(WARN, "ignored:"), wrap(&ignored, width, 11));
    }
    text.push('\n');
    for (at, planned) in prepared.planned.iter().enumerate() {
        heading(&mut text, prepared, at + 1, &planned.binding, "");
        match &planned.invocation {
            Ok(invocation) => {
                let seconds = invocation.timeout.as_secs_f64();
                field(&mut text, "runs", &program(invocation), width);
                let mut how = format!("{}, in {}, at most {seconds} s", starter(invocation), invocation.cwd);
                if planned.is_background() {
                    how.push_str(", in the background: nothing waits for it");
                }
                field(&mut text, "how", &how, width);
                if !invocation.cwd_else.is_empty() {
                    let others: Vec<_> = invocation.cwd_else.iter().map(folder).collect();
                    field(&mut text, "or in", &format!("{}, when that is gone", others.join(", ")), width);
                }
                if invocation.env_base == EnvBase::SessionStart {
                    field(&mut text, "env", "that of the session's start", width);
                }
                for (name, value) in &invocation.env {
                    field(&mut text, "env", &format!("{name}={value}"), width);
                }
                if let Some(file) = invocation.session_file {
                    let about = "a file that it may write variables to";
                    field(&mut text, "env", &format!("{} names {about}", file.variable), width);
                }
                let less: Vec<_> =
                    invocation.env_remove.iter().chain(&invocation.env_scrub).map(String::as_str).collect();
                if !less.is_empty() {
                    field(&mut text, "env less", &less.join(" "), width);
                }
            }
            Err(why) => field(&mut text, "cannot run", &why.0, width),
        }
        if let Some(why) = &planned.doubtful {
            field(&mut text, "doubtful", &format!("{why}; it runs, and only a deny, ask or halt of it counts"), width);
        }
        let stdin = String::from_utf8_lossy(&planned.stdin);
        // Not wrapped: this is what a person may copy.
        let shown = shorten(&stdin, SHOWN_STDIN);
        let _ = writeln!(text, "   {:9} {}", "stdin", paint(DIM, &display_untrusted(&shown)));
        if shown.len() < stdin.len() {
            field(&mut text, "", &format!("(cut off here: {} bytes in all, which --json shows)", stdin.len()), width);
        }
        text.push('\n');
    }
    if prepared.planned.is_empty() {
        text.push_str("No hook runs.\n");
    }
    let others = count_others(prepared);
    if others > 0 {
        let what = if others == 1 { "1 other hook does" } else { &format!("{others} other hooks do") };
        let _ = writeln!(text, "{}", paint(DIM, &format!("{what} not run here; --why says why.")));
    }
    let faults = prepared.project.documents().flat_map(|document| &document.diagnostics);
    let faults = faults.filter(|found| found.severity > hooks_core::Severity::Info).count();
    let faults = faults + prepared.project.diagnostics.len();
    if faults > 0 {
        let asked = display_line(&prepared.project.asked);
        let what = if faults == 1 { "1 problem" } else { &format!("{faults} problems") };
        let _ = writeln!(
            text,
            "{}",
            paint(WARN, &format!("{what} in the hook files: `crosshook check {asked}` explains."))
        );
    }
    text
}

/// Why the others do not run.
pub(crate) fn others(prepared: &Prepared, others: &[(Definition, String)], width: usize) -> String {
    let mut text = String::new();
    if others.is_empty() {
        return text;
    }
    let _ = writeln!(text, "\n{}", paint(HEAD, "Not run"));
    for (definition, why) in others {
        let _ = writeln!(text, "  {}", place(prepared, definition));
        let _ = writeln!(text, "    {}", wrap(&display_line(shorten(why, 400).as_ref()), width, 4));
    }
    text
}

/// The question before anything runs.
pub(crate) fn question(prepared: &Prepared) -> String {
    let count = prepared.planned.len();
    let what = if count == 1 { "this command" } else { &format!("these {count} commands") };
    format!(
        "\n{}\nRun {what}?",
        paint(WARN, "They come from the files above, and run with your rights because you say yes.")
    )
}

/// What to say where nothing was run.
pub(crate) fn nothing_ran(prepared: &Prepared, dry_run: bool, asked: bool) -> &'static str {
    match (prepared.planned.is_empty(), dry_run, asked) {
        (true, ..) => "",
        (false, true, _) => "Nothing was run (--dry-run).\n",
        (false, false, true) => "Nothing was run.\n",
        (false, false, false) => "Nothing was run: look at the commands, then say --yes.\n",
    }
}

/// What the hooks said and what that comes to.
pub(crate) fn results(prepared: &Prepared, fired: &Fired, code: u8, width: usize) -> String {
    let mut text = format!("\n{}\n\n", paint(HEAD, "What they said"));
    let Fired { firing, given_up, shell, .. } = fired;
    for (at, run) in firing.runs.iter().enumerate() {
        let again = if run.refired { " again, on the rewritten input" } else { "" };
        heading(&mut text, prepared, at + 1, &run.binding, again);
        match (&run.outcome, fired.late(run)) {
            (Some(outcome), _) => ran(&mut text, outcome, &run.effects, width),
            (None, Some(late)) => {
                field(&mut text, "late", "it ran in the background and had no say", width);
                ran(&mut text, &late.outcome, &late.effects, width);
            }
            (None, None) => field(&mut text, "late", "it went on in the background and was ended", width),
        }
        text.push('\n');
    }
    if *given_up > 0 {
        let _ = writeln!(text, "{}\n", paint(WARN, "Background runs that took more than 10 s were ended."));
    }
    if !shell.is_empty() {
        let _ = writeln!(text, "{}", paint(HEAD, "Before later shell commands"));
        for line in shorten(shell, LONG).lines() {
            field(&mut text, "", line, width);
        }
        text.push('\n');
    }
    decision(&mut text, prepared.asked.boundary, &firing.decision, &firing.runs, code, width);
    text
}

fn ran(text: &mut String, outcome: &Outcome, effects: &HookEffects, width: usize) {
    let mut ended = format!("{} after {} ms", end(&outcome.end), outcome.duration.as_millis());
    if !outcome.stdin_delivered && matches!(outcome.end, End::Exited(_)) {
        ended.push_str("; it did not read all of its input");
    }
    field(text, "ended", &ended, width);
    for (name, bytes, cut) in
        [("stdout", &outcome.stdout, outcome.stdout_truncated), ("stderr", &outcome.stderr, outcome.stderr_truncated)]
    {
        if bytes.is_empty() {
            continue;
        }
        let shown = String::from_utf8_lossy(bytes);
        let cut = if cut { " (cut off)" } else { "" };
        field(text, name, &format!("{}{cut}", shown.trim_end()), width);
    }
    for meaning in meaning(effects) {
        field(text, "means", &meaning, width);
    }
    for note in &effects.notes {
        field(text, "note", &self::note(note), width);
    }
}

/// How a run ended, in words.
pub(crate) fn end(end: &End) -> String {
    match end {
        End::Exited(code) => format!("exit {code}"),
        End::Signalled(signal) => format!("killed by signal {signal}"),
        End::TimedOut => "timed out".to_owned(),
        End::Cancelled => "cancelled".to_owned(),
        End::FailedToStart(why) => format!("did not start: {why}"),
        End::Http(status) => format!("HTTP {status}"),
        End::Tool { is_error } => if *is_error { "the tool's error" } else { "the tool's answer" }.to_owned(),
        End::Model => "the model's answer".to_owned(),
        End::NotRun(why) => format!("not run: {why}"),
        other => format!("{other:?}"),
    }
}

/// What a hook's answer means, one line for each thing it asks for.
pub(crate) fn meaning(effects: &HookEffects) -> Vec<String> {
    let mut lines = Vec::new();
    match &effects.failure {
        Some(failure) if effects.effects.is_empty() => return vec![format!("failed: it {failure}, and has no say")],
        Some(failure) => lines.push(format!("failed: it {failure}")),
        None => {}
    }
    lines.extend(effects.effects.iter().map(effect));
    if effects.by.doubtful && !effects.effects.is_empty() {
        lines.push("only what restrains counts of it: it is doubtful whether it should have run".to_owned());
    }
    if effects.effects.is_empty() {
        let blocked = matches!(effects.status, hooks_core::RunStatus::Blocked | hooks_core::RunStatus::Stopped);
        lines.push(if blocked { effects.status.as_str().to_owned() } else { "no opinion".to_owned() });
    }
    lines
}

/// A decoder's note on one line.
pub(crate) fn note(note: &Note) -> String {
    match &note.field {
        Some(field) => format!("`{field}`: {}", note.text),
        None => note.text.clone(),
    }
}

/// What one effect asks for.
pub(crate) fn effect(effect: &Effect) -> String {
    let with = |what: &str, text: &str| format!("{what}: {text}");
    match effect {
        Effect::Verdict { verdict, reasons } => match reasons.join(" / ") {
            reasons if reasons.is_empty() => verdict.as_str().to_owned(),
            reasons => with(verdict.as_str(), &reasons),
        },
        Effect::Notice(text) => with("to the person", text),
        Effect::Context(text) => with("to the model", text),
        Effect::ReplaceInput(rewrite) => match &rewrite.call {
            Ok(projected) if projected.ignored.is_empty() => with("another input", rewrite.raw.get()),
            Ok(projected) => {
                format!("another input: {} ({} has no effect)", rewrite.raw.get(), projected.ignored.join(", "))
            }
            Err(refused) => with("another input", &refused.to_string()),
        },
        Effect::ReplaceResult(result) => with("another result for the model", result_text(result)),
        Effect::SessionEnv(env) => {
            let env: Vec<_> = env.iter().map(|(name, change)| format!("{name}={}", change.value)).collect();
            with("session variables", &env.join(" "))
        }
        Effect::Halt(halt) => halt_text(halt),
        Effect::Continue(continuation) => continuation_text(continuation),
        Effect::PermissionUpdate(update) => with("a change of permission rules", update.get()),
        Effect::Unsupported(unsupported) => {
            format!("`{}` asks for something that this event does not support", unsupported.field)
        }
        Effect::Special(special) => special_text(special),
        other => format!("{other:?}"),
    }
}

pub(crate) fn result_text(result: &ResultReplacement) -> &str {
    match result {
        ResultReplacement::Text(text) => text,
        ResultReplacement::Json(raw) => raw.get(),
        _ => "in a form that is not known",
    }
}

/// What only one vendor has, in words.
fn special_text(special: &Special) -> String {
    let what = special.kind().replace('-', " ");
    match special {
        Special::ElicitationAnswer { action, content: Some(content) } => format!("{what}: {action} {}", content.get()),
        Special::ElicitationAnswer { action: text, content: None }
        | Special::WorktreePath(text)
        | Special::DisplayText(text)
        | Special::SessionTitle(text)
        | Special::InitialUserMessage(text)
        | Special::ClassifierContext(text)
        | Special::TerminalSequence(text)
        | Special::CompactionInstructions(text) => format!("{what}: {text}"),
        Special::WatchPaths(paths) | Special::PluginPaths(paths) => format!("{what}: {}", paths.join(", ")),
        _ => what,
    }
}

fn halt_text(halt: &Halt) -> String {
    let stops: Vec<_> = halt.stops.iter().map(|stop| stop.as_str()).collect();
    let mut text = format!("stop the {}", stops.join(" and the "));
    match halt.when {
        Some(hooks_core::effects::When::After) => text.push_str(" after the pending action"),
        Some(hooks_core::effects::When::Before) => text.push_str(" before the pending action"),
        None => {}
    }
    match halt.prompt {
        Some(PromptFate::Erase) => text.push_str(", which is erased"),
        Some(PromptFate::Keep) => text.push_str(", which stays in the history"),
        _ => {}
    }
    if let Some(reason) = &halt.reason {
        let _ = write!(text, ": {reason}");
    }
    text
}

fn continuation_text(continuation: &Continuation) -> String {
    let limit = match continuation.loop_limit.map(LoopLimit::number) {
        Some(Some(limit)) => format!(" (at most {limit} in a row)"),
        _ => String::new(),
    };
    format!("go on{limit}: {}", continuation.text)
}

/// A decision in a word, with its style and the part of it that counts most.
pub(crate) fn word(decision: &Decision, code: u8) -> (anstyle::Style, &'static str, Part) {
    match (code, decision.action) {
        (exit::DENY, _) => (BAD, "DENY", Part::Deny),
        (exit::HALT, _) => (BAD, "STOP", Part::Halt),
        (exit::DEFER, _) => (WARN, "DEFER", Part::Defer),
        (exit::ASK, _) => (WARN, "ASK", Part::Ask),
        (exit::CONTINUE, _) => (WARN, "GO ON", Part::Continuation),
        (_, Action::Approve) => (GOOD, "APPROVE", Part::Approve),
        _ => (GOOD, "NO OPINION", Part::NoOpinion),
    }
}

/// What the host must do, one line for each part of a decision that it has.
pub(crate) fn duties(boundary: Boundary, decision: &Decision, code: u8) -> Vec<&'static str> {
    let first = word(decision, code).2;
    let refused = matches!(first, Part::Deny | Part::Halt);
    let more = [
        // The texts of a refusal, and of what goes on, are told of by its own line.
        (Part::Input, decision.input.is_some() && !refused),
        (Part::Result, decision.result.is_some()),
        (Part::ToModel, !decision.to_model.is_empty() && !refused && first != Part::Ask),
        (Part::ToUser, !decision.to_user.is_empty()),
        (Part::Special, !decision.special.is_empty()),
    ];
    let more: Vec<Part> = more.into_iter().filter_map(|(part, has)| has.then_some(part)).collect();
    // "As if there were no hooks" is for those that said nothing.
    let silent = first == Part::NoOpinion && !boundary.is_pending() && !more.is_empty();
    let parts = (!silent).then_some(first).into_iter().chain(more);
    parts.filter_map(|part| duty(boundary, part)).collect()
}

fn decision(text: &mut String, boundary: Boundary, decision: &Decision, runs: &[RunReport], code: u8, width: usize) {
    let (style, word, _) = word(decision, code);
    let _ = writeln!(text, "{} {}", paint(HEAD, "Decision:"), paint(style, word));
    for duty in duties(boundary, decision, code) {
        field(text, "the host", duty, width);
    }
    if let Some(halt) = &decision.halt {
        field(text, "halt", &halt_text(&halt.value), width);
    }
    for said in &decision.to_model {
        field(text, "to model", &said.value, width);
    }
    for said in &decision.to_user {
        field(text, "to person", &said.value, width);
    }
    if let Some(input) = &decision.input {
        let raw = input.value.raw.as_ref().map_or_else(|| input.value.action.kind(), |raw| raw.get());
        field(text, "input", raw, width);
    }
    if let Some(result) = &decision.result {
        field(text, "result", result_text(&result.value), width);
    }
    for said in &decision.continuations {
        field(text, "go on", &said.value.text, width);
    }
    for said in &decision.special {
        field(text, "special", &special_text(&said.value), width);
    }
    let failed = runs.iter().filter(|run| run.effects.failure.is_some() && run.effects.effects.is_empty()).count();
    if failed > 0 && decision.action != Action::Deny {
        let what = if failed == 1 { "1 hook failed".to_owned() } else { format!("{failed} hooks failed") };
        field(text, "beware", &format!("{what}, and the vendor's rule lets the action go on"), width);
    }
    for dropped in &decision.report.dropped {
        if matches!(&dropped.effect, Effect::Verdict { verdict: Verdict::Allow, reasons } if reasons.is_empty()) {
            continue;
        }
        field(text, "dropped", &format!("{} ({})", effect(&dropped.effect), dropped.why), width);
    }
    for conflict in &decision.report.conflicts {
        field(text, "conflict", conflict, width);
    }
    field(text, "exit code", &code.to_string(), width);
}

fn heading(text: &mut String, prepared: &Prepared, number: usize, binding: &Binding, more: &str) {
    let _ = writeln!(text, "{number}. {}{more}", place(prepared, binding));
}

/// Vendor, event and place of a definition.
pub(super) fn place(prepared: &Prepared, definition: &Definition) -> String {
    let line = prepared.line(definition);
    let path = prepared.project.shown(&definition.source.path);
    format!(
        "{}  {}  {}",
        paint(NAME, definition.vendor.as_str()),
        display_line(&definition.place.event),
        paint(DIM, &format!("{}:{line}", display_line(&path))),
    )
}

/// A named value, made safe, with line breaks where it is long.
pub(super) fn field(text: &mut String, name: &str, value: &str, width: usize) {
    let shown = shorten(value, LONG);
    let shown = display_untrusted(&shown);
    let _ = writeln!(text, "   {name:9} {}", wrap(&shown, width, INDENT));
}
