//! Reads a file within a limit, and says why it was not read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

use hooks_core::document::SIZE_LIMIT;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is nothing at the path.
    #[error("there is no such file")]
    NotFound,
    /// There is a link, and nothing where it leads.
    #[error("it is a link to something that does not exist")]
    BrokenLink,
    /// There is a folder.
    #[error("it is a folder, not a file")]
    Folder,
    /// There is something else: a pipe, a socket, a device.
    #[error("it is no ordinary file")]
    NotAFile,
    /// Something on the way to it is no folder.
    #[error("a part of its path is a file, not a folder")]
    NotAFolderOnTheWay,
    /// It may not be read.
    #[error("it may not be read: permission denied")]
    Denied,
    /// It is larger than documents may be.
    #[error("it has more than the {limit} bytes that are read")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// It is a folder with more documents than are read.
    #[error("the folder has more than the {limit} documents that are read")]
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// The system says something else.
    #[error("it cannot be read: {0}")]
    Io(#[source] io::Error),
}

/// Reads a file of at most [`SIZE_LIMIT`] bytes. Never waits for a pipe and never reads more than the limit.
///
/// # Errors
///
/// [`ReadError`], which does not repeat the path.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    let file = open(path).map_err(|error| explain(path, error))?;
    let facts = file.metadata().map_err(ReadError::Io)?;
    if facts.is_dir() {
        return Err(ReadError::Folder);
    }
    if !facts.is_file() {
        return Err(ReadError::NotAFile);
    }
    let too_large = ReadError::TooLarge { limit: SIZE_LIMIT };
    let size = usize::try_from(facts.len()).unwrap_or(usize::MAX);
    if size > SIZE_LIMIT {
        return Err(too_large);
    }
    let mut bytes = Vec::with_capacity(size);
    // The size was only a hint: the file may grow, and some files have none.
    let limit = u64::try_from(SIZE_LIMIT).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut bytes).map_err(|error| explain(path, error))?;
    if bytes.len() > SIZE_LIMIT {
        return Err(too_large);
    }
    Ok(bytes)
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // Opening a named pipe would otherwise wait for somebody to write to it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(path)
}

pub(super) fn explain(path: &Path, error: io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::NotFound if fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink()) => ReadError::BrokenLink,
        io::ErrorKind::NotFound => ReadError::NotFound,
        io::ErrorKind::NotADirectory => ReadError::NotAFolderOnTheWay,
        io::ErrorKind::IsADirectory => ReadError::Folder,
        io::ErrorKind::PermissionDenied if fs::metadata(path).is_ok_and(|it| it.is_dir()) => ReadError::Folder,
        io::ErrorKind::PermissionDenied => ReadError::Denied,
        // A socket cannot be opened at all.
        _ if fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir()) => ReadError::NotAFile,
        _ => ReadError::Io(error),
    }
}
