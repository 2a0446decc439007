//! Carrying a project's hooks from one vendor's configuration to another's: what `crosshook translate` does.
//!
//! [`hooks_core::translate`] carries single definitions over and names no vendor. Here are the sides of the built-in
//! vendors, whole documents, and the proof by firing ([`verify`]). Only [`write()`] touches a file.
//!
//! ```
//! use std::sync::Arc;
//! use crosshook::translate::{Target, side, translate};
//! use crosshook::{Origin, Source, Syntax};
//! use hooks_core::translate::Options;
//!
//! let (cursor, claude) = (side("cursor").expect("built in"), side("claude").expect("built in"));
//! let text = r#"{"version": 1, "hooks": {"beforeShellExecution": [{"command": "./guard.sh"}]}}"#;
//! let source = Source::hooks(cursor.vendor().clone(), Origin::Project, Syntax::Json, ".cursor/hooks.json", text.as_bytes());
//! let document = cursor.parse(&Arc::new(source));
//! let target = Target::alone(&*claude, "");
//! let made = translate(&*cursor, &*claude, &document.definitions, &target, &Options::default()).expect("an empty document");
//! assert!(made.after.contains("PreToolUse"));
//! // The script still speaks Cursor's language: nobody may take it for a guard.
//! assert_eq!(made.to_accept(&[]), ["needs-bridge"]);
//! ```
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "it writes a file; the libraries do not")]

pub mod verify;

use std::borrow::Borrow;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use hooks_core::translate::insert::{InsertError, Status, insert};
use hooks_core::translate::{Carried, ConfigSide, Element, Options, bridges_back, carry_unless_back, hold};
use hooks_core::{Definition, Origin, Parsed, Source, State, Syntax};

use crate::check::fix::File;

/// A built-in vendor's side of carrying definitions over, for its newest recorded client; `None` for another name.
#[must_use]
pub fn side(vendor: &str) -> Option<Arc<dyn ConfigSide>> {
    match vendor {
        "cursor" => Some(Arc::new(crate::cursor::Adapter::latest())),
        "claude" => Some(Arc::new(crate::claude::Adapter::latest())),
        "codex" => Some(Arc::new(crate::codex::Adapter::latest())),
        _ => None,
    }
}

/// The document that hooks are written into, with what its client reads beside it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Target {
    /// Where the document comes from, and its language; its bytes do not count.
    pub source: Source,
    /// Its text as it is; empty where there is none.
    pub before: String,
    /// The other documents that the client reads there: a switch in one of them can turn off every hook.
    pub beside: Vec<Parsed>,
    /// Why the client does not read the document, where that is known.
    pub unread: Option<String>,
}

impl Target {
    /// The project's usual document, with nothing beside it.
    #[must_use]
    pub fn alone(to: &dyn ConfigSide, before: impl Into<String>) -> Self {
        let path = to.config().document;
        let source = Source::hooks(to.vendor().clone(), Origin::Project, Syntax::Json, path, Vec::new());
        Self { source, before: before.into(), beside: Vec::new(), unread: None }
    }

    /// All documents with the target's as it has a text, by precedence, and which of them it is.
    fn read(&self, to: &dyn ConfigSide, text: &str) -> (Vec<Parsed>, usize) {
        let source = Source { bytes: Arc::from(text.as_bytes()), ..self.source.clone() };
        let own = to.precedence(&source);
        let at = self.beside.iter().take_while(|other| to.precedence(&other.source) <= own).count();
        let mut documents = self.beside.clone();
        documents.insert(at, to.parse(&Arc::new(source)));
        (documents, at)
    }

    /// What the target's hooks that run become when they are carried over to the source.
    fn bridges_back(&self, from: &dyn ConfigSide, to: &dyn ConfigSide, options: &Options) -> Vec<Definition> {
        let (documents, _) = self.read(to, &self.before);
        let ruled = to.rule(&documents);
        let is_off = |at: usize| matches!(ruled.states.get(at), Some(Some(State::Disabled(_) | State::Inert(_))));
        let on = documents.iter().enumerate().filter(|(at, document)| !document.rejected && !is_off(*at));
        let theirs: Vec<&Definition> = on.flat_map(|(_, document)| &document.definitions).collect();
        bridges_back(from, to, &theirs, options)
    }
}

/// One definition with what became of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// What became of it.
    pub carried: Carried,
    /// What became of each of its elements in the target's document, in their order.
    pub status: Vec<Status>,
}

/// What carrying definitions over came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Translation {
    /// The definitions, in their order.
    pub rows: Vec<Row>,
    /// The target's document as it was.
    pub before: String,
    /// The target's document with everything that was carried over.
    pub after: String,
}

impl Translation {
    /// The codes of what a guard loses, but for those that were accepted; each once, in the order of the definitions.
    #[must_use]
    pub fn to_accept(&self, accepted: &[String]) -> Vec<&'static str> {
        let mut ids: Vec<&'static str> = Vec::new();
        for id in self.rows.iter().flat_map(|row| row.carried.to_accept()) {
            if !ids.contains(&id) && !accepted.iter().any(|accepted| accepted == id) {
                ids.push(id);
            }
        }
        ids
    }

    /// Whether the target's document changes.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.before != self.after
    }

    /// The change of the target's document as a unified diff, with the path as it is shown.
    #[must_use]
    pub fn diff(&self, shown: &str) -> String {
        let shown = shown.trim_start_matches('/');
        let diff = similar::TextDiff::from_lines(&*self.before, &*self.after);
        diff.unified_diff().context_radius(3).header(&format!("a/{shown}"), &format!("b/{shown}")).to_string()
    }
}

/// Carries definitions over into a document of the target.
///
/// # Errors
///
/// [`InsertError`] where the target's document cannot take hooks: it cannot be read, or is of another shape.
pub fn translate<D: Borrow<Definition>>(
    from: &dyn ConfigSide,
    to: &dyn ConfigSide,
    definitions: &[D],
    target: &Target,
    options: &Options,
) -> Result<Translation, InsertError> {
    let back = target.bridges_back(from, to, options);
    let carried: Vec<Carried> =
        definitions.iter().map(|definition| carry_unless_back(from, to, definition.borrow(), &back, options)).collect();
    let elements: Vec<Element> = carried.iter().flat_map(|carried| carried.elements.clone()).collect();
    let inserted = insert(to, target.source.syntax, &target.before, &elements)?;
    let (documents, at) = target.read(to, &inserted.text);
    let mut status = inserted.status.into_iter();
    let rows = carried
        .into_iter()
        .map(|mut carried| {
            hold(to, (&documents, at), target.unread.as_deref(), &mut carried);
            let status = status.by_ref().take(carried.elements.len()).collect();
            Row { carried, status }
        })
        .collect();
    Ok(Translation { rows, before: target.before.clone(), after: inserted.text })
}

/// Writes the target's document where it changes: a new file that then takes the old one's place, with its permissions.
/// Folders on the way are made.
///
/// # Errors
///
/// In words: it is read-only, it is not what it was any more, or it cannot be written.
pub fn write(path: &Path, translation: &Translation) -> Result<(), String> {
    if !translation.changes() {
        return Ok(());
    }
    if path.exists() {
        let [before, after] = [&translation.before, &translation.after].map(|text| Arc::from(text.as_bytes()));
        return File { path: path.to_owned(), before, after }.write(&[], &[path]);
    }
    create(path, translation.after.as_bytes()).map_err(|error| error.to_string())
}

fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".crosshook-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    // Somebody else's file of that name stays.
    file.persist_noclobber(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_accept(to: &str, before: impl Fn(&str) -> String) -> Vec<&'static str> {
        let (from, to) = (side("cursor").unwrap(), side(to).unwrap());
        let text =
            r#"{"version": 1, "hooks": {"beforeShellExecution": [{"command": "./guard.sh", "failClosed": true}]}}"#;
        let vendor = from.vendor().clone();
        let source = Source::hooks(vendor, Origin::Project, Syntax::Json, ".cursor/hooks.json", text.as_bytes());
        let document = from.parse(&Arc::new(source));
        let bridge = hooks_core::translate::Bridge { program: "crosshook".to_owned(), strict: false };
        let options = Options { bridge: Some(bridge), ..Options::default() };
        let made = |before: &str| {
            translate(&*from, &*to, &document.definitions, &Target::alone(&*to, before), &options).unwrap()
        };
        made(&before(&made("").after)).to_accept(&[])
    }

    #[test]
    fn what_is_in_the_target_s_file_must_not_undo_a_guard() {
        let none: Vec<&str> = Vec::new();
        for to in ["claude", "codex"] {
            assert_eq!(to_accept(to, str::to_owned), none, "{to}: the same again");
        }
        let differs = vec!["target-differs"];
        assert_eq!(to_accept("claude", |_| r#"{"disableAllHooks": true}"#.to_owned()), differs);
        assert_eq!(to_accept("codex", |_| r#"{"hookz": {}}"#.to_owned()), differs);
        let in_background = |text: &str| text.replacen("\"command\":", "\"async\": true, \"command\":", 1);
        assert_eq!(to_accept("claude", in_background), differs);
        let open = |text: &str| text.replacen("\"onFailure\": \"block\"", "\"onFailure\": \"allow\"", 1);
        assert_eq!(to_accept("claude", open), differs);
        let longer = |text: &str| text.replacen("\"timeout\": ", "\"timeout\": 1", 1);
        assert_eq!(to_accept("claude", longer), none);
    }
}
