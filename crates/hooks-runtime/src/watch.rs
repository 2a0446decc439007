//! Watching a session's documents, with the feature `watch`: tells when to call [`Reloader::reload`].
//!
//! Folders are watched, not files: editors put new files in the place of old ones, and what is not there yet can come.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::Notify;

use crate::reload::Reloader;

/// How long nothing must change before a change is told, unless the host says another time: longer than an editor takes
/// between emptying a file and writing it.
pub const QUIET: Duration = Duration::from_millis(250);

/// How often the quiet time a change waits at most, in a folder where something changes all the time. What is read in the
/// middle of an edit does no harm: the last good form counts until the next change is told.
const PATIENCE: u32 = 20;

/// Watches the places where a [`Reloader`]'s documents lie or may come to lie.
#[derive(Debug)]
pub struct Watcher {
    inner: RecommendedWatcher,
    changed: Arc<Notify>,
    folders: BTreeSet<PathBuf>,
}

impl Watcher {
    /// Starts to watch.
    ///
    /// # Errors
    ///
    /// What the system says where it cannot be watched at all.
    pub fn start(reloader: &Reloader) -> notify::Result<Self> {
        let changed = Arc::new(Notify::new());
        let tell = Arc::clone(&changed);
        let inner = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // What was lost may have been a change. Reading a file is none.
            if !matches!(event, Ok(notify::Event { kind: EventKind::Access(_), .. })) {
                tell.notify_one();
            }
        })?;
        let mut watcher = Self { inner, changed, folders: BTreeSet::new() };
        watcher.arm(reloader);
        Ok(watcher)
    }

    /// Watches what the reloader would read now. To be called after each reload: folders come and go. Where there is a new
    /// one, a change is told, since something may have come into it before it was watched.
    pub fn follow(&mut self, reloader: &Reloader) {
        let before = self.folders.clone();
        self.arm(reloader);
        if !self.folders.is_subset(&before) {
            self.changed.notify_one();
        }
    }

    fn arm(&mut self, reloader: &Reloader) {
        // Where a document is a link, what it leads to may change and the link not.
        let real = |path: &Path| path.canonicalize().ok().filter(|real| real != path);
        let paths = reloader.paths().flat_map(|path| [Some(path.to_owned()), real(path)]).flatten();
        let wanted: BTreeSet<PathBuf> = paths.filter_map(|path| existing_folder(&path)).collect();
        for gone in self.folders.difference(&wanted) {
            // It may be gone for good, and then nobody watches it any more.
            let _ = self.inner.unwatch(gone);
        }
        // One that was removed and made again is another one, so all are asked for anew.
        self.folders.clear();
        for folder in wanted {
            let _ = self.inner.unwatch(&folder);
            if self.inner.watch(&folder, RecursiveMode::NonRecursive).is_ok() {
                self.folders.insert(folder);
            }
        }
    }

    /// The folders that are watched. A network drive may not be among them.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(PathBuf::as_path)
    }

    /// Waits until something changed and nothing more did for some time, or things went on changing for twenty times as
    /// long. Safe to drop and call again.
    pub async fn changed(&self, quiet: Duration) {
        self.changed.notified().await;
        let settled = async { while tokio::time::timeout(quiet, self.changed.notified()).await.is_ok() {} };
        let _ = tokio::time::timeout(quiet.saturating_mul(PATIENCE), settled).await;
    }
}

/// The folder of a path, or the nearest one above it that there is.
fn existing_folder(path: &Path) -> Option<PathBuf> {
    path.ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_owned)
}
