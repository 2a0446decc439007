//! Reading files of vectors, with errors that name the file, the vector and the key.
#![allow(clippy::disallowed_methods, reason = "this module reads files: that is its job")]

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::fs;
use std::path::{Path, PathBuf};

use hooks_core::text::shorten;
use serde::de::DeserializeOwned;
use serde::ser::{Error as _, SerializeMap as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

use crate::format::{Basis, FORMAT, Kind, Settle, Vector, VectorFile};
use crate::strict::StrictMap;

/// Why vectors could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file or folder could not be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file is no file of vectors.
    #[error("{file}: {wrong}")]
    File {
        /// The file.
        file: String,
        /// What is wrong, and where.
        wrong: Wrong,
    },
    /// A vector is wrong.
    #[error("{file}: vector `{id}`: {wrong}")]
    Vector {
        /// The file.
        file: String,
        /// The vector's id, or its place in the file where it has none.
        id: String,
        /// What is wrong, and where in the file.
        wrong: Wrong,
    },
    /// There is no file of vectors at all, so that nothing would be checked.
    #[error("{}: there are no vectors in it", .0.display())]
    Nothing(PathBuf),
}

/// Something that is wrong at a place of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The JSON pointer of the place; empty for the document as a whole.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
}

impl Wrong {
    pub(crate) fn at(pointer: &str, message: impl Into<String>) -> Self {
        Self { pointer: pointer.to_owned(), message: message.into() }
    }

    pub(crate) fn below(self, pointer: &str) -> Self {
        Self { pointer: format!("{pointer}{}", self.pointer), ..self }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.message),
            pointer => write!(f, "{pointer}: {}", self.message),
        }
    }
}

/// Reads every file of vectors below a folder, in the order of their paths, or the one file that is named.
///
/// Every `.json` file of a folder is one, but for `excluded.json`, which lists what was left out. Where several files of a
/// vendor have the same name, they are called by their paths below the folder, so that reports tell them apart.
///
/// # Errors
///
/// [`LoadError`] when anything cannot be read, is not in the format, or when there are no vectors at all.
pub fn load(dir: &Path) -> Result<Vec<VectorFile>, LoadError> {
    let mut paths = Vec::new();
    if dir.is_file() {
        paths.push(dir.to_owned());
    } else {
        collect(dir, &mut paths)?;
    }
    paths.sort_unstable();
    let mut files = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).map_err(|error| LoadError::Read { path: path.clone(), error })?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        files.push(parse_named(&name, &path.display().to_string(), &text)?);
    }
    if files.iter().all(|file| file.vectors.is_empty()) {
        return Err(LoadError::Nothing(dir.to_owned()));
    }
    tell_apart(dir, &paths, &mut files);
    Ok(files)
}

/// Calls files of one vendor with the same name by their paths below the folder.
fn tell_apart(dir: &Path, paths: &[PathBuf], files: &mut [VectorFile]) {
    let mut labels: HashMap<String, usize> = HashMap::new();
    for file in files.iter() {
        *labels.entry(file.label()).or_default() += 1;
    }
    for (file, path) in files.iter_mut().zip(paths) {
        if labels.get(&file.label()).is_some_and(|number| *number > 1)
            && let Ok(below) = path.strip_prefix(dir)
        {
            let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
            file.name = parts.join("/");
        }
    }
}

fn collect(dir: &Path, paths: &mut Vec<PathBuf>) -> Result<(), LoadError> {
    let failed = |error| LoadError::Read { path: dir.to_owned(), error };
    for entry in fs::read_dir(dir).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        if entry.file_type().map_err(failed)?.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "json")
            && path.file_name().is_some_and(|name| name != "excluded.json")
        {
            paths.push(path);
        }
    }
    Ok(())
}

/// Reads the text of one file of vectors; `name` is the file's name without its folder.
///
/// # Errors
///
/// [`LoadError`] when the text is not in the format.
pub fn parse(name: &str, text: &str) -> Result<VectorFile, LoadError> {
    parse_named(name, name, text)
}

/// One file of vectors: what a vendor's client makes of what hooks answer, as data.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(crate) struct WireFile {
    /// The version of the format.
    format: u32,
    /// Whose format it is about; `null` for vectors about the core.
    #[serde(deserialize_with = "Option::deserialize")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Nullable"))]
    vendor: Option<String>,
    /// The event all its vectors are about; `null` where each says so itself, or where it does not matter.
    #[serde(deserialize_with = "Option::deserialize")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Nullable"))]
    event: Option<String>,
    /// The client whose behaviour it records.
    #[serde(deserialize_with = "Option::deserialize")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Nullable"))]
    client: Option<String>,
    /// The vectors.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::AnyVector>"))]
    vectors: Vec<StrictMap>,
}

/// The keys that vectors of every kind have.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Head {
    /// Its name, unique in its file.
    id: String,
    /// What it checks.
    kind: String,
    /// How its expectation is known.
    basis: Basis,
    /// Where its expectation is from.
    source: String,
    /// More about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The older client it holds for; the file's where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<String>,
    /// The vendor's face it holds for, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<String>,
    /// The event it is about, where that is not the file's.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
}

const HEAD_KEYS: [&str; 8] = ["id", "kind", "basis", "source", "note", "client", "profile", "event"];

fn parse_named(name: &str, shown: &str, text: &str) -> Result<VectorFile, LoadError> {
    let wrong = |wrong: Wrong| LoadError::File { file: shown.to_owned(), wrong };
    let reader = &mut serde_json::Deserializer::from_str(text);
    let wire: WireFile = serde_path_to_error::deserialize(&mut *reader).map_err(|error| wrong(located(&error)))?;
    reader.end().map_err(|error| wrong(Wrong::at("", error.to_string())))?;
    if !text.trim_start().starts_with('{') {
        return Err(wrong(Wrong::at("", "a file of vectors is an object: write {...}")));
    }
    if wire.format != FORMAT {
        return Err(wrong(Wrong::at("/format", format!("it is {}, and this reads {FORMAT}", wire.format))));
    }
    let mut file = VectorFile {
        name: name.to_owned(),
        vendor: wire.vendor,
        event: wire.event,
        client: wire.client,
        vectors: Vec::with_capacity(wire.vectors.len()),
    };
    let mut ids = HashSet::new();
    for (at, StrictMap(map)) in wire.vectors.into_iter().enumerate() {
        let id = map.get("id").and_then(Value::as_str).map_or_else(|| format!("number {at}"), str::to_owned);
        let wrong = |wrong: Wrong| LoadError::Vector {
            file: shown.to_owned(),
            id: id.clone(),
            wrong: wrong.below(&format!("/vectors/{at}")),
        };
        let vector = read_vector(map).map_err(wrong)?;
        if vector.kind.needs_event() && file.event_of(&vector).is_none() {
            let kind = vector.kind.word();
            let message = format!("a {kind} vector names its event where the file does not: write `event`");
            return Err(wrong(Wrong::at("", message)));
        }
        if !ids.insert(vector.id.clone()) {
            return Err(wrong(Wrong::at("/id", "another vector of the file has it too")));
        }
        file.vectors.push(vector);
    }
    Ok(file)
}

fn read_vector(mut body: Map<String, Value>) -> Result<Vector, Wrong> {
    let head: Map<String, Value> =
        HEAD_KEYS.iter().filter_map(|&key| Some((key.to_owned(), body.remove(key)?))).collect();
    let Head { id, kind, basis, source, note, client, profile, event } = read(Value::Object(head))?;
    let word = if kind == "fold" && body.contains_key("items") { "settle" } else { &kind };
    let known = ["decode", "fold", "match", "config", "decide", "trust"];
    if !known.contains(&kind.as_str()) {
        return Err(Wrong::at("/kind", format!("`{kind}` is none of {}", known.join(", "))));
    }
    let kind = read_kind(word, body)?;
    Ok(Vector { id, basis, source, note, client, profile, event, kind })
}

/// Reads what a vector of a kind gives and expects. The kind is the word of [`Kind::word`].
pub(crate) fn read_kind(word: &str, body: Map<String, Value>) -> Result<Kind, Wrong> {
    if word != "match"
        && let Some(expect) = body.get("expect")
    {
        object("/expect", expect)?;
    }
    let body = Value::Object(body);
    let kind = match word {
        "decode" => Kind::Decode(read(body)?),
        "fold" => Kind::Fold(read(body)?),
        "settle" => Kind::Settle(read(body)?),
        "match" => Kind::Match(read(body)?),
        "config" => Kind::Config(read(body)?),
        "decide" => Kind::Decide(read(body)?),
        "trust" => Kind::Trust(read(body)?),
        other => {
            return Err(Wrong::at("/kind", format!("`{other}` is none of {}", Kind::WORDS.join(", "))));
        }
    };
    if let Kind::Settle(settle) = &kind {
        check_policies(settle)?;
    }
    Ok(kind)
}

/// One policy for all items, or one for each vendor the items name.
fn check_policies(settle: &Settle) -> Result<(), Wrong> {
    match (&settle.policy, &settle.policies) {
        (Some(_), None) if settle.items.iter().all(|item| item.vendor.is_none()) => Ok(()),
        (Some(_), None) => Err(Wrong::at("/policy", "items that name a vendor need `policies`")),
        (None, Some(policies)) => {
            for (at, item) in settle.items.iter().enumerate() {
                let wrong = |message: String| Err(Wrong::at(&format!("/items/{at}"), message));
                match &item.vendor {
                    None => return wrong("with `policies` every item names its vendor: write `vendor`".to_owned()),
                    Some(vendor) if !policies.contains_key(vendor) => {
                        return wrong(format!("`policies` has none for its vendor `{vendor}`"));
                    }
                    Some(_) => {}
                }
            }
            Ok(())
        }
        _ => Err(Wrong::at("", "give either `policy` or `policies`")),
    }
}

/// Refuses what is no object where there must be one: a list of the values of its keys would be read as well.
pub(crate) fn object(pointer: &str, value: &Value) -> Result<(), Wrong> {
    if value.is_object() {
        return Ok(());
    }
    let shown = value.to_string();
    Err(Wrong::at(pointer, format!("`{}` is no object: write {{...}}", shorten(&shown, 60))))
}

pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T, Wrong> {
    serde_path_to_error::deserialize(value).map_err(|error| located(&error))
}

/// An error with the JSON pointer of the place it is about.
pub(crate) fn located(error: &serde_path_to_error::Error<serde_json::Error>) -> Wrong {
    let mut pointer = String::new();
    for segment in error.path() {
        let _ = match segment {
            Segment::Seq { index } => write!(pointer, "/{index}"),
            Segment::Map { key } => write!(pointer, "/{}", key.replace('~', "~0").replace('/', "~1")),
            // What serde calls the variant of an enum is no place in the document.
            Segment::Enum { .. } | Segment::Unknown => Ok(()),
        };
    }
    Wrong { pointer, message: error.inner().to_string() }
}

impl Serialize for VectorFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("format", &FORMAT)?;
        map.serialize_entry("vendor", &self.vendor)?;
        map.serialize_entry("event", &self.event)?;
        map.serialize_entry("client", &self.client)?;
        map.serialize_entry("vectors", &self.vectors)?;
        map.end()
    }
}

impl Serialize for Vector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let head = Head {
            id: self.id.clone(),
            kind: self.kind.json_word().to_owned(),
            basis: self.basis,
            source: self.source.clone(),
            note: self.note.clone(),
            client: self.client.clone(),
            profile: self.profile.clone(),
            event: self.event.clone(),
        };
        let body = self.kind.body();
        let (Value::Object(mut whole), Value::Object(body)) =
            (serde_json::to_value(head).map_err(S::Error::custom)?, body.map_err(S::Error::custom)?)
        else {
            return Err(S::Error::custom("a vector is written as an object"));
        };
        whole.extend(body);
        whole.serialize(serializer)
    }
}
