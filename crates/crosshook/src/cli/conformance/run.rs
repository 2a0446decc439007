//! `crosshook conformance run`: judges vectors and prints the score.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anstyle::Style;
use hooks_conformance::score::{By, Row, Tally, markdown};
use hooks_conformance::shim::{Shim, ShimHello, ShimOptions, Stopper};
use hooks_conformance::{Exceptions, Failure, Fault, Filter, InProcess, Report, VectorFile, run_subject};
use hooks_core::text::{display_line, display_untrusted, shorten};
use serde_json::{Value, json};

use super::super::args::{ConformanceRunArgs, ScoreBy};
use super::super::exit::{self, Done, Trouble};
use super::super::out::{self, BAD, DIM, GOOD, HEAD, NAME, Out, WARN, pad, paint, wrap};
use super::{chosen, counted, filter, vectors};

/// How many failures are printed one by one.
const FAILURES_SHOWN: usize = 50;

/// Runs the subcommand.
pub(super) fn run(args: &ConformanceRunArgs, out: &mut Out) -> Done {
    let files = vectors(&args.which)?;
    let filter = filter(&args.which);
    chosen(&files, &filter)?;
    let exceptions = match &args.exceptions {
        None => Exceptions::default(),
        Some(file) => exceptions(file)?,
    };
    let (report, shim) = match &args.shim {
        None => {
            (silently(|| run_subject(&files, &mut InProcess::new(&crosshook::adapter_for), &filter, &exceptions)), None)
        }
        Some(command) => {
            let (report, hello) = with_shim(command, args.timeout, &files, &filter, &exceptions)?;
            (report, Some(hello))
        }
    };
    if args.which.json {
        out.json(&document(&report, shim.as_ref()));
    } else if args.markdown {
        let subject = shim.as_ref().map_or("the built-in adapters", |hello| &hello.name);
        out.print(&markdown(subject, &files, &report));
    } else {
        out.print(&text(&report, shim.as_ref(), args.by, out.width()));
    }
    Ok(if report.is_ok() && report.judged() > 0 { exit::OK } else { exit::PROBLEMS })
}

fn exceptions(file: &Path) -> Result<Exceptions, Trouble> {
    Exceptions::load(file).map_err(|error| {
        Trouble::usage(format!("cannot read the {error}"))
            .help("write a JSON array of {\"vendor\", \"file\", \"id\", \"reason\"}")
    })
}

/// Without the message that a panic writes: the report says which vector panicked.
fn silently<T>(work: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let done = work();
    std::panic::set_hook(hook);
    done
}

fn with_shim(
    command: &str,
    timeout: f64,
    files: &[VectorFile],
    filter: &Filter,
    exceptions: &Exceptions,
) -> Result<(Report, ShimHello), Trouble> {
    let options = ShimOptions { timeout: Duration::from_secs_f64(timeout), ..ShimOptions::new(command) };
    stop_when_interrupted(options.stopper.clone());
    let mut shim = Shim::start(options).map_err(|Fault { message, stderr, .. }| {
        let stderr = stderr.map(|stderr| format!("\n{}", stderr_text(&stderr))).unwrap_or_default();
        Trouble::usage(format!("{message}{stderr}")).help("docs/shim-protocol.md says what a shim reads and writes")
    })?;
    let hello = shim.hello().clone();
    Ok((run_subject(files, &mut shim, filter, exceptions), hello))
}

/// The shim is in a process group of its own, which a terminal's interrupt does not reach.
fn stop_when_interrupted(stopper: Stopper) {
    let (listening, ready) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        let code = runtime.block_on(async {
            tokio::select! {
                biased;
                code = interrupted() => code,
                // Comes after the other was looked at once, which is what makes it listen.
                code = async {
                    let _ = listening.send(());
                    std::future::pending().await
                } => code,
            }
        });
        if let Some(code) = code {
            stopper.stop();
            std::process::exit(code);
        }
    });
    // It fails where nobody can listen: the shim then ends when its standard input does.
    let _ = ready.recv();
}

/// Waits until the command is interrupted or told to end, and gives the exit code that shells have for it.
#[cfg(unix)]
async fn interrupted() -> Option<i32> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt()).ok()?;
    let mut terminate = signal(SignalKind::terminate()).ok()?;
    tokio::select! {
        Some(()) = interrupt.recv() => Some(130),
        Some(()) = terminate.recv() => Some(143),
        else => None,
    }
}

/// Waits until the command is interrupted, and gives the exit code for it.
#[cfg(not(unix))]
async fn interrupted() -> Option<i32> {
    tokio::signal::ctrl_c().await.ok().map(|()| 130)
}

fn document(report: &Report, shim: Option<&ShimHello>) -> Value {
    let groups: Vec<Value> = skipped(report)
        .into_iter()
        .map(|((file, kind, reason), count)| json!({ "file": file, "kind": kind, "reason": reason, "count": count }))
        .collect();
    json!({
        "subject": shim.map_or_else(
            || json!({ "name": "crosshook", "version": env!("CARGO_PKG_VERSION") }),
            |hello| json!({ "name": hello.name, "version": hello.version, "shim": true }),
        ),
        "vectors": report.score.total().all(),
        "judged": report.judged(),
        "passed": report.passed,
        "failed": report.failed,
        "excepted": report.excepted.len(),
        "skipped": report.skipped.len(),
        "failures": report.failures,
        "exceptions": report.excepted,
        "skipped_groups": groups,
        "score": report.score,
    })
}

/// What was skipped, by file, kind and reason.
fn skipped(report: &Report) -> BTreeMap<(&str, &str, &str), usize> {
    let mut groups = BTreeMap::new();
    for one in &report.skipped {
        *groups.entry((one.file.as_str(), one.kind.as_str(), one.reason.as_str())).or_default() += 1;
    }
    groups
}

fn text(report: &Report, shim: Option<&ShimHello>, by: ScoreBy, width: usize) -> String {
    let mut text = String::new();
    for one in report.failures.iter().take(FAILURES_SHOWN) {
        failure(&mut text, one, width);
    }
    if report.failures.len() > FAILURES_SHOWN {
        let more = report.failures.len() - FAILURES_SHOWN;
        let _ = writeln!(text, "{} {more} more; --json has all of them", paint(BAD, "FAILED"));
    }
    for one in &report.excepted {
        let line = format!("{} {}: {}", one.file, one.id, one.reason);
        let _ = writeln!(text, "{} {}", paint(WARN, "excepted"), wrap(&display_line(&line), width, 9));
    }
    skips(&mut text, report, width);
    if let Some(hello) = shim {
        let version = hello.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
        let _ = writeln!(text, "Shim: {}", display_line(&format!("{}{version}", hello.name)));
    }
    if report.judged() > 0 {
        table(&mut text, report, by);
    }
    let word = if report.is_ok() && report.judged() > 0 { paint(GOOD, "passed") } else { "passed".to_owned() };
    let excepted = match report.excepted.len() {
        0 => String::new(),
        number => format!("{number} excepted, "),
    };
    let apart = match report.failed_apart() {
        0 => String::new(),
        number => format!("; {number} failed apart from them"),
    };
    let total = report.score.total();
    let (all, failed, skipped) = (total.all(), total.failed, total.skipped);
    let _ = writeln!(
        text,
        "{} {word}, {failed} failed, {excepted}{skipped} skipped of {}{apart}.",
        report.passed,
        counted(all)
    );
    if report.judged() == 0 {
        let help = if shim.is_some() {
            "the shim claims none of them, or supports none"
        } else {
            "no built-in adapter is for them: try --shim"
        };
        let _ = writeln!(text, "{}: {help}", paint(BAD, "Nothing was judged"));
    }
    text
}

fn failure(text: &mut String, failure: &Failure, width: usize) {
    let _ = writeln!(
        text,
        "{} {} {}",
        paint(BAD, "FAILED"),
        paint(HEAD, &display_line(&failure.file)),
        display_line(&match failure.holds_for() {
            None => failure.id.clone(),
            Some(whom) => format!("{} ({whom})", failure.id),
        })
    );
    let _ = writeln!(text, "  {}", wrap(&display_line(&shorten(&failure.message, 600)), width, 2));
    for (name, value) in [("expected", &failure.expected), ("actual", &failure.actual)] {
        if !value.is_null() {
            let value = value.to_string();
            let _ = writeln!(text, "  {name:9} {}", paint(DIM, &display_line(&shorten(&value, 600))));
        }
    }
    if let Some(stderr) = &failure.stderr {
        let _ = writeln!(text, "{}", stderr_text(stderr));
    }
}

/// The end of a shim's standard error, set off from what is said here.
fn stderr_text(stderr: &str) -> String {
    let mut text = "  the end of its standard error:".to_owned();
    for line in display_untrusted(stderr).lines() {
        let _ = write!(text, "\n  | {line}");
    }
    text
}

/// What was skipped, by vendor, kind and reason where there is much of it.
fn skips(text: &mut String, report: &Report, width: usize) {
    let mut groups: BTreeMap<(&str, &str), (usize, BTreeSet<&str>)> = BTreeMap::new();
    for one in &report.skipped {
        let vendor = one.file.split('/').next().unwrap_or_default();
        let group = groups.entry((vendor, one.reason.as_str())).or_default();
        group.0 += 1;
        group.1.insert(one.kind.as_str());
    }
    for ((vendor, reason), (count, kinds)) in groups {
        let kinds: Vec<&str> = kinds.into_iter().collect();
        let line = format!("{count} of {vendor} ({}): {reason}", kinds.join(", "));
        let _ = writeln!(text, "{} {}", paint(WARN, "skipped"), wrap(&display_line(&line), width, 8));
    }
}

/// The score. What has a row was judged, at least in part; what was skipped is told above.
fn table(text: &mut String, report: &Report, by: ScoreBy) {
    let table = report.score.table(match by {
        ScoreBy::Vendor => By::Vendor,
        ScoreBy::Event => By::Event,
    });
    let rows: Vec<&Row> = table.rows.iter().filter(|row| row.total.judged() > 0).collect();
    let name = |row: &Row| {
        let name = match by {
            ScoreBy::Vendor => row.vendor.clone(),
            ScoreBy::Event => format!("{} {}", row.vendor, row.event.as_deref().unwrap_or("(none)")),
        };
        (NAME, display_line(&name).into_owned())
    };
    let mut columns: Vec<Vec<(Style, String)>> =
        vec![[(HEAD, String::new())].into_iter().chain(rows.iter().map(|row| name(row))).collect()];
    for (at, kind) in table.kinds.iter().enumerate() {
        let tallies: Vec<Tally> = rows.iter().filter_map(|row| row.tallies.get(at).copied()).collect();
        if tallies.iter().any(|tally| tally.judged() > 0) {
            columns.push(column(kind, tallies.into_iter().map(judged)));
        }
    }
    columns.push(column("all", rows.iter().map(|row| judged(row.total))));
    let apart = |number: fn(&Tally) -> usize| rows.iter().map(|row| number(&row.total)).collect::<Vec<_>>();
    for (head, numbers) in [("excepted", apart(|all| all.excepted)), ("skipped", apart(|all| all.skipped))] {
        if numbers.iter().any(|number| *number > 0) {
            columns.push(column(head, numbers.iter().map(|number| (WARN, number.to_string()))));
        }
    }
    for line in 0..=rows.len() {
        for (at, column) in columns.iter().enumerate() {
            let width = column.iter().map(|(_, cell)| out::columns(cell)).max().unwrap_or_default();
            let Some((style, cell)) = column.get(line) else { continue };
            let blanks = width.saturating_sub(out::columns(cell));
            let _ = match at {
                0 => write!(text, "{}", pad(*style, cell, width)),
                _ => write!(text, "  {:blanks$}{}", "", paint(*style, cell)),
            };
        }
        text.push('\n');
    }
}

fn column(head: &str, cells: impl Iterator<Item = (Style, String)>) -> Vec<(Style, String)> {
    [(HEAD, head.to_owned())].into_iter().chain(cells).collect()
}

fn judged(tally: Tally) -> (Style, String) {
    let style = match tally {
        Tally { failed: 1.., .. } => BAD,
        Tally { excepted: 1.., .. } => WARN,
        _ => Style::new(),
    };
    (style, tally.shown())
}
