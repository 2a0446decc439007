//! The pages of the diagnostics: each has the one layout, and its examples do what it says.
//!
//! `PAGES=cursor/ cargo test -p crosshook --test it pages` looks at the pages only whose ids contain that text.
//!
//! A page has the sections `Why`, `Fails` and `Fixed`. The last two hold the files of a project as fences: after the
//! language stands the file's path, and an `x` where the file is executable. A path below `home/` lies in the home folder,
//! one below `system/` in a machine's root. The language `json-escaped` says that the fence holds the file's text as a
//! string of JSON, `link` that the file is a link to what it holds. A fence of the language `console` holds the command
//! line, if it is not plain `crosshook check`; that of `Fails` holds for `Fixed` too, unless it has its own. What only
//! reading a project again can tell has a section `Before`: what was read first.
#![allow(clippy::print_stderr, reason = "a check that is left out says so")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crosshook::activate::{Admission, AdmitAll, AdmitOwn};
use crosshook::check::all_codes;
use crosshook::check::pages::PAGES;
use crosshook::runtime::discover::this_platform;
use crosshook::runtime::{ForeignFiles, Places, Reloader, discover_all};
use crosshook::{Code, Diagnostic, HostProfile, HostSide, VendorSources, activate};
use serde_json::Value;

use crate::support::{Ran, command};

/// The folder of the pages.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics")
}

/// Whether a page is among those that were asked for.
fn is_asked(id: &str) -> bool {
    std::env::var("PAGES").map_or(true, |wanted| id.contains(&wanted))
}

/// Every code that has a page.
fn codes() -> BTreeMap<&'static str, &'static Code> {
    let own = all_codes().into_iter().chain(crosshook::runtime::reload::CODES.iter().copied());
    own.map(|code| (code.id, code)).collect()
}

/// Every page that was asked for, by id.
fn pages() -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    for area in std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        for file in std::fs::read_dir(&area).unwrap().map(|entry| entry.unwrap().path()) {
            let word = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
            let id = format!("{}/{}", word(&area), word(&file));
            if is_asked(&id) {
                let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
                pages.insert(id, text.replace("\r\n", "\n"));
            }
        }
    }
    pages
}

fn failing_example(id: &str, text: &str) -> Example {
    Page::read(id, text).unwrap_or_else(|wrong| panic!("{id}: {wrong}")).fails
}

/// The projects that fail of every page, written to folders.
pub(crate) fn failing_projects() -> Vec<(String, tempfile::TempDir)> {
    let write = |(id, text): (String, String)| {
        let base = tempfile::tempdir().unwrap();
        failing_example(&id, &text).write(base.path());
        (id, base)
    };
    pages().into_iter().map(write).collect()
}

/// A page, taken apart.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    why: &'a str,
    pub(crate) before: Option<Example>,
    pub(crate) fails: Example,
    fixed: Example,
}

/// The files of a project, and how it is checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Example {
    files: Vec<File>,
    console: Option<String>,
}

/// A file of an example.
#[derive(Clone, Debug)]
struct File {
    path: String,
    text: String,
    is_executable: bool,
    is_link: bool,
}

impl File {
    /// Its text with the folders of the example in place of `/home/alex/demo`, the project, and `/home/alex`, the home
    /// folder: what names a file by its whole path cannot be written otherwise.
    fn text_in(&self, base: &Path) -> String {
        let folder = |area: &str| base.join(area).display().to_string();
        self.text.replace("/home/alex/demo", &folder("project")).replace("/home/alex", &folder("home"))
    }
}

impl<'a> Page<'a> {
    /// Takes a page apart; what is wrong with its layout is said.
    fn read(id: &str, text: &'a str) -> Result<Self, String> {
        let rest = text
            .strip_prefix(&format!("# {id}\n\n"))
            .ok_or_else(|| format!("it starts with `# {id}`, and a blank line"))?;
        let rest = rest.strip_prefix("<!-- gen:code -->").ok_or("`<!-- gen:code -->` follows the heading")?;
        let (_, rest) = rest
            .split_once("<!-- /gen -->\n\n")
            .ok_or("`<!-- /gen -->` and a blank line follow `<!-- gen:code -->`")?;
        let mut sections: Vec<(&str, &str)> = Vec::new();
        let mut rest = rest.strip_prefix("## ").ok_or("the first section follows the generated part")?;
        loop {
            let (name, body) = rest.split_once('\n').ok_or("a section has a text")?;
            match body.split_once("\n## ") {
                Some((body, after)) => {
                    sections.push((name, body));
                    rest = after;
                }
                None => {
                    sections.push((name, body));
                    break;
                }
            }
        }
        let names: Vec<&str> = sections.iter().map(|(name, _)| *name).collect();
        let (why, before, fails, fixed) = match sections.as_slice() {
            [("Why", why), ("Fails", fails), ("Fixed", fixed)] => (why, None, fails, fixed),
            [("Why", why), ("Before", before), ("Fails", fails), ("Fixed", fixed)] => (why, Some(before), fails, fixed),
            _ => return Err(format!("its sections are Why, Fails and Fixed, in this order; there are {names:?}")),
        };
        if !text.ends_with('\n') || text.ends_with("\n\n") || text.contains("\n\n\n") || text.contains('\t') {
            return Err(
                "there is one line end at its end, no two blank lines follow each other, and there are no tabs"
                    .to_owned(),
            );
        }
        let why = why.trim();
        if why.is_empty() {
            return Err("`Why` says why".to_owned());
        }
        let example = |name: &str, body: &str| Example::read(body).map_err(|wrong| format!("`{name}`: {wrong}"));
        let before = before.map(|body| example("Before", body)).transpose()?;
        let fails = example("Fails", fails)?;
        let mut fixed = example("Fixed", fixed)?;
        fixed.console = fixed.console.or_else(|| fails.console.clone());
        Ok(Self { why, before, fails, fixed })
    }
}

impl Example {
    /// Reads the fences of a section. Sentences between them are for readers.
    fn read(body: &str) -> Result<Self, String> {
        let mut example = Self::default();
        let mut lines = body.lines();
        while let Some(line) = lines.next() {
            let Some(info) = line.strip_prefix("```") else {
                if line.contains("```") {
                    return Err(format!("a fence stands at the start of its line: `{line}`"));
                }
                continue;
            };
            let mut text = String::new();
            loop {
                match lines.next() {
                    Some("```") => break,
                    Some(line) => text = text + line + "\n",
                    None => return Err("a fence has no end".to_owned()),
                }
            }
            let words: Vec<&str> = info.split(' ').collect();
            let (language, path, is_executable) = match words.as_slice() {
                ["console"] => {
                    let command = text.trim().strip_prefix("$ ").ok_or("a command line starts with `$ `")?;
                    if command.contains('\n') || example.console.replace(command.to_owned()).is_some() {
                        return Err("there is one command line".to_owned());
                    }
                    continue;
                }
                [language, path] => (*language, *path, false),
                [language, path, "x"] => (*language, *path, true),
                _ => {
                    return Err(format!(
                        "a fence says `language path`, with an `x` after it where the file is executable; this one says `{info}`"
                    ));
                }
            };
            if language.is_empty()
                || path.starts_with('/')
                || path.contains('\\')
                || path.split('/').any(|part| part == "..")
            {
                return Err(format!("`{info}`: a path is one below the example's project, with `/`"));
            }
            let text = match language {
                "json-escaped" => {
                    serde_json::from_str(&text).map_err(|error| format!("{path} is no string of JSON: {error}"))?
                }
                "link" => text.trim().to_owned(),
                _ => text,
            };
            if example.files.iter().any(|file| file.path == path) {
                return Err(format!("{path} is there twice"));
            }
            example.files.push(File { path: path.to_owned(), text, is_executable, is_link: language == "link" });
        }
        if example.files.is_empty() {
            return Err("it has no file".to_owned());
        }
        Ok(example)
    }

    /// Writes the files below a folder: the project, the home folder and the machine's root.
    pub(crate) fn write(&self, base: &Path) {
        for folder in ["project", "home", "system"] {
            std::fs::create_dir_all(base.join(folder)).unwrap();
        }
        for file in &self.files {
            let path = match file.path.split_once('/') {
                Some((area @ ("home" | "system"), path)) => base.join(area).join(path),
                _ => base.join("project").join(&file.path),
            };
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let _ = std::fs::remove_file(&path);
            if file.is_link {
                #[cfg(unix)]
                std::os::unix::fs::symlink(&file.text, &path).unwrap();
                continue;
            }
            std::fs::write(&path, file.text_in(base)).unwrap();
            #[cfg(unix)]
            if file.is_executable {
                use std::os::unix::fs::PermissionsExt as _;
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
    }

    fn has(&self, area: &str) -> bool {
        self.files.iter().any(|file| file.path.starts_with(area))
    }

    /// Runs the command line of the example in a folder where its files were written, with more arguments.
    pub(crate) fn run(&self, base: &Path, more: &[&str]) -> Result<Ran, String> {
        let line = self.console.as_deref().unwrap_or("crosshook check");
        let mut words = split(line);
        let mut stdin = None;
        if let Some(at) = words.iter().position(|word| word == "<") {
            let [_, file] = words.split_off(at).try_into().map_err(|_| format!("`{line}`: one file follows `<`"))?;
            stdin = Some(
                std::fs::File::open(base.join("project").join(&file)).map_err(|error| format!("{file}: {error}"))?,
            );
        }
        let [program, subcommand, rest @ ..] = words.as_slice() else {
            return Err(format!("`{line}` is no command line"));
        };
        if program != "crosshook" || subcommand != "check" {
            return Err(format!("`{line}`: a command line starts with `crosshook check`"));
        }
        let mut args = vec![subcommand.clone()];
        for (area, option) in [("home/", "--home"), ("system/", "--system")] {
            if self.has(area) || rest.iter().any(|word| word == option) {
                args.push(format!("{option}={}", base.join(area).display()));
            }
        }
        args.extend(rest.iter().filter(|word| !["--home", "--system"].contains(&word.as_str())).cloned());
        args.extend(more.iter().map(|word| (*word).to_owned()));
        let mut command = command(&base.join("project"), &base.join("home"));
        command.args(args);
        if let Some(stdin) = stdin {
            command.stdin(stdin);
        }
        let ran = Ran::of(command.output().unwrap());
        if !matches!(ran.code, 0 | 1) {
            return Err(format!("`{line}` ended with {}: {}", ran.code, ran.stderr));
        }
        Ok(ran)
    }

    /// What the example comes to: each finding as its code, severity and message.
    fn found(&self, id: &str, before: Option<&Self>) -> Result<Vec<(String, String, String)>, String> {
        let base = tempfile::tempdir().unwrap();
        let base = std::fs::canonicalize(base.path()).unwrap();
        if let Some(told) = by_library(id, self, before, &base) {
            let word = |told: Diagnostic| (told.code.id.to_owned(), told.severity.as_str().to_owned(), told.message);
            return Ok(told.into_iter().map(word).collect());
        }
        self.write(&base);
        let ran = self.run(&base, &["--format", "json"])?;
        let document = ran.json();
        let word = |told: &Value, key: &str| told[key].as_str().unwrap_or_default().to_owned();
        let told = document["diagnostics"].as_array().unwrap();
        Ok(told.iter().map(|told| (word(told, "code"), word(told, "severity"), word(told, "message"))).collect())
    }
}

/// Files: each one's path, its text, and whether it is executable.
pub(crate) type Files = Vec<(String, String, bool)>;

/// The files of the failing example of each page whose id starts with one of these words, where plain `crosshook check`
/// shows it, with the page's id.
pub(crate) fn failing(areas: &[&str]) -> Vec<(String, Files)> {
    let asked = pages().into_iter().filter(|(id, _)| areas.iter().any(|area| id.starts_with(area)));
    let read = asked.filter_map(|(id, text)| {
        let fails = failing_example(&id, &text);
        let files = fails.files.into_iter().filter(|file| !file.is_link);
        let files = files.map(|file| (file.path, file.text, file.is_executable)).collect();
        fails.console.is_none().then_some((id, files))
    });
    read.collect()
}

/// Runs what no command does, where a code is given by the libraries alone: what a host is told.
pub(crate) fn by_library(
    id: &str,
    example: &Example,
    before: Option<&Example>,
    base: &Path,
) -> Option<Vec<Diagnostic>> {
    let project = base.join("project");
    let variable = |_: &str| None;
    let places = Places {
        project: project.clone(),
        cwd: project,
        home: example.has("home/").then(|| base.join("home")),
        platform: this_platform(),
        system: example.has("system/").then(|| base.join("system")),
        variable: &variable,
    };
    let adapters = crosshook::adapters();
    // Read and activated, which may be for another client than the documents were read for.
    let activated = |readers: &[Arc<dyn HostSide>], client: Option<Arc<dyn HostSide>>, admission: &dyn Admission| {
        example.write(base);
        let found = discover_all(readers, &places, ForeignFiles::Once);
        let vendors = readers.iter().zip(found).map(|(reader, found)| VendorSources {
            adapter: client.as_ref().unwrap_or(reader).clone(),
            documents: found.sources.into_iter().map(|source| reader.parse(&Arc::new(source))).collect(),
        });
        Some(activate(vendors.collect(), &HostProfile::full(), admission).unwrap().diagnostics().to_vec())
    };
    let named = |vendor: &str, client: Option<&str>, face: Option<&str>| {
        crosshook::adapter_for(vendor, client, face).expect("a vendor, a client and a face that there are")
    };
    match (id, before) {
        // What was read first, and read again when it is what the example says.
        (_, Some(before)) => {
            before.write(base);
            let host = HostProfile::full();
            let mut reloader = Reloader::start(adapters, ForeignFiles::Once, &places, host, &AdmitAll).unwrap();
            example.write(base);
            Some(reloader.reload(&places, &AdmitAll).diagnostics)
        }
        ("core/not-trusted", _) => activated(&adapters, None, &AdmitOwn),
        ("core/unknown-event", _) => {
            activated(&[named("claude", None, None)], Some(named("claude", Some("2.1.200"), None)), &AdmitAll)
        }
        // Told by hosts of the first design alone.
        (
            "cursor/loop-limit-capped" | "cursor/never-fires" | "cursor/no-boundary" | "cursor/prompt-handler-skipped",
            _,
        ) => activated(&[named("cursor", None, Some("phase1"))], None, &AdmitAll),
        // A person asks why a file is not read.
        ("runtime/not-there", _) => {
            example.write(base);
            let found = discover_all(&[named("codex", None, None)], &places, ForeignFiles::Once);
            Some(found.iter().flat_map(|found| found.absences()).collect())
        }
        _ => None,
    }
}

/// The words of a command line; quotes keep blanks in a word.
fn split(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(mark), c) if mark == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Does something for every page that was asked for, on all processors, and says what went wrong.
pub(crate) fn each(of: impl Fn(&str, &Page<'_>) -> Result<(), String> + Sync) {
    let pages = pages();
    let queue = Mutex::new(pages.iter());
    let faults = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some((id, text)) = queue.lock().unwrap().next() else { break };
                    let done =
                        Page::read(id, text).map_err(|wrong| format!("layout: {wrong}")).and_then(|page| of(id, &page));
                    if let Err(wrong) = done {
                        faults.lock().unwrap().push(format!("docs/diagnostics/{id}.md: {wrong}"));
                    }
                }
            });
        }
    });
    let mut faults = faults.into_inner().unwrap();
    faults.sort();
    assert!(faults.is_empty(), "{} of {} pages are wrong:\n\n{}\n", faults.len(), pages.len(), faults.join("\n\n"));
}

fn told(found: &[(String, String, String)]) -> String {
    if found.is_empty() {
        return "nothing is found".to_owned();
    }
    found.iter().map(|(code, severity, message)| format!("\n    {severity}[{code}]: {message}")).collect()
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let codes: BTreeSet<&str> = codes().into_keys().filter(|id| is_asked(id)).collect();
    let pages = pages();
    let pages: BTreeSet<&str> = pages.keys().map(String::as_str).collect();
    let missing: Vec<_> = codes.difference(&pages).collect();
    let extra: Vec<_> = pages.difference(&codes).collect();
    assert!(missing.is_empty() && extra.is_empty(), "without a page: {missing:#?}\nwithout a code: {extra:#?}");
    assert!(!pages.is_empty(), "no page is asked for");
}

#[test]
fn the_command_has_every_page_with_it() {
    if std::env::var_os("PAGES").is_some() {
        eprintln!("SKIPPED: some pages only are asked for");
        return;
    }
    let pages = pages();
    let embedded: BTreeMap<String, String> =
        PAGES.iter().map(|(id, page)| ((*id).to_owned(), page.replace("\r\n", "\n"))).collect();
    let there: Vec<_> = pages.keys().collect();
    assert_eq!(embedded.keys().collect::<Vec<_>>(), there, "run `cargo xtask gen`");
    assert_eq!(embedded, pages);
    assert!(PAGES.is_sorted_by_key(|(id, _)| *id));
}

#[test]
fn every_page_has_the_one_layout_and_its_links_lead_somewhere() {
    each(|id, page| {
        let area = folder().join(id).parent().unwrap().to_owned();
        let mut rest = page.why;
        while let Some((_, from)) = rest.split_once("](") {
            let (target, after) = from.split_once(')').ok_or("a link has no end")?;
            let file = target.split('#').next().unwrap_or_default();
            if !file.is_empty() && !file.contains("://") && !area.join(file).exists() {
                return Err(format!("the link to {target} leads nowhere"));
            }
            rest = after;
        }
        if page.why.contains("\n#") || page.why.contains("```") {
            return Err("`Why` is prose".to_owned());
        }
        Ok(())
    });
}

#[test]
fn what_fails_is_found_and_what_is_fixed_is_well() {
    each(|id, page| {
        if cfg!(windows) && page.fails.files.iter().any(|file| file.is_link || file.is_executable) {
            eprintln!("SKIPPED: {id}: links and executable bits are not tried on this platform");
            return Ok(());
        }
        let before = page.before.as_ref();
        let fails = page.fails.found(id, before).map_err(|wrong| format!("`Fails`: {wrong}"))?;
        if !fails.iter().any(|(code, ..)| code == id) {
            return Err(format!("`Fails`: {id} is not found; {}", told(&fails)));
        }
        let fixed = page.fixed.found(id, before).map_err(|wrong| format!("`Fixed`: {wrong}"))?;
        if fixed.iter().any(|(code, severity, _)| code == id || severity == "error") {
            return Err(format!("`Fixed`: {id} or an error is found: {}", told(&fixed)));
        }
        Ok(())
    });
}
