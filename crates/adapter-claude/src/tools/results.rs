//! Results of tools, in both directions: the response in the vendor's shape, the error of a failed call, and what a response
//! means (vendor's SDK tool types; recorded payloads).

use hooks_core::json::{JsonKind, RawJson, RawObject};
use hooks_core::tool::{FileContent, McpResult, ResultKind, ShellResult, ToolAction, ToolCall, ToolResult};
use serde_json::value::RawValue;

use super::keys::Keys;
use super::wire::{FileResponse, Response, TextBlock};

/// A tool's response in the vendor's shape (SDK tool types; recorded payloads). What the host does not know is left out,
/// or has the value the client writes when there is nothing to say: a written file reads as a new one.
pub(crate) fn response<'a>(call: &'a ToolCall, result: &'a ToolResult, duration_ms: Option<u64>) -> Response<'a> {
    // What was read from the client's own payload has keys that the typed result has no place for.
    if let Some(raw) = result.raw.as_ref().filter(|raw| typed_result(call, raw).as_ref() == Some(&result.kind)) {
        return Response::Raw(raw.as_raw());
    }
    let spoken = match &result.kind {
        ResultKind::Text(text) => Some(text.as_str()),
        ResultKind::File(file) => Some(file.content.as_str()),
        ResultKind::Empty => Some(""),
        _ => None,
    };
    if let Some(text) = spoken
        && let Some(response) = spoken_response(call, result, text, duration_ms)
    {
        return response;
    }
    match &result.kind {
        ResultKind::Shell(ShellResult { output, stderr, interrupted, .. }) => Response::Bash {
            stdout: output,
            stderr: stderr.as_deref().unwrap_or_default(),
            interrupted: *interrupted,
            is_image: false,
            no_output_expected: false,
        },
        ResultKind::File(file) => Response::ReadText { kind: "text", file: file_response(file) },
        ResultKind::Files(files) => match call.action {
            ToolAction::Grep(_) => Response::Searched {
                mode: "files_with_matches",
                filenames: files,
                num_files: files.len(),
                total_files: Some(files.len()),
                content: None,
            },
            _ => Response::Found { filenames: files, duration_ms, num_files: files.len(), truncated: false },
        },
        // The client gives the content blocks, not the whole message of the tool server.
        ResultKind::Mcp(mcp) => {
            let content = mcp.result.as_object().and_then(|object| object.get("content"));
            Response::Raw(content.filter(|raw| JsonKind::of(raw) == JsonKind::Array).unwrap_or(mcp.result.as_raw()))
        }
        ResultKind::Json(raw) => Response::Raw(raw.as_raw()),
        ResultKind::Binary { bytes } => Response::Binary { bytes: *bytes },
        ResultKind::Text(text) => Response::Text(text),
        _ => Response::Nothing {},
    }
}

/// What a text, or nothing, comes to as the response of a tool that has a shape of its own.
fn spoken_response<'a>(
    call: &'a ToolCall,
    result: &'a ToolResult,
    text: &'a str,
    duration_ms: Option<u64>,
) -> Option<Response<'a>> {
    Some(match &call.action {
        ToolAction::Shell(_) => {
            Response::Bash { stdout: text, stderr: "", interrupted: false, is_image: false, no_output_expected: false }
        }
        ToolAction::Write(write) => Response::Written {
            kind: "create",
            file_path: &write.path,
            content: &write.content,
            structured_patch: [],
            original_file: (),
            user_modified: false,
        },
        ToolAction::Edit(edit) => {
            let [one] = edit.edits.as_slice() else { return None };
            Response::Edited {
                file_path: &edit.path,
                old_string: &one.old,
                new_string: &one.new,
                original_file: (),
                structured_patch: [],
                user_modified: false,
                replace_all: one.replace_all,
            }
        }
        ToolAction::Read(read) if !matches!(result.kind, ResultKind::File(_)) => {
            let lines = text.split('\n').count();
            let file = FileResponse {
                file_path: &read.path,
                content: text,
                num_lines: lines,
                start_line: read.offset.unwrap_or(1),
                total_lines: lines as u64,
            };
            Response::ReadText { kind: "text", file }
        }
        ToolAction::Grep(_) => {
            Response::Searched { mode: "content", filenames: &[], num_files: 0, total_files: None, content: Some(text) }
        }
        ToolAction::WebFetch(fetch) => {
            Response::Fetched { bytes: text.len(), result: text, duration_ms, url: &fetch.url }
        }
        ToolAction::WebSearch(search) => Response::WebFound { query: &search.query, results: [text] },
        ToolAction::Subagent(task) => Response::Finished {
            status: "completed",
            prompt: &task.prompt,
            content: [TextBlock { kind: "text", text }],
            total_duration_ms: duration_ms,
        },
        ToolAction::Mcp(_) if matches!(result.kind, ResultKind::Text(_)) => {
            Response::Blocks([TextBlock { kind: "text", text }])
        }
        _ => return None,
    })
}

fn file_response(file: &FileContent) -> FileResponse<'_> {
    let lines = file.content.split('\n').count();
    FileResponse {
        file_path: &file.path,
        content: &file.content,
        num_lines: lines,
        start_line: file.start_line.unwrap_or(1),
        total_lines: file.total_lines.unwrap_or(lines as u64),
    }
}

/// Whether a result that a tool returned is a failure to the client: a shell command's exit code above zero, or an answer
/// that a tool server calls an error (hooks page, `PostToolUseFailure`; recorded payloads).
#[must_use]
pub fn is_failure(result: &ToolResult) -> bool {
    match &result.kind {
        ResultKind::Shell(shell) => shell.exit_code.is_some_and(|code| code != 0),
        ResultKind::Mcp(mcp) => mcp.is_error,
        _ => false,
    }
}

/// The first line of a failed shell command's error, without its code (recorded payloads).
pub(crate) const EXIT_CODE: &str = "Exit code ";

/// The text of the error that a failed result comes to (recorded payloads): a shell command's code and all it printed,
/// the texts of a tool server's answer.
pub(crate) fn error_text(result: &ToolResult) -> String {
    match &result.kind {
        ResultKind::Shell(shell) => {
            let mut text = format!("{EXIT_CODE}{}", shell.exit_code.unwrap_or_default());
            for printed in [Some(shell.output.as_str()), shell.stderr.as_deref()].into_iter().flatten() {
                if !printed.trim().is_empty() {
                    text.push('\n');
                    text.push_str(printed.trim_end_matches('\n'));
                }
            }
            text
        }
        ResultKind::Mcp(mcp) => {
            let content = mcp.result.as_object().and_then(|object| object.get("content"));
            let blocks: Vec<&RawValue> =
                content.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
            let texts = blocks.into_iter().filter_map(|block| {
                let block = RawObject::parse(block.get()).ok()?;
                serde_json::from_str::<String>(block.get("text")?.get()).ok()
            });
            match texts.collect::<Vec<_>>().join("\n") {
                text if text.is_empty() => mcp.result.get().to_owned(),
                text => text,
            }
        }
        ResultKind::Text(text) => text.clone(),
        _ => String::new(),
    }
}

/// The result that a response in the vendor's shape means; what core has no kind for stays as it is.
pub(crate) fn result_kind(call: &ToolCall, raw: &RawJson) -> ResultKind {
    typed_result(call, raw).unwrap_or_else(|| ResultKind::Json(raw.clone()))
}

fn typed_result(call: &ToolCall, raw: &RawJson) -> Option<ResultKind> {
    if call.as_mcp().is_some() {
        if raw.kind() != JsonKind::Array {
            return None;
        }
        let result = RawJson::parse(&format!("{{\"content\":{}}}", raw.get())).ok()?;
        return Some(ResultKind::Mcp(McpResult { result, is_error: false }));
    }
    if !matches!(call.action, ToolAction::Shell(_) | ToolAction::Read(_) | ToolAction::Glob(_) | ToolAction::Grep(_)) {
        return None;
    }
    Some(match &call.action {
        ToolAction::Shell(_) => {
            let mut keys = Keys::parse(raw.get())?;
            // A command in the background goes on, and one whose code was interpreted may have another than zero.
            let open = keys.text("backgroundTaskId").or_else(|| keys.text("returnCodeInterpretation"));
            let interrupted = keys.flag("interrupted")?;
            ResultKind::Shell(ShellResult {
                output: keys.text("stdout")?,
                stderr: Some(keys.text("stderr")?),
                exit_code: (open.is_none() && !interrupted).then_some(0),
                interrupted,
            })
        }
        ToolAction::Read(_) => {
            let mut file = Keys::parse(raw.as_object()?.get("file")?.get())?;
            ResultKind::File(FileContent {
                path: file.text("filePath")?,
                content: file.text("content")?,
                start_line: file.number("startLine"),
                total_lines: file.number("totalLines"),
            })
        }
        _ => ResultKind::Files(serde_json::from_str(raw.as_object()?.get("filenames")?.get()).ok()?),
    })
}

/// Whether a replaced result fits the tool's own output shape; one that does not is dropped (cases `updated-output-*`).
/// A tool server's result may be anything.
///
/// # Errors
///
/// What is wrong with it.
pub(crate) fn fits_output(call: &ToolCall, replaced: &RawJson) -> Result<(), String> {
    use JsonKind::{Array, Bool, Object, String};
    if call.as_mcp().is_some() {
        return Ok(());
    }
    let Some(object) = replaced.as_object() else {
        return Err(format!("it is {}, not an object", replaced.kind().phrase()));
    };
    let wanted: &[(&str, JsonKind)] = match &call.action {
        ToolAction::Shell(_) => &[("stdout", String), ("stderr", String), ("interrupted", Bool)],
        ToolAction::Read(_) => &[("type", String)],
        ToolAction::Write(_) => {
            &[("type", String), ("filePath", String), ("content", String), ("structuredPatch", Array)]
        }
        ToolAction::Edit(_) => &[("filePath", String), ("structuredPatch", Array)],
        ToolAction::Glob(_) | ToolAction::Grep(_) => &[("filenames", Array)],
        _ => &[],
    };
    for (key, kind) in wanted {
        match object.get(key).map(JsonKind::of) {
            Some(found) if found == *kind => {}
            Some(found) => return Err(format!("`{key}` is {}, not {}", found.phrase(), kind.phrase())),
            None => return Err(format!("`{key}` is missing")),
        }
    }
    if matches!(call.action, ToolAction::Read(_)) && object.get("file").is_none_or(|file| JsonKind::of(file) != Object)
    {
        return Err("`file` is missing".to_owned());
    }
    Ok(())
}
