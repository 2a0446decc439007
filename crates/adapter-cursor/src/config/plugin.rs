//! Commands of plugins.

use std::ops::Range;

use hooks_core::document::Node;
use hooks_core::lint::matchers::place as place_in;
use hooks_core::lint::values;
use hooks_core::{Diagnostic, Origin, Reach};

use super::{Reader, quote};
use crate::codes;
use crate::locations::PLUGIN_ROOT;

/// Tells of a relative path in a plugin's command. Which folder such a hook runs in differs by event and by client (forum
/// threads 153236 and 157195); Cursor's own plugins failed with 127 for it (cursor/plugins, pull request 315).
pub(super) fn plugin_path(reader: &mut Reader<'_>, command: &str, node: &Node, pointer: String) {
    if !reader.everything || reader.source.origin != Origin::Plugin {
        return;
    }
    let Some(part) = relative_path(command) else { return };
    let path = command.get(part.clone()).unwrap_or_default();
    let message =
        format!("a plugin's hooks do not always run in the plugin's folder, so {} may not be found", quote(path));
    let mut diagnostic = Diagnostic::new(&codes::PLUGIN_RELATIVE_PATH, Reach::Entry, message)
        .at(place_in(&reader.source.bytes, node, part.clone(), "").0)
        .pointer(pointer)
        .silent();
    let below = path.strip_prefix("./").unwrap_or(path);
    if !below.starts_with("../") {
        let meant = format!("\"${{{PLUGIN_ROOT}}}/{below}\"");
        let (before, after) = (command.get(..part.start), command.get(part.end..));
        let whole = [before.unwrap_or_default(), &meant, after.unwrap_or_default()].concat();
        diagnostic = diagnostic
            .help(format!("Write {}.", quote(&meant)))
            .edit(node.range.clone(), values::quoted(&whole))
            .changes("the file is found, whatever folder the hook runs in");
    }
    reader.report(diagnostic);
}

/// The word of a command that is a path from the folder it runs in: one that starts with a point, or a program or script that
/// is named with its folder.
fn relative_path(command: &str) -> Option<Range<usize>> {
    const SCRIPTS: [&str; 11] = ["sh", "bash", "py", "js", "mjs", "cjs", "ts", "rb", "pl", "ps1", "cmd"];
    let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./@".contains(c));
    let is_script = |word: &str| word.rsplit_once('.').is_some_and(|(_, ending)| SCRIPTS.contains(&ending));
    let mut at = 0;
    for (number, word) in command.split(' ').enumerate() {
        let named = (number == 0 || is_script(word)) && word.contains('/') && !word.starts_with('/');
        if (named || word.starts_with("./") || word.starts_with("../")) && plain(word) {
            return Some(at..at + word.len());
        }
        at += word.len() + 1;
    }
    None
}
