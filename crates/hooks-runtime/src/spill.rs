//! Texts that are too long for a model: the whole to a file, head and tail in place.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use hooks_core::adapter::HostSide;
use hooks_core::definition::Definition;
use hooks_core::effects::{Effect, HookEffects, Note, Special};
use hooks_core::spill::{SpillLimit, SpillUnit, Spilled, spill};

use crate::state_file::make_private;

/// Cuts the texts of a hook down to its vendor's limits, and writes the whole of what was cut to the folder.
pub(crate) async fn cut(
    effects: &mut HookEffects,
    adapter: &dyn HostSide,
    definition: &Definition,
    folder: Option<&Path>,
) {
    let limits: Vec<_> = (0..effects.effects.len()).map(|at| adapter.text_limit(definition, effects, at)).collect();
    for (effect, limit) in effects.effects.iter_mut().zip(limits) {
        if let (Some(text), Some(limit)) = (text_of(effect), limit) {
            effects.notes.extend(cut_text(text, limit, folder).await);
        }
    }
}

/// The one text of an effect, where it is a text.
fn text_of(effect: &mut Effect) -> Option<&mut String> {
    match effect {
        Effect::Context(text) | Effect::Notice(text) => Some(text),
        Effect::Continue(continuation) => Some(&mut continuation.text),
        Effect::Special(Special::InitialUserMessage(text) | Special::CompactionInstructions(text)) => Some(text),
        _ => None,
    }
}

/// Cuts one text down, and says that it did.
pub(crate) async fn cut_text(text: &mut String, limit: SpillLimit, folder: Option<&Path>) -> Option<Note> {
    let Spilled::ToFile { whole, .. } = spill(text, &limit) else { return None };
    let size = whole.len();
    let written = match folder {
        Some(folder) => Some(write(folder.to_owned(), whole).await),
        None => None,
    };
    let (footer, note) = match written {
        Some(Ok(path)) => {
            let path = path.to_string_lossy().into_owned();
            (format!("\n\nThe whole text is in {path}"), format!("a text of {size} bytes was written to {path}"))
        }
        Some(Err(error)) => {
            (String::new(), format!("a text of {size} bytes was cut off, and could not be written: {error}"))
        }
        None => (String::new(), format!("a text of {size} bytes was cut off")),
    };
    *text = shortened(text, limit, &footer);
    Some(Note::whole(note))
}

/// Stands where something is left out.
const MARK: &str = "\n[... left out ...]\n";

/// Head, mark, tail and footer; what is added counts towards the limit.
fn shortened(text: &str, mut limit: SpillLimit, footer: &str) -> String {
    let added = match limit.unit {
        SpillUnit::ApproximateTokens => (MARK.len() + footer.len()).div_ceil(4),
        _ => MARK.chars().count() + footer.chars().count(),
    };
    let max = limit.limit.unwrap_or(u64::MAX);
    let kept = limit.keep_head.saturating_add(limit.keep_tail).saturating_add(added as u64);
    let beyond = kept.saturating_sub(max);
    let from_tail = (beyond / 2).min(limit.keep_tail);
    limit.keep_tail -= from_tail;
    limit.keep_head = limit.keep_head.saturating_sub(beyond - from_tail);
    match spill(text, &limit) {
        Spilled::Whole(text) => text,
        Spilled::ToFile { head, tail, .. } => format!("{head}{MARK}{tail}{footer}"),
    }
}

/// Writes a text to a new file of the folder.
async fn write(folder: PathBuf, text: String) -> io::Result<PathBuf> {
    tokio::task::spawn_blocking(move || write_now(&folder, &text)).await.map_err(io::Error::other)?
}

fn write_now(folder: &Path, text: &str) -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    make_private(folder)?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{since:x}-{:x}-{count:x}.txt", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Ok(mut file) => {
                let written = file.write_all(text.as_bytes());
                if let Err(error) = written {
                    // Half a text must not pass for the whole.
                    let _ = std::fs::remove_file(&path);
                    return Err(error);
                }
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
