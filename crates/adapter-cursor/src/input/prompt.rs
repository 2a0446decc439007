//! `beforeSubmitPrompt`.

use hooks_core::envelope::Prompt;
use serde::Serialize;

use super::{Writer, Written};

#[derive(Serialize)]
struct Body<'a> {
    prompt: &'a str,
    attachments: Vec<Attachment<'a>>,
}

#[derive(Serialize)]
struct Attachment<'a> {
    r#type: &'a str,
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
