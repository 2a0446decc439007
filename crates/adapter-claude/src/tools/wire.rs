//! The wire forms of tool inputs and responses (vendor's SDK tool types; recorded payloads): what is not known has no key.

use std::borrow::Cow;

use hooks_core::tool::TextEdit;
use serde::Serialize;
use serde_json::value::RawValue;

/// A call's input in the vendor's shape, borrowed from the call.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Input<'a> {
    Bash {
        command: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        timeout: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        run_in_background: Option<bool>,
        #[serde(rename = "dangerouslyDisableSandbox", skip_serializing_if = "Option::is_none")]
        unsandboxed: Option<bool>,
    },
    Read {
        file_path: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        offset: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<u64>,
    },
    Write {
        file_path: Cow<'a, str>,
        content: &'a str,
    },
    Edit {
        file_path: Cow<'a, str>,
        #[serde(flatten)]
        edit: EditInput<'a>,
    },
    MultiEdit {
        file_path: Cow<'a, str>,
        edits: Vec<EditInput<'a>>,
    },
    Patch {
        patch: &'a str,
    },
    Path {
        file_path: &'a str,
    },
    Glob {
        pattern: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
    },
    Grep {
        pattern: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        glob: Option<&'a str>,
        #[serde(rename = "-i", skip_serializing_if = "Option::is_none")]
        ignore_case: Option<bool>,
    },
    List {
        path: &'a str,
    },
    WebFetch {
        url: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt: Option<&'a str>,
    },
    WebSearch {
        query: &'a str,
    },
    Agent {
        description: &'a str,
        prompt: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        subagent_type: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<&'a str>,
    },
    McpResource {
        #[serde(skip_serializing_if = "Option::is_none")]
        server: Option<&'a str>,
        uri: &'a str,
    },
    Raw(&'a RawValue),
    Nothing {},
}

/// One replacement in the vendor's shape.
#[derive(Serialize)]
pub(crate) struct EditInput<'a> {
    old_string: &'a str,
    new_string: &'a str,
    replace_all: bool,
}

impl<'a> From<&'a TextEdit> for EditInput<'a> {
    fn from(edit: &'a TextEdit) -> Self {
        Self { old_string: &edit.old, new_string: &edit.new, replace_all: edit.replace_all }
    }
}

/// A tool's response in the vendor's shape, borrowed from the result.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Response<'a> {
    #[serde(rename_all = "camelCase")]
    Bash {
        stdout: &'a str,
        stderr: &'a str,
        interrupted: bool,
        is_image: bool,
        no_output_expected: bool,
    },
    ReadText {
        #[serde(rename = "type")]
        kind: &'static str,
        file: FileResponse<'a>,
    },
    #[serde(rename_all = "camelCase")]
    Written {
        #[serde(rename = "type")]
        kind: &'static str,
        file_path: &'a str,
        content: &'a str,
        structured_patch: [(); 0],
        original_file: (),
        user_modified: bool,
    },
    #[serde(rename_all = "camelCase")]
    Edited {
        file_path: &'a str,
        old_string: &'a str,
        new_string: &'a str,
        original_file: (),
        structured_patch: [(); 0],
        user_modified: bool,
        replace_all: bool,
    },
    #[serde(rename_all = "camelCase")]
    Found {
        filenames: &'a [String],
        #[serde(skip_serializing_if = "Option::is_none")]
        duration_ms: Option<u64>,
        num_files: usize,
        truncated: bool,
    },
    #[serde(rename_all = "camelCase")]
    Searched {
        mode: &'static str,
        filenames: &'a [String],
        num_files: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        total_files: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'a str>,
    },
    #[serde(rename_all = "camelCase")]
    Fetched {
        bytes: usize,
        result: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        duration_ms: Option<u64>,
        url: &'a str,
    },
    WebFound {
        query: &'a str,
        results: [&'a str; 1],
    },
    #[serde(rename_all = "camelCase")]
    Finished {
        status: &'static str,
        prompt: &'a str,
        content: [TextBlock<'a>; 1],
        #[serde(skip_serializing_if = "Option::is_none")]
        total_duration_ms: Option<u64>,
    },
    Blocks([TextBlock<'a>; 1]),
    Text(&'a str),
    Raw(&'a RawValue),
    Binary {
        bytes: u64,
    },
    Nothing {},
}

/// A file in the response of `Read`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileResponse<'a> {
    pub(super) file_path: &'a str,
    pub(super) content: &'a str,
    pub(super) num_lines: usize,
    pub(super) start_line: u64,
    pub(super) total_lines: u64,
}

/// A block of text in the response of a tool server's tool.
#[derive(Serialize)]
pub(crate) struct TextBlock<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) text: &'a str,
}
