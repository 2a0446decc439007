//! The wire forms of tool inputs and results: what is not known has no key.

use std::borrow::Cow;

use hooks_core::RawJson;
use serde::{Deserialize, Serialize};

/// The input of a file that is written whole, with no other key and none twice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    pub file_path: String,
    pub content: String,
}

/// What a command printed, with no other key and none twice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Printed<'a> {
    #[serde(borrow)]
    pub kind: Option<Cow<'a, str>>,
    #[serde(rename = "exitCode")]
    pub exit_code: Option<i32>,
    pub stdout: String,
    pub stderr: Option<String>,
    pub interrupted: Option<bool>,
}

/// The input of a shell command. `command` and `working_directory` stand in the example of Cursor's page (preToolUse);
/// the others are keys of Crosshook's first design.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Shell<'a> {
    /// The command, as the shell gets it.
    pub command: &'a str,
    /// The directory it runs in; the session's where the call names none.
    pub cwd: &'a str,
    /// The same directory, under the key of the page's example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub working_directory: Option<&'a str>,
    /// Whether the host takes the command to change nothing; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_read_only: Option<bool>,
    /// Whether the host takes the command to be risky; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_risky: Option<bool>,
    /// Whether the call waits until the command has ended; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_until_completion: Option<bool>,
    /// Whether the output goes through a pager; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses_pager: Option<bool>,
    /// Why the model wants to run it, in its words; absent when it says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<&'a str>,
}

/// The input of a file read. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Read<'a> {
    /// The file.
    pub file_path: &'a str,
    /// The first line to read, counted from 1; absent for the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// How many lines to read; absent for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

/// The input of a file that is written whole. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Write<'a> {
    /// The file.
    pub file_path: &'a str,
    /// Everything that the file holds afterwards.
    pub content: &'a str,
}

/// The input of an edit of parts of a file, which Cursor's list counts as `Write`. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Edit<'a> {
    /// The file.
    pub file_path: &'a str,
    /// The replacements, in order.
    pub edits: Vec<TextEdit<'a>>,
}

/// One replacement of a text.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct TextEdit<'a> {
    /// The text that is replaced.
    pub old_string: &'a str,
    /// What stands in its place.
    pub new_string: &'a str,
    /// True where every occurrence is replaced; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replace_all: Option<bool>,
}

/// The input of a patch, which Cursor's list counts as `Write`. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Patch<'a> {
    /// The patch's text, which names its files.
    pub patch: &'a str,
}

/// The input of a file's deletion. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Delete<'a> {
    /// The file.
    pub file_path: &'a str,
}

/// The input of a search for file names. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Glob<'a> {
    /// The pattern of the names.
    pub pattern: &'a str,
    /// The folder to search; absent for the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<&'a str>,
}

/// The input of a search in files. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Grep<'a> {
    /// The regular expression to look for.
    pub pattern: &'a str,
    /// The file or folder to search; absent for the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<&'a str>,
    /// Which files to search, by their names; absent for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glob: Option<&'a str>,
    /// Whether letter case is ignored; absent when nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore_case: Option<bool>,
}

/// The input of a folder's listing. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct List<'a> {
    /// The folder.
    pub path: &'a str,
}

/// The input of a fetched page. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct WebFetch<'a> {
    /// The page's address.
    pub url: &'a str,
    /// What to look for in it; absent when nothing is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<&'a str>,
}

/// The input of a web search. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct WebSearch<'a> {
    /// What is searched for.
    pub query: &'a str,
}

/// The input of a subagent's start. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Task<'a> {
    /// The subagent's type; absent when none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagent_type: Option<&'a str>,
    /// What it is for, in a few words.
    pub description: &'a str,
    /// Its task.
    pub prompt: &'a str,
    /// The model it runs on; absent when none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<&'a str>,
}

/// The input of a read of a tool server's resource. Not documented by Cursor.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Resource<'a> {
    /// The server's name; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<&'a str>,
    /// The resource's name.
    pub name: &'a str,
    /// The resource's address; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<&'a str>,
}

/// A tool's result, tagged with its kind (Crosshook's first design, encoding). A shell's keys `exitCode` and `stdout`
/// are those of the example of Cursor's page (postToolUse), where no kind stands beside them.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Output<'a> {
    /// What a shell command came to.
    Shell {
        /// The command's exit code; absent when it is not known.
        #[serde(rename = "exitCode", skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
        /// What it printed; both streams where they are not apart.
        stdout: &'a str,
        /// What it printed to standard error; absent when that is not apart.
        #[serde(skip_serializing_if = "Option::is_none")]
        stderr: Option<&'a str>,
        /// True where it was interrupted; absent otherwise.
        #[serde(skip_serializing_if = "Option::is_none")]
        interrupted: Option<bool>,
    },
    /// A text.
    Text {
        /// The text.
        text: &'a str,
    },
    /// A file that was read.
    File {
        /// The file.
        file_path: &'a str,
        /// What was read of it.
        content: &'a str,
        /// The line that the content starts with, counted from 1; absent when it is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        start_line: Option<u64>,
        /// How many lines the file has; absent when that is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        total_lines: Option<u64>,
    },
    /// Files that were found.
    Files {
        /// Their paths.
        files: &'a [String],
    },
    /// What a tool server's tool returned.
    Mcp {
        /// The result as the server gave it.
        result: &'a RawJson,
        /// Whether the server calls it an error.
        is_error: bool,
    },
    /// Something that is no text, of which only the size is told.
    Binary {
        /// Its size in bytes.
        bytes: u64,
    },
    /// A result of any other shape.
    Json {
        /// The result.
        value: &'a RawJson,
    },
    /// No result.
    Empty {},
}
