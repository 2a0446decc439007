//! What may run: a store of what a person has trusted, as a file of the host's.
//!
//! A record covers one definition: a fingerprint of its vendor, its document's path, its event, handler, matcher and
//! condition, and where it was asked for also of the files below the project that its command names. What is not
//! recorded, what changed since, and what turned up in another document does not run. A [`TrustStore`] is an
//! [`Admission`], so that activation keeps to it, and a [`Gate`], so that a script that is edited after activation does
//! not run either.
//!
//! The vendor's own records of trust come first where they admit a definition or switch it off; where they do not know
//! it, or know another form of it, a person's record here counts.

mod script;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hooks_core::activate::{Admission, AdmitRecorded, Admitted};
use hooks_core::definition::{Binding, Definition, Place};
use hooks_core::handler::{Background, Handler, Shell};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::discover::{ReadError, read_file};
use crate::gate::Gate;
use crate::state_file::{self as file, Lock};
use crate::trace;
pub use script::ScriptPlaces;

/// The version of the file that this writes, and the only one it reads.
pub const VERSION: u32 = 1;

/// How long a change waits for another process that changes the same file.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// A definition's text is kept for showing what changed, up to so many bytes.
const TEXT_LIMIT: usize = 16 << 10;

/// Why the store cannot be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It cannot be read.
    #[error("the trust store {path} cannot be read: {why}")]
    Read {
        /// Where it is.
        path: PathBuf,
        /// Why.
        why: ReadError,
    },
    /// It is no trust store, or one of another version. It is left as it is, and nothing is trusted.
    #[error("{path} is no trust store that can be read here: {why}")]
    Form {
        /// Where it is.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Others may write to it, and so could say what this person trusts.
    #[error(
        "the trust store {path} may be written by anybody: take that right away from others, and look at what it holds"
    )]
    Open {
        /// Where it is.
        path: PathBuf,
    },
    /// Somebody else is changing it.
    #[error("the trust store {path} is being changed by another process")]
    Locked {
        /// Where it is.
        path: PathBuf,
    },
    /// It cannot be written.
    #[error("the trust store {path} cannot be written: {why}")]
    Write {
        /// Where it is.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// A script that trust shall cover cannot be read.
    #[error("a script cannot be covered: {0}")]
    Script(String),
}

/// What a person trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Record {
    /// Whose format it is.
    pub vendor: String,
    /// The document it stood in.
    pub source: String,
    /// The event, in the vendor's spelling.
    pub event: String,
    /// Its group in the document.
    pub group: u32,
    /// Its place in the group.
    pub index: u32,
    /// The fingerprint of all of it, its document's path too.
    pub hash: String,
    /// The fingerprint of what it does, wherever it stands.
    pub content: String,
    /// What was fingerprinted, without the path; absent where it is very long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The files that its command names, with their fingerprints; `None` where trust does not cover them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scripts: Option<BTreeMap<String, String>>,
    /// When, in seconds since 1970.
    pub added: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    records: Vec<Record>,
}

#[derive(Deserialize)]
struct VersionOnly {
    version: u32,
}

/// How a definition stands with a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// Nobody trusted anything of its document.
    Unknown,
    /// It was trusted as it is.
    Trusted,
    /// Another form of it was trusted: what stands in its place changed.
    Changed {
        /// What was trusted, as [`content_text`] gives it; `None` where that is not kept.
        was: Option<String>,
    },
    /// It was trusted as it is, but not what a file that it names holds now.
    ScriptChanged {
        /// The file.
        path: String,
    },
    /// The same was trusted in another document: a project was moved or copied.
    Moved {
        /// That document.
        from: String,
    },
    /// It was added to a document of which others were trusted.
    New,
}

impl Standing {
    /// The word for it.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Trusted => "trusted",
            Self::Changed { .. } => "changed",
            Self::ScriptChanged { .. } => "script changed",
            Self::Moved { .. } => "moved",
            Self::New => "new",
        }
    }

    /// What activation makes of it.
    #[must_use]
    pub const fn admitted(&self) -> Admitted {
        match self {
            Self::Trusted => Admitted::Yes,
            Self::Changed { .. } | Self::ScriptChanged { .. } => Admitted::Modified,
            Self::Unknown | Self::Moved { .. } | Self::New => Admitted::Untrusted,
        }
    }
}

/// What a person has trusted, as it stood in the file when it was opened or last changed.
#[derive(Clone, Debug)]
pub struct TrustStore {
    path: PathBuf,
    patience: Duration,
    records: Vec<Record>,
    by_hash: HashMap<String, usize>,
}

impl TrustStore {
    /// Reads a store. One that does not exist is empty; adding to it makes it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Read`], [`StoreError::Open`] and [`StoreError::Form`]; a host then has nothing trusted.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let path = path.into();
        let records = read(&path)?;
        let mut store = Self { path, patience: PATIENCE, records: Vec::new(), by_hash: HashMap::new() };
        store.take(records);
        Ok(store)
    }

    /// The same store with another time that a change waits for a process that changes the file too.
    #[must_use]
    pub const fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was trusted, in the order it was.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// How one definition stands. [`TrustStore::survey`] tells a change from an addition better.
    #[must_use]
    pub fn standing(&self, definition: &Definition) -> Standing {
        self.standing_beside(definition, &HashSet::new())
    }

    /// How definitions stand, in their order. They should be all of their documents: what was trusted and still stands
    /// elsewhere in its document is no earlier form of what stands in its old place.
    #[must_use]
    pub fn survey<'d>(&self, definitions: impl IntoIterator<Item = &'d Definition>) -> Vec<Standing> {
        let definitions: Vec<&Definition> = definitions.into_iter().collect();
        let present: HashSet<String> = definitions.iter().map(|definition| fingerprint(definition)).collect();
        definitions.into_iter().map(|definition| self.standing_beside(definition, &present)).collect()
    }

    /// What was trusted in documents below a folder and stands in them no more, neither as it was nor changed. The
    /// definitions are all of those documents, the folder is one with its links followed.
    #[must_use]
    pub fn gone<'d>(&self, definitions: impl IntoIterator<Item = &'d Definition>, below: &Path) -> Vec<&Record> {
        let definitions: Vec<&Definition> = definitions.into_iter().collect();
        let present: HashSet<String> = definitions.iter().map(|definition| fingerprint(definition)).collect();
        // Trusted entries that took the place are no later form of it.
        let changed: Vec<(String, &Place)> = definitions
            .iter()
            .filter(|definition| matches!(self.standing_beside(definition, &present), Standing::Changed { .. }))
            .map(|definition| (source_path(definition), &definition.place))
            .collect();
        let is_gone = |record: &&Record| {
            let is_changed = changed.iter().any(|(source, place)| *source == record.source && is_at(record, place));
            Path::new(&record.source).starts_with(below) && !present.contains(&record.hash) && !is_changed
        };
        self.records.iter().filter(is_gone).collect()
    }

    fn standing_beside(&self, definition: &Definition, present: &HashSet<String>) -> Standing {
        let source = source_path(definition);
        let content = content_text(definition);
        if let Some(record) = self.record_of(&source, &content) {
            return match changed_script(record) {
                None => Standing::Trusted,
                Some(path) => Standing::ScriptChanged { path },
            };
        }
        let vendor = definition.vendor.as_str();
        let mut same_source =
            self.records.iter().filter(|record| record.vendor == vendor && record.source == source).peekable();
        let is_known = same_source.peek().is_some();
        let was = same_source.find(|record| is_at(record, &definition.place) && !present.contains(&record.hash));
        if let Some(was) = was {
            return Standing::Changed { was: was.text.clone() };
        }
        let content = script::hash(content.as_bytes());
        // Which copy it was made from is not known; the latest one that was trusted is named.
        if let Some(other) = self.records.iter().rev().find(|record| record.content == content) {
            return Standing::Moved { from: other.source.clone() };
        }
        if is_known { Standing::New } else { Standing::Unknown }
    }

    fn record_of(&self, source: &str, content: &str) -> Option<&Record> {
        self.by_hash.get(&hash_of(source, content)).and_then(|at| self.records.get(*at))
    }

    /// Records definitions as trusted, as they are now. With `scripts`, trust covers the files that their commands name
    /// too. An earlier form in the same place is forgotten.
    ///
    /// # Errors
    ///
    /// Any [`StoreError`]; the file is then as it was.
    pub fn add<'d>(
        &mut self,
        definitions: impl IntoIterator<Item = &'d Definition>,
        scripts: Option<&ScriptPlaces>,
    ) -> Result<(), StoreError> {
        let definitions: Vec<&Definition> = definitions.into_iter().collect();
        let present: HashSet<String> = definitions.iter().map(|definition| fingerprint(definition)).collect();
        let added = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let mut new = Vec::new();
        for definition in definitions {
            let covered = scripts.map(|places| script::hashes(places, definition)).transpose();
            let (source, text) = (source_path(definition), content_text(definition));
            new.push(Record {
                vendor: definition.vendor.as_str().to_owned(),
                event: definition.place.event.clone(),
                group: definition.place.group,
                index: definition.place.index,
                hash: hash_of(&source, &text),
                content: script::hash(text.as_bytes()),
                source,
                text: (text.len() <= TEXT_LIMIT).then_some(text),
                scripts: covered.map_err(StoreError::Script)?,
                added,
            });
        }
        self.change(|records| {
            for record in new {
                records.retain(|old| {
                    let replaced = old.vendor == record.vendor
                        && old.source == record.source
                        && old.event == record.event
                        && (old.group, old.index) == (record.group, record.index)
                        && !present.contains(&old.hash);
                    old.hash != record.hash && !replaced
                });
                records.push(record);
            }
        })
    }

    /// Forgets what was trusted and fits, and says what that was.
    ///
    /// # Errors
    ///
    /// Any [`StoreError`]; the file is then as it was.
    pub fn remove(&mut self, fits: impl Fn(&Record) -> bool) -> Result<Vec<Record>, StoreError> {
        let mut removed = Vec::new();
        self.change(|records| {
            let (gone, kept) = std::mem::take(records).into_iter().partition(|record| fits(record));
            removed = gone;
            *records = kept;
        })?;
        Ok(removed)
    }

    /// Changes the file as it stands now, not as it was when it was opened.
    fn change(&mut self, change: impl FnOnce(&mut Vec<Record>)) -> Result<(), StoreError> {
        let failed = |why| StoreError::Write { path: self.path.clone(), why };
        file::make_folder(&self.path).map_err(failed)?;
        // A link stays a link, and whoever comes by another one waits for the same lock.
        let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let lock = Lock::take(&path, self.patience).map_err(failed)?;
        let Some(_lock) = lock else { return Err(StoreError::Locked { path: self.path.clone() }) };
        let mut records = read(&self.path)?;
        let before = records.clone();
        change(&mut records);
        if records != before {
            let document = Document { version: VERSION, records };
            let mut bytes = serde_json::to_vec_pretty(&document).map_err(|why| failed(why.into()))?;
            bytes.push(b'\n');
            file::replace(&path, &bytes).map_err(failed)?;
            records = document.records;
            trace::trust_changed(&self.path, before.len(), records.len());
        }
        self.take(records);
        Ok(())
    }

    fn take(&mut self, records: Vec<Record>) {
        self.by_hash = records.iter().enumerate().map(|(at, record)| (record.hash.clone(), at)).collect();
        self.records = records;
    }
}

impl Admission for TrustStore {
    fn admit(&self, definition: &Definition, records: Option<Admitted>) -> Admitted {
        match AdmitRecorded.admit(definition, records) {
            word @ (Admitted::Untrusted | Admitted::Modified) => match self.standing(definition).admitted() {
                Admitted::Yes => Admitted::Yes,
                Admitted::Modified => Admitted::Modified,
                _ => word,
            },
            word => word,
        }
    }
}

impl Gate for TrustStore {
    fn may_run(&self, binding: &Binding) -> Result<(), String> {
        let record = self.record_of(&source_path(binding), &content_text(binding));
        match record.and_then(changed_script) {
            None => Ok(()),
            Some(path) => Err(format!("{path} is not what it was when the hook was trusted")),
        }
    }
}

fn read(path: &Path) -> Result<Vec<Record>, StoreError> {
    let bytes = match read_file(path) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) => return Ok(Vec::new()),
        Err(why) => return Err(StoreError::Read { path: path.to_owned(), why }),
    };
    if file::anybody_may_write(path) {
        return Err(StoreError::Open { path: path.to_owned() });
    }
    let wrong = |why: String| StoreError::Form { path: path.to_owned(), why };
    let VersionOnly { version } = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    if version != VERSION {
        return Err(wrong(format!("its version is {version}, and {VERSION} is the one that is known")));
    }
    let document: Document = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    Ok(document.records)
}

fn is_at(record: &Record, place: &Place) -> bool {
    record.event == place.event && record.group == place.group && record.index == place.index
}

/// The first file that a record covers and that holds something else now.
fn changed_script(record: &Record) -> Option<String> {
    let scripts = record.scripts.iter().flatten();
    let mut changed = scripts.filter(|(path, hash)| script::hash_file(Path::new(path)).as_ref() != Ok(*hash));
    changed.next().map(|(path, _)| path.clone())
}

/// The path of a definition's document, with links followed where there is a file.
fn source_path(definition: &Definition) -> String {
    let path = &definition.source.path;
    Path::new(path).canonicalize().map_or_else(|_| path.clone(), |path| path.to_string_lossy().into_owned())
}

fn fingerprint(definition: &Definition) -> String {
    hash_of(&source_path(definition), &content_text(definition))
}

fn hash_of(source: &str, content: &str) -> String {
    script::hash(json!([source, content]).to_string().as_bytes())
}

/// What a fingerprint is made of, but for the document's path: JSON with sorted names. A person can compare two of them.
#[must_use]
pub fn content_text(definition: &Definition) -> String {
    json!({
        "form": VERSION,
        "vendor": definition.vendor.as_str(),
        "event": definition.place.event,
        "handler": handler(&definition.handler),
        "matcher": definition.matcher_text,
        "condition": definition.condition,
    })
    .to_string()
}

fn handler(handler: &Handler) -> Value {
    let mut value = match handler {
        Handler::Command(command) => json!({
            "command": command.command,
            "windows": command.windows,
            "args": command.args,
            "shell": match command.shell {
                Shell::Default => "default",
                Shell::Bash => "bash",
                Shell::PowerShell => "powershell",
                _ => "other",
            },
            "background": match command.background {
                Background::No => "no",
                Background::Async => "async",
                Background::AsyncRewake => "async-rewake",
                _ => "other",
            },
        }),
        Handler::Http(http) => json!({ "url": http.url, "headers": http.headers, "allowed_env": http.allowed_env }),
        Handler::McpTool(tool) => json!({ "server": tool.server, "tool": tool.tool, "input": tool.input.get() }),
        Handler::Prompt(prompt) | Handler::Agent(prompt) => json!({
            "prompt": prompt.prompt,
            "model": prompt.model,
            "continue_on_block": prompt.continue_on_block,
        }),
        other => json!({ "other": format!("{other:?}") }),
    };
    if let Some(members) = value.as_object_mut() {
        members.insert("type".to_owned(), handler.kind().as_str().into());
    }
    value
}
