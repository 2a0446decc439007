//! What a file holds that is about to be read: some vendors give it to their hooks, and a guard that looks for a secret in
//! it finds none where the host's client does not tell it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use hooks_core::definition::Binding;
use hooks_core::envelope::Payload;
use hooks_core::tool::{Read, ToolAction};

use super::{Crossing, ToRun};

/// The largest file whose content is given, which is also the most that a host may write.
const LARGEST: u64 = 256 << 20;

impl Crossing<'_> {
    /// Adds what the files hold that are about to be read, where the script's own vendor gives it and the host does not.
    /// A file that is not there, or that is none, cannot be read by the host either: nothing is added then.
    ///
    /// # Errors
    ///
    /// A file too large to be given. A guard that did not see it would be none.
    pub(super) fn with_content(&self, hook: &Binding, mut chosen: ToRun) -> Result<ToRun, String> {
        let facts = self.written_for.event(&hook.place.event);
        if !facts.is_some_and(|facts| self.written_for.gives_content(facts)) {
            return Ok(chosen);
        }
        for (told, _) in &mut chosen.runs {
            let cwd = told.common.cwd.clone();
            let Payload::ToolBefore(tool) = &mut told.payload else { continue };
            let ToolAction::Read(read @ Read { content: None, .. }) = &mut tool.call.action else { continue };
            let Ok(file) = open(&Path::new(&cwd).join(&read.path)) else { continue };
            let mut bytes = Vec::new();
            if file.take(LARGEST + 1).read_to_end(&mut bytes).is_err() {
                continue;
            }
            if bytes.len() as u64 > LARGEST {
                return Err(format!("`{}` is too large for the script to be given what it holds", read.path));
            }
            // What is no text has no form on standard input; the rest of it does.
            read.content = Some(String::from_utf8_lossy(&bytes).into_owned());
        }
        Ok(chosen)
    }
}

/// A pipe or a device may never end, and opening it may never return: only files are opened.
fn open(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    File::open(path)
}
