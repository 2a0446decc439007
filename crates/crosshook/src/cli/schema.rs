//! `crosshook schema`: the JSON Schemas, on standard output.

use std::ffi::OsStr;
use std::fmt::Write as _;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use hooks_core::facts::EventFacts;
use hooks_core::schema::{self, CatalogEntry, Contract, DRAFT_07, Document, Schemas, draft_07, render, set};
use serde_json::{Value, json};

use super::args::SchemaArgs;
use super::exit::{self, Done, Trouble};
use super::near::did_you_mean;
use super::out::{DIM, HEAD, NAME, Out, columns, pad, paint, wrap};

/// A format of our own.
struct Own {
    /// What is written in a vendor's place.
    word: &'static str,
    title: &'static str,
    /// What lies in the folder of schemas.
    path: &'static str,
    schema: fn() -> schema::Schema,
}

static OWN: [Own; 2] = [
    Own {
        word: "vectors",
        title: "Crosshook conformance vectors",
        path: VECTORS,
        // It is an object, which every schema is.
        schema: || schema::Schema::try_from(hooks_conformance::schema::vectors()).unwrap_or_default(),
    },
    Own {
        word: "check",
        title: "What `crosshook check --format json` prints",
        path: "check.schema.json",
        schema: super::report::json_schema,
    },
];

const VECTORS: &str = "vectors.schema.json";

/// Reads whose format is wanted. The names are for completion and help alone: [`run`] says more of one that is not there than
/// a list of names could.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whose;

impl TypedValueParser for Whose {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(crosshook::VENDORS.iter().copied().chain(OWN.iter().map(|own| own.word)).map(PossibleValue::new)))
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &SchemaArgs, out: &mut Out) -> Done {
    if args.catalog {
        out.print(&catalog(args.base.as_deref()));
        return Ok(exit::OK);
    }
    let all = crosshook::schemas();
    let Some(name) = args.vendor.as_deref() else {
        if let Some(flag) = wanted(args).or(args.draft_07.then_some("--draft-07")) {
            return Err(Trouble::usage(format!("`{flag}` needs to know whose")).help(format!(
                "name a vendor before it, as in `crosshook schema {} {flag}`",
                all.first().map_or("VENDOR", |schemas| schemas.vendor.as_str())
            )));
        }
        return list(&all, None, true, args, out);
    };
    if let Some(own) = OWN.iter().find(|own| own.word == name) {
        return of_own(own, args, out);
    }
    let Some(schemas) = all.iter().copied().find(|schemas| schemas.vendor.as_str() == name) else {
        return Err(unknown_vendor(name, &all));
    };
    let facts = args.event.as_deref().map(|event| event_of(schemas, event, &all)).transpose()?;
    if wanted(args).is_none() && !args.draft_07 {
        return list(&[schemas], facts, false, args, out);
    }
    if args.json {
        return Err(Trouble::usage("`--json` is for the list").help("a schema is JSON anyway: leave it away"));
    }
    let Document { schema, .. } = document(schemas, facts, args)?;
    out.print(&render(&if args.draft_07 { in_draft_07(schema) } else { schema }));
    Ok(exit::OK)
}

/// The option that says which schema is wanted, if one does.
fn wanted(args: &SchemaArgs) -> Option<&'static str> {
    [
        (args.input, "--input"),
        (args.output, "--output"),
        (args.emitted, "--emitted"),
        (args.config.is_some(), "--config"),
    ]
    .into_iter()
    .find_map(|(given, flag)| given.then_some(flag))
}

/// The document that was asked for, in draft 2020-12.
fn document(
    schemas: &'static Schemas,
    facts: Option<&'static EventFacts>,
    args: &SchemaArgs,
) -> Result<Document, Trouble> {
    let vendor = schemas.vendor.as_str();
    if let Some(form) = &args.config {
        if let Some(facts) = facts {
            return Err(Trouble::usage("`--config` is not about an event").help(format!("leave `{}` away", facts.name)));
        }
        let names = || schemas.configs.iter().map(|config| config.name);
        let config = if form.is_empty() {
            schemas.configs.first()
        } else {
            schemas.configs.iter().find(|config| config.name == form)
        };
        let config = config.ok_or_else(|| {
            let known: Vec<_> = names().map(|name| format!("`{name}`")).collect();
            Trouble::usage(format!("{vendor} has no configuration `{form}`"))
                .help(did_you_mean(form, names()).unwrap_or_else(|| format!("there are {}", known.join(", "))))
        })?;
        return Ok(schemas.config(config));
    }
    let Some(facts) = facts else {
        return Err(Trouble::usage("the schemas of standard input and of answers are an event's")
            .help(format!("name the event, as in `crosshook schema {vendor} EVENT --input`, or say --config")));
    };
    match (args.input, args.emitted, args.output) {
        (true, ..) => Ok(schemas.input(facts)),
        (_, true, _) => Ok(schemas.emitted(facts)),
        (_, _, true) => Ok(schemas.output(facts)),
        _ => Err(Trouble::usage(format!("`{}` has several schemas", facts.name)).help("say --input or --output")),
    }
}

/// The same schema in draft 07, under a name of its own.
fn in_draft_07(schema: schema::Schema) -> schema::Schema {
    let id = schema.get("$id").and_then(Value::as_str).map(|id| format!("{id}.draft-07"));
    let mut schema = draft_07(schema);
    set(&mut schema, "$schema", DRAFT_07);
    if let Some(id) = id {
        set(&mut schema, "$id", id);
    }
    schema
}

fn unknown_vendor(name: &str, all: &[&Schemas]) -> Trouble {
    let known = || all.iter().map(|schemas| schemas.vendor.as_str()).chain(OWN.iter().map(|own| own.word));
    // Somebody may have left the vendor out.
    let owners = all.iter().filter(|schemas| schemas.facts.iter().any(|facts| facts.name == name));
    let owners: Vec<_> = owners.map(|schemas| format!("`{} {name}`", schemas.vendor)).collect();
    let help = match owners.as_slice() {
        [_, ..] => format!("`{name}` is an event: write {}", owners.join(" or ")),
        [] => did_you_mean(name, known()).unwrap_or_else(|| {
            format!("there are {}", known().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", "))
        }),
    };
    Trouble::usage(format!("there is no vendor `{name}`")).help(help)
}

fn event_of(schemas: &'static Schemas, name: &str, all: &[&'static Schemas]) -> Result<&'static EventFacts, Trouble> {
    let find = |schemas: &Schemas, name: &str| schemas.facts.iter().copied().find(|facts| facts.name == name);
    find(schemas, name).ok_or_else(|| {
        let vendor = schemas.vendor;
        let form = schemas.configs.iter().any(|config| config.name == name);
        let form = form.then(|| format!("it is a configuration: write `{vendor} --config {name}`"));
        let near = || did_you_mean(name, schemas.facts.iter().map(|facts| facts.name));
        let elsewhere = || {
            let other = all.iter().find(|other| find(other, name).is_some())?;
            Some(format!("it is one of {}", other.vendor))
        };
        let listed = || format!("`crosshook schema {vendor}` lists them");
        let help = form.or_else(near).or_else(elsewhere).unwrap_or_else(listed);
        Trouble::usage(format!("{vendor} has no event `{name}`")).help(help)
    })
}

/// The catalogue of what an editor can hold files to.
pub(crate) fn catalog(base: Option<&str>) -> String {
    let mut entries: Vec<CatalogEntry> = crosshook::schemas().iter().flat_map(|schemas| schemas.catalog()).collect();
    entries.push(vectors_entry());
    schema::catalog(&entries, base)
}

/// The conformance vectors as the catalogue has them.
fn vectors_entry() -> CatalogEntry {
    CatalogEntry {
        name: "Crosshook conformance vectors".to_owned(),
        description: "What an adapter must make of a hook's answer, a matcher or a configuration, as data.".to_owned(),
        // Lists of what was left out lie beside them.
        files: vec!["**/fixtures/vectors/*/*.json".to_owned(), "!**/fixtures/vectors/*/excluded.json".to_owned()],
        path: VECTORS.to_owned(),
        drafts: Vec::new(),
    }
}

/// Prints the schema of a format of our own.
fn of_own(own: &Own, args: &SchemaArgs, out: &mut Out) -> Done {
    let Own { word, schema, .. } = own;
    if let Some(flag) = args.event.is_some().then_some("EVENT").or_else(|| wanted(args)) {
        return Err(Trouble::usage(format!("`{word}` has one schema, without {flag}"))
            .help(format!("write `crosshook schema {word}` alone")));
    }
    if args.list || args.json {
        return list(&[], None, true, args, out);
    }
    out.print(&render(&if args.draft_07 { in_draft_07(schema()) } else { schema() }));
    Ok(exit::OK)
}

/// Lists what there is, of some vendors or of one event.
fn list(
    which: &[&'static Schemas],
    event: Option<&'static EventFacts>,
    with_own: bool,
    args: &SchemaArgs,
    out: &mut Out,
) -> Done {
    if args.json {
        out.json(&rows(which, event, with_own));
        return Ok(exit::OK);
    }
    let mut text = String::new();
    for schemas in which {
        match event {
            Some(facts) => of_event(&mut text, schemas, facts),
            None => of_vendor(&mut text, schemas, out.width()),
        }
    }
    if with_own {
        for Own { word, title, .. } in &OWN {
            let _ = writeln!(text, "{}  {title}", paint(HEAD, word));
            let _ = writeln!(text, "  {}", paint(DIM, &format!("crosshook schema {word}")));
            let _ = writeln!(text);
        }
        let _ = writeln!(text, "A catalogue of the configurations for editors: crosshook schema --catalog");
    }
    out.print(&text);
    Ok(exit::OK)
}

/// A vendor's forms of configuration and its events.
fn of_vendor(text: &mut String, schemas: &Schemas, width: usize) {
    let vendor = schemas.vendor.as_str();
    let _ = writeln!(text, "{}  {}", paint(HEAD, vendor), schemas.title);
    let _ = writeln!(text, "  {}", paint(DIM, &format!("crosshook schema {vendor} --config NAME")));
    let widest = schemas.configs.iter().map(|config| columns(config.name)).max().unwrap_or_default();
    for config in schemas.configs {
        let title = wrap(config.title, width, widest + 6);
        let _ = writeln!(text, "    {}  {title}", pad(NAME, config.name, widest));
        for pattern in config.files {
            let _ = writeln!(text, "        {}", paint(DIM, pattern));
        }
    }
    let _ =
        writeln!(text, "  {}", paint(DIM, &format!("crosshook schema {vendor} EVENT --input, --output or --emitted")));
    let events: Vec<_> = schemas.facts.iter().map(|facts| facts.name).collect();
    let _ = writeln!(text, "    {}", wrap(&events.join(", "), width, 4));
    let _ = writeln!(text);
}

/// An event's schemas.
fn of_event(text: &mut String, schemas: &Schemas, facts: &'static EventFacts) {
    let _ = writeln!(text, "{}", paint(HEAD, &format!("{} {}", schemas.vendor, facts.name)));
    for (flag, about) in [
        ("--input", "what a hook finds on standard input"),
        ("--output", "what the vendor accepts as an answer"),
        ("--emitted", "what crosshook writes as an answer"),
    ] {
        let command = format!("crosshook schema {} {} {flag}", schemas.vendor, facts.name);
        let _ = writeln!(text, "  {about}\n    {}", paint(NAME, &command));
    }
}

/// The list for a machine: every document with its path below the folder of schemas.
fn rows(which: &[&'static Schemas], event: Option<&'static EventFacts>, with_own: bool) -> Vec<Value> {
    let row = |vendor: Value, contract: &str, of: &str, path: &str, schema: &schema::Schema| {
        let text = |key: &str| schema.get(key).cloned().unwrap_or_default();
        json!({
            "vendor": vendor, "contract": contract, "of": of, "path": path, "id": text("$id"), "title": text("title"),
            "draft": if text("$schema") == DRAFT_07 { "draft-07" } else { "2020-12" },
        })
    };
    let mut rows = Vec::new();
    for schemas in which {
        for document in schemas.documents() {
            let contract = match document.contract {
                Contract::Config | Contract::ConfigDraft07 => "config",
                Contract::Input => "input",
                Contract::Output => "output",
                Contract::Emitted => "emitted",
                _ => continue,
            };
            if event.is_none_or(|event| event.name == document.of && contract != "config") {
                let vendor = json!(schemas.vendor.as_str());
                rows.push(row(vendor, contract, document.of, &document.path, &document.schema));
            }
        }
    }
    if with_own {
        for Own { word, path, schema, .. } in &OWN {
            rows.push(row(Value::Null, word, word, path, &schema()));
        }
    }
    rows
}
