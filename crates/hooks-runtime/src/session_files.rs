//! Files that hooks of a session write variables to, as shell text, for the agent's later shell commands.
//!
//! Which events' hooks get one, what the variable is called, what the text reaches and what clears it are the vendor's
//! rule ([`SessionFile`]). A host gives the session a folder of its own, hands the files to every firing
//! ([`FireOptions::session_files`](crate::FireOptions::session_files)), and puts [`SessionFiles::prelude`] before each
//! shell command of the agent:
//!
//! ```no_run
//! # async fn run(snapshot: hooks_core::Snapshot, folder: std::path::PathBuf) {
//! use std::sync::Arc;
//! use hooks_core::effects::EnvReach;
//! use hooks_runtime::{FireOptions, SessionFiles};
//!
//! let files = Arc::new(SessionFiles::new(folder));
//! let options = FireOptions::default().session_files(Arc::clone(&files));
//! // ... fire the session's occurrences with the options ...
//! let prelude = files.prelude(&snapshot, EnvReach::Shell);
//! let script = format!("{}make test", prelude.text);
//! # }
//! ```

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use hooks_core::boundary::Boundary;
use hooks_core::effects::EnvReach;
use hooks_core::outcome::SessionFile;
use hooks_core::{HostSide, Snapshot, VendorId};

use crate::discover::{ReadError, read_file};
use crate::state_file::make_private;

/// Bytes of one file that are read; a longer one is left out as a whole, since half a shell text means something else.
pub const SIZE_LIMIT: usize = 1 << 20;

/// The files of one session. They stay where they are, so that a session that is resumed in another process finds them.
#[derive(Clone, Debug)]
pub struct SessionFiles {
    folder: PathBuf,
}

/// What later programs get from a session's files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prelude {
    /// Shell text, each file's ending in a newline; empty where hooks wrote nothing.
    pub text: String,
    /// Files that are there and cannot be used, with why.
    pub left_out: Vec<(PathBuf, String)>,
}

impl SessionFiles {
    /// Files in a folder that belongs to one session alone. It is made when a hook needs it, for its owner only.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where a file lies, whether it is there or not.
    #[must_use]
    pub fn path(&self, vendor: &VendorId, file: &SessionFile) -> PathBuf {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let vendor: String = vendor.as_str().chars().map(plain).collect();
        self.folder.join(format!("{vendor}-{}.sh", file.name))
    }

    /// Makes a file where it is not there, and gives its path for a hook's variable. What stands in it stays.
    ///
    /// # Errors
    ///
    /// That it cannot be made, or that its path is no text that a variable can hold.
    pub fn make(&self, vendor: &VendorId, file: &SessionFile) -> io::Result<String> {
        let path = self.path(vendor, file);
        if !path.is_file() {
            make_private(&self.folder)?;
            let mut options = OpenOptions::new();
            options.append(true).create(true);
            #[cfg(unix)]
            {
                use std::os::unix::fs::OpenOptionsExt as _;
                // A hook may have put a pipe in its place, which must not hold anybody up.
                options.mode(0o600).custom_flags(libc::O_NONBLOCK);
            }
            options.open(&path)?;
        }
        let no_text = || io::Error::new(io::ErrorKind::InvalidInput, "has a path that is no UTF-8");
        path.into_os_string().into_string().map_err(|_| no_text())
    }

    /// Takes away the files whose vendor's rule says that they are emptied on a boundary. [`fire`](crate::fire) does this
    /// before its hooks run. Gives those that could not be taken away, with why.
    pub fn clear(&self, snapshot: &Snapshot, boundary: Boundary) -> Vec<String> {
        let mut stayed = Vec::new();
        for (adapter, file) in files(snapshot) {
            if !file.cleared_on.contains(&boundary) {
                continue;
            }
            let path = self.path(adapter.vendor(), file);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    stayed.push(format!("{} could not be cleared: {error}", path.display()));
                }
                _ => {}
            }
        }
        stayed
    }

    /// What stands in the files of a reach, vendors in the snapshot's order, each one's files in its own.
    #[must_use]
    pub fn prelude(&self, snapshot: &Snapshot, reach: EnvReach) -> Prelude {
        let mut prelude = Prelude::default();
        for (adapter, file) in files(snapshot).filter(|(_, file)| file.reach == reach) {
            let path = self.path(adapter.vendor(), file);
            match text_of(&path) {
                Ok(text) => {
                    prelude.text.push_str(&text);
                    if !text.is_empty() && !text.ends_with('\n') {
                        prelude.text.push('\n');
                    }
                }
                Err(why) => prelude.left_out.extend(why.map(|why| (path, why))),
            }
        }
        prelude
    }
}

/// Every file that some vendor of a snapshot has.
fn files(snapshot: &Snapshot) -> impl Iterator<Item = (&dyn HostSide, &'static SessionFile)> {
    let adapters = snapshot.adapters().iter().map(|adapter| &**adapter);
    adapters.flat_map(|adapter| adapter.session_files().iter().map(move |file| (adapter, file)))
}

/// The text of a file; `None` for why where there is none.
fn text_of(path: &Path) -> Result<String, Option<String>> {
    let bytes = match read_file(path) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) => return Err(None),
        Err(error) => return Err(Some(error.to_string())),
    };
    if bytes.len() > SIZE_LIMIT {
        return Err(Some(format!("it is longer than {SIZE_LIMIT} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| Some("it is no UTF-8".to_owned()))
}
