//! What a starter does on an event, and the files that do it. Answers are written by the vendors' own rules
//! ([`HookSide::write_answer`](hooks_core::HookSide::write_answer)), never typed.

use std::fmt::Write as _;
use std::path::Path;

use hooks_core::adapter::{Answer, Codec};
use hooks_core::boundary::Stop;
use hooks_core::effects::{Effect, PromptFate};
use hooks_core::facts::{EventFacts, SubjectFact};
use hooks_core::translate::ProjectRoot;
use hooks_core::{Boundary, Channel, Continuation, Envelope, Facet, Halt, Verdict};

use crate::cli::exit::Trouble;
use crate::cli::explain::made_up;
use crate::cli::repository;

/// What a starter does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// Denies what has a text in it.
    Deny(&'static str),
    /// Stops a prompt that has a text in it.
    Refuse(&'static str),
    /// Makes the turn go on once.
    GoOn,
    /// Gives the model a text.
    Tell,
    /// Makes a worktree, where the hook is what makes them.
    Worktree,
    /// Keeps what it is given in a file.
    Log,
}

/// The text that a starter gives the model.
const TOLD: &str = "Run the tests before you say that you are done.";

impl Job {
    /// What fits an event.
    fn of(event: &EventFacts) -> Self {
        let has = |channel| event.channels.contains(channel);
        match (event.boundary, event.facet) {
            (Some(Boundary::ToolBefore), Facet::FileRead) if has(Channel::Verdict) => Self::Deny(".env"),
            (Some(Boundary::ToolBefore | Boundary::PermissionRequest), Facet::Mcp) if has(Channel::Verdict) => {
                Self::Deny("delete")
            }
            (Some(Boundary::ToolBefore | Boundary::PermissionRequest), _) if has(Channel::Verdict) => {
                Self::Deny("rm -rf")
            }
            (Some(Boundary::PromptSubmit), _) if has(Channel::Halt) => Self::Refuse("PRIVATE KEY"),
            (Some(Boundary::TurnStop | Boundary::SubagentStop), _) if has(Channel::Continuation) => Self::GoOn,
            (Some(Boundary::WorktreeCreate), _) => Self::Worktree,
            _ if has(Channel::ModelContext) => Self::Tell,
            _ => Self::Log,
        }
    }

    /// What it does, as the rest of a sentence that begins with "it".
    pub(super) fn about(self) -> String {
        match self {
            Self::Deny(text) => format!("denies what has `{text}` in it and lets the rest through"),
            Self::Refuse(text) => format!("stops a prompt that has `{text}` in it and lets the rest through"),
            Self::GoOn => "makes the agent go on once before it stops".to_owned(),
            Self::Tell => "gives the model a reminder".to_owned(),
            Self::Worktree => "makes a worktree and prints its path".to_owned(),
            Self::Log => "keeps what it is given in a log beside it".to_owned(),
        }
    }

    /// The script's name, without its ending.
    const fn stem(self) -> &'static str {
        match self {
            Self::Deny(_) | Self::Refuse(_) => "guard",
            Self::GoOn => "go-on",
            Self::Tell => "remind",
            Self::Worktree => "worktree",
            Self::Log => "log",
        }
    }
}

/// The files of one starter.
pub(super) struct Starter {
    /// What it does.
    pub job: Job,
    /// The configuration's path in the project.
    pub config: &'static str,
    /// What stands in it.
    pub document: String,
    /// The script's path in the project.
    pub script: String,
    /// What stands in that.
    pub text: String,
    /// A firing that shows what it does, after the event's name and the folder.
    pub demonstration: &'static str,
}

/// The event of a vendor that a starter is for when none is named: the one before a shell command.
pub(super) const fn usual(vendor: &str) -> &'static str {
    match vendor.as_bytes() {
        b"cursor" => "beforeShellExecution",
        _ => "PreToolUse",
    }
}

/// The starter of an event.
pub(super) fn starter(codec: &dyn Codec, event: &'static EventFacts, folder: &Path) -> Result<Starter, Trouble> {
    let vendor = codec.vendor().as_str();
    let job = Job::of(event);
    let envelope = made_up(codec, event, None)?;
    let (config, scripts) = match vendor {
        "cursor" => (".cursor/hooks.json", ".cursor/hooks"),
        "claude" => (".claude/settings.json", ".claude/hooks"),
        _ => (".codex/hooks.json", ".codex/hooks"),
    };
    let script = format!("{scripts}/{}.sh", job.stem());
    let text = text(codec, event, &envelope, job);
    let document = document(vendor, event, job, &script, &root(vendor, folder));
    let demonstration = match job {
        Job::Deny("rm -rf") => " --command 'rm -rf build'",
        Job::Deny(".env") => r#" --tool Read --input '{"file_path": ".env"}'"#,
        Job::Refuse(_) => " --prompt 'BEGIN PRIVATE KEY'",
        _ => "",
    };
    Ok(Starter { job, config, document, script, text, demonstration })
}

/// What stands for the project's folder in a command of a vendor's that runs in other folders too; nothing where the
/// vendor runs its hooks there.
pub(crate) fn root(vendor: &str, folder: &Path) -> String {
    match vendor {
        "cursor" => return String::new(),
        "claude" => return "\"$CLAUDE_PROJECT_DIR\"".to_owned(),
        _ => {}
    }
    // A session may have begun in a folder below the project's. Git knows its own root, which may lie above ours.
    let Some(below) = repository::below(folder) else {
        return "\"$(git rev-parse --show-toplevel 2>/dev/null || pwd)\"".to_owned();
    };
    format!("\"{}\"", ProjectRoot::Repository("$(git rev-parse --show-toplevel)").in_command(&below))
}

/// The configuration with one hook.
fn document(vendor: &str, event: &EventFacts, job: Job, script: &str, root: &str) -> String {
    let guards = matches!(job, Job::Deny(_) | Job::Refuse(_));
    let about_shell = matches!(job, Job::Deny("rm -rf")) && event.subject == SubjectFact::ToolName;
    let name = json(event.name);
    if vendor == "cursor" {
        let closed = if guards { ", \"failClosed\": true" } else { "" };
        let matcher = if about_shell { ", \"matcher\": \"Shell\"" } else { "" };
        let hook = format!("{{ \"command\": {}{matcher}{closed} }}", json(script));
        return format!("{{\n  \"version\": 1,\n  \"hooks\": {{\n    {name}: [\n      {hook}\n    ]\n  }}\n}}\n");
    }
    let command = format!("{root}/{script}");
    let mut hook = format!("\"type\": \"command\",\n            \"command\": {}", json(&command));
    if vendor == "claude" && guards {
        hook.push_str(",\n            \"onFailure\": \"block\"");
    }
    let matcher = match event.boundary {
        _ if about_shell => "        \"matcher\": \"Bash\",\n",
        // What no matcher names is not watched.
        Some(Boundary::FileChanged) => "        \"matcher\": \".env|main.rs\",\n",
        _ => "",
    };
    let hooks = format!("        \"hooks\": [\n          {{\n            {hook}\n          }}\n        ]\n");
    let group = format!("      {{\n{matcher}{hooks}      }}\n");
    format!("{{\n  \"hooks\": {{\n    {name}: [\n{group}    ]\n  }}\n}}\n")
}

/// A text as JSON writes it.
fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// The script.
fn text(codec: &dyn Codec, event: &EventFacts, envelope: &Envelope, job: Job) -> String {
    let say = |effects: &[Effect]| answer(&codec.write_answer(event, envelope, effects).0);
    // What a hook with nothing against it says: nothing, where the vendor takes that for an answer.
    let (quiet, lost) = codec.write_answer(event, envelope, &[]);
    let well = if lost.is_empty() {
        answer(&quiet)
    } else {
        say(&[Effect::Verdict { verdict: Verdict::Allow, reasons: Vec::new() }])
    };
    let mut text = String::from("#!/bin/sh\n");
    let vendor = codec.vendor();
    let _ = writeln!(text, "# A hook of {vendor} on {}: it {}.", event.name, job.about());
    text.push_str("# What happened comes as one JSON object on standard input.\n");
    match job {
        Job::Deny(trigger) => {
            let reason = format!("a hook of this project denies what has {trigger} in it");
            let no = say(&[Effect::Verdict { verdict: Verdict::Deny, reasons: vec![reason] }]);
            let _ = writeln!(
                text,
                "input=$(cat)\ncase \"$input\" in\n  *{}*)\n{}    exit {} ;;\nesac",
                quoted(trigger),
                indented(&no),
                no.code
            );
            let _ = writeln!(text, "{}exit {}", well.lines, well.code);
        }
        Job::Refuse(trigger) => {
            let mut halt =
                Halt::of(&[Stop::Prompt], Some(format!("a hook of this project stops prompts with a {trigger}")));
            halt.prompt = Some(PromptFate::Erase);
            let no = say(&[Effect::Halt(halt)]);
            let _ = writeln!(
                text,
                "input=$(cat)\ncase \"$input\" in\n  *{}*)\n{}    exit {} ;;\nesac",
                quoted(trigger),
                indented(&no),
                no.code
            );
            let _ = writeln!(text, "{}exit {}", well.lines, well.code);
        }
        Job::GoOn => {
            let on = say(&[Effect::Continue(Continuation::new(TOLD, None))]);
            text.push_str("# It says so once: the input tells when hooks have made the agent go on already.\n");
            text.push_str("input=$(tr -d ' \\n')\ncase \"$input\" in\n");
            text.push_str("  *'\"stop_hook_active\":true'* | *'\"loop_count\":'[1-9]*) exit 0 ;;\nesac\n");
            let _ = writeln!(text, "{}exit {}", on.lines, on.code);
        }
        Job::Tell => {
            let told = say(&[Effect::Context(TOLD.to_owned())]);
            let _ = writeln!(text, "cat >/dev/null\n{}exit {}", told.lines, told.code);
        }
        Job::Worktree => {
            text.push_str("cat >/dev/null\ndir=$(dirname \"$0\")/../worktrees/$$\n");
            text.push_str("git worktree add --detach \"$dir\" >/dev/null 2>&1 || mkdir -p \"$dir\"\n");
            text.push_str("cd \"$dir\" && pwd\n");
        }
        Job::Log => {
            text.push_str("# Prompts and commands may hold secrets: only you may read the log.\n");
            text.push_str("umask 077\n{ cat; echo; } >>\"$(dirname \"$0\")/hooks.log\"\n");
            let _ = writeln!(text, "{}exit {}", well.lines, well.code);
        }
    }
    text
}

/// An answer as lines of shell, with its exit code.
struct Said {
    lines: String,
    code: i32,
}

fn answer(answer: &Answer) -> Said {
    let mut lines = String::new();
    for (bytes, to) in [(&answer.stdout, ""), (&answer.stderr, " >&2")] {
        let said = String::from_utf8_lossy(bytes);
        let said = said.trim_end_matches('\n');
        if !said.is_empty() {
            let _ = writeln!(lines, "printf '%s\\n' {}{to}", quoted(said));
        }
    }
    Said { lines, code: answer.exit_code }
}

fn indented(said: &Said) -> String {
    said.lines.lines().fold(String::new(), |text, line| text + "    " + line + "\n")
}

/// A text as a shell reads it back.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
