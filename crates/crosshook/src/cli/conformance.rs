//! `crosshook conformance`: the built-in adapters held to the vectors.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use hooks_conformance::{Filter, Vector, VectorFile, load, run as run_vectors};
use hooks_core::text::{display_line, shorten};
use hooks_core::{HostSide, Version};
use serde_json::{Value, json};

use super::args::{ConformanceAction, VectorArgs};
use super::exit::{self, Done, Trouble};
use super::out::{BAD, DIM, GOOD, HEAD, Out, WARN, paint, wrap};

/// Runs the subcommand.
pub(crate) fn run(action: &ConformanceAction, out: &mut Out) -> Done {
    match action {
        ConformanceAction::Run(args) => judge(&args.which, out),
        ConformanceAction::List(args) => list(args, out),
        ConformanceAction::Show(args) => show(&args.id, &args.which, out),
    }
}

/// The adapter a vector asks for: of a vendor, for a client, with a face. Cursor's vectors without a face hold for the
/// first design's rules.
fn adapter(vendor: &str, client: Option<&str>, profile: Option<&str>) -> Option<Arc<dyn HostSide>> {
    use crosshook::{claude, codex, cursor};
    let version = |newest: Version| match client {
        None => Some(newest),
        Some(client) => client.rsplit(' ').next().and_then(|version| version.parse::<Version>().ok()),
    };
    Some(match vendor {
        "cursor" => {
            let options = match profile {
                None => cursor::Options::seed(),
                Some("phase1") => cursor::Options::phase1(),
                Some("vendor") => cursor::Options::vendor(),
                Some(_) => return None,
            };
            Arc::new(cursor::Adapter::new(&cursor::DIALECT, version(cursor::DIALECT.latest)?, options))
        }
        "claude" => {
            let version = version(claude::DIALECT.latest)?;
            Arc::new(claude::Adapter::new(&claude::DIALECT, version, claude::Options::default()))
        }
        "codex" => {
            let version = version(codex::DIALECT.latest)?;
            Arc::new(codex::Adapter::new(&codex::DIALECT, version, codex::Options::default()))
        }
        _ => return None,
    })
}

fn filter(args: &VectorArgs) -> Filter {
    let mut filter = Filter::default();
    filter.vendor.clone_from(&args.vendor);
    filter.event.clone_from(&args.event);
    filter.kind.clone_from(&args.kind);
    filter
}

fn vectors(args: &VectorArgs) -> Result<Vec<VectorFile>, Trouble> {
    let folder = match &args.vectors {
        Some(folder) if folder.is_dir() => folder.clone(),
        Some(folder) => return Err(Trouble::usage(format!("there is no folder `{}`", folder.display()))),
        None => find_vectors().ok_or_else(|| {
            Trouble::usage("there is no folder `fixtures/vectors` here or in a folder above")
                .help("say where the vectors are: --vectors DIR")
        })?,
    };
    let files = load(&folder).map_err(|error| Trouble::usage(format!("cannot read the vectors: {error}")))?;
    if files.is_empty() {
        return Err(Trouble::usage(format!("there are no vectors in `{}`", folder.display())));
    }
    Ok(files)
}

fn find_vectors() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join("fixtures").join("vectors")).find(|folder| folder.is_dir())
}

/// The vectors that were asked for, or why there are none.
fn chosen<'f>(files: &'f [VectorFile], filter: &Filter) -> Result<Vec<(&'f VectorFile, &'f Vector)>, Trouble> {
    let chosen: Vec<_> = files
        .iter()
        .flat_map(|file| file.vectors.iter().map(move |vector| (file, vector)))
        .filter(|(file, vector)| filter.takes(file, vector))
        .collect();
    if chosen.is_empty() {
        return Err(Trouble::usage("no vector is what was asked for").help("`crosshook conformance list` lists them"));
    }
    Ok(chosen)
}

fn judge(args: &VectorArgs, out: &mut Out) -> Done {
    let files = vectors(args)?;
    let filter = filter(args);
    let number = chosen(&files, &filter)?.len();
    let report = silently(|| run_vectors(&files, &adapter, &filter));
    let code = if report.is_ok() { exit::OK } else { exit::PROBLEMS };

    let mut skipped: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for one in &report.skipped {
        *skipped.entry((one.file.clone(), one.kind.clone(), one.reason.clone())).or_default() += 1;
    }
    if args.json {
        let failures: Vec<Value> = report.failures.iter().map(|one| json!(one)).collect();
        let groups: Vec<Value> = skipped
            .iter()
            .map(
                |((file, kind, reason), count)| json!({ "file": file, "kind": kind, "reason": reason, "count": count }),
            )
            .collect();
        out.json(&json!({
            "passed": report.passed,
            "failed": report.failed,
            "skipped": report.skipped.len(),
            "failures": failures,
            "skipped_groups": groups,
        }));
        return Ok(code);
    }
    let mut text = String::new();
    for failure in &report.failures {
        let _ = writeln!(text, "{} {} {}", paint(BAD, "FAILED"), paint(HEAD, &failure.file), display_line(&failure.id));
        let _ = writeln!(text, "  {}", wrap(&display_line(&shorten(&failure.message, 600)), out.width(), 2));
        for (name, value) in [("expected", &failure.expected), ("actual", &failure.actual)] {
            let value = value.to_string();
            let _ = writeln!(text, "  {name:9} {}", paint(DIM, &display_line(&shorten(&value, 600))));
        }
    }
    for ((file, kind, reason), count) in &skipped {
        let line = format!("{count} of {kind} in {file}: {reason}");
        let _ = writeln!(text, "{} {}", paint(WARN, "skipped"), wrap(&display_line(&line), out.width(), 8));
    }
    let word = if report.is_ok() { paint(GOOD, "passed") } else { "passed".to_owned() };
    let _ = writeln!(
        text,
        "{} {word}, {} failed, {} skipped of {number} vectors.",
        report.passed,
        report.failed,
        report.skipped.len()
    );
    out.print(&text);
    Ok(code)
}

/// Without the message that a panic writes: the report says which vector panicked.
fn silently<T>(work: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let done = work();
    std::panic::set_hook(hook);
    done
}

fn list(args: &VectorArgs, out: &mut Out) -> Done {
    let files = vectors(args)?;
    let chosen = chosen(&files, &filter(args))?;
    if args.json {
        let rows: Vec<Value> = chosen
            .iter()
            .map(|(file, vector)| {
                json!({ "file": file.label(), "id": vector.id, "kind": vector.kind.word(), "event": file.event_of(vector), "basis": vector.basis, "source": vector.source })
            })
            .collect();
        out.json(&rows);
        return Ok(exit::OK);
    }
    let mut text = String::new();
    let mut heading = String::new();
    for (file, vector) in &chosen {
        if heading != file.label() {
            heading = file.label();
            let _ = writeln!(text, "{}", paint(HEAD, &display_line(&heading)));
        }
        let _ = writeln!(text, "  {:8} {}", vector.kind.word(), display_line(&vector.id));
    }
    let _ = writeln!(text, "{} vectors.", chosen.len());
    out.print(&text);
    Ok(exit::OK)
}

fn show(id: &str, args: &VectorArgs, out: &mut Out) -> Done {
    let files = vectors(args)?;
    let mut filter = filter(args);
    filter.id = Some(id.to_owned());
    let chosen = chosen(&files, &filter).map_err(|trouble| {
        let near = nearest(id, &files);
        Trouble { message: format!("there is no vector `{id}`"), help: near.or(trouble.help), code: trouble.code }
    })?;
    let shown: Vec<Value> =
        chosen.iter().map(|(file, vector)| json!({ "file": file.label(), "vector": vector })).collect();
    out.json(&shown);
    Ok(exit::OK)
}

fn nearest(id: &str, files: &[VectorFile]) -> Option<String> {
    let ids = files.iter().flat_map(|file| &file.vectors).map(|vector| vector.id.as_str());
    let near = ids.map(|known| (strsim::damerau_levenshtein(id, known), known)).min()?;
    (near.0 <= 1 + id.chars().count() / 3).then(|| format!("did you mean `{}`?", near.1))
}
