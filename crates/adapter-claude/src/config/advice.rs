//! What is said about a handler that loads and will not do what it looks like (hooks page, handler fields and the sections on
//! each type; cases L031, L057, L110 to L113, L212, L246 to L250). The client itself says nothing about any of it.

use std::collections::HashSet;
use std::ops::Range;

use hooks_core::definition::FailurePolicy;
use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
use hooks_core::document::{Node, Object, pointer_to};
use hooks_core::facts::SubjectFact;
use hooks_core::handler::{Background, CommandHandler, Handler, HandlerKind, HttpHandler, Shell};
use hooks_core::lint::matchers::place;
use hooks_core::lint::values::is_plain_word;
use hooks_core::lint::values::{probably_milliseconds, quoted};
use hooks_core::matcher::{Matched, Matcher};
use hooks_core::source::Origin;

use super::handler::counts_once;
use super::keys::{self, Key};
use super::reader::{Group, Reader};
use super::{Form, edits, powershell};
use crate::events::{Event, OPTION_NEEDS_ARGS, OnFailure, Refusal};
use crate::matcher::condition::Rule;
use crate::{codes, http, invoke, locations, tools};

/// A handler as it was read.
pub(super) struct Asked<'a> {
    pub(super) event: &'static Event,
    pub(super) group: &'a Group,
    pub(super) object: &'a Object,
    pub(super) pointer: &'a str,
    pub(super) handler: &'a Handler,
    pub(super) condition: Option<&'a str>,
    pub(super) timeout: Option<f64>,
    pub(super) failure: FailurePolicy,
    pub(super) once: bool,
}

impl<'a> Asked<'a> {
    fn node(&self, key: &Key) -> Option<&'a Node> {
        self.object.get(key.name)
    }

    fn name(&self) -> &'static str {
        self.event.facts.name
    }

    fn arg_pointer(&self, at: usize) -> String {
        format!("{}/{}/{at}", self.pointer, keys::ARGS.name)
    }

    fn note(&self, key: &Key, node: &Node, code: &'static Code, message: impl Into<String>) -> Diagnostic {
        let pointer = pointer_to(self.pointer, key.name);
        Diagnostic::new(code, Reach::Entry, message).at(node.range.clone()).pointer(pointer).silent()
    }

    /// Louder where the handler was to guard something.
    fn guarded(&self, mut note: Diagnostic) -> Diagnostic {
        if !self.event.can_block() {
            return note;
        }
        note.message.push_str("; what it was to guard goes on unguarded");
        note.severity(Severity::Error)
    }

    /// A handler that fails each time: it guards nothing or, where a failure blocks, lets nothing through.
    fn failing(&self, mut note: Diagnostic) -> Diagnostic {
        if !self.event.can_block() {
            return note;
        }
        let heeded = matches!(self.event.on_failure, OnFailure::AsExit2 | OnFailure::Denies);
        note.message.push_str(match self.failure {
            FailurePolicy::Closed if heeded => "; with `onFailure` as `block` that blocks each time",
            _ => "; what it was to guard goes on unguarded",
        });
        note.severity(Severity::Error)
    }

    /// A key without effect, which can go.
    fn idle(&self, reader: &Reader, key: &Key, node: &Node, message: impl Into<String>) -> Diagnostic {
        reader.without(self.note(key, node, &codes::NO_EFFECT_HERE, message), self.object, key.name)
    }
}

/// Says what there is to say about a handler.
pub(super) fn advise(reader: &mut Reader, asked: &Asked<'_>) {
    let mut notes = Vec::new();
    kind(asked, &mut notes);
    match asked.handler {
        Handler::Command(command) => {
            placeholders(reader, asked, command, &mut notes);
            shells(reader, asked, command, &mut notes);
            background(reader, asked, command, &mut notes);
        }
        Handler::Http(http) => requests(reader, asked, http, &mut notes),
        Handler::Prompt(_) => heeds_continue(reader, asked, &mut notes),
        _ => {}
    }
    failure(reader, asked, &mut notes);
    timeout(reader, asked, &mut notes);
    condition(reader, asked, &mut notes);
    if let (true, Some(node)) = (asked.once && !counts_once(&reader.parsed.source), asked.node(&keys::ONCE)) {
        let message = "`once` has no effect outside the head of a skill or command";
        notes.push(asked.idle(reader, &keys::ONCE, node, message));
    }
    for note in notes {
        reader.report(note);
    }
}

/// Types that the event does not run, and those whose answer it does not heed.
fn kind(asked: &Asked<'_>, notes: &mut Vec<Diagnostic>) {
    let Some(node) = asked.node(&keys::TYPE) else { return };
    let (name, kind) = (asked.name(), asked.handler.kind());
    if !asked.event.handlers.contains(&kind) {
        let code = &codes::HANDLER_TYPE_NOT_RUN_HERE;
        if asked.event.other_types_untried {
            let message =
                format!("no source says that `{name}` runs {} handlers; commands were seen to run", kind.as_str());
            notes.push(asked.note(&keys::TYPE, node, code, message).severity(Severity::Error));
            return;
        }
        let comes_to = match kind {
            HandlerKind::Http => "the request is not sent, and nothing is said",
            _ => "it fails each time, blocking nothing",
        };
        let message = format!("`{name}` does not run {} handlers: {comes_to}", kind.as_str());
        notes.push(asked.guarded(asked.note(&keys::TYPE, node, code, message)));
    } else if matches!(kind, HandlerKind::Prompt | HandlerKind::Agent) && asked.event.refusal == Refusal::Nothing {
        let message = format!("`{name}` does not heed what a model answers: a refusal changes nothing");
        notes.push(asked.guarded(asked.note(&keys::TYPE, node, &codes::PROMPT_DECIDES_NOTHING, message)));
    } else if kind == HandlerKind::McpTool && name == "SessionStart" {
        let matches = |source: &str| asked.group.matcher.matches(source) != Matched::No;
        let launch = ["startup", "resume", "fork"].into_iter().any(matches);
        let later = ["clear", "compact"].into_iter().any(matches);
        let message = match (launch, later) {
            (true, false) => "tool servers are not connected yet when a session starts, so this handler never runs",
            (true, true) => {
                "tool servers are not connected yet when a session starts: it runs on `clear` and `compact` only"
            }
            _ => return,
        };
        let note = asked.note(&keys::TYPE, node, &codes::TOOL_SKIPPED_AT_LAUNCH, message);
        notes.push(if later { note } else { note.severity(Severity::Warning) });
    }
}

/// The folders of a plugin that placeholders stand for.
const FOLDERS: &[&str] = &[locations::PLUGIN_ROOT, locations::PLUGIN_DATA];

/// An empty command, and a plugin's placeholders where they stand for nothing.
fn placeholders(reader: &Reader, asked: &Asked<'_>, command: &CommandHandler, notes: &mut Vec<Diagnostic>) {
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
fn shells(reader: &Reader, asked: &Asked<'_>, command: &CommandHandler, notes: &mut Vec<Diagnostic>) {
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

fn in_background(handler: &Handler) -> bool {
    matches!(handler, Handler::Command(command) if command.background != Background::No)
}

/// Handlers that nobody waits for.
fn background(reader: &Reader, asked: &Asked<'_>, command: &CommandHandler, notes: &mut Vec<Diagnostic>) {
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

/// Addresses that nothing can be sent to, and variables of headers that stand for nothing.
fn requests(reader: &Reader, asked: &Asked<'_>, http: &HttpHandler, notes: &mut Vec<Diagnostic>) {
    if let Some(node) = asked.node(&keys::URL).filter(|node| node.as_str().is_some()) {
        let scheme = http.url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        if !matches!(scheme.as_deref(), Some("http" | "https")) {
            let message = format!("nothing can be sent to `{}`: it has no `http://` or `https://`", http.url);
            let note = asked.failing(asked.note(&keys::URL, node, &codes::URL_NOT_HTTP, message));
            let local = ["localhost", "127.0.0.1"].iter().any(|host| http.url.starts_with(host));
            notes.push(match local {
                true => {
                    let whole = format!("http://{}", http.url);
                    note.edit(node.range.clone(), quoted(&whole))
                        .changes("the input is sent there, which it was not before")
                }
                false => note,
            });
        }
    }
    let listed = asked.node(&keys::ALLOWED_ENV_VARS);
    for (item, at) in listed.and_then(Node::as_array).unwrap_or_default().iter().zip(0..) {
        let Some(text) = item.as_str() else { continue };
        let bare = text.trim().trim_start_matches('$').trim_start_matches('{').trim_end_matches('}');
        if bare != text {
            let message = format!("`{text}` is not the plain name of a variable, so it allows nothing");
            let mut note = asked.note(&keys::ALLOWED_ENV_VARS, item, &codes::ALLOWED_VARIABLE_NOT_A_NAME, message);
            note.pointer = Some(format!("{}/{}/{at}", asked.pointer, keys::ALLOWED_ENV_VARS.name));
            let mended = note.clone().help(format!("Write `{bare}`.")).edit(item.range.clone(), quoted(bare));
            let mended = mended.changes("the variable's value is sent, which it was not before");
            notes.push(if bare.is_empty() { note } else { mended });
        }
    }
    let members = asked.node(&keys::HEADERS).and_then(Node::as_object).map(|headers| headers.members.as_slice());
    let mut told: HashSet<&str> = HashSet::new();
    let allowed: HashSet<&str> = http.allowed_env.iter().map(String::as_str).collect();
    for member in members.unwrap_or_default() {
        let pointer = pointer_to(&pointer_to(asked.pointer, keys::HEADERS.name), &member.key);
        let Some(text) = member.value.as_str() else { continue };
        if ["content-length", "transfer-encoding"].contains(&member.key.to_ascii_lowercase().as_str()) {
            let message = format!("the client sets `{}` itself", member.key);
            let mut note = asked.note(&keys::HEADERS, &member.value, &codes::NO_EFFECT_HERE, message);
            note.pointer = Some(pointer.clone());
            note.range = Some(member.key_range.clone());
            notes.push(note);
        }
        for name in http::header_variables(text) {
            if allowed.contains(name) {
                continue;
            }
            let message = format!("`{name}` is not in `allowedEnvVars`, so it is replaced by nothing");
            let mut note = asked.note(&keys::HEADERS, &member.value, &codes::HEADER_VARIABLE_NOT_ALLOWED, message);
            note.pointer = Some(pointer.clone());
            if told.insert(name) {
                note = allow(reader, note, asked.object, listed, name);
            }
            notes.push(note);
        }
    }
}

/// A variable added to the list of a handler.
fn allow(reader: &Reader, note: Diagnostic, object: &Object, listed: Option<&Node>, name: &str) -> Diagnostic {
    let sent = "the variable's value is sent to the address, which it was not before";
    let at: Option<(Range<usize>, String)> = match listed {
        Some(node) => node.as_array().map(|items| match items.last() {
            Some(last) => (last.range.end..last.range.end, format!(", {}", quoted(name))),
            None => (node.range.clone(), format!("[{}]", quoted(name))),
        }),
        None => object.members.last().map(|last| {
            let end = last.value.range.end;
            (end..end, format!(", {}: [{}]", quoted(keys::ALLOWED_ENV_VARS.name), quoted(name)))
        }),
    };
    match at {
        Some((range, text)) if reader.is_json() => note.edit(range, text).changes(sent),
        _ => note,
    }
}

/// `continueOnBlock` where a refusal comes to the same either way.
fn heeds_continue(reader: &Reader, asked: &Asked<'_>, notes: &mut Vec<Diagnostic>) {
    let Some(node) = asked.node(&keys::CONTINUE_ON_BLOCK).filter(|node| node.as_bool() == Some(true)) else { return };
    if !matches!(asked.event.refusal, Refusal::DeniesAndEnds | Refusal::EndsOrBlocks(_)) {
        let message = format!("on `{}` a refusal comes to the same with and without `continueOnBlock`", asked.name());
        notes.push(asked.idle(reader, &keys::CONTINUE_ON_BLOCK, node, message));
    }
}

/// `onFailure` where it is not heeded.
fn failure(reader: &Reader, asked: &Asked<'_>, notes: &mut Vec<Diagnostic>) {
    let heeded = matches!(asked.event.on_failure, OnFailure::AsExit2 | OnFailure::Denies);
    let told = !asked.event.can_block() && in_background(asked.handler);
    if let (FailurePolicy::Closed, false, Some(node)) = (asked.failure, heeded || told, asked.node(&keys::ON_FAILURE)) {
        let message = format!("`{}` does not heed `onFailure`", asked.name());
        notes.push(asked.idle(reader, &keys::ON_FAILURE, node, message));
    }
}

/// Time limits in another unit, and those that are not granted.
fn timeout(reader: &Reader, asked: &Asked<'_>, notes: &mut Vec<Diagnostic>) {
    let (Some(seconds), Some(node)) = (asked.timeout, asked.node(&keys::TIMEOUT)) else { return };
    // What is longer than this is no slip of the unit, but means that there is no limit.
    let slip = node.as_u64().filter(|seconds| *seconds <= 3_600_000);
    if let Some(meant) = slip.and_then(probably_milliseconds) {
        let message = format!(
            "`timeout` counts seconds, so {seconds} is about {:.1} hours; probably {meant} s are meant",
            seconds / 3_600.0
        );
        notes.push(
            asked
                .note(&keys::TIMEOUT, node, &codes::TIMEOUT_IN_MILLISECONDS, message)
                .edit(node.range.clone(), meant.to_string())
                .changes(format!("the handler is cancelled after {meant} s, not after {seconds}")),
        );
        return;
    }
    let Some(longest) = asked.event.longest_s else { return };
    let source = &reader.parsed.source;
    let plugin = reader.form == Form::Plugin || source.plugin.is_some();
    let granted = if plugin { asked.event.timeout_s(asked.handler.kind()) } else { longest };
    if seconds > granted {
        let why = if plugin { "a plugin gets no more than the default" } else { "that is the most" };
        let message = format!("all handlers of `{}` together get {granted} s: {why}", asked.name());
        let note = asked.note(&keys::TIMEOUT, node, &codes::TIMEOUT_CAPPED, message);
        notes.push(note.edit(node.range.clone(), granted.to_string()));
    }
}

/// Conditions that never hold.
fn condition(reader: &Reader, asked: &Asked<'_>, notes: &mut Vec<Diagnostic>) {
    let key = &keys::IF;
    let text = asked.condition.filter(|text| !text.trim().is_empty());
    let (Some(text), Some(node)) = (text, asked.node(key)) else { return };
    let name = asked.name();
    if !asked.event.conditions {
        let message = format!("`{name}` never evaluates `if`, so this handler never runs");
        let note = asked.guarded(asked.note(key, node, &codes::CONDITION_NEVER_HOLDS, message));
        let note = reader.without(note, asked.object, key.name);
        let always = "the handler runs each time, which it never did before";
        notes.push(if note.edits.is_empty() { note } else { note.changes(always) });
        return;
    }
    let Some(rule) = Rule::parse(text).filter(|rule| !rule.specifier.is_some_and(is_list)) else {
        let message = format!("`{text}` is not one permission rule, so this handler never runs");
        notes.push(asked.guarded(asked.note(key, node, &codes::CONDITION_NOT_A_RULE, message)));
        return;
    };
    if matches!(rule.tool, "Agent" | "Task") && rule.specifier.is_some_and(|inside| !matches!(inside, "" | "*")) {
        let message = format!("`{text}` was seen not to hold for a call of that type, so this handler does not run");
        let note = asked.note(key, node, &codes::CONDITION_NEVER_HOLDS, message);
        notes.push(asked.guarded(note).help("Write the tool's name alone and test the agent's type in the hook."));
        return;
    }
    let known = || tools::BUILT_IN.iter().copied();
    let is_known = known().any(|tool| tool == rule.tool) || tools::retired(rule.tool).is_some();
    if !is_known && !rule.tool.starts_with("mcp__") && !rule.tool.contains('*') {
        if let Some((meant, alone)) = edits::meant(rule.tool, known()) {
            let message = format!("`{}` is no tool the client knows; probably `{meant}` is meant", rule.tool);
            let mut note = asked.note(key, node, &codes::CONDITION_NAMES_NO_TOOL, message);
            if rule.tool.eq_ignore_ascii_case(meant) {
                note = asked.guarded(note);
            }
            let at = text.find(rule.tool).unwrap_or_default();
            let (range, new) = place(&reader.parsed.source.bytes, node, at..at + rule.tool.len(), meant);
            note = note.help(format!("Write `{meant}`."));
            notes.push(if alone {
                note.edit(range, new).changes("the handler runs, which it did not before")
            } else {
                note
            });
        }
        return;
    }
    let is_tool = asked.event.facts.subject == SubjectFact::ToolName;
    if is_tool && is_excluded(&asked.group.matcher, &rule) {
        let matcher = asked.group.matcher_text.as_deref().unwrap_or_default();
        let message = format!("the group's matcher `{matcher}` leaves `{}` out, so this handler never runs", rule.tool);
        notes.push(asked.guarded(asked.note(key, node, &codes::CONDITION_EXCLUDED_BY_MATCHER, message)));
    }
}

/// Whether what stands between the first and the last bracket of a rule is the rest of several rules.
fn is_list(specifier: &str) -> bool {
    specifier.split(')').skip(1).any(|rest| {
        let rest = rest.trim_start();
        let next = rest.trim_start_matches(['&', '|', ',']).trim_start();
        let name = next.split('(').next().unwrap_or_default();
        next.len() < rest.len()
            && next.contains('(')
            && !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Whether a matcher takes none of the calls that a rule can hold for.
fn is_excluded(matcher: &Matcher, rule: &Rule<'_>) -> bool {
    if matches!(matcher, Matcher::All | Matcher::Unknown(_) | Matcher::Never(_)) {
        return false;
    }
    // Rules on editing and reading speak of other tools too, as permission rules.
    let named: &[&str] = match rule.tool {
        "Agent" | "Task" => &["Agent", "Task"],
        "Edit" => &["Edit", "Write", "NotebookEdit", "MultiEdit", "Patch", "Delete"],
        "Read" => &["Read", "Glob", "Grep", "LS", "NotebookRead"],
        tool if tool.contains('*') || (tool.starts_with("mcp__") && tool.matches("__").count() < 2) => return false,
        tool => return matcher.matches(tool) == Matched::No,
    };
    named.iter().all(|tool| matcher.matches(tool) == Matched::No)
}
