//! What a session remembers between runs of the bridge: one small file a session, changed by one process at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crosshook::bridge::Occurrence;
use hooks_core::definition::Binding;
use hooks_core::effects::{EnvChange, EnvReach};
use hooks_core::envelope::Payload;
use hooks_core::{BindingId, Boundary, SessionState, VendorId};
use hooks_runtime::SessionFiles;
use hooks_runtime::state_file::{Lock, lock_path, make_private, swap};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::BridgeArgs;
use crate::cli::state::state_folder;

/// How long another run of the same session is waited for, where the host's time limit is not near.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the file of a session that nobody comes back to is kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// Bytes of a file that are read at most; what the session may grow to is well below.
const LIMIT: u64 = 16 << 20;
/// The version of the file that this writes, and the only one it reads.
const VERSION: u32 = 2;

/// The file of one session, as one script's run sees it.
pub(super) struct Keeper {
    path: Result<PathBuf, String>,
    patience: Duration,
    /// Whether this run counts something, so that it must have the file.
    counts: bool,
    /// Whether this run may be one of several that set variables.
    sets: bool,
    /// Whether this is where counting begins: a file that cannot be read is replaced then.
    begins: bool,
    view: View,
}

/// A session that was changed.
pub(super) struct Changed<T> {
    /// What came of it.
    pub(super) value: T,
    /// The session after it.
    pub(super) session: SessionState,
    /// Why all that was remembered is forgotten, where it is.
    pub(super) forgotten: Option<String>,
}

impl Keeper {
    /// The keeper of the session that an occurrence belongs to, for a script's run that has `left` to go.
    pub(super) fn of(args: &BridgeArgs, hook: &Binding, occurrence: &Occurrence, left: Duration) -> Self {
        let envelope = &occurrence.envelope;
        let boundary = envelope.boundary();
        let counts = args.once || matches!(boundary, Boundary::TurnStop | Boundary::SubagentStop);
        let mut name = String::new();
        for byte in Sha256::digest(&envelope.common.session_id).iter().take(16) {
            let _ = write!(name, "{byte:02x}");
        }
        let name = format!("{}-{}-{name}.json", args.host, args.written_for);
        Self {
            path: state_folder().map(|folder| folder.join("bridge").join(name)),
            patience: PATIENCE.min(left / 4),
            counts,
            sets: boundary == Boundary::SessionStart,
            begins: boundary == Boundary::SessionStart || occurrence.rounds() == Some(0),
            view: View::of(args, hook, occurrence),
        }
    }

    /// Changes the session: reads it, lets it be changed, and writes it where it is another now, while nobody else does.
    ///
    /// A run that counts nothing, in a session that nothing was counted in, leaves no file behind.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut SessionState) -> T) -> Result<Changed<T>, String> {
        let needed = |path: &Path| self.counts || self.sets || path.exists();
        let path = match &self.path {
            Ok(path) => path,
            Err(why) if self.counts => return Err(why.clone()),
            Err(_) => return Ok(self.changed(&mut Form::default(), change)),
        };
        if !needed(path) {
            let mut form = Form::default();
            let changed = self.changed(&mut form, change);
            if form != Form::default() {
                let _lock = self.lock(path)?;
                write(path, &form)?;
            }
            return Ok(changed);
        }
        let _lock = self.lock(path)?;
        let (mut form, forgotten) = match read(path) {
            Ok(form) => (form, None),
            Err(why) if self.begins => (Form::default(), Some(why)),
            Err(why) => return Err(why),
        };
        let before = form.clone();
        let changed = self.changed(&mut form, change);
        if form != before || forgotten.is_some() {
            write(path, &form)?;
        }
        Ok(Changed { forgotten, ..changed })
    }

    fn changed<T>(&self, form: &mut Form, change: impl FnOnce(&mut SessionState) -> T) -> Changed<T> {
        let before = self.view.session(form);
        let mut session = before.clone();
        let value = change(&mut session);
        self.view.put(&before, &session, form);
        Changed { value, session, forgotten: None }
    }

    /// The files that the session's scripts write variables to, where there is a place for them.
    pub(super) fn files(&self) -> Result<SessionFiles, String> {
        self.path.as_ref().map(|path| SessionFiles::new(files_folder(path))).map_err(Clone::clone)
    }

    /// Removes what is remembered.
    pub(super) fn forget(&self) {
        if let Ok(path) = &self.path {
            // Neither need be there.
            let _ = fs::remove_file(path);
            let _ = fs::remove_dir_all(files_folder(path));
        }
    }

    fn lock(&self, path: &Path) -> Result<Lock, String> {
        let folder = path.parent().ok_or("its file has no folder")?;
        make_private(folder).map_err(|error| failed(folder, &error))?;
        if !lock_path(path).exists() {
            sweep(folder);
        }
        match Lock::take(path, self.patience) {
            Ok(Some(lock)) => Ok(lock),
            Ok(None) => Err(format!("another run holds `{}`", path.display())),
            Err(error) => Err(failed(path, &error)),
        }
    }
}

fn files_folder(path: &Path) -> PathBuf {
    path.with_extension("files")
}

fn failed(path: &Path, error: &io::Error) -> String {
    format!("`{}`: {error}", path.display())
}

/// Removes what is kept of sessions that nobody came back to.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let old = SystemTime::now().checked_sub(KEPT);
    for entry in entries.flatten() {
        let Ok(facts) = entry.metadata() else { continue };
        if old.zip(facts.modified().ok()).is_some_and(|(old, written)| written < old) {
            // Somebody else may have done so.
            let path = entry.path();
            let _ = if facts.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    }
}

/// The file's form.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Form {
    version: u32,
    /// By script, and by subagent where one wants to end.
    scripts: BTreeMap<String, Counts>,
    /// By turn, and by subagent: how often any script made it go on, which a vendor may put a cap on.
    turns: BTreeMap<String, Turn>,
    ran_once: BTreeSet<String>,
    /// By vendor, then by name: the value, and whether it is for shell commands and not for hooks.
    env: BTreeMap<String, BTreeMap<String, (String, bool)>>,
}

/// What is counted of one script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    /// How often it made the turn go on.
    continued: u32,
    /// How often whatever made the turn go on.
    rounds: u32,
}

/// What is counted of one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    /// How often a script made it go on.
    continued: u32,
    /// The last round in which one did: several that do are one.
    round: u32,
}

impl Default for Form {
    fn default() -> Self {
        let (scripts, turns, ran_once, env) = Default::default();
        Self { version: VERSION, scripts, turns, ran_once, env }
    }
}

fn read(path: &Path) -> Result<Form, String> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Form::default()),
        Err(error) => return Err(failed(path, &error)),
        Ok(facts) if !facts.is_file() => return Err(format!("`{}` is no file", path.display())),
        Ok(facts) if facts.len() > LIMIT => return Err(format!("`{}` is too large", path.display())),
        Ok(_) => {}
    }
    let bytes = fs::read(path).map_err(|error| failed(path, &error))?;
    let form: Form = serde_json::from_slice(&bytes).map_err(|error| format!("`{}`: {error}", path.display()))?;
    if form.version != VERSION {
        return Err(format!("`{}` is of version {}, not {VERSION}", path.display(), form.version));
    }
    Ok(form)
}

fn write(path: &Path, form: &Form) -> Result<(), String> {
    let bytes = serde_json::to_vec(form).map_err(|error| error.to_string())?;
    swap(path, &bytes).map_err(|error| failed(path, &error))
}

/// Which part of what is remembered is a script's own in an occurrence.
///
/// Scripts that run side by side are all told of the same end of a turn. Each has counts of its own, so that none counts an
/// end twice or takes back what another has counted.
struct View {
    id: BindingId,
    script: String,
    vendor: VendorId,
    /// The turn or the subagent that wants to end.
    turn: Option<String>,
    /// Whether the host tells turns apart.
    named: bool,
    /// Whether the main turn wants to end, for the first time.
    first: bool,
}

impl View {
    fn of(args: &BridgeArgs, hook: &Binding, occurrence: &Occurrence) -> Self {
        let envelope = &occurrence.envelope;
        let common = &envelope.common;
        let agent = match &envelope.payload {
            Payload::SubagentStop(stop) => {
                let id = stop.id.as_deref().or(common.agent.as_ref().and_then(|agent| agent.id.as_deref()));
                format!("/{}", id.or(stop.kind.as_deref()).unwrap_or_default())
            }
            _ => String::new(),
        };
        let turn = common.turn_id.as_deref().unwrap_or_default();
        let file = args.user_file.as_deref().map(|file| file.display().to_string()).unwrap_or_default();
        Self {
            id: hook.id.clone(),
            script: format!("{}{file}{agent}", hook.id.as_str()),
            vendor: VendorId::from(args.written_for.clone()),
            turn: occurrence.rounds().map(|_| format!("{turn}{agent}")),
            named: turn != common.session_id,
            first: envelope.boundary() == Boundary::TurnStop && occurrence.rounds() == Some(0),
        }
    }

    fn session(&self, form: &Form) -> SessionState {
        let mut session = SessionState::default();
        session.ran_once = form.ran_once.iter().map(|id| BindingId::new(id)).collect();
        let reach = |is_shell| if is_shell { EnvReach::Shell } else { EnvReach::Hooks };
        for (vendor, variables) in &form.env {
            let variables = variables.iter().map(|(name, (value, is_shell))| {
                (name.clone(), EnvChange { value: value.clone(), reach: reach(*is_shell) })
            });
            session.env.insert(Some(VendorId::from(vendor.clone())), variables.collect());
        }
        if let Some(turn) = &self.turn {
            let own = form.scripts.get(&self.script).copied().unwrap_or_default();
            session.turns_continued = own.rounds;
            if own.continued > 0 {
                session.continued.insert(self.id.clone(), own.continued);
            }
            if let Some(turn) = form.turns.get(turn) {
                // Another script may have counted this very end.
                let before = turn.continued.saturating_sub(u32::from(turn.round == own.rounds));
                session.continued_by_vendor.insert(self.vendor.clone(), before);
            }
        } else {
            session.continued =
                form.scripts.iter().map(|(script, counts)| (BindingId::new(script), counts.continued)).collect();
            let continued = form.turns.values().map(|turn| turn.continued).max();
            session.continued_by_vendor.extend(continued.map(|count| (self.vendor.clone(), count)));
        }
        session
    }

    fn put(&self, before: &SessionState, after: &SessionState, form: &mut Form) {
        form.ran_once = after.ran_once.iter().map(|id| id.as_str().to_owned()).collect();
        let env = after.env.iter().filter_map(|(vendor, variables)| {
            let variables = variables
                .iter()
                .map(|(name, change)| (name.clone(), (change.value.clone(), change.reach == EnvReach::Shell)))
                .collect();
            Some((vendor.as_ref()?.as_str().to_owned(), variables))
        });
        form.env = env.collect();
        let of_vendor = |session: &SessionState| session.continued_by_vendor.get(&self.vendor).copied();
        let Some(turn) = &self.turn else {
            // A person has spoken, or the agent has used a tool.
            if after.continued.is_empty() {
                form.scripts.clear();
            }
            if of_vendor(after).is_none() {
                form.turns.clear();
            }
            return;
        };
        let continued = after.continued.get(&self.id).copied().unwrap_or_default();
        let own = Counts { continued, rounds: after.turns_continued };
        if own == Counts::default() {
            form.scripts.remove(&self.script);
        } else {
            form.scripts.insert(self.script.clone(), own);
        }
        match of_vendor(after) {
            Some(continued) if of_vendor(before).unwrap_or_default() < continued => {
                form.turns.insert(turn.clone(), Turn { continued, round: after.turns_continued });
            }
            // A turn that begins anew. Where turns have names, this one has none yet but what another script counted.
            None if !self.named => {
                form.turns.remove(turn);
            }
            _ => {}
        }
        if self.first {
            let belongs = |other: &String| {
                other.strip_prefix(turn.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            form.turns.retain(|other, _| belongs(other));
        }
    }
}
