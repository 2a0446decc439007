//! `beforeReadFile` and `afterFileEdit`, and the same moments of Tab: `beforeTabFileRead` and `afterTabFileEdit`.

use hooks_core::tool::{Read, ToolAction};
use serde::Serialize;

use super::{Nothing, Writer, Written};

/// What `beforeReadFile` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Before<'a> {
    /// The file, as an absolute path.
    file_path: &'a str,
    /// What the file holds; absent when the host did not read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
    /// What is attached to the request, rules and files. A read by a tool of another host carries none.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::prompt::Attachment<'static>>"))]
    attachments: [Nothing; 0],
}

pub(super) fn read(writer: Writer<'_>, read: &Read) -> Written {
    writer.line(&Before { file_path: &read.path, content: read.content.as_deref(), attachments: [] })
}

/// What `beforeTabFileRead` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct TabBefore<'a> {
    /// The file, as an absolute path.
    file_path: &'a str,
    /// What the file holds; absent when the host did not read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
}

/// Tab's reads carry no attachments (hooks page, beforeTabFileRead).
pub(super) fn tab_read(writer: Writer<'_>, read: &Read) -> Written {
    writer.line(&TabBefore { file_path: &read.path, content: read.content.as_deref() })
}

/// What the events after an edit add to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct After<'a> {
    /// The file, as an absolute path; absent for a patch of several files.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_path: Option<&'a str>,
    /// The replacements; empty where they are not known one by one.
    edits: Vec<TextEdit<'a>>,
}

/// One replacement of a text.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct TextEdit<'a> {
    /// The text that was replaced; empty for a file that was written whole.
    old_string: &'a str,
    /// What stands in its place.
    new_string: &'a str,
}

/// Where in the file an edit stands, which Tab's own edits say, is not known here and has no key.
///
/// A file written whole is one edit of everything. A patch names its files inside its text: one file is named here, of
/// several none is.
pub(super) fn edit(writer: Writer<'_>, action: &ToolAction) -> Written {
    match action {
        ToolAction::Write(write) => writer.line(&After {
            file_path: Some(&write.path),
            edits: vec![TextEdit { old_string: "", new_string: &write.content }],
        }),
        ToolAction::Edit(edit) => {
            let edits = edit.edits.iter().map(|one| TextEdit { old_string: &one.old, new_string: &one.new }).collect();
            writer.line(&After { file_path: Some(&edit.path), edits })
        }
        ToolAction::Patch(patch) => writer.line(&After { file_path: only_file(&patch.text), edits: Vec::new() }),
        _ => writer.line(&Nothing {}),
    }
}

/// The file of a patch that is about one file only.
fn only_file(patch: &str) -> Option<&str> {
    let mut files = patch.lines().filter_map(|line| {
        let rest = line.strip_prefix("*** ")?;
        ["Add File: ", "Update File: ", "Delete File: "].iter().find_map(|start| rest.strip_prefix(start))
    });
    let first = files.next()?;
    files.next().is_none().then_some(first.trim())
}
