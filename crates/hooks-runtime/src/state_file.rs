//! A small file that several processes change: one at a time, and whoever reads sees a whole one.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::sys::lock_now;

/// How often somebody else's lock is looked at.
const TICK: Duration = Duration::from_millis(10);

/// A lock on a file, held until it is dropped or the process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a file, which lies beside it; `None` when somebody else holds it longer than `patience`.
    ///
    /// # Errors
    ///
    /// The system's, where the lock's file cannot be made or opened.
    pub fn take(path: &Path, patience: Duration) -> io::Result<Option<Self>> {
        let beside = lock_path(path);
        let started = Instant::now();
        loop {
            match open_alone(&beside) {
                Ok(file) if lock_now(&file)? => return Ok(Some(Self { _file: file })),
                Ok(_) => {}
                Err(error) if is_taken(&error) => {}
                Err(error) => return Err(error),
            }
            if started.elapsed() >= patience {
                return Ok(None);
            }
            std::thread::sleep(TICK);
        }
    }
}

/// Where the lock of a file lies.
#[must_use]
pub fn lock_path(path: &Path) -> PathBuf {
    with_ending(path, ".lock")
}

/// Opens a lock file, making it where it is missing. It is never removed: that would let two hold it.
fn open_alone(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // Nobody else can open it meanwhile: on Windows that is the lock.
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
    options.open(path)
}

/// Whether opening failed because somebody else has the file.
fn is_taken(error: &io::Error) -> bool {
    /// The system's word for a file that somebody else has open for himself alone.
    const ERROR_SHARING_VIOLATION: i32 = 32;
    cfg!(windows) && error.raw_os_error() == Some(ERROR_SHARING_VIOLATION)
}

/// Puts bytes in a file's place, by a new file in the same folder: whoever reads sees the old bytes or the new ones. The
/// caller holds the file's [`Lock`]. A link would be replaced, not followed. Only the file's owner may read it.
///
/// # Errors
///
/// The system's, where the new file cannot be written or moved; the old one is then as it was.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, bytes, true)
}

/// As [`replace`], without waiting until the system has the bytes on its disk: for what a loss of power may take with it.
///
/// # Errors
///
/// As [`replace`].
pub fn swap(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, bytes, false)
}

fn put(path: &Path, bytes: &[u8], lasting: bool) -> io::Result<()> {
    let draft = with_ending(path, ".new");
    // Somebody who held the lock before and was killed may have left one.
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let written = write_new(&draft, bytes, lasting).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // The error that counts is the one above.
        let _ = fs::remove_file(&draft);
        return written;
    }
    // The rename itself shall outlast a loss of power. Where folders cannot be opened, the system sees to it.
    if lasting && let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn write_new(path: &Path, bytes: &[u8], lasting: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    if lasting { file.sync_all() } else { Ok(()) }
}

/// Whether the system lets everybody write to a file. Where files have no such rights, nobody does.
pub(crate) fn anybody_may_write(path: &Path) -> bool {
    #[cfg(unix)]
    let open = fs::metadata(path)
        .is_ok_and(|facts| std::os::unix::fs::PermissionsExt::mode(&facts.permissions()) & 0o002 != 0);
    #[cfg(not(unix))]
    let open = {
        let _ = path;
        false
    };
    open
}

/// Makes the folder of a file, for its owner alone.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    make_private(folder)
}

/// Makes a folder, for its owner alone, with those above it.
///
/// # Errors
///
/// The system's.
pub fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}
