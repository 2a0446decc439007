//! What a session remembers between runs of the bridge: one small file a session, changed by one process at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crosshook::bridge::Occurrence;
use hooks_core::effects::{EnvChange, EnvReach};
use hooks_core::{BindingId, Boundary, SessionState, VendorId};
use hooks_runtime::state_file::{Lock, make_private, replace};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::BridgeArgs;
use crate::cli::state::state_folder;

/// How long another run of the same session is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the file of a session that nobody comes back to is kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// Bytes of a file that are read at most; what the session may grow to is well below.
const LIMIT: u64 = 16 << 20;
/// The version of the file that this writes, and the only one it reads.
const VERSION: u32 = 1;

/// The file of one session.
pub(super) struct Keeper {
    path: Result<PathBuf, String>,
    /// Whether this run counts something, so that it must have the file.
    counts: bool,
}

impl Keeper {
    /// The keeper of the session that an occurrence belongs to.
    pub(super) fn of(args: &BridgeArgs, occurrence: &Occurrence) -> Self {
        let counts = args.once || matches!(occurrence.envelope.boundary(), Boundary::TurnStop | Boundary::SubagentStop);
        let mut name = String::new();
        for byte in Sha256::digest(&occurrence.envelope.common.session_id).iter().take(16) {
            let _ = write!(name, "{byte:02x}");
        }
        let name = format!("{}-{}-{name}.json", args.host, args.written_for);
        Self { path: state_folder().map(|folder| folder.join("bridge").join(name)), counts }
    }

    /// Changes the session: reads it, lets it be changed, and writes it where it is another now, while nobody else does.
    /// Gives what came of it, and the session.
    ///
    /// A run that counts nothing, in a session that nothing was counted in, leaves no file behind.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut SessionState) -> T) -> Result<(T, SessionState), String> {
        let needed = |path: &Path| self.counts || path.exists();
        let path = match &self.path {
            Ok(path) => path,
            Err(why) if self.counts => return Err(why.clone()),
            Err(_) => {
                let mut session = SessionState::default();
                return Ok((change(&mut session), session));
            }
        };
        if !needed(path) {
            let mut session = SessionState::default();
            let changed = change(&mut session);
            if session != SessionState::default() {
                let _lock = self.lock(path)?;
                write(path, &session)?;
            }
            return Ok((changed, session));
        }
        let _lock = self.lock(path)?;
        let mut session = read(path)?;
        let before = session.clone();
        let changed = change(&mut session);
        if session != before {
            write(path, &session)?;
        }
        Ok((changed, session))
    }

    /// Removes the file.
    pub(super) fn forget(&self) {
        if let Ok(path) = &self.path {
            // It need not be there.
            let _ = fs::remove_file(path);
        }
    }

    fn lock(&self, path: &Path) -> Result<Lock, String> {
        let folder = path.parent().ok_or("its file has no folder")?;
        make_private(folder).map_err(|error| failed(folder, &error))?;
        if !path.exists() {
            sweep(folder);
        }
        match Lock::take(path, PATIENCE) {
            Ok(Some(lock)) => Ok(lock),
            Ok(None) => Err(format!("another run holds `{}`", path.display())),
            Err(error) => Err(failed(path, &error)),
        }
    }
}

fn failed(path: &Path, error: &io::Error) -> String {
    format!("`{}`: {error}", path.display())
}

/// Removes the files of sessions that nobody came back to.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let old = SystemTime::now().checked_sub(KEPT);
    for entry in entries.flatten() {
        let written = entry.metadata().and_then(|facts| facts.modified()).ok();
        if old.zip(written).is_some_and(|(old, written)| written < old) {
            // Somebody else may have done so.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The file's form.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Form {
    version: u32,
    continued: BTreeMap<String, u32>,
    continued_by_vendor: BTreeMap<String, u32>,
    turns_continued: u32,
    ran_once: BTreeSet<String>,
    /// By vendor, then by name: the value, and whether it is for shell commands and not for hooks.
    env: BTreeMap<String, BTreeMap<String, (String, bool)>>,
}

fn read(path: &Path) -> Result<SessionState, String> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(SessionState::default()),
        Err(error) => return Err(failed(path, &error)),
        Ok(facts) if facts.len() > LIMIT => return Err(format!("`{}` is too large", path.display())),
        Ok(_) => {}
    }
    let bytes = fs::read(path).map_err(|error| failed(path, &error))?;
    let form: Form = serde_json::from_slice(&bytes).map_err(|error| format!("`{}`: {error}", path.display()))?;
    if form.version != VERSION {
        return Err(format!("`{}` is of version {}, not {VERSION}", path.display(), form.version));
    }
    Ok(form.into())
}

fn write(path: &Path, session: &SessionState) -> Result<(), String> {
    let bytes = serde_json::to_vec(&Form::from(session)).map_err(|error| error.to_string())?;
    replace(path, &bytes).map_err(|error| failed(path, &error))
}

impl From<Form> for SessionState {
    fn from(form: Form) -> Self {
        let mut session = Self::default();
        session.continued = form.continued.into_iter().map(|(id, count)| (BindingId::new(&id), count)).collect();
        session.continued_by_vendor =
            form.continued_by_vendor.into_iter().map(|(vendor, count)| (VendorId::from(vendor), count)).collect();
        session.turns_continued = form.turns_continued;
        session.ran_once = form.ran_once.iter().map(|id| BindingId::new(id)).collect();
        let reach = |is_shell| if is_shell { EnvReach::Shell } else { EnvReach::Hooks };
        for (vendor, variables) in form.env {
            let variables = variables
                .into_iter()
                .map(|(name, (value, is_shell))| (name, EnvChange { value, reach: reach(is_shell) }))
                .collect();
            session.env.insert(Some(VendorId::from(vendor)), variables);
        }
        session
    }
}

impl From<&SessionState> for Form {
    fn from(session: &SessionState) -> Self {
        let env = session.env.iter().filter_map(|(vendor, variables)| {
            let variables = variables
                .iter()
                .map(|(name, change)| (name.clone(), (change.value.clone(), change.reach == EnvReach::Shell)))
                .collect();
            Some((vendor.as_ref()?.as_str().to_owned(), variables))
        });
        Self {
            version: VERSION,
            continued: session.continued.iter().map(|(id, count)| (id.as_str().to_owned(), *count)).collect(),
            continued_by_vendor: session
                .continued_by_vendor
                .iter()
                .map(|(vendor, count)| (vendor.as_str().to_owned(), *count))
                .collect(),
            turns_continued: session.turns_continued,
            ran_once: session.ran_once.iter().map(|id| id.as_str().to_owned()).collect(),
            env: env.collect(),
        }
    }
}
