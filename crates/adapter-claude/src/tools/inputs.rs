//! The inputs of built-in tools, as one table: what a call's input must have, and what it can have (vendor's SDK tool
//! types; recorded payloads). Rewrites are held to it, and schemas are made from it.
#![cfg_attr(not(feature = "schema"), allow(dead_code, reason = "what the rows say in words is for schemas"))]

use hooks_core::json::JsonKind::{self, Array, Bool, Number, String};

/// A tool's input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolInput {
    /// The tool's name.
    pub(crate) tool: &'static str,
    /// Its keys.
    pub(crate) keys: &'static [InputKey],
}

/// One key of an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputKey {
    /// Its name.
    pub(crate) name: &'static str,
    /// What its value must be.
    pub(crate) kind: JsonKind,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// What it is.
    pub(crate) about: &'static str,
}

const fn must(name: &'static str, kind: JsonKind, about: &'static str) -> InputKey {
    InputKey { name, kind, required: true, about }
}

const fn can(name: &'static str, kind: JsonKind, about: &'static str) -> InputKey {
    InputKey { name, kind, required: false, about }
}

/// The keys of a tool's input; `None` for a tool that is not in the table.
pub(crate) fn of(tool: &str) -> Option<&'static ToolInput> {
    INPUTS.iter().find(|input| input.tool == tool)
}

const FILE: InputKey = must("file_path", String, "The file's path.");

/// The tools whose inputs have a typed form here. Older clients, and calls that the client has no tool for, have the last
/// four.
pub(crate) static INPUTS: &[ToolInput] = &[
    ToolInput {
        tool: "Bash",
        keys: &[
            must("command", String, "The command line."),
            can("timeout", Number, "Milliseconds that it may take."),
            can("description", String, "What the model says that it does."),
            can("run_in_background", Bool, "Whether it runs in the background."),
            can("dangerouslyDisableSandbox", Bool, "Whether it runs outside of the sandbox."),
        ],
    },
    ToolInput {
        tool: "Read",
        keys: &[
            FILE,
            can("offset", Number, "The first line to read."),
            can("limit", Number, "How many lines to read."),
            can("pages", String, "Which pages of a document to read."),
            can("allow_large", Bool, "Whether a large file may be read whole."),
        ],
    },
    ToolInput { tool: "Write", keys: &[FILE, must("content", String, "The file's new content.")] },
    ToolInput {
        tool: "Edit",
        keys: &[
            FILE,
            must("old_string", String, "The text to replace."),
            must("new_string", String, "The text in its place."),
            can("replace_all", Bool, "Whether every occurrence is replaced."),
        ],
    },
    ToolInput {
        tool: "Glob",
        keys: &[
            must("pattern", String, "The pattern of the paths."),
            can("path", String, "The folder to look in; the working directory where it is absent."),
        ],
    },
    ToolInput {
        tool: "Grep",
        keys: &[
            must("pattern", String, "The regular expression."),
            can("path", String, "The file or folder to look in; the working directory where it is absent."),
            can("glob", String, "The pattern of the files to look in."),
            can("output_mode", String, "What is answered: `content`, `files_with_matches` or `count`."),
            can("-A", Number, "How many lines after each match are shown."),
            can("-B", Number, "How many lines before each match are shown."),
            can("-C", Number, "How many lines around each match are shown."),
            can("context", Number, "The same as `-C`."),
            can("-n", Bool, "Whether line numbers are shown."),
            can("-i", Bool, "Whether letter case is ignored."),
            can("-o", Bool, "Whether only what matches is shown."),
            can("type", String, "The type of the files to look in."),
            can("head_limit", Number, "How many results are shown."),
            can("offset", Number, "How many results are skipped."),
            can("multiline", Bool, "Whether a match may span lines."),
        ],
    },
    ToolInput {
        tool: "WebFetch",
        keys: &[
            must("url", String, "The address."),
            can("prompt", String, "What is asked of the page."),
            can("offset", Number, "Where in the page to start."),
        ],
    },
    ToolInput {
        tool: "WebSearch",
        keys: &[
            must("query", String, "What is searched for."),
            can("allowed_domains", Array, "The only domains that results may come from."),
            can("blocked_domains", Array, "Domains that no result may come from."),
        ],
    },
    ToolInput {
        tool: "Agent",
        keys: &[
            must("description", String, "What the subagent is for, in a few words."),
            must("prompt", String, "What the subagent is told."),
            can("subagent_type", String, "The subagent's type."),
            can("model", String, "The subagent's model."),
            can("effort", String, "The subagent's effort."),
            can("run_in_background", Bool, "Whether it runs in the background."),
            can("name", String, "The subagent's name."),
            can("team_name", String, "The team that it joins."),
            can("mode", String, "Its permission mode."),
            can("isolation", String, "Where it works: `worktree` or `remote`."),
        ],
    },
    ToolInput {
        tool: "ReadMcpResourceTool",
        keys: &[must("uri", String, "The resource's address."), can("server", String, "The tool server.")],
    },
    ToolInput { tool: "MultiEdit", keys: &[FILE, must("edits", Array, "The replacements.")] },
    ToolInput { tool: "Patch", keys: &[must("patch", String, "The patch.")] },
    ToolInput { tool: "Delete", keys: &[FILE] },
    ToolInput { tool: "LS", keys: &[must("path", String, "The folder.")] },
];
