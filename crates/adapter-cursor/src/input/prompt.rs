//! `beforeSubmitPrompt`.

use hooks_core::envelope::Prompt;
use serde::Serialize;

use super::{Writer, Written};

/// What `beforeSubmitPrompt` adds to the common fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Body<'a> {
    /// The prompt as the person wrote it.
    prompt: &'a str,
    /// What the person attached.
    attachments: Vec<Attachment<'a>>,
}

/// Something that is attached.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Attachment<'a> {
    /// What it is: `file` or `rule`.
    r#type: &'a str,
    /// Its file, as an absolute path.
    file_path: &'a str,
}

/// What is attached is a file unless it says otherwise (first design, encoding).
pub(super) fn write(writer: Writer<'_>, prompt: &Prompt) -> Written {
    let attachments = prompt
        .attachments
        .iter()
        .map(|one| Attachment { r#type: one.kind.as_deref().unwrap_or("file"), file_path: &one.path })
        .collect();
    writer.line(&Body { prompt: &prompt.text, attachments })
}
