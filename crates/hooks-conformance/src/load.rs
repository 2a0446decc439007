//! Reading files of vectors, with errors that name the file, the vector and the key.
#![allow(clippy::disallowed_methods, reason = "this module reads files: that is its job")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::ser::{Error as _, SerializeMap as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::format::{Basis, FORMAT, Kind, Vector, VectorFile};

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
    #[error("{file}: {message}")]
    File {
        /// The file.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// A vector is wrong.
    #[error("{file}: vector `{id}`: {message}")]
    Vector {
        /// The file.
        file: String,
        /// The vector's id, or its place in the file where it has none.
        id: String,
        /// What is wrong, with the key concerned.
        message: String,
    },
    /// There is no file of vectors at all, so that nothing would be checked.
    #[error("{}: no vectors below this folder", .0.display())]
    Nothing(PathBuf),
}

/// Reads every file of vectors below a folder, in the order of their paths.
///
/// Every `.json` file is one, but for `excluded.json`, which lists what was left out.
///
/// # Errors
///
/// [`LoadError`] when anything cannot be read, is not in the format, or when there are no vectors at all.
pub fn load(dir: &Path) -> Result<Vec<VectorFile>, LoadError> {
    let mut paths = Vec::new();
    collect(dir, &mut paths)?;
    paths.sort_unstable();
    let mut files = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|error| LoadError::Read { path: path.clone(), error })?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let shown = path.strip_prefix(dir).unwrap_or(&path).display().to_string();
        files.push(parse_named(&name, &shown, &text)?);
    }
    if files.iter().all(|file| file.vectors.is_empty()) {
        return Err(LoadError::Nothing(dir.to_owned()));
    }
    Ok(files)
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

/// A file as it is written, its vectors not yet read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireFile {
    format: u32,
    #[serde(deserialize_with = "Option::deserialize")]
    vendor: Option<String>,
    #[serde(deserialize_with = "Option::deserialize")]
    event: Option<String>,
    #[serde(deserialize_with = "Option::deserialize")]
    client: Option<String>,
    vectors: Vec<Map<String, Value>>,
}

/// The keys that vectors of every kind have.
#[derive(Serialize, Deserialize)]
struct Head {
    id: String,
    kind: String,
    basis: Basis,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
}

const HEAD_KEYS: [&str; 8] = ["id", "kind", "basis", "source", "note", "client", "profile", "event"];

fn parse_named(name: &str, shown: &str, text: &str) -> Result<VectorFile, LoadError> {
    let wrong = |message: String| LoadError::File { file: shown.to_owned(), message };
    let reader = &mut serde_json::Deserializer::from_str(text);
    let wire: WireFile = serde_path_to_error::deserialize(reader).map_err(|error| wrong(located(&error)))?;
    if wire.format != FORMAT {
        return Err(wrong(format!("`format` is {}, and this reads {FORMAT}", wire.format)));
    }
    let mut file = VectorFile {
        name: name.to_owned(),
        vendor: wire.vendor,
        event: wire.event,
        client: wire.client,
        vectors: Vec::with_capacity(wire.vectors.len()),
    };
    let mut ids = HashSet::new();
    for (at, map) in wire.vectors.into_iter().enumerate() {
        let id = map.get("id").and_then(Value::as_str).map_or_else(|| format!("number {at}"), str::to_owned);
        let wrong = |message: String| LoadError::Vector { file: shown.to_owned(), id: id.clone(), message };
        let vector = read_vector(map).map_err(wrong)?;
        if vector.kind.needs_event() && file.event_of(&vector).is_none() {
            return Err(wrong(format!(
                "`event`: a {} vector names its event where the file does not",
                vector.kind.word()
            )));
        }
        if !ids.insert(vector.id.clone()) {
            return Err(wrong("`id`: another vector of the file has it too".to_owned()));
        }
        file.vectors.push(vector);
    }
    Ok(file)
}

fn read_vector(mut body: Map<String, Value>) -> Result<Vector, String> {
    let head: Map<String, Value> =
        HEAD_KEYS.iter().filter_map(|&key| Some((key.to_owned(), body.remove(key)?))).collect();
    let Head { id, kind, basis, source, note, client, profile, event } = read(Value::Object(head))?;
    let settles = body.contains_key("items");
    let body = Value::Object(body);
    let kind = match kind.as_str() {
        "decode" => Kind::Decode(read(body)?),
        "fold" if settles => Kind::Settle(read(body)?),
        "fold" => Kind::Fold(read(body)?),
        "match" => Kind::Match(read(body)?),
        "config" => Kind::Config(read(body)?),
        "decide" => Kind::Decide(read(body)?),
        "trust" => Kind::Trust(read(body)?),
        other => {
            return Err(format!("`kind`: `{other}` is none of decode, fold, match, config, decide, trust"));
        }
    };
    if let Kind::Settle(settle) = &kind {
        check_policies(settle)?;
    }
    Ok(Vector { id, basis, source, note, client, profile, event, kind })
}

/// One policy for all items, or one for each vendor the items name.
fn check_policies(settle: &crate::format::Settle) -> Result<(), String> {
    match (&settle.policy, &settle.policies) {
        (Some(_), None) if settle.items.iter().all(|item| item.vendor.is_none()) => Ok(()),
        (Some(_), None) => Err("`policy`: items that name a vendor need `policies`".to_owned()),
        (None, Some(policies)) => {
            for (at, item) in settle.items.iter().enumerate() {
                match &item.vendor {
                    None => return Err(format!("`items[{at}].vendor`: with `policies` every item names its vendor")),
                    Some(vendor) if !policies.contains_key(vendor) => {
                        return Err(format!("`policies`: no policy for `{vendor}`"));
                    }
                    Some(_) => {}
                }
            }
            Ok(())
        }
        _ => Err("give either `policy` or `policies`".to_owned()),
    }
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_path_to_error::deserialize(value).map_err(|error| located(&error))
}

/// An error with the path of the key it is about.
fn located(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let path = error.path().to_string();
    if path == "." { error.inner().to_string() } else { format!("`{path}`: {}", error.inner()) }
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
        let body = match &self.kind {
            Kind::Decode(body) => serde_json::to_value(body),
            Kind::Fold(body) => serde_json::to_value(body),
            Kind::Match(body) => serde_json::to_value(body),
            Kind::Config(body) => serde_json::to_value(body),
            Kind::Decide(body) => serde_json::to_value(body),
            Kind::Settle(body) => serde_json::to_value(body),
            Kind::Trust(body) => serde_json::to_value(body),
        };
        let (Value::Object(mut whole), Value::Object(body)) =
            (serde_json::to_value(head).map_err(S::Error::custom)?, body.map_err(S::Error::custom)?)
        else {
            return Err(S::Error::custom("a vector is written as an object"));
        };
        whole.extend(body);
        whole.serialize(serializer)
    }
}
