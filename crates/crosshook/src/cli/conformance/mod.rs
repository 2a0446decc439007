//! `crosshook conformance`: the built-in adapters, or a program of somebody else's, held to vectors.

mod run;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use hooks_conformance::shim::{Claim, PROTOCOL, ShimHello, serve};
use hooks_conformance::{Filter, InProcess, Vector, VectorFile, load};
use hooks_core::text::display_line;
use serde_json::{Value, json};

use super::args::{ConformanceAction, VectorArgs};
use super::exit::{self, Done, Trouble};
use super::near::did_you_mean;
use super::out::{HEAD, Out, paint};

/// Runs the subcommand.
pub(crate) fn run(action: &ConformanceAction, out: &mut Out) -> Done {
    match action {
        ConformanceAction::Run(args) => run::run(args, out),
        ConformanceAction::List(args) => list(args, out),
        ConformanceAction::Show(args) => show(&args.id, &args.which, out),
        ConformanceAction::Shim => shim(),
    }
}

/// Serves the built-in adapters and the core until the runner closes its end.
fn shim() -> Done {
    let core: Vec<String> = ["decide", "settle"].map(str::to_owned).to_vec();
    let mut claims = vec![Claim { kinds: Some(core), ..Claim::all_of("core") }];
    claims.extend(crosshook::VENDORS.iter().map(|vendor| Claim::all_of(*vendor)));
    let hello = ShimHello {
        protocol: PROTOCOL,
        name: "crosshook".to_owned(),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        claims,
    };
    let mut adapters = InProcess::new(&crosshook::adapter_for);
    // The protocol has standard output to itself, so that its lines do not go through `Out`.
    serve(&mut adapters, &hello, &mut io::stdin().lock(), &mut io::stdout().lock())
        .map(|()| exit::OK)
        .map_err(|error| Trouble { message: format!("shim: {error}"), help: None, code: exit::PROBLEMS })
}

fn filter(args: &VectorArgs) -> Filter {
    let mut filter = Filter::default();
    filter.vendor.clone_from(&args.vendor);
    filter.event.clone_from(&args.event);
    filter.kind.clone_from(&args.kind);
    filter
}

fn vectors(args: &VectorArgs) -> Result<Vec<VectorFile>, Trouble> {
    let place = match &args.vectors {
        Some(place) if place.exists() => place.clone(),
        Some(place) => return Err(Trouble::usage(format!("there is no folder or file `{}`", place.display()))),
        None => find_vectors().ok_or_else(|| {
            Trouble::usage("there is no folder `fixtures/vectors` here or in a folder above")
                .help("say where the vectors are: --vectors DIR")
        })?,
    };
    load(&place).map_err(|error| Trouble::usage(format!("cannot read the vectors: {error}")))
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
        return Err(
            Trouble::usage(format!("no vector is what was asked for{}", asked(filter))).help(there(files, filter))
        );
    }
    Ok(chosen)
}

/// What was asked for, as it was written.
fn asked(filter: &Filter) -> String {
    let options = [("--vendor", &filter.vendor), ("--event", &filter.event), ("--kind", &filter.kind)];
    let given = options.iter().filter_map(|(option, word)| Some(format!("{option} {}", word.as_deref()?)));
    let given: Vec<String> = given.collect();
    if given.is_empty() { String::new() } else { format!(": {}", given.join(" ")) }
}

/// What could be asked for in its place: the first word that nothing has, with those that there are.
fn there(files: &[VectorFile], filter: &Filter) -> String {
    let words = |of: fn(&VectorFile, &Vector) -> Option<String>, taken: &Filter| {
        let all = files.iter().flat_map(|file| file.vectors.iter().map(move |vector| (file, vector)));
        let words =
            all.filter(|(file, vector)| taken.takes(file, vector)).filter_map(|(file, vector)| of(file, vector));
        words.collect::<BTreeSet<String>>()
    };
    let mut taken = Filter::default();
    let vendors = words(|file, _| Some(file.vendor.clone().unwrap_or_else(|| "core".to_owned())), &taken);
    taken.vendor.clone_from(&filter.vendor);
    let events = words(|file, vector| file.event_of(vector).map(str::to_owned), &taken);
    taken.event.clone_from(&filter.event);
    let kinds = words(|_, vector| Some(vector.kind.word().to_owned()), &taken);
    for (option, asked, words) in
        [("--vendor", &filter.vendor, vendors), ("--event", &filter.event, events), ("--kind", &filter.kind, kinds)]
    {
        let Some(asked) = asked.as_ref().filter(|asked| !words.contains(*asked)) else { continue };
        let near = did_you_mean(asked, words.iter().map(String::as_str));
        return near.unwrap_or_else(|| format!("{option} can be {}", words.into_iter().collect::<Vec<_>>().join(", ")));
    }
    "`crosshook conformance list` lists them".to_owned()
}

/// A number of vectors in words.
fn counted(number: usize) -> String {
    format!("{number} vector{}", if number == 1 { "" } else { "s" })
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
    let _ = writeln!(text, "{}.", counted(chosen.len()));
    out.print(&text);
    Ok(exit::OK)
}

fn show(id: &str, args: &VectorArgs, out: &mut Out) -> Done {
    let files = vectors(args)?;
    let mut filter = filter(args);
    filter.id = Some(id.to_owned());
    let chosen = chosen(&files, &filter).map_err(|Trouble { code, .. }| {
        let ids: BTreeSet<&str> =
            files.iter().flat_map(|file| &file.vectors).map(|vector| vector.id.as_str()).collect();
        let near = did_you_mean(id, ids);
        let listed = "`crosshook conformance list` lists them".to_owned();
        Trouble { message: format!("there is no vector `{id}`{}", asked(&filter)), help: near.or(Some(listed)), code }
    })?;
    let shown: Vec<Value> =
        chosen.iter().map(|(file, vector)| json!({ "file": file.label(), "vector": vector })).collect();
    out.json(&shown);
    Ok(exit::OK)
}
