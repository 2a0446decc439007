//! A patch taken apart: what it does to each file, as calls of their own.
//!
//! Some clients change files with one text for any number of files; others have a call for each file. The text's form is
//! the one of the recorded calls, from `*** Begin Patch` to `*** End Patch`.

use crate::tool::{Delete, Edit, TextEdit, ToolAction, ToolCall, Write};

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const UPDATE: &str = "*** Update File: ";
const DELETE: &str = "*** Delete File: ";
const MOVE: &str = "*** Move to: ";
const END_OF_FILE: &str = "*** End of File";

/// What a patch does to each file, as calls of their own; `None` for a call that is no patch. Paths in it are found from
/// the folder of the call. The error is the first line that is not of the form.
#[must_use]
pub fn parts(call: &ToolCall, cwd: &str) -> Option<Result<Vec<ToolCall>, String>> {
    let ToolAction::Patch(patch) = &call.action else { return None };
    let whole = |path: &mut String| {
        if !is_absolute(path) && !cwd.is_empty() {
            *path = format!("{}/{path}", cwd.trim_end_matches('/'));
        }
    };
    let parts = split(&patch.text).map(|actions| {
        let calls = actions.into_iter().map(|mut action| {
            match &mut action {
                ToolAction::Write(write) => whole(&mut write.path),
                ToolAction::Edit(edit) => whole(&mut edit.path),
                ToolAction::Delete(delete) => whole(&mut delete.path),
                _ => {}
            }
            ToolCall::new(action)
        });
        calls.collect()
    });
    Some(parts)
}

/// Whether a path names a place by itself, on Unix or on Windows.
fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes();
    path.starts_with(['/', '\\']) || (drive.get(1) == Some(&b':') && drive.first().is_some_and(u8::is_ascii_alphabetic))
}

/// What a patch does to one file.
enum Part {
    Add(Write),
    Update { edit: Edit, moved_to: Option<String> },
    Delete(Delete),
}

/// What a patch does, file by file, in its order. Paths are as they stand in it.
///
/// A file that is changed and moved is an edit of the old path and a write of the new one, whose content is what the
/// patch tells of it.
///
/// # Errors
///
/// The first line that is not of the form, with its number from 1.
fn split(text: &str) -> Result<Vec<ToolAction>, String> {
    let mut lines = text.trim().lines().enumerate();
    if lines.next().is_none_or(|(_, line)| line.trim_end() != BEGIN) {
        return Err(format!("it does not begin with `{BEGIN}`"));
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut ended = false;
    for (number, line) in lines {
        let wrong = |what: &str| format!("line {}: {what}", number + 1);
        if ended {
            return Err(wrong(&format!("something follows `{END}`")));
        }
        if line.trim_end() == END {
            ended = true;
        } else if let Some(path) = path(line, ADD) {
            parts.push(Part::Add(Write { path, content: String::new() }));
        } else if let Some(path) = path(line, UPDATE) {
            parts.push(Part::Update { edit: Edit { path, edits: Vec::new() }, moved_to: None });
        } else if let Some(path) = path(line, DELETE) {
            parts.push(Part::Delete(Delete { path }));
        } else if line.trim_end() != END_OF_FILE {
            parts.last_mut().ok_or("it belongs to no file").and_then(|part| part.take(line)).map_err(wrong)?;
        }
    }
    if !ended {
        return Err(format!("it does not end with `{END}`"));
    }
    if parts.is_empty() {
        return Err("it changes no file".to_owned());
    }
    Ok(parts.into_iter().flat_map(Part::actions).collect())
}

fn path(line: &str, mark: &str) -> Option<String> {
    line.strip_prefix(mark).map(|path| path.trim().to_owned())
}

impl Part {
    /// Takes one line of the part.
    fn take(&mut self, line: &str) -> Result<(), &'static str> {
        match self {
            Self::Add(write) => {
                add(&mut write.content, line.strip_prefix('+').ok_or("a line of a new file begins with `+`")?);
            }
            Self::Update { moved_to, .. } if line.starts_with(MOVE) => *moved_to = path(line, MOVE),
            Self::Update { edit, .. } if line.starts_with("@@") => edit.edits.push(TextEdit::default()),
            Self::Update { edit, .. } => {
                if edit.edits.is_empty() {
                    edit.edits.push(TextEdit::default());
                }
                let Some(change) = edit.edits.last_mut() else { return Ok(()) };
                let text = line.get(1..).unwrap_or_default();
                let (old, new) = match line.as_bytes().first() {
                    // An editor may have taken the blank of an empty line away.
                    None | Some(b' ') => (true, true),
                    Some(b'-') => (true, false),
                    Some(b'+') => (false, true),
                    Some(_) => return Err("a line of a change begins with a blank, `-` or `+`"),
                };
                if old {
                    add(&mut change.old, text);
                }
                if new {
                    add(&mut change.new, text);
                }
            }
            Self::Delete(_) => return Err("a file that is deleted has no lines"),
        }
        Ok(())
    }

    /// What it does, as calls.
    fn actions(self) -> Vec<ToolAction> {
        match self {
            Self::Add(write) => vec![ToolAction::Write(write)],
            Self::Delete(delete) => vec![ToolAction::Delete(delete)],
            Self::Update { edit, moved_to: None } => vec![ToolAction::Edit(edit)],
            Self::Update { edit, moved_to: Some(path) } => {
                let content = edit.edits.iter().map(|change| change.new.as_str()).collect();
                vec![ToolAction::Edit(edit), ToolAction::Write(Write { path, content })]
            }
        }
    }
}

fn add(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_patch_is_a_call() {
        let patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** Update File: b.txt\n*** Move to: c.txt\n@@ fn\n same\n-old\n+new\n@@\n-x\n*** End of File\n*** Delete File: d.txt\n*** End Patch\n";
        let edits = vec![
            TextEdit { old: "same\nold\n".into(), new: "same\nnew\n".into(), replace_all: false },
            TextEdit { old: "x\n".into(), new: String::new(), replace_all: false },
        ];
        let expected = [
            ToolAction::Write(Write { path: "a.txt".into(), content: "one\ntwo\n".into() }),
            ToolAction::Edit(Edit { path: "b.txt".into(), edits }),
            ToolAction::Write(Write { path: "c.txt".into(), content: "same\nnew\n".into() }),
            ToolAction::Delete(Delete { path: "d.txt".into() }),
        ];
        assert_eq!(split(patch).as_deref(), Ok(&expected[..]));
    }

    #[test]
    fn what_is_no_patch_says_where() {
        for (text, why) in [
            ("", "it does not begin with `*** Begin Patch`"),
            ("*** Begin Patch\n*** End Patch", "it changes no file"),
            ("*** Begin Patch\n*** Add File: a\n+x", "it does not end with `*** End Patch`"),
            ("*** Begin Patch\n+x\n*** End Patch", "line 2: it belongs to no file"),
            ("*** Begin Patch\n*** Add File: a\nx\n*** End Patch", "line 3: a line of a new file begins with `+`"),
            ("*** Begin Patch\n*** Delete File: a\n-x\n*** End Patch", "line 3: a file that is deleted has no lines"),
            ("*** Begin Patch\n*** Add File: a\n*** End Patch\nrm -rf /", "line 4: something follows `*** End Patch`"),
        ] {
            assert_eq!(split(text), Err(why.to_owned()), "{text}");
        }
    }
}
