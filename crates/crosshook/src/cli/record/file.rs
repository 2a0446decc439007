//! Where records are written: files that cannot collide, and that nobody else may read.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use hooks_core::text::escape_json;

use super::format::Record;
use crate::cli::state::state_folder;

/// Names that are tried before giving up.
const TRIES: u32 = 10_000;

/// Where records go.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// Below a folder, under names that are made up.
    Folder(PathBuf),
    /// To one file; to one beside it with a number where it is taken.
    File(PathBuf),
}

impl Place {
    /// What `--out` says: a name that ends in `.json` is a file, anything else a folder. Without it, the command's own.
    pub(crate) fn of(out: Option<&Path>) -> Result<Self, String> {
        match out {
            None => Ok(Self::Folder(state_folder()?.join("records"))),
            Some(path) if path.extension().is_some_and(|extension| extension == "json") && !path.is_dir() => {
                Ok(Self::File(path.to_owned()))
            }
            Some(path) => Ok(Self::Folder(path.to_owned())),
        }
    }

    /// The folder, or the file.
    pub(crate) fn path(&self) -> &Path {
        let (Self::Folder(path) | Self::File(path)) = self;
        path
    }

    /// Writes a record under a new name, which is given back.
    pub(crate) fn write(&self, record: &Record) -> io::Result<PathBuf> {
        let text = text(record)?;
        let (folder, stem) = match self {
            Self::Folder(folder) => (folder.clone(), stem(record)),
            Self::File(path) => {
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                (folder, path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
            }
        };
        if !folder.as_os_str().is_empty() {
            make_folder(&folder)?;
        }
        for number in 0..TRIES {
            let name = match (self, number) {
                (Self::File(_), 0) => format!("{stem}.json"),
                _ => format!("{stem}-{number}.json"),
            };
            let path = folder.join(name);
            match create(&path) {
                Ok(mut file) => {
                    // Half a record is none.
                    return file.write_all(text.as_bytes()).map(|()| path.clone()).inspect_err(|_| {
                        let _ = std::fs::remove_file(&path);
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "every name is taken"))
    }
}

/// Replaces a record that was written before: whole, or not at all.
pub(crate) fn replace(path: &Path, record: &Record) -> io::Result<()> {
    let text = text(record)?;
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let written = create(&beside).and_then(|mut file| file.write_all(text.as_bytes()));
    let done = written.and_then(|()| std::fs::rename(&beside, path));
    if done.is_err() {
        // What cannot be removed either is no worse than what went wrong.
        let _ = std::fs::remove_file(&beside);
    }
    done
}

fn text(record: &Record) -> io::Result<String> {
    let text = serde_json::to_string_pretty(record).map_err(io::Error::other)?;
    Ok(escape_json(&text).into_owned() + "\n")
}

/// When, whose, what, and which process: runs side by side have different names.
fn stem(record: &Record) -> String {
    let word = |text: Option<&String>| -> String {
        let text = text.map_or("unknown", String::as_str);
        text.chars().filter(char::is_ascii_alphanumeric).take(40).collect()
    };
    let (vendor, event) = (word(record.vendor.as_ref()), word(record.event.as_ref()));
    format!("{}-{vendor}-{event}-{}", record.time_ms, std::process::id())
}

/// A new file that only its owner may read.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A folder, and those above it, that only their owner may enter where they are new.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
