//! What is said about a command: placeholders that stand for nothing, what only a shell understands, and handlers that nobody
//! waits for.

use hooks_core::definition::FailurePolicy;
use hooks_core::diagnostic::{Diagnostic, Severity};
use hooks_core::document::Node;
use hooks_core::handler::{Background, CommandHandler, Shell};
use hooks_core::lint::matchers::place;
use hooks_core::lint::values::{is_plain_word, quoted};
use hooks_core::source::Origin;

use super::Asked;
use crate::config::reader::Reader;
use crate::config::{keys, powershell};
use crate::events::OPTION_NEEDS_ARGS;
use crate::{codes, invoke, locations};

/// The folders of a plugin that placeholders stand for.
const FOLDERS: &[&str] = &[locations::PLUGIN_ROOT, locations::PLUGIN_DATA];

/// An empty command, and a plugin's placeholders where they stand for nothing.
pub(super) fn placeholders(reader: &Reader, asked: &Asked<'_>, command: &CommandHandler, notes: &mut Vec<Diagnostic>) {
    let key = &keys::COMMAND;
    let Some(node) = asked.node(key).filter(|node| node.as_str().is_some()) else { return };
    if command.command.trim().is_empty() {
        notes.push(asked.note(key, node, &codes::EMPTY_COMMAND, "the command is empty"));
    }
    let source = &reader.parsed.source;
    let is_plugin_s = source.plugin.is_some() || source.origin == Origin::Plugin;
    if !is_plugin_s && invoke::uses(command, FOLDERS) {
        let message = "a plugin's placeholder stands in a hook that belongs to no plugin, so that it fails each time";
        let note = asked.note(key, node, &codes::PLUGIN_PLACEHOLDER, message);
        // It stands in the program, or else in an argument.
        let program = CommandHandler { args: None, ..command.clone() };
        let args = asked.node(&keys::ARGS).and_then(Node::as_array).unwrap_or_default();
        let in_arg = command.args.iter().flatten().zip(args).zip(0..).find(|((arg, _), _)| {
            let alone = CommandHandler { command: (*arg).clone(), ..program.clone() };
            invoke::uses(&alone, FOLDERS)
        });
        notes.push(asked.failing(match in_arg.filter(|_| !invoke::uses(&program, FOLDERS)) {
            Some(((_, item), at)) => note.at(item.range.clone()).pointer(asked.arg_pointer(at)),
            None => note,
        }));
    }
    let refused = OPTION_NEEDS_ARGS.at(reader.version) == Some(true);
    if refused && command.args.is_none() && command.command.contains(invoke::OPTION) {
        let message = "a plugin option's placeholder is refused in a shell text, so that the hook fails each time";
        let mut note = asked.failing(asked.note(key, node, &codes::OPTION_IN_SHELL, message));
        if let (true, Some(text)) = (is_plugin_s, options_as_variables(&command.command)) {
            let (range, new) = place(&source.bytes, node, 0..command.command.len(), &text);
            // A text with quotes in it stands in the document with escapes.
            let new = if range == node.range { quoted(&text) } else { new };
            note = note.edit(range, new).changes("the hook runs, which it did not before");
        }
        notes.push(note);
    }
}

/// A shell text with the variables in place of the options' placeholders.
fn options_as_variables(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(invoke::OPTION) {
        let (name, after) = after.split_once('}')?;
        let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        // Behind the name something could stand that would go on with it.
        if !plain || after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        out.push_str(before);
        out.push_str(&format!("$CLAUDE_PLUGIN_OPTION_{}", name.to_uppercase()));
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// The project's folder as a shell's variable.
const BARE: &str = "$CLAUDE_PROJECT_DIR";

/// What only a shell understands where there is none, and what PowerShell does not know.
pub(super) fn shells(reader: &Reader, asked: &Asked<'_>, command: &CommandHandler, notes: &mut Vec<Diagnostic>) {
    let in_braces = |note: Diagnostic, node: &Node, text: &str| match text.find(BARE) {
        Some(at) if text.matches(BARE).count() == 1 => {
            let braces = format!("${{{}}}", locations::PROJECT_DIR);
            let (range, new) = place(&reader.parsed.source.bytes, node, at..at + BARE.len(), &braces);
            note.edit(range, new).changes("the client puts the project's folder there")
        }
        _ => note,
    };
    let Some(node) = asked.node(&keys::COMMAND).filter(|node| node.as_str().is_some()) else { return };
    let text = command.command.as_str();
    let Some(args) = &command.args else {
        if command.shell == Shell::PowerShell && text.contains(BARE) {
            let message = format!("in PowerShell `{BARE}` is a variable that is not set");
            let note = asked.failing(asked.note(&keys::COMMAND, node, &codes::POWERSHELL_VARIABLE, message));
            notes.push(in_braces(note, node, text));
        } else if let (Shell::PowerShell, Some(found)) = (command.shell, powershell::literal(text)) {
            let message = format!("PowerShell expands nothing in single quotes, so `{}` is no folder", found.variable);
            let note = asked.failing(asked.note(&keys::COMMAND, node, &codes::POWERSHELL_VARIABLE, message));
            let note = note.help("Write the text in double quotes.");
            notes.push(match found.expanded {
                Some(expanded) => {
                    let mut whole = text.to_owned();
                    whole.replace_range(found.range, &expanded);
                    note.edit(node.range.clone(), quoted(&whole)).changes("PowerShell puts the folder there")
                }
                None => note,
            });
        }
        return;
    };
    if let Some(shell) = asked.node(&keys::SHELL) {
        let message = "`shell` has no effect beside `args`: the program is started without one";
        notes.push(asked.idle(reader, &keys::SHELL, shell, message));
    }
    let code = &codes::EXEC_FORM_NO_SHELL;
    if let Some(what) = unexpanded(text) {
        let message = format!("no shell replaces `{what}` here, so the program is not found");
        notes.push(in_braces(asked.failing(asked.note(&keys::COMMAND, node, code, message)), node, text));
    } else if text.trim().contains(' ') && !text.contains(['/', '\\', '$']) {
        let message = format!("`{text}` is taken for the name of one program, blanks included, which is not found");
        notes.push(asked.failing(asked.note(&keys::COMMAND, node, code, message)));
    } else if [".cmd", ".bat"].iter().any(|end| text.to_ascii_lowercase().ends_with(end)) {
        let message =
            format!("`{text}` is a batch file: Windows starts it through a shell only, and there is none here");
        let note = asked.failing(asked.note(&keys::COMMAND, node, code, message));
        notes.push(note.help("Name a real executable, or leave `args` out and write one shell text."));
    }
    // What a shell is given as a text it reads itself.
    let program = text.rsplit(['/', '\\']).next().unwrap_or(text);
    let reads = matches!(program, "sh" | "bash" | "dash" | "zsh" | "ksh" | "fish");
    if reads && args.iter().any(|arg| arg.starts_with('-') && !arg.starts_with("--") && arg.ends_with('c')) {
        return;
    }
    let items = asked.node(&keys::ARGS).and_then(Node::as_array).unwrap_or_default();
    for ((arg, item), at) in args.iter().zip(items).zip(0..) {
        let Some(what) = unexpanded(arg).filter(|what| *what == BARE || is_plain_word(arg)) else { continue };
        let message = format!("no shell replaces `{what}` here: the program gets it as it stands");
        let mut note = asked.note(&keys::ARGS, item, code, message);
        note.pointer = Some(asked.arg_pointer(at));
        notes.push(in_braces(note, item, arg));
    }
}

/// What a shell would have replaced in a text that no shell reads.
fn unexpanded(text: &str) -> Option<&'static str> {
    let variable = |name: &str| {
        let rest = text.split_once(name).map(|(_, rest)| rest)?;
        Some(!rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    };
    let found = |name: &str| variable(name) == Some(true);
    match text {
        _ if found(BARE) => Some(BARE),
        _ if found("$HOME") => Some("$HOME"),
        _ if text.contains("${HOME}") => Some("${HOME}"),
        _ if text.starts_with("~/") => Some("~/"),
        _ => None,
    }
}

/// Handlers that nobody waits for.
pub(super) fn background(reader: &Reader, asked: &Asked<'_>, command: &CommandHandler, notes: &mut Vec<Diagnostic>) {
    let key = match command.background {
        Background::Async => &keys::ASYNC,
        Background::AsyncRewake => &keys::ASYNC_REWAKE,
        _ => return,
    };
    let Some(node) = asked.node(key) else { return };
    if asked.event.can_block() {
        let message = format!("a handler in the background cannot block `{}`", asked.name());
        let note = asked.note(key, node, &codes::ASYNC_DECIDES_NOTHING, message);
        // One that is to block when it fails was meant as a guard.
        notes.push(if asked.failure == FailurePolicy::Closed { asked.guarded(note) } else { note });
    } else if let (FailurePolicy::Closed, Some(node)) = (asked.failure, asked.node(&keys::ON_FAILURE)) {
        let message = "`onFailure` is not heeded of a handler in the background";
        notes.push(asked.idle(reader, &keys::ON_FAILURE, node, message));
    }
    if let (Background::Async, Some(node)) = (command.background, asked.node(&keys::TIMEOUT)) {
        let message = "the time limit of a handler in the background is not enforced";
        let note = asked.idle(reader, &keys::TIMEOUT, node, message).severity(Severity::Info);
        notes.push(note);
    }
}
