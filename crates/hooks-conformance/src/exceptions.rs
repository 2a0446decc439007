//! Vectors that are known not to hold, each with its reason. The list can only shrink: an entry that holds is a failure.
#![allow(clippy::disallowed_methods, reason = "this module reads a file: that is its job")]

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::format::VectorFile;
use crate::report::{Failure, Report};

/// One vector that is known not to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Exception {
    /// The vendor of its file; `core` for the core's.
    pub vendor: String,
    /// The file's name, as in the label that reports give it.
    pub file: String,
    /// The vector's id.
    pub id: String,
    /// Why it need not hold.
    pub reason: String,
}

impl Exception {
    /// Whether it is about a vector of a file.
    #[must_use]
    pub fn names(&self, file: &VectorFile, id: &str) -> bool {
        self.names_file(file) && self.id == id
    }

    fn names_file(&self, file: &VectorFile) -> bool {
        self.of_vendor(file) && self.file == file.name
    }

    fn of_vendor(&self, file: &VectorFile) -> bool {
        self.vendor == file.vendor.as_deref().unwrap_or("core")
    }
}

/// The vectors that are known not to hold. Written as a JSON array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Exceptions {
    /// The entries.
    pub entries: Vec<Exception>,
}

/// Why a list of exceptions could not be read.
#[derive(Debug, thiserror::Error)]
#[error("exceptions: {0}")]
pub struct ExceptionsError(String);

impl Exceptions {
    /// Reads the JSON text of a list.
    ///
    /// # Errors
    ///
    /// When it is no array of entries, or an entry gives no reason.
    pub fn parse(text: &str) -> Result<Self, ExceptionsError> {
        let list: Self = serde_json::from_str(text).map_err(|error| ExceptionsError(error.to_string()))?;
        match list.entries.iter().find(|entry| entry.reason.trim().is_empty()) {
            Some(entry) => {
                Err(ExceptionsError(format!("{}/{} {}: `reason` is empty", entry.vendor, entry.file, entry.id)))
            }
            None => Ok(list),
        }
    }

    /// Reads a file with a list.
    ///
    /// # Errors
    ///
    /// When it cannot be read or is no such list.
    pub fn load(path: &Path) -> Result<Self, ExceptionsError> {
        let text = fs::read_to_string(path).map_err(|error| ExceptionsError(format!("{}: {error}", path.display())))?;
        Self::parse(&text)
    }

    /// The reason why a vector need not hold, if it is in the list.
    #[must_use]
    pub fn reason(&self, file: &VectorFile, id: &str) -> Option<&str> {
        self.entries.iter().find(|entry| entry.names(file, id)).map(|entry| entry.reason.as_str())
    }

    /// Reports the entries that name no vector of the files. Entries of vendors that the files do not have are left
    /// alone.
    pub(crate) fn report_stale(&self, files: &[VectorFile], report: &mut Report) {
        for entry in &self.entries {
            let known = files.iter().any(|file| file.vectors.iter().any(|vector| entry.names(file, &vector.id)));
            if known || !files.iter().any(|file| entry.of_vendor(file)) {
                continue;
            }
            let file = format!("{}/{}", entry.vendor, entry.file);
            let message = "the list of exceptions names it, and there is no such vector".to_owned();
            report.fail_apart(Failure::apart(file, &entry.id, "exception", message));
        }
    }
}
